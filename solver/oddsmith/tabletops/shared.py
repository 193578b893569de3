"""Functions for all virtual tabletops: the name of this program, checks that refuse a game, and text for readmes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from oddsmith.base.errors import InputError, UnplayableError
from oddsmith.base.exact import one_line
from oddsmith.base.resources import VERSION
from oddsmith.ruleset.model import Ruleset


def generator_name() -> str:
    """Return the name and version of this program, for the files that it writes."""
    return f"oddsmith {VERSION}"


def refuse_equal_ids(rulesets: Sequence[Ruleset]) -> None:
    """Raise InputError if two rulesets have the same id, because the names of their files would be the same."""
    names = [each.id for each in rulesets]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise InputError(f"two of the rulesets have the id {twice}, and a module holds each game once")


def refuse_secrets_a_tabletop_cannot_keep(rules: Ruleset) -> None:
    """Raise UnplayableError if the game has secrets that a virtual tabletop cannot keep. Everybody at a virtual
    tabletop can read its stored data.
    """
    if rules.has_secrets and not rules.needs_no_dealer:
        reason = (
            "it shows one player alone what another hid, and a virtual tabletop cannot seal that"
            if rules.can_shuffle_bags
            else "it draws in secret, and a virtual tabletop seals that only for two players, from a bag that nothing "
            "but draws changes, in phases that only draw from it, at most eight at once"
        )
        raise UnplayableError(f"{rules.id} cannot be played at a virtual tabletop: {reason}")


def markdown_line(text: object) -> str:
    """Return a ruleset's text in one line, escaped for Markdown."""
    return re.sub(r"([\\`*_{}\[\]<>#|!&~])", r"\\\1", one_line(str(text)))
