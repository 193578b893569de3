"""The joiner of modules: what it makes runs as the modules do, and it knows no form that it was not taught."""

from __future__ import annotations

import json
import subprocess

import pytest

from oddsmith.base.errors import JoinError
from oddsmith.tabletops.roll20 import joined_javascript_modules, module_scope_name
from tests.chromium import missing
from tests.node import NODE

LEAF = "export const ONE = 1;\nexport function twice(x) {\n  return 2 * x;\n}\nexport async function later() {}\n"
MIDDLE = (
    'import {\n  ONE,\n  twice,\n} from "../a/leaf.mjs";\n'
    "const own = twice(ONE);\nexport class Held {\n  value = own;\n}\n"
)
TOP = (
    'import { Held } from "./middle.mjs";\nimport { twice } from "../a/leaf.mjs";\n'
    "export const found = twice(new Held().value);\n"
)
MODULES = {"a/leaf.mjs": LEAF, "b/middle.mjs": MIDDLE, "b/top.mjs": TOP, "b/unused.mjs": "this is no script"}


def test_each_module_has_a_scope_of_its_own_and_stands_after_what_it_needs() -> None:
    if not NODE.exists():
        missing("Node is not set up")
    ask = f"console.log(JSON.stringify([{module_scope_name('b/top.mjs')}.found, typeof own]));"
    script = f'"use strict";\n{joined_javascript_modules(MODULES, "b/top.mjs")}\n{ask}'
    done = subprocess.run([str(NODE), "-e", script], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [4, "undefined"]
    assert "no script" not in script


@pytest.mark.parametrize(
    "line",
    [
        "export default 1;", "export let x = 1;", "export { x };", 'export * from "./leaf.mjs";', 'import x from "./leaf.mjs";',
        'import * as x from "./leaf.mjs";', 'import "./leaf.mjs";', 'import { x as y } from "./leaf.mjs";',
        'import { x } from "elsewhere";', 'const x = await import("./leaf.mjs");', "const x = import.meta.url;",
        "  export const x = 1;", 'import { twice /* it */ } from "./leaf.mjs";',
    ],
)  # fmt: skip
def test_a_form_that_is_not_known_is_an_error(line: str) -> None:
    with pytest.raises(JoinError, match=r"a/top\.mjs"):
        joined_javascript_modules({"a/leaf.mjs": LEAF, "a/top.mjs": f"{line}\n"}, "a/top.mjs")


def test_types_in_comments_are_no_imports() -> None:
    known = '{import("./leaf.mjs").Held}'
    source = f"/** @typedef {known} Held */\nexport const x = /** @type {known} */ (1);\n"
    assert "const x =" in joined_javascript_modules({"top.mjs": source}, "top.mjs")


def test_circles_and_gaps_are_errors() -> None:
    circle = {"a.mjs": 'import { b } from "./b.mjs";\n', "b.mjs": 'import { a } from "./a.mjs";\n'}
    with pytest.raises(JoinError, match="imports itself"):
        joined_javascript_modules(circle, "a.mjs")
    with pytest.raises(JoinError, match="not there"):
        joined_javascript_modules({"a.mjs": circle["a.mjs"]}, "a.mjs")
    with pytest.raises(JoinError, match="does not export"):
        joined_javascript_modules({"a.mjs": circle["a.mjs"], "b.mjs": "const b = 1;\n"}, "a.mjs")
