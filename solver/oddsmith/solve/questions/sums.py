"""The distribution of a sum: the chance of every value, with bounds of the errors from rounding and from cutting the
flow of mass off.

*Why floats are enough* for masses that are only ever added, multiplied and divided, but never subtracted: each such
operation is off by a factor of 1 + d, where the absolute value of d is at most u = 2^-53. So if no path from the
beginning to the end passes more than n roundings, a chance is off by a factor between 1 - g and 1 + g, g = n u / (1 - n
u), in whatever order sums are added (Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition, lemma 3.1 and
section 4.2). That holds for small chances as well as for large ones.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from fractions import Fraction
from itertools import accumulate
from typing import Generic, Protocol, TypeVar

from oddsmith.base.exact import Number
from oddsmith.solve.questions.mass_flow import NOWHERE, MarkovChain, mass_levels

MAX_LEVELS = 20_000
MAX_WORK = 4_000_000_000  # transitions carried out, all levels together
FLOAT_ERROR = Fraction(1, 1 << 53)  # by which an operation on floats is off at most, as a part of its result


class BoundedDistribution(Protocol):
    """The distribution of a sum in integer units, with an interval for each chance. ``values``: the listed sums,
    ascending.

    ``base.distributions.Distribution`` is made from it. Unlike that class, it computes chances on demand, from masses
    with rounding errors.
    """

    values: list[int]

    def chance(self, value: int) -> Number:
        """Return the chance that the sum is exactly ``value``."""

    def at_most(self, value: int) -> Number:
        """Return the chance that the sum is at most ``value``."""

    @property
    def total_chance(self) -> Number:
        """The chance of all sums together: less than 1 if some plays are left out."""

    @property
    def beyond(self) -> Number:
        """The chance that the sum is not among the listed ``values``."""


AnyDistribution = TypeVar("AnyDistribution", bound=BoundedDistribution)


class MassDistribution:
    """The distribution of a sum, from the mass that flowed out of a chain.

    ``mass``: the mass by sum. ``settled``: sums up to which all mass has flowed out, ascending, each with the mass lost
    by then. ``rest``: the mass still in play when the flow was cut off. ``whole``: whether only the sums of ``mass``
    are possible. ``partial``: whether some plays are left out, so that the chances do not add up to 1.

    The chance of an event about sums up to x is at least the mass found for it less the lost mass. (Rounding down loses
    mass, but a component solved by floats may pass on a little too much.) It is at most the mass found plus the lost
    mass and, if x is not settled, plus all mass still in play.
    """

    def __init__(
        self, mass: dict[int, Fraction], settled: list[tuple[int, Fraction]], rest: Fraction, whole: bool, partial: bool
    ) -> None:
        self.mass, self.rest, self.whole, self.partial = mass, rest, whole, partial
        self.bounds = [bound for bound, _ in settled]
        self.losses = [lost for _, lost in settled]
        self.values = sorted(mass)
        sums = accumulate((mass[value] for value in self.values), initial=Fraction(0))
        self.sums = list(sums)

    def _chance_of_mass(self, mass: Fraction, value: int) -> Number:
        """Return the chance of an event about sums up to ``value``, given the mass found for the event."""
        place = bisect_left(self.bounds, value)
        lost = self.losses[min(place, len(self.losses) - 1)]
        more = self.rest if place == len(self.bounds) else Fraction(0)
        return Number(max(mass - lost, Fraction(0)), min(mass + lost + more, Fraction(1)))

    def chance(self, value: int) -> Number:
        """Return the chance that the sum is exactly ``value``."""
        return self._chance_of_mass(self.mass.get(value, Fraction(0)), value)

    def at_most(self, value: int) -> Number:
        """Return the chance that the sum is at most ``value``."""
        if self.whole and (not self.values or value >= self.values[-1]):
            return self.total_chance
        return self._chance_of_mass(self.sums[bisect_right(self.values, value)], value)

    @property
    def total_chance(self) -> Number:
        """The chance of all sums together."""
        if not self.partial:
            return Number.of(1)
        lost = self.losses[-1]
        return Number(max(self.sums[-1] - lost, Fraction(0)), min(self.sums[-1] + self.rest + lost, Fraction(1)))

    @property
    def beyond(self) -> Number:
        """The chance that the sum is not among the listed ``values``."""
        if self.whole:
            return Number.of(0)
        least = Fraction(0) if self.partial else self.rest - self.losses[-1]  # what is in play may be left out yet
        return Number(max(least, Fraction(0)), min(self.rest + self.losses[-1], Fraction(1)))


class MirroredDistribution:
    """The distribution of a sum, computed from the distribution of its negative."""

    def __init__(self, other: MassDistribution) -> None:
        self.other = other
        self.values = [-value for value in reversed(other.values)]

    def chance(self, value: int) -> Number:
        """Return the chance that the sum is exactly ``value``."""
        return self.other.chance(-value)

    def at_most(self, value: int) -> Number:
        """Return the chance that the sum is at most ``value``."""
        every, below = self.other.total_chance, self.other.at_most(-value - 1)
        return Number(max(every.lower - below.upper, Fraction(0)), every.upper - below.lower)

    @property
    def total_chance(self) -> Number:
        """The chance of all sums together."""
        return self.other.total_chance

    @property
    def beyond(self) -> Number:
        """The chance that the sum is not among the listed ``values``."""
        return self.other.beyond


Sums = MassDistribution | MirroredDistribution


class FloatDistribution:
    """The distribution of a sum in floats.

    ``mass``: the mass by sum, each with a relative error. ``roundings``: the most roundings along a path from the
    beginning to the end. ``lost``: the mass lost to underflow, in all events together. ``partial``: whether some plays
    are left out.
    """

    def __init__(self, mass: dict[int, Fraction], roundings: int, lost: Fraction, partial: bool) -> None:
        gamma = roundings * FLOAT_ERROR / (1 - roundings * FLOAT_ERROR)
        self.error, self.lost, self.partial = gamma / (1 - gamma), lost, partial
        self.mass = {value: mass[value] for value in sorted(mass)}
        self.values = list(self.mass)
        self.sums = list(accumulate(self.mass.values(), initial=Fraction(0)))

    def _chance_of_mass(self, mass: Fraction) -> Number:
        """Return the chance of an event, given the mass found for it.

        If no plays are left out, the mass of all other events gives further bounds, which are used as well.
        """
        low, high = self._chance_bounds(mass)
        if not self.partial:
            least, most = self._chance_bounds(self.sums[-1] - mass)
            low, high = max(low, 1 - most), min(high, 1 - least)
        return Number(low, min(high, Fraction(1)))

    def _chance_bounds(self, mass: Fraction) -> tuple[Fraction, Fraction]:
        return max(mass * (1 - self.error) - self.lost, Fraction(0)), mass * (1 + self.error) + self.lost

    def chance(self, value: int) -> Number:
        """Return the chance that the sum is exactly ``value``."""
        return self._chance_of_mass(self.mass.get(value, Fraction(0)))

    def at_most(self, value: int) -> Number:
        """Return the chance that the sum is at most ``value``."""
        return self._chance_of_mass(self.sums[bisect_right(self.values, value)])

    @property
    def total_chance(self) -> Number:
        """The chance of all sums together."""
        return self._chance_of_mass(self.sums[-1]) if self.partial else Number.of(1)

    @property
    def beyond(self) -> Number:
        """The chance that the sum is not among the listed ``values``."""
        return Number(Fraction(0), self.lost)


class ConditionalDistribution(Generic[AnyDistribution]):
    """The distribution of a sum under a condition: (all plays - plays that miss it) / chance of the condition.

    ``every``: the distribution over all plays; ``without``: that over the plays that miss the condition. Raises
    ZeroDivisionError if perhaps no play meets the condition.
    """

    def __init__(self, every: AnyDistribution, without: AnyDistribution) -> None:
        self.every, self.without = every, without
        self.share = Number(1 - without.total_chance.upper, 1 - without.total_chance.lower)
        if self.share.lower <= 0:
            raise ZeroDivisionError
        self.values = [value for value in every.values if self.chance(value).upper > 0]

    def _conditional_chance(self, every: Number, without: Number) -> Number:
        low, high = max(every.lower - without.upper, Fraction(0)), max(every.upper - without.lower, Fraction(0))
        return Number(low / self.share.upper, min(high / self.share.lower, Fraction(1)))

    def chance(self, value: int) -> Number:
        """Return the chance that the sum is exactly ``value``."""
        return self._conditional_chance(self.every.chance(value), self.without.chance(value))

    def at_most(self, value: int) -> Number:
        """Return the chance that the sum is at most ``value``."""
        return self._conditional_chance(self.every.at_most(value), self.without.at_most(value))

    @property
    def total_chance(self) -> Number:
        """The chance of all sums together under the condition: 1."""
        return Number.of(1)

    @property
    def beyond(self) -> Number:
        """The chance that the sum is not among the listed ``values``."""
        known = set(self.every.values)
        others = [self.without.chance(value).upper for value in self.without.values if value not in known]
        most = self.without.beyond.upper + sum(others)  # both distributions may be cut off, and not at the same sum
        return self._conditional_chance(self.every.beyond, Number(Fraction(0), min(most, Fraction(1))))


def sum_distribution(chain: MarkovChain, tail: Fraction) -> MassDistribution:
    """Return the distribution of the sum at the end of a chain.

    The distribution is cut off as soon as less than ``tail`` of the mass is still in play.
    """
    ends = chain.step[(chain.target < 0) & (chain.step != NOWHERE)]
    least = int(ends.min()) if len(ends) else 0
    ended: dict[int, Fraction] = {}
    settled: list[tuple[int, Fraction]] = []
    rest, whole = Fraction(1), False
    for count, level in enumerate(mass_levels(chain), 1):
        for value, mass in level.ended.items():
            ended[value] = ended.get(value, Fraction(0)) + mass
        settled.append((level.total + least, level.lost))
        rest, whole = level.alive, level.alive == 0 and not level.dropped
        if rest <= tail or count == MAX_LEVELS or count * len(chain.source) > MAX_WORK:
            break
    return MassDistribution(ended, settled, rest, whole, partial=bool((chain.step == NOWHERE).any()))
