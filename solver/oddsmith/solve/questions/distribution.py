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
from oddsmith.solve.questions.moments import conditional_moments, moments_of, number_if_narrow, power_means
from oddsmith.solve.questions.played import Play, PlayedPolicy, SplitEntry, may_pass_twice, policy_on_other_graph
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
    payoff; ``entry``: the counted entry; ``rolls``: whether rolls are counted. If none of these three is given, turns
    are counted. ``seat``: the seat (from 0); None for all seats together.
    """

    payoff: Payoff | None
    entry: tuple[str, str] | None
    rolls: bool
    seat: int | None


@dataclass(frozen=True, eq=False)
class ListedSum:
    """The distribution of a sum over all plays and, if there is a condition, also over the plays that do not meet it.

    ``scale``: the number of units in 1. ``mean``: the mean over all plays, if another method has computed it. ``most``:
    the largest absolute value of the sum.
    """

    distributions: Sequence[FloatDistribution]
    scale: Fraction
    mean: Number | None
    most: int


@dataclass(frozen=True, eq=False)
class BestPlay:
    """Best play of a game, solved as a graph or by stages.

    ``play_of(payoff, entries, whole)`` returns play on positions that distinguish everything on which ``payoff``
    depends. Transitions that take one of ``entries`` are marked, and with ``whole`` the payoff is paid only at the end.
    The function raises RulesetError if a tally would have to be part of the state, MeasureError, and
    TooManyStatesError. ``listed(sum, condition)`` returns the distribution of a sum if it can be found without these
    positions, else None.
    """

    game: Game
    objective: str
    play_of: Callable[[Payoff, Sequence[tuple[str, str]], bool], Play]
    listed: Callable[[SumAlongPlay, tuple[str, str] | None], ListedSum | None] = lambda _, __: None

    @staticmethod
    def of(solution: Solution, split: SplitEntry | None = None) -> BestPlay:
        """Return the play of a solution. ``split``: an entry that is split in two.

        A question is answered on the solution's own graph if that graph has all that the question needs.
        """
        graph = solution.graph

        def played(payoff: Payoff, watch: Sequence[tuple[str, str]], whole: bool) -> PlayedPolicy:
            same = payoff == graph.game.ruleset.payoffs[graph.objective] and set(watch) <= set(graph.watched)
            if same and not whole and split is None:
                return PlayedPolicy.of(solution)
            return policy_on_other_graph(solution, payoff, watch, whole, split=split)

        return BestPlay(graph.game, graph.objective, played)


def distribution(
    of: Solution | BestPlay,
    what: str | Payoff,
    seat: int | None = None,
    given: tuple[str, str] | None = None,
    tail: Fraction = MAX_TAIL_CHANCE,
    moments: bool = True,
    falling: bool = True,
) -> Distribution:
    """Return the distribution of a quantity of the game.

    ``what``: the quantity. ``payoff``, the name of a payoff, or a payoff that the ruleset does not have: what seat 1
    receives, or ``seat`` if given. ``win``: the share of a seat in a payoff of 1 for those with the best payoff of the
    table. ``winner``: the seats that have the best payoff. ``turns``, ``rolls`` or ``count PHASE/ENTRY``: a number for
    all seats together, or for ``seat`` if given. ``given``: only the plays in which any seat takes that entry count.
    ``tail``: a distribution without end is cut off as soon as less than this chance is left. ``moments``: whether to
    compute the mean and the standard deviation. ``falling``: whether to compute a sum that may decrease before the end,
    which may take long. Raises DistributionError, and the errors of exploring, because another payoff may need more
    states.
    """
    plays = BestPlay.of(of) if isinstance(of, Solution) else of
    found = _listed_distribution(plays, what, seat, given, moments)
    if found is not None:
        return found
    asked = _sum_question(plays, what, seat, given, falling)
    words, taken = (
        _words_with_condition(asked.what, given),
        asked.played.entry_mask(given) if given is not None else None,
    )
    every = asked.sum_distribution(tail)
    found_sum: Sums | ConditionalDistribution[Sums] = every
    if taken is not None:
        try:
            found_sum = ConditionalDistribution(every, asked.sum_distribution(tail, taken))
        except ZeroDivisionError:
            raise DistributionError(f"there is no distribution of {words}: no play takes it") from None
    outcomes = [
        Outcome(
            asked.name_of_sum(total),
            asked.payoff_of_sum(total),
            found_sum.chance(total),
            found_sum.at_most(total) if asked.scale else None,
        )
        for total in found_sum.values
    ]
    mean, spread = _mean_and_deviation(asked, taken, found_sum) if asked.scale and moments else (None, None)
    return Distribution(words, tuple(outcomes), found_sum.beyond, mean, spread)


def _listed_distribution(
    plays: BestPlay, what: str | Payoff, seat: int | None, given: tuple[str, str] | None, moments: bool
) -> Distribution | None:
    """Return a distribution that can be found without holding all positions in memory at once; None if it cannot.

    The parameters are those of ``distribution``.
    """
    named = _question_parts(plays.game, plays.objective, "payoff" if isinstance(what, Payoff) else what, seat, given)
    payoff, what = (what, what.name) if isinstance(what, Payoff) else (named.payoff, what)
    seat = (seat or 1) if payoff else seat
    asked = SumAlongPlay(payoff, named.entry, what == "rolls", None if seat is None else seat - 1)
    found = None if what == "winner" else plays.listed(asked, given)
    if found is None:
        return None
    words = _words_with_condition(
        _payoff_name(plays, payoff, what, seat) if payoff and seat else _quantity_name(plays, what, seat), given
    )
    try:
        found_sum = (
            found.distributions[0] if len(found.distributions) == 1 else ConditionalDistribution(*found.distributions)
        )
    except ZeroDivisionError:  # the condition is so rare that positions have to tell
        return None
    outcomes = [
        Outcome(fraction_text(value), value, found_sum.chance(total), found_sum.at_most(total))
        for total, value in ((total, total / found.scale) for total in found_sum.values)
    ]
    known = moments_of(found_sum, found.most, None if given else found.mean) if moments else (None, None)
    mean, spread = (number_if_narrow(number and number / found.scale) for number in known)
    return Distribution(words, tuple(outcomes), found_sum.beyond, mean, spread)


# --- what is asked


def _words_with_condition(words: str, given: tuple[str, str] | None) -> str:
    return words + (f" given {given[0]}/{given[1]}" if given else "")


def _quantity_name(plays: BestPlay, what: str, seat: int | None) -> str:
    """Return the name of a quantity, with the name of the seat (from 1) if it is about one."""
    return what if seat is None else f"{what} of {plays.game.ruleset.seat_name(seat - 1)}"


def _payoff_name(plays: BestPlay, payoff: Payoff, what: str, seat: int) -> str:
    """Return the name of a payoff of a seat (from 1). The name mentions the seat unless the game is for one player."""
    return _quantity_name(plays, payoff.name if what == "payoff" else what, seat if plays.game.seats > 1 else None)


@dataclass(frozen=True)
class _SumQuestion:
    """A question about a sum along a chain.

    ``what``: the name of the sum; ``played``, ``step``: the play, and the amount that each transition adds. ``scale``:
    the number of units in 1; 0 if a sum encodes a set of winners. ``paying``: the play in an arena that pays the sum to
    ``seat`` (from 0). ``sides``: the names of the seats, if they have names. ``way``: -1 if the steps add up to the
    negative of the sum, else 1. ``falling``: whether the sum itself may decrease between states.
    """

    what: str
    played: Play
    step: Ints
    scale: int
    paying: Play
    seat: int = 0
    sides: tuple[str, ...] = ()
    way: int = 1
    falling: bool = False

    def sum_distribution(self, tail: Fraction, without: Mask | None = None) -> Sums:
        """Return the distribution of the sum, over all plays or over those that avoid the transitions of the mask
        ``without``.

        ``tail``: as for ``distribution``.
        """
        found = sum_distribution(self.played.chain(self.step, without), tail)
        return found if self.way > 0 else MirroredDistribution(found)

    def payoff_of_sum(self, total: int) -> Fraction | None:
        return Fraction(total, self.scale) if self.scale else None

    def name_of_sum(self, total: int) -> str:
        if self.scale:
            return fraction_text(Fraction(total, self.scale))
        named = self.sides or range(1, self.played.seats + 1)
        return " ".join(str(name) for seat, name in enumerate(named) if total >> seat & 1)


@dataclass(frozen=True)
class _QuestionParts:
    """The parts of a question.

    ``entry``: the entry that the question counts; ``watch``: the entries that are marked; ``payoff``: the payoff, if
    the question is about one.
    """

    entry: tuple[str, str] | None
    watch: list[tuple[str, str]]
    payoff: Payoff | None


def refuse_unknown(
    game: Game, objective: str, what: str, seat: int | None = None, given: tuple[str, str] | None = None
) -> None:
    """Raise DistributionError if ``distribution`` would refuse the question. The game need not be solved yet."""
    _question_parts(game, objective, what, seat, given)


def _question_parts(
    game: Game, objective: str, what: str, seat: int | None, given: tuple[str, str] | None
) -> _QuestionParts:
    if seat is not None and not 1 <= seat <= game.seats:
        raise DistributionError(f"there is no seat {seat}: the seats are 1 to {game.seats}")
    word, _, path = what.partition(" ")
    entry = _parse_entry(path) if word == "count" and path else None
    watch = [_checked_entry(game, each) for each in (entry, given) if each is not None]
    if entry and may_pass_twice(game.ruleset, entry[0]):
        raise DistributionError(f"one step may pass {entry[0]} twice, so its entries are not counted")
    counted = entry is not None or what in ("turns", "rolls", "winner")
    return _QuestionParts(entry, watch, None if counted else _named_payoff(game, objective, what))


def _sum_question(
    plays: BestPlay, what: str | Payoff, seat: int | None, given: tuple[str, str] | None, falling: bool
) -> _SumQuestion:
    if isinstance(what, Payoff):
        named = _question_parts(plays.game, plays.objective, "payoff", seat, given)
        return _payoff_question(plays, what, what.name, seat or 1, named.watch, falling)
    named = _question_parts(plays.game, plays.objective, what, seat, given)
    if named.payoff is not None:
        return _payoff_question(plays, named.payoff, what, seat or 1, named.watch, falling)
    return (
        _winner_question(plays, named.watch)
        if what == "winner"
        else _count_question(plays, what, named.entry, seat, named.watch)
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


def _named_payoff(game: Game, objective: str, what: str) -> Payoff:
    payoffs = game.ruleset.payoffs
    own = payoffs[objective]
    if what == "payoff":
        return own
    if what in payoffs:
        return payoffs[what]
    if what == "win":
        return _sharing_payoff(own)
    known = [*payoffs, "win", "winner", "turns", "rolls", "count"]
    raise DistributionError(f"there is nothing called {what}: {did_you_mean(what, known, 'distributions')}")


def _sharing_payoff(payoff: Payoff) -> Payoff:
    """Return a payoff of 1 that is shared by the seats that have the best value of ``payoff``."""
    value = payoff.value
    if value.op == "call" and value.value == "share" and payoff.goal == "max":
        return payoff
    if payoff.goal == "min":
        value = Expr("neg", value.type, (value,))
    return Payoff("win", Expr("call", EXACT, (value,), "share"))


def _play_with_payoff(plays: BestPlay, payoff: Payoff, watch: list[tuple[str, str]], whole: bool = False) -> Play:
    """Return the play in which a payoff is paid and the entries ``watch`` are marked. Raises DistributionError.

    ``whole``: whether the payoff is paid only at the end.
    """
    try:
        return plays.play_of(payoff, watch, whole)
    except RulesetError as error:
        why = error.problems[0].message
        if whole:
            read, state = {node.value for node in payoff.value.walk()}, plays.game.ruleset.state
            tallies = " and ".join(name for name in state if name in read and state[name].kind == "tally")
            why = f"it may rise and fall without end, so {tallies} would have to be a number with a min and a max"
        raise DistributionError(f"there is no distribution of {payoff.name}: {why}") from None


def _count_question(
    plays: BestPlay, what: str, entry: tuple[str, str] | None, seat: int | None, watch: list[tuple[str, str]]
) -> _SumQuestion:
    rules = plays.game.ruleset
    played = _play_with_payoff(plays, rules.payoffs[plays.objective], watch)
    if seat is not None:
        played = played.by_seat()
    hit = played.entry_mask(entry) if entry else played.turns if what == "turns" else played.roll_mask
    if seat is not None:
        hit = hit & played.mover_mask(seat)
    return _SumQuestion(_quantity_name(plays, what, seat), played, hit.astype(np.int64), 1, played.counting_play(hit))


def _payoff_question(
    plays: BestPlay, payoff: Payoff, what: str, seat: int, watch: list[tuple[str, str]], falling: bool
) -> _SumQuestion:
    played, step = _play_and_steps(plays, payoff, seat, watch)
    asked = _SumQuestion(_payoff_name(plays, payoff, what, seat), played, step, played.scale, played, seat - 1)
    if not played.may_fall(step):
        return asked
    try:  # payoffs are taken back before the end: let all be paid at the end
        ended, at_end = _play_and_steps(plays, payoff, seat, watch, whole=True)
    except DistributionError:
        for way in (1, -1) if falling else ():
            rising = played.nonnegative_steps(way * step)
            if rising is not None:
                return replace(asked, step=rising, way=way, falling=True)
        raise
    return replace(asked, played=ended, step=at_end, scale=ended.scale, paying=ended)


def _play_and_steps(
    plays: BestPlay, payoff: Payoff, seat: int, watch: list[tuple[str, str]], whole: bool = False
) -> tuple[Play, Ints]:
    """Return the Markov chain of play under the policy in which a payoff is paid, and the units that each of its
    transitions pays to a seat (from 1).

    ``watch``, ``whole``: as for ``_play_with_payoff``.
    """
    played = _play_with_payoff(plays, payoff, watch, whole).by_seat()
    return played, played.payoff_units(seat)


def _winner_question(plays: BestPlay, watch: list[tuple[str, str]]) -> _SumQuestion:
    played = _play_with_payoff(
        plays, _sharing_payoff(_named_payoff(plays.game, plays.objective, "payoff")), watch
    ).by_seat()
    step = sum(
        ((played.payoff_units(seat + 1) > 0).astype(np.int64) << seat for seat in range(played.seats)), np.int64(0)
    )
    return _SumQuestion("winner", played, np.asarray(step), 0, played, sides=plays.game.ruleset.sides)


def _mean_and_deviation(
    asked: _SumQuestion, taken: Mask | None, found_sum: Sums | ConditionalDistribution[Sums]
) -> tuple[Number | None, Number | None]:
    """Return the mean and the standard deviation of a sum.

    Each is None if it would take too long to compute, or if its bounds are too wide to print. ``taken``: a mask of
    transitions; only plays that take one of them count. ``found_sum``: the distribution of the sum.
    """
    played, seat = asked.paying, asked.seat
    exact = played.exact_means(asked.step, taken)
    if exact is not None:
        mean, square = (each / asked.scale**power for power, each in enumerate(exact, 1))
        return Number.of(mean), deviation_from_moments(mean, square)
    assert isinstance(played, PlayedPolicy), "its numbers take the arena"
    if played.arena.states > MEAN_STATES:
        return None, None
    if played.arena.states <= MOMENT_STATES and not played.mixtures:
        try:
            _, means, squares = conditional_moments(played.arena, played.rows, taken)
        except FractionTooLong:
            pass
        else:
            return Number.of(means[seat]), deviation_from_moments(means[seat], squares[seat])
    mean, square = power_means(found_sum, asked.step, played, seat, asked.falling)
    mean, square = mean and mean / asked.scale, square and square / (asked.scale * asked.scale)
    if taken is None:
        seconds = None if played.arena.states <= EXACT_STATES else 0
        with suppress(FractionTooLong):  # where a mixture is known too widely
            mean = policy_values(played.arena, played.rows, seconds, played.mixtures)[seat]
    mean = number_if_narrow(mean)
    return mean, mean and square and number_if_narrow(deviation_from_moments(mean, square))
