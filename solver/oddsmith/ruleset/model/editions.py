"""Settings, each of which makes one game of a ruleset, and editions: the games that a site solves and shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from oddsmith.base.errors import SettingError
from oddsmith.base.exact import plain_text
from oddsmith.ruleset.model.state import Parameter, Variant

Item = TypeVar("Item")

SETTING_NAMES = ("seats", "objective", "variant")
"""The names of what a setting chooses besides parameters."""


@dataclass(frozen=True)
class Setting:
    """The choices that make one game of a ruleset.

    ``seats``: the number of seats; 0 for the usual number of the ruleset. ``objective``: the name of a payoff; empty
    for the first. ``variants``: the variants, which are applied in order. ``values``: parameters with their values,
    which are applied after the variants.
    """

    seats: int = 0
    objective: str = ""
    variants: tuple[str, ...] = ()
    values: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def options_text(self) -> str:
        """The setting as options of the command line, with a space before each option."""
        found = f" --seats {self.seats}" if self.seats else ""
        found += f" --objective {self.objective}" if self.objective else ""
        found += "".join(f" --variant '{each}'" for each in self.variants)
        return found + "".join(f" --set {name}={plain_text(value)}" for name, value in self.values.items())

    def with_changes(self, changes: Mapping[str, Any]) -> Setting:
        """Return the setting with changes.

        ``changes``: new values by name, of ``seats``, ``objective``, ``variant`` and parameters. An empty ``variant``
        removes all variants.
        """
        own: dict[str, Any] = {name: changes[name] for name in ("seats", "objective") if name in changes}
        if "variant" in changes:
            own["variants"] = (changes["variant"],) if changes["variant"] else ()
        values = {name: value for name, value in changes.items() if name not in SETTING_NAMES}
        return replace(self, **own, values={**self.values, **values})

    def single_variant(self, task: str) -> str:
        """Return the only variant; empty if there is none. Raises SettingError if there are several variants.

        ``task``: what needs a single variant, for the error.
        """
        if len(self.variants) > 1:
            raise SettingError(f"{task} is about one variant at a time: set the parameters of the other with --set")
        return "".join(self.variants)

    @property
    def plain_data(self) -> list[Any]:
        """The setting as plain data, for hashes."""
        return [self.seats, self.objective, "+".join(self.variants), list(self.values.items())]

    def changes_in_words(self, parameters: Mapping[str, Parameter]) -> list[str]:
        """Return in words the variants and the changed parameters, one text for each.

        ``parameters``: the parameters of the ruleset.
        """
        words = [each.replace("-", " ") for each in self.variants]
        return words + [parameters[name].setting_in_words(value) for name, value in self.values.items()]


@dataclass(frozen=True)
class EstimatedGame:
    """A game that pages show with estimated numbers, because it is too large to be solved.

    ``policy``: the policy of all seats; if empty, the ruleset's ``regular`` policy. ``compared_policies``: further
    policies; the first seat plays each of them while all other seats play ``policy``. ``game_count``: the number of
    simulated games for each policy. ``look_ahead_setting``: a smaller game; the first seat also looks a step ahead by
    its values.
    """

    setting: Setting
    policy: str = ""
    compared_policies: tuple[str, ...] = ()
    game_count: int = 100_000
    look_ahead_setting: Setting | None = None


def _joined_without_repeats(first: tuple[Item, ...], second: tuple[Item, ...]) -> tuple[Item, ...]:
    return tuple(dict.fromkeys(first + second))


@dataclass(frozen=True)
class Edition:
    """The games of a ruleset that a site solves and shows. ``main_setting``: the main game, with which its page usually
    opens.

    ``seat_counts``: the numbers of seats for which ``main_setting`` is shown. ``objectives``: the objectives; all but
    that of ``main_setting`` are shown for the first number of seats only. ``variants``, ``parameters``: the changes
    that are shown, each applied to ``main_setting``. ``further_settings``: further games. ``larger_edition``: more
    games, for a build that may take longer. ``estimated_games``: games whose numbers are estimated by simulation.
    ``opens_with_estimated_game``: whether the page opens with the first estimated game, not with ``main_setting``.
    """

    main_setting: Setting
    seat_counts: tuple[int, ...]
    objectives: tuple[str, ...]
    variants: tuple[str, ...]
    parameters: tuple[tuple[str, Any], ...]
    further_settings: tuple[Setting, ...]
    larger_edition: Edition | None = None
    estimated_games: tuple[EstimatedGame, ...] = ()
    opens_with_estimated_game: bool = False

    @property
    def opening_setting(self) -> Setting:
        """The game with which the page opens, whether it is solved or estimated."""
        return self.estimated_games[0].setting if self.opens_with_estimated_game else self.main_setting

    @property
    def with_larger_edition(self) -> Edition:
        """The edition with the games of ``larger_edition`` added."""
        more = self.larger_edition
        if more is None:
            return self
        return replace(
            self,
            seat_counts=tuple(sorted({*self.seat_counts, *more.seat_counts})),
            objectives=_joined_without_repeats(self.objectives, more.objectives),
            variants=_joined_without_repeats(self.variants, more.variants),
            parameters=_joined_without_repeats(self.parameters, more.parameters),
            further_settings=_joined_without_repeats(self.further_settings, more.further_settings),
            larger_edition=None,
        )

    def settings_by_kind_of_change(
        self, variants: Mapping[str, Variant]
    ) -> tuple[list[Setting], list[Setting], list[Setting]]:
        """Return three lists of games: by number of seats, by further objectives, and all others.

        ``variants``: the variants of the ruleset by name.
        """
        home = self.main_setting
        others = [objective for objective in self.objectives if objective != home.objective]
        plain = [replace(home, seats=number) for number in self.seat_counts]
        further = [replace(home, seats=self.seat_counts[0], objective=objective) for objective in others]
        changed = [
            replace(home, seats=int(variants[name].values.get("seats", home.seats)), variants=(name,))
            for name in self.variants
        ]
        changed += [replace(home, values={**home.values, name: value}) for name, value in self.parameters]
        changed += [each for each in self.further_settings if each not in (*plain, *further)]
        return plain, further, list(dict.fromkeys(changed))
