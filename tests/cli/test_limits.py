"""What would take all time or memory is answered after all, or refused at its line with what it comes to and what helps."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from oddsmith.api.checking import check_file
from oddsmith.base.errors import PlayError, RulesetError
from oddsmith.base.limits import NAMES, Limits, limited, limits, set_limits
from oddsmith.cli import main
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.checking.codes import problem_codes_by_name
from oddsmith.ruleset.reading.build import load_ruleset
from oddsmith.ruleset.rules import Rules
from oddsmith.solve.game_solver import solve
from tests.ruleset.finding import ROOT
from tests.terminal import run

SAMPLES = ROOT / "tests" / "samples"


def game(roll: str = "d6", when: str = "1 in hand", low: str = "then: again", **more: str) -> str:
    """A small game for one: throw until something shows."""
    keys = {"dice": "{}", "state": "{pot: {max: 5}}", **more}
    shown = "\n".join(f"{key}: {value}" for key, value in keys.items() if value != "{}")
    return f"""\
format: 1
id: small
title: Small
summary: Throw until something shows.
seats: 1
{shown}
payoffs: {{win: pot}}
turn: throw
phases:
  throw:
    roll: {{hand: {roll}}}
    outcomes:
      - {{name: High, when: "{when}", do: set pot to 3, then: end}}
      - {{name: Low, {low}}}
"""


def choosing(loops: str, state: str = "{pot: {max: 5}}") -> str:
    """A small game for one: choose something out of much."""
    return f"""\
format: 1
id: small
title: Small
summary: Choose.
seats: 1
state: {state}
payoffs: {{win: pot}}
turn: pick
phases:
  pick:
    choose:
      - {{name: Pick, for: {loops}, do: set pot to 1, then: end}}
