"""The JavaScript of rolls against the Python: every weight, every enclosure, every refusal, every answer as JSON."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from oddsmith.api import roll
from oddsmith.base.errors import QuestionError, RuleFailure
from oddsmith.base.exact import Number
from oddsmith.base.resources import package_text
from oddsmith.rolls import anydice
from oddsmith.rolls.peg import Grammar, NotParsed, shortest_grammar, walk_nodes
from oddsmith.rolls.pmf import (
    Pmf,
    Value,
    add,
    combine,
    comparison,
    endless_total,
    iid_sum,
    int_if_whole,
    mixture,
    negated,
    standard_deviation,
    uniform,
)
from oddsmith.rolls.pools import Exploding, Pool, Rerolling, number_of_pairs_won, total_with_limited_explosions
from tests import node
from tests.rolls.test_phrases import AMBIGUOUS, CASES, HANDED, REFUSED
from tests.rolls.typed import Typist

SEED = 20_271_127
SCRIPT = Path(__file__).with_name("job.mjs")
Tree = list[Any]

# --- one distribution as Python works it out; tests/rolls/job.mjs is its counterpart

GAINS: dict[str, Callable[[Any], Callable[[Value], Value]]] = {
    "plain": lambda _: int_if_whole,
    "reach": lambda bound: lambda face: int(face >= bound),
    "scaled": lambda factor: lambda face: int_if_whole(face * factor),
    "less": lambda amount: lambda face: int_if_whole(face - amount),
}
TWO: dict[str, Callable[[Value, Value], Value]] = {
    "max": max,
    "min": min,
    "product": lambda x, y: int_if_whole(x * y),
    "difference": lambda x, y: int_if_whole(x - y),
}
FOLDS: dict[str, tuple[Any, Callable[[Any, Value, int], Any], Callable[[Any], Value]]] = {
    "kinds": (0, lambda state, _, count: state + (count > 0), lambda state: state),
    "most": (
        (0, 0),
        lambda state, face, count: (count, face) if count > state[0] else state,
        lambda state: int_if_whole(state[0] * state[1]),
    ),
}


def value(text: Any) -> Value:
    return int_if_whole(Fraction(text))


def gain(how: Tree) -> Callable[[Value], Value]:
    return GAINS[how[0]](value(how[1]) if len(how) > 1 else None)


def at_least(bound: Any) -> Callable[[Value], bool]:
    least = value(bound)
    return lambda face: face >= least


def pool(told: dict[str, Any]) -> Pool:
    varies, window = told.get("varies"), told.get("window")
    kind = Exploding if varies and varies[0] == "explodes" else Rerolling
    groups = tuple((count, pmf(die)) for count, die in told["groups"])
    made = Pool(groups, tuple(window) if window else None, kind(at_least(varies[1]), varies[2]) if varies else None)
    return made.keep_ranks(*told["kept"]) if told.get("kept") else made


def _penetrating(die: Tree, bound: Any) -> Pmf:
    later = endless_total(pmf(die), at_least(bound), GAINS["less"](1))
    return endless_total(pmf(die), at_least(bound), int_if_whole, later)


MADE: dict[str, Callable[..., Pmf]] = {
    "die": lambda weights: Pmf.from_weights({value(face): weight for face, weight in weights}),
    "uniform": lambda sides: uniform(range(1, sides + 1)),
    "constant": lambda number: Pmf.point_mass(value(number)),
    "add": lambda left, right: add(pmf(left), pmf(right)),
    "times": lambda count, each: iid_sum(count, pmf(each)),
    "shifted": lambda scale, more, each: pmf(each).affine(value(scale), value(more)),
    "mapped": lambda how, each: pmf(each).mapped(gain(how)),
    "compared": lambda sign, left, right: comparison(sign, pmf(left), pmf(right)),
    "combined": lambda name, left, right: combine(TWO[name], pmf(left), pmf(right)),
    "negated": lambda question: negated(pmf(question)),
    "mixed": lambda cases: mixture([(weight, pmf(each)) for weight, each in cases]),
    "chain": lambda die, bound, how, reach: endless_total(pmf(die), at_least(bound), gain(how), None, reach),
    "penetrating": _penetrating,
    "repeated": lambda die, bound, most, how: total_with_limited_explosions(pmf(die), at_least(bound), most, gain(how)),
    "total": lambda dice, how: pool(dice).total_distribution(gain(how)),
    "fold": lambda dice, name: pool(dice).reduce_faces(*FOLDS[name]),
    "opposed": lambda left, right, ties: number_of_pairs_won(pool(left), pool(right), ties),
}


def pmf(tree: Tree) -> Pmf:
    return MADE[tree[0]](*tree[1:])


def number(of: Number | None) -> dict[str, str | None] | None:
    return None if of is None else of.to_json()


def told(found: Pmf) -> dict[str, Any]:
    tail = found.tail
    return {
        "weights": {str(face): str(weight) for face, weight in found.weights.items()},
        "total": str(found.total),
        "tail": tail
        and {
            "weight": str(tail.weight),
            "least": None if tail.least is None else str(tail.least),
            "first": number(tail.mean),
            "second": number(tail.mean_square),
        },
        "flag": found.is_yes_or_no,
        "mean": number(found.mean),
        "deviation": number(standard_deviation(found)),
        "below": number(found.chance_below(3)),
    }


def answer(job: dict[str, Any]) -> Any:
    """What Python makes of a job."""
    try:
        if job["job"] == "hands":
            return {",".join(map(str, hand)): str(weight) for hand, weight in pool(job["dice"]).weighted_hands()}
        return told(pmf(job["tree"]))
    except RuleFailure as error:
        return {"broken": [error.code, error.message, error.hint]}


def disagreements(jobs: list[dict[str, Any]]) -> list[Any]:
    """The jobs of which the two make different things; a job that is no case of either, such as a negative power, fails."""
    found = node.answers(SCRIPT, *jobs)
    wanted = [answer(job) for job in jobs]
    return [each for each in zip(jobs, found, wanted, strict=True) if each[1] != each[2]]


# --- random jobs


class Maker:
    """Random distributions and pools that are quickly worked out."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311

    def face(self, low: int = -3) -> str:
        text = str(self.random.randint(low, 9))
        return f"{text}/{self.random.choice((2, 3))}" if self.random.random() < 0.08 else text

    def die(self) -> Tree:
        if self.random.random() < 0.6:
            return ["uniform", self.random.choice((1, 2, 3, 4, 6, 6, 8, 10))]
        low = self.random.choice((-3, 0, 1))
        faces = {self.face(low): self.random.randint(0, 5) for _ in range(self.random.randint(1, 5))}
        faces[self.face(low)] = 1
        return ["die", [list(each) for each in faces.items()]]

    def how(self) -> Tree:
        name = self.random.choice(("plain", "plain", "reach", "scaled", "less"))
        return [name] if name == "plain" else [name, self.face()]

    def window(self) -> list[int]:
        return [self.random.randint(-3, 3), self.random.randint(-3, 4)]

    def pool(self, *, explodes: bool = True) -> dict[str, Any]:
        groups: list[list[Any]] = [
            [self.random.randint(1, 4), self.die()] for _ in range(self.random.choice((1, 1, 2)))
        ]
        found: dict[str, Any] = {"groups": groups}
        if self.random.random() < 0.6:
            found["window"] = self.window()
        if self.random.random() < 0.2:
            found["kept"] = self.window()
        if explodes and self.random.random() < 0.3:
            groups[:] = [[min(groups[0][0], 3), groups[0][1]]]  # else, some would take seconds
            found["varies"] = ["explodes", self.face(6), self.random.choice((None, None, 1, 2))]
        elif explodes and self.random.random() < 0.1:
            groups[0][1] = self.chain()
        elif explodes and self.random.random() < 0.1:
            found["varies"] = ["rerolls", self.face(2), self.random.randint(1, 3)]
        return found

    def chain(self) -> Tree:
        return [
            "chain",
            self.die(),
            self.face(4),
            self.random.choice((["plain"], self.how())),
            self.random.choice((0, 0, 90)),
        ]

    def tree(self, depth: int) -> Tree:
        make = self.random
        if depth == 0:
            return self.die()
        name = make.choice(
            ("add", "add", "times", "times", "shifted", "mapped", "compared", "combined", "mixed", "chain", "penetrating",
             "repeated", "total", "total", "total", "fold", "opposed", "negated")
        )  # fmt: skip
        one, two = self.tree(depth - 1), self.tree(make.randrange(depth))
        parts: dict[str, Callable[[], list[Any]]] = {
            "add": lambda: [one, two],
            "times": lambda: [make.randint(0, 7), one],
            "shifted": lambda: [self.face(), self.face(), one],
            "mapped": lambda: [self.how(), one],
            "compared": lambda: [make.choice(("<", "<=", "==", "!=", ">", ">=")), one, two],
            "combined": lambda: [make.choice(tuple(TWO)), one, two],
            "mixed": lambda: [[[make.randint(0, 4), one], [make.randint(1, 4), two], [1, self.die()]]],
            "chain": lambda: self.chain()[1:],
            "penetrating": lambda: [self.die(), self.face(6)],
            "repeated": lambda: [self.die(), self.face(3), make.randint(0, 3), self.how()],
            "total": lambda: [self.pool(), self.how()],
            "fold": lambda: [self.pool(), make.choice(tuple(FOLDS))],
            "opposed": lambda: [self.pool(explodes=False), self.pool(explodes=False), make.random() < 0.5],
            "negated": lambda: [["compared", "<", one, two]],
        }
        return [name, *parts[name]()]


