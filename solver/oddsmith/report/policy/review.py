"""A review of a play: what each roll brought and what each choice cost. These numbers add up to the result.

The expectation of a seat is what the seat has for certain, plus the value of the position if all play best. The changes
of the expectation by all moves add up to the result minus the expectation at the start. Rolls change it by luck. A
choice changes the expectation of its mover only if it was not the best (Zinkevich et al., AAAI 2006, divide play in the
same way).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from oddsmith.base.exact import Number
from oddsmith.ruleset import Game, PlayedMove, Rules, State
from oddsmith.solve import Solution

Numbers = tuple[Number, ...]


@dataclass(frozen=True)
class MoveReview:
    """A move of a play, and what it changed.

    ``seat``: the seat that moved, from 1. ``what``: the move in words. ``change``: the change of the expectation of
    each seat. ``loss``: what the choice cost its mover, never negative; None for a roll, and where it is not known in a
    game with secrets. ``better``: the best actions, if the chosen action is not one of them. ``chosen``: whether the
    move was a choice. ``chance``: in a game with secrets, the probability with which best play takes the action; None
    if it is not known, or if there was no alternative.
    """

    seat: int
    what: str
    change: Numbers
    loss: Number | None = None
    better: tuple[str, ...] = ()
    chosen: bool = False
    chance: Number | None = None


@dataclass(frozen=True)
class Review:
    """A reviewed play. The expectation of a seat is what it has for certain, plus the value of the position under best
    play.

    ``moves``: the moves in order. ``start`` and ``end``: the expectation of each seat before the first move and after
    the last. ``over``: whether the game ended; if so, ``end`` is what was paid.
    """

    moves: tuple[MoveReview, ...]
    start: Numbers
    end: Numbers
    over: bool

    def gain_from_luck(self, seat: int) -> Number:
        """Return the sum of the changes that all rolls made to the expectation of a seat (from 1)."""
        return self._sum_of_changes(seat, lambda move: not move.chosen)

    def gain_from_own_choices(self, seat: int) -> Number:
        """Return the sum of the changes that a seat's own choices made to its expectation."""
        return self._sum_of_changes(seat, lambda move: move.chosen and move.seat == seat)

    def gain_from_others_choices(self, seat: int) -> Number:
        """Return the sum of the changes that the other seats' choices made to the expectation of ``seat``."""
        return self._sum_of_changes(seat, lambda move: move.chosen and move.seat != seat)

    def cost_of_choices(self, seat: int) -> Number:
        """Return the total cost of a seat's choices to that seat. Choices whose cost is not known are left out."""
        costs = (move.loss for move in self.moves if move.seat == seat and move.loss is not None)
        return sum(costs, Number.of(0))

    def _sum_of_changes(self, seat: int, is_counted: Callable[[MoveReview], bool]) -> Number:
        return sum((move.change[seat - 1] for move in self.moves if is_counted(move)), Number.of(0))


def review_play(solution: Solution, rules: Rules, moves: Sequence[PlayedMove]) -> Review:
    """Return the review of ``moves``, a play from the start of a solved game. The choices of every seat are compared
    with best play.
    """
    states = [moves[0].state if moves else rules.start(), *(move.step.state for move in moves)]
    worth = [_expected_payoffs(solution, rules, state) for state in states]
    reviewed = []
    for move, before, after in zip(moves, worth, worth[1:], strict=False):
        change = tuple(new - old for new, old in zip(after, before, strict=True))
        reviewed.append(_move_review(solution, rules, move, change))
    return Review(tuple(reviewed), worth[0], worth[-1], not states[-1].phase)


def roll_result_words(game: Game, move: PlayedMove) -> str:
    """Return in words what was rolled or drawn, and what followed from it."""
    assert move.chance_result is not None
    fell = ", ".join(game.value_text(value) for _, value in move.chance_result.values)
    return f"{fell}: {move.step.in_words}" if move.step.in_words else fell


def _move_review(solution: Solution, rules: Rules, move: PlayedMove, value_change: Numbers) -> MoveReview:
    seat, state = move.state.mover + 1, move.state
    if move.action is None:
        return MoveReview(seat, roll_result_words(rules.game, move), value_change)
    number = solution.state_index(state)
    assert number is not None  # the graph holds every position that play can reach
    actions = rules.actions(state)
    advice = {each.row: each for each in solution.advise(number, state.mover)}
    first = int(solution.graph.state_rows[number])
    own = advice[first + actions.index(move.action)]
    better = (
        ()
        if own.best
        else tuple(rules.action_in_words(state, actions[row - first]) for row in advice if advice[row].best)
    )
    return MoveReview(seat, rules.action_in_words(state, move.action), value_change, own.loss, better, True)


def _expected_payoffs(solution: Solution, rules: Rules, state: State) -> Numbers:
    """Return the expectation of every seat in a position, by seat from 0."""
    graph, game = solution.graph, rules.game
    if not state.phase:
        return tuple(map(Number.of, rules.payoffs(state, graph.objective)))
    number = solution.state_index(state)
    if number is None:
        return _expected_payoffs_from_successors(solution, rules, state)
    turned = graph.codec.cell_rotation(state.mover)
    has = [Fraction(0)] * game.seats
    for where, worth in graph.codec.reduction.unit_payoffs.items():
        gained = state.cells[turned[where]] - game.start[turned[where]]
        has = [sure + each * gained for sure, each in zip(has, worth, strict=True)]
    values = solution.state_values(number, state.mover)
    by_mover = [value + sure for value, sure in zip(values, has, strict=True)]
    return tuple(by_mover[(seat - state.mover) % game.seats] for seat in range(game.seats))


def _expected_payoffs_from_successors(solution: Solution, rules: Rules, state: State) -> Numbers:
    """Return the expectation of every seat in a position without a state in the graph: a roll after a choice, or a
    choice of a single action. It is computed from the positions that follow.
    """
    if rules.phase(state).kind == "choose":
        (action,) = rules.actions(state)
        return _expected_payoffs(solution, rules, rules.choose(state, action).state)
    outcomes, ways = rules.weighted_chance_results(state)
    law = Counter[State]()
    for weight, thrown in outcomes:
        law[rules.resolve(state, thrown).state] += weight
    worth = [(Fraction(weight, ways), _expected_payoffs(solution, rules, after)) for after, weight in law.items()]
    seats = range(rules.game.seats)
    return tuple(sum((each[seat] * chance for chance, each in worth), Number.of(0)) for seat in seats)
