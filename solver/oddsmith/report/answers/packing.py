"""Whole answers as bytes: compressed JSON of their parts, without the game and its ruleset.

Records are converted to plain data (lists, texts and numbers) by their declared types, and back. Reading them runs no
code.
"""

from __future__ import annotations

import base64
import gzip
import json
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from functools import cache
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints

from oddsmith.base.exact import Number, fraction_from_text, fraction_text
from oddsmith.report.answers import solving
from oddsmith.report.answers.answers import Answer, StoredIfKeyPresent, StoredPart
from oddsmith.report.answers.secret import SecretAnswer, solved_secret_answer, unsolved_secret_answer
from oddsmith.ruleset import bind
from oddsmith.ruleset.model import Ruleset, Setting

PACKED = {
    "certificate_or_reason": "proof",
    "chance_tables": "chances",
    "claim_numbers": "claimed",
    "decisions_csv": "spreadsheet",
    "distribution_summaries": "spreads",
    "example_moves": "example",
    "key_facts": "facts",
    "map_cells_by_phase": "maps",
    "mixed_positions": "mixed",
    "policy_and_value_tables": "tables",
    "profile": "character",
    "proven_plays": "plays",
    "roll_on_risks": "rolling",
    "roll_or_stop_rules": "one_more",
    "rule_comparison": "ladder",
    "rule_number_comparison": "numbers",
    "training_table": "training",
    "values_by_holdings": "standing",
}
"""The names in packed answers of the parts that were renamed later."""


@dataclass(frozen=True)
class PlainForm:
    """How values of one type are written as plain data and read back.

    ``shape``: a text that describes the form, so that two forms can be compared. ``write`` and ``read``: functions to
    plain data and back.
    """

    shape: str
    write: Callable[[Any], Any]
    read: Callable[[Any], Any]


def _identity(value: Any) -> Any:
    return value


def _number_text(number: Number) -> str:
    ends = [number.lower] if number.exact is not None else [number.lower, number.upper]
    return " ".join(map(fraction_text, ends))


def _number_from_text(text: str) -> Number:
    ends = [fraction_from_text(part) for part in text.split(" ")]
    return Number(ends[0], ends[-1])


_PLAIN = {
    Any: PlainForm("any", _identity, _identity),
    str: PlainForm("str", str, str),
    bool: PlainForm("bool", bool, bool),
    int: PlainForm("int", int, int),
    float: PlainForm("float", float, float),
    bytes: PlainForm("bytes", lambda data: base64.b64encode(data).decode(), base64.b64decode),
    Fraction: PlainForm("fraction", fraction_text, fraction_from_text),
    Number: PlainForm("number", _number_text, _number_from_text),
}


@cache
def plain_form(value_type: Any) -> PlainForm:
    """Return the plain form of a type. The type may be a plain value, a number, a frozen record, or a list, map or
    union of these.
    """
    if value_type in _PLAIN:
        return _PLAIN[value_type]
    origin, args = get_origin(value_type), get_args(value_type)
    if origin is Literal:
        return _PLAIN[str]
    if origin in (Union, types.UnionType):
        return _union_form(args)
    if origin in (dict, Mapping):
        return _mapping_form(*map(plain_form, args))
    if origin is tuple and args[-1] is not Ellipsis:
        return _record_form(list(map(plain_form, args)), tuple)
    if origin in (tuple, list, frozenset, Sequence):
        return _sequence_form(plain_form(args[0]), tuple if origin is Sequence else origin)
    assert isinstance(value_type, type), f"{value_type} has no plain form"
    assert is_dataclass(value_type), f"{value_type} has no plain form"
    hints, made = get_type_hints(value_type), cast(Callable[..., Any], value_type)
    names = [each.name for each in fields(value_type)]
    packed_names = [each.metadata.get("packed", each.name) for each in fields(value_type)]
    usual = [each.default for each in fields(value_type)]
    forms = [plain_form(hints[name]) for name in names]
    return _record_form(forms, lambda values: made(*values), names, packed_names, usual)


def _sequence_form(item_form: PlainForm, make_sequence: Callable[[Any], Any]) -> PlainForm:
    """Return the form of a sequence: a list. ``item_form``: the form of an item. ``make_sequence``: makes the sequence
    from its items.
    """

    def write_sequence(values: Any) -> Any:
        return [item_form.write(value) for value in (sorted(values) if make_sequence is frozenset else values)]

    return PlainForm(f"[{item_form.shape}]", write_sequence, lambda data: make_sequence(map(item_form.read, data)))


def _mapping_form(key_form: PlainForm, value_form: PlainForm) -> PlainForm:
    """Return the form of a map: a list of pairs, in the order of the map. ``key_form`` and ``value_form``: the forms of
    keys and values.
    """
    return PlainForm(
        f"{{{key_form.shape}: {value_form.shape}}}",
        lambda values: [[key_form.write(name), value_form.write(found)] for name, found in values.items()],
        lambda data: {key_form.read(name): value_form.read(found) for name, found in data},
    )


