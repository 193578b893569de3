"""What can be written at a place of a ruleset, for the editor of the page."""

from __future__ import annotations

import re

from oddsmith.answering import Message
from oddsmith.editing import Item, completions, cursor_of, filled
from oddsmith.location import Source
from oddsmith.playground.checked import FILE

MOST = 40
_SENTENCE = re.compile(r"^(?!\*\*|```).+?(?=[.:](?:\s|$)|$)", re.MULTILINE)


def completed(text: str, line: int, column: int) -> Message:
    """What can stand at a line and column, both counted from 1: ``offers``, the likeliest first.

    An offer has ``text``, which goes in from the column ``from`` on, its ``label``, and what it is ``about``.
    """
    source = Source(FILE, text)
    cursor = cursor_of(source, line - 1, column - 1)
    whole = source.lines[line - 1] if line <= len(source.lines) else ""
    lead, rest = whole[: column - 1], whole[column - 1 :]
    indent = lead[: len(lead) - len(lead.lstrip())]
    found = [
        {
            "label": item.label,
            "about": _about(item),
            "text": _put(item, indent).removesuffix(": " if rest.startswith(":") else ""),
            "from": column - item.replaced,
        }
        for item in (completions(cursor) if cursor else ())
        if _goes_on(item, lead)
    ]
    return {"offers": found[:MOST]}


def _goes_on(item: Item, lead: str) -> bool:
    """Whether an item begins as somebody has begun, and says more."""
    begun = lead[len(lead) - item.replaced :]
    return item.label.startswith(begun) and item.label != begun


def _put(item: Item, indent: str) -> str:
    """What goes into the text, its lines as far to the right as the one of the cursor."""
    return filled(item.insert).replace("\n", f"\n{indent}")


def _about(item: Item) -> str:
    """What is said of an item in a line: the first sentence of its documentation, without marks."""
    found = _SENTENCE.search(item.documentation)
    return found[0].replace("`", "") if found else item.detail
