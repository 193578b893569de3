"""What a roll brings: every value of an expression over dice, with its chance in exact fractions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, product
from math import comb, prod
from typing import Any

from oddsmith.api.notebooks import Chances
from oddsmith.api.phrases import SUCH_AS, Dice, Phrase, read
from oddsmith.base.dice import Die, refuse_many, roll_alike
from oddsmith.base.distributions import Outcome, deviation
from oddsmith.base.errors import Broken, QuestionError
from oddsmith.base.exact import Number, brief, fraction_text
from oddsmith.base.location import text_of
from oddsmith.expr import HAND, MAX_NUMBER, BadExpression, Expr, Moment, Scope, Symbol, Type, compiled, typed

MOST_ROUNDS = 10_000_000  # of loops, for all hands together

Law = Mapping[Any, int]
"""Values with whole weights, of which each is one of the equally likely cases."""


@dataclass(frozen=True, repr=False)
class Odds(Chances):
    """What a roll brings. ``oddsmith.roll`` makes one.

    ``question``: as it was asked. ``what``: how it was read, as an expression of the language of rulesets. A question with
    the answers no and yes has the values 0 and 1.

    >>> oddsmith.roll("highest 2 of 3d6").at_most(4)
    Number(11/216)
    """

    question: str = ""

    def __repr__(self) -> str:
        if self.chance is not None:
            return brief(self, f"{self.what}: chance {self.chance.brief}")
        assert self.mean is not None
        return brief(self, f"{self.what}: {self.outcomes[0].name} to {self.outcomes[-1].name}, mean {self.mean.brief}")

    @property
    def law(self) -> dict[int | Fraction, Fraction]:
        """The chance of every value, values ascending."""
        return {_plain(each.value): each.chance.lower for each in self.outcomes if each.value is not None}

    @property
    def chance(self) -> Number | None:
        """The chance of yes; None where the answer is a number."""
        return self.mean if self.outcomes[0].name in ("no", "yes") else None

    def at_least(self, value: Fraction | int) -> Number:
        """The chance of at least that."""
        return Number.of(sum((chance for each, chance in self.law.items() if each >= value), Fraction(0)))

    def to_json(self, places: int = 12) -> dict[str, Any]:
        """The answer for machines."""
        return {"question": self.question, **super().to_json(places)}


def roll(question: str) -> Odds:
    """The chances of one roll, without a ruleset. Raises QuestionError.

    ``question``: an expression in which dice stand as they are rolled, ``2d6 + 3`` or ``count(5d6, 6) >= 2``, or plain words:
    ``highest 2 of 4d6``, ``at least 10 on 3d6``, ``count of 6 in 5d6``, ``d6 and d8``. Dice that are written twice are rolled
    twice.

    >>> oddsmith.roll("at least 10 on 3d6").chance
    Number(5/8)
    """
    question = " ".join(question.split())
    phrase = read(question)
    symbols = {name: Symbol("local", _type(dice)) for name, dice in phrase.dice.items()}
    try:
        tree = typed(text_of(phrase.text), Scope(symbols, exact=True, state=False))
        if tree.type.kind not in ("number", "exact", "flag"):
            hint = "ask for a number, such as size(...), or for a condition, such as ... == 3"
            raise QuestionError(question, 0, f"this gives a {tree.type}", hint)
        return _odds(question, phrase, tree)
    except BadExpression as error:
        message = phrase.with_dice(error.message).replace(
            "an expression of the language", "a question that can be read"
        )
        hint = phrase.with_dice(error.hint) or SUCH_AS
        raise QuestionError(question, phrase.origin(error.span.start), message, hint) from None
    except Broken as error:
        raise QuestionError(question, 0, error.message, error.hint) from None


def _type(dice: Dice) -> Type:
    return Type("hand", single=True) if dice.count == 1 else HAND


def _plain(value: Fraction) -> int | Fraction:
    return value.numerator if value.denominator == 1 else value


def _odds(question: str, phrase: Phrase, tree: Expr) -> Odds:
    law = _law(tree, phrase.dice)
    whole, yes_no = sum(law.values()), tree.type.kind == "flag"
    outcomes, below = [], 0
    for value in sorted({False, True} if yes_no else law):
        weight = law.get(value, 0)
        below += weight
        name = ("yes" if value else "no") if yes_no else fraction_text(Fraction(value))
        chances = (Number.of(Fraction(cases, whole)) for cases in (weight, below))
        outcomes.append(Outcome(name, Fraction(value), *chances))
    mean, square = (
        sum((Fraction(value) ** power * weight for value, weight in law.items()), Fraction(0)) / whole
        for power in (1, 2)
    )
    spread = deviation(mean, square)
    return Odds(phrase.shown, tuple(outcomes), Number.of(0), Number.of(mean), spread, question)


# --- laws


def _law(tree: Expr, dice: Mapping[str, Dice]) -> Law:
    """The law of an expression. Parts that share no dice are independent, so each is worked out by itself."""
    parts = [_names(arg, dice) for arg in tree.args]
    names = set().union(*parts)
    if tree.op == "call" and tree.value == "sum" and tree.args[0].op == "local" and names:
        return _total(dice[tree.args[0].value])
    if tree.op == "local":
        return _hands(dice[tree.value])
    if tree.op in ("each", "if") or sum(map(len, parts)) > len(names):
        return _values(tree, {name: _hands(dice[name]) for name in sorted(names)})
    laws = {f"_{place}": _law(arg, dice) for place, arg in enumerate(tree.args)}
    stand_ins = tuple(
        Expr("local", arg.type, value=name, span=arg.span) for name, arg in zip(laws, tree.args, strict=True)
    )
    return _values(tree.with_args(stand_ins), laws)


def _names(tree: Expr, dice: Mapping[str, Dice]) -> set[str]:
    return {node.value for node in tree.walk() if node.op == "local" and node.value in dice}


def _values(tree: Expr, laws: Mapping[str, Law]) -> Law:
    """The law of an expression whose names have laws of their own."""
    refuse_many(prod(len(law) for law in laws.values()), "the dice")
    value_of, found, rounds = compiled(tree), Counter[Any](), 0
    for names, weight in _together(laws):
        moment = Moment({}, {}, 1, local=names)
        found[value := value_of(moment)] += weight
        rounds += moment.rounds
        if rounds > MOST_ROUNDS:
            raise Broken("OD507", "loops over these dice take too long", "roll fewer dice, or loop over fewer items")
        if isinstance(value, int) and abs(value) > MAX_NUMBER:
            raise Broken("OD412", "a value is beyond 2^53", "use smaller units")
    return found


def _together(laws: Mapping[str, Law]) -> Iterator[tuple[dict[str, Any], int]]:
    for chosen in product(*(law.items() for law in laws.values())):
        values, weights = zip(*chosen, strict=True) if chosen else ((), ())
        yield dict(zip(laws, values, strict=True)), prod(weights)


def _hands(dice: Dice) -> Law:
    refuse_many(comb(dice.count + dice.sides - 1, dice.count), f"the roll {dice}")
    faces = tuple(range(1, dice.sides + 1))
    return dict(roll_alike(dice.count, Die(f"d{dice.sides}", dice.sides, faces, (1,) * dice.sides)).hands)


def _total(dice: Dice) -> Law:
    """The law of a total, die by die: every further one spreads the ways over as many totals as it has sides."""
    ways = [1]
    for _ in range(dice.count):
        sums = list(accumulate([*ways, *[0] * (dice.sides - 1)]))
        ways = [up_to - (sums[at - dice.sides] if at >= dice.sides else 0) for at, up_to in enumerate(sums)]
    return {dice.count + more: number for more, number in enumerate(ways)}
