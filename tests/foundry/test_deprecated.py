"""The scripts call nothing that Foundry 13 and 14 deprecate or have removed: the types still know much of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

SITE = Path(__file__).resolve().parents[2] / "site"
SCRIPTS = [path for folder in ("foundry", "runtime") for path in sorted((SITE / folder).rglob("*.mjs"))]

UTILITIES = (
    "mergeObject|getProperty|setProperty|hasProperty|deepClone|duplicate|expandObject|flattenObject|diffObject|filterObject"
    "|invertObject|isEmpty|isNewerVersion|isSubclass|randomID|getType|debounce|benchmark|timeSince|fetchJsonWithTimeout"
)
RULES = {
    r"\brollMode\b": "rollMode is deprecated in 14: pass none, for cards are public in every mode",
    rf"(?<![\w$.#])(?<!function )({UTILITIES})\s*\(": "removed from the global names in 14: foundry.utils has it",
    r"""['"`](?:[\w$]+\.)*-=[\w$]""": "keys with -= are deprecated in 14",
    r"""\b(renderChatMessage|getSceneControls|getChatLogEntryContext)\b""": "the hook has another name since 13",
    r"\bgetHTML\s*\(": "renderHTML since 13",
    r"(?<![\w.])(Dialog|Application|FormApplication|DocumentSheet)\s*[.({]": "of the first generation, gone in 16",
    r"\bextends\s+(?:\w+\.)*(Application|FormApplication|Dialog)\b": "of the first generation, gone in 16",
    r"\$\(|\bjQuery\b|\bhtml\.find\(": "jQuery",
    r"\bMath\.(clamped|random)\b": "clamped is gone; chance is the host's",
    r"(?<![\w.])(eval|Function)\s*\(|\bnew\s+Function\b|\bimport\s*\(\s*[^)\s]*\+": "code made at run time",
    r"(?<![\w.])(loadTemplates|renderTemplate|getTemplate|TextEditor|FilePicker)\b": "has moved below foundry since 13",
    r"\.data\.data\b|\bentity\b": "of before version 10",
    r"\bmessage\.user\b": "a message's author since 12",
    r"\b(documentCollection|getChatText|resultId)\b": "old fields of a table's results",
    r"\b(innerHTML|outerHTML|insertAdjacentHTML|document\.write)\b": "texts go in as text",
    r"\bfetch\s*\(\s*['\"`]https?:|\bXMLHttpRequest\b|\bWebSocket\b|\bsendBeacon\b": "nothing is loaded from elsewhere",
    r"""\bimport\b[^;]*['"](?!\.{1,2}/)[^'"]+['"]""": "modules come from this folder only",
}

CAUGHT = [
    'new Roll("1d6").toMessage({}, {rollMode: "gmroll"})', "mergeObject(a, b)", 'update({"flags.-=x": null})',
    'Hooks.on("renderChatMessage", f)', "message.getHTML()", "new Dialog({})", "class A extends FormApplication {",
    "$(html)", "Math.clamped(1, 2, 3)", 'eval("1")', "TextEditor.enrichHTML(a)", "message.user.id", "element.innerHTML = a",
    'fetch("https://example.org")', 'import x from "https://example.org/x.mjs"', "Dialog.confirm({})",
]  # fmt: skip
PASSED = [
    "foundry.utils.mergeObject(a, b)", 'Hooks.on("renderChatMessageHTML", f)', "class A extends ApplicationV2 {",
    "this.#duplicate(a)", "foundry.applications.api.DialogV2.confirm({})", "message.author.id",
    'import { x } from "../runtime/values.mjs"', "foundry.applications.ux.TextEditor.implementation.enrichHTML(a)",
    "Hooks.callAll(name)",
]  # fmt: skip


def found(text: str) -> list[str]:
    """What is wrong with a script, line by line; comments count as little as in the machine."""
    bare = re.sub(r"/\*.*?\*/", lambda at: "\n" * at[0].count("\n"), text, flags=re.DOTALL)
    bare = re.sub(r"(?<![:'\"`\w])//.*", "", bare)
    return [
        f"line {number}: {words}: {line.strip()}"
        for number, line in enumerate(bare.split("\n"), 1)
        for pattern, words in RULES.items()
        if re.search(pattern, line)
    ]


def test_there_are_scripts() -> None:
    assert {path.relative_to(SITE).parts[0] for path in SCRIPTS} == {"foundry", "runtime"}


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.relative_to(SITE).as_posix())
def test_nothing_deprecated_is_called(path: Path) -> None:
    assert found(path.read_text("utf-8")) == []


@pytest.mark.parametrize("line", CAUGHT)
def test_the_lint_catches(line: str) -> None:
    assert found(line)


@pytest.mark.parametrize("line", PASSED)
def test_the_lint_lets_pass(line: str) -> None:
    assert found(line) == []
    assert found(f"a(); // {CAUGHT[0]}\n/* {CAUGHT[1]}\n {CAUGHT[2]} */") == []
