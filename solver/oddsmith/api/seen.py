"""Find a decision in a game with secrets by a text that lists what its seat has seen."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from oddsmith.api.positions import parse_seat
from oddsmith.base.errors import PositionError, did_you_mean
from oddsmith.base.exact import Number, plural
from oddsmith.ruleset import ObservedPosition
from oddsmith.solve import Advice, loss_of
from oddsmith.solve.extensive import (
    Decision,
    PlannedChoice,
    SecretSolution,
    common_knowledge_wordings,
    known_fact_texts,
    observed_facts,
)

_SAID = re.compile(r"(?:^|[,;\u00b7])\s*(phase|mover)\s*=([^,;\u00b7=]*)(?=[,;\u00b7]|$)")
_MARKS = re.compile(r"[\s=:,;\u00b7]+")
MAX_EXAMPLES = 4
"""The most decisions that an error names."""


@dataclass(frozen=True, eq=False)
class SecretDecision:
    """A decision of a solved game with secrets. ``subgame_root``: the observed position at which its subgame begins.
    ``seat``: the seat that decides (from 0). ``choice``: its information set with the chances of the plan.
    """

    solution: SecretSolution
    subgame_root: ObservedPosition
    seat: int
    choice: PlannedChoice

    @property
    def phase(self) -> str:
        """The name of the phase of the decision."""
        return self.choice.information_set.situation.state.phase

    @property
    def known_items(self) -> tuple[str, ...]:
        """The items that the seat knows, in words."""
        return known_fact_texts(self.solution.game, self.subgame_root, self.seat, self.choice.information_set)

    @property
    def description(self) -> str:
        """The decision in one line of text: seat, phase, and what the seat knows."""
        who = f"mover={self.solution.game.ruleset.seat_name(self.seat)}, phase={self.phase}"
        return ", ".join([who, *self.known_items])

    @property
    def plain_data(self) -> dict[str, Any]:
        """The decision as plain data; ``mover`` is the seat from 1."""
        return {"phase": self.phase, "mover": self.seat + 1, "known": list(self.known_items)}

    @property
    def actions(self) -> list[str]:
        """The names of all actions of the decision, in the order of the rules."""
        return self.solution.action_names(self.choice.information_set)

    @property
    def action_probabilities(self) -> dict[str, Number]:
        """The actions that the plan takes, each with its chance; empty if the seat's own plan never reaches the
        decision.
        """
        planned, off = (
            self.choice.action_probabilities or (),
            self.solution.subgames[self.subgame_root].probability_error,
        )
        return {
            name: Number(chance - off, chance + off)
            for name, chance in zip(self.actions, planned, strict=False)
            if chance
        }

    def advice(self) -> list[Advice]:
        """Return every action, the best first, with its value against the other seat's plan and its loss. Raises
        PositionError if the other seat's plan never reaches the decision.
        """
        worth = self.solution.action_value_bounds(self.subgame_root, self.seat, self.choice)
        if worth is None:
            raise PositionError(f"{self.description}: {self.no_values_reason}")
        sign = self.solution.objective_sign
        best = max(worth, key=lambda each: sign * each.middle)
        losses = [loss_of(best, each, sign) for each in worth]
        found = [
            Advice(place, name, each, loss, not loss.lower)
            for place, (name, each, loss) in enumerate(zip(self.actions, worth, losses, strict=True))
        ]
        return sorted(found, key=lambda each: (not each.best, each.loss.middle, each.row))

    @property
    def no_values_reason(self) -> str:
        """A sentence that says why the actions of this decision have no values."""
        taken = " or ".join(self.action_probabilities)
        plan = f", and this plan takes {taken}" if taken else ""
        return f"best play of the others never leads there, so no action has a worth against it{plan}"

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences for the user: that best play of this seat never reaches the decision, and why its actions have no
        values; empty if neither is the case.
        """
        notes = [] if self.choice.action_probabilities else ["best play of this seat never leads there"]
        if not self.choice.reach_probability:
            notes.append(self.no_values_reason)
        return tuple(notes)


def decisions_where(solution: SecretSolution, condition: str) -> list[Decision]:
    """Return the decisions that fulfil a condition. ``condition``: ``phase=NAME``, ``mover=SEAT``, and items that the
    seat knows, separated by commas. Raises PositionError if there are none.
    """
    named, seat = _parse_phase_and_seat(solution, condition)
    known = {_normalized_text(each) for each in re.split(r"[,;\u00b7]", _SAID.sub("", condition))} - {""}
    found = [
        each
        for each in solution.decisions()
        if named.get("phase") in (None, each.phase)
        and seat in (None, each.seat)
        and known <= set(map(_normalized_text, each.known_facts))
    ]
    if not found:
        raise PositionError(f"nobody has to choose where this holds: {condition}")
    return found


