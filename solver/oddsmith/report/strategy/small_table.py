"""The best small table to remember: two or three thresholds, by one more thing that a player sees.

The search starts from the thresholds of the solution and climbs by what play against the solution brings. It ends where no
single change of a threshold or of a border brings more; what it found is then valued like any rule, as proven.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from oddsmith.arrays import Ints
from oddsmith.report.strategy.decisions import Feature
from oddsmith.report.strategy.prescription import prescriber
from oddsmith.report.strategy.tables import bounds
from oddsmith.report.strategy.thresholds import SolvedStrategy
from oddsmith.solve.questions import Follower

MOST_ROWS = 3
MOST_STATES = 40_000  # with every seat told apart; beyond, a search would take minutes
MOST_TRIES = 120
BORDERS = 7  # places at which a table is first cut in two
STEPS = (1, -1, 3, -3)


@dataclass(frozen=True)
class TableRule:
    """``above`` from ``numbers[k]`` of ``feature`` on, else ``below``, where ``by`` is from ``starts[k]`` to before the next.

    ``low`` and ``high``: the range of the feature; ``last``: the highest value of ``by``.
    """

    phase: str
    feature: Feature
    by: Feature
    starts: tuple[int, ...]
    numbers: tuple[int, ...]
    above: str
    below: str
    low: int
    high: int
    last: int

    @property
    def words(self) -> str:
        """The rule in a sentence."""
        ends = [*(start - 1 for start in self.starts[1:]), self.last]
        rows = [
            f"{self._row(number)} ({self.by.name} {first if first == last else f'{first}–{last}'})"
            for first, last, number in zip(self.starts, ends, self.numbers, strict=True)
        ]
        return f"{self.above} when {self.feature.name} {self.feature.verb} {', '.join(rows)}; else {self.below}"

    def _row(self, number: int) -> str:
        if number <= self.low:
            return "anything"
        if number >= self.high:
            return "never" if number > self.high else str(number)
        return f"{number} or more"

    def thresholds(self, values: Ints) -> Ints:
        """The threshold for each value of ``by``."""
        return np.array(self.numbers)[np.searchsorted(np.array(self.starts[1:]), values, side="right")]


def small_table(follower: Follower, strategy: SolvedStrategy, number: int) -> tuple[TableRule, Ints] | None:
    """The best table found that brings more than one number does, and its row for every state; None where there is none."""
    if len(strategy.tables) != 1 or strategy.down is None or follower.apart.arena.states > MOST_STATES:
        return None
    found = [table for across in range(len(strategy.across)) if (table := _by(follower, strategy, number, across))]
    return max(found, key=lambda pair: follower.sign * follower.estimate(pair[1]), default=None)


def _by(follower: Follower, strategy: SolvedStrategy, number: int, across: int) -> tuple[TableRule, Ints] | None:
    """The best table found by one more feature, the one at a place of ``strategy.across``."""
    down, by = strategy.down, strategy.across[across]
    assert down is not None
    values, seen = np.unique(down.column), np.unique(by.column)
    rule = TableRule(
        strategy.phase,
        down,
        by,
        (int(seen[0]),),
        (number,),
        strategy.options[strategy.above],
        strategy.options[strategy.below],
        int(values[0]),
        int(values[-1]),
        int(seen[-1]),
    )
    search = _Search(follower, strategy, across, seen)
    single = search.worth(rule)
    for _ in range(MOST_ROWS - 1):
        rule = max([rule, *search.cut(rule)], key=search.worth)
        rule = search.climbed(rule)
    if len(rule.starts) == 1 or search.worth(rule) <= single:
        return None
    return rule, search.prescription(rule)


class _Search:
    def __init__(self, follower: Follower, strategy: SolvedStrategy, across: int, seen: Ints) -> None:
        self.follower, self.strategy, self.across, self.seen = follower, strategy, across, seen
        self.made = prescriber(strategy)
        self.known: dict[tuple[tuple[int, ...], tuple[int, ...]], float] = {}
        copies = follower.played.arena.copies
        self.by = strategy.across[across].column[::copies]

    def prescription(self, rule: TableRule) -> Ints:
        return self.made(rule.thresholds(self.by))

    def worth(self, rule: TableRule) -> float:
        key = (rule.starts, rule.numbers)
        if key not in self.known:
            self.known[key] = self.follower.sign * self.follower.estimate(self.prescription(rule))
        return self.known[key]

    def cut(self, rule: TableRule) -> Iterator[TableRule]:
        """The rule with one more border, and the thresholds that the solution has most on both sides of it."""
        places = np.linspace(0, len(self.seen) - 1, BORDERS + 2)[1:-1].astype(int)
        for border in dict.fromkeys(self.seen[places].tolist()):
            if border in rule.starts:
                continue
            starts = tuple(sorted((*rule.starts, border)))
            yield replace(rule, starts=starts, numbers=tuple(self._usual(rule, starts)))

    def _usual(self, rule: TableRule, starts: tuple[int, ...]) -> Iterator[int]:
        """The middle threshold of the solution in each row, where best play gets."""
        strategy = self.strategy
        for first, after in pairwise((*starts, rule.last + 1)):
            limits = []
            for line in strategy.tables[0].lines:
                if first <= line.at[self.across] < after and line.played:
                    low, high = bounds(line, strategy.below, strategy.above)
                    limits.append(rule.high + 1 if high == np.inf else rule.low if low == -np.inf else int(high))
            yield sorted(limits)[len(limits) // 2] if limits else rule.numbers[0]

    def climbed(self, rule: TableRule) -> TableRule:
        """The rule after all single changes that bring more, as long as tries are left."""
        while len(self.known) < MOST_TRIES:
            better = max(self._changed(rule), key=self.worth, default=rule)
            if self.worth(better) <= self.worth(rule):
                break
            rule = better
        return rule

    def _changed(self, rule: TableRule) -> Iterator[TableRule]:
        for k, number in enumerate(rule.numbers):
            for step in STEPS:
                if rule.low <= number + step <= rule.high + 1:
                    yield replace(rule, numbers=(*rule.numbers[:k], number + step, *rule.numbers[k + 1 :]))
        for k, start in enumerate(rule.starts[1:], 1):
            at = int(np.searchsorted(self.seen, start))
            for step in STEPS:
                moved = int(self.seen[min(max(at + step, 0), len(self.seen) - 1)])
                starts = (*rule.starts[:k], moved, *rule.starts[k + 1 :])
                if all(a < b for a, b in pairwise(starts)):
                    yield replace(rule, starts=starts)
