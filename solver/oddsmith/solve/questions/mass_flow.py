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
most the true mass. Whatever is missing was counted when it was cut off (``MassLevel.lost_mass``). If units were rounded
up in some places and down in others, one would have to know to which events each error went. A proposal may exceed the
true mass only in a component that is solved by floats. There the residual m - y (I - P) is computed in whole units, and
the absolute values of all its parts are counted: the proposal is right for a mass that differs from m by the residual,
and no event receives more of that difference than its size. So the error of a chance, upwards or downwards, is at most
all that was counted.

Masses have the shape (limbs, states). ``lost_mass`` bounds the mass that rounding took away: the error of any event is
at most that. ``dropped``: whether some mass may have been rounded to nothing, so that a possible event is missing.

*Why limbs do not overflow.* Let ``max_factor`` be the greatest sum of weights into one state, or the greatest
denominator, and less than 2^k. A limb has 61 - k bits, so a carried limb times weights that add up to ``max_factor`` is
below 2^61, which leaves room for the mass that is there already. Limb 0 holds whole masses. Those are at most 1, except
for the expected visits to a component, which are at most the number of rounds that play makes in it.
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


class MassFractionTooLong(Signal):
    """Raised if a fraction becomes too long. The flow then continues in units."""


class FractionMassArithmetic:
    """Arithmetic in which each mass is a fraction, and nothing is ever lost."""

    dtype = object
    lost_mass = Fraction(0)
    may_miss_events = False

    def zeros(self, state_count: int) -> Mass:
        """Return masses of 0 for each of ``state_count`` states."""
        mass: Mass = np.empty((1, state_count), dtype=object)
        mass.fill(fmpq(0))
        return mass

    def initial_mass(self, state_count: int) -> Mass:
        """Return masses of 1 for the first of ``state_count`` states and 0 for the others."""
        mass = self.zeros(state_count)
        mass[0, 0] = fmpq(1)
        return mass

    def mass_per_weight(self, mass: Mass, denominator: Mass) -> Mass:
        """Return the mass per unit of weight in each state: its mass divided by its denominator. Raises
        MassFractionTooLong.
        """
        share: Mass = mass / denominator
        if any(value.q.bit_length() > EXACT_BITS for value in share.flat):
            raise MassFractionTooLong
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


