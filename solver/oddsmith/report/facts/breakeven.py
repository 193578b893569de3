"""Derives when one more roll pays, as a formula: what a player gains on average by rolling once more and then stopping.

A push-your-luck decision has an option that ends the turn and one that leads to a roll. Both are carried out with
unknown variables (cells), so that the difference in the objective is an expression in these cells. The expression holds
if the tests, and each `min` and `max` along the way, have the same results as in the position at which it was derived.
These conditions define the region of the formula. Regions are derived until every decision of the game lies in one.

A ``FormulaRegion`` collects the conditions of one formula.

A simplified (folded) expression becomes a SymPy expression in the cells. A test in it, and the choice that a `min` or
`max` makes, has the result that it has at the position. This result becomes a condition unless it is the same in all
positions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy
from numpy.typing import NDArray

from oddsmith.base.errors import BreakEvenError, RuleFailure, Signal
from oddsmith.base.exact import plural, short_repr
from oddsmith.expr import (
    ALWAYS,
    FLAG,
    NEVER,
    OPPOSITE,
    Expr,
    PartialPosition,
    RangeAnalyzer,
    UnknownCellsNeeded,
    const,
    fold,
)
from oddsmith.graph import StateGraph
from oddsmith.graph.columns import Branch, RollClass, SymbolicRules
from oddsmith.report.facts.rolling import RollOrStop, stop_and_roll_option_pairs
from oddsmith.ruleset import Cell, Game, State
from oddsmith.ruleset.checking import declared_bounds
from oddsmith.ruleset.model import Entry, Phase, ToPhase, is_share_of_win

_NOWHERE = PartialPosition({}, {}, 1, [], [])  # a folded tree looks at nothing but its cells


class NoFormula(Signal):
    """Raised if a position has no formula; the message gives the reason."""


class FormulaRegion:
    """The conditions under which a formula holds, collected while it is derived at one position.

    The conditions are of five kinds. ``known``: cells with their values. ``flags``: flags with their values. ``least``:
    sums of cells, each with the least constant c for which sum + c >= 0 is known; the sums have no constant term.
    ``zero``: sums that are 0. ``other``: sums that are not 0.
    """

    def __init__(self, game: Game, state: State) -> None:
        self.game, self.state = game, state
        self.ranger, self.bounds = RangeAnalyzer(lambda problem: None), declared_bounds(game)
        self.known: dict[int, Any] = {}
        self.cells = {symbol_name(cell): cell for cell in game.cells}
        self.clear_conditions()

    def clear_conditions(self) -> None:
        """Remove all conditions, but keep the known cells."""
        self.flags: dict[int, bool] = {}
        self.least: dict[Any, int] = {}
        self.zero: set[Any] = set()
        self.other: set[Any] = set()

    def make_cell_known(self, cell_index: int) -> None:
        """Make the cell with index ``cell_index`` known, with its value at the position."""
        self.known[cell_index] = self.state.cells[cell_index]

    # --- expressions

    def to_sympy(self, tree: Expr) -> Any:
        """Convert a folded expression of numbers to SymPy. Raises UnknownCellsNeeded if a cell must be known first."""
        if tree.op == "const":
            return sympy.Rational(tree.value.numerator, tree.value.denominator)
        if tree.op == "cell":
            return sympy.Symbol(symbol_name(self.game.cells[tree.value]))
        if tree.op == "if":
            return self.to_sympy(tree.args[1] if self.decide_test(tree.args[0]) else tree.args[2])
        if tree.op == "call" and tree.value in ("min", "max"):
            one, two = tree.args
            less = self.decide_test(Expr("<=", FLAG, (one, two)))
            return self.to_sympy(one if less == (tree.value == "min") else two)
        if tree.op == "neg":
            return -self.to_sympy(tree.args[0])
        if tree.op in ("+", "-", "*", "/"):
            a, b = map(self.to_sympy, tree.args)
            if tree.op == "/" and not b.is_number:
                raise self.conversion_error(tree.args[1])
            return {"+": a + b, "-": a - b, "*": a * b}.get(tree.op) if tree.op != "/" else a / b
        raise self.conversion_error(tree)

    def conversion_error(self, tree: Expr) -> Exception:
        """Return the error to raise for an expression that has no form in SymPy.

        It is UnknownCellsNeeded with the cells of the expression. It is NoFormula if the expression has no cells, or
        has no value.
        """
        if tree.op == "broken":
            return NoFormula(str(tree.value))
        cells = frozenset(node.value for node in tree.walk() if node.op == "cell")
        return UnknownCellsNeeded(cells) if cells else NoFormula(f"{tree.op} is no sum of amounts")

    def decide_test(self, tree: Expr) -> bool:
        """Return whether a test holds at the position, and add this result as a condition. No condition is added if the
        test has the same result in all positions.
        """
        if tree.op == "const":
            return bool(tree.value)
        everywhere = self.ranger.range(tree, self.bounds)
        if everywhere in (ALWAYS, NEVER):
            return everywhere == ALWAYS
        truth = self.is_true_at_position(tree)
        self.assume_truth(tree, truth)
        return truth

    def is_true_at_position(self, tree: Expr) -> bool:
        """Return whether a test holds at the position."""
        cells = self.state.cells
        filled = tree.transform(lambda node: const(cells[node.value], node.type) if node.op == "cell" else node)
        found = fold(filled, _NOWHERE)
        if found.op != "const":
            raise self.conversion_error(found)
        return bool(found.value)

    def assume_truth(self, tree: Expr, truth: bool) -> None:
        """Add the condition that a test has the truth value ``truth``."""
        if tree.op == "not":
            self.assume_truth(tree.args[0], not truth)
        elif tree.op == ("and" if truth else "or"):
            for arg in tree.args:
                self.decide_test(arg)
        elif tree.op in ("and", "or"):  # one part settles it: best one that is settled everywhere
            settled = [arg for arg in tree.args if self.is_true_at_position(arg) == truth]
            before = self.copy_of_conditions()
            for arg in [*settled, settled[0]]:
                self.flags, self.least, self.zero, self.other = map(copy, before)
                self.decide_test(arg)
                if self.copy_of_conditions() == before:
                    return
        elif tree.op == "cell":
            self.flags[tree.value] = truth
        elif tree.op in OPPOSITE and all(arg.type.kind == "number" for arg in tree.args):
            self.assume_comparison(tree.op if truth else OPPOSITE[tree.op], *map(self.to_sympy, tree.args))
        else:
            raise self.conversion_error(tree)

    def assume_comparison(self, op: str, left: Any, right: Any) -> None:
        """Add the condition ``left op right`` between whole numbers. ``op``: a comparison such as ``<=``."""
        apart = sympy.expand(right - left if op in ("<", "<=") else left - right)
        low, high = self.bounds_of_sum(apart)
        if op in ("==", "!="):
            if low <= 0 <= high:
                (self.zero if op == "==" else self.other).add(apart)
            return
        constant, cells = apart.as_coeff_Add()
        strict = int(op in ("<", ">"))
        constant -= strict
        if low < strict:
            self.least[cells] = min(self.least.get(cells, constant), constant)

    def drop_implied_conditions(self) -> None:
        """Drop each condition "not 0" that follows from the other conditions."""
        self.other = {tree for tree in self.other if self.bounds_of_sum(tree)[0] <= 0 <= self.bounds_of_sum(tree)[1]}

    def bounds_of_sum(self, tree: Any) -> tuple[Any, Any]:
        """Return the least and the greatest value that a SymPy expression can have under the conditions. Both are
        infinite unless the expression is a sum of multiples of cells.
        """
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

    def copy_of_conditions(self) -> tuple[Any, ...]:
        """Return copies of ``flags``, ``least``, ``zero`` and ``other``, in this order."""
        return dict(self.flags), dict(self.least), set(self.zero), set(self.other)

    def mask_of_positions_inside(
        self, cell_columns: Mapping[int, NDArray[np.int64]], known_codes: Mapping[int, int]
    ) -> NDArray[np.bool_]:
        """Return the mask of the positions that meet the conditions.

        ``cell_columns``: by the index of a cell, its values in all positions. ``known_codes``: by the index of a known
        cell, the code of its value.
        """
        names = {symbol_name(cell): where for where, cell in enumerate(self.game.cells)}
        inside: Any = np.True_  # of every position, until a condition tells them apart; a game may have no cells at all

        def evaluated_column(tree: Any) -> Any:
            symbols = sorted(tree.free_symbols, key=str)
            return sympy.lambdify(symbols, tree, "numpy")(*(cell_columns[names[symbol.name]] for symbol in symbols))

        for where, code in known_codes.items():
            inside &= cell_columns[where] == code
        for where, truth in self.flags.items():
            inside &= cell_columns[where].astype(bool) == truth
        for cells, constant in self.least.items():
            inside &= evaluated_column(cells + constant) >= 0
        for tree in self.zero:
            inside &= evaluated_column(tree) == 0
        for tree in self.other:
            inside &= evaluated_column(tree) != 0
        whole: NDArray[np.bool_] = np.asarray(inside)
        return whole

    def condition_words(self) -> tuple[str, ...]:
        """Return the conditions in words."""
        cells = self.game.cells
        conditions = [
            f"{symbol_name(cells[where])} = {self.game.cell_value_in_words(where, value)}"
            for where, value in sorted(self.known.items())
        ]
        conditions += [
            ("" if truth else "not ") + symbol_name(cells[where]) for where, truth in sorted(self.flags.items())
        ]
        exactly = {tree for tree, constant in self.least.items() if self.least.get(-tree) == -constant}
        least = {tree: constant for tree, constant in self.least.items() if tree not in exactly}
        zero = self.zero | {tree + self.least[tree] for tree in exactly if not tree.could_extract_minus_sign()}
        zero = {tree for tree in zero if not tree.is_number}
        told = {cells: constant for cells, constant in least.items() if not _is_sum_among(cells, zero)}
        other = {tree for tree in self.other if not (tree.is_number or _is_excluded_by(tree, least, zero))}
        conditions += sorted(_comparison_words(tree + constant, ">=") for tree, constant in told.items())
        conditions += sorted(_comparison_words(tree, "=") for tree in zero)
        conditions += sorted(_comparison_words(tree, "is not") for tree in other)
        return tuple(conditions)

    def seats_out_words(self) -> tuple[str, ...]:
        """Return a clause for each seat that is out at the position."""
        return tuple(
            f"{self.game.seat_name(self.state.cells, seat)} is out"
            for seat in range(self.game.seats)
            if self.state.seats_out_bits >> seat & 1
        )

    def union_with(self, other: FormulaRegion) -> FormulaRegion | None:
        """Return the union of two regions if it is a region: one contains the other, or the two differ only in the
        value of one flag. Otherwise return None.
        """
        if self.state.seats_out_bits != other.state.seats_out_bits:
            return None
        mine, theirs = self._condition_items(), other._condition_items()
        if mine <= theirs or theirs <= mine:
            return self if mine <= theirs else other
        flags = {flag for kind, flag, _ in mine ^ theirs if kind == "flag"}
        if len(mine ^ theirs) != 2 or len(flags) != 1:
            return None
        both = copy(self)
        both.flags = {flag: truth for flag, truth in self.flags.items() if flag not in flags}
        return both

    def _condition_items(self) -> set[tuple[str, Any, Any]]:
        """Return the conditions as triples of their kind, a cell or sum, and its value. The value is None for the kinds
        "zero" and "other".
        """
        named = {"known": self.known, "flag": self.flags, "least": self.least}
        found = {(kind, key, item) for kind, these in named.items() for key, item in these.items()}
        return found | {("zero", tree, None) for tree in self.zero} | {("other", tree, None) for tree in self.other}


def _is_sum_among(cells: Any, zero: Collection[Any]) -> bool:
    """Return whether one of the equations ``tree = 0`` says which value a sum of cells has."""
    return any((tree - sign * cells).is_number for tree in zero for sign in (1, -1))


def _is_excluded_by(tree: Any, least: Mapping[Any, int], zero: Collection[Any]) -> bool:
    """Return whether one of the conditions alone implies ``tree != 0``. ``least``: by sums, each with a constant such that
    sum + constant >= 0. ``zero``: trees that are 0.
    """
    constant, cells = tree.as_coeff_Add()
    above = cells in least and constant > least[cells]
    below = -cells in least and -constant > least[-cells]
    return above or below or _is_sum_among(cells, zero)


def symbol_name(cell: Cell) -> str:
    """Return the name of a cell for people. Seats are counted from the mover; a cell of the mover has no seat number."""
    index = [
        str(item + 1) if at == 0 and cell.variable.is_per_seat else str(item) for at, item in enumerate(cell.indices)
    ]
    if cell.variable.is_per_seat and cell.indices[0] == 0:
        index = index[1:]
    return cell.variable.name + (f"[{', '.join(index)}]" if index else "")


def _comparison_words(tree: Any, op: str) -> str:
    """Return the comparison ``tree op 0`` as text, with each term on the side where its sign is positive."""
    terms = sympy.Add.make_args(tree)
    left = sympy.Add(*(term for term in terms if not term.could_extract_minus_sign()))
    right = sympy.Add(*(-term for term in terms if term.could_extract_minus_sign()))
    if left.is_number:
        left, op, right = right, {">=": "<="}.get(op, op), left
    return f"{left} {op} {right}"


MAX_REGIONS = 100  # of one decision; beyond, the rest is told as not covered


@dataclass(frozen=True)
class Threshold:
    """A condition on one variable under which one more roll pays.

    ``limit``: a SymPy expression in the other variables. ``pays_below``: whether rolling pays if the variable is below
    the limit; otherwise it pays above the limit.
    """

    variable: str
    pays_below: bool
    limit: Any

    def __repr__(self) -> str:
        return short_repr(self, str(self))

    def __str__(self) -> str:
        top, bottom = sympy.fraction(sympy.together(self.limit))
        over = sympy.expand(top)
        limit = f"({over})/{bottom}" if bottom != 1 and over.is_Add else str(self.limit)
        return f"{self.variable} {'<' if self.pays_below else '>'} {limit}"


@dataclass(frozen=True)
class Formula:
    """The gain of one more roll, in units of the objective, as a SymPy expression in the variables of the position.

    ``region``: the conditions under which the formula holds. ``decision_count``: the number of decisions of the game in
    that region. ``always_pays``: True if one more roll pays in the whole region, False if it never does, None if it
    depends on the position. ``thresholds``: the condition ``gain > 0`` solved for each variable that has a constant
    coefficient in the gain. If the gain has variables that start anew in each turn, only these are solved for.
    """

    gain: Any
    region: tuple[str, ...]
    decision_count: int
    always_pays: bool | None
    thresholds: tuple[Threshold, ...]

    def __repr__(self) -> str:
        return short_repr(self, " where ".join([str(self), *([", ".join(self.region)] if self.region else [])]))

    def __str__(self) -> str:
        if self.always_pays is not None:
            return "always" if self.always_pays else "never"
        return "while " + " and ".join(map(str, self.thresholds)) if self.thresholds else f"while {self.gain} > 0"


@dataclass(frozen=True)
class BreakEven:
    """A decision between stopping and rolling.

    ``formulas``: one for each region, the region with the most decisions first. ``decision_count``: the number of
    positions in which the decision is made. ``decisions_without_formula``: how many of these lie in no region.
    ``reason``: the reason why some lie in none; empty if all lie in one.
    """

    phase: str
    stop_option: str
    throw_option: str
    formulas: tuple[Formula, ...]
    decision_count: int
    decisions_without_formula: int
    reason: str = ""

    def __repr__(self) -> str:
        return short_repr(
            self,
            f"{self.phase}: {self.throw_option} against {self.stop_option}, {plural(len(self.formulas), 'formula')}",
        )

    def to_json(self) -> dict[str, Any]:
        """Return the decision and its formulas as plain data for JSON."""
        return {
            "phase": self.phase,
            "stop": self.stop_option,
            "throw": self.throw_option,
            "decisions": self.decision_count,
            "left": self.decisions_without_formula,
            "formulas": [
                {
                    "gain": str(each.gain),
                    "region": list(each.region),
                    "decisions": each.decision_count,
                    "pays": str(each),
                    "thresholds": [str(threshold) for threshold in each.thresholds],
                }
                for each in self.formulas
            ],
        }


def break_even_rules(break_evens: Iterable[BreakEven]) -> list[RollOrStop]:
    """Return the decisions as data for pages, with formulas as text. Decisions in which one more roll always gains 0
    are left out.
    """
    return [
        RollOrStop(
            each.stop_option,
            each.throw_option,
            tuple((str(one), one.region, one.decision_count) for one in each.formulas),
            each.decision_count,
        )
        for each in break_evens
        if any(one.gain != 0 for one in each.formulas)
    ]


def break_even(graph: StateGraph) -> list[BreakEven]:
    """Derive the formulas of every decision between stopping and rolling once more.

    Raises BreakEvenError if there is no such decision, or if the objective is not a sum of amounts.
    """
    game = graph.game
    payoff = game.ruleset.payoffs[graph.objective]
    if any(map(is_share_of_win, payoff.value.walk())):
        raise BreakEvenError(f"{graph.objective} is not a sum of amounts, so one more roll has no simple formula")
    found = [
        (phase, stop, throw)
        for phase in game.ruleset.phases.values()
        if phase.kind == "choose"
        for stop, throw in stop_and_roll_option_pairs(game, phase)
    ]
    if not found:
        raise BreakEvenError(f"{game.ruleset.id} has no decision between ending the turn and rolling once more")
    return [decision for pair in found if (decision := _FormulaDeriver(graph, *pair).derive_formulas()).decision_count]


class _FormulaDeriver:
    """Derives the formulas of one decision phase, which has an option to stop and one to roll."""

    def __init__(self, graph: StateGraph, phase: Phase, stop: Entry, roll_again: Entry) -> None:
        self.graph, self.game, self.phase = graph, graph.game, phase
        self.stop, self.throw = phase.entries.index(stop), phase.entries.index(roll_again)
        self.symbolic = SymbolicRules(self.game)
        self.bodies: dict[Any, Any] = {}
        self.cells, phases, self.out = graph.codec.decode(graph.keys)
        here = np.flatnonzero(phases == graph.codec.phases.index(phase.name))
        self.states = here[self.mask_of_legal_states(self.stop)[here] & self.mask_of_legal_states(self.throw)[here]]

    def mask_of_legal_states(self, entry_index: int) -> NDArray[np.bool_]:
        """Return the mask of the states of the graph in which an option is legal. ``entry_index``: the index of the
        option in the phase.
        """
        wanted = [
            number for number, action in enumerate(self.graph.actions) if action[:2] == (self.phase.name, entry_index)
        ]
        found = np.zeros(self.graph.state_count, dtype=bool)
        found[self.graph.row_state[np.isin(self.graph.row_action, wanted)]] = True
        return found

    def derive_formulas(self) -> BreakEven:
        """Derive formulas, each at a decision that no region contains yet, until every decision lies in a region or has
        no formula.
        """
        left = np.ones(len(self.states), dtype=bool)
        without = np.zeros(len(self.states), dtype=bool)
        gains: list[tuple[FormulaRegion, Any]] = []
        why = "there are too many cases"
        for _ in range(MAX_REGIONS):
            if not (left & ~without).any():
                break
            place = int(np.flatnonzero(left & ~without)[0])
            region = FormulaRegion(self.game, self.graph.state(int(self.states[place])))
            try:
                gain = self.gain_of_rolling(region)
            except NoFormula as none:
                without[place], why = True, str(none)
                continue
            left &= ~self.mask_of_decisions_in(region)
            gains.append((region, gain))
        phase, open_ = self.phase, int(left.sum())
        names = (phase.name, phase.entries[self.stop].name, phase.entries[self.throw].name)
        return BreakEven(
            *names,
            tuple(self.formulas_of_regions(_merge_regions(gains))),
            len(self.states),
            open_,
            why if open_ else "",
        )

    def formulas_of_regions(self, gains_by_region: list[tuple[FormulaRegion, Any]]) -> list[Formula]:
        """Return the formulas with their regions in words and the number of decisions in each.

        ``gains_by_region``: pairs of a region and its gain. Regions that differ only in who is out are merged if they have the
        same gain.
        """
        gains: dict[tuple[str, ...], list[tuple[FormulaRegion, Any]]] = {}
        for region, gain in gains_by_region:
            gains.setdefault(region.condition_words(), []).append((region, gain))
        formulas = []
        for words, several in gains.items():
            alike = len({gain for _, gain in several}) == 1
            for region, gain in several[:1] if alike else several:
                count = sum(
                    int(self.mask_of_decisions_in(each).sum()) for each, _ in (several if alike else [(region, gain)])
                )
                low, high = region.bounds_of_sum(gain)
                always = True if low > 0 else False if high <= 0 else None
                said = words if alike else (*words, *region.seats_out_words())
                formulas.append(Formula(gain, said, count, always, tuple(self.thresholds_of_gain(gain))))
        return sorted(formulas, key=lambda formula: -formula.decision_count)

    def mask_of_decisions_in(self, region: FormulaRegion) -> NDArray[np.bool_]:
        """Return the mask of the decisions that lie in a region."""
        columns = {where: self.cells[where][self.states].astype(np.int64) for where in range(len(self.game.cells))}
        codes = {where: self.graph.codec.encode_value(where, value) for where, value in region.known.items()}
        same: NDArray[np.bool_] = self.out[self.states] == region.state.seats_out_bits
        return region.mask_of_positions_inside(columns, codes) & same

    # --- carrying out the two options

    def gain_of_rolling(self, region: FormulaRegion) -> Any:
        """Derive the gain of rolling once more and then stopping over stopping now, as a SymPy expression.

        At first every cell is unknown. Cells that must be known are made known one by one. Raises NoFormula.
        """
        while True:
            view = self.symbolic.view(region.known, region.state.seats_out_bits)
            try:
                region.clear_conditions()
                difference = self.value_of_rolling(view, region) - self.value_of_stopping(view, region)
                region.drop_implied_conditions()
                goal = self.game.ruleset.payoffs[self.graph.objective].goal
                return sympy.expand(difference if goal == "max" else -difference)
            except UnknownCellsNeeded as needs:
                region.make_cell_known(min(needs.cells))
            except RuleFailure as failure:
                raise NoFormula(str(failure)) from None

    def value_of_rolling(self, view: PartialPosition, region: FormulaRegion) -> Any:
        """Derive the mean payoff to the mover if it rolls once more and then stops."""
        branch = self.branch_of_option(view, self.throw, region)
        then = self.phase.entries[self.throw].then
        assert isinstance(then, ToPhase)  # as pairs chose it
        roll = self.game.ruleset.phases[then.phase]
        after = _partial_position_after(view, branch)
        chances: list[RollClass] = self.compute_once(("roll", region), lambda: self.symbolic.roll_classes(roll, after))
        total, weights = sympy.Integer(0), sympy.Integer(0)
        for chance in chances:
            weight = sympy.Integer(chance.weight)
            for count in chance.counts:
                weight *= region.to_sympy(count)
            total += weight * self.value_after_roll(roll, chance.branches, after, region)
            weights += weight
        return total / weights

    def value_after_roll(
        self, phase: Phase, branches: tuple[Branch, ...], view: PartialPosition, region: FormulaRegion
    ) -> Any:
        """Derive the payoff to the mover after a roll, if it stops at its next decision. ``branches``: the possible
        entries of ``phase``, which is the phase of the roll or a phase of cases after it.
        """
        for branch in branches:
            if not region.decide_test(branch.guard):
                continue
            entry, after = phase.entries[branch.entry], _partial_position_after(view, branch)
            if not isinstance(entry.then, ToPhase) or region.decide_test(branch.seats_out[0]):
                return self.payoff_at_end(after, region, is_game_over=entry.then.kind == "end")
            if region.decide_test(fold(self.game.ruleset.end_when, after)):
                return self.payoff_at_end(after, region, is_game_over=True)
            there = self.game.ruleset.phases[entry.then.phase]
            if there.kind == "cases":
                return self.value_after_roll(there, tuple(self.symbolic.branches(there, after, after)), after, region)
            if there.name != self.phase.name:
                raise NoFormula(f"after the roll comes {there.name}")
            return self.value_of_stopping(after, region)
        raise NoFormula("no entry applies")

    def value_of_stopping(self, view: PartialPosition, region: FormulaRegion) -> Any:
        """Derive the payoff to the mover if it stops now."""
        branch = self.branch_of_option(view, self.stop, region)
        return self.payoff_at_end(
            _partial_position_after(view, branch), region, is_game_over=self.phase.entries[self.stop].then.kind == "end"
        )

    def branch_of_option(self, view: PartialPosition, option_index: int, region: FormulaRegion) -> Branch:
        """Return the branch of an option that is legal in the region. ``option_index``: the index of the option in the phase.
        Raises NoFormula if it is not legal.
        """
        for option in self.symbolic.options(self.phase, view):
            if option.branch.entry == option_index and region.decide_test(option.branch.guard):
                return option.branch
        raise NoFormula("the player cannot stop, or roll, there")

    def payoff_at_end(self, view: PartialPosition, region: FormulaRegion, is_game_over: bool) -> Any:
        """Derive the mover's payoff if the turn ends at ``view``, or if the game ends there (``is_game_over``)."""
        if self.game.ruleset.at_end and (is_game_over or region.decide_test(fold(self.game.ruleset.end_when, view))):
            ending = self.symbolic.at_end_branch(view)
            view = _partial_position_with_writes(view, ending.writes)
            view.seats_out = list(ending.seats_out)
        view.seat = 0
        return region.to_sympy(fold(self.game.ruleset.payoffs[self.graph.objective].value, view))

    def compute_once(self, key: tuple[str, FormulaRegion], compute: Any) -> Any:
        """Return the result of ``compute``, computed once for each ``key``.

        ``key``: a name and a region. Regions count as equal if they have the same known cells and the same seats out.
        """
        whole = (key[0], key[1].state.seats_out_bits, tuple(sorted(key[1].known.items())))
        if whole not in self.bodies:
            self.bodies[whole] = compute()
        return self.bodies[whole]

    # --- solving for a variable

    def thresholds_of_gain(self, gain: Any) -> Iterator[Threshold]:
        """Yield the condition ``gain > 0`` solved for each variable that has a constant coefficient in the gain. If the
        gain has variables that start anew in each turn, only these are solved for.
        """
        turn = {symbol_name(cell) for cell in self.game.cells if cell.variable.resets_each_turn}
        symbols = sorted(gain.free_symbols, key=str)
        for symbol in [one for one in symbols if one.name in turn] or symbols:
            factor = sympy.diff(gain, symbol)
            if factor.is_number:
                yield Threshold(symbol.name, bool(factor < 0), sympy.expand(-gain.subs(symbol, 0) / factor))


