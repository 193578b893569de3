"""Read phases: rolls and draws, outcomes, options and cases, and the transition after each."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace

from oddsmith.base.errors import did_you_mean
from oddsmith.base.location import Span, Text
from oddsmith.expr import (
    FLAG,
    HAND,
    NUMBER,
    SEAT,
    TRUE,
    BadExpression,
    Expr,
    Scope,
    Symbol,
    Type,
    const,
    list_of,
    word_type,
)
from oddsmith.ruleset.model.effects import Loops
from oddsmith.ruleset.model.phases import (
    Again,
    CasesPhase,
    ChoicePhase,
    DiceTerm,
    Draw,
    End,
    Entry,
    EntryEnding,
    Pass,
    PassTo,
    Phase,
    Roll,
    RollMissingDice,
    RollOrDraw,
    RollPhase,
    SimultaneousPhase,
    ToPhase,
)
from oddsmith.ruleset.reading.dice import DiceReader, die_with_totals_as_faces
from oddsmith.ruleset.reading.effects import EffectReader
from oddsmith.ruleset.reading.names import NameTable
from oddsmith.ruleset.reading.reader import ReadingContext, read_sentence
from oddsmith.ruleset.reading.source import Node

_IF_FIRST = re.compile(r"if (?P<when>.+?)(?: then |[:,] )(?P<then>\S.*?)(?:,? (?:else|otherwise) (?P<other>.+))?")
_IF_LATER = re.compile(r"(?P<then>\S.*?) (?:if|when) (?P<when>.+?)(?:,? (?:else|otherwise) (?P<other>.+))?")

_SEVERAL = re.compile(r"(?P<count>[0-9]+) of (?P<bag>[A-Za-z][A-Za-z0-9_]*)")
MAX_DRAWN = 13

EVERYONE = Expr("everyone", list_of(SEAT))
NOBODY = Expr("listed", list_of(SEAT))
ENDINGS: dict[str, EntryEnding] = {"again": Again(), "pass": Pass(), "end": End()}


class PhaseReader:
    """Reads phases. ``phase_names``: the names of all phases."""

    def __init__(
        self, reading: ReadingContext, effects: EffectReader, names: NameTable, phase_names: Collection[str]
    ) -> None:
        self.reading, self.effects, self.names, self.phase_names = reading, effects, names, phase_names
        self.dice, self.bags = DiceReader(reading, names.dice), names.item_types_of_bags()

    def phase(self, name: str, node: Node, scope: Scope) -> Phase:
        """Return one phase. ``node``: its value in the file. ``scope``: the scope of its expressions."""
        throws: list[RollOrDraw] = []
        before = scope  # who sees and who chooses is settled before anything is rolled, drawn or chosen
        for key in [key for key in node.value if key in ("roll", "draw")]:
            for label, spec in node.value[key].value.items():
                several = _SEVERAL.fullmatch(str(spec.value).strip()) if key == "draw" else None
                if several is not None:
                    drawn, scope = self.several_draws(label, node.value[key].keys[label], spec, several, scope)
                    throws += drawn
                    continue
                throw, scope = self.roll_or_draw(key, label, node.value[key].keys[label], spec, scope)
                if throw is not None:
                    throws.append(throw)
        seen_by, together = self.seats_that_see(node.get("seen_by"), before), node.get("choose_together")
        chosen, offered = "", NOBODY
        if together is not None:
            chosen, offered, scope = self.simultaneous_choice(name, together, scope)
        default = node.get("then")
        body = next((node.value[key] for key in ("choose", "cases", "outcomes") if key in node.value), None)
        items = [(item, item.get("then") or default) for item in body.value] if body else [(node, default)]
        entries = [self.entry(item, then, scope, is_whole_phase=body is None) for item, then in items]
        seen: dict[str, Entry] = {}
        for entry in entries:
            if entry.name and entry.name in seen:
                first = seen[entry.name].location.line
                message = f"the phase {name} has two entries named {entry.name}"
                self.reading.report("OD341", entry.location, message, f"the first is in line {first}")
            seen.setdefault(entry.name, entry)
        if "choose" in node.value:
            return ChoicePhase(name, tuple(entries), node.location, node.data().get("label", ""), seen_by)
        if together is not None:
            label, who = node.data().get("label", ""), node.get("who")
            asked = EVERYONE if who is None else self.reading.parse_scalar(who, before, list_of(SEAT))
            return SimultaneousPhase(name, chosen, offered, asked, tuple(entries), node.location, label)
        if "cases" in node.value:
            return CasesPhase(name, tuple(entries), node.location)
        return RollPhase(name, tuple(throws), tuple(entries), node.location, seen_by)

    def seats_that_see(self, node: Node | None, scope: Scope) -> Expr | None:
        """Return the expression for the seats that see the roll, the draw or the choice of a phase; None if the phase
        does not restrict this.
        """
        if node is None:
            return None
        if node.scalar_text().value.strip() == "nobody":
            return NOBODY
        return self.reading.parse_scalar(node, scope, list_of(SEAT), SEAT, alternative_words=("nobody",))

    def simultaneous_choice(self, phase_name: str, choice_node: Node, scope: Scope) -> tuple[str, Expr, Scope]:
        """Return the name of a simultaneous choice, the items to choose from, and the scope with the name added.
        ``phase_name``: the name of the phase. ``choice_node``: the value of its key ``choose_together``.
        """
        name, spec = next(iter(choice_node.value.items()))
        if phase_name in self.names.listed_choices_by_phase:
            values, type_ = self.names.listed_choices_by_phase[phase_name]
            items = Expr("listed", list_of(type_), tuple(const(each, type_) for each in values))
        else:
            items = self.reading.parse_scalar(spec, scope, list_of(None))
        key = choice_node.keys[name]
        if self.reading.can_be_name(key):
            try:
                of_seats = Type("map", item=items.type.item or NUMBER, key=SEAT)
                scope = scope.with_local(name, of_seats, Span(key.scalar_text(), 0, len(name)))
            except BadExpression as error:
                self.reading.report_expression_error(error)
        return name, items, scope

    def entry(self, node: Node, then_node: Node | None, scope: Scope, is_whole_phase: bool) -> Entry:
        label = node.get("name")
        loops: Loops = ()
        inner = scope
        over = node.get("for")
        if over is not None:
            loops, inner = self.effects.nested_loops(over, scope)
        when = node.get("when") if not is_whole_phase else None
        test = TRUE if when is None else self.reading.parse_scalar(when, inner, FLAG)
        if allowed := self.test_for_sides(node.get("only"), inner):
            test = allowed if when is None else Expr("and", FLAG, (allowed, test), span=test.span)
        follows = self.entry_ending(then_node, inner, node)
        name = "" if label is None or is_whole_phase else str(label.scalar_text().value)
        say, does = (
            read_sentence(self.reading, node.get("say"), inner),
            read_sentence(self.reading, node.get("does"), inner),
        )
        return Entry(name, test, self.effects.effects(node.get("do"), inner), follows, node.location, loops, say, does)

    def test_for_sides(self, sides_node: Node | None, scope: Scope) -> Expr | None:
        """Return the test that the player to move has one of the sides in ``sides_node``; None if no side is named."""
        nodes = [] if sides_node is None else sides_node.value if isinstance(sides_node.value, list) else [sides_node]
        named = [str(node.value) for node in nodes if self.names.seat_of_side(node) is not None]
        tests = " or ".join(f"mover == {name}" for name in named)
        return self.reading.parse_expression(Text(tests, nodes[0].location), scope, FLAG) if named else None

    def entry_ending(self, node: Node | None, scope: Scope, entry_node: Node) -> EntryEnding:
        if node is None:
            hint = "write then: with a phase, again, pass or end, in the entry or once for the phase"
            self.reading.report("OD342", entry_node.location, "nothing says what follows this entry", hint)
            return End()
        if isinstance(node.value, dict):
            return PassTo(self.reading.parse_scalar(node.value["pass_to"], scope, SEAT))
        word = str(node.value)
        if word in ENDINGS:
            return ENDINGS[word]
        if word not in self.phase_names:
            near = did_you_mean(word, [*self.phase_names, *ENDINGS], "phases", self.phase_names)
            default_hint = f"{near}; `pass` gives the turn to the next seat, `end` ends the game"
            hint = near if near.startswith("did") else hint_to_write_cases(word) or default_hint
            self.reading.report("OD343", node.location, f"there is no phase {word}", hint)
        return ToPhase(word)

    # --- chance

    def roll_or_draw(
        self, kind: str, name: str, key_node: Node, value_node: Node, scope: Scope
    ) -> tuple[RollOrDraw | None, Scope]:
        """Return a roll or a draw under its name, and the scope after it; None if the name or the source is wrong.

        ``kind``: ``roll`` or ``draw``. ``key_node``: the key that names it. ``value_node``: the dice, or the bag.
        """
        symbol = scope.symbols.get(name)
        kept = symbol is not None and symbol.kind == "state"
        if not kept and not self.reading.can_be_name(key_node):
            return None, scope
        if kind == "draw":
            return self.draw(name, kept, key_node, value_node, scope)
        rest = str(value_node.value).strip() == "rest"
        if kept and symbol is not None and (symbol.type != HAND or symbol.dims):
            hint = "a roll is kept in a variable of type hand"
            self.reading.report("OD344", key_node.location, f"{name} is no hand", hint)
            return None, scope
        if rest and not kept:
            hint = "rest rolls the dice that do not lie in a hand variable"
            self.reading.report("OD345", value_node.location, "rest needs a hand variable of `state:`", hint)
            return None, scope
        before = len(self.reading.problems)
        terms = (
            ()
            if rest
            else self.term_of_roll_in_words(value_node)
            if isinstance(value_node.value, dict)
            else self.dice.terms_of_roll(value_node.scalar_text(), scope)
        )
        if kept:
            self.effects.written.add(name)
            return RollMissingDice(name, value_node.location) if rest else Roll(
                name, True, value_node.location, terms
            ), scope
        misread = len(self.reading.problems) > before  # one die goes with most of what may be said of it
        single = misread or (len(terms) == 1 and terms[0].count == const(1, NUMBER))
        try:
            scope = scope.with_local(name, Type("hand", single=single), Span(key_node.scalar_text(), 0, len(name)))
        except BadExpression as error:
            self.reading.report_expression_error(error)
        return Roll(name, False, value_node.location, terms), scope

    def term_of_roll_in_words(self, value_node: Node) -> tuple[DiceTerm, ...]:
        """Return a roll in words as a term with a single die. The name of the die is the text of the roll."""
        most = value_node.get("most")
        name = str(value_node.value["total"].value) + ("" if most is None else f", at most {most.value}")
        if name not in self.names.dice:
            self.names.dice[name] = die_with_totals_as_faces(self.reading, name, value_node)
        return (DiceTerm(const(1, NUMBER), name),)

    def several_draws(
        self, name: str, key_node: Node, value_node: Node, count_and_bag: re.Match[str], scope: Scope
    ) -> tuple[list[RollOrDraw], Scope]:
        """Return several draws from one bag, and the scope with a name for the list of drawn items, which is sorted if
        they are numbers. ``count_and_bag``: the match of the number of draws and the name of the bag.
        """
        count, bag = int(count_and_bag["count"]), count_and_bag["bag"]
        symbol = scope.symbols.get(name)
        if symbol is not None and symbol.kind == "state":
            hint = "it lives until the phase is done; keep what is needed of it in variables"
            self.reading.report("OD344", key_node.location, f"{name} cannot hold several things that are drawn", hint)
            return [], scope
        if not 1 <= count <= MAX_DRAWN:
            hint = f"write a number from 1 to {MAX_DRAWN}"
            self.reading.report("OD346", value_node.location, f"{count} things cannot be drawn at once", hint)
            return [], scope
        if not self.reading.can_be_name(key_node):
            return [], scope
        try:
            scope = scope.with_local(name, NUMBER, Span(key_node.scalar_text(), 0, len(name)))
        except BadExpression as error:
            self.reading.report_expression_error(error)
            return [], scope
        throws, names = list[RollOrDraw](), [f"{name}_{place}" for place in range(1, count + 1)]
        one = Node(bag, value_node.location, value_node.text)
        for each in names:
            throw, scope = self.draw(each, False, key_node, one, scope)
            if throw is None:
                return [], scope
            throws.append(throw)
        words = f"[{', '.join(names)}]"
        words = words if self.bags[bag].kind == "word" else f"sorted({words})"
        listed = Symbol("define", NUMBER, text=Text(words, value_node.location))
        return throws, replace(scope, symbols={**scope.symbols, name: listed})

    def draw(
        self, name: str, is_kept: bool, key_node: Node, value_node: Node, scope: Scope
    ) -> tuple[RollOrDraw | None, Scope]:
        """Return a draw from a bag, and the scope after it; None if the bag is unknown.

        ``is_kept``: whether a variable keeps what is drawn. ``key_node``: the key that names the draw. ``value_node``: the
        name of the bag.
        """
        bag = str(value_node.value).strip()
        if bag not in self.bags:
            self.names.report_name_is_no_bag(value_node, bag)
            return None, scope
        scope.used.add(bag)
        self.effects.written.add(bag)
        item = self.bags[bag]
        if is_kept:
            holds = self.names.symbols[name]
            if item.kind != "word" or holds.dims or not item.words <= holds.type.words:
                message = f"{name} cannot hold what is drawn from {bag}"
                hint = f"it must be a word, one of {bag}'s items"
                if holds.type == NUMBER and item.kind != "word":
                    hint = (
                        "give the draw a name of its own, and set the variable from it: "
                        f"draw: {{drawn: {bag}}}, do: set {name} to drawn"
                    )
                self.reading.report("OD344", key_node.location, message, hint)
            self.effects.written.add(name)
        else:
            try:
                type_ = word_type(*item.words) if item.kind == "word" else NUMBER
                scope = scope.with_local(name, type_, Span(key_node.scalar_text(), 0, len(name)))
            except BadExpression as error:
                self.reading.report_expression_error(error)
        return Draw(name, is_kept, value_node.location, bag), scope


def hint_to_write_cases(text: str) -> str:
    """Return the hint for a `then` with a condition, which must be written as cases; empty for other texts."""
    found = _IF_FIRST.fullmatch(text) or _IF_LATER.fullmatch(text)
    if found is None:
        return ""
    last = f"then: {found['other']}" if found["other"] else "then: ..."
    cases = f"[{{when: {found['when']}, then: {found['then']}}}, {{{last}}}]"
    return f"conditions stand in `outcomes:` after a roll, else in a phase with `cases:`. Write them as {cases}"
