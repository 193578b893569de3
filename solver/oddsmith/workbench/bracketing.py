"""Where a number changes its sign over whole values of a parameter, by solving the game at some of them.

Few values are all solved. Of many, some are solved that lie evenly; then every stretch between two of them whose signs differ
is halved until they are neighbours. What is not looked at may hold further changes of sign, and the answer says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from oddsmith.exact import Number, brief

WHOLE = 40  # values up to which all are solved
STRETCHES = 8  # into which more are divided at first


@dataclass(frozen=True, repr=False)
class Tried:
    """A value of the parameter that was solved. ``reached``: what the game has there of what is wanted; ``off``: by how much
    that misses it, 0 where it is met. Both are None where ``problem`` says why.
    """

    value: int
    reached: Number | None
    off: Number | None
    problem: str = ""

    def __repr__(self) -> str:
        return brief(self, f"{self.value}: {self.problem if self.reached is None else self.reached.brief}")

    @property
    def side(self) -> int | None:
        """-1 below what is wanted, 1 above, 0 where it is met or cannot be told from it; None without an answer."""
        if self.off is None:
            return None
        return (self.off.lower > 0) - (self.off.upper < 0)

    def to_json(self, places: int = 12) -> dict[str, Any]:
        """The value for machines."""
        numbers = {"reached": self.reached, "off": self.off}
        told = {name: None if number is None else number.to_json(places) for name, number in numbers.items()}
        return {"value": self.value, **told, "problem": self.problem}


Solve = Callable[[Sequence[int]], list[Tried]]
"""Tries several values at once."""


def first_of(values: Sequence[int], every: bool) -> list[int]:
    """The values that are solved first, of ``values``, which ascend. ``every``: all, however many there are."""
    return [values[place] for place in _first(len(values), every)]


def bracketed(values: Sequence[int], solve: Solve, every: bool, signed: bool) -> list[Tried]:
    """The values that were solved, ascending.

    ``signed``: whether misses have a sign; if they have none, the search goes on around the least.
    """
    known: dict[int, Tried] = {}
    wanted = _first(len(values), every)
    while wanted:
        known.update(zip(wanted, solve([values[place] for place in wanted]), strict=True))
        wanted = sorted(set(_next(known, signed)))
    return [known[place] for place in sorted(known)]


def _first(count: int, every: bool) -> list[int]:
    """The places that are looked at first."""
    if every or count <= WHOLE:
        return list(range(count))
    return sorted({(count - 1) * part // STRETCHES for part in range(STRETCHES + 1)})


def _next(known: dict[int, Tried], signed: bool) -> Iterator[int]:
    """The places to be looked at next: the middle of every stretch that may hold an answer."""
    places = sorted(place for place, tried in known.items() if tried.side is not None)
    least = min(places, key=lambda place: size(known[place]), default=None)
    for low, high in pairwise(places):
        one, two = known[low].side, known[high].side
        if one and two and one != two if signed else least in (low, high):
            unknown = [place for place in range(low + 1, high) if place not in known]
            if unknown:
                yield min(unknown, key=lambda place: abs(2 * place - low - high))


def crossings(tried: Sequence[Tried]) -> list[tuple[Tried, Tried]]:
    """Where the goal is met: a value twice where it is met there, or the two between which the sign changes."""
    solved = [each for each in tried if each.side is not None]
    found = [(each, each) for each in solved if each.side == 0]
    found += [(one, two) for one, two in pairwise(solved) if one.side and two.side and one.side != two.side]
    return sorted(found, key=lambda pair: pair[0].value)


def nearest(tried: Sequence[Tried]) -> Tried | None:
    """The value that misses least."""
    return min((each for each in tried if each.off is not None), key=size, default=None)


def size(tried: Tried) -> Any:
    """How far a value is off, to compare."""
    assert tried.off is not None
    return abs(tried.off.middle)
