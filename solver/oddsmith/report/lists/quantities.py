"""What a person can tell at the table without a table: a variable, a sum or a difference, whether something is so.

Each is an expression of the ruleset's own language, so that a condition on it can stand in a policy. An expression may read
only what every key of the phase tells. Otherwise it would look at what no rule needs any more, which states leave out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np

from oddsmith.arrays import Ints
from oddsmith.errors import PlayError
from oddsmith.exact import one_line
from oddsmith.expr import BadExpression, Expr, Scope, typed
from oddsmith.graph.reductions import reads
from oddsmith.location import text_of
from oddsmith.ruleset import Game
from oddsmith.ruleset.model import Add, Move, Place, Variable
from oddsmith.solve import PolicyColumns

MOST = 80  # quantities of one phase
MOST_MEMBERS = 12  # of a family that are looked at one by one
LONGEST = 40  # letters of an expression that the rules use


@dataclass(frozen=True, eq=False)
class Quantity:
    """``column``: its value in each decision of a phase; of a flag 0 or 1. ``effort``: how much harder it is to see than a
    thing of one's own.
    """

    text: str
    flag: bool
    effort: int
    column: Ints
    opposite: str = ""

    def condition(self, number: int, at_least: bool, others: tuple[int, ...] = ()) -> str:
        """That it is a number or more, a number or less, or one of several, in the language of rulesets.

        At an end of its range it is that number: there is nothing beyond.
        """
        if others:
            return f"{self.text} == {others[0]}" if len(others) == 1 else f"{self.text} in {list(others)}"
        if self.flag:
            return self.text if at_least else self.opposite
        if number == (self.column.max() if at_least else self.column.min()):
            return f"{self.text} == {number}"
        return f"{self.text} {'>=' if at_least else '<='} {number}"


def quantities(columns: PolicyColumns, phase: str) -> list[Quantity]:
    """Everything of that kind that differs between the decisions of a phase, what is easiest to see first."""
    game, codec = columns.graph.game, columns.graph.codec
    left = codec.left_out[phase]
    alike = {where for orbit in codec.reduction.orbits for member in orbit for where in member}
    found: list[Quantity] = []
    for offer in sorted(dict.fromkeys(_offers(game)), key=lambda offer: offer.effort):
        tree = expression(game, offer.text)
        if tree is None or tree.type.kind not in ("number", "flag"):
            continue
        cells = {where for name in reads(tree) for where in game.cells_of(name)}
        if not cells or cells & left or (cells & alike and not offer.whole) or _is_hidden(game, tree):
            continue
        try:
            column = columns.column(phase, tree)
        except PlayError:  # it cannot be worked out everywhere
            continue
        if len(np.unique(column)) > 1 and not any(np.array_equal(column, other.column) for other in found):
            found.append(Quantity(offer.text, tree.type.kind == "flag", offer.effort, column, offer.opposite))
    return found[:MOST]


def expression(game: Game, text: str) -> Expr | None:
    """A text as the ruleset's own language reads it; None where it does not."""
    try:
        return typed(text_of(text), Scope(game.ruleset.symbols))
    except BadExpression:
        return None


def _is_hidden(game: Game, tree: Expr) -> bool:
    return any(game.ruleset.state[name].hidden for name in reads(tree))


@dataclass(frozen=True)
class _Offer:
    """``whole``: it is the same however the members of a family are ordered. ``opposite``: of a flag."""

    text: str
    effort: int
    opposite: str = ""
    whole: bool = False


def _offers(game: Game) -> Iterator[_Offer]:
    for variable in game.ruleset.state.values():
        if variable.kind != "tally":
            yield from _of_variable(game, variable)
    yield from _defined(game)
    yield from _used(game)


# --- variables


def _of_variable(game: Game, variable: Variable) -> Iterator[_Offer]:
    members = list(_members(game, variable))
    for text, effort in members if len(members) <= MOST_MEMBERS else []:
        yield from _read(variable, text, effort)
    name = variable.name
    if variable.kind != "number":
        return
    if variable.dims == ("seat",):
        if game.seats == 2:
            yield _Offer(f"{name} - {name}[next]", 1)
        elif game.seats > 2:
            yield from (_Offer(f"{group}({name}[others])", 1) for group in ("max", "min"))
            yield _Offer(f"{name} - max({name}[others])", 1)
    elif len(variable.dims) == 1:
        yield _Offer(f"sum({name}[{variable.dims[0]}])", 1, whole=True)


