"""Moves in words, with which an error tells the play that leads to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest
from typing import Any, TypeVar

from oddsmith.base.errors import PlayError
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.rules import Action, State

Made = TypeVar("Made")


def choice_in_words(game: Game, state: State, action: Action) -> str:
    """Return a choice in words, such as ``seat 1 chooses Hold``."""
    entry = game.ruleset.phases[state.phase].entries[action.entry]
    return f"{game.ruleset.seat_name(state.mover)} chooses {game.option_text(entry, action.binding)}"


def simultaneous_choices_in_words(game: Game, state: State, chosen: Mapping[int, Any]) -> str:
    """Return simultaneous choices in words, such as ``at once in bid: seat 1 3, seat 2 5``.

    ``chosen``: the item of each seat that chose.
    """
    shown = ", ".join(f"{game.ruleset.seat_name(seat)} {game.value_text(item)}" for seat, item in chosen.items())
    return f"at once in {state.phase}: {shown}"


def chance_in_words(game: Game, state: State, results: str) -> str:
    """Return a move of chance in words, such as ``seat 1 in roll: die 6``. ``results``: its results in words."""
    return f"{game.ruleset.seat_name(state.mover)} in {state.phase}: {results}"


def make_move(words: Callable[[], str], step: Callable[..., Made], *arguments: Any) -> Made:
    """Return the result of ``step`` for its arguments.

    ``words``: returns the move in words, which is added to a PlayError that ``step`` raises.
    """
    try:
        return step(*arguments)
    except PlayError as error:
        error.play = (*error.play, words())
        raise


def plays_side_by_side(one: Sequence[str], other: Sequence[str]) -> tuple[str, ...]:
    """Return two plays as one, which says at each move in what the second play differs.

    ``one``, ``other``: the moves of the plays, in words.
    """
    return tuple(_moves_side_by_side(*moves) for moves in zip_longest(one, other, fillvalue="nothing"))


def _moves_side_by_side(one: str, other: str) -> str:
    if one == other:
        return one
    for mark in (": ", " chooses "):
        (head, _, _), (same, _, differing) = one.partition(mark), other.partition(mark)
        if head == same and differing:
            return f"{one}; in the other play {differing}"
    return f"{one}; in the other play {other}"
