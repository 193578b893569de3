"""Transcripts that Python writes are read by the module's scripts, and what cannot have happened is refused there too."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from oddsmith.base.errors import TranscriptError
from oddsmith.ruleset.bundle import bundle, sha256
from oddsmith.ruleset.play import played_moves, random_result_picker
from oddsmith.ruleset.rules import Rules
from oddsmith.ruleset.transcript import TranscriptWriter, read_transcript, verify_transcript
from tests import node
from tests.cases import Case, cases, ruleset, smallest

MOST = 200  # entries, at which a random play is broken off

Data = dict[str, Any]


def played(case: Case, seed: int) -> Data:
    """A random play, written down."""
    rules, random = Rules(case.game), Random(f"{case} {seed} by the fire")  # noqa: S311
    writer, end = TranscriptWriter(rules), rules.start()
    play = played_moves(rules, lambda _, actions: random.randrange(len(actions)), random_result_picker(random))
    for move in islice(play, MOST):
        writer.add(move)
        end = move.step.state
    return writer.data(end)


@cache
def first_plays() -> list[tuple[Case, Data]]:
    """A play of every game at its first size."""
    return [(case, played(case, 0)) for case in smallest()]


def answers(*plays: tuple[Case, Data]) -> list[Data]:
    """What JavaScript says of transcripts (record.mjs)."""
    jobs = [
        {
            "bundle": bundle(case.game.ruleset),
            "seats": case.seats,
            "parameters": dict(case.game.parameters),
            "rules": sha256(case.game.ruleset),
            "data": data,
        }
        for case, data in plays
    ]
    return node.answers(Path(__file__).with_name("record.mjs"), *jobs)


def test_plays_of_every_game_are_read() -> None:
    plays = [(case, played(case, seed)) for case in cases() for seed in range(4)]
    for (case, data), found in zip(plays, answers(*plays), strict=True):
        assert found == {"moves": len(data["log"]), "again": data}, case


def spoil(entry: Callable[[Data], bool], change: Callable[[Data], object]) -> Callable[[Data], bool]:
    """Change the first entry of a kind; False where there is none."""

    def spoilt(data: Data) -> bool:
        found = next(filter(entry, data["log"]), None)
        if found is not None:
            change(found)
        return found is not None

    return spoilt


def is_throw(entry: Data) -> bool:
    return "throw" in entry


def is_hand(entry: Data) -> bool:
    return is_throw(entry) and any(isinstance(value, dict) and len(value["hand"]) > 1 for _, value in entry["throw"])


def has_loop(entry: Data) -> bool:
    return bool(entry.get("with"))


def is_choice(entry: Data) -> bool:
    return "choose" in entry


def loopless(entry: Data) -> bool:
    return is_choice(entry) and not entry["with"]


def hands(entry: Data) -> list[Any]:
    return [value["hand"] for _, value in entry["throw"] if isinstance(value, dict)]


CHANGES: dict[str, Callable[[Data], bool]] = {
    "hand in another order": spoil(is_hand, lambda entry: [hand.reverse() for hand in hands(entry)]),
    "a message": spoil(is_throw, lambda entry: entry.update(message="abc")),
    "one die less": spoil(is_hand, lambda entry: [hand.pop() for hand in hands(entry)]),
    "one die more": spoil(is_hand, lambda entry: [hand.append(hand[0]) for hand in hands(entry)]),
    "a face that is not there": spoil(
        is_hand, lambda entry: [hand.append([hand.pop()[0], 99]) for hand in hands(entry)]
    ),
    "a die that is not there": spoil(
        is_hand, lambda entry: [hand.append(["d99", hand.pop()[1]]) for hand in hands(entry)]
    ),
    "a number": spoil(is_throw, lambda entry: entry["throw"][0].__setitem__(1, 77)),
    "a flag": spoil(is_throw, lambda entry: entry["throw"][0].__setitem__(1, True)),
    "another name": spoil(is_throw, lambda entry: entry["throw"][0].__setitem__(0, "what")),
    "another loop": spoil(has_loop, lambda entry: entry["with"].update(what=1)),
    "no loop": spoil(has_loop, lambda entry: entry.pop("with")),
    "a key": spoil(is_throw, lambda entry: entry.update(more=1)),
    "nothing with it": spoil(loopless, lambda entry: entry.pop("with")),
    "a message that is no text": spoil(is_throw, lambda entry: entry.update(message=7)),
    "a message of a choice": spoil(is_choice, lambda entry: entry.update(message=None)),
    "a key of the whole": lambda data: not data.update(extra=1),
    "no names": lambda data: not data.update(names=[]),
    "names": lambda data: not data.update(names=["x"] * data["seats"]),
    "too few names": lambda data: not data.update(names=["x"] * (data["seats"] + 1)),
    "names that are no texts": lambda data: not data.update(names=[1] * data["seats"]),
    "payoffs are a list": lambda data: data["payoffs"] is not None and not data.update(payoffs=[]),
    "no payoffs": lambda data: data.pop("payoffs", 0) != 0,
    "another seat": lambda data: bool(data["log"]) and not data["log"][-1].update(seat=9),
    "other payoffs": lambda data: not data.update(payoffs={}),
}


JUNK: tuple[Any, ...] = (5, "", [], None, True)


def put(key: str, value: object) -> Callable[[Data], bool]:
    """Put something in the place of what a transcript has there."""
    return lambda data: not data.update({key: value})


def put_parameter(name: str, value: object) -> Callable[[Data], bool]:
    """Put something among the parameters."""
    return lambda data: not data["parameters"].update({name: value})


def spoil_payoffs(name: str, value: object) -> Callable[[Data], bool]:
    """Put something among the payoffs of a game that is over."""
    return lambda data: data["payoffs"] is not None and not data["payoffs"].update({name: value})


for name, what in (("__proto__", {"polluted": 1}), ("constructor", 1)):
    CHANGES[f"the key {name}"] = put(name, what)
    CHANGES[f"the parameter {name}"] = put_parameter(name, what)
    CHANGES[f"the payoff {name}"] = spoil_payoffs(name, what)
    CHANGES[f"a key {name} of a throw"] = spoil(is_throw, put(name, what))
    CHANGES[f"a key {name} of a choice"] = spoil(is_choice, put(name, what))
    CHANGES[f"with {name}"] = spoil(loopless, put("with", {name: what}))
    CHANGES[f"thrown {name}"] = spoil(is_throw, put("throw", [[name, what]]))
    CHANGES[f"{name} is chosen"] = spoil(is_choice, put("choose", name))
for junk in JUNK:
    for key in ("transcript", "game", "rules", "seats", "parameters", "log", "names"):
        CHANGES[f"{key} is {junk!r}"] = put(key, junk)
    for kind in (is_choice, loopless):
        CHANGES[f"with is {junk!r} ({kind.__name__})"] = spoil(kind, put("with", junk))


@pytest.mark.parametrize("change", CHANGES)
def test_both_engines_refuse_the_same(change: str) -> None:
    plays = ((case, copy.deepcopy(data)) for case, data in first_plays())
    tried = list(islice(((case, data) for case, data in plays if CHANGES[change](data)), 8))
    assert tried
    for (case, data), found in zip(tried, answers(*tried), strict=True):
        try:
            verify_transcript(read_transcript(json.dumps(data).encode()), ruleset(case.name))
            refused = False
        except TranscriptError:
            refused = True
        assert ("refused" in found) == refused, (case, found)


DEEP = "[" * 100_000 + "]" * 100_000
PLACES: dict[str, Callable[[Data], bool]] = {
    "a throw": spoil(is_throw, lambda entry: entry["throw"][0].__setitem__(1, "DEEP")),
    "a hand": spoil(is_hand, lambda entry: entry["throw"][0].__setitem__(1, {"hand": ["DEEP"]})),
    "an option": spoil(is_choice, put("choose", "DEEP")),
    "a loop": spoil(has_loop, put("with", {"i": "DEEP"})),
    "a message": spoil(is_choice, put("message", "DEEP")),
    "names": put("names", ["DEEP"]),
    "a parameter": put_parameter("deep", "DEEP"),
    "payoffs": spoil_payoffs("deep", ["DEEP"]),
    "all payoffs": put("payoffs", "DEEP"),
    "the log": put("log", ["DEEP"]),
}


def test_what_is_nested_without_end_is_refused_like_anything_else() -> None:
    """Where it is told what is wrong, too: no engine runs out of its stack."""
    case = next(case for case in cases() if case.name == "rogues-gambit")
    hands = next(case for case in cases() if any(is_hand(entry) for entry in played(case, 0)["log"]))
    loops = next(case for case in cases() if any(has_loop(entry) for entry in played(case, 0)["log"]))
    jobs, tried = [], set()
    for place, change in PLACES.items():
        for of in (case, hands, loops):
            data = played(of, 0)
            if not change(data):
                continue
            tried.add(place)
            text = json.dumps(data).replace('"DEEP"', DEEP)
            with pytest.raises(TranscriptError, match="nested too deeply"):
                read_transcript(text.encode())
            jobs.append(
                {
                    "bundle": bundle(of.game.ruleset),
                    "seats": of.seats,
                    "parameters": dict(of.parameters),
                    "rules": sha256(of.game.ruleset),
                    "text": text,
                }
            )
    assert tried == PLACES.keys()
    found = node.answers(Path(__file__).with_name("record.mjs"), *jobs)
    assert all("refused" in each for each in found)
    assert max(len(each["refused"]) for each in found) < 200
