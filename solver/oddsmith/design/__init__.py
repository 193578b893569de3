"""The designer's workbench: differences between two games, grids of settings solved by many processes, parameters that
make a game fair, and a local page that follows files.
"""

from typing import TYPE_CHECKING

from oddsmith.base.lazy import lazy_getattr

if TYPE_CHECKING:
    from oddsmith.design.answering import Question, Solver, one_game
    from oddsmith.design.charting import charts
    from oddsmith.design.comparing import diff
    from oddsmith.design.desk import application
    from oddsmith.design.fairness import Case, Fair, FairValue, Tried, fair
    from oddsmith.design.settings import (
        Message,
        RequestedSettings,
        bind_settings,
        fitting_settings,
        problem_message,
        settings_message,
    )
    from oddsmith.design.store_filling import fill
    from oddsmith.design.sweeping import Sweep, sweep
    from oddsmith.design.worker import WorkerPair

__all__ = [
    "Case",
    "Fair",
    "FairValue",
    "Message",
    "Question",
    "RequestedSettings",
    "Solver",
    "Sweep",
    "Tried",
    "WorkerPair",
    "application",
    "bind_settings",
    "charts",
    "diff",
    "fair",
    "fill",
    "fitting_settings",
    "one_game",
    "problem_message",
    "settings_message",
    "sweep",
]

_HOMES = {
    "answering": (
        "Question",
        "Solver",
        "one_game",
    ),
    "charting": ("charts",),
    "comparing": ("diff",),
    "desk": ("application",),
    "fairness": (
        "FairValue",
        "Case",
        "Fair",
        "Tried",
        "fair",
    ),
    "settings": (
        "Message",
        "RequestedSettings",
        "bind_settings",
        "settings_message",
        "fitting_settings",
        "problem_message",
    ),
    "store_filling": ("fill",),
    "sweeping": (
        "Sweep",
        "sweep",
    ),
    "worker": ("WorkerPair",),
}
__getattr__ = lazy_getattr(__name__, {name: home for home, names in _HOMES.items() for name in names})
