"""Games for coins: those on the table at the start go to and fro, and everybody keeps what lies in their purse at the end.

Such coins can be money. Each seat pays in an equal part of all coins of the start and leaves with its purse, so that what
a seat gets on average, as it was solved, is what it gets in money. Nothing says so in the rules: it follows from them.
"""

from __future__ import annotations

from oddsmith.ruleset.model import Move, Payoff, Ruleset, looked_at


def coins(rules: Ruleset) -> dict[str, tuple[str, ...]]:
    """The variables in which coins lie, the purse first, for each payoff that is such a purse: a number of each seat that
    grows by nothing but moves from other such variables. Coins may leave the game; then somebody gets less.
    """
    return {name: held for name, payoff in rules.payoffs.items() if (held := _held(rules, payoff))}


def _held(rules: Ruleset, payoff: Payoff) -> tuple[str, ...]:
    value = payoff.value
    if payoff.goal != "max" or value.op != "state" or [index.op for index in value.args] != ["seat"]:
        return ()
    held = [value.value]
    for name in held:  # which grows while it is read
        if not _keeps(rules, name):
            return ()
        for effect in rules.effects:
            if all(place.name != name for place in effect.writes):
                continue
            if not isinstance(effect, Move) or effect.source is None:
                return ()  # they come from nowhere
            held += [place.name for place in effect.writes if place.name not in held]
    return tuple(held)


def _keeps(rules: Ruleset, name: str) -> bool:
    """Whether a variable holds a number of coins that no roll and no new turn makes larger."""
    variable = rules.state[name]
    start = variable.start
    empty = start is None or getattr(start, "value", None) == 0
    throws = [throw for phase in rules.phases.values() for throw in phase.throws]
    thrown = any(name in (throw.name, looked_at(throw)) for throw in throws)  # a bag holds more than coins
    positive = variable.least is None or variable.least.value == 0
    return variable.kind == "number" and positive and (empty or not variable.resets) and not thrown
