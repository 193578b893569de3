"""``export`` on the command line: the format by name or by the file's end, whole files, and refusals in words."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from oddsmith.cli import main

GAME = ("export", "rogues-gambit", "--seats", "2", "--set", "coins_each=3")
ALONE = """\
format: 1
id: alone
title: Alone
summary: One seat, one choice.
seats: 1
state: {pot: {max: 6}}
payoffs: {points: pot}
turn: choose
phases:
  choose:
    choose:
      - {name: Sure, do: set pot to 3, then: end}
      - {name: Gamble, then: throw}
  throw:
    roll: {die: d6}
    do: set pot to die
    then: end
policies:
  timid: {choose: [{option: Sure}]}
"""


@dataclass(frozen=True)
class Done:
    """How the command ended."""

    code: object
    out: bytes
    err: str


Run = Callable[..., Done]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> Run:
    """Runs the command in a folder of its own, in this process."""
    monkeypatch.chdir(tmp_path)

    def started(*words: str) -> Done:
        with pytest.raises(SystemExit) as end:
            main(list(words))
        told = capsysbinary.readouterr()
        return Done(end.value.code, told.out, told.err.decode())

    return started


@pytest.fixture
def alone(tmp_path: Path) -> str:
    (tmp_path / "alone.yaml").write_text(ALONE, encoding="utf-8")
    return "alone.yaml"


@pytest.mark.parametrize(
    ("form", "begin"),
    [
        ("csv", b"state,phase,"),
        ("json", b'{\n  "ruleset": {'),
        ("parquet", b"PAR1"),
        ("graphml", b"<?xml "),
        ("dot", b'digraph "rogues-gambit" {'),
        ("drn", b"// rogues-gambit, 2 seats, coins (max), coins_each 3"),
        ("prism", b"// rogues-gambit, 2 seats, coins (max), coins_each 3"),
    ],
)
def test_a_file_s_end_names_its_format(form: str, begin: bytes, run: Run, tmp_path: Path) -> None:
    done = run(*GAME, "-o", f"out/game.{form}")
    assert done.code == 0, done.err
    data = (tmp_path / "out" / f"game.{form}").read_bytes()
    assert data.startswith(begin)
    assert done.out == b""
    assert done.err.strip() == f"{Path('out') / f'game.{form}'}, {len(data):,} bytes"
    assert run(*GAME, "--format", form).out == data


def test_storm_gets_a_chain_or_what_a_seat_may_choose(run: Run, alone: str) -> None:
    def kind(*words: str) -> str:
        done = run("export", *words, "--format", "drn")
        assert done.code == 0, done.err
        return next(line for line in done.out.decode().split("\n") if line.startswith("@type"))

    game = ("rogues-gambit", "--seats", "2", "--set", "coins_each=4")
    assert [kind(*game), kind(*game, "--seat", "2"), kind(*game, "--policy", "2=hold at 20", "--seat", "1")] == [
        "@type: DTMC",
        "@type: MDP",
        "@type: MDP",
    ]
    assert [kind(alone), kind(alone, "--seat", "0"), kind(alone, "--policy", "1=timid")] == [
        "@type: MDP",
        "@type: DTMC",
        "@type: DTMC",
    ]


def test_policies_and_digits_are_heard(run: Run, alone: str) -> None:
    done = run("export", alone, "--policy", "1=timid", "--digits", "3", "--format", "json")
    (line,) = json.loads(done.out)["states"]
    assert (line["action"], line["next_best"], line["loss_decimal"]) == ("Sure", "Gamble", "-0.500")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((), 2, "name a format with --format"),
        (("-o", "game.txt"), 2, "or a FILE that ends in one"),
        (("--format", "csv", "--seat", "1"), 2, "--seat is for drn only"),
        (("--format", "drn", "--seat", "3"), 2, "there is no seat 3: the seats are 1 to 2"),
        (("--format", "drn", "--seat", "1", "--policy", "1=hold at 20"), 2, "give it no --policy"),
        (("--format", "dot", "--policy", "1=hold at 20"), 2, "what can be played, not how"),
        (("--format", "dot", "--set", "coins_each=25", "--objective", "win"), 1, "DOT is of no use beyond 2,000"),
        (("--format", "csv", "--objective", "coin"), 1, "did you mean coins?"),
    ],
)
def test_what_cannot_be_is_refused(words: tuple[str, ...], code: int, said: str, run: Run, tmp_path: Path) -> None:
    done = run(*GAME, *words)
    assert (done.code, done.out) == (code, b"")
    assert said in done.err.replace("\n", " ")
    assert not list(tmp_path.iterdir())
