"""Whatever is wrong with a ruleset is said at its place, in full and in bounded time; nothing crashes."""

from __future__ import annotations

import os
import random
import re
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from oddsmith.base.errors import PlayError, RulesetError
from oddsmith.base.location import Source, text_without_file
from oddsmith.expr.parse import BadExpression
from oddsmith.expr.scope import Scope
from oddsmith.expr.typing import typed_tree
from oddsmith.graph.explore import Explorer
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.checking.codes import problem_codes_by_name
from oddsmith.ruleset.reading.build import load_ruleset, read_ruleset
from oddsmith.ruleset.reading.source import MAX_BYTES
from tests.ruleset.finding import BASE, ROOT, laid_over, mutated, problems_of

BAD = Path(__file__).parent / "bad"
TRAPS: dict[str, str] = YAML(typ="safe", pure=True).load((BAD / "traps.yaml").read_text(encoding="utf-8"))
EXAMPLES = {
    code: entry.wrong_example if entry.are_examples_files else laid_over(entry.wrong_example)
    for code, entry in problem_codes_by_name().items()
    if not entry.are_examples_sentences and not code.startswith("OD7")  # those are for the lint, and no mistakes
}
CASES = {"traps": {name: laid_over(text) for name, text in TRAPS.items()}, "codes": EXAMPLES}
GOLDEN = {name: BAD / f"{name}.txt" for name in CASES}
ROGUES_GAMBIT = (ROOT / "rulesets" / "rogues-gambit.yaml").read_text(encoding="utf-8")


def told(text: str) -> str:
    """Every problem of a ruleset but those that the base game has of its own."""
    own = {(problem.code, problem.message) for problem in problems_of(BASE)}
    problems = [problem for problem in problems_of(text) if (problem.code, problem.message) not in own]
    return "\n".join(map(str, problems)) + "\n"


def golden(name: str) -> str:
    """The golden text of a set of cases."""
    return "\n".join(f"# {case}\n{told(text)}" for case, text in CASES[name].items())


