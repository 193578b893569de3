"""A list in words, as a game master says it: “Drink when your lives are 4 or less; Great blow when ...; else Cut”."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from oddsmith.expr import NUMBER, Expr, const
from oddsmith.report.english import SHORT, Words, joined, plain_name
from oddsmith.report.lists.moves import Line, tree_of
from oddsmith.report.strategy import seat_name
from oddsmith.ruleset import Game
from oddsmith.ruleset.model import Entry

_TOLD = {">=": "{} or more", "<=": "{} or less"}


class TableWords(Words):
    """Expressions by the names that a table shows, with what numbers count."""

    def named(self, name: str, indices: Sequence[Expr]) -> str:
        """A variable as tables call it: by its label, if it has one, and whose it is only where every seat has one."""
        variable, rest = self.game.ruleset.state[name], list(indices)
        owner = self.owner(rest.pop(0)) if variable.per_seat and rest else ""
        members = [f"({member})" if " " in member else member for member in map(self.value, rest)]
        return " ".join(part for part in (owner, variable.label or plain_name(name), *members) if part)

    def _term(self, tree: Expr, words: str) -> str:
        """Numbers that the ruleset gave a name go by it, however short they are in other words."""
        return super()._term(tree, words.ljust(SHORT + 1) if tree.type == NUMBER else words)

    def owner(self, tree: Expr) -> str:
        """Whose a thing is, of the players that a seat sees."""
        by = {"next": 1, "previous": self.game.seats - 1}.get(tree.op)
        return super().owner(tree) if by is None else f"{seat_name(by, self.game.seats)}’s"

    def test(self, tree: Expr) -> str:
        """A condition as a sentence: a lead as a lead, a number with its unit, and few numbers one by one."""
        if tree.op == "in" and tree.args[1].op == "listed":
            said = super().test(replace(tree, op="==", args=(tree.args[0], tree.args[1].args[0])))
            first, *others = [str(self.fixed(each)) for each in tree.args[1].args]
            return joined([said, *others], "or") if said.endswith(first) else super().test(tree)
        if tree.op not in _TOLD or tree.args[1].op not in ("const", "neg"):
            return super().test(tree)
        left, number = tree.args[0], int(self.fixed(tree.args[1]))
        if not self._term(left, "") and left.op == "-" and all(arg.op in ("state", "call") for arg in left.args):
            return self._lead(tree, left, number)
        said = super().test(replace(tree, args=(left, const(number, NUMBER))))
        form = _TOLD[tree.op]
        return said.replace(form.format(number), form.format(self._counted(left, number)))

    def _lead(self, tree: Expr, left: Expr, number: int) -> str:
        """How far one thing is above another."""
        ahead, behind = map(self.value, left.args)
        behind = behind.removesuffix(f" {ahead.removeprefix('your ')}")
        several = super().test(replace(tree, args=(left.args[0], const(number, NUMBER)))).startswith(f"{ahead} are ")
        verb, at_least = "are" if several else "is", tree.op == ">="
        if number == 0:
            return f"{ahead} {verb} at {'least' if at_least else 'most'} {behind}"
        side = "above" if number > 0 else "below"
        bound = "at least" if at_least == (number > 0) else "at most"
        return f"{ahead} {verb} {bound} {self._counted(left.args[0], abs(number))} {side} {behind}"

    def _counted(self, tree: Expr, number: int) -> str:
        """A number with what it counts, of a variable that says so."""
        unit = self.game.ruleset.state[tree.value].unit if tree.op == "state" else ()
        return f"{number} {unit[abs(number) != 1]}" if unit else str(number)


def in_words(game: Game, phase: str, lines: Sequence[Line]) -> str:
    """Lines with conditions, then at least one without: what the last are for where the one before is not possible."""
    words, entries = TableWords(game), {entry.name: entry for entry in game.ruleset.phases[phase].entries}
    last = len(lines)
    while last and not _condition(lines[last - 1]):
        last -= 1
    parts: list[str] = []
    for done, group in groupby(lines[:last], key=lambda line: _done(words, entries[line.option], line)):
        told = [tree_of(game, entries[line.option], _condition(line)) for line in group]
        *before, end = [f"when {words.test(tree)}" if tree else "where that is possible" for tree in told]
        parts.append(f"{done} {', '.join(before)}, or {end}" if before else f"{done} {end}")
    rest = [_done(words, entries[line.option], line) for line in lines[last:]]
    otherwise = (
        f"the first possible of {joined(rest)}" if len(rest) > 2 else " or, where that is not possible, ".join(rest)
    )
    whole = "; ".join([*parts, f"else {otherwise}"]) if parts else f"always {otherwise}"
    return whole.replace("’", "'")  # as tables and rules of thumb have it


def _condition(line: Line) -> str:
    """What has to hold, without what only says which instance is meant."""
    return "" if line.when == line.which else line.when.removesuffix(f" and {line.which}" if line.which else "")


def _done(words: TableWords, entry: Entry, line: Line) -> str:
    """What to do: an option, and which of its instances."""
    which, prefer = (tree_of(words.game, entry, text) for text in (line.which, line.prefer))
    if which is not None:
        return f"{line.option} ({words.value(which.args[0])} {words.value(which.args[1])})"
    if prefer is None:
        return line.option
    least = prefer.op == "neg"
    what = words.value(prefer.args[0] if least else prefer)
    return f"{line.option} ({what} as {'low' if least else 'high'} as possible)"
