"""The schema teaches the language in editors, and is all that the loader knows of a ruleset's structure."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator, ValidationError
from ruamel.yaml import YAML

HERE = Path(__file__).parent
SCHEMA_FILE = HERE.parent.parent / "schemas" / "ruleset.schema.json"
SAMPLES = sorted((HERE.parent / "samples").glob("*.yaml"))
SCHEMA = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))

SILENT = {"description", "examples", "title", "defaultSnippets", "definitions", "$schema", "$id"}
ONE_INSIDE = {"not", "if", "then", "else", "propertyNames", "additionalProperties", "items"}
MANY_INSIDE = {"properties", "definitions"}
LISTS_INSIDE = {"allOf", "items"}
PLAIN = {
    "$ref", "type", "const", "enum", "required", "pattern", "minLength", "maxLength", "minimum", "maximum",
    "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties",
}  # fmt: skip
KEYWORDS = SILENT | ONE_INSIDE | MANY_INSIDE | LISTS_INSIDE | PLAIN


def load(path: Path) -> Any:
    return YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8"))


def as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


WHOLE = load(HERE / "whole.yaml")


# --- the schema as a tree of schemas


def schemas(node: Any = SCHEMA, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every schema in the file with its place, the whole file first."""
    if not isinstance(node, dict):
        return
    yield path, node
    for key, value in node.items():
        if key in MANY_INSIDE:
            for name, inner in value.items():
                yield from schemas(inner, f"{path}/{key}/{name}")
        elif key in LISTS_INSIDE and isinstance(value, list):
            for number, inner in enumerate(value):
                yield from schemas(inner, f"{path}/{key}/{number}")
        elif key in ONE_INSIDE:
            yield from schemas(value, f"{path}/{key}")


ALL = dict(schemas())
IN_CONDITIONS = re.compile(r"/(if|not)(/|$)")
NAMED = [
    path
    for path in ALL
    if re.search(r"/(properties|definitions)/[^/]+$", path)
    and not IN_CONDITIONS.search(path)
    and "/then/properties/" not in path  # a rule more for a key that is explained elsewhere
]


def validator(schema: dict[str, Any]) -> Draft7Validator:
    """For one schema of the file, which may refer to definitions."""
    return Draft7Validator({**schema, "definitions": SCHEMA["definitions"]})


def test_it_is_valid_draft_07() -> None:
    assert SCHEMA["$schema"] == "http://json-schema.org/draft-07/schema#"
    Draft7Validator.check_schema(SCHEMA)


def test_only_keywords_that_editors_know_and_errors_can_follow() -> None:
    for path, node in ALL.items():
        assert set(node) <= KEYWORDS, f"{path}: oneOf and anyOf hide which branch was meant"
        if "$ref" in node:
            assert set(node) <= {"$ref", "description", "examples"}, f"{path}: rules beside $ref are ignored"


def test_every_map_says_which_keys_it_takes() -> None:
    for path, node in ALL.items():
        if "object" in as_list(node.get("type", [])) and not IN_CONDITIONS.search(path):
            assert "if" in node or "additionalProperties" in node, path


@pytest.mark.parametrize("path", ["", *NAMED])
def test_every_key_explains_itself(path: str) -> None:
    node = ALL[path]
    assert re.fullmatch(r"[A-Z][\s\S]*[.]", node["description"])
    assert len(node["description"]) <= 200
    assert node["examples"]
    for example in node["examples"]:
        errors = list((Draft7Validator(SCHEMA) if not path else validator(node)).iter_errors(example))
        assert not errors, (example, errors)


def test_every_definition_is_used() -> None:
    used = {node["$ref"].removeprefix("#/definitions/") for node in ALL.values() if "$ref" in node}
    assert used == set(SCHEMA["definitions"])


SNIPPETS = [(path, snippet) for path, node in ALL.items() for snippet in node.get("defaultSnippets", [])]


@pytest.mark.parametrize(("path", "snippet"), SNIPPETS)
def test_snippets_are_good_rulesets(path: str, snippet: dict[str, Any]) -> None:
    """With the text that stands at the stops; a number or flag there loses its quotes in the editor."""
    text = re.sub(r'"\$\{\d+:(-?\d+|true|false)\}"', r"\1", json.dumps(snippet["body"]))
    body = json.loads(re.sub(r"\$\{\d+:([^}]*)\}", r"\1", text))
    assert "$" not in json.dumps(body)
    whole = Draft7Validator(SCHEMA) if not path else validator(ALL[path])
    assert not list(whole.iter_errors(body))


