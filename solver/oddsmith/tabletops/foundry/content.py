"""What a module's compendium packs hold, before it takes Foundry's form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from oddsmith.ruleset.model import Ruleset
from oddsmith.tabletops.common import RollTable


@dataclass(frozen=True)
class Page:
    """A page of a journal. ``slug``: what its id is made from; ``html``: its text, safe as it stands."""

    slug: str
    title: str
    html: str
    level: int = 1


@dataclass(frozen=True)
class Macro:
    """A button: one line of script."""

    slug: str
    title: str
    command: str
    icon: str


@dataclass(frozen=True)
class Content:
    """What a module holds of one game.

    ``files``: the book of its rules and what that names, by path below the module's folder. ``rules``, ``odds``: the pages of
    its two journals. ``tables``: to roll on. ``plays``: by which the module tests itself; none where nothing is solved.
    ``left_out``: tables of the rules that no die can show, each with the reason.
    """

    ruleset: Ruleset
    solved: bool
    files: dict[str, bytes]
    rules: tuple[Page, ...]
    odds: tuple[Page, ...]
    tables: tuple[RollTable, ...]
    plays: tuple[dict[str, Any], ...] = ()
    left_out: tuple[str, ...] = ()
