"""The doors for designers: a roll in a terminal, a ruleset to start from, and the schema for its editor."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest

import oddsmith
from oddsmith.base.resources import schema_text, starter_names, starter_text
from oddsmith.ruleset.reading.format import formatted_text
from tests.terminal import run


class Terminal(io.StringIO):
    """A keyboard on which somebody types."""

    def isatty(self) -> bool:
        return True


def answered(monkeypatch: pytest.MonkeyPatch, folder: Path, *lines: str) -> str:
    """What ``new`` says where its questions are answered."""
    with monkeypatch.context() as patch:
        patch.setattr("tests.terminal.io.StringIO", Terminal)
        done = run("new", cwd=folder, given="".join(f"{line}\n" for line in lines))
    assert done.returncode == 0, done.stderr
    return done.stdout


# --- ask


def test_a_roll_is_shown_with_its_chances_and_bars() -> None:
    lines = run("roll", "highest", "1", "of", "2d3").stdout.splitlines()
    assert lines[:2] == ["the highest of 2d3", "  mean 2.444444 = 22/9, standard deviation 0.684935, median 3"]
    assert [line.split() for line in lines[2:]] == [
        ["chance", "at", "least"],
        ["1", "11.1111", "%", "always", "1/9", "█" * 6],
        ["2", "33.3333", "%", "88.8889", "%", "1/3", "█" * 18],
        ["3", "55.5556", "%", "55.5556", "%", "5/9", "█" * 30],
    ]


def test_a_yes_or_no_is_one_chance() -> None:
    assert run("roll", "at least 10 on 3d6").stdout == "3d6 is 10 or more\n  62.5000 % = 5/8\n"


def test_many_values_go_on_few_lines() -> None:
    lines = run("roll", "100d6").stdout.splitlines()
    assert len(lines) <= 43
    assert not any("/" in line for line in lines[2:])


def test_another_reading_of_several_parts_names_each_part() -> None:
    lines = run("roll", "1d4+1 x3").stdout.splitlines()
    assert lines[-3:] == [
        "  read as: the result is multiplied",
        "  also possible: it is rolled so many times: highest 4.437500, 2nd highest 3.500000, lowest 2.562500, sum 10.500000",
        "  also possible: only the last part is multiplied: mean 5.500000 = 11/2",
    ]
    several = run("roll", "2d6 x 100").stdout.splitlines()[-1]
    assert re.fullmatch(
        r"  also possible: it is rolled so many times: highest 11\.\d+, 2nd highest \S+, …, lowest 2\.\d+, sum 700\.000000",
        several,
    )


def test_machines_get_every_value_as_a_fraction() -> None:
    data = json.loads(run("roll", "2d6", "--json").stdout)
    assert (data["question"], data["read_as"], data["grade"]) == ("2d6", "2d6", "exact")
    assert {each["outcome"]: each["exact"] for each in data["outcomes"]}["7"] == "1/6"


def test_a_wrong_question_is_marked() -> None:
    done = run("roll", "highest 2 of 3x6")
    assert done.returncode == 1
    assert done.stderr.startswith("oddsmith: `x6` cannot be read here\n  highest 2 of 3x6\n  " + " " * 14 + "^\n")


# --- new, schema


@pytest.mark.parametrize("shape", starter_names())
def test_every_starter_is_a_good_example(shape: str, tmp_path: Path) -> None:
    done = run("new", shape, "-o", "mine.yaml", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "mine.yaml").read_text("utf-8")
    schema, following, *rest = text.split("\n")
    assert schema == "# yaml-language-server: $schema=ruleset.schema.json"
    assert (tmp_path / "ruleset.schema.json").read_text("utf-8") == schema_text("ruleset.schema.json")
    for command in following.removeprefix("# Next: oddsmith ").split(", oddsmith "):
        assert command.split()[0] in ("check", "play", "solve", "publish")
        assert "mine.yaml" in command
    assert "\n".join(rest) == starter_text(shape).partition("\n")[2]
    assert formatted_text(text) == text
    assert oddsmith.check(tmp_path / "mine.yaml") == ()
    for key in ("told:", "say:", "does:", "label:", "about:", "measures:"):
        assert f"{key} " in text or f"{key}\n" in text
    book = oddsmith.load(tmp_path / "mine.yaml")
    assert not book.ruleset.title.startswith(shape)
    solved = book.solve()
    assert solved.grade == "exact"
    assert len(solved.measures) == len(book.ruleset.measures)
    for choice in solved.outline(rules=False).choices:
        assert len(choice.count_by_option) > 1, f"{choice.phase}: an example has something to decide"
        assert choice.unused == ()


def test_what_is_there_already_stays(tmp_path: Path) -> None:
    (tmp_path / "duel.yaml").write_text("mine", encoding="utf-8")
    (tmp_path / "ruleset.schema.json").write_text("{}", encoding="utf-8")
    done = run("new", "duel", cwd=tmp_path)
    assert (done.returncode, (tmp_path / "duel.yaml").read_text("utf-8")) == (1, "mine")
    assert "choose another file with -o" in done.stderr
    assert run("new", "duel", "-o", "sub/duel.yaml", cwd=tmp_path).returncode == 0
    assert run("new", "race", cwd=tmp_path).returncode == 0
    assert (tmp_path / "ruleset.schema.json").read_text("utf-8") == "{}"


def test_a_terminal_asks_for_shape_title_and_players(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = answered(monkeypatch, tmp_path, "raze", "race", "Hermit's Race: up, #1", "9", "3")
    assert "race             Climb" in shown
    book = oddsmith.load(tmp_path / "hermits-race-up-1.yaml")
    assert (book.title, book.id, book.ruleset.seats[2]) == ("Hermit's Race: up, #1", "hermits-race-up-1", 3)
    answered(monkeypatch, tmp_path, "duel", "Дуэль")
    assert oddsmith.load(tmp_path / "duel.yaml").title == "Дуэль"


def test_without_a_terminal_it_asks_for_a_name(tmp_path: Path) -> None:
    done = run("new", cwd=tmp_path)
    assert done.returncode == 2
    assert all(shape in done.stderr for shape in starter_names())
    assert "did you mean duel?" in run("new", "dual", cwd=tmp_path).stderr


def test_the_help_names_every_shape() -> None:
    shown = " ".join(run("new", "--help").stdout.split())
    assert all(shape in shown for shape in starter_names())


def test_the_schema_is_printed_or_written(tmp_path: Path) -> None:
    assert run("new", "--schema").stdout == schema_text("ruleset.schema.json")
    done = run("new", "--schema", "-o", "mine.json", cwd=tmp_path)
    assert "# yaml-language-server: $schema=mine.json" in done.stdout
    assert (tmp_path / "mine.json").read_text("utf-8") == schema_text("ruleset.schema.json")


def test_an_empty_file_is_told_where_to_start(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("", encoding="utf-8")
    assert "oddsmith new" in run("check", "mine.yaml", cwd=tmp_path).stderr


def test_whoever_looks_for_a_shape_with_secrets_is_told_which_games_have_some() -> None:
    done = run("new", "bluff")
    assert done.returncode == 1
    told = done.stderr.partition("with hidden dice or cards: ")[2].strip()
    assert {"cups-and-coins", "liars-dice", "mia"} <= set(told.split(", "))
    assert "pig" not in told.split(", ")
