"""Questions about a solved game: chances, means, distributions, lengths, and the values of other policies."""

from oddsmith.solve.questions.cheating import break_even_share_found_out, solve_with_cheat
from oddsmith.solve.questions.distribution import BestPlay, distribution, refuse_unknown
from oddsmith.solve.questions.horizon import Horizon, horizon
from oddsmith.solve.questions.mass_flow import arriving_mass
from oddsmith.solve.questions.measure import ask, expected_lengths, is_about_play, mean_of
from oddsmith.solve.questions.moments import conditional_moments
from oddsmith.solve.questions.played import PlayedPolicy
from oddsmith.solve.questions.policy_evaluator import RANDOM, PolicyEvaluator

__all__ = [
    "RANDOM",
    "BestPlay",
    "Horizon",
    "PlayedPolicy",
    "PolicyEvaluator",
    "arriving_mass",
    "ask",
    "break_even_share_found_out",
    "conditional_moments",
    "distribution",
    "expected_lengths",
    "horizon",
    "is_about_play",
    "mean_of",
    "refuse_unknown",
    "solve_with_cheat",
]
