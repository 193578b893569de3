"""What a key leaves out changes no value: forgetting, symmetry, conserved sums."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from oddsmith.base.errors import MeasureError
from oddsmith.base.location import Source
from oddsmith.graph.estimate import estimate_size
from oddsmith.graph.explore import Explorer
from oddsmith.graph.reductions.reduce import ReductionOptions
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.model import Setting
from oddsmith.ruleset.reading.build import load_ruleset, read_ruleset
from oddsmith.solve.arenas.arena import Arena
from oddsmith.solve.game_solver import solve
from oddsmith.solve.questions.distribution import distribution
from oddsmith.solve.values.arena_solver import ArenaSolver
from tests.cases import Case, asked, explored, explorer, solved
from tests.laws.test_solving import values_are_unique
from tests.laws.test_transitions import some_states

BURGLAR = Path(__file__).resolve().parents[1] / "bench" / "games" / "burglar.yaml"
PIG = Path(__file__).resolve().parents[1] / "samples" / "pig.yaml"
MOST = 10_000  # states; of a larger graph a sample is looked at
GAMES = asked(lambda case, objective: case.name != "ship-captain-crew")


@pytest.mark.parametrize(("case", "objective"), GAMES)
def test_reduced_and_whole_graphs_have_the_same_values(case: Case, objective: str) -> None:
    reduced, whole = explored(case, objective), explored(case, objective, reduced=False)
    assert reduced.state_count <= whole.state_count
    if reduced.state_count < whole.state_count <= 3_000 and values_are_unique(reduced):
        alone = ArenaSolver(Arena.of(whole), unique_values=True).solve()
        assert tuple(number.exact for number in solved(case, objective).values) == alone.exact.state_value(0)


@pytest.mark.parametrize(("case", "objective"), GAMES)
def test_every_whole_state_has_one_that_stands_for_it(case: Case, objective: str) -> None:
    reduced, whole = explored(case, objective), explored(case, objective, reduced=False)
    found = {reduced.index_of(whole.state(state)) for state in some_states(whole.state_count, MOST)}
    assert found <= set(range(reduced.state_count))
    assert len(found) == reduced.state_count or whole.state_count > MOST


@pytest.mark.parametrize(("seats", "tokens"), [(2, 3), (3, 2)])
def test_mirrored_coffers_are_found(seats: int, tokens: int) -> None:
    """3 and 11 come up equally often, and so on: four pairs, and nothing else."""
    game = bind(load_ruleset(BURGLAR)[0], Setting(seats, values={"tokens_each": tokens}))
    apart, together = (Explorer(game, "win", sharing=ReductionOptions(symmetry=on)) for on in (False, True))
    assert apart.codec.reduction.orbits == ()
    pairs = [
        {game.cells[where].name for member in orbit for where in member} for orbit in together.codec.reduction.orbits
    ]
    assert pairs == [{f"coffer[{k}]", f"coffer[{14 - k}]"} for k in (3, 4, 5, 6)]
    assert together.explore()[0].state_count < apart.explore()[0].state_count
    assert (
        solve(game, "win").with_fractions().values
        == solve(game, "win", merge_symmetric_states=False).with_fractions().values
    )


def test_members_that_a_rule_or_a_policy_names_are_not_alike() -> None:
    text = BURGLAR.read_text("utf-8")
    game = bind(
        read_ruleset(
            Source("b.yaml", text.replace("when: sum(hand) == 12", "when: sum(hand) == 12 and coffer[3] == 0"))
        )[0]
    )
    names = {
        game.cells[w].name for orbit in Explorer(game, "win").codec.reduction.orbits for member in orbit for w in member
    }
    assert "coffer[4]" in names
    assert "coffer[3]" not in names


def test_what_a_conserved_sum_gives_is_not_in_the_key() -> None:
    how = Explorer(bind(load_ruleset(BURGLAR)[0], Setting(2, values={"tokens_each": 2})), "win")
    assert [how.game.cells[one.cell].name for one in how.codec.reduction.implied_cells] == ["hoard"]
    graph = how.explore()[0]
    cells = graph.codec.decode(graph.keys)[0]
    assert (cells.sum(axis=0) == 4).all()


@pytest.mark.parametrize(("case", "objective"), GAMES)
def test_the_estimate_is_a_bound(case: Case, objective: str) -> None:
    how = explorer(case, objective)
    size = how.estimate
    assert size.upper_bound >= explored(case, objective).state_count
    assert size.worst in size.value_counts or size.upper_bound <= len(how.codec.phases)
    assert estimate_size(how.codec) == size


def test_what_a_named_policy_looks_at_is_state() -> None:
    """Purses that no rule reads are carried; a policy that looks at them needs them."""
    text = (PIG.parents[2] / "rulesets" / "rogues-gambit.yaml").read_text("utf-8")
    rich = "policies:\n  rich:\n    decide:\n      - {option: Thief's Escape, when: purse > 5}\n"
    game = bind(
        read_ruleset(Source("r.yaml", text.replace("policies:\n", rich, 1)))[0], Setting(2, values={"coins_each": 5})
    )
    assert Explorer(game, "coins").carried == []


def test_what_a_carried_variable_starts_with_counts() -> None:
    text = PIG.read_text("utf-8")
    later = bind(
        read_ruleset(
            Source("p.yaml", text.replace("{type: tally, each: seat,", "{type: tally, each: seat, start: 5,"))
        )[0],
        Setting(1),
    )
    plain = bind(load_ruleset(PIG)[0], Setting(1))
    (more,), (less,) = solve(later, "haste").values, solve(plain, "haste").values
    assert more.lower - less.lower == 5


def test_the_seat_that_moves_first_may_be_another() -> None:
    """A turn that begins with a sorting phase may pass before anybody throws: values are still told by seat."""
    begin = (
        "phases:\n  begin:\n    cases:\n      - name: Skipped\n        when: not begun\n"
        "        do: set begun to true\n        then: pass\n      - {name: On, then: throw}\n"
    )
    begun = "state:\n  begun: {type: flag, about: The first player was skipped.}\n"
    text = PIG.read_text("utf-8").replace("turn: throw\n", "turn: begin\n")
    text = text.replace("phases:\n", begin, 1).replace("state:\n", begun, 1)
    game = bind(
        read_ruleset(Source("p.yaml", text[: text.index("measures:")] + text[text.index("policies:") :]))[0], Setting(2)
    )
    first, second = solve(bind(load_ruleset(PIG)[0], Setting(2)), "win").values
    assert solve(game, "win").values == (second, first)
    assert np.array_equal(Explorer(game, "win").explore()[0].parent[:1], [-1])
    with pytest.raises(MeasureError, match="turns pass before anybody rolls or chooses"):
        distribution(solve(game, "win"), "payoff")
