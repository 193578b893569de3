"""What is offered where somebody types: keys of the schema, names of the file, functions, phases; and nothing else."""

from __future__ import annotations

import re
from typing import Any

import pytest
from ruamel.yaml import YAML

from oddsmith.base.location import Source
from oddsmith.editor.completing import completions, fill_snippet_defaults
from oddsmith.editor.reading import cursor_at
from oddsmith.expr.functions import FUNCTIONS
from oddsmith.ruleset.reading.schema import ruleset_schema
from tests.lsp.editor import PLAIN, Editor

GAME = """format: 1
id: nerve
title: Nerve
summary: Throw for points and stop before a 1.
seats: 2
sides: [knight, witch]
parameters:
  goal: {default: 6, min: 2, max: 9, about: Points that win.}
lists:
  colours: [red, blue]
dice:
  coin: {faces: [0, 1]}
define:
  safe: stash + score
  gap(a, b): abs(a - b)
state:
  stash: {max: 14, resets: turn, about: Points at risk.}
  score: {each: seat, max: 14}
  bag: {each: colours, max: 3, start: 3}
payoffs: {win: share(score)}
turn: throw
phases:
  throw:
    roll: {die: d6}
    outcomes:
      - {name: Bust, when: die == 1, then: pass}
      - name: Safe
        say: "{die} more."
        do: add die to stash
        then: decide
  decide:
    choose:
      - name: Stop
        do: move stash to score
        then: pass
      - {name: Go on, when: safe < goal, then: throw}
end_when: score >= goal
policies:
  careful: {decide: [{option: Stop}]}
"""
BARE = ("goal", "stash", "score", "safe", "gap", "red", "seats", "mover", "sum", "true")

TOGETHER = "  other:\n    choose_together: {way: [1, 2]}\n"

