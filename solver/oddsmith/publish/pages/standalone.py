"""Standalone pages: each is a single file of HTML that needs no scripts and no other files.

One is about the differences between two games, the other about a game at a grid of settings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from oddsmith.base.exact import Number
from oddsmith.base.resources import style_text
from oddsmith.publish.charts.drawing import chart_html
from oddsmith.publish.charts.lines import Series, draw_lines
from oddsmith.publish.markup.html import Html, cell, column_header, esc, join_html, row_header, table, tag
from oddsmith.report.english import capital, plain_name, sentence
from oddsmith.report.policy import DecisionChange, Difference

MAX_SERIES = 4  # lines that one picture can tell apart
PLACES = 4
Point = tuple[Mapping[str, Any], Mapping[str, Any] | None, str]
"""A point of the grid: its settings, its results as ``report.policy.sweep_point_data`` returns them, and the reason why
there are none.
"""
_PAGE = """\
<!doctype html>
<html lang="en" data-md-color-scheme="default">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{style}
</style>
</head>
<body class="md-typeset">
{body}
</body>
</html>
"""
_OWN = """\
body { background: var(--md-default-bg-color); color: var(--md-typeset-color); font: 1rem/1.6 var(--od-sans); margin: 0 auto;
  max-width: 60rem; padding: 1rem; }
