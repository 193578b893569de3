"""Typing of expressions: a syntax tree becomes a typed tree.

Names are resolved, types checked, and definitions expanded.

If a number is expected, a hand of one die is replaced by its face, and an expression of such hands by the same
expression of their faces. If an expression has the wrong type, a hint says what to write instead.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from oddsmith.base.errors import did_you_mean
from oddsmith.base.location import Span, Text
from oddsmith.expr.functions import FUNCTIONS, ArgumentTypeMismatch, Function
from oddsmith.expr.parse import BadExpression, syntax_tree
from oddsmith.expr.scope import BUILTINS, Scope, Symbol
from oddsmith.expr.tree import EXACT, FLAG, HAND, NUMBER, SEAT, Expr, Op, Type, const, list_of, word_type


def as_numbers(tree: Expr, *allowed_types: Type) -> Expr | None:
    """Return a tree of hands converted to a number or a list of numbers. Return None if ``allowed_types`` allows
    neither, or if a hand may have several dice.

    ``allowed_types``: the types that are allowed. ``a + b`` and ``a - b`` become a sum and a difference of faces. A
    conditional of two hands becomes one of two numbers.
    """
    if NUMBER in allowed_types or EXACT in allowed_types:
        return _as_number(tree)
    listed = list_of(NUMBER) in allowed_types and tree.op in ("listed", "each") and tree.type.item is not None
    return _as_number_list(tree) if listed else None


def with_same_type(trees: Sequence[Expr]) -> list[Expr]:
    """Return trees that must all have one type. If one of them is a number, hands of one die are converted to numbers."""
    if not any(item.type.kind in ("number", "exact") for item in trees):
        return list(trees)
    return [as_numbers(item, NUMBER) or item for item in trees]


def _as_number(tree: Expr) -> Expr | None:
    """Return a tree of hands of one die converted to a number; None if this is not possible."""
    if tree.type.kind != "hand":
        return None
    if tree.op in ("+", "-", "if"):
        kept = tree.args[:1] if tree.op == "if" else ()
        parts = [_as_number(part) for part in tree.args[len(kept) :]]
        found = [part for part in parts if part is not None]
        return replace(tree, type=NUMBER, args=(*kept, *found)) if len(found) == len(parts) else None
    return Expr("face", NUMBER, (tree,), None, tree.span) if tree.type.single else None


def _as_number_list(tree: Expr) -> Expr | None:
    """Return a list or loop of hands of one die converted to a list of numbers; None if this is not possible."""
    places = range(len(tree.args)) if tree.op == "listed" else (1,)  # a loop has its items, an element, and tests
    parts = {place: _as_number(tree.args[place]) for place in places}
    if None in parts.values():
        return None
    args = tuple(parts.get(place) or arg for place, arg in enumerate(tree.args))
    return replace(tree, type=list_of(NUMBER), args=args)


SEAT_HINT = "write mover, next, previous, or a variable of type seat"
_CHANCE = ("rand", "roll", "dice")


def conversion_hint(actual: Type, allowed_types: Collection[Type]) -> str:
    """Return a hint on how to turn a value of the type ``actual`` into one of the wanted types; empty if there is none."""
    if actual.kind == "flag" and NUMBER in allowed_types:
        return "true and false do not count as 1 and 0: use count(...) or `1 if ... else 0`"
    if actual.kind == "hand" and NUMBER in allowed_types:
        return "a hand of several dice is no number: use sum(...), rank(...) or count(...)"
    if actual.kind == "number" and FLAG in allowed_types:
        return "compare it: ... > 0"
    return SEAT_HINT if actual.kind == "number" and SEAT in allowed_types else ""


def comparison_hint(kinds: Collection[str]) -> str:
    """Return a hint on how to compare values of these kinds; empty if there is none."""
    if kinds == {"seat", "number"}:
        return f"a seat is no number; {SEAT_HINT}"
    if "seat" in kinds:
        return "seats compare with ==, != and < (earlier in play order); a seat is no number"
    return "to ask whether a face shows: `1 in hand`; for the total: sum(hand)" if kinds == {"hand", "number"} else ""


def unknown_function_hint(name: str) -> str:
    """Return a hint for the name of a function that does not exist."""
    if name.lower().startswith(_CHANCE):
        return "chance comes only from `roll:` and `draw:`; an expression reads the names that they give"
    return did_you_mean(name, [*FUNCTIONS, "lookup"], "functions")


MAX_NODES = 20_000  # of one expression, definitions expanded
MAX_PARTS = 300_000  # of all expressions of a file together, so that reading one takes seconds at most
MAX_DEPTH = 100  # every walker over trees calls itself per level, and Python's stack has an end

_WORDS_FOR_MOVER = {"me", "my", "mine", "self", "you", "player", "current"}
_BINARY: dict[type[ast.AST], Op] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.In: "in",
}  # fmt: skip


def typed_tree(
    text: Text,
    scope: Scope,
    *allowed_types: Type,
    start: int = 0,
    end: int | None = None,
    extra_words: Sequence[str] = (),
) -> Expr:
    """Return the typed tree of ``text[start:end]``. ``allowed_types``: the types that are allowed; any type, if none is
    given. ``extra_words``: words that may stand in place of an expression, for hints.

    Raises BadExpression if the text is no expression of the language or has none of these types.
    """
    tree = syntax_tree(text, start, end)
    stretch = text.value[start:end]
    typer = _TypeChecker(text, start + len(stretch) - len(stretch.lstrip()), scope, _ExpansionLimits())
    if isinstance(tree, ast.Name) and (SEAT in allowed_types or list_of(SEAT) in allowed_types):
        typer.shown = [*typer.names_of_seats(), *extra_words]
    checked = typer.visit(tree)
    return typer.as_allowed_type(checked, *allowed_types) if allowed_types else checked


def _match_arguments(function: Function, args: list[Expr]) -> tuple[Type, list[Expr]]:
    """Return the result type of a function, and its arguments. Where the function needs numbers, hands of one die are
    converted to numbers.

    Raises ArgumentTypeMismatch if an argument still has the wrong type.
    """
    try:
        return function.result_type([arg.type for arg in args]), args
    except ArgumentTypeMismatch as wrong:
        found = as_numbers(args[wrong.argument_index], NUMBER) or as_numbers(
            args[wrong.argument_index], list_of(NUMBER)
        )
        if found is None:
            raise
        return _match_arguments(function, [*args[: wrong.argument_index], found, *args[wrong.argument_index + 1 :]])


@dataclass
class _ExpansionLimits:
    """Limits on the expansion of one expression.

    ``nodes``: the number of nodes that are still allowed. ``depth``: the current depth of nesting. ``open``: the names
    of the definitions that are being expanded.
    """

    nodes: int = MAX_NODES
    depth: int = 0
    open: tuple[str, ...] = ()


class _TypeChecker:
    """Turns the syntax tree of one text into a typed tree.

    ``start``: the index in the text from which column offsets count. ``shown``: the names that a hint lists for a wrong
    one, if not those of the scope.
    """

    shown: Sequence[str] = ()

    def __init__(self, text: Text, start: int, scope: Scope, limits: _ExpansionLimits) -> None:
        self.text, self.start, self.scope, self.limits = text, start, scope, limits

    def names_of_seats(self) -> list[str]:
        """Return the known names of a seat or of several seats."""
        built_in = {name: kind for name, kind in BUILTINS.items() if name != "seat"} if self.scope.state else {}
        known = [(name, symbol.type) for name, symbol in self.scope.symbols.items()]
        return [name for name, kind in (*known, *built_in.items()) if kind in (SEAT, list_of(SEAT))]

    def span(self, node: ast.expr) -> Span:
        """Return the part of the text that a syntax node stands for."""
        return Span(self.text, self.start + node.col_offset, self.start + (node.end_col_offset or 0))

    def make_node(self, op: Op, type_: Type, node: ast.expr, *args: Expr, value: object = None) -> Expr:
        """Return a typed node with the span of a syntax node."""
        return Expr(op, type_, args, value, self.span(node))

    def visit(self, node: ast.expr) -> Expr:
        """Return the typed tree of a syntax node. Raises BadExpression if it is wrong or too large."""
        self.limits.nodes -= 1
        if self.limits.nodes < 0:
            raise BadExpression(
                "OD302", f"with its definitions expanded, this has over {MAX_NODES:,} parts", self.span(node)
            )
        self.scope.spent[0] += 1
        if self.scope.spent[0] > MAX_PARTS:
            message = f"with definitions expanded, the file has over {MAX_PARTS:,} parts of expressions"
            raise BadExpression("OD302", message, self.span(node), "leave rules out, or split the game in two")
        # `and`, `or` and chains of comparisons become trees as deep as they are long.
        chain = node.values if isinstance(node, ast.BoolOp) else node.ops if isinstance(node, ast.Compare) else [node]
        deep = len(chain)
        self.limits.depth += deep
        if self.limits.depth > MAX_DEPTH:
            hint = "for a long sum write sum([a, b, c]); let fewer definitions use other definitions"
            raise BadExpression("OD302", f"this is nested more than {MAX_DEPTH} deep", self.span(node), hint)
        method: Callable[..., Expr] = getattr(self, f"visit_{type(node).__name__}")
        typed_node = method(node)
        self.limits.depth -= deep
        return typed_node

    def as_allowed_type(self, tree: Expr, *allowed_types: Type) -> Expr:
        """Return a tree as one of the wanted types.

        If a number is wanted, hands of one die are converted to their faces.

        Raises BadExpression if the tree has none of these types.
        """
        if any(kind.accepts(tree.type) for kind in allowed_types) or (tree.type == NUMBER and EXACT in allowed_types):
            return tree
        if (found := as_numbers(tree, *allowed_types)) is not None:
            return found
        shown, hint = " or ".join(f"a {kind}" for kind in allowed_types), conversion_hint(tree.type, allowed_types)
        raise BadExpression(
            "OD321", f"this must be {shown}; `{tree.span.covered_text}` is a {tree.type}", tree.span, hint
        )

    # --- leaves

    def visit_Constant(self, node: ast.Constant) -> Expr:
        """Return the typed node of a number."""
        return const(node.value, NUMBER, self.span(node))

    def visit_Name(self, node: ast.Name) -> Expr:
        """Return the typed node of a name."""
        name, span = node.id, self.span(node)
        if name in ("true", "false"):
            return const(name == "true", FLAG, span)
        symbol = self.scope.symbols.get(name)
        if symbol is None and name in BUILTINS:
            if not self.scope.state and name != "seats":
                raise BadExpression("OD313", f"`{name}` cannot be read here, before play begins", span)
            return Expr(name, BUILTINS[name], span=span)
        if symbol is None:
            known = [*self.shown, *self.scope.symbols, *((*BUILTINS, *FUNCTIONS) if self.scope.state else ("seats",))]
            hint = "a function needs brackets: " + FUNCTIONS[name].signature if name in FUNCTIONS else ""
            if name in _WORDS_FOR_MOVER and self.scope.state:
                hint = "whoever is to move is `mover`"
            raise BadExpression(
                "OD312",
                f"there is nothing called {name} here",
                span,
                hint or did_you_mean(name, known, listed_names=self.shown or self.scope.symbols),
            )
        self.scope.used.add(name)
        match symbol.kind:
            case "word":
                return const(name, word_type(name), span)
            case "state":
                return self.variable_node(name, symbol, (), span)
            case "define":
                return self.expanded_definition(name, symbol, [], span)
            case "argument":
                assert symbol.tree is not None
                return symbol.tree
            case "local" if symbol.type.kind == "map":
                return self.seat_choice_node(name, symbol, Expr("seat", SEAT, span=span), span)
            case "map":
                raise BadExpression("OD322", f"the map {name} needs a key: {name}[...]", span)
        return Expr(symbol.kind, symbol.type, value=name, span=span)

    def variable_node(self, name: str, symbol: Symbol, indices: tuple[Expr, ...], span: Span) -> Expr:
        """Return the node of a variable with some indices. Raises BadExpression if they do not fit.

        If only the index of a seat is missing, it is the seat for which the expression is evaluated.
        """
        if not self.scope.state:
            raise BadExpression("OD313", f"the variable {name} cannot be read here, before play begins", span)
        if symbol.tally and not self.scope.tallies:
            raise BadExpression(
                "OD314",
                f"{name} is a tally: rules may add to it but never read it",
                span,
                "only payoffs and measures read a tally; make it a number with a max if a rule must read it",
            )
        per_seat = symbol.dims[:1] == (SEAT,)
        if per_seat and len(indices) == len(symbol.dims) - 1:
            indices = (Expr("seat", SEAT, span=span), *indices)
        if len(indices) != len(symbol.dims):
            wants = len(symbol.dims) - per_seat
            raise BadExpression(
                "OD323", f"{name} needs {wants or 'no'} index{'es' * (wants > 1)} in square brackets", span
            )
        type_ = symbol.type
        for index, dim in zip(indices, symbol.dims, strict=True):
            if index.type.kind == "list" and (index.type.item is None or dim.accepts(index.type.item)):
                type_ = list_of(type_)
            else:
                self.as_allowed_type(index, dim)
                self.refuse_disjoint_words(index, dim)
        fixed = tuple(
            self.as_allowed_type(index, dim) if index.type.kind != "list" else index
            for index, dim in zip(indices, symbol.dims, strict=True)
        )
        return Expr("state", type_, fixed, name, span)

    def refuse_disjoint_words(self, word: Expr, expected_type: Type) -> None:
        """Raise BadExpression if ``word`` is a word that can never be one of the words of the type ``expected_type``."""
        if word.type.kind == "word" and expected_type.kind == "word" and not word.type.words & expected_type.words:
            raise BadExpression(
                "OD324",
                f"`{word.span.covered_text}` can never be one of {', '.join(sorted(expected_type.words))}",
                word.span,
                did_you_mean(word.span.covered_text, expected_type.words, "words"),
            )

    def expanded_definition(self, name: str, symbol: Symbol, arguments: list[Expr], span: Span) -> Expr:
        """Return the typed body of a definition, with ``arguments`` in place of its parameters. Raises BadExpression
        for a wrong number of them, or if the definition uses itself.
        """
        if len(arguments) != len(symbol.arguments):
            shown = f"{name}({', '.join(symbol.arguments)})" if symbol.arguments else name
            raise BadExpression("OD325", f"the definition is {shown}; {len(arguments)} arguments are given", span)
        if name in self.limits.open:
            raise BadExpression(
                "OD326", f"the definition {name} uses itself", span, "a definition is expanded in place"
            )
        symbols = dict(self.scope.symbols)
        for argument, tree in zip(symbol.arguments, arguments, strict=True):
            symbols[argument] = Symbol("argument", tree.type, tree=tree)
        assert symbol.text is not None
        inner = syntax_tree(symbol.text)
        lead = len(symbol.text.value) - len(symbol.text.value.lstrip())
        before, self.limits.open = self.limits.open, (*self.limits.open, name)
        tree = _TypeChecker(symbol.text, lead, replace(self.scope, symbols=symbols), self.limits).visit(inner)
        self.limits.open = before
        # Where there are arguments, its own words know nothing of them: those of whoever uses it count.
        return replace(tree, span=span) if arguments else tree

    # --- operators

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Expr:
        """Return the typed node of ``not`` or of a minus sign."""
        if isinstance(node.op, ast.Not):
            return self.make_node("not", FLAG, node, self.as_allowed_type(self.visit(node.operand), FLAG))
        arg = self.as_allowed_type(self.visit(node.operand), NUMBER, EXACT)
        if arg.op == "const":
            return const(-arg.value, NUMBER, self.span(node))
        return self.make_node("neg", arg.type, node, arg)

    def visit_BinOp(self, node: ast.BinOp) -> Expr:
        """Return the typed node of an arithmetic operator."""
        op, left, right = _BINARY[type(node.op)], self.visit(node.left), self.visit(node.right)
        if op in "+-" and left.type.kind == "hand" and right.type.kind == "hand":
            return self.make_node(op, HAND, node, left, right)
        left, right = self.as_allowed_type(left, NUMBER, EXACT), self.as_allowed_type(right, NUMBER, EXACT)
        if op == "/":
            if not self.scope.exact:
                hint = "// rounds down; `/` is exact in payoffs and claims"
                raise BadExpression("OD327", "`/` is only for payoffs and claims", self.span(node), hint)
            return self.make_node(op, EXACT, node, left, right)
        return self.make_node(op, EXACT if EXACT in (left.type, right.type) else NUMBER, node, left, right)

    def visit_BoolOp(self, node: ast.BoolOp) -> Expr:
        """Return the typed nodes of ``and`` or ``or``, each with two arguments."""
        op: Op = "and" if isinstance(node.op, ast.And) else "or"
        args = [self.as_allowed_type(self.visit(value), FLAG) for value in node.values]
        tree = args[-1]
        for arg in reversed(args[:-1]):
            tree = Expr(op, FLAG, (arg, tree), None, Span(self.text, arg.span.start, tree.span.end))
        return tree

    def visit_Compare(self, node: ast.Compare) -> Expr:
        """Return the typed nodes of a chain of comparisons, joined by ``and``."""
        items = [self.visit(item) for item in (node.left, *node.comparators)]
        pairs = [self.comparison_node(op, a, b, node) for op, a, b in zip(node.ops, items, items[1:], strict=False)]
        tree = pairs[-1]
        for pair in reversed(pairs[:-1]):
            tree = self.make_node("and", FLAG, node, pair, tree)
        return tree

    def comparison_node(self, operator: ast.cmpop, a: Expr, b: Expr, node: ast.Compare) -> Expr:
        """Return the node of one comparison."""
        if isinstance(operator, ast.In | ast.NotIn):
            inside = self.make_node("in", FLAG, node, *self.membership_arguments(a, b))
            return self.make_node("not", FLAG, node, inside) if isinstance(operator, ast.NotIn) else inside
        op = _BINARY[type(operator)]
        a, b = with_same_type([a, b])
        if a.type.kind == b.type.kind == "hand" and (op not in ("==", "!=") or a.type.single or b.type.single):
            one, other = as_numbers(a, NUMBER), as_numbers(b, NUMBER)  # hands are only equal or not
            a, b = (one, other) if one and other else (a, b)
        kinds = {a.type.kind, b.type.kind}
        if kinds <= {"number", "exact"}:
            return self.make_node(op, FLAG, node, a, b)
        if kinds == {"seat"} and op in ("==", "!=", "<"):
            return self.make_node(op, FLAG, node, a, b)
        same = kinds in ({"word"}, {"flag"}, {"hand"}, {"list"}) or (
            kinds == {"hand", "list"} and list_of(NUMBER).accepts(a.type if a.type.kind == "list" else b.type)
        )
        if not same or op not in ("==", "!="):
            message = f"a {a.type} and a {b.type} cannot be compared with {op}"
            raise BadExpression("OD328", message, self.span(node), comparison_hint(kinds))
        self.refuse_disjoint_words(b, a.type)
        self.refuse_disjoint_words(a, b.type)
        return self.make_node(op, FLAG, node, a, b)

    def membership_arguments(self, element: Expr, collection: Expr) -> tuple[Expr, Expr]:
        """Return both arguments of ``in``, converted so that an item of ``collection`` can equal ``element``."""
        if collection.type.kind == "hand":
            return self.as_allowed_type(element, NUMBER), collection
        if collection.type.kind != "list":
            raise BadExpression(
                "OD321",
                f"`in` looks into a hand or a list, and `{collection.span.covered_text}` is a {collection.type}",
                collection.span,
            )
        item, faces = collection.type.item, list_of(NUMBER)
        if item is None:
            return element, collection
        if (element.type.kind, item.kind) == ("hand", "list"):
            return element, self.as_allowed_type(collection, list_of(faces))
        if (element.type.kind, item.kind) == ("list", "hand"):
            return self.as_allowed_type(element, faces), collection
        element = self.as_allowed_type(element, item)
        self.refuse_disjoint_words(element, item)
        return element, collection

    def visit_IfExp(self, node: ast.IfExp) -> Expr:
        """Return the typed node of a conditional."""
        test, then, other = (
            self.as_allowed_type(self.visit(node.test), FLAG),
            self.visit(node.body),
            self.visit(node.orelse),
        )
        then, other = with_same_type([then, other])
        return self.make_node("if", self.common_type([then, other]), node, test, then, other)

    def common_type(self, trees: list[Expr]) -> Type:
        """Return the common type of several expressions. For words, it allows the words of all of them.

        Raises BadExpression if they have no common type.
        """
        types = {item.type.kind for item in trees}
        if types <= {"number", "exact"}:
            return EXACT if "exact" in types else NUMBER
        first = trees[0].type
        for item in trees[1:]:
            self.as_allowed_type(item, first)
        if first.kind == "word":
            return replace(first, words=frozenset().union(*(item.type.words for item in trees)))
        return replace(first, single=all(item.type.single for item in trees))

    def visit_List(self, node: ast.List) -> Expr:
        """Return the typed node of a list of expressions."""
        items = [self.visit(item) for item in node.elts]
        items = with_same_type([self.as_allowed_type(item, NUMBER) if item.type.single else item for item in items])
        return self.make_node("listed", list_of(self.common_type(items) if items else None), node, *items)

    def visit_Tuple(self, node: ast.Tuple) -> Expr:
        """Raise BadExpression for a comma outside a list."""
        raise BadExpression("OD304", "a comma stands here outside any list", self.span(node), "write a list: [1, 2]")

    def visit_Subscript(self, node: ast.Subscript) -> Expr:
        """Return the typed node of a name with indices in square brackets."""
        span = self.span(node)
        name = node.value.id if isinstance(node.value, ast.Name) else ""
        symbol = self.scope.symbols.get(name)
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if symbol is not None and symbol.kind == "state":
            self.scope.used.add(name)
            return self.variable_node(name, symbol, tuple(self.visit(part) for part in parts), span)
        if symbol is not None and symbol.kind == "local" and symbol.type.kind == "map" and len(parts) == 1:
            self.scope.used.add(name)
            return self.seat_choice_node(name, symbol, self.as_allowed_type(self.visit(parts[0]), SEAT), span)
        if symbol is not None and symbol.kind == "map" and len(parts) == 1:
            return self.lookup_node(name, symbol, [self.visit(parts[0])], node)
        shown = name or span.covered_text
        hint = "families of variables and maps take [...]; for the i-th highest die use rank(hand, i)"
        if symbol is not None and symbol.kind == "define":
            inner = span.covered_text.partition("[")[2].removesuffix("]") or "next"
            hint = f"a definition takes arguments in round brackets: define {name}(p), and write {name}({inner})"
        raise BadExpression("OD323", f"{shown} takes no index", span, hint)

    def seat_choice_node(self, name: str, symbol: Symbol, seat: Expr, span: Span) -> Expr:
        """Return the node of the item that a seat chose in a phase in which several seats choose at once."""
        assert symbol.type.item is not None
        return Expr("lookup", symbol.type.item, (Expr("local", symbol.type, value=name, span=span), seat), None, span)

    def lookup_node(self, name: str, symbol: Symbol, key_and_default: list[Expr], node: ast.expr) -> Expr:
        """Return the node of a map's value at a key.

        ``key_and_default``: the key, and the value for a missing key if there is one.
        """
        self.scope.used.add(name)
        assert symbol.type.key is not None
        assert symbol.type.item is not None
        key = self.as_allowed_type(key_and_default[0], symbol.type.key)
        type_ = (
            symbol.type.item
            if len(key_and_default) == 1
            else self.common_type([const(0, symbol.type.item, key.span), key_and_default[1]])
        )
        table = Expr("map", symbol.type, value=name, span=self.span(node))
        return self.make_node("lookup", type_, node, table, key, *key_and_default[1:])

    # --- calls and loops

    def visit_Call(self, node: ast.Call) -> Expr:
        """Return the typed node of a call of a function or a definition."""
        span = self.span(node)
        if not isinstance(node.func, ast.Name):
            raise BadExpression("OD305", "only functions of the language can be called", span)
        name = node.func.id
        symbol = self.scope.symbols.get(name)
        if symbol is not None and symbol.kind == "define" and not node.keywords:
            self.scope.used.add(name)
            return self.expanded_definition(name, symbol, [self.visit(arg) for arg in node.args], span)
        if name == "lookup":
            return self.lookup_call(node)
        function = FUNCTIONS.get(name)
        if function is None:
            raise BadExpression(
                "OD315", f"there is no function {name}", self.span(node.func), unknown_function_hint(name)
            )
        args = [self.visit(arg) for arg in node.args]
        if not function.least <= len(args) <= function.most:
            raise BadExpression("OD325", f"write {function.signature}; {len(args)} arguments are given", span)
        if name == "share" and not self.scope.exact:
            raise BadExpression("OD327", "share(...) is only for payoffs", span)
        for keyword in node.keywords:
            if keyword.arg != "default" or not function.default or len(args) != 1:
                raise BadExpression("OD325", f"{name} takes no {keyword.arg}=", span, f"write {function.signature}")
        try:
            type_, args = _match_arguments(function, args)
        except ArgumentTypeMismatch as wrong:
            misfit = args[wrong.argument_index]
            message = f"{name}(...) takes {wrong.expected_type} here; `{misfit.span.covered_text}` is a {misfit.type}"
            hint = (
                f"use count(...) to count flags: {function.signature}"
                if name == "sum"
                else f"write {function.signature}"
            )
            raise BadExpression("OD321", message, misfit.span, hint) from None
        args += [self.as_allowed_type(self.visit(keyword.value), NUMBER) for keyword in node.keywords]
        return self.make_node("call", type_, node, *args, value=name)

    def lookup_call(self, node: ast.Call) -> Expr:
        """Return the node of a call ``lookup(map, key, otherwise)``."""
        first = node.args[0] if node.args else None
        symbol = self.scope.symbols.get(first.id) if isinstance(first, ast.Name) else None
        if len(node.args) != 3 or node.keywords or symbol is None or symbol.kind != "map":
            hint = "the map is a name under `constants:`"
            raise BadExpression("OD325", "write lookup(map, key, otherwise)", self.span(node), hint)
        assert isinstance(first, ast.Name)
        return self.lookup_node(first.id, symbol, [self.visit(arg) for arg in node.args[1:]], node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> Expr:
        """Return the typed nodes of a loop."""
        return self.loop_nodes(node, node.generators)

    def loop_nodes(self, node: ast.GeneratorExp, clauses: list[ast.comprehension]) -> Expr:
        """Return ``element for name in list if test ...`` as nested ``each`` nodes, one for each clause.

        Each outer node joins the lists that its elements give into one list.
        """
        if not clauses:
            return self.visit(node.elt)
        clause = clauses[0]
        assert isinstance(clause.target, ast.Name)
        items = self.visit(clause.iter)
        if items.type.kind not in ("list", "hand"):
            raise BadExpression("OD321", f"a loop runs over a list or a hand; this is a {items.type}", items.span)
        item = items.type.item or NUMBER  # a hand has faces
        inner = _TypeChecker(
            self.text,
            self.start,
            self.scope.with_local(clause.target.id, item, self.span(clause.target)),
            self.limits,
        )
        tests = [inner.as_allowed_type(inner.visit(test), FLAG) for test in clause.ifs]
        element = inner.loop_nodes(node, clauses[1:])
        flat = len(clauses) > 1
        element = self.as_allowed_type(element, NUMBER) if element.type.single else element
        type_ = element.type if flat else list_of(element.type)
        value = [clause.target.id, "flat" if flat else "item"]
        return self.make_node("each", type_, node, items, element, *tests, value=tuple(value))
