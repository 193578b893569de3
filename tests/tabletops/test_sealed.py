"""Games with secrets at the table by link: nobody can look, choose what falls, or change what was chosen."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from oddsmith.base.errors import TranscriptError, UnplayableError
from oddsmith.base.location import Source
from oddsmith.report.english import game_bundle, unsolved_setting_data
from oddsmith.ruleset import bind, sha256
from oddsmith.ruleset.model import Setting
from oddsmith.ruleset.model.ruleset import Ruleset
from oddsmith.ruleset.reading.build import load_ruleset, read_ruleset
from oddsmith.ruleset.transcript import read_transcript, verify_transcript
from oddsmith.tabletops.shared import refuse_secrets_a_tabletop_cannot_keep
from tests.cases import RULESETS, TESTS
from tests.node import answers

HERE = Path(__file__).parent
CARDS = ("kuhn-poker", "leduc-poker")  # each draws in secret
GAMES = ("mia", "cups-and-coins", "liars-dice", "blind-auction", "two-lanterns", *CARDS)
SMALLER = {"liars-dice": {"sides": 3}}


def rules_of(name: str) -> Ruleset:
    """The rules of a shipped game, or of one with cards."""
    folder = TESTS / "secrets/games" if name in (*CARDS, "stripped-down-poker") else RULESETS
    folder = HERE if name == "burnt" else folder
    return load_ruleset(folder / f"{name}.yaml")[0]


def ask(name: str, scene: str, values: dict[str, int] | None = None, **job: Any) -> Any:
    """What a scene of sealed.mjs shows of a game."""
    rules = rules_of(name)
    values = values or SMALLER.get(name) or {}
    setting = unsolved_setting_data(bind(rules, Setting(2, values=values)), next(iter(rules.payoffs)), "here")
    job = {"book": game_bundle(rules, [setting]), "setting": "here", "scene": scene, "rules": sha256(rules), **job}
    return answers(HERE / "sealed.mjs", job, timeout=300)[0]


@pytest.mark.parametrize("name", GAMES)
def test_two_browsers_play_a_whole_game_and_agree(name: str) -> None:
    found = ask(name, "played", seed=4)
    assert found["same"]
    for master, ann in found["views"]:
        assert (master["busy"], master["waits"]) == (ann["busy"], ann["waits"])
        both = zip(master["cells"], ann["cells"], strict=True)
        if master["phase"] == ann["phase"]:
            assert all(one == other or "covered" in (one, other) for one, other in both)
    last = found["views"][-1]
    assert last[0] == last[1]
    assert "covered" not in last[0]["cells"]
    assert not any(last[0]["covered"])
    assert (
        verify_transcript(read_transcript(json.dumps(found["transcript"]).encode()), rules_of(name)).payoffs is not None
    )


def test_a_transcript_of_choices_at_once_is_checked() -> None:
    written = ask("blind-auction", "played", seed=4)["transcript"]
    number, bid = next((place, entry) for place, entry in enumerate(written["log"]) if "choose" in entry)
    for wrong, said in (
        ({**bid, "seat": 3 - bid["seat"]}, "is to move here"),
        ({**bid, "with": {"bid": 9}}, "bid cannot be 9 here"),
        ({**bid, "with": {"bid": True}}, "bid cannot be true here"),
        ({**bid, "choose": "offer"}, "there must be a choice of bid here"),
    ):
        log = [*written["log"][:number], wrong, *written["log"][number + 1 :]]
        with pytest.raises(TranscriptError, match=f"entry {number + 1}.*{said}"):
            verify_transcript(read_transcript(json.dumps({**written, "log": log}).encode()), rules_of("blind-auction"))


def test_what_lies_under_the_cup_of_the_other_is_not_known() -> None:
    views = ask("cups-and-coins", "played", seed=4)["views"]
    rolled = [pair for pair in views if pair[0]["phase"] in ("open", "answer")]
    assert rolled
    for master, ann in rolled:
        assert [cell == "covered" for cell in master["cells"][:2]] == [False, True]
        assert [cell == "covered" for cell in ann["cells"][:2]] == [True, False]


CARELESS = ("short", "padded", "made of the table", "told in a message", "told as the secret", "told in a log")


def test_nobody_finds_the_number_of_a_secret_roll_by_trying_all_that_is_known() -> None:
    found = ask("mia", "peeked", how="nothing")
    assert found["same"], "what is promised here is what a browser promises"
    assert found["entries"] == [["seat", "promise"], ["seat", "promise"], ["seat", "number"]]
    assert found["rolls"] == [[0, [0, 1]]]
    assert [each["seat"] for each in found["found"]] == [1], "the own number is found"
    assert found["known"] > 3


@pytest.mark.parametrize("how", CARELESS)
def test_a_number_that_was_kept_badly_is_found(how: str) -> None:
    """So the search of the test above, and of that between two browsers, can find something."""
    found = ask("mia", "peeked", how=how)
    numbers = {each["seat"]: each["number"] for each in found["found"]}
    assert sorted(numbers) == [0, 1]
    assert numbers[0] == found["number"]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", [1, 2])
def test_no_entry_can_be_changed(name: str, seed: int) -> None:
    """Whoever saw the game believes nothing; whoever did not believes at most another choice that all could see."""
    found = ask(name, "forged", seed=seed)
    assert found["honest"] == {"what": "nothing", "said": "", "noticed": False, "open": False, "over": True}
    assert len(found["found"]) > 20
    assert all(each["noticed"] or each["said"] for each in found["found"])
    assert all(each["said"] or each["open"] for each in found["found"])


def test_a_roll_falls_as_often_as_it_should() -> None:
    counts = ask("two-lanterns", "fair", times=600)
    assert len(counts) == 6
    assert all(60 < count < 145 for count in counts.values())


@pytest.mark.parametrize("name", GAMES)
def test_what_is_covered_is_not_opened_in_another_game(name: str) -> None:
    found = ask(name, "switched", seed=3)
    opened = {what: {keys for keys in found[what] if keys != "promise,seat"} for what in found}
    assert opened["own"]
    assert not any("salt" in keys or keys == "number,seat" for keys in opened["rules"] | opened["setting"])


def test_a_browser_keeps_the_secrets_of_several_tables() -> None:
    found = ask("mia", "several", seed=3)
    assert not any(found["lost"])
    assert found["differ"]
    assert found["kept"] == [True, False]


def test_a_table_that_loses_what_it_had_is_noticed() -> None:
    assert ask("mia", "grows", seed=3) == [True, True, False, True, False, True]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    ("name", "cards"), [("kuhn-poker", [[1, 1], [2, 1], [3, 1]]), ("leduc-poker", [[1, 2], [2, 2], [3, 2]])]
)
def test_whoever_looks_for_a_card_finds_the_own_and_the_open_ones(name: str, cards: list[list[int]], seed: int) -> None:
    found = ask(name, "looked", seed=seed, cards=cards)
    assert found["theirs"] == 1
    assert found["points"] > 4
    assert found["own"]
    assert found["read"] == found["own"]


@pytest.mark.parametrize("seed", range(4))
def test_a_card_that_nobody_may_see_is_opened_by_both_and_only_then(seed: int) -> None:
    """Two cards at once, one that nobody sees and one that all see; and a deck that is full again is shuffled again."""
    looked = ask("burnt", "looked", seed=seed, moves=3, cards=[[1, 2], [2, 2], [3, 2]])
    assert looked["theirs"] == 2
    assert len(looked["own"]) == 1
    assert looked["read"] == looked["own"]
    played = ask("burnt", "played", seed=seed)
    assert played["same"]
    burnt = [
        [pair[0]["cells"][5], pair[1]["cells"][5]]
        for pair in played["views"]
        if pair[0]["phase"] == "speak" and not pair[0]["busy"]
    ]
    assert len(burnt) >= 2
    assert all(pair == ["covered", "covered"] for pair in burnt)
    transcript = verify_transcript(read_transcript(json.dumps(played["transcript"]).encode()), rules_of("burnt"))
    assert transcript.payoffs is not None


def test_a_card_that_nobody_may_see_is_covered_for_who_has_all_seats() -> None:
    cells = ask("burnt", "both", seed=1)
    assert cells[3] != "covered"
    assert cells[5] == "covered"


def test_a_card_that_is_drawn_twice_is_noticed_at_once() -> None:
    assert ask("burnt", "again") == {"read": ["ace", "ace"], "said": NO_CARD}


def test_a_larger_deck_is_shuffled_in_several_short_messages() -> None:
    found = ask("kuhn-poker", "played", {"top": 13}, seed=2)
    assert found["same"]
    assert found["longest"] < 600  # site/link/messages.mjs


WRONG = "these cards were not shuffled with this number"
NO_CARD = "this card is not in the deck"


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("how", ["twice", "stacked", "misdealt", "spoilt"])
def test_whoever_cheats_with_cards_is_found_out(how: str, seed: int) -> None:
    """A wrong shuffle and a wrong card are seen at the end at the latest: no number opens the deck."""
    found = ask("kuhn-poker", "cheated", seed=seed, how=how)
    assert not found["over"]
    assert all(found["said"])
    assert set(found["said"]) <= {WRONG, NO_CARD, "these are not the cards that were drawn"}
    if how == "spoilt":
        assert found["said"] == [NO_CARD]


def test_the_same_game_without_a_cheat_ends() -> None:
    found = ask("kuhn-poker", "cheated", seed=1, how="honest")
    assert found == {"said": ["", WRONG, WRONG], "over": True}


def test_each_pair_of_cards_is_dealt_as_often_as_it_should() -> None:
    counts = ask("kuhn-poker", "pairs", seed=1, times=240)
    assert sorted(counts) == ["1,2", "1,3", "2,1", "2,3", "3,1", "3,2"]
    assert all(12 < count < 70 for count in counts.values())


def test_the_number_of_a_deck_is_told_only_at_the_end() -> None:
    assert ask("kuhn-poker", "early", seed=1) == ["there is nothing to open"] * 2


KUHN = (TESTS / "secrets/games/kuhn-poker.yaml").read_text("utf-8")


@pytest.mark.parametrize(
    ("what", "before", "after"),
    [
        ("three could play", "seats: 2\n", "seats: {min: 2, max: 3}\n"),
        ("a card goes back", "set hand to card", "\n      - set hand to card\n      - add 1 to deck[card]"),
        ("a die is rolled with it", "draw: {card: deck}", "draw: {card: deck}\n    roll: {die: d2}"),
        (
            "nine cards at once",
            "draw: {card: deck}\n    seen_by: mover\n    do: set hand to card",
            "draw: {many: 9 of deck}\n    seen_by: mover\n    do: set hand to many_1",
        ),
    ],
)
def test_a_draw_that_two_cannot_make_alone_is_refused(what: str, before: str, after: str) -> None:
    rules = read_ruleset(Source("game.yaml", KUHN.replace(before, after)))[0]
    assert not rules.needs_no_dealer
    with pytest.raises(UnplayableError, match="it draws in secret, and a virtual tabletop seals that only for two"):
        refuse_secrets_a_tabletop_cannot_keep(rules)


def test_what_is_shown_to_one_player_alone_is_refused() -> None:
    rules = load_ruleset(TESTS / "secrets/games/le-her.yaml")[0]
    with pytest.raises(UnplayableError, match="it shows one player alone what another hid"):
        refuse_secrets_a_tabletop_cannot_keep(rules)
    for name in (*CARDS, "stripped-down-poker"):
        refuse_secrets_a_tabletop_cannot_keep(rules_of(name))
