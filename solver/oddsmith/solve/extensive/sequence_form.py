"""A subgame of two seats solved by its sequence form: floats propose both plans, and fractions verify them.

A *plan* is a realization plan: it gives every sequence of a seat a weight, the product of the probabilities with which
the seat makes the choices of the sequence. Two plans are best play if neither seat gains by deviating from its plan. A
plan secures its payoff against the best response of the other seat. The payoffs that both plans secure enclose the
value, whatever the plans are. If the two bounds are equal, they are the value (von Neumann 1928). So the proof needs
only the two best responses, which are computed in fractions.

*Proposing.* The plans are solutions of a linear program and its dual (Koller, Megiddo and von Stengel 1994), solved by
HiGHS in floats.

*Mistakes.* If a plan never leads to some choice of the other seat, a second linear program selects among the plans that
secure the value: it takes one that has the largest payoff against an opponent who plays all actions with the same
probability.

*From floats to fractions.* A vertex of the set of best plans is determined by its zeros and by the responses that are
equally good against it. Floats show which these are, and the resulting linear equations are solved in fractions.
Weights that the equations leave open keep their float values, rounded. A wrong guess only widens the enclosure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from flint import fmpq, fmpz_mat, nmod_mat
from scipy.sparse import bmat, csr_matrix

from oddsmith.base.arrays import Floats
from oddsmith.base.errors import SolveError
from oddsmith.ruleset import ROOT, InformationSet

BINARY_PLACES = 80
"""Binary places to which a float weight is rounded."""
PRIME = (1 << 61) - 1
UNUSED_CHANCE = 1e-9
"""Float weights below this count as 0."""
EQUAL_VALUES_TOLERANCE = 1e-8
"""Responses that differ by less than this, relative to the sum of their terms' sizes, count as equally good."""

SequencePayoffs = Mapping[tuple[int, int], Fraction]
"""The payoffs to the first seat, by the sequences of both seats, times the probability of the chance moves."""
Plan = list[Fraction]


@dataclass(frozen=True)
class SubgameSeat:
    """A seat of a subgame.

    ``information_sets``: its information sets, each before those that follow it. ``sequence_count``: the number of its
    sequences.
    """

    information_sets: Sequence[InformationSet]
    sequence_count: int

    def has_no_choice(self) -> bool:
        """Return whether the seat has no information sets."""
        return not self.information_sets


@dataclass(frozen=True)
class SubgameEquilibrium:
    """The plans of the seats of a subgame, and bounds of its value to the first seat.

    With two seats, the bounds are what the plan of each seat secures. An equilibrium of more seats has a plan for each,
    and bounds of the expected payoff of the first.
    """

    plans: tuple[Plan, ...]
    low: Fraction
    high: Fraction


def second_seat_payoffs(first_seat_payoffs: SequencePayoffs) -> SequencePayoffs:
    """Return the payoffs to the second seat, with the sequences of the second seat first in the keys."""
    return {(second, first): -worth for (first, second), worth in first_seat_payoffs.items()}


def solve_subgame(
    seats: tuple[SubgameSeat, SubgameSeat], lower_payoffs: SequencePayoffs, upper_payoffs: SequencePayoffs
) -> SubgameEquilibrium:
    """Return plans of both seats, and bounds of the value, for payoffs between ``lower_payoffs`` and ``upper_payoffs``.

    ``lower_payoffs`` and ``upper_payoffs`` must have the same keys. Raises SolveError.
    """
    middle = (
        lower_payoffs
        if lower_payoffs is upper_payoffs
        else {key: (lower_payoffs[key] + upper_payoffs[key]) / 2 for key in lower_payoffs}
    )
    turned = second_seat_payoffs(middle)
    if any(side.has_no_choice() for side in seats):
        plans = _best_plan_alone(seats[0], middle, seats[1]), _best_plan_alone(seats[1], turned, seats[0])
        return _plans_with_bounds(seats, plans, lower_payoffs, upper_payoffs)
    if (
        all(len(side.information_sets) == 1 for side in seats)
        and seats[0].sequence_count * seats[1].sequence_count <= MAX_FRACTION_ENTRIES
    ):
        found = _plans_with_bounds(seats, _plans_by_matrix_game(seats, middle), lower_payoffs, upper_payoffs)
    else:
        found = _fraction_plans(seats, (middle, turned), _float_plans(seats, middle), lower_payoffs, upper_payoffs)
    if not _has_unreached_choices(seats, found.plans):
        return found
    sharp = _exploiting_plans(seats, (middle, turned), float(found.low + found.high) / 2)
    return (
        found
        if sharp is None
        else _stronger_plans(_fraction_plans(seats, (middle, turned), sharp, lower_payoffs, upper_payoffs), found)
    )


