"""How fast the module of all games opens in the stand-in for Foundry, and how fast a module of one game does.

Prints the middle of several loads in milliseconds as JSON. Games whose answers do not come with the program have none, so
that nothing is solved; the list and the forms are the same with answers.
"""

from __future__ import annotations

import json
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from oddsmith.base.files import shipped_rulesets
from oddsmith.ruleset.reading.build import load_ruleset
from oddsmith.tabletops.foundry.documents import GameContent
from tests.cases import RULESETS
from tests.foundry.joining import bundled, with_bundle
from tests.foundry.test_joined import content
from tests.foundry.windows import pages, use

REPEATS = 5


def opening(games: list[GameContent]) -> dict[str, float]:
    """The middle of several loads of a module with its scripts joined, in milliseconds by what is waited for."""
    with TemporaryDirectory() as folder, pages(Path(folder), {"tavern": games}, with_bundle(bundled())) as base:
        found = [use(base, "tavern opens", "user=gm&away=ann&seed=3") for _ in range(REPEATS)]
    return {name: median(each[name] for each in found) for name in ("ready", "list", "form", "table")}


if __name__ == "__main__":
    every = [content(load_ruleset(RULESETS / f"{name}.yaml")[0]) for name in shipped_rulesets()]
    told = {"games": len(every), "many": opening(every), "one": opening(every[:1])}
    print(json.dumps(told))
