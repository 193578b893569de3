"""A ruleset's data at some seats and parameters: every list, die, bound and start as a plain value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from math import lcm
from typing import Any

from tests.reader.chance import dice_of
from tests.reader.expressions import tree, value
from tests.reader.scene import Definition, Key, Scene, Setting, Variable
from tests.reader.totals import total
from tests.reader.values import Hand, Seat

_HEAD = re.compile(r"(\w+)(?:\((.*)\))?")


def setting_of(
    data: Mapping[str, Any], seats: int | None, parameters: Mapping[str, Any], variants: Sequence[str]
) -> Setting:
    """All but what is on the table. Variants are applied first, in order, then the given values."""
    values = {name: one["default"] for name, one in data.get("parameters", {}).items()}
    for name in variants:
        values |= data["variants"][name]["set"]
    values |= parameters
    chairs = data["seats"]
    usual = chairs.get("default", chairs["min"]) if isinstance(chairs, dict) else chairs
    number: int = seats or values.pop("seats", usual)
    values.pop("seats", None)
    found = Setting(number, values, set(_words(data)))
    found.names |= {side: Seat(place) for place, side in enumerate(data.get("sides", []))}
    scene = Scene(found, {}, Seat(0), Seat(0), set())
    for name, constant in data.get("constants", {}).items():
        found.names[name] = constant if isinstance(constant, dict) else value(constant, scene)
    for name, items in data.get("lists", {}).items():
        found.names[name] = items if isinstance(items, list) else value(items, scene)
    for name, die in data.get("dice", {}).items():
        if "total" in die:
            shares = total(die)
            common = lcm(*(share.denominator for share in shares.values()))
            found.dice[name] = [(face, int(share * common)) for face, share in sorted(shares.items())]
            continue
        faces, weights = (_numbers(die.get(key), scene) for key in ("faces", "weights"))
        found.dice[name] = list(zip(faces, weights or [1] * len(faces), strict=True))
    for head, body in data.get("define", {}).items():
        match = _HEAD.fullmatch(head)
        assert match is not None
        arguments = tuple(name.strip() for name in (match[2] or "").split(",") if name.strip())
        found.definitions[match[1]] = Definition(
            arguments, tree(str(body).lower() if isinstance(body, bool) else str(body))
        )
    for name, one in data["state"].items():
        found.variables[name] = _variable(name, one, scene)
    return found


def _words(data: Mapping[str, Any]) -> Iterator[str]:
    """All words that the ruleset gives somewhere as values."""
    places: list[Any] = [one.get("one_of", []) for one in data.get("parameters", {}).values()]
    places += [one.get("one_of", []) for one in data["state"].values()]
    places += [items for items in data.get("lists", {}).values() if isinstance(items, list)]
    places += [[*book, *book.values()] for book in data.get("constants", {}).values() if isinstance(book, dict)]
    together = [phase.get("choose_together", {}) for phase in data["phases"].values()]
    places += [items for offered in together for items in offered.values() if isinstance(items, list)]
    for place in places:
        yield from (word for word in place if isinstance(word, str))


def _numbers(what: Any, scene: Scene) -> list[Any]:
    if isinstance(what, str):
        return list(value(what, scene))
    return [value(one, scene) for one in what or []]


def _variable(name: str, one: Mapping[str, Any], scene: Scene) -> Variable:
    kind = one.get("type") or ("word" if "one_of" in one else "number")
    each = one.get("each", [])
    lists = [each] if isinstance(each, str) else each
    over = tuple(tuple(scene.setting.table if of == "seat" else value(of, scene)) for of in lists)
    least, most = (value(one.get(key, 0), scene) for key in ("min", "max"))
    dice = dice_of(one["dice"], scene) if "dice" in one else ()
    by_mover = kind == "seat" and "start" not in one
    words = tuple(one.get("one_of", ()))
    return Variable(name, kind, over, least, most, words, dice, one.get("resets") == "turn", by_mover)


def opening(data: Mapping[str, Any], setting: Setting) -> dict[Key, Any]:
    """What every variable starts as, in written order."""
    scene = Scene(setting, {}, Seat(0), Seat(0), set())
    for name, one in data["state"].items():
        variable = setting.variables[name]
        for key in variable.keys:
            seat = key[1][0] if variable.by_seat else scene.mover
            scene.cells[key] = _start(variable, one.get("start"), key[1], scene.at(seat))
    return scene.cells


def _start(variable: Variable, told: Any, index: tuple[Any, ...], scene: Scene) -> Any:
    if isinstance(told, dict):
        if isinstance(index[-1], Seat):
            told = {scene.setting.names[side]: start for side, start in told.items()}
        told = told[index[-1]]
    if told is not None:
        return value(told, scene)
    plain = {"flag": False, "seat": scene.mover, "hand": Hand(), "number": variable.least, "tally": 0}
    return variable.words[0] if variable.kind == "word" else plain[variable.kind]
