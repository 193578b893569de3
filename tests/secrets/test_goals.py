"""Games with secrets in which less is better: all that is told of them is that of the payoffs with the other sign."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import oddsmith
from oddsmith.api.secret import SecretGame
from oddsmith.base.errors import PlayError
from oddsmith.base.exact import Number
from oddsmith.base.location import Source
from oddsmith.proof import compare_plans_with_rules, prove_plans
from oddsmith.publish.sections import secret_key_facts_html
from oddsmith.report.answers.accounts import answers_of
from oddsmith.report.export import plan_certificate
from oddsmith.report.policy import review_secret_play
from oddsmith.report.policy.plan_table import plan_table
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.reading.build import read_ruleset
from oddsmith.solve.extensive import SecretSolution, solve_secrets
from oddsmith.solve.policies import NamedPolicy
from tests.certify.suite import SUITE
from tests.reader.play import Reader
from tests.secrets.plain import Torn, value
from tests.secrets.random_games import random_game
from tests.secrets.test_circles import RULES
from tests.secrets.test_review import exact, plays
from tests.secrets.test_runtime import answers

NEAR = 1e-7
FINE = SUITE / "rules" / "fine.yaml"
KUHN = Path(__file__).with_name("games") / "kuhn-poker.yaml"
ALWAYS = """
policies:
  bold:
    open: [{option: Bet}]
    answer: [{option: Call}]
