"""A standalone page is one file: it opens anywhere, shows the numbers of the command, and takes nothing from elsewhere."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

from click.testing import CliRunner

import oddsmith
from oddsmith.cli import cli


class _Reader(HTMLParser):
    """The text of a page, and what it would load."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.text, self.loads, self.hidden = "", list[str](), 0
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.hidden += tag == "style"
        self.loads += [str(value) for name, value in attrs if name in ("src", "href", "srcset")]
        self.loads += ["script"] * (tag == "script")

    def handle_endtag(self, tag: str) -> None:
        self.hidden -= tag == "style"

    def handle_data(self, data: str) -> None:
        self.text += "" if self.hidden else data


def read(path: Path) -> _Reader:
    page = path.read_text(encoding="utf-8")
    assert not re.search(r"url\(\s*['\"]?(?!data:|#)|@import", page)
    found = _Reader(page)
    assert found.loads == []
    return found


def run(*words: str) -> None:
    done = CliRunner().invoke(cli, list(words), catch_exceptions=False)
    assert done.exit_code == 0, done.output


def test_a_difference_is_a_page(tmp_path: Path) -> None:
    run("diff", "piglet", "--to", "target=3", "-o", str(tmp_path / "changes.html"))
    page = read(tmp_path / "changes.html")
    before, after = (oddsmith.load("piglet").at(target=target).solve().values[0].decimal(4) for target in (2, 3))
    assert before in page.text
    assert after in page.text
    assert "Seat 1, if it alone keeps the old strategy, gets" in page.text


def test_a_sweep_is_a_page_with_pictures(tmp_path: Path) -> None:
    found = oddsmith.sweep("piglet", {"target": [2, 3, 4]})
    found.export(file=tmp_path / "grid.html")
    page = read(tmp_path / "grid.html")
    for point in found.records(4):
        assert str(point["value_1"]) in page.text
    assert "What each seat gets, by target: seat 1 from 0.5714 at 2 to" in page.text
    assert (tmp_path / "grid.html").read_text("utf-8").count("<svg") >= 2


def test_what_a_sweep_cannot_solve_is_told_on_its_page(tmp_path: Path) -> None:
    run("sweep", "rogues-gambit", "--seats", "2", "--vary", "coins_each=4,2", "--vary", "full_belly=literal,<b>x</b>",
        "-o", str(tmp_path / "grid.html"))  # fmt: skip
    page = read(tmp_path / "grid.html")
    assert "<b>x</b>" in page.text
    assert "<b>" not in (tmp_path / "grid.html").read_text("utf-8")
