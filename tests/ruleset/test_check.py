"""What is said of a game without playing it is true, and every sample passes."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from oddsmith.api.checking import check_source
from oddsmith.base.dice import Hand
from oddsmith.base.errors import RuleFailure, RulesetError, UnknownCodeError
from oddsmith.base.location import Source
from oddsmith.expr.evaluation import EvaluationContext, compiled_function
from oddsmith.expr.functions import items_or_faces
from oddsmith.expr.intervals import Interval
from oddsmith.expr.ranges import RangeAnalyzer
from oddsmith.expr.tree import Expr
from oddsmith.graph.explore import Explorer
from oddsmith.graph.witness import steps_in_words
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.checking.check import check_at_many_settings, check_game
from oddsmith.ruleset.checking.codes import explain_problem_code, problem_codes_by_name
from oddsmith.ruleset.checking.ranging import declared_bounds
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.reading.build import load_ruleset, read_ruleset
from oddsmith.ruleset.rules import Rules
from tests.ruleset.finding import ROOT, SAMPLES, laid_over, problems_of

# --- the table of codes


def test_the_table_of_codes_is_complete_and_has_no_dead_ones() -> None:
    used = set()
    for path in (ROOT / "solver").rglob("*.py"):
        used |= set(re.findall(r"\bOD\d{3}\b", path.read_text(encoding="utf-8")))
    assert sorted(problem_codes_by_name()) == list(problem_codes_by_name())
    assert set(problem_codes_by_name()) == used


RUN = {
    code: entry
    for code, entry in problem_codes_by_name().items()
    if not entry.are_examples_sentences and not code.startswith("OD7")
}  # those are lint's


def found(text: str, whole: bool) -> list[tuple[str, str]]:
    """Code and severity of the problems in the lines of an example itself."""
    last = text.rstrip("\n").count("\n") + 1
    problems = problems_of(text if whole else laid_over(text))
    return [(problem.code, problem.severity) for problem in problems if problem.location.line <= last]


@pytest.mark.parametrize("code", RUN)
def test_the_wrong_example_has_the_problem_and_the_right_one_has_none(code: str) -> None:
    entry = RUN[code]
    assert code in {name for name, _ in found(entry.wrong_example, entry.are_examples_files)}
    if not entry.are_examples_files:
        after = found(entry.right_example, entry.are_examples_files)
        assert code not in {name for name, _ in after}
        assert "error" not in {severity for _, severity in after}


IN_PLAY = [code for code in RUN if code.startswith("OD5")]


@pytest.mark.parametrize("code", IN_PLAY)
def test_the_explorer_meets_what_the_rules_for_one_state_meet(code: str) -> None:
    ruleset, _ = read_ruleset(Source("game.yaml", laid_over(RUN[code].wrong_example)))
    with pytest.raises(RulesetError) as caught:
        Explorer(bind(ruleset), next(iter(ruleset.payoffs))).explore()
    assert [problem.code for problem in caught.value.problems] == [code]


def test_explaining() -> None:
    assert explain_problem_code("od305").startswith(
        "OD305: Python that is not in the language\n\nExpressions look like Python"
    )
    with pytest.raises(UnknownCodeError, match="did you mean OD"):
        explain_problem_code("OD30")


# --- what is said


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_samples_have_no_problem_at_any_setting(path: Path) -> None:
    assert check_at_many_settings(load_ruleset(path)[0]) == []


def test_what_matters_at_some_setting_is_not_called_idle() -> None:
    text = """
parameters:
  long: {default: false, type: flag, about: A long game.}
phases:
  throw:
    roll: {die: d6}
    outcomes:
      - {name: Six, when: die == 6 and not long, then: end}
      - {name: Never, when: die == 7, then: end}
      - {name: One, when: die == 1 and long, then: end}
      - {name: Other, then: pass}
