"""AnyDice programs: values counted by hand here, the traps of the language, and errors at their places."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from time import perf_counter

import pytest

from oddsmith.base.errors import QuestionError
from oddsmith.rolls.anydice import run_program
from oddsmith.rolls.pmf import Pmf

Chances = dict[int, Fraction]


def chances(found: Pmf) -> Chances:
    assert sum(found.weights.values()) == found.total
    return {int(value): Fraction(weight, found.total) for value, weight in found.weights.items()}


def only(program: str) -> Chances:
    """The chances of a program with one output."""
    [(_, found)] = run_program(program)
    return chances(found)


def shown(expression: str) -> Chances:
    return only(f"output {expression}")


def counted(cases: Iterator[int]) -> Chances:
    """The chances of equally likely cases."""
    found: dict[int, int] = {}
    for value in cases:
        found[value] = found.get(value, 0) + 1
    return {value: Fraction(weight, sum(found.values())) for value, weight in found.items()}


def thrown(function: Callable[..., int], *dice: int) -> Chances:
    """The chances of a function of dice, from every throw."""
    return counted(function(*throw) for throw in product(*(range(1, sides + 1) for sides in dice)))


def cut(value: int, by: int) -> int:
    return int(Fraction(value, by)) if by else 0


# --- values


@pytest.mark.parametrize(
    ("expression", "function", "dice"),
    [
        ("3d6", lambda *d: sum(d), (6, 6, 6)),
        ("d4 + d6 - 2", lambda a, b: a + b - 2, (4, 6)),
        ("d6 * d4", lambda a, b: a * b, (6, 4)),
        ("(d6 - 4) / 2", lambda a: cut(a - 4, 2), (6,)),
        ("d6 / (d4 - 1)", lambda a, b: cut(a, b - 1), (6, 4)),
        ("d3 ^ d3", lambda a, b: a**b, (3, 3)),
        ("2 ^ (d3 - 2)", lambda a: int(Fraction(2) ** (a - 2)), (3,)),
        ("d6 >= d6", lambda a, b: int(a >= b), (6, 6)),
        ("d6 != 2d3", lambda a, b, c: int(a != b + c), (6, 3, 3)),
        ("d6 > 3 & d4 = 1 | d2 - 1", lambda a, b, c: int((a > 3 and b == 1) or c > 1), (6, 4, 2)),
        ("!(d6 > 3)", lambda a: int(a <= 3), (6,)),
        ("-2d4", lambda a, b: -a - b, (4, 4)),
        ("[highest 3 of 4d6]", lambda *d: sum(sorted(d)[1:]), (6,) * 4),
        ("[lowest 2 of 4d6]", lambda *d: sum(sorted(d)[:2]), (6,) * 4),
        ("[middle 1 of 4d6]", lambda *d: sorted(d)[2], (6,) * 4),
        ("[middle 2 of 4d6]", lambda *d: sum(sorted(d)[1:3]), (6,) * 4),
        ("[middle 9 of 2d6]", lambda *d: sum(d), (6,) * 2),
        ("2@4d6", lambda *d: sorted(d)[2], (6,) * 4),
        ("{1, 4, 4, 9}@4d6", lambda *d: max(d) + 2 * min(d), (6,) * 4),
        ("[highest of d6 and 2d4]", lambda a, b, c: max(a, b + c), (6, 4, 4)),
        ("[lowest of d6 and 4]", lambda a: min(a, 4), (6,)),
        ("[highest 2 of 2d4 and d6]", lambda *d: sum(sorted(d)[1:]), (4, 4, 6)),
        ("[lowest 2 of d4 and d6 and 2d3]", lambda *d: sum(sorted(d)[:2]), (4, 6, 3, 3)),
        ("[highest d3 of 3d6]", lambda n, *d: sum(sorted(d)[3 - n :]), (3, 6, 6, 6)),
        ("[count {5, 6, 6} in 3d6]", lambda *d: sum((x == 5) + 2 * (x == 6) for x in d), (6,) * 3),
        ("[count d6 in 2d6]", lambda n, *d: d.count(n), (6,) * 3),
        ("[3d6 contains 6]", lambda *d: int(6 in d), (6,) * 3),
        ("[{1..3} contains d6]", lambda a: int(a < 4), (6,)),
        ("[absolute d6 - d6]", lambda a, b: abs(a - b), (6, 6)),
        ("[sort 2d6]", lambda *d: sum(d), (6, 6)),
        ("[maximum of 3d6]", lambda: 18, ()),
    ],
)
def test_expressions(expression: str, function: Callable[..., int], dice: tuple[int, ...]) -> None:
    assert shown(expression) == thrown(function, *dice)


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("2 + 3 * 2 ^ 2", 14), ("-3 / 2", -1), ("5 / 0", 0), ("2 ^ -1", 0), ("1 | 1 & 0", 0), ("3 - 2 - 1", 0),
        ("#{2, 4, 6}", 3), ("#{1..99999999999999999999:0}", 0), ("#{{}:99999999999999999999}", 0),
         ("#(3d6)", 3), ("#1234", 4), ("#d{}", 0), ("#3d1", 1), ("#(-2d6)", 2), ("##{7:12}", 2),
        ("1@246", 2), ("{1..3}@246", 12), ("4@246", 0), ("2@{5, 7}", 7), ("{1, 2, 2}@{2, 4, 6}", 10), ("1@-25", -2),
        ("{1, 2, 3} + 1", 7), ("{4, 5, 6} >= 5", 2), ("5 = {5, 5, 1}", 2), ("{1, 2} < {1, 3}", 1), ("{2} > {1, 9}", 1),
        ("{1, 2} = {1, 2}", 1), ("#{1..3:2}", 6), ("#{d4, 3d2}", 8), ("#{3..1}", 0), ("#{{1, 2}:3, 4}", 7),
        ("1@[sort {1, 2, 4, 6, 5, 3}]", 6), ("1@[reverse {1..6}]", 6), ("[count {1, 2} in {1..6}]", 2), ("d0", 0),
        ("0d6", 0), ("[absolute -3]", 3), ("[maximum of d{}]", 0), ("!0 + !5", 1), ("-{1, 2}", -3), ("#[reverse {}]", 0),
    ],
)  # fmt: skip
def test_numbers(expression: str, value: int) -> None:
    assert shown(expression) == {value: 1}


@pytest.mark.parametrize(
    ("expression", "same"),
    [
        ("d{2, 3, 3, 4}", "2d2"), ("{1:2, 2}", "d{1, 1, 2}"), ("2d(2d2)", "4d2"), ("d(2d6)", "2d6"),
        ("1d6d4", "(d6)d4"), ("XdY", "2d6"), ("(-2)d6", "-(2d6)"), ("d(-4)", "-d4"), ("d{} + 2d6", "2d6"), ("3 - d{}", "3"),
        ("[highest 2 of -3d6]", "-[lowest 2 of 3d6]"), ("[highest 1 of 1d(2d6)]", "[highest 1 of 2d6]"),
        ("[highest 1 of d(2d6)]", "[highest 1 of 2d6]"), ("3d6 > {1, 2, 3}", "3d6 > 6"), ("d6 <= {2, 3}", "d6 <= 5"),
        ("d{d6:2}", "d6"),
        ("2D6 + D4", "2d6 + d4"), ("[highest 2 of 3D6]", "[highest 2 of 3d6]"), ("(d4)D4", "d4d4"), ("2dD", "2d3"),
    ],
)  # fmt: skip
def test_the_same(expression: str, same: str) -> None:
    (_, one), (_, two) = run_program(f"X: 2 Y: 6 D: 3 output {expression} Output {same}")
    assert chances(one) == chances(two)


def test_dice_that_number_dice() -> None:
    found = shown("d2d4")
    one = {value: Fraction(1, 8) for value in range(1, 5)}
    for a, b in product(range(1, 5), repeat=2):
        one[a + b] = one.get(a + b, Fraction(0)) + Fraction(1, 32)
    assert found == one


def test_explosions() -> None:
    def exploded(*d: int) -> int:
        total = 0
        for each in d:
            total += each
            if each < 6:
                break
        return total

    assert shown("[explode d6]") == thrown(exploded, 6, 6, 6)
    assert only('set "explode depth" to 1 output [explode d6]') == thrown(exploded, 6, 6)
    assert shown("[explode 2d2]") == thrown(
        lambda a, b, c, d, e, f: a + b + (c + d + (e + f if c + d == 4 else 0) if a + b == 4 else 0), *(2,) * 6
    )
    (_, one), (_, two) = run_program("X: [explode d6] output 2d[explode d6] output X + X")
    assert chances(one) == chances(two)


def test_position_order() -> None:
    lowest = 'set "position order" to "lowest first" '
    assert only(lowest + "output 1@3d6") == thrown(min, 6, 6, 6)
    assert only(lowest + "output 1@246") == {6: 1}
    assert only(lowest + "output 1@[sort {3, 1, 2}]") == {1: 1}
    assert only(lowest + "output 2@{3, 1, 2}") == {1: 1}
    assert only(lowest + "output [highest 1 of 2d6]") == thrown(max, 6, 6)
    assert only(lowest + "function: f S:s { result: 1@S } output [f 3d4]") == thrown(min, 4, 4, 4)


def test_statements_and_names() -> None:
    program = """
    \\ a comment, "output" and all \\
    TOTAL: 0
    loop N over {1..3} { TOTAL: TOTAL + N  output Nd4 named "[N]d4 of [TOTAL]" }
    if TOTAL = 5 { output 1 } else if TOTAL > 5 { output 2 named "\\ kept \\" } else { output 3 }
    output TOTAL
    output 1 named "[N] [X] [y]" X: d{1, 3}"""
    with pytest.raises(QuestionError, match="variable X"):
        run_program(program)
    names = [name for name, _ in run_program(program.replace("[X]", "{X}"))]
    assert names == ["1d4 of 1", "2d4 of 3", "3d4 of 6", "\\ kept \\", "output 5", "3 {X} [y]"]
    assert run_program("") == []


# --- functions


def test_parameters() -> None:
    call = "function: f X{} {{ result: #X }} output [f {}]"
    assert only(call.format("", "3d6")) == {3: 1}
    assert only(call.format(":d", "3d6")) == {3: 1}
    assert only(call.format(":s", "3d6")) == {3: 1}
    assert only(call.format(":n", "3d6")) == thrown(lambda *d: len(str(sum(d))), 6, 6, 6)
    assert only(call.format(":n", "{70, 80}")) == {3: 1}
    assert only(call.format(":s", "5")) == {1: 1}
    assert only(call.format(":d", "{1, 2}")) == {1: 1}


def test_hands_are_sorted_and_weighed() -> None:
    program = "function: f A:s and B:n { result: 1@A * 100 + 3@A * 10 + (A = B) } output [f 3d4 and d4]"
    assert only(program) == thrown(lambda b, *d: max(d) * 100 + min(d) * 10 + d.count(b), 4, 4, 4, 4)


def test_a_weighted_die_twice() -> None:
    """Two weighted dice at once, which AnyDice weighs wrongly."""
    program = "function: f A:n B:n { if A > B { result: A } result: d{B, B, 9} } output [f 2d3 [highest 1 of 2d3]]"
    assert only(program) == thrown(
        lambda a, b, c, d, e: a + b if a + b > max(c, d) else (9 if e == 3 else max(c, d)), 3, 3, 3, 3, 3
    )


def test_scopes() -> None:
    program = """
    G: 5
    function: outer X:n { L: X * 10 result: [inner] }
    function: inner { result: G + L }
    output [outer d2]
    L: 1
    output [inner]
    function: sets { G: 1 result: G }
    output [sets] + G
    """
    assert [chances(found) for _, found in run_program(program)] == [
        {15: Fraction(1, 2), 25: Fraction(1, 2)}, {6: 1}, {6: 1}
    ]  # fmt: skip


def test_parameters_do_not_leak() -> None:
    """A parameter that one case has changed is whole again in the next, where AnyDice goes on with the changed one."""
    program = "function: f A:n and B:n { R: B B: B + A result: R } output [f d6 and d4]"
    assert only(program) == thrown(lambda _, b: b, 6, 4)
    draw = "function: draw X:n from S:s { S: {S, X} result: #S } output [draw d6 from {1, 2}]"
    assert only(draw) == {3: 1}


def test_variables_do_not_leak() -> None:
    """One roll more in every case that fails, where AnyDice allows it in the first one only."""
    program = "function: f X:n { if X < 3 & AGAIN { AGAIN: 0 result: [f d6] } result: X >= 3 } AGAIN: 1 output [f d6]"
    assert only(program) == {0: Fraction(1, 9), 1: Fraction(8, 9)}
    program = "TOTAL: 0 function: sum up X:n { TOTAL: TOTAL + X result: TOTAL } output [sum up d6]"
    assert only(program) == thrown(lambda each: each, 6)


def test_no_result_and_empty_dice_are_left_out() -> None:
    assert only("function: f X:n { if X > 2 { result: X } } output [f d6]") == counted(iter((3, 4, 5, 6)))
    again = "function: f X:n { if X = 1 { result: d{} } result: X } output [f d6]"
    assert only(again) == counted(iter((2, 3, 4, 5, 6)))
    nested = "function: f X:n { if X > 2 { result: X } } function: g X:n { result: [f X] } output [g d6]"
    assert only(nested) == counted(iter((3, 4, 5, 6)))
    assert only("function: f { X: 1 } output [f]") == {}


def test_depth() -> None:
    program = "function: f { result: 1 + [f] } output [f]"
    assert only(program) == {10: 1}
    assert only('set "maximum function depth" to 5 ' + program) == {5: 1}
    assert only('set "maximum function depth" to 300 ' + program) == {300: 1}


def test_results_that_are_dice_and_sequences() -> None:
    program = "function: f X:n { if X = 1 { result: d6 } result: {X, 10} } output [f d2]"
    assert only(program) == {12: Fraction(1, 2), **{value: Fraction(1, 12) for value in range(1, 7)}}
    assert only("function: f X { result: {X, 10} } output [f 2]") == {2: Fraction(1, 2), 10: Fraction(1, 2)}


def test_own_functions_come_before_built_in_ones() -> None:
    assert only("function: absolute X:n { result: 7 } output [absolute -3]") == {7: 1}
    assert only("function: { result: 7 } output []") == {7: 1}


def test_exact_beyond_machine_numbers() -> None:
    assert shown("2 ^ d100")[2**100] == Fraction(1, 100)
    assert shown("9223372036854775807 + 1") == {2**63: 1}
    assert shown("100d100 = 100")[1] == Fraction(1, 100**100)


@pytest.mark.parametrize("name", ["absolute", "explode", "highest", "middle", "reverse", "count", "sort", "contains"])
def test_the_documentation_of_the_built_in_functions(name: str) -> None:
    """The functions as AnyDice's documentation writes them in its own language do what the built-in ones do."""
    own = {
        "absolute": ("function: own NUMBER:n { if NUMBER < 0 { result: -NUMBER } result: NUMBER }", "own d6 - d6"),
        "explode": (
            (
                'set "explode depth" to 8 function: own DIE:d { MAX: [maximum of DIE] result: [own DIE helper] } '
                "function: own N:n helper { if N = MAX { result: N + [own DIE helper] } result: N }"
            ),
            "own d6",
        ),
        "highest": ("function: own NUMBER:n of DICE:d { result: {1..NUMBER}@DICE }", "own d4 of 4d6"),
        "middle": (
            (
                "function: own NUMBER:n of DICE:d { if NUMBER = #DICE { result: DICE } FROM: 1 + (#DICE - NUMBER) / 2 "
                "TO: FROM + NUMBER - 1 result: {FROM..TO}@DICE }"
            ),
            "own d4 of 4d6",
        ),
        "reverse": (
            "function: own SEQUENCE:s { R: {} loop P over {1..#SEQUENCE} { R: {P@SEQUENCE, R} } result: R }",
            "own {1, 4, 2}",
        ),
        "count": (
            (
                "function: own VALUES:s in SEQUENCE:s { COUNT: 0 loop P over {1..#VALUES} "
                "{ COUNT: COUNT + (P@VALUES = SEQUENCE) } result: COUNT }"
            ),
            "own {4..6, 6} in 3d6",
        ),
        "sort": (
            (
                "function: own S:s { R: {} loop P over {1..#S} { R: [put P@S in R] } result: R } "
                "function: put N:n in S:s { R: {} loop P over {1..#S} { if N >= P@S { R: {R, N} N: {} } R: {R, P@S} } "
                "result: {R, N} }"
            ),
            "own {3, 1, 2, 3}",
        ),
        "contains": ("function: S:s own N:n { result: (S = N) > 0 }", "2d6 own d6"),
    }
    functions, call = own[name]
    (_, one), (_, two) = run_program(f"{functions} output [{call}] output [{call.replace('own', name)}]")
    assert chances(one) == chances(two)


