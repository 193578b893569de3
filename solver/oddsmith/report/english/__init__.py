"""A game in plain English, from its rules alone: expressions (``Words``), the whole rules
(``rules_in_words``), what a table of play says (``table_words``). ``filled`` puts numbers into what a person wrote.
"""

from oddsmith.report.english.filled import filled
from oddsmith.report.english.prose import Item, Section, capital, count, players, rules_in_words, sentence, span
from oddsmith.report.english.table import table_words
from oddsmith.report.english.words import SHORT, Words, joined, names_several, plain_name

__all__ = [
    "SHORT",
    "Item",
    "Section",
    "Words",
    "capital",
    "count",
    "filled",
    "joined",
    "names_several",
    "plain_name",
    "players",
    "rules_in_words",
    "sentence",
    "span",
    "table_words",
]
