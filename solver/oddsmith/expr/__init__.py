"""The language of expressions, which are parsed from text to typed trees. Only listed kinds of syntax are allowed.

``syntax_tree`` parses a text, and ``typed_tree`` makes a typed tree (``Expr``) of it with the names of a ``Scope``.
``FUNCTIONS`` is the table of all functions. ``evaluation`` evaluates trees for one position, and ``columns`` for many.
``folding`` evaluates them partially, and ``ranges`` proves the ranges of their values.
"""

from typing import TYPE_CHECKING

from oddsmith.base.lazy import lazy_getattr
from oddsmith.expr.evaluation import (
    Compiled,
    EvaluationContext,
    Layout,
    compile_cell_index,
    compiled_function,
    variable_cell_index,
)
from oddsmith.expr.folding import (
    FoldCache,
    PartialPosition,
    UnknownCellsNeeded,
    conditional,
    conjunction,
    constant_value,
    disjunction,
    fold,
    item_trees,
    local_names_read,
    negation,
    simplify_root,
)
from oddsmith.expr.functions import FUNCTIONS, items_or_faces, refuse_too_long_list
from oddsmith.expr.intervals import ALWAYS, NEVER, UNKNOWN, Bound, Interval
from oddsmith.expr.parse import MAX_NUMBER, BadExpression, syntax_tree
from oddsmith.expr.ranges import Bounds, RangeAnalyzer
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
    variables_in,
    word_type,
)
from oddsmith.expr.typing import SEAT_HINT, as_numbers, typed_tree

if TYPE_CHECKING:
    from oddsmith.expr.columns import evaluate

__all__ = [
    "ALWAYS",
    "BUILTINS",
    "EXACT",
    "FALSE",
    "FLAG",
    "FUNCTIONS",
    "HAND",
    "IN_PLAY",
    "MAX_NUMBER",
    "MIRROR",
    "NEVER",
    "NUMBER",
    "OPPOSITE",
    "SEAT",
    "SEAT_HINT",
    "TRUE",
    "UNKNOWN",
    "BadExpression",
    "Bound",
    "Bounds",
    "Compiled",
    "EvaluationContext",
    "Expr",
    "FoldCache",
    "Interval",
    "Layout",
    "PartialPosition",
    "RangeAnalyzer",
    "Scope",
    "Symbol",
    "Type",
    "UnknownCellsNeeded",
    "as_numbers",
    "compile_cell_index",
    "compiled_function",
    "conditional",
    "conjunction",
    "const",
    "constant_value",
    "disjunction",
    "evaluate",
    "fold",
    "item_trees",
    "items_or_faces",
    "list_of",
    "local_names_read",
    "negation",
    "refuse_too_long_list",
    "simplify_root",
    "syntax_tree",
    "typed_tree",
    "variable_cell_index",
    "variables_in",
    "word_type",
]

__getattr__ = lazy_getattr(__name__, {"evaluate": "columns"})  # arrays wait until somebody takes it
