"""Estimates for a game that is too large to be solved: many games are simulated at once, as columns, by named policies.

Take the mean over n independent games whose payoffs lie in a range of width R and have the sample variance V. With a
probability of at most e it is off by more than sqrt(2 V L / n) + 7 R L / (3 (n - 1)), with L = ln(4 / e) (Maurer and
Pontil, Empirical Bernstein bounds and sample variance penalization, COLT 2009, theorem 4, for both sides). That holds
for every n and every distribution. For few games the second term is the larger one. The bound is then R sqrt(ln(2 / e)
/ (2 n)), which does not use the variance (Hoeffding, Probability inequalities for sums of bounded random variables,
Journal of the American Statistical Association 58, 1963).

Take the share of games that last at most t turns. With a probability of at most e it is off by more than sqrt(ln(2 / e)
/ (2 n)) for any t (Dvoretzky, Kiefer and Wolfowitz, with the constant of Massart, Ann. Probab. 18, 1990). So quantiles
have confidence intervals too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import accumulate
from math import ceil, floor, inf, log, log10, sqrt
from typing import Any

import numpy as np

from oddsmith.base.arrays import Ints, Whole, arange, bincount
from oddsmith.base.errors import EndlessPlayError, LookAheadError, SolveError
from oddsmith.base.executors import Executor, SerialExecutor, completed_tasks
from oddsmith.base.limits import hint_to_raise_limit, limits
from oddsmith.base.progress import Progress, ignore_progress
from oddsmith.expr import RangeAnalyzer
from oddsmith.graph import Explorer, rule_error_in_state
from oddsmith.graph.columns import PositionBlock, RuleFailureInBlock, Sampler, SourceStates, UniformIntegers
from oddsmith.ruleset import Game, SampleMoments, State
from oddsmith.ruleset.checking import declared_bounds
from oddsmith.ruleset.model import ANY
from oddsmith.solve.looking_ahead import WHOLE, LookAhead, SmallerGameValues
from oddsmith.solve.policies import NamedPolicyChooser, refuse_reads_of_unseen, unknown_policy_error
from oddsmith.solve.solution import setting_json

DEFAULT_GAMES = 1_000_000  # that are played where nobody says how many
GAMES_PER_TASK = 125_000  # games of one task, whoever does it
MAX_CELLS = 1 << 23  # of the games that are played side by side
MAX_MISS_CHANCE = Fraction(1, 1000)  # the chance that an interval does not hold its number, at most
MIN_GAMES_FOR_VARIANCE = 250  # from which on their variance makes intervals narrower, unless it is near to its most
MAX_CHECKED_POSITIONS = 2_000  # of a game with secrets, in which policies must not look at what nobody has seen
MAX_UNITS = 1 << 40  # units of a payoff, from which on its multiples may not fit the machine


@dataclass(frozen=True, slots=True)
class EstimatedMean:
    """An estimated mean: with a probability of at least 99.9 % the true mean is within ``radius`` of ``middle``."""

    middle: Fraction
    radius: Fraction

    @staticmethod
    def of(sample: SampleMoments, payoff_range_width: float) -> EstimatedMean | None:
        """Return the estimated mean of the observed payoffs in ``sample``, which lie in a range of the given
        ``payoff_range_width``.

        Returns None if the range is unbounded, or for fewer than two games.
        """
        if payoff_range_width == inf or sample.sample_size < 2:
            return None
        bound, variance = log(4 / MAX_MISS_CHANCE), float(sample.variance)
        radius = sqrt(2 * variance * bound / sample.sample_size) + 7 * payoff_range_width * bound / (
            3 * (sample.sample_size - 1)
        )
        if sample.sample_size < MIN_GAMES_FOR_VARIANCE:  # chosen by their number alone, else neither bound would hold
            radius = payoff_range_width * sqrt(log(2 / MAX_MISS_CHANCE) / (2 * sample.sample_size))
        return EstimatedMean(sample.mean, Fraction(min(radius * (1 + 1e-9), payoff_range_width)))

    @property
    def rounded_texts(self) -> tuple[str, str]:
        """The middle and the radius as text. The radius has one digit and includes the rounding error of the middle."""
        places = min(0, floor(log10(self.radius))) if self.radius else -6
        unit = Fraction(10) ** places
        middle = round(self.middle / unit)
        radius = ceil((self.radius + abs(self.middle - middle * unit)) / unit)
        return f"{float(middle * unit):.{-places}f}", f"{float(radius * unit):.{-places}f}"

    def __str__(self) -> str:
        return "{} ± {}".format(*self.rounded_texts)

    def to_json(self) -> dict[str, Any]:
        """Return the estimate as plain data for JSON."""
        middle, radius = self.rounded_texts
        return {"estimate": middle, "radius": radius, "confidence": float(1 - MAX_MISS_CHANCE)}


@dataclass(frozen=True, slots=True)
class EstimatedLength:
    """A quantile of the number of turns: with a probability of at least 99.9 % the true quantile lies from ``low`` to
    ``high``.

    ``middle``: the quantile of the simulated games. ``high`` is None if too few games were simulated to bound it.
    """

    middle: int
    low: int
    high: int | None

    @property
    def interval_in_words(self) -> str:
        """The interval from ``low`` to ``high``, in words."""
        return f"{self.low:,} or more" if self.high is None else f"{self.low:,} to {self.high:,}"


@dataclass(frozen=True)
class Estimate:
    """The results of many simulated games.

    ``policies``: the name of the policy of each seat; empty if no seat ever had a choice. ``samples``: the moments of
    the payoffs of each seat. ``payoff_range_width``: the width of the range of payoffs. ``game_count_by_turns``: for
    each number of turns, the number of games that lasted that long. ``known_share``: among the decisions of seats that
    look ahead, the share for which the values of the smaller game were known; None if no seat looks ahead.
    """

    game: Game
    objective: str
    seed: int
    policies: tuple[str, ...]
    samples: tuple[SampleMoments, ...]
    payoff_range_width: float
    game_count_by_turns: Mapping[int, int]
    known_share: Fraction | None = None

    @property
    def game_count(self) -> int:
        """The number of simulated games."""
        return self.samples[0].sample_size

    @property
    def means(self) -> tuple[EstimatedMean | None, ...]:
        """The mean payoff of each seat; None if payoffs are unbounded, because then no interval is certain."""
        return tuple(EstimatedMean.of(sample, self.payoff_range_width) for sample in self.samples)

    @property
    def median_turns(self) -> EstimatedLength:
        """The median number of turns of a game."""
        return self.turns_quantile(Fraction(1, 2))

    def turns_quantile(self, share: Fraction) -> EstimatedLength:
        """Return the quantile of the number of turns: the least number within which the share ``share`` of the games
        ends.
        """
        off = Fraction(sqrt(log(2 / MAX_MISS_CHANCE) / (2 * self.game_count)) * (1 + 1e-9))
        low = self._sample_turn_quantile(share - off) if share > off else 0
        return EstimatedLength(
            self._sample_turn_quantile(share),
            low,
            self._sample_turn_quantile(share + off) if share + off <= 1 else None,
        )

    def to_json(self) -> dict[str, Any]:
        """Return the estimates as plain data for JSON."""
        turns = self.median_turns
        values = [
            {"seat": seat, **(mean.to_json() if mean else {"estimate": None})}
            for seat, mean in enumerate(self.means, 1)
        ]
        return {
            "ruleset": setting_json(self.game),
            "objective": self.objective,
            "grade": "estimated",
            "games": self.game_count,
            "seed": self.seed,
            "policies": list(self.policies),
            **({} if self.known_share is None else {"known": float(self.known_share)}),
            "values": values,
            "turns": {
                "median": turns.middle,
                "from": turns.low,
                "to": turns.high,
                "confidence": float(1 - MAX_MISS_CHANCE),
            },
        }

    def _sample_turn_quantile(self, probability: Fraction) -> int:
        """Return the least number of turns that at least the share ``probability`` of the simulated games did not exceed."""
        lengths = sorted(self.game_count_by_turns)
        reached = accumulate(self.game_count_by_turns[turns] for turns in lengths)
        return next(
            turns for turns, games in zip(lengths, reached, strict=True) if games >= probability * self.game_count
        )


@dataclass(frozen=True)
class _BatchResults:
    """The results of one task of simulated games.

    ``samples``: the moments of the payoffs of each seat. ``lengths``: the number of games by number of turns.
    ``has_choices``: whether any seat had a choice. ``look_ahead_counts``: the number of decisions of seats that look
    ahead, and the number of those for which values were known.
    """

    samples: tuple[SampleMoments, ...]
    lengths: Counter[int]
    has_choices: bool
    look_ahead_counts: tuple[int, int] = (0, 0)


def estimate(  # noqa: PLR0913, PLR0917 - the options of --estimate
    game: Game,
    objective: str,
    policies: Mapping[int, str] | None = None,
    games: int = DEFAULT_GAMES,
    seed: int = 1,
    executor: Executor | None = None,
    progress: Progress = ignore_progress,
    smaller_game: SmallerGameValues | None = None,
) -> Estimate:
    """Simulate games by named policies, and return the estimates.

    The same seed gives the same games on every machine, however many processes share the work. ``policies``: for each
    seat, from 0, the name of a policy, or ``ANY``. ``smaller_game``: the values of a smaller game by which seats that are not
    listed look ahead; without it they play the regular policy of the ruleset, if it names one. ``games``: the number of
    games. Raises UnknownPolicyError; NoPolicyError if a seat has a choice and no policy; EndlessPlayError; PlayError if
    a policy breaks a rule or uses what its player has not seen; SolveError if the game has simultaneous choices;
    LookAheadError if the smaller game has no positions like those of this one.
    """
    played, usual = policies or {}, smaller_game.policy_name if smaller_game else game.ruleset.regular_policy
    named = tuple(played.get(seat, usual) for seat in range(game.seats))
    for name in (*named, smaller_game.fallback_policy) if smaller_game else named:
        if name not in ("", ANY, *game.ruleset.policies, *((smaller_game.policy_name,) if smaller_game else ())):
            raise unknown_policy_error(game, name)
    if smaller_game:
        _refuse_impossible_look_ahead(game, objective, smaller_game)
    _refuse_unsuitable_policies(game, objective, [name for name in named if name in game.ruleset.policies])
    starts = range(0, games, GAMES_PER_TASK)
    tasks = [(stream, min(GAMES_PER_TASK, games - first)) for stream, first in enumerate(starts)]
    found, done, who = dict[int, _BatchResults](), 0, executor or SerialExecutor()

    def report_ended_games(ended_games: int) -> None:
        progress("playing", done + ended_games, games)

    work = partial(
        _simulate_batch,
        game,
        objective,
        named,
        seed,
        report_ended_games if who.jobs == 1 else _report_nothing,
        smaller_game,
    )
    for (stream, count), batch in completed_tasks(who, work, tasks):
        found[stream] = batch
        done += count
        progress("playing", done, games)
    batches = [found[stream] for stream in range(len(tasks))]
    samples = tuple(sum(each[1:], each[0]) for each in zip(*(batch.samples for batch in batches), strict=True))
    lengths = sum((batch.lengths for batch in batches), Counter[int]())
    decided = any(batch.has_choices for batch in batches)
    width = _payoff_range_width(game, objective)
    looked, known = (sum(batch.look_ahead_counts[place] for batch in batches) for place in (0, 1))
    if looked and not known:
        raise LookAheadError(
            f"in none of {looked:,} decisions does the smaller game have all positions that may follow: take one that goes "
            "through positions of this game, or let seats play named policies"
        )
    share = Fraction(known, looked) if looked else None
    return Estimate(game, objective, seed, named if decided else (), samples, width, lengths, share)


def _refuse_impossible_look_ahead(game: Game, objective: str, smaller_game: SmallerGameValues) -> None:
    """Raise LookAheadError if no seat can look ahead by the values ``smaller_game``.

    The game must have no secrets, have the rules and the objective of the smaller game, and positions like those of it.
    """
    if game.ruleset.has_secrets:
        raise LookAheadError(f"{game.ruleset.id} has secrets: nobody knows the position, so nobody looks ahead from it")
    rules, own = game.ruleset, smaller_game.game.ruleset
    if (rules.id, rules.phases, rules.state, objective) != (own.id, own.phases, own.state, smaller_game.objective):
        raise LookAheadError(
            f"seats look ahead by values of {game.ruleset.id}, played for {objective}, and of no other game"
        )
    LookAhead(game, smaller_game)


def _refuse_unsuitable_policies(game: Game, objective: str, policy_names: Sequence[str]) -> None:
    """Raise PlayError if a policy uses what its player has not seen, and SolveError if the game has simultaneous
    choices.
    """
    rules = game.ruleset
    if any(phase.kind == "together" for phase in rules.phases.values()):
        raise SolveError(f"{rules.id} has choices made at once, and no policy says how these are made")
    if rules.has_secrets:
        refuse_reads_of_unseen(game, objective, policy_names, MAX_CHECKED_POSITIONS)


def _payoff_range_width(game: Game, objective: str) -> float:
    """Return the width of the range that the rules give for the payoff; infinite if it is unbounded."""
    payoff = game.ruleset.payoffs[objective]
    if payoff.has_probability_as_mean:
        return 1.0
    ranger, bounds = RangeAnalyzer(lambda _: None), declared_bounds(game)
    found = ranger.range(payoff.value, bounds)
    return float(found.high - found.low)


def _report_nothing(ended_games: int) -> None:
    """Report nothing: worker processes have no progress to show."""


def _simulate_batch(
    game: Game,
    objective: str,
    policies: tuple[str, ...],
    seed: int,
    report_ended_games: Callable[[int], None],
    smaller_game: SmallerGameValues | None,
    stream_and_game_count: tuple[int, int],
) -> _BatchResults:
    """Simulate the games of one task, and return their results.

    ``stream_and_game_count``: the number of a stream of random numbers, and the number of games.
    ``report_ended_games``: called with the number of games that have ended. The other parameters are those of
    ``estimate``.
    """
    stream, games = stream_and_game_count
    looking = LookAhead(game, smaller_game) if smaller_game and smaller_game.policy_name in policies else None
    return _SimulatedGames(game, objective, policies, games, looking).play(
        UniformIntegers(seed, stream), report_ended_games
    )


class _SimulatedGames:
    """Games that are simulated together, as columns. Each step advances the games of the group that has the most games.

    ``cells``: shape (cells, games), seen from the seat to move. ``group``: shape (games,), the number of the phase and
    of the set of seats that are out, or -1 if the game is over. ``paid``: shape (seats, games), the payoffs of each
    seat so far, in units of ``1 / scale``. ``left``: the number of games that have not begun. ``over``: the number of
    games that have ended.
    """

    def __init__(
        self, game: Game, objective: str, policies: Sequence[str], games: int, look_ahead: LookAhead | None = None
    ) -> None:
        self.game, self.left, self.over, self.ahead = game, games, 0, look_ahead
        self.explorer = Explorer(game, objective, sharing=WHOLE, allow_secrets=True)
        self.codec, symbolic = self.explorer.codec, self.explorer.expander.symbolic
        self.chooser = NamedPolicyChooser(game, self.explorer.expander.divider, policies, look_ahead)
        self.sampler = Sampler(game, self.codec, symbolic, self.chooser)
        start = self.explorer.rules.start()
        self.first = self.codec.cell_columns([self.codec.canonical_state(start)])
        self.first_group, self.first_mover = self._group_number(start.phase, start.seats_out_bits), start.mover
        side_by_side = min(games, MAX_CELLS // len(self.first))
        self.cells = np.empty((len(self.first), side_by_side), dtype=np.int64)
        self.group, self.mover, self.turns, self.moves = np.empty((4, side_by_side), dtype=np.int64)
        self.paid: Whole = np.empty((game.seats, side_by_side), dtype=np.int64)
        self.amounts: Whole = np.zeros((0, game.seats), dtype=np.int64)
        self.scale = 1
        self.ended: list[Counter[tuple[int, int]]] = [Counter() for _ in range(game.seats)]
        self.lengths: Counter[int] = Counter()

    def play(self, random_integers: UniformIntegers, report_ended_games: Callable[[int], None]) -> _BatchResults:
        """Simulate all games to their ends, and return the results. Calls ``report_ended_games`` with the number of
        games that have ended.
        """
        self.sampler.uniform = self.chooser.uniform = random_integers
        self._start_games(arange(len(self.group)))
        while True:
            counts = bincount(self.group + 1)  # first those of the games that are over
            number = int(counts[1:].argmax()) if counts[1:].any() else -1
            if number < 0:
                break
            games = np.flatnonzero(self.group == number)
            self.moves[games] += 1
            if self.moves.max() > limits().moves:
                message = f"after {limits().moves:,} moves a game still goes on, and perhaps for ever"
                raise EndlessPlayError(f"{message}: let somebody play so that it ends, {hint_to_raise_limit('moves')}")
            self._advance_group(number, games)
            report_ended_games(self.over)
        looked = (self.ahead.decision_count, self.ahead.known_decision_count) if self.ahead else (0, 0)
        return _BatchResults(tuple(map(_sample_moments, self.ended)), self.lengths, self.chooser.asked, looked)

    def _group_number(self, phase: str, out_mask: int) -> int:
        return self.codec.phases.index(phase) << self.game.seats | out_mask

    def _start_games(self, columns: Ints) -> None:
        """Start new games in the columns ``columns`` as long as games are left; mark the other columns as over."""
        begun, over = columns[: self.left], columns[self.left :]
        self.left -= len(begun)
        self.cells[:, begun], self.group[begun], self.mover[begun] = self.first, self.first_group, self.first_mover
        self.paid[:, columns] = self.turns[columns] = self.moves[columns] = 0
        self.group[over] = -1

    def _advance_group(self, group_number: int, game_indices: Ints) -> None:
        """Advance the games of the group ``group_number`` by one roll or choice."""
        name, out = self.codec.phases[group_number >> self.game.seats], group_number & ((1 << self.game.seats) - 1)
        base = SourceStates(self.codec, self.cells[:, game_indices], movers=self.mover[game_indices])
        block = PositionBlock(
            name, out, base, None, self.codec.cell_rotation(0), {}, np.ones(len(game_indices), dtype=np.int64)
        )
        try:
            for arrived in self.sampler.expand(block):
                self._move_games(arrived, game_indices[arrived.sources])
        except RuleFailureInBlock as trouble:
            codes = base.cells[:, trouble.row].tolist()
            cells = tuple(self.codec.decode_value(where, code) for where, code in enumerate(codes))
            raise rule_error_in_state(
                self.explorer.rules, State(name, 0, out, cells), self.explorer.objective
            ) from None

    def _move_games(self, block: PositionBlock, game_indices: Ints) -> None:
        """Move ``game_indices`` to the positions of a block, one position for each game."""
        self._add_payoffs(self.explorer.payoff_indices(block), game_indices)
        self.turns[game_indices] += block.turn_over
        if not block.phase:
            self._record_and_replace_ended(game_indices)
            return
        self.group[game_indices] = self._group_number(block.phase, block.out)
        self.mover[game_indices] = (self.mover[game_indices] + block.seat_shift) % self.game.seats
        for where, old in enumerate(block.order):
            if where in block.new or where != old:
                self.cells[where, game_indices] = 0 if where in self.codec.carried else block.cell_column(where)

    def _add_payoffs(self, payoff_rows: Ints, game_indices: Ints) -> None:
        """Add payoffs to the sums of the seats.

        ``payoff_rows``: for each of ``game_indices``, a row of the payoff table, which lists the seats from the mover on.
        """
        if not payoff_rows.any():
            return
        if len(self.amounts) != len(self.explorer.edges.payoffs):
            amounts, scale = self.explorer.payoffs
            width: Any = np.int64 if scale < MAX_UNITS else object  # else Python's own numbers, which have no bounds
            # The scale of more payoffs is a multiple of that of some.
            self.paid = self.paid.astype(width) * (scale // self.scale)
            self.amounts, self.scale = np.array(amounts, dtype=width), scale
        for seat in range(self.game.seats):
            self.paid[(self.mover[game_indices] + seat) % self.game.seats, game_indices] += self.amounts[
                payoff_rows, seat
            ]

    def _record_and_replace_ended(self, game_indices: Ints) -> None:
        for seat, ended in enumerate(self.ended):
            ended.update({(paid, self.scale): times for paid, times in _value_counts(self.paid[seat, game_indices])})
        self.lengths.update(dict(_value_counts(self.turns[game_indices])))
        self.over += len(game_indices)
        self._start_games(game_indices)


def _sample_moments(payoff_counts: Counter[tuple[int, int]]) -> SampleMoments:
    """Return the number of payoffs, their sum and the sum of their squares.

    ``payoff_counts``: how often each payoff was paid; the key is a pair of its numerator and its denominator.
    """
    values = [(Fraction(*amount), times) for amount, times in payoff_counts.items()]
    total, squares = (sum(value**power * times for value, times in values) for power in (1, 2))
    return SampleMoments(payoff_counts.total(), Fraction(total), Fraction(squares))


def _value_counts(values: Whole) -> list[tuple[int, int]]:
    """Return each distinct value with its count, in ascending order."""
    found, times = np.unique(values, return_counts=True)
    return list(zip(found.tolist(), times.tolist(), strict=True))
