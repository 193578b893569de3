"""Answers to questions about play in a game with hidden information: fractions, or square roots of fractions."""

from __future__ import annotations

from dataclasses import replace
from typing import NoReturn

import numpy as np

from oddsmith.base.arrays import Ints
from oddsmith.base.distributions import deviation_from_moments
from oddsmith.base.errors import MeasureError, RulesetError
from oddsmith.base.exact import Number
from oddsmith.ruleset.model import Measure, Payoff
from oddsmith.solve.extensive.played import PlayedPlans
from oddsmith.solve.questions.measure import (
    answer_question,
    conditional_chance,
    event_masks,
    is_about_turn_or_game,
    means_of_ratio,
    ratio_of_means,
)
from oddsmith.solve.questions.played import can_pass_phase_twice, split_entry


def answer_all_measures(plans: PlayedPlans) -> dict[str, Number | MeasureError]:
    """Return the answer to each question of the ruleset, by name, or the reason why there is no answer. Raises
    PlayError.
    """
    found: dict[str, Number | MeasureError] = {}
    for name, question in plans.solution.game.ruleset.measures.items():
        try:
            found[name] = answer_measure(plans, question)
        except MeasureError as why:
            found[name] = why
    return found


def answer_measure(plans: PlayedPlans, question: Measure) -> Number:
    """Return the answer to a question about play by the plans of a solution. Raises MeasureError, PlayError."""
    game = plans.solution.game
    if not is_about_turn_or_game(question) or question.seat > game.seats:
        return answer_question(game, question, _refuse_single_decision)
    if question.divisor is not None:
        return ratio_of_means(*(answer_measure(plans, each) for each in means_of_ratio(question)))
    if question.start_values:
        raise MeasureError("`with` is for the chance of one roll, so it does not go with `in`")
    if question.when is not None:
        assert question.at_entry is not None
        if question.given_entry == question.at_entry:
            raise MeasureError("`when` and `given` cannot be about the same entry")
        plans = PlayedPlans.of(plans.solution, split_entry(game.ruleset, question.at_entry, question.when))
    try:
        return (
            _probability_answer(plans, question) if question.kind == "chance" else _mean_or_deviation(plans, question)
        )
    except ZeroDivisionError:
        raise MeasureError(f"no play takes {question.given_entry[1] if question.given_entry else 'it'}") from None


def expected_turns_and_rolls(plans: PlayedPlans) -> dict[str, Number]:
    """Return the expected number of turns and the expected number of rolls of a game, by the names ``turns`` and
    ``rolls``.
    """
    asked = {"turns": plans.turn_end_mask, "rolls": plans.roll_mask}
    return {name: Number.of(plans.exact_mean_and_mean_square(hit.astype(np.int64))[0]) for name, hit in asked.items()}


def mean_behind_deviation(plans: PlayedPlans, question: Measure) -> Number:
    """Return the mean of the quantity whose standard deviation a question asks for. Raises MeasureError."""
    return _mean_or_deviation(plans, replace(question, kind="count"))


def _refuse_single_decision() -> NoReturn:
    raise MeasureError("what a player chooses follows from what it has seen: ask for the chance `in: game`")


def _probability_answer(plans: PlayedPlans, question: Measure) -> Number:
    chances = [Number.of(plans.chance_to_hit_before(hit, over)) for hit, over in event_masks(question, plans)]
    return chances[0] if question.given_entry is None else conditional_chance(*chances)


def _mean_or_deviation(plans: PlayedPlans, question: Measure) -> Number:
    """Return the mean of the quantity that a question is about, or its standard deviation."""
    step, scale = _increments_and_scale(plans, question)
    taken = None if question.given_entry is None else plans.entry_mask(question.given_entry)
    mean, square = plans.exact_mean_and_mean_square(step, taken)
    if question.kind == "spread":
        return deviation_from_moments(mean / scale, square / (scale * scale))
    return Number.of(mean / scale)


def _increments_and_scale(plans: PlayedPlans, question: Measure) -> tuple[Ints, int]:
    """Return the units that each transition adds to the quantity that a question is about, and the number of units in
    1.

    Raises MeasureError.
    """
    game = plans.solution.game
    payoffs, objective = game.ruleset.payoffs, plans.solution.objective
    if question.spread_of in ("turns", "rolls"):
        return (plans.turn_end_mask if question.spread_of == "turns" else plans.roll_mask).astype(np.int64), 1
    if question.kind == "count" and question.at_entry is not None:
        if can_pass_phase_twice(game.ruleset, question.at_entry[0]):
            raise MeasureError(f"one step may pass {question.at_entry[0]} twice, so its entries are not counted")
        return plans.entry_mask(question.at_entry).astype(np.int64), 1
    if question.value is not None:
        payoff = Payoff("at end", question.value)
    else:
        name = objective if question.spread_of == "payoff" else question.spread_of
        if name not in payoffs:
            known = ", ".join([*payoffs, "turns", "rolls"])
            raise MeasureError(f"there is nothing called {name} to measure the spread of: {known}")
        payoff = payoffs[name]
    try:
        paying = replace(plans, payoff=payoff)
        return paying.payoff_units(question.seat), paying.scale
    except RulesetError as error:  # the number needs what the positions of the game do not tell
        raise MeasureError(error.problems[0].message) from None
