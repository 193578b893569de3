"""The designer's workbench: comparisons of two games, games solved over a grid of settings by many processes,
parameters that make a game fair, and a local page that watches ruleset files.
"""

from typing import TYPE_CHECKING

from oddsmith.base.lazy import lazy_getattr

if TYPE_CHECKING:
    from oddsmith.design.answering import Question, QuestionAnswerer, ruleset_about_one_game
    from oddsmith.design.comparing import diff
    from oddsmith.design.desk import web_application
    from oddsmith.design.fairness import Case, Fair, FairValue, TriedValue, fair
    from oddsmith.design.goals import Goal
    from oddsmith.design.settings import (
        Message,
        nearest_valid_setting,
        problem_message,
        setting_from_message,
        settings_message,
    )
    from oddsmith.design.store_filling import fill_store
    from oddsmith.design.sweeping import Sweep, choices_by_name, sweep
    from oddsmith.design.worker import WorkerWithSpare

__all__ = [
    "Case",
    "Fair",
    "FairValue",
    "Goal",
    "Message",
    "Question",
    "QuestionAnswerer",
    "Sweep",
    "TriedValue",
    "WorkerWithSpare",
    "choices_by_name",
    "diff",
    "fair",
    "fill_store",
    "nearest_valid_setting",
    "problem_message",
    "ruleset_about_one_game",
    "setting_from_message",
    "settings_message",
    "sweep",
    "web_application",
]

_HOMES = {
    "answering": (
        "Question",
        "QuestionAnswerer",
        "ruleset_about_one_game",
    ),
    "comparing": ("diff",),
    "desk": ("web_application",),
    "fairness": (
        "FairValue",
        "Case",
        "Fair",
        "TriedValue",
        "fair",
    ),
    "goals": ("Goal",),
    "settings": (
        "Message",
        "setting_from_message",
        "settings_message",
        "nearest_valid_setting",
        "problem_message",
    ),
    "store_filling": ("fill_store",),
    "sweeping": (
        "Sweep",
        "choices_by_name",
        "sweep",
    ),
    "worker": ("WorkerWithSpare",),
}
__getattr__ = lazy_getattr(__name__, {name: home for home, names in _HOMES.items() for name in names})
