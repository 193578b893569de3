"""The play that leads to a state, move by move, as the one-state rules have it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import repeat
from typing import TypeVar

from oddsmith.arrays import Ints
from oddsmith.errors import DisagreementError, PlayError
from oddsmith.graph.columns import Codec
from oddsmith.ruleset import Rules, State, Step

Move = TypeVar("Move")
Found = TypeVar("Found")


def steps(rules: Rules, state: State) -> Iterator[tuple[str, Step]]:
    """Everything that can happen next, in words. PlayError where a rule breaks, with the move that breaks it."""
    if rules.phase(state).kind == "choose":
        for action in rules.actions(state):
            entry = rules.phase(state).entries[action.entry]
            words = f"{rules.game.ruleset.seat(state.mover)} chooses {rules.game.called(entry, action.binding)}"
            yield words, _take(words, rules.choose, state, action)
        return
    for _, thrown in rules.outcomes(state)[0]:
        shown = ", ".join(f"{name} {rules.game.show(value)}" for name, value in thrown.values)
        words = f"{rules.game.ruleset.seat(state.mover)} in {state.phase}: {shown}"
        yield words, _take(words, rules.resolve, state, thrown)


def chosen(words: str) -> str:
    """The action in the words of a choice; empty for a roll."""
    return words.partition(" chooses ")[2]


def takes(words: str, option: str) -> bool:
    """Whether a move in words is the choice of an option, whatever its loop names stand for."""
    return chosen(words) == option or chosen(words).startswith(f"{option} (")


def _take(words: str, step: Callable[[State, Move], Found], state: State, move: Move) -> Found:
    try:
        return step(state, move)
    except PlayError as error:
        error.play = (*error.play, words)
        raise


def chain_to(parents: Ints, number: int) -> list[int]:
    """The states of one shortest way to a state, from the first to that one."""
    chain = [number]
    while parents[chain[-1]] >= 0:
        chain.append(int(parents[chain[-1]]))
    return chain[::-1]


def along(
    rules: Rules, codec: Codec, keys: Ints, chain: Sequence[int], options: Sequence[str] = ()
) -> tuple[State, tuple[str, ...]]:
    """The last of some states, the first of which is the start, with its seats as they sit; and the moves that lead there.

    ``options``: the name of the option that each step takes, empty where any will do; by default none is asked for.
    """
    state, moves = rules.start(), list[str]()
    for follower, option in zip(chain[1:], options or repeat(""), strict=False):
        wanted = codec.state(keys[:, follower])
        state, more = _walk(rules, codec, state, wanted, option)
        moves += more
    return state, tuple(moves)


def way_to(rules: Rules, codec: Codec, keys: Ints, parents: Ints, number: int) -> tuple[State, tuple[str, ...]]:
    """The state with its seats as they sit, and the moves of one shortest way to it."""
    return along(rules, codec, keys, chain_to(parents, number))


def _walk(rules: Rules, codec: Codec, state: State, wanted: State, option: str) -> tuple[State, list[str]]:
    """One transition of the graph: a step, or a choice with the roll that was folded into it."""
    for words, step in steps(rules, state):
        if not step.state.phase or (option and not takes(words, option)):
            continue
        if codec.seen_from_mover(step.state) == wanted:
            return step.state, [words]
        if rules.phase(state).kind == "choose" and rules.phase(step.state).kind == "roll":
            for then, last in steps(rules, step.state):
                if last.state.phase and codec.seen_from_mover(last.state) == wanted:
                    return last.state, [words, then]
    raise DisagreementError("the one-state rules do not lead where the graph leads")


def tell(rules: Rules, codec: Codec, keys: Ints, parents: Ints, number: int, objective: str) -> PlayError:
    """The error that the one-state rules meet in a state, with the play that leads there."""
    state, moves = way_to(rules, codec, keys, parents, number)
    try:
        for words, step in steps(rules, state):
            if not step.state.phase:
                _take(words, rules.payoffs, step.state, objective)
            elif rules.phase(step.state).kind == "roll" and rules.phase(state).kind == "choose":
                try:
                    for then, last in steps(rules, step.state):
                        if not last.state.phase:
                            _take(then, rules.payoffs, last.state, objective)
                except PlayError as error:
                    error.play = (words, *error.play)
                    raise
    except PlayError as error:
        error.play = (*moves, *error.play)
        return error
    raise DisagreementError(f"the columns refuse a state that the rules accept: {state}")
