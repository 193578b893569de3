"""Do the rules give the table of a certificate? Each state is put before the one-state rules, and its rows derived again.

The engine that explored the game takes no part: neither its columns nor its codes of states. What the table calls one
state stands for many positions, and the header says which in ``canonical``. Nothing of that is believed: ``derive`` puts
the state before the rules in a form that is all those positions at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from random import Random
from typing import Any

from oddsmith.certify.format import action_of, canonical_of, position_of, setting, start_of, state_of
from oddsmith.certify.policies import Prescription
from oddsmith.certify.values import DAMAGED, Proof, Refused, Source, check, records, shown, words
from oddsmith.derive import Chances, Deriver, Futures, Missing, Seen, bag
from oddsmith.errors import CertificateError, InputError
from oddsmith.exact import fraction_text
from oddsmith.progress import Progress, silent
from oddsmith.ruleset import Game, Rules, State, bind, sha256
from oddsmith.ruleset.model import Ruleset

EVERY = 200_000  # positions up to which all are derived
SAMPLE = 20_000  # states of a larger table
SEED = 20_000


@dataclass(frozen=True)
class Derivation:
    """What was derived again: ``checked`` of all ``states``, at ``positions`` positions (orders of members that are alike).

    ``whole``: every position that the states stand for; else states and orders taken at random.
    """

    states: int
    checked: int
    positions: int
    whole: bool


def prove(data: Source) -> Proof:
    """What the table of a certificate proves. Raises CertificateError."""
    try:
        return check(data)
    except Refused as refused:
        raise CertificateError(f"the certificate is refused: {refused}") from None


def derive(data: Source, ruleset: Ruleset, sample: int | None = None, report: Progress | None = None) -> Derivation:
    """Derive the rows of every state, or of a random ``sample`` (by default of large tables only).

    Raises CertificateError where the ruleset is another one or where a row differs.
    """
    try:
        head = next(records(data))
        return _Derived(head, _bound(head, ruleset)).check(data, sample, report or silent)
    except Refused as refused:
        raise CertificateError(f"the certificate is refused: {refused}") from None
    except InputError as error:
        raise CertificateError(f"the certificate is refused, because in the game that it names {error}") from None
    except Seen as seen:
        raise CertificateError(f"the certificate is refused: {seen}") from None
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
        raise Refused("its settings are not all settings of the game")
    if head["cells"] != [cell.name for cell in game.cells]:
        raise Refused("its cells are not those of the game")
    return game


# --- deriving


class _Derived:
    """The one-state rules, asked for what the table says."""

    def __init__(self, head: dict[str, Any], game: Game) -> None:
        self.head, self.game, self.rules = head, game, Rules(game)
        self.numbers: dict[State, int] = {}
        self.canonical = canonical_of(game, head["canonical"])
        self.deriver = Deriver(game, head["objective"], self.canonical, self.numbers.get)
        policies = head["policies"].items()
        self.named = {int(seat) - 1: Prescription(game, name) for seat, name in policies}
        self.payoffs = [tuple(Fraction(units, head["scale"]) for units in kind) for kind in head["payoffs"]]

    def check(self, data: Source, sample: int | None, report: Progress) -> Derivation:
        """Stage by stage, number the states, then compare row by row."""
        count, positions = self.head["states"], self._positions(data)
        whole = positions <= EVERY if sample is None else sample >= count
        size, random = count if whole else min(count, sample or SAMPLE), Random(SEED)  # noqa: S311 - a sample, not a secret
        wanted = set(random.sample(range(count), size))
        ahead, lines, start, derived = records(data), records(data), 0, 0
        next(ahead), next(lines)
        stages = self.head.get("stages", [[count, 0]])
        for place, (states, _) in enumerate(stages, 1):
            self._number(start, islice(ahead, states))
            first = self.numbers.get(self.canonical.state(self.rules.start()))
            wrong = first != count - states or self.head["start"] != start_of(self.canonical, self.rules)
            if place == len(stages) and wrong:
                raise Refused("its first state is not where the game starts, or not as it starts")
            for number, record in zip(range(start, start + states), lines, strict=False):
                if number in wanted:
                    derived += self._locate(number, record, None if whole else random)
                if number % 1_000 == 0:
                    report("deriving", number, count)
            start += states
            least = min((least for _, least in stages[place:]), default=0)
            for state in [each for each, number in self.numbers.items() if number < least]:
                del self.numbers[state]
        return Derivation(count, size, derived, whole)

    def _positions(self, data: Source) -> int:
        """How many orders of alike members all states stand for; more than EVERY are not counted on."""
        lines, positions = records(data), 0
        next(lines)
        for record in lines:
            with suppress(*DAMAGED):
                positions += self.canonical.ways(state_of(record, self.game))
            if positions > EVERY:
                break
        return positions

    def _number(self, start: int, states: Iterable[dict[str, Any]]) -> None:
        """Number the states of a stage, from ``start`` on."""
        for number, record in enumerate(states, start):
            if self._add(number, record) is None:
                where = words(self.head, number, record)
                raise Refused(f"{where}: it is no position of the game, or one that was listed already")

    def _add(self, number: int, record: dict[str, Any]) -> State | None:
        """The state of a record; None where it is not as the table should have it, or was there before."""
        try:
            state = state_of(record, self.game)
            fits = state.phase in self.rules.entries and len(state.cells) == len(self.game.cells)
            new = fits and state == self.canonical.state(state) and self.numbers.setdefault(state, number) == number
        except DAMAGED:
            return None
        return state if new else None

    def _locate(self, number: int, record: dict[str, Any], random: Random | None) -> int:
        """Compare a state in all its orders, or in its own and one at ``random``; an error names it. How many orders."""
        try:
            state = state_of(record, self.game)
            others = self._others(state, random)
            self._compare(number, record, state, itself=True)
            return 1 + sum(self._compare(number, record, other, itself=False) for other in others)
        except Missing as missing:
            wrong = f"{missing}: {self._shown(missing.state)}"
        except (InputError, Refused, Seen) as other:
            wrong = str(other)
        raise Refused(f"{words(self.head, number, record)}: {wrong}")

    def _others(self, state: State, random: Random | None) -> Iterator[State]:
        """The other orders of a state, or one of them at most."""
        found = self.canonical.arrangements(state) if random is None else [self.canonical.arranged(state, random)]
        return (other for other in found if other != state)

    def _compare(self, number: int, record: dict[str, Any], state: State, itself: bool) -> bool:
        """``itself``: not in another order, so actions stand in the same order and under the same names."""
        derived = self.deriver.futures(state, number % self.game.seats)
        stated = [self._stated(row) for _, row in record["rows"]]
        if len(derived.rows) != len(stated):
            raise Refused(f"it has {len(stated)} rows, and the rules give {len(derived.rows)}")
        if itself:
            self._compare_actions(record, derived)
            for place, (given_by_rules, theirs) in enumerate(zip(derived.rows, stated, strict=True), 1):
                self._compare_rows(place, given_by_rules, theirs)
        elif bag(derived.rows) != bag(stated):
            raise Refused(f"the rules do not give its rows in a position that it stands for: {self._shown(state)}")
        for seat, policy in self.named.items() if len(stated) > 1 else ():
            pick, play = policy.pick(derived.position, derived.actions), record["play"][seat % self.head["copies"]]
            if pick != play and (itself or derived.rows[pick] != stated[play]):
                raise Refused(f"{policy.name} prescribes another action")
        return True

    def _compare_actions(self, record: dict[str, Any], derived: Futures) -> None:
        rows = [action for action, _ in record["rows"]]
        legal = [action_of(record["phase"], action) for action in derived.named]
        if [self.head["actions"][action] for action in rows if action >= 0] != legal or (not legal and rows != [-1]):
            raise Refused("its actions are not those that the rules allow")

    def _compare_rows(self, number: int, derived: Chances, stated: Chances) -> None:
        if derived == stated:
            return
        target, by, paid = min(landing for landing, _ in derived.items() ^ stated.items())
        where = f"to state {target}, {by} seats on," if target >= 0 else "to the end"
        money = " ".join(fraction_text(Fraction(units)) for units in paid)
        chances = [fraction_text(each.get((target, by, paid), Fraction(0))) for each in (stated, derived)]
        raise Refused(f"row {number} leads {where} paying {money} with chance {chances[0]}, by the rules {chances[1]}")

    def _shown(self, state: State) -> str:
        return shown(self.head, position_of(state, self.game.seats))

    def _stated(self, row: list[list[int]]) -> Chances:
        total, chances = sum(weight for *_, weight in row), Chances()
        for target, by, payoff, weight in row:
            landing = (target, by, self.payoffs[payoff])
            chances[landing] = chances.get(landing, Fraction(0)) + Fraction(weight, total)
        return chances
