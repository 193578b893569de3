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

    def chance_at_most(self, value: int) -> Number:
        """Return the chance that the sum is at most ``value``."""

    @property
    def total_chance(self) -> Number:
        """The chance of all sums together: less than 1 if some plays are left out."""

    @property
    def unlisted_chance(self) -> Number:
        """The chance that the sum is not among the listed ``values``."""


AnyDistribution = TypeVar("AnyDistribution", bound=BoundedDistribution)


class MassDistribution:
    """The distribution of a sum, from the mass that flowed out of a chain.

    ``mass_by_sum``: the mass by sum. ``settled_sums``: sums up to which all mass has flowed out, ascending, each with
    the mass lost by then. ``mass_in_play``: the mass still in play when the flow was cut off. ``lists_all_sums``:
    whether only the sums of ``mass_by_sum`` are possible. ``omits_plays``: whether some plays are left out, so that the
    chances do not add up to 1.

    The chance of an event about sums up to x is at least the mass found for it less the lost mass. (Rounding down loses
    mass, but a component solved by floats may pass on a little too much.) It is at most the mass found plus the lost
    mass and, if x is not settled, plus all mass still in play.
    """

    def __init__(
        self,
        mass_by_sum: dict[int, Fraction],
        settled_sums: list[tuple[int, Fraction]],
        mass_in_play: Fraction,
        lists_all_sums: bool,
        omits_plays: bool,
    ) -> None:
        self.mass_by_sum, self.mass_in_play, self.lists_all_sums, self.omits_plays = (
            mass_by_sum,
            mass_in_play,
            lists_all_sums,
            omits_plays,
        )
        self.bounds = [bound for bound, _ in settled_sums]
        self.losses = [lost for _, lost in settled_sums]
        self.values = sorted(mass_by_sum)
        sums = accumulate((mass_by_sum[value] for value in self.values), initial=Fraction(0))
        self.sums = list(sums)

    def _chance_of_mass(self, mass: Fraction, value: int) -> Number:
        """Return the chance of an event about sums up to ``value``, given the mass found for the event."""
        place = bisect_left(self.bounds, value)
        lost = self.losses[min(place, len(self.losses) - 1)]
        more = self.mass_in_play if place == len(self.bounds) else Fraction(0)
        return Number(max(mass - lost, Fraction(0)), min(mass + lost + more, Fraction(1)))

    def chance(self, value: int) -> Number:
        """Return the chance that the sum is exactly ``value``."""
        return self._chance_of_mass(self.mass_by_sum.get(value, Fraction(0)), value)

    def chance_at_most(self, value: int) -> Number:
        """Return the chance that the sum is at most ``value``."""
        if self.lists_all_sums and (not self.values or value >= self.values[-1]):
            return self.total_chance
        return self._chance_of_mass(self.sums[bisect_right(self.values, value)], value)

    @property
    def total_chance(self) -> Number:
        """The chance of all sums together."""
        if not self.omits_plays:
            return Number.of(1)
        lost = self.losses[-1]
        return Number(
            max(self.sums[-1] - lost, Fraction(0)), min(self.sums[-1] + self.mass_in_play + lost, Fraction(1))
        )

    @property
    def unlisted_chance(self) -> Number:
        """The chance that the sum is not among the listed ``values``."""
        if self.lists_all_sums:
            return Number.of(0)
        least = (
            Fraction(0) if self.omits_plays else self.mass_in_play - self.losses[-1]
        )  # what is in play may be left out yet
        return Number(max(least, Fraction(0)), min(self.mass_in_play + self.losses[-1], Fraction(1)))


class MirroredDistribution:
    """The distribution of a sum, computed from the distribution of its negative."""

    def __init__(self, negative: MassDistribution) -> None:
        self.other = negative
        self.values = [-value for value in reversed(negative.values)]

    def chance(self, value: int) -> Number:
        """Return the chance that the sum is exactly ``value``."""
        return self.other.chance(-value)

    def chance_at_most(self, value: int) -> Number:
        """Return the chance that the sum is at most ``value``."""
        every, below = self.other.total_chance, self.other.chance_at_most(-value - 1)
        return Number(max(every.lower - below.upper, Fraction(0)), every.upper - below.lower)

    @property
    def total_chance(self) -> Number:
        """The chance of all sums together."""
        return self.other.total_chance

    @property
    def unlisted_chance(self) -> Number:
        """The chance that the sum is not among the listed ``values``."""
        return self.other.unlisted_chance


Sums = MassDistribution | MirroredDistribution


