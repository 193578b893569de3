"""What a line of a list can tell a player to do: an option, or one instance of an option that is offered several times."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from oddsmith.arrays import Floats, Ints
from oddsmith.errors import PlayError
from oddsmith.expr import NUMBER, TRUE, BadExpression, Expr, Scope, typed
from oddsmith.graph import StateGraph
from oddsmith.location import Location, text_of
from oddsmith.ruleset import Game
from oddsmith.ruleset.model import Choice, Entry
from oddsmith.solve import PolicyColumns

MOST = 8  # moves of one phase that a search tries
MOST_VALUES = 5  # of a loop's name that are told one by one


@dataclass(frozen=True)
class Line:
    """A line of a policy as it is written: ``when`` and ``prefer`` are expressions, empty where there is none.

    ``which``: the end of ``when`` that says which instance is meant, of an option that is offered several times.
    """

    option: str
    when: str = ""
    prefer: str = ""
    which: str = ""

    @property
    def keys(self) -> dict[str, str]:
        """What stands in a ruleset, by key."""
        keys = {"option": self.option, "when": self.when, "prefer": self.prefer}
        return {key: text for key, text in keys.items() if text}

    def choice(self, game: Game, phase: str) -> Choice:
        """The same as the rules read it. Raises BadExpression where it is none."""
        entry = next(each for each in game.ruleset.phases[phase].entries if each.name == self.option)
        when, prefer = tree_of(game, entry, self.when), tree_of(game, entry, self.prefer)
        return Choice(self.option, when or TRUE, prefer, Location(game.ruleset.source.file))


@dataclass(frozen=True, eq=False)
class Move:
    """Something to do.

    ``which``: what an instance must be, in the language. ``prefer``: of which the greatest is taken. ``rows``: for each
    decision of the phase the row that it takes, -1 where it is not legal.
    """

    option: str
    which: str
    prefer: str
    rows: Ints

    def line(self, when: str = "") -> Line:
        """The line that says to do it when a condition holds."""
        return Line(self.option, " and ".join(part for part in (when, self.which) if part), self.prefer, self.which)


def tree_of(game: Game, entry: Entry, text: str) -> Expr | None:
    """An expression of a line for an option, which may name the option's loops; None where the text is empty."""
    if not text:
        return None
    scope = Scope(game.ruleset.symbols)
    for name, items in entry.loops:
        scope = scope.with_local(name, items.type.item or NUMBER, items.span)
    return typed(text_of(text), scope)


def moves(columns: PolicyColumns, phase: str, losses: Floats) -> list[Move]:
    """The moves of a phase that serve most, each taking other rows; first what costs least where it is legal.

    ``losses``: about what every row of the graph costs, weighted by how often play comes to it. For every option there is one
    that can be made wherever the option is legal.
    """
    entries = columns.graph.game.ruleset.phases[phase].entries
    found = [move for entry in entries for move in _of_option(columns, phase, entry)]
    widest: dict[str, Move] = {}
    for move in sorted(found, key=lambda move: -int((move.rows >= 0).sum())):
        widest.setdefault(move.option, move)
    best = _serving(found, losses)
    kept = [*best, *(move for move in widest.values() if move not in best)]
    return sorted(
        kept, key=lambda move: (move not in best, bool(move.which), float(losses[move.rows[move.rows >= 0]].mean()))
    )


def _of_option(columns: PolicyColumns, phase: str, entry: Entry) -> list[Move]:
    """The moves of an option that take different rows, each by the first of its names, or as the plain option where the
    most and the least of something are the same: then there is nothing to choose.
    """
    found: dict[bytes, list[Move]] = {}
    for line in _lines(columns.graph, phase, entry):
        try:
            rows = columns.rows(phase, [line.choice(columns.graph.game, phase)])
        except (BadExpression, PlayError):  # what is preferred has no value somewhere, such as the sum of no dice
            continue
        if (rows >= 0).any():
            found.setdefault(rows.tobytes(), []).append(Move(line.option, line.when, line.prefer, rows))
    kept = []
    for alike in found.values():
        preferred = {move.prefer for move in alike}
        single = any(f"-{what}" in preferred for what in preferred)
        plain = [move for move in alike if not (move.which or move.prefer)]
        kept.append(plain[0] if plain and single else alike[0])
    return kept


def _serving(found: list[Move], losses: Floats) -> list[Move]:
    """Few of many moves: each next one is that by which the best of those taken costs least."""
    dearest = 2 * losses.max(initial=0.0) + 1e-9
    prices = [np.where(move.rows >= 0, losses[move.rows], dearest) for move in found]
    left, taken, best = list(range(len(found))), list[Move](), np.full(len(found[0].rows), dearest)
    while left and len(taken) < MOST:
        place = min(left, key=lambda place: float(np.minimum(best, prices[place]).sum()))
        best = np.minimum(best, prices[place])
        left.remove(place)
        taken.append(found[place])
    return taken


def _lines(graph: StateGraph, phase: str, entry: Entry) -> Iterator[Line]:
    """Where an option is offered several times, each way to choose among its instances; then the option as it comes."""
    for name, items in entry.loops:
        if items.type.kind == "hand" or items.type.item is None or items.type.item.kind == "number":
            yield from _each(graph, phase, entry, name)
            yield from _either(entry, name)
        elif items.type.item.kind == "hand":
            for function in ("sum", "size"):
                yield from _either(entry, f"{function}({name})")
        elif items.type.item.kind == "seat":
            for variable in graph.game.ruleset.state.values():
                if variable.dims == ("seat",) and variable.kind == "number" and not variable.hidden:
                    yield from _either(entry, f"{variable.name}[{name}]")
            yield from (Line(entry.name, f"{name} == {who}") for who in ("next", "previous"))
        elif items.type.item.kind == "word":
            yield from _each(graph, phase, entry, name)
    yield Line(entry.name)


def _either(entry: Entry, what: str) -> Iterator[Line]:
    """The instance with the most of something, and the one with the least."""
    yield Line(entry.name, "", what)
    yield Line(entry.name, "", f"-{what}")


def _each(graph: StateGraph, phase: str, entry: Entry, name: str) -> Iterator[Line]:
    """The instances by the value of a loop's name, where there are few."""
    entries = graph.game.ruleset.phases[phase].entries
    bound = [binding for where, number, binding in graph.actions if where == phase and entries[number] is entry]
    values = sorted({dict(binding)[name] for binding in bound})
    if len(values) <= MOST_VALUES:
        yield from (Line(entry.name, f"{name} == {value}") for value in values)
