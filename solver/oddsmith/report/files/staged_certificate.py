"""A game solved by stages as a certificate, from the last stage to the first: see ``docs/certificates.md``.

Nothing of a stage is held longer than an earlier one leads to it. All values are enclosed. How far off they may be is laid
down before the first line is written, so the solution must have digits to spare.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, vstack

from oddsmith.arrays import Floats, Ints, Mask, arange, bincount, reduceat, repeat
from oddsmith.certify import FINEST, NEVER, Table, position_of, start_of
from oddsmith.derive import Canonical
from oddsmith.errors import UncertifiableError
from oddsmith.graph import KeyIndex, ranges
from oddsmith.graph.columns import find_stages
from oddsmith.progress import Progress, silent
from oddsmith.report.files.certificate import header, written
from oddsmith.report.files.evidence import (
    GRAIN,
    NEAR,
    TOO_FEW,
    UNIT_BITS,
    grains,
    levelled,
    raised,
    refuse_large,
    rows_of,
    shares_of,
)
from oddsmith.report.files.lasting import STEADY, Rows, longest
from oddsmith.ruleset import Rules
from oddsmith.solve.stages import Around, Staged, walk
from oddsmith.solve.systems import Singular, blocks, settle
from oddsmith.solve.values import ProvenBounds, precision_of

DIGITS = 40  # that a solution should have
RESIDUAL = 1 << 40  # units of 2^-UNIT_BITS by which what is played may bring less than a value
OFF = 64  # units by which middles may be off in a row, which the steps of play make room for: a unit for each grain
SETTLED = 1e-9  # of the largest value: a sweep that changes steps by less is the last


def staged_certificate(staged: Staged, packed: bool = False, report: Progress | None = None) -> Iterator[bytes]:
    """The certificate of a game solved by stages, part by part, as text or gzipped (``packed``).

    Raises UncertifiableError where it has too few digits, or play lasts so long that its end cannot be proved in this way.
    """
    return written(_Writer(staged, report or silent).records(), packed)


def refuse_few(digits: int) -> None:
    """UncertifiableError where values of so many decimal digits are too few for a certificate, before hours go into them."""
    if precision_of(0, digits) <= UNIT_BITS:
        raise _too_few()


def _too_few() -> UncertifiableError:
    return UncertifiableError(f"{TOO_FEW} {DIGITS}")


@dataclass
class _Stage:
    """States of one stage in the file. ``first``: the number of the first; ``least``: of the first state that they lead to."""

    keys: Ints
    first: int
    least: int
    index: KeyIndex = field(repr=False)

    @property
    def count(self) -> int:
        """How many states it has."""
        return int(self.keys.shape[1])


class _Writer:
    """Explores all states again, and writes them down stage by stage."""

    def __init__(self, staged: Staged, report: Progress) -> None:
        self.staged, self.report, explorer = staged, report, staged.explorer
        self.codec, left_out = explorer.codec, explorer.codec.reduction
        self.canonical = Canonical(staged.game, left_out.worth, left_out.dead, left_out.orbits)
        stages = find_stages(self.codec)
        assert stages is not None
        self.stage_of, found = stages.of, walk(explorer, stages, report)
        self.order, self.stages, first = sorted(found.sizes, reverse=True), dict[int, _Stage](), 0
        for each in self.order:
            furthest = found.furthest.get(each, each)
            least = first if furthest == each else self.stages[furthest].first
            self.stages[each] = _Stage(found.keys[each], first, least, KeyIndex.of(found.keys[each]))
            first += found.sizes[each]
        self.states, (payoffs, scale) = first, explorer.payoffs
        refuse_large(scale, *chain.from_iterable(payoffs))
        start, goal = start_of(self.canonical, Rules(staged.game)), staged.game.ruleset.payoffs[staged.objective].goal
        held = [Fraction(text) for text in start["held"]]
        self.table = Table(
            staged.game.seats, 1, 1 if goal == "max" else -1, frozenset(), payoffs, scale, start["mover"], held,
            1 << UNIT_BITS, RESIDUAL, GRAIN, [], [], [], [], first - self.stages[self.order[-1]].count,
        )  # fmt: skip
        self.rises: list[Any] = []  # per state the room that its values make, in grains: for all seats, or for each
        self.actions = {action: number for number, action in enumerate(explorer.expander.actions)}
        self.paid = {tuple(Fraction(units, scale) for units in kind): number for number, kind in enumerate(payoffs)}

    def records(self) -> Iterator[dict[str, Any]]:
        """The header, then the states."""
        staged, order = self.staged, [self.stages[each] for each in self.order]
        claims: dict[str, Any] = {
            "kind": staged.kind,
            "policies": {},
            "states": self.states,
            "stages": [[each.count, each.least] for each in order],
        }
        yield header(staged.game, staged.objective, self.table, self.actions, claims, self.canonical)
        for place, stage in enumerate(order, 1):
            yield from self._stage(stage)
            gone = min((each.least for each in order[place:]), default=0)
            self.table.forget(gone)
            self.rises[:gone] = [None] * gone
        if any(high - low > FINEST for low, high in self.table.game()):
            raise UncertifiableError("play lasts too long for a certificate by stages")

    def _stage(self, stage: _Stage) -> Iterator[dict[str, Any]]:
        table, around = self.table, self.staged.course.around(stage.keys)
        refuse_large(int(around.graph.weight.max()))
        lines = _Lines(self, stage, around)
        close, graph = lines.close(), around.graph
        values = list(_middles(around.bounds, stage.count))
        steps, rises = lines.lasting(close, values)
        table.values.extend(values)
        table.over.extend([table.unit] * stage.count)
        table.steps.extend(steps)
        table.ends.extend(lines.ends())
        self.rises.extend(rises)
        for state, position in enumerate(self.codec.states(stage.keys)):
            number, low = stage.first + state, int(graph.state_rows[state])
            self.report("certifying", number, self.states)
            rows, mixture = list(rows_of(graph, state, lines.columns)), around.mixtures.get(state)
            play = shares_of(mixture, low) if mixture else int(around.rows[state]) - low
            if any(close[low + row] and table.gain(number, rows[row]) > 0 for row in range(len(rows)) if row != play):
                raise _too_few()
            yield {
                **position_of(position, table.seats),
                "rows": list(zip(lines.actions(state), rows, strict=True)),
                "play": [play],
                "values": [[f"{value:x}" for value in table.values[number]]],
                "steps": [table.steps[number]],
                "ends": [None if table.ends[number] == NEVER else table.ends[number]],
            }

    def numbers(self, keys: Ints) -> Ints:
        """The numbers in the file of some states of stages that are written."""
        found, stage = np.empty(keys.shape[1], dtype=np.int64), self.stage_of(keys)
        for each in set(stage.tolist()):
            here = np.flatnonzero(stage == each)
            found[here] = self.stages[each].first + self.stages[each].index.known(keys[:, here])
        return found


class _Lines:
    """The transitions of a stage as its lines have them. ``columns``: target, by and payoff of each."""

    def __init__(self, writer: _Writer, stage: _Stage, around: Around) -> None:
        self.writer, self.around, self.graph, self.count = writer, around, around.graph, stage.count
        graph, others = self.graph, writer.numbers(around.beside)
        paid = [writer.paid[tuple(Fraction(units, graph.scale) for units in kind)] for kind in graph.payoffs]
        self.local = graph.target.astype(np.int64)  # -1, and the last entry of what is asked of targets, is the end
        number = np.concatenate([stage.first + arange(self.count), others, [-1]])
        by = np.where(self.local < 0, 0, graph.by)
        self.columns = (number[self.local], by, np.array(paid, dtype=np.int64)[graph.payoff])
        self.others: list[int] = others.tolist()

    def actions(self, state: int) -> list[int]:
        """The numbers of the actions of a state."""
        actions = self.graph.row_action[self.graph.rows(state)].tolist()
        return [-1 if action < 0 else self.writer.actions[self.graph.actions[action]] for action in actions]

    def lasting(self, close: Mask, values: list[list[int]]) -> tuple[list[int], list[Any]]:
        """The steps of each state, and the room that is made in its values, by a unit for each grain of a step.

        They are those of play in which whatever row of ``close`` lasts longest is taken. Where all seats together could then go
        on for ever, each gets room for what it can bring about alone, and the steps are those of what is played.
        """
        table, rows = self.writer.table, np.flatnonzero(close)
        every = self._leading(rows, np.ones(len(rows)), arange(len(rows)), self._known(1), None)
        nodes = Rows(*every, self.graph.row_state[rows])
        if not nodes.components[1].any():
            steps = self._settled(nodes)
            raised(values, steps, table.sign)
            return steps, list(steps)
        found = longest(self._by_seat(rows))
        if levelled(values, found.component, table.sign) > OFF // 4:
            raise _too_few()
        rises = grains(found.steps)
        raised(values, rises, table.sign)
        taken, shares = self._taken()
        known = np.array([[table.steps[each]] for each in self.others] + [[0]], dtype=float) / GRAIN
        played = self._leading(taken, shares, self.graph.row_state[taken], known, None)
        steps = self._settled(Rows(*played, arange(self.count)))
        return steps, [tuple(rises[at : at + table.seats]) for at in range(0, len(rises), table.seats)]

    def _by_seat(self, rows: Ints) -> Rows:
        """The rows of what is played by every seat's place at a state, and those of the mover's own place that are near it."""
        seats, state, (taken, shares) = self.writer.table.seats, self.graph.row_state, self._taken()
        known, parts = self._known(seats), list[tuple[csr_matrix, Floats]]()
        for seat in range(seats):
            parts.append(self._leading(taken, shares, state[taken], known, seat))
        parts.append(self._leading(rows, np.ones(len(rows)), arange(len(rows)), known, 0))
        nodes = [arange(self.count) * seats + seat for seat in range(seats)]
        chances, right = zip(*parts, strict=True)
        return Rows(csr_matrix(vstack(chances)), np.concatenate(right), np.concatenate([*nodes, state[rows] * seats]))

    def _known(self, seats: int) -> Floats:
        """The room that was made in states beside these, in steps, per seat or at most; in the last place that of the end."""
        found = [self.writer.rises[each] for each in self.others]
        if seats == 1:
            return np.array([[np.max(each)] for each in found] + [[0]], dtype=float) / GRAIN
        every = [each if isinstance(each, tuple) else (each,) * seats for each in found]
        return np.array([*every, (0,) * seats], dtype=float) / GRAIN

    def _leading(
        self, rows: Ints, shares: Floats, lines: Ints, known: Floats, seat: int | None
    ) -> tuple[csr_matrix, Floats]:
        """The chances by which rows lead on, in their lines, and one step with what is known of where they lead beside.

        With a ``seat``, counted from the mover, its places at each state are told apart.
        """
        graph, seats, count = self.graph, 1 if seat is None else self.writer.table.seats, int(lines.max()) + 1
        lengths = graph.row_edges[rows + 1] - graph.row_edges[rows]
        edges, line = ranges(graph.row_edges[rows], lengths), repeat(lines, lengths)
        target, chance = self.local[edges], graph.weight[edges] * repeat(shares / graph.denominator[rows], lengths)
        place = np.zeros(len(edges), dtype=np.int64) if seat is None else (seat - self.columns[1][edges]) % seats
        own = (target >= 0) & (target < self.count)
        later = known[np.where(target < self.count, -1, target - self.count), place]
        following = (chance[own], (line[own], target[own] * seats + place[own]))
        right = 1 + bincount(line, later * chance, count)
        return csr_matrix(following, shape=(count, self.count * seats)), right

    def _settled(self, rows: Rows) -> list[int]:
        """d with d - P d >= 1/2 for every row, in grains: the steps still to come, rounded up. The rows are in order."""
        first = np.searchsorted(rows.node, arange(self.count + 1))
        try:
            steps = settle(list(blocks(0, first, rows.chances)), rows.right, SETTLED)
        except Singular:
            steps = np.array([np.inf])
        if not np.isfinite(steps).all() or (steps[rows.node] - rows.chances @ steps - rows.right + 1).min() < STEADY:
            raise UncertifiableError("play may last for ever: a certificate cannot prove that it ends")
        refuse_large(int(GRAIN * float(steps.max())) + 1)
        return grains(steps)

    def _taken(self) -> tuple[Ints, Floats]:
        """The rows that are taken, each with its share."""
        rows, mixtures = self.around.rows, self.around.mixtures
        pure = np.setdiff1d(arange(self.count), np.array(list(mixtures), dtype=np.int64))
        mixed = [(row, float(chance)) for each in mixtures.values() for row, chance in each.chances.items()]
        if not mixed:
            return rows, np.ones(self.count)
        others, shares = zip(*mixed, strict=True)
        return np.append(rows[pure], others), np.append(np.ones(len(pure)), shares)

    def ends(self) -> list[int]:
        """Transitions to the end: of the actions the worst, of the outcomes of chance the best."""
        known = [self.writer.table.ends[each] for each in self.others]
        ranks = np.array([*([NEVER] * self.count), *known, 0], dtype=np.int64)
        while True:
            rows = reduceat(np.minimum, ranks[self.local], self.graph.row_edges[:-1])
            worst = np.minimum(NEVER, reduceat(np.maximum, rows, self.graph.state_rows[:-1]) + 1)
            if (worst == ranks[: self.count]).all():
                return [int(end) for end in worst]
            ranks[: self.count] = worst

    def close(self) -> Mask:
        """Which rows floats do not tell from what is played: the table's own reckoning decides of these."""
        graph, bounds, table = self.graph, self.around.bounds, self.writer.table
        values = np.append(bounds.values, np.zeros((1, table.seats)), axis=0)
        paid = np.array([kind[0] for kind in table.payoffs], dtype=float)[self.columns[2]] / table.scale
        brought = values[self.local, -self.columns[1] % table.seats] + paid
        chance = graph.weight / repeat(graph.denominator, np.diff(graph.row_edges))
        worth: Floats = reduceat(np.add, brought * chance, graph.row_edges[:-1])
        taken = repeat(worth[self.around.rows], np.diff(graph.state_rows))
        found: Mask = (worth - taken) * table.sign > -NEAR * (1 + float(np.abs(values).max()))
        found[self._taken()[0]] = True
        return found


def _middles(bounds: ProvenBounds, count: int) -> Iterator[list[int]]:
    """The middles of bounds in units of the table, each so near the true value that rows are off by less than ``OFF``."""
    point, finer = bounds.point, bounds.point.places - UNIT_BITS
    if finer < 1 or int(bounds.radius[:count].max()) * 4 >= (OFF // 4) << finer:
        raise _too_few()
    for state in range(count):
        yield [point.join(limbs) >> finer for limbs in bounds.x[:, state].T.tolist()]
