"""Safe HTML, and numbers as text for people. ``esc`` escapes every text of a ruleset exactly once."""

from oddsmith.publish.markup.html import (
    Html,
    cell,
    column_header,
    esc,
    html_with_code,
    join_html,
    row_header,
    table,
    tag,
    title_text,
)
from oddsmith.publish.markup.numbers import amount_text

__all__ = [
    "Html",
    "amount_text",
    "cell",
    "column_header",
    "esc",
    "html_with_code",
    "join_html",
    "row_header",
    "table",
    "tag",
    "title_text",
]
