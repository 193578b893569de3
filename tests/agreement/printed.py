"""Every published number, with what is computed, its verdict and its source."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

import oddsmith
from oddsmith.base.exact import Number, parse_published_number
from tests.known.numbers import HERE, KNOWN

STORE = Path("build/store")  # what `make site` solved, if it did
SOURCES: dict[str, Any] = YAML(typ="safe").load(HERE / "sources.yaml")


@dataclass(frozen=True)
class Printed:
    """A published number: what it is of, as it was printed, and the name of its source."""

    words: str
    text: str
    source: str


def printed() -> list[Printed]:
    """Those of the shipped rulesets, and those of classic problems."""
    shipped_ones = [
        Printed(
            f"{name}: “{claim.quote}”", claim.stated_number.text, SOURCES["printed"][name][claim.stated_number.text]
        )
        for name in SOURCES["printed"]
        for claim in oddsmith.load(name).ruleset.claims
        if claim.origin == "published"
    ]
    return [*shipped_ones, *(Printed(each.words, each.printed, each.source) for each in KNOWN)]


def judged() -> list[tuple[Number, bool, str]]:
    """The computed number for each of them, whether the printed one is right, and what the ruleset says of it if not."""
    found = [
        (each.number, each.is_right, each.claim.note)
        for name in SOURCES["printed"]
        for each in oddsmith.load(name).verify(store=STORE if STORE.exists() else None)
        if each.claim.origin == "published"
    ]
    for each in KNOWN:
        number = each.find()
        found.append((number, parse_published_number(each.printed).is_confirmed_by(number) is True, ""))
    return found
