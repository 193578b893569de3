"""Random games over the whole language are answered alike by everything that answers: see ``tests/random/compare.py``."""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from oddsmith.base.errors import RulesetError
from oddsmith.expr import variables_in
from oddsmith.graph import explore
from oddsmith.graph.explore import Explorer
from oddsmith.graph.reductions import reduce
from oddsmith.graph.reductions.carry import ConservedGroups, UnitPayoffs, carried_unit_payoffs
from oddsmith.report.policy.policy_table import policy_table
from oddsmith.ruleset.bundle import bundle
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.rules import State
from oddsmith.solve.arenas.arena import Arena
from oddsmith.solve.values import arena_solver as solver
from tests.random import compare
from tests.random.compare import Answer, answers, with_storm
from tests.random.coverage import ALL, features
from tests.random.grammar import ruleset
from tests.random.plain import Plain
from tests.random.shrink import shrunk
from tests.random.text import Data, as_yaml
from tests.runtime.lines import lines, told
from tests.runtime.positions import as_data
from tests.runtime.test_engine import answers as javascript

LONG, CHUNK = 5_000, 50
TRIES = 300  # of making a failing game smaller
POSITIONS = 60  # of random plays of each game in JavaScript

# Games that together make use of all that `coverage` names, some of each kind.
SLICE = (
    41, 45, 48, 58, 62, 75, 104, 107, 123, 144, 160, 166, 188, 203, 309, 323, 344, 352, 363, 373, 379, 380, 384, 400,
    405, 412, 418, 435, 474, 491, 496, 510, 534, 546, 593, 597, 615, 619, 622, 643, 665, 674, 684, 686, 689, 699, 732,
    734, 735, 766, 778, 792, 799, 800, 803, 821, 839, 853, 854, 856, 864, 869, 872, 897,
)  # fmt: skip


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes long and says little more about games so small."""
    monkeypatch.setattr(solver, "MAX_POLICIES", 16)


@cache
def answered(seed: int) -> list[Answer]:
    """The answers to a seed's game, once for all tests."""
    return answers(ruleset(seed))


def wrong(found: Sequence[Answer], folder: Path) -> list[str]:
    """Everything that differs, with what was asked."""
    said = []
    for one in found:
        asked = f"{one.objective}, variants {list(one.game.variants)}, policies {dict(one.named)}"
        said += [f"{asked}: {sentence}" for sentence in [*one.wrong, *with_storm(one, folder)]]
    return said


def told_small(seed: int, found: list[str]) -> str:
    """A failing game: its seed, what differs, and the smallest like it."""
    kinds = {sentence.partition(": ")[2][:30] for sentence in found}

    def fails(data: Data) -> bool:
        try:
            return any(sentence[:30] in kinds for one in answers(data) for sentence in one.wrong)
        except (RulesetError, KeyError, TypeError, AttributeError):
            return False

    data = shrunk(ruleset(seed), fails, TRIES)
    return "\n".join([f"seed {seed}:", *found, "made smaller:", as_yaml(data)])


@pytest.mark.parametrize("seed", SLICE)
def test_a_game_is_answered_alike(seed: int, tmp_path: Path) -> None:
    found = wrong(answered(seed), tmp_path)
    assert not found, told_small(seed, found)


def test_the_slice_makes_use_of_everything() -> None:
    met = set[str]().union(*(features(one) for seed in SLICE for one in answered(seed)))
    assert ALL - met == set()


def test_the_same_seed_is_the_same_game() -> None:
    assert as_yaml(ruleset(7)) == as_yaml(ruleset(7)) != as_yaml(ruleset(8))


# --- the second engine


