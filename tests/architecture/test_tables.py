"""What the language has, it has everywhere: a verb or a function that some place does not know is named here or by mypy."""

from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import get_args

import pytest

import oddsmith
from oddsmith.base.location import NOWHERE
from oddsmith.expr import evaluation as scalar
from oddsmith.expr import intervals
from oddsmith.expr.folding import _COMPUTE, _FOLDS
from oddsmith.expr.functions import FUNCTIONS, Function
from oddsmith.expr.tree import FLAG, LANGUAGE
from oddsmith.report.english.words import ExpressionWords
from oddsmith.report.facts.key_facts import KINDS
from oddsmith.ruleset.model.effects import Effect, VariableRef, _EffectBase
from oddsmith.solve.solution import PlayKind
from oddsmith.solve.systems.linear_systems import Method
from tests.expressions import local_of, tree_of

ROOT = Path(__file__).resolve().parents[2]
VECTORS = ROOT / "tests" / "vectors"
REFERENCE = (ROOT / "docs" / "reference" / "language.md").read_text("utf-8")


def script(name: str) -> str:
    """A script of the second engine, wherever it lies."""
    [path] = (ROOT / "site" / "runtime").rglob(name)
    return path.read_text("utf-8")


@cache
def spoken(name: str) -> bool:
    """Whether plain words are found for some use of a function in the vectors, and not the text of the ruleset."""
    game = oddsmith.load(VECTORS / "ground.yaml").game
    data = json.loads((VECTORS / "expressions.json").read_text("utf-8"))
    for case in data["expressions"]:
        if re.search(rf"\b{name}\(", case["text"]) and "tree" in case:
            moment = data["moments"][case["at"]]
            tree = tree_of(case["text"], game, local_of(moment), exact=bool(moment.get("exact")))
            words = (
                ExpressionWords(game).condition_clause(tree)
                if tree.type == FLAG
                else ExpressionWords(game).noun_words(tree)
            )
            if tree.op == "call" and f"{name}(" not in words:
                return True
    return False


def places_without(name: str) -> set[str]:
    """The places that must know a function of the language and do not."""
    vectors = (VECTORS / "expressions.json").read_text("utf-8")
    known = {
        "expr/intervals.py": name in intervals._CALLS,
        "report/english/words.py": spoken(name),
        "site/runtime": re.search(
            rf'^  {name}\b|name === "{name}"', script("functions.mjs") + script("expression.mjs"), re.MULTILINE
        )
        is not None,
        "docs/reference/language.md": f"`{name}(" in REFERENCE,
        "tests/vectors/expressions.json": re.search(rf"\b{name}\(", vectors) is not None,
    }
    return {place for place, knows in known.items() if not knows}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_place_knows_every_function(name: str) -> None:
    assert places_without(name) == set()


