"""The payoff of each seat if each seat plays a policy of its own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from oddsmith.base.arrays import Ints
from oddsmith.base.distributions import Distribution
from oddsmith.base.errors import ContestError, SolveError, UnknownPolicyError, did_you_mean
from oddsmith.base.exact import Number
from oddsmith.base.progress import Progress, ignore_progress
from oddsmith.ruleset import Game
from oddsmith.solve import Solution, policy_rows
from oddsmith.solve.arenas import Arena, NeverEnds
from oddsmith.solve.questions import distribution
from oddsmith.solve.values import ArenaSolver, start_values

BEST = "best play"
"""The best play of the solution: a policy like the others, which does not depend on what other seats play."""
ANSWER = "best response"
"""The best response of one seat to what the others play."""
DIGITS = 15  # decimal digits of proven bounds
TIME_LIMIT = 0.2  # seconds that a fraction may take: what is asked here is asked of many tables
ENDLESS = "play between these may go on for ever"
SeatPolicies = Sequence[str]
"""What is played in seat 1, 2, ...: the name of a policy, ``BEST``, or in one seat ``ANSWER``."""


@dataclass(frozen=True)
class BestResponse:
    """The value to a seat (from 1) of its best response, the value of the usual best play, and the difference.

    ``usual_value`` and ``gain`` are None if the usual best play mixes actions, or may never end against the other
    seats.
    """

    seat: int
    value: Number
    usual_value: Number | None
    gain: Number | None

    def to_json(self, digits: int) -> dict[str, Any]:
        """Return the values as plain data for JSON."""
        numbers = {"value": self.value, "usual": self.usual_value, "gain": self.gain}
        return {"seat": self.seat, **{name: number and number.to_json(digits) for name, number in numbers.items()}}


class Payoffs(ABC):
    """The payoffs of all seats if each seat plays a policy of its own."""

    def __init__(self, game: Game, objective: str, progress: Progress = ignore_progress) -> None:
        self.game, self.objective, self.progress = game, objective, progress

    @property
    def seats(self) -> int:
        """The number of seats."""
        return self.game.seats

    @property
    def policies(self) -> tuple[str, ...]:
        """The names of the policies in the ruleset."""
        return tuple(self.game.ruleset.policies)

    @property
    @abstractmethod
    def is_best_play_mixed(self) -> bool:
        """Whether best play can meet no other policy, because it mixes actions."""

    def full_policy_name(self, policy: str) -> str:
        """Return the full name of a policy. ``policy``: a policy of the ruleset, ``best`` for best play or ``answer`` for
        the best response, or a full name. Raises UnknownPolicyError.
        """
        if policy not in self.policies:
            policy = {"best": BEST, "answer": ANSWER}.get(policy, policy)
        if policy not in (BEST, ANSWER, *self.policies):
            names = (BEST, ANSWER, *self.policies)
            raise UnknownPolicyError(
                f"{self.game.ruleset.id} has no policy {policy}: {did_you_mean(policy, names, 'policies')}"
            )
        return policy

    def policy_notes(self, policy_names: Sequence[str]) -> tuple[str, ...]:  # noqa: ARG002 - there is nothing to say of most games
        """Return notes on the policies ``policy_names``, as sentences for people. Raises PlayError if one does not fit the
        game.
        """
        return ()

    @abstractmethod
    def values(self, seat_policies: SeatPolicies) -> tuple[Number, ...]:
        """Return what each seat gets. Raises SolveError if play may never end, and ContestError."""

    @abstractmethod
    def payoff_distribution(self, seat_policies: SeatPolicies, seat: int) -> Distribution:
        """Return the distribution of what a seat (from 1) gets, without its mean. Raises what ``values`` raises."""


class PolicyPayoffs(Payoffs):
    """Payoffs of policies in one solved game. Raises ContestError if the game was solved with named policies.

    ``time_limit``: the estimated seconds that exact values may take.
    """

    def __init__(
        self, solution: Solution, time_limit: float = TIME_LIMIT, progress: Progress = ignore_progress
    ) -> None:
        if solution.named_policies:
            raise ContestError("this game was solved with policies named: solve it without, and name them here")
        super().__init__(solution.graph.game, solution.graph.objective, progress)
        self.solution, self.graph, self.time_limit = solution, solution.graph, time_limit
        self._shared = Arena.of(self.graph)
        own = solution.solved.arena
        self.arena = self._shared.with_copy_per_seat() if own.copies_per_state == 1 else own
        self._rows_by_policy: dict[str, Ints] = {}
        self._rows: dict[tuple[str, ...], Ints] = {}
        self._values: dict[tuple[str, ...], tuple[Number, ...]] = {}

    @property
    def is_best_play_mixed(self) -> bool:
        """Whether best play mixes actions in some state. If so, either all seats play it or none."""
        return bool(self.solution.mixtures)

    # --- one table

    def values(self, seat_policies: SeatPolicies) -> tuple[Number, ...]:
        """Return what each seat gets. Raises SolveError if play may never end, and ContestError.

        If all other seats play best play, a seat that is to play the best response plays best play too, because best
        play is a proved equilibrium.
        """
        if set(seat_policies) <= {BEST, ANSWER}:
            return self.solution.values
        key = tuple(seat_policies)
        if key not in self._values:
            try:
                found = start_values(self.arena.policy_chain(self.played_rows(seat_policies)), self.time_limit, DIGITS)
            except (NeverEnds, ZeroDivisionError):
                raise SolveError(ENDLESS) from None
            self._values[key] = tuple(found[self._arena_seat_index(seat)] for seat in range(self.seats))
        return self._values[key]

    def payoff_distribution(self, seat_policies: SeatPolicies, seat: int) -> Distribution:
        """Return the distribution of what a seat (from 1) gets, without its mean. Raises what ``values`` raises."""
        if set(seat_policies) <= {BEST, ANSWER}:
            return distribution(self.solution, "payoff", self._arena_seat_index(seat - 1) + 1, with_moments=False)
        self.values(seat_policies)  # which says so where play may never end
        solved = replace(self.solution.solved, arena=self.arena, rows=self.played_rows(seat_policies), mixtures={})
        played = replace(self.solution, solved=solved)
        return distribution(played, "payoff", self._arena_seat_index(seat - 1) + 1, with_moments=False)

    def played_rows(self, seat_policies: SeatPolicies) -> Ints:
        """Return, for each state, the row that its seat plays.

        The states are those of the arena by seat, which has a copy of each state for each seat that may move.
        ``seat_policies``: the name of each seat's policy, or ``ANSWER`` for a best response to the others.
        """
        key = tuple(seat_policies)
        if key in self._rows:
            return self._rows[key]
        rows = np.full(self.arena.state_count, -1, dtype=np.int64)
        for seat, name in enumerate(seat_policies):
            own = slice(self._arena_seat_index(seat), None, self.seats)
            if name != ANSWER:
                rows[own] = self._rows_of_policy(name)[own]
        if ANSWER in key:
            try:
                solver = ArenaSolver(replace(self.arena, prescribed_row=rows), unique_values=True, digits=DIGITS)
                self._rows[key] = rows = solver.solve(self.progress).rows
            except NeverEnds:
                raise SolveError(ENDLESS) from None
        return rows

    def _arena_seat_index(self, seat: int) -> int:
        """Return the index of a seat (from 0) in the arena, which counts from the seat that moves first."""
        return (seat - self.graph.first_mover) % self.seats

    def _rows_of_policy(self, policy: str) -> Ints:
        """Return the row that a policy takes in every state of the arena by seat, as if every seat played it. The arena
        by seat has one copy of each state for each seat that may move.
        """
        if policy not in self._rows_by_policy:
            self._rows_by_policy[policy] = self._compute_rows_of_policy(policy)
        return self._rows_by_policy[policy]

    def _compute_rows_of_policy(self, policy: str) -> Ints:
        if policy != BEST:
            return self.arena.rows_by_seat(policy_rows(self.graph, policy), self._shared)
        if self.is_best_play_mixed:
            raise ContestError("best play mixes actions in this game, so it meets no other policy here")
        solved = self.solution.solved
        return solved.rows if solved.arena.copies_per_state > 1 else self.arena.rows_by_seat(solved.rows, self._shared)


def best_response(response_solution: Solution, best_play_solution: Solution) -> BestResponse:
    """Return the best response of the only seat that has no named policy in ``response_solution``.

    ``response_solution``: the solution if all other seats play by named policies. ``best_play_solution``: the solution
    with the usual best play.
    """
    tables, named = PolicyPayoffs(best_play_solution), response_solution.named_policies
    seat = next(seat for seat in range(1, tables.seats + 1) if seat not in named)
    value = response_solution.values[seat - 1]
    try:
        kept = tables.values([named.get(each, BEST) for each in range(1, tables.seats + 1)])[seat - 1]
    except (ContestError, SolveError):
        return BestResponse(seat, value, None, None)
    return BestResponse(seat, value, kept, gain_over(value, kept, response_solution.solved.arena.objective_sign))


def gain_over(best_value: Number, other_value: Number, sign: int) -> Number:
    """Return the gain of the best value over another value, which is no better. ``sign``: -1 if less is better, else 1."""
    gain = (best_value - other_value) * sign
    return Number(max(gain.lower, Fraction(0)), max(gain.upper, Fraction(0)))
