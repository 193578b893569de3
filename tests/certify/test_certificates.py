"""A certificate holds for the solution it was written for, and for nothing else: every changed number is refused."""

from __future__ import annotations

import ast
import gzip
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random

import pytest

from oddsmith.base.errors import CertificateError, DisprovedError, UncertifiableError
from oddsmith.proof import values
from oddsmith.proof.rules import compare_table_with_rules, prove_table
from oddsmith.report.export import certificates as evidence
from oddsmith.report.export.certificates import certificate
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.bundle import sha256
from oddsmith.ruleset.model import Setting
from oddsmith.ruleset.model.ruleset import Ruleset
from oddsmith.ruleset.reading.build import load_ruleset
from oddsmith.solve.game_solver import solve
from oddsmith.solve.solution import Solution
from tests.cases import RULESETS, SAMPLES, cases_of, ruleset
from tests.certify.forging import Record, certificate_of, changed, numbers_in, records_of
from tests.certify.suite import SUITE
from tests.node import NODE


def game(name: str, seats: int, objective: str | None = None, **how: object) -> Callable[[], Solution]:
    """A solution for later, solved once."""
    policies = how.pop("policies", None)
    alike = bool(how.pop("alike", False))
    return cache(
        lambda: solve(
            bind(ruleset(name), Setting(seats, values=how)),
            objective,
            policies,  # type: ignore[arg-type]
            same_for_all_seats=alike,
        )
    )


CHECKER = RULESETS.parent / "site" / "proof" / "check.mjs"
COFFERS, PIG, RICH = cases_of("coffers")[1], "hold at 5", "rob the rich"
GAMES: dict[str, tuple[str, Callable[[], Solution]]] = {
    "one seat, ties": ("optimal", game("pig", 1, "win", target=6)),
    "one seat, to lose": ("optimal", game("pig", 1, "haste", target=6)),
    "hands, forgotten cells": ("optimal", game("farkle-turn", 1, limit=1)),
    "cycles": ("zero-sum", game("coffers", 2, "coins", stake=1)),
    "alike members, three seats": ("symmetric", game("coffers", 3, "win", stake=1)),
    "carried cells": ("symmetric", game("pig", 2, "haste", target=6)),
    "carried at the end": ("zero-sum", game("rogues-gambit", 2, "coins", coins_each=6)),
    "players may wait for ever": ("zero-sum", game("piglet", 2, target=2, may_wait=True)),
    "seats may go out": ("symmetric", game("last-hero", 3, lives_each=1)),
    "against a policy": ("named", game("hot-purse", 2, "win", coins_each=2, policies={1: RICH})),
    "one policy for all": ("named", game("pig", 2, "win", target=6, policies={1: PIG, 2: PIG})),
    "one against two policies": ("named", game("hot-purse", 3, "win", coins_each=2, policies={1: RICH, 3: RICH})),
}
by_game = pytest.mark.parametrize("name", GAMES)


@cache
def written(name: str) -> bytes:
    return certificate(GAMES[name][1]())


def certified(data: bytes, source: Ruleset) -> values.Proof:
    """Both checks."""
    proof = prove_table(data)
    compare_table_with_rules(data, source)
    return proof


def refused(data: bytes, source: Ruleset) -> bool:
    """Whether one of the checks refuses it."""
    try:
        certified(data, source)
    except CertificateError:
        return True
    return False


# --- what was written holds


@by_game
def test_a_certificate_proves_the_solution(name: str) -> None:
    kind, solution = GAMES[name][0], GAMES[name][1]()
    data = written(name)
    proof, derived = prove_table(data), compare_table_with_rules(data, solution.graph.game.ruleset)
    assert proof.header["kind"] == solution.kind == kind
    assert [low for low, high in proof.values] == [number.exact for number in solution.values]
    assert all(low == high for low, high in proof.values)
    assert proof.decisions == solution.graph.decision_count
    assert derived.states == derived.checked == solution.graph.state_count
    assert bool(proof.endless) == (name == "players may wait for ever")


