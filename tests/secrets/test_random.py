"""Random games with secrets: the engine's value is that of a plain solver, and both refuse the same games."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from oddsmith.base.errors import PlayError
from oddsmith.base.location import Source
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.reading.build import read_ruleset
from oddsmith.solve.extensive import solve_secrets
from tests.reader.agree import differences
from tests.reader.play import Reader
from tests.secrets.plain import Torn, value
from tests.secrets.random_games import random_game

NEAR = 1e-7
PART = 20


def compared(seed: int) -> str:
    """What kind of game a seed gives, once the engine and the plain solver said the same of it."""
    data = random_game(seed)
    game = bind(read_ruleset(Source(f"random-{seed}.yaml", json.dumps(data)))[0])
    assert differences(data, game, 40) == []
    try:
        plain = value(Reader(data, 2, {}), "win")
    except Torn:
        with pytest.raises(PlayError, match="cannot tell these apart"):
            solve_secrets(game, "win")
        return "refused"
    found = solve_secrets(game, "win")
    first, second = found.values
    assert float(first.lower) - NEAR <= plain <= float(first.upper) + NEAR
    assert (first + second).exact == 0
    assert found.grade == "exact"
    return "several subgames" if len(found.subgames) > 1 else "one subgame"


@pytest.mark.parametrize(
    "words",
    [
        "'draw'",
        "'choose_together'",
        "hand % 2",
        "second % 2",
        "'seen_by': 'nobody'",
        "reveal hand",
        "drop out",
        "hand > 1",
    ],
)
def test_random_games_have_secrets_of_all_kinds(words: str) -> None:
    assert sum(words in str(random_game(seed)) for seed in range(PART * 5)) > 1


@pytest.mark.parametrize("part", range(5))
def test_a_plain_solver_finds_the_same(part: int) -> None:
    kinds = Counter(compared(seed) for seed in range(part * PART, (part + 1) * PART))
    assert kinds["several subgames"] > 5


@pytest.mark.long
@pytest.mark.parametrize("part", range(5, 105))
def test_a_plain_solver_finds_the_same_in_two_thousand_games(part: int) -> None:
    for seed in range(part * PART, (part + 1) * PART):
        compared(seed)
