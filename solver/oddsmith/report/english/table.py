"""What a table of play says of a game, as data: names of phases and variables, and what is said of entries and of the end."""

from __future__ import annotations

from typing import Any

from oddsmith.report.english.prose import capital
from oddsmith.report.english.words import plain_name
from oddsmith.ruleset import tree_data
from oddsmith.ruleset.model import Computed, Entry, Ruleset, Sentence, Variable


def table_words(rules: Ruleset) -> dict[str, Any]:
    """How phases and variables are called, what is said of entries, what variants change and parameters mean."""
    return {
        "phases": {name: each.label or capital(plain_name(name)) for name, each in rules.phases.items()},
        "variables": {name: _variable(each) for name, each in rules.state.items()},
        **said_words(rules),
        "variants": {name: each.about for name, each in rules.variants.items()},
        "parameters": {name: each.about for name, each in rules.parameters.items()},
    }


def said_words(rules: Ruleset) -> dict[str, Any]:
    """What the entries say and do, by phase, and what is said of who goes out and of the end. What says nothing is left out."""
    told = {name: [_entry(one) for one in each.entries] for name, each in rules.phases.items()}
    entries = {name: each for name, each in told.items() if any(each)}
    others = {"out": rules.out_say, "end": rules.end_say}
    return {"entries": entries} | {key: _parts(words) for key, words in others.items() if words is not None}


def _entry(entry: Entry) -> dict[str, Any]:
    """What an outcome, option or case says and does, as far as the ruleset has words for it."""
    return {key: _parts(words) for key, words in (("say", entry.say), ("does", entry.does)) if words is not None}


def _parts(words: Sentence) -> list[Any]:
    """Text, and expressions with their types."""
    return [
        [part.tree.type.kind, tree_data(part.tree), *part.forms] if isinstance(part, Computed) else part
        for part in words
        if part != ""
    ]


def _variable(each: Variable) -> dict[str, Any]:
    """What a table calls a variable and says of it, and how it shows it where the ruleset says that."""
    told = {"label": each.label or plain_name(each.name), "about": each.about}
    return told | ({"show": each.show} if each.show else {}) | ({"unit": list(each.unit)} if each.unit else {})
