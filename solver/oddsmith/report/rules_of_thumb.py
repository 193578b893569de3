"""Rules that a player can remember, and what each costs: the best single number, the named ones, and playing at random."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from oddsmith.exact import Number
from oddsmith.report.decisions import Feature
from oddsmith.report.plans import plan
from oddsmith.report.small_table import TableRule, small_table
from oddsmith.report.thresholds import Strategy
from oddsmith.solve.arena import Ints
from oddsmith.solve.component import EndlessError
from oddsmith.solve.follow import RANDOM, Follower
from oddsmith.solve.policies import rows_of
from oddsmith.solve.solution import Solution

MARGIN = 3  # numbers tried beyond the thresholds that occur, and again as long as the best lies at the edge


@dataclass(frozen=True)
class NumberRule:
    """``above`` when ``feature`` is ``number`` or more, else ``below`` (each where it is legal); ``tried``: from, to.

    ``always``: the one of both that is meant wherever there is something to decide; empty where it depends on the number.
    ``worths``: about what each number tried brings seat 1, good enough for a picture and no more.
    """

    phase: str
    feature: Feature
    number: int
    above: str
    below: str
    tried: tuple[int, int]
    always: str = ""
    worths: tuple[float, ...] = ()

    @property
    def words(self) -> str:
        """The rule in a sentence."""
        if self.always:
            return f"always {self.always}"
        return f"{self.above} when {self.feature.name} is {self.number} or more; else {self.below}"


@dataclass(frozen=True)
class Rung:
    """A way of playing: what seat 1 gets by it while the others play by the solution, and each seat if all play so.

    ``loss``: against seat 1 playing by the solution. None where play would never end.
    """

    name: str
    kind: str
    alone: Number | None
    loss: Number | None
    everyone: tuple[Number, ...] | None


@dataclass(frozen=True)
class Ladder:
    """Ways of playing from the plainest to the best; ``rule``: the best single number, ``table``: the best small table."""

    rule: NumberRule | None
    rungs: tuple[Rung, ...]
    table: TableRule | None = None

    def rung(self, kind: str) -> Rung | None:
        """The first rung of a kind: ``random``, ``named``, ``number``, ``table`` or ``solution``."""
        return next((rung for rung in self.rungs if rung.kind == kind), None)


def ladder(solution: Solution, strategies: list[Strategy], everything: bool = True) -> Ladder:
    """The ladder of a solution. ``everything``: with random play and the named policies, else the best number alone."""
    if solution.mixtures or not strategies:
        return Ladder(None, (_top(solution),))
    follower = Follower(solution)
    rule, rows = best_number(follower, strategies)
    table: TableRule | None = None
    rungs = []
    if everything:
        graph = solution.graph
        rungs.append(
            _rung(
                follower, "Any legal action, at random", "random", np.where(np.diff(graph.state_rows) > 1, RANDOM, -1)
            )
        )
        rungs += [_rung(follower, name, "named", rows_of(graph, name)) for name in graph.game.ruleset.policies]
    if rule is not None and rows is not None:
        rungs.append(_rung(follower, rule.words, "number", rows, exact=everything))
    found = small_table(follower, _main(strategies), rule.number) if rule and everything else None
    if found:
        table, plan_of_it = found
        rungs.append(_rung(follower, table.words, "table", plan_of_it, exact=True))
    rungs.sort(key=lambda rung: (rung.kind != "random", -_size(rung.loss)))
    return Ladder(rule, (*rungs, _top(solution)), table)


def _size(loss: Number | None) -> float:
    return float("inf") if loss is None else float(loss)


def _top(solution: Solution) -> Rung:
    return Rung("Best play", "solution", solution.values[0], Number.of(0), solution.values)


def _rung(follower: Follower, name: str, kind: str, plan: Ints, exact: bool = False) -> Rung:
    solution = follower.solution
    seats = range(1, solution.graph.seats + 1)
    exact = exact and solution.solved.arena.copies == 1
    alone, everyone = _values(follower, {1: plan}, exact), _values(follower, dict.fromkeys(seats, plan), exact)
    if alone is None:
        return Rung(name, kind, None, None, everyone)
    best, mine = solution.values[0], alone[0]
    loss = Number(best.lower - mine.upper, best.upper - mine.lower)
    if solution.solved.arena.sign < 0:
        loss = Number(-loss.upper, -loss.lower)
    return Rung(name, kind, mine, loss, everyone)


def _values(follower: Follower, plans: Mapping[int, Ints], exact: bool) -> tuple[Number, ...] | None:
    try:
        return follower.values(plans, exact)
    except (EndlessError, ZeroDivisionError):  # a singular system: play by this plan may never end
        return None


# --- the best single number


def _fitting(strategies: list[Strategy]) -> list[Strategy]:
    """The phases that have thresholds."""
    return [each for each in strategies if each.down is not None and each.below != each.above and each.range()]


def _main(strategies: list[Strategy]) -> Strategy:
    """The one of them that is decided most often."""
    return max(_fitting(strategies), key=lambda each: int(each.decisions.played.sum()))


def best_number(follower: Follower, strategies: list[Strategy]) -> tuple[NumberRule | None, Ints | None]:
    """The best rule with one number for the phase that is decided most often, and its row for every state."""
    if not _fitting(strategies):
        return None, None
    strategy = _main(strategies)
    assert strategy.down is not None
    spread = strategy.range()
    assert spread is not None
    down = strategy.down
    values = np.unique(down.column)
    sign = follower.solution.solved.arena.sign

    @cache
    def worth(number: int) -> float:
        return sign * follower.estimate(plan(strategy, number))

    low, high = spread[0] - MARGIN, spread[1] + MARGIN
    while True:
        low, high = max(low, int(values[0])), min(high, int(values[-1]) + 1)
        best = max(range(low, high + 1), key=lambda number: (worth(number), -number))
        at_low, at_high = best == low > int(values[0]), best == high < int(values[-1]) + 1
        if not at_low and not at_high:
            break
        low, high = low - MARGIN * at_low, high + MARGIN * at_high
    above, below = strategy.options[strategy.above], strategy.options[strategy.below]
    always = above if best <= values[0] else below if best > values[-1] else ""
    worths = tuple(sign * worth(number) for number in range(low, high + 1))
    rule = NumberRule(strategy.decisions.phase, down, best, above, below, (low, high), always, worths)
    return rule, plan(strategy, best)