# --- large questions


@pytest.mark.parametrize(
    "expression",
    [
        "[highest 3 of 20d10]",
        "[count {5, 6} in 40d6]",
        "2@16d10",
        "[highest 8 of 16d10]",
        "[30d6 contains 6]",
        "100d100",
    ],
)
def test_pools_take_milliseconds(expression: str) -> None:
    start = perf_counter()
    found = shown(expression)
    assert perf_counter() - start < 1
    assert sum(found.values()) == 1


@pytest.mark.parametrize(
    "program",
    [
        "output 1000000d1000000",
        "output d99999999",
        "output {1..99999999}",
        "output {1..99999999999999999999}",
        "output {1:99999999}",
        "output 2 ^ (2 ^ 99)",
        "output 9 ^ 999999999",
        "loop X over {1..9999} { loop Y over {1..9999} { Z: X } }",
        "function: f X:s { result: 1@X + 2@X } output [f 30d30]",
        "D: d6 loop X over {1..99} { D: D * D } output D",
        "D: d2 loop X over {1..99} { D: 1@2dD } output D",
        'set "maximum function depth" to 99999999 function: f { result: [f] } output [f]',
        "output 99999999999999999999d2",
    ],
)
def test_what_takes_too_long_is_refused(program: str) -> None:
    start = perf_counter()
    with pytest.raises(QuestionError):
        run_program(program)
    assert perf_counter() - start < 20


