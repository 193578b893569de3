"""Games too large for one graph, on pages: solved turn by turn, with a table from which the page works a turn out."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from typing import Any

import pytest

from oddsmith.base.errors import TooManyStatesError
from oddsmith.publish.sections.deciding import FIRST_TURN
from oddsmith.publish.sections.first_screen import first_questions_and_answers
from oddsmith.publish.site import publish
from oddsmith.report.answers import Answer, RulesetAnswers, solving
from oddsmith.report.answers.large import LargeAnswer
from oddsmith.report.answers.packing import pack_answer, unpack_answer
from oddsmith.ruleset.model import Ruleset, Setting
from oddsmith.solve import Solution, solve
from tests.solve.test_turns import sheet


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> Ruleset:
    """A game that is told to be too large for one graph."""

    def refuse(*_: Any, **__: Any) -> Solution:
        raise TooManyStatesError("too many positions")

    monkeypatch.setattr(solving, "solve", refuse)
    return sheet().ruleset


def test_a_large_game_is_worth_what_it_is_in_one_graph(large: Ruleset) -> None:
    setting = replace(large.edition.main_setting, seats=1)
    found = solving.solved_answer(large, setting)
    whole = solve(found.game, setting.objective)
    assert isinstance(found, LargeAnswer)
    assert found.values == whole.values
    assert found.result is not None
    assert found.result.positions == whole.graph.state_count
    assert found.result.transitions == len(whole.graph.target)
    assert found.key_facts.lengths["turns"].exact == 3
    assert found.distributions.payoff is not None
    assert found.distributions.payoff.mean == whole.values[0]


def test_what_is_kept_of_it_is_what_was_found(large: Ruleset) -> None:
    setting = replace(large.edition.main_setting, seats=1)
    found = solving.solved_answer(large, setting)
    found.compute_all_parts()
    data = pack_answer(found)
    again = unpack_answer(data, large, setting)
    assert again.computed_part_names == found.computed_part_names
    assert pack_answer(again) == data
    assert again.covers_first_turn_only


def test_a_game_whose_plays_all_have_as_many_turns_is_told_by_that_number_alone(large: Ruleset) -> None:
    found = solving.solved_answer(large, replace(large.edition.main_setting, seats=1))
    assert found.result is not None
    assert found.result.all_plays_equally_long
    assert ("How long is a game?", "3 turns.", "") in first_questions_and_answers(
        RulesetAnswers(large, (found,), (), (), ())
    )
    bounded = replace(found.result, data={**found.result.data, "turns": {"exact": None}})
    assert not bounded.all_plays_equally_long, "play may come back to where it was, and then the mean is bounded"


def test_minutes_without_rolls_are_made_of_those_of_a_smaller_game(large: Ruleset) -> None:
    """Best play that is solved turn by turn has a mean number of turns, and no mean number of rolls."""
    home = replace(large.edition.main_setting, seats=1)
    found = solving.solved_answer(large, home)
    small = solving.answer_from_solution(large, home, solve(found.game, home.objective))
    assert "rolls" not in found.key_facts.lengths
    lengths = small.key_facts.lengths
    account = RulesetAnswers(large, (found,), (), (small,), ())
    rolls = float(lengths["rolls"].middle / lengths["turns"].middle)
    expected = max(1, round(3 * rolls * 15 / 60))
    told, note = next(each[1:] for each in first_questions_and_answers(account) if each[0] == "How long is a game?")
    assert told == f"About {expected} minute{'s' * (expected != 1)}: 3 turns."
    assert note.startswith(f"A turn is taken to have {rolls:.1f}".removesuffix(".0"))


def test_its_page_says_that_the_tables_are_of_the_first_turn(large: Ruleset) -> None:
    files = publish([large])
    page = files[f"games/{large.id}.md"].decode()
    assert FIRST_TURN.strip() in page
    play = json.loads(files[f"games/{large.id}/play.json"])
    policy = gzip.decompress(files[f"games/{large.id}/{play['settings'][0]['policy']}"])
    assert b'"kind":"turns"' in policy
    assert play["settings"][0]["values"] is None


def test_a_game_that_would_take_long_is_refused_as_before(large: Ruleset) -> None:
    found: Answer = solving.solved_answer(large, Setting(1, "points"), None, 0.0)
    assert found.failure == "too many positions"
    assert not found.computed_part_names
