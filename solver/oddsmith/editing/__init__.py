"""What an editor can say of a text while somebody types: what may stand at a place, what each word names, and new names.

A text is read as far as it can be (``reading``). The schema says what may stand where (``allowed``), and ``uses`` what each
word names. It serves the editors that ask ``lsp``, and the page on which readers change a game. Nothing here loads arrays.
"""

from oddsmith.editing.completing import Item, completions, filled
from oddsmith.editing.reading import Page, cursor_of, is_ruleset, page_of
from oddsmith.editing.renaming import definition, nameable, references, renamed
from oddsmith.editing.showing import hover
from oddsmith.editing.uses import Index

__all__ = [
    "Index",
    "Item",
    "Page",
    "completions",
    "cursor_of",
    "definition",
    "filled",
    "hover",
    "is_ruleset",
    "nameable",
    "page_of",
    "references",
    "renamed",
]
