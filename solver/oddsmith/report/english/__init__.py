"""A game in plain English, from its rules alone: expressions (``ExpressionWords``), the whole rules
(``rules_in_words``), and the texts that a page of play shows (``play_page_texts``).

``filled_wording`` puts numbers into a text that a person wrote.
"""

from oddsmith.report.english.options import OptionWords
from oddsmith.report.english.play_bundle import game_bundle, unsolved_bundle, unsolved_setting_data
from oddsmith.report.english.prose import (
    RuleLine,
    Section,
    capital,
    filled_wording,
    number_range_words,
    player_count_words,
    player_range_words,
    rules_in_words,
    sentence,
)
from oddsmith.report.english.words import joined, plain_name

__all__ = [
    "OptionWords",
    "RuleLine",
    "Section",
    "capital",
    "filled_wording",
    "game_bundle",
    "joined",
    "number_range_words",
    "plain_name",
    "player_count_words",
    "player_range_words",
    "rules_in_words",
    "sentence",
    "unsolved_bundle",
    "unsolved_setting_data",
]