def _record_form(
    field_forms: list[PlainForm],
    make_record: Callable[[Any], Any],
    field_names: Sequence[str] = (),
    packed_names: Sequence[str] = (),
    default_values: Sequence[Any] = (),
) -> PlainForm:
    """Return the form of a record or a tuple: a list of its fields. The name of its class is not written.

    ``field_forms``: the forms of the fields. ``make_record``: makes the record from the list of its values.
    ``field_names``: the names of the fields; empty for a tuple. ``packed_names``: the names of the fields in the shape,
    which stay the same if a field is renamed. An empty name means that the field was added later. Such fields come last
    and are not written if they have their ``default_values`` value, so older answers keep their shape.
    """
    later = list(packed_names).count("")

    def write_record(value: Any) -> Any:
        parts = [getattr(value, each) for each in field_names] if field_names else list(value)
        while later and len(parts) > len(field_forms) - later and parts[-1] == default_values[len(parts) - 1]:
            parts.pop()
        return [each.write(part) for each, part in zip(field_forms, parts, strict=not later)]

    def read_record(data: Any) -> Any:
        return make_record([each.read(part) for each, part in zip(field_forms, data, strict=not later)])

    field_shapes = [each.shape for each in field_forms]
    shapes = (
        [f"{one}: {shape}" for one, shape in zip(packed_names, field_shapes, strict=True) if one]
        if field_names
        else field_shapes
    )
    return PlainForm(f"({', '.join(shapes)})", write_record, read_record)


def _union_form(member_types: tuple[Any, ...]) -> PlainForm:
    """Return the form of a union of types. ``member_types``: the types.

    A value of the only type besides None is written as itself. If there are several types, it is written as a pair of
    the index of its type and the value.
    """
    kinds = [kind for kind in member_types if kind is not type(None)]
    forms = list(map(plain_form, kinds))

    def write_union(value: Any) -> Any:
        if value is None or len(kinds) == 1:
            return None if value is None else forms[0].write(value)
        place = next(place for place, kind in enumerate(kinds) if isinstance(value, kind))
        return [place, forms[place].write(value)]

    def read_union(data: Any) -> Any:
        if data is None or len(kinds) == 1:
            return None if data is None else forms[0].read(data)
        return forms[data[0]].read(data[1])

    return PlainForm(
        " | ".join(each.shape for each in forms) + " | null" * (len(kinds) < len(member_types)), write_union, read_union
    )


@cache
def plain_form_of_part(part_name: str) -> PlainForm:
    """Return the plain form of a part of an answer. ``part_name``: the name of the part."""
    kept: Any = vars(Answer)[part_name]
    return plain_form(get_type_hints(kept.func)["return"])


@cache
def answer_schema() -> str:
    """Return the shape of answers as a text, with every field. An answer of another shape cannot be read."""
    parts = vars(Answer).items()
    names = [name for name, part in parts if isinstance(part, StoredPart) and not isinstance(part, StoredIfKeyPresent)]
    return "; ".join(f"{PACKED.get(name, name)}: {plain_form_of_part(name).shape}" for name in names)


def compress_json(data: Mapping[str, Any]) -> bytes:
    """Return plain data as compressed JSON, with the same bytes on every machine."""
    return gzip.compress(json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode(), 6, mtime=0)


def decompress_json(data: bytes) -> Any:
    """Return the plain data in compressed JSON."""
    return json.loads(gzip.decompress(data))


def pack_answer(answer: Answer, address: str = "") -> bytes:
    """Return a complete answer as compressed JSON. ``address``: the address to store with it, if any."""
    parts = {
        PACKED.get(name, name): plain_form_of_part(name).write(getattr(answer, name))
        for name in answer.computed_part_names
    }
    data: dict[str, Any] = {"of": address, "failure": answer.failure, "parts": parts}
    data |= {"too_large": True} if answer.too_large else {}
    return compress_json(data)


def unpack_answer(data: bytes, ruleset: Ruleset, setting: Setting) -> Answer:
    """Return the answer from its bytes. The texts of the game are those of ``ruleset``, even if they have changed
    since.
    """
    kept = decompress_json(data)
    main, too_large = setting == ruleset.edition.main_setting, kept.get("too_large", False)
    found = Answer(setting, bind(ruleset, setting), None, kept["failure"], main, too_large)
    for packed, part in kept["parts"].items():
        name = next((name for name, before in PACKED.items() if before == packed), packed)
        vars(found)[name] = plain_form_of_part(name).read(part)
    return found


@cache
def _forms_of_secret_parts() -> dict[str, PlainForm]:
    """Return the plain form of each field of the answer to a game with secrets, but for the game and its setting."""
    hints = get_type_hints(SecretAnswer)
    return {
        each.name: plain_form(hints[each.name]) for each in fields(SecretAnswer) if each.name not in ("setting", "game")
    }


def pack_secret_answer(answer: SecretAnswer | Answer) -> bytes:
    """Return the answer to a game with secrets, or the answer that says why it cannot be solved, as compressed JSON."""
    if isinstance(answer, Answer):
        return compress_json({"failure": answer.failure, "unsolvable": answer.unsolvable})
    return compress_json({name: form.write(getattr(answer, name)) for name, form in _forms_of_secret_parts().items()})


def unpack_secret_answer(data: bytes, ruleset: Ruleset, setting: Setting) -> SecretAnswer | Answer:
    """Return the answer that ``pack_secret_answer`` packed. The texts of the game are those of ``ruleset``, even if
    they have changed since.
    """
    kept, game = decompress_json(data), bind(ruleset, setting)
    if "failure" in kept:
        return unsolved_secret_answer(game, setting, kept["failure"], kept["unsolvable"])
    return SecretAnswer(
        setting, game, **{name: form.read(kept[name]) for name, form in _forms_of_secret_parts().items()}
    )


def solve_and_pack(ruleset: Ruleset, setting: Setting) -> bytes:
    """Solve a setting, compute all parts that pages need, and return the packed answer."""
    if ruleset.has_secrets:
        return pack_secret_answer(solved_secret_answer(ruleset, setting))
    return pack_answer(solve_with_all_parts(ruleset, setting))


def solve_with_all_parts(ruleset: Ruleset, setting: Setting) -> Answer:
    """Solve a setting, compute all parts that pages need, and return the answer."""
    found = solving.solved_answer(ruleset, setting)
    found.compute_all_parts()
    return found
