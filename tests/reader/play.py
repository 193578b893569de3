"""A plain reader of the rules of one state, written from ``docs/reference/language.md`` alone.

It shares nothing with the engine: it reads the data of the YAML file, Python's own grammar for expressions, and rolls every
die by itself. It is slow and says nothing about mistakes, so it reads only rulesets that the engine took.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from typing import Any

from tests.reader.chance import falls
from tests.reader.effects import Names, rounds, run
from tests.reader.expressions import holds, value
from tests.reader.scene import Key, Scene
from tests.reader.setting import opening, setting_of
from tests.reader.values import Seat, Stops, items


@dataclass(frozen=True)
class Position:
    """What lies on the table before a roll or a choice. ``phase`` is empty when the game is over."""

    phase: str
    mover: Seat
    out: frozenset[Seat]
    cells: tuple[tuple[Key, Any], ...]


@dataclass(frozen=True)
class Fall:
    """What chance gave: names that live in this phase only, and what lies on the table now."""

    names: Names
    cells: tuple[tuple[Key, Any], ...]


@dataclass(frozen=True)
class Step:
    """Where play went: the position, the entries taken on the way, and whether the turn is over."""

    position: Position
    entries: tuple[tuple[str, str], ...]
    turn_over: bool
    shown: tuple[tuple[frozenset[Seat] | None, Any], ...] = ()


class Reader:
    """The rules of a ruleset's data at a number of seats and parameters."""

    def __init__(
        self,
        data: Mapping[str, Any],
        seats: int | None = None,
        parameters: Mapping[str, Any] | None = None,
        variants: Sequence[str] = (),
    ) -> None:
        self.data = data
        self.setting = setting_of(data, seats, parameters or {}, variants)
        self.opening = opening(data, self.setting)

    # --- what can happen

    def start(self) -> Position:
        """Step 0, and phases of cases that stand before the first roll or choice."""
        scene = Scene(self.setting, dict(self.opening), Seat(0), Seat(0), set())
        if holds(self.data.get("end_when", False), scene):
            raise Stops("the game is over before it begins")
        return self._enter(self.data["turn"], scene, (), False).position

    def kind(self, position: Position) -> str:
        """Whether somebody chooses there or chance acts."""
        body = self.data["phases"][position.phase]
        return "together" if "choose_together" in body else "choose" if "choose" in body else "chance"

    def chances(self, position: Position) -> dict[Fall, Fraction]:
        """All that chance can give in a position."""
        found: defaultdict[Fall, Fraction] = defaultdict(Fraction)
        for chance, scene in falls(self.data["phases"][position.phase], self._scene(position)):
            found[Fall(tuple(scene.local.items()), tuple(scene.cells.items()))] += chance
        return dict(found)

    def resolve(self, position: Position, fall: Fall) -> Step:
        """What follows a roll."""
        scene = self._scene(position)
        scene.cells.update(fall.cells)
        return self._first(position.phase, scene.with_names(dict(fall.names)), (), False)

    def options(self, position: Position) -> list[tuple[int, Names]]:
        """The legal options, each by its place in the list, with the names of its loops."""
        scene, found = self._scene(position), []
        for place, option in enumerate(self.data["phases"][position.phase]["choose"]):
            sides = option.get("only", [])
            allowed = [value(side, scene) for side in ([sides] if isinstance(sides, str) else sides)]
            if "only" in option and scene.mover not in allowed:
                continue
            loops, when = list(option.get("for", {}).items()), option.get("when", True)
            found += [(place, names) for names in rounds(loops, scene) if holds(when, scene.with_names(dict(names)))]
        if not found:
            raise Stops("no option is legal")
        return found

    def choose(self, position: Position, option: tuple[int, Names]) -> Step:
        """What follows a choice."""
        entry = self.data["phases"][position.phase]["choose"][option[0]]
        return self._take(position.phase, entry, self._scene(position).with_names(dict(option[1])), (), False)

    def offers(self, position: Position) -> dict[Seat, list[Any]]:
        """The seats that choose at once, each with what it may choose from."""
        body, scene = self.data["phases"][position.phase], self._scene(position)
        [told] = body["choose_together"].values()
        asked = value(body.get("who", "everyone"), scene)
        found = {seat: told if isinstance(told, list) else items(value(told, scene.at(seat))) for seat in asked}
        if not found or not all(found.values()):
            raise Stops("nobody is asked, or somebody has nothing to choose from")
        return {seat: list(dict.fromkeys(offered)) for seat, offered in found.items()}

    def choose_together(self, position: Position, chosen: Mapping[Seat, Any]) -> Step:
        """What follows choices that were made at once."""
        [name] = self.data["phases"][position.phase]["choose_together"]
        return self._first(position.phase, self._scene(position).with_names({name: dict(chosen)}), (), False)

    def seen_by(self, position: Position) -> frozenset[Seat]:
        """Who sees what is rolled or chosen in a position."""
        told = self.data["phases"][position.phase].get("seen_by")
        if told is None or told == "nobody":
            return frozenset(self.setting.table if told is None else ())
        who = value(told, self._scene(position))
        return frozenset([who] if isinstance(who, Seat) else who)

    def payoffs(self, position: Position, name: str) -> list[Fraction]:
        """What each seat gets at an end."""
        told = self.data.get("payoffs", {"nothing": 0})[name]
        worth = told["value"] if isinstance(told, dict) else told
        scene = self._scene(position)
        return [Fraction(value(worth, scene.at(seat))) for seat in self.setting.table]

    # --- the order of play

    def _scene(self, position: Position) -> Scene:
        return Scene(self.setting, dict(position.cells), position.mover, position.mover, set(position.out))

    def _enter(self, phase: str, scene: Scene, taken: tuple[tuple[str, str], ...], turn_over: bool) -> Step:
        """Step 1, as far as it needs no roll and no choice."""
        if "cases" in self.data["phases"][phase]:
            return self._first(phase, scene, taken, turn_over)
        return Step(self._position(phase, scene), taken, turn_over, tuple(scene.shown))

    def _first(self, phase: str, scene: Scene, taken: tuple[tuple[str, str], ...], turn_over: bool) -> Step:
        """The first entry that matches."""
        body = self.data["phases"][phase]
        for entry in body.get("cases") or body.get("outcomes") or [body]:
            if holds(entry.get("when", True), scene):
                return self._take(phase, entry, scene, taken, turn_over)
        raise Stops("no entry matches")

    def _take(
        self, phase: str, entry: Mapping[str, Any], scene: Scene, taken: tuple[tuple[str, str], ...], turn_over: bool
    ) -> Step:
        """Steps 2 to 6."""
        taken = (*taken, (phase, entry.get("name", "")))
        then = entry.get("then", self.data["phases"][phase].get("then"))
        run(entry.get("do", []), scene)
        test = self._part("out_when", "when", False)
        scene.out |= {seat for seat in scene.inside(scene.mover) if holds(test, scene.at(seat))}
        nobody = len(scene.out) == self.setting.seats
        if nobody or holds(self.data.get("end_when", False), scene) or then == "end":
            bare = Scene(self.setting, scene.cells, scene.mover, scene.mover, scene.out)
            run(self._part("at_end", "do", []), bare)
            return Step(self._position("", bare), taken, True, tuple(scene.shown))
        if scene.mover in scene.out:
            then = "pass"
        if isinstance(then, str) and then not in ("pass", "again"):
            scene.local.clear()
            return self._enter(then, scene, taken, turn_over)
        mover = scene.neighbour(1)
        if then != "pass":
            mover = scene.mover if then == "again" else value(then["pass_to"], scene)
        if mover in scene.out:
            raise Stops("the turn would pass to a seat that is out")
        for variable in self.setting.variables.values():
            for key in variable.keys * variable.resets:
                scene.cells[key] = mover if variable.by_mover else self.opening[key]
        new = Scene(self.setting, scene.cells, mover, mover, scene.out, shown=scene.shown)
        return self._enter(self.data["turn"], new, taken, True)

    def _part(self, key: str, inner: str, without: Any) -> Any:
        """A test or effects that may stand beside ``say``."""
        told = self.data.get(key, without)
        beside = isinstance(told, dict) and (inner in told or "say" in told) and not {"if", "for"} & set(told)
        return told.get(inner, without) if beside else told

    def _position(self, phase: str, scene: Scene) -> Position:
        return Position(phase, scene.mover, frozenset(scene.out), tuple(scene.cells.items()))


# --- values


def worth(reader: Reader, objective: str, most: int = 2_000) -> Fraction | None:
    """What a game for one seat is worth, backward from its ends. None where play can come back, or there are too many."""
    told = reader.data["payoffs"][objective]
    best = min if isinstance(told, dict) and told.get("goal") == "min" else max
    found: dict[Position, Fraction | None] = {}
    counter = count()

    def of(position: Position) -> Fraction:
        if not position.phase:
            return reader.payoffs(position, objective)[0]
        if position not in found:
            found[position] = None
            if next(counter) > most:
                raise RecursionError
            if reader.kind(position) == "choose":
                found[position] = best(of(reader.choose(position, one).position) for one in reader.options(position))
            else:
                falls_ = reader.chances(position).items()
                found[position] = sum(
                    (chance * of(reader.resolve(position, fall).position) for fall, chance in falls_), Fraction(0)
                )
        known = found[position]
        if known is None:
            raise RecursionError
        return known

    try:
        return of(reader.start())
    except RecursionError:
        return None
