"""What pages and the command line say around numbers is true: units, chances, seats, one of a thing and several."""

from __future__ import annotations

import re
from functools import cache
from html import unescape
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import oddsmith
from oddsmith.base.exact import plural
from oddsmith.cli import cli
from oddsmith.publish.sections.chances import asked_measures_html
from oddsmith.publish.sections.example import example_turn_html
from oddsmith.publish.sections.first_screen import key_facts_html, line_to_remember, page_head_html
from oddsmith.publish.site import publish
from oddsmith.report.answers.accounts import RulesetAnswers, answers_of
from oddsmith.report.answers.answers import Answer
from tests.cases import account_of

HERE = Path(__file__).parent
SAMPLES = HERE.parent / "samples"
THINGS = "coin|chip|piece|seat|player|state|position|decision|transition|turn|roll|problem|error|move|tie|number|point"
ONE_OF_MANY = re.compile(rf"(?<![\d.,/\N{{EN DASH}}\N{{MINUS SIGN}}])\b1 (?:{THINGS})s\b")

DECIDES = """\
format: 1
id: throws
title: Throws
summary: Throw up to six times; a one or a two takes all.
seats: 1
state: {pot: {max: 60}, thrown: {max: 6}}
payoffs: {points: pot}
turn: throw
phases:
  throw:
    roll: {die: d6}
    outcomes:
      - {name: Bust, when: die < 3, do: set pot to 0, then: end}
      - {name: Good, do: [add die to pot, add 1 to thrown], then: decide}
  decide:
    choose:
      - {name: Stop, then: end}
      - {name: On, when: thrown < 6, then: throw}
"""
ASKED = """\
measures:
  Busts: {count: [throw, Bust]}
  Throws that score: {count: [throw, Good]}
  Points give or take: {spread: points}
"""

RISKS = """\
  pick:
    choose:
      - {name: Plain, then: throw}
      - {name: Bold, when: pot < 9, do: add 3 to pot, then: risk}
  risk:
    roll: {die: d6}
    outcomes:
      - {name: Fall, when: die < 3, do: set pot to 0, then: end}
      - {name: Stand, then: throw}
"""


def run(*words: str) -> Result:
    found = CliRunner().invoke(cli, words, catch_exceptions=False)
    assert found.exit_code == 0, found.output
    return found


@cache
def solved(name: str) -> RulesetAnswers:
    return answers_of(oddsmith.load(name).ruleset)


@pytest.fixture(scope="module")
def decides(tmp_path_factory: pytest.TempPathFactory) -> RulesetAnswers:
    path = tmp_path_factory.mktemp("decides") / "throws.yaml"
    path.write_text(DECIDES + ASKED, encoding="utf-8")
    return answers_of(oddsmith.load(path).ruleset)


def test_one_is_one_and_several_are_several() -> None:
    assert [plural(count, "seat") for count in (0, 1, 2, 1594)] == ["0 seats", "1 seat", "2 seats", "1,594 seats"]
    assert plural(2, "tie matters", "ties matter") == "2 ties matter"


@pytest.mark.parametrize(
    "path", [HERE / "alone.yaml", SAMPLES / "craps.yaml", SAMPLES / "piglet.yaml"], ids=lambda path: path.stem
)
def test_no_page_says_one_of_several(path: Path) -> None:
    for name, data in publish([oddsmith.load(path).ruleset]).items():
        if name.endswith((".md", ".html")):
            text = re.sub(r"<[^>]+>", " ", data.decode())
            assert not ONE_OF_MANY.findall(text), name


@pytest.mark.parametrize(
    "words", [("solve", str(SAMPLES / "craps.yaml")), ("check", str(SAMPLES / "craps.yaml")), ("verify", "piglet")]
)
def test_no_command_says_one_of_several(words: tuple[str, ...]) -> None:
    assert not ONE_OF_MANY.findall(CliRunner().invoke(cli, words).output)


