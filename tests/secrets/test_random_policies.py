"""Random games of three seats with secrets, by named policies: estimates hold what the whole tree brings, and policies that
look at what their player has not seen are refused, and no others.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Hashable
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from oddsmith.base.errors import PlayError
from oddsmith.base.location import Source
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.observations import ObservedPosition, Observer
from oddsmith.ruleset.reading.build import read_ruleset
from oddsmith.ruleset.rules import Action
from oddsmith.solve.estimates import estimate
from oddsmith.solve.policies import NamedPolicy
from tests.secrets.random_games import random_game
from tests.secrets.test_runtime import agree
from tests.secrets.test_several_seats import random_open_game

NAMES = ("low", "odd")
View = tuple[Hashable, ...]


class Peeking(Exception):
    """Raised where a policy chooses differently in positions that its player cannot tell apart."""


class Torn(Exception):
    """Raised where a seat has other options in positions that it cannot tell apart."""


def game_of_three(seed: int) -> dict[str, Any] | None:
    """A random game made into one of three seats, with two policies; None where it has choices at once, or none at all."""
    data, random = random_game(seed), Random(f"policies {seed}")  # noqa: S311 - a game, no secret
    choices = [name for name, phase in data["phases"].items() if "choose" in phase]
    if not choices or "choose_together" in str(data):
        return None
    cards = "hand" in data["state"]
    tests = ["true", "step < 3", "mix % 2 == 0", "mix > 2", *(["hand > 1", "hand > 1", "hand[next] > 1"] * cards)]
    ways = ["pick", "0 - pick", *(["pick * (hand - 2)"] * cards)]

    def lines() -> dict[str, Any]:
        return {
            name: [
                {"option": "Pick", "when": random.choice(tests), "prefer": random.choice(ways)},
                {"option": "Pick", "prefer": random.choice(("pick", "0 - pick"))},
            ]
            for name in choices
        }

    return {**data, "seats": 3, "policies": {name: lines() for name in NAMES}}


class Tree:
    """The whole tree of a game by policies, by the rules for one state; what each seat has seen is the list of all of it."""

    def __init__(self, game: Game, names: tuple[str, ...]) -> None:
        self.observer, self.seats = Observer(game), range(game.seats)
        self.policies = [NamedPolicy(game, name) for name in names]
        self.known: dict[tuple[int, View], list[Hashable]] = {}
        self.picked: dict[tuple[int, str, View], int] = {}

    def follow(self, situation: ObservedPosition, views: tuple[View, ...], chance: Fraction) -> list[Fraction]:
        """What each seat gets, times the chance of coming here. All actions are followed, for what may be seen there."""
        moves = self.observer.possible_moves(situation)
        if not moves.moves:
            return [chance * paid for paid in self.observer.rules.payoffs(situation.state, "win")]
        odds = [each.probability for each in moves.moves]
        if moves.seat is not None:
            taken = self.choose(moves.seat, views[moves.seat], situation, [each.label for each in moves.moves])
            odds = [Fraction(place == taken) for place in range(len(odds))]
        total = [Fraction(0)] * len(self.seats)
        for each, odd in zip(moves.moves, odds, strict=True):
            after = tuple((*view, seen) for view, seen in zip(views, each.observations, strict=True))
            found = self.follow(each.successor, after, chance * odd)
            total = [one + other for one, other in zip(total, found, strict=True)]
        return total

    def choose(self, seat: int, view: View, situation: ObservedPosition, labels: list[Hashable]) -> int:
        """The action that the policy of a seat takes. Every policy must choose alike wherever the seat has seen the same."""
        if self.known.setdefault((seat, view), labels) != labels:
            raise Torn
        actions = [label for label in labels if isinstance(label, Action)]
        for policy in self.policies:
            place = policy.choose_action_index(situation.state, actions)
            if self.picked.setdefault((seat, policy.name, view), place) != place:
                raise Peeking
        return self.policies[seat].choose_action_index(situation.state, actions)


def compared(seed: int) -> str:
    """What kind of game a seed gives, once estimates and the tree said the same of it."""
    data = game_of_three(seed)
    if data is None:
        return "none"
    game = bind(read_ruleset(Source(f"random-{seed}.yaml", json.dumps(data)))[0])
    names = tuple(NAMES[(seed >> seat) % 2] for seat in range(3))
    tree = Tree(game, names)
    try:
        exact = tree.follow(tree.observer.start(), ((),) * 3, Fraction(1))
    except (Peeking, Torn) as why:
        with pytest.raises(PlayError):
            estimate(game, "win", dict(enumerate(names)), games=10)
        return type(why).__name__
    found = estimate(game, "win", dict(enumerate(names)), games=3000, seed=seed)
    for mean, value in zip(found.means, exact, strict=True):
        assert mean is not None
        assert abs(mean.middle - value) <= mean.radius, (seed, float(mean.middle), float(value))
    return "estimated"


def test_estimates_hold_what_the_whole_tree_brings() -> None:
    kinds = Counter(map(compared, range(100)))
    assert kinds["estimated"] > 30, kinds
    assert kinds["Peeking"] > 2, kinds
    assert kinds["Torn"] > 0, kinds


def test_pages_play_them_alike() -> None:
    """What can happen, and what each of three seats sees of it, with choices at once as well."""
    found = [data for seed in range(40) if (data := game_of_three(seed))]
    found += [random_open_game(seed) for seed in range(20)]
    agree([bind(read_ruleset(Source("game.yaml", json.dumps(each)))[0]) for each in found], range(2))


@pytest.mark.long
@pytest.mark.parametrize("part", range(1, 20))
def test_estimates_hold_what_the_whole_tree_brings_in_two_thousand_games(part: int) -> None:
    kinds = Counter(compared(seed) for seed in range(part * 100, part * 100 + 100))
    assert kinds["estimated"] > 30, kinds
