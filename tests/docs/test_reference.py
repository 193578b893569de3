"""The reference pages of Python and of the command line say what the source says, and leave nothing public out."""

from __future__ import annotations

import importlib
import os
import re
from collections.abc import Iterator

import click
import pytest

import oddsmith
from oddsmith.base import errors
from oddsmith.cli import cli
from tests.docs.blocks import ROOT

if os.environ.get("CI") != "true":
    pytest.importorskip("griffe", reason="griffelib reads the docstrings: make setup")

import griffe

from tests.docs.reference import DOOR, FOLDER, FUNCTIONS, GIVEN, PAGES, package, public

CLASSES = [name for names in DOOR.values() for name in names if name not in FUNCTIONS]


@pytest.mark.parametrize("name", list(PAGES))
def test_a_reference_page_says_what_the_source_says(name: str) -> None:
    found = (FOLDER / name).read_text("utf-8")
    assert found == PAGES[name](), "write it anew: python -m tests.docs.reference"


# --- Python


def shown() -> set[str]:
    """The names that have a place on the page."""
    text = (FOLDER / "api.md").read_text("utf-8")
    return set(re.findall(r"^(?:#+|-) `([\w.]+)`", text, flags=re.MULTILINE))


def members() -> Iterator[tuple[str, griffe.Object]]:
    """Everything that people call or look at: functions, and the members of classes."""
    source = package()
    yield from ((name, source[path]) for name, path in FUNCTIONS.items())
    for path in [*CLASSES, *GIVEN, "base.errors.Problem"]:
        yield from ((f"{path.rpartition('.')[2]}.{each.name}", each) for each in public(source[path]))


def test_nothing_that_import_oddsmith_offers_is_missing() -> None:
    assert set(oddsmith.__all__) - {"__version__"} - shown() == set()


def test_every_function_and_property_has_a_docstring_and_types() -> None:
    fields = 0
    for name, each in members():
        if isinstance(each, griffe.Function):
            assert name in shown()
            assert each.docstring, name
            assert each.returns is not None, name
            assert all(
                given.annotation is not None for given in each.parameters if given.name not in ("self", "cls")
            ), name
        elif "property" in each.labels:
            assert each.docstring, name
            assert getattr(each, "annotation", None) is not None, name
        else:
            fields += 1
            assert getattr(each, "annotation", None) is not None, name
    assert fields > 20


def test_what_methods_give_back_is_on_the_page() -> None:
    ours = {path.rpartition(".")[2] for path in [*CLASSES, *GIVEN]} | set(oddsmith.__all__)
    plain = {
        "Figure", "Self", "Literal", "graph", "stages", "secrets",
        "str", "bytes", "bool", "int", "float", "tuple", "list", "dict", "None", "Any", "Path", "Fraction", "Grade", "PlayKind",
        "GoalKind", "Side", "Mapping", "Callable",
        "Ruleset",
    }  # fmt: skip
    source = package()
    for path in CLASSES:
        for each in public(source[path]):
            given = each.returns if isinstance(each, griffe.Function) else getattr(each, "annotation", None)
            assert set(re.findall(r"[A-Za-z]\w*", str(given))) <= ours | plain, f"{path}.{each.name}: {given}"


def test_every_error_that_a_docstring_names_is_there() -> None:
    """And every question to a solved game or a ruleset that can be refused says by what."""
    refused = set()
    for name, each in members():
        named = set(re.findall(r"\b[A-Z]\w+Error\b", each.docstring.value if each.docstring else ""))
        assert named <= {*vars(errors), "OSError", "ZeroDivisionError"}, name
        refused |= {name} if named else set()
    functions = {name for name, each in members() if isinstance(each, griffe.Function)}
    door = {name for name in functions if name.startswith(("LoadedRuleset.", "SolvedGame."))}
    assert door - refused == {
        f"SolvedGame.{name}"
        for name in ("answer_questions", "of", "sampled_action_index", "sampled_action_indices", "to_json")
    }


def test_records_are_where_the_page_says() -> None:
    for path in [*CLASSES, *GIVEN]:
        module, _, name = path.rpartition(".")
        assert getattr(importlib.import_module(f"oddsmith.{module}"), name).__name__ == name


# --- the command line


@pytest.mark.parametrize("name", ["", *cli.commands])
def test_every_verb_and_option_has_help_and_an_example(name: str) -> None:
    verb: click.Command = cli.commands[name] if name else cli
    about, _, example = (verb.help or "").partition("\b\n")
    assert about.strip()
    assert re.search(rf"^ *oddsmith {name}", example, flags=re.MULTILINE), f"{name} has no example"
    page = (ROOT / "docs" / "reference" / "commands.md").read_text("utf-8")
    section = page.partition(f"## `{name}`\n")[2].partition("\n## ")[0] if name else page.partition("\n## ")[0]
    for option in verb.params:
        if isinstance(option, click.Option):
            assert option.help, f"{name} {option.opts}"
            assert all(word in section for word in option.opts), f"{name} {option.opts}"
