"""The settings that choose a game of a ruleset, and problems of rulesets, as plain data."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from oddsmith.base.errors import Problem
from oddsmith.base.location import Source

if TYPE_CHECKING:
    from oddsmith.ruleset import Game
    from oddsmith.ruleset.model import Ruleset


Message = dict[str, Any]


@dataclass(frozen=True)
class RequestedSettings:
    """The settings that choose a game of a ruleset. Names that the ruleset does not have are ignored, because an edit
    may have removed them.
    """

    seats: int | None = None
    objective: str | None = None
    variant: str = ""
    values: dict[str, Any] = field(default_factory=dict)


def fitting_settings(ruleset: Ruleset, settings: RequestedSettings) -> RequestedSettings:
    """Return settings that are valid for a ruleset: unknown names are left out, and numbers are moved into their ranges."""
    least, most, usual = ruleset.seats
    seats = usual if settings.seats is None else min(max(settings.seats, least), most)
    values = {}
    for name, value in settings.values.items():
        parameter = ruleset.parameters.get(name)
        if parameter is None or value == parameter.default:
            continue
        near = value
        if isinstance(value, int) and parameter.least is not None and parameter.most is not None:
            near = min(max(value, parameter.least), parameter.most)
        if not parameter.broken_requirement(near):
            values[name] = near
    objective = settings.objective if settings.objective in ruleset.payoffs else next(iter(ruleset.payoffs))
    return RequestedSettings(seats, objective, settings.variant if settings.variant in ruleset.variants else "", values)


def settings_message(ruleset: Ruleset, settings: RequestedSettings) -> Message:
    """Return the settings that can be chosen, and the chosen ones, as data for sliders and choices."""
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
                "times": each.times,
            }
            for name, each in ruleset.parameters.items()
        ],
        "settings": asdict(settings),
        "values": dict(bind_settings(ruleset, settings).parameters),
    }


def bind_settings(ruleset: Ruleset, settings: RequestedSettings) -> Game:
    """Return the game that the settings choose."""
    from oddsmith.ruleset import bind

    return bind(ruleset, settings.seats, settings.values, [settings.variant] if settings.variant else [])


def problem_message(problem: Problem, source: Source | None) -> Message:
    """Return a problem as data: its place, its message, and a hint."""
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
