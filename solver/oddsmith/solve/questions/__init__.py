"""Questions about a solved game: chances, means, distributions, lengths, and what other ways to play are worth."""

from oddsmith.solve.questions.distribution import Listed, Plays, Summed, distribution, refuse_unknown
from oddsmith.solve.questions.flow import arriving
from oddsmith.solve.questions.follow import RANDOM, Follower
from oddsmith.solve.questions.horizon import Horizon, horizon
from oddsmith.solve.questions.law import FloatLaw
from oddsmith.solve.questions.measure import along_play, ask, both, by_law, events, has_law, length, lone_state, mean_of
from oddsmith.solve.questions.moments import given
from oddsmith.solve.questions.played import Played, passed_twice, refuse_passing
from oddsmith.solve.questions.split import Split, split

__all__ = [
    "RANDOM",
    "FloatLaw",
    "Follower",
    "Horizon",
    "Listed",
    "Played",
    "Plays",
    "Split",
    "Summed",
    "along_play",
    "arriving",
    "ask",
    "both",
    "by_law",
    "distribution",
    "events",
    "given",
    "has_law",
    "horizon",
    "length",
    "lone_state",
    "mean_of",
    "passed_twice",
    "refuse_passing",
    "refuse_unknown",
    "split",
]
