"""Games that were solved by stages and kept: the verbs that ask about them solve nothing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from oddsmith.cli.common import Settings, opened
from oddsmith.cli.writing import store_option

if TYPE_CHECKING:
    from oddsmith.api import Position
    from oddsmith.base.exact import Number
    from oddsmith.solve import Advice
    from oddsmith.solve.staged import Staged


KEPT = store_option("Folder where stages --store keeps this game, solved. Nothing is solved again.")


def kept(settings: Settings, store: Path) -> Staged:
    """The game at the settings, as it is kept. Raises NotKeptError, and click.UsageError for what stages cannot do."""
    if settings.policies or settings.alike or not settings.symmetry:
        raise click.UsageError(
            "--policy, --alike and --no-symmetry do not go with --store: stages knows best play only"
        )
    return opened(settings.ruleset).kept_by_stages(
        store, settings.seats, settings.objective, variants=settings.variants, **settings.keywords
    )


def advised(found: Staged, text: str) -> tuple[Position, list[Advice], Mapping[str, Number]]:
    """A position of a game that was solved by stages, its actions, and the chances of those that are mixed. PositionError."""
    from oddsmith.api import position_of

    asked = position_of(found, text)
    return asked, found.advise(asked.state), found.chances(asked.state)
