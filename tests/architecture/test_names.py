"""Names and docstrings that a stranger can guess and read: one word for one thing, and sentences with a subject."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module

import pytest

from tests.architecture.test_layers import ROOT, trees

GLOSSARY = ROOT / "docs" / "reference" / "glossary.md"

TOLD = re.compile(r"^_*told$|_told(_|$)|^_*told_", re.IGNORECASE)
MOST_TOLD = 40

START = re.compile(r"(?:The same|Of|In how many|That|So many)\b")
OTHER = (
    "RuleFailure|SingularSystem|Unproven|FractionTooLong|MassFractionTooLong|BoundsTooWide|UndeterminedValues"
    "|UnknownCellsNeeded|ArgumentTypeMismatch|BadExpression"
)
ERROR = rf"(?:[A-Z]\w*(?:Error|Ends)|{OTHER})"
BARE = re.compile(rf"(?:^|[.;:]\s+){ERROR}(?:(?:,| and|, and| or)\s+{ERROR})*\.?$")


def definitions(tree: ast.AST) -> Iterator[str]:
    """The names that a module defines: functions, classes, parameters, attributes and variables, once for each scope."""
    scopes: list[ast.AST] = [tree]
    while scopes:
        scope, found = scopes.pop(), set[str]()
        inner = list(ast.iter_child_nodes(scope))
        while inner:
            node = inner.pop()
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
                scopes.append(node)
                if not isinstance(node, ast.Lambda):
                    found.add(node.name)
                continue
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found.add(node.id)
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                found.add(node.attr)
            elif isinstance(node, ast.arg):
                found.add(node.arg)
            inner += ast.iter_child_nodes(node)
        yield from found


def docstrings() -> Iterator[tuple[str, str, str]]:
    """Every docstring of the package: its module, whose it is, and its text in one line."""
    for module, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                text = ast.get_docstring(node)
                if text:
                    yield module, getattr(node, "name", ""), " ".join(text.split())


def odd(text: str) -> bool:
    """Whether a docstring begins without a subject, or a sentence of it is the bare name of an error."""
    return bool(START.match(text) or BARE.search(text))


def terms() -> list[str]:
    """The identifiers of the glossary."""
    rows = [line.split("|") for line in GLOSSARY.read_text("utf-8").splitlines() if line.startswith("| ")]
    return [name for row in rows for name in re.findall(r"`([\w.]+)`", row[3])]


def test_no_public_class_name_stands_for_two_things() -> None:
    homes = defaultdict[str, list[str]](list)
    for module, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(module)
    twice = {name: places for name, places in homes.items() if len(places) > 1}
    assert twice == {}, "one name for several classes"


def test_hardly_anything_is_called_told() -> None:
    found = [f"{module}: {name}" for module, tree in trees().items() for name in definitions(tree) if TOLD.search(name)]
    assert len(found) < MOST_TOLD, found


def test_docstrings_begin_with_a_subject_and_errors_have_a_verb() -> None:
    assert [f"{module} {name}: {text[:80]}" for module, name, text in docstrings() if odd(text)] == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("The same for one effect.", True),
        ("Of just this sum.", True),
        ("In how many ways dice add up to each total.", True),
        ("The record of a stage. SolveError.", True),
        ("The record of a stage. SolveError, PlayError", True),
        ("The record of a stage. Raises SolveError.", False),
        ("Offers of the editor.", False),
        ("The values of some states.", False),
    ],
)
def test_what_is_odd(text: str, wrong: bool) -> None:
    assert odd(text) == wrong


def test_the_glossary_names_what_exists() -> None:
    assert len(terms()) > 30
    for term in terms():
        parts = term.split(".")
        for end in range(len(parts), 0, -1):
            try:
                home: object = import_module(".".join(["oddsmith", *parts[:end]]))
            except ModuleNotFoundError:
                continue
            break
        else:
            pytest.fail(f"{term} is in no module")
        rest = parts[end:]
        assert rest, f"{term} is a module"
        for place, name in enumerate(rest):
            known = {*dir(home), *getattr(home, "__annotations__", {}), *attributes(home)}
            assert name in known, f"{term} does not exist"
            if place < len(rest) - 1:
                home = getattr(home, name)


def attributes(home: object) -> set[str]:
    """The attributes that a class sets on itself."""
    if not isinstance(home, type):
        return set()
    tree = trees()[home.__module__]
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.name == home.__name__]
    stores = (each for node in nodes for each in ast.walk(node) if isinstance(each, ast.Attribute))
    return {each.attr for each in stores if isinstance(each.ctx, ast.Store)}