def _has_unreached_choices(seats: tuple[SubgameSeat, SubgameSeat], plans: Sequence[Plan]) -> bool:
    """Return whether a seat has an information set to which the plan of the other seat never leads.

    The value of the subgame does not depend on the choice there.
    """
    return any(
        not any(plan[sequence] for sequence in place.chance_probabilities)
        for side, plan in zip(seats, reversed(plans), strict=True)
        for place in side.information_sets
    )


def _fraction_plans(
    seats: tuple[SubgameSeat, SubgameSeat],
    seat_payoffs: tuple[SequencePayoffs, SequencePayoffs],
    float_plans: tuple[Floats, Floats],
    lower_payoffs: SequencePayoffs,
    upper_payoffs: SequencePayoffs,
) -> SubgameEquilibrium:
    """Return plans in fractions near the proposed float weights, with bounds.

    ``seat_payoffs``: the payoffs to each seat, with the sequences of that seat first in the keys. ``float_plans``: the proposed
    weights. ``lower_payoffs``, ``upper_payoffs``: bounds of the payoffs to the first seat.
    """
    rough = _plans_with_bounds(
        seats,
        (_round_plan(seats[0], float_plans[0]), _round_plan(seats[1], float_plans[1])),
        lower_payoffs,
        upper_payoffs,
    )
    if rough.low == rough.high:
        return rough
    vertices = (
        _vertex_plan(seats[0], seats[1], seat_payoffs[0], float_plans[0]) or rough.plans[0],
        _vertex_plan(seats[1], seats[0], seat_payoffs[1], float_plans[1]) or rough.plans[1],
    )
    return _stronger_plans(_plans_with_bounds(seats, vertices, lower_payoffs, upper_payoffs), rough)


def _stronger_plans(one: SubgameEquilibrium, other: SubgameEquilibrium) -> SubgameEquilibrium:
    """Return, for each seat, the plan that secures more; the plan of ``one`` if both secure the same."""
    first, second = max((one, other), key=lambda found: found.low), min((one, other), key=lambda found: found.high)
    return SubgameEquilibrium((first.plans[0], second.plans[1]), first.low, second.high)


# --- best responses, in fractions


def minimizing_response(seat: SubgameSeat, opponent_payoffs: Sequence[Fraction]) -> tuple[Fraction, list[int]]:
    """Return the least payoff to which a seat can limit the other seat, and how it does so.

    The second item is the sequence that the seat takes at each of its information sets. ``opponent_payoffs``: for each
    sequence of the seat, the payoff of the other seat at the leaves that follow it without a further choice of the
    seat.
    """
    total, taken = list(opponent_payoffs), [ROOT] * len(seat.information_sets)
    for number in range(len(seat.information_sets) - 1, -1, -1):
        place = seat.information_sets[number]
        taken[number] = min(place.sequences, key=total.__getitem__)
        total[place.parent_sequence] += total[taken[number]]
    return total[ROOT], taken


