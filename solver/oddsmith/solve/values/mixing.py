"""Mixed play: where best responses cycle, some states mix two rows each so that both are worth the same to the mover.

Floats propose which states mix what, and the pure rows of all others (``search``, ``tracing``). What follows proves that
there are probabilities near the proposed ones that do it, and encloses them and every value.

*The states that mix, alone.* Let k states mix, n be the seats, and everybody else take one row. From a row, play comes after
some steps to a state that mixes, or leaves the component. So what the row is worth to each seat is K y + g: y what the
mixing states are worth, K the expected arrivals there (by state, and by how far the seats have turned on the way), g what
is paid meanwhile and what lies outside is worth. K is found in fractions; g once from the lower and once from the upper
bounds outside, which encloses it, because no arrival counts less than 0.

*The values for every p in a box.* Let state m take its first row with probability p[m], else its second: y = (P K1 + (1 - P)
K2) y + P g1 + (1 - P) g2, P being p on the diagonal. Ball arithmetic (FLINT's ``arb``) solves that with the whole box in
place of p; where it has no unique solution for all of the box, nothing is said. Where it has one, play leaves the
component for certain: else 1 would be an eigenvalue of the chances from state to state.

*A root in the box.* Wanted is D(p) = 0: how much more than the second row of each state its first is worth to the mover. Its
derivatives follow from those of y, by the same system. Let p' be the middle of a box X, Y nearly the inverse of the
derivatives there, and J enclose the derivatives on all of X. If p' - Y D(p') + (1 - Y J) (X - p') lies within the interior of
X, there is exactly one root in X, and it lies there (Krawczyk 1969). What is known only between bounds, as g is, may be any
of it: this holds for each. So the mixture exists. Its probabilities are algebraic numbers, and are never computed.

All other states are then checked like any pure decision, and the mixing ones for a further action that may be better.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, arb_mat, ctx, fmpq, fmpz

from oddsmith.arrays import Ints
from oddsmith.exact import Number
from oddsmith.solve.arenas import Arena, Component, Guess, NoPureEquilibrium, sweeps, trace
from oddsmith.solve.numbers import Shared, TooLong
from oddsmith.solve.systems import Singular
from oddsmith.solve.values.bounds import ProvenBounds
from oddsmith.solve.values.exactly import ExactRow, ExactValues

STEPS = 60  # of the bisection in floats
NEWTON = 40  # steps to a root at most; each should double the digits
WIDER = 8  # boxes that are tried, each about twice as wide as the one before
GUARD_BITS = 64  # that balls have beyond the places of the bounds
WIDEST = 1 << 62  # units that values may lie apart where play lasts so long that the probability hardly fixes them


@dataclass(frozen=True, slots=True)
class Mixture:
    """Two rows of an arena state and the proven probability of the first."""

    rows: tuple[int, int]
    first: Number


@dataclass(frozen=True, slots=True)
class Mixed:
    """A component in which some states mix: the rows of all others, and bounds of every value."""

    mixtures: Mapping[int, Mixture]
    rows: Ints
    low: list[list[int]]
    high: list[list[int]]


def guesses(component: Component, none: NoPureEquilibrium) -> Iterator[Guess]:
    """Play that may be an equilibrium of a component whose best responses cycle: first with one of the cycling states
    mixing, then what a path from play at random leads to."""
    for local in none.states.tolist():
        rows = range(int(component.first_row[local]), int(component.first_row[local + 1]))
        for a in rows:
            for b in rows[rows.index(a) + 1 :]:
                guess = _bisect(component, local, (a, b), none.chosen)
                if guess is not None:
                    yield guess
    traced = trace(component)
    if traced is not None:
        yield traced


def prove_mixture(arena: Arena, bounds: ProvenBounds, component: Component, guess: Guess) -> Mixed | None:
    """The mixture that a guess comes near, with bounds of all values; None where that there is one cannot be shown."""
    try:
        with ctx.workprec(bounds.point.places + GUARD_BITS):
            return _Mixing(arena, bounds, component, guess).proved()
    except (TooLong, ZeroDivisionError):  # a system without a unique solution for all of the box
        return None


def _bisect(component: Component, local: int, pair: tuple[int, int], chosen: Ints) -> Guess | None:
    """One state mixes two rows, in floats: the probability at which both are worth the same, and the others' best rows."""
    low, high, others = 0.0, 1.0, chosen
    for _ in range(STEPS):
        p = (low + high) / 2
        try:
            with component.mixed(local, pair, p):
                others, values = sweeps(component, others, frozen=local)
                worth = component.action_values(values)
        except (NoPureEquilibrium, Singular):  # so play may never end, whatever the probability
            return None
        if worth[pair[0]] > worth[pair[1]]:
            low = p
        else:
            high = p
    return Guess(others, {local: (pair, (low + high) / 2)}) if low > 0 and high < 1 else None


