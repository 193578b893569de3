"""Binds a ruleset to a setting: the expressions of lists, dice, bounds and start values are evaluated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from math import comb, prod
from typing import Any

from oddsmith.base.dice import NO_DICE, Die, merge_terms
from oddsmith.base.errors import Problem, RequirementError, RuleFailure, RulesetError, SettingError, did_you_mean
from oddsmith.base.exact import plain_text
from oddsmith.base.limits import hint_to_raise_limit, limits
from oddsmith.base.location import Location
from oddsmith.expr import IN_PLAY, MAX_NUMBER, EvaluationContext, Expr, Layout, compiled_function
from oddsmith.ruleset.game import Cell, Game
from oddsmith.ruleset.model.editions import Setting
from oddsmith.ruleset.model.phases import plain_die_sides
from oddsmith.ruleset.model.ruleset import Ruleset, names_of_dice_rolled
from oddsmith.ruleset.model.state import Cheat, DieRule, Variable
from oddsmith.ruleset.roll_tables import table_problems

MORE_DICE_THAN_ROLLED = 1_000_000  # dice, more than are ever rolled together


def bind(ruleset: Ruleset, setting: Setting = Setting()) -> Game:
    """Return the game of a ruleset at a setting, by default the usual game. The setting's objective is ignored.

    Raises SettingError for unknown names or values that are not allowed, RequirementError for values that ``require``
    rules out, and RulesetError if the ruleset is not valid with the values.
    """
    parameters, seats = resolve_setting(ruleset, setting)
    binder = _Binder(ruleset, seats, parameters)
    game = binder.bind_game(setting.variants)
    if binder.problems:
        raise RulesetError(binder.problems, ruleset.source)
    return game


def resolve_setting(ruleset: Ruleset, setting: Setting) -> tuple[dict[str, Any], int]:
    """Return the value of every parameter by name, and the number of seats.

    Raises SettingError for unknown names, and for values that are not allowed.
    """
    chosen = {name: parameter.default for name, parameter in ruleset.parameters.items()}
    for variant in setting.variants:
        if variant not in ruleset.variants:
            hint = did_you_mean(variant, ruleset.variants, "variants")
            raise SettingError(f"{ruleset.id} has no variant {variant}: {hint}")
        chosen.update(ruleset.variants[variant].values)
    for name, value in setting.values.items():
        if name not in chosen and name != "seats":
            hint = did_you_mean(name, chosen, "parameters")
            raise SettingError(f"{ruleset.id} has no parameter {name}: {hint}")
        parameter = ruleset.parameters.get(name)
        wanted = parameter.allowed_values_if_broken(value) if parameter else ""
        if wanted:
            raise SettingError(f"{name} cannot be {value}: it must be {wanted}")
        chosen[name] = value
    named = chosen.pop("seats", ruleset.seats[2])  # a variant or a value may say how many play
    count = setting.seats or named
    ruleset.refuse_disallowed_seat_count(count)
    return chosen, count


def names_of_dice_by_kind(ruleset: Ruleset) -> list[str]:
    """Return the names of all dice. The index of a name is the kind of the die.

    The named dice of the ruleset come first, then the plain dice (such as d6) of hands and rolls.
    """
    plain = [die for die in names_of_dice_rolled(ruleset.state, ruleset.phases) if plain_die_sides(die) is not None]
    return list(dict.fromkeys([*ruleset.dice, *plain]))


def with_loaded_dice(game: Game, cheat: Cheat) -> Game:
    """Return the game with a cheat's loaded dice in place of fair dice. Raises SettingError for an unknown face."""
    if not cheat.weights:
        return game
    fair = game.dice[cheat.die]
    lacking = sorted(set(cheat.weights) - set(fair.faces))
    if lacking:
        raise SettingError(f"the die {cheat.die} has no face {game.face_name(fair.kind, lacking[0])} there")
    load = tuple(weight * cheat.weights.get(face, 1) for face, weight in zip(fair.faces, fair.weights, strict=True))
    odd = replace(fair, loaded_weights=load, loaded_count=cheat.max_loaded_dice or MORE_DICE_THAN_ROLLED)

    def with_loaded_terms(terms: tuple[tuple[Die, int], ...]) -> tuple[tuple[Die, int], ...]:
        return tuple((odd if die == fair else die, count) for die, count in terms)

    cells = tuple(replace(cell, dice=with_loaded_terms(cell.dice)) for cell in game.cells)
    return replace(game, dice={**game.dice, cheat.die: odd}, cells=cells)


