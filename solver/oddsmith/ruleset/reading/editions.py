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

    ``seats``: the least, the greatest, and the usual number of seats. ``parameters``: all parameters by name, including
    ``seats``. ``variants``: the variants by name. ``payoffs``, ``policies``: their names.
    """

    reading: ReadingContext
    seats: tuple[int, int, int]
    parameters: Mapping[str, Parameter]
    variants: Mapping[str, Any]
    payoffs: Collection[str]
    policies: Collection[str]

    @property
    def usual_setting(self) -> Setting:
        """The setting with the usual number of seats, the first payoff as objective, and all parameters at their
        defaults.
        """
        return Setting(self.seats[2], next(iter(self.payoffs)))

    def edition(self, node: Node | None) -> Edition:
        """Return the settings that pages show. If the key is missing, these are all numbers of seats and all variants,
        with the first payoff.
        """
        low, high, usual = self.seats
        home = self.usual_setting
        plain = Edition(home, tuple(range(low, high + 1)), (home.objective,), tuple(self.variants), (), ())
        if node is None:
            return plain
        seats = self.allowed_seat_numbers(node) or plain.seats
        objectives = self.known_names(node, "objectives", self.payoffs, "payoff") or plain.objectives
        home = Setting(usual if usual in seats or not seats else seats[0], objectives[0])  # none: told of already
        game = node.get("game")
        home = self.single_setting(game, home) if game else home
        variants = (
            self.known_names(node, "variants", self.variants, "variant") if node.get("variants") else plain.variants
        )
        estimated, opens = self.estimates(node, home), node.get("opens_with")
        shown = Edition(
            home,
            seats,
            objectives,
            variants,
            self.parameter_changes(node),
            self.single_settings(node, home),
            estimated_games=estimated,
            opens_with_estimated_game=bool(estimated) and opens is not None and opens.value == "estimated",
        )
        full = node.get("full")
        if full is None:
            return shown
        more = Edition(
            home,
            self.allowed_seat_numbers(full),
            self.known_names(full, "objectives", self.payoffs, "payoff"),
            self.known_names(full, "variants", self.variants, "variant"),
            self.parameter_changes(full),
            self.single_settings(full, home),
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

    def known_names(self, node: Node, key: str, known: Iterable[str], what: str) -> tuple[str, ...]:
        """Return the names that are listed under a key, and report those that are not in ``known``. ``what``: the kind
        of thing that they name, for errors.
        """
        listed = node.get(key)
        return tuple(self.checked_name(item, known, what) for item in listed.value) if listed else ()

    def checked_name(self, node: Node, known: Iterable[str], what: str) -> str:
        name = str(node.value)
        if name not in known:
            several = f"{what.removesuffix('y')}ies" if what.endswith("y") else f"{what}s"
            hint = did_you_mean(name, list(known), several)
            self.reading.report("OD367", node.location, f"there is no {what} {name}", hint)
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

    def single_settings(self, node: Node, home: Setting) -> tuple[Setting, ...]:
        """Return the settings that are listed individually under the key ``also``. ``home``: the main setting, from
        which they differ.
        """
        listed = node.get("also")
        return tuple(self.single_setting(item, home) for item in listed.value) if listed else ()

    def estimates(self, node: Node, home: Setting) -> tuple[EstimatedGame, ...]:
        """Return the games to estimate, one for each number of seats of each item under the key ``estimated``."""
        listed = node.get("estimated")
        return tuple(
            each
            for item in (listed.value if listed else ())
            for each in self.estimates_for_each_seat_number(item, home)
        )

    def estimates_for_each_seat_number(self, node: Node, home: Setting) -> list[EstimatedGame]:
        policy, compared, games = (node.get(key) for key in ("policy", "compared", "games"))
        played = self.checked_name(policy, self.policies, "policy") if policy else ""
        others = tuple(
            self.checked_name(each, self.policies, "policy") for each in (compared.value if compared else ())
        )
        numbers = self.allowed_seat_numbers(node) or (home.seats,)
        count, smaller = games.value if games else EstimatedGame.game_count, node.get("ahead_from")
        found = []
        for seats in numbers:
            setting = self.changed_setting(node, home, seats)
            ahead = self.smaller_setting(smaller, setting) if smaller else None
            found.append(EstimatedGame(setting, played, others, count, ahead))
        return found

    def smaller_setting(self, node: Node, larger: Setting) -> Setting:
        """Return the setting ``larger`` with the changes in a node, and report an error if it has more seats."""
        seats = node.get("seats")
        found = self.changed_setting(node, larger, seats.value if seats else larger.seats)
        if seats and self.has_allowed_value("seats", seats) and seats.value > larger.seats:
            wanted = f"a smaller game has at most the {larger.seats} of this one"
            self.reading.report("OD354", seats.location, f"seats cannot be {seats.value}: {wanted}")
        return replace(found, variants=larger.variants, values={**larger.values, **found.values})

    def single_setting(self, node: Node, home: Setting) -> Setting:
        seats = node.get("seats")
        if seats:
            self.has_allowed_value("seats", seats)
        return self.changed_setting(node, home, seats.value if seats else home.seats)

    def changed_setting(self, node: Node, home: Setting, seats: int) -> Setting:
        """Return the setting ``home`` with another number of seats and with the changes in a node."""
        objective, variant = node.get("objective"), node.get("variant")
        return Setting(
            seats,
            self.checked_name(objective, self.payoffs, "payoff") if objective else home.objective,
            (self.checked_name(variant, self.variants, "variant"),) if variant else (),
            new_parameter_values(self.reading, self.parameters, node),
        )

    def has_allowed_value(self, name: str, value: Node, key: Node | None = None) -> bool:
        """Return whether a parameter can have a value, and report an error if it cannot."""
        return check_parameter_value(self.reading, self.parameters, name, value, key)


def check_parameter_value(
    reading: ReadingContext, parameters: Mapping[str, Parameter], name: str, value: Node, key: Node | None = None
) -> bool:
    """Return whether a parameter exists and can have a value, and report an error if not. ``key``: the node with the
    name of the parameter, to which errors point.
    """
    parameter = parameters.get(name)
    if parameter is None:
        hint = did_you_mean(name, parameters, "parameters")
        where = key.location if key else value.location
        reading.report("OD366", where, f"there is no parameter {name}", hint)
    elif wanted := parameter.allowed_values_if_broken(value.value):
        reading.report("OD354", value.location, f"{name} cannot be {value.value}: it must be {wanted}")
    else:
        return True
    return False


def new_parameter_values(reading: ReadingContext, parameters: Mapping[str, Parameter], node: Node) -> dict[str, Any]:
    """Return the new values of the parameters under the key ``set`` of a node, by name, and report values that are not
    allowed.
    """
    changed = node.get("set")
    if changed is None:
        return {}
    for name, value in changed.value.items():
        check_parameter_value(reading, parameters, name, value, changed.keys[name])
    return dict(changed.data())
