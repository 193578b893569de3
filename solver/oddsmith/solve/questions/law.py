"""The law of a sum along a chain: the chance of every value, each with what rounding and cutting off leave open."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from fractions import Fraction
from itertools import accumulate

from oddsmith.exact import Number
from oddsmith.solve.questions.flow import NOWHERE, MarkovChain, flow

MOST_LEVELS = 20_000
MOST_WORK = 4_000_000_000  # transitions carried out, all levels together


class SumLaw:
    """The law of a sum: what flowed out of a chain.

    ``mass``: by sum. ``settled``: sums up to which all is out, ascending, each with what was lost by then. ``rest``: the mass
    that was still in play when it was cut off. ``whole``: no sum is possible but those of ``mass``. ``partial``: some plays
    are left out, so that the chances do not add up to 1.

    The chance of an event about sums up to x is at least the mass found for it less what was lost. (Rounding down loses mass,
    but a knot solved by floats may pass on a little too much.) It is at most that mass and what was lost, and if x is not
    settled, all that was still in play.
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

    def _number(self, mass: Fraction, value: int) -> Number:
        """The mass of an event about sums up to a value."""
        place = bisect_left(self.bounds, value)
        lost = self.losses[min(place, len(self.losses) - 1)]
        more = self.rest if place == len(self.bounds) else Fraction(0)
        return Number(max(mass - lost, Fraction(0)), min(mass + lost + more, Fraction(1)))

    def chance(self, value: int) -> Number:
        """Of just this sum."""
        return self._number(self.mass.get(value, Fraction(0)), value)

    def at_most(self, value: int) -> Number:
        """Of no more than this sum."""
        if self.whole and (not self.values or value >= self.values[-1]):
            return self.all
        return self._number(self.sums[bisect_right(self.values, value)], value)

    @property
    def all(self) -> Number:
        """Of any sum at all."""
        if not self.partial:
            return Number.of(1)
        lost = self.losses[-1]
        return Number(max(self.sums[-1] - lost, Fraction(0)), min(self.sums[-1] + self.rest + lost, Fraction(1)))

    @property
    def beyond(self) -> Number:
        """Of what is not among the values."""
        if self.whole:
            return Number.of(0)
        return Number(max(self.rest - self.losses[-1], Fraction(0)), self.rest + self.losses[-1])


class ConditionalLaw:
    """The law of a sum under a condition: all plays, less those that do not meet it, over the chance of the condition.

    ZeroDivisionError where it may be that no play meets it.
    """

    def __init__(self, every: SumLaw, without: SumLaw) -> None:
        self.every, self.without = every, without
        self.share = Number(1 - without.all.upper, 1 - without.all.lower)
        if self.share.lower <= 0:
            raise ZeroDivisionError
        self.values = [value for value in every.values if self.chance(value).upper > 0]

    def _number(self, every: Number, without: Number) -> Number:
        low, high = max(every.lower - without.upper, Fraction(0)), max(every.upper - without.lower, Fraction(0))
        return Number(low / self.share.upper, min(high / self.share.lower, Fraction(1)))

    def chance(self, value: int) -> Number:
        """Of just this sum."""
        return self._number(self.every.chance(value), self.without.chance(value))

    def at_most(self, value: int) -> Number:
        """Of no more than this sum."""
        return self._number(self.every.at_most(value), self.without.at_most(value))

    @property
    def beyond(self) -> Number:
        """Of what is not among the values."""
        return self._number(self.every.beyond, self.without.beyond)


def run(chain: MarkovChain, tail: Fraction) -> SumLaw:
    """What flows out of a chain until less than the tail is left in it."""
    ends = chain.step[(chain.target < 0) & (chain.step != NOWHERE)]
    least = int(ends.min()) if len(ends) else 0
    ended: dict[int, Fraction] = {}
    settled: list[tuple[int, Fraction]] = []
    rest, whole = Fraction(1), False
    for count, level in enumerate(flow(chain), 1):
        for value, mass in level.ended.items():
            ended[value] = ended.get(value, Fraction(0)) + mass
        settled.append((level.total + least, level.lost))
        rest, whole = level.alive, level.alive == 0 and not level.dropped
        if rest <= tail or count == MOST_LEVELS or count * len(chain.source) > MOST_WORK:
            break
    return SumLaw(ended, settled, rest, whole, partial=bool((chain.step == NOWHERE).any()))
