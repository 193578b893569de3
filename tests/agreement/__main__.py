"""Ask third parties what we answer: `make crosscheck`. It writes docs/agreement.md, and fails if a difference has no reason.

A difference has a reason if a ruleset says why the printed number is wrong. A program that is not installed is named as not
asked; but what PRISM-games said earlier stays. Nothing here measures time, and the page has no date, so it changes only when
questions, answers or versions do.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from oddsmith.base.exact import Number
from oddsmith.base.files import write_atomically
from tests.agreement import by_prism, by_storm
from tests.agreement.asking import DIFFERENT, Said, agreement, put, shown
from tests.agreement.page import HEADS, MOST_NODES, Page, table_rows, tables, title_of
from tests.agreement.printed import judged, printed
from tests.agreement.questions import DICE, MODELS, OPENSPIEL, TREES, lead
from tests.agreement.secret_games import OWN_SECRETS, SECRETS, SecretGame
from tests.agreement.trees import efg, nodes
from tests.cases import Case, explored, solved
from tests.storm import THERE

PAGE = Path("docs/agreement.md")
MOST = 20  # decisions of a tree that is put to Gambit, whose exact linear program takes minutes beyond
UNASKED = "not asked"
EARLIER = " (earlier)"
EFG_GAME = "efg_game(filename={})"  # how OpenSpiel wants the path of a file


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


def trees_say(program: str, form: str, trees: Sequence[str]) -> Said:
    """What a program says of trees in the EFG format. ``form``: how it wants the path of a file."""
    with TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{number}.efg" for number in range(len(trees))]
        for path, tree in zip(paths, trees, strict=True):
            path.write_text(tree, encoding="utf-8")
        return put(program, [form.format(path) for path in paths])


@dataclass(frozen=True)
class Asked:
    """What a program was asked about, and what it said."""

    of: Sequence[Any]
    said: Said

    def cell(self, question: Any, ours: Number) -> str:
        """How far the program agrees, for a table."""
        there = self.said.answers and question in self.of
        return agreement(ours, self.said.answers[self.of.index(question)]) if there else UNASKED


def open_trees() -> tuple[list[list[str]], Said, Said]:
    """A row for each tree in which everybody sees everything, and what OpenSpiel and Gambit said."""
    small = [tree for tree in TREES if explored(*tree).decision_count <= MOST]
    one, other = (
        Asked(trees, trees_say(program, form, [efg(explored(*tree)) for tree in trees]))
        for program, form, trees in (("openspiel", EFG_GAME, TREES), ("gambit", "{}", small))
    )
    rows = [
        [title_of(*tree), shown(ours), one.cell(tree, ours), other.cell(tree, ours)]
        for tree, ours in ((tree, lead(*tree)) for tree in TREES)
    ]
    return rows, one.said, other.said


def secret_trees(games: Sequence[SecretGame]) -> tuple[list[list[str]], Said, Said]:
    """A row for each tree with secrets, and what OpenSpiel and Gambit said."""
    trees = {each.title: each.tree() for each in games}
    small = [title for title, tree in trees.items() if nodes(tree) <= MOST_NODES]
    one, other = (
        Asked(titles, trees_say(program, form, [trees[title] for title in titles]))
        for program, form, titles in (("openspiel_mixed", EFG_GAME, list(trees)), ("gambit", "{}", small))
    )
    rows = [
        [each.title, shown(ours), one.cell(each.title, ours), other.cell(each.title, ours)]
        for each, ours in ((each, each.lead()) for each in games)
    ]
    return rows, one.said, other.said


def together(*said: Said) -> Said:
    """What is told of a program that was asked several times: the first reason why an answer is missing, if one is."""
    return next((each for each in said if each.missing), said[0])


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
    mixed = put("openspiel_mixed", [each.terms for each in OWN_SECRETS])
    trees, *trees_said = open_trees()
    secrets, *secrets_said = secret_trees(SECRETS)
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
            "OpenSpiel": together(pig, mixed, trees_said[0], secrets_said[0]),
            "Gambit (pygambit)": together(trees_said[1], secrets_said[1]),
        },
        tables={
            "dice": table_rows(DICE, icepool),
            "models": table_rows(MODELS, models),
            "exported": list(exported_rows()),
            "openspiel": [*table_rows(OPENSPIEL, pig), *table_rows(OWN_SECRETS, mixed)],
            "games": list(game_rows(by_prism.games(), games, before)),
            "trees": trees,
            "secrets": secrets,
        },
        printed=printed(),
        judged=verdicts,
    )


if __name__ == "__main__":
    written = page()
    write_atomically(PAGE, written.text().encode())
    if strange := written.strange():
        sys.exit("\n".join(["These differ, and nothing says why:", *strange]))
