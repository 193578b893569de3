"""What a ruleset says of an entry, filled in for a position."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from oddsmith.errors import Broken
from oddsmith.expr.evaluation import Moment, compiled
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.model import Computed, Sentence, counted

Says = Callable[[Moment], str | None]
Said = tuple[str, str | None]
"""The name of an entry, empty where it is of none, and its words; None where it has none."""


def sentences(said: Iterable[Said]) -> str:
    """What there is to tell: words, and the names of entries that have none."""
    told = ((f"{name}." if name else "") if words is None else words for name, words in said)
    return " ".join(each[:1].upper() + each[1:] for each in told if each)


def saying(words: Sentence | None, game: Game) -> Says:
    """Words as a function of a moment. None: there are no words, or a value in them cannot be worked out there."""
    if words is None:
        return lambda _: None
    parts = [_part(part, game) if isinstance(part, Computed) else part for part in words]

    def says(m: Moment) -> str | None:
        try:
            return "".join(part if isinstance(part, str) else part(m) for part in parts)
        except Broken:
            return None

    return says


def _part(part: Computed, game: Game) -> Callable[[Moment], str]:
    worth, kind = compiled(part.tree), part.tree.type.kind

    def shown(found: Any) -> str:
        if kind == "seat":
            return game.ruleset.player(found)
        if kind == "flag":
            return "yes" if found else "no"
        text = game.show(found)
        return text.replace("_", " ") if kind == "word" else text.replace("-", "\N{MINUS SIGN}")

    def told(m: Moment) -> str:
        value = worth(m)
        return counted(shown(value), value, part.forms)

    return told
