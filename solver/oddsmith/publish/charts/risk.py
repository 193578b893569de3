"""What rolling on risks: the chance that a turn is lost, roll by roll, and by what the risk of a roll depends on."""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate

from matplotlib.axes import Axes

from oddsmith.publish.charts.drawing import figure_of, folded, picture
from oddsmith.publish.markup import Html, cell, column, percent, row
from oddsmith.report.balance import RollingOn

LEAST = 3  # bars
WIDE = 0.8  # of the way from bar to bar


def by_roll(told: RollingOn) -> Html | None:
    """The chance that a turn without stopping is lost by each of its rolls; None where a sentence says it."""
    if len(told.lost) < LEAST:
        return None
    rolls, by_then = range(1, len(told.lost) + 1), list(accumulate(told.lost))

    def plot(axes: Axes) -> None:
        for number, lost, whole in zip(rolls, told.lost, by_then, strict=True):
            if whole > lost:
                axes.bar(number, _percent(whole - lost), width=WIDE, gid="od-bar od-faint")
            if lost:
                axes.bar(number, _percent(lost), bottom=_percent(whole - lost), width=WIDE, gid="od-bar")
        axes.set_xticks(rolls)
        axes.set_xlim(0.4, rolls[-1] + 0.6)

    words = _finding(told, by_then)
    keys = [("od-bar", "lost at this roll"), ("od-bar od-faint", "lost before")]
    head = [column(text) for text in ("roll", "turns that get to it", "it loses the turn", "lost by then")]
    rows = [
        [row(str(number)), cell(percent(reached)), cell(percent(lost / reached)), cell(percent(whole))]
        for number, reached, lost, whole in zip(rolls, told.reached, told.lost, by_then, strict=True)
    ]
    caption = f"A turn in which the player always chooses {told.again}. It is lost if it is over before the player can choose "
    caption += f"{told.stop}, and the player is no better off than by choosing that."
    drawn = picture(plot, "roll of the turn", "turn lost by then (%)", words)
    return figure_of(drawn, keys, words, numbers=folded(caption, head, rows))


def _finding(told: RollingOn, by_then: list[Fraction]) -> str:
    """The first roll that may lose the turn, the one by which most turns are lost, and the last."""
    first, last = next(number for number, whole in enumerate(by_then, 1) if whole), len(by_then)
    half = next((number for number, whole in enumerate(by_then, 1) if 2 * whole > 1), first)
    words = f"If you always choose {told.again}, roll {first} loses the turn with a chance of {percent(by_then[first - 1])}."
    words += " By "
    if first < half < last:
        words += f"roll {half} it is more likely lost than not ({percent(by_then[half - 1])}), and by "
    words += f"roll {last} the chance is {percent(by_then[-1])}."
    return words if told.even is None else f"{words} Each roll has the same risk."


def by_stake(told: RollingOn) -> Html | None:
    """The risk of the next roll by the number that it depends on; None where it depends on none."""
    if len(told.risks) < LEAST:
        return None

    def plot(axes: Axes) -> None:
        for value, risk in told.risks:
            axes.bar(value, _percent(risk), width=WIDE, gid="od-bar")
        axes.set_xlim(told.risks[0][0] - 0.6, told.risks[-1][0] + 0.6)

    least, most = (choose(told.risks, key=lambda each: each[1]) for choose in (min, max))
    words = f"{told.again} loses the turn with a chance of {percent(most[1])} where {told.by} is {most[0]}, and of "
    words += f"{percent(least[1])} where it is {least[0]}."
    head = [column(text) for text in (told.by, "chance", "exactly")]
    rows = [[row(str(value)), cell(percent(risk)), cell(str(risk))] for value, risk in told.risks]
    caption = f"The chance that {told.again} loses the turn at the next roll, by {told.by}."
    drawn = picture(plot, told.by, "the next roll loses it (%)", words)
    return figure_of(drawn, [], words, numbers=folded(caption, head, rows))


def _percent(chance: Fraction) -> float:
    return 100 * float(chance)
