"""Values along a variable, as lines that differ in their dashes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes

from oddsmith.publish.charts.drawing import PAGE, Drawing, Size, folded, shown
from oddsmith.publish.markup import Html, amount, bare, cell, column, loss, row
from oddsmith.report.answers import Answer
from oddsmith.report.strategy import Strategy, Table, held

LEAST = 4  # points of a line


@dataclass(frozen=True)
class Series:
    """A line with its name for the key."""

    name: str
    across: Sequence[float]
    up: Sequence[float]


def lined(
    series: Sequence[Series],
    across: str,
    up: str,
    finding: str,
    mark: tuple[float, float] | None = None,
    names: Sequence[str] | None = None,
) -> Drawing:
    """Lines over a variable. ``mark``: a point of them that stands out.

    ``names``: what 0, 1, ... across stand for; then they are points, because nothing lies between names.
    """

    def plot(axes: Axes) -> None:
        for number, each in enumerate(series):
            (line,) = axes.plot(each.across, each.up, gid=f"od-l{number % 4}")
            if names is not None:
                line.set(marker="o", linestyle="none")
        axes.margins(0.02, 0.06)
        if names is not None:
            axes.set_xticks(range(len(names)), names)
        if mark is not None:
            axes.plot([mark[0]] * 2, [mark[1]] * 2, gid="od-dot")  # a line without length, with round ends

    return Drawing(plot, across, up, finding, [(f"od-l{number % 4}", each.name) for number, each in enumerate(series)])


def by_number(answer: Answer, size: Size = PAGE) -> Html | None:
    """What the single-number rules around the best one bring, each played against others who play best."""
    rule, best, top = answer.ladder.rule, answer.ladder.rung("number"), answer.ladder.rung("solution")
    if not (rule and best and best.alone and best.loss and top and top.alone):
        return None
    if rule.always or len(rule.worths) < LEAST:
        return None
    scale = answer.unit.scale
    numbers = list(range(rule.tried[0], rule.tried[1] + 1))
    mine = Series("single-number rules", numbers, [scale * worth for worth in rule.worths])
    ideal = Series("best play", [numbers[0], numbers[-1]], [scale * float(top.alone)] * 2)
    words = f"{rule.above} at {rule.from_there} brings {amount(answer.unit, best.alone)}, and no number from "
    words += f"{numbers[0]} to {numbers[-1]} does better. Best play brings {amount(answer.unit, top.alone)}; the rule "
    words += f"costs {loss(answer.unit, best.loss)}."
    up = answer.unit.axis
    mark = (rule.number, scale * rule.worths[rule.number - numbers[0]])
    return shown(lined([mine, ideal], f"{rule.feature.name}: {rule.above} from here on", up, words, mark), size)


def risk_by_number(answer: Answer) -> Html | None:
    """The first chance that the ruleset asks for, by the number of the rule that everybody plays by: what boldness risks."""
    numbers = answer.numbers
    asked = next((name for name in (numbers.answers if numbers else {}) if name in answer.facts.chances), None)
    if numbers is None or asked is None or len(numbers.numbers) < LEAST:
        return None
    rule, chances = numbers.rule, numbers.answers[asked]
    best = chances[numbers.numbers.index(rule.number)]
    words = f"{asked}, when everybody plays by the number: {best.percent(2)} at {rule.number}, the best number, "
    words += (
        f"but {chances[0].percent(2)} at {numbers.numbers[0]} and {chances[-1].percent(2)} at {numbers.numbers[-1]}."
    )
    series = Series(asked, numbers.numbers, [100 * float(chance) for chance in chances])
    mark = (rule.number, 100 * float(best))
    return shown(lined([series], f"{rule.feature.name}: {rule.above} from here on", "chance (%)", words, mark))


def by_threshold(strategy: Strategy, each: Table, size: Size = PAGE) -> Html | None:
    """The threshold over two more variables: a line along the first for a few values of the second."""
    drawing = of_thresholds(strategy, each)
    return None if drawing is None else shown(drawing, size)


def of_thresholds(strategy: Strategy, each: Table) -> Drawing | None:
    """The same to be drawn anywhere; None where there are too few thresholds, or where all are the same."""
    if len(strategy.across) != 2:
        return None
    first, second = strategy.across
    thresholds: dict[int, dict[int, int]] = {}
    for (one, other), threshold in strategy.thresholds(each).items():
        thresholds.setdefault(other, {})[one] = threshold
    long = [value for value in sorted(thresholds) if len(thresholds[value]) >= LEAST]
    if len(long) < 2 or strategy.down is None:
        return None
    if len(set(strategy.thresholds(each).values())) == 1:  # a sentence says it
        return None
    shown = list(dict.fromkeys((long[0], long[len(long) // 2], long[-1])))
    series = [
        Series(f"{second.name} {value}", *zip(*sorted(thresholds[value].items()), strict=True)) for value in shown
    ]
    told = [f"from {min(each.up):g} to {max(each.up):g} where {each.name}" for each in series]
    above = strategy.options[strategy.above]
    words = (
        f"The least {strategy.down.name} to {above}, by {first.name}: {'; '.join(told)}. Shown where best play gets "
    )
    words += "and there is a single threshold."
    return lined(series, first.name, f"least {strategy.down.name} to {above}", words)


def by_standing(answer: Answer) -> Html | None:
    """For two players: what the start of a turn is worth by what each has, where one number each says that."""
    known = answer.standing
    if known is None:
        return None
    scale = answer.unit.scale
    yours, names = known.yours, [f"{known.theirs} {other}" for other, _ in known.lines]
    lines = [dict(points) for _, points in known.lines]
    series = [
        Series(name, list(line), [scale * float(value) for value in line.values()])
        for name, line in zip(names, lines, strict=True)
    ]
    told = [
        f"where {held(known.theirs, 'number', str(other))}, from {amount(answer.unit, points[0][1])} at {points[0][0]} to "
        f"{amount(answer.unit, points[-1][1])} at {points[-1][0]}"
        for other, points in known.lines
    ]
    words = f"What the start of your turn is worth by {yours}: {'; '.join(told)}."
    head, up = [column(text) for text in (yours, *names)], answer.unit.axis
    rows = [
        [row(str(own)), *(cell(bare(answer.unit, each[own]) if own in each else "") for each in lines)]
        for own in sorted({own for each in lines for own in each})
    ]
    numbers = folded(f"What the start of your turn is worth, by {yours}.", head, rows)
    return shown(lined(series, yours, up, words), numbers=numbers)
