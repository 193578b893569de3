"""The value of the cheats of a ruleset to the player in seat 1: loaded dice, and sleights of hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from oddsmith.base.errors import MeasureError
from oddsmith.base.exact import Number
from oddsmith.expr import compiled_function
from oddsmith.ruleset import Game
from oddsmith.ruleset.model import Cheat
from oddsmith.solve import Solution, solve
from oddsmith.solve.questions import break_even_detection_share, solve_with_cheat


@dataclass(frozen=True)
class CheatValue:
    """The value to seat 1 of fair play and of cheating. Seat 1 plays optimally with either.

    ``against``: the policy of the other seats; empty if they play the best play of the fair game. ``caught``: the
    payoff of a cheat who is found out. ``found_out``: the share of games in which a cheat must be found out so that
    cheating gains nothing. It is None if the ruleset does not ask for it, or if cheating brings no more than fair play.
    """

    name: str
    about: str
    against: str
    fair: Number
    cheated: Number = field(metadata={"packed": "loaded"})
    caught: Number | None = None
    found_out: Number | None = None

    @property
    def gain(self) -> Number:
        """The gain from cheating in a game; negative if it helps the others."""
        return self.cheated - self.fair

    def to_json(self, digits: int) -> dict[str, Any]:
        """Return the value as plain data for JSON."""
        numbers = {"fair": self.fair, "cheated": self.cheated, "gain": self.gain}
        numbers |= {"found_out": self.found_out} if self.found_out is not None else {}
        found = {name: number.to_json(digits) for name, number in numbers.items()}
        return {"cheat": self.name, "against": self.against or "best play", **found}


def cheat_values(solution: Solution) -> tuple[CheatValue, ...]:
    """Return the value of each cheat of the ruleset against best play and, if there are several seats, against its
    regular policy.

    Raises MeasureError if seats mix actions, and TooManyStatesError.
    """
    game, rules = solution.graph.game, solution.graph.game.ruleset
    if not rules.cheats:
        return ()
    opponents = {"": solution}
    if rules.regular_policy and game.seats > 1:
        policies = dict.fromkeys(range(2, game.seats + 1), rules.regular_policy)
        opponents[rules.regular_policy] = solve(game, solution.graph.objective, policies)
    return tuple(
        _cheat_value(game, cheat, against, played)
        for cheat in rules.cheats.values()
        for against, played in opponents.items()
    )


def _cheat_value(game: Game, cheat: Cheat, opponent_policy: str, fair_solution: Solution) -> CheatValue:
    try:
        fair, cheated = fair_solution.values[0], solve_with_cheat(fair_solution, cheat).values[0]
    except MeasureError as error:
        raise MeasureError(f"{cheat.name}: {error}") from None
    if cheat.payoff_if_caught is None:
        return CheatValue(cheat.name, cheat.about, opponent_policy, fair, cheated)
    caught, less = (
        Number.of(compiled_function(cheat.payoff_if_caught)(game.context())),
        game.ruleset.payoffs[fair_solution.graph.objective].goal == "min",
    )
    share = (
        break_even_detection_share(-fair, -cheated, -caught)
        if less
        else break_even_detection_share(fair, cheated, caught)
    )
    return CheatValue(cheat.name, cheat.about, opponent_policy, fair, cheated, caught, share)
