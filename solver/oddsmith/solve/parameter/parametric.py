"""Solving a game as a function of a parameter: values as functions, and the exact points at which best play changes.

The game is solved at rational samples, from the least value of the symbol upwards. The values of the policy found there
are computed as rational functions. For every other action, a function says how much better it would be. The sign of
that function changes at real algebraic numbers. The nearest of these below and above the sample bound the interval on
which the policy is best. That is proved by isolating roots, not by trying values.

The values of a policy are found component by component of its Markov chain. Every strongly connected component is a
linear system over the rational functions. States are eliminated one by one; the next state is always the one whose
elimination connects the fewest other states (Daws, Symbolic and parametric model checking of discrete-time Markov
chains, 2004).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import networkx as nx
import numpy as np

from oddsmith.base.arrays import Ints
from oddsmith.base.errors import SymbolError
from oddsmith.base.exact import plural, short_repr
from oddsmith.base.progress import Progress, ignore_progress
from oddsmith.graph import describe, reachable_mask
from oddsmith.ruleset import Game, sha256
from oddsmith.solve.arenas.component import NeverEnds
from oddsmith.solve.arenas.component_policy import NoPureEquilibrium
from oddsmith.solve.game_solver import objective_name
from oddsmith.solve.parameter.algebraic import (
    Algebraic,
    RationalFunction,
    interval_where_not_positive,
    rational_between,
    roots_with_multiplicities,
    sign_of,
    sum_of_functions,
)
from oddsmith.solve.parameter.dependence import parameter_bounds
from oddsmith.solve.parameter.family import MAX_STATES, ParametricGame, explore_parametric_game
from oddsmith.solve.policies import policy_rows
from oddsmith.solve.questions.policy_evaluator import RANDOM
from oddsmith.solve.solution import PlayKind
from oddsmith.solve.values.arena_solver import ArenaSolver
from oddsmith.solve.values.refining import Unproven

MAX_PART = 300  # states that can all reach one another under a policy

StateAndSeat: TypeAlias = tuple[int, int]
"""A state, and a seat counted from its mover."""


class PolicyValueFunctions:
    """The values of all states under a policy, given as one row for each state, as functions of the symbol.

    ``node_values``: the value of each node, a pair (state, seat), where the seat is counted from the mover.
    ``row_payoffs``: the payoffs of rows, if they are not those of the family. ``lone_prescription``: a prescription
    (see ``questions.PolicyEvaluator``) that only one seat follows. The value of a node (state, seat) is then the value
    to the seat that follows it, if that seat is ``seat`` places after the mover. Raises SymbolError if a component is
    too large, or play may never end.
    """

    def __init__(
        self,
        parametric_game: ParametricGame,
        policy_rows: Ints,
        row_payoffs: Sequence[Sequence[RationalFunction]] | None = None,
        lone_prescription: Ints | None = None,
    ) -> None:
        self.family, self.seats = parametric_game, parametric_game.graph.seats
        self.row_payoffs = parametric_game.row_payoffs if row_payoffs is None else row_payoffs
        self.node_values: dict[StateAndSeat, RationalFunction] = {}
        taken = {
            (state, seat): [row]
            if seat or lone_prescription is None
            else self._prescribed_rows(state, row, int(lone_prescription[state]))
            for state, row in enumerate(policy_rows.tolist())
            for seat in range(self.seats)
        }
        steps = {
            node: self._mean_function([self.successor_probabilities(row, node[1]) for row in those])
            for node, those in taken.items()
        }
        gains = {
            node: self._mean_function([{node: self.row_payoffs[row][node[1]]} for row in those])[node]
            for node, those in taken.items()
        }
        follow = nx.DiGraph()
        follow.add_nodes_from(steps)
        follow.add_edges_from((node, there) for node, step in steps.items() for there in step)
        parts = nx.condensation(follow)
        for number in reversed(list(nx.topological_sort(parts))):
            try:
                self._solve_component(parts.nodes[number]["members"], steps, gains)
            except ZeroDivisionError:
                raise SymbolError("play in that way may never end") from None

    def _prescribed_rows(self, state: int, policy_row: int, prescription: int) -> list[int]:
        """Return the rows that a prescription allows in a state; all of them are taken with the same probability.

        ``policy_row``: the row of the policy. ``prescription``: the prescribed row; or ``RANDOM``, which allows all
        rows; or -1, which stands for ``policy_row``.
        """
        return (
            list(self.family.graph.rows(state))
            if prescription == RANDOM
            else [policy_row if prescription < 0 else prescription]
        )

    @staticmethod
    def _mean_function(
        functions_by_node: Sequence[Mapping[StateAndSeat, RationalFunction]],
    ) -> dict[StateAndSeat, RationalFunction]:
        """Return the mean of several mappings from nodes to functions; a node that is missing in a mapping counts as 0."""
        if len(functions_by_node) == 1:
            return dict(functions_by_node[0])
        share = RationalFunction.constant(Fraction(1, len(functions_by_node)))
        mean = dict[StateAndSeat, RationalFunction]()
        for node, amount in (item for part in functions_by_node for item in part.items()):
            mean[node] = mean.get(node, RationalFunction()) + amount * share
        return mean

    def successor_probabilities(self, row: int, seat: int) -> dict[StateAndSeat, RationalFunction]:
        """Return the nodes to which a row leads for a seat (counted from the mover), with their probabilities."""
        family, step = self.family, dict[StateAndSeat, RationalFunction]()
        for edge in range(int(family.row_edges[row]), int(family.row_edges[row + 1])):
            if family.target[edge] >= 0:
                target = (int(family.target[edge]), int(seat - family.seat_shift[edge]) % self.seats)
                step[target] = step[target] + family.probability[edge] if target in step else family.probability[edge]
        return step

    def row_value(self, row: int, seat: int = 0) -> RationalFunction:
        """Return the value of a row to a seat if play then goes on by the policy."""
        parts = (chance * self.node_values[there] for there, chance in self.successor_probabilities(row, seat).items())
        return self.row_payoffs[row][seat] + sum_of_functions(parts)

    def _solve_component(
        self,
        nodes: set[StateAndSeat],
        transitions: dict[StateAndSeat, dict[StateAndSeat, RationalFunction]],
        payoffs: dict[StateAndSeat, RationalFunction],
    ) -> None:
        states = len({state for state, _ in nodes})
        if states > MAX_PART:
            raise SymbolError(
                f"{states} positions can all reach one another, and with a symbol at most {MAX_PART} are solved together"
            )
        inside, constant = (
            dict[StateAndSeat, dict[StateAndSeat, RationalFunction]](),
            dict[StateAndSeat, RationalFunction](),
        )
        for node in sorted(nodes):
            outside = (
                chance * self.node_values[there] for there, chance in transitions[node].items() if there not in nodes
            )
            constant[node] = payoffs[node] + sum_of_functions(outside)
            inside[node] = {there: chance for there, chance in transitions[node].items() if there in nodes}
        order = list(_eliminate_nodes(inside, constant))
        for node in reversed(order):
            self.node_values[node] = constant[node] + sum_of_functions(
                c * self.node_values[there] for there, c in inside[node].items()
            )


def _eliminate_nodes(
    transitions: dict[StateAndSeat, dict[StateAndSeat, RationalFunction]],
    constants: dict[StateAndSeat, RationalFunction],
) -> Iterator[StateAndSeat]:
    """Eliminate nodes one by one, and yield them in this order: each depends only on nodes that are yielded later.

    Both mappings are changed in place. The value of a node is its ``constants`` plus the values of the nodes in
    ``transitions`` times their factors.
    """
    before: dict[StateAndSeat, set[StateAndSeat]] = {node: set() for node in transitions}
    for node, step in transitions.items():
        for target in step:
            before[target].add(node)
    left = set(transitions)
    while left:
        node = min(left, key=lambda n: (len(before[n]) * len(transitions[n]), n))
        left.remove(node)
        step = transitions[node]
        if node in step:
            again = (RationalFunction.constant(1) - step.pop(node)).inverse()
            constants[node] = constants[node] * again
            for target in step:
                step[target] = step[target] * again
        before[node].discard(node)
        for target in step:
            before[target].discard(node)
        for source in before.pop(node):
            share = transitions[source].pop(node)
            constants[source] = constants[source] + share * constants[node]
            for target, chance in step.items():
                joined = transitions[source].get(target, RationalFunction()) + share * chance
                transitions[source][target] = joined
                before[target].add(source)
        yield node


def play_ends_at_bound(parametric_game: ParametricGame, policy_rows: Ints, bound: Fraction) -> bool:
    """Return whether play by a policy still ends if the symbol is at a bound, at which some probabilities may be 0.

    Only states that play can still reach at the bound count. ``bound``: the bound.
    """
    graph = parametric_game.graph
    source, target = graph.row_state[parametric_game.arena.payoff], parametric_game.target
    possible = np.array([chance.value_at(bound) > 0 for chance in parametric_game.probability])
    inner = possible & (target >= 0)
    chosen = possible & np.isin(parametric_game.arena.payoff, policy_rows)
    reached = reachable_mask(source[inner], target[inner], graph.state_count, np.array([0]))
    ends = reachable_mask(
        target[chosen & inner], source[chosen & inner], graph.state_count, np.unique(source[chosen & (target < 0)])
    )
    return bool(ends[reached].all())


MAX_PIECES = 500


@dataclass(frozen=True)
class BestActionChange:
    """A state whose best action changes at a point.

    ``state_index``: its index in the graph. ``state_in_words``: the state in words. ``action_before``,
    ``action_after``: the best action before and after the point.
    """

    state_index: int
    state_in_words: str
    action_before: str
    action_after: str

    def __repr__(self) -> str:
        return short_repr(self, f"{self.state_in_words}: {self.action_after} instead of {self.action_before}")


@dataclass(frozen=True, eq=False)
class Piece:
    """An interval of the symbol on which one policy is best.

    ``rows``: the row of the policy for each state. ``values``: the value of the game for every seat.
    ``is_low_end_open``, ``is_high_end_open``: whether the game has no value at that end of the interval, because play
    would never end there. ``changes``: the states whose best action differs from that of the previous piece.
    ``fair_points``: the points at which the only seat breaks even, or all seats have the same value; None if that holds
    everywhere.
    """

    low: Algebraic
    high: Algebraic
    rows: Ints
    values: tuple[RationalFunction, ...]
    is_low_end_open: bool
    is_high_end_open: bool
    changes: tuple[BestActionChange, ...]
    fair_points: tuple[Algebraic, ...] | None

    def __repr__(self) -> str:
        return short_repr(
            self, f"from {self.low.short_text(6)} to {self.high.short_text(6)}, {plural(len(self.changes), 'change')}"
        )


@dataclass(frozen=True, eq=False)
class ParametricSolution:
    """A game solved for all values of a parameter. ``kind``: the notion of best play, as in ``Solution``."""

    parametric_game: ParametricGame
    kind: PlayKind
    pieces: tuple[Piece, ...]
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        low, high, pieces = self.pieces[0].low, self.pieces[-1].high, plural(len(self.pieces), "piece")
        name, symbol = self.parametric_game.graph.game.ruleset.id, self.parametric_game.symbol
        return short_repr(self, f"{name}, {symbol} from {low.short_text(6)} to {high.short_text(6)}: {pieces}")

    def piece_at(self, point: Fraction) -> Piece:
        """Return the first piece that contains the value ``point`` of the symbol. Raises SymbolError if no piece
        contains it.
        """
        number = Algebraic.of(point)
        for piece in self.pieces:
            inside = piece.low <= number <= piece.high
            if (
                inside
                and not (piece.is_low_end_open and number == piece.low)
                and not (piece.is_high_end_open and number == piece.high)
            ):
                return piece
        raise SymbolError(f"{self.parametric_game.symbol} = {point} is outside the range that was solved")

    def values(self, point: Fraction | int) -> tuple[Fraction, ...]:
        """Return the value of the game for every seat if the symbol has the value ``point``.

        Raises SymbolError if ``point`` is out of range.
        """
        point = Fraction(point)
        return tuple(share.value_at(point) for share in self.piece_at(point).values)

    @property
    def policy_change_points(self) -> tuple[Algebraic, ...]:
        """The values of the symbol at which the best action of some state changes."""
        return tuple(piece.low for piece in self.pieces[1:])

    # --- what else is a function of the symbol

    def common_zeros(self, piece: Piece, functions: Sequence[RationalFunction]) -> tuple[Algebraic, ...] | None:
        """Return the values of the symbol in a piece at which all ``functions`` are 0; None if they are 0 everywhere.

        A point that two pieces share counts only for the first of them.
        """
        first = piece is self.pieces[0]
        return common_zeros(
            functions, piece.low, piece.high, first and not piece.is_low_end_open, not piece.is_high_end_open
        )

    def mean_length(self, piece: Piece, unit: str) -> RationalFunction:
        """Return the mean number of turns or rolls of a game under the best play of a piece. Raises SymbolError.

        ``unit``: ``turns`` or ``rolls``.
        """
        family, bit = self.parametric_game, 1 if unit == "turns" else 2
        counted = [RationalFunction()] * len(family.row_payoffs)
        for edge, row in enumerate(family.arena.payoff.tolist()):
            if family.event_bits[edge] & bit:
                counted[row] = counted[row] + family.probability[edge]
        return PolicyValueFunctions(family, piece.rows, [(each,) * family.graph.seats for each in counted]).node_values[
            0, 0
        ]

    def deviation_value(self, piece: Piece, prescription: Ints, seat: int) -> RationalFunction:
        """Return the value to one seat (from 1) that follows the prescription ``prescription`` while the others play
        the policy of a piece.

        Raises SymbolError if play may then never end.
        """
        return PolicyValueFunctions(self.parametric_game, piece.rows, lone_prescription=prescription).node_values[
            0, seat - 1
        ]

    @property
    def random_play(self) -> Ints:
        """The prescription to take each legal action with the same probability."""
        return np.where(np.diff(self.parametric_game.graph.state_rows) > 1, RANDOM, -1)

    def rows_of_policy(self, name: str) -> Ints:
        """Return the row that a named policy takes in each state; it must be the same for all values of the symbol.

        Raises SymbolError if the policy depends on the symbol, and UnknownPolicyError.
        """
        family, rules = self.parametric_game, self.parametric_game.graph.game.ruleset
        rows = policy_rows(family.graph, name)
        trees = [tree for lines in rules.policies[name].values() for line in lines for tree in (line.when, line.prefer)]
        nodes = [node for tree in trees if tree is not None for node in tree.walk()]
        if any(node.op == "parameter" and node.value == family.symbol for node in nodes):
            raise SymbolError(f"the policy {name} looks at {family.symbol}, so it plays differently at each value")
        return rows

    def to_json(self, digits: int = 12) -> dict[str, Any]:
        """Return the solution as plain data for JSON. Coefficients are whole numbers as text, from the constant on."""
        graph, symbol = self.parametric_game.graph, self.parametric_game.symbol
        game = graph.game
        return {
            "ruleset": {
                "id": game.ruleset.id,
                "sha256": sha256(game.ruleset),
                "variant": ", ".join(game.variants) or None,
                "parameters": {name: each for name, each in game.parameters.items() if name != symbol},
                "seats": game.seats,
            },
            "objective": graph.objective,
            "grade": "exact",
            "symbol": {"name": symbol, "low": str(self.parametric_game.low), "high": str(self.parametric_game.high)},
            "policy": {"kind": self.kind, "proved": True, "notes": list(self.notes)},
            "pieces": [
                {
                    "low": {**piece.low.to_json(digits), "open": piece.is_low_end_open},
                    "high": {**piece.high.to_json(digits), "open": piece.is_high_end_open},
                    "values": [
                        {
                            "seat": seat,
                            "formula": share.text(symbol),
                            "numerator": _coefficient_texts(share.numerator),
                            "denominator": _coefficient_texts(share.denominator),
                        }
                        for seat, share in enumerate(piece.values, 1)
                    ],
                    "changes": [
                        {"state": change.state_in_words, "before": change.action_before, "after": change.action_after}
                        for change in piece.changes
                    ],
                    "fair": "everywhere"
                    if piece.fair_points is None
                    else [point.to_json(digits) for point in piece.fair_points],
                }
                for piece in self.pieces
            ],
        }


def _coefficient_texts(polynomial: Any) -> list[str]:
    return [str(int(c)) for c in polynomial.coeffs()]


def solve_symbol(
    game: Game,
    symbol: str,
    objective: str | None = None,
    low: Fraction | None = None,
    high: Fraction | None = None,
    progress: Progress | None = None,
    max_states: int = MAX_STATES,
) -> ParametricSolution:
    """Solve a game for all real values of a parameter, from its ``min`` to its ``max`` or from ``low`` to ``high``.

    ``max_states``: the largest number of states allowed if weights of faces depend on the parameter, because formulas
    become long. Raises SymbolError if the parameter changes the structure, the game is too large, or it has no best
    play of a supported kind: one seat, two seats with a constant sum, or a pure equilibrium that is the same for every
    seat.
    """
    least, most = parameter_bounds(game, symbol)
    low, high = (Fraction(least) if low is None else low), (Fraction(most) if high is None else high)
    if low < least or high > most:
        raise SymbolError(f"{symbol} stays within {least}..{most}")
    if low >= high:
        raise SymbolError(f"the range {low}..{high} of {symbol} is empty")
    structure = explore_parametric_game(game, symbol, objective_name(game, objective), low, high, progress, max_states)
    return _ParametricSearch(structure, progress or ignore_progress).solve()


@dataclass(frozen=True, eq=False)
class _PolicyOnInterval:
    """A policy, its values as functions, and the interval on which it is best."""

    rows: Ints
    functions: PolicyValueFunctions
    low: Algebraic
    high: Algebraic


class _ParametricSearch:
    def __init__(self, parametric_game: ParametricGame, progress: Progress) -> None:
        self.family, self.progress = parametric_game, progress
        seats = parametric_game.graph.seats
        self.kind: PlayKind = (
            "optimal" if seats == 1 else "zero-sum" if seats == 2 and parametric_game.has_constant_sum else "symmetric"
        )
        self.sign = parametric_game.arena.objective_sign
        self.known: list[_PolicyOnInterval] = []
        self.lingering = False
        self.start, self.end = Algebraic.of(parametric_game.low), Algebraic.of(parametric_game.high)

    def solve(self) -> ParametricSolution:
        policies: list[_PolicyOnInterval] = []
        reached = self.start
        while reached < self.end:
            self.progress("solving", len(policies), len(policies) + 1)
            policies.append(self.best_policy_just_above(reached))
            reached = policies[-1].high
            if len(policies) > MAX_PIECES:
                raise SymbolError(f"best play changes at over {MAX_PIECES} points: take a smaller range")
        return ParametricSolution(self.family, self.kind, tuple(self.pieces(policies)), tuple(self.policy_notes()))

    def best_policy_just_above(self, point: Algebraic) -> _PolicyOnInterval:
        """Return a policy that is best just above the point ``point``, by samples that approach that point.

        Policies that other samples find are kept for later points.
        """
        end = self.end
        for policy in self.known:
            if policy.low <= point < policy.high:
                return policy
            if point < policy.low:
                end = min(end, policy.low)
        while True:
            policy = self.best_policy_at(rational_between(point, end))
            self.known.append(policy)
            if policy.low <= point:
                return policy
            end = policy.low

    def best_policy_at(self, point: Fraction) -> _PolicyOnInterval:
        """Return a policy that is best at a point, with the interval on which it is best.

        The values of the policy and of other actions have no pole between the bounds of the symbol: the structure of
        the game is the same for all its values, so play ends.
        """
        rows = self.best_rows_at(point)
        chain = PolicyValueFunctions(self.family, rows)
        low, high = self.start, self.end
        for state, chosen in enumerate(rows.tolist()):
            for row in self.family.graph.rows(state):
                if row != chosen:
                    better = chain.row_value(row) - chain.node_values[state, 0]
                    low, high = interval_where_not_positive(better if self.sign > 0 else -better, point, low, high)
        return _PolicyOnInterval(rows, chain, low, high)

    def best_rows_at(self, point: Fraction) -> Ints:
        """Return a best policy at one value of the symbol, a row for each state; it is proved for that value. Raises
        SymbolError.
        """
        where = f"at {self.family.symbol} = {point}"
        try:
            solved = ArenaSolver(self.family.arena_at_point(point), unique_values=self.kind != "symmetric").solve()
            self.lingering = self.lingering or bool(solved.endless_play_states)
            return solved.rows
        except NoPureEquilibrium as none:
            shown = describe(self.family.graph, self.family.graph.state(int(none.states[0])))
            raise SymbolError(
                f"{where} no pure play that is the same for every seat is found: best responses cycle at {shown}"
            ) from None
        except NeverEnds as endless:
            shown = describe(self.family.graph, self.family.graph.state(endless.state))
            raise SymbolError(f"{where} best play may go on for ever at {shown}: its value is not defined") from None
        except Unproven:
            raise SymbolError(f"{where} the decisions could not be proved") from None

    # --- the pieces

    def policy_notes(self) -> Iterator[str]:
        if self.kind == "symmetric":
            yield "Each piece shows an equilibrium that is the same for every seat. There may be others."
        if self.lingering:
            yield "The players could keep the game from ending. Ways of playing that never end it are left out."

    def pieces(self, policies: list[_PolicyOnInterval]) -> Iterator[Piece]:
        here = self.start
        for number, policy in enumerate(policies):
            values = tuple(policy.functions.node_values[0, seat] for seat in range(self.family.graph.seats))
            first, last = number == 0, number == len(policies) - 1
            open_low = first and not play_ends_at_bound(self.family, policy.rows, self.family.low)
            open_high = last and not play_ends_at_bound(self.family, policy.rows, self.family.high)
            holds_low = first and not open_low  # else the point is that of the piece before, or of none
            yield Piece(
                here,
                policy.high,
                policy.rows,
                values,
                open_low,
                open_high,
                () if first else tuple(self.best_action_changes(policies[number - 1], policy)),
                _fair_points(values, here, policy.high, holds_low, not open_high),
            )
            here = policy.high

    def best_action_changes(
        self, policy_before: _PolicyOnInterval, policy_after: _PolicyOnInterval
    ) -> Iterator[BestActionChange]:
        """Yield the changes at states in which the action that was best before is now worse than the new one."""
        graph = self.family.graph
        for state in np.flatnonzero(policy_before.rows != policy_after.rows).tolist():
            old, new = int(policy_before.rows[state]), int(policy_after.rows[state])
            if policy_after.functions.row_value(old) - policy_after.functions.node_values[state, 0]:
                yield BestActionChange(
                    state, describe(graph, graph.state(state)), graph.action_name(old), graph.action_name(new)
                )


def _fair_points(
    values: tuple[RationalFunction, ...], low: Algebraic, high: Algebraic, includes_low: bool, includes_high: bool
) -> tuple[Algebraic, ...] | None:
    """Return the points at which the only seat has the value 0, or all seats have the same value; see ``common_zeros``.

    ``low``, ``high``: the bounds between which they lie. ``includes_low``, ``includes_high``: as for ``common_zeros``.
    """
    apart = values if len(values) == 1 else tuple(other - values[0] for other in values[1:])
    return common_zeros(apart, low, high, includes_low, includes_high)


def common_zeros(
    functions: Sequence[RationalFunction], low: Algebraic, high: Algebraic, includes_low: bool, includes_high: bool
) -> tuple[Algebraic, ...] | None:
    """Return the points between two bounds at which all functions are 0; None if they are 0 everywhere.

    ``includes_low``, ``includes_high``: whether that bound belongs to the interval.
    """
    shared = functions[0].numerator
    for other in functions[1:]:
        shared = shared.gcd(other.numerator)
    if not shared:
        return None
    near = [point for point, _ in roots_with_multiplicities(shared, low.low - 1, high.high + 1)]
    return tuple(
        point
        for point in near
        if low < point < high or (includes_low and point == low) or (includes_high and point == high)
    )


def signs_near_bounds(function: RationalFunction, low: Algebraic, high: Algebraic) -> tuple[int, int]:
    """Return the signs of a function just above ``low`` and just below ``high``. It must have no pole between them."""
    stops = [low, *(common_zeros([function], low, high, False, False) or ()), high]
    ends = rational_between(stops[0], stops[1]), rational_between(stops[-2], stops[-1])
    first, last = (sign_of(function.value_at(point)) for point in ends)
    return first, last