def test_random_distributions_have_equal_weights() -> None:
    maker = Maker(SEED)
    jobs = [{"job": "pmf", "tree": maker.tree(maker.random.choice((1, 1, 2, 3)))} for _ in range(800)]
    assert disagreements(jobs) == []


def test_random_hands_are_equal() -> None:
    maker = Maker(SEED + 1)
    assert disagreements([{"job": "hands", "dice": maker.pool()} for _ in range(300)]) == []


def test_many_dice_have_equal_weights() -> None:
    def kept(count: int, sides: int, window: list[int] | None, how: Tree, explodes: list[Any] | None = None) -> Tree:
        dice = {
            "groups": [[count, ["uniform", sides]]],
            "window": window,
            "varies": explodes and ["explodes", *explodes],
        }
        return ["total", dice, how]

    trees = [
        kept(16, 10, [0, 8], ["plain"]),
        kept(100, 6, [0, 50], ["plain"]),
        kept(200, 100, None, ["plain"]),
        kept(3, 6, None, ["plain"], ["6", None]),
        kept(30, 10, None, ["reach", "7"], ["10", None]),
        kept(30, 10, None, ["reach", "7"], ["7", None]),
        kept(4, 6, [0, 3], ["plain"], ["6", None]),
        kept(700, 100, None, ["plain"]),  # refused
        kept(2000, 20, [0, 9], ["plain"]),  # refused
        ["combined", "max", ["times", 40, ["uniform", 60]], ["times", 40, ["uniform", 60]]],  # refused
        ["times", 3, ["shifted", "9007199254740991", "5", ["uniform", 4]]],  # beyond what a float can count
    ]
    assert disagreements([{"job": "pmf", "tree": tree} for tree in trees]) == []


