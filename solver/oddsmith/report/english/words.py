"""Expressions of a ruleset in plain English, for a game master who has never seen the language of rulesets.

A negation is moved as far inside a condition as possible: people read "no box is open", not "not any".

Effects become sentences without capitals or full stops.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, assert_never

from oddsmith.base.errors import RuleFailure
from oddsmith.base.exact import one_line
from oddsmith.base.location import Span, text_without_file
from oddsmith.expr import FLAG, MIRROR, OPPOSITE, Expr, compiled_function
from oddsmith.ruleset import Game
from oddsmith.ruleset.model import Add, Drop, Effect, ForItems, ForSeats, If, Let, Move, Reveal, Set, VariableRef

NOWHERE = Span(text_without_file(""), 0, 0)


def seat_name(seats_after_mover: int, seats: int) -> str:
    """Return what a player is called in a sentence that is addressed to the mover, such as "you" or "the next player".
    ``seats_after_mover``: the number of seats from the mover to the player. ``seats``: the number of all seats.
    """
    if seats_after_mover == 0:
        return "you"
    if seats == 2:
        return "the other player"
    if seats_after_mover == 1:
        return "the next player"
    return "the previous player" if seats_after_mover == seats - 1 else f"the player {seats_after_mover} seats on"


def negation(tree: Expr, has_name: Callable[[Expr], bool]) -> Expr:
    """Return the negation of a condition, with a ``not`` only if no other form says it better.

    ``has_name``: returns whether sentences use a name for a condition. Such a condition is not taken apart. The result has
    no place in a file.
    """

    def negate(inner: Expr) -> Expr:
        return negation(inner, has_name)

    if has_name(tree):
        return Expr("not", FLAG, (tree,))
    if tree.op in OPPOSITE:
        return replace(tree, op=OPPOSITE[tree.op], span=NOWHERE)
    match tree.op:
        case "not":
            return tree.args[0]
        case "and":
            return replace(tree, op="or", args=tuple(map(negate, tree.args)), span=NOWHERE)
        case "or":
            return replace(tree, op="and", args=tuple(map(negate, tree.args)), span=NOWHERE)
        case "if":
            test, yes, no = tree.args
            return replace(tree, args=(test, negate(yes), negate(no)), span=NOWHERE)
        case "call" if tree.value in ("any", "all") and tree.args[0].op == "each":
            args = (_negated_loop(tree.args[0], negate), *tree.args[1:])
            return replace(tree, value="all" if tree.value == "any" else "any", args=args, span=NOWHERE)
    return Expr("not", FLAG, (tree,))


def _negated_loop(loop: Expr, negate: Callable[[Expr], Expr]) -> Expr:
    """Return a loop over conditions with its body negated. In nested loops, the body of the innermost loop is negated.
    ``negate``: negates a condition.
    """
    items, inner, *tests = loop.args
    body = _negated_loop(inner, negate) if inner.op == "each" else negate(inner)
    return replace(loop, args=(items, body, *tests), span=NOWHERE)


_FIXED = {"const", "parameter", "constant", "seats"}
_WORKED_OUT = {"+", "-", "*", "//", "%", "/", "neg", "==", "!=", "<", "<=", ">", ">=", "and", "or", "not", "if"}
COMPARED = {"<": "less than {}", "<=": "{} or less", ">": "more than {}", ">=": "{} or more"}
_AFTER_NOUN = re.compile(r" (?:left|of|in|on|with|at|from)\b")
MAX_WORDED_LETTERS = 160  # letters of an expression, beyond which its own text is easier to read
MAX_DEFINITION_LETTERS = 40  # letters of a definition, beyond which its name stands in for it


def plain_name(name: str) -> str:
    """Return a name of the ruleset as people read it, with spaces in place of underscores."""
    return name.replace("_", " ")


def joined(parts: Sequence[str], conjunction: str = "and") -> str:
    """Return words as a list in a sentence: ``a, b and c``. ``conjunction``: the word before the last item."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {conjunction} {parts[-1]}" if parts else ""


