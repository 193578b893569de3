"""Where a formula holds: a position it was derived at, and how every test on the way turned out there.

A folded expression becomes a SymPy expression of the cells; a test in it, or the choice that a `min` makes, is decided as it
turns out at the position, and noted as a condition unless it holds wherever play can stand.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import Any

import numpy as np
import sympy
from numpy.typing import NDArray

from oddsmith.errors import Signal
from oddsmith.expr import FLAG, OPPOSITE, Expr, const
from oddsmith.expr.analysis import ALWAYS, NEVER, Needs, Ranger, View, fold
from oddsmith.ruleset import Cell, Game, State
from oddsmith.ruleset.checking import bounds_of

_NOWHERE = View({}, {}, 1, [], [])  # a folded tree looks at nothing but its cells


class NoFormula(Signal):
    """There is no formula at a position, and why."""


class Region:
    """Conditions gathered at a position: cells that had to be known, flags, and sums of cells that are at least 0, 0, or not.

    ``least``: (sum of cells without its constant) -> the least constant with which it is at least 0.
    """

    def __init__(self, game: Game, state: State) -> None:
        self.game, self.state = game, state
        self.ranger, self.bounds = Ranger(lambda problem: None), bounds_of(game)
        self.known: dict[int, Any] = {}
        self.cells = {symbol_name(cell): cell for cell in game.cells}
        self.clear()

    def clear(self) -> None:
        """Forget the conditions, but not what is known of cells."""
        self.flags: dict[int, bool] = {}
        self.least: dict[Any, int] = {}
        self.zero: set[Any] = set()
        self.other: set[Any] = set()

    def learn(self, where: int) -> None:
        """From now on a cell is known."""
        self.known[where] = self.state.cells[where]

    # --- expressions

    def number(self, tree: Expr) -> Any:
        """A folded expression of numbers as a SymPy expression. Raises Needs where a cell must be known for that."""
        if tree.op == "const":
            return sympy.Rational(tree.value.numerator, tree.value.denominator)
        if tree.op == "cell":
            return sympy.Symbol(symbol_name(self.game.cells[tree.value]))
        if tree.op == "if":
            return self.number(tree.args[1] if self.decide(tree.args[0]) else tree.args[2])
        if tree.op == "call" and tree.value in ("min", "max"):
            one, two = tree.args
            less = self.decide(Expr("<=", FLAG, (one, two)))
            return self.number(one if less == (tree.value == "min") else two)
        if tree.op == "neg":
            return -self.number(tree.args[0])
        if tree.op in ("+", "-", "*", "/"):
            a, b = map(self.number, tree.args)
            if tree.op == "/" and not b.is_number:
                raise self.open(tree.args[1])
            return {"+": a + b, "-": a - b, "*": a * b}.get(tree.op) if tree.op != "/" else a / b
        raise self.open(tree)

    def open(self, tree: Expr) -> Exception:
        """What is raised for an expression that only known cells make sense of."""
        if tree.op == "broken":
            return NoFormula(str(tree.value))
        cells = frozenset(node.value for node in tree.walk() if node.op == "cell")
        return Needs(cells) if cells else NoFormula(f"{tree.op} is no sum of amounts")

    def decide(self, tree: Expr) -> bool:
        """Whether a test holds at the position; a condition, unless it does (or does not) everywhere."""
        if tree.op == "const":
            return bool(tree.value)
        everywhere = self.ranger.range(tree, self.bounds)
        if everywhere in (ALWAYS, NEVER):
            return everywhere == ALWAYS
        truth = self.holds_here(tree)
        self.note(tree, truth)
        return truth

    def holds_here(self, tree: Expr) -> bool:
        """A test at the position itself."""
        cells = self.state.cells
        filled = tree.transform(lambda node: const(cells[node.value], node.type) if node.op == "cell" else node)
        found = fold(filled, _NOWHERE)
        if found.op != "const":
            raise self.open(found)
        return bool(found.value)

    def note(self, tree: Expr, truth: bool) -> None:
        """Make a condition of a test that turned out so."""
        if tree.op == "not":
            self.note(tree.args[0], not truth)
        elif tree.op == ("and" if truth else "or"):
            for arg in tree.args:
                self.decide(arg)
        elif tree.op in ("and", "or"):  # one part settles it: best one that is settled everywhere
            settled = [arg for arg in tree.args if self.holds_here(arg) == truth]
            before = self.conditions()
            for arg in [*settled, settled[0]]:
                self.flags, self.least, self.zero, self.other = map(copy, before)
                self.decide(arg)
                if self.conditions() == before:
                    return
        elif tree.op == "cell":
            self.flags[tree.value] = truth
        elif tree.op in OPPOSITE and all(arg.type.kind == "number" for arg in tree.args):
            self.compare(tree.op if truth else OPPOSITE[tree.op], *map(self.number, tree.args))
        else:
            raise self.open(tree)

    def compare(self, op: str, left: Any, right: Any) -> None:
        """Note a comparison of whole numbers."""
        apart = sympy.expand(right - left if op in ("<", "<=") else left - right)
        low, high = self.range(apart)
        if op in ("==", "!="):
            if low <= 0 <= high:
                (self.zero if op == "==" else self.other).add(apart)
            return
        constant, cells = apart.as_coeff_Add()
        strict = int(op in ("<", ">"))
        constant -= strict
        if low < strict:
            self.least[cells] = min(self.least.get(cells, constant), constant)

    def prune(self) -> None:
        """Forget conditions that others make sure of."""
        self.other = {tree for tree in self.other if self.range(tree)[0] <= 0 <= self.range(tree)[1]}

    def range(self, tree: Any) -> tuple[Any, Any]:
        """Bounds of a sum of cells from what is known of each; infinite for anything else."""
        constant, cells = tree.as_coeff_Add()
        low = high = constant
        for term in sympy.Add.make_args(cells) if cells else ():
            factor, symbol = term.as_coeff_Mul()
            if not symbol.is_Symbol:
                return -sympy.oo, sympy.oo
            cell = self.cells[symbol.name]
            least = max(cell.least, -self.least.get(symbol, -cell.least))
            most = min(cell.most, self.least.get(-symbol, cell.most))
            ends = (factor * least, factor * most)
            low, high = low + min(ends), high + max(ends)
        return low, high

    # --- the conditions

    def conditions(self) -> tuple[Any, ...]:
        """All but what is known of cells."""
        return dict(self.flags), dict(self.least), set(self.zero), set(self.other)

    def holds(self, columns: Mapping[int, NDArray[np.int64]], codes: Mapping[int, int]) -> NDArray[np.bool_]:
        """Which positions meet the conditions. ``columns``: the cells; ``codes``: of the known cells, what they are there."""
        names = {symbol_name(cell): where for where, cell in enumerate(self.game.cells)}
        inside: Any = np.True_  # of every position, until a condition tells them apart; a game may have no cells at all

        def column(tree: Any) -> Any:
            symbols = sorted(tree.free_symbols, key=str)
            return sympy.lambdify(symbols, tree, "numpy")(*(columns[names[symbol.name]] for symbol in symbols))

        for where, code in codes.items():
            inside &= columns[where] == code
        for where, truth in self.flags.items():
            inside &= columns[where].astype(bool) == truth
        for cells, constant in self.least.items():
            inside &= column(cells + constant) >= 0
        for tree in self.zero:
            inside &= column(tree) == 0
        for tree in self.other:
            inside &= column(tree) != 0
        whole: NDArray[np.bool_] = np.asarray(inside)
        return whole

    def words(self) -> tuple[str, ...]:
        """The conditions in words."""
        cells = self.game.cells
        conditions = [
            f"{symbol_name(cells[where])} = {self.game.stands(where, value)}"
            for where, value in sorted(self.known.items())
        ]
        conditions += [
            ("" if truth else "not ") + symbol_name(cells[where]) for where, truth in sorted(self.flags.items())
        ]
        exactly = {tree for tree, constant in self.least.items() if self.least.get(-tree) == -constant}
        least = {tree: constant for tree, constant in self.least.items() if tree not in exactly}
        zero = self.zero | {tree + self.least[tree] for tree in exactly if not tree.could_extract_minus_sign()}
        conditions += sorted(_comparison(tree + constant, ">=") for tree, constant in least.items())
        conditions += sorted(_comparison(tree, "=") for tree in zero)
        conditions += sorted(_comparison(tree, "is not") for tree in self.other)
        return tuple(conditions)

    def absent(self) -> tuple[str, ...]:
        """Who is out at the position, in words."""
        return tuple(
            f"{self.game.seat_in(self.state.cells, seat)} is out"
            for seat in range(self.game.seats)
            if self.state.out >> seat & 1
        )

    def joined(self, other: Region) -> Region | None:
        """The region of both, where one holds the other or nothing but one flag tells them apart; else None."""
        if self.state.out != other.state.out:
            return None
        mine, theirs = self._items(), other._items()
        if mine <= theirs or theirs <= mine:
            return self if mine <= theirs else other
        flags = {flag for kind, flag, _ in mine ^ theirs if kind == "flag"}
        if len(mine ^ theirs) != 2 or len(flags) != 1:
            return None
        both = copy(self)
        both.flags = {flag: truth for flag, truth in self.flags.items() if flag not in flags}
        return both

    def _items(self) -> set[tuple[str, Any, Any]]:
        """The conditions one by one."""
        named = {"known": self.known, "flag": self.flags, "least": self.least}
        found = {(kind, key, item) for kind, these in named.items() for key, item in these.items()}
        return found | {("zero", tree, None) for tree in self.zero} | {("other", tree, None) for tree in self.other}


def symbol_name(cell: Cell) -> str:
    """The name of a cell for people: seats are counted from the mover, whose own need no number."""
    index = [str(item + 1) if at == 0 and cell.variable.per_seat else str(item) for at, item in enumerate(cell.index)]
    if cell.variable.per_seat and cell.index[0] == 0:
        index = index[1:]
    return cell.variable.name + (f"[{', '.join(index)}]" if index else "")


def _comparison(tree: Any, op: str) -> str:
    """``tree op 0`` with every term on the side where it is positive."""
    terms = sympy.Add.make_args(tree)
    left = sympy.Add(*(term for term in terms if not term.could_extract_minus_sign()))
    right = sympy.Add(*(-term for term in terms if term.could_extract_minus_sign()))
    if left.is_number:
        left, op, right = right, {">=": "<="}.get(op, op), left
    return f"{left} {op} {right}"
