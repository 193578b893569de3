"""Read a ruleset from its file: syntax, schema, names, phases, questions. All problems are reported at once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from oddsmith.base.errors import Problem, RulesetError, did_you_mean
from oddsmith.base.location import Source, Span
from oddsmith.expr import EXACT, FALSE, FLAG, NUMBER, SEAT, BadExpression, Expr, Scope, const
from oddsmith.ruleset.model.effects import Add, Effect, Let, Set, effects_in_preorder
from oddsmith.ruleset.model.phases import Phase, ToPhase, plain_die_sides
from oddsmith.ruleset.model.questions import NOTHING, Payoff
from oddsmith.ruleset.model.ruleset import Ruleset, names_of_dice_rolled
from oddsmith.ruleset.model.state import BoardRow, Cheat, Parameter, PlayBoard, Requirement, Variable, Variant
from oddsmith.ruleset.reading.dice import TableReader
from oddsmith.ruleset.reading.editions import EditionReader, changed_parameter_values
from oddsmith.ruleset.reading.effects import EffectReader
from oddsmith.ruleset.reading.names import NameTable
from oddsmith.ruleset.reading.phases import PhaseReader
from oddsmith.ruleset.reading.questions import QuestionReader, WordingReader
from oddsmith.ruleset.reading.reader import ReadingContext, read_sentence, unit_forms_from_text
from oddsmith.ruleset.reading.schema import schema_violations
from oddsmith.ruleset.reading.source import Node, parse_source, read_source

Read = TypeVar("Read")


def load_ruleset(path: Path) -> tuple[Ruleset, tuple[Problem, ...]]:
    """Return the ruleset in a file, and its warnings. Raises RulesetError with all problems found."""
    return read_ruleset(read_source(path))


def read_ruleset(source: Source) -> tuple[Ruleset, tuple[Problem, ...]]:
    """Return the ruleset in a text, and its warnings. Raises RulesetError with all problems found."""
    root = parse_source(source)
    problems = schema_violations(root)
    if problems:
        raise RulesetError(problems, source)
    reading = ReadingContext(source)
    ruleset = _RulesetBuilder(root, reading).build_ruleset()
    if not any(problem.severity == "error" for problem in reading.problems):
        reading.problems += choices_knowing_secrets_problems(ruleset)
    if any(problem.severity == "error" for problem in reading.problems):
        raise RulesetError(reading.without_uses_of_refused_names(), source)
    return ruleset, tuple(sorted(set(reading.problems), key=lambda p: (p.location, p.code)))


class _RulesetBuilder:
    def __init__(self, root: Node, reading: ReadingContext) -> None:
        self.root, self.reading = root, reading
        self.names = NameTable(reading)
        self.names.read_sections(root)
        self.effects = EffectReader(reading)

    def build_ruleset(self) -> Ruleset:
        root, names = self.root, self.names
        data = root.data()
        scope = names.scope()
        phase_names = list(root.value["phases"].value)
        reader = PhaseReader(self.reading, self.effects, names, phase_names)
        named = root.value["phases"]
        phases = {
            name: replace(reader.phase(name, node, scope), location=named.keys[name].location)
            for name, node in named.value.items()
        }
        turn = root.value["turn"]
        if turn.value not in phases:
            hint = did_you_mean(str(turn.value), phases, "phases")
            self.reading.report("OD343", turn.location, f"there is no phase {turn.value}", hint)
        paying = names.scope(exact=True, tallies=True)
        leaving, ending = (
            self.value_and_words_of_section("out_when", "when"),
            self.value_and_words_of_section("at_end", "do"),
        )
        out_when, end_when = self.condition_or_false(leaving[0]), self.condition_or_false(root.get("end_when"))
        out_say, end_say = (read_sentence(self.reading, say, scope) for _, say in (leaving, ending))
        at_end = self.effects.effects(ending[0], scope)
        payoffs = self.payoffs(phases, paying)
        asking = QuestionReader(self.reading, phases, names, paying, payoffs)
        measures = self.records_of_section("measures", asking.measure)
        claims = root.get("claims")
        seats = self.min_max_default_seats()
        settable = {**names.parameters, "seats": Parameter("seats", seats[2], seats[0], seats[1])}
        variants = self.variants(settable)
        if names.sides and set(seats) != {len(names.sides)}:
            message = f"`sides` names {len(names.sides)} seats, and this is another number"
            self.reading.report("OD368", root.value["seats"].location, message, f"write seats: {len(names.sides)}")
        for name in (name for name in names.sides if name in self.effects.written):
            message = f"an effect changes the side {name}"
            self.reading.report("OD368", names.locations[name], message, "who plays a side is the same all game")
        policies, wording = (
            self.records_of_section("policies", asking.policy),
            WordingReader(self.reading, names, seats[1], phases),
        )
        tables = TableReader(self.reading, names.dice, names.scope_known_before_play(), phases).random_tables(
            root.get("tables")
        )
        editions = EditionReader(self.reading, seats, settable, variants, payoffs, policies)
        ruleset = Ruleset(
            self.reading.source, data, str(data["id"]), str(data["title"]), str(data["summary"]), seats,
            names.parameters, variants, names.constants, names.maps, names.lists, names.dice, names.state,
            payoffs, str(turn.value), phases, out_when, end_when, at_end, measures,
            tuple(claim for node in (claims.value if claims else ()) if (claim := asking.claim(node, editions))),
            policies, editions.edition(root.get("publish")),
            names.symbols, names.defines, names.list_types, self.requirements(),
            wording.wording(root.get("told")), wording.advice_lines(root.get("remember"), measures, policies),
            out_say, end_say, tuple(names.sides), wording.policy_name(root.get("regular"), policies),
            tables,
            wording.wording(root.get("part")),
            BoardReader(self.reading, names).boards(root.get("boards")),
            self.cheats(names_of_dice_rolled(names.state, phases)),
        )  # fmt: skip
        self.check_choice_layouts(phases)
        if not any(problem.severity == "error" for problem in self.reading.problems):
            self.warn_of_unused_names()  # what an error hides would only look unused
        return ruleset

    def records_of_section(self, section_name: str, read_record: Callable[[Node], Read]) -> dict[str, Read]:
        node = self.root.get(section_name)
        return {key: read_record(item) for key, item in node.value.items()} if node else {}

    def requirements(self) -> tuple[Requirement, ...]:
        node, scope = self.root.get("require"), self.names.scope_known_before_play()
        return tuple(
            Requirement(self.reading.parse_scalar(item.value["that"], scope, FLAG), item.data()["about"], item.location)
            for item in (node.value if node else ())
        )

    def value_and_words_of_section(self, section_name: str, value_key: str) -> tuple[Node | None, Node | None]:
        """Return the value and the words of a section, each None if missing. If the section ``section_name`` is a map
        with the key ``say``, the words are there and the value is at its key ``value_key``. Otherwise the section is
        the value.
        """
        node = self.root.get(section_name)
        if node is None or not isinstance(node.value, dict) or "say" not in node.value:
            return node, None
        return node.get(value_key), node.get("say")

    def condition_or_false(self, node: Node | None) -> Expr:
        return FALSE if node is None else self.reading.parse_scalar(node, self.names.scope(), FLAG)

    def payoffs(self, phases: Mapping[str, Phase], scope: Scope) -> dict[str, Payoff]:
        """Return the payoffs by name. A ruleset without choices may lack payoffs; then the result is one payoff that is
        always 0.
        """
        node = self.root.get("payoffs")
        if node is not None:
            return {name: self.payoff(name, item, scope) for name, item in node.value.items()}
        choice = next((name for name, phase in phases.items() if phase.kind == "choose"), None)
        if choice is not None:
            hint = f"say what each seat wins, because somebody chooses in {choice}"
            self.reading.report("OD202", self.root.location, "the key `payoffs` is missing", hint)
        return {NOTHING: Payoff(NOTHING, const(0, NUMBER))}

    def payoff(self, name: str, node: Node, scope: Scope) -> Payoff:
        if isinstance(node.value, dict):
            goal, unit = node.data().get("goal", "max"), unit_forms_from_text(node.data().get("unit", ""))
            return replace(self.payoff(name, node.value["value"], scope), goal=goal, unit=unit)
        return Payoff(name, self.reading.parse_scalar(node, scope, EXACT, NUMBER))

    def min_max_default_seats(self) -> tuple[int, int, int]:
        node = self.root.value["seats"]
        if not isinstance(node.value, dict):
            return node.value, node.value, node.value
        data = node.data()
        low, high = data["min"], data["max"]
        default = data.get("default", low)
        if not low <= default <= high:
            self.reading.report("OD365", node.location, f"seats: {low}..{high} does not hold the default {default}")
        return low, high, default

    def variants(self, settable: Mapping[str, Parameter]) -> dict[str, Variant]:
        variants: dict[str, Variant] = {}
        section = self.root.get("variants")
        for name, node in section.value.items() if section else ():
            values = changed_parameter_values(self.reading, settable, node)
            variants[name] = Variant(name, values, node.data().get("about", ""))
        return variants

    def cheats(self, dice_rolled: Collection[str]) -> dict[str, Cheat]:
        """Return the cheats by name. ``dice_rolled``: the names of the dice that the game rolls."""
        section = self.root.get("cheats")
        return {name: self.cheat(name, node, dice_rolled) for name, node in section.value.items()} if section else {}

    def cheat(self, name: str, node: Node, dice_rolled: Collection[str]) -> Cheat:
        die, bag, weights, caught = (node.get(key) for key in ("die", "bag", "weights", "caught"))
        data = node.data()
        if (die is None) == (bag is None):
            hint = "write `die:` for one that rolls, or `bag:` for one that draws"
            self.reading.report("OD373", node.location, f"{name} needs either a die or a bag", hint)
        elif weights is None and not data.keys() & {"tries", "peek"}:
            hint = "write `weights:` for loaded dice, `tries:` for a sleight of hand, or `peek: true`"
            self.reading.report("OD373", node.location, f"{name} changes nothing", hint)
        elif data.keys() >= {"tries", "peek"}:
            hint = "make two cheats of it"
            self.reading.report("OD373", node.location, f"{name} both tries again and peeks", hint)
        elif bag is None and weights is None and "loaded" in data:
            hint = "leave it out, or write `weights:`"
            self.reading.report("OD373", node.location, f"{name} has no weights, so no dice are loaded", hint)
        elif bag is not None and (weights is not None or "loaded" in data):
            message, hint = f"{name} draws from a bag, which has no loaded dice", "write `tries:` or `peek: true`"
            self.reading.report("OD373", node.location, message, hint)
        called, drawn = (str(each.scalar_text().value) if each else "" for each in (die, bag))
        if die is not None and called not in dice_rolled:
            hint = did_you_mean(called, dice_rolled, "dice")
            self.reading.report("OD348", die.location, f"no roll has the die {called}", hint)
        if bag is not None and drawn not in self.names.item_types_of_bags():
            self.names.report_name_is_no_bag(bag, drawn)
        load = self.factors_of_loaded_die(called, weights, called in dice_rolled) if weights else {}
        amount = (
            None
            if caught is None
            else self.reading.parse_scalar(caught, self.names.scope(exact=True, state=False), NUMBER, EXACT)
        )
        about, tries = data.get("about", ""), data.get("tries", 1)
        return Cheat(name, called, load, data.get("loaded"), tries, drawn, data.get("peek", False), amount, about)

    def factors_of_loaded_die(self, die_name: str, weights: Node, is_rolled: bool) -> dict[int, int]:
        """Return the factors by which a cheat multiplies the weights of faces, by face. ``die_name``: the name of the
        die. ``is_rolled``: whether the game rolls it.
        """
        rule, load = self.names.dice.get(die_name), dict[int, int]()
        faces = range(1, (plain_die_sides(die_name) or 0) + 1) if rule is None else rule.faces
        named = {word: face for face, word in rule.face_names.items()} if rule else {}
        for key, weight in weights.value.items():
            face = named.get(key, key)
            if not isinstance(faces, Expr) and is_rolled and face not in faces:
                hint = did_you_mean(str(key), map(str, [*named, *faces]), "faces")
                self.reading.report("OD355", weights.keys[key].location, f"the die {die_name} has no face {key}", hint)
            load[face] = weight.value
        return load

    def check_choice_layouts(self, phases: Mapping[str, Phase]) -> None:
        """Report errors in the layouts of the key ``show``: each must be about a choice that exists, and have valid
        expressions.
        """
        section, choices = self.root.get("show"), [name for name, phase in phases.items() if phase.kind == "choose"]
        if section is None:
            return
        for name, node in section.value.items():
            if name not in choices:
                message, hint = f"`show` lays out {name}, which is no choice", did_you_mean(name, choices, "choices")
                self.reading.report("OD343", section.keys[name].location, message, hint)
            for text in node.value.values():
                self.reading.parse_scalar(text, self.names.scope(), NUMBER, FLAG, SEAT)

    def warn_of_unused_names(self) -> None:
        """Report warnings about names that are never used, and about variables that are never read or never changed."""
        names, used, written = self.names, self.names.used, self.effects.written
        for name, symbol in names.symbols.items():
            where = names.locations.get(name)
            if where is None or symbol.kind == "word":
                continue
            if symbol.kind == "state":
                self.warn_if_variable_unused(name, names.state[name].kind == "number", name in used, name in written)
            elif name not in used:
                self.reading.warn("OD601", where, f"{name} is never used", "remove it, or use it")

    def warn_if_variable_unused(self, name: str, is_number: bool, is_read: bool, is_changed: bool) -> None:
        where = self.names.locations[name]
        if not is_changed and self.names.state[name].kind == "seat":
            return  # it remembers who began, or is who moves
        if not is_changed:
            self.reading.warn(
                "OD602", where, f"nothing ever changes {name}", _hint_for_constant_variable(self.names.state[name])
            )
        elif not is_read:
            hint = "make it a tally (type: tally), or remove it" if is_number else "remove it"
            self.reading.warn("OD603", where, f"{name} is never read", hint)


def _hint_for_constant_variable(variable: Variable) -> str:
    """Return the hint for a variable that never changes: remove it, or turn it into a parameter or a definition. Only a
    single number, word or flag can become a parameter.
    """
    if variable.kind not in ("number", "word", "flag"):
        return "remove it"
    if not variable.index_lists:
        return "make it a parameter" if variable.kind == "flag" else "make it a parameter or a constant"
    names = ", ".join("abcdefgh"[place] for place in range(len(variable.index_lists)))
    return f"say what it is under `define:`, such as {variable.name}({names}): ..."


# --- who sees what


def choices_knowing_secrets_problems(ruleset: Ruleset) -> Iterator[Problem]:
    """Yield a problem for each hidden variable that a roll or draw determines in one turn and that may matter to a
    choice in a later turn.
    """
    if ruleset.seats[1] == 1:
        return  # whoever chooses has rolled
    for variable in ruleset.state.values():
        if not variable.is_hidden or variable.resets_each_turn or variable.kind == "tally":
            continue
        open_phases = [phase for phase in ruleset.phases.values() if phase.seen_by is None]
        if not any(_roll_determines_variable(phase, variable.name) for phase in open_phases):
            continue
        choice = next(
            (
                phase
                for phase in _choice_phases_before_roll(ruleset, variable)
                if _may_be_read_after_choice(ruleset, phase, variable.name)
            ),
            None,
        )
        if choice is not None:
            message = (
                f"{variable.name} is hidden, a roll or a draw of an earlier turn decides it, and the choice in {choice.name} "
                "may depend on it; everybody sees that roll or draw, so whoever chooses would know it"
            )
            hint = "if it is a secret, say who sees the roll: `seen_by: mover`; else take `show: hidden` away"
            yield Problem("OD435", variable.location, message, hint)


def _is_name_used_in_any(trees: Iterable[Expr], name: str, node_kind: str = "state") -> bool:
    return any(node.op == node_kind and node.value == name for tree in trees for node in tree.walk())


def _roll_determines_variable(phase: Phase, variable_name: str) -> bool:
    """Return whether a roll or draw of a phase determines a variable, directly or by an effect."""
    if any(throw.is_kept and throw.name == variable_name for throw in phase.rolls_and_draws):
        return True
    known = {throw.name for throw in phase.rolls_and_draws}
    for entry in phase.entries:
        names = set(known)
        for effect in effects_in_preorder(entry.do):
            from_dice = any(_is_name_used_in_any(effect.expressions_read, each, "local") for each in names)
            if isinstance(effect, Let) and from_dice:
                names.add(effect.name)
            if isinstance(effect, Set | Add) and effect.target.name == variable_name and from_dice:
                return True
    return False


def _certainly_sets_variable(effects: Iterable[Effect], variable_name: str) -> bool:
    """Return whether effects certainly set a whole variable: by a `set` without indices that is outside conditions and
    loops.
    """
    return any(
        isinstance(effect, Set) and effect.target.name == variable_name and not effect.target.indices
        for effect in effects
    )


def _choice_phases_before_roll(ruleset: Ruleset, variable: Variable) -> Iterator[Phase]:
    """Yield the choices that a turn can reach before a roll determines a variable; for a family, all choices that a
    turn can reach.
    """
    todo, met = [ruleset.first_phase_of_turn], {ruleset.first_phase_of_turn}
    while todo:
        phase = ruleset.phases[todo.pop()]
        if phase.kind == "choose":
            yield phase
        if not variable.index_lists and _roll_determines_variable(phase, variable.name):
            continue
        for entry in phase.entries:
            if isinstance(entry.then, ToPhase) and entry.then.phase not in met:
                met.add(entry.then.phase)
                todo.append(entry.then.phase)


def _may_be_read_after_choice(ruleset: Ruleset, choice_phase: Phase, variable_name: str) -> bool:
    """Return whether the rules may read a variable after a choice and before it is set again."""
    paid = [payoff.value for payoff in ruleset.payoffs.values()]
    last = [tree for effect in effects_in_preorder(ruleset.at_end) for tree in effect.expressions_read]
    if _is_name_used_in_any([*paid, ruleset.end_when, ruleset.out_when, *last], variable_name):
        return True
    todo, met = [choice_phase.name], set[str]()
    while todo:
        phase = ruleset.phases[todo.pop()]
        if phase.name in met:
            continue
        met.add(phase.name)
        if any(
            throw.is_kept and throw.name == variable_name and throw.kind != "rest" for throw in phase.rolls_and_draws
        ):
            continue
        for entry in phase.entries:
            trees = [
                *entry.expressions_read,
                *entry.then.expressions_read,
                *(tree for effect in effects_in_preorder(entry.do) for tree in effect.expressions_read),
            ]
            if _is_name_used_in_any(trees, variable_name) or any(
                throw.kind == "draw" and throw.bag == variable_name for throw in phase.rolls_and_draws
            ):
                return True
            if not _certainly_sets_variable(entry.do, variable_name):
                todo.append(entry.then.phase if isinstance(entry.then, ToPhase) else ruleset.first_phase_of_turn)
    return False


# --- boards


GAP = "none"
"""The word in a row that stands for a gap between squares."""
SQUARE, ROW, COLUMN = "square", "row", "column"
"""The local names in expressions about a square of a board: the square, or its row and its column in a grid."""


WAYS = 4
"""The number of ways in which a piece can step on a grid."""


class BoardReader:
    """Reads the boards of a ruleset."""

    def __init__(self, reading: ReadingContext, names: NameTable) -> None:
        self.reading, self.names = reading, names

    def boards(self, node: Node | None) -> tuple[PlayBoard, ...]:
        """Return all boards in the order of the file. ``node``: the value of the key ``boards``."""
        return tuple(self.board(str(name), node.keys[name], each) for name, each in node.value.items()) if node else ()

    def board(self, variable_name: str, key_node: Node, node: Node) -> PlayBoard:
        """Return one board. ``variable_name``: its variable. It has a value for each seat and square, or its
        value for a seat is the square of that seat's piece.
        """
        variable = self.variable_of_board(variable_name, key_node)
        across, laid = (self.name_of_seat_variable(node.get(each)) for each in ("across", "laid"))
        grid = "across" in node.value
        if variable and len(variable.index_lists) > 1 and (grid or "laid" in node.value):
            self.report_board_error(
                key_node,
                f"{variable_name} has a value for each square, and no place in a grid",
                "leave `across` and `laid` out",
            )
        marks, length, columns = node.get("marks"), node.get("length"), node.get("columns")
        inner = (
            self.scope_of_square_expressions(key_node, variable, grid)
            if marks or length
            else self.names.scope_known_before_play()
        )
        return PlayBoard(
            variable_name,
            tuple(self.board_row(each) for each in (node.value["rows"].value if "rows" in node.value else ())),
            None if length is None else self.reading.parse_scalar(length, inner, NUMBER),
            across,
            columns.value if columns else 0,
            laid,
            self.name_of_facing_variable(node.get("facing")),
            {str(text): self.condition_of_mark(each, inner) for text, each in marks.value.items()} if marks else {},
        )

    def variable_of_board(self, variable_name: str, key_node: Node) -> Variable | None:
        """Return the variable of a board. Report an error and return None if there is no such variable or if a board
        cannot show it.
        """
        found = self.names.state.get(variable_name)
        if found is None:
            self.report_board_error(
                key_node,
                f"there is no variable {variable_name}",
                did_you_mean(variable_name, self.names.state, "variables"),
            )
        elif not found.is_per_seat or found.kind != "number":
            self.report_board_error(
                key_node,
                f"{variable_name} is no number of each seat",
                "a board shows where the pieces of the seats are",
            )
            return None
        return found

    def name_of_seat_variable(self, node: Node | None) -> str:
        """Return the name of a further variable of the board, and report an error unless every seat has this variable.
        The name is empty if ``node`` is None.
        """
        if node is None:
            return ""
        name = str(node.scalar_text().value)
        found = self.names.state.get(name)
        if found is None or found.index_lists != ("seat",):
            each = [other.name for other in self.names.state.values() if other.index_lists == ("seat",)]
            self.report_board_error(
                node, f"there is no variable {name} of each seat alone", did_you_mean(name, each, "variables")
            )
        return name

    def name_of_facing_variable(self, node: Node | None) -> str:
        """Return the name of the variable that says where the last step went, or an empty text if ``node`` is None.
        Report an error unless it has a word for each of the four ways.
        """
        if node is None:
            return ""
        name = str(node.scalar_text().value)
        found = self.names.state.get(name)
        if found is None or found.index_lists not in ((), ("seat",)) or len(found.words) != WAYS:
            each = [other.name for other in self.names.state.values() if len(other.words) == WAYS]
            self.report_board_error(
                node, f"there is no variable {name} with {WAYS} words", did_you_mean(name, each, "variables")
            )
        return name

    def scope_of_square_expressions(self, key_node: Node, variable: Variable | None, is_grid: bool) -> Scope:
        """Return the scope of expressions about a square: everything that is fixed before play, and the local names of
        a square. A local name may be that of a variable, because these expressions cannot read variables.
        """
        listed = variable.index_lists[1:2] if variable else ()
        type_ = self.names.list_types[listed[0]] if listed else NUMBER
        scope, span = self.names.scope_known_before_play(), Span(key_node.scalar_text(), 0, len(str(key_node.value)))
        own = (ROW, COLUMN) if is_grid else (SQUARE,)
        readable = {name: symbol for name, symbol in scope.symbols.items() if name not in {*own} & {*self.names.state}}
        scope = replace(scope, symbols=readable)
        for name in own:
            try:
                scope = scope.with_local(name, NUMBER if is_grid else type_, span)
            except BadExpression as error:
                self.reading.report_expression_error(error)
        return scope

    def condition_of_mark(self, node: Node, scope: Scope) -> Expr:
        return self.reading.parse_scalar(node, scope, FLAG)

    def board_row(self, node: Node) -> BoardRow:
        """Return one row of a board: its squares, and the seat to which it belongs, if any."""
        data = node.data()
        seat = data.get("seat")
        squares = tuple(None if each == GAP else each for each in data["squares"])
        return BoardRow(squares, None if seat is None else seat - 1)

    def report_board_error(self, node: Node, message: str, hint: str) -> None:
        self.reading.report("OD369", node.location, message, hint)
