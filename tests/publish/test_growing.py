"""A site grows while its games are solved: a page comes first, and the last writing is what publishing at once gives."""

from __future__ import annotations

import re
from html import unescape
from math import inf
from pathlib import Path
from typing import Any

import pytest

import oddsmith
from oddsmith.api.site import (
    answering_forecast_text,
    build_html,
    ruleset_about_one_setting,
    site_pages,
    successive_sites,
)
from oddsmith.base.errors import TooManyStatesError
from oddsmith.base.limits import limited
from oddsmith.base.progress import Progress
from oddsmith.cli import main
from oddsmith.publish.finishing import with_links_to_files
from oddsmith.publish.site import site_pages as pages_of
from oddsmith.report.answers import growing, solving
from oddsmith.report.answers.accounts import RulesetAnswers, answers_of
from oddsmith.report.answers.growing import GrowingEstimate, answer_if_quick, growing_answers
from oddsmith.report.answers.store import Store
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.model import ANY, EstimatedGame, Setting
from oddsmith.solve import Solution, solve
from tests.publish.test_store import SECRET, Memory
from tests.terminal import run

GAME = oddsmith.load("piglet").ruleset
PAGE = "docs/games/piglet.md"
ALONE = ruleset_about_one_setting(
    oddsmith.loads(f"{GAME.source.text}\nregular: hold at 2\n").ruleset, Setting(2, "win")
)
"""Two players and nothing else, with a regular."""


def page_of(account: RulesetAnswers) -> str:
    return unescape(pages_of([account], {})["games/piglet.md"].decode())


def test_the_first_account_is_brief_and_the_last_is_whole() -> None:
    told = list[str]()
    first, *_, last = growing_answers(GAME, lambda what, done, total: told.append(f"{what} {done}/{total}"))
    whole = answers_of(GAME)
    assert (len(first.answers), first.verdicts) == (1, ())
    assert first.main.values == whole.main.values
    assert first.main.opponents == ()
    assert [each.slug for each in last.answers] == [each.slug for each in whole.answers]
    assert [each.is_right for each in last.verdicts] == [each.is_right for each in whole.verdicts]
    assert told[0].startswith("piglet --seats 2 --objective win: solving 0/")
    assert any(": opponents 0/" in line for line in told), "the parts of an answer are told, not only games"
    assert told[-1].split("/")[1] == str(len(whole.answers))


def test_a_page_is_there_before_the_rest_and_the_last_has_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oddsmith.api.site.SECONDS_BETWEEN_WRITINGS", 0)
    monkeypatch.setattr("oddsmith.api.site.WRITING_TIME_FACTOR", 0)
    one = ruleset_about_one_setting(GAME, Setting(2))
    first, *_, last = successive_sites([one])
    assert PAGE in first
    assert len(first[PAGE]) < len(last[PAGE])
    assert not [name for name in first if "/foundry/" in name], "modules take longer than the page"
    at_once = {f"docs/{name}": data for name, data in site_pages([one]).items()}
    assert {name: data for name, data in last.items() if name.startswith("docs/")} == at_once


def test_links_lead_to_files() -> None:
    leading = {
        "games/pig/": "games/pig/index.html", "../../": "../../index.html", ".": "./index.html", "../#x": "../index.html#x",
        "../../table/#game=pig": "../../table/index.html#game=pig",
    }  # fmt: skip
    page = "".join(f'<a href="{link}">a</a>' for link in leading).encode()
    assert re.findall(r'href="([^"]*)"', with_links_to_files(page).decode()) == list(leading.values())
    same = b"".join(b'<a href="%b">a</a>' % link for link in (b"https://example.org/", b"#top", b"pig.csv", b"//x.y/"))
    assert with_links_to_files(same) == same


