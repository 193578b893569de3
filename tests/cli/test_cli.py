"""The command line as its users meet it: examples of the help run, results have their shape, errors their place and code."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import oddsmith
from oddsmith.base.errors import PositionError
from oddsmith.cli import cli
from tests.terminal import committed, run

ROOT = Path(__file__).resolve().parents[2]
ROGUE = ROOT / "rulesets" / "rogues-gambit.yaml"
LASTING = {"serve", "lsp"}  # they go on until somebody stops them


def edited(folder: Path, *changes: tuple[str, str]) -> Path:
    """A designer's copy of the shipped ruleset, with some words changed."""
    text = ROGUE.read_text(encoding="utf-8")
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    path = folder / "my.yaml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("verb", [verb for verb in cli.commands if verb not in LASTING])
def test_the_example_of_every_help_runs(verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With rulesets that are solved, proved and published in moments: a smaller one of your own, samples for most others."""
    monkeypatch.setattr("oddsmith.base.files.data_folder", lambda name: tmp_path / name)
    (tmp_path / "rulesets").mkdir()
    secret = ROOT / "rulesets" / "cups-and-coins.yaml"
    for path in (ROGUE, secret, *(ROOT / "tests" / "samples" / f"{name}.yaml" for name in ("craps", "pig", "piglet"))):
        shutil.copy(path, tmp_path / "rulesets")
    edited(tmp_path, ("default: 25", "default: 4"))
    shown = run(verb, "--help").stdout
    examples = re.findall(r"^ +oddsmith (.*)$", shown, re.MULTILINE)
    assert examples, f"{verb} --help has no example"
    if "HEAD:" in shown:
        committed(tmp_path)
    for example in examples:
        done = run(*shlex.split(example), cwd=tmp_path)
        assert done.returncode == 0, done.stderr


def test_every_verb_is_in_the_help_and_the_readme() -> None:
    shown = run("--help").stdout
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for verb in (name for name in cli.commands if name != "lsp"):  # which editors start
        assert f"  {verb} " in shown
        assert f"\n| `{verb}` | " in readme, f"README.md, a table under All commands: a row for `{verb}`"


def test_solve_has_the_shape_that_the_architecture_lays_down() -> None:
    data = json.loads(run("solve", "rogues-gambit", "--seats", "2", "--set", "coins_each=4", "--json").stdout)
    assert data["ruleset"]["id"] == "rogues-gambit"
    assert len(data["ruleset"]["sha256"]) == 64
    assert data["ruleset"]["parameters"] == {"coins_each": 4, "full_belly": "literal"}
    assert (data["grade"], data["policy"]["kind"], data["policy"]["proved"]) == ("exact", "zero-sum", True)
    assert set(data["graph"]) == {"states", "decisions", "transitions", "components", "largest_component"}
    assert [value["seat"] for value in data["values"]] == [1, 2]
    for value in data["values"]:
        assert value["exact"] == value["lower"] == value["upper"]
        assert re.fullmatch(r"\d+\.\d{12}", value["decimal"])
    assert set(data["seconds"]) == {"explore", "solve", "verify"}


def test_advise_gives_every_action_with_its_loss() -> None:
    done = run("advise", "rogues-gambit", "--seats", "4", "--state", "hoard=60,stash=20", "--json")
    data = json.loads(done.stdout)
    assert data["state"] == {"phase": "decide", "hoard": 60, "stash": 20}
    assert data["best"] == ["Thief's Escape"]
    best, worse = data["actions"]
    assert (best["decimal"], best["loss"]) == ("31.364325", "0")
    assert worse["decimal"] == "31.109174"
    assert worse["loss"].count("/") == 1


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("hoard=95,stash=20", "would be 115; only 100 are in the game"),
        ("hoard=98,stash=2", "play never comes to"),
        ("hoard=banana", "a whole number"),
        ("hoards=5", "did you mean hoard?"),
        ("hoard=500", "hoard=500 is above its max of 100"),
        ("stash", "is not name=value"),
        ("purse.2=30", "write purse[2]=30"),
        ("hoard=60,stash=20,phase=sleep", "there is no phase sleep"),
        ("hoard=60,stash=20,purse=30", "would be 110; only 100"),
    ],
)
def test_a_position_that_cannot_be_is_refused(state: str, words: str) -> None:
    with pytest.raises(PositionError, match=re.escape(words)):
        gambit().advise(state)


@cache
def gambit() -> oddsmith.SolvedGame:
    return oddsmith.load("rogues-gambit").solve()


def test_the_command_line_refuses_it_as_well() -> None:
    done = run("advise", "piglet", "--state", "row=banana")
    assert done.returncode == 1
    assert "a whole number" in done.stderr


def test_secrets_of_many_players_are_refused_with_a_way_out_that_works() -> None:
    done = run("solve", "liars-dice", "--seats", "3")
    assert done.returncode == 1
    assert "--estimate 1000000" in done.stderr
    played = run("solve", "liars-dice", "--seats", "3", "--estimate", "1000", "--policy", "1..3=count your own dice")
    assert played.returncode == 0
    assert "(estimated)" in played.stdout


def test_a_file_without_a_verb_is_to_be_checked() -> None:
    done = run("my.yaml")
    assert done.returncode == 2
    assert "Did you mean 'oddsmith check my.yaml'?" in done.stderr


def test_verify_fails_on_the_wrong_claim_unless_it_is_expected() -> None:
    assert run("verify", "rogues-gambit").returncode == 1
    done = run("verify", "rogues-gambit", "--expected", "--json")
    assert done.returncode == 0
    claims = json.loads(done.stdout)["claims"]
    assert [claim["verdict"] for claim in claims] == ["right", "right", "right", "wrong"]
    assert [claim["published"] for claim in claims] == ["0.421", "0.556", "0.023", "9.5"]
    assert [claim["exact"] for claim in claims] == ["91/216", "5/9", "5/216", "12"]
    assert claims[3]["off_by"] == "2.500000"


def test_a_verdict_that_differs_from_the_recorded_one_fails(tmp_path: Path) -> None:
    assert run("verify", str(edited(tmp_path, ("published: 0.421", "published: 0.5"))), "--expected").returncode == 1


@cache
def shipped_solved() -> str:
    return run("solve", "rogues-gambit", "--seats", "2", "--json").stdout


@pytest.mark.parametrize(
    "change",
    [
        ("hand: 3d6", "hand: 4d6"),
        ("move hoard to purse", "move 10 from hoard to purse"),
        ("default: 25", "default: 12"),
    ],
)
def test_a_designers_edit_changes_the_answer(tmp_path: Path, change: tuple[str, str]) -> None:
    mine = edited(tmp_path, change)
    shipped = json.loads(shipped_solved())
    changed = json.loads(run("solve", "my.yaml", "--seats", "2", "--json", cwd=mine.parent).stdout)
    assert changed["ruleset"]["sha256"] != shipped["ruleset"]["sha256"]
    assert changed["values"] != shipped["values"]
    assert changed["policy"]["proved"]


def test_settings_that_do_not_exist_are_named() -> None:
    for words, said in [
        (("--seats", "9"), "2 to 6 players"),
        (("--set", "coins=3"), "did you mean coins_each?"),
        (("--set", "coins_each=99"), "from 1 to 60"),
        (("--variant", "pocket"), "pocketed-belly"),
        (("--objective", "gold"), "objectives"),
        (("--policy", "1=hold"), "hold at 20"),
    ]:
        done = run("solve", "rogues-gambit", *words)
        assert done.returncode == 1
        assert said in done.stderr


def test_wrong_usage_is_code_2() -> None:
    for words in (("solve",), ("fly",), ("solve", "rogues-gambit", "--set", "coins_each"), ("advise",)):
        assert run(*words).returncode == 2


def test_an_unknown_ruleset_is_said_to_be_unknown() -> None:
    done = run("solve", "rouges-gambit")
    assert done.returncode == 1
    assert "did you mean rogues-gambit?" in done.stderr


def test_where_no_pure_play_is_alike_for_all_the_state_is_named() -> None:
    words = ("solve", "rogues-gambit", "--seats", "4", "--variant", "pocketed-belly")
    done = run(*words)
    assert done.returncode == 0
    assert "best responses cycle at decide: hoard=32, stash=15" in done.stdout
    mixed = run(*words, "--alike")
    assert "Thief's Escape with chance 38.2674 %" in mixed.stdout
    assert "(proven)" in mixed.stdout


def test_a_player_at_the_keyboard_plays_asks_and_stops() -> None:
    words = ("play", "rogues-gambit", "--seats", "2", "--seed", "3")
    done = run(*words, given="?\nx\nq\n")
    assert done.returncode == 130
    assert "loses" in done.stdout
    assert "type 1 to 2" in done.stdout
    watched = run(*words, "--watch")
    assert watched.returncode == 0
    assert re.search(r"coins: seat 1 \(best play\) \d+, seat 2 \(best play\) \d+", watched.stdout)
    assert watched.stdout == run(*words, "--watch").stdout


def test_check_finds_a_range_that_is_left_and_tells_the_play(tmp_path: Path) -> None:
    mine = edited(tmp_path, ("move sum(hand) from hoard to stash", "add 30 to stash"))
    done = run("check", str(mine), "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["problems"][0]["code"] == "OD521"
    assert "the play that leads there" in done.stderr
    assert "1. seat 1 in throw" in done.stderr


def test_check_finds_a_game_that_can_never_end(tmp_path: Path) -> None:
    mine = edited(
        tmp_path,
        ("          - move hoard to purse\n        then: end", "        then: throw"),
        ("end_when: hoard == 0 and stash == 0", "end_when: hoard < 0"),
    )
    done = run("check", str(mine))
    assert done.returncode == 1
    assert "the game can never end, whatever anybody does" in done.stderr
    assert run("solve", str(mine), "--seats", "2").returncode == 1


def test_check_rewrites_in_house_style_and_keeps_comments(tmp_path: Path) -> None:
    before = "- set fed to false\n        then: pass\n      - name: Made"
    mine = edited(tmp_path, (before, before.replace("false", "false # hungry").replace("then: ", "then:   ")))
    assert run("check", str(mine), "--fix").returncode == 0
    text = mine.read_text(encoding="utf-8")
    assert "# hungry" in text
    assert "then: pass" in text
    assert run("check", str(mine), "--fix").stdout.count("rewritten") == 0


def test_a_fault_of_ours_is_said_in_one_line(tmp_path: Path) -> None:
    broken = tmp_path / "sitecustomize.py"
    broken.write_text(
        "import oddsmith.api.loaded\noddsmith.api.loaded.LoadedRuleset.open = lambda name: 1 / 0\n", encoding="utf-8"
    )
    done = subprocess.run(
        [sys.executable, "-m", "oddsmith", "verify", "rogues-gambit"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )
    assert done.returncode == 3
    assert "a fault of ours: ZeroDivisionError" in done.stderr
    assert "Traceback" not in done.stderr


NERVE = """\
format: 1
id: nerve
title: Nerve
summary: Roll until you dare no more.
seats: 2
state: {score: {each: seat, max: 9}}
payoffs: {points: PAID}
turn: luck
phases:
  luck:
    roll: {die: d6}
    outcomes:
      - {name: Bust, when: die >= 1, then: pass}
      - {name: Safe, do: add die to score, then: end}
"""


def test_a_game_that_cannot_end_is_told_with_what_was_warned_of(tmp_path: Path) -> None:
    """An outcome that takes all is often the reason. Problems are counted once."""
    (tmp_path / "nerve.yaml").write_text(NERVE.replace("PAID", "score"), encoding="utf-8")
    done = run("check", "nerve.yaml", cwd=tmp_path)
    assert re.findall(r"(?:warning|error) (OD\d+)", done.stderr) == ["OD604", "OD541"]
    assert done.stdout == "nerve.yaml: 1 error, 1 warning\n"
    assert "problem" not in done.stderr
    data = json.loads(run("check", "nerve.yaml", "--json", cwd=tmp_path).stdout)
    assert [problem["code"] for problem in data["problems"]] == ["OD604", "OD541"]
    assert run("solve", "nerve.yaml", cwd=tmp_path).stderr.endswith("1 problem\n")


@pytest.mark.parametrize(("paid", "noted"), [("score", True), ("share(score)", False)])
def test_two_seats_that_do_not_share_are_noted(paid: str, noted: bool, tmp_path: Path) -> None:
    text = NERVE.replace("die >= 1", "die > 2").replace("PAID", paid)
    (tmp_path / "nerve.yaml").write_text(text, encoding="utf-8")
    done = run("solve", "nerve.yaml", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert ("does not always add up to the same" in done.stdout) == noted
