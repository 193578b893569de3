"""The thresholds of a strategy as a picture that needs no script: one bar per column, drawn in the page's own colours."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from oddsmith.publish.html import Html, tag
from oddsmith.report.thresholds import VARIES, Line, Strategy, Table

Scale = Callable[[float], float]
WIDTH, HEIGHT = 420, 250
LEFT, BOTTOM, TOP = 40, 34, 8
LEAST = 8  # columns; fewer are read more easily from the table


def chart(strategy: Strategy, each: Table) -> Html | None:
    """Which option is best over both variables; None where there is too little to draw."""
    down = strategy.down
    if down is None or len(strategy.across) != 1 or len(each.lines) < LEAST:
        return None
    low, high = each.lines[0].at[0], each.lines[-1].at[0]
    floor, ceiling = _window(strategy, each)

    def x(value: float) -> float:
        return LEFT + (value - low) * (WIDTH - LEFT - 4) / (high - low + 1)

    def y(value: float) -> float:
        return HEIGHT - BOTTOM - (value - floor) * (HEIGHT - BOTTOM - TOP) / (ceiling - floor)

    bars = [
        tag(
            "rect",
            x=_n(x(first)),
            y=_n(y(high)),
            width=_n(x(last + 1) - x(first)),
            height=_n(y(low) - y(high)),
            cls=name,
        )
        for first, last, low, high, name in _joined(each.lines, floor, ceiling)
    ]
    across = strategy.across[0]
    names = [
        strategy.options[option]
        for option in sorted({run.option for line in each.lines for run in line.runs} - {VARIES})
    ]
    words = f"Best action by {across.name} (across) and {down.name} (up): {_finding(strategy, each)}"
    drawn = tag(
        "svg", tag("title", words), *bars, *_axes(x, y, (low, high), (floor, ceiling), across.name, down.name),
        viewBox=f"0 0 {WIDTH} {HEIGHT}", role="img",
    )  # fmt: skip
    keys = [
        tag("li", tag("svg", tag("rect", width="100%", height="100%", cls=f"od-f{strategy.options.index(name) % 4}"),
                      aria_hidden="true"), name)
        for name in names
    ]  # fmt: skip
    keys.append(tag("li", "paler: good play never comes there"))
    return tag("figure", drawn, tag("figcaption", tag("ul", *keys, cls="od-legend")), cls="od-chart")


def _finding(strategy: Strategy, each: Table) -> str:
    found = strategy.range()
    above = strategy.options[strategy.above]
    if not found:
        return "no threshold."
    middle = f"from {found[0]}" if found[0] == found[1] else f"from a threshold between {found[0]} and {found[1]}"
    return f"{above} {middle} on." if not each.exceptions else f"mostly {above} {middle} on."


def _window(strategy: Strategy, each: Table) -> tuple[int, int]:
    """The stretch of the stopping variable that is drawn: from its least to somewhat above the highest threshold."""
    low = min(run.first for line in each.lines for run in line.runs)
    top = max(run.last for line in each.lines for run in line.runs)
    found = strategy.range()
    ceiling = min(top, found[1] + max(6, (found[1] - low) // 3)) if found else top
    return low, max(ceiling + 1, low + 2)


def _joined(lines: Sequence[Line], floor: int, ceiling: int) -> list[tuple[int, int, int, int, str]]:
    """Bars as (first column, last column, from, to, class); neighbours that are the same are one."""
    done: list[tuple[int, int, int, int, str]] = []
    open_: dict[tuple[int, int, str], tuple[int, int]] = {}
    for line in lines:
        at = line.at[0]
        here = {bar: open_.get(bar, (at, at))[0] for bar in _bars(line, floor, ceiling)}
        gap = any(last != at - 1 for _, last in open_.values())
        done += [(*span, *bar) for bar, span in open_.items() if gap or bar not in here]
        open_ = {bar: (at if gap else first, at) for bar, first in here.items()}
    return [*done, *((*span, *bar) for bar, span in open_.items())]


def _bars(line: Line, floor: int, ceiling: int) -> list[tuple[int, int, str]]:
    """The runs of a column within the window, with their classes."""
    found = []
    for run, following in zip(line.runs, [*line.runs[1:], None], strict=True):
        low, high = max(run.first, floor), min(following.first if following else run.last + 1, ceiling)
        if run.option != VARIES and high > low:
            found.append((low, high, f"od-f{run.option % 4}" + ("" if run.played else " od-faint")))
    return found


def _n(value: float) -> str:
    return f"{value:.1f}"


def _axes(x: Scale, y: Scale, across: tuple[int, int], up: tuple[int, int], name: str, other: str) -> list[Html]:
    foot = str(HEIGHT - BOTTOM + 15)
    found = [tag("text", str(value), x=_n(x(value + 0.5)), y=foot, text_anchor="middle") for value in _ticks(*across)]
    for value in _ticks(*up):
        found.append(tag("text", str(value), x=str(LEFT - 6), y=_n(y(value) + 4), text_anchor="end"))
        found.append(tag("line", x1=str(LEFT), x2=str(WIDTH - 4), y1=_n(y(value)), y2=_n(y(value)), cls="od-tick"))
    found.append(tag("text", name, x=str((WIDTH + LEFT) // 2), y=str(HEIGHT - 3), text_anchor="middle", cls="od-axis"))
    found.append(
        tag("text", other, x="11", y=str((HEIGHT - BOTTOM) // 2), text_anchor="middle", cls="od-axis",
            transform=f"rotate(-90 11 {(HEIGHT - BOTTOM) // 2})")
    )  # fmt: skip
    return found


def _ticks(low: int, high: int) -> list[int]:
    """Round numbers within a range, about six of them."""
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10**6) if (high - low) / step <= 7)
    first = -(-low // step) * step
    return list(range(first, high + 1, step))
