"""What the solution says, beside the lines that it is about: the values at the title, the thresholds at each phase."""

from __future__ import annotations

from lsprotocol import types

from oddsmith.editing import Page
from oddsmith.lsp.examining import Told

OLD = "before the last edit: "
SHOWN = 2  # lines of one phase


def lines(page: Page, told: Told | None, old: bool) -> list[tuple[int, str]]:
    """Lines of the text (from 0), and what is said of each. ``old``: the text has changed since."""
    if told is None:
        return []
    lead = OLD if old else ""
    found = []
    title, phases = page.root.keys.get("title"), page.root.get("phases")
    if title is not None:
        found.append((title.location.line - 1, lead + told.title))
    for name, key in phases.keys.items() if phases else ():
        said = told.phases.get(str(name), ())
        more = ("...",) if len(said) > SHOWN else ()
        found += [(key.location.line - 1, lead + "; ".join((*said[:SHOWN], *more)))] if said else []
    return found


def lenses(said: list[tuple[int, str]]) -> list[types.CodeLens]:
    """A line of its own above each."""
    start = [(types.Position(line, 0), words) for line, words in said]
    return [types.CodeLens(types.Range(at, at), types.Command(words, "")) for at, words in start]


def hints(said: list[tuple[int, str]], texts: tuple[str, ...]) -> list[types.InlayHint]:
    """Behind the end of each line, for editors without such lines."""
    return [
        types.InlayHint(types.Position(line, len(texts[line])), words, padding_left=True)
        for line, words in said
        if line < len(texts)
    ]
