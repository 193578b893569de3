"""A game as a bet, and what would make it even: a head start, the exact place where one more roll pays, and what rolling on
risks."""

from oddsmith.report.balance.breakeven import BreakEven, OneMore, break_even, one_more
from oddsmith.report.balance.handicap import Handicap, handicap
from oddsmith.report.balance.rolling import RollingOn, rolling_on
from oddsmith.report.balance.wager import Wager, wager

__all__ = [
    "BreakEven",
    "Handicap",
    "OneMore",
    "RollingOn",
    "Wager",
    "break_even",
    "handicap",
    "one_more",
    "rolling_on",
    "wager",
]
