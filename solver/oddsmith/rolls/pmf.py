"""Random variables as probability mass functions: values with integer weights, and the total of all weights.

Dice that explode without end have infinitely many values. The values below ``tail.least`` are listed, each with its
exact weight. All other values share one weight, the tail. So the chance of each listed value is exact, and so is P(X >=
v) for every v up to ``tail.least``. The mean and the mean square include the tail: they are exact if they follow
linearly from those of the dice, and enclosed by bounds otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import gcd, lcm

from oddsmith.base.distributions import deviation_from_moments
from oddsmith.base.errors import RuleFailure
from oddsmith.base.exact import Number

Value = int | Fraction
MAX_VALUE_PAIRS = 4_000_000  # of values that are met one by one
MAX_VALUES = 60_000
MAX_PACKED_BITS = 1 << 26  # of weights that are multiplied at once
MAX_GAPS_PER_VALUE = 8  # times more places than values, and a list with gaps is not worth packing
MAX_LISTED = 4000
MAX_TERMS = 15_000  # of the sums that give the listed chances
FLINT_BITS = 1 << 19  # bits of a number that is multiplied by another library
INVERSE_SMALLEST_TAIL = 1 << 70  # a tail of less than one part of this many is not listed
INVERSE_SMALLEST_TAIL_OF_KEPT = 1 << 44  # and of many dice of which some are kept, where every value more takes long


@dataclass(frozen=True)
class Tail:
    """The part of a distribution that is not listed. ``weight``: the weight of this part.

    ``least``: a lower bound of the values in this part, or None if no bound is known.

    ``mean``, ``mean_square``: the mean and the mean square of the whole variable, exact or enclosed; None if unknown.
    """

    weight: int
    least: Value | None
    mean: Number | None = None
    mean_square: Number | None = None
    extended: Callable[[int, int], Pmf] | None = None
    """``longer(distance, part)`` returns the same variable with a longer list.

    All values up to ``distance`` above the least value are listed, and then more until the tail is below 1 / ``part``.
    """


@dataclass(frozen=True)
class Pmf:
    """A distribution. ``weights``: the positive weight of each listed value. ``tail``: the part that is not listed.

    ``total``: the sum of the listed weights and of the weight of the tail. ``is_yes_or_no``: whether the variable is
    the answer to a question, with 1 for yes and 0 for no.
    """

    weights: Mapping[Value, int]
    total: int
    tail: Tail | None = None
    is_yes_or_no: bool = False

    @staticmethod
    def from_weights(weights: Mapping[Value, int], *, is_yes_or_no: bool = False) -> Pmf:
        """Return a variable with finitely many values. Weights of 0 are left out, and common factors are cancelled."""
        kept = {int_if_whole(value): weight for value, weight in weights.items() if weight}
        shared = gcd(*kept.values())
        if shared > 1:
            kept = {value: weight // shared for value, weight in kept.items()}
        return Pmf(kept, sum(kept.values()), is_yes_or_no=is_yes_or_no)

    @staticmethod
    def point_mass(value: Value) -> Pmf:
        """Return a variable with a single value."""
        return Pmf({int_if_whole(value): 1}, 1)

    @cached_property
    def values(self) -> list[Value]:
        """The listed values in ascending order."""
        return sorted(self.weights)

    @property
    def constant_value(self) -> Value | None:
        """The value of a variable that has only one; None for any other variable."""
        return next(iter(self.weights)) if len(self.weights) == 1 and self.tail is None else None

    def raw_moment(self, exponent: int) -> Number | None:
        """Return the first or second moment; None if it is unknown. ``exponent``: 1 or 2."""
        if self.tail is not None:
            return self.tail.mean if exponent == 1 else self.tail.mean_square
        if not self.total:
            return None
        return Number.of(sum((Fraction(v) ** exponent * w for v, w in self.weights.items()), Fraction(0)) / self.total)

    @property
    def mean(self) -> Number | None:
        return self.raw_moment(1)

    def chance_below(self, value: Value) -> Number:
        """Return the chance that the variable is less than ``value``, as an enclosure if the tail leaves it open."""
        listed = sum(weight for each, weight in self.weights.items() if each < value)
        extra = 0
        if self.tail is not None and (self.tail.least is None or value > self.tail.least):
            extra = self.tail.weight
        return Number(Fraction(listed, self.total), Fraction(listed + extra, self.total))

    def affine(self, scale: Value, shift: Value) -> Pmf:
        """Return the variable ``scale`` * X + ``shift``, where X is this variable."""
        if scale == 0:
            return Pmf.point_mass(shift)
        weights = {int_if_whole(value * scale + shift): weight for value, weight in self.weights.items()}
        if self.tail is None:
            return Pmf(weights, self.total)
        tail, first, second = self.tail, self.tail.mean, self.tail.mean_square
        least = int_if_whole(tail.least * scale + shift) if tail.least is not None and scale > 0 else None
        new_first = first * scale + shift if first is not None else None
        new_second = None
        if first is not None and second is not None:
            new_second = second * (scale * scale) + first * (2 * scale * shift) + shift * shift
        return Pmf(weights, self.total, Tail(tail.weight, least, new_first, new_second))

    def mapped(self, function: Callable[[Value], Value], *, is_yes_or_no: bool = False) -> Pmf:
        """Return the distribution of a function of the variable. Of a tail, only the weight remains known."""
        found: dict[Value, int] = {}
        for value, weight in self.weights.items():
            result = int_if_whole(function(value))
            found[result] = found.get(result, 0) + weight
        tail = None if self.tail is None else Tail(self.tail.weight, None)
        return Pmf(found, self.total, tail, is_yes_or_no)


def int_if_whole(value: Value) -> Value:
    """Return an integer as an int, and any other value as it is."""
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value


def uniform(values: Iterable[Value]) -> Pmf:
    """Return a die with the given faces, all equally likely. A face that is given several times counts as often."""
    weights: dict[Value, int] = {}
    for value in values:
        weights[int_if_whole(value)] = weights.get(int_if_whole(value), 0) + 1
    return Pmf.from_weights(weights)


def bernoulli(yes_weight: int, total: int, unknown_weight: int = 0) -> Pmf:
    """Return the distribution of the answer to a question: 1 for yes, 0 for no. ``total``: the sum of all weights.

    ``yes_weight``: the weight of yes. ``unknown_weight``: the weight for which the answer is not known. The rest is for
    no.
    """
    return Pmf(
        {value: weight for value, weight in ((0, total - yes_weight - unknown_weight), (1, yes_weight)) if weight},
        total,
        Tail(unknown_weight, None) if unknown_weight else None,
        is_yes_or_no=True,
    )


# --- sums


def add(left: Pmf, right: Pmf) -> Pmf:
    """Return the sum of two independent variables."""
    if (only := right.constant_value) is not None:
        return left.affine(1, only)
    if (only := left.constant_value) is not None:
        return right.affine(1, only)
    total = left.total * right.total
    weights = convolve(left.weights, right.weights)
    if left.tail is None and right.tail is None:
        return Pmf(weights, total)
    ends = [
        this.tail.least + other.values[0] if this.tail.least is not None and other.values else None
        for this, other in ((left, right), (right, left))
        if this.tail is not None
    ]
    least = (
        None
        if None in ends or any(_has_unbounded_tail(each) for each in (left, right))
        else min(e for e in ends if e is not None)
    )
    if least is not None:
        weights = {value: weight for value, weight in weights.items() if value < least}
    first, second = None, None
    one, two = left.mean, right.mean
    if one is not None and two is not None:
        first = one + two
        squares = left.raw_moment(2), right.raw_moment(2)
        if squares[0] is not None and squares[1] is not None:
            second = squares[0] + squares[1] + one * two * 2
    return Pmf(weights, total, Tail(total - sum(weights.values()), least, first, second))


def _has_unbounded_tail(pmf: Pmf) -> bool:
    return pmf.tail is not None and pmf.tail.least is None


def convolve(left: Mapping[Value, int], right: Mapping[Value, int]) -> dict[Value, int]:
    """Return the convolution of two mappings from values to weights: the weight of each sum of two values."""
    if _is_dense(left) and _is_dense(right) and len(left) * len(right) > 400:
        bits = bits_for(sum(left.values()) * sum(right.values()))
        check_packed_bits(bits * (_value_span(left) + _value_span(right)))
        one, two = min(left), min(right)
        return unpack_weights(
            _flint_product(pack_weights(left, one, bits), pack_weights(right, two, bits)), one + two, bits
        )
    check_pair_count(len(left) * len(right))
    found: dict[Value, int] = {}
    for x, v in left.items():
        for y, w in right.items():
            found[x + y] = found.get(x + y, 0) + v * w
    return {int_if_whole(value): weight for value, weight in found.items()}


def _flint_product(left: int, right: int) -> int:
    """Return the product of two integers. The library FLINT multiplies long ones in almost linear time."""
    if min(left.bit_length(), right.bit_length()) < FLINT_BITS:
        return left * right
    from flint import fmpz  # noqa: PLC0415 - loaded where it is worth it

    return int(fmpz(left) * fmpz(right))


def check_pair_count(count: int) -> None:
    """Raise RuleFailure if too many pairs of values would be combined one by one. ``count``: the number of pairs."""
    if count > MAX_VALUE_PAIRS:
        raise RuleFailure(
            "OD417", f"{count:,} pairs of values would be compared, over {MAX_VALUE_PAIRS:,}", "roll fewer dice"
        )


def _is_dense(weights: Mapping[Value, int]) -> bool:
    if not all(isinstance(value, int) for value in weights):
        return False
    return _value_span(weights) <= MAX_GAPS_PER_VALUE * len(weights) + 64


def _value_span(weights: Mapping[Value, int]) -> int:
    """Return the difference between the largest value and the least value."""
    return int(max(weights) - min(weights))


def check_packed_bits(bits: int) -> None:
    """Raise RuleFailure if packed weights would be too long. ``bits``: their length."""
    if bits > MAX_PACKED_BITS:
        raise RuleFailure("OD417", "the exact chances of so many dice are too long", "roll fewer dice")


def bits_for(total: int) -> int:
    """Return the number of bits for one packed weight, a multiple of 8. ``total``: the sum of all weights."""
    bits = total.bit_length() + 1
    return bits + -bits % 8


def pack_weights(weights: Mapping[Value, int], least: Value, bits: int) -> int:
    """Return weights packed into one integer (Kronecker substitution).

    ``least``: the value whose weight takes the lowest ``bits`` bits; each further integer takes the next ``bits`` bits.
    """
    size = bits // 8
    packed = bytearray(size * (int(max(weights) - least) + 1))
    for value, weight in weights.items():
        place = int(value - least) * size
        packed[place : place + size] = weight.to_bytes(size, "little")
    return int.from_bytes(packed, "little")


def unpack_weights(number: int, least: Value, bits: int) -> dict[Value, int]:
    """Return the positive weights by value from an integer that was packed with the same ``least`` and ``bits``."""
    size = bits // 8
    places = number.to_bytes((number.bit_length() + 7) // 8 + size, "little")
    found: dict[Value, int] = {}
    for place in range(len(places) // size):
        weight = int.from_bytes(places[place * size : (place + 1) * size], "little")
        if weight:
            found[least + place] = weight
    return found


@lru_cache(maxsize=256)
def _uniform_sum_counts(count: int, sides: int) -> tuple[int, ...]:
    """Return, for each total from 0, the number of ways to roll it with ``count`` dice with faces 0 to ``sides`` - 1.

    The generating function F = ((1 - x^s) / (1 - x))^n satisfies (1 - x)(1 - x^s) F' = n ((1 - x^s) - s x^(s-1) (1 -
    x)) F, so each coefficient follows from earlier coefficients.
    """
    n, s = count, sides
    most = n * (s - 1)
    ways = [1]

    def ways_of_total(total: int) -> int:
        return ways[total] if total >= 0 else 0

    for k in range(most // 2):
        here, back, more = ways_of_total(k), ways_of_total(k - s + 1), ways_of_total(k - s)
        number = k * here + (k - s + 1) * back - (k - s) * more + n * (here - more - s * back + s * more)
        ways.append(number // (k + 1))
    return tuple(ways[: most // 2 + 1] + ways[: (most + 1) // 2][::-1])


def iid_sum(count: int, die: Pmf) -> Pmf:
    """Return the sum of ``count`` independent variables with the same distribution."""
    if count == 0:
        return Pmf.point_mass(0)
    if die.tail is None:
        values = die.values
        if (len(values) - 1) * count > MAX_VALUES:
            raise RuleFailure(
                "OD417", f"the total of {count} such dice has over {MAX_VALUES:,} values", "roll fewer dice"
            )
        step = values[1] - values[0] if len(values) > 1 else 1
        if len(set(die.weights.values())) == 1 and all(v == values[0] + i * step for i, v in enumerate(values)):
            weight = die.weights[values[0]] ** count
            ways = _uniform_sum_counts(count, len(values))
            return Pmf(
                {int_if_whole(values[0] * count + step * i): w * weight for i, w in enumerate(ways)}, die.total**count
            )
        if _is_dense(die.weights):
            bits = bits_for(die.total**count)
            check_packed_bits(bits * _value_span(die.weights) * count)
            number = pack_weights(die.weights, values[0], bits) ** count
            return Pmf(unpack_weights(number, values[0] * count, bits), die.total**count)
    if die.tail is not None and die.tail.extended is not None and die.mean is not None and count > 1:
        spread = abs(die.mean.upper - die.values[0])
        reach = int(3 * count * spread)
        if die.total.bit_length() * reach * reach * count > MAX_PACKED_BITS * len(die.weights):
            raise RuleFailure("OD417", f"the exact chances of {count} such dice are too long", "roll fewer dice")
        die = die.tail.extended(len(die.weights) + reach, INVERSE_SMALLEST_TAIL)
    result: Pmf | None = None
    while count:
        if count & 1:
            result = die if result is None else add(result, die)
        count >>= 1
        die = add(die, die) if count else die
    assert result is not None
    return result


# --- other functions of two variables


def combine(function: Callable[[Value, Value], Value], left: Pmf, right: Pmf, *, is_yes_or_no: bool = False) -> Pmf:
    """Return the distribution of a function of two independent variables, computed over all pairs of values."""
    check_pair_count(len(left.weights) * len(right.weights))
    found: dict[Value, int] = {}
    for x, v in left.weights.items():
        for y, w in right.weights.items():
            value = int_if_whole(function(x, y))
            found[value] = found.get(value, 0) + v * w
    total = left.total * right.total
    missing = total - sum(found.values())
    return Pmf(found, total, Tail(missing, None) if missing else None, is_yes_or_no)


def comparison(sign: str, left: Pmf, right: Pmf) -> Pmf:
    """Return the distribution of whether a comparison of two independent variables holds: 1 for yes, 0 for no."""
    if sign in (">", "<="):
        less = _is_less(right, left)
        return less if sign == ">" else negated(less)
    if sign in ("<", ">="):
        less = _is_less(left, right)
        return less if sign == "<" else negated(less)
    equal = sum(weight * right.weights.get(value, 0) for value, weight in left.weights.items())
    question = bernoulli(equal, left.total * right.total, _undecided_weight(left, right))
    return question if sign == "==" else negated(question)


def _is_less(left: Pmf, right: Pmf) -> Pmf:
    """Return the distribution of whether the left variable is less than the right one: 1 for yes, 0 for no."""
    less, held, place = 0, 0, 0  # weight of the left values below the right one
    values = left.values
    for value in right.values:
        while place < len(values) and values[place] < value:
            held += left.weights[values[place]]
            place += 1
        less += held * right.weights[value]
    unknown = 0
    if (tail := left.tail) is not None:
        unknown += sum(tail.weight * w for v, w in right.weights.items() if tail.least is None or v > tail.least)
    if (tail := right.tail) is not None:  # all of it lies above what is less than its least value
        for value, weight in left.weights.items():
            if tail.least is None or value >= tail.least:
                unknown += tail.weight * weight
            else:
                less += tail.weight * weight
    if left.tail is not None and right.tail is not None:
        unknown += left.tail.weight * right.tail.weight
    return bernoulli(less, left.total * right.total, unknown)


def _undecided_weight(left: Pmf, right: Pmf) -> int:
    """Return the weight of the cases in which the tails leave open whether two variables are equal."""
    weight = 0
    for this, other in ((left, right), (right, left)):
        if this.tail is not None:
            least = this.tail.least
            weight += this.tail.weight * sum(w for v, w in other.weights.items() if least is None or v >= least)
    if left.tail is not None and right.tail is not None:
        weight += left.tail.weight * right.tail.weight
    return weight


def negated(question: Pmf) -> Pmf:
    """Return the answer to the opposite question: yes and no are exchanged."""
    return Pmf({1 - value: weight for value, weight in question.weights.items()}, question.total, question.tail, True)


def mixture(cases: Iterable[tuple[int, Pmf]], *, is_yes_or_no: bool = False) -> Pmf:
    """Return the mixture of variables. ``cases``: the variables with their integer weights."""
    cases = [(weight, each) for weight, each in cases if weight]
    if len(cases) == 1:
        each = cases[0][1]
        return Pmf(each.weights, each.total, each.tail, is_yes_or_no or each.is_yes_or_no)
    whole, shared = sum(weight for weight, _ in cases), lcm(*(each.total for _, each in cases))
    found: dict[Value, int] = {}
    tail, least, sure = 0, None, True
    moments: list[Number | None] = [Number.of(0), Number.of(0)]
    endless = any(each.tail is not None for _, each in cases)
    for weight, each in cases:
        factor = weight * (shared // each.total)
        for value, times_ in each.weights.items():
            found[value] = found.get(value, 0) + times_ * factor
        if each.tail is not None:
            tail += each.tail.weight * factor
            sure = sure and each.tail.least is not None
            if each.tail.least is not None:
                least = each.tail.least if least is None else min(least, each.tail.least)
        for place in (0, 1) if endless else ():
            held, more = moments[place], each.raw_moment(place + 1)
            moments[place] = None if held is None or more is None else held + more * Fraction(weight, whole)
    if not tail:
        return Pmf.from_weights(found, is_yes_or_no=is_yes_or_no)
    least = least if sure else None
    if least is not None:
        beyond = {value: weight for value, weight in found.items() if value >= least}
        tail += sum(beyond.values())
        found = {value: weight for value, weight in found.items() if value < least}
    return Pmf(found, whole * shared, Tail(tail, least, moments[0], moments[1]), is_yes_or_no)


# --- dice that roll again


def endless_total(
    die: Pmf,
    rolls_again: Callable[[Value], bool],
    gain: Callable[[Value], Value],
    later_total: Pmf | None = None,
    listed_reach: int = 0,
    inverse_tail_chance: int = INVERSE_SMALLEST_TAIL,
) -> Pmf:
    """Return the total gain of a die that is rolled again and again, until ``rolls_again`` is false for its face.

    ``gain``: the gain of each face. ``later_total``: the total gain of all dice after the first, if it differs
    (penetrating dice). ``listed_reach``: values up to this distance above the least value are always listed. Beyond it,
    listing stops once the rest has a chance below 1 / ``inverse_tail_chance``, or after at most ``MAX_LISTED`` values.

    Let S be the total gain. Then E[x^S] = A(x) + B(x) E[x^S], in which A sums over the faces that end the rolling, and
    B over all other faces. So each chance follows from the chances of lesser values, and the moments follow from linear
    equations. Raises RuleFailure if rolling would never end.
    """
    if die.tail is not None:
        raise RuleFailure("OD417", "dice that explode cannot explode again", "write one of them")
    ends, goes = dict[Value, int](), dict[Value, int]()
    for face, weight in die.weights.items():
        part = goes if rolls_again(face) else ends
        part[gain(face)] = part.get(gain(face), 0) + weight
    if not goes:
        return die.mapped(gain)
    if not ends:
        raise RuleFailure(
            "OD417", "these dice are rolled again after every face, so they never end", "leave out a face"
        )
    if later_total is not None:
        first = Pmf.from_weights(ends)
        more = add(Pmf.from_weights(goes), later_total)
        return mixture([(sum(ends.values()), first), (sum(goes.values()), more)])
    if min(goes) < 0 or not all(isinstance(value, int) for value in (*ends, *goes)):
        raise RuleFailure("OD417", "only dice that explode on faces of 0 and more, in whole numbers, are read", "")
    stay = goes.pop(0, 0)
    if not goes:
        return Pmf.from_weights(ends)
    scale = die.total - stay  # (T - stay) w(v) = a(v) + sum of b(e) w(v - e)
    listed, left, end = _list_chances(ends, goes, scale, listed_reach, inverse_tail_chance)
    going = Fraction(sum(goes.values()), scale)
    one = (_weighted_moment(ends, 1, scale) + _weighted_moment(goes, 1, scale)) / (1 - going)
    two = (
        _weighted_moment(ends, 2, scale) + _weighted_moment(goes, 2, scale) + 2 * one * _weighted_moment(goes, 1, scale)
    ) / (1 - going)
    shared = lcm(*(chance.denominator for chance in listed.values()), left.denominator)
    weights = {v: chance.numerator * (shared // chance.denominator) for v, chance in listed.items()}
    beyond = left.numerator * (shared // left.denominator)

    def extended(distance: int, inverse_tail_chance: int) -> Pmf:
        return endless_total(
            die, rolls_again, gain, listed_reach=min(distance, MAX_VALUES), inverse_tail_chance=inverse_tail_chance
        )

    return Pmf(weights, shared, Tail(beyond, end, Number.of(one), Number.of(two), extended))


def _list_chances(
    ending_weights: Mapping[Value, int],
    continuing_weights: Mapping[Value, int],
    denominator: int,
    listed_reach: int,
    inverse_tail_chance: int,
) -> tuple[dict[Value, Fraction], Fraction, int]:
    """Return the listed chances of the total gain by value, the chance of the rest, and the least value of the rest.

    ``ending_weights``, ``continuing_weights``: the weight of each gain, for faces that end the rolling and for all
    others. ``denominator``: the denominator of the weights. ``listed_reach``, ``inverse_tail_chance``: where the list
    ends, as in ``endless_total``.
    """
    listed: dict[Value, Fraction] = {}
    most = min(MAX_LISTED, MAX_TERMS // len(continuing_weights))
    left, low = Fraction(1), int(min((0, *ending_weights)))
    value = low
    while value - low <= listed_reach or (left * inverse_tail_chance > 1 and value - low < most):
        chance = Fraction(ending_weights.get(value, 0), denominator)
        for face, weight in continuing_weights.items():
            if value - face in listed:
                chance += listed[value - face] * Fraction(weight, denominator)
        if chance:
            listed[value] = chance
            left -= chance
        value += 1
    return listed, left, value


def _weighted_moment(weights: Mapping[Value, int], exponent: int, denominator: int) -> Fraction:
    return sum((Fraction(value) ** exponent * weight for value, weight in weights.items()), Fraction(0)) / denominator


def standard_deviation(pmf: Pmf) -> Number | None:
    """Return an enclosure of the standard deviation; None if the moments are unknown."""
    one, two = pmf.raw_moment(1), pmf.raw_moment(2)
    return None if one is None or two is None else deviation_from_moments(one, two)
