"""Check a ruleset against the JSON Schema. Errors have a location, and their words are for game masters."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from difflib import get_close_matches
from functools import cache
from typing import Any

from jsonschema import Draft7Validator, validators
from jsonschema.exceptions import ValidationError

from oddsmith.base.errors import Problem, did_you_mean
from oddsmith.base.exact import plain_text
from oddsmith.base.location import Location
from oddsmith.base.resources import SCHEMA, schema_text
from oddsmith.expr import SEAT_HINT
from oddsmith.ruleset.reading.effects import hint_for_unknown_effect
from oddsmith.ruleset.reading.format import UPGRADES
from oddsmith.ruleset.reading.other_words import INSTEAD, meaning_of_unknown_key
from oddsmith.ruleset.reading.phases import hint_to_write_cases
from oddsmith.ruleset.reading.source import CUT_TEXT_HINT, Node, hint_for_misread_scalar

_TYPES = {
    "object": "a map of keys", "array": "a list", "string": "text", "integer": "a whole number", "number": "a number",
    "boolean": "true or false",
}  # fmt: skip

_BODIES = {"roll", "draw", "choose", "choose_together", "cases", "outcomes", "then", "do"}


@cache
def ruleset_schema() -> dict[str, Any]:
    """Return the JSON Schema of rulesets in format 1, as plain data."""
    return dict(json.loads(schema_text(SCHEMA)))


def schema_violations(root: Node) -> list[Problem]:
    """Return every structural error of a file, in the order of the file. For a file of another format, only the error
    about its format is returned.
    """
    data = root.data()
    if other := _unknown_format_problem(root, data.get("format")):
        return [other]
    found = {
        problem for error in _Whole(ruleset_schema()).iter_errors(data) for problem in _problems_of_error(error, root)
    }
    return sorted(found, key=lambda problem: (problem.location, problem.message))


def _unknown_format_problem(root: Node, format_number: Any) -> Problem | None:
    ours = ruleset_schema()["properties"]["format"]["const"]
    if type(format_number) is not int or not (format_number > ours or format_number in UPGRADES):
        return None
    age = "a newer" if format_number > ours else "an older"
    message = f"this file is of {age} Oddsmith: it has format {format_number}, and this program reads format {ours}"
    hint = f"`pipx upgrade oddsmith` gets the newest one; if you write for this one, write `format: {ours}`"
    if format_number < ours:
        hint = "`oddsmith check --upgrade` rewrites it"
    return Problem("OD204", root.value["format"].location, message, hint)


def _pattern_errors(_: Any, pattern: str, text: object, __: Any) -> Iterator[ValidationError]:
    """Yield an error unless a text matches a pattern. In the pattern ``$`` is the very end of the text; in Python it
    also matches before a final line break.
    """
    end = r"\Z" if pattern.endswith("$") else ""
    if isinstance(text, str) and not re.search(pattern.removesuffix("$") + end, text):
        yield ValidationError(f"{text!r} does not match {pattern!r}")


_Whole: Any = validators.extend(Draft7Validator, {"pattern": _pattern_errors})  # type: ignore[no-untyped-call]


def _problems_of_error(error: ValidationError, root: Node) -> Iterator[Problem]:
    node, key = root.node_and_key_at(list(error.absolute_path))
    where = key.location if key is not None else node.location
    if called := _misnamed_key_and_meaning(error, root):
        place, given, meant = called
        yield Problem("OD201", place, f"there is no key `{given}`", INSTEAD[meant])
        return
    if wrong := _misspelt_phase_key_and_correction(error, node):
        given, body = wrong
        yield Problem(
            "OD201",
            node.keys[given].location,
            f"unknown key `{given}`{_location_in_words(error)}",
            f"did you mean {body}?",
        )
        return
    if node.value == "" and node.is_unquoted:
        yield _nothing_stands_problem(error, where)
        return
    render = _RENDER.get(str(error.validator), _other_problems)
    yield from render(error, node, where)


def _nothing_stands_problem(error: ValidationError, location: Location) -> Problem:
    """Return the problem of a key without a value, or of an empty item of a list. ``location``: that of the key or item."""
    subject, _, rest = _subject_in_words(error).partition(" of ")
    whose = f" of {rest}" if rest else ""
    if isinstance(list(error.absolute_path)[-1], int):
        return Problem("OD203", location, f"{subject}{whose} is empty", "remove the dash, or write something behind it")
    above = error.parent.schema if error.parent and isinstance(error.parent.schema, dict) else {}
    examples = _violated_schema(error).get("examples") or above.get("examples")
    shown = f", such as {_text_below_key(examples[0])}" if examples else ""
    return Problem("OD203", location, f"nothing stands under `{subject}`{whose}", f"write a value{shown}")


def _text_below_key(value: Any) -> str:
    """Return an example of a value as it may stand below its key: the first part of a map or of a list."""
    if isinstance(value, dict):
        name, part = next(iter(value.items()))
        return f"`{name}: {plain_text(part)}`"
    if isinstance(value, list) and value:
        return f"`- {plain_text(value[0])}`"
    return f"`{plain_text(value)}`"


def _misnamed_key_and_meaning(error: ValidationError, root: Node) -> tuple[Location, str, str] | None:
    """Return a key that causes an error because it is a word for another key, or for what the language cannot say: its
    location, its text, and what it means.

    ``CALLED`` has such words. Return None if the error has another cause.
    """
    path = list(error.absolute_path)
    if error.validator == "type" and path and isinstance(error.instance, bool):
        if (meant := meaning_of_unknown_key(path[-1], error.instance)) in ("seen_by", "choose_together"):
            return root.node_and_key_at(path[:-1])[0].keys[path[-1]].location, str(path[-1]), meant
        return None
    node, _ = root.node_and_key_at(path)
    known = _violated_schema(error).get("properties", {})
    of_phase = len(path) == 2 and path[0] == "phases"
    if not isinstance(node.value, dict) or not (of_phase or error.validator == "additionalProperties"):
        return None
    for key, value in node.value.items():
        if key not in known and (meant := meaning_of_unknown_key(key, value.value)):
            return node.keys[key].location, key, meant
    return None


def _misspelt_phase_key_and_correction(error: ValidationError, node: Node) -> tuple[str, str] | None:
    """Return a misspelt key of a phase, and the key that the author probably meant: ``choose``, ``cases`` or
    ``outcomes``. Return None if the phase has one of these three keys, or if none of its keys is similar to them.
    """
    path = list(error.absolute_path)
    if len(path) != 2 or path[0] != "phases" or not isinstance(node.value, dict) or _BODIES & node.value.keys():
        return None
    near = {str(key): get_close_matches(str(key), ("choose", "cases", "outcomes"), n=1) for key in node.value}
    near |= {key: ["choose"] for key in ("option", "options") if key in near}
    return next(((key, found[0]) for key, found in near.items() if found), None)


def _violated_schema(error: ValidationError) -> dict[str, Any]:
    """Return the part of the schema that a value violates, given the error."""
    return error.schema if isinstance(error.schema, dict) else {}


def _value_of_violated_keyword(error: ValidationError) -> Any:
    """Return the value of the keyword of the schema that is violated, given the error."""
    return error.validator_value


def path_in_words(error: ValidationError) -> str:
    """Return the path of an error in words, such as ``outcome 2 of throw``."""
    steps = list(error.absolute_path)
    kinds = {"outcomes": "outcome", "choose": "option", "cases": "case", "claims": "claim"}
    words: list[str] = []
    for at, step in enumerate(steps):
        if isinstance(step, int) and at and steps[at - 1] in kinds:
            words[-1:] = [f"{kinds[str(steps[at - 1])]} {step + 1}"]
        elif step not in ("phases", "state") or at == len(steps) - 1:
            words.append(str(step) if not isinstance(step, int) else f"item {step + 1}")
    return " of ".join(reversed(words[-3:]))


def _location_in_words(error: ValidationError) -> str:
    words = path_in_words(error)
    return f" in {words}" if words else ""


def _subject_in_words(error: ValidationError) -> str:
    """Return the subject of an error in words, such as ``max of seats``."""
    return path_in_words(error) or "the ruleset"


def _unknown_key_problems(error: ValidationError, node: Node, location: Location) -> Iterator[Problem]:
    known = list(_violated_schema(error).get("properties", {}))
    for key in node.value:
        if key in known:
            continue
        place = node.keys[key].location
        value = node.value[key].value
        hint = did_you_mean(str(key), known, "keys")
        if key in INSTEAD or (key in _BODIES and "choose_together" in node.value):
            hint = INSTEAD.get(str(key), INSTEAD["choose_together"])
        elif value == "" and node.value[key].is_unquoted:
            hint = f"{hint}; or: {CUT_TEXT_HINT}"
        elif not error.absolute_path and any(node.value[key].get(body) for body in ("roll", "draw", "choose", "cases")):
            hint = "this looks like a phase: indent it so that it stands below `phases:`"
        elif key in ruleset_schema()["properties"] and key not in known and error.absolute_path:
            hint += f"; `{key}` may stand at the left margin: check its indentation"
        elif key in ("else", "then"):
            hint += "; check its indentation"
        yield Problem("OD201", place, f"unknown key `{key}`{_location_in_words(error)}", hint)


def _missing_key_problems(error: ValidationError, node: Node, location: Location) -> Iterator[Problem]:
    for key in _value_of_violated_keyword(error):
        if isinstance(error.instance, dict) and key not in error.instance:
            piece = _violated_schema(error)
            description = _first_sentence(piece.get("properties", {}).get(key, piece))
            hint = description or _first_sentence(ruleset_schema()["definitions"].get(key))
            if key == "if" and "when" in error.instance:
                hint = "write `if:` in place of `when:`: entries have `when`, effects `if`"
            yield Problem("OD202", location, f"the key `{key}` is missing{_location_in_words(error)}", hint)


def _first_sentence(schema_part: Any) -> str:
    """Return the first sentence of the description of a part of the schema; empty if it has none."""
    if isinstance(schema_part, dict) and "$ref" in schema_part and "description" not in schema_part:
        schema_part = ruleset_schema()["definitions"].get(schema_part["$ref"].rpartition("/")[2], {})
    return str(schema_part.get("description", "")).split(". ")[0].rstrip(".") if isinstance(schema_part, dict) else ""


def _type_problems(error: ValidationError, node: Node, location: Location) -> Iterator[Problem]:
    value = _value_of_violated_keyword(error)
    wanted = value if isinstance(value, list) else [value]
    shown = " or ".join(_TYPES[kind] for kind in wanted)
    hint = ""
    if isinstance(node.value, dict | list):
        given = "a map of keys" if isinstance(node.value, dict) else "a list"
        hint = "put the text in quotes" if "string" in wanted and "{" in _value_as_text(node) else ""
        if isinstance(node.value, dict) and list(error.absolute_path)[-2:-1] == ["rows"]:
            hint = "a row for some results stands without a dash: `2-3: Attacks`"
    else:
        raw = node.scalar_text().value
        given, hint = f"`{raw[:60]}`", hint_for_misread_scalar(node)
        if isinstance(node.value, int) and not isinstance(node.value, bool) and wanted == ["string"]:
            seat = _violated_schema(error) == ruleset_schema()["definitions"]["seat_expression"]
            hint = SEAT_HINT if seat else "put the number in quotes"
            if list(error.absolute_path)[-2:-1] == ["one_of"]:
                hint = "a variable is one of some words; a number has `min` and `max`"
        elif isinstance(node.value, Decimal) and "weights" in list(error.absolute_path)[-2:]:
            hint = "weights are whole numbers: multiply them all by the same, so that [0.5, 0.5] becomes [1, 1]"
        elif isinstance(node.value, int) and list(error.absolute_path)[:-1] == ["state"]:
            hint = f"a number also says how high it may go: write {{start: {node.value}, max: ...}}"
    yield Problem(
        "OD203",
        node.location,
        f"{_subject_in_words(error)} must be {shown}, not {given}",
        hint or _examples_in_words(error),
    )


def _examples_in_words(error: ValidationError) -> str:
    """Return the first two examples of a value in the schema, in words; empty if there are none."""
    shown = list(map(plain_text, _violated_schema(error).get("examples", [])[:2]))
    return f"such as {', or '.join(shown)}" if shown else ""


def _value_as_text(node: Node) -> str:
    return node.text.raw if node.text else ""


def _enum_problems(error: ValidationError, node: Node, location: Location) -> Iterator[Problem]:
    allowed = _value_of_violated_keyword(error) if error.validator == "enum" else [_value_of_violated_keyword(error)]
    shown = ", ".join(plain_text(value) for value in allowed)
    near = did_you_mean(str(node.value), [str(value) for value in allowed], "values")
    hint = "" if near.startswith("known") else near  # the message lists them
    if len(allowed) == 1 and not hint and error.absolute_path:
        hint = f"write `{error.absolute_path[-1]}: {plain_text(allowed[0])}`, or leave it out"
    if list(error.absolute_path) == ["format"]:
        hint = "write `format: 1`, without quotes: there has been no other format"
    yield Problem(
        "OD204",
        node.location,
        f"`{_shortened_value_text(node)}` is not allowed{_location_in_words(error)}; allowed: {shown}",
        hint,
    )


def _shortened_value_text(node: Node) -> str:
    if isinstance(node.value, dict | list):
        return "{...}" if isinstance(node.value, dict) else "[...]"
    return node.scalar_text().value[:60]


def _bound_problems(error: ValidationError, node: Node, location: Location) -> Iterator[Problem]:
    words = "at least" if str(error.validator).startswith("min") else "at most"
    counted = {"Items": "items", "Properties": "keys", "Length": "characters"}
    what = next((name for part, name in counted.items() if str(error.validator).endswith(part)), "")
    verb = "have" if what else "be"
    message = f"{_subject_in_words(error)} must {verb} {words} {error.validator_value} {what}".rstrip()
    hint = ""
    if what == "characters" and error.validator_value == 1:
        message = f"text is missing{_location_in_words(error)}"
    elif what == "characters":
        hint = "files are named by it" if list(error.absolute_path) == ["id"] else "name its parts under `define:`"
        message = f"{message}, not {len(str(node.value)):,}"
    else:
        message = f"{message}, not {len(node.value) if what else _shortened_value_text(node)}"
    yield Problem("OD205", node.location, message, hint)


def _pattern_problems(error: ValidationError, node: Node, location: Location) -> Iterator[Problem]:
    place = node.location
    if isinstance(node.value, dict) and not isinstance(error.instance, dict):  # a key: propertyNames
        place = next((key.location for name, key in node.keys.items() if name == error.instance), location)
    shown = str(error.instance)[:60]
    if error.schema is ruleset_schema()["definitions"]["effect"]:
        yield Problem("OD331", place, f"`{shown}` is not an effect", hint_for_unknown_effect(str(error.instance)))
        return
    described, better = (
        _first_sentence(error.schema),
        _text_fitting_pattern(str(error.instance), str(error.validator_value)),
    )
    if error.schema is ruleset_schema()["definitions"]["then"]:
        described = hint_to_write_cases(str(error.instance)) or described
    hint = hint_for_misread_scalar(node) or "; ".join(
        part for part in (described, better and f"write {better}") if part
    )
    yield Problem("OD206", place, f"`{shown}` does not fit{_location_in_words(error)}", hint)


def _text_fitting_pattern(text: str, pattern: str) -> str:
    """Return the words of a text joined by spaces, ``_`` or ``-`` such that they match a pattern; empty if nothing
    matches, and for long texts and calculations.
    """
    plain = len(text) <= 60 and not re.search(r"[=<>+*/%]", text)
    words = re.sub(r"[^A-Za-z0-9_]+", " ", re.sub("['\u2019]", "", text)).split() if plain else []
    candidates = [join.join(each) for each in (words, [word.lower() for word in words]) for join in (" ", "_", "-")]
    return next((candidate for candidate in candidates if candidate and re.search(pattern, candidate)), "")


def _repeated_item_problems(error: ValidationError, node: Node, location: Location) -> Iterator[Problem]:
    yield Problem("OD207", node.location, f"an item stands twice{_location_in_words(error)}", "remove one of them")


def _forbidden_value_problems(error: ValidationError, node: Node, location: Location) -> Iterator[Problem]:
    yield Problem(
        "OD208", location, f"this does not go together{_location_in_words(error)}", _first_sentence(error.schema)
    )


def _other_problems(error: ValidationError, node: Node, location: Location) -> Iterator[Problem]:
    key = error.absolute_path[-1] if error.absolute_path else ""
    hint = _first_sentence(error.parent.schema if error.parent else {})
    yield Problem("OD208", location, f"`{key}` does not belong{_location_in_words(error)}", hint)


_Render = Callable[[ValidationError, Node, Location], Iterator[Problem]]
_RENDER: dict[str, _Render] = {
    "additionalProperties": _unknown_key_problems,
    "required": _missing_key_problems,
    "type": _type_problems,
    "enum": _enum_problems,
    "const": _enum_problems,
    "pattern": _pattern_problems,
    "uniqueItems": _repeated_item_problems,
    "not": _forbidden_value_problems,
    **dict.fromkeys(
        ("minimum", "maximum", "minItems", "maxItems", "minProperties", "maxProperties", "minLength", "maxLength"),
        _bound_problems,
    ),
}
