"""What third parties are asked, each in terms of its own, beside the same question to Oddsmith.

Nothing here knows an answer: both sides work it out. What icepool is asked is an expression of icepool. OpenSpiel has a game
of its own for Pig. Storm reads models in the language of PRISM that were written by hand, and models that were exported.
Gambit and OpenSpiel read exported trees.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial

import oddsmith
from oddsmith.base.exact import Number
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.model import Setting
from oddsmith.solve.game_solver import solve
from oddsmith.solve.questions.measure import answer_question
from tests.bench.peer import burglar, pig_alone
from tests.cases import Case, Value, cases_of, solved

Law = Mapping[Fraction, Fraction]
Answer = Number | Law


@dataclass(frozen=True)
class Question:
    """A question. ``terms``: how the page shows what the third party was asked; ``model``: what it is given besides."""

    words: str
    terms: str
    ours: Callable[[], Answer]
    model: Callable[[], str] = field(default=lambda: "")


def claimed(name: str, quote: str) -> Number:
    """What the question of a ruleset gives that stands beside a claim."""
    rules = oddsmith.load(name).ruleset
    (claim,) = [each for each in rules.claims if each.quote == quote]
    game = bind(rules)
    return answer_question(game, claim.question, lambda: solve(game))


def roll(words: str, terms: str) -> Question:
    """All chances of a roll that `oddsmith roll` answers."""

    def ours() -> Answer:
        odds = oddsmith.roll(words)
        return odds.chance or {Fraction(value): chance for value, chance in odds.probabilities.items()}

    return Question(f"`{words}`", terms, ours)


def claim(name: str, quote: str, terms: str) -> Question:
    """A claim of a ruleset about one roll."""
    return Question(f"{name}: “{quote}”", terms, lambda: claimed(name, quote))


HAND = "d6.pool(3).expand()"
GOOD = f"{HAND}.filter(lambda r: 1 not in r and len(set(r)) > 1, depth='inf')"
SCORES = "lambda r: 1 in r or 5 in r or any(r.count(f) > 2 for f in r)"
LETTERS = "(d6 - 1).pool(3).expand()"  # a letter is a 0
THIEVES = f"{HAND}.filter(lambda r: r.count(1) > r.count(6) and r.count(1) < 3, depth='inf')"
POINT = "(2 @ d6).map(lambda s: s in (f, 7)).mean()"
DICE = [
    roll("2d6 + 3", "2 @ d6 + 3"),
    roll("highest 3 of 4d6", "d6.highest(4, 3)"),
    roll("lowest of 2d20", "d20.lowest(2)"),
    roll("max(d6, d8, d10)", "highest(d6, d8, d10)"),
    roll("size(distinct(5d6))", "d6.pool(5).unique().size()"),
    roll("count(5d6, 6) >= 2", "5 @ (d6 == 6) >= 2"),
    roll("at least 10 on 3d6", "3 @ d6 >= 10"),
    roll("has_run(5d6, 3)", "d6.pool(5).largest_straight() >= 3"),
    claim("rogues-gambit", "P(Made a Meal) = 0.421", "d6.lowest(3) == 1"),
    claim("rogues-gambit", "P(Accumulate) = 0.556", f"{HAND}.map(lambda r: 1 not in r and len(set(r)) > 1)"),
    claim("rogues-gambit", "P(Trifecta) = 0.023", f"{HAND}.map(lambda r: 1 not in r and len(set(r)) == 1)"),
    claim("rogues-gambit", "E(successful roll) = 9.5 coins", f"{GOOD}.map(sum).mean()"),
    claim("farkle-turn", "One die scores 2 times in 6.", f"d6.pool(1).expand().map({SCORES})"),
    claim("farkle-turn", "Two dice score 20 times in 36.", f"d6.pool(2).expand().map({SCORES})"),
    claim("farkle-turn", "Three dice score 156 times in 216.", f"d6.pool(3).expand().map({SCORES})"),
    claim("farkle-turn", "Four dice score 1092 times in 1296.", f"d6.pool(4).expand().map({SCORES})"),
    claim("farkle-turn", "Five dice score 7176 times in 7776.", f"d6.pool(5).expand().map({SCORES})"),
    claim(
        "farkle-turn",
        "Six dice score 45480 times in 46656.",
        f"d6.pool(6).expand().map({SCORES} or {{r.count(f) for f in r}} == {{2}})",
    ),
    claim("ship-captain-crew", "Five dice show no ship 40.19 % of the time.", "5 @ (d6 == 6) == 0"),
    claim(
        "ship-captain-crew",
        "Five dice bring the ship and nobody else 40.19 % of the time, too.",
        "d6.pool(5).expand().map(lambda r: 6 in r and 5 not in r)",
    ),
    claim(
        "craps",
        "The thrower wins 244 rounds of 495.",
        "(2 @ d6).map(lambda f: f in (7, 11) if f in (2, 3, 7, 11, 12) else (2 @ d6).filter({f, 7}, depth='inf') == f)",
    ),
    claim(
        "craps",
        "A round takes 3.38 throws on average.",
        f"(2 @ d6).map(lambda f: 1 if f in (2, 3, 7, 11, 12) else 1 + 1 / {POINT}).mean()",
    ),
    claim(
        "wizards-and-thieves",
        "No majority comes up in 88 throws of 216.",
        f"{HAND}.map(lambda r: r.count(1) == r.count(6))",
    ),
    claim("wizards-and-thieves", "Three wizards come up once in 216 throws.", "3 @ (d6 == 6) == 3"),
    claim(
        "wizards-and-thieves",
        "A majority of thieves moves 2.90 coins.",
        f"{THIEVES}.map(lambda r: min([f for f in r if 1 < f < 6], default=1)).mean()",
    ),
    claim("dragons-hoard", "A hero wins a round of a fight with 15 of 36 pairs of dice.", "d6 > d6"),
    claim("dragons-hoard", "Nobody hits with 6 of 36.", "(d6 - d6) == 0"),
    claim("hold-the-pot-turn", "P-O-T comes up once in 216 full throws.", f"{LETTERS}.map(lambda r: r == (0, 0, 0))"),
    claim(
        "hold-the-pot-turn", "A 1-2-3 comes up 6 times in 216 full throws.", f"{LETTERS}.map(lambda r: r == (1, 2, 3))"
    ),
    claim(
        "burglar-and-the-dragon", "28 first throws in 36 feed a coffer.", "(2 @ d6).map(lambda s: s not in (2, 7, 12))"
    ),
    claim("chip-passing", "A throw of three dice keeps every chip once in eight.", "3 @ (d6 <= 3) == 3"),
    claim(
        "pig", "A throw that is no 1 brings four points on average.", "d6.filter(lambda f: f > 1, depth='inf').mean()"
    ),
]


def worth(name: str, seats: int, objective: str, **parameters: Value) -> Number:
    """What the first seat of a shipped game gets."""
    rules = oddsmith.load(name).ruleset
    return solve(bind(rules, Setting(seats, values=parameters)), objective).with_fractions().values[0]


def margin(target: int) -> Number:
    """What the first of two gets more than the second at Pig."""
    return worth("pig", 2, "win", target=target) * 2 - 1


CRAPS = """\
dtmc
module craps
  point : [0..10] init 0; over : [0..2] init 0;
  [] over=0 & point=0 -> 8/36:(over'=1) + 4/36:(over'=2) + 3/36:(point'=4) + 4/36:(point'=5) + 5/36:(point'=6)
    + 5/36:(point'=8) + 4/36:(point'=9) + 3/36:(point'=10);
  [] over=0 & point>0 -> (6-max(point-7,7-point))/36:(over'=1) + 6/36:(over'=2)
    + (30-(6-max(point-7,7-point)))/36:(over'=0);
  [] over>0 -> true;
endmodule
label "win" = over=1;
label "done" = over>0;
rewards "rolls" over=0 : 1; endrewards
"""
LADDERS = {1: 38, 4: 14, 9: 31, 21: 42, 28: 84, 36: 44, 51: 67, 71: 91, 80: 100}
SNAKES = {16: 6, 47: 26, 49: 11, 56: 53, 62: 19, 64: 60, 87: 24, 93: 73, 95: 75, 98: 78}


def snakes() -> str:
    """The board as a model in the language of PRISM: a spin beyond the last square stays where it is."""
    lines = ["dtmc", "module pawn", "square : [0..100] init 0;"]
    for here in range(100):
        reached = [here + spin if here + spin <= 100 else here for spin in range(1, 7)]
        ways = [f"1/6:(square'={({**LADDERS, **SNAKES}).get(to, to)})" for to in reached]
        lines.append(f"[] square={here} -> {' + '.join(ways)};")
    lines += [
        "[] square=100 -> true;",
        "endmodule",
        'label "done" = square=100;',
        'rewards "spins" square<100 : 1; endrewards',
    ]
    return "\n".join(lines)


MODELS = [
    Question(
        "Craps: the pass line wins",
        'P=? [F "win"]',
        lambda: claimed("craps", "The thrower wins 244 rounds of 495."),
        lambda: CRAPS,
    ),
    Question(
        "Craps: rolls of a round",
        'R{"rolls"}=? [F "done"]',
        lambda: claimed("craps", "A round takes 3.38 throws on average."),
        lambda: CRAPS,
    ),
    Question(
        "Snakes and Ladders: spins of a game alone",
        'R{"spins"}=? [F "done"]',
        partial(worth, "snakes-and-ladders", 1, "spins"),
        snakes,
    ),
    *(
        Question(
            f"Pig alone to {target}: the fewest turns",
            'R{"turns"}min=? [F "done"]',
            partial(worth, "pig", 1, "turns_taken", target=target),
            partial(pig_alone, target),
        )
        for target in (10, 20, 30)
    ),
    Question(
        "Burglar & The Dragon for two with two tokens each, nobody leaves: the first wins",
        'P=? [F "win"]',
        partial(worth, "burglar-and-the-dragon", 2, "win", tokens_each=2),
        partial(burglar, 2, 2),
    ),
]
OPENSPIEL = [
    Question(
        f"Pig to {target} for two: what the first gets more than the second",
        f"pig(winscore={target},players=2,horizon=100000)",
        partial(margin, target),
    )
    for target in (6, 8, 10)
]
Tree = tuple[Case, str]
TREES: list[Tree] = [
    (case, objective)
    for case in [*cases_of("rogues-gambit"), *cases_of("burglar-and-the-dragon")]
    for objective in case.objectives
    if case.seats == 2 and {"full_belly": "hungry", "rounds": 2}.items() & dict(case.parameters).items()
]


def lead(case: Case, objective: str) -> Number:
    """What the first of two seats gets beyond half of what both get."""
    first, second = solved(case, objective).values
    return (first - second) / 2
