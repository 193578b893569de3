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

from oddsmith.base.dice import NO_DICE, Die, Hand, check_roll_size, merge_terms, roll_alike
from oddsmith.base.errors import MeasureError
from oddsmith.expr import cell_of
from oddsmith.ruleset.model.phases import RollOrDraw
from oddsmith.ruleset.rules import Rules, State, Step
from oddsmith.ruleset.successors import Deriver, Landing

MAX_STEPS = 1_000_000
"""The most steps of play for which results are listed: a minute or two of work."""

Source = tuple[str, Any]
"""What a roll takes from: ("die", a Die), or ("bag", the name of a variable)."""
Sequel = Sequence[Any]
"""What a source gives, in order: hands for the stretches between its cuts, or the items of a bag."""


class SharedChance:
    """The results of several rolls or draws at once, each in a position of its own.

    Raises MeasureError if the number of dice depends on what falls, or if a bag differs between the positions.
    """

    def __init__(self, rules: Rules, positions: Sequence[State]) -> None:
        self.rules, self.positions = rules, positions
        self.bags: dict[str, tuple[tuple[Any, int], ...]] = {}
        self.takes = [[self._taken(position, throw) for throw in self._throws(position)] for position in positions]
        cuts = defaultdict[Source, set[int]](lambda: {0})
        self.stretches = [_stretches(takes) for takes in self.takes]
        for one in self.stretches:
            for source, (start, end) in (each for throw in one for each in throw.items()):
                cuts[source] |= {start, end}
        self.cuts = {source: sorted(places) for source, places in cuts.items()}

    @property
    def most(self) -> int:
        """A bound on the number of results. Raises Broken if one of the rolls has too many."""
        return prod(self._most(source) for source in self.cuts)

    def results(self) -> Iterator[tuple[Fraction, tuple[Step, ...]]]:
        """Yield the steps in all positions for each result, with its probability. A result may come several times."""
        sources = list(self.cuts)
        for sequels in product(*(self._sequels(source) for source in sources)):
            come = {source: sequel for source, (_, sequel) in zip(sources, sequels, strict=True)}
            steps = tuple(
                self._step(position, throws, come)
                for position, throws in zip(self.positions, self.stretches, strict=True)
            )
            yield prod((chance for chance, _ in sequels), start=Fraction(1)), steps

    def _throws(self, position: State) -> tuple[RollOrDraw, ...]:
        return self.rules.phase(position).rolls_and_draws

    def _taken(self, position: State, throw: RollOrDraw) -> dict[Source, int]:
        """Return how many dice or items a roll or draw takes from each source."""
        m = self.rules.context(position)
        if throw.kind == "draw":
            held = tuple((item, m.cells[cell_of(m.layout, throw.bag, (item,))]) for item in m.layout[throw.bag].dims[0])
            if self.bags.setdefault(throw.bag, held) != held:
                raise MeasureError(
                    f"options there change {throw.bag} before they draw from it, so no peek tells them all"
                )
            return {("bag", throw.bag): 1}
        if self._depends_on_earlier(position, throw):
            raise MeasureError(
                f"the number of dice in {throw.name} depends on what falls, so no peek tells all options"
            )
        return {("die", die): count for count, die in merge_terms(self.rules.terms(throw, m)) if count}

    def _depends_on_earlier(self, position: State, throw: RollOrDraw) -> bool:
        throws = self._throws(position)
        earlier = {each.name for each in throws[: throws.index(throw)]}
        read = {node.value for term in throw.dice for node in term.count.walk() if node.op in ("local", "state")}
        return bool(earlier & (read | ({throw.name} if throw.kind == "rest" else set())))

    def _most(self, source: Source) -> int:
        kind, key = source
        if kind == "bag":
            return int(sum(number > 0 for _, number in self.bags[key]) ** max(self.cuts[source]))
        check_roll_size([(max(self.cuts[source]), key)])
        return prod(len(self._stretch(key, start, end)) for start, end in pairwise(self.cuts[source]))

    def _sequels(self, source: Source) -> list[tuple[Fraction, Sequel]]:
        """Return all that a source may give, with the probabilities."""
        kind, key = source
        if kind == "bag":
            return list(_orders(self.bags[key], max(self.cuts[source])))
        parts = [self._stretch(key, start, end) for start, end in pairwise(self.cuts[source])]
        return [
            (prod((chance for _, chance in hands), start=Fraction(1)), [hand for hand, _ in hands])
            for hands in product(*parts)
        ]

    @staticmethod
    def _stretch(die: Die, start: int, end: int) -> list[tuple[Hand, Fraction]]:
        """Return the distribution of the falls of a die from ``start`` up to but not ``end``. The first are loaded."""
        loaded = min(max(die.loaded - start, 0), end - start)
        rolled = roll_alike(end - start, replace(die, loaded=loaded) if loaded else replace(die, load=(), loaded=0))
        return [(hand, Fraction(weight, rolled.denominator)) for hand, weight in rolled.hands]

    def _step(
        self, position: State, throws: Sequence[dict[Source, tuple[int, int]]], come: dict[Source, Sequel]
    ) -> Step:
        values = (self._value(throw, come) for throw in throws)
        return self.rules.resolve(position, self.rules.pick_chance_result(position, lambda *_: next(values)))

    def _value(self, throw: dict[Source, tuple[int, int]], come: dict[Source, Sequel]) -> Any:
        hand = NO_DICE
        for source, (start, end) in throw.items():
            if source[0] == "bag":
                return come[source][start]
            cuts = self.cuts[source]
            hand = sum(come[source][cuts.index(start) : cuts.index(end)], start=hand)
        return hand