def test_a_spread_says_that_it_is_one() -> None:
    told = run("solve", "piglet").output
    assert "Turns: mean 4.000000000000, standard deviation 3.464101615138" in told
    assert not re.search(r"Turns: \d", told)
    assert '"kind": "spread"' in run("solve", "piglet", "--json").output


def test_decisions_are_said_to_be_proved_for_whom_they_were() -> None:
    pig = ("solve", "pig", "--set", "target=6")
    assert "; every decision is proved\n" in run(*pig).output
    one = run(*pig, "--policy", "1=hold at 20").output
    assert "; every decision of the other seats is proved\n" in one
    both = run(*pig, "--policy", "1=hold at 20", "--policy", "2=hold at 20").output
    assert "every decision" not in both
    assert "there was no decision to prove" in both


def test_what_happens_once_at_most_is_a_chance_and_what_may_happen_twice_is_not(decides: RulesetAnswers) -> None:
    assert decides.main.key_facts.chances == {"Busts"}
    shown = unescape("".join(asked_measures_html(decides.main))).replace("\u00a0", " ")
    assert re.search(r"Busts.{0,80}?[\d.]+ %", shown)
    assert not re.search(r"Throws that score.{0,40}?[\d.]+ %", shown)


def test_whether_a_game_that_somebody_wins_is_fair_is_told_in_games_of_a_hundred() -> None:
    two = solved(str(SAMPLES / "piglet.yaml"))
    first, second = (f"{100 * float(value):.2f}" for value in two.main.key_facts.values)
    shown = unescape(str(key_facts_html(two, "#method")))
    assert f"Is it fair?</dt> <dd>No. Seat 1 wins {first} of 100 games, seat 2 wins {second}." in shown


def test_whether_a_game_for_coins_is_fair_is_told_in_coins_of_every_seat() -> None:
    coins = solved(str(SAMPLES / "hot-purse.yaml"))
    shown = unescape(str(key_facts_html(coins, "")))
    first, second = (f"{float(value):.2f}" for value in coins.main.key_facts.values)
    assert f"Seat 1 gets {first} coins, seat 2 gets {second} coins." in shown


def test_whether_sides_are_even_is_told_by_their_names() -> None:
    beasts = solved(str(SAMPLES / "three-beasts.yaml"))
    shown = unescape(str(key_facts_html(beasts, ""))).replace("\u00a0", " ")
    wolf, bear, fox = (float(value) for value in beasts.main.key_facts.values)
    assert bear == 0
    words = f"The wolf wins {100 * wolf:.2f} of 100 games, the bear wins none, the sly fox wins {100 * fox:.2f}."
    assert f"No. {words}" in shown


def test_a_short_rule_says_how_the_other_decisions_are_made(tmp_path: Path) -> None:
    path = tmp_path / "two-decisions.yaml"
    path.write_text(DECIDES.replace("then: throw}", "then: pick}") + RISKS, encoding="utf-8")
    main = answers_of(oddsmith.load(path).ruleset)
    assert len(main.main.strategies) > 1
    assert "in the choice “Decide”, with every other decision as in best play" in str(page_head_html(main))


def test_a_game_that_was_not_solved_says_why_in_its_line() -> None:
    main = solved("piglet").main
    assert line_to_remember(Answer(main.setting, main.game, None, "best responses cycle")) == "Best responses cycle."


def test_a_turn_as_it_happened_names_the_action_that_was_taken_once() -> None:
    """What follows it in brackets begins with what it was worth, and has the other actions as people say them."""
    html = " ".join(example_turn_html(account_of(SAMPLES / "shut-the-box.yaml").main))
    turn = unescape(re.sub("<[^>]+>", "", html))
    choices = re.findall(r"[Cc]hooses (.+?) \((.+?)\)[.,;]? ?", turn)
    assert choices
    assert all(values.startswith("worth ") for _, values in choices), "one action was best"
    assert not re.search(r"\([a-z_]+ \w+", turn.replace("(worth ", ""))
