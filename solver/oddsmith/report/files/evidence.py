"""The numbers of a certificate: a solution's values with what it takes to prove them, per entry of its table.

What is found here proves nothing by itself; ``certify.values`` says what each number is for. An entry is
``state * copies + mover``, with one copy per seat that may be to move where seats play differently.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain
from math import ceil, gcd, lcm
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, vstack

from oddsmith.arrays import Floats, Ints, arange, reduceat, repeat
from oddsmith.certify import FINEST, LARGEST, NEVER, Row, Table
from oddsmith.errors import DisprovedError, UncertifiableError
from oddsmith.graph import StateGraph, ranges
from oddsmith.report.files.lasting import STEADY, Lasting, Rows, longest, mean_steps
from oddsmith.solve import Solution
from oddsmith.solve.values import Mixture, rows_mixed

UNIT_BITS = 128  # of a value that is only enclosed: some 38 digits
GRAIN = 1024  # parts of a step that are told apart
EXACT_ENTRIES = 20_000
EXACT_BITS = 1 << 26  # of all exact values together: 16 MB of text
MOST_STEPS = 20_000  # of play, until a linear system is solved instead
LEFT = 0.4  # of play may still be going on after the steps, at the worst
NEAR = 1e-7  # of the largest value: closer than this, floats do not decide
TOO_FEW = "too few digits of its values are known for a certificate: ask for more with --digits"


def refuse_large(*numbers: int) -> None:
    """UncertifiableError where a number is larger than any reader of JSON has it exactly."""
    if max(map(abs, numbers)) > LARGEST:
        raise UncertifiableError("its weights, payoffs or steps are larger than a certificate can hold")


@dataclass(frozen=True)
class _Values:
    """Values per entry and seat (counted from the mover), as the table of a certificate holds them; the steps of each entry."""

    unit: int
    residual: int
    values: list[list[int]]
    over: list[int]
    steps: list[int]


def rows_of(graph: StateGraph, state: int, columns: Sequence[Ints]) -> Iterator[Row]:
    """The transitions of each row of a state, weights in lowest terms; those alike in all that counts are one.

    ``columns``: target, by and payoff of all transitions of the graph.
    """
    for row in graph.rows(state):
        part = slice(int(graph.row_edges[row]), int(graph.row_edges[row + 1]))
        merged: dict[tuple[int, ...], int] = {}
        for where, weight in zip(
            zip(*(column[part].tolist() for column in columns), strict=True), graph.weight[part].tolist(), strict=True
        ):
            merged[where] = merged.get(where, 0) + weight
        shared = gcd(*merged.values())
        yield [[*where, weight // shared] for where, weight in merged.items()]


def shares_of(mixture: Mixture, first: int) -> list[list[Any]]:
    """What is mixed in a state, from its first row on: rows with shares, between the bounds of the true ones."""
    shares = {row: chance.middle for row, chance in mixture.chances.items()}
    whole = lcm(*(share.denominator for share in shares.values()))
    return [[row - first, f"{int(share * whole):x}"] for row, share in shares.items()]


class Evidence:
    """``payoffs`` and ``actions`` are those that the table uses; ``payoff`` points into the former, per transition."""

    def __init__(self, solution: Solution) -> None:
        self.solution, self.graph = solution, solution.graph
        self.copies = solution.solved.arena.copies
        self.named = frozenset(seat - 1 for seat in solution.named)
        self.entries = arange(self.graph.states * self.copies)
        self.target = self.graph.target.astype(np.int64)
        self.by = np.where(self.target < 0, 0, self.graph.by.astype(np.int64))
        kinds, self.payoff = np.unique(self.graph.payoff, return_inverse=True)
        self.payoffs = [self.graph.payoffs[kind] for kind in kinds.tolist()]
        used = np.unique(self.graph.row_action[self.graph.row_action >= 0])
        self.actions = {action: number for number, action in enumerate(used.tolist())}

    # --- rows and what is played

    def rows(self, state: int) -> list[tuple[int, Row]]:
        """The rows of a state: action and transitions."""
        graph = self.graph
        actions = (self.actions.get(action, -1) for action in graph.row_action[graph.rows(state)].tolist())
        return list(zip(actions, rows_of(graph, state, (self.target, self.by, self.payoff)), strict=True))

    def play(self, entry: int) -> Any:
        """What is played: the number of a row; of a mixture its rows with shares, between the bounds of the true ones."""
        first = int(self.graph.state_rows[entry // self.copies])
        mixture = self.solution.mixtures.get(entry)
        return int(self.played[entry]) - first if mixture is None else shares_of(mixture, first)

    @cached_property
    def played(self) -> Ints:
        """The row of the graph that is played, per entry; of a mixture the first."""
        arena = self.solution.solved.arena
        rows = self.graph.state_rows[self.entries // self.copies] + self.solution.solved.rows - arena.state_rows[:-1]
        for entry, mixture in self.solution.mixtures.items():
            rows[entry] = mixture.rows[0]
        return rows

    def reached(self, edges: Ints, mover: Any) -> Ints:
        """The entries that transitions lead to; -1 for the end."""
        entry = self.solution.solved.arena.copy_of(self.target[edges], mover + self.by[edges])
        return np.where(self.target[edges] < 0, -1, entry)

    @cached_property
    def following(self) -> csr_matrix:
        """The chances from entry to entry as it is played, in floats."""
        return self._played()

    def _played(self, seat: int | None = None) -> csr_matrix:
        """The same; with a ``seat``, counted from the mover, from its places at each entry to those that it comes to."""
        mixtures = self.solution.mixtures
        mixed = [(entry, row, float(share)) for entry, own in mixtures.items() for row, share in own.chances.items()]
        pure = np.setdiff1d(self.entries, list(mixtures))
        chain = self._chain(pure, self.played[pure], np.ones(len(pure)), seat)
        if not mixed:
            return chain
        entries, rows, shares = map(np.array, zip(*mixed, strict=True))
        both: csr_matrix = chain + self._chain(entries, rows, shares, seat)
        return both

    def _chain(self, entries: Ints, rows: Ints, share: Any, seat: int | None, apart: bool = False) -> csr_matrix:
        """The chances by which rows, each taken in its entry with a share, lead on: by entry, or each row ``apart``."""
        graph = self.graph
        lengths = graph.row_edges[rows + 1] - graph.row_edges[rows]
        edges, source = ranges(graph.row_edges[rows], lengths), repeat(entries, lengths)
        chance = graph.weight[edges] * repeat(share / graph.denominator[rows], lengths)
        to, seats = self.reached(edges, source % self.copies), 1 if seat is None else graph.seats
        inner = to >= 0
        if seat is not None:
            to = to * seats + (seat - self.by[edges]) % seats
        line, lines = (repeat(arange(len(rows)), lengths), len(rows)) if apart else (source, len(self.entries))
        shape = (lines, len(self.entries) * seats)
        return csr_matrix((chance[inner], (line[inner], to[inner])), shape=shape)

    # --- that play ends

    @cached_property
    def lasting(self) -> Any:
        """d with d - P d >= 1/2: the steps of play, counted until less than half of it is still going on anywhere."""
        going: Any = np.ones(len(self.entries))
        steps = np.zeros(len(self.entries))
        for _ in range(MOST_STEPS):
            steps += going
            going = self.following @ going
            if going.max() <= LEFT:
                break
        else:
            steps = mean_steps(self.following, np.ones(len(steps)))
        if not (np.isfinite(steps).all() and steps.min() >= 0.5 and (steps - self.following @ steps).min() >= STEADY):
            raise UncertifiableError("play lasts too long, or for ever: a certificate cannot prove that it ends")
        return steps

    def lasting_with(self, close: Ints) -> Lasting:
        """The most steps with rows of ``close`` (shape (2, rows): entry, row of the graph) in place of what is played.

        Per entry, or, where play might then go on for ever, per entry and seat: what one seat alone can bring about.
        """
        (entries, rows), ones = close, np.ones(close.shape[1])
        beside = self._chain(entries, rows, ones, None, apart=True)
        together = _joined([self.following, beside], [self.entries, entries])
        if together.single:
            return longest(together)
        seats = self.graph.seats
        played = [self._played(seat) for seat in range(seats)]
        mine = self._chain(entries, rows, ones, 0, apart=True)
        places = [self.entries * seats + seat for seat in range(seats)]
        return longest(_joined([*played, mine], [*places, entries * seats]))

    def ends(self) -> list[int]:
        """Transitions to the end: of the actions the worst, of the outcomes of chance the best."""
        graph = self.graph
        ranks = np.append(np.full(len(self.entries), NEVER, dtype=np.int64), 0)  # the last one is what -1 means
        reached = [self.reached(arange(len(self.target)), mover) for mover in range(self.copies)]
        while True:
            before = ranks.copy()
            for mover, to in enumerate(reached):
                rows = reduceat(np.minimum, before[to], graph.row_edges[:-1])
                worst = reduceat(np.maximum, rows, graph.state_rows[:-1])
                if mover in self.named:
                    worst = rows[self.played[mover :: self.copies]]
                ranks[mover : -1 : self.copies] = np.minimum(NEVER, worst + 1)
            if (ranks == before).all():
                return [int(end) for end in ranks[:-1]]

    # --- values

    def table(self, first: int, held: list[Fraction]) -> Table:
        """All numbers. ``first``, ``held``: who moves first, and what seats have at the start. Raises UncertifiableError."""
        graph, sign, numbers = self.graph, self.solution.solved.arena.sign, self._fractions() or self._enclosed()
        table = Table(
            graph.seats, self.copies, sign, self.named, self.payoffs, graph.scale, first, held, numbers.unit,
            numbers.residual, GRAIN, numbers.values, numbers.over, numbers.steps, self.ends(), first % self.copies,
        )  # fmt: skip
        gain = max((self._gain(table, *each) for each in self._close(table.values, table.over).T.tolist()), default=0)
        said = zip(table.game(), self.solution.values, strict=True)
        if gain > NEAR or any(low > number.upper or number.lower > high for (low, high), number in said):
            raise DisprovedError("the solution is not what its own table proves")
        if gain > 0 or any(high - low > FINEST for low, high in table.game()):
            raise UncertifiableError(TOO_FEW)
        refuse_large(int(graph.weight.max()), *chain.from_iterable(self.payoffs), table.scale, *table.steps)
        return table

    def _fractions(self) -> _Values | None:
        """All values as fractions; None where some value is no fraction, or all of them together would be too long."""
        if self.solution.grade != "exact" or len(self.entries) > EXACT_ENTRIES:
            return None
        held, size = _Values(1, 0, [], [], grains(self.lasting)), 0
        for entry in self.entries.tolist():
            numbers = [number.exact for number in self.solution.state_values(*divmod(entry, self.copies))]
            known = [number for number in numbers if number is not None]
            over = lcm(*(number.denominator for number in known))
            size += over.bit_length() * (len(known) + 1)
            if len(known) < len(numbers) or size > EXACT_BITS:
                return None
            held.values.append([number.numerator * (over // number.denominator) for number in known])
            held.over.append(over)
        return held

    def _enclosed(self) -> _Values:
        """Bounds that no row exceeds: the middles of what is proven, and room for each step that play can still take.

        A middle is off by half the widest bounds and by rounding, so in a row by twice that at most. Where a state mixes, the
        bounds hold for every probability between its own, and so for the one written down.
        """
        one, sign = 1 << UNIT_BITS, self.solution.solved.arena.sign
        values, widest = self._middles(one)
        over = [one] * len(values)
        found = self.lasting_with(self._close(values, over))
        spread = levelled(values, found.component, sign)
        off = 2 * (ceil(widest * one) + spread + 2)
        room = 1 + off // (GRAIN // 2 - 1)  # units for each grain of a step, which falls by more than half of them
        rise = np.ceil(found.steps * GRAIN)
        raised(values, [room * int(grains) for grains in rise], sign)
        steps = grains(found.steps if found.single and len(rise) == len(self.entries) else self.lasting)
        fall = self._fall(rise) * (1 + NEAR) + 2
        return _Values(one, ceil(room * fall) + off, values, over, steps)

    def _fall(self, rise: Floats) -> float:
        """By how much the room falls at most along what is played."""
        seats, shared = self.graph.seats, len(rise) == len(self.entries)
        if shared:
            return float((rise - self.following @ rise).max())
        return max(float((rise[seat::seats] - self._played(seat) @ rise).max()) for seat in range(seats))

    def _middles(self, one: int) -> tuple[list[list[int]], Fraction]:
        """The middles of all bounds in units, per entry and seat from the mover; how wide the widest is."""
        widest, values = Fraction(0), list[list[int]]()
        for entry in self.entries.tolist():
            numbers = self.solution.solved.bounds.numbers(entry)
            widest = max(widest, *(number.upper - number.lower for number in numbers))
            middles = [round(number.middle * one) for number in numbers]
            # An arena by seat leaves the seats in their places; here the mover is the first.
            mover = entry % self.copies
            values.append(middles[mover:] + middles[:mover])
        return values, widest

    # --- decisions

    def _close(self, tops: list[list[int]], over: list[int]) -> Ints:
        """The rows that come near what is played, or are mixed, by floats: entry and row of the graph, shape (2, rows)."""
        graph, found = self.graph, [np.zeros((2, 0), dtype=np.int64)]
        values = np.array(
            [[value / below for value in mine] for mine, below in zip(tops, over, strict=True)], dtype=float
        )
        near = NEAR * (1 + float(np.abs(values).max()))
        paid = np.array([kind[0] for kind in self.payoffs], dtype=float)[self.payoff] / graph.scale
        chance = graph.weight / graph.denominator[graph.edge_row]
        several = (np.diff(graph.state_rows) > 1)[graph.row_state]
        mixed, sign = rows_mixed(self.solution.mixtures), self.solution.solved.arena.sign
        for mover in sorted(set(range(self.copies)) - self.named):
            to = self.reached(arange(len(self.target)), mover)
            brought = np.where(to < 0, 0, values[to, -self.by % graph.seats]) + paid
            worth = reduceat(np.add, brought * chance, graph.row_edges[:-1])
            close = (worth - values[mover :: self.copies, 0][graph.row_state]) * sign > -near
            close[self.played[mover :: self.copies]] = False
            close[mixed] = True
            rows = np.flatnonzero(close & several)
            found.append(np.array([self.solution.solved.arena.copy_of(graph.row_state[rows], mover), rows]))
        return np.concatenate(found, axis=1)

    def _gain(self, table: Table, entry: int, row: int) -> Fraction:
        """How much more a row of the graph is worth than the entry's value says."""
        state, mover = divmod(entry, self.copies)
        rows = [table.arriving(row, mover) for _, row in self.rows(state)]
        return table.gain(entry, rows[row - int(self.graph.state_rows[state])])


