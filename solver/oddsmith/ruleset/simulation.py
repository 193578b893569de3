"""Simulates games with ``Rules``, without the state graph: one game with its moves, or the means of many games.

Sums are exact integers and fractions, so the results of two parts of a simulation add up to the result of the whole.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import inf, sqrt
from random import Random
from typing import Any

from oddsmith.base.errors import EndlessPlayError
from oddsmith.base.progress import Progress, ignore_progress
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.play import Choose, PlayedMove
from oddsmith.ruleset.rules import Action, ChanceResult, Rules, State

MAX_MOVES = 1_000_000  # of one game; a chooser can keep going in circles
MAX_CACHED_POSITIONS = 200_000  # positions remembered from one game to the next
GAMES_SIDE_BY_SIDE = 1_000  # games played side by side

ChooseAll = Callable[[list[State]], list[int]]
"""A policy for many positions in one call: returns the index of an action for each position."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """The record of a whole game: its moves in order, and the position at its end."""

    moves: tuple[PlayedMove, ...]
    end: State

    @property
    def turn_count(self) -> int:
        """The number of turns, including the last turn."""
        return sum(move.step.turn_over for move in self.moves)

    @property
    def roll_count(self) -> int:
        """The number of rolls of at least one die."""
        return sum(move.rolled_dice for move in self.moves)


@dataclass(frozen=True, slots=True)
class SampleMoments:
    """The moments of a number over a sample of games. The moments of two samples can be added.

    ``sample_size``: the number of games. ``total``: the sum of the number. ``sum_of_squares``: the sum of its squares.
    """

    sample_size: int
    total: Fraction
    sum_of_squares: Fraction

    def __add__(self, other: SampleMoments) -> SampleMoments:
        return SampleMoments(
            self.sample_size + other.sample_size, self.total + other.total, self.sum_of_squares + other.sum_of_squares
        )

    @property
    def mean(self) -> Fraction:
        """The mean over all games."""
        return self.total / self.sample_size

    @property
    def variance(self) -> Fraction:
        """The unbiased sample variance. It needs at least two games."""
        return (self.sum_of_squares - self.total * self.mean) / (self.sample_size - 1)

    @property
    def standard_error(self) -> float:
        """The standard error of the mean; infinite for a single game."""
        return inf if self.sample_size < 2 else sqrt(self.variance / self.sample_size)


@dataclass(frozen=True, slots=True)
class SimulationResult:
    """The result of a simulation. ``game_count``: the number of games. ``payoffs_by_seat``: the moments of the payoff
    of every seat.

    ``turns``, ``rolls``: the moments of the numbers of turns and of rolls of dice in a game.
    """

    game_count: int
    payoffs_by_seat: tuple[SampleMoments, ...]
    turns: SampleMoments
    rolls: SampleMoments

    def __add__(self, other: SimulationResult) -> SimulationResult:
        seats = tuple(mine + theirs for mine, theirs in zip(self.payoffs_by_seat, other.payoffs_by_seat, strict=True))
        return SimulationResult(
            self.game_count + other.game_count, seats, self.turns + other.turns, self.rolls + other.rolls
        )


def simulate_one_game(rules: Rules, choose: Choose, random: Random) -> PlayedGame:
    """Play one game and return its record.

    Raises PlayError if a rule breaks, EndlessPlayError if the game does not end.
    """
    return GameSimulator(rules).play(choose, random)


def simulate_games_one_by_one(
    game: Game, objective: str, choose: Choose, game_count: int, seed: int | str
) -> SimulationResult:
    """Play many games and return their moments. Results of different seeds may be added.

    Raises PlayError if a rule breaks, EndlessPlayError if a game does not end.
    """
    player, random = GameSimulator(Rules(game)), Random(seed)  # noqa: S311 - games, not secrets
    means = GameSums(game.seats)
    for _ in range(game_count):
        table = _GameInProgress(player.first_position())
        while table.position.state.phase:
            table.play_move(player, choose, random)
        means.add_game(player.payoffs(table.position, objective), table.turns, table.rolls)
    return means.result(game_count)


def simulate_games_in_lockstep(
    game: Game,
    objective: str,
    choose: ChooseAll,
    game_count: int,
    seed: int | str,
    progress: Progress = ignore_progress,
) -> SimulationResult:
    """Play many games in parallel and return their moments.

    All games finish a turn before any game begins the next turn. So ``choose`` receives many positions in one call,
    which may be quicker. Raises PlayError if a rule breaks, EndlessPlayError if a game does not end.
    """
    player, random = GameSimulator(Rules(game)), Random(seed)  # noqa: S311 - games, not secrets
    means = GameSums(game.seats)
    for first in range(0, game_count, GAMES_SIDE_BY_SIDE):
        tables = [_GameInProgress(player.first_position()) for _ in range(min(GAMES_SIDE_BY_SIDE, game_count - first))]
        left = tables
        while left := [table for table in left if table.position.state.phase]:
            turn = _advance_slowest_games(player, left, choose, random)
            progress(f"playing, turn {turn + 1}", first + len(tables) - len(left), game_count)
        for table in tables:
            means.add_game(player.payoffs(table.position, objective), table.turns, table.rolls)
    return means.result(game_count)


def _advance_slowest_games(
    simulator: GameSimulator, games: list[_GameInProgress], choose: ChooseAll, random: Random
) -> int:
    """Advance the games with the fewest finished turns past their next choice, or to the end of the turn.

    Return the number of turns that these games had finished.
    """
    now, asked = min(table.turns for table in games), list[_GameInProgress]()
    for table in games:
        while table.turns == now and table.position.state.phase:
            if simulator.has_choice(table.position):
                asked.append(table)
                break
            table.play_move(simulator, _constant_policy(0), random)
    places = choose([table.position.state for table in asked]) if asked else []
    for table, place in zip(asked, places, strict=True):
        table.play_move(simulator, _constant_policy(place), random)
    return now


def _constant_policy(action_index: int) -> Choose:
    """Return a policy that always chooses the action with the index ``action_index``."""
    return lambda _, __: action_index


class _GameInProgress:
    """A game in progress: its position, and the numbers of turns, rolls and moves so far."""

    def __init__(self, position: _CachedPosition) -> None:
        self.position = position
        self.turns = self.rolls = self.moves = 0

    def play_move(self, simulator: GameSimulator, choose: Choose, random: Random) -> PlayedMove:
        """Play one move and return it. Raises EndlessPlayError after ``MAX_MOVES`` moves."""
        if self.moves == MAX_MOVES:
            phase = self.position.state.phase
            raise EndlessPlayError(f"after {MAX_MOVES:,} moves the game still goes on, in the phase {phase}")
        move, self.position = simulator.play_move(self.position, choose, random)
        self.moves += 1
        self.turns += move.step.turn_over
        self.rolls += move.rolled_dice
        return move


class GameSums:
    """Sums over games, and sums of squares, of every seat's payoff, the number of turns and the number of rolls."""

    def __init__(self, seats: int) -> None:
        self.sums = [_SumWithSquares() for _ in range(seats + 2)]

    def add_game(self, payoffs: Sequence[int | Fraction], turns: int, rolls: int) -> None:
        for sum_, value in zip(self.sums, (*payoffs, turns, rolls), strict=True):
            sum_.add(value)

    def result(self, game_count: int) -> SimulationResult:
        *seats, turns, rolls = (sum_.moments(game_count) for sum_ in self.sums)
        return SimulationResult(game_count, tuple(seats), turns, rolls)


