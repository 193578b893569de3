"""A game solved by stages that answers questions: what ``Staged`` knows, and what following best play tells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from oddsmith.base.arrays import Ints, Mask
from oddsmith.base.errors import MeasureError, PositionError
from oddsmith.base.exact import Number
from oddsmith.base.progress import Progress
from oddsmith.graph import Explorer
from oddsmith.ruleset import Game, State
from oddsmith.solve import objective_of
from oddsmith.solve.staged import Staged

if TYPE_CHECKING:
    from oddsmith.api.notebooks import Actions, Chances
    from oddsmith.api.positions import Fixed, Position
    from oddsmith.report.policy import Outline
    from oddsmith.solve import Solution


MOST_TOGETHER = 200_000  # positions whose thresholds are told together


@dataclass
class StagedGame(Staged):
    """A game solved by stages, with what can be asked of it. ``LoadedRuleset.by_stages`` makes one.

    What follows best play takes about as long as solving did, and is worked out only where it is asked for.
    """

    @staticmethod
    def of(found: Staged) -> StagedGame:
        """The same game."""
        return StagedGame(*(getattr(found, each.name) for each in fields(found)))

    # --- what to do

    def position(self, position: str | Mapping[str, Any] | State = "", /, **variables: Any) -> Position:
        """The state that a position means, as ``SolvedGame.position`` takes it. Raises PositionError."""
        from oddsmith.api.positions import asked_position

        return asked_position(self, position, variables)

    def advise(self, position: str | Mapping[str, Any] | State = "", /, **variables: Any) -> Actions:
        """Every action of a position, the best first: its worth to the mover, and what it loses.

        Raises PositionError, NotKeptError.

        >>> oddsmith.load("pig").by_stages(target=6).advise(pot=3)[0].action
        'Throw again'
        """
        from oddsmith.api.notebooks import Actions

        return Actions(super().advise(self.position(position, **variables).state))

    def chances(self, position: str | Mapping[str, Any] | State = "", /, **variables: Any) -> dict[str, Number]:
        """The actions that are mixed in a position, each with its chance; empty where one is taken. Raises as ``advise``."""
        return super().chances(self.position(position, **variables).state)

    def write_table(self, file: str | Path, where: str = "", digits: int = 12, report: Progress | None = None) -> int:
        """Write positions, what to do and values as CSV, in the columns of ``SolvedGame.export``; how many lines were written.

        Stages are written one after another, as play comes to them. ``where``: what the positions have in common, such as
        ``phase=decide, pot=12``. ``digits``: decimal places. Raises PositionError, UnwritableError, NotKeptError.
        """
        from oddsmith.base.files import write_parts
        from oddsmith.report.export import csv_parts

        lines = 0

        def counted() -> Iterator[Solution]:
            nonlocal lines
            for part in self._parts(where, report):
                lines += part.graph.states
                yield part

        write_parts(Path(file), csv_parts(counted(), digits))
        return lines

    def certificate(self, file: str | Path, packed: bool | None = None, report: Progress | None = None) -> int:
        """Write the proof of the values, stage by stage, for somebody who trusts no solver; how many bytes were written.

        ``packed``: gzipped; by default where the file's name ends in ``.gz``. ``LoadedRuleset.certify`` checks it. Raises
        UncertifiableError where it was solved to fewer than 40 digits or so, UnwritableError, NotKeptError.
        """
        from oddsmith.base.files import write_parts
        from oddsmith.report.export import staged_certificate

        written = 0

        def counted() -> Iterator[bytes]:
            nonlocal written
            for part in staged_certificate(self, Path(file).suffix == ".gz" if packed is None else packed, report):
                written += len(part)
                yield part

        write_parts(Path(file), counted())
        return written

    def outline(self, where: str = "") -> Outline:
        """What best play does in each choice, in all positions that have something in common, such as ``score[1]=3``.

        Whether best play comes to them is not looked at. Raises PositionError where there are none or too many, NotKeptError.

        >>> oddsmith.load("pig").by_stages(target=6).outline("score[1]=3").choices[0].lines
        ('Throw again wherever there is a choice',)
        """
        from oddsmith.report.policy import outline

        return outline(self._gathered(where), rules=False)

    def thresholds(self, where: str = "", phase: str | None = None, kind: str | None = None) -> Any:
        """From where on another action is best, in positions that have something in common, as ``SolvedGame.thresholds`` tells.

        Raises PositionError where there are none or too many, ExportError, NotKeptError.
        """
        from oddsmith.api.notebooks import thresholds

        return thresholds(self._gathered(where), phase, kind)

    def _gathered(self, where: str) -> Solution:
        """All positions with something in common, as one solution."""
        found, count = list[Ints](), 0
        for keys in self._fitting(where, None):
            found.append(keys)
            count += keys.shape[1]
            if count > MOST_TOGETHER:
                raise PositionError(
                    f"there are over {MOST_TOGETHER:,} such positions: name more that they have in common"
                )
        return self.part_of(np.concatenate(found, axis=1))

    def _parts(self, where: str, report: Progress | None) -> Iterator[Solution]:
        """Positions with something in common as solutions of their own."""
        return map(self.part_of, self._fitting(where, report))

    def _fitting(self, where: str, report: Progress | None) -> Iterator[Ints]:
        """The keys of positions with something in common, some at a time. PositionError where there are none."""
        from oddsmith.api.positions import fixed_by

        fixed, sizes, before, found = (
            fixed_by(self, where),
            {stage: each.states for stage, each in self.summaries.items()},
            0,
            False,
        )
        held = {cell: self.explorer.codec.code(cell, value) for cell, value in fixed.cells.items()}
        for stage in reversed(self.schedule.order):
            done = before
            for keys in self.schedule.positions(stage, held):
                fitting = keys[:, self._fits(keys, fixed)]
                if fitting.shape[1]:
                    found = True
                    yield fitting
                done += keys.shape[1]
                if report:
                    report("writing", done, self.states)
            before += sizes[stage]
            self.schedule.records.drop(stage)
        if not found:
            raise PositionError(f"play never comes to a position with {where}")

    def _fits(self, keys: Ints, fixed: Fixed) -> Mask:
        codec = self.explorer.codec
        cells, phase, _ = codec.decode(keys)
        fits: Mask = np.ones(keys.shape[1], dtype=bool)
        if fixed.phase is not None:
            fits &= phase == codec.phases.index(fixed.phase)
        for where, value in fixed.cells.items():
            fits &= cells[where] == codec.code(where, value)
        return fits

    # --- what it brings

    def distribution(
        self,
        what: str,
        seat: int | None = None,
        given: tuple[str, str] | None = None,
        report: Progress | None = None,
        *,
        jobs: int = 1,
        cluster: Any = None,
    ) -> Chances:
        """Every value that a number of the game can take, with its chance, asked as ``SolvedGame.distribution`` is.

        Where a turn is the same on every sheet, its end is worked out for each sheet, by ``jobs`` processes or a ``cluster`` as
        in ``oddsmith.sweep``. Else all positions that best play comes to are in memory together. ``report``: takes how far
        following it has come. Raises DistributionError, MeasureError, NotKeptError, InputError, SolveError.

        >>> oddsmith.load("pig").by_stages(target=6).distribution("turns").at_most(1).decimal(10)
        '0.7083333333'
        """
        from oddsmith.api.asking import asked_distribution
        from oddsmith.api.notebooks import Chances
        from oddsmith.api.workers import crew
        from oddsmith.solve.questions import distribution
        from oddsmith.solve.staged import best_play

        name, its_seat, condition = asked_distribution(what)
        with crew(jobs, cluster) as share:
            plays = best_play(self, report, share)
            law = distribution(plays, name, its_seat if seat is None else seat, given or condition)
        return Chances.of(law)

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
        from oddsmith.solve.staged import measures

        return measures(self, report)


@dataclass(frozen=True)
class _Unsolved:
    """A game before it is solved: any state may be one that play comes to."""

    game: Game
    carried: frozenset[int]

    def find(self, state: State) -> int:  # noqa: ARG002 - nothing is known yet
        """A number for any state."""
        return 0


def refuse_words(
    game: Game, objective: str | None, state: str | None, where: str, distributions: Sequence[str], digits: int | None
) -> None:
    """Look at what will be asked of a game before hours go into solving it: the words name what the game has.

    Whether play comes to a ``state``, and to positions ``where`` something holds, is known only afterwards. ``digits``: of
    values that a certificate is to prove. Raises ObjectiveError, PositionError, DistributionError, UncertifiableError.
    """
    from oddsmith.api.asking import asked_distribution
    from oddsmith.api.positions import fixed_by, position_of
    from oddsmith.report.export import refuse_few
    from oddsmith.solve.questions import refuse_unknown

    if digits is not None:
        refuse_few(digits)
    objective = objective_of(game, objective)
    unsolved = _Unsolved(game, Explorer(game, objective).codec.carried)
    if state is not None:
        position_of(unsolved, state)
    fixed_by(unsolved, where)
    for text in distributions:
        refuse_unknown(game, objective, *asked_distribution(text))