def expected(name: str) -> dict[str, str]:
    parts = re.split(r"^# (.*)\n", GOLDEN[name].read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {case: text.rstrip("\n") + "\n" for case, text in zip(parts[1::2], parts[2::2], strict=True)}


@pytest.mark.parametrize("name", CASES)
def test_the_golden_files_have_every_case(name: str) -> None:
    assert list(expected(name)) == list(CASES[name])


@pytest.mark.parametrize(("name", "case"), [(name, case) for name, cases in CASES.items() for case in cases])
def test_every_problem_is_told_in_full(name: str, case: str) -> None:
    assert told(CASES[name][case]) == expected(name)[case]


# --- files that are no rulesets


@pytest.mark.parametrize(
    ("raw", "code", "message"),
    [
        (b"", "OD105", "the file is empty"),
        (b"\n\n", "OD105", "the file is empty"),
        (b"# nothing but words\n", "OD105", "the file is empty"),
        (b"- a\n- b\n", "OD105", "a ruleset is a map of keys"),
        (b"just words\n", "OD105", "a ruleset is a map of keys"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "OD103", "this is not text in UTF-8"),
        (b"id: a\x00b\n", "OD103", "a control character stands here"),
        (b'id: "\\ud83d"\n', "OD103", "half a character stands here"),
        (b"id: a\nid", "OD104", "this is not YAML: a `:` is missing after this key"),
    ],
)
def test_files_that_are_no_rulesets(tmp_path: Path, raw: bytes, code: str, message: str) -> None:
    path = tmp_path / "game.yaml"
    path.write_bytes(raw)
    with pytest.raises(RulesetError) as caught:
        load_ruleset(path)
    assert [(problem.code, problem.message) for problem in caught.value.problems] == [(code, message)]


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.yaml"):
        with pytest.raises(RulesetError) as caught:
            load_ruleset(path)
        assert caught.value.problems[0].code == "OD101"


def test_a_file_of_100_megabytes_is_not_even_read(tmp_path: Path) -> None:
    path = tmp_path / "large.yaml"
    path.touch()
    os.truncate(path, 100_000_000)
    with pytest.raises(RulesetError) as caught:
        load_ruleset(path)
    problem = caught.value.problems[0]
    assert (problem.code, problem.message) == (
        "OD102",
        f"the file has 100,000,000 bytes; a ruleset has at most {MAX_BYTES:,}",
    )


def bombs() -> dict[str, tuple[str, str]]:
    """Texts that would take all time or memory, with the code that must be told."""
    laughs = "".join(f"b{k}: &b{k} [*b{k - 1}, *b{k - 1}]\n" for k in range(1, 60))
    doubled = "".join(f"  e{k}: e{k - 1} + e{k - 1}\n" for k in range(1, 25))
    chained = "".join(f"  a{k}: a{k - 1} + 1\n" for k in range(1, 400))
    tested = "".join(f"  t{k}: (1 if t{k - 1} == 1 and pot > {k} else 0)\n" for k in range(1, 45))
    much = "".join(f"  m{k}: m{k - 1} + m{k - 1}\n" for k in range(1, 13)) + "measures:\n"
    much += "".join(f"  q{k}: {{mean: m12, at: end}}\n" for k in range(500))
    return {
        "anchors": ("b0: &b0 [x, x]\n" + laughs, "OD107"),
        "brackets": ("a: " + "[" * 50_000, "OD109"),
        "closed brackets": ("a: " + "[" * 50_000 + "]" * 50_000, "OD109"),
        "braces": ("{a: " * 50_000, "OD109"),
        "dashes": ("- " * 50_000, "OD109"),
        "indentation": ("".join(f"{' ' * k}a:\n" for k in range(1_000)), "OD109"),
        "a long expression": (BASE + "end_when: " + "1 + " * 250_000 + "1\n", "OD205"),
        "brackets in an expression": (
            BASE + "end_when: '" + "size([" * 58 + "1" + "])" * 58 + " > 3'\n",
            "OD302",
        ),
        "signs": (BASE + "end_when: " + "-" * 480 + "1 > 0\n", "OD302"),
        "definitions that double": (f"{BASE}define:\n  e0: pot\n{doubled}end_when: e24 > 0\n", "OD302"),
        "definitions that chain": (f"{BASE}define:\n  a0: pot\n{chained}end_when: a399 > 0\n", "OD302"),
        "tests inside tests": (f"{BASE}define:\n  t0: pot\n{tested}end_when: t44 > 0\n", "OD302"),
        "a file of large definitions": (f"{BASE}define:\n  m0: pot\n{much}", "OD302"),
        "a list without end": (BASE + "end_when: size(span(1, 10000000 * pot)) > 3\n", "OD415"),
        "dice without end": (laid_over("phases: {throw: {roll: {hand: 99d999}, then: end}}"), "OD417"),
    }


@pytest.mark.parametrize("name", bombs())
def test_bombs_do_not_go_off(name: str) -> None:
    text, code = bombs()[name]
    assert code in {problem.code for problem in problems_of(text)}


def test_tests_inside_tests_take_no_time_without_end() -> None:
    """As deep as is allowed: each level asks about the one below in a test, a branch and a comparison."""
    tested = "".join(f"  t{k}: (1 if t{k - 1} == 1 and pot > {k} else 0)\n" for k in range(1, 17))
    text = f"{BASE}define:\n  t0: pot\n{tested}end_when: t16 > 0\n"
    assert {problem.code for problem in problems_of(text) if problem.severity == "error"} <= {"OD531"}


# --- a rule that breaks in play


def test_leaving_a_range_tells_the_play_that_leads_there() -> None:
    ruleset, _ = read_ruleset(Source("game.yaml", laid_over(TRAPS["a turn's points that never reset"])))
    with pytest.raises(PlayError) as caught:
        Explorer(bind(ruleset), "points").explore()
    problem = caught.value.problem
    assert (problem.code, problem.message) == ("OD521", "stash would become 7, above its max of 6")
    assert problem.location.line == 8
    assert (
        caught.value.play
        == (
            "seat 1 in throw: die 5",
            "seat 1 chooses Go on",
            "seat 1 in throw: die 2",
        )
        or len(caught.value.play) == 3
    )


# --- fuzz

WORDS = (
    "a b pot stash purse fed others table seat next 1 2 0 -3 1.5 'x' True None ( ) [ ] { } , : ; . .. ... + - * / // % "
    "** @ & | ^ ~ << >> == != < <= > >= = := -> => ! in not and or is if else for lambda yield await async def import "
    "sum min max any all count size span rank subsets has_run lookup share sorted distinct all_equal abs exec eval x p "
    "__import__ f'{pot}' b'x' 0x1F 1_000 1e9 1j é ≥ # $ ? ` hand colours red worth goal"
)


def test_random_python_is_an_expression_or_an_expression_error() -> None:
    chance = random.Random(1)  # noqa: S311
    ruleset, _ = read_ruleset(Source("game.yaml", BASE))
    scope = Scope(ruleset.symbols)
    refused = []
    for _ in range(2_000):
        text = chance.choice(["", " "]).join(chance.choices(WORDS.split(), k=chance.randint(1, 9)))
        try:
            typed_tree(text_without_file(text), scope)
        except BadExpression as error:
            refused.append((error.problem(), text))
    assert 1_000 < len(refused) < 1_975
    for problem, text in refused:
        assert 1 <= problem.location.column <= len(text) + 1
        assert problem.code.startswith("OD3")


def test_a_mutated_ruleset_loads_or_says_what_is_wrong() -> None:
    chance = random.Random(2)  # noqa: S311
    good = 0
    for _ in range(300):
        text = mutated(ROGUES_GAMBIT, chance)
        problems = problems_of(text)
        good += not any(problem.severity == "error" for problem in problems)
        last = text.count("\n") + 1
        for problem in problems:
            assert 1 <= problem.location.line <= last + 1
            assert problem.location.column >= 1
            assert problem.location.file == "game.yaml"
            assert problem.message
    assert 20 < good < 280


def test_a_problem_inside_folded_text_points_at_its_character() -> None:
    text = laid_over("end_when: >\n  pot > 3\n  and\n  pott > 4")
    found = [str(problem.location) for problem in problems_of(text) if problem.severity == "error"]
    assert found == ["game.yaml:4:3"]
