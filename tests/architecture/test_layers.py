"""The one way down: what may import what, by the table of the page about architecture, read from the files themselves."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "solver"
PACKAGE = SOURCE / "oddsmith"

PAGE = ROOT / "docs" / "architecture.md"
FRONT_DOORS = {"__init__", "__main__"}  # nothing inside may use them


def rows_of_the_page() -> list[list[str]]:
    """The rooms in each row of the table of layers on the page, from top to bottom."""
    _, _, below = PAGE.read_text("utf-8").partition("| Room | What happens there |\n|---|---|\n")
    rows = below.partition("\n\n")[0].splitlines()
    return [re.findall(r"`([\w/]+)/`", row.split(" | ")[0]) for row in rows]


# A room may import itself, the rooms in its row and those below it.
LAYERS: list[set[str]] = [
    *({room for room in row if "/" not in room} for row in reversed(rows_of_the_page())),
    FRONT_DOORS,
]
# `solve` and `proof` must not meet: a checker that shares code with the solver proves less.
# Pages and modules are made of answers, which are plain data: no solution reaches them.
APART: list[tuple[set[str], set[str]]] = [
    ({"solve"}, {"proof"}),
    ({"publish", "tabletops"}, {"graph", "solve"}),
]

LAYER_OF = {room: layer for layer, rooms in enumerate(LAYERS) for room in rooms}


def modules() -> dict[str, Path]:
    """Every module of the package by its dotted name; a package goes by its folder's name."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def room_of(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


@cache
def trees() -> dict[str, ast.Module]:
    """Every module of the package, parsed."""
    return {name: ast.parse(path.read_text("utf-8")) for name, path in modules().items()}


def named_in(tree: ast.AST) -> Iterator[tuple[str, str, int]]:
    """What a file imports, at any depth, in functions and for type checking too: the module, the name, the line.

    ``import a.b`` takes the module ``b`` from ``a``.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                base, _, name = alias.name.rpartition(".")
                yield base, name, node.lineno
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: relative import; write the whole name"
            yield from ((str(node.module), alias.name, node.lineno) for alias in node.names)


def import_graph() -> dict[str, list[tuple[str, int]]]:
    """The modules that each module of the package imports, with the line."""
    known, found = trees().keys(), defaultdict[str, set[tuple[str, int]]](set)
    for module, tree in trees().items():
        for base, name, line in named_in(tree):
            # `from oddsmith.expr import tree` is an import of the module where there is one of that name.
            target = f"{base}.{name}" if f"{base}.{name}" in known else base
            if target in known and target != module:
                found[module].add((target, line))
    return {module: sorted(found[module]) for module in known}


def test_every_room_has_a_layer() -> None:
    rooms = {room_of(module) for module in modules()}
    assert rooms == LAYER_OF.keys(), "the table One way down of docs/architecture.md has every room"


def test_every_folder_has_one_row() -> None:
    folders = [str(path.parent.relative_to(PACKAGE).as_posix()) for path in PACKAGE.rglob("*/__init__.py")]
    named = [room for row in rows_of_the_page() for room in row]
    assert sorted(named) == sorted(folders)


def test_imports_go_one_way() -> None:
    wrong = []
    for module, targets in import_graph().items():
        here = room_of(module)
        for target, line in targets:
            there = room_of(target)
            meets = any((here in one and there in other) or (here in other and there in one) for one, other in APART)
            # A room that is not in the table is the test above's to report.
            above = LAYER_OF.get(there, -1) > LAYER_OF.get(here, len(LAYERS))
            if meets or above:
                wrong.append(f"{module}:{line} imports {target}: {here} may not use {there}")
    assert wrong == []


def test_no_import_cycle() -> None:
    assert first_cycle({name: [to for to, _ in targets] for name, targets in import_graph().items()}) == []


def first_cycle(graph: dict[str, list[str]]) -> list[str]:
    """Depth first, by a stack of our own: a name met again while it is still on the path closes a cycle."""
    done: set[str] = set()
    for start in graph:
        path: list[str] = []
        stack: list[tuple[str, bool]] = [(start, False)]
        while stack:
            name, leaving = stack.pop()
            if leaving:
                path.pop()
                done.add(name)
            elif name in path:
                return [*path[path.index(name) :], name]
            elif name not in done:
                path.append(name)
                stack.append((name, True))
                stack.extend((to, False) for to in graph[name])
    return []


def test_the_cycle_finder_finds_one() -> None:
    assert first_cycle({"a": ["b", "c"], "b": ["c"], "c": []}) == []
    assert first_cycle({"a": ["b"], "b": ["c"], "c": ["b"]}) == ["b", "c", "b"]
    assert first_cycle({"a": ["a"]}) == ["a", "a"]
