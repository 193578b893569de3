"""Effects of a ruleset as sentences, without capitals or full stops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from oddsmith.expr import Expr
from oddsmith.report.english.words import Words, joined, names_several, plain_name
from oddsmith.ruleset.model import Add, Drop, Effect, ForItems, ForSeats, If, Let, Move, Set


def say_effects(words: Words, effects: Sequence[Effect]) -> list[str]:
    """A sentence for each effect that does something."""
    return [text for effect in effects for text in _say(words, effect)]


def _say(words: Words, effect: Effect) -> list[str]:
    """One effect; in the ruleset's own words where an expression in it was too long for plain ones."""
    sentences = _in_plain_words(words, effect)
    if isinstance(effect, Move | Set | Add | Let) and effect.words and any("`" in text for text in sentences):
        return [f"`{effect.words}`"]
    return sentences


def _in_plain_words(words: Words, effect: Effect) -> list[str]:
    match effect:
        case Move():
            return [_move(words, effect)]
        case Set():
            return [f"{words.place(effect.target)} becomes {words.value(effect.amount)}"]
        case Add():
            return [] if words.fixed(effect.amount) == 0 else [_add(words, effect)]
        case Let():
            return [f"let “{plain_name(effect.name)}” be {words.value(effect.amount)}"]
        case Drop():
            return ["you are out of the game" if words.you == "you" else "that player is out of the game"]
        case If():
            return _if(words, effect)
        case ForSeats():
            inner = replace(words, you="that player")
            return [f"for {_group(words, effect.group)}: {'; '.join(say_effects(inner, effect.do))}"]
        case ForItems():
            loops = joined([f"every {plain_name(name)} in {words.value(items)}" for name, items in effect.loops])
            return [f"for {loops}: {'; '.join(say_effects(words, effect.do))}"]
        case _:
            assert_never(effect)


def _move(words: Words, effect: Move) -> str:
    source = words.place(effect.source) if effect.source else "the supply"
    target = words.place(effect.target) if effect.target else "the supply"
    if effect.amount is None:
        return f"{source} {'go' if names_several(source) else 'goes'} to {target}"
    return f"move {_amount(words, effect.amount)} from {source} to {target}"


def _add(words: Words, effect: Add) -> str:
    fixed = words.fixed(effect.amount)
    place = words.place(effect.target)
    if isinstance(fixed, int) and fixed < 0:
        return f"take {-fixed} from {place}"
    return f"add {_amount(words, effect.amount)} to {place}"


def _amount(words: Words, tree: Expr) -> str:
    """How much is moved or added; in brackets where it depends on something."""
    text = words.value(tree)
    return f"({text})" if ", else " in text else text


def _if(words: Words, effect: If) -> list[str]:
    fixed = words.fixed(effect.test)
    if fixed is not None:
        return say_effects(words, effect.do if fixed else effect.other)
    then, other = joined(say_effects(words, effect.do)), joined(say_effects(words, effect.other))
    text = f"if {words.test(effect.test)}, {then or 'nothing happens'}"
    return [f"{text}; otherwise {other}" if other else text]


def _group(words: Words, tree: Expr) -> str:
    groups = {"others": "every other player", "everyone": "every player still in", "table": "every player"}
    return groups.get(tree.op) or words.value(tree)
