"""What a game is like: key facts, whole distributions, the chances of a roll, claims held against computed odds, and a
turn of play as an example.
"""

from oddsmith.report.facts.chances import ChanceTable, chance_tables
from oddsmith.report.facts.character import Character, character
from oddsmith.report.facts.claims import NOUNS, Verdict, verdicts
from oddsmith.report.facts.example import Told, example
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
    "Told",
    "Unit",
    "Verdict",
    "chance_tables",
    "character",
    "distributions",
    "example",
    "facts",
    "measure_name",
    "spread",
    "verdicts",
    "without_seconds",
]