"""
    ruleset, _ = read_ruleset(Source("game.yaml", laid_over(text)))
    assert [problem.location.line for problem in check_game(bind(ruleset))] == [9, 10]
    assert [problem.location.line for problem in check_at_many_settings(ruleset)] == [9]


TESTS = ("die <= {}", "die == {}", "die > {}", "die in [1, {}]", "die % 2 == {} % 2", "die == {} and fed", "not fed")


def test_uncovered_rolls_and_shadowed_outcomes_are_those_that_counting_finds() -> None:
    chance = random.Random(3)  # noqa: S311
    told: Counter[str] = Counter()
    for _ in range(150):
        tests = [chance.choice(TESTS).format(chance.randint(1, 5)) for _ in range(chance.randint(1, 5))]
        entries = "".join(f"      - {{name: E{k}, when: '{test}', then: pass}}\n" for k, test in enumerate(tests))
        text = f"phases:\n  throw:\n    roll: {{die: d6}}\n    outcomes:\n{entries}"
        ruleset, _ = read_ruleset(Source("game.yaml", laid_over(text)))
        problems = {problem.code: problem for problem in check_game(bind(ruleset))}
        takers = {
            (die, fed): [k for k, test in enumerate(tests) if holds(test, die, fed)]
            for die in range(1, 7)
            for fed in (False, True)
        }
        nowhere = [die for die in range(1, 7) if not takers[die, False] and not takers[die, True]]
        assert ("OD511" in problems) == bool(nowhere)
        if nowhere:
            ways = "1 way" if len(nowhere) == 1 else f"{len(nowhere)} ways"
            assert f"d6 can give {nowhere[0]}: no outcome covers it; {ways}," in problems["OD511"].message
        somewhere = any(not taken for taken in takers.values())
        assert bool({"OD511", "OD611"} & set(problems)) == somewhere
        idle = set(range(len(tests))) - {taken[0] for taken in takers.values() if taken}
        assert bool({"OD604", "OD605", "OD606"} & set(problems)) <= bool(idle)
        told.update(list(problems))
    assert min(told[code] for code in ("OD511", "OD611", "OD606")) > 5


def holds(test: str, die: int, fed: bool) -> bool:
    """The tests of this page are Python as well."""
    match test.split():
        case ["not", "fed"]:
            return not fed
        case ["die", "<=", k]:
            return die <= int(k)
        case ["die", ">", k]:
            return die > int(k)
        case ["die", "==", k]:
            return die == int(k)
        case ["die", "==", k, "and", "fed"]:
            return die == int(k) and fed
        case ["die", "in", _, k]:
            return die in (1, int(k.rstrip("]")))
        case _:
            return die % 2 == int(test.split()[4]) % 2


# --- ranges hold what play gives


def trees_of(game: Game) -> Iterator[Expr]:
    """Every expression that needs no name of its place."""
    rules = game.ruleset
    whole = [rules.out_when, rules.end_when]
    for phase in rules.phases.values():
        for entry in phase.entries:
            whole += [entry.when, *(items for _, items in entry.loops)]
            whole += [tree for effect in entry.do for tree in effect.expressions_read]
    for tree in whole:
        for node in tree.walk():
            names = {inner.value[0] for inner in node.walk() if inner.op == "each"}
            if all(inner.value in names for inner in node.walk() if inner.op == "local"):
                yield node


def moments(game: Game, chance: random.Random, count: int) -> Iterator[EvaluationContext]:
    """Positions of random play."""
    rules = Rules(game)
    state = rules.start()
    for _ in range(count):
        yield rules.context(state)
        following = [step.state for _, step in steps_in_words(rules, state) if step.state.phase]
        state = chance.choice(following) if following else rules.start()


def within(value: Any, range_: Interval) -> bool:
    if isinstance(value, bool | int):
        return range_.low <= value <= range_.high
    if isinstance(value, Hand | tuple):
        items = [item for item in items_or_faces(value) if isinstance(item, int)]
        sizes = range_.least <= len(value) <= range_.most
        inner = all(range_.inner[0] <= len(item) <= range_.inner[1] for item in value if isinstance(item, Hand))
        return sizes and (isinstance(value, Hand) or inner) and all(within(item, range_) for item in items)
    return True


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_ranges_hold_every_value_that_play_gives(path: Path) -> None:
    game = bind(load_ruleset(path)[0])
    bounds, ranger = declared_bounds(game), RangeAnalyzer(lambda problem: None)
    trees = [(tree, compiled_function(tree)) for tree in dict.fromkeys(trees_of(game))]
    flags = [(tree, test) for tree, test in trees if tree.type.kind == "flag"]
    chance = random.Random(4)  # noqa: S311
    for m in moments(game, chance, 60):
        values = []
        for tree, function in trees:
            try:
                values.append((tree, function(m)))
            except (RuleFailure, ZeroDivisionError):
                continue
        for tree, value in values:
            assert within(value, ranger.range(tree, bounds)), (tree.span.covered_text, value)
        for test, function in flags:
            try:
                truth = function(m)
            except (RuleFailure, ZeroDivisionError):
                continue
            narrowed = ranger.narrow(test, truth, bounds)
            for tree, value in values:
                assert within(value, ranger.range(tree, narrowed)), (
                    test.span.covered_text,
                    tree.span.covered_text,
                    value,
                )


def test_a_phase_that_leads_to_itself_for_ever_is_told_besides_those_that_it_leaves_out() -> None:
    """What stands at the name of a phase is about all of it."""
    text = laid_over(
        """\
phases:
  throw:
    roll: {die: d6}
    then: throw
  decide:
    choose:
      - {name: Stop, then: end}
"""
    )
    told = {problem.code: problem for problem in check_source(Source("game.yaml", text)).problems}
    assert told["OD429"].severity == "warning"
    assert told["OD541"].severity == "error"
    lines = text.splitlines()
    assert lines[told["OD429"].location.line - 1] == "  decide:"
    assert lines[told["OD541"].location.line - 1] == "  throw:"
