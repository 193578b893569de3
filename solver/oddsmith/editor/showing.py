"""The meaning of a word, in Markdown: the signature of a function, the description of a key, or the definition of a
name.
"""

from __future__ import annotations

from oddsmith.base.exact import plain_text
from oddsmith.base.location import Location
from oddsmith.editor.allowed import Subschema, first_described_subschema
from oddsmith.editor.reading import YamlNode
from oddsmith.editor.uses import KnownName, NameIndex, Use
from oddsmith.expr import BUILTINS, FUNCTIONS

MAX_DEFINITION_LINES = 8  # of a definition, at most
_WHAT = {
    "phase": "a phase", "entry": "an entry of the phase", "policy": "a policy", "payoff": "a payoff",
    "variant": "a house rule", "measure": "a question", "local": "a name of a roll, a loop, a let or an argument",
}  # fmt: skip
_BUILTINS = {
    "seats": "How many there are.",
    "mover": "The seat whose turn it is; in `at_end` the one that moved last.",
    "seat": "The seat in question: the mover, except in `for` over seats, `out_when` and payoffs.",
    "next": "The mover's neighbour still in, in play order; the mover if nobody else is in.",
    "previous": "The mover's neighbour still in, against play order; the mover if nobody else is in.",
    "everyone": "The seats still in, in play order from `seat`.",
    "others": "The seats still in, in play order, without `seat`.",
    "table": "All seats, in or out, in play order from `seat`.",
}


def hover_text(index: NameIndex, line: int, column: int) -> str:
    """Return the text to show for the word at a place (from 1); empty if there is none."""
    use = index.use_at(line, column)
    if use is not None and use.kind != "local":
        return use_description(index, use)
    text = index.parsed.source.lines[line - 1] if line <= len(index.parsed.source.lines) else ""
    place = _innermost_node_at(index, line, column)
    word = _word_at(text, column - 1)
    if place is None or not place.is_key:
        said = builtin_description(word)
        if said:
            return said
    if use is not None:
        return use_description(index, use)
    if place is None:
        return ""
    subschema = first_described_subschema(index.subschemas_at(place.path))
    return key_description(str(place.path[-1]), subschema) if subschema and isinstance(place.path[-1], str) else ""


def key_description(key: str, subschema: Subschema) -> str:
    """Return the description of a key in Markdown, with up to two examples. ``subschema``: the subschema for its
    value.
    """
    examples = [f"```yaml\n{key}: {plain_text(example)}\n```" for example in subschema.get("examples", [])[:2]]
    return "\n\n".join([f"**{key}**", str(subschema.get("description", "")), *examples])


def builtin_description(word: str) -> str:
    """Return the signature of a function, or the meaning of a predefined name; empty for other words."""
    if word in FUNCTIONS:
        function = FUNCTIONS[word]
        more = f"\n\nFor an empty list: `{word}(..., default=0)`." if function.default else ""
        return f"```python\n{function.signature}\n```{more}"
    kind = next((str(type_) for name, type_ in BUILTINS.items() if name == word), "")
    return f"**{word}** ({kind})\n\n{_BUILTINS[word]}" if word in BUILTINS else ""


def known_name_description(index: NameIndex, known: KnownName) -> str:
    """Describe a name that the file defines: its kind, the author's sentence about it, and the lines of its definition."""
    head = f"**{known.use.name}**, a {known.what} (line {known.use.location.line})"
    return "\n\n".join(
        part for part in (head, known.author_sentence, _definition_excerpt(index, known.use.location)) if part
    )


def use_description(index: NameIndex, use: Use) -> str:
    """Describe what a name in the file stands for."""
    if use.kind == "name":
        return known_name_description(index, index.known_names[use.name])
    first = next((each for each in index.uses if each.reference_key == use.reference_key and each.defines), None)
    where = f" (line {first.location.line})" if first else ""
    owner = f" {use.owner}" if use.kind == "entry" else ""
    return "\n\n".join(
        [
            f"**{use.name}**, {_WHAT[use.kind]}{owner}{where}",
            *([_definition_excerpt(index, first.location)] if first else []),
        ]
    )


def _definition_excerpt(index: NameIndex, location: Location) -> str:
    """Return the lines of a definition: its first line, and the following lines that are indented further."""
    lines = index.parsed.source.lines[location.line - 1 :]
    margin = len(lines[0]) - len(lines[0].lstrip())
    kept = [lines[0]]
    for line in lines[1:]:
        if not line.strip() or len(line) - len(line.lstrip()) <= margin:
            break
        kept.append(line)
    more = ["..."] if len(kept) > MAX_DEFINITION_LINES else []
    return "\n".join(["```yaml", *(line[margin:] for line in kept[:MAX_DEFINITION_LINES]), *more, "```"])


def _innermost_node_at(index: NameIndex, line: int, column: int) -> YamlNode | None:
    """Return the innermost key or value that contains a place; None if there is none."""
    found = None
    for place in index.parsed.walk():
        here = place.node.location
        if here.until and (here.line, here.column) <= (line, column) <= here.until:
            found = place
    return found


def _word_at(line_text: str, char_index: int) -> str:
    """Return the word of a line that contains the character with index ``char_index``, or that ends before it."""
    start = end = char_index
    while start > 0 and (line_text[start - 1].isalnum() or line_text[start - 1] == "_"):
        start -= 1
    while end < len(line_text) and (line_text[end].isalnum() or line_text[end] == "_"):
        end += 1
    return line_text[start:end]
