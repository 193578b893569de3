"""Every link leads to a page and to a heading of it, every page has its place, and what designers look for is found."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from markdown.extensions.toc import slugify
from ruamel.yaml import YAML

from oddsmith.base.files import shipped_rulesets
from tests.docs.blocks import ROOT, pages

DOCS = ROOT / "docs"
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
FENCED = re.compile(r"^```.*?^```$", flags=re.DOTALL | re.MULTILINE)
CODE = re.compile(r"^```.*?^```|`[^`\n]+`", flags=re.DOTALL | re.MULTILINE)
GAMES = {f"games/{name}.md" for name in shipped_rulesets()}
MADE = GAMES | {
    "table/index.html",
    "roll/foundry/oddsmith-odds.zip",
    "games/foundry/oddsmith-games.zip",
    "owlbear/room/manifest.json",
}
KINDS = {"Begin here", "How do I …?", "Rules to copy", "Look up", "Understand"}

# What designers typed when they looked for something, and the section that must answer it in these words.
SOUGHT = {
    "bag of dice": "how-to/rules.md#a-bag-of-dice",
    "stakes ante pot": "how-to/rules.md#stakes-an-ante-a-pot",
    "fine penalty": "how-to/rules.md#stakes-an-ante-a-pot",
    "monster hero sides start only": "how-to/rules.md#sides-that-are-not-alike-hero-and-monster-knight-and-witch",
    "seat number refused mover == 1": "how-to/rules.md#a-seat-by-its-number-who-begins-who-sits-next",
    "4d6kh3 highest": "how-to/rules.md#highest-two-of-four-dice-advantage-rolls-that-explode",
    "own words code": "how-to/rules.md#my-own-words-on-pages-at-the-table-and-in-foundry",
    "editor completion schema": "how-to/rules.md#completion-in-my-editor",
    "measures given condition when count": "how-to/rules.md#a-question-about-my-game-how-often-how-long-how-likely",
    "compare two rules": "how-to/compare.md#compare-two-rules-or-two-versions-of-a-game",
    "on every save serve terminal sliders": "how-to/compare.md#see-at-once-what-a-change-does",
    "sweep range csv": "how-to/compare.md#try-every-value-of-a-number",
    "fair balance head start": "how-to/compare.md#balance-a-game-make-it-fair",
    "dead option never best": "how-to/compare.md#find-options-that-are-never-best-and-choices-that-are-none",
    "strategy in the terminal thresholds": "how-to/compare.md#see-the-strategy-in-the-terminal",
    "close decisions skill": "how-to/compare.md#how-close-are-the-decisions-how-much-does-skill-matter",
    "did I write what I mean": "how-to/compare.md#did-i-write-what-i-mean",
    "game too large memory positions": "how-to/too-large.md",
    "pages open by double-click": "tutorial.md#6-publish-it",
    "foundry module": "tutorial.md#7-take-it-to-foundry",
    "oddsmith roll": "how-to/compare.md#did-i-write-what-i-mean",
    "print card": "how-to/index.md#show-it-to-others",
    "link friends": "how-to/index.md#show-it-to-others",
    "notebook data frame pandas matplotlib": "how-to/python.md",
    "which setting is fairest": "how-to/python.md#which-setting-is-fairest",
    "networkx": "how-to/python.md#where-does-best-play-never-get",
    "secret": "reference/language.md#secrets-seen_by",
    "reveal": "reference/language.md#secrets-seen_by",
}


@cache
def sections(page: Path) -> dict[str, str]:
    """The text below each heading of a page down to the next of its rank, by the heading's anchor; the page by no name."""
    text = page.read_text("utf-8")
    plain = FENCED.sub(lambda block: block[0].replace("\n#", "\n "), text)  # a comment in code is no heading
    heads = list(re.finditer(r"^(#+) (.+)$", plain, flags=re.MULTILINE))
    found = {"": text}
    for place, head in enumerate(heads):
        following = (other.start() for other in heads[place + 1 :] if len(other[1]) <= len(head[1]))
        name = anchor = slugify(re.sub(r"\[([^\]]*)\]\([^)]*\)|[`*]", r"\1", head[2]), "-")
        count = 0
        while anchor in found:
            count += 1
            anchor = f"{name}_{count}"
        found[anchor] = text[head.start() : next(following, len(text))]
    return found