class UnitMassArithmetic(ABC):
    """Arithmetic in which masses are whole units of ``2^-bits``."""

    dtype: type

    def __init__(self, bits: int) -> None:
        self.bits = bits
        self.units = 0
        self.may_miss_events = False

    @property
    def lost_mass(self) -> Fraction:
        """The mass lost to rounding so far."""
        return Fraction(self.units, 1 << self.bits)

    @abstractmethod
    def zeros(self, state_count: int) -> Mass:
        """Return masses of 0 for each of ``state_count`` states."""

    @abstractmethod
    def divide_masses(self, mass: Mass, denominator: Mass) -> Mass:
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

    def initial_mass(self, state_count: int) -> Mass:
        """Return masses of 1 for the first of ``state_count`` states and 0 for the others."""
        mass = self.zeros(state_count)
        mass[:, :1] = self.mass_from_units([1 << self.bits])
        return mass

    def mass_per_weight(self, mass: Mass, denominator: Mass) -> Mass:
        """Return the mass per unit of weight in each state, rounded down. Each state loses fewer units than its
        denominator.
        """
        share = self.divide_masses(mass, denominator)
        self.units += int(denominator.sum())
        self.may_miss_events = self.may_miss_events or bool((mass.any(axis=0) & ~share.any(axis=0)).any())
        return share

    def mass_from_fractions(self, masses: Sequence[Fraction]) -> Mass:
        """Return fractions in units, rounded down."""
        held = [place for place, mass in enumerate(masses) if mass]
        units = [(masses[place].numerator << self.bits) // masses[place].denominator for place in held]
        self.units += len(held)
        self.may_miss_events |= not all(units)
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


class LongIntegerMassArithmetic(UnitMassArithmetic):
    """Units in Python's unbounded integers. ``max_factor``: the greatest denominator."""

    dtype = object

    def __init__(self, max_factor: int) -> None:
        super().__init__(WHOLE_BITS + max_factor.bit_length())

    def zeros(self, state_count: int) -> Mass:
        """Return masses of 0 for each of ``state_count`` states."""
        return np.zeros((1, state_count), dtype=object)

    def divide_masses(self, mass: Mass, denominator: Mass) -> Mass:
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


class LimbMassArithmetic(UnitMassArithmetic):
    """Units in limbs of machine integers.

    ``max_factor``: the greatest sum of factors by which masses are multiplied before ``carry_limbs``.
    """

    dtype = np.int64

    def __init__(self, max_factor: int) -> None:
        bits = 61 - max_factor.bit_length()
        self.point = FixedPoint(bits, 1 - (-LIMB_BITS // bits))
        super().__init__(self.point.binary_places)
        self.dropped = True  # not looked at: that would take as long as all the rest

    def zeros(self, state_count: int) -> Mass:
        """Return masses of 0 for each of ``state_count`` states."""
        return self.point.zeros(state_count)

    def divide_masses(self, mass: Mass, denominator: Mass) -> Mass:
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


def unit_arithmetic(max_factor: int, use_machine_integers: bool) -> UnitMassArithmetic:
    """Return the arithmetic for masses that are multiplied by factors of at most ``max_factor``.

    ``use_machine_integers``: whether to use limbs of machine integers, if these suffice.
    """
    return (
        LimbMassArithmetic(max_factor)
        if use_machine_integers and max_factor.bit_length() <= FACTOR_BITS
        else LongIntegerMassArithmetic(max_factor)
    )


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
    ``increment``: the amount that each transition adds to the sum; at least 0 between states, and any whole number or
    NOWHERE to the end. If the weights of a state add up to less than its denominator, the rest of its mass counts as
    lost.
    """

    denominator: NDArray[Any]
    source: Ints
    target: Ints
    weight: NDArray[Any]
    increment: Ints

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
class MassLevel:
    """The mass of plays whose sum has reached ``sum_so_far``.

    ``ended_mass_by_sum``: the mass that ended from this level, by final sum. ``mass_in_play``: the mass still in play.
    Neither counts plays that are left out, whose last step is NOWHERE. ``lost_mass``: a bound of the error of the
    chance of any event. ``may_miss_events``: whether a possible event may be missing.
    """

    sum_so_far: int
    ended_mass_by_sum: dict[int, Fraction]
    mass_in_play: Fraction
    lost_mass: Fraction
    may_miss_events: bool


def mass_levels(chain: MarkovChain) -> Iterator[MassLevel]:
    """Yield the levels of a chain in ascending order of the sum, until no mass is in play."""
    for level, _, _ in _levels_with_masses(chain):
        yield level


def mass_arriving_at_sum(chain: MarkovChain, target_sum: int) -> tuple[list[Fraction], Fraction]:
    """Return the mass that reaches each state when the sum becomes ``target_sum``, and the lost mass.

    ``target_sum``: a sum above 0. Transitions must add to the sum by steps of 1.
    """
    for level, pending, unit in _levels_with_masses(chain):
        if level.sum_so_far == target_sum - 1 or not pending:
            mass = pending.get(target_sum)
            return unit.state_masses(unit.zeros(chain.states) if mass is None else mass), level.lost_mass
    raise AssertionError("a chain has at least one level")


def _levels_with_masses(
    chain: MarkovChain,
) -> Iterator[tuple[MassLevel, dict[int, Mass], FractionMassArithmetic | UnitMassArithmetic]]:
    """Yield the levels of a chain in ascending order, each with two more items.

    They are a dictionary from each higher level to the mass that has flowed to it so far, and the arithmetic in which
    masses are counted.
    """
    few = len(chain.source) <= EXACT_WORK and not chain.missing_weight.any()
    layout = _SortedTransitions(chain, FractionMassArithmetic() if few else _unit_arithmetic_for(chain))
    pending, work = {0: layout.unit.initial_mass(chain.states)}, 0
    while pending:
        total = min(pending)
        work += len(chain.source)
        try:
            if work > EXACT_WORK and isinstance(layout.unit, FractionMassArithmetic):
                raise MassFractionTooLong
            share = layout.visits_per_weight(pending[total].copy())
        except MassFractionTooLong:
            old, unit = layout.unit, _unit_arithmetic_for(chain)
            pending = {at: unit.mass_from_fractions(old.state_masses(mass)) for at, mass in pending.items()}
            layout = _SortedTransitions(chain, unit)
            share = layout.visits_per_weight(pending[total])
        del pending[total]
        for step, push in layout.onward:
            into = pending.setdefault(total + step, layout.unit.zeros(chain.states))
            push.add_arriving_mass(share, into)
            layout.unit.carry_limbs(into)
            if not into.any():
                del pending[total + step]
        alive = sum(map(layout.unit.total_mass, pending.values()), Fraction(0))
        ended = {total + step: mass for step, mass in layout.ended_mass(share).items() if mass}
        yield MassLevel(total, ended, alive, layout.unit.lost_mass, layout.unit.may_miss_events), pending, layout.unit


def _unit_arithmetic_for(chain: MarkovChain) -> UnitMassArithmetic:
    """Return an arithmetic in units that is wide enough for the weights and denominators of a chain."""
    into = np.zeros(chain.states + 1, dtype=chain.weight.dtype)
    np.add.at(into, chain.target, chain.weight)  # -1, the end, is the last
    return unit_arithmetic(
        1 + max(int(into.max()), int(chain.denominator.max())),
        use_machine_integers=len(chain.source) > MAX_INTEGER_TRANSITIONS,
    )


class _MassTransfer:
    """Moves mass along given transitions: it computes one sum for each target."""

    def __init__(self, source: Ints, target: Ints, weight: NDArray[Any], dtype: type) -> None:
        order = np.argsort(target, kind="stable")
        self.source = source[order]
        self.weight: NDArray[Any] = weight[order].astype(dtype)
        self.targets, self.starts = np.unique(target[order], return_index=True)

    def add_arriving_mass(self, mass_per_weight: Mass, mass: Mass) -> None:
        """Add to ``mass`` the mass that arrives along the transitions. ``mass_per_weight``: mass per unit of weight, by
        state.
        """
        if len(self.source):
            mass[:, self.targets] += self.arriving_masses(mass_per_weight)

    def arriving_masses(self, mass_per_weight: Mass) -> Mass:
        """Return the mass that arrives at each of the targets. ``mass_per_weight``: as for ``add_arriving_mass``."""
        return reduceat(np.add, mass_per_weight[:, self.source] * self.weight, self.starts, axis=1)


@dataclass(frozen=True, eq=False)
class _LayerOfLevel:
    """States and components at one depth of a level.

    ``acyclic_states``: states without transitions to each other. ``denominator``: the denominators of these states.
    ``components``: the components at the same depth. ``outgoing``: the transitions that leave the states and the
    components.
    """

    acyclic_states: Ints
    denominator: NDArray[Any]
    components: list[_Component]
    outgoing: _MassTransfer


class _SortedTransitions:
    """The transitions of a chain, sorted in the order in which mass flows along them, for one kind of arithmetic."""

    def __init__(self, chain: MarkovChain, arithmetic: FractionMassArithmetic | UnitMassArithmetic) -> None:
        self.chain, self.unit = chain, arithmetic
        inner = chain.target >= 0
        self.still = np.flatnonzero(inner & (chain.increment == 0))
        self.layers = list(self._layers())
        moving = np.flatnonzero(inner & (chain.increment > 0))
        self.onward = [
            (int(step), self._transfer_along(moving[chain.increment[moving] == step]))
            for step in np.unique(chain.increment[moving])
        ]
        ending = np.flatnonzero(~inner & (chain.increment != NOWHERE))
        self.ends = _MassTransfer(chain.source[ending], chain.increment[ending], chain.weight[ending], arithmetic.dtype)
        self.lacking = np.flatnonzero(chain.missing_weight)

    def _transfer_along(self, edges: Ints) -> _MassTransfer:
        chain = self.chain
        return _MassTransfer(chain.source[edges], chain.target[edges], chain.weight[edges], self.unit.dtype)

    def _layers(self) -> Iterator[_LayerOfLevel]:
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
            yield _LayerOfLevel(plain, chain.denominator[plain].astype(self.unit.dtype), components, push)

    def visits_per_weight(self, entering_mass: Mass) -> Mass:
        """Return the expected visits to each state within a level, per unit of weight.

        ``entering_mass``: the mass that enters the level, by state; it is changed in place. Raises MassFractionTooLong.
        """
        share = self.unit.zeros(self.chain.states)
        for layer in self.layers:
            arrived = entering_mass[:, layer.acyclic_states]
            busy = bool(arrived.any())
            if busy:
                share[:, layer.acyclic_states] = self.unit.mass_per_weight(arrived, layer.denominator)
            for component in layer.components:
                if entering_mass[:, component.states].any():
                    share[:, component.states] = component.visits_per_weight(
                        entering_mass[:, component.states], self.unit
                    )
                    busy = True
            if busy:
                layer.outgoing.add_arriving_mass(share, entering_mass)
        if isinstance(self.unit, UnitMassArithmetic):
            # Weights fall short only where a player mixes, and those are long: units are then Python's, in one limb.
            self.unit.units += int((share[0, self.lacking] * self.chain.missing_weight[self.lacking]).sum())
        return share

    def ended_mass(self, mass_per_weight: Mass) -> dict[int, Fraction]:
        """Return the mass that ends, by the amount that the last transition adds.

        ``mass_per_weight``: the mass per unit of weight, by state.
        """
        if not len(self.ends.source):
            return {}
        sums = self.ends.arriving_masses(mass_per_weight)
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

    def visits_per_weight(self, entering_mass: Mass, arithmetic: FractionMassArithmetic | UnitMassArithmetic) -> Mass:
        """Return the expected visits to each state, per unit of weight. Raises MassFractionTooLong.

        ``entering_mass``: the mass that enters each state of the component. ``arithmetic``: the arithmetic.
        """
        if isinstance(arithmetic, FractionMassArithmetic):
            return self._visits_in_fractions(entering_mass, arithmetic)
        return (
            self._visits_by_refinement(entering_mass, arithmetic)
            if len(self.states) <= FACTORED_COMPONENT
            else self._visits_by_iteration(entering_mass, arithmetic)
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

    def _visits_in_fractions(self, entering_mass: Mass, arithmetic: FractionMassArithmetic) -> Mass:
        if len(self.states) > EXACT_COMPONENT:
            raise MassFractionTooLong
        visits = fmpq_mat(1, len(self.states), entering_mass[0].tolist()) * self._inverse
        return arithmetic.mass_per_weight(
            np.array([visits.entries()], dtype=object), np.ones(len(self.states), dtype=object)
        )

    @cached_property
    def _factorization(self) -> Any:
        size = len(self.states)
        moves = csc_matrix((self.weight.astype(float), (self.target, self.source)), shape=(size, size))
        return splu((diags(self.denominator.astype(float)) - moves).tocsc())

    def _visits_by_refinement(self, entering_mass: Mass, arithmetic: UnitMassArithmetic) -> Mass:
        """Solve the system by refinement: floats propose a correction for the residual, in whole units, until it
        shrinks no more.

        ``left`` is exactly m - share (D - W), whatever the floats proposed. So the sum of its absolute values bounds
        the error of every event.
        """
        bottom, weight = self.denominator.astype(object), self.weight.astype(object)
        left = np.array(arithmetic.mass_in_units(entering_mass), dtype=object)
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
        arithmetic.units += int(abs(left).sum())
        arithmetic.may_miss_events |= not share.all()  # mass that enters a component reaches all of its states
        return arithmetic.mass_from_units(share.tolist())

    def _visits_by_iteration(self, entering_mass: Mass, arithmetic: UnitMassArithmetic) -> Mass:
        """Solve the system by iteration: mass moves along the transitions until none is left, for at most MAX_ROUNDS
        rounds.
        """
        bottom: NDArray[Any] = self.denominator.astype(arithmetic.dtype)
        push = _MassTransfer(self.source, self.target, self.weight, arithmetic.dtype)
        shares = np.zeros_like(entering_mass)
        for _ in range(MAX_ROUNDS):
            share = arithmetic.mass_per_weight(entering_mass, bottom)
            shares += share
            arithmetic.carry_limbs(shares)
            entering_mass = np.zeros_like(entering_mass)
            push.add_arriving_mass(share, entering_mass)
            if not entering_mass.any():
                break
        arithmetic.units += int(arithmetic.total_mass(entering_mass) * (1 << arithmetic.bits))
        arithmetic.may_miss_events |= not shares.any(axis=0).all()
        return shares
