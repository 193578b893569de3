"""Solving on the page, in a real browser: nothing is shown that the checker has not passed, nothing is loaded unasked."""

from __future__ import annotations

import json
import re
from base64 import b64decode, b64encode
from typing import Any
from urllib.request import urlopen

import pytest

import oddsmith
from oddsmith.api.loaded import LoadedRuleset
from oddsmith.base.resources import starter_text
from tests.node import ROOT, answers, picture
from tests.playground.conftest import PIGLET, use
from tests.playground.narrow import Network
from tests.playground.odds import files, module

pytestmark = pytest.mark.browser


def certificate(game: LoadedRuleset, **settings: Any) -> str:
    return b64encode(game.at(**settings).solve().certificate(packed=True)).decode()


def test_a_changed_number_gives_new_odds_that_the_checker_has_passed(whole: str) -> None:
    """In one visit, because loading takes long."""
    piglet = oddsmith.load("piglet")
    mine = LoadedRuleset.read(PIGLET.replace("default: 2", "default: 3", 1))
    forged = [certificate(mine, target=5), certificate(oddsmith.load("craps")), ""]
    huge = "{default: 700, min: 2, max: 700"
    odds, alone = "with odds for 2 seats", "Open in Foundry, rules alone"
    found = use(
        whole,
        ["open", "game=piglet"],
        ["solve"],
        ["replace", "default: 2", "default: 3"],
        ["solve"],
        ["take", f"Open in Foundry, {odds}"],
        ["forge", "0"],
        ["solve"],
        ["forge", "1"],
        ["solve"],
        ["forge", "2"],
        ["replace", "{default: 3, min: 2, max: 20", huge],
        ["solve"],
        ["replace", huge, "{default: 40, min: 2, max: 40"],
        ["solving", "stop"],
        ["replace", "{default: 40", "{default: 3"],
        ["solve"],
        ["replace", "{default: 3", "{default: 39"],
        ["solving", "reload"],
        forged=forged,
        **picture("playground"),
    )
    first, changed, second, taken, _, other, _, foreign, _, _, large, _, stopped, _, again, _, left = found["steps"][1:]
    assert "seat 1\t0.571429\t= 4/7" in first["solved"]
    assert "Seat 1 is favoured: seat 1 gets 0.571429, seat 2 gets 0.428571." in first["solved"]
    assert "Toss again wherever there is a choice" in first["solved"]
    assert "Nothing is odd" in first["solved"]
    assert "Checked here: 10 positions" in first["solved"]
    assert "The file names the rules of this page." in first["solved"]
    assert changed["old"], "the odds of before are called old"
    value = piglet.at(target=3).solve().values[0]
    assert f"seat 1\t{value.decimal(6)}\t= {value.exact}" in second["solved"]
    assert (second["said"], second["old"], second["charts"]) == ("Solved, and proven.", False, 1)
    assert [step["module"] for step in (first, changed, second)] == [
        f"Open in Foundry, {odds}",
        alone,
        f"Open in Foundry, {odds}",
    ]
    assert (taken["name"], taken["module"], taken["said"]) == ("oddsmith-piglet.zip", second["module"], second["said"])
    assert f"It has the rules and a table, {odds}, as they were solved here" in taken["told"]
    assert files(b64decode(taken["bytes"])) == module(PIGLET.replace("default: 2", "default: 3", 1))
    for step, reason in ((other, "It proves other values"), (foreign, "It is the certificate of other rules.")):
        assert (step["solved"], step["module"]) == ("", alone)
        assert step["said"].startswith("The second checker refuses the certificate, so no number is shown.")
        assert reason in step["said"]
    assert large["said"].startswith("The game has more than 20,000 positions at these settings")
    assert "oddsmith solve piglet.yaml --seats 2 --objective win" in large["said"]
    assert large["solved"] == ""
    assert (stopped["said"], stopped["solved"]) == ("Stopped.", "")
    assert again["solved"].startswith(second["solved"].partition("\nChecked here")[0][:100])
    assert left["text"] == PIGLET.replace("{default: 2, min: 2, max: 20", "{default: 39, min: 2, max: 40", 1)
    assert found["errors"] == []