def test_the_command_ends_with_pages_that_a_double_click_opens(tmp_path: Path) -> None:
    done = run("publish", "piglet", "-o", "mine", "--seats", "2", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    page = tmp_path / "mine" / "site" / "index.html"
    assert f"open {page.relative_to(tmp_path)}" in done.stdout
    for link in re.findall(r'href="([^"#?:]+)"', page.read_text("utf-8")):
        assert (page.parent / link).is_file(), link
    (tmp_path / "mine" / "mkdocs.yml").write_text("nonsense: [", "utf-8")
    with pytest.raises(oddsmith.InputError, match="could not be made into HTML"):
        build_html(tmp_path / "mine")


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every game takes more than moments, and every step of an estimate is shown."""
    monkeypatch.setattr(growing, "SECONDS_BEFORE_FIRST_ANSWER", -1.0)
    monkeypatch.setattr(growing, "TIME_LIMIT", inf)


@pytest.mark.usefixtures("slow")
def test_a_game_that_takes_long_is_played_first_and_then_solved() -> None:
    *before, brief, last = growing_answers(ALONE)
    assert [each.estimates[0].usual_play.games for each in before] == [50, 200, 1_000, 10_000]
    played = solve(bind(ALONE, Setting(2)), "win", policies={1: ALONE.regular_policy, 2: ALONE.regular_policy}).values
    for each in before:
        assert each.main.result is None
        assert each.has_growing_estimates
        page = page_of(each)
        assert "We do not know best play yet." in page
        assert f"{each.estimates[0].usual_play.games:,} games were played, and more are to come." in page
        assert "Not solved" not in page
        for mean, value in zip(each.estimates[0].usual_play.means, played, strict=True):
            assert mean is not None
            assert abs(mean.middle - value.middle) <= mean.radius
    for found in (brief, last):
        assert found.estimates == ()
        assert found.main.values == answers_of(ALONE).main.values
    assert brief.main.opponents == ()
    assert last.main.opponents


@pytest.mark.usefixtures("slow")
def test_what_turns_out_too_large_is_played_more_often(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, progress: Progress) -> Solution:
        progress("exploring", 1, 2)
        raise TooManyStatesError("too many positions")

    monkeypatch.setattr(solving, "solve", refuse)
    monkeypatch.setattr(growing, "TIME_LIMIT", 0)  # so that the second step waits until that is known
    *before, last = growing_answers(ALONE)
    assert [(each.estimates[0].usual_play.games, each.main.too_large) for each in before] == [
        (50, False), (200, True), (1_000, True), (10_000, True)
    ]  # fmt: skip
    assert [each.has_growing_estimates for each in (*before, last)] == [True, True, True, False, False]
    assert last.estimates[0].plays == answers_of(ALONE).estimates[0].plays
    assert "We have not solved a game of this size, so we do not know best play." in page_of(last)


def test_a_game_is_solved_at_once_where_that_takes_moments(monkeypatch: pytest.MonkeyPatch) -> None:
    found = answer_if_quick(ALONE, ALONE.edition.main_setting)
    assert found is not None
    assert found.values == answers_of(ALONE).main.values
    with limited(states=10):
        assert answer_if_quick(ALONE, ALONE.edition.main_setting) is None, (
            "by its ranges there may be too many positions"
        )
    monkeypatch.setattr(growing, "MAX_POSITIONS_SAMPLED", 3)
    assert answer_if_quick(ALONE, ALONE.edition.main_setting) is None, (
        "there are more positions than are looked at first"
    )
    monkeypatch.undo()
    monkeypatch.setattr(growing, "SECONDS_BEFORE_FIRST_ANSWER", -1.0)
    assert answer_if_quick(ALONE, ALONE.edition.main_setting) is None, "solving is broken off"


def test_estimates_that_are_kept_come_at_once() -> None:
    of, kept = EstimatedGame(GAME.edition.main_setting, ANY, game_count=300), Store(Memory(), SECRET)
    steps, found = GrowingEstimate(GAME, of, kept), []
    while steps.left:
        found.append(steps.next_estimate())
    assert [each and each.usual_play.games for each in found] == [50, 200, 300]
    again = GrowingEstimate(GAME, of, kept)
    assert again.left == [300]
    assert again.next_estimate() == found[-1]


@pytest.mark.usefixtures("slow")
def test_a_game_that_cannot_be_played_to_its_end_has_no_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oddsmith.report.answers.accounts.MAX_MOVES", 3)
    found = list(growing_answers(ALONE))
    assert [each.estimates for each in found] == [()] * len(found)
    assert found[-1].main.result is not None


def test_the_way_that_a_game_takes_is_said_before_it_is_taken() -> None:
    assert answering_forecast_text(GAME).startswith("piglet --seats 2 --objective win: at most ")
    assert answering_forecast_text(GAME).endswith(" positions. Solving takes seconds.")
    assert answering_forecast_text(oddsmith.load("farkle").ruleset) == "", "its answer comes with the program"
    large = ruleset_about_one_setting(oddsmith.load("pig").ruleset, Setting(2, values={"target": 90}))
    assert re.search(
        r"positions\. Solving takes .* at most\. If that takes long, games are played first",
        answering_forecast_text(large),
    )
    with limited(states=10):
        assert "perhaps too many to solve. So games are played first" in answering_forecast_text(GAME)


def test_every_writing_is_made_into_html(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = list[str]()

    def build(folder: Path) -> Path:
        made.append((folder / "docs" / "a.md").read_text("utf-8"))
        return folder / "site" / "index.html"

    texts = ["few games", "many games", "solved"]
    monkeypatch.setattr("oddsmith.cli.publish.build_html", build)
    monkeypatch.setattr(
        "oddsmith.cli.publish.successive_sites", lambda *_: ({"docs/a.md": text.encode()} for text in texts)
    )
    with pytest.raises(SystemExit, match="0"):
        main(["publish", "piglet", "-o", str(tmp_path / "mine")])
    assert made == texts


def test_a_game_too_large_to_be_solved_is_played(tmp_path: Path) -> None:
    text = (Path(__file__).parent / "alone.yaml").read_text("utf-8")
    for most in ("max: 20", "max: 3"):
        text = text.replace(most, "max: 100000000")
    (tmp_path / "huge.yaml").write_text(text.replace("pot <= 16", "pot <= 99999990"), encoding="utf-8")
    done = run("publish", "huge.yaml", "-o", "mine", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "alone --seats 1 --objective points: at most 10^17 positions, perhaps too many to solve." in done.stderr
    page = (tmp_path / "mine" / "docs" / "games" / "alone.md").read_text("utf-8")
    assert "Not solved" not in page
    assert "10,000 games were played." in page
    assert "nothing to decide" not in page
