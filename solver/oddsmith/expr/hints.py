"""What to write instead, where an expression is of the wrong type."""

from __future__ import annotations

from collections.abc import Collection

from oddsmith.errors import did_you_mean
from oddsmith.expr.functions import FUNCTIONS
from oddsmith.expr.tree import FLAG, NUMBER, SEAT, Type

A_SEAT = "write mover, next, previous, or a variable of type seat"
_CHANCE = ("rand", "roll", "dice")


def instead(given: Type, wanted: Collection[Type]) -> str:
    """How to come from the type that is there to one that is wanted."""
    if given.kind == "flag" and NUMBER in wanted:
        return "true and false do not count as 1 and 0: use count(...) or `1 if ... else 0`"
    if given.kind == "hand" and NUMBER in wanted:
        return "a hand of several dice is no number: use sum(...), rank(...) or count(...)"
    if given.kind == "number" and FLAG in wanted:
        return "compare it: ... > 0"
    return A_SEAT if given.kind == "number" and SEAT in wanted else ""


def compared(kinds: Collection[str]) -> str:
    """How values of these kinds are compared."""
    if kinds == {"seat", "number"}:
        return f"a seat is no number; {A_SEAT}"
    if "seat" in kinds:
        return "seats compare with ==, != and < (earlier in play order); a seat is no number"
    return "to ask whether a face shows: `1 in hand`; for the total: sum(hand)" if kinds == {"hand", "number"} else ""


def no_function(name: str) -> str:
    """What may be meant by a function that is not there."""
    if name.lower().startswith(_CHANCE):
        return "chance comes only from `roll:` and `draw:`; an expression reads the names that they give"
    return did_you_mean(name, [*FUNCTIONS, "lookup"], "functions")
