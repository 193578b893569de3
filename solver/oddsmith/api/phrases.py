"""Questions about a roll, from plain words to an expression of the language whose names are dice.

Dice may stand in an expression as they are written in a roll: ``2d6 + 3``. They count as their total, and stay a hand where
a function or ``in`` wants one. A few phrases are short for more, and each is read as an expression that can be shown:

* ``highest 2 of 4d6``, ``lowest 1 of d6 and d8``, ``4d6kh3``;
* ``at least 10 on 3d6``, ``3d6 at least 10``, ``at least 2 6s in 5d6``;
* ``count of 6 in 5d6``, ``how many 6s in 5d6``; ``d6 and d8``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from oddsmith.base.errors import QuestionError, did_you_mean
from oddsmith.expr import FUNCTIONS

MAX_DICE, MAX_SIDES = 100, 1000  # as in rulesets
MAX_LENGTH = 500
_TOKEN = re.compile(
    r"(?P<dice>(?P<count>\d*)[dD](?P<sides>\d+|%)(?:(?P<keep>kh?|kl|dh|dl)(?P<kept>\d+))?)(?!\w)"
    r"|(?P<number>\d+)s?(?!\w)|(?P<word>[A-Za-z_]\w*)|(?P<odd>\d\w*)|(?P<sign>[=!<>]=|//|\S)"
)
_LEAD = re.compile(r"\s*(?:the\s+)?(?:chance|chances|odds|probability)\s+(?:of|that|for)\s+")
_BOUNDS = {
    ("at", "least"): ">=", ("at", "most"): "<=", ("exactly",): "==", ("more", "than"): ">", ("less", "than"): "<",
    ("fewer", "than"): "<", ("over",): ">", ("under",): "<", ("above",): ">", ("below",): "<",
}  # fmt: skip
_BEYOND = {("or", word): sign for sign, words in {">=": "more higher better", "<=": "less lower fewer"}.items()
           for word in words.split()}  # fmt: skip
_ENDS = {"highest": True, "best": True, "top": True, "lowest": False, "worst": False, "bottom": False}
_COUNTS = (("count", "of"), ("number", "of"), ("how", "many"))
_ON = ("on", "with", "in", "from", "of")
_NUMBERS_ONLY = ("abs", "span")
_KNOWN = {*FUNCTIONS, *_ENDS, "for", "in", "if", "else", "and", "or", "not", "true", "false", "default"} - {
    "share",
    "subsets",
}
_OFFERED = {*_KNOWN, *(word for words in (*_BOUNDS, *_BEYOND, *_COUNTS) for word in words)}
SUCH_AS = "ask such as: 3d6, highest of 2d20, highest 3 of 4d6, d20 + 5 >= 15, count of 6 in 5d6, 2d6 + 3 >= d20"


class _Token(NamedTuple):
    found: re.Match[str]

    @property
    def kind(self) -> str:
        return "dice" if self.found["dice"] else str(self.found.lastgroup)

    @property
    def text(self) -> str:
        return self.found["number"] or self.found[0]

    @property
    def at(self) -> int:
        return self.found.start()


@dataclass(frozen=True)
class Dice:
    """Some dice of a kind."""

    count: int
    sides: int

    def __str__(self) -> str:
        return f"{self.count if self.count > 1 else ''}d{self.sides}"


@dataclass
class Phrase:
    """A question as an expression: ``text`` calls its dice by names, and ``shown`` has them in their places.

    ``origins``: where a part of the text begins, and where the words stand in the question that it was read from.
    """

    text: str = ""
    shown: str = ""
    dice: dict[str, Dice] = field(default_factory=dict)
    origins: list[tuple[int, int]] = field(default_factory=list)

    def add(self, text: str, origin: int) -> None:
        """Go on with a text in which dice stand by their names."""
        self.origins.append((len(self.text), origin))
        self.text += text
        self.shown += self.with_dice(text)

    def name(self, dice: Dice) -> str:
        """A new name for some dice."""
        name = f"_{len(self.dice)}"
        self.dice[name] = dice
        return name

    def with_dice(self, text: str) -> str:
        """A text with the dice in the places of their names."""
        return re.sub(r"\b_\d+\b", lambda found: str(self.dice.get(found[0], found[0])), text)

    def origin(self, at: int) -> int:
        """Where a place of the text stands in the question."""
        return max((pair for pair in self.origins if pair[0] <= at), default=(0, 0))[1]


def read(question: str) -> Phrase:
    """The question as an expression. Raises QuestionError."""
    return _Reader(question).whole()


class _Reader:
    def __init__(self, question: str) -> None:
        self.question = question
        if len(question) > MAX_LENGTH:
            self.question = question[:MAX_LENGTH]
            raise self.fail(MAX_LENGTH, f"a question has at most {MAX_LENGTH} characters", SUCH_AS)
        lead = _LEAD.match(question.lower())
        self.tokens = [_Token(found) for found in _TOKEN.finditer(question, lead.end() if lead else 0)]
        self.place = 0
        self.open: list[str] = []  # the brackets around this place: the function before each, or nothing
        self.phrase = Phrase()
        self.known = _KNOWN | {after.text for word, after in pairwise(self.tokens) if word.text == "for"}
        self.tests = any(token.text in ("==", "!=", "<=", ">=", "<", ">") for token in self.tokens)
        if not self.tokens:
            raise self.fail(len(question), "there is no question", SUCH_AS)

    # --- tokens

    def fail(self, at: int, message: str, hint: str = "") -> QuestionError:
        return QuestionError(self.question, at, message, hint)

    def peek(self, ahead: int = 0) -> _Token | None:
        where = self.place + ahead
        return self.tokens[where] if 0 <= where < len(self.tokens) else None

    def text(self, ahead: int = 0) -> str:
        token = self.peek(ahead)
        return token.text.lower() if token and token.kind == "word" else token.text if token else ""

    def kind(self, ahead: int = 0) -> str:
        token = self.peek(ahead)
        return token.kind if token else ""

    @property
    def at(self) -> int:
        """Where the next token stands, or the end."""
        token = self.peek()
        return token.at if token else len(self.question)

    def said(self, words: tuple[str, ...], ahead: int = 0) -> bool:
        return all(self.text(ahead + step) == word for step, word in enumerate(words))

    def bound(self, ahead: int = 0) -> tuple[str, ...] | None:
        return next((words for words in _BOUNDS if self.said(words, ahead)), None)

    def take(self, kind: str, message: str) -> str:
        if self.kind() != kind:
            raise self.fail(self.at, message, SUCH_AS)
        self.place += 1
        return self.tokens[self.place - 1].text

    # --- the question

    def whole(self) -> Phrase:
        """A bound before its dice, or an expression."""
        origin, words = self.at, self.bound()
        sign = _BOUNDS[words] if words else _BEYOND.get((self.text(1), self.text(2)), "") * (self.kind() == "number")
        if sign:
            self.place += len(words or ())
            number = self.take("number", "a number must stand here")
            self.place += 0 if words else 2
            self.bounded(f" {sign} {number}", origin)
        else:
            self.expression()
        return self.phrase

    def bounded(self, test: str, origin: int) -> None:
        """What stands after ``at least 10``: the dice, or a face and the dice that may show it."""
        face = self.take("number", "") if self.kind() == "number" else ""
        if self.text() not in _ON:
            raise self.fail(self.at, "say on which dice", "such as: at least 10 on 3d6")
        if self.text() == "in" and not face:
            number = test.rsplit(maxsplit=1)[-1]
            hint = f"for the total write `on` in the place of `in`, for dice that show it: at least 2 {number}s in 5d6"
            raise self.fail(self.at, f"`{number} in` asks for dice that show {number}, and does not say how many", hint)
        self.place += 1
        if face:
            self.phrase.add(f"count({self.hand()}, {face})", origin)
        self.expression()
        self.phrase.add(test, origin)

    def expression(self) -> None:
        """The rest, phrase by phrase; what is none goes as it is to the reader of expressions."""
        while (token := self.peek()) is not None:
            before = self.tokens[self.place - 1].found.end() if self.place else token.at
            if token.at > before and self.phrase.text:
                self.phrase.add(" ", token.at)
            self.one(token)

    def one(self, token: _Token) -> None:
        bound = self.bound()
        if self.text() in _ENDS and self.text(1) != "(":
            self.place += 1
            self.end(_ENDS[token.text.lower()], token.at)
        elif any(self.said(words) for words in _COUNTS):
            self.place += 2
            self.count(token.at)
        elif bound:
            self.place += len(bound)
            self.phrase.add(f"{_BOUNDS[bound]} {self.take('number', 'a number must stand here')}", token.at)
        elif token.kind == "dice":
            self.dice(token.at)
        elif token.kind == "odd":
            raise self.fail(token.at, f"`{token.text}` is neither dice nor a number", SUCH_AS)
        elif token.kind == "word" and token.text not in self.known:
            near = did_you_mean(token.text.lower(), _OFFERED)
            known = token.text.lower() in _OFFERED or not near.startswith("did you mean")
            raise self.fail(token.at, f"`{token.text}` cannot be read here", SUCH_AS if known else near)
        else:
            self.bracket(token)
            self.place += 1
            self.phrase.add(token.text, token.at)

    def bracket(self, token: _Token) -> None:
        if token.text in ("(", "["):
            before = self.text(-1) if self.kind(-1) == "word" else ""
            self.open.append(before if token.text == "(" and before in FUNCTIONS else "")
        elif token.text in (")", "]") and self.open:
            self.open.pop()

    def end(self, high: bool, origin: int) -> None:
        """``highest 2 of 4d6``: the dice that count, after the word."""
        kept = self.take("number", "") if self.kind() == "number" else "1"
        self.place += self.text() in ("die", "dice")
        self.place += self.text() in _ON
        first = self.at
        names = self.hand()
        self.keep(names, high, int(kept), origin, first)

    def keep(self, hand: str, high: bool, kept: int, origin: int, at: int) -> None:
        """The total of the highest or the lowest dice of a hand."""
        dice = sum(self.phrase.dice[name].count for name in hand.split(" + "))
        if not 1 <= kept <= dice:
            raise self.fail(at, f"there are {dice} dice, so {kept} of them cannot count", f"write 1 to {dice}")
        first, last = (1, kept) if high else (dice - kept + 1, dice)
        one = f"{'max' if high else 'min'}({hand})"
        more = f"sum(rank({hand}, i) for i in span({first}, {last}))"
        self.phrase.add(one if kept == 1 else more, origin)

    def count(self, origin: int) -> None:
        """``count of 6 in 5d6``, after its words."""
        face = self.take("number", "say which face is counted")
        if self.text() not in _ON:
            raise self.fail(self.at, "say in which dice", "such as: count of 6 in 5d6")
        self.place += 1
        self.phrase.add(f"count({self.hand()}, {face})", origin)

    # --- dice

    def hand(self) -> str:
        """Dice that must stand here, as a hand: ``4d6``, ``d6 and d8``, ``(d6 + d8)``."""
        inside = self.text() == "("
        self.place += inside
        tokens = self.pool(("+", "and") if inside else ("and",))
        if not tokens:
            raise self.fail(self.at, "dice must stand here", "such as 4d6, or: d6 and d8")
        if inside:
            if self.text() != ")":
                raise self.fail(self.at, "only dice can stand in these brackets", "such as (2d6 + d8)")
            self.place += 1
        return self.named(tokens)

    def pool(self, joins: tuple[str, ...]) -> list[_Token]:
        """Dice with one of the words between them."""
        tokens: list[_Token] = []
        while (token := self.peek(bool(tokens))) and token.kind == "dice" and not token.found["keep"]:
            if tokens and self.text() not in joins:
                break
            self.place += 1 + bool(tokens)
            tokens.append(token)
        return tokens

    def named(self, tokens: list[_Token]) -> str:
        """Dice together, by new names."""
        names = []
        for token in tokens:
            count, sides = int(token.found["count"] or 1), int(token.found["sides"].replace("%", "100"))
            if not (1 <= count <= MAX_DICE and 1 <= sides <= MAX_SIDES):
                message = f"{token.text}: a roll has 1 to {MAX_DICE} dice of a kind, with 1 to {MAX_SIDES} sides"
                raise self.fail(token.at, message)
            names.append(self.phrase.name(Dice(count, sides)))
        return " + ".join(names)

    def dice(self, origin: int) -> None:
        """Dice in an expression: a hand where one is wanted, else their total."""
        start, found = self.place, self.tokens[self.place].found
        if found["keep"]:
            self.place += 1
            hand, kept, drops = self.named([_Token(found)]), int(found["kept"]), found["keep"][0] == "d"
            kept = self.phrase.dice[hand].count - kept if drops else kept
            self.keep(hand, found["keep"] in ("k", "kh", "dl"), kept, origin, origin)
            return
        together = self.pool(("+", "and"))
        if self.wants_hand(start):
            self.phrase.add(self.named(together), origin)
            return
        self.place = start
        self.phrase.add(f"sum({self.named(self.pool(() if self.tests else ('and',)))})", origin)

    def wants_hand(self, start: int) -> bool:
        """Whether dice from ``start`` to here are an argument that can be a hand, or are looked into."""
        before = self.tokens[start - 1].text if start else ""
        after = [self.text(ahead) for ahead in range(3 + (self.text() == "not")) if self.text(ahead) != "not"]
        if before == "in" or after[:2] in (["==", "["], ["!=", "["]) or after == ["in", "[", "["]:
            return True
        function = self.open[-1] if before == "(" and self.open else ""
        several = self.text() == "," and function in ("min", "max")
        return bool(function) and function not in _NUMBERS_ONLY and not several and self.text() in (")", ",")
