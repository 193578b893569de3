"""Small changes to a program, one at a time: what somebody could have got wrong in it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, islice

COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
RECKONED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}
# Words of messages, types, and `strict=True`, which only guards against slips of our own.
UNTOUCHED = (ast.Import, ast.ImportFrom, ast.Raise, ast.JoinedStr, ast.arg, ast.Assert)


@dataclass(frozen=True)
class Mutant:
    """A changed program. ``name``: function, change and its line; ``weaker``: a refusal was taken out."""

    name: str
    code: ast.Module
    weaker: bool


Change = tuple[str, bool, Callable[[], None]]
"""What it is, whether a refusal is taken out, and how it is made."""
Put = Callable[[ast.AST], Callable[[], None]]


def mutants(source: str, wanted: Callable[[str], bool] = lambda name: True) -> Iterator[Mutant]:
    """Those whose names are wanted, in order of the lines."""
    lines = source.splitlines()
    names = [name for name, _, _ in _changes(ast.parse(source), lines, "")]
    for number in (number for number, name in enumerate(names) if wanted(name)):
        tree = ast.parse(source)  # fresh for every change, which is made in place
        name, weaker, change = next(islice(_changes(tree, lines, ""), number, None))
        change()
        yield Mutant(name, ast.fix_missing_locations(tree), weaker)


def _changes(node: ast.AST, lines: list[str], where: str) -> Iterator[Change]:
    """The changes to a node and all in it. ``where``: the classes and functions around it."""
    for field, old in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list", "type_params", "bases"):
            continue
        for child in old if isinstance(old, list) else [old]:
            if not isinstance(child, ast.AST) or isinstance(child, UNTOUCHED):
                continue
            if isinstance(child, ast.keyword) and child.arg == "strict":
                continue
            if isinstance(child, ast.Subscript) and isinstance(child.value, ast.Name) and child.value.id == "Callable":
                continue
            if isinstance(child, ast.If) and ast.unparse(child.test).startswith("__name__"):
                continue
            around = (
                f"{where}.{child.name}".lstrip(".") if isinstance(child, (ast.FunctionDef, ast.ClassDef)) else where
            )
            kinds = (_logic(child), _numbers(child, put := _putter(node, field, old, child)), _parts(child, field, put))
            for what, weaker, change in chain(*kinds):
                line = getattr(child, "lineno", getattr(node, "lineno", 1))
                yield f"{around}: {what} | {lines[line - 1].strip()}", weaker, change
            yield from _changes(child, lines, around)


def _putter(parent: ast.AST, field: str, old: object, child: ast.AST) -> Put:
    """What puts another node in the place of one."""

    def put(new: ast.AST) -> Callable[[], None]:
        if isinstance(old, list):
            return lambda: old.__setitem__(next(at for at, each in enumerate(old) if each is child), new)
        return lambda: setattr(parent, field, new)

    return put


def _without(items: list[ast.expr], number: int) -> Callable[[], None]:
    return lambda: items.__delitem__(number)


def _logic(child: ast.AST) -> Iterator[Change]:
    match child:
        case ast.Compare(ops=ops):
            for number, op in enumerate(ops):
                for other in COMPARED[type(op)]:
                    what = f"{type(op).__name__} {number} to {other.__name__}"
                    yield what, False, lambda number=number, other=other: ops.__setitem__(number, other())  # type: ignore[misc]
        case ast.BoolOp(op=op, values=operands):
            turned = ast.Or() if isinstance(op, ast.And) else ast.And()
            yield f"{type(op).__name__} turned", False, lambda: setattr(child, "op", turned)
            for number in range(len(operands)):
                yield f"{type(op).__name__} without part {number}", False, _without(operands, number)


def _numbers(child: ast.AST, put: Put) -> Iterator[Change]:
    match child:
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield f"without {type(child.op).__name__}", False, put(operand)
        case ast.BinOp(op=op) | ast.AugAssign(op=op):
            yield f"{type(op).__name__} turned", False, lambda: setattr(child, "op", RECKONED[type(op)]())
        case ast.Constant(value=bool() as value):
            yield f"{value} turned", False, put(ast.Constant(not value))
        case ast.Constant(value=int() as value):
            yield f"{value} + 1", False, put(ast.Constant(value + 1))
            yield f"{value} - 1", False, put(ast.Constant(value - 1))
        case ast.Name(id=name) if name in NAMES:
            yield f"{name} to {NAMES[name]}", False, put(ast.Name(NAMES[name], ast.Load()))


def _parts(child: ast.AST, field: str, put: Put) -> Iterator[Change]:
    match child:
        case ast.IfExp(body=body, orelse=other):
            yield "always", False, put(body)
            yield "never", False, put(other)
        case ast.Tuple(elts=items, ctx=ast.Load()) | ast.List(elts=items, ctx=ast.Load()) | ast.Set(elts=items):
            for number in range(len(items) if field != "slice" else 0):
                yield f"without item {number}", False, _without(items, number)
        case ast.If(test=test, body=block, orelse=others):
            yield "never", isinstance(block[-1], ast.Raise), put(_block(others))
            if not isinstance(test, ast.Compare):
                yield "negated", False, lambda: setattr(child, "test", ast.UnaryOp(ast.Not(), test))
        case ast.Expr(value=value) if not isinstance(value, (ast.Constant, ast.Yield, ast.YieldFrom)):
            yield "left out", False, put(ast.Pass())
        case ast.comprehension(ifs=ifs):
            for number in range(len(ifs)):
                yield f"without test {number}", False, _without(ifs, number)


def _block(statements: list[ast.stmt]) -> ast.stmt:
    return ast.If(ast.Constant(True), statements, []) if statements else ast.Pass()
