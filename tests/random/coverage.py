"""What of the language and of the engine a random game makes use of, in single words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import get_args

from oddsmith.ruleset.game import Game
from oddsmith.ruleset.model.effects import Effect, effects_in_preorder
from oddsmith.ruleset.model.phases import Phase
from oddsmith.ruleset.model.ruleset import Ruleset
from tests.random.compare import Answer

EFFECTS = {kind.kind for kind in get_args(Effect)} - {"reveal"}  # a game with secrets has no graph to compare
BODIES = {
    "choose",
    "cases",
    "roll",
    "rest",
    "draw",
    "two draws",
    "three draws",
    "several at once",
    "several terms",
    "terms of one die",
    "rest of a part",
    "rest of a part of terms of one die",
    "hands in a family",
    "kept",
    "several throws",
    "loops",
    "named policy",
    "variant",
    "parameters",
}
FOLLOWING = {
    "then phase",
    "then again",
    "then pass",
    "then pass_to",
    "then end",
    "out_when",
    "end_when",
    "at_end",
    "goal min",
}
PAYOFFS = {
    "pays by mover",
    "pays by next",
    "pays by previous",
    "pays by others",
    "pays by share",
    "pays by max",
    "pays tallies",
}
VARIABLES = {"number", "flag", "word", "seat", "hand", "tally", "resets", "family"}
REDUCTIONS = {"carried", "forgotten", "given by sums", "symmetric", "phases folded"}
KINDS = {"optimal", "zero-sum", "symmetric", "pure-by-seat", "mixed", "named"}
REST = {"1 seat", "2 seats", "3 seats", "4 seats", "cycles", "ties", "tallies apart", "refused as endless", "refused"}
ALL = EFFECTS | BODIES | FOLLOWING | PAYOFFS | VARIABLES | REDUCTIONS | KINDS | REST


def features(answer: Answer) -> set[str]:
    """All that an answer has to do with. Rules count where play can come to them, reductions where the game was solved."""
    return {*_rules(answer.game), *_payoff(answer), *_answered(answer)} & ALL


def _rules(game: Game) -> Iterator[str]:
    rules = game.ruleset
    effects = list(effects_in_preorder(rules.at_end))
    for phase in rules.phases.values():
        yield phase.kind
        yield from (throw.kind for throw in phase.rolls_and_draws)
        if any(throw.is_kept for throw in phase.rolls_and_draws):
            yield "kept"
        if len(phase.rolls_and_draws) > 1:
            yield "several throws"
        yield from _dice(rules, phase)
        for entry in phase.entries:
            effects += effects_in_preorder(entry.do)
            yield f"then {entry.then.kind}"
            if entry.loops:
                yield "loops"
    yield from (effect.kind for effect in effects)
    yield from (variable.kind for variable in rules.state.values())
    flags = {
        "resets": any(variable.resets_each_turn for variable in rules.state.values()),
        "family": any(dim != "seat" for variable in rules.state.values() for dim in variable.index_lists),
        "hands in a family": any(variable.kind == "hand" and variable.index_lists for variable in rules.state.values()),
        "parameters": rules.parameters,
        "variant": game.variants,
        "at_end": rules.at_end,
        "out_when": rules.out_when.op != "const",
        "end_when": rules.end_when.op != "const",
    }
    yield from (name for name, there in flags.items() if there)
    yield f"{game.seats} seat{'s' * (game.seats > 1)}"


def _dice(rules: Ruleset, phase: Phase) -> Iterator[str]:
    """How a phase names what it rolls and draws."""
    for throw in phase.rolls_and_draws:
        held = rules.state[throw.name].dice if throw.kind == "rest" else throw.dice
        if len(held) > 1:
            yield "several terms"
        if len({term.die for term in held}) < len(held):
            yield "terms of one die"
    bags = Counter(throw.bag for throw in phase.rolls_and_draws if throw.kind == "draw")
    yield from ({2: "two draws", 3: "three draws"}.get(times, "") for times in bags.values())
    if any(throw.kind == "draw" and throw.name.endswith("h_1") for throw in phase.rolls_and_draws):
        yield "several at once"


def _payoff(answer: Answer) -> Iterator[str]:
    payoff = answer.game.ruleset.payoffs[answer.objective]
    yield f"goal {payoff.goal}"
    tallies = {name for name, variable in answer.game.ruleset.state.items() if variable.kind == "tally"}
    for node in payoff.value.walk():
        yield f"pays by {node.value if node.op == 'call' else node.op}"
        if node.op == "state" and node.value in tallies:
            yield "pays tallies"


def _answered(answer: Answer) -> Iterator[str]:
    solution, plain = answer.solution, answer.plain
    if solution is None:
        yield "refused as endless" if answer.refused == "OD541" else "refused"
        return
    yield solution.kind
    left_out = solution.graph.codec.reduction
    flags = {
        "carried": left_out.carried,
        "given by sums": left_out.implied_cells,
        "symmetric": left_out.orbits,
        "forgotten": any(cells - left_out.carried for cells in left_out.forgotten.values()),
        "cycles": solution.component_count_by_method,
        "ties": solution.tie_count,
        "named policy": answer.named,
        "tallies apart": plain is not None and plain.tallies,
        "phases folded": _folds(answer),
    }
    yield from (name for name, there in flags.items() if there)
    yield from _rests(answer)


def _rests(answer: Answer) -> Iterator[str]:
    """Whether play rolls the rest of a hand of which a part lies there."""
    game = answer.game
    for position in answer.plain.positions if answer.plain is not None else ():
        for throw in game.ruleset.phases[position.phase].rolls_and_draws:
            if throw.kind == "rest":
                terms, where = game.ruleset.state[throw.name].dice, game.layout[throw.name].first
                twice = len({term.die for term in terms}) < len(terms)
                if 0 < len(position.cells[where]) < sum(count for _, count in game.cells[where].dice):
                    yield "rest of a part of terms of one die" if twice else "rest of a part"


def _folds(answer: Answer) -> bool:
    """Whether play runs through a phase that only sorts."""
    plain = answer.plain
    if plain is None:
        return False
    sorting = {name for name, phase in answer.game.ruleset.phases.items() if phase.kind == "cases"}
    steps = (step for position in plain.positions for row in plain._steps(position) for _, step, _ in row)
    return bool(sorting) and any(phase in sorting for step in steps for phase, _ in step.events)
