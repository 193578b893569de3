"""Certificates taken apart and put together again, with a checksum that fits: what a careful forger would write."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

Record = dict[str, Any]
Way = tuple[str | int, ...]
LONG = {"values", "over", "unit", "residual"}  # keys whose numbers are text in base 16


def records_of(data: bytes) -> list[Record]:
    """The header and the states."""
    return [json.loads(line) for line in data.splitlines()[:-1]]


def certificate_of(records: list[Record]) -> bytes:
    """The inverse of :func:`records_of`."""
    text = b"".join(json.dumps(record).encode() + b"\n" for record in records)
    return text + json.dumps({"sha256": hashlib.sha256(text).hexdigest()}).encode() + b"\n"


def numbers_in(thing: Any, way: Way = ()) -> Iterator[Way]:
    """The way to every number of a record, by keys and places."""
    if isinstance(thing, dict):
        for key, value in thing.items():
            yield from numbers_in(value, (*way, key))
    elif isinstance(thing, list):
        for place, value in enumerate(thing):
            yield from numbers_in(value, (*way, place))
    elif (isinstance(thing, int) and not isinstance(thing, bool)) or (way[0] in LONG and isinstance(thing, str)):
        yield way


def changed(record: Record, way: Way, by: int) -> Record:
    """A copy of a record with one number changed."""
    copy: Record = json.loads(json.dumps(record))
    holder: Any = copy
    for step in way[:-1]:
        holder = holder[step]
    value = holder[way[-1]]
    holder[way[-1]] = value + by if isinstance(value, int) else f"{int(value, 16) + by:x}"
    return copy
