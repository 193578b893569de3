"""``python -m oddsmith.cli.shipping [--check] [--estimates] [ID[/SLUG] ...]``: write answers that take long, to ship
with the program.

It writes into ``answers/`` all games on the pages of the named rulesets, or the one game that a slug names, or else the
games that are there. With ``--estimates`` solved answers stay as they are. Estimates of the same rules are kept. With
``--check`` all is computed again, nothing is written, and the command fails if any bytes differ. Stages that are solved
turn by turn are kept in ``build/store``, so that a stopped run can continue.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from functools import partial
from math import inf

from threadpoolctl import threadpool_limits

from oddsmith.api import LoadedRuleset, open_answer_store, shipped_answer_store
from oddsmith.base.files import shipped_answer_files, write_folder_files
from oddsmith.base.resources import data_folder
from oddsmith.cli.common import terminal_progress
from oddsmith.report.answers import (
    ESTIMATED,
    NOTHING,
    answer_file_name_and_bytes,
    estimate_file_name_and_bytes,
    setting_slug,
    settings_to_solve,
    solved_answer,
)
from oddsmith.ruleset.model import EstimatedGame, Ruleset, Setting


def write_shipped_answers(game_names: Sequence[str], only_compare: bool = False, also_solve: bool = True) -> list[str]:
    """Write the answers that the pages of rulesets show. Return the files that are new, changed or no longer needed.

    ``game_names``: ids of rulesets, to solve all their games, or ``ID/SLUG`` for one game. Without names, and with
    ``only_compare``, only the games that have an answer are solved. ``only_compare``: whether to write nothing.
    ``also_solve``: whether to solve, and not only estimate.
    """
    folder = data_folder("answers")
    changed = []
    for wanted in game_names or sorted(path.name for path in folder.iterdir() if path.is_dir()):
        name, _, only = wanted.partition("/")
        rules = LoadedRuleset.open(name).ruleset
        before = shipped_answer_files(rules.id)
        solved = {file: data for file, data in before.items() if ESTIMATED not in file}
        made = {file: data for file, data in solved.items() if not also_solve or (only and _setting_slug(file) != only)}
        ways = [partial(_estimated_answer_file, rules, each, only_compare) for each in rules.edition.estimated_games]
        if also_solve:
            shown = [setting for part in settings_to_solve(rules, include_full=False) for setting in part]
            there = {only} if only else {*map(_setting_slug, solved)}
            every = game_names and not only and not only_compare
            ways += [
                partial(_solved_answer_file, rules, setting)
                for setting in shown
                if every or setting_slug(setting) in there
            ]
        for way in ways:
            file, data = way()
            made[file] = data
            if not only_compare:
                write_folder_files(folder / rules.id, {file: data})
        changed += [f"{rules.id}/{file}" for file in sorted({*before, *made}) if before.get(file) != made.get(file)]
        for file in () if only_compare else before.keys() - made.keys():
            (folder / rules.id / file).unlink()
    return changed


def _setting_slug(file_name: str) -> str:
    """Return the slug of the setting that the answer in a file is for."""
    return file_name.partition(".")[0]


def _estimated_answer_file(rules: Ruleset, game: EstimatedGame, only_compare: bool) -> tuple[str, bytes]:
    known = NOTHING if only_compare else shipped_answer_store()
    with terminal_progress() as report, threadpool_limits(1):
        return estimate_file_name_and_bytes(known.estimate_or_simulate(rules, game, report))


def _solved_answer_file(rules: Ruleset, setting: Setting) -> tuple[str, bytes]:
    with terminal_progress() as report, threadpool_limits(1):
        found = solved_answer(rules, setting, open_answer_store(data_folder("answers").parent / "build" / "store"), inf)
        found.compute_all_parts(partial(_report_part_begun, report, f"{rules.id}{setting.options_text}"))
    return answer_file_name_and_bytes(found)


def _report_part_begun(report: Callable[[str, int, int], None], name: str, part: str) -> None:
    report(f"{name}: {part}", 0, 1)


if __name__ == "__main__":
    arguments = ArgumentParser(
        prog="python -m oddsmith.cli.shipping", description="Write answers to ship with the program."
    )
    arguments.add_argument("names", nargs="*", metavar="ID[/SLUG]", help="the games; by default all whose answers ship")
    arguments.add_argument("--check", action="store_true", help="write nothing, and fail if any bytes differ")
    arguments.add_argument("--estimates", action="store_true", help="leave solved answers as they are")
    given = arguments.parse_args()
    found = write_shipped_answers(given.names, given.check, also_solve=not given.estimates)
    print("\n".join(found) or "Every answer is what it was.")
    sys.exit(bool(given.check and found))
