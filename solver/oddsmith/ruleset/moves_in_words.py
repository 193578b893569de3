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
    entry = game.ruleset.phases[state.phase].entries[action.entry_index]
    return f"{game.ruleset.seat_name(state.mover)} chooses {game.option_text(entry, action.binding)}"


def simultaneous_choices_in_words(game: Game, state: State, item_by_seat: Mapping[int, Any]) -> str:
    """Return simultaneous choices in words, such as ``at once in bid: seat 1 3, seat 2 5``.

    ``item_by_seat``: the item of each seat that chose.
    """
    shown = ", ".join(f"{game.ruleset.seat_name(seat)} {game.value_text(item)}" for seat, item in item_by_seat.items())
    return f"at once in {state.phase}: {shown}"


def chance_in_words(game: Game, state: State, results: str) -> str:
    """Return a move of chance in words, such as ``seat 1 in roll: die 6``. ``results``: its results in words."""
    return f"{game.ruleset.seat_name(state.mover)} in {state.phase}: {results}"


def call_adding_move_to_error(move_in_words: Callable[[], str], function: Callable[..., Made], *arguments: Any) -> Made:
    """Return the result of ``function`` for its arguments.

    ``move_in_words``: returns the move in words, which is added to a PlayError that ``function`` raises.
    """
    try:
        return function(*arguments)
    except PlayError as error:
        error.play = (*error.play, move_in_words())
        raise


def plays_side_by_side(first_play: Sequence[str], second_play: Sequence[str]) -> tuple[str, ...]:
    """Return two plays as one, which says at each move in what the second play differs.

    ``first_play``, ``second_play``: the moves of the plays, in words.
    """
    return tuple(_moves_side_by_side(*moves) for moves in zip_longest(first_play, second_play, fillvalue="nothing"))


def _moves_side_by_side(first_move: str, second_move: str) -> str:
    if first_move == second_move:
        return first_move
    for mark in (": ", " chooses "):
        (head, _, _), (same, _, differing) = first_move.partition(mark), second_move.partition(mark)
        if head == same and differing:
            return f"{first_move}; in the other play {differing}"
    return f"{first_move}; in the other play {second_move}"
