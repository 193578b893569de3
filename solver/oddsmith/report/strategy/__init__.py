"""What to do: the decisions of a solved game, thresholds, rules to remember and their price, opponents that play by
them.

``strategies`` gives the table of a phase, ``ladder`` the rules of thumb with what each costs, ``policy_table`` all of
best play in a form that a second engine reads. ``review`` says what each move of a play brought or cost.
"""

from oddsmith.report.strategy.by_number import ByNumber, by_number
from oddsmith.report.strategy.decisions import Decisions, Feature, Seen, decisions, forced, held, label, seat_name
from oddsmith.report.strategy.opponents import Opponent, opponents
from oddsmith.report.strategy.policy_table import policy_table, training_table, value_table
from oddsmith.report.strategy.prescription import rows_of_option
from oddsmith.report.strategy.review import Review, Reviewed, review
from oddsmith.report.strategy.rules_of_thumb import (
    Ladder,
    NumberRule,
    Rung,
    Way,
    alone,
    elsewhere_of,
    in_order,
    ladder,
    rung_of,
    worth_of,
)
from oddsmith.report.strategy.shares import Shares
from oddsmith.report.strategy.tables import VARIES, Grid, Line, Met, Segment, Strategy, Table, bounds
from oddsmith.report.strategy.thresholds import SolvedStrategy, strategies

__all__ = [
    "VARIES",
    "ByNumber",
    "Decisions",
    "Feature",
    "Grid",
    "Ladder",
    "Line",
    "Met",
    "NumberRule",
    "Opponent",
    "Review",
    "Reviewed",
    "Rung",
    "Seen",
    "Segment",
    "Shares",
    "SolvedStrategy",
    "Strategy",
    "Table",
    "Way",
    "alone",
    "bounds",
    "by_number",
    "decisions",
    "elsewhere_of",
    "forced",
    "held",
    "in_order",
    "label",
    "ladder",
    "opponents",
    "policy_table",
    "review",
    "rows_of_option",
    "rung_of",
    "seat_name",
    "strategies",
    "training_table",
    "value_table",
    "worth_of",
]
