"""Games played out by the one-state rules, every way at once, in fractions: what distributions and horizons must agree with."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction

from oddsmith.ruleset.game import Game
from oddsmith.ruleset.play import Choose, PlayedMove
from oddsmith.ruleset.rules import Rules, State, Step

Law = dict[Fraction, Fraction]
"""Value -> chance."""


def moves(rules: Rules, state: State, choose: Choose) -> Iterator[tuple[Fraction, PlayedMove]]:
    """What can follow a state, with its chance."""
    if rules.phase(state).kind == "choose":
        actions = rules.actions(state)
        action = actions[choose(state, actions)]
        yield Fraction(1), PlayedMove(state, None, action, rules.choose(state, action))
        return
    outcomes, bottom = rules.weighted_chance_results(state)
    for weight, thrown in outcomes:
        yield Fraction(weight, bottom), PlayedMove(state, thrown, None, rules.resolve(state, thrown))


def played_out(
    game: Game,
    choose: Choose,
    adds: Callable[[PlayedMove], int],
    most: int,
    times: int = 1,
    ending: Callable[[State], Fraction | int] = lambda end: 0,
) -> tuple[Law, Fraction]:
    """The law of a sum over moves up to ``most``, times so much, plus what the end brings; and the chance of all beyond.

    Between two moves that add something, play must not go round.
    """
    rules = Rules(game)
    front: dict[tuple[State, int], Fraction] = {(rules.start(), 0): Fraction(1)}
    found: defaultdict[Fraction, Fraction] = defaultdict(Fraction)
    beyond = Fraction(0)
    while front:
        ahead: defaultdict[tuple[State, int], Fraction] = defaultdict(Fraction)
        for (state, total), mass in front.items():
            for chance, move in moves(rules, state, choose):
                after, reached = move.step.state, total + adds(move)
                if not after.phase:
                    found[Fraction(reached * times) + ending(after)] += mass * chance
                elif reached > most:
                    beyond += mass * chance
                else:
                    ahead[after, reached] += mass * chance
        front = ahead
    return dict(found), beyond


# --- a game that is stopped after some turns


def stopped(game: Game, objective: str, turns: int, choose: Choose | None = None) -> tuple[Fraction, ...]:
    """What each seat gets in so many turns, paid at the end of the game only; without a chooser, each mover at its best."""
    rules = Rules(game)
    sign = 1 if game.ruleset.payoffs[objective].goal == "max" else -1
    known: dict[tuple[State, int], tuple[Fraction, ...]] = {}
    nothing = (Fraction(0),) * game.seats

    def after(step: Step, left: int) -> tuple[Fraction, ...]:
        if not step.state.phase:
            return rules.payoffs(step.state, objective)
        return value(step.state, left - step.turn_over)

    def value(state: State, left: int) -> tuple[Fraction, ...]:
        if left == 0:
            return nothing
        if (state, left) not in known:
            known[state, left] = worth(state, left)
        return known[state, left]

    def worth(state: State, left: int) -> tuple[Fraction, ...]:
        if rules.phase(state).kind != "choose":
            outcomes, bottom = rules.weighted_chance_results(state)
            found = [
                (Fraction(weight, bottom), after(rules.resolve(state, thrown), left)) for weight, thrown in outcomes
            ]
            return tuple(
                sum((chance * paid[seat] for chance, paid in found), Fraction(0)) for seat in range(game.seats)
            )
        actions = rules.actions(state)
        options = [after(rules.choose(state, action), left) for action in actions]
        if choose is not None:
            return options[choose(state, actions)]
        return max(options, key=lambda paid: sign * paid[state.mover])

    return value(rules.start(), turns)
