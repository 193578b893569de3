"""Games played by the plans come near the values. What ``solve`` does not answer with secrets says why, and leads on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import oddsmith
from oddsmith.solve.extensive import PlayedPlans, SecretSolution, expected_turns_and_rolls, simulate_plans
from tests.secrets.test_circles import RULES
from tests.terminal import run

GAMES = Path(__file__).with_name("games")
KUHN = str(GAMES / "kuhn-poker.yaml")
FAR = 5  # standard errors
ROUNDS = RULES.replace(
    "OUTCOMES",
    json.dumps(
        [
            {"when": "hand[mover] == hand[next]", "do": "set gain to 2", "then": "toss"},
            {"when": "hand[mover] == high", "do": "set gain to -1", "then": "toss"},
            {"when": "true", "do": "set gain to -2", "then": "toss"},
        ]
    ),
)


def solution(game: str, parameters: dict[str, Any]) -> SecretSolution:
    if game == "rounds":
        return oddsmith.loads(ROUNDS).solve_secrets()
    own = GAMES / f"{game}.yaml"
    return oddsmith.load(own if own.exists() else game).at(**parameters).solve_secrets()


@pytest.mark.parametrize(
    ("game", "parameters"),
    [
        ("kuhn-poker", {}),
        ("le-her", {"king": 5}),
        ("goofspiel", {"top": 3}),
        ("rounds", {}),
        ("secretary", {}),
        ("mia", {}),
        ("two-lanterns", {"oil": 2}),
        ("liars-dice", {"sides": 3}),
    ],
)
def test_games_played_by_the_plans_come_near_the_values(game: str, parameters: dict[str, Any]) -> None:
    found = solution(game, parameters)
    played = simulate_plans(found, 2000, 5)
    lengths = expected_turns_and_rolls(PlayedPlans.of(found))
    told = [
        *zip(played.payoffs_by_seat, found.values, strict=True),
        (played.turns, lengths["turns"]),
        (played.rolls, lengths["rolls"]),
    ]
    for sample, value in told:
        assert abs(float(sample.mean - value.middle)) <= FAR * sample.standard_error


def test_a_seed_gives_the_same_games() -> None:
    found = solution("kuhn-poker", {})
    assert simulate_plans(found, 50, 1) == simulate_plans(found, 50, 1) != simulate_plans(found, 50, 2)


def test_the_command_line_plays_games_with_secrets() -> None:
    done = run("solve", KUHN, "--values", "--plays", "200")
    assert done.returncode == 0, done.stderr
    assert "200 games played:" in done.stdout
    assert done.stdout.count("standard errors off") == 3
    data = json.loads(run("solve", KUHN, "--plays", "200", "--json").stdout)
    assert data["plays"]["games"] == 200
    assert [each["seat"] for each in data["plays"]["values"]] == [1, 2]


@pytest.mark.parametrize(
    ("option", "way_on"),
    [
        (["--list"], "--table FILE"),
        (["--thresholds"], "--table FILE"),
        (["--turns", "3"], "--distribution turns"),
        (["--break-even"], "--state POSITION"),
        (["--cheats"], "oddsmith diff"),
        (["--effort"], "--limit states=N"),
        (["--symbol", "top"], "oddsmith sweep"),
    ],
)
def test_what_has_no_answer_says_why_and_leads_on(option: list[str], way_on: str) -> None:
    done = run("solve", KUHN, *option)
    assert done.returncode != 0
    assert way_on in done.stderr
