"""A game as it is played by the one-state rules: move after move, from the start to the end.

Others only choose, roll, and look on. Whoever has seen enough asks for no further move, and nothing more is rolled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from oddsmith.base.dice import Hand
from oddsmith.ruleset.model.phases import Throw
from oddsmith.ruleset.rules import Action, Rules, State, Step, Thrown

Choose = Callable[[State, list[Action]], int]
"""Decides: from a state and its legal actions the number of one of them."""

Pick = Callable[[Throw, Any], Any]
"""Rolls: from the law of a roll or draw, values with weights, one of the values."""


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """One roll or choice: the position before it, the result or the choice, and the step it led to."""

    state: State
    thrown: Thrown | None
    action: Action | None
    step: Step

    @property
    def dice(self) -> bool:
        """Whether dice were thrown: a roll of no dice, or a draw, is no roll."""
        return self.thrown is not None and any(isinstance(value, Hand) and value for _, value in self.thrown.values)


def played_moves(rules: Rules, choose: Choose, pick: Pick) -> Iterator[PlayedMove]:
    """The moves of one game. Raises PlayError where a rule breaks."""
    state = rules.start()
    while state.phase:
        if rules.phase(state).kind == "choose":
            actions = rules.actions(state)
            action = actions[choose(state, actions)]
            move = PlayedMove(state, None, action, rules.choose(state, action))
        else:
            thrown = rules.throw(state, pick)
            move = PlayedMove(state, thrown, None, rules.resolve(state, thrown))
        yield move
        state = move.step.state


def by_chance(random: Random) -> Pick:
    """Rolls as dice do."""

    def pick(_: Throw, distribution: Sequence[tuple[Any, int]]) -> Any:
        values, weights = zip(*distribution, strict=True)
        return random.choices(values, weights)[0]

    return pick