@dataclass(frozen=True)
class ExpressionWords:
    """Writes the expressions of a game in words.

    ``you``: the words for the player who owns a variable without an index. ``dice``: the names of rolls.
    ``moved_variables``: the variables that something is moved into or out of; their names take an article.
    ``used_definitions``: the definitions that sentences have called by name so far, each with its expression.
    """

    game: Game
    you: str = "you"
    dice: frozenset[str] = frozenset()
    moved_variables: frozenset[str] = frozenset()
    used_definitions: dict[str, Expr] = field(default_factory=dict, compare=False)

    @property
    def your(self) -> str:
        """The possessive of ``you``."""
        return {"you": "your", "a player": "a player’s"}.get(self.you, "their")

    def noun_words(self, tree: Expr) -> str:
        """Return an expression as a noun: its value if play cannot change it, a name, or plain words. It is the text of
        the ruleset if the words would be too long.
        """
        fixed = self.fixed_value(tree)
        if tree.op == "constant" and any(
            tree.value in die.face_names.values() for die in self.game.ruleset.dice.values()
        ):
            return plain_name(tree.value)  # the name of a face
        if fixed is not None:
            number = isinstance(fixed, int) and not isinstance(fixed, bool)
            return f"{fixed:,}".replace("-", "−") if number else self.game.value_text(fixed)
        noun = _VALUES.get(tree.op, _source_words)(self, tree)
        return self._definition_name(tree, noun) or _words_or_source(noun, tree)

    def condition_clause(self, tree: Expr) -> str:
        """Return a condition as a clause: "always" or "never" if play cannot change it, a name, or plain words. It is
        the text of the ruleset if the words would be too long.
        """
        fixed = self.fixed_value(tree)
        if fixed is not None:
            return "always" if fixed else "never"
        clause = self.full_words(tree)
        name = self._definition_name(tree, clause)
        return f"{name} is true" if name else _words_or_source(clause, tree)

    def condition_name(self, tree: Expr) -> str:
        """Return the name by which sentences call a condition: that of its definition. Return an empty text if they
        write the condition out.
        """
        return "" if self.fixed_value(tree) is not None else self._definition_name(tree, self.full_words(tree))

    def full_words(self, tree: Expr) -> str:
        """Return an expression in words, however long: a condition as a clause, any other expression as a noun."""
        table, otherwise = (_TESTS, _plain_condition_words) if tree.type.kind == "flag" else (_VALUES, _source_words)
        return table.get(tree.op, otherwise)(self, tree)

    def _definition_name(self, tree: Expr, words: str) -> str:
        """Return the name of the definition that has exactly the text of the expression. Return an empty text if there
        is none, if it has arguments, or if the words that the name would replace are short. ``words``: these words.
        """
        text = tree.span.text
        name = next((name for name, definition in self.game.ruleset.defines.items() if definition is text), "")
        symbol = self.game.ruleset.symbols.get(name)
        if (
            symbol is None
            or symbol.arguments
            or len(words) <= MAX_DEFINITION_LETTERS
            or tree.span.covered_text != text.value.strip()
        ):
            return ""
        self.used_definitions[name] = tree
        return plain_name(name)

    def fixed_value(self, tree: Expr) -> Any:
        """Return the value of an expression that play cannot change; None if play can change it."""
        if tree.op in ("and", "or"):
            parts = [self.fixed_value(arg) for arg in tree.args]
            if (tree.op == "or") in parts:
                return tree.op == "or"
            return None if None in parts else tree.op == "and"
        if tree.op == "not":
            inner = self.fixed_value(tree.args[0])
            return None if inner is None else not inner
        if any(node.op not in _FIXED and node.op not in _WORKED_OUT for node in tree.walk()):
            return None
        try:
            return compiled_function(tree)(self.game.context(self.game.start))
        except RuleFailure:
            return None

    def variable_words(self, variable: VariableRef) -> str:
        """Return in words the name of the variable that an effect changes."""
        return self.variable_name(variable.name, variable.indices)

    def variable_name(self, name: str, indices: Sequence[Expr]) -> str:
        """Return the words for a variable with its indices: its owner, its name, and its members."""
        variable = self.game.ruleset.state.get(name)
        text, rest = plain_name(name), list(indices)
        owner = ""
        if variable is not None and variable.is_per_seat and rest:
            owner = self.possessive_words(rest.pop(0))
        elif variable is not None and variable.kind == "number" and variable.resets_each_turn:
            owner = self._movers_possessive
        elif name in self.game.ruleset.sides or (name in self.moved_variables and not rest and not name.endswith("ed")):
            # "banked" takes no article
            owner = "the"
        members = [f"({member})" if " " in member else member for member in map(self.noun_words, rest)]
        return " ".join(part for part in (owner, text, *members) if part)

    @property
    def _movers_possessive(self) -> str:
        """The possessive of the player to move."""
        return "your" if self.you == "you" else "the mover’s"

    def possessive_words(self, tree: Expr) -> str:
        """Return the possessive of a seat or a group of seats, such as "your". ``tree``: the expression of the seat."""
        if tree.op == "seat":
            return self.your
        if tree.op == "mover":
            return self._movers_possessive
        groups = {"others": "every other player’s", "everyone": "every player’s", "table": "every player’s"}
        return groups.get(tree.op) or f"{self.noun_words(tree)}’s"