# --- errors


@pytest.mark.parametrize(
    ("program", "marked", "says"),
    [
        ("output 3d6 % 2", "%", "no remainder"),
        ("output 3d6\noutput foo", "foo", "line 2"),
        ("output X", "X", "no value"),
        ("HITS: 2 output HIST", "HIST", "did you mean HITS"),
        ("output [higest 1 of 2d6]", "[", "did you mean highest"),
        ("output 2d6 == 3", "= 3", "one ="),
        ("3d6", "3d6", "output 3d6"),
        ("output (3d6", "", "close the ("),
        ("if d6 > 3 { output 1 }", "d6", "number"),
        ("if {1} { output 1 }", "{1}", "sequence"),
        ("loop X over 5 { output X }", "5", "braces"),
        ("function: f { output 3 }", "output", "outside"),
        ("result: 3", "result", "in a function"),
        ('set "position order" to 3', "3", "highest first"),
        ('set "explode deth" to 3', '"explode deth"', "explode depth"),
        ("output 0 ^ (0 - 1)", "0 ^", "negative power"),
        ("output d6@3d6", "d6@", "position"),
        ("output {1..d6}", "d6", "number"),
        ('output "three"', '"three"', "text"),
        ("DAMAGE1: 3", "1", "digits"),
        ('output legacy "4d6h3"', "legacy", "this old notation"),
        ("output [2d6 + 3]", "[", "round brackets"),
        ("if 1 { function: f { if 1 { output 3 } } }", "output", "outside"),
        ("loop X over {1} { result: X }", "result", "in a function"),
        ("output 3d6 \\ no end", "\\", "no end"),
    ],
)
def test_errors_at_their_places(program: str, marked: str, says: str) -> None:
    with pytest.raises(QuestionError, match=re.escape(says)) as caught:
        run_program(program)
    lines = str(caught.value).split("\n")
    [place] = [n for n, line in enumerate(lines) if line.strip() == "^"]
    at = lines[place].index("^")
    assert lines[place - 1][at:].startswith(marked)
