"""What a named policy of a ruleset prescribes in a position: the solver has its own reading of the same words."""

from __future__ import annotations

from collections.abc import Sequence

from oddsmith.certify.values import Refused
from oddsmith.expr.evaluation import compiled
from oddsmith.ruleset import Action, Game, State


class Prescription:
    """A named policy. Refused where the ruleset has none of that name."""

    def __init__(self, game: Game, name: str) -> None:
        if name not in game.ruleset.policies:
            raise Refused(f"{game.ruleset.id} has no policy {name}")
        self.game, self.name = game, name
        self.lines = game.ruleset.policies[name]

    def pick(self, position: State, actions: Sequence[Action]) -> int:
        """The number of the action: of the first line with a legal instance, the one it prefers; else the first of all."""
        moment = self.game.moment(position.cells, position.mover, position.out)
        for line in self.lines.get(position.phase, ()):
            fitting: list[tuple[int, int]] = []
            for number, action in enumerate(actions):
                moment.local = dict(action.binding)
                if action.name == line.option and compiled(line.when)(moment):
                    worth = compiled(line.prefer)(moment) if line.prefer else 0
                    fitting.append((-worth, number))
            if fitting:
                return min(fitting)[1]
        return 0