def is_plural(noun: str) -> bool:
    """Whether a noun looks like the name of several things: fifties and chips, but not glass."""
    noun = _AFTER_NOUN.split(noun, maxsplit=1)[0]  # rounds left, coins in the sack
    return noun.endswith("dice") or (noun.endswith("s") and not noun.endswith(("ss", "us", "is", "’s")))


# --- expressions as nouns

Say = Callable[[ExpressionWords, Expr], str]


def _infix_writer(sign: str) -> Say:
    def write_infix(words: ExpressionWords, tree: Expr) -> str:
        return f" {sign} ".join(_noun_in_brackets(words, arg) for arg in tree.args)

    return write_infix


def _noun_in_brackets(words: ExpressionWords, tree: Expr) -> str:
    text = words.noun_words(tree)
    sum_ = tree.op in ("+", "-", "//", "%", "/", "if") or " and " in text
    return f"({text})" if sum_ and " " in text and words.fixed_value(tree) is None else text


def _quotient_words(words: ExpressionWords, tree: Expr) -> str:
    """Return in words a division that is rounded down."""
    return f"{_infix_writer('÷')(words, tree)} (rounded down)"


def _call_words(words: ExpressionWords, tree: Expr) -> str:
    if tree.value in ("min", "max") and tree.args[0].type.kind in ("list", "hand"):
        return _extreme_words(words, tree)
    if tree.args and tree.args[0].op == "each":
        return _loop_call_words(words, tree)
    inner = [words.noun_words(arg) for arg in tree.args]
    if tree.value == "size":
        dice = "dice in " if tree.args[0].type.kind == "hand" else ""
        return f"the number of {dice}{_GROUPS.get(tree.args[0].op, inner[0])}"
    if tree.value == "share":
        return f"a share of the win for whoever has the greatest {inner[0].removeprefix(f'{words.your} ')}"
    if tree.value == "rank" and inner[1] == "1":
        return f"the highest of {inner[0]}"
    if tree.value == "count" and len(inner) == 2 and tree.args[0].type.kind == "hand":
        number = inner[1].isdigit()
        return f"the number of {inner[1]}s in {inner[0]}" if number else f"how many dice of {inner[0]} show {inner[1]}"
    if tree.value == "subsets" and inner[1:] == ["1"]:
        return f"the single dice of {inner[0]}"
    form = _CALLS.get((tree.value, len(inner))) or _CALLS.get((tree.value, 0))
    return form.format(*inner, all=joined(inner)) if form else _source_words(words, tree)


_CALLS = {
    ("sum", 1): "the total of {0}", ("min", 0): "the smaller of {all}", ("max", 0): "the greater of {all}",
    ("abs", 1): "the absolute value of {0}",
    ("count", 2): "the number of times that {1} is among {0}", ("rank", 2): "number {1} from the top of {0}",
    ("distinct", 1): "the different values of {0}", ("sorted", 1): "{0} in order", ("span", 2): "{0} to {1}",
    ("subsets", 1): "the parts of {0}", ("subsets", 2): "the parts of {0} with {1} dice",
}  # fmt: skip
"""The words of a function by its name and number of arguments (0: any number)."""
_GROUPS = {"others": "other players still in", "everyone": "players still in", "table": "players"}


def _words_or_source(text: str, tree: Expr) -> str:
    """Return ``text``, the words for the expression ``tree``. If they are too long, return the shorter source of the
    expression instead, in backquotes.
    """
    if len(text) <= MAX_WORDED_LETTERS:
        return text
    source = one_line(tree.span.covered_text)
    return f"`{source}`" if 0 < len(source) < len(text) else text


