"""What every writer starts from: an ``Account`` of a ruleset, with an ``Answer`` for each of its games.

An answer computes its parts when they are asked for. A ``Store`` keeps answers between builds.
"""

from oddsmith.report.answers.accounts import Account, Answers, Progress, account, coming, settings
from oddsmith.report.answers.answers import Answer
from oddsmith.report.answers.store import Store, engine, name_of, whole

__all__ = [
    "Account",
    "Answer",
    "Answers",
    "Progress",
    "Store",
    "account",
    "coming",
    "engine",
    "name_of",
    "settings",
    "whole",
]
