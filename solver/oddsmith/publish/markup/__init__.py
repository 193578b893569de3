"""Safe HTML, and numbers as text for people. ``esc`` escapes every text of a ruleset exactly once."""

from oddsmith.publish.markup.html import Html, cell, column_header, esc, join, row_header, table, tag, title, with_code
from oddsmith.publish.markup.numbers import amount

__all__ = ["Html", "amount", "cell", "column_header", "esc", "join", "row_header", "table", "tag", "title", "with_code"]
