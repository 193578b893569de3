"""Effects: they run in order, and each starts from the result of those before it."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import Any

from tests.reader.expressions import holds, indexed, tree, value
from tests.reader.scene import Key, Scene
from tests.reader.texts import cut, listed
from tests.reader.values import Hand, Seat, Stops, items, number, without

Names = tuple[tuple[str, Any], ...]
"""Names of rolls or loops with their values."""


def run(do: Any, scene: Scene) -> None:
    """All effects of a ``do``. What ``let`` names is forgotten behind it."""
    inner = replace(scene, local=dict(scene.local))
    for effect in listed(do):
        _one(effect, inner)


def _one(effect: Any, scene: Scene) -> None:
    if isinstance(effect, str):
        _sentence(effect, scene)
    elif "if" in effect:
        if holds(effect["if"], scene):
            run(effect.get("do", []), scene)
        else:
            run(effect.get("else", []), scene)
    elif isinstance(effect["for"], dict):
        for names in rounds(list(effect["for"].items()), scene):
            run(effect["do"], scene.with_names(dict(names)))
    else:
        who = value(effect["for"], scene)
        before = set(scene.out)
        for seat in [who] if isinstance(who, Seat) else who:
            if seat not in scene.out - before:
                run(effect["do"], scene.at(seat))


def rounds(loops: list[tuple[str, Any]], scene: Scene) -> list[Names]:
    """The names of nested loops in written order, fixed now. Equal items count once."""
    if not loops:
        return [()]
    (name, told), *inner = loops
    found = []
    for item in dict.fromkeys(items(value(told, scene))):
        found += [((name, item), *rest) for rest in rounds(inner, scene.with_names({name: item}))]
    return found


def _sentence(text: str, scene: Scene) -> None:
    verb, _, rest = text.strip().partition(" ")
    if text.strip() == "drop out":
        scene.out.add(scene.seat)
    elif verb == "let":
        name, what = _cut(rest, "be")
        scene.local[name] = value(what, scene)
    elif verb == "set":
        target, what = _cut(rest, "to")
        _write(_key(target, scene), value(what, scene), scene)
    elif verb == "add":
        what, target = _cut(rest, "to")
        key = _key(target, scene)
        _write(key, scene.cells[key] + number(value(what, scene)), scene)
    elif verb == "reveal":
        parts = cut(rest, "to") or (rest, "")
        who = value(parts[1], scene) if parts[1] else None
        seen_by = None if who is None else frozenset([who] if isinstance(who, Seat) else who)
        scene.shown.append((seen_by, value(parts[0], scene)))
    else:
        assert verb == "move", text
        _move(*_cut(rest, "to"), scene)


def _move(what: str, target: str, scene: Scene) -> None:
    parts = cut(what, "from")
    source = _key(parts[1] if parts else what, scene)
    held = None if source is None else scene.cells[source]
    moved = number(value(parts[0], scene)) if parts else held
    if moved is None or moved < 0:
        raise Stops("less than nothing moves")
    into = _key(target, scene)
    if held is not None:
        moved = min(moved, held)
        scene.cells[source] = held - moved
    if into is not None:
        scene.cells[into] += moved
    for key in (source, into):
        if key is not None:
            _write(key, scene.cells[key], scene)


def _cut(text: str, word: str) -> tuple[str, str]:
    parts = cut(text, word)
    assert parts is not None, text
    return parts


def _key(text: str, scene: Scene) -> Any:
    """The member that an effect changes; None for the supply."""
    if text == "supply":
        return None
    node = tree(text)
    name, index = indexed(node, scene) if isinstance(node, ast.Subscript) else (text, [])
    [key], several = scene.keys(name, index)
    assert not several, text
    return key


def _write(key: Key, what: Any, scene: Scene) -> None:
    """Give a member a value. Stops where that is out of its bounds."""
    variable = scene.setting.variables[key[0]]
    if variable.kind in ("number", "tally"):
        what = number(what)
        if variable.kind == "number" and not variable.least <= what <= variable.most:
            raise Stops(f"{key} would be {what}")
    if variable.kind == "word" and what not in variable.words:
        raise Stops(f"{key} would be {what}")
    if variable.kind == "hand":
        assert isinstance(what, Hand)
        without(variable.dice, what.names)
    scene.cells[key] = what
