"""Published values of games with secrets, and of choices made at once, come out as exact fractions.

The sources of the games stand in the rulesets, those of values in sources.yaml.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ruamel.yaml import YAML
from scipy.optimize import linprog

import oddsmith
from oddsmith.solve.extensive import SecretSolution

GAMES = Path(__file__).with_name("games")

Known = tuple[str, dict[str, int | bool], str, str]
"""A game with its parameters, what its first seat gets, and the name of the source."""

SOURCES: dict[str, dict[str, str]] = YAML(typ="safe").load(Path(__file__).with_name("sources.yaml"))["sources"]
KNOWN: list[Known] = [
    ("kuhn-poker", {}, "-1/18", "kuhn"),
    ("kuhn-poker", {"top": 4}, "-1/24", "more cards"),
    ("kuhn-poker", {"top": 5}, "-1/15", "more cards"),
    ("kuhn-poker", {"top": 6}, "-11/180", "more cards"),
    ("kuhn-poker", {"top": 13}, "-5/78", "one-card poker"),
    ("liars-dice", {"sides": 2}, "0", "ahle"),
    ("liars-dice", {"sides": 3}, "-1/9", "ahle"),
    ("liars-dice", {"sides": 4}, "-1/8", "ahle"),
    ("liars-dice", {"sides": 5}, "-3/25", "ahle"),
    ("liars-dice", {"sides": 6}, "-1/9", "ahle"),
    ("liars-dice", {"sides": 2, "wild": True}, "1", "ahle"),
    ("liars-dice", {"sides": 3, "wild": True}, "1/3", "ahle"),
    ("liars-dice", {"sides": 4, "wild": True}, "0", "ahle"),
    ("liars-dice", {"sides": 5, "wild": True}, "0", "ahle"),
    ("liars-dice", {"sides": 6, "wild": True}, "-7/327", "ahle"),
    ("one-die-dudo", {}, "-7/258", "neller-lanctot"),
    ("goofspiel", {"top": 3}, "0", "alike seats"),
    ("goofspiel", {"top": 4}, "0", "alike seats"),
    ("goofspiel", {"shown_first": 4}, "0", "five cards"),
    ("goofspiel", {"shown_first": 3}, "-253/44948", "five cards"),
    ("goofspiel", {"shown_first": 2}, "653/101043", "five cards"),
    ("goofspiel", {"shown_first": 1}, "-75237/1017724", "five cards"),
    ("rock-paper-scissors", {}, "0", "bosansky"),
    ("odd-or-even", {}, "1/12", "ferguson"),
    ("morra", {"most": 2}, "0", "alike seats"),
    ("morra", {"most": 3}, "0", "alike seats"),
    ("blotto", {}, "14/9", "karlin"),
    ("blotto", {"mine": 3}, "0", "alike seats"),
    ("blotto", {"mine": 5, "theirs": 5}, "0", "alike seats"),
    ("oshi-zumo", {"least": 1}, "0", "alike seats"),
    ("oshi-zumo", {"least": 0}, "0", "alike seats"),
    ("guess-the-ace", {}, "0", "miltersen-sorensen"),
    ("stripped-down-poker", {}, "1/3", "reiley"),
    ("le-her", {}, "11327/22100", "montmort"),
    ("finger-match", {}, "2/3", "three fingers"),
    ("basic-endgame", {}, "-1/4", "ferguson"),
    ("chemin-de-fer", {}, "-679568/53094899", "kemeny-snell"),  # cards are put back
    ("undercut", {}, "0", "alike seats"),
    ("silverman", {}, "0", "alike seats"),
]
SEARCHED = [(2, "3/2"), (3, "9/5"), (4, "2"), (5, "20/9")]
"""Guesses that it takes to find one of some numbers."""
ALONE: list[tuple[str, dict[str, int], str, str]] = [
    ("monty-hall", {}, "2/3", "selvin"),
    ("secretary", {"slips": 1}, "1", "gilbert-mosteller"),
    ("secretary", {"slips": 2}, "1/2", "gilbert-mosteller"),
    ("secretary", {"slips": 3}, "1/2", "gilbert-mosteller"),
    ("secretary", {"slips": 4}, "11/24", "gilbert-mosteller"),
    ("secretary", {"slips": 5}, "13/30", "gilbert-mosteller"),
]


def solution(game: str, **parameters: Any) -> SecretSolution:
    """A game of this folder, solved."""
    return oddsmith.load(GAMES / f"{game}.yaml").at(**parameters).solve_secrets()


def named(known: Known) -> str:
    game, parameters, *_ = known
    return " ".join([game, *(f"{name}={value}" for name, value in parameters.items())])


def takes_long(known: Known) -> bool:
    game, parameters, *_ = known
    return game == "one-die-dudo" or parameters.get("sides") == 6 or (game == "goofspiel" and parameters != {"top": 3})


@pytest.mark.parametrize(
    "known", [pytest.param(each, id=named(each), marks=[pytest.mark.long] * takes_long(each)) for each in KNOWN]
)
def test_a_published_value_comes_out_as_an_exact_fraction(known: Known) -> None:
    game, parameters, value, _ = known
    found = solution(game, **parameters)
    assert found.grade == "exact"
    assert [each.exact for each in found.values] == [Fraction(value), found.payoff_sum - Fraction(value)]


def test_every_known_value_has_a_source_and_every_source_a_value() -> None:
    named_ones = {each[-1] for each in (*KNOWN, *ALONE, *MIXTURES)} | {"southey"}
    assert named_ones == set(SOURCES)
    assert all(source.keys() <= {"cite", "read", "counted"} for source in SOURCES.values())
    assert all("cite" in source or "counted" in source for source in SOURCES.values())


@pytest.mark.parametrize("known", [each for each in KNOWN if each[0] == "kuhn-poker"], ids=named)
def test_a_program_written_by_hand_has_the_value_of_one_card_poker(known: Known) -> None:
    """It knows neither the ruleset nor the engine."""
    _, parameters, value, _ = known
    assert abs(one_card_value(int(parameters.get("top", 3))) - float(Fraction(value))) < 1e-9


def one_card_value(cards: int) -> float:
    """What the first player gets of one-card poker, by a linear program in floats.

    With each card, the first player bets, or checks and then folds, or checks and then calls. The second answers with each
    card as it likes best: a bet by folding or calling, a check by checking or betting.
    """
    plans, answers = 3 * cards, 2 * cards  # the chances of plans, and what each answer leaves to the first player
    rows = []
    for held in range(cards):
        for answered, wins, loses in (
            (0, (1, 0, 0), (1, 0, 0)),  # a bet is folded
            (0, (2, 0, 0), (-2, 0, 0)),  # a bet is called
            (1, (0, 1, 1), (0, -1, -1)),  # a check is checked
            (1, (0, -1, 2), (0, -1, -2)),  # a check is bet, and folded or called
        ):
            row = np.zeros(plans + answers)
            row[plans + 2 * held + answered] = 1
            for own in range(cards):
                if own != held:
                    row[3 * own : 3 * own + 3] = -np.array(wins if own > held else loses) / (cards * (cards - 1))
            rows.append(row)
    equal = np.zeros((cards, plans + answers))
    for own in range(cards):
        equal[own, 3 * own : 3 * own + 3] = 1
    aim = [*[0] * plans, *[-1] * answers]
    bounds = [*[(0, None)] * plans, *[(None, None)] * answers]
    return -float(linprog(aim, np.array(rows), np.zeros(len(rows)), equal, np.ones(cards), bounds).fun or 0)


def test_leduc_poker_agrees_with_its_published_decimals() -> None:
    found = solution("leduc-poker").values[0]
    assert found.decimal(12) == "-0.085606424078"
    assert found.exact is not None


MIXTURES = [
    ("rock-paper-scissors", {"rock": "1/16", "paper": "5/8", "scissors": "5/16"}, "bosansky"),
    ("odd-or-even", {"1": "7/12", "2": "5/12"}, "ferguson"),
    ("finger-match", {"1": "1/2", "2": "1/3", "3": "1/6"}, "three fingers"),
    ("undercut", {"1": "5/33", "2": "13/33", "3": "13/66", "4": "8/33", "5": "1/66"}, "hofstadter"),
    ("silverman", {"1": "1/4", "2": "1/2", "5": "1/4"}, "evans"),  # on {1, 2, 5}, whatever the greatest number is
]


@pytest.mark.parametrize(("game", "chances", "source"), MIXTURES)
def test_a_published_mixture_is_found_for_both_seats(game: str, chances: dict[str, str], source: str) -> None:
    assert source in SOURCES
    for decision in solution(game).decisions():
        assert {name: str(chance) for name, chance in decision.support.items()} == chances


def test_a_plan_makes_the_most_of_a_mistake() -> None:
    """An offer is a mistake that best play never makes, so any guess secures the value. Only one of them is good."""
    found = solution("guess-the-ace")
    (root,) = found.subgames
    (guess,) = found.planned_choices(root, 1)
    assert guess.action_values is None
    assert guess.action_probabilities == (Fraction(0), Fraction(1))


def test_a_bluff_has_the_published_chance() -> None:
    by_known = {decision.known_facts[-1]: decision for decision in solution("stripped-down-poker").decisions()}
    assert by_known["card ace"].support == {"Bet": Fraction(1)}
    assert by_known["card king"].support == {"Fold": Fraction(2, 3), "Bet": Fraction(1, 3)}
    assert by_known["student: Bet"].support == {"Fold": Fraction(1, 3), "Call": Fraction(2, 3)}


def test_bluffs_and_calls_of_the_basic_endgame_have_the_published_chances() -> None:
    chances = {decision.known_facts[-1]: decision.support for decision in solution("basic-endgame").decisions()}
    assert chances["drawn_card 0"] == {"Check": Fraction(5, 6), "Bet": Fraction(1, 6)}
    assert chances["drawn_card 1"] == {"Bet": Fraction(1)}
    assert chances["bettor: Bet"] == {"Fold": Fraction(1, 2), "Call": Fraction(1, 2)}


def test_chemin_de_fer_is_mixed_where_kemeny_and_snell_found_it() -> None:
    """The player draws on 5 with chance 9/11; the banker draws on 6 with chance 859/2288 if the player stands."""
    mixed = [each for each in solution("chemin-de-fer").decisions() if len(each.support) > 1]
    assert [(each.seat, each.action_probabilities["Draw"]) for each in mixed] == [
        (0, Fraction(9, 11)),
        (1, Fraction(859, 2288)),
    ]


@pytest.mark.parametrize(("days", "visits"), [(1, 0), (1, 1), (2, 1), (3, 1), (5, 2), (6, 3), (8, 4)])
def test_inspections_have_the_values_of_dresher(days: int, visits: int) -> None:
    """Dresher 1962, in the closed form of von Stengel 2016: a binomial coefficient, by a sum of them."""
    value = -Fraction(comb(days - 1, visits), sum(comb(days, each) for each in range(visits + 1)))
    assert solution("inspection", days=days, visits=visits).values[0].exact == value


@pytest.mark.parametrize(("top", "value"), SEARCHED)
def test_a_number_is_found_in_as_many_guesses_as_a_matrix_says(top: int, value: str) -> None:
    """The seeker mixes search trees, the hider numbers; a linear program over all trees in floats says the same."""
    costs = np.array(list(search_trees(1, top))).T
    aim, bound = [*[0] * costs.shape[1], 1], np.hstack([costs, -np.ones((top, 1))])
    equal = [[*[1] * costs.shape[1], 0]]
    found = linprog(aim, bound, np.zeros(top), equal, [1], [*[(0, None)] * costs.shape[1], (None, None)])
    assert abs((found.fun or 0) - float(Fraction(value))) < 1e-9
    assert solution("find-the-number", top=top).values[0].exact == Fraction(value)


def search_trees(low: int, high: int) -> Iterator[list[int]]:
    """Every way to search the numbers between two, as the guesses that it takes for each of them."""
    if low > high:
        yield []
    for guess in range(low, high + 1):
        for below, above in product(search_trees(low, guess - 1), search_trees(guess + 1, high)):
            yield [*(each + 1 for each in below), 1, *(each + 1 for each in above)]


@pytest.mark.parametrize(("game", "parameters", "value", "source"), ALONE)
def test_one_player_who_does_not_see_everything_gets_the_published_value(
    game: str, parameters: dict[str, int], value: str, source: str
) -> None:
    assert source in SOURCES
    found = solution(game, **parameters)
    assert [each.exact for each in found.values] == [Fraction(value)]
    assert found.kind == "optimal"


def test_whoever_stops_at_the_best_of_four_slips_lets_one_go_by() -> None:
    for each in solution("secretary").decisions():
        best_so_far, first = each.known_facts[-1] == "true", len(each.known_facts) == 1
        assert each.support == {"Stop" if best_so_far and not first else "Go on": Fraction(1)}
