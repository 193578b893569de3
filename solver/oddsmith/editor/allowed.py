"""The keys and values that the schema allows at a place, with their descriptions.

A *piece* is a part of the schema. A place is described by all pieces that apply to it, each with the name of its
definition in the schema. If the schema has conditions, the keys that the text already has decide which pieces apply.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from jsonschema import Draft7Validator

from oddsmith.ruleset.reading import schema

Piece = dict[str, Any]
Pieces = list[tuple[str, Piece]]


def pieces_at(data: Any, path: tuple[Any, ...], known: dict[tuple[Any, ...], Pieces] | None = None) -> Pieces:
    """Return the pieces of the schema that apply to the value at a path. ``data``: the whole text as plain data.

    ``known``: the pieces found so far in the same data, by path. New ones are added to it.
    """
    known = {} if known is None else known
    if () not in known:
        known[()] = list(_resolve_references("", schema(), data))
    for length, step in enumerate(path, 1):
        data, here, above = _item_at(data, step), path[:length], known[path[: length - 1]]
        if here not in known:
            below = [piece for _, each in above for piece in _child_pieces(each, step)]
            known[here] = [each for piece in below for each in _resolve_references("", piece, data)]
    return known[path]


def definition_names(pieces: Pieces) -> set[str]:
    """Return the names of the schema's definitions to which the pieces belong. Pieces outside a definition have none."""
    return {name for name, _ in pieces if name}


def key_definition_names(found: Pieces) -> set[str]:
    """Return the names of the schema's definitions that the keys of a map must match. ``found``: the pieces that apply
    to the map.
    """
    asked = [piece["propertyNames"] for _, piece in found if "propertyNames" in piece]
    return {each["$ref"].rpartition("/")[2] for each in asked if "$ref" in each}


def keys_at(data: Any, path: tuple[Any, ...]) -> dict[str, Piece]:
    """Return the keys that may be added to the map at a path, each with its piece of the schema."""
    here = data
    for step in path:
        here = _item_at(here, step)
    present = here if isinstance(here, dict) else {}
    offered: dict[str, Piece] = {}
    for _, piece in pieces_at(_with_value(data, path, present), path):
        for key, said in _all_keys(piece).items():
            if key in present or key in offered:
                continue
            example = next(iter(_piece_with_description(said).get("examples", [])), "")
            trial = _with_value(data, path, {**present, key: example})
            if any(key in each.get("properties", {}) for _, each in pieces_at(trial, path)):
                offered[key] = _piece_with_description(said)
    return offered


def first_described_piece(found: Pieces) -> Piece:
    """Return the first of the pieces that has a description; an empty piece if none has one."""
    return next((piece for _, piece in found if "description" in piece), {})


def values_of(found: Pieces) -> list[Any]:
    """Return the values that the schema lists for a place; empty if it lists none."""
    values = [value for _, piece in found for value in piece.get("enum", [piece[k] for k in ("const",) if k in piece])]
    flags = any("boolean" in _type_names(piece) for _, piece in found)
    return [*values, *((True, False) if flags else ())]


def takes_map(found: Pieces) -> bool:
    """Return whether a map is allowed at a place."""
    return any("object" in _type_names(piece) for _, piece in found)


def _type_names(piece: Piece) -> list[str]:
    kind = piece.get("type", [])
    return [kind] if isinstance(kind, str) else kind


def _item_at(data: Any, step: Any) -> Any:
    try:
        return data[step]
    except (KeyError, IndexError, TypeError):
        return None


def _with_value(data: Any, path: tuple[Any, ...], value: Any) -> Any:
    """Return a copy of the data in which the value at a path is ``value``."""
    if not path:
        return value
    inner = _with_value(_item_at(data, path[0]), path[1:], value)
    if isinstance(path[0], int):
        items = list(data) if isinstance(data, list) else []
        return [*items[: path[0]], inner, *items[path[0] + 1 :]]
    return {**(data if isinstance(data, dict) else {}), path[0]: inner}


def _child_pieces(piece: Piece, step: Any) -> Iterator[Piece]:
    """Yield the pieces of the schema for the key or the index ``step`` of a piece."""
    if isinstance(step, int):
        items = piece.get("items")
        items = items[step : step + 1] if isinstance(items, list) else [items]
        yield from (each for each in items if each)
    elif step in piece.get("properties", {}):
        yield piece["properties"][step]
    elif isinstance(piece.get("additionalProperties"), dict):
        yield piece["additionalProperties"]


def _resolve_references(name: str, piece: Piece, data: Any) -> Iterator[tuple[str, Piece]]:
    """Yield a piece and all pieces to which it refers, each with the name of its definition; empty if it has none.

    ``name``: the name of the definition of ``piece``. Of a conditional piece, only the branch that applies to ``data``
    is yielded.
    """
    yield name, piece
    if "$ref" in piece:
        name = piece["$ref"].rpartition("/")[2]
        yield from _resolve_references(name, schema()["definitions"][name], data)
    if "if" in piece:
        branch = "then" if _condition_validator(id(piece["if"])).is_valid(data) else "else"
        yield from _resolve_references("", piece.get(branch, {}), data)
    for each in (*piece.get("allOf", ()), *piece.get("oneOf", ())):
        yield from _resolve_references("", each, data)


@cache
def _condition_validator(number: int) -> Draft7Validator:
    """Return the validator of a condition of the schema. ``number``: the ``id`` of the condition, which stays the same
    because the schema is read only once.
    """
    return Draft7Validator(next(each for each in _find_conditions(schema()) if id(each) == number))


def _find_conditions(part: Any) -> Iterator[Piece]:
    """Yield every condition in a part of the schema."""
    inner = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    if isinstance(part, dict) and "if" in part:
        yield part["if"]
    for each in inner:
        yield from _find_conditions(each)


def _all_keys(piece: Piece) -> dict[str, Piece]:
    """Return the keys that a piece allows under any condition, each with the piece for its value."""
    found: dict[str, Piece] = {}
    if "$ref" in piece:
        found |= _all_keys(schema()["definitions"][piece["$ref"].rpartition("/")[2]])
    for branch in {"then", "else"} & piece.keys():
        found |= _all_keys(piece[branch])
    return {**found, **piece.get("properties", {})}


def _piece_with_description(piece: Piece) -> Piece:
    """Return a piece; if it has no description, the piece to which it refers."""
    if "description" not in piece and "$ref" in piece:
        return _piece_with_description(schema()["definitions"][piece["$ref"].rpartition("/")[2]])
    return piece
