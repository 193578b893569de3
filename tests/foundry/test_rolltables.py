"""Tables to roll on: each is a die's exact law, worked out again here, and nothing is rounded to make one."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from html import unescape
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

from oddsmith.base.exact import Number
from oddsmith.base.files import folder_files
from oddsmith.base.location import Source
from oddsmith.cli import cli
from oddsmith.report.answers.accounts import RulesetAnswers
from oddsmith.report.answers.answers import Answer
from oddsmith.report.facts.key_facts import LengthAndPayoffDistributions
from oddsmith.ruleset.reading.build import read_ruleset
from oddsmith.ruleset.roll_tables import MAX_TABLE_DIE_SIDES
from oddsmith.ruleset.rules import Rules, State
from oddsmith.solve.game_solver import solve
from oddsmith.solve.values.mixing import Mixture
from oddsmith.tabletops.foundry.documents import roll_table_document
from oddsmith.tabletops.foundry.journal import unsolved_game_content
from oddsmith.tabletops.foundry.odds import solved_game_content
from oddsmith.tabletops.roll20 import build_mod
from oddsmith.tabletops.roll_tables import MAX_RESULTS, RollTable
from oddsmith.tabletops.solved import omitted_distribution_sentences, roll_tables
from tests.cases import TESTS
from tests.foundry.accounts import PATHS, accounts

games = pytest.mark.parametrize("name", PATHS)


def fallen(formula: str) -> list[int]:
    """What a formula comes to, once for each way in which its dice fall."""
    terms = [
        re.fullmatch(r"([+-]?)(\d+)(?:d(\d+))?", term) for term in re.findall(r"[+-]?[^+-]+", formula.replace(" ", ""))
    ]
    plain = [(term[1], int(term[2]), int(term[3] or 0)) for term in terms if term]
    assert len(plain) == len(terms)
    dice = [range(1, sides + 1) for _, times, sides in plain if sides for _ in range(times)]
    plus = sum(-number if sign == "-" else number for sign, number, sides in plain if not sides)
    return [sum(faces) + plus for faces in product(*dice)]


def law(table: RollTable) -> dict[str, Fraction]:
    """The chance of each line's text, by what its formula can come to."""
    found: dict[str, Fraction] = {}
    totals = fallen(table.formula)
    for total in totals:
        (line,) = [line for line in table.lines if line.lowest_result <= total <= line.highest_result]
        found[line.text] = found.get(line.text, Fraction(0)) + Fraction(1, len(totals))
    return found


def made(account: RulesetAnswers, slug: str) -> RollTable:
    return next(table for table in roll_tables(account) if table.slug == slug)


@games
def test_lines_weigh_what_the_dice_give_them(name: str) -> None:
    tables = roll_tables(accounts(name))
    assert tables or name == "dice-only"
    assert len({table.slug for table in tables}) == len(tables)
    for table in tables:
        assert 1 < len(fallen(table.formula)) <= MAX_TABLE_DIE_SIDES
        assert len(table.lines) <= MAX_RESULTS
        weight = sum(line.weight for line in table.lines)
        assert sum(law(table).values()) == 1
        weighed: dict[str, Fraction] = {}
        for line in table.lines:
            weighed[line.text] = weighed.get(line.text, Fraction(0)) + Fraction(line.weight, weight)
        assert law(table) == weighed


@games
def test_chances_of_a_throw_are_those_of_the_rules(name: str) -> None:
    account = accounts(name)
    rules = Rules(account.main.game)
    phases = [phase.name for phase in rules.game.ruleset.phases.values() if phase.kind == "roll"]
    laws = [law(table) for table in roll_tables(account) if table.slug.startswith("chances")]
    tried = 0
    for phase in phases:
        start = State(phase, 0, 0, rules.game.start)
        outcomes, ways = rules.weighted_chance_results(start)
        found: dict[str, Fraction] = {}
        for weight, thrown in outcomes:
            taken = rules.entry_name_and_context(start, thrown)[0] or "anything"
            found[taken] = found.get(taken, Fraction(0)) + Fraction(weight, ways)
        tried += found in laws
    assert tried or not laws


def test_a_bet_pays_with_its_published_chances() -> None:
    assert law(made(accounts("bet"), "bet-1-seats-stakes_won")) == {
        "pays -1": Fraction(251, 495),
        "pays 1": Fraction(244, 495),
    }


def test_what_is_no_die_is_left_out_and_said_to_be() -> None:
    (said,) = [text for text in omitted_distribution_sentences(accounts("bet")) if text.startswith("How long")]
    assert "no greatest number" in said


# --- tables of a ruleset


def test_tables_of_the_author_keep_their_dice_where_everybody_has_them() -> None:
    account = accounts("omens")
    listed = [table for table in roll_tables(account) if table.slug.startswith("list-")]
    assert [(table.title, table.formula) for table in listed] == [
        ("Omens: Even", "1d4"),
        ("Omens: Reaction", "2d6"),
        ("Omens: Shifted", "1d4 + 1d6 - 2"),
        ("Omens: Grid", "1d6"),
        ("Omens: Loaded", "1d4"),
        ("Omens: Weather", "1d60"),
        ("Omens: Meeting", "1d36"),
    ]
    assert law(listed[4]) == {"light": Fraction(3, 4), "heavy": Fraction(1, 4)}
    assert law(listed[6]) == {"Attacks": Fraction(1, 36), "Hostile": Fraction(9, 36), "Friendly": Fraction(26, 36)}
    assert "Calms down cannot come up" in listed[6].about


