"""The values of a game with secrets at one setting of a sweep, and the value to a seat that alone leaves best play."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from oddsmith.base.errors import MeasureError
from oddsmith.base.exact import Number
from oddsmith.ruleset.model import ANY, RULE
from oddsmith.solve import NamedPolicy, refuse_unseen_reads
from oddsmith.solve.extensive import PlayedPlans, SecretSolution, expected_lengths, measures


def secret_point(solution: SecretSolution) -> dict[str, Any]:
    """Return one game of a sweep as plain data, in the form of ``sweep_point``: its values, lengths and measures."""
    plans = PlayedPlans.of(solution)
    answers = measures(plans)
    return {
        "states": solution.positions,
        "grade": solution.grade,
        "kind": solution.kind,
        "values": [value.to_json() for value in solution.values],
        "lengths": {name: number.to_json() for name, number in expected_lengths(plans).items()},
        "measures": {name: each.to_json() if isinstance(each, Number) else None for name, each in answers.items()},
        "thresholds": {},
    }


def secret_value_alone(solution: SecretSolution, plays: str, seat: int = 1) -> Number:
    """Return the value to a seat if it alone leaves best play: it plays by a named policy, or takes any legal action at
    random. The other seat follows its plan.

    ``plays``: the name of the policy, or ``ANY``. Raises UnknownPolicyError, MeasureError for ``RULE``, and PlayError
    for a policy that looks at what its player has not seen.
    """
    policies = solution.game.ruleset.policies
    if plays in policies or plays not in (RULE, ANY):
        policy = NamedPolicy(solution.game, plays)
        refuse_unseen_reads(solution.game, solution.objective, [plays])
        return Number.of(solution.worth_of_policy(seat - 1, policy.pick))
    if plays == RULE:
        raise MeasureError("a game with secrets has no short rule: name a policy, or any")
    return Number.of(solution.worth_of_trembling(seat - 1, Fraction(0)))
