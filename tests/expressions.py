"""Expressions on a ground: parsed, typed, and read in a context that is given as data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from oddsmith.base.dice import Hand
from oddsmith.base.errors import OddsmithError, RuleFailure
from oddsmith.base.exact import fraction_text
from oddsmith.base.location import text_without_file
from oddsmith.expr.evaluation import EvaluationContext, compiled_function
from oddsmith.expr.parse import BadExpression
from oddsmith.expr.scope import Scope, Symbol
from oddsmith.expr.tree import HAND, NUMBER, SEAT, Expr, Type, word_type
from oddsmith.expr.typing import typed_tree
from oddsmith.ruleset.game import Game

SINGLE = Type("hand", single=True)


def tree_of(text: str, game: Game, local: Mapping[str, Any], wanted: Sequence[Type] = (), exact: bool = False) -> Expr:
    """The typed tree of a text; locals have the types of their values. Raises BadExpression."""
    symbols = dict(game.ruleset.symbols)
    symbols |= {name: Symbol("local", _type(value)) for name, value in local.items()}
    return typed_tree(text_without_file(text), Scope(symbols, exact=exact, tallies=exact), *wanted)


def _type(value: Any) -> Type:
    if isinstance(value, Hand):
        return SINGLE if len(value) == 1 else HAND
    return word_type(value) if isinstance(value, str) else NUMBER


def hand_of(dice: Sequence[Sequence[int]]) -> Hand:
    """A hand from ``[[face, kind], ...]``."""
    return Hand(sorted((face, kind) for face, kind in dice))


def moment_of(game: Game, data: Mapping[str, Any]) -> EvaluationContext:
    """A context from data: ``mover`` and ``seat`` and ``out`` count seats from 1, ``cells`` gives lists for families."""
    cells = list(game.start)
    for name, value in data.get("cells", {}).items():
        block = game.cell_indices_of(name)
        values = value if len(block) > 1 else [value]
        for where, item in zip(block, values, strict=True):
            kind = game.cells[where].variable.kind
            cells[where] = hand_of(item) if kind == "hand" else item - 1 if kind == "seat" else item
    context = game.context(cells, data.get("mover", 1) - 1, sum(1 << seat - 1 for seat in data.get("out", [])))
    context.seat = data.get("seat", data.get("mover", 1)) - 1
    context.local = local_of(data)
    return context


def local_of(data: Mapping[str, Any]) -> dict[str, Any]:
    """The names of the place: hands as lists of dice, else numbers."""
    return {name: hand_of(value) if isinstance(value, list) else value for name, value in data.get("local", {}).items()}


def as_data(value: Any, type_: Type) -> Any:
    """A value as JSON has it: hands as dice, seats from 1, fractions as text, lists as lists."""
    if isinstance(value, Hand):
        return [list(die) for die in value]
    if isinstance(value, tuple):
        return [as_data(item, type_.item or NUMBER) for item in value]
    if isinstance(value, Fraction):
        return fraction_text(value)
    return value + 1 if type_ == SEAT else value


def read(text: str, game: Game, data: Mapping[str, Any]) -> Any:
    """The value of an expression as data, or the code of the error that it gives: ``{"error": "OD501"}``."""
    try:
        tree = tree_of(text, game, local_of(data), exact=bool(data.get("exact")))
        return as_data(compiled_function(tree)(moment_of(game, data)), tree.type)
    except (BadExpression, RuleFailure) as error:
        return {"error": error.code}
    except ZeroDivisionError:
        return {"error": "OD411"}
    except OddsmithError as error:
        raise AssertionError(text) from error
