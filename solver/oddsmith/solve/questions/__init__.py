"""Questions about a solved game: chances, means, distributions, lengths, and what other ways to play are worth."""

from oddsmith.solve.questions.distribution import distribution
from oddsmith.solve.questions.flow import arriving
from oddsmith.solve.questions.follow import RANDOM, Follower
from oddsmith.solve.questions.horizon import Horizon, horizon
from oddsmith.solve.questions.measure import ask, length, mean_of
from oddsmith.solve.questions.moments import given
from oddsmith.solve.questions.played import Played

__all__ = [
    "RANDOM",
    "Follower",
    "Horizon",
    "Played",
    "arriving",
    "ask",
    "distribution",
    "given",
    "horizon",
    "length",
    "mean_of",
]
