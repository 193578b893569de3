"""A walk over the first positions of a game, to find rules that break and games that never end.

It uses the rules for one state and no arrays. Two positions count as the same if keys without sorted exchangeable
members would be equal. So a small game has few positions here, however large its tallies grow.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from oddsmith.base.errors import DisagreementError, PlayError
from oddsmith.graph.columns.reduction import MoverFrame
from oddsmith.graph.reductions.reduce import ReductionOptions, find_reduction
from oddsmith.graph.witness import endless_problem, steps_in_words
from oddsmith.ruleset import Game, Rules, State, Step

MAX_POSITIONS = 3_000
MAX_MOVES = 20_000  # and what was rolled, from all of them: some seconds in a browser
MOVES_PER_REPORT = 200  # moves between two words about how far it is


@dataclass(frozen=True, slots=True)
class SearchProgress:
    """The progress of a walk.

    ``positions``: the number of positions whose moves have all been tried. ``complete``: whether these are all
    positions.
    """

    positions: int
    complete: bool


def search_first_positions(
    game: Game, objective: str, max_positions: int = MAX_POSITIONS, max_moves: int = MAX_MOVES
) -> Iterator[SearchProgress]:
    """Try every move from the start on, breadth first, in at most ``max_positions`` positions and with about
    ``max_moves`` moves.

    Yields progress after every ``MOVES_PER_REPORT`` moves, and at the end. Raises PlayError, with the play that leads
    there, if a rule breaks or if the game can never end; and RulesetError for a tally that would have to be part of the
    state.
    """
    work = _PositionSearch(game, objective)
    yield from work.search(max_positions, max_moves)
    if work.is_complete:
        work.refuse_endless()


class _PositionSearch:
    """A breadth-first search over positions, with seats counted from the mover."""

    def __init__(self, game: Game, objective: str) -> None:
        self.game, self.objective, self.rules = game, objective, Rules(game)
        phases = tuple(name for name, phase in game.ruleset.phases.items() if phase.kind != "cases")
        self.mover_frame = MoverFrame(game, find_reduction(game, objective, phases, ReductionOptions(symmetry=False)))
        first = self.mover_frame.with_mover_as_first_seat(self.rules.start())
        self.states, self.number = [first], {first: 0}
        self.before: list[list[int]] = [[]]  # of each, those that lead to it; the first of them met it first
        self.last: set[int] = set()  # those from which the game may end at once
        self.done = 0

    @property
    def is_complete(self) -> bool:
        """Whether all moves of all positions have been tried."""
        return self.done == len(self.states)

    def search(self, max_positions: int, max_moves: int) -> Iterator[SearchProgress]:
        """Continue until a limit is reached, or no new position is found.

        Yields progress. ``max_positions``, ``max_moves``: the limits.
        """
        tried = 0
        while not self.is_complete and self.done < max_positions and tried < max_moves:
            for step in self._steps(self.done):
                self._record_successor(self.done, step)
                tried += 1
                if tried % MOVES_PER_REPORT == 0:
                    yield SearchProgress(self.done, False)
            self.done += 1
        yield SearchProgress(self.done, self.is_complete)

    def _steps(self, position_index: int) -> Iterator[Step]:
        """Yield each step that is possible in the position ``position_index``.

        Raises PlayError if a rule breaks, with the play that leads there.
        """
        state, rules = self.states[position_index], self.rules
        try:
            if rules.phase(state).kind == "choose":
                yield from (rules.choose(state, action) for action in rules.actions(state))
            elif rules.phase(state).kind == "together":
                offers = rules.choosable_items_by_seat(state)
                chosen = (dict(zip(offers, items, strict=True)) for items in product(*offers.values()))
                yield from (rules.choose_together(state, each) for each in chosen)
            else:
                yield from (rules.resolve(state, thrown) for thrown in rules.chance_results(state))
        except PlayError as error:
            raise self._error_with_play(position_index, error) from None

    def _record_successor(self, position_index: int, step: Step) -> None:
        """Record the position to which a step leads, or the end of the game."""
        state = self.mover_frame.with_mover_as_first_seat(step.state)
        if not state.phase:
            self.last.add(position_index)
            self._check_payoffs(position_index, step.state)
            return
        if state not in self.number:
            self.number[state] = len(self.states)
            self.states.append(state)
            self.before.append([])
        self.before[self.number[state]].append(position_index)

    def _check_payoffs(self, position_index: int, end: State) -> None:
        """Compute the payoffs at an end of the game.

        Raises PlayError, with the play that leads there, if a rule breaks.
        """
        try:
            self.rules.payoffs(end, self.objective)
        except PlayError as error:
            raise self._error_with_play(position_index, error) from None

    def refuse_endless(self) -> None:
        """Raise PlayError if play can reach a position from which nobody can ever end the game."""
        ends, todo = set(self.last), list(self.last)
        while todo:
            new = [number for number in self.before[todo.pop()] if number not in ends]
            ends.update(new)
            todo += new
        endless = next((number for number in range(len(self.states)) if number not in ends), None)
        if endless is not None:
            problem = endless_problem(self.game, self.states[endless], self.mover_frame.carried)
            raise PlayError(problem, self._shortest_play_to(endless)[1], self.game.ruleset.source)

    # --- the play that leads there

    def _error_with_play(self, position_index: int, error: PlayError) -> PlayError:
        """Return the error that the rules raise in a position, with the play that leads there and the move that breaks
        a rule.
        """
        state, moves = self._shortest_play_to(position_index)
        try:
            for words, step in steps_in_words(self.rules, state):
                if not step.state.phase:
                    moves += (words,)
                    self.rules.payoffs(step.state, self.objective)
                    moves = moves[:-1]
        except PlayError as met:
            met.play = (*moves, *met.play)
            return met
        return error

    def _shortest_play_to(self, position_index: int) -> tuple[State, tuple[str, ...]]:
        """Return the position ``position_index`` and the moves of a shortest play to it, in words.

        The position has its seats numbered from seat 1, and not from the mover.
        """
        chain = [position_index]
        while chain[-1]:
            chain.append(self.before[chain[-1]][0])
        state, moves = self.rules.start(), list[str]()
        for follower in chain[-2::-1]:
            state, words = self._move_to(state, self.states[follower])
            moves.append(words)
        return state, tuple(moves)

    def _move_to(self, source: State, target: State) -> tuple[State, str]:
        """Return the position after a move that leads to ``target``, and the move in words."""
        for words, step in steps_in_words(self.rules, source):
            if step.state.phase and self.mover_frame.with_mover_as_first_seat(step.state) == target:
                return step.state, words
        raise DisagreementError("a position seen from its mover does not lead where it leads as its seats sit")
