"""What is odd about a game that is not wrong: each finding with its code, its place, and a shortest play that shows it.

``lint`` asks all questions of one game. ``LintLimits`` say from where on something is worth a finding; ``sarif`` and ``github``
write findings for programs that show them beside the lines of a file. ``contributed`` adds what is missing for a game to be
taken among those that are shipped.
"""

from typing import TYPE_CHECKING

from oddsmith.base.lazy import later

if TYPE_CHECKING:
    from oddsmith.report.lint.contributing import Contribution, contributed
    from oddsmith.report.lint.finding import Finding, LintLimits, LintReport
    from oddsmith.report.lint.formats import github, sarif
    from oddsmith.report.lint.linting import MOST, lint

__all__ = ["MOST", "Contribution", "Finding", "LintLimits", "LintReport", "contributed", "github", "lint", "sarif"]

_HOMES = {
    "contributing": ("Contribution", "contributed"),
    "finding": ("Finding", "LintLimits", "LintReport"),
    "formats": ("github", "sarif"),
    "linting": ("MOST", "lint"),
}
__getattr__ = later(__name__, {name: home for home, names in _HOMES.items() for name in names})
