"""Key facts of a solved game as data."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from oddsmith.errors import InputError, MeasureError
from oddsmith.exact import Number, average
from oddsmith.graph import StateGraph, reachable
from oddsmith.outcomes import Distribution
from oddsmith.report.facts.kinds import kind_of
from oddsmith.ruleset.model import Measure, one_or_none
from oddsmith.solve import Solution
from oddsmith.solve.numbers import TooLong
from oddsmith.solve.questions import along_play, ask, distribution, length

SPREAD_TAIL = Fraction(1, 1000)  # of the longest games, which no quantile asks for
SPREAD_STATES = 5_000  # positions up to which a distribution is worked out for its median
SPREAD_WORK = 400_000  # transitions, for all seats, up to which whole distributions are worked out
FEW = 4  # values; of fewer there is no distribution worth a picture


@dataclass(frozen=True)
class Facts:
    """What people ask first. ``measures``: the ruleset's own questions; an answer is None where there is none.

    ``chances``: those questions whose answer is a chance, to be told in percent.
    """

    values: tuple[Number, ...]
    lengths: dict[str, Number]
    measures: dict[str, Number | None]
    kind: str
    chances: frozenset[str]

    @property
    def even_share(self) -> Number:
        """The mean of all seats."""
        return average(self.values)


def facts(solution: Solution) -> Facts:
    """The key facts of a solution."""
    game = solution.graph.game
    measures = {name: _answer(solution, name) for name in game.ruleset.measures}
    chances = frozenset(name for name, each in game.ruleset.measures.items() if is_chance(each, solution.graph))
    return Facts(solution.values, lengths_of(solution), measures, kind_of(solution).sentence, chances)


def lengths_of(solution: Solution) -> dict[str, Number]:
    """How long the game lasts, in turns and rolls; empty where that is not known."""
    try:
        return length(solution)
    except (MeasureError, TooLong):
        return {}


def _answer(solution: Solution, name: str) -> Number | None:
    game = solution.graph.game
    try:
        return ask(game, game.ruleset.measures[name], lambda: solution)
    except MeasureError:
        return None


@dataclass(frozen=True)
class Spread:
    """Where a number lies under best play: the mean, the median, and what nine plays in ten keep between.

    Each is None where it is not known, which bounds may leave open.
    """

    mean: Number | None = None
    median: Fraction | None = None
    most: tuple[Fraction, Fraction] | None = None


def spread(solution: Solution, question: Measure) -> Spread:
    """What belongs to the standard deviation that the question asks for."""
    counted = question.spread in ("turns", "rolls")
    if solution.graph.states > SPREAD_STATES:
        return Spread()
    try:
        law = distribution(solution, question.spread, None if counted else question.seat, question.given, SPREAD_TAIL)
    except (InputError, TooLong):
        return Spread()
    low, median, high = (law.quantile(Fraction(share, 20)) for share in (1, 10, 19))
    return Spread(law.mean, median, None if low is None or high is None else (low, high))


@dataclass(frozen=True)
class Distributions:
    """How long a game lasts, in ``unit``, and what it brings seat 1; None where it takes long, or there is little to tell."""

    length: Distribution | None = None
    unit: str = ""
    payoff: Distribution | None = None


def distributions(solution: Solution) -> Distributions:
    """The distributions that people ask for first."""
    graph = solution.graph
    if len(graph.target) * graph.seats > SPREAD_WORK:
        return Distributions()
    turns = _several(solution, "turns")
    unit = "turns" if turns else "rolls"
    length = turns or _several(solution, unit)
    payoff = None if graph.game.ruleset.payoffs[graph.objective].is_share else _several(solution, "payoff")
    if payoff and length and payoff.outcomes == length.outcomes:  # a game that pays by its length
        payoff = None
    return Distributions(length, unit, payoff)


def _several(solution: Solution, what: str) -> Distribution | None:
    try:
        found = distribution(solution, what, tail=SPREAD_TAIL)
    except (InputError, TooLong):
        return None
    return found if len(found.outcomes) >= FEW else None


def is_chance(question: Measure, graph: StateGraph) -> bool:
    """Whether the answer to a question is a chance: asked for as one, or the mean of something that is 1 or 0."""
    if question.kind == "count":
        return _once_at_most(question, graph)
    return question.kind == "chance" or (question.value is not None and one_or_none(question.value))


def _once_at_most(question: Measure, graph: StateGraph) -> bool:
    """Whether no play, good or bad, passes an entry twice: from where it was passed no way leads to it again."""
    if question.at is None or question.at not in graph.watched:
        return False
    passed = graph.marks & graph.watched[question.at] != 0
    inner = graph.target >= 0
    after = np.unique(graph.target[passed & inner])
    again = reachable(graph.edge_state[inner], graph.target[inner], graph.states, after)
    return not again[graph.edge_state[passed]].any()


def measure_name(name: str, question: Measure) -> str:
    """A question as it stands before its answer: a spread says that it is one, and a condition which cases count."""
    spread = " (standard deviation)" if question.kind == "spread" else ""
    return f"{name}{spread}{only_words(question)}"


def only_words(question: Measure) -> str:
    """Which cases a question with a condition counts, in brackets; nothing where it counts all."""
    if question.given is None:
        return ""
    entry = question.given[1]
    if not along_play(question):
        return f" (only rolls with {entry})"
    own = question.within == "turn"
    return (
        f" (only if the same seat takes {entry} in that turn)"
        if own
        else f" (only games in which anybody takes {entry})"
    )


def without_seconds(solution: Solution) -> Solution:
    """The solution as it is published: how long it took differs from build to build."""
    return replace(solution, seconds={})