"""


THREE = "20 of d2, more: 20 of d2, most: 20 of d2"
SOME = "{loaded: {faces: [1, 2], weights: [999999, 1000003]}}"
LOADED = "{loaded: {faces: [1, 2], weights: [1, 9007199254740991]}}"
THIN = "{pot: {max: 5}, big: {max: 1000000000}}"
REFUSED = {
    "a thousand coins": (game("1000 of d2"), "OD417", "about 10^301 ways", "a phase of their own"),
    "a sum of a thousand coins": (game("1000 of d2", "sum(hand) > 1500"), "OD417", "about 10^301 ways", "their sum"),
    "thirty dice": (game("30d6", "sum(hand) > 100"), "OD417", "about 10^23 ways", "their sum"),
    "sixty dice": (game("60 of d6", "sum(hand) > 200"), "OD417", "about 10^47 ways", "their sum"),
    "heavy weights": (game("loaded + loaded", dice=LOADED), "OD417", "about 10^32 ways", "smaller weights"),
    "many weights": (
        game("9 of loaded", dice=SOME),
        "OD417",
        "about 10^57 ways",
        "smaller weights",
    ),
    "many hands": (game("12 of d20"), "OD417", "can show 141,120,525 different hands", "--limit hands="),
    "many throws": (game("20d6, more: 20d6"), "OD417", "together can show 2,822,796,900 different hands", "fewer dice"),
    "many ways": (
        game(THREE, "1 in hand or sum(more) > 30 or sum(most) > 31"),
        "OD417",
        "rolls and draws in throw",
        "several phases",
    ),
    "a hand of twenty": (
        choosing("{part: subsets(kept)}", "{pot: {max: 5}, kept: {type: hand, dice: 20d6}}"),
        "OD417",
        "230,230 hands",
        "--limit kept=",
    ),
    "nested options": (
        choosing('{a: "span(1, 1000)", b: "span(1, 1000)", c: "span(1, 1000)"}'),
        "OD421",
        "over a, b, c",
        "items=",
    ),
    "nested spans": (
        game(when="sum(a * b for a in span(1, 1000) for b in span(1, 1000)) > 1"),
        "OD421",
        "made by loops",
        "items=",
    ),
    "loops in loops": (
        game(when="sum(sum(sum(1 for c in span(1, 90)) for b in span(1, 90)) for a in span(1, 90)) > 1"),
        "OD507",
        "over 100,000 rounds",
        "rounds=",
    ),
    "a long way to go": (
        game(low="do: 'set big to min(1000000000, big + 1)', then: again", state=THIN),
        "OD433",
        "at most 6,000,000,006 positions",
        "steps=",
    ),
    "one long list": (
        game(lists=f"{{big: [{', '.join(map(str, range(9_000)))}]}}"),
        "OD113",
        "over 5,000 keys and values",
        "values=",
    ),
    "unknown keys": (
        game() + "".join(f"key{k}: 1\n" for k in range(9_000)),
        "OD113",
        "over 5,000 keys and values",
        "values=",
    ),
    "nobody to pay": (
        game(when="true")
        .replace("{win: pot}", "{win: 'pot if next == mover else 0'}")
        .replace("set pot to 3", "drop out"),
        "OD505",
        "nobody is in",
        "if size(everyone) > 0",
    ),
    "a circle of cases": (
        game(when="true").replace("then: end", "then: a")
        + "  a:\n    cases: [{name: A, then: b}]\n  b:\n    cases: [{name: B, then: a}]\n",
        "OD428",
        "again and again",
        "lead to a roll",
    ),
}


@pytest.fixture(autouse=True)
def usual() -> Iterator[None]:
    """The limits as they are, whatever a test sets."""
    before = limits()
    yield
    set_limits(before)


def written(folder: Path, text: str) -> Path:
    path = folder / "game.yaml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", REFUSED)
def test_too_much_is_refused_by_solve_at_its_line_with_an_estimate_and_a_way_out(name: str, tmp_path: Path) -> None:
    text, code, message, hint = REFUSED[name]
    with pytest.raises(RulesetError) as caught:
        solve(bind(load_ruleset(written(tmp_path, text))[0]))
    problem = caught.value.problems[0]
    assert problem.code == code
    assert message in problem.message
    assert hint in problem.hint
    assert 1 < problem.location.line <= text.count("\n")
    assert code in problem_codes_by_name()


@pytest.mark.parametrize("name", REFUSED)
def test_check_finds_it_too(name: str, tmp_path: Path) -> None:
    problems = check_file(written(tmp_path, REFUSED[name][0])).problems
    assert problems
    severity = {problem.severity for problem in problems if problem.code == REFUSED[name][1]}
    if name == "a long way to go":
        assert severity == {"warning"}, "a game that is too large to solve is no wrong game"
    elif name != "nested spans":  # of which the ranges say something first
        assert severity == {"error"}


def test_a_long_chain_of_cases_is_answered(tmp_path: Path) -> None:
    chain = "".join(f"  c{k}:\n    cases: [{{name: A, then: c{k + 1}}}]\n" for k in range(400))
    text = game(low="then: c0") + chain + "  c400:\n    cases: [{name: A, then: end}]\n"
    solution = solve(bind(load_ruleset(written(tmp_path, text))[0]))
    assert solution.values[0].exact == Fraction(3, 6)
    rules = Rules(solution.graph.game)
    thrown = rules.weighted_chance_results(rules.start())[0][-1][1]
    assert len(rules.resolve(rules.start(), thrown).events) == 402


def test_many_ifs_in_a_row_are_answered(tmp_path: Path) -> None:
    """Each doubles what is to be worked out, unless positions are taken apart before it grows."""
    steps = ", ".join(f"{{if: pot == {k % 5}, do: set pot to (pot * 3 + {k}) % 6}}" for k in range(60))
    text = game().replace("do: set pot to 3", f"do: [{steps}]")
    pot = 0
    for k in range(60):
        pot = (pot * 3 + k) % 6 if pot == k % 5 else pot
    assert solve(bind(load_ruleset(written(tmp_path, text))[0])).values[0].exact == pot


def test_a_payoff_may_read_the_dice_that_lie_in_a_hand(tmp_path: Path) -> None:
    text = game("rest", "true", state="{pot: {max: 5}, kept: {type: hand, dice: 2d6}}").replace(
        "{hand: rest}", "{kept: rest}"
    )
    text = text.replace("{win: pot}", "{win: sum(kept)}")
    assert solve(bind(load_ruleset(written(tmp_path, text))[0])).values[0].exact == 7


def test_dice_of_which_only_little_is_possible_are_counted(tmp_path: Path) -> None:
    """A hundred dice of one side, and weights that share a factor: what matters is how the throw can fall."""
    assert solve(bind(load_ruleset(written(tmp_path, game("100 of d1")))[0])).values[0].exact == 3
    even = "{even: {faces: [1, 2], weights: [9007199254740991, 9007199254740991]}}"
    assert solve(bind(load_ruleset(written(tmp_path, game("even", dice=even)))[0])).values[0].exact == 3


def test_a_limit_can_be_raised_and_lowered_by_a_program(tmp_path: Path) -> None:
    rules = load_ruleset(written(tmp_path, choosing('{a: "span(1, 120)", b: "span(1, 100)"}')))[0]
    with pytest.raises(PlayError):
        solve(bind(rules))
    with limited(items=12_000):
        assert solve(bind(rules)).values[0].exact == 1
    with limited(items=50), pytest.raises(RulesetError):
        solve(bind(load_ruleset(written(tmp_path, choosing('{a: "span(1, 60)"}')))[0]))
    assert limits() == Limits()


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["solve", "base", "--turns", "1000000000"], 1, "1,000,000,000 turns would be solved one by one, over 1,000"),
        (["--limit", "turns=2", "solve", "base", "--turns", "3"], 1, "over 2"),
        (["solve", "base", "--policy", "²=x"], 2, "write SEAT=NAME"),
        (["solve", "base", "--symbol", "x=1/0..2"], 2, "write a parameter, or NAME=LOW..HIGH"),
        (["solve", "base", "--symbol", f"x=1..{'9' * 5_000}"], 2, "write a parameter, or NAME=LOW..HIGH"),
        (["solve", "base", "--set", f"x={'9' * 5_000}"], 1, "has no parameter x"),
        (["advise", "piglet", "--state", "score[1]=²"], 1, "score=²: a whole number"),
        (["--limit", "patience=3", "check", "base"], 2, f"one of {', '.join(NAMES)}"),
        (["--limit", "turns=0", "check", "base"], 2, "write NAME=NUMBER"),
        (["--limit", "values=20", "check", "base"], 1, "over 20 keys and values stand before this one"),
    ],
)
def test_words_of_the_command_line(words: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as done:
        main([str(SAMPLES / "base.yaml") if word == "base" else word for word in words])
    shown = capsys.readouterr()
    assert (done.value.code, said in shown.err) == (code, True), shown.err


@pytest.mark.parametrize(
    ("error", "said"), [(RecursionError, "nested too deeply"), (MemoryError, "the memory is full")]
)
def test_running_out_of_depth_or_memory_is_said_in_words(
    error: type[Exception], said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("oddsmith.ruleset.checking.explain_problem_code", full)
    with pytest.raises(SystemExit) as done:
        main(["check", "--explain", "OD101"])
    assert done.value.code == 1
    assert said in capsys.readouterr().err


def test_every_limit_is_described_where_the_command_line_is(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "reference" / "limits.md").read_text(encoding="utf-8")
    for name in NAMES:
        assert f"| `{name}` | {getattr(Limits(), name):,} |" in page


LAST_ONE = """\
format: 1
id: last-one
title: Last One
summary: Whoever rolls a 1 loses a life and rolls again.
seats: {min: 2, max: 3}
parameters:
  lives: {default: 2, min: 1, max: 3}
state:
  life: {each: seat, start: lives, max: lives}
  loser: {type: seat}
payoffs: {win: share(life)}
turn: throw
out_when: life == 0
end_when: size(everyone) == 1
phases:
  throw:
    roll: {die: d2}
    outcomes:
      - name: Lost
        when: die == 1
        do:
          - add -1 to life[next]
          - set loser to next
        then: {pass_to: loser}
      - name: Safe
        then: pass
"""


def test_check_tries_other_numbers_of_players_and_the_least_values(tmp_path: Path) -> None:
    """With two players the game is over before its rule breaks; with three the turn would pass to who is out."""
    file = str(written(tmp_path, LAST_ONE))
    assert run("check", file, "--seats", "2").returncode == 0
    found = run("check", file)
    assert found.returncode == 1
    assert "OD534: the turn would pass to a player who is out (with seats 3)" in found.stderr
