"""Export states, values, policies and graphs in formats of other programs, as bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from oddsmith.base.errors import ExportError, SettingError

if TYPE_CHECKING:
    from oddsmith.base.progress import Progress
    from oddsmith.graph import StateGraph
    from oddsmith.ruleset import Game
    from oddsmith.solve import Solution
    from oddsmith.solve.extensive import SecretSolution


FORMATS = ("csv", "parquet", "json", "graphml", "dot", "drn", "prism", "efg")
GRAPHS = ("graphml", "dot", "prism")


def export_format_of_file(file: Path | str | None) -> str:
    """Return the format that the ending of a file's name stands for. Raises ExportError if it is not in ``FORMATS``."""
    form = Path(file).suffix[1:].lower() if file else ""
    if form not in FORMATS:
        raise ExportError(f"name a format ({', '.join(FORMATS)}), or a file that ends in one")
    return form


def nondeterministic_seat(seats: int, policies: Mapping[int, str] | None, requested_seat: int | None) -> int:
    """Return the seat (from 1) whose choices remain nondeterministic in a file for Storm; 0 for none.

    ``policies``: the policies of seats (from 1). ``requested_seat``: the requested seat. If it is None, the result is 1
    if the game has a single seat without a policy, else 0. Raises SettingError if there is no such seat, or if it has a
    policy.
    """
    if requested_seat is None:
        requested_seat = int(seats == 1 and not policies)
    if requested_seat > seats:
        raise SettingError(f"there is no seat {requested_seat}: the seats are 1 to {seats}")
    if requested_seat and requested_seat in (policies or {}):
        raise SettingError(f"the choices of seat {requested_seat} stay open: give it no --policy")
    return requested_seat


def explore_graph(
    game: Game, objective: str | None = None, symmetry: bool = True, progress: Progress | None = None
) -> StateGraph:
    """Return the graph of a game's states, without solving it. Raises ObjectiveError, PlayError, TooManyStatesError."""
    from oddsmith.graph import Explorer, refuse_endless
    from oddsmith.graph.reductions import ReductionOptions
    from oddsmith.solve import entries_in_questions, objective_name

    explorer = Explorer(
        game, objective_name(game, objective), entries_in_questions(game), ReductionOptions(symmetry=symmetry)
    )
    graph = explorer.explore(progress)[0]
    refuse_endless(graph)
    return graph


def export_graph(graph: StateGraph, export_format: str) -> bytes:
    """Return a graph in the format ``graphml``, ``dot``, ``prism`` or ``drn``, without any policy.

    ``drn``, for Storm, is the Markov decision process of a game with a single seat.
    """
    from oddsmith.graph.export import dot, drn, graphml, prism

    if export_format == "drn":
        return drn(graph, choosing_seat=1)
    return {"dot": dot, "graphml": graphml, "prism": prism}[export_format](graph)


def export_tree(game: Game, objective: str | None = None, progress: Progress | None = None) -> bytes:
    """Return the tree of a game in the EFG format, without solving the game. Raises ExportError, ObjectiveError,
    PlayError.
    """
    from oddsmith.base.progress import ignore_progress
    from oddsmith.report.export import game_tree_efg
    from oddsmith.solve import objective_name

    return game_tree_efg(game, objective_name(game, objective), progress or ignore_progress)


def export_secret_solution(solution: SecretSolution, export_format: str, digits: int) -> bytes:
    """Return a solved game with secrets in the format ``export_format``. ``digits``: decimal places in JSON and in the
    metadata of parquet. Raises ExportError.
    """
    from oddsmith.report.export import decisions_csv, decisions_parquet, game_tree_efg

    if export_format == "efg":
        return game_tree_efg(solution.game, solution.objective)
    about = solution.to_json(digits)
    if export_format == "json":
        return f"{json.dumps(about, indent=2, ensure_ascii=False)}\n".encode()
    if export_format == "parquet":
        return decisions_parquet(solution.decisions(), {name: about[name] for name in about if name != "decisions"})
    refuse_format_for_secrets(solution.game.ruleset.id, export_format)
    return decisions_csv(solution.decisions())


def _refuse_unknown_format(export_format: str) -> None:
    if export_format not in FORMATS:
        raise ExportError(f"there is no format {export_format}: name one of {', '.join(FORMATS)}")


def refuse_format_for_secrets(ruleset_id: str, export_format: str) -> None:
    """Raise ExportError if a format is unknown, or if it would show the positions of a game with secrets as if all
    seats saw them. ``ruleset_id``: the id of the game's ruleset.
    """
    _refuse_unknown_format(export_format)
    if export_format in (*GRAPHS, "drn"):
        raise ExportError(
            f"{ruleset_id} has secrets or choices made at once, and {export_format} has positions that everybody sees: "
            "efg has the game as a tree with what each seat knows, and csv, parquet and json have its decisions"
        )


def export_solution(solution: Solution, export_format: str, digits: int, seat: int | None = None) -> bytes:
    """Return a solved game in the format ``export_format``. ``digits``: decimal places. ``seat``: the seat (from 1)
    whose choices remain nondeterministic in the format ``drn``. Raises ExportError, SettingError.
    """
    from oddsmith.report.export import csv_bytes, json_bytes, parquet_bytes, storm_drn_bytes

    _refuse_unknown_format(export_format)
    if export_format == "efg":
        return export_tree(solution.graph.game, solution.graph.objective)
    if export_format in GRAPHS:
        return export_graph(solution.graph, export_format)
    if export_format == "drn":
        seat, seats = nondeterministic_seat(solution.graph.seats, solution.named_policies, seat), solution.graph.seats
        return export_graph(solution.graph, export_format) if seat == seats == 1 else storm_drn_bytes(solution, seat)
    return {"csv": csv_bytes, "json": json_bytes, "parquet": parquet_bytes}[export_format](solution, digits)