def test_what_no_die_can_show_is_left_out_and_said_everywhere(tmp_path: Path) -> None:
    account, why = accounts("omens"), "Fate: it needs a die of 10,007 sides."
    assert why in omitted_distribution_sentences(account)
    assert (
        f"No random table: {why}" in build_mod(account, folder_files(TESTS.parent / "site"), b"MIT").missing_table_notes
    )
    for content in (solved_game_content(account), unsolved_game_content(account.ruleset)):
        assert f"no roll table: {why}" in content.missing_table_notes
        assert any(why in unescape(page.html) for page in content.odds)
        assert len([table for table in content.tables if table.slug.startswith("list-")]) == 7
    found = CliRunner().invoke(cli, ["foundry", str(PATHS["omens"]), "-o", str(tmp_path), "--rules-only"])
    assert (found.exit_code, f"omens: no roll table: {why}" in found.output) == (0, True)


def test_a_long_table_of_the_author_is_kept() -> None:
    rows = "".join(f"      - result {number}\n" for number in range(100))
    text = PATHS["race"].read_text("utf-8") + f"tables:\n  Omens [[x]]:\n    dice: 1d100\n    rows:\n{rows}"
    rules, _ = read_ruleset(Source("game.yaml", text))
    (table,) = unsolved_game_content(rules).tables
    assert (table.formula, len(table.lines), set(law(table).values())) == ("1d100", 100, {Fraction(1, 100)})
    assert "Omens [[x]]" in table.title


def test_foundry_rolls_the_dice_of_the_author() -> None:
    table = next(table for table in roll_tables(accounts("omens")) if table.slug == "list-2")
    document = roll_table_document("tavern", "omens", table)
    assert document["formula"] == "2d6"
    assert [(each["range"], each["weight"], each["description"]) for each in document["results"]] == [
        ([2, 2], 1, "Attacks"),
        ([3, 5], 9, "Hostile"),
        ([6, 8], 16, "Uncertain"),
        ([9, 12], 10, "Friendly"),
    ]


def test_players_read_the_tables_and_game_masters_their_chances() -> None:
    content = solved_game_content(accounts("omens"))
    public = " ".join(page.html for page in content.rules)
    kept = " ".join(page.html for page in content.odds)
    assert "Uncertain" in public
    assert "4&#47;9" not in public
    assert "4&#47;9" in kept


# --- play that mixes


def mixing(first: Number) -> RulesetAnswers:
    """The race, as if best play mixed in one of its decisions."""
    account = accounts("race")
    main = account.main
    solution = solve(main.game, main.setting.objective)
    state = next(s for s in range(solution.graph.state_count) if len(solution.graph.rows(s)) == 2)
    start = int(solution.solved.arena.state_rows[state])
    solved = replace(solution.solved, mixtures={state: Mixture({start: first, start + 1: 1 - first})})
    answer = Answer(main.setting, main.game, replace(solution, solved=solved), main=True)
    return replace(account, plain=(answer,))


def test_a_mixture_that_is_a_fraction_is_a_table() -> None:
    account = mixing(Number.of(Fraction(1, 3)))
    (table,) = [each for each in roll_tables(account) if each.slug.startswith("mixed")]
    assert (table.formula, list(law(table).values())) == ("1d3", [Fraction(1, 3), Fraction(2, 3)])
    assert set(law(table)) == {"Stop", "Toss"}


@pytest.mark.parametrize(
    "first", [Number(Fraction(1, 3), Fraction(2, 5)), Number.of(Fraction(1, MAX_TABLE_DIE_SIDES + 1))]
)
def test_a_mixture_that_is_none_of_a_die_is_said_to_be(first: Number) -> None:
    account = mixing(first)
    assert not [each for each in roll_tables(account) if each.slug.startswith("mixed")]
    assert any(text.startswith("Best play, 2 players") for text in omitted_distribution_sentences(account))


# --- distributions


def share_tasks(chances: list[Number], beyond: Number) -> RulesetAnswers:
    """The race, as if its length were distributed so."""
    outcomes = [SimpleNamespace(name=str(k), chance=chance) for k, chance in enumerate(chances, 1)]
    whole = [*chances, beyond]
    exact = all(number.exact is not None for number in whole)
    found: Any = SimpleNamespace(outcomes=outcomes, beyond=beyond, grade="exact" if exact else "proven")
    answer = replace(accounts("race").main)
    answer.__dict__["distributions"] = LengthAndPayoffDistributions(found, "turns", None)
    return replace(accounts("race"), plain=(answer,))


def test_a_length_with_an_end_is_a_table() -> None:
    table = made(
        share_tasks([Number.of(Fraction(1, 6)), Number.of(0), Number.of(Fraction(5, 6))], Number.of(0)), "length"
    )
    assert law(table) == {"1 turns": Fraction(1, 6), "3 turns": Fraction(5, 6)}


@pytest.mark.parametrize(
    ("chances", "beyond", "why"),
    [
        ([Number.of(Fraction(5, 6))], Number.of(Fraction(1, 6)), "no greatest number"),
        ([Number(Fraction(1, 3), Fraction(2, 3))], Number.of(0), "within bounds"),
        (
            [Number.of(Fraction(1, MAX_RESULTS + 1))] * (MAX_RESULTS + 1),
            Number.of(0),
            f"it has {MAX_RESULTS + 1} results",
        ),
        ([Number.of(Fraction(1, 10007)), Number.of(Fraction(10006, 10007))], Number.of(0), "a die of 10,007 sides"),
    ],
)
def test_a_length_that_no_die_tells_is_said_to_be(chances: list[Number], beyond: Number, why: str) -> None:
    account = share_tasks(chances, beyond)
    assert all(table.slug != "length" for table in roll_tables(account))
    assert any(why in text for text in omitted_distribution_sentences(account))
