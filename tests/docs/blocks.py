"""The code blocks of a page, with their language, their line, and the comment that stands before them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WORDS_OF_AN_ID = 5
_FENCE = re.compile(r"^```(\w*)\s*$")
_WRONG = re.compile(r"^<!-- wrong(?:: (OD\d{3}))? -->\s*$")


@dataclass(frozen=True)
class Block:
    """A block of code. ``wrong``: None, or the code that it must be refused with (empty for any)."""

    page: Path
    line: int
    language: str
    text: str
    wrong: str | None = None

    def __str__(self) -> str:
        return f"{self.page.name}:{self.line}"


def block_id(block: Block) -> str:
    """The page and the first words of the code, which stay when lines move; pytest numbers blocks that begin alike."""
    words = re.sub(r"^(>>> import .*\n)+|^\$ oddsmith |>>> ", "", block.text).split()
    return f"{block.page.name}: {' '.join(words[:WORDS_OF_AN_ID])}"


def blocks(page: Path) -> list[Block]:
    """All code blocks of a page, in order."""
    found: list[Block] = []
    wrong: str | None = None
    language: str | None = None
    start, held = 0, list[str]()
    for number, line in enumerate(page.read_text("utf-8").splitlines(), 1):
        fence = _FENCE.match(line)
        if language is None and fence:
            language, start, held = fence[1], number + 1, []
        elif language is not None and fence and not fence[1]:
            found.append(Block(page, start, language, "\n".join(held) + "\n", wrong))
            language = wrong = None
        elif language is not None:
            held.append(line)
        elif mark := _WRONG.match(line):
            wrong = mark[1] or ""
        elif line.strip():
            wrong = None
    assert language is None, f"{page}: a block is not closed"
    return found


def pages() -> list[Path]:
    """The README and every page that people wrote."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