def _extreme_words(words: ExpressionWords, tree: Expr) -> str:
    """Return the words for the least or greatest value of a hand, a list or a loop. A value for the empty case follows,
    if the expression has one.
    """
    items, *default = tree.args
    over = _loop_words(words, items) if items.op == "each" else f"of {words.noun_words(items)}"
    otherwise = f", or {words.noun_words(default[0])} where there is none" if default else ""
    return f"the {'lowest' if tree.value == 'min' else 'highest'} {over.removeprefix('every ')}{otherwise}"


def _loop_item_and_range(words: ExpressionWords, loop: Expr) -> tuple[str, str]:
    """Return two texts about what a loop runs over: the name of an item, such as ``f``, and its range, such as ``f in
    hand where f is less than 5``.
    """
    items, _, *tests = loop.args
    name = plain_name(str(loop.value[0] if isinstance(loop.value, tuple) else loop.value))
    where = f" where {joined([words.condition_clause(test) for test in tests])}" if tests else ""
    return name, f"{name} in {words.noun_words(items)}{where}"


def _loop_words(words: ExpressionWords, loop: Expr) -> str:
    """Return in words the values of a loop: ``every f in hand``, or ``the square of f for every f in hand``."""
    (name, over), element = _loop_item_and_range(words, loop), words.noun_words(loop.args[1])
    return f"every {over}" if element == name else f"{element} for every {over}"


def _loop_call_words(words: ExpressionWords, tree: Expr) -> str:
    """Return in words a function of a loop, such as ``count(f > 3 for f in hand)``."""
    loop = tree.args[0]
    if tree.value == "sum":
        return f"the total of {_loop_words(words, loop)}"
    if tree.value != "count":
        return _source_words(words, tree)
    return f"the number of {_loop_item_and_range(words, loop)[1]} for which {words.condition_clause(loop.args[1])}"


def _if_value_words(words: ExpressionWords, tree: Expr) -> str:
    test, yes, no = tree.args
    if (fixed := words.fixed_value(test)) is not None:
        return words.noun_words(yes if fixed else no)
    return f"{words.noun_words(yes)} if {words.condition_clause(test)}, else {words.noun_words(no)}"


def _source_words(_: ExpressionWords, tree: Expr) -> str:
    """Return the text of the expression in the ruleset, because there are no better words for it."""
    text = one_line(tree.span.covered_text)
    return plain_name(text) if text else plain_name(str(tree.value or tree.op))


_VALUES: dict[str, Say] = {
    "state": lambda words, tree: words.variable_name(tree.value, tree.args),
    "local": lambda words, tree: (
        f"the {plain_name(tree.value)}" if tree.value in words.dice else plain_name(tree.value)
    ),
    "face": lambda words, tree: words.noun_words(tree.args[0]),
    **dict.fromkeys(("parameter", "constant", "list", "map"), lambda words, tree: plain_name(tree.value)),
    "mover": lambda words, tree: "you" if words.you == "you" else "the mover",
    "seat": lambda words, tree: words.you,
    "next": lambda words, tree: "the next player",
    "previous": lambda words, tree: "the previous player",
    "others": lambda words, tree: "the other players",
    "everyone": lambda words, tree: "the players still in",
    "table": lambda words, tree: "all players",
    "+": _infix_writer("+"),
    "-": _infix_writer("−"),
    "*": _infix_writer("×"),
    "/": _infix_writer("÷"),
    "//": _quotient_words,
    "%": _infix_writer("modulo"),
    "neg": lambda words, tree: f"−{_noun_in_brackets(words, tree.args[0])}",
    "lookup": lambda words, tree: f"{words.noun_words(tree.args[0])} of {words.noun_words(tree.args[1])}",
    "listed": lambda words, tree: (
        joined([f"({said})" if arg.op == "listed" else said for arg in tree.args for said in [words.noun_words(arg)]])
        or "nothing"
    ),
    "if": _if_value_words,
    "call": _call_words,
}


# --- expressions as sentences


def _joined_conditions_writer(conjunction: str) -> Say:
    def write_conditions(words: ExpressionWords, tree: Expr) -> str:
        parts = [arg for arg in _operands(tree, tree.op) if words.fixed_value(arg) is None]
        return joined(
            [_delimited_condition_words(words, arg) if parts[1:] else words.condition_clause(arg) for arg in parts],
            conjunction,
        )

    return write_conditions


_LEADS = {"and": "both", "or": "either"}


