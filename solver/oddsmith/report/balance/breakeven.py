"""When one more roll pays, as a formula: what a player gains on average by rolling once more and then stopping.

A push-your-luck decision has an option that ends the turn and one that leads to a roll. Both are carried out on unknown
cells, so that the difference of what the objective gives comes out as an expression of the position. It holds where the
tests and the `min` and `max` on the way turn out as in the position it was derived at; these conditions are the formula's
region. Regions are derived until every decision of the game lies in one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy
from numpy.typing import NDArray

from oddsmith.errors import BreakEvenError, Broken
from oddsmith.exact import brief, plural
from oddsmith.expr import Expr
from oddsmith.expr.analysis import Needs, View, fold
from oddsmith.graph import StateGraph
from oddsmith.graph.columns import Branch, Chance, Symbolic
from oddsmith.report.balance.region import NoFormula, Region, symbol_name
from oddsmith.report.balance.stopping import OneMore, pairs
from oddsmith.ruleset.model import Entry, Phase, ToPhase

MAX_REGIONS = 100  # of one decision; beyond, the rest is told as not covered


@dataclass(frozen=True)
class Threshold:
    """``variable`` below (or above) ``limit``, a SymPy expression of the other variables, makes one more roll pay."""

    variable: str
    below: bool
    limit: Any

    def __repr__(self) -> str:
        return brief(self, str(self))

    def __str__(self) -> str:
        top, bottom = sympy.fraction(sympy.together(self.limit))
        over = sympy.expand(top)
        limit = f"({over})/{bottom}" if bottom != 1 and over.is_Add else str(self.limit)
        return f"{self.variable} {'<' if self.below else '>'} {limit}"


@dataclass(frozen=True)
class Formula:
    """What one more roll gains, in units of the objective, as a SymPy expression of the position.

    ``region``: where that holds; ``decisions``: how many decisions of the game lie there. ``always``: whether one more roll
    pays (or does not) whatever the position. If it depends, ``thresholds`` has the formula solved for each variable that a
    turn starts anew and that enters with a fixed factor. Where there is none, it is solved for any variable.
    """

    gain: Any
    region: tuple[str, ...]
    decisions: int
    always: bool | None
    thresholds: tuple[Threshold, ...]

    def __repr__(self) -> str:
        return brief(self, " where ".join([str(self), *([", ".join(self.region)] if self.region else [])]))

    def __str__(self) -> str:
        if self.always is not None:
            return "always" if self.always else "never"
        return "while " + " and ".join(map(str, self.thresholds)) if self.thresholds else f"while {self.gain} > 0"


@dataclass(frozen=True)
class BreakEven:
    """A decision between stopping and rolling. ``formulas``: one per region, that with most decisions first.

    ``decisions``: how many there are; ``left``: how many of them lie in no region, and ``why``.
    """

    phase: str
    stop: str
    throw: str
    formulas: tuple[Formula, ...]
    decisions: int
    left: int
    why: str = ""

    def __repr__(self) -> str:
        return brief(self, f"{self.phase}: {self.throw} against {self.stop}, {plural(len(self.formulas), 'formula')}")

    def to_json(self) -> dict[str, Any]:
        """The formulas as text."""
        return {
            "phase": self.phase,
            "stop": self.stop,
            "throw": self.throw,
            "decisions": self.decisions,
            "left": self.left,
            "formulas": [
                {
                    "gain": str(each.gain),
                    "region": list(each.region),
                    "decisions": each.decisions,
                    "pays": str(each),
                    "thresholds": [str(threshold) for threshold in each.thresholds],
                }
                for each in self.formulas
            ],
        }


def one_more(found: Iterable[BreakEven]) -> list[OneMore]:
    """Those decisions in words of which a formula says something."""
    return [
        OneMore(
            each.stop, each.throw, tuple((str(one), one.region, one.decisions) for one in each.formulas), each.decisions
        )
        for each in found
        if any(one.gain != 0 for one in each.formulas)
    ]


def break_even(graph: StateGraph) -> list[BreakEven]:
    """The formulas of every push-your-luck decision of a game. Raises BreakEvenError where there is none."""
    game = graph.game
    payoff = game.ruleset.payoffs[graph.objective]
    if any(node.op == "call" and node.value == "share" for node in payoff.value.walk()):
        raise BreakEvenError(f"{graph.objective} is no sum of amounts, so one more roll has no simple formula")
    found = [
        (phase, stop, throw)
        for phase in game.ruleset.phases.values()
        if phase.kind == "choose"
        for stop, throw in pairs(game, phase)
    ]
    if not found:
        raise BreakEvenError(f"{game.ruleset.id} has no decision between ending the turn and rolling once more")
    return [decision for pair in found if (decision := _Decision(graph, *pair).solve()).decisions]


class _Decision:
    """One decision phase with an option to stop and one to throw."""

    def __init__(self, graph: StateGraph, phase: Phase, stop: Entry, throw: Entry) -> None:
        self.graph, self.game, self.phase = graph, graph.game, phase
        self.stop, self.throw = phase.entries.index(stop), phase.entries.index(throw)
        self.symbolic = Symbolic(self.game)
        self.bodies: dict[Any, Any] = {}
        self.cells, phases, self.out = graph.codec.decode(graph.keys)
        here = np.flatnonzero(phases == graph.codec.phases.index(phase.name))
        self.states = here[self.legal(self.stop)[here] & self.legal(self.throw)[here]]

    def legal(self, entry: int) -> NDArray[np.bool_]:
        """In which states of the graph an option of the phase is legal."""
        wanted = [number for number, action in enumerate(self.graph.actions) if action[:2] == (self.phase.name, entry)]
        found = np.zeros(self.graph.states, dtype=bool)
        found[self.graph.row_state[np.isin(self.graph.row_action, wanted)]] = True
        return found

    def solve(self) -> BreakEven:
        left = np.ones(len(self.states), dtype=bool)
        without = np.zeros(len(self.states), dtype=bool)
        gains: list[tuple[Region, Any]] = []
        why = "there are too many cases"
        for _ in range(MAX_REGIONS):
            if not (left & ~without).any():
                break
            place = int(np.flatnonzero(left & ~without)[0])
            region = Region(self.game, self.graph.state(int(self.states[place])))
            try:
                gain = self.gain(region)
            except NoFormula as none:
                without[place], why = True, str(none)
                continue
            left &= ~self.holds(region)
            gains.append((region, gain))
        phase, open_ = self.phase, int(left.sum())
        names = (phase.name, phase.entries[self.stop].name, phase.entries[self.throw].name)
        return BreakEven(*names, tuple(self.formulas(_merged(gains))), len(self.states), open_, why if open_ else "")

    def formulas(self, derived: list[tuple[Region, Any]]) -> list[Formula]:
        """Formulas with the sizes of their regions; regions that only tell apart who is out are one where they agree."""
        gains: dict[tuple[str, ...], list[tuple[Region, Any]]] = {}
        for region, gain in derived:
            gains.setdefault(region.words(), []).append((region, gain))
        formulas = []
        for words, several in gains.items():
            alike = len({gain for _, gain in several}) == 1
            for region, gain in several[:1] if alike else several:
                count = sum(int(self.holds(each).sum()) for each, _ in (several if alike else [(region, gain)]))
                low, high = region.range(gain)
                always = True if low > 0 else False if high <= 0 else None
                said = words if alike else (*words, *region.absent())
                formulas.append(Formula(gain, said, count, always, tuple(self.thresholds(gain))))
        return sorted(formulas, key=lambda formula: -formula.decisions)

    def holds(self, region: Region) -> NDArray[np.bool_]:
        """Which of the decisions lie in a region."""
        columns = {where: self.cells[where][self.states].astype(np.int64) for where in range(len(self.game.cells))}
        codes = {where: self.graph.codec.code(where, value) for where, value in region.known.items()}
        same: NDArray[np.bool_] = self.out[self.states] == region.state.out
        return region.holds(columns, codes) & same

    # --- carrying out the two options

    def gain(self, region: Region) -> Any:
        """What throwing once more and then stopping brings more than stopping, at first with every cell unknown."""
        while True:
            view = self.symbolic.view(region.known, region.state.out)
            try:
                region.clear()
                difference = self.thrown(view, region) - self.stopped(view, region)
                region.prune()
                goal = self.game.ruleset.payoffs[self.graph.objective].goal
                return sympy.expand(difference if goal == "max" else -difference)
            except Needs as needs:
                region.learn(min(needs.cells))
            except Broken as broken:
                raise NoFormula(str(broken)) from None

    def thrown(self, view: View, region: Region) -> Any:
        branch = self.option(view, self.throw, region)
        then = self.phase.entries[self.throw].then
        assert isinstance(then, ToPhase)  # as pairs chose it
        roll = self.game.ruleset.phases[then.phase]
        after = _after(view, branch)
        chances: list[Chance] = self.once(("roll", region), lambda: self.symbolic.chances(roll, after))
        total, weights = sympy.Integer(0), sympy.Integer(0)
        for chance in chances:
            weight = sympy.Integer(chance.weight)
            for count in chance.counts:
                weight *= region.number(count)
            total += weight * self.settled(roll, chance.branches, after, region)
            weights += weight
        return total / weights

    def settled(self, phase: Phase, branches: tuple[Branch, ...], view: View, region: Region) -> Any:
        """What a seat has after a roll (or sorting), and stopping if it is to decide again."""
        for branch in branches:
            if not region.decide(branch.guard):
                continue
            entry, after = phase.entries[branch.entry], _after(view, branch)
            if not isinstance(entry.then, ToPhase) or region.decide(branch.gone[0]):
                return self.paid(after, region, over=entry.then.kind == "end")
            if region.decide(fold(self.game.ruleset.end_when, after)):
                return self.paid(after, region, over=True)
            there = self.game.ruleset.phases[entry.then.phase]
            if there.kind == "cases":
                return self.settled(there, tuple(self.symbolic.branches(there, after, after)), after, region)
            if there.name != self.phase.name:
                raise NoFormula(f"after the roll comes {there.name}")
            return self.stopped(after, region)
        raise NoFormula("no entry applies")

    def stopped(self, view: View, region: Region) -> Any:
        branch = self.option(view, self.stop, region)
        return self.paid(_after(view, branch), region, over=self.phase.entries[self.stop].then.kind == "end")

    def option(self, view: View, number: int, region: Region) -> Branch:
        """An option that is legal in the region."""
        for option in self.symbolic.options(self.phase, view):
            if option.branch.entry == number and region.decide(option.branch.guard):
                return option.branch
        raise NoFormula("the player cannot stop, or roll, there")

    def paid(self, view: View, region: Region, over: bool) -> Any:
        """The mover's objective as the turn (or the game) ends."""
        if self.game.ruleset.at_end and (over or region.decide(fold(self.game.ruleset.end_when, view))):
            ending = self.symbolic.ending(view)
            view = _written(view, ending.writes)
            view.gone = list(ending.gone)
        view.seat = 0
        return region.number(fold(self.game.ruleset.payoffs[self.graph.objective].value, view))

    def once(self, key: tuple[str, Region], make: Any) -> Any:
        """What does not depend on the position, only on what is known of it."""
        whole = (key[0], key[1].state.out, tuple(sorted(key[1].known.items())))
        if whole not in self.bodies:
            self.bodies[whole] = make()
        return self.bodies[whole]

    # --- solving for a variable

    def thresholds(self, gain: Any) -> Iterator[Threshold]:
        """The gain solved for each variable with a fixed factor, those that a turn starts anew or else any."""
        turn = {symbol_name(cell) for cell in self.game.cells if cell.variable.resets}
        symbols = sorted(gain.free_symbols, key=str)
        for symbol in [one for one in symbols if one.name in turn] or symbols:
            factor = sympy.diff(gain, symbol)
            if factor.is_number:
                yield Threshold(symbol.name, bool(factor < 0), sympy.expand(-gain.subs(symbol, 0) / factor))


def _after(view: View, branch: Branch) -> View:
    """The view after an entry."""
    found = _written(view, branch.writes)
    found.gone = list(branch.gone)
    return found


def _written(view: View, writes: tuple[tuple[int, Expr], ...]) -> View:
    cells = list(view.cells)
    for where, tree in writes:
        cells[where] = tree
    return View(view.static, view.layout, view.seats, cells, list(view.gone))


def _merged(gains: list[tuple[Region, Any]]) -> list[tuple[Region, Any]]:
    """Regions with the same formula that a flag alone divides are one."""
    while True:
        pair = next(
            (
                (one, two, joined)
                for one in range(len(gains))
                for two in range(one + 1, len(gains))
                if gains[one][1] == gains[two][1] and (joined := gains[one][0].joined(gains[two][0])) is not None
            ),
            None,
        )
        if pair is None:
            return gains
        one, two, joined = pair
        gain = gains[one][1]
        gains = [each for number, each in enumerate(gains) if number not in (one, two)] + [(joined, gain)]
