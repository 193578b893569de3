"""What best play takes in which share of its positions, as bars that lie, for a strategy that no map shows."""

from __future__ import annotations

from fractions import Fraction

from matplotlib.axes import Axes

from oddsmith.publish.charts.drawing import PAGE, Drawing, folded, shown
from oddsmith.publish.markup import Html, cell, column, percent, row
from oddsmith.report.strategy import Shares, Strategy

MOST = 4  # options, which is how many looks a field may have
AROUND, EACH = 70, 30  # height of a picture without bars, and of a bar


def by_share(strategy: Strategy) -> Html | None:
    """The share of each option by what tells most about it; None where there is no such thing, or where options are many."""
    told, drawing = strategy.shares, of_shares(strategy)
    if told is None or drawing is None:
        return None
    sums = [sum(counts) for counts in told.counts]
    head = [column(text) for text in (told.feature.name, "positions", *strategy.options)]
    rows = [
        [row(value), cell(f"{whole:,}"), *(cell(percent(Fraction(count, whole))) for count in counts)]
        for value, whole, counts in zip(told.values, sums, told.counts, strict=True)
    ]
    caption = f"In which share of its positions best play takes each action, by {told.feature.name}."
    size = (PAGE[0], min(PAGE[1], AROUND + EACH * len(sums)))
    return shown(drawing, size, folded(caption, head, rows))


def of_shares(strategy: Strategy) -> Drawing | None:
    """The same without its numbers."""
    told = strategy.shares
    if told is None or len(strategy.options) > MOST:
        return None
    sums = [sum(counts) for counts in told.counts]

    def plot(axes: Axes) -> None:
        axes.grid(visible=False)
        axes.grid(axis="x", gid="od-tick")
        for place, counts in enumerate(told.counts):
            left = 0.0
            for option, count in enumerate(counts):
                if count:
                    wide = 100 * count / sums[place]
                    axes.barh(-place, wide, left=left, height=0.8, gid=f"od-f{option % MOST}")
                    left += wide
        axes.set_yticks([-place for place in range(len(sums))], list(told.values))
        axes.set_xlim(0, 100)

    words = _finding(strategy, told, sums)
    keys = [(f"od-f{option}", name) for option, name in enumerate(strategy.options)]
    return Drawing(plot, "share of the positions (%)", told.feature.name, words, keys)


def _finding(strategy: Strategy, told: Shares, sums: list[int]) -> str:
    """Where each option is taken most often."""
    feature, parts = told.feature, []
    for option, name in enumerate(strategy.options):
        found = [Fraction(counts[option], whole) for counts, whole in zip(told.counts, sums, strict=True)]
        most = max(found)
        value = told.values[found.index(most)]
        known = feature.kind in {"side", "mover", "out"}
        where = feature.being(value) if known else f"{feature.name} {feature.verb} {value}"
        parts += [f"{name} most often where {where} ({percent(most)})"] if most else [f"{name} never"]
    words = f"What best play takes in the {told.positions:,} positions that it meets here, each counted once: "
    return f"{words}{'; '.join(parts)}."
