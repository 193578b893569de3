"""Games with secrets in the terminal: nobody is shown what its seat has not seen, and best play draws its choices."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import click
import pytest

import oddsmith
from oddsmith.cli import secret_play
from tests.secrets.test_errors import BOAST
from tests.terminal import run

OVER = "The game is over."
CLEARED = "<cleared>"


def test_the_player_sees_its_own_dice_alone_until_the_end() -> None:
    done = run("play", "cups-and-coins", "--seed", "5", given="1\n1\n")
    assert done.returncode == 0, done.stderr
    before, _, after = done.stdout.partition("The game is over.")
    assert re.findall(r"dice total (\d+)", before)
    assert len({each.strip() for each in re.findall(r"seen: (dice[^\n·]*)", before)}) == 1
    told = re.findall(r"seat (\d) to choose; now (.*)", before)
    assert {seat for seat, _ in told} == {"1"}
    for _, known in told:
        assert re.search(r"\bcup\[1\] \d, stake\[1\]|cup\[1\] \d+ \d+, stake\[1\] \d coin", known), known
        assert "cup[2]" not in known, "nobody showed it"
    assert "cup[2]" in after


def test_advice_gives_chances_and_what_actions_bring() -> None:
    done = run("play", "cups-and-coins", "--seed", "5", given="?\n1\n1\n")
    shares = [float(each) for each in re.findall(r": ([\d.]+) %, brings", done.stdout.partition("2. Bet")[2])]
    assert sum(shares[:2]) == 100


def test_choices_are_told_as_people_say_them() -> None:
    done = run("play", "liars-dice", "--watch", "--seed", "2")
    assert done.returncode == 0, done.stderr
    assert re.search(r"  seat 1: Claim: 1 die shows \d\n", done.stdout)
    assert "many" not in done.stdout


def test_choices_at_once_are_told_together() -> None:
    done = run("play", "two-lanterns", "--watch", "--seed", "2")
    assert done.returncode == 0, done.stderr
    assert re.search(r"  crow: (stay|leave)\n  raven: (stay|leave)\n", done.stdout)
    assert len(re.findall("crow: (?:stay|leave)", done.stdout)) == len(re.findall("raven: (?:stay|leave)", done.stdout))


def test_a_seed_gives_the_same_game() -> None:
    games = [run("play", "mia", "--watch", "--seed", "3").stdout for _ in range(2)]
    assert games[0] == games[1]
    assert "Announce" in games[0]


def test_a_seat_can_follow_a_policy() -> None:
    done = run("play", "liars-dice", "--policy", "2=count your own dice", "--watch", "--seed", "3")
    assert done.returncode == 0, done.stderr
    assert "The game is over." in done.stdout


def test_a_table_of_three_is_played_where_everybody_else_follows_a_policy() -> None:
    seats = ("play", "liars-dice", "--seats", "3", "--seed", "3")
    done = run(*seats, "--policy", "2..3=count your own dice", given="?\n1\n" * 40)
    assert done.returncode == 0, done.stderr
    assert "no advice: this game is not solved at this setting, for 3 seats" in done.stdout
    done = run(*seats, "--policy", "2=count your own dice")
    assert done.returncode == 2
    assert "name a policy for seat 3" in done.stderr


def test_whoever_interrupts_the_solution_plays_without_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(secret_play, "solve_game", interrupt)
    game, anything = oddsmith.load("liars-dice").game, cast(Any, None)
    assert secret_play._solution_if_needed(anything, game, {1, 2}, anything) is None
    with pytest.raises(KeyboardInterrupt):
        secret_play._solution_if_needed(anything, game, {1}, anything)


def test_what_cannot_sit_at_a_table_is_refused_in_a_sentence() -> None:
    assert "mia has no policy any" in run("play", "mia", "--policy", "2=any").stderr
    clash = run("play", "liars-dice", "--policy", "1=count your own dice")
    assert "seat 1 cannot be at the keyboard and play a policy" in clash.stderr
    assert "seats are 1 to 2" in run("play", "mia", "--human", "3").stderr
    assert "is for games in which all see everything" in run("play", "mia", "--by", "stages").stderr


def test_one_person_reads_the_bids_of_the_other_when_they_are_shown_and_not_before() -> None:
    done = run("play", "blind-auction", "--seed", "3", "--set", "treasures=2", "--set", "coins=4", given="1\n2\n")
    first, second, last = done.stdout.split("your choice: ")
    assert re.findall("^  (?:shown: )?seat [12].*", first, re.MULTILINE) == ["  seat 1 rolls die 2"]
    assert re.findall("^ *seat [12].*", second, re.MULTILINE)[:2] == ["  seat 1: 0", "  seat 2: 0"]
    assert re.findall("^ *seat [12]: .*", last, re.MULTILINE) == ["  seat 1: 1", "  seat 2: 4"]
    assert "purse[2] 0 coins" in last  # which the bid of 4 has paid
    assert "all that happened" not in last  # it was all read


def test_one_person_reads_what_the_other_did_last_and_everything_at_the_end() -> None:
    done = run("play", "cups-and-coins", "--seed", "3", given="1\n")
    table, _, last = done.stdout.partition("your choice: ")
    over, _, full = last.partition(OVER)
    assert "  seat 2: a roll that stays covered\n" in table
    assert over.strip() == "seat 2: Check"
    told = ["seat 1 rolls dice total 6", "seat 2 rolls dice total 8", "seat 1: Check", "seat 2: Check"]
    assert [line.strip() for line in full.splitlines() if line.startswith("    ")] == told
    assert "seat 2 rolls" not in table + over


def test_a_value_is_read_when_it_is_revealed() -> None:
    done = run("play", "mia", "--seed", "3", given="1\n1\n1\n")
    over, _, full = done.stdout.rpartition("your choice: ")[2].partition(OVER)
    assert [line.strip() for line in over.splitlines() if line] == ["seat 2: Look", "shown: 43"]
    assert "seat 1: Believe" in full


def _screens(monkeypatch: pytest.MonkeyPatch, *words: str, given: str) -> tuple[list[tuple[str, str]], str]:
    """What two people at one terminal read: the name of the seat and the text of each screen, and what follows the end."""
    monkeypatch.setattr("click.clear", lambda: click.echo(CLEARED))
    done = run("play", *words, "--human", "1", "--human", "2", given=given)
    assert done.returncode == 0, done.stderr
    course, _, full = done.stdout.partition(OVER)
    screens = [screen for screen in course.split(CLEARED) if " to choose" in screen]
    return [(screen.partition(" to choose")[0].rpartition("\n")[2], screen) for screen in screens], full


@pytest.mark.parametrize(
    ("game", "given"),
    [("cups-and-coins", "1\n2\n2\n"), ("liars-dice --set sides=3", "1\n1\n3\n1\n1\n")],
)
def test_of_two_people_at_a_terminal_nobody_reads_a_roll_of_the_other_before_the_end(
    game: str, given: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    screens, full = _screens(monkeypatch, *game.split(), "--seed", "3", given=given)
    assert {seat for seat, _ in screens} == {"seat 1", "seat 2"}
    for seat, screen in screens:
        other = {"seat 1": "seat 2", "seat 2": "seat 1"}[seat]
        assert f"{other} rolls" not in screen
        assert set(re.findall(r"seen: (dice \S+(?: \d+)?)", screen)) <= set(re.findall(f"{seat} rolls (dice.*)", full))
    assert {"seat 1 rolls", "seat 2 rolls"} <= set(re.findall("seat [12] rolls", full))
    for (before, _), (seat, screen) in pairwise(screens):
        if before != seat:
            assert re.search(f"^  {before}: (Check|Bet|Claim)", screen, re.MULTILINE)


def test_of_two_people_at_a_terminal_nobody_reads_a_bid_before_both_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = ("blind-auction", "--set", "treasures=2", "--set", "coins=3", "--seed", "3")
    screens, full = _screens(monkeypatch, *rules, given="2\n3\n1\n2\n")
    bids = [re.findall(r"^  (seat [12]): (\d+)$", screen, re.MULTILINE) for _, screen in screens]
    assert bids == [[], [], [("seat 1", "1"), ("seat 2", "2")], [("seat 1", "1"), ("seat 2", "2")]]
    assert re.findall(r"^ +(seat [12]): (\d+)$", full, re.MULTILINE)[2:] == [("seat 1", "0"), ("seat 2", "1")]


def test_the_writer_of_a_transcript_says_where_a_review_needs_the_ruleset(tmp_path: Path) -> None:
    rules, file = tmp_path / "my.yaml", tmp_path / "game.json"
    rules.write_text(Path("tests/secrets/games/kuhn-poker.yaml").read_text("utf-8"), "utf-8")
    done = run("play", str(rules), "--watch", "--seed", "1", "--transcript", str(file))
    needs = f"its review needs the ruleset: play {rules} --review {file}"
    assert f"transcript written to {file}; {needs}\n" in done.stdout
    assert run("play", "--review", str(file)).returncode == 1
    assert run("play", str(rules), "--review", str(file)).returncode == 0


def test_an_option_says_what_it_does_and_the_table_stands_as_it_is_now(tmp_path: Path) -> None:
    file = tmp_path / "boast.yaml"
    boast = BOAST.replace("{name: Boast, then: pass}", "{name: Boast, does: 'a six, and you have {die}', then: pass}")
    file.write_text(boast.replace("  speak:\n", "  speak:\n    label: What do you say?\n"), "utf-8")
    done = run("play", str(file), "--seed", "1", "--human", "1", "--human", "2", given="\n2\n\n1\n")
    found = re.search(
        r"boaster to choose; now die (\d), gain -2\n  seen: thrown (\d)\n  What do you say\?\n(.*)\n(.*)", done.stdout
    )
    assert found, done.stdout
    assert found[1] == found[2]
    assert found[4].strip() == f"2. Boast: a six, and you have {found[1]}"
    assert "doubter to choose; now gain -2\n" in done.stdout, "the die is not shown to it, not even as 0"
