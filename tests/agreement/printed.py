"""Every published number, with what is computed, its verdict and its source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ruamel.yaml import YAML

import oddsmith
from oddsmith.exact import Number, published
from oddsmith.files import shipped
from tests.agreement.questions import verdicts
from tests.known.numbers import HERE, KNOWN

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
        Printed(f"{name}: “{claim.quote}”", claim.stated.text, SOURCES["printed"][name][claim.stated.text])
        for name in shipped()
        for claim in oddsmith.load(name).ruleset.claims
        if claim.origin == "published"
    ]
    return [*shipped_ones, *(Printed(each.words, each.printed, each.source) for each in KNOWN)]


def judged() -> list[tuple[Number, bool, str]]:
    """The computed number for each of them, whether the printed one is right, and what the ruleset says of it if not."""
    found = [
        (each.number, each.right, each.claim.note)
        for name in shipped()
        for each in (verdicts(name) if name in SOURCES["printed"] else ())
        if each.claim.origin == "published"
    ]
    for each in KNOWN:
        number = each.find()
        found.append((number, published(each.printed).confirmed_by(number) is True, ""))
    return found
