"""Distributions: every value that a quantity of the game can take, with its chance, under the policy of a solution."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from oddsmith.base.arrays import Ints, Mask
from oddsmith.base.distributions import Distribution, Outcome, deviation_from_moments
from oddsmith.base.errors import DistributionError, RulesetError, did_you_mean
from oddsmith.base.exact import Number, fraction_text
from oddsmith.expr import EXACT, Expr
from oddsmith.ruleset import Game
from oddsmith.ruleset.model import Payoff
from oddsmith.solve.numbers import FractionTooLong
from oddsmith.solve.questions.moments import (
    conditional_moments,
    mean_and_deviation_of,
    mean_and_mean_square,
    number_if_narrow,
)
from oddsmith.solve.questions.played import Play, PlayedPolicy, SplitEntry, can_pass_phase_twice, policy_on_other_graph
from oddsmith.solve.questions.sums import (
    ConditionalDistribution,
    FloatDistribution,
    MirroredDistribution,
    Sums,
    sum_distribution,
)
from oddsmith.solve.solution import Solution
from oddsmith.solve.values.policy_evaluation import policy_values

MAX_TAIL_CHANCE = Fraction(1, 1 << 60)  # chance of what is still in play when a distribution without end is cut off
MOMENT_STATES = 5_000  # up to which mean and deviation are computed as fractions
EXACT_STATES = 50_000  # up to which the mean is, if it is short enough; beyond, it is proven
MEAN_STATES = 3_000_000  # up to which there is one at all


@dataclass(frozen=True)
class SumAlongPlay:
    """A sum along play, for one seat or for all seats together.

    The sum is a payoff, or the number of times that an entry is taken, dice are rolled, or turns end. ``payoff``: the
    payoff; ``counted_entry``: the counted entry; ``counts_rolls``: whether rolls are counted. If none of these three is
    given, turns are counted. ``seat``: the seat (from 0); None for all seats together.
    """

    payoff: Payoff | None
    counted_entry: tuple[str, str] | None
    counts_rolls: bool
    seat: int | None


@dataclass(frozen=True, eq=False)
class SumDistributions:
    """The distribution of a sum over all plays and, if there is a condition, also over the plays that do not meet it.

    ``units_per_one``: the number of units in 1. ``mean``: the mean over all plays, if another method has computed it.
    ``max_abs_sum``: the largest absolute value of the sum.
    """

    distributions: Sequence[FloatDistribution]
    units_per_one: Fraction
    mean: Number | None
    max_abs_sum: int


@dataclass(frozen=True, eq=False)
class BestPlay:
    """Best play of a game, solved as a graph or by stages.

    ``play_of(payoff, entries, pay_at_end)`` returns play on positions that distinguish everything on which ``payoff``
    depends. Transitions that take one of ``entries`` are marked, and with ``pay_at_end`` the payoff is paid only at the
    end. The function raises RulesetError if a tally would have to be part of the state, MeasureError, and
    TooManyStatesError. ``listed_distribution(sum, condition)`` returns the distribution of a sum if it can be found
    without these positions, else None.
    """

    game: Game
    objective: str
    play_of: Callable[[Payoff, Sequence[tuple[str, str]], bool], Play]
    listed_distribution: Callable[[SumAlongPlay, tuple[str, str] | None], SumDistributions | None] = lambda _, __: None

    @staticmethod
    def of(solution: Solution, split: SplitEntry | None = None) -> BestPlay:
        """Return the play of a solution. ``split``: an entry that is split in two.

        A question is answered on the solution's own graph if that graph has all that the question needs.
        """
        graph = solution.graph

        def play_of(payoff: Payoff, marked_entries: Sequence[tuple[str, str]], pay_at_end: bool) -> PlayedPolicy:
            same = payoff == graph.game.ruleset.payoffs[graph.objective] and set(marked_entries) <= set(graph.watched)
            if same and not pay_at_end and split is None:
                return PlayedPolicy.of(solution)
            return policy_on_other_graph(solution, payoff, marked_entries, pay_at_end, split=split)

        return BestPlay(graph.game, graph.objective, play_of)


def distribution(
    solved: Solution | BestPlay,
    quantity: str | Payoff,
    seat: int | None = None,
    given_entry: tuple[str, str] | None = None,
    max_tail_chance: Fraction = MAX_TAIL_CHANCE,
    with_moments: bool = True,
    allow_decreasing: bool = True,
) -> Distribution:
    """Return the distribution of a quantity of the game.

    ``quantity``: the quantity. ``payoff``, the name of a payoff, or a payoff that the ruleset does not have: what seat
    1 receives, or ``seat`` if given. ``win``: the share of a seat in a payoff of 1 for those with the best payoff of
    the table. ``winner``: the seats that have the best payoff. ``turns``, ``rolls`` or ``count PHASE/ENTRY``: a number
    for all seats together, or for ``seat`` if given. ``given_entry``: only the plays in which any seat takes that entry
    count. ``max_tail_chance``: a distribution without end is cut off as soon as less than this chance is left.
    ``with_moments``: whether to compute the mean and the standard deviation. ``allow_decreasing``: whether to compute a
    sum that may decrease before the end, which may take long. Raises DistributionError, and the errors of exploring,
    because another payoff may need more states.
    """
    plays = BestPlay.of(solved) if isinstance(solved, Solution) else solved
    found = _listed_distribution(plays, quantity, seat, given_entry, with_moments)
    if found is not None:
        return found
    asked = _sum_question(plays, quantity, seat, given_entry, allow_decreasing)
    words, taken = (
        _name_with_condition(asked.sum_name, given_entry),
        asked.play.entry_mask(given_entry) if given_entry is not None else None,
    )
    every = asked.sum_distribution(max_tail_chance)
    found_sum: Sums | ConditionalDistribution[Sums] = every
    if taken is not None:
        try:
            found_sum = ConditionalDistribution(every, asked.sum_distribution(max_tail_chance, taken))
        except ZeroDivisionError:
            raise DistributionError(f"there is no distribution of {words}: no play takes it") from None
    outcomes = [
        Outcome(
            asked.name_of_sum(total),
            asked.payoff_of_sum(total),
            found_sum.chance(total),
            found_sum.chance_at_most(total) if asked.scale else None,
        )
        for total in found_sum.values
    ]
    mean, spread = _mean_and_deviation(asked, taken, found_sum) if asked.scale and with_moments else (None, None)
    return Distribution(words, tuple(outcomes), found_sum.unlisted_chance, mean, spread)


def _listed_distribution(
    plays: BestPlay, quantity: str | Payoff, seat: int | None, given_entry: tuple[str, str] | None, with_moments: bool
) -> Distribution | None:
    """Return a distribution that can be found without holding all positions in memory at once; None if it cannot.

    The parameters are those of ``distribution``.
    """
    named = _question_parts(
        plays.game, plays.objective, "payoff" if isinstance(quantity, Payoff) else quantity, seat, given_entry
    )
    payoff, quantity = (quantity, quantity.name) if isinstance(quantity, Payoff) else (named.payoff, quantity)
    seat = (seat or 1) if payoff else seat
    asked = SumAlongPlay(payoff, named.counted_entry, quantity == "rolls", None if seat is None else seat - 1)
    found = None if quantity == "winner" else plays.listed_distribution(asked, given_entry)
    if found is None:
        return None
    words = _name_with_condition(
        _payoff_name(plays, payoff, quantity, seat) if payoff and seat else _quantity_name(plays, quantity, seat),
        given_entry,
    )
    try:
        found_sum = (
            found.distributions[0] if len(found.distributions) == 1 else ConditionalDistribution(*found.distributions)
        )
    except ZeroDivisionError:  # the condition is so rare that positions have to tell
        return None
    outcomes = [
        Outcome(fraction_text(value), value, found_sum.chance(total), found_sum.chance_at_most(total))
        for total, value in ((total, total / found.units_per_one) for total in found_sum.values)
    ]
    known = (
        mean_and_deviation_of(found_sum, found.max_abs_sum, None if given_entry else found.mean)
        if with_moments
        else (None, None)
    )
    mean, spread = (number_if_narrow(number and number / found.units_per_one) for number in known)
    return Distribution(words, tuple(outcomes), found_sum.unlisted_chance, mean, spread)


# --- what is asked


def _name_with_condition(name: str, given_entry: tuple[str, str] | None) -> str:
    return name + (f" given {given_entry[0]}/{given_entry[1]}" if given_entry else "")


def _quantity_name(plays: BestPlay, quantity: str, seat: int | None) -> str:
    """Return the name of a quantity, with the name of the seat (from 1) if it is about one."""
    return quantity if seat is None else f"{quantity} of {plays.game.ruleset.seat_name(seat - 1)}"


def _payoff_name(plays: BestPlay, payoff: Payoff, quantity: str, seat: int) -> str:
    """Return the name of a payoff of a seat (from 1). The name mentions the seat unless the game is for one player."""
    return _quantity_name(
        plays, payoff.name if quantity == "payoff" else quantity, seat if plays.game.seats > 1 else None
    )


@dataclass(frozen=True)
class _QuestionAboutSum:
    """A question about a sum along a chain.

    ``sum_name``: the name of the sum; ``play``, ``increments``: the play, and the amount that each transition adds.
    ``scale``: the number of units in 1; 0 if a sum encodes a set of winners. ``paying_play``: the play in an arena that
    pays the sum to ``seat`` (from 0). ``seat_names``: the names of the seats, if they have names. ``sign``: -1 if the
    steps add up to the negative of the sum, else 1. ``can_decrease``: whether the sum itself may decrease between
    states.
    """

    sum_name: str
    play: Play
    increments: Ints
    scale: int
    paying_play: Play
    seat: int = 0
    seat_names: tuple[str, ...] = ()
    sign: int = 1
    can_decrease: bool = False

    def sum_distribution(self, max_tail_chance: Fraction, avoided: Mask | None = None) -> Sums:
        """Return the distribution of the sum, over all plays or over those that avoid the transitions of the mask
        ``avoided``.

        ``max_tail_chance``: as for ``distribution``.
        """
        found = sum_distribution(self.play.chain(self.increments, avoided), max_tail_chance)
        return found if self.sign > 0 else MirroredDistribution(found)

    def payoff_of_sum(self, total: int) -> Fraction | None:
        return Fraction(total, self.scale) if self.scale else None

    def name_of_sum(self, total: int) -> str:
        if self.scale:
            return fraction_text(Fraction(total, self.scale))
        named = self.seat_names or range(1, self.play.seats + 1)
        return " ".join(str(name) for seat, name in enumerate(named) if total >> seat & 1)


@dataclass(frozen=True)
class _QuestionParts:
    """The parts of a question.

    ``counted_entry``: the entry that the question counts; ``marked_entries``: the entries that are marked; ``payoff``:
    the payoff, if the question is about one.
    """

    counted_entry: tuple[str, str] | None
    marked_entries: list[tuple[str, str]]
    payoff: Payoff | None


def refuse_unknown_quantity(
    game: Game, objective: str, quantity: str, seat: int | None = None, given_entry: tuple[str, str] | None = None
) -> None:
    """Raise DistributionError if ``distribution`` would refuse the question. The game need not be solved yet."""
    _question_parts(game, objective, quantity, seat, given_entry)


def _question_parts(
    game: Game, objective: str, quantity: str, seat: int | None, given_entry: tuple[str, str] | None
) -> _QuestionParts:
    if seat is not None and not 1 <= seat <= game.seats:
        raise DistributionError(f"there is no seat {seat}: the seats are 1 to {game.seats}")
    word, _, path = quantity.partition(" ")
    entry = _parse_entry(path) if word == "count" and path else None
    watch = [_checked_entry(game, each) for each in (entry, given_entry) if each is not None]
    if entry and can_pass_phase_twice(game.ruleset, entry[0]):
        raise DistributionError(f"one step may pass {entry[0]} twice, so its entries are not counted")
    counted = entry is not None or quantity in ("turns", "rolls", "winner")
    return _QuestionParts(entry, watch, None if counted else _payoff_by_name(game, objective, quantity))


def _sum_question(
    plays: BestPlay,
    quantity: str | Payoff,
    seat: int | None,
    given_entry: tuple[str, str] | None,
    allow_decreasing: bool,
) -> _QuestionAboutSum:
    if isinstance(quantity, Payoff):
        named = _question_parts(plays.game, plays.objective, "payoff", seat, given_entry)
        return _payoff_question(plays, quantity, quantity.name, seat or 1, named.marked_entries, allow_decreasing)
    named = _question_parts(plays.game, plays.objective, quantity, seat, given_entry)
    if named.payoff is not None:
        return _payoff_question(plays, named.payoff, quantity, seat or 1, named.marked_entries, allow_decreasing)
    return (
        _winner_question(plays, named.marked_entries)
        if quantity == "winner"
        else _count_question(plays, quantity, named.counted_entry, seat, named.marked_entries)
    )


def _parse_entry(path: str) -> tuple[str, str]:
    phase, slash, name = path.partition("/")
    if not slash:
        raise DistributionError(f"`count {path}`: write count PHASE/ENTRY, such as count throw/Bust")
    return phase.strip(), name.strip()


def _checked_entry(game: Game, entry: tuple[str, str]) -> tuple[str, str]:
    """Return the entry. Raises DistributionError if the ruleset does not have it."""
    phases = game.ruleset.phases
    phase, name = entry
    if phase not in phases:
        raise DistributionError(f"there is no phase {phase}: {did_you_mean(phase, phases, 'phases')}")
    names = [each.name for each in phases[phase].entries if each.name]
    if name not in names:
        raise DistributionError(f"the phase {phase} has no entry {name}: {did_you_mean(name, names, 'entries')}")
    return entry


def _payoff_by_name(game: Game, objective: str, name: str) -> Payoff:
    payoffs = game.ruleset.payoffs
    own = payoffs[objective]
    if name == "payoff":
        return own
    if name in payoffs:
        return payoffs[name]
    if name == "win":
        return _winners_share_payoff(own)
    known = [*payoffs, "win", "winner", "turns", "rolls", "count"]
    raise DistributionError(f"there is nothing called {name}: {did_you_mean(name, known, 'distributions')}")


def _winners_share_payoff(payoff: Payoff) -> Payoff:
    """Return a payoff of 1 that is shared by the seats that have the best value of ``payoff``."""
    value = payoff.value
    if payoff.is_share and payoff.goal == "max":
        return payoff
    if payoff.goal == "min":
        value = Expr("neg", value.type, (value,))
    return Payoff("win", Expr("call", EXACT, (value,), "share"))


def _play_with_payoff(
    plays: BestPlay, payoff: Payoff, marked_entries: list[tuple[str, str]], pay_at_end: bool = False
) -> Play:
    """Return the play in which a payoff is paid and the entries ``marked_entries`` are marked. Raises
    DistributionError.

    ``pay_at_end``: whether the payoff is paid only at the end.
    """
    try:
        return plays.play_of(payoff, marked_entries, pay_at_end)
    except RulesetError as error:
        why = error.problems[0].message
        if pay_at_end:
            read, state = {node.value for node in payoff.value.walk()}, plays.game.ruleset.state
            tallies = " and ".join(name for name in state if name in read and state[name].kind == "tally")
            why = f"it may rise and fall without end, so {tallies} would have to be a number with a min and a max"
        raise DistributionError(f"there is no distribution of {payoff.name}: {why}") from None


def _count_question(
    plays: BestPlay,
    quantity: str,
    counted_entry: tuple[str, str] | None,
    seat: int | None,
    marked_entries: list[tuple[str, str]],
) -> _QuestionAboutSum:
    rules = plays.game.ruleset
    played = _play_with_payoff(plays, rules.payoffs[plays.objective], marked_entries)
    if seat is not None:
        played = played.by_seat()
    hit = (
        played.entry_mask(counted_entry)
        if counted_entry
        else played.turn_end_mask
        if quantity == "turns"
        else played.roll_mask
    )
    if seat is not None:
        hit = hit & played.mover_mask(seat)
    return _QuestionAboutSum(
        _quantity_name(plays, quantity, seat), played, hit.astype(np.int64), 1, played.counting_play(hit)
    )


def _payoff_question(
    plays: BestPlay,
    payoff: Payoff,
    quantity: str,
    seat: int,
    marked_entries: list[tuple[str, str]],
    allow_decreasing: bool,
) -> _QuestionAboutSum:
    played, step = _play_and_increments(plays, payoff, seat, marked_entries)
    asked = _QuestionAboutSum(_payoff_name(plays, payoff, quantity, seat), played, step, played.scale, played, seat - 1)
    if not played.may_decrease(step):
        return asked
    try:  # payoffs are taken back before the end: let all be paid at the end
        ended, at_end = _play_and_increments(plays, payoff, seat, marked_entries, pay_at_end=True)
    except DistributionError:
        for way in (1, -1) if allow_decreasing else ():
            rising = played.nonnegative_increments(way * step)
            if rising is not None:
                return replace(asked, increments=rising, sign=way, can_decrease=True)
        raise
    return replace(asked, play=ended, increments=at_end, scale=ended.scale, paying_play=ended)


def _play_and_increments(
    plays: BestPlay, payoff: Payoff, seat: int, marked_entries: list[tuple[str, str]], pay_at_end: bool = False
) -> tuple[Play, Ints]:
    """Return the Markov chain of play under the policy in which a payoff is paid, and the units that each of its
    transitions pays to a seat (from 1).

    ``marked_entries``, ``pay_at_end``: as for ``_play_with_payoff``.
    """
    played = _play_with_payoff(plays, payoff, marked_entries, pay_at_end).by_seat()
    return played, played.payoff_units(seat)


def _winner_question(plays: BestPlay, marked_entries: list[tuple[str, str]]) -> _QuestionAboutSum:
    played = _play_with_payoff(
        plays, _winners_share_payoff(_payoff_by_name(plays.game, plays.objective, "payoff")), marked_entries
    ).by_seat()
    step = sum(
        ((played.payoff_units(seat + 1) > 0).astype(np.int64) << seat for seat in range(played.seats)), np.int64(0)
    )
    return _QuestionAboutSum("winner", played, np.asarray(step), 0, played, seat_names=plays.game.ruleset.sides)


def _mean_and_deviation(
    question: _QuestionAboutSum, condition_mask: Mask | None, found_distribution: Sums | ConditionalDistribution[Sums]
) -> tuple[Number | None, Number | None]:
    """Return the mean and the standard deviation of a sum.

    Each is None if it would take too long to compute, or if its bounds are too wide to print. ``condition_mask``: a
    mask of transitions; only plays that take one of them count. ``found_distribution``: the distribution of the sum.
    """
    played, seat = question.paying_play, question.seat
    exact = played.exact_mean_and_mean_square(question.increments, condition_mask)
    if exact is not None:
        mean, square = (each / question.scale**power for power, each in enumerate(exact, 1))
        return Number.of(mean), deviation_from_moments(mean, square)
    assert isinstance(played, PlayedPolicy), "its numbers take the arena"
    if played.arena.state_count > MEAN_STATES:
        return None, None
    if played.arena.state_count <= MOMENT_STATES and not played.mixtures:
        try:
            _, means, squares = conditional_moments(played.arena, played.rows, condition_mask)
        except FractionTooLong:
            pass
        else:
            return Number.of(means[seat]), deviation_from_moments(means[seat], squares[seat])
    mean, square = mean_and_mean_square(found_distribution, question.increments, played, seat, question.can_decrease)
    mean, square = mean and mean / question.scale, square and square / (question.scale * question.scale)
    if condition_mask is None:
        seconds = None if played.arena.state_count <= EXACT_STATES else 0
        with suppress(FractionTooLong):  # where a mixture is known too widely
            mean = policy_values(played.arena, played.rows, seconds, played.mixtures)[seat]
    mean = number_if_narrow(mean)
    return mean, mean and square and number_if_narrow(deviation_from_moments(mean, square))
