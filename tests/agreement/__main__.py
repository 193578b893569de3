"""Ask third parties what we answer: `make crosscheck`. It writes docs/agreement.md, and fails if a difference has no reason.

A difference has a reason if a ruleset says why the printed number is wrong. A program that is not installed is named as not
asked. Nothing here measures time, and the page has no date, so it changes only when questions, answers or versions do.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

from oddsmith.base.files import write_atomically
from tests.agreement import by_prism, by_storm
from tests.agreement.asking import DIFFERENT, Said, agreement, put, shown
from tests.agreement.page import Page, table_rows, title_of
from tests.agreement.printed import judged, printed
from tests.agreement.questions import DICE, MODELS, OPENSPIEL, TREES, Tree, lead
from tests.agreement.trees import efg
from tests.cases import explored, solved
from tests.storm import THERE

PAGE = Path("docs/agreement.md")
MOST = 20  # decisions of a tree that is put to Gambit, whose exact linear program takes minutes beyond
UNASKED = "not asked"


def told(line: str) -> None:
    """Say how far it has come."""
    print(line, file=sys.stderr, flush=True)


def storm_says() -> Said:
    """What Storm says of models that were written by hand."""
    if not THERE:
        return Said(missing="not installed")
    return Said(version("stormpy"), tuple(by_storm.value(each.model(), each.terms) for each in MODELS))


def exported_rows() -> Iterator[list[str]]:
    """What Storm says of exported models: a row for each game."""
    for case, objective in by_storm.EXPORTED:
        pairs = by_storm.replies(case, objective) if THERE else []
        same = "all equal" if all(ours == theirs for ours, theirs in pairs) else DIFFERENT
        yield [title_of(case, objective), str(len(pairs)), same if pairs else UNASKED]


def trees_say(program: str, form: str, trees: Sequence[Tree]) -> Said:
    """What a program says of exported trees. ``form``: how it wants the path of a file."""
    with TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{number}.efg" for number in range(len(trees))]
        for path, (case, objective) in zip(paths, trees, strict=True):
            path.write_text(efg(explored(case, objective)), encoding="utf-8")
        return put(program, [form.format(path) for path in paths])


def tree_rows(openspiel: Said, gambit: Said, small: Sequence[Tree]) -> Iterator[list[str]]:
    """A row for each tree."""
    for tree in TREES:
        ours, cells = lead(*tree), []
        for said, asked in ((openspiel, TREES), (gambit, small)):
            there = said.answers and tree in asked
            cells.append(agreement(ours, said.answers[asked.index(tree)]) if there else UNASKED)
        yield [title_of(*tree), shown(ours), *cells]


def game_rows(said: Said) -> Iterator[list[str]]:
    """A row for each seat of each exported game."""
    for place, game in enumerate(by_prism.games()):
        for seat, ours in enumerate(solved(*game).values):
            same = agreement(ours, said.answers[place][seat]) if said.answers else UNASKED
            yield [title_of(*game), str(seat + 1), shown(ours), same]


def page() -> Page:
    """The page of what is said now."""
    told("Published numbers")
    verdicts = judged()
    told("icepool, OpenSpiel and Gambit")
    icepool = put("icepool", [each.terms for each in DICE])
    pig = put("openspiel", [each.terms for each in OPENSPIEL])
    small = [tree for tree in TREES if explored(*tree).decisions <= MOST]
    played, trees = trees_say("openspiel", "efg_game(filename={})", TREES), trees_say("gambit", "{}", small)
    told("Storm")
    models = storm_says()
    told("PRISM-games")
    games = by_prism.said()
    return Page(
        peers={
            "icepool": icepool,
            "Storm (stormpy)": models,
            "PRISM-games": games,
            "OpenSpiel": pig,
            "Gambit (pygambit)": trees,
        },
        tables={
            "dice": table_rows(DICE, icepool),
            "models": table_rows(MODELS, models),
            "exported": list(exported_rows()),
            "openspiel": table_rows(OPENSPIEL, pig),
            "games": list(game_rows(games)),
            "trees": list(tree_rows(played, trees, small)),
        },
        printed=printed(),
        judged=verdicts,
    )


if __name__ == "__main__":
    written = page()
    write_atomically(PAGE, written.text().encode())
    if strange := written.strange():
        sys.exit("\n".join(["These differ, and nothing says why:", *strange]))