# --- grammars

GRAMMAR = r"""
# Everything that a grammar can say. 'No' "rule" ~here~
start = head? body:or end -> $body / bare
head  = ('what is' / 'roll') !"!"
or    = first:sum rest:('or' right:sum -> (@list or $right))* -> (@left $first $rest)
sum   = first:item rest:(op:~[-+]~ _ right:item -> (@list $op $right))*
        -> (@left $first $rest)
item  = &~\d~ n:number
      / "(" inner:or ")" / 'THE   best' "of" list -> (best $2 @text null 'two words' "+=")
      / loop / w:~\w[\w-]*'?~ _ -> (word $w) / ~x(\d)?y~ -> (last $0)
number = ~(\d+)\s*(?:dice|\~)?~ -> (n $0)
list  = "[" first:or rest:("," i:or)* "]" -> (@list $first $rest...)
      / "{" or+ "}" -> (some $1)
      / "<" (or ";")* ">" -> (none @text)
loop  = loop "~" / "@" loop
bare  = ~\.\s*~ "-" ~é+~ ~[^\s\d]\s~
end   = ("?" / "!")*
"""
WORDS = [
    "what is", "roll", "Roll", "or", "OR", "orc", "(", ")", "the best", "THE  BEST", "of", "[", "]", "{", "}", "<", ">", ",",
    ";", "+", "-", "12", "7 dice", "3~", "x", "x4y", "xy", "@", "~", "?", "!", ".", "é", "É", "l'", "a-b", "_", "٣", "🎲", "ß",
    "\n",
]  # fmt: skip


