"""Key facts of a solved game as data.

``KINDS`` has the words for each kind of best play; the command line, the pages and the tests use them.

``mixed_positions`` lists the first positions in which best play mixes actions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Protocol

import numpy as np

from oddsmith.base.distributions import Distribution
from oddsmith.base.errors import InputError, MeasureError
from oddsmith.base.exact import Number, average
from oddsmith.graph import StateGraph, reachable_mask
from oddsmith.report.english.words import plain_name
from oddsmith.ruleset import Game, State
from oddsmith.ruleset.model import Measure, Ruleset, is_one_or_zero
from oddsmith.solve import FractionTooLong, PlayKind, Solution
from oddsmith.solve.questions import answer_question, distribution, expected_lengths, is_about_turn_or_game

_EQUILIBRIUM = (
    "This is an equilibrium: when everybody plays by this table, nobody gains by departing from it in any position. "
)


@dataclass(frozen=True, slots=True)
class PlayKindWords:
    """The words for a kind of best play: a ``line`` on a terminal, a ``sentence`` on a page, a ``cell`` of a table."""

    line: str
    sentence: str
    cell: str


CONSTANT_SUM_IF_ENDING = PlayKindWords(
    "constant-sum game: best play among ways of playing that end",
    "This is best play of two players whose values always add up to the same, among ways of playing that end. "
    "Where both of them would rather wait, other values are possible.",
    "those of best play that ends",
)
"""The words for a constant-sum game that a player could keep from ending. Its equilibria among policies that end need
not have the same values.
"""


KINDS: Mapping[PlayKind, PlayKindWords] = {
    "optimal": PlayKindWords("best play of one seat", "This is best play of one player.", "those of best play"),
    "zero-sum": PlayKindWords(
        "constant-sum game: these values are unique",
        "This is best play of two players whose values always add up to the same, so no other values are possible.",
        "the only ones there can be",
    ),
    "symmetric": PlayKindWords(
        "pure equilibrium, the same for every seat, verified in every position",
        f"{_EQUILIBRIUM}It is pure, and the same for every seat.",
        "those of an equilibrium, seats alike",
    ),
    "pure-by-seat": PlayKindWords(
        "pure equilibrium that depends on the seat, verified in every position",
        f"{_EQUILIBRIUM}It is pure, and depends on the seat.",
        "those of an equilibrium by seat",
    ),
    "mixed": PlayKindWords(
        "mixed equilibrium, verified in every position",
        f"{_EQUILIBRIUM}In some positions the player decides by chance between several actions.",
        "those of an equilibrium, partly by chance",
    ),
    "named": PlayKindWords(
        "named policies; the other seats play best responses to them",
        "Some seats play named policies. The other seats play best against them.",
        "those of named policies",
    ),
}

NO_CHOICE_LINE = "nobody ever has a choice; these values are unique"
"""The line on a terminal for a game in which nobody ever decides anything."""


class HasPlayKind(Protocol):
    """A solution, of which only two properties are used: the kind of best play, and whether a player could keep the
    game from ending.
    """

    @property
    def kind(self) -> PlayKind:
        """The kind of best play."""

    @property
    def can_be_stalled(self) -> bool:
        """Whether a player of a constant-sum game for two could keep the game from ending."""


def play_kind_words(solution: HasPlayKind) -> PlayKindWords:
    """Return the words for the kind of best play of a solution."""
    return CONSTANT_SUM_IF_ENDING if solution.kind == "zero-sum" and solution.can_be_stalled else KINDS[solution.kind]


def play_kind_line(solution: Solution) -> str:
    """Return the line on a terminal for the kind of best play of a solution; it says if nobody ever has a choice."""
    if not solution.graph.decision_count and solution.kind != "named":
        return NO_CHOICE_LINE
    return play_kind_words(solution).line


def play_kind_with_sentence(sentence: str) -> PlayKindWords:
    """Return the words of the kind that has the sentence ``sentence``. Stored answers keep only the sentence."""
    return next(kind for kind in (*KINDS.values(), CONSTANT_SUM_IF_ENDING) if kind.sentence == sentence)


SPREAD_TAIL = Fraction(1, 1000)  # of the longest games, which no quantile asks for
SPREAD_STATES = 5_000  # positions up to which a distribution is worked out for its median
SPREAD_WORK = 400_000  # transitions, for all seats, up to which whole distributions are worked out
MIN_PICTURED_VALUES = 4  # values; of fewer there is no distribution worth a picture


@dataclass(frozen=True)
class KeyFacts:
    """Key facts of a solution.

    ``lengths``: the mean length in turns and in rolls, by name. ``measures``: the answers to the questions of the
    ruleset; None for a question without an answer. ``kind``: the kind of best play, as a sentence. ``chances``: the
    names of the questions whose answers are probabilities, which are shown in percent.
    """

    values: tuple[Number, ...]
    lengths: dict[str, Number]
    measures: dict[str, Number | None]
    kind: str
    chances: frozenset[str]

    @property
    def mean_seat_value(self) -> Number:
        """The mean value of all seats."""
        return average(self.values)


def key_facts_of(solution: Solution) -> KeyFacts:
    """Return the key facts of a solution."""
    game = solution.graph.game
    measures = {name: _measured_number_or_none(solution, name) for name in game.ruleset.measures}
    chances = frozenset(
        name for name, each in game.ruleset.measures.items() if is_probability_question(each, solution.graph)
    )
    return KeyFacts(solution.values, mean_lengths(solution), measures, play_kind_words(solution).sentence, chances)


def mean_lengths(solution: Solution) -> dict[str, Number]:
    """Return the mean length of the game in turns and in rolls, by these names; empty if it is not known."""
    try:
        return expected_lengths(solution)
    except (MeasureError, FractionTooLong):
        return {}


def _measured_number_or_none(solution: Solution, question_name: str) -> Number | None:
    game = solution.graph.game
    try:
        return answer_question(game, game.ruleset.measures[question_name], lambda: solution)
    except MeasureError:
        return None


@dataclass(frozen=True)
class DistributionSummary:
    """The mean, the median and a central range of a quantity under best play.

    ``most``: the two ends of the central 90 %. Each is None if it is not known, for example because the bounds are too
    wide.
    """

    mean: Number | None = None
    median: Fraction | None = None
    most: tuple[Fraction, Fraction] | None = None


def distribution_summary(solution: Solution, question: Measure) -> DistributionSummary:
    """Return a summary of the quantity that a question is about. The question asks for a standard deviation."""
    counted = question.spread_of in ("turns", "rolls")
    if solution.graph.state_count > SPREAD_STATES:
        return DistributionSummary()
    try:
        law = distribution(
            solution,
            question.spread_of,
            None if counted else question.seat,
            question.given_entry,
            SPREAD_TAIL,
            allow_decreasing=False,
        )
    except (InputError, FractionTooLong):
        return DistributionSummary()
    low, median, high = (law.quantile(Fraction(share, 20)) for share in (1, 10, 19))
    return DistributionSummary(law.mean, median, None if low is None or high is None else (low, high))


@dataclass(frozen=True)
class LengthAndPayoffDistributions:
    """The distributions of the length of a game, in ``unit``, and of the payoff of seat 1.

    A distribution is None if its computation would take long, or if it has only a few values.
    """

    length: Distribution | None = None
    unit: str = ""
    payoff: Distribution | None = None


def length_and_payoff_distributions(solution: Solution) -> LengthAndPayoffDistributions:
    """Return the distributions of the length and of the payoff."""
    graph = solution.graph
    if len(graph.target) * graph.seats > SPREAD_WORK:
        return LengthAndPayoffDistributions()
    turns = _distribution_worth_showing(solution, "turns")
    unit = "turns" if turns else "rolls"
    length = turns or _distribution_worth_showing(solution, unit)
    payoff = (
        None
        if graph.game.ruleset.payoffs[graph.objective].is_share
        else _distribution_worth_showing(solution, "payoff")
    )
    if payoff and length and payoff.outcomes == length.outcomes:  # a game that pays by its length
        payoff = None
    return LengthAndPayoffDistributions(length, unit, payoff)


def _distribution_worth_showing(solution: Solution, quantity: str) -> Distribution | None:
    try:
        found = distribution(solution, quantity, max_tail_chance=SPREAD_TAIL, allow_decreasing=False)
    except (InputError, FractionTooLong):
        return None
    return found if len(found.outcomes) >= MIN_PICTURED_VALUES else None


def is_probability_question(question: Measure, graph: StateGraph | None = None) -> bool:
    """Return whether the answer to a question is a probability: the question asks for one, or for the mean of a
    quantity that is 1 or 0.

    ``graph``: shows whether an event that is counted happens at most once. Without it, no count is a probability.
    """
    if question.kind == "count":
        return graph is not None and _is_counted_at_most_once(question, graph)
    plain = question.value if question.divisor is None else None
    return question.kind == "chance" or (plain is not None and is_one_or_zero(plain))


def _is_counted_at_most_once(question: Measure, graph: StateGraph) -> bool:
    """Return whether no play takes an entry twice, because the entry cannot be reached again once it was taken."""
    if question.at_entry is None or question.at_entry not in graph.watched:
        return False
    passed = graph.event_bits & graph.watched[question.at_entry] != 0
    inner = graph.target >= 0
    after = np.unique(graph.target[passed & inner])
    again = reachable_mask(graph.edge_state[inner], graph.target[inner], graph.state_count, after)
    return not again[graph.edge_state[passed]].any()


def question_heading(question_name: str, question: Measure) -> str:
    """Return the name of a question as it is shown before its answer. It says whether the answer is a standard
    deviation, and which cases count.
    """
    spread = " (standard deviation)" if question.kind == "spread" else ""
    return f"{question_name}{spread}{question_condition_words(question)}"


def question_condition_words(question: Measure) -> str:
    """Return the condition of a conditional question, in brackets; empty for a question that counts all cases."""
    if question.given_entry is None:
        return ""
    entry = question.given_entry[1]
    if not is_about_turn_or_game(question):
        return f" (only rolls with {entry})"
    own = question.within == "turn"
    return (
        f" (only if the same seat takes {entry} in that turn)"
        if own
        else f" (only games in which anybody takes {entry})"
    )


def without_seconds(solution: Solution) -> Solution:
    """Return the solution without the seconds that it took, because they differ between builds."""
    return replace(solution, seconds={})


MAX_MIXED_POSITIONS = 12  # positions that are told


@dataclass(frozen=True)
class MixedPosition:
    """A position in which best play mixes actions.

    ``number``: its state of the arena; ``where``: the position in words; ``chances``: the probabilities of ``actions``.
    """

    number: int
    where: str
    actions: tuple[str, ...]
    chances: tuple[Number, ...]


def mixed_positions(solution: Solution) -> list[MixedPosition]:
    """Return the first ``MAX_MIXED_POSITIONS`` positions in which the mover mixes actions."""
    arena, graph = solution.solved.arena, solution.graph
    found = []
    for number, mixture in sorted(solution.mixtures.items())[:MAX_MIXED_POSITIONS]:
        state = number // arena.copies_per_state
        first = int(graph.state_rows[state]) - int(arena.state_rows[number])
        names = tuple(graph.action_name(row + first) for row in mixture.rows)
        found.append(
            MixedPosition(
                number,
                _position_words(graph.game, graph.state(state)),
                names,
                tuple(mixture.row_probabilities.values()),
            )
        )
    return found


def _position_words(game: Game, state: State) -> str:
    """Describe a position in words: the phase, and the variables that differ from the start."""
    changed = [
        f"{plain_name(cell.name_for_people)} {game.cell_value_in_words(where, value)}"
        for where, (cell, value) in enumerate(zip(game.cells, state.cells, strict=True))
        if value != game.start[where]
    ]
    return ", ".join([plain_name(state.phase), *changed])


# --- the house


EDGE_PLACES = 4  # of a percentage


def house_edge_clauses(ruleset: Ruleset, objective: str, answers: Mapping[str, object]) -> list[str]:
    """Return clauses in words on the share that the house keeps, one for each payoff with such a question, the payoff
    of the game first.

    ``objective``: the payoff of the game. ``answers``: the answers to the ruleset's questions, by name.
    """
    found: dict[str, dict[str, Number]] = {}
    for name, question in ruleset.measures.items():
        answer = answers.get(name)
        if question.edge_payoff and isinstance(answer, Number):
            found.setdefault(question.edge_payoff, {})[name] = answer
    return [
        f"{'' if payoff == objective else f'of {plain_name(payoff)} '}{_house_clause(found[payoff])}"
        for payoff in sorted(found, key=lambda payoff: payoff != objective)
    ]


def edge_percent(answer: Number) -> str:
    """Return a share of a stake in percent, as text."""
    return f"{(answer * 100).decimal(EDGE_PLACES)} %"


def _house_clause(edges: Mapping[str, Number]) -> str:
    """Return in words how much of each stake the house keeps or loses."""
    parts, before = [], ""
    for name, answer in edges.items():
        verb = "loses" if answer.upper < 0 else "keeps"
        kept = edge_percent(-answer if answer.upper < 0 else answer)
        parts.append(f"{'' if verb == before else f'{verb} '}{kept} of {name[:1].lower()}{name[1:]}")
        before = verb
    return f"the house {', '.join(parts)}"
