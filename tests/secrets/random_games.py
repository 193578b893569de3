"""Small random games with secrets, from seeds: rolls, choices and choices at once, each seen by somebody else."""

from __future__ import annotations

from random import Random
from typing import Any

SEES = ("mover", "next", "nobody", "everyone", None)
MODULUS = 7


def random_game(seed: int) -> dict[str, Any]:
    """The data of a ruleset for two seats whose payoffs add up to 0.

    Everything that happens is stirred into a number, by which the end pays. So what a seat has not seen matters to it.
    """
    random = Random(seed)  # noqa: S311 - seeded games, not secrets
    steps = random.randint(2, 5)
    phases: dict[str, Any] = {"go on": {"cases": []}}
    kinds = [random.choice(("roll", "choose", "choose", "together")) for _ in range(steps)]
    for number, kind in enumerate(kinds):
        name = f"step {number}"
        phases["go on"]["cases"].append({"when": f"step == {number}", "then": name})
        phases[name] = _phase(random, kind, last=number == steps - 1)
    phases["go on"]["cases"][-1].pop("when")
    return {
        "format": 1,
        "id": f"random-{seed}",
        "title": f"Random {seed}",
        "summary": "A small game with secrets.",
        "seats": 2,
        "define": {
            "worth": " ".join([*(f"{random.randint(-5, 5)} if mix == {at} else" for at in range(1, MODULUS)), "0"])
        },
        "state": {"mix": {"max": MODULUS - 1}, "step": {"max": steps}, "first": {"type": "seat"}},
        "payoffs": {"win": "worth if seat == first else -worth"},
        "turn": "go on",
        "phases": phases,
    }


def _phase(random: Random, kind: str, last: bool) -> dict[str, Any]:
    then = "end" if last else random.choice(("pass", "again"))
    if kind == "roll":
        stirred = _stirred(random, "fall")
        body: dict[str, Any] = {"roll": {"fall": random.choice(("d2", "d3"))}, "do": _do(random, stirred), "then": then}
    elif kind == "together":
        items: Any = random.choice(([1, 2], [1, 2, 3], "span(1, 2)"))
        stirred = f"{random.randint(1, 3)} * pick[first] + {random.randint(1, 3)} * (pick[mover] + pick[next])"
        return {"choose_together": {"pick": items}, "do": _do(random, f"({stirred} + mix) % {MODULUS}"), "then": then}
    else:
        most = random.choice(("2", "2", "3", "2 + mix % 2"))
        option = {"name": "Pick", "for": {"pick": f"span(1, {most})"}, "do": _do(random, _stirred(random, "pick"))}
        body = {"choose": [{**option, "then": then}]}
        if random.random() < 0.4:
            body["choose"].append({"name": "Leave it", "do": _do(random, "mix"), "then": random.choice((then, "end"))})
    sees = random.choice(SEES)
    return body if sees is None else {**body, "seen_by": sees}


def _stirred(random: Random, name: str) -> str:
    return f"({random.randint(1, 4)} * mix + {random.randint(1, 6)} * {name}) % {MODULUS}"


def _do(random: Random, amount: str) -> list[str]:
    effects = [f"set mix to {amount}", "add 1 to step"]
    if random.random() < 0.3:
        effects.insert(
            random.randint(0, 1), random.choice(("reveal mix", "reveal mix to next", "reveal mix % 2 to mover"))
        )
    return effects
