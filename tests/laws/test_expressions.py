"""One expression, three readings: for one state, folded into columns, and as a proved range. They agree."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, reject, settings
from hypothesis import strategies as st

from oddsmith.base.errors import Problem, RuleFailure
from oddsmith.expr.columns import evaluate
from oddsmith.expr.evaluation import compiled_function
from oddsmith.expr.folding import UnknownCellsNeeded, fold
from oddsmith.expr.parse import BadExpression
from oddsmith.expr.ranges import RangeAnalyzer
from oddsmith.expr.tree import Expr
from oddsmith.graph.columns.block import PositionBlock, SourceStates
from oddsmith.graph.columns.codec import Codec
from oddsmith.graph.columns.reduction import Reduction
from oddsmith.graph.columns.symbolic import SymbolicRules
from oddsmith.ruleset.checking.ranging import declared_bounds
from oddsmith.ruleset.rules import State
from tests.expressions import tree_of
from tests.strategies import GAME, cells, expressions

CODEC = Codec(GAME, Reduction(), ("throw",))
SYMBOLIC = SymbolicRules(GAME)
BOUNDS = declared_bounds(GAME)
law = settings(
    derandomize=True, max_examples=200, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)


def scalar(tree: Expr, held: tuple[Any, ...], out: int = 0) -> Any:
    """The value for one state, or the code of what breaks."""
    try:
        return compiled_function(tree)(GAME.context(held, 0, out))
    except RuleFailure as broken:
        return broken.code
    except ZeroDivisionError:
        return "OD411"  # a part that the whole never reads here


def block_of(states: list[State]) -> PositionBlock:
    """States as a block of columns."""
    base = SourceStates(CODEC, CODEC.cell_columns(states))
    return PositionBlock("throw", 0, base, None, CODEC.cell_rotation(0), {}, np.ones(len(states), dtype=np.int64))


def in_columns(tree: Expr, held: tuple[Any, ...], out: int = 0) -> Any:
    """The value of a column of one state, worked out as the graph does it: what must be known is made known."""
    known: dict[int, Any] = {}
    while True:
        try:
            folded = fold(tree, SYMBOLIC.view(known, out))
        except UnknownCellsNeeded as needs:
            where = min(needs.cells)
            assert where not in known
            known[where] = held[where]
            continue
        block = block_of([State("throw", 0, out, held)])
        try:
            value = evaluate(folded, block.leaf_values, np.ones(1, dtype=bool))
        except RuleFailure as broken:
            return broken.code
        return np.broadcast_to(value, (1,))[0].item()


@law
@given(text=expressions(), held=cells(), out=st.sampled_from([0, 2, 4]))
def test_columns_read_what_the_scalar_rules_read(text: str, held: tuple[Any, ...], out: int) -> None:
    tree = tree_of(text, GAME, {})
    found, wanted = in_columns(tree, held, out), scalar(tree, held, out)
    assert (found, type(found)) == (wanted, type(wanted)), text


@law
@given(text=expressions(), block=st.lists(cells(), min_size=2, max_size=6))
def test_many_rows_read_as_one_by_one(text: str, block: list[tuple[Any, ...]]) -> None:
    """Where an expression folds with nothing known, all rows go at once; a row that breaks breaks the block."""
    tree = tree_of(text, GAME, {})
    try:
        folded = fold(tree, SYMBOLIC.view({}, 0))
    except UnknownCellsNeeded:
        reject()
    states = block_of([State("throw", 0, 0, held) for held in block])
    wanted = [scalar(tree, held) for held in block]
    try:
        found = np.broadcast_to(evaluate(folded, states.leaf_values, np.ones(len(block), dtype=bool)), (len(block),))
    except RuleFailure as broken:
        assert broken.code in wanted
    else:
        assert found.tolist() == wanted, text


@law
@given(text=expressions(), held=cells(), out=st.sampled_from([0, 2, 6]))
def test_ranges_hold_every_value(text: str, held: tuple[Any, ...], out: int) -> None:
    tree = tree_of(text, GAME, {})
    problems: list[Problem] = []
    found = RangeAnalyzer(problems.append).range(tree, BOUNDS)
    value = scalar(tree, held, out)
    assume(not isinstance(value, str) and not problems)
    assert found.low <= int(value) <= found.high, text


@law
@given(text=expressions(), test=expressions(), held=cells())
def test_a_test_narrows_only_what_it_rules_out(text: str, test: str, held: tuple[Any, ...]) -> None:
    """Where a condition holds (or fails), the narrowed range still has the value."""
    tree, condition = tree_of(text, GAME, {}), tree_of(test, GAME, {})
    truth = scalar(condition, held)
    value = scalar(tree, held)
    assume(isinstance(truth, bool) and not isinstance(value, str))
    assert isinstance(truth, bool)
    problems: list[Problem] = []
    ranger = RangeAnalyzer(problems.append)
    bounds = ranger.narrow(condition, truth, BOUNDS)
    for at in (tree, *condition.walk()):
        if at.type.kind in ("number", "flag") and not any(node.op == "local" for node in at.walk()):
            now = scalar(at, held)
            found = ranger.range(at, bounds)
            if not isinstance(now, str) and not problems:
                assert found.low <= int(now) <= found.high, (text, test, at.span.covered_text)


@law
@given(text=expressions())
def test_trees_are_data(text: str) -> None:
    """The bundle's form of a tree has nothing but lists, text, whole numbers and flags."""
    todo = [tree_of(text, GAME, {}).to_json()]
    while todo:
        item = todo.pop()
        assert isinstance(item, list | tuple | str | int), item
        if isinstance(item, list | tuple):
            todo.extend(item)


@pytest.mark.parametrize("text", ["pot and fed", "sum(fed)", "cup + 1", "mood < red", "purse[red]", "leader + 1"])
def test_types_are_never_mixed(text: str) -> None:
    with pytest.raises(BadExpression):
        tree_of(text, GAME, {})
