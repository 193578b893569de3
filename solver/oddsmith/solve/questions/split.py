"""An entry split in two by a condition, so that a question can ask for those times only at which it holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from oddsmith.expr import FLAG, Expr
from oddsmith.ruleset.model import Ruleset


@dataclass(frozen=True)
class Split:
    """Rules that play alike. ``again``: phase and place of an option that stands there a second time, and its first place."""

    ruleset: Ruleset
    again: Mapping[tuple[str, int], int]


def split(ruleset: Ruleset, at: tuple[str, str], when: Expr) -> Split:
    """The entry keeps its name where the condition holds, and has none elsewhere.

    What applies first in chance and in cases stands just before the rest of itself. Options are known by their places, so
    the rest of an option comes last.
    """
    phase = ruleset.phases[at[0]]
    place = next(place for place, entry in enumerate(phase.entries) if entry.name == at[1])
    entry = phase.entries[place]
    both = replace(entry, when=Expr("and", FLAG, (entry.when, when), span=when.span))
    before, after = phase.entries[:place], phase.entries[place + 1 :]
    if phase.kind == "choose":
        other = Expr("and", FLAG, (entry.when, Expr("not", FLAG, (when,), span=when.span)), span=when.span)
        entries = (*before, both, *after, replace(entry, name="", when=other))
        again = {(phase.name, len(phase.entries)): place}
    else:
        entries, again = (*before, both, replace(entry, name=""), *after), {}
    return Split(replace(ruleset, phases={**ruleset.phases, phase.name: replace(phase, entries=entries)}), again)
