"""Computes the risk of rolling on: the probability that each roll of a turn loses the turn, if the player never stops.

Rolls are followed exactly from the start of the first turn. If there is a choice between stopping and rolling, the
player rolls. Every other choice is that of the solution. A roll loses the turn if no further choice to stop follows in
the turn and the player is no better off than by stopping before the roll. Before the first choice, the value of the
turn replaces that of stopping.

``stop_and_roll_option_pairs`` finds such decisions, and a ``RollOrStop`` says when one more roll pays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property

import numpy as np

from oddsmith.base.arrays import Ints, Mask
from oddsmith.base.errors import Signal
from oddsmith.base.exact import Number, plural, short_repr
from oddsmith.graph import reachable_mask
from oddsmith.report.policy.thresholds import SolvedStrategy
from oddsmith.ruleset import Game
from oddsmith.ruleset.model import Entry, Phase, RollPhase, ToPhase
from oddsmith.solve import Solution
from oddsmith.solve.questions import PlayedPolicy


@dataclass(frozen=True)
class RollOrStop:
    """A decision between stopping and rolling, in words.

    ``formulas``: triples of the formula for when one more roll pays, the conditions under which it holds, and the
    number of decisions that meet them, the greatest number first. ``decisions``: the number of all such decisions.
    """

    stop: str
    throw: str
    formulas: tuple[tuple[str, tuple[str, ...], int], ...]
    decisions: int


def stop_and_roll_option_pairs(game: Game, phase: Phase) -> Iterator[tuple[Entry, Entry]]:
    """Yield pairs of two options of a phase: the first ends the turn, and the second leads to a roll. Options with loop
    names are left out.
    """
    plain = [entry for entry in phase.entries if not entry.loops]
    for stop in plain:
        for throw in plain:
            to = game.ruleset.phases[throw.then.phase] if isinstance(throw.then, ToPhase) else None
            if not isinstance(stop.then, ToPhase) and isinstance(to, RollPhase):
                yield stop, throw


MAX_ROLLS = 15  # rolls
MIN_REACH_CHANCE = Fraction(1, 100)  # a roll that fewer turns than this get to is not told
MAX_STEPS_TO_CHOICE = 50  # from one choice to the next; beyond, dice may be rolled without end
MAX_POSITIONS_COMPARED = 2_000  # up to which it is looked for what the risk depends on


class EndlessRolls(Signal):
    """Raised if dice may be rolled without end before the next choice."""


Flow = dict[int, Fraction]
"""States of the arena with their probabilities, or rows of the arena with theirs."""


@dataclass(frozen=True)
class RollOnRisk:
    """The risks of a player who always rolls at a decision between stopping and rolling.

    ``reached``: the probabilities that the turn reaches its first roll, its second and so on. ``lost``: the
    probabilities that exactly this roll loses the turn. ``by``: the name of a variable that alone determines the risk
    of the next roll; empty if there is none. ``risks``: pairs of a value of this variable, ascending, and the risk of
    the next roll.
    """

    phase: str
    stop: str
    again: str
    reached: tuple[Fraction, ...]
    lost: tuple[Fraction, ...]
    by: str = ""
    risks: tuple[tuple[int, Fraction], ...] = ()

    def __repr__(self) -> str:
        return short_repr(self, f"{self.phase}: {self.again} against {self.stop}, {plural(len(self.lost), 'roll')}")

    @property
    def constant_risk(self) -> Fraction | None:
        """The risk of each roll, given that the turn reaches it; None if the rolls differ in risk."""
        found = {lost / reached for lost, reached in zip(self.lost, self.reached, strict=True)}
        return found.pop() if len(found) == 1 else None


def roll_on_risks(solution: Solution, strategies: Sequence[SolvedStrategy]) -> list[RollOnRisk]:
    """Return the risk of rolling on for every decision between stopping and rolling.

    Decisions are left out if no roll after the first can lose the turn. The result is empty if best play mixes actions.
    """
    if solution.mixtures:
        return []
    found = []
    for strategy in strategies:
        phase = solution.graph.game.ruleset.phases[strategy.phase]
        for stop, again in list(stop_and_roll_option_pairs(solution.graph.game, phase))[:1]:
            risk = _RollOnTurn(solution, strategy, stop, again).risk_of_rolling_on()
            found += [risk] if risk else []
    return found


class _RollOnTurn:
    """A turn in which the player always rolls on at one decision."""

    def __init__(self, solution: Solution, strategy: SolvedStrategy, stop: Entry, roll_again: Entry) -> None:
        self.solution, self.strategy, self.names = solution, strategy, (stop.name, roll_again.name)
        self.played = PlayedPolicy.of(solution)
        self.arena, self.turns = self.played.arena, self.played.turn_end_mask
        entries = solution.graph.game.ruleset.phases[strategy.phase].entries
        self.stop, self.again = self.rows_of_option(entries.index(stop)), self.rows_of_option(entries.index(roll_again))
        self.better_off, self.next_choices, self.stopping_value = (
            cache(self._is_better_off),
            cache(self._roll_on_from),
            cache(self._value_of_stopping),
        )

    def rows_of_option(self, entry_index: int) -> Ints:
        """Return the row of an option in each state of the graph, counted from the first row of the state; -1 if the
        option is not legal. ``entry_index``: the index of the option in its phase.
        """
        graph = self.solution.graph
        kinds = [k for k, action in enumerate(graph.actions) if action[:2] == (self.strategy.phase, entry_index)]
        rows = np.flatnonzero(np.isin(graph.row_action, kinds))
        found = np.full(graph.state_count, -1, dtype=np.int64)
        found[graph.row_state[rows]] = rows - graph.state_rows[graph.row_state[rows]]
        return found

    @cached_property
    def stopping_states(self) -> Mask:
        """The states of the graph at which the player may stop."""
        return self.stop >= 0

    @cached_property
    def states_before_decision(self) -> Mask:
        """The states of the graph from which the turn may reach the decision."""
        graph = self.solution.graph
        inner = (graph.target >= 0) & ~graph.turn_over
        source, target = graph.edge_state[inner], graph.target[inner]
        return reachable_mask(target, source, graph.state_count, np.flatnonzero(self.stopping_states))

    def risk_of_rolling_on(self) -> RollOnRisk | None:
        """Return the risk of each roll; None if no roll after the first can lose the turn, or if dice may be rolled
        without end.
        """
        reached, lost = [], []
        try:
            for flow, share in self.distributions_and_losses():
                reached.append(sum(flow.values(), Fraction(0)))
                lost.append(share)
        except EndlessRolls:
            return None
        if len(lost) < 2 or not any(lost[1:]):
            return None
        by, risks = self.variable_and_risks()
        return RollOnRisk(self.strategy.phase, *self.names, tuple(reached), tuple(lost), by, risks)

    def distributions_and_losses(self) -> Iterator[tuple[Flow, Fraction]]:
        """Yield for each roll of the turn a pair: the distribution over states before the roll, and the probability
        that this roll loses the turn.

        Raises EndlessRolls.
        """
        first = int(self.arena.arena_state_of(0, self.solution.graph.first_mover))
        flow = {first: Fraction(1)}
        for _ in range(MAX_ROLLS):
            flow = {at: share for at, share in flow.items() if at == first or self.row_of_rolling_on(at) is not None}
            if sum(flow.values()) < MIN_REACH_CHANCE:
                return
            following: Flow = {}
            lost = Fraction(0)
            for at, share in flow.items():
                then, risk = self.next_choices(at)
                lost += share * risk
                for place, chance in then.items():
                    following[place] = following.get(place, Fraction(0)) + share * chance
            yield flow, lost
            flow = following

    def row_of_rolling_on(self, state: int) -> int | None:
        """Return the row of the arena for rolling on at a state; None if it is not legal."""
        option = int(self.again[state // self.arena.copies_per_state])
        return None if option < 0 else int(self.arena.state_rows[state]) + option

    def _roll_on_from(self, state: int) -> tuple[Flow, Fraction]:
        """Roll on from the state ``state``. Return the distribution over the states of the next choice, and the
        probability that the turn is lost before it.

        In a state without the choice to roll on, play follows the solution. Raises EndlessRolls.
        """
        row, best = self.row_of_rolling_on(state), self.solution.solved.rows
        flow: Flow = {int(best[state]) if row is None else row: Fraction(1)}
        then: Flow = {}
        lost = Fraction(0)
        for _ in range(MAX_STEPS_TO_CHOICE):
            following: Flow = {}
            for taken, share in flow.items():
                for target, chance, over, better in self.turn_transitions(taken, state):
                    if over:
                        lost += 0 if better else share * chance
                    elif self.stopping_states[target // self.arena.copies_per_state]:
                        then[target] = then.get(target, Fraction(0)) + share * chance
                    else:
                        following[int(best[target])] = following.get(int(best[target]), Fraction(0)) + share * chance
            if not following:
                return then, lost
            flow = following
        raise EndlessRolls

    def turn_transitions(self, row: int, state: int) -> Iterator[tuple[int, Fraction, bool, bool]]:
        """Yield the transitions of a row of the arena, each as a tuple.

        Its items are the target, the probability, whether no further choice follows in the turn, and whether the player
        is then better off than by stopping at ``state``.
        """
        arena, bottom = self.arena, int(self.arena.denominator[row])
        for edge in range(int(arena.row_edges[row]), int(arena.row_edges[row + 1])):
            target = int(arena.target[edge])
            over = (
                target < 0
                or bool(self.turns[edge])
                or not self.states_before_decision[target // arena.copies_per_state]
            )
            better = over and self.better_off(state, target, int(arena.seat_shift[edge]), int(arena.payoff[edge]))
            yield target, Fraction(int(arena.weight[edge]), bottom), over, better

    def _is_better_off(self, stopping_state: int, target: int, seat_shift: int, payoff_index: int) -> bool:
        """Return whether the player certainly has more after a transition than by stopping at ``stopping_state``.

        ``seat_shift``: the seat shift of the transition. ``payoff_index``: the index of its payoff.
        """
        arena, seat, stopped = self.arena, int(self.arena.mover[stopping_state]), self.stopping_value(stopping_state)
        paid = Fraction(arena.payoffs[payoff_index][seat], arena.scale)
        rest = (
            self.solution.solved.bounds.state_numbers(target)[(seat - seat_shift) % arena.seats]
            if target >= 0
            else Number.of(0)
        )
        return paid + rest.lower > stopped.upper if arena.objective_sign > 0 else paid + rest.upper < stopped.lower

    def _value_of_stopping(self, state: int) -> Number:
        """Return the value to the player of stopping at a state. If stopping is not legal there, return the value of
        the state.
        """
        seat, option = int(self.arena.mover[state]), int(self.stop[state // self.arena.copies_per_state])
        if option < 0:
            return self.solution.solved.bounds.state_numbers(state)[seat]
        row = int(self.arena.state_rows[state]) + option
        return self.solution.solved.bounds.row_numbers(np.array([row]), np.array([seat]))[0]

    # --- what the risk depends on

    def variable_and_risks(self) -> tuple[str, tuple[tuple[int, Fraction], ...]]:
        """Return a variable that alone determines the risk of the next roll, by name, and pairs of its values and the
        risk.

        Return an empty name and no pairs if there is no such variable.
        """
        reached_choices = self.reached_roll_again_states()
        if len(reached_choices) < 2:
            return "", ()
        decisions = self.strategy.decisions
        where = self.arena.arena_state_of(decisions.states, decisions.movers)
        known = dict(zip(where.tolist(), range(len(where)), strict=True))
        mine = [(known[at], self.next_choices(at)[1]) for at in reached_choices if at in known]
        if len({risk for _, risk in mine}) < 2:
            return "", ()
        for feature in sorted(decisions.features, key=lambda feature: len(np.unique(feature.column))):
            pairs = {(int(feature.column[place]), risk) for place, risk in mine}
            if feature.is_number and len(pairs) == len({value for value, _ in pairs}):
                return feature.name, tuple(sorted(pairs))
        return "", ()

    def reached_roll_again_states(self) -> list[int]:
        """Return the states of the arena at which a player who always rolls on can choose to roll again. Return an
        empty list if there are too many.
        """
        met: set[int] = set()
        wave = set(self.next_choices(int(self.arena.arena_state_of(0, self.solution.graph.first_mover)))[0])
        while wave and len(met) <= MAX_POSITIONS_COMPARED:
            met |= wave
            wave = {
                then for at in wave if self.row_of_rolling_on(at) is not None for then in self.next_choices(at)[0]
            } - met
        return sorted(at for at in met if self.row_of_rolling_on(at) is not None) if not wave else []
