"""The suite of certificates: honest ones, and forgeries as lists of changes to them. README.md tells the format."""

from __future__ import annotations

import gzip
import hashlib
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from oddsmith.ruleset.model.ruleset import Ruleset
from oddsmith.ruleset.reading.build import load_ruleset

SUITE = Path(__file__).resolve().parent
Record = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """One file for the checker. ``refused``: by which check (empty: by none), and for which ``condition``."""

    name: str
    data: bytes
    rules: str
    refused: str = ""
    condition: str = ""
    sample: int | None = None
    proves: Record | None = None


def described(name: str) -> list[Record]:
    """A list of the suite: ``honest`` or ``forged``."""
    found: list[Record] = json.loads((SUITE / f"{name}.json").read_text("utf-8"))
    return found


def cases() -> list[Case]:
    """The whole suite, honest files first."""
    bases = {each["name"]: each for each in described("honest")}
    honest = [
        Case(name, written(name), each["rules"], sample=each.get("sample"), proves=each["proves"])
        for name, each in bases.items()
    ]
    forged = [
        Case(
            each["name"],
            forge(written(each["base"]), each),
            bases[each["base"]]["rules"],
            each["refused"],
            each.get("condition", ""),
            each.get("sample"),
        )
        for each in described("forged")
    ]
    return honest + forged


@cache
def written(name: str) -> bytes:
    """An honest certificate as it lies in the suite."""
    return (SUITE / "honest" / f"{name}.jsonl").read_bytes()


@cache
def rules_of(path: str) -> Ruleset:
    """A ruleset of the suite; paths count from its folder."""
    return load_ruleset(SUITE / path)[0]


def forge(data: bytes, changes: Record) -> bytes:
    """A file with changes, each to one line; then the checksum is made to fit, unless ``checksum`` is false."""
    *lines, last = data.decode().splitlines()
    for change in changes.get("changes", ()):
        _change(lines, change)
    text = "".join(f"{line}\n" for line in lines).encode()
    checksum = hashlib.sha256(text).hexdigest()
    if changes.get("checksum", True):
        last = json.dumps({"sha256": checksum}, separators=(",", ":"))
    text += changes.get("last", f"{last}\n").replace("CHECKSUM", checksum).encode()
    parts = [text[: len(text) // 2], text[len(text) // 2 :]] if changes.get("gzip") == 2 else [text]
    packed = bytearray(b"".join(gzip.compress(part, mtime=0) for part in parts) if changes.get("gzip") else text)
    packed += bytes(changes.get("zeros", 0))
    for place in changes.get("flip", ()):
        packed[place] ^= 255
    for place, value in changes.get("bytes", ()):
        packed[place] = value
    return bytes(packed[: len(packed) - changes.get("cut", 0)])


def _change(lines: list[str], change: Record) -> None:
    line = change["line"]
    if "text" in change:
        lines[line : line + 1] = change["text"]
        return
    if "pad" in change:
        lines[line] += " " * change["pad"]
        return
    record = json.loads(lines[line])
    *way, last = change["at"].split("/")[1:]
    holder = record
    for step in way:
        holder = holder[int(step) if isinstance(holder, list) else step]
    key = int(last) if isinstance(holder, list) else last
    if "to" not in change:
        del holder[key]
    elif isinstance(holder, list) and key == len(holder):
        holder.append(change["to"])
    else:
        holder[key] = change["to"]
    lines[line] = json.dumps(record, separators=(",", ":"), ensure_ascii=False)


def outcome(case: Case, values: ModuleType, rules: ModuleType) -> Record:
    """What a checker (its modules for values and for rules) says of a file."""
    try:
        secret = rules.is_for_secret_game(case.data)
        proof = values.check_secret_game(case.data) if secret else values.check_table(case.data)
    except (values.Refused, rules.CertificateError) as refused:
        return {"refused": "values", "says": str(refused)}
    counted = (proof.leaves, proof.information_sets) if secret else (proof.transitions, proof.decisions)
    proves = {
        "kind": ("plans" if "total" in proof.header else "equilibrium") if secret else proof.header["kind"],
        "values": [[str(low), str(high)] for low, high in proof.values],
        "transitions": counted[0],
        "decisions": counted[1],
        "ties": 0 if secret else proof.ties,
        "endless": [] if secret else list(proof.endless),
    }
    ruleset = rules_of(case.rules)
    try:
        told = (
            {"positions": rules.compare_plans_with_rules(case.data, ruleset)}
            if secret
            else _derived(case, ruleset, rules)
        )
    except rules.CertificateError as refused:
        return {"refused": "rules", "says": str(refused), "proves": proves}
    return {"refused": "", "says": "", "proves": proves | {"derived": told}}


def _derived(case: Case, ruleset: Ruleset, rules: ModuleType) -> Record:
    derived = rules.compare_table_with_rules(case.data, ruleset, case.sample, seed=20_000)
    return {name: getattr(derived, name) for name in ("states", "checked", "positions", "whole")}
