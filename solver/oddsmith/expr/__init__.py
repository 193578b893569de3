"""The language of expressions: from text to a typed tree, by a list of what is allowed.

``syntax`` reads the text, ``typed`` makes the tree (``Expr``) in a ``Scope`` of names. ``FUNCTIONS`` is the one table
of functions. Three sub-rooms work on trees: ``evaluation`` computes them for one position, ``columns`` for many, and
``analysis`` reasons about them.
"""

from oddsmith.expr.faces import as_wanted
from oddsmith.expr.functions import (
    FUNCTIONS,
    divided,
    division_by_0,
    look_up,
    not_too_long,
    not_too_often,
    plain,
    take_away,
)
from oddsmith.expr.hints import A_SEAT
from oddsmith.expr.parse import MAX_NUMBER, BadExpression, syntax
from oddsmith.expr.scope import BUILTINS, IN_PLAY, Scope, Symbol
from oddsmith.expr.tree import (
    EXACT,
    FALSE,
    FLAG,
    HAND,
    MIRROR,
    NUMBER,
    OPPOSITE,
    SEAT,
    TRUE,
    Expr,
    Type,
    const,
    list_of,
    word_of,
)
from oddsmith.expr.typing import typed

__all__ = [
    "A_SEAT",
    "BUILTINS",
    "EXACT",
    "FALSE",
    "FLAG",
    "FUNCTIONS",
    "HAND",
    "IN_PLAY",
    "MAX_NUMBER",
    "MIRROR",
    "NUMBER",
    "OPPOSITE",
    "SEAT",
    "TRUE",
    "BadExpression",
    "Expr",
    "Scope",
    "Symbol",
    "Type",
    "as_wanted",
    "const",
    "divided",
    "division_by_0",
    "list_of",
    "look_up",
    "not_too_long",
    "not_too_often",
    "plain",
    "syntax",
    "take_away",
    "typed",
    "word_of",
]
