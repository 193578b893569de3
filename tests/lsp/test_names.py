"""What a word means, where it is defined, and what another name for it changes; on texts that do not parse as well."""

from __future__ import annotations

from pathlib import Path

import pytest

from oddsmith.base.errors import InputError
from oddsmith.base.location import Location, Source
from oddsmith.editor.reading import parse_leniently
from oddsmith.editor.showing import builtin_description
from oddsmith.editor.uses import NameIndex, Use, locations_to_rename
from oddsmith.expr.functions import FUNCTIONS
from oddsmith.expr.scope import BUILTINS
from oddsmith.ruleset.reading.build import read_ruleset
from oddsmith.ruleset.reading.schema import ruleset_schema
from tests.lsp.editor import ROOT, Editor, Refused
from tests.lsp.test_completing import GAME

FOLDERS = [ROOT / "rulesets", ROOT / "rulesets" / "starters", ROOT / "tests" / "samples"]
RULESETS = [path for folder in FOLDERS for path in sorted(folder.glob("*.yaml"))]
MORE = GAME.replace(
    "end_when: score >= goal\n",
    """end_when: score >= goal
told: "Reach {goal} points. {colours} count."
remember:
  - {line: "Stop at {number}. You bust {Busts} times.", option: Stop, from: stash}
  - {line: Take care., policy: careful}
measures:
  Busts: {count: [throw, Bust]}
  Rolled: {mean: die, at: [throw, Safe]}
boards:
  score: {rows: [{squares: [1, 2, 3]}]}
""",
)
BROKEN = MORE.replace("    roll: {die: d6}\n", "    roll: {die: d6\n").replace("summary: T", "summary: 'T")


def place(text: str, words: str, more: int = 0) -> tuple[int, int]:
    """The line and the column of some words of a text, from 0."""
    assert text.count(words) == 1, words
    before = text.partition(words)[0]
    return before.count("\n"), len(before.rpartition("\n")[2]) + more


def shown(editor: Editor, text: str, words: str, more: int = 0) -> str:
    editor.write("names.yaml", text)
    found = editor.at("names.yaml", *place(text, words, more), "hover")
    return str(found["contents"]["value"]) if found else ""


@pytest.mark.parametrize("text", [MORE, BROKEN], ids=["whole", "broken"])
def test_a_word_is_explained(editor: Editor, text: str) -> None:
    stash = shown(editor, text, "add die to stash", 12)
    assert "a variable" in stash
    assert "Points at risk." in stash
    assert "stash: {max: 14" in stash
    assert FUNCTIONS["abs"].signature in shown(editor, text, "abs(a")
    assert FUNCTIONS["share"].signature in shown(editor, text, "share(score)", 2)
    assert "a phase (line " in shown(editor, text, "then: decide", 7)
    assert "the phase throw" in shown(editor, text, "[throw, Bust]", 8)
    assert "a policy" in shown(editor, text, "policy: careful", 9)
    assert "a parameter" in shown(editor, text, "Reach {goal}", 7)
    key = shown(editor, text, "resets: turn", 2)
    said = ruleset_schema()["definitions"]["number_variable"]["properties"]["resets"]
    assert said["description"] in key
    assert "resets: turn" in key
    assert shown(editor, text, "Take care.", 3) != FUNCTIONS["any"].signature


SECRET = GAME.replace("    roll: {die: d6}\n", "    roll: {die: d6}\n    seen_by: mover\n").replace(
    "  decide:\n",
    """  bid:
    choose_together: {way: "[1, 2]"}
    do: {for: everyone, do: add way to score}
    then: pass
  decide:
""",
)


def test_words_of_secrets_are_explained(editor: Editor) -> None:
    seen, offered = shown(editor, SECRET, "seen_by: mover"), shown(editor, SECRET, "choose_together: {way")
    assert ruleset_schema()["definitions"]["plain_phase"]["properties"]["seen_by"]["description"] in seen
    assert "seen_by: mover" in seen
    assert "choose_together: {way: [stay, leave]}" in offered
    assert shown(editor, SECRET, "add way to", 4).startswith("**way**")
    assert builtin_description("mover") in shown(editor, SECRET, "seen_by: mover", 9)


def test_every_word_of_the_language_is_explained() -> None:
    assert [name for name in (*FUNCTIONS, *BUILTINS) if len(builtin_description(name)) < 20] == []


@pytest.mark.parametrize("text", [MORE, BROKEN], ids=["whole", "broken"])
def test_a_name_leads_to_its_definition(editor: Editor, text: str) -> None:
    editor.write("names.yaml", text)
    for words, more, defined, at in (
        ("add die to stash", 12, "  stash: {", 2),
        ("add die to stash", 5, "roll: {die", 7),
        ("then: decide", 6, "  decide:\n", 2),
        ("turn: throw", 8, "  throw:\n", 2),
        ("safe < goal", 0, "  safe: stash", 2),
        ("safe < goal", 7, "  goal: {default", 2),
        ("[throw, Bust]", 8, "name: Bust", 6),
        ("policy: careful", 10, "  careful: {", 2),
        ("from: stash", 7, "  stash: {", 2),
        ("{Busts}", 2, "  Busts: {", 2),
        ("each: colours", 7, "  colours: [", 2),
        ("score: {rows", 0, "  score: {each", 2),
        ("abs(a - b)", 4, "gap(a, b)", 4),
    ):
        found = editor.at("names.yaml", *place(text, words, more), "definition")
        assert found is not None, words
        start = found["range"]["start"]
        assert (start["line"], start["character"]) == place(text, defined, at), words


