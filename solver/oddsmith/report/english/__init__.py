"""A game in plain English, from its rules alone: expressions (``Words``), the whole rules
(``rules_in_words``), what a table of play says (``table_words``). ``filled`` puts numbers into what a person wrote.
"""

from oddsmith.report.english.filled import filled
from oddsmith.report.english.play_bundle import book, unsolved
from oddsmith.report.english.prose import Item, Section, capital, count, players, rules_in_words, sentence, span
from oddsmith.report.english.words import joined, plain_name

__all__ = [
    "Item",
    "Section",
    "book",
    "capital",
    "count",
    "filled",
    "joined",
    "plain_name",
    "players",
    "rules_in_words",
    "sentence",
    "span",
    "unsolved",
]
