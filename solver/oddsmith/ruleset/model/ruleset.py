"""A ruleset as frozen records: every expression typed, every name resolved, nothing left to parse."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from oddsmith.exact import brief
from oddsmith.expr import Expr, Type
from oddsmith.location import Source, Text
from oddsmith.ruleset.model.editions import Edition
from oddsmith.ruleset.model.effects import Effect
from oddsmith.ruleset.model.phases import Phase
from oddsmith.ruleset.model.questions import Claim, Measure, Payoff, Policy
from oddsmith.ruleset.model.state import DieRule, Parameter, Requirement, Variable, Variant
from oddsmith.ruleset.model.wording import Remembered, Sentence, Wording


@dataclass(frozen=True)
class Ruleset:
    """A loaded, checked ruleset. ``data`` is the file as plain data, for what is only shown. ``out_say`` is told for every seat
    that goes out, ``end_say`` when the game is over.
    """

    source: Source
    data: Mapping[str, Any]
    id: str
    title: str
    summary: str
    seats: tuple[int, int, int]
    parameters: Mapping[str, Parameter]
    variants: Mapping[str, Variant]
    constants: Mapping[str, int]
    maps: Mapping[str, Mapping[Any, Any]]
    lists: Mapping[str, tuple[Any, ...] | Expr]
    dice: Mapping[str, DieRule]
    state: Mapping[str, Variable]
    payoffs: Mapping[str, Payoff]
    turn: str
    phases: Mapping[str, Phase]
    out_when: Expr
    end_when: Expr
    at_end: tuple[Effect, ...]
    measures: Mapping[str, Measure]
    claims: tuple[Claim, ...]
    policies: Mapping[str, Policy]
    edition: Edition
    symbols: Mapping[str, Any]
    defines: Mapping[str, Text]
    list_types: Mapping[str, Type]
    requirements: tuple[Requirement, ...] = ()
    told: Wording | None = None
    remember: tuple[Remembered, ...] = ()
    out_say: Sentence | None = None
    end_say: Sentence | None = None

    def __repr__(self) -> str:
        return brief(self, f"{self.id}: {self.title}")

    def __hash__(self) -> int:  # the maps in it have none
        return hash((self.id, self.title, self.seats, tuple(self.phases)))
