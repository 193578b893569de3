"""A game as its one-state rules have it: every position there can be, seats where they sit, nothing left out or merged.

Only a tally may be left out of positions (``apart``), for it can grow for ever. No rule reads it, so what it holds adds
to a payoff what the end of the game says: each position then has a value and, for every tally, what one more of it brings.
All is in fractions, and nothing here knows the columns, their keys, or the solver.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import networkx as nx
from flint import fmpq, fmpq_mat

from oddsmith.base.dice import Hand
from oddsmith.base.errors import PlayError, RuleFailure
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.rules import Rules, State, Step

Vector = list[Fraction]
NONE = Fraction(0)


class TooLarge(Exception):
    """More positions than are looked at, or a payoff that is no sum of tallies."""


@dataclass(frozen=True)
class Way:
    """One thing that a row can lead to. ``to``: -1 at the end; ``more``: what the tallies gain; ``end``: how it ended."""

    chance: Fraction
    to: int
    more: tuple[int, ...]
    end: int
    turn: bool
    rolled: bool


Row = list[Way]


@dataclass(frozen=True)
class End:
    """What an end pays each seat, and what each tally adds to that: ``times[seat][tally]``."""

    state: State
    paid: tuple[Fraction, ...]
    times: tuple[tuple[Fraction, ...], ...]


@dataclass
class Plain:
    """The positions, a row for every legal action (or one for chance), the ends; ``broken``: codes of rules that broke."""

    game: Game
    objective: str
    apart: bool = False
    most: int = 250
    positions: list[State] = field(default_factory=list)
    rows: list[list[Row]] = field(default_factory=list)
    ends: list[End] = field(default_factory=list)
    broken: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Explore from the start."""
        self.rules = Rules(self.game)
        cells = enumerate(self.game.cells)
        self.tallies = [where for where, cell in cells if self.apart and cell.variable.kind == "tally"]
        self.numbers: dict[State, int] = {}
        self.ended: dict[State, int] = {}
        start = self.rules.start()
        self.first_gain = self._gain(start)
        self._number(start)
        for position in self.positions:
            if len(self.positions) > self.most:
                raise TooLarge
            try:
                self.rows.append([self._row(steps) for steps in self._steps(position)])
            except PlayError as error:
                self.broken.add(error.problem.code)
                self.rows.append([])
            except RuleFailure as error:
                self.broken.add(error.code)
                self.rows.append([])

    # --- exploring

    def _steps(self, position: State) -> Iterable[list[tuple[Fraction, Step, bool]]]:
        if self.rules.phase(position).kind == "choose":
            for action in self.rules.actions(position):
                yield [(Fraction(1), self.rules.choose(position, action), False)]
            return
        outcomes, bottom = self.rules.weighted_chance_results(position)
        yield [
            (
                Fraction(weight, bottom),
                self.rules.resolve(position, thrown),
                any(isinstance(value, Hand) and value for _, value in thrown.values),
            )
            for weight, thrown in outcomes
        ]

    def _row(self, steps: list[tuple[Fraction, Step, bool]]) -> Row:
        row = []
        for chance, step, rolled in steps:
            more = self._gain(step.state)
            to, end = (self._number(step.state), -1) if step.state.phase else (-1, self._end(step.state))
            row.append(Way(chance, to, more, end, step.turn_over, rolled))
        return row

    def _gain(self, state: State) -> tuple[int, ...]:
        return tuple(state.cells[where] - self.game.start[where] for where in self.tallies)

    def _without(self, state: State, more: int = -1) -> State:
        """The state with its tallies at their start, one of them at one more."""
        cells = list(state.cells)
        for where in self.tallies:
            cells[where] = self.game.start[where] + (where == more)
        return State(state.phase, state.mover, state.seats_out_bits, tuple(cells))

    def _number(self, state: State) -> int:
        state = self._without(state)
        if state not in self.numbers:
            self.numbers[state] = len(self.positions)
            self.positions.append(state)
        return self.numbers[state]

    def _end(self, state: State) -> int:
        plain = self._without(state)
        if plain not in self.ended:
            paid = self.rules.payoffs(plain, self.objective)
            each = [self.rules.payoffs(self._without(state, where), self.objective) for where in self.tallies]
            times = tuple(tuple(one[seat] - paid[seat] for one in each) for seat in range(self.game.seats))
            self.ended[plain] = len(self.ends)
            self.ends.append(End(plain, paid, times))
        found = self.ends[self.ended[plain]]
        if self.tallies and self.rules.payoffs(state, self.objective) != self.paid(found, self._gain(state)):
            raise TooLarge
        return self.ended[plain]

    def paid(self, end: End, gains: Sequence[int]) -> tuple[Fraction, ...]:
        """What an end pays after the tallies have gained so much."""
        return tuple(
            paid + sum((one * gain for one, gain in zip(times, gains, strict=True)), NONE)
            for paid, times in zip(end.paid, end.times, strict=True)
        )

    # --- values

    def heads_out(self, fixed: dict[int, int]) -> list[int] | None:
        """A row per position such that play ends, with some fixed; None where there is none."""
        chosen = [fixed.get(number, -1) for number in range(len(self.rows))]
        done = [False] * len(self.rows)
        while not all(done):
            grown = False
            for number, rows in enumerate(self.rows):
                for place, row in enumerate(rows):
                    if done[number] or fixed.get(number, place) != place:
                        continue
                    if any(way.to < 0 or done[way.to] for way in row):
                        chosen[number], done[number], grown = place, True, True
            if not grown:
                return None
        return chosen

    def solve(self, play: Sequence[Row], brings: Callable[[Way], Vector], width: int) -> list[Vector]:
        """What every position brings until the end, ``brings`` being what each way does."""
        graph = nx.DiGraph()
        graph.add_nodes_from(range(len(play)))
        graph.add_edges_from({(number, way.to) for number, row in enumerate(play) for way in row if way.to >= 0})
        found: list[Vector] = [[NONE] * width for _ in play]
        for part in nx.strongly_connected_components(graph):
            inside = sorted(part)
            place = {number: at for at, number in enumerate(inside)}
            right = [[NONE] * width for _ in inside]
            matrix = fmpq_mat(len(inside), len(inside))
            for at, number in enumerate(inside):
                matrix[at, at] += 1
                for way in play[number]:
                    held = found[way.to] if way.to >= 0 and way.to not in place else None
                    gain = brings(way)
                    right[at] = [
                        old + way.chance * (new + (held[k] if held else 0))
                        for k, (old, new) in enumerate(zip(right[at], gain, strict=True))
                    ]
                    if way.to in place:
                        matrix[at, place[way.to]] -= fmpq(way.chance.numerator, way.chance.denominator)
            self._put(found, inside, matrix, right, width)
        return found

    def _put(self, found: list[Vector], inside: list[int], matrix: fmpq_mat, right: list[Vector], width: int) -> None:
        if len(inside) == 1 and matrix[0, 0] == 1:
            found[inside[0]] = right[0]
            return
        column = fmpq_mat(len(inside), width, [fmpq(v.numerator, v.denominator) for row in right for v in row])
        solved = matrix.solve(column)
        for at, number in enumerate(inside):
            found[number] = [Fraction(int(solved[at, k].p), int(solved[at, k].q)) for k in range(width)]

    def worth(self, play: Sequence[Row]) -> Worth:
        """What playing so is worth."""
        seats, tallies = range(self.game.seats), range(len(self.tallies))
        wide = len(seats) * len(tallies)

        def slope(way: Way) -> Vector:
            return [self.ends[way.end].times[s][t] for s in seats for t in tallies] if way.to < 0 else [NONE] * wide

        slopes = self.solve(play, slope, wide) if wide else [[] for _ in play]
        found = Worth(self, slopes, [])
        found.values = self.solve(play, found.brings, len(seats) + 2)
        return found


