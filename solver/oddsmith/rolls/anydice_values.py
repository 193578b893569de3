"""AnyDice's operations and built-in functions on numbers, sequences and collections of dice, all in integers.

A value is a number, a sequence (a tuple) or a collection of identical dice, whose sum arithmetic uses. The empty die
has no faces; cases that result in it are left out, and the chances of all other cases are scaled to sum to 1.
"""

from __future__ import annotations

import operator as op
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product, repeat
from math import comb, lcm, prod
from typing import Any

from oddsmith.base.errors import RuleFailure
from oddsmith.rolls import pmf
from oddsmith.rolls.pmf import Pmf
from oddsmith.rolls.pools import Pool, total_with_limited_explosions

MAX_FACES = 200_000
MAX_NUMBER_BITS = 20_000  # of one number
MAX_WEIGHT_BITS = 100_000  # bits of the weight of all cases together
MAX_RESULT_BITS = 50_000_000  # bits of all weights of one result
MAX_CALL_CASES = 300_000  # in which a function is called


@dataclass(frozen=True, eq=False)
class Dice:
    """A collection of identical dice. ``count``: the number of dice; ``die``: the distribution of one die."""

    count: int
    die: Pmf

    @property
    def has_no_faces(self) -> bool:
        """Whether the die has no faces."""
        return not self.die.weights

    @cached_property
    def sum_distribution(self) -> Pmf:
        """The distribution of the sum of the dice."""
        if self.count == 1 or self.has_no_faces:
            return self.die
        _check_digit_count(
            self.die.total**self.count if self.count < MAX_WEIGHT_BITS else 1 << MAX_WEIGHT_BITS, self.count
        )
        return pmf.iid_sum(self.count, self.die)

    @cached_property
    def cache_key(self) -> tuple[Any, ...]:
        """The key by which results for these dice are cached: only equal collections have equal keys."""
        return self.count, *sorted(self.die.weights.items())


Sequenced = tuple[int, ...]
Value = int | Sequenced | Dice
Cases = list[tuple[Value, int]]

EMPTY_PMF = Pmf({}, 0)
EMPTY = Dice(0, EMPTY_PMF)
EMPTY_ROLL = Dice(1, EMPTY_PMF)  # a rolled number of empty dice is one die


def cache_key(value: Value) -> Any:
    """Return the key by which results for a value are cached: only equal values have equal keys."""
    return value.cache_key if isinstance(value, Dice) else value


def one_die(weights: Pmf) -> Dice:
    """Return a collection of one die with this distribution. Raises RuleFailure if the weights have too many digits."""
    if not weights.weights:
        return EMPTY
    _check_digit_count(weights.total, len(weights.weights))
    return Dice(
        1,
        Pmf.from_weights(weights.weights, is_yes_or_no=weights.is_yes_or_no)
        if weights.total.bit_length() > 64
        else weights,
    )


def _check_digit_count(total: int, count: int) -> None:
    bits = total.bit_length()
    if bits > MAX_WEIGHT_BITS or bits * count > MAX_RESULT_BITS:
        raise RuleFailure(
            "OD417", "the exact chances in this step have too many digits", "take fewer dice or fewer rounds"
        )


def distribution_in_output(value: Value) -> Pmf:
    """Return the distribution that ``output`` shows for a value.

    Dice show their sum. A sequence is shown as a die whose faces are the numbers of the sequence.
    """
    if isinstance(value, Dice):
        return value.sum_distribution
    return pmf.uniform(value) if isinstance(value, tuple) else Pmf.point_mass(value)


def sum_of_value(value: Value) -> int | Dice:
    """Return the sum of a sequence; for dice, one die that is distributed as their sum; a number as it is."""
    if isinstance(value, Dice):
        return value if value.count == 1 else one_die(value.sum_distribution)
    return sum(value) if isinstance(value, tuple) else value


def as_sequence(value: Value) -> Sequenced:
    """Return a value as a sequence of numbers. Dice yield the distinct values of their sum."""
    if isinstance(value, Dice):
        return tuple(int(each) for each in value.sum_distribution.values)
    return value if isinstance(value, tuple) else (value,)


