"""Games with secrets in the terminal: nobody is shown what its seat has not seen, and best play draws its choices."""

from __future__ import annotations

import re

from tests.terminal import run


def test_the_player_sees_its_own_dice_alone_until_the_end() -> None:
    done = run("play", "cups-and-coins", "--seed", "5", given="1\n1\n")
    assert done.returncode == 0, done.stderr
    before, _, after = done.stdout.partition("The game is over.")
    assert re.findall(r"dice total (\d+)", before)
    assert len({each.strip() for each in re.findall(r"seen: (dice[^\n·]*)", before)}) == 1
    assert set(
        re.findall(r"seat (\d) to choose; at first: cup\[1\] none, cup\[2\] none, stake\[1\] 1 coin,", before)
    ) == {"1"}
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
    assert "no advice: this game is not solved for 3 seats" in done.stdout
    done = run(*seats, "--policy", "2=count your own dice")
    assert done.returncode == 2
    assert "name a policy for seat 3" in done.stderr


def test_what_cannot_sit_at_a_table_is_refused_in_a_sentence() -> None:
    assert "mia has no policy any" in run("play", "mia", "--policy", "2=any").stderr
    clash = run("play", "liars-dice", "--policy", "1=count your own dice")
    assert "seat 1 cannot be at the keyboard and play a policy" in clash.stderr
    assert "seats are 1 to 2" in run("play", "mia", "--human", "3").stderr
    assert "is for games in which all see everything" in run("play", "mia", "--by", "stages").stderr