"""


def solved(data: Mapping[str, Any]) -> SecretSolution:
    """A game given as data, solved."""
    return solve_secrets(bind(read_ruleset(Source("game.yaml", json.dumps(data)))[0]), "win")


def turned(data: dict[str, Any], paid: int) -> dict[str, Any]:
    """The game in which all pay an amount less what they got before, and less is better."""
    return {**data, "payoffs": {"win": {"value": f"{paid} - ({data['payoffs']['win']})", "goal": "min"}}}


def fine(more: str = "") -> SecretGame:
    """Stripped-down poker, in which the student gets 1/3, with fines of 2 less what a player gets."""
    found = oddsmith.loads(FINE.read_text("utf-8") + more).solve()
    assert isinstance(found, SecretGame)
    return found


@pytest.mark.parametrize("part", range(4))
def test_a_plain_solver_finds_the_same_with_the_other_sign(part: int) -> None:
    """The plain solver looks for the most. Of the payoffs with the other sign, that is the least of these."""
    several = 0
    for seed in range(part * 10, part * 10 + 10):
        data = random_game(seed)
        lost = {**data, "payoffs": {"win": f"({data['payoffs']['win']}) - 5"}}
        try:
            plain = -value(Reader(lost, 2, {}), "win")
        except Torn:
            with pytest.raises(PlayError, match="cannot tell these apart"):
                solved(turned(data, 5))
            continue
        found = solved(turned(data, 5))
        first, second = found.values
        assert found.grade == "exact"
        assert abs(float(first.middle) - plain) < NEAR
        assert (first + second).exact == 10
        several += len(found.subgames) > 1
    assert several > 1


@pytest.mark.parametrize("seed", range(30))
def test_decisions_and_what_they_bring_are_those_of_the_other_sign(seed: int) -> None:
    data = random_game(seed)
    try:
        more = solved(data)
    except PlayError:
        return
    less = solved(turned(data, 0))
    for one, other in zip(more.decisions(), less.decisions(), strict=True):
        assert (one.known_facts, one.action_probabilities, one.expected_visits) == (
            other.known_facts,
            other.action_probabilities,
            other.expected_visits,
        )
        assert (one.action_values is None) == (other.action_values is None)
        if one.action_values is not None and other.action_values is not None:
            assert one.action_values == {name: -each for name, each in other.action_values.items()}
    for seat in range(2):
        wild = [game.trembling_plan(seat, Fraction(0)) for game in (more, less)]
        responses = [game.best_response(1 - seat, plan) for game, plan in zip((more, less), wild, strict=True)]
        got = [
            game.values_under([plan, response] if seat == 0 else [response, plan])
            for game, plan, response in zip((more, less), wild, responses, strict=True)
        ]
        assert got[0] == tuple(-each for each in got[1])
        assert less.value_of_trembling(seat, Fraction(1, 2)) >= less.values[seat].lower


@pytest.mark.parametrize("seed", range(12))
def test_certificates_hold(seed: int) -> None:
    data = turned(random_game(seed), 5)
    rules = read_ruleset(Source("game.yaml", json.dumps(data)))[0]
    try:
        found = solve_secrets(bind(rules), "win")
    except PlayError:
        return
    written = b"".join(plan_certificate(found))
    assert [Number(*each) for each in prove_plans(written).values] == list(found.values)
    assert compare_plans_with_rules(written, rules)


def test_a_circle_is_proven_from_both_sides() -> None:
    """The matrix (v / 2, -1; -1, 0), of which less is better, has the value v = the square root of 2, less 2."""
    listed = [
        {"when": "hand[mover] == high and hand[next] == high", "do": "set gain to 0", "then": "toss"},
        {"when": "hand[mover] == low and hand[next] == low", "do": "set gain to 0", "then": "end"},
        {"when": "true", "do": "set gain to -1", "then": "end"},
    ]
    text = RULES.replace("OUTCOMES", json.dumps(listed))
    paid = "win: gain if seat == first else -gain"
    assert paid in text
    text = text.replace(paid, "win: {value: gain if seat == first else -gain, goal: min}")
    first, second = oddsmith.loads(text).solve_secrets(digits=30).values
    assert 0 < first.upper - first.lower < Fraction(1, 10**30)
    assert (first.upper + 2) ** 2 > 2 > (first.lower + 2) ** 2
    assert second == -first


def test_fines_are_counted_by_hand() -> None:
    """The student bets every ace and one king in three, and the professor calls two bets in three."""
    game = fine()
    assert [each.exact for each in game.values] == [Fraction(5, 3), Fraction(7, 3)]
    ace, bold = game.advise("card ace"), game.advise("student: Bet")
    assert [(each.action, each.value.exact, each.loss.exact, each.best) for each in ace] == [
        ("Bet", Fraction(1, 3), 0, True),
        ("Fold", 3, Fraction(8, 3), False),
    ]
    assert [(each.value, each.best) for each in bold] == [(Number.of(3), True)] * 2


def test_best_responses_pay_least() -> None:
    """If the student always bets, a call costs the professor 4 or 0, and a fold 3. If it always calls, the student bets
    the ace for 0 and folds the king for 3.
    """
    game = fine(ALWAYS)
    bold = NamedPolicy(game.game, "bold").choose_action_index
    for seat, (student, professor) in enumerate([(Fraction(2), Fraction(2)), (Fraction(3, 2), Fraction(5, 2))]):
        plan = game.secret_solution.policy_plan(seat, bold)
        response = game.secret_solution.best_response(1 - seat, plan)
        assert game.secret_solution.values_under([response, plan] if seat else [plan, response]) == (student, professor)
        against = game.secret_solution.with_policy(seat, "bold", bold)
        assert [each.exact for each in against.values] == [student, professor]
    table = game.tournament()
    assert {each.against: each.mean for each in table.best_responses}["bold"] == Number.of(Fraction(7, 4))
    assert table.best_response_gain("bold") == Number.of(Fraction(1, 4))


@pytest.mark.parametrize("seat", [0, 1])
def test_costs_of_a_review_are_on_average_what_a_seat_pays_more(seat: int) -> None:
    found = fine().secret_solution
    lost = Fraction(0)
    for chance, moves in plays(found, seat):
        lost += chance * exact(review_secret_play(found, moves).cost_of_choices(seat + 1))
    assert lost == found.value_of_trembling(seat, Fraction(0)) - exact(found.values[seat])
    assert (lost > 0) == (seat == 0)  # the professor mixes all it can do


def test_a_page_says_that_less_is_better() -> None:
    """A student who takes any action pays 5/3 with the ace and 3 with the king, so 7/3."""
    game = fine().game
    account = answers_of(game.ruleset)
    assert account.main_secret_answer
    assert "a drunk 2.33 paid. Less is better." in secret_key_facts_html(account, account.main_secret_answer, "")


@pytest.mark.parametrize(
    ("text", "losses"), [(FINE.read_text("utf-8"), [2, 0, 1]), (KUHN.read_text("utf-8"), [0, 2, 1])]
)
def test_pages_of_play_rank_actions_by_the_goal(text: str, losses: list[int]) -> None:
    found = oddsmith.loads(text).solve_secrets()
    table = plan_table(found, list(found.decisions()))
    assert table is not None
    job = {"job": "losses", "plan": base64.b64encode(table).decode(), "worth": [3, 1, 2]}
    assert answers(job) == [losses]
