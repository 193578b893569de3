"""Answers questions about rolls as people type them, exactly: how each is read, and its distribution.

``rolls.peg`` and ``anydice.peg`` are grammars, which ``peg`` reads. ``reading`` finds the ways in which a question can be
meant, with ``marks`` for notations such as ``4d6kh3``. ``evaluate`` computes the distribution of each, ``wording`` writes
it in words. ``pools`` and ``pmf`` hold the distributions.
"""

from oddsmith.rolls.answer import RollAnswer, answer, whole_die
from oddsmith.rolls.marks import DIALECTS, TITLES
from oddsmith.rolls.peg import shortest_grammar
from oddsmith.rolls.pmf import Pmf, add, combine, plain, standard_deviation

__all__ = [
    "DIALECTS",
    "TITLES",
    "Pmf",
    "RollAnswer",
    "add",
    "answer",
    "combine",
    "plain",
    "shortest_grammar",
    "standard_deviation",
    "whole_die",
]
