"""Describes a game in three numbers: how long it lasts, how much its payoff varies, and what skill is worth in it.

``values_by_holdings`` returns the value of the start of a turn by what each of two players has. ``most_even_handicap``
finds the head start for the second of two players that makes the game most even. Both read the solution.

``game_as_wager`` describes a game as a bet: the house edge, the standard deviation, the fair payout, and the risk of ruin. A
bet is a game for one player who can lose something. The stake is the most that the player can lose. All numbers are
exact.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from oddsmith.base.distributions import Distribution
from oddsmith.base.errors import InputError
from oddsmith.base.exact import Number
from oddsmith.report.english.words import is_plural, plain_name
from oddsmith.report.facts.key_facts import KeyFacts
from oddsmith.report.policy.decisions import cell_label
from oddsmith.report.policy.rules_of_thumb import RuleComparison
from oddsmith.ruleset.model import Ruleset
from oddsmith.solve import FractionTooLong, Solution
from oddsmith.solve.questions import PlayedPolicy, conditional_moments, distribution
from oddsmith.solve.values import policy_values

MOMENT_STATES = 10_000  # up to which pay on the way is squared as well, in fractions


@dataclass(frozen=True)
class GameProfile:
    """Length, risk and skill of a game. ``turns``: the mean length in turns. ``swing``: the variance of what seat 1
    receives under best play, divided by the square of the mean.

    ``skill``: what seat 1 loses by random legal actions while the others play best, divided by the absolute value of
    best play. If the value of random play is not known, a named policy is used instead. A number that is not known is
    None.
    """

    turns: Number | None
    swing: Number | None
    skill: Number | None


def game_profile(solution: Solution, facts: KeyFacts, comparison: RuleComparison) -> GameProfile:
    """Return the length, the swing and the skill of a solved game."""
    best = solution.values[0]
    losses = [each.loss for each in comparison.rungs if each.kind in ("random", "named") and each.loss is not None]
    loss = losses[0] if losses else None if solution.graph.decision_count else Number.of(0)
    relative_loss = None if loss is None else _ratio_to_absolute(loss, best)
    return GameProfile(facts.lengths.get("turns"), _relative_variance_of_payoff(solution), relative_loss)


def _ratio_to_absolute(numerator: Number, denominator: Number) -> Number | None:
    """Return ``numerator`` divided by the absolute value of ``denominator``; None if ``denominator`` may be 0."""
    low, high = min(abs(denominator.lower), abs(denominator.upper)), max(abs(denominator.lower), abs(denominator.upper))
    if denominator.lower <= 0 <= denominator.upper:
        return None
    return Number(max(numerator.lower, Fraction(0)) / high, max(numerator.upper, Fraction(0)) / low)


def _relative_variance_of_payoff(solution: Solution) -> Number | None:
    """Return the variance of what seat 1 receives divided by the square of its mean; None if it is unknown or
    undefined.
    """
    mean, square = solution.values[0], _second_moment_of_payoff(solution)
    if square is None or mean.lower <= 0 <= mean.upper:
        return None
    ends = mean.lower * mean.lower, mean.upper * mean.upper
    return Number(max(square.lower / max(ends) - 1, Fraction(0)), square.upper / min(ends) - 1)


def _second_moment_of_payoff(solution: Solution) -> Number | None:
    """Return the second moment of what seat 1 receives; None if it is unknown or would take long to compute."""
    if solution.mixtures or solution.graph.first_mover:
        return None
    played = PlayedPolicy.of(solution)
    arena, rows = played.arena, played.rows
    pays = np.array([any(units) for units in arena.payoffs])[arena.payoff]
    if not (pays & (arena.target >= 0)).any():  # all is paid at the end: its square is a payoff like any other
        squares = tuple(tuple(unit * unit for unit in units) for units in arena.payoffs)
        if all(unit in (0, arena.scale) for units in arena.payoffs for unit in units):
            return solution.values[0]
        return policy_values(replace(arena, payoffs=squares, scale=arena.scale**2), rows)[0]
    if arena.state_count > MOMENT_STATES:
        return None
    try:
        return Number.of(conditional_moments(arena, rows, None)[2][0])
    except FractionTooLong:
        return None


MIN_LINE_POINTS, MAX_LINE_POINTS = 4, 25  # points of a line
PLACES = 40  # decimal places within which a worth is kept


@dataclass(frozen=True)
class ValuesByHoldings:
    """The value of the start of your turn as a function of two numbers, one of each player.

    ``yours`` and ``theirs``: the names of the two numbers. ``lines``: one for each of a few values of theirs, as that
    value and a list of points. A point is a value of yours and what the start of your turn is worth to you, by
    ascending value.
    """

    yours: str
    theirs: str
    lines: tuple[tuple[int, tuple[tuple[int, Number], ...]], ...]


def values_by_holdings(solution: Solution) -> ValuesByHoldings | None:
    """Return the value of the start of a turn as a function of what both players have. Return None unless each player
    has exactly one number in the state, with several values.
    """
    if solution.graph.seats != 2 or solution.solved.arena.copies_per_state > 1:
        return None
    game = solution.graph.game
    pair = [
        where
        for where, cell in enumerate(game.cells)
        if cell.variable.is_per_seat and cell.variable.kind == "number" and where not in solution.graph.codec.carried
    ]
    if len(pair) != 2:
        return None
    starts = _states_by_two_holdings(solution, pair[0], pair[1])
    theirs = sorted({other for _, other in starts})
    mine = sorted({own for own, _ in starts})
    if len(mine) < MIN_LINE_POINTS or len(theirs) < MIN_LINE_POINTS:
        return None
    times, lines = game.cells[pair[0]].variable.display_factor, []
    for other in (theirs[0], theirs[len(theirs) // 2], theirs[-1]):
        across = [own for own in mine[:: -(-len(mine) // MAX_LINE_POINTS)] if (own, other) in starts]
        if len(across) < 2:
            return None
        lines.append(
            (
                other * times,
                tuple(
                    (own * times, solution.state_values(starts[own, other])[0].rounded_outward(PLACES))
                    for own in across
                ),
            )
        )
    yours, others = (cell_label(game, game.cells[where]) for where in pair)
    return ValuesByHoldings(yours, others, tuple(lines))


def _states_by_two_holdings(solution: Solution, own_cell: int, other_cell: int) -> dict[tuple[int, int], int]:
    """Return the states that differ from the first one only in two cells, by the values of both. ``own_cell`` and
    ``other_cell``: the indices of the cells.
    """
    graph = solution.graph
    begin = graph.state(0)
    cells, phase, out = graph.codec.decode(graph.keys)
    alike = (phase == graph.codec.phases.index(begin.phase)) & (out == 0)
    for where, begun in enumerate(begin.cells):
        if where not in (own_cell, other_cell) and where not in graph.codec.carried:
            alike &= np.isin(
                cells[where],
                [code for code in np.unique(cells[where]) if graph.codec.decode_value(where, code) == begun],
            )
    states = np.flatnonzero(alike)
    return dict(
        zip(
            zip(cells[own_cell, states].tolist(), cells[other_cell, states].tolist(), strict=True),
            states.tolist(),
            strict=True,
        )
    )


@dataclass(frozen=True)
class Handicap:
    """A head start: the second player starts with ``name`` at ``start`` instead of ``usual``. ``values``: the values of
    both seats with this head start.
    """

    name: str
    start: int
    usual: int
    values: tuple[Number, ...]

    def words(self, rules: Ruleset) -> str:
        """Return the head start in words, in the units of the rules."""
        times = rules.state[self.name.replace(" ", "_")].display_factor
        numbers = f"{self.start * times:,} instead of {self.usual * times:,}"
        if is_plural(self.name):
            return f"{'more' if self.start > self.usual else 'fewer'} {self.name}, {numbers}"
        return f"{'an' if self.name[0] in 'aeiou' else 'a'} {self.name} of {numbers}"


def most_even_handicap(solution: Solution) -> Handicap | None:
    """Find the most even game in which one number of the second player starts at another value.

    Return None unless this makes the difference between the values of the players less than half as large. Only starts
    that are positions of the usual game are tried, because only these are solved.
    """
    graph = solution.graph
    game = graph.game
    if graph.seats != 2 or graph.first_mover != 0 or solution.solved.arena.copies_per_state > 1:
        return None
    first = graph.state(0)
    left_out = graph.codec.left_out[first.phase]
    best: Handicap | None = None
    least = _gap_between_players(solution.state_values(0)) / 2
    for where, cell in enumerate(game.cells):
        if cell.variable.kind != "number" or cell.indices != (1,) or not cell.variable.is_per_seat or where in left_out:
            continue
        usual = first.cells[where]
        for start in range(cell.least, cell.most + 1):
            number = graph.index_of(replace(first, cells=(*first.cells[:where], start, *first.cells[where + 1 :])))
            if start == usual or number is None:
                continue
            values = solution.state_values(number)
            if _gap_between_players(values) < least:
                least = _gap_between_players(values)
                best = Handicap(plain_name(cell.variable.name), start, usual, values)
    return best


def _gap_between_players(values: tuple[Number, ...]) -> Fraction:
    return abs(values[0].middle - values[1].middle)


MAX_DISTRIBUTION_STATES = 20_000  # up to which the whole law of what a bet brings is worked out here
PURSES_IN_STAKES = (10, 20, 50)  # stakes


@dataclass(frozen=True)
class Wager:
    """A game as a bet under best play. Amounts are in units of the payoff.

    ``stake``: the most that can be lost. ``win`` and ``push``: the probabilities of a gain and of 0. ``edge``: the mean
    loss, as a share of the stake. ``spread``: the standard deviation of what the bet brings. ``fair``: what a win would
    have to pay for each unit staked to make the bet fair. ``ruin``: pairs of a purse, counted in stakes, and the
    probability of losing it all before doubling it. It is empty unless a win pays exactly the stake (the classical ruin
    of the gambler: Feller, An Introduction to Probability Theory, volume 1, chapter XIV). ``law``: the distribution of
    what the bet brings.
    """

    stake: Fraction
    win: Fraction
    push: Fraction
    edge: Fraction
    spread: Number | None
    fair: Fraction | None
    ruin: tuple[tuple[int, Fraction], ...]
    law: Distribution

    @property
    def prize(self) -> Fraction:
        """The most that the bet can bring."""
        return max(each.value for each in self.law.outcomes if each.value is not None)


def game_as_wager(solution: Solution) -> Wager | None:
    """Return the game as a bet under best play. Return None unless it is a small game for one seat that can lose, with
    a distribution that is known exactly.
    """
    graph = solution.graph
    if (
        graph.seats != 1
        or graph.state_count > MAX_DISTRIBUTION_STATES
        or min(unit for units in graph.payoffs for unit in units) >= 0
    ):
        return None
    try:
        law = distribution(solution, "payoff", allow_decreasing=False)
    except InputError:
        return None
    chances = {outcome.value: outcome.chance.exact for outcome in law.outcomes}
    known = {value: chance for value, chance in chances.items() if value is not None and chance is not None}
    if law.beyond.exact != 0 or len(known) < len(chances) or not known or min(known) >= 0:
        return None
    stake = -min(known)
    mean = sum((value * chance for value, chance in known.items()), Fraction(0))
    win = sum((chance for value, chance in known.items() if value > 0), Fraction(0))
    lost = sum((value * chance for value, chance in known.items() if value < 0), Fraction(0))
    even = set(known) <= {-stake, Fraction(0), stake} and win > 0
    ratio = known[-stake] / win if even else Fraction(0)
    ruin = tuple((purse, ratio**purse / (1 + ratio**purse)) for purse in PURSES_IN_STAKES) if even else ()
    fair = -lost / win / stake if win else None
    return Wager(
        stake, win, known.get(Fraction(0), Fraction(0)), -mean / stake, law.standard_deviation, fair, ruin, law
    )
