"""Transcripts: every play can be written down and read again, and nothing that cannot have happened passes."""

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
from oddsmith.ruleset.bundle import canonical_bytes
from oddsmith.ruleset.play import played_moves, random_result_picker
from oddsmith.ruleset.rules import Rules
from oddsmith.ruleset.transcript import (
    MAX_BYTES,
    TranscriptWriter,
    VerificationResult,
    read_transcript,
    verify_transcript,
)
from tests.cases import Case, cases, ruleset, smallest
from tests.terminal import run

MOST = 400  # entries, at which a random play is broken off

Data = dict[str, Any]


def played(case: Case, seed: int) -> tuple[Data, VerificationResult]:
    """A random play, written down while it goes on, and what it came to."""
    rules, random = Rules(case.game), Random(f"{case} {seed}")  # noqa: S311
    writer, end = TranscriptWriter(rules), rules.start()
    play = played_moves(rules, lambda _, actions: random.randrange(len(actions)), random_result_picker(random))
    for move in islice(play, MOST):
        writer.add(move)
        end = move.step.state
    paid = None if end.phase else {name: rules.payoffs(end, name) for name in case.game.ruleset.payoffs}
    return writer.data(end), VerificationResult(len(writer.log), end, paid)


@cache
def finished(case: Case) -> Data:
    """A play that came to its end; the shortest of a few."""
    plays = [data for data, _ in (played(case, seed) for seed in range(30)) if data["payoffs"]]
    return min(plays, key=lambda data: len(data["log"]))


def held(data: Any, case: Case) -> VerificationResult:
    return verify_transcript(read_transcript(canonical_bytes(data)), ruleset(case.name))


@pytest.mark.parametrize("case", list(cases()), ids=str)
def test_every_play_can_be_written_down_and_read_again(case: Case) -> None:
    for seed in range(12):
        data, wanted = played(case, seed)
        assert held(data, case) == wanted
        cut = len(data["log"]) // 2
        half = {**data, "log": data["log"][:cut], "payoffs": None}
        assert held(half, case).entry_count == cut


def test_names_message_ids_and_a_hand_in_any_order_may_stand_there() -> None:
    data = copy.deepcopy(finished(smallest()[0]))
    data["names"] = [f"<b>{seat}</b>" for seat in range(data["seats"])]
    for entry in data["log"]:
        entry["message"] = "abc"
        for _, value in entry.get("throw", []):
            if isinstance(value, dict):
                value["hand"].reverse()
    assert held(data, smallest()[0]).payoffs


# --- one thing changed


def _hand(data: Data) -> list[Any] | None:
    """The last hand of dice that was thrown."""
    hands = [value["hand"] for each in data["log"] for _, value in each.get("throw", []) if isinstance(value, dict)]
    return next((hand for hand in reversed(hands) if hand), None)


def _choice(data: Data) -> Data | None:
    return next((each for each in reversed(data["log"]) if "choose" in each), None)


def _in_hand(change: Callable[[list[Any]], None]) -> Callable[[Data], bool]:
    def mutate(data: Data) -> bool:
        hand = _hand(data)
        if hand is not None:
            change(hand)
        return hand is not None

    return mutate


def _in_choice(change: Callable[[Data], None]) -> Callable[[Data], bool]:
    def mutate(data: Data) -> bool:
        choice = _choice(data)
        if choice is not None:
            change(choice)
        return choice is not None

    return mutate


def _everywhere(change: Callable[[Data], object]) -> Callable[[Data], bool]:
    def mutate(data: Data) -> bool:
        change(data)
        return True

    return mutate


def _last(**changes: Any) -> Callable[[Data], bool]:
    return _everywhere(lambda data: data["log"][-1].update(changes))


def _swapped(data: Data) -> bool:
    """A roll where there must be a choice, or a choice where there must be a roll."""
    last = data["log"].pop()
    other = {"choose": "Roll", "with": {}} if "throw" in last else {"throw": []}
    data["log"].append({"seat": last["seat"], **other})
    return True


