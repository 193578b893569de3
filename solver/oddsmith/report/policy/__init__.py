"""What to do: the decisions of a solved game, thresholds, rules to remember and their price, opponents that play by
them.

``strategies`` gives the table of a phase, ``ladder`` the rules of thumb with what each costs, ``policy_table`` all of
best play in a form that a second engine reads. ``review`` says what each move of a play brought or cost.
"""

from oddsmith.report.policy.decisions import Feature, Shares, held
from oddsmith.report.policy.difference import Difference, Moved, difference
from oddsmith.report.policy.lists import DecisionList, Lists, decision_lists
from oddsmith.report.policy.opponents import Opponent
from oddsmith.report.policy.outline import Outline, outline, point
from oddsmith.report.policy.review import Review, Reviewed, review
from oddsmith.report.policy.rules_of_thumb import NumberRule, Rung, alone, ladder
from oddsmith.report.policy.thresholds import VARIES, Grid, Line, Met, Segment, Strategy, Table, bounds, strategies
from oddsmith.report.policy.wording import (
    always,
    condition,
    cost_words,
    or_more,
    ownerless,
    threshold_caption,
    threshold_head,
    threshold_sentence,
    when,
)

__all__ = [
    "VARIES",
    "DecisionList",
    "Difference",
    "Feature",
    "Grid",
    "Line",
    "Lists",
    "Met",
    "Moved",
    "NumberRule",
    "Opponent",
    "Outline",
    "Review",
    "Reviewed",
    "Rung",
    "Segment",
    "Shares",
    "Strategy",
    "Table",
    "alone",
    "always",
    "bounds",
    "condition",
    "cost_words",
    "decision_lists",
    "difference",
    "held",
    "ladder",
    "or_more",
    "outline",
    "ownerless",
    "point",
    "review",
    "strategies",
    "threshold_caption",
    "threshold_head",
    "threshold_sentence",
    "when",
]
