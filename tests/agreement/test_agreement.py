"""The page of agreement is of the present questions, and what compares answers can see that they differ."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from oddsmith.base.exact import Number
from tests.agreement import by_prism, by_storm
from tests.agreement.__main__ import UNASKED, Cells, earlier, game_rows, secret_trees, together
from tests.agreement.asking import DIFFERENT, INSTALLED, Said, agreement, digits_alike, put, shown
from tests.agreement.page import HEADS, Page, tables, title_of
from tests.agreement.printed import printed
from tests.agreement.questions import DICE, MODELS, OPENSPIEL, TREES, lead
from tests.agreement.secret_games import OWN_SECRETS, SECRETS
from tests.agreement.trees import efg, levelled, nodes
from tests.cases import cases_of, explored, solved
from tests.report.test_trees import Reader
from tests.storm import needs_storm

PAGE = Path(__file__).resolve().parents[2] / "docs" / "agreement.md"


def test_the_page_has_the_present_questions_and_our_present_answers() -> None:
    found = tables(PAGE.read_text("utf-8"))
    for name, questions in (("dice", DICE), ("models", MODELS), ("openspiel", [*OPENSPIEL, *OWN_SECRETS])):
        rows = found[" ".join(HEADS[name][:2])]
        assert [row[:2] for row in rows] == [[each.words, f"`{each.terms}`"] for each in questions], (
            "run `make crosscheck`"
        )
    dice = found[" ".join(HEADS["dice"][:2])]
    assert [row[2] for row in dice] == [shown(each.ours()) for each in DICE]
    assert [row[0] for row in found["Game Questions"]] == [title_of(*each) for each in by_storm.EXPORTED]
    assert [row[:3] for row in found["Game Seat"]] == [
        [title_of(*game), str(seat), shown(number)]
        for game in by_prism.games()
        for seat, number in enumerate(solved(*game).values, 1)
    ]
    assert [row[:2] for row in found["Game Oddsmith"]] == [[title_of(*tree), shown(lead(*tree))] for tree in TREES]
    secrets = found[" ".join(HEADS["secrets"][:2])]
    assert [row[:2] for row in secrets] == [[each.title, shown(each.lead())] for each in SECRETS]


def test_the_page_has_every_published_number_with_its_source() -> None:
    text = PAGE.read_text("utf-8")
    rows = tables(text)["What Printed"]
    assert [(row[0], row[4]) for row in rows] == [(each.words, f"[{each.source}](#sources)") for each in printed()]
    assert all(f"- **{each.source}**: " in text for each in printed())


def test_answers_that_differ_are_seen() -> None:
    third = Number.of(Fraction(1, 3))
    assert agreement(third, "1/3") == "equal"
    assert agreement(third, "2/6") == "equal"
    assert agreement(third, "1/4").startswith(DIFFERENT)
    assert agreement(third, "0.33333333333333331") == "16 digits"
    assert agreement(third, "0.3333").startswith(DIFFERENT)
    assert agreement({Fraction(1): Fraction(1)}, [["1", "1"]]) == "every chance equal"
    assert agreement({Fraction(1): Fraction(1)}, [["1", "1/2"], ["2", "1/2"]]) == DIFFERENT
    assert [digits_alike(Fraction(1), Fraction(1) + Fraction(1, 10**places)) for places in (1, 5)] == [1, 5]
    page = Page({}, {"dice": [["a", "b", "1/3", agreement(third, "1/4")]]}, [], [])
    assert page.strange() == ["a"]


def test_a_program_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tests.agreement.asking.INSTALLED", tmp_path)
    said = put("icepool", [])
    assert (said.answers, said.missing) == ((), "not installed")
    empty = Page({"icepool": said, "Storm": Said("2.0")}, {name: [] for name in HEADS}, [], []).text()
    assert "\n**Not asked:** icepool (not installed).\n" in empty
    assert "| Storm | 2.0 |" in empty


def test_prism_games_is_asked_by_the_command_that_somebody_names(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(by_prism, "COMMAND", "")
    assert by_prism.said().missing == "no command is named in `PRISM_GAMES`"
    stub = tmp_path / "prism"
    stub.write_text(
        '#!/bin/sh\n[ $1 = -version ] && echo PRISM-games version 9.9 || printf "Result: 0.5 (about)\\n%.0s" 1 2\n'
    )
    stub.chmod(0o755)
    monkeypatch.setattr(by_prism, "COMMAND", str(stub))
    monkeypatch.setattr(by_prism, "games", lambda: [(cases_of("piglet")[0], "win")])
    assert by_prism.said() == Said("9.9", (("0.5", "0.5"),))


def test_what_prism_games_said_earlier_stays_where_question_and_answer_are_the_same() -> None:
    game = (cases_of("piglet")[0], "win")
    rows = list(game_rows([game], Said("9.9", (("0.5714285714285714", "0.5"),)), {}))
    assert [row[3] for row in rows] == ["16 digits", f"{DIFFERENT}: 0.5"]
    text = Page({"PRISM-games": Said("9.9")}, {name: [] for name in HEADS} | {"games": rows}, [], []).text()
    version, cells = earlier(text, "PRISM-games", HEADS["games"])
    assert version == "9.9 (earlier)"
    assert earlier(text.replace("9.9", "9.9 (earlier)"), "PRISM-games", HEADS["games"]) == (version, cells)
    assert list(game_rows([game], Said(missing="away"), cells)) == rows
    changed: Cells = {(title, seat, f"{ours}0"): cell for (title, seat, ours), cell in cells.items()}
    assert [row[3] for row in game_rows([game], Said(missing="away"), changed)] == [UNASKED] * 2
    assert earlier(text.replace("PRISM-games | 9.9", "another | 1"), "PRISM-games", HEADS["games"]) == ("", {})


def test_a_tree_has_every_way_of_play() -> None:
    """The value of the tree, worked out from its text alone, is that of the game."""
    for tree in TREES[:2]:
        lines = iter(efg(explored(*tree)).splitlines()[2:])
        assert worth(lines)[0] == lead(*tree).exact
        assert next(lines, None) is None


def test_a_tree_with_secrets_has_the_value_that_others_are_asked_for() -> None:
    """A reader of the format and a plain linear program, which share nothing with the engine, find it in the text."""
    for each in SECRETS:
        if nodes(tree := each.tree()) <= 500:
            found = Reader(tree)
            assert found.sums == {Fraction(0)}, "OpenSpiel wants sums of nothing"
            assert found.nodes == nodes(tree)
            assert abs(found.tree.value() - float(each.lead().middle)) < 1e-7, each.title


def test_payoffs_of_a_tree_are_levelled() -> None:
    assert levelled('EFG 2 R "t 1" { "a" "b" }\n""\nt "" 1 "" { 1, 0 }\n') == (
        'EFG 2 R "t 1" { "a" "b" }\n""\nt "" 1 "" { 1/2, -1/2 }\n'
    )


@pytest.mark.skipif(not (INSTALLED / "open_spiel").exists(), reason="`make crosscheck` installs it")
def test_openspiel_and_gambit_answer_about_games_with_secrets() -> None:
    few = [each for each in SECRETS if each.title in ("kuhn-poker", "odd-or-even", "stripped-down-poker")]
    rows, *said = secret_trees(few)
    assert [row[3] for row in rows] == ["equal"] * 3
    assert all(re.fullmatch(r"1\d digits", row[2]) for row in rows)
    assert not any(each.missing for each in said)
    own = put("openspiel_mixed", [OWN_SECRETS[0].terms])
    assert agreement(OWN_SECRETS[0].ours(), own.answers[0]).endswith(" digits")


def test_of_a_program_that_was_asked_twice_a_missing_answer_is_told() -> None:
    good, missing = Said("1.0", ("1",)), Said(missing="stopped after 4 minutes")
    assert together(good, missing) == missing
    assert together(good, good) == good


def worth(lines: Iterator[str]) -> list[Fraction]:
    """What both seats get from the next node on, by backward induction."""
    line = next(lines)
    kind, inside = line[0], line[line.index("{") + 1 : line.index("}")].replace(",", " ").split()
    if kind == "t":
        return [Fraction(each) for each in inside]
    if kind == "c":
        below = [(Fraction(chance), worth(lines)) for chance in inside[1::2]]
        return [sum((chance * each[seat] for chance, each in below), Fraction(0)) for seat in range(2)]
    mover = int(line.split()[2]) - 1
    return max((worth(lines) for _ in inside), key=lambda each: each[mover])


@needs_storm
def test_storm_answers_about_models_written_by_hand() -> None:
    for each in MODELS[:4]:
        assert agreement(each.ours(), by_storm.value(each.model(), each.terms)) == "equal", each.words


def test_no_program_needs_this_project() -> None:
    """They are asked in a process of their own, so that what they answer cannot come from here."""
    for path in (Path(__file__).parent / "peers").glob("*.py"):
        assert "oddsmith" not in path.read_text("utf-8")
