"""Tables to roll on: each line has the chance that counting finds, and every way of writing a table agrees with the others."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from oddsmith.base.errors import RulesetError
from oddsmith.base.location import Source
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.bundle import sha256
from oddsmith.ruleset.model import Setting
from oddsmith.ruleset.model.questions import Measure
from oddsmith.ruleset.reading.build import load_ruleset, read_ruleset
from oddsmith.ruleset.reading.format import formatted_text
from oddsmith.ruleset.roll_tables import BoundRollTable, roll_tables
from oddsmith.solve.questions.measure import answer_question
from tests.cases import RULESETS, TESTS
from tests.ruleset.finding import laid_over

OMENS = TESTS / "publish" / "omens.yaml"
TABLES = {table.name: table for table in roll_tables(bind(load_ruleset(OMENS)[0]))}


def tables_of(text: str) -> tuple[BoundRollTable, ...]:
    return roll_tables(bind(read_ruleset(Source("game.yaml", laid_over(text)))[0]))


def chances(table: BoundRollTable) -> dict[str, Fraction]:
    return {line.text: Fraction(line.weight, table.total_weight) for line in table.rows}


def spans(table: BoundRollTable) -> list[tuple[int, int, str]]:
    return [(line.lowest_result, line.highest_result, line.text) for line in table.rows]


def counted(table: BoundRollTable, *dice: tuple[int, ...], plus: int = 0) -> dict[str, Fraction]:
    """The chance of each line, by every way in which dice can fall."""
    totals = [sum(faces) + plus for faces in product(*dice)]
    return {
        text: Fraction(sum(low <= total <= high for total in totals), len(totals)) for low, high, text in spans(table)
    }


D4, D6 = tuple(range(1, 5)), tuple(range(1, 7))


def test_lines_have_the_chances_that_counting_finds() -> None:
    assert chances(TABLES["Reaction"]) == counted(TABLES["Reaction"], D6, D6)
    assert chances(TABLES["Shifted"]) == counted(TABLES["Shifted"], D4, D6, plus=-2)
    tens = tuple(range(10, 61, 10))
    assert chances(TABLES["Grid"]) == counted(TABLES["Grid"], tens, D6)
    load = (1, 2, 2, 3, 3, 3)
    assert chances(TABLES["Loaded"]) == counted(TABLES["Loaded"], load, load)
    assert all(sum(chances(table).values()) == 1 for table in TABLES.values())


def test_lines_stand_in_the_order_of_their_results() -> None:
    assert spans(TABLES["Reaction"]) == [(2, 2, "Attacks"), (3, 5, "Hostile"), (6, 8, "Uncertain"), (9, 12, "Friendly")]
    assert [low for low, _, _ in spans(TABLES["Shifted"])] == list(range(9))
    assert [TABLES[name].dice_in_words for name in ("Even", "Shifted", "Grid", "Loaded")] == [
        "1d4", "1d4 + 1d6 - 2", "tens + 1d6", "2 of load",
    ]  # fmt: skip


def test_weights_become_one_die_with_as_many_sides() -> None:
    table = TABLES["Weather"]
    assert (table.dice_in_words, spans(table)) == ("1d60", [(1, 30, "Rain"), (31, 50, "Sun"), (51, 60, "A storm")])


@pytest.mark.parametrize("charm", [-1, 0, 1])
def test_outcomes_have_the_chances_that_a_measure_finds(charm: int) -> None:
    game = bind(load_ruleset(OMENS)[0], Setting(values={"charm": charm}))
    table = next(table for table in roll_tables(game) if table.phase_of_outcomes)
    entries = game.ruleset.phases["throw"].entries
    found = {
        entry.name: answer_question(
            game, Measure("chance", entry.location, ("throw", entry.name)), lambda: pytest.fail("unasked")
        ).exact
        for entry in entries
    }
    assert chances(table) == {name: chance for name, chance in found.items() if chance}
    assert table.impossible_outcomes == tuple(name for name, chance in found.items() if not chance)
    assert ("Attacks" in table.impossible_outcomes, "Calms down" in table.impossible_outcomes) == (charm == 1, True)
    assert table.dice_in_words == f"1d{table.rows[-1].highest_result}"


def test_dice_that_others_lack_become_one_die_with_the_same_chances() -> None:
    for table in TABLES.values():
        plain = table.with_standard_dice()
        assert chances(plain) == chances(table)
        assert not plain.has_own_dice
    assert TABLES["Loaded"].with_standard_dice().dice_in_words == "1d4"
    assert TABLES["Reaction"].with_standard_dice() is TABLES["Reaction"]
    assert TABLES["Fate"].with_standard_dice().dice_in_words == ""  # no die has 10,007 sides


@pytest.mark.parametrize(
    ("dice", "shown", "first", "last"),
    [
        ("d6 + d8", "1d6 + 1d8", 2, 14),
        ("1d100", "1d100", 1, 100),
        ("2d6 + goal", "2d6 + 5", 7, 17),
        ("2d6 - 1 + goal", "2d6 + 4", 6, 16),
        ("d6 - 6", "1d6 - 6", -5, 0),
        ("(goal - 3) of d4 + d6", "2d4 + 1d6", 3, 14),
        ("seats + 1 of d6 - 2", "3d6 - 2", 1, 16),
    ],
)
def test_dice_are_read_with_numbers_behind_them(dice: str, shown: str, first: int, last: int) -> None:
    text = f"constants: {{goal: 5}}\ntables:\n  Moods:\n    dice: {dice}\n    rows: {{{first}-{last}: All}}\n"
    (table,) = tables_of(text)
    assert (table.dice_in_words, spans(table)) == (shown, [(first, last, "All")])


def test_a_table_fits_at_every_setting_or_is_refused_at_that_one() -> None:
    text = "parameters: {sides: {default: 6, min: 4, max: 6}}\ndice: {stone: {faces: 'span(1, sides)'}}\n"
    text += "tables:\n  Moods: {dice: 2 of stone, rows: {2-12: All}}\n"
    ruleset, _ = read_ruleset(Source("game.yaml", laid_over(text)))
    assert spans(roll_tables(bind(ruleset))[0]) == [(2, 12, "All")]
    with pytest.raises(RulesetError, match="2 of stone never gives 12") as caught:
        bind(ruleset, Setting(values={"sides": 5}))
    assert [problem.code for problem in caught.value.problems] == ["OD381"]


def test_what_a_table_rolls_is_used() -> None:
    text = "constants: {goal: 5}\ntables:\n  Moods: {dice: d6 + goal, rows: {6-11: All}}\n"
    assert not [
        problem for problem in read_ruleset(Source("game.yaml", laid_over(text)))[1] if "goal" in problem.message
    ]


def test_house_style_keeps_tables_as_they_are() -> None:
    untidy = OMENS.read_text("utf-8").replace("      3-5: Hostile\n", "      3-5:     Hostile # most of them\n")
    untidy = untidy.replace("{2-5: light, 6: heavy}", "{2-5:  light,6: heavy}")
    once = formatted_text(untidy)
    assert any(line.split() == ["3-5:", "Hostile", "#", "most", "of", "them"] for line in once.splitlines())
    assert "    rows: {2-5: light, 6: heavy}\n" in once
    assert formatted_text(once) == once
    assert roll_tables(bind(read_ruleset(Source("omens.yaml", once))[0])) == tuple(TABLES.values())


def test_tables_are_no_part_of_the_rules() -> None:
    text = OMENS.read_text("utf-8")
    without = text[: text.index("tables:")]
    assert sha256(read_ruleset(Source("omens.yaml", without))[0]) == sha256(load_ruleset(OMENS)[0])


def shipped() -> list[Path]:
    return [path for path in sorted(RULESETS.glob("*.yaml")) if "\ntables:" in path.read_text("utf-8")]


def test_shipped_tables_are_those_of_their_files() -> None:
    assert shipped()
    for path in shipped():
        ruleset, _ = load_ruleset(path)
        told = ruleset.data["tables"]
        tables = roll_tables(bind(ruleset))
        assert [table.name for table in tables] == list(told)
        for table in tables:
            assert [line.text for line in table.rows] == told[table.name]["rows"]
            assert (table.dice_in_words, table.has_equal_weights) == (told[table.name]["dice"], True)
