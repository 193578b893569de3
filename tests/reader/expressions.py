"""The value of an expression: Python's grammar, of which this is the part that the language page allows."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import count, takewhile
from typing import Any

from tests.reader.scene import Scene
from tests.reader.values import Hand, Seat, Stops, is_in, items, number, same


@cache
def tree(text: str) -> ast.expr:
    """The syntax tree of a text."""
    return ast.parse(text.strip(), mode="eval").body


@dataclass(frozen=True)
class Later:
    """An argument of a definition: it is read as if it were written where the definition uses it."""

    node: ast.expr
    scene: Scene


def value(what: str | int | ast.expr, scene: Scene) -> Any:
    """The value of an expression, of its tree, or of a number or flag that stands in the data."""
    if isinstance(what, int):
        return what
    node = tree(what) if isinstance(what, str) else what
    return _READERS[type(node)](node, scene)


def holds(what: str | int | ast.expr, scene: Scene) -> bool:
    """Whether a condition is true."""
    found = value(what, scene)
    if not isinstance(found, bool):
        raise TypeError(f"{found} is no flag")
    return found


# --- names


def _name(node: ast.Name, scene: Scene) -> Any:
    name, setting = node.id, scene.setting
    if name in scene.local:
        found = scene.local[name]
        if isinstance(found, dict):  # what seats chose at once
            return _entry(found, scene.seat)
        return value(found.node, found.scene) if isinstance(found, Later) else found
    if name in _WORDS:
        return _WORDS[name](scene)
    if name in setting.definitions:
        return value(setting.definitions[name].body, scene)
    if name in setting.variables:
        return _members(name, [], scene)
    if name in setting.names:
        return setting.names[name]
    if name in setting.words:
        return name
    drawn = [scene.local[f"{name}_{place}"] for place in takewhile(lambda n: f"{name}_{n}" in scene.local, count(1))]
    if drawn:
        return sorted(drawn)
    raise NameError(name)


_WORDS: dict[str, Callable[[Scene], Any]] = {
    "true": lambda scene: True,
    "false": lambda scene: False,
    "mover": lambda scene: scene.mover,
    "seat": lambda scene: scene.seat,
    "next": lambda scene: scene.neighbour(1),
    "previous": lambda scene: scene.neighbour(-1),
    "everyone": lambda scene: scene.inside(scene.seat),
    "others": lambda scene: [seat for seat in scene.inside(scene.seat) if seat != scene.seat],
    "table": lambda scene: scene.around(scene.seat),
    "seats": lambda scene: scene.setting.seats,
}


def _members(name: str, index: list[Any], scene: Scene) -> Any:
    keys, several = scene.keys(name, index)
    found = [scene.cells[key] for key in keys]
    return found if several else found[0]


def indexed(node: ast.Subscript, scene: Scene) -> tuple[str, list[Any]]:
    """The name and the index of ``name[...]``."""
    assert isinstance(node.value, ast.Name)
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    return node.value.id, [value(part, scene) for part in parts]


def _subscript(node: ast.Subscript, scene: Scene) -> Any:
    name, index = indexed(node, scene)
    if name in scene.local:
        [seat] = index
        return _entry(scene.local[name], seat)
    if name in scene.setting.variables:
        return _members(name, index, scene)
    book, [key] = scene.setting.names[name], index
    return _entry(book, key)


def _entry(book: dict[Any, Any], key: Any) -> Any:
    key = number(key) if isinstance(key, Hand) else key
    if key not in book:
        raise Stops(f"no entry for {key}")
    return book[key]


# --- operators


def _arithmetic(node: ast.BinOp, scene: Scene) -> Any:
    a, b = value(node.left, scene), value(node.right, scene)
    if isinstance(a, Hand) and isinstance(b, Hand) and isinstance(node.op, ast.Add | ast.Sub):
        return a + b if isinstance(node.op, ast.Add) else a - b
    a, b = number(a), number(b)
    match node.op:
        case ast.Add():
            return a + b
        case ast.Sub():
            return a - b
        case ast.Mult():
            return a * b
        case ast.FloorDiv():
            return a // b
        case ast.Mod():
            return a % b
        case ast.Div():
            return Fraction(a) / b
    raise TypeError(ast.dump(node.op))


def _unary(node: ast.UnaryOp, scene: Scene) -> Any:
    if isinstance(node.op, ast.Not):
        return not holds(node.operand, scene)
    assert isinstance(node.op, ast.USub)
    return -number(value(node.operand, scene))


def _bool(node: ast.BoolOp, scene: Scene) -> bool:
    if isinstance(node.op, ast.And):
        return all(holds(part, scene) for part in node.values)
    return any(holds(part, scene) for part in node.values)


def _choice(node: ast.IfExp, scene: Scene) -> Any:
    return value(node.body if holds(node.test, scene) else node.orelse, scene)


def _compare(node: ast.Compare, scene: Scene) -> bool:
    left = value(node.left, scene)
    for how, right in zip(node.ops, node.comparators, strict=True):
        other = value(right, scene)
        if not _compares(how, left, other, scene):
            return False
        left = other
    return True


def _compares(how: ast.cmpop, a: Any, b: Any, scene: Scene) -> bool:
    match how:
        case ast.Eq():
            return same(a, b)
        case ast.NotEq():
            return not same(a, b)
        case ast.In():
            return is_in(a, b)
        case ast.NotIn():
            return not is_in(a, b)
    if isinstance(a, Seat):  # play order, counted from the mover
        order = scene.around(scene.mover)
        a, b = order.index(a), order.index(b)
    else:
        a, b = number(a), number(b)
    match how:
        case ast.Lt():
            return bool(a < b)
        case ast.LtE():
            return bool(a <= b)
        case ast.Gt():
            return bool(a > b)
        case ast.GtE():
            return bool(a >= b)
    raise TypeError(ast.dump(how))


def _listed(node: ast.List, scene: Scene) -> list[Any]:
    return [value(part, scene) for part in node.elts]


# --- functions


def _call(node: ast.Call, scene: Scene) -> Any:
    assert isinstance(node.func, ast.Name)
    name = node.func.id
    if name in scene.setting.definitions:
        meant = scene.setting.definitions[name]
        given = {key: Later(part, scene) for key, part in zip(meant.arguments, node.args, strict=True)}
        return value(meant.body, scene.with_names(given))
    if name == "share":
        return _share(node.args[0], scene)
    given_values = [_argument(part, scene) for part in node.args]
    if name in ("min", "max"):
        return _extreme(node, given_values, scene)
    return _FUNCTIONS[name](*given_values)


def _argument(node: ast.expr, scene: Scene) -> Any:
    if isinstance(node, ast.GeneratorExp):
        return [value(node.elt, inner) for inner in _rounds(node.generators, scene)]
    return value(node, scene)


def _rounds(loops: list[ast.comprehension], scene: Scene) -> Iterator[Scene]:
    if not loops:
        yield scene
        return
    first, *others = loops
    assert isinstance(first.target, ast.Name)
    for item in items(value(first.iter, scene)):
        inner = scene.with_names({first.target.id: item})
        if all(holds(test, inner) for test in first.ifs):
            yield from _rounds(others, inner)


def _share(node: ast.expr, scene: Scene) -> Fraction:
    """1 is split equally among the seats with the greatest value, in or out."""
    worth = {seat: number(value(node, scene.at(seat))) for seat in scene.setting.table}
    best = [seat for seat in worth if worth[seat] == max(worth.values())]
    return Fraction(scene.seat in best, len(best))


def _extreme(node: ast.Call, given: list[Any], scene: Scene) -> Any:
    assert isinstance(node.func, ast.Name)
    found = list(map(number, items(given[0]) if len(given) == 1 else given))
    if not found:
        if not node.keywords:
            raise Stops("nothing is the least of nothing")
        return number(value(node.keywords[0].value, scene))
    return min(found) if node.func.id == "min" else max(found)


def _count(things: Any, *of: Any) -> int:
    if of:
        return sum(same(thing, of[0]) for thing in items(things))
    return sum(thing is True for thing in items(things))


def _distinct(things: Any) -> list[Any]:
    return sorted({number(thing) if isinstance(thing, Hand) else thing for thing in items(things)})


def _rank(things: Any, place: Any) -> Any:
    faces = sorted(map(number, items(things)))
    if not 1 <= number(place) <= len(faces):
        raise Stops("there are fewer")
    return faces[-int(number(place))]


def _subsets(hand: Hand, *size: Any) -> list[Hand]:
    return [part for part in hand.parts() if not size or len(part.dice) == number(size[0])]


def _has_run(things: Any, length: Any) -> bool:
    faces = set(map(number, items(things)))
    return any(all(face + step in faces for step in range(int(number(length)))) for face in faces)


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "sum": lambda things: sum(map(number, items(things))),
    "abs": lambda x: abs(number(x)),
    "size": lambda things: len(items(things)),
    "sorted": lambda things: sorted(items(things)),
    "distinct": _distinct,
    "all_equal": lambda things: all(same(thing, items(things)[0]) for thing in items(things)),
    "any": lambda flags: any(flag is True for flag in items(flags)),
    "all": lambda flags: all(flag is True for flag in items(flags)),
    "count": _count,
    "span": lambda a, b: list(range(int(number(a)), int(number(b)) + 1)),
    "lookup": lambda book, key, default: book.get(number(key) if isinstance(key, Hand) else key, default),
    "rank": _rank,
    "subsets": _subsets,
    "has_run": _has_run,
}

_READERS: dict[type[ast.expr], Callable[[Any, Scene], Any]] = {
    ast.Constant: lambda node, scene: node.value,
    ast.Name: _name,
    ast.Subscript: _subscript,
    ast.BinOp: _arithmetic,
    ast.UnaryOp: _unary,
    ast.BoolOp: _bool,
    ast.IfExp: _choice,
    ast.Compare: _compare,
    ast.List: _listed,
    ast.Call: _call,
}
