"""Named policies of a ruleset as one row per state."""

from __future__ import annotations

import numpy as np

from oddsmith.errors import OddsmithError, did_you_mean
from oddsmith.expr.scalar import Moment, compiled
from oddsmith.graph.stategraph import StateGraph
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.model import Choice
from oddsmith.ruleset.rules import Action, Rules, State
from oddsmith.solve.arena import Ints


class UnknownPolicy(OddsmithError):
    """The ruleset has no policy of that name."""


class Prescription:
    """A named policy that answers for one state."""

    def __init__(self, game: Game, name: str) -> None:
        if name not in game.ruleset.policies:
            hint = did_you_mean(name, game.ruleset.policies, "policies")
            raise UnknownPolicy(f"{game.ruleset.id} has no policy {name}: {hint}")
        self.game, self.name = game, name
        policy = game.ruleset.policies[name]
        self.lines = {
            phase: [(line, compiled(line.when), compiled(line.prefer) if line.prefer else None) for line in lines]
            for phase, lines in policy.items()
        }

    def pick(self, state: State, actions: list[Action]) -> int:
        """The place of the prescribed action: the first line that fits a legal instance; else the first option."""
        m = self.game.moment(state.cells, state.mover, state.out)
        for line, when, prefer in self.lines.get(state.phase, []):
            fitting = [place for place, action in enumerate(actions) if self._fits(line, when, action, m)]
            if not fitting:
                continue
            if prefer is None:
                return fitting[0]
            worth = []
            for place in fitting:
                m.local = dict(actions[place].binding)
                worth.append(prefer(m))
            return fitting[worth.index(max(worth))]
        return 0

    def _fits(self, line: Choice, when: object, action: Action, m: Moment) -> bool:
        if action.name != line.option:
            return False
        m.local = dict(action.binding)
        return bool(when(m))  # type: ignore[operator]


def rows_of(graph: StateGraph, name: str) -> Ints:
    """The row that a named policy takes in every state. UnknownPolicy where there is none of that name."""
    prescription = Prescription(graph.game, name)
    rules = Rules(graph.game)
    found = graph.state_rows[:-1].copy()
    for state in np.flatnonzero(np.diff(graph.state_rows) > 1).tolist():
        position = graph.state(state)
        if rules.phase(position).kind == "choose":
            found[state] += prescription.pick(position, rules.actions(position))
    return found
