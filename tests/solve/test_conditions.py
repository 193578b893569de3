"""``when:`` in a question counts an entry only where the condition holds, just as a tally kept by the rules would."""

from __future__ import annotations

from pathlib import Path

import pytest

import oddsmith
from oddsmith.base.errors import RulesetError
from oddsmith.base.exact import Number

GAME = """\
format: 1
id: reach
title: Reach
summary: Roll for points, stop in time; six points win.
seats: 2
state:
  stash: {max: 14, resets: turn}
  score: {each: seat, max: 16}
  times: {type: tally}
payoffs: {win: share(score)}
turn: roll
phases:
  roll:
    roll: {die: d4}
    outcomes:
      - {name: Bust, when: die == 1, %BUST% then: pass}
      - {name: Safe, do: add die to stash, then: sort}
  sort:
    cases:
      - {name: Much, when: stash > 3, %MUCH% then: decide}
      - {name: Little, then: decide}
  decide:
    choose:
      - {name: Stop, %STOP% then: pass}
      - name: Bet
        for: {stake: "[1, 2]"}
        when: stash + score < 6
        %BET%
        then: roll
end_when: score >= 6
measures:
  Asked: {%ASKED%}
  Kept: {mean: times, at: end}
"""
PLACES = {
    "%BUST%": ("roll", "Bust"),
    "%MUCH%": ("sort", "Much"),
    "%STOP%": ("decide", "Stop"),
    "%BET%": ("decide", "Bet"),
}


def made(folder: Path, place: str, when: str, more: str = "") -> Path:
    phase, entry = PLACES[place]
    text = GAME.replace("%ASKED%", f'count: [{phase}, {entry}], when: "{when}"{more}')
    after = {"%STOP%": ["move stash to score"], "%BET%": ["add stake - 1 to stash"]}
    for name in PLACES:
        tally = [f"{{if: '{when}', do: add 1 to times}}"] if name == place else []
        do = [*tally, *after.get(name, [])]
        effects = f"do: [{', '.join(do)}]" if do else ""
        text = text.replace(name, effects if name == "%BET%" or not do else f"{effects},")
    path = folder / "reach.yaml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("place", "when"),
    [
        ("%BUST%", "stash > 2"), ("%BUST%", "die + stash == 4 or score[next] > 3"), ("%MUCH%", "stash > 4"),
        ("%STOP%", "stash > 4"), ("%BET%", "stake == 2"), ("%BET%", "stash == 2 and stake == 1"),
    ],
)  # fmt: skip
def test_a_condition_counts_what_a_tally_counts(tmp_path: Path, place: str, when: str) -> None:
    measures = oddsmith.load(made(tmp_path, place, when)).solve(exact=True).measures
    assert measures["Asked"].exact == measures["Kept"].exact
    assert measures["Asked"].upper > 0 or "stake" in when


def test_a_condition_and_its_opposite_make_up_the_whole(tmp_path: Path) -> None:
    text = made(tmp_path, "%BUST%", "stash > 2").read_text("utf-8")
    text += '  Other: {count: [roll, Bust], when: "stash <= 2"}\n  All: {count: [roll, Bust]}\n'
    found = oddsmith.loads(text).solve(exact=True).measures

    def exact(number: Number) -> object:
        return number.exact

    assert exact(found["All"]) == found["Asked"].exact + found["Other"].exact  # type: ignore[operator]


def test_a_chance_of_one_roll_takes_a_condition(tmp_path: Path) -> None:
    text = made(tmp_path, "%BUST%", "stash > 2").read_text("utf-8")
    text += "  High: {chance: [roll, Safe], when: die > 2}\n  In the game: {chance: [roll, Bust], when: stash > 2, in: game}\n"
    text += "  Never: {chance: [decide, Stop], when: stash > 2, with: {stash: 2}}\n"
    found = oddsmith.loads(text).solve(exact=True).measures
    assert found["High"].exact == Number.of(1).exact / 2  # type: ignore[operator]
    assert 0 < found["In the game"].lower <= found["Asked"].upper
    assert found["Never"].exact == 0


def test_a_condition_that_no_rule_could_test_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RulesetError, match="times"):
        oddsmith.load(made(tmp_path, "%BUST%", "times > 2"))
    answered = oddsmith.load(made(tmp_path, "%BUST%", "stash > 2", ", given: [roll, Bust]")).solve()
    assert "cannot be about the same entry" in str(answered.unanswered["Asked"])


def test_a_name_of_a_roll_that_is_taken_is_told_once_and_not_by_the_question(tmp_path: Path) -> None:
    text = (
        made(tmp_path, "%BUST%", "stash > 2").read_text("utf-8").replace("roll: {die: d4}", "roll: {die: d4, pass: d4}")
    )
    text = text.replace("state:\n", "constants: {die: 3}\nstate:\n")
    with pytest.raises(RulesetError, match="die"):
        oddsmith.loads(text)
