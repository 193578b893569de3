"""What solves a game by stages, as one types it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from oddsmith.files import shipped
from oddsmith.graph import Explorer
from oddsmith.graph.columns import find_stages
from oddsmith.ruleset import Game
from oddsmith.ruleset.model import Ruleset
from oddsmith.solve import objective_of


def stages_command(
    ruleset: Ruleset,
    store: Path | str,
    seats: int | None,
    objective: str | None,
    variants: Sequence[str],
    parameters: Mapping[str, Any],
) -> str:
    """What solves a game at a setting by stages and keeps it."""
    words = [f"--seats {seats}"] * (seats is not None) + [f"--variant {name}" for name in variants]
    words += [f"--set {name}={value}" for name, value in parameters.items()]
    words += [f"--objective {objective}"] * (objective is not None) + [f"--store {store}"]
    name = ruleset.id if ruleset.id in shipped() else shlex.quote(ruleset.source.file)
    return " ".join(["oddsmith stages", name, *words])


def stages_instead(
    game: Game, seats: int | None, objective: str | None, variants: Sequence[str], parameters: Mapping[str, Any]
) -> str:
    """How a game at a setting that is too large may be solved by stages, to go on with after that; empty where it may not."""
    stages = find_stages(Explorer(game, objective_of(game, objective)).codec)
    if stages is None:
        return ""
    command = stages_command(game.ruleset, "FOLDER", seats, objective, variants, parameters)
    return f"; or solve it by stages ({stages}), which advise and play then find in the folder: {command}"