# A change of the game, ``‸`` where somebody types; what is offered then, and what is not.
CASES = [
    ("safe < goal", "sa‸", BARE, ("die", "Stop", "decide", "sa")),
    ("when: die == 1, then: pass}", "when: ‸, then: pass}", ("die", *BARE), ("decide", "pass")),
    ("when: die == 1, then: pass}", "when: die == ‸", ("die", *BARE), ("pass",)),
    ("die == 1", "count(‸", ("die", *BARE), ("Stop",)),
    ("abs(a - b)", "a - ‸", ("a", "b", "die", "stash"), ("Stop",)),
    ("add die to stash", "add die to ‸", ("stash", "score", "die"), ("decide",)),
    ("add die to stash", "‸", ("add", "move all", "if", "for"), ("stash",)),
    ("add die to stash", "ad‸", ("add",), ("stash",)),
    ('"{die} more."', '"{‸} more."', ("die", "stash", "sum"), ("Stop",)),
    ('"{die} more."', '"Now {st‸', ("stash",), ("Stop",)),
    ('"{die} more."', '"Now ‸ more."', (), ("die", "stash")),
    ("then: decide\n", "then: ‸\n", ("throw", "decide", "pass", "again", "end"), ("stash", "goal", "sum")),
    ("turn: throw", "turn: ‸", ("throw", "decide"), ("pass", "stash")),
    ("        then: decide\n", "        ‸\n", ("when", "then"), ("name", "say", "do", "does", "roll")),
    ("        then: decide\n", "        th‸\n", ("then",), ("name", "does")),
    ("{name: Bust, when: die == 1, then: pass}", "{name: Bust, ‸", ("when", "then", "say", "do"), ("name", "for")),
    ("      - name: Stop\n", "      - ‸\n      - name: Stop\n", ("name", "for", "when", "then"), ("stash",)),
    ("    roll: {die: d6}\n", "    ‸\n    roll: {die: d6}\n", ("draw", "then"), ("roll", "outcomes", "label")),
    ("  decide:\n", "  other:\n    ‸\n  decide:\n", ("roll", "draw", "choose", "cases"), ("label", "phases")),
    ("roll: {die: d6}", "roll: {die: ‸}", ("coin", "goal", "rest"), ("Stop",)),
    ("max: 14, resets: turn", "max: 14, ‸", ("resets", "start", "each", "type", "show"), ("max", "about", "dice")),
    ("max: 14, resets: turn", "type: ‸", ("number", "flag", "hand", "tally"), ("stash",)),
    ("each: colours", "each: ‸", ("colours", "seat"), ("stash", "red")),
    ("max: 3, start: 3}", "max: 3, start: {1: ‸", ("goal", "sum"), ("Stop", "decide")),
    ("option: Stop", "option: ‸", ("Stop", "Go on"), ("Bust", "stash")),
    ("  careful: {decide:", "  careful: {‸:", ("throw", "decide"), ("Stop", "goal")),
    ("end_when: score >= goal\n", "‸\n", ("end_when", "measures", "told"), ("turn", "phases", "roll")),
    ("end_when: score >= goal\n", "measures:\n  Busts: {count: [throw, ‸\n", ("Bust", "Safe"), ("Stop", "stash")),
    ("end_when: score >= goal\n", "variants:\n  long: {set: {‸\n", ("goal", "seats"), ("stash",)),
    ("title: Nerve\n", "title: Nerve\n# here ‸\n", (), ("goal", "turn", "measures")),
    ("      - name: Stop\n", "      - name: Stop\n        only: ‸\n", ("knight", "witch"), ("stash", "red")),
    ("safe < goal", "mover == k‸", ("knight", "witch"), ("Stop",)),
    ("end_when: score >= goal\n", "measures:\n  X: {count: [throw, Safe], when: ‸\n", ("die", "stash"), ("Safe",)),
    (
        "end_when: score >= goal\n",
        "tables:\n  Moods:\n    ‸\n",
        ("dice", "weights", "outcomes_of", "ranges"),
        ("roll",),
    ),
    ("end_when: score >= goal\n", "tables:\n  Moods:\n    dice: 2d6\n    ‸\n", ("rows",), ("dice", "weights")),
    ("end_when: score >= goal\n", "tables:\n  Moods:\n    dice: 2 of ‸\n", ("coin", "goal"), ("Stop", "rest")),
    ("end_when: score >= goal\n", "tables:\n  Moods:\n    outcomes_of: ‸\n", ("throw", "decide"), ("pass", "stash")),
    ("end_when: score >= goal\n", "boards:\n  ‸\n", ("score", "stash"), ("throw", "Stop")),
    ("end_when: score >= goal\n", "boards:\n  score:\n    ‸\n", ("rows", "length", "across", "marks"), ("show",)),
    ("end_when: score >= goal\n", "boards:\n  score: {across: ‸\n", ("score", "stash"), ("Stop", "decide")),
    ("end_when: score >= goal\n", "boards:\n  score: {length: ‸\n", ("goal", "max"), ("Stop", "decide")),
    ("    roll: {die: d6}\n", "    roll: {die: d6}\n    ‸\n", ("seen_by",), ("who", "label")),
    ("    roll: {die: d6}\n", "    roll: {die: d6}\n    seen_by: ‸\n", ("mover", "next", "nobody"), ("die", "Stop")),
    ("  decide:\n", "  decide:\n    ‸\n", ("seen_by",), ("who",)),
    ("  decide:\n", "  other:\n    ‸\n  decide:\n", ("seen_by", "choose_together"), ("who", "reveal")),
    ("  decide:\n", f"{TOGETHER}    ‸\n  decide:\n", ("who", "do", "label"), ("seen_by", "roll")),
    ("  decide:\n", f"{TOGETHER}    who: ‸\n  decide:\n", ("everyone", "others"), ("way", "nobody")),
    ("  decide:\n", f"{TOGETHER}    do: set stash to ‸\n  decide:\n", ("way", "stash"), ("die", "decide")),
    ("add die to stash", "‸", ("reveal",), ("seen_by",)),
    ("add die to stash", "reveal ‸", ("stash", "die"), ("reveal", "decide")),
    ("add die to stash", "reveal stash to ‸", ("next", "others"), ("decide",)),
]


@pytest.mark.parametrize(("before", "after", "wanted", "unwanted"), CASES, ids=lambda value: str(value)[:40])
def test_what_is_offered_is_what_may_stand_there(
    editor: Editor, before: str, after: str, wanted: tuple[str, ...], unwanted: tuple[str, ...]
) -> None:
    assert GAME.count(before) == 1
    offered = editor.offered(GAME.replace(before, after))
    assert offered.keys() >= set(wanted)
    assert offered.keys() & set(unwanted) == set()