# --- what it accepts and refuses


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_samples_are_accepted(path: Path) -> None:
    assert not list(Draft7Validator(SCHEMA).iter_errors(load(path)))
    assert path.read_text().startswith("# yaml-language-server: $schema=../../schemas/ruleset.schema.json\n")


def test_a_ruleset_with_every_key_is_accepted() -> None:
    assert not list(Draft7Validator(SCHEMA).iter_errors(WHOLE))
    assert set(WHOLE) == set(SCHEMA["properties"])


def steps(path: str) -> list[str | int]:
    return [int(step) if step.isdecimal() else step for step in path.split("/")] if path else []


def lengthened(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: lengthened(item) for key, item in value.items()}
    if isinstance(value, list):
        return [lengthened(item) for item in value]
    return "a" * 501 if value == "LONG" else value


Error = tuple[str, tuple[str | int, ...]]


def broken(case: list[Any]) -> tuple[Any, list[Error]]:
    """The document of a case, and the errors it must give: keyword and place."""
    how, path, *rest = case
    document = copy.deepcopy(WHOLE)
    if not path:
        return rest[0], [(rest[1], ())]
    *above, last = steps(path)
    inner = document
    for step in above:
        inner = inner[step]
    if how == "drop":
        del inner[last]
        keywords, places = rest
    else:
        inner[last] = lengthened(rest[0])
        keywords, places = rest[1], rest[2] if len(rest) > 2 else path
    paths = [tuple(steps(place)) for place in as_list(places)]
    return document, list(zip(as_list(keywords), paths, strict=True))


CASES = [*load(HERE / "broken.yaml"), *load(HERE / "broken_play.yaml")]
DOCUMENTS = [broken(case)[0] for case in CASES]


@cache
def errors(number: int) -> list[ValidationError]:
    """What the schema says of a broken document, once for all tests."""
    return list(Draft7Validator(SCHEMA).iter_errors(DOCUMENTS[number]))


@pytest.mark.parametrize("number", range(len(CASES)), ids=[" ".join(map(str, case))[:80] for case in CASES])
def test_broken_rulesets_are_refused_at_the_place(number: int) -> None:
    found = [(error.validator, tuple(error.absolute_path)) for error in errors(number)]
    assert found == broken(CASES[number])[1]


# --- no rule of the schema is idle


def mutations() -> Iterator[tuple[str, str]]:
    for path, node in ALL.items():
        for keyword in node:
            if keyword not in SILENT:
                yield path, keyword


def messages(check: Draft7Validator, document: Any) -> list[str]:
    return [error.message for error in check.iter_errors(document)]


def route(error: ValidationError) -> Iterator[tuple[int, str | int]]:
    """The keywords that an error came through, each with the identity of its schema."""
    node: Any = SCHEMA
    for step in error.absolute_schema_path:  # it leaves out $ref and if
        while "$ref" in node:
            yield id(node), "$ref"
            node = SCHEMA["definitions"][node["$ref"].removeprefix("#/definitions/")]
        if step in ("then", "else"):
            yield id(node), "if"
        yield id(node), step
        node = node[step]


def test_removing_any_rule_is_noticed() -> None:
    """Every keyword is taken out in turn; some broken document must then give other errors.

    An error that came through a keyword is gone without it. So only every twentieth of those is taken out indeed; and each of
    the others, which stand in conditions.
    """
    schema = copy.deepcopy(SCHEMA)
    numbers = range(len(DOCUMENTS))
    before = [[error.message for error in errors(number)] for number in numbers]
    routes = [{step for error in errors(number) for step in route(error)} for number in numbers]
    came_through = set().union(*routes)
    went_by = [{node for node, _ in steps} for steps in routes]
    places = dict(schemas(schema))
    idle = []
    for turn, (path, keyword) in enumerate(mutations()):
        step = (id(ALL[path]), keyword)
        if step in came_through and turn % 20:
            continue
        node = places[path]
        owner = id(ALL[IN_CONDITIONS.split(path)[0]])
        likely_first = sorted(numbers, key=lambda k: (step not in routes[k], owner not in went_by[k]))
        kept = dict(node)
        del node[keyword]
        check = Draft7Validator(schema)
        if all(messages(check, DOCUMENTS[k]) == before[k] for k in likely_first):
            idle.append(f"{path}: {keyword}")
        node.clear()
        node.update(kept)
    assert not idle, "\n".join(idle)
