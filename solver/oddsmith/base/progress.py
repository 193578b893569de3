"""How long work tells how far it has come."""

from __future__ import annotations

from collections.abc import Callable

PRIOR = 20  # solved stages outweigh that guess when they are more than one in so many of the work
MINUTE, HOUR = 60, 3600

Progress = Callable[[str, int, int], None]
"""Takes what is being done, how much of it is done, and how much there is so far."""


def silent(what: str, done: int, total: int) -> None:
    """Tell nobody."""


class Clock:
    """Tells the time that is left: by a guess, and the better the more stages are solved.

    ``work``: of all stages; ``guess``: seconds that all of it may take.
    """

    def __init__(self, work: int, guess: float) -> None:
        self.work, self.guess, self.done, self.spent = work, guess, 0, 0.0

    def solved(self, work: int, seconds: float) -> None:
        """A stage took so long."""
        self.done += work
        self.spent += seconds

    def seconds(self, part: float = 0) -> float:
        """What is left when such a part of the work of a stage is done as well."""
        rate = (self.guess / PRIOR + self.spent) / max(self.work / PRIOR + self.done, 1)
        return (self.work - self.done - part) * rate

    def left(self, part: float) -> str:
        """The remaining time in words."""
        return f"{lasting(self.seconds(part))} left"


def lasting(seconds: float) -> str:
    """About how long something takes, in words."""
    if seconds < MINUTE:
        return "less than a minute"
    return f"about {seconds / MINUTE:.0f} min" if seconds < 2 * HOUR else f"about {seconds / HOUR:.0f} h"
