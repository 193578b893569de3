"""Finds the place in the rules at which a choice depends on something that its player has not seen.

It is the part of an expression whose value differs between two positions that the player cannot distinguish.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from oddsmith.base.errors import RuleFailure
from oddsmith.base.location import Location
from oddsmith.expr import EvaluationContext, Expr, compiled_function, items_or_faces
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.model.phases import SimultaneousPhase
from oddsmith.ruleset.model.questions import PolicyLine
from oddsmith.ruleset.rules import Action, State

Contexts = tuple[EvaluationContext, EvaluationContext]
"""The contexts of two positions."""


def location_of_differing_offer(
    game: Game, first_position: State, second_position: State, choice: Any, seat: int
) -> Location:
    """Return where the rules offer a choice in one of two positions, and not, or at another place, in the other.

    ``choice``: the choice, which is an action, or an item of a simultaneous choice. ``seat``: the seat that chooses.
    """
    phase, contexts = (
        game.ruleset.phases[first_position.phase],
        _contexts_of_positions(game, first_position, second_position, seat),
    )
    if isinstance(phase, SimultaneousPhase):
        return _differing_location(phase.items, contexts) or phase.location
    entry, lists = phase.entries[choice.entry_index], list[Expr]()
    for name, items in entry.loops:
        offered = [items_or_faces(_value_or_error_code(items, context)) for context in contexts]
        value = dict(choice.binding)[name]
        if (value in offered[0]) != (value in offered[1]):
            return _differing_location(items, contexts) or entry.location
        lists.append(items)
        for context in contexts:
            context.local[name] = value
    places = (_differing_location(tree, contexts) for tree in (entry.when, *lists))
    return next(filter(None, places), entry.location)


def location_of_differing_policy_line(
    game: Game, policy_name: str, first_position: State, second_position: State, actions: Sequence[Action]
) -> Location:
    """Return where a policy looks at something by which it chooses differently in two positions.

    ``policy_name``: the policy. ``actions``: the actions, which are the same in both positions.
    """
    contexts = _contexts_of_positions(game, first_position, second_position, first_position.mover)
    lines = game.ruleset.policies[policy_name][first_position.phase]
    for line in lines:
        fitting = [[each for each in actions if _line_applies(line, each, context)] for context in contexts]
        if any(fitting):
            tree = line.when if fitting[0] != fitting[1] else line.prefer
            return _differing_location_in_line(line, tree, actions, contexts)
    return lines[0].location


def _line_applies(line: PolicyLine, action: Action, context: EvaluationContext) -> bool:
    context.local = dict(action.binding)
    return action.name == line.option and bool(_value_or_error_code(line.when, context))


def _differing_location_in_line(
    line: PolicyLine, tree: Expr | None, actions: Sequence[Action], contexts: Contexts
) -> Location:
    """Return where an expression of a line differs for one of the actions; the location of the line if it does not."""
    for action in actions:
        for context in contexts:
            context.local = dict(action.binding)
        if tree is not None and action.name == line.option and (found := _differing_location(tree, contexts)):
            return found
    return line.location


def _contexts_of_positions(game: Game, first_position: State, second_position: State, seat: int) -> Contexts:
    first, second = (
        game.context(each.cells, each.mover, each.seats_out_bits) for each in (first_position, second_position)
    )
    first.seat = second.seat = seat
    return first, second


def _differing_location(tree: Expr, contexts: Contexts) -> Location | None:
    """Return the location of the differing part of an expression; None if nothing differs, or it has no location."""
    part = _differing_part(tree, contexts)
    return part.span.location if part is not None and part.span.text.value else None


def _differing_part(tree: Expr, contexts: Contexts) -> Expr | None:
    """Return the smallest part of an expression, written in the same text, whose value differs between two contexts.

    Return None if the value of the expression does not differ.
    """
    one, other = (_value_or_error_code(tree, context) for context in contexts)
    if one == other:
        return None
    parts = tree.args[:1] if tree.op == "each" else tree.args  # the other parts of a loop read the name of the loop
    inner = (_differing_part(each, contexts) for each in parts if each.span.text is tree.span.text)
    return next((each for each in inner if each is not None), tree)


def _value_or_error_code(tree: Expr, context: EvaluationContext) -> Any:
    """Return the value of an expression; the code of the failure if it cannot be computed."""
    try:
        return compiled_function(tree)(replace(context, local=dict(context.local), rounds=0))
    except RuleFailure as failure:
        return failure.code
