"""Random plays as lines of text, for a second engine to repeat: same seed, same lines."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

from oddsmith.base.errors import PlayError
from oddsmith.base.exact import fraction_text
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.model.phases import RollOrDraw
from oddsmith.ruleset.rules import Action, Rules, State
from tests.playthroughs.write import position_line, word


class Random32:
    """Mulberry32 with rejection, as ``site/runtime/rules/random.mjs`` has it."""

    def __init__(self, seed: int) -> None:
        self.state = seed & 0xFFFFFFFF

    def bits(self) -> int:
        """32 random bits."""
        self.state = (self.state + 0x6D2B79F5) & 0xFFFFFFFF
        t = self.state
        t = (t ^ t >> 15) * (t | 1) & 0xFFFFFFFF
        t ^= (t + ((t ^ t >> 7) * (t | 61) & 0xFFFFFFFF)) & 0xFFFFFFFF
        return t ^ t >> 14

    def below(self, bound: int) -> int:
        """A whole number from 0 to below a bound of at most 2^32."""
        top = 2**32 - 2**32 % bound
        while (bits := self.bits()) >= top:
            pass
        return bits % bound

    def pick(self, weighted: list[tuple[Any, int]]) -> Any:
        """One of the values, by weight."""
        left = self.below(sum(weight for _, weight in weighted))
        for value, weight in weighted:
            if left < weight:
                return value
            left -= weight
        raise AssertionError("nothing to pick from")


def option(game: Game, action: Action) -> str:
    """An option with the values of its loop names."""
    return "; ".join([action.name, *(f"{name} {word(game, value)}" for name, value in action.binding)])


def paid(rules: Rules, state: State, name: str) -> str:
    """What each seat got, or what breaks where the payoff cannot be told."""
    try:
        return " ".join([name, *map(fraction_text, rules.payoffs(state, name))])
    except PlayError as error:
        return f"{name} broken: {error.problems[0].code}"


def lines(game: Game, positions: int, seed: int) -> Iterator[str]:
    """The lines of random plays, one game after the other, until so many positions were met."""
    rules, random = Rules(game), Random32(seed)
    state = start = rules.start()
    for _ in range(positions):
        yield position_line(game, state)
        if not state.phase:
            yield from (paid(rules, state, name) for name in game.ruleset.payoffs)
            state = start
            continue
        try:
            if rules.phase(state).kind == "choose":
                actions = rules.actions(state)
                yield f"may: {' | '.join(option(game, action) for action in actions)}"
                step = rules.choose(state, actions[random.below(len(actions))])
            else:
                sizes: list[str] = []

                def pick(_: RollOrDraw, law: list[tuple[Any, int]], sizes: list[str] = sizes) -> Any:
                    if isinstance(law[0][0], tuple):
                        law = sorted(law, key=lambda pair: (len(pair[0]), pair[0]))
                    sizes.append(f"{len(law)} of {sum(weight for _, weight in law)}")
                    return random.pick(law)

                thrown = rules.pick_chance_result(state, pick)
                shown = "; ".join(f"{name} {word(game, value)}" for name, value in thrown.values)
                yield f"fell: {shown} ({', '.join(sizes)})"
                step = rules.resolve(state, thrown)
        except PlayError as error:
            yield f"broken: {error.problems[0].code}"
            state = start
            continue
        events = ", ".join(f"{phase}: {entry}" for phase, entry in step.events)
        yield f"then: {events}{' (turn over)' if step.turn_over else ''}"
        state = step.state


def told(found: Iterator[str]) -> list[str]:
    """The hash of lines, after every 1,000 of them and at the end."""
    digest, marks = hashlib.sha256(), []
    for count, line in enumerate(found, 1):
        digest.update(f"{line}\n".encode())
        if count % 1000 == 0:
            marks.append(digest.hexdigest())
    return [*marks, digest.hexdigest()]
