"""The games of a ruleset: one setting each, and which of them a site solves and shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from oddsmith.base.exact import plain_text
from oddsmith.ruleset.model.state import Parameter, Variant

Item = TypeVar("Item")


@dataclass(frozen=True)
class Setting:
    """One game of a ruleset: its seats and objective, a variant or none, and the parameters that are changed."""

    seats: int
    objective: str
    variant: str = ""
    values: tuple[tuple[str, Any], ...] = ()

    @property
    def options(self) -> str:
        """The setting as options of the command line, with a space before each."""
        found = f" --seats {self.seats} --objective {self.objective}"
        found += f" --variant '{self.variant}'" if self.variant else ""
        return found + "".join(f" --set {name}={plain_text(value)}" for name, value in self.values)

    def changes(self, parameters: Mapping[str, Parameter]) -> list[str]:
        """Return in words the variant and the changed parameters. ``parameters``: those of the ruleset."""
        words = [self.variant.replace("-", " ")] if self.variant else []
        return words + [parameters[name].setting_in_words(value) for name, value in self.values]


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
            replace(home, seats=int(variants[name].set.get("seats", home.seats)), variant=name)
            for name in self.variants
        ]
        changed += [
            replace(home, values=tuple({**dict(home.values), name: value}.items())) for name, value in self.parameters
        ]
        changed += [each for each in self.also if each not in (*plain, *further)]
        return plain, further, list(dict.fromkeys(changed))
