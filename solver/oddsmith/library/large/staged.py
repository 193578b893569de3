"""A game solved by stages that answers questions: what ``Staged`` knows, and what following best play tells."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property

from oddsmith.errors import MeasureError
from oddsmith.exact import Number
from oddsmith.progress import Progress
from oddsmith.solve.stages import Staged


@dataclass
class StagedGame(Staged):
    """A game solved by stages, with what can be asked of it. ``LoadedRuleset.by_stages`` makes one.

    What follows best play takes about as long as solving did, and is worked out only where it is asked for.
    """

    @staticmethod
    def of(found: Staged) -> StagedGame:
        """The same game."""
        return StagedGame(*(getattr(found, each.name) for each in fields(found)))

    @property
    def measures(self) -> dict[str, Number]:
        """The answers to the ruleset's own questions, by name, proven; chances are between 0 and 1.

        >>> oddsmith.load("column-race").by_stages(shortest=1).measures["Turns lost in a game"].decimal(10)
        '0.2979481898'
        """
        return {name: found for name, found in self._answers.items() if isinstance(found, Number)}

    @property
    def unanswered(self) -> dict[str, str]:
        """The ruleset's questions that have no answer by stages or at these settings, and why."""
        return {name: str(found) for name, found in self._answers.items() if isinstance(found, MeasureError)}

    @cached_property
    def _answers(self) -> dict[str, Number | MeasureError]:
        return self.answered()

    def answered(self, report: Progress | None = None) -> dict[str, Number | MeasureError]:
        """Both together. ``report``: takes how far the work has come."""
        from oddsmith.solve.stages.along import measures

        return measures(self, report)
