"""Published values of games with secrets, and of choices made at once, come out as exact fractions.

The sources stand in the rulesets, those of values beside them here.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import oddsmith
from oddsmith.solve.extensive import SecretSolution

GAMES = Path(__file__).with_name("games")

Known = tuple[str, dict[str, int | bool], str]

KNOWN: list[Known] = [
    ("kuhn-poker", {}, "-1/18"),  # Kuhn 1950
    ("kuhn-poker", {"top": 4}, "-1/24"),  # worked out by hand-made linear programs, as the three that follow
    ("kuhn-poker", {"top": 5}, "-1/15"),
    ("kuhn-poker", {"top": 6}, "-11/180"),
    ("kuhn-poker", {"top": 13}, "-5/78"),  # Gordon, one-card poker: 6.4 cents
    ("liars-dice", {"sides": 2}, "0"),  # Ahle, snyd: without and with wild ones
    ("liars-dice", {"sides": 3}, "-1/9"),
    ("liars-dice", {"sides": 4}, "-1/8"),
    ("liars-dice", {"sides": 5}, "-3/25"),
    ("liars-dice", {"sides": 6}, "-1/9"),
    ("liars-dice", {"sides": 2, "wild": True}, "1"),
    ("liars-dice", {"sides": 3, "wild": True}, "1/3"),
    ("liars-dice", {"sides": 4, "wild": True}, "0"),
    ("liars-dice", {"sides": 5, "wild": True}, "0"),
    ("liars-dice", {"sides": 6, "wild": True}, "-7/327"),
    ("one-die-dudo", {}, "-7/258"),  # Neller and Lanctot 2013
    ("goofspiel", {"top": 3}, "0"),  # alike seats
    ("goofspiel", {"top": 4}, "0"),
    ("goofspiel", {"shown_first": 4}, "0"),  # a page about five-card goofspiel, for the winner of the 5
    ("goofspiel", {"shown_first": 3}, "-253/44948"),
    ("goofspiel", {"shown_first": 2}, "653/101043"),
    ("goofspiel", {"shown_first": 1}, "-75237/1017724"),
    ("rock-paper-scissors", {}, "0"),  # Bosansky and others 2016
    ("odd-or-even", {}, "1/12"),  # Ferguson
    ("morra", {"most": 2}, "0"),  # alike seats
    ("morra", {"most": 3}, "0"),
    ("blotto", {}, "14/9"),  # Karlin 1959
    ("blotto", {"mine": 3}, "0"),  # alike seats
    ("blotto", {"mine": 5, "theirs": 5}, "0"),
    ("oshi-zumo", {"least": 1}, "0"),  # alike seats
    ("oshi-zumo", {"least": 0}, "0"),
    ("guess-the-ace", {}, "0"),  # Miltersen and Sørensen 2006
    ("stripped-down-poker", {}, "1/3"),  # Reiley and others 2008
    ("le-her", {}, "11327/22100"),  # Montmort 1713, Fisher 1934
    ("finger-match", {}, "2/3"),
]


def solution(game: str, **parameters: Any) -> SecretSolution:
    """A game of this folder, solved."""
    return oddsmith.load(GAMES / f"{game}.yaml").at(**parameters).solve_secrets()


def named(known: Known) -> str:
    game, parameters, _ = known
    return " ".join([game, *(f"{name}={value}" for name, value in parameters.items())])


def takes_long(known: Known) -> bool:
    game, parameters, _ = known
    return game == "one-die-dudo" or parameters.get("sides") == 6 or (game == "goofspiel" and parameters != {"top": 3})


@pytest.mark.parametrize(
    "known", [pytest.param(each, id=named(each), marks=[pytest.mark.long] * takes_long(each)) for each in KNOWN]
)
def test_a_published_value_comes_out_as_an_exact_fraction(known: Known) -> None:
    game, parameters, value = known
    found = solution(game, **parameters)
    assert found.grade == "exact"
    assert [each.exact for each in found.values] == [Fraction(value), found.total - Fraction(value)]


def test_leduc_poker_agrees_with_its_published_decimals() -> None:
    found = solution("leduc-poker").values[0]  # Lanctot and others 2017, appendix E.2; OpenSpiel
    assert found.decimal(12) == "-0.085606424078"
    assert found.exact is not None


MIXTURES = [
    ("rock-paper-scissors", {"rock": "1/16", "paper": "5/8", "scissors": "5/16"}),
    ("odd-or-even", {"1": "7/12", "2": "5/12"}),
    ("finger-match", {"1": "1/2", "2": "1/3", "3": "1/6"}),
]


@pytest.mark.parametrize(("game", "chances"), MIXTURES)
def test_a_published_mixture_is_found_for_both_seats(game: str, chances: dict[str, str]) -> None:
    for decision in solution(game).decisions():
        assert {name: str(chance) for name, chance in decision.chances.items()} == chances


def test_a_plan_makes_the_most_of_a_mistake() -> None:
    """An offer is a mistake that best play never makes, so any guess secures the value. Only one of them is good."""
    found = solution("guess-the-ace")
    (root,) = found.subgames
    (guess,) = found.choices(root, 1)
    assert guess.worth is None
    assert guess.chances == (Fraction(0), Fraction(1))


def test_a_bluff_has_the_published_chance() -> None:
    by_known = {decision.known[-1]: decision for decision in solution("stripped-down-poker").decisions()}
    assert by_known["card ace"].support == {"Bet": Fraction(1)}
    assert by_known["card king"].support == {"Fold": Fraction(2, 3), "Bet": Fraction(1, 3)}
    assert by_known["student: Bet"].support == {"Fold": Fraction(1, 3), "Call": Fraction(2, 3)}