def _bound(data: Data) -> bool:
    """A number of a choice that is true instead."""
    for each in data["log"]:
        for name, value in each.get("with", {}).items():
            if value == 1:
                each["with"][name] = True
                return True
    return False


def _payoff(change: Callable[[Data], object]) -> Callable[[Data], bool]:
    return _everywhere(lambda data: change(data["payoffs"]))


def _first_of(payoffs: Data, change: Callable[[list[Any]], object]) -> None:
    change(next(iter(payoffs.values())))


MUTATIONS: dict[str, tuple[Callable[[Data], bool], str]] = {
    "a format to come": (_everywhere(lambda data: data.update(transcript=2)), "only format 1"),
    "true for a format": (_everywhere(lambda data: data.update(transcript=True)), "only format 1"),
    "an unknown key": (_everywhere(lambda data: data.update(state=1)), "unknown key"),
    "a key that is missing": (_everywhere(lambda data: data.pop("rules")), "rules is missing"),
    "another game": (_everywhere(lambda data: data.update(game="chess")), "game: this is a play of"),
    "other rules": (_everywhere(lambda data: data.update(rules="0" * 64)), "rules: these are not the rules of"),
    "more seats than there are": (_everywhere(lambda data: data.update(seats=40)), "seats"),
    "seats as a text": (_everywhere(lambda data: data.update(seats="2")), "seats: this is a whole number"),
    "an unknown parameter": (_everywhere(lambda data: data["parameters"].update(luck=9)), "luck is no parameter"),
    "one name too many": (_everywhere(lambda data: data.update(names=["x"] * (data["seats"] + 1))), "names"),
    "a name that is a number": (_everywhere(lambda data: data.update(names=[1] * data["seats"])), "name 1"),
    "a log that is no list": (_everywhere(lambda data: data.update(log={})), "log: this is a list"),
    "an entry that is a text": (_everywhere(lambda data: data["log"].append("x")), "this is a map"),
    "an unknown key of an entry": (_last(luck=1), "unknown key"),
    "another seat": (
        _everywhere(lambda data: data["log"][-1].update(seat=data["log"][-1]["seat"] % 9 + 1)),
        "is to move",
    ),
    "a seat that is true": (_last(seat=True), "seat: this is a whole number"),
    "a message that is a number": (_last(message=7), "message: this is a text"),
    "a throw for a choice or the other way round": (_swapped, "there must be a"),
    "a move after the end": (_everywhere(lambda data: data["log"].append(data["log"][-1])), "the game is over before"),
    "a move that is left out at the end": (_everywhere(lambda data: data["log"].pop()), "the game is not over"),
    "a face that no die has": (_in_hand(lambda hand: hand[0].__setitem__(1, 97)), "cannot be"),
    "a die that is not of the game": (_in_hand(lambda hand: hand[0].__setitem__(0, "d97")), "lists dice"),
    "a die less": (_in_hand(lambda hand: hand.pop()), "cannot be"),
    "a die more": (_in_hand(lambda hand: hand.append(hand[0])), "cannot be"),
    "a face as a text": (_in_hand(lambda hand: hand[0].__setitem__(1, "1")), "this is a whole number"),
    "a die that is a number": (_in_hand(lambda hand: hand.__setitem__(0, 6)), "lists dice"),
    "an option that there is not": (_in_choice(lambda each: each.update(choose="Fly")), "is not legal here"),
    "a loop name more": (_in_choice(lambda each: each["with"].update(luck=1)), "is not legal here"),
    "a value that is a list": (_in_choice(lambda each: each["with"].update(luck=[1])), "a value is a number"),
    "true instead of 1": (_bound, "is not legal here"),
    "no payoffs at the end": (_everywhere(lambda data: data.update(payoffs=None)), "cannot be null"),
    "a payoff that is missing": (_payoff(lambda paid: paid.popitem()), "is missing"),
    "a payoff more": (_payoff(lambda paid: paid.update(luck=["1"])), "is no payoff"),
    "another payoff": (_payoff(lambda paid: _first_of(paid, lambda texts: texts.__setitem__(0, "97/3"))), "payoffs"),
    "a payoff as a number": (_payoff(lambda paid: _first_of(paid, lambda texts: texts.__setitem__(0, 1))), "payoffs"),
    "a payoff of one seat more": (_payoff(lambda paid: _first_of(paid, lambda texts: texts.append("0"))), "payoffs"),
}


