"""Games that are simulated by the plans of a solution, move by move, with nothing but the rules.

The mean payoffs come near the values of the solution if these are right.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import TypeVar

from oddsmith.base.errors import EndlessPlayError
from oddsmith.base.progress import Progress, ignore_progress
from oddsmith.ruleset import (
    MAX_MOVES,
    GameSums,
    ObservedMove,
    ObservedPosition,
    Observer,
    PossibleMoves,
    SimulationResult,
)
from oddsmith.solve.extensive.solver import SecretSolution

Thing = TypeVar("Thing")
Seen = tuple[Hashable, ...]
Chances = Mapping[Seen, Sequence[Fraction] | None]
"""The probabilities of a seat's actions in a subgame, by what the seat has seen; None if its plan never leads there."""


def simulate_plans(
    solution: SecretSolution, games: int, seed: int, progress: Progress = ignore_progress
) -> SimulationResult:
    """Simulate games in which every seat draws its choices by its plan, and return the means.

    The same ``seed`` gives the same games. Raises EndlessPlayError.
    """
    player = _PlanSimulator(solution, Random(f"plans {seed}"))  # noqa: S311 - games, not secrets
    sums = GameSums(solution.game.seats)
    for number in range(games):
        sums.add_game(*player.simulate_game())
        if number % 256 == 0:
            progress("playing", number, games)
    return sums.result(games)


class _PlanSimulator:
    def __init__(self, solution: SecretSolution, random: Random) -> None:
        self.solution, self.random, self.observer = solution, random, Observer(solution.game)
        self.moves: dict[ObservedPosition, PossibleMoves] = {}
        self.chances: dict[tuple[ObservedPosition, int], Chances] = {}

    def simulate_game(self) -> tuple[Sequence[Fraction], int, int]:
        """Simulate one game. Returns the payoffs, the number of turns and the number of rolls."""
        situation, begun, turns, rolls = self.observer.start(), list[tuple[ObservedPosition, list[Seen]]](), 0, 0
        for _ in range(MAX_MOVES):
            if not situation.state.phase:
                return self.solution.payoffs_at_end(situation), turns, rolls
            if situation in self.solution.subgames:
                begun.append((situation, [()] * self.solution.game.seats))
            event = self.draw_next_move(situation, begun)
            for _, seen in begun:
                seen[:] = [(*had, new) for had, new in zip(seen, event.observations, strict=True)]
            happened = self.weighted_choice(list(event.events), list(event.events.values()))
            turns, rolls = turns + happened.turn_over, rolls + happened.dice_rolled
            situation = event.successor
        raise EndlessPlayError(f"a game has not ended after {MAX_MOVES:,} moves")

    def draw_next_move(
        self, position: ObservedPosition, begun_subgames: Sequence[tuple[ObservedPosition, Sequence[Seen]]]
    ) -> ObservedMove:
        """Return what happens next, drawn at random.

        ``begun_subgames``: the positions in which subgames may have begun, each with what every seat has observed since.
        """
        if position not in self.moves:
            self.moves[position] = self.observer.possible_moves(position)
        seat, events = self.moves[position].seat, self.moves[position].moves
        if seat is None:
            return self.weighted_choice(events, [each.probability for each in events])
        for root, seen in begun_subgames:
            known = self.action_probabilities(root, seat)
            if seen[seat] in known:
                return self.weighted_choice(events, known[seen[seat]] or [Fraction(1)] * len(events))
        raise KeyError(seat)

    def action_probabilities(self, subgame_root: ObservedPosition, seat: int) -> Chances:
        """Return the probabilities of a seat's actions, by what it has seen, in the subgame that begins in the position
        ``subgame_root``.
        """
        if (subgame_root, seat) not in self.chances:
            found = self.solution.planned_choices(subgame_root, seat)
            self.chances[subgame_root, seat] = {
                each.information_set.observations: each.action_probabilities for each in found
            }
        return self.chances[subgame_root, seat]

    def weighted_choice(self, items: Sequence[Thing], weights: Sequence[Fraction]) -> Thing:
        """Return one of the items, drawn at random by their weights."""
        if len(items) == 1:
            return items[0]
        left = Fraction(self.random.random()) * sum(weights)
        for thing, weight in zip(items, weights, strict=True):
            left -= weight
            if left < 0:
                return thing
        return items[-1]
