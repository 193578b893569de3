"""Read effects, which say how an entry changes the variables. An effect is a sentence or a map."""

from __future__ import annotations

import re
from collections.abc import Callable

from oddsmith.base.dice import NO_DICE
from oddsmith.base.errors import did_you_mean
from oddsmith.base.location import Span, Text
from oddsmith.expr import (
    BUILTINS,
    FLAG,
    HAND,
    NUMBER,
    SEAT,
    BadExpression,
    Expr,
    Scope,
    Symbol,
    Type,
    as_numbers,
    const,
    list_of,
    typed_tree,
)
from oddsmith.ruleset.model.effects import (
    Add,
    Drop,
    Effect,
    ForItems,
    ForSeats,
    If,
    Let,
    Loops,
    Move,
    Reveal,
    Set,
    VariableRef,
)
from oddsmith.ruleset.reading.other_words import hint_for_unsupported_effect
from oddsmith.ruleset.reading.reader import ReadingContext, span_of_last_word
from oddsmith.ruleset.reading.source import Node

_TARGET = re.compile(r"\s*([A-Za-z_]\w*)\s*(?:\[.*\]\s*)?")
_LET = re.compile(r"\s*([A-Za-z][A-Za-z0-9_]*)\s*")


class EffectReader:
    """Reads effects. ``written``: the names of the variables that are changed by the effects read so far."""

    def __init__(self, reading: ReadingContext) -> None:
        self.reading = reading
        self.written: set[str] = set()
        self.readers: dict[str, Callable[[Node, Text, int, int, Scope], Effect]] = {
            "move": self._read_move,
            "set": self._read_set,
            "add": self._read_add,
            "let": self._read_let,
            "reveal": self._read_reveal,
        }

    def effects(self, node: Node | None, scope: Scope) -> tuple[Effect, ...]:
        """Return the effects in a node, which is one effect or a list of effects. A ``let`` adds its name to the scope
        of the effects after it.
        """
        if node is None:
            return ()
        effects: list[Effect] = []
        for item in node.value if isinstance(node.value, list) else [node]:
            effect = self.effect(item, scope)
            if effect is None:
                continue
            effects.append(effect)
            if isinstance(effect, Let):
                scope = self.scope_with_local_name(
                    effect.name, effect.amount.type, scope, Span(item.scalar_text(), 0, 1)
                )
        return tuple(effects)

    def scope_with_local_name(self, name: str, type_: Type, scope: Scope, span: Span) -> Scope:
        try:
            return scope.with_local(name, type_, span)
        except BadExpression as error:
            self.reading.report_expression_error(error)
            return scope

    def effect(self, node: Node, scope: Scope) -> Effect | None:
        if isinstance(node.value, dict):
            return self.conditional_or_loop(node, scope)
        text = node.scalar_text()
        verb, *rest = text.value.split(None, 1) or [""]
        start = len(text.value) - len(text.value.lstrip()) + len(verb) + 1
        if text.value.split() == ["drop", "out"]:
            return Drop(node.location)
        reader = self.readers.get(verb)
        if reader is None or not rest:
            message = f"`{text.value.strip()[:60]}` is not an effect"
            self.reading.report("OD331", node.location, message, hint_for_unknown_effect(text.value))
            return None
        try:
            return reader(node, text, start, len(text.value), scope)
        except BadExpression as error:
            self.reading.report_expression_error(error)
            return None

    def conditional_or_loop(self, node: Node, scope: Scope) -> Effect:
        """Return the effect that a map describes: ``{if, do, else}`` or ``{for, do}``."""
        test = node.get("if")
        if test is not None:
            tree = self.reading.parse_scalar(test, scope, FLAG)
            do, other = self.effects(node.get("do"), scope), self.effects(node.get("else"), scope)
            return If(tree, do, other, node.location)
        over = node.get("for")
        assert over is not None
        if isinstance(over.value, dict):
            loops, inner = self.nested_loops(over, scope)
            return ForItems(loops, self.effects(node.get("do"), inner), node.location)
        group = self.reading.parse_scalar(over, scope, list_of(SEAT), SEAT)
        return ForSeats(group, self.effects(node.get("do"), scope), node.location)

    def nested_loops(self, loops_node: Node, scope: Scope) -> tuple[Loops, Scope]:
        """Return the loops that a map ``{name: list, ...}`` describes, the outermost first, and the scope inside them.

        Later lists may use earlier names.
        """
        loops: list[tuple[str, Expr]] = []
        for name, item in loops_node.value.items():
            if not self.reading.can_be_name(loops_node.keys[name]):
                continue
            items = self.reading.parse_scalar(item, scope, list_of(None), HAND)
            loops.append((name, items))
            scope = self.scope_with_local_name(
                name, items.type.item or NUMBER, scope, Span(loops_node.keys[name].scalar_text(), 0, len(name))
            )
        return tuple(loops), scope

    # --- sentences

    def variable_ref_and_symbol(
        self, text: Text, start: int, end: int, scope: Scope, is_read: bool = False
    ) -> tuple[VariableRef, Symbol]:
        """Return a variable with its indices, and its symbol. ``is_read``: whether the effect reads the variable, which
        then must not be a tally.
        """
        _refuse_unknown_variable(text, start, end, scope)
        used: set[str] = set()
        readable = Scope(scope.symbols, scope.exact, not is_read, scope.state, used, scope.spent)
        tree = typed_tree(text, readable, start=start, end=end)
        scope.used.update(used if is_read else used - {tree.value})
        if tree.op != "state" or any(arg.type.kind == "list" for arg in tree.args):
            hint = "effects change variables of `state:`, such as stash or purse[next]"
            raise BadExpression("OD332", f"`{tree.span.covered_text}` is not a single variable", tree.span, hint)
        if not is_read:
            self.written.add(tree.value)
        symbol: Symbol = scope.symbols[tree.value]
        return VariableRef(tree.value, tree.args, tree.span.location), symbol

    def _read_move(self, node: Node, text: Text, start: int, end: int, scope: Scope) -> Effect:
        to = _span_of_word_to(text, start, end, "move")
        taken = span_of_last_word(text.value, "from", start - 1, to[0])
        amount = typed_tree(text, scope, NUMBER, start=start, end=taken[0]) if taken else None
        source = self.source_or_target_of_move(text, taken[1] if taken else start, to[0], scope, is_source=True)
        target = self.source_or_target_of_move(text, to[1], end, scope)
        if source is None and amount is None:
            message, hint = (
                "the supply is endless, so it cannot be moved whole",
                "say how many: move 2 from supply to purse",
            )
            raise BadExpression("OD334", message, Span(text, start, to[0]), hint)
        if source is not None:
            self.written.add(source.name)
        return Move(amount, source, target, node.location, text.value)

    def source_or_target_of_move(
        self, text: Text, start: int, end: int, scope: Scope, is_source: bool = False
    ) -> VariableRef | None:
        """Return the source or the target of a `move`; None for the supply. ``is_source``: whether it is the source.
        Raises BadExpression if it is not a number.
        """
        if text.value[start:end].strip() == "supply":
            return None
        place, symbol = self.variable_ref_and_symbol(text, start, end, scope, is_source)
        if symbol.type != NUMBER:
            span = Span(text, start, end)
            raise BadExpression("OD335", f"only numbers can be moved; {place.name} is a {symbol.type}", span, "use set")
        return place

    def _read_set(self, node: Node, text: Text, start: int, end: int, scope: Scope) -> Effect:
        to = _span_of_word_to(text, start, end, "set")
        target, symbol = self.variable_ref_and_symbol(text, start, to[0], scope)
        span = Span(text, start, to[0])
        if symbol.tally:
            message = f"{target.name} is a tally, which rules can only add to"
            raise BadExpression("OD314", message, span, "use add ... to ...")
        amount = typed_tree(text, scope, start=to[1], end=end)
        if symbol.type == HAND and amount.type == list_of(None):
            amount = const(NO_DICE, HAND, amount.span)
        elif symbol.type == NUMBER:
            amount = as_numbers(amount, NUMBER) or amount
        words, message = amount.span.covered_text, ""
        if amount.type.kind != symbol.type.kind:
            message = f"{target.name} is a {symbol.type}; `{words}` is a {amount.type}"
        elif symbol.type.kind == "word" and not amount.type.words & symbol.type.words:
            message = f"{target.name} can never be `{words}`"
        if message:
            hint = f"one of {', '.join(sorted(symbol.type.words))}" if symbol.type.words else ""
            if symbol.type == NUMBER and amount.type == HAND:
                hint = f"a hand of several dice is no number: use sum({words}), or rank({words}, 1) for the highest"
            raise BadExpression("OD321", message, amount.span, hint)
        return Set(amount, target, node.location, text.value)

    def _read_add(self, node: Node, text: Text, start: int, end: int, scope: Scope) -> Effect:
        to = _span_of_word_to(text, start, end, "add")
        amount = typed_tree(text, scope, NUMBER, start=start, end=to[0])
        target, symbol = self.variable_ref_and_symbol(text, to[1], end, scope)
        if symbol.type != NUMBER:
            message = f"only numbers can be added to; {target.name} is a {symbol.type}"
            raise BadExpression("OD335", message, Span(text, to[1], end), "use set")
        return Add(amount, target, node.location, text.value)

    def _read_reveal(self, node: Node, text: Text, start: int, end: int, scope: Scope) -> Effect:
        to = span_of_last_word(text.value, "to", start - 1, end)
        amount = typed_tree(text, scope, start=start, end=to[0] if to else end)
        seen_by = typed_tree(text, scope, list_of(SEAT), SEAT, start=to[1], end=end) if to else None
        return Reveal(amount, seen_by, node.location, text.value)

    def _read_let(self, node: Node, text: Text, start: int, end: int, scope: Scope) -> Effect:
        be = span_of_last_word(text.value, "be", start - 1, end)
        match = _LET.fullmatch(text.value[start : be[0]]) if be else None
        if be is None or match is None:
            raise BadExpression("OD333", "let needs a name and `be`", Span(text, start, end), _FORMS["let"])
        return Let(match[1], typed_tree(text, scope, start=be[1], end=end), node.location, text.value)


