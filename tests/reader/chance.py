"""Chance: every die is rolled by itself, every item of a bag may be drawn."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from tests.reader.expressions import value
from tests.reader.scene import Scene
from tests.reader.texts import cut, outside
from tests.reader.totals import total
from tests.reader.values import Hand, Stops, number, without

_SEVERAL = re.compile(r"([0-9]+) of (\w+)")
_PLAIN = re.compile(r"([1-9][0-9]*)?d([1-9][0-9]*)")


def dice_of(text: str, scene: Scene) -> tuple[str, ...]:
    """The names of the dice of some terms, one by one. A ``+`` parts two terms where a die stands before it."""
    terms, start = [], 0
    for place in [*(place for place in outside(text) if text[place] == "+"), len(text)]:
        last = cut(text[start:place], "of")
        if place == len(text) or _is_die(last[1] if last else text[start:place].strip(), scene):
            terms.append(text[start:place].strip())
            start = place + 1
    return tuple(die for term in terms for die in _term(term, scene))


def _is_die(text: str, scene: Scene) -> bool:
    return text in scene.setting.dice or bool(_PLAIN.fullmatch(text))


def _term(text: str, scene: Scene) -> list[str]:
    parts, plain = cut(text, "of"), _PLAIN.fullmatch(text)
    if parts is not None:
        count = int(number(value(parts[0], scene)))
        if count < 0:
            raise Stops("fewer than no dice")
        return [parts[1]] * count
    return [f"d{plain[2]}"] * int(plain[1] or 1) if plain else [text]


def faces_of(die: str, scene: Scene) -> tuple[tuple[int, int], ...]:
    """The faces of a die with their weights."""
    if die in scene.setting.dice:
        return tuple(scene.setting.dice[die])
    return tuple((face, 1) for face in range(1, int(die[1:]) + 1))


@cache
def law(dice: tuple[tuple[str, tuple[tuple[int, int], ...]], ...]) -> dict[Hand, Fraction]:
    """The chance of every hand: the faces of each die in turn, all with all."""
    weights: Counter[Hand] = Counter()
    for fall in product(*(faces for _, faces in dice)):
        weight = 1
        for _, times in fall:
            weight *= times
        weights[Hand.of((face, die) for (face, _), (die, _) in zip(fall, dice, strict=True))] += weight
    total = sum(weights.values())
    return {hand: Fraction(weight, total) for hand, weight in weights.items() if weight}


def rolled(dice: tuple[str, ...], scene: Scene) -> dict[Hand, Fraction]:
    """The chance of every hand of these dice."""
    return law(tuple((die, faces_of(die, scene)) for die in sorted(dice)))


def falls(body: dict[str, Any], scene: Scene) -> Iterator[tuple[Fraction, Scene]]:
    """All that chance can do in a phase, with what lies on the table after it."""
    told = [(how, name, what) for how in body if how in ("roll", "draw") for name, what in body[how].items()]
    acts = [act for each in told for act in _each(*each)]
    yield from _falls(acts, Fraction(1), scene)


def _each(how: str, name: str, what: Any) -> list[tuple[str, str, Any]]:
    """Several things drawn at once as so many draws."""
    several = _SEVERAL.fullmatch(str(what)) if how == "draw" else None
    if several is None:
        return [(how, name, what)]
    return [(how, f"{name}_{place}", several[2]) for place in range(1, int(several[1]) + 1)]


def _falls(acts: list[tuple[str, str, Any]], chance: Fraction, scene: Scene) -> Iterator[tuple[Fraction, Scene]]:
    if not acts:
        yield chance, scene
        return
    (how, name, what), *later = acts
    for share, after in (_roll if how == "roll" else _draw)(name, what, scene):
        yield from _falls(later, chance * share, after)


def _roll(name: str, what: str | dict[str, Any], scene: Scene) -> Iterator[tuple[Fraction, Scene]]:
    if isinstance(what, dict):
        for number, share in total(what).items():
            yield share, _lay(name, number, scene)
        return
    kept = scene.setting.variables.get(name)
    lying = Hand()
    if what == "rest":
        assert kept is not None
        lying = scene.cells[_member(name, scene)]
        dice = tuple(without(kept.dice, lying.names))
    else:
        dice = dice_of(what, scene)
        if kept is not None:
            without(kept.dice, dice)  # the others do not belong there
    for hand, share in rolled(dice, scene).items():
        yield share, _lay(name, lying + hand, scene)


def _draw(name: str, bag: str, scene: Scene) -> Iterator[tuple[Fraction, Scene]]:
    keys = scene.setting.variables[bag].keys
    things = [key for key in keys for _ in range(scene.cells[key])]
    if not things:
        raise Stops("nothing is left to draw")
    for key, times in Counter(things).items():
        after = _lay(name, key[1][0], scene)
        after.cells[key] -= 1
        yield Fraction(times, len(things)), after


def _member(name: str, scene: Scene) -> Any:
    [key], _ = scene.keys(name, [])
    return key


def _lay(name: str, thing: Any, scene: Scene) -> Scene:
    after = scene.apart()
    if name in scene.setting.variables:
        after.cells[_member(name, scene)] = thing
    else:
        after.local[name] = thing
    return after
