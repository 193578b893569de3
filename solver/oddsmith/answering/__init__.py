"""Answers to questions about a ruleset's text, part by part as plain data: what a page shows, whoever computes it."""

from oddsmith.answering.charting import charts
from oddsmith.answering.settings import Message, Settings, bound, described, known_to, problem_told
from oddsmith.answering.solver import Question, Solver, one_game

__all__ = [
    "Message",
    "Question",
    "Settings",
    "Solver",
    "bound",
    "charts",
    "described",
    "known_to",
    "one_game",
    "problem_told",
]