def targets(page: Path) -> list[str]:
    return [found for found in LINK.findall(CODE.sub("", page.read_text("utf-8"))) if "://" not in found]


def fault(page: Path, target: str) -> str | None:
    """What is wrong with a link; None where it leads somewhere."""
    name, _, anchor = target.partition("#")
    other = (page.parent / name).resolve() if name else page
    if DOCS in other.parents and other.relative_to(DOCS).as_posix() in MADE:
        return None  # the build writes them, and mkdocs checks their anchors
    if not other.exists():
        return f"there is no {target}"
    if anchor and anchor not in sections(other):
        return f"{name or page.name} has no heading #{anchor}"
    return None


@pytest.mark.parametrize("page", [*pages(), *ROOT.glob("*.md")], ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    assert [found for target in targets(page) if (found := fault(page, target))] == []


def test_a_broken_link_is_found() -> None:
    page = DOCS / "tutorial.md"
    assert fault(page, "nothing.md") == "there is no nothing.md"
    assert fault(page, "cookbook.md#nothing") == "cookbook.md has no heading #nothing"
    assert fault(page, "games/pig.md#anything") is None
    assert sum(len(targets(page)) for page in pages()) > 100


# --- every page has its place


def navigation() -> Any:
    text = re.sub(r"!ENV.*", "null", (ROOT / "mkdocs.yml").read_text("utf-8"))
    return YAML(typ="safe").load(text)["nav"]


def placed(part: Any) -> list[str]:
    """The pages of a part of the navigation."""
    if isinstance(part, str):
        return [part]
    parts = part.values() if isinstance(part, dict) else part
    return [page for each in parts for page in placed(each)]


def named(part: Any) -> set[str]:
    """The names that parts of the navigation have."""
    if isinstance(part, str):
        return set()
    if isinstance(part, list):
        return {name for each in part for name in named(each)}
    return set(part) | {name for each in part.values() for name in named(each)}


def test_every_page_has_one_place() -> None:
    found = placed(navigation())
    written = {page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")}
    assert sorted(found) == sorted(set(found))
    assert set(found) == written | GAMES


def test_the_navigation_names_the_kinds_in_plain_words() -> None:
    doors = {name: part for door in navigation() for name, part in door.items()}
    assert list(doors) == ["Home", "Any roll", "Games", "At your table", "Design your own", "Proofs and reference"]
    assert named(doors["Design your own"]) | named(doors["Proofs and reference"]) >= KINDS


# --- what designers look for


@pytest.mark.parametrize(("words", "target"), SOUGHT.items(), ids=SOUGHT)
def test_what_designers_look_for_stands_in_their_words(words: str, target: str) -> None:
    """As the site's search sees it: every word stands in the section that answers."""
    page, _, anchor = target.partition("#")
    text = sections(DOCS / page)[anchor].lower()
    assert [word for word in words.lower().split() if word not in text] == []


def test_every_how_to_page_is_on_the_list_of_questions() -> None:
    listed = {target.partition("#")[0] for target in targets(DOCS / "how-to" / "index.md")}
    assert {page.name for page in (DOCS / "how-to").glob("*.md")} - {"index.md"} <= listed


def test_every_room_and_module_that_a_page_names_is_there() -> None:
    package = ROOT / "solver" / "oddsmith"
    rooms = {path.name for path in package.iterdir() if (path / "__init__.py").is_file()}
    pages = [*(ROOT / "docs").rglob("*.md"), ROOT / "CONTRIBUTING.md", ROOT / "README.md", ROOT / "SECURITY.md"]
    named = {
        name for page in pages for name in re.findall(r"`([a-z_]+(?:/[a-z_]+)+)(?:\.py)?/?`", page.read_text("utf-8"))
    }
    ours = {name for name in named if name.split("/")[0] in rooms}
    assert len(ours) > 40
    assert [
        name for name in sorted(ours) if not (package / name).is_dir() and not (package / f"{name}.py").is_file()
    ] == []
