"""A site grows while its games are solved: a page comes first, and the last writing is what publishing at once gives."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import oddsmith
from oddsmith.api.site import about_one_game, built, growing_site, site_pages
from oddsmith.publish.finishing import file_links
from oddsmith.report.answers.accounts import answers_of, growing_answers
from tests.terminal import run

GAME = oddsmith.load("piglet").ruleset
PAGE = "docs/games/piglet.md"


def test_the_first_account_is_brief_and_the_last_is_whole() -> None:
    told = list[str]()
    first, *_, last = growing_answers(GAME, lambda what, done, total: told.append(f"{what} {done}/{total}"))
    whole = answers_of(GAME)
    assert (len(first.answers), first.verdicts) == (1, ())
    assert first.main.values == whole.main.values
    assert first.main.opponents == ()
    assert [each.slug for each in last.answers] == [each.slug for each in whole.answers]
    assert [each.right for each in last.verdicts] == [each.right for each in whole.verdicts]
    assert told[0].startswith("piglet --seats 2 --objective win: solving 0/")
    assert any(": opponents 0/" in line for line in told), "the parts of an answer are told, not only games"
    assert told[-1].split("/")[1] == str(len(whole.answers))


def test_a_page_is_there_before_the_rest_and_the_last_has_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oddsmith.api.site.PAUSE", 0)
    monkeypatch.setattr("oddsmith.api.site.SHARE", 0)
    one = about_one_game(GAME, 2, None, [], {})
    first, *_, last = growing_site([one])
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
    assert re.findall(r'href="([^"]*)"', file_links(page).decode()) == list(leading.values())
    same = b"".join(b'<a href="%b">a</a>' % link for link in (b"https://example.org/", b"#top", b"pig.csv", b"//x.y/"))
    assert file_links(same) == same


def test_the_command_ends_with_pages_that_a_double_click_opens(tmp_path: Path) -> None:
    done = run("publish", "piglet", "-o", "mine", "--seats", "2", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    page = tmp_path / "mine" / "site" / "index.html"
    assert f"open {page.relative_to(tmp_path)}" in done.stdout
    for link in re.findall(r'href="([^"#?:]+)"', page.read_text("utf-8")):
        assert (page.parent / link).is_file(), link
    (tmp_path / "mine" / "mkdocs.yml").write_text("nonsense: [", "utf-8")
    with pytest.raises(oddsmith.InputError, match="could not be made into HTML"):
        built(tmp_path / "mine")


def test_a_game_too_large_to_be_solved_has_a_page_that_says_so(tmp_path: Path) -> None:
    text = (Path(__file__).parent / "alone.yaml").read_text("utf-8")
    for most in ("max: 20", "max: 3"):
        text = text.replace(most, "max: 100000000")
    (tmp_path / "huge.yaml").write_text(text.replace("pot <= 16", "pot <= 99999990"), encoding="utf-8")
    done = run("publish", "huge.yaml", "-o", "mine", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "mine" / "docs" / "games" / "alone.md").read_text("utf-8")
    assert "Not solved" in page
    assert "Alone goes on and on" in page
    assert "nothing to decide" not in page