def _parse_phase_and_seat(solution: SecretSolution, text: str) -> tuple[dict[str, str], int | None]:
    """Parse ``phase=NAME`` and ``mover=SEAT`` in a text. Return both values as text, by ``phase`` and ``mover``, and
    the seat (from 0).

    What the text does not name is missing from the dictionary, and the seat is then None. Raises PositionError.
    """
    named = {match[1]: match[2].strip() for match in _SAID.finditer(text)}
    phases = solution.game.ruleset.phases
    seat = parse_seat(solution.game, named["mover"], f"mover={named['mover']}") if "mover" in named else None
    if "phase" in named and named["phase"] not in phases:
        raise PositionError(f"there is no phase {named['phase']}: {did_you_mean(named['phase'], phases, 'phases')}")
    return named, seat


def find_secret_decision(solution: SecretSolution, text: str) -> SecretDecision:
    """Return the decision of a seat that has seen exactly the items that a text lists, separated by commas.

    ``phase=NAME`` and ``mover=SEAT`` select one of several decisions that fit. Raises PositionError.
    """
    named, seat = _parse_phase_and_seat(solution, text)
    asked = _normalized_text(_SAID.sub("", text))
    among = [
        each
        for each in _all_decisions(solution)
        if named.get("phase") in (None, each.phase) and seat in (None, each.seat)
    ]
    found = [each for each in among if _lists_all_items(asked, *_item_wordings(each))]
    if len(found) > 1:
        which = "; or ".join(each.description for each in found[:MAX_EXAMPLES])
        raise PositionError(f"this is said of {plural(len(found), 'decision')}: {which}")
    if not found and not asked:
        shown = _nearest_decisions_text(asked, among).partition(" is ")[2]
        raise PositionError(f"say what the player has seen, as in --state: {shown}" if shown else "nobody has a choice")
    if not found:
        odd, near = _odd_parts_text(text, among), _nearest_decisions_text(asked, among)
        raise PositionError(f"nobody has to choose who has seen just this: {text.strip()}{odd}{near}")
    return found[0]


def _all_decisions(solution: SecretSolution) -> Iterator[SecretDecision]:
    for root in solution.subgames:
        for seat in range(solution.game.seats):
            for choice in solution.planned_choices(root, seat):
                if len(choice.information_set.labels) > 1:
                    yield SecretDecision(solution, root, seat, choice)


ItemWordings = list[tuple[str, ...]]


def _item_wordings(decision: SecretDecision) -> tuple[ItemWordings, ItemWordings]:
    """Return the wordings of what all seats knew at the root of the subgame, and of what the seat has seen since. Each
    item is a tuple of equivalent wordings.
    """
    game = decision.solution.game
    parts = (
        common_knowledge_wordings(game, decision.subgame_root),
        observed_facts(game, decision.seat, decision.choice.information_set),
    )
    first, then = ([tuple(map(_normalized_text, ways)) for ways in part] for part in parts)
    return first, then


def _lists_all_items(text: str, unordered_items: ItemWordings, ordered_items: ItemWordings) -> bool:
    """Return whether a text consists of one wording of every item: first the items ``unordered_items`` in any order,
    then the items ``ordered_items`` in their order.
    """
    if not unordered_items and not ordered_items:
        return not text
    ahead = [(place, ways) for place, ways in enumerate(unordered_items)] or [(-1, ordered_items[0])]
    for place, ways in ahead:
        rest = (
            (unordered_items[:place] + unordered_items[place + 1 :], ordered_items)
            if place >= 0
            else (unordered_items, ordered_items[1:])
        )
        for way in ways:
            if (text == way or text.startswith(f"{way} ")) and _lists_all_items(text[len(way) :].strip(), *rest):
                return True
    return False


def _nearest_decisions_text(text: str, candidates: Sequence[SecretDecision]) -> str:
    """Return the decisions that have the most words in common with a text, as the end of an error message; empty if
    there are no decisions. ``candidates``: the decisions to compare.
    """
    words = set(text.split())
    ranked = sorted(candidates, key=lambda each: -len(words & set(_normalized_text(each.description).split())))
    return "; such a decision is " + "; or ".join(each.description for each in ranked[:MAX_EXAMPLES]) if ranked else ""


def _odd_parts_text(text: str, candidates: Sequence[SecretDecision]) -> str:
    """Return which parts of a text are nothing that anybody sees in these words, as a part of an error message; empty if
    there are none. ``candidates``: the decisions whose items are known.
    """
    wordings = {way for each in candidates for items in _item_wordings(each) for ways in items for way in ways}
    joined = f" {' | '.join(wordings)} "
    parts = [each.strip() for each in re.split(r"[,;\u00b7]", _SAID.sub("", text))]
    odd = [each for each in parts if each and f" {_normalized_text(each)} " not in joined]
    return f"; nobody sees {' or '.join(f'`{each}`' for each in odd)} in these words" if odd else ""


def _normalized_text(text: str) -> str:
    """Return a text in small letters, with each run of spaces and punctuation replaced by one space."""
    return _MARKS.sub(" ", text).strip().casefold()
