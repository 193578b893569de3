"""Slow and plain: the graph and the values of a game, from the one-state rules, in fractions. The engine must agree."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq, fmpq_mat

from oddsmith.graph.stategraph import StateGraph
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.rules import Rules, State, Step


def seen_from_mover(game: Game, state: State, carried: frozenset[int] = frozenset()) -> State:
    """The state with its seats counted from the mover; carried cells are 0."""
    n, by = game.seats, state.mover
    cells = list(state.cells)
    for name, variable in game.ruleset.state.items():
        block = game.cell_indices_of(name)
        if variable.is_per_seat:
            each = len(block) // n
            held = [state.cells[where] for where in block]
            for place, where in enumerate(block):
                cells[where] = held[(place + by * each) % len(held)]
        if variable.kind == "seat":
            for where in block:
                cells[where] = (cells[where] - by) % n
    for where in carried:
        cells[where] = 0
    out = sum(1 << seat for seat in range(n) if state.seats_out_bits >> (seat + by) % n & 1)
    return State(state.phase, 0, out, tuple(cells))


@dataclass(frozen=True)
class Landing:
    """Where a transition ends: the state (None at the end), seats moved on, what each seat gets, whether a turn is over."""

    state: State | None
    by: int
    paid: tuple[Fraction, ...]
    turn_over: bool


Row = Mapping[Landing, Fraction]


class Walk:
    """Transitions as the graph should have them: a choice and the roll that follows in the same turn are one."""

    def __init__(
        self,
        game: Game,
        objective: str,
        carried: Mapping[int, Mapping[int, Fraction]] | None = None,
        canonical: Callable[[State], State] = lambda state: state,
    ) -> None:
        """``carried``: cell -> what it counts for every seat counted from the mover. ``canonical``: what stands for a state."""
        self.game, self.objective, self.rules, self.canonical = game, objective, Rules(game), canonical
        self.carried = carried or {}

    def rows(self, state: State) -> list[Row]:
        """One row for a roll, one per action for a choice."""
        if self.rules.phase(state).kind == "roll":
            row: defaultdict[Landing, Fraction] = defaultdict(Fraction)
            self._roll(state, Fraction(1), row)
            return [row]
        rows: list[Row] = []
        for action in self.rules.actions(state):
            row = defaultdict(Fraction)
            step = self.rules.choose(state, action)
            following = step.state
            if following.phase and not step.turn_over and self.rules.phase(following).kind == "roll":
                self._roll(following, Fraction(1), row)
            else:
                row[self._landing(step)] += Fraction(1)
            rows.append(row)
        return rows

    def _roll(self, state: State, share: Fraction, row: defaultdict[Landing, Fraction]) -> None:
        outcomes, denominator = self.rules.weighted_chance_results(state)
        for weight, thrown in outcomes:
            landing = self._landing(self.rules.resolve(state, thrown))
            row[landing] += share * Fraction(weight, denominator)

    def _landing(self, step: Step) -> Landing:
        """Every walk starts from a state whose mover is seat 0, so the new mover is how far the turn moved."""
        state, n = step.state, self.game.seats
        if not state.phase:
            paid = self.rules.payoffs(state, self.objective)
            return Landing(None, 0, paid, True)
        turned = seen_from_mover(self.game, state)
        gain = [Fraction(0)] * n
        for where, shares in self.carried.items():
            for seat in range(n):
                gain[(seat + state.mover) % n] += shares.get(seat, Fraction(0)) * turned.cells[where]
        seen = self.canonical(seen_from_mover(self.game, state, frozenset(self.carried)))
        return Landing(seen, state.mover, tuple(gain), step.turn_over)


def rows_of_graph(graph: StateGraph, state: int) -> list[Row]:
    """The same from the arrays."""
    rows: list[Row] = []
    for row in graph.rows(state):
        found: defaultdict[Landing, Fraction] = defaultdict(Fraction)
        for edge in graph.edges(row):
            target = int(graph.target[edge])
            paid = tuple(Fraction(units, graph.scale) for units in graph.payoffs[int(graph.payoff[edge])])
            by = int(graph.seat_shift[edge]) if target >= 0 else 0
            landing = Landing(graph.state(target) if target >= 0 else None, by, paid, bool(graph.turn_over[edge]))
            found[landing] += Fraction(int(graph.weight[edge]), int(graph.denominator[row]))
        rows.append(found)
    return rows


# --- values


def values_under(graph: StateGraph, rows: Sequence[int | Mapping[int, Fraction]]) -> list[tuple[Fraction, ...]]:
    """What a policy is worth to every seat counted from the mover: one large linear system.

    ``rows``: a row for every state, or where it mixes the chances of its rows.
    """
    n, size = graph.seats, graph.state_count
    matrix, right = fmpq_mat(size * n, size * n), fmpq_mat(size * n, 1)
    for state, taken in enumerate(rows):
        for seat in range(n):
            matrix[state * n + seat, state * n + seat] += 1
        shares = taken if isinstance(taken, Mapping) else {taken: Fraction(1)}
        for edge, share, bottom in (
            (edge, share, int(graph.denominator[row])) for row, share in shares.items() for edge in graph.edges(row)
        ):
            chance = fmpq(share.numerator * int(graph.weight[edge]), share.denominator * bottom)
            target, by = int(graph.target[edge]), int(graph.seat_shift[edge])
            for seat, units in enumerate(graph.payoffs[int(graph.payoff[edge])]):
                right[state * n + seat, 0] += chance * fmpq(units, graph.scale)
                if target >= 0:
                    matrix[state * n + seat, target * n + (seat - by) % n] -= chance
    solved = matrix.solve(right)
    found = [Fraction(int(solved[number, 0].p), int(solved[number, 0].q)) for number in range(size * n)]
    return [tuple(found[state * n : state * n + n]) for state in range(size)]


def worth(graph: StateGraph, row: int, values: Sequence[Sequence[Fraction]], seat: int = 0) -> Fraction:
    """What a row brings a seat (counted from the mover) if play goes on as the values say."""
    total = Fraction(0)
    for edge in graph.edges(row):
        chance = Fraction(int(graph.weight[edge]), int(graph.denominator[row]))
        target, by = int(graph.target[edge]), int(graph.seat_shift[edge])
        gain = Fraction(graph.payoffs[int(graph.payoff[edge])][seat], graph.scale)
        total += chance * (gain + (values[target][(seat - by) % graph.seats] if target >= 0 else 0))
    return total


def policy_iteration(graph: StateGraph, rows: Sequence[int]) -> list[tuple[Fraction, ...]]:
    """Values under best play by Howard's method in fractions, from a policy under which play ends."""
    sign = 1 if graph.game.ruleset.payoffs[graph.objective].goal == "max" else -1
    chosen = list(rows)
    while True:
        values = values_under(graph, chosen)
        better = list(chosen)
        for state in range(graph.state_count):
            for row in graph.rows(state):
                if sign * worth(graph, row, values) > sign * worth(graph, better[state], values):
                    better[state] = row
        if better == chosen:
            return values
        chosen = better


def backward_induction(graph: StateGraph) -> list[tuple[Fraction, ...]]:
    """Values of a game without cycles, from the last states to the first, the first option on ties."""
    sign = 1 if graph.game.ruleset.payoffs[graph.objective].goal == "max" else -1
    values: dict[int, tuple[Fraction, ...]] = {}
    stack = [0]
    while stack:
        state = stack[-1]
        missing = [target for target in set(graph.successors(state)) if target not in values]
        if missing:
            assert len(stack) <= graph.state_count, "the game has a cycle"
            stack += missing
            continue
        stack.pop()
        if state not in values:
            known: list[tuple[Fraction, ...]] = [values.get(number, ()) for number in range(graph.state_count)]
            best = max(graph.rows(state), key=lambda row: sign * worth(graph, row, known))
            values[state] = tuple(worth(graph, best, known, seat) for seat in range(graph.seats))
    return [values[number] for number in range(graph.state_count)]
