"""A parser for parsing expression grammars (Ford, POPL 2004). JavaScript code reads the same grammar files.

Each rule of a grammar file begins at the start of a line; its continuation lines are indented::

    sum  = first:term rest:(op:~[-+]~ _ right:term -> (@list $op $right))* -> (@left $first $rest)
    term = 'the highest of' term -> (max $0) / n:~\\d+~ _ -> (n $n)

``'words'`` match whole words in any case, with or without spaces or hyphens between them. ``"signs"`` match exactly.
Both also consume the spaces that follow. ``'a|b'`` is short for ``'a' / 'b'``. ``~...~`` is a regular expression, whose
value is its last group if it has one. In a grammar that is ``cased``, letters match only in the same case. ``*``, ``+``
and ``?`` repeat the element before them. ``&`` and ``!`` look ahead. ``name:`` binds the value of an element to a name.
The template for the value of an alternative follows ``->``. ``(op $a $b...)`` is the list ``[op, place, a, *b]``, in
which ``place`` is the index in the text where the alternative begins; in ``($op ...)``, the operator is the value bound
to ``op``. ``@list`` or ``@l`` leaves out the operator and the place, ``@left`` folds repetitions to the left, and
``@text`` is the text that was read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from string import ascii_letters
from typing import Any

from oddsmith.base.errors import Signal

Node = list[Any]
"""A node of a syntax tree: its operator, the index in the text at which it begins, and its arguments."""
_TOKEN = re.compile(
    r"\s+|#[^\n]*|(?P<arrow>->)|(?P<word>'[^'\n]+')|(?P<sign>\"[^\"\n]+\")|(?P<regex>~(?:\\~|[^~\n])*~)"
    r"|(?P<label>[A-Za-z_]\w*:)|(?P<name>\$?@?[A-Za-z_]\w*|\$\d)|(?P<dots>\.\.\.)|(?P<literal>-?\d+|[<>=]=|[<>])|(?P<mark>[/()*+?&!=]|[^\s])"
)
_RULE = re.compile(r"^([A-Za-z_]\w*)\s*=", re.MULTILINE)
_APART = re.compile(r"\w\w|-\d|[<>=!]=|\.\.")
"""Matches the last character of a token and the first of the next token if a space must separate the two tokens."""
_WORD = re.compile(r"(?<![\w%])(?!d\d)[A-Za-z_]\w*")
_SPACE = re.compile(r"\s*")

Parsed = tuple[int, Any] | None
"""The index after the text that was read, and its value; None if the text cannot be read."""
Element = Callable[["_ParseState", int], Parsed]


class NotParsed(Signal):
    """A text that a grammar cannot read.

    ``offset``: the farthest index that parsing reached; ``expected``: the words or signs that the grammar allows there.
    """

    def __init__(self, offset: int, expected: Sequence[str]) -> None:
        super().__init__(offset)
        self.offset = offset
        self.expected = list(expected)


@dataclass
class _ParseState:
    """The state of one parse. ``memo``: the results by rule and index.

    ``far``: the farthest index that parsing reached; ``expected``: the words or signs that the grammar allows there.
    """

    text: str
    memo: dict[tuple[str, int], Parsed] = field(default_factory=dict)
    far: int = 0
    expected: dict[str, None] = field(default_factory=dict)

    def record_expected(self, offset: int, what: str) -> None:
        """Record that ``what`` was expected at the index ``offset``, unless parsing reached a farther index."""
        if offset > self.far:
            self.far, self.expected = offset, {}
        if offset == self.far and what:
            self.expected[what] = None


class Grammar:
    """A grammar: parsing functions by the names of their rules.

    ``text``: the rules. ``cased``: whether letters match only in the same case.
    """

    def __init__(self, text: str, *, cased: bool = False) -> None:
        self.rules: dict[str, Element] = {}
        said = [found["word"][1:-1] for found in _tokens(text) if found["word"]]
        self.words = {word.lower() for words in said for word in words.split()}
        self.flags = re.NOFLAG if cased else re.IGNORECASE
        starts = [*_RULE.finditer(text)]
        for place, start in enumerate(starts):
            end = starts[place + 1].start() if place + 1 < len(starts) else len(text)
            assert start[1] not in self.rules, f"the rule {start[1]} stands twice"
            self.rules[start[1]] = self._memoized(start[1], _Compiler(self, text[start.end() : end]).alternatives())

    def _memoized(self, name: str, element: Element) -> Element:
        def read(run: _ParseState, offset: int) -> Parsed:
            key = (name, offset)
            if key not in run.memo:
                run.memo[key] = None  # a rule that begins with itself fails instead of going round
                run.memo[key] = element(run, offset)
            return run.memo[key]

        return read

    @staticmethod
    def words_of(text: str) -> Iterator[re.Match[str]]:
        """Yield the matches of the words in a text."""
        return _WORD.finditer(text)

    def parse(self, text: str, rule: str) -> Any:
        """Return the value of a whole text, parsed by the rule with the name ``rule``.

        Raises NotParsed if the rule does not match the whole text.
        """
        run = _ParseState(text)
        found = self.rules[rule](run, _skip_space(text, 0))
        if found is not None and found[0] == len(text):
            return found[1]
        if found is not None:
            run.record_expected(found[0], "")
        raise NotParsed(run.far, list(run.expected))


def _skip_space(text: str, offset: int) -> int:
    match = _SPACE.match(text, offset)
    return match.end() if match else offset


class _Compiler:
    """Compiles the text of one rule of a grammar into a function that parses texts by this rule."""

    def __init__(self, grammar: Grammar, text: str) -> None:
        self.grammar = grammar
        self.tokens = [*_tokens(text)]
        self.place = 0

    def peek(self) -> str:
        return self.tokens[self.place][0] if self.place < len(self.tokens) else ""

    def take(self) -> re.Match[str]:
        self.place += 1
        return self.tokens[self.place - 1]

    def alternatives(self) -> Element:
        found = [self.sequence()]
        while self.peek() == "/":
            self.place += 1
            found.append(self.sequence())
        if len(found) == 1:
            return found[0]

        def read(run: _ParseState, offset: int) -> Parsed:
            for each in found:
                if (parsed := each(run, offset)) is not None:
                    return parsed
            return None

        return read

    def sequence(self) -> Element:
        parts: list[tuple[str, bool, Element]] = []  # the label, whether it has a value of its own, and what reads it
        while self.peek() not in ("", "/", ")", "->"):
            label = ""
            if self.tokens[self.place].lastgroup == "label":
                label = self.take()[0][:-1]
            silent = self.tokens[self.place].lastgroup in ("word", "sign") or self.peek() in ("_", "&", "!")
            parts.append((label, not silent, self.repeated()))
        template = None
        if self.peek() == "->":
            self.place += 1
            template = self.template()

        named = [(label or str(place), part) for place, (label, _, part) in enumerate(parts)]
        labels = [label for label, _, _ in parts if label]
        own = labels or [str(place) for place, (_, valued, _) in enumerate(parts) if valued]

        def read(run: _ParseState, offset: int) -> Parsed:
            start, values = offset, dict[str, Any]()
            for name, part in named:
                parsed = part(run, offset)
                if parsed is None:
                    return None
                offset, values[name] = parsed
            if template is not None:
                return offset, template(values, start, run.text[start:offset])
            return offset, values[own[0]] if own else run.text[start:offset].strip()

        return read

    def repeated(self) -> Element:
        if self.peek() in ("&", "!"):
            wanted = self.take()[0] == "&"
            inner = self.repeated()

            def look(run: _ParseState, offset: int) -> Parsed:
                far, expected = run.far, run.expected
                run.expected = dict(expected)
                parsed = inner(run, offset)
                run.far, run.expected = far, expected
                return (offset, "") if (parsed is not None) == wanted else None

            return look
        element = self.element()
        if self.peek() == "?":
            self.place += 1

            def optional(run: _ParseState, offset: int) -> Parsed:
                return element(run, offset) or (offset, None)

            return optional
        if self.peek() in ("*", "+"):
            least = self.take()[0] == "+"

            def many(run: _ParseState, offset: int) -> Parsed:
                values = []
                while (parsed := element(run, offset)) is not None and parsed[0] > offset:
                    offset = parsed[0]
                    values.append(parsed[1])
                return (offset, values) if len(values) >= least else None

            return many
        return element

    def element(self) -> Element:
        token = self.take()
        text = token[0]
        if text == "(":
            inner = self.alternatives()
            self.place += 1  # the closing bracket
            return inner
        if token.lastgroup == "word":
            words = text[1:-1]
            pattern = r"[\s-]*".join(map(re.escape, words.split())) + r"(?!\w)\s*"
            return self.terminal(re.compile(pattern, self.grammar.flags), words, words)
        if token.lastgroup == "sign":
            return self.terminal(re.compile(re.escape(text[1:-1]) + r"\s*"), text[1:-1], text[1:-1])
        if token.lastgroup == "regex":
            return self.terminal(re.compile(text[1:-1].replace(r"\~", "~"), self.grammar.flags), "", None)
        if text == "_":
            return lambda run, offset: (_skip_space(run.text, offset), "")
        return lambda run, offset: self.grammar.rules[text](run, offset)  # noqa: PLW0108 - the rule may stand further down

    @staticmethod
    def terminal(pattern: re.Pattern[str], what: str, value: str | None) -> Element:
        match = pattern.match

        def read(run: _ParseState, offset: int) -> Parsed:
            found = match(run.text, offset)
            if found is None:
                run.record_expected(offset, what)
                return None
            return found.end(), found[pattern.groups] if value is None else value

        return read

    def template(self) -> Callable[[dict[str, Any], int, str], Any]:
        token = self.take()
        text = token[0]
        if text == "(":
            name = self.take()[0]
            parts: list[tuple[bool, Callable[[dict[str, Any], int, str], Any]]] = []
            while self.peek() != ")":
                part = self.template()
                spread = self.peek() == "..."
                self.place += spread
                parts.append((spread, part))
            self.place += 1

            def build(values: dict[str, Any], offset: int, source: str) -> Any:
                made = list[Any]()
                for spread, part in parts:
                    value = part(values, offset, source)
                    made.extend(value) if spread else made.append(value)
                if name in ("@list", "@l"):
                    return made
                if name.startswith("$"):
                    return [values[name[1:]], offset, *made]
                return _fold_left(offset, *made) if name == "@left" else [name, offset, *made]

            return build
        if text.startswith("$"):
            return lambda values, offset, source: values[text[1:]]
        if text == "@text":
            return lambda values, offset, source: source.strip()
        literal = text[1:-1] if token.lastgroup in ("word", "sign") else text
        return lambda values, offset, source: None if literal == "null" else literal


def _tokens(text: str) -> Iterator[re.Match[str]]:
    """Yield the tokens of a rule. A word with bars is expanded to alternatives: 'a|b' to 'a' / 'b'."""
    for found in _TOKEN.finditer(text):
        if found["word"] and "|" in found[0]:
            yield from _TOKEN.finditer(found[0].replace("|", "'/'"))
        elif found.lastgroup:
            yield found


def shortest_grammar(text: str) -> str:
    """Return a shorter grammar that parses the same texts, because browsers load it.

    Comments and needless spaces are left out, and words that are alternatives are joined by bars. Values, and rules to
    which other rules refer, receive short names; those that are used most receive the shortest names.
    """
    starts = [*_RULE.finditer(text)]
    ends = [*(each.start() for each in starts[1:]), len(text)]
    rules = {
        start[1]: [each for each in _TOKEN.finditer(text, start.end(), end) if each.lastgroup]
        for start, end in zip(starts, ends, strict=True)
    }
    used = Counter(found[0] for tokens in rules.values() for found in _rule_references(tokens))
    short = _short_names((name for name, _ in used.most_common() if name in rules), rules)
    labels = Counter(found[0][:-1] for tokens in rules.values() for found in tokens if found.lastgroup == "label")
    values = _short_names((name for name, _ in labels.most_common()), ())
    short |= {f"{name}:": f"{value}:" for name, value in values.items()}
    short |= {f"${name}": f"${value}" for name, value in values.items()} | {"@list": "@l"}
    made = list[str]()
    for name, tokens in rules.items():
        rule, uses = f"{short.get(name, name)}=", _rule_references(tokens)
        for found in tokens:
            if found.lastgroup == "word" and rule.endswith("'/"):
                rule = f"{rule[:-2]}|{found[0][1:]}"
                continue
            renamed = found in uses or found.lastgroup == "label" or found[0][0] in "$@"
            word = short.get(found[0], found[0]) if renamed else found[0]
            rule += f" {word}" if _APART.fullmatch(rule[-1] + word[0]) else word
        made.append(rule)
    return "\n".join(made)


def _short_names(names: Iterable[str], taken: Container[str]) -> dict[str, str]:
    """Return a short name for each of the given names. No short name is in ``taken``."""
    made = (first + second for first in ("", *ascii_letters) for second in ascii_letters)
    return dict(zip(names, (each for each in made if each not in taken), strict=False))


def _rule_references(tokens: Sequence[re.Match[str]]) -> list[re.Match[str]]:
    """Return the tokens of a rule that are names of other rules."""
    found, depth, template = list[re.Match[str]](), 0, False
    for token in tokens:
        if template:
            depth += {"(": 1, ")": -1}.get(token[0], 0)
            template = depth > 0
        elif token.lastgroup == "arrow":
            template = True
        elif token.lastgroup == "name" and token[0] != "_":
            found.append(token)
    return found


def _fold_left(offset: int, first: Any, rest: Sequence[Sequence[Any]]) -> Any:
    """Return a chain of operations as nodes nested to the left: ``a - b - c`` becomes ``(- (- a b) c)``.

    ``first``: the first operand; ``rest``: the operators, each with its right operand.
    """
    for op, right in rest:
        first = [op, offset, first, right]
    return first


def is_node(item: Any) -> bool:
    """Return whether a value is a node: a list that begins with an operator and a place."""
    return isinstance(item, list) and len(item) > 1 and isinstance(item[0], str) and isinstance(item[1], int)


def replace_node(node: Any, old: Node, new: Node) -> Any:
    """Return the tree with the node ``old`` replaced by ``new``. ``old`` is recognized by identity."""
    if node is old:
        return new
    return [replace_node(each, old, new) for each in node] if isinstance(node, list) else node


def walk(node: Any) -> Iterator[Node]:
    """Yield a node and all nodes below it, from the outside in."""
    if isinstance(node, list):
        if is_node(node):
            yield node
        for each in node:
            yield from walk(each)
