"""One step of play for a whole block of states: every roll, option and sorting phase, all rows at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from oddsmith.expr.columns import Column, Mask, evaluate
from oddsmith.expr.fold import Needs, fold
from oddsmith.expr.functions import Broken
from oddsmith.expr.tree import Expr
from oddsmith.graph.codec import Codec, rotated_mask
from oddsmith.graph.symbolic import Branch, Chance, Check, Option, Symbolic
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.model import Entry, Phase, Then

ROLLED = 1
"""The mark of a throw of at least one die."""


class Trouble(Exception):
    """A rule breaks in this row of the block; the scalar rules tell the story."""

    def __init__(self, row: int) -> None:
        super().__init__(row)
        self.row = row


@dataclass(frozen=True)
class Block:
    """Positions on their way: one column per cell, all in one phase with the same seats out.

    ``row``: the row of the source block each stems from. ``choice``: the action taken there, ``order``: its
    place among the actions of its state. ``weight``: whole weights.
    ``by``: places that the mover has moved on since the source. ``marks``: bits of the watched entries passed.
    """

    phase: str
    out: int
    cells: Column
    row: Column
    choice: int
    weight: Column
    by: int = 0
    turn_over: bool = False
    marks: int = 0
    order: int = 0

    def take(self, rows: Any, **changes: Any) -> Block:
        """Some of the rows."""
        return replace(
            self, cells=self.cells[:, rows], row=self.row[rows], weight=self.weight[rows], **changes
        )  # fmt: skip


@dataclass(frozen=True)
class Program:
    """What a phase does where certain cells have certain values."""

    chances: tuple[Chance, ...] = ()
    options: tuple[Option, ...] = ()
    branches: tuple[Branch, ...] = ()


class Expander:
    """Expands blocks of states of one game. ``watch`` gives a mark to entries that somebody asks about."""

    def __init__(self, game: Game, codec: Codec, watch: dict[tuple[str, str], int] | None = None) -> None:
        self.game, self.codec, self.watch = game, codec, watch or {}
        self.rules = game.ruleset
        self.symbolic = Symbolic(game)
        self.programs: dict[Any, Program | Needs] = {}
        self.folded: dict[Any, Any] = {}
        self.actions: dict[tuple[str, int, tuple[tuple[str, Any], ...]], int] = {}

    def expand(self, block: Block) -> Iterator[Block]:
        """All that follows from a block, up to the next decision or turn; a block without phase is the end of the game."""
        kind = self.rules.phases[block.phase].kind
        if kind == "choose":
            yield from self._choose(block)
        else:
            yield from self._roll(block)

    # --- the three bodies

    def _roll(self, block: Block) -> Iterator[Block]:
        for part, program in self._split(block, "chances"):
            possible = np.zeros(len(part.row), dtype=bool)
            for chance in program.chances:
                weight: Any = part.weight * chance.weight
                for count in chance.counts:
                    weight = weight * self._column(count, part)
                live = np.flatnonzero(weight > 0)
                possible[live] = True
                rolled = part.take(live, marks=part.marks | ROLLED * chance.thrown)
                yield from self._first(replace(rolled, weight=weight[live]), chance.branches, fold_rolls=False)

            if not possible.all():  # a draw from an empty bag
                raise Trouble(int(part.row[np.flatnonzero(~possible)[0]]))

    def _choose(self, block: Block) -> Iterator[Block]:
        legal = np.zeros(len(block.row), dtype=bool)
        for part, program in self._split(block, "options"):
            for order, option in enumerate(program.options):
                mask = self._flags(option.branch.guard, part)
                legal[np.isin(block.row, part.row[mask])] = True
                key = (block.phase, option.branch.entry, option.binding)
                number = self.actions.setdefault(key, len(self.actions))
                chosen = part.take(np.flatnonzero(mask), choice=number, order=order)
                if len(chosen.row):
                    yield from self._carry_out(chosen, option.branch, fold_rolls=True)
        if not legal.all():
            raise Trouble(int(block.row[np.flatnonzero(~legal)[0]]))

    def _sort(self, block: Block, fold_rolls: bool) -> Iterator[Block]:
        for part, program in self._split(block, "branches"):
            yield from self._first(part, program.branches, fold_rolls)

    def _first(self, block: Block, branches: tuple[Branch, ...], fold_rolls: bool) -> Iterator[Block]:
        """Each row goes the way of the first entry that matches."""
        left = np.ones(len(block.row), dtype=bool)
        for branch in branches:
            rows = np.flatnonzero(left)
            if not len(rows):
                return
            part = block.take(rows)
            mask = self._flags(branch.guard, part)
            taken = part.take(np.flatnonzero(mask))
            if len(taken.row):
                yield from self._carry_out(taken, branch, fold_rolls)
            left[rows[mask]] = False
        if left.any():
            raise Trouble(int(block.row[np.flatnonzero(left)[0]]))

    # --- steps 2 to 6 of the evaluation order

    def _carry_out(self, block: Block, branch: Branch, fold_rolls: bool) -> Iterator[Block]:
        entry = self.rules.phases[block.phase].entries[branch.entry]
        mark = self.watch.get((block.phase, entry.name), 0)
        cells = self._written(block, branch.writes, branch.checks)
        out = np.zeros(len(block.row), dtype=np.int64)
        for seat, tree in enumerate(branch.gone):
            out |= self._flags(tree, block).astype(np.int64) << seat
        seats = (
            self._column(branch.seat, block) if branch.seat is not None else np.zeros(len(block.row), dtype=np.int64)
        )
        after = replace(block, cells=cells, marks=block.marks | mark)
        for mask, target in sorted({(int(o), int(s)) for o, s in zip(out, seats, strict=True)}):
            rows = np.flatnonzero((out == mask) & (seats == target))
            yield from self._settle(after.take(rows, out=mask), entry, target, fold_rolls)

    def _settle(self, block: Block, entry: Entry, target: int, fold_rolls: bool) -> Iterator[Block]:
        then = entry.then
        over = np.ones(len(block.row), dtype=bool)
        if block.out != (1 << self.game.seats) - 1 and then.kind != "end":
            over = self._ask(self.rules.end_when, block)
        if over.any():
            yield from self._end(block.take(np.flatnonzero(over)))
        going = block.take(np.flatnonzero(~over))
        if not len(going.row):
            return
        if going.out & 1:
            then = Then("pass")
        if then.kind == "phase":
            yield from self._enter(replace(going, phase=then.phase), fold_rolls)
            return
        by = {"again": 0, "pass": self._next(going.out), "pass_to": target}[then.kind]
        if going.out >> by & 1:
            raise Trouble(int(going.row[0]))
        cells = going.cells.copy()
        for where, cell in enumerate(self.game.cells):
            if cell.variable.resets:
                cells[where] = by if cell.variable.starts_as_mover else self.codec.code(where, self.game.start[where])
        turned = replace(
            going, phase=self.rules.turn, cells=self.codec.rotated(cells, by), by=(going.by + by) % self.game.seats,
            out=rotated_mask(going.out, by, self.game.seats), turn_over=True,
        )  # fmt: skip
        yield from self._enter(turned, fold_rolls=False)  # a turn starts in a state of its own

    def _next(self, out: int) -> int:
        return next((seat for seat in range(1, self.game.seats) if not out >> seat & 1), 0)

    def _enter(self, block: Block, fold_rolls: bool) -> Iterator[Block]:
        kind = self.rules.phases[block.phase].kind
        if kind == "cases":
            yield from self._sort(block, fold_rolls)
        elif kind == "roll" and fold_rolls:
            yield from self._roll(block)
        else:
            yield block

    def _end(self, block: Block) -> Iterator[Block]:
        for part, (writes, checks) in self._divide(block, "ending", self.symbolic.ending):
            yield replace(part, cells=self._written(part, writes, checks), phase="", turn_over=True)

    def _written(self, block: Block, writes: tuple[tuple[int, Expr], ...], checks: tuple[Check, ...]) -> Column:
        """The cells after some writes, all bounds tested."""
        for check in checks:
            guard = self._flags(check.guard, block)
            value = self._column(check.value, block, guard)
            wrong = guard & ((value < check.low) | (value > check.high))
            if wrong.any():
                raise Trouble(int(block.row[np.flatnonzero(wrong)[0]]))
        cells = block.cells.copy()
        for where, tree in writes:
            cells[where] = self._coded(where, tree, block)
        return cells

    # --- evaluating

    def _column(self, tree: Expr, block: Block, live: Mask | None = None) -> Any:
        live = np.ones(len(block.row), dtype=bool) if live is None else live
        try:
            return np.broadcast_to(evaluate(tree, block.cells, self.codec.words, live), block.row.shape)
        except Broken:
            raise Trouble(int(block.row[np.flatnonzero(live)[0]]) if live.any() else 0) from None

    def _flags(self, tree: Expr, block: Block) -> Mask:
        return np.asarray(self._column(tree, block), dtype=bool)

    def _coded(self, where: int, tree: Expr, block: Block) -> Any:
        if tree.op == "const" and where in self.codec.hands:
            return self.codec.code(where, tree.value)
        return self._column(tree, block)

    def _ask(self, tree: Expr, block: Block) -> Mask:
        """A condition of the whole table, seen from the mover."""
        found = np.zeros(len(block.row), dtype=bool)
        numbered = replace(block, row=np.arange(len(block.row)))
        for part, folded in self._divide(numbered, "ask", lambda view: fold(tree, view)):
            found[part.row] = self._flags(folded, part)
        return found

    # --- programs

    def _split(self, block: Block, body: str) -> Iterator[tuple[Block, Program]]:
        phase = self.rules.phases[block.phase]
        yield from self._divide(block, body, lambda view: self._program(phase, body, view))

    def _program(self, phase: Phase, body: str, view: Any) -> Program:
        if body == "chances":
            return Program(chances=tuple(self.symbolic.chances(phase, view)))
        if body == "options":
            return Program(options=tuple(self.symbolic.options(phase, view)))
        return Program(branches=tuple(self.symbolic.branches(phase, view, view)))

    def _divide(
        self, block: Block, what: str, make: Any, given: tuple[tuple[int, int], ...] = ()
    ) -> Iterator[tuple[Block, Any]]:
        """Split a block by the cells that must be known until the thing can be made for each part."""
        key = (what, block.phase, block.out, given)
        if key not in self.folded:
            view = self.symbolic.view({where: self.codec.value(where, code) for where, code in given}, block.out)
            try:
                self.folded[key] = make(view)
            except Needs as needs:
                self.folded[key] = min(needs.cells)
            except Broken:
                raise Trouble(int(block.row[0])) from None
        found = self.folded[key]
        if not isinstance(found, int):
            yield block, found
            return
        for code in np.unique(block.cells[found]).tolist():
            part = block.take(np.flatnonzero(block.cells[found] == code))
            yield from self._divide(part, what, make, tuple(sorted((*given, (found, code)))))


__all__ = ["Block", "Expander", "Trouble"]
