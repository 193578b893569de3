"""A solved game as a designer looks at it first, and how two of them differ.

``outline`` says when to stop, what short rules and lists cost and which options are for nothing; ``difference`` what a
change of the rules moved; ``unused`` names the options that are never best; ``limits_of`` the numbers that alone end best
play; ``point`` what a sweep over many settings keeps of each.
"""

from oddsmith.report.outline.difference import Difference, Moved, difference
from oddsmith.report.outline.outline import Outline, cost_words, outline, unused
from oddsmith.report.outline.point import point
from oddsmith.report.outline.stopping import limits_of

__all__ = [
    "Difference",
    "Moved",
    "Outline",
    "cost_words",
    "difference",
    "limits_of",
    "outline",
    "point",
    "unused",
]
