"""Computes the answers for the page on which a reader changes a game, in the reader's browser.

At first, Python in the browser has only an interpreter and packages of pure Python, so nothing here may import NumPy
before a game is solved.
"""

from typing import TYPE_CHECKING

from oddsmith.base.lazy import lazy_getattr
from oddsmith.browser.checked import check_messages, completion_message
from oddsmith.browser.packing import ruleset_archive

if TYPE_CHECKING:
    from oddsmith.browser.files import PYODIDE, playground_files
    from oddsmith.browser.solving import BrowserSolver, lint_text

__all__ = [
    "PYODIDE",
    "BrowserSolver",
    "check_messages",
    "completion_message",
    "lint_text",
    "playground_files",
    "ruleset_archive",
]

_HOMES = {
    "files": (
        "PYODIDE",
        "playground_files",
    ),
    "solving": ("BrowserSolver", "lint_text"),
}
__getattr__ = lazy_getattr(__name__, {name: home for home, names in _HOMES.items() for name in names})
