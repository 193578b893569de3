"""Contests between policies: what policies get against each other, best responses to them, and what an evening of many
games brings a player.
"""

from oddsmith.report.contests.evenings import Evening, EveningResult, Matchup, evaluate_evening
from oddsmith.report.contests.tables import BestResponse, best_response
from oddsmith.report.contests.tournament import Tournament, play_tournament

__all__ = [
    "BestResponse",
    "Evening",
    "EveningResult",
    "Matchup",
    "Tournament",
    "best_response",
    "evaluate_evening",
    "play_tournament",
]
