"""Warn about hidden variables that were probably meant to be secrets.

`show: hidden` means that a table does not display a variable, because only the rules need it. The value is not a
secret, unless the roll or draw that determines it names by `seen_by` the seats that see it. Suppose that a roll or draw
that everybody sees determines a hidden variable in one turn, and that the variable can matter to a choice in a later
turn. Then the author probably meant it to be a secret. Best play would use its value, which players at the table may
not know.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from oddsmith.base.errors import Problem
from oddsmith.expr import Expr
from oddsmith.ruleset.model.effects import Add, Effect, Let, Set, every_effect
from oddsmith.ruleset.model.phases import Phase, ToPhase
from oddsmith.ruleset.model.ruleset import Ruleset
from oddsmith.ruleset.model.state import Variable


def secret_choices(ruleset: Ruleset) -> Iterator[Problem]:
    """Yield a problem for each hidden variable that a roll or draw determines in one turn and that may matter to a
    choice in a later turn.
    """
    if ruleset.seats[1] == 1:
        return  # whoever chooses has rolled
    for variable in ruleset.state.values():
        if not variable.hidden or variable.resets or variable.kind == "tally":
            continue
        open_phases = [phase for phase in ruleset.phases.values() if phase.seen_by is None]
        if not any(_rolls_into(phase, variable.name) for phase in open_phases):
            continue
        choice = next(
            (phase for phase in _choices_before_roll(ruleset, variable) if _may_matter(ruleset, phase, variable.name)),
            None,
        )
        if choice is not None:
            message = (
                f"{variable.name} is hidden, a roll or a draw of an earlier turn decides it, and the choice in {choice.name} "
                "may depend on it; everybody sees that roll or draw, so whoever chooses would know it"
            )
            hint = "if it is a secret, say who sees the roll: `seen_by: mover`; else take `show: hidden` away"
            yield Problem("OD435", variable.location, message, hint)


def _reads(trees: Iterable[Expr], name: str, op: str = "state") -> bool:
    return any(node.op == op and node.value == name for tree in trees for node in tree.walk())


def _rolls_into(phase: Phase, name: str) -> bool:
    """Return whether a roll or draw of a phase determines a variable, directly or by an effect."""
    if any(throw.kept and throw.name == name for throw in phase.rolls_and_draws):
        return True
    known = {throw.name for throw in phase.rolls_and_draws}
    for entry in phase.entries:
        names = set(known)
        for effect in every_effect(entry.do):
            from_dice = any(_reads(effect.reads, each, "local") for each in names)
            if isinstance(effect, Let) and from_dice:
                names.add(effect.name)
            if isinstance(effect, Set | Add) and effect.target.name == name and from_dice:
                return True
    return False


def _surely_sets(effects: Iterable[Effect], name: str) -> bool:
    """Return whether effects certainly set a whole variable: by a `set` without indices that is outside conditions and
    loops.
    """
    return any(
        isinstance(effect, Set) and effect.target.name == name and not effect.target.indices for effect in effects
    )


def _choices_before_roll(ruleset: Ruleset, variable: Variable) -> Iterator[Phase]:
    """Yield the choices that a turn can reach before a roll determines a variable; for a family, all choices that a
    turn can reach.
    """
    todo, met = [ruleset.turn], {ruleset.turn}
    while todo:
        phase = ruleset.phases[todo.pop()]
        if phase.kind == "choose":
            yield phase
        if not variable.dims and _rolls_into(phase, variable.name):
            continue
        for entry in phase.entries:
            if isinstance(entry.then, ToPhase) and entry.then.phase not in met:
                met.add(entry.then.phase)
                todo.append(entry.then.phase)


def _may_matter(ruleset: Ruleset, choice: Phase, name: str) -> bool:
    """Return whether the rules may read a variable after a choice and before it is set again."""
    paid = [payoff.value for payoff in ruleset.payoffs.values()]
    last = [tree for effect in every_effect(ruleset.at_end) for tree in effect.reads]
    if _reads([*paid, ruleset.end_when, ruleset.out_when, *last], name):
        return True
    todo, met = [choice.name], set[str]()
    while todo:
        phase = ruleset.phases[todo.pop()]
        if phase.name in met:
            continue
        met.add(phase.name)
        if any(throw.kept and throw.name == name and throw.kind != "rest" for throw in phase.rolls_and_draws):
            continue
        for entry in phase.entries:
            trees = [
                *entry.reads,
                *entry.then.reads,
                *(tree for effect in every_effect(entry.do) for tree in effect.reads),
            ]
            if _reads(trees, name) or any(
                throw.kind == "draw" and throw.bag == name for throw in phase.rolls_and_draws
            ):
                return True
            if not _surely_sets(entry.do, name):
                todo.append(entry.then.phase if isinstance(entry.then, ToPhase) else ruleset.turn)
    return False