def mixture(weighted_values: Iterable[tuple[Value, int]]) -> Dice:
    """Return the mixture of several values as one die. Empty dice are left out.

    ``weighted_values``: the values with their weights. Raises RuleFailure if there are too many values.
    """
    numbers, others = dict[pmf.Value, int](), dict[Dice, int]()
    for value, weight in weighted_values:
        number = sum(value) if isinstance(value, tuple) else value
        if isinstance(number, int):
            numbers[number] = numbers.get(number, 0) + weight
        elif not number.has_no_faces:
            others[number] = others.get(number, 0) + weight
    if sum(len(each.sum_distribution.weights) for each in others) > 100 * pmf.MAX_VALUES:
        raise RuleFailure("OD417", "too many different results are put together here", "take fewer dice")
    shared = lcm(*{each.sum_distribution.total for each in others})
    _check_digit_count(shared, 1)
    found = {value: weight * shared for value, weight in numbers.items()}
    for each, weight in others.items():
        factor = weight * (shared // each.sum_distribution.total)
        for face, chance in each.sum_distribution.weights.items():
            found[face] = found.get(face, 0) + chance * factor
    return one_die(Pmf(found, sum(found.values())))


def text_in_output_name(value: Value) -> str:
    """Return the text of a value in the name of an output.

    A number is written in digits, and dice as in 3d6. Sequences, and faces other than 1 to n, are written as {?}.
    """
    if isinstance(value, int):
        return str(value)
    if isinstance(value, tuple):
        return "{?}" if value else "{}"
    if value.has_no_faces:
        return "d{}"
    faces = value.die.values
    plain = len(set(value.die.weights.values())) == 1 and faces == [*range(1, len(faces) + 1)]
    return f"{value.count if value.count > 1 else ''}d{len(faces) if plain else '{?}'}"


# --- operations


def _quotient(left: int, right: int) -> int:
    if not right:
        return 0
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def _power(base: int, exponent: int) -> int:
    if exponent < 0:
        if not base:
            raise RuleFailure("OD417", "0 has no negative power", "")
        return (base if exponent % 2 else 1) if abs(base) == 1 else 0
    if base.bit_length() * exponent > MAX_NUMBER_BITS:
        raise RuleFailure("OD417", f"this power has over {MAX_NUMBER_BITS:,} binary digits", "take a smaller exponent")
    return int(base**exponent)


def _product(left: int, right: int) -> int:
    if left.bit_length() + right.bit_length() > MAX_NUMBER_BITS:
        raise RuleFailure("OD417", f"this product has over {MAX_NUMBER_BITS:,} binary digits", "take smaller numbers")
    return left * right


NUMBERS: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": _product,
    "/": _quotient,
    "^": _power,
    "=": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b),
    ">": lambda a, b: int(a > b),
    "<=": lambda a, b: int(a <= b),
    ">=": lambda a, b: int(a >= b),
    "&": lambda a, b: int(a != 0 and b != 0),
    "|": lambda a, b: int(a != 0 or b != 0),
}
COMPARE_FUNCTIONS: dict[str, Callable[[Any, Any], bool]] = {
    "=": op.eq, "!=": op.ne, "<": op.lt, ">": op.gt, "<=": op.le, ">=": op.ge
}  # fmt: skip


@lru_cache(maxsize=4096)
def binary_operation(sign: str, left: Value, right: Value) -> Value:
    """Return the result of a binary operation. ``sign``: the operator, other than ``@`` and ``d``."""
    if isinstance(left, int) and isinstance(right, int):
        return NUMBERS[sign](left, right)
    if sign in COMPARE_FUNCTIONS and not isinstance(left, Dice) and not isinstance(right, Dice):
        return _compare_sequences(sign, left, right)
    one, two = sum_of_value(left), sum_of_value(right)
    if isinstance(one, int) and isinstance(two, int):
        return NUMBERS[sign](one, two)
    gone = isinstance(one, Dice) and one.has_no_faces, isinstance(two, Dice) and two.has_no_faces
    if any(gone):
        if all(gone) or sign not in ("+", "-", "|"):
            return EMPTY
        one, two = 0 if gone[0] else one, 0 if gone[1] else two
        if isinstance(one, int) and isinstance(two, int):
            return NUMBERS[sign](one, two)
    return one_die(_combine_dice(sign, distribution_in_output(one), distribution_in_output(two)))


