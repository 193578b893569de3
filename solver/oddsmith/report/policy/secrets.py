"""A review of a play of a game with secrets: the average cost of each choice, given what its player had seen.

The expectation of a seat is computed as if every secret were seen, with all seats playing on by the plans of the
solution. Each step changes this expectation, and all changes add up to the result. So a bluff that succeeds raises it,
whether or not the bluff was right.

The cost of a choice is a different number: how much less the choice brings than the best action, on average over
everything that its player could not see, against the plan of the other seat. Over many games, the costs of a seat's
choices add up to what the seat loses to that plan.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from oddsmith.base.errors import MeasureError
from oddsmith.base.exact import Number, fraction_text
from oddsmith.report.english.options import OptionWords
from oddsmith.report.policy.review import MoveReview, Review, roll_result_words
from oddsmith.ruleset import PlayedMove
from oddsmith.ruleset.model import ANY, RULE
from oddsmith.solve import NamedPolicy, loss_of, refuse_reads_of_unseen
from oddsmith.solve.extensive import (
    Decision,
    PlayedPlans,
    SecretSolution,
    TracedStep,
    answer_all_measures,
    expected_turns_and_rolls,
    trace_play,
)

MAX_LINES = 40
"""The most decisions of a seat that are put into words."""
MAX_DENOMINATOR = 10**12
"""Denominators of chances that are printed as fractions are smaller."""


@dataclass(frozen=True)
class PlanInWords:
    """The plan of a seat: a line for each decision that play can reach, at most MAX_LINES, and the number of all other
    decisions.
    """

    seat_name: str
    lines: tuple[str, ...]
    omitted_count: int


def plans_in_words(solution: SecretSolution) -> Iterator[PlanInWords]:
    """Yield the plan of each seat that decides anything."""
    decisions = list(solution.decisions())
    say = OptionWords(solution.game, solution.game.ruleset.player_name)
    for seat in range(solution.game.seats):
        own = [each for each in decisions if each.seat == seat]
        met = [each for each in own if each.expected_visits]
        lines = tuple(_decision_words(each, say) for each in met[:MAX_LINES])
        if own:
            yield PlanInWords(solution.game.ruleset.seat_name(seat), lines, len(own) - len(lines))


def _decision_words(decision: Decision, say: OptionWords) -> str:
    known = f"[{' · '.join(say.worded_each(decision.known_facts))}] " if decision.known_facts else ""
    return f"{known}{decision.phase}: {_mixture_words(decision, say)}"


def _mixture_words(decision: Decision, say: OptionWords) -> str:
    taken = {say(name, decision.phase): chance for name, chance in decision.support.items()}
    if len(taken) == 1:
        return next(iter(taken))
    return ", ".join(f"{name} {_probability_text(chance)}" for name, chance in taken.items())


def _probability_text(probability: Fraction) -> str:
    """Return a probability as a fraction, or in percent if the fraction is too long to read."""
    return (
        fraction_text(probability) if probability.denominator < MAX_DENOMINATOR else Number.of(probability).percent(6)
    )


def review_secret_play(solution: SecretSolution, moves: Sequence[PlayedMove]) -> Review:
    """Return the review of ``moves``, a play from the start of a solved game with secrets."""
    steps = trace_play(solution, moves)
    say = OptionWords(solution.game, solution.game.ruleset.player_name)
    worth = [solution.values, *(each.values_after for each in steps)]
    reviewed = []
    for each, before, after in zip(steps, worth, worth[1:], strict=False):
        change = tuple(new - old for new, old in zip(after, before, strict=True))
        reviewed.append(_secret_move_review(solution, say, each, change))
    return Review(tuple(reviewed), worth[0], worth[-1], bool(moves) and not moves[-1].step.state.phase)


def _secret_move_review(
    solution: SecretSolution, option_words: OptionWords, step: TracedStep, value_change: tuple[Number, ...]
) -> MoveReview:
    if step.seat is None or step.choice is None:
        return MoveReview(step.position.state.mover + 1, roll_result_words(solution.game, step.move), value_change)
    phase = step.position.state.phase
    names = [option_words(name, phase) for name in solution.action_names(step.choice.information_set)]
    chances = step.choice.action_probabilities
    chance = None if chances is None or len(names) == 1 else Number.of(chances[step.taken_index])
    worth = solution.action_value_bounds(step.subgame_root, step.seat, step.choice)
    if worth is None:
        return MoveReview(step.seat + 1, names[step.taken_index], value_change, None, (), True, chance)
    best = max(worth, key=lambda each: solution.objective_sign * each.middle)
    losses = [loss_of(best, each, solution.objective_sign) for each in worth]
    loss, better = losses[step.taken_index], [name for name, each in zip(names, losses, strict=True) if not each.lower]
    return MoveReview(
        step.seat + 1,
        names[step.taken_index],
        value_change,
        loss,
        tuple(better) if loss.lower > 0 else (),
        True,
        chance,
    )


# --- decisions with secrets


def secret_sweep_point_data(solution: SecretSolution) -> dict[str, Any]:
    """Return one game of a sweep as plain data, in the form of ``sweep_point_data``: its values, lengths and measures."""
    plans = PlayedPlans.of(solution)
    answers = answer_all_measures(plans)
    return {
        "states": solution.position_count,
        "grade": solution.grade,
        "kind": solution.kind,
        "values": [value.to_json() for value in solution.values],
        "lengths": {name: number.to_json() for name, number in expected_turns_and_rolls(plans).items()},
        "measures": {name: each.to_json() if isinstance(each, Number) else None for name, each in answers.items()},
        "thresholds": {},
    }


def secret_value_of_deviation(solution: SecretSolution, policy_name: str, seat: int = 1) -> Number:
    """Return the value to a seat if it alone leaves best play: it plays by a named policy, or takes any legal action at
    random. The other seat follows its plan.

    ``policy_name``: the name of the policy, or ``ANY``. Raises UnknownPolicyError, MeasureError for ``RULE``, and PlayError
    for a policy that looks at what its player has not seen.
    """
    policies = solution.game.ruleset.policies
    if policy_name in policies or policy_name not in (RULE, ANY):
        policy = NamedPolicy(solution.game, policy_name)
        refuse_reads_of_unseen(solution.game, solution.objective, [policy_name])
        return Number.of(solution.value_of_policy(seat - 1, policy.choose_action_index))
    if policy_name == RULE:
        raise MeasureError("a game with secrets has no short rule: name a policy, or any")
    return Number.of(solution.value_of_trembling(seat - 1, Fraction(0)))