class _SumWithSquares:
    """A sum and a sum of squares. Sums of integers are kept as int, which is quicker than Fraction."""

    def __init__(self) -> None:
        self.total: int | Fraction = 0
        self.squares: int | Fraction = 0

    def add(self, value: int | Fraction) -> None:
        self.total += value
        self.squares += value * value

    def moments(self, sample_size: int) -> SampleMoments:
        return SampleMoments(sample_size, Fraction(self.total), Fraction(self.squares))


class _CachedPosition:
    """A position with a cache of what ``Rules`` returned for it.

    ``actions``: its legal actions. ``followers``: by the index of a result of chance or action that occurred before,
    the move and the next position. ``values``: the results of a single roll. ``chance_results``: the results of several
    rolls, or of draws. ``weights``: the cumulative sums of the weights of the results. ``paid``: the payoffs by
    objective.
    """

    __slots__ = ("actions", "chance_results", "followers", "paid", "state", "values", "weights")

    def __init__(self, state: State) -> None:
        self.state = state
        self.actions: list[Action] | None = None
        self.values: Sequence[tuple[Any, int]] = ()
        self.chance_results: list[ChanceResult] = []
        self.weights: list[int] = []
        self.followers: dict[int, tuple[PlayedMove, _CachedPosition]] = {}
        self.paid: dict[str, tuple[int | Fraction, ...]] = {}