def _members(game: Game, variable: Variable) -> Iterator[tuple[str, int]]:
    """The members of a family as the mover names them; one without an index stands for itself."""
    lists = [game.static[dim] for dim in variable.dims if dim != "seat"]
    if len(lists) > 1:
        return
    items = [str(item) for item in lists[0]] if lists else [""]
    seats = [""]
    if "seat" in variable.dims:
        seats += ["next"] * (game.seats > 1) + ["previous"] * (game.seats > 2)
    for seat in seats:
        for item in items:
            index = ", ".join(part for part in (seat, item) if part)
            yield (f"{variable.name}[{index}]" if index else variable.name), int(seat != "")


def _read(variable: Variable, text: str, effort: int) -> Iterator[_Offer]:
    match variable.kind:
        case "number":
            yield _Offer(text, effort)
        case "flag":
            yield _Offer(text, effort, f"not {text}")
        case "word":
            yield from (_Offer(f"{text} == {word}", effort, f"{text} != {word}") for word in variable.words)
        case "seat":
            yield from (_Offer(f"{text} == {who}", effort, f"{text} != {who}") for who in ("mover", "next"))
        case "hand":
            yield from (_Offer(f"{function}({text})", effort + 1) for function in ("sum", "size", "max"))


# --- what the rules themselves speak of


def _defined(game: Game) -> Iterator[_Offer]:
    """Definitions without arguments. Numbers that have a name are easy to see, because people speak of them."""
    shown = {str(text) for hint in game.ruleset.data.get("show", {}).values() for text in hint.values()}
    for name in game.ruleset.defines:
        tree = None if game.ruleset.symbols[name].arguments else expression(game, name)
        if tree is not None:
            named = tree.type.kind == "number" or name in shown
            yield _Offer(name, 1 if named else 2, f"not {name}")


def _used(game: Game) -> Iterator[_Offer]:
    """Sums, differences and counts that rules work out, what is compared, and what is moved to where something lies."""
    for tree in _trees(game):
        for node in tree.walk():
            sides = [_source(arg) for arg in node.args]
            if (node.op in ("+", "-") and len(sides) == 2) or (node.op == "call" and node.type.kind == "number"):
                yield from (_Offer(text, 2) for text in [_source(node)] if text)
            elif node.op in ("<", "<=", ">", ">=") and all(sides) and all(arg.op == "state" for arg in node.args):
                yield _Offer(f"{sides[0]} - {sides[1]}", 2)
    for effect in game.effects:
        if isinstance(effect, Move | Add) and effect.target:
            target = _source_of_place(effect.target)
            taken = effect.source if isinstance(effect, Move) else None
            source = _source(effect.amount) if effect.amount else _source_of_place(taken) if taken else ""
            if source and target:
                yield _Offer(f"{target} + {source}", 2)


def _trees(game: Game) -> Iterator[Expr]:
    rules = game.ruleset
    entries = [entry for phase in rules.phases.values() for entry in phase.entries]
    defined = (expression(game, name) for name in rules.defines if not rules.symbols[name].arguments)
    yield from chain((tree for entry in entries for tree in entry.reads), (rules.out_when, rules.end_when))
    yield from (tree for tree in defined if tree is not None)
    for effect in game.effects:
        yield from effect.reads


def _source(tree: Expr) -> str:
    """The text of an expression if it is short, stands in one place and names nothing that is known only there."""
    text = one_line(tree.span.words)
    known = all(node.op not in ("local", "each", "face") and node.span.text is tree.span.text for node in tree.walk())
    return text if known and len(text) <= LONGEST else ""


def _source_of_place(place: Place) -> str:
    """A place without an index, or the mover's own."""
    return place.name if all(index.op == "seat" for index in place.indices) else ""
