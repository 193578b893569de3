"""Pools: several dice that are rolled together, and statistics of them that do not depend on their order.

Computations iterate over the faces from the highest down, not over the dice. A small state summarizes the dice that
show the faces so far, and the number of dice that show the next face is binomial (Liu, "Icepool", AIIDE 2022). So the
number of iterations is the number of faces, even for a hundred dice, and one pool can hold different kinds of dice.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement, product
from math import comb, factorial, lcm, prod
from typing import Any

from oddsmith.base.errors import RuleFailure
from oddsmith.base.exact import Number
from oddsmith.rolls.pmf import (
    INVERSE_SMALLEST_TAIL_OF_KEPT,
    Pmf,
    Tail,
    Value,
    add,
    bits_for,
    endless_total,
    iid_sum,
    int_if_whole,
    mixture,
    unpack_weights,
)

Groups = tuple[tuple[int, Pmf], ...]
MAX_HANDS = 300_000
FEW_DICE = 2  # dice of which all that is rare is listed
MAX_FOLD_STEPS = 1_000_000
INVERSE_RAREST_CASE = 1 << 60  # a pool with so rare a number of further dice is left to the tail


@dataclass(frozen=True)
class FaceGain:
    """A function from faces to gains. ``gain_of``: the gain of a face.

    ``gain_beyond``: the common gain of all faces that are at least a given value, or None if their gains differ.
    """

    gain_of: Callable[[Value], Value]
    gain_beyond: Callable[[Value], Value | None]

    def __call__(self, face: Value) -> Value:
        """Return the gain of a face."""
        return self.gain_of(face)


@dataclass(frozen=True)
class Exploding:
    """The rule that a die brings a further die if it shows a face for which ``rolls_again`` holds.

    ``max_explosions``: how many further dice in a row a die brings at most; None for exploding without end.
    """

    rolls_again: Callable[[Value], bool]
    max_explosions: int | None = None

    def cases_with_chances(self, count: int, die: Pmf) -> Iterator[tuple[Fraction, Groups]]:
        """Yield, for each number of further dice, its chance and the groups of all dice after all explosions.

        ``count``, ``die``: the number of dice that are rolled at first, and the distribution of each. Very rare cases
        are left out. Raises RuleFailure if rolling would never end, or if ``max_explosions`` is more than 1.
        """
        ends, goes, chance = _split_die(die, self.rolls_again)
        if not goes.weights:
            yield Fraction(1), ((count, die),)
            return
        if not ends.weights and self.max_explosions is None:
            raise RuleFailure(
                "OD417", "these dice are rolled again after every face, so they never end", "leave out a face"
            )
        if self.max_explosions == 1:
            for first in range(count + 1):
                weight = comb(count, first) * chance**first * (1 - chance) ** (count - first)
                if weight:
                    yield weight, ((count - first, ends), (first, goes), (first, die))
            return
        if self.max_explosions is not None:
            raise RuleFailure(
                "OD417", "dice that explode a limited number of times cannot be kept apart", "let them explode once"
            )
        more, left = 0, Fraction(1)
        while left * INVERSE_RAREST_CASE > 1:
            weight = comb(count + more - 1, more) * chance**more * (1 - chance) ** count
            yield weight, ((count, ends), (more, goes))
            left -= weight
            more += 1


@dataclass(frozen=True)
class ExplodingWithSharedLimit:
    """The rule that a die brings a further die if it shows a face for which ``rolls_again`` holds.

    ``max_further_dice``: the largest number of further dice in all.
    """

    rolls_again: Callable[[Value], bool]
    max_further_dice: int

    def cases_with_chances(self, count: int, die: Pmf) -> Iterator[tuple[Fraction, Groups]]:
        """Yield, for each number of dice that show an exploding face, its chance and the groups of dice in the end.

        ``count``, ``die``: the number of dice that are rolled at first, and the distribution of each.

        If at most ``max_further_dice`` dice explode, rolling ends at the ``count``-th die that does not explode, so the
        last die does not. If more dice explode, ``count`` + ``max_further_dice`` dice are rolled, and their order is
        free.
        """
        ends, goes, chance = _split_die(die, self.rolls_again)
        for shown in range(self.max_further_dice + count + 1):
            size = count + min(shown, self.max_further_dice)
            orders = comb(size - 1, shown) if shown <= self.max_further_dice else comb(size, shown)
            weight = orders * chance**shown * (1 - chance) ** (size - shown)
            if weight:
                yield weight, ((size - shown, ends), (shown, goes))


@dataclass(frozen=True)
class Rerolling:
    """The rule that dice are rolled again if they show a face for which ``rolls_again`` holds.

    ``max_rerolled_dice``: the largest number of dice that are rolled again. Each is rolled again only once.
    """

    rolls_again: Callable[[Value], bool]
    max_rerolled_dice: int

    def cases_with_chances(self, count: int, die: Pmf) -> Iterator[tuple[Fraction, Groups]]:
        """Yield, for each number of dice that show a face to reroll, its chance and the groups of dice in the end.

        ``count``, ``die``: the number of dice that are rolled at first, and the distribution of each.
        """
        ends, goes, chance = _split_die(die, self.rolls_again)
        for shown in range(count + 1):
            weight = comb(count, shown) * chance**shown * (1 - chance) ** (count - shown)
            again = min(shown, self.max_rerolled_dice)
            if weight:
                yield weight, ((count - shown, ends), (again, die), (shown - again, goes))


def _split_die(die: Pmf, test: Callable[[Value], bool]) -> tuple[Pmf, Pmf, Fraction]:
    """Return the distributions of a die given that its face fails a test and that it passes, and the chance to pass.

    Raises RuleFailure if the die has a tail.
    """
    if die.tail is not None:
        raise RuleFailure("OD417", "dice that explode cannot be rolled again", "write one of the two")
    holds = {value: weight for value, weight in die.weights.items() if test(value)}
    rest = {value: weight for value, weight in die.weights.items() if value not in holds}
    return Pmf.from_weights(rest), Pmf.from_weights(holds), Fraction(sum(holds.values()), die.total)


@dataclass(frozen=True)
class Pool:
    """Dice that are rolled together. ``groups``: the number and the distribution of each kind of dice.

    ``rank_window``: the ranks of the dice that count, as a half-open range; None if all dice count.

    Rank 0 is the highest die. As in slices of Python, a negative rank is counted from the lowest die; an end of 0
    stands for the end of all dice. ``roll_again_rule``: the rule by which dice of the first group explode or are rolled
    again.
    """

    groups: tuple[tuple[int, Pmf], ...]
    rank_window: tuple[int, int] | None = None
    roll_again_rule: Exploding | ExplodingWithSharedLimit | Rerolling | None = None

    @property
    def size(self) -> int:
        """The number of dice before any explosions."""
        return sum(count for count, _ in self.groups)

    @cached_property
    def counted_ranks(self) -> tuple[int, int]:
        """The ranks of the dice that count, as a half-open range. They are not negative; rank 0 is the highest die."""
        if self.rank_window is None:
            return 0, self.size
        first, last = self.rank_window
        first = max(first + self.size, 0) if first < 0 else min(first, self.size)
        return first, max(last + self.size, first) if last <= 0 else max(min(last, self.size), first)

    @property
    def counted_dice_count(self) -> int:
        """The number of dice that count; if the pool ``has_random_size``, the least possible number."""
        first, last = self.counted_ranks
        return last - first

    @property
    def has_random_size(self) -> bool:
        """Whether the number of dice that count depends on how many further dice explosions bring."""
        reaches_both_ends = self.rank_window is None or (self.rank_window[0] >= 0) == (self.rank_window[1] <= 0)
        return isinstance(self.roll_again_rule, Exploding | ExplodingWithSharedLimit) and reaches_both_ends

    @property
    def counts_all_dice(self) -> bool:
        """Whether all dice count."""
        return self.rank_window is None or (self.rank_window == (0, self.size) and self.roll_again_rule is None)

    def keep_ranks(self, first: int, last: int) -> Pool:
        """Return the pool in which, among the dice that count now, only the ranks ``first`` to ``last`` - 1 count."""
        if self.rank_window is None:
            return replace(self, rank_window=(first, last))
        start, end = self.rank_window
        if self.has_random_size:
            return replace(
                self, rank_window=(first + (start if first >= 0 else end), last + (start if last > 0 else end))
            )
        inner = Pool(((self.counted_dice_count, Pmf.point_mass(0)),), (first, last)).counted_ranks
        start = start if self.roll_again_rule else self.counted_ranks[0]
        return replace(self, rank_window=(start + inner[0], start + inner[1]))

    def map_dice(self, function: Callable[[Pmf], Pmf]) -> Pool:
        """Return the pool with a function applied to the distribution of each die."""
        return replace(self, groups=tuple((count, function(each)) for count, each in self.groups))

    # --- numbers

    def total_distribution(self, gain: Callable[[Value], Value] = int_if_whole) -> Pmf:
        """Return the distribution of the sum of the gains of all dice that count. ``gain``: maps a face to its gain."""
        if self.roll_again_rule is not None:
            return self._total_over_cases(gain)
        if self.counts_all_dice:
            sums = Pmf.point_mass(0)
            for count, each in self.groups:
                sums = add(sums, iid_sum(count, each if gain is int_if_whole else _gain_distribution(each, gain)))
            return sums
        return _total_of_counted_ranks(self, gain)

    def _total_over_cases(self, gain: Callable[[Value], Value]) -> Pmf:
        rule = self.roll_again_rule
        if self.rank_window is None and isinstance(rule, Exploding):
            (count, die), *others = self.groups
            one = (
                endless_total(die, rule.rolls_again, gain)
                if rule.max_explosions is None
                else total_with_limited_explosions(die, rule.rolls_again, rule.max_explosions, gain)
            )
            return add(iid_sum(count, one), Pool(tuple(others)).total_distribution(gain))
        gains = [gain(face) for _, each in self.groups for face in each.weights]
        number = self.counted_dice_count
        bounds = None if self.has_random_size else (number * min(gains), number * max(gains))
        return mixture_of_cases(
            ((weight, pool.total_distribution(gain)) for weight, pool in self.cases_with_chances()), bounds
        )

    def cases_with_chances(self) -> Iterator[tuple[Fraction, Pool]]:
        """Yield all cases of explosions and rerolls: the chance of the case, and the pool of the dice in the end."""
        assert self.roll_again_rule is not None
        (count, die), *others = self.groups
        for weight, groups in self.roll_again_rule.cases_with_chances(count, die):
            kept = tuple((number, each) for number, each in (*groups, *others) if number)
            yield weight, Pool(kept, self.rank_window)

    def reduce_faces(
        self,
        initial_state: Hashable,
        update_state: Callable[[Any, Value, int], Hashable],
        value_of_state: Callable[[Any], Value],
    ) -> Pmf:
        """Return the distribution of a fold over the faces of the dice that count, from the highest face.

        ``initial_state``: the initial state. ``update_state(state, face, count)`` returns the next state, if ``count``
        dice show ``face``. ``value_of_state``: returns the value of the last state.
        """
        if self.roll_again_rule is not None:
            return mixture_of_cases(
                (weight, pool.reduce_faces(initial_state, update_state, value_of_state))
                for weight, pool in self.cases_with_chances()
            )
        return _fold_faces(self, initial_state, update_state, value_of_state)

    def weighted_hands(self) -> Iterator[tuple[tuple[Value, ...], int]]:
        """Yield every hand that the dice can show, with its weight. Raises RuleFailure if there are too many hands.

        A hand is the faces of the dice that count, from the highest.
        """
        if self.roll_again_rule is not None:
            raise RuleFailure(
                "OD417", "dice that explode without end show too many different hands", "ask for their total"
            )
        many = prod(comb(count + len(each.weights) - 1, count) for count, each in self.groups)
        if many > MAX_HANDS:
            raise RuleFailure(
                "OD417", f"these dice can show {many:,} different hands, over {MAX_HANDS:,}", "roll fewer dice"
            )
        first, last = self.counted_ranks
        if any(each.tail is not None for _, each in self.groups):
            raise RuleFailure(
                "OD417", "dice that explode without end show too many different hands", "ask for their total"
            )
        found: dict[tuple[Value, ...], int] = {}
        for parts in product(*(list(_hands_of_identical_dice(count, each)) for count, each in self.groups)):
            hand = tuple(sorted((face for faces, _ in parts for face in faces), reverse=True))[first:last]
            found[hand] = found.get(hand, 0) + prod(weight for _, weight in parts)
        yield from found.items()


def _hands_of_identical_dice(count: int, die: Pmf) -> Iterator[tuple[tuple[Value, ...], int]]:
    for faces in combinations_with_replacement(die.values, count):
        weight = factorial(count)
        for face in set(faces):
            shown = faces.count(face)
            weight = weight // factorial(shown) * die.weights[face] ** shown
        yield faces, weight


def _gain_distribution(die: Pmf, gain: Callable[[Value], Value]) -> Pmf:
    """Return the distribution of the gain of one die."""
    found = die.mapped(gain)
    same = None
    if die.tail is not None and die.tail.least is not None and isinstance(gain, FaceGain):
        same = gain.gain_beyond(die.tail.least)
    if same is None or die.tail is None:
        return found
    return Pmf.from_weights({**found.weights, same: found.weights.get(same, 0) + die.tail.weight})


def mixture_of_cases(cases: Iterator[tuple[Fraction, Pmf]], bounds: tuple[Value, Value] | None = None) -> Pmf:
    """Return the mixture of variables. ``cases``: the variables with their chances.

    If the chances sum to less than 1, the rest becomes a tail. ``bounds``: the least and the greatest value of the
    tail, from which its moments are enclosed; None if they are unknown.
    """
    found = list(cases)
    shared = lcm(*(chance.denominator for chance, _ in found))
    whole = [(chance.numerator * (shared // chance.denominator), each) for chance, each in found]
    left = shared - sum(weight for weight, _ in whole)
    if left:
        moments: list[Number | None] = [None, None]
        if bounds is not None:
            low, high = (Fraction(end) for end in bounds)
            most = max(low * low, high * high)
            moments = [Number(low, high), Number(Fraction(0), most)]
        whole.append((left, Pmf({}, 1, Tail(1, None, moments[0], moments[1]))))
    return mixture(whole)


def total_with_limited_explosions(
    die: Pmf, rolls_again: Callable[[Value], bool], max_explosions: int, gain: Callable[[Value], Value]
) -> Pmf:
    """Return the total gain of a die that is rolled again while ``rolls_again`` holds for its face.

    ``max_explosions``: how many times it is rolled again at most. ``gain``: the gain of each face.
    """
    result = die.mapped(gain)
    goes = {value: weight for value, weight in die.weights.items() if rolls_again(value)}
    ends = Pmf.from_weights({value: weight for value, weight in die.weights.items() if not rolls_again(value)})
    for _ in range(max_explosions if goes else 0):
        cases = [(die.total - sum(goes.values()), ends.mapped(gain))]
        cases += [(weight, result.affine(1, gain(face))) for face, weight in goes.items()]
        result = mixture(cases)
    return result


# --- walks over the faces


@dataclass
class _FaceIteration:
    """An iteration over the faces of a pool, in descending order.

    ``ascending``: ascending order instead. ``weights``: for each group of dice, the weight of each face;
    ``later_weights``: for each group and face, the weight of all later faces.
    """

    pool: Pool
    ascending: bool = False

    def __post_init__(self) -> None:
        groups = [each for _, each in self.pool.groups]
        self.faces = sorted({face for each in groups for face in each.weights}, reverse=not self.ascending)
        self.weights = [[each.weights.get(face, 0) for face in self.faces] for each in groups]
        self.later_weights = []
        for weights in self.weights:
            left, rest = sum(weights), list[int]()
            for weight in weights:
                left -= weight
                rest.append(left)
            self.later_weights.append(rest)

    def counts_at_face(self, face_index: int, dice_left: tuple[int, ...]) -> Iterator[tuple[int, tuple[int, ...], int]]:
        """Yield each possible number of dice that show a face, the dice left in each group, and the number of ways.

        ``face_index``: the index of the face. ``dice_left``: the number of dice in each group that show this or a later
        face.
        """
        found = [(0, dice_left, 1)]
        for group, dice in enumerate(dice_left):
            weight, rest = self.weights[group][face_index], self.later_weights[group][face_index]
            if not dice or (rest and not weight):
                continue  # none of these dice shows the face
            least = 0 if rest else dice
            ways = [(shown, comb(dice, shown) * weight**shown) for shown in range(least, dice + 1)]
            found = [
                (seen + shown, (*after[:group], dice - shown, *after[group + 1 :]), many * more)
                for seen, after, many in found
                for shown, more in ways
                if more
            ]
        yield from found

    def ways_with_later_faces(self, face_index: int, dice_left: tuple[int, ...]) -> int:
        """Return the number of ways in which all remaining dice show later faces.

        ``face_index``: the index of the current face. ``dice_left``: the number of remaining dice in each group.
        """
        return prod(self.later_weights[group][face_index] ** dice for group, dice in enumerate(dice_left))


def _truncated_at_tails(pool: Pool) -> tuple[Pool, Value | None]:
    """Return the pool with all values truncated to the least value of all tails, and this value.

    Without tails, return the pool itself and None. Raises RuleFailure if the least value of a tail is unknown.
    """
    ends = [each.tail.least for _, each in pool.groups if each.tail is not None]
    if not ends:
        return pool, None
    if None in ends:
        raise RuleFailure("OD417", "dice of which only a part is listed cannot lie in a pool", "")
    least = min(end for end in ends if end is not None)

    def truncated_die(die: Pmf) -> Pmf:
        weights = {value: weight for value, weight in die.weights.items() if value < least}
        weights[least] = die.total - sum(weights.values())
        return Pmf({value: weight for value, weight in weights.items() if weight}, die.total)

    return pool.map_dice(truncated_die), least


def _total_of_counted_ranks(pool: Pool, gain: Callable[[Value], Value]) -> Pmf:
    """Return the distribution of the sum of the gains of the dice that count. Polynomials are packed into integers."""
    if any(each.tail is not None for _, each in pool.groups):
        return _total_of_ranks_with_tails(pool, gain)
    first, last = pool.counted_ranks
    number = last - first
    if number <= 0:
        return Pmf.point_mass(0)
    upward = pool.size - last < first  # from the end from which fewer dice are passed by
    if upward:
        first, last = pool.size - last, pool.size - first
    walk = _FaceIteration(pool, upward)
    gains = {face: gain(face) for face in walk.faces}
    scale = lcm(*(Fraction(each).denominator for each in gains.values()))
    low = min(gains.values())
    steps = {face: int((each - low) * scale) for face, each in gains.items()}
    bits = bits_for(prod(each.total**count for count, each in pool.groups))
    span = max(steps.values()) * number
    work = len(walk.faces) * prod(count + 1 for count, _ in pool.groups) * pool.size
    if span > 200_000 or work > MAX_FOLD_STEPS:
        raise RuleFailure("OD417", "the ranks of so many dice take too long", "roll fewer dice")
    states: dict[tuple[tuple[int, ...], int], int] = {(tuple(count for count, _ in pool.groups), 0): 1}
    done = 0
    for place, face in enumerate(walk.faces):
        following: dict[tuple[tuple[int, ...], int], int] = {}
        for (left, seen), weights in states.items():
            for shown, after, ways in walk.counts_at_face(place, left):
                counted = max(0, min(seen + shown, last) - max(seen, first))
                grown = (weights * ways) << (bits * steps[face] * counted)
                if seen + shown >= last:
                    done += grown * walk.ways_with_later_faces(place, after)
                else:
                    key = after, seen + shown
                    following[key] = following.get(key, 0) + grown
        states = following
    found = unpack_weights(done, 0, bits)
    return Pmf.from_weights(
        {int_if_whole(Fraction(value, scale) + low * number): weight for value, weight in found.items()}
    )


def _total_of_ranks_with_tails(pool: Pool, gain: Callable[[Value], Value]) -> Pmf:
    """Return the sum of the gains of the dice that count, for dice that explode without end.

    If all values that are not listed have the same gain, the result is exact. For any other gain than the face itself,
    all outcomes with an unlisted value belong to the tail.

    If the gain is the face itself, let L be the end of the lists, S the sum, S' the sum if each face is truncated to at
    most L, and D the sum over all n dice of the excess of each face over L. Then S = S' if S < L + the least sum of all
    other dice that count. Also S' <= S <= S' + D, so E[S] <= E[S'] + E[D], and E[S^2] <= E[S'^2] + 2 max|S'| E[D] +
    E[D^2]. By Cauchy-Schwarz, E[D^2] is at most n times the sum over all dice X of E[X^2] - E[min(X, L)^2].
    """
    if pool.size > FEW_DICE:
        pool = pool.map_dice(
            lambda die: die.tail.extended(0, INVERSE_SMALLEST_TAIL_OF_KEPT) if die.tail and die.tail.extended else die
        )
    capped, least = _truncated_at_tails(pool)
    assert least is not None
    if gain is not int_if_whole:
        same = gain.gain_beyond(least) if isinstance(gain, FaceGain) else None
        if same is not None:
            return _total_of_counted_ranks(capped, lambda face: same if face >= least else gain(face))
        rest = [(n, Pmf({v: w for v, w in each.weights.items() if v < least}, each.total)) for n, each in capped.groups]
        found = _total_of_counted_ranks(Pool(tuple(rest), pool.rank_window), gain)
        total = prod(each.total**count for count, each in pool.groups)
        scale = prod(sum(each.weights.values()) ** count for count, each in rest)
        weights = {value: weight * scale // found.total for value, weight in found.weights.items()}
        return Pmf(weights, total, Tail(total - sum(weights.values()), None))
    result = _total_of_counted_ranks(capped, gain)
    number = pool.counted_dice_count
    lowest = min(value for _, each in capped.groups for value in each.weights)
    limit = least + (number - 1) * lowest
    weights = {value: weight for value, weight in result.weights.items() if value < limit}
    if len(weights) == len(result.weights):  # no die that counts can be one that is not listed
        return result
    beyond, squares = Number.of(0), Number.of(0)
    for (count, each), (_, cut) in zip(pool.groups, capped.groups, strict=True):
        pairs = [(each.raw_moment(exponent), cut.raw_moment(exponent)) for exponent in (1, 2)]
        differences = [Number.of(0) + one - two for one, two in pairs if one is not None and two is not None]
        if len(differences) < len(pairs):
            return Pmf(weights, result.total, Tail(result.total - sum(weights.values()), limit))
        beyond, squares = beyond + differences[0] * count, squares + differences[1] * count
    one, two = result.raw_moment(1), result.raw_moment(2)
    assert one is not None
    assert two is not None
    most = number * max(least, -lowest)
    first = Number(one.lower, one.upper + beyond.upper)
    second = Number(two.lower, two.upper + 2 * most * beyond.upper + pool.size * squares.upper)
    return Pmf(weights, result.total, Tail(result.total - sum(weights.values()), limit, first, second))


def _fold_faces(
    pool: Pool,
    initial_state: Hashable,
    update_state: Callable[[Any, Value, int], Hashable],
    value_of_state: Callable[[Any], Value],
) -> Pmf:
    pool, least = _truncated_at_tails(pool)
    walk = _FaceIteration(pool)
    first, last = pool.counted_ranks
    states: dict[tuple[tuple[int, ...], int, Hashable], int] = {
        (tuple(count for count, _ in pool.groups), 0, initial_state): 1
    }
    steps = beyond = 0
    for place, face in enumerate(walk.faces):
        following: dict[tuple[tuple[int, ...], int, Hashable], int] = {}
        choices: dict[tuple[int, ...], list[tuple[int, tuple[int, ...], int]]] = {}
        for (left, seen, state), weight in states.items():
            if left not in choices:
                choices[left] = list(walk.counts_at_face(place, left))
            for shown, after, ways in choices[left]:
                steps += 1
                if least is not None and face >= least and shown:
                    beyond += weight * ways * walk.ways_with_later_faces(place, after)
                    continue
                counted = max(0, min(seen + shown, last) - max(seen, first))
                key = after, seen + shown, update_state(state, face, counted)
                following[key] = following.get(key, 0) + weight * ways
        if steps > MAX_FOLD_STEPS:
            raise RuleFailure("OD417", "so many dice take too long to ask this of", "roll fewer dice")
        states = following
    found: dict[Value, int] = {}
    for (_, _, state), weight in states.items():
        value = int_if_whole(value_of_state(state))
        found[value] = found.get(value, 0) + weight
    if beyond:
        return Pmf(found, sum(found.values()) + beyond, Tail(beyond, None))
    return Pmf.from_weights(found)


def number_of_pairs_won(left: Pool, right: Pool, left_wins_ties: bool) -> Pmf:
    """Return the distribution of the number of pairs of dice that the left pool wins, as in Risk.

    The highest dice of both pools form a pair, then the second highest, and so on. ``left_wins_ties``: whether the left
    pool wins a pair of equal dice. The iteration over descending faces decides a pair at the higher of its two faces.
    """
    number = min(left.size, right.size)
    walk = _FaceIteration(Pool(left.groups + right.groups))
    split = len(left.groups)
    if any(each.tail is not None for _, each in left.groups + right.groups):
        raise RuleFailure("OD417", "dice that explode without end are not compared pair by pair", "")
    states: dict[tuple[tuple[int, ...], int, int, int], int] = {
        (tuple(count for count, _ in left.groups + right.groups), 0, 0, 0): 1
    }
    for place in range(len(walk.faces)):
        following: dict[tuple[tuple[int, ...], int, int, int], int] = {}
        for (dice, mine, theirs, wins), weight in states.items():
            for _, after, ways in walk.counts_at_face(place, dice):
                my = mine + sum(dice[:split]) - sum(after[:split])
                their = theirs + sum(dice[split:]) - sum(after[split:])
                behind = theirs if left_wins_ties else their  # pairs decided by the other before this face, or with it
                more = max(0, min(my, number) - max(mine, behind))
                key = after, min(my, number), min(their, number), wins + more
                following[key] = following.get(key, 0) + weight * ways
        states = following
    found: dict[Value, int] = {}
    for (*_, wins), weight in states.items():
        found[wins] = found.get(wins, 0) + weight
    return Pmf.from_weights(found)