def _joined(chances: Sequence[csr_matrix], nodes: Sequence[Ints]) -> Rows:
    node = np.concatenate(nodes)
    return Rows(vstack(chances, format="csr"), np.ones(len(node)), node)


def levelled(values: list[list[int]], component: Ints, sign: int) -> int:
    """Give all places of an end component the best of their values; by how many units the farthest was off.

    The values are per entry and seat, the places likewise, or per entry alone where all end components are of one place.
    """
    seats, spread = len(component) // len(values), 0
    order = np.argsort(component, kind="stable")
    _, first, count = np.unique(component[order], return_index=True, return_counts=True)
    for low, many in zip(first[count > 1].tolist(), count[count > 1].tolist(), strict=True):
        places = [divmod(place, seats) for place in order[low : low + many].tolist()]
        mine = [values[entry][seat] for entry, seat in places]
        best = max(mine) if sign > 0 else min(mine)
        spread = max(spread, *(abs(best - value) for value in mine))
        for entry, seat in places:
            values[entry][seat] = best
    return spread


def raised(values: list[list[int]], room: list[int], sign: int) -> None:
    """Make room in values per entry and seat, by units for each of them, or for each entry."""
    seats = len(room) // len(values)
    for entry, mine in enumerate(values):
        mine[:] = [value + sign * room[entry * seats + seat % seats] for seat, value in enumerate(mine)]


def grains(steps: Any) -> list[int]:
    """Steps in whole grains, rounded up."""
    return [int(step) for step in np.ceil(steps * GRAIN)]
