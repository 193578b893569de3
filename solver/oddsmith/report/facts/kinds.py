"""The kinds of best play in words: one table, which the command line, the pages and the tests read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from oddsmith.solve import Kind, Solution
from oddsmith.solve.stages import Staged

_EQUILIBRIUM = (
    "This is an equilibrium: when everybody plays by this table, nobody gains by departing from it in any position. "
)


@dataclass(frozen=True, slots=True)
class KindOfPlay:
    """``line``: after a solution on a terminal. ``sentence``: on a page. ``cell``: in a table of settings."""

    line: str
    sentence: str
    cell: str


WAITING = KindOfPlay(
    "best play of two seats whose values always sum to the same, among ways of playing that end",
    "This is best play of two players whose values always add up to the same, among ways of playing that end. "
    "Where both of them would rather wait, other values are possible.",
    "best play that ends",
)
"""Of two seats of whom one alone could keep the game from ending: an equilibrium among ways of playing that end need not be the
only one."""


KINDS: Mapping[Kind, KindOfPlay] = {
    "optimal": KindOfPlay("best play of one seat", "This is best play of one player.", "the best there is"),
    "zero-sum": KindOfPlay(
        "best play of two seats whose values always sum to the same: the only values there are",
        "This is best play of two players whose values always add up to the same, so no other values are possible.",
        "the only values there can be",
    ),
    "symmetric": KindOfPlay(
        "an equilibrium in pure play, the same for every seat, verified in every position",
        f"{_EQUILIBRIUM}It is pure, and the same for every seat.",
        "an equilibrium, seats alike",
    ),
    "pure-by-seat": KindOfPlay(
        "an equilibrium in pure play that depends on the seat, verified in every position",
        f"{_EQUILIBRIUM}It is pure, and depends on the seat.",
        "an equilibrium by seat",
    ),
    "mixed": KindOfPlay(
        "an equilibrium in which a player mixes actions, verified in every position",
        f"{_EQUILIBRIUM}In some positions the player decides by chance between several actions.",
        "an equilibrium, partly by chance",
    ),
    "named": KindOfPlay(
        "named policies; seats without one play best against them",
        "Some seats play named policies. The other seats play best against them.",
        "as named",
    ),
}


def kind_of(solution: Solution | Staged) -> KindOfPlay:
    """What there is to say of a solution."""
    return WAITING if solution.kind == "zero-sum" and solution.waiting else KINDS[solution.kind]


def kind_told(sentence: str) -> KindOfPlay:
    """The kind of best play that a sentence tells of, as answers keep it."""
    return next(kind for kind in (*KINDS.values(), WAITING) if kind.sentence == sentence)
