"""Parsing of expressions with Python's grammar. A list of the allowed kinds of nodes restricts it to the language."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from oddsmith.base.errors import Problem, Signal
from oddsmith.base.location import Span, Text

MAX_LENGTH = 500  # characters; longer rules are not read aloud by anybody
MAX_NUMBER = 2**53 - 1  # every value fits a JavaScript number exactly

_ALLOWED: frozenset[type[ast.AST]] = frozenset({
    ast.Expression, ast.Constant, ast.Name, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.List,
    ast.Subscript, ast.GeneratorExp, ast.comprehension, ast.Call, ast.keyword, ast.Load, ast.Store, ast.Tuple,
    ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.USub, ast.Not, ast.And, ast.Or,
    ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn,
})  # fmt: skip

_REFUSED: dict[type[ast.AST], tuple[str, str]] = {
    ast.Pow: ("powers (**) are not in the language", "write the product out"),
    ast.Attribute: ("a name with a dot is not in the language", "names are plain words, such as hoard"),
    ast.Lambda: ("lambda is not in the language", "put the expression under `define:`"),
    ast.ListComp: (
        "a loop in [...] is not in the language",
        "write it inside sum(...), any(...) and the like",
    ),
    ast.NamedExpr: (":= is not in the language", "use `let k be ...` among the effects"),
    ast.JoinedStr: ("text is not in the language", "write words bare, without quotes"),
    ast.Is: ("`is` is not in the language", "compare with =="),
    ast.IsNot: ("`is not` is not in the language", "compare with !="),
    ast.Starred: ("* before a list is not in the language", ""),
    ast.Slice: ("slices are not in the language", "use rank(hand, i) or a loop"),
    ast.Dict: ("braces are not in the language", "put the map under `constants:`"),
    ast.Set: ("braces are not in the language", "write a list: [1, 2]"),
    ast.Invert: ("~ is not in the language", "use `not`"),
    ast.UAdd: ("a leading + is not in the language", "leave it out"),
}
_BITS = (ast.LShift, ast.RShift, ast.BitAnd, ast.BitOr, ast.BitXor, ast.MatMult)


class BadExpression(Signal):
    """Raised if an expression has a problem. ``span``: the part of its text that is wrong."""

    def __init__(self, code: str, message: str, span: Span, hint: str = "") -> None:
        super().__init__(message)
        self.code, self.message, self.span, self.hint = code, message, span, hint

    def problem(self) -> Problem:
        """Return the problem as a record, with its location in the file."""
        return Problem(self.code, self.span.location, self.message, self.hint)


def syntax_tree(text: Text, start: int = 0, end: int | None = None) -> ast.expr:
    """Return the syntax tree, as Python's ``ast``, of ``text[start:end]``.

    Column offsets in the tree count from the first character of this part that is not a space. Raises BadExpression for
    everything that is not in the language.
    """
    end = len(text.value) if end is None else end
    source = text.value[start:end]
    whole = Span(text, start, end)
    if not source.strip():
        raise BadExpression("OD301", "an expression is missing here", whole)
    if len(source) > MAX_LENGTH:
        raise BadExpression(
            "OD302",
            f"the expression has {len(source):,} characters; the longest allowed has {MAX_LENGTH}",
            Span(text, start, start),
            "name its parts under `define:`",
        )
    if not source.isascii():
        where = start + next(k for k, char in enumerate(source) if not char.isascii())
        raise BadExpression(
            "OD303",
            f"the character {text.value[where]!r} is not in the language",
            Span(text, where, where + 1),
            "remove these quotes: words stand bare"
            if text.value[where] in _QUOTES
            else "expressions use plain ASCII: - for minus, <= for at most, != for not equal",
        )
    flat = re.sub(r"\s", " ", source)
    pad = len(flat) - len(flat.lstrip())
    try:
        tree = ast.parse(flat.strip(), mode="eval")
    except SyntaxError as error:
        raise _syntax_error(error, text, start + pad, flat.strip()) from None
    except (RecursionError, MemoryError, ValueError):
        raise BadExpression("OD302", "the expression is nested too deeply", whole) from None
    for node in ast.walk(tree):
        _check_node(node, text, start + pad, whole)
        for operator, span in _operators_with_spans(node, text, start + pad):
            _check_operator(operator, span)
    return tree.body


_QUOTES = "\u2018\u2019\u201c\u201d\u201e\u00ab\u00bb"


def _operators_with_spans(node: ast.AST, text: Text, text_offset: int) -> Iterator[tuple[ast.AST, Span]]:
    """Yield each operator of a node with its span. Python's syntax tree has no spans of operators.

    ``text_offset``: the index in the text from which column offsets count.
    """
    if isinstance(node, ast.UnaryOp):
        yield node.op, Span(text, text_offset + node.col_offset, text_offset + node.col_offset + 1)
    pairs: list[tuple[ast.AST, ast.expr, ast.expr]] = []
    if isinstance(node, ast.BinOp):
        pairs = [(node.op, node.left, node.right)]
    elif isinstance(node, ast.Compare):
        pairs = list(zip(node.ops, [node.left, *node.comparators], node.comparators, strict=False))
    for operator, left, right in pairs:
        low, high = text_offset + (left.end_col_offset or 0), text_offset + right.col_offset
        between = re.search(r"[^()\s]+", text.value[low:high])
        stretch = between.span() if between else (0, high - low)
        yield operator, Span(text, low + stretch[0], low + stretch[1])


def _check_operator(operator: ast.AST, span: Span) -> None:
    """Raise BadExpression if an operator is not in the language."""
    if type(operator) in _ALLOWED:
        return
    if isinstance(operator, _BITS):
        message, hint = "bit operators are not in the language", "use and, or, +, *"
    else:
        message, hint = _REFUSED[type(operator)]
    raise BadExpression("OD305", message, span, hint)


_MEANT = {"=<": "<=", "=>": ">=", "<>": "!=", "!": "not"}


def _syntax_error(error: SyntaxError, text: Text, start: int, source: str) -> BadExpression:
    """Return the BadExpression for a syntax error that Python found, with a hint if the cause is a common one."""
    last = max(len(source) - 1, 0)
    # Without an offset, something lacks at the end.
    where = start + min(max((error.offset or len(source)) - 1, 0), last)
    single = re.search(r"(?<![=<>!])=(?!=)", source)
    hint = ""
    odd = re.search(r"=<|=>|<>|!(?!=)", source)
    if odd:
        where, hint = start + odd.start(), f"write `{_MEANT[odd[0]]}`"
    elif single:
        where, hint = start + single.start(), "compare with == (two equals signs)"
    elif "&&" in source or "||" in source:
        hint = "write `and`, `or`"
    elif match := re.search(r"\b\d+d\d+\b", source):
        where = start + match.start()
        hint = "`roll:` rolls the dice, and an expression reads the name of the roll"
    elif re.search(r",\s*(move|set|add|let|drop)\s", source):
        hint = "write effects as a list, each in a line of its own"
    elif percent := re.search(r"%\s*($|[^\s\w(-])", source):
        where = start + percent.start()
        hint = "% gives the rest of a division, and rules do not name chances"
    elif source.count("(") != source.count(")") or source.count("[") != source.count("]"):
        hint = "there is a bracket too few or too many"
    return BadExpression("OD304", "this is not an expression of the language", Span(text, where, where + 1), hint)


def _check_node(node: ast.AST, text: Text, text_offset: int, whole_span: Span) -> None:
    """Raise BadExpression if a node is not in the language.

    ``whole_span``: the span of the whole expression, for nodes without a location.
    """
    kind = type(node)
    if isinstance(node, ast.expr):
        span = Span(text, text_offset + node.col_offset, text_offset + (node.end_col_offset or node.col_offset + 1))
    else:
        span = whole_span
    if isinstance(node, ast.Constant) and type(node.value) is not int:
        shown = type(node.value).__name__
        if isinstance(node.value, float):
            message = "only whole numbers can stand here"
            hint = "count in whole units; in payoffs and claims `/` is exact"
        elif isinstance(node.value, str):
            message, hint = "text in quotes is not in the language", "write words bare, without quotes"
        elif isinstance(node.value, bool | None):
            message, hint = f"`{node.value}` is not in the language", "write true or false in small letters"
        else:
            message, hint = f"a {shown} is not in the language", ""
        raise BadExpression("OD305", message, span, hint)
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        if abs(node.value) > MAX_NUMBER:
            raise BadExpression("OD306", "this number is beyond 2^53", span, "use smaller units")
        if span.covered_text != str(node.value):
            raise BadExpression(
                "OD305", f"`{span.covered_text}` is not a plain whole number", span, f"write {node.value}"
            )
    if isinstance(node, ast.comprehension) and (node.is_async or not isinstance(node.target, ast.Name)):
        text_offset += node.target.col_offset
        place = Span(text, text_offset, text_offset + 1)
        raise BadExpression("OD305", "a loop here takes one plain name", place, "write: f for f in hand")
    if kind in _ALLOWED or isinstance(node, ast.operator | ast.unaryop | ast.cmpop):
        return
    message, hint = _REFUSED.get(kind, (f"{kind.__name__} is not in the language", ""))
    raise BadExpression("OD305", message, span, hint)
