"""``tournament`` and ``evening`` in a terminal, and the best response that ``solve`` names."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from tests.terminal import run


def test_a_tournament_is_a_table_with_what_follows_from_it() -> None:
    done = run("contest", "tournament", "piglet", "--set", "target=6")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "Piglet, 2 seats, win: a tournament (exact)"
    assert lines[2].split() == ["1", "2", "3", "4"]
    assert lines[3].split() == ["1", "bank", "at", "once", "0.5000", "0.4556", "0.8356", "0.4265"]
    assert lines[7].split()[:3] == ["best", "response", "0.5944"]
    assert "hold at 2 beats bank at once and all or nothing" in lines
    assert "all or nothing beats nobody" in lines
    assert "best play beats everybody else" in lines
    assert "best response to bank at once: 0.5944, 0.0209 more than best play" in lines
    assert "best response to best play: 0.5000, as best play does" in lines


def test_only_those_who_are_named_take_part() -> None:
    done = run("contest", "tournament", "piglet", "--policies", "bank at once,best", "--no-answers")
    assert [line.split(" beats ")[0] for line in done.stdout.splitlines()[5:]] == ["bank at once", "best play"]
    done = run("contest", "tournament", "piglet", "--policies", "bank at one")
    assert done.returncode == 1
    assert "did you mean bank at once?" in done.stderr


def test_a_pair_that_may_never_end_is_told_and_the_others_go_on(tmp_path: Path) -> None:
    text = (Path(__file__).parents[1] / "samples" / "piglet.yaml").read_text("utf-8")
    wait = "policies:\n  wait:\n    decide:\n      - {option: Stop, when: stash == 0}\n      - {option: Stop}\n"
    (tmp_path / "mine.yaml").write_text(text + wait, encoding="utf-8")
    done = run("contest", "tournament", "mine.yaml", "--set", "target=2", "--set", "may_wait=true", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "no answer where play between these may go on for ever: wait against wait" in done.stdout
    assert "best play beats wait" in done.stdout


def test_matches_are_written_as_csv(tmp_path: Path) -> None:
    done = run("contest", "tournament", "piglet", "-o", "found.csv", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    with (tmp_path / "found.csv").open(encoding="utf-8") as file:
        records = list(csv.DictReader(file))
    assert len(records) == 20
    assert records[0]["seat_1"] == "0.592592592593"
    assert run("contest", "tournament", "piglet", "-o", "found.txt", cwd=tmp_path).returncode == 2


def test_machines_get_fractions() -> None:
    data = json.loads(run("contest", "tournament", "piglet", "--json").stdout)
    assert set(data) == {
        "ruleset", "objective", "seats", "grade", "policies", "matches", "answers", "beats", "notes",
    }  # fmt: skip
    assert data["ruleset"]["id"] == "piglet"
    first = data["matches"][0]
    assert (first["policy"], first["against"], first["mean"]["exact"]) == ("bank at once", "bank at once", "1/2")
    assert [value["exact"] for value in first["values"]] == ["16/27", "11/27"]
    assert data["beats"]["hold at 2"] == ["bank at once"]
    data = json.loads(
        run("contest", "evening", "piglet", "--games", "10", "--purse", "3", "--than", "hold at 2", "--json").stdout
    )
    assert set(data) == {
        "ruleset", "objective", "grade", "games", "seat", "player", "others", "stake", "need", "purse", "ruin", "lasting",
        "result", "than", "than_ruin", "lead",
    }  # fmt: skip
    assert data["ruin"]["exact"] == "1820592/5764801"
    assert (data["stake"], data["need"], data["grade"]) == ("1", "1", "exact")
    assert {"mean", "spread", "quantiles", "outcomes", "ahead", "even", "behind"} <= set(data["result"])
    assert data["lead"]["ahead"]["exact"] == data["lead"]["behind"]["exact"]


def test_an_evening_is_told_with_bars_and_what_ruin_means() -> None:
    done = run("contest", "evening", "piglet", "--games", "2", "--purse", "1", "--stake", "1")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[:4] == [
        "Piglet, 2 seats, win: 2 games (exact)",
        "best play in each seat in turn, from seat 1 on, against best play",
        "in each game everybody stakes 1, and the winner takes all 2",
        "won or lost, mean 0.0612, standard deviation 1.1851",
    ]
    # 4/7 in seat 1, 3/7 in seat 2: lost at once 3/7, won and lost 16/49, won twice 12/49.
    assert [line.split()[:2] for line in lines[4:7]] == [["-1", "42.8571"], ["0", "32.6531"], ["2", "24.4898"]]
    assert "  ahead 24.4898 %, even 32.6531 %, behind 42.8571 %" in lines
    assert "ruined with a purse of 1: 42.8571 %" in lines
    assert "fewer than 1 left" in lines[-1]


def test_an_evening_in_which_nothing_is_lost_has_nobody_ahead() -> None:
    shown = run("contest", "evening", "farkle-turn", "--set", "limit=4", "--games", "2").stdout
    assert "together, mean" in shown
    assert "ahead" not in shown


def test_an_evening_that_makes_no_sense_is_refused() -> None:
    done = run(
        "contest", "evening", "rogues-gambit", "--seats", "2", "--set", "coins_each=3", "--games", "3", "--purse", "2"
    )
    assert (done.returncode, done.stderr) == (1, "oddsmith: a purse of 2 is too small for the first game: it takes 3\n")
    assert run("contest", "evening", "piglet").returncode == 2
    assert run("contest", "evening", "piglet", "--games", "2", "--sure", "99").returncode == 2


def test_the_purse_that_lasts_is_found() -> None:
    shown = run(
        "contest", "evening", "piglet", "--games", "2", "--sure", "57%", "--sure", "58%", "--sure", "999/1000"
    ).stdout
    # Ruined with 1 coin: lost at once, 3/7. With 2 coins: lost twice, 3/7 * 4/7.
    assert "a purse of 1 lasts in 57 % of evenings" in shown
    assert "a purse of 2 lasts in 58 % of evenings" in shown
    assert "a purse of 3 lasts in 99.9 % of evenings" in shown


def test_solve_says_what_the_best_answer_gains() -> None:
    words = ("solve", "piglet", "--policy", "2=bank at once", "--digits", "4")
    assert "best response of seat 1: 0.6519; the usual best play gets 0.0119 less: 0.6400" in run(*words).stdout
    data = json.loads(run(*words, "--json").stdout)["best_response"]
    assert (data["seat"], data["gain"]["exact"]) == (1, "8/675")
    assert "best response of" not in run(*words, "--values").stdout


def test_one_option_names_the_policy_of_several_seats() -> None:
    words = ("solve", "rogues-gambit", "--seats", "3", "--set", "coins_each=3", "--values", "--digits", "4")
    one = run(*words, "--policy", "2..3=hold at 20").stdout
    assert one == run(*words, "--policy", "2=hold at 20", "--policy", "3=hold at 20").stdout
    assert "named policies" in one
    assert run(*words, "--policy", "2..4=hold at 20").returncode == 1
    assert run(*words, "--policy", "..4=hold at 20").returncode == 2
