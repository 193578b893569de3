"""Help for an editor while somebody types: completions, the meaning of each word, and renaming.

``reading`` reads a text as far as possible. ``allowed`` finds what the schema allows at a place. ``uses`` finds what
each word names. Editors use this package through the command ``lsp``; the page on which readers change a game also uses
it. Nothing here imports NumPy.
"""

from typing import TYPE_CHECKING

from oddsmith.base.lazy import lazy_getattr

if TYPE_CHECKING:
    from oddsmith.editor.completing import Completion, completions, fill_snippet_defaults
    from oddsmith.editor.reading import cursor_at
    from oddsmith.editor.server import serve_editor

__all__ = ["Completion", "completions", "cursor_at", "fill_snippet_defaults", "serve_editor"]

_HOMES = {
    "completing": (
        "Completion",
        "completions",
        "fill_snippet_defaults",
    ),
    "reading": ("cursor_at",),
    "server": ("serve_editor",),
}
__getattr__ = lazy_getattr(__name__, {name: home for home, names in _HOMES.items() for name in names})
