"""Answers to a ruleset's questions: chances, means and counts, for one roll or for the whole game under the solved policy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from oddsmith.errors import OddsmithError
from oddsmith.exact import Number
from oddsmith.expr.scalar import compiled
from oddsmith.graph.expand import ROLLED
from oddsmith.graph.explore import Explorer
from oddsmith.graph.stategraph import StateGraph
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.model import Measure, Payoff
from oddsmith.ruleset.rules import Rules, State
from oddsmith.solve.arena import Arena, Ints
from oddsmith.solve.exactly import TooLong
from oddsmith.solve.moments import deviation, given, moments
from oddsmith.solve.solution import Solution
from oddsmith.solve.solver import values_under


class MeasureError(OddsmithError):
    """A question that has no answer, and why."""


def ask(game: Game, question: Measure, solution: Callable[[], Solution]) -> Number:
    """The answer to a question. The solution is asked for only where a policy matters. Raises MeasureError.

    ``chance``: of an entry. ``mean``: of an expression. ``count``: how often an entry is taken, by anybody. ``spread``: the
    standard deviation. ``given``: over the plays in which anybody takes that entry.
    """
    along = question.kind in ("count", "spread") or question.within or question.at is None
    if not along:
        if question.given is not None:
            raise MeasureError("`given` is for questions about a whole game")
        return _once(game, question, solution)
    solved = solution()
    if solved.mixtures:
        raise MeasureError("questions along the game are not answered where a player mixes actions")
    try:
        return _along(solved, question)
    except TooLong as error:
        raise MeasureError(f"the exact answer is too long: {error}") from None
    except ZeroDivisionError:
        raise MeasureError(f"no play takes {question.given[1] if question.given else 'it'}") from None


def _once(game: Game, question: Measure, solution: Callable[[], Solution]) -> Number:
    """Its phase entered once, with every variable at its start but for those that `with` sets."""
    assert question.at is not None
    phase, entry = question.at
    rules = Rules(game)
    cells = list(game.start)
    m = game.moment(cells)
    for name, tree in question.start.items():
        for where in game.cells_of(name):
            cells[where] = compiled(tree)(m)
    state = State(phase, 0, 0, tuple(cells))
    if game.ruleset.phases[phase].kind == "choose":
        return _chosen(state, entry, solution())
    if game.ruleset.phases[phase].kind == "cases":
        outcomes, denominator = [(1, None)], 1
    else:
        outcomes, denominator = rules.outcomes(state)  # type: ignore[assignment]
    value = compiled(question.value) if question.value else None
    hits, total = 0, Fraction(0)
    for weight, thrown in outcomes:
        taken, moment = rules.taken(state, thrown)
        if taken == entry:
            hits += weight
            total += weight * Fraction(value(moment)) if value else 0
    if value is None:
        return Number.of(Fraction(hits, denominator))
    if not hits:
        raise MeasureError(f"{entry} of {phase} is never taken there: its mean does not exist")
    return Number.of(total / hits)


def _chosen(state: State, entry: str, solution: Solution) -> Number:
    number = solution.find(state)
    if number is None:
        raise MeasureError(f"play never comes to {state.phase} with every variable at its start: set some by `with`")
    return Number.of(int(_entry_of(solution.graph, solution.best_row(number)) == entry))


def _entry_of(graph: StateGraph, row: int) -> str:
    phase, entry, _ = graph.actions[int(graph.row_action[row])]
    return graph.game.ruleset.phases[phase].entries[entry].name


def _along(solution: Solution, question: Measure) -> Number:
    """Along a turn or the whole game under the solved policy."""
    graph, arena, rows = solution.graph, solution.solved.arena, solution.solved.rows
    if question.kind == "spread":
        arena, rows, graph = _paying(solution, question.spread)
    elif question.kind == "mean":
        arena, rows, graph = _at_end(solution, question)
    elif question.kind == "chance":
        return _chance(solution, question)
    edges = graph_edges(graph, arena)
    taken = (graph.marks[edges] & graph.watched[question.given]) > 0 if question.given else None
    if question.kind == "count":
        assert question.at is not None
        arena = counting(arena, (graph.marks[edges] & graph.watched[question.at]) > 0)
    found = given(arena, rows, taken, 3 if question.kind == "spread" else 2)
    seat = question.seat - 1
    if question.kind == "spread":
        return deviation(found[1][seat], found[2][seat])
    return Number.of(found[1][seat])


def _chance(solution: Solution, question: Measure) -> Number:
    """At least once in the first turn, or in the game for one seat."""
    assert question.at is not None
    graph, arena, rows = solution.graph, solution.solved.arena, solution.solved.rows
    if question.within == "game" and arena.copies == 1:
        own = arena.by_seat()
        rows = own.state_rows[:-1] + (rows - arena.state_rows[:-1]).repeat(graph.seats)
        arena = own
    edges = graph_edges(graph, arena)
    hit = (graph.marks[edges] & graph.watched[question.at]) > 0
    if question.within == "turn":
        arena = replace(arena, target=np.where(graph.turn_over[edges], -1, arena.target))
    else:
        hit &= arena.mover[arena.row_state[arena.edge_row]] == question.seat - 1
    without = moments(arena, rows, hit, 1)[0][0]
    if question.given is None:
        return Number.of(1 - without)
    other = (graph.marks[edges] & graph.watched[question.given]) > 0
    neither, not_given = moments(arena, rows, hit | other, 1)[0][0], moments(arena, rows, other, 1)[0][0]
    return Number.of((1 - without - not_given + neither) / (1 - not_given))


def _paying(solution: Solution, what: str) -> tuple[Arena, Ints, StateGraph]:
    """The arena that pays an objective, or 1 for every turn or roll."""
    graph, arena, rows = solution.graph, solution.solved.arena, solution.solved.rows
    edges = graph_edges(graph, arena)
    if what == "turns":
        return counting(arena, graph.turn_over[edges]), rows, graph
    if what == "rolls":
        return counting(arena, (graph.marks[edges] & ROLLED) > 0), rows, graph
    if what in (graph.objective, "payoff"):
        return arena, rows, graph
    if what not in graph.game.ruleset.payoffs:
        known = ", ".join([*graph.game.ruleset.payoffs, "turns", "rolls"])
        raise MeasureError(f"there is nothing called {what} to be spread: {known}")
    return _elsewhere(solution, graph.game.ruleset.payoffs[what])


def _at_end(solution: Solution, question: Measure) -> tuple[Arena, Ints, StateGraph]:
    assert question.value is not None
    return _elsewhere(solution, Payoff("at end", question.value))


def _elsewhere(solution: Solution, payoff: Payoff) -> tuple[Arena, Ints, StateGraph]:
    """The policy of a solution played on the states of another payoff, which may have to tell more apart."""
    graph = solution.graph
    ruleset = replace(graph.game.ruleset, payoffs={**graph.game.ruleset.payoffs, payoff.name: payoff})
    other = Explorer(replace(graph.game, ruleset=ruleset), payoff.name, graph.watched).explore()[0]
    arena = Arena.of(other)
    if solution.solved.arena.copies > 1:
        arena = arena.by_seat()
    rows = arena.state_rows[:-1].copy()
    for state in range(other.states):
        number = solution.find(other.state(state))
        assert number is not None
        for mover in range(arena.copies):
            place = solution.best_row(number, mover) - int(graph.state_rows[number])
            rows[state * arena.copies + mover] += place
    return arena, rows, other


def counting(arena: Arena, hit: NDArray[np.bool_]) -> Arena:
    """The arena that pays 1 to every seat for each of certain transitions."""
    seats = arena.seats
    return replace(arena, payoff=hit.astype(np.int64), payoffs=((0,) * seats, (1,) * seats), scale=1, sign=1)


def graph_edges(graph: StateGraph, arena: Arena) -> Ints:
    """The transition of the graph that each transition of an arena stands for."""
    if arena.copies == 1:
        return np.arange(len(graph.target))
    place = np.arange(len(arena.row_state)) - arena.state_rows[arena.row_state]
    rows = graph.state_rows[arena.row_state // arena.copies] + place
    return graph.row_edges[rows[arena.edge_row]] + np.arange(len(arena.edge_row)) - arena.row_edges[arena.edge_row]


def length(solution: Solution) -> dict[str, Number]:
    """Expected turns and rolls of a game under the solved policy. Raises MeasureError where a player mixes."""
    if solution.mixtures:
        raise MeasureError("the length is not answered where a player mixes actions")
    found = {}
    for what in ("turns", "rolls"):
        arena, rows, _ = _paying(solution, what)
        found[what] = values_under(arena, rows)[0]
    return found
