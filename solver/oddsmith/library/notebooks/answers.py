"""Answers that a notebook shows: they are tuples, lists and distributions, and do no more than show and draw themselves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Self

from oddsmith.exact import Number, fraction_text
from oddsmith.frames import frame, html_table
from oddsmith.outcomes import Distribution

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from oddsmith.report.facts import Unit
    from oddsmith.solve import Advice

PLACES = 6


class Values(tuple[Number, ...]):
    """What each seat gets: a tuple of numbers, seat 1 first.

    >>> piglet.values
    (Number(4/7), Number(3/7))
    """

    _unit: Unit | None
    _names: tuple[str, ...]

    def __new__(cls, numbers: Iterable[Number], unit: Unit | None = None, names: Iterable[str] = ()) -> Self:
        made = super().__new__(cls, numbers)
        made._unit = unit
        made._names = tuple(names) or tuple(f"seat {seat}" for seat in range(1, len(made) + 1))
        return made

    def _repr_html_(self) -> str:
        lines = [[name, value.decimal(), value.grade] for name, value in zip(self._names, self, strict=True)]
        return html_table(["", self._unit.heading if self._unit else "value", ""], lines)

    def table(self, kind: str | None = None) -> Any:
        """A line for each seat: its value as a decimal and as a fraction, None where that is not known.

        ``kind``: as for ``SolvedGame.table``. Raises ExportError.
        """
        lines = [
            [name, value.decimal(), None if value.exact is None else fraction_text(value.exact)]
            for name, value in zip(self._names, self, strict=True)
        ]
        return frame(["seat", "value", "exact"], lines, kind)

    def plot(self) -> Figure:
        """A bar for each seat, as a figure of matplotlib. Raises ExportError where that is not installed."""
        from oddsmith.library.notebooks.pictures import of_each_seat

        return of_each_seat(dict(zip(self._names, self, strict=True)), self._unit)


class Actions(list["Advice"]):
    """Every action of a position, the best first: a list of ``Advice``."""

    def _repr_html_(self) -> str:
        lines = [
            [each.action, each.value.decimal(PLACES), "best" if each.best else f"loses {each.loss.decimal(PLACES)}"]
            for each in self
        ]
        return html_table(["action", "value", ""], lines)

    def table(self, kind: str | None = None) -> Any:
        """A line for each action: its value to the player to move, what it loses, and whether it is best.

        ``kind``: as for ``SolvedGame.table``. Raises ExportError.
        """
        lines = [[each.action, each.value.decimal(), each.loss.decimal(), each.best] for each in self]
        return frame(["action", "value", "loss", "best"], lines, kind)


@dataclass(frozen=True, repr=False)
class Chances(Distribution):
    """A distribution that can be drawn."""

    @classmethod
    def of(cls, law: Distribution) -> Chances:
        """The same distribution, so that it can be drawn."""
        return Chances(**{field.name: getattr(law, field.name) for field in fields(Distribution)})

    def plot(self) -> Figure:
        """The chances as bars, or as a curve where values are many, as a figure of matplotlib.

        Raises ExportError where that is not installed.

        >>> piglet.distribution("turns").plot().axes[0].get_xlabel()
        'turns'
        """
        from oddsmith.library.notebooks.pictures import of_a_law

        return of_a_law(self)
