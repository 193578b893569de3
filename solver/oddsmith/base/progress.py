"""How long work reports its progress."""

from __future__ import annotations

from collections.abc import Callable

PRIOR = 20  # solved stages outweigh that guess when they are more than one in so many of the work
MINUTE, HOUR = 60, 3600

Progress = Callable[[str, int, int], None]
"""Takes the name of the work, how much of it is done, and how much there is so far."""


def silent(what: str, done: int, total: int) -> None:
    """Report nothing."""


class Clock:
    """Estimates the time that is left, from a guess and from the stages solved so far.

    ``work``: the work of all stages; ``guess``: seconds that all of it may take.
    """

    def __init__(self, work: int, guess: float) -> None:
        self.work, self.guess, self.done, self.spent = work, guess, 0, 0.0

    def record_stage(self, work: int, seconds: float) -> None:
        """Record the work of a stage and the seconds that it took."""
        self.done += work
        self.spent += seconds

    def seconds_left(self, part: float = 0) -> float:
        """Return the seconds left once ``part`` of the work of the next stage is done."""
        rate = (self.guess / PRIOR + self.spent) / max(self.work / PRIOR + self.done, 1)
        return (self.work - self.done - part) * rate

    def left_in_words(self, part: float) -> str:
        """Return the remaining time in words."""
        return f"{duration_text(self.seconds_left(part))} left"


def duration_text(seconds: float) -> str:
    """Return in words about how long something takes."""
    if seconds < MINUTE:
        return "less than a minute"
    return f"about {seconds / MINUTE:.0f} min" if seconds < 2 * HOUR else f"about {seconds / HOUR:.0f} h"
