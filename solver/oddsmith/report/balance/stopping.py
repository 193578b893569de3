"""Decisions between ending the turn and rolling once more, and in words when that pays."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from oddsmith.ruleset import Game
from oddsmith.ruleset.model import Entry, Phase, RollPhase, ToPhase


@dataclass(frozen=True)
class OneMore:
    """A decision between stopping and rolling in words.

    ``formulas``: when one more roll pays, where that holds, and how many decisions lie there, that with most first.
    ``decisions``: how many there are.
    """

    stop: str
    throw: str
    formulas: tuple[tuple[str, tuple[str, ...], int], ...]
    decisions: int


def pairs(game: Game, phase: Phase) -> Iterator[tuple[Entry, Entry]]:
    """Options that end the turn with options that lead to a roll, without choices of what with."""
    plain = [entry for entry in phase.entries if not entry.loops]
    for stop in plain:
        for throw in plain:
            to = game.ruleset.phases[throw.then.phase] if isinstance(throw.then, ToPhase) else None
            if not isinstance(stop.then, ToPhase) and isinstance(to, RollPhase):
                yield stop, throw
