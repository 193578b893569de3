"""Evaluates the plain trees of ``reading``.

The value of a node is a distribution, a pool of dice, a distribution of hands, a hand, or several named distributions.

A node is ``[operator, place, ...]``, with the index in the question at which it begins as its place. Each ``dice`` node
stands for a roll of its own; ``let`` rolls once and binds the result to a name. ``_METHODS`` maps each operator to a
method of ``Evaluator``.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial, reduce
from math import ceil, floor
from typing import Any

from oddsmith.base.errors import QuestionError, RuleFailure, did_you_mean
from oddsmith.rolls.peg import Node, is_node, replace_node, walk_nodes
from oddsmith.rolls.pmf import (
    Pmf,
    Value,
    add,
    bernoulli,
    combine,
    comparison,
    endless_total,
    iid_sum,
    int_if_whole,
    mixture,
    negated,
    uniform,
)
from oddsmith.rolls.pools import (
    Exploding,
    ExplodingWithSharedLimit,
    FaceGain,
    Pool,
    Rerolling,
    number_of_pairs_won,
    total_with_limited_explosions,
)

MAX_DICE, MAX_SIDES, MAX_ROUNDS = 1000, 100_000, 10_000
MAX_THROWS = 30  # of dice that are kept and thrown again, and points of a race
MAX_LOOP_VALUES = 40  # of a running number
MIN_NEEDED, MAX_NEEDED = -100, 300  # values that are tried for a chance that is wanted
MAX_BOUND_RESULTS = 20_000  # of a roll with a name, each of which is worked through
_OF_POOLS = ("keep", "drop", "rank", "ranklow", "median", "gain", "shows", "has", "all", "largest", "groups", "run", "distinct",
             "spread", "explode", "reroll", "clamp", "swap")  # fmt: skip
_POOLS = ("dice", "join", "and", "gain", "keep", "drop", "explode", "reroll", "swap")
_OF_HANDS = ("size", "distinct", "all_equal", "rank", "count", "has_run")
_TESTED = ("count", "minus", "lose", "plus", "only", "without")
COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
Test = Callable[[Value], bool]
Hand = tuple[Value, ...]


@dataclass(frozen=True)
class HandDistribution:
    """A distribution of hands, which are the faces of dice from the highest. ``weights``: the weight of each hand."""

    weights: Mapping[Hand, int]


@dataclass(frozen=True)
class NamedDistributions:
    """Several distributions, each with a name."""

    parts: list[tuple[str, Pmf]]


Result = Pmf | Pool | HandDistribution | Hand | NamedDistributions


@dataclass
class Evaluator:
    """Evaluates the trees of one question. ``names``: the values of bound names.

    ``cached_values``: the nodes that contain no bound names, so each is evaluated only once. It maps the id of a node
    to the node and its value, which is None before the evaluation.
    """

    question: str
    names: dict[str, Result] = field(default_factory=dict)
    cached_values: dict[int, tuple[Node, Result | None]] = field(
        default_factory=dict
    )  # nodes without names, and their values

    def error_at(self, offset: int, message: str, hint: str = "") -> QuestionError:
        """Return an error at the index ``offset`` of the question."""
        return QuestionError(self.question, offset, message, hint)

    def evaluate(self, node: Node) -> Result:
        """Return the value of a node. Raises QuestionError if it has none.

        The value of a node that ``mark_for_single_evaluation`` has marked is cached.
        """
        if id(node) not in self.cached_values:
            return self._evaluate_uncached(node)
        found = self.cached_values[id(node)][1] or self._evaluate_uncached(node)
        self.cached_values[id(node)] = node, found
        return found

    def _evaluate_uncached(self, node: Node) -> Result:
        method: Callable[..., Result] | None = _METHODS.get(node[0])
        if method is None:
            raise self.error_at(node[1], f"`{node[0]}` cannot be asked of dice")
        dice = self._find_dice_with_random_count(node) if node[0] in _OF_POOLS else None
        try:
            return self._mix_over_random_count(node, dice) if dice else method(self, node[1], *node[2:])
        except RuleFailure as error:
            raise self.error_at(node[1], error.message, error.hint) from None

    def _find_dice_with_random_count(self, node: Node) -> Node | None:
        """Return the first ``dice`` node below ``node`` with a random number of dice, as in (2d4)d6, or None."""
        parts: list[Node] = [each for each in node[2:] if is_node(each)]
        for each in parts:
            if each[0] == "dice":
                many = each[2]
                if many is not None and many[0] != "n" and self.number_distribution(many).constant_value is None:
                    return each
            elif each[0] in (*_OF_POOLS, "join") and (found := self._find_dice_with_random_count(each)) is not None:
                return found
        return None

    def _mix_over_random_count(self, node: Node, dice_node: Node) -> Pmf:
        """Return the mixture of the values of a node over its random number of dice.

        ``dice_node``: the ``dice_node`` node below it whose number of dice is random. If this number may be 0, the node
        must be a count of dice, which is then 0. Raises QuestionError for any other node.
        """
        cases = list[tuple[int, Pmf]]()
        for number, weight in self._weighted_dice_counts(dice_node[1], self.number_distribution(dice_node[2])):
            if number:
                rolled = ["dice", dice_node[1], ["n", dice_node[1], str(number)], dice_node[3]]
                cases.append(
                    (weight, self.as_number_distribution(self.evaluate(replace_node(node, dice_node, rolled)), node[1]))
                )
            elif node[0] == "gain":
                cases.append((weight, Pmf.point_mass(0)))
            else:
                raise self.error_at(dice_node[1], "there may be no dice at all", "roll one die more")
        return mixture(cases, is_yes_or_no=cases[0][1].is_yes_or_no)

    # --- kinds of values

    def number_distribution(self, node: Node) -> Pmf:
        """Return the value of a node as the distribution of a number. Dice count as their total."""
        return self.as_number_distribution(self.evaluate(node), node[1])

    def as_number_distribution(self, value: Result, offset: int) -> Pmf:
        if isinstance(value, Pmf):
            return value
        if isinstance(value, Pool):
            return value.total_distribution()
        if isinstance(value, tuple):
            return Pmf.point_mass(sum(value))
        if isinstance(value, HandDistribution):
            return _distribution_of_hand_sums(value)
        raise self.error_at(offset, "a number must stand here")

    def constant_value(self, node: Node) -> Value:
        """Return the value of a node as a constant. Raises QuestionError if it depends on chance."""
        only = self.number_distribution(node).constant_value
        if only is None:
            raise self.error_at(node[1], "a number that chance does not touch must stand here", "such as 3")
        return only

    def integer_value(self, node: Node, least: int = 0, most: int = MAX_DICE) -> int:
        """Return the value of a node as an integer from ``least`` to ``most``. Raises QuestionError for others."""
        value = self.constant_value(node)
        if not isinstance(value, int) or not least <= value <= most:
            raise self.error_at(node[1], f"a whole number from {least:,} to {most:,} must stand here")
        return value

    def dice_pool(self, node: Node) -> Pool:
        """Return the value of a node as a pool of dice. A number counts as one die."""
        return self.as_dice_pool(self.evaluate(node), node)

    def as_dice_pool(self, value: Result, node: Node) -> Pool:
        """Return ``value``, which is the value of ``node``, as a pool of dice. A number counts as one die.

        Raises QuestionError if the number of dice or of their sides is random, because then only their total is known.
        """
        if isinstance(value, Pool):
            return value
        if isinstance(value, Pmf):
            one = node[0] == "dice" and (not node[2] or node[2][2:] == ["1"] or value.constant_value is not None)
            if node[0] in _POOLS and not one:
                raise self.only_total_known_error(node[1])
            return Pool(((1, value),))
        if isinstance(value, tuple):
            return Pool(tuple((value.count(face), Pmf.point_mass(face)) for face in dict.fromkeys(value)))
        raise self.error_at(node[1], "dice must stand here", "such as 4d6, or: d6 and d8")

    def only_total_known_error(self, offset: int) -> QuestionError:
        """Return the error for a question about single dice of which only the total is known."""
        return self.error_at(offset, "of these dice only the total is known", "write a number of dice, such as 4d6")

    def yes_or_no_distribution(self, node: Node) -> Pmf:
        """Return the distribution of the answer to a node: 1 for yes, 0 for no.

        Raises QuestionError if the node is not a question.
        """
        value = self.evaluate(node)
        if not isinstance(value, Pmf) or not value.is_yes_or_no:
            raise self.error_at(
                node[1], "a question with the answer yes or no must stand here", "compare it: ... >= 10"
            )
        return value

    def face_test(self, conditions: Sequence[Node]) -> Test:
        """Return a function that tests whether a face meets at least one of the conditions."""
        tests = [self._test_of_one_condition(each) for each in conditions]
        return lambda face: any(test(face) for test in tests)

    def _test_of_one_condition(self, node: Node) -> Test:
        if node[0] == "range":
            low, high = self.constant_value(node[2]), self.constant_value(node[3])
            return lambda face: low <= face <= high
        if node[0] == "parity":
            rest = int(node[2])
            return lambda face: face % 2 == rest
        compare, limit = COMPARE[node[2]], self.constant_value(node[3])
        return lambda face: compare(face, limit)

    def holds_for_all_from(self, conditions: Sequence[Node], least: Value) -> bool | None:
        """Return whether all values from ``least`` on meet one of the conditions.

        Return False if no such value meets a condition, and None if some may and some may not.
        """
        truth_values = [self._condition_holds_for_all_from(each, least) for each in conditions]
        return True if True in truth_values else None if None in truth_values else False

    def _condition_holds_for_all_from(self, node: Node, least: Value) -> bool | None:
        if node[0] == "parity":
            return None
        sign, limit = (
            ("range", self.constant_value(node[3])) if node[0] == "range" else (node[2], self.constant_value(node[3]))
        )
        if sign in (">=", ">", "!="):
            return True if (least >= limit if sign == ">=" else least > limit) else None
        return False if (least >= limit if sign == "<" else least > limit) else None

    # --- numbers, dice and names

    def number_literal(self, offset: int, text: str) -> Pmf:
        if len(text) > 15:
            raise self.error_at(offset, "this number is too large", "use smaller units")
        return Pmf.point_mass(int_if_whole(Fraction(text)))

    def rolled_dice(self, offset: int, count_node: Node | None, sides: Node) -> Result:
        count = Pmf.point_mass(1) if count_node is None else self.number_distribution(count_node)
        die = self._make_die(sides)
        if isinstance(die, list):
            return mixture([(w, self._total_of_random_count(offset, count, each)) for w, each in die])
        if count.constant_value is None:
            return self._total_of_random_count(offset, count, die)
        number = count.constant_value
        if not isinstance(number, int) or not 0 <= number <= MAX_DICE:
            raise self.error_at(offset, f"a roll has at most {MAX_DICE:,} dice of a kind", "roll fewer dice")
        return Pool(((number, die),)) if number else Pmf.point_mass(0)

    def _total_of_random_count(self, offset: int, count: Pmf, die: Pmf) -> Pmf:
        """Return the distribution of the total of a random number of identical dice."""
        return mixture([(weight, iid_sum(number, die)) for number, weight in self._weighted_dice_counts(offset, count)])

    def _weighted_dice_counts(self, offset: int, count: Pmf) -> list[tuple[int, int]]:
        """Return the possible numbers of dice with their weights. Raises QuestionError for a number out of range."""
        if count.tail is not None or any(not isinstance(n, int) or not 0 <= n <= MAX_DICE for n in count.values):
            raise self.error_at(offset, f"a roll has 0 to {MAX_DICE:,} dice of a kind", "roll fewer dice")
        return [(int(number), weight) for number, weight in count.weights.items()]

    def _make_die(self, node: Node) -> Pmf | list[tuple[int, Pmf]]:
        """Return the distribution of a die.

        If its number of sides is random, return a list of (weight, distribution) with a die for each number.
        """
        if node[0] == "digits":
            length = len(node[2])
            values = [0]
            for _ in range(length):
                values = [value * 10 + digit for value in values for digit in range(1, 7)]
            return uniform(values)
        if node[0] == "faces":
            weights: dict[Value, int] = {}
            for item in node[2:]:
                for face, weight in self._weighted_faces(item):
                    weights[face] = weights.get(face, 0) + weight
            die = Pmf.from_weights(weights)
            if not die.weights:
                raise self.error_at(node[1], "a die needs a face", "such as d{1, 1, 2}")
            return die
        sides = self.number_distribution(node)
        if sides.tail is not None or any(not isinstance(n, int) or not 1 <= n <= MAX_SIDES for n in sides.values):
            raise self.error_at(node[1], f"a die has 1 to {MAX_SIDES:,} sides", "such as d20")
        made = [(weight, uniform(range(1, int(number) + 1))) for number, weight in sides.weights.items()]
        return made[0][1] if len(made) == 1 else made

    def _weighted_faces(self, face_node: Node) -> Iterator[tuple[Value, int]]:
        if face_node[0] == "range":
            low, high = self.constant_value(face_node[2]), self.constant_value(face_node[3])
            if not (isinstance(low, int) and isinstance(high, int) and high - low < MAX_SIDES):
                raise self.error_at(face_node[1], f"a die has 1 to {MAX_SIDES:,} sides")
            yield from ((face, 1) for face in range(low, high + 1))
        elif face_node[0] == "weighted":
            yield self.constant_value(face_node[2]), int(face_node[3])
        else:
            yield self.constant_value(face_node), 1

    def value_of_name(self, offset: int, name: str) -> Result:
        if name not in self.names:
            near = did_you_mean(name, sorted(self.names))
            hint = near if near.startswith("did you mean") else "give a roll a name so: h = 4d6; max(h) - min(h)"
            raise self.error_at(offset, f"`{name}` cannot be read here", hint)
        return self.names[name]

    def mixture_over_roll(self, offset: int, name: str, roll: Node, body: Node) -> Result:
        """Return the mixture of the values of ``body`` over the results of one roll, each bound to ``name``.

        ``roll``: the node of the roll.
        """
        rolled = self.evaluate(roll)
        if isinstance(rolled, Pmf) and rolled.constant_value is None and _uses_single_dice(body, name):
            raise self.only_total_known_error(roll[1])
        places = [each for each in walk_nodes(body) if each[0] == "name" and each[2] == name]
        in_loop = any(
            each[0] in ("repeat", "loop") and any(p in list(walk_nodes(each)) for p in places)
            for each in walk_nodes(body)
        )
        if len(places) < 2 and not in_loop:
            return self.evaluate_with_binding(name, rolled, body)
        if isinstance(rolled, Pool) and not _asks_more_than_total(body, name):
            rolled = rolled.total_distribution()
        if isinstance(rolled, NamedDistributions):
            raise self.error_at(offset, "only one roll can have a name")
        if isinstance(rolled, Pool):
            rolled = self._with_merged_faces(body, name, rolled)
            try:
                cases: list[tuple[int, Result]] = [(weight, hand) for hand, weight in rolled.weighted_hands()]
            except RuleFailure as error:
                raise self.error_at(roll[1], error.message, error.hint) from None
        elif isinstance(rolled, HandDistribution):
            cases = [(weight, hand) for hand, weight in rolled.weights.items()]
        elif isinstance(rolled, tuple):
            return self.evaluate_with_binding(name, rolled, body)
        else:
            cases = [(weight, Pmf.point_mass(each)) for each, weight in rolled.weights.items()]
            if rolled.tail is not None:
                raise self.error_at(
                    offset, "dice that explode without end cannot be looked at twice", "say how often they explode"
                )
        if len(cases) > MAX_BOUND_RESULTS:
            raise self.error_at(
                offset, f"this roll can show {len(cases):,} results, over {MAX_BOUND_RESULTS:,}", "roll fewer dice"
            )
        self.mark_for_single_evaluation(body)
        found = [
            (weight, self.as_number_distribution(self.evaluate_with_binding(name, case, body), body[1]))
            for weight, case in cases
        ]
        return mixture(found, is_yes_or_no=found[0][1].is_yes_or_no)

    def _with_merged_faces(self, body: Node, name: str, dice: Pool) -> Pool:
        """Return dice with merged faces, which show fewer different hands.

        Faces are merged if no condition in ``body`` on the dice called ``name`` distinguishes them.
        """
        conditions = _face_conditions_on(body, name)
        tailed = any(die.tail is not None for _, die in dice.groups)
        if conditions is None or dice.roll_again_rule is not None or dice.rank_window is not None or tailed:
            return dice
        tests = [self.face_test(each) for each in conditions]
        first: dict[tuple[bool, ...], Value] = {}
        merged = lambda face: first.setdefault(tuple(test(face) for test in tests), face)  # noqa: E731
        return dice.map_dice(lambda die: die.mapped(merged))

    def evaluate_with_binding(self, name: str, value: Result, body: Node) -> Result:
        """Return the value of ``body`` with ``name`` bound to ``value``."""
        return self.with_bound_name(name, value).evaluate(body)

    def mark_for_single_evaluation(self, body: Node) -> None:
        """Mark the nodes of ``body`` that contain no names, so that each is evaluated only once."""
        for each in walk_nodes(body):
            if id(each) not in self.cached_values and all(inner[0] != "name" for inner in walk_nodes(each)):
                self.cached_values[id(each)] = each, None

    def with_bound_name(self, name: str, value: Result) -> Evaluator:
        """Return an evaluator in which ``name`` is bound to ``value``."""
        return Evaluator(self.question, {**self.names, name: value}, self.cached_values)

    def number_of_dice(self, offset: int, dice: Pool) -> int:
        """Return how many dice of a pool count. Raises QuestionError if this number depends on the roll."""
        if dice.has_random_size:
            raise self.error_at(offset, "how many dice there are depends on the roll", "keep some of them first")
        return dice.counted_dice_count

    def joined_dice(self, offset: int, *parts: Node) -> Result:
        """Return one pool of the dice of all parts, or the distribution of the total if a part keeps only some dice."""
        pools = [self.dice_pool(part) for part in parts]
        if any(each.roll_again_rule is not None or each.rank_window is not None for each in pools):
            return reduce(
                add, (self.as_number_distribution(each, part[1]) for part, each in zip(parts, pools, strict=True))
            )
        return Pool(tuple(group for each in pools for group in each.groups))

    def repeated_rolls(self, offset: int, count: Node, roll: Node) -> Pool:
        value = self.number_distribution(roll)
        return Pool(((self.integer_value(count, 1), replace(value, is_yes_or_no=False)),))

    def total_distribution(self, offset: int, pool: Node) -> Pmf:
        return self.number_distribution(pool)

    def distribution_of_each_rank(self, offset: int, pool: Node) -> NamedDistributions:
        dice = self.dice_pool(pool)
        number = self.number_of_dice(offset, dice)
        names = {0: "highest", number - 1: "lowest"}
        parts = [
            (names.get(rank, f"{ordinal_text(rank + 1)} highest"), dice.keep_ranks(rank, rank + 1).total_distribution())
            for rank in range(number)
        ]
        return NamedDistributions([*parts, ("sum", dice.total_distribution())])

    def distribution_for_each_value(self, offset: int, name: str, value_nodes: Node, body: Node) -> NamedDistributions:
        """Return the distribution of ``body`` for each value of the variable ``name``. ``value_nodes``: these values."""
        items = self._loop_values(value_nodes)
        if not 1 <= len(items) <= MAX_LOOP_VALUES:
            raise self.error_at(value_nodes[1], f"a running number has 1 to {MAX_LOOP_VALUES} values", "such as 1..10")
        results = [self.evaluate_with_binding(name, Pmf.point_mass(item), body) for item in items]
        return NamedDistributions(
            [
                (f"{name} = {item}", self.as_number_distribution(each, body[1]))
                for item, each in zip(items, results, strict=True)
            ]
        )

    def chances_of_targets(self, offset: int, pool: Node, sign: str, *targets: Node) -> NamedDistributions:
        """Return, for each of several targets, the chance that a roll meets the comparison with it."""
        value, limits = self.number_distribution(pool), [self.constant_value(each) for each in targets]
        return NamedDistributions(
            [(f"{sign} {limit}", comparison(sign, value, Pmf.point_mass(limit))) for limit in limits]
        )

    def chances_of_ranges(self, offset: int, pool: Node, *named_ranges: Any) -> NamedDistributions:
        """Return the chance that a total is in each of several ranges. ``named_ranges``: their names and conditions."""
        return NamedDistributions(
            [(name, self.meets_any(offset, pool, conditions)) for name, conditions in named_ranges]
        )

    def degree_of_success(self, offset: int, die: Node, total: Node, target: Node) -> Pmf:
        """Return the distribution of the degree of success, from 0 to 3, of ``total`` against ``target``.

        ``die``: the face of the d20, which must be constant. A 20 raises the degree by one, and a 1 lowers it by one.
        """
        shown, margin = (
            self.constant_value(die),
            add(self.number_distribution(total), self.number_distribution(target).affine(-1, 0)),
        )
        moved = (shown == 20) - (shown == 1)
        return margin.mapped(lambda over: min(3, max(0, (over >= 10) + (over >= 0) + (over > -10) + moved)))

    def values_around_target_chance(
        self, offset: int, name: str, target_chance: Node, body: Node
    ) -> NamedDistributions:
        """Return the answers of ``body`` at two neighbouring values of ``name``.

        The chance ``target_chance`` is reached at the first of these values, and not at the second. Raises
        QuestionError if there are no such values.
        """
        share = self.constant_value(target_chance)

        def question_at(value: int) -> Pmf:
            question = self.evaluate_with_binding(name, Pmf.point_mass(value), body)
            if not isinstance(question, Pmf) or not question.is_yes_or_no:
                raise self.error_at(
                    body[1], "a question with the answer yes or no must stand here", "compare it: ... >= 10"
                )
            return question

        def reaches_target(question: Pmf) -> bool:
            return Fraction(question.weights.get(1, 0), question.total) >= share

        low, high = (
            self._first_answerable_value(question_at, MIN_NEEDED, 0, 1),
            self._first_answerable_value(question_at, MAX_NEEDED, 60, 12),
        )
        first, last = question_at(low), question_at(high)
        if reaches_target(first) != reaches_target(last):
            while high - low > 1:  # between them it changes
                middle = (low + high) // 2
                question = question_at(middle)
                if reaches_target(question) == reaches_target(first):
                    low, first = middle, question
                else:
                    high, last = middle, question
            pair = [(f"{name} = {low}", first), (f"{name} = {high}", last)]
            return NamedDistributions(pair if reaches_target(first) else pair[::-1])
        message = f"no value of {name} from {MIN_NEEDED} to {MAX_NEEDED} is where this chance is reached"
        raise self.error_at(offset, message, f"write {name} into the roll, or ask for another chance")

    @staticmethod
    def _first_answerable_value(question_at: Callable[[int], Pmf], *values: int) -> int:
        """Return the first of the values at which a question has an answer, or the last value if none before it has.

        A question has no answer if, for example, the value makes the number of dice negative.
        """
        for value in values[:-1]:
            try:
                question_at(value)
            except QuestionError:
                continue
            return value
        return values[-1]

    # --- dice that are kept, and dice that roll again

    def keep_dice(self, offset: int, which_dice: str, count: Node, pool: Node) -> Pool:
        dice, number = self.dice_pool(pool), self.integer_value(count, 0)
        if not 1 <= number <= dice.counted_dice_count:
            raise self.error_at(
                count[1] or offset,
                f"at most {dice.counted_dice_count} can count here, not {number}",
                f"write 1 to {dice.counted_dice_count}",
            )
        if which_dice == "high":
            return dice.keep_ranks(0, number)
        if which_dice == "low":
            return dice.keep_ranks(-number, 0)
        left_out = self.number_of_dice(offset, dice) - number
        first = left_out // 2
        if left_out % 2:
            hint = "write an odd number of an odd number of dice"
            raise self.error_at(offset, f"{number} of {dice.counted_dice_count} dice have no middle", hint)
        return dice.keep_ranks(first, first + number)

    def drop_dice(self, offset: int, which_end: str, count: Node, pool: Node) -> Pool:
        dice, number = self.dice_pool(pool), self.integer_value(count, 0)
        if number >= dice.counted_dice_count:
            raise self.error_at(count[1] or offset, "no die would be left", "roll more dice")
        return dice.keep_ranks(number, 0) if which_end == "high" else dice.keep_ranks(0, -number)

    def die_at_rank(self, offset: int, rank: Node, pool: Node) -> Pool:
        dice = self.dice_pool(pool)
        number = self.integer_value(rank, 1, max(dice.counted_dice_count, 1))
        return dice.keep_ranks(number - 1, number)

    def die_at_rank_from_lowest(self, offset: int, rank: Node, pool: Node) -> Pool:
        dice = self.dice_pool(pool)
        number = self.integer_value(rank, 1, max(dice.counted_dice_count, 1))
        return dice.keep_ranks(-number, 1 - number)

    def median_of_dice(self, offset: int, pool: Node) -> Result:
        dice = self.dice_pool(pool)
        number = self.number_of_dice(offset, dice)
        if number % 2:
            return dice.keep_ranks(number // 2, number // 2 + 1)
        return dice.keep_ranks(number // 2 - 1, number // 2 + 1).total_distribution().affine(Fraction(1, 2), 0)

    def exploding_dice(self, offset: int, variant: str, faces: Any, limit: Node | None, pool: Node) -> Result:
        dice = self.dice_pool(pool)
        if dice.rank_window is not None or dice.roll_again_rule is not None:
            raise self.error_at(offset, "dice explode before some of them are kept", "write the explosion first")
        count = None if limit is None else self.integer_value(limit, 1)
        test = self.face_test(faces) if faces else None
        for _, die in dice.groups:
            shown = [face for face in die.values if test is None or test(face)]
            if len(shown) == len(die.values) and (test is not None or len(shown) == 1) and count is None:
                raise self.error_at(offset, "these dice explode on every face, so they never end", "leave out a face")
        if variant == "some":
            assert count is not None
            if len(dice.groups) != 1:
                raise self.error_at(
                    offset, "only like dice explode a limited number of times together", "such as 5d6x3=6"
                )
            return replace(
                dice, roll_again_rule=ExplodingWithSharedLimit(test or _highest_face_test(dice.groups[0][1]), count)
            )
        if variant == "add" and len(dice.groups) == 1:
            (_, die), *_ = dice.groups
            return replace(dice, roll_again_rule=Exploding(test or _highest_face_test(die), count))
        if variant == "penetrate":
            return dice.map_dice(lambda die: _penetrating_sum(die, test or _highest_face_test(die)))
        chains = dice.map_dice(lambda die: _exploding_sum(Exploding(test or _highest_face_test(die), count), die))
        # Further dice are dice of their own if they add, and a pool brings these of like dice only.
        return chains.total_distribution() if variant == "add" else chains

    def rerolled_dice(self, offset: int, variant: str, faces: Any, limit: Node | None, pool: Node) -> Pool:
        dice, test = self.dice_pool(pool), self.face_test(faces)
        if dice.rank_window is not None or dice.roll_again_rule is not None:
            raise self.error_at(offset, "dice are rerolled before some of them are kept", "write the reroll first")
        if variant == "some":
            assert limit is not None
            return replace(dice, roll_again_rule=Rerolling(test, self.integer_value(limit, 1)))
        again: Test = (lambda face: not test(face)) if variant == "keep" else test
        base = pool
        while base[0] == "reroll" and base[2] != "until":
            base = base[-1]
        fresh = self.dice_pool(base)  # what is rolled again is the die itself, not what an earlier reroll made of it
        pairs = zip(dice.groups, fresh.groups, strict=True)
        groups = [
            (count, self._rerolled_die(offset, die, new, again, once=variant == "once"))
            for (count, die), (_, new) in pairs
        ]
        return replace(dice, groups=tuple(groups))

    def _rerolled_die(self, offset: int, die: Pmf, fresh_die: Pmf, rolls_again: Test, *, once: bool) -> Pmf:
        left = {face: weight for face, weight in die.weights.items() if not rolls_again(face)}
        hit = die.total - sum(left.values())
        if not hit:
            return die
        after = (
            fresh_die
            if once
            else Pmf.from_weights({face: weight for face, weight in fresh_die.weights.items() if not rolls_again(face)})
        )
        if not after.weights:
            raise self.error_at(offset, "every face is rolled again, so this never ends", "leave out a face")
        return mixture([(hit, after), (sum(left.values()), Pmf.from_weights(left))]) if left else after

    def clamped_dice(self, offset: int, bound_kind: str, bound: Node, pool: Node) -> Result:
        end, value = self.constant_value(bound), self.evaluate(pool)
        keep = max if bound_kind == "min" else min

        def clamped_distribution(die: Pmf) -> Pmf:
            return die.mapped(lambda face: keep(face, end))

        if isinstance(value, Pool):
            if value.roll_again_rule is not None:
                again = value.roll_again_rule.rolls_again
                if any(again(face) != again(keep(face, end)) for face in value.groups[0][1].values):
                    raise self.error_at(offset, "this changes which dice are rolled again", "say it in words")
            return value.map_dice(clamped_distribution)
        return clamped_distribution(self.as_number_distribution(value, pool[1]))

    def with_faces_replaced(self, offset: int, faces: Any, new_face: Node, pool: Node) -> Pool:
        """Return the dice with the face ``new_face`` in place of every face that meets one of the conditions ``faces``."""
        dice, test, value = self.dice_pool(pool), self.face_test(faces), self.constant_value(new_face)
        if dice.rank_window is not None or dice.roll_again_rule is not None:
            raise self.error_at(offset, "faces count as others before some dice are kept", "write it first")
        return dice.map_dice(lambda die: die.mapped(lambda face: value if test(face) else face))

    # --- what is asked of dice

    def total_gain(self, offset: int, pool: Node, steps: Sequence[Sequence[Any]]) -> Pmf:
        """Return the distribution of the sum of the gains of all dice.

        The gain of a die is its face after all ``steps``, such as counting 1 for faces that meet conditions.
        """
        tests = [self.face_test(step[1]) if step[0] in _TESTED else None for step in steps]
        limits = [self.constant_value(step[1]) if step[0] in ("atleast", "atmost") else 0 for step in steps]

        def gain_of_face(face: Value, test_results: Sequence[bool | None] | None = None) -> Value:
            value, counted = face, False
            for place, step in enumerate(steps):
                test = tests[place]
                holds = bool(test_results[place]) if test_results is not None else test is not None and test(face)
                value = _gain_after_step(step[0], value, holds, face, counted=counted, limit=limits[place])
                counted = counted or step[0] == "count"
            return value

        def gain_beyond(least: Value) -> Value | None:
            said = [
                self.holds_for_all_from(step[1], least) if test else False
                for step, test in zip(steps, tests, strict=True)
            ]
            kinds = [step[0] for step in steps]
            if None in said or "count" not in kinds or not {*kinds} <= {"count", "minus", "minusrest", "plus"}:
                return None
            return gain_of_face(least, said)

        return self.dice_pool(pool).total_distribution(FaceGain(gain_of_face, gain_beyond))

    def enough_dice_show(self, offset: int, pool: Node, *requirements: Any) -> Pmf:
        """Return the distribution of whether enough dice show each of several kinds of faces.

        ``requirements``: for each kind, the number of dice and the conditions on a face.
        """
        needs = [(self.integer_value(many, 0), self.face_test(faces)) for many, faces in requirements]
        dice = self.dice_pool(pool)
        if len(needs) == 1:
            need, test = needs[0]
            return comparison(">=", dice.total_distribution(lambda face: int(test(face))), Pmf.point_mass(need))

        def update_state(state: tuple[int, ...], face: Value, count: int) -> tuple[int, ...]:
            return tuple(
                max(0, left - count) if test(face) else left for left, (_, test) in zip(state, needs, strict=True)
            )

        return _fold_to_yes_or_no(dice, tuple(need for need, _ in needs), update_state, lambda state: not any(state))

    def every_die_shows(self, offset: int, pool: Node, faces: Any) -> Pmf:
        """Return the distribution of whether every die shows one of the faces."""
        dice, test = self.dice_pool(pool), self.face_test(faces)
        return _fold_to_yes_or_no(dice, 1, lambda fine, face, shown: fine and (not shown or int(test(face))), bool)

    def dice_show_set(self, offset: int, kind: Sequence[Any], pool: Node) -> Pmf:
        """Return the distribution of whether the dice show a set.

        ``kind``: the name and size of the set: n of a kind, pairs, a full house, a straight, all different, or all
        equal.
        """
        dice, name = self.dice_pool(pool), kind[0]
        number = 0
        if kind[1] is not None:
            number = self.integer_value(kind[1], 1)
        elif name not in ("house", "different"):
            number = self.number_of_dice(offset, dice)
        if name in ("kind", "alike") and number > dice.counted_dice_count and not dice.has_random_size:
            rolled = "one is" if dice.counted_dice_count == 1 else f"{dice.counted_dice_count} are"
            raise self.error_at(
                offset, f"{number} of a kind needs {number} dice, but only {rolled} rolled", "roll more dice"
            )
        if dice.counted_dice_count < 2:
            raise self.error_at(offset, "nothing is left to compare", "")
        if name in ("kind", "alike"):
            return _fold_to_yes_or_no(dice, 0, lambda most, _, shown: max(most, shown), lambda most: most >= number)
        if name == "onlypairs":
            return _fold_to_yes_or_no(dice, (0, 0), _update_pairs, lambda state: state == (number, 0))
        if name == "pairs":
            return _fold_to_yes_or_no(
                dice, 0, lambda pairs, _, shown: pairs + (shown > 1), lambda pairs: pairs >= number
            )
        if name == "house":
            return _fold_to_yes_or_no(dice, (0, 0), _update_largest_sets, lambda state: state[0] >= 3 and state[1] >= 2)
        if name == "different":
            return _fold_to_yes_or_no(dice, 0, lambda most, _, shown: max(most, shown), lambda most: most <= 1)
        return _fold_to_yes_or_no(dice, (None, 0, 0), _update_run, lambda state: state[2] >= number)

    def size_of_largest_set(self, offset: int, pool: Node) -> Pmf:
        return self.dice_pool(pool).reduce_faces(0, lambda most, _, shown: max(most, shown), lambda most: most)

    def length_of_longest_run(self, offset: int, pool: Node) -> Pmf:
        return self.dice_pool(pool).reduce_faces((None, 0, 0), _update_run, lambda state: state[2])

    def number_of_sets(self, offset: int, size: Node, faces: Any, pool: Node) -> Pmf:
        """Return the distribution of the number of faces that at least ``size`` dice show.

        ``faces``: conditions on the faces that count; None for all faces.
        """
        least, test = self.integer_value(size, 1), self.face_test(faces) if faces else lambda _: True
        return self.dice_pool(pool).reduce_faces(
            0, lambda found, face, shown: found + (shown >= least and test(face)), lambda found: found
        )

    def total_of_selected_dice(
        self, offset: int, kind: str, highest_count: Node, lowest_count: Node, faces: Any, pool: Node
    ) -> Pmf:
        """Return the distribution of the total of selected dice, or of all other dice if ``kind`` is ``drop``.

        The highest ``highest_count`` dice, the lowest ``lowest_count`` dice and all dice that show one of ``faces`` are
        selected. If several of these rules select dice with the same face, they select the same dice as far as
        possible.
        """
        dice, test = self.dice_pool(pool), self.face_test(faces)
        if dice.rank_window is not None or dice.roll_again_rule is not None:
            raise self.error_at(
                offset, "these dice are selected once, and all of them together", "write it behind the dice"
            )
        top, bottom = self.integer_value(highest_count), dice.size - self.integer_value(lowest_count)

        def update_state(state: tuple[int, Value], face: Value, count: int) -> tuple[int, Value]:
            seen, total = state
            named = count if test(face) else min(count, max(0, top - seen, seen + count - bottom))
            return seen + count, int_if_whole(total + face * (named if kind == "keep" else count - named))

        return dice.reduce_faces((0, 0), update_state, lambda state: state[1])

    def number_of_distinct_faces(self, offset: int, pool: Node) -> Pmf:
        return self.dice_pool(pool).reduce_faces(0, lambda seen, _, shown: seen + (shown > 0), lambda seen: seen)

    def highest_minus_lowest(self, offset: int, pool: Node) -> Pmf:
        def update_state(state: tuple[Any, Any], face: Value, count: int) -> tuple[Any, Any]:
            return (face if state[0] is None else state[0], face) if count else state

        def difference(state: tuple[Any, Any]) -> Value:
            if state[0] is None:
                raise self.error_at(offset, "nothing is left to compare", "")
            return int_if_whole(state[0] - state[1])

        return self.dice_pool(pool).reduce_faces((None, None), update_state, difference)

    def largest_set_after_rolls(self, offset: int, roll_count: Node, pool: Node) -> Pmf:
        """Return the distribution of the size of the largest set of equal dice after a number of rolls.

        The first roll is of all dice, and each further roll is of all dice outside the largest set. ``roll_count``: the
        number of rolls.
        """
        dice, rounds = self.dice_pool(pool), self.integer_value(roll_count, 1, MAX_THROWS)
        if (
            len(dice.groups) != 1
            or dice.rank_window
            or dice.roll_again_rule
            or len({*dice.groups[0][1].weights.values()}) != 1
        ):
            raise self.error_at(offset, "only like dice with equal chances are kept and thrown so", "such as 5d6")
        ((size, die),) = dice.groups
        kept = die.values[0]  # the face of the largest set: one is as good as another

        def set_size_after_roll(set_size: int) -> Pmf:
            def update_state(state: tuple[int, int], face: Value, count: int) -> tuple[int, int]:
                return (count, state[1]) if face == kept else (state[0], max(state[1], count))

            if set_size == size:
                return Pmf.point_mass(size)
            return Pool(((size - set_size, die),)).reduce_faces(
                (0, 0), update_state, lambda state: max(set_size + state[0], state[1])
            )

        result, after = Pmf.point_mass(0), dict[Value, Pmf]()
        for _ in range(rounds):
            after |= {have: set_size_after_roll(int(have)) for have in result.weights if have not in after}
            result = mixture([(weight, after[have]) for have, weight in result.weights.items()])
        return result

    def race_is_won(self, offset: int, roll: Node, wins: Any, losses: Any, goal: Node, losing_limit: Node) -> Pmf:
        """Return the distribution of whether a player wins ``goal`` points before losing ``losing_limit`` points.

        ``wins``, ``losses``: the faces that win or lose, with their points. If ``losses`` is None, any roll that does
        not win loses one point; otherwise any other roll is ignored.
        """
        value, need, most = (
            self.number_distribution(roll),
            self.integer_value(goal, 1, MAX_THROWS),
            self.integer_value(losing_limit, 1, MAX_THROWS),
        )
        if value.tail is not None:
            raise self.error_at(offset, "dice that explode without end cannot race", "say how often they explode")
        won, lost = (
            [(self.face_test(faces), self.integer_value(many, 1)) for faces, many in each or []]
            for each in (wins, losses)
        )
        steps: dict[tuple[int, int], int] = {}
        for face, weight in value.weights.items():
            gained = next((many for test, many in won if test(face)), 0)
            missed = 0 if gained else next((many for test, many in lost if test(face)), int(losses is None))
            if gained or missed:
                steps[gained, missed] = steps.get((gained, missed), 0) + weight
        total, cases = sum(steps.values()), {(0, 0): 1}
        if not total:
            raise self.error_at(offset, "no roll decides this", "name faces that these dice can show")
        for _ in range(need + most - 1):  # so many rolls decide; what is decided stays
            after: dict[tuple[int, int], int] = {}
            for (have, gone), weight in cases.items():
                over = have >= need or gone >= most
                for (gained, missed), ways in {(0, 0): total}.items() if over else steps.items():
                    state = (min(have + gained, need), min(gone + missed, most))
                    after[state] = after.get(state, 0) + weight * ways
            cases = after
        return bernoulli(sum(weight for (have, _), weight in cases.items() if have >= need), sum(cases.values()))

    def number_of_pairs_won(self, offset: int, ties: str, left: Node, right: Node) -> Pmf:
        pools = self.dice_pool(left), self.dice_pool(right)
        if any(each.rank_window is not None or each.roll_again_rule is not None for each in pools):
            raise self.error_at(offset, "all dice of both sides are paired", "roll fewer dice")
        return number_of_pairs_won(*pools, ties == "win")

    def product_of_faces(self, offset: int, pool: Node) -> Pmf:
        return self.dice_pool(pool).reduce_faces(1, lambda value, face, shown: value * face**shown, lambda value: value)

    def hands_of_distinct_faces(self, offset: int, pool: Node) -> HandDistribution:
        hands: dict[Hand, int] = {}
        for hand, weight in self._weighted_hands(pool):
            key = tuple(dict.fromkeys(hand))
            hands[key] = hands.get(key, 0) + weight
        return HandDistribution(hands)

    def _weighted_hands(self, node: Node) -> Iterator[tuple[Hand, int]]:
        value = self.evaluate(node)
        if isinstance(value, tuple):
            yield value, 1
        elif isinstance(value, HandDistribution):
            yield from value.weights.items()
        else:
            yield from self.as_dice_pool(value, node).weighted_hands()

    # --- arithmetic

    def arithmetic_result(self, sign: str, offset: int, left: Node, right: Node) -> Pmf:
        a, b = self.number_distribution(left), self.number_distribution(right)
        a, b = replace(a, is_yes_or_no=False), replace(b, is_yes_or_no=False)
        if sign == "+":
            return add(a, b)
        if sign == "-":
            return add(a, b.affine(-1, 0))
        if sign == "*":
            if b.constant_value is not None:
                return a.affine(b.constant_value, 0)
            return b.affine(a.constant_value, 0) if a.constant_value is not None else combine(operator.mul, a, b)
        if 0 in b.weights or b.tail is not None:
            raise self.error_at(offset, "this could divide by 0", "divide by a number that is never 0")
        if sign == "/":
            if b.constant_value is not None:
                return a.affine(Fraction(1) / b.constant_value, 0)
            return combine(lambda x, y: Fraction(x) / y, a, b)
        return combine(operator.floordiv if sign == "//" else operator.mod, a, b)

    def negated_number(self, offset: int, node: Node) -> Pmf:
        return self.number_distribution(node).affine(-1, 0)

    def comparison_holds(self, sign: str, offset: int, left: Node, right: Node) -> Pmf:
        if right[0] == "list":
            wanted = [self.constant_value(each) for each in right[2:]]
            hand = tuple(sorted(wanted, reverse=True))
            return self._hand_is_among(left, {hand}, negate=sign == "!=")
        return comparison(sign, self.number_distribution(left), self.number_distribution(right))

    def _hand_is_among(self, node: Node, hands: set[Hand], *, negate: bool = False) -> Pmf:
        weighted = list(self._weighted_hands(node))
        weight = sum(each for hand, each in weighted if (hand in hands) != negate)
        return bernoulli(weight, sum(each for _, each in weighted))

    def is_in_list(self, offset: int, node: Node, items: Sequence[Node]) -> Pmf:
        """Return the distribution of whether a number or a hand is in a list."""
        if any(item[0] == "list" or not is_node(item) for item in items):
            lists = [item[2:] if is_node(item) else item for item in items]
            return self._hand_is_among(
                node, {tuple(sorted(map(self.constant_value, each), reverse=True)) for each in lists}
            )
        return self.meets_any(
            offset, node, [item if item[0] == "range" else ["cond", offset, "==", item] for item in items]
        )

    def meets_any(self, offset: int, node: Node, conditions: Sequence[Node]) -> Pmf:
        """Return the distribution of whether a number meets at least one of several conditions."""
        value, test = self.number_distribution(node), self.face_test(conditions)
        weight = sum(each for face, each in value.weights.items() if test(face))
        if value.tail is None:
            return bernoulli(weight, value.total)
        said = None if value.tail.least is None else self.holds_for_all_from(conditions, value.tail.least)
        if said is None:
            return bernoulli(weight, value.total, value.tail.weight)
        return bernoulli(weight + (value.tail.weight if said else 0), value.total)

    def both_hold(self, offset: int, left: Node, right: Node) -> Result:
        """Return the distribution of whether two questions are both answered yes.

        For two rolls, return the pool of all their dice.
        """
        a = self.evaluate(left)
        if not (isinstance(a, Pmf) and a.is_yes_or_no):
            b = self.evaluate(right)
            if isinstance(b, Pmf) and b.is_yes_or_no:
                raise self.error_at(
                    left[1], "a question with the answer yes or no must stand before `and`", "compare it"
                )
            if any(
                left[1] < each[1] for each in walk_nodes(left) if each[0] == "dice"
            ):  # highest 2 of 3d6 drop lowest and d8
                raise self.error_at(offset, "it is not clear what `and` joins here", "write + to add it")
            return self.joined_dice(offset, left, right)
        return replace(combine(operator.mul, a, self.yes_or_no_distribution(right)), is_yes_or_no=True)

    def either_holds(self, offset: int, left: Node, right: Node) -> Pmf:
        """Return the distribution of whether at least one of two questions is answered yes."""
        return negated(
            combine(
                operator.mul,
                negated(self.yes_or_no_distribution(left)),
                negated(self.yes_or_no_distribution(right)),
                is_yes_or_no=True,
            )
        )

    def holds_given(self, offset: int, question: Node, condition: Node) -> Pmf:
        """Return the distribution of the answer to ``question``, conditional on ``condition``.

        The answer yes to the question must imply the condition.
        """
        some, all_ = self.yes_or_no_distribution(question), self.yes_or_no_distribution(condition)
        if some.tail is not None or all_.tail is not None or not all_.weights.get(1):
            raise self.error_at(offset, "dice that explode without end are not rolled again after ties", "")
        return bernoulli(some.weights.get(1, 0) * all_.total, all_.weights[1] * some.total)

    def does_not_hold(self, offset: int, node: Node) -> Pmf:
        return negated(self.yes_or_no_distribution(node))

    def mixture_of_branches(self, offset: int, condition: Node, then: Node, other: Node) -> Pmf:
        """Return the mixture of ``then`` and ``other`` by the chances that a condition holds and that it does not."""
        question = self.yes_or_no_distribution(condition)
        if question.tail is not None:
            raise self.error_at(offset, "a condition on dice that explode without end is left open", "")
        a, b = self.number_distribution(then), self.number_distribution(other)
        cases = [(question.weights.get(1, 0), a), (question.weights.get(0, 0), b)]
        return mixture(cases, is_yes_or_no=a.is_yes_or_no and b.is_yes_or_no)

    # --- functions and loops

    def function_result(self, offset: int, name: str, *args: Node) -> Result:
        if name[:3] in ("max", "min"):
            if len(args) == 1:
                return self.keep_dice(offset, "high" if name[:3] == "max" else "low", ["n", offset, "1"], args[0])
            return _extreme_number(name, [self.number_distribution(arg) for arg in args])
        if name in _OF_TWO and len(args) == 2:
            return _OF_TWO[name](self, offset, *args)
        if len(args) != 1 or name in _OF_TWO:
            raise self.error_at(offset, f"{name}(...) takes another number of things", "")
        if name in _OF_DICE:
            return _OF_DICE[name](self, offset, args[0])
        if name in ("any", "all"):
            raise self.error_at(offset, f"{name}(...) needs a loop", f"such as {name}(d20 >= 20 for i in span(1, 3))")
        return self.number_distribution(args[0]).mapped(_OF_NUMBERS[name])

    def counted_dice_distribution(self, offset: int, node: Node) -> Pmf:
        """Return the distribution of the number of dice that count."""
        value = self.evaluate(node)
        if isinstance(value, HandDistribution):
            found: dict[Value, int] = {}
            for hand, weight in value.weights.items():
                found[len(hand)] = found.get(len(hand), 0) + weight
            return Pmf.from_weights(found)
        return Pmf.point_mass(self.number_of_dice(offset, self.as_dice_pool(value, node)))

    def loop_result(
        self, offset: int, function_name: str, body: Node, variable: str, rounds: Node, condition: Node | None
    ) -> Result:
        """Return the value of ``any``, ``all``, ``count``, ``sum``, ``max`` or ``min`` over the rounds of a loop.

        ``function_name``: the function. ``rounds``: the values of ``variable``. ``condition``: which rounds count; None
        for all. Dice in ``body`` are rolled anew in each round.
        """
        if rounds[0] in ("span", "items"):
            return self._loop_result_over(offset, function_name, body, variable, self._loop_values(rounds), condition)
        found = [
            (weight, self._loop_result_over(offset, function_name, body, variable, list(hand), condition))
            for hand, weight in self._weighted_hands(rounds)
        ]
        if len(found) > MAX_BOUND_RESULTS:
            raise self.error_at(
                offset, f"these dice can show {len(found):,} hands, over {MAX_BOUND_RESULTS:,}", "roll fewer dice"
            )
        return mixture(found, is_yes_or_no=found[0][1].is_yes_or_no)

    def _loop_values(self, value_nodes: Node) -> Sequence[Value]:
        """Return the values that the variable of a loop takes, in order."""
        if value_nodes[0] == "items":
            return [self.constant_value(each) for each in value_nodes[2]]
        first, last = (self.integer_value(end, -MAX_ROUNDS, MAX_ROUNDS) for end in value_nodes[2:])
        return range(first, last + 1)

    def _loop_result_over(
        self,
        offset: int,
        function_name: str,
        body: Node,
        variable: str,
        values: Sequence[Value],
        condition: Node | None,
    ) -> Pmf:
        if len(values) > MAX_ROUNDS:
            raise self.error_at(offset, f"a loop has at most {MAX_ROUNDS:,} rounds", "loop over fewer items")
        results = list[Pmf]()
        self.mark_for_single_evaluation(body)
        for item in values:
            inner = self.with_bound_name(variable, Pmf.point_mass(item))
            if condition is not None:
                only = inner.yes_or_no_distribution(condition).constant_value
                if only is None:
                    raise self.error_at(condition[1], "what is looped over must not be rolled in the loop", "")
                if not only:
                    continue
            results.append(
                inner.yes_or_no_distribution(body)
                if function_name in ("any", "all", "count")
                else inner.number_distribution(body)
            )
        if function_name in ("any", "all"):
            every = [negated(each) for each in results] if function_name == "any" else results
            product = Pmf({1: 1}, 1, is_yes_or_no=True)
            for each in every:
                product = combine(operator.mul, product, each, is_yes_or_no=True)
            return negated(product) if function_name == "any" else product
        if function_name in ("max", "min"):
            if not results:
                raise self.error_at(offset, "nothing is left to compare", "")
            return _extreme_number(function_name, results).total_distribution()
        if function_name not in ("sum", "count"):
            raise self.error_at(offset, f"{function_name}(...) takes no loop", "such as sum(d6 for i in span(1, 3))")
        total = Pmf.point_mass(0)
        for each in results:
            total = add(total, replace(each, is_yes_or_no=False))
        return total

    def constant_hand(self, offset: int, *face_nodes: Node) -> Result:
        return tuple(self.constant_value(each) for each in face_nodes)


_OF_TWO: dict[str, Callable[..., Result]] = {
    "rank": lambda self, offset, pool, place: self.die_at_rank(offset, place, pool),
    "count": lambda self, offset, pool, face: self.total_gain(
        offset, pool, [["count", [["cond", offset, "==", face]]]]
    ),
    "has_run": lambda self, offset, pool, length: self.dice_show_set(offset, ["straight", length], pool),
}
_OF_DICE: dict[str, Callable[..., Result]] = {
    "sum": Evaluator.total_distribution,
    "size": Evaluator.counted_dice_distribution,
    "distinct": Evaluator.hands_of_distinct_faces,
    "all_equal": lambda self, offset, pool: self.dice_show_set(offset, ["alike", None], pool),
}
_OF_NUMBERS: dict[str, Callable[[Any], Value]] = {
    "abs": abs, "floor": floor, "ceil": ceil, "sign": lambda value: (value > 0) - (value < 0),
    "round": lambda value: floor(Fraction(value) + Fraction(1, 2)),
}  # fmt: skip
"""Functions of a number. ``round`` rounds halves up."""


_METHODS: dict[str, Callable[..., Result]] = {
    **{
        sign: partial(lambda sign, self, *rest: self.arithmetic_result(sign, *rest), sign)
        for sign in ("+", "-", "*", "/", "//", "%")
    },
    **{
        sign: partial(lambda sign, self, *rest: self.comparison_holds(sign, *rest), sign)
        for sign in COMPARE
    },
    "and": Evaluator.both_hold, "or": Evaluator.either_holds, "not": Evaluator.does_not_hold,
    "if": Evaluator.mixture_of_branches, "in": Evaluator.is_in_list, "is": Evaluator.meets_any,
    "given": Evaluator.holds_given, "all": Evaluator.every_die_shows, "n": Evaluator.number_literal,
    "dice": Evaluator.rolled_dice, "name": Evaluator.value_of_name, "let": Evaluator.mixture_over_roll,
    "join": Evaluator.joined_dice, "repeat": Evaluator.repeated_rolls, "total": Evaluator.total_distribution,
    "sorted": Evaluator.distribution_of_each_rank, "keep": Evaluator.keep_dice, "drop": Evaluator.drop_dice,
    "rank": Evaluator.die_at_rank, "ranklow": Evaluator.die_at_rank_from_lowest, "median": Evaluator.median_of_dice,
    "explode": Evaluator.exploding_dice, "reroll": Evaluator.rerolled_dice, "clamp": Evaluator.clamped_dice,
    "gain": Evaluator.total_gain, "shows": Evaluator.enough_dice_show, "has": Evaluator.dice_show_set,
    "largest": Evaluator.size_of_largest_set, "run": Evaluator.length_of_longest_run,
    "distinct": Evaluator.number_of_distinct_faces, "spread": Evaluator.highest_minus_lowest,
    "multiplied": Evaluator.product_of_faces, "distincts": Evaluator.hands_of_distinct_faces,
    "neg": Evaluator.negated_number, "call": Evaluator.function_result, "loop": Evaluator.loop_result,
    "list": Evaluator.constant_hand, "each": Evaluator.distribution_for_each_value,
    "chances": Evaluator.chances_of_targets, "bands": Evaluator.chances_of_ranges,
    "degree": Evaluator.degree_of_success, "needed": Evaluator.values_around_target_chance,
    "swap": Evaluator.with_faces_replaced, "opposed": Evaluator.number_of_pairs_won,
    "gathered": Evaluator.largest_set_after_rolls, "race": Evaluator.race_is_won, "groups": Evaluator.number_of_sets,
    "selected": Evaluator.total_of_selected_dice,
}  # fmt: skip


def ordinal_text(number: int) -> str:
    """Return an ordinal number as text: 1st, 2nd, 3rd, 4th ..."""
    ends = {1: "st", 2: "nd", 3: "rd"}
    return f"{number}{'th' if number % 100 in (11, 12, 13) else ends.get(number % 10, 'th')}"


def _distribution_of_hand_sums(hands: HandDistribution) -> Pmf:
    found: dict[Value, int] = {}
    for hand, weight in hands.weights.items():
        found[sum(hand)] = found.get(sum(hand), 0) + weight
    return Pmf.from_weights(found)


def _gain_after_step(kind: str, value: Value, holds: bool, face: Value, *, counted: bool, limit: Value) -> Value:
    """Return the worth of a die after one more step. ``kind``: the step; ``value``: the worth before it.

    ``holds``: whether the face meets the condition of the step. ``counted``: whether an earlier step counted the die.
    ``limit``: the bound of the steps ``atleast`` and ``atmost``.
    """
    if kind == "count":
        return int(holds)
    if kind == "minus":
        return value - int(holds) if counted else -1 if holds else value
    if kind == "lose":
        return -face if holds else value
    if kind == "plus":
        return value + int(holds)
    if kind in ("only", "without"):
        return value if holds == (kind == "only") else 0
    if kind == "minusrest":
        return -1 if counted and not value else value
    return max(value, limit) if kind == "atleast" else min(value, limit)


def _extreme_number(name: str, numbers: Sequence[Pmf]) -> Pool:
    """Return the maximum of numbers (the minimum if ``name`` begins with ``min``) as a pool of which one die counts."""
    return Pool(tuple((1, each) for each in numbers)).keep_ranks(*((0, 1) if name[:3] == "max" else (-1, 0)))


def _highest_face_test(die: Pmf) -> Test:
    top = die.values[-1]
    return lambda face: face == top


def _exploding_sum(rule: Exploding, die: Pmf) -> Pmf:
    """Return the distribution of the total of a die and of all further dice that its explosions bring."""
    if rule.max_explosions is None:
        return endless_total(die, rule.rolls_again, int_if_whole)
    return total_with_limited_explosions(die, rule.rolls_again, rule.max_explosions, int_if_whole)


def _penetrating_sum(die: Pmf, rolls_again: Test) -> Pmf:
    return endless_total(
        die, rolls_again, int_if_whole, later_total=endless_total(die, rolls_again, lambda face: face - 1)
    )


def _fold_to_yes_or_no(
    dice: Pool, initial_state: Any, update_state: Callable[[Any, Value, int], Any], holds_at_end: Callable[[Any], bool]
) -> Pmf:
    """Return the distribution of the answer to a question about dice: 1 for yes, 0 for no.

    ``initial_state``, ``update_state``, ``holds_at_end``: a fold over the faces of the dice, as in
    ``Pool.reduce_faces``.
    """
    return replace(
        dice.reduce_faces(initial_state, update_state, lambda state: int(holds_at_end(state))), is_yes_or_no=True
    )


def _update_pairs(state: tuple[int, int], face: Value, count: int) -> tuple[int, int]:
    """Return the number of pairs and the number of larger sets after one more face, which ``count`` dice show."""
    return state[0] + (count == 2), state[1] + (count > 2)


def _update_largest_sets(state: tuple[int, int], face: Value, count: int) -> tuple[int, int]:
    """Return the sizes of the two largest sets after one more face, which ``count`` dice show."""
    first, second = state
    return (count, first) if count > first else (first, max(second, count))


def _update_run(state: tuple[Any, int, int], face: Value, count: int) -> tuple[Any, int, int]:
    """Return the state of a search for runs after one more face, which ``count`` dice show.

    The state is the last face shown, the length of the run that ends with it, and the length of the longest run.
    """
    last, length, longest = state
    if not count:
        return state
    length = length + 1 if last is not None and last - face == 1 else 1
    return face, length, max(longest, length)


def _uses_single_dice(body: Node, name: str) -> bool:
    """Return whether a tree uses the single dice of the roll called ``name``."""
    for kind, _, *parts in walk_nodes(body):
        asks = kind in _OF_POOLS
        if kind == "call":
            asks = parts[0] in _OF_HANDS or (parts[0][0] == "m" and len(parts) == 2)
        if asks and any(is_node(each) and each[0] == "name" and each[2] == name for each in parts):
            return True
    return False


def _face_conditions_on(body: Node, name: str) -> list[Any] | None:
    """Return the conditions on a face that a tree asks of the dice called ``name``.

    Return None if the tree asks anything else of these dice, or if the conditions contain names.
    """
    found = list[Any]()
    for kind, _, *parts in walk_nodes(body):
        if not any(is_node(each) and each[0] == "name" and each[2] == name for each in parts):
            continue
        if kind == "gain" and {step[0] for step in parts[1]} <= {"count", "minus"} and parts[1][0][0] == "count":
            found += [step[1] for step in parts[1]]
        elif kind == "shows":
            found += [faces for _, faces in parts[1:]]
        elif kind == "all":
            found.append(parts[1])
        else:
            return None
    return None if any(each[0] == "name" for each in walk_nodes(found)) else found


def _asks_more_than_total(body: Node, name: str) -> bool:
    """Return whether a tree asks more of the roll called ``name`` than its total."""
    numeric = {"+", "-", "*", "/", "//", "%", "neg", "is", *COMPARE}

    def is_name_of_roll(node: Any) -> bool:
        return is_node(node) and node[0] == "name" and bool(node[2] == name)

    for each in walk_nodes(body):
        hands = each[0] in COMPARE and any(is_node(child) and child[0] == "list" for child in each[2:])
        if any(map(is_name_of_roll, each[2:])) and (each[0] not in numeric or hands):
            return True
        if any(
            isinstance(child, list) and not is_node(child) and any(map(is_name_of_roll, child)) for child in each[2:]
        ):
            return True
    return is_name_of_roll(body)
