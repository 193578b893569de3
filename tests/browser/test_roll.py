"""The page that answers any roll: typing, the link, what cannot be read, several rolls, the frame, and no network."""

from __future__ import annotations

import gzip
import re
import subprocess
import sys
from collections.abc import Iterator
from html import unescape
from http.server import SimpleHTTPRequestHandler
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

import oddsmith
from oddsmith.api.modules import roll_scripts, roll_scripts_to_publish
from oddsmith.api.site import roll_page_files
from oddsmith.base.exact import fraction_text
from oddsmith.base.files import folder_files, write_folder_files
from oddsmith.base.resources import data_folder
from oddsmith.publish import mkdocs_config, offline_lists_script, site_pages
from tests.browser.conftest import look_at, served
from tests.browser.test_site import LAWS, complaints
from tests.cases import SAMPLES, account_of
from tests.chromium import ROOT
from tests.foundry.joining import joined_rolls
from tests.node import answers

pytestmark = pytest.mark.browser
PAGE, ANSWERS, PROGRAMS = 30_750, 65_250, 8_000
"""Bytes over the wire of the page's own scripts, of all that a first answer to a plain question needs, with its
grammar, and of what is loaded besides when a question looks like a program for AnyDice."""
PROGRAMS_ONLY = {"rolls/anydice.mjs", "rolls/anydice.peg"}
FIRST = 100
"""Milliseconds of the first answer, once the page is there."""
DROP = "4d6 drop lowest"


