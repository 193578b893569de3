"""What several rolls bring if all of them use the same next falls of the dice and the same order of the bags.

Chance is fixed before anybody chooses: each kind of die has a sequence of falls to come, and each bag an order. A roll
of three dice takes the next three falls of its kind, a roll of two the first two of them. So rolls of the same dice
have the same result, and rolls of different kinds of dice are independent. Each roll alone has its usual distribution.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from math import perm, prod
from typing import Any

from oddsmith.base.dice import NO_DICE, Die, Hand, check_roll_size, distribution_of_equal_dice, merge_terms
from oddsmith.base.errors import MeasureError
from oddsmith.expr import variable_cell_index
from oddsmith.ruleset.model.phases import RollOrDraw
from oddsmith.ruleset.rules import Rules, State, Step
from oddsmith.ruleset.successors import Landing, SuccessorDeriver

MAX_STEPS = 1_000_000
"""The most steps of play for which results are listed: a minute or two of work."""

Source = tuple[str, Any]
"""What a roll takes from: ("die", a Die), or ("bag", the name of a variable)."""
ResultsInOrder = Sequence[Any]
"""What a source gives, in order: hands for the stretches between its cuts, or the items of a bag."""


class SharedRandomness:
    """The results of the rolls and draws of several positions that all use the same falls of dice and orders of bags.

    ``counts_by_source``: for each position and each of its rolls or draws, the number of dice or items from each
    source. Raises MeasureError if the number of dice depends on what falls, or if a bag differs between the positions.
    """

    def __init__(self, rules: Rules, positions: Sequence[State]) -> None:
        self.rules, self.positions = rules, positions
        self.bags: dict[str, tuple[tuple[Any, int], ...]] = {}
        self.counts_by_source = [
            [self._counts_by_source(position, throw) for throw in self._rolls_and_draws_in(position)]
            for position in positions
        ]
        cuts = defaultdict[Source, set[int]](lambda: {0})
        self.ranges_by_source = [_ranges_taken_from_sources(takes) for takes in self.counts_by_source]
        for one in self.ranges_by_source:
            for source, (start, end) in (each for throw in one for each in throw.items()):
                cuts[source] |= {start, end}
        self.cuts = {source: sorted(places) for source, places in cuts.items()}

    @property
    def max_result_count(self) -> int:
        """A bound on the number of joint results. Raises RuleFailure if one of the rolls has too many."""
        return prod(self._max_results_of_source(source) for source in self.cuts)

    def joint_results(self) -> Iterator[tuple[Fraction, tuple[Step, ...]]]:
        """Yield the probability of each joint result, and the step from each position. Results may come repeatedly."""
        sources = list(self.cuts)
        for sequels in product(*(self._results_of_source(source) for source in sources)):
            come = {source: sequel for source, (_, sequel) in zip(sources, sequels, strict=True)}
            steps = tuple(
                self._step_in_position(position, throws, come)
                for position, throws in zip(self.positions, self.ranges_by_source, strict=True)
            )
            yield prod((chance for chance, _ in sequels), start=Fraction(1)), steps

    def _rolls_and_draws_in(self, position: State) -> tuple[RollOrDraw, ...]:
        return self.rules.phase(position).rolls_and_draws

    def _counts_by_source(self, position: State, throw: RollOrDraw) -> dict[Source, int]:
        """Return how many dice or items a roll or draw takes, by source."""
        context = self.rules.context(position)
        if throw.kind == "draw":
            held = tuple(
                (item, context.cells[variable_cell_index(context.layout, throw.bag, (item,))])
                for item in context.layout[throw.bag].dims[0]
            )
            if self.bags.setdefault(throw.bag, held) != held:
                raise MeasureError(
                    f"options there change {throw.bag} before they draw from it, so no peek tells them all"
                )
            return {("bag", throw.bag): 1}
        if self._depends_on_earlier_roll(position, throw):
            raise MeasureError(
                f"the number of dice in {throw.name} depends on what falls, so no peek tells all options"
            )
        return {("die", die): count for count, die in merge_terms(self.rules.dice_of_roll(throw, context)) if count}

    def _depends_on_earlier_roll(self, position: State, throw: RollOrDraw) -> bool:
        throws = self._rolls_and_draws_in(position)
        earlier = {each.name for each in throws[: throws.index(throw)]}
        read = {node.value for term in throw.dice for node in term.count.walk() if node.op in ("local", "state")}
        return bool(earlier & (read | ({throw.name} if throw.kind == "rest" else set())))

    def _max_results_of_source(self, source: Source) -> int:
        kind, key = source
        if kind == "bag":
            return int(sum(number > 0 for _, number in self.bags[key]) ** max(self.cuts[source]))
        check_roll_size([(max(self.cuts[source]), key)])
        return prod(len(self._distribution_of_falls(key, start, end)) for start, end in pairwise(self.cuts[source]))

    def _results_of_source(self, source: Source) -> list[tuple[Fraction, ResultsInOrder]]:
        """Return every sequence of hands or items that a source may give, with its probability."""
        kind, key = source
        if kind == "bag":
            return list(_orders_of_first_bag_items(self.bags[key], max(self.cuts[source])))
        parts = [self._distribution_of_falls(key, start, end) for start, end in pairwise(self.cuts[source])]
        return [
            (prod((chance for _, chance in hands), start=Fraction(1)), [hand for hand, _ in hands])
            for hands in product(*parts)
        ]

    @staticmethod
    def _distribution_of_falls(die: Die, start: int, end: int) -> list[tuple[Hand, Fraction]]:
        """Return the hands that the falls number ``start`` to ``end`` - 1 of a die may show, with probabilities.

        The first ``die.loaded_count`` falls, counted from 0, are loaded.
        """
        loaded = min(max(die.loaded_count - start, 0), end - start)
        rolled = distribution_of_equal_dice(
            end - start,
            replace(die, loaded_count=loaded) if loaded else replace(die, loaded_weights=(), loaded_count=0),
        )
        return [(hand, Fraction(weight, rolled.denominator)) for hand, weight in rolled.hands]

    def _step_in_position(
        self,
        position: State,
        ranges_by_source: Sequence[dict[Source, tuple[int, int]]],
        results_by_source: dict[Source, ResultsInOrder],
    ) -> Step:
        values = (self._value_of_roll_or_draw(throw, results_by_source) for throw in ranges_by_source)
        return self.rules.resolve(position, self.rules.pick_chance_result(position, lambda *_: next(values)))

    def _value_of_roll_or_draw(
        self, range_by_source: dict[Source, tuple[int, int]], results_by_source: dict[Source, ResultsInOrder]
    ) -> Any:
        """Return the item drawn, or the hand rolled, from the given ranges of places in the results of each source."""
        hand = NO_DICE
        for source, (start, end) in range_by_source.items():
            if source[0] == "bag":
                return results_by_source[source][start]
            cuts = self.cuts[source]
            hand = sum(results_by_source[source][cuts.index(start) : cuts.index(end)], start=hand)
        return hand


def _ranges_taken_from_sources(counts_by_source: Sequence[dict[Source, int]]) -> list[dict[Source, tuple[int, int]]]:
    """Return, for each roll or draw, the half-open range of places that it takes from each source.

    ``counts_by_source``: for each roll or draw, the number of dice or items from each source.
    """
    used = Counter[Source]()
    found = []
    for throw in counts_by_source:
        found.append({source: (used[source], used[source] + count) for source, count in throw.items()})
        used.update(throw)
    return found


def _orders_of_first_bag_items(
    item_counts: Sequence[tuple[Any, int]], length: int
) -> Iterator[tuple[Fraction, tuple[Any, ...]]]:
    """Yield every possible order of the first ``length`` items from a bag, with its probability.

    ``item_counts``: the items of the bag, each with its number.
    """
    counts, total = dict(item_counts), sum(number for _, number in item_counts)
    for items in product([item for item, number in item_counts if number], repeat=length):
        ways = prod(perm(counts[item], times) for item, times in Counter(items).items())
        if ways:
            yield Fraction(ways, perm(total, length)), items


def joint_landing_distributions(
    deriver: SuccessorDeriver, states_with_actions: Sequence[tuple[State, Sequence[int]]]
) -> Iterator[dict[tuple[Landing, ...], Fraction]]:
    """Yield, for each state, the joint distribution of the landings of some of its actions.

    The rolls and draws of these actions share their chance (see ``SharedRandomness``). ``states_with_actions``: the
    states, each with the indices of these actions. Raises MeasureError as ``SharedRandomness`` does, or if there are
    too many results.
    """
    steps = 0
    for state, actions in states_with_actions:
        steps += _shared_randomness_of_actions(
            deriver, deriver.position_with_unknowns(state, 0), actions
        ).max_result_count * len(actions)
        if steps > MAX_STEPS:
            message = (
                "several options roll or draw, with over {:,} results in all, so what a peek shows is not worked out"
            )
            raise MeasureError(message.format(MAX_STEPS))
    for state, actions in states_with_actions:
        position, found = deriver.position_with_unknowns(state, 0), dict[tuple[Landing, ...], Fraction]()
        for probability, results in _shared_randomness_of_actions(deriver, position, actions).joint_results():
            landings = tuple(deriver.landing(position, step.state) for step in results)
            found[landings] = found.get(landings, Fraction(0)) + probability
        yield found


def _shared_randomness_of_actions(
    deriver: SuccessorDeriver, position: State, action_indices: Sequence[int]
) -> SharedRandomness:
    legal = deriver.rules.actions(position)
    return SharedRandomness(
        deriver.rules, [deriver.rules.choose(position, legal[action]).state for action in action_indices]
    )