@pytest.mark.parametrize("case", smallest(), ids=str)
def test_every_play_with_one_thing_changed_is_refused(case: Case) -> None:
    assert held(finished(case), case).payoffs
    for name, (mutate, phrase) in MUTATIONS.items():
        data = copy.deepcopy(finished(case))
        if mutate(data):
            with pytest.raises(TranscriptError) as error:
                held(data, case)
            assert phrase in str(error.value), name


def test_every_mutation_is_tried_on_some_game() -> None:
    for name, (mutate, _) in MUTATIONS.items():
        assert any(mutate(copy.deepcopy(finished(case))) for case in smallest()), name


@pytest.mark.parametrize("case", smallest(), ids=str)
def test_every_throw_and_every_choice_is_looked_at(case: Case) -> None:
    """Whatever entry is spoilt, that entry is named."""
    data = finished(case)
    for number, entry in enumerate(data["log"]):
        bad = copy.deepcopy(data)
        if "choose" in entry:
            bad["log"][number]["choose"] = "Fly"
        elif entry["throw"]:
            bad["log"][number]["throw"][0][1] = {"hand": [[next(iter(case.game.dice), "d6"), 97]]}
        else:
            bad["log"][number]["throw"] = [["luck", 1]]
        with pytest.raises(TranscriptError, match=rf"^entry {number + 1}\b"):
            held(bad, case)


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("", "JSON"), ("[]", "this is a map"), ("{", "JSON"), ('{"a":1,"a":1}', "stands twice"),
        ('{"transcript":1.0}', "1.0 is not a whole number"), ('{"transcript":NaN}', "NaN is not a whole number"),
        ('{"seats":' + "9" * 5000 + "}", "JSON"), ("[" * 200_000, "nested too deeply"), ("{}" + " " * MAX_BYTES, "bytes"),
    ],
)  # fmt: skip
def test_what_is_no_transcript_is_refused(text: str, phrase: str) -> None:
    with pytest.raises(TranscriptError, match=phrase):
        read_transcript(text.encode())


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(TranscriptError, match="JSON"):
        read_transcript(b"\xff\xfe\x00{")


# --- on the command line


def test_a_play_is_written_checked_and_refused_on_the_command_line(tmp_path: Path) -> None:
    words = ("play", "rogues-gambit", "--seats", "2", "--set", "coins_each=4", "--watch", "--seed", "3")
    assert run(*words, "--transcript", "game.json", cwd=tmp_path).returncode == 0
    good = run("play", "--verify", "game.json", cwd=tmp_path)
    assert good.returncode == 0, good.stderr
    assert "every roll is possible and every move is legal" in good.stdout
    data = json.loads((tmp_path / "game.json").read_text("utf-8"))
    for name, paid in data["payoffs"].items():
        assert f"{name}: " + ", ".join(f"seat {seat} {text}" for seat, text in enumerate(paid, 1)) in good.stdout
    data["log"][0]["seat"] = 2
    (tmp_path / "bad.json").write_text(json.dumps(data), "utf-8")
    bad = run("play", "--verify", "bad.json", cwd=tmp_path)
    assert (bad.returncode, bad.stdout) == (1, "")
    assert "bad.json: entry 1: seat 1 is to move here, not seat 2" in bad.stderr


def test_rules_of_your_own_are_named_before_the_transcript(tmp_path: Path) -> None:
    case = next(case for case in smallest() if case.name == "marbles")
    (tmp_path / "mine.json").write_bytes(canonical_bytes(finished(case)))
    path = str(Path(__file__).parents[1] / "samples" / "marbles.yaml")
    assert run("play", path, "--verify", "mine.json", cwd=tmp_path).returncode == 0
    lost = run("play", "--verify", "mine.json", cwd=tmp_path)
    assert lost.returncode == 1
    assert "name its RULESET as well" in lost.stderr
    assert run("play", cwd=tmp_path).returncode == 2
