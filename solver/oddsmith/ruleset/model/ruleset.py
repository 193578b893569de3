"""A ruleset as frozen dataclasses: every expression is parsed and typed, and every name is resolved.

The ruleset includes its tables to roll on, which play does not use.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from oddsmith.base.errors import SettingError, did_you_mean
from oddsmith.base.exact import plural, short_repr
from oddsmith.base.location import Location, Source, Text
from oddsmith.expr import FALSE, Expr, Type
from oddsmith.ruleset.model.editions import Edition, Setting
from oddsmith.ruleset.model.effects import Drop, Effect, Reveal, effects_in_preorder
from oddsmith.ruleset.model.phases import DiceTerm, Draw, Phase
from oddsmith.ruleset.model.questions import Claim, Measure, Payoff, Policy
from oddsmith.ruleset.model.state import Cheat, DieRule, Parameter, PlayBoard, Requirement, Variable, Variant
from oddsmith.ruleset.model.wording import AdviceLine, Sentence, Wording


@dataclass(frozen=True, slots=True)
class TableDice:
    """The roll of a table. ``terms``: the dice. ``added_number``: a number that is added to their sum, or None."""

    terms: tuple[DiceTerm, ...]
    location: Location
    added_number: Expr | None = None


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row of a table.

    ``result_range``: the first and the last result of the dice that give the row. It is None if the table has weights,
    or if the rows are for the results of the dice in ascending order, one for each. ``weight``: the weight in a table
    of weights.
    """

    text: str
    location: Location
    result_range: tuple[int, int] | None = None
    weight: int = 1


@dataclass(frozen=True, slots=True)
class RollTableRule:
    """A table to roll on: rows for the results of dice, rows with weights, or the outcomes of a phase.

    ``dice``: the dice; None for a table of weights. ``phase``: the phase whose outcomes are the rows, if ``rows`` is
    empty.
    """

    name: str
    location: Location
    rows: tuple[TableRow, ...] = ()
    dice: TableDice | None = None
    phase: str = ""


SHOWN_ONLY = (
    "title", "summary", "source", "told", "remember", "regular", "prose", "tables", "boards", "claims", "publish",
)  # fmt: skip
"""Keys of a file that do not change how the game is played."""
MAX_DRAWN_AT_ONCE = 8  # from a bag that two players shuffle, so that a message of `site/link` holds it
_NTH = ("first", "second", "third", "fourth", "fifth", "sixth")


def names_of_dice_rolled(state: Mapping[str, Variable], phases: Mapping[str, Phase]) -> list[str]:
    """Return the names of the dice of all hand variables, and then of all rolls. A name may occur more than once."""
    terms = [term for variable in state.values() for term in variable.dice]
    terms += [term for phase in phases.values() for throw in phase.rolls_and_draws for term in throw.dice]
    return [term.die for term in terms]


