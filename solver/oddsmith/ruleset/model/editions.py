"""The games of a ruleset: one setting each, and which of them a site solves and shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from oddsmith.base.exact import plain_text
from oddsmith.ruleset.model.state import Variant

Item = TypeVar("Item")


@dataclass(frozen=True)
class Setting:
    """One game of a ruleset: seats, what is played for, at most one variant, and parameters changed."""

    seats: int
    objective: str
    variant: str = ""
    values: tuple[tuple[str, Any], ...] = ()

    @property
    def options(self) -> str:
        """The setting as options of the command line, each with a space before it."""
        found = f" --seats {self.seats} --objective {self.objective}"
        found += f" --variant '{self.variant}'" if self.variant else ""
        return found + "".join(f" --set {name}={plain_text(value)}" for name, value in self.values)


def _both(these: tuple[Item, ...], those: tuple[Item, ...]) -> tuple[Item, ...]:
    return tuple(dict.fromkeys(these + those))


@dataclass(frozen=True)
class Edition:
    """What a site solves and shows of a ruleset. ``home``: the game its page opens with.

    The first objective is for all numbers of seats, each further one for the fewest; variants and single parameters
    are for the seats of ``home``; ``also`` are games listed one by one. ``full``: what is added where time is no matter.
    """

    home: Setting
    seats: tuple[int, ...]
    objectives: tuple[str, ...]
    variants: tuple[str, ...]
    parameters: tuple[tuple[str, Any], ...]
    also: tuple[Setting, ...]
    full: Edition | None = None

    @property
    def whole(self) -> Edition:
        """The edition with all that ``full`` adds."""
        more = self.full
        if more is None:
            return self
        return Edition(
            self.home,
            tuple(sorted({*self.seats, *more.seats})),
            _both(self.objectives, more.objectives),
            _both(self.variants, more.variants),
            _both(self.parameters, more.parameters),
            _both(self.also, more.also),
        )

    def settings(self, variants: Mapping[str, Variant]) -> tuple[list[Setting], list[Setting], list[Setting]]:
        """The games: all numbers of seats; further objectives; variants, changed parameters and single games."""
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
