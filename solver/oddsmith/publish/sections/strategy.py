"""The strategy of a game on its page: thresholds first, the whole table on demand, what is too large as a download."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, zip_longest

from oddsmith.publish.charts import (
    Size,
    Touched,
    boundary,
    by_share,
    by_standing,
    by_threshold,
    cells_file,
    is_drawn,
    multiples,
    sliced,
    slides,
    slides_file,
)
from oddsmith.publish.markup import Html, cell, column, esc, join, loss, row, span, table, tag
from oddsmith.publish.sections.twoway import BINS, binned, by_two, from_there_on, key, legend, marks, whole
from oddsmith.report.answers import Answer
from oddsmith.report.english import capital, joined, plain_name, sentence
from oddsmith.report.lists import DecisionList
from oddsmith.report.strategy import VARIES, Feature, Line, NumberRule, Segment, Strategy, Table

NAMED = 6  # things that a sentence lists
SHOWN = 12  # exceptions that are listed
NONE = "no single threshold"


def strategy_html(answer: Answer, touched: bool = False) -> Html:
    """Every phase with something to decide; the tables of the decision that matters most are open. ``touched``: with maps that
    can be touched, for which ``maps`` has the cells.
    """
    if not answer.strategies:
        return tag("p", "There is nothing to decide: the dice do everything.")
    many, first = len(answer.strategies) > 1, _by_weight(answer)[0]
    rules = {rule.phase: rule for rule in answer.ladder.rules}
    parts = []
    for strategy in answer.strategies:
        phase, shown = strategy.phase, strategy is first or not strategy.tables
        told = _touched(answer, strategy) if touched else ()
        short = answer.lists.of(phase) if answer.lists else None
        lists = [_in_short(answer, short)] if short else []
        made = _phase(strategy, many and shown, rules.get(phase), told, lists, strategy is first)
        parts.append(made if shown else _folded(capital(plain_name(phase)), made))
    mixed = answer.result.mixed if answer.result else 0
    if mixed:
        words = "one position" if mixed == 1 else f"{mixed} positions"
        text = f"In {words} best play decides by chance between two actions. The table names one of them."
        parts.append(tag("p", text, cls="od-note"))
    standing = by_standing(answer)
    if standing and "od-chart" in join(parts):  # one picture is open
        standing = _folded("What the start of your turn is worth", standing)
    return join([*parts, standing] if standing else parts, "\n")


def _folded(name: str, *parts: Html) -> Html:
    """What is folded on a screen, but not on paper. Tables that can be folded themselves begin a line."""
    return tag("details", tag("summary", name), *parts, cls="od-rest")


def _in_short(answer: Answer, short: DecisionList) -> Html:
    """The list of a decision that no single number tells, with what it costs."""
    costs = f"costs {loss(answer.unit, short.loss, 4)}" if short.loss else "may never end the game"
    if short.poor or short.loss is None:
        return tag("p", sentence(short.told(costs)), cls="od-note")
    note = f"({short.loss.grade}). The first line that holds counts; skip a line whose option is not possible."
    if summary(answer) == short.words and not answer.game.ruleset.remember:  # the line above says it
        return tag("p", f"Playing by this line {costs} {note}")
    return tag("p", tag("strong", "In short: "), f"{sentence(short.words)} This {costs} {note}")


def _one_threshold(strategy: Strategy, each: Table) -> Iterator[Html]:
    """The threshold in words, where it is the same wherever best play gets."""
    found = set(strategy.thresholds(each).values())
    if len(found) == 1 and strategy.down is not None:
        above, name = strategy.options[strategy.above], strategy.down.name
        words = f"Wherever best play gets and there is a single threshold, it is the same: {above} when {name} "
        yield tag("p", f"{words}{strategy.down.verb} {found.pop()} or more.")


def maps(answer: Answer) -> dict[str, bytes]:
    """What scripts fetch of the maps of an answer, by name below the game's folder: their cells, or those for other values."""
    found = {}
    for strategy in answer.strategies:
        if strategy.constant is None:
            for each, told in zip(strategy.tables, _touched(answer, strategy), strict=True):
                seen = strategy.seen_in(each)
                many = sliced(seen, each)
                if is_drawn(seen, each) and _has_thresholds(seen, each):
                    found[told.cells] = cells_file(seen, each, told)
                elif many and many.slides:
                    found[told.cells] = slides_file(many)
    return found


def _touched(answer: Answer, strategy: Strategy) -> list[Touched]:
    """What the picture of each table needs to be touched."""
    name = f"maps/{answer.slug}-{strategy.phase}"
    return [
        Touched(f"{name}-{number}.json", spots, answer.unit) for number, spots in enumerate(answer.maps[strategy.phase])
    ]


