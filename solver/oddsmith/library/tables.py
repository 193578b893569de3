"""Tables of a solved game, as data frames and as HTML for notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oddsmith.exact import plural
from oddsmith.frames import html_head, html_table

if TYPE_CHECKING:
    from oddsmith.graph import Variables
    from oddsmith.solve import Solution

SHOWN = 12  # states of a game in a notebook
PLACES = 6


def html(solution: Solution) -> str:
    """A solved game for a notebook: what it is worth to every seat, and what to do in its first positions."""
    graph, game = solution.graph, solution.graph.game
    head = f"{game.ruleset.title}, {plural(game.seats, 'seat')}, {graph.objective} ({solution.grade})"
    values = [[game.ruleset.seat(seat), value.decimal(12)] for seat, value in enumerate(solution.values)]
    left = graph.states - SHOWN
    more = f"<p>and {plural(left, 'more position')}: <code>table()</code> has them all</p>" if left > 0 else ""
    variables = _variables(solution)
    names = ["phase", *variables.names, "action", *(f"value_{seat}" for seat in range(1, game.seats + 1))]
    lines = [_line(solution, number, variables) for number in range(min(SHOWN, graph.states))]
    return f"{html_head(head)}{html_table(['', 'value'], values)}{html_table(names, lines)}{more}"


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
    """The rows of the graph that the policy takes in a state; several where the mover mixes, the likeliest first."""
    mixture = solution.mixtures.get(number)
    if mixture is None:
        return (solution.best_row(number, mover),)
    return tuple(mixture.likeliest)
