"""Tables as data frames if pandas or polars is installed, else as lists of records; and tables as HTML for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from typing import Any

from oddsmith.base.errors import ExportError
from oddsmith.base.exact import plural

FRAMES = ("pandas", "polars")
MAX_NOTEBOOK_LINES = 40  # lines of a table in a notebook


class Records(list[dict[str, Any]]):
    """A table as a list of records, one for each line. A notebook shows it as a table."""

    def _repr_html_(self) -> str:
        return html_table(list(self[0]) if self else [], [list(record.values()) for record in self])


def make_table(column_names: Sequence[str], rows: Iterable[Sequence[Any]], table_kind: str | None = None) -> Any:
    """Return a table: a pandas ``DataFrame`` if pandas is installed, else one of polars if polars is installed, else
    ``Records``.

    ``column_names``: the names of the columns. ``rows``: the values of each line. ``table_kind``: the type to return
    instead: ``pandas``, ``polars`` or ``records``. Raises ExportError for any other kind, and for a library that is not
    installed.
    """
    if table_kind not in (None, "records", *FRAMES):
        raise ExportError(f"there is no table of the kind {table_kind}: take records, {' or '.join(FRAMES)}")
    table_kind = table_kind or next((name for name in FRAMES if find_spec(name) is not None), "records")
    if table_kind == "records":
        return Records(dict(zip(column_names, line, strict=True)) for line in rows)
    held = list(rows)
    columns = {name: [line[place] for line in held] for place, name in enumerate(column_names)}
    try:
        return import_module(table_kind).DataFrame(columns)
    except ImportError:
        raise ExportError(f"{table_kind} is not installed: pip install {table_kind}") from None


def table_of_records(records: Sequence[dict[str, Any]], table_kind: str | None = None) -> Any:
    """Return one or more records as a table, of one of the types that ``make_table`` returns.

    ``table_kind``: as for ``make_table``. Raises ExportError.
    """
    return make_table(list(records[0]), [list(record.values()) for record in records], table_kind)


# --- for notebooks: every text is escaped, because rulesets come from anybody


def html_table(column_names: Sequence[str], rows: Sequence[Sequence[Any]], row_noun: str = "line") -> str:
    """Return an HTML table of the first MAX_NOTEBOOK_LINES lines, followed by the number of further lines.

    ``column_names``: the heads of the columns. ``row_noun``: the singular noun for a further line.
    """
    body = "".join(_html_row(line, "td") for line in islice(rows, MAX_NOTEBOOK_LINES))
    left = len(rows) - MAX_NOTEBOOK_LINES
    more = f"<p>and {plural(left, f'more {row_noun}')}</p>" if left > 0 else ""
    return f"<table><thead>{_html_row(column_names, 'th')}</thead><tbody>{body}</tbody></table>{more}"


def html_heading(text: str) -> str:
    """Return a text as an HTML heading."""
    return f"<p><strong>{escape(text)}</strong></p>"


def html_list(items: Iterable[str]) -> str:
    """Return lines of text as an HTML list."""
    return f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in items)}</ul>"


def _html_row(cells: Iterable[Any], tag: str) -> str:
    """Return a row of an HTML table. ``tag``: the HTML tag of each cell."""
    return "<tr>" + "".join(f"<{tag}>{escape(_cell_text(cell))}</{tag}>" for cell in cells) + "</tr>"


def _cell_text(cell: Any) -> str:
    """Return the value of a cell as text: None as an empty text, a flag as ``true`` or ``false``."""
    if isinstance(cell, bool):
        return str(cell).lower()
    return "" if cell is None else str(cell)
