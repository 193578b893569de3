"""Contests: what policies get against each other, best answers to them, and what an evening of many games brings or costs."""

from oddsmith.report.contests.evenings import Evening, Result, evening
from oddsmith.report.contests.stakes import Stake
from oddsmith.report.contests.tables import ANSWER, BEST, BestAnswer, best_answer
from oddsmith.report.contests.tournament import Match, Tournament, tournament

__all__ = [
    "ANSWER",
    "BEST",
    "BestAnswer",
    "Evening",
    "Match",
    "Result",
    "Stake",
    "Tournament",
    "best_answer",
    "evening",
    "tournament",
]