def parsed(text: str, grammar: Grammar, rule: str) -> dict[str, Any]:
    try:
        tree = grammar.parse(text, rule)
        return {"tree": tree, "nodes": len([*walk_nodes(tree)])}
    except NotParsed as error:
        return {"at": error.offset, "expected": error.expected}


def test_grammars_are_read_alike() -> None:
    make = random.Random(SEED)  # noqa: S311
    texts = [
        "",
        " ",
        "12",
        "what is 3 + 4 - (5 or 6)?",
        "the best of [1, 2 + 3] or a",
        ".-éé ! ",
        "the best of <1;2;>",
        "é é",
    ]
    texts += [
        "".join(make.choice(WORDS) + make.choice(("", " ", "  ")) for _ in range(make.randint(1, 9)))
        for _ in range(2000)
    ]
    both = [Grammar(GRAMMAR), Grammar(GRAMMAR, case_sensitive=True)]
    for grammar, cased in zip(both, (False, True), strict=True):
        job = {"job": "parse", "grammar": GRAMMAR, "texts": texts, "rule": "start", "cased": cased}
        (found,) = node.answers(SCRIPT, job)
        wanted = [parsed(text, grammar, "start") for text in texts]
        assert [each for each in zip(texts, found, wanted, strict=True) if each[1] != each[2]] == []
        assert sum("tree" in each for each in wanted) > 100


@pytest.mark.parametrize("parts", ["$how", "$how $n $n"])
def test_a_phrase_of_the_grammar_that_keeps_dice_says_which_and_how_many(parts: str) -> None:
    Grammar("kept = 'keep' how:~\\w+~ n:~\\d~ -> (@list keep $how $n)", arities={"@list keep": 2})
    with pytest.raises(AssertionError, match="@list keep"):
        Grammar(f"kept = 'keep' how:~\\w+~ n:~\\d~ -> (@list keep {parts})", arities={"@list keep": 2})


# --- whole questions

PARTS = [
    "3d6!", "4d6kh3", "d20", "+", "-", ">=", "highest", "lowest", "of", "5d10cs>=8", "and", "or", "once", "exploding", "reroll",
    "1s", "times", "vs", "10", "2d20kl1", "4d6r<2", "6d6e6", "8d6x>4", "d%", "4dF", "d66", "max(", ")", "/", "2", "é", "🎲",
    "foo", "5d6>4f1", "10d6!>5", "2d6ro1", "d20min10", "4d6d1", "d4d6", "(1d4)d6", "d{1,1,2}", "3d{1:2,6}", "2d6x10",
    "for n in 1..4",
]  # fmt: skip
RACES = ["yahtzee within three rolls", "death saves", "death saves with advantage", "7 before 4 on 2d6", "usage die d12",
         "4 of a kind within 2 throws of 5d4", "2 hits before 1 failure with d6 at 5+", "4 of a kind within 2 throws of 5d6kh3",
         "13 before 14 on 2d6", "d8 with a wild die + 2, target number 6",
         "d10 and a wild die d6, both ace, raise"]  # fmt: skip


def questions() -> list[tuple[str, str | None]]:
    """Phrases as they stand and with words that were changed, most of which cannot be read."""
    make = random.Random(SEED)  # noqa: S311
    lines = Path(__file__).with_name("phrases.tsv").read_text("utf-8").splitlines()
    phrases = [line.split("\t")[0] for line in lines if line and not line.startswith("#")]
    words = [*PARTS, *(word for phrase in phrases for word in phrase.split())]
    changed = []
    for _ in range(250):
        phrase = make.choice(phrases).split()
        place = make.randrange(len(phrase))
        phrase[place : place + make.randint(0, 1)] = [make.choice(words)] * make.randint(0, 1)
        changed.append(" ".join(phrase))
    dialects = ("foundry", "roll20", "avrae", "anydice", "yahtzee")
    programs = [
        "output 3d6",
        "output4d3",
        "output 3d6 keep 2 highest",
        "\noutput d20! \n",
        'output [highest 2 of 3d6] named "two"',
        "[highest 1 of 2d{1..4,6}]",
        "2@3d6",
        "output 1/0",
        "#d6",
    ]
    told = (
        [phrase for case in CASES for phrase in case[2]]
        + [each for each, _ in AMBIGUOUS]
        + [each for each, *_ in REFUSED]
    )
    found: list[tuple[str, str | None]] = [(phrase, None) for phrase in phrases + changed + programs + told + RACES]
    return found + [(make.choice([*phrases, *changed, *PARTS]), make.choice(dialects)) for _ in range(200)]


