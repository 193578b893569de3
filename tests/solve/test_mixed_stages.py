"""Games whose stages have mixed equilibria, made at random: what is asked and played afterwards holds to the mixtures."""

from __future__ import annotations

from functools import cache

import pytest

import oddsmith
from oddsmith.api.solved import SolvedGame
from oddsmith.api.staged import StagedGame
from oddsmith.cli.solve import _simulated_games
from tests.random.text import as_yaml
from tests.random.wheel import Data, wheel
from tests.solve.test_stages import meet
from tests.staged import by_stages

SEEDS = (8, 19, 63)  # of wheels that mix; of the first, one action hardly ever
MEASURES = {
    "Pushes": {"count": ["push", "Push 0"]},
    "First pushes after another": {"count": ["push", "Push 0"], "when": "left == 2", "given": ["push", "Push 1"]},
    "Another push": {"chance": ["push", "Push 1"], "in": "game", "seat": 2},
    "Length": {"spread": "turns"},
}


def in_stages(seed: int) -> Data:
    """A wheel that goes on after the first way out, and ends with the second."""
    data = wheel(seed)
    data["state"]["left"] = {"start": 2, "max": 2}
    for name in ("slow", "quick"):
        out = data["phases"][name]["outcomes"][0]
        out |= {"do": [out["do"], "add -1 to left"], "then": "pass"}
    return data | {"end_when": "left == 0", "measures": MEASURES}


@cache
def both(seed: int) -> tuple[SolvedGame, StagedGame]:
    book = oddsmith.loads(as_yaml(in_stages(seed)))
    return book.solve(alike=True), by_stages(book)


@pytest.mark.parametrize("seed", SEEDS)
def test_answers_are_those_of_the_whole_game(seed: int) -> None:
    whole, staged = both(seed)
    assert (whole.kind, staged.kind) == ("mixed", "mixed")
    assert staged.staged.mixed_count == len(whole.solution.mixtures)
    assert all(meet(one, two) for one, two in zip(staged.values, whole.values, strict=True))
    assert staged.measures.keys() == whole.measures.keys()
    assert staged.unanswered == whole.unanswered  # in one of them nobody takes the entry of the condition
    for name, answer in staged.measures.items():
        assert meet(answer, whole.measures[name]), name
        assert answer.upper - answer.lower < 1e-6, name
    law = staged.distribution("turns")
    assert law.mean is not None
    assert meet(law.mean, staged.mean_turns)


@pytest.mark.parametrize("seed", SEEDS)
def test_plays_draw_what_is_mixed(seed: int) -> None:
    """A mean is more than five standard errors off once in a million plays; the first of the mixed actions alone is far off."""
    staged = both(seed)[1]
    played = _simulated_games(staged, 2_000, 1)
    means = [*zip(played.payoffs_by_seat, staged.values, strict=True), (played.turns, staged.mean_turns)]
    for sample, value in means:
        assert abs(float(sample.mean - value.middle)) <= 5 * sample.standard_error


@pytest.mark.parametrize("seed", SEEDS)
def test_advice_has_the_chances(seed: int) -> None:
    whole, staged = both(seed)
    for number, mixture in whole.solution.mixtures.items():
        graph = whole.solution.graph
        chances = staged.mixture(graph.state(number))
        assert list(chances) == [graph.action_name(row) for row in mixture.rows]
        assert all(map(meet, chances.values(), mixture.row_probabilities.values()))