def test_a_line_elsewhere_that_does_not_parse_hides_nothing(editor: Editor) -> None:
    broken = GAME.replace("    roll: {die: d6}\n", "    roll: {die: d6\n").replace("{option: Stop}", "{option: Stop")
    offered = editor.offered(broken.replace("safe < goal", "‸"))
    assert offered.keys() >= set(BARE)


def test_what_is_offered_says_what_it_is(editor: Editor) -> None:
    offered = editor.offered(GAME.replace("safe < goal", "‸"))
    assert "Points that win." in offered["goal"]["documentation"]["value"]
    assert offered["count"]["detail"] == FUNCTIONS["count"].signature
    keys = editor.offered(GAME.replace("        then: decide\n", "        ‸\n"))
    said = ruleset_schema()["definitions"]["outcome"]["properties"]["when"]
    assert said["description"] in keys["when"]["documentation"]["value"]
    assert said["examples"][0] in keys["when"]["documentation"]["value"]


def put(text: str, item: dict[str, Any]) -> str:
    """The text with an item taken where ``‸`` stood."""
    before, _, after = text.partition("‸")
    edit: dict[str, Any] = item["textEdit"]
    start, end = edit["range"]["start"], edit["range"]["end"]
    assert (end["line"], end["character"]) == (before.count("\n"), len(before.rpartition("\n")[2]))
    return f"{before[: len(before) - (end['character'] - start['character'])]}{edit['newText']}{after}"


def test_what_is_taken_stands_in_place_of_what_was_typed(editor: Editor) -> None:
    for change, label, result in (
        ("goal - sta‸", "stash", "goal - stash"),
        ("‸", "goal", "goal"),
        ("co‸", "count", "count($0)"),
    ):
        text = GAME.replace("safe < goal", change)
        assert put(text, editor.offered(text)[label]) == GAME.replace("safe < goal", result)
    text = GAME.replace("        then: decide\n", "        th‸\n")
    assert "        then: \n" in put(text, editor.offered(text)["then"])
    far = GAME.replace("title: Nerve\n", "title: Nerve 🎲\n").replace('"{die} more."', '"🎲 {di‸} more."')
    assert '"🎲 {die} more."' in put_in_utf16(far, editor.offered_in_utf16(far)["die"])


def put_in_utf16(text: str, item: dict[str, Any]) -> str:
    """The same where columns count pairs of bytes, as the protocol does."""
    before, _, after = text.partition("‸")
    line = before.rpartition("\n")[2]
    start, end = (item["textEdit"]["range"][key]["character"] for key in ("start", "end"))
    assert end == len(line.encode("utf-16-le")) // 2
    kept = line.encode("utf-16-le")[: 2 * start].decode("utf-16-le")
    return f"{before[: len(before) - len(line)]}{kept}{item['textEdit']['newText']}{after}"


def test_every_snippet_of_the_schema_is_yaml_that_the_schema_allows() -> None:
    places = {
        "state:\n  stash: {max: 14, resets: turn, about: Points at risk.}\n": "state:\n  stash:\n    ‸\n",
        "      - {name: Bust, when: die == 1, then: pass}\n": "      - ‸\n",
        "    choose:\n": "    choose:\n      - ‸\n",
        "        do: add die to stash\n": "        do: ‸\n",
        "  decide:\n": "  other:\n    ‸\n  decide:\n",
    }
    met = set()
    for before, after in places.items():
        text = GAME.replace(before, after)
        head, _, tail = text.partition("‸")
        cursor = cursor_at(Source("", head + tail), head.count("\n"), len(head.rpartition("\n")[2]))
        assert cursor is not None
        for item in completions(cursor):
            if item.kind == "snippet":
                met.add(item.label)
                line = head.rpartition("\n")[2]
                indent = " " * (len(line) - len(line.lstrip()))  # as an editor does it
                lines = fill_snippet_defaults(item.insert).replace("\n", "\n" + indent)
                assert YAML(typ="safe", pure=True).load(head + lines + tail) is not None, item
    assert met >= {"number", "hand", "outcome", "otherwise", "option for each", "move some", "roll", "choose", "cases"}


def test_an_editor_without_snippets_gets_plain_text() -> None:
    plain = Editor(PLAIN)
    for item in plain.offered(GAME.replace("add die to stash", "‸")).values():
        assert item["insertTextFormat"] == 1
        assert not re.search(r"\$[{0-9]", item["textEdit"]["newText"])
    plain.close()
