"""Checks whether a game is fair to its seats, how long it lasts, and whether the leader can still lose."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import ceil

import numpy as np

from oddsmith.base.errors import InputError, Signal
from oddsmith.base.exact import Number, plural
from oddsmith.base.location import Location
from oddsmith.report.lint.finding import Finding, LintLimits, Moves, number_with_grade_words, percent_words, warning_at
from oddsmith.report.lint.options import value_range
from oddsmith.report.lint.plays import ShortestBestPlays
from oddsmith.ruleset import Game
from oddsmith.ruleset.reading import location_of_path
from oddsmith.solve import FractionTooLong, Solution
from oddsmith.solve.questions import PlayedPolicy, expected_lengths, mass_arriving_at_sum
from oddsmith.solve.values import mixed_rows

NINE_IN_TEN = Fraction(9, 10)
MIN_MEAN_ROUNDS = 2  # that a game lasts on average, at least, to have a half-time


class NotApplicable(Signal):
    """Raised if a check does not apply to a game; the message gives the reason."""


def find_favoured_seat(solution: Solution, limits: LintLimits) -> Iterator[Finding]:
    """Report OD721: the values of two seats differ by more than a given share of what is at stake."""
    game, objective = solution.graph.game, solution.graph.objective

    def play_won_by(seat: int) -> Moves:
        return ShortestBestPlays(solution).play_to_ending_won_by(seat) or ()

    found = favoured_seat_finding(game, solution.values, value_range(solution), limits, objective, play_won_by)
    if found is not None:
        yield found


def favoured_seat_finding(
    game: Game,
    values: Sequence[Number],
    at_stake: Number,
    limits: LintLimits,
    objective: str,
    find_play_won_by: Callable[[int], Moves] = lambda _: (),
) -> Finding | None:
    """Return the finding that a seat is favoured; None if no seat is.

    ``values``: the values of the seats. ``at_stake``: the difference between the greatest and the least value of a
    position. ``find_play_won_by``: returns a play that a seat (from 0) wins.
    """
    if len(values) < 2:
        return None
    best, worst = max(values, key=lambda v: v.lower), min(values, key=lambda v: v.upper)
    apart = best - worst
    if apart.lower <= limits.favoured * at_stake.upper:
        return None
    seat, other = values.index(best), values.index(worst)
    rules = game.ruleset
    if rules.payoffs[objective].goal == "min":
        seat, other = other, seat
    message = (
        f"{rules.seat_name(seat)} is favoured: it gets {number_with_grade_words(values[seat])}, and "
        f"{rules.seat_name(other)} {number_with_grade_words(values[other])}; that is {(apart / at_stake * 100).decimal(2)} % "
        f"of what is at stake ({number_with_grade_words(at_stake)}), more than "
        f"{percent_words(limits.favoured)}"
    )
    hint = (
        "let the others begin with more, or play rounds in which each seat begins once; `oddsmith fair` finds a number"
    )
    return warning_at("OD721", payoff_location(game, objective), message, hint, find_play_won_by(seat))


def payoff_location(game: Game, objective: str) -> Location:
    """Return the place in the file of the payoff ``objective``."""
    return location_of_path(game.ruleset.source, "payoffs", objective)


# --- how long


def find_long_games(solution: Solution, limits: LintLimits) -> Iterator[Finding]:
    """Report OD731: more than one game in ten has more turns than the limit."""
    turns = int(limits.turns)
    _, longer = _distribution_after_turns(solution, max(turns, 1))
    if longer.lower <= 1 - NINE_IN_TEN:
        return
    everywhere = np.ones(solution.solved.arena.state_count, dtype=bool)
    play = ShortestBestPlays(solution).play_after(turns, everywhere) or ()
    yield too_long_finding(solution.graph.game, turns, longer, play)


def too_long_finding(game: Game, max_turns: int, longer_share: Number, play: Moves = ()) -> Finding:
    """Return the finding that too many games are too long. ``longer_share``: the share of games with more than ``max_turns``
    turns.
    """
    share, grade = longer_share.percent(2), longer_share.grade
    message = f"{share} of all games last more than {plural(max_turns, 'turn')} under best play ({grade})"
    hint = "lower the goal, raise what a turn brings, or end the game after a number of rounds"
    rules = game.ruleset
    place = location_of_path(
        rules.source, *(["end_when"] if "end_when" in rules.data else ["phases", rules.first_phase_of_turn])
    )
    return warning_at("OD731", place, message, hint, play)


def _distribution_after_turns(solution: Solution, turns: int) -> tuple[list[tuple[int, Fraction]], Number]:
    """Return the distribution over arena states after ``turns`` turns of best play, and its total probability, as
    bounds. The distance between these bounds is the greatest error of all probabilities together.
    """
    arena, played = solution.solved.arena, PlayedPolicy.of(solution)
    masses, lost = mass_arriving_at_sum(played.chain(played.turn_end_mask.astype(np.int64)), turns)
    mixed = mixed_rows(played.mixtures)
    states = np.flatnonzero(arena.reachable_states(played.rows, mixed))
    held = [(int(state), mass) for state, mass in zip(states, masses, strict=True) if mass]
    going = sum((mass for _, mass in held), Fraction(0))
    return held, Number(going - lost, going + lost)


# --- who leads


def find_runaway_leader(solution: Solution, limits: LintLimits) -> Iterator[Finding]:
    """Report OD751: the seat that leads at half-time nearly always wins.

    Half-time comes after half of the mean number of turns, rounded up. The leader of a position is the seat with the
    greatest probability of winning. The finding is about the mean of that probability over all games that have not
    ended by then.
    """
    graph, arena = solution.graph, solution.solved.arena
    if graph.seats < 2:
        return
    payoff = graph.game.ruleset.payoffs[graph.objective]
    if not payoff.has_probability_as_mean or payoff.goal == "min":
        raise NotApplicable(f"{graph.objective} is not a chance to win; --objective names one, if the ruleset has it")
    if solution.mixtures:
        raise NotApplicable("players mix actions")
    try:
        mean = expected_lengths(solution)["turns"]
    except (InputError, FractionTooLong) as error:
        raise NotApplicable(str(error)) from None
    if mean.upper < MIN_MEAN_ROUNDS * graph.seats:
        words = "turn" if number_with_grade_words(mean) == "1" else "turns"
        raise NotApplicable(
            f"a game of {number_with_grade_words(mean)} {words} on average is too short for a half-time"
        )
    half = ceil(mean.lower / 2)
    held, going = _distribution_after_turns(solution, half)
    if going.lower <= 0:
        raise NotApplicable("hardly any game lasts to half-time")
    lost = (going.upper - going.lower) / 2
    led = {state: _greatest_value_of_seats(solution, state) for state, _ in held}
    low = sum((mass * led[state].lower for state, mass in held), Fraction(0))
    high = sum((mass * led[state].upper for state, mass in held), Fraction(0))
    chance = Number(max(low - lost, Fraction(0)) / going.upper, min((high + lost) / going.lower, Fraction(1)))
    if chance.lower <= limits.leader:
        return
    get_there = "all games" if going.lower == 1 else f"{going.percent(2)} of all games"
    message = (
        f"whoever leads after {plural(half, 'turn')}, half of the mean, wins with chance {chance.percent(2)} ({chance.grade}), "
        f"more than {percent_words(limits.leader)}; {get_there} get there"
    )
    hint = "let those behind catch up: weigh late turns more, or take from the leader"
    safe = np.zeros(arena.state_count, dtype=bool)
    safe[[state for state, each in led.items() if each.lower >= limits.leader]] = True
    play = ShortestBestPlays(solution).play_after(half, safe) or ()
    yield warning_at("OD751", payoff_location(graph.game, graph.objective), message, hint, play)


def _greatest_value_of_seats(solution: Solution, state: int) -> Number:
    """Return the greatest value that a seat has in a state of the arena."""
    return max(solution.solved.bounds.state_numbers(state), key=lambda number: number.lower)
