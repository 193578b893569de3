"""Blocks split by the cells that must be known before something can be folded into plain columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from oddsmith.expr.fold import Needs, View
from oddsmith.expr.functions import Broken
from oddsmith.graph.block import Block, Trouble
from oddsmith.graph.codec import Codec
from oddsmith.graph.symbolic import Symbolic


class Divider:
    """Makes things of views, each once, with as few cells known as it needs."""

    def __init__(self, codec: Codec, symbolic: Symbolic) -> None:
        self.codec, self.symbolic = codec, symbolic
        self.made: dict[Any, Any] = {}

    def divide(
        self, block: Block, what: Any, make: Callable[[View], Any], given: tuple[tuple[int, int], ...] = ()
    ) -> Iterator[tuple[Block, Any]]:
        """The parts of a block, each with the thing made for it. ``what``: the name of the thing. Raises Trouble."""
        key = (what, block.phase, block.out, given)
        if key not in self.made:
            view = self.symbolic.view({where: self.codec.value(where, code) for where, code in given}, block.out)
            try:
                self.made[key] = make(view)
            except Needs as needs:
                self.made[key] = min(needs.cells)
            except Broken:
                raise Trouble(int(block.sources[0])) from None
        found = self.made[key]
        if not isinstance(found, int):
            yield block, found
            return
        column = block.cell(found)
        for code in np.unique(column).tolist():
            part = block.where(column == code)
            assert part
            yield from self.divide(part, what, make, tuple(sorted((*given, (found, code)))))
