"""What to do: the decisions of a solved game, thresholds, rules to remember with their costs, and opponents that play
by them.

``strategies`` gives the tables of each phase, and ``compare_rules`` rules of thumb with the cost of each.
``policy_table`` holds all of best play in a form that the engine of pages reads. ``review`` says what each move of a
play gained or lost.
"""

from oddsmith.report.policy.decisions import Feature, Shares, value_clause
from oddsmith.report.policy.difference import DecisionChange, Difference, difference, difference_in_worth
from oddsmith.report.policy.lists import DecisionList, DecisionLists, decision_lists, policy_of
from oddsmith.report.policy.opponents import Opponent
from oddsmith.report.policy.outline import Outline, outline, sweep_point
from oddsmith.report.policy.review import MoveReview, Review, review
from oddsmith.report.policy.rules_of_thumb import NumberRule, RuleValue, alone, compare_rules
from oddsmith.report.policy.secret import secret_alone, secret_point
from oddsmith.report.policy.thresholds import (
    VARIES,
    OptionGrid,
    ReachedRanges,
    Segment,
    Strategy,
    ThresholdLine,
    ThresholdTable,
    bounds,
    strategies,
)
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
    "DecisionChange",
    "DecisionList",
    "DecisionLists",
    "Difference",
    "Feature",
    "MoveReview",
    "NumberRule",
    "Opponent",
    "OptionGrid",
    "Outline",
    "ReachedRanges",
    "Review",
    "RuleValue",
    "Segment",
    "Shares",
    "Strategy",
    "ThresholdLine",
    "ThresholdTable",
    "alone",
    "always",
    "bounds",
    "compare_rules",
    "condition",
    "cost_words",
    "decision_lists",
    "difference",
    "difference_in_worth",
    "or_more",
    "outline",
    "ownerless",
    "policy_of",
    "review",
    "secret_alone",
    "secret_point",
    "strategies",
    "sweep_point",
    "threshold_caption",
    "threshold_head",
    "threshold_sentence",
    "value_clause",
    "when",
]
