"""Quantities that a person can work out at the table, with no printed values: a variable, a sum, a difference, or a
condition.

Each is an expression of the language of rulesets, so that a condition on it can stand in a policy. An expression may
read only cells that all keys of the phase hold, because states leave out what no rule needs any more.

``prescribable_actions`` finds what a line of a list can prescribe: an option, or one instance of an option that is offered
several times.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain

import numpy as np

from oddsmith.base.arrays import Floats, Ints
from oddsmith.base.errors import PlayError
from oddsmith.base.exact import one_line
from oddsmith.base.location import Location, text_without_file
from oddsmith.expr import NUMBER, TRUE, BadExpression, Expr, Scope, typed_tree, variables_in
from oddsmith.graph import StateGraph
from oddsmith.ruleset import Game
from oddsmith.ruleset.model import Add, Entry, Move, PolicyLine, Variable, VariableRef
from oddsmith.solve import PolicyLineEvaluator

MAX_QUANTITIES = 80  # quantities of one phase
MAX_MEMBERS = 12  # of a family that are looked at one by one
MAX_EXPRESSION_LETTERS = 40  # letters of an expression that the rules use


@dataclass(frozen=True, eq=False)
class Quantity:
    """A quantity that a player can see.

    ``text``: its expression. ``is_flag``: whether it is a condition. ``effort``: how much harder it is to see than one of
    the player's own variables, which have 0. ``column``: its value in each decision of a phase; flags are 0 or 1.
    ``negation_text``: the expression of the negation of a flag.
    """

    text: str
    is_flag: bool
    effort: int
    column: Ints
    negation_text: str = ""

    def condition_text(self, number: int, at_least: bool, allowed_numbers: tuple[int, ...] = ()) -> str:
        """Return a condition on the quantity, as an expression of the language of rulesets: at least ``number``, at
        most ``number``, or one of ``allowed_numbers`` if these are given.

        A bound that only one value of the quantity meets is written as an equality.
        """
        if allowed_numbers:
            return (
                f"{self.text} == {allowed_numbers[0]}"
                if len(allowed_numbers) == 1
                else f"{self.text} in {list(allowed_numbers)}"
            )
        if self.is_flag:
            return self.text if at_least else self.negation_text
        if number == (self.column.max() if at_least else self.column.min()):
            return f"{self.text} == {number}"
        return f"{self.text} {'>=' if at_least else '<='} {number}"


def distinguishing_quantities(columns: PolicyLineEvaluator, phase: str) -> list[Quantity]:
    """Return the quantities that tell some decisions of a phase apart, the easiest to see first."""
    game, codec = columns.graph.game, columns.graph.codec
    left = codec.left_out[phase]
    alike = {where for orbit in codec.reduction.orbits for member in orbit for where in member}
    found: list[Quantity] = []
    for offer in sorted(dict.fromkeys(_candidate_quantities(game)), key=lambda offer: offer.effort):
        tree = parsed_expression(game, offer.text)
        if tree is None or tree.type.kind not in ("number", "flag"):
            continue
        cells = _cells_read_by(game, tree)
        if (
            not cells
            or cells & left
            or (cells & alike and not offer.is_symmetric)
            or _reads_hidden_variable(game, tree)
        ):
            continue
        try:
            column = columns.expression_values(phase, tree)
        except PlayError:  # it cannot be worked out everywhere
            continue
        if len(np.unique(column)) > 1 and not any(np.array_equal(column, other.column) for other in found):
            found.append(Quantity(offer.text, tree.type.kind == "flag", offer.effort, column, offer.negation_text))
    return found[:MAX_QUANTITIES]


def feature_quantity(graph: StateGraph, phase: str, feature_key: str, column: Ints) -> Quantity | None:
    """Return a feature of a table as a quantity; None if the language of rulesets cannot express it.

    ``feature_key``: the key of the feature: the name of a cell as the seat to move sees it, or an expression. ``column``: the
    value of the feature in each decision of the phase.
    """
    game, codec = graph.game, graph.codec
    text = _cell_expression_text(game, feature_key)
    tree = parsed_expression(game, text) if text else None
    if tree is None or tree.type != NUMBER:
        return None
    if _cells_read_by(game, tree) & codec.left_out[phase] or _reads_hidden_variable(game, tree):
        return None
    return Quantity(text, False, 0, column)


def _cell_expression_text(game: Game, key: str) -> str:
    """Return an expression of the ruleset language for a cell, such as ``score[next]``, from the view of the seat to
    move; empty if the language has none. ``key``: the name of the cell, or an expression, which is returned as it is.
    """
    cell = next((each for each in game.cells if each.name == key), None)
    if cell is None:
        return key
    index = list(cell.indices)
    if cell.variable.is_per_seat:
        seats = {0: "", game.seats - 1: "previous", 1: "next"}
        by = index.pop(0)
        if by not in seats:
            return ""
        index = [seats[by], *index] if by else index
    return f"{cell.variable.name}[{', '.join(map(str, index))}]" if index else cell.variable.name


def parsed_expression(game: Game, text: str) -> Expr | None:
    """Parse a text as an expression of the language of rulesets; None if it is not one."""
    try:
        return typed_tree(text_without_file(text), Scope(game.ruleset.symbols))
    except BadExpression:
        return None


def _cells_read_by(game: Game, tree: Expr) -> set[int]:
    """Return the indices of the cells that an expression may read."""
    return {where for name in variables_in(tree) for where in game.cell_indices_of(name)}


def _reads_hidden_variable(game: Game, expr: Expr) -> bool:
    return any(game.ruleset.state[name].is_hidden for name in variables_in(expr))


@dataclass(frozen=True)
class _CandidateQuantity:
    """An expression that may become a quantity.

    ``effort``: how hard it is to see. ``negation_text``: the negation of a flag. ``is_symmetric``: whether it treats
    all members of a family alike, so that their order does not matter.
    """

    text: str
    effort: int
    negation_text: str = ""
    is_symmetric: bool = False


def _candidate_quantities(game: Game) -> Iterator[_CandidateQuantity]:
    for variable in game.ruleset.state.values():
        if variable.kind != "tally":
            yield from _variable_quantities(game, variable)
    yield from _defined_quantities(game)
    yield from _quantities_used_by_rules(game)


# --- variables


def _variable_quantities(game: Game, variable: Variable) -> Iterator[_CandidateQuantity]:
    members = list(_member_expressions(game, variable))
    for text, effort in members if len(members) <= MAX_MEMBERS else []:
        yield from _candidates_of_variable(variable, text, effort)
    name = variable.name
    if variable.kind != "number":
        return
    if variable.index_lists == ("seat",):
        if game.seats == 2:
            yield _CandidateQuantity(f"{name} - {name}[next]", 1)
        elif game.seats > 2:
            yield from (_CandidateQuantity(f"{group}({name}[others])", 1) for group in ("max", "min"))
            yield _CandidateQuantity(f"{name} - max({name}[others])", 1)
    elif len(variable.index_lists) == 1:
        yield _CandidateQuantity(f"sum({name}[{variable.index_lists[0]}])", 1, is_symmetric=True)


def _member_expressions(game: Game, variable: Variable) -> Iterator[tuple[str, int]]:
    """Yield the members of a family (a variable with an index), each as an expression as the mover writes it, with its
    effort. A variable without an index is its only member.
    """
    lists = [game.static_values[dim] for dim in variable.index_lists if dim != "seat"]
    if len(lists) > 1:
        return
    items = [str(item) for item in lists[0]] if lists else [""]
    seats = [""]
    if "seat" in variable.index_lists:
        seats += ["next"] * (game.seats > 1) + ["previous"] * (game.seats > 2)
    for seat in seats:
        for item in items:
            index = ", ".join(part for part in (seat, item) if part)
            yield (f"{variable.name}[{index}]" if index else variable.name), int(seat != "")


def _candidates_of_variable(variable: Variable, expression_text: str, effort: int) -> Iterator[_CandidateQuantity]:
    match variable.kind:
        case "number":
            yield _CandidateQuantity(expression_text, effort)
        case "flag":
            yield _CandidateQuantity(expression_text, effort, f"not {expression_text}")
        case "word":
            yield from (
                _CandidateQuantity(f"{expression_text} == {word}", effort, f"{expression_text} != {word}")
                for word in variable.words
            )
        case "seat":
            yield from (
                _CandidateQuantity(f"{expression_text} == {who}", effort, f"{expression_text} != {who}")
                for who in ("mover", "next")
            )
        case "hand":
            yield from (
                _CandidateQuantity(f"{function}({expression_text})", effort + 1) for function in ("sum", "size", "max")
            )


# --- what the rules themselves speak of


def _defined_quantities(game: Game) -> Iterator[_CandidateQuantity]:
    """Yield the definitions without arguments. A number with a name counts as easy to see, because people speak of it."""
    shown = {str(text) for hint in game.ruleset.data.get("show", {}).values() for text in hint.values()}
    for name in game.ruleset.defines:
        tree = None if game.ruleset.symbols[name].arguments else parsed_expression(game, name)
        if tree is not None:
            named = tree.type.kind == "number" or name in shown
            yield _CandidateQuantity(name, 1 if named else 2, f"not {name}")


def _quantities_used_by_rules(game: Game) -> Iterator[_CandidateQuantity]:
    """Yield quantities that the rules use: sums, differences and counts that they compute, the difference of two
    variables that they compare, and a variable with what an effect adds to it.
    """
    for tree in _all_expressions(game):
        for node in tree.walk():
            sides = [_short_source_text(arg) for arg in node.args]
            if (node.op in ("+", "-") and len(sides) == 2) or (node.op == "call" and node.type.kind == "number"):
                yield from (_CandidateQuantity(text, 2) for text in [_short_source_text(node)] if text)
            elif node.op in ("<", "<=", ">", ">=") and all(sides) and all(arg.op == "state" for arg in node.args):
                yield _CandidateQuantity(f"{sides[0]} - {sides[1]}", 2)
    for effect in game.effects:
        if isinstance(effect, Move | Add) and effect.target:
            target = _plain_variable_name(effect.target)
            taken = effect.source if isinstance(effect, Move) else None
            source = (
                _short_source_text(effect.amount) if effect.amount else _plain_variable_name(taken) if taken else ""
            )
            if source and target:
                yield _CandidateQuantity(f"{target} + {source}", 2)


def _all_expressions(game: Game) -> Iterator[Expr]:
    rules = game.ruleset
    entries = [entry for phase in rules.phases.values() for entry in phase.entries]
    defined = (parsed_expression(game, name) for name in rules.defines if not rules.symbols[name].arguments)
    yield from chain((tree for entry in entries for tree in entry.expressions_read), (rules.out_when, rules.end_when))
    yield from (tree for tree in defined if tree is not None)
    for effect in game.effects:
        yield from effect.expressions_read


def _short_source_text(tree: Expr) -> str:
    """Return the source of an expression. It is empty if the source is long, is not one piece of the ruleset, or uses
    local names.
    """
    text = one_line(tree.span.covered_text)
    known = all(node.op not in ("local", "each", "face") and node.span.text is tree.span.text for node in tree.walk())
    return text if known and len(text) <= MAX_EXPRESSION_LETTERS else ""


def _plain_variable_name(variable: VariableRef) -> str:
    """Return the name of a variable. It is empty if the variable has an index other than the seat to move."""
    return variable.name if all(index.op == "seat" for index in variable.indices) else ""


MAX_ACTIONS = 8  # moves of one phase that a search tries
MAX_VALUES = 5  # of a loop's name that are told one by one


@dataclass(frozen=True)
class WrittenLine:
    """A line of a policy as it is written in a ruleset.

    ``when`` and ``prefer``: expressions, empty if the line has none. An option may be offered in several instances.
    Then ``which`` is the last part of ``when``, which selects one of them.
    """

    option: str
    when: str = ""
    prefer: str = ""
    which: str = ""

    @property
    def text_by_key(self) -> dict[str, str]:
        """The keys of the line in a ruleset, with their texts."""
        keys = {"option": self.option, "when": self.when, "prefer": self.prefer}
        return {key: text for key, text in keys.items() if text}

    def to_policy_line(self, game: Game, phase: str) -> PolicyLine:
        """Parse the line, and return it as a line of a policy. Raises BadExpression."""
        entry = {each.name: each for each in reversed(game.ruleset.phases[phase].entries)}[self.option]
        when, prefer = (
            parsed_option_expression(game, entry, self.when),
            parsed_option_expression(game, entry, self.prefer),
        )
        return PolicyLine(self.option, when or TRUE, prefer, Location(game.ruleset.source.file))


@dataclass(frozen=True, eq=False)
class PrescribableAction:
    """An action that a line of a list can prescribe.

    ``which``: a condition on the instance of the option, in the language of rulesets. ``prefer``: an expression; the
    instance with the greatest value of it is taken. ``rows``: the row that is taken in each decision of the phase, -1
    if the action is not legal there.
    """

    option: str
    which: str
    prefer: str
    rows: Ints

    def policy_line(self, condition: str = "") -> WrittenLine:
        """Return the line of a policy that prescribes the action. ``condition``: its condition; without it, the line always
        applies.
        """
        return WrittenLine(
            self.option, " and ".join(part for part in (condition, self.which) if part), self.prefer, self.which
        )


def parsed_option_expression(game: Game, entry: Entry, text: str) -> Expr | None:
    """Parse an expression that is written in the line of an option. It may use the loop names of the option. Return
    None if the text is empty.
    """
    if not text:
        return None
    scope = Scope(game.ruleset.symbols)
    for name, items in entry.loops:
        scope = scope.with_local(name, items.type.item or NUMBER, items.span)
    return typed_tree(text_without_file(text), scope)


def prescribable_actions(columns: PolicyLineEvaluator, phase: str, losses: Floats) -> list[PrescribableAction]:
    """Return the actions of a phase that a list can prescribe, the most useful first. No two of them take the same
    rows.

    ``losses``: the loss of every row of the graph, shape (rows,), weighted by how often play reaches its state. Whole
    options come before single instances; within these, actions with less mean loss come first. Of each option, the
    action that is legal most often is always included.
    """
    entries = columns.graph.game.ruleset.phases[phase].entries
    found = [move for entry in entries for move in _prescribable_actions_of_option(columns, phase, entry)]
    widest: dict[str, PrescribableAction] = {}
    for move in sorted(found, key=lambda move: -int((move.rows >= 0).sum())):
        widest.setdefault(move.option, move)
    best = _most_useful_actions(found, losses)
    kept = [*best, *(move for move in widest.values() if move not in best)]
    return sorted(
        kept, key=lambda move: (move not in best, bool(move.which), float(losses[move.rows[move.rows >= 0]].mean()))
    )


def _prescribable_actions_of_option(columns: PolicyLineEvaluator, phase: str, entry: Entry) -> list[PrescribableAction]:
    """Return the actions of an option, one for each different set of rows that its candidate lines prescribe.

    If several lines prescribe the same rows, the action has the first of them. It has the plain option instead if both
    the greatest and the least value of an expression select these rows, because then there is nothing to select.
    """
    found: dict[bytes, list[PrescribableAction]] = {}
    for line in _candidate_lines(columns.graph, phase, entry):
        try:
            rows = columns.prescribed_rows(phase, [line.to_policy_line(columns.graph.game, phase)])
        except (BadExpression, PlayError):  # what is preferred has no value somewhere, such as the sum of no dice
            continue
        if (rows >= 0).any():
            found.setdefault(rows.tobytes(), []).append(PrescribableAction(line.option, line.when, line.prefer, rows))
    kept = []
    for alike in found.values():
        preferred = {move.prefer for move in alike}
        single = any(f"-{what}" in preferred for what in preferred)
        plain = [move for move in alike if not (move.which or move.prefer)]
        kept.append(plain[0] if plain and single else alike[0])
    return kept


def _most_useful_actions(actions: list[PrescribableAction], losses: Floats) -> list[PrescribableAction]:
    """Return a few of many actions, chosen one after another. The next one is always the action that most reduces the
    total loss, if each decision takes the best of the chosen actions.
    """
    dearest = 2 * losses.max(initial=0.0) + 1e-9
    prices = [np.where(move.rows >= 0, losses[move.rows], dearest) for move in actions]
    left, taken, best = list(range(len(actions))), list[PrescribableAction](), np.full(len(actions[0].rows), dearest)
    while left and len(taken) < MAX_ACTIONS:
        place = min(left, key=lambda place: float(np.minimum(best, prices[place]).sum()))
        best = np.minimum(best, prices[place])
        left.remove(place)
        taken.append(actions[place])
    return taken


def _candidate_lines(graph: StateGraph, phase: str, entry: Entry) -> Iterator[WrittenLine]:
    """Yield lines that take an option: first lines that select one of its instances, each in another way, then the line
    of the plain option.
    """
    for name, items in entry.loops:
        if items.type.kind == "hand" or items.type.item is None or items.type.item.kind == "number":
            yield from _lines_by_loop_value(graph, phase, entry, name)
            yield from _extreme_lines(entry, name)
        elif items.type.item.kind == "hand":
            for function in ("sum", "size", *_hand_measure_names(graph.game, entry, name)):
                yield from _extreme_lines(entry, f"{function}({name})")
        elif items.type.item.kind == "seat":
            for variable in graph.game.ruleset.state.values():
                if variable.index_lists == ("seat",) and variable.kind == "number" and not variable.is_hidden:
                    yield from _extreme_lines(entry, f"{variable.name}[{name}]")
            yield from (WrittenLine(entry.name, f"{name} == {who}") for who in ("next", "previous"))
        elif items.type.item.kind == "word":
            yield from _lines_by_loop_value(graph, phase, entry, name)
    yield WrittenLine(entry.name)


def _hand_measure_names(game: Game, entry: Entry, hand_name: str) -> Iterator[str]:
    """Yield the names of the definitions that map a hand to a number. They say how people value dice in this game.
    ``hand_name``: the loop name of the hand.
    """
    for name, symbol in game.ruleset.symbols.items():
        if symbol.kind == "define" and len(symbol.arguments) == 1:
            with suppress(BadExpression):
                tree = parsed_option_expression(game, entry, f"{name}({hand_name})")
                if tree is not None and tree.type == NUMBER:
                    yield name


def _extreme_lines(entry: Entry, expression_text: str) -> Iterator[WrittenLine]:
    """Yield two lines: one takes the instance with the greatest value of the expression ``expression_text``, the other the
    instance with the least.
    """
    yield WrittenLine(entry.name, "", expression_text)
    yield WrittenLine(entry.name, "", f"-{expression_text}")


def _lines_by_loop_value(graph: StateGraph, phase: str, entry: Entry, loop_name: str) -> Iterator[WrittenLine]:
    """Yield a line for each value of the loop name ``loop_name``, if there are few values."""
    entries = graph.game.ruleset.phases[phase].entries
    bound = [binding for where, number, binding in graph.actions if where == phase and entries[number] is entry]
    values = sorted({dict(binding)[loop_name] for binding in bound})
    if len(values) <= MAX_VALUES:
        yield from (WrittenLine(entry.name, f"{loop_name} == {value}") for value in values)