def test_a_new_function_is_missed_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    new = Function("median(list)", 1, 1, FUNCTIONS["sum"].result_type, lambda values: sorted(values)[len(values) // 2])
    monkeypatch.setitem(FUNCTIONS, "median", new)
    assert places_without("median") == {
        "expr/intervals.py",
        "report/english/words.py",
        "site/runtime",
        "docs/reference/language.md",
        "tests/vectors/expressions.json",
    }


WALKS = {
    "expr/evaluation.py": {*scalar._MAKERS, *scalar._BINARY},
    "expr/folding.py": {*_FOLDS, *_COMPUTE},
}


@pytest.mark.parametrize("walk", WALKS)
def test_every_walk_over_expressions_knows_every_node(walk: str) -> None:
    assert set(LANGUAGE) - WALKS[walk] == set()


VERBS = tuple(kind.kind for kind in get_args(Effect))
SENTENCES = tuple(verb for verb in VERBS if verb not in {"if", "seats", "items"})  # these are maps of YAML


@pytest.mark.parametrize("verb", VERBS)
def test_every_place_knows_every_verb(verb: str) -> None:
    schema = (ROOT / "schemas" / "ruleset.schema.json").read_text("utf-8")
    assert re.search(rf"^  {verb}\b", script("effects.mjs"), re.MULTILINE)
    if verb in SENTENCES:
        assert re.search(rf'"{verb} [^"]*"', schema), "an example in the schema"
        assert f"`{verb} " in REFERENCE
        colours = (ROOT / "site" / "playground" / "highlight.mjs").read_text("utf-8")
        assert re.search(rf"[(|]{verb}\b", colours), "its colour on the page for changing games"


def test_a_new_verb_reads_all_that_it_writes_until_it_says_otherwise() -> None:
    """What may be left out of a state is decided by this, so what is forgotten must keep a variable, not lose it."""

    @dataclass(frozen=True)
    class Swap(_EffectBase):
        one: VariableRef
        other: VariableRef

    places = tuple(VariableRef(name, (), NOWHERE) for name in ("pot", "purse"))
    swap = Swap(*places)
    assert swap.variables_written == swap.variables_updated == swap.variables_read == places


def recipe(task: str) -> tuple[set[str], set[str]]:
    """The files of the package that the recipe for a task in CONTRIBUTING names: in its steps, and in the table below."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    steps, _, table = text.split(f"### {task}\n")[1].split("\n##")[0].partition("\n| ")
    in_steps, in_table = (
        {path for path in re.findall(r"`([a-z_/]+\.py)`", part) if not path.startswith("tests/")}
        for part in (steps, table)
    )
    return in_steps, in_table


def test_the_recipe_has_every_place_that_asks_for_single_kinds_of_effects() -> None:
    kinds, package = {kind.__name__ for kind in get_args(Effect)}, ROOT / "solver" / "oddsmith"
    asking = set()
    for path in package.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            asks = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance"
            if asks and kinds & {name.id for name in ast.walk(node) if isinstance(name, ast.Name)}:
                asking.add(path.relative_to(package).as_posix())
    assert recipe("A kind of effect")[1] == asking


@pytest.mark.long
def test_the_type_checker_names_every_place_of_a_new_verb(tmp_path: Path) -> None:
    """A verb is added to a copy of the source: mypy finds all that CONTRIBUTING lists, but for the reader of its words."""
    shutil.copytree(ROOT / "solver", tmp_path / "solver")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    effects = tmp_path / "solver" / "oddsmith" / "ruleset" / "model" / "effects.py"
    text = effects.read_text("utf-8")
    union = "Effect = Move |"
    swap = (
        f"@dataclass\nclass Swap({_EffectBase.__name__}):\n"
        "    one: VariableRef\n    other: VariableRef\n    location: Location\n"
    )
    assert text.count(union) == 1
    known = ROOT / "build" / "mypy"  # what `make types` found out; most of it is about other packages, and stays true
    if known.is_dir():
        shutil.copytree(known, tmp_path / "cache")
    effects.write_text(text.replace(union, f"{swap}\n\nEffect = Swap | Move |"), "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path / "cache"), "solver"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "[name-defined]" not in done.stdout
    told = re.findall(r"^solver/oddsmith/(.+?):\d+: error: Argument 1 to \"assert_never\"", done.stdout, re.MULTILINE)
    model = {"ruleset/model/effects.py", "ruleset/model/__init__.py"}
    words = {"ruleset/reading/effects.py", "ruleset/reading/reader.py", "editor/uses.py"}
    assert set(told) == recipe("A kind of effect")[0] - model - words


def test_every_method_of_the_solver_has_its_row() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    assert [name for name in get_args(Method) if f"| `{name}` |" not in page] == []


def test_every_kind_of_best_play_has_its_words() -> None:
    checker = (ROOT / "solver" / "oddsmith" / "proof" / "values.py").read_text("utf-8")  # which knows no solver
    assert set(KINDS) == set(get_args(PlayKind))
    assert all(f'"{kind}"' in checker for kind in KINDS)
    assert "`" not in "".join(words.line + words.sentence + words.cell for words in KINDS.values())
