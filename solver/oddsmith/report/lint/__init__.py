"""What is odd about a game that is not wrong: each finding with its code, its place, and a shortest play that shows it.

``lint`` asks all questions of one game. ``Bounds`` say from where on something is worth a finding; ``sarif`` and ``github``
write findings for programs that show them beside the lines of a file.
"""

from oddsmith.report.lint.finding import Bounds, Finding, Linted
from oddsmith.report.lint.formats import github, sarif
from oddsmith.report.lint.linting import lint

__all__ = ["Bounds", "Finding", "Linted", "github", "lint", "sarif"]
