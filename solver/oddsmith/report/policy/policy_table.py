"""Best play as a compact table for the engine in JavaScript: for each phase the ranks of the reachable decisions, and a
code for each decision.

The rank of a state is its key as a mixed-radix number (seats are counted from the mover, and symmetric members are
sorted), with radices as small as the states allow. Ranks are stored as runs, and codes of actions as packed bits; both
compress well. The code of an action is its index among the actions that the rules allow, in the order of the language
reference (section 8). ``site/runtime/table/policy.mjs`` reads the table. It plays by these codes alone, which were
proved here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import prod
from typing import Any

import numpy as np

from oddsmith.base.arrays import Floats, Ints, arange, bincount, cumsum, repeat
from oddsmith.graph import concatenated_ranges
from oddsmith.report.policy.table_bytes import (
    MAX_RANK,
    Range,
    carried_cell_payoffs,
    digit_ranges,
    position_ranks,
    rank_run_bytes,
    table_file_bytes,
    table_header,
    varint_bytes,
    zigzag_encoded,
)
from oddsmith.ruleset import sha256
from oddsmith.solve import Solution

VERSION = 1
MAX_VALUES = 150_000  # actions whose worth is told; beyond that a page would load for too long
PLACES = 5
CHANCE_UNITS = 2**32
MAX_TRAINED_DECISIONS = 40  # decisions, for a few trainings that differ
PLAYS_SIDE_BY_SIDE, MOVES_PER_PLAYER = (
    500,
    300,
)  # who play at once, and how many moves each makes, one play after another
RANDOM_MOVE_CHANCE = 0.25  # the chance that a move is any legal one, so that play comes to where it should not
SMALL_LOSSES_SHARE = 0.25  # the part of losses that are so small that people often do not see them
MAX_MET_DECISIONS = 2_000  # decisions that play meets most often, among which they are drawn


@dataclass(frozen=True)
class PhaseDecisionBlock:
    """The decisions of one phase by rank.

    ``cells``: the ranges of the cells from which ranks are computed. ``seats_out_radix``: the radix of the set of
    players who are out. ``ranks``: the ranks in ascending order. ``arena_states``: the state of each decision in the
    arena. ``codes``: the code of the best action in each decision.
    """

    phase: str
    cells: list[Range]
    seats_out_radix: int
    ranks: Ints
    arena_states: Ints
    codes: Ints


def policy_table(solution: Solution) -> bytes | None:
    """Return the table of best play of a solution, as bytes; None if a rank would be too large for JavaScript."""
    found = decision_blocks_by_phase(solution)
    if found is None:
        return None
    body = b"".join(rank_run_bytes(block.ranks) + _pack_bits(block.codes) for block in found)
    return table_file_bytes(_policy_table_header(solution, found), body)


def action_value_table(solution: Solution) -> bytes | None:
    """Return a table of the values of all actions to the mover, as bytes, for every decision in the order of the policy
    table. Return None for large games.

    A decision is written as whole numbers: the difference of its best value from that of the decision before, the
    number of its actions, and a code for each action. The code of an action that is as good as the best is 0. Any other
    code is 2 + 3 * d + c. Here d is the difference of the two rounded values, and c (-1, 0 or 1) corrects d to the
    rounded loss.

    Values are in units of 10**-PLACES, each rounded once. Whole numbers are varints: as many bytes as they need, with
    seven bits in each. A difference is mapped to a number that is not negative (zigzag) before that.

    Values leave out what carried cells add. ``has`` in the header lists these cells, with seats counted from the mover.
    Each comes with the payoff to the mover for one more in the cell, as a numerator and a denominator.
    """
    of_phases = decision_blocks_by_phase(solution)
    if (
        of_phases is None
        or sum(int(_action_counts(solution, block.arena_states).sum()) for block in of_phases) > MAX_VALUES
    ):
        return None
    return _action_values_file(solution, of_phases)


def training_table(solution: Solution) -> bytes | None:
    """Return a table like ``action_value_table`` of a few decisions in which mistakes are frequent and costly, for games of
    any size. Return None if there are no such decisions.

    ``decisions`` in the header lists the indices of the decisions in the policy table.
    """
    of_phases = decision_blocks_by_phase(solution)
    if not of_phases:
        return None
    chosen = draw_hard_decisions(solution, np.concatenate([block.arena_states for block in of_phases]))
    return _action_values_file(solution, of_phases, chosen) if len(chosen) else None


def _action_values_file(
    solution: Solution, blocks: list[PhaseDecisionBlock], decision_indices: Ints | None = None
) -> bytes:
    """Return a table of the values of actions, as bytes. ``blocks``: the decisions. ``decision_indices``: the indices of the
    decisions to write, in their order; None for all.
    """
    arena, bounds = solution.solved.arena, solution.solved.bounds
    numbers = np.concatenate([np.zeros(0, dtype=np.int64), *(block.arena_states for block in blocks)])
    codes = np.concatenate([np.zeros(0, dtype=np.int64), *(block.codes for block in blocks)])
    if decision_indices is not None:
        numbers, codes = numbers[decision_indices], codes[decision_indices]
    widths = _action_counts(solution, numbers)
    rows = concatenated_ranges(arena.state_rows[numbers], widths)
    worth = list(bounds.row_intervals(rows, repeat(arena.mover[numbers], widths)))
    ends = cumsum(widths).tolist()
    body, before = bytearray(), 0
    for (start, end), code in zip(pairwise([0, *ends]), codes.tolist(), strict=True):
        best = worth[start + code]
        value = _round_units(sum(best), bounds.point.binary_places + 1)
        body += varint_bytes([zigzag_encoded(value - before), end - start])
        body += varint_bytes(
            _loss_code(best, other, bounds.point.binary_places, arena.objective_sign) for other in worth[start:end]
        )
        before = value
    has = carried_cell_payoffs(solution.graph.codec)
    bundle = sha256(solution.graph.game.ruleset)
    head = {"kind": "values", "version": VERSION, "bundle": bundle, "places": PLACES, "has": has}
    return table_file_bytes(
        head if decision_indices is None else head | {"decisions": decision_indices.tolist()}, bytes(body)
    )


def _round_units(units: int, binary_places: int) -> int:
    """Convert a number from units of 2**-places to units of 10**-PLACES, rounded half to even."""
    scaled: int = units * 10**PLACES
    whole, rest = divmod(scaled, 1 << binary_places)
    half = 1 << (binary_places - 1)
    return whole + (rest > half or (rest == half and whole & 1 == 1))


def _loss_code(best_bounds: tuple[int, int], other_bounds: tuple[int, int], binary_places: int, sign: int) -> int:
    """Return the code of an action in a table of values, as ``action_value_table`` describes it; 0 if the action may be as
    good as the best.

    ``best_bounds`` and ``other_bounds``: bounds of the best value and of the value of the action, in units of
    2**-places. ``sign``: -1 if less is better, else 1.
    """
    if best_bounds[0] <= other_bounds[1] and other_bounds[0] <= best_bounds[1]:
        return 0
    ours, theirs = sum(best_bounds), sum(other_bounds)  # twice the middle
    lack = sign * (_round_units(ours, binary_places + 1) - _round_units(theirs, binary_places + 1))
    return 2 + 3 * lack + _round_units(sign * (ours - theirs), binary_places + 1) - lack


def decision_blocks_by_phase(solution: Solution) -> list[PhaseDecisionBlock] | None:
    """Return the decisions of every phase in order of rank; None if a rank would be too large for JavaScript."""
    graph, arena = solution.graph, solution.solved.arena
    codec, copies = graph.codec, arena.copies_per_state
    several = np.diff(graph.state_rows) > 1
    digits = codec.digit_columns(graph.keys)
    of_phases = []
    for number, phase in enumerate(codec.phases):
        states = np.flatnonzero(several & (digits[-2] == number))
        if not len(states):
            continue
        own = [each[states] for each in digits]
        cells = digit_ranges(codec.cells_in_keys[number], own)
        out = int(own[-1].max()) + 1
        if prod(radix for _, _, radix in cells) * out * copies >= MAX_RANK:
            return None
        places = position_ranks(cells, own) * out + own[-1]
        places = (places[:, None] * copies + arange(copies)).ravel()
        numbers = arena.arena_states_of(states)
        order = np.argsort(places)
        numbers = numbers[order]
        codes = solution.solved.rows[numbers] - arena.state_rows[numbers]
        of_phases.append(PhaseDecisionBlock(phase, cells, out, places[order], numbers, codes))
    return of_phases


def _action_counts(solution: Solution, arena_states: Ints) -> Ints:
    """Return the number of actions in each of ``arena_states``, states of the arena."""
    arena = solution.solved.arena
    return arena.state_rows[arena_states + 1] - arena.state_rows[arena_states]


def _policy_table_header(solution: Solution, blocks: list[PhaseDecisionBlock]) -> dict[str, Any]:
    graph = solution.graph
    return table_header(graph.game, graph.objective, "policy", VERSION, graph.codec) | {
        "play": solution.kind,
        "grade": solution.grade,
        "values": [value.decimal(PLACES) for value in solution.values],
        "copies": solution.solved.arena.copies_per_state,
        "phases": [
            {
                "name": block.phase,
                "states": len(block.ranks),
                "bits": _bit_width(block.codes),
                "out": block.seats_out_radix,
                "cells": [list(cell) for cell in block.cells],
                "orbits": _symmetry_orbits(solution, block.phase),
                "mixed": list(_mixture_records(solution, block)),
            }
            for block in blocks
        ],
    }


def _symmetry_orbits(solution: Solution, phase: str) -> list[list[list[int]]]:
    return [[list(member) for member in orbit] for orbit in solution.graph.codec.orbits[phase]]


def _mixture_records(solution: Solution, block: PhaseDecisionBlock) -> Iterator[list[Any]]:
    """Yield the mixtures of a block: the index of the decision, then for each action its code and the cumulative
    probability up to it, in units of 2^-32.
    """
    arena = solution.solved.arena
    for number, mixture in sorted(solution.mixtures.items()):
        for place in np.flatnonzero(block.arena_states == number).tolist():
            codes = [row - int(arena.state_rows[number]) for row in mixture.rows]
            sums = accumulate(chance.middle for chance in mixture.row_probabilities.values())
            yield [place, *([code, round(share * CHANCE_UNITS)] for code, share in zip(codes, sums, strict=True))]


# --- decisions for a trainer
#
# A person is taken to choose worse actions the less often the more they cost (quantal response: McKelvey and Palfrey, Games
# and Economic Behavior 10, 1995). Floats and dice with a fixed seed choose the decisions, and nothing else: what actions are
# worth is told by proven values.


def draw_hard_decisions(solution: Solution, arena_states: Ints) -> Ints:
    """Draw decisions at random, with weights by what people lose in them: the visits to a decision times the mean loss
    there.

    ``arena_states``: the states of the arena at which the decisions are made, each once. Return the indices of the drawn
    decisions in ``arena_states``. It is empty if nothing can be lost.
    """
    random = np.random.default_rng(1)
    met = _simulated_visit_counts(solution, random)[arena_states]
    often = np.argsort(-met, kind="stable")[:MAX_MET_DECISIONS]
    often = often[met[often] > 0]
    lost = met[often] * _mean_losses_of_people(solution, arena_states[often])
    found = often[lost > 0]
    # The greatest of u ** (1 / weight) are a sample by weight (Efraimidis and Spirakis 2006).
    keys = np.log(random.random(len(found))) / lost[lost > 0]
    chosen: Ints = random.permutation(found[np.argsort(-keys, kind="stable")[:MAX_TRAINED_DECISIONS]])
    return chosen


def _simulated_visit_counts(solution: Solution, random: np.random.Generator) -> Ints:
    """Simulate best play with some random moves. Return the number of visits to each state of the arena."""
    arena, rows = solution.solved.arena, solution.solved.rows
    start = int(arena.arena_state_of(0, solution.graph.first_mover))
    at = np.full(PLAYS_SIDE_BY_SIDE, start, dtype=np.int64)
    times = np.zeros(arena.state_count, dtype=np.int64)
    for _ in range(MOVES_PER_PLAYER):
        np.add.at(times, at, 1)
        any_row = arena.state_rows[at] + random.integers(_action_counts(solution, at), dtype=np.int64)
        at = _random_successors(
            solution, np.where(random.random(PLAYS_SIDE_BY_SIDE) < RANDOM_MOVE_CHANCE, any_row, rows[at]), random
        )
        at[at < 0] = start
    return times


def _random_successors(solution: Solution, rows: Ints, random: np.random.Generator) -> Ints:
    """Return a random successor of each row, by the row's distribution; a negative number if the game ends."""
    arena = solution.solved.arena
    edges, lengths = arena.edges_of(rows)
    ends = cumsum(lengths)
    upto = np.cumsum(arena.weight[edges] / repeat(arena.denominator[rows], lengths), dtype=np.float64)
    before = np.append(0.0, upto[ends[:-1] - 1])
    fallen = np.searchsorted(upto, before + random.random(len(rows)) * (upto[ends - 1] - before), side="right")
    after: Ints = arena.target[edges[np.minimum(fallen, ends - 1)]]
    return after


