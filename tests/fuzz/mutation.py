"""Slips of every kind: texts and data that are nearly right, each from one seed."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any

WORDS = re.split(
    " ",
    "0 1 -1 2 7 99 1000 1000000000 9007199254740991 9007199254740992 -9007199254740993 00 1.5 1e9 0x1F ² ٣ é true false "
    "null yes ~ pot score seat next previous others everyone table mover seats sum min max any all count size span rank "
    "subsets has_run lookup share sorted distinct all_equal abs hand die d6 d1 d1000 3d6 40d6 0d6 rest supply again pass "
    "pass_to end move set add let drop out to be from of for in if else and or not == != < <= > >= + - * / // % ( ) [ ] { } "
    ", : ; | > & * ! # ' \" - .. =1/0..2",
)
ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**31, 2**53, 2**64, -(10**30), 0.5, 1e308, "", " ", "0", "x", "²", "\ud800", "\x1b[2J",
    "a" * 5_000, [], {}, [[]], [None], {"": None}, {"hand": [["d6", 7]]}, {"hand": 1}, "1/0", "-1/2",
)  # fmt: skip
SHAPES = (
    "{new}", "({value}) + ({new})", "{new} if {value} else {new}", "not ({value})", "[{value}]", "-({value})",
    "max({value}, {new})", "sum({value} for k in span(1, 9))", "size({value})", "{value} // 0", "{value}[next]",
)  # fmt: skip
_VALUE = re.compile(r"^(\s*(?:- )?[A-Za-z_0-9() ,]+: +)(\S.*)$")
_TOKEN = re.compile(r"[A-Za-z_]+|[0-9]+|[^\sA-Za-z_0-9]+")


def mutant(text: str, others: Sequence[str], chance: random.Random) -> bytes:
    """A text with one to four slips, in bytes, lines, tokens, values or keys; some are taken over from other texts."""
    for _ in range(chance.choice([1, 1, 1, 1, 2, 4])):
        text = chance.choice(_SLIPS)(text, chance.choice(others), chance)
    raw = text.encode("utf-8", "surrogatepass")
    return _bytes(raw, chance) if chance.random() < 0.05 else raw


def _lines(text: str, other: str, chance: random.Random) -> str:
    lines, more = text.split("\n"), other.split("\n")
    here, there = chance.randrange(len(lines)), chance.randrange(len(lines))
    match chance.randrange(5):
        case 0:
            del lines[here : here + chance.randint(1, 3)]
        case 1:
            lines[here:here] = lines[there : there + chance.randint(1, 6)]
        case 2:
            lines[here] = chance.choice(more)
        case 3:
            lines[here], lines[there] = lines[there], lines[here]
        case _:
            lines[here] = " " * chance.randint(0, 8) + lines[here].lstrip()
    return "\n".join(lines)


def _token(text: str, _: str, chance: random.Random) -> str:
    found = list(_TOKEN.finditer(text))
    if not found:
        return text
    at = chance.choice(found)
    new = chance.choice([chance.choice(WORDS), chance.choice(found)[0], f"{at[0]} {chance.choice(WORDS)}"])
    return text[: at.start()] + new + text[at.end() :]


def _number(text: str, _: str, chance: random.Random) -> str:
    found = list(re.finditer(r"[0-9]+", text))
    if not found:
        return text
    at = chance.choice(found)
    near = int(at[0][:9]) + chance.choice([-1, 1, 10])
    new = chance.choice([near, 0, 1, 2, 17, 10**3, 10**9, 2**53 - 1, 2**53])
    return text[: at.start()] + str(new) + text[at.end() :]


def _expression(text: str, other: str, chance: random.Random) -> str:
    """The value of some key becomes that of another, or part of a larger expression."""
    lines = text.split("\n")
    mine = [(number, match) for number, line in enumerate(lines) if (match := _VALUE.match(line))]
    theirs = [match for line in other.split("\n") if (match := _VALUE.match(line))]
    if not mine or not theirs:
        return text
    number, match = chance.choice(mine)
    value, new = match[2], chance.choice(theirs)[2]
    shape = chance.choice(SHAPES)
    lines[number] = match[1] + shape.format(value=value, new=new)
    return "\n".join(lines)


def _key(text: str, other: str, chance: random.Random) -> str:
    """A key is called as another."""
    found = list(re.finditer(r"^\s*(?:- )?([A-Za-z_0-9]+):", text, re.MULTILINE))
    names: list[str] = re.findall(r"^\s*(?:- )?([A-Za-z_0-9]+):", other, re.MULTILINE)
    if not found or not names:
        return text
    at = chance.choice(found)
    return text[: at.start(1)] + chance.choice(names) + text[at.end(1) :]


def _letters(text: str, _: str, chance: random.Random) -> str:
    at = chance.randint(0, len(text))
    new = chance.choice(
        ["", chance.choice(" :,{}[]()#'\"-\t&*!|>%@`\x00\x1b\u202e\ud800\n0159azAZ_²"), text[max(0, at - 9) : at]]
    )
    return text[:at] + new + text[at + chance.randint(0, 3) :]


def _bytes(raw: bytes, chance: random.Random) -> bytes:
    """A few bytes that are anything."""
    changed = bytearray(raw)
    for _ in range(chance.choice([1, 1, 1, 1, 2, 4])):
        at = chance.randint(0, len(changed))
        changed[at : at + chance.randint(0, 3)] = chance.randbytes(chance.randint(0, 3))
    return bytes(changed)


_SLIPS: tuple[Callable[[str, str, random.Random], str], ...] = (
    _lines,
    _lines,
    _token,
    _number,
    _number,
    _number,
    _number,
    _expression,
    _key,
    _letters,
)


def odd_data(data: Any, chance: random.Random) -> Any:
    """Plain data with one to three values that do not belong, none of them shared with other data."""
    data = json.loads(json.dumps(data))
    for _ in range(chance.randint(1, 3)):
        holders = list(_holders(data))
        if not holders:
            return deepcopy(chance.choice(ODD))
        holder, at = chance.choice(holders)
        match chance.randrange(5):
            case 0:
                del holder[at]
            case 1:
                other, there = chance.choice(holders)
                holder[at] = json.loads(json.dumps(other[there])) if _holds(other, there) else None
            case 2 if isinstance(holder, dict):
                holder[chance.choice(["x", "", "__proto__", "seat", "hand"])] = deepcopy(chance.choice(ODD))
            case 3 if isinstance(holder[at], int) and not isinstance(holder[at], bool):
                holder[at] += chance.choice([-1, 1, 10**6, 10**400])
            case _:
                holder[at] = deepcopy(chance.choice(ODD))
    return data


def _holds(holder: Any, at: Any) -> bool:
    return at in holder if isinstance(holder, dict) else at < len(holder)


def _holders(data: Any) -> Any:
    """Every place of the data: a map or a list, and a key or a position in it."""
    if isinstance(data, dict | list):
        for at, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield data, at
            yield from _holders(value)
