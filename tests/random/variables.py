"""The settings and variables of a random game: some of every kind, and what expressions may then name."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.random.phrases import Names, Phrases

Data = dict[str, Any]
COLOURS = ["red", "blue", "green"]


class Variables:
    """``state``: the variables so far; ``names``: what may be named; ``most``: numbers that any rule may set."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.random = Random(seed)  # noqa: S311 - games, not secrets
        self.phrases = Phrases(self.random)
        self.seats = self.random.choices([1, 2, 3, 4], [25, 35, 28, 12])[0]
        self.names = Names()
        self.colours = COLOURS
        self.state: dict[str, Data] = {}
        self.most: dict[str, int] = {}  # of numbers that any rule may set
        self.draws = 0  # of one phase from the bag
        self.rerolls = False  # whether a phase rolls the rest of the cup
        self.tallies: list[str] = []
        self.later: list[str] = []  # phases that may still follow

    def maybe(self, share: float) -> bool:
        """Yes with a chance."""
        return self.random.random() < share

    def settings(self) -> Data:
        """Parameters, and a variant that sets one."""
        if not self.maybe(0.45):
            return {}
        self.names = self.names.also(["ante"], ["kind == mild", "brave"])
        least = self.random.randint(0, 1)
        found: Data = {
            "parameters": {
                "ante": {"default": self.random.randint(least, 2), "min": least, "max": 3},
                "kind": {"default": "mild", "one_of": ["mild", "harsh"]},
                "brave": {"default": True, "type": "flag"},
            }
        }
        if self.maybe(0.5):
            found["variants"] = {"harder": {"set": {"kind": "harsh", "brave": False}, "about": "Harder."}}
        return found

    def variables(self) -> None:
        """The state: some of every kind."""
        add: list[tuple[float, Any]] = [
            (0.6, self.score), (0.45, self.stash), (0.35, self.coins), (0.5, self.tally), (0.25, self.tally_each),
            (0.3, self.flag), (0.25, self.word), (0.25, self.holder), (0.28, self.cup), (0.22, self.bag),
            (0.2, self.fields), (0.15, self.steps), (0.5, self.left),
        ]  # fmt: skip
        for share, write in add:
            if self.maybe(share):
                write()
        if not self.state:
            self.score()

    def score(self) -> None:
        most = self.random.randint(1, 3)
        self.state["score"] = {"each": "seat", "max": most}
        self.most["score"] = most
        self.names = self.names.also(["score"], per_seat=["score"], lists=["score[table]"])

    def left(self) -> None:
        start = self.random.randint(2, 4)
        self.state["left"] = {"start": start, "max": start}
        self.names = self.names.also(["left"])

    def stash(self) -> None:
        most = self.random.randint(1, 3)
        self.state["stash"] = {"max": most} | ({"resets": "turn"} if self.maybe(0.5) else {})
        if self.maybe(0.3):
            self.state["stash"]["start"] = self.random.randint(0, most)
        self.most["stash"] = most
        self.names = self.names.also(["stash"])

    def coins(self) -> None:
        """A pot, what a turn took from it, and purses: a sum that only moves about."""
        most = self.random.randint(2, 3)
        self.state["pot"] = {"start": most, "max": most}
        self.state["hand_in"] = {"max": most} | ({"resets": "turn"} if self.maybe(0.25) else {})
        self.state["purse"] = {"each": "seat", "max": most}
        self.names = self.names.also(["pot", "hand_in", *(["purse"] if self.maybe(0.4) else [])])

    def tally(self) -> None:
        self.state["points"] = {"type": "tally", "each": "seat"} | ({"start": 2} if self.maybe(0.2) else {})
        self.tallies.append("points")

    def tally_each(self) -> None:
        each: Any = self.random.choice([None, "colours", ["seat", "fields"]])
        self.state["spent"] = {"type": "tally"} | ({"each": each} if each else {})
        index = {"None": "", "colours": "[red]"}.get(str(each), "[seat, 1]")
        self.tallies.append("spent" + index)

    def flag(self) -> None:
        self.state["fed"] = {"type": "flag"} | ({"each": "seat"} if self.maybe(0.3) else {"resets": "turn"})
        self.names = self.names.also(flags=["fed"])

    def word(self) -> None:
        self.state["mood"] = {"one_of": ["calm", "angry"]} | ({"resets": "turn"} if self.maybe(0.3) else {})
        self.names = self.names.also(flags=["mood == calm"])

    def holder(self) -> None:
        self.state["holder"] = {"type": "seat"} | ({"resets": "turn"} if self.maybe(0.3) else {})
        self.names = self.names.also(seats=["holder"])

    def cup(self) -> None:
        """Dice that are kept, some of one die in several terms; each seat may have a shelf for as many."""
        dice = self.random.choice([
            "2d2", "d2 + d3", "2 of coin", "2d3",
            "coin + coin", "d2 + d2", "d2 + coin + d2", "coin + d2 + coin", "odd + 1 of odd",
        ])  # fmt: skip
        self.state["cup"] = {"type": "hand", "dice": dice} | ({"resets": "turn"} if self.maybe(0.6) else {})
        self.names = self.names.also(hands=["cup"])
        if "d3" not in dice and self.maybe(0.25):
            self.state["shelf"] = {"type": "hand", "each": "seat", "dice": dice}
            self.names = self.names.also(hands=["shelf", "shelf[next]"])

    def bag(self) -> None:
        self.draws = self.random.choices([1, 2, 3], [40, 40, 20])[0]
        start = {"red": self.random.randint(1, self.draws), "blue": self.random.randint(1, 2), "green": 0}
        start["blue"] = max(start["blue"], self.draws - start["red"])
        held = {colour: start[colour] for colour in self.colours}
        self.state["bag"] = {"each": "colours", "start": held, "max": 3}
        self.names = self.names.also(["bag[red]"], lists=["bag[colours]"])

    def fields(self) -> None:
        """A family whose members the rules mostly do not tell apart."""
        most = self.random.randint(1, 2)
        self.state["tile"] = {"each": "fields", "max": most}
        self.most["tile[1]"] = most
        self.names = self.names.also(["sum(tile[fields])"], ["any(tile[f] > 0 for f in fields)"])

    def steps(self) -> None:
        self.state["step"] = {"each": ["seat", "colours"], "max": 1}
        self.most["step[red]"] = 1
        self.names = self.names.also(["step[blue]", "sum(step[colours])"], lists=["step[colours]"])
