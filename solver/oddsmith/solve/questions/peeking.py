"""The arena of a seat that peeks: it sees what its options will roll or draw before it chooses.

In its decisions the chance move comes first, and the choice after it: an option that rolls then has the one result that
was seen. If several options roll, all of them use the same next falls of the dice and the same order of the bags, so
the cheat sees one future and not one for each option; see ``oddsmith.ruleset.foresight``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm

import numpy as np

from oddsmith.base.arrays import Ints, arange, bincount, cumsum, repeat
from oddsmith.base.errors import MeasureError
from oddsmith.graph import StateGraph, concatenated_ranges, unique
from oddsmith.ruleset import CanonicalForm, Game, Landing, SuccessorDeriver, joint_landing_distributions
from oddsmith.solve.arenas.arena import Arena, strong_component_labels

MAX_DENOMINATOR = 1 << 56


@dataclass(frozen=True)
class ForeseenResults:
    """What a cheat may see in a state.

    ``rolling_rows``: the rows of the actions that roll or draw. ``result_weights``: the weight of each result.
    ``edges_by_result``: for each result, the transition that each of the rows has with it.
    """

    rolling_rows: Sequence[int]
    result_weights: Sequence[int]
    edges_by_result: Sequence[tuple[int, ...]]


def foreseen_results(arena: Arena, rolling_rows: Ints, graph: StateGraph, game: Game) -> dict[int, ForeseenResults]:
    """Return what the cheat sees in each state of an arena in which it peeks, by state.

    It peeks where an action rolls or draws and there is another action to choose. ``rolling_rows``: the rows that roll
    or draw. ``game``: the game with the dice that the cheat rolls. Raises MeasureError if several rows of a state have
    results that cannot be seen together.
    """
    own, actions = arena.row_state, np.diff(arena.state_rows)
    by_state: dict[int, list[int]] = {}
    for row in rolling_rows[actions[own[rolling_rows]] > 1].tolist():
        by_state.setdefault(int(own[row]), []).append(row)
    several = {state: seen for state, seen in by_state.items() if len(seen) > 1}
    found = {
        state: ForeseenResults(seen, arena.weight[edges].tolist(), [(edge,) for edge in edges])
        for state, seen in by_state.items()
        if len(seen) == 1
        for edges in [list(range(*arena.row_edges[seen[0] : seen[0] + 2].tolist()))]
    }
    return {**found, **_results_seen_together(arena, several, graph, game)} if several else found


def _results_seen_together(
    arena: Arena, rolling_rows: Mapping[int, Sequence[int]], graph: StateGraph, game: Game
) -> dict[int, ForeseenResults]:
    """Return what the cheat sees in states in which several rows roll or draw, by state. ``rolling_rows``: these rows,
    by state.

    Raises MeasureError if the results would need too large weights.
    """
    reduction = graph.codec.reduction
    canonical = CanonicalForm(game, reduction.unit_payoffs, reduction.forgotten, reduction.orbits)
    states = {state: state // arena.copies_per_state for state in rolling_rows}
    inside = np.array([edge for number in states.values() for row in graph.rows(number) for edge in graph.edges(row)])
    targets = unique(graph.target[inside][graph.target[inside] >= 0])
    numbers = dict(zip(graph.codec.states(graph.keys[:, targets]), targets.tolist(), strict=True))
    deriver = SuccessorDeriver(game, graph.objective, canonical, numbers.get)
    order = list(rolling_rows)
    shared = joint_landing_distributions(
        deriver,
        [
            (graph.state(states[each]), [row - int(arena.state_rows[each]) for row in rolling_rows[each]])
            for each in order
        ],
    )
    found = {}
    for state, landings in zip(order, shared, strict=True):
        places = [_edges_by_landing(graph, states[state], row, arena, state) for row in rolling_rows[state]]
        weights: dict[tuple[int, ...], Fraction] = {}
        for together, chance in landings.items():
            edges = tuple(place[landing] for place, landing in zip(places, together, strict=True))
            weights[edges] = weights.get(edges, Fraction(0)) + chance
        found[state] = _foreseen_with_whole_weights(rolling_rows[state], weights)
        assert _marginals_agree(arena, found[state]), "what is seen of one roll is not how it falls"
    return found


def _edges_by_landing(
    graph: StateGraph, graph_state: int, arena_row: int, arena: Arena, arena_state: int
) -> dict[Landing, int]:
    """Return the transition of a row that leads to each landing, which is a target with its seat shift and payoffs.

    ``arena_row``, ``arena_state``: numbers in the arena, as are the transitions. ``graph_state``: the number of the
    state in the graph.
    """
    own = int(graph.state_rows[graph_state]) + arena_row - int(arena.state_rows[arena_state])
    found: dict[Landing, int] = {}
    for place, edge in enumerate(graph.edges(own)):
        target = int(graph.target[edge])
        paid = tuple(Fraction(units, graph.scale) for units in graph.payoffs[int(graph.payoff[edge])])
        landing = (target, int(graph.seat_shift[edge]) if target >= 0 else 0, paid)
        found.setdefault(landing, int(arena.row_edges[arena_row]) + place)
    return found


def _foreseen_with_whole_weights(
    rolling_rows: Sequence[int], weight_by_edges: Mapping[tuple[int, ...], Fraction]
) -> ForeseenResults:
    common = lcm(*(weight.denominator for weight in weight_by_edges.values()))
    if common > MAX_DENOMINATOR:
        raise MeasureError("several options roll or draw so much that what a peek shows is not worked out")
    return ForeseenResults(
        rolling_rows, [int(weight * common) for weight in weight_by_edges.values()], list(weight_by_edges)
    )


def _marginals_agree(arena: Arena, foreseen: ForeseenResults) -> bool:
    """Return whether each row that is seen, taken alone, has the same distribution of results as in the arena."""
    return all(
        _landing_distribution(arena, [edges[at] for edges in foreseen.edges_by_result], foreseen.result_weights)
        == _landing_distribution(arena, *_edges_and_weights(arena, row))
        for at, row in enumerate(foreseen.rolling_rows)
    )


def _edges_and_weights(arena: Arena, row: int) -> tuple[Sequence[int], Sequence[int]]:
    edges = range(*arena.row_edges[row : row + 2].tolist())
    return edges, arena.weight[edges.start : edges.stop].tolist()


def _landing_distribution(
    arena: Arena, edges: Sequence[int], weights: Sequence[int]
) -> dict[tuple[int, int, int], Fraction]:
    law: dict[tuple[int, int, int], Fraction] = {}
    total = sum(weights)
    for edge, weight in zip(edges, weights, strict=True):
        end = (int(arena.target[edge]), int(arena.seat_shift[edge]), int(arena.payoff[edge]))
        law[end] = law.get(end, Fraction(0)) + Fraction(weight, total)
    return law


def peeking_arena(arena: Arena, foreseen_by_state: Mapping[int, ForeseenResults]) -> Arena:
    """Return an arena in which results are known before an action is chosen, in the given states.

    Such a state then has only one row, which leads to a new state for each result. The new state has the actions of the
    old one, but a row whose results are seen leads only to the result that was seen. ``foreseen_by_state``: what is
    seen, by state.
    """
    own, peeked = arena.row_state, np.array(sorted(foreseen_by_state), dtype=np.int64)
    chance = arena.state_rows[peeked]  # these rows become those of chance
    kept = np.flatnonzero(~np.isin(own, peeked) | np.isin(arange(len(own)), chance))
    choices = [_rows_for_each_result(arena, state, foreseen_by_state[state]) for state in peeked.tolist()]
    source = np.concatenate([kept, *(rows for rows, _ in choices)])
    only = np.concatenate([np.full(len(kept), -1, dtype=np.int64), *(edges for _, edges in choices)])
    results = np.array([len(foreseen_by_state[state].result_weights) for state in peeked.tolist()], dtype=np.int64)
    weights = np.array(
        [weight for state in peeked.tolist() for weight in foreseen_by_state[state].result_weights], dtype=np.int64
    )
    known = np.append(np.isin(kept, chance), np.zeros(len(source) - len(kept), dtype=bool))
    count = np.where(only >= 0, 1, np.diff(arena.row_edges)[source])
    count[known] = results
    known_edge = repeat(known, count)
    starts = np.where(only >= 0, only, arena.row_edges[source])
    edges = np.where(known_edge, 0, concatenated_ranges(starts, count))
    denominator = np.where(only >= 0, 1, arena.denominator[source])
    denominator[known] = [sum(foreseen_by_state[state].result_weights) for state in peeked.tolist()]
    nothing = (0,) * arena.seats
    payoffs = arena.payoffs if nothing in arena.payoffs else (*arena.payoffs, nothing)
    target, payoff, shift = arena.target[edges], arena.payoff[edges].astype(np.int64), arena.seat_shift[edges]
    weight = np.where(repeat(only >= 0, count), 1, arena.weight[edges].astype(np.int64))
    states = arena.state_count + int(results.sum())
    target[known_edge], weight[known_edge] = arange(arena.state_count, states), weights
    payoff[known_edge], shift[known_edge] = payoffs.index(nothing), 0
    actions = repeat(np.diff(arena.state_rows)[peeked], results)
    of_state = np.append(bincount(own[kept], None, arena.state_count), actions)
    place, inner = cumsum(bincount(kept, None, len(own))) - 1, target >= 0
    return replace(
        arena,
        state_rows=np.append(0, cumsum(of_state)),
        row_edges=np.append(0, cumsum(count)),
        denominator=denominator,
        target=target,
        weight=weight,
        seat_shift=shift,
        payoff=payoff,
        payoffs=payoffs,
        mover=np.append(arena.mover, repeat(arena.mover[peeked], results)),
        prescribed_row=np.append(
            np.where(arena.prescribed_row >= 0, place[arena.prescribed_row], -1),
            np.full(states - arena.state_count, -1, dtype=np.int64),
        ),
        components=strong_component_labels(
            states, repeat(repeat(arange(states), of_state), count)[inner], target[inner]
        ),
    )


def _rows_for_each_result(arena: Arena, state: int, foreseen: ForeseenResults) -> tuple[Ints, Ints]:
    """Return the rows of the new states that replace a state, one new state for each result, and a transition for each
    row.

    The rows are those of the old state, repeated for each result. The transition is the only one that a row then has;
    -1 for a row that keeps all its transitions.
    """
    rows = arange(arena.state_rows[state], arena.state_rows[state + 1])
    alone = np.full((len(foreseen.edges_by_result), len(rows)), -1, dtype=np.int64)
    alone[:, np.array(foreseen.rolling_rows) - rows[0]] = foreseen.edges_by_result
    return np.tile(rows, len(foreseen.edges_by_result)), alone.reshape(-1)
