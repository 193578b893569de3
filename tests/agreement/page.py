"""The page about who else gets the same numbers: its words and its tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from oddsmith.base.exact import Number, plural
from tests.agreement.asking import DIFFERENT, Said, agreement, shown
from tests.agreement.printed import SOURCES, Printed
from tests.agreement.questions import Question
from tests.cases import SHIPPED, Case

PAGE_TEXT = """\
# Who else gets the same numbers

A proof is only as good as its checker, and a checker can share a mistake with its author. So we put the same
questions to programs by other people, and compare our answers with what was printed in books and articles.
`make crosscheck` asks and writes this page.

{asked}
{missing}
## Dice, by icepool

icepool counts multisets of dice in whole numbers. It was asked in expressions of its own, which share nothing with
our rulesets.

{dice}

## Models written by hand, by Storm

Storm is a model checker. These models in the language of PRISM were written from the rules, not from our rulesets.
Storm answers in fractions here.

{models}

## Exported models, by Storm

Here Storm reads what `oddsmith export --format drn` writes. For every seat, it was asked what the seat gets if all
play as we say. It was also asked for the most that this seat can get while the others play so. Both must be the value
of the seat.

{exported}

## Exported games, by PRISM-games

PRISM-games solves games in which several players choose, by value iteration in floats. Here it reads what
`oddsmith export --format prism` writes, which holds no solution. It was asked how much each of two seats can make
sure of, whatever the other does. No package registry has it; whoever runs `make crosscheck` names its command in
`PRISM_GAMES`. If nobody does, what it said earlier of the same questions stays here, where our answers are the same.

{games}

## Games of its own, by OpenSpiel

OpenSpiel is a collection of games and solvers. It has these among its own games, so it reads nothing of ours. It solves
Pig by value iteration in floats. Of a game with secrets, it writes the sequence form. A linear program, in floats by SciPy,
gives a strategy for each player. OpenSpiel then works out what they bring, and the best responses to both.
The table has its value only if no response gains more than 10<sup>-12</sup>.

{openspiel}

## Exported trees, by OpenSpiel and Gambit

These games never come back to a position. So each was written as a tree in the EFG format, which both programs read.
Both were asked what the first player gets beyond an equal share. OpenSpiel iterates values in floats. Gambit solves a
linear program in fractions.

{trees}

## Games with secrets, by OpenSpiel and Gambit

These are the trees that `oddsmith export` writes in the EFG format, with the information sets of both players. Only
payoffs were changed, to what a player gets beyond an equal share. OpenSpiel was asked as above for games with secrets.
Gambit solves the linear program of the sequence form in fractions, which takes long: it was asked of trees of up to
{most:,} nodes. Neither of them knows our solution.

{secrets}

## Published numbers

A number of a shipped game is checked as `oddsmith verify` does. The others are classic problems, which `tests/known`
has as rulesets.

{printed}

## Where they differ, and why

{differences}

**Floats.** OpenSpiel and PRISM-games stop when a step hardly changes a value any more, and a float holds about
16 digits. The tables say to how many digits they agree with us. Ten digits or more count as agreement.

**Size.** Exact arithmetic is slow in Storm and Gambit, so they were asked about small settings. What is proved about
large ones does not rest on this page, but on [certificates](certificates.md).

## Sources

The list says what of a source was read for it, and where. A source without that is cited from memory, and so is its
number. If you have one of them at hand, please tell us what it prints.

{sources}
"""
HEADS = {
    "dice": ("Question", "To icepool", "Oddsmith", "icepool"),
    "models": ("Question", "To Storm", "Oddsmith", "Storm"),
    "exported": ("Game", "Questions", "Storm"),
    "games": ("Game", "Seat", "Oddsmith", "PRISM-games"),
    "openspiel": ("Question", "To OpenSpiel", "Oddsmith", "OpenSpiel"),
    "trees": ("Game", "Oddsmith", "OpenSpiel", "Gambit"),
    "secrets": ("Game with secrets", "Oddsmith", "OpenSpiel", "Gambit"),
}
MOST_NODES = 1_200  # of a tree with secrets that is put to Gambit, whose exact linear program takes minutes beyond
Judged = tuple[Number, bool, str]


def title_of(case: Case, objective: str) -> str:
    """A game at a setting, for a table."""
    settings = [f"`{name}={value}`" for name, value in case.parameters.items()]
    return ", ".join([case.name.removeprefix(SHIPPED), plural(case.seats, "seat"), *settings, objective])


def tables(text: str) -> dict[str, list[list[str]]]:
    """The tables of a page by the head of their first two columns, without head and rule."""
    found: dict[str, list[list[str]]] = {}
    for block in text.split("\n\n"):
        lines = [line[2:-2].split(" | ") for line in block.splitlines() if line.startswith("| ")]
        if lines:
            found[" ".join(lines[0][:2])] = lines[2:]
    return found


def table(head: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """A table of Markdown."""
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [head, ["---"] * len(head), *lines])


def table_rows(questions: Sequence[Question], said: Said) -> list[list[str]]:
    """A row for each question: what it is, how it was put, our answer, and how far theirs agrees."""
    found = []
    for place, each in enumerate(questions):
        ours = each.ours()
        same = agreement(ours, said.answers[place]) if said.answers else "not asked"
        found.append([each.words, f"`{each.terms}`", shown(ours), same])
    return found


@dataclass(frozen=True)
class Page:
    """What is on the page. ``judged``: the computed number for each printed one, whether it is right, and why not."""

    peers: Mapping[str, Said]
    tables: Mapping[str, Sequence[Sequence[str]]]
    printed: Sequence[Printed]
    judged: Sequence[Judged]

    def text(self) -> str:
        """The page as Markdown."""
        asked = [[name, said.version] for name, said in self.peers.items() if not said.missing]
        missing = [f"{name} ({said.missing})" for name, said in self.peers.items() if said.missing]
        return PAGE_TEXT.format(
            asked=table(["Program", "Version"], asked),
            missing=f"\n**Not asked:** {'; '.join(missing)}.\n" if missing else "",
            printed=table(["What", "Printed", "Computed", "Verdict", "Source"], self._published()),
            differences=self._differences(),
            sources="\n".join(map(_source, SOURCES["sources"])),
            most=MOST_NODES,
            **{name: table(HEADS[name], lines) for name, lines in self.tables.items()},
        )

    def strange(self) -> list[str]:
        """What differs without a reason."""
        lines = [line for lines in self.tables.values() for line in lines]
        unsaid = [
            each.words for each, (_, right, why) in zip(self.printed, self.judged, strict=True) if not right and not why
        ]
        return [line[0] for line in lines if any(cell.startswith(DIFFERENT) for cell in line)] + unsaid

    def _published(self) -> Iterable[list[str]]:
        for each, (number, right, _) in zip(self.printed, self.judged, strict=True):
            text = each.text if len(each.text) < 40 else f"{each.text[:12]}…/{each.text.partition('/')[2][:12]}…"
            yield [
                each.words,
                text,
                shown(number),
                "right" if right else "**wrong**",
                f"[{each.source}](#sources)",
            ]

    def _differences(self) -> str:
        return "\n".join(
            f"- {each.words}: printed was {each.text}; it is {shown(number)}. “{why}”"
            for each, (number, right, why) in zip(self.printed, self.judged, strict=True)
            if not right
        )


def _source(name: str) -> str:
    source = SOURCES["sources"][name]
    read = f"Read: “{source['read'].strip()}”." if source.get("read") else "From memory."
    return f"- **{name}**: “{source['cite'].strip()}”. {read}"
