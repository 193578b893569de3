"""A game for all values of a parameter: one structure, in which probabilities and payoffs are rational functions.

The rules bound the degrees (``dependence``). A probability is a polynomial divided by the product of the total weights
of the dice whose weights the parameter changes; a payoff is a polynomial. A polynomial of degree n is determined by n +
1 of its values (Lagrange). So exploring the game at a few values of the parameter determines all functions. One more
value is explored as a check. Weights of dice are evaluated at any rational values, because weights may be scaled to
whole numbers. Payoffs are evaluated at whole values. Both kinds of values are varied separately, and the results are
combined.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import ceil, floor, gcd, lcm, prod

import numpy as np
from flint import fmpq, fmpq_poly

from oddsmith.base.arrays import Ints, arange, repeat
from oddsmith.base.dice import Die
from oddsmith.base.errors import SymbolError
from oddsmith.base.progress import Progress, ignore_progress
from oddsmith.expr import EvaluationContext, compiled_function
from oddsmith.graph import Explorer, StateGraph, refuse_endless
from oddsmith.graph.columns import DICE_ROLLED_BIT
from oddsmith.ruleset import Game
from oddsmith.solve.arenas.arena import Arena
from oddsmith.solve.parameter.algebraic import RationalFunction, roots_with_multiplicities
from oddsmith.solve.parameter.dependence import most_dice_rolled, parameter_degrees
from oddsmith.solve.search import has_constant_sum

MAX_STATES = 5_000
MAX_WEIGHT = 1 << 40  # of a roll, so that no weight leaves 64 bits


@dataclass(frozen=True, eq=False)
class ParametricGame:
    """The structure of a game, with functions of a symbol that runs from ``low`` to ``high``.

    Rows are those of ``graph``. The transitions of row ``r`` are ``row_edges[r]:row_edges[r + 1]``. There is one
    transition for each combination of ``target`` (-1 at the end of the game), ``seat_shift`` and ``event_bits``. ``event_bits``
    is 1 if a turn ends, plus 2 if dice are rolled. ``probability``: the probability of each transition.
    ``row_payoffs``: for each row, the expected immediate payoff of every seat, counted from the mover.
    ``has_constant_sum``: whether the payoffs of all seats always have the same sum.
    """

    graph: StateGraph
    symbol: str
    low: Fraction
    high: Fraction
    row_edges: Ints
    target: Ints
    seat_shift: Ints
    event_bits: Ints
    probability: tuple[RationalFunction, ...]
    row_payoffs: tuple[tuple[RationalFunction, ...], ...]
    has_constant_sum: bool

    @cached_property
    def arena(self) -> Arena:
        """The arena of the structure; its weights and payoffs are placeholders."""
        none = np.zeros(len(self.target), dtype=np.int64)
        rows = repeat(arange(len(self.row_payoffs)), np.diff(self.row_edges))
        return replace(
            Arena.of(self.graph),
            row_edges=self.row_edges,
            target=self.target,
            seat_shift=self.seat_shift,
            payoff=rows,
            weight=none,
        )

    def arena_at_point(self, point: Fraction) -> Arena:
        """Return the arena at one value of the symbol.

        Each transition of a row pays the expected payoff of the row. Raises SymbolError if weights are too large there.
        """
        chances = [chance.value_at(point) for chance in self.probability]
        paid = [[share.value_at(point) for share in shares] for shares in self.row_payoffs]
        scale = lcm(*(share.denominator for shares in paid for share in shares))
        bottoms = [
            lcm(*(chances[edge].denominator for edge in range(first, last)))
            for first, last in zip(self.row_edges[:-1].tolist(), self.row_edges[1:].tolist(), strict=True)
        ]
        if max(bottoms) > MAX_WEIGHT:
            raise SymbolError(f"at {self.symbol} = {point} the weights of a roll are beyond {MAX_WEIGHT}")
        weights = [int(chances[edge] * bottoms[row]) for edge, row in enumerate(self.arena.payoff.tolist())]
        return replace(
            self.arena,
            weight=np.array(weights, dtype=np.int64),
            denominator=np.array(bottoms, dtype=np.int64),
            payoffs=tuple(tuple(int(share * scale) for share in shares) for shares in paid),
            scale=scale,
        )


def explore_parametric_game(
    game: Game,
    symbol: str,
    objective: str,
    low: Fraction,
    high: Fraction,
    progress: Progress | None = None,
    max_states: int = MAX_STATES,
) -> ParametricGame:
    """Explore a game for all values of a parameter between two bounds.

    ``max_states``: the largest number of states allowed if weights of dice depend on the parameter. Raises SymbolError if the
    parameter changes the structure, or a degree cannot be bounded. Raises PlayError.
    """
    return _ParametricGameBuilder(game, symbol, objective, low, high, progress or ignore_progress, max_states).build()


@dataclass(frozen=True, eq=False)
class _SampledExploration:
    """The game as explored at one value of the parameter.

    ``edges``: the transitions as columns of row, target, seat shift and event. ``probabilities``: their probabilities.
    ``row_payoffs``: the expected payoff of each row to each seat.
    """

    graph: StateGraph
    edges: Ints
    probabilities: list[Fraction]
    row_payoffs: list[list[Fraction]]

    @staticmethod
    def of(graph: StateGraph) -> _SampledExploration:
        seats = graph.seats
        row, target, seat_shift = (
            np.asarray(x, dtype=np.int64) for x in (graph.edge_row, graph.target, graph.seat_shift)
        )
        event = graph.turn_over + 2 * ((graph.event_bits & DICE_ROLLED_BIT) > 0)
        edges, inverse = np.unique(np.stack([row, target, seat_shift, event]), axis=1, return_inverse=True)
        tops = [0] * edges.shape[1]
        paid = [[0] * seats for _ in range(len(graph.row_action))]
        parts = zip(
            inverse.reshape(-1).tolist(), row.tolist(), graph.weight.tolist(), graph.payoff.tolist(), strict=True
        )
        for place, source, weight, payoff in parts:
            tops[place] += weight
            for seat, units in enumerate(graph.payoffs[payoff]):
                paid[source][seat] += weight * units
        bottoms = [int(bottom) for bottom in graph.denominator]
        return _SampledExploration(
            graph,
            edges,
            [Fraction(top, bottoms[source]) for top, source in zip(tops, edges[0].tolist(), strict=True)],
            [
                [Fraction(units, bottoms[source] * graph.scale) for units in shares]
                for source, shares in enumerate(paid)
            ],
        )

    def structure_fingerprint(self) -> tuple[bytes, ...]:
        """Return the parts of the exploration that must be the same for all values of the symbol."""
        graph = self.graph
        arrays = (graph.keys, graph.state_rows, graph.row_action, self.edges)
        return tuple(np.ascontiguousarray(array).tobytes() for array in arrays)


class _ParametricGameBuilder:
    def __init__(
        self,
        game: Game,
        symbol: str,
        objective: str,
        low: Fraction,
        high: Fraction,
        progress: Progress,
        max_states: int,
    ) -> None:
        self.game, self.symbol, self.objective, self.low, self.high = game, symbol, objective, low, high
        self.progress = progress
        degrees = parameter_degrees(game, objective, symbol)
        self.dice = {
            name: self.face_weight_polynomials(name, degree) for name, degree in degrees.die_weight_degrees.items()
        }
        thrown = most_dice_rolled(game, self.dice)
        self.degree = sum(thrown[name] * degree for name, degree in degrees.die_weight_degrees.items())
        self.thrown = thrown
        self.most = max_states if self.degree else MAX_STATES
        self.bottom = fmpq_poly([1])
        for name, count in thrown.items():
            self.bottom *= sum(self.dice[name], fmpq_poly([0])) ** count
        start = ceil(low)
        self.pays = list(range(start, start + degrees.payoff_degree + 1))
        self.done = 0

    def face_weight_polynomials(self, die_name: str, degree: int) -> list[fmpq_poly]:
        """Return the weights of the faces of a die as polynomials.

        Raises SymbolError if a weight is not above 0 everywhere strictly between the bounds (a weight of 0 throughout
        is allowed), or if all weights are 0 at a bound. ``degree``: the degree of the weights in the symbol.
        """
        points = [self.low + at for at in range(degree + 1)]
        polynomials = []
        rule = self.game.ruleset.dice[die_name]
        for face, tree in zip(self.game.dice[die_name].faces, rule.weights, strict=True):
            weigh = compiled_function(tree)
            values = [
                Fraction(weigh(EvaluationContext({**self.game.static_values, self.symbol: point}, {}, self.game.seats)))
                for point in points
            ]
            poly = _interpolated_polynomial(tuple(values), _lagrange_basis(tuple(points)))
            middle = (self.low + self.high) / 2
            if poly and (
                roots_with_multiplicities(poly.numer(), self.low, self.high) or _polynomial_value(poly, middle) < 0
            ):
                raise SymbolError(
                    f"the weight of face {rule.face_names.get(face, face)} of {die_name} is not above 0 for every "
                    f"{self.symbol} between {self.low} and {self.high}: take a smaller range"
                )
            polynomials.append(poly)
        for bound in (self.low, self.high):
            if sum(_polynomial_value(poly, bound) for poly in polynomials) == 0:
                raise SymbolError(f"all faces of {die_name} weigh 0 at {self.symbol} = {bound}: take a smaller range")
        return polynomials

    def build(self) -> ParametricGame:
        wanted = self.degree + 1
        tables: dict[tuple[bytes, ...], list[tuple[Fraction, list[_SampledExploration]]]] = {}
        for point in self.sample_points():
            column = [self.explore(point, pay) for pay in self.pays]
            kinds = {table.structure_fingerprint() for table in column}
            if len(kinds) > 1:
                raise SymbolError(self.mismatch_message(column))
            same = tables.setdefault(kinds.pop(), [])
            same.append((point, column))
            if len(same) == wanted:
                return self.fit_functions(same)
            if len(tables) > 1 and self.done > 4 * wanted * len(self.pays):  # chance likenesses are few
                break
        first, second = (columns[0][1][0] for columns in list(tables.values())[:2])
        raise SymbolError(self.mismatch_message([first, second]))

    def sample_points(self) -> Iterator[Fraction]:
        """Yield values of the symbol at which weights of dice are evaluated: only one if no weight depends on the
        symbol.
        """
        return _simple_rationals(self.low, self.high) if self.dice else iter([self.low])

    def mismatch_message(self, explorations: Sequence[_SampledExploration]) -> str:
        """Return a message that says how explorations differ in structure."""
        sizes = [
            f"{len(t.graph)} states, {len(t.graph.row_action)} actions, {t.edges.shape[1]} transitions"
            for t in explorations
        ]
        other = next((size for size in sizes if size != sizes[0]), "as many, but others")
        return f"{self.symbol} changes the structure of {self.game.ruleset.id}: at some values {sizes[0]}, at others {other}"

    def explore(self, weight_point: Fraction, payoff_point: int) -> _SampledExploration:
        """Explore the game with numbers in place of the symbol, and return the graph with its weights and payoffs.

        Weights of dice and payoffs are polynomials of their own in the symbol, so each is sampled at points of its own:
        ``weight_point`` stands for the symbol in the weights, ``payoff_point`` in the payoffs. Raises SymbolError if the
        weights of a roll become too large, or the graph does.
        """
        self.progress("exploring", self.done, (self.degree + 1) * len(self.pays) + 1)
        self.done += 1
        static = {**self.game.static_values, self.symbol: payoff_point}
        bent = {name: self.die_at(name, weight_point) for name in self.dice}
        if prod(sum(bent[name].weights) ** count for name, count in self.thrown.items()) > MAX_WEIGHT:
            raise SymbolError(f"at {self.symbol} = {weight_point} the weights of a roll are beyond {MAX_WEIGHT}")
        dice = {**self.game.dice, **bent}
        graph, whole = Explorer(replace(self.game, static_values=static, dice=dice), self.objective).explore(
            max_states=self.most
        )
        if not whole:
            raise SymbolError(
                f"{self.game.ruleset.id} has over {self.most:,} positions, too many to solve with a symbol"
            )
        if self.done == 1:
            refuse_endless(graph)
        return _SampledExploration.of(graph)

    def die_at(self, die_name: str, point: Fraction) -> Die:
        weights = [_polynomial_value(poly, point) for poly in self.dice[die_name]]
        times = lcm(*(weight.denominator for weight in weights))
        whole = [int(weight * times) for weight in weights]
        shared = gcd(*whole)
        return replace(self.game.dice[die_name], weights=tuple(weight // shared for weight in whole))

    def fit_functions(
        self, explorations_by_point: Sequence[tuple[Fraction, list[_SampledExploration]]]
    ) -> ParametricGame:
        """Return the family whose functions agree with all explorations, which are given by value of the symbol.

        ``explorations_by_point``: each value of the symbol in weights, with one exploration for each value of the
        symbol in payoffs. Raises SymbolError if one more exploration disagrees.
        """
        first = explorations_by_point[0][1][0]
        points = tuple(point for point, _ in explorations_by_point)
        over, basis, pays = (
            RationalFunction.of_polynomial(self.bottom).inverse(),
            _lagrange_basis(points),
            _lagrange_basis(tuple(map(Fraction, self.pays))),
        )
        known: dict[tuple[Fraction, ...], fmpq_poly] = {}
        seats = range(first.graph.seats)

        def fitted_polynomial(values: Sequence[Fraction]) -> fmpq_poly:
            scaled = tuple(
                value * _polynomial_value(self.bottom, point) for value, point in zip(values, points, strict=True)
            )
            if scaled not in known:
                known[scaled] = _interpolated_polynomial(scaled, basis)
            return known[scaled]

        chance = [
            fitted_polynomial([column[0].probabilities[edge] for _, column in explorations_by_point])
            for edge in range(first.edges.shape[1])
        ]
        paid = [
            [
                [
                    fitted_polynomial([column[pay].row_payoffs[row][seat] for _, column in explorations_by_point])
                    for pay in range(len(pays))
                ]
                for seat in seats
            ]
            for row in range(len(first.row_payoffs))
        ]
        self.verify_functions(chance, paid, pays, explorations_by_point)
        ratios: dict[str, RationalFunction] = {}

        def rational_function(poly: fmpq_poly) -> RationalFunction:
            return ratios.setdefault(str(poly), RationalFunction.of_polynomial(poly) * over)

        rows = np.searchsorted(first.edges[0], arange(len(first.row_payoffs) + 1))
        return ParametricGame(
            first.graph,
            self.symbol,
            self.low,
            self.high,
            rows,
            first.edges[1],
            first.edges[2],
            first.edges[3],
            tuple(map(rational_function, chance)),
            tuple(tuple(rational_function(_sum_of_products(parts, pays)) for parts in shares) for shares in paid),
            all(has_constant_sum(table.graph) for table in explorations_by_point[0][1]),
        )

    def verify_functions(
        self,
        probabilities: list[fmpq_poly],
        row_payoffs: list[list[list[fmpq_poly]]],
        payoff_basis: list[fmpq_poly],
        explorations_by_point: Sequence[tuple[Fraction, list[_SampledExploration]]],
    ) -> None:
        """Explore once more, and raise SymbolError if the fitted functions do not agree with that exploration.

        ``probabilities``, ``row_payoffs``: the functions. ``payoff_basis``: the Lagrange basis of the payoffs.
        ``explorations_by_point``: as for ``fit_functions``.
        """
        structure = explorations_by_point[0][1][0].structure_fingerprint()
        pay = self.pays[-1] + 1 if self.pays[-1] < self.high else self.pays[0]
        used = {point for point, _ in explorations_by_point} if self.dice else set()
        fresh = (point for point in self.sample_points() if point not in used)
        tried = ((point, self.explore(point, pay)) for point in fresh)
        point, table = next((point, table) for point, table in tried if table.structure_fingerprint() == structure)
        bottom = _polynomial_value(self.bottom, point)
        ways = [_polynomial_value(part, Fraction(pay)) for part in payoff_basis]
        shares = [
            [
                sum(_polynomial_value(poly, point) * way for poly, way in zip(parts, ways, strict=True)) / bottom
                for parts in row
            ]
            for row in row_payoffs
        ]
        if [
            _polynomial_value(poly, point) / bottom for poly in probabilities
        ] != table.probabilities or shares != table.row_payoffs:
            raise SymbolError(f"{self.symbol} enters {self.game.ruleset.id} in a way that its rules do not show")


# --- polynomials through points


def _lagrange_basis(points: tuple[Fraction, ...]) -> list[fmpq_poly]:
    """Return the Lagrange basis polynomials: each is 1 at one of the points and 0 at all others."""
    basis = []
    for one in points:
        poly = fmpq_poly([1])
        for other in points:
            if other != one:
                width = one - other
                poly *= fmpq_poly([_to_flint_rational(-other / width), _to_flint_rational(1 / width)])
        basis.append(poly)
    return basis


def _interpolated_polynomial(values: tuple[Fraction, ...], basis: Sequence[fmpq_poly]) -> fmpq_poly:
    return sum((poly * _to_flint_rational(value) for value, poly in zip(values, basis, strict=True)), fmpq_poly([0]))


def _sum_of_products(polynomials: Sequence[fmpq_poly], basis: Sequence[fmpq_poly]) -> fmpq_poly:
    """Return the function of the symbol that is the sum of the products of ``polynomials`` and ``basis``.

    ``polynomials``: for each value at which payoffs were explored, the expected payoff as a function of the symbol in
    weights. ``basis``: the Lagrange basis polynomials of these values.
    """
    return sum((part * pay for part, pay in zip(polynomials, basis, strict=True)), fmpq_poly([0]))


def _to_flint_rational(value: Fraction) -> fmpq:
    return fmpq(value.numerator, value.denominator)


def _polynomial_value(polynomial: fmpq_poly, point: Fraction) -> Fraction:
    found = polynomial(_to_flint_rational(point))
    return Fraction(int(found.p), int(found.q))


def _simple_rationals(low: Fraction, high: Fraction) -> Iterator[Fraction]:
    """Yield the rational numbers strictly between ``low`` and ``high``, in ascending order of their denominators."""
    bottom = 0
    while True:
        bottom += 1
        for top in range(floor(low * bottom) + 1, ceil(high * bottom)):
            if gcd(top, bottom) == 1:
                yield Fraction(top, bottom)
