"""Bar charts. Vertical bars show distributions, such as the length of a game or its payoff.

Horizontal bars show shares, such as the share of positions in which best play takes each option.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, gcd, lcm

from matplotlib.axes import Axes

from oddsmith.base.distributions import Distribution
from oddsmith.base.exact import Number, decimal_text
from oddsmith.publish.charts.drawing import PAGE, Drawing, Size, chart_html, folded_table
from oddsmith.publish.markup.html import Html, cell, column_header, row_header
from oddsmith.publish.markup.numbers import amount_text, percent_text, short_number_text
from oddsmith.report.facts import Unit
from oddsmith.report.policy import OptionShares, Strategy, feature_clause

MAX_BARS = 30  # bars
MIN_COMPARED = 2  # bars that lie
MIN_VALUES = 4  # values; fewer are read more easily from a sentence
DRAWN_SHARE = Fraction(995, 1000)  # of all chances: the rest would only make the picture wider
MAX_PARTS_OF_WHOLE = 4  # parts of a whole that bars can tell apart


@dataclass(frozen=True)
class Bar:
    """A bar for the possible values from ``first_value`` to ``last_value``.

    ``chance``: their total chance. ``middle``: the position of the bar on the axis. ``between_deciles``: whether the
    bar overlaps the range between the first and the last decile.
    """

    first_value: Fraction
    last_value: Fraction
    middle: Fraction
    chance: Number
    between_deciles: bool


def draw_bars(
    distribution: Distribution, mean: Number | None, subject: str, unit: str, size: Size = PAGE
) -> Html | None:
    """Return a chart of a distribution with a sentence on its key numbers; None if it has too few bars.

    ``mean``: the mean to mark and to name, None if it is not known. ``subject``: the subject and the verb of the
    sentence, such as `A game lasts`. ``unit``: the things that are counted.
    """
    low, high = distribution.quantile(Fraction(1, 10)), distribution.quantile(Fraction(9, 10))
    found = _equal_width_bars(distribution, low, high)
    if len(found) < MIN_VALUES:
        return None

    words = _key_numbers_sentence(distribution, mean, subject, unit)
    words += _remaining_chance_sentence(distribution, found)
    rows = [[row_header(_bar_range_text(bar)), cell(bar.chance.percent(2))] for bar in found]
    numbers = (
        folded_table(f"{subject} this many {unit}.", [column_header(unit), column_header("chance")], rows)
        if size == PAGE
        else None
    )
    return chart_html(_draw_vertical_bars(distribution, found, mean, words, unit), size, numbers)


def draw_distribution(distribution: Distribution) -> Drawing:
    """Return a drawing of any distribution.

    It has vertical bars if the values lie on a readable scale, else horizontal bars. If there are too many values for
    these, it shows the cumulative distribution function.
    """
    known = (("mean", distribution.mean), ("standard deviation", distribution.standard_deviation))
    words = (
        ", ".join([distribution.what, *(f"{name} {number.decimal(2)}" for name, number in known if number is not None)])
        + "."
    )
    share = Fraction(1) if len(distribution.outcomes) <= MAX_BARS else DRAWN_SHARE
    found = _equal_width_bars(
        distribution, distribution.quantile(Fraction(1, 10)), distribution.quantile(Fraction(9, 10)), share
    )
    if len(found) >= MIN_VALUES:
        words += _remaining_chance_sentence(distribution, found)
        return _draw_vertical_bars(distribution, found, distribution.mean, words, distribution.what, "cases")
    if len(distribution.outcomes) <= MAX_BARS:
        named = {each.name: 100 * float(each.chance) for each in distribution.outcomes}
        return Drawing(_make_horizontal_bars_plot(named), "chance (%)", "", words)

    def plot_cumulative(axes: Axes) -> None:
        told = [
            (each.value, each.at_most)
            for each in distribution.outcomes
            if each.value is not None and each.at_most is not None
        ]
        axes.plot(
            [float(at) for at, _ in told],
            [100 * float(chance) for _, chance in told],
            gid="od-l0",
            drawstyle="steps-post",
        )

    return Drawing(plot_cumulative, distribution.what, "chance of at most that (%)", words)


def draw_values(values_by_name: Mapping[str, Number], unit: Unit) -> Drawing:
    """Return a drawing of the value to each seat as horizontal bars.


    ``values_by_name``: the values by the names of seats."""
    lines = [f"{name}: {amount_text(unit, value)}" for name, value in values_by_name.items()]
    scaled = {name: unit.chart_scale * float(value) for name, value in values_by_name.items()}
    return Drawing(_make_horizontal_bars_plot(scaled), unit.axis_name, "", " · ".join(lines))


def draw_comparison(
    values_by_name: Mapping[str, Number], unit: Unit, subject: str, fair_share: Number | None = None
) -> Html | None:
    """Return a chart of named values as horizontal bars, with all numbers in words. Return None if all values are
    equal, or if there are too few.

    ``subject``: the first sentence of the words, without its full stop. ``fair_share``: the share that would be fair,
    which is marked; None for no mark.
    """
    if len(values_by_name) < MIN_COMPARED or len({(each.lower, each.upper) for each in values_by_name.values()}) == 1:
        return None
    finding = " · ".join(f"{name}: {amount_text(unit, each)}" for name, each in values_by_name.items())
    words = f"{subject}. {finding[0].upper()}{finding[1:]}."
    keys = [("od-l1", f"an even share: {amount_text(unit, fair_share)}")] if fair_share is not None else []
    scaled = {name: unit.chart_scale * float(each) for name, each in values_by_name.items()}
    plot = _make_horizontal_bars_plot(scaled, None if fair_share is None else unit.chart_scale * float(fair_share))
    return chart_html(Drawing(plot, unit.axis_name, "", words, keys))


def _draw_vertical_bars(
    distribution: Distribution,
    bars: Sequence[Bar],
    mean: Number | None,
    description: str,
    unit: str,
    case_noun: str = "games",
) -> Drawing:
    """Return a drawing of vertical bars, which are darker between the first and the last decile. ``unit``: the things
    that are counted. ``case_noun``: the plural of the cases to which chances refer, such as games.
    """

    def plot_bars(axes: Axes) -> None:
        width = 0.9 * float(bars[1].middle - bars[0].middle)
        for bar in bars:
            axes.bar(
                float(bar.middle),
                100 * float(bar.chance),
                width=width,
                gid="od-bar" if bar.between_deciles else "od-bar od-faint",
            )
        if mean is not None:
            axes.axvline(float(mean), gid="od-l1")

    low, high = distribution.quantile(Fraction(1, 10)), distribution.quantile(Fraction(9, 10))
    width = bars[1].middle - bars[0].middle
    axis = (
        f"{unit}, {short_number_text(width, 2)} of them to a bar"
        if width > _common_step_of_values(_numeric_values(distribution))
        else unit
    )
    keys = [("od-l1", "mean")] if mean is not None else []
    if low is not None and high is not None:
        keys.append(
            (
                "od-bar",
                f"at least eight {case_noun} in ten: {short_number_text(low, 2)} to {short_number_text(high, 2)}",
            )
        )
        keys += [("od-bar od-faint", "the rest")] * (not all(bar.between_deciles for bar in bars))
    return Drawing(plot_bars, axis, "chance (%)", description, keys)


def _make_horizontal_bars_plot(
    values_by_name: Mapping[str, float], fair_share: float | None = None
) -> Callable[[Axes], None]:
    """Return a function that plots a horizontal bar for each name.

    ``fair_share``: the share that would be fair, None for no mark.
    """

    def plot_bars(axes: Axes) -> None:
        axes.grid(visible=False)
        axes.grid(axis="x", gid="od-tick")
        for place, each in enumerate(values_by_name.values()):
            axes.barh(-place, each, height=0.7, gid="od-bar")
        axes.set_yticks([-place for place in range(len(values_by_name))], list(values_by_name))
        if fair_share is not None:
            axes.axvline(fair_share, gid="od-l1")

    return plot_bars


def _key_numbers_sentence(distribution: Distribution, mean: Number | None, subject: str, unit: str) -> str:
    """Return a sentence on the mean and on the range of at least eight games in ten. A second sentence names the
    likeliest value, if it is proved which value this is.

    ``subject``, ``unit``: as in ``draw_bars``.
    """
    low, high = distribution.quantile(Fraction(1, 10)), distribution.quantile(Fraction(9, 10))
    parts = [f"{mean.decimal(2)} {unit} on average"] if mean is not None else []
    if low is not None and high is not None:
        unit_words = "" if parts else f"{unit} "
        parts.append(
            f"{short_number_text(low, 2)} to {short_number_text(high, 2)} {unit_words}in at least eight games out of ten"
        )
    words = f"{subject} {', '.join(parts)}." if parts else f"{subject} this many {unit}."
    first, second = sorted(distribution.outcomes, key=lambda outcome: -outcome.chance.middle)[:2]
    if first.chance.lower > max(second.chance.upper, distribution.beyond.upper) and first.value is not None:
        words += (
            f" The likeliest number is {short_number_text(first.value, 2)}, with a chance of {first.chance.percent(1)}."
        )
    return words


def _remaining_chance_sentence(distribution: Distribution, bars: Sequence[Bar]) -> str:
    """Return a sentence on the total chance of all values above the last bar; empty if this chance is 0. ``bars``: the
    bars.
    """
    rest = 1 - distribution.at_most(bars[-1].last_value)
    note = f" Everything to the right of the picture has a chance of at most {_percent_rounded_up(rest.upper)} %."
    return note if rest.upper > 0 else ""


def _percent_rounded_up(chance: Fraction) -> str:
    """Return a chance in percent, rounded up to one decimal place."""
    return decimal_text(Fraction(ceil(chance * 1000), 10), 1)


def _numeric_values(distribution: Distribution) -> list[Fraction]:
    return [outcome.value for outcome in distribution.outcomes if outcome.value is not None]


def _common_step_of_values(values: Sequence[Fraction]) -> Fraction:
    """Return the greatest fraction of which all differences between the values are multiples; 0 if all values are
    equal.
    """
    gaps = [value - values[0] for value in values]
    return Fraction(gcd(*(gap.numerator for gap in gaps)), lcm(*(gap.denominator for gap in gaps)))


def _equal_width_bars(
    distribution: Distribution,
    first_decile: Fraction | None,
    last_decile: Fraction | None,
    drawn_quantile: Fraction = DRAWN_SHARE,
) -> list[Bar]:
    """Return bars of equal width for a distribution; an empty list if its values lie on no readable scale.

    The width is a round multiple of the common unit of the values. ``first_decile``, ``last_decile``: the first and the
    last decile. ``drawn_quantile``: the quantile up to which bars are drawn.
    """
    values = _numeric_values(distribution)
    unit = _common_step_of_values(values)
    if unit == 0 or unit.denominator > MAX_PARTS_OF_WHOLE:
        return []
    end = distribution.quantile(drawn_quantile)
    end = values[-1] if end is None else end
    steps = (unit * step * 10**power for power in range(12) for step in (1, 2, 5))
    width = next(step for step in steps if (end - values[0]) / step < MAX_BARS)
    origin = values[0] // width * width if values[0] % unit == 0 else values[0]  # bars begin at round numbers
    chances: dict[Fraction, Number] = {}
    for outcome in distribution.outcomes:
        if outcome.value is not None:
            start = origin + (outcome.value - origin) // width * width
            chances[start] = chances.get(start, Number.of(0)) + outcome.chance
    drawn = []
    for start in [origin + width * place for place in range(int((end - origin) / width) + 1)]:
        last = start + width - unit
        usual = first_decile is not None and last_decile is not None and last >= first_decile and start <= last_decile
        ends = max(start, values[0]), min(last, values[-1])
        drawn.append(Bar(*ends, (start + last) / 2, chances.get(start, Number.of(0)), usual))
    return drawn


def _bar_range_text(bar: Bar) -> str:
    """Return the range of values of a bar in words."""
    return (
        short_number_text(bar.first_value, 2)
        if bar.first_value == bar.last_value
        else f"{short_number_text(bar.first_value, 2)} to {short_number_text(bar.last_value, 2)}"
    )


MAX_OPTIONS = 4  # options, which is how many looks a field may have
FRAME_HEIGHT, BAR_HEIGHT = 70, 30  # height of a picture without bars, and of a bar


def option_shares_chart(strategy: Strategy) -> Html | None:
    """Return a chart of the share of positions in which best play takes each option, with a table of its numbers.

    There is a bar for each value of the feature that predicts the option best. Return None if there is no such feature,
    or if there are many options.
    """
    shares, drawing = strategy.shares, draw_option_shares(strategy)
    if shares is None or drawing is None:
        return None
    sums = [sum(counts) for counts in shares.counts]
    head = [column_header(text) for text in (shares.feature.name, "positions", *strategy.options)]
    rows = [
        [row_header(value), cell(f"{whole:,}"), *(cell(percent_text(Fraction(count, whole))) for count in counts)]
        for value, whole, counts in zip(shares.values, sums, shares.counts, strict=True)
    ]
    caption = f"In which share of its positions best play takes each action, by {shares.feature.name}."
    size = (PAGE[0], min(PAGE[1], FRAME_HEIGHT + BAR_HEIGHT * len(sums)))
    return chart_html(drawing, size, folded_table(caption, head, rows))


def draw_option_shares(strategy: Strategy) -> Drawing | None:
    """Return the drawing of ``option_shares_chart``, without its table; None if there is no feature, or if there are
    many options.
    """
    shares = strategy.shares
    if shares is None or len(strategy.options) > MAX_OPTIONS:
        return None
    sums = [sum(counts) for counts in shares.counts]

    def plot_shares(axes: Axes) -> None:
        axes.grid(visible=False)
        axes.grid(axis="x", gid="od-tick")
        for place, counts in enumerate(shares.counts):
            left = 0.0
            for option, count in enumerate(counts):
                if count:
                    wide = 100 * count / sums[place]
                    axes.barh(-place, wide, left=left, height=0.8, gid=f"od-f{option % MAX_OPTIONS}")
                    left += wide
        axes.set_yticks([-place for place in range(len(sums))], list(shares.values))
        axes.set_xlim(0, 100)

    words = _option_shares_sentence(strategy, shares, sums)
    keys = [(f"od-f{option}", name) for option, name in enumerate(strategy.options)]
    return Drawing(plot_shares, "share of the positions (%)", shares.feature.name, words, keys)


def _option_shares_sentence(strategy: Strategy, shares: OptionShares, position_counts_by_value: list[int]) -> str:
    """Return a sentence that names, for each option, the value of the feature at which it is taken most often.

    An option is left out if it is never taken in half of the positions with one value. ``position_counts_by_value``:
    the number of positions with each value.
    """
    feature, parts = shares.feature, []
    for option, name in enumerate(strategy.options):
        found = [
            Fraction(counts[option], whole)
            for counts, whole in zip(shares.counts, position_counts_by_value, strict=True)
        ]
        most = max(found)
        value = shares.values[found.index(most)]
        known = feature.kind in {"side", "mover", "out"}
        where = feature.value_clause(value) if known else feature_clause(feature, value)
        if most == 0:
            parts.append(f"{name} never")
        elif most >= Fraction(1, 2):
            parts.append(f"{name} most often where {where} ({percent_text(most, 0)})")
    words = f"What best play takes in the {shares.position_count:,} positions that it meets here, each counted once"
    return f"{words}: {'; '.join(parts)}." if parts else f"{words}."
