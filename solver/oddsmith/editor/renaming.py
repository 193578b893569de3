"""Finds the places where a name is defined and used, and the places to change to rename it."""

from __future__ import annotations

import re

from oddsmith.base.errors import InputError
from oddsmith.base.location import Location
from oddsmith.editor.allowed import Piece
from oddsmith.editor.uses import Index, Use
from oddsmith.ruleset.reading import name_refusal, schema

_LABEL = re.compile(r"[A-Za-z][^:#{}\[\],\"|&*!%@`\n]*(?<! )")


def definition(index: Index, line: int, column: int) -> Location | None:
    """Return the place that defines the name at a place (from 1); None if there is no such place."""
    use = index.at(line, column)
    return None if use is None else next((each.location for each in _uses_of_same(index, use) if each.defines), None)


def references(index: Index, line: int, column: int) -> list[Use]:
    """Return every use of the name at a place (from 1)."""
    use = index.at(line, column)
    return [] if use is None else _uses_of_same(index, use)


def renameable(index: Index, line: int, column: int) -> Use:
    """Return the use of a name at a place (from 1). Raises InputError if there is none, or if the name cannot be
    changed.
    """
    use = index.at(line, column)
    if use is None or not any(each.defines for each in _uses_of_same(index, use)):
        raise InputError("nothing that this file names stands here: put the cursor on a variable, a phase or a policy")
    return use


def places_to_rename(index: Index, line: int, column: int, name: str) -> list[Location]:
    """Return the places to change if the name at a place (from 1) becomes ``name``. Raises InputError if that is not
    possible.
    """
    use = renameable(index, line, column)
    if name == use.name:
        return []
    found = _uses_of_same(index, use)
    _check_new_name(index, use, found, name)
    return [each.location for each in found]


def _uses_of_same(index: Index, use: Use) -> list[Use]:
    return list(dict.fromkeys(each for each in index.uses if each.meaning == use.meaning))


def _check_new_name(index: Index, use: Use, found: list[Use], name: str) -> None:
    """Raise InputError if ``name`` is not a valid name, or already has a meaning."""
    if use.kind in ("name", "local"):
        why = name_refusal(name)
        same = [each for each in index.uses if each.name == name and each.kind in ("name", "local")]
        taken = [each for each in same if not each.owner or not use.owner or each.owner == use.owner]
    else:
        why = _misfit_words(use, found, name)
        taken = [each for each in index.uses if (each.kind, each.owner, each.name) == (use.kind, use.owner, name)]
    if why:
        raise InputError(why)
    if taken:
        line = next((each for each in taken if each.defines), taken[0]).location.line
        raise InputError(f"{name} already means something in line {line}: choose another name")


def _misfit_words(use: Use, found: list[Use], name: str) -> str:
    """Return the reason why a phase, an entry or another named part cannot have the name ``name``; empty if it can."""
    kind = {"phase": "phase_name", "payoff": "payoff_name", "variant": "variant_name"}.get(use.kind)
    piece: Piece = schema()["definitions"][kind] if kind else {}
    if piece and not re.fullmatch(piece["pattern"].strip("^$"), name):
        return f"`{name}` does not fit: {piece['description']}"
    marks = {each.quoted for each in found}
    if not _LABEL.fullmatch(name) or name in ("true", "false", "null", "yes", "no") or ("'" in name and "'" in marks):
        return f"`{name}` does not fit: begin with a letter, and leave out brackets, commas, colons and quotation marks"
    return ""