@by_game
def test_enclosed_values_hold_too(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence, "MAX_EXACT_ARENA_STATES", 0)
    solution = GAMES[name][1]()
    proof = prove_table(certificate(solution))
    for (low, high), number in zip(proof.values, solution.values, strict=True):
        assert low < number.lower <= number.upper < high
        assert (high - low) * 10**30 < 1
    assert proof.ties == prove_table(written(name)).ties


@pytest.mark.parametrize("alike", [False, True])
def test_play_by_seat_and_mixed_play(alike: bool) -> None:
    """Four at the full dragon: no pure play that is the same for all is an equilibrium."""
    solution = game("rogues-gambit", 4, "coins", coins_each=14, full_belly="pocketed", alike=alike)()
    data = certificate(solution)
    proof = prove_table(data)
    assert proof.header["kind"] == solution.kind == ("mixed" if alike else "pure-by-seat")
    for (low, high), number in zip(proof.values, solution.values, strict=True):
        assert (low < high) == alike
        assert low <= number.upper
        assert number.lower <= high
    assert compare_table_with_rules(data, ruleset("rogues-gambit"), sample_size=10).checked >= 10


def test_the_same_solution_gives_the_same_bytes() -> None:
    name = "alike members, three seats"
    again = solve(COFFERS.game, "win")
    assert certificate(again) == written(name)
    packed = certificate(again, gzipped=True)
    assert packed == certificate(again, gzipped=True)
    assert len(packed) < len(written(name)) / 4
    assert gzip.decompress(packed) == written(name)
    assert prove_table(packed).values == prove_table(written(name)).values


def test_a_sample_is_what_is_derived() -> None:
    solution = GAMES["carried cells"][1]()
    derived = compare_table_with_rules(written("carried cells"), solution.graph.game.ruleset, sample_size=20)
    assert (derived.states, derived.whole) == (solution.graph.state_count, False)
    assert 20 <= derived.checked <= 60


# --- and nothing else does


FREE = {"unit", "residual", "grain", "steps"}  # changed a little, what they prove may still be true


@by_game
def test_every_changed_number_is_refused(name: str) -> None:
    records, source = records_of(written(name)), GAMES[name][1]().graph.game.ruleset
    random = Random(name)  # noqa: S311 - a sample
    for number in [0, *random.sample(range(1, len(records)), 3)]:
        ways = [way for way in numbers_in(records[number]) if way[0] not in FREE]
        for way in random.sample(ways, min(len(ways), 25)):
            wrong = changed(records[number], way, random.choice((1, -1, 2)))
            forged = certificate_of([*records[:number], wrong, *records[number + 1 :]])
            assert refused(forged, source), f"record {number}, {way}"


@pytest.mark.parametrize("key", ["play", "values", "steps", "ends", "rows", "over"])
def test_a_refusal_names_the_state(key: str) -> None:
    records = records_of(written("one seat, ties"))
    number = next(number for number, record in enumerate(records) if number and len(record["rows"]) > 1)
    way = next(way for way in numbers_in(records[number]) if way[0] == key)
    records[number] = changed(records[number], way, -100_000)
    with pytest.raises(CertificateError, match=r"state \d+ \([a-z]+: score|line is not as the format says"):
        prove_table(certificate_of(records))


def test_enclosed_values_that_are_off_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence, "MAX_EXACT_ARENA_STATES", 0)
    records = records_of(certificate(GAMES["cycles"][1]()))
    for number in range(1, len(records)):
        wrong = changed(records[number], ("values", 0, 0), 1 << 10)
        with pytest.raises(CertificateError, match=r"does not follow|is worth more than"):
            prove_table(certificate_of([*records[:number], wrong, *records[number + 1 :]]))


