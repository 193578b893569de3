"""Fills the placeholders in a text that a person wrote for a ruleset, under the keys ``told`` and ``remember``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from oddsmith.expr import compiled
from oddsmith.report.english.words import joined, plain_name
from oddsmith.ruleset import Game
from oddsmith.ruleset.model import Board, ComputedValue, SolvedNumber, Wording, with_unit

_TIMES = {2: "twice", 3: "three times", 4: "four times", 5: "five times", 6: "six times"}


def filled_wording(
    wording: Wording, game: Game, number: Callable[[SolvedNumber], str | None] = lambda _: None
) -> str | None:
    """Return a wording with its placeholders filled in for a game.

    ``number``: a function that returns the text of a number of the solution, or None if there is no such number. Return
    None if any placeholder has no text.
    """
    parts = [_part_text(part, game, number) for part in wording.parts]
    return None if None in parts else "".join(map(str, parts)).strip()


def _part_text(
    part: str | ComputedValue | Board | SolvedNumber, game: Game, number: Callable[[SolvedNumber], str | None]
) -> str | None:
    match part:
        case str():
            return part
        case ComputedValue(tree):
            value = compiled(tree)(game.context(game.start))
            shown = f"{value:,}" if isinstance(value, int) else plain_name(game.value_text(value))
            return with_unit(shown.replace("-", "−"), value, part.forms)
        case Board(name):
            return _board_text(name, game)
        case SolvedNumber():
            return number(part)


def _board_text(name: str, game: Game) -> str:
    """Return a die as its faces, a map as pairs, and a list as its items."""
    if name in game.dice:
        die = game.dice[name]
        faces = Counter[str]()
        for face, weight in zip(die.faces, die.weights, strict=True):
            faces[game.face(die.kind, face)] += weight
        return joined(
            [f"{face} ({_TIMES.get(ways, f'{ways} times')})" if ways > 1 else face for face, ways in faces.items()]
        )
    if name in game.ruleset.maps:
        return joined(
            [f"{game.value_text(key)} to {game.value_text(value)}" for key, value in game.static[name].items()]
        )
    return joined([game.value_text(item) for item in game.static[name]])
