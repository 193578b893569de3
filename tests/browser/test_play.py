"""The table on the page, in a real browser: it advises as the solver does, and it can be played by keyboard alone."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

import oddsmith
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.rules import State
from oddsmith.solve.game_solver import solve
from oddsmith.solve.solution import Solution
from tests.chromium import ROOT
from tests.node import answers, picture
from tests.runtime.test_policy import positions

pytestmark = pytest.mark.browser
MINUS = "\N{MINUS SIGN}"
SAMPLE = ROOT / "tests" / "samples" / "pig.yaml"


@pytest.fixture(scope="module")
def base(small: tuple[str, Path]) -> str:
    return small[0]


def use(base: str, page: str, **job: Any) -> Any:
    job = {"base": base, "page": page, **picture("play"), **job}
    (found,) = answers(ROOT / "tests" / "browser" / "play.mjs", job, timeout=240)
    assert found["errors"] == []
    return found


def seen(solution: Solution, state: State) -> str:
    """A position in the address: every variable as the mover counts seats."""
    game: Game = solution.graph.game
    canonical = solution.graph.codec.canonical_state(state)
    told = {"phase": state.phase}
    for where, cell in enumerate(game.cells):
        if cell.variable.is_per_seat:
            key = f"{cell.variable.name}[{cell.indices[0] + 1}]" if cell.indices[0] else cell.variable.name
        else:
            key = cell.name
        told[key] = str(canonical.cells[where]).lower()
    return urlencode(told)


def test_the_advisor_says_what_the_solver_says(base: str) -> None:
    solution = solve(bind(oddsmith.load(SAMPLE).ruleset))
    states = positions(solution)[:40]
    found = use(base, "games/pig/index.html", asks=[seen(solution, state) for state in states])["asks"]
    for state, answer in zip(states, found, strict=True):
        number = solution.state_index(state)
        assert number is not None
        wanted = solution.advise(number, state.mover)
        assert answer["best"] == solution.graph.action_name(solution.best_row(number, state.mover)), state
        assert sorted(row[0] for row in answer["rows"]) == sorted(one.action for one in wanted)
        worth = {one.action: one.value for one in wanted}
        for action, value, _ in answer["rows"]:
            shown = value.removesuffix("\u00a0%")
            places = len(shown.partition(".")[2])
            assert places >= 2
            # The table of the page has three decimals, and shows fewer of them.
            assert float(shown) == pytest.approx(float(worth[action].percent(3)[:-2]), abs=0.501 / 10**places), state


def test_a_shared_position_lands_at_its_answer_and_can_be_shared_again(base: str) -> None:
    ask = "game=2-seats-win&phase=decide&pot=3&score=4&score[2]=5"
    asked, nonsense = use(base, "games/pig/index.html", asks=[ask, "game=nonsense"])["asks"]
    for found in (asked, nonsense):
        assert 0 <= found["where"]["top"] < found["where"]["bottom"] < found["where"]["screen"] + 1
    assert nonsense["copied"] is None, "there is no answer to share"
    assert asked["refused"] == asked["copied"], "where the browser forbids it, the link stands marked to be copied"
    (again,) = use(base, "games/pig/index.html", asks=[asked["copied"].partition("#ask?")[2]])["asks"]
    assert asked["rows"]
    assert again == asked


def test_what_a_choice_costs_is_told_after_it_and_summed_up_at_the_end(base: str) -> None:
    sums = [_given_away(use(base, "games/pig/index.html", advised=400, first=True)) for _ in range(6)]
    assert any(sums)


def named(option: dict[str, Any]) -> str:
    """The name of an option without what its button says of its worth."""
    text: str = re.sub(rf" (best|{MINUS}[\d.]+)$", "", option["text"])
    return text


def _given_away(found: Any) -> float:
    """What was given away in a game, in percentage points, by its decisions; the sum at the end must say the same."""
    told, lost = 0, 0.0
    for decision in found["decisions"]:
        chosen = named(decision["options"][0])
        cost = next(row[2] for row in decision["rows"] if row[0] == chosen)
        if cost == "best" or cost.startswith("under"):
            assert not decision.get("word")
            continue
        best = " or ".join(row[0] for row in decision["rows"] if row[2] == "best")
        word = re.fullmatch(r"That cost (\S+) percentage points\. Best was (.+)\.", decision["word"])
        assert word
        assert float(word[1]) == pytest.approx(float(cost.split()[0]), abs=0.0501)
        assert word[2] == best
        told, lost = told + 1, lost + float(cost.split()[0])
    if told:
        made = len(found["decisions"])
        many = "one decision" if made == 1 else f"{made} decisions"
        given = re.search(r"You gave away ([\d.]+) percentage points in (.+?)\. Most with “", " ".join(found["ended"]))
        assert given
        assert float(given[1]) == pytest.approx(lost, abs=0.0501)
        assert given[2] == (many if told == made else f"{told} of {many}")
    return lost


def test_the_review_adds_up_to_the_result(base: str) -> None:
    """What could be expected at first, less what the choices cost, with what came after them, is what was got."""
    texts = [
        " ".join(use(base, "games/pig/index.html", advised=400, first=True, seed=seed)["ended"]) for seed in range(5)
    ]
    chose = [text for text in texts if "decision" in text]
    assert chose
    for text in chose:
        began = re.search(
            r"you could expect ([\d.]+)\s%\. The dice and the others brought (\S+) percentage points", text
        )
        given = re.search(r"You gave away ([\d.]+) percentage points", text)
        assert began, text
        start, luck = float(began[1]), float(began[2].replace(MINUS, "-"))
        won = 100 if "Player 1 wins" in text else 0
        assert start + luck - (float(given[1]) if given else 0) == pytest.approx(won, abs=0.16)


def test_a_game_is_kept_taken_back_and_sent_as_a_link(base: str) -> None:
    found = use(base, "games/pig/index.html", game=True)["game"]
    assert found["kept"] == found["left"] > 1
    assert found["undone"] < found["left"]
    assert found["linked"] == found["copied"]
    assert found["junk"].startswith("This is no game by these rules")


def flow(base: str, **job: Any) -> Any:
    return use(base, "games/pig/index.html", motion=True, flow={"gamble": "Throw again", **job}, seed=6)["flow"]


def test_one_tap_gambles_and_rolls_and_the_opponent_moves_one_by_one(base: str) -> None:
    found = flow(base)
    assert found["opened"] == "New game"
    question, before, after = found["asked"]
    assert question == "Decide"
    assert before == after, "Enter on the question takes no option"
    assert found["gamble"] == ["Player 1: Throw again.", "Player 1 rolls : Bust."]
    assert found["grown"] == [1] * 5
    assert found["then"] == "Roll"
    assert found["floats"] == [], "nothing lies over dice and buttons"
    assert {True, False} == {fell for _, fell in found["tumbled"]}
    assert all(fell == (" rolls " in line) for line, fell in found["tumbled"]), "dice tumble only when they fall"


@pytest.mark.parametrize("skip", ["tap", "Enter", "Escape"])
def test_a_tap_or_a_key_shows_the_rest_of_the_opponents_moves_at_once(base: str, skip: str) -> None:
    found = flow(base, skip=skip)
    assert found["grown"][-1] > 1
    assert sum(found["grown"]) == 5
    assert found["then"] == "Roll"


def test_training_asks_for_decisions_and_counts_the_right_ones(base: str) -> None:
    found = use(base, "games/pig/index.html", train=True)["train"]
    assert found["asked"] == 10
    right = sum(answer.endswith("is right.") for answer in found["answers"])
    assert found["end"].startswith(f"{right} of 10 right.")


def test_only_what_is_best_is_marked_and_focus_is_a_ring(base: str) -> None:
    decisions = use(base, "games/pig/index.html", advised=12)["decisions"]
    assert len(decisions) == 12
    for decision in decisions:
        best = {row[0] for row in decision["rows"] if row[2] == "best"}
        options = decision["options"]
        assert {named(option) for option in options if option["best"]} == best
        assert all(option["text"].endswith(" best") == option["best"] for option in options), "told in words too"
        costs = {row[0]: row[2] for row in decision["rows"]}
        for option in options:
            if not option["best"] and not costs[named(option)].startswith("under"):
                told = float(option["text"].rpartition(MINUS)[2])
                assert told == pytest.approx(float(costs[named(option)].split()[0]), abs=0.0501), "what it costs"
        assert [option["filled"] for option in options] == [option["best"] for option in options]
        assert [option["best"] for option in options if option["focus"]] == [True], (
            "Enter alone never plays what is worse"
        )
    marked = [option["best"] for decision in decisions for option in decision["options"]]
    assert {True, False} == set(marked)
    assert any(option["ringed"] for decision in decisions for option in decision["options"] if option["focus"])


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        ("game=nonsense&phase=decide", "the game “nonsense”, which is not on this page"),
        ("phase=sleep", "phase=sleep"),
        ("phase=decide&scores=3", "scores=3"),
        ("phase=decide&score=1000", "score=1000"),
        ("phase=decide&mover=9", "mover=9"),
        ("phase=decide&out=2", "out=2"),
    ],
)
def test_an_address_is_answered_for_what_it_asks_or_not_at_all(base: str, ask: str, words: str) -> None:
    (found,) = use(base, "games/pig/index.html", asks=[ask])["asks"]
    assert words in found["alert"]
    assert found["best"] is None
    assert found["rows"] == []


@pytest.mark.parametrize(("scheme", "dress"), [("light", "default"), ("dark", "slate")])
def test_a_game_is_played_to_its_end_by_keyboard(base: str, scheme: str, dress: str) -> None:
    played = use(base, "games/pig/index.html", keyboard=True, scheme=scheme)["played"]
    assert played["scheme"] == dress
    assert played["over"].startswith("The game is over.")
    assert played["lines"] > 5
    assert played["wide"] <= 0
    assert played["serious"] == []


def test_hostile_texts_stay_texts(base: str) -> None:
    found = use(base, "games/hostile/index.html", keyboard=True)
    assert found["title"] != "owned"
    assert found["played"]["serious"] == []


def test_a_position_that_cannot_be_is_said_to_be_none(base: str) -> None:
    (answer,) = use(base, "games/pig/index.html", asks=["phase=decide&pot=-7"])["asks"]
    assert answer["text"]