def _compare_sequences(sign: str, left: int | Sequenced, right: int | Sequenced) -> int:
    """Return 1 or 0 for a lexicographic comparison of two sequences.

    If one operand is a number, return for how many numbers of the sequence the comparison holds.
    """
    compare = COMPARE_FUNCTIONS[sign]
    if isinstance(left, tuple) and isinstance(right, tuple):
        return int(compare(left, right))
    if isinstance(left, tuple):
        return sum(map(compare, left, repeat(right)))
    assert isinstance(right, tuple)
    return sum(map(compare, repeat(left), right))


def _combine_dice(sign: str, left: Pmf, right: Pmf) -> Pmf:
    if sign in ("+", "-"):
        spread = sum(int(each.values[-1] - each.values[0]) for each in (left, right))
        if min(spread, len(left.weights) * len(right.weights)) > 4 * pmf.MAX_VALUES:
            raise RuleFailure("OD417", "this sum has too many values", "take fewer dice")
        return pmf.add(left, right if sign == "+" else right.affine(-1, 0))
    if sign in COMPARE_FUNCTIONS:
        return pmf.comparison({"=": "=="}.get(sign, sign), left, right)
    if sign in ("&", "|"):
        left, right = (each.mapped(lambda value: int(value != 0)) for each in (left, right))
    found = NUMBERS[sign]
    if right.constant_value is not None:
        fixed = int(right.constant_value)
        return left.affine(fixed, 0) if sign == "*" else left.mapped(lambda value: found(int(value), fixed))
    return pmf.combine(lambda a, b: found(int(a), int(b)), left, right, is_yes_or_no=sign in ("&", "|"))


@lru_cache(maxsize=4096)
def unary_operation(sign: str, value: Value) -> Value:
    """Return the result of a unary operation.

    ``sign``: the operator. ``+`` and ``-`` are as usual. ``#`` gives the number of digits, elements or dice; ``d`` a die
    with these faces; ``!`` 1 if the value is 0, else 0.
    """
    if sign == "+":
        return value
    if sign == "#":
        return _number_of_elements(value)
    if sign == "d":
        return value if isinstance(value, Dice) else Dice(1, die_of(value)) if value != () else EMPTY
    if sign == "-":
        if isinstance(value, Dice):
            return value if value.has_no_faces else Dice(value.count, value.die.affine(-1, 0))
        return -(sum(value) if isinstance(value, tuple) else value)
    number = sum_of_value(value)
    if isinstance(number, int):
        return int(number == 0)
    return number if number.has_no_faces else one_die(number.die.mapped(lambda face: int(face == 0), is_yes_or_no=True))


def _number_of_elements(value: Value) -> int:
    if isinstance(value, int):
        return len(str(abs(value)))
    return value.count if isinstance(value, Dice) else len(value)


def die_of(faces: Value) -> Pmf:
    """Return the distribution of one die.

    ``faces``: a number n for the faces 1 to n (or n to -1 if n is negative), a sequence of faces, or dice, whose sums
    are the faces.
    """
    if isinstance(faces, Dice):
        return faces.sum_distribution
    if isinstance(faces, tuple):
        return pmf.uniform(faces)
    if not faces:
        return Pmf.point_mass(0)
    if abs(faces) > MAX_FACES:
        raise RuleFailure("OD417", f"this die has over {MAX_FACES:,} faces", "take fewer faces")
    return pmf.uniform(range(1, faces + 1) if faces > 0 else range(faces, 0))


@lru_cache(maxsize=4096)
def roll_dice(count: Value, faces: Value) -> Value:
    """Return ``count`` dice with these faces. If ``count`` is random, return one die that is distributed as the sum."""
    number = sum_of_value(count)
    if isinstance(number, Dice):
        die = die_of(faces)
        if number.has_no_faces or not die.weights:
            return EMPTY_ROLL
        spread = (die.values[-1] - die.values[0] + 1) * sum(abs(int(each)) for each in number.die.weights)
        if spread > 100 * pmf.MAX_VALUES:
            raise RuleFailure("OD417", "so many dice, whose number is rolled, take too long", "roll fewer dice")
        return mixture((identical_dice(int(each), die), weight) for each, weight in number.die.weights.items())
    if number == 1 and isinstance(faces, Dice):
        return faces
    return identical_dice(number, die_of(faces))


