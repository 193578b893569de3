"""Conditions, thresholds and rules in words. All advice to players is worded here.

A number is followed by what lies beyond it: `20 or more`. A condition says what is compared: `stash is 20 or more`. A
rule says what to do if the condition holds, and what to do otherwise: `Stop when stash is 20 or more; else Roll`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby

from oddsmith.base.exact import Number
from oddsmith.expr import NUMBER, Expr, const
from oddsmith.report.english.prose import sentence
from oddsmith.report.english.words import (
    COMPARED,
    MAX_DEFINITION_LETTERS,
    ExpressionWords,
    joined,
    plain_name,
    seat_name,
)
from oddsmith.report.policy.decisions import Feature
from oddsmith.report.policy.quantities import WrittenLine, parsed_option_expression
from oddsmith.ruleset import Game
from oddsmith.ruleset.model import Entry, number_with_unit

_BOUNDS = {sign: COMPARED[sign] for sign in (">=", "<=")}


# --- numbers


def or_more_words(number: int | str) -> str:
    """Return a number as a lower bound: `20 or more`."""
    return COMPARED[">="].format(number if isinstance(number, str) else f"{number:,}")


def or_more_words_up_to(number: int, greatest: int) -> str:
    """Return a number as a lower bound, `20 or more`; the number alone if it is the greatest possible."""
    return f"{number:,}" if number == greatest else or_more_words(number)


# --- conditions and rules


def feature_clause(feature: Feature, values_text: str) -> str:
    """Return in words the condition that a feature has certain values."""
    return f"{feature.name} {feature.verb} {values_text}"


def take_when_words(option: str, feature: Feature, values_text: str) -> str:
    """Return in words what to do if a feature has certain values."""
    return f"{option} when {feature_clause(feature, values_text)}"


def rule_words(option: str, feature: Feature, values_text: str, otherwise: str) -> str:
    """Return in words a rule with one condition. ``otherwise``: what to do if the condition does not hold."""
    return f"{take_when_words(option, feature, values_text)}; else {otherwise}"


def always_take_words(*options: str) -> str:
    """Return in words a rule without a condition. If there are several options, the rule is to take the first one that
    is possible.
    """
    return f"always {first_possible_words(options)}"


def first_possible_words(options: Sequence[str]) -> str:
    """Return in words the rule to take the first of some options that is possible."""
    if len(options) > 2:
        return f"the first possible of {joined(options)}"
    return " or, where that is not possible, ".join(options)


# --- what they cost


def cost_words(cost: Number | None, digits: int) -> str:
    """Return in words what a way of playing costs, to a number of decimal places."""
    return "if it is followed, play may never end" if cost is None else f"costs {_cost_or_less_than_text(cost, digits)}"


def loss_words(loss: Number, digits: int) -> str:
    """Return in words what somebody loses by a way of playing, to a number of decimal places."""
    return "loses nothing" if loss.lower == loss.upper == 0 else f"loses {_cost_or_less_than_text(loss, digits)}"


def _cost_or_less_than_text(cost: Number, digits: int) -> str:
    """Return a cost as a decimal. If all its digits would be 0, return "less than" the smallest decimal instead."""
    least = Fraction(1, 10**digits)
    return f"less than {Number.of(least).decimal(digits)}" if 0 < cost.upper < least else cost.decimal(digits)


# --- tables of thresholds


def without_owner(variable_name: str) -> str:
    """Return the name of a thing without its owner in front: `sack` for `your sack`, `sack of seat 2` for `seat 2's
    sack`.
    """
    owner, mark, thing = variable_name.partition("'s ")
    return f"{thing} of {owner}" if mark else variable_name.removeprefix("your ")


def threshold_caption(feature: Feature, option_above: str, option_below: str) -> str:
    """Return a sentence that says what the numbers in a table of thresholds mean. ``option_above`` and
    ``option_below``: the options on both sides of a threshold.
    """
    name = without_owner(feature.name)
    if feature.verb == "are":
        return sentence(f"{option_above} at this many {or_more_words(name)}; with fewer {option_below}")
    return sentence(f"{option_above} at this {or_more_words(name)}; below it {option_below}")


def threshold_column_heading(feature: Feature, option_above: str) -> str:
    """Return the head of a column of thresholds."""
    return f"{option_above} at" if feature.verb == "are" else f"{option_above} at {feature.name}"


def threshold_sentence(feature: Feature, threshold_text: str, option_above: str, option_below: str) -> str:
    """Return a single threshold as a sentence. ``threshold_text``: the threshold in words. ``option_above`` and
    ``option_below``: the options on both sides of it.
    """
    return sentence(f"{take_when_words(option_above, feature, threshold_text)}; below that {option_below}")


# --- short lists


@dataclass(frozen=True)
class TableWords(ExpressionWords):
    """Writes expressions with the names that tables show, and with the units of numbers.

    People may count in other units than the rules: a variable has a factor for that. A comparison whose parts all have
    the same factor is written with the numbers that people count. ``counting``: whether the numbers in the expression
    have been converted already.
    """

    counting: bool = False

    def variable_name(self, name: str, indices: Sequence[Expr]) -> str:
        """Return the words for a variable in a table: its label if it has one, else its name. Its owner comes first if
        every seat has such a variable.
        """
        variable, rest = self.game.ruleset.state[name], list(indices)
        owner = self.possessive_words(rest.pop(0)) if variable.is_per_seat and rest else ""
        members = [f"({member})" if " " in member else member for member in map(self.noun_words, rest)]
        ruled = variable.display_factor > 1 and not self.counting
        label = "" if ruled else variable.label
        return " ".join(part for part in (owner, label or plain_name(name), *members) if part)

    def _definition_name(self, tree: Expr, words: str) -> str:
        """Return the name of the definition that has exactly the text of the expression. Return an empty text if there
        is none, or if the expression is a condition with short ``words``.
        """
        return super()._definition_name(tree, words.ljust(MAX_DEFINITION_LETTERS + 1) if tree.type == NUMBER else words)

    def possessive_words(self, tree: Expr) -> str:
        """Return the possessive of a seat or a group of seats, as the mover says it."""
        by = {"next": 1, "previous": self.game.seats - 1}.get(tree.op)
        return super().possessive_words(tree) if by is None else f"{seat_name(by, self.game.seats)}’s"

    def condition_clause(self, tree: Expr) -> str:
        """Return a condition as a clause.

        A bound on the difference of two quantities is written as the lead of one over the other. Numbers have their
        units.
        """
        words, tree = self._as_people_count(tree)
        if words is not self:
            return words.condition_clause(tree)
        if lead := self.lead_words(tree):
            subject, how, is_denied = lead
            return f"{subject} not {how}" if is_denied else f"{subject} {how}"
        if tree.op == "in" and tree.args[1].op == "listed":
            said = super().condition_clause(replace(tree, op="==", args=(tree.args[0], tree.args[1].args[0])))
            first, *others = [self.noun_words(each) for each in tree.args[1].args]
            return joined([said, *others], "or") if said.endswith(first) else super().condition_clause(tree)
        if tree.op not in _BOUNDS or tree.args[1].op not in ("const", "neg"):
            return super().condition_clause(tree)
        left, number = tree.args[0], int(self.fixed_value(tree.args[1]))
        said = super().condition_clause(replace(tree, args=(left, const(number, NUMBER))))
        form = _BOUNDS[tree.op]
        return said.replace(form.format(f"{number:,}"), form.format(self._number_with_unit(left, number)))

    def when_words(self, tree: Expr) -> str:
        """Return a condition as a clause that begins with `when`, or with `unless` if it only excludes a lead."""
        words, counted = self._as_people_count(tree)
        lead = words.lead_words(counted)
        if lead and lead[2]:
            return f"unless {lead[0]} {lead[1]}"
        return f"when {self.condition_clause(tree)}"

    def _as_people_count(self, tree: Expr) -> tuple[TableWords, Expr]:
        """Return a condition with the numbers that people count, and the object that words it."""
        times = None if self.counting or self.fixed_value(tree) is not None else self._display_factor(tree)
        if times is None or times <= 1:
            return self, tree
        return replace(self, counting=True), self._with_numbers_multiplied(tree, times)

    def lead_words(self, tree: Expr) -> tuple[str, str, bool] | None:
        """Return a bound on the difference of two quantities as a lead; None for any other condition.

        The lead is a subject with its verb, `your purse is`, by how much it is above or below, `6 or more below theirs`,
        and whether the condition is that this does not hold. A purse that is no more than 5 below may be above.
        """
        if tree.op not in _BOUNDS or tree.args[1].op not in ("const", "neg") or tree.args[0].op != "-":
            return None
        difference = tree.args[0]
        if self._definition_name(difference, "") or any(arg.op not in ("state", "call") for arg in difference.args):
            return None
        limit, at_least = int(self.fixed_value(tree.args[1])), tree.op == ">="
        ahead, behind = map(self.noun_words, difference.args)
        behind = behind.removesuffix(f" {ahead.removeprefix('your ')}")
        several = (
            super()
            .condition_clause(replace(tree, args=(difference.args[0], const(limit, NUMBER))))
            .startswith(f"{ahead} are ")
        )
        subject = f"{ahead} {'are' if several else 'is'}"
        if limit == 0:
            return subject, f"at {'least' if at_least else 'most'} {behind}", False
        is_denied = at_least != (limit > 0)
        step = self._display_factor(difference) or 1 if self.counting else 1
        least = abs(limit) + step if is_denied else abs(limit)
        size = self._number_with_unit(difference.args[0], least, or_more_words(least))
        return subject, f"{size} {'above' if limit > 0 else 'below'} {behind}", is_denied

    def _number_with_unit(self, tree: Expr, number: int, text: str = "") -> str:
        """Return a number with the unit of ``tree``, if ``tree`` is a variable that has one. ``text``: what stands for
        the number, which is then several.
        """
        unit = self.game.ruleset.state[tree.value].unit if tree.op == "state" else ()
        return number_with_unit(text or f"{number:,}", max(abs(number), 2 if text else 0), unit)

    def _display_factor(self, tree: Expr) -> int | None:
        """Return the factor between the value of an expression and the number that people count.

        It is None for a fixed number. It is 1 if the parts of the expression have different factors.
        """
        if self.fixed_value(tree) is not None:
            return None
        if tree.op == "state":
            return self.game.ruleset.state[tree.value].display_factor
        summed = tree.op in ("+", "-", "neg", "==", "!=", *COMPARED)
        found = {each for arg in tree.args if (each := self._display_factor(arg)) is not None} if summed else {1}
        return found.pop() if len(found) == 1 else 1

    def _with_numbers_multiplied(self, tree: Expr, times: int) -> Expr:
        """Return a comparison or a sum with its fixed numbers multiplied by a factor."""
        fixed = self.fixed_value(tree)
        if fixed is not None:
            return const(fixed * times, NUMBER)
        return (
            tree
            if tree.op == "state"
            else tree.with_args(tuple(self._with_numbers_multiplied(arg, times) for arg in tree.args))
        )


def decision_list_words(game: Game, phase: str, lines: Sequence[WrittenLine]) -> str:
    """Return a short list in a sentence. Its last lines, which have no condition, become the rule to take the first
    option that is possible.
    """
    words, entries = TableWords(game), {entry.name: entry for entry in game.ruleset.phases[phase].entries}
    last = len(lines)
    while last and not _condition_without_instance(lines[last - 1]):
        last -= 1
    parts: list[str] = []
    for action, group in groupby(lines[:last], key=lambda line: _action_words(words, entries[line.option], line)):
        trees = [
            parsed_option_expression(game, entries[line.option], _condition_without_instance(line)) for line in group
        ]
        whens = [f"when {words.condition_clause(tree)}" if tree else "where that is possible" for tree in trees]
        if trees[0] and (first := words.when_words(trees[0])) != whens[0]:
            # after `unless`, a bare `or` could belong to the exception
            always = [f"always {_joined_by_or(whens[1:])}"] if whens[1:] else []
            parts.append(f"{action} {', and '.join([first, *always])}")
        else:
            parts.append(f"{action} {_joined_by_or(whens)}")
    rest = [_action_words(words, entries[line.option], line) for line in lines[last:]]
    whole = "; ".join([*parts, f"else {first_possible_words(rest)}"]) if parts else always_take_words(*rest)
    return whole.replace("’", "'")  # as tables and rules of thumb have it


def _joined_by_or(clauses: Sequence[str]) -> str:
    """Return clauses with commas between them, and `or` before the last."""
    *before, end = clauses
    return f"{', '.join(before)}, or {end}" if before else end


def _condition_without_instance(line: WrittenLine) -> str:
    """Return the condition of a line, without the part that selects an instance."""
    return "" if line.when == line.which else line.when.removesuffix(f" and {line.which}" if line.which else "")


def _action_words(words: TableWords, entry: Entry, line: WrittenLine) -> str:
    """Return in words the action of a line: its option, and which of its instances to take."""
    which, prefer = (parsed_option_expression(words.game, entry, text) for text in (line.which, line.prefer))
    if which is not None:
        return f"{line.option} ({words.noun_words(which.args[0])} {words.noun_words(which.args[1])})"
    if prefer is None:
        return line.option
    least = prefer.op == "neg"
    what = words.noun_words(prefer.args[0] if least else prefer)
    return f"{line.option} ({what} as {'low' if least else 'high'} as possible)"
