"""Plays a game move by move with ``Rules``, from the start to the end.

The caller supplies the choices and the results of chance. A move is made only when the caller asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Any

from oddsmith.base.dice import NO_DICE, Hand
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.model.phases import RollOrDraw
from oddsmith.ruleset.rules import Action, ChanceResult, Rules, State, Step

Choose = Callable[[State, list[Any]], int]
"""A policy: takes a state and its legal actions (or the items of a simultaneous choice); returns the index of one."""

MOVES_FOR_FULLEST_HAND = 40  # of a game with a fixed seed, among which the fullest hand is looked for

Pick = Callable[[RollOrDraw, Any], Any]
"""A function that takes a roll or draw and its possible values with weights, and returns one of the values."""


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """One move. ``state``: the position before it. ``step``: its step to the next position.

    ``chance_result``: the result of chance, or None. ``action``: the action chosen, or None. ``simultaneous_choices``:
    for simultaneous choices, the seats that chose, each with its item; ``chance_result`` and ``action`` are then None.
    """

    state: State
    chance_result: ChanceResult | None
    action: Action | None
    step: Step
    simultaneous_choices: tuple[tuple[int, Any], ...] = ()

    @property
    def rolled_dice(self) -> bool:
        """Whether at least one die was rolled."""
        return self.chance_result is not None and any(
            isinstance(value, Hand) and value for _, value in self.chance_result.values
        )


def played_moves(rules: Rules, choose: Choose | Random, pick_result: Pick) -> Iterator[PlayedMove]:
    """Yield the moves of one game. Raises PlayError if a rule breaks.

    ``choose``: the policy of all seats, or a ``Random`` that chooses legal actions at random. ``pick_result``: picks
    the result of each roll or draw.
    """
    state = rules.start()
    while state.phase:
        kind = rules.phase(state).kind
        if kind == "together":
            chosen = {
                seat: _choose_item(choose, state, list(items))
                for seat, items in rules.choosable_items_by_seat(state).items()
            }
            step = rules.choose_together(state, chosen)
            move = PlayedMove(state, None, None, step, tuple(chosen.items()))
        elif kind == "choose":
            if isinstance(choose, Random):
                action = rules.random_legal_action(state, choose)
            else:
                action = _choose_item(choose, state, rules.actions(state))
            move = PlayedMove(state, None, action, rules.choose(state, action))
        else:
            thrown = rules.pick_chance_result(state, pick_result)
            move = PlayedMove(state, thrown, None, rules.resolve(state, thrown))
        yield move
        state = move.step.state


def _choose_item(choose: Choose | Random, state: State, items: list[Any]) -> Any:
    return choose.choice(items) if isinstance(choose, Random) else items[choose(state, items)]


def random_result_picker(random: Random) -> Pick:
    """Return a function that picks a random value of a roll or draw, each with its probability."""

    def pick_random_value(_: RollOrDraw, distribution: Sequence[tuple[Any, int]]) -> Any:
        values, weights = zip(*distribution, strict=True)
        return random.choices(values, weights)[0]

    return pick_random_value


def faces_of_fullest_hand(game: Game) -> list[str]:
    """Return the names of the faces of the largest and most varied hand in the first moves of one game.

    Pictures of a game show it. The list is empty if no dice are rolled.
    """
    played = played_moves(Rules(game), lambda state, actions: 0, random_result_picker(Random(1)))  # noqa: S311 - a picture, no secret
    thrown = [move.chance_result for move in islice(played, MOVES_FOR_FULLEST_HAND) if move.chance_result]
    hands = [value for each in thrown for _, value in each.values if isinstance(value, Hand)]
    fullest = max(hands, key=lambda hand: (len(hand), len(set(hand)), max(hand.faces, default=0)), default=NO_DICE)
    return [game.face_name(kind, face) for face, kind in fullest]
