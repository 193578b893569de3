"""Help for an editor while somebody types: what may stand at a place, what each word names, and new names.

A text is read as far as it can be (``reading``). The schema says what may stand where (``allowed``), and ``uses`` what each
word names. It serves the editors that ask ``lsp``, and the page on which readers change a game. Nothing here loads arrays.
"""

from typing import TYPE_CHECKING

from oddsmith.base.lazy import later

if TYPE_CHECKING:
    from oddsmith.editor.completing import Item, completions, filled
    from oddsmith.editor.reading import cursor_of
    from oddsmith.editor.server import start

__all__ = ["Item", "completions", "cursor_of", "filled", "start"]

_HOMES = {
    "completing": (
        "Item",
        "completions",
        "filled",
    ),
    "reading": ("cursor_of",),
    "server": ("start",),
}
__getattr__ = later(__name__, {name: home for home, names in _HOMES.items() for name in names})
