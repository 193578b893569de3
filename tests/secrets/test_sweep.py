"""Games with secrets over a grid of settings, and the setting at which one is fair."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import oddsmith
from oddsmith.base.exact import Number
from oddsmith.ruleset import Action, Observer
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.model import Setting
from oddsmith.solve.extensive import UnfinishedPlay, solve_secrets
from oddsmith.solve.policies import NamedPolicy
from tests.cases import RULESETS, ruleset
from tests.secrets.test_measures import BOAST, Walked, mean, walked_out
from tests.secrets.walking import walked
from tests.terminal import run

GAMES = Path(__file__).with_name("games")


def test_a_sweep_gives_the_published_values() -> None:
    found = oddsmith.sweep(GAMES / "liars-dice.yaml", {"sides": [2, 3, 4], "wild": [False, True]})
    exact = [Fraction(str(record["value_1_exact"])) for record in found.records()]
    assert exact == [Fraction(value) for value in ("0", "1", "-1/9", "1/3", "-1/8", "0")]
    assert {record["grade"] for record in found.records()} == {"exact"}


def test_fair_says_which_setting_comes_nearest() -> None:
    done = run("fair", "cups-and-coins", "--vary", "bet=1..3", "--even")
    assert "no bet from 1 to 3" in done.stdout
    assert "bet 1 comes nearest: seat 2 gets 0.097222 more" in done.stdout


def test_a_sweep_tells_lengths_and_the_measures_of_the_ruleset() -> None:
    text = BOAST.replace("else -2", "else -loss")
    text = text.replace("state:\n", "parameters:\n  loss: {default: 2, min: 1, max: 2}\nstate:\n", 1)
    found = oddsmith.sweep(oddsmith.loads(text), {"loss": [1, 2]})
    for record, point in zip(found.records(9), found.points, strict=True):
        plays = list(walked_out(oddsmith.loads(text).at(loss=point.settings["loss"]).solve_secrets()))
        assert record["turns"] == Number.of(mean(plays, Walked.turns)).decimal(9)
        assert record["Boasts"] == Number.of(mean(plays, lambda play: play.count(("speak", "Boast")))).decimal(9)
        assert record["One decision"] is None
        assert record["states"] > 0


def test_fair_finds_a_length() -> None:
    found = oddsmith.fair("cups-and-coins", "length 4.37 turns", {"bet": [1, 2, 3]})
    assert [each.value for each in found.cases[0].tried_values] == [1, 2, 3]
    reached = {each.value: each.result for each in found.cases[0].tried_values}
    assert reached[2] == Number.of(Fraction(157, 36))


@pytest.mark.parametrize("plays", ["any", "count your own dice"])
def test_fair_says_what_a_beginner_loses(plays: str) -> None:
    found = oddsmith.fair(
        oddsmith.load("liars-dice").at(seats=2), oddsmith.Goal.of("beginner 1/4", beginner_policy=plays), {"sides": [3]}
    )
    solution = solve_secrets(bind(ruleset("liars-dice"), Setting(2, values={"sides": 3})), "win")

    def chances(planned: list[Fraction], course: UnfinishedPlay) -> list[Fraction]:
        if plays == "any":
            return [Fraction(1, len(planned))] * len(planned)
        moves = Observer(solution.game).possible_moves(course.position)
        actions = [each.label for each in moves.moves if isinstance(each.label, Action)]
        taken = NamedPolicy(solution.game, plays).choose_action_index(course.position.state, actions)
        return [Fraction(place == taken) for place in range(len(planned))]

    (tried,) = found.cases[0].tried_values
    assert tried.result == solution.values[0] - walked(solution, 0, chances)


def test_a_beginner_with_secrets_has_no_short_rule() -> None:
    found = oddsmith.fair("cups-and-coins", oddsmith.Goal.of("beginner 1/4", beginner_policy="rule"), {"bet": [1]})
    assert found.cases[0].tried_values[0].problem == "a game with secrets has no short rule: name a policy, or any"


def test_a_beginner_who_looks_under_the_cup_is_refused() -> None:
    text = (RULESETS / "liars-dice.yaml").read_text("utf-8")
    peeking = oddsmith.loads(text.replace("count(cup, number) >", "count(cup[next], number) >"))
    found = oddsmith.fair(
        peeking.at(seats=2), oddsmith.Goal.of("beginner 1/4", beginner_policy="count your own dice"), {"sides": [3]}
    )
    assert "OD537" in found.cases[0].tried_values[0].problem
