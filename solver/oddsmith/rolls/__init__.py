"""Any roll that people type, answered exactly: how it is read, and the distributions behind it.

``rolls.peg`` and ``anydice.peg`` are the grammars, ``peg`` reads them; ``reading`` says in which ways a question can be
meant, ``marks`` what the signs of a notation mean, ``evaluate`` what each comes to, ``wording`` how it is told. ``pools``
and ``pmf`` have the distributions.
"""

from oddsmith.rolls.answer import Answer, answer, whole_die
from oddsmith.rolls.marks import DIALECTS, TITLES
from oddsmith.rolls.peg import shortest_grammar
from oddsmith.rolls.pmf import Pmf, add, combine, plain, standard_deviation

__all__ = [
    "DIALECTS",
    "TITLES",
    "Answer",
    "Pmf",
    "add",
    "answer",
    "combine",
    "plain",
    "shortest_grammar",
    "standard_deviation",
    "whole_die",
]