@dataclass(frozen=True)
class Ruleset:
    """A loaded, checked ruleset.

    ``data``: the file as plain data, for keys that do not affect play. ``seats``: the least, the greatest, and the
    usual number of seats. ``first_phase_of_turn``: the name of the first phase of a turn. ``words_when_out``: the words
    for every seat that goes out. ``words_at_end``: the words at the end of the game. ``sides``: the names of the roles
    of seats, if seats differ; each is also the name of a variable. ``regular_policy``: the named policy of an ordinary
    player, or empty. ``covered_part``: a text that says which part of the game the answers cover, or None if they cover
    the whole game.
    """

    source: Source
    data: Mapping[str, Any]
    id: str
    title: str
    summary: str
    seats: tuple[int, int, int]
    parameters: Mapping[str, Parameter]
    variants: Mapping[str, Variant]
    constants: Mapping[str, int]
    maps: Mapping[str, Mapping[Any, Any]]
    lists: Mapping[str, tuple[Any, ...] | Expr]
    dice: Mapping[str, DieRule]
    state: Mapping[str, Variable]
    payoffs: Mapping[str, Payoff]
    first_phase_of_turn: str
    phases: Mapping[str, Phase]
    out_when: Expr
    end_when: Expr
    at_end: tuple[Effect, ...]
    measures: Mapping[str, Measure]
    claims: tuple[Claim, ...]
    policies: Mapping[str, Policy]
    edition: Edition
    symbols: Mapping[str, Any]
    defines: Mapping[str, Text]
    list_types: Mapping[str, Type]
    requirements: tuple[Requirement, ...] = ()
    rules_as_told: Wording | None = None
    advice_lines: tuple[AdviceLine, ...] = ()
    words_when_out: Sentence | None = None
    words_at_end: Sentence | None = None
    sides: tuple[str, ...] = ()
    regular_policy: str = ""
    tables: tuple[RollTableRule, ...] = ()
    covered_part: Wording | None = None
    boards: tuple[PlayBoard, ...] = ()
    cheats: Mapping[str, Cheat] = field(default_factory=dict)

    @property
    def has_payoffs(self) -> bool:
        """Whether the ruleset has payoffs. Without payoffs, a game has only a length and answers to questions."""
        return "payoffs" in self.data

    def differences_in_words(self, setting: Setting) -> list[str]:
        """Return in words how a setting differs from the rules as written, one text for each difference.

        If it does not differ, return the default values of the parameters in ``parameters_changed_at_opening``. If
        there are none, return the single text ``as written``.
        """
        usual = [self.parameters[name] for name in self.parameters_changed_at_opening]
        return (
            setting.changes_in_words(self.parameters)
            or [each.setting_in_words(each.default) for each in usual]
            or ["as written"]
        )

    @property
    def parameters_changed_at_opening(self) -> list[str]:
        """The names of the parameters that are changed in the game with which the page opens."""
        opening = self.edition.opening_setting
        names = [*(name for each in opening.variants for name in self.variants[each].values), *opening.values]
        return [name for name in names if name in self.parameters]

    def seat_name(self, seat: int) -> str:
        """Return the name of a seat (from 0) for lists: its side, or the word ``seat`` with its number from 1."""
        return self.sides[seat].replace("_", " ") if self.sides else f"seat {seat + 1}"

    def seat_number(self, seat: int | str) -> int:
        """Return the number of a seat, from 1. Raises SettingError for an unknown side.

        ``seat``: this number, or the name of the side.
        """
        if isinstance(seat, int):
            return seat
        if seat not in self.sides:
            raise SettingError(f"there is no side {seat}: {did_you_mean(seat, self.sides, 'sides')}")
        return self.sides.index(seat) + 1

    def refuse_disallowed_seat_count(self, seat_count: Any) -> None:
        """Raise SettingError if the game does not allow the number of seats ``seat_count``."""
        low, high, _ = self.seats
        if isinstance(seat_count, bool) or not isinstance(seat_count, int) or not low <= seat_count <= high:
            players = plural(low, "player") if low == high else f"{low} to {high} players"
            raise SettingError(f"{self.id} is for {players}, not {seat_count}")

    def player_name(self, seat: int) -> str:
        """Return the name of the player in a seat (from 0) for sentences in play: ``the witch``, or ``player 2``."""
        return f"the {self.seat_name(seat)}" if self.sides else f"player {seat + 1}"

    def nth_player(self, seat: int) -> str:
        """Return the name of a seat (from 0) for sentences about a game: ``the witch``, or ``the second player``."""
        return f"the {self.seat_name(seat)}" if self.sides else f"the {_NTH[seat]} player"

    @cached_property
    def has_end(self) -> bool:
        """Whether anything in the rules could end the game."""
        ends = any(entry.then.kind == "end" for phase in self.phases.values() for entry in phase.entries)
        tests = any(test != FALSE for test in (self.end_when, self.out_when))
        return ends or tests or any(isinstance(effect, Drop) for effect in self.effects)

    @cached_property
    def has_secrets(self) -> bool:
        """Whether a phase has simultaneous choices, or says which seats see it."""
        phases = self.phases.values()
        return any(phase.kind == "together" or phase.seen_by is not None for phase in phases)

    @cached_property
    def hides_moves(self) -> bool:
        """Whether a roll, draw or choice stays hidden from some players. Simultaneous choices are always revealed."""
        return any(phase.seen_by is not None for phase in self.phases.values())

    @cached_property
    def needs_no_dealer(self) -> bool:
        """Whether players can keep all secrets without a dealer.

        They need a dealer if an effect reveals a value to only some seats, or if two players cannot shuffle the bags
        from which somebody draws in secret (see ``can_shuffle_bags``).
        """
        whispers = any(isinstance(effect, Reveal) and effect.seats is not None for effect in self.effects)
        return not whispers and self.can_shuffle_bags

    @cached_property
    def can_shuffle_bags(self) -> bool:
        """Whether two players can shuffle the bags from which somebody draws in secret, and neither knows the order.

        The game must be for two seats. Only draws may change these bags, and each phase that draws from one of them
        must not roll, or draw from another bag. It holds if there are no such bags.
        """
        drawn = {
            name: {throw.bag if isinstance(throw, Draw) else None for throw in phase.rolls_and_draws}
            for name, phase in self.phases.items()
        }
        bags = {bag for name, found in drawn.items() if self.phases[name].seen_by for bag in found if bag}
        changed = {variable.name for effect in self.effects for variable in effect.variables_written}
        apart = all(
            len(found) == 1 and len(self.phases[name].rolls_and_draws) <= MAX_DRAWN_AT_ONCE
            for name, found in drawn.items()
            if found & bags
        )
        return not bags or (self.seats[:2] == (2, 2) and apart and not bags & changed)

    @cached_property
    def effects(self) -> tuple[Effect, ...]:
        """All effects of the rules, in preorder."""
        return (*self.effects_before_end, *effects_in_preorder(self.at_end))

    @cached_property
    def effects_before_end(self) -> tuple[Effect, ...]:
        """All effects of entries, in preorder: all effects of the rules except those of ``at_end``."""
        entries = (entry.do for phase in self.phases.values() for entry in phase.entries)
        return tuple(effect for effects in entries for effect in effects_in_preorder(effects))

    def __repr__(self) -> str:
        return short_repr(self, f"{self.id}: {self.title}")

    def __hash__(self) -> int:  # the maps in it have none
        return hash((self.id, self.title, self.seats, tuple(self.phases)))
