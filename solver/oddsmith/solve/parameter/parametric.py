"""Solving a game with a parameter left open: values as functions of it, and the exact points where best play changes.

From the least value of the symbol upwards, the game is solved at rational samples. The values of the policy found are
computed as rational functions, and for every other action a function says how much better it would be. Where its sign
changes is a real algebraic number; the nearest of these on both sides bound where the policy is best. That is proved by
isolating roots, not by trying values.

The values of a policy are found component by component of its Markov chain. Every strongly connected component is a
linear system over the rational functions; states are eliminated one by one, those first whose elimination joins the
fewest others (Daws, Symbolic and parametric model checking of discrete-time Markov chains, 2004).
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
from oddsmith.base.progress import Progress, silent
from oddsmith.graph import describe, reachable
from oddsmith.ruleset import Game, sha256
from oddsmith.solve.arenas.component import NeverEnds
from oddsmith.solve.arenas.component_policy import NoPureEquilibrium
from oddsmith.solve.game_solver import objective_of
from oddsmith.solve.parameter.algebraic import (
    Algebraic,
    RationalFunction,
    interval_not_above,
    rational_between,
    roots,
    sign,
    sum_of,
)
from oddsmith.solve.parameter.dependence import bounds_of
from oddsmith.solve.parameter.family import MAX_STATES, Family, explore_family
from oddsmith.solve.policies import policy_rows
from oddsmith.solve.questions.policy_evaluator import RANDOM
from oddsmith.solve.solution import PlayKind
from oddsmith.solve.values.arena_solver import ArenaSolver
from oddsmith.solve.values.refining import Unproven

MAX_PART = 300  # states that can all reach one another under a policy

Node: TypeAlias = tuple[int, int]
"""A state, and a seat counted from its mover."""


class PolicyFunctions:
    """The values of all states under one row per state, as functions of the symbol.

    ``paid``: the payoffs of rows, if not those of the family. ``alone``: a prescription (see
    ``questions.PolicyEvaluator``) by which one seat alone plays. The value of (state, seat) is then the value to that
    seat, where ``seat`` is its place counted from the mover. Raises SymbolError where a component is too large, or play
    may never end.
    """

    def __init__(
        self,
        family: Family,
        rows: Ints,
        paid: Sequence[Sequence[RationalFunction]] | None = None,
        alone: Ints | None = None,
    ) -> None:
        self.family, self.seats = family, family.graph.seats
        self.paid = family.paid if paid is None else paid
        self.value: dict[Node, RationalFunction] = {}
        taken = {
            (state, seat): [row] if seat or alone is None else self._prescribed(state, row, int(alone[state]))
            for state, row in enumerate(rows.tolist())
            for seat in range(self.seats)
        }
        steps = {node: self._mean([self.successors(row, node[1]) for row in those]) for node, those in taken.items()}
        gains = {
            node: self._mean([{node: self.paid[row][node[1]]} for row in those])[node] for node, those in taken.items()
        }
        follow = nx.DiGraph()
        follow.add_nodes_from(steps)
        follow.add_edges_from((node, there) for node, step in steps.items() for there in step)
        parts = nx.condensation(follow)
        for number in reversed(list(nx.topological_sort(parts))):
            try:
                self._solve_part(parts.nodes[number]["members"], steps, gains)
            except ZeroDivisionError:
                raise SymbolError("play in that way may never end") from None

    def _prescribed(self, state: int, best: int, row: int) -> list[int]:
        """Return the rows that a prescription may take in a state, each with the same chance."""
        return list(self.family.graph.rows(state)) if row == RANDOM else [best if row < 0 else row]

    @staticmethod
    def _mean(parts: Sequence[Mapping[Node, RationalFunction]]) -> dict[Node, RationalFunction]:
        """Return the mean of several functions of nodes."""
        if len(parts) == 1:
            return dict(parts[0])
        share = RationalFunction.constant(Fraction(1, len(parts)))
        mean = dict[Node, RationalFunction]()
        for node, amount in (item for part in parts for item in part.items()):
            mean[node] = mean.get(node, RationalFunction()) + amount * share
        return mean

    def successors(self, row: int, seat: int) -> dict[Node, RationalFunction]:
        """Return the successors of a row for a seat, with their chances."""
        family, step = self.family, dict[Node, RationalFunction]()
        for edge in range(int(family.row_edges[row]), int(family.row_edges[row + 1])):
            if family.target[edge] >= 0:
                target = (int(family.target[edge]), int(seat - family.seat_shift[edge]) % self.seats)
                step[target] = step[target] + family.chance[edge] if target in step else family.chance[edge]
        return step

    def worth(self, row: int, seat: int = 0) -> RationalFunction:
        """Return the value of a row to a seat if play goes on by the policy."""
        parts = (chance * self.value[there] for there, chance in self.successors(row, seat).items())
        return self.paid[row][seat] + sum_of(parts)

    def _solve_part(
        self, part: set[Node], steps: dict[Node, dict[Node, RationalFunction]], gains: dict[Node, RationalFunction]
    ) -> None:
        states = len({state for state, _ in part})
        if states > MAX_PART:
            raise SymbolError(
                f"{states} positions can all reach one another, and with a symbol at most {MAX_PART} are solved together"
            )
        inside, constant = dict[Node, dict[Node, RationalFunction]](), dict[Node, RationalFunction]()
        for node in sorted(part):
            outside = (chance * self.value[there] for there, chance in steps[node].items() if there not in part)
            constant[node] = gains[node] + sum_of(outside)
            inside[node] = {there: chance for there, chance in steps[node].items() if there in part}
        order = list(_eliminate(inside, constant))
        for node in reversed(order):
            self.value[node] = constant[node] + sum_of(c * self.value[there] for there, c in inside[node].items())


def _eliminate(
    inside: dict[Node, dict[Node, RationalFunction]], constant: dict[Node, RationalFunction]
) -> Iterator[Node]:
    """Eliminate nodes one by one, and yield them: each depends only on nodes that are yielded later."""
    before: dict[Node, set[Node]] = {node: set() for node in inside}
    for node, step in inside.items():
        for target in step:
            before[target].add(node)
    left = set(inside)
    while left:
        node = min(left, key=lambda n: (len(before[n]) * len(inside[n]), n))
        left.remove(node)
        step = inside[node]
        if node in step:
            again = (RationalFunction.constant(1) - step.pop(node)).inverse()
            constant[node] = constant[node] * again
            for target in step:
                step[target] = step[target] * again
        before[node].discard(node)
        for target in step:
            before[target].discard(node)
        for source in before.pop(node):
            share = inside[source].pop(node)
            constant[source] = constant[source] + share * constant[node]
            for target, chance in step.items():
                joined = inside[source].get(target, RationalFunction()) + share * chance
                inside[source][target] = joined
                before[target].add(source)
        yield node


def ends_at_bound(family: Family, rows: Ints, point: Fraction) -> bool:
    """Return whether play by a policy still ends at a bound of the symbol, where some chances may be 0.

    Only states that some play can still reach there count.
    """
    graph = family.graph
    source, target = graph.row_state[family.arena.payoff], family.target
    possible = np.array([chance.at(point) > 0 for chance in family.chance])
    inner = possible & (target >= 0)
    chosen = possible & np.isin(family.arena.payoff, rows)
    reached = reachable(source[inner], target[inner], graph.states, np.array([0]))
    ends = reachable(
        target[chosen & inner], source[chosen & inner], graph.states, np.unique(source[chosen & (target < 0)])
    )
    return bool(ends[reached].all())


MAX_PIECES = 500


@dataclass(frozen=True)
class BestActionChange:
    """A state in which another action is best from a point on. ``state``: its number in the graph; ``shown``: its words."""

    state: int
    shown: str
    before: str
    after: str

    def __repr__(self) -> str:
        return short_repr(self, f"{self.shown}: {self.after} instead of {self.before}")


@dataclass(frozen=True, eq=False)
class Piece:
    """An interval of the symbol on which one policy is best: a row per state, and the value for every seat.

    ``open_low``, ``open_high``: the game has no value at that end of the interval, because play would never end there.
    ``changes``: the states whose best action differs from the piece before. ``fair``: where one seat breaks even, or
    several get the same; None: everywhere.
    """

    low: Algebraic
    high: Algebraic
    rows: Ints
    values: tuple[RationalFunction, ...]
    open_low: bool
    open_high: bool
    changes: tuple[BestActionChange, ...]
    fair: tuple[Algebraic, ...] | None

    def __repr__(self) -> str:
        return short_repr(
            self, f"from {self.low.short(6)} to {self.high.short(6)}, {plural(len(self.changes), 'change')}"
        )


@dataclass(frozen=True, eq=False)
class ParametricSolution:
    """A game solved for all values of a parameter. ``kind``: the notion of best play, as in a solution."""

    family: Family
    kind: PlayKind
    pieces: tuple[Piece, ...]
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        low, high, pieces = self.pieces[0].low, self.pieces[-1].high, plural(len(self.pieces), "piece")
        name, symbol = self.family.graph.game.ruleset.id, self.family.symbol
        return short_repr(self, f"{name}, {symbol} from {low.short(6)} to {high.short(6)}: {pieces}")

    def piece(self, point: Fraction) -> Piece:
        """Return the first piece that contains a value of the symbol. Raises SymbolError if the value is out of range."""
        number = Algebraic.of(point)
        for piece in self.pieces:
            inside = piece.low <= number <= piece.high
            if (
                inside
                and not (piece.open_low and number == piece.low)
                and not (piece.open_high and number == piece.high)
            ):
                return piece
        raise SymbolError(f"{self.family.symbol} = {point} is outside the range that was solved")

    def values(self, point: Fraction | int) -> tuple[Fraction, ...]:
        """Return the value of the game for every seat at a value of the symbol. Raises SymbolError if that is out of
        range.
        """
        point = Fraction(point)
        return tuple(share.at(point) for share in self.piece(point).values)

    @property
    def points(self) -> tuple[Algebraic, ...]:
        """The values of the symbol at which the best action of some state changes."""
        return tuple(piece.low for piece in self.pieces[1:])

    # --- what else is a function of the symbol

    def zeros(self, piece: Piece, functions: Sequence[RationalFunction]) -> tuple[Algebraic, ...] | None:
        """Return the values of the symbol in a piece at which all of some functions are 0; None: all values.

        An end that two pieces share counts for the first of them.
        """
        first = piece is self.pieces[0]
        return zeros(functions, piece.low, piece.high, first and not piece.open_low, not piece.open_high)

    def length(self, piece: Piece, what: str) -> RationalFunction:
        """Return the mean number of ``turns`` or ``rolls`` of a game under the best play of a piece. Raises SymbolError."""
        family, bit = self.family, 1 if what == "turns" else 2
        counted = [RationalFunction()] * len(family.paid)
        for edge, row in enumerate(family.arena.payoff.tolist()):
            if family.event[edge] & bit:
                counted[row] = counted[row] + family.chance[edge]
        return PolicyFunctions(family, piece.rows, [(each,) * family.graph.seats for each in counted]).value[0, 0]

    def value_alone(self, piece: Piece, plan: Ints, seat: int) -> RationalFunction:
        """Return the value to a seat (from 1) that alone plays by a prescription, while the others play by the policy
        of a piece.

        Raises SymbolError where play may then never end.
        """
        return PolicyFunctions(self.family, piece.rows, alone=plan).value[0, seat - 1]

    @property
    def random_play(self) -> Ints:
        """The prescription that takes all legal actions with the same chance."""
        return np.where(np.diff(self.family.graph.state_rows) > 1, RANDOM, -1)

    def rows_of_policy(self, name: str) -> Ints:
        """Return the rows of a named policy, the same for all values of the symbol. Raises SymbolError,
        UnknownPolicyError.
        """
        family, rules = self.family, self.family.graph.game.ruleset
        rows = policy_rows(family.graph, name)
        trees = [tree for lines in rules.policies[name].values() for line in lines for tree in (line.when, line.prefer)]
        nodes = [node for tree in trees if tree is not None for node in tree.walk()]
        if any(node.op == "parameter" and node.value == family.symbol for node in nodes):
            raise SymbolError(f"the policy {name} looks at {family.symbol}, so it plays differently at each value")
        return rows

    def to_json(self, places: int = 12) -> dict[str, Any]:
        """Return the result as plain data for JSON. Coefficients are whole numbers as text, from the constant on."""
        graph, symbol = self.family.graph, self.family.symbol
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
            "symbol": {"name": symbol, "low": str(self.family.low), "high": str(self.family.high)},
            "policy": {"kind": self.kind, "proved": True, "notes": list(self.notes)},
            "pieces": [
                {
                    "low": {**piece.low.to_json(places), "open": piece.open_low},
                    "high": {**piece.high.to_json(places), "open": piece.open_high},
                    "values": [
                        {
                            "seat": seat,
                            "formula": share.text(symbol),
                            "numerator": _coefficients(share.top),
                            "denominator": _coefficients(share.bottom),
                        }
                        for seat, share in enumerate(piece.values, 1)
                    ],
                    "changes": [
                        {"state": change.shown, "before": change.before, "after": change.after}
                        for change in piece.changes
                    ],
                    "fair": "everywhere" if piece.fair is None else [point.to_json(places) for point in piece.fair],
                }
                for piece in self.pieces
            ],
        }


def _coefficients(poly: Any) -> list[str]:
    return [str(int(c)) for c in poly.coeffs()]


def solve_symbol(
    game: Game,
    symbol: str,
    objective: str | None = None,
    low: Fraction | None = None,
    high: Fraction | None = None,
    progress: Progress | None = None,
    states: int = MAX_STATES,
) -> ParametricSolution:
    """Solve a game for all real values of a parameter, from its ``min`` to its ``max`` or between ``low`` and ``high``.

    ``states``: the most states it may have where weights of faces depend on the parameter, because formulas grow long. Raises
    SymbolError where the parameter changes the structure, the game is too large, or it has no best play of a kind that
    is handled (one seat, two of constant sum, or a pure equilibrium that is the same for every seat).
    """
    least, most = bounds_of(game, symbol)
    low, high = (Fraction(least) if low is None else low), (Fraction(most) if high is None else high)
    if low < least or high > most:
        raise SymbolError(f"{symbol} stays within {least}..{most}")
    if low >= high:
        raise SymbolError(f"the range {low}..{high} of {symbol} is empty")
    structure = explore_family(game, symbol, objective_of(game, objective), low, high, progress, states)
    return _Search(structure, progress or silent).solve()


@dataclass(frozen=True, eq=False)
class _PolicyOnInterval:
    """A policy with its values and the interval on which it is best."""

    rows: Ints
    chain: PolicyFunctions
    low: Algebraic
    high: Algebraic


class _Search:
    def __init__(self, family: Family, progress: Progress) -> None:
        self.family, self.report = family, progress
        seats = family.graph.seats
        self.kind: PlayKind = "optimal" if seats == 1 else "zero-sum" if seats == 2 and family.constant else "symmetric"
        self.sign = family.arena.sign
        self.known: list[_PolicyOnInterval] = []
        self.lingering = False
        self.start, self.end = Algebraic.of(family.low), Algebraic.of(family.high)

    def solve(self) -> ParametricSolution:
        policies: list[_PolicyOnInterval] = []
        reached = self.start
        while reached < self.end:
            self.report("solving", len(policies), len(policies) + 1)
            policies.append(self.best_policy_from(reached))
            reached = policies[-1].high
            if len(policies) > MAX_PIECES:
                raise SymbolError(f"best play changes at over {MAX_PIECES} points: take a smaller range")
        return ParametricSolution(self.family, self.kind, tuple(self.pieces(policies)), tuple(self.notes()))

    def best_policy_from(self, here: Algebraic) -> _PolicyOnInterval:
        """Return a policy that is best from a point on, by samples that come nearer and nearer to the point.

        Policies of other samples are kept for later points.
        """
        end = self.end
        for policy in self.known:
            if policy.low <= here < policy.high:
                return policy
            if here < policy.low:
                end = min(end, policy.low)
        while True:
            policy = self.best_policy_at(rational_between(here, end))
            self.known.append(policy)
            if policy.low <= here:
                return policy
            end = policy.low

    def best_policy_at(self, point: Fraction) -> _PolicyOnInterval:
        """Return a policy that is best at a point, with the interval on which that holds.

        Its values and those of other actions have no pole there, because the structure is the same, so that play ends.
        """
        rows = self.solve_at(point)
        chain = PolicyFunctions(self.family, rows)
        low, high = self.start, self.end
        for state, chosen in enumerate(rows.tolist()):
            for row in self.family.graph.rows(state):
                if row != chosen:
                    better = chain.worth(row) - chain.value[state, 0]
                    low, high = interval_not_above(better if self.sign > 0 else -better, point, low, high)
        return _PolicyOnInterval(rows, chain, low, high)

    def solve_at(self, point: Fraction) -> Ints:
        """Return a best policy at a value of the symbol, proved there. Raises SymbolError."""
        where = f"at {self.family.symbol} = {point}"
        try:
            solved = ArenaSolver(self.family.at(point), unique_values=self.kind != "symmetric").solve()
            self.lingering = self.lingering or bool(solved.lingering)
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

    def notes(self) -> Iterator[str]:
        if self.kind == "symmetric":
            yield "Each piece shows an equilibrium that is the same for every seat. There may be others."
        if self.lingering:
            yield "The players could keep the game from ending. Ways of playing that never end it are left out."

    def pieces(self, policies: list[_PolicyOnInterval]) -> Iterator[Piece]:
        here = self.start
        for number, policy in enumerate(policies):
            values = tuple(policy.chain.value[0, seat] for seat in range(self.family.graph.seats))
            first, last = number == 0, number == len(policies) - 1
            open_low = first and not ends_at_bound(self.family, policy.rows, self.family.low)
            open_high = last and not ends_at_bound(self.family, policy.rows, self.family.high)
            holds_low = first and not open_low  # else the point is that of the piece before, or of none
            yield Piece(
                here,
                policy.high,
                policy.rows,
                values,
                open_low,
                open_high,
                () if first else tuple(self.changes(policies[number - 1], policy)),
                _fair_points(values, here, policy.high, holds_low, not open_high),
            )
            here = policy.high

    def changes(self, before: _PolicyOnInterval, after: _PolicyOnInterval) -> Iterator[BestActionChange]:
        """Yield the states in which the action that was best is worse now."""
        graph = self.family.graph
        for state in np.flatnonzero(before.rows != after.rows).tolist():
            old, new = int(before.rows[state]), int(after.rows[state])
            if after.chain.worth(old) - after.chain.value[state, 0]:
                yield BestActionChange(
                    state, describe(graph, graph.state(state)), graph.action_name(old), graph.action_name(new)
                )


def _fair_points(
    values: tuple[RationalFunction, ...], low: Algebraic, high: Algebraic, holds_low: bool, holds_high: bool
) -> tuple[Algebraic, ...] | None:
    """Return the points at which one seat gets 0, or several seats get the same; see ``zeros``."""
    apart = values if len(values) == 1 else tuple(other - values[0] for other in values[1:])
    return zeros(apart, low, high, holds_low, holds_high)


def zeros(
    functions: Sequence[RationalFunction], low: Algebraic, high: Algebraic, holds_low: bool, holds_high: bool
) -> tuple[Algebraic, ...] | None:
    """Return the points at which all functions are 0, between two bounds; None: all points.

    ``holds_low``, ``holds_high``: whether the bound belongs to the interval.
    """
    shared = functions[0].top
    for other in functions[1:]:
        shared = shared.gcd(other.top)
    if not shared:
        return None
    near = [point for point, _ in roots(shared, low.low - 1, high.high + 1)]
    return tuple(
        point for point in near if low < point < high or (holds_low and point == low) or (holds_high and point == high)
    )


def signs_inside(function: RationalFunction, low: Algebraic, high: Algebraic) -> tuple[int, int]:
    """Return the signs of a function just above one point and just below another; it has no pole between them."""
    stops = [low, *(zeros([function], low, high, False, False) or ()), high]
    ends = rational_between(stops[0], stops[1]), rational_between(stops[-2], stops[-1])
    first, last = (sign(function.at(point)) for point in ends)
    return first, last
