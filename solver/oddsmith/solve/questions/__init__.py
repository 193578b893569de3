"""Questions about a solved game: chances, means, distributions, lengths, and what other ways to play are worth."""

from oddsmith.solve.questions.cheating import cheating, share_found_out
from oddsmith.solve.questions.distribution import BestPlay, distribution, refuse_unknown
from oddsmith.solve.questions.horizon import Horizon, horizon
from oddsmith.solve.questions.mass_flow import arriving
from oddsmith.solve.questions.measure import along_play, ask, length, mean_of
from oddsmith.solve.questions.moments import conditional_moments
from oddsmith.solve.questions.played import PlayedPolicy
from oddsmith.solve.questions.policy_evaluator import RANDOM, PolicyEvaluator

__all__ = [
    "RANDOM",
    "BestPlay",
    "Horizon",
    "PlayedPolicy",
    "PolicyEvaluator",
    "along_play",
    "arriving",
    "ask",
    "cheating",
    "conditional_moments",
    "distribution",
    "horizon",
    "length",
    "mean_of",
    "refuse_unknown",
    "share_found_out",
]
