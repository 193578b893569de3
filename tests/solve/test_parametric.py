"""Solving with a parameter left open: the formulas give what solving at a value gives, and change exactly where play
does.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest
import sympy

from oddsmith.base.errors import SymbolError
from oddsmith.base.exact import Number
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.model import Setting
from oddsmith.solve.game_solver import solve
from oddsmith.solve.parameter.algebraic import Algebraic, polynomial_value, rational_between
from oddsmith.solve.parameter.family import explore_parametric_game
from oddsmith.solve.parameter.parametric import solve_symbol
from oddsmith.solve.questions.measure import expected_lengths
from oddsmith.solve.questions.policy_evaluator import PolicyEvaluator
from oddsmith.solve.values.arena_solver import ArenaSolver
from oddsmith.solve.values.policy_evaluation import policy_values
from tests.cases import ruleset
from tests.open_games import HOLD, RACE, TWICE, UNTIL, made


def numeric(game: Game, objective: str, **values: int) -> tuple[Fraction | None, ...]:
    """What solving with numbers gives."""
    bound = bind(game.ruleset, Setting(game.seats, values={**game.parameters, **values}))
    return tuple(number.exact for number in solve(bound, objective).values)


@pytest.mark.parametrize(
    ("body", "seats", "symbol", "objective", "kind", "at"),
    [
        (HOLD, 1, "bonus", "points", "optimal", (0, 1, 3, 7, 12)),
        (HOLD, 1, "bend", "points", "optimal", (1, 2, 3, 4, 5, 6)),
        (HOLD, 1, "bend", "debt", "optimal", (1, 2, 3, 4, 6)),
        (HOLD, 1, "bonus", "doubled", "optimal", (0, 1, 2, 5, 12)),
        (RACE, 1, "bend", "coins", "optimal", (1, 2, 3, 4, 6)),
        (RACE, 2, "bend", "win", "zero-sum", (1, 2, 3, 4, 6)),
        (RACE, 2, "bend", "coins", "symmetric", (1, 2)),  # beyond there are two equilibria
        (RACE, 2, "prize", "coins", "symmetric", (1, 2, 4, 7, 9)),
        (RACE, 3, "bend", "win", "symmetric", (1, 2, 3, 4, 6)),
        (TWICE, 2, "bend", "win", "zero-sum", (0, 1, 2, 5, 9)),
        (UNTIL, 2, "bend", "win", "zero-sum", (1, 2, 3, 4, 5)),
    ],
)
def test_formulas_give_what_solving_at_a_value_gives(
    body: str, seats: int, symbol: str, objective: str, kind: str, at: tuple[int, ...]
) -> None:
    game = made(body, seats)
    found = solve_symbol(game, symbol, objective)
    assert found.kind == kind
    for point in at:
        assert found.values(point) == numeric(game, objective, **{symbol: point}), point


@pytest.mark.parametrize(
    ("body", "seats", "symbol", "at"),
    [
        (HOLD, 1, "bend", (2, 4, 5)),
        (HOLD, 1, "bonus", (0, 2, 5)),
        (RACE, 2, "bend", (2, 5)),
        (UNTIL, 2, "bend", (1, 3)),
    ],
)
def test_lengths_and_what_others_get_are_formulas_too(body: str, seats: int, symbol: str, at: tuple[int, ...]) -> None:
    game = made(body, seats)
    found = solve_symbol(game, symbol)
    for point in at:
        solution = solve(bind(game.ruleset, Setting(game.seats, values={**game.parameters, symbol: point})))
        piece = found.piece_at(Fraction(point))
        for what, number in expected_lengths(solution).items():
            assert number == Number.of(found.mean_length(piece, what).value_at(Fraction(point))), (point, what)
        for seat in range(1, seats + 1):
            alone = PolicyEvaluator(solution).value_if_alone(found.random_play, seat)
            assert alone == Number.of(
                found.deviation_value(piece, found.random_play, seat).value_at(Fraction(point))
            ), (
                point,
                seat,
            )


def test_among_several_equilibria_each_piece_shows_one() -> None:
    """Solving at a value may print another one; started from the rows of the piece, it stays with them."""
    found = solve_symbol(made(RACE, 2), "bend", "coins")
    assert len(found.pieces) > 1
    assert "There may be others" in found.notes[0]
    for piece in found.pieces:
        for share in (Fraction(1, 3), Fraction(2, 3)):
            low, high = (point.with_interval_within(Fraction(1, 1000)).low for point in (piece.low, piece.high))
            arena = found.parametric_game.arena_at_point((low + (high - low) * share).limit_denominator(1000))
            again = ArenaSolver(arena, unique_values=False, start_rows=piece.rows).solve()
            assert again.rows.tolist() == piece.rows.tolist()


@pytest.mark.parametrize("values", [{}, {"on_tails": "keep"}, {"may_wait": True}])
def test_a_sample_with_a_bent_coin(values: dict[str, bool | str]) -> None:
    game = bind(ruleset("piglet"), Setting(2, values=values))
    found = solve_symbol(game, "bend")
    for point in (1, 2, 3):
        assert found.values(point) == numeric(game, "win", bend=point)


@pytest.mark.parametrize("point", ["5/3", "8/3", "17/6", "7/2", "33/10"])
def test_between_whole_numbers_too(point: str) -> None:
    """A coin that weighs 5/3 to 2 is one that weighs 5 to 6."""
    share = Fraction(point)
    game = made(HOLD)
    found = solve_symbol(game, "bend", "points", Fraction(1), Fraction(4))
    scaled = HOLD.replace("max: 6", "max: 40").replace("max: 9", "max: 40")
    assert found.values(share) == numeric(made(scaled), "points", bend=share.numerator, under=share.denominator)


def test_each_piece_has_the_best_play_of_its_points() -> None:
    """Solved anew at rational points, of which no piece knows."""
    found = solve_symbol(bind(ruleset("piglet"), Setting(2, values={"target": 4})), "bend")
    assert len(found.pieces) > 5
    random = Random(7)  # noqa: S311 - a fixed seed for a test
    for _ in range(25):
        below = random.randint(1, 30)
        point = Fraction(random.randint(below, 3 * below), below)
        arena = found.parametric_game.arena_at_point(point)
        again = policy_values(arena, ArenaSolver(arena, unique_values=True).solve().rows)
        assert found.values(point) == tuple(number.exact for number in again), point


def test_best_play_changes_at_exact_points() -> None:
    found = solve_symbol(made(HOLD), "bend", "points")
    assert [point.exact for point in found.policy_change_points] == [
        Fraction(8, 3),
        Fraction(14, 5),
        None,
        Fraction(24, 7),
    ]
    x = sympy.Symbol("x")
    assert sympy.minimal_polynomial(found.policy_change_points[2].expression(), x) == 3 * x**3 - 6 * x**2 - 12 * x - 8
    bend = sympy.Symbol("bend")
    formulas = [sympy.simplify(piece.values[0].expression("bend")) for piece in found.pieces]
    heads = bend / (bend + 2)
    wanted = [3, 3, 3, 12 * heads**3, 19 * heads**4]
    assert all(sympy.simplify(one - other) == 0 for one, other in zip(formulas, wanted, strict=True))
    change = found.pieces[1].changes
    assert [(each.state_in_words, each.action_before, each.action_after) for each in change] == [
        ("decide: stash=1", "Stop", "Toss")
    ]


@pytest.mark.parametrize(
    ("game", "objective"),
    [(made(HOLD), "points"), (made(HOLD), "debt"), (bind(ruleset("piglet"), Setting(2, values={"target": 4})), "win")],
    ids=["points", "debt", "piglet"],
)
def test_values_are_continuous_where_play_changes(game: Game, objective: str) -> None:
    found = solve_symbol(game, "bend", objective)
    assert found.policy_change_points
    for before, after in pairwise(found.pieces):
        point, apart = after.low, before.values[0] - after.values[0]
        assert before.high == point
        if point.exact is not None:
            assert not apart or polynomial_value(apart.numerator, point.exact) == 0
        else:
            assert not apart or apart.numerator.gcd(point.polynomial) == point.polynomial


@pytest.mark.parametrize(("symbol", "objective"), [("bend", "points"), ("bonus", "points"), ("bonus", "doubled")])
def test_no_policy_of_another_piece_is_better(symbol: str, objective: str) -> None:
    found = solve_symbol(made(HOLD), symbol, objective)
    assert len(found.pieces) > 1
    for piece in found.pieces:
        inside = rational_between(piece.low, piece.high)
        best = piece.values[0].value_at(inside)
        assert found.values(inside) == (best,)
        assert all(other.values[0].value_at(inside) <= best for other in found.pieces)


def test_a_game_is_fair_at_an_algebraic_number() -> None:
    """Two heads have a chance of a half where b / (b + 2) is the root of 1/2."""
    found = solve_symbol(made(TWICE), "bend")
    (piece,) = found.pieces
    assert piece.fair_points is not None
    (fair,) = piece.fair_points
    assert sympy.simplify(fair.expression() - 2 * (sympy.sqrt(2) + 1)) == 0
    assert fair.text("bend") == "2 + 2*sqrt(2), about 4.828427"


def test_one_seat_breaks_even_where_the_value_is_0() -> None:
    body = HOLD.replace("points: paid", "points: paid - 3 * bonus")
    pieces = solve_symbol(made(body), "bonus", "points").pieces
    fair = [point.exact for piece in pieces for point in piece.fair_points or ()]
    assert fair == [Fraction(2, 13)]


def test_where_play_would_never_end_there_is_no_value() -> None:
    found = solve_symbol(made(UNTIL), "bend")
    assert found.pieces[0].is_low_end_open
    assert not found.pieces[0].is_high_end_open
    assert found.pieces[0].fair_points == ()  # the formulas agree at 0, where there is no game
    assert found.pieces[0].values[0].text("bend") == "(bend + 2)/(bend + 4)"
    with pytest.raises(SymbolError, match="outside the range"):
        found.values(0)
    with pytest.raises(SymbolError, match="outside the range"):
        found.values(6)


def changed(body: str, before: str, after: str) -> Game:
    assert before in body
    return made(body.replace(before, after))


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ("stash: {max: 4}", "stash: {max: 4 + bonus}", "a bound or the start of stash"),
        ("stash: {max: 4}", "stash: {max: 20, start: bonus}", "a bound or the start of stash"),
        ("when: stash < 4", "when: stash < 4 and bonus > 2", "the `when` of Toss"),
        ("add stash * stash + bonus to paid", "add max(stash, bonus) to paid", "no polynomial of it"),
        ("add stash * stash + bonus to paid", "{if: bonus > 3, do: add 1 to paid}", "a test"),
        ("points: paid", "points: paid / (1 + bonus)", "no polynomial of it"),
        ("points: paid", "points: 1 if bonus > 3 else paid", "no polynomial of it"),
        ("do: add 1 to stash", "do: 'add min(bonus, 4 - stash) to stash'", "part of the position"),
        ("faces: [Heads, Tails]", "faces: 'span(bonus, bonus + 1)'", "the faces of a die"),
        ("roll: {flip: coin}", "roll: {flips: bonus of d6, flip: coin}", "a number of dice"),
    ],
)
def test_what_changes_the_structure_is_refused(before: str, after: str, why: str) -> None:
    game = changed(HOLD, before, after)
    with pytest.raises(SymbolError, match="changes the structure of made") as refused:
        solve_symbol(game, "bonus", "points")
    assert why in str(refused.value)
    assert "made.yaml:" in str(refused.value)


@pytest.mark.parametrize(
    ("symbol", "low", "high", "why"),
    [
        ("luck", None, None, "has no parameter luck"),
        ("bonus", 3, 3, "is empty"),
        ("bonus", -1, 3, "stays within 0..12"),
        ("bend", 1, 9, "stays within 1..6"),
    ],
)
def test_what_is_no_symbol_is_said(symbol: str, low: int | None, high: int | None, why: str) -> None:
    least, most = (None if bound is None else Fraction(bound) for bound in (low, high))
    with pytest.raises(SymbolError, match=why):
        solve_symbol(made(HOLD), symbol, "points", least, most)


def test_a_symbol_is_a_number() -> None:
    with pytest.raises(SymbolError, match="does not run over a range of numbers"):
        solve_symbol(bind(ruleset("piglet")), "on_tails")


def test_a_weight_may_not_vanish_inside() -> None:
    game = changed(HOLD, "weights: [bend, 2 * under]", "weights: [(bend - 3) * (bend - 3), 2]")
    with pytest.raises(SymbolError, match="not above 0 for every bend between 1 and 6: take a smaller range"):
        solve_symbol(game, "bend", "points")
    part = solve_symbol(game, "bend", "points", Fraction(3), Fraction(6))
    assert part.values(5) == numeric(game, "points", bend=5)


def test_weights_and_payoffs_may_share_the_symbol() -> None:
    """Weights are explored at any value, payoffs at whole ones; the function has both at the same."""
    body = HOLD.replace("points: paid", "points: bend * paid + bend")
    found = solve_symbol(made(body), "bend", "points")
    for point in (1, 2, 3, 4, 6):
        assert found.values(point) == numeric(made(body), "points", bend=point)


def test_the_structure_is_one_and_chances_sum_to_1() -> None:
    found = explore_parametric_game(made(RACE), "bend", "win", Fraction(1), Fraction(6))
    for row in range(len(found.row_payoffs)):
        parts = found.probability[found.row_edges[row] : found.row_edges[row + 1]]
        assert sum((part.value_at(Fraction(7, 3)) for part in parts), Fraction(0)) == 1
    arena = found.arena_at_point(Fraction(7, 3))
    assert (arena.weight > 0).all()


def test_data_for_machines() -> None:
    found = solve_symbol(made(HOLD), "bend", "points")
    data = found.to_json()
    assert data["symbol"] == {"name": "bend", "low": "1", "high": "6"}
    assert data["ruleset"]["parameters"] == {"bonus": 3, "under": 1}
    assert [piece["low"]["exact"] for piece in data["pieces"]] == ["1", "8/3", "14/5", None, "24/7"]
    assert data["pieces"][3]["low"]["root_of"] == ["-8", "-12", "-6", "3"]
    assert data["pieces"][3]["low"]["decimal"].startswith("3.404828")
    last = data["pieces"][4]["values"][0]
    assert last["numerator"] == ["0", "0", "0", "0", "19"]
    assert last["denominator"] == ["16", "32", "24", "8", "1"]
    assert Algebraic.of(Fraction(8, 3)) == found.pieces[1].low