def _delimited_condition_words(words: ExpressionWords, tree: Expr) -> str:
    """Return in words one of several conditions. If it has two parts itself, "both" or "either" shows where it ends."""
    clause = words.condition_clause(tree)
    pair = tree.op in _LEADS and len([arg for arg in _operands(tree, tree.op) if words.fixed_value(arg) is None]) == 2
    return f"{_LEADS[tree.op]} {clause}" if pair and f" {tree.op} " in clause else clause  # a name stands for itself


def _operands(tree: Expr, op: str) -> list[Expr]:
    return [leaf for arg in tree.args for leaf in _operands(arg, op)] if tree.op == op else [tree]


def _comparison_words(words: ExpressionWords, tree: Expr) -> str:
    left, right = tree.args
    if words.fixed_value(left) is not None and tree.op in OPPOSITE and words.fixed_value(right) is None:
        return _comparison_words(words, replace(tree, op=MIRROR[tree.op], args=(right, left)))
    a, b = words.noun_words(left), words.noun_words(right)
    if tree.op in "<>" and _is_count_of_face(left) and _is_count_of_face(right) and left.args[0] == right.args[0]:
        more, fewer = (left, right) if tree.op == ">" else (right, left)
        dice = "dice of " if left.args[0].type.kind == "hand" else "of "
        among = f"{dice}{words.noun_words(left.args[0])}"
        return f"more {among} show {words.noun_words(more.args[1])} than {words.noun_words(fewer.args[1])}"
    verb = "are" if a == "you" or (left.op == "state" and not left.args[1:] and is_plural(a)) else "is"
    verb = "shows" if left.type.kind == "hand" and right.type.kind != "hand" else verb
    if tree.op == "==":
        return f"{a} {verb} {b}"
    if tree.op == "!=":
        return f"{a} {verb} not {b}"
    if left.type.kind == "seat":
        return f"{a} {verb} {'before' if tree.op.startswith('<') else 'after'} {b}"
    return f"{a} {verb} {COMPARED[tree.op].format(b)}"


def _is_count_of_face(tree: Expr) -> bool:
    return tree.op == "call" and tree.value == "count" and len(tree.args) == 2


def _membership_words(words: ExpressionWords, tree: Expr) -> str:
    item, group = map(words.noun_words, tree.args)
    hand = tree.args[1].type.kind == "hand"
    return f"{'a ' * item.isdigit()}{item} shows" if hand else f"{item} is one of {group}"


def _negation_words(words: ExpressionWords, tree: Expr) -> str:
    inner, other = tree.args[0], negation(tree.args[0], lambda part: bool(words.condition_name(part)))
    if other.op != "not":
        return words.condition_clause(other)
    if name := words.condition_name(inner):
        return f"{name} is false"
    if inner.op == "in":
        item, group = map(words.noun_words, inner.args)
        return f"no {item} shows" if inner.args[1].type.kind == "hand" else f"{item} is not one of {group}"
    if inner.op == "call" and inner.value in ("any", "all") and inner.args[0].op != "each":
        some = "none" if inner.value == "any" else "not every one"
        return f"{some} of {words.noun_words(inner.args[0])} is true"
    if _TESTS.get(inner.op, _plain_condition_words) is _plain_condition_words:
        return f"{words.noun_words(inner)} is false"
    return f"it is not true that {words.condition_clause(inner)}"


def _call_condition_words(words: ExpressionWords, tree: Expr) -> str:
    args = tree.args
    if tree.value in ("any", "all") and args[0].op == "each":
        some = "for at least one" if tree.value == "any" else "for every"
        inner = args[0].args[1]
        clause = (
            _call_condition_words(words, replace(tree, args=(inner,)))
            if inner.op == "each"
            else words.condition_clause(inner)
        )
        return f"{some} {_loop_item_and_range(words, args[0])[1]}, {clause}"
    match tree.value:
        case "all_equal":
            return (
                f"all {'dice of ' if args[0].type.kind == 'hand' else 'of '}{words.noun_words(args[0])} show the same"
            )
        case "has_run":
            return f"{words.noun_words(args[0])} has {words.noun_words(args[1])} in a row"
        case "any" | "all":
            return f"{'some' if tree.value == 'any' else 'every one'} of {words.noun_words(args[0])} is true"
    return f"{_call_words(words, tree)} is true"


