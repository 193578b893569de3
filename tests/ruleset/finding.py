"""Find everything that is wrong with a ruleset given as text: in reading, at settings, in a little play."""

from __future__ import annotations

import random
import re
from pathlib import Path

from oddsmith.base.errors import PlayError, Problem, RulesetError
from oddsmith.base.location import Source
from oddsmith.graph.reductions.carry import ConservedGroups, carried_unit_payoffs, refuse_uncarried_tallies
from oddsmith.graph.witness import steps_in_words
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.checking.check import check_at_many_settings
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.reading.build import read_ruleset
from oddsmith.ruleset.rules import Rules

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SAMPLES = sorted([*(ROOT / "rulesets").glob("*.yaml"), *(HERE.parent / "samples").glob("*.yaml")])
BASE = (HERE.parent / "samples" / "base.yaml").read_text(encoding="utf-8")
FEW = 300  # states played for an error that only play finds


def laid_over(fragment: str, base: str = BASE) -> str:
    """The fragment, then the small base game without the keys that the fragment has."""
    keys = set(re.findall(r"^([a-z_]+):", fragment, re.MULTILINE))
    kept, mine = [], False
    for line in base.splitlines():
        key = re.match(r"([a-z_]+):", line)
        if key or not line.startswith(" "):
            mine = key is not None and key[1] not in keys
        if mine:
            kept.append(line)
    return fragment.rstrip("\n") + "\n" + "\n".join(kept) + "\n"


def problems_of(text: str, file: str = "game.yaml") -> list[Problem]:
    """All problems of a ruleset, in the order of the file for each way of looking."""
    try:
        ruleset, found = read_ruleset(Source(file, text))
    except RulesetError as error:
        return list(error.problems)
    problems = [*found, *check_at_many_settings(ruleset)]
    if not any(problem.severity == "error" for problem in problems):
        game = bind(ruleset)
        problems += _in_play(game)
    return problems


def _in_play(game: Game) -> list[Problem]:
    """The first error that the one-state rules meet."""
    rules = Rules(game)
    try:
        for objective in game.ruleset.payoffs:
            refuse_uncarried_tallies(
                game, objective, frozenset(carried_unit_payoffs(game, objective, ConservedGroups.of(game)))
            )
        todo = [rules.start()]
        seen = set(todo)
        while todo and len(seen) < FEW:
            for _, step in steps_in_words(rules, todo.pop(0)):
                if step.state.phase and step.state not in seen:
                    seen.add(step.state)
                    todo.append(step.state)
    except PlayError as error:
        return [error.problem]
    except RulesetError as error:
        return list(error.problems)
    return []


def mutated(text: str, chance: random.Random) -> str:
    """A text with one to three slips of the hand."""
    lines = text.split("\n")
    for _ in range(chance.randint(1, 3)):
        here = chance.randrange(len(lines))
        match chance.randrange(6):
            case 0:
                del lines[here]
            case 1:
                lines.insert(here, lines[chance.randrange(len(lines))])
            case 2:
                lines[here] = chance.choice(lines)
            case _:
                line, at = lines[here], chance.randint(0, len(lines[here]))
                piece = chance.choice(["", chance.choice(" :,{}[]()#'\"-\t&*!|>%@`0159azAZ_"), line[:at][-3:]])
                lines[here] = line[:at] + piece + line[at + chance.randint(0, 2) :]
    return "\n".join(lines)
