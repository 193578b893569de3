"""Exact values under a policy, as fractions of any length: components are reduced to a few cut states each.

Take all states that play can reach from the wanted states under the policy. Their strongly connected components are
solved from the last to the first, so the values outside a component are always known. Let C be cut states: without them
the component has no cycle. Let n be the number of seats. From a cut state, play reaches a cut state again or leaves the
component after finitely many steps. One pass over the other states, in the order of elimination, gives three things:
the expected arrivals K at cut states (by state and by seat shift on the way), the expected arrivals outside, and the
expected payoff on the way. The values y of the cut states solve y = K y + c, a system of n times as many unknowns as
there are cut states, which FLINT inverts over the rationals. It has one solution if play leaves the component from
every state, because K^m then tends to 0. If play can stay for ever, constants are a second solution, and the matrix has
no inverse. All other states follow from y, successors first, by one sum each.

If a component has too many cut states, all its unknowns are lifted together (``lifting``). Between components, the
values of a state are whole numbers over one denominator, so a sum needs one common denominator for all seats.

*The cost* is estimated beforehand from counts alone, so that every machine decides alike. The determinants of different
components rarely share a factor. So a denominator contains those of all components with a cycle that play may still
reach; each is estimated by the product of the denominators in its component. Each state has a fixed cost, and a cost
for each bit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from math import inf

import numpy as np
from flint import fmpq, fmpz

from oddsmith.base.arrays import Ints, Mask, arange, bincount, cumsum, repeat
from oddsmith.graph import unique
from oddsmith.solve.arenas.arena import Arena, strong_component_labels
from oddsmith.solve.numbers import (
    MAX_BITS,
    CommonDenominator,
    FractionTooExpensive,
    FractionTooLong,
    in_lowest_terms,
    inverse_matrix,
    lcm,
)
from oddsmith.solve.systems.lifting import LiftingFailed, prepare_lifting
from oddsmith.solve.systems.linear_systems import small_elimination_order
from oddsmith.solve.values.bounds import ProvenBounds

MAX_CUT = 36  # unknowns of the system of one part's cut states, beyond which all its states are lifted
MAX_UNKNOWNS = 12_000  # of a system that is lifted; beyond, values are given as proven bounds
MAX_STATES = 400_000  # that a fraction may rest on
MAX_WORK = 10**9  # bits of numerators added up in all, beyond which fractions are given up
SECONDS_PER_STATE, SECONDS_PER_CYCLIC_STATE = 4e-5, 6e-5  # seconds: of a state, and what one on a cycle takes more
SECONDS_PER_BIT, SECONDS_PER_PAIR = (
    2e-9,
    1e-7,
)  # of each bit of a state's values, and of two unknowns that are lifted together
SECONDS_PER_TRANSITION, UNNOTICED_SECONDS = (
    3e-6,
    0.3,
)  # seconds: that the answer takes which a fraction may double; that nobody minds


Kernel = dict[tuple[int, int], fmpq]
"""The expected number of arrivals, by (state, seat shift on the way)."""
ExactRow = tuple[Kernel, list[fmpq]]
"""The successors of a row with their expected arrivals, and its expected payoff to every seat."""


def default_time_limit(arena: Arena) -> float:
    """Return the seconds that computing a fraction may take if a bound would suffice: about the time that solving
    takes.
    """
    return UNNOTICED_SECONDS + SECONDS_PER_TRANSITION * len(arena.target)


class ExactValues:
    """Exact values of states under a policy, given as one row for each state, computed on demand and cached.

    As a parameter of methods, ``time_limit`` is the estimated number of seconds that a fraction may take; FractionTooExpensive
    is raised if it would take longer. ``bounds``: used to read off values if they leave only one.
    ``fraction_unavailable``: states whose values are not fractions, because they mix actions, or are too long; values
    that depend on them raise FractionTooLong.
    """

    def __init__(self, arena: Arena, rows: Ints, bounds: ProvenBounds | None = None) -> None:
        self.arena, self.rows, self.bounds = arena, rows, bounds
        self.known: dict[int, CommonDenominator] = {}
        self.dear: dict[int, float] = {}  # of states: a time_limit that was not enough
        self.work = 0
        self.fraction_unavailable, self.held = np.zeros((2, arena.state_count), dtype=bool)  # ``held``: which are known
        self.place = np.full(
            arena.state_count, -1, dtype=np.int64
        )  # where the states of a search stand, while it lasts

    @property
    def time_limit(self) -> float:
        """The seconds that a fraction may take if a bound would suffice (see ``default_time_limit``)."""
        return default_time_limit(self.arena)

    def state_value(self, state: int, time_limit: float = inf) -> tuple[Fraction, ...]:
        """Return the exact value of a state for every seat.

        Raises FractionTooLong, also if it would take more than ``time_limit`` seconds, by an estimate.
        """
        if time_limit <= self.dear.get(state, -1.0):
            raise FractionTooExpensive
        try:
            self.compute_values([state], time_limit)
        except FractionTooExpensive:
            self.dear[state] = time_limit
            raise
        except FractionTooLong:
            self.fraction_unavailable[state] = True  # nobody need try again
            raise
        shared = self.known[state]
        return tuple(shared.fraction(seat) for seat in range(self.arena.seats))

    def row_value(self, row: int, seat: int) -> Fraction:
        """Return the value of a row for a seat if play then goes on by the policy."""
        return self.row_values(row).fraction(seat)

    def row_values(self, row: int, time_limit: float = inf) -> CommonDenominator:
        """Return the value of a row for every seat if play then goes on by the policy. ``time_limit``: as for
        ``state_value``.
        """
        targets = [int(t) for t in self.arena.target[self.edge_indices(row)] if t >= 0]
        self.compute_values(targets, time_limit)
        return self.expected_row_value(self._exact_row(row))

    def certainly_have_same_value(self, seat: int, first_row: int, second_row: int) -> bool:
        """Return whether two rows certainly have the same value for a seat.

        They do if, after two steps, they lead to the same states with the same probabilities and payoffs. This also
        works if the values are not fractions.
        """
        (kernel, paid), (other, also) = self._two_step_distribution(first_row), self._two_step_distribution(second_row)
        return kernel == other and paid[seat] == also[seat]

    def _two_step_distribution(self, row: int) -> ExactRow:
        """Return the distribution of states two steps after a row, and the expected payoff of both steps for each seat.

        States whose fractions are unavailable, and states without rows, stay as they are for the second step.
        """
        arena, n = self.arena, self.arena.seats
        kernel, paid = self._exact_row(row)
        further: Kernel = {}
        for (target, seat_shift), share in kernel.items():
            stays = self.fraction_unavailable[target] or arena.state_rows[target] == arena.state_rows[target + 1]
            onward = ({(target, 0): fmpq(1)}, [fmpq(0)] * n) if stays else self._exact_row(int(self.rows[target]))
            for (to, turned), chance in onward[0].items():
                place = to, (seat_shift + turned) % n
                further[place] = further.get(place, fmpq(0)) + share * chance
            paid = [own + share * onward[1][(seat - seat_shift) % n] for seat, own in enumerate(paid)]
        return further, paid

    def forget_values(self, states: Iterable[int]) -> None:
        """Remove the values of states whose policy changes."""
        for state in states if self.known or self.dear else ():
            if self.known.pop(int(state), None):
                self.held[state] = False
            self.dear.pop(int(state), None)

    def edge_indices(self, row: int) -> range:
        """Return the indices of the transitions of a row."""
        return range(int(self.arena.row_edges[row]), int(self.arena.row_edges[row + 1]))

    def compute_values(self, states: Iterable[int], time_limit: float = inf, max_bits: float = inf) -> None:
        """Compute and cache the values of states.

        ``max_bits``: the largest number of bits of a denominator; values that depend on a value with a longer one are
        left out. Raises FractionTooLong, also if that would take more than ``time_limit`` seconds, by an estimate.
        """
        unknown = [state for state in dict.fromkeys(int(s) for s in states) if state not in self.known]
        wanted = np.array(unknown, dtype=np.int64)
        wanted = wanted[~self._known_mask(wanted)]
        if not len(wanted):
            return
        todo, source, target = self._unknown_states(wanted, time_limit)
        labels = strong_component_labels(len(todo), source, target)
        if time_limit < inf and self._estimate_seconds(todo, labels) > time_limit:
            raise FractionTooExpensive
        across = labels[source] != labels[target]
        needed = set(todo[target[across]].tolist()) | set(wanted.tolist())
        order = np.argsort(labels, kind="stable")
        cuts = np.flatnonzero(np.diff(labels[order])) + 1
        before, after = labels[source][across], labels[target][across]
        first = np.searchsorted(np.sort(before), arange(len(cuts) + 2))
        after, long = after[np.argsort(before, kind="stable")], np.zeros(len(cuts) + 1, dtype=bool)
        for part, members in enumerate(np.split(todo[order], cuts)):
            if long[after[first[part] : first[part + 1]]].any():
                long[part] = True
                continue
            self._solve_component(members.tolist(), needed)
            known = (self.known.get(state) for state in members.tolist()) if max_bits < inf else ()
            long[part] = any(shared and shared.denominator.bit_length() > max_bits for shared in known)

    def _estimate_seconds(self, states: Ints, component_labels: Ints) -> float:
        """Return the estimated time that finding the values of ``states`` takes. ``component_labels``: their components,
        successors first.
        """
        size = bincount(component_labels)
        bits = bincount(component_labels, np.log2(self.arena.denominator[self.rows[states]]))
        held = cumsum(np.where(size > 1, bits, 0.0))
        unknowns = np.where(size > MAX_CUT, size * self.arena.seats, 0)
        each = SECONDS_PER_STATE + SECONDS_PER_CYCLIC_STATE * (size > 1) + SECONDS_PER_BIT * held
        return float((size * each).sum() + SECONDS_PER_PAIR * (unknowns.astype(float) ** 2).sum())

    def _known_mask(self, states: Ints) -> Mask:
        """Return, as a mask, which of ``states`` have known exact values.

        Values that the bounds determine are recorded first, and then count as known.
        """
        if self.bounds:
            new = unique(states[~self.held[states]])
            for state in new[self.bounds.states_with_one_value(new)].tolist():
                self._set_value(state, self.bounds.exact_value(state))
        held: Mask = self.held[states]
        return held

    def _unknown_states(self, wanted_states: Ints, time_limit: float) -> tuple[Ints, Ints, Ints]:
        """Return the states that play reaches from ``wanted_states`` before it meets a known value, ascending, and the edges
        between them.

        The edges are two arrays of indices: their sources and their targets. Raises FractionTooLong, also if that would take
        more than ``time_limit`` seconds, by an estimate.
        """
        waves, sources, targets = list[Ints](), list[Ints](), list[Ints]()
        try:
            for wave, source, target in self._breadth_first_waves(wanted_states, time_limit):
                waves.append(wave)
                sources.append(source)
                targets.append(target)
            todo = np.sort(np.concatenate(waves))
            self.place[todo] = arange(len(todo))
            return todo, self.place[np.concatenate(sources)], self.place[np.concatenate(targets)]
        finally:
            for wave in waves:
                self.place[wave] = -1

    def _breadth_first_waves(self, start_states: Ints, time_limit: float) -> Iterator[tuple[Ints, Ints, Ints]]:
        """Yield, for each step of a breadth-first search, the states first met there, and their edges to states of
        unknown value.

        ``start_states``: the states from which the search starts. ``self.place`` is at least 0 at all states that were met.
        Raises FractionTooLong, also if that would take more than ``time_limit`` seconds, by an estimate.
        """
        arena, count = self.arena, 0
        while len(start_states):
            count += len(start_states)
            if self.fraction_unavailable[start_states].any():
                raise FractionTooLong("a value that rests on a mixture is no fraction; others would be too long")
            if count * SECONDS_PER_STATE > time_limit:
                raise FractionTooExpensive
            if count > MAX_STATES:
                raise FractionTooLong(f"over {MAX_STATES:,} states")
            states, rows = self._taken_rows(start_states)
            edges, lengths = arena.edges_of(rows)
            source, target = repeat(states, lengths), arena.target[edges]
            onward = self._needed_transitions_mask(edges)
            onward[onward] = ~self._known_mask(target[onward])
            yield start_states, source[onward], target[onward]
            self.place[start_states] = 0
            start_states = unique(target[onward])
            start_states = start_states[self.place[start_states] < 0]

    def _taken_rows(self, states: Ints) -> tuple[Ints, Ints]:
        """Return the rows that ``states`` take, as two arrays: the state of each row, and the row."""
        return states, self.rows[states]

    def _needed_transitions_mask(self, edges: Ints) -> Mask:
        """Return, as a mask, which transitions lead to a state whose value is needed."""
        leading: Mask = self.arena.target[edges] >= 0
        return leading

    def set_values(self, values: Mapping[int, CommonDenominator]) -> None:
        """Record known values of states."""
        self.known.update(values)
        self.held[list(values)] = True

    def _set_value(self, state: int, value: CommonDenominator) -> None:
        self.known[state] = value
        self.held[state] = True

    def _exact_row(self, row: int) -> ExactRow:
        """Return the expected arrivals of a row at its targets, and its expected payoff for each seat."""
        arena, n = self.arena, self.arena.seats
        bottom, own = int(arena.denominator[row]), slice(int(arena.row_edges[row]), int(arena.row_edges[row + 1]))
        weights: dict[tuple[int, int], int] = {}
        paid = [0] * n
        columns = (column[own].tolist() for column in (arena.weight, arena.target, arena.seat_shift, arena.payoff))
        for weight, target, seat_shift, kind in zip(*columns, strict=True):
            for seat, units in enumerate(arena.payoffs[kind]):
                paid[seat] += weight * units
            if target >= 0:
                weights[target, seat_shift] = weights.get((target, seat_shift), 0) + weight
        kernel = {key: fmpq(weight, bottom) for key, weight in weights.items()}
        return kernel, [fmpq(units, bottom * arena.scale) for units in paid]

    def _solve_component(self, members: list[int], needed_states: set[int]) -> None:
        """Solve one strongly connected component: by its cut states if they are few, else by lifting.

        ``members``: its states. ``needed_states``: the states whose values have to be found.
        """
        inside = {state: _without_loop(state, self._exact_row(int(self.rows[state]))) for state in members}
        own = set(members)
        if len(members) == 1 and all(target not in own for target, _ in inside[members[0]][0]):
            self._set_value(members[0], self.expected_row_value(inside[members[0]]))
            return
        order, cut = self._elimination_order(members, inside)
        if len(cut) * self.arena.seats > MAX_CUT:
            self._solve_by_lifting(members, inside)
            return
        flows = [self._arrivals_at_cut(state, inside, set(cut), own, order) for state in cut]
        self._solve_cut_states(cut, flows)
        for state in order:  # successors first
            if state in needed_states:
                self._solve_from_successors(state, inside, own)

    def _elimination_order(self, members: list[int], member_rows: dict[int, ExactRow]) -> tuple[list[int], list[int]]:
        """Return two lists of the states of a component: those that are not cut states, and the cut states.

        The first list is in an order of elimination, successors first. If too many cut states would be needed, all
        states are cut states. ``members``: the states. ``member_rows``: the row that each takes.
        """
        place = {state: number for number, state in enumerate(members)}
        found = small_elimination_order([{place[t] for t, _ in member_rows[s][0] if t in place} for s in members])
        if found is None:
            return [], members
        states = [members[number] for number in found[0]]
        cut = set(states[len(states) - found[1] :]) | {s for s in members if any(t == s for t, _ in member_rows[s][0])}
        return [state for state in states if state not in cut], sorted(cut)

    def _solve_by_lifting(self, members: list[int], member_rows: dict[int, ExactRow]) -> None:
        """Solve all states of a component together, by numeric lifting of their integer system. Raises FractionTooLong."""
        n, place = self.arena.seats, {state: number for number, state in enumerate(members)}
        if len(members) * n > MAX_UNKNOWNS:
            raise FractionTooLong(f"{len(members) * n:,} unknowns in one system")
        right = [
            self.expected_row_value(({key: share for key, share in kernel.items() if key[0] not in place}, paid))
            for kernel, paid in (member_rows[state] for state in members)
        ]
        bottom = lcm([shared.denominator for shared in right])
        denominator, entries, column = [], list[tuple[int, int, int, int]](), []
        for number, state in enumerate(members):
            kernel = {key: share for key, share in member_rows[state][0].items() if key[0] in place}
            common = lcm([share.q for share in kernel.values()])
            denominator.append(int(common))
            entries += [
                (number, place[t], seat_shift, int(v.p * (common // v.q))) for (t, seat_shift), v in kernel.items()
            ]
            times = common * (bottom // right[number].denominator)
            column.append([int(top * times) for top in right[number].numerators])
        try:
            tops, q = prepare_lifting(denominator, entries, n).solve(column, MAX_BITS)
        except LiftingFailed as error:
            raise FractionTooLong(str(error)) from None
        for state, top in zip(members, tops, strict=True):
            self._set_value(state, in_lowest_terms(tuple(map(fmpz, top)), bottom * q))

    def _solve_from_successors(self, state: int, member_rows: dict[int, ExactRow], members: set[int]) -> None:
        """Set the value of a state that is not a cut state, and of the states of its component that it depends on."""
        stack = [state]
        while stack:
            last = stack[-1]
            missing = [t for t, _ in member_rows[last][0] if t in members and t not in self.known]
            if missing:
                stack += missing
                continue
            stack.pop()
            self._set_value(last, self.expected_row_value(member_rows[last]))

    def _arrivals_at_cut(
        self,
        start_state: int,
        member_rows: dict[int, ExactRow],
        cut_states: set[int],
        members: set[int],
        elimination_order: list[int],
    ) -> ExactRow:
        """Return the expected arrivals of play from a cut state at the next cut state or outside, and its payoff until
        then.

        ``start_state``: the cut state. ``member_rows``: the row that each state of the component takes. ``cut_states``:
        the cut states. ``members``: the states of the component. ``elimination_order``: an order of elimination of the
        other states, successors first.
        """
        n = self.arena.seats
        mass: dict[int, dict[int, fmpq]] = {}
        kernel: Kernel = {}
        paid = list(member_rows[start_state][1])

        def add_arrivals(state: int, total_seat_shift: int, expected_arrivals: fmpq) -> None:
            for (target, seat_shift), share in member_rows[state][0].items():
                seats, arriving = (total_seat_shift + seat_shift) % n, expected_arrivals * share
                if target in members and target not in cut_states:
                    arrived = mass.setdefault(target, {})
                    arrived[seats] = arrived.get(seats, fmpq(0)) + arriving
                else:
                    key = (target, seats)
                    kernel[key] = kernel.get(key, fmpq(0)) + arriving

        add_arrivals(start_state, 0, fmpq(1))
        for state in reversed(elimination_order):
            for total_seat_shift, expected_arrivals in mass.pop(state, {}).items():
                add_arrivals(state, total_seat_shift, expected_arrivals)
                for seat in range(n):
                    paid[seat] += expected_arrivals * member_rows[state][1][(seat - total_seat_shift) % n]
        return kernel, paid

    def _solve_cut_states(self, cut_states: list[int], arrival_rows: list[ExactRow]) -> None:
        n, place = self.arena.seats, {state: number for number, state in enumerate(cut_states)}
        size = len(cut_states) * n
        matrix = [[fmpq(int(i == j)) for j in range(size)] for i in range(size)]
        for number, (kernel, _) in enumerate(arrival_rows):
            for seat in range(n):
                for (target, seat_shift), share in kernel.items():
                    if target in place:
                        matrix[number * n + seat][place[target] * n + (seat - seat_shift) % n] -= share
        right = [
            self.expected_row_value(({key: v for key, v in kernel.items() if key[0] not in place}, paid))
            for kernel, paid in arrival_rows
        ]
        bottom = lcm([shared.denominator for shared in right])
        column = [top * (bottom // shared.denominator) for shared in right for top in shared.numerators]
        inverted, det = inverse_matrix(matrix)
        tops = [sum((inverted[i][j] * column[j] for j in range(size)), fmpz(0)) for i in range(size)]
        for number, state in enumerate(cut_states):
            own_tops = tuple(tops[number * n : (number + 1) * n])
            self._set_value(state, in_lowest_terms(own_tops, bottom * det))

    def expected_row_value(self, row: ExactRow) -> CommonDenominator:
        """Return the expected value of a row: its payoff plus the values of its successors, which must be known."""
        kernel, paid = row
        n = self.arena.seats
        targets = {target: self.known[target] for target, _ in kernel}
        bottom = lcm([shared.denominator for shared in targets.values()])
        shares = [*kernel.values(), *paid]
        common = lcm([share.q for share in shares])
        factor = {target: bottom // shared.denominator for target, shared in targets.items()}
        self.work += len(kernel) * (int(bottom.bit_length()) + 64)
        if self.work > MAX_WORK:
            raise FractionTooLong(f"fractions of {bottom.bit_length():,} bits and more")
        alike = len(set(paid)) == 1 and all(shared.has_shared_numerator for shared in targets.values())
        seats = 1 if alike else n
        tops = [value.p * (common // value.q) * bottom for value in paid[:seats]]
        for (target, seat_shift), share in kernel.items():
            times = share.p * (common // share.q) * factor[target]
            values = targets[target].numerators
            for seat in range(seats):
                tops[seat] += times * values[(seat - seat_shift) % n]
        return in_lowest_terms(tuple(tops) * (n // seats), bottom * common)


def _without_loop(state: int, row: ExactRow) -> ExactRow:
    """Return a row without its loop to the same state and mover: v = q v + rest becomes v = rest / (1 - q)."""
    kernel, paid = row
    if (state, 0) not in kernel:
        return row
    times = 1 / (1 - kernel[state, 0])
    return {key: share * times for key, share in kernel.items() if key != (state, 0)}, [value * times for value in paid]
