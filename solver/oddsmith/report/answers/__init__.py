"""The data that every writer starts from: the ``RulesetAnswers`` of a ruleset, with an ``Answer`` for each of its
games.

An answer computes its parts when they are asked for. A ``Store`` keeps answers between builds.
"""

from oddsmith.report.answers.accounts import (
    AnswerStore,
    RulesetAnswers,
    answers_of,
    assemble_answers,
    claim_number_lookup,
    game_to_estimate,
    settings_to_solve,
)
from oddsmith.report.answers.answers import Answer, setting_slug
from oddsmith.report.answers.estimated import EstimatedAnswer, EstimatedPlay
from oddsmith.report.answers.growing import TIME_LIMIT, GrowingEstimate, growing_answers
from oddsmith.report.answers.names import engine_hash, store_key
from oddsmith.report.answers.packing import solve_and_pack
from oddsmith.report.answers.secret import SecretAnswer
from oddsmith.report.answers.shipped import (
    ESTIMATED,
    NOTHING,
    ShippedAnswers,
    answer_file_name_and_bytes,
    estimate_file_name_and_bytes,
)
from oddsmith.report.answers.solving import answer_from_solution, is_too_large, solved_answer
from oddsmith.report.answers.store import Store
from oddsmith.solve import EstimatedLength, EstimatedMean
from oddsmith.solve.extensive import Decision

__all__ = [
    "ESTIMATED",
    "NOTHING",
    "TIME_LIMIT",
    "Answer",
    "AnswerStore",
    "Decision",
    "EstimatedAnswer",
    "EstimatedLength",
    "EstimatedMean",
    "EstimatedPlay",
    "GrowingEstimate",
    "RulesetAnswers",
    "SecretAnswer",
    "ShippedAnswers",
    "Store",
    "answer_file_name_and_bytes",
    "answer_from_solution",
    "answers_of",
    "assemble_answers",
    "claim_number_lookup",
    "engine_hash",
    "estimate_file_name_and_bytes",
    "game_to_estimate",
    "growing_answers",
    "is_too_large",
    "setting_slug",
    "settings_to_solve",
    "solve_and_pack",
    "solved_answer",
    "store_key",
]
