"""What a text of others holds never steers the terminal: it is shown, written out."""

from __future__ import annotations

import gzip
import json
import os
import pty
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from oddsmith.cli import main
from oddsmith.cli.common import _progress_text
from oddsmith.cli.terminal import escape_control_characters
from tests.terminal import run

# What could move a cursor, rename a window, ring, hide, or turn a line round; raw where YAML allows it, and escaped.
STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
EVIL = "\\e]0;owned\\a\\e[2J\\x9b31m\\u202Etfel\\x7f\\r"
RULES = f"""\
format: 1
id: evil
title: "T{EVIL}"
summary: "S{EVIL}"
seats: 1
parameters:
  goal: {{default: 2, min: 1, max: 3, about: "A{EVIL}"}}
state:
  stash: {{max: 3}}
payoffs: {{coins: stash}}
turn: decide
phases:
  decide:
    choose:
      - {{name: "Stop{EVIL}", then: end}}
      - {{name: "On{EVIL}", when: stash < goal, then: toss}}
  toss:
    roll: {{coin: d2}}
    outcomes:
      - {{name: "One{EVIL}", when: coin == 1, do: add 1 to stash, then: decide}}
      - {{name: "Two{EVIL}", then: end}}
policies:
  "P{EVIL}":
    decide:
      - {{option: "Stop{EVIL}"}}
measures:
  "M{EVIL}": {{count: [toss, "One{EVIL}"]}}
claims:
  - {{quote: "Q{EVIL}", ask: {{chance: [toss, "One{EVIL}"]}}, published: 1/3, note: "N{EVIL}"}}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evil.yaml").write_text(RULES, encoding="utf-8")
    broken = RULES.replace("then: toss}", 'then: "tos{EVIL}"}'.replace("{EVIL}", EVIL)).replace(
        "stash < goal", "stash < gaol"
    )
    (tmp_path / "broken.yaml").write_text(broken, encoding="utf-8")
    (tmp_path / "raw.yaml").write_text("format: 1\nid: \u202e\x1b[2Jraw\n", encoding="utf-8")
    (tmp_path / "play.json").write_text(json.dumps({"transcript": 1, "game": "\x1b[2J\u202e", "log": [], "\x9b": 1}))
    head = {"kind": "\x1b[2J", "ruleset": {"id": "\x1b]0;owned\x07\u202e", "seats": 1}, "objective": "\x9b"}
    (tmp_path / "proof.jsonl.gz").write_bytes(gzip.compress(json.dumps(head, ensure_ascii=False).encode()))
    (tmp_path / "\x1b[2Jname\u202e.yaml").write_text("format: \x1b\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["check", "evil.yaml"], 0),
        (["check", "broken.yaml"], 1),
        (["check", "broken.yaml", "--json"], 1),
        (["check", "raw.yaml"], 1),
        (["check", "\x1b[2Jname\u202e.yaml"], 1),
        (["check", "no\x1b[2J\u202esuch"], 1),
        (["solve", "evil.yaml"], 0),
        (["solve", "evil.yaml", "--json", "--break-even"], 0),
        (["solve", "evil.yaml", "--objective", "\x1b[2J"], 1),
        (["solve", "evil.yaml", "--policy", "1=\x1b[2J"], 1),
        (["solve", "evil.yaml", "--set", "\x1b[2J"], 2),
        (["advise", "evil.yaml"], 0),
        (["advise", "evil.yaml", "--state", "st\x1b[2J=1"], 1),
        (["verify", "evil.yaml"], 1),
        (["play", "evil.yaml", "--watch", "--seed", "1"], 0),
        (["play", "--verify", "play.json"], 1),
        (["certify", "proof.jsonl.gz", "evil.yaml"], 1),
        (["foundry", "evil.yaml", "-o", "out", "--id", "\x1b[2J"], 1),
        (["\x1b[2J"], 2),
    ],
)
def test_nothing_that_is_printed_steers_a_terminal(
    words: list[str], code: int, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        main(words)
    shown = capfd.readouterr()
    assert end.value.code == code, shown
    assert "Traceback" not in shown.err
    assert shown.out + shown.err
    assert STEERING.findall(shown.out + shown.err) == []


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["export", "evil.yaml", "--format", "csv"], 0),
        (["export", "evil.yaml", "--format", "dot"], 0),
        (["play", "evil.yaml", "--watch", "--seed", "1"], 0),
        (["check", "broken.yaml"], 1),
    ],
)
def test_on_a_terminal_there_are_our_own_colours_and_nothing_else(words: list[str], code: int, folder: Path) -> None:
    ours, theirs = pty.openpty()
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TERM": "xterm"}
    command = [sys.executable, "-m", "oddsmith", *words]
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=theirs, stderr=subprocess.STDOUT, env=env
    ) as process:
        os.close(theirs)
        shown = b""
        with suppress(OSError):  # how the end of a terminal is told
            while found := os.read(ours, 65536):
                shown += found
    os.close(ours)
    assert process.returncode == code, shown
    text = re.sub(r"\x1b\[(31|33|1|0)m", "", shown.decode().replace("\r\n", "\n"))
    assert "x1b" in text
    # The bar of progress goes up a line, clears it, and hides the cursor meanwhile.
    assert STEERING.findall(re.sub(r"\r|\x1b\[([12]K|1A|\?25[lh])|\x1b\[[0-9;]*m", "", text)) == []


def test_signs_are_written_out_and_letters_stay() -> None:
    assert escape_control_characters("a\x1b[1m\x9b\r\u202eb\tc\nж ä 😀") == "a\\x1b[1m\\x9b\\r\\u202eb\tc\nж ä 😀"


def test_a_pipe_is_told_now_and_then_how_far_long_work_is(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("solve", "rogues-gambit", "--seats", "2", "--set", "coins_each=9")
    assert run(*words).stderr == "", "work that ends soon is not spoken of"
    monkeypatch.setattr("oddsmith.cli.common.SECONDS_BETWEEN_REPORTS", 0)
    done = run(*words)
    assert re.search(r"^solving, \d+ of \d+$", done.stderr, re.MULTILINE)
    assert done.stdout == run(*words).stdout


def test_no_total_is_made_up_while_a_game_is_explored() -> None:
    assert _progress_text("exploring", 6_248_880, 6_336_598) == "6,248,880 positions so far"
    assert _progress_text("solving", 5, 10) == "5 of 10"
    assert _progress_text("following what seats see", 4_096, 0) == "4,096"