def _if_condition_words(words: ExpressionWords, tree: Expr) -> str:
    test, yes, no = tree.args
    if (fixed := words.fixed_value(test)) is not None:
        return words.condition_clause(yes if fixed else no)
    return (
        f"{words.condition_clause(yes)} (if {words.condition_clause(test)}), or {words.condition_clause(no)} (if not)"
    )


def _plain_condition_words(words: ExpressionWords, tree: Expr) -> str:
    return f"{words.noun_words(tree)} is true"


_TESTS: dict[str, Say] = {
    "and": _joined_conditions_writer("and"),
    "or": _joined_conditions_writer("or"),
    "not": _negation_words,
    "in": _membership_words,
    "call": _call_condition_words,
    "if": _if_condition_words,
    **dict.fromkeys(OPPOSITE, _comparison_words),
}


def effect_sentences(words: ExpressionWords, effects: Sequence[Effect]) -> list[str]:
    """Return the sentences for several effects, in order. Effects that do nothing have none."""
    return [text for effect in effects for text in _effect_sentences(words, effect)]


def _effect_sentences(words: ExpressionWords, effect: Effect) -> list[str]:
    """Return the sentences for one effect. If an expression in it is too long for plain words, the only sentence is the
    text of the ruleset.
    """
    sentences = _plain_effect_sentences(words, effect)
    if isinstance(effect, Move | Set | Add | Let | Reveal) and effect.words and any("`" in text for text in sentences):
        return [f"`{effect.words}`"]
    return sentences


def _plain_effect_sentences(words: ExpressionWords, effect: Effect) -> list[str]:
    match effect:
        case Move():
            return [_move_words(words, effect)]
        case Set():
            return [f"{words.variable_words(effect.target)} becomes {words.noun_words(effect.amount)}"]
        case Add():
            return [] if words.fixed_value(effect.amount) == 0 else [_add_words(words, effect)]
        case Let():
            return [f"let “{plain_name(effect.name)}” be {words.noun_words(effect.amount)}"]
        case Drop():
            return ["you are out of the game" if words.you == "you" else "that player is out of the game"]
        case Reveal():
            to = "everybody" if effect.seats is None else words.noun_words(effect.seats)
            return [f"{to} sees {words.noun_words(effect.amount)}"]
        case If():
            return _if_words(words, effect)
        case ForSeats():
            inner = replace(words, you="that player")
            return [f"for {_seat_group_words(words, effect.group)}: {'; '.join(effect_sentences(inner, effect.do))}"]
        case ForItems():
            loops = joined([f"every {plain_name(name)} in {words.noun_words(items)}" for name, items in effect.loops])
            return [f"for {loops}: {'; '.join(effect_sentences(words, effect.do))}"]
        case _:
            assert_never(effect)


def _move_words(words: ExpressionWords, effect: Move) -> str:
    source = words.variable_words(effect.source) if effect.source else "the supply"
    target = words.variable_words(effect.target) if effect.target else "the supply"
    if effect.amount is None:
        return f"{source} {'go' if is_plural(source) else 'goes'} to {target}"
    return f"move {_amount_words(words, effect.amount)} from {source} to {target}"


def _add_words(words: ExpressionWords, effect: Add) -> str:
    fixed = words.fixed_value(effect.amount)
    place = words.variable_words(effect.target)
    if isinstance(fixed, int) and fixed < 0:
        return f"take {-fixed} from {place}"
    return f"add {_amount_words(words, effect.amount)} to {place}"


def _amount_words(words: ExpressionWords, tree: Expr) -> str:
    """Return in words an amount that is moved or added, in brackets if it depends on a condition."""
    text = words.noun_words(tree)
    return f"({text})" if ", else " in text else text


def _if_words(words: ExpressionWords, effect: If) -> list[str]:
    fixed = words.fixed_value(effect.test)
    if fixed is not None:
        return effect_sentences(words, effect.do if fixed else effect.else_do)
    then, other = joined(effect_sentences(words, effect.do)), joined(effect_sentences(words, effect.else_do))
    text = f"if {words.condition_clause(effect.test)}, {then or 'nothing happens'}"
    return [f"{text}; otherwise {other}" if other else text]


def _seat_group_words(words: ExpressionWords, tree: Expr) -> str:
    groups = {"others": "every other player", "everyone": "every player still in", "table": "every player"}
    return groups.get(tree.op) or words.noun_words(tree)
