"""The strategy of a game on its page: thresholds first, the whole table on demand, what is too large as a download."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import ceil

from oddsmith.publish.charts.boundary import boundary
from oddsmith.publish.charts.lines import by_standing
from oddsmith.publish.html import Html, cell, column, esc, join, row, table, tag
from oddsmith.publish.numbers import span
from oddsmith.publish.plan import Answer
from oddsmith.report.decisions import Feature
from oddsmith.report.prose import capital, sentence
from oddsmith.report.rules_of_thumb import NumberRule
from oddsmith.report.thresholds import VARIES, Grid, Line, Segment, Strategy, Table, bounds
from oddsmith.report.words import joined, plain_name

NAMED = 6  # things that a sentence lists
BINS = 12  # rows and columns of a table of thresholds over two variables
SHOWN = 12  # exceptions that are listed


def strategy_html(answer: Answer) -> Html:
    """Every phase with something to decide."""
    if not answer.strategies:
        return tag("p", "There is nothing to decide: the dice do everything.")
    many = len(answer.strategies) > 1
    parts = [_phase(strategy, many, answer.ladder.rule) for strategy in answer.strategies]
    mixed = len(answer.solution.mixtures) if answer.solution else 0
    if mixed:
        words = "one position" if mixed == 1 else f"{mixed} positions"
        text = f"In {words} best play decides by chance between two actions; the table names one of them."
        parts.append(tag("p", text, cls="od-note"))
    standing = by_standing(answer)
    return join([*parts, standing] if standing else parts, "\n")


def summary(answer: Answer) -> str:
    """The strategy of an answer in a line."""
    rule = answer.ladder.rule
    if rule:
        return f"{rule.words}, as a short rule" if rule.always else rule.words
    fixed = [strategy.options[strategy.constant] for strategy in answer.strategies if strategy.constant is not None]
    if fixed and len(fixed) == len(answer.strategies):
        return f"always {joined(fixed)}"
    return "no single number tells what to do" if answer.strategies else "nothing to decide"


def _phase(strategy: Strategy, many: bool, rule: NumberRule | None) -> Html:
    parts: list[Html] = []
    name = plain_name(strategy.decisions.phase)
    if many:
        parts.append(tag("h4", capital(name)))
    if strategy.constant is not None:
        parts.append(tag("p", f"Always {strategy.options[strategy.constant]}, wherever good play comes."))
    elif strategy.down is not None:
        if _about(strategy):
            parts.append(tag("p", _about(strategy), cls="od-about"))
        for each in strategy.tables:
            parts += _table(strategy, each, rule)
    elif strategy.cases:
        parts.append(_cases(strategy))
    else:
        parts.append(_too_much(strategy))
    return join(parts, "\n")


_ADVISE = (tag("code", "oddsmith advise"), " answers for any position.")


def _too_much(strategy: Strategy) -> Html:
    names = list(dict.fromkeys(_member_of(strategy, feature) for feature in strategy.needed))
    shown = (
        joined(names[:NAMED])
        if len(names) <= NAMED
        else f"{', '.join(names[:NAMED])} and {len(names) - NAMED} more things"
    )
    return tag("p", f"What to do here depends on {shown}: too much for a table. ", *_ADVISE)


def _member_of(strategy: Strategy, feature: Feature) -> str:
    """A feature by name; where it is one of several of a kind, such as the coffers of a board, all of them at once."""
    kin = [other for other in strategy.needed if _family(other) == _family(feature)]
    if "[" not in feature.key or len(kin) == 1:
        return "who is out" if feature.kind == "out" else "the seat" if feature.kind == "mover" else feature.name
    names = [other.name.split() for other in kin]
    same = [word for word in names[0] if all(word in name for name in names)]
    rest = [" ".join(word for word in name if word not in same) for name in names]
    if not same:
        return feature.name
    members = joined(rest) if not any(" " in each for each in rest) and len(rest) <= BINS else f"{len(rest)} of them"
    return f"{' '.join(same)} ({members})"


def _family(feature: Feature) -> str:
    return feature.key.partition("[")[0]


def _table(strategy: Strategy, each: Table, rule: NumberRule | None) -> Iterator[Html]:
    where = _where(strategy, each)
    if where:
        yield tag("p", tag("strong", where), cls="od-where")
    if not _has_thresholds(strategy, each):
        yield from _plain(strategy, each)
        return
    if len(strategy.across) > 1:
        yield _binned(strategy, each)
    else:
        drawn = boundary(strategy, each, rule)
        shown = _thresholds(strategy, each)
        yield tag("div", shown, drawn, cls="od-pair") if drawn else shown
        if each.grid:
            whole = [_legend(strategy, each.grid), _grid(strategy, each.grid)]
            yield tag("details", tag("summary", "The whole table"), *whole, cls="od-more")
    if each.exceptions:
        yield _exceptions(strategy, each)


def brief(strategy: Strategy) -> list[Html]:
    """How to choose in a phase, at its shortest: a line, or tables without chart and without what is folded away."""
    if strategy.constant is not None or (strategy.down is None):
        return [_phase(strategy, False, None)]
    found = []
    for each in strategy.tables:
        where = _where(strategy, each)
        head = [tag("p", tag("strong", where), cls="od-where")] if where else []
        if not _has_thresholds(strategy, each):
            found.append(join([*head, *_plain(strategy, each)]))
        else:
            shown = _binned(strategy, each) if len(strategy.across) > 1 else _thresholds(strategy, each)
            found.append(join([*head, shown]))
    return found


def _has_thresholds(strategy: Strategy, each: Table) -> bool:
    """Whether thresholds tell most of a table: there are two sides, and most columns that matter have a single threshold."""
    lines = [line for line in each.lines if line.played] or list(each.lines)
    odd = sum(line in each.exceptions for line in lines)
    return strategy.below != strategy.above and 2 * odd <= len(lines)


def _plain(strategy: Strategy, each: Table) -> Iterator[Html]:
    """The best option of every cell, without thresholds."""
    if each.grid:
        yield from (_legend(strategy, each.grid), _grid(strategy, each.grid))
        return
    names = joined([feature.name for feature in (*strategy.across, strategy.down) if feature is not None])
    yield tag("p", f"Over {names} there are no thresholds, and the whole table is too large for a page. ", *_ADVISE)


# --- what a table is for, if the strategy is split


def _where(strategy: Strategy, each: Table) -> str:
    """Seat 1, or: seat 2, nobody is out. What makes no difference to the table is left out."""
    kept, rows = _distinct([where for table in strategy.tables for where in table.where], each.where)
    features = sorted(
        ((strategy.split[k], place) for place, k in enumerate(kept)), key=lambda pair: pair[0].kind != "mover"
    )
    told = [", ".join(_is(feature, row[place]) for feature, place in features) for row in rows]
    return capital(joined(told, "or"))


def _distinct(
    everything: Sequence[tuple[str, ...]], mine: Sequence[tuple[str, ...]]
) -> tuple[list[int], list[tuple[str, ...]]]:
    """The places of a key that tell ``mine`` from the rest of ``everything``, and mine with these alone."""
    kept = list(range(len(mine[0])))
    for place in range(len(mine[0])):
        rest = [k for k in kept if k != place]
        inside, outside = (
            {tuple(key[k] for k in rest) for key in keys} for keys in (mine, set(everything) - set(mine))
        )
        if not inside & outside:
            kept = rest
    return kept, list(dict.fromkeys(tuple(key[k] for k in kept) for key in mine))


def _is(feature: Feature, value: str) -> str:
    """A feature and its value, as a condition."""
    if feature.kind == "mover":
        return f"seat {value}"
    if feature.kind == "out":
        return f"{value} {'are' if value == 'you' or ' and ' in value else 'is'} out"
    return f"{feature.name} is {value}"


# --- thresholds over one variable


def _thresholds(strategy: Strategy, each: Table) -> Html:
    down, above, below = strategy.down, strategy.options[strategy.above], strategy.options[strategy.below]
    assert down is not None
    if not strategy.across:
        lines = [_says(strategy, segment) for segment in each.segments]
        return join([tag("p", line, cls="od-line") for line in lines]) if lines else esc("")
    across = strategy.across[0]
    caption = f"{above} at this {_ownerless(down.name)} or more; below it {below}."
    head = [column(across.name), column(f"{above} at {down.name}")]
    rows = [
        [row(span(segment.first, segment.last)), cell(_threshold(strategy, segment), cls=None if segment.played else "od-pale")]
        for segment in each.segments
    ]  # fmt: skip
    return table(caption, head, rows, cls="od-thresholds")


def _about(strategy: Strategy) -> str:
    features = [f for f in (*strategy.split, *strategy.across, strategy.down) if f is not None and f.about]
    return " ".join(f"{capital(f.name)}: {sentence(f.about)}" for f in features)


def _threshold(strategy: Strategy, segment: Segment) -> str:
    if segment.threshold is not None:
        return f"{segment.threshold} or more"
    return "always" if segment.always == strategy.above else "never"


def _says(strategy: Strategy, segment: Segment) -> str:
    down, above, below = strategy.down, strategy.options[strategy.above], strategy.options[strategy.below]
    assert down is not None
    if segment.threshold is not None:
        return f"{above} when {down.name} is {segment.threshold} or more; below that {below}."
    return f"Always {strategy.options[segment.always or 0]}."


def _exceptions(strategy: Strategy, each: Table) -> Html:
    down = strategy.down
    assert down is not None
    good = sum(line.played for line in each.exceptions)
    words = f"In {len(each.exceptions)} of {len(each.lines)} columns there is no single threshold"
    words += f"; good play comes to {good} of them." if good else "; good play comes to none of them."
    items = [tag("li", _line_words(strategy, line)) for line in each.exceptions[:SHOWN]]
    more = len(each.exceptions) - SHOWN
    if more > 0:
        items.append(tag("li", f"and {more} more"))
    return tag("details", tag("summary", words), tag("ul", *items), cls="od-more")


def _line_words(strategy: Strategy, line: Line) -> str:
    at = ", ".join(f"{f.name} {value}" for f, value in zip(strategy.across, line.at, strict=True))
    runs = ", ".join(f"{_option(strategy, run.option)} at {span(run.first, run.last)}" for run in line.runs)
    return f"{at}: {runs}" if at else runs


def _option(strategy: Strategy, option: int) -> str:
    return "it depends on more" if option == VARIES else strategy.options[option]


def _ownerless(name: str) -> str:
    """A thing after which its owner comes, if anywhere: `your sack` as sack, else the sack of the other player."""
    owner, mark, thing = name.partition("'s ")
    return f"{thing} of {owner}" if mark else name.removeprefix("your ")


# --- thresholds over two variables


def _binned(strategy: Strategy, each: Table) -> Html:
    """Thresholds over two variables, in bins: from the lowest to the highest of each bin."""
    down = strategy.down
    assert down is not None
    across, second = strategy.across
    lines = [line for line in each.lines if line not in each.exceptions]
    tops = [max(line.at[k] for line in each.lines) for k in (0, 1)]
    lows = [min(line.at[k] for line in each.lines) for k in (0, 1)]
    width = [max(1, ceil((top - low + 1) / BINS)) for low, top in zip(lows, tops, strict=True)]

    def place(line: Line) -> tuple[int, int]:
        return (line.at[1] - lows[1]) // width[1], (line.at[0] - lows[0]) // width[0]

    starred = {place(line) for line in each.exceptions}
    cells: dict[tuple[int, int], list[Line]] = {}
    for line in lines:
        cells.setdefault(place(line), []).append(line)
    columns = sorted({k for _, k in {*cells, *starred}})
    head = [column(f"{second.name} / {across.name}"), *(column(_bin(lows[0], width[0], k, tops[0])) for k in columns)]
    rows = []
    for r in sorted({k for k, _ in {*cells, *starred}}):
        made = [_bin_cell(strategy, cells.get((r, k), []), "*" * ((r, k) in starred)) for k in columns]
        rows.append([row(_bin(lows[1], width[1], r, tops[1])), *made])
    above, below = strategy.options[strategy.above], strategy.options[strategy.below]
    words = f"{above} at this {_ownerless(down.name)} or more; below it {below}. "
    words += "Two numbers: the lowest and the highest threshold within the cell. Pale: good play never comes there."
    words += " A star: some of it has no single threshold." if starred else ""
    return table(words, head, rows)


def _bin(low: int, width: int, number: int, top: int) -> str:
    first = low + number * width
    return span(first, min(first + width - 1, top))


def _bin_cell(strategy: Strategy, lines: list[Line], star: str) -> Html:
    good = [line for line in lines if line.played]
    pale = None if good else "od-pale"
    found = [bounds(line, strategy.below, strategy.above) for line in (good or lines)]
    if not found:
        return cell(star)
    numbers = [int(high) for low, high in found if high < float("inf") and low > -float("inf")]
    if numbers:
        low, high = min(numbers), max(numbers)
        return cell((str(low) if low == high else f"{low}–{high}") + star, cls=pale)
    return cell(("always" if found[0][0] == -float("inf") else "never") + star, cls=pale)


# --- the whole table


def marks(options: Sequence[str]) -> tuple[str, ...]:
    """A mark for each option: the first letter of its name where no other begins so, else what tells it from the others."""
    tried = [_marks(option) or [str(number)] for number, option in enumerate(options, 1)]
    firsts = [mine[0] for mine in tried]
    found: list[str] = []
    for number, mine in enumerate(tried):
        others = {mark for other, theirs in enumerate(tried) if other != number for mark in theirs}
        own = mine[:1] if firsts.count(mine[0]) == 1 else [mark for mark in mine if mark not in others]
        free = [mark for mark in mine if mark not in found]
        found.append((own or free or [str(number + 1)])[0])
    return tuple(found)


def _marks(option: str) -> list[str]:
    """What an option may be called: the initials of its words, then its first two and three letters."""
    words = re.findall(r"[^\W_]+", option)
    return [*(word[0].upper() for word in words), *(words[0][:size].capitalize() for size in (2, 3) if words)]


def _legend(strategy: Strategy, grid: Grid) -> Html:
    """The key of a table, with just what is in it."""
    found = marks(strategy.options)
    used = {option for option, _ in grid.cells.values()}
    items = [
        tag("li", tag("span", mark, cls=f"od-a{number % 4}"), Html(" "), esc(name))
        for number, (mark, name) in enumerate(zip(found, strategy.options, strict=True)) if number in used
    ]  # fmt: skip
    if VARIES in used:
        items.append(tag("li", tag("span", "*"), Html(" "), "depends on more than the table shows"))
    if not all(played for _, played in grid.cells.values()):
        items.append(tag("li", tag("span", "pale", cls="od-pale"), Html(" "), "good play never comes there"))
    return tag("ul", *items, cls="od-legend")


def _grid(strategy: Strategy, grid: Grid) -> Html:
    down = strategy.down
    assert down is not None
    known = marks(strategy.options)
    across = strategy.across[0].name if strategy.across else ""
    caption = f"What to do at each {_ownerless(down.name)}" + (f" (down) and {across} (across)" if across else "") + "."
    head = [column(f"{down.name} / {across}" if across else down.name)]
    head += [column(span(*columns) if across else "best") for columns in grid.columns]
    rows = []
    for number, values in enumerate(grid.rows):
        made = [row(span(*values))]
        for place in range(len(grid.columns)):
            found = grid.cells.get((number, place))
            if found is None:
                made.append(cell(""))
                continue
            option, played = found
            pale = "" if played else "od-pale"
            if option == VARIES:
                made.append(cell("*", cls=pale or None))
            else:
                made.append(cell(known[option], cls=f"od-a{option % 4} {pale}".strip()))
        rows.append(made)
    return table(caption, head, rows)


def _cases(strategy: Strategy) -> Html:
    head = [*(column(feature.name) for feature in strategy.needed), column("best")]
    rows = []
    for values, option in strategy.cases:
        made = [row(values[0]), *(cell(value) for value in values[1:])] if values else []
        rows.append([*made, cell(strategy.options[option], cls="od-text")])
    return table("What to do, wherever good play comes.", head, rows)