class FloatDistribution:
    """The distribution of a sum in floats.

    ``mass_by_sum``: the mass by sum, each with a relative error. ``max_roundings``: the most roundings along a path
    from the beginning to the end. ``lost_mass``: the mass lost to underflow, in all events together. ``omits_plays``:
    whether some plays are left out.
    """

    def __init__(
        self, mass_by_sum: dict[int, Fraction], max_roundings: int, lost_mass: Fraction, omits_plays: bool
    ) -> None:
        gamma = max_roundings * FLOAT_ERROR / (1 - max_roundings * FLOAT_ERROR)
        self.error, self.lost_mass, self.omits_plays = gamma / (1 - gamma), lost_mass, omits_plays
        self.mass_by_sum = {value: mass_by_sum[value] for value in sorted(mass_by_sum)}
        self.values = list(self.mass_by_sum)
        self.sums = list(accumulate(self.mass_by_sum.values(), initial=Fraction(0)))

    def _chance_of_mass(self, mass: Fraction) -> Number:
        """Return the chance of an event, given the mass found for it.

        If no plays are left out, the mass of all other events gives further bounds, which are used as well.
        """
        low, high = self._chance_bounds(mass)
        if not self.omits_plays:
            least, most = self._chance_bounds(self.sums[-1] - mass)
            low, high = max(low, 1 - most), min(high, 1 - least)
        return Number(low, min(high, Fraction(1)))

    def _chance_bounds(self, mass: Fraction) -> tuple[Fraction, Fraction]:
        return max(mass * (1 - self.error) - self.lost_mass, Fraction(0)), mass * (1 + self.error) + self.lost_mass

    def chance(self, value: int) -> Number:
        """Return the chance that the sum is exactly ``value``."""
        return self._chance_of_mass(self.mass_by_sum.get(value, Fraction(0)))

    def chance_at_most(self, value: int) -> Number:
        """Return the chance that the sum is at most ``value``."""
        return self._chance_of_mass(self.sums[bisect_right(self.values, value)])

    @property
    def total_chance(self) -> Number:
        """The chance of all sums together."""
        return self._chance_of_mass(self.sums[-1]) if self.omits_plays else Number.of(1)

    @property
    def unlisted_chance(self) -> Number:
        """The chance that the sum is not among the listed ``values``."""
        return Number(Fraction(0), self.lost_mass)


class ConditionalDistribution(Generic[AnyDistribution]):
    """The distribution of a sum under a condition: (all plays - plays that miss it) / chance of the condition.

    ``all_plays``: the distribution over all plays; ``failing_plays``: that over the plays that miss the condition.
    Raises ZeroDivisionError if perhaps no play meets the condition.
    """

    def __init__(self, all_plays: AnyDistribution, failing_plays: AnyDistribution) -> None:
        self.all_plays, self.failing_plays = all_plays, failing_plays
        self.share = Number(1 - failing_plays.total_chance.upper, 1 - failing_plays.total_chance.lower)
        if self.share.lower <= 0:
            raise ZeroDivisionError
        self.values = [value for value in all_plays.values if self.chance(value).upper > 0]

    def _conditional_chance(self, chance_over_all: Number, chance_when_failing: Number) -> Number:
        low, high = (
            max(chance_over_all.lower - chance_when_failing.upper, Fraction(0)),
            max(chance_over_all.upper - chance_when_failing.lower, Fraction(0)),
        )
        return Number(low / self.share.upper, min(high / self.share.lower, Fraction(1)))

    def chance(self, value: int) -> Number:
        """Return the chance that the sum is exactly ``value``."""
        return self._conditional_chance(self.all_plays.chance(value), self.failing_plays.chance(value))

    def chance_at_most(self, value: int) -> Number:
        """Return the chance that the sum is at most ``value``."""
        return self._conditional_chance(self.all_plays.chance_at_most(value), self.failing_plays.chance_at_most(value))

    @property
    def total_chance(self) -> Number:
        """The chance of all sums together under the condition: 1."""
        return Number.of(1)

    @property
    def unlisted_chance(self) -> Number:
        """The chance that the sum is not among the listed ``values``."""
        known = set(self.all_plays.values)
        others = [self.failing_plays.chance(value).upper for value in self.failing_plays.values if value not in known]
        most = self.failing_plays.unlisted_chance.upper + sum(
            others
        )  # both distributions may be cut off, and not at the same sum
        return self._conditional_chance(self.all_plays.unlisted_chance, Number(Fraction(0), min(most, Fraction(1))))


def sum_distribution(chain: MarkovChain, max_tail_chance: Fraction) -> MassDistribution:
    """Return the distribution of the sum at the end of a chain.

    The distribution is cut off as soon as less than ``max_tail_chance`` of the mass is still in play.
    """
    ends = chain.increment[(chain.target < 0) & (chain.increment != NOWHERE)]
    least = int(ends.min()) if len(ends) else 0
    ended: dict[int, Fraction] = {}
    settled: list[tuple[int, Fraction]] = []
    rest, whole = Fraction(1), False
    for count, level in enumerate(mass_levels(chain), 1):
        for value, mass in level.ended_mass_by_sum.items():
            ended[value] = ended.get(value, Fraction(0)) + mass
        settled.append((level.sum_so_far + least, level.lost_mass))
        rest, whole = level.mass_in_play, level.mass_in_play == 0 and not level.may_miss_events
        if rest <= max_tail_chance or count == MAX_LEVELS or count * len(chain.source) > MAX_WORK:
            break
    return MassDistribution(ended, settled, rest, whole, omits_plays=bool((chain.increment == NOWHERE).any()))
