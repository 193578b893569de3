"""What a seat knows at a choice, in words: common knowledge at the root of the subgame, and its observations since."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from oddsmith.ruleset import Game, InformationSet, ObservedPosition, label_in_words, results_in_words

FactWordings = tuple[str, ...]
"""All wordings of one fact; the first is shown."""


def known_fact_texts(
    game: Game, subgame_root: ObservedPosition, seat: int, information_set: InformationSet
) -> tuple[str, ...]:
    """Return, in words, all that a seat knows at an information set, one text for each fact.

    ``subgame_root``: the position in which the subgame begins.
    """
    return tuple(
        ways[0]
        for ways in (*common_knowledge_wordings(game, subgame_root), *observed_facts(game, seat, information_set))
    )


def common_knowledge_wordings(game: Game, subgame_root: ObservedPosition) -> list[FactWordings]:
    """Return the facts that are common knowledge where a subgame begins, each as a tuple of its wordings.

    There is one fact for each cell that is not hidden and whose value is not that at the start of the game. The first
    wording is the one that is shown. ``subgame_root``: the position in which the subgame begins.
    """
    cells = zip(range(len(game.cells)), subgame_root.state.cells, game.start, strict=True)
    return [
        (
            game.cell_in_words(where, value, game.cells[where].name_with_owner),
            game.cell_in_words(where, value, game.cells[where].name_with_sides),
            f"{game.cells[where].name_with_sides} {game.cell_value_in_words(where, value)}",
        )
        for where, value, start in cells
        if value != start and not game.cells[where].variable.is_hidden
    ]


def observed_facts(game: Game, seat: int, information_set: InformationSet) -> Iterator[FactWordings]:
    """Yield the facts that a seat has observed since its subgame began, each as a tuple of its wordings.

    The first wording is the one that is shown. ``information_set``: the information set of the seat.
    """
    for step in information_set.observations:
        yield from _facts_of_step(game, seat, information_set.situation, step)


def learned_fact_texts(game: Game, seat: int, any_position: ObservedPosition, observed_events: Any) -> Iterator[str]:
    """Yield, in words, what a seat observes at a step, fact by fact.

    ``observed_events``: the observed events. ``any_position``: any position of the game, used to word labels.
    """
    return (ways[0] for ways in _facts_of_step(game, seat, any_position, observed_events))


def _facts_of_step(
    game: Game, seat: int, any_position: ObservedPosition, observed_events: Any
) -> Iterator[FactWordings]:
    uncovered = sum(kind == "chose" for kind, *_ in observed_events) > 1
    for kind, *what in observed_events:
        if kind == "thrown":
            dice = (
                results_in_words(game, each, with_faces=True) for each in (what[0], *([result] for result in what[0]))
            )
            yield (results_in_words(game, what[0]), *dice)
        elif kind == "revealed":
            yield (game.value_text(what[0]),)
        elif kind == "chose":
            chooser, phase, label = what[:3]
            if uncovered and chooser == seat:
                continue  # which it knew when it chose
            named = label_in_words(game, ObservedPosition(replace(any_position.state, phase=phase)), label)
            whose = f"{game.ruleset.seat_name(chooser)}: {named}"
            yield (named, whose) if chooser == seat else (whose, named)
