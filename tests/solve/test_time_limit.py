"""Fractions that would take longer than the solution are left for those who ask, and nothing else changes for it."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from click.testing import CliRunner

import oddsmith
from oddsmith.cli import cli
from oddsmith.report.answers.solving import solved_answer
from oddsmith.report.facts.claims import judge_claims
from oddsmith.solve.solution import Solution
from oddsmith.solve.values import fractions as exactly
from tests.cases import SAMPLES

WORDS = ["solve", "rogues-gambit", "--seats", "2", "--set", "coins_each=3"]


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every state of a fraction is taken for an hour's work."""
    monkeypatch.setattr(exactly, "SECONDS_PER_STATE", 3600.0)


def solved() -> Solution:
    return oddsmith.load("rogues-gambit").at(seats=2, coins_each=3).solve().solution


@pytest.mark.usefixtures("slow")
def test_a_fraction_that_takes_long_is_found_when_it_is_asked_for() -> None:
    solution = solved()
    assert (solution.grade, solution.fractions_skipped) == ("proven", True)
    exact = solution.with_fractions()
    assert (exact.grade, exact.fractions_skipped) == ("exact", False)
    assert [value.exact for value in exact.values] == [Fraction(1296, 307), Fraction(546, 307)]
    for near, value in zip(solution.values, exact.values, strict=True):
        assert near.lower <= value.lower <= near.upper
        assert near.decimal(60) == value.decimal(60)


@pytest.mark.parametrize("name", ["marbles", "ship-captain-crew"])
def test_advice_tells_ties_without_fractions(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also those of actions that are the same in all but their name, which the solver need not compare."""
    solution = oddsmith.load(SAMPLES / f"{name}.yaml").solve().solution
    exact = solution.with_fractions()
    wanted = [[each.row for each in exact.advise(state) if each.best] for state in range(solution.graph.state_count)]
    assert sum(len(best) > 1 for best in wanted) > 9
    solution.solved.exact.forget_values(range(solution.graph.state_count))
    monkeypatch.setattr(exactly, "SECONDS_PER_STATE", 3600.0)
    for state, best in enumerate(wanted):
        told = [each for each in solution.advise(state) if each.best]
        assert [each.row for each in told] == best
        assert all(each.loss.upper == 0 for each in told)


def test_the_game_that_a_page_opens_with_waits_longer_for_fractions_but_not_without_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules = oddsmith.load(SAMPLES / "piglet.yaml").ruleset
    grades = []
    for each in (0.1, 3600.0):  # seconds for a state: some in all, hours in all
        monkeypatch.setattr(exactly, "SECONDS_PER_STATE", each)
        opened = solved_answer(rules, rules.edition.main_setting)
        grades.append((opened.main, opened.values[0].grade))
    assert grades == [(True, "exact"), (True, "proven")]


@pytest.mark.usefixtures("slow")
def test_the_command_says_what_it_left_and_finds_it_when_asked() -> None:
    def said(*words: str) -> str:
        return CliRunner().invoke(cli, [*WORDS, *words]).output

    assert "(proven)" in said()
    assert "ask for them with --exact" in said()
    assert "= 1296/307" in said("--exact")
    assert "--exact" not in said("--exact")
    assert json.loads(said("--json"))["values"][0]["exact"] == "1296/307"


@pytest.mark.usefixtures("slow")
def test_odds_that_are_stated_as_fractions_are_still_judged() -> None:
    found = judge_claims(oddsmith.load(SAMPLES / "piglet.yaml").at(2).game)
    assert found
    assert all(verdict.is_right == verdict.claim.is_right for verdict in found)


def test_the_guess_depends_on_counts_alone_and_falls_behind_large_fractions() -> None:
    small, large = solved(), oddsmith.load("rogues-gambit").at(seats=3, coins_each=6).solve().solution
    assert small.grade == large.grade == "exact"
    assert small.solved.exact.time_limit < large.solved.exact.time_limit
    assert solved().solved.exact.time_limit == small.solved.exact.time_limit


def test_what_rests_on_a_long_fraction_is_left_out() -> None:
    solution = oddsmith.load("rogues-gambit").at(seats=2).solve().solution
    exact, states = solution.solved.exact, range(solution.graph.state_count)
    exact.forget_values(states)
    exact.compute_values(states, max_bits=40)
    short = dict(exact.known)
    exact.compute_values(states)
    assert 0 < len(short) < len(states)
    assert all(exact.known[state] == value for state, value in short.items())