def jobs(found: Sequence[Answer]) -> list[tuple[Answer, dict[str, Any]]]:
    """Plays of every game that was solved, and the tables of what is played."""
    made = []
    for one in found:
        if one.solution is None or one.named:
            continue
        head = {"bundle": bundle(one.game.ruleset), "seats": one.game.seats, "parameters": dict(one.game.parameters)}
        made.append((one, {**head, "job": "plays", "positions": POSITIONS, "seed": 20_261_122}))
        table = policy_table(one.solution)
        if table is not None and one.plain is not None:
            states = choices(one.plain)
            job = {"job": "policy", "policy": base64.b64encode(table).decode(), "values": None}
            made.append((one, {**head, **job, "states": [as_data(state) for state in states]}))
    return made


def choices(plain: Plain) -> list[State]:
    """The positions in which somebody chooses."""
    return [state for state in plain.positions if plain.rules.phase(state).kind == "choose"]


def in_javascript(found: Sequence[Answer]) -> list[str]:
    """What JavaScript plays otherwise."""
    made, said = jobs(found), []
    for (one, job), got in zip(made, javascript(*(job for _, job in made)), strict=True):
        if job["job"] == "plays":
            same = got == told(lines(one.game, POSITIONS, job["seed"]))
        else:
            assert one.plain is not None
            assert one.solution is not None
            graph, same = one.solution.graph, True
            for state, (best, *_) in zip(choices(one.plain), got["states"], strict=True):
                number = one.solution.state_index(state)
                assert number is not None
                row = one.solution.best_row(number, state.mover) - int(graph.state_rows[number])
                same &= best == row or len(graph.rows(number)) == 1
        if not same:
            said.append(f"JavaScript differs in {job['job']} of {one.game.ruleset.id} for {one.objective}")
    return said


def test_javascript_plays_the_same() -> None:
    assert in_javascript([one for seed in SLICE for one in answered(seed)]) == []


# --- does it find what is wrong?


def _counts_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is carried counts twice."""

    def twice(game: Game, objective: str, *_: object) -> UnitPayoffs:
        return {
            where: tuple(2 * times for times in each)
            for where, each in carried_unit_payoffs(game, objective, ConservedGroups.of(game)).items()
        }

    monkeypatch.setattr(reduce, "carried_unit_payoffs", twice)


def _forgets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is forgotten that no payoff reads."""

    def forgotten(game: Game, objective: str) -> dict[str, frozenset[int]]:
        paying = variables_in(game.ruleset.payoffs[objective].value)
        cells = frozenset(where for where, cell in enumerate(game.cells) if cell.variable.name not in paying)
        return dict.fromkeys(game.ruleset.phases, cells)

    monkeypatch.setattr(reduce, "forgotten_cells", forgotten)


def _confuses(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a seat gets is given to the next one."""
    monkeypatch.setattr(Explorer, "_payoffs_from_source_mover", lambda self, paid, by: (*paid[1:], paid[0]))


def _misjudges(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody plays to lose."""
    of = Arena.of
    monkeypatch.setattr(Arena, "of", lambda *graph: replace(of(*graph), objective_sign=-of(*graph).objective_sign))


@pytest.mark.parametrize("plant", [_counts_twice, _forgets, _confuses, _misjudges])
def test_a_planted_fault_is_found(plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch) -> None:
    """One that only the positions as they are give away: certificates, stages and the sample of every graph take no part."""
    monkeypatch.setattr(compare, "_certified", lambda found, solution: None)
    monkeypatch.setattr(compare, "_by_stages", lambda found, solution: None)
    monkeypatch.setattr(explore, "refuse_disagreement", lambda graph, has_all_actions: None)
    plant(monkeypatch)
    found = (one for seed in SLICE for one in answers(ruleset(seed)))
    assert any("is told" in sentence or "is worth" in sentence for one in found for sentence in one.wrong)


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, LONG, CHUNK))
def test_many_games_are_answered_alike(first: int, tmp_path: Path) -> None:
    failed, solved = [], []
    for seed in range(first, first + CHUNK):
        try:
            found = answers(ruleset(seed))
        except RulesetError:
            continue  # not every sentence of the grammar is a game
        solved += found
        said = wrong(found, tmp_path)
        if said:
            failed.append(told_small(seed, said))
    assert not failed, "\n".join(failed)
    assert in_javascript(solved) == []
