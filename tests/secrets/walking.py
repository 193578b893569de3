"""What somebody gets in a game with secrets who does not follow the plan of its seat, summed over all plays."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from oddsmith.ruleset.observations import Observer
from oddsmith.solve.extensive import SecretSolution, UnfinishedPlay

Chances = Callable[[list[Fraction], UnfinishedPlay], list[Fraction]]
"""How a seat chooses: from the chances of its plan and the course of play, a chance for each choice."""


def walked(solution: SecretSolution, seat: int, chances: Chances) -> Fraction:
    """What a seat gets that chooses so at each choice, while the other seat follows its plan."""
    observer = Observer(solution.game)

    def worth(course: UnfinishedPlay) -> Fraction:
        moves = observer.possible_moves(course.position)
        if not moves.moves:
            return observer.rules.payoffs(course.position.state, solution.objective)[seat]
        found = [each.probability for each in moves.moves]
        if moves.seat is not None and len(found) > 1:
            planned = list(course.decision(moves.seat).action_probabilities.values())
            found = chances(planned, course) if moves.seat == seat else planned
        weighed = zip(found, moves.moves, strict=True)
        return sum((chance * worth(course.after_move(each)) for chance, each in weighed if chance), Fraction(0))

    return worth(UnfinishedPlay(solution, observer.start()))
