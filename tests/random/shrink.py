"""Makes the data of a failing ruleset smaller while it fails in the same way."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

from tests.random.text import Data

_SENTENCE = re.compile(r"(set \S+ to|add|let \w+ be|move) (.+?)((?: from .*)?(?: to \S+)?)")


def shrunk(data: Data, fails: Callable[[Data], bool], tries: int = 10_000) -> Data:
    """The smallest that taking away one thing after the other comes to in so many tries, the largest first."""
    before = None
    while data != before:
        before = data
        for path in sorted(_paths(data), key=lambda path: -len(str(_at(data, path)))):
            if not _is_there(data, path):
                continue
            for new in (None, *_simpler(_at(data, path))):
                candidate, tries = _changed(data, path, new), tries - 1
                if tries < 0:
                    return data
                if fails(candidate):
                    data = candidate
                    break
    return data


def _paths(data: Data, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        yield (*path, key)
        yield from _paths(value, (*path, key))


def _simpler(old: Data) -> list[Data]:
    """What could stand in its place."""
    if isinstance(old, dict):
        return [old[key] for key in ("do", "else") if key in old and ("if" in old or "for" in old)]
    if isinstance(old, list):
        return old if len(old) == 1 else []
    if isinstance(old, str):
        match = _SENTENCE.fullmatch(old)
        if match and match[2] not in ("0", "1"):
            return [f"{match[1]} {number}{match[3]}" for number in ("0", "1")]
        if " " in old and not match:
            return ["0 == 0", "0", "1", *re.findall(r"\(([^()]*)\)", old)]
    return [1, 2] if isinstance(old, int) and not isinstance(old, bool) and old > 2 else []


def _is_there(data: Data, path: tuple[Any, ...]) -> bool:
    for key in path:
        there = key in data if isinstance(data, dict) else isinstance(data, list) and key in range(len(data))
        if not there:
            return False
        data = data[key]
    return True


def _at(data: Data, path: tuple[Any, ...]) -> Data:
    for key in path:
        data = data[key]
    return data


def _changed(data: Data, path: tuple[Any, ...], new: Data) -> Data:
    """A copy with another value at a path, or (None) without it."""
    found = deepcopy(data)
    inner = _at(found, path[:-1])
    if new is None:
        del inner[path[-1]]
    else:
        inner[path[-1]] = deepcopy(new)
    return found
