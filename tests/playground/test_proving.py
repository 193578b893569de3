"""What a browser is told of a solved game: with its certificate, up to a limit, and from files that are what they say."""

from __future__ import annotations

import json
import re
import shlex
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import oddsmith
from oddsmith.base.errors import InputError
from oddsmith.base.files import find_ruleset, folder_files
from oddsmith.browser.files import playground_files
from oddsmith.browser.solving import BrowserSolver
from oddsmith.cli.wheels import missing_wheel_lines
from oddsmith.proof.rules import prove_table
from oddsmith.publish.finishing import offline_lists_script
from tests.playground.conftest import PIGLET
from tests.playground.narrow import WHEEL, archive, wheel
from tests.terminal import run

NETWORK = "https://example.org/pyodide/"


def told(text: str, proving: BrowserSolver | None = None, **settings: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for part in (proving or BrowserSolver()).solve(text, settings, lambda _: None):
        found |= part
    return found


def test_every_answer_comes_with_the_certificate_of_its_values() -> None:
    solved = oddsmith.load("rogues-gambit").at(seats=2, coins_each=6).solve()
    found = told(find_ruleset("rogues-gambit").read_text("utf-8"), seats=2, values={"coins_each": 6})
    assert found["proof"] == solved.certificate(packed=True)
    assert prove_table(found["proof"]).header["ruleset"]["sha256"] == found["of"]
    assert [each["decimal"] for each in found["answer"]["values"]] == [each.decimal(6) for each in solved.values]
    first, second = solved.values
    assert found["answer"]["favoured"].startswith(
        f"{'Seat 1' if first.lower > second.upper else 'Seat 2'} is favoured: "
    )


def test_a_chart_has_the_thresholds_of_the_solution() -> None:
    solved = oddsmith.load("rogues-gambit").at(seats=2).solve()
    (chart,) = told(find_ruleset("rogues-gambit").read_text("utf-8"), seats=2)["charts"]
    lines = solved.thresholds(table_type="records")
    drawn = {
        column["at"]: (chart["options"][before[2]], before[0], after[0], chart["options"][after[2]])
        for column in chart["columns"]
        if len(column["runs"]) == 2
        for before, after in [column["runs"]]
    }
    assert lines
    for each in lines:
        below, least, first, above = drawn[each["hoard"]]
        assert (each["below"], each["above"]) == (below, above)
        assert least < each["stash"] <= first  # between them may lie values that never come


def test_seats_are_called_even_only_where_they_are() -> None:
    assert told(PIGLET)["answer"]["favoured"] == "Seat 1 is favoured: seat 1 gets 0.571429, seat 2 gets 0.428571."
    tied = PIGLET.replace("share(score)", "share(0 * score)", 1)
    assert told(tied)["answer"]["favoured"] == "All seats get the same."
    assert told(find_ruleset("craps").read_text("utf-8"))["answer"]["favoured"] == "", "of one seat"


def test_a_game_that_is_too_large_is_refused_with_a_command_that_solves_it(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"seats": 2, "variant": "to-ten", "values": {"heads_weight": 2}}
    found = told(PIGLET, BrowserSolver(max_positions=9), **settings)
    assert "answer" not in found
    assert found["failed"].startswith("The game has more than 9 positions at these settings, and perhaps as many as ")
    words = shlex.split(found["failed"].split("`")[1])
    (tmp_path / words[2]).write_text(PIGLET, "utf-8")
    done = run(*words[1:], cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert told(PIGLET, **settings)["answer"]["values"][0]["decimal"][:-1] in done.stdout
    assert "answer" in told(PIGLET, BrowserSolver(max_positions=10)), "as many as the limit are no more than the limit"


def test_what_is_odd_is_what_lint_finds_with_the_solution_that_is_there() -> None:
    found = told(PIGLET.replace("max: 20", "max: 21", 1))
    ruleset = oddsmith.LoadedRuleset.read(PIGLET.replace("max: 20", "max: 21", 1))
    linted = ruleset.lint()
    assert [each["code"] for each in found["design"]] == [each.code for each in linted.findings]
    assert found["unasked"] == [each.reason for each in linted.skipped_checks]


# --- the files


def test_packages_go_along_by_the_hash_in_the_lock_file() -> None:
    folder = archive()
    files = {name.rpartition("/")[2]: data for name, data in playground_files(folder, NETWORK).items()}
    lock, needed = json.loads(files["pyodide-lock.json"])["packages"], json.loads(files["solving.json"])
    assert set(lock) == {"numpy", "scipy", "openblas", "python-flint"}
    assert needed == {"packages": ["numpy", "scipy", "python-flint"], "network": {}}
    for entry in lock.values():
        assert sha256(files[entry["file_name"]]).hexdigest() == entry["sha256"]
    wrong = next(name for name in folder if name.startswith("scipy-"))
    with pytest.raises(InputError, match=r"is not the file that pyodide-lock\.json names"):
        playground_files(folder | {wrong: b"another"}, NETWORK)


def test_packages_that_are_missing_are_named_with_address_and_hash(pyodide: Path) -> None:
    folder = folder_files(pyodide)
    original = json.loads(folder["pyodide-lock.json"])["packages"]
    site = playground_files(folder | {WHEEL: wheel()}, NETWORK)
    network = json.loads(site["playground/python/solving.json"])["network"]
    assert network == {
        f"{NETWORK}v314.0.7/full/{original[name]['file_name']}": original[name]["sha256"] for name in ("numpy", "scipy")
    }
    kept = offline_lists_script(site).decode()
    assert all(f'"{address}": "{digest[:16]}"' in kept for address, digest in network.items())
    without = playground_files(folder, NETWORK)
    assert json.loads(without["playground/python/solving.json"]) == {"packages": [], "network": {}}


def test_what_is_still_wanted_is_what_readers_would_load_from_elsewhere(pyodide: Path) -> None:
    """With the wheels of those names and hashes in a folder, nothing is left."""
    folder = folder_files(pyodide) | {WHEEL: wheel()}
    lines = missing_wheel_lines(folder)
    assert [line.rpartition("/")[2].partition("-")[0] for line in lines] == ["numpy", "scipy"]
    assert all(re.fullmatch(r"https://\S+\.whl --hash=sha256:[0-9a-f]{64}", line) for line in lines)
    with pytest.raises(InputError, match="is not the file that"):
        missing_wheel_lines(folder | {line.rpartition("/")[2].partition(" ")[0]: b"another" for line in lines})
    assert missing_wheel_lines(archive()) == []