def _mean_losses_of_people(solution: Solution, arena_states: Ints) -> Floats:
    """Return the mean loss of a person in each of some decisions. The more an action costs, the less often a person is
    assumed to take it.

    ``arena_states``: the decisions, as states of the arena.
    """
    arena, bounds = solution.solved.arena, solution.solved.bounds
    widths = _action_counts(solution, arena_states)
    rows = concatenated_ranges(arena.state_rows[arena_states], widths)
    near = bounds.row_intervals(rows, repeat(arena.mover[arena_states], widths))
    worth = np.array([float(low + high) for low, high in near], dtype=np.float64) * arena.objective_sign
    mine = repeat(arange(len(arena_states)), widths)
    best = np.full(len(arena_states), -np.inf, dtype=np.float64)
    np.maximum.at(best, mine, worth)
    losses = best[mine] - worth
    some = losses[losses > 0]
    odds = np.exp(-losses / (np.quantile(some, SMALL_LOSSES_SHARE) if len(some) else 1))
    total: Floats = bincount(mine, losses * odds, len(arena_states)) / bincount(mine, odds, len(arena_states))
    return total


def _bit_width(codes: Ints) -> int:
    return int(codes.max()).bit_length()


def _pack_bits(codes: Ints) -> bytes:
    """Return the codes as bytes. Each code has as many bits as the largest one needs, and the lowest bit comes first."""
    bits = arange(_bit_width(codes))
    return np.packbits(((codes[:, None] >> bits) & 1).astype(np.uint8).ravel(), bitorder="little").tobytes()
