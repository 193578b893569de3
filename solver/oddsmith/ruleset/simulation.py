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
    def turns(self) -> int:
        """The number of turns, including the last turn."""
        return sum(move.step.turn_over for move in self.moves)

    @property
    def rolls(self) -> int:
        """The number of rolls of at least one die."""
        return sum(move.rolled_dice for move in self.moves)


@dataclass(frozen=True, slots=True)
class SampleMoments:
    """The moments of a number over a sample of games. The moments of two samples can be added.

    ``games``: the number of games. ``total``: the sum of the number. ``squares``: the sum of its squares.
    """

    games: int
    total: Fraction
    squares: Fraction

    def __add__(self, other: SampleMoments) -> SampleMoments:
        return SampleMoments(self.games + other.games, self.total + other.total, self.squares + other.squares)

    @property
    def mean(self) -> Fraction:
        """The mean over all games."""
        return self.total / self.games

    @property
    def variance(self) -> Fraction:
        """The unbiased sample variance. It needs at least two games."""
        return (self.squares - self.total * self.mean) / (self.games - 1)

    @property
    def standard_error(self) -> float:
        """The standard error of the mean; infinite for a single game."""
        return inf if self.games < 2 else sqrt(self.variance / self.games)


@dataclass(frozen=True, slots=True)
class SimulationResult:
    """The result of a simulation. ``games``: the number of games. ``seats``: the moments of the payoff of every seat.

    ``turns``, ``rolls``: the moments of the numbers of turns and of rolls of dice in a game.
    """

    games: int
    seats: tuple[SampleMoments, ...]
    turns: SampleMoments
    rolls: SampleMoments

    def __add__(self, other: SimulationResult) -> SimulationResult:
        seats = tuple(mine + theirs for mine, theirs in zip(self.seats, other.seats, strict=True))
        return SimulationResult(self.games + other.games, seats, self.turns + other.turns, self.rolls + other.rolls)


def play(rules: Rules, choose: Choose, random: Random) -> PlayedGame:
    """Play one game and return its record.

    Raises PlayError if a rule breaks, EndlessPlayError if the game does not end.
    """
    return GameSimulator(rules).play(choose, random)


def simulate(game: Game, objective: str, choose: Choose, games: int, seed: int | str) -> SimulationResult:
    """Play many games and return their moments. Results of different seeds may be added.

    Raises PlayError if a rule breaks, EndlessPlayError if a game does not end.
    """
    player, random = GameSimulator(Rules(game)), Random(seed)  # noqa: S311 - games, not secrets
    means = GameSums(game.seats)
    for _ in range(games):
        table = _GameInProgress(player.first_position())
        while table.place.state.phase:
            table.play_move(player, choose, random)
        means.add(player.payoffs(table.place, objective), table.turned, table.rolls)
    return means.result(games)


def simulate_together(
    game: Game, objective: str, choose: ChooseAll, games: int, seed: int | str, progress: Progress = ignore_progress
) -> SimulationResult:
    """Play many games in parallel and return their moments.

    All games finish a turn before any game begins the next turn. So ``choose`` receives many positions in one call,
    which may be quicker. Raises PlayError if a rule breaks, EndlessPlayError if a game does not end.
    """
    player, random = GameSimulator(Rules(game)), Random(seed)  # noqa: S311 - games, not secrets
    means = GameSums(game.seats)
    for first in range(0, games, GAMES_SIDE_BY_SIDE):
        tables = [_GameInProgress(player.first_position()) for _ in range(min(GAMES_SIDE_BY_SIDE, games - first))]
        left = tables
        while left := [table for table in left if table.place.state.phase]:
            turn = _advance_slowest_games(player, left, choose, random)
            progress(f"playing, turn {turn + 1}", first + len(tables) - len(left), games)
        for table in tables:
            means.add(player.payoffs(table.place, objective), table.turned, table.rolls)
    return means.result(games)


def _advance_slowest_games(
    player: GameSimulator, tables: list[_GameInProgress], choose: ChooseAll, random: Random
) -> int:
    """Advance the games with the fewest finished turns past their next choice, or to the end of the turn.

    Return the number of turns that these games had finished.
    """
    now, asked = min(table.turned for table in tables), list[_GameInProgress]()
    for table in tables:
        while table.turned == now and table.place.state.phase:
            if player.has_choice(table.place):
                asked.append(table)
                break
            table.play_move(player, _constant_policy(0), random)
    places = choose([table.place.state for table in asked]) if asked else []
    for table, place in zip(asked, places, strict=True):
        table.play_move(player, _constant_policy(place), random)
    return now


def _constant_policy(place: int) -> Choose:
    """Return a policy that always chooses the action with the index ``place``."""
    return lambda _, __: place


