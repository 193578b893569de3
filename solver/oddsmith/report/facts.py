"""Key facts of a solved game, and the chances of every roll, as data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from oddsmith.dice import Hand
from oddsmith.errors import OddsmithError, PlayError
from oddsmith.exact import Number
from oddsmith.expr.tree import Expr
from oddsmith.report.words import plain_name
from oddsmith.ruleset.effects import changes
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.model import Entry, Measure, Payoff, Phase
from oddsmith.ruleset.rules import Rules, State
from oddsmith.solve.distribution import Distribution, distribution
from oddsmith.solve.exactly import TooLong
from oddsmith.solve.measure import MeasureError, ask, length
from oddsmith.solve.solution import Solution

MAX_TABLES = 4  # chance tables of one phase
SPREAD_TAIL = Fraction(1, 1000)  # of the longest games, which no quantile asks for
SPREAD_STATES = 5_000  # positions up to which a distribution is worked out for its median
SPREAD_WORK = 400_000  # transitions, for all seats, up to which whole distributions are worked out
FEW = 4  # values; of fewer there is no distribution worth a picture

KINDS = {
    "optimal": "Optimal play of one player.",
    "zero-sum": "Optimal play of two players whose values always add up to the same: no other values are possible.",
    "symmetric": "An equilibrium: when everybody plays by this table, nobody gains by departing from it, in any position. "
    "It is pure, and the same for every seat.",
    "pure-by-seat": "An equilibrium: when everybody plays by this table, nobody gains by departing from it, in any "
    "position. It is pure, and depends on the seat.",
    "mixed": "An equilibrium: when everybody plays by this table, nobody gains by departing from it, in any position. "
    "In some positions the player decides by chance between two actions.",
    "named": "Named policies; seats without one play optimally against them.",
}


@dataclass(frozen=True)
class Event:
    """One line of a chance table. ``mean``: of the dice, where the line comes up and the dice are numbers."""

    name: str
    ways: int
    chance: Fraction
    mean: Fraction | None


@dataclass(frozen=True)
class ChanceTable:
    """The outcomes of a roll, in the order of the rules. ``when`` says what differs from the start of the game."""

    phase: str
    dice: str
    when: str
    events: tuple[Event, ...]
    ways: int


@dataclass(frozen=True)
class Facts:
    """What people ask first. ``measures``: the ruleset's own questions; an answer is None where there is none."""

    values: tuple[Number, ...]
    lengths: dict[str, Number]
    measures: dict[str, Number | None]
    kind: str

    @property
    def even_share(self) -> Number:
        """The mean of all seats."""
        count = len(self.values)
        return Number(
            sum((v.lower for v in self.values), Fraction(0)) / count,
            sum((v.upper for v in self.values), Fraction(0)) / count,
        )

    @property
    def first_seat(self) -> Number:
        """What the first seat gets above the mean."""
        mean = self.even_share
        return Number(self.values[0].lower - mean.upper, self.values[0].upper - mean.lower)


def facts(solution: Solution) -> Facts:
    """The key facts of a solution."""
    game = solution.graph.game
    try:
        lengths = length(solution)
    except (MeasureError, TooLong):
        lengths = {}
    measures = {name: _answer(solution, name) for name in game.ruleset.measures}
    return Facts(solution.values, lengths, measures, KINDS[solution.kind])


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
        found = distribution(solution, question.spread, None if counted else question.seat, question.given, SPREAD_TAIL)
    except (OddsmithError, TooLong):
        return Spread()
    low, median, high = (found.quantile(Fraction(share, 20)) for share in (1, 10, 19))
    return Spread(found.mean, median, None if low is None or high is None else (low, high))


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
    payoff = None if is_share(graph.game.ruleset.payoffs[graph.objective]) else _several(solution, "payoff")
    if payoff and length and payoff.outcomes == length.outcomes:  # a game that pays by its length
        payoff = None
    return Distributions(length, unit, payoff)


def _several(solution: Solution, what: str) -> Distribution | None:
    try:
        found = distribution(solution, what, tail=SPREAD_TAIL)
    except (OddsmithError, TooLong):
        return None
    return found if len(found.outcomes) >= FEW else None


def is_share(payoff: Payoff) -> bool:
    """Whether a payoff is the share of one win, so that people want it as a percentage."""
    return payoff.value.op == "call" and payoff.value.value == "share"


