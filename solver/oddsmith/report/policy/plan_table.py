"""Best play of a game with secrets as a table for the page on which people play: the probability of each action, by
what a seat has seen.

What a seat has seen is written as a text, and so is the position in which the subgame began.
``site/runtime/rules/observations.mjs`` writes the same texts. The key of a decision is the 64-bit hash of these texts
(FNV-1a, Fowler, Noll and Vo 1991).
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from itertools import islice, zip_longest
from math import lcm
from typing import Any

from oddsmith.base.dice import Hand
from oddsmith.base.errors import SolveError
from oddsmith.ruleset import Action, Game, ObservedPosition, sha256
from oddsmith.solve.extensive import Decision, SecretSolution

FORMAT = 1
PLACES = 6
"""Decimal places of the values of actions."""
MAX_TRAINED_DECISIONS = 40
"""The most decisions that a trainer asks about."""
MAX_TABLE_DECISIONS = 400_000
"""The most decisions of a table. A game with more has no table."""

_OFFSET, _PRIME, _MASK = 0xCBF29CE484222325, 0x100000001B3, (1 << 64) - 1


def distinct_value_text(value: Any) -> str:
    """Return a value of the rules as a text. Only equal values of one type have the same text."""
    if isinstance(value, Hand):
        return "[" + " ".join(f"{face}/{kind}" for face, kind in value) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return f"({','.join(map(distinct_value_text, value))})"
    return str(value)


def distinct_position_text(situation: ObservedPosition) -> str:
    """Return a position as a text. Equal positions have equal texts."""
    state = situation.state
    chosen = " ".join(f"{seat}={distinct_value_text(item)}" for seat, item in situation.simultaneous_choices)
    return "|".join(
        [
            state.phase,
            str(state.mover),
            str(state.seats_out_bits),
            " ".join(map(distinct_value_text, state.cells)),
            chosen,
        ]
    )


def observation_text(observation: Any) -> str:
    """Return as a text what a seat learned from one event."""
    return "; ".join(map(_event_text, observation))


def _event_text(event: Any) -> str:
    kind, *rest = event
    if kind == "play":
        phase, mover, out = rest
        return f"play {phase}|{mover}|{out}"
    parts = 3 if kind == "chose" else 1
    seats = "".join(f" to {','.join(map(str, seats))}" for seats in rest[parts:])
    return f"{kind} {_observed_event_text(kind, rest)}{seats}"


def _observed_event_text(event_kind: str, details: Sequence[Any]) -> str:
    if event_kind == "thrown":
        results = (" ".join(f"{name}={distinct_value_text(value)}" for name, value in result) for result in details[0])
        return " or ".join(sorted(results))
    if event_kind == "chose":
        seat, phase, label = details[:3]
        return f"{seat} {phase} {_move_label_text(label)}"
    return distinct_value_text(details[0])


def _move_label_text(label: Hashable) -> str:
    if isinstance(label, Action):
        return f"{label.entry_index}" + "".join(
            f" {name}={distinct_value_text(value)}" for name, value in label.binding
        )
    return distinct_value_text(label)


def decision_key(root_text: str, seat: int, observations: list[str]) -> str:
    """Return the key of a decision: a hash of the position in which its subgame began, the seat, and what that seat has
    seen since.
    """
    found = _OFFSET
    for unit in "\n".join([root_text, str(seat), *observations]).encode():
        found = (found ^ unit) * _PRIME & _MASK
    return f"{found:016x}"


def plan_table(solution: SecretSolution, known_decisions: Iterable[Decision]) -> bytes | None:
    """Return the table of a solved game, gzipped; None for a game with too many decisions.

    ``known_decisions``: the decisions of the solution. Raises SolveError if two decisions have the same key.
    """
    if (
        sum(len(places) for each in solution.subgames.values() for places in each.subgame.information_sets)
        > MAX_TABLE_DECISIONS
    ):
        return None
    decisions = dict[str, list[Any]]()
    for root in solution.subgames:
        for seat in range(solution.game.seats):
            for choice in solution.planned_choices(root, seat):
                seen = [observation_text(one) for one in choice.information_set.observations]
                key = decision_key(distinct_position_text(root), seat, seen)
                if key in decisions:
                    raise SolveError("two decisions have the same key")
                decisions[key] = [_probability_data(choice.action_probabilities), _rounded_values(choice.action_values)]
    head = {
        "plan": FORMAT,
        "bundle": sha256(solution.game.ruleset),
        "places": PLACES,
        "goal": solution.game.ruleset.payoffs[solution.objective].goal,
        "asked": _trainer_decisions(solution.game, known_decisions),
    }
    text = json.dumps({**head, "decisions": decisions}, separators=(",", ":"))
    return gzip.compress(text.encode(), mtime=0)


def _trainer_decisions(game: Game, decisions: Iterable[Decision]) -> list[dict[str, Any]]:
    """Return the decisions that a trainer asks about, as plain data with texts.

    Decisions in which best play mixes alternate with those in which it does not. The former are sorted by the
    probability of being reached. The latter are sorted by this probability times the greatest possible loss. The
    largest come first.
    """
    rules = game.ruleset
    mixed, pure = list[tuple[Fraction, dict[str, Any]]](), list[tuple[Fraction, dict[str, Any]]]()
    for each in decisions:
        if not each.expected_visits or each.action_values is None:
            continue
        worth = list(each.action_values.values())
        asked = {
            "seat": rules.seat_name(each.seat),
            "label": rules.phases[each.phase].label or each.phase,
            "known": list(each.known_facts),
        }
        answers = {
            "options": list(each.action_probabilities),
            "chances": _probability_data(list(each.action_probabilities.values())),
            "worth": _rounded_values(worth),
        }
        if len(each.support) > 1:
            mixed.append((each.expected_visits, asked | answers))
        elif lost := each.expected_visits * (max(worth) - min(worth)):
            pure.append((lost, asked | answers))
    ranked = [sorted(each, key=lambda one: -one[0]) for each in (mixed, pure)]
    in_turn = (one for pair in zip_longest(*ranked) for one in pair if one is not None)
    return [asked for _, asked in islice(in_turn, MAX_TRAINED_DECISIONS)]


def _probability_data(probabilities: Sequence[Fraction] | None) -> Any:
    """Return the probabilities of actions as plain data; None if there are none.

    If one action has probability 1, the result is its index. Otherwise the result is a list of whole numbers in the
    ratio of the probabilities. If their sum is too large for JavaScript, they are texts.
    """
    if probabilities is None:
        return None
    if 1 in probabilities:
        return probabilities.index(Fraction(1))
    scale = lcm(*(each.denominator for each in probabilities))
    whole = [int(each * scale) for each in probabilities]
    return whole if scale < 2**53 else list(map(str, whole))


def _rounded_values(values: Sequence[Fraction] | None) -> list[int] | None:
    return None if values is None else [round(each * 10**PLACES) for each in values]
