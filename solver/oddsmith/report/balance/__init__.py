"""What would make a game even: a head start, the price of a bet, and the exact place where one more roll pays."""

from oddsmith.report.balance.breakeven import BreakEven, break_even
from oddsmith.report.balance.handicap import Handicap, handicap
from oddsmith.report.balance.wager import Wager, wager

__all__ = ["BreakEven", "Handicap", "Wager", "break_even", "handicap", "wager"]
