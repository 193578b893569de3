"""Entries carried out on unknown cells: where each applies, what it changes, and the possible results of a throw."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import gcd, lcm
from typing import Any

from oddsmith.base.dice import MOST_WAYS, hands_after_draw, refuse_many, roll
from oddsmith.base.errors import Broken, Problem, RulesetError
from oddsmith.expr import (
    FALSE,
    FLAG,
    HAND,
    NUMBER,
    SEAT,
    TRUE,
    Expr,
    FoldCache,
    Type,
    View,
    compiled,
    const,
    either,
    fold,
    known,
    simplified,
)
from oddsmith.graph.columns.effects import Check, Effects, copy_view
from oddsmith.ruleset import Game, check_hand
from oddsmith.ruleset.model import Draw, Entry, PassTo, Phase, Throw


@dataclass(frozen=True, slots=True)
class Branch:
    """One entry carried out: its guard, what it writes, who is out after it, checks, and the seat that a ``pass_to``
    names.

    ``entry``: its index in the phase. All others are expressions of the cells before it.
    """

    entry: int
    guard: Expr
    writes: tuple[tuple[int, Expr], ...]
    gone: tuple[Expr, ...]
    checks: tuple[Check, ...]
    seat: Expr | None


@dataclass(frozen=True, slots=True)
class RollClass:
    """A class of rolls that the rules do not tell apart: a weight (times expressions, for draws) and its entries.

    ``thrown``: whether any die was rolled.
    """

    weight: int
    counts: tuple[Expr, ...]
    thrown: bool
    branches: tuple[Branch, ...]


@dataclass(frozen=True, slots=True)
class _ResultChance:
    """The probability of a partial result: a weight over a denominator, times the counts of drawn items.

    ``results``: how many such results there are. ``last``: the index in its bag of the item drawn last, ``run`` times
    in a row.
    """

    weight: int = 1
    counts: tuple[Expr, ...] = ()
    denominator: int = 1
    thrown: bool = False
    results: int = 1
    last: int = -1
    run: int = 0


@dataclass(frozen=True, slots=True)
class Option:
    """An instance of an option: its loop values and its branch."""

    binding: tuple[tuple[str, Any], ...]
    branch: Branch


class Symbolic:
    """Carries out phases of a game on a :class:`View`. Every method raises Needs where a cell must be known.

    ``safe``: variables whose bounds can never be left, so that they need no checks.
    """

    def __init__(self, game: Game, safe: frozenset[str] = frozenset()) -> None:
        self.game = game
        self.worked = 0  # entries carried out so far
        self.memory = FoldCache({}, {})
        kinds: dict[str, Type] = {"flag": FLAG, "hand": HAND, "seat": SEAT}
        self.types = [
            Type("word", words=frozenset(cell.variable.words))
            if cell.variable.kind == "word"
            else kinds.get(cell.variable.kind, NUMBER)
            for cell in game.cells
        ]
        self.effects = Effects(game, self.types, safe)
        leave = game.ruleset.out_when
        self.steady = not any(map(self._depends_on_turn, leave.walk()))
        moment = game.moment(game.start)
        for seat in range(game.seats):  # where it holds for nobody at the start, it does so in no state
            moment.seat = seat
            self.steady = self.steady and not compiled(leave)(moment)

    def _depends_on_turn(self, node: Expr) -> bool:
        """Return whether the value of a node may change with the turn alone. Seats come in an order that starts at the
        mover.
        """
        if node.op in ("everyone", "others", "next", "previous", "mover"):
            return True
        if node.op == "state":
            return bool(self.game.ruleset.state[node.value].resets)
        return node.op == "<" and node.args[0].type.kind == "seat"

    def view(self, known_cells: dict[int, Any], out: int) -> View:
        """Return a position of which only some cells are known."""
        cells = [
            const(known_cells[where], type_) if where in known_cells else Expr("cell", type_, value=where)
            for where, type_ in enumerate(self.types)
        ]
        gone = [TRUE if out >> seat & 1 else FALSE for seat in range(self.game.seats)]
        return View(self.game.static, self.game.layout, self.game.seats, cells, gone, memory=self.memory)

    # --- the three bodies

    def chances(self, phase: Phase, view: View) -> list[RollClass]:
        """Return the classes of rolls of a phase; those with the same consequences are one."""
        thrown = list(self._results(self.game.throws(phase), view, _ResultChance()))
        common = lcm(*(luck.denominator for _, luck in thrown))
        classes: dict[tuple[Any, ...], int] = {}
        for after, luck in thrown:
            key = (luck.counts, luck.thrown, tuple(self.branches(phase, after, view)))
            classes[key] = classes.get(key, 0) + luck.weight * (common // luck.denominator)
        least = gcd(*classes.values())
        if sum(classes.values()) // least > MOST_WAYS:
            raise self.too_many_ways(phase)
        return [RollClass(weight // least, *key) for key, weight in classes.items()]

    def too_many_ways(self, phase: Phase) -> RulesetError:
        """Return the error for a phase whose chances have a common denominator that no longer fits the machine."""
        message = f"rolls and draws in {phase.name} fall in over 7 * 10^16 ways, over which no chances are counted"
        hint = "divide them among several phases, and keep what matters of each, such as a sum"
        return RulesetError([Problem("OD417", phase.location, message, hint)], self.game.ruleset.source)

    def options(self, phase: Phase, view: View) -> list[Option]:
        """Return every instance of every option that can be legal, in order."""
        legal = []
        for number, entry in enumerate(phase.entries):
            for binding in self.effects.loop_bindings(entry.loops, view):
                inside = copy_view(view)
                inside.local = dict(binding)
                branch = self._branch(number, entry, inside, view)
                if branch.guard != FALSE:
                    values = tuple((name, tree.value) for name, tree in binding.items())
                    legal.append(Option(values, branch))
        return legal

    def branches(self, phase: Phase, view: View, before: View) -> Iterator[Branch]:
        """Yield the entries that can apply, in order, up to one that always does."""
        for number, entry in enumerate(phase.entries):
            branch = self._branch(number, entry, copy_view(view), before)
            if branch.guard != FALSE:
                yield branch
            if branch.guard == TRUE:
                return

    def ending_branch(self, view: View) -> Branch:
        """Return what ``at_end`` writes, and who is out then, as a branch that is no entry of any phase."""
        after, checks = copy_view(view), list[Check]()
        self.effects.run(self.game.ruleset.at_end, after, TRUE, checks)
        return Branch(-1, TRUE, _changed_cells(view, after), tuple(after.gone), tuple(checks), None)

    def _branch(self, number: int, entry: Entry, view: View, before: View) -> Branch:
        self.worked += 1
        guard = fold(entry.when, view)
        if guard == FALSE:
            return Branch(number, FALSE, (), (), (), None)
        checks: list[Check] = []
        self.effects.run(entry.do, view, TRUE, checks)
        view.gone = self._out_after(view, before)
        seat = fold(entry.then.seat, view) if isinstance(entry.then, PassTo) else None
        return Branch(number, guard, _changed_cells(before, view), tuple(view.gone), tuple(checks), seat)

    def _out_after(self, view: View, before: View) -> list[Expr]:
        """Return who is out after a step: who was out before, and who leaves now.

        A test that nothing has touched fails as it did before.
        """
        gone = []
        leave = self.game.ruleset.out_when
        for seat in range(self.game.seats):
            view.seat = before.seat = seat
            leaves = fold(leave, view)
            if self.steady and leaves == fold(leave, before):
                leaves = FALSE
            gone.append(either(view.gone[seat], leaves))
        view.seat = before.seat = 0
        return gone

    # --- chance

    def _draw_results(
        self, throw: Draw, place: int, rest: Sequence[tuple[Throw, int]], view: View, luck: _ResultChance
    ) -> Iterator[tuple[View, _ResultChance]]:
        """Yield the results of a draw and of the throws after it.

        ``place``: the number of the draw among those that are alike. One order stands for all orders of these.
        """
        layout, empty = self.game.layout[throw.bag], const(0, NUMBER)
        found = [(item, at) for item, at in layout.dims[0].items() if view.cells[layout.first + at] != empty]
        results = hands_after_draw(luck.results, len(found), place)
        refuse_many(results, "the dice and draws of this phase together", drawn=True)
        for item, at in found:
            if place > 1 and at < luck.last:
                continue
            after, run = copy_view(view), luck.run + 1 if place > 1 and at == luck.last else 1
            held = after.cells[layout.first + at]
            after.cells[layout.first + at] = simplified(Expr("-", NUMBER, (held, const(1, NUMBER))))
            type_ = Type("word", words=frozenset([item])) if isinstance(item, str) else NUMBER
            self._store_result(throw, const(item, type_), after)
            weight, counts = luck.weight * place // run, (*luck.counts, held)
            more = replace(luck, weight=weight, counts=counts, results=results, last=at, run=run)
            yield from self._results(rest, after, more)

    def _results(
        self, throws: Sequence[tuple[Throw, int]], view: View, luck: _ResultChance
    ) -> Iterator[tuple[View, _ResultChance]]:
        if not throws:
            yield view, luck
            return
        (throw, place), rest = throws[0], throws[1:]
        if isinstance(throw, Draw):
            yield from self._draw_results(throw, place, rest, view, luck)
            return
        distribution = roll(self._dice(throw, view))
        results = luck.results * len(distribution.hands)
        refuse_many(results, "the dice and draws of this phase together")
        for hand, times in distribution.hands:
            after = copy_view(view)
            lying = known(after.cells[self.game.layout[throw.name].first]) if throw.kind == "rest" else None
            whole = hand if lying is None else lying + hand
            if throw.kept:
                check_hand(self.game, self.game.layout[throw.name].first, whole)
            self._store_result(throw, const(whole, HAND), after)
            weight, denominator = luck.weight * times, luck.denominator * distribution.denominator
            more = _ResultChance(weight, luck.counts, denominator, luck.thrown or bool(hand), results)
            yield from self._results(rest, after, more)

    def _dice(self, throw: Throw, view: View) -> list[tuple[int, Any]]:
        if throw.kind == "rest":
            where = self.game.layout[throw.name].first
            lying = [kind for _, kind in known(view.cells[where])]
            return [(count - lying.count(die.kind), die) for die, count in self.game.cells[where].dice]
        counted = [(known(fold(term.count, view)), self.game.dice[term.die]) for term in throw.dice]
        if any(count < 0 for count, _ in counted):
            raise Broken("OD533", "a negative number of dice", "roll max(0, ...) dice")
        return counted

    def _store_result(self, throw: Throw, value: Expr, view: View) -> None:
        if throw.kept:
            view.cells[self.game.layout[throw.name].first] = value
        else:
            view.local[throw.name] = value


def _changed_cells(before: View, after: View) -> tuple[tuple[int, Expr], ...]:
    pairs = enumerate(zip(before.cells, after.cells, strict=True))
    return tuple((where, new) for where, (old, new) in pairs if new is not old and new != old)
