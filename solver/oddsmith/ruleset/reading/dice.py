"""Read dice, such as ``3d6 + d4 + min(3, chips) of lcr``, in rolls and in random tables."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from oddsmith.base.errors import QuestionError, did_you_mean
from oddsmith.base.location import Span, Text
from oddsmith.expr import NUMBER, Scope, const
from oddsmith.ruleset.model.phases import PLAIN_DIE, DiceTerm, Phase, plain_die_sides
from oddsmith.ruleset.model.ruleset import RollTableRule, TableDice, TableRow
from oddsmith.ruleset.model.state import DieRule
from oddsmith.ruleset.reading.reader import ReadingContext, indices_outside_brackets, span_of_last_word
from oddsmith.ruleset.reading.source import Node

MAX_SIDES = 1000
_RESULTS = re.compile(r"(-?[0-9]+)(?:-(-?[0-9]+))?")


def _hint_for_other_dice_notation(dice_text: str) -> str:
    """Return the hint for dice in another notation, such as 1D6, 0d6, one d6, 4d6kh3 or d6!; empty if the text is not
    such a notation.
    """
    match = re.search(r"([0-9]*) *[dDwW]([1-9][0-9]*)(.*)", dice_text)
    if match is None:
        return ""
    dice = f"{match[1].lstrip('0') or (match[1] and 1)}d{match[2]}"
    more = "; roll them all, and let the outcomes say what counts: rank(hand, 1) is the highest die" if match[3] else ""
    return f"write {dice}{more}"


@dataclass(frozen=True)
class DiceReader:
    """Reads rolls as sums of terms. ``dice_names``: the names of the dice that the ruleset defines."""

    reading: ReadingContext
    dice_names: Collection[str]

    def terms_of_roll(self, text: Text, scope: Scope, end: int | None = None) -> tuple[DiceTerm, ...]:
        """Return the terms of a roll, such as ``3d6 + d4 + min(3, chips) of lcr``. ``end``: the index in the text at
        which the roll ends; None for the end of the text.
        """
        value = text.value[:end]
        plus = [where for where in indices_outside_brackets(value, 0, len(value)) if value[where] == "+"]
        stretches: list[tuple[int, int]] = []
        start = 0
        for where in [*plus, len(value)]:
            if where != len(value) and not self.ends_with_die_name(value[start:where]):
                continue  # this + belongs to an N of `N of die`
            stretches.append((start, where))
            start = where + 1
        return tuple(term for low, high in stretches for term in self.terms_of_part(text, low, high, scope))

    def ends_with_die_name(self, text: str) -> bool:
        last = text.strip().rpartition(" of ")[2].strip()
        return last in self.dice_names or PLAIN_DIE.fullmatch(last) is not None

    def terms_of_part(self, text: Text, start: int, end: int, scope: Scope) -> list[DiceTerm]:
        words = text.value[start:end].strip()
        match = PLAIN_DIE.fullmatch(words)
        first = start + len(text.value[start:end]) - len(text.value[start:end].lstrip())
        where = Span(text, first, first + len(words)).location
        if match:
            if int(match[2]) > MAX_SIDES or int(match[1] or 1) > 100:
                self.reading.report("OD347", where, f"{words}: at most 100 dice of {MAX_SIDES} sides")
                return []
            return [DiceTerm(const(int(match[1] or 1), NUMBER), f"d{match[2]}")]
        of = span_of_last_word(text.value, "of", start, end)
        die = words if of is None else text.value[of[1] : end].strip()
        if die not in self.dice_names and plain_die_sides(die) is None:
            if of is None and words in scope.symbols and scope.symbols[words].type == NUMBER:
                hint = f"say which dice: {words} of d6"
            elif die.isdigit():
                hint = "a number is added to a total: write {name: {total: d20 + 3}}"
            else:
                near = did_you_mean(die, self.dice_names, "dice") + "; or " if self.dice_names else ""
                hint = _hint_for_other_dice_notation(die) or f"{near}write 3d6, d20, 2 of coin"
            self.reading.report("OD348", where, f"`{die}` is not a die", hint)
            return []
        if (plain_die_sides(die) or 0) > MAX_SIDES:
            self.reading.report("OD347", where, f"{die}: at most {MAX_SIDES} sides")
            return []
        count = (
            const(1, NUMBER)
            if of is None
            else self.reading.parse_expression(text, scope, NUMBER, start=start, end=of[0])
        )
        return [DiceTerm(count, die)]


MAX_FACES = 1000  # totals of one roll


def die_with_totals_as_faces(reading: ReadingContext, name: str, node: Node) -> DieRule:
    """Return a roll in words, such as ``{total: 4d6 drop lowest}``, as a single die. Its faces are the possible totals,
    with their weights.

    An error in the roll is reported; the result then is a die with the single face 1.
    """
    from oddsmith.rolls import weights_of_totals  # noqa: PLC0415 - few rulesets roll in words

    text, most = node.value["total"], node.get("most")
    try:
        weights = weights_of_totals(str(text.value), None if most is None else most.value)
    except QuestionError as error:
        at = Span(
            text.scalar_text(), min(error.character_index, max(len(str(text.value)) - 1, 0)), len(str(text.value))
        ).location
        reading.report("OD349", at, error.message, error.hint)
        return DieRule(name, (1,))
    if len(weights) > MAX_FACES:
        message, hint = (
            f"this roll has {len(weights):,} totals, over {MAX_FACES:,}",
            "roll fewer dice, or give `most:`",
        )
        reading.report("OD349", text.location, message, hint)
        return DieRule(name, (1,))
    return DieRule(name, tuple(weights), tuple(const(weight, NUMBER) for weight in weights.values()))


class TableReader:
    """Reads the random tables of a ruleset."""

    def __init__(
        self, reading: ReadingContext, dice_names: Collection[str], scope: Scope, phases: Mapping[str, Phase]
    ) -> None:
        self.reading, self.phases, self.scope = reading, phases, scope
        self.dice = DiceReader(reading, dice_names)

    def random_tables(self, node: Node | None) -> tuple[RollTableRule, ...]:
        """Return all random tables in the order of the file. ``node``: the value of the key ``tables``."""
        return tuple(self.random_table(str(name), each) for name, each in node.value.items()) if node else ()

    def random_table(self, name: str, node: Node) -> RollTableRule:
        """Return one random table: a table of the outcomes of a phase, a table with weights, or a table with dice and
        rows.
        """
        if "outcomes_of" in node.value:
            phase = node.value["outcomes_of"]
            return RollTableRule(name, phase.location, phase=self.name_of_phase_with_outcomes(phase))
        if "weights" in node.value:
            weights, where = node.value["weights"], node.keys["weights"].location
            rows = (
                TableRow(str(text), weights.keys[text].location, weight=each.value)
                for text, each in weights.value.items()
            )
            return RollTableRule(name, where, tuple(rows))
        where = node.keys["rows"].location
        return RollTableRule(
            name, where, tuple(self.table_rows(node.value["rows"])), self.table_dice(node.value["dice"])
        )

    def name_of_phase_with_outcomes(self, node: Node) -> str:
        """Return the name of the phase that a table is about. Report an error and return an empty text unless the phase
        has a roll and all its outcomes have names.
        """
        name = str(node.scalar_text().value)
        rolls = [each.name for each in self.phases.values() if each.kind == "roll" and each.rolls_and_draws]
        if name not in rolls:
            what = f"the phase {name} has no roll" if name in self.phases else f"there is no phase {name}"
            self.reading.report("OD382", node.location, what, did_you_mean(name, rolls, "phases with a roll"))
            return ""
        bare = next((entry for entry in self.phases[name].entries if not entry.name), None)
        if bare is not None:
            message = f"an outcome of {name} has no name, so a table cannot say it"
            self.reading.report("OD382", bare.location, message, "give it a `name:`, below `outcomes:`")
        return name if bare is None else ""

    def table_rows(self, node: Node) -> Iterator[TableRow]:
        """Yield the rows of a table. A row has the range of results of the dice if its key names one."""
        if isinstance(node.value, list):
            yield from (TableRow(str(item.value), item.location) for item in node.value)
            return
        for results, item in node.value.items():
            key = node.keys[results]
            found = _RESULTS.fullmatch(str(results))
            assert found, "the schema looks at keys"
            yield TableRow(str(item.value), key.location, (int(found[1]), int(found[2] or found[1])))

    def table_dice(self, node: Node) -> TableDice:
        """Return the dice of a table, with the number that is added to their total, as in ``2d6 + d4 - 1``."""
        text = node.scalar_text()
        end = next(self.sign_indices_of_added_number(text.value), len(text.value))
        terms, rest = self.dice.terms_of_roll(text, self.scope, end), text.value[end:].strip()
        start = end + 1 if rest.startswith("+") else end
        plus = self.reading.parse_expression(text, self.scope, NUMBER, start=start) if rest else None
        return TableDice(terms, node.location, plus)

    def sign_indices_of_added_number(self, text: str) -> Iterator[int]:
        """Yield the index of each sign in a text such that dice stand before it and only numbers follow it."""
        signs = [where for where in indices_outside_brackets(text, 0, len(text)) if text[where] in "+-"]
        for at, where in enumerate(signs):
            before = text[signs[at - 1] + 1 : where] if at else text[:where]
            after = [text[low + 1 : high] for low, high in zip(signs[at:], [*signs[at + 1 :], len(text)], strict=True)]
            if self.dice.ends_with_die_name(before) and not any(map(self.dice.ends_with_die_name, after)):
                yield where
