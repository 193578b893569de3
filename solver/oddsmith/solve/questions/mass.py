"""Probability mass of many states at once: fractions, or whole units that are never rounded up.

Masses have the shape (limbs, states). ``lost`` bounds what rounding took away: no event can be further off than that.
``dropped``: some mass may have been rounded to nothing, so that something possible is missing.

*Why limbs do not overflow.* Let ``most`` be the greatest sum of weights into one state, or the greatest denominator, and
less than 2^k. A limb has 61 - k bits, so a carried limb times weights that add up to ``most`` is below 2^61, with room for what
is there already. Limb 0 holds whole masses. Those are at most 1, but for the visits to a knot, which are at most what play
goes round.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from oddsmith.errors import Signal
from oddsmith.solve.numbers import FixedPoint

Mass = NDArray[Any]
EXACT_BITS = 4_000  # of a fraction's denominator: some 1,200 digits
WHOLE_BITS = 192  # of a unit in Python's integers, beside those of the greatest denominator
LIMB_BITS = 100  # of a unit in limbs, at least
FACTOR_BITS = 40  # of what limbs are multiplied with, at most


class LongFraction(Signal):
    """A fraction longer than anybody wants: go on in units."""


class Fractions:
    """Each mass is a fraction. Nothing is ever lost."""

    dtype = object
    lost = Fraction(0)
    dropped = False

    def zeros(self, states: int) -> Mass:
        """No mass in so many states."""
        mass: Mass = np.empty((1, states), dtype=object)
        mass.fill(fmpq(0))
        return mass

    def start(self, states: int) -> Mass:
        """All mass in the first of so many states."""
        mass = self.zeros(states)
        mass[0, 0] = fmpq(1)
        return mass

    def shares(self, mass: Mass, denominator: Mass) -> Mass:
        """Mass per unit of weight. Raises LongFraction."""
        share: Mass = mass / denominator
        if any(value.q.bit_length() > EXACT_BITS for value in share.flat):
            raise LongFraction
        return share

    def tidy(self, mass: Mass) -> None:
        """Nothing to do: fractions have no limbs."""

    def totals(self, mass: Mass) -> list[Fraction]:
        """The mass of each state."""
        nothing = Fraction(0)
        return [Fraction(int(value.p), int(value.q)) if value else nothing for value in mass[0]]

    def total(self, mass: Mass) -> Fraction:
        """The mass of all states."""
        value = sum(mass[0], fmpq(0))
        return Fraction(int(value.p), int(value.q))


class Units(ABC):
    """Masses in whole units of ``2^-bits``."""

    dtype: type

    def __init__(self, bits: int) -> None:
        self.bits = bits
        self.units = 0
        self.dropped = False

    @property
    def lost(self) -> Fraction:
        """All that was lost so far."""
        return Fraction(self.units, 1 << self.bits)

    @abstractmethod
    def zeros(self, states: int) -> Mass:
        """No mass in so many states."""

    @abstractmethod
    def divide(self, mass: Mass, denominator: Mass) -> Mass:
        """Rounded down."""

    @abstractmethod
    def tidy(self, mass: Mass) -> None:
        """Carry from limb to limb, in place."""

    @abstractmethod
    def join(self, mass: Mass) -> list[int]:
        """The units in each state."""

    @abstractmethod
    def split(self, units: Sequence[int]) -> Mass:
        """The inverse of ``join``."""

    def start(self, states: int) -> Mass:
        """All mass in the first of so many states."""
        mass = self.zeros(states)
        mass[:, :1] = self.split([1 << self.bits])
        return mass

    def shares(self, mass: Mass, denominator: Mass) -> Mass:
        """Mass per unit of weight, rounded down; less than a denominator is lost in each state."""
        share = self.divide(mass, denominator)
        self.units += int(denominator.sum())
        self.dropped = self.dropped or bool((mass.any(axis=0) & ~share.any(axis=0)).any())
        return share

    def from_fractions(self, masses: Sequence[Fraction]) -> Mass:
        """Fractions in units, rounded down."""
        held = [place for place, mass in enumerate(masses) if mass]
        units = [(masses[place].numerator << self.bits) // masses[place].denominator for place in held]
        self.units += len(held)
        self.dropped |= not all(units)
        mass = self.zeros(len(masses))
        mass[:, held] = self.split(units)
        return mass

    def totals(self, mass: Mass) -> list[Fraction]:
        """The mass of each state."""
        return [Fraction(units, 1 << self.bits) for units in self.join(mass)]

    def total(self, mass: Mass) -> Fraction:
        """The mass of all states."""
        sums = np.array([[int(limb.sum())] for limb in mass], dtype=object)
        return Fraction(self.join(sums)[0], 1 << self.bits)


class LongUnits(Units):
    """In Python's integers. ``most``: the greatest denominator."""

    dtype = object

    def __init__(self, most: int) -> None:
        super().__init__(WHOLE_BITS + most.bit_length())

    def zeros(self, states: int) -> Mass:
        """No mass in so many states."""
        return np.zeros((1, states), dtype=object)

    def divide(self, mass: Mass, denominator: Mass) -> Mass:
        """Rounded down."""
        return np.asarray(mass // denominator)

    def tidy(self, mass: Mass) -> None:
        """Nothing to do: there is one limb."""

    def join(self, mass: Mass) -> list[int]:
        """The units in each state."""
        return [int(units) for units in mass[0]]

    def split(self, units: Sequence[int]) -> Mass:
        """The inverse of ``join``."""
        return np.array([units], dtype=object)


class LimbUnits(Units):
    """In limbs of machine integers. ``most``: the greatest sum of factors that masses are multiplied with before ``tidy``."""

    dtype = np.int64

    def __init__(self, most: int) -> None:
        bits = 61 - most.bit_length()
        self.point = FixedPoint(bits, 1 - (-LIMB_BITS // bits))
        super().__init__(self.point.places)
        self.dropped = True  # not looked at: that would take as long as all the rest

    def zeros(self, states: int) -> Mass:
        """No mass in so many states."""
        return self.point.zeros(states)

    def divide(self, mass: Mass, denominator: Mass) -> Mass:
        """Rounded down."""
        return self.point.divide(mass, denominator)

    def tidy(self, mass: Mass) -> None:
        """Carry from limb to limb, in place."""
        self.point.carry(mass)

    def join(self, mass: Mass) -> list[int]:
        """The units in each state."""
        return [self.point.join(limbs) for limbs in mass.T.tolist()]

    def split(self, units: Sequence[int]) -> Mass:
        """The inverse of ``join``."""
        return np.array([self.point.split(each) for each in units], dtype=np.int64).T.reshape(self.point.count, -1)


def units_for(most: int, machine: bool) -> Units:
    """Units for masses that are multiplied with so much at most; ``machine``: in limbs, if they can carry it."""
    return LimbUnits(most) if machine and most.bit_length() <= FACTOR_BITS else LongUnits(most)