h1, h2 { font-family: var(--od-serif); line-height: 1.2; }
.md-typeset table.od-table { border-collapse: collapse; font-size: .9rem; }
.md-typeset .od-table td, .md-typeset .od-table th { padding: .3rem .7rem; }
"""


def standalone_page(title: str, parts: Iterable[Html]) -> bytes:
    """Return a standalone page with the heading ``title``."""
    style = "\n".join(style_text(name) for name in ("palettes.css", "oddsmith.css"))
    body = join_html([tag("h1", title), *parts], "\n")
    return _PAGE.format(title=esc(title), style=style + _OWN, body=body).encode()


def changes_page(title: str, difference: Difference, action_text: Callable[[str], str] = str) -> bytes:
    """Return the page about the differences between two games: in rules, values, lengths and decisions, and the loss of
    a seat that keeps its old strategy.

    ``action_text``: a function from the name of an action to its words.
    """
    return standalone_page(title, _difference_parts(difference, action_text))


def _difference_parts(difference: Difference, action_text: Callable[[str], str]) -> Iterator[Html]:
    yield tag("h2", "Rules")
    if difference.rules:
        head = [column_header("where"), column_header("before"), column_header("after")]
        rows = [
            [row_header(each.location), cell(_setting_value_text(each.before)), cell(_setting_value_text(each.after))]
            for each in difference.rules
        ]
        yield table("What changed in the rules and the settings.", head, rows)
    else:
        yield tag("p", "The rules and the settings are the same.")
    yield tag("h2", "What each seat gets")
    named = list(zip(difference.seats, difference.values, strict=True))
    yield _before_after_table("The values of the seats if all play best.", "seat", named)
    if difference.lengths:
        yield tag("h2", "How long a game is")
        yield _before_after_table("Means under best play.", "length", list(difference.lengths.items()))
    if difference.choices:
        yield tag("h2", "What to do")
    for moved in difference.choices:
        yield from _decision_change_parts(moved, action_text)
    if difference.loyal_value is not None:
        yield tag("p", sentence(difference.loyal_words(PLACES)))
    yield from (tag("p", sentence(note)) for note in difference.notes)


def _before_after_table(
    caption: str, row_heading: str, before_and_after_by_name: Sequence[tuple[str, tuple[Number | None, Number | None]]]
) -> Html:
    head = [column_header(text) for text in (row_heading, "before", "after", "change", "")]
    rows = []
    for name, (before, after) in before_and_after_by_name:
        change = None if before is None or after is None else after - before
        sure = [number.grade for number in (before, after) if number is not None]
        cells = [
            _number_text(before),
            _number_text(after),
            _number_text(change, with_sign=True),
            " and ".join(dict.fromkeys(sure)),
        ]
        rows.append([row_header(capital(name)), *map(cell, cells)])
    return table(caption, head, rows)


def _decision_change_parts(change: DecisionChange, action_text: Callable[[str], str]) -> Iterator[Html]:
    name, _, words = change.words.partition(": ")
    yield tag("p", tag("strong", capital(name)), f": {sentence(words)}")
    if change.examples:
        head = [column_header("position"), column_header("before"), column_header("now")]
        rows = [
            [row_header(each.position), cell(action_text(each.action_before)), cell(action_text(each.action_after))]
            for each in change.examples
        ]
        yield table(f"Decisions of {plain_name(change.phase)} that moved.", head, rows)


def _number_text(number: Number | None, with_sign: bool = False) -> str:
    if number is None:
        return "–"
    text = number.decimal(PLACES)
    return f"+{text}" if with_sign and number.lower > 0 else text


def _setting_value_text(value: object) -> str:
    return "–" if value is None else str(value)


def grid_page(
    title: str, varied_names: Sequence[str], points: Sequence[Point], records: Sequence[Mapping[str, Any]]
) -> bytes:
    """Return the page of a sweep: a table with a row for each game and, if the first varied parameter is a number,
    charts over it. ``varied_names``: the names of what is varied. ``records``: the rows of the table.
    """
    return standalone_page(title, _grid_parts(varied_names, points, records))


def _grid_parts(
    varied_names: Sequence[str], points: Sequence[Point], records: Sequence[Mapping[str, Any]]
) -> Iterator[Html]:
    drawn = [
        picture for picture in (_values_chart(varied_names, points), _lengths_chart(varied_names, points)) if picture
    ]
    if drawn:
        yield tag("div", *drawn, cls="od-charts")
    names = [name for name in records[0] if name != "problem" and not name.endswith("_exact")]
    head = [column_header("positions" if name == "states" else plain_name(name)) for name in names]
    rows = []
    for record in records:
        first, *rest = ("–" if record[name] is None else str(record[name]) for name in names)
        rows.append([row_header(first), *map(cell, rest)])
    yield table("Every setting. Values and lengths are those of best play.", head, rows)
    failed = [record for record in records if record["problem"]]
    for record in failed:
        where = ", ".join(f"{plain_name(name)} {record[name]}" for name in varied_names)
        yield tag("p", f"{where}: {record['problem']}")


def _values_chart(varied_names: Sequence[str], points: Sequence[Point]) -> Html | None:
    """Return a chart of the values to seats by the first setting that varies: to all seats if no other setting varies,
    else to seat 1 for each combination of the other settings.
    """
    if len(varied_names) == 1:
        seats = max((len(data["values"]) for _, data, _ in points if data), default=0)
        asked = {
            f"seat {seat}": (lambda data, at=seat - 1: _value_or_none(data["values"], at))
            for seat in range(1, seats + 1)
        }
        return _line_chart(varied_names, points, asked, "value", "What each seat gets")
    return _line_chart(
        varied_names,
        points,
        {"": lambda data: _value_or_none(data["values"], 0)},
        "value of seat 1",
        "What seat 1 gets",
    )


def _lengths_chart(varied_names: Sequence[str], points: Sequence[Point]) -> Html | None:
    asked = {"": lambda data: data["lengths"].get("turns")}
    return _line_chart(varied_names, points, asked, "turns", "How many turns a game takes")


def _value_or_none(values: Sequence[Any], index: int) -> Any:
    return values[index] if index < len(values) else None


def _line_chart(
    varied_names: Sequence[str], points: Sequence[Point], readers_by_line: Mapping[str, Any], y_label: str, subject: str
) -> Html | None:
    across, *others = varied_names
    found: dict[str, list[tuple[int, Number]]] = {}
    for settings, data, _ in points:
        x = settings[across]
        if data is None or isinstance(x, bool) or not isinstance(x, int):
            continue
        beside = ", ".join(f"{plain_name(name)} {settings[name]}" for name in others)
        for name, read in readers_by_line.items():
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
    words = f"{subject}, by {plain_name(across)}: {'; '.join(ranges)}"
    left = len(long) - len(drawn)
    words += f". {left} more lines are in the table only." if left else "."
    series = [Series(name, [x for x, _ in long[name]], [float(up) for _, up in long[name]]) for name in drawn]
    return chart_html(draw_lines(series, plain_name(across), y_label, words))
