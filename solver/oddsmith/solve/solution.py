"""A solved game: its value for every seat, the best action in every state, and how these are proved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import inf
from typing import Any, Literal

import numpy as np

from oddsmith.base.arrays import Ints, Mask, bincount
from oddsmith.base.exact import Grade, Number, fraction_text, plural, short_repr
from oddsmith.graph import StateGraph
from oddsmith.ruleset import Game, State, sha256
from oddsmith.solve.numbers import FractionTooLong
from oddsmith.solve.values.arena_solver import SolvedArena
from oddsmith.solve.values.mixing import Mixture

PlayKind = Literal["optimal", "zero-sum", "symmetric", "pure-by-seat", "mixed", "named"]


@dataclass(frozen=True, slots=True)
class Advice:
    """One action of a state, with its value to the mover.

    ``row``: its row in the graph. ``action``: its name. ``loss``: how far the value falls short of that of the best
    action. ``best``: whether it is one of the best actions.
    """

    row: int
    action: str
    value: Number
    loss: Number
    best: bool

    def __repr__(self) -> str:
        return short_repr(
            self, f"{self.action}, {self.value.brief}, {'best' if self.best else f'loses {self.loss.brief}'}"
        )


@dataclass
class Solution:
    """The values of a game under best play, or under named policies, with their proof.

    ``kind``: which notion of best play holds. ``equilibria``: the number of pure equilibria, if they were counted.
    ``notes``: sentences for readers, such as which state has no pure equilibrium. ``named_policies``: the named policy
    of each seat that has one. ``tie_range``: the least and the greatest value of each seat under ways to break ties.
    ``time_limit``: the estimated seconds that finding the fraction of a value or an answer may take; None: as long as
    solving took. ``cached_answers``: cached answers (``questions.measure``). ``start_count``: the number of first
    states in which play may begin. ``listed_mask``: a mask of the states that tables list; None for all states.
    """

    graph: StateGraph
    solved: SolvedArena
    kind: PlayKind
    equilibria: int | None = None
    notes: tuple[str, ...] = ()
    named_policies: Mapping[int, str] = field(default_factory=dict)
    tie_range: tuple[tuple[Number, Number], ...] = ()
    time_limit: float | None = None
    seconds: dict[str, float] = field(default_factory=dict)
    cached_answers: dict[Any, Number] = field(default_factory=dict, repr=False)
    start_count: int = 1
    listed_mask: Mask | None = field(default=None, repr=False)

    def __repr__(self) -> str:
        game, values = self.graph.game, ", ".join(value.brief for value in self.values)
        return short_repr(
            self, f"{game.ruleset.id}, {plural(game.seats, 'seat')}, {self.graph.objective} {values} ({self.grade})"
        )

    @property
    def game(self) -> Game:
        """The game with its settings."""
        return self.graph.game

    @property
    def cells_counted_as_payoff(self) -> frozenset[int]:
        """The cells that are not part of any state, because each change of such a cell is paid at once as payoff."""
        return self.graph.codec.carried

    @property
    def mixtures(self) -> Mapping[int, Mixture]:
        """The mixed actions of the states in which the mover mixes actions."""
        return self.solved.mixtures

    @property
    def can_be_stalled(self) -> bool:
        """Whether, in a constant-sum game of two players, one player could keep the game from ending while the other
        plays the policy.
        """
        return bool(self.solved.waiting_states)

    @property
    def component_count_by_method(self) -> dict[str, int]:
        """The number of components with cycles that were solved by each method."""
        return dict(sorted(self.solved.bounds.methods.items()))

    # --- values

    def with_fractions(self, seconds: float = inf) -> Solution:
        """Return this solution with values and answers as fractions, even if finding these takes longer than solving.

        ``seconds``: the estimated time that each fraction may take; at least the present time limit is allowed.
        """
        return replace(self, time_limit=max(seconds, self._time_limit))

    @property
    def fractions_skipped(self) -> bool:
        """Whether some values are proven bounds and not exact fractions, because finding the fractions would take
        longer than solving.
        """
        return self.time_limit is None and bool(self.solved.exact.dear)

    def state_values(self, state: int, mover: int = 0) -> tuple[Number, ...]:
        """Return the value of a state for every seat, counted from the mover.

        ``mover`` matters only if play depends on the seat.
        """
        values = self._arena_state_values(int(self.solved.arena.arena_state_of(state, mover)))
        seats = len(values)
        return (
            values
            if self.solved.arena.copies_per_state == 1
            else tuple(values[(mover + seat) % seats] for seat in range(seats))
        )

    @property
    def _time_limit(self) -> float:
        return self.solved.exact.time_limit if self.time_limit is None else self.time_limit

    def _arena_state_values(self, arena_state: int) -> tuple[Number, ...]:
        try:
            return tuple(map(Number.of, self.solved.exact.state_value(arena_state, self._time_limit)))
        except FractionTooLong:
            return self.solved.bounds.state_numbers(arena_state)

    @property
    def values(self) -> tuple[Number, ...]:
        """The value of the game for each seat, in the order of the seats."""
        first = self.graph.first_mover
        by_mover = self.state_values(0, first)
        return tuple(by_mover[(seat - first) % len(by_mover)] for seat in range(len(by_mover)))

    @property
    def grade(self) -> Grade:
        """The grade of the values: exact if all are exact, else proven."""
        return "exact" if all(value.grade == "exact" for value in self.values) else "proven"

    # --- decisions

    def best_row(self, state: int, mover: int = 0) -> int:
        """Return the row of the graph that the policy takes in a state.

        ``mover``: the seat to move; it matters only if play depends on the seat.
        """
        arena = self.solved.arena
        number = arena.arena_state_of(state, mover)
        offset = int(self.solved.rows[number] - arena.state_rows[number])
        return int(self.graph.state_rows[state]) + offset

    def sampled_row(self, state: int, mover: int, random_number: float) -> int:
        """Return the row to play in a state.

        It is the row of the policy. If the policy mixes there, ``random_number``, a number from 0 to 1, selects the
        row.
        """
        mixture = self.mixtures.get(state)
        if mixture is None:
            return self.best_row(state, mover)
        return mixture.row_at_quantile(random_number)

    def advise(self, state: int, mover: int = 0) -> list[Advice]:
        """Return the advice for every action of a state, the best actions first.

        ``mover``: as for ``best_row``.
        """
        arena = self.solved.arena
        number = arena.arena_state_of(state, mover)
        rows = range(int(arena.state_rows[number]), int(arena.state_rows[number + 1]))
        seat = int(arena.mover[number])
        worth = [self._row_value(row, seat) for row in rows]
        best = max(worth, key=lambda value: value.middle * arena.objective_sign)
        first = int(self.graph.state_rows[state])
        mixture = self.mixtures.get(number)
        mixed = set(mixture.rows) if mixture else set()
        # The solver compared all that nobody prescribed: what bounds do not tell from the best was found to be as good.
        compared = arena.prescribed_row[number] < 0 and number not in self.solved.undecided_states
        advices = []
        for place, value in enumerate(worth):
            loss = loss_of(best, value, arena.objective_sign)
            tied = value is best or rows[place] in mixed or loss.upper == 0 or (compared and loss.lower == 0)
            row = first + place
            advices.append(Advice(row, self.graph.action_name(row), value, Number.of(0) if tied else loss, tied))
        return sorted(advices, key=lambda advice: (not advice.best, advice.loss.middle, advice.row))

    def _row_value(self, row: int, seat: int) -> Number:
        try:
            return Number.of(self.solved.exact.row_values(row, self._time_limit).fraction(seat))
        except FractionTooLong:
            pass
        return self.solved.bounds.row_numbers(np.array([row]), np.array([seat]))[0]

    def proven_worse_mask(self, rows: Ints) -> Mask:
        """Return, as a mask, which rows of the arena are proven worse for their movers than the row that the policy
        takes.

        In a state without a prescription all other rows are as good as that row, because the solver compared them.
        """
        arena, bounds = self.solved.arena, self.solved.bounds
        taken = self.solved.rows[arena.row_state[rows]]
        movers = arena.mover[arena.row_state[rows]]
        (best, around), (worth, near) = bounds.row_values(taken, movers), bounds.row_values(rows, movers)
        return bounds.point.differ_by_more_than(best, worth, around + near)

    def state_index(self, state: State) -> int | None:
        """Return the index of a state whose seats are counted from the mover; None if play cannot reach it."""
        return self.graph.index_of(state)

    # --- as data

    @property
    def tie_count(self) -> int:
        """The number of ties that matter: states whose best actions differ in value to another seat."""
        return sum(tie.affects_other_seats for tie in self.solved.ties)

    def to_json(self, measures: list[dict[str, Any]] | None = None) -> dict[str, Any]:
        """Return the solution as plain data for JSON, as the architecture page specifies it.

        ``measures``: the answers to the ruleset's questions as plain data.
        """
        graph, game = self.graph, self.graph.game
        return {
            "ruleset": setting_json(game),
            "objective": graph.objective,
            "grade": self.grade,
            "graph": {
                "states": graph.state_count,
                "decisions": graph.decision_count,
                "transitions": len(graph.target),
                "components": int(graph.components.max()) + 1,
                "largest_component": int(bincount(graph.components).max()),
            },
            "methods": self.component_count_by_method,
            "values": [{"seat": seat, **value.to_json()} for seat, value in enumerate(self.values, 1)],
            "measures": measures or [],
            "policy": {
                "kind": self.kind,
                "proved": not self.solved.undecided_states,
                "equilibria": self.equilibria,
                "ties": self.tie_count,
                "tie_range": [
                    {"seat": seat, "lower": fraction_text(low.lower), "upper": fraction_text(high.upper)}
                    for seat, (low, high) in enumerate(self.tie_range, 1)
                ],
                "notes": list(self.notes),
            },
            "seconds": {name: round(value, 3) for name, value in self.seconds.items()},
        }


def setting_json(game: Game) -> dict[str, Any]:
    """Return, as plain data for JSON, the setting of a game: its ruleset, variants, parameters and number of seats."""
    return {
        "id": game.ruleset.id,
        "sha256": sha256(game.ruleset),
        "variant": ", ".join(game.variants) or None,
        "parameters": dict(game.parameters),
        "seats": game.seats,
    }


def loss_of(best_value: Number, value: Number, sign: int) -> Number:
    """Return how far a value falls short of the best value, at least 0.

    ``sign``: 1 if larger values are better, -1 if smaller values are.
    """
    high, low = (best_value, value) if sign > 0 else (value, best_value)
    return Number(max(high.lower - low.upper, Fraction(0)), max(high.upper - low.lower, Fraction(0)))