def tree_or_place(grammar: Grammar, question: str) -> Any:
    try:
        return grammar.parse(question, "question")
    except NotParsed as error:
        return error.offset


@pytest.mark.parametrize(("name", "start"), [("rolls", "question"), ("anydice", "program")])
def test_every_rule_is_used(name: str, start: str) -> None:
    text = re.sub(r"#.*|'[^'\n]+'|~(?:\\~|[^~\n])*~", " ", package_text(f"rolls/{name}.peg"))
    rules = re.findall(r"(?m)^(\w+)\s*=", text)
    assert [rule for rule in rules if rule != start and len(re.findall(rf"(?<![\w$]){rule}(?![\w:])", text)) < 2] == []


def test_a_grammar_without_spaces_reads_the_same() -> None:
    text = package_text("rolls/rolls.peg")
    whole, short = Grammar(text), Grammar(shortest_grammar(text))
    assert len(shortest_grammar(text)) < len(text)
    assert short.words == whole.words
    for question, *_ in HANDED[::8]:  # of all, scripts read the short one in the test of equal answers
        assert tree_or_place(short, question) == tree_or_place(whole, question)


def rolled(question: str, dialect: str | None) -> Any:
    try:
        return roll(question, dialect).to_json(12)
    except QuestionError as error:
        return {"error": str(error)}


def answered_otherwise(asked: list[tuple[str, str | None]]) -> tuple[list[Any], int]:
    """Questions whose answers differ, and how many were answered."""
    grammars = {name: shortest_grammar(package_text(f"rolls/{name}.peg")) for name in ("rolls", "anydice")}
    (found,) = node.answers(SCRIPT, {"job": "answers", "grammars": grammars, "questions": asked})
    wanted = [rolled(*each) for each in asked]
    differ = [each for each in zip(asked, found, wanted, strict=True) if each[1] != each[2]]
    return differ, sum("read_as" in each for each in wanted)


def test_questions_have_equal_answers() -> None:
    differ, answered = answered_otherwise(questions())
    assert differ == []
    assert answered > 200


def differing(seed: int, count: int) -> tuple[list[Any], int]:
    """Random questions whose answers differ, and how many were answered."""
    typist = Typist(seed)
    return answered_otherwise([(typist.question(), typist.dialect()) for _ in range(count)])


def test_random_questions_have_equal_answers() -> None:
    differ, answered = differing(SEED, 600)
    assert differ == []
    assert answered > 400


@pytest.mark.long
@pytest.mark.parametrize("part", range(100))
def test_a_hundred_thousand_random_questions_have_equal_answers(part: int) -> None:
    differ, answered = differing(SEED + 1 + part, 1000)
    assert differ == []
    assert answered > 600


# --- AnyDice programs

PROGRAMS = [
    'output 3d6 named "three" output 2d6 > d{1, 2, 9} output (d6 - 4) / (d3 - 1) output 2 ^ d100 output -7 / 2 * 3',
    "output d6d4 output (-2)d{1..3, 5:2} output d{} + 3 output d{} * 3 output {3, 1:2, d4} output d0",
    'X: d{2, 4} Y: 2d6 Z: {1, 2} output 1 named "[X] [Y] [Z] [é] ü" output Y = X output Z = 1 output Z < {1, 3}',
    "output 2@16d10 output {1, 3, 3}@4d6 output 2@-345 output [highest 3 of 20d10] output [middle 2 of 5d4]",
    "output [count {5, 6, 6} in 10d6] output [3d6 contains d6] output [explode 2d4] output [sort 2d4] output [reverse d3]",
    "output [lowest 2 of 2d4 and d6 and {3, 9}] output [highest of 2d6 and d12] output [lowest d2 of 3d4]",
    'set "position order" to "lowest first" set "explode depth" to 3 output 1@3d6 output [explode d4]',
    "T: 0 function: f A:s and B:n { T: T + 1@A if B = 1 { result: d{} } result: {A, T} } output [f 3d4 and d4]",
    "function: f X:n { if X = 6 { result: X + [f d6] } result: X } output [f d6] output 3d[f d6]",
    'function: f { result: 1 + [f] } set "maximum function depth" to 200 output [f] output 2 ^ 63 * d2 + [f]',
    "loop N over {1..4} { if N = 2 { output Nd6 } else if N > 2 { X: N ^ 70 } else { output X } }",
    "output 9007199254740993 output 9007199254740992 + d2 output #12345678901234567890123 output 1@98765432109876543210",
    "output 3d6 % 2", "output [highst 1 of 2d6]", "output 3d6\n\n\toutput é", "output (3d6", "output 🎲", "x", "",
    "loop X over 3 { output X }", "function: f { output 1 }", 'set "explode deth" to 3', "output 0 ^ (0 - d2)",
    "output d99999999", "output {1..99999999}", "output 9 ^ 99999", "output 99999d99999", "if d6 { output 1 }",
    "D: d6 loop X over {1..9} { D: D * D } output D", "function: f X:s { result: 1@X + 2@X } output [f 30d30]",
    "Output 2D6 + D4 output (d4)D4 D: 3 output 2dD output #{1..99999999999999999999:0} output {1..99999999999999999999}",
    "if 1 { function: f { if 1 { output 3 } } }", "loop X over {1} { result: X }", "output [2d6 + 3]", "output {d4:2, 3..1}",
    'output legacy "4d6h3"', "output X1",
    "result: 1", "output d6@3d6", 'output 1 named "🎲 [UNKNOWN]"', "output 3d6 \\ 🎲 comment \\ + \\", "output {1..d6}",
]  # fmt: skip


