"""What hypothesis draws from: expressions of the language as text, and moments to read them at."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from oddsmith.base.dice import Hand
from oddsmith.ruleset.game import Cell, Game
from tests.vectors.write import ground

GAME = ground()

_NUMBERS = [
    "pot", "debt", "purse", "ante", "seats", "goal", "size(cup)", "sum(cup)", "purse[leader]", "purse[next]",
    "step[mood]", "marker[red]", "marker[previous, blue]", "lookup(worth, mood, 3)", "count(cup, 2)", "size(others)",
]  # fmt: skip
_FLAGS = [
    "fed",
    "true",
    "false",
    "mood == red",
    "leader == next",
    "all_equal(cup)",
    "grid[2, mood]",
    "mover < leader",
    "1 in cup",
    "cup in [[1, 2], [0, 5, 5], []]",
    "[pot, 1] in subsets(cup, 2)",
]
_LISTS = [
    "tiles", "cup", "purse[table]", "purse[others]", "step[colours]", "sorted(cup)", "distinct(cup)", "[pot, debt]",
    "span(1, step[blue])",
]  # fmt: skip


def _grow(inner: st.SearchStrategy[tuple[str, str]]) -> st.SearchStrategy[tuple[str, str]]:
    """Larger expressions from smaller ones, each with its kind: number or flag."""
    return st.tuples(st.integers(0, 14), inner, inner, inner, st.sampled_from(_LISTS)).map(_joined)


def _joined(drawn: tuple[int, tuple[str, str], tuple[str, str], tuple[str, str], str]) -> tuple[str, str]:
    which, a, b, c, items = drawn
    numbers = [f"({text})" for kind, text in (a, b, c) if kind == "number"] + ["pot", "debt", "2"]
    flags = [f"({text})" for kind, text in (a, b, c) if kind == "flag"] + ["fed", "pot > 3"]
    (x, y, z), (p, q) = numbers[:3], flags[:2]
    k = f"k{len(x + y + z + p + q)}"  # a loop inside is shorter, so its name is another
    forms = [
        ("number", f"{x} + {y} - {z}"), ("number", f"{x} * 3 - -{y}"), ("number", f"{x} // 3 + {y} % 4"),
        ("number", f"{x} if {p} else {y}"), ("number", f"min({x}, {y}, 7) + max({z}, 0)"), ("number", f"abs({x})"),
        ("number", f"sum({k} + {x} for {k} in {items} if {k} > 1 and {p})"), ("number", f"max({items}, default={x})"),
        ("number", f"count({k} >= {x} for {k} in {items})"), ("number", f"10 // {x} if {x} > 0 else {y}"),
        ("flag", f"{p} and not {q}"), ("flag", f"{p} or {x} < {y}"), ("flag", f"0 < {x} <= {y} + 3"),
        ("flag", f"{x} in {items}"), ("flag", f"any({k} == {x} or {p} for {k} in {items})"),
    ]  # fmt: skip
    return forms[which]


def expressions() -> st.SearchStrategy[str]:
    """Texts of expressions that are numbers or flags."""
    leaves = st.one_of(
        st.sampled_from(_NUMBERS).map(lambda text: ("number", text)),
        st.integers(-6, 6).map(lambda number: ("number", str(number))),
        st.sampled_from(_FLAGS).map(lambda text: ("flag", text)),
    )
    return st.recursive(leaves, _grow, max_leaves=8).map(lambda drawn: drawn[1])


def _value(cell: Cell) -> st.SearchStrategy[Any]:
    match cell.variable.kind:
        case "flag":
            return st.booleans()
        case "word":
            return st.sampled_from(cell.variable.words)
        case "tally":
            return st.just(0)
        case "hand":
            each = [
                st.lists(st.sampled_from([(face, die.kind) for face in die.faces]), max_size=count)
                for die, count in cell.dice
            ]
            return st.tuples(*each).map(lambda parts: Hand(sorted(die for part in parts for die in part)))
    return st.integers(cell.least, cell.most)


def cells(game: Game = GAME) -> st.SearchStrategy[tuple[Any, ...]]:
    """Values for every cell, within its bounds."""
    return st.tuples(*(_value(cell) for cell in game.cells))