@pytest.fixture(scope="module")
def folder(browser: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small site with the page of any roll, all that it loads, and the list of what is kept."""
    folder = tmp_path_factory.mktemp("roll")
    written = {name: (data_folder("docs") / name).read_bytes() for name in ("roll.md", "rolls.md", "grades.md")}
    with pytest.MonkeyPatch.context() as patch:
        made = joined_rolls()
        patch.setattr("oddsmith.api.modules.bundled_script_bytes", {"foundry.js": b""}.get)
        patch.setattr("oddsmith.api.modules.bundled_roll_scripts", lambda: made)
        write_folder_files(
            folder / "docs", {**site_pages([account_of(SAMPLES / "pig.yaml")], written), **roll_page_files()}
        )
    config = mkdocs_config("Rolls", theme_folder=str(data_folder("site") / "theme")).decode()
    config = config.replace("markdown_extensions:", "extra: {offline: true}\n\nmarkdown_extensions:\n  - admonition")
    (folder / "mkdocs.yml").write_text(config)
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "-f", str(folder / "mkdocs.yml")]
    subprocess.run(command, check=True, timeout=120)
    site = folder / "site"
    write_folder_files(site, {"offline-files.js": offline_lists_script(folder_files(site))})
    return site


@pytest.fixture(scope="module")
def base(folder: Path) -> Iterator[str]:
    with served(folder) as address:
        yield address


def told(base: str, *steps: list[Any], kept: bool = False) -> list[Any]:
    """What the page shows after each step; see the head of roll.mjs."""
    job = {"base": base, "steps": steps, "kept": kept}
    (found,) = answers(ROOT / "tests" / "browser" / "roll.mjs", job, timeout=240)
    assert found["errors"] == []
    shown: list[Any] = found["told"]
    return shown


def address(question: str) -> str:
    return f"roll/#q={quote(question)}"


def test_what_is_typed_is_answered_as_the_package_answers_it(base: str) -> None:
    _, chance, number = told(base, ["open", "roll/"], ["type", "d20 + 5 >= 15"], ["type", DROP])
    odds = oddsmith.roll("d20 + 5 >= 15")
    assert chance["huge"] == "55.00 %"
    assert odds.chance is not None
    assert odds.what in chance["read"]
    odds = oddsmith.roll(DROP)
    assert number["facts"] == {
        "Mean": "12.24", "Standard deviation": "2.85", "Median": "12", "Most likely": "13", "Lowest": "3", "Highest": "18"
    }  # fmt: skip
    exact = odds.at_least(12).exact
    assert exact is not None
    assert number["say"] == f"12 or more: 61.65 % = {fraction_text(exact)} · average 12.24"
    assert odds.what in number["read"]


def test_the_address_is_the_question_and_back_leads_to_the_one_before(base: str) -> None:
    steps: list[list[Any]] = [
        ["open", address(DROP)],
        ["type", "3d6"],
        ["tap", ".od-seg button", 2],
        ["back"],
        ["tap", ".od-chips a", 1],
        ["back"],
    ]
    first, second, most, back, chip, again = told(base, *steps)
    assert first["box"] == DROP
    assert second["address"] == "#q=3d6"
    assert most["address"] == "#q=3d6&most=10"
    assert most["say"].startswith("10 or less: 50.00 % = 1/2")
    assert (back["box"], back["say"]) == (DROP, first["say"])
    assert chip["box"] == "d20 with advantage + 5 vs AC 15"
    assert (again["box"], again["say"]) == (DROP, first["say"])
    (opened,) = told(base, ["open", "roll/#q=3d6&most=10"])
    assert opened["say"] == most["say"]
    (form,) = told(base, ["open", "roll/?q=2d6+%2B+3"])
    assert (form["box"], form["address"]) == ("2d6 + 3", "#q=2d6 + 3")


def test_the_box_of_the_home_page_leads_to_the_odds_and_not_into_the_search(base: str) -> None:
    (name,) = re.findall(r'<input id="od-home-q" name="(\w+)"', (ROOT / "docs" / "index.md").read_text("utf-8"))
    searching = "document.querySelector('#__search').checked"
    form, search = told(base, ["open", f"roll/?{name}=4d6+drop+lowest+16%2B"], ["script", searching])
    assert (form["box"], form["address"]) == ("4d6 drop lowest 16+", "#q=4d6 drop lowest 16+")
    assert search is False


def test_what_cannot_be_read_is_marked_and_put_right_by_a_tap(base: str) -> None:
    wrong, right = told(base, ["open", address("4d6 drop lowset + 2")], ["tap", ".od-fix", 0])
    assert wrong["wrong"]["marked"] == "lowset"
    assert wrong["wrong"]["words"] == "“lowset” cannot be read here."
    assert wrong["say"] == ""
    assert right["box"] == "4d6 drop lowest + 2"
    assert right["facts"]["Mean"] == "14.24"


def test_what_may_be_a_game_is_searched_for_on_the_site(base: str) -> None:
    game, roll = told(base, ["open", address("shut the box")], ["type", "4d6 drop lowset"])
    assert game["searches"] == ["../?q=shut%20the%20box"]
    assert roll["wrong"]["marked"]
    assert not roll["searches"]


def test_each_way_in_which_a_question_can_be_meant_is_there_to_choose(base: str) -> None:
    total, counted = told(base, ["open", address("5d10 >= 7")], ["tap", ".od-way", 1])
    assert [pressed for _, pressed in total["ways"]] == ["true", "false"]
    assert total["huge"] == "99.994 %"
    assert [pressed for _, pressed in counted["ways"]] == ["false", "true"]
    assert counted["address"].endswith("&way=1")
    assert counted["facts"]["Mean"] == "2"


def test_a_roll_a_line_compares_them_told_apart_without_colour(base: str) -> None:
    lines = f"{DROP}\n3d6\n2d6+6\nd20 >= 11"
    several, curves = told(
        base, ["open", f"{address(lines)}&least=13"], ["tap", ".od-controls .od-seg:last-child button", 1]
    )
    assert [row[0][0] for row in several["beside"]] == ["A", "B", "C", "D"]
    assert [row[1] for row in several["beside"]] == ["48.77 %", "25.93 %", "58.33 %", "50.00 %"]
    assert several["say"] == "13 or more: most likely with C, 58.33 %"
    assert len(set(several["bars"])) == 4
    assert len(set(curves["dashes"])) == 3, "a chance has no curve"
    assert curves["address"].endswith("&curves=1")


def test_a_program_for_anydice_is_one_question(base: str) -> None:
    program = 'X: 3\noutput(X)d6 named "three"\noutput 2d8 named "two"'
    (found,) = told(base, ["open", address(program)])
    assert [row[0] for row in found["beside"]] == ["Athree", "Btwo"]
    assert [row[2] for row in found["beside"]] == ["10.50", "9"]


def test_a_keyboard_moves_the_value_and_the_table_has_every_number(base: str) -> None:
    steps: list[list[Any]] = [
        ["open", address("2d6")],
        ["focus", ".od-plot"],
        ["press", "ArrowRight"],
        ["press", "End"],
        ["focus", ".od-more-numbers > summary"],
        ["press", "Enter"],
        ["focus", ".od-more-numbers .od-button"],
        ["press", "Enter"],
    ]
    _, seven, eight, twelve, _, opened, _, exact = told(base, *steps)
    assert seven["value"] == "at least 7: 58.33 %"
    assert eight["value"] == "at least 8: 41.67 %"
    assert twelve["value"] == "at least 12: 2.78 %"
    assert opened["table"][0] == ["2", "2.78 %", "100 %", "2.78 %"]
    odds = oddsmith.roll("2d6")
    assert [row[1] for row in exact["table"]] == [fraction_text(each.chance.lower) for each in odds.outcomes]


def test_the_line_of_html_shows_the_chart_elsewhere(base: str) -> None:
    (page,) = told(base, ["open", f"{address(DROP)}&least=13"])
    line = unescape(page["line"])
    assert line.startswith(
        f'<iframe src="{base}roll/embed/?q=4d6%20drop%20lowest&least=13" title="Odds of 4d6 drop lowest"'
    )
    link = "document.querySelector('.od-from a').href"
    frame, whole = told(base, ["open", f"roll/embed/?q={quote(DROP)}&least=13"], ["script", link])
    assert frame["say"] == "13 or more: 48.77 % = 79/162 · average 12.24"
    assert frame["bars"] == ["url(#od-p0)"]
    assert whole == f"{base}roll/#q=4d6%20drop%20lowest&least=13"
    elsewhere = """new Promise((go) => {
      document.body.insertAdjacentHTML("beforeend", document.querySelector(".od-embed textarea").value);
      const frame = document.querySelector("iframe");
      frame.scrollIntoView();
      frame.onload = () => setTimeout(() => go(frame.contentDocument.querySelector(".od-say").textContent), 1500);
    })"""
    _, said = told(base, ["open", f"{address(DROP)}&least=13"], ["script", elsewhere])
    assert said == frame["say"]


def test_a_picture_can_be_kept_as_a_drawing_of_its_own(base: str) -> None:
    script = """new Promise((go) => {
      const make = URL.createObjectURL;
      URL.createObjectURL = (blob) => (void blob.text().then(go), make(blob));
      [...document.querySelectorAll(".od-tools-row button")].find((each) => each.textContent.includes("SVG")).click();
    })"""
    _, drawing = told(base, ["open", address(DROP)], ["script", script])
    assert drawing.startswith("<svg")
    assert "4d6 drop lowest" in drawing
    assert "12 or more: 61.65 % = 799/1296" in drawing
    assert "var(" not in drawing
    assert 'fill="rgb(138, 74, 12)"' in drawing, "the bars have the colour of the page"
    assert "class=" not in drawing.replace('class="od-odds"', "")


def test_the_page_answers_without_a_network(base: str) -> None:
    steps: list[list[Any]] = [["open", address(DROP)], ["offline"], ["type", "3d6 = 10"], ["type", "output 1@3d6"]]
    _, gone, typed, program = told(base, *steps, kept=True)
    assert gone["say"] == "12 or more: 61.65 % = 799/1296 · average 12.24"
    assert typed["huge"] == "12.50 %"
    assert program["facts"]["Mean"] == "4.96", "what reads programs is kept as well"


def test_typing_goes_on_while_something_long_is_worked_out(base: str) -> None:
    _, _, short = told(
        base, ["open", address("3d6")], ["type", "sum(highest 9 of 30d100 for i in 1..9)"], ["type", "2d6"]
    )
    assert short["say"].startswith("7 or more: 58.33 %")


@pytest.mark.parametrize("question", [DROP, f"{DROP}\n3d6", "d20 >= 11", "4d6 drop lowset", "5d10 >= 7", "100d6"])
def test_it_fits_a_phone_and_a_thumb(base: str, question: str) -> None:
    _, narrow, wide = told(base, ["open", address(question)], ["size", 360, 740], ["size", 1440, 900])
    for shown in (narrow, wide):
        assert shown["sideways"] <= 0
        assert shown["small"] == []


def test_the_pages_keep_the_laws_of_the_site(base: str) -> None:
    looks = look_at(
        base, ["roll/index.html", "rolls/index.html"], schemes=["light", "dark"], viewports=["phone", "desktop"]
    )
    assert [line for law in LAWS for line in complaints(looks, law)] == []


def test_the_first_answer_is_there_at_once(base: str) -> None:
    measure = """new Promise((go) => {
      const begun = performance.now(), box = document.getElementById("od-q"), say = document.querySelector(".od-say");
      new MutationObserver(() => say.textContent.startsWith("5 or more") && go(performance.now() - begun))
        .observe(say, { childList: true, subtree: true, characterData: true });
      box.value = "d8 + 1";
      box.dispatchEvent(new Event("input"));
    })"""
    _, took = told(base, ["open", address(DROP)], ["script", measure])
    assert took < FIRST + 60, "with the pause after the last key"


def test_what_the_page_loads_is_light(folder: Path) -> None:
    files = folder_files(folder / "assets", ("roll/*.mjs", "rolls/*"))
    weights = {name: len(gzip.compress(data, 6, mtime=0)) for name, data in files.items()}
    assert sum(weight for name, weight in weights.items() if name.startswith("roll/")) < PAGE
    answers = {name for name in weights if name.startswith("rolls/")}
    assert answers == {"rolls/answer.mjs", "rolls/chunk.mjs", "rolls/rolls.peg"} | PROGRAMS_ONLY
    assert sum(weights[name] for name in answers - PROGRAMS_ONLY) < ANSWERS
    assert sum(weights[name] for name in PROGRAMS_ONLY) < PROGRAMS


def test_what_reads_programs_is_loaded_once_a_question_may_be_one(folder: Path) -> None:
    asked = list[str]()

    class Watched(SimpleHTTPRequestHandler):
        def log_message(self, *_: object, **__: object) -> None:
            asked.append(self.path.rpartition("/assets/")[2])

    with served(folder, Watched) as base:
        told(base, ["open", address(DROP)])
        assert "rolls/rolls.peg" in asked
        assert PROGRAMS_ONLY & {*asked} == set()
        _, program = told(base, ["open", address(DROP)], ["type", "output 1@3d6"])
        assert {*asked} >= PROGRAMS_ONLY
    assert program["facts"]["Mean"] == "4.96"


def test_scripts_that_changed_since_they_were_joined_are_shipped_as_they_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    made = joined_rolls()
    monkeypatch.setattr("oddsmith.api.modules.bundled_roll_scripts", lambda: made)
    assert roll_scripts_to_publish() == made
    monkeypatch.setattr("oddsmith.api.modules.bundled_roll_scripts", lambda: made | {"chunk.mjs": b"// of before"})
    assert roll_scripts_to_publish() == roll_scripts()
    monkeypatch.setattr("oddsmith.api.modules.bundled_roll_scripts", lambda: made)
    changed = roll_scripts() | {"near.mjs": b"// changed"}
    monkeypatch.setattr("oddsmith.api.modules.roll_scripts", lambda: changed)
    assert roll_scripts_to_publish() == changed
