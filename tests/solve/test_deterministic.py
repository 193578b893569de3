"""Which seats get the same in every play by the policy: what is proved on the graph is what all plays bring."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import oddsmith
from oddsmith.base.executors import Work
from oddsmith.solve.solution import Solution


def outcomes(solution: Solution) -> list[list[set[int]]]:
    """What each seat of each state may still get by the policy, in units, found by walking on until nothing changes."""
    arena, rows = solution.solved.arena, solution.solved.rows
    found = [[set[int]() for _ in range(arena.seats)] for _ in range(arena.state_count)]
    going = True
    while going:
        going = False
        for state in range(arena.state_count - 1, -1, -1):
            first, last = arena.row_edges[rows[state]], arena.row_edges[rows[state] + 1]
            for edge in range(first, last):
                paid, target = arena.payoffs[arena.payoff[edge]], int(arena.target[edge])
                for seat in range(arena.seats):
                    later = {0} if target < 0 else found[target][(seat - arena.seat_shift[edge]) % arena.seats]
                    new = {paid[seat] + each for each in later} - found[state][seat]
                    found[state][seat] |= new
                    going |= bool(new)
    return found


@pytest.mark.parametrize(
    ("name", "objective", "seats", "settings"),
    [
        ("rogues-gambit", "win", 4, {"coins_each": 4}),
        ("rogues-gambit", "coins", 3, {"coins_each": 3}),
        ("pig", None, 2, {"target": 6}),
        ("burglar-and-the-dragon", None, 3, {"tokens_each": 3}),
    ],
)
def test_it_is_known_where_chance_no_longer_counts(
    name: str, objective: str | None, seats: int, settings: dict[str, Any]
) -> None:
    solution = oddsmith.load(name).at(seats, objective, **settings).solve().solution
    known, units = solution.solved.bounds.deterministic.known, solution.solved.bounds.deterministic.units
    for state, seen in enumerate(outcomes(solution)):
        for seat, each in enumerate(seen):
            assert known[state, seat] == (len(each) == 1)
            if known[state, seat]:
                assert each == {units[state, seat]}
    assert (solution.solved.arena.scale * solution.solved.bounds.values[known[:, :-1]] % 1 < 1e-9).all()
    assert np.count_nonzero(known[:, :-1])


def test_ties_of_those_who_cannot_win_are_settled_by_stages() -> None:
    """No bound tells their actions apart, by stages never and on a graph only with fractions."""
    book = oddsmith.load("rogues-gambit")
    staged = book.at(4, "win", coins_each=6).solve(work=Work(method="stages"))
    assert staged.undecided_count == 0
    assert book.at(4, "win", coins_each=6).solve().solution.tie_count > 0
