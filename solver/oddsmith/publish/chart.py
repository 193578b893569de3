"""The thresholds of a strategy as a picture that needs no script: one bar per column, drawn in the page's own colours."""

from __future__ import annotations

from collections.abc import Callable

from oddsmith.publish.html import Html, tag
from oddsmith.report.thresholds import VARIES, Line, Strategy, Table

Scale = Callable[[float], float]
WIDTH, HEIGHT = 640, 240
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

    bars: list[Html] = []
    for line in each.lines:
        bars += _bars(line, x(line.at[0]), x(line.at[0] + 1), floor, ceiling, y)
    across = strategy.across[0]
    names = [strategy.options[option] for option in sorted({run.option for line in each.lines for run in line.runs} - {VARIES})]
    words = f"Best action by {across.name} (across) and {down.name} (up): {_finding(strategy, each)}"
    drawn = tag(
        "svg", tag("title", words), *bars, *_axes(x, y, (low, high), (floor, ceiling), across.name, down.name),
        viewBox=f"0 0 {WIDTH} {HEIGHT}", role="img",
    )  # fmt: skip
    keys = [tag("li", tag("span", Html("&#160;"), cls=f"od-a{strategy.options.index(name) % 4}"), Html(" "), name) for name in names]
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


def _bars(line: Line, left: float, right: float, floor: int, ceiling: int, y: Scale) -> list[Html]:
    found = []
    edges = [run.first for run in line.runs]
    for place, run in enumerate(line.runs):
        end = edges[place + 1] if place + 1 < len(edges) else run.last + 1
        low, high = max(run.first, floor), min(end, ceiling)
        if run.option == VARIES or high <= low:
            continue
        pale = "" if run.played else " od-faint"
        found.append(
            tag("rect", x=_n(left), y=_n(y(high)), width=_n(right - left + 0.3), height=_n(y(low) - y(high) + 0.3),
                cls=f"od-f{run.option % 4}{pale}")
        )  # fmt: skip
    return found


def _n(value: float) -> str:
    return f"{value:.1f}"


def _axes(x: Scale, y: Scale, across: tuple[int, int], up: tuple[int, int], name: str, other: str) -> list[Html]:
    found = []
    for value in _ticks(*across):
        found.append(tag("text", str(value), x=_n(x(value + 0.5)), y=str(HEIGHT - BOTTOM + 15), text_anchor="middle"))
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
