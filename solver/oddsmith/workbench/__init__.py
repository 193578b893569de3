"""The designer's workbench: what differs between two games, a grid of settings solved by many processes, what would make a
game fair, and a page on this machine that follows files.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from oddsmith.answering import Settings
from oddsmith.workbench.answers import Answer, Case, Fair
from oddsmith.workbench.bench import Bench
from oddsmith.workbench.bracketing import Tried
from oddsmith.workbench.comparing import diff
from oddsmith.workbench.fairness import fair
from oddsmith.workbench.filling import fill
from oddsmith.workbench.sweeping import Sweep, sweep

if TYPE_CHECKING:
    from starlette.applications import Starlette

__all__ = [
    "Answer",
    "Bench",
    "Case",
    "Fair",
    "Sweep",
    "Tried",
    "application",
    "diff",
    "fair",
    "fill",
    "sweep",
]


def application(files: Sequence[Path], settings: Settings, hosts: Sequence[str]) -> Starlette:
    """The page that follows files, as ``desk`` makes it. Only here is the extra ``serve`` needed."""
    from oddsmith.workbench.desk import application

    return application(files, settings, hosts)
