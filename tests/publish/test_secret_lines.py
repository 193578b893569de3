"""Lines to remember of games with secrets say what best play does."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

import oddsmith
from oddsmith.publish.sections.secrets import secret_key_facts_html, secret_line_to_remember, secret_page_head_html
from oddsmith.report.answers.accounts import answers_of
from oddsmith.ruleset.binding import bind


def decisions(game: str) -> Iterator[tuple[int, list[str], dict[str, Fraction]]]:
    """The seat, what it has seen and the chances of its actions, wherever best play comes to."""
    solved: dict[str, Any] = oddsmith.load(game).solve().to_json()
    for each in solved["decisions"]:
        if Fraction(each["reached"]):
            yield each["seat"], each["known"], {name: Fraction(chance) for name, chance in each["chances"].items()}


def test_mia_tells_the_truth_from_52_up() -> None:
    first = 0
    for seat, known, chances in decisions("mia"):
        if seat == 1 and len(known) == 1 and known[0].startswith("dice"):
            low, high = sorted(map(int, known[0].split()[1:]))
            rolled = low * 11 if low == high else 10 * high + low
            true = chances[f"Announce {rolled}"] == 1
            assert true == (rolled >= 52 or low == high or rolled == 21), known
            first += 1
        elif seat == 1 and "Look" in chances:
            assert chances["Look"] == 1, known
        elif known == ["seat 1: Announce 65"]:
            assert chances["Look"] == Fraction(1, 2)
    assert first == 21


def test_lanterns_stay_while_two_rolls_are_left() -> None:
    for seat, known, chances in decisions("two-lanterns"):
        last = known[0] == "light 1 roll"
        assert (chances["stay"] == 1) != last
        assert not last or (chances["stay"] > Fraction(1, 2)) == (seat == 2), known


def test_cups_bet_and_call_by_their_total() -> None:
    answered = 0
    for seat, known, chances in decisions("cups-and-coins"):
        total = int(known[0].removeprefix("dice total "))
        if "Call" in chances:
            assert chances["Call"] == 1 if total >= 8 else chances["Call"] == 0 or total == 7, known
            assert total != 7 or Fraction(2, 5) < chances["Call"] < Fraction(3, 5)
            answered += 1
        elif seat == 2 and total != 8:
            assert chances["Bet"] == (total <= 4 or total >= 9), known
    assert answered > 15


def test_bids_for_the_first_treasure_are_half_its_worth() -> None:
    bids = {1: "0", 2: "1", 3: "2", 4: "2", 5: "3", 6: "3"}
    first = [(known, chances) for _, known, chances in decisions("blind-auction") if len(known) == 1]
    assert len(first) == 12
    for known, chances in first:
        assert [name for name, chance in chances.items() if chance] == [bids[int(known[0].split()[1])]], known


@pytest.mark.long
def test_dice_of_liars_open_with_their_own_number() -> None:
    for seat, known, chances in decisions("liars-dice"):
        face, taken = int(known[0].split()[1]), {name for name, chance in chances.items() if chance}
        if seat == 1 and len(known) == 1:
            own = f"Claim (many 1, face {face})"
            assert taken == ({own} if face > 1 else {"Claim (many 1, face 2)", "Claim (many 2, face 1)"}), known
        elif seat == 2 and len(known) == 2 and "(many 1" in known[1]:
            asked = int(known[1][-2])
            wanted = "Doubt" if face < asked else f"Claim (many {1 + (face == asked)}, face {face})"
            assert taken == {wanted}, known


# --- what a line brings whoever keeps to it, by enumeration


SUMS = {total: Fraction(6 - abs(7 - total), 36) for total in range(2, 13)}


def bet_to_open(bets: dict[int, Fraction], calls: dict[int, Fraction]) -> Fraction:
    """What the second player gets at best from a first player who bets and calls with these chances."""
    best = Fraction(0)
    for own, weight in SUMS.items():
        met = [(SUMS[other] * bets.get(other, 0), (own > other) - (own < other)) for other in SUMS]
        folds, called = -sum(chance for chance, _ in met), 3 * sum(chance * sign for chance, sign in met)
        checked = bet = Fraction(0)
        for other, chance in SUMS.items():
            sign, left = (own > other) - (own < other), chance * (1 - bets.get(other, 0))
            checked += left * sign
            bet += left * (calls.get(other, 0) * 3 * sign + 1 - calls.get(other, 0))
        best += weight * (max(folds, called) + max(checked, bet))
    return best


def bet_after_a_check(bets: dict[int, Fraction], calls: dict[int, Fraction]) -> Fraction:
    """What the first player gets at best from a second player who bets after a check and calls with these chances."""
    best = Fraction(0)
    for own, weight in SUMS.items():
        opened = checked = folded = called = Fraction(0)
        for other, chance in SUMS.items():
            sign = (own > other) - (own < other)
            opened += chance * (calls.get(other, 0) * 3 * sign + 1 - calls.get(other, 0))
            checked += chance * (1 - bets.get(other, 0)) * sign
            folded -= chance * bets.get(other, 0)
            called += chance * bets.get(other, 0) * 3 * sign
        best += weight * max(opened, checked + max(folded, called))
    return best


def test_whoever_keeps_to_the_line_of_cups_loses_next_to_nothing() -> None:
    calls = {7: Fraction(1, 2)} | dict.fromkeys(range(8, 13), Fraction(1))
    second = dict.fromkeys([2, 3, 4, 9, 10, 11, 12], Fraction(1)) | {8: Fraction(2, 5)}
    first = dict.fromkeys([4, 10, 11, 12], Fraction(1))
    value = Fraction(oddsmith.load("cups-and-coins").solve().to_json()["values"][1]["exact"])
    assert bet_after_a_check(second, calls) == -value == Fraction(-2, 27)
    assert value < bet_to_open(first, calls) < value + Fraction(1, 300)


def test_whoever_looks_by_the_line_of_mia_loses_little() -> None:
    calls = [31, 32, 41, 42, 43, 51, 52, 53, 54, 61, 62, 63, 64, 65, 11, 22, 33, 44, 55, 66, 21]
    chance = {call: Fraction(1 if call % 11 == 0 else 2, 36) for call in calls}
    found = Fraction(0)
    for place, rolled in enumerate(calls):
        best = Fraction(0)
        for at, call in enumerate(calls):
            look = Fraction(0 if at < 8 else 1, 3) if at < 12 else Fraction(3, 5)
            look = Fraction(1) if call == 21 else look
            answered = sum(
                chance[other] for other in calls[: at + 1]
            )  # the other cannot tell the truth, and is looked at
            best = max(best, look * (place >= at) + (1 - look) * answered)
        found += chance[rolled] * best
    value = Fraction(oddsmith.load("mia").solve().to_json()["values"][0]["exact"])
    assert value < found < value + Fraction(1, 40)


def test_the_first_screen_has_the_line_above_what_the_game_is_worth() -> None:
    game = oddsmith.load("cups-and-coins")
    answer = answers_of(game.ruleset).main_secret_answer
    assert answer
    assert secret_line_to_remember(answer).startswith("Call with 8 or more")
    assert "If both play their best" in secret_page_head_html(answer)


@pytest.mark.parametrize(
    ("game", "names"),
    [
        ("liars-dice", {"claimed", "number"}),
        ("mia", {"cup", "claim"}),
        ("cups-and-coins", {"cup"}),
        ("craps", {"point"}),
        ("blind-auction", {"worth"}),
    ],
)
def test_what_is_not_there_yet_is_no_number(game: str, names: set[str]) -> None:
    """Before any claim, nobody has claimed 0 dice."""
    bound = bind(oddsmith.load(game).ruleset)
    for where, cell in enumerate(bound.cells):
        if cell.variable.name in names:
            assert bound.cell_in_words(where, bound.start[where], "held") == "held none"


def test_the_first_screen_says_what_skill_is_worth_against_best_play() -> None:
    game = oddsmith.load("two-lanterns")
    answer = answers_of(game.ruleset).main_secret_answer
    assert answer
    values = {each.kind: each.values[0] for each in answer.opponents}
    assert values["best"] == answer.values[0]
    assert values["best"].lower > values["mixture"].upper > values["random"].upper
    shown = secret_key_facts_html(answers_of(game.ruleset), answer, "")
    told = [f"{float(values[kind].middle):.2%}".replace("%", "") for kind in ("best", "mixture", "random")]
    assert f"An expert wins {told[0]}" in shown
    assert f"a regular {told[1]}" in shown
    assert f"a drunk {told[2]}" in shown
    assert "Each plays the crow, and the other plays best." in shown
