"""What the command line does with a game that was solved by stages and kept."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from oddsmith.base.exact import Number
from oddsmith.cli import main
from oddsmith.cli.advising import advice_lines
from oddsmith.solve.solution import Advice
from tests.terminal import run

PIG = ("pig", "--set", "target=8")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that keeps a game."""
    folder = tmp_path_factory.mktemp("kept") / "store"
    assert run("solve", "--by", "stages", *PIG, "--store", str(folder)).returncode == 0
    return folder


def test_advice_from_what_is_kept_is_that_of_the_whole_game(store: Path) -> None:
    asked = (*PIG, "--state", "pot=3,score[2]=5", "--digits", "8")
    kept, whole = run("advise", *asked, "--store", str(store)), run("advise", *asked)
    assert kept.returncode == 0
    numbers = [[line.split("  (")[0] for line in told.stdout.splitlines()] for told in (kept, whole)]
    assert numbers[0] == numbers[1]
    data = json.loads(run("advise", *asked, "--store", str(store), "--json").stdout)
    assert data["best"] == json.loads(run("advise", *asked, "--json").stdout)["best"]


def test_what_no_bound_tells_apart_is_not_said_to_lose() -> None:
    value, tiny = Number.of(1), Fraction(1, 10**20)
    losses = [(Number.of(0), True), (Number(Fraction(0), tiny), False), (Number(tiny, 2 * tiny), False)]
    actions = [Advice(row, f"act {row}", value, loss, best) for row, (loss, best) in enumerate(losses)]
    told = [line.split("  ")[3] for line in advice_lines("here", actions, 6, {})[1:]]
    assert told == ["best", "not told apart from the best", "loses 0.000000"]
    mixed = advice_lines("here", actions[:1], 6, {"act 0": Number.of(Fraction(1, 3))})
    assert mixed[1].split("  ")[3] == "best, taken with chance 33.3333 %"


def test_where_nothing_is_kept_the_game_is_solved_and_kept(tmp_path: Path) -> None:
    words = ("advise", *PIG, "--store", str(tmp_path), "--state", "pot=2")
    first, again = run(*words), run(*words)
    assert "solved by stages, to keep its stages: " in first.stderr
    assert (again.stdout, again.stderr) == (first.stdout, "")


def test_other_play_than_best_is_not_kept(store: Path) -> None:
    told = run("advise", *PIG, "--store", str(store), "--alike")
    assert told.returncode == 1
    assert "--alike takes all positions at once: leave it out" in " ".join(told.stderr.split())


def test_a_game_that_does_not_fit_is_solved_by_stages_and_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def said(*words: str) -> tuple[list[str], str]:
        with pytest.raises(SystemExit):
            main([*words])
        told = capsys.readouterr()
        return [line.split()[2] for line in told.out.splitlines()[1:3]], told.err

    whole, _ = said("solve", *PIG, "--values")
    monkeypatch.setattr("oddsmith.graph.explore.memory_size", lambda: 20_000)
    staged, why = said("solve", *PIG, "--values")
    assert why.startswith(
        "solved by stages, because its positions do not fit the memory together: 441 positions in 14 stages;"
    )
    assert staged == whole


def test_both_ways_have_one_shape_of_data() -> None:
    graph, stages = (json.loads(run("solve", "--by", by, *PIG, "--json").stdout) for by in ("graph", "stages"))
    assert (graph["solved_by"], stages["solved_by"]) == ("graph", "stages")
    assert graph["ruleset"] == stages["ruleset"]
    assert {"objective", "grade", "graph", "values", "measures", "policy"} <= graph.keys() & stages.keys()
    assert stages["graph"]["states"] > 0


@pytest.mark.parametrize("words", [["--thresholds"], ["--table"]])
def test_where_means_the_same_both_ways(words: list[str], tmp_path: Path) -> None:
    told = []
    for by in ("graph", "stages"):
        more = [str(tmp_path / f"{by}.csv")] if words == ["--table"] else []
        run("solve", "--values", "--by", by, *PIG, *words, *more, "--where", "score[1]=3, phase=decide")
    told = [file.read_text("utf-8").splitlines() for file in sorted(tmp_path.iterdir())]
    assert len({len(lines) for lines in told}) <= 1


def test_a_kept_game_is_played_and_its_play_is_one_by_the_rules(store: Path, tmp_path: Path) -> None:
    file = str(tmp_path / "game.json")
    told = run("play", *PIG, "--store", str(store), "--watch", "--seed", "3", "--transcript", file)
    assert told.returncode == 0
    assert "The game is over." in told.stdout
    assert "every move is legal" in run("play", "--verify", file).stdout
    asked = run("play", *PIG, "--store", str(store), "--hints", "--seed", "3", given="q\n")
    assert "best" in asked.stdout


def test_games_are_played_and_their_means_are_said(store: Path) -> None:
    words = ("solve", "--by", "stages", *PIG, "--store", str(store), "--plays", "50", "--seed", "4")
    told, data = run(*words), json.loads(run(*words, "--json").stdout)
    assert told.stdout == run(*words).stdout
    assert "50 games played:" in told.stdout
    assert [each["seat"] for each in data["plays"]["values"]] == [1, 2]
    assert sum(float(each["decimal"]) for each in data["plays"]["values"]) == pytest.approx(1)
    assert data["plays"]["turns"]["standard_error"] > 0


def test_what_to_do_in_some_positions_is_said_in_a_few_lines(store: Path) -> None:
    words = ("solve", "--by", "stages", *PIG, "--store", str(store), "--where", "score[1]=3")
    told = run(*words, "--thresholds").stdout
    assert told.endswith(
        "decide: 21 decisions\n  Throw again wherever there is a choice\n  Bank is best only where it is the only option\n"
    ), told
    assert json.loads(run(*words, "--thresholds", "--json").stdout)["choices"][0]["taken"] == {"Throw again": 21}
    alone = run(*words)
    assert alone.returncode == 2
    assert "--where is for --table and --thresholds" in alone.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--state", "pott=3"], "did you mean pot?"),
        (["--state", "pot=3,mover=4"], "seats are 1 to 2"),
        (["--thresholds", "--where", "scor[1]=2"], "did you mean score?"),
        (["--distribution", "turn"], "did you mean turns?"),
        (["--distribution", "count throw/Bus"], "did you mean Bust?"),
        (["--distribution", "turns given thow/Bust"], "did you mean throw?"),
        (["--distribution", "turns seat 3"], "there is no seat 3"),
        (["--objective", "wins"], "did you mean"),
    ],
    ids=lambda each: each[-1] if isinstance(each, list) else "",
)
def test_a_slip_in_a_question_is_told_before_anything_is_solved(
    words: list[str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("oddsmith.solve.staged.staged.solve_by_stages", lambda *given: pytest.fail("it was solved"))
    told = run("solve", "--by", "stages", *PIG, *words)
    assert told.returncode == 1
    assert said in " ".join(told.stderr.split())


def test_a_game_with_several_choices_is_asked_nothing_that_nobody_asked() -> None:
    told = run("solve", "--by", "stages", "column-race", "--set", "shortest=1", "--measures")
    assert told.returncode == 0
    assert "Spread of the turns (standard deviation): 0.621869209420  (proven)" in told.stdout


def test_values_are_told_also_where_a_later_question_has_no_answer() -> None:
    told = run("solve", "--by", "stages", *PIG, "--state", "pot=1")  # play comes to no such pot: a throw of 1 is a bust
    assert told.returncode == 1
    assert "play never comes to" in told.stderr
    assert "seat 1: 0." in told.stdout
