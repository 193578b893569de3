"""What happens in a game with secrets, in words: all that each seat may know of a move, and no more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from oddsmith.ruleset import Game, ObservedMove, ObservedPosition, PossibleMoves
from oddsmith.solve.extensive import learned_words

OUTSIDE = -1
"""No seat, for whom the choices of all seats are those of others, and named by seat."""
FIELDS = {"thrown": 2, "chose": 4, "revealed": 2}
"""The fields of an observation that is put into words. What follows them are the seats that make it."""


@dataclass(frozen=True)
class LoggedMove:
    """One move of a game.

    ``before``: the position before it. ``moves``: all that was possible there. ``event``: what happened. ``asked``:
    whether a person was asked for it, and so knows it.
    """

    game: Game
    before: ObservedPosition
    moves: PossibleMoves
    event: ObservedMove
    asked: bool = False

    def seen_by(self, seat: int) -> list[str]:
        """Return, in words, what a seat may know of the move when it happens, without a choice for which it was asked.

        That another seat rolls, draws or chooses is known from the phase, so it is said, without the result.
        """
        together = self._simultaneous()
        known = self._observations(seat)
        own = self.asked and seat == self.moves.seat and not together
        lines = self._in_words([each for each in known if not own or each[0] != "chose"])
        if together or seat == self.moves.seat or any(kind in ("thrown", "chose") for kind, *_ in known):
            return lines
        return [f"{self._who()}: a {self._what()} that stays covered", *lines]

    def in_full(self) -> list[str]:
        """Return, in words, everything that happened. Simultaneous choices are told with the last of them."""
        if self._pending():
            return []
        found: list[Any] = [] if self.moves.seat is not None else [("thrown", self.event.label)]
        for seat in range(self.game.seats):
            known = [each for each in self._observations(seat) if each[0] != "thrown"]
            found += (Counter(known) - Counter(found)).elements()
        return self._in_words(sorted(found, key=lambda each: each[0] == "revealed"))

    def hidden_from(self, seat: int) -> bool:
        """Return whether something of the move is not shown to a seat when it happens."""
        return bool(Counter(self.in_full()) - Counter(replace(self, asked=False).seen_by(seat)))

    def _observations(self, seat: int) -> list[tuple[Any, ...]]:
        """Return what a seat observes, as it is put into words: without the seats that observe it."""
        seen = cast("Sequence[tuple[Any, ...]]", self.event.seen[seat])
        if self._pending():
            return []  # all choices are shown with the last of them
        return [each[: FIELDS[each[0]]] for each in seen if each[0] in FIELDS]

    def _simultaneous(self) -> bool:
        return self.game.ruleset.phases[self.before.state.phase].kind == "together"

    def _pending(self) -> bool:
        """Return whether this is a simultaneous choice that is not yet shown."""
        return self.event.common == ()

    def _in_words(self, observations: Sequence[tuple[Any, ...]]) -> list[str]:
        return [
            f"{self._lead(kind)}{words}"
            for kind, *what in observations
            for words in learned_words(self.game, OUTSIDE, self.before, ((kind, *what),))
        ]

    def _lead(self, kind: str) -> str:
        if kind == "thrown":
            return f"{self._who()} {self._what()}s "
        return "shown: " if kind == "revealed" else ""

    def _who(self) -> str:
        return self.game.ruleset.seat_name(self.before.state.mover)

    def _what(self) -> str:
        if self.moves.seat is not None:
            return "choice"
        kinds = {each.kind for each in self.game.ruleset.phases[self.before.state.phase].rolls_and_draws}
        return "draw" if kinds == {"draw"} else "roll"
