"""How a parameter enters the rules: only through the weights of dice and the payoffs, or in a way that decides play.

A parameter that enters only weights of faces and payoffs does not change the structure of the game: the same things can
happen for all its values, and every probability and payoff is a rational function of it. This module reads the degrees
off the expressions of the rules. Any other use of the parameter (in a test, a bound, a start, a list or a number of
dice) is refused, with its position in the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import assert_never

from oddsmith.base.errors import SymbolError, did_you_mean
from oddsmith.expr import Expr, RangeAnalyzer
from oddsmith.ruleset import Game
from oddsmith.ruleset.checking import declared_bounds as ranges_of
from oddsmith.ruleset.model import Add, Drop, Effect, ForItems, ForSeats, If, Let, Move, Reveal, Set, VariableRef

_JOINING = {"+", "-", "neg", "listed"}


@dataclass(frozen=True)
class ParameterDegrees:
    """How weights and payoffs depend on a parameter: the degrees of their polynomials.

    ``die_weight_degrees``: the degree for each die whose weights depend on the parameter. ``payoff_degree``: the degree
    of the payoffs.
    """

    die_weight_degrees: Mapping[str, int]
    payoff_degree: int


def parameter_bounds(game: Game, parameter_name: str) -> tuple[int, int]:
    """Return the least and the greatest value of the parameter ``parameter_name``. Raises SymbolError if it does not take
    numbers.
    """
    rules = game.ruleset
    if parameter_name not in rules.parameters:
        raise SymbolError(
            f"{rules.id} has no parameter {parameter_name}: {did_you_mean(parameter_name, rules.parameters, 'parameters')}"
        )
    parameter = rules.parameters[parameter_name]
    if parameter.least is None or parameter.most is None:
        raise SymbolError(f"{parameter_name} does not run over a range of numbers, so it cannot be a symbol")
    return parameter.least, parameter.most


def parameter_degrees(game: Game, objective: str, parameter_name: str) -> ParameterDegrees:
    """Return the degrees of the weights and payoffs of a game in the parameter ``parameter_name``.

    Raises SymbolError if the parameter affects more than probabilities and payoffs.
    """
    return _ParameterDegreeReader(game, objective, parameter_name).read_degrees()


def most_dice_rolled(game: Game, dice: Iterable[str]) -> dict[str, int]:
    """Return, for each die of ``dice``, the largest number of such dice that one roll phase can roll.

    A transition passes through one roll phase. Raises SymbolError if there is no limit.
    """
    ranger, bounds = RangeAnalyzer(lambda problem: None), ranges_of(game)
    most = dict.fromkeys(dice, 0)
    for phase in game.ruleset.phases.values():
        thrown = dict.fromkeys(most, 0.0)
        for throw in phase.rolls_and_draws:
            if throw.kind == "rest":
                held = game.cells[game.layout[throw.name].first].dice
                counts = [(die.name, float(count)) for die, count in held]
            else:
                counts = [(term.die, ranger.range(term.count, bounds).high) for term in throw.dice]
            for die, count in counts:
                if die in thrown:
                    thrown[die] += count
        for die, total in thrown.items():
            if total == inf:
                raise SymbolError(f"there is no limit to how many {die} dice {phase.name} throws")
            most[die] = max(most[die], int(total))
    return most


class _ParameterDegreeReader:
    """Finds the degrees, in a parameter, of everything that a game computes.

    ``locals`` and ``tallies`` hold the degrees of local names and tallies that depend on the parameter.
    """

    def __init__(self, game: Game, objective: str, parameter_name: str) -> None:
        self.game, self.objective, self.name = game, objective, parameter_name
        self.tallies: dict[str, int] = {}
        self.locals: dict[str, int] = {}

    def read_degrees(self) -> ParameterDegrees:
        rules = self.game.ruleset
        for requirement in rules.requirements:
            self.refuse_dependence(requirement.condition, "what a setting must meet")
        for items in rules.lists.values():
            self.refuse_dependence(items, "part of a list")
        weights = {}
        for die in rules.dice.values():
            self.refuse_dependence(die.faces, "the faces of a die")
            degree = max((self.degree(weight) for weight in die.weights), default=0)
            if degree:
                weights[die.name] = degree
        for variable in rules.state.values():
            starts = variable.start.values() if isinstance(variable.start, Mapping) else [variable.start]
            for tree in (variable.least, variable.most, *starts, *(term.count for term in variable.dice)):
                self.refuse_dependence(tree, f"a bound or the start of {variable.name}")
        self.read_play_expressions()
        before = dict(self.tallies)
        self.read_play_expressions()  # again: what a tally holds may not decide anything, nor grow by itself
        if self.tallies != before:
            raise SymbolError(f"{self.name} feeds a tally that feeds a tally: no bound of its degree can be given")
        return ParameterDegrees(weights, self.degree(rules.payoffs[self.objective].value))

    def read_play_expressions(self) -> None:
        """Read all expressions of play, and record the degrees of tallies. Raises SymbolError."""
        rules = self.game.ruleset
        self.refuse_dependence(rules.out_when, "the test of who is out")
        self.refuse_dependence(rules.end_when, "the test of the end")
        for phase in rules.phases.values():
            for throw in phase.rolls_and_draws:
                for term in throw.dice:
                    self.refuse_dependence(term.count, "a number of dice")
            for entry in phase.entries:
                self.locals = {}
                for _, items in entry.loops:
                    self.refuse_dependence(items, "part of a list")
                self.refuse_dependence(entry.when, f"the `when` of {entry.name}")
                for tree in entry.then.expressions_read:
                    self.refuse_dependence(tree, "the next player")
                self.read_effects(entry.do)
        self.locals = {}
        self.read_effects(rules.at_end)

    # --- effects

    def read_effects(self, effects: Sequence[Effect]) -> None:
        for effect in effects:
            for place in effect.variables_written:
                for index in place.indices:
                    self.refuse_dependence(index, "an index")
            self.read_effect(effect)
            for body in effect.nested_effects:
                self.read_effects(body)

    def read_effect(self, effect: Effect) -> None:
        """Read the expressions of one effect, except the indices of its variables. Raises SymbolError."""
        match effect:
            case Let():
                self.locals[effect.name] = max(self.locals.get(effect.name, 0), self.degree(effect.amount))
            case Move():
                self.read_amount(effect.amount, None if effect.source else effect.target)
            case Set() | Add():
                self.read_amount(effect.amount, effect.target)
            case If():
                self.refuse_dependence(effect.test, "a test")
            case ForSeats():
                self.refuse_dependence(effect.group, "a test")
            case ForItems():
                for _, items in effect.loops:
                    self.refuse_dependence(items, "part of a list")
            case Reveal():
                self.refuse_dependence(effect.amount, "what is shown")
            case Drop():
                pass
            case _:
                assert_never(effect)

    def read_amount(self, expression: Expr | None, receiver: VariableRef | None) -> None:
        """Read the expression of an amount. Raises SymbolError.

        ``receiver``: the variable that receives the amount; None if another variable loses it.
        """
        if expression is None:
            return
        if receiver is None or not self.is_tally(receiver):
            self.refuse_dependence(expression, "an amount that is part of the position")
        elif degree := max(self.tallies.get(receiver.name, 0), self.degree(expression)):
            self.tallies[receiver.name] = degree

    def is_tally(self, variable: VariableRef) -> bool:
        return self.game.ruleset.state[variable.name].kind == "tally"

    # --- expressions

    def refuse_dependence(self, expression: object, use_text: str) -> None:
        """Raise SymbolError if the parameter enters an expression that decides what can happen. ``use_text``: that use, in
        words.
        """
        if isinstance(expression, Expr) and self.depends_on_parameter(expression):
            raise self.symbol_error(use_text, expression)

    def depends_on_parameter(self, expression: Expr) -> bool:
        return any(self.name_degree(node) for node in expression.walk())

    def name_degree(self, name_expression: Expr) -> int:
        """Return the degree of an expression that is a name: a parameter, a local name or a variable."""
        if name_expression.op == "parameter":
            return int(name_expression.value == self.name)
        if name_expression.op == "local":
            return self.locals.get(name_expression.value, 0)
        return self.tallies.get(name_expression.value, 0) if name_expression.op == "state" else 0

    def degree(self, expression: Expr) -> int:
        """Return the degree of an expression as a polynomial in the parameter. Raises SymbolError if it is not a
        polynomial.
        """
        if not self.depends_on_parameter(expression):
            return 0
        if expression.op in _JOINING or (
            expression.op == "call" and expression.value == "sum" and len(expression.args) == 1
        ):
            return max(map(self.degree, expression.args))
        if expression.op == "*":
            return sum(map(self.degree, expression.args))
        if expression.op in ("parameter", "local", "state") and not any(
            map(self.depends_on_parameter, expression.args)
        ):
            return self.name_degree(expression)
        if expression.op == "/" and not self.depends_on_parameter(expression.args[1]):
            return self.degree(expression.args[0])
        if expression.op == "if" and not self.depends_on_parameter(expression.args[0]):
            return max(map(self.degree, expression.args[1:]))
        if (
            expression.op == "each"
            and expression.value[1] != "flat"
            and not any(map(self.depends_on_parameter, (expression.args[0], *expression.args[2:])))
        ):
            return self.degree(expression.args[1])
        raise self.symbol_error("no polynomial of it", expression)

    def symbol_error(self, message: str, expression: Expr) -> SymbolError:
        return SymbolError(
            f"{self.name} changes the structure of {self.game.ruleset.id}, so it cannot stay a symbol: "
            f"`{expression.span.covered_text}` at {expression.span.location} is {message}"
        )