def _by_weight(answer: Answer) -> list[Strategy]:
    """The decision of the rule to remember first, then those that play meets most."""
    rule = answer.ladder.rule

    def weight(strategy: Strategy) -> tuple[bool, int]:
        main = rule is not None and rule.phase == strategy.phase
        return not main, -strategy.met

    return sorted(answer.strategies, key=weight)


def strategy_picture(answer: Answer, size: Size) -> Html | None:
    """The picture of the decision that matters most, with what it holds for; None where no decision has one."""
    for strategy in _by_weight(answer):
        for each in strategy.tables:
            seen = strategy.seen_in(each)
            drawn = boundary(seen, each, answer.ladder.rule, size) or by_threshold(seen, each, size)
            if drawn and _has_thresholds(seen, each):
                where = capital(seen.where(each))
                return join([tag("p", where, cls="od-where"), drawn]) if where else drawn
    return None


def summary(answer: Answer) -> str:
    """The strategy of an answer in a line."""
    rule = answer.ladder.rule
    short = best_list(answer)
    if short and not rule:
        return short.words
    if rule:
        return f"{rule.words}, as a short rule" if rule.always else rule.words
    fixed = [strategy.options[strategy.constant] for strategy in answer.strategies if strategy.constant is not None]
    if fixed and len(fixed) == len(answer.strategies):
        return f"always {joined(fixed)}"
    return "no single number says what to do" if answer.strategies else "nothing to decide"


def best_list(answer: Answer) -> DecisionList | None:
    """The short list of the decision that matters most and has one that is worth telling."""
    lists = answer.lists if answer.main and answer.strategies else None
    found = [lists.of(each.phase) for each in _by_weight(answer)] if lists else []
    return next((each for each in found if each and not each.poor and each.loss), None)


def _phase(
    strategy: Strategy,
    many: bool,
    rule: NumberRule | None,
    touched: Sequence[Touched] = (),
    short: Sequence[Html] = (),
    first: bool = True,
) -> Html:
    """A decision. ``first``: with its pictures open, for it matters most."""
    parts: list[Html] = []
    name = plain_name(strategy.phase)
    if many:
        parts.append(tag("h4", capital(name)))
    parts += short
    if strategy.constant is not None:
        always = f"Always {strategy.options[strategy.constant]}, at every choice that best play meets."
        parts += [] if short else [tag("p", always)]  # a list says which of its kinds
    elif strategy.down is not None:
        if _about(strategy):
            parts.append(tag("p", _about(strategy), cls="od-about"))
        for each, told in zip_longest(strategy.tables, touched):
            seen = strategy.seen_in(each)
            where, made = capital(seen.where(each)), list(_table(seen, each, rule, told))
            if each is strategy.tables[0]:
                parts += [*([tag("p", tag("strong", where), cls="od-where")] if where else []), *made]
            else:
                parts.append(_folded(where, *made))
    elif strategy.cases:
        parts.append(_cases(strategy))
    else:
        parts.append(_too_much(strategy))
    if strategy.constant is None and not strategy.has_thresholds and "od-chart" not in join(parts):
        drawn = by_share(strategy)
        parts += [drawn if first else _folded("What best play takes, and how often", drawn)] if drawn else []
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
        return (
            "who is out"
            if feature.kind == "out"
            else "the side"
            if feature.kind == "side"
            else "the seat"
            if feature.kind == "mover"
            else feature.name
        )
    names = [other.name.split() for other in kin]
    same = [word for word in names[0] if all(word in name for name in names)]
    rest = [" ".join(word for word in name if word not in same) for name in names]
    if not same:
        return feature.name
    members = joined(rest) if not any(" " in each for each in rest) and len(rest) <= BINS else f"{len(rest)} of them"
    return f"{' '.join(same)} ({members})"


def _family(feature: Feature) -> str:
    return feature.key.partition("[")[0]


def _table(strategy: Strategy, each: Table, rule: NumberRule | None, touched: Touched | None) -> Iterator[Html]:
    if not _has_thresholds(strategy, each):
        yield from _plain(strategy, each)
        yield from _by_third(strategy, each, touched)
        return
    if len(strategy.across) > 1:
        maps, shown = list(_by_third(strategy, each, touched)), binned(strategy, each)
        yield from [*maps, _folded("The thresholds as a table", shown)] if maps else [shown, *_by_few(strategy, each)]
    else:
        drawn = boundary(strategy, each, rule, touched=touched)
        shown = _thresholds(strategy, each)
        yield tag("div", shown, drawn, cls="od-pair") if drawn else shown
        yield from _never_met(strategy, each)
        if each.grid:
            grid = [legend(strategy, each.grid), whole(strategy, each.grid)]
            yield tag("details", tag("summary", "The whole table"), *grid, cls="od-more")
    if each.exceptions:
        yield _exceptions(strategy, each)


