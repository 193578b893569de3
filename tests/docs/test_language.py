"""The language reference is run, and so is what pages say to copy.

Every ruleset in it loads and is explored, every fragment, every value; traps are refused.

A ``yaml`` block with ``format:`` is a whole ruleset; one without is laid over tests/samples/base.yaml, its top-level keys
in place of those of the base. ``# values`` opens a ``text`` block of lines ``expression = value``. A block after
``<!-- wrong -->`` must be refused, with the code that the comment may name.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from oddsmith.base.dice import Hand
from oddsmith.base.errors import OddsmithError, Problem, RuleFailure, RulesetError
from oddsmith.base.location import Source
from oddsmith.expr.evaluation import compiled_function
from oddsmith.expr.functions import items_or_faces
from oddsmith.expr.parse import BadExpression
from oddsmith.graph.explore import Explorer
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.extensive_form import TreeBuilder
from oddsmith.ruleset.reading.build import read_ruleset
from tests.cases import SAMPLES
from tests.docs.blocks import ROOT, Block, block_id, blocks
from tests.expressions import tree_of
from tests.strategies import GAME

PAGE = ROOT / "docs" / "reference" / "language.md"
FOUND = [block for page in (PAGE, *sorted((ROOT / "docs" / "how-to").glob("*.md"))) for block in blocks(page)]
BASE = (SAMPLES / "base.yaml").read_text("utf-8")
MOST = 20_000


def sections(text: str) -> dict[str, str]:
    """Top-level keys with their lines."""
    found: dict[str, str] = {}
    for part in re.split(r"^(?=[A-Za-z_]+:)", text, flags=re.MULTILINE):
        if match := re.match(r"([A-Za-z_]+):", part):
            assert match[1] not in found, f"{match[1]} stands twice"
            found[match[1]] = part
    return found


def whole(block: Block) -> str:
    """The ruleset that a block stands for."""
    if re.search(r"^format:", block.text, flags=re.MULTILINE):
        return block.text
    return "".join({**sections(BASE), **sections(block.text)}.values())


def played(block: Block) -> None:
    """Load, bind, and explore for every payoff, up to a limit."""
    ruleset, _ = read_ruleset(Source(str(block), whole(block)))
    game = bind(ruleset)
    for objective in ruleset.payoffs:
        if ruleset.has_secrets:
            assert TreeBuilder(game, objective).explore(MOST)[0] >= 1
            continue
        graph, _ = Explorer(game, objective).explore(max_states=MOST)
        assert graph.state_count >= 1


def yaml(wrong: bool) -> list[Block]:
    return [block for block in FOUND if block.language == "yaml" and (block.wrong is not None) == wrong]


@pytest.mark.parametrize("block", yaml(wrong=False), ids=block_id)
def test_an_example_can_be_played(block: Block) -> None:
    played(block)


@pytest.mark.parametrize("block", yaml(wrong=True), ids=block_id)
def test_a_trap_is_refused(block: Block) -> None:
    with pytest.raises(OddsmithError) as refused:
        played(block)
    problems: tuple[Problem, ...] = getattr(refused.value, "problems", ())
    errors = [problem for problem in problems if problem.severity == "error"]
    assert errors or not isinstance(refused.value, RulesetError)
    assert all(problem.message and problem.location.line >= 1 for problem in errors)
    if block.wrong:
        assert block.wrong in [problem.code for problem in errors]


# --- values

LINE = re.compile(r"(?:with (?P<name>\w+) (?P<faces>[\d ]+): )?(?P<text>.+?) = (?P<value>.+)")
VALUES = [
    pytest.param(line, id=line)
    for block in FOUND
    if block.language == "text" and block.text.startswith("# values")
    for line in block.text.splitlines()
    if line.strip() and not line.startswith("#")
]


def shown(value: Any) -> str:
    """A value as the page writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Hand):
        return "{" + " ".join(map(str, items_or_faces(value))) + "}"
    if isinstance(value, tuple):
        return "[" + ", ".join(map(shown, value)) + "]"
    return str(value)


def split(line: str) -> tuple[dict[str, Any], str, str]:
    """Locals, expression and value of a line; the last `` = `` divides."""
    match = LINE.fullmatch(line)
    assert match is not None, line
    text, _, value = line[match.start("text") :].rpartition(" = ")
    hand = Hand(sorted((int(face), 0) for face in match["faces"].split())) if match["name"] else None
    return ({match["name"]: hand} if hand is not None else {}), text, value


@pytest.mark.parametrize("line", VALUES)
def test_a_value_is_what_the_page_says(line: str) -> None:
    local, text, value = split(line)
    context = GAME.context(GAME.start)
    context.local = dict(local)
    try:
        found = shown(compiled_function(tree_of(text, GAME, local))(context))
    except (RuleFailure, BadExpression) as error:
        pytest.fail(f"{text}: {error.code} {error}")
    assert found == value


def test_there_is_something_to_run() -> None:
    assert len(VALUES) > 20
    assert len(yaml(wrong=False)) > 20
    assert len(yaml(wrong=True)) > 5