_FORMS = {
    "move": "write: move stash to purse, or: move 2 from purse to pot",
    "set": "write: set stash to 0",
    "add": "write: add sum(hand) to score",
    "let": "write: let k be min(stakes)",
    "drop": "write: drop out",
    "reveal": "write: reveal card, or: reveal card to next",
}

_LIKELY = [  # what people write who know other languages, and how it is written here
    (r"(?:set )?([^\s=+-]+) *= *([^=].*)", r"set \1 to \2"),
    (r"(\S+) *\+= *(.+)|(?:increase|raise) (\S+) by (.+)", r"add \2\4 to \1\3"),
    (r"(\S+) *-= *(\w+)|(?:decrease|lower|reduce) (\S+) by (\w+)", r"add -\2\4 to \1\3"),
    (r"(?:subtract|take|remove|deduct|lose) (\w+) from (\S+)", r"add -\1 to \2"),
    (r"(?:let )?(\w+(?:\[[^\]]*\])?) (?:loses?|pays?) (\w+)", r"add -\2 to \1"),
    (r"(?:show|tell|disclose) (.+)", r"reveal \1"),
    (r"(?:let )?(\w+(?:\[[^\]]*\])?) (?:gains?|gets?|wins?) (\w+)", r"add \2 to \1"),
]


