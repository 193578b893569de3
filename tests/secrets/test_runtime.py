"""What happens in games with secrets, and what every seat sees of it, is the same in the engine of pages of play."""

from __future__ import annotations

import base64
import gzip
import json
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

from oddsmith.base.errors import SolveError
from oddsmith.base.location import Source
from oddsmith.report.policy.plan_table import PLACES, distinct_position_text, observation_text, plan_table
from oddsmith.ruleset import Action, Game, ObservedPosition, Observer, bind, bundle
from oddsmith.ruleset.model import Setting
from oddsmith.ruleset.model.phases import SimultaneousPhase
from oddsmith.ruleset.reading.build import load_ruleset, read_ruleset
from oddsmith.ruleset.transcript import value_data
from oddsmith.solve.extensive import SecretSolution, UnfinishedPlay, solve_secrets
from tests import node
from tests.cases import ruleset
from tests.runtime.lines import Random32
from tests.secrets.random_games import random_game
from tests.secrets.walking import walked

GAMES = sorted(Path(__file__).with_name("games").glob("*.yaml"))
SHIPPED = ("mia", "liars-dice", "cups-and-coins", "blind-auction", "two-lanterns")
SEEDS = range(6)


def answers(*jobs: dict[str, Any]) -> list[Any]:
    """What the JavaScript engine answers (job.mjs)."""
    return node.answers(Path(__file__).with_name("job.mjs"), *jobs, timeout=900)


def job(game: Game, seed: int) -> dict[str, Any]:
    """A random play to be followed."""
    return {"job": "played", **setting(game), "seed": seed}


def setting(game: Game) -> dict[str, Any]:
    """A game as a job has it."""
    return {"bundle": bundle(game.ruleset), "seats": game.seats, "parameters": dict(game.parameters)}


def played(game: Game, seed: int) -> tuple[list[str], list[list[int]]]:
    """What could happen at each position of a random play, and in how many positions each seat may be after each move."""
    observer, random = Observer(game), Random32(seed)
    situation = observer.start()
    beliefs = [{situation} for _ in range(game.seats)]
    lines, sizes = [distinct_position_text(situation)], list[list[int]]()
    while situation.state.phase and len(lines) < 60:
        told = sorted((_texts(each), each) for each in observer.possible_moves(situation).moves)
        lines.append("\n".join(" # ".join(texts) for texts, _ in told))
        event = told[random.below(len(told))][1]
        for seat, believed in enumerate(beliefs):
            reached = (each for one in believed for each in observer.possible_moves(one).moves)
            beliefs[seat] = {each.successor for each in reached if each.observations[seat] == event.observations[seat]}
        sizes.append(list(map(len, beliefs)))
        situation = event.successor
    return lines, sizes


def _texts(event: Any) -> list[str]:
    return [
        *map(observation_text, event.observations),
        observation_text(event.shared_observations),
        distinct_position_text(event.successor),
    ]


def agree(games: list[Game], seeds: range) -> None:
    """Both engines say the same of random plays of games."""
    plays = [(game, seed) for game in games for seed in seeds]
    found = answers(*(job(game, seed) for game, seed in plays))
    for (game, seed), got in zip(plays, found, strict=True):
        lines, sizes = played(game, seed)
        assert got["lines"] == lines, (game.ruleset.id, seed)
        assert got["sizes"] == sizes
        assert got["held"]


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_games(name: str) -> None:
    agree([bind(ruleset(name))], SEEDS)


def test_games_of_the_tests() -> None:
    agree([bind(load_ruleset(path)[0]) for path in GAMES], SEEDS)


def play_of_anything(solution: SecretSolution, seed: int) -> tuple[list[dict[str, Any]], list[Any]]:
    """A play in which seats choose anything, as a log, and what best play says at each choice."""
    game, random = solution.game, Random(seed)  # noqa: S311 - seeded games, not secrets
    observer = Observer(game)
    situation = observer.start()
    course, log, said = UnfinishedPlay(solution, situation), list[dict[str, Any]](), list[Any]()
    while (moves := observer.possible_moves(situation)).moves:
        event = random.choice(moves.moves)
        label: Any = event.label
        if moves.seat is None:
            values = [[name, value_data(game, value)] for name, value in random.choice(label)]
            log.append({"seat": situation.state.mover + 1, "throw": values})
        else:
            if len(moves.moves) > 1:
                said.append(course.decision(moves.seat))
            log.append({"seat": moves.seat + 1, **_chosen(game, situation, label)})
        course, situation = course.after_move(event), event.successor
    return log, said


