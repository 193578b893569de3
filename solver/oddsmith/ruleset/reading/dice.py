"""The dice of a roll, as they are written: ``3d6 + d4 + min(3, chips) of lcr``."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from oddsmith.errors import did_you_mean
from oddsmith.expr import NUMBER, Scope, const
from oddsmith.location import Span, Text
from oddsmith.ruleset.model import PLAIN_DIE, Term, plain_die
from oddsmith.ruleset.reading.reader import Reading, outside_brackets, split_last

MAX_SIDES = 1000


def _slip(die: str) -> str:
    """What may be meant by a die that is written another way: 1D6, 0d6, one d6, 4d6kh3, d6!."""
    match = re.search(r"([0-9]*) *[dDwW]([1-9][0-9]*)(.*)", die)
    if match is None:
        return ""
    dice = f"{match[1].lstrip('0') or (match[1] and 1)}d{match[2]}"
    more = "; roll them all, and let the outcomes say what counts: rank(hand, 1) is the highest die" if match[3] else ""
    return f"write {dice}{more}"


@dataclass(frozen=True)
class DiceReader:
    """Reads the terms of rolls. ``dice``: the names of the dice that the ruleset defines."""

    reading: Reading
    dice: Collection[str]

    def terms(self, text: Text, scope: Scope) -> tuple[Term, ...]:
        """``3d6 + d4 + min(3, chips) of lcr``: the terms of a roll."""
        value = text.value
        plus = [where for where in outside_brackets(value, 0, len(value)) if value[where] == "+"]
        stretches: list[tuple[int, int]] = []
        start = 0
        for where in [*plus, len(value)]:
            if where != len(value) and not self.is_term(value[start:where]):
                continue  # this + belongs to an N of `N of die`
            stretches.append((start, where))
            start = where + 1
        return tuple(term for low, high in stretches for term in self.term(text, low, high, scope))

    def is_term(self, text: str) -> bool:
        last = text.strip().rpartition(" of ")[2].strip()
        return last in self.dice or PLAIN_DIE.fullmatch(last) is not None

    def term(self, text: Text, start: int, end: int, scope: Scope) -> list[Term]:
        words = text.value[start:end].strip()
        match = PLAIN_DIE.fullmatch(words)
        first = start + len(text.value[start:end]) - len(text.value[start:end].lstrip())
        where = Span(text, first, first + len(words)).location
        if match:
            if int(match[2]) > MAX_SIDES or int(match[1] or 1) > 100:
                self.reading.report("OD347", where, f"{words}: at most 100 dice of {MAX_SIDES} sides")
                return []
            return [Term(const(int(match[1] or 1), NUMBER), f"d{match[2]}")]
        of = split_last(text.value, "of", start, end)
        die = words if of is None else text.value[of[1] : end].strip()
        if die not in self.dice and plain_die(die) is None:
            if of is None and words in scope.symbols and scope.symbols[words].type == NUMBER:
                hint = f"say which dice: {words} of d6"
            else:
                hint = _slip(die) or did_you_mean(die, self.dice, "dice") + "; or write 3d6, d20, 2 of coin"
            self.reading.report("OD348", where, f"`{die}` is not a die", hint)
            return []
        if (plain_die(die) or 0) > MAX_SIDES:
            self.reading.report("OD347", where, f"{die}: at most {MAX_SIDES} sides")
            return []
        count = const(1, NUMBER) if of is None else self.reading.text(text, scope, NUMBER, start=start, end=of[0])
        return [Term(count, die)]
