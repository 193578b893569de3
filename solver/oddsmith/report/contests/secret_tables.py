"""The payoffs of policies against each other in a game with secrets, in which best play draws its choices at random."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeVar

from oddsmith.base.distributions import Distribution, Outcome
from oddsmith.base.errors import ContestError, SolveError
from oddsmith.base.exact import Number, fraction_text
from oddsmith.base.progress import Progress, ignore_progress
from oddsmith.report.contests.tables import ANSWER, BEST, ENDLESS, Payoffs, SeatPolicies
from oddsmith.solve import NamedPolicy, refuse_reads_of_unseen
from oddsmith.solve.extensive import SeatPlan, SecretSolution

Answer = TypeVar("Answer")

OF_THIS_PLAY = "best play is the play that was found; other best play may get more or less from mistakes"
AT_ONCE = "no policy says how choices at once are made: there it takes any item, each with the same chance"


class SecretPayoffs(Payoffs):
    """Payoffs of policies in one solved game with secrets, all as fractions. Raises ContestError if the game was solved
    with named policies.
    """

    def __init__(self, solution: SecretSolution, progress: Progress = ignore_progress) -> None:
        if solution.named_policies:
            raise ContestError("this game was solved with policies named: solve it without, and name them here")
        if not solution.has_constant_sum:
            raise ContestError("with choices at once, policies meet where payoffs of two players add up to a constant")
        super().__init__(solution.game, solution.objective, progress)
        self.solution = solution
        self._plans: dict[tuple[str, int], SeatPlan] = {}

    @property
    def is_best_play_mixed(self) -> bool:
        """Always False, although best play may mix actions: here it is a plan like any other, and can meet all
        policies.
        """
        return False

    def policy_notes(self, policy_names: Sequence[str]) -> tuple[str, ...]:
        """Return notes on the policies ``policy_names``. Raises PlayError if one looks at what its player has not seen."""
        named = [name for name in policy_names if name in self.policies]
        refuse_reads_of_unseen(self.game, self.objective, named)
        at_once = any(phase.kind == "together" for phase in self.game.ruleset.phases.values())
        return (*([OF_THIS_PLAY] if BEST in policy_names else []), *([AT_ONCE] if named and at_once else []))

    def values(self, seat_policies: SeatPolicies) -> tuple[Number, ...]:
        """Return what each seat gets.

        Raises SolveError if play may never end, or if a best response is asked for and a position may be reached again.
        """
        if set(seat_policies) <= {BEST, ANSWER}:
            return self.solution.values
        return tuple(map(Number.of, self._evaluate_plans(self.solution.values_under, seat_policies)))

    def payoff_distribution(self, seat_policies: SeatPolicies, seat: int) -> Distribution:
        """Return the distribution of what a seat (from 1) gets, without its mean. Raises what ``values`` raises."""
        if set(seat_policies) <= {BEST, ANSWER}:
            seat_policies = [BEST] * self.seats  # which is its own best response
        chances = dict[Fraction, Fraction]()
        for paid, chance in self._evaluate_plans(self.solution.payoffs_under, seat_policies).items():
            chances[paid[seat - 1]] = chances.get(paid[seat - 1], Fraction(0)) + chance
        below, outcomes = Fraction(0), list[Outcome]()
        for value in sorted(value for value, chance in chances.items() if chance):
            below += chances[value]
            outcomes.append(Outcome(fraction_text(value), value, Number.of(chances[value]), Number.of(below)))
        what = f"{self.objective} of {self.game.ruleset.seat_name(seat - 1)}"
        return Distribution(what, tuple(outcomes), Number.of(0))

    def _evaluate_plans(self, evaluate: Callable[[Sequence[SeatPlan]], Answer], seat_policies: SeatPolicies) -> Answer:
        """Return the result of ``evaluate``, called with the plans of all seats. Raises SolveError if play may never end."""
        plans = [self._plan_of_policy(name, seat, seat_policies) for seat, name in enumerate(seat_policies)]
        try:
            return evaluate(plans)
        except ZeroDivisionError:
            raise SolveError(ENDLESS) from None

    def _plan_of_policy(self, policy: str, seat: int, seat_policies: SeatPolicies) -> SeatPlan:
        if policy == ANSWER:
            return self.solution.best_response(
                seat, self._plan_of_policy(seat_policies[1 - seat], 1 - seat, seat_policies)
            )
        key = policy, seat
        if key not in self._plans:
            choose = None if policy == BEST else NamedPolicy(self.game, policy).choose_action_index
            self._plans[key] = self.solution.policy_plan(seat, choose) if choose else self.solution.plan(seat)
        return self._plans[key]
