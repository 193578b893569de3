"""The rooms inside the layers: what one offers the others stands on its face, and no two lean on each other."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.architecture.test_layers import first_cycle, modules, named_in, trees
from tests.cases import TESTS
from tests.rooms import LONG, LONGEST

WORDS = 8  # that say at least what a room is for
OPEN = {"base"}  # what every room stands on: each of its modules is its own face

# Where files are opened and the machine is asked. Everything else maps values to values.
AT_THE_DISK = {
    "oddsmith.base.resources",  # what ships with the program
    "oddsmith.base.files",
    "oddsmith.cli",
    "oddsmith.ruleset.reading.source",  # refuses a file before it is read whole
    "oddsmith.base.systems",  # what differs between systems, the memory too
    "oddsmith.proof.values",  # runs by itself, as a program of one file
}
DISK = {
    "read_text", "read_bytes", "write_text", "write_bytes", "unlink", "mkdir", "replace_file", "iterdir", "rglob",
    "glob", "is_file", "is_dir", "exists", "stat", "sysconf", "environ", "getenv", "getuid", "rename", "symlink_to",
}  # fmt: skip


@cache
def rooms() -> dict[str, set[str]]:
    """The modules of every folder of the package, by the folder's dotted name; the face goes by that name too."""
    found = defaultdict(set)
    for name, path in modules().items():
        room = name if path.name == "__init__.py" else name.rpartition(".")[0]
        found[room].add(name)
    return found


def face(room: str) -> set[str]:
    """The names that a room offers: its ``__all__``."""
    for node in trees()[room].body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            return set(ast.literal_eval(node.value))
    return set()


def imports() -> Iterator[tuple[str, int, str, str]]:
    """Who imports what: the module, its line, the module imported from, and the name."""
    for module, tree in trees().items():
        for base, name, line in named_in(tree):
            if base.split(".")[0] == "oddsmith":
                yield module, line, base, name


def room_of(module: str) -> str:
    return module if module in rooms() else module.rpartition(".")[0]


def top(module: str) -> str:
    """The top room of a module."""
    return module.split(".")[1] if "." in module else ""


def test_nobody_imports_past_a_face() -> None:
    """From another top room one takes what a folder's face offers; within a top room, from the module that has it."""
    known, faces, wrong = rooms(), {room: face(room) for room in rooms()}, []
    for module, line, base, name in imports():
        there = room_of(base)
        if there == "oddsmith" or top(base) in {top(module), *OPEN} or module in known:
            continue
        if base not in known or name not in faces[base]:
            wrong.append(f"{module}:{line} imports {name} from {base}; {there} offers {sorted(faces[there])}")
    assert wrong == []


def test_a_module_takes_names_of_its_own_room_from_their_module() -> None:
    known = rooms()
    wrong = [
        f"{module}:{line} imports {name} from the face of {base}"
        for module, line, base, name in imports()
        if base in known and f"{base}.{name}" not in trees() and module not in known and top(base) == top(module)
    ]
    assert wrong == []


def test_a_face_offers_what_somebody_takes() -> None:
    taken = {(base, name) for module, _, base, name in imports() if top(base) != top(module)}
    # Taken by programs outside, and by a page.
    public = {"oddsmith", "oddsmith.publish", "oddsmith.cli", "oddsmith.browser"}
    idle = {room: face(room) - {name for other, name in taken if other == room} for room in rooms()}
    assert {room: names for room, names in idle.items() if names and room not in public} == {}


def test_top_rooms_do_not_lean_on_each_other_in_a_circle() -> None:
    edges = {top(module): set[str]() for module in modules()}
    for module, _, base, _ in imports():
        if top(base) != top(module):
            edges[top(module)].add(top(base))
    front = {"", "__main__"}  # the front doors
    assert first_cycle({room: sorted(edges[room] - front) for room in edges if room not in front}) == []


def test_a_room_says_what_it_is_for() -> None:
    said = {room: ast.get_docstring(trees()[room]) or "" for room in rooms()}
    assert {room: text for room, text in said.items() if len(text.split()) < WORDS} == {}


def asks_the_machine(call: ast.Call) -> bool:
    """Whether a call opens a file or asks for one; ``open`` as a method only where it takes a mode."""
    if isinstance(call.func, ast.Name):
        return call.func.id == "open"
    if isinstance(call.func, ast.Attribute) and call.func.attr == "open":
        return any(isinstance(given, ast.Constant) for given in call.args)
    return isinstance(call.func, ast.Attribute) and call.func.attr in DISK


def test_only_these_touch_the_disk() -> None:
    touching = set()
    for name, tree in trees().items():
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
        if any(asks_the_machine(call) for call in calls):
            touching.add(name)
    allowed = {name for name in touching if any(f"{name}.".startswith(f"{each}.") for each in AT_THE_DISK)}
    assert touching - allowed == set()
    assert {each for each in AT_THE_DISK if not any(f"{name}.".startswith(f"{each}.") for name in touching)} == set()


def test_every_test_that_waits_for_the_long_run_is_there(tmp_path: Path) -> None:
    """A test that got another name, or another case, would come back to the gate without a word."""
    named = [line for line in LONG.read_text("utf-8").splitlines() if not line.startswith("#")]
    files = sorted({test.partition("::")[0] for test in named})
    asked = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-o", f"cache_dir={tmp_path}", *files]
    done = subprocess.run(asked, cwd=TESTS.parent, capture_output=True, text=True, check=False)
    found = {line for line in done.stdout.splitlines() if "::" in line}
    there = {test.partition("::")[0] for test in found}  # a file that needs what is not installed is left out
    assert found, done.stdout + done.stderr
    assert [test for test in named if test.partition("::")[0] in there and test not in found] == []
    assert [file for file in files if not (TESTS.parent / file).is_file()] == []


def test_the_rooms_of_tests_that_take_longest_are_there() -> None:
    """Otherwise a room that got another name would come last, and one worker would end long before the others."""
    assert len(set(LONGEST)) == len(LONGEST)
    assert [name for name in LONGEST if not list((TESTS / name).glob("test_*.py"))] == []
