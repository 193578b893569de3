"""Advice on play: the decisions of a solved game, thresholds, rules of thumb with their costs, and opponents.

``strategies_by_phase`` returns the tables of each phase. ``compare_rules`` returns rules of thumb, each with its cost.
``policy_table`` writes all of best play in a form that the engine of the web pages reads. ``review_play`` says what each
move of a play gained or lost.
"""

from oddsmith.report.policy.decisions import Feature, OptionShares, value_clause
from oddsmith.report.policy.difference import (
    DecisionChange,
    Difference,
    solution_difference,
    solution_difference_without_decisions,
)
from oddsmith.report.policy.lists import DecisionList, DecisionLists, decision_lists, policy_of_lists
from oddsmith.report.policy.opponents import Opponent
from oddsmith.report.policy.outline import Outline, outline_of_solution, sweep_point_data
from oddsmith.report.policy.review import MoveReview, Review, review_play
from oddsmith.report.policy.rules_of_thumb import Rule, RuleValue, compare_rules, value_of_deviation
from oddsmith.report.policy.secrets import (
    plans_in_words,
    review_secret_play,
    secret_sweep_point_data,
    secret_value_of_deviation,
)
from oddsmith.report.policy.thresholds import (
    ACTION_VARIES,
    OptionGrid,
    ReachedRanges,
    Segment,
    Strategy,
    ThresholdLine,
    ThresholdTable,
    strategies_by_phase,
    threshold_bounds,
)
from oddsmith.report.policy.wording import (
    always_take_words,
    cost_words,
    feature_clause,
    or_more_words,
    take_when_words,
    threshold_caption,
    threshold_column_heading,
    threshold_sentence,
    without_owner,
)

__all__ = [
    "ACTION_VARIES",
    "DecisionChange",
    "DecisionList",
    "DecisionLists",
    "Difference",
    "Feature",
    "MoveReview",
    "Opponent",
    "OptionGrid",
    "OptionShares",
    "Outline",
    "ReachedRanges",
    "Review",
    "Rule",
    "RuleValue",
    "Segment",
    "Strategy",
    "ThresholdLine",
    "ThresholdTable",
    "always_take_words",
    "compare_rules",
    "cost_words",
    "decision_lists",
    "feature_clause",
    "or_more_words",
    "outline_of_solution",
    "plans_in_words",
    "policy_of_lists",
    "review_play",
    "review_secret_play",
    "secret_sweep_point_data",
    "secret_value_of_deviation",
    "solution_difference",
    "solution_difference_without_decisions",
    "strategies_by_phase",
    "sweep_point_data",
    "take_when_words",
    "threshold_bounds",
    "threshold_caption",
    "threshold_column_heading",
    "threshold_sentence",
    "value_clause",
    "value_of_deviation",
    "without_owner",
]