def test_there_are_no_problems_only_where_a_terminal_finds_none(whole: str) -> None:
    """A template is begun with, and changed so that a check, and then a lint, finds something."""
    quick = PIGLET.replace("share(score)", "1 if score == target else 0", 1)
    dead = quick.replace("# allow: OD701", "# may be", 1)
    found = use(
        whole,
        ["open", ""],
        ["begin", "Race"],
        ["write", PIGLET],
        ["write", dead],
        ["write", PIGLET.replace("max: target", "max: 1", 1)],
        ["write", PIGLET.replace("end_when: score == target\n", "", 1)],
        ["write", " "],
        viewport={"width": 390, "height": 844, "isMobile": True},
        **picture("playground"),
    )
    empty, race, sound, odd, over, endless, again = found["steps"]
    assert found["errors"] == []
    kinds = [text.partition("\n")[0] for text in empty["templates"]]
    assert kinds == ["Bag", "Betting", "Duel", "Keep and reroll", "Push your luck", "Race"]
    assert all(text.count("\n") == 1 for text in empty["templates"]), "a line says what kind of game it is"
    assert (empty["problems"], empty["status"]) == ("", "Begin with a template, or write your own.")
    assert race["text"] == starter_text("race").partition("\n")[2]
    assert race["problems"].startswith("1 odd thing\nOdd, though nothing is wrong\n")
    assert (race["marks"], race["odd"], race["templates"]) == (1, 1, [])
    assert (sound["problems"], sound["marks"]) == ("No problems", 0)
    for told, text in ((race, race["text"]), (odd, dead)):
        (finding,) = LoadedRuleset.read(text).lint().findings
        place = finding.problem.location
        assert f"\n{place.line}:{place.column}\nOdd: {finding.problem.message}" in told["problems"]
        assert f"{finding.code}. {finding.problem.hint}" in told["problems"].replace("oddsmith fair", "`oddsmith fair`")
    for told, code in ((over, "OD521"), (endless, "OD436")):
        assert told["problems"].startswith("1 error\n")
        assert f"\n{code}. " in told["problems"]
    assert (again["templates"], again["problems"]) == (empty["templates"], "")


def test_what_lies_elsewhere_is_loaded_by_consent_and_by_its_hash(base: str, network: Network) -> None:
    found = use(
        base,
        ["open", "game=piglet"],
        ["press", "Solve"],
        ["press", "Load nothing"],
    )  # fmt: skip
    _, asked, refused = found["steps"]
    host = network.address.split("/")[2]
    assert re.search(rf"would load \d files, about 25 MB, from {host}", asked["consent"])
    assert refused["said"].startswith("Nothing was loaded.")
    assert network.asked == [], "neither before the reader was asked nor after a refusal"
    found = use(base, ["open", "game=piglet"], ["press", "Solve"], ["agree"], elsewhere=True)
    broken = found["steps"][-1]
    assert broken["said"].startswith("Solving broke off: ")
    assert broken["solved"] == ""
    names = [path.rpartition("/")[2].partition("-")[0] for path in network.asked]
    assert sorted(set(names)) == ["numpy", "scipy"]
    assert {path.rpartition("/")[0] for path in network.asked} == {"/pyodide/v314.0.7/full"}


def test_what_was_loaded_from_elsewhere_is_there_without_a_network(base: str, network: Network) -> None:
    with urlopen(f"{base}playground/python/solving.json") as told:  # noqa: S310 - our own server
        job = {"base": base, "address": next(iter(json.load(told)["network"]))}
    (found,) = answers(ROOT / "tests" / "playground" / "kept.mjs", job)
    assert found == ["something else", "something else"]
    assert job["address"].startswith(network.address)
