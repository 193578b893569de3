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
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from string import ascii_letters
from types import MappingProxyType
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

    ``farthest_offset``: the farthest index that parsing reached; ``expected``: the words or signs that the grammar
    allows there.
    """

    text: str
    memo: dict[tuple[str, int], Parsed] = field(default_factory=dict)
    farthest_offset: int = 0
    expected: dict[str, None] = field(default_factory=dict)

    def record_expected(self, offset: int, expected_text: str) -> None:
        """Record that ``expected_text`` was expected at the index ``offset``, unless parsing reached a farther index."""
        if offset > self.farthest_offset:
            self.farthest_offset, self.expected = offset, {}
        if offset == self.farthest_offset and expected_text:
            self.expected[expected_text] = None


class Grammar:
    """A grammar: parsing functions by the names of their rules.

    ``text``: the rules. ``case_sensitive``: whether letters match only in the same case. ``arities``: for the first
    words of some templates, such as ``keep`` or ``@list keep``, the number of parts that must follow.
    """

    def __init__(
        self, text: str, *, case_sensitive: bool = False, arities: Mapping[str, int] = MappingProxyType({})
    ) -> None:
        self.rules: dict[str, Element] = {}
        self.arities = arities
        said = [found["word"][1:-1] for found in _tokens(text) if found["word"]]
        self.words = {word.lower() for words in said for word in words.split()}
        self.flags = re.NOFLAG if case_sensitive else re.IGNORECASE
        starts = [*_RULE.finditer(text)]
        for place, start in enumerate(starts):
            end = starts[place + 1].start() if place + 1 < len(starts) else len(text)
            assert start[1] not in self.rules, f"the rule {start[1]} stands twice"
            self.rules[start[1]] = self._memoized(
                start[1], _Compiler(self, text[start.end() : end]).compile_alternatives()
            )

    def _memoized(self, name: str, element: Element) -> Element:
        def parse_with_memo(state: _ParseState, offset: int) -> Parsed:
            key = (name, offset)
            if key not in state.memo:
                state.memo[key] = None  # a rule that begins with itself fails instead of going round
                state.memo[key] = element(state, offset)
            return state.memo[key]

        return parse_with_memo

    @staticmethod
    def words_of(text: str) -> Iterator[re.Match[str]]:
        """Yield the matches of the words in a text."""
        return _WORD.finditer(text)

    def parse(self, text: str, rule: str) -> Any:
        """Return the value of a whole text, parsed by the rule with the name ``rule``.

        Raises NotParsed if the rule does not match the whole text.
        """
        state = _ParseState(text)
        found = self.rules[rule](state, _skip_space(text, 0))
        if found is not None and found[0] == len(text):
            return found[1]
        if found is not None:
            state.record_expected(found[0], "")
        raise NotParsed(state.farthest_offset, list(state.expected))


def _skip_space(text: str, offset: int) -> int:
    match = _SPACE.match(text, offset)
    return match.end() if match else offset


class _Compiler:
    """Compiles the text of one rule of a grammar into a function that parses texts by this rule."""

    def __init__(self, grammar: Grammar, text: str) -> None:
        self.grammar = grammar
        self.tokens = [*_tokens(text)]
        self.token_index = 0

    def peek_token(self) -> str:
        return self.tokens[self.token_index][0] if self.token_index < len(self.tokens) else ""

    def take_token(self) -> re.Match[str]:
        self.token_index += 1
        return self.tokens[self.token_index - 1]

    def compile_alternatives(self) -> Element:
        found = [self.compile_sequence()]
        while self.peek_token() == "/":
            self.token_index += 1
            found.append(self.compile_sequence())
        if len(found) == 1:
            return found[0]

        def parse_alternatives(state: _ParseState, offset: int) -> Parsed:
            for each in found:
                if (parsed := each(state, offset)) is not None:
                    return parsed
            return None

        return parse_alternatives

    def compile_sequence(self) -> Element:
        parts: list[tuple[str, bool, Element]] = []  # the label, whether it has a value of its own, and what reads it
        while self.peek_token() not in ("", "/", ")", "->"):
            label = ""
            if self.tokens[self.token_index].lastgroup == "label":
                label = self.take_token()[0][:-1]
            silent = self.tokens[self.token_index].lastgroup in ("word", "sign") or self.peek_token() in ("_", "&", "!")
            parts.append((label, not silent, self.compile_repeated()))
        template = None
        if self.peek_token() == "->":
            self.token_index += 1
            template = self.compile_template()

        named = [(label or str(place), part) for place, (label, _, part) in enumerate(parts)]
        labels = [label for label, _, _ in parts if label]
        own = labels or [str(place) for place, (_, valued, _) in enumerate(parts) if valued]

        def parse_sequence(state: _ParseState, offset: int) -> Parsed:
            start, values = offset, dict[str, Any]()
            for name, part in named:
                parsed = part(state, offset)
                if parsed is None:
                    return None
                offset, values[name] = parsed
            if template is not None:
                return offset, template(values, start, state.text[start:offset])
            return offset, values[own[0]] if own else state.text[start:offset].strip()

        return parse_sequence

    def compile_repeated(self) -> Element:
        if self.peek_token() in ("&", "!"):
            wanted = self.take_token()[0] == "&"
            inner = self.compile_repeated()

            def parse_lookahead(state: _ParseState, offset: int) -> Parsed:
                far, expected = state.farthest_offset, state.expected
                state.expected = dict(expected)
                parsed = inner(state, offset)
                state.farthest_offset, state.expected = far, expected
                return (offset, "") if (parsed is not None) == wanted else None

            return parse_lookahead
        element = self.compile_element()
        if self.peek_token() == "?":
            self.token_index += 1

            def parse_optional(state: _ParseState, offset: int) -> Parsed:
                return element(state, offset) or (offset, None)

            return parse_optional
        if self.peek_token() in ("*", "+"):
            least = self.take_token()[0] == "+"

            def parse_repetition(state: _ParseState, offset: int) -> Parsed:
                values = []
                while (parsed := element(state, offset)) is not None and parsed[0] > offset:
                    offset = parsed[0]
                    values.append(parsed[1])
                return (offset, values) if len(values) >= least else None

            return parse_repetition
        return element

    def compile_element(self) -> Element:
        token = self.take_token()
        text = token[0]
        if text == "(":
            inner = self.compile_alternatives()
            self.token_index += 1  # the closing bracket
            return inner
        if token.lastgroup == "word":
            words = text[1:-1]
            pattern = r"[\s-]*".join(map(re.escape, words.split())) + r"(?!\w)\s*"
            return self.compile_terminal(re.compile(pattern, self.grammar.flags), words, words)
        if token.lastgroup == "sign":
            return self.compile_terminal(re.compile(re.escape(text[1:-1]) + r"\s*"), text[1:-1], text[1:-1])
        if token.lastgroup == "regex":
            return self.compile_terminal(re.compile(text[1:-1].replace(r"\~", "~"), self.grammar.flags), "", None)
        if text == "_":
            return lambda run, offset: (_skip_space(run.text, offset), "")
        return lambda run, offset: self.grammar.rules[text](run, offset)  # noqa: PLW0108 - the rule may stand further down

    def check_arity(self, first_words: str, part_count: int) -> None:
        """Fail if a template with these first words must have another number of parts after them."""
        wanted = self.grammar.arities.get(first_words, part_count)
        assert part_count == wanted, f"({first_words} ...) has {part_count} parts after it, and not {wanted}"

    @staticmethod
    def compile_terminal(pattern: re.Pattern[str], expected_text: str, value: str | None) -> Element:
        match = pattern.match

        def parse_terminal(state: _ParseState, offset: int) -> Parsed:
            found = match(state.text, offset)
            if found is None:
                state.record_expected(offset, expected_text)
                return None
            return found.end(), found[pattern.groups] if value is None else value

        return parse_terminal

    def compile_template(self) -> Callable[[dict[str, Any], int, str], Any]:
        token = self.take_token()
        text = token[0]
        if text == "(":
            name, first_part = self.take_token()[0], self.peek_token()
            parts: list[tuple[bool, Callable[[dict[str, Any], int, str], Any]]] = []
            while self.peek_token() != ")":
                part = self.compile_template()
                spread = self.peek_token() == "..."
                self.token_index += spread
                parts.append((spread, part))
            self.token_index += 1
            if not any(spread for spread, _ in parts):
                self.check_arity(name, len(parts))
                self.check_arity(f"{name} {first_part}", len(parts) - 1)

            def build_node(values_by_label: dict[str, Any], offset: int, source_text: str) -> Any:
                made = list[Any]()
                for spread, part in parts:
                    value = part(values_by_label, offset, source_text)
                    made.extend(value) if spread else made.append(value)
                if name in ("@list", "@l"):
                    return made
                if name.startswith("$"):
                    return [values_by_label[name[1:]], offset, *made]
                return _fold_left(offset, *made) if name == "@left" else [name, offset, *made]

            return build_node
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


def _fold_left(offset: int, first_operand: Any, operations: Sequence[Sequence[Any]]) -> Any:
    """Return a chain of operations as nodes nested to the left: ``a - b - c`` becomes ``(- (- a b) c)``.

    ``first_operand``: the first operand; ``operations``: the operators, each with its right operand.
    """
    for op, right in operations:
        first_operand = [op, offset, first_operand, right]
    return first_operand


def is_node(item: Any) -> bool:
    """Return whether a value is a node: a list that begins with an operator and a place."""
    return isinstance(item, list) and len(item) > 1 and isinstance(item[0], str) and isinstance(item[1], int)


def replace_node(tree: Any, old: Node, new: Node) -> Any:
    """Return the tree with the node ``old`` replaced by ``new``. ``old`` is recognized by identity."""
    if tree is old:
        return new
    return [replace_node(each, old, new) for each in tree] if isinstance(tree, list) else tree


def walk_nodes(node: Any) -> Iterator[Node]:
    """Yield a node and all nodes below it, from the outside in."""
    if isinstance(node, list):
        if is_node(node):
            yield node
        for each in node:
            yield from walk_nodes(each)
