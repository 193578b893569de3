"""Every text that people see stands in the language file: each key used is there, each that is there is used."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "site" / "foundry"
SCRIPTS = sorted(FOLDER.glob("*.mjs"))
TEXTS: dict[str, str] = json.loads((FOLDER / "lang" / "en.json").read_text("utf-8"))
QUOTED = re.compile(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`')
KEY = re.compile(r"ODDSMITH(?:\.\w+)+")
# Words of the person who wrote a macro or looks into the console, not of the people at the table.
FOR_DEVELOPERS = re.compile(r"throw new Error\(|throw new RecordError\(|found\.faults|wrong\.push|console\.error")
SENTENCE = re.compile(r"[A-Za-z]{2,}[,.:]? [A-Za-z]{2,}|^[A-Z][a-z]+[.!]?$")
ICON = re.compile(r"fa-\w+( fa-[\w-]+)+")
NAMES = {"Enter", "Escape", "Actor", "OWNER"}


def bare(text: str) -> str:
    """A script without its comments."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    return re.sub(r"(?<![:'\"`\w])//.*", "", text)


def used(text: str) -> set[str]:
    """The keys of a script."""
    return set(KEY.findall(text))


def test_every_key_that_is_used_is_defined_and_the_other_way_round() -> None:
    scripts = {key for path in SCRIPTS for key in used(bare(path.read_text("utf-8")))}
    assert sorted(scripts - set(TEXTS)) == []
    assert sorted(set(TEXTS) - scripts) == []


def test_texts_say_something_and_hold_no_markup() -> None:
    for key, text in TEXTS.items():
        assert text.strip() == text != "", key
        assert "<" not in text, key


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_no_text_for_people_stands_in_a_script(path: Path) -> None:
    wrong = []
    for line in bare(path.read_text("utf-8")).split("\n"):
        if FOR_DEVELOPERS.search(line):
            continue
        for found in QUOTED.finditer(line):
            text = re.sub(r"\$\{[^}]*\}", "", found[1] if found[1] is not None else found[2])
            if SENTENCE.search(text) and not ICON.fullmatch(text) and text not in NAMES:
                wrong.append(line.strip())
    assert wrong == []


def test_the_check_would_find_one() -> None:
    assert SENTENCE.search("Roll the dice")
    assert SENTENCE.search("Roll")
    assert not SENTENCE.search("od-choices")
    assert used('say("ODDSMITH.Title")') == {"ODDSMITH.Title"}
