"""Ask third parties what we answer: `make crosscheck`. It writes docs/agreement.md, and fails if a difference has no reason.

A difference has a reason if a ruleset says why the printed number is wrong. A program that is not installed is named as not
asked; but what PRISM-games said earlier stays. Nothing here measures time, and the page has no date, so it changes only when
questions, answers or versions do.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

from oddsmith.base.files import write_atomically
from tests.agreement import by_prism, by_storm
from tests.agreement.asking import DIFFERENT, Said, agreement, put, shown
from tests.agreement.page import HEADS, Page, table_rows, tables, title_of
from tests.agreement.printed import judged, printed
from tests.agreement.questions import DICE, MODELS, OPENSPIEL, TREES, Tree, lead
from tests.agreement.trees import efg
from tests.cases import Case, explored, solved
from tests.storm import THERE

PAGE = Path("docs/agreement.md")
MOST = 20  # decisions of a tree that is put to Gambit, whose exact linear program takes minutes beyond
UNASKED = "not asked"
EARLIER = " (earlier)"


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


Cells = Mapping[tuple[str, ...], str]


def earlier(text: str, program: str, head: Sequence[str]) -> tuple[str, Cells]:
    """What a program said by the page as it stands: its version, and the last cells of a table by the cells before them."""
    found = tables(text)
    version = dict[str, str](found["Program Version"]).get(program, "")
    if not version:
        return "", {}
    cells = {tuple(row[:-1]): row[-1] for row in found[" ".join(head[:2])]}
    return f"{version.removesuffix(EARLIER)}{EARLIER}", cells


def game_rows(games: Sequence[tuple[Case, str]], said: Said, before: Cells) -> Iterator[list[str]]:
    """A row for each seat of each exported game. ``before``: what was said earlier, which stays if nothing is said now."""
    for place, game in enumerate(games):
        for seat, ours in enumerate(solved(*game).values):
            asked = [title_of(*game), str(seat + 1), shown(ours)]
            same = agreement(ours, said.answers[place][seat]) if said.answers else before.get(tuple(asked), UNASKED)
            yield [*asked, same]


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
    version, before = earlier(PAGE.read_text(encoding="utf-8"), "PRISM-games", HEADS["games"])
    return Page(
        peers={
            "icepool": icepool,
            "Storm (stormpy)": models,
            "PRISM-games": Said(version) if games.missing and version else games,
            "OpenSpiel": pig,
            "Gambit (pygambit)": trees,
        },
        tables={
            "dice": table_rows(DICE, icepool),
            "models": table_rows(MODELS, models),
            "exported": list(exported_rows()),
            "openspiel": table_rows(OPENSPIEL, pig),
            "games": list(game_rows(by_prism.games(), games, before)),
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
