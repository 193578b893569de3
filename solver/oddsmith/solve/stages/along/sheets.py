"""What is asked of the law of a sum where a turn is the same on every sheet: it flows from sheet to sheet, see ``flowing``."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from math import ceil, gcd

import numpy as np

from oddsmith.arrays import Ints, arange
from oddsmith.errors import RulesetError
from oddsmith.exact import Number
from oddsmith.graph.columns import ROLLED
from oddsmith.progress import Progress, silent
from oddsmith.sharing import Alone, Share
from oddsmith.solve.questions import FloatLaw, Listed, Summed
from oddsmith.solve.stages import Staged, Turnwise
from oddsmith.solve.stages.along.flowing import Flow, Slow, flow
from oddsmith.solve.stages.along.parts import Along, Entry
from oddsmith.solve.stages.along.turning import WIDE, Adds, OnTheWay, same, turns_of

TOTALS = 20_000  # how large a sum may be, in its units
MOST = 10_000_000  # positions that best play may come to, where they are followed together


def listed(
    staged: Staged, asked: Summed, given: Entry | None, report: Progress | None = None, share: Share | None = None
) -> Listed | None:
    """The law of a sum along best play, by turns; None where they do not tell it.

    Raises NotKeptError and SolveError.
    """
    course, own = staged.course, staged.game.ruleset.payoffs[staged.objective]
    if not isinstance(course, Turnwise) or (course.sheets.back and staged.states <= MOST):
        return None
    watch = [entry for entry in (asked.entry, given) if entry]
    if watch:
        course = type(course)(course.turn.watching(watch), course.sheets, course.records, None, course.share)
    with suppress(OnTheWay, Slow):
        if asked.payoff not in {None, own}:
            return _at_end(staged, course, asked, given, report or silent)
        return _along(staged, course, asked, given, report or silent, share or Alone())
    return None


def _along(
    staged: Staged, course: Turnwise, asked: Summed, given: Entry | None, tell: Progress, share: Share
) -> Listed | None:
    """The law of what is paid or counted on the way."""
    units, scale = _units(course, asked)
    size = np.abs(units).max(axis=1) if asked.payoff else np.ones(len(units), dtype=np.int64)
    of_turn = int(size[course.turn.graph.payoff].max()) * len(course.inner.layers) + int(size.max())
    most = of_turn * len(course.sheets.layers)
    if most > TOTALS and not course.sheets.back:
        return None
    flows = [flow(course, turns_of(course, adds), share, tell) for adds in _adds(course, asked, given, units)]
    if course.sheets.back:  # what plays that were lost had then, and what more they may bring: see ``powers``
        most = max(each.reached + of_turn * (ceil(2 * each.turns) + 1) for each in flows)
    laws = [FloatLaw(each.mass, each.roundings, each.lost, partial=place > 0) for place, each in enumerate(flows)]
    mean = _worth(staged, course, asked.seat or 0, flows[0]) * scale if asked.payoff else None
    if not (asked.payoff or asked.entry or asked.rolls) and asked.seat is None:
        mean = staged.turns
    return Listed(laws, scale, mean, most)


def _worth(staged: Staged, course: Turnwise, seat: int, flowed: Flow) -> Number:
    """What the play that is followed is worth to a seat (from 0).

    That is the value, but where two actions are not told apart. The one that is taken is then no more than ``near`` units from
    the other as both are known, and each is known to half of that. A way through a turn has a decision for each layer, and
    one at the border.
    """
    value, near = staged.values[seat], 2 * (course.later(0)[1] + course.inner.radius)
    decisions = ceil(flowed.turns) * (len(course.inner.layers) + 1)
    lost = Fraction(2 * near * decisions if staged.undecided else 0, 1 << course.point.places)
    return Number(value.lower - lost, value.upper + lost)


def _at_end(staged: Staged, course: Turnwise, asked: Summed, given: Entry | None, tell: Progress) -> Listed | None:
    """The law of another payoff, which may be paid at the end alone and has to tell the same positions apart."""
    own = course.turn.explorer
    try:
        explorer = Along(staged, asked.payoff).explorer
    except RulesetError:  # whoever follows positions tells why
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
