"""Writes the reading of a question in plain words, from its plain tree (see ``reading``)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from oddsmith.rolls.peg import Node

_BOUND = {">=": "{} or more", "<=": "{} or less", ">": "more than {}", "<": "less than {}", "==": "{}", "!=": "not {}"}
_SIGN = {">=": "at least", "<=": "at most", ">": "more than", "<": "less than", "==": "equal to", "!=": "other than"}
_ENDS = {"high": "highest", "low": "lowest", "middle": "middle"}
_LOOSE = ("+", "-", "and", "or", "if", "in", "is", "<", "<=", ">", ">=", "==", "!=", "let", "loop")
"""Operators whose nodes are written in brackets inside other nodes."""
_PHRASES = ("keep", "drop", "rank", "ranklow", "median", "gain", "explode", "reroll", "clamp", "swap", "largest", "run",
            "distinct", "spread", "multiplied", "total", "opposed")  # fmt: skip
"""Operators that are written as phrases, and therefore in brackets in sums and next to other dice."""


def tree_text(node: Node) -> str:
    """Return a plain tree, or a part of it, in words."""
    special: Callable[..., str] | None = _WORDS.get(node[0])
    if special is not None:
        return special(*node[2:])
    if node[0] in _SIGN:
        left = _repeated_roll_text(node[0], node[2], node[3])
        return left or f"{_text_as_sum(node[2])} is {_SIGN[node[0]]} {_text_as_sum(node[3])}"
    if node[0] in ("+", "-", "*", "/", "//", "%"):
        tight = node[0] not in ("+", "-")
        left = tree_text(node[2]) if node[2][0] in ("+", "-") and not tight else _term_text(node[2])
        right = _term_text(node[3])
        return f"{left} {'mod' if node[0] == '%' else node[0]} {right}"
    return f"{node[0]}({', '.join(tree_text(each) for each in node[2:] if isinstance(each, list))})"


def _text_with_brackets(node: Node) -> str:
    """Return a part of a larger question in words, in brackets if it could be misread."""
    return f"({tree_text(node)})" if node[0] in _LOOSE else tree_text(node)


def _text_as_sum(node: Node) -> str:
    """Return an operand of a comparison in words. Several dice count as their sum."""
    return f"the sum of {tree_text(node)}" if node[0] == "join" else _text_with_brackets(node)


def _term_text(node: Node) -> str:
    """Return a term of a sum, or dice next to other dice, in words."""
    return f"({_text_as_sum(node)})" if node[0] in (*_PHRASES, "join") else _text_with_brackets(node)


_TIMES = {">=": "at least", "<=": "at most", "==": "exactly", ">": "more than", "<": "fewer than"}


def _repeated_roll_text(comparison: str, value: Node, number: Node) -> str:
    """Return a question about repeated rolls in words, such as ``at least 1 of 24 times: ...``.

    The text is empty if the comparison of ``value`` with ``number`` is any other question.
    """
    if comparison not in _TIMES or value[0] != "gain" or value[2][0] != "repeat":
        return ""
    _, _, pool, steps = value
    if len(steps) != 1 or steps[0][0] != "count" or not _counts_only_ones(steps[0][1]):
        return ""
    many, roll = pool[2], pool[3]
    return f"{_TIMES[comparison]} {tree_text(number)} of {tree_text(many)} times: {tree_text(roll)}"


def _text_within_bounds(value: Node, faces: Sequence[Node]) -> str:
    """Return in words the question whether a value is one of some faces."""
    repeated = _repeated_roll_text(faces[0][2], value, faces[0][3]) if len(faces) == 1 and faces[0][0] == "cond" else ""
    return repeated or f"{_text_as_sum(value)} is {faces_text(faces)}"


def _counts_only_ones(faces: Sequence[Node]) -> bool:
    """Return whether only results of 1 are counted. A roll that answers a question gives 1 for yes and 0 for no."""
    return len(faces) == 1 and faces[0][0] == "cond" and faces[0][2] == "==" and faces[0][3][2:] == ["1"]


def faces_text(faces: Sequence[Node]) -> str:
    """Return conditions on a face in words: ``5 or 6``, ``8 or more``, ``19 to 20``."""
    return " or ".join(_face_text(each) for each in faces)


def _face_text(node: Node) -> str:
    if node[0] == "range":
        return f"{tree_text(node[2])} to {tree_text(node[3])}"
    if node[0] == "parity":
        return "an odd number" if node[2] == "1" else "an even number"
    return _BOUND[node[2]].format(tree_text(node[3]))


def _dice_text(count: Node | None, sides: Node) -> str:
    number = (
        ""
        if count is None
        else tree_text(count)
        if count[0] == "n" or (count[0] == "name" and len(count[2]) == 1)
        else f"({tree_text(count)})"
    )
    if sides[0] == "faces":
        return f"{number}d{{{', '.join(_side_text(each) for each in sides[2:])}}}"
    return f"{'' if number == '1' else number}d{sides[2] if sides[0] in ('n', 'digits') else f'({tree_text(sides)})'}"


def _side_text(node: Node) -> str:
    if node[0] == "weighted":
        return f"{tree_text(node[2])}:{node[3]}"
    return f"{tree_text(node[2])}..{tree_text(node[3])}" if node[0] == "range" else tree_text(node)


def _text_of_total_as_die(roll: Node) -> str:
    """Return in words a roll whose total counts as one die in a pool of dice."""
    several = roll[0] == "dice" and roll[2] is not None and roll[2][2:] != ["1"]
    return f"(the total of {tree_text(roll)})" if several else _term_text(roll)


def _keep_text(which_dice: str, count: Node, pool: Node) -> str:
    return (
        f"the {_ENDS[which_dice]}{'' if count[2:] == ['1'] else f' {tree_text(count)}'} of {_text_with_brackets(pool)}"
    )


def _negation_text(value: Node) -> str:
    if value[0] == "shows" and len(value) == 4 and value[3][0][2:] == ["1"]:
        return f"no {faces_text(value[3][1])} in {_text_with_brackets(value[2])}"
    return f"not {_text_with_brackets(value)}"


def _drop_text(which_dice: str, count: Node, pool: Node) -> str:
    if pool[0] == "drop":
        return (
            f"{_drop_text(*pool[2:])} and the {_ENDS[which_dice]}{'' if count[2:] == ['1'] else f' {tree_text(count)}'}"
        )
    rolled = f"({tree_text(pool)})" if pool[0] == "keep" else _text_with_brackets(pool)
    return f"{rolled} without the {_ENDS[which_dice]}{'' if count[2:] == ['1'] else f' {tree_text(count)}'}"


def _explode_text(variant: str, faces: Any, limit: Node | None, pool: Node) -> str:
    shown = f"on {faces_text(faces)}" if faces else "on the highest face"
    if variant == "some":
        assert limit is not None
        return f"{_text_with_brackets(pool)} exploding into at most {tree_text(limit)} further dice {shown}"
    words = {"sum": "exploding", "word": "exploding", "add": "exploding into further dice", "penetrate": "penetrating"}[
        variant
    ]
    times = "" if limit is None else ", once" if limit[2:] == ["1"] else f", at most {tree_text(limit)} times"
    return f"{_text_with_brackets(pool)} {words} {shown}{times}"


def _reroll_text(variant: str, faces: Any, limit: Node | None, pool: Node) -> str:
    shown = faces_text(faces)
    if variant == "keep":
        return f"{_text_with_brackets(pool)} rolled until it shows {shown}"
    if variant == "some":
        assert limit is not None
        return f"{_text_with_brackets(pool)} with at most {tree_text(limit)} of the dice showing {shown} rerolled once"
    return f"{_text_with_brackets(pool)} with {shown} rerolled {'once' if variant == 'once' else 'until it is gone'}"


def _gain_text(pool: Node, steps: Sequence[Sequence[Any]]) -> str:
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
            words.append(f"each shown as {tree_text(step[1])} {'or more' if step[0] == 'atleast' else 'or less'}")
    if steps[0][0] == "count":
        return (
            f"{', '.join(words)}, in {_text_with_brackets(pool)}"
            if len(words) > 1
            else f"{words[0]} in {_text_with_brackets(pool)}"
        )
    return f"{_text_with_brackets(pool)}, {', '.join(words)}"


def _dice_show_faces_text(pool: Node, *requirements: Any) -> str:
    parts = []
    for many, faces in requirements:
        number = tree_text(many)
        parts.append(f"{'at least one' if number == '1' else f'at least {number} times'} {faces_text(faces)}")
    return f"{' and '.join(parts)} in {_text_with_brackets(pool)}"


def _dice_show_set_text(kind: Sequence[Any], pool: Node) -> str:
    number = tree_text(kind[1]) if kind[1] is not None else ""
    words = {
        "kind": "at least a pair" if number == "2" else f"at least {number} of a kind",
        "alike": "doubles" if number == "2" else "all alike",
        "pairs": f"{number} pairs", "onlypairs": f"{number} pairs and no larger set", "house": "a full house",
        "different": "all different",
        "straight": f"a straight of at least {number}" if number else "a straight of all dice",
    }[kind[0]]  # fmt: skip
    return f"{words} in {_text_with_brackets(pool)}"


def _let_text(name: str, value: Node, body: Node) -> str:
    if name.startswith("_"):
        shown = tree_text(_tree_with_value_for_name(body, name, value))
        return f"{shown}, with {tree_text(value)} rolled once"
    return f"{name} = {tree_text(value)}; {tree_text(body)}"


def _tree_with_value_for_name(node: Any, name: str, value: Node) -> Any:
    """Return the tree with each use of a name replaced by its value."""
    if isinstance(node, list):
        if node[:1] == ["name"] and node[2:] == [name]:
            return value
        return [_tree_with_value_for_name(each, name, value) for each in node]
    return node


def _loop_text(name: str, body: Node, variable: str, rounds: Any, condition: Node | None) -> str:
    only = "" if condition is None else f" if {tree_text(condition)}"
    return f"{name}({tree_text(body)} for {variable} in {tree_text(rounds)}{only})"


def _steps_text(node: Node) -> str:
    return _items_text(node[2]) if node[0] == "items" else f"{tree_text(node[2])}..{tree_text(node[3])}"


def _items_text(items: Sequence[Node]) -> str:
    return f"[{', '.join(tree_text(each) if isinstance(each[0], str) else _items_text(each) for each in items)}]"


_WORDS: dict[str, Callable[..., str]] = {
    "n": lambda number: number,
    "dice": _dice_text,
    "name": lambda name: name,
    "join": lambda *parts: " and ".join(_term_text(part) for part in parts),
    "repeat": lambda many, roll: (
        _text_of_total_as_die(roll) if many[2:] == ["1"] else f"{tree_text(many)} times {_text_with_brackets(roll)}"
    ),
    "sorted": lambda pool: f"{tree_text(pool)}, sorted",
    "total": lambda pool: f"the total of {_text_with_brackets(pool)}",
    "keep": _keep_text,
    "drop": _drop_text,
    "rank": lambda place, pool: f"the {_ordinal_text(place)} highest of {_text_with_brackets(pool)}",
    "ranklow": lambda place, pool: f"the {_ordinal_text(place)} lowest of {_text_with_brackets(pool)}",
    "median": lambda pool: f"the middle of {_text_with_brackets(pool)}",
    "explode": _explode_text,
    "reroll": _reroll_text,
    "clamp": lambda how, limit, pool: (
        f"{_text_with_brackets(pool)}, each shown as {tree_text(limit)} or {'more' if how == 'min' else 'less'}"
    ),
    "gain": _gain_text,
    "shows": _dice_show_faces_text,
    "has": _dice_show_set_text,
    "all": lambda pool, faces: f"every die of {_text_with_brackets(pool)} shows {faces_text(faces)}",
    "largest": lambda pool: f"the largest set in {_text_with_brackets(pool)}",
    "run": lambda pool: f"the longest run in {_text_with_brackets(pool)}",
    "distinct": lambda pool: f"the number of different faces in {_text_with_brackets(pool)}",
    "distincts": lambda pool: f"distinct({tree_text(pool)})",
    "spread": lambda pool: f"the highest minus the lowest of {_text_with_brackets(pool)}",
    "opposed": lambda ties, left, right: (
        f"pairs that {_text_with_brackets(left)} wins against {_text_with_brackets(right)}, the highest first, "
        f"with ties {'won' if ties == 'win' else 'lost'}"
    ),
    "groups": lambda size, faces, pool: (
        f"the number of groups of {tree_text(size)} or more equal dice"
        f"{f' showing {faces_text(faces)}' if faces else ''} in {_text_with_brackets(pool)}"
    ),
    "selected": lambda kind, high, low, faces, pool: (
        f"{_text_with_brackets(pool)}, {'only' if kind == 'keep' else 'without'} {_selected_dice_text(high, low, faces)}"
    ),
    "gathered": lambda throws, pool: (
        f"the largest set in {_text_with_brackets(pool)} after {tree_text(throws)} throws, "
        "each of the dice that are not in the largest set"
    ),
    "race": lambda roll, wins, losses, goal, limit: (
        f"{_text_with_brackets(roll)} makes {_race_goal_text(goal, wins)} before it makes {_race_goal_text(limit, losses)}"
    ),
    "multiplied": lambda pool: f"the product of {_text_with_brackets(pool)}",
    "neg": lambda value: f"-{_text_with_brackets(value)}",
    "not": _negation_text,
    "given": lambda question, _: f"{tree_text(question)}, ties rolled again",
    "and": lambda left, right: f"{tree_text(left)} and {tree_text(right)}",
    "or": lambda left, right: f"{tree_text(left)} or {tree_text(right)}",
    "if": lambda condition, then, other: f"{tree_text(then)} if {tree_text(condition)} else {tree_text(other)}",
    "in": lambda value, items: f"{_text_with_brackets(value)} in {_items_text(items)}",
    "is": _text_within_bounds,
    "list": lambda *items: _items_text(items),
    "items": _items_text,
    "span": lambda low, high: f"span({tree_text(low)}, {tree_text(high)})",
    "range": lambda low, high: f"{tree_text(low)}..{tree_text(high)}",
    "let": _let_text,
    "loop": _loop_text,
    "each": lambda name, steps, body: f"{tree_text(body)}, for {name} in {_steps_text(steps)}",
    "chances": lambda pool, sign, *targets: (
        f"{_text_with_brackets(pool)} {_SIGN[sign]} {', '.join(tree_text(each) for each in targets)}"
    ),
    "degree": lambda _, total, target: (
        f"the degree of success of {_text_with_brackets(total)} against {tree_text(target)}"
    ),
    "bands": lambda pool, *bands: f"{_text_with_brackets(pool)}: {', '.join(name for name, _ in bands)}",
    "swap": lambda faces, shown, pool: (
        f"{_text_with_brackets(pool)} with {faces_text(faces)} counting as {tree_text(shown)}"
    ),
    "needed": lambda name, share, body: (
        f"the {name} from which on the chance is {tree_text(share[2])} %: {tree_text(body)}"
    ),
    "call": lambda name, *args: f"{name}({', '.join(tree_text(arg) for arg in args)})",
}


def _selected_dice_text(highest_count: Node, lowest_count: Node, faces: Any) -> str:
    """Return in words which dice are selected.

    ``highest_count``, ``lowest_count``: how many of the highest and of the lowest dice. ``faces``: the faces that are
    selected as well.
    """
    ends = [
        f"the {end}{'' if many[2:] == ['1'] else f' {tree_text(many)}'}"
        for end, many in (("highest", highest_count), ("lowest", lowest_count))
        if many[2:] != ["0"]
    ]
    return " and ".join([*ends, f"those showing {faces_text(faces)}"] if faces else ends)


def _race_goal_text(goal: Node, faces: Any) -> str:
    """Return in words the goal of one side of a race, such as ``3 of 20 (counts 3) or 10 or more``.

    ``goal``: the number of points. ``faces``: the faces that score, with their points; if empty, any other roll scores.
    """
    if not faces:
        return f"{tree_text(goal)} of anything else"
    said = [faces_text(shown) + ("" if many[2:] == ["1"] else f" (counts {tree_text(many)})") for shown, many in faces]
    return f"{tree_text(goal)} of {' or '.join(said)}"


def _ordinal_text(node: Node) -> str:
    words = {"1": "", "2": "second", "3": "third", "4": "fourth", "5": "fifth"}
    return words.get(node[2], f"{node[2]}th") if node[0] == "n" else f"{tree_text(node)}th"
