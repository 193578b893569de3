"""Which script may import which, read from the files themselves. ``site/README.md`` says what each room is for."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from tests.architecture.test_layers import first_cycle

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "site"
HOSTS = {"page", "bench", "playground", "foundry", "owlbear", "link", "roll20", "roll", "odds"}
# Each room may import itself and the rooms above it. What hosts share comes first; rooms of Foundry follow.
LAYERS = [
    {"vendor"},
    {"runtime/rules"},
    {"runtime/table"},
    {"runtime/sealed"},
    {"runtime/felt"},
    {"runtime/words"},
    {"room", "proof", "answer", "rolls"},
    {"foundry/world"},
    {"foundry/money"},
    {"foundry/tables"},
    {"foundry/play"},
    {
        "foundry",
        "foundry/windows",
        "page",
        "bench",
        "playground",
        "playground/solving",
        "owlbear",
        "link",
        "link/dice",
        "roll20",
        "roll",
        "roll/drawn",
        "odds",
    },
]
LAYER_OF = {room: layer for layer, rooms in enumerate(LAYERS) for room in rooms}
FILES = 12
IMPORT = re.compile(r'(?:^import\s[^;]*?from\s+|^import\s+|\bimport\()"([^"]+)"', re.MULTILINE)


def scripts() -> dict[str, str]:
    """Every script but those of the theme, which stand alone, and those joined of others, by its path below ``site/``."""
    paths = [*SITE.rglob("*.mjs"), *SITE.glob("vendor/*.js")]
    found = {path.relative_to(SITE).as_posix(): path.read_text("utf-8") for path in paths}
    return {name: text for name, text in found.items() if not name.startswith(("theme/", "bundled/"))}


def imports(name: str, text: str) -> list[str]:
    """What a script imports, by path; types in comments are no imports."""
    code = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    return [posixpath.normpath(posixpath.join(posixpath.dirname(name), target)) for target in IMPORT.findall(code)]


def graph() -> dict[str, list[str]]:
    return {name: imports(name, text) for name, text in scripts().items()}


def test_every_room_has_a_layer_and_is_explained() -> None:
    rooms = {posixpath.dirname(name) for name in scripts()}
    assert rooms == LAYER_OF.keys()
    told = (SITE / "README.md").read_text("utf-8")
    assert [room for room in sorted(rooms) if f"| `{room}/` |" not in told] == []


def test_imports_lead_to_scripts_and_go_one_way() -> None:
    known = scripts()
    wrong = []
    for name, targets in graph().items():
        here = posixpath.dirname(name)
        for target in targets:
            there = posixpath.dirname(target)
            if target not in known or LAYER_OF[there] > LAYER_OF[here]:
                wrong.append(f"{name} imports {target}")
    assert wrong == []


def test_hosts_never_meet_and_nothing_shared_knows_a_host() -> None:
    wrong = [
        f"{name} imports {target}"
        for name, targets in graph().items()
        for target in targets
        if target.split("/")[0] in HOSTS - {name.split("/")[0]}
    ]
    assert wrong == []


def test_no_script_imports_itself_by_way_of_others() -> None:
    assert first_cycle(graph()) == []


def test_no_room_is_too_full() -> None:
    rooms = [posixpath.dirname(name) for name in scripts()]
    assert {room: rooms.count(room) for room in rooms if rooms.count(room) > FILES} == {}


def test_the_reader_of_imports_reads_them_all() -> None:
    text = (
        'import { a } from "./a.mjs";\nimport {\n  b,\n  c,\n} from "../c/b.mjs";\nimport "./d.mjs";\n'
        'const e = await import("./e.mjs");\n/** @typedef {import("../x.mjs").X} X */\n'
    )
    assert imports("room/one.mjs", text) == ["room/a.mjs", "c/b.mjs", "room/d.mjs", "room/e.mjs"]
