"""The numbers of a certificate: a solution's values with what it takes to prove them, per entry of its table.

What is found here proves nothing by itself; ``certify.values`` says what each number is for. An entry is
``state * copies + mover``, with one copy per seat that may be to move where seats play differently.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import chain
from math import ceil, gcd, lcm
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, diags, identity
from scipy.sparse.linalg import MatrixRankWarning, spsolve

from oddsmith.arrays import Ints, arange, reduceat, repeat
from oddsmith.certify import FINEST, LARGEST, NEVER, Row, Table, picked, together
from oddsmith.errors import DisprovedError, UncertifiableError
from oddsmith.graph import StateGraph, ranges
from oddsmith.solve import Solution
from oddsmith.solve.values import Mixture, rows_mixed

UNIT_BITS = 128  # of a value that is only enclosed: some 38 digits
GRAIN = 1024  # parts of a step that are told apart
EXACT_ENTRIES = 20_000
EXACT_BITS = 1 << 26  # of all exact values together: 16 MB of text
MOST_STEPS = 20_000  # of play, until a linear system is solved instead
MOST_CHANGES = 50  # of ties for what is played, until play that lasts longest is given up
CLEARLY = 0.01  # longer lasts play with a tie that is taken for it
LEFT = 0.4  # of play may still be going on after the steps, at the worst
NEAR = 1e-7  # of the largest value: closer than this, floats do not decide


def refuse_large(*numbers: int) -> None:
    """UncertifiableError where a number is larger than any reader of JSON has it exactly."""
    if max(map(abs, numbers)) > LARGEST:
        raise UncertifiableError("its weights, payoffs or steps are larger than a certificate can hold")


@dataclass(frozen=True)
class _Values:
    """Values per entry and seat (counted from the mover), as the table of a certificate holds them."""

    unit: int
    residual: int
    values: list[list[int]]
    over: list[int]


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
        mixtures = self.solution.mixtures
        mixed = [(entry, row, float(share)) for entry, own in mixtures.items() for row, share in own.chances.items()]
        pure = np.setdiff1d(self.entries, list(mixtures))
        chain: csr_matrix = self._chain(pure, self.played[pure], np.ones(len(pure)))
        return chain + self._chain(*map(np.array, zip(*mixed, strict=True))) if mixed else chain

    def _chain(self, entries: Ints, rows: Ints, share: Any, lines: Ints | None = None) -> csr_matrix:
        """The chances by which rows, each taken in its entry with a share, lead on: in its line, or in ``lines``."""
        graph = self.graph
        lengths = graph.row_edges[rows + 1] - graph.row_edges[rows]
        edges, source = ranges(graph.row_edges[rows], lengths), repeat(entries, lengths)
        chance = graph.weight[edges] * repeat(share / graph.denominator[rows], lengths)
        to = self.reached(edges, source % self.copies)
        inner = to >= 0
        line = source if lines is None else repeat(lines, lengths)
        shape = (len(self.entries) if lines is None else len(lines), len(self.entries))
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
            steps = _solved(self.following)
        if not _ending(steps, self.following):
            raise UncertifiableError("play lasts too long, or for ever: a certificate cannot prove that it ends")
        return steps

    def lasting_with(self, ties: dict[int, list[int]]) -> Any:
        """The same where ties are taken in place of what is played wherever play lasts longer with them; else None."""
        tied = np.array([(entry, row) for entry, rows in ties.items() for row in rows], dtype=np.int64)
        several = np.unique(tied[:, 0])
        entries = np.append(tied[:, 0], several)  # what is played may be taken again
        rows = np.append(tied[:, 1] + self.graph.state_rows[tied[:, 0] // self.copies], self.played[several])
        beside = self._chain(entries, rows, np.ones(len(rows)), arange(len(rows)))
        following, steps = self.following, self.lasting
        for _ in range(MOST_CHANGES):
            longer = beside @ steps - (following @ steps)[entries] > CLEARLY
            if not longer.any():
                return steps if _ending(steps, self.following) else None
            taken, first = np.unique(entries[longer], return_index=True)
            kept = np.ones(len(self.entries))
            kept[taken] = 0
            following = diags(kept) @ following + self._chain(taken, rows[longer][first], np.ones(len(taken)))
            steps = _solved(following)
            if not _ending(steps, following):
                return None
        return None

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

    def table(self, first: int, held: list[Fraction]) -> tuple[Table, dict[int, list[int]]]:
        """All numbers, and the ties: per entry the rows that may be worth as much as what is played.

        ``first``, ``held``: who moves first, and what seats have at the start. Raises UncertifiableError.
        """
        graph, sign, numbers = self.graph, self.solution.solved.arena.sign, self._fractions() or self._middles()
        table = Table(
            graph.seats, self.copies, sign, self.named, self.payoffs, graph.scale, first, held, numbers.unit,
            numbers.residual, 0, GRAIN, numbers.values, numbers.over, _grains(self.lasting), self.ends(), first % self.copies,
        )  # fmt: skip
        gains = self._gains(table)
        gaining = {entry: [row for row, (_, most) in mine.items() if most > 0] for entry, mine in gains.items()}
        longer = self.lasting_with(gaining) if any(gaining.values()) else None
        if longer is not None:
            table = replace(table, steps=_grains(longer))
            gains = self._gains(table)
        ties = {entry: [row for row, (_, most) in mine.items() if most >= 0] for entry, mine in gains.items()}
        mixed = {entry: [row for row, _ in self.play(entry)] for entry in self.solution.mixtures}
        apart: list[Fraction] = [most for mine in gains.values() for _, most in mine.values()]
        apart += [-gains[entry][row][0] for entry, rows in mixed.items() for row in rows]
        delta = max([Fraction(0), *apart])
        said = zip(table.game(), self.solution.values, strict=True)
        if delta > NEAR or any(low > number.upper or number.lower > high for (low, high), number in said):
            raise DisprovedError("the solution is not what its own table proves")
        table = replace(table, delta=ceil(delta * numbers.unit))
        if max(delta, table.gained) > FINEST or any(high - low > FINEST for low, high in table.game()):
            message = "too few digits of its values are known for a certificate: ask for more with --digits"
            raise UncertifiableError(message)
        refuse_large(int(graph.weight.max()), *chain.from_iterable(self.payoffs), table.scale, *table.steps)
        return table, ties

    def _fractions(self) -> _Values | None:
        """All values as fractions; None where some value is no fraction, or all of them together would be too long."""
        if self.solution.grade != "exact" or len(self.entries) > EXACT_ENTRIES:
            return None
        held, size = _Values(1, 0, [], []), 0
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

    def _middles(self) -> _Values:
        """The middles of the bounds. An error of e leaves a residual of at most 2 e; rounding makes half a unit of error.

        Where a state mixes, the bounds hold for every probability between its own, and so for the one written down.
        """
        one, widest, values = 1 << UNIT_BITS, Fraction(0), list[list[int]]()
        for entry in self.entries.tolist():
            numbers = self.solution.solved.bounds.numbers(entry)
            widest = max(widest, *(number.upper - number.lower for number in numbers))
            middles = [round(number.middle * one) for number in numbers]
            # An arena by seat leaves the seats in their places; here the mover is the first.
            mover = entry % self.copies
            values.append(middles[mover:] + middles[:mover])
        return _Values(one, 1 + ceil(widest * one), values, [one] * len(values))

    # --- decisions

    def _gains(self, table: Table) -> dict[int, dict[int, tuple[Fraction, Fraction]]]:
        """Per entry the rows that come near what is played, with their gains: floats sift, the checker's reckoning decides."""
        graph, gains = self.graph, dict[int, dict[int, tuple[Fraction, Fraction]]]()
        rows = zip(table.values, table.over, strict=True)
        values = np.array([[value / over for value in mine] for mine, over in rows], dtype=float)
        blurred = 4 * table.residual * max(table.steps) / (table.grain * table.unit)
        near = NEAR * (1 + float(np.abs(values).max())) + 2 * blurred
        paid = np.array([kind[0] for kind in self.payoffs], dtype=float)[self.payoff] / graph.scale
        chance = graph.weight / graph.denominator[graph.edge_row]
        several = (np.diff(graph.state_rows) > 1)[graph.row_state]
        mixed = rows_mixed(self.solution.mixtures)
        for mover in sorted(set(range(self.copies)) - self.named):
            to = self.reached(arange(len(self.target)), mover)
            brought = np.where(to < 0, 0, values[to, -self.by % graph.seats]) + paid
            worth = reduceat(np.add, brought * chance, graph.row_edges[:-1])
            close = (worth - values[mover :: self.copies, 0][graph.row_state]) * table.sign > -near
            close[self.played[mover :: self.copies]] = False
            close[mixed] = True
            for row in np.flatnonzero(close & several).tolist():
                entry = self.solution.solved.arena.copy_of(int(graph.row_state[row]), mover)
                number = row - int(graph.state_rows[entry // self.copies])
                gains.setdefault(entry, {})[number] = self._gain(table, entry, number)
        return gains

    def _gain(self, table: Table, entry: int, number: int) -> tuple[Fraction, Fraction]:
        """How much more a row of an entry is worth than what is played there, at least and at most."""
        state, mover = divmod(entry, self.copies)
        rows = [table.arriving(row, mover) for _, row in self.rows(state)]
        return table.gain(entry, rows[number], together(picked(self.play(entry)), rows))


def _solved(following: csr_matrix) -> Any:
    """The mean number of steps until play ends; no numbers where it does not."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MatrixRankWarning)
        solved = spsolve((identity(following.shape[0]) - following).tocsc(), np.ones(following.shape[0]))
    return np.asarray(solved, dtype=float).reshape(-1)


def _ending(steps: Any, following: csr_matrix) -> bool:
    """Whether steps prove that play ends, with room for rounding."""
    return bool(np.isfinite(steps).all() and steps.min() >= 0.5 and (steps - following @ steps).min() >= 0.55)


def _grains(steps: Any) -> list[int]:
    return [int(step) for step in np.ceil(steps * GRAIN)]
