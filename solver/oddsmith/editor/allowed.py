"""The keys and values that the schema allows at a place, with their descriptions.

A *subschema* is a part of the schema. A place is described by all subschemas that apply to it, each with the name of
its definition in the schema. If the schema has conditions, the keys that the text already has decide which subschemas
apply.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from jsonschema import Draft7Validator

from oddsmith.ruleset.reading import ruleset_schema

_EXPRESSIONS = {
    "expression", "amount", "condition", "list_expression", "seat_expression", "dice_expression", "table_dice", "start", "list",
    "payoff", "leaving", "effect", "closing", "drawn", "seen_by", "offered_items",
}  # fmt: skip

Subschema = dict[str, Any]
NamedSubschemas = list[tuple[str, Subschema]]


def subschemas_at(
    data: Any, path: tuple[Any, ...], cache: dict[tuple[Any, ...], NamedSubschemas] | None = None
) -> NamedSubschemas:
    """Return the subschemas that apply to the value at a path. ``data``: the whole text as plain data.

    ``cache``: the subschemas found so far in the same data, by path. New ones are added to it.
    """
    cache = {} if cache is None else cache
    if () not in cache:
        cache[()] = list(_resolve_references("", ruleset_schema(), data))
    for length, step in enumerate(path, 1):
        data, here, above = _item_or_none(data, step), path[:length], cache[path[: length - 1]]
        if here not in cache:
            below = [subschema for _, each in above for subschema in _child_subschemas(each, step)]
            cache[here] = [each for subschema in below for each in _resolve_references("", subschema, data)]
    return cache[path]


def definition_names(subschemas: NamedSubschemas) -> set[str]:
    """Return the names of the schema's definitions to which the subschemas belong. Subschemas outside a definition have
    none.
    """
    return {name for name, _ in subschemas if name}


def takes_sentence(path: tuple[Any, ...], definitions: set[str]) -> bool:
    """Return whether a place takes a sentence with expressions in braces. ``definitions``: the names of the schema's
    definitions for the place.
    """
    is_line_to_remember = path[0] == "remember" and path[-1] == "line"
    return "sentence" in definitions or path in (("told",), ("part",)) or is_line_to_remember


def takes_expression(path: tuple[Any, ...], definitions: set[str]) -> bool:
    """Return whether a place takes an expression. ``definitions``: the names of the schema's definitions for the place.

    Where the schema takes more than an expression, or a key is a number, the path decides.
    """
    is_value_of_item = path[-2:-1] in (("weights",), ("start",))
    return bool(definitions & _EXPRESSIONS) or path[-1] in ("weights", "for", "faces") or is_value_of_item


def key_definition_names(subschemas: NamedSubschemas) -> set[str]:
    """Return the names of the schema's definitions that the keys of a map must match. ``subschemas``: the subschemas
    that apply to the map.
    """
    asked = [subschema["propertyNames"] for _, subschema in subschemas if "propertyNames" in subschema]
    return {each["$ref"].rpartition("/")[2] for each in asked if "$ref" in each}


def addable_keys(data: Any, path: tuple[Any, ...]) -> dict[str, Subschema]:
    """Return the keys that may be added to the map at a path, each with its subschema."""
    here = data
    for step in path:
        here = _item_or_none(here, step)
    present = here if isinstance(here, dict) else {}
    offered: dict[str, Subschema] = {}
    for _, subschema in subschemas_at(_with_value(data, path, present), path):
        for key, said in _keys_under_any_condition(subschema).items():
            if key in present or key in offered:
                continue
            example = next(iter(_subschema_with_description(said).get("examples", [])), "")
            trial = _with_value(data, path, {**present, key: example})
            if any(key in each.get("properties", {}) for _, each in subschemas_at(trial, path)):
                offered[key] = _subschema_with_description(said)
    return offered


def first_described_subschema(subschemas: NamedSubschemas) -> Subschema:
    """Return the first of the subschemas that has a description; an empty subschema if none has one."""
    return next((subschema for _, subschema in subschemas if "description" in subschema), {})


def enumerated_values(subschemas: NamedSubschemas) -> list[Any]:
    """Return the values that the schema lists for a place; empty if it lists none."""
    values = [
        value
        for _, subschema in subschemas
        for value in subschema.get("enum", [subschema[k] for k in ("const",) if k in subschema])
    ]
    flags = any("boolean" in _type_names(subschema) for _, subschema in subschemas)
    return [*values, *((True, False) if flags else ())]


def allows_map(subschemas: NamedSubschemas) -> bool:
    """Return whether a map is allowed at a place."""
    return any("object" in _type_names(subschema) for _, subschema in subschemas)


def _type_names(subschema: Subschema) -> list[str]:
    kind = subschema.get("type", [])
    return [kind] if isinstance(kind, str) else kind


def _item_or_none(data: Any, key: Any) -> Any:
    try:
        return data[key]
    except (KeyError, IndexError, TypeError):
        return None


def _with_value(data: Any, path: tuple[Any, ...], value: Any) -> Any:
    """Return a copy of the data in which the value at a path is ``value``."""
    if not path:
        return value
    inner = _with_value(_item_or_none(data, path[0]), path[1:], value)
    if isinstance(path[0], int):
        items = list(data) if isinstance(data, list) else []
        return [*items[: path[0]], inner, *items[path[0] + 1 :]]
    return {**(data if isinstance(data, dict) else {}), path[0]: inner}


def _child_subschemas(subschema: Subschema, key_or_index: Any) -> Iterator[Subschema]:
    """Yield the subschemas for the key or the index ``key_or_index`` of a subschema."""
    if isinstance(key_or_index, int):
        items = subschema.get("items")
        items = items[key_or_index : key_or_index + 1] if isinstance(items, list) else [items]
        yield from (each for each in items if each)
    elif key_or_index in subschema.get("properties", {}):
        yield subschema["properties"][key_or_index]
    elif isinstance(subschema.get("additionalProperties"), dict):
        yield subschema["additionalProperties"]


def _resolve_references(definition_name: str, subschema: Subschema, data: Any) -> Iterator[tuple[str, Subschema]]:
    """Yield a subschema and all subschemas to which it refers, each with the name of its definition; empty if it has
    none.

    ``definition_name``: the name of the definition of ``subschema``. Of a conditional subschema, only the branch that
    applies to ``data`` is yielded.
    """
    yield definition_name, subschema
    if "$ref" in subschema:
        definition_name = subschema["$ref"].rpartition("/")[2]
        yield from _resolve_references(definition_name, ruleset_schema()["definitions"][definition_name], data)
    if "if" in subschema:
        branch = "then" if _condition_validator(id(subschema["if"])).is_valid(data) else "else"
        yield from _resolve_references("", subschema.get(branch, {}), data)
    for each in (*subschema.get("allOf", ()), *subschema.get("oneOf", ())):
        yield from _resolve_references("", each, data)


@cache
def _condition_validator(condition_id: int) -> Draft7Validator:
    """Return the validator of a condition of the schema. ``condition_id``: the ``id`` of the condition, which stays the
    same because the schema is read only once.
    """
    return Draft7Validator(next(each for each in _find_conditions(ruleset_schema()) if id(each) == condition_id))


def _find_conditions(schema_part: Any) -> Iterator[Subschema]:
    """Yield every condition in a part of the schema."""
    inner = (
        schema_part.values() if isinstance(schema_part, dict) else schema_part if isinstance(schema_part, list) else ()
    )
    if isinstance(schema_part, dict) and "if" in schema_part:
        yield schema_part["if"]
    for each in inner:
        yield from _find_conditions(each)


def _keys_under_any_condition(subschema: Subschema) -> dict[str, Subschema]:
    """Return the keys that a subschema allows under any condition, each with the subschema for its value."""
    found: dict[str, Subschema] = {}
    if "$ref" in subschema:
        found |= _keys_under_any_condition(ruleset_schema()["definitions"][subschema["$ref"].rpartition("/")[2]])
    for branch in {"then", "else"} & subschema.keys():
        found |= _keys_under_any_condition(subschema[branch])
    return {**found, **subschema.get("properties", {})}


def _subschema_with_description(subschema: Subschema) -> Subschema:
    """Return a subschema; if it has no description, the subschema to which it refers."""
    if "description" not in subschema and "$ref" in subschema:
        return _subschema_with_description(ruleset_schema()["definitions"][subschema["$ref"].rpartition("/")[2]])
    return subschema
