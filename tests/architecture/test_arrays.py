"""Arrays have the same width on every machine: who counts, adds up, repeats or takes asks ``base.arrays``, or names a type."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import numpy as np
import pytest

from oddsmith.base.arrays import arange, bincount, cumsum, reduceat, repeat, take
from tests.architecture.test_layers import trees

OURS = {"arange", "repeat", "bincount", "cumsum", "take"}
"""What NumPy does in the machine's own width, and ``oddsmith.base.arrays`` in 64 bits."""


def in_the_width_of_the_machine(tree: ast.AST) -> Iterator[str]:
    """The calls of a module whose result would be narrower in a browser, or that a browser would refuse."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        of_numpy = isinstance(node.func.value, ast.Name) and node.func.value.id == "np"
        given = {each.arg for each in node.keywords}
        name, typed = node.func.attr, "dtype" in given
        if (
            name == "reduceat"
            or (name == "take" and "axis" in given)
            or (of_numpy and not typed and _narrow(name, node.args))
        ):
            yield f"{node.lineno}: {ast.unparse(node)}"


def _narrow(name: str, given: list[ast.expr]) -> bool:
    if name == "full":
        return len(given) == 2 and _is_whole(given[1])
    return name in OURS or (name == "where" and len(given) == 3 and all(map(_is_whole, given[1:])))


def _is_whole(node: ast.expr) -> bool:
    """Whether an expression is a whole number that is written out."""
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(inner, ast.Constant) and type(inner.value) is int


def test_every_array_of_whole_numbers_names_its_width() -> None:
    found = {
        name: list(in_the_width_of_the_machine(tree))
        for name, tree in trees().items()
        if name != "oddsmith.base.arrays"
    }
    assert {name: calls for name, calls in found.items() if calls} == {}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("np.arange(3)", True),
        ("np.arange(3, dtype=np.int32)", False),
        ("arange(3)", False),
        ("np.add.reduceat(a, b)", True),
        ("np.full(n, -1)", True),
        ("np.full(n, -np.inf)", False),
        ("np.where(a, 1, 0)", True),
        ("np.where(a, b, 0)", False),
        ("np.repeat(a, b)", True),
        ("a.take(b, axis=0)", True),
        ("block.take(b)", False),
    ],
)
def test_the_probe_sees_what_is_narrow(text: str, found: bool) -> None:
    assert bool(list(in_the_width_of_the_machine(ast.parse(text)))) == found


def test_what_is_counted_and_added_up_has_64_bits_whatever_goes_in() -> None:
    narrow = np.array([100, 100, 100], dtype=np.int8)
    starts = np.array([0, 1], dtype=np.int32)
    assert arange(2, 5).tolist() == [2, 3, 4]
    assert arange(1, 7, 2).tolist() == [1, 3, 5]
    for wide in (arange(3), cumsum(narrow), cumsum(narrow > 0), bincount(narrow), reduceat(np.add, narrow, starts)):
        assert wide.dtype == np.int64
    assert cumsum(narrow).tolist() == [100, 200, 300]
    assert reduceat(np.add, narrow, starts).tolist() == [100, 200]
    assert take(narrow, np.array([2, 0])).tolist() == [100, 100]
    assert repeat(narrow, np.array([0, 2, 1])).dtype == np.int8
    assert reduceat(np.maximum, narrow, starts).dtype == np.int8
    assert reduceat(np.logical_or, narrow > 0, starts).dtype == bool
    assert cumsum(np.array([0.5, 0.25])).tolist() == [0.5, 0.75]
    assert cumsum(np.array([1 << 80, 1], dtype=object)).tolist() == [1 << 80, (1 << 80) + 1]
    assert bincount([0, 1, 1], [0.5, 0.25, 0.25]).tolist() == [0.5, 0.5]