def test_a_changed_byte_is_refused() -> None:
    plain = written("cycles")
    random = Random(7)  # noqa: S311
    for data in (plain, certificate(GAMES["cycles"][1](), gzipped=True)):
        for place in random.sample(range(20, len(data)), 60):
            wrong = bytearray(data)
            wrong[place] ^= 1 << random.randrange(8)
            if data is not plain and place > len(data) - 9:
                continue  # gzip's own checksum comes after ours
            with pytest.raises(CertificateError):
                prove_table(bytes(wrong))
    for data in (b"", b"{}\n", plain[:-100], plain + plain, gzip.compress(plain)[:-20], b"[1]\n", b"\xff\n"):
        with pytest.raises(CertificateError):
            prove_table(data)


def test_a_policy_that_is_not_the_best_is_refused() -> None:
    """Its values are right, but somebody could gain."""
    records = records_of(written("one policy for all"))
    prove_table(certificate_of(records))
    records[0] |= {"policies": {}, "kind": "zero-sum"}
    with pytest.raises(CertificateError, match=r"is worth more than|distance from the end"):
        prove_table(certificate_of(records))


def test_play_that_never_ends_has_no_steps() -> None:
    """Both players wait for ever: values of 1/2 would follow from themselves."""
    records = records_of(written("players may wait for ever"))
    for record in records[1:]:
        waits = [number for number, (_, row) in enumerate(record["rows"]) if all(each[0] >= 0 for each in row)]
        record["play"] = [waits[-1] if waits else 0]
        record["values"], record["over"] = [["1", "1"]], ["2"]
    with pytest.raises(CertificateError, match=r"do not prove that play ends|does not follow"):
        prove_table(certificate_of(records))


def with_rule(folder: Path, before: str, after: str) -> Ruleset:
    """Piglet with some words changed."""
    text = (SAMPLES / "piglet.yaml").read_text("utf-8")
    assert before in text
    path = folder / "piglet.yaml"
    path.write_text(text.replace(before, after), "utf-8")
    return load_ruleset(path)[0]


RULES = [
    ("weights: [bend, 1]", "weights: [bend, 2]", "with chance"),
    ("add flip to stash", "add flip to score", "lead"),
    ("when: stash > 0 or may_wait", "when: stash > 1 or may_wait", "rows"),
    ("win: share(score)", "win: score", "paying"),
    ("- name: Stop", "- name: Halt", "actions"),
    ("stash: {max: target, resets: turn", "stash: {max: target, start: 1, resets: turn", "first state"),
]


@pytest.mark.parametrize(("before", "after", "why"), RULES)
def test_other_rules_are_refused(before: str, after: str, why: str, tmp_path: Path) -> None:
    solution = game("piglet", 2, target=2)()
    data, other = certificate(solution), with_rule(tmp_path, before, after)
    certified(data, ruleset("piglet"))
    with pytest.raises(CertificateError, match="for other rules"):
        certified(data, other)
    records = records_of(data)
    records[0]["ruleset"]["sha256"] = sha256(other)
    with pytest.raises(CertificateError, match=why):
        certified(certificate_of(records), other)


HEADERS: list[tuple[str, Record, str]] = [
    ("against a policy", {"policies": {"2": "rob the rich"}}, "worth more|distance|follow|prescribes"),
    ("against a policy", {"kind": "zero-sum"}, "of the kind named"),
    ("carried cells", {"canonical": [{"step": "mover"}]}, "no position of the game|does not hold"),
    ("carried cells", {"canonical": [{"step": "mover"}, {"step": "guess"}]}, "does not know"),
    ("carried cells", {"objective": "points", "goal": "max"}, "worth more|distance"),
    ("carried cells", {"objective": "fun"}, "has no objective"),
    ("carried cells", {"start": {"mover": 0, "held": ["1", "0"]}}, "not as it starts"),
    ("alike members, three seats", {"canonical": [{"step": "mover"}]}, "first state"),
    ("one seat, to lose", {"goal": "max"}, "worth more"),
]


