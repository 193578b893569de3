"""Every policy against every other, in every seat: what each gets, which policies each beats, and the best response to
each.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import product
from math import inf
from typing import Any

from oddsmith.base.dataframes import table_of_records
from oddsmith.base.errors import ContestError, InputError
from oddsmith.base.exact import Number, average, plural, short_repr
from oddsmith.base.progress import Progress, ignore_progress
from oddsmith.report.contests.secret_tables import SecretPayoffs
from oddsmith.report.contests.tables import ANSWER, BEST, TIME_LIMIT, Payoffs, PolicyPayoffs, gain_over
from oddsmith.solve import Solution
from oddsmith.solve.extensive import SecretSolution

PLACES = 12


@dataclass(frozen=True)
class Match:
    """One seat plays a policy, and all other seats play the policy ``against`` (empty in a game of one seat).

    ``values``: what the policy gets in seat 1, 2, ... ``mean_values_of_others``: for each of these seats, the mean of
    what the other seats get. ``problem``: the reason why there is no result; empty if there is one. With a problem,
    ``values`` and ``mean_values_of_others`` are empty.
    """

    policy: str
    against: str
    values: tuple[Number, ...] = ()
    mean_values_of_others: tuple[Number, ...] = ()
    problem: str = ""

    @property
    def mean(self) -> Number | None:
        """The mean of what the policy gets, over its seats."""
        return average(self.values) if self.values else None

    @property
    def lead(self) -> Number | None:
        """The mean of how much more the policy gets than the other seats, over its seats."""
        return average(self.values) - average(self.mean_values_of_others) if self.mean_values_of_others else None


@dataclass(frozen=True)
class Tournament:
    """The results of policies against each other.

    ``matches``: every policy against every other and against itself. ``best_responses``: the best response to each
    policy. ``goal``: ``max`` if more is better, else ``min``. ``notes``: sentences for people.
    """

    title: str
    objective: str
    seats: int
    goal: str
    policies: tuple[str, ...]
    matches: tuple[Match, ...]
    best_responses: tuple[Match, ...]
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        count = plural(len(self.policies), "policy", "policies")
        return short_repr(self, f"{self.title}, {plural(self.seats, 'seat')}, {self.objective}: {count}")

    @property
    def grade(self) -> str:
        """``exact`` if every value is a known fraction, else ``proven``."""
        known = [value for match in (*self.matches, *self.best_responses) for value in match.values]
        return "exact" if all(value.grade == "exact" for value in known) else "proven"

    def match(self, policy: str, against: str = "") -> Match:
        """Return the match of one policy against another. Raises ContestError if there is no such match."""
        for each in (*self.matches, *self.best_responses):
            if (each.policy, each.against) == (policy, against):
                return each
        raise ContestError(f"{policy} and {against} do not meet: the policies are {', '.join(self.policies)}")

    def is_improvement(self, number: Number) -> bool:
        """Whether a difference is proven to be for the better."""
        return number.lower > 0 if self.goal == "max" else number.upper < 0

    def beaten_policies(self, policy: str) -> tuple[str, ...]:
        """Return the policies that a policy beats: against them it gets more than they do, on average over the seats."""
        met = [each for each in self.matches if each.policy == policy and each.against not in ("", policy)]
        return tuple(each.against for each in met if each.lead is not None and self.is_improvement(each.lead))

    def best_response_gain(self, against: str) -> Number | None:
        """Return how much more the best response to a policy gets than the usual best play; None if either value is not
        known.
        """
        met = {each.policy: each.mean for each in (*self.matches, *self.best_responses) if each.against == against}
        best, usual = met.get(ANSWER), met.get(BEST)
        if best is None or usual is None:
            return None
        if against == BEST:  # it is its own best response
            return Number.of(0)
        return gain_over(best, usual, 1 if self.goal == "max" else -1)

    def records(self, digits: int = PLACES) -> list[dict[str, Any]]:
        """Return a record for each match: both policies, the mean, the lead, and what the policy gets in each seat."""
        return [
            {
                "policy": each.policy,
                "against": each.against,
                "mean": each.mean and each.mean.decimal(digits),
                "lead": each.lead and each.lead.decimal(digits),
                **{
                    f"seat_{seat}": each.values[seat - 1].decimal(digits) if each.values else None
                    for seat in range(1, self.seats + 1)
                },
                "problem": each.problem or None,
            }
            for each in (*self.matches, *self.best_responses)
        ]

    def table(self, table_type: str | None = None) -> Any:
        """Return the matches as a table.

        ``table_type``: the form of the table, ``pandas``, ``polars`` or ``records``. By default it is a ``DataFrame``
        of pandas or polars, whichever is installed, else a list of records. Raises ExportError.
        """
        return table_of_records(self.records(), table_type)

    def to_json(self, digits: int = PLACES) -> dict[str, Any]:
        """Return the result as plain data for JSON."""

        def match_data(match: Match) -> dict[str, Any]:
            return {
                "policy": match.policy,
                "against": match.against or None,
                "mean": match.mean and match.mean.to_json(digits),
                "lead": match.lead and match.lead.to_json(digits),
                "values": [value.to_json(digits) for value in match.values],
                "problem": match.problem or None,
            }

        return {
            "objective": self.objective,
            "seats": self.seats,
            "grade": self.grade,
            "policies": list(self.policies),
            "matches": [match_data(each) for each in self.matches],
            "answers": [match_data(each) for each in self.best_responses],
            "beats": {name: list(self.beaten_policies(name)) for name in self.policies},
            "notes": list(self.notes),
        }


def play_tournament(
    solution: Solution | SecretSolution,
    policies: Iterable[str] | None = None,
    with_best_responses: bool = True,
    as_fractions: bool = False,
    progress: Progress = ignore_progress,
) -> Tournament:
    """Return the results of policies of a solved game against each other.

    ``policies``: their names, with ``best`` for the usual best play; by default all policies of the ruleset, and best
    play. ``with_best_responses``: whether to find the best response to each policy. ``as_fractions``: whether to
    compute fractions even if they take long. If play between two policies may never end, the ``problem`` of their match
    says so. Raises ContestError, UnknownPolicyError, and PlayError for a policy that looks at what its player has not
    seen.
    """
    tables = _payoffs_of(solution, as_fractions)
    names, notes = _entrants_and_notes(tables, policies)
    notes += tables.policy_notes(names)
    foes = names if tables.seats > 1 else ("",)
    pairs = [*product(names, foes), *(product((ANSWER,), foes) if with_best_responses and tables.seats > 1 else ())]
    found = list[Match]()
    for number, (policy, against) in enumerate(pairs):
        progress(f"{policy} against {against}" if against else policy, number, len(pairs))
        found.append(_play_match(tables, policy, against))
    rules, objective = tables.game.ruleset, tables.objective
    return Tournament(
        rules.title,
        objective,
        tables.seats,
        rules.payoffs[objective].goal,
        names,
        tuple(each for each in found if each.policy != ANSWER),
        tuple(each for each in found if each.policy == ANSWER),
        tuple(notes),
    )


def _payoffs_of(solution: Solution | SecretSolution, as_fractions: bool) -> Payoffs:
    if isinstance(solution, SecretSolution):
        return SecretPayoffs(solution)
    return PolicyPayoffs(solution.with_fractions() if as_fractions else solution, inf if as_fractions else TIME_LIMIT)


def _entrants_and_notes(payoffs: Payoffs, policies: Iterable[str] | None) -> tuple[tuple[str, ...], list[str]]:
    """Return the names of the policies that take part, each once, and notes about them."""
    if policies is not None:
        names = tuple(dict.fromkeys(payoffs.full_policy_name(name) for name in policies))
        if ANSWER in names:
            raise ContestError(f"the {ANSWER} to each policy has a line of its own: leave it out of the policies")
        if not names:
            raise ContestError("name at least one policy")
        return names, []
    if not payoffs.policies:
        name = payoffs.game.ruleset.id
        raise ContestError(
            f"{name} names no policies that could play each other: write some under `policies:` in the ruleset"
        )
    if payoffs.is_best_play_mixed:
        return payoffs.policies, ["best play mixes actions in this game, so it meets no other policy here"]
    return (*payoffs.policies, BEST), []


def _play_match(payoffs: Payoffs, policy: str, against: str) -> Match:
    """Return the match of one policy, in every seat, against another policy that all other seats play."""
    n, match = payoffs.seats, Match(policy, against)
    own, others = list[Number](), list[Number]()
    try:
        for seat in range(n):
            values = payoffs.values([policy if at == seat else against for at in range(n)])
            own.append(values[seat])
            if n > 1:
                others.append(average([value for at, value in enumerate(values) if at != seat]))
    except InputError as error:
        return replace(match, problem=str(error))
    return replace(match, values=tuple(own), mean_values_of_others=tuple(others))
