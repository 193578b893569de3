"""Read a ruleset from its file: syntax, schema, names, phases, questions. All problems are reported at once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from oddsmith.base.errors import Problem, RulesetError, did_you_mean
from oddsmith.base.location import Source
from oddsmith.expr import EXACT, FALSE, FLAG, NUMBER, SEAT, Expr, Scope, const
from oddsmith.ruleset.model.phases import Phase, plain_die_sides
from oddsmith.ruleset.model.questions import NOTHING, Payoff
from oddsmith.ruleset.model.ruleset import Ruleset, dice_rolled
from oddsmith.ruleset.model.state import Cheat, Parameter, Requirement, Variable, Variant
from oddsmith.ruleset.reading.boards import BoardReader
from oddsmith.ruleset.reading.dice import TableReader
from oddsmith.ruleset.reading.editions import EditionReader, values_set
from oddsmith.ruleset.reading.effects import EffectReader
from oddsmith.ruleset.reading.names import Names
from oddsmith.ruleset.reading.phases import PhaseReader
from oddsmith.ruleset.reading.questions import QuestionReader, WordingReader
from oddsmith.ruleset.reading.reader import ReadingContext, read_sentence, unit_forms
from oddsmith.ruleset.reading.schema import structural_problems
from oddsmith.ruleset.reading.secrets import secret_choices
from oddsmith.ruleset.reading.source import Node, parse, read_source

Read = TypeVar("Read")


def load(path: Path) -> tuple[Ruleset, tuple[Problem, ...]]:
    """Return the ruleset in a file, and its warnings. Raises RulesetError with all problems found."""
    return read(read_source(path))


def read(source: Source) -> tuple[Ruleset, tuple[Problem, ...]]:
    """Return the ruleset in a text, and its warnings. Raises RulesetError with all problems found."""
    root = parse(source)
    problems = structural_problems(root)
    if problems:
        raise RulesetError(problems, source)
    reading = ReadingContext(source)
    ruleset = _RulesetBuilder(root, reading).ruleset()
    if not any(problem.severity == "error" for problem in reading.problems):
        reading.problems += secret_choices(ruleset)
    if any(problem.severity == "error" for problem in reading.problems):
        raise RulesetError(reading.problems, source)
    return ruleset, tuple(sorted(set(reading.problems), key=lambda p: (p.location, p.code)))


class _RulesetBuilder:
    def __init__(self, root: Node, reading: ReadingContext) -> None:
        self.root, self.reading = root, reading
        self.names = Names(reading)
        self.names.read(root)
        self.effects = EffectReader(reading)

    def ruleset(self) -> Ruleset:
        root, names = self.root, self.names
        data = root.data()
        scope = names.scope()
        phase_names = list(root.value["phases"].value)
        reader = PhaseReader(self.reading, self.effects, names, phase_names)
        phases = {name: reader.phase(name, node, scope) for name, node in root.value["phases"].value.items()}
        turn = root.value["turn"]
        if turn.value not in phases:
            hint = did_you_mean(str(turn.value), phases, "phases")
            self.reading.report("OD343", turn.location, f"there is no phase {turn.value}", hint)
        paying = names.scope(exact=True, tallies=True)
        leaving, ending = self.value_and_words("out_when", "when"), self.value_and_words("at_end", "do")
        out_when, end_when = self.condition(leaving[0]), self.condition(root.get("end_when"))
        out_say, end_say = (read_sentence(self.reading, say, scope) for _, say in (leaving, ending))
        at_end = self.effects.effects(ending[0], scope)
        payoffs = self.payoffs(phases, paying)
        asking = QuestionReader(self.reading, phases, names, paying, payoffs)
        measures = self.section("measures", asking.measure)
        claims = root.get("claims")
        seats = self.seats()
        settable = {**names.parameters, "seats": Parameter("seats", seats[2], seats[0], seats[1])}
        variants = self.variants(settable)
        if names.sides and set(seats) != {len(names.sides)}:
            message = f"`sides` names {len(names.sides)} seats, and this is another number"
            self.reading.report("OD368", root.value["seats"].location, message, f"write seats: {len(names.sides)}")
        for name in (name for name in names.sides if name in self.effects.written):
            message = f"an effect changes the side {name}"
            self.reading.report("OD368", names.locations[name], message, "who plays a side is the same all game")
        policies, wording = (
            self.section("policies", asking.policy),
            WordingReader(self.reading, names, seats[1], phases),
        )
        tables = TableReader(self.reading, names.dice, names.fixed_scope(), phases).tables(root.get("tables"))
        editions = EditionReader(self.reading, seats, settable, variants, payoffs, policies)
        ruleset = Ruleset(
            self.reading.source, data, str(data["id"]), str(data["title"]), str(data["summary"]), seats,
            names.parameters, variants, names.constants, names.maps, names.lists, names.dice, names.state,
            payoffs, str(turn.value), phases, out_when, end_when, at_end, measures,
            tuple(claim for node in (claims.value if claims else ()) if (claim := asking.claim(node, editions))),
            policies, editions.edition(root.get("publish")),
            names.symbols, names.defines, names.list_types, self.requirements(),
            wording.wording(root.get("told")), wording.lines(root.get("remember"), measures, policies),
            out_say, end_say, tuple(names.sides), wording.policy(root.get("regular"), policies),
            tables,
            wording.wording(root.get("part")),
            BoardReader(self.reading, names).boards(root.get("boards")),
            self.cheats(dice_rolled(names.state, phases)),
        )  # fmt: skip
        self.check_layouts(phases)
        if not any(problem.severity == "error" for problem in self.reading.problems):
            self.warn_unused()  # what an error hides would only look unused
        return ruleset

    def section(self, name: str, read: Callable[[Node], Read]) -> dict[str, Read]:
        node = self.root.get(name)
        return {key: read(item) for key, item in node.value.items()} if node else {}

    def requirements(self) -> tuple[Requirement, ...]:
        node, scope = self.root.get("require"), self.names.fixed_scope()
        return tuple(
            Requirement(self.reading.expr(item.value["that"], scope, FLAG), item.data()["about"], item.location)
            for item in (node.value if node else ())
        )

    def value_and_words(self, key: str, inner: str) -> tuple[Node | None, Node | None]:
        """Return the value at a key, and its words, which are None if it has none. If the value at ``key`` is a map
        with the key ``say``, the words are there, and the value is at the key ``inner`` of the map.
        """
        node = self.root.get(key)
        if node is None or not isinstance(node.value, dict) or "say" not in node.value:
            return node, None
        return node.get(inner), node.get("say")

    def condition(self, node: Node | None) -> Expr:
        return FALSE if node is None else self.reading.expr(node, self.names.scope(), FLAG)

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
            goal, unit = node.data().get("goal", "max"), unit_forms(node.data().get("unit", ""))
            return replace(self.payoff(name, node.value["value"], scope), goal=goal, unit=unit)
        return Payoff(name, self.reading.expr(node, scope, EXACT, NUMBER))

    def seats(self) -> tuple[int, int, int]:
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
            values = values_set(self.reading, settable, node)
            variants[name] = Variant(name, values, node.data().get("about", ""))
        return variants

    def cheats(self, thrown: Collection[str]) -> dict[str, Cheat]:
        """Return the cheats by name. ``thrown``: the names of the dice that the game rolls."""
        section = self.root.get("cheats")
        return {name: self.cheat(name, node, thrown) for name, node in section.value.items()} if section else {}

    def cheat(self, name: str, node: Node, thrown: Collection[str]) -> Cheat:
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
        called, drawn = (str(each.words().value) if each else "" for each in (die, bag))
        if die is not None and called not in thrown:
            hint = did_you_mean(called, thrown, "dice")
            self.reading.report("OD348", die.location, f"no roll has the die {called}", hint)
        if bag is not None and drawn not in self.names.bags():
            self.names.report_no_bag(bag, drawn)
        load = self.load(called, weights, called in thrown) if weights else {}
        amount = (
            None
            if caught is None
            else self.reading.expr(caught, self.names.scope(exact=True, state=False), NUMBER, EXACT)
        )
        about, tries = data.get("about", ""), data.get("tries", 1)
        return Cheat(name, called, load, data.get("loaded"), tries, drawn, data.get("peek", False), amount, about)

    def load(self, die: str, weights: Node, known: bool) -> dict[int, int]:
        """Return the factors by which a cheat multiplies the weights of faces, by face. ``die``: the name of the die.
        ``known``: whether the game rolls it.
        """
        rule, load = self.names.dice.get(die), dict[int, int]()
        faces = range(1, (plain_die_sides(die) or 0) + 1) if rule is None else rule.faces
        named = {word: face for face, word in rule.named.items()} if rule else {}
        for key, weight in weights.value.items():
            face = named.get(key, key)
            if not isinstance(faces, Expr) and known and face not in faces:
                hint = did_you_mean(str(key), map(str, [*named, *faces]), "faces")
                self.reading.report("OD355", weights.keys[key].location, f"the die {die} has no face {key}", hint)
            load[face] = weight.value
        return load

    def check_layouts(self, phases: Mapping[str, Phase]) -> None:
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
                self.reading.expr(text, self.names.scope(), NUMBER, FLAG, SEAT)

    def warn_unused(self) -> None:
        """Report warnings about names that are never used, and about variables that are never read or never changed."""
        names, used, written = self.names, self.names.used, self.effects.written
        for name, symbol in names.symbols.items():
            where = names.locations.get(name)
            if where is None or symbol.kind == "word":
                continue
            if symbol.kind == "state":
                self.warn_idle(name, names.state[name].kind == "number", name in used, name in written)
            elif name not in used:
                self.reading.warn("OD601", where, f"{name} is never used", "remove it, or use it")

    def warn_idle(self, name: str, number: bool, used: bool, written: bool) -> None:
        where = self.names.locations[name]
        if not written and self.names.state[name].kind == "seat":
            return  # it remembers who began, or is who moves
        if not written:
            self.reading.warn("OD602", where, f"nothing ever changes {name}", _idle_hint(self.names.state[name]))
        elif not used:
            hint = "make it a tally (type: tally), or remove it" if number else "remove it"
            self.reading.warn("OD603", where, f"{name} is never read", hint)


def _idle_hint(variable: Variable) -> str:
    """Return the hint for a variable that never changes: remove it, or turn it into a parameter or a definition. Only a
    single number, word or flag can become a parameter.
    """
    if variable.kind not in ("number", "word", "flag"):
        return "remove it"
    if not variable.dims:
        return "make it a parameter" if variable.kind == "flag" else "make it a parameter or a constant"
    names = ", ".join("abcdefgh"[place] for place in range(len(variable.dims)))
    return f"say what it is under `define:`, such as {variable.name}({names}): ..."
