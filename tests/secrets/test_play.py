"""Games with secrets in the terminal: nobody is shown what its seat has not seen, and best play draws its choices."""

from __future__ import annotations

import re

from tests.terminal import run


def test_the_player_sees_its_own_dice_alone_until_the_end() -> None:
    done = run("play", "cups-and-coins", "--seed", "5", given="1\n1\n")
    assert done.returncode == 0, done.stderr
    before, _, after = done.stdout.partition("The game is over.")
    assert re.findall(r"dice total (\d+)", before)
    assert len({each.strip() for each in re.findall(r"seat 1: (dice[^\n·]*)", before)}) == 1
    assert "seat 2: dice" not in before
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


def test_policies_are_refused_in_a_sentence() -> None:
    done = run("play", "mia", "--policy", "2=any")
    assert done.returncode == 2
    assert "seats that are not at the keyboard use best play" in done.stderr
