"""Random games that go round: the ones in which no pure play may be an equilibrium."""

from __future__ import annotations

from random import Random
from typing import Any

Data = dict[str, Any]


def wheel(seed: int) -> Data:
    """Few choices that go round for ever, where what is best depends on what the next player does: pure play may not do."""
    random = Random(seed)  # noqa: S311 - games, not secrets
    moods = ["calm", "angry"][: random.randint(1, 2)]
    options = []
    for number in range(random.randint(2, 3)):
        do = [f"add {random.randint(-3, 3)} to points[{seat}]" for seat in ("mover", "next", "previous")]
        do += [f"set mood to {random.choice(moods)}"]
        then = random.choice(["slow", "quick", "quick", {"pass_to": "next"}, "end"]) if number else "quick"
        options.append({"name": f"Push {number}", "do": do, "then": then})
    spins: Data = {}
    for name, die in (("slow", "d5"), ("quick", "d2")):
        pays = {"if": f"mood == {random.choice(moods)}", "do": f"add {random.randint(-3, 3)} to points[next]"}
        spins[name] = {
            "roll": {f"{name}_r": die},
            "outcomes": [
                {"name": "Out", "when": f"{name}_r == 1", "do": pays, "then": "end"},
                {"name": "On", "then": "pass"},
            ],
        }
    return {
        "format": 1,
        "id": f"wheel-{seed}",
        "title": f"Wheel {seed}",
        "summary": "Made at random.",
        "seats": random.choice([2, 3, 3, 4]),
        "state": {"points": {"type": "tally", "each": "seat"}, "mood": {"one_of": moods}},
        "payoffs": {"gain": "points"},
        "turn": "push",
        "phases": {"push": {"choose": options}, **spins},
    }
