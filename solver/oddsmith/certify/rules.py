"""Do the rules give the table of a certificate? Each state is put before the one-state rules, and its rows derived again.

The engine that explored the game takes no part: neither its columns nor its codes of states. What the table calls one
state stands for many positions: seats are counted from the mover, and what only counts as payoff is left out. The header
says so in ``canonical``. That this changes nothing is tried on the positions of random plays, as they come.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from random import Random
from typing import Any

from oddsmith.certify.canonical import Canonical
from oddsmith.certify.format import action_of, position_of, setting, state_of
from oddsmith.certify.policies import Prescription
from oddsmith.certify.values import DAMAGED, Proof, Refused, check, records, shown, words
from oddsmith.errors import OddsmithError
from oddsmith.exact import fraction_text
from oddsmith.ruleset.bundle import sha256
from oddsmith.ruleset.game import Game, bind
from oddsmith.ruleset.model import Ruleset
from oddsmith.ruleset.rules import Action, Rules, State, Step

EVERY = 200_000  # states up to which all are derived
SAMPLE = 20_000  # of a larger table
POSITIONS = 1_000  # of random plays
SEED = 20_000

Report = Callable[[str, int, int], None]
"""Progress: what is being done, how much is done, how much there is."""

Landing = tuple[int, int, tuple[int | Fraction, ...]]
"""The number of the state (-1 at the end), places the turn moves on, what each seat gets, counted from the mover."""
Weights = dict[Landing, int]


@dataclass(frozen=True)
class Derivation:
    """What was derived again: ``checked`` of all ``states``, and positions of random plays."""

    states: int
    checked: int
    positions: int


class CertificateError(OddsmithError):
    """A certificate is refused, and why."""


def prove(data: bytes) -> Proof:
    """What the table of a certificate proves. Raises CertificateError."""
    try:
        return check(data)
    except Refused as refused:
        raise CertificateError(f"the certificate is refused: {refused}") from None


def derive(data: bytes, ruleset: Ruleset, sample: int | None = None, report: Report | None = None) -> Derivation:
    """Derive the rows of every state, or of a random ``sample`` (by default of large tables only).

    Raises CertificateError where the ruleset is another one or where a row differs.
    """
    try:
        head = next(records(data))
        return _Derived(head, _bound(head, ruleset)).check(data, sample, report or (lambda what, done, total: None))
    except Refused as refused:
        raise CertificateError(f"the certificate is refused: {refused}") from None
    except OddsmithError as error:
        raise CertificateError(f"the certificate is refused, for in the game that it names {error}") from None
    except (*DAMAGED, StopIteration) as wrong:
        raise CertificateError(f"the certificate is refused: its header is not as the format says: {wrong}") from None


def _bound(head: dict[str, Any], ruleset: Ruleset) -> Game:
    """The game that the header names."""
    given = head["ruleset"]
    if given["sha256"] != sha256(ruleset):
        raise Refused(
            f"it is for other rules: the hash of {ruleset.id} is {sha256(ruleset)[:12]}..., not {given['sha256'][:12]}..."
        )
    game = bind(ruleset, given["seats"], given["parameters"], given["variants"])
    objective = ruleset.payoffs.get(head["objective"])
    if objective is None or objective.goal != head["goal"]:
        raise Refused(f"{ruleset.id} has no objective {head['objective']} to {head['goal']}")
    if given != setting(game):
        raise Refused("its settings are not all of those of the game")
    if head["cells"] != [cell.name for cell in game.cells]:
        raise Refused("its cells are not those of the game")
    return game


# --- deriving


class _Derived:
    """The one-state rules, asked for what the table says."""

    def __init__(self, head: dict[str, Any], game: Game) -> None:
        self.head, self.game, self.rules = head, game, Rules(game)
        self.numbers: dict[State, int] = {}
        self.canonical = Canonical(game, head["canonical"])
        policies = head["policies"].items()
        self.named = {int(seat) - 1: Prescription(game, name, self.canonical) for seat, name in policies}
        self.scale = lcm(head["scale"], self.canonical.scale)
        self.payoffs = [tuple(units * (self.scale // head["scale"]) for units in kind) for kind in head["payoffs"]]

    def check(self, data: bytes, sample: int | None, report: Report) -> Derivation:
        """Number the states, try random plays, then compare row by row."""
        self._number(data)
        count = len(self.numbers)
        size = sample if sample is not None else SAMPLE if count > EVERY else count
        random = Random(SEED)  # noqa: S311 - a sample, not a secret
        wanted = set(range(count)) if size >= count else set(random.sample(range(count), size))
        met = self._play(random)
        lines = records(data)
        next(lines)
        for number, record in enumerate(lines):
            if number in wanted or number in met:
                self._locate(number, record, met.get(number, []))
            if number % 1_000 == 0:
                report("deriving", number, count)
        return Derivation(count, len(wanted | set(met)), sum(map(len, met.values())))

    def _number(self, data: bytes) -> None:
        lines = records(data)
        next(lines)
        for number, record in enumerate(lines):
            if not self._add(number, record):
                where = words(self.head, number, record)
                raise Refused(f"{where}: it is no position of the game, or one that was listed already")
        if (
            self.numbers.get(self.canonical.state(self.rules.start())) != 0
            or self.head["start"] != self.canonical.start()
        ):
            raise Refused("its first state is not where the game starts, or not as it starts")

    def _add(self, number: int, record: dict[str, Any]) -> bool:
        """Whether a record is a state as the table should have them, and a new one."""
        try:
            state = state_of(record)
            fits = state.phase in self.rules.entries and len(state.cells) == len(self.game.cells)
            return fits and state == self.canonical.state(state) and self.numbers.setdefault(state, number) == number
        except DAMAGED:
            return False

    def _play(self, random: Random) -> dict[int, list[State]]:
        """Positions of random plays by the number of the state that stands for them."""
        met: defaultdict[int, list[State]] = defaultdict(list)
        position = self.rules.start()
        for _ in range(POSITIONS):
            state = self.canonical.state(position)
            if state not in self.numbers:
                raise Refused(f"play can come to a position that it does not hold: {self._shown(state)}")
            met[self.numbers[state]].append(position)
            steps = random.choice(self.steps(position))
            step = random.choices([step for _, step in steps], [weight for weight, _ in steps])[0]
            position = step.state if step.state.phase else self.rules.start()
        return dict(met)

    def _locate(self, number: int, record: dict[str, Any], met: list[State]) -> None:
        """Compare a state, and the positions met that it stands for; an error names the state."""
        try:
            self._compare(record, state_of(record), itself=True)
            for position in met:
                self._compare(record, position, itself=False)
        except (OddsmithError, Refused, *DAMAGED) as wrong:
            raise Refused(f"{words(self.head, number, record)}: {wrong}") from None

    def _compare(self, record: dict[str, Any], position: State, itself: bool) -> None:
        """``itself``: the position is the state, so actions stand in the same order and under the same names."""
        derived = [self._row(position, steps) for steps in self.steps(position)]
        stated = [self._stated(row) for _, row in record["rows"]]
        if len(derived) != len(stated):
            raise Refused(f"it has {len(stated)} rows, and the rules give {len(derived)}")
        actions = self.rules.actions(position) if self.rules.phase(position).kind == "choose" else []
        if itself:
            self._compare_actions(record, position, actions)
            for number, (mine, theirs) in enumerate(zip(derived, stated, strict=True), 1):
                self._compare_rows(number, mine, theirs)
        elif Counter(map(_chances, derived)) != Counter(map(_chances, stated)):
            raise Refused(f"the rules do not give its rows in a position that it stands for: {self._shown(position)}")
        for seat, policy in self.named.items() if len(actions) > 1 else ():
            pick, play = policy.pick(position, actions), record["play"][seat % self.head["copies"]]
            if pick != play and (itself or _chances(derived[pick]) != _chances(stated[play])):
                raise Refused(f"{policy.name} prescribes another action")

    def _compare_actions(self, record: dict[str, Any], position: State, actions: Sequence[Action]) -> None:
        rows = [action for action, _ in record["rows"]]
        legal = [action_of(position.phase, action) for action in actions]
        if [self.head["actions"][action] for action in rows if action >= 0] != legal or (not legal and rows != [-1]):
            raise Refused("its actions are not those that the rules allow")

    def _compare_rows(self, number: int, derived: Weights, stated: Weights) -> None:
        one, other = _chances(derived), _chances(stated)
        if one == other:
            return
        target, by, paid = min(landing for landing, _ in one ^ other)
        where = f"to state {target}, {by} seats on," if target >= 0 else "to the end"
        money = " ".join(fraction_text(Fraction(units, self.scale)) for units in paid)
        found = [fraction_text(dict(each).get((target, by, paid), Fraction(0))) for each in (other, one)]
        raise Refused(f"row {number} leads {where} paying {money} with chance {found[0]}, by the rules {found[1]}")

    def _shown(self, position: State) -> str:
        return shown(self.head, position_of(position, self.game.seats))

    # --- rows

    def steps(self, position: State) -> list[list[tuple[int, Step]]]:
        """Per row all that can happen, with weights. A roll that follows a choice in the same turn is part of it."""
        if self.rules.phase(position).kind == "roll":
            return [self._rolled(position)]
        found = []
        for action in self.rules.actions(position):
            step = self.rules.choose(position, action)
            rolls = step.state.phase and not step.turn_over and self.rules.phase(step.state).kind == "roll"
            found.append(self._rolled(step.state) if rolls else [(1, step)])
        return found

    def _rolled(self, position: State) -> list[tuple[int, Step]]:
        return [(weight, self.rules.resolve(position, thrown)) for weight, thrown in self.rules.outcomes(position)[0]]

    def _row(self, position: State, steps: list[tuple[int, Step]]) -> Weights:
        weights: defaultdict[State, int] = defaultdict(int)
        for weight, step in steps:
            weights[step.state] += weight
        found: defaultdict[Landing, int] = defaultdict(int)
        for after, weight in weights.items():
            found[self._landing(position, after)] += weight
        return found

    def _landing(self, position: State, after: State) -> Landing:
        seats, start = self.game.seats, position.mover
        paid = self._held(after) if after.phase else self._paid(after)
        gains = [now - before for now, before in zip(paid, self._held(position), strict=True)]
        turned = (*gains[start:], *gains[:start])
        if not after.phase:
            return -1, 0, turned
        target = self.numbers.get(self.canonical.state(after))
        if target is None:
            raise Refused(f"the rules lead to a position that the table does not hold: {self._shown(after)}")
        return target, (after.mover - start) % seats, turned

    def _held(self, position: State) -> Sequence[int | Fraction]:
        return [units * (self.scale // self.canonical.scale) for units in self.canonical.held(position)]

    def _paid(self, after: State) -> Sequence[int | Fraction]:
        return [value * self.scale for value in self.rules.payoffs(after, self.head["objective"])]

    def _stated(self, row: Sequence[Sequence[int]]) -> Weights:
        found: defaultdict[Landing, int] = defaultdict(int)
        for target, by, payoff, weight in row:
            found[target, by, self.payoffs[payoff]] += weight
        return found


def _chances(row: Weights) -> frozenset[tuple[Landing, Fraction]]:
    """A row as chances: rows whose weights have other sums are the same."""
    total = sum(row.values())
    return frozenset((landing, Fraction(weight, total)) for landing, weight in row.items())
