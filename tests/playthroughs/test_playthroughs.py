"""Golden plays, one for every sample and every shipped ruleset, replayed line by line.

A new ruleset needs one: ``python -m tests.playthroughs.write`` writes what is missing (``--all`` writes every one anew; look
at the difference before you keep it). The module says what the lines mean.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.rules import Rules, State, Step
from tests.cases import names, ruleset
from tests.playthroughs.write import HERE, end_line, game_line, play, position_line, step_line

WRITE = "run: python -m tests.playthroughs.write"


def follow(game: Game, rules: Rules, state: State, line: str) -> Step:
    """The step that a line tells of."""
    if rules.phase(state).kind == "roll":
        for _, thrown in rules.weighted_chance_results(state)[0]:
            step = rules.resolve(state, thrown)
            if step_line(game, thrown, None, step.events) == line:
                return step
    else:
        for action in rules.actions(state):
            step = rules.choose(state, action)
            if step_line(game, None, action, step.events) == line:
                return step
    raise AssertionError(f"the rules know no such step: {line}")


def replay(game: Game, lines: Iterator[str]) -> None:
    rules = Rules(game)
    state = rules.start()
    for line in lines:
        assert line == position_line(game, state)
        step = next(lines)
        if step == "stop":
            return
        if step.startswith("end: "):
            assert step == end_line({name: rules.payoffs(state, name) for name in game.ruleset.payoffs})
            return
        done = follow(game, rules, state, step)
        if done.turn_over:
            assert next(lines) == "turn over"
        state = done.state
    raise AssertionError("the play just breaks off")


def test_no_ruleset_is_missing() -> None:
    assert {path.stem for path in HERE.glob("*.txt")} == set(names()), WRITE


@pytest.mark.parametrize("name", names())
def test_a_golden_play_replays(name: str) -> None:
    game = bind(ruleset(name))
    lines = (HERE / f"{name}.txt").read_text("utf-8").splitlines()
    assert lines[0] == game_line(game), WRITE
    left = iter(lines[1:])
    replay(game, left)
    assert list(left) == []


@pytest.mark.parametrize("name", names())
def test_the_seed_gives_the_golden_play(name: str) -> None:
    """Fixed seed, fixed order of outcomes and options: the same play, line by line."""
    assert "\n".join(play(bind(ruleset(name)))) + "\n" == (HERE / f"{name}.txt").read_text("utf-8"), WRITE