@pytest.mark.parametrize(("name", "header", "why"), HEADERS)
def test_a_header_that_tells_another_tale_is_refused(name: str, header: Record, why: str) -> None:
    records = records_of(written(name))
    records[0] |= header
    with pytest.raises(CertificateError, match=why):
        certified(certificate_of(records), GAMES[name][1]().graph.game.ruleset)


def test_a_cell_may_not_be_forgotten_while_somebody_reads_it() -> None:
    """The pot, taken for something that nobody reads: then all pots would be one state."""
    source = GAMES["one seat, ties"][1]().graph.game.ruleset
    records = records_of(written("one seat, ties"))
    records[0]["canonical"].append({"step": "forgotten", "phases": {"decide": ["pot"]}})
    with pytest.raises(CertificateError, match="no position of the game, or one that was listed already"):
        certified(certificate_of(records), source)


def test_a_policy_may_not_look_at_what_is_left_out(tmp_path: Path) -> None:
    """Either such a variable is part of the state, or the full check refuses."""
    text = (RULESETS / "rogues-gambit.yaml").read_text("utf-8")
    rich = "policies:\n  rich:\n    decide:\n      - {option: Thief's Escape, when: purse > 2}\n"
    path = tmp_path / "rich.yaml"
    path.write_text(text.replace("policies:\n", rich), "utf-8")
    source = load_ruleset(path)[0]
    data = certificate(solve(bind(source, Setting(2, values={"coins_each": 4})), policies={1: "rich"}))
    carried = [step["cells"] for step in records_of(data)[0]["canonical"] if step["step"] == "carried"]
    if not carried:
        certified(data, source)
        return
    with pytest.raises(CertificateError, match="rich looks at purse"):
        certified(data, source)


TALLY = """
format: 1
id: tally
title: Tally
summary: A coin is tossed for points on top of those you have.
seats: 2
state:
  points: {type: tally, each: seat, start: 5, about: Points.}
  left: {start: 2, max: 2, about: Tosses to come.}
payoffs:
  points: points
turn: toss
phases:
  toss:
    roll: {die: d2}
    outcomes:
      - name: One
        when: die == 1
        do: [add 1 to points, add -1 to left]
        then: pass
      - name: Two
        do: add -1 to left
        then: pass
end_when: left == 0
"""


def test_what_is_held_from_the_start_counts(tmp_path: Path) -> None:
    path = tmp_path / "tally.yaml"
    path.write_text(TALLY, "utf-8")
    source = load_ruleset(path)[0]
    data = certificate(solve(bind(source)))
    assert [low * 2 for low, _ in certified(data, source).values] == [11, 11]


def test_a_solution_whose_play_is_not_the_best_gets_no_certificate() -> None:
    solution = game("piglet", 2, target=2)()
    turned = replace(solution.solved, arena=replace(solution.solved.arena, objective_sign=-1))
    with pytest.raises(DisprovedError, match="not what its own table proves"):
        certificate(replace(solution, solved=turned))


# --- the checker stands alone


def test_the_checker_of_values_imports_only_the_standard_library(tmp_path: Path) -> None:
    module = Path(str(values.__file__))
    tree = ast.parse(module.read_text("utf-8"))
    names = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    names |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert {name.partition(".")[0] for name in names} <= sys.stdlib_module_names
    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.jsonl"
    good.write_bytes(written("cycles"))
    records = records_of(written("cycles"))
    bad.write_bytes(certificate_of([*records[:-1], changed(records[-1], ("values", 0, 0), 1)]))
    cases = [
        ([good], 0, "the table proves its values: "),
        ([bad], 1, "refused: state "),
        ([tmp_path], 1, f"refused: {tmp_path} is no file"),
        ([tmp_path / "none"], 1, "refused: "),
        ([], 1, "refused: name one file"),
    ]
    for files, code, words in cases:
        command = [sys.executable, "-I", "-S", str(module), *map(str, files)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == code
        assert (done.stdout + done.stderr).startswith(words)
        assert code or "not compared with the rules" in done.stdout
        if files:
            second = subprocess.run([NODE, CHECKER, *files], capture_output=True, text=True, check=False)
            assert (second.returncode, second.stderr, second.stdout.count("\n")) == (code, "", 1)


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (Fraction(3, 7), Fraction(3, 7), "0.428571428571 = 3/7"),
        (Fraction(-5, 2), Fraction(-5, 2), "-2.500000000000 = -5/2"),
        (Fraction(7), Fraction(7), "7.000000000000"),
        (Fraction("0.70942434228"), Fraction("0.70942434229"), "0.7094243423"),
        (Fraction("0.4999"), Fraction("0.5001"), "0.500"),
        (Fraction("3.4"), Fraction("5.6"), "between 3 and 6"),
        (Fraction(10**3000), Fraction(10**3000), "a number of over 80 digits"),
    ],
)
def test_only_digits_on_which_both_bounds_agree_are_printed(low: Fraction, high: Fraction, text: str) -> None:
    assert values.value_text(low, high) == text


