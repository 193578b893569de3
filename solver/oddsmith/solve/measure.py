"""Answers to a ruleset's questions: chances, means and counts, for one roll or for the whole game under the solved policy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np

from oddsmith.errors import OddsmithError
from oddsmith.exact import Number
from oddsmith.expr.scalar import compiled
from oddsmith.graph.stategraph import ROLLED, StateGraph
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.model import Measure
from oddsmith.ruleset.rules import Rules, State
from oddsmith.solve.arena import Arena, Ints
from oddsmith.solve.bounds import BITS
from oddsmith.solve.exactly import ExactValues, TooLong
from oddsmith.solve.solution import Solution
from oddsmith.solve.solver import Solver

class MeasureError(OddsmithError):
    """A question that has no answer, and why."""


def ask(game: Game, question: Measure, solution: Callable[[], Solution]) -> Number:
    """The answer to a question. The solution is asked for only where a policy matters. Raises MeasureError."""
    if question.kind == "spread":
        raise MeasureError("`spread` is not answered by this version")
    if question.given is not None and (question.kind != "mean" or question.at is None or question.within):
        raise MeasureError("`given` is answered for `mean` at an entry only by this version")
    if question.kind == "count" or question.within:
        return _along(solution(), question)
    if question.kind == "mean" and question.at is None:
        return _at_end(solution(), question)
    return _once(game, question, solution)


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
        return _chosen(game, rules, state, entry, solution())
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


def _chosen(game: Game, rules: Rules, state: State, entry: str, solution: Solution) -> Number:
    number = solution.find(state)
    if number is None:
        raise MeasureError(f"play never comes to {state.phase} with every variable at its start: set some by `with`")
    return Number.of(int(_entry_of(solution.graph, solution.best_row(number)) == entry))


def _entry_of(graph: StateGraph, row: int) -> str:
    phase, entry, _ = graph.actions[int(graph.row_action[row])]
    return graph.game.ruleset.phases[phase].entries[entry].name


def _along(solution: Solution, question: Measure) -> Number:
    """Along a turn or the whole game under the solved policy."""
    assert question.at is not None
    graph, arena, rows = solution.graph, solution.solved.arena, solution.solved.rows
    _refuse_mixtures(solution)
    if question.within == "game" and question.kind == "chance" and arena.copies == 1:
        own = arena.by_seat()
        rows = own.state_rows[:-1] + (rows - arena.state_rows[:-1]).repeat(graph.seats)
        arena = own
    edges = graph_edges(graph, arena)
    hit = (graph.marks[edges] & graph.watched[question.at]) > 0
    if question.kind == "count":
        return expected(arena, rows, hit)
    if question.within == "turn":
        over = hit | graph.turn_over[edges]
        return expected(replace(arena, target=np.where(over, -1, arena.target)), rows, hit)
    mine = hit & (arena.mover[arena.row_state[arena.edge_row]] == question.seat - 1)
    return expected(replace(arena, target=np.where(mine, -1, arena.target)), rows, mine)


def graph_edges(graph: StateGraph, arena: Arena) -> Ints:
    """The transition of the graph that each transition of an arena stands for."""
    if arena.copies == 1:
        return np.arange(len(graph.target))
    place = np.arange(len(arena.row_state)) - arena.state_rows[arena.row_state]
    rows = graph.state_rows[arena.row_state // arena.copies] + place
    return graph.row_edges[rows[arena.edge_row]] + np.arange(len(arena.edge_row)) - arena.row_edges[arena.edge_row]


def _refuse_mixtures(solution: Solution) -> None:
    if solution.mixtures:
        raise MeasureError("questions along the game are not answered where a player mixes actions")


def expected(arena: Arena, rows: Ints, hit: np.ndarray) -> Number:
    """The expected number of transitions of a kind from the start, under one row per state."""
    seats = arena.seats
    counting = replace(
        arena, payoff=hit.astype(np.int64), payoffs=((0,) * seats, (1,) * seats), scale=1, fixed=rows, sign=1
    )  # fmt: skip
    try:
        return Number.of(ExactValues(counting, rows).value(0)[0])
    except TooLong:
        solved = Solver(counting, howard=True).solve()
        low, high = int(solved.bounds.low[0, 0]), int(solved.bounds.high[0, 0])
        return Number(Fraction(low, 1 << BITS), Fraction(high, 1 << BITS))


def _at_end(solution: Solution, question: Measure) -> Number:
    """The mean of an expression when the game is over, seen from a seat (1 unless the question names one)."""
    raise MeasureError("`at: end` is not answered by this version")


def length(solution: Solution) -> dict[str, Number]:
    """Expected turns and rolls of a game under the solved policy. Raises MeasureError where a player mixes."""
    _refuse_mixtures(solution)
    graph, arena, rows = solution.graph, solution.solved.arena, solution.solved.rows
    edges = graph_edges(graph, arena)
    return {
        "turns": expected(arena, rows, graph.turn_over[edges]),
        "rolls": expected(arena, rows, (graph.marks[edges] & ROLLED) > 0),
    }
