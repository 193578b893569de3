"""Answers questions about dice rolls as people type them: the readings of a question and their exact distributions.

``rolls.peg`` and ``anydice.peg`` are grammars, which ``peg`` reads. ``reading`` finds every reading of a question, with
``marks`` for notations such as ``4d6kh3``. ``evaluate`` computes the distribution of a reading, and ``wording`` writes
the reading in words. ``pools`` and ``pmf`` represent dice and distributions.
"""

from oddsmith.rolls.answer import RollAnswer, answer, weights_of_totals
from oddsmith.rolls.marks import DIALECTS, TITLES
from oddsmith.rolls.peg import shortest_grammar
from oddsmith.rolls.pmf import Pmf, add, combine, int_if_whole, standard_deviation

__all__ = [
    "DIALECTS",
    "TITLES",
    "Pmf",
    "RollAnswer",
    "add",
    "answer",
    "combine",
    "int_if_whole",
    "shortest_grammar",
    "standard_deviation",
    "weights_of_totals",
]
