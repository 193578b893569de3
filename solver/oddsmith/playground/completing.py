"""What can be written at a place of a ruleset: keys and values by the schema, and the names that the text itself makes.

The text is on its way, so it need not be a ruleset, nor YAML. Lines and their indentation say where a place belongs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from oddsmith.answering import Message
from oddsmith.expr import FUNCTIONS
from oddsmith.ruleset.reading import schema

ITEM = "-"
"""A step from a list to one of its items."""
NAMED = ("state", "sides", "parameters", "constants", "lists", "define")
"""The keys of a ruleset whose own keys are names in expressions."""
MOST = 40

_LINE = re.compile(r"^(?P<dashes>\s*(?:-\s+)*)(?P<rest>.*)$")
_KEY = re.compile(r"""^(?P<key>[^\s'"{}\[\],:#][^:#{}\[\],]*?)\s*:(?P<value>\s.*|)$""")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*$")
_BLANK = re.compile(r"^\s*(#.*)?$")


@dataclass(frozen=True)
class Place:
    """Where something is to be written: the keys that lead there, and whether it is a key or what a key holds."""

    path: tuple[str, ...]
    is_key: bool


def completed(text: str, line: int, column: int) -> Message:
    """What can stand at a line and column, both counted from 1: ``from``, the column where it begins, and ``offers``.

    An offer has ``text`` and what it is ``about``.
    """
    lines = text.split("\n")
    before = lines[line - 1][: column - 1] if line <= len(lines) else ""
    word = _WORD.search(before)
    begun = word[0] if word else ""
    offers: dict[str, str] = {}
    if "#" not in before:
        place = place_at(lines, line - 1, before[: len(before) - len(begun)])
        pieces = list(_pieces(place.path))
        found = _keys(pieces) if place.is_key else _values(pieces, text)
        offers = {name: about for name, about in found if name.startswith(begun) and name != begun}
    told = [{"text": name, "about": about} for name, about in list(offers.items())[:MOST]]
    return {"from": column - len(begun), "offers": told}


# --- where a place belongs


def place_at(lines: list[str], row: int, before: str) -> Place:
    """The place behind what stands in a row before it."""
    dashes, rest = _split(before)
    path = [*_above(lines, row, before), *[ITEM] * dashes.count("-")]
    found = _KEY.match(rest)
    if found:
        return _within([*path, found["key"]], found["value"])
    return _within(path, rest, key=True)


def _split(line: str) -> tuple[str, str]:
    found = _LINE.match(line)
    assert found, "every line has the shape of one"
    return found["dashes"], found["rest"]


def _above(lines: list[str], row: int, before: str) -> list[str]:
    """The keys that a row stands below, by its indentation and that of the rows above it."""
    dashes, _ = _split(before)
    level = dashes.index("-") if "-" in dashes else len(dashes)
    listed = "-" in dashes
    path: list[str] = []
    for line in reversed(lines[:row]):
        if _BLANK.match(line):
            continue
        marks, rest = _split(line)
        key = _KEY.match(rest)
        # An item may stand right below its key.
        if key and (len(marks) < level or (listed and len(marks) == level)):
            path.insert(0, key["key"])
            level, listed = len(marks), False
        for at in range(len(marks) - 1, -1, -1):
            if marks[at] == "-" and at < level:
                path.insert(0, ITEM)
                level, listed = at, True
    return path


def _within(path: list[str], rest: str, key: bool = False) -> Place:
    """The place behind a text that may open maps and lists in its own line."""
    outer: list[tuple[list[str], bool]] = []
    here, is_key, start = list(path), key, 0
    for at, letter in enumerate(rest):
        if letter in "{[":
            outer.append((here, is_key))
            here, is_key = (list(here), True) if letter == "{" else ([*here, ITEM], False)
        elif letter in "}]" and outer:
            here, is_key = outer.pop()
        elif letter == "," and outer:
            mapped = rest[max(rest.rfind("{", 0, at), rest.rfind("[", 0, at))] == "{"
            here, is_key = (outer[-1][0], True) if mapped else (here, False)
        elif letter == ":" and outer and is_key:
            here, is_key = [*here, rest[start:at].strip()], False
        if letter in "{[,:":
            start = at + 1
    return Place(tuple(here), is_key)


# --- what the schema says of it


def _pieces(path: Iterable[str]) -> Iterator[dict[str, Any]]:
    """The pieces of the schema that may describe a place."""
    pieces = list(_whole(schema()))
    for step in path:
        pieces = [inner for piece in pieces for inner in _step(piece, step)]
    yield from pieces


def _step(piece: dict[str, Any], step: str) -> Iterator[dict[str, Any]]:
    keys = piece.get("properties", {})
    inner = piece.get("items") if step == ITEM else keys.get(step, piece.get("additionalProperties"))
    if isinstance(inner, dict):
        yield from _whole(inner)


def _whole(piece: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A piece with all that it refers to, and all that it may be."""
    yield piece
    if "$ref" in piece:
        name = piece["$ref"].rpartition("/")[2]
        yield from ({"called": name} | each for each in _whole(schema()["definitions"][name]))
    for branch in ("then", "else"):
        if isinstance(piece.get(branch), dict):
            yield from _whole(piece[branch])


def _keys(pieces: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    for piece in pieces:
        for name, inner in piece.get("properties", {}).items():
            yield name, _about(inner)


def _values(pieces: list[dict[str, Any]], text: str) -> Iterator[tuple[str, str]]:
    """Words that the schema lists, phases where play can go on, and names where something is worked out."""
    called = {piece.get("called", "") for piece in pieces}
    for piece in pieces:
        for value in [*piece.get("enum", []), *([piece["const"]] if "const" in piece else [])]:
            yield str(value), ""
        if piece.get("type") == "boolean":
            yield from (("true", ""), ("false", ""))
    if "then" in called:
        yield from (("again", "a new turn of the same seat"), ("pass", "the next seat"), ("end", "the end of the game"))
        yield from ((name, "a phase") for name in _named(text, "phases"))
    if "effect" in called:
        verbs = (
            str(each).split()[0] for each in schema()["definitions"]["effect"]["examples"] if isinstance(each, str)
        )
        yield from ((verb, "something that happens") for verb in dict.fromkeys(verbs))
    if called & {"expression", "amount", "condition", "effect", "effects", "list_expression", "seat_expression"}:
        yield from ((name, f"of `{key}`") for key in NAMED for name in _named(text, key))
        yield from ((name, "a function") for name in FUNCTIONS)


def _about(piece: dict[str, Any]) -> str:
    """The first sentence of a description."""
    named = schema()["definitions"].get(piece.get("$ref", "").rpartition("/")[2], {})
    return str(piece.get("description") or named.get("description", "")).split(". ")[0].rstrip(".")


def _named(text: str, key: str) -> list[str]:
    """The keys below a key at the left margin."""
    block = re.search(rf"(?m)^{key}:[^\n]*\n((?:[ #][^\n]*\n|\n)*)", text + "\n")
    names = re.findall(r"(?m)^( +)([A-Za-z][A-Za-z0-9_ ]*?)\s*(?:\([^)\n]*\))?:", block[1]) if block else []
    least = min((len(indent) for indent, _ in names), default=0)
    return [name for indent, name in names if len(indent) == least]