class _Walk(ExactValues):
    """Values in fractions where those of some states are held. ``paying``: else payoffs on the way count nothing."""

    def __init__(self, arena: Arena, rows: Ints, held: Mapping[int, Shared], paying: bool) -> None:
        super().__init__(arena, rows)
        self.paying = paying
        self.hold(held)

    def _row(self, row: int) -> ExactRow:
        kernel, paid = super()._row(row)
        return kernel, paid if self.paying else [fmpq(0)] * self.arena.seats


class _Mixing:
    """The states of a component that mix, on their own. Matrices have a line for each of them and seat."""

    def __init__(self, arena: Arena, bounds: ProvenBounds, component: Component, guess: Guess) -> None:
        self.arena, self.component, self.guess = arena, component, guess
        self.rows = arena.state_rows[:-1].copy()  # of which only the component's are meant
        self.rows[component.states] = component.rows[guess.chosen]
        self.states = [int(component.states[local]) for local in guess.mixed]
        self.pairs = [(int(component.rows[a]), int(component.rows[b])) for (a, b), _ in guess.mixed.values()]
        self.one = fmpz(1) << bounds.point.places
        edges, _ = arena.edges_of(component.rows)
        outside = set(arena.target[edges].tolist()) - set(component.states.tolist()) - {-1}
        units = {state: bounds.units(state) for state in outside}
        self.outside = [
            {state: self._shared([pair[side] for pair in pairs]) for state, pairs in units.items()} for side in (0, 1)
        ]
        self.size = len(self.states) * arena.seats
        self.movers = [place * arena.seats + int(arena.mover[state]) for place, state in enumerate(self.states)]
        arrivals = self._arrivals()
        brought = self._brought()
        self.kernels = [arb_mat(arrivals[side]) for side in (0, 1)]
        self.brought = [arb_mat([[value] for value in brought[side]]) for side in (0, 1)]

    def _shared(self, units: Sequence[int]) -> Shared:
        return Shared(tuple(map(fmpz, units)), self.one)

    def _walk(self, mixing: Mapping[int, Shared], side: int | None) -> _Walk:
        """``side``: whether lower (0) or upper (1) bounds hold outside; None: arrivals are counted, and nothing is paid."""
        nothing = self._shared([0] * self.arena.seats)
        outside = dict.fromkeys(self.outside[0], nothing) if side is None else self.outside[side]
        held = {**outside, **dict.fromkeys(self.states, nothing), **mixing}
        return _Walk(self.arena, self.rows, held, side is not None)

    def _arrivals(self) -> list[list[list[fmpq]]]:
        """K of the first and of the second rows."""
        n = self.arena.seats
        found = [[[fmpq(0)] * self.size for _ in range(self.size)] for _ in (0, 1)]
        once = Shared((self.one, *[fmpz(0)] * (n - 1)), self.one)
        for to, state in enumerate(self.states):
            walk = self._walk({state: once}, None)
            for place, pair in enumerate(self.pairs):
                for side, row in enumerate(pair):
                    arriving = walk.row_values(row)
                    for seat in range(n):
                        for turned in range(n):
                            share = fmpq(arriving.tops[turned], arriving.bottom)
                            found[side][place * n + seat][to * n + (seat - turned) % n] = share
        return found

    def _brought(self) -> list[list[arb]]:
        """g of the first and of the second rows."""
        walks = [self._walk({}, side) for side in (0, 1)]
        return [
            [
                arb(fmpq(low.tops[seat], low.bottom)).union(arb(fmpq(high.tops[seat], high.bottom)))
                for pair in self.pairs
                for low, high in [[walk.row_values(pair[side]) for walk in walks]]
                for seat in range(self.arena.seats)
            ]
            for side in (0, 1)
        ]

    def at(self, p: Sequence[arb]) -> tuple[arb_mat, arb_mat, arb_mat]:
        """The values of the mixing states, D, and its derivatives. ZeroDivisionError where the values may not be unique."""
        n, size, many = self.arena.seats, self.size, len(p)
        (k1, k2), (g1, g2) = self.kernels, self.brought
        first, one = arb_mat(size, size), arb_mat(size, size, 1)
        for line in range(size):
            first[line, line] = p[line // n]
        second = one - first
        system = one - (first * k1 + second * k2)
        values = system.solve(first * g1 + second * g2)
        differ = (k1 - k2) * values + (g1 - g2)
        moved = arb_mat(size, many)
        for line in range(size):
            moved[line, line // n] = differ[line, 0]
        slopes = (k1 - k2) * system.solve(moved)
        return (
            values,
            arb_mat([[differ[line, 0]] for line in self.movers]),
            arb_mat([[slopes[line, column] for column in range(many)] for line in self.movers]),
        )

    def root(self) -> list[arb] | None:
        """Boxes of the probabilities in which there is one root; None where that is not shown."""
        middle = [arb(p) for _, p in self.guess.mixed.values()]
        for _ in range(NEWTON):
            _, differ, slopes = self.at(middle)
            step = slopes.solve(differ)
            if all(value.contains(0) for value in step.entries()):
                break
            middle = [(p - s).mid() for p, s in zip(middle, step.entries(), strict=True)]
            if not all(0 < p < 1 for p in middle):
                return None
        _, differ, slopes = self.at(middle)
        inverse, many = slopes.mid().inv().mid(), len(middle)
        start = [p - s for p, s in zip(middle, (inverse * differ).entries(), strict=True)]
        reached = start
        for _ in range(WIDER):
            box = [
                arb(p, 2 * (near - p).abs_upper() + arb(2) ** -ctx.prec)
                for p, near in zip(middle, reached, strict=True)
            ]
            rest = arb_mat(many, many, 1) - inverse * self.at(box)[2]
            wide = rest * arb_mat([[x - p] for x, p in zip(box, middle, strict=True)])
            reached = [a + b for a, b in zip(start, wide.entries(), strict=True)]
            if all(x.contains_interior(near) for x, near in zip(box, reached, strict=True)):
                return reached
        return None

    def proved(self) -> Mixed | None:
        """The mixtures and bounds of all values, for every probability that is given."""
        boxes = self.root()
        if boxes is None or not all(0 < p < 1 for p in boxes):
            return None
        values, n, states = self.at(boxes)[0].entries(), self.arena.seats, self.component.states.tolist()
        bounds = list[list[list[int]]]()
        for side in (0, 1):
            units = [_units(value, side, int(self.one)) for value in values]
            held = {state: self._shared(units[place * n : place * n + n]) for place, state in enumerate(self.states)}
            walk = self._walk(held, side)
            walk.ensure(states)
            bounds.append(
                [[_outward(walk.known[s].fraction(k) * int(self.one), side) for k in range(n)] for s in states]
            )
        low, high = bounds
        if (
            max(b - a for floors, roofs in zip(low, high, strict=True) for a, b in zip(floors, roofs, strict=True))
            > WIDEST
        ):
            return None
        mixtures = {
            state: Mixture(pair, Number(*(_end(box, side) for side in (0, 1))))
            for state, pair, box in zip(self.states, self.pairs, boxes, strict=True)
        }
        return Mixed(mixtures, self.component.rows[self.guess.chosen], low, high)


def _end(ball: arb, side: int) -> Fraction:
    """The lower (0) or upper (1) end of a ball."""
    end = (ball.upper() if side else ball.lower()).fmpq()
    return Fraction(int(end.p), int(end.q))


def _outward(value: Fraction, side: int) -> int:
    """Rounded down (0) or up (1)."""
    return -int(-value // 1) if side else int(value // 1)


def _units(ball: arb, side: int, one: int) -> int:
    return _outward(_end(ball, side) * one, side)
