"""What answers follow from, as names: hashes by which a store and the program know which answer is meant."""

from __future__ import annotations

import hashlib
from dataclasses import astuple, replace
from functools import cache
from importlib.metadata import version
from typing import Any

from oddsmith.base.resources import package_code
from oddsmith.report.answers.estimated import estimate_parts
from oddsmith.report.answers.packing import schema
from oddsmith.report.facts.claims import claim_key, claim_setting
from oddsmith.ruleset import canonical, plain_data, sha256
from oddsmith.ruleset.model import SHOWN_ONLY, EstimatedGame, Ruleset, Setting

VERSION = 1
"""Of what answers say. It goes up when the engine answers otherwise than before; then answers that ship are made again."""

ENGINE = ("base", "rolls", "expr", "ruleset", "graph", "solve", "report")
"""Code that an answer comes from; the rest only shows it."""

LIBRARIES = ("numpy", "scipy", "sympy", "python-flint")


def store_key(ruleset: Ruleset, setting: Setting) -> str:
    """The key under which a store keeps an answer of this engine, in hexadecimal digits."""
    return _hash([engine_hash(), *_key_parts(ruleset, setting)])


def address(ruleset: Ruleset, setting: Setting) -> str:
    """The key of an answer for all engines of this version, which give the same answers."""
    return _hash([VERSION, schema(), *_key_parts(ruleset, setting)])


def estimate_key(ruleset: Ruleset, of: EstimatedGame) -> str:
    """The key under which a store keeps estimates of this engine."""
    return _hash([engine_hash(), *estimate_parts(ruleset, of)])


def estimate_address(ruleset: Ruleset, of: EstimatedGame) -> str:
    """The key of estimates for all engines that play the same games."""
    return _hash(estimate_parts(ruleset, of))


def _key_parts(ruleset: Ruleset, setting: Setting) -> list[Any]:
    """The rules, the questions asked of them, the setting, and how much of it is shown."""
    asked = {name: part for name, part in ruleset.data.items() if name not in SHOWN_ONLY}
    home = ruleset.edition.home
    shown = [setting == home, replace(setting, seats=home.seats) == home]
    claims = [claim_key(ruleset, each) for each in ruleset.claims if claim_setting(ruleset, each.of) == setting]
    return [sha256(ruleset), asked, astuple(setting), shown, claims]


def _hash(parts: list[Any]) -> str:
    return hashlib.sha256(canonical(plain_data(parts))).hexdigest()


@cache
def engine_hash() -> str:
    """The version of the engine: a hash of its code and of the libraries that count for it."""
    found = hashlib.sha256(" ".join(f"{name} {version(name)}" for name in LIBRARIES).encode())
    for name, code in package_code(ENGINE):
        found.update(name.encode() + b"\0" + code)
    return found.hexdigest()
