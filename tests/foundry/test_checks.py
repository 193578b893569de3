"""The plays by which a module tests itself: transcripts that hold, with the proven action of every decision."""

from __future__ import annotations

from typing import Any

import pytest

from oddsmith.report.answers.answers import Answer
from oddsmith.report.export.plays import MAX_PLAYS_BYTES, PLAYS_PER_SETTING
from oddsmith.ruleset.bundle import canonical_bytes
from oddsmith.ruleset.rules import Rules
from oddsmith.ruleset.transcript import read_transcript, verify_transcript
from oddsmith.solve.game_solver import solve
from oddsmith.tabletops.foundry.odds import self_test_games_data
from tests.foundry.accounts import PATHS, accounts

games = pytest.mark.parametrize("name", PATHS)


def plays(name: str) -> list[tuple[Answer, dict[str, Any]]]:
    account = accounts(name)
    found = self_test_games_data(account)
    assert len(found) == PLAYS_PER_SETTING * sum(answer.result is not None for answer in account.answers)
    answers = {answer.slug: answer for answer in account.answers}
    return [(answers[play["setting"]], play) for play in found]


@games
def test_every_play_is_a_transcript_that_holds(name: str) -> None:
    for answer, play in plays(name):
        plain = {key: value for key, value in play.items() if key not in ("setting", "best")}
        assert verify_transcript(read_transcript(canonical_bytes(plain)), answer.game.ruleset).entry_count == len(
            play["log"]
        )
        assert play["log"]
        assert (play["seats"], play["parameters"]) == (answer.setting.seats, dict(answer.game.parameters))


@games
def test_the_best_places_are_the_solver_s(name: str) -> None:
    """Found again by playing the log."""
    told = 0
    for at, (answer, play) in enumerate(plays(name)):
        rules, solution = Rules(answer.game), solve(answer.game, answer.setting.objective)
        state, best = rules.start(), iter(play["best"])
        for entry in play["log"]:
            if "throw" in entry:
                outcomes = [thrown for _, thrown in rules.weighted_chance_results(state)[0]]
                state = rules.resolve(
                    state, next(t for t in outcomes if written(rules, t.values) == entry["throw"])
                ).state
                continue
            actions, place = rules.actions(state), next(best)
            number = solution.state_index(state)
            if place is None:
                assert len(actions) == 1 or number is None
            else:
                assert number is not None
                first = solution.graph.rows(number)[0]
                assert place in [each.row - first for each in solution.advise(number, state.mover) if each.best]
                told += 1
            taken = next(a for a in actions if a.name == entry["choose"] and dict_of(rules, a.binding) == entry["with"])
            assert at % PLAYS_PER_SETTING or place is None or taken == actions[place], (
                "the first play of a setting is best play"
            )
            state = rules.choose(state, taken).state
        assert next(best, "end") == "end"
    assert told or not any(answer.strategies for answer in accounts(name).answers)


def written(rules: Rules, values: tuple[tuple[str, Any], ...]) -> list[list[Any]]:
    names = list(rules.game.dice)
    kinds = {rules.game.dice[name].kind: name for name in names}
    return [
        [name, {"hand": [[kinds[kind], face] for face, kind in value]} if isinstance(value, tuple) else value]
        for name, value in values
    ]


def dict_of(rules: Rules, binding: tuple[tuple[str, Any], ...]) -> dict[str, Any]:
    return dict(written(rules, binding))


@games
def test_they_stay_small_and_the_same(name: str) -> None:
    found = canonical_bytes(self_test_games_data(accounts(name)))
    assert len(found) < 1.5 * MAX_PLAYS_BYTES
    assert canonical_bytes(self_test_games_data(accounts(name))) == found
