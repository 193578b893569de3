"""The value of a game that is stopped after a given number of turns, by backward induction over the turns.

It is computed for the policy of a solution, and for best play with that horizon.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm

import numpy as np

from oddsmith.base.arrays import Ints, Mask
from oddsmith.base.errors import HorizonError
from oddsmith.base.exact import Number, plural, short_repr
from oddsmith.base.limits import hint_to_raise_limit, limits
from oddsmith.graph import cells_added_up, describe
from oddsmith.ruleset import Rules
from oddsmith.solve.arenas.arena import Arena, strong_component_labels
from oddsmith.solve.arenas.component import NeverEnds
from oddsmith.solve.questions.played import PlayedPolicy
from oddsmith.solve.solution import Solution
from oddsmith.solve.values.arena_solver import ArenaSolver, SolvedArena

Values = dict[int, tuple[Fraction, ...]]


@dataclass(frozen=True)
class Horizon:
    """The value for each seat if the game is stopped after ``turns`` turns. A payoff that adds up variables, such as
    ``purse``, is what they hold then. Any other payoff counts only if play ends by then.

    ``policy_values``: the values if all seats play by the solution, which ignores the horizon. ``best_values``: the
    values if each mover plays best for the horizon.
    """

    turns: int
    policy_values: tuple[Number, ...]
    best_values: tuple[Number, ...]

    def __repr__(self) -> str:
        policy, best = (", ".join(value.brief for value in values) for values in (self.policy_values, self.best_values))
        return short_repr(self, f"{plural(self.turns, 'turn')}: policy {policy}; best {best}")

    def to_json(self, digits: int = 12) -> dict[str, object]:
        """Return the answer as plain data for JSON."""
        return {
            "turns": self.turns,
            **{
                name: [{"seat": seat, **value.to_json(digits)} for seat, value in enumerate(values, 1)]
                for name, values in (("policy", self.policy_values), ("best", self.best_values))
            },
        }


def horizon(solution: Solution, turns: int) -> Horizon:
    """Return the values of a game that is stopped after ``turns`` turns (at least 1). Raises HorizonError."""
    if turns < 1:
        raise HorizonError("a game is played for at least one turn")
    if turns > limits().turns:
        message = f"{turns:,} turns would be solved one by one, over {limits().turns:,}"
        raise HorizonError(f"{message}: ask for fewer, {hint_to_raise_limit('turns')}")
    if solution.mixtures:
        raise HorizonError("games in which players mix actions cannot be stopped after a number of turns")
    played = PlayedPolicy.of(solution)
    kept = replace(played.arena, prescribed_row=played.rows)
    values = [_TurnArena(solution, arena, played.turn_end_mask).values(turns) for arena in (kept, played.arena)]
    return Horizon(turns, values[0], values[1])


class _TurnArena:
    """An arena of one turn. Play ends at the beginning of the next turn, and the value of that turn is paid as a
    payoff.
    """

    def __init__(self, solution: Solution, arena: Arena, turn_end_mask: Mask) -> None:
        self.solution, self.payoffs, self.scale = solution, arena.payoffs, arena.scale
        passed = turn_end_mask & (arena.target >= 0)
        ways = np.stack([arena.payoff, arena.target, arena.seat_shift])[:, passed]
        self.ways, which = np.unique(ways, axis=1, return_inverse=True)
        payoff, target = arena.payoff.astype(np.int64), np.where(passed, -1, arena.target)
        payoff[passed] = len(arena.payoffs) + which.reshape(-1)
        components = _components_with_targets(arena, target)
        self.arena = replace(arena, target=target, payoff=payoff, components=components)
        self.starts = sorted({0, *self.ways[1].tolist()})
        self.cells_added_up = cells_added_up(solution.graph.game, solution.graph.objective)
        self.rules = Rules(solution.graph.game)

    def values(self, turns: int) -> tuple[Number, ...]:
        """Return the value at the start for each seat if ``turns`` turns remain."""
        values: Values = {state: self._values_at_stop(state) for state in self.starts}
        for _ in range(turns):
            values = self._values_before(values)
        return tuple(map(Number.of, values[0]))

    def _values_at_stop(self, arena_state: int) -> tuple[Fraction, ...]:
        """Return what each seat has if play stops in a state, besides what was paid on the way there. Raises
        HorizonError.
        """
        graph = self.solution.graph
        game, reduction, seats = graph.game, graph.codec.reduction, self.arena.seats
        if not self.cells_added_up:
            return (Fraction(0),) * seats
        number, mover = self.arena.state_and_mover(arena_state)
        state = graph.state(number)
        if not self.cells_added_up.isdisjoint(reduction.forgotten.get(state.phase, ())):
            raise HorizonError("when play stops, the payoff reads what its positions do not hold")
        cells = [game.start[where] if where in reduction.carried else cell for where, cell in enumerate(state.cells)]
        paid = self.rules.payoffs(replace(state, cells=tuple(cells)), graph.objective)
        return tuple(paid[(seat - mover) % seats] for seat in range(seats))

    def _values_before(self, next_turn_values: Values) -> Values:
        """Return the values of all states in which a turn starts, given those of the next turn. Raises HorizonError."""
        n, scale = (
            self.arena.seats,
            lcm(self.scale, *(v.denominator for values in next_turn_values.values() for v in values)),
        )
        paid = [[units * (scale // self.scale) for units in kind] for kind in self.payoffs]
        for kind, target, seat_shift in self.ways.T.tolist():
            coming = [int(value * scale) for value in next_turn_values[target]]
            paid.append([units + coming[(seat - seat_shift) % n] for seat, units in enumerate(paid[kind])])
        arena = replace(self.arena, payoffs=tuple(map(tuple, paid)), scale=scale)
        try:
            solved = ArenaSolver(arena, unique_values=True).solve()  # only the mover decides: its best is what it is
        except NeverEnds as endless:
            shown = describe(self.solution.graph, self.solution.graph.state(arena.state_and_mover(endless.state)[0]))
            raise HorizonError(f"within a turn, play may go on for ever at {shown}") from None
        return {state: self._exact_values(solved, state) for state in self.starts}

    def _exact_values(self, solved: SolvedArena, state: int) -> tuple[Fraction, ...]:
        number, mover = self.arena.state_and_mover(state)
        values_by_mover = Solution(self.solution.graph, solved, "named").state_values(number, mover)
        exact = [values_by_mover[(seat - mover) % len(values_by_mover)].exact for seat in range(len(values_by_mover))]
        values = tuple(value for value in exact if value is not None)
        if len(values) < len(exact) or solved.undecided_states:
            raise HorizonError("the fractions become too long after that many turns")
        return values


def _components_with_targets(arena: Arena, new_target: Ints) -> Ints:
    """Return the strongly connected component of every state, successors first, if transitions lead to ``new_target``.

    ``new_target``: replaces the targets of the arena.
    """
    inner = new_target >= 0
    source, new_target = arena.row_state[arena.edge_row[inner]], new_target[inner]
    return strong_component_labels(arena.state_count, source, new_target)
