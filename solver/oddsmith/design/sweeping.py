"""Solves a game over a grid of settings, by several processes or on a cluster. A store keeps the solved points."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from oddsmith.api import LoadedRuleset, draw_sweep, open_answer_store, share_tasks
from oddsmith.base.dataframes import html_heading, html_table, table_of_records
from oddsmith.base.errors import ExportError, InputError, SettingError
from oddsmith.base.exact import DIGITS, Number, short_repr
from oddsmith.ruleset.model import SETTING_NAMES, Setting

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from oddsmith.base.progress import Progress
    from oddsmith.ruleset.model import Ruleset


LOST = "the process that solved it was ended from outside, perhaps because memory ran out"
PLACES = 4  # decimal places of the numbers in a notebook


@dataclass(frozen=True)
class Point:
    """One setting of a sweep, with the data of its solution; if there is none, ``problem`` is the reason."""

    settings: Mapping[str, Any]
    data: Mapping[str, Any] | None
    problem: str = ""


@dataclass(frozen=True, repr=False)
class Sweep:
    """The solutions of a ruleset over a grid of settings. ``varied``: the names of the varied settings; ``points``: one
    for each setting, in the order of the grid.
    """

    ruleset: str
    varied: tuple[str, ...]
    points: tuple[Point, ...]

    def __repr__(self) -> str:
        solved = sum(point.data is not None for point in self.points)
        return short_repr(self, f"{self._title_words}: {solved} of {len(self.points)} solved")

    @property
    def _title_words(self) -> str:
        return f"{self.ruleset} over {' and '.join(self.varied)}"

    def _repr_html_(self) -> str:
        records = self.records(PLACES)
        names = [name for name in records[0] if any(record[name] is not None for record in records)]
        shown = [name for name in names if not name.endswith("_exact")]
        lines = [[record[name] for name in shown] for record in records]
        return html_heading(self._title_words) + html_table(shown, lines, row_noun="setting")

    def _column_groups_by_setting(self, decimals: int) -> Iterator[tuple[dict[str, Any], ...]]:
        """Yield a tuple for each setting. It has a dictionary for each group of columns: the cells by the names of
        columns.
        """
        for point in self.points:
            data = point.data or {"values": [], "lengths": {}, "measures": {}, "thresholds": {}}
            values = {
                f"value_{seat}": _decimal_from_json(value, decimals) for seat, value in enumerate(data["values"], 1)
            }
            exact = {f"value_{seat}_exact": value["exact"] for seat, value in enumerate(data["values"], 1)}
            asked = {**data["lengths"], **data["measures"]}
            spans = {
                f"{phase}_{end}": number
                for phase, span in data["thresholds"].items()
                for end, number in zip(("from", "to"), span, strict=True)
            }
            yield (
                dict(point.settings),
                {name: data.get(name) for name in ("states", "grade")},
                values,
                exact,
                {name: _decimal_from_json(number, decimals) for name, number in asked.items()},
                spans,
                {"problem": point.problem or None},
            )

    def records(self, digits: int = DIGITS) -> list[dict[str, Any]]:
        """Return a record for each setting: the varied settings, sizes, values (as decimals and as fractions), lengths,
        measures and thresholds, by the names of columns.
        """
        lines = list(self._column_groups_by_setting(digits))
        names = dict.fromkeys(name for group in zip(*lines, strict=True) for part in group for name in part)
        flat = [{name: cell for part in line for name, cell in part.items()} for line in lines]
        return [{name: line.get(name) for name in names} for line in flat]

    def table(self, table_type: str | None = None) -> Any:
        """Return the sweep as a pandas or polars ``DataFrame``, whichever is installed, else as a list of records.

        ``table_type``: the type to return instead: ``pandas``, ``polars`` or ``records``. The columns are those of
        ``records``. Raises ExportError.
        """
        records = self.records()
        return table_of_records(records, table_type)

    def plot(self, *columns: str) -> Figure:
        """Draw columns over the first varied setting, as a figure of matplotlib. There is a line for each combination of
        the other varied settings.

        ``columns``: as in ``table``, such as ``value_2`` or ``turns``; by default the value of seat 1. Raises ExportError
        if there is no such column, or if matplotlib is not installed.

        >>> oddsmith.sweep("piglet", {"target": range(2, 6)}).plot().axes[0].get_xlabel()
        'target'
        """
        return draw_sweep(self.records(), self.varied, columns or ("value_1",), self._title_words)

    def export(self, file_format: str | None = None, file: str | Path | None = None) -> bytes:
        """Return the sweep as a table in csv, json or parquet, or as a page with pictures in html. ``file_format``: the
        format; by default the suffix of the file.

        If ``file`` is given, the table is also written to it. Raises ExportError, UnwritableError.
        """
        from oddsmith.base.files import write_named_file

        file_format = file_format or (Path(file).suffix[1:].lower() if file else "")
        if file_format not in _WRITERS:
            raise ExportError(f"name a format ({', '.join(_WRITERS)}), or a file that ends in one")
        data = _WRITERS[file_format](self)
        if file is not None:
            write_named_file(Path(file), data)
        return data


def _decimal_from_json(number: Mapping[str, str | None] | None, decimals: int) -> str | None:
    return None if number is None else Number.from_json(number).decimal(decimals)


def sweep(
    book: LoadedRuleset | str | Path,
    varied: Mapping[str, Iterable[Any]],
    *,
    jobs: int = 1,
    cluster: Any = None,
    store: str | Path | None = None,
    progress: Progress | None = None,
) -> Sweep:
    """Solve a ruleset at every setting of a grid. The point of a setting that is refused has the reason instead of data.

    ``varied``: settings with their values: parameters by name, ``seats``, ``objective``, and ``variant`` (empty for the
    plain game). All other settings are those of ``book``. ``jobs``: the number of processes; a script that asks for
    several needs ``if __name__ == "__main__"``. ``cluster``: a running Dask cluster to use instead, by its address or
    as a client of it. ``store``: a folder that keeps points; with it, a sweep that was stopped can continue.
    ``progress`` is called with the name of the work, the amount done, and the total amount. Raises SettingError,
    InputError, RulesetError, UnwritableError.

    >>> oddsmith.sweep(oddsmith.load("rogues-gambit").at(seats=2), {"coins_each": range(5, 8)})
    Sweep(rogues-gambit over coins_each: 3 of 3 solved)
    """
    book = book if isinstance(book, LoadedRuleset) else LoadedRuleset.open(book)
    ruleset = book.ruleset
    grid = _grid_settings(ruleset, varied, choices_by_name(book.setting, "a sweep"))
    points = solved_points(ruleset, grid, jobs, cluster, store, progress)
    return Sweep(ruleset.id, tuple(varied), tuple(points))


def solved_points(
    ruleset: Ruleset,
    grid: Sequence[Mapping[str, Any]],
    jobs: int = 1,
    cluster: Any = None,
    store: str | Path | None = None,
    progress: Progress | None = None,
    lone_policy: LonePolicy | None = None,
) -> list[Point]:
    """Return a point for each setting in ``grid``, in this order. A point comes from the store, or is solved.

    ``jobs``, ``cluster``: as for ``share_tasks``. ``lone_policy``: a policy, and the only seat (from 1) that plays by
    it; the value to that seat is then in the data of each point under ``alone``.
    """
    kept = open_answer_store(Path(store)) if store else None
    found: dict[int, Point] = {}
    todo = list[tuple[int, str]]()
    for number, settings in enumerate(grid):
        try:
            name = _point_store_key(ruleset, complete_setting(ruleset, settings), lone_policy)
        except InputError as error:
            found[number] = Point(settings, None, str(error))
            continue
        known = kept.get(name) if kept else None
        if known is not None:
            found[number] = Point(settings, json.loads(known))
        else:
            todo.append((number, name))
    names = dict(todo)
    tasks = [
        (number, ruleset.source.file, ruleset.source.text, tuple(grid[number].items()), lone_policy) for number in names
    ]
    for (number, *_), answer in share_tasks(_solve_point, tasks, jobs, cluster):
        data, problem = answer or (None, LOST)
        found[number] = Point(grid[number], data, problem)
        if kept and data is not None:
            kept.put(names[number], json.dumps(data).encode())
        if progress:
            progress(f"solving {ruleset.id}", len(found), len(grid))
    return [found[number] for number in range(len(grid))]


LonePolicy = tuple[str, int]
"""The policy of the only seat that does not play optimally (see ``report.policy.value_alone``), and that seat."""

Task = tuple[int, str, str, tuple[tuple[str, Any], ...], LonePolicy | None]
"""The index of a point, the file of the ruleset, its text (for a computer without the file), the settings, and the
policy of a lone seat, if any.
"""

Found = tuple[dict[str, Any] | None, str]
"""The data of a point, or None and the reason."""


def _grid_settings(
    ruleset: Ruleset, varied: Mapping[str, Iterable[Any]], fixed: Mapping[str, Any]
) -> list[dict[str, Any]]:
    if not varied:
        raise SettingError("a sweep needs something that varies: seats, objective, variant or a parameter")
    values = {name: list(given) for name, given in varied.items()}
    for name, given in values.items():
        if name not in SETTING_NAMES and name not in ruleset.parameters:
            known = ", ".join([*SETTING_NAMES, *ruleset.parameters])
            raise SettingError(f"{ruleset.id} has no parameter {name}: what can vary is {known}")
        if not given:
            raise SettingError(f"{name} varies over nothing")
    return [{**fixed, **dict(zip(values, point, strict=True))} for point in product(*values.values())]


def choices_by_name(setting: Setting, operation: str) -> dict[str, Any]:
    """Return what a setting fixes as a dictionary: ``seats``, ``objective``, ``variant`` and parameters, by name.

    What the setting leaves open is left out. ``operation``: the name of the operation, for the error. Raises
    SettingError if the setting has several variants.
    """
    own = {"seats": setting.seats, "objective": setting.objective, "variant": setting.single_variant(operation)}
    return {**setting.values, **{name: value for name, value in own.items() if value}}


def complete_setting(ruleset: Ruleset, choices: Mapping[str, Any]) -> Setting:
    """Return the setting for choices by name, with the defaults of the ruleset for the number of seats and the
    objective.

    Raises SettingError, ObjectiveError.
    """
    from oddsmith.ruleset import bind
    from oddsmith.solve import objective_name

    if "seats" in choices:
        ruleset.refuse_disallowed_seat_count(choices["seats"])
    setting = Setting().with_changes(choices)
    game = bind(ruleset, setting)
    return replace(setting, seats=game.seats, objective=objective_name(game, setting.objective))


def _point_store_key(ruleset: Ruleset, setting: Setting, lone_policy: LonePolicy | None) -> str:
    """Return the name under which a store keeps a point: a hash of everything that the point depends on."""
    from oddsmith.report.answers import store_key

    asked = json.dumps([store_key(ruleset, setting), *lone_policy]) if lone_policy else store_key(ruleset, setting)
    return hashlib.sha256(b"point " + asked.encode()).hexdigest()


def _solve_point(task: Task) -> Found:
    """Solve the game of a point in a separate process. Return its data and an empty text; if it cannot be solved, None
    and the reason.

    The data are plain, because a solution is too large to be sent.
    """
    from threadpoolctl import threadpool_limits

    from oddsmith.base.location import Source
    from oddsmith.report.policy import (
        secret_sweep_point_data,
        secret_value_of_deviation,
        sweep_point_data,
        value_of_deviation,
    )
    from oddsmith.ruleset import bind
    from oddsmith.ruleset.reading import read_ruleset
    from oddsmith.solve import solve
    from oddsmith.solve.extensive import solve_secrets

    _, file, text, settings, lone = task
    try:
        with threadpool_limits(1):
            ruleset, _ = read_ruleset(Source(file, text))
            setting = complete_setting(ruleset, dict(settings))
            game = bind(ruleset, setting)
            if ruleset.has_secrets:
                secret = solve_secrets(game, setting.objective)
                more = {"alone": secret_value_of_deviation(secret, *lone).to_json()} if lone else {}
                return {**secret_sweep_point_data(secret), **more}, ""
            solution = solve(game, setting.objective)
            more = {"alone": value_of_deviation(solution, *lone).to_json()} if lone else {}
            return {**sweep_point_data(solution), **more}, ""
    except InputError as error:
        return None, str(error)


# --- files


def _csv_bytes(sweep: Sweep) -> bytes:
    stream = io.StringIO()
    records = sweep.records()
    writer = csv.DictWriter(stream, list(records[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)
    return stream.getvalue().encode()


def _json_bytes(sweep: Sweep) -> bytes:
    points = [{"settings": dict(each.settings), "data": each.data, "problem": each.problem} for each in sweep.points]
    data = {"ruleset": sweep.ruleset, "varied": list(sweep.varied), "points": points}
    return (json.dumps(data, indent=1, ensure_ascii=False) + "\n").encode()


def _parquet_bytes(sweep: Sweep) -> bytes:
    from oddsmith.report.export import import_pyarrow

    pa, parquet = import_pyarrow()
    stream = io.BytesIO()
    parquet.write_table(pa.Table.from_pylist(sweep.records()), stream)
    return stream.getvalue()


def _html_bytes(sweep: Sweep) -> bytes:
    from oddsmith.publish.pages import grid_page

    points = [(each.settings, each.data, each.problem) for each in sweep.points]
    return grid_page(f"{sweep.ruleset}: a sweep", sweep.varied, points, sweep.records(PLACES))


_WRITERS = {"csv": _csv_bytes, "json": _json_bytes, "parquet": _parquet_bytes, "html": _html_bytes}
