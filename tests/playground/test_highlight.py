"""The colours of a ruleset's text: none for words that are for people, in any of the ways in which YAML writes them."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from oddsmith.base.files import find_ruleset, shipped_rulesets
from oddsmith.base.resources import SCHEMA, schema_text
from tests.node import ROOT, answers

WORDS = {"text", "about", "label", "sentence", "unit"}
"""The kinds of values in the schema that are for people."""


def coloured(text: str) -> list[list[list[str]]]:
    """The pieces of each line, each with its colour."""
    (found,) = answers(ROOT / "tests" / "playground" / "highlight.mjs", text)
    assert "\n".join("".join(piece for _, piece in line) for line in found) == text
    return found  # type: ignore[no-any-return]


def colours(line: str) -> list[str]:
    (pieces,) = coloured(line)
    return [colour for colour, _ in pieces if colour]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("summary: Pass the dice and add 2 to it", ["key"]),
        ("- name: Roll again", ["key"]),
        ("  - {name: Roll again, then: again}", ["key", "key", "word"]),
        ("goal: {default: 5, about: Points that win if not 3., max: 9}", ["key", "key", "number", "key", "key", "number"]),
        ("about: To the end. # and more", ["key", "comment"]),
        ("title: 'Pass it'", ["key", "string"]),
        ("do: add 1 to pot", ["key", "word", "number", "word"]),
        ("then: again", ["key", "word"]),
    ],
)  # fmt: skip
def test_words_behind_a_key_for_people_have_no_colour(line: str, found: list[str]) -> None:
    assert colours(line) == found


@pytest.mark.parametrize("begun", ["told: |", "note: >-", "prose: Begin", "  - say: Begin", "about:"])
def test_neither_have_the_lines_that_go_on_with_them(begun: str) -> None:
    found = coloured(f"{begun}\n        if you pass, add 2 to: this\n\n        and not in the end\nthen: pass")
    assert [[colour for colour, _ in line if colour] for line in found] == [["key"], [], [], [], ["key", "word"]]


def test_every_key_that_the_schema_gives_to_people_is_known() -> None:
    def keys(node: Any) -> set[str]:
        if isinstance(node, list):
            return set().union(*map(keys, node))
        if not isinstance(node, dict):
            return set()
        named = node.get("properties", {})
        mine = {key for key, each in named.items() if each.get("$ref", "").rpartition("/")[2] in WORDS}
        return mine.union(*map(keys, node.values()))

    text = (ROOT / "site" / "playground" / "highlight.mjs").read_text("utf-8")
    listed = re.search(r'PROSE = new Set\(\s*"([a-z ]+)"', text)
    assert listed is not None
    assert set(listed[1].split()) == keys(json.loads(schema_text(SCHEMA)))


def test_what_is_told_of_a_shipped_game_has_no_colour() -> None:
    for name in shipped_rulesets():
        text = find_ruleset(name).read_text("utf-8")
        told = text.partition("\ntold: |\n")[2]
        count = len(re.match(r"(?:  .*\n|\n)*", told)[0].split("\n")) - 1  # type: ignore[index]
        first = text[: len(text) - len(told)].count("\n")
        for line in coloured(text)[first : first + count]:
            assert [colour for colour, _ in line] == [""]


def test_keys_are_told_where_there_is_a_keyboard_and_what_a_link_holds_beside_its_button() -> None:
    folder = ROOT / "site" / "playground"
    page, style, script = ((folder / name).read_text("utf-8") for name in ("index.html", "style.css", "main.mjs"))
    assert '<p class="od-note od-keyboard" id="od-keys">Ctrl+Space' in page
    assert re.search(r"@media \(any-pointer: coarse\)[^{]*\{\s*\.od-keyboard \{\s*display: none", style)
    assert re.search(
        r'copyButton\("Copy a link", link\),\s*makeElement\("span", \{ class: "od-note" \}, "The link has', script
    )