def identical_dice(count: int, die: Pmf) -> Dice:
    """Return a collection of ``abs(count)`` identical dice. If ``count`` is negative, the faces are negated.

    If ``count`` is 0, the result is one die that always shows 0.
    """
    if not die.weights:
        return EMPTY
    if not count:
        return Dice(1, Pmf.point_mass(0))
    return Dice(count, die) if count > 0 else Dice(-count, die.affine(-1, 0))


# --- positions


def sum_at_positions(positions: Value, value: Value, highest_first: bool) -> Value:
    """Return the number at a position of a value, or the sum of the numbers at several positions.

    ``positions``: a position from 1, or a sequence of positions. A position beyond the ends counts 0.
    ``highest_first``: dice are sorted from the highest, and the digits of a number are counted from the left. Raises
    RuleFailure if ``positions`` is dice.
    """
    if isinstance(positions, Dice):
        raise RuleFailure("OD417", "a position is a number or a sequence, not dice", "let a function take it as X:n")
    wanted = positions if isinstance(positions, tuple) else (positions,)
    if isinstance(value, Dice):
        return value if value.has_no_faces else sum_at_ranks(wanted, value, highest_first)
    sign = 1
    if isinstance(value, int):
        sign = -1 if value < 0 else 1
        value = tuple(map(int, str(abs(value))))[:: 1 if highest_first else -1]
    return sign * sum(value[place - 1] for place in wanted if 0 < place <= len(value))


def sum_at_ranks(ranks: Iterable[int], dice: Dice, highest_first: bool = True) -> Dice:
    """Return the sum of the sorted dice at given positions, as one die.

    ``ranks``: the positions from 1. ``highest_first``: whether the dice are sorted from the highest or from the
    lowest.
    """
    wanted: dict[int, int] = {}
    for place in ranks:
        if 0 < place <= dice.count:
            rank = place - 1 if highest_first else dice.count - place
            wanted[rank] = wanted.get(rank, 0) + 1
    if not wanted:
        return Dice(1, Pmf.point_mass(0))
    first, last = min(wanted), max(wanted) + 1
    pool = Pool(((dice.count, dice.die),))
    if len(set(wanted.values())) == 1 and len(wanted) == last - first:
        return one_die(pool.keep_ranks(first, last).total_distribution().affine(wanted[first], 0))
    before = [0]
    for rank in range(dice.count):
        before.append(before[-1] + wanted.get(rank, 0))

    def update_state(state: tuple[int, int], face: pmf.Value, count: int) -> tuple[int, int]:
        seen, total = state
        return seen + count, total + int(face) * (before[seen + count] - before[seen])

    return one_die(pool.reduce_faces((0, 0), update_state, lambda state: state[1]))


def sum_of_highest(number: int, parts: Sequence[Value], *, lowest: bool = False) -> Dice:
    """Return, as one die, the sum of the ``number`` highest dice of all ``parts`` together.

    ``lowest``: whether the lowest dice count instead. Numbers among the parts count as dice with one face.
    """
    groups = list[tuple[int, Pmf]]()
    for part in parts:
        if isinstance(part, Dice):
            groups += [(part.count, part.die)] if not part.has_no_faces else []
        else:
            groups += [(1, Pmf.point_mass(each)) for each in (part if isinstance(part, tuple) else (part,))]
    pool = Pool(tuple(groups))
    number = min(number, pool.size)
    first = pool.size - number if lowest else 0
    return (
        one_die(pool.keep_ranks(first, first + number).total_distribution())
        if number > 0
        else Dice(1, Pmf.point_mass(0))
    )


# --- functions