def _refuse_unknown_variable(text: Text, start: int, end: int, scope: Scope) -> None:
    """Raise BadExpression if a name, with indices or without, names nothing. Only variables are suggested."""
    found = _TARGET.fullmatch(text.value, start, end)
    if found is not None and found[1] not in scope.symbols and found[1] not in BUILTINS:
        variables = [name for name, symbol in scope.symbols.items() if symbol.kind == "state"]
        hint = did_you_mean(found[1], variables, "variables")
        raise BadExpression("OD312", f"there is no variable called {found[1]} here", Span(text, *found.span(1)), hint)


def _span_of_word_to(text: Text, start: int, end: int, verb: str) -> tuple[int, int]:
    """Return the start and the end of the word `to` in an effect. Raises BadExpression if there is none."""
    found = span_of_last_word(text.value, "to", start - 1, end)
    if found is None:
        raise BadExpression("OD333", f"{verb} needs `to`", Span(text, start, end), _FORMS[verb])
    return found


def hint_for_unknown_effect(text: str) -> str:
    """Return the hint for a text that is not an effect: the correct form of the effect that the author probably meant."""
    verb = (text.split() or [""])[0]
    for pattern, written in _LIKELY:
        if meant := re.fullmatch(pattern, text.strip()):
            return f"write: {meant.expand(written)}"
    return hint_for_unsupported_effect(text) or _FORMS.get(verb) or did_you_mean(verb, _FORMS, "effects")
