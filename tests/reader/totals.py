"""Totals of rolls in the few words in which games of the suite write them, thrown face by face."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any


def total(told: Mapping[str, Any]) -> dict[int, Fraction]:
    """The chance of each total of ``{total: WORDS, most: NUMBER}``; LookupError for words not known here."""
    words, most = str(told["total"]), told.get("most")
    for pattern, throws in _WORDS.items():
        match = re.fullmatch(pattern, words)
        if match is not None:
            found: defaultdict[int, Fraction] = defaultdict(Fraction)
            for value, share in throws(*map(int, match.groups()), *([most] if most is not None else [])):
                found[value if most is None else min(value, most)] += share
            return dict(found)
    raise LookupError(words)


def _lowest_dropped(count: int, size: int) -> Iterator[tuple[int, Fraction]]:
    for fall in product(range(1, size + 1), repeat=count):
        yield sum(fall) - min(fall), Fraction(1, size**count)


def _counted(least: int, count: int, size: int) -> Iterator[tuple[int, Fraction]]:
    for fall in product(range(1, size + 1), repeat=count):
        yield sum(face >= least for face in fall), Fraction(1, size**count)


def _exploding(count: int, size: int, most: int) -> Iterator[tuple[int, Fraction]]:
    """Throw die after die, and a die that shows its highest face again, until nothing changes what is counted."""
    lying = [(count, 0, Fraction(1))]
    while lying:
        left, so_far, share = lying.pop()
        if not left or so_far >= most:
            yield so_far, share
            continue
        lying += [(left - (face < size), so_far + face, share / size) for face in range(1, size + 1)]


_WORDS: dict[str, Callable[..., Iterator[tuple[int, Fraction]]]] = {
    r"(\d+)d(\d+) drop lowest": _lowest_dropped,
    r"(\d+)d(\d+) exploding": _exploding,
    r"number of dice showing (\d+) or more in (\d+)d(\d+)": _counted,
}
