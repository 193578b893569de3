"""The canonical form of a ruleset: its rules as JSON for other programs, and the hash of this form."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, assert_never

from oddsmith.expr import Expr
from oddsmith.ruleset.binding import names_of_dice_by_kind
from oddsmith.ruleset.model.effects import (
    Add,
    Drop,
    Effect,
    ForItems,
    ForSeats,
    If,
    Let,
    Move,
    Reveal,
    Set,
    VariableRef,
)
from oddsmith.ruleset.model.phases import (
    Again,
    DiceTerm,
    Draw,
    End,
    Entry,
    EntryEnding,
    Pass,
    PassTo,
    Phase,
    RollOrDraw,
    SimultaneousPhase,
    ToPhase,
)
from oddsmith.ruleset.model.questions import PolicyLine
from oddsmith.ruleset.model.ruleset import Ruleset
from oddsmith.ruleset.model.state import DieRule, Parameter, Variable

VERSION = 1


def bundle(ruleset: Ruleset) -> dict[str, Any]:
    """Return the rules as plain data, without most of the texts that do not affect play.

    Expressions are nested lists, with definitions expanded. A map is a list of pairs if its order matters or its keys
    may be numbers. The key ``kinds`` lists the dice in the order by which hands of several kinds are sorted.
    """
    return {
        "bundle": VERSION,
        "format": 1,
        "id": ruleset.id,
        "title": ruleset.title,
        "seats": list(ruleset.seats),
        "parameters": {name: _parameter_data(parameter) for name, parameter in ruleset.parameters.items()},
        "variants": {name: dict(variant.values) for name, variant in ruleset.variants.items()},
        "constants": dict(ruleset.constants),
        "maps": {name: _sorted_pairs(table) for name, table in ruleset.maps.items()},
        "lists": {
            name: {"from": expression_data(items)} if isinstance(items, Expr) else list(items)
            for name, items in ruleset.lists.items()
        },
        "dice": {name: _die_data(rule) for name, rule in ruleset.dice.items()},
        "kinds": names_of_dice_by_kind(ruleset),
        "state": [[name, _variable_data(variable)] for name, variable in ruleset.state.items()],
        "payoffs": [[name, {"value": expression_data(p.value), "goal": p.goal}] for name, p in ruleset.payoffs.items()],
        "turn": ruleset.first_phase_of_turn,
        "phases": {name: _phase_data(phase) for name, phase in ruleset.phases.items()},
        "out_when": expression_data(ruleset.out_when),
        "end_when": expression_data(ruleset.end_when),
        "at_end": _effects_data(ruleset.at_end),
        "policies": {
            name: {phase: [_policy_line_data(line) for line in lines] for phase, lines in policy.items()}
            for name, policy in ruleset.policies.items()
        },
        **_requirements_data(ruleset),
        **({"sides": list(ruleset.sides)} if ruleset.sides else {}),
    }


def _requirements_data(ruleset: Ruleset) -> dict[str, Any]:
    """Return a map with the requirements under the key ``require``; it is empty for rules without requirements."""
    found = [{"that": expression_data(each.condition), "about": each.error_text} for each in ruleset.requirements]
    return {"require": found} if found else {}


def canonical_bytes(data: Any) -> bytes:
    """Return data as canonical JSON: keys sorted, no spaces, UTF-8. Raises TypeError for floats."""
    _refuse_floats(data)
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8")


def plain_data(data: Any) -> Any:
    """Return data in a form for JSON: maps as lists of pairs, because their order may matter, and fractions as text."""
    if isinstance(data, Mapping):
        return [[plain_data(name), plain_data(value)] for name, value in data.items()]
    if isinstance(data, list | tuple):
        return [plain_data(value) for value in data]
    return data if isinstance(data, bool | int | str) or data is None else str(data)


def sha256(ruleset: Ruleset) -> str:
    """Return the SHA-256 of the rules in canonical form, in hexadecimal. The layout of the file does not change it."""
    return hashlib.sha256(canonical_bytes(bundle(ruleset))).hexdigest()


def _refuse_floats(data: Any) -> None:
    """Raise TypeError if the data contain a float, because a float can be written in more than one way."""
    if isinstance(data, float):
        raise TypeError(f"{data} is not a whole number")
    if isinstance(data, Mapping):
        assert all(isinstance(key, str) for key in data)
        data = list(data.values())
    if isinstance(data, Sequence) and not isinstance(data, str):
        for item in data:
            _refuse_floats(item)


def expression_data(tree: Expr) -> Any:
    """Return an expression as nested lists.

    Seats are numbers in this form, so ``<`` between seats, which means the order of play, becomes the operator
    ``before``.
    """

    def renaming_turn_order_operator(node: Expr) -> Expr:
        of_seats = node.op == "<" and node.args[0].type.kind == "seat"
        return replace(node, op="before") if of_seats else node

    return tree.transform(renaming_turn_order_operator).to_json()


def _expression_data_or_none(tree: Expr | None) -> Any:
    return None if tree is None else expression_data(tree)


def _sorted_pairs(mapping: Mapping[Any, Any]) -> list[list[Any]]:
    """Return a map as pairs sorted by key, with numbers before words."""
    return [[key, mapping[key]] for key in sorted(mapping, key=lambda key: (isinstance(key, str), key))]


def _parameter_data(parameter: Parameter) -> dict[str, Any]:
    return {
        "default": parameter.default,
        "min": parameter.least,
        "max": parameter.most,
        "one_of": list(parameter.one_of),
    }


def _die_data(rule: DieRule) -> dict[str, Any]:
    faces = expression_data(rule.faces) if isinstance(rule.faces, Expr) else None
    return {
        "faces": list(rule.faces) if not isinstance(rule.faces, Expr) else [],
        "from": faces,
        "weights": [expression_data(weight) for weight in rule.weights],
        "named": _sorted_pairs(rule.face_names),
    }


def _terms_data(terms: Sequence[DiceTerm]) -> list[list[Any]]:
    return [[expression_data(term.count), term.die] for term in terms]


def _variable_data(variable: Variable) -> dict[str, Any]:
    start = variable.start
    by_item = (
        _sorted_pairs({key: expression_data(item) for key, item in start.items()})
        if isinstance(start, Mapping)
        else None
    )
    return {
        "kind": variable.kind,
        "dims": list(variable.index_lists),
        "start": expression_data(start) if isinstance(start, Expr) else None,
        "starts": by_item,
        "min": _expression_data_or_none(variable.least),
        "max": _expression_data_or_none(variable.most),
        "words": list(variable.words),
        "dice": _terms_data(variable.dice),
        "resets": variable.resets_each_turn,
    }


def _phase_data(phase: Phase) -> dict[str, Any]:
    throws = [_roll_or_draw_data(throw) for throw in phase.rolls_and_draws]
    data: dict[str, Any] = {
        "kind": phase.kind,
        "throws": throws,
        "entries": [_entry_data(entry) for entry in phase.entries],
    }
    if isinstance(phase, SimultaneousPhase):
        data |= {
            "chosen": phase.choice_name,
            "items": expression_data(phase.items),
            "who": expression_data(phase.choosing_seats),
        }
    return data | ({} if phase.seen_by is None else {"seen_by": expression_data(phase.seen_by)})


def _roll_or_draw_data(throw: RollOrDraw) -> dict[str, Any]:
    data = {"kind": throw.kind, "name": throw.name, "kept": throw.is_kept}
    return data | ({"bag": throw.bag} if isinstance(throw, Draw) else {"dice": _terms_data(throw.dice)})


def _loops_data(loops: Sequence[tuple[str, Expr]]) -> list[list[Any]]:
    return [[name, expression_data(items)] for name, items in loops]


def _entry_data(entry: Entry) -> dict[str, Any]:
    return {
        "name": entry.name,
        "for": _loops_data(entry.loops),
        "when": expression_data(entry.when),
        "do": _effects_data(entry.do),
        "then": _entry_ending_data(entry.then),
    }


def _entry_ending_data(entry_ending: EntryEnding) -> list[Any]:
    match entry_ending:
        case ToPhase():
            return [entry_ending.kind, entry_ending.phase]
        case PassTo():
            return [entry_ending.kind, expression_data(entry_ending.seat)]
        case Again() | Pass() | End():
            return [entry_ending.kind]
        case _:
            assert_never(entry_ending)


def _effects_data(effects: Sequence[Effect]) -> list[dict[str, Any]]:
    return [_effect_data(effect) for effect in effects]


def _effect_data(effect: Effect) -> dict[str, Any]:
    """Return an effect as plain data, with only the fields of its kind."""
    return {"kind": effect.kind, **_effect_fields(effect)}


def _effect_fields(effect: Effect) -> dict[str, Any]:
    match effect:
        case Move():
            amount = {} if effect.amount is None else {"amount": expression_data(effect.amount)}
            return {**amount, "from": _variable_ref_data(effect.source), "to": _variable_ref_data(effect.target)}
        case Set() | Add():
            return {"amount": expression_data(effect.amount), "to": _variable_ref_data(effect.target)}
        case Let():
            return {"amount": expression_data(effect.amount), "name": effect.name}
        case Reveal():
            return {"amount": expression_data(effect.amount), "to": _expression_data_or_none(effect.seats)}
        case Drop():
            return {}
        case If():
            return {
                "amount": expression_data(effect.test),
                "do": _effects_data(effect.do),
                "else": _effects_data(effect.else_do),
            }
        case ForSeats():
            return {"amount": expression_data(effect.group), "do": _effects_data(effect.do)}
        case ForItems():
            return {"for": _loops_data(effect.loops), "do": _effects_data(effect.do)}
        case _:
            assert_never(effect)


def _variable_ref_data(variable_ref: VariableRef | None) -> Any:
    """Return a variable with its indices as plain data; None for None, which stands for the supply."""
    return (
        None
        if variable_ref is None
        else [variable_ref.name, *(expression_data(index) for index in variable_ref.indices)]
    )


def _policy_line_data(policy_line: PolicyLine) -> dict[str, Any]:
    return {
        "option": policy_line.option,
        "when": expression_data(policy_line.when),
        "prefer": _expression_data_or_none(policy_line.prefer),
    }
