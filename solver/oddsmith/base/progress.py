"""Progress reports of long work, and estimates of the time that is left."""

from __future__ import annotations

from collections.abc import Callable

FIRST_GUESS_WEIGHT = 20  # solved stages outweigh the first guess once they are more than a twentieth of the work
MINUTE, HOUR = 60, 3600

Progress = Callable[[str, int, int], None]
"""A function that receives the name of the work, the amount done so far, and the whole amount."""


def ignore_progress(what: str, done: int, total: int) -> None:
    """Do nothing: a progress function for callers that want no reports."""


class TimeLeftEstimator:
    """Estimates the time that is left for solving stages, from a first guess and from the time of the stages solved so
    far.

    ``total_work``: the total amount of work of all stages. ``guessed_seconds``: the first guess of the total time, in
    seconds.
    """

    def __init__(self, total_work: int, guessed_seconds: float) -> None:
        self.work, self.guess, self.done, self.spent = total_work, guessed_seconds, 0, 0.0

    def record_stage(self, work: int, seconds: float) -> None:
        """Add a solved stage: its amount of work, and the seconds that it took."""
        self.done += work
        self.spent += seconds

    def seconds_left(self, stage_work_done: float = 0) -> float:
        """Return the estimated time left, in seconds. ``stage_work_done``: the amount of work already done in the
        current stage.
        """
        rate = (self.guess / FIRST_GUESS_WEIGHT + self.spent) / max(self.work / FIRST_GUESS_WEIGHT + self.done, 1)
        return (self.work - self.done - stage_work_done) * rate

    def time_left_text(self, stage_work_done: float) -> str:
        """Return the estimated time left in words: ``about 5 min left``.

        ``stage_work_done``: the amount of work already done in the current stage.
        """
        return f"{duration_text(self.seconds_left(stage_work_done))} left"


def duration_text(seconds: float) -> str:
    """Return a duration in words, rounded to minutes or hours."""
    if seconds < MINUTE:
        return "less than a minute"
    return f"about {seconds / MINUTE:.0f} min" if seconds < 2 * HOUR else f"about {seconds / HOUR:.0f} h"
