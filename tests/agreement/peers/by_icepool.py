"""Questions about dice put to icepool, a dice library by other people: expressions of its own, answered in fractions.

Reads a list of them as JSON, and prints its version and the answers: a fraction for a number or a chance, pairs of a value
and its chance for a whole distribution.
"""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from typing import Any

import icepool

DICE = {f"d{sides}": icepool.d(sides) for sides in (4, 6, 8, 10, 12, 20)}


def told(answer: Any) -> list[list[str]] | str:
    """What icepool answered, as text."""
    if not isinstance(answer, icepool.Die):
        return str(Fraction(answer))
    law = dict(zip(answer.outcomes(), answer.probabilities(), strict=True))
    if set(law) <= {False, True}:
        return str(law.get(True, Fraction(0)))
    return [[str(Fraction(value)), str(chance)] for value, chance in law.items()]


def answers(terms: list[str]) -> dict[str, Any]:
    """The version and an answer to each expression. They are ours, from ``questions.py``, so they may be evaluated."""
    names = {**vars(icepool), **DICE}
    return {"version": icepool.__version__, "answers": [told(eval(each, names)) for each in terms]}  # noqa: S307


if __name__ == "__main__":
    json.dump(answers(json.load(sys.stdin)), sys.stdout)
