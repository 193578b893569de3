"""Reasoning about expressions without a position.

``fold`` works everything that is known into a tree until plain arithmetic is left. ``Ranger`` proves the interval in
which a value lies.
"""

from oddsmith.expr.analysis.fold import (
    Memory,
    Needs,
    View,
    both,
    choice,
    either,
    fold,
    items_of,
    known,
    negated,
    simplified,
)
from oddsmith.expr.analysis.intervals import ALWAYS, NEVER, UNKNOWN, Bound, Range
from oddsmith.expr.analysis.ranges import Bounds, Ranger

__all__ = [
    "ALWAYS",
    "NEVER",
    "UNKNOWN",
    "Bound",
    "Bounds",
    "Memory",
    "Needs",
    "Range",
    "Ranger",
    "View",
    "both",
    "choice",
    "either",
    "fold",
    "items_of",
    "known",
    "negated",
    "simplified",
]
