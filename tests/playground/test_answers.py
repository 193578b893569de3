"""What the playground asks Python: the same answers with pure packages in an interpreter for browsers as here."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from oddsmith.api.checking import check_source
from oddsmith.api.loaded import LoadedRuleset
from oddsmith.base.errors import InputError
from oddsmith.base.files import find_ruleset, folder_files, shipped_rulesets
from oddsmith.base.location import Source
from oddsmith.browser.checked import check_messages, completion_message
from oddsmith.browser.files import playground_files
from oddsmith.browser.solving import lint_text
from oddsmith.design.settings import problem_message
from oddsmith.graph.first_positions import MAX_POSITIONS
from oddsmith.ruleset.bundle import bundle
from oddsmith.ruleset.checking.codes import problem_codes_by_name
from oddsmith.ruleset.reading.build import load_ruleset
from tests.node import ROOT, answers
from tests.playground.conftest import PIGLET
from tests.ruleset.finding import laid_over
from tests.ruleset.test_check import IN_PLAY

SAMPLES = ROOT / "tests" / "samples"
DECIDE = PIGLET[: PIGLET.index("  decide:")]


def told(text: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for part in check_messages(text):
        found |= part
    return found


def broken(text: str) -> list[str]:
    """A text, and the same with a few mistakes."""
    return [
        text,
        text.replace("then:", "thn:"),
        text.replace("max:", "mx:", 1),
        text[: len(text) // 2],
        "",
        "a: [",
        text.replace("d6", "d", 1),
    ]


@pytest.mark.parametrize("name", shipped_rulesets())
def test_every_shipped_ruleset_is_sound_and_has_its_book(name: str) -> None:
    path = find_ruleset(name)
    found = told(path.read_text("utf-8"))
    assert found["problems"] == []
    assert found["book"]["bundle"] == bundle(load_ruleset(path)[0])
    assert next(size["seats"] for size in found["book"]["settings"]) == found["game"]["seats"][2]
    json.dumps(found)


ENDLESS = PIGLET.replace("end_when: score == target\n", "", 1)
FOUND = {
    "OD436": ENDLESS,
    "OD541": PIGLET.replace("do: add 1 to row", "do: add 0 to row", 1),
    **{code: laid_over(problem_codes_by_name()[code].wrong_example) for code in ("OD431", *IN_PLAY)},
}


@pytest.mark.parametrize("code", FOUND)
def test_what_play_finds_is_told_as_in_a_terminal(code: str) -> None:
    text = FOUND[code]
    found, check = told(text)["problems"], check_source(Source("ruleset.yaml", text))
    assert code in {each["code"] for each in found if each["severity"] == "error"}
    assert [each | {"play": None} for each in found] == [
        problem_message(each, check.source) | {"play": None} for each in check.problems
    ]
    if check.play_error:
        assert [tuple(each["play"]) for each in found if "play" in each] == [check.play_error.play]


def test_a_look_at_a_part_says_that_there_is_more() -> None:
    whole, part = (told(find_ruleset(name).read_text("utf-8")) for name in ("piglet", "pig"))
    assert (whole["looked"], whole["whole"], whole["seats"]) == (12, True, "2 seats")
    assert (part["looked"], part["whole"]) == (MAX_POSITIONS, False)


def test_a_problem_stands_at_its_line_and_column() -> None:
    text = PIGLET.replace("then: pass", "then: pas", 1)
    line = text[: text.index("then: pas")].count("\n") + 1
    (problem,) = told(text)["problems"]
    assert (problem["line"], problem["column"], problem["severity"]) == (line, 15, "error")


def offers(end: str) -> list[str]:
    lines = (DECIDE + end).split("\n")
    return [each["label"] for each in completion_message("\n".join(lines), len(lines), len(lines[-1]) + 1)["offers"]]


@pytest.mark.parametrize(
    ("end", "some", "none"),
    [
        ("me", ["measures"], ["outcomes"]),
        ("  extra:\n    ", ["choose", "roll", "cases"], ["title"]),
        ("  extra:\n    choose:\n      - ", ["name", "then", "when"], ["roll", "choose"]),
        ("  extra:\n    choose:\n    - name: X\n      ", ["then", "do"], ["roll"]),
        (
            "  extra:\n    choose:\n      - name: X\n        then: ",
            ["toss", "extra", "pass", "again", "end"],
            ["score"],
        ),
        ("  extra:\n    choose:\n      - {name: X, then: to", ["toss"], ["pass"]),
        ("  extra:\n    choose:\n      - {name: X, ", ["then", "do"], ["roll"]),
        ("  extra:\n    choose:\n      - name: X\n        when: sc", ["score"], ["row", "name"]),
        ("  extra:\n    choose:\n      - name: X\n        do: [add 1 to r", ["row", "rank"], ["score", "roll"]),
        ("  extra:\n    # th", [], ["then"]),
    ],
)
def test_offers_are_what_the_schema_and_the_text_allow(end: str, some: list[str], none: list[str]) -> None:
    found = offers(end)
    assert set(some) <= set(found)
    assert not set(none) & set(found)


def test_an_offer_goes_in_where_it_was_begun() -> None:
    lines = PIGLET.split("\n")
    for number, line in enumerate(lines[::6], 1):
        for column in (len(line) // 2 + 1, len(line) + 1):
            for each in completion_message(PIGLET, number, column)["offers"]:
                begun = lines[number - 1][each["from"] - 1 : column - 1]
                assert each["label"].startswith(begun)


def test_a_key_that_has_its_colon_gets_no_other_and_a_block_is_indented() -> None:
    text = PIGLET.replace("    label:", "    la:", 1)
    line = text[: text.index("    la:")].count("\n") + 1
    assert [each["text"] for each in completion_message(text, line, 7)["offers"]] == ["label"]
    block = DECIDE + "  extra:\n    choose:\n      - "
    lines = block.split("\n")
    texts = [each["text"] for each in completion_message(block, len(lines), len(lines[-1]) + 1)["offers"]]
    whole = next(text for text in texts if "\n" in text)
    assert told(f"{block}{whole}\n")["problems"]
    assert all(row.startswith(" " * 8) for row in whole.split("\n")[1:])


def test_the_stand_in_for_rpds_finds_the_same_problems(tmp_path: Path) -> None:
    """Its versions of a map do not share memory, which nobody sees but the clock."""
    texts = [each for path in sorted(SAMPLES.glob("*.yaml"))[:12] for each in broken(path.read_text("utf-8"))]
    (tmp_path / "rpds.py").write_bytes((ROOT / "solver" / "oddsmith" / "browser" / "rpds.py").read_bytes())
    program = (
        "import json, sys; from oddsmith.browser import check_messages; import rpds\n"
        "assert rpds.__file__.endswith('rpds.py')\n"
        "print(json.dumps([next(check_messages(t))['problems'] for t in json.load(sys.stdin)]))"
    )
    path = f"{tmp_path}:{ROOT / 'solver'}"
    done = subprocess.run(
        [sys.executable, "-c", program],
        input=json.dumps(texts), capture_output=True, text=True, check=True, timeout=100, env={"PYTHONPATH": path},
    )  # fmt: skip
    assert json.loads(done.stdout) == [next(check_messages(text))["problems"] for text in texts]


def test_two_archives_of_one_program_are_the_same_bytes(pyodide: Path) -> None:
    files = folder_files(pyodide)
    first, second = playground_files(files), playground_files(files)
    assert first == second
    with zipfile.ZipFile(io.BytesIO(first["playground/python/oddsmith.zip"])) as archive:
        names = archive.namelist()
    assert {"rpds.py", "oddsmith/browser/checked.py", "jsonschema/validators.py"} <= set(names)
    assert not [name for name in names if "/tests/" in name or name.startswith(("..", "/"))]


def test_a_folder_that_is_not_pyodide_is_refused() -> None:
    with pytest.raises(InputError, match="npm package `pyodide`"):
        playground_files({"index.html": b""})


def test_an_interpreter_for_browsers_gives_the_same_answers(pyodide: Path, tmp_path: Path) -> None:
    for name, data in playground_files(folder_files(pyodide)).items():
        if name.startswith("playground/python/"):
            (tmp_path / name.rpartition("/")[2]).write_bytes(data)
    texts = [
        each for name in ("piglet", "craps", "rogues-gambit") for each in broken(find_ruleset(name).read_text("utf-8"))
    ]
    texts += FOUND.values()
    places = [(PIGLET, 3, 1), (PIGLET, 44, 13)]
    job = {"folder": str(tmp_path), "texts": texts, "places": places}
    (found,) = answers(ROOT / "tests" / "playground" / "pyodide.mjs", job)
    assert found["told"] == [json.loads(json.dumps(told(text))) for text in texts]
    assert found["completed"] == [completion_message(*place) for place in places]


@pytest.mark.parametrize("name", ["piglet", "ship-captain-crew", "dragons-lair"])
def test_a_lint_on_the_page_finds_what_terminals_find(name: str) -> None:
    text = re.sub(r"(?m)#? *allow: OD\d+", "# may be", find_ruleset(name).read_text("utf-8"))
    found, mine = lint_text(text), LoadedRuleset.read(text).lint()
    check = check_source(Source("ruleset.yaml", text))
    assert [each["code"] for each in found["problems"]] == [each.code for each in check.problems]
    assert (found["looked"], found["whole"]) == (check.checked_count, True)
    assert [(each["code"], each["message"], each["hint"], tuple(each["play"])) for each in found["design"]] == [
        (each.code, each.problem.message, each.problem.hint, each.play) for each in mine.findings
    ]
    assert found["unasked"] == [each.reason for each in mine.skipped_checks]


@pytest.mark.parametrize("code", FOUND)
def test_nothing_is_asked_of_a_game_in_which_a_check_finds_an_error(code: str) -> None:
    found, check = lint_text(FOUND[code]), check_source(Source("ruleset.yaml", FOUND[code]))
    assert [each["code"] for each in found["problems"]] == [each.code for each in check.problems]
    assert "design" not in found
    if check.play_error:
        assert [tuple(each["play"]) for each in found["problems"] if "play" in each] == [check.play_error.play]


def test_of_a_game_that_is_too_large_the_questions_are_named_that_take_its_solution() -> None:
    found = lint_text(PIGLET, max_positions=9)
    assert (found["problems"], found["design"]) == ([], [])
    assert found["unasked"][0] == "the game has more than 9 positions; `oddsmith lint --full` asks all the same"


def test_of_a_game_with_secrets_the_questions_are_named_that_have_no_answer() -> None:
    found = lint_text((ROOT / "tests" / "secrets" / "games" / "liars-dice.yaml").read_text("utf-8"))
    assert found["problems"] == []
    assert [each["code"] for each in found["design"]] == ["OD721"]
    assert found["looked"] > 1
    assert "what an action is worth depends on what its player has seen" in found["unasked"][0]


def test_where_nothing_solves_games_with_secrets_the_rest_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "oddsmith.solve.extensive", None)
    found = lint_text((ROOT / "tests" / "secrets" / "games" / "liars-dice.yaml").read_text("utf-8"))
    assert found["design"] == []
    assert "games with secrets are not solved here; `oddsmith lint` looks at all" in found["unasked"]
