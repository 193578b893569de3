"""The keys of answers: hashes of everything that an answer depends on. A store and the program find answers by them."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import cache
from importlib.metadata import version
from typing import Any

from oddsmith.base.resources import package_code_files
from oddsmith.report.answers.estimated import estimate_inputs
from oddsmith.report.answers.packing import answer_schema
from oddsmith.report.facts.claims import claim_key, claim_setting
from oddsmith.ruleset import canonical_bytes, plain_data, sha256
from oddsmith.ruleset.model import SHOWN_ONLY, EstimatedGame, Ruleset, Setting

VERSION = 1
"""The version of answers. It goes up if the engine gives other answers than before. Then shipped answers are made again."""

ENGINE = ("base", "rolls", "expr", "ruleset", "graph", "solve", "report")
"""The subpackages whose code computes answers. The other subpackages only show answers."""

LIBRARIES = ("numpy", "scipy", "sympy", "python-flint")


def store_key(ruleset: Ruleset, setting: Setting) -> str:
    """Return the key under which a store keeps an answer of this engine, as hexadecimal digits."""
    return _sha256_of_data([engine_hash(), *_answer_inputs(ruleset, setting)])


def answer_address(ruleset: Ruleset, setting: Setting) -> str:
    """Return the address of an answer: a key that does not depend on the engine's code, because all engines of one
    version give the same answers.
    """
    return _sha256_of_data([VERSION, answer_schema(), *_answer_inputs(ruleset, setting)])


def estimate_key(ruleset: Ruleset, estimated_game: EstimatedGame) -> str:
    """Return the key under which a store keeps estimates of this engine."""
    return _sha256_of_data([engine_hash(), *estimate_inputs(ruleset, estimated_game)])


def estimate_address(ruleset: Ruleset, estimated_game: EstimatedGame) -> str:
    """Return the address of estimates: a key that does not depend on the engine's code, because all engines of one
    version play the same games.
    """
    return _sha256_of_data(estimate_inputs(ruleset, estimated_game))


def _answer_inputs(ruleset: Ruleset, setting: Setting) -> list[Any]:
    """Return everything that an answer depends on, as data.

    These are the rules, the questions, the setting, whether this is the main game or one with the rules as written, and
    the claims about it.
    """
    asked = {name: part for name, part in ruleset.data.items() if name not in SHOWN_ONLY}
    if "parameters" in asked:  # what they count is only shown
        asked["parameters"] = {
            name: {key: part for key, part in each.items() if key != "unit"}
            for name, each in asked["parameters"].items()
        }
    home = ruleset.edition.main_setting
    shown = [setting == home, replace(setting, seats=home.seats) == home]
    claims = [claim_key(ruleset, each) for each in ruleset.claims if claim_setting(ruleset, each.setting) == setting]
    return [sha256(ruleset), asked, setting.plain_data, shown, claims]


def _sha256_of_data(data: list[Any]) -> str:
    return hashlib.sha256(canonical_bytes(plain_data(data))).hexdigest()


@cache
def engine_hash() -> str:
    """Return a hash of the engine's code and of the libraries whose versions matter for answers."""
    found = hashlib.sha256(" ".join(f"{name} {version(name)}" for name in LIBRARIES).encode())
    for name, code in package_code_files(ENGINE):
        found.update(name.encode() + b"\0" + code)
    return found.hexdigest()
