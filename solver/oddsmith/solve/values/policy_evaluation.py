"""Policy evaluation: the values of a fixed pure or mixed policy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from math import log2, log10

import numpy as np

from oddsmith.base.arrays import Ints, arange
from oddsmith.base.exact import Number
from oddsmith.solve.arenas.arena import Arena
from oddsmith.solve.numbers import FractionTooLong
from oddsmith.solve.values.arena_solver import SPARE_PLACES, ArenaSolver, SolvedArena
from oddsmith.solve.values.bounds import KnownValues
from oddsmith.solve.values.fractions import ExactValues, default_time_limit
from oddsmith.solve.values.mixing import BoundsTooWide, Mixture

MAX_FRACTION_SECONDS = 0.02  # seconds that a fraction takes at most, by a guess, before bounds are looked at
PER_BIT = 3e-9  # seconds: of each transition, seat and bit of the bounds
MIN_CHANCE_WIDTH = 2.0**-256  # the width of a chance that is as good as known
MAX_LOST_PLACES = 20  # binary places that values may be less sure than the chances that they rest on
DIGITS_GIVEN_UP = 8  # digits that are given up at once where values are less sure than that
MAX_READ_BITS, MAX_READ_WORK = 1 << 13, 1 << 31  # of bounds that a value is read off, and times transitions and seats


def policy_values(
    arena: Arena, rows: Ints, max_seconds: float | None = None, mixtures: Mapping[int, Mixture] | None = None
) -> tuple[Number, ...]:
    """Return the value at the start for each seat under a policy, given as one row for each state. See
    ``start_values``.

    ``max_seconds``: the time that fractions may take; by default the time that solving the whole arena takes. ``mixtures``:
    the mixed actions of the states that mix; values that depend on them are given as bounds. Raises NeverEnds, FractionTooLong.
    """
    max_seconds = default_time_limit(arena) if max_seconds is None else max_seconds
    if not mixtures:
        return start_values(arena.policy_chain(rows), max_seconds)
    return _exact_or_bounded(_bounded_mixed_values(arena, rows, mixtures), 0, max_seconds)


def _bounded_mixed_values(arena: Arena, rows: Ints, mixtures: Mapping[int, Mixture]) -> SolvedArena:
    """Return bounds of the values of all states under a fixed mixed policy."""
    chances = (chance for mixture in mixtures.values() for chance in mixture.row_probabilities.values())
    places = -log2(max(MIN_CHANCE_WIDTH, *(float(chance.upper - chance.lower) for chance in chances)))
    return bounded_policy_values(
        replace(arena, prescribed_row=rows), mixtures, max(0, int((places - MAX_LOST_PLACES - SPARE_PLACES) * log10(2)))
    )


def bounded_policy_values(
    arena: Arena, mixtures: Mapping[int, Mixture], digits: int, known_values: KnownValues | None = None
) -> SolvedArena:
    """Return bounds of the values of an arena under a fixed pure or mixed policy.

    They have ``digits`` decimal digits, or fewer if the chances of the mixtures are not known well enough. ``known_values``:
    as for ``ArenaSolver``. Raises NeverEnds, FractionTooLong.
    """
    while True:
        try:
            return ArenaSolver(
                arena, unique_values=True, mixing=mixtures, digits=digits, known_values=known_values
            ).solve()
        except BoundsTooWide:
            if not digits:
                raise
            digits = max(0, digits - DIGITS_GIVEN_UP)


def start_values(chain: Arena, max_seconds: float, digits: int | None = None) -> tuple[Number, ...]:
    """Return the value at the start, for each seat, of an arena with one row for each state; see ``values_of_first_states``."""
    return values_of_first_states(chain, 1, max_seconds, digits)[0]


def values_of_first_states(
    chain: Arena, start_count: int, max_seconds: float, digits: int | None = None
) -> list[tuple[Number, ...]]:
    """Return the values for each seat in each of the first ``start_count`` states of an arena with one row for each state.

    They are fractions, or proven bounds. ``max_seconds``: the estimated time that the fractions of one state may take, if
    the bounds do not determine them. ``digits``: the wanted decimal digits of the bounds.
    """
    exact = ExactValues(chain, arange(chain.state_count))
    try:
        return [
            tuple(map(Number.of, exact.state_value(start, min(max_seconds, MAX_FRACTION_SECONDS))))
            for start in range(start_count)
        ]
    except FractionTooLong:
        solved = ArenaSolver(chain, unique_values=True, digits=digits).solve()
    bits = max(map(solved.bounds.grid_denominator_bits, range(start_count)))
    if bits < MAX_READ_BITS and len(chain.target) * chain.seats * bits < min(
        start_count * max_seconds / PER_BIT, MAX_READ_WORK
    ):
        solved = ArenaSolver(chain, unique_values=True, digits=max(digits or 0, bits * 3 // 10)).solve()
    return [_exact_or_bounded(solved, start, max_seconds) for start in range(start_count)]


def _exact_or_bounded(solved: SolvedArena, state: int, max_seconds: float) -> tuple[Number, ...]:
    """Return the values of a state as fractions, or as bounds if fractions would take longer than ``max_seconds``."""
    try:
        return tuple(map(Number.of, solved.exact.state_value(state, max_seconds)))
    except FractionTooLong:
        return solved.bounds.state_numbers(state)


def policy_value_upper_bounds(
    arena: Arena, rows: Ints, mixtures: Mapping[int, Mixture] | None = None
) -> list[Fraction]:
    """Return, for each seat, an upper bound of its values in all reachable states, under a pure or mixed policy."""
    chain = arena if mixtures else arena.policy_chain(rows)
    solved = (
        _bounded_mixed_values(arena, rows, mixtures) if mixtures else ArenaSolver(chain, unique_values=True).solve()
    )
    known = solved.bounds.known_values(arange(chain.state_count))
    radius = np.ldexp(known.radius.astype(float), -known.point.binary_places)
    floats = known.point.to_floats(known.middle) + radius[:, None]
    return [Fraction(most) + abs(Fraction(most)) / 1_000 + 1 for most in floats.max(axis=0).tolist()]  # floats round