def sequence_payoffs_against(plan: Plan, payoffs: SequencePayoffs, sequence_count: int) -> list[Fraction]:
    """Return the payoff to the owner of a plan for each sequence of the other seat.

    ``payoffs`` are those to the owner, with the owner's sequences first in the keys. ``sequence_count``: the number of
    sequences of the other seat.
    """
    bottom = lcm(*(weight.denominator for weight in plan))
    tops = [int(weight * bottom) for weight in plan]
    scale = lcm(*(worth.denominator for worth in payoffs.values())) if payoffs else 1
    sums = [0] * sequence_count
    for (own, other), worth in payoffs.items():
        if tops[own]:
            sums[other] += tops[own] * (worth.numerator * (scale // worth.denominator))
    return [Fraction(value, bottom * scale) for value in sums]


def _plans_with_bounds(
    seats: tuple[SubgameSeat, SubgameSeat],
    plans: tuple[Plan, Plan],
    lower_payoffs: SequencePayoffs,
    upper_payoffs: SequencePayoffs,
) -> SubgameEquilibrium:
    """Return both plans with bounds of the value: the payoffs that the plans secure.

    ``lower_payoffs``, ``upper_payoffs``: bounds of the payoffs to the first seat.
    """
    first, _ = minimizing_response(seats[1], sequence_payoffs_against(plans[0], lower_payoffs, seats[1].sequence_count))
    second, _ = minimizing_response(
        seats[0], sequence_payoffs_against(plans[1], second_seat_payoffs(upper_payoffs), seats[0].sequence_count)
    )
    return SubgameEquilibrium(plans, first, -second)


def _best_plan_alone(own_seat: SubgameSeat, payoffs: SequencePayoffs, other_seat: SubgameSeat) -> Plan:
    """Return the best plan of the seat ``own_seat`` if at most one of the two seats has a choice.

    ``other_seat``: the other seat. ``payoffs`` are those to ``own_seat``, with its sequences first in the keys.
    """
    plan = [Fraction(0)] * own_seat.sequence_count
    plan[ROOT] = Fraction(1)
    if own_seat.has_no_choice():
        return plan
    assert other_seat.has_no_choice()
    worth = [Fraction(0)] * own_seat.sequence_count
    for (sequence, _), paid in payoffs.items():
        worth[sequence] -= paid
    _, taken = minimizing_response(own_seat, worth)
    for number, place in enumerate(own_seat.information_sets):
        plan[taken[number]] = plan[place.parent_sequence]
    return plan


def _plans_by_matrix_game(seats: tuple[SubgameSeat, SubgameSeat], payoffs: SequencePayoffs) -> tuple[Plan, Plan]:
    """Return the plans of two seats that choose once each, without knowing the choice of the other.

    ``payoffs``: those to the first seat.
    """
    nothing = Fraction(0)
    above = [payoffs.get((ROOT, column), nothing) for column in range(seats[1].sequence_count)]
    left = [payoffs.get((row, ROOT), nothing) for row in range(seats[0].sequence_count)]
    matrix = [
        [
            payoffs.get((row, column), nothing) + above[column] + left[row]
            for column in range(1, seats[1].sequence_count)
        ]
        for row in range(1, seats[0].sequence_count)
    ]
    _, rows, columns = solve_matrix_game(matrix)
    return [Fraction(1), *rows], [Fraction(1), *columns]


# --- proposals in floats


def _float_plans(seats: tuple[SubgameSeat, SubgameSeat], payoffs: SequencePayoffs) -> tuple[Floats, Floats]:
    """Return the plans of both seats in floats, by a linear program and its dual. Raises SolveError if HiGHS finds
    none.

    ``payoffs``: those to the first seat.
    """
    paid, _ = _scaled_payoff_matrix(seats, payoffs)
    aim = np.zeros(seats[0].sequence_count + len(seats[1].information_sets) + 1)
    aim[seats[0].sequence_count] = -1.0
    found = _solve_linear_program(seats, paid, aim, None)
    if found.x is None:
        raise SolveError(f"no plans were found: {found.message}")
    return found.x[: seats[0].sequence_count], -found.ineqlin.marginals


def _exploiting_plans(
    seats: tuple[SubgameSeat, SubgameSeat], seat_payoffs: tuple[SequencePayoffs, SequencePayoffs], subgame_value: float
) -> tuple[Floats, Floats] | None:
    """Return, in floats, plans that secure the value and have the largest payoff against an opponent who plays at
    random.

    So a plan exploits mistakes that best play of the other seat would not make. Returns None if HiGHS finds no such
    plan. ``seat_payoffs``: the payoffs to each seat, with the sequences of that seat first in the keys.
    """
    plans = []
    for seat, worth in ((0, subgame_value), (1, -subgame_value)):
        own, other = seats[seat], seats[1 - seat]
        matrix, scale = _scaled_payoff_matrix((own, other), seat_payoffs[seat])
        aim = np.concatenate([-(matrix @ _uniform_plan(other)), np.zeros(len(other.information_sets) + 1)])
        found = _solve_linear_program((own, other), matrix, aim, worth / scale - SECURED_TOLERANCE)
        if found.x is None:
            return None
        plans.append(found.x[: own.sequence_count])
    return plans[0], plans[1]


def _uniform_plan(seat: SubgameSeat) -> Floats:
    """Return the plan of a seat that plays all actions with the same probability, in floats."""
    plan = np.zeros(seat.sequence_count)
    plan[ROOT] = 1.0
    for place in seat.information_sets:
        plan[list(place.sequences)] = plan[place.parent_sequence] / len(place.labels)
    return plan


def _scaled_payoff_matrix(seats: tuple[SubgameSeat, SubgameSeat], payoffs: SequencePayoffs) -> tuple[csr_matrix, float]:
    """Return the matrix of payoffs in floats, divided by the largest absolute payoff, and that largest payoff."""
    keys = np.array(list(payoffs), dtype=np.int64).reshape(-1, 2)
    numbers = np.array([float(worth) for worth in payoffs.values()])
    largest = float(np.abs(numbers).max(initial=0.0)) or 1.0
    shape = seats[0].sequence_count, seats[1].sequence_count
    return csr_matrix((numbers / largest, (keys[:, 0], keys[:, 1])), shape=shape), largest


def _solve_linear_program(
    seats: tuple[SubgameSeat, SubgameSeat], payoff_matrix: csr_matrix, objective: Floats, min_payoff: float | None
) -> Any:
    """Solve the linear program for a plan of the first seat, and return the result object of SciPy.

    The unknowns are the weights of the plan, then what it secures from each information set of the second seat on.
    ``objective``: the linear objective, which is minimized. ``min_payoff``: the payoff that has to be secured; None for
    no limit. ``payoff_matrix``: the matrix of payoffs to the first seat.
    """
    flow, other = _plan_equations(seats[0]), _plan_equations(seats[1])
    leads = np.zeros(flow.shape[0])
    leads[0] = 1.0
    from scipy.optimize import linprog  # slow to import, and every game imports this module

    found: Any = linprog(  # type: ignore[call-overload]  # the bounds of variables are pairs
        objective,
        A_ub=bmat([[-payoff_matrix.T, other.T]], format="csr"),
        b_ub=np.zeros(seats[1].sequence_count),
        A_eq=bmat([[flow, csr_matrix((flow.shape[0], other.shape[0]))]], format="csr"),
        b_eq=leads,
        bounds=[(0, None)] * seats[0].sequence_count + [(min_payoff, None)] + [(None, None)] * (other.shape[0] - 1),
        method="highs-ipm" if sum(payoff_matrix.shape) > MAX_SIMPLEX_SEQUENCES else "highs-ds",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    return found


MAX_FRACTION_ENTRIES = 400
"""The largest number of entries of a matrix game that is solved in fractions, without a proposal in floats."""
SECURED_TOLERANCE = 1e-11
"""A plan counts as securing the value if it secures at most this much less, relative to the largest payoff."""
MAX_SIMPLEX_SEQUENCES = 3000
"""The number of sequences above which interior points are quicker than the simplex method."""


def _plan_equations(seat: SubgameSeat) -> csr_matrix:
    """Return the matrix of the equations of a plan.

    The weight of the empty sequence is 1, and the weights of the actions of a choice add up to that of its parent
    sequence.
    """
    rows, columns, signs = [0], [ROOT], [1.0]
    for number, place in enumerate(seat.information_sets, 1):
        rows += [number] * (len(place.labels) + 1)
        columns += [place.parent_sequence, *place.sequences]
        signs += [-1.0, *[1.0] * len(place.labels)]
    return csr_matrix((signs, (rows, columns)), shape=(len(seat.information_sets) + 1, seat.sequence_count))


# --- fractions from floats


def _round_plan(seat: SubgameSeat, float_plan: Floats) -> Plan:
    """Return a plan near float weights: the probabilities at each information set are simple fractions that add up to
    1.
    """
    plan = [Fraction(0)] * seat.sequence_count
    plan[ROOT] = Fraction(1)
    for place in seat.information_sets:
        weights = [max(float(float_plan[sequence]), 0.0) for sequence in place.sequences]
        whole = sum(weights)
        if not plan[place.parent_sequence]:
            continue
        chances = [
            Fraction(weight / whole).limit_denominator(MAX_DENOMINATOR) if whole > UNUSED_CHANCE else 0
            for weight in weights
        ]
        most = max(range(len(chances)), key=lambda action: weights[action])
        chances[most] = 1 - sum(chance for action, chance in enumerate(chances) if action != most)
        if chances[most] < 0:
            chances = [Fraction(int(action == most)) for action in range(len(chances))]
        for sequence, chance in zip(place.sequences, chances, strict=True):
            plan[sequence] = plan[place.parent_sequence] * chance
    return plan


MAX_DENOMINATOR = 100_000
"""The largest denominator of the probabilities that replace floats."""


def _vertex_plan(
    own_seat: SubgameSeat, other_seat: SubgameSeat, payoffs: SequencePayoffs, float_plan: Floats
) -> Plan | None:
    """Return a plan in fractions with the zeros of the float weights, and the same ties between responses to it.

    Responses that are equally good against the float weights, up to rounding, are exactly so against the plan. Returns
    None if no such plan is found. ``payoffs`` are those to the seat ``own_seat``, with its sequences first in the keys.
    """
    used = [sequence for sequence in range(own_seat.sequence_count) if float_plan[sequence] > UNUSED_CHANCE]
    column = {sequence: number for number, sequence in enumerate(used)}
    if ROOT not in column:
        return None
    rows: list[dict[int, Fraction | int]] = [{column[ROOT]: 1}]
    for place in own_seat.information_sets:
        if place.parent_sequence in column:
            shares: dict[int, Fraction | int] = {column[each]: 1 for each in place.sequences if each in column}
            rows.append({**shares, column[place.parent_sequence]: -1})
    rows += _tie_equations(other_seat, payoffs, float_plan, column)
    weights = _solve_linear_equations(rows, [float(float_plan[sequence]) for sequence in used])
    if weights is None:
        return None
    plan = [Fraction(0)] * own_seat.sequence_count
    for sequence, weight in zip(used, weights, strict=True):
        plan[sequence] = weight
    return _plan_if_valid(own_seat, plan)


def _tie_equations(
    other_seat: SubgameSeat, payoffs: SequencePayoffs, float_plan: Floats, unknown_of_sequence: Mapping[int, int]
) -> list[dict[int, Fraction | int]]:
    """Return linear equations for the weights of a plan by which the nearly best responses to it become equally good.

    An equation maps the number of an unknown to its factor; its right side is 0. The responses are those at information
    sets that play reaches. ``unknown_of_sequence``: the number of the unknown of each sequence. ``other_seat``: the
    seat that responds. ``float_plan``: the float weights of the plan.
    """
    by_response: list[dict[int, Fraction]] = [{} for _ in range(other_seat.sequence_count)]
    worth, scale = np.zeros(other_seat.sequence_count), np.zeros(other_seat.sequence_count)
    for (sequence, response), paid in payoffs.items():
        weight = float(float_plan[sequence])
        worth[response] += weight * float(paid)
        scale[response] += abs(weight * float(paid))
        if sequence in unknown_of_sequence:
            by_response[response][unknown_of_sequence[sequence]] = paid
    places, best = other_seat.information_sets, list[list[int]]()
    for place in reversed(places):
        low = min(worth[each] for each in place.sequences)
        size = max(scale[each] for each in place.sequences)
        best.append([each for each in place.sequences if worth[each] - low <= EQUAL_VALUES_TOLERANCE * size + 1e-15])
        worth[place.parent_sequence] += low
        scale[place.parent_sequence] += size
    best.reverse()
    met, reached = [False] * other_seat.sequence_count, [False] * len(places)
    met[ROOT] = True
    for number, place in enumerate(places):
        reached[number] = met[place.parent_sequence]
        for each in best[number] if reached[number] else ():
            met[each] = True
    rows: list[dict[int, Fraction | int]] = []
    for number in range(len(places) - 1, -1, -1):
        if not reached[number]:
            continue
        kept, *alike = (by_response[each] for each in best[number])
        rows += [difference for each in alike if (difference := _linear_form_difference(each, kept))]
        above = by_response[places[number].parent_sequence]
        for key, paid in kept.items():
            above[key] = above.get(key, Fraction(0)) + paid
    return rows


def _linear_form_difference(
    minuend: Mapping[int, Fraction], subtrahend: Mapping[int, Fraction]
) -> dict[int, Fraction | int]:
    """Return the difference of two linear forms, without the terms that vanish.

    A linear form maps the number of an unknown to its factor.
    """
    found = {key: minuend.get(key, 0) - subtrahend.get(key, 0) for key in {**minuend, **subtrahend}}
    return {key: value for key, value in found.items() if value}


def _solve_linear_equations(
    equations: Sequence[Mapping[int, Fraction | int]], default_values: Sequence[float]
) -> list[Fraction] | None:
    """Return a solution of linear equations: the right side of the first is 1, and of all others 0; None if there is
    none.

    Unknowns that the equations leave open receive the values ``default_values``, rounded.
    """
    count = len(default_values)
    whole = [_integer_equation(row, count) for row in equations]
    kept, pivots = _independent_rows(whole, count)
    if kept is None:
        return None
    opened = [column for column in range(count) if column not in pivots]
    given = {column: Fraction(default_values[column]).limit_denominator(1 << BINARY_PLACES) for column in opened}
    square = fmpz_mat([[whole[row][column] for column in pivots] for row in kept])
    right = [
        Fraction(1 if row == 0 else 0) * whole[0][0]
        - sum(whole[row][column] * value for column, value in given.items())
        for row in kept
    ]
    scale = lcm(*(value.denominator for value in right))
    try:
        found = square.solve(fmpz_mat([[int(value * scale)] for value in right]))
    except ZeroDivisionError:
        return None
    weights = [Fraction(0)] * count
    for place, column in enumerate(pivots):
        solution = fmpq(found[place, 0])
        weights[column] = Fraction(int(solution.p), int(solution.q)) / scale
    for column, value in given.items():
        weights[column] = value
    return weights


def _integer_equation(equation: Mapping[int, Fraction | int], unknown_count: int) -> list[int]:
    """Return an equation with whole coefficients. ``unknown_count``: the number of unknowns."""
    scale = lcm(*(value.denominator for value in equation.values()))
    found = [0] * unknown_count
    for column, value in equation.items():
        found[column] = int(value * scale)
    return found


def _independent_rows(rows: Sequence[Sequence[int]], unknown_count: int) -> tuple[list[int] | None, list[int]]:
    """Return the indices of linearly independent rows, and of as many columns that they determine, modulo a prime.

    Returns None in place of the rows if the first row depends on the others. Only the first row has a right side that
    is not 0.
    """
    kept = _pivot_columns(
        [[int(rows[row][column]) % PRIME for row in range(len(rows))] for column in range(unknown_count)]
    )
    if 0 not in kept:
        return None, []
    return kept, _pivot_columns([[value % PRIME for value in rows[row]] for row in kept])


def _pivot_columns(matrix: list[list[int]]) -> list[int]:
    """Return the pivot columns of a matrix in reduced row echelon form, modulo a prime."""
    if not matrix:
        return []
    reduced, rank = nmod_mat(matrix, PRIME).rref()
    found, column = list[int](), 0
    for row in range(rank):
        while int(reduced[row, column]) == 0:
            column += 1
        found.append(column)
    return found


def _plan_if_valid(seat: SubgameSeat, plan: Plan) -> Plan | None:
    """Return the plan if its weights are valid, else None.

    They are valid if none is negative, the empty sequence has the weight 1, and the weights of the actions of each
    choice add up to that of its parent sequence.
    """
    if min(plan) < 0 or plan[ROOT] != 1:
        return None
    for place in seat.information_sets:
        if sum(plan[each] for each in place.sequences) != plan[place.parent_sequence]:
            return None
    return plan


# --- games of one choice each


Row = Sequence[Fraction]


def solve_matrix_game(matrix: Sequence[Row]) -> tuple[Fraction, list[Fraction], list[Fraction]]:
    """Return the value to the row player, and the mixed actions of the row player and of the column player.

    ``matrix``: the payoffs to the row player, with at least one row and one column.
    """
    if saddle := _saddle_point(matrix):
        return saddle
    scale = lcm(*(entry.denominator for row in matrix for entry in row))
    whole = [[int(entry * scale) for entry in row] for row in matrix]
    shift = 1 - min(map(min, whole))
    rows, columns = len(whole), len(whole[0])
    # A tableau over one denominator: the columns, a slack for each row, the right side; the aim is the last line.
    table = [
        [*(entry + shift for entry in row), *(int(place == number) for place in range(rows)), 1]
        for number, row in enumerate(whole)
    ]
    table.append([-1] * columns + [0] * (rows + 1))
    basis, below = list(range(columns, columns + rows)), 1
    while (entering := next((place for place in range(columns + rows) if table[-1][place] < 0), None)) is not None:
        leaving = _leaving_row(table, basis, entering)
        below = _pivot(table, leaving, entering, below)
        basis[leaving] = entering
    total = Fraction(table[-1][-1], below)
    weights = [Fraction(0)] * (columns + rows)
    for number, place in enumerate(basis):
        weights[place] = Fraction(table[number][-1], below)
    own = [Fraction(table[-1][columns + number], below) / total for number in range(rows)]
    return (1 / total - shift) / scale, own, [weight / total for weight in weights[:columns]]


def _saddle_point(matrix: Sequence[Row]) -> tuple[Fraction, list[Fraction], list[Fraction]] | None:
    """Return the value and the pure actions of a saddle point, as weights; None if there is no saddle point."""
    lowest = [min(row) for row in matrix]
    highest = [max(column) for column in zip(*matrix, strict=True)]
    value = max(lowest)
    if value != min(highest):
        return None
    row, column = lowest.index(value), highest.index(value)
    own = [Fraction(int(place == row)) for place in range(len(lowest))]
    return value, own, [Fraction(int(place == column)) for place in range(len(highest))]


def _leaving_row(tableau: Sequence[Sequence[int]], basis: Sequence[int], entering_column: int) -> int:
    """Return the row of the variable that leaves the basis of a simplex table.

    It is the variable that first falls to 0 as the variable of the column ``entering_column`` grows; among several, the one
    with the lowest number. ``basis``: the variable of each row.
    """
    found, best = -1, Fraction(0)
    for number in range(len(basis)):
        if tableau[number][entering_column] > 0:
            ratio = Fraction(tableau[number][-1], tableau[number][entering_column])
            if found < 0 or (ratio, basis[number]) < (best, basis[found]):
                found, best = number, ratio
    return found


def _pivot(tableau: list[list[int]], row: int, column: int, denominator: int) -> int:
    """Exchange a variable of the basis of a simplex table in place, and return the new common denominator of its
    entries.

    ``row``, ``column``: the place of the pivot. ``denominator``: the old denominator; divisions by it leave no remainder.
    """
    pivot, kept = tableau[row][column], tableau[row]
    for number, line in enumerate(tableau):
        if number != row:
            factor = line[column]
            tableau[number] = [
                (value * pivot - factor * other) // denominator for value, other in zip(line, kept, strict=True)
            ]
    return pivot
