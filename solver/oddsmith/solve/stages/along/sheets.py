"""How a number of a game is distributed where a turn is the same on every sheet: mass flows through turns, sheet by sheet.

Sheets are the states of a chain, and turns its transitions. They are never in memory together: of one layer at a time every
sheet has its mass for each sum so far, and what turns on it lead to is worked out when that flows on.

Masses are floats, and nothing is ever subtracted: see ``FloatLaw`` for what that proves. It fails only for numbers smaller
than floats of full precision can be. An operation then loses less than 2^-1000, and all of them together less than ``TINY``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from math import gcd

import numpy as np
from scipy.sparse import csr_matrix

from oddsmith.arrays import Ints, arange
from oddsmith.errors import MeasureError, RulesetError
from oddsmith.exact import Number
from oddsmith.graph import different
from oddsmith.graph.columns import ROLLED
from oddsmith.progress import Progress, silent
from oddsmith.sharing import Alone, Share, completed
from oddsmith.solve.questions import FloatLaw, Listed, Summed
from oddsmith.solve.stages import Staged, Turnwise
from oddsmith.solve.stages.along.parts import Along, Entry
from oddsmith.solve.stages.along.turning import (
    WIDE,
    Adds,
    Floats,
    Leaving,
    OnTheWay,
    Some,
    Turns,
    follow,
    same,
    turns_of,
)

TOTALS = 20_000  # how large a sum may be, in its units
SHEETS = 1 << 13  # whose turns are followed together
FULL = -1000  # binary exponent down to which floats have their full precision, and to spare
TINY = Fraction(1, 1 << 900)


class _Masses:
    """Masses of rows by sums, which may begin below 0: shape (rows, sums)."""

    def __init__(self, rows: int) -> None:
        self.x, self.first = np.zeros((rows, 0)), 0
        self.added = np.zeros(rows, dtype=np.int64)

    def widen(self, first: int, end: int) -> None:
        """Make room for sums from ``first`` on, before ``end``."""
        if not self.x.shape[1]:
            self.first = first
        before, after = max(0, self.first - first), max(0, end - self.first - self.x.shape[1])
        if before or after:
            self.x = np.pad(self.x, ((0, 0), (before, after)))
            self.first -= before

    def add(self, rows: Ints, first: int, x: Floats) -> None:
        """Add to some rows, each once, masses of sums from ``first`` on, for which there is room."""
        self.x[rows, first - self.first : first - self.first + x.shape[1]] += x


@dataclass(frozen=True, eq=False)
class Flow:
    """What flowed to the end: ``mass`` by sum. ``roundings``: how many a way passes at most. ``lost``: as in ``FloatLaw``."""

    mass: dict[int, Fraction]
    roundings: int
    lost: Fraction


def flow(course: Turnwise, turns: Turns, share: Share, tell: Progress) -> Flow:
    """What flows along best play from the first sheet to the end. Raises OnTheWay."""
    seats, done, roundings, smallest, numbered = course.seats, 0, 0, turns.least, turns.other is not None
    masses, ended, step = _Masses(seats), dict[int, Fraction](), min(SHEETS, course.step)
    masses.widen(0, 1)
    masses.add(arange(1), 0, np.ones((1, 1)))
    for number, layer in enumerate(course.sheets.layers):
        keys, (later, radius, _) = layer.keys.filled, course.later(number)
        after = _Masses(seats * later.keys.shape[1] if later else 0)
        sheets = np.flatnonzero(masses.x.any(axis=1).reshape(-1, seats).any(axis=1))
        parts = [sheets[first : first + step] for first in range(0, len(sheets), step)]
        tasks = [(turns, keys[:, part], later, radius, part) for part in parts]
        least, merged = float(masses.x[masses.x > 0].min(initial=1)), 1
        for part, leaving in _in_order(completed(share, follow, tasks), parts):
            merged = max(merged, leaving.merged + _carry(masses, part, leaving, seats, after, ended, numbered))
            smallest = min(smallest, least * float(leaving.chance.min(initial=1)))
            done += len(part)
            tell("following play", done, course.sheets.count)
        done = sum(each.count for each in course.sheets.layers[: number + 1])  # play comes to some of the sheets only
        roundings += turns.roundings + merged + int(after.added.max(initial=0)) + 2
        course.records.drop(number + 1)
        masses = after
    lost = Fraction(0) if smallest > 2.0**FULL else TINY
    return Flow(ended, roundings, lost)


def _in_order(found: Iterator[tuple[Some, Leaving]], parts: Sequence[Ints]) -> Iterator[tuple[Ints, Leaving]]:
    """What was found for each part, in their order, so that sums are the same however many share the work."""
    early = dict[int, Leaving]()
    for part in parts:
        while int(part[0]) not in early:
            (*_, other), leaving = next(found)
            early[int(other[0])] = leaving
        yield part, early.pop(int(part[0]))


def _carry(
    masses: _Masses,
    sheets: Ints,
    leaving: Leaving,
    seats: int,
    after: _Masses,
    ended: dict[int, Fraction],
    numbered: bool,
) -> int:
    """Let the masses of some sheets flow on; of how many numbers a mass that ends is the sum at most.

    ``numbered``: what is added tells what is paid, and stands with the mover for a sum.
    """
    most = 0
    for mover in range(seats):
        held = masses.x[sheets * seats + mover]
        if not held.any() or not len(leaving.code):
            continue
        steps = [0 if numbered else Adds.by(code, mover) for code in different(leaving.code).tolist()]
        after.widen(masses.first + min(steps), masses.first + max(steps) + held.shape[1])
        for step, (code, some) in zip(steps, _by_code(leaving.code), strict=True):
            first = masses.first + step
            landing, source, chance = leaving.landing[some], leaving.sheet[some], leaving.chance[some]
            over = landing < 0
            if over.any():
                most = max(most, int(over.sum()))
                begin = code * seats + mover if numbered else first
                for total, mass in enumerate((chance[over] @ held[source[over]]).tolist(), begin):
                    if mass:
                        ended[total] = ended.get(total, Fraction(0)) + Fraction(mass)
            landing, source, chance = landing[~over], source[~over], chance[~over]
            rows = landing - landing % seats + (landing % seats + mover) % seats
            rows, place, adds = np.unique(rows, return_inverse=True, return_counts=True)
            if len(rows):
                moves = csr_matrix((chance, (place.reshape(-1), source)), shape=(len(rows), len(sheets)))
                after.add(rows, first, np.asarray(moves @ held))
                after.added[rows] += adds + 1
    return most


def _by_code(code: Ints) -> Iterator[tuple[int, Ints]]:
    """Each of some numbers, with its places."""
    order = np.argsort(code, kind="stable")
    found, starts = np.unique(code[order], return_index=True)
    return zip(found.tolist(), np.split(order, starts[1:]), strict=True)


# --- what is asked


def listed(
    staged: Staged, asked: Summed, given: Entry | None, report: Progress | None = None, share: Share | None = None
) -> Listed | None:
    """The law of a sum along best play, by turns; None where they do not tell it.

    Raises NotKeptError and SolveError.
    """
    course, own = staged.course, staged.game.ruleset.payoffs[staged.objective]
    if not isinstance(course, Turnwise) or course.sheets.back:
        return None
    watch = [entry for entry in (asked.entry, given) if entry]
    if watch:
        course = Turnwise(course.turn.watching(watch), course.sheets, course.records, None, course.share)
    tell, share = report or silent, share or Alone()
    if asked.payoff not in {None, own}:
        with suppress(OnTheWay):
            return _at_end(staged, course, asked, given, tell)
        return None
    units, scale = _units(course, asked)
    size = np.abs(units).max(axis=1) if asked.payoff else np.ones(len(units), dtype=np.int64)
    within = int(size[course.turn.graph.payoff].max()) * len(course.inner.layers)
    most = (within + int(size.max())) * len(course.sheets.layers)
    if most > TOTALS:
        return None
    flows = [flow(course, turns_of(course, adds), share, tell) for adds in _adds(course, asked, given, units)]
    laws = [FloatLaw(each.mass, each.roundings, each.lost, partial=place > 0) for place, each in enumerate(flows)]
    mean = None if asked.payoff is None else _worth(staged, course, asked.seat or 0) * scale
    return Listed(laws, scale, mean, most)


def _worth(staged: Staged, course: Turnwise, seat: int) -> Number:
    """What the play that is followed is worth to a seat (from 0).

    That is the value, but where two actions are not told apart. The one that is taken is then no more than ``near`` units from
    the other as both are known, and each is known to half of that. A way through a turn has a decision for each layer, and
    one at the border.
    """
    value, near = staged.values[seat], 2 * (course.later(0)[1] + course.inner.radius)
    decisions = len(course.sheets.layers) * (len(course.inner.layers) + 1)
    lost = Fraction(2 * near * decisions if staged.undecided else 0, 1 << course.point.places)
    return Number(value.lower - lost, value.upper + lost)


def _at_end(staged: Staged, course: Turnwise, asked: Summed, given: Entry | None, tell: Progress) -> Listed | None:
    """The law of another payoff, which may be paid at the end alone and has to tell the same positions apart."""
    own = course.turn.explorer
    try:
        explorer = Along(staged, asked.payoff).explorer
    except (MeasureError, RulesetError):  # whoever follows positions tells why
        return None
    alike = same(explorer.start, own.start) and explorer.codec.left_out == own.codec.left_out
    if not alike or explorer.around(course.turn.graph.keys)[0].payoff.any():
        return None
    flows, nothing = list[Flow](), np.zeros((len(own.edges.payoffs), course.seats), dtype=np.int64)
    for adds in _adds(course, replace(asked, payoff=staged.game.ruleset.payoffs[staged.objective]), given, nothing):
        turns = replace(turns_of(course, adds), other=replace(course.turn, explorer=explorer))
        flows.append(flow(course, turns, Alone(), tell))  # numbers of payoffs mean something in this process alone
    units, scale = explorer.payoffs
    laws, seat = list[FloatLaw](), asked.seat or 0
    for place, each in enumerate(flows):
        mass = dict[int, Fraction]()
        for number, chance in each.mass.items():
            paid, mover = divmod(number, course.seats)
            total = units[paid][(seat - mover) % course.seats]
            mass[total] = mass.get(total, Fraction(0)) + chance
        laws.append(FloatLaw(mass, each.roundings, each.lost, partial=place > 0))
    return Listed(laws, Fraction(scale), None, max(abs(unit) for kind in units for unit in kind))


def _units(course: Turnwise, asked: Summed) -> tuple[Ints, Fraction]:
    """What payoffs bring the seat that is asked about, by who is to move, shape (payoffs, seats); how many make a whole."""
    units, scale = course.turn.explorer.payoffs
    if asked.payoff is None:
        return np.zeros((len(units), course.seats), dtype=np.int64), Fraction(1)
    common, seats = gcd(*(unit for kind in units for unit in kind)) or 1, range(course.seats)
    seat = asked.seat or 0
    brought = [[kind[(seat - mover) % course.seats] // common for mover in seats] for kind in units]
    return np.array(brought, dtype=np.int64), Fraction(scale, common)


def _adds(course: Turnwise, asked: Summed, given: Entry | None, units: Ints) -> list[Adds]:
    """What transitions add: in all plays, and under a condition in those that do not meet it."""
    seats, watched = range(course.seats), course.turn.explorer.watched
    one = sum(1 << WIDE * mover for mover in seats if asked.seat in {None, mover})
    paid = (units << WIDE * arange(course.seats)).sum(axis=1)
    mark = watched[asked.entry] if asked.entry else ROLLED if asked.rolls else 0
    turn = one if asked.payoff is None and not mark else 0
    avoided = [0, *([watched[given]] if given else [])]
    return [Adds(paid, mark, one if mark else 0, turn, avoid) for avoid in avoided]
