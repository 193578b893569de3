"""Tampers with certificates at random: what a forger without a plan would try. The checksum is made to fit."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

from tests.certify.forging import Record, certificate_of, numbers_in, records_of

STRANGE: list[Any] = [
    *(True, False, None, "", "0", "1", "-1", "01", "1.0", "٣", "0x1", "-", [], {}, [[]], "NaN", "\u202e", "x" * 5_000),
    *(0, 1, -1, 2, 3, 1.0, 0.5, -0.0, 1e300, float("nan"), float("inf"), 2**31, 2**53 - 1, 2**53, -(2**53), 2**64, 10**30),
    *("1" * 400, "f" * 5_000, "-" + "7" * 50, "1/2", "1/0", "-3/4", "9" * 5_000),
]  # fmt: skip
Tamper = Callable[[Random, list[Record]], None]


def forged(data: bytes, random: Random) -> bytes:
    """A certificate after one to three changes."""
    records = records_of(data)
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        with suppress(
            TypeError, ValueError, LookupError, AttributeError
        ):  # what the change before left is no certificate
            random.choice(TAMPERS)(random, records)
    return random.choice(LAST)(random, certificate_of(records))


def _way(random: Random, records: list[Record]) -> tuple[Record, Any, Any]:
    """A record, some list or object in it, and a key of that."""
    record = random.choice([records[0], *random.sample(records, min(3, len(records)))])
    holder: Any = record
    while True:
        keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        if not keys:
            return record, record, random.choice(list(record))
        key = random.choice(keys)
        if not isinstance(holder[key], (dict, list)) or random.random() < 0.15:
            return record, holder, key
        holder = holder[key]


def _number(random: Random, records: list[Record]) -> None:
    """A number a little off."""
    record = random.choice(records)
    ways = list(numbers_in(record))
    *way, last = random.choice(ways)
    holder: Any = record
    for step in way:
        holder = holder[step]
    value, by = holder[last], random.choice((1, -1, 2, -2, 16, 1 << 20))
    holder[last] = value + by if isinstance(value, int) else f"{int(value, 16) + by:x}"


def _strange(random: Random, records: list[Record]) -> None:
    """Something else in the place of anything."""
    _, holder, key = _way(random, records)
    holder[key] = random.choice(STRANGE)


def _out(random: Random, records: list[Record]) -> None:
    _, holder, key = _way(random, records)
    del holder[key]


def _twice(random: Random, records: list[Record]) -> None:
    """Something told again, in a list."""
    _, holder, key = _way(random, records)
    if isinstance(holder, list):
        holder.insert(random.randrange(len(holder) + 1), json.loads(json.dumps(holder[key])))


def _swapped(random: Random, records: list[Record]) -> None:
    """Two things of one list in each other's place."""
    _, holder, key = _way(random, records)
    if isinstance(holder, list):
        other = random.randrange(len(holder))
        holder[key], holder[other] = holder[other], holder[key]


def _lent(random: Random, records: list[Record]) -> None:
    """What another state has under this key."""
    one, other = random.choice(records[1:]), random.choice(records[1:])
    key = random.choice(list(other))
    one[key] = json.loads(json.dumps(other[key]))


def _target(random: Random, records: list[Record]) -> None:
    row = random.choice(random.choice(records[1:]).get("rows") or [[0, [[0, 0, 0, 1]]]])
    if isinstance(row, list) and isinstance(row[-1], list) and row[-1] and isinstance(row[-1][0], list):
        random.choice(row[-1])[:1] = [random.randrange(-1, len(records) - 1)]


def _play(random: Random, records: list[Record]) -> None:
    """Another row, or a mixture."""
    state = random.choice(records[1:])
    rows, copies = len(state.get("rows") or []), len(state.get("play") or [])
    if rows < 2 or not copies:
        return
    copy = random.randrange(copies)
    mixed = sorted(random.sample(range(rows), random.randrange(1, rows + 1)))
    state["play"][copy] = mixed[0] if len(mixed) == 1 else [[row, f"{random.randrange(1, 4):x}"] for row in mixed]
    if len(mixed) > 1:
        records[0]["kind"] = "mixed"