class _Binder:
    def __init__(self, ruleset: Ruleset, seats: int, parameters: Mapping[str, Any]) -> None:
        self.ruleset, self.seats, self.parameters = ruleset, seats, parameters
        self.problems: list[Problem] = []
        self.static: dict[str, Any] = {**parameters, **ruleset.constants, **ruleset.maps}

    def report_problem(self, code: str, location: Location, message: str, hint: str = "") -> None:
        self.problems.append(Problem(code, location, message, hint))

    def evaluate(self, tree: Expr, context: EvaluationContext) -> Any:
        try:
            return compiled_function(tree)(context)
        except RuleFailure as failure:
            self.report_problem(failure.code, tree.span.location, failure.message, failure.hint)
            return () if tree.type.kind == "list" else 0  # to go on with, so that all is found at once

    def bind_game(self, variants: tuple[str, ...]) -> Game:
        ruleset = self.ruleset
        before = EvaluationContext(self.static, {}, self.seats)
        for name, items in ruleset.lists.items():
            self.static[name] = self.evaluate(items, before) if isinstance(items, Expr) else items
        self.check_requirements(before)
        dice = self.bind_dice(before)
        layout, cells = self.layout_and_cells(before, dice)
        game = Game(ruleset, self.seats, self.parameters, variants, self.static, dice, layout, cells)
        if not self.problems:
            object.__setattr__(game, "start", self.start_values(game))
            self.problems += table_problems(game)
        return game

    def check_requirements(self, context: EvaluationContext) -> None:
        for each in self.ruleset.requirements:
            if not self.evaluate(each.condition, context) and not self.problems:
                asked, why = (
                    _settings_in_words(self.parameters_read_with_values(each.condition)),
                    each.error_text.rstrip("."),
                )
                message = (
                    f"{self.ruleset.id} cannot be played with {asked}: {why} (`{each.condition.span.covered_text}`)"
                )
                hint = "change the values, or what `require:` asks for"
                raise RequirementError(Problem("OD430", each.location, message, hint))

    def parameters_read_with_values(self, *trees: Any) -> dict[str, Any]:
        """Return the parameters that the given expressions read, with their values.

        The number of seats is included under the name ``seats`` if an expression reads it. Values that are not
        expressions are ignored.
        """
        nodes = [node for tree in trees if isinstance(tree, Expr) for node in tree.walk()]
        found = {node.value: self.parameters[node.value] for node in nodes if node.op == "parameter"}
        return found | ({"seats": self.seats} if any(node.op == "seats" for node in nodes) else {})

    def bind_dice(self, context: EvaluationContext) -> dict[str, Die]:
        """Return dice by name: every named die of the ruleset, and every plain die that a roll or a hand uses."""
        dice: dict[str, Die] = {}
        for kind, name in enumerate(names_of_dice_by_kind(self.ruleset)):
            rule, sides = self.ruleset.dice.get(name), plain_die_sides(name) or 0
            plain = Die(name, kind, tuple(range(1, sides + 1)), (1,) * sides)
            dice[name] = self.bind_die(rule, kind, context) if rule else plain
        return dice

    def bind_die(self, rule: DieRule, die_kind: int, context: EvaluationContext) -> Die:
        faces = self.evaluate(rule.faces, context) if isinstance(rule.faces, Expr) else rule.faces
        weights = tuple(self.evaluate(weight, context) for weight in rule.weights) or (1,) * len(faces)
        written = [*([rule.faces] if isinstance(rule.faces, Expr) else []), *rule.weights]
        where = written[0].span.location if written else Location(self.ruleset.source.file)
        if not faces:
            self.report_problem("OD422", where, f"the die {rule.name} has no face")
        elif len(weights) != len(faces):
            self.report_problem(
                "OD356", where, f"the die {rule.name} has {len(faces)} faces and {len(weights)} weights"
            )
        elif min(weights) < 0 or sum(weights) < 1:
            self.report_problem(
                "OD423", where, f"the weights of the die {rule.name} are {', '.join(map(str, weights))}"
            )
        return Die(rule.name, die_kind, tuple(faces), tuple(weights))

    def layout_and_cells(
        self, context: EvaluationContext, dice: Mapping[str, Die]
    ) -> tuple[dict[str, Layout], tuple[Cell, ...]]:
        layout: dict[str, Layout] = {}
        cells: list[Cell] = []
        for variable in self.ruleset.state.values():
            items = [range(self.seats) if dim == "seat" else self.static[dim] for dim in variable.index_lists]
            least, most = self.bounds_of_variable(variable, context)
            held: tuple[tuple[Die, int], ...] = ()
            if variable.kind == "hand":
                terms = [(self.evaluate(term.count, context), dice[term.die]) for term in variable.dice]
                held = tuple((die, count) for count, die in merge_terms(terms))
                most = sum(count for _, count in held)
                for count, die in terms:
                    if count < 0:
                        message = f"{variable.name} would hold {count} {die.name}"
                        self.report_problem("OD416", variable.location, message, "let it hold max(0, ...) of them")
                hands = prod(comb(max(count, 0) + len(set(die.faces)), len(set(die.faces))) for die, count in held)
                if hands > limits().kept:
                    message = f"{variable.name} can be any of {hands:,} hands, over {limits().kept:,}"
                    hint = f"let it hold fewer dice, or dice with fewer sides, {hint_to_raise_limit('kept')}"
                    self.report_problem("OD417", variable.location, message, hint)
            dims = tuple({item: place for place, item in enumerate(dim)} for dim in items)
            layout[variable.name] = Layout(len(cells), dims)
            if len(cells) + prod(map(len, items)) > 5_000:
                message = f"with {variable.name} a position has over 5,000 values"
                self.report_problem("OD424", variable.location, message, "make its lists shorter")
                return layout, ()
            sides = self.ruleset.sides
            cells += [Cell(variable, index, least, most, held, sides=sides) for index in product(*items)]
        return layout, tuple(cells)

    def bounds_of_variable(self, variable: Variable, context: EvaluationContext) -> tuple[int, int]:
        match variable.kind:
            case "flag":
                return 0, 1
            case "word":
                return 0, len(variable.words) - 1
            case "seat":
                return 0, self.seats - 1
            case "tally":
                return -MAX_NUMBER, MAX_NUMBER
        least = self.evaluate(variable.least, context) if variable.least else 0
        most = self.evaluate(variable.most, context) if variable.most else least
        if least > most:
            self.report_problem("OD425", variable.location, f"{variable.name} has min {least} above max {most}")
        return least, most

    def start_values(self, game: Game) -> tuple[Any, ...]:
        """Return the values of all cells before the first turn, in the order of the ruleset's variables."""
        context = game.context([0] * len(game.cells))
        for variable in self.ruleset.state.values():
            for where in game.cell_indices_of(variable.name):
                cell = game.cells[where]
                value = self.start_value(cell, context)
                if variable.kind == "number" and not cell.least <= value <= cell.most:
                    message = f"{cell.name_with_sides} starts at {value}, {cell.violated_bound_in_words(value)}"
                    hint = self.hint_for_start_out_of_bounds(cell, value < cell.least)
                    self.report_problem("OD426", variable.location, message, hint)
                if variable.kind == "word" and value not in variable.words:
                    self.report_problem(
                        "OD426", variable.location, f"{cell.name_with_sides} starts as {value}, which it cannot be"
                    )
                context.cells[where] = value
            family = {context.cells[where] for where in game.cell_indices_of(variable.name)}
            if variable.resets_each_turn and variable.kind == "seat" and not variable.starts_as_mover:
                message = f"{variable.name} resets every turn to a fixed seat"
                self.report_problem("OD427", variable.location, message, "a seat that resets starts as mover")
            if (
                variable.resets_each_turn
                and variable.is_per_seat
                and not isinstance(variable.start, Mapping)
                and len(family) > 1
            ):
                message = f"{variable.name} resets every turn, but starts differently by seat"
                self.report_problem("OD427", variable.location, message, "give every seat the same start")
        return tuple(context.cells)

    def hint_for_start_out_of_bounds(self, cell: Cell, is_below_minimum: bool) -> str:
        """Return the hint for a start value out of bounds: the settings that cause it, and a requirement against them.

        ``is_below_minimum``: whether the start value is below the minimum, not above the maximum.
        """
        start, bound = _start_expression(cell), cell.variable.least if is_below_minimum else cell.variable.most
        read = self.parameters_read_with_values(start, bound)
        hint = "change its start, min or max"
        if not read:
            return hint
        trees = [part for part in (start, bound) if part is not None]
        words = [f"({part.span.covered_text})" if part.op == "if" else part.span.covered_text for part in trees]
        if start is not None and all(node.op not in IN_PLAY for part in trees for node in part.walk()):
            fits = f"{words[0]} {'>=' if is_below_minimum else '<='} {words[1] if bound is not None else 0}"
            hint += f"; or rule such settings out: `require: [{{that: {fits}, about: ...}}]`"
        return f"with {_settings_in_words(read)} it starts as `{words[0]}`: {hint}"

    def start_value(self, cell: Cell, context: EvaluationContext) -> Any:
        variable = cell.variable
        context.seat = cell.indices[0] if variable.is_per_seat else 0
        spec = _start_expression(cell)
        if spec is not None:
            return self.evaluate(spec, context)
        defaults = {"flag": False, "seat": 0, "hand": NO_DICE, "tally": 0}
        return variable.words[0] if variable.kind == "word" else defaults.get(variable.kind, cell.least)


def _start_expression(cell: Cell) -> Expr | None:
    """Return the expression of the start value of a cell; None if the ruleset has none."""
    start = cell.variable.start
    return start.get(cell.indices[-1]) if isinstance(start, Mapping) else start


def _settings_in_words(settings: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {plain_text(value)}" for name, value in settings.items())
