"""Small random games over the whole language, as the data of a ruleset: the same seed, the same game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.random.phrases import Names
from tests.random.variables import COLOURS, Data, Variables
from tests.random.wheel import wheel

CONSTANTS = {"goal": 3, "Heads": 1, "Tails": 0, "worth": {"red": 1, "blue": 2}}


def ruleset(seed: int) -> Data:
    """The game of a seed; every eighth is a wheel."""
    return wheel(seed) if seed % 8 == 7 else _Writer(seed).ruleset()


class _Writer(Variables):
    """Draws which features a game has, then variables, phases and payoffs that use them."""

    def ruleset(self) -> Data:
        """The whole file."""
        number = self.seats
        low = self.random.randint(1, number)
        data: Data = {
            "format": 1,
            "id": f"game-{self.seed}",
            "title": f"Game {self.seed}",
            "summary": "Made at random.",
            "seats": number if self.maybe(0.6) else {"min": low, "max": number, "default": number},
        }
        data |= self.settings()
        data["constants"] = CONSTANTS
        self.colours = COLOURS[: self.random.randint(2, 3)]
        data["lists"] = {
            "colours": self.colours,
            "fields": [1, 2, 3][: self.random.randint(2, 3)],
        }
        data["dice"] = {
            "coin": {"faces": ["Heads", "Tails"], "weights": [self.random.randint(1, 3), 2]},
            "odd": {"faces": [1, 3, 3], "weights": [1, self.random.randint(1, 3), 2]},
        }
        self.variables()
        data["state"] = self.state
        if self.maybe(0.4):
            data["define"] = {"most(a, b)": "a if a > b else b", "gap": self.phrases.number(self.names, 1)}
            self.names = self.names.also(["gap"], calls=["most"])
        ends = self.ends()
        phases = self.phases()
        data["payoffs"] = self.payoffs()
        data["turn"] = self.random.choice(list(phases)[:2])
        data["phases"] = phases
        data |= ends
        if self.maybe(0.2):
            data["at_end"] = self.effects(self.names, 1, loose=False)
        if self.maybe(0.35):
            data |= self.policies(phases)
        return data

    # --- effects

    def effects(self, names: Names, depth: int, loose: bool = True) -> Any:
        """One effect or several. ``loose``: the game goes on after them, so the turn may take something from all."""
        found = [self.effect(names, depth) for _ in range(self.random.randint(1, 2))]
        if "let" in str(found[0]).split(" ")[0] and len(found) == 1:
            found.append(self.effect(names, 0))
        if loose and "left" in self.state and self.maybe(0.75):
            found.append("set left to max(0, left - 1)")
        return found[0] if len(found) == 1 and self.maybe(0.7) else found

    def effect(self, names: Names, depth: int) -> Any:
        """One effect."""
        forms: list[Callable[[Names, int], Any]] = [*[self.setting] * 5, *[self.moving] * 4]
        if depth > 0:
            forms += [self.asking, self.looping, self.naming]
            forms += [self.dropping] * (self.seats > 1)
        return self.random.choice(forms)(names, depth)

    def setting(self, names: Names, _: int) -> Any:
        """A number, flag, word, seat or hand is set."""
        forms = [f"set {name} to max(0, min({most}, {self.phrases.number(names)}))" for name, most in self.most.items()]
        forms += [f"set {name} to min({most}, {name} + 1)" for name, most in self.most.items()] * 2
        forms += [
            f"add {self.phrases.one(['1', '-1', self.phrases.number(names)])} to {name}" for name in self.tallies
        ] * 2
        if "score" in self.most:
            where = self.phrases.one(names.seats)
            forms += [f"set score[{where}] to max(0, min({self.most['score']}, {self.phrases.number(names, 1)}))"]
            forms += [f"add 1 if score < {self.most['score']} else 0 to score"]
        if "fed" in self.state:
            forms += [f"set fed to {self.phrases.flag(names)}", "set fed to true"]
        if "mood" in self.state:
            forms += [f"set mood to angry if {self.phrases.flag(names, 1)} else calm"]
        if "holder" in self.state:
            forms += [f"set holder to {self.phrases.one(names.seats)}"]
        if "shelf" in self.state:
            forms += ["set shelf to cup", "set cup to shelf", f"set cup to shelf[{self.phrases.one(names.seats)}]"]
        return self.phrases.one(forms) if forms else self.moving(names, 0)

    def moving(self, names: Names, _: int) -> str:
        """Something moves, from the supply or to it too."""
        amount = f"max(0, {self.phrases.number(names, 1)})"
        forms = [f"move {amount} from supply to {name}" for name in self.tallies]
        if "purse" in self.state:
            forms += [
                "move pot to purse",
                "move 1 from pot to hand_in",
                "move hand_in to purse",
                "move hand_in to pot",
                f"move {amount} from pot to purse",
                f"move 1 from purse to purse[{self.phrases.one(names.seats)}]",
                "move 1 from hand_in to supply" if self.maybe(0.2) else "move 1 from purse to pot",
            ]
        if "bag" in self.state:
            forms += ["move 1 from bag[red] to supply", "move bag[blue] to supply"]
        if "stash" in self.most and "score" in self.most and self.most["stash"] + 1 <= self.most["score"]:
            forms += ["move 1 from stash to supply"]
        self.phrases.loops += 1
        return self.phrases.one(forms) if forms else f"let n{self.phrases.loops} be {amount}"

    def naming(self, names: Names, depth: int) -> Any:
        """A name for the rest of the effects: alone it would say nothing, so it comes with one that can use it."""
        self.phrases.loops += 1
        name = f"n{self.phrases.loops}"
        test = self.phrases.flag(names, 1)
        inner = self.effect(names.also([name]), depth - 1)
        return {"if": test, "do": [f"let {name} be {self.phrases.number(names)}", inner]}

    def asking(self, names: Names, depth: int) -> Any:
        found: Data = {"if": self.phrases.flag(names), "do": self.effects(names, depth - 1, loose=False)}
        return found | ({"else": self.effects(names, depth - 1, loose=False)} if self.maybe(0.5) else {})

    def looping(self, names: Names, depth: int) -> Any:
        if self.maybe(0.6):
            who = self.phrases.one([*names.groups, *names.seats])
            return {"for": who, "do": self.effects(names, depth - 1, loose=False)}
        self.phrases.loops += 1
        k = f"i{self.phrases.loops}"
        items = self.phrases.one([*names.lists, "fields", "span(1, 2)"])
        inner = self.effects(names.also([k]), depth - 1, loose=False)
        if "tile" in self.state and items == "fields":
            inner = f"set tile[{k}] to {self.phrases.one(['0', f'max(0, tile[{k}] - 1)'])}"
        return {"for": {k: items}, "do": inner}

    def dropping(self, names: Names, _: int) -> Any:
        return {"if": self.phrases.flag(names), "do": "drop out"} if self.maybe(0.8) else "drop out"

    # --- phases

    def phases(self) -> Data:
        """Two to four phases; the first two are no sorting phases with nothing behind them."""
        names = [f"p{number}" for number in range(self.random.randint(2, 4))]
        kinds = [self.random.choice(["choose", "roll"]), self.random.choice(["choose", "roll"])]
        kinds += [self.random.choice(["choose", "roll", "cases", "cases"]) for _ in names[2:]]
        rerolls = "cup" in self.state and self.maybe(0.75)
        if rerolls:
            kinds[:2] = ["roll", "choose"]
        if "bag" in self.state:
            kinds[0] = "draw"
        found: Data = {}
        for number, (name, kind) in enumerate(zip(names, kinds, strict=True)):
            self.later = [*names[number + 1 :], *(names[:number] if self.maybe(0.5) else names[:1])]
            self.later = [other for other in self.later if kind != "cases" or kinds[names.index(other)] != "cases"]
            write = self.choosing if kind == "choose" else self.sorting if kind == "cases" else self.rolling
            self.rerolls = rerolls and not number
            found[name] = write(name, kind)
        if rerolls:
            found["p0"].get("outcomes", [found["p0"]])[-1]["then"] = "p1"
            found["p1"]["choose"].append(self.again())
        return found

    def again(self) -> Data:
        """Some of the dice stay, and the rest of them are rolled again."""
        do = ["set cup to kept", *["set left to max(0, left - 1)"] * ("left" in self.state)]
        return {
            "name": "Again",
            "for": {"kept": "subsets(cup)"},
            "when": "size(kept) < size(cup)",
            "do": do,
            "then": "p0",
        }

    def then(self, ending: float = 0.06) -> Any:
        """What follows an entry."""
        drawn = self.random.random()
        if drawn < ending:
            return "end"
        if drawn < 0.5:
            return self.phrases.one(self.later) if self.later else "pass"
        if drawn < 0.88:
            return "pass"
        seats = ["next", "previous", *(["holder"] if "holder" in self.state and not self.may_drop else [])]
        return "again" if drawn < 0.94 else {"pass_to": self.phrases.one(seats)}

    @property
    def may_drop(self) -> bool:
        """Whether somebody may go out, so that a seat that was kept may be one of them."""
        return self.seats > 1

    def choosing(self, name: str, _: str) -> Data:
        options: list[Data] = [{"name": "Stay", **self.doing(self.names, 0.8), "then": self.then(0.12)}]
        options += [self.option(f"A{number}", f"{name}x{number}") for number in range(self.random.randint(1, 2))]
        self.random.shuffle(options)
        return {"choose": options}

    def option(self, name: str, loop: str) -> Data:
        """An option, maybe for each seat, item or part of a hand."""
        found: Data = {"name": name}
        names, do = self.names, list[str]()
        if self.maybe(0.3):
            kinds = ["others", "table", "fields", "span(1, 2)"] + ["subsets(cup)"] * 3 * ("cup" in self.state)
            over = self.phrases.one(kinds)
            found["for"] = {loop: over}
            if over in ("others", "table"):
                names = names.also(seats=[loop])
            elif over == "subsets(cup)":
                do = [f"set cup to {loop}"]
            else:
                names = names.also([loop])
                if over == "fields" and "tile" in self.state:
                    do = [f"set tile[{loop}] to {self.phrases.one(['0', f'1 - tile[{loop}] // 2'])}"]
        if self.maybe(0.5):
            found["when"] = self.phrases.flag(names)
        rest = self.doing(names, 0.9)
        if do:
            more = rest.get("do", [])
            rest = {"do": do + (more if isinstance(more, list) else [more])}
        return {**found, **rest, "then": self.then()}

    def doing(self, names: Names, share: float, depth: int = 2) -> Data:
        return {"do": self.effects(names, depth)} if self.maybe(share) else {}

    def rolling(self, name: str, kind: str) -> Data:
        found: Data = {}
        names = self.names
        if kind == "draw":
            found["draw"], names = self.drawn(name, names)
        if kind == "roll" or self.maybe(0.3):
            found["roll"], names = self.thrown(name, names)
        if "tile" in self.state and "roll" in found and self.maybe(0.6):
            return found | self.filling(found, name)
        outcomes: list[Data] = []
        for number in range(self.random.randint(0, 2)):
            test = {"when": self.phrases.flag(names)}
            outcomes.append({"name": f"O{number}", **test, **self.doing(names, 0.8), "then": self.then(0.1)})
        if not outcomes and self.maybe(0.5):
            return found | self.doing(names, 0.9) | {"then": self.then(0.12)}
        return found | {"outcomes": [*outcomes, {"name": "Else", **self.doing(names, 0.8), "then": self.then()}]}

    def drawn(self, name: str, names: Names) -> tuple[Data, Names]:
        """One to three items of the bag, the first maybe kept, or several at once."""
        if self.draws > 1 and self.maybe(0.3):
            hand = f"{name}h"
            names = names.also([f"count({hand}, red)", f"count({hand}, blue)", f"size({hand})"])
            names = names.also(flags=[f"red in {hand}", f"all_equal({hand})", f"{hand}_1 == red"])
            return {hand: f"{self.draws} of bag"}, names
        kept = "mood" not in self.state and self.maybe(0.5)
        if kept:
            self.state["drawn"] = {"one_of": COLOURS}
        items = ["drawn" if kept else f"{name}d", f"{name}e", f"{name}f"][: self.draws]
        row = ", ".join(items)
        names = names.also([f"lookup(worth, {item}, 0)" for item in items], [f"{item} == red" for item in items])
        names = names.also([f"bag[{items[-1]}]", f"count([{row}], red)", f"count([{row}], blue)"])
        names = names.also(flags=[f"{items[0]} == {items[-1]}", f"all_equal([{row}])"] * (self.draws > 1))
        return dict.fromkeys(items, "bag"), names

    def thrown(self, name: str, names: Names) -> tuple[Data, Names]:
        """Dice: a kept hand, or a name for this phase."""
        if "cup" in self.state and (self.rerolls or self.maybe(0.6)):
            return {"cup": "rest" if self.rerolls or self.maybe(0.6) else self.state["cup"]["dice"]}, names
        counts = [*(f"min(2, {number})" for number in names.per_seat), "2"]
        count = self.phrases.one(["min(2, max(0, left))" if "left" in self.state else "size(others)", *counts])
        dice = self.phrases.one([
            "d2", "d3", "2d2", "coin", "2 of odd", "d2 + coin", f"{count} of d2", "1 of odd",
            "d2 + d2", "d2 + coin + d2", f"coin + {count} of coin", f"d2 + 1 + {count} of coin + d2", f"odd + {count} of odd",
        ])  # fmt: skip
        die = f"{name}r"
        found = {die: dice}
        single = dice in ("d2", "d3", "coin", "1 of odd")
        names = names.also([f"sum({die})", f"{die} + 0"]) if single else names.also(hands=[die, die])
        if dice == "coin":
            names = names.also(flags=[f"{die} == Heads"])
        if self.maybe(0.15):
            found[f"{die}b"] = "d2"
            names = names.also([f"sum({die}b)"])
        return found, names

    def filling(self, found: Data, name: str) -> Data:
        """Every field is hit equally often."""
        found["roll"] = {f"{name}r": f"d{self.random.randint(2, 3)}"}
        die, most = f"{name}r", self.most["tile[1]"]
        test = f"{die} in fields"
        hit = {"if": f"tile[{die}] < {most}", "do": f"add 1 to tile[{die}]", "else": self.effects(self.names, 0)}
        return {
            "outcomes": [
                {"name": "Hit", "when": test, "do": hit, "then": self.then(0.1)},
                {"name": "Miss", **self.doing(self.names, 0.5), "then": self.then(0.1)},
            ]
        }

    def sorting(self, *_: str) -> Data:
        cases = [
            {
                "name": f"C{number}",
                "when": self.phrases.flag(self.names),
                **self.doing(self.names, 0.6),
                "then": self.then(),
            }
            for number in range(self.random.randint(1, 2))
        ]
        return {"cases": [*cases, {"name": "Else", **self.doing(self.names, 0.4), "then": self.then()}]}

    # --- endings, payoffs, policies

    def ends(self) -> Data:
        tests = []
        if "left" in self.state:
            tests.append("left == 0")
        if "score" in self.state and self.maybe(0.6):
            tests.append(f"max(score[table]) >= {self.most['score']}")
        if "pot" in self.state and self.maybe(0.6):
            tests.append("pot == 0")
        if "bag" in self.state:
            tests.append(f"sum(bag[colours]) < {self.draws}")
        if "tile" in self.state and self.maybe(0.4):
            tests.append("all(tile[f] > 0 for f in fields)")
        if self.maybe(0.15) and self.seats > 1:
            tests.append("size(everyone) == 1")
        found: Data = {"end_when": " or ".join(tests)} if tests else {}
        if self.seats > 1 and self.maybe(0.2):
            found["out_when"] = self.phrases.flag(self.names.also(seats=["mover"]), 1)
        return found

    def payoffs(self) -> Data:
        """One or two objectives, each maybe to be kept small."""
        found: Data = {}
        for name in ["gain", "other"][: self.random.randint(1, 2)]:
            value = self.payoff()
            found[name] = {"value": value, "goal": self.phrases.one(["min", "max"])} if self.maybe(0.3) else value
        return found

    def payoff(self) -> str:
        forms = []
        for name in [*self.tallies, *(name for name in ("score", "purse", "hand_in", "stash") if name in self.state)]:
            forms += [name, f"2 * {name} - 1", f"{name} / 3", f"-{name}"]
            seated = self.state[name.partition("[")[0]].get("each") == "seat"
            if seated:
                mine = self.phrases.one(["mover", "next", "previous", *(["holder"] if "holder" in self.state else [])])
                forms += [f"{name} - {name}[{mine}]", f"{name} + {name}[{mine}] / 2", f"{name} if seat == mover else 0"]
                forms += [f"{name} - sum({name}[others])", f"sum({name}[others]) - {name}"]
                if name not in self.tallies:
                    forms += [f"share({name})"] * 3 + [f"{name} - max({name}[table])", f"min({name}[table])"]
        if len(self.tallies) > 1:
            forms += [f"{self.tallies[0]} - {self.tallies[1]} / 2"]
        if not forms or self.maybe(0.12):
            forms += ["1 if seat == mover else 0", "1 if seat == mover else -1", "1 / 2 if seat < mover else 1"]
            forms += ["1 if fed else 0"] if "fed" in self.state else []
            forms += ["1 if seat == holder else 0"] * 2 if "holder" in self.state else []
            forms += ["sum(tile[fields])"] if "tile" in self.state else []
            forms += ["sum(cup)"] if "cup" in self.state else []
            if self.maybe(0.5):
                forms += [self.phrases.number(self.names, 1)]
        return self.phrases.one(forms)

    def policies(self, phases: Data) -> Data:
        """A named policy, where somebody has a choice."""
        choosing = {name: list(body["choose"]) for name, body in phases.items() if "choose" in body}
        if not choosing:
            return {}
        name = self.phrases.one(list(choosing))
        line: Data = {"option": self.random.choice(choosing[name])["name"]}
        line |= (
            {"when": self.phrases.flag(self.names, 1)}
            if self.maybe(0.6)
            else {"prefer": self.phrases.number(self.names, 1)}
        )
        return {"policies": {"thumb": {name: [line]}}}
