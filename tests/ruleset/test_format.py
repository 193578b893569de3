"""The house style changes the layout, never the data, never a comment, and nothing when it is run again."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from oddsmith.base.errors import RulesetError
from oddsmith.base.location import Source
from oddsmith.cli.check import check
from oddsmith.ruleset.reading.build import load_ruleset
from oddsmith.ruleset.reading.format import UPGRADES, formatted_text
from oddsmith.ruleset.reading.source import Node, parse_source
from tests.node import ROOT
from tests.ruleset.finding import SAMPLES, mutated


def data(text: str) -> Any:
    """What a text says, order and kinds of values included."""

    def typed(node: Node) -> Any:
        if isinstance(node.value, dict):
            return [(key, typed(item)) for key, item in node.value.items()]
        return [typed(item) for item in node.value] if isinstance(node.value, list) else repr(node.value)

    return typed(parse_source(Source("game.yaml", text)))


UGLY = """\
# yaml-language-server: $schema=../schemas/ruleset.schema.json
format:   1   # one
seats: {min: 2,   # few
   max: 6}  # many
lists: { a: [1,
  2], b: "span(1, 2)" }
odd: {a: 010, b: yes, c: 1_000, d: ~, e: 1:30, f: 'true', g: "no: colon"}
phases:
   throw:
      roll: {hand: 3d6}
      outcomes:
      - {name: A, when: "hand == [1, 1]", do: [move a to b, {for: others, do: [drop out, b]}], then: pass} # tail
      # before
      - name: "B"
        do: [ a ,b]   # two
        then:
            pass

at_end: [x, y]
prose: |
  Some words, here:  [1]

  More.
last: >
   folded
   text
long: {default: literal, one_of: [literal, pocketed, hungry], about: What a 1 does to the player after LONG.}
"""

NEAT = """\
# yaml-language-server: $schema=../schemas/ruleset.schema.json
format: 1     # one
# few
seats: {min: 2, max: 6} # many
lists:
  a: [1, 2]
  b: span(1, 2)
odd: {a: 010, b: yes, c: 1_000, d: ~, e: 1:30, f: 'true', g: "no: colon"}
phases:
  throw:
    roll: {hand: 3d6}
    outcomes:
      # tail
      - name: A
        when: hand == [1, 1]
        do:
          - move a to b
          - for: others
            do:
              - drop out
              - b
        then: pass
      # before
      - name: "B"
        # two
        do:
          - a
          - b
        then: pass

at_end:
  - x
  - y
prose: |
  Some words, here:  [1]

  More.
last: >
  folded
  text
long:
  default: literal
  one_of: [literal, pocketed, hungry]
  about: What a 1 does to the player after LONG.
"""


UGLY, NEAT = (text.replace("LONG", "a meal of many courses") for text in (UGLY, NEAT))
FOLDED = (">-", "|", "|-")  # ends of lines that a text of several lines follows, in which a # is no comment


def test_house_style() -> None:
    assert formatted_text(UGLY) == NEAT
    assert formatted_text(NEAT) == NEAT
    assert formatted_text(UGLY.replace("\n", "\r\n")) == NEAT


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_samples_are_in_house_style(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert formatted_text(text) == text


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_the_data_never_change(path: Path) -> None:
    """Not even those of a file that is all on one line."""
    text = path.read_text(encoding="utf-8")
    ugly = json.dumps(parse_source(Source("game.yaml", text)).data(), default=float) + "\n"
    neat = formatted_text(ugly)
    assert neat != ugly
    assert data(neat) == data(ugly)
    assert formatted_text(neat) == neat


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_comments_stay(path: Path) -> None:
    noted = []
    folded = 10**6  # the indentation of a folded text that we are in, where a # is no comment
    for k, line in enumerate(path.read_text(encoding="utf-8").rstrip("\n").split("\n")):
        indent = len(line) - len(line.lstrip())
        if indent > folded or not line:
            noted.append(line)
            continue
        folded = indent if line.endswith(FOLDED) else 10**6
        noted.append(f"# line {k}\n{line}" if k % 3 == 0 or line.endswith(FOLDED) else f"{line}   # note {k}")
    wide = re.sub(r"^( +)", r"  \1", "\n".join(noted) + "\n", flags=re.MULTILINE)
    neat = formatted_text(wide)
    assert neat != wide
    assert data(neat) == data(wide)
    assert sorted(re.findall(r"# (?:note|line) \d+", neat)) == sorted(re.findall(r"# (?:note|line) \d+", wide))
    assert formatted_text(neat) == neat


def test_what_cannot_be_parsed_is_left_alone() -> None:
    for text in ("", "a: [", "a: 1\na: 2\n", "a: *b\n", "- a\n", "\ta: 1\n", "a: !x 1\n"):
        assert formatted_text(text) == text


def test_a_mutated_file_keeps_its_data_or_is_left_alone() -> None:
    chance = random.Random(5)  # noqa: S311
    texts = [path.read_text(encoding="utf-8") for path in SAMPLES] + [UGLY]
    for _ in range(100):
        text = mutated(chance.choice(texts), chance)
        neat = formatted_text(text)
        if neat != text:
            assert data(neat) == data(text)
            assert formatted_text(neat) == neat


def test_a_file_of_an_older_format_says_so_and_is_rewritten_step_by_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There has been no older format. Two are made up here, of which each calls the summary something else."""

    def first(text: str) -> str:
        return text.replace("format: -1", "format: 0").replace("summary0:", "summary1:")

    def second(text: str) -> str:
        return text.replace("format: 0", "format: 1").replace("summary1:", "summary:")

    monkeypatch.setitem(UPGRADES, -1, first)
    monkeypatch.setitem(UPGRADES, 0, second)
    newest = (ROOT / "rulesets" / "piglet.yaml").read_text("utf-8")
    mine = tmp_path / "mine.yaml"
    mine.write_text(newest.replace("format: 1\n", "format: -1\n", 1).replace("\nsummary:", "\nsummary0:", 1), "utf-8")
    with pytest.raises(RulesetError) as refused:
        load_ruleset(mine)
    assert [problem.code for problem in refused.value.problems] == ["OD204"]
    assert "check --upgrade" in refused.value.problems[0].hint
    result = CliRunner().invoke(check, [str(mine), "--upgrade"])
    assert f"{mine}: rewritten in the newest format" in result.output
    assert mine.read_text("utf-8") == newest
    assert "rewritten" not in CliRunner().invoke(check, [str(mine), "--upgrade"]).output