def _exchanged(random: Random, records: list[Record]) -> None:
    """Two states in each other's place, and all that leads there, too: as true as before, but for the start."""
    one, other = (random.randrange(1, len(records)) for _ in range(2))
    records[one], records[other] = records[other], records[one]
    turned = {one - 1: other - 1, other - 1: one - 1}
    for state in records[1:]:
        for row in state.get("rows") or []:
            if isinstance(row, list) and isinstance(row[-1], list):
                for each in row[-1]:
                    if isinstance(each, list) and each and type(each[0]) is int:
                        each[0] = turned.get(each[0], each[0])


def _merged(random: Random, records: list[Record]) -> None:
    """A state is taken out, and another takes its visitors."""
    gone = random.randrange(1, len(records))
    kept = random.randrange(1, len(records))
    for state in records[1:]:
        for row in state.get("rows") or []:
            if isinstance(row, list) and isinstance(row[-1], list):
                for each in row[-1]:
                    if isinstance(each, list) and each and type(each[0]) is int:
                        each[0] = kept - 1 if each[0] == gone - 1 else each[0]
                        each[0] -= each[0] >= gone
    if len(records) > 2:
        del records[gone]
        _resized(records)


def _grown(random: Random, records: list[Record]) -> None:
    """A state more, like another."""
    records.append(json.loads(json.dumps(random.choice(records[1:]))))
    _resized(records)


def _resized(records: list[Record]) -> None:
    """As many states in the header as there are, and in the last stage."""
    head, states = records[0], len(records) - 1
    if isinstance(head.get("stages"), list) and isinstance(head.get("states"), int):
        head["stages"][-1][0] += states - head["states"]
    head["states"] = states


def _shifted(random: Random, records: list[Record]) -> None:
    """All values of a seat are so much higher; in cycles much follows from itself."""
    for state in records[1:]:
        for values, over in zip(state.get("values") or [], state.get("over") or [], strict=False):
            if isinstance(values, list) and values and isinstance(values[0], str) and isinstance(over, str):
                values[0] = f"{_read(values[0]) + _read(over):x}"


def _scaled(random: Random, records: list[Record]) -> None:
    """Another unit for all numbers of a kind."""
    key = random.choice(("unit", "residual", "grain", "scale"))
    old, times = records[0].get(key), random.choice((2, 3, 1_000_000))
    records[0][key] = f"{_read(old) * times + random.randrange(2):x}" if isinstance(old, str) else times


def _step(random: Random, records: list[Record]) -> None:
    """A made-up step from positions to states."""
    cells = [str(cell) for cell in records[0].get("cells") or ["x"]]
    phases = [str(state.get("phase")) for state in records[1:]]
    picked = random.sample(cells, random.randrange(1, len(cells) + 1))
    step = random.choice(
        (
            {"step": "forgotten", "phases": {random.choice(phases): picked}},
            {"step": "carried", "cells": [[cell, ["0"] * random.randrange(1, 4)] for cell in picked]},
            {"step": "alike", "families": [[[cell] for cell in picked]]},
        )
    )
    steps = records[0].get("canonical")
    if isinstance(steps, list):
        steps[1:] = random.choice(([step], [*steps[1:], step], [step, *steps[1:]]))


def _staged(random: Random, records: list[Record]) -> None:
    """Other stages than there are, each of which leads where its states do, or not quite."""
    states, stages = len(records) - 1, list[list[int]]()
    while states > 0:
        stages.append([random.randrange(1, states + 1), random.choice((0, 0, random.randrange(len(records))))])
        states -= stages[-1][0]
    records[0]["stages"] = stages


def _read(text: str) -> int:
    try:
        return int(text, 16)
    except ValueError:
        return 0


TAMPERS: list[Tamper] = [
    *(_number, _number, _strange, _strange, _out, _twice, _swapped, _lent, _target, _play, _play),
    *(_exchanged, _merged, _grown, _shifted, _scaled, _step, _step, _staged),
]
LAST: list[Callable[[Random, bytes], bytes]] = [
    *[lambda random, data: data] * 12,
    lambda random, data: gzip.compress(data, mtime=0),
    lambda random, data: data[: random.randrange(len(data))],
    lambda random, data: data.replace(b"\n", b"\r\n", random.randrange(3)),
    lambda random, data: data.replace(b"[", b"[" * random.choice((3, 900, 100_000)), 1),
    lambda random, data: gzip.compress(data.replace(b"}\n", b"}" + b" " * (1 << 20) + b"\n", 1), mtime=0),
    lambda random, data: b"\xef\xbb\xbf" + data,
]