def _stretches(takes: Sequence[dict[Source, int]]) -> list[dict[Source, tuple[int, int]]]:
    """Return for each roll or draw which places of each source it takes, from the first up to but not the second."""
    used = Counter[Source]()
    found = []
    for throw in takes:
        found.append({source: (used[source], used[source] + count) for source, count in throw.items()})
        used.update(throw)
    return found


def _orders(held: Sequence[tuple[Any, int]], length: int) -> Iterator[tuple[Fraction, tuple[Any, ...]]]:
    """Yield the possible first items of a bag in order, with their probabilities."""
    counts, total = dict(held), sum(number for _, number in held)
    for items in product([item for item, number in held if number], repeat=length):
        ways = prod(perm(counts[item], times) for item, times in Counter(items).items())
        if ways:
            yield Fraction(ways, perm(total, length)), items


def shared_landings(
    deriver: Deriver, rolls: Sequence[tuple[State, Sequence[int]]]
) -> Iterator[dict[tuple[Landing, ...], Fraction]]:
    """Yield for each state the probability of all landings together of some of its actions, which roll or draw at once.

    ``rolls``: the states, each with the indices of these actions. Raises MeasureError as ``SharedChance`` does, or if
    the results are too many.
    """
    steps = 0
    for state, actions in rolls:
        steps += _chance(deriver, deriver.position(state, 0), actions).most * len(actions)
        if steps > MAX_STEPS:
            message = (
                "several options roll or draw, with over {:,} results in all, so what a peek shows is not worked out"
            )
            raise MeasureError(message.format(MAX_STEPS))
    for state, actions in rolls:
        position, found = deriver.position(state, 0), dict[tuple[Landing, ...], Fraction]()
        for probability, results in _chance(deriver, position, actions).results():
            landings = tuple(deriver.landing(position, step.state) for step in results)
            found[landings] = found.get(landings, Fraction(0)) + probability
        yield found


def _chance(deriver: Deriver, position: State, actions: Sequence[int]) -> SharedChance:
    legal = deriver.rules.actions(position)
    return SharedChance(deriver.rules, [deriver.rules.choose(position, legal[action]).state for action in actions])
