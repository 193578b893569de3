"""What only grows in a game, or only falls: by that, play runs through stages and never comes back to one it has left.

A variable only grows if every effect of the rules that writes it adds what its range shows to be no less than 0, moves
something into it, or sets it to the most that it can be. It only falls if every such effect does the opposite, or draws from
it. Nothing else writes a number or a flag but a reset, and what is reset is not counted. Seats that are out stay out, so
their number grows.

The *stage* of a position is the sum of what grows, less the sum of what falls, counted from the least that it can be. A sum
does not change if seats turn or members of a family change places, so it is the same for all positions of one state. It
never falls from one position to the next. So a component lies within one stage, and all that leaves a stage goes to later
ones. A variable whose cells a key leaves out in some phase would seem to jump back there, so it is not counted.

Within a stage nothing changes that is counted, but that seats turn and members change places. So positions that differ in
what the cells of such a variable hold, in whatever order, cannot lead to one another: they lie in different *parts*.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import assert_never

import numpy as np

from oddsmith.arrays import Ints
from oddsmith.expr import Expr
from oddsmith.expr.analysis import Range, Ranger
from oddsmith.graph.columns import Codec
from oddsmith.ruleset import Game
from oddsmith.ruleset.checking import bounds_of
from oddsmith.ruleset.model import Add, Draw, Drop, Effect, ForItems, ForSeats, If, Let, Move, Set

GROWS, FALLS = 1, -1
WIDE = 0x9E3779B1  # odd: numbers that wrap around stay apart as far as possible
EITHER = frozenset((GROWS, FALLS))


@dataclass(frozen=True)
class Stages:
    """Variables that only grow (1) or only fall (-1), and whether seats that are out count as well."""

    codec: Codec
    ways: dict[str, int]
    out: bool

    def __str__(self) -> str:
        grows = [name for name, way in self.ways.items() if way == GROWS]
        falls = [name for name, way in self.ways.items() if way == FALLS]
        told = [f"what only {how}: {', '.join(names)}" for names, how in ((grows, "grows"), (falls, "falls")) if names]
        return "; ".join(told + ["seats that are out stay out"] * self.out)

    @property
    def most(self) -> int:
        """The greatest stage that there could be."""
        spans = [cell.most - cell.least for cell in self.codec.game.cells if cell.variable.name in self.ways]
        return sum(spans) + (self.codec.game.seats - 1) * self.out

    def of(self, keys: Ints) -> Ints:
        """The stage of each key, from 0. ``keys``: shape (words, states)."""
        cells, _, out = self.codec.decode(keys)
        stage = np.zeros(keys.shape[1], dtype=np.int64)
        for where, cell in enumerate(self.codec.game.cells):
            way = self.ways.get(cell.variable.name)
            if way is not None:
                stage += cells[where] - cell.least if way == GROWS else cell.most - cells[where]
        if self.out:
            for seat in range(self.codec.game.seats):
                stage += out >> seat & 1
        return stage

    def parts(self, keys: Ints) -> Ints:
        """Numbers of some keys of one stage, of shape (words, states), that tell its parts apart.

        Numbers that do not fit wrap around. Parts that then have the same one are taken for a single part.
        """
        cells, _, out = self.codec.decode(keys)
        part = np.zeros(keys.shape[1], dtype=np.int64)
        for name in self.ways:
            for held in np.sort([cells[where] for where in self.codec.game.cells_of(name)], axis=0):
                part = part * WIDE + held
        for seat in range(self.codec.game.seats if self.out else 0):
            part += out >> seat & 1
        return part


def find_stages(codec: Codec) -> Stages | None:
    """The stages of a game, by its rules; None where nothing only grows or only falls."""
    game = codec.game
    told = frozenset.intersection(*(frozenset(_told(codec, phase)) for phase in codec.phases))
    ways = _ways(game)
    found = {
        name: next(iter(sorted(ways[name], reverse=True)))
        for name, variable in game.ruleset.state.items()
        if len(ways[name]) == 1 and not variable.resets and told.issuperset(game.cells_of(name))
    }
    return Stages(codec, found, game.drops) if found or game.drops else None


def _told(codec: Codec, phase: str) -> Iterable[int]:
    """The cells that the keys of a phase tell, or that follow from them."""
    return (where for where in range(len(codec.game.cells)) if where not in codec.left_out[phase])


def _ways(game: Game) -> dict[str, frozenset[int]]:
    """In which ways each variable may move on, for all that effects do to it: both where nothing ever writes it."""
    kinds = {name: variable.kind for name, variable in game.ruleset.state.items()}
    ways = {name: EITHER if kind in ("number", "flag") else frozenset[int]() for name, kind in kinds.items()}
    ranger, bounds = Ranger(lambda problem: None), bounds_of(game)

    def reach(tree: Expr) -> Range:
        return ranger.range(tree, bounds)

    for throw in (throw for phase in game.ruleset.phases.values() for throw in phase.throws):
        if isinstance(throw, Draw):
            ways[throw.bag] &= {FALLS}
    for effect in game.effects:
        for name, left in _left(effect, game, reach):
            ways[name] &= left
    return ways


def _left(effect: Effect, game: Game, reach: Callable[[Expr], Range]) -> Iterable[tuple[str, frozenset[int]]]:
    """Which ways an effect leaves to the variables that it writes."""
    match effect:
        case Add():
            amount = reach(effect.amount)
            yield effect.target.name, frozenset([GROWS] * (amount.low >= 0) + [FALLS] * (amount.high <= 0))
        case Move():
            if effect.target:
                yield effect.target.name, frozenset((GROWS,))
            if effect.source:
                yield effect.source.name, frozenset((FALLS,))
        case Set():
            value, cells = reach(effect.amount), [game.cells[where] for where in game.cells_of(effect.target.name)]
            most, least = max(cell.most for cell in cells), min(cell.least for cell in cells)
            yield effect.target.name, frozenset([GROWS] * (value.low >= most) + [FALLS] * (value.high <= least))
        case Let() | Drop() | If() | ForSeats() | ForItems():
            pass  # what lies inside it is an effect of the game too
        case _:
            assert_never(effect)
