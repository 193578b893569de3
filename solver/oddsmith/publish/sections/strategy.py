"""The strategy of a game on its page: thresholds first, the whole table on demand, what is too large as a download."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from oddsmith.publish.charts import boundary, by_standing, by_threshold
from oddsmith.publish.markup import Html, cell, column, esc, join, row, span, table, tag
from oddsmith.publish.sections.twoway import BINS, binned, by_two, ownerless
from oddsmith.report.answers import Answer
from oddsmith.report.english import capital, joined, plain_name, sentence
from oddsmith.report.strategy import VARIES, Feature, Grid, Line, NumberRule, Segment, Strategy, Table

NAMED = 6  # things that a sentence lists
SHOWN = 12  # exceptions that are listed


def strategy_html(answer: Answer) -> Html:
    """Every phase with something to decide."""
    if not answer.strategies:
        return tag("p", "There is nothing to decide: the dice do everything.")
    many = len(answer.strategies) > 1
    rules = {rule.phase: rule for rule in answer.ladder.rules}
    parts = [_phase(strategy, many, rules.get(strategy.decisions.phase)) for strategy in answer.strategies]
    mixed = len(answer.solution.mixtures) if answer.solution else 0
    if mixed:
        words = "one position" if mixed == 1 else f"{mixed} positions"
        text = f"In {words} best play decides by chance between two actions. The table names one of them."
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
    return "no single number says what to do" if answer.strategies else "nothing to decide"


def _phase(strategy: Strategy, many: bool, rule: NumberRule | None) -> Html:
    parts: list[Html] = []
    name = plain_name(strategy.decisions.phase)
    if many:
        parts.append(tag("h4", capital(name)))
    if strategy.constant is not None:
        parts.append(tag("p", f"Always {strategy.options[strategy.constant]}, at every choice that best play meets."))
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
    return tag("p", f"What to do here depends on {shown}, which is too much for a table. ", *_ADVISE)


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
        yield binned(strategy, each)
        drawn = by_threshold(strategy, each)
        yield from [drawn] if drawn else []
    else:
        drawn = boundary(strategy, each, rule)
        shown = _thresholds(strategy, each)
        yield tag("div", shown, drawn, cls="od-pair") if drawn else shown
        yield from _never_met(strategy, each)
        if each.grid:
            whole = [_legend(strategy, each.grid), _grid(strategy, each.grid)]
            yield tag("details", tag("summary", "The whole table"), *whole, cls="od-more")
    if each.exceptions:
        yield _exceptions(strategy, each)


def brief(strategy: Strategy) -> list[Html]:
    """How to choose in a phase, at its shortest: a line, or tables without chart and without what is folded away."""
    if strategy.constant is not None or (strategy.down is None):
        return [_phase(strategy, False, None)]
    parts = []
    for each in strategy.tables:
        where = _where(strategy, each)
        head = [tag("p", tag("strong", where), cls="od-where")] if where else []
        if not _has_thresholds(strategy, each):
            parts.append(join([*head, *_plain(strategy, each)]))
        else:
            shown = binned(strategy, each) if len(strategy.across) > 1 else _thresholds(strategy, each)
            notes = list(_never_met(strategy, each))
            if each.exceptions:
                notes.append(
                    tag(
                        "p",
                        "What is missing here has no single threshold: the game’s page has it.",
                        cls="od-note",
                    )
                )
            parts.append(join([*head, shown, *notes]))
    return parts


def _has_thresholds(strategy: Strategy, each: Table) -> bool:
    """Whether thresholds say most of a table: it has two sides, and most columns that matter have a single threshold."""
    lines = [line for line in each.lines if line.played] or list(each.lines)
    odd = sum(line in each.exceptions for line in lines)
    return strategy.below != strategy.above and 2 * odd <= len(lines)


def _plain(strategy: Strategy, each: Table) -> Iterator[Html]:
    """The best option of every cell, without thresholds."""
    if each.grid:
        yield from (_legend(strategy, each.grid), _grid(strategy, each.grid))
        return
    if len(strategy.across) == 2:
        known = marks(strategy.options)
        used = {run.option for line in each.lines for run in line.runs if run.played}
        yield from (_key(strategy, known, used), by_two(strategy, each, known))
        return
    names = joined([feature.name for feature in (*strategy.across, strategy.down) if feature is not None])
    yield tag("p", f"There are no thresholds over {names}, and the whole table is too large for a page. ", *_ADVISE)


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
    caption = f"{above} at this {ownerless(down.name)} or more; below it {below}."
    head = [column(across.name), column(f"{above} at {down.name}")]
    rows = [
        [
            row(span(segment.first, segment.last)),
            cell(_threshold(strategy, segment), cls=None if segment.played else "od-pale"),
        ]
        for segment in each.segments
    ]
    return table(caption, head, rows, cls="od-thresholds")


def _never_met(strategy: Strategy, each: Table) -> Iterator[Html]:
    """What the paler rows of a table mean, where it has any."""
    if len(strategy.across) == 1 and not all(segment.played for segment in each.segments):
        yield tag("p", "Best play never reaches the paler rows, in slanted type.", cls="od-note")


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
        return f"{above} when {down.name} {down.verb} {segment.threshold} or more; below that {below}."
    return f"Always {strategy.options[segment.always or 0]}."


def _exceptions(strategy: Strategy, each: Table) -> Html:
    down = strategy.down
    assert down is not None
    good = sum(line.played for line in each.exceptions)
    words = f"{len(each.exceptions)} of {len(each.lines)} columns have no single threshold. "
    words += f"Best play reaches {good or 'none'} of them."
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


# --- the whole table


def marks(options: Sequence[str]) -> tuple[str, ...]:
    """A mark for each option: the first letter of its name where no other begins so, else what tells it from the others."""
    tried = [_marks(option) or [str(number)] for number, option in enumerate(options, 1)]
    firsts = [mine[0] for mine in tried]
    chosen: list[str] = []
    for number, mine in enumerate(tried):
        others = {mark for other, theirs in enumerate(tried) if other != number for mark in theirs}
        own = mine[:1] if firsts.count(mine[0]) == 1 else [mark for mark in mine if mark not in others]
        free = [mark for mark in mine if mark not in chosen]
        chosen.append((own or free or [str(number + 1)])[0])
    return tuple(chosen)


def _marks(option: str) -> list[str]:
    """What an option may be called: the initials of its words, then its first two and three letters."""
    words = re.findall(r"[^\W_]+", option)
    return [*(word[0].upper() for word in words), *(words[0][:size].capitalize() for size in (2, 3) if words)]


def _legend(strategy: Strategy, grid: Grid) -> Html:
    """The key of a grid, with just what is in it."""
    used = {option for option, _ in grid.cells.values()}
    return _key(strategy, marks(strategy.options), used, not all(played for _, played in grid.cells.values()))


def _key(strategy: Strategy, known: Sequence[str], used: set[int], pale: bool = False) -> Html:
    """What the marks of a table stand for."""
    items = [
        tag("li", tag("span", mark, cls=f"od-a{number % 4}"), Html(" "), esc(name))
        for number, (mark, name) in enumerate(zip(known, strategy.options, strict=True))
        if number in used
    ]
    if VARIES in used:
        items.append(tag("li", tag("span", "*"), Html(" "), "it depends on more than the table shows"))
    if pale:
        items.append(tag("li", tag("span", "pale", cls="od-pale"), Html(" "), "best play never gets there"))
    return tag("ul", *items, cls="od-legend")


def _grid(strategy: Strategy, grid: Grid) -> Html:
    down = strategy.down
    assert down is not None
    known = marks(strategy.options)
    across = strategy.across[0].name if strategy.across else ""
    caption = f"What to do at each {ownerless(down.name)}" + (f" (down) and {across} (across)" if across else "") + "."
    head = [column(f"{down.name} / {across}" if across else down.name)]
    head += [column(span(*columns) if across else "best") for columns in grid.columns]
    rows = []
    for number, values in enumerate(grid.rows):
        line = [row(span(*values))]
        for place in range(len(grid.columns)):
            best = grid.cells.get((number, place))
            if best is None:
                line.append(cell(""))
                continue
            option, played = best
            pale = "" if played else "od-pale"
            if option == VARIES:
                line.append(cell("*", cls=pale or None))
            else:
                line.append(cell(known[option], cls=f"od-a{option % 4} {pale}".strip()))
        rows.append(line)
    return table(caption, head, rows)


def _cases(strategy: Strategy) -> Html:
    head = [*(column(feature.name) for feature in strategy.needed), column("best")]
    rows = []
    for values, option in strategy.cases:
        made = [row(values[0]), *(cell(value) for value in values[1:])] if values else []
        rows.append([*made, cell(strategy.options[option], cls="od-text")])
    return table("What to do in every position that best play reaches.", head, rows)
