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
    Term,
    ToPhase,
)
from oddsmith.ruleset.reading.dice import DiceReader, die_of_totals
from oddsmith.ruleset.reading.effects import EffectReader
from oddsmith.ruleset.reading.names import Names
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
    """Reads phases. ``phases``: the names of all phases."""

    def __init__(self, reading: ReadingContext, effects: EffectReader, names: Names, phases: Collection[str]) -> None:
        self.reading, self.effects, self.names, self.phases = reading, effects, names, phases
        self.dice, self.bags = DiceReader(reading, names.dice), names.bags()

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
        entries = [self.entry(item, then, scope, bare=body is None) for item, then in items]
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
        if node.words().value.strip() == "nobody":
            return NOBODY
        return self.reading.parse_scalar(node, scope, list_of(SEAT), SEAT, also=("nobody",))

    def simultaneous_choice(self, phase: str, together: Node, scope: Scope) -> tuple[str, Expr, Scope]:
        """Return the name of a simultaneous choice, the items to choose from, and the scope with the name added.
        ``phase``: the name of the phase. ``together``: the value of its key ``choose_together``.
        """
        name, spec = next(iter(together.value.items()))
        if phase in self.names.offered:
            values, type_ = self.names.offered[phase]
            items = Expr("listed", list_of(type_), tuple(const(each, type_) for each in values))
        else:
            items = self.reading.parse_scalar(spec, scope, list_of(None))
        key = together.keys[name]
        if self.reading.check_name(key):
            try:
                of_seats = Type("map", item=items.type.item or NUMBER, key=SEAT)
                scope = scope.with_local(name, of_seats, Span(key.words(), 0, len(name)))
            except BadExpression as error:
                self.reading.report_expression_error(error)
        return name, items, scope

    def entry(self, node: Node, then: Node | None, scope: Scope, bare: bool) -> Entry:
        label = node.get("name")
        loops: Loops = ()
        inner = scope
        over = node.get("for")
        if over is not None:
            loops, inner = self.effects.loops(over, scope)
        when = node.get("when") if not bare else None
        test = TRUE if when is None else self.reading.parse_scalar(when, inner, FLAG)
        if allowed := self.sides_test(node.get("only"), inner):
            test = allowed if when is None else Expr("and", FLAG, (allowed, test), span=test.span)
        follows = self.read_then(then, inner, node)
        name = "" if label is None or bare else str(label.words().value)
        say, does = (
            read_sentence(self.reading, node.get("say"), inner),
            read_sentence(self.reading, node.get("does"), inner),
        )
        return Entry(name, test, self.effects.effects(node.get("do"), inner), follows, node.location, loops, say, does)

    def sides_test(self, only: Node | None, scope: Scope) -> Expr | None:
        """Return the test that the player to move has one of the sides in ``only``; None if no side is named."""
        nodes = [] if only is None else only.value if isinstance(only.value, list) else [only]
        named = [str(node.value) for node in nodes if self.names.seat_of_side(node) is not None]
        tests = " or ".join(f"mover == {name}" for name in named)
        return self.reading.parse_expression(Text(tests, nodes[0].location), scope, FLAG) if named else None

    def read_then(self, node: Node | None, scope: Scope, entry: Node) -> EntryEnding:
        if node is None:
            hint = "write then: with a phase, again, pass or end, in the entry or once for the phase"
            self.reading.report("OD342", entry.location, "nothing says what follows this entry", hint)
            return End()
        if isinstance(node.value, dict):
            return PassTo(self.reading.parse_scalar(node.value["pass_to"], scope, SEAT))
        word = str(node.value)
        if word in ENDINGS:
            return ENDINGS[word]
        if word not in self.phases:
            near = did_you_mean(word, [*self.phases, *ENDINGS], "phases", self.phases)
            default_hint = f"{near}; `pass` gives the turn to the next seat, `end` ends the game"
            hint = near if near.startswith("did") else cases_hint(word) or default_hint
            self.reading.report("OD343", node.location, f"there is no phase {word}", hint)
        return ToPhase(word)

    # --- chance

    def roll_or_draw(
        self, kind: str, name: str, key: Node, spec: Node, scope: Scope
    ) -> tuple[RollOrDraw | None, Scope]:
        symbol = scope.symbols.get(name)
        kept = symbol is not None and symbol.kind == "state"
        if not kept and not self.reading.check_name(key):
            return None, scope
        if kind == "draw":
            return self.draw(name, kept, key, spec, scope)
        rest = str(spec.value).strip() == "rest"
        if kept and symbol is not None and (symbol.type != HAND or symbol.dims):
            hint = "a roll is kept in a variable of type hand"
            self.reading.report("OD344", key.location, f"{name} is no hand", hint)
            return None, scope
        if rest and not kept:
            hint = "rest rolls the dice that do not lie in a hand variable"
            self.reading.report("OD345", spec.location, "rest needs a hand variable of `state:`", hint)
            return None, scope
        before = len(self.reading.problems)
        terms = (
            ()
            if rest
            else self.roll_in_words(spec)
            if isinstance(spec.value, dict)
            else self.dice.terms(spec.words(), scope)
        )
        if kept:
            self.effects.written.add(name)
            return RollMissingDice(name, spec.location) if rest else Roll(name, True, spec.location, terms), scope
        misread = len(self.reading.problems) > before  # one die goes with most of what may be said of it
        single = misread or (len(terms) == 1 and terms[0].count == const(1, NUMBER))
        try:
            scope = scope.with_local(name, Type("hand", single=single), Span(key.words(), 0, len(name)))
        except BadExpression as error:
            self.reading.report_expression_error(error)
        return Roll(name, False, spec.location, terms), scope

    def roll_in_words(self, spec: Node) -> tuple[Term, ...]:
        """Return a roll in words as a term with a single die. The name of the die is the text of the roll."""
        most = spec.get("most")
        name = str(spec.value["total"].value) + ("" if most is None else f", at most {most.value}")
        if name not in self.names.dice:
            self.names.dice[name] = die_of_totals(self.reading, name, spec)
        return (Term(const(1, NUMBER), name),)

    def several_draws(
        self, name: str, key: Node, spec: Node, several: re.Match[str], scope: Scope
    ) -> tuple[list[RollOrDraw], Scope]:
        """Return several draws from one bag, and the scope with a name for the list of drawn items, which is sorted if
        they are numbers. ``several``: the match of the number of draws and the name of the bag.
        """
        count, bag = int(several["count"]), several["bag"]
        symbol = scope.symbols.get(name)
        if symbol is not None and symbol.kind == "state":
            hint = "it lives until the phase is done; keep what is needed of it in variables"
            self.reading.report("OD344", key.location, f"{name} cannot hold several things that are drawn", hint)
            return [], scope
        if not 1 <= count <= MAX_DRAWN:
            hint = f"write a number from 1 to {MAX_DRAWN}"
            self.reading.report("OD346", spec.location, f"{count} things cannot be drawn at once", hint)
            return [], scope
        if not self.reading.check_name(key):
            return [], scope
        try:
            scope = scope.with_local(name, NUMBER, Span(key.words(), 0, len(name)))
        except BadExpression as error:
            self.reading.report_expression_error(error)
            return [], scope
        throws, names = list[RollOrDraw](), [f"{name}_{place}" for place in range(1, count + 1)]
        one = Node(bag, spec.location, spec.text)
        for each in names:
            throw, scope = self.draw(each, False, key, one, scope)
            if throw is None:
                return [], scope
            throws.append(throw)
        words = f"[{', '.join(names)}]"
        words = words if self.bags[bag].kind == "word" else f"sorted({words})"
        listed = Symbol("define", NUMBER, text=Text(words, spec.location))
        return throws, replace(scope, symbols={**scope.symbols, name: listed})

    def draw(self, name: str, kept: bool, key: Node, spec: Node, scope: Scope) -> tuple[RollOrDraw | None, Scope]:
        bag = str(spec.value).strip()
        if bag not in self.bags:
            self.names.report_no_bag(spec, bag)
            return None, scope
        scope.used.add(bag)
        self.effects.written.add(bag)
        item = self.bags[bag]
        if kept:
            holds = self.names.symbols[name]
            if item.kind != "word" or holds.dims or not item.words <= holds.type.words:
                message = f"{name} cannot hold what is drawn from {bag}"
                self.reading.report("OD344", key.location, message, f"it must be a word, one of {bag}'s items")
            self.effects.written.add(name)
        else:
            try:
                type_ = word_type(*item.words) if item.kind == "word" else NUMBER
                scope = scope.with_local(name, type_, Span(key.words(), 0, len(name)))
            except BadExpression as error:
                self.reading.report_expression_error(error)
        return Draw(name, kept, spec.location, bag), scope


def cases_hint(text: str) -> str:
    """Return the hint for a `then` with a condition, which must be written as cases; empty for other texts."""
    found = _IF_FIRST.fullmatch(text) or _IF_LATER.fullmatch(text)
    if found is None:
        return ""
    last = f"then: {found['other']}" if found["other"] else "then: ..."
    cases = f"[{{when: {found['when']}, then: {found['then']}}}, {{{last}}}]"
    return f"conditions stand in `outcomes:` after a roll, else in a phase with `cases:`. Write them as {cases}"
