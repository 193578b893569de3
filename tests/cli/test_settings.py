"""Verbs that work on whole rulesets take the settings of one game too: ``check``, ``verify`` and ``publish``."""

from __future__ import annotations

import json
from html import unescape
from pathlib import Path

from click.testing import CliRunner, Result

from oddsmith.cli import cli

SAMPLES = Path(__file__).resolve().parents[1] / "samples"
PIG, CRAPS = str(SAMPLES / "pig.yaml"), str(SAMPLES / "craps.yaml")


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, words)


def test_check_looks_at_the_game_of_the_settings() -> None:
    usual = run("check", PIG).output
    assert run("check", PIG, "--seats", "3", "--set", "target=6").output != usual
    assert "at 3 seats are sound" in run("check", PIG, "--seats", "3", "--set", "target=6").output
    assert (
        "at 1 seat are sound" in run("check", PIG, "--seats", "1", "--set", "target=6", "--objective", "haste").output
    )
    assert run("check", PIG, "--seats", "9").exit_code == 1


def test_check_names_the_stages_of_a_large_game() -> None:
    assert run("check", "pig").output.endswith(
        "; solve takes it stage by stage where it does not fit the memory (what only grows: score)\n"
    )
    assert "stage by stage" not in run("check", "hold-the-pot").output  # it is large, and nothing in it only grows
    assert "stage by stage" not in run("check", "pig", "--set", "target=10").output  # all of it was looked at


def test_verify_holds_claims_against_the_game_of_the_settings() -> None:
    usual, three = (json.loads(run("verify", "piglet", "--json", *more).output) for more in ((), ("--set", "target=3")))
    assert usual["claims"][0]["exact"] == "4/7"
    assert three["claims"][0]["exact"] != "4/7"
    assert [each["claims"][0]["verdict"] for each in (usual, three)] == ["right", "wrong"]


def test_publish_writes_pages_about_one_game_alone(tmp_path: Path) -> None:
    done = run("publish", "piglet", "-o", str(tmp_path), "--seats", "2", "--set", "target=3")
    assert done.exit_code == 0, done.output
    folder = tmp_path / "docs" / "games" / "piglet"
    assert {path.stem for path in folder.glob("*.json")} - {"play"} == {"2-seats-win-target-3"}
    assert f"run `python -m http.server -d {tmp_path / 'site'}`" in done.output
    page = unescape((tmp_path / "site" / "games" / "piglet" / "index.html").read_text(encoding="utf-8"))
    assert "<noscript>This needs scripts." in page
    assert "opened as a file cannot load it: run <code>python -m http.server</code> in the folder" in page
    assert "All this is for target 3" in (tmp_path / "docs" / "games" / "piglet.md").read_text(encoding="utf-8")


def test_publish_refuses_settings_that_are_for_one_game_where_all_are_asked_for(tmp_path: Path) -> None:
    done = run("publish", "--all", "-o", str(tmp_path), "--seats", "2")
    assert done.exit_code == 2
    assert "settings are for one game" in done.output
    assert not list(tmp_path.iterdir())


def test_a_game_without_a_choice_has_no_equilibrium() -> None:
    shown = run("solve", "burglar-and-the-dragon", "--objective", "tokens", "--set", "rounds=1").output
    assert "\nnobody ever has a choice; these values are unique\n" in shown
    assert "equilibrium" not in shown


def test_publish_says_what_check_refuses_and_writes_nothing(tmp_path: Path) -> None:
    """A rule that breaks in play would else be left out of the pages in silence."""
    file, out = tmp_path / "mine.yaml", tmp_path / "site"
    text = Path(PIG).read_text("utf-8")
    for before, after in (("then: decide", "then: throw"), ("max: target + 5, resets", "max: 9, resets")):
        file.write_text(text.replace(before, after), "utf-8")
        checked, done = run("check", str(file)), run("publish", str(file), "-o", str(out))
        assert done.exit_code == 1
        assert " error OD521: pot would become" in checked.output
        assert "error OD521: pot would become" in str(done.exception)
        assert not out.exists()
