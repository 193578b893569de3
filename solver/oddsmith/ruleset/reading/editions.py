"""Read the key ``publish``, which lists the settings of a ruleset that a site solves and shows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from oddsmith.base.errors import did_you_mean
from oddsmith.ruleset.model.editions import Edition, EstimatedGame, Setting
from oddsmith.ruleset.model.state import Parameter
from oddsmith.ruleset.reading.reader import ReadingContext
from oddsmith.ruleset.reading.source import Node


@dataclass(frozen=True)
class EditionReader:
    """Reads the key ``publish``, and reports names that the ruleset does not have.

    ``min_max_default_seats``: the least, the greatest, and the usual number of seats. ``parameters``: all parameters by
    name, including ``min_max_default_seats``. ``variants``: the variants by name. ``payoff_names``, ``policy_names``:
    their names.
    """

    reading: ReadingContext
    min_max_default_seats: tuple[int, int, int]
    parameters: Mapping[str, Parameter]
    variants: Mapping[str, Any]
    payoff_names: Collection[str]
    policy_names: Collection[str]

    @property
    def usual_setting(self) -> Setting:
        """The setting with the usual number of seats, the first payoff as objective, and all parameters at their
        defaults.
        """
        return Setting(self.min_max_default_seats[2], next(iter(self.payoff_names)))

    def edition(self, node: Node | None) -> Edition:
        """Return the settings that pages show. If the key is missing, these are all numbers of seats and all variants,
        with the first payoff.
        """
        low, high, usual = self.min_max_default_seats
        home = self.usual_setting
        plain = Edition(home, tuple(range(low, high + 1)), (home.objective,), tuple(self.variants), (), ())
        if node is None:
            return plain
        seats = self.allowed_seat_numbers(node) or plain.seat_counts
        objectives = self.listed_names(node, "objectives", self.payoff_names, "payoff") or plain.objectives
        home = Setting(usual if usual in seats or not seats else seats[0], objectives[0])  # none: told of already
        game = node.get("game")
        home = self.listed_setting(game, home) if game else home
        variants = (
            self.listed_names(node, "variants", self.variants, "variant") if node.get("variants") else plain.variants
        )
        estimated, opens = self.estimated_games(node, home), node.get("opens_with")
        shown = Edition(
            home,
            seats,
            objectives,
            variants,
            self.parameter_changes(node),
            self.further_settings(node, home),
            estimated_games=estimated,
            opens_with_estimated_game=bool(estimated) and opens is not None and opens.value == "estimated",
        )
        full = node.get("full")
        if full is None:
            return shown
        more = Edition(
            home,
            self.allowed_seat_numbers(full),
            self.listed_names(full, "objectives", self.payoff_names, "payoff"),
            self.listed_names(full, "variants", self.variants, "variant"),
            self.parameter_changes(full),
            self.further_settings(full, home),
        )
        return replace(shown, larger_edition=more)

    def allowed_seat_numbers(self, node: Node) -> tuple[int, ...]:
        """Return the numbers of seats under the key ``seats`` in ascending order, and report those that are not
        allowed.
        """
        listed = node.get("seats")
        for item in listed.value if listed else ():
            self.has_allowed_value("seats", item)
        return tuple(sorted(item.value for item in listed.value)) if listed else ()

    def listed_names(self, node: Node, key: str, allowed_names: Iterable[str], kind_of_name: str) -> tuple[str, ...]:
        """Return the names that are listed under a key, and report those that are not in ``allowed_names``.
        ``kind_of_name``: the kind of thing that they name, for errors.
        """
        listed = node.get(key)
        return tuple(self.checked_name(item, allowed_names, kind_of_name) for item in listed.value) if listed else ()

    def checked_name(self, node: Node, allowed_names: Iterable[str], kind_of_name: str) -> str:
        name = str(node.value)
        if name not in allowed_names:
            several = f"{kind_of_name.removesuffix('y')}ies" if kind_of_name.endswith("y") else f"{kind_of_name}s"
            hint = did_you_mean(name, list(allowed_names), several)
            self.reading.report("OD367", node.location, f"there is no {kind_of_name} {name}", hint)
        return name

    def parameter_changes(self, node: Node) -> tuple[tuple[str, Any], ...]:
        """Return pairs of a parameter and a value other than its default. Pages show the game with each of these as the
        only change.
        """
        section = node.get("parameters")
        if section is None:
            return ()
        return tuple(
            (name, item.value)
            for name, listed in section.value.items()
            for item in listed.value
            if self.has_allowed_value(name, item, section.keys[name]) and not self.is_default(name, item.value)
        )

    def is_default(self, name: str, value: Any) -> bool:
        return bool(value == self.parameters[name].default)

    def further_settings(self, node: Node, main_setting: Setting) -> tuple[Setting, ...]:
        """Return the settings that are listed individually under the key ``also``. ``main_setting``: the main setting,
        from which they differ.
        """
        listed = node.get("also")
        return tuple(self.listed_setting(item, main_setting) for item in listed.value) if listed else ()

    def estimated_games(self, node: Node, main_setting: Setting) -> tuple[EstimatedGame, ...]:
        """Return the games to estimate, one for each number of seats of each item under the key ``estimated``."""
        listed = node.get("estimated")
        return tuple(
            each
            for item in (listed.value if listed else ())
            for each in self.estimated_games_of_item(item, main_setting)
        )

    def estimated_games_of_item(self, node: Node, main_setting: Setting) -> list[EstimatedGame]:
        policy, compared, games = (node.get(key) for key in ("policy", "compared", "games"))
        played = self.checked_name(policy, self.policy_names, "policy") if policy else ""
        others = tuple(
            self.checked_name(each, self.policy_names, "policy") for each in (compared.value if compared else ())
        )
        numbers = self.allowed_seat_numbers(node) or (main_setting.seats,)
        count, smaller = games.value if games else EstimatedGame.game_count, node.get("ahead_from")
        found = []
        for seats in numbers:
            setting = self.changed_setting(node, main_setting, seats)
            ahead = self.smaller_setting(smaller, setting) if smaller else None
            found.append(EstimatedGame(setting, played, others, count, ahead))
        return found

    def smaller_setting(self, node: Node, larger_setting: Setting) -> Setting:
        """Return the setting ``larger_setting`` with the changes in a node, and report an error if it has more seats."""
        seats = node.get("seats")
        found = self.changed_setting(node, larger_setting, seats.value if seats else larger_setting.seats)
        if seats and self.has_allowed_value("seats", seats) and seats.value > larger_setting.seats:
            wanted = f"a smaller game has at most the {larger_setting.seats} of this one"
            self.reading.report("OD354", seats.location, f"seats cannot be {seats.value}: {wanted}")
        return replace(found, variants=larger_setting.variants, values={**larger_setting.values, **found.values})

    def listed_setting(self, node: Node, main_setting: Setting) -> Setting:
        seats = node.get("seats")
        if seats:
            self.has_allowed_value("seats", seats)
        return self.changed_setting(node, main_setting, seats.value if seats else main_setting.seats)

    def changed_setting(self, node: Node, base_setting: Setting, seats: int) -> Setting:
        """Return the setting ``base_setting`` with another number of seats and with the changes in a node."""
        objective, variant = node.get("objective"), node.get("variant")
        return Setting(
            seats,
            self.checked_name(objective, self.payoff_names, "payoff") if objective else base_setting.objective,
            (self.checked_name(variant, self.variants, "variant"),) if variant else (),
            changed_parameter_values(self.reading, self.parameters, node),
        )

    def has_allowed_value(self, name: str, value_node: Node, key_node: Node | None = None) -> bool:
        """Return whether a parameter can have a value, and report an error if it cannot."""
        return has_allowed_parameter_value(self.reading, self.parameters, name, value_node, key_node)


def has_allowed_parameter_value(
    reading: ReadingContext,
    parameters: Mapping[str, Parameter],
    name: str,
    value_node: Node,
    key_node: Node | None = None,
) -> bool:
    """Return whether a parameter exists and can have a value, and report an error if not. ``key_node``: the node with
    the name of the parameter, to which errors point.
    """
    parameter = parameters.get(name)
    if parameter is None:
        hint = did_you_mean(name, parameters, "parameters")
        where = key_node.location if key_node else value_node.location
        reading.report("OD366", where, f"there is no parameter {name}", hint)
    elif wanted := parameter.allowed_values_if_broken(value_node.value):
        reading.report("OD354", value_node.location, f"{name} cannot be {value_node.value}: it must be {wanted}")
    else:
        return True
    return False


def changed_parameter_values(
    reading: ReadingContext, parameters: Mapping[str, Parameter], node: Node
) -> dict[str, Any]:
    """Return the new values of the parameters under the key ``set`` of a node, by name, and report values that are not
    allowed.
    """
    changed = node.get("set")
    if changed is None:
        return {}
    for name, value in changed.value.items():
        has_allowed_parameter_value(reading, parameters, name, value, changed.keys[name])
    return dict(changed.data())
