"""What a game is like: key facts, whole distributions, the chances of a roll, claims held against computed odds, what each
cell of a map is worth, and a turn of play as an example.
"""

from oddsmith.report.facts.chances import ChanceTable, chance_tables
from oddsmith.report.facts.character import Character, character
from oddsmith.report.facts.claims import NOUNS, Verdict, claim_key, claim_setting, claimed, number_of, verdict, verdicts
from oddsmith.report.facts.example import Told, example
from oddsmith.report.facts.key_facts import (
    Distributions,
    Facts,
    Spread,
    distributions,
    facts,
    lengths_of,
    measure_name,
    only_words,
    spread,
    without_seconds,
)
from oddsmith.report.facts.kinds import kind_of, kind_told
from oddsmith.report.facts.mixing import Mixed, mixed
from oddsmith.report.facts.regrets import LEAST, Cell, Spot, Spots, maps
from oddsmith.report.facts.standing import Standing, standing
from oddsmith.report.facts.unit import Unit

__all__ = [
    "LEAST",
    "NOUNS",
    "Cell",
    "ChanceTable",
    "Character",
    "Distributions",
    "Facts",
    "Mixed",
    "Spot",
    "Spots",
    "Spread",
    "Standing",
    "Told",
    "Unit",
    "Verdict",
    "chance_tables",
    "character",
    "claim_key",
    "claim_setting",
    "claimed",
    "distributions",
    "example",
    "facts",
    "kind_of",
    "kind_told",
    "lengths_of",
    "maps",
    "measure_name",
    "mixed",
    "number_of",
    "only_words",
    "spread",
    "standing",
    "verdict",
    "verdicts",
    "without_seconds",
]
