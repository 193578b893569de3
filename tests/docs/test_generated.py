"""Texts that the program writes for people use the words that CONTRIBUTING.md decides, in sentences as short as on pages."""

from __future__ import annotations

import json
import re
from functools import cache
from html import unescape
from pathlib import Path

import click
import pytest

from oddsmith.base.location import Source
from oddsmith.cli import cli
from oddsmith.publish.site import publish
from oddsmith.report.answers.accounts import RulesetAnswers, answers_of
from oddsmith.ruleset.checking.codes import problem_codes_by_name
from oddsmith.ruleset.reading.build import read_ruleset
from oddsmith.tabletops.foundry.journal import rules_pages, unsolved_game_content
from oddsmith.tabletops.foundry.manifest import ModuleOptions
from oddsmith.tabletops.foundry.module import changelog_file, readme_file
from oddsmith.tabletops.foundry.odds import odds_pages
from oddsmith.tabletops.foundry.odds import solved_game_content as contents
from oddsmith.tabletops.owlbear import build_extension
from oddsmith.tabletops.roll20 import build_mod
from tests.docs.blocks import ROOT
from tests.docs.test_prose import faults

SAMPLES = {"alone": ROOT / "tests" / "publish" / "alone.yaml", "piglet": ROOT / "tests" / "samples" / "piglet.yaml"}
ENDS = re.compile(r"</(?:p|li|td|th|caption|dt|dd|h\d|summary|figcaption|title|text|small|div)>")
GOLDEN = sorted((ROOT / "tests" / "ruleset" / "bad").glob("*.txt"))


@cache
def solved(name: str) -> RulesetAnswers:
    """A small game. Its own texts use other words where the list refuses theirs: a ruleset may say what it likes."""
    text = SAMPLES[name].read_text("utf-8").replace("throw", "cast").replace("Throw", "Cast")
    return answers_of(read_ruleset(Source(f"{name}.yaml", text))[0])


def plain(html: str) -> str:
    """The text of a page of HTML, each element a paragraph, without code and definitions of any length."""
    html = re.sub(r"(?s)<(code|script)\b.*?</\1>|<li><strong>(?:bad|gain)</strong>.*?</li>", "0", html)
    return unescape(re.sub(r"<[^>]+>", " ", ENDS.sub("\n\n", html)))


def assert_plain(text: str, page: str = "generated") -> None:
    assert not (found := list(faults(page, text))), "\n" + "\n".join(found)


@pytest.mark.parametrize("name", SAMPLES)
def test_the_pages_of_a_game(name: str) -> None:
    for path, data in publish([solved(name).ruleset]).items():
        if path.endswith((".md", ".html")):
            assert_plain(plain(data.decode().split("---\n", 2)[-1]))


@pytest.mark.parametrize("name", SAMPLES)
def test_the_journals_of_a_game(name: str) -> None:
    told = unsolved_game_content(solved(name).ruleset)
    for page in (*rules_pages(solved(name).main.game), *odds_pages(solved(name)), *told.rules, *told.odds):
        assert_plain(f"{page.title}\n\n{plain(page.html)}")


def test_the_readmes_of_tabletops() -> None:
    games = [solved(name) for name in SAMPLES]
    rulesets, site = [each.ruleset for each in games], site_files()
    for url in ("", "https://example.org/modules"):
        options = ModuleOptions(id="tavern-games", title="Tavern games", url=url)
        for held in ([contents(each) for each in games], [unsolved_game_content(each) for each in rulesets]):
            assert_plain(readme_file(options, held).decode())
        assert_plain(changelog_file(options, rulesets).decode())
    assert_plain(build_extension(games, "", site, b"")["README.md"].decode())
    script = build_mod(games[0], site, b"", "1").files
    for name in ("README.md", "tables.txt"):
        assert_plain(script[name].decode())
    assert_plain(json.loads(script["script.json"])["description"])


@cache
def site_files() -> dict[str, bytes]:
    site = ROOT / "site"
    return {path.relative_to(site).as_posix(): path.read_bytes() for path in site.rglob("*") if path.is_file()}


@pytest.mark.parametrize("verb", [None, *cli.commands])
def test_the_help_of_a_verb(verb: str | None) -> None:
    command = cli if verb is None else cli.commands[verb]
    words = [(command.help or "").partition("\b")[0]]
    words += [option.help or "" for option in command.params if isinstance(option, click.Option)]
    assert all(words), "every option says what it is for"
    assert_plain("\n\n".join(words))


@pytest.mark.parametrize("code", problem_codes_by_name())
def test_what_a_code_means(code: str) -> None:
    entry = problem_codes_by_name()[code]
    assert_plain(f"{entry.title}\n\n{entry.text}")


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_messages_and_hints(path: Path) -> None:
    lines = re.sub(r"^#.*$|^\S+: (?:error|warning) OD\d+: ", "", path.read_text("utf-8"), flags=re.MULTILINE)
    lines = re.sub(r"\b[Tt]hrows?\b|did you mean .*", "0", lines)  # names of these examples, and keys of the language
    assert_plain(lines.replace("\n", "\n\n"))
