"""Changes to the checker that change nothing that it decides, by the reason."""

from __future__ import annotations

_OPERATORS = "derive.unknown.: without item {} | {}"
_ARITHMETIC = '_ARITHMETIC = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow")'
_COMPARED = '*("eq", "ne", "lt", "le", "gt", "ge", *_ARITHMETIC, *(f"r{name}" for name in _ARITHMETIC), "neg", "abs"),'
_LOOKED = '*("bool", "hash", "iter", "len", "getitem", "contains", "index", "int", "float", "round"),'
_DAMAGED = "DAMAGED = (KeyError, IndexError, TypeError, ValueError, AttributeError, ZeroDivisionError"

REASONS: dict[str, tuple[str, ...]] = {
    "Without the operator, Python says TypeError, which is refused as well; only the words differ.": (
        *(_OPERATORS.format(number, _ARITHMETIC) for number in range(7)),
        *(_OPERATORS.format(number, _COMPARED) for number in range(2, 10)),
        *(_OPERATORS.format(number, _LOOKED) for number in range(2, 10)),
    ),
    "Without it Python asks `eq`.": (_OPERATORS.format(1, _COMPARED),),
    "Any number below 0 stands for the end.": tuple(
        f"certify.values.Table.arriving: {change} | return [(t if t < 0 else t * self.copies + (mover + by) % self.seats, by, "
        "p, w) for t, by, p, w in row]"
        for change in ("never", "0 - 1")
    ),
    "The rest of an unknown is taken off again with it: what was held before is subtracted.": tuple(
        f"derive.unknown.Amount.__init__: 0 {change} 1 | def __init__(self, name: str, parts: Mapping[int, Fraction | int], "
        "rest: Fraction | int = 0) -> None:"
        for change in "+-"
    ),
    "Without it Python asks `len`.": (_OPERATORS.format(0, _LOOKED),),
    "What is paid is a difference, and a sum leaves out parts of 0.": (
        (
            "derive.unknown.Amount.__mul__: always | Amount(self.name, {part: each * times for part, each in "
            "self.parts.items()}, self.rest * times)"
        ),
    ),
    "Where nothing is preferred all are preferred alike.": tuple(
        f"certify.policies.Prescription.pick: 0 {change} 1 | worth = compiled(line.prefer)(moment) if line.prefer else 0"
        for change in "+-"
    ),
    "A row that is played alone is itself, whatever its share.": tuple(
        f"certify.values.picked: 1 {change} 1 | return {{whole(play, 0): 1}}" for change in "+-"
    ),
    "A limit of memory, far from anything that a file of the suite could hold.": tuple(
        f"certify.values.: {change} | LONGEST = 1 << 26  # bytes of a line" for change in ("1 + 1", "26 + 1", "26 - 1")
    )
    + tuple(
        f"certify.values.: {change} | DENSEST = 200  # times as long as the file is its text at most, or it was packed "
        "to fill the memory"
        for change in ("200 + 1", "200 - 1")
    )
    + ("certify.values.records: Lt 0 to LtE | if room < 0:",)
    + tuple(f"certify.values.records: 0 {change} 1 | if room < 0:" for change in "+-"),
    "Any number beyond those that a file may hold stands for never.": tuple(
        f"certify.values.: {change} | NEVER = 1 << 62  # transitions to the end, where the players could keep the game from "
        "ending"
        for change in ("1 + 1", "62 + 1", "62 - 1")
    ),
    "It counts work for those who ask, and nobody who checks does.": tuple(
        f"derive.futures.Deriver._row: {change} | self.steps += 1" for change in ("Add turned", "1 + 1", "1 - 1")
    )
    + tuple(
        f"derive.futures.Deriver.__init__: 0 {change} 1 | self.game, self.steps = unbounded(game, canonical), 0"
        for change in "+-"
    ),
    "A common denominator that is a multiple of the least serves as well.": tuple(
        f"certify.values.Table.common: {change} | return lcm(self.scale, self.over[entry], *{{self.over[target] for target, "
        "_, _, _ in row if target >= 0}})".replace("}})", "})")
        for change in ("without test 0", "0 - 1")
    ),
}
EQUIVALENT = {name: reason for reason, names in REASONS.items() for name in names}
