"""The games of a ruleset: one setting each, and which of them a site solves and shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from oddsmith.base.errors import SettingError
from oddsmith.base.exact import plain_text
from oddsmith.ruleset.model.state import Parameter, Variant

Item = TypeVar("Item")

SETTING_NAMES = ("seats", "objective", "variant")
"""What a setting chooses besides parameters, by name."""


@dataclass(frozen=True)
class Setting:
    """One game of a ruleset: its seats and objective, variants that are applied in order, and then changed parameters.

    What is left out is as the ruleset has it: ``seats`` 0 is its usual number, an empty ``objective`` its first payoff.
    """

    seats: int = 0
    objective: str = ""
    variants: tuple[str, ...] = ()
    values: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def options(self) -> str:
        """The setting as options of the command line, with a space before each."""
        found = f" --seats {self.seats}" if self.seats else ""
        found += f" --objective {self.objective}" if self.objective else ""
        found += "".join(f" --variant '{each}'" for each in self.variants)
        return found + "".join(f" --set {name}={plain_text(value)}" for name, value in self.values.items())

    def changed(self, changes: Mapping[str, Any]) -> Setting:
        """Return the setting with changes by name: ``seats``, ``objective``, ``variant``, and parameters by their names.

        An empty variant is the game without variants.
        """
        own: dict[str, Any] = {name: changes[name] for name in ("seats", "objective") if name in changes}
        if "variant" in changes:
            own["variants"] = (changes["variant"],) if changes["variant"] else ()
        values = {name: value for name, value in changes.items() if name not in SETTING_NAMES}
        return replace(self, **own, values={**self.values, **values})

    def single_variant(self, task: str) -> str:
        """Return the only variant, empty if there is none. Raises SettingError if ``task``, the work, has several."""
        if len(self.variants) > 1:
            raise SettingError(f"{task} is about one variant at a time: set the parameters of the other with --set")
        return "".join(self.variants)

    @property
    def parts(self) -> list[Any]:
        """The setting as plain data, for hashes."""
        return [self.seats, self.objective, "+".join(self.variants), list(self.values.items())]

    def changes(self, parameters: Mapping[str, Parameter]) -> list[str]:
        """Return in words the variants and the changed parameters. ``parameters``: those of the ruleset."""
        words = [each.replace("-", " ") for each in self.variants]
        return words + [parameters[name].setting_in_words(value) for name, value in self.values.items()]


@dataclass(frozen=True)
class EstimatedGame:
    """A game that pages show with estimated numbers, because it is too large to be solved.

    ``policy``: the policy of all seats; if empty, the ruleset's ``regular`` policy. ``compared``: further policies, which the
    first seat plays against the others' ``policy``. ``games``: the number of games that are simulated for each.
    """

    setting: Setting
    policy: str = ""
    compared: tuple[str, ...] = ()
    games: int = 100_000


def _union(these: tuple[Item, ...], those: tuple[Item, ...]) -> tuple[Item, ...]:
    return tuple(dict.fromkeys(these + those))


@dataclass(frozen=True)
class Edition:
    """The games of a ruleset that a site solves and shows. ``home``: the game that its page opens with.

    The objective of ``home`` is shown for all numbers of seats, each other one for the first of them. Variants and single
    parameters are shown for ``home``. ``also``: games that are listed one by one. ``full``: more games, for a build that may
    take longer. ``estimated``: games whose numbers are estimated by simulation. ``opens_estimated``: whether the page opens
    with the first of these.
    """

    home: Setting
    seats: tuple[int, ...]
    objectives: tuple[str, ...]
    variants: tuple[str, ...]
    parameters: tuple[tuple[str, Any], ...]
    also: tuple[Setting, ...]
    full: Edition | None = None
    estimated: tuple[EstimatedGame, ...] = ()
    opens_estimated: bool = False

    @property
    def opening(self) -> Setting:
        """The game that the page opens with, be it solved or estimated."""
        return self.estimated[0].setting if self.opens_estimated else self.home

    @property
    def with_full(self) -> Edition:
        """The edition with the games of ``full`` added."""
        more = self.full
        if more is None:
            return self
        return replace(
            self,
            seats=tuple(sorted({*self.seats, *more.seats})),
            objectives=_union(self.objectives, more.objectives),
            variants=_union(self.variants, more.variants),
            parameters=_union(self.parameters, more.parameters),
            also=_union(self.also, more.also),
            full=None,
        )

    def settings(self, variants: Mapping[str, Variant]) -> tuple[list[Setting], list[Setting], list[Setting]]:
        """Return the games in three lists: by number of seats; by further objectives; variants, parameters and others."""
        home = self.home
        others = [objective for objective in self.objectives if objective != home.objective]
        plain = [replace(home, seats=number) for number in self.seats]
        further = [replace(home, seats=self.seats[0], objective=objective) for objective in others]
        changed = [
            replace(home, seats=int(variants[name].set.get("seats", home.seats)), variants=(name,))
            for name in self.variants
        ]
        changed += [replace(home, values={**home.values, name: value}) for name, value in self.parameters]
        changed += [each for each in self.also if each not in (*plain, *further)]
        return plain, further, list(dict.fromkeys(changed))
