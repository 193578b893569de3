"""Small random games with secrets, from seeds: rolls, draws, choices and choices at once, each seen by somebody else."""

from __future__ import annotations

from random import Random
from typing import Any

SEES = ("mover", "next", "nobody", "everyone", "[mover, next]", "[next] if mix % 2 == 1 else [mover, next]", None)
MODULUS = 7
RANKS = 4
HOLDERS = ("mover", "mover", "next", "first")
SHOWN = ("mix", "mix to next", "mix % 2 to mover")
SHOWN_CARDS = ("hand", "hand to next", "hand[next] to mover", "second % 2", "hand + second to [mover, next]")


def random_game(seed: int) -> dict[str, Any]:
    """The data of a ruleset for two seats whose payoffs add up to 0.

    Everything that happens is stirred into a number, by which the end pays. In every second game, each seat may hold two
    cards, which count at the end too. So what a seat has not seen matters to it.
    """
    return _Maker(seed).game()


class _Maker:
    def __init__(self, seed: int) -> None:
        self.seed, self.random = seed, Random(seed)  # noqa: S311 - seeded games, not secrets
        self.cards = self.random.random() < 0.5
        self.steps = self.random.randint(2, 5)
        more = ["draw"] * 3 if self.cards else []
        self.kinds = [self.random.choice(["roll", "choose", "choose", "together", *more]) for _ in range(self.steps)]
        self.leaving = "together" not in self.kinds

    def game(self) -> dict[str, Any]:
        """The whole ruleset."""
        phases: dict[str, Any] = {"go on": {"cases": []}}
        for number in range(self.steps):
            name = f"step {number}"
            phases["go on"]["cases"].append({"when": f"step == {number}", "then": name})
            phases[name] = self.phase(number)
        phases["go on"]["cases"][-1].pop("when")
        paid = [*(f"{self.random.randint(-5, 5)} if mix == {at} else" for at in range(1, MODULUS)), "0"]
        lead = f" + {self.random.randint(-2, 2)} * beaten(hand) + {self.random.randint(-2, 2)} * beaten(second)"
        held = {"each": "seat", "max": RANKS}
        each = max(self.random.randint(1, 2), 1 + self.kinds.count("draw") // (RANKS + 1))
        pack = {"deck": {"each": "ranks", "start": each, "max": 2}, "hand": held, "second": held}
        state = {"mix": {"max": MODULUS - 1}, "step": {"max": self.steps}, "first": {"type": "seat"}}
        worth = f"({' '.join(paid)})"
        return {
            "format": 1,
            "id": f"random-{self.seed}",
            "title": f"Random {self.seed}",
            "summary": "A small game with secrets.",
            "seats": 2,
            **({"lists": {"ranks": f"span(1, {RANKS})"}} if self.cards else {}),
            "define": {"worth": worth + (_spelled(lead) if self.cards else "")},
            "state": state | (pack if self.cards else {}),
            "payoffs": {"win": "worth if seat == first else -worth"},
            "turn": "go on",
            "phases": phases,
        }

    def phase(self, number: int) -> dict[str, Any]:
        """The phase of a step."""
        random, kind = self.random, self.kinds[number]
        then = "end" if number == self.steps - 1 else random.choice(("pass", "again"))
        if kind == "together":
            return self.together(then)
        if kind == "roll":
            do = self.do(self.stirred("fall"))
            body: dict[str, Any] = {"roll": {"fall": random.choice(("d2", "d3"))}, "do": do, "then": then}
        elif kind == "draw":
            taken = f"set {random.choice(('hand', 'hand', 'second'))}[{random.choice(HOLDERS)}] to card"
            stirred = random.choice(("mix", self.stirred("card")))
            body = {"draw": {"card": "deck"}, "do": [taken, *self.do(stirred)], "then": then}
        else:
            body = {"choose": self.options(then)}
        sees = random.choice(SEES)
        return body if sees is None else {**body, "seen_by": sees}

    def together(self, then: str) -> dict[str, Any]:
        """A choice of both seats at once, sometimes of what their cards allow."""
        random = self.random
        by_cards = ["span(1, 2 + hand % 2)", "span(1, 2 + second % 2)"] if self.cards else []
        items: Any = random.choice(([1, 2], [1, 2], [1, 2, 3], "span(1, 2)", *by_cards))
        stirred = f"{random.randint(1, 3)} * pick[first] + {random.randint(1, 3)} * (pick[mover] + pick[next])"
        return {"choose_together": {"pick": items}, "do": self.do(f"({stirred} + mix) % {MODULUS}"), "then": then}

    def options(self, then: str) -> list[dict[str, Any]]:
        """The options of a choice, of which some may depend on a card."""
        random = self.random
        most = random.choice(("2", "2", "3", "2 + mix % 2", *["2 + hand % 2"] * self.cards))
        found = [
            {"name": "Pick", "for": {"pick": f"span(1, {most})"}, "do": self.do(self.stirred("pick")), "then": then}
        ]
        if random.random() < 0.4:
            found.append({"name": "Leave it", "do": self.do("mix"), "then": random.choice((then, "end"))})
        if self.cards and random.random() < 0.3:
            found.append({"name": "Boast", "when": "hand > 1", "do": self.do(f"(mix + 1) % {MODULUS}"), "then": then})
        if self.leaving and random.random() < 0.2:
            found.append({"name": "Leave", "do": [*self.do(f"(mix + 2) % {MODULUS}"), "drop out"], "then": then})
        return found

    def stirred(self, name: str) -> str:
        """An amount into which a result or a choice is stirred."""
        return f"({self.random.randint(1, 4)} * mix + {self.random.randint(1, 6)} * {name}) % {MODULUS}"

    def do(self, amount: str) -> list[str]:
        """The effects of a step; some show a value."""
        effects = [f"set mix to {amount}", "add 1 to step"]
        if self.random.random() < 0.3:
            shown = self.random.choice((*SHOWN, *(SHOWN_CARDS * self.cards)))
            effects.insert(self.random.randint(0, 1), f"reveal {shown}")
        return effects


def _spelled(text: str) -> str:
    """A comparison of what the seats hold, spelled out: 1 where the first seat has more, else -1."""
    for name in ("hand", "second"):
        text = text.replace(f"beaten({name})", f"(1 if 2 * {name}[first] > sum({name}[table]) else -1)")
    return text
