"""Tables as data frames where a library for them is installed, and as HTML for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from oddsmith.errors import ExportError, PositionError, did_you_mean
from oddsmith.exact import plural

if TYPE_CHECKING:
    from oddsmith.graph import Variables
    from oddsmith.solve import Solution

FRAMES = ("pandas", "polars")
SHOWN = 12  # states of a game in a notebook
PLACES = 6


def frame(names: Sequence[str], lines: Iterable[Sequence[Any]], kind: str | None = None) -> Any:
    """A table as a pandas or polars ``DataFrame``, whichever is installed first, else as a list of records.

    ``kind``: ``pandas``, ``polars`` or ``records``. Raises ExportError where that is none, or not installed.
    """
    if kind not in (None, "records", *FRAMES):
        raise ExportError(f"there is no table of the kind {kind}: take records, {' or '.join(FRAMES)}")
    kind = kind or next((name for name in FRAMES if find_spec(name) is not None), "records")
    if kind == "records":
        return [dict(zip(names, line, strict=True)) for line in lines]
    held = list(lines)
    columns = {name: [line[place] for line in held] for place, name in enumerate(names)}
    try:
        return import_module(kind).DataFrame(columns)
    except ImportError:
        raise ExportError(f"{kind} is not installed: pip install {kind}") from None


def thresholds(solution: Solution, phase: str | None, kind: str | None) -> Any:
    """The thresholds of a phase as a table. Raises PositionError where it is not said which phase is meant."""
    from oddsmith.report.strategy import strategies

    found = {each.decisions.phase: each for each in strategies(solution) if each.range() is not None}
    chooses = [each.name for each in solution.graph.game.ruleset.phases.values() if each.kind == "choose"]
    if phase is not None and phase not in chooses:
        raise PositionError(f"there is no choice {phase}: {did_you_mean(phase, chooses, 'choices')}")
    if phase is None and len(found) > 1:
        raise PositionError(f"say which choice is meant: phase={', phase='.join(found)}")
    each = found.get(phase) if phase is not None else next(iter(found.values()), None)
    if each is None:
        return frame([], [], kind)
    assert each.down is not None
    names = [feature.key for feature in (*each.split, *each.across)]
    below, above = each.options[each.below], each.options[each.above]
    lines = [
        [*where, *at, below, threshold, above]
        for table in each.tables
        for where in table.where
        for at, threshold in each.thresholds(table).items()
    ]
    return frame([*names, "below", each.down.key, "above"], lines, kind)


def html(solution: Solution) -> str:
    """A solved game for a notebook: what it is worth to every seat, and what to do in its first positions."""
    graph, game = solution.graph, solution.graph.game
    head = f"{game.ruleset.title}, {plural(game.seats, 'seat')}, {graph.objective} ({solution.grade})"
    values = [[game.ruleset.seat(seat), value.decimal(12)] for seat, value in enumerate(solution.values)]
    shown = min(SHOWN, graph.states)
    left = graph.states - shown
    more = f"<p>and {plural(left, 'more state', 'more states')}: <code>table()</code> has them all</p>" if left else ""
    variables = _variables(solution)
    names = ["phase", *variables.names, "action", *(f"value_{seat}" for seat in range(1, game.seats + 1))]
    lines = [_line(solution, number, variables) for number in range(shown)]
    return f"<p><strong>{escape(head)}</strong></p>{_table(['', 'value'], values)}{_table(names, lines)}{more}"


def _variables(solution: Solution) -> Variables:
    from oddsmith.graph import Variables

    return Variables(solution.graph.game, solution.graph.codec)


def _line(solution: Solution, number: int, variables: Variables) -> list[Any]:
    """A state with seat 1 to move: its variables, the action, and what it is worth to the seats from the mover on."""
    state = solution.graph.state(number)
    rows = played(solution, number, 0)
    action = " or ".join(each.action for each in solution.advise(number) if each.row in rows)
    worth = [value.decimal(PLACES) for value in solution.state_values(number)]
    return [state.phase, *variables.values(state), action, *worth]


def played(solution: Solution, number: int, mover: int) -> tuple[int, ...]:
    """The rows of the graph that the policy takes in a state; two where the mover mixes, the likelier first."""
    mixture = solution.mixtures.get(number)
    if mixture is None:
        return (solution.best_row(number, mover),)
    first, second = mixture.rows
    return (first, second) if float(mixture.first) >= 0.5 else (second, first)


def _table(names: Sequence[str], lines: Iterable[Sequence[Any]]) -> str:
    def row(cells: Iterable[Any], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{escape(_shown(cell))}</{tag}>" for cell in cells) + "</tr>"

    body = "".join(row(line, "td") for line in lines)
    return f"<table><thead>{row(names, 'th')}</thead><tbody>{body}</tbody></table>"


def _shown(cell: Any) -> str:
    if isinstance(cell, bool):
        return str(cell).lower()
    return "" if cell is None else str(cell)
