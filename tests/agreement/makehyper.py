"""What GNU Backgammon's ``makehyper`` says of Hypergammon: backgammon with one to three checkers each, without a cube.

``makehyper -n -c CHECKERS -t THRESHOLD -f FILE.bd`` writes a file. ``python -m tests.agreement.makehyper FILE.bd ...`` reads
them and writes some positions to ``hypergammon.csv`` for the tests. Those that are kept come from makehyper 1.07.001, as
Debian has it: one checker with a threshold of 1e-9, two with 5e-7.

The format, by makehyper.c and bearoff.c: a head of 40 bytes, then 28 bytes for each pair of sides, the one on roll first.
These begin with five chances of three bytes each, cut off to so many parts of 0xFFFFFF: to win, to win a gammon or more, to
win a backgammon, to lose a gammon or more, to lose a backgammon. They belong to the play that brings most points, where a
gammon counts two and a backgammon three.
"""

from __future__ import annotations

import csv
import random
import sys
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from math import comb
from pathlib import Path

KEPT = Path(__file__).with_name("hypergammon.csv")
HEAD, EACH, WHOLE = 40, 28, 0xFFFFFF
BAR, SAMPLE = 25, 400  # positions of a file that are kept, unless there are fewer

Side = tuple[int, ...]
"""The points of one side's checkers as it counts them, the rearmost first: 25 is the bar, 0 is off the board."""


@dataclass(frozen=True)
class Hypergammon:
    """A file of makehyper."""

    data: bytes

    @property
    def checkers(self) -> int:
        """Of each side."""
        return int(chr(self.data[7]))

    def points(self, mine: Side, other: Side) -> float:
        """What the side on roll gets on average."""
        count = comb(BAR + self.checkers, self.checkers)
        at = HEAD + EACH * (number(mine) * count + number(other))
        win, gammon, backgammon, lost, lost_more = (
            int.from_bytes(self.data[at + 3 * k : at + 3 * k + 3], "little") / WHOLE for k in range(5)
        )
        return 2 * win - 1 + gammon + backgammon - lost - lost_more


def number(side: Side) -> int:
    """The number of a side, as PositionBearoff counts: by which of so many marks are set, each empty point being one."""
    marks, place = set[int](), BAR - 1 + sum(point > 0 for point in side)
    for point in range(BAR):
        marks.add(place)
        place -= side.count(point + 1) + 1
    return _among(frozenset(marks), BAR + len(side), BAR)


@cache
def _among(marks: frozenset[int], places: int, set_: int) -> int:
    if places == set_:
        return 0
    if places - 1 in marks:
        return comb(places - 1, set_) + _among(marks, places - 1, set_ - 1)
    return _among(marks, places - 1, set_)


def kept() -> dict[tuple[Side, Side], float]:
    """The positions that are kept, and what the side on roll gets."""
    with KEPT.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))[1:]
    return {(_side(mine), _side(other)): float(points) for mine, other, points in rows}


def _side(text: str) -> Side:
    return tuple(map(int, text.split()))


def main() -> None:
    """Write the positions."""
    rows = list[tuple[str, str, str]]()
    for name in sys.argv[1:]:
        found = Hypergammon(Path(name).read_bytes())
        sides = [side for side in combinations_with_replacement(range(BAR, -1, -1), found.checkers) if any(side)]
        pairs = [
            (mine, other)
            for mine in sides
            for other in sides
            if not any(BAR - point in other for point in mine if point % BAR)
        ]
        for mine, other in sorted(
            random.Random(1).sample(  # noqa: S311 - nothing is secret
                pairs, min(SAMPLE, len(pairs))
            )
        ):
            rows.append((" ".join(map(str, mine)), " ".join(map(str, other)), f"{found.points(mine, other):.9f}"))
    with KEPT.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([("mine", "other", "points"), *rows])


if __name__ == "__main__":
    main()
