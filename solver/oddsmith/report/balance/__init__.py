"""A game as a bet, and what would make it even: a head start, the exact place where one more roll pays, and what rolling on
risks.

Only formulas take algebra, which a browser solves without.
"""

from typing import TYPE_CHECKING

from oddsmith.faces import later
from oddsmith.report.balance.handicap import Handicap, handicap
from oddsmith.report.balance.rolling import RollingOn, rolling_on
from oddsmith.report.balance.stopping import OneMore
from oddsmith.report.balance.wager import Wager, wager

if TYPE_CHECKING:
    from oddsmith.report.balance.breakeven import BreakEven, break_even, one_more

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

__getattr__ = later(__name__, dict.fromkeys(("BreakEven", "break_even", "one_more"), "breakeven"))
