"""Whether the one-state rules of the engine say of every position what the plain reader says."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from typing import Any

from oddsmith.base.dice import Hand as EngineHand
from oddsmith.base.errors import PlayError, RuleFailure
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.rules import ChanceResult, Rules, State
from oddsmith.ruleset.rules import Step as EngineStep
from tests.random.text import Data
from tests.reader.effects import Names
from tests.reader.play import Fall, Position, Reader, Step
from tests.reader.values import Hand, Seat, Stops, number

STOPPED = "the play stops"


class Agreement:
    """One game, by both, from its start as far as so many positions go."""

    def __init__(self, data: Data, game: Game, most: int = 60) -> None:
        self.reader = Reader(data, game.seats, game.parameters, game.variants)
        self.game, self.rules, self.most = game, Rules(game), most
        self.die = {die.kind: name for name, die in game.dice.items()}
        rolls = [roll for body in data["phases"].values() for roll in body.get("roll", {}).items()]
        self.totals = {name for name, what in rolls if isinstance(what, dict)}
        self.keys = [(cell.variable.name, self._index(where)) for where, cell in enumerate(game.cells)]
        self.positions: dict[Position, State] = {}
        self.waiting: deque[Position] = deque()
        self.wrong: list[str] = []

    def differences(self) -> list[str]:
        """What differs, in sentences: the first position that says it is enough."""
        start, ours = self._played(self.rules.start), self._tried(self.reader.start)
        there = start if start == STOPPED else self.position(start)
        if not self._same("the start", ours, there) or ours == STOPPED:
            return self.wrong
        self._meet(ours, start)
        for turn in range(self.most):
            if not self.waiting or self.wrong:
                break
            ours = self.waiting.popleft() if turn % 2 else self.waiting.pop()  # the widest and the deepest
            self._look(ours, self.positions[ours])
        return self.wrong

    def _meet(self, ours: Position, state: State) -> None:
        if ours not in self.positions:
            self.positions[ours] = state
            self.waiting.append(ours)

    def _look(self, ours: Position, state: State) -> None:
        """One position: its ends, its rolls or its options, and what follows."""
        if not ours.phase:
            for objective in self.game.ruleset.payoffs:
                paid = self._played(self.rules.payoffs, state, objective)
                paid = paid if paid == STOPPED else list(paid)
                self._same(f"{objective} at {ours}", self._tried(self.reader.payoffs, ours, objective), paid)
        elif self.reader.kind(ours) == "together":
            self._at_once(ours, state)
        elif self.reader.kind(ours) == "choose":
            self._seen(ours, state)
            self._options(ours, state)
        else:
            self._seen(ours, state)
            self._falls(ours, state)

    def _seen(self, ours: Position, state: State) -> None:
        """Who sees what happens."""
        there = self._played(self.rules.seats_that_see, state)
        there = there if there == STOPPED else frozenset(map(Seat, there))
        self._same(f"who sees {ours}", self._tried(self.reader.seen_by, ours), there)

    def _at_once(self, ours: Position, state: State) -> None:
        """Choices at once: what there is to choose, and what follows."""
        here, there = self._tried(self.reader.offers, ours), self._played(self.rules.choosable_items_by_seat, state)
        if STOPPED in (here, there):
            self._same(f"what there is to choose in {ours}", here, there)
            return
        offered = {Seat(seat): list(map(self.value, items)) for seat, items in there.items()}
        if not self._same(f"what there is to choose in {ours}", list(here.items()), list(offered.items())):
            return
        for items in product(*there.values()):
            picked = dict(zip(there, items, strict=True))
            chosen = {Seat(seat): self.value(item) for seat, item in picked.items()}
            what = f"{chosen} in {ours}"
            self._step(what, self.reader.choose_together, (ours, chosen), self.rules.choose_together, (state, picked))

    def _falls(self, ours: Position, state: State) -> None:
        """A roll: what falls, and what follows it. Draws that a phase does not tell apart may come in any order."""
        here, there = self._tried(self.reader.chances, ours), self._played(self.rules.weighted_chance_results, state)
        if STOPPED in (here, there):
            self._same(f"chance in {ours}", here, there)
            return
        thrown = [(Fraction(weight, there[1]), one) for weight, one in there[0]]
        self._same(
            f"chance in {ours}",
            _summed((chance, _in_any_order(fall)) for fall, chance in here.items()),
            _summed((chance, _in_any_order(self.fall(one))) for chance, one in thrown),
        )
        played = [(chance, self._played(self.rules.resolve, state, one)) for chance, one in thrown]
        followed = self._same(
            f"what follows {ours}",
            _summed((chance, self._tried(self.reader.resolve, ours, fall)) for fall, chance in here.items()),
            _summed((chance, step if step == STOPPED else self.step(step)) for chance, step in played),
        )
        for _, step in played:
            if followed and step != STOPPED:
                self._meet(self.position(step.state), step.state)

    def _options(self, ours: Position, state: State) -> None:
        here = self._tried(self.reader.options, ours)
        found = self._played(self.rules.actions, state)
        if STOPPED in (here, found):
            self._same(f"options in {ours}", here, found)
            return
        actions = {(one.entry_index, self.names(one.binding, one.entry_index, state)): one for one in found}
        there = list(actions)
        if not self._same(f"options in {ours}", Counter(here), Counter(there)):
            return
        if here != there and not any(map(_mixed, here)):
            self._say(f"the order of options in {ours}", here, there)
        for option in here:
            what = f"{option} in {ours}"
            self._step(what, self.reader.choose, (ours, option), self.rules.choose, (state, actions[option]))

    def _step(self, what: str, read: Any, ours: tuple[Any, ...], play: Any, theirs: tuple[Any, ...]) -> None:
        here = self._tried(read, *ours)
        taken = self._played(play, *theirs)
        if taken == STOPPED:
            self._same(what, here, taken)
            return
        if self._same(what, here, self.step(taken)):
            self._meet(here.position, taken.state)

    def _tried(self, ask: Any, *of: Any) -> Any:
        try:
            return ask(*of)
        except Stops:
            return STOPPED

    def _played(self, ask: Any, *of: Any) -> Any:
        try:
            return ask(*of)
        except (PlayError, RuleFailure):
            return STOPPED

    def _same(self, what: str, here: Any, there: Any) -> bool:
        if here != there:
            self._say(what, here, there)
        return bool(here == there)

    def _say(self, what: str, here: Any, there: Any) -> None:
        self.wrong.append(f"read plainly it is otherwise: {what}: {here}, the engine {there}")

    # --- the engine's things as the reader has them

    def _index(self, where: int) -> tuple[Any, ...]:
        cell = self.game.cells[where]
        first, *others = [*cell.indices, None]
        return (Seat(first), *others)[:-1] if cell.variable.is_per_seat else tuple(cell.indices)

    def value(self, held: Any, seat: bool = False) -> Any:
        """A value of the engine's."""
        if isinstance(held, EngineHand):
            return Hand.of((face, self.die[kind]) for face, kind in held)
        return Seat(held) if seat else held

    def cells(self, held: tuple[Any, ...]) -> tuple[Any, ...]:
        """What lies on the table."""
        kinds = (cell.variable.kind == "seat" for cell in self.game.cells)
        found = {key: self.value(one, seat) for key, one, seat in zip(self.keys, held, kinds, strict=True)}
        return tuple((key, found[key]) for key in self.reader.opening)

    def position(self, state: State) -> Position:
        """A position of the engine's."""
        out = frozenset(seat for seat in self.reader.setting.table if state.seats_out_bits >> seat.number & 1)
        return Position(state.phase, Seat(state.mover), out, self.cells(state.cells))

    def step(self, taken: EngineStep) -> Step:
        """Where the engine's play went."""
        shown = [
            (None if who is None else frozenset(map(Seat, who)), self.value(told))
            for who, told in taken.revealed_values
        ]
        return Step(self.position(taken.state), taken.events, taken.turn_over, tuple(shown))

    def fall(self, thrown: ChanceResult) -> Fall:
        """What the engine threw: a total is a number. Kept things lie on the table."""
        kept = self.game.ruleset.state
        values = ((name, self.value(held)) for name, held in thrown.values if name not in kept)
        names = tuple((name, number(held) if name in self.totals else held) for name, held in values)
        return Fall(names, self.cells(thrown.cells))

    def names(self, binding: Any, entry: int, state: State) -> Names:
        """The names of an option's loops."""
        loops = dict(self.game.ruleset.phases[state.phase].entries[entry].loops)
        seats = {
            name for name, items in loops.items() if items.type.item is not None and items.type.item.kind == "seat"
        }
        return tuple((name, self.value(held, name in seats)) for name, held in binding)


def _summed(falls: Iterable[tuple[Fraction, Any]]) -> dict[Any, Fraction]:
    """The chance of each thing."""
    found: defaultdict[Any, Fraction] = defaultdict(Fraction)
    for chance, thing in falls:
        found[thing] += chance
    return dict(found)


def _in_any_order(fall: Fall) -> Any:
    """What fell, whichever of the draws gave which item."""
    drawn = sorted(repr(held) for _, held in fall.names if not isinstance(held, Hand))
    return tuple(drawn), tuple((name, held) for name, held in fall.names if isinstance(held, Hand)), fall.cells


def _mixed(option: tuple[int, Names]) -> bool:
    """Whether an option names a hand of unlike dice: the page does not say in which order those come."""
    return any(isinstance(held, Hand) and len(set(held.names)) > 1 for _, held in option[1])


def differences(data: Data, game: Game, most: int = 60) -> list[str]:
    """What the engine's rules for one state say otherwise than the plain reader."""
    return Agreement(data, game, most).differences()
