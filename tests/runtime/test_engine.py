"""The JavaScript engine against the Python one: expressions, laws of rolls, and plays state for state."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import oddsmith
from oddsmith.base.errors import RulesetError, SettingError
from oddsmith.expr.tree import SEAT
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.bundle import bundle
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.model import Setting
from oddsmith.ruleset.model.ruleset import Ruleset
from oddsmith.ruleset.reading.build import load_ruleset
from tests import node
from tests.cases import names, ruleset
from tests.expressions import local_of, tree_of
from tests.graph.test_walking import LOST
from tests.runtime.lines import lines, told
from tests.vectors.write import HERE as VECTORS
from tests.vectors.write import ground

ROOT = Path(__file__).resolve().parents[2]
SEED = 20_261_121


def answers(*jobs: dict[str, Any]) -> list[Any]:
    """What the JavaScript engine answers to jobs (tests/runtime/job.mjs)."""
    return node.answers(Path(__file__).with_name("job.mjs"), *jobs, timeout=900)


# --- shared vectors


def test_expressions_have_the_written_values() -> None:
    data = json.loads((VECTORS / "expressions.json").read_text("utf-8"))
    rows = [row for row in data["expressions"] if "tree" in row]
    assert len(rows) > 150
    game = ground()

    def job(row: dict[str, Any]) -> dict[str, Any]:
        moment = data["moments"][row["at"]]
        kind = tree_of(row["text"], game, local_of(moment), exact=bool(moment.get("exact"))).type
        return {"tree": row["tree"], "moment": moment, "seat": SEAT in (kind, kind.item)}

    jobs = [job(row) for row in rows]
    (found,) = answers({"job": "expressions", "bundle": bundle(game.ruleset), "seats": game.seats, "rows": jobs})
    wanted = [{"error": row["error"]} if "error" in row else row["value"] for row in rows]
    assert [
        f"{row['at']}: {row['text']}: {got} instead of {want}"
        for row, got, want in zip(rows, found, wanted, strict=True)
        if json.dumps(got) != json.dumps(want)
    ] == []


def test_rolls_have_the_written_laws() -> None:
    laws = json.loads((VECTORS / "dice.json").read_text("utf-8"))["laws"]
    (found,) = answers({"job": "laws", "laws": laws})
    for got, law in zip(found, laws, strict=True):
        assert got["denominator"] == law["denominator"]
        assert sorted(got["hands"]) == sorted(law["hands"]), law["roll"]


# --- what cannot be laid out

LIMITS: list[dict[str, int]] = [
    {}, {"long": 10_000}, {"long": 10_001}, {"square": 100}, {"square": 101}, {"wide": 70}, {"wide": 71}, {"cells": 4000},
    {"cells": 5000}, {"faces": 0}, {"faces": 2}, {"faces": 4}, {"sides": 0}, {"weight": 0}, {"weight": -1}, {"weight": -3},
    {"weight": 0, "common": 0}, {"least": 5}, {"least": 6}, {"begin": -3}, {"begin": -4}, {"begin": 6}, {"gift": 1},
    {"held": 0}, {"held": -1}, {"spare": 4}, {"spare": 5}, {"spare": 5, "least": 6}, {"spare": 10},
]  # fmt: skip


def code(rules: Ruleset, values: dict[str, int]) -> str:
    """The code of what is wrong with a game at some values; `setting` where the rules do not have them."""
    try:
        bind(rules, Setting(values=values))
    except SettingError:
        return "setting"
    except RulesetError as error:
        return error.problems[0].code
    return ""


def test_both_engines_refuse_the_same_sizes() -> None:
    rules = load_ruleset(Path(__file__).with_name("limits.yaml"))[0]
    (found,) = answers({"job": "games", "bundle": bundle(rules), "settings": LIMITS})
    assert found == [code(rules, values) for values in LIMITS]
    assert set(found) == {
        "",
        "setting",
        "OD356",
        "OD416",
        "OD421",
        "OD422",
        "OD423",
        "OD424",
        "OD425",
        "OD426",
        "OD427",
    }


def test_a_gigantic_board_is_refused_before_it_is_built() -> None:
    rules = load_ruleset(Path(__file__).with_name("limits.yaml"))[0]
    settings = [{"wide": 9000}, {"square": 9000}]  # 81 million cells or items, which no memory holds
    assert answers({"job": "games", "bundle": bundle(rules), "settings": settings}) == [["OD424", "OD421"]]
    assert code(rules, settings[0]) == "OD424"


# --- seeded plays


def games(rules: Ruleset) -> list[Game]:
    """A game as it opens, with every number of players, and in each of its variants."""
    low, high, _ = rules.seats
    return [
        *(bind(rules, Setting(seats)) for seats in range(low, high + 1)),
        *(bind(rules, Setting(variants=(variant,))) for variant in rules.variants),
    ]


def compare(rules: Ruleset, positions: int) -> None:
    found = games(rules)
    each = -(-positions // len(found))
    jobs: list[dict[str, Any]] = [
        {
            "job": "plays",
            "bundle": bundle(game.ruleset),
            "seats": game.seats,
            "parameters": dict(game.parameters),
            "positions": each,
            "seed": SEED + number,
        }
        for number, game in enumerate(found)
    ]
    for job, game, got in zip(jobs, found, answers(*jobs), strict=True):
        wanted = told(lines(game, each, job["seed"]))
        if got != wanted:
            pytest.fail(difference(job, game, got, wanted))


def difference(job: dict[str, Any], game: Game, got: list[str], wanted: list[str]) -> str:
    """The first line that differs, with its like."""
    block = next(k for k, pair in enumerate(zip(got, wanted, strict=False)) if pair[0] != pair[1])
    cut = slice(block * 1000, block * 1000 + 1000)
    (theirs,) = answers({**job, "show": [cut.start, cut.stop]})
    ours: Iterator[str] = islice(lines(game, job["positions"], job["seed"]), cut.start, cut.stop)
    for number, (one, other) in enumerate(zip(ours, theirs, strict=False), cut.start):
        if one != other:
            return f"line {number} of {game.ruleset.id} for {game.seats}\nPython:     {one}\nJavaScript: {other}"
    return "one engine stops before the other"


@pytest.mark.parametrize("name", names())
def test_plays_are_the_same(name: str) -> None:
    compare(ruleset(name), 2_500)


def test_names_that_every_object_has_are_names_like_any_other() -> None:
    """``constructor`` as a variable, ``__proto__`` as an option: nothing is found in, or written to, a prototype."""
    compare(load_ruleset(Path(__file__).with_name("prototypes.yaml"))[0], 2_000)


@pytest.mark.long
@pytest.mark.parametrize("name", names())
def test_long_plays_are_the_same(name: str) -> None:
    compare(ruleset(name), 100_000)


def test_cases_that_pass_for_ever_break_alike() -> None:
    """Once all are stuck, the turn goes round and nobody rolls: both engines stop there, with the same code."""
    stuck = LOST.replace("BODY", "    cases:").replace("LATER", "      - {name: Free, then: walk}")
    rules = oddsmith.loads(stuck.replace("        do: set stuck to false\n", "")).ruleset
    assert "broken: OD428" in list(lines(bind(rules, Setting(3)), 500, SEED))
    compare(rules, 1_500)
