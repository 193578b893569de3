"""Help for an editor while somebody types: completions, the meaning of each word, and renaming.

``reading`` reads a text as far as possible. ``allowed`` finds what the schema allows at a place. ``uses`` finds what
each word names. Editors use this package through the command ``lsp``; the page on which readers change a game also uses
it. Nothing here imports NumPy.
"""

from typing import TYPE_CHECKING

from oddsmith.base.lazy import lazy_getattr

if TYPE_CHECKING:
    from oddsmith.editor.completing import Item, completions, fill_snippet
    from oddsmith.editor.reading import cursor_of
    from oddsmith.editor.server import start

__all__ = ["Item", "completions", "cursor_of", "fill_snippet", "start"]

_HOMES = {
    "completing": (
        "Item",
        "completions",
        "fill_snippet",
    ),
    "reading": ("cursor_of",),
    "server": ("start",),
}
__getattr__ = lazy_getattr(__name__, {name: home for home, names in _HOMES.items() for name in names})
