"""A game in plain English, from its rules alone: expressions (``Words``), the whole rules
(``rules_in_words``), a turn of play as an example (``example``). ``filled`` puts numbers into what a person wrote.
"""

from oddsmith.report.english.example import Told, example
from oddsmith.report.english.filled import filled
from oddsmith.report.english.prose import Item, Section, capital, count, rules_in_words, sentence
from oddsmith.report.english.words import Words, joined, names_several, plain_name

__all__ = [
    "Item",
    "Section",
    "Told",
    "Words",
    "capital",
    "count",
    "example",
    "filled",
    "joined",
    "names_several",
    "plain_name",
    "rules_in_words",
    "sentence",
]