def sorted_hands(dice: Dice, highest_first: bool) -> Cases:
    """Return every sorted sequence that dice can show, with its weight, in AnyDice's order.

    ``highest_first``: whether each sequence is sorted from the highest. Raises RuleFailure if there are too many.
    """
    faces = [int(face) for face in dice.die.values]
    if dice.count == 1:
        return [((face,), dice.die.weights[face]) for face in faces]
    many = comb(dice.count + len(faces) - 1, min(dice.count, len(faces) - 1))
    if many > MAX_CALL_CASES:
        raise RuleFailure("OD417", f"these dice can show {many:,} hands, over {MAX_CALL_CASES:,}", "roll fewer dice")
    if highest_first:
        faces.reverse()
    found: Cases = []
    ways = [[comb(left, shown) for shown in range(left + 1)] for left in range(dice.count + 1)]

    def extend_hand(face_index: int, dice_left: int, hand: Sequenced, weight: int) -> None:
        face = faces[face_index]
        chance = dice.die.weights[face]
        if face_index == len(faces) - 1:
            found.append((hand + (face,) * dice_left, weight * chance**dice_left))
            return
        for shown in range(dice_left, 0, -1):
            more = weight * ways[dice_left][shown] * chance**shown
            if shown < dice_left:
                extend_hand(face_index + 1, dice_left - shown, hand + (face,) * shown, more)
            else:
                found.append((hand + (face,) * shown, more))
        extend_hand(face_index + 1, dice_left, hand, weight)

    extend_hand(0, dice.count, (), 1)
    return found


def converted_argument(kind: str, value: Value, highest_first: bool) -> Cases | Value:
    """Return an argument converted to the kind of its parameter.

    The result is one value, or a list of (value, weight) if the function must be called for each of several values.
    ``kind``: ``n`` for a number, ``s`` for a sequence, ``d`` for dice; any other kind leaves the argument as it is.
    """
    if kind == "n":
        number = sum_of_value(value)
        if isinstance(number, Dice):
            return [(int(each), number.die.weights[each]) for each in number.die.values]
        return [(number, 1)] if isinstance(value, tuple) else number
    if kind == "d":
        return value if isinstance(value, Dice) else Dice(1, distribution_in_output(sum_of_value(value)))
    if kind == "s":
        if isinstance(value, Dice):
            return [] if value.has_no_faces else sorted_hands(value, highest_first)
        return (value,) if isinstance(value, int) else value
    return value


def cases_of_arguments(arguments: Sequence[Cases | Value]) -> Iterator[tuple[list[Value], int]]:
    """Yield the arguments of every case, with the weight of the case. The first argument changes fastest.

    ``arguments``: for each parameter, what ``converted_argument`` returns. Raises RuleFailure if there
    are too many cases.
    """
    lists = [each if isinstance(each, list) else [(each, 1)] for each in arguments]
    count = prod(map(len, lists))
    if count > MAX_CALL_CASES:
        raise RuleFailure(
            "OD417", f"a function would be called in {count:,} cases, over {MAX_CALL_CASES:,}", "roll fewer dice"
        )
    for case in product(*reversed(lists)):
        yield [value for value, _ in reversed(case)], prod(weight for _, weight in case)


@dataclass(frozen=True)
class Builtin:
    """A built-in function of AnyDice. ``parameter_kinds``: the kinds of its parameters.

    ``value_of_case``: returns its value in one case. ``value_for_dice``: returns its value for dice directly, without a
    call for each case, or None if that is impossible.
    """

    parameter_kinds: str
    value_of_case: Callable[..., Value]
    value_for_dice: Callable[..., Value | None] | None = None


def _count_in_dice_distribution(values: Value, sequence: Value) -> Value | None:
    if isinstance(values, Dice) or not isinstance(sequence, Dice):
        return None
    listed = values if isinstance(values, tuple) else (values,)
    return Dice(1, Dice(sequence.count, sequence.die.mapped(lambda face: listed.count(int(face)))).sum_distribution)


def _containment_distribution(sequence: Value, number: Value) -> Value | None:
    if not isinstance(sequence, Dice) or sequence.has_no_faces:
        return None
    each = sum_of_value(number)
    if isinstance(each, Dice):
        return mixture((_number_containment_distribution(sequence, int(v)), w) for v, w in each.die.weights.items())
    return _number_containment_distribution(sequence, each)