SIGNS = ("+", "-", "*", "/", "=", "!=", "<", ">", "<=", ">=", "&", "|")


class Writer:
    """Random AnyDice programs of what is quickly worked out."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311

    def expression(self, depth: int) -> str:
        make = self.random
        if depth == 0:
            return make.choice(
                ("d4", "d6", "2d3", "3d4", "X", "Y", "Z", "{1..3}", "{2, 2, 5}", "d{}", "d{0, 1, 1}", "7", "2")
            )
        one, two = self.expression(depth - 1), self.expression(make.randrange(depth))
        return make.choice(
            (
                f"({one} {make.choice(SIGNS)} {two})",
                f"({make.choice('-!#+d')}{one})", f"({make.randint(-1, 3)})d({one})", f"{make.randint(0, 4)}@({one})",
                f"{{1, {make.randint(0, 3)}}}@({one})", f"[highest {make.randint(0, 3)} of {one}]",
                f"[lowest 1 of {one} and {two}]",
                f"[count {{1, 2, 2}} in {one}]", f"[{one} contains 2]", f"[absolute {one}]", f"[middle 2 of {one}]",
                f"[highest of {one} and {two}]", f"[maximum of {one}]", f"[explode {one}]", f"[sort {one}]", f"[reverse {one}]",
                f"[f {one}]", f"[g {one} and {two}]", f"{{{one}, {two}:2}}", f"[count {one} in {two}]",
            )
        )  # fmt: skip

    def program(self) -> str:
        make = self.random
        order = make.choice(("highest", "lowest"))
        return (
            f'set "position order" to "{order} first" X: {self.expression(0).replace("X", "3").replace("Y", "d3")} '
            f"Y: {make.choice(('2d4', '5', '{4, 1}'))} Z: 1 "
            "function: f A:s { Z: Z + #A if 1@A > 2 { result: Z + (A >= 2) } result: {A, 1} } "
            "function: g A:n and B { if A > 2 { result: B } if A = 1 { result: [f B] } } "
            f"output {self.expression(make.choice((1, 2, 2)))} output {self.expression(1)}"
        )


def answered(program: str) -> Any:
    try:
        found = anydice.run_program(program)
    except QuestionError as error:
        return str(error)
    return [[name, {str(value): str(weight) for value, weight in each.weights.items()}] for name, each in found]


def test_anydice_programs_have_equal_fractions() -> None:
    writer = Writer(SEED)
    programs = [*PROGRAMS, *(writer.program() for _ in range(400))]
    (found,) = node.answers(
        SCRIPT, {"job": "anydice", "grammar": package_text("rolls/anydice.peg"), "programs": programs}
    )
    made = [each if isinstance(each, str) else [[name, told["weights"]] for name, told in each] for each in found]
    wanted = [answered(program) for program in programs]
    assert [each for each in zip(programs, made, wanted, strict=True) if each[1] != each[2]] == []
    assert sum(isinstance(each, list) for each in wanted) > 200
