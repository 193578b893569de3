"""The page about a game at a grid of settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from oddsmith.base.exact import Number
from oddsmith.publish.charts.drawing import chart
from oddsmith.publish.charts.lines import Series, line_chart
from oddsmith.publish.markup.html import Html, cell, column_header, row, table, tag
from oddsmith.publish.pages.standalone import standalone_page
from oddsmith.report.english import plain_name

MAX_SERIES = 4  # lines that one picture can tell apart
PLACES = 4
Point = tuple[Mapping[str, Any], Mapping[str, Any] | None, str]
"""A point of the grid: its settings, its results as ``report.policy.sweep_point`` returns them, and the reason why
there are none.
"""


def grid_page(
    title: str, varied: Sequence[str], points: Sequence[Point], records: Sequence[Mapping[str, Any]]
) -> bytes:
    """Return the page of a sweep: a table with a row for each game and, if the first varied parameter is a number,
    charts over it. ``varied``: the names of what is varied. ``records``: the rows of the table.
    """
    return standalone_page(title, _page_parts(varied, points, records))


def _page_parts(varied: Sequence[str], points: Sequence[Point], records: Sequence[Mapping[str, Any]]) -> Iterator[Html]:
    drawn = [picture for picture in (_values_picture(varied, points), _lengths_picture(varied, points)) if picture]
    if drawn:
        yield tag("div", *drawn, cls="od-charts")
    names = [name for name in records[0] if name != "problem" and not name.endswith("_exact")]
    head = [column_header("positions" if name == "states" else plain_name(name)) for name in names]
    rows = []
    for record in records:
        first, *rest = ("–" if record[name] is None else str(record[name]) for name in names)
        rows.append([row(first), *map(cell, rest)])
    yield table("Every setting. Values and lengths are those of best play.", head, rows)
    failed = [record for record in records if record["problem"]]
    for record in failed:
        where = ", ".join(f"{plain_name(name)} {record[name]}" for name in varied)
        yield tag("p", f"{where}: {record['problem']}")


def _values_picture(varied: Sequence[str], points: Sequence[Point]) -> Html | None:
    """Return a chart of the values to seats by the first setting that varies: to all seats if no other setting varies,
    else to seat 1 for each combination of the other settings.
    """
    if len(varied) == 1:
        seats = max((len(data["values"]) for _, data, _ in points if data), default=0)
        asked = {
            f"seat {seat}": (lambda data, at=seat - 1: _value_at(data["values"], at)) for seat in range(1, seats + 1)
        }
        return _line_picture(varied, points, asked, "value", "What each seat gets")
    return _line_picture(
        varied, points, {"": lambda data: _value_at(data["values"], 0)}, "value of seat 1", "What seat 1 gets"
    )


def _lengths_picture(varied: Sequence[str], points: Sequence[Point]) -> Html | None:
    asked = {"": lambda data: data["lengths"].get("turns")}
    return _line_picture(varied, points, asked, "turns", "How many turns a game takes")


def _value_at(values: Sequence[Any], place: int) -> Any:
    return values[place] if place < len(values) else None


def _line_picture(
    varied: Sequence[str], points: Sequence[Point], asked: Mapping[str, Any], up: str, what: str
) -> Html | None:
    across, *others = varied
    found: dict[str, list[tuple[int, Number]]] = {}
    for settings, data, _ in points:
        x = settings[across]
        if data is None or isinstance(x, bool) or not isinstance(x, int):
            continue
        beside = ", ".join(f"{plain_name(name)} {settings[name]}" for name in others)
        for name, read in asked.items():
            number = read(data)
            if number is not None:
                key = ", ".join(part for part in (name, beside) if part)
                found.setdefault(key, []).append((x, Number.from_json(number)))
    long = {name: sorted(line, key=lambda one: one[0]) for name, line in found.items() if len(line) > 1}
    if not long:
        return None
    drawn = list(long)[:MAX_SERIES]
    ranges = []
    for name in drawn:
        (start, first), (end, last) = long[name][0], long[name][-1]
        ranges.append(f"{name} from {first.decimal(PLACES)} at {start} to {last.decimal(PLACES)} at {end}".strip())
    words = f"{what}, by {plain_name(across)}: {'; '.join(ranges)}"
    left = len(long) - len(drawn)
    words += f". {left} more lines are in the table only." if left else "."
    series = [Series(name, [x for x, _ in long[name]], [float(up) for _, up in long[name]]) for name in drawn]
    return chart(line_chart(series, plain_name(across), up, words))
