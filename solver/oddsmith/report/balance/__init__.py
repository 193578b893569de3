"""A game as a bet, and what would make it even: a head start, the exact place where one more roll pays, and what rolling on
risks."""

from oddsmith.report.balance.breakeven import BreakEven, break_even
from oddsmith.report.balance.handicap import Handicap, handicap
from oddsmith.report.balance.rolling import RollingOn, rolling_on
from oddsmith.report.balance.wager import Wager, wager

__all__ = ["BreakEven", "Handicap", "RollingOn", "Wager", "break_even", "handicap", "rolling_on", "wager"]
