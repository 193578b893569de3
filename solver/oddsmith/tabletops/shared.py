"""What every virtual tabletop takes of a game: its files, the text of its readme, and what it refuses."""

from __future__ import annotations

import re
from collections.abc import Sequence

from oddsmith.base.errors import InputError, UnplayableError
from oddsmith.base.exact import one_line
from oddsmith.base.resources import VERSION
from oddsmith.ruleset.model import Ruleset


def generator() -> str:
    """Return the name and version of this program, which wrote the module."""
    return f"oddsmith {VERSION}"


def refuse_twice(rulesets: Sequence[Ruleset]) -> None:
    """Raises InputError where two rulesets have the same id: their files would go by the same name."""
    names = [each.id for each in rulesets]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise InputError(f"two of the rulesets have the id {twice}, and a module holds each game once")


def refuse_unsealed(rules: Ruleset) -> None:
    """Raises UnplayableError if secrets cannot be sealed: what a virtual tabletop keeps of a table, everybody can read."""
    if rules.has_secrets and not rules.keeps_secrets_apart:
        reason = (
            "it draws in secret, or shows one player alone what another hid, and a virtual tabletop cannot seal that"
        )
        raise UnplayableError(f"{rules.id} cannot be played at a virtual tabletop: {reason}")


def markdown(text: object) -> str:
    """Write a ruleset's text in Markdown so that it is shown as it stands, in one line."""
    return re.sub(r"([\\`*_{}\[\]<>#|!&~])", r"\\\1", one_line(str(text)))