def is_chance(question: Measure) -> bool:
    """Whether the answer to a question is a chance: asked for as one, or the mean of something that is 1 or 0."""
    if question.kind != "mean" or question.value is None:
        return question.kind == "chance"
    return _one_or_none(question.value)


def pays_chances(payoff: Payoff) -> bool:
    """Whether the mean of a payoff is a chance: a share of one win, or something that is 1 or 0."""
    return is_share(payoff) or _one_or_none(payoff.value)


def _one_or_none(value: Expr) -> bool:
    return value.op == "if" and all(part.op == "const" and part.value in (0, 1) for part in value.args[1:])


# --- chance tables


def chance_tables(game: Game) -> list[ChanceTable]:
    """For every phase with a roll: its outcomes at the start of the game, and with each flag it asks for turned round."""
    rules = Rules(game)
    found: list[ChanceTable] = []
    for phase in game.ruleset.phases.values():
        if phase.kind != "roll" or len(phase.entries) < 2:
            continue
        tables: list[ChanceTable] = []
        for when, cells in _positions(game, phase):
            table = _table(rules, phase, when, State(phase.name, 0, 0, cells))
            if table and all(table.events != other.events for other in tables):
                tables.append(table)
        found += tables[:MAX_TABLES]
    return found


def _positions(game: Game, phase: Phase) -> Iterator[tuple[str, tuple[object, ...]]]:
    yield "", game.start
    read = {node.value for entry in phase.entries for node in entry.when.walk() if node.op == "state"}
    for where, cell in enumerate(game.cells):
        if cell.variable.kind == "flag" and cell.variable.name in read and not cell.index:
            turned = list(game.start)
            turned[where] = not turned[where]
            yield f"{plain_name(cell.variable.name)} is {game.show(turned[where])}", tuple(turned)


def _table(rules: Rules, phase: Phase, when: str, state: State) -> ChanceTable | None:
    try:
        outcomes, ways = rules.outcomes(state)
        hits: dict[str, int] = {}
        sums: dict[str, int] = {}
        for weight, thrown in outcomes:
            name = rules.taken(state, thrown)[0]
            hits[name] = hits.get(name, 0) + weight
            sums[name] = sums.get(name, 0) + weight * _total(thrown.values)
    except PlayError:
        return None
    summed = {entry.name for entry in phase.entries if _sums(phase, entry)}
    named = [entry.name for entry in phase.entries if entry.name in hits]
    events = tuple(
        Event(
            name, hits[name], Fraction(hits[name], ways), Fraction(sums[name], hits[name]) if name in summed else None
        )
        for name in dict.fromkeys(named)
    )
    return ChanceTable(phase.name, _dice(rules.game, phase, state), when, events, ways)


def _total(values: tuple[tuple[str, object], ...]) -> int:
    return sum(sum(value.faces) for _, value in values if isinstance(value, Hand))


def _sums(phase: Phase, entry: Entry) -> bool:
    """Whether an entry uses the sum of the one roll of its phase, so that its mean is of interest."""
    if len(phase.throws) != 1 or phase.throws[0].kind != "roll":
        return False
    trees = [effect.amount for effect in changes(entry.do) if effect.amount is not None]
    return any(_adds(node, phase.throws[0].name) for tree in trees for node in tree.walk())


def _adds(node: Expr, name: str) -> bool:
    inner = node.args[0] if node.args else None
    return (
        node.op in ("call", "face")
        and (node.op == "face" or node.value == "sum")
        and inner is not None
        and (inner.op == "local" and inner.value == name)
    )


def _dice(game: Game, phase: Phase, state: State) -> str:
    """The dice of a roll in figures, such as 3d6."""
    parts = []
    moment = game.moment(state.cells)
    for throw in phase.throws:
        if throw.kind == "draw":
            parts.append(f"one from {plain_name(throw.bag)}")
        for count, die in game.terms(throw.dice, moment):
            parts.append(
                f"{count if count > 1 else ''}{die.name}" if die.name.startswith("d") else f"{count} × {die.name}"
            )
    return " + ".join(parts)


def without_seconds(solution: Solution) -> Solution:
    """The solution as it is published: how long it took differs from build to build."""
    return replace(solution, seconds={})
