"""The walk by the one-state rules comes where exploring comes, and tells what breaks there alike."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from oddsmith.graph.explore import Explorer
from oddsmith.graph.first_positions import PART, WalkProgress, walk_first_positions
from oddsmith.graph.stategraph import refuse_endless
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.reading.build import load
from tests.ruleset.finding import SAMPLES

FEW = 1_500  # positions of a game that is walked to the end


def looked(game: Game, **limits: int) -> list[WalkProgress]:
    return list(walk_first_positions(game, next(iter(game.ruleset.payoffs)), **limits))


OPEN = [path for path in SAMPLES if not load(path)[0].has_secrets]


@pytest.mark.parametrize("path", OPEN, ids=lambda path: path.stem)
def test_a_walk_is_whole_where_exploring_is(path: Path) -> None:
    """Exploring folds some rolls into the choice before them, and puts members in order, so it may count fewer."""
    game = bind(load(path)[0])
    graph, whole = Explorer(game, next(iter(game.ruleset.payoffs))).explore(limit=FEW)
    far = looked(game, positions=FEW, moves=20_000)
    assert all(before.positions <= after.positions for before, after in pairwise(far))
    assert not any(each.complete for each in far[:-1])
    if far[-1].complete:
        assert whole
        assert graph.states <= far[-1].positions
        refuse_endless(graph)
    elif whole:
        assert graph.states < far[-1].positions or len(far) > 20_000 // PART