def _by_third(strategy: Strategy, each: Table, touched: Touched | None) -> Iterator[Html]:
    """Maps for the values of a third variable, where there is one; ``touched``: a large one to slide through them first."""
    found = sliced(strategy, each)
    if found is not None and touched and found.slides:
        yield slides(found, touched.cells)
        yield _folded("Some of these maps side by side", multiples(found))
    elif found is not None:
        yield multiples(found)


def _by_few(strategy: Strategy, each: Table) -> Iterator[Html]:
    """Thresholds over two variables where no map can be drawn: as lines, or in words."""
    drawn = by_threshold(strategy, each)
    yield from [drawn] if drawn else _one_threshold(strategy, each)


def brief(strategy: Strategy) -> list[Html]:
    """How to choose in a phase, at its shortest: a line, or tables without chart and without what is folded away."""
    if strategy.constant is not None or (strategy.down is None):
        return [_phase(strategy, False, None)]
    parts = []
    for each in strategy.tables:
        seen = strategy.seen_in(each)
        where = capital(seen.where(each))
        head = [tag("p", tag("strong", where), cls="od-where")] if where else []
        if not _has_thresholds(seen, each):
            parts.append(join([*head, *_plain(seen, each)]))
        else:
            shown = binned(seen, each) if len(seen.across) > 1 else _thresholds(seen, each)
            notes = list(_never_met(seen, each))
            if each.exceptions:
                notes.append(
                    tag(
                        "p",
                        "Where there is no single threshold, the game’s page says what to do.",
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
        yield from (legend(strategy, each.grid), whole(strategy, each.grid))
        return
    if len(strategy.across) == 2:
        known = marks(strategy.options)
        used = {run.option for line in each.lines for run in line.runs if run.played}
        yield from (key(strategy, known, used), by_two(strategy, each, known))
        return
    names = joined([feature.name for feature in (*strategy.across, strategy.down) if feature is not None])
    yield tag("p", f"There are no thresholds over {names}, and the whole table is too large for a page. ", *_ADVISE)


# --- thresholds over one variable


def _thresholds(strategy: Strategy, each: Table) -> Html:
    down, above = strategy.down, strategy.options[strategy.above]
    assert down is not None
    if not strategy.across:
        lines = [_says(strategy, segment) for segment in each.segments]
        return join([tag("p", line, cls="od-line") for line in lines]) if lines else esc("")
    across = strategy.across[0]
    head = [column(across.name), column(f"{above} at" if down.verb == "are" else f"{above} at {down.name}")]
    told = [(part.first, part.last, _threshold(strategy, part), part.played) for part in each.segments]
    told += [(first, last, NONE, played) for first, last, played in _without(each)]
    rows = [
        [row(span(first, last)), cell(words, cls=None if played else "od-pale")]
        for first, last, words, played in sorted(told)
    ]
    return table(from_there_on(strategy), head, rows, cls="od-thresholds")


def _without(each: Table) -> Iterator[tuple[int, int, bool]]:
    """Columns in a row without a single threshold, from the first to the last; whether best play gets there."""
    kept = sorted([(line.at[0], line.played, line in each.exceptions) for line in each.lines])
    for (odd, played), group in groupby(kept, key=lambda one: (one[2], one[1])):
        columns = [at for at, _, _ in group]
        if odd:
            yield columns[0], columns[-1], played


def _never_met(strategy: Strategy, each: Table) -> Iterator[Html]:
    """What the paler rows of a table mean, where it has any."""
    if len(strategy.across) == 1 and not all(segment.played for segment in each.segments):
        yield tag("p", "Best play never reaches the paler rows, in slanted type.", cls="od-note")


def _about(strategy: Strategy) -> str:
    """What the variables of a table are, whoever has them, and each once."""
    features = [f for f in (*strategy.split, *strategy.across, strategy.down) if f is not None and f.about]
    told = {f.about: f.name.rpartition("'s ")[2].removeprefix("your ") for f in features}
    return " ".join(f"{capital(name)}: {sentence(about)}" for about, name in told.items())


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


# --- a list of positions


def _cases(strategy: Strategy) -> Html:
    head = [*(column(feature.name) for feature in strategy.needed), column("best")]
    rows = []
    for values, option in strategy.cases:
        made = [row(values[0]), *(cell(value) for value in values[1:])] if values else []
        rows.append([*made, cell(strategy.options[option], cls="od-text")])
    return table("What to do in every position that best play reaches.", head, rows)
