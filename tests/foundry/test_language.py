"""Every text that people see stands in a table, each is used, and a module takes translations of them all."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from oddsmith.api.modules import module_scripts
from oddsmith.base.errors import OddsmithError
from oddsmith.base.exact import Grade
from oddsmith.publish.pages import playing
from oddsmith.tabletops.foundry.language import ENGLISH, NAME, RUNTIME, english_texts, module_texts, parse_translation

SITE = Path(__file__).resolve().parents[2] / "site"
FOUNDRY = sorted((SITE / "foundry").rglob("*.mjs"))
WORDS = SITE / "runtime" / "words" / "words.mjs"
RUNTIME_SCRIPTS = sorted(set((SITE / "runtime").rglob("*.mjs")) - {WORDS})
TEXTS: dict[str, str] = json.loads((SITE / "foundry" / "lang" / "en.json").read_text("utf-8"))
ALL = english_texts((SITE / "foundry" / "lang" / "en.json").read_bytes(), WORDS.read_bytes())
ODDS: dict[str, str] = json.loads((SITE / "odds" / "lang" / "en.json").read_text("utf-8"))
_PLACES = re.compile(r"\{\w+\}")
QUOTED = re.compile(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`')
KEY = re.compile(r"ODDSMITH(?:\.\w+)+")
# Words of the person who wrote a macro or looks into the console, not of the people at the table.
FOR_DEVELOPERS = re.compile(r"throw new \w+\(|found\.faults|wrong\.push|console\.error")
SENTENCE = re.compile(r"[A-Za-z]{2,}[,.:]? [A-Za-z]{2,}|^[A-Z][a-z]+[.!]?$")
CLASSES = re.compile(r"(?:(?:fa|od|oddsmith)-[\w-]+ ?)+")
NAMES = {"Enter", "Escape", "Actor", "OWNER", "oddsmith dice 1"}


def bare(text: str) -> str:
    """A script without its comments."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    return re.sub(r"(?<![:'\"`\w])//.*", "", text)


def used(text: str) -> set[str]:
    """The keys of a script."""
    return set(KEY.findall(text))


def quoted(line: str) -> Iterator[str]:
    """The texts in a line, without what is put into them."""
    for found in QUOTED.finditer(line):
        yield re.sub(r"\$\{[^}]*\}", "", found[1] if found[1] is not None else found[2])


def test_every_key_that_is_used_is_defined_and_the_other_way_round() -> None:
    keys = {key for path in FOUNDRY for key in used(bare(path.read_text("utf-8")))}
    assert RUNTIME.rstrip(".") in keys, "the runtime speaks as the world does"
    keys = keys - {RUNTIME.rstrip(".")} | {NAME}
    assert sorted(keys - set(TEXTS)) == []
    assert sorted(set(TEXTS) - keys) == []


def test_every_sentence_of_the_runtime_is_said_somewhere() -> None:
    scripts = {path for path in SITE.rglob("*.mjs") if "bundled" not in path.parts} - {WORDS}
    said = {text for path in scripts for text in quoted(bare(path.read_text("utf-8")))}
    said |= set(quoted(WORDS.read_text("utf-8").partition("typedef")[2]))
    said |= {*get_args(Grade), "under", "over"}  # which a book names
    keys = {key.removeprefix(RUNTIME) for key in ALL if key.startswith(RUNTIME)}
    assert len(keys) > 40
    assert sorted(keys - said) == []


def test_texts_say_something_and_hold_no_markup() -> None:
    for key, text in ALL.items():
        assert text.strip() == text != "", key
        assert "<" not in text, key


def test_foundry_can_lay_the_keys_out_as_a_tree() -> None:
    assert [key for key in ALL if any(other.startswith(f"{key}.") for other in ALL)] == []


@pytest.mark.parametrize("path", [*FOUNDRY, *RUNTIME_SCRIPTS], ids=lambda path: path.relative_to(SITE).as_posix())
def test_no_text_for_people_stands_in_a_script(path: Path) -> None:
    wrong = []
    for line in bare(path.read_text("utf-8")).split("\n"):
        texts = [] if FOR_DEVELOPERS.search(line) else quoted(line)
        wrong += [
            line.strip()
            for text in texts
            if SENTENCE.search(text) and not CLASSES.fullmatch(text) and text not in NAMES
        ]
    assert wrong == []


def test_no_text_for_people_is_written_into_a_book() -> None:
    """But for the words of its ruleset; what a page on the web says around its game is no part of a book."""
    tree = ast.parse(Path(playing.__file__).read_text("utf-8"))
    functions = [
        node
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name not in ("play_html", "_play_offer_sentence")
    ]
    assert len(functions) > 4
    texts = [
        part.value
        for node in functions
        for statement in node.body[1:]  # after what it says of itself
        for part in ast.walk(statement)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    ]
    assert [text for text in texts if SENTENCE.search(text)] == []


def test_the_check_would_find_one() -> None:
    assert SENTENCE.search("Roll the dice")
    assert SENTENCE.search("Roll")
    assert not SENTENCE.search("od-choices")
    assert used('say("ODDSMITH.Title")') == {"ODDSMITH.Title"}


# --- translations


def german(**texts: str) -> bytes:
    return json.dumps({NAME: "Deutsch"} | {f"{RUNTIME}{key}": text for key, text in texts.items()}).encode()


def test_a_module_has_all_texts_in_its_own_file() -> None:
    assert json.loads(module_scripts()[ENGLISH]) == ALL
    assert ALL[f"{RUNTIME}noDice"] == "no dice"


def test_what_is_not_translated_stays_english_and_is_told() -> None:
    found = parse_translation("de.json", german(noDice="keine Würfel", point=","), ALL)
    assert (found.tag, found.name, found.path) == ("de", "Deutsch", "lang/de.json")
    assert found.texts[f"{RUNTIME}noDice"] == "keine Würfel"
    assert found.texts["ODDSMITH.Title"] == ALL["ODDSMITH.Title"]
    assert set(found.texts) == set(ALL)
    assert set(found.missing) == set(ALL) - {NAME, f"{RUNTIME}noDice", f"{RUNTIME}point"}
    for tag in ("pt-BR", "zh-Hant", "sr-Latn-RS", "es-419", "fil"):
        assert parse_translation(f"{tag}.json", b"{}", ALL).name == tag


def test_english_may_be_said_in_words_of_ones_own() -> None:
    found = parse_translation("en.json", b'{"ODDSMITH.Title": "Inn games"}', ALL)
    assert (found.tag, found.name, found.path) == ("en", "English", ENGLISH)
    assert found.texts == ALL | {"ODDSMITH.Title": "Inn games"}
    assert set(found.missing) == set(ALL) - {"ODDSMITH.Title"}


def test_a_file_of_any_module_translates_every_other() -> None:
    assert all(key.startswith("ODDSMITH.dice-night.") for key in module_texts("dice-night", ALL))
    for module in ("dice-night", "settings", "runtime"):
        file = json.dumps(module_texts(module, {key: f"{text}!" for key, text in ALL.items()})).encode()
        found = parse_translation("de.json", file, ALL)
        assert found.texts == {key: f"{text}!" for key, text in ALL.items()}
        assert found.missing == ()


def test_a_translation_may_turn_the_places_round() -> None:
    found = parse_translation("de.json", german(rolledThen="{story} ({name} würfelt {fell})."), ALL)
    assert found.texts[f"{RUNTIME}rolledThen"].startswith("{story}")


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("german.json", b"{}", "not named after its language"),
        ("de.txt", b"{}", "not named after its language"),
        ("de_DE.json", b"{}", "not named after its language"),
        ("de-12.json", b"{}", "not named after its language"),
        ("de-DE-DE.json", b"{}", "not named after its language"),
        ("de-Latn-Latn.json", b"{}", "not named after its language"),
        ("de-LATN.json", b"{}", "not named after its language"),
        ("pt-br.json", b"{}", "not named after its language"),
        ("DE.json", b"{}", "not named after its language"),
        ("es-\u0664\u0661\u0669.json", b"{}", "not named after its language"),
        ("de.json", b"[" * 200_000, "de.json is nested too deeply"),
        ("de.json", b'{"ODDSMITH.Title": "a\\ud800b"}', "de.json has half a character: '\\ud800'"),
        ("de.json", b'{"a\\udfffb": ""}', "de.json has half a character: '\\udfff'"),
        ("de.json", german(noDice="{a-b} { c }"), "the places { c }, {a-b}, but needs none"),
        ("de.json", german(players="{number} {} {\n}"), ", but needs {number}"),
        ("de.json", b'{"__proto__": "x"}', "there is no text __proto__"),
        ("de.json", b'{"constructor": "x"}', "there is no text constructor"),
        ("de.json", b"{", "cannot be read as JSON"),
        ("de.json", b"\xff", "cannot be read as JSON"),
        ("de.json", b"[]", "not an object of texts"),
        ("de.json", german(nodice="keine"), "did you mean ODDSMITH.runtime.noDice"),
        ("de.json", b'{"ODDSMITH.a-b.Titel": "x"}', "there is no text ODDSMITH.a-b.Titel"),
        ("de.json", b'{"ODDSMITH.Title": "x", "ODDSMITH.a-b.Title": "y"}', "ODDSMITH.Title is there twice"),
        ("de.json", b'{"ODDSMITH.Title": 3}', "ODDSMITH.Title is no text"),
        ("de.json", b'{"ODDSMITH.Title": " "}', "ODDSMITH.Title is no text"),
        ("de.json", german(noDice="<b>keine</b>"), "texts cannot have markup"),
        ("de.json", german(players="Spieler"), "the places none, but needs {number}"),
        ("de.json", german(players="{number} Spieler {name}"), "the places {name}, {number}, but needs {number}"),
    ],
)
def test_a_translation_that_would_not_do_is_refused(name: str, data: bytes, said: str) -> None:
    with pytest.raises(OddsmithError, match=re.escape(said)):
        parse_translation(name, data, ALL)


@pytest.mark.parametrize("tag", ["de", "fr"])
@pytest.mark.parametrize(("room", "known"), [("foundry", ALL), ("odds", ODDS)], ids=["games", "odds"])
def test_our_translations_have_every_text_in_the_order_of_the_english_ones(
    tag: str, room: str, known: dict[str, str]
) -> None:
    data = (SITE / room / "lang" / f"{tag}.json").read_bytes()
    found = parse_translation(f"{tag}.json", data, known)  # which compares the places in braces
    assert list(json.loads(data)) == list(known)
    assert (found.missing, found.name) == ((), {"de": "Deutsch", "fr": "Français"}[tag])
    alike = {key for key, text in found.texts.items() if text == known[key]}
    assert all(len(_PLACES.sub("", known[key])) < 12 for key in alike), "left in English"
    for key, text in found.texts.items():
        assert text, key
        assert text.strip() == text or known[key] == ",", key
        assert len(text) < 3 or known[key][-1] not in ".?:" or text[-1] in ".?:", key
