"""Line charts of values over a variable, with lines that differ in their dashes.

Bar charts of the risk of another roll: the chance that a turn is lost, by the number of rolls and by the variable on
which the risk depends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

from matplotlib.axes import Axes

from oddsmith.publish.charts.drawing import PAGE, Drawing, Size, chart_html, figure_element, folded_table, svg_of_plot
from oddsmith.publish.markup.html import Html, cell, column_header, row_header
from oddsmith.publish.markup.numbers import amount_text, amount_text_without_unit, loss_text_with_unit, percent_text
from oddsmith.report.answers import Answer
from oddsmith.report.facts import RollOnRisk
from oddsmith.report.policy import Strategy, ThresholdTable, value_clause

MIN_POINTS = 4  # points of a line


@dataclass(frozen=True)
class Series:
    """A line of a chart. ``name``: its name in the key. ``x_values``, ``y_values``: the coordinates of its points."""

    name: str
    x_values: Sequence[float]
    y_values: Sequence[float]


def draw_lines(
    series: Sequence[Series],
    x_label: str,
    y_label: str,
    description: str,
    marked_point: tuple[float, float] | None = None,
    x_tick_labels: Sequence[str] | None = None,
) -> Drawing:
    """Return a drawing of lines over a variable.

    ``x_label``, ``y_label``: the names of the axes. ``description``: a sentence on what it shows. ``marked_point``: a
    point to highlight.

    ``x_tick_labels``: the labels of 0, 1, ... on the horizontal axis. With labels, points are drawn instead of lines,
    because nothing lies between two labels.
    """

    def plot_lines(axes: Axes) -> None:
        for number, each in enumerate(series):
            (line,) = axes.plot(each.x_values, each.y_values, gid=f"od-l{number % 4}")
            if x_tick_labels is not None:
                line.set(marker="o", linestyle="none")
        axes.margins(0.02, 0.06)
        if x_tick_labels is not None:
            axes.set_xticks(range(len(x_tick_labels)), x_tick_labels)
        if marked_point is not None:
            axes.plot(
                [marked_point[0]] * 2, [marked_point[1]] * 2, gid="od-dot"
            )  # a line without length, with round ends

    return Drawing(
        plot_lines,
        x_label,
        y_label,
        description,
        [(f"od-l{number % 4}", each.name) for number, each in enumerate(series)],
    )


def rule_value_chart(answer: Answer, size: Size = PAGE) -> Html | None:
    """Return a chart of the value of a rule with one number, by this number. All others play best.

    Return None if there is no such rule, or if few numbers were tried.
    """
    rule, best, top = (
        answer.shown_rule_comparison.main_rule,
        answer.shown_rule_comparison.first_value_of_kind("number"),
        answer.shown_rule_comparison.first_value_of_kind("solution"),
    )
    if not (rule and rule.number and best and best.alone and best.loss and top and top.alone):
        return None
    searched, option = rule.number, answer.option_words(rule.options[0], rule.phase)
    if rule.is_constant or len(searched.worths) < MIN_POINTS:
        return None
    scale = answer.unit.chart_scale
    numbers = [searched.feature.displayed_number(each) for each in range(searched.tried[0], searched.tried[1] + 1)]
    mine = Series("single-number rules", numbers, [scale * worth for worth in searched.worths])
    ideal = Series("best play", [numbers[0], numbers[-1]], [scale * float(top.alone)] * 2)
    words = (
        f"{option} at {searched.number_and_beyond_words} brings {amount_text(answer.unit, best.alone)}, and no number "
    )
    words += (
        f"from {numbers[0]:,} to {numbers[-1]:,} does better. Best play brings {amount_text(answer.unit, top.alone)}; "
    )
    words += "the rule "
    words += f"costs {loss_text_with_unit(answer.unit, best.loss)}."
    up = answer.unit.axis_name
    mark = (searched.displayed_number, scale * searched.worths[searched.best - searched.tried[0]])
    return chart_html(
        draw_lines([mine, ideal], f"{searched.feature.name}: {option} from here on", up, words, mark), size
    )


def rule_risk_chart(answer: Answer) -> Html | None:
    """Return a chart of the first chance that the ruleset asks for, by the number of a rule by which all players play.

    Return None if the ruleset asks for no chance, or if few numbers were tried.
    """
    numbers = answer.rule_number_comparison
    asked = next((name for name in (numbers.answers if numbers else {}) if name in answer.key_facts.chances), None)
    if numbers is None or asked is None or len(numbers.numbers) < MIN_POINTS:
        return None
    rule, searched, chances = numbers.rule, numbers.rule.number, numbers.answers[asked]
    assert searched is not None  # numbers are compared for a rule that has one
    best, own = chances[numbers.numbers.index(searched.best)], searched.displayed_number
    tried = [searched.feature.displayed_number(each) for each in numbers.numbers]
    words = f"{asked}, when everybody plays by the number: {best.percent(2)} at {own:,}, the best number, "
    words += f"but {chances[0].percent(2)} at {tried[0]:,} and {chances[-1].percent(2)} at {tried[-1]:,}."
    series = Series(asked, tried, [100 * float(chance) for chance in chances])
    mark = (own, 100 * float(best))
    across = f"{searched.feature.name}: {answer.option_words(rule.options[0], rule.phase)} from here on"
    return chart_html(draw_lines([series], across, "chance (%)", words, mark))


def threshold_chart(strategy: Strategy, threshold_table: ThresholdTable, size: Size = PAGE) -> Html | None:
    """Return the drawing of ``draw_thresholds`` as a chart; None if there is no such drawing."""
    drawing = draw_thresholds(strategy, threshold_table)
    return None if drawing is None else chart_html(drawing, size)


def draw_thresholds(strategy: Strategy, threshold_table: ThresholdTable) -> Drawing | None:
    """Return a drawing of thresholds over two variables: lines over the first variable, for up to three values of the
    second.

    Return None if there are too few thresholds, or if all are equal.
    """
    if len(strategy.across) != 2:
        return None
    first, second = strategy.across
    thresholds: dict[int, dict[int, int]] = {}
    down = strategy.down or first
    for (one, other), threshold in strategy.thresholds_of_table(threshold_table).items():
        thresholds.setdefault(second.displayed_number(other), {})[first.displayed_number(one)] = down.displayed_number(
            threshold
        )
    long = [value for value in sorted(thresholds) if len(thresholds[value]) >= MIN_POINTS]
    if len(long) < 2 or strategy.down is None:
        return None
    if len(set(strategy.thresholds_of_table(threshold_table).values())) == 1:  # a sentence says it
        return None
    shown = list(dict.fromkeys((long[0], long[len(long) // 2], long[-1])))
    series = [
        Series(f"{second.name} {value:,}", *zip(*sorted(thresholds[value].items()), strict=True)) for value in shown
    ]
    ranges = [f"from {min(each.y_values):,} to {max(each.y_values):,} where {each.name}" for each in series]
    above = strategy.options[strategy.above]
    words = (
        f"The least {strategy.down.name} to {above}, by {first.name}: {'; '.join(ranges)}. Shown where best play gets "
    )
    words += "and there is a single threshold."
    return draw_lines(series, first.name, f"least {strategy.down.name} to {above}", words)


def turn_start_value_chart(answer: Answer) -> Html | None:
    """Return a chart of the value of the start of a turn; None if it is not known.

    It is drawn over a variable of the player to move, with a line for each of some values of a variable of the other
    player.
    """
    known = answer.values_by_holdings
    if known is None:
        return None
    scale = answer.unit.chart_scale
    yours, names = known.yours, [f"{known.theirs} {other:,}" for other, _ in known.lines]
    lines = [dict(points) for _, points in known.lines]
    series = [
        Series(name, list(line), [scale * float(value) for value in line.values()])
        for name, line in zip(names, lines, strict=True)
    ]
    ranges = [
        f"where {value_clause(known.theirs, 'number', f'{other:,}')}, from {amount_text(answer.unit, points[0][1])} "
        f"at {points[0][0]:,} to {amount_text(answer.unit, points[-1][1])} at {points[-1][0]:,}"
        for other, points in known.lines
    ]
    words = f"What the start of your turn is worth by {yours}: {'; '.join(ranges)}."
    head, up = [column_header(text) for text in (yours, *names)], answer.unit.axis_name
    rows = [
        [
            row_header(f"{own:,}"),
            *(cell(amount_text_without_unit(answer.unit, each[own]) if own in each else "") for each in lines),
        ]
        for own in sorted({own for each in lines for own in each})
    ]
    numbers = folded_table(f"What the start of your turn is worth, by {yours}.", head, rows)
    return chart_html(draw_lines(series, yours, up, words), numbers_table=numbers)


MIN_BARS = 3  # bars
BAR_WIDTH_SHARE = 0.8  # of the way from bar to bar


def turn_lost_chart(risk: RollOnRisk) -> Html | None:
    """Return a chart of the probability that a turn is lost by its first roll, its second, and so on. The player never
    stops.

    Return None if there are few rolls.
    """
    if len(risk.lost) < MIN_BARS:
        return None
    rolls, by_then = range(1, len(risk.lost) + 1), list(accumulate(risk.lost))

    def plot_bars(axes: Axes) -> None:
        for number, lost, whole in zip(rolls, risk.lost, by_then, strict=True):
            if whole > lost:
                axes.bar(number, _in_percent(whole - lost), width=BAR_WIDTH_SHARE, gid="od-bar od-faint")
            if lost:
                axes.bar(
                    number, _in_percent(lost), bottom=_in_percent(whole - lost), width=BAR_WIDTH_SHARE, gid="od-bar"
                )
        axes.set_xticks(rolls)
        axes.set_xlim(0.4, rolls[-1] + 0.6)

    words = _turn_lost_sentences(risk, by_then)
    keys = [("od-bar", "lost at this roll"), ("od-bar od-faint", "lost before")]
    head = [column_header(text) for text in ("roll", "turns that get to it", "it loses the turn", "lost by then")]
    rows = [
        [
            row_header(str(number)),
            cell(percent_text(reached)),
            cell(percent_text(lost / reached)),
            cell(percent_text(whole)),
        ]
        for number, reached, lost, whole in zip(rolls, risk.reached, risk.lost, by_then, strict=True)
    ]
    caption = f"A turn in which the player always chooses {risk.again}. It is lost if it is over before the player can choose "
    caption += f"{risk.stop}, and the player is no better off than by choosing that."
    drawn = svg_of_plot(plot_bars, "roll of the turn", "turn lost by then (%)", words)
    return figure_element(drawn, keys, words, numbers_table=folded_table(caption, head, rows))


def _turn_lost_sentences(risk: RollOnRisk, lost_by_roll: list[Fraction]) -> str:
    """Return sentences on the probability that the turn is lost by some of its rolls.

    These are the first roll that may lose it, the first by which it is more likely lost than not, and the last roll.
    ``lost_by_roll``: the probability that the turn is lost by each roll.
    """
    first, last = next(number for number, whole in enumerate(lost_by_roll, 1) if whole), len(lost_by_roll)
    half = next((number for number, whole in enumerate(lost_by_roll, 1) if 2 * whole > 1), first)
    words = f"If you always choose {risk.again}, roll {first} loses the turn with a chance of "
    words += f"{percent_text(lost_by_roll[first - 1])}. By "
    if first < half < last:
        words += f"roll {half} it is more likely lost than not ({percent_text(lost_by_roll[half - 1])}), and by "
    words += f"roll {last} the chance is {percent_text(lost_by_roll[-1])}."
    return words if risk.constant_risk is None else f"{words} Each roll has the same risk."


def next_roll_risk_chart(risk: RollOnRisk) -> Html | None:
    """Return a chart of the risk of the next roll by the variable on which it depends.

    Return None if there is no such variable, or if it has few values.
    """
    if len(risk.risks) < MIN_BARS:
        return None

    def plot_bars(axes: Axes) -> None:
        for value, chance in risk.risks:
            axes.bar(value, _in_percent(chance), width=BAR_WIDTH_SHARE, gid="od-bar")
        axes.set_xlim(risk.risks[0][0] - 0.6, risk.risks[-1][0] + 0.6)

    least, most = (choose(risk.risks, key=lambda each: each[1]) for choose in (min, max))
    words = (
        f"{risk.again} loses the turn with a chance of {percent_text(most[1])} where {risk.by} is {most[0]}, and of "
    )
    words += f"{percent_text(least[1])} where it is {least[0]}."
    head = [column_header(text) for text in (risk.by, "chance", "exactly")]
    rows = [[row_header(str(value)), cell(percent_text(chance)), cell(str(chance))] for value, chance in risk.risks]
    caption = f"The chance that {risk.again} loses the turn at the next roll, by {risk.by}."
    drawn = svg_of_plot(plot_bars, risk.by, "the next roll loses it (%)", words)
    return figure_element(drawn, [], words, numbers_table=folded_table(caption, head, rows))


def _in_percent(chance: Fraction) -> float:
    return 100 * float(chance)
