"""Answers for notebooks: tuples, lists and distributions that have an HTML form and can be drawn.

Thresholds and tables of a solved game are data frames or lists of records.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Self

from oddsmith.api.figures import strategy_of_phase
from oddsmith.base.dataframes import html_heading, html_table, make_table
from oddsmith.base.distributions import Distribution
from oddsmith.base.exact import Number, fraction_text, plural

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from oddsmith.graph import ExportedVariables
    from oddsmith.report.facts import Unit
    from oddsmith.solve import Advice, Solution


PLACES = 6


class Values(tuple[Number, ...]):
    """The value of the game to each seat: a tuple of numbers, seat 1 first.

    >>> piglet.values
    (Number(4/7), Number(3/7))
    """

    _unit: Unit | None
    _names: tuple[str, ...]

    def __new__(cls, numbers: Iterable[Number], unit: Unit | None = None, names: Iterable[str] = ()) -> Self:
        made = super().__new__(cls, numbers)
        made._unit = unit
        made._names = tuple(names) or tuple(f"seat {seat}" for seat in range(1, len(made) + 1))
        return made

    def _repr_html_(self) -> str:
        lines = [[name, value.decimal(), value.grade] for name, value in zip(self._names, self, strict=True)]
        return html_table(["", self._unit.column_heading if self._unit else "value", ""], lines)

    def table(self, table_type: str | None = None) -> Any:
        """Return a table with a line for each seat: its value as a decimal and as a fraction, which is None if it is
        not known.

        ``table_type``: as for ``SolvedGame.table``. Raises ExportError.
        """
        lines = [
            [name, value.decimal(), None if value.exact is None else fraction_text(value.exact)]
            for name, value in zip(self._names, self, strict=True)
        ]
        return make_table(["seat", "value", "exact"], lines, table_type)

    def plot(self) -> Figure:
        """Draw a bar for each seat, as a figure of matplotlib. Raises ExportError if matplotlib is not installed."""
        from oddsmith.api.figures import draw_seat_values

        return draw_seat_values(dict(zip(self._names, self, strict=True)), self._unit)


class Actions(list["Advice"]):
    """All actions of a position, the best first: a list of ``Advice``."""

    def _repr_html_(self) -> str:
        lines = [
            [each.action, each.value.decimal(PLACES), "best" if each.best else f"loses {each.loss.decimal(PLACES)}"]
            for each in self
        ]
        return html_table(["action", "value", ""], lines)

    def table(self, table_type: str | None = None) -> Any:
        """Return a table with a line for each action: its value to the player to move, its loss against the best
        action, and whether it is best.

        ``table_type``: as for ``SolvedGame.table``. Raises ExportError.
        """
        lines = [[each.action, each.value.decimal(), each.loss.decimal(), each.best] for each in self]
        return make_table(["action", "value", "loss", "best"], lines, table_type)


@dataclass(frozen=True, repr=False)
class Chances(Distribution):
    """A distribution that can be drawn."""

    @classmethod
    def of(cls, distribution: Distribution) -> Chances:
        """Return a distribution as one that can be drawn."""
        return Chances(**{field.name: getattr(distribution, field.name) for field in fields(Distribution)})

    def plot(self) -> Figure:
        """Draw the chances as a figure of matplotlib: bars, or a curve if there are many values.

        Raises ExportError if matplotlib is not installed.

        >>> piglet.distribution("turns").plot().axes[0].get_xlabel()
        'turns'
        """
        from oddsmith.api.figures import draw_distribution

        return draw_distribution(self)


def threshold_table(solution: Solution, phase: str | None, table_kind: str | None) -> Any:
    """Return the thresholds of a phase as a table. In the names of its columns, seat 1 is the player to move.

    ``phase``: the name of the phase, None if only one phase has thresholds. ``table_kind``: as for
    ``SolvedGame.table``.

    Raises PositionError if several phases have thresholds and none is named.
    """
    from oddsmith.report.policy import strategies_by_phase

    found = {each.decisions.phase: each for each in strategies_by_phase(solution) if each.threshold_range() is not None}
    each = strategy_of_phase(solution, found, phase)
    if each is None:
        return make_table([], [], table_kind)
    assert each.down is not None
    shown = {cell.name: cell.name_for_people for cell in solution.graph.game.cells}
    names = [shown.get(feature.key, feature.key) for feature in (*each.split, *each.across, each.down)]
    below, above = each.options[each.below], each.options[each.above]
    lines = [
        [*where, *at, below, threshold, above]
        for table in each.tables
        for where in table.where
        for at, threshold in each.thresholds_of_table(table).items()
    ]
    return make_table([*names[:-1], "below", names[-1], "above"], lines, table_kind)


MAX_SHOWN_STATES = 12  # states of a game in a notebook


def solution_html(solution: Solution) -> str:
    """Return a solved game as HTML: its value to every seat, and the best action in each of its first positions."""
    graph, game = solution.graph, solution.graph.game
    head = f"{game.ruleset.title}, {plural(game.seats, 'seat')}, {graph.objective} ({solution.grade})"
    values = [[game.ruleset.seat_name(seat), value.decimal(12)] for seat, value in enumerate(solution.values)]
    left = graph.state_count - MAX_SHOWN_STATES
    more = f"<p>and {plural(left, 'more position')}: <code>table()</code> has them all</p>" if left > 0 else ""
    variables = _variables(solution)
    names = ["phase", *variables.names, "action", *(f"value_{seat}" for seat in range(1, game.seats + 1))]
    lines = [
        _state_row_cells(solution, number, variables) for number in range(min(MAX_SHOWN_STATES, graph.state_count))
    ]
    return f"{html_heading(head)}{html_table(['', 'value'], values)}{html_table(names, lines)}{more}"


def _variables(solution: Solution) -> ExportedVariables:
    from oddsmith.graph import ExportedVariables

    return ExportedVariables(solution.graph.game, solution.graph.codec)


def _state_row_cells(solution: Solution, state_index: int, variables: ExportedVariables) -> list[Any]:
    """Return the line of a state in the table of a notebook: its phase and variables, the action, and the values to the
    seats. Seat 1 is the player to move.
    """
    state = solution.graph.state(state_index)
    rows = policy_rows(solution, state_index, 0)
    action = " or ".join(each.action for each in solution.advise(state_index) if each.row in rows)
    worth = [value.decimal(PLACES) for value in solution.state_values(state_index)]
    return [state.phase, *variables.values(state), action, *worth]


def policy_rows(solution: Solution, state_index: int, mover: int) -> tuple[int, ...]:
    """Return the action that the policy takes in a state, as a row of the graph; if the player to move mixes actions,
    all of them, the likeliest first.

    ``state_index``: the index of the state. ``mover``: the seat to move (from 0).
    """
    mixture = solution.mixtures.get(state_index)
    if mixture is None:
        return (solution.best_row(state_index, mover),)
    return tuple(mixture.rows_by_probability)
