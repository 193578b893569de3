"""Opponents that a page of play can offer, each with the values that it gets if everybody else plays best."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from types import MappingProxyType

import numpy as np

from oddsmith.base.arrays import Ints
from oddsmith.base.errors import InputError
from oddsmith.base.exact import Number
from oddsmith.report.english.play_bundle import purse_variables
from oddsmith.report.english.prose import capital
from oddsmith.solve import NamedPolicy, Solution, policy_rows
from oddsmith.solve.arenas import NeverEnds
from oddsmith.solve.extensive import SecretSolution
from oddsmith.solve.questions import RANDOM, PolicyEvaluator

MAX_POSITIONS = 1_000_000  # positions with every seat told apart, up to which opponents have values
MAX_POT = 200_000  # of them, up to which the pot is looked at where play is for something else
BEST_CHANCES = (Fraction(3, 4), Fraction(1, 2))  # the mixtures: how often they follow the solution

_HABITS = {
    Fraction(3, 4): ("three times in four", "the fourth time", "best three in four"),
    Fraction(1, 2): ("every second time", "the other times", "best one in two"),
}
"""How often the mixtures play best, when they do not, and both in short."""


@dataclass(frozen=True)
class Opponent:
    """An opponent that a page of play offers.

    ``kind``: ``best``, ``random``, ``named`` or ``mixture``. ``policy``: the name of its policy in the ruleset.
    ``best_chance``: the probability with which a mixture follows the solution in a decision; otherwise it takes any
    legal action. ``values``: what the opponent gets in each seat. ``wins``: its share of the pot in each seat, if play
    is neither for the pot nor for coins.
    """

    name: str
    kind: str
    policy: str = ""
    best_chance: Fraction | None = field(default=None, metadata={"packed": "steady"})
    values: tuple[Number, ...] = ()
    wins: tuple[Number, ...] = ()

    @property
    def title(self) -> str:
        """The name that people read. Stored answers keep the names of mixtures, which tables of odds word like scripts."""
        if not self.best_chance:
            return self.name
        return f"Best play, {self.best_chance.numerator} of {self.best_chance.denominator} times"

    @property
    def habit(self) -> str:
        """How often a mixture plays best, and what it does otherwise, as a verb phrase."""
        assert self.best_chance is not None
        often, otherwise, _ = _HABITS[self.best_chance]
        return f"plays best {often}, and takes any action at random {otherwise}"

    @property
    def habit_in_short(self) -> str:
        """How often a mixture plays best, in few words."""
        assert self.best_chance is not None
        return _HABITS[self.best_chance][2]


def opponents_of_game(
    solution: Solution, other_evaluators: Mapping[str, PolicyEvaluator] = MappingProxyType({})
) -> tuple[Opponent, ...]:
    """Return the opponents of a game, best play first and random play last.

    They have no values if play may never end, or if the game is too large. ``other_evaluators``: evaluators of the same
    solution for other payoffs, from ``other_payoff_evaluators``, if they exist already.
    """
    graph = solution.graph
    free = np.where(np.diff(graph.state_rows) > 1, RANDOM, -1)
    if not (free == RANDOM).any():
        return (Opponent("Plays along", "best", values=solution.values),)
    small = not solution.mixtures and graph.state_count * graph.seats <= MAX_POSITIONS
    follower, pot = (PolicyEvaluator(solution), _pot_evaluator(solution, other_evaluators)) if small else (None, None)

    def with_values(opponent: Opponent, prescription: Ints) -> Opponent:
        best_chance = opponent.best_chance or Fraction(0)
        return replace(
            opponent,
            values=_values_playing_alone(follower, prescription, best_chance),
            wins=_values_playing_alone(pot, prescription, best_chance),
        )

    offered = [Opponent("Best play", "best", values=solution.values, wins=pot.values_under({}) if pot else ())]
    for best_chance in BEST_CHANCES:
        name = f"Best play in {best_chance.numerator} of {best_chance.denominator} decisions"
        offered.append(with_values(Opponent(name, "mixture", best_chance=best_chance), free))
    names = graph.game.ruleset.policies
    offered += [with_values(Opponent(capital(name), "named", name), policy_rows(graph, name)) for name in names]
    return (*offered, with_values(Opponent("Any legal action", "random"), free))


def secret_opponents(solution: SecretSolution) -> tuple[Opponent, ...]:
    """Return the opponents of a game with secrets: best play, a mixture of it with random play, named policies, and
    random play.
    """
    seats = range(solution.game.seats)

    def values_against_mixture(best_chance: Fraction) -> tuple[Number, ...]:
        return tuple(Number.of(solution.value_of_trembling(seat, best_chance)) for seat in seats)

    def values_of_named_policy(name: str) -> tuple[Number, ...]:
        pick = NamedPolicy(solution.game, name).choose_action_index
        return tuple(Number.of(solution.value_of_policy(seat, pick)) for seat in seats)

    half = Fraction(1, 2)
    return (
        Opponent("Best play", "best", values=solution.values),
        Opponent("Best play in 1 of 2 decisions", "mixture", best_chance=half, values=values_against_mixture(half)),
        *(
            Opponent(capital(name), "named", name, values=values_of_named_policy(name))
            for name in solution.game.ruleset.policies
        ),
        Opponent("Any legal action", "random", values=values_against_mixture(Fraction(0))),
    )


def _pot_evaluator(solution: Solution, other_evaluators: Mapping[str, PolicyEvaluator]) -> PolicyEvaluator | None:
    """Return an evaluator of the solution for the pot: the first payoff that is a share of one win.

    Return None if there is no pot, if the objective is already a pot or coins, or if the game is too large.
    ``other_evaluators``: evaluators for other payoffs that exist already.
    """
    graph = solution.graph
    payoffs = graph.game.ruleset.payoffs
    shares = [payoff for payoff in payoffs.values() if payoff.is_share]
    if graph.seats == 1 or not shares or payoffs[graph.objective].is_share:
        return None
    if graph.objective in purse_variables(graph.game.ruleset):
        return None
    if shares[0].name in other_evaluators:
        return other_evaluators[shares[0].name]
    try:
        return PolicyEvaluator(solution, shares[0], MAX_POT // graph.seats)
    except InputError:  # it must tell too many positions apart
        return None


def _values_playing_alone(
    evaluator: PolicyEvaluator | None, prescription: Ints, best_chance: Fraction
) -> tuple[Number, ...]:
    """Return what each seat gets if it alone plays by a prescription; empty if that is not known.

    ``best_chance``: the probability with which the seat follows the solution instead.
    """
    if evaluator is None:
        return ()
    try:
        return evaluator.values_in_every_seat(prescription, best_chance)
    except (NeverEnds, ZeroDivisionError):
        return ()
