"""Answers to a ruleset's questions: chances, means and counts, for one roll or for the whole game under the solved
policy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from math import inf

import numpy as np

from oddsmith.base.arrays import Mask
from oddsmith.base.distributions import Distribution, deviation_from_moments
from oddsmith.base.errors import DistributionError, MeasureError, PlayError, RulesetError
from oddsmith.base.exact import Number
from oddsmith.expr import compiled_function
from oddsmith.ruleset import ChanceResult, Game, Rules, State
from oddsmith.ruleset.model import Measure, Payoff
from oddsmith.solve.numbers import FractionTooLong
from oddsmith.solve.questions.distribution import BestPlay, distribution
from oddsmith.solve.questions.moments import conditional_moments
from oddsmith.solve.questions.played import Play, PlayedPolicy, can_pass_phase_twice, policy_on_other_graph, split_entry
from oddsmith.solve.solution import Solution
from oddsmith.solve.values.policy_evaluation import policy_values

Entry = tuple[str, str]


def answer_question(
    game: Game, question: Measure, get_solution: Callable[[], Solution], prefer_exact: bool = False
) -> Number:
    """Return the answer to a question. Raises MeasureError.

    ``get_solution``: returns the solved game; it is called only if the answer depends on a policy. ``prefer_exact``:
    whether the answer should be a fraction even if that takes longer than solving.

    The kind of a question is ``chance`` (of an entry), ``mean`` (of an expression), ``count`` (of the times that any
    seat takes an entry), or ``spread`` (the standard deviation of a quantity). A mean with ``per``, another mean, is
    the ratio of the two. With the condition ``when``, an entry counts only if the condition holds. With the entry
    ``given``, only the plays in which any seat takes that entry count; for one roll, only the results that lead to it.
    """
    if question.seat > game.seats:
        raise MeasureError(f"there is no seat {question.seat}: the seats are 1 to {game.seats}")
    if question.divisor is not None:
        return ratio_of_means(
            *(answer_question(game, each, get_solution, prefer_exact) for each in means_of_ratio(question))
        )
    if not is_about_turn_or_game(question):
        return _answer_of_roll(game, question, get_solution)
    if question.start_values:
        raise MeasureError("`with` is for the chance of one roll, so it does not go with `in`")
    solved = get_solution()
    try:
        return _answer_of_play(solved, question, inf if prefer_exact else solved.time_limit)
    except FractionTooLong as error:
        if needs_distribution(question) and (question.when is None or solved.mixtures):
            parts = (
                split_entry(game.ruleset, question.at_entry, question.when)
                if question.at_entry and question.when
                else None
            )
            return answer_from_distribution(BestPlay.of(solved, parts), question)
        raise MeasureError(f"the exact answer is too long: {error}") from None
    except ZeroDivisionError:
        raise MeasureError(f"no play takes {question.given_entry[1] if question.given_entry else 'it'}") from None
    except PlayError:
        raise
    except RulesetError as error:  # the number needs what the positions of the game do not tell
        raise MeasureError(error.problems[0].message) from None


def means_of_ratio(question: Measure) -> tuple[Measure, Measure]:
    """Return the questions for the two means of a ratio, numerator first."""
    return replace(question, divisor=None), replace(question, value=question.divisor, divisor=None)


def ratio_of_means(numerator: Number, denominator: Number) -> Number:
    """Return the ratio of two means. Raises MeasureError if the second may be 0."""
    try:
        return numerator / denominator
    except ZeroDivisionError:
        raise MeasureError("the mean that it is divided by is 0, or may be") from None


def is_about_turn_or_game(question: Measure) -> bool:
    """Return whether a question is about a turn or the whole game, not about one roll or decision."""
    return question.kind in ("count", "spread") or bool(question.within) or question.at_entry is None


# --- one roll


def state_of_question(game: Game, question: Measure) -> State:
    """Return the position of a question about one roll or decision.

    All variables have their starting values, except those that `with` sets.
    """
    assert question.at_entry is not None
    cells = list(game.start)
    m = game.context(cells)
    for name, tree in question.start_values.items():
        for where in game.cell_indices_of(name):
            cells[where] = compiled_function(tree)(m)
    return State(question.at_entry[0], 0, 0, tuple(cells))


def _answer_of_roll(game: Game, question: Measure, get_solution: Callable[[], Solution]) -> Number:
    """Return the answer to a question about one roll or decision. Raises MeasureError if there is none."""
    assert question.at_entry is not None
    phase, entry = question.at_entry
    rules = Rules(game)
    state, kind = state_of_question(game, question), game.ruleset.phases[phase].kind
    if kind != "roll" and question.given_entry is not None:
        raise MeasureError("`given` is for rolls, and for questions about a whole game")
    if kind == "choose":
        return _chance_of_option(state, question, get_solution())
    holds = compiled_function(question.when) if question.when else None
    value = compiled_function(question.value) if question.value else None
    hits, met, total = 0, 0, Fraction(0)
    for weight, thrown in rules.weighted_chance_results(state)[0] if kind == "roll" else [(1, None)]:
        if question.given_entry is not None and not _takes_entry(rules, state, thrown, question.given_entry):
            continue
        met += weight
        taken, context = rules.entry_name_and_context(state, thrown)
        if taken == entry and (holds is None or holds(context)):
            hits += weight
            total += weight * Fraction(value(context)) if value else 0
    if not met:
        raise MeasureError(
            f"no result of {phase} leads to {question.given_entry[1] if question.given_entry else entry}"
        )
    if value is None:
        return Number.of(Fraction(hits, met))
    if not hits:
        raise MeasureError(f"{entry} of {phase} is never taken there: its mean does not exist")
    return Number.of(total / hits)


def _takes_entry(rules: Rules, state: State, chance_result: ChanceResult | None, entry: Entry) -> bool:
    """Return whether a result of chance takes an entry, directly in its phase or in a phase of cases that follows."""
    if entry[0] == state.phase:
        return rules.entry_name_and_context(state, chance_result)[0] == entry[1]
    return chance_result is not None and entry in rules.resolve(state, chance_result).events


def _chance_of_option(state: State, question: Measure, solution: Solution) -> Number:
    """Return the chance that the policy takes an option: 0 or 1, unless the player mixes actions."""
    game, entry = solution.graph.game, question.at_entry[1] if question.at_entry else ""

    def takes_option(row: int) -> bool:
        phase, place, binding = solution.graph.actions[int(solution.graph.row_action[row])]
        context = game.context(state.cells)
        context.local.update(binding)
        return game.ruleset.phases[phase].entries[place].name == entry and (
            question.when is None or bool(compiled_function(question.when)(context))
        )

    number = solution.state_index(state)
    if number is None:
        raise MeasureError(f"play never comes to {state.phase} with every variable at its start: set some with `with`")
    mixture = solution.mixtures.get(number)
    if mixture is None:
        return Number.of(int(takes_option(solution.best_row(number))))
    offset = int(solution.graph.state_rows[number] - solution.solved.arena.state_rows[number])
    hits = [chance for row, chance in mixture.row_probabilities.items() if takes_option(row + offset)]
    return Number.of(1) if len(hits) == len(mixture.row_probabilities) else sum(hits, Number.of(0))


# --- along a turn or the whole game under the solved policy


def _answer_of_play(solution: Solution, question: Measure, time_limit: float | None) -> Number:
    if question.kind == "chance":
        return _chance_of_entry(solution, question, time_limit)
    if question.kind == "spread":
        played = _play_paying_quantity(solution, question.spread_of)
    elif question.kind == "mean":
        assert question.value is not None
        played = policy_on_other_graph(solution, Payoff("at end", question.value))
    else:
        assert question.at_entry is not None
        if can_pass_phase_twice(solution.graph.game.ruleset, question.at_entry[0]):
            raise MeasureError(f"one step may pass {question.at_entry[0]} twice, so its entries are not counted")
        if _is_unconditional_count(question):
            return _expected_count(solution, question.at_entry, time_limit)
        played = _play_with_marked_entries(solution, question)
        played = played.counting_play(played.entry_mask(question.at_entry))
    return _mean_or_deviation_of_payoff(played, question, time_limit)


def _is_unconditional_count(question: Measure) -> bool:
    """Return whether a question counts an entry without any condition."""
    return question.kind == "count" and question.when is None and question.given_entry is None


def _expected_count(solution: Solution, entry: Entry, time_limit: float | None) -> Number:
    """Return the expected number of times that any seat takes an entry.

    The solution caches it, together with other counts for which the ruleset asks, because one chain yields several.
    """
    key, rules = (entry, time_limit), solution.graph.game.ruleset
    if key not in solution.cached_answers:
        others = [
            question.at_entry
            for question in rules.measures.values()
            if question.at_entry and _is_unconditional_count(question)
        ]
        new = [
            each
            for each in dict.fromkeys(others)
            if (each, time_limit) not in solution.cached_answers and each != entry
        ]
        new = [entry, *(each for each in new if not can_pass_phase_twice(rules, each[0]))][: solution.graph.seats]
        played = PlayedPolicy.of(solution)
        found = _expected_counts(played, [played.entry_mask(each) for each in new], time_limit)
        solution.cached_answers.update(zip(((each, time_limit) for each in new), found, strict=True))
    return solution.cached_answers[key]


def _expected_counts(played: PlayedPolicy, hit_masks: Sequence[Mask], time_limit: float | None) -> list[Number]:
    """Return, for each mask of transitions, the expected number of times that play takes one of them.

    One chain yields as many of these numbers as there are seats.
    """
    seats = played.graph.seats
    chains = [
        played.arena.counting_arena(hit_masks[first : first + seats]) for first in range(0, len(hit_masks), seats)
    ]
    return [mean for chain in chains for mean in policy_values(chain, played.rows, time_limit, played.mixtures)]


def _mean_or_deviation_of_payoff(played: PlayedPolicy, question: Measure, time_limit: float | None) -> Number:
    """Return the mean of the payoff of an arena, or its standard deviation if the question asks for that."""
    seat = question.seat - 1
    if question.kind != "spread" and question.given_entry is None:
        return policy_values(played.arena, played.rows, time_limit, played.mixtures)[seat]
    if played.mixtures:
        raise FractionTooLong("where a player mixes actions, it is no fraction")
    taken = played.entry_mask(question.given_entry) if question.given_entry else None
    moments = conditional_moments(played.arena, played.rows, taken, 3 if question.kind == "spread" else 2)
    return (
        deviation_from_moments(moments[1][seat], moments[2][seat])
        if question.kind == "spread"
        else Number.of(moments[1][seat])
    )


def mean_of_quantity(question: Measure, solution: Solution) -> Number:
    """Return the mean of the quantity whose standard deviation the question asks for. Raises MeasureError."""
    plain = replace(question, kind="count")
    try:
        return _mean_or_deviation_of_payoff(
            _play_paying_quantity(solution, question.spread_of), plain, solution.time_limit
        )
    except FractionTooLong as error:
        mean = _distribution_for(BestPlay.of(solution), question).mean
        if mean is None:
            raise MeasureError(f"there is no mean: {error}") from None
        return mean
    except ZeroDivisionError as error:
        raise MeasureError(f"there is no mean: {error}") from None


def _chance_of_entry(solution: Solution, question: Measure, time_limit: float | None) -> Number:
    """Return the chance that a seat takes an entry at least once, in its first turn or in the game.

    With a condition, the chance that both events happen is the sum of their chances, less the chance of either.
    """
    assert question.at_entry is not None
    played = _play_with_marked_entries(solution, question)
    if question.within == "game" or question.seat > 1:
        played = played.by_seat()  # in the first turn of all, nobody but the first moves
    chances = [_chance_to_hit_before(played, hit, over, time_limit) for hit, over in event_masks(question, played)]
    return chances[0] if question.given_entry is None else conditional_chance(*chances)


def event_masks(question: Measure, played: Play) -> list[tuple[Mask, Mask]]:
    """Return the events of a chance as pairs of masks of transitions.

    The first mask has the transitions that count, the second those after which no transition counts any more. There is
    one pair, for the entry of the question. Under a condition there are three: for the entry, for the condition, and
    for either of the two.
    """
    assert question.at_entry is not None
    own = played.mover_mask(question.seat)
    hit, over = played.entry_mask(question.at_entry) & own, played.turn_end_mask & own & (question.within == "turn")
    if question.given_entry is None:
        return [(hit, over)]
    other = played.entry_mask(question.given_entry)
    if question.within == "turn":
        other &= own
    return [(hit, over), (other, over), (hit | other, over)]


def conditional_chance(event_chance: Number, condition_chance: Number, either_chance: Number) -> Number:
    """Return the chance of an event under a condition, from the chances of the event, of the condition, and of either.

    Raises ZeroDivisionError if the condition is never met, and MeasureError if it is not known whether it is ever met.
    """
    if condition_chance.upper <= 0:
        raise ZeroDivisionError
    if condition_chance.lower <= 0:
        raise MeasureError("it is not known whether any play meets the condition: no bound tells its chance from 0")
    low, high = (
        event_chance.lower + condition_chance.lower - either_chance.upper,
        event_chance.upper + condition_chance.upper - either_chance.lower,
    )
    return Number(max(low, Fraction(0)) / condition_chance.upper, min(high / condition_chance.lower, Fraction(1)))


def _play_with_marked_entries(solution: Solution, question: Measure) -> PlayedPolicy:
    """Return the play in which the entries of a question are marked; with ``when``, only if that condition holds."""
    if question.when is None:
        return PlayedPolicy.of(solution)
    assert question.at_entry is not None
    if question.given_entry == question.at_entry:
        raise MeasureError("`when` and `given` cannot be about the same entry")
    graph = solution.graph
    payoff, parts = (
        graph.game.ruleset.payoffs[graph.objective],
        split_entry(graph.game.ruleset, question.at_entry, question.when),
    )
    return policy_on_other_graph(
        solution, payoff, [question.at_entry, *([question.given_entry] if question.given_entry else [])], split=parts
    )


def _chance_to_hit_before(played: PlayedPolicy, hit_mask: Mask, stop_mask: Mask, time_limit: float | None) -> Number:
    """Return the chance that play takes a transition of ``hit_mask`` no later than its first transition of
    ``stop_mask``.
    """
    arena = played.counting_play(hit_mask).arena
    within = replace(arena, target=np.where(hit_mask | stop_mask, -1, arena.target))
    return policy_values(within, played.rows, time_limit, played.mixtures)[0]


def needs_distribution(question: Measure) -> bool:
    """Return whether a question is answered from a distribution.

    Such questions ask for a standard deviation, or for a count or mean under the condition ``given``.
    """
    return question.kind == "spread" or (question.given_entry is not None and question.kind != "chance")


def answer_from_distribution(plays: BestPlay, question: Measure) -> Number:
    """Return the answer from a distribution: a standard deviation, a mean at the end, or a count without ``when``.

    Raises MeasureError.
    """
    numbers = _distribution_for(plays, question)
    found = numbers.standard_deviation if question.kind == "spread" else numbers.mean
    if found is None:
        raise MeasureError("too little is known of the longest plays for an answer")
    return found


def _distribution_for(plays: BestPlay, question: Measure) -> Distribution:
    """Return the distribution of the quantity that a question is about. Raises MeasureError."""
    seat = question.seat
    if question.kind == "spread":
        what: str | Payoff = question.spread_of
        seat = 0 if what in ("turns", "rolls") else seat
    elif question.kind == "mean":
        assert question.value is not None
        what = Payoff("at end", question.value)
    else:
        assert question.at_entry is not None
        what, seat = f"count {'/'.join(question.at_entry)}", 0
    try:
        return distribution(plays, what, seat or None, question.given_entry)
    except DistributionError as why:
        raise MeasureError(str(why)) from None


def _play_paying_quantity(solution: Solution, quantity: str) -> PlayedPolicy:
    """Return the policy in an arena that pays ``quantity``: the payoff of that name, or 1 for every turn or for every
    roll.
    """
    played, payoffs = PlayedPolicy.of(solution), solution.graph.game.ruleset.payoffs
    if quantity in ("turns", "rolls"):
        return played.counting_play(played.turn_end_mask if quantity == "turns" else played.roll_mask)
    if quantity in (solution.graph.objective, "payoff"):
        return played
    if quantity not in payoffs:
        known = ", ".join([*payoffs, "turns", "rolls"])
        raise MeasureError(f"there is nothing called {quantity} to measure the spread of: {known}")
    return policy_on_other_graph(solution, payoffs[quantity])


def expected_lengths(solution: Solution) -> dict[str, Number]:
    """Return the expected numbers of turns and of rolls under the solved policy, as ``turns`` and ``rolls``.

    Raises MeasureError.
    """
    played = PlayedPolicy.of(solution)
    return dict(
        zip(
            ("turns", "rolls"),
            _expected_counts(played, [played.turn_end_mask, played.roll_mask], solution.time_limit),
            strict=True,
        )
    )
