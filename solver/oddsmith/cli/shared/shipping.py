"""``python -m oddsmith.cli.shared.shipping [--check] [ID ...]``: answers that take long, solved here to come with the program.

The main game of each ruleset named is written into ``answers/``, or of each that is there already. ``--check`` writes nothing
and fails where solving gives other bytes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial

from threadpoolctl import threadpool_limits

from oddsmith.cli.shared.common import progress
from oddsmith.files import shipped_answers, write_all
from oddsmith.library import LoadedRuleset
from oddsmith.report.answers import answer, to_ship
from oddsmith.resources import data_folder


def ship(names: Sequence[str], check: bool = False) -> list[str]:
    """Solve and write the main games of rulesets. Gives the files that were other bytes before."""
    folder = data_folder("answers")
    changed = []
    for name in names or sorted(path.name for path in folder.iterdir() if path.is_dir()):
        rules = LoadedRuleset.open(name).ruleset
        with progress() as report, threadpool_limits(1):
            found = answer(rules, rules.edition.home)
            found.complete(partial(_told, report, name))
        file, data = to_ship(found)
        before = shipped_answers(rules.id)
        if before.get(file) == data:
            continue
        changed.append(f"{rules.id}/{file}")
        if not check:
            write_all(folder / rules.id, {file: data})
            for other in before:
                if other.startswith(f"{found.slug}.") and other != file:
                    (folder / rules.id / other).unlink()
    return changed


def _told(report: Callable[[str, int, int], None], name: str, part: str) -> None:
    report(f"{name}: {part}", 0, 1)


if __name__ == "__main__":
    given = sys.argv[1:]
    checked = "--check" in given
    found = ship([name for name in given if name != "--check"], checked)
    print("\n".join(found) or "Every answer is what it was.")
    sys.exit(bool(checked and found))