def _number_containment_distribution(dice: Dice, number: int) -> Dice:
    total = dice.die.total
    lacks = (total - dice.die.weights.get(number, 0)) ** dice.count
    return one_die(pmf.bernoulli(total**dice.count - lacks, total**dice.count))


def _make_extreme_function(sign: int) -> Callable[[Value, Value], Value | None]:
    """Return a function of two values that returns their maximum as one die; None unless both values are dice.

    ``sign``: 1 for the maximum, -1 for the minimum. The function multiplies cumulative weights.
    """

    def extreme_of_dice(left: Value, right: Value) -> Value | None:
        one, two = sum_of_value(left), sum_of_value(right)
        if not isinstance(one, Dice) or not isinstance(two, Dice) or one.has_no_faces or two.has_no_faces:
            return None
        parts = [each.die.weights for each in (one, two)]
        weights, held, before = dict[pmf.Value, int](), [0, 0], 0
        for value in sorted({*parts[0], *parts[1]}, reverse=sign < 0):
            held = [known + part.get(value, 0) for known, part in zip(held, parts, strict=True)]
            weights[value], before = held[0] * held[1] - before, held[0] * held[1]
        return one_die(Pmf.from_weights(weights))

    return extreme_of_dice


def _exploding_sum(dice: Dice, depth: int) -> Dice:
    if dice.has_no_faces:
        return EMPTY
    most = dice.sum_distribution.values[-1]
    return one_die(
        total_with_limited_explosions(dice.sum_distribution, lambda value: value == most, depth, lambda value: value)
    )


def _sum_of_middle(number: int, dice: Dice) -> Value:
    number = min(number, dice.count)
    first = (dice.count - number) // 2
    return dice if dice.has_no_faces else sum_at_ranks(range(first + 1, first + number + 1), dice)


def builtin_functions(highest_first: bool, depth: int) -> dict[tuple[str, ...], Builtin]:
    """Return the built-in functions by the words of their names, with an empty word for each parameter.

    ``highest_first``: whether ``[sort ...]`` sorts from the highest. ``depth``: how often ``[explode ...]`` rolls
    again.
    """

    def sum_of_highest_dice(number: int, *parts: Value) -> Value:
        return sum_of_highest(number, parts)

    def sum_of_lowest_dice(number: int, *parts: Value) -> Value:
        return sum_of_highest(number, parts, lowest=True)

    def sorted_sequence(sequence: Sequenced) -> Value:
        return tuple(sorted(sequence, reverse=highest_first))

    def total(value: Value) -> Value | None:
        return sum_of_value(value) if isinstance(value, Dice) else None

    found = {
        "absolute _": Builtin("n", abs),
        "_ contains _": Builtin("sn", lambda sequence, number: int(number in sequence), _containment_distribution),
        "count _ in _": Builtin(
            "ss", lambda values, sequence: sum(map(values.count, sequence)), _count_in_dice_distribution
        ),
        "explode _": Builtin("d", lambda die: _exploding_sum(die, depth)),
        "maximum of _": Builtin("d", lambda die: 0 if die.has_no_faces else int(die.sum_distribution.values[-1])),
        "highest of _ and _": Builtin("nn", max, _make_extreme_function(1)),
        "lowest of _ and _": Builtin("nn", min, _make_extreme_function(-1)),
        "highest _ of _": Builtin("nd", lambda n, dice: dice if dice.has_no_faces else sum_of_highest_dice(n, dice)),
        "lowest _ of _": Builtin("nd", lambda n, dice: dice if dice.has_no_faces else sum_of_lowest_dice(n, dice)),
        "middle _ of _": Builtin("nd", _sum_of_middle),
        "reverse _": Builtin("s", lambda sequence: sequence[::-1], total),
        "sort _": Builtin("s", sorted_sequence, total),
    }
    for more in (2, 3):
        words = " and ".join("_" * more)
        found[f"highest _ of {words}"] = Builtin("n" + "?" * more, sum_of_highest_dice)
        found[f"lowest _ of {words}"] = Builtin("n" + "?" * more, sum_of_lowest_dice)
    return {tuple(word.strip("_") for word in words.split()): each for words, each in found.items()}
