"""Certificates of games with secrets: both checkers take the honest ones and refuse the forged."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest

import oddsmith
from oddsmith.base.errors import CertificateError
from oddsmith.proof import derive_plans, values
from oddsmith.report.export.plans import plan_certificate
from oddsmith.ruleset.model.ruleset import Ruleset
from tests.certify.forger import forged
from tests.certify.test_second_checker import said
from tests.secrets.test_circles import RULES

GAMES = Path(__file__).with_name("games")
Records = list[dict[str, Any]]

ALONE = """
format: 1
id: guess
title: Guess
summary: One player guesses a die that nobody has seen, with one peek.
seats: 1
state:
  hidden: {max: 3}
  right: {type: flag}
payoffs:
  win: 1 if right else 0
turn: begin
phases:
  begin:
    cases:
      - {when: hidden == 0, then: roll}
      - {then: guess}
  roll:
    roll: {die: d3}
    seen_by: nobody
    do: [set hidden to die, reveal die == 3]
    then: again
  guess:
    choose:
      - name: Guess
        for: {number: "span(1, 3)"}
        do: set right to number == hidden
        then: end
"""
TOSSED = [("hand[mover] == hand[next]", 0, "toss"), ("hand[mover] == high", 1, "end"), ("true", -1, "end")]


@cache
def loaded(name: str) -> oddsmith.LoadedRuleset:
    """A game of this folder, or of a text above."""
    if name == "alone":
        return oddsmith.loads(ALONE)
    if name == "circle":
        listed = [{"when": when, "do": f"set gain to {gain}", "then": then} for when, gain, then in TOSSED]
        return oddsmith.loads(RULES.replace("OUTCOMES", json.dumps(listed)))
    return oddsmith.load(GAMES / f"{name}.yaml")


HONEST: dict[str, tuple[str, dict[str, Any], list[str]]] = {
    "kuhn": ("kuhn-poker", {}, ["-1/18", "1/18"]),
    "goofspiel": ("goofspiel", {"top": 3}, ["0", "0"]),
    "poker": ("stripped-down-poker", {}, ["1/3", "-1/3"]),
    "blotto": ("blotto", {}, ["14/9", "-14/9"]),
    "circle": ("circle", {}, ["0", "0"]),
    "alone": ("alone", {}, ["2/3"]),
}


@cache
def honest(name: str) -> bytes:
    """The certificate of a game."""
    game, parameters, _ = HONEST[name]
    return b"".join(plan_certificate(loaded(game).solve_secrets(**parameters)))


def rules(name: str) -> Ruleset:
    return loaded(HONEST[name][0]).ruleset


def changed(name: str, change: Callable[[Records], None]) -> bytes:
    """A certificate after a change, with a checksum that fits."""
    records = [json.loads(line) for line in honest(name).decode().splitlines()[:-1]]
    change(records)
    text = "".join(f"{json.dumps(record, separators=(',', ':'))}\n" for record in records).encode()
    return text + json.dumps({"sha256": sha256(text).hexdigest()}, separators=(",", ":")).encode() + b"\n"


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_certificate_holds(name: str, tmp_path: Path) -> None:
    proof = values.check_plans(honest(name))
    stated = HONEST[name][2]
    assert [[str(low), str(high)] for low, high in proof.values] == [[value, value] for value in stated]
    assert derive_plans(honest(name), rules(name)) > 0
    (second,) = said([honest(name)], tmp_path)
    assert not second["refused"], second["says"]
    assert second["proves"]["values"] == [[value, value] for value in stated]


def _worth(records: Records) -> None:
    """The value, a little higher at both ends."""
    for key in ("low", "high"):
        records[1][key] = str(Fraction(records[1][key]) + Fraction(1, 10**6))


def _lower(records: Records) -> None:
    records[1]["high"] = records[1]["low"] = "-1/2"


def _wide(records: Records) -> None:
    records[1]["low"] = "-1/4"


def _turned(records: Records) -> None:
    records[1]["low"], records[1]["high"] = "1/4", "1/2"
    records[1]["high"] = "1/8"


def _bluff(records: Records) -> None:
    """A plan that bluffs more often."""
    plan = records[1]["seats"][0]["plan"]
    place = next(place for place, weight in enumerate(plan) if weight not in ("0", "1"))
    plan[place], plan[place - 1] = plan[place - 1], plan[place]


def _loaded_plan(records: Records) -> None:
    records[1]["seats"][0]["plan"][0] = "2"


def _below(records: Records) -> None:
    plan = records[1]["seats"][0]["plan"]
    plan[1], plan[2] = "-1", "2"


def _end_lost(records: Records) -> None:
    del records[1]["leaves"][-1]


def _end_twice(records: Records) -> None:
    records[1]["leaves"].append(records[1]["leaves"][0])


def _likelier(records: Records) -> None:
    """Chance moved from an end to another."""
    one, other = records[1]["leaves"][0], records[1]["leaves"][-1]
    one[1] = str(Fraction(one[1]) / 2)
    other[1] = str(Fraction(other[1]) + Fraction(one[1]))


def _paid(records: Records) -> None:
    for leaf in records[1]["leaves"]:
        leaf[2] = "1"
    records[1]["low"] = records[1]["high"] = "1"


def _seen_through(records: Records) -> None:
    """Two information sets of the second seat joined to one, as if it had not seen its card."""
    seat = records[1]["seats"][1]
    assert seat["counts"][0] == seat["counts"][1]
    seat["before"][1] = 1


def _for_ever(records: Records) -> None:
    """A round that claims to be worth much because it is played again."""
    for record in records[1:]:
        record["low"] = record["high"] = "7"
        record["leaves"] = [[sequences, chance, 0] for sequences, chance, _ in record["leaves"]]


def _total(records: Records) -> None:
    records[0]["total"] = "1"


def _format(records: Records) -> None:
    """A format that Python takes for 1."""
    records[0]["plans"] = True


def _elsewhere(records: Records) -> None:
    """Another position under the first subgame."""
    records[1]["position"]["mover"] = 1


FORGED: list[tuple[str, str, Callable[[Records], None], str]] = [
    ("a value a little higher", "kuhn", _worth, "values"),
    ("a value far off", "kuhn", _lower, "values"),
    ("bounds too wide", "kuhn", _wide, "values"),
    ("bounds turned round", "kuhn", _turned, "values"),
    ("a bluff too often", "poker", _bluff, "values"),
    ("a plan that weighs double", "kuhn", _loaded_plan, "values"),
    ("a weight below nothing", "kuhn", _below, "values"),
    ("an end left out", "kuhn", _end_lost, "values"),
    ("an end told twice", "kuhn", _end_twice, "values"),
    ("an end that is likelier", "kuhn", _likelier, "values"),
    ("a round played for ever", "circle", _for_ever, "values"),
    ("another sum of the payoffs", "kuhn", _total, "rules"),
    ("other payoffs", "kuhn", _paid, "rules"),
    ("an information set that knows less", "kuhn", _seen_through, "either"),
    ("a format that is no number", "kuhn", _format, "values"),
    ("another position", "goofspiel", _elsewhere, "rules"),
]


@pytest.mark.parametrize(("name", "base", "change", "by"), FORGED, ids=[each[0] for each in FORGED])
def test_a_forged_certificate_is_refused(
    name: str, base: str, change: Callable[[Records], None], by: str, tmp_path: Path
) -> None:
    data = changed(base, change)
    assert data != changed(base, lambda _: None), name
    (second,) = said([data], tmp_path)
    try:
        values.check_plans(data)
    except values.Refused as no:
        assert by != "rules", no
        assert second["refused"], no
        return
    assert by != "values"
    assert not second["refused"], second["says"]
    with pytest.raises(CertificateError):
        derive_plans(data, rules(base))


def agreed(files: int, seed: str, folder: Path) -> tuple[int, int]:
    """How many files that were tampered with at random both checkers take, and how many both refuse."""
    tampered = [
        (name, forged(honest(name), Random(f"{name} {seed} {number}")))  # noqa: S311 - no secret
        for name in HONEST
        for number in range(files)
    ]
    refused = 0
    for (name, data), found in zip(tampered, said([data for _, data in tampered], folder), strict=True):
        try:
            assert "plans" in next(values.records(data), {})
            proof = values.check_plans(data)
        except (values.Refused, AssertionError) as no:
            assert found["refused"], f"{name}, {no}: {data[:300]!r}"
            refused += 1
            continue
        assert not found["refused"], f"{name}, {found['says']}: {data[:300]!r}"
        assert found["proves"]["values"] == [[str(low), str(high)] for low, high in proof.values]
        try:  # what the rules give as well is true
            derive_plans(data, rules(name))
        except CertificateError:
            continue
        assert [str(low) for low, _ in proof.values] == HONEST[name][2]
    return len(tampered) - refused, refused


def test_both_checkers_agree_on_forgeries_at_random(tmp_path: Path) -> None:
    assert min(agreed(40, "plans", tmp_path)) > 0


@pytest.mark.long
def test_both_checkers_agree_on_thousands_of_forgeries(tmp_path: Path) -> None:
    assert min(agreed(1_000, "plans, long", tmp_path)) > 0


def test_other_rules_are_refused() -> None:
    other = loaded("kuhn-poker").ruleset
    with pytest.raises(CertificateError, match="other rules"):
        derive_plans(honest("goofspiel"), other)
