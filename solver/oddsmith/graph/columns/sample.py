"""One random step of play for each state of a block. Rolls are drawn at random, and a policy makes the choices."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from oddsmith.base.arrays import Ints, Mask, cumsum
from oddsmith.graph.columns.block import PositionBlock, RuleFailureInBlock
from oddsmith.graph.columns.codec import Codec
from oddsmith.graph.columns.expand import Expander, repeat_for_rolls
from oddsmith.graph.columns.symbolic import Option, SymbolicRules
from oddsmith.ruleset import Game

Chooser = Callable[[PositionBlock, Sequence[Option], Mask], Ints]
"""A policy: it returns for every position of a block the index of the option to take.

The mask says which options are legal, shape (options, positions).
"""


class UniformIntegers:
    """Uniform random integers, the same on every machine, because they come from the raw bits of a generator.

    ``seed`` and ``stream``: the key of the generator. Numbers of different streams are independent.
    """

    WHOLE = 1 << 62

    def __init__(self, seed: int, stream: int) -> None:
        self.bits = np.random.Philox(key=[seed, stream])

    def below(self, bounds: Ints) -> Ints:
        """Return for each bound a uniform random integer from 0 to just below the bound, without bias."""
        drawn = self._draw(len(bounds))
        fair = self.WHOLE // bounds * bounds
        while (late := np.flatnonzero(drawn >= fair)).size:
            drawn[late] = self._draw(len(late))
        return drawn % bounds

    def _draw(self, count: int) -> Ints:
        """Return uniform integers of 62 bits."""
        return (self.bits.random_raw(count) >> np.uint64(2)).astype(np.int64)


class Sampler(Expander):
    """Draws one successor of each state of a block at random.

    ``uniform`` draws the results of rolls, and ``choose`` is the policy of the players.
    """

    def __init__(self, game: Game, codec: Codec, symbolic: SymbolicRules, choose: Chooser) -> None:
        super().__init__(game, codec, symbolic)
        self.uniform, self.choose = UniformIntegers(0, 0), choose

    def _blocks_after_roll(self, block: PositionBlock) -> Iterator[PositionBlock]:
        """Yield the blocks after one random result of each position."""
        for part, rolls in self.parts_with_rolls(block):
            sums = []  # of the weights of each class and those before it: shape (classes, positions), or (classes, 1)
            for classes in rolls:
                weights = classes.weights[:, None]
                if classes.counts:
                    every = repeat_for_rolls(part, classes, slice(None))
                    for count in classes.counts:
                        weights = weights * every.as_column(every.column(count)).reshape(-1, part.count)
                sums.append(cumsum(weights, axis=0))
            total = np.zeros(part.count, dtype=np.int64)
            for each in sums:
                total += each[-1]
            if not total.all():  # a draw from an empty bag
                raise RuleFailureInBlock(int(part.sources[np.argmin(total)]))
            drawn = self.uniform.below(total)
            for classes, each in zip(rolls, sums, strict=True):
                rows = np.flatnonzero((drawn >= 0) & (drawn < each[-1]))
                if rows.size:
                    if each.shape[1] == 1:  # the same for all positions
                        number = np.searchsorted(each[:, 0], drawn[rows], side="right")
                    else:
                        number = (each[:, rows] <= drawn[rows]).sum(axis=0)
                    rolled = part.take(rows).with_fields(
                        marks=part.marks | classes.event_bits,
                        slots=classes.slots[:, number] if len(classes.slots) else None,
                    )
                    yield from self._carry_out_first_match(rolled, classes.branches, merge_rolls=False)
                drawn -= each[-1]

    def _blocks_after_choice(self, block: PositionBlock) -> Iterator[PositionBlock]:
        """Yield the blocks after the option that the policy takes in each position."""
        for part, options in self.parts_with_options(block):
            legal = np.array([part.condition_mask(option.branch.guard) for option in options]).reshape(-1, part.count)
            if not legal.any(axis=0).all():
                raise RuleFailureInBlock(int(part.sources[np.argmin(legal.any(axis=0))]))
            places = self.choose(part, options, legal)
            for place in np.unique(places).tolist():
                chosen = part.select(places == place)
                assert chosen
                yield from self._carry_out_entry(chosen, options[place].branch, merge_rolls=True)
