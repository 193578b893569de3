"""Contests: what policies get against each other, best answers to them, and what an evening of many games brings or costs."""

from oddsmith.report.contests.evenings import Evening, Result, evening
from oddsmith.report.contests.tables import BestAnswer, best_answer
from oddsmith.report.contests.tournament import Tournament, tournament

__all__ = ["BestAnswer", "Evening", "Result", "Tournament", "best_answer", "evening", "tournament"]
