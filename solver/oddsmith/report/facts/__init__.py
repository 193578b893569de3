"""What a game is like: key facts, whole distributions, the chances of a roll, and claims held against computed odds."""

from oddsmith.report.facts.chances import ChanceTable, chance_tables
from oddsmith.report.facts.character import Character, character
from oddsmith.report.facts.claims import NOUNS, Verdict, verdicts
from oddsmith.report.facts.key_facts import (
    Distributions,
    Facts,
    Spread,
    distributions,
    facts,
    measure_name,
    spread,
    without_seconds,
)
from oddsmith.report.facts.kinds import KINDS
from oddsmith.report.facts.unit import Unit

__all__ = [
    "KINDS",
    "NOUNS",
    "ChanceTable",
    "Character",
    "Distributions",
    "Facts",
    "Spread",
    "Unit",
    "Verdict",
    "chance_tables",
    "character",
    "distributions",
    "facts",
    "measure_name",
    "spread",
    "verdicts",
    "without_seconds",
]
