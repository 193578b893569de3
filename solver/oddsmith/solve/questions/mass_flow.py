"""The distribution of a sum along a Markov chain. Probability mass flows from level to level; the level is the sum so
far.

Between states a transition adds nothing or a positive amount, so mass never flows back to a lower level, and the levels
are processed in ascending order. Within a level, mass moves along the transitions that add nothing: through the layers
of that part of the chain, and through its strongly connected components, in which play can return to a state. For a
mass m that enters a component, the mass that is ever in each of its states is the row vector y = m + y P, in which P
has the chances inside the component: y = m (I - P)^-1. All other transitions take mass to higher levels or end the
game. Only the levels to which mass still flows are held in memory.

*Why units are never rounded up.* Mass is held in fractions as long as these are short, then in whole units that are
only ever rounded down. So every play carries at most its own chance, and for each event, the mass that flows out is at
most the true mass. Whatever is missing was counted when it was cut off (``Level.lost``). If units were rounded up in
some places and down in others, one would have to know to which events each error went. A proposal may exceed the true
mass only in a component that is solved by floats. There the residual m - y (I - P) is computed in whole units, and the
absolute values of all its parts are counted: the proposal is right for a mass that differs from m by the residual, and
no event receives more of that difference than its size. So the error of a chance, upwards or downwards, is at most all
that was counted.

Masses have the shape (limbs, states). ``lost`` bounds the mass that rounding took away: the error of any event is at
most that. ``dropped``: whether some mass may have been rounded to nothing, so that a possible event is missing.

*Why limbs do not overflow.* Let ``most`` be the greatest sum of weights into one state, or the greatest denominator,
and less than 2^k. A limb has 61 - k bits, so a carried limb times weights that add up to ``most`` is below 2^61, which
leaves room for the mass that is there already. Limb 0 holds whole masses. Those are at most 1, except for the expected
visits to a component, which are at most the number of rounds that play makes in it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat, fmpz
from numpy.typing import NDArray
from scipy.sparse import csc_matrix, csr_matrix, diags
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import splu

from oddsmith.base.arrays import Ints, arange, bincount, reduceat
from oddsmith.base.errors import Signal
from oddsmith.graph import concatenated_ranges
from oddsmith.solve.arenas.arena import longest_path_lengths
from oddsmith.solve.numbers import FixedPoint

Mass = NDArray[Any]
EXACT_BITS = 4_000  # of a fraction's denominator: some 1,200 digits
WHOLE_BITS = 192  # of a unit in Python's integers, beside those of the greatest denominator
LIMB_BITS = 100  # of a unit in limbs, at least
FACTOR_BITS = 40  # of what limbs are multiplied with, at most


class LongFraction(Signal):
    """Raised if a fraction becomes too long. The flow then continues in units."""


class FractionMass:
    """Arithmetic in which each mass is a fraction, and nothing is ever lost."""

    dtype = object
    lost = Fraction(0)
    dropped = False

    def zeros(self, states: int) -> Mass:
        """Return masses of 0 for each of ``states`` states."""
        mass: Mass = np.empty((1, states), dtype=object)
        mass.fill(fmpq(0))
        return mass

    def initial_mass(self, states: int) -> Mass:
        """Return masses of 1 for the first of ``states`` states and 0 for the others."""
        mass = self.zeros(states)
        mass[0, 0] = fmpq(1)
        return mass

    def mass_per_weight(self, mass: Mass, denominator: Mass) -> Mass:
        """Return the mass per unit of weight in each state: its mass divided by its denominator. Raises LongFraction."""
        share: Mass = mass / denominator
        if any(value.q.bit_length() > EXACT_BITS for value in share.flat):
            raise LongFraction
        return share

    def carry_limbs(self, mass: Mass) -> None:
        """Do nothing: fractions have no limbs."""

    def state_masses(self, mass: Mass) -> list[Fraction]:
        """Return the mass of each state."""
        nothing = Fraction(0)
        return [Fraction(int(value.p), int(value.q)) if value else nothing for value in mass[0]]

    def total_mass(self, mass: Mass) -> Fraction:
        """Return the mass of all states together."""
        value = sum(mass[0], fmpq(0))
        return Fraction(int(value.p), int(value.q))


class UnitMass(ABC):
    """Arithmetic in which masses are whole units of ``2^-bits``."""

    dtype: type

    def __init__(self, bits: int) -> None:
        self.bits = bits
        self.units = 0
        self.dropped = False

    @property
    def lost(self) -> Fraction:
        """The mass lost to rounding so far."""
        return Fraction(self.units, 1 << self.bits)

    @abstractmethod
    def zeros(self, states: int) -> Mass:
        """Return masses of 0 for each of ``states`` states."""

    @abstractmethod
    def divide(self, mass: Mass, denominator: Mass) -> Mass:
        """Return the mass of each state divided by its denominator, rounded down."""

    @abstractmethod
    def carry_limbs(self, mass: Mass) -> None:
        """Carry from limb to limb in place."""

    @abstractmethod
    def mass_in_units(self, mass: Mass) -> list[int]:
        """Return the number of units in each state."""

    @abstractmethod
    def mass_from_units(self, units: Sequence[int]) -> Mass:
        """Return numbers of units as limbs; the inverse of ``mass_in_units``."""

    def initial_mass(self, states: int) -> Mass:
        """Return masses of 1 for the first of ``states`` states and 0 for the others."""
        mass = self.zeros(states)
        mass[:, :1] = self.mass_from_units([1 << self.bits])
        return mass

    def mass_per_weight(self, mass: Mass, denominator: Mass) -> Mass:
        """Return the mass per unit of weight in each state, rounded down. Each state loses fewer units than its
        denominator.
        """
        share = self.divide(mass, denominator)
        self.units += int(denominator.sum())
        self.dropped = self.dropped or bool((mass.any(axis=0) & ~share.any(axis=0)).any())
        return share

    def from_fractions(self, masses: Sequence[Fraction]) -> Mass:
        """Return fractions in units, rounded down."""
        held = [place for place, mass in enumerate(masses) if mass]
        units = [(masses[place].numerator << self.bits) // masses[place].denominator for place in held]
        self.units += len(held)
        self.dropped |= not all(units)
        mass = self.zeros(len(masses))
        mass[:, held] = self.mass_from_units(units)
        return mass

    def state_masses(self, mass: Mass) -> list[Fraction]:
        """Return the mass of each state."""
        return [Fraction(units, 1 << self.bits) for units in self.mass_in_units(mass)]

    def total_mass(self, mass: Mass) -> Fraction:
        """Return the mass of all states together."""
        sums = np.array([[int(limb.sum())] for limb in mass], dtype=object)
        return Fraction(self.mass_in_units(sums)[0], 1 << self.bits)


class LongUnitMass(UnitMass):
    """Units in Python's unbounded integers. ``most``: the greatest denominator."""

    dtype = object

    def __init__(self, most: int) -> None:
        super().__init__(WHOLE_BITS + most.bit_length())

    def zeros(self, states: int) -> Mass:
        """Return masses of 0 for each of ``states`` states."""
        return np.zeros((1, states), dtype=object)

    def divide(self, mass: Mass, denominator: Mass) -> Mass:
        """Return the mass of each state divided by its denominator, rounded down."""
        return np.asarray(mass // denominator)

    def carry_limbs(self, mass: Mass) -> None:
        """Do nothing: there is one limb."""

    def mass_in_units(self, mass: Mass) -> list[int]:
        """Return the number of units in each state."""
        return [int(units) for units in mass[0]]

    def mass_from_units(self, units: Sequence[int]) -> Mass:
        """Return numbers of units as one limb; the inverse of ``mass_in_units``."""
        return np.array([units], dtype=object)


class LimbUnitMass(UnitMass):
    """Units in limbs of machine integers.

    ``most``: the greatest sum of factors by which masses are multiplied before ``carry_limbs``.
    """

    dtype = np.int64

    def __init__(self, most: int) -> None:
        bits = 61 - most.bit_length()
        self.point = FixedPoint(bits, 1 - (-LIMB_BITS // bits))
        super().__init__(self.point.binary_places)
        self.dropped = True  # not looked at: that would take as long as all the rest

    def zeros(self, states: int) -> Mass:
        """Return masses of 0 for each of ``states`` states."""
        return self.point.zeros(states)

    def divide(self, mass: Mass, denominator: Mass) -> Mass:
        """Return the mass of each state divided by its denominator, rounded down."""
        return self.point.divide(mass, denominator)

    def carry_limbs(self, mass: Mass) -> None:
        """Carry from limb to limb in place."""
        self.point.carry_limbs(mass)

    def mass_in_units(self, mass: Mass) -> list[int]:
        """Return the number of units in each state."""
        return [self.point.units_of_limbs(limbs) for limbs in mass.T.tolist()]

    def mass_from_units(self, units: Sequence[int]) -> Mass:
        """Return numbers of units as limbs; the inverse of ``mass_in_units``."""
        return np.array([self.point.limbs_of_units(each) for each in units], dtype=np.int64).T.reshape(
            self.point.limb_count, -1
        )


def unit_arithmetic(most: int, machine: bool) -> UnitMass:
    """Return the arithmetic for masses that are multiplied by factors of at most ``most``.

    ``machine``: whether to use limbs of machine integers, if these suffice.
    """
    return LimbUnitMass(most) if machine and most.bit_length() <= FACTOR_BITS else LongUnitMass(most)


NOWHERE = int(np.iinfo(np.int64).min)
"""The step of a transition to the end that leaves its plays out of the distribution."""

EXACT_WORK = 200_000  # transitions carried out in fractions, all levels together
EXACT_COMPONENT = 60  # states of a component that is solved in fractions
FACTORED_COMPONENT = 4_000  # states of a component whose system is factored; larger ones are solved by iteration
MAX_ROUNDS = 20_000  # of following mass round a component; what is left then counts as lost
MAX_INTEGER_TRANSITIONS = 30_000  # transitions up to which Python's integers are as quick as limbs


@dataclass(frozen=True, eq=False)
class MarkovChain:
    """A Markov chain whose transitions add to a sum. State 0 is the start.

    A transition leads from ``source`` to ``target`` (-1: the end) with chance ``weight / denominator[source]``.
    ``step``: the amount that each transition adds to the sum; at least 0 between states, and any whole number or
    NOWHERE to the end. If the weights of a state add up to less than its denominator, the rest of its mass counts as
    lost.
    """

    denominator: NDArray[Any]
    source: Ints
    target: Ints
    weight: NDArray[Any]
    step: Ints

    @property
    def states(self) -> int:
        """The number of states."""
        return len(self.denominator)

    @cached_property
    def missing_weight(self) -> NDArray[Any]:
        """The denominator of each state less the sum of its weights."""
        lacking = self.denominator.copy()
        np.subtract.at(lacking, self.source, self.weight)
        return lacking


@dataclass(frozen=True, slots=True)
class Level:
    """The mass of plays whose sum has reached ``total``.

    ``ended``: the mass that ended from this level, by final sum. ``alive``: the mass still in play. Neither counts
    plays that are left out, whose last step is NOWHERE. ``lost``: a bound of the error of the chance of any event.
    ``dropped``: whether a possible event may be missing.
    """

    total: int
    ended: dict[int, Fraction]
    alive: Fraction
    lost: Fraction
    dropped: bool


def mass_levels(chain: MarkovChain) -> Iterator[Level]:
    """Yield the levels of a chain in ascending order of the sum, until no mass is in play."""
    for level, _, _ in _levels_with_masses(chain):
        yield level


def arriving_mass(chain: MarkovChain, total: int) -> tuple[list[Fraction], Fraction]:
    """Return the mass that reaches each state when the sum becomes ``total``, and the lost mass.

    ``total``: a sum above 0. Transitions must add to the sum by steps of 1.
    """
    for level, pending, unit in _levels_with_masses(chain):
        if level.total == total - 1 or not pending:
            mass = pending.get(total)
            return unit.state_masses(unit.zeros(chain.states) if mass is None else mass), level.lost
    raise AssertionError("a chain has at least one level")


def _levels_with_masses(chain: MarkovChain) -> Iterator[tuple[Level, dict[int, Mass], FractionMass | UnitMass]]:
    """Yield each level of a chain, with the masses that flow to higher levels, by level, and the arithmetic of these
    masses.
    """
    few = len(chain.source) <= EXACT_WORK and not chain.missing_weight.any()
    layout = _SortedTransitions(chain, FractionMass() if few else _integer_mass_for(chain))
    pending, work = {0: layout.unit.initial_mass(chain.states)}, 0
    while pending:
        total = min(pending)
        work += len(chain.source)
        try:
            if work > EXACT_WORK and isinstance(layout.unit, FractionMass):
                raise LongFraction
            share = layout.visits(pending[total].copy())
        except LongFraction:
            old, unit = layout.unit, _integer_mass_for(chain)
            pending = {at: unit.from_fractions(old.state_masses(mass)) for at, mass in pending.items()}
            layout = _SortedTransitions(chain, unit)
            share = layout.visits(pending[total])
        del pending[total]
        for step, push in layout.onward:
            into = pending.setdefault(total + step, layout.unit.zeros(chain.states))
            push.add_arriving_mass(share, into)
            layout.unit.carry_limbs(into)
            if not into.any():
                del pending[total + step]
        alive = sum(map(layout.unit.total_mass, pending.values()), Fraction(0))
        ended = {total + step: mass for step, mass in layout.ended_mass(share).items() if mass}
        yield Level(total, ended, alive, layout.unit.lost, layout.unit.dropped), pending, layout.unit


def _integer_mass_for(chain: MarkovChain) -> UnitMass:
    """Return an arithmetic in units that is wide enough for the weights and denominators of a chain."""
    into = np.zeros(chain.states + 1, dtype=chain.weight.dtype)
    np.add.at(into, chain.target, chain.weight)  # -1, the end, is the last
    return unit_arithmetic(
        1 + max(int(into.max()), int(chain.denominator.max())), machine=len(chain.source) > MAX_INTEGER_TRANSITIONS
    )


class _MassTransfer:
    """Moves mass along given transitions: it computes one sum for each target."""

    def __init__(self, source: Ints, target: Ints, weight: NDArray[Any], dtype: type) -> None:
        order = np.argsort(target, kind="stable")
        self.source = source[order]
        self.weight: NDArray[Any] = weight[order].astype(dtype)
        self.targets, self.starts = np.unique(target[order], return_index=True)

    def add_arriving_mass(self, share: Mass, mass: Mass) -> None:
        """Add to ``mass`` the mass that arrives along the transitions. ``share``: mass per unit of weight, by state."""
        if len(self.source):
            mass[:, self.targets] += self.arriving_masses(share)

    def arriving_masses(self, share: Mass) -> Mass:
        """Return the mass that arrives at each of the targets. ``share``: as for ``add_arriving_mass``."""
        return reduceat(np.add, share[:, self.source] * self.weight, self.starts, axis=1)


@dataclass(frozen=True, eq=False)
class _Layer:
    """States and components at one depth of a level.

    ``plain``: states without transitions to each other. ``denominator``: the denominators of these states.
    ``components``: the components at the same depth. ``push``: the transitions that leave the states and the
    components.
    """

    plain: Ints
    denominator: NDArray[Any]
    components: list[_Component]
    push: _MassTransfer


class _SortedTransitions:
    """The transitions of a chain, sorted in the order in which mass flows along them, for one kind of arithmetic."""

    def __init__(self, chain: MarkovChain, unit: FractionMass | UnitMass) -> None:
        self.chain, self.unit = chain, unit
        inner = chain.target >= 0
        self.still = np.flatnonzero(inner & (chain.step == 0))
        self.layers = list(self._layers())
        moving = np.flatnonzero(inner & (chain.step > 0))
        self.onward = [
            (int(step), self._transfer_along(moving[chain.step[moving] == step]))
            for step in np.unique(chain.step[moving])
        ]
        ending = np.flatnonzero(~inner & (chain.step != NOWHERE))
        self.ends = _MassTransfer(chain.source[ending], chain.step[ending], chain.weight[ending], unit.dtype)
        self.lacking = np.flatnonzero(chain.missing_weight)

    def _transfer_along(self, edges: Ints) -> _MassTransfer:
        chain = self.chain
        return _MassTransfer(chain.source[edges], chain.target[edges], chain.weight[edges], self.unit.dtype)

    def _layers(self) -> Iterator[_Layer]:
        """Yield the layers of the part of the chain whose transitions add nothing, predecessors first."""
        chain, still = self.chain, self.still
        source, target = chain.source[still], chain.target[still]
        matrix = csr_matrix((np.ones(len(still), dtype=np.int8), (source, target)), shape=(chain.states,) * 2)
        count, label = connected_components(matrix, directed=True, connection="strong")
        cyclic = bincount(label, minlength=count) > 1
        cyclic[label[source[source == target]]] = True
        order = np.argsort(label[source], kind="stable")
        still, before, after = still[order], label[source[order]], label[target[order]]
        across = before != after
        level = longest_path_lengths(count, before[across], after[across])
        members, starts = np.argsort(label, kind="stable"), np.searchsorted(np.sort(label), arange(count + 1))
        edges = np.searchsorted(before, arange(count + 1))
        by_level, first = np.argsort(level, kind="stable"), np.searchsorted(np.sort(level), arange(level.max() + 2))
        for depth in range(int(level.max()), -1, -1):  # from the longest paths to their ends
            parts = by_level[first[depth] : first[depth + 1]]
            out = concatenated_ranges(edges[parts], edges[parts + 1] - edges[parts])
            plain = members[starts[parts[~cyclic[parts]]]]
            components = [
                _Component(
                    chain,
                    np.sort(members[starts[component] : starts[component + 1]]),
                    still[edges[component] : edges[component + 1]],
                )
                for component in parts[cyclic[parts]]
            ]
            push = self._transfer_along(still[out[across[out]]])
            yield _Layer(plain, chain.denominator[plain].astype(self.unit.dtype), components, push)

    def visits(self, mass: Mass) -> Mass:
        """Return the expected visits to each state within a level, per unit of weight.

        ``mass``: the mass that enters the level, by state; it is changed in place. Raises LongFraction.
        """
        share = self.unit.zeros(self.chain.states)
        for layer in self.layers:
            arrived = mass[:, layer.plain]
            busy = bool(arrived.any())
            if busy:
                share[:, layer.plain] = self.unit.mass_per_weight(arrived, layer.denominator)
            for component in layer.components:
                if mass[:, component.states].any():
                    share[:, component.states] = component.visits(mass[:, component.states], self.unit)
                    busy = True
            if busy:
                layer.push.add_arriving_mass(share, mass)
        if isinstance(self.unit, UnitMass):
            # Weights fall short only where a player mixes, and those are long: units are then Python's, in one limb.
            self.unit.units += int((share[0, self.lacking] * self.chain.missing_weight[self.lacking]).sum())
        return share

    def ended_mass(self, share: Mass) -> dict[int, Fraction]:
        """Return the mass that ends, by the amount that the last transition adds.

        ``share``: the mass per unit of weight, by state.
        """
        if not len(self.ends.source):
            return {}
        sums = self.ends.arriving_masses(share)
        return dict(zip(self.ends.targets.tolist(), self.unit.state_masses(sums), strict=True))


class _Component:
    """A strongly connected component whose transitions add nothing to the sum. Its expected visits solve a linear
    system.
    """

    def __init__(self, chain: MarkovChain, states: Ints, edges: Ints) -> None:
        inside = edges[np.isin(chain.target[edges], states)]
        self.states, self.denominator = states, chain.denominator[states]
        self.source = np.searchsorted(states, chain.source[inside])
        self.target = np.searchsorted(states, chain.target[inside])
        self.weight = chain.weight[inside]

    def visits(self, mass: Mass, unit: FractionMass | UnitMass) -> Mass:
        """Return the expected visits to each state, per unit of weight. Raises LongFraction.

        ``mass``: the mass that enters each state of the component. ``unit``: the arithmetic.
        """
        if isinstance(unit, FractionMass):
            return self._visits_in_fractions(mass, unit)
        return (
            self._visits_by_refinement(mass, unit)
            if len(self.states) <= FACTORED_COMPONENT
            else self._visits_by_iteration(mass, unit)
        )

    @cached_property
    def _inverse(self) -> fmpq_mat:
        size = len(self.states)
        system = [[fmpz(0)] * size for _ in range(size)]
        for state, bottom in enumerate(self.denominator.tolist()):
            system[state][state] += bottom
        for source, target, weight in zip(self.source, self.target, self.weight.tolist(), strict=True):
            system[source][target] -= weight
        return fmpq_mat(size, size, [value for row in system for value in row]).inv()

    def _visits_in_fractions(self, mass: Mass, unit: FractionMass) -> Mass:
        if len(self.states) > EXACT_COMPONENT:
            raise LongFraction
        visits = fmpq_mat(1, len(self.states), mass[0].tolist()) * self._inverse
        return unit.mass_per_weight(np.array([visits.entries()], dtype=object), np.ones(len(self.states), dtype=object))

    @cached_property
    def _factorization(self) -> Any:
        size = len(self.states)
        moves = csc_matrix((self.weight.astype(float), (self.target, self.source)), shape=(size, size))
        return splu((diags(self.denominator.astype(float)) - moves).tocsc())

    def _visits_by_refinement(self, mass: Mass, unit: UnitMass) -> Mass:
        """Solve the system by refinement: floats propose a correction for the residual, in whole units, until it
        shrinks no more.

        ``left`` is exactly m - share (D - W), whatever the floats proposed. So the sum of its absolute values bounds
        the error of every event.
        """
        bottom, weight = self.denominator.astype(object), self.weight.astype(object)
        left = np.array(unit.mass_in_units(mass), dtype=object)
        share: NDArray[Any] = np.zeros(len(left), dtype=object)
        while True:
            proposed = self._factorization.solve(left.astype(float))
            if not np.isfinite(proposed).all():
                break
            better = np.maximum(share + np.array([int(value) for value in proposed], dtype=object), 0)
            rest = left - (better - share) * bottom
            np.add.at(rest, self.target, (better - share)[self.source] * weight)
            if 2 * abs(rest).sum() >= abs(left).sum():
                break
            left, share = rest, better
        unit.units += int(abs(left).sum())
        unit.dropped |= not share.all()  # mass that enters a component reaches all of its states
        return unit.mass_from_units(share.tolist())

    def _visits_by_iteration(self, mass: Mass, unit: UnitMass) -> Mass:
        """Solve the system by iteration: mass moves along the transitions until none is left, for at most MAX_ROUNDS
        rounds.
        """
        bottom: NDArray[Any] = self.denominator.astype(unit.dtype)
        push = _MassTransfer(self.source, self.target, self.weight, unit.dtype)
        shares = np.zeros_like(mass)
        for _ in range(MAX_ROUNDS):
            share = unit.mass_per_weight(mass, bottom)
            shares += share
            unit.carry_limbs(shares)
            mass = np.zeros_like(mass)
            push.add_arriving_mass(share, mass)
            if not mass.any():
                break
        unit.units += int(unit.total_mass(mass) * (1 << unit.bits))
        unit.dropped |= not shares.any(axis=0).all()
        return shares
