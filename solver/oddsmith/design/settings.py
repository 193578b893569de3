"""The settings that choose a game of a ruleset, and the problems of rulesets, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from oddsmith.base.errors import Problem
from oddsmith.base.location import Source
from oddsmith.ruleset import bind
from oddsmith.ruleset.model import SETTING_NAMES, Ruleset, Setting

Message = dict[str, Any]


def setting_from_message(message: Mapping[str, Any]) -> Setting:
    """Return the setting that a browser sent as ``seats``, ``objective``, ``variant`` and ``values``. Values are whole
    numbers, flags or texts. Raises ValueError if any is of another type.
    """
    values = dict(message.get("values") or {})
    named = {name: message[name] for name in SETTING_NAMES if message.get(name)}
    if not all(isinstance(each, bool | int | str) for each in [*named.values(), *values, *values.values()]):
        raise ValueError(message)
    if "seats" in named:
        named["seats"] = int(named["seats"])
    return Setting(values=values).with_changes(named)


def nearest_valid_setting(ruleset: Ruleset, setting: Setting) -> Setting:
    """Return the setting changed so that it is valid for a ruleset. Unknown names are left out, because an edit may
    have removed them, and numbers are moved into their ranges.
    """
    least, most, usual = ruleset.seats
    seats = min(max(setting.seats or usual, least), most)
    values = {}
    for name, value in setting.values.items():
        parameter = ruleset.parameters.get(name)
        if parameter is None or value == parameter.default:
            continue
        near = value
        if isinstance(value, int) and parameter.least is not None and parameter.most is not None:
            near = min(max(value, parameter.least), parameter.most)
        if not parameter.allowed_values_if_broken(near):
            values[name] = near
    objective = setting.objective if setting.objective in ruleset.payoffs else next(iter(ruleset.payoffs))
    return Setting(seats, objective, tuple(each for each in setting.variants if each in ruleset.variants), values)


def settings_message(ruleset: Ruleset, setting: Setting) -> Message:
    """Return the settings that can be chosen, and the chosen ones, as data for the controls of a page."""
    return {
        "title": ruleset.title,
        "summary": ruleset.summary,
        "seats": list(ruleset.seats),
        "objectives": list(ruleset.payoffs),
        "variants": {name: each.about for name, each in ruleset.variants.items()},
        "parameters": [
            {
                "name": name,
                "about": each.about,
                "default": each.default,
                "least": each.least,
                "most": each.most,
                "one_of": list(each.one_of),
                "unit": list(each.unit),
                "times": each.display_factor,
            }
            for name, each in ruleset.parameters.items()
        ],
        "settings": {
            "seats": setting.seats,
            "objective": setting.objective,
            "variant": "".join(setting.variants),
            "values": setting.values,
        },
        "values": dict(bind(ruleset, setting).parameters),
    }


def problem_message(problem: Problem, source: Source | None) -> Message:
    """Return a problem as data: its code, severity, line, column, message and hint, and an excerpt.

    The excerpt is its line in ``source`` with a mark below; it is empty if ``source`` is None.
    """
    place = problem.location
    return {
        "code": problem.code,
        "severity": problem.severity,
        "line": place.line,
        "column": place.column,
        "message": problem.message,
        "hint": problem.hint,
        "excerpt": source.excerpt(place) if source else "",
    }
