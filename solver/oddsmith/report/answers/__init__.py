"""What every writer starts from: an ``Account`` of a ruleset, with an ``Answer`` for each of its games.

An answer computes its parts when they are asked for. A ``Store`` keeps answers between builds.
"""

from oddsmith.report.answers.accounts import Account, Answers, account, coming, numbers_of, settings
from oddsmith.report.answers.answers import Answer, answer, answered
from oddsmith.report.answers.names import engine, name_of
from oddsmith.report.answers.packing import whole
from oddsmith.report.answers.shipped import Shipped, to_ship
from oddsmith.report.answers.store import Store

__all__ = [
    "Account",
    "Answer",
    "Answers",
    "Shipped",
    "Store",
    "account",
    "answer",
    "answered",
    "coming",
    "engine",
    "name_of",
    "numbers_of",
    "settings",
    "to_ship",
    "whole",
]
