"""Questions about a solved game: chances, means, distributions, lengths, and the values of other policies."""

from oddsmith.solve.questions.cheating import break_even_detection_share, solve_with_cheat
from oddsmith.solve.questions.distribution import BestPlay, distribution, refuse_unknown_quantity
from oddsmith.solve.questions.horizon import Horizon, horizon
from oddsmith.solve.questions.mass_flow import mass_arriving_at_sum
from oddsmith.solve.questions.measure import answer_question, expected_lengths, is_about_turn_or_game, mean_of_quantity
from oddsmith.solve.questions.moments import conditional_moments
from oddsmith.solve.questions.played import PlayedPolicy
from oddsmith.solve.questions.policy_evaluator import RANDOM, PolicyEvaluator

__all__ = [
    "RANDOM",
    "BestPlay",
    "Horizon",
    "PlayedPolicy",
    "PolicyEvaluator",
    "answer_question",
    "break_even_detection_share",
    "conditional_moments",
    "distribution",
    "expected_lengths",
    "horizon",
    "is_about_turn_or_game",
    "mass_arriving_at_sum",
    "mean_of_quantity",
    "refuse_unknown_quantity",
    "solve_with_cheat",
]