def test_a_part_of_a_table_is_chosen_anew_each_time_and_never_without_the_start() -> None:
    """A forger must not know which states nobody looks at."""
    rules, certified = GAMES["cycles"][1]().graph.game.ruleset, written("cycles")
    seeds = {compare_table_with_rules(certified, rules, sample_size=1).seed for _ in range(3)}
    assert len(seeds) == 3
    assert compare_table_with_rules(certified, rules, sample_size=1, seed=5).seed == 5
    records = records_of(certified)
    targets = [way for way in numbers_in(records[1]) if way[0] == "rows" and way[-1] == 0 and len(way) > 3]
    assert targets
    for way in targets:
        wrong = certificate_of([records[0], changed(records[1], way, 1), *records[2:]])
        for seed in range(10):
            with pytest.raises(CertificateError):
                compare_table_with_rules(wrong, rules, sample_size=1, seed=seed)


def test_what_no_writer_of_certificates_writes_is_refused_by_both_checkers(tmp_path: Path) -> None:
    plain, records = written("cycles"), records_of(written("cycles"))
    flagged = bytearray(certificate(GAMES["cycles"][1](), gzipped=True))
    flagged[3] |= 0x80
    nested: object = 0
    for _ in range(70):
        nested = [nested]
    files = {
        "a reserved flag of gzip": bytes(flagged),
        "lists in lists": certificate_of([records[0] | {"beside": nested}, *records[1:]]),
        "a format in a text": certificate_of([records[0] | {"certificate": "4"}, *records[1:]]),
        "a long number": certificate_of([records[0], records[1] | {"over": ["1" * 50_001]}, *records[2:]]),
    }
    assert prove_table(plain).transitions > 0
    for name, data in files.items():
        with pytest.raises(CertificateError):
            prove_table(data)
        (tmp_path / "forged").write_bytes(data)
        second = subprocess.run([NODE, CHECKER, tmp_path / "forged"], capture_output=True, text=True, check=False)
        assert (second.returncode, second.stderr) == (1, ""), name


def test_circles_that_pay_in_long_fractions_are_refused_where_values_are_enclosed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """There is no room for what values are off by, and more digits would not make any."""
    text = (SUITE / "rules" / "circle.yaml").read_text("utf-8")
    for short, long in (
        ("[1000003, 999983]", "[1000000000000037, 999999999999989]"),
        ("roll: {x: d3}", "roll: {x: d3, a: odd}"),
        ("add 1 if x == 1 else 2 to", "add a to"),
        ("add -1 to", "add -a to"),
        ("add -2 to", "add -a to"),
    ):
        assert short in text
        text = text.replace(short, long)
    path = tmp_path / "circle.yaml"
    path.write_text(text, "utf-8")
    solution = solve(bind(load_ruleset(path)[0]))
    certified(certificate(solution), load_ruleset(path)[0])
    monkeypatch.setattr(evidence, "MAX_EXACT_ARENA_STATES", 0)
    with pytest.raises(UncertifiableError, match="lead round in circles"):
        certificate(solution)
