"""Finds what is odd in a game, though not wrong. Each finding has a code, a place in the file, and a shortest play that
shows it.

``lint_game`` makes all checks of one game. ``LintLimits`` are the limits beyond which it reports. ``sarif_log`` and
``github_commands`` write findings for programs that show them beside the lines of a file. ``check_contribution`` adds
what a game lacks to be shipped with the program.
"""

from typing import TYPE_CHECKING

from oddsmith.base.lazy import lazy_getattr

if TYPE_CHECKING:
    from oddsmith.report.lint.contributing import Contribution, check_contribution
    from oddsmith.report.lint.finding import Finding, LintLimits, LintReport
    from oddsmith.report.lint.formats import github_commands, sarif_log
    from oddsmith.report.lint.linting import MAX_LINTED_POSITIONS, lint_game

__all__ = [
    "MAX_LINTED_POSITIONS",
    "Contribution",
    "Finding",
    "LintLimits",
    "LintReport",
    "check_contribution",
    "github_commands",
    "lint_game",
    "sarif_log",
]

_HOMES = {
    "contributing": ("Contribution", "check_contribution"),
    "finding": ("Finding", "LintLimits", "LintReport"),
    "formats": ("github_commands", "sarif_log"),
    "linting": ("MAX_LINTED_POSITIONS", "lint_game"),
}
__getattr__ = lazy_getattr(__name__, {name: home for home, names in _HOMES.items() for name in names})
