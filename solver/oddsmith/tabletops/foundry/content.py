"""What a module's compendium packs hold, before it takes Foundry's form."""

from __future__ import annotations

from dataclasses import dataclass


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
