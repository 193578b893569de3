"""How a certificate tells of a game: its settings, its actions, and its positions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from oddsmith.certify.values import Refused, fraction, whole
from oddsmith.derive import Canonical
from oddsmith.dice import Hand
from oddsmith.exact import fraction_text
from oddsmith.ruleset import Action, Game, Rules, State, sha256


def setting(game: Game) -> dict[str, Any]:
    """Which game of a ruleset this is."""
    return {
        "id": game.ruleset.id,
        "sha256": sha256(game.ruleset),
        "seats": game.seats,
        "parameters": dict(game.parameters),
        "variants": list(game.variants),
    }


def action_of(phase: str, action: Action) -> list[Any]:
    """An action: its phase, the number of its entry there, its name, and the values of its loop names."""
    return [phase, action.entry, action.name, [[name, plain(value)] for name, value in action.binding]]


def plain(value: Any) -> Any:
    """A value of a cell as JSON has it: a hand is a list of pairs of face and kind."""
    return [list(die) for die in value] if isinstance(value, Hand) else value


def position_of(state: State, seats: int) -> dict[str, Any]:
    """A state whose seats are counted from the mover."""
    out = [seat for seat in range(seats) if state.out >> seat & 1]
    return {"phase": state.phase, "out": out, "cells": [plain(value) for value in state.cells]}


def state_of(record: dict[str, Any], game: Game) -> State:
    """The inverse of :func:`position_of`. Any of ``values.DAMAGED`` where the record is not as it should be."""
    cells = [
        Hand((whole(face), whole(kind)) for face, kind in cell) if isinstance(cell, list) else cell
        for cell in record["cells"]
    ]
    seats_out = set(map(whole, record["out"]))
    out = sum(1 << seat for seat in range(game.seats) if seat in seats_out)
    state = State(record["phase"], 0, out, tuple(cells))
    # Python takes True for 1, and rules may reckon with either.
    if [*map(type, cells)] != [*map(type, game.start)] or position_of(state, game.seats)["out"] != record["out"]:
        raise ValueError("a position is not written as the format says")
    return state


# --- from positions to states

STEPS = ("mover", "carried", "forgotten", "alike")


def steps_of(canonical: Canonical) -> list[dict[str, Any]]:
    """How positions become states, for a header; steps that do nothing are left out."""
    names = [cell.name for cell in canonical.game.cells]
    carried = [[names[where], list(map(fraction_text, worth))] for where, worth in sorted(canonical.worth.items())]
    phases = {
        phase: [names[where] for where in sorted(cells)]
        for phase, cells in sorted(canonical.forgotten.items())
        if cells
    }
    families = [[[names[where] for where in member] for member in members] for members in canonical.alike]
    steps: list[dict[str, Any]] = [{"step": "mover"}]
    steps += [{"step": "carried", "cells": carried}] if carried else []
    steps += [{"step": "forgotten", "phases": phases}] if phases else []
    return steps + ([{"step": "alike", "families": families}] if families else [])


def canonical_of(game: Game, steps: Sequence[Mapping[str, Any]]) -> Canonical:
    """The inverse of :func:`steps_of`. Refused, or any of ``values.DAMAGED``, where the steps are not as they should be."""
    known = {step["step"]: step for step in steps}
    if [step["step"] for step in steps] != [name for name in STEPS if name in known or name == "mover"]:
        raise Refused("its states are made in a way that this checker does not know")
    number = {cell.name: where for where, cell in enumerate(game.cells)}
    carried = known.get("carried", {"cells": []})["cells"]
    worth = {number[name]: [fraction(each) for each in worths] for name, worths in carried}
    if any(len(each) != game.seats for each in worth.values()):
        raise Refused("what a carried cell counts is not told for every seat")
    phases = known.get("forgotten", {"phases": {}})["phases"]
    forgotten = {phase: [number[name] for name in names] for phase, names in phases.items()}
    families = known.get("alike", {"families": []})["families"]
    alike = [[[number[name] for name in member] for member in members] for members in families]
    placed = [where for members in alike for member in members for where in member]
    if len(placed) != len(set(placed)):
        raise Refused("a cell stands in two members that are alike")
    return Canonical(game, worth, forgotten, alike)


def start_of(canonical: Canonical, rules: Rules) -> dict[str, Any]:
    """Which seat moves first, and what it and the others hold of carried cells by then, for a header."""
    position = rules.start()
    held = [
        fraction_text(Fraction(units, canonical.scale))
        for units in canonical.gained(canonical.game.start, position.cells)
    ]
    return {"mover": position.mover, "held": held}