class _GameInProgress:
    """A game in progress: its position, and the numbers of turns, rolls and moves so far."""

    def __init__(self, position: _CachedPosition) -> None:
        self.place = position
        self.turned = self.rolls = self.moves = 0

    def play_move(self, player: GameSimulator, choose: Choose, random: Random) -> PlayedMove:
        """Play one move and return it. Raises EndlessPlayError after ``MAX_MOVES`` moves."""
        if self.moves == MAX_MOVES:
            phase = self.place.state.phase
            raise EndlessPlayError(f"after {MAX_MOVES:,} moves the game still goes on, in the phase {phase}")
        move, self.place = player.play_move(self.place, choose, random)
        self.moves += 1
        self.turned += move.step.turn_over
        self.rolls += move.rolled_dice
        return move


class GameSums:
    """Sums over games, and sums of squares, of every seat's payoff, the number of turns and the number of rolls."""

    def __init__(self, seats: int) -> None:
        self.sums = [_Sum() for _ in range(seats + 2)]

    def add(self, paid: Sequence[int | Fraction], turned: int, thrown: int) -> None:
        for sum_, value in zip(self.sums, (*paid, turned, thrown), strict=True):
            sum_.add(value)

    def result(self, games: int) -> SimulationResult:
        *seats, turns, rolls = (sum_.moments(games) for sum_ in self.sums)
        return SimulationResult(games, tuple(seats), turns, rolls)


class _Sum:
    """A sum and a sum of squares. Sums of integers are kept as int, which is quicker than Fraction."""

    def __init__(self) -> None:
        self.total: int | Fraction = 0
        self.squares: int | Fraction = 0

    def add(self, value: int | Fraction) -> None:
        self.total += value
        self.squares += value * value

    def moments(self, games: int) -> SampleMoments:
        return SampleMoments(games, Fraction(self.total), Fraction(self.squares))


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
        while table.place.state.phase:
            moves.append(table.play_move(self, choose, random))
        return PlayedGame(tuple(moves), table.place.state)

    def play_move(self, place: _CachedPosition, choose: Choose, random: Random) -> tuple[PlayedMove, _CachedPosition]:
        """Play one move from a position. Return the move, and the position after it."""
        actions = self._legal_actions(place)
        if place.weights:
            number = bisect_right(place.weights, random.randrange(place.weights[-1]))
        else:
            number = choose(place.state, actions)
        if number not in place.followers:
            move = self._computed_move(place, number)
            place.followers[number] = (move, self._cached_position(move.step.state))
        return place.followers[number]

    def has_choice(self, place: _CachedPosition) -> bool:
        """Return whether the mover has more than one action in a position."""
        return len(self._legal_actions(place)) > 1

    def payoffs(self, place: _CachedPosition, objective: str) -> tuple[int | Fraction, ...]:
        """Return the payoff of each seat in a final position."""
        if objective not in place.paid:
            paid = self.rules.payoffs(place.state, objective)
            place.paid[objective] = tuple(value.numerator if value.denominator == 1 else value for value in paid)
        return place.paid[objective]

    def _legal_actions(self, place: _CachedPosition) -> list[Action]:
        """Return the actions of a position; empty if chance decides. The first call fills the cache of the position."""
        if place.actions is not None:
            return place.actions
        phase = self.rules.phase(place.state)
        place.actions = []
        if phase.kind == "choose":
            place.actions = self.rules.actions(place.state)
        elif len(phase.rolls_and_draws) == 1 and phase.rolls_and_draws[0].kind != "draw":
            place.values, _ = self.rules.distribution(phase.rolls_and_draws[0], self.rules.context(place.state))
            place.weights = self._running_sums(place.values)
        else:
            outcomes, _ = self.rules.weighted_chance_results(place.state)
            place.chance_results = [thrown for _, thrown in outcomes]
            place.weights = list(accumulate(weight for weight, _ in outcomes))
        return place.actions

    def _running_sums(self, values: Sequence[tuple[Any, int]]) -> list[int]:
        """Return the cumulative sums of the weights of a distribution, cached by the id of ``values``.

        The cache keeps ``values`` alive, so no other object can have the same id.
        """
        if id(values) not in self.sums:
            self.sums[id(values)] = (list(accumulate(weight for _, weight in values)), values)
        return self.sums[id(values)][0]

    def _computed_move(self, place: _CachedPosition, number: int) -> PlayedMove:
        state, rules = place.state, self.rules
        if not place.weights:
            action = self._legal_actions(place)[number]
            return PlayedMove(state, None, action, rules.choose(state, action))
        thrown = (
            place.chance_results[number]
            if place.chance_results
            else rules.pick_chance_result(state, lambda _, __: place.values[number][0])
        )
        return PlayedMove(state, thrown, None, rules.resolve(state, thrown))

    def _cached_position(self, state: State) -> _CachedPosition:
        if state not in self.known:
            self.known[state] = _CachedPosition(state)
        return self.known[state]
