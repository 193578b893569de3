"""The hash names the rules: however they are written it is the same, and any other rule gives another."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from oddsmith.base.location import Source
from oddsmith.ruleset.bundle import bundle, canonical_bytes, sha256
from oddsmith.ruleset.reading.build import load_ruleset, read_ruleset
from oddsmith.ruleset.reading.source import parse_source
from tests.ruleset.finding import ROOT, SAMPLES, laid_over

WHOLE = (ROOT / "rulesets" / "rogues-gambit.yaml").read_text(encoding="utf-8")
TEXT = WHOLE[: WHOLE.index("cheats:\n")] + WHOLE[WHOLE.index("remember:\n") :]


def hash_of(text: str) -> str:
    return sha256(read_ruleset(Source("game.yaml", text))[0])


def reordered(data: Any, path: tuple[str, ...] = ()) -> Any:
    """The keys of every map the other way round, where their order means nothing."""
    if isinstance(data, dict):
        ordered = path in (("state",), ("payoffs",), ("dice",)) or path[-1:] in (("for",), ("roll",), ("draw",))
        ordered = ordered or {"roll", "draw"} <= set(data)  # thrown in written order
        keys = list(data) if ordered else list(reversed(data))
        return {key: reordered(data[key], (*path, str(key))) for key in keys}
    return [reordered(item, (*path, "")) for item in data] if isinstance(data, list) else data


def as_json(data: Any) -> str:
    """Data in one line. Keys that are numbers lose their quotes again."""
    return re.sub(r'"(-?[0-9]+)": ', r"\1: ", json.dumps(data, default=float))


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_the_same_rules_have_the_same_hash(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    data = parse_source(Source("game.yaml", text)).data()
    lines = text.rstrip("\n").split("\n")
    same = [
        "".join(f"{line}   # a note\n" for line in lines),
        as_json(data),
        as_json(reordered(data)),
        as_json({**data, "prose": "Other words."}),
        as_json({key: value for key, value in data.items() if key not in ("claims", "measures", "remember", "source")}),
    ]
    assert {hash_of(other) for other in same} == {sha256(load_ruleset(path)[0])}


EDITS = [
    ("default: 25", "default: 24"),
    ("min: 1, max: 60", "min: 2, max: 60"),
    ("default: literal", "default: hungry"),
    ("[literal, first_roll, pocketed, hungry]", "[literal, hungry, first_roll, pocketed]"),
    ("{full_belly: pocketed}", "{full_belly: hungry}"),
    ("max: 6, default: 4", "max: 5, default: 4"),
    ("max: 6, default: 4", "max: 6, default: 3"),
    ("start: coins_each * seats", "start: coins_each * seats - 1"),
    ("    resets: turn\n", ""),
    ("purse: {each: seat, max: coins_each * seats", "purse: {each: seat, max: coins_each * seats + 1"),
    ("coins: purse", "coins: 2 * purse"),
    ("coins: purse", "coins: {value: purse, goal: min}"),
    ("roll: {hand: 3d6}", "roll: {hand: 2d6}"),
    ("roll: {hand: 3d6}", "roll: {hand: 3d8}"),
    ("name: Skipped", "name: Skippd"),
    ("1 in hand and fed", "2 in hand and fed"),
    ("1 in hand and fed", "fed and 1 in hand"),
    ("- set fed to true", "- set fed to false"),
    ("do: drop out", "do: set fed to true"),
    ("then: end", "then: pass"),
    ("then: decide", "then: throw"),
    ("move hoard to purse", "move 1 from hoard to purse"),
    ("move hoard to purse", "move hoard to purse[next]"),
    ("move sum(hand) from hoard to stash", "move sum(hand) from supply to stash"),
    ("when: hoard > 0", "when: hoard > 1"),
    ("hoard == 0 and stash == 0", "hoard == 0"),
    ("id: rogues-gambit", "id: rogue"),
    ("else: move stash to hoard", "else: set stash to 0"),
]


def test_any_other_rule_has_another_hash() -> None:
    hashes = [hash_of(TEXT)]
    for before, after in EDITS:
        assert before in TEXT
        hashes.append(hash_of(TEXT.replace(before, after, 1)))
    assert len(set(hashes)) == len(EDITS) + 1


def test_swapped_outcomes_are_other_rules() -> None:
    data = parse_source(Source("game.yaml", TEXT)).data()
    outcomes = data["phases"]["throw"]["outcomes"]
    outcomes[2], outcomes[3] = outcomes[3], outcomes[2]
    assert hash_of(as_json(data)) != hash_of(TEXT)


def test_keys_that_are_numbers_stay_numbers() -> None:
    text = "constants:\n  worth: {7: 1, red: 2}\n".replace("7", "seven")
    other = "constants:\n  fear: {1: 0, 12: 2, 2: 1}\n"
    assert bundle(read_ruleset(Source("game.yaml", laid_over(text)))[0])["maps"]["worth"] == [["red", 2], ["seven", 1]]
    assert bundle(read_ruleset(Source("game.yaml", laid_over(other)))[0])["maps"]["fear"] == [[1, 0], [2, 1], [12, 2]]


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_bundle_is_plain_json(path: Path) -> None:
    data = bundle(load_ruleset(path)[0])
    raw = canonical_bytes(data)
    assert canonical_bytes(json.loads(raw)) == raw
    assert b" " not in raw.replace(json.dumps(data["title"]).encode(), b"") or b'": ' not in raw


def test_canonical_bytes() -> None:
    assert canonical_bytes({"b": [1, True, None], "a": "é"}) == '{"a":"é","b":[1,true,null]}'.encode()
    with pytest.raises(TypeError, match="whole number"):
        canonical_bytes({"a": [0.5]})


def test_the_order_of_seats_is_another_operator_than_that_of_numbers() -> None:
    option = "{name: A, for: {a: table, b: table}, when: a < b and pot < 3, then: end}"
    text = f"phases:\n  throw:\n    choose:\n      - {option}\n"
    entry = bundle(read_ruleset(Source("game.yaml", laid_over(text)))[0])["phases"]["throw"]["entries"][0]
    assert entry["when"] == ["and", ["before", ["local", "a"], ["local", "b"]], ["<", ["state", "pot"], 3]]
