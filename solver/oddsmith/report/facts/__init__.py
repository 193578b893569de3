"""Facts about a game: key facts, distributions, the chances of a roll, claims compared with computed odds, the value of
each cell of a map, and a turn of play as an example.
"""

from typing import TYPE_CHECKING

from oddsmith.base.lazy import lazy_getattr
from oddsmith.report.facts.chances import ChanceTable
from oddsmith.report.facts.cheats import CheatValue, cheat_values
from oddsmith.report.facts.claims import NOUNS, Verdict, judge_claims
from oddsmith.report.facts.example import ExampleMove
from oddsmith.report.facts.key_facts import (
    NO_CHOICE_LINE,
    edge_percent,
    house_edge_clauses,
    mean_lengths,
    play_kind_line,
    play_kind_with_sentence,
    play_kind_words,
    question_condition_words,
    question_heading,
)
from oddsmith.report.facts.regrets import MIN_MAP_COLUMNS, Cell, MapCell, MapCells
from oddsmith.report.facts.rolling import RollOnRisk, RollOrStop
from oddsmith.report.facts.unit import Unit

if TYPE_CHECKING:
    from oddsmith.report.facts.breakeven import BreakEven, break_even

__all__ = [
    "MIN_MAP_COLUMNS",
    "NOUNS",
    "NO_CHOICE_LINE",
    "BreakEven",
    "Cell",
    "ChanceTable",
    "CheatValue",
    "ExampleMove",
    "MapCell",
    "MapCells",
    "RollOnRisk",
    "RollOrStop",
    "Unit",
    "Verdict",
    "break_even",
    "cheat_values",
    "edge_percent",
    "house_edge_clauses",
    "judge_claims",
    "mean_lengths",
    "play_kind_line",
    "play_kind_with_sentence",
    "play_kind_words",
    "question_condition_words",
    "question_heading",
]

_HOMES = {
    "breakeven": (
        "BreakEven",
        "break_even",
    ),
}
__getattr__ = lazy_getattr(__name__, {name: home for home, names in _HOMES.items() for name in names})