@dataclass
class Worth:
    """Per position what each seat gets, turns and rolls to come (``values``), and what the tallies count (``slopes``)."""

    plain: Plain
    slopes: list[Vector]
    values: list[Vector]

    def slope(self, way: Way) -> Vector:
        """What one more of each tally brings each seat after a way."""
        if way.to >= 0:
            return self.slopes[way.to]
        return [one for seat in self.plain.ends[way.end].times for one in seat]

    def brings(self, way: Way) -> Vector:
        """What a way brings each seat by itself, and turns, and rolls."""
        seats, count = self.plain.game.seats, len(way.more)
        found = list(self.plain.ends[way.end].paid) if way.to < 0 else [NONE] * seats
        if any(way.more):
            slope = self.slope(way)
            for seat in range(seats):
                found[seat] += sum((slope[seat * count + t] * way.more[t] for t in range(count)), NONE)
        return [*found, Fraction(way.turn), Fraction(way.rolled)]

    def of_row(self, row: Row, seat: int) -> tuple[Fraction, Vector]:
        """What a row is worth to a seat if play then goes on so, and what the tallies count for it."""
        count = len(self.plain.tallies)
        worth, slopes = NONE, [NONE] * count
        for way in row:
            later = self.values[way.to][seat] if way.to >= 0 else NONE
            worth += way.chance * (self.brings(way)[seat] + later)
            slope = self.slope(way)[seat * count : seat * count + count]
            slopes = [old + way.chance * new for old, new in zip(slopes, slope, strict=True)]
        return worth, slopes

    def start(self) -> Vector:
        """What the game is worth: each seat, turns, rolls."""
        count, found = len(self.plain.tallies), list(self.values[0])
        for seat in range(self.plain.game.seats):
            slope = self.slopes[0][seat * count : seat * count + count]
            found[seat] += sum((s * g for s, g in zip(slope, self.plain.first_gain, strict=True)), NONE)
        return found
