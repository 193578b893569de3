"""States in words, and the play that leads to a state, move by move, by the rules for one state."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from itertools import product, repeat
from typing import TYPE_CHECKING, Any, Protocol

from oddsmith.base.errors import DisagreementError, PlayError, Problem
from oddsmith.ruleset import (
    Game,
    Rules,
    State,
    Step,
    call_adding_move_to_error,
    chance_in_words,
    choice_in_words,
    simultaneous_choices_in_words,
)

if TYPE_CHECKING:
    from oddsmith.base.arrays import Ints
    from oddsmith.graph.columns.codec import Codec


def steps_in_words(rules: Rules, state: State) -> Iterator[tuple[str, Step]]:
    """Yield each possible move in a state as a pair: the move in words, and the step that it makes.

    Raises PlayError if a move breaks a rule. The error names the move.
    """
    game = rules.game
    if rules.phase(state).kind == "choose":
        for action in rules.actions(state):
            words = partial(choice_in_words, game, state, action)
            yield words(), call_adding_move_to_error(words, rules.choose, state, action)
        return
    if rules.phase(state).kind == "together":
        offers = rules.choosable_items_by_seat(state)
        for items in product(*offers.values()):
            picked = dict(zip(offers, items, strict=True))
            words = partial(simultaneous_choices_in_words, game, state, picked)
            yield words(), call_adding_move_to_error(words, rules.choose_together, state, picked)
        return
    for _, thrown in rules.weighted_chance_results(state)[0]:
        shown = ", ".join(f"{name} {game.value_text(value)}" for name, value in thrown.values)
        words = partial(chance_in_words, game, state, shown)
        yield words(), call_adding_move_to_error(words, rules.resolve, state, thrown)


def chosen_action(move_text: str) -> str:
    """Return the action that a move in words chooses; an empty text if it chooses none."""
    return move_text.partition(" chooses ")[2]


def takes_option(move_text: str, option_name: str) -> bool:
    """Return whether a move in words chooses an option, with any values of its loop names."""
    return chosen_action(move_text) == option_name or chosen_action(move_text).startswith(f"{option_name} (")


def shortest_path(parents: Ints, state_index: int) -> list[int]:
    """Return the states on one shortest path from the first state to the state ``state_index``, both included.

    ``parents``: the state from which each state was first found; negative for the first state.
    """
    chain = [state_index]
    while parents[chain[-1]] >= 0:
        chain.append(int(parents[chain[-1]]))
    return chain[::-1]


def play_along(
    rules: Rules, codec: Codec, state_keys: Ints, path: Sequence[int], option_names: Sequence[str] = ()
) -> tuple[State, tuple[str, ...]]:
    """Return the last state of a path from the start, and the moves of a play along the path, in words.

    The state has its seats numbered from seat 1, and not from the mover. ``path``: the numbers of the states on the
    path. ``state_keys``: the keys of all states. ``option_names``: the name of the option that each step takes; an
    empty name allows any, and by default all are empty.
    """
    state, moves = rules.start(), list[str]()
    for follower, option in zip(path[1:], option_names or repeat(""), strict=False):
        wanted = codec.state(state_keys[:, follower])
        state, more = _moves_between(rules, codec, state, wanted, option)
        moves += more
    return state, tuple(moves)


def play_to(
    rules: Rules, codec: Codec, state_keys: Ints, parents: Ints, state_index: int
) -> tuple[State, tuple[str, ...]]:
    """Return the state ``state_index``, and the moves of one shortest play to it, in words.

    The state has its seats numbered from seat 1, and not from the mover. ``parents``: the state from which each state
    was first found; negative for the first state.
    """
    return play_along(rules, codec, state_keys, shortest_path(parents, state_index))


def _moves_between(
    rules: Rules, codec: Codec, source: State, target: State, option_name: str
) -> tuple[State, list[str]]:
    """Return the state after one transition of the graph from ``source`` to ``target``, and the moves of the transition
    in words.

    A transition is one move, or a choice and the roll that was merged with it. The state has its seats numbered from
    seat 1. ``option_name``: the name of the option that the transition takes; an empty name allows any.
    """
    for words, step in steps_in_words(rules, source):
        if not step.state.phase or (option_name and not takes_option(words, option_name)):
            continue
        if codec.canonical_state(step.state) == target:
            return step.state, [words]
        if rules.phase(source).kind == "choose" and rules.phase(step.state).kind == "roll":
            for then, last in steps_in_words(rules, step.state):
                if last.state.phase and codec.canonical_state(last.state) == target:
                    return last.state, [words, then]
    raise DisagreementError("the one-state rules do not lead where the graph leads")


def error_with_play(
    rules: Rules, codec: Codec, state_keys: Ints, parents: Ints, state_index: int, objective: str
) -> PlayError:
    """Return the error that the rules for one state raise in the state ``state_index``, with the play that leads there."""
    state, moves = play_to(rules, codec, state_keys, parents, state_index)
    return rule_error_in_state(rules, state, objective, moves)


def rule_error_in_state(rules: Rules, state: State, objective: str, moves: tuple[str, ...] = ()) -> PlayError:
    """Return the error that the rules for one state raise in a state.

    ``moves``: the play that leads there, in words, if it is known. Raises DisagreementError if the rules raise none.
    """
    try:
        for words, step in steps_in_words(rules, state):
            if not step.state.phase:
                call_adding_move_to_error(partial(str, words), rules.payoffs, step.state, objective)
            elif rules.phase(step.state).kind == "roll" and rules.phase(state).kind == "choose":
                try:
                    for then, last in steps_in_words(rules, step.state):
                        if not last.state.phase:
                            call_adding_move_to_error(partial(str, then), rules.payoffs, last.state, objective)
                except PlayError as error:
                    error.play = (words, *error.play)
                    raise
    except PlayError as error:
        error.play = (*moves, *error.play)
        return error
    raise DisagreementError(f"the columns refuse a state that the rules accept: {state}")


# --- states


def endless_problem(game: Game, state: State, carried: Collection[int]) -> Problem:
    """Return the problem of a state from which nobody can ever end the game. ``carried``: the carried cells."""
    where = game.ruleset.phases[state.phase].location
    message = f"from {_state_text(game, state, carried)} the game can never end, whatever anybody does"
    return Problem("OD541", where, message, "give it a way to `then: end`, or let end_when come true")


class HasCodec(Protocol):
    """An object with a game and the codec of its states, such as a graph or an explorer."""

    @property
    def game(self) -> Game:
        """The game."""

    @property
    def codec(self) -> Codec:
        """The codec that turns its states into keys."""


def describe(graph: HasCodec, state: State) -> str:
    """Return a state in words: ``decide: hoard=35, stash=15``.

    Carried cells are left out, and so are most cells that have their start values.
    """
    return _state_text(graph.game, state, graph.codec.carried)


def _state_text(game: Game, state: State, carried: Collection[int]) -> str:
    """Return a state in words, as ``describe`` does. ``carried``: the carried cells."""
    shown, sides = _always_shown_variables(game), game.ruleset.sides
    parts = [f"mover={game.seat_name(state.cells, state.mover)}"] if sides else []
    for where, cell in enumerate(game.cells):
        value = state.cells[where]
        name = cell.variable.name
        usual = value == game.start[where] and name not in shown and not (sides and cell.variable.is_per_seat)
        if usual or name in sides or where in carried:
            continue
        value = game.seat_name(state.cells, value) if cell.variable.kind == "seat" else game.value_text(value)
        parts.append(f"{cell_name(game, state.cells, where)}={value}")
    out = [game.seat_name(state.cells, seat) for seat in range(game.seats) if state.seats_out_bits >> seat & 1]
    parts += [f"out: {', '.join(out)}"] * bool(out)
    return f"{state.phase}: {', '.join(parts)}" if parts else state.phase


def cell_name(game: Game, cells: Sequence[Any], cell_index: int) -> str:
    """Return the name of a cell of a position: ``purse[seat 1]``."""
    cell = game.cells[cell_index]
    names = [
        game.seat_name(cells, item) if cell.variable.is_per_seat and at == 0 else str(item)
        for at, item in enumerate(cell.indices)
    ]
    return f"{cell.variable.name}[{', '.join(names)}]" if names else cell.variable.name


def _always_shown_variables(game: Game) -> set[str]:
    """Return the variables that ``describe`` always shows: numbers with a single cell."""
    return {
        name for name, variable in game.ruleset.state.items() if variable.kind == "number" and not variable.index_lists
    }
