"""What an editor is told without asking: problems from their first character to their last, and what the game is worth."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import oddsmith
from oddsmith.api.checking import check_source
from oddsmith.base.errors import RulesetError
from oddsmith.base.location import Source
from oddsmith.editor.server import MAX_POSITIONS
from oddsmith.ruleset.reading.build import read_ruleset
from tests.lsp.editor import PLAIN, ROOT, Editor, Message
from tests.lsp.test_completing import GAME
from tests.secrets.test_errors import AT_ONCE, BOAST
from tests.terminal import run

NERVE = (
    GAME.replace("  gap(a, b): abs(a - b)\n", "")
    .replace("  bag: {each: colours, max: 3, start: 3}\n", "")
    .replace("lists:\n  colours: [red, blue]\ndice:\n  coin: {faces: [0, 1]}\n", "")
)
LUCK = (ROOT / "rulesets" / "starters" / "push-your-luck.yaml").read_text("utf-8")
LARGE = (ROOT / "rulesets" / "hold-the-pot.yaml").read_text("utf-8")

# A slip, and the words that are marked; None: the rest of the line.
SLIPS = [
    ("safe < goal", "safe < gaol", "gaol", "OD312"),
    ("add die to stash", "add die to stach", "stach", "OD312"),
    ("add die to stash", "add die two stash", "add die two stash", "OD331"),
    ("resets: turn", "reset: turn", "reset", "OD201"),
    ("turn: throw", "turn: thorw", "thorw", "OD343"),
    ("then: decide", "then: decied", "decied", "OD343"),
    ("{option: Stop}", "{option: Stopp}", "Stopp", "OD362"),
    ("{die: d6}", "{die: 1x6}", "1x6", "OD348"),
    ('"{die} more."', '"The {dice} more."', "dice", "OD312"),
    ("seats: 2", "seats: 7", "7", "OD205"),
    ("score >= goal", "score >= goal and stash", "stash", "OD321"),
    ("title: Nerve", "title:", "title", "OD203"),
    ("id: nerve", "id: Nerve Game", "Nerve Game", "OD206"),
    ("safe < goal", "safe = goal", "=", "OD304"),
]


@pytest.mark.parametrize(("before", "after", "marked", "code"), SLIPS, ids=lambda value: str(value)[:30])
def test_a_problem_is_marked_from_its_first_character_to_its_last(
    editor: Editor, before: str, after: str, marked: str | None, code: str
) -> None:
    assert GAME.count(before) == 1
    text = GAME.replace(before, after)
    editor.write("slips.yaml", text)
    found = editor.problems("slips.yaml")
    lines = text.split("\n")
    shown = []
    for problem in found:
        start, end = problem["range"]["start"], problem["range"]["end"]
        assert start["line"] == end["line"]
        shown.append((problem["code"], lines[start["line"]][start["character"] : end["character"]]))
    assert code in [problem["code"] for problem in found]
    if marked is not None:
        assert (code, marked) in shown


def test_the_problems_are_those_of_a_check(editor: Editor) -> None:
    for text in (
        GAME,
        GAME.replace("max: 14, resets", "max: 4, resets"),
        GAME.replace("then: pass\n", "then: throw\n"),
        GAME.replace("  decide:", "\tdecide:"),
        GAME.replace("goal: {default: 6", "goal: {default: 60"),
        BOAST,
        BOAST.replace("{name: Doubt, do", "{name: Doubt, when: die > 3, do"),
        AT_ONCE.replace('"[1, 2]"', '"[1, 2] if die > 3 else [1]"'),
        BOAST.replace("seen_by: mover", "visible_to: mover"),
    ):
        editor.write("checked.yaml", text)
        told = editor.problems("checked.yaml")
        wanted = check_source(Source("", text)).problems
        places = [(problem.code, problem.location.line - 1, problem.location.column - 1) for problem in wanted]
        assert [(p["code"], p["range"]["start"]["line"], p["range"]["start"]["character"]) for p in told] == places
        assert [p["message"].split("\n")[0] for p in told] == [problem.message for problem in wanted]
        assert [p["severity"] for p in told] == [1 if problem.severity == "error" else 2 for problem in wanted]


def test_a_choice_by_what_is_not_seen_is_marked_where_it_looks(editor: Editor) -> None:
    text = BOAST.replace("{name: Doubt, do", '{name: Doubt, when: "gain < 2 and die > 3", do')
    editor.write("looking.yaml", text)
    (problem,) = editor.problems("looking.yaml")
    start, end = problem["range"]["start"], problem["range"]["end"]
    line = text.split("\n")[start["line"]]
    assert (problem["code"], line[start["character"] : end["character"]]) == ("OD536", "die")
    assert line[start["character"] :].startswith("die > 3")


def test_where_reading_knows_the_end_it_is_the_end_of_what_is_wrong() -> None:
    """Over all slips: a stretch that is known is never empty, and ends in its own line."""
    for before, after, _, code in SLIPS:
        try:
            problems = read_ruleset(Source("", GAME.replace(before, after)))[1]
        except RulesetError as error:
            problems = error.problems
        known = [problem.location for problem in problems if problem.code == code and problem.location.until]
        assert known or code == "OD205", code
        assert all(until >= (place.line, place.column) for place in known if (until := place.until))


def test_a_text_that_is_no_ruleset_is_left_alone(editor: Editor) -> None:
    editor.write("compose.yaml", "services:\n  web: {image: nginx}\n")
    assert editor.problems("compose.yaml") == []
    assert editor.about("compose.yaml", "codeLens") == []
    editor.write("empty.yaml", "", language="oddsmith")
    assert [problem["code"] for problem in editor.problems("empty.yaml")] == ["OD105"]


def told(editor: Editor, name: str, ask: str = "codeLens", **more: object) -> list[tuple[int, str]]:
    """What is said at lines of a text, as soon as something new is said."""
    editor.until(
        lambda message: message.get("method", "").startswith("workspace/") and bool(lines(editor, name, ask, **more))
    )
    return lines(editor, name, ask, **more)


def lines(editor: Editor, name: str, ask: str, **more: object) -> list[tuple[int, str]]:
    found: list[Message] = editor.about(name, ask, **more)
    if ask == "codeLens":
        return [(lens["range"]["start"]["line"], lens["command"]["title"]) for lens in found]
    return [(hint["position"]["line"], hint["label"]) for hint in found]


def test_what_best_play_does_stands_above_each_phase(editor: Editor, tmp_path: Path) -> None:
    editor.write("nerve.yaml", NERVE)
    assert editor.problems("nerve.yaml") == []
    (title, first), (phase, second) = told(editor, "nerve.yaml")
    (tmp_path / "nerve.yaml").write_text(NERVE, "utf-8")
    solved = oddsmith.load(tmp_path / "nerve.yaml").solve()
    where = NERVE.split("\n")
    assert where[title] == "title: Nerve"
    assert first == f"win at 2 seats: {solved.values[0].decimal(4)}, {solved.values[1].decimal(4)} (exact)"
    assert where[phase] == "  decide:"
    (choice,) = solved.outline(rules=False).choices
    assert second.startswith(choice.lines[0])
    editor.write("nerve.yaml", NERVE.replace("default: 6", "default: 3"))
    for _, words in lines(editor, "nerve.yaml", "codeLens"):
        assert words.startswith("before the last edit: ")
    assert told(editor, "nerve.yaml")[0][1] != first


def test_a_newer_edit_takes_the_place_of_an_older_solve(editor: Editor) -> None:
    editor.write("pot.yaml", LARGE)
    editor.write("pot.yaml", NERVE)
    (_, first), _ = told(editor, "pot.yaml")
    assert first.startswith("win at 2 seats: ")
    editor.write("pot.yaml", LARGE)
    editor.write("other.yaml", NERVE)
    assert told(editor, "other.yaml")[0][1] == first


def test_a_game_beyond_the_budget_is_not_solved_and_says_so(editor: Editor) -> None:
    large = NERVE.replace("max: 9", "max: 900").replace("default: 6", "default: 500").replace("max: 14", "max: 1000")
    editor.write("large.yaml", large)
    assert told(editor, "large.yaml") == [(2, f"not solved here: over {MAX_POSITIONS:,} positions at 2 seats")]


def test_an_editor_without_lines_above_shows_the_same_at_the_end_of_lines() -> None:
    plain = Editor(PLAIN)
    plain.write("nerve.yaml", LUCK)
    around = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    first, (phase, second) = told(plain, "nerve.yaml", "inlayHint", range=around)
    assert first[1].startswith("win at 2 seats: ")
    assert LUCK.split("\n")[phase] == "  decide:"
    assert second.startswith("Stop when stash is ")
    assert plain.about("nerve.yaml", "codeLens") == []
    plain.close()


def test_a_text_is_laid_out_in_house_style(editor: Editor) -> None:
    editor.write("style.yaml", NERVE.replace("score: {each: seat, max: 14}", "score:   {each: seat,   max: 14}"))
    (edit,) = editor.about("style.yaml", "formatting", options={"tabSize": 2, "insertSpaces": True})
    assert read_ruleset(Source("", edit["newText"]))[1] == ()
    assert "score: {each: seat, max: 14}" in edit["newText"]


def test_without_its_library_the_verb_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [
        name for name in sys.modules if name.partition(".")[0] == "lsprotocol" or name == "oddsmith.editor.server"
    ]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "lsprotocol", None)
    done = run("lsp")
    assert done.returncode == 1
    assert "`lsp` needs the extra `lsp`: pip install 'oddsmith[lsp]'" in done.stderr