def _partial_position_after(view: PartialPosition, branch: Branch) -> PartialPosition:
    """Return a partly known position as it is after an entry was carried out. ``branch``: the effects of the entry."""
    found = _partial_position_with_writes(view, branch.writes)
    found.seats_out = list(branch.seats_out)
    return found


def _partial_position_with_writes(view: PartialPosition, writes: tuple[tuple[int, Expr], ...]) -> PartialPosition:
    cells = list(view.cells)
    for where, tree in writes:
        cells[where] = tree
    return PartialPosition(view.static, view.layout, view.seats, cells, list(view.seats_out))


def _merge_regions(gains_by_region: list[tuple[FormulaRegion, Any]]) -> list[tuple[FormulaRegion, Any]]:
    """Return the pairs of a region and its gain, with two regions of equal gain merged wherever their union is a
    region.
    """
    while True:
        pair = next(
            (
                (one, two, joined)
                for one in range(len(gains_by_region))
                for two in range(one + 1, len(gains_by_region))
                if gains_by_region[one][1] == gains_by_region[two][1]
                and (joined := gains_by_region[one][0].union_with(gains_by_region[two][0])) is not None
            ),
            None,
        )
        if pair is None:
            return gains_by_region
        one, two, joined = pair
        gain = gains_by_region[one][1]
        gains_by_region = [each for number, each in enumerate(gains_by_region) if number not in (one, two)] + [
            (joined, gain)
        ]
