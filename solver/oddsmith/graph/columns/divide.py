"""Blocks split by the cells that must be known before something can be folded into plain columns."""

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
    """Makes things of views, each once, with as few cells known as it needs."""

    def __init__(self, codec: Codec, symbolic: Symbolic) -> None:
        self.codec, self.symbolic = codec, symbolic
        self.made: dict[Any, Any] = {}

    def divide(
        self, block: Block, what: Any, make: Callable[[View], Any], given: KnownCells = ()
    ) -> Iterator[tuple[Block, Any]]:  # fmt: skip
        """The parts of a block, each with the thing made for it. ``what``: the name of the thing. Raises Trouble."""
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
        """The thing made with some cells known, or the number of a cell that must be known too."""
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
        """Refuse what would take too long, as a sample of the ways shows, before all of them are gone through."""
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
            f"what can be done in {phase.name} depends on {name}, which stands in {len(ways):,} ways here: some {work:,} "
            f"entries would be worked out one by one, over {limits().entries:,}"
        )
        hint = f"let {name} stand in fewer ways, or loop over less, {raising('entries')}"
        raise RulesetError([Problem("OD432", phase.location, message, hint)], game.ruleset.source)
