"""Blocks split by the cells that must be known before something can be folded into plain columns.

A fold that meets a cell which it must know raises Needs. Then the block is split by what that cell holds, and each part is
tried again with the cell known, until nothing is missing. So no more cells are known than the rules ask for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from oddsmith.errors import Broken, Problem, RulesetError
from oddsmith.expr.analysis import Needs, View
from oddsmith.graph.columns.block import Block, Trouble
from oddsmith.graph.columns.codec import Codec
from oddsmith.graph.columns.symbolic import Symbolic
from oddsmith.limits import limits, raising

SAMPLE = 16  # values of a cell from which the work for all of them is foreseen

KnownCells = tuple[tuple[int, int], ...]


class Divider:
    """Folds the rules for parts of blocks, each with as few cells known as it takes, and keeps what was made.

    What is made depends on the phase, on who is out and on the cells that are known, so it serves all blocks that agree there.
    """

    def __init__(self, codec: Codec, symbolic: Symbolic) -> None:
        self.codec, self.symbolic = codec, symbolic
        self.made: dict[Any, Any] = {}

    def divide(
        self, block: Block, what: Any, make: Callable[[View], Any], given: KnownCells = ()
    ) -> Iterator[tuple[Block, Any]]:
        """The parts of a block, each with what ``make`` makes of a view in which some cells are known.

        ``what``: a name for that, under which it is kept. ``given``: cells that are known from the beginning. Raises Trouble
        where a rule breaks, and RulesetError where it would take too long.
        """
        made = self._made(block, what, make, given)
        if not isinstance(made, int):
            yield block, made
            return
        column = block.cell(made)
        ways = {code: tuple(sorted((*given, (made, code)))) for code in np.unique(column).tolist()}
        if len(ways) > 2 * SAMPLE:
            self._foresee(block, what, make, list(ways.values()), made)
        for code, known in ways.items():
            part = block.where(column == code)
            assert part
            yield from self.divide(part, what, make, known)

    def _made(self, block: Block, what: Any, make: Callable[[View], Any], given: KnownCells) -> Any:
        """What is made with some cells known, or the number of another cell that must be known."""
        key = (what, block.phase, block.out, given)
        if key not in self.made:
            view = self.symbolic.view({where: self.codec.value(where, code) for where, code in given}, block.out)
            try:
                self.made[key] = make(view)
            except Needs as needs:
                self.made[key] = min(needs.cells)
            except Broken:
                raise Trouble(int(block.sources[0])) from None
        return self.made[key]

    def _foresee(self, block: Block, what: Any, make: Callable[[View], Any], ways: list[KnownCells], cell: int) -> None:
        """RulesetError where a sample of the ways shows that going through all of them would take too long."""
        before = self.symbolic.worked
        for given in ways[:: len(ways) // SAMPLE]:
            try:
                self._made(block, what, make, given)
            except Trouble:
                return  # the parts tell which row it is
        work = before + (self.symbolic.worked - before) * len(ways) // SAMPLE
        if work <= limits().entries:
            return
        game = self.codec.game
        name, phase = game.cells[cell].name, game.ruleset.phases[block.phase]
        message = (
            f"what can be done in {phase.name} depends on {name}, which has {len(ways):,} values here: about {work:,} "
            f"entries would be computed one by one, over {limits().entries:,}"
        )
        hint = f"let {name} have fewer values, or loop over fewer items, {raising('entries')}"
        raise RulesetError([Problem("OD432", phase.location, message, hint)], game.ruleset.source)