class GameSimulator:
    """Plays games of one ruleset with a cache of steps, which makes later games quicker.

    :func:`played_moves` plays games without a cache.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.start = rules.start()
        self.known: dict[State, _CachedPosition] = {}
        self.sums: dict[int, tuple[list[int], object]] = {}

    def first_position(self) -> _CachedPosition:
        """Return the first position. If the cache of positions has grown too large, it is emptied."""
        if len(self.known) > MAX_CACHED_POSITIONS:
            for place in self.known.values():  # they point at one another: cut them apart, then let them go
                place.followers.clear()
            self.known = {}
        return self._cached_position(self.start)

    def play(self, choose: Choose, random: Random) -> PlayedGame:
        """Play one game and return its moves."""
        table, moves = _GameInProgress(self.first_position()), list[PlayedMove]()
        while table.position.state.phase:
            moves.append(table.play_move(self, choose, random))
        return PlayedGame(tuple(moves), table.position.state)

    def play_move(
        self, position: _CachedPosition, choose: Choose, random: Random
    ) -> tuple[PlayedMove, _CachedPosition]:
        """Play one move from a position. Return the move, and the position after it."""
        actions = self._legal_actions(position)
        if position.weights:
            number = bisect_right(position.weights, random.randrange(position.weights[-1]))
        else:
            number = choose(position.state, actions)
        if number not in position.followers:
            move = self._computed_move(position, number)
            position.followers[number] = (move, self._cached_position(move.step.state))
        return position.followers[number]

    def has_choice(self, position: _CachedPosition) -> bool:
        """Return whether the mover has more than one action in a position."""
        return len(self._legal_actions(position)) > 1

    def payoffs(self, position: _CachedPosition, objective: str) -> tuple[int | Fraction, ...]:
        """Return the payoff of each seat in a final position."""
        if objective not in position.paid:
            paid = self.rules.payoffs(position.state, objective)
            position.paid[objective] = tuple(value.numerator if value.denominator == 1 else value for value in paid)
        return position.paid[objective]

    def _legal_actions(self, position: _CachedPosition) -> list[Action]:
        """Return the actions of a position; empty if chance decides. The first call fills the cache of the position."""
        if position.actions is not None:
            return position.actions
        phase = self.rules.phase(position.state)
        position.actions = []
        if phase.kind == "choose":
            position.actions = self.rules.actions(position.state)
        elif len(phase.rolls_and_draws) == 1 and phase.rolls_and_draws[0].kind != "draw":
            position.values, _ = self.rules.value_distribution(
                phase.rolls_and_draws[0], self.rules.context(position.state)
            )
            position.weights = self._cumulative_weights(position.values)
        else:
            outcomes, _ = self.rules.weighted_chance_results(position.state)
            position.chance_results = [thrown for _, thrown in outcomes]
            position.weights = list(accumulate(weight for weight, _ in outcomes))
        return position.actions

    def _cumulative_weights(self, distribution: Sequence[tuple[Any, int]]) -> list[int]:
        """Return the cumulative sums of the weights of a distribution, cached by the id of ``distribution``.

        The cache keeps ``distribution`` alive, so no other object can have the same id.
        """
        if id(distribution) not in self.sums:
            self.sums[id(distribution)] = (list(accumulate(weight for _, weight in distribution)), distribution)
        return self.sums[id(distribution)][0]

    def _computed_move(self, position: _CachedPosition, result_or_action_index: int) -> PlayedMove:
        state, rules = position.state, self.rules
        if not position.weights:
            action = self._legal_actions(position)[result_or_action_index]
            return PlayedMove(state, None, action, rules.choose(state, action))
        thrown = (
            position.chance_results[result_or_action_index]
            if position.chance_results
            else rules.pick_chance_result(state, lambda _, __: position.values[result_or_action_index][0])
        )
        return PlayedMove(state, thrown, None, rules.resolve(state, thrown))

    def _cached_position(self, state: State) -> _CachedPosition:
        if state not in self.known:
            self.known[state] = _CachedPosition(state)
        return self.known[state]
