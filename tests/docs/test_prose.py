"""Pages for people use the words that CONTRIBUTING.md decides, and no sentence is too long to be read once.

The tables below *Words* in CONTRIBUTING.md are the list. Their second column names in quotation marks what a page must not say,
and their first column says what to write instead. A third column *Except on* may name pages that need the word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.docs.blocks import ROOT, pages

MOST = 35  # words in a sentence
PAGES = sorted({*pages(), *ROOT.glob("*.md"), *ROOT.glob("tests/**/*.md")})
# What a page only quotes: front matter, code, comments, tags, the addresses of links, and what stands in quotation marks.
QUOTED = re.compile(
    r"\A---\n.*?\n---\n|^ *```.*?^ *```$|``[^`].*?``|`[^`]+`|<!--.*?-->|</?\w[^<>\n]*>|(?<=\])\([^)]*\)|“[^”]*”|https?://\S+",
    flags=re.DOTALL | re.MULTILINE,
)
START = re.compile(r"\s*(?:[-*]|\d+\.|:|#+)\s+")  # of a list item, a definition or a heading
END = re.compile(r"[.!?][)\"*_]*$")


@dataclass(frozen=True)
class Loser:
    """A phrase that pages do not use. ``pattern`` finds it, ``better`` is what to write, ``allowed`` are pages that need it."""

    phrase: str
    pattern: re.Pattern[str]
    better: str
    allowed: frozenset[str]


def losers() -> list[Loser]:
    """All phrases of the tables below *Words*."""
    section = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("\n## Words\n")[2].partition("\n## ")[0]
    found: list[Loser] = []
    heads: list[str] = []
    for line in section.splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if not cells:
            heads = []
        elif not heads:
            heads = cells
        elif phrases := re.findall("“([^”]+)”", cells[1]):
            row = dict(zip(heads, cells, strict=True))
            allowed = frozenset(re.findall("`([^`]+)`", row.get("Except on", "")))
            found += [Loser(phrase, as_pattern(phrase), cells[0], allowed) for phrase in phrases]
    return found


def as_pattern(phrase: str) -> re.Pattern[str]:
    """A phrase as whole words, in small or large letters, also over the end of a line."""
    return re.compile(r"(?<!\w)" + r"\s+".join(map(re.escape, phrase.split())) + r"(?!\w)", re.IGNORECASE)


def own_words(text: str) -> str:
    """The text of a page, with ``0`` for all that it only quotes; lines keep their numbers."""
    return QUOTED.sub(lambda quoted: "0" + "\n" * quoted[0].count("\n"), text)


def sentences(text: str) -> Iterator[tuple[int, list[str]]]:
    """Each sentence outside tables, with the line on which it begins."""
    held: list[str] = []
    begins = 0
    for number, line in enumerate([*text.splitlines(), ""], 1):
        mark = START.match(line)
        if held and (mark or not line.strip() or line.startswith("|")):
            yield begins, held
            held = []
        if line.startswith("|"):
            continue
        for word in line[mark.end() if mark else 0 :].split():
            begins = begins if held else number
            held.append(word)
            if END.search(word):
                yield begins, held
                held = []


def faults(name: str, text: str) -> Iterator[str]:
    """What a page says that it should not, or at too great a length, each with its line."""
    text = own_words(text)
    for loser in losers():
        if name in loser.allowed:
            continue
        for match in loser.pattern.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            yield f"{name}:{line}: instead of “{loser.phrase}” write: {loser.better}"
    for line, words in sentences(text):
        length = sum(bool(re.search(r"\w", word)) for word in words)
        if length > MOST:
            yield f"{name}:{line}: a sentence of {length} words, more than {MOST}: {' '.join(words[:8])} ..."


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_page_uses_plain_words_and_short_sentences(page: Path) -> None:
    assert not (found := list(faults(name_of(page), page.read_text("utf-8")))), "\n" + "\n".join(found)


@pytest.mark.parametrize("loser", losers(), ids=lambda loser: loser.phrase)
def test_a_planted_phrase_is_found_at_its_line(loser: Loser) -> None:
    planted = "A line.\n\nHere is " + loser.phrase.replace(" ", "\n", 1) + " for you.\n"
    assert f"a.md:3: instead of “{loser.phrase}” write: {loser.better}" in list(faults("a.md", planted))
    for name in loser.allowed:
        assert (ROOT / name).is_file(), f"CONTRIBUTING.md allows “{loser.phrase}” on {name}, which is no page"
        assert not [fault for fault in faults(name, planted) if f"“{loser.phrase}”" in fault]


def test_what_a_page_quotes_is_not_its_own_word() -> None:
    assert list(faults("a.md", "The dice are thrown.\n"))
    for quoted in ("`thrown`", "“thrown”", "[dice](thrown.md)", "```\nthrown\n```", "<!-- thrown -->"):
        assert not list(faults("a.md", f"{quoted}\n"))


def test_a_long_sentence_is_found_where_it_begins() -> None:
    longest = "word\n" * (MOST - 1)
    for lead in ("", "- ", "1. ", ":   "):
        assert not list(faults("a.md", f"Short.\n\n{lead}{longest}end.\n"))
        (fault,) = faults("a.md", f"Short.\n\n{lead}Short. More {longest}end.\n")
        assert fault.startswith(f"a.md:3: a sentence of {MOST + 1} words")
    assert not list(faults("a.md", f"| {'word ' * 50}|\n"))
    assert not list(faults("a.md", f"```\n{'word ' * 50}\n```\n"))


def test_there_is_something_to_check() -> None:
    assert len(losers()) > 20
    assert len(PAGES) > 20
