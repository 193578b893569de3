"""Effects carried out on cells with unknown values. Each written value becomes an expression of the cells before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from oddsmith.base.errors import RuleFailure
from oddsmith.expr import (
    MAX_NUMBER,
    NUMBER,
    TRUE,
    Expr,
    PartialPosition,
    Type,
    conditional,
    conjunction,
    const,
    constant_value,
    fold,
    item_trees,
    negation,
    refuse_too_long_list,
    simplify_root,
    variable_cell_index,
)
from oddsmith.ruleset import Game, check_hand
from oddsmith.ruleset.model import Add, Drop, Effect, ForItems, ForSeats, If, Let, Move, Reveal, Set, VariableRef


@dataclass(frozen=True, slots=True)
class RangeCheck:
    """A condition for a rule not to break: wherever ``guard`` holds, ``value`` must be from ``low`` to ``high``."""

    guard: Expr
    value: Expr
    low: int
    high: int


class SymbolicEffects:
    """Carries out effects of a game on a view. Every method raises UnknownCellsNeeded if a cell must be known.

    ``types``: the type of each cell. ``safe``: variables that can never leave their bounds, so that they need no
    checks.
    """

    def __init__(self, game: Game, types: Sequence[Type], safe: frozenset[str]) -> None:
        self.game, self.types, self.safe = game, types, safe

    def run(self, effects: Sequence[Effect], view: PartialPosition, guard: Expr, checks: list[RangeCheck]) -> None:
        """Carry out effects on a view, for the states in which ``guard`` holds.

        Add the conditions that must be checked to ``checks``.
        """
        for effect in effects:
            try:
                self._run_effect(effect, view, guard, checks)
            except RuleFailure as failure:
                checks.append(RangeCheck(guard, Expr("broken", NUMBER, (), failure), 0, 0))

    def _run_effect(self, effect: Effect, view: PartialPosition, guard: Expr, checks: list[RangeCheck]) -> None:
        """Carry out one effect. The arguments are those of ``run``."""
        match effect:
            case Move():
                self._run_move(effect, view, guard, checks)
            case Set():
                self._write_cell(view, self._cell_index(effect.target, view), fold(effect.amount, view), guard, checks)
            case Add():
                where = self._cell_index(effect.target, view)
                value = simplify_root(Expr("+", NUMBER, (view.cells[where], fold(effect.amount, view))))
                self._write_cell(view, where, value, guard, checks)
            case Let():
                value = fold(effect.amount, view)
                self._add_check(value, guard, checks)
                view.local[effect.name] = value
            case Drop():
                view.seats_out[view.seat] = TRUE
            case Reveal():
                self._add_check(fold(effect.amount, view), guard, checks)
            case If():
                self._run_if(effect, view, guard, checks)
            case ForSeats():
                self._run_for_seats(effect, view, guard, checks)
            case ForItems():
                for binding in self.loop_bindings(effect.loops, view):
                    view.local.update(binding)
                    self.run(effect.do, view, guard, checks)
            case _:
                assert_never(effect)

    def _cell_index(self, reference: VariableRef, view: PartialPosition) -> int:
        """Return the index of the cell that a reference names."""
        return variable_cell_index(
            self.game.layout, reference.name, tuple(constant_value(fold(index, view)) for index in reference.indices)
        )

    def _write_cell(
        self, view: PartialPosition, cell_index: int, value: Expr, guard: Expr, checks: list[RangeCheck]
    ) -> None:
        """Write a value to the cell ``cell_index``, and add a check if the value may leave the cell's bounds.

        Raises RuleFailure if it certainly breaks a rule.
        """
        cell = self.game.cells[cell_index]
        if value.op == "broken":
            raise value.value
        if cell.variable.kind == "hand":
            check_hand(self.game, cell_index, constant_value(value))
        elif cell.variable.kind == "word" and not (
            value.op == "cell" and value.type.words <= self.types[cell_index].words
        ):
            if constant_value(value) not in cell.variable.words:
                raise RuleFailure("OD523", f"{cell.name_for_people} cannot be {value.value}")
        elif (
            cell.variable.kind == "number"
            and cell.variable.name not in self.safe
            and not (value.op == "const" and cell.least <= value.value <= cell.most)
        ):
            checks.append(RangeCheck(guard, value, cell.least, cell.most))
        view.cells[cell_index] = value

    def _run_move(self, effect: Move, view: PartialPosition, guard: Expr, checks: list[RangeCheck]) -> None:
        """Move an amount from one cell to another: at most what the first cell holds, and all of it if no amount is
        given.
        """
        wanted = fold(effect.amount, view) if effect.amount else None
        here = self._cell_index(effect.source, view) if effect.source else None
        there = self._cell_index(effect.target, view) if effect.target else None
        if wanted is not None and wanted.op == "broken":
            raise wanted.value
        if wanted is not None and _lower_bound(wanted, self.game) < 0:
            checks.append(RangeCheck(guard, wanted, 0, MAX_NUMBER))
        held = view.cells[here] if here is not None else wanted
        assert held is not None
        moved = held if wanted is None or here is None else _minimum_tree(wanted, held)
        if here == there:
            return
        if here is not None:
            left = const(0, NUMBER) if wanted is None else simplify_root(Expr("-", NUMBER, (held, moved)))
            self._write_cell(view, here, left, guard, checks)
        if there is not None:
            total = simplify_root(Expr("+", NUMBER, (view.cells[there], moved)))
            self._write_cell(view, there, total, guard, checks)

    def _run_if(self, effect: If, view: PartialPosition, guard: Expr, checks: list[RangeCheck]) -> None:
        """Carry out both branches of a conditional effect, and combine the values that they write."""
        test = fold(effect.test, view)
        self._add_check(test, guard, checks)
        if test.op == "const":
            self.run(effect.do if test.value else effect.else_do, view, guard, checks)
            return
        then, other = copy_view(view), copy_view(view)
        self.run(effect.do, then, conjunction(guard, test), checks)
        self.run(effect.else_do, other, conjunction(guard, negation(test)), checks)
        view.cells = [a if a == b else conditional(test, a, b) for a, b in zip(then.cells, other.cells, strict=True)]
        view.seats_out = [
            a if a == b else conditional(test, a, b) for a, b in zip(then.seats_out, other.seats_out, strict=True)
        ]

    def _add_check(self, tree: Expr, guard: Expr, checks: list[RangeCheck]) -> None:
        """Add a check for a tree whose evaluation may break a rule, even if nothing depends on its value."""
        if tree.op == "broken":
            raise tree.value
        if tree.breaks and tree.type.kind in ("number", "flag"):
            checks.append(RangeCheck(guard, tree, -MAX_NUMBER, MAX_NUMBER))

    def _run_for_seats(self, effect: ForSeats, view: PartialPosition, guard: Expr, checks: list[RangeCheck]) -> None:
        """Carry out effects for each seat of a group. A seat that drops out in the meantime is skipped."""
        seats = constant_value(fold(effect.group, view))
        own, before = view.seat, list(view.seats_out)
        for seat in (seats,) if effect.group.type.kind == "seat" else seats:
            if view.seats_out[seat] != before[seat] and constant_value(view.seats_out[seat]):
                continue
            view.seat = seat
            self.run(effect.do, view, guard, checks)
        view.seat = own

    def loop_bindings(self, loops: Sequence[tuple[str, Expr]], view: PartialPosition) -> list[dict[str, Expr]]:
        """Return every combination of values of the loop names, as dictionaries from a name to its value.

        No combination is repeated.
        """
        bindings: list[dict[str, Expr]] = [{}]
        outer = view.local
        for name, items in loops:
            longer = []
            for binding in bindings:
                view.local = {**outer, **binding}
                trees = {constant_value(item): item for item in item_trees(fold(items, view))}
                longer += [{**binding, name: tree} for tree in trees.values()]
                refuse_too_long_list(len(longer), f"the loop over {', '.join(each for each, _ in loops)}")
            bindings = longer
        view.local = outer
        return bindings


def _lower_bound(tree: Expr, game: Game) -> float:
    """Return a lower bound of a folded number."""
    floors = [_lower_bound(arg, game) for arg in tree.args if arg.type.kind != "flag"]
    if tree.op == "const":
        return int(tree.value)
    if tree.op == "cell":
        return int(game.cells[tree.value].least)
    if tree.op == "+":
        return float(sum(floors))
    if tree.op in ("*", "//") and min(floors) >= 0:
        return 0
    if tree.op in ("if", "call") and tree.value in (None, "min", "max"):
        return min(floors)
    return float("-inf")


def _minimum_tree(a: Expr, b: Expr) -> Expr:
    """Return the minimum of two folded amounts."""
    if a.op == "const" and b.op == "const":
        return a if a.value <= b.value else b
    if const(0, NUMBER) in (a, b):
        return const(0, NUMBER)
    return Expr("call", NUMBER, (a, b), "min")


def copy_view(view: PartialPosition) -> PartialPosition:
    """Return a copy of a view that can be changed independently."""
    cells, gone, local = list(view.cells), list(view.seats_out), dict(view.local)
    return PartialPosition(view.static, view.layout, view.seats, cells, gone, view.seat, local, memory=view.memory)
