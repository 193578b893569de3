"""The graph is what the one-state rules say, transition by transition; its weights are chances, its keys are states."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np
import pytest

from oddsmith.graph.explore import Explorer
from oddsmith.graph.reductions.carry import conserved_sums
from oddsmith.ruleset.rules import Rules, State
from oddsmith.solve.game_solver import entries_in_questions
from tests.cases import Case, asked, cases, explored, explorer, once, size
from tests.reference import Walk, rows_of_graph, seen_from_mover

MOST = 400  # states looked at per game and objective; a larger game is sampled
each_game = pytest.mark.parametrize(("case", "objective"), asked())


def some_states(count: int, most: int = MOST) -> list[int]:
    """All states, or a sample with a fixed seed."""
    return list(range(count)) if count <= most else sorted(Random(5).sample(range(count), most))  # noqa: S311


@each_game
def test_columns_agree_with_the_rules(case: Case, objective: str) -> None:
    graph, how = explored(case, objective), explorer(case, objective)
    carried = {where: dict(enumerate(shares)) for where, shares in how.codec.reduction.unit_payoffs.items()}
    walk = Walk(case.game, objective, carried, graph.codec.canonical_state)
    most = 40 if len(graph.target) > 15_000 else MOST
    for number in some_states(graph.state_count, most):
        state = graph.state(number)
        assert rows_of_graph(graph, number) == walk.rows(state), state


@each_game
def test_weights_sum_to_the_denominator(case: Case, objective: str) -> None:
    graph = explored(case, objective)
    assert (graph.weight > 0).all()
    assert (np.add.reduceat(graph.weight, graph.row_edges[:-1]) == graph.denominator).all()
    assert (np.diff(graph.row_edges) > 0).all()
    assert (np.diff(graph.state_rows) > 0).all()


@each_game
def test_every_state_survives_its_key(case: Case, objective: str) -> None:
    graph = explored(case, objective)
    codec = graph.codec
    assert len(np.unique(graph.keys, axis=1).T) == graph.state_count
    for number in some_states(graph.state_count, 5_000):
        state = graph.state(number)
        key = codec.key(state)
        assert key is not None
        assert key.tolist() == graph.keys[:, number].tolist()
        assert graph.index_of(state) == number
    for number in some_states(graph.state_count, 50):
        state = graph.state(number)
        for by in range(case.seats):  # the same position with another seat to move
            turned = seen_from_mover(case.game, State(state.phase, case.seats - by, state.seats_out_bits, state.cells))
            back = State(turned.phase, by % case.seats, turned.seats_out_bits, turned.cells)
            assert codec.canonical_state(back) == state


@pytest.mark.parametrize(("case", "objective"), once())
def test_two_explorations_are_identical(case: Case, objective: str) -> None:
    if size(case, objective)["transitions"] > 20_000:
        return  # explored once
    graph, again = (
        explored(case, objective),
        Explorer(case.game, objective, entries_in_questions(case.game)).explore()[0],
    )
    for field in (
        "keys",
        "state_rows",
        "row_action",
        "row_edges",
        "denominator",
        "target",
        "weight",
        "seat_shift",
        "payoff",
    ):
        assert np.array_equal(getattr(graph, field), getattr(again, field)), field
    assert (graph.payoffs, graph.scale, graph.actions) == (again.payoffs, again.scale, again.actions)


@pytest.mark.parametrize("case", list(cases()), ids=str)
def test_coins_are_conserved(case: Case) -> None:
    """What moves about among variables is neither made nor lost; what goes to the supply only falls."""
    game, rules = case.game, Rules(case.game)
    groups = conserved_sums(game)
    random = Random(11)  # noqa: S311
    for _ in range(30):
        state = rules.start()
        held = {group: _held(state, case, group) for group in groups}
        for _ in range(300):
            if not state.phase:
                break
            if rules.phase(state).kind == "roll":
                outcomes, _ = rules.weighted_chance_results(state)
                state = rules.resolve(state, random.choice(outcomes)[1]).state
            else:
                state = rules.choose(state, random.choice(rules.actions(state))).state
            for group, before in held.items():
                now = _held(state, case, group)
                assert now <= before
                held[group] = now


def _held(state: State, case: Case, group: tuple[tuple[str, ...], int]) -> int:
    total = sum(state.cells[where] for name in group[0] for where in case.game.cell_indices_of(name))
    assert total <= group[1]
    return int(total)


def test_a_game_of_coins_alone_keeps_every_coin() -> None:
    case = next(case for case in cases() if case.name == "rogues-gambit")
    group = (("hoard", "purse", "stash"), 12)
    assert conserved_sums(case.game) == [group]
    rules, random = Rules(case.game), Random(3)  # noqa: S311
    for _ in range(50):
        state = rules.start()
        while state.phase:
            assert _held(state, case, group) == 12
            if rules.phase(state).kind == "roll":
                state = rules.resolve(state, random.choice(rules.weighted_chance_results(state)[0])[1]).state
            else:
                state = rules.choose(state, random.choice(rules.actions(state))).state
        assert sum(rules.payoffs(state, "coins"), Fraction(0)) == 12
        assert sum(rules.payoffs(state, "win"), Fraction(0)) == 1
