"""How a question was read, in plain words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from oddsmith.rolls.peg import Node

_BOUND = {">=": "{} or more", "<=": "{} or less", ">": "more than {}", "<": "less than {}", "==": "{}", "!=": "not {}"}
_SIGN = {">=": "at least", "<=": "at most", ">": "more than", "<": "less than", "==": "equal to", "!=": "other than"}
_ENDS = {"high": "highest", "low": "lowest", "middle": "middle"}
_LOOSE = ("+", "-", "and", "or", "if", "in", "is", "<", "<=", ">", ">=", "==", "!=", "let", "loop")
"""Nodes that stand in brackets inside others."""
_PHRASES = ("keep", "drop", "rank", "ranklow", "median", "gain", "explode", "reroll", "clamp", "swap", "largest", "run",
            "distinct", "spread", "multiplied", "total", "opposed")  # fmt: skip
"""Nodes of several words, which stand in brackets inside sums and beside other dice."""


def text(node: Node) -> str:
    """Write the question that a plain tree asks."""
    return _of(node)


def _of(node: Node) -> str:
    special: Callable[..., str] | None = _WORDS.get(node[0])
    if special is not None:
        return special(*node[2:])
    if node[0] in _SIGN:
        left = _repeated_text(node)
        return left or f"{_summed(node[2])} is {_SIGN[node[0]]} {_summed(node[3])}"
    if node[0] in ("+", "-", "*", "/", "//", "%"):
        tight = node[0] not in ("+", "-")
        left = _of(node[2]) if node[2][0] in ("+", "-") and not tight else _term(node[2])
        right = _term(node[3])
        return f"{left} {'mod' if node[0] == '%' else node[0]} {right}"
    return f"{node[0]}({', '.join(_of(each) for each in node[2:] if isinstance(each, list))})"


def _bracketed(node: Node) -> str:
    """Write a part of a larger question, in brackets where it could be misread."""
    return f"({_of(node)})" if node[0] in _LOOSE else _of(node)


def _summed(node: Node) -> str:
    """Write a number that is compared. Dice side by side count as their sum."""
    return f"the sum of {_of(node)}" if node[0] == "join" else _bracketed(node)


def _term(node: Node) -> str:
    """Write a term of a sum, or dice beside other dice."""
    return f"({_summed(node)})" if node[0] in (*_PHRASES, "join") else _bracketed(node)


def _repeated_text(node: Node) -> str:
    """Write a question that is asked of several throws: at least once in 24 throws."""
    if node[0] != ">=" or node[2][0] != "gain" or node[2][2][0] != "repeat":
        return ""
    _, _, pool, steps = node[2]
    if len(steps) != 1 or steps[0][0] != "count" or bare_one(steps[0][1]) is None:
        return ""
    many, roll = pool[2], pool[3]
    return f"at least {_of(node[3])} of {_of(many)} times: {_of(roll)}"


def bare_one(faces: Sequence[Node]) -> bool | None:
    """Return True if the only face that counts is 1, as with questions that are answered yes, else None."""
    return (
        True if len(faces) == 1 and faces[0][0] == "cond" and faces[0][2] == "==" and faces[0][3][2:] == ["1"] else None
    )


def faces_text(faces: Sequence[Node]) -> str:
    """Write the faces that count: 5 or 6; 8 or more; from 19 to 20."""
    return " or ".join(_face(each) for each in faces)


def _face(node: Node) -> str:
    if node[0] == "range":
        return f"{_of(node[2])} to {_of(node[3])}"
    if node[0] == "parity":
        return "an odd number" if node[2] == "1" else "an even number"
    return _BOUND[node[2]].format(_of(node[3]))


def _dice(many: Node | None, sides: Node) -> str:
    number = (
        ""
        if many is None
        else _of(many)
        if many[0] == "n" or (many[0] == "name" and len(many[2]) == 1)
        else f"({_of(many)})"
    )
    if sides[0] == "faces":
        return f"{number}d{{{', '.join(_side(each) for each in sides[2:])}}}"
    return f"{'' if number == '1' else number}d{sides[2] if sides[0] in ('n', 'digits') else f'({_of(sides)})'}"


def _side(node: Node) -> str:
    if node[0] == "weighted":
        return f"{_of(node[2])}:{node[3]}"
    return f"{_of(node[2])}..{_of(node[3])}" if node[0] == "range" else _of(node)


def _whole(roll: Node) -> str:
    """Write a roll whose total is one die among others."""
    several = roll[0] == "dice" and roll[2] is not None and roll[2][2:] != ["1"]
    return f"(the total of {_of(roll)})" if several else _term(roll)


def _keep(how: str, many: Node, pool: Node) -> str:
    return f"the {_ENDS[how]}{'' if many[2:] == ['1'] else f' {_of(many)}'} of {_bracketed(pool)}"


def _not(value: Node) -> str:
    if value[0] == "shows" and len(value) == 4 and value[3][0][2:] == ["1"]:
        return f"no {faces_text(value[3][1])} in {_bracketed(value[2])}"
    return f"not {_bracketed(value)}"


def _drop(how: str, many: Node, pool: Node) -> str:
    if pool[0] == "drop":
        return f"{_drop(*pool[2:])} and the {_ENDS[how]}{'' if many[2:] == ['1'] else f' {_of(many)}'}"
    rolled = f"({_of(pool)})" if pool[0] == "keep" else _bracketed(pool)
    return f"{rolled} without the {_ENDS[how]}{'' if many[2:] == ['1'] else f' {_of(many)}'}"


def _explode(how: str, faces: Any, limit: Node | None, pool: Node) -> str:
    shown = f"on {faces_text(faces)}" if faces else "on the highest face"
    if how == "some":
        assert limit is not None
        return f"{_bracketed(pool)} exploding into at most {_of(limit)} further dice {shown}"
    words = {"sum": "exploding", "word": "exploding", "add": "exploding into further dice", "penetrate": "penetrating"}[
        how
    ]
    times = "" if limit is None else ", once" if limit[2:] == ["1"] else f", at most {_of(limit)} times"
    return f"{_bracketed(pool)} {words} {shown}{times}"


def _reroll(how: str, faces: Any, limit: Node | None, pool: Node) -> str:
    shown = faces_text(faces)
    if how == "keep":
        return f"{_bracketed(pool)} rolled until it shows {shown}"
    if how == "some":
        assert limit is not None
        return f"{_bracketed(pool)} with at most {_of(limit)} of the dice showing {shown} rerolled once"
    return f"{_bracketed(pool)} with {shown} rerolled {'once' if how == 'once' else 'until it is gone'}"


def _gain(pool: Node, steps: Sequence[Sequence[Any]]) -> str:
    words = []
    for step in steps:
        if step[0] == "count":
            words = [f"the number of dice showing {faces_text(step[1])}"]
        elif step[0] == "minus":
            counted = any(each[0] == "count" for each in steps)
            words.append(
                f"minus those showing {faces_text(step[1])}" if counted else f"{faces_text(step[1])} counting -1"
            )
        elif step[0] == "plus":
            words.append(f"{faces_text(step[1])} counting twice")
        elif step[0] in ("only", "without"):
            words.append(f"{'only' if step[0] == 'only' else 'without'} dice showing {faces_text(step[1])}")
        elif step[0] == "lose":
            words.append(f"{faces_text(step[1])} taken away")
        elif step[0] == "minusrest":
            words.append("minus all others")
        else:
            words.append(f"each shown as {_of(step[1])} {'or more' if step[0] == 'atleast' else 'or less'}")
    if steps[0][0] == "count":
        return f"{', '.join(words)}, in {_bracketed(pool)}" if len(words) > 1 else f"{words[0]} in {_bracketed(pool)}"
    return f"{_bracketed(pool)}, {', '.join(words)}"


def _shows(pool: Node, *wanted: Any) -> str:
    parts = []
    for many, faces in wanted:
        number = _of(many)
        parts.append(f"{'at least one' if number == '1' else f'at least {number} times'} {faces_text(faces)}")
    return f"{' and '.join(parts)} in {_bracketed(pool)}"


def _has(kind: Sequence[Any], pool: Node) -> str:
    number = _of(kind[1]) if kind[1] is not None else ""
    words = {
        "kind": "at least a pair" if number == "2" else f"at least {number} of a kind",
        "alike": "doubles" if number == "2" else "all alike",
        "pairs": f"{number} pairs", "onlypairs": f"{number} pairs and no larger set", "house": "a full house",
        "different": "all different",
        "straight": f"a straight of at least {number}" if number else "a straight of all dice",
    }[kind[0]]  # fmt: skip
    return f"{words} in {_bracketed(pool)}"


def _let(name: str, value: Node, body: Node) -> str:
    if name.startswith("_"):
        shown = _of(_substituted(body, name, value))
        return f"{shown}, with {_of(value)} rolled once"
    return f"{name} = {_of(value)}; {_of(body)}"


def _substituted(node: Any, name: str, value: Node) -> Any:
    """Return a tree with a value in the place of its name."""
    if isinstance(node, list):
        if node[:1] == ["name"] and node[2:] == [name]:
            return value
        return [_substituted(each, name, value) for each in node]
    return node


def _loop(name: str, body: Node, variable: str, rounds: Any, condition: Node | None) -> str:
    only = "" if condition is None else f" if {_of(condition)}"
    return f"{name}({_of(body)} for {variable} in {_of(rounds)}{only})"


def _steps(node: Node) -> str:
    return _items(node[2]) if node[0] == "items" else f"{_of(node[2])}..{_of(node[3])}"


def _items(items: Sequence[Node]) -> str:
    return f"[{', '.join(_of(each) if isinstance(each[0], str) else _items(each) for each in items)}]"


_WORDS: dict[str, Callable[..., str]] = {
    "n": lambda number: number,
    "dice": _dice,
    "name": lambda name: name,
    "join": lambda *parts: " and ".join(_term(part) for part in parts),
    "repeat": lambda many, roll: _whole(roll) if many[2:] == ["1"] else f"{_of(many)} times {_bracketed(roll)}",
    "sorted": lambda pool: f"{_of(pool)}, sorted",
    "total": lambda pool: f"the total of {_bracketed(pool)}",
    "keep": _keep,
    "drop": _drop,
    "rank": lambda place, pool: f"the {_place(place)} highest of {_bracketed(pool)}",
    "ranklow": lambda place, pool: f"the {_place(place)} lowest of {_bracketed(pool)}",
    "median": lambda pool: f"the middle of {_bracketed(pool)}",
    "explode": _explode,
    "reroll": _reroll,
    "clamp": lambda how, limit, pool: (
        f"{_bracketed(pool)}, each shown as {_of(limit)} or {'more' if how == 'min' else 'less'}"
    ),
    "gain": _gain,
    "shows": _shows,
    "has": _has,
    "all": lambda pool, faces: f"every die of {_bracketed(pool)} shows {faces_text(faces)}",
    "largest": lambda pool: f"the largest set in {_bracketed(pool)}",
    "run": lambda pool: f"the longest run in {_bracketed(pool)}",
    "distinct": lambda pool: f"the number of different faces in {_bracketed(pool)}",
    "distincts": lambda pool: f"distinct({_of(pool)})",
    "spread": lambda pool: f"the highest minus the lowest of {_bracketed(pool)}",
    "opposed": lambda ties, left, right: (
        f"pairs that {_bracketed(left)} wins against {_bracketed(right)}, the highest first, "
        f"with ties {'won' if ties == 'win' else 'lost'}"
    ),
    "groups": lambda size, faces, pool: (
        f"the number of groups of {_of(size)} or more equal dice"
        f"{f' showing {faces_text(faces)}' if faces else ''} in {_bracketed(pool)}"
    ),
    "selected": lambda kind, high, low, faces, pool: (
        f"{_bracketed(pool)}, {'only' if kind == 'keep' else 'without'} {_selected(high, low, faces)}"
    ),
    "gathered": lambda throws, pool: (
        f"the largest set in {_bracketed(pool)} after {_of(throws)} throws, each of the dice that are not in the largest set"
    ),
    "race": lambda roll, wins, losses, goal, limit: (
        f"{_bracketed(roll)} makes {_points(goal, wins)} before it makes {_points(limit, losses)}"
    ),
    "multiplied": lambda pool: f"the product of {_bracketed(pool)}",
    "neg": lambda value: f"-{_bracketed(value)}",
    "not": _not,
    "given": lambda question, _: f"{_of(question)}, ties rolled again",
    "and": lambda left, right: f"{_of(left)} and {_of(right)}",
    "or": lambda left, right: f"{_of(left)} or {_of(right)}",
    "if": lambda condition, then, other: f"{_of(then)} if {_of(condition)} else {_of(other)}",
    "in": lambda value, items: f"{_bracketed(value)} in {_items(items)}",
    "is": lambda value, faces: f"{_summed(value)} is {faces_text(faces)}",
    "list": lambda *items: _items(items),
    "items": _items,
    "span": lambda low, high: f"span({_of(low)}, {_of(high)})",
    "range": lambda low, high: f"{_of(low)}..{_of(high)}",
    "let": _let,
    "loop": _loop,
    "each": lambda name, steps, body: f"{_of(body)}, for {name} in {_steps(steps)}",
    "reached": lambda pool, sign, *targets: (
        f"{_bracketed(pool)} {_SIGN[sign]} {', '.join(_of(each) for each in targets)}"
    ),
    "bands": lambda pool, *bands: f"{_bracketed(pool)}: {', '.join(name for name, _ in bands)}",
    "swap": lambda faces, shown, pool: f"{_bracketed(pool)} with {faces_text(faces)} counting as {_of(shown)}",
    "needed": lambda name, share, body: f"the {name} from which on the chance is {_of(share[2])} %: {_of(body)}",
    "call": lambda name, *args: f"{name}({', '.join(_of(arg) for arg in args)})",
}


def _selected(high: Node, low: Node, faces: Any) -> str:
    """Write a selection: the dice that are among the highest or the lowest, or show some faces."""
    ends = [
        f"the {end}{'' if many[2:] == ['1'] else f' {_of(many)}'}"
        for end, many in (("highest", high), ("lowest", low))
        if many[2:] != ["0"]
    ]
    return " and ".join([*ends, f"those showing {faces_text(faces)}"] if faces else ends)


def _points(goal: Node, faces: Any) -> str:
    """Write what one side of a race needs: 3 of 20 (counts 3) or 10 or more; or whatever else is rolled."""
    if not faces:
        return f"{_of(goal)} of anything else"
    said = [faces_text(shown) + ("" if many[2:] == ["1"] else f" (counts {_of(many)})") for shown, many in faces]
    return f"{_of(goal)} of {' or '.join(said)}"


def _place(node: Node) -> str:
    words = {"1": "", "2": "second", "3": "third", "4": "fourth", "5": "fifth"}
    return words.get(node[2], f"{node[2]}th") if node[0] == "n" else f"{_of(node)}th"