def changed(text: str, places: list[Location], before: str, after: str) -> str:
    """The text with another name at some places."""
    lines = text.split("\n")
    for where in sorted(places, reverse=True):
        line = lines[where.line - 1]
        assert line[where.column - 1 :].startswith(before)
        lines[where.line - 1] = line[: where.column - 1] + after + line[where.column - 1 + len(before) :]
    return "\n".join(lines)


def fresh(use: Use) -> str:
    return f"{use.name.replace(',', '')}zz"


def rename_all(text: str) -> tuple[str, int]:
    """A text with another name for everything that it names, and how many names that are."""
    index = NameIndex(parse_leniently(Source("", text)))
    named = {use.reference_key: use for use in index.uses if use.defines}.values()
    edits = [
        (where, use.name, fresh(use))
        for use in named
        for where in locations_to_rename(index, use.location.line, use.location.column, fresh(use))
    ]
    for where, before, after in sorted(edits, reverse=True):
        text = changed(text, [where], before, after)
    return text, len(named)


@pytest.mark.parametrize("path", RULESETS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_ruleset_with_other_names_for_everything_is_as_right_as_before(path: Path) -> None:
    """Were a name forgotten anywhere, it would be unknown there; were one too many changed, it would be known to nobody."""
    text = path.read_text("utf-8")
    other, count = rename_all(text)
    assert count > 5
    before, after = (read_ruleset(Source("", each)) for each in (text, other))
    assert [problem.code for problem in after[1]] == [problem.code for problem in before[1]]
    assert list(after[0].state) == [f"{name}zz" for name in before[0].state]
    assert list(after[0].phases) == [f"{name}zz" for name in before[0].phases]
    assert other.count("zz") > count


@pytest.mark.parametrize("text", [MORE, BROKEN], ids=["whole", "broken"])
def test_a_name_changes_everywhere(editor: Editor, text: str) -> None:
    editor.write("names.yaml", text)
    for words, more, name, result in (
        ("add die to stash", 12, "pile", text.replace("stash", "pile")),
        ("then: decide", 6, "stay or go", text.replace("decide", "stay or go")),
        ("policy: careful", 10, "take care", text.replace("careful", "take care")),
        ("die == 1", 0, "cube", text.replace("die", "cube")),
        ("Reach {goal}", 8, "aim", text.replace("goal", "aim")),
        ("[throw, Bust]", 8, "Broke", text.replace("Bust]", "Broke]").replace("name: Bust", "name: Broke")),
    ):
        line, column = place(text, words, more)
        old = editor.at("names.yaml", line, column, "prepareRename")["placeholder"]
        edits = editor.at("names.yaml", line, column, "rename", newName=name)["changes"][editor.uri("names.yaml")]
        where = [Location("", e["range"]["start"]["line"] + 1, e["range"]["start"]["character"] + 1) for e in edits]
        assert {e["newText"] for e in edits} == {name}
        assert changed(text, where, old, name) == result, words


def test_a_name_that_is_taken_or_not_valid_is_refused(editor: Editor) -> None:
    editor.write("names.yaml", MORE)
    for words, more, name, why in (
        ("add die to stash", 12, "score", "already means something in line 18"),
        ("add die to stash", 12, "die", "already means something"),
        ("add die to stash", 12, "red", "already means something"),
        ("add die to stash", 12, "sum", "is a word of the language"),
        ("add die to stash", 12, "2nd", "cannot be a name"),
        ("add die to stash", 12, "if", "is a word of the language"),
        ("then: decide", 6, "throw", "already means something"),
        ("then: decide", 6, "pass", "does not fit"),
        ("policy: careful", 10, "a: b", "does not fit"),
    ):
        with pytest.raises(Refused, match=why):
            editor.at("names.yaml", *place(MORE, words, more), "rename", newName=name)
    with pytest.raises(Refused, match="nothing that this file names"):
        editor.at("names.yaml", *place(MORE, "share(score)", 2), "prepareRename")
    with pytest.raises(InputError):
        locations_to_rename(NameIndex(parse_leniently(Source("", MORE))), 1, 1, "other")


def test_all_places_of_a_name_are_found(editor: Editor) -> None:
    editor.write("names.yaml", MORE)
    found = editor.at("names.yaml", *place(MORE, "turn: throw", 6), "references", context={"includeDeclaration": True})
    assert len(found) == MORE.count("throw")