def _chosen(game: Game, situation: ObservedPosition, label: Any) -> dict[str, Any]:
    if isinstance(label, Action):
        return {"choose": label.name, "with": {name: value_data(game, value) for name, value in label.binding}}
    phase = game.ruleset.phases[situation.state.phase]
    assert isinstance(phase, SimultaneousPhase)
    return {"choose": phase.choice_name, "with": {phase.choice_name: value_data(game, label)}}


SMALLER = {"liars-dice": {"sides": 3}, "blind-auction": {"coins": 3, "treasures": 2}}


@pytest.mark.parametrize("name", SHIPPED)
def test_best_play_is_found_by_what_a_seat_has_seen(name: str) -> None:
    game = bind(ruleset(name), Setting(2, values=SMALLER.get(name) or {}))
    solution = solve_secrets(game, "coins" if name == "cups-and-coins" else "win")
    table = plan_table(solution, [])
    assert table is not None
    plays = [play_of_anything(solution, seed) for seed in range(8)]
    plan = {"job": "advised", "plan": base64.b64encode(table).decode(), **setting(solution.game)}
    for (_, said), found in zip(plays, answers(*({**plan, "log": log} for log, _ in plays)), strict=True):
        assert len(found) == len(said)
        for decision, (chances, worth) in zip(said, found, strict=True):
            brings = (
                None
                if decision.action_values is None
                else [round(each * 10**PLACES) for each in decision.action_values.values()]
            )
            assert worth == brings
            if chances is not None:
                total = sum(map(int, chances))
                assert [Fraction(int(each), total) for each in chances] == list(decision.action_probabilities.values())
    assert any(said for _, said in plays)


def test_a_draw_has_its_exact_chances() -> None:
    weights = [[1, 2], [0, 3, 0, 4], [5, 1, 1, 1]]
    jobs = [{"job": "lots", "weights": each} for each in weights]
    assert answers(*jobs) == weights  # every number from 0 to below the sum leads to its place


def test_long_weights_are_drawn_as_often_as_they_say() -> None:
    weights = [2**80, 3 * 2**80, 2**80 + 1, 0]
    (found,) = answers({"job": "drawnOften", "weights": list(map(str, weights)), "seed": 5, "times": 4000})
    counts = [found.count(place) for place in range(4)]
    assert counts[3] == 0
    assert [abs(count - 800 * share) < 120 for count, share in zip(counts, (1, 3, 1), strict=False)] == [True] * 3


def test_no_decision_has_the_key_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oddsmith.report.policy.plan_table.decision_key", lambda *_: "one key for all")
    with pytest.raises(SolveError, match="the same key"):
        plan_table(solve_secrets(bind(ruleset("cups-and-coins")), "coins"), [])


def test_a_trainer_asks_for_bluffs_and_for_plain_decisions_in_turn() -> None:
    solution = solve_secrets(bind(ruleset("cups-and-coins")), "coins")
    decisions = list(solution.decisions())
    table = plan_table(solution, decisions)
    assert table is not None
    asked = json.loads(gzip.decompress(table))["asked"]
    assert [isinstance(each["chances"], list) for each in asked[:4]] == [True, False, True, False]
    by_words = {(*each.known_facts, each.phase): each for each in decisions}
    labels = {phase.label: name for name, phase in solution.game.ruleset.phases.items()}
    for each in asked:
        decision = by_words[*each["known"], labels[each["label"]]]
        assert decision.action_values is not None
        assert each["worth"] == [round(worth * 10**PLACES) for worth in decision.action_values.values()]
        assert decision.expected_visits > 0


def test_mixtures_are_worth_what_a_walk_through_all_plays_says() -> None:
    solution = solve_secrets(bind(ruleset("two-lanterns"), Setting(2, values={"oil": 2})), "win")
    for seat in range(2):
        assert solution.value_of_trembling(seat, Fraction(1)) == solution.values[seat].exact
        for best_chance in (Fraction(0), Fraction(1, 2)):

            def chances(
                planned: list[Fraction], _: UnfinishedPlay, best_chance: Fraction = best_chance
            ) -> list[Fraction]:
                return [best_chance * each + (1 - best_chance) / len(planned) for each in planned]

            assert solution.value_of_trembling(seat, best_chance) == walked(solution, seat, chances)


def test_random_games() -> None:
    data = [random_game(seed) for seed in range(150)]
    agree([bind(read_ruleset(Source(f"{each['id']}.yaml", json.dumps(each)))[0]) for each in data], range(2))
