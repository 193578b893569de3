"""Random questions of what is quickly worked out, as people write them: dice, what is done to them, and what is asked."""

from __future__ import annotations

import random

SIDES = ("4", "6", "8", "10", "12", "20", "6", "6", "20", "3", "%", "F", "{0,0,1,1,2}", "{1..4, 6:2}")
MARKS = ("kh", "kl2", "kh2", "dl1", "dh", "!", "!>4", "!!", "!p", "x6", "xo", "x2=4", "r1", "r<3", "rr1", "ro<3", "r1=1", "min2", "max5",
         "cs>=5", "cs6", "cf1", "even", "odd", "df1", "sf1", "ms>=7", "mi2", "e6", "k3", "p1", "kh1cs>=4", "r1kh2", "xokh1", "dl1x6", "mt", "mt2>3", "kh1kl1", "pl1pl1", "k6kl1", "ra6", "rr1kh1kl1")  # fmt: skip
WORDS = ("drop lowest", "drop the highest", "keep highest 2", "take the best", "keep the lowest", "exploding", "exploding once",
         "explode on 5+", "penetrating", "compounding", "reroll 1s", "reroll 1s once", "reroll 1 and 2 until gone", "minimum 3",
         "maximum 4", "with advantage", "with disadvantage", "middle", "drop highest and lowest", "drop highest and lowest 2", "reroll 7s", "pushed", "drop lowest, reroll 1s once",
         "exploding keep 2", "twice take the better", "keep 1", "6 times")  # fmt: skip
LEADS = ("highest of {0} and {1}", "lowest of {0} + {1}", "highest 2 of {0} + {1}", "best of {0}", "second highest of {0}",
         "middle of {0}", "median of {0}", "largest set in {0}", "longest run in {0}", "highest minus lowest of {0}",
         "number of different faces in {0}", "how many {n}s in {0}", "count of {n}+ in {0}", "{0} count {n} or more",
         "{0} successes at {n}, ones cancel", "{0} count {n}+, {n}s explode", "a pair in {0}", "three of a kind in {0}",
         "two pairs in {0}", "a full house in {0}", "a straight in {0}", "straight of 3 in {0}", "all different in {0}",
         "at least one {n} in {0}", "no {n}s in {0}", "at least 2 {n}s in {0}", "exactly 1 {n} in {0}", "a {n} on {0}",
         "{n} or more on {0}", "between {n} and {m} on {0}", "{m} or {n} on {0}", "{0} >= {m}", "{0} < {m}", "{0} > {1}",
         "{0} vs {1}", "{0} vs {1}, ties lose", "{0} vs {1}, reroll ties", "{0} vs DC {m}", "{0} >= {n} and {0} <= {m}",
         "{0} >= {m} or {1} < {n}", "not {0} > {m}", "{n} in {0} or {m} in {0}", "{0} is even", "{n} <= {0} <= {m}",
         "{0} {n}+", "{0}>={n}f1", "at least {n} once in 4 times of {0}", "{0} six times: highest", "{0} 3 times", "{0} x 3",
         "half of {0}", "h = {0}; max(h) - min(h)", "h = {0}; h * h", "max({0}) - min({0})", "max({0}, {1})", "abs({0} - {1})",
         "at least {n}, rolling {0}", "{0}, hits on {n}+, at least 2 hits", "at least two {n}s, {0}", "{0} in 3 rolls, a {n}",
         "{0} minimum {m}", "{0} + {n} reroll 1s once", "{0} {n}+ vs {1} {n}+", "{0} < {m} twice in a row", "{m} before {n} on {0}",
         "2 successes before {n} failures on {0} at {n}+", "3 of a kind within {n} throws of {0}", "half of {0} if {1} > {n}",
         "{0}, half if {1} > {n}", "more than half of {0} are {n}s", "all {n} on {0}", "{0} beats both of {1}", "sum of dice showing {n}+ in {0}",
         "{0} / 2", "{0} // 3", "{0} % 3", "{{{0}, {1}}}kh", "{{{0} + {1}}}kl1", "for n in 1..3: {0} + n", "{0} >= 3, {n}, {m}",
         "any({0} >= {m} for i in span(1, 3))", "sum({0} for i in span(1, 2))", "which x gives 60%: {0} + x >= {m}", "{0} if {1} > {n} else 0",
         "{0} vs {m}", "{0} beats {m} by {n}", "{0} fails {m} by {n}", "{0} under {m} with advantage", "{0} + {1}, hits on {n}+",
         "{n} in 6 chance 2 times in a row", "+{m}/+{n} vs AC 15, {0}", "d20 + {n} vs AC {m}, {0}, half damage on a miss",
         "{0}, DC {m} save for half, +{n} and advantage", "botch on 4d10 difficulty {m}", "glitch with {m} dice",
         "critical glitch on {n} dice", "degrees of success +{m} vs DC 2{n}", "6-, 7-9, 10+ on {0}", "{0}, no {n}s and at least 2 {m}+",
         "which bonus gives 60% for {0} vs {m}", "which DC gives 60% for {0}", "3 rolls of {0}, keep the best", "{0} in order",
         "{0} in order, all at least {n}", "crit damage {0}", "{0} vs {1} highest", "max of {0} and {m}", "{m} dice 9 again",
         "odd words of {0}", "2 or more {n}s of {0} wih {1}",
         "roll {0}", "average of {0}", "sum of {0}", "{0} not {m}", "{0} - {1}", "{0} * {1}", "({0} + 2) * 3", "-{0}")  # fmt: skip


class Typist:
    """Writes questions, most of which can be read."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311

    def dice(self) -> str:
        """Some dice, now and then with marks of a notation or words behind them."""
        make = self.random
        sides = make.choice(SIDES)
        many = make.choice(("", "1", "2", "2", "3", "3", "4", "5"))
        text = f"{many}d{sides}"
        if (kind := make.random()) < 0.25:
            text += make.choice(MARKS)
        elif kind < 0.45:
            text += f" {make.choice(WORDS)}"
        return f"{text} + {make.choice(('1', '3', 'd4'))}" if make.random() < 0.1 else text

    def question(self) -> str:
        """One question."""
        make = self.random
        if make.random() < 0.25:
            return self.dice()
        fill = {"n": str(make.randint(1, 6)), "m": str(make.randint(4, 15))}
        return make.choice(LEADS).format(self.dice(), self.dice(), **fill)

    def dialect(self) -> str | None:
        """How it is asked to be read."""
        return self.random.choice((None, None, None, "foundry", "roll20", "avrae"))
