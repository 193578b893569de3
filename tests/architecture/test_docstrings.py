"""Docstrings name what there is: a name of the code in one of them stands in the code as well."""

from __future__ import annotations

import ast
import re
from functools import cache

from tests.architecture.test_layers import PACKAGE, trees
from tests.architecture.test_names import docstrings

QUOTED = re.compile(r"``(.+?)``", re.DOTALL)
SNAKE_CASE = re.compile(r"[a-z]+(?:_[a-z]+)+")
CAMEL_CASE = re.compile(r"(?:[A-Z]+[a-z0-9]+){2,}")
RAISED = re.compile(r"\bRaises? (.*?)(?:\.\s|\.?$)", re.DOTALL)
NO_NAMES = {"XdYdZ"}  # a roll of AnyDice


def names_in(docstring: str) -> set[str]:
    """The names that a docstring quotes, and the errors that it says are raised."""
    quoted = [text for text in QUOTED.findall(docstring) if "/" not in text]  # paths may lead elsewhere
    words = {word for text in quoted for word in re.findall(r"\w+", text)}
    raised = {word for text in RAISED.findall(docstring) for word in re.findall(r"\w+", text)}
    return {word for word in words if SNAKE_CASE.fullmatch(word)} | {
        word for word in words | raised if CAMEL_CASE.fullmatch(word)
    }


@cache
def words_of_the_code() -> set[str]:
    """Every word of the package outside docstrings and comments, its grammars and tables too."""
    words = {
        word
        for kind in ("*.peg", "*.yaml")
        for path in PACKAGE.rglob(kind)
        for word in words_of(path.read_text("utf-8"))
    }
    for module, tree in trees().items():
        words |= words_of(module)
        told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if id(node) not in told:
                for _, value in ast.iter_fields(node):
                    words |= words_of(value)
    return words


def words_of(value: object) -> set[str]:
    """The words of a field of a node, which may be a name, a text or a list of names."""
    several = value if isinstance(value, list) else [value]
    return {word for one in several if isinstance(one, str) for word in re.findall(r"\w+", one)}


def unknown_names(docstring: str) -> set[str]:
    return names_in(docstring) - words_of_the_code() - NO_NAMES


def test_docstrings_name_what_there_is() -> None:
    assert [
        f"{where}: {who}: {name}" for where, who, text in docstrings() for name in sorted(unknown_names(text))
    ] == []


def test_a_name_that_is_gone_is_found() -> None:
    told = "Return what ``words_that_nobody_wrote`` gives. Raises OddsmithError, or NothingLikeThisError if it is late."
    assert unknown_names(told) == {"words_that_nobody_wrote", "NothingLikeThisError"}
