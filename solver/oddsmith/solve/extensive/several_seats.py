"""An equilibrium of a subgame in which each seat chooses at most once, for any payoffs and any number of seats."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod

from oddsmith.base.errors import SolveError
from oddsmith.ruleset import ROOT, InformationSet, ObservedPosition, Subgame
from oddsmith.solve.extensive.normal_form import Bounds, NormalForm, Profile
from oddsmith.solve.extensive.sequence_form import Plan

PROFILES = 100_000
"""The most ways in which all seats of a subgame can choose together."""


@dataclass(frozen=True)
class OpenEquilibrium:
    """The plans of all seats, and bounds of what each gets.

    ``rounding``: how far chances may be off because they are rounded. ``error``: how far what an action brings may be off
    therefore.
    """

    plans: tuple[Plan, ...]
    bounds: tuple[Bounds, ...]
    rounding: Fraction
    error: Fraction


def subgame_equilibrium(
    subgame: Subgame, worth: Callable[[ObservedPosition], tuple[Bounds, ...]], places: int
) -> OpenEquilibrium:
    """Return an equilibrium of a subgame. ``worth``: gives bounds of the worth of a position to each seat where the subgame
    ends. Raises SolveError where a seat chooses twice, where there are too many ways to choose, or where none is proven.
    """
    choices = [_only_choice(each) for each in subgame.information_sets]
    counts = tuple(len(each.labels) if each else 1 for each in choices)
    if prod(counts) > PROFILES:
        raise SolveError(
            f"all players can choose together in over {PROFILES:,} ways, which is too many for an equilibrium"
        )
    actions = [_actions(subgame, seat, choice) for seat, choice in enumerate(choices)]
    ends: dict[Profile, dict[ObservedPosition, Fraction]] = {profile: {} for profile in product(*map(range, counts))}
    for leaf in subgame.leaves:
        taken = [own[sequence] for own, sequence in zip(actions, leaf.sequences, strict=True)]
        for profile in product(
            *(range(count) if each is None else (each,) for each, count in zip(taken, counts, strict=True))
        ):
            ends[profile][leaf.situation] = ends[profile].get(leaf.situation, Fraction(0)) + leaf.chance
    worths = {leaf.situation: worth(leaf.situation) for leaf in subgame.leaves}
    found = NormalForm(counts, ends, worths, places).equilibrium()
    if found is None:
        raise SolveError(
            "where all choose at once, no equilibrium was found and proven: there may be many that differ by little"
        )
    plans = tuple(
        _plan(subgame, seat, choice, own) for seat, (choice, own) in enumerate(zip(choices, found.chances, strict=True))
    )
    return OpenEquilibrium(plans, found.values, found.rounding, found.error)


def _only_choice(places: list[InformationSet]) -> InformationSet | None:
    """Return the choice of a seat; None where it has none. Raises SolveError where it has several."""
    found = [place for place in places if len(place.labels) > 1]
    if len(found) > 1:
        raise SolveError(
            "a player chooses twice before all know where the game stands, which is solved for two players alone"
        )
    return found[0] if found else None


def _actions(subgame: Subgame, seat: int, choice: InformationSet | None) -> list[int | None]:
    """Return, for each sequence of a seat, the action of its only choice; None where it has not chosen yet."""
    found: list[int | None] = [None] * len(subgame.sequences[seat])
    if choice is None:
        return [0] * len(found)
    for place in subgame.information_sets[seat]:
        for number, sequence in enumerate(place.sequences):
            found[sequence] = number if place is choice else found[place.parent]
    return found


def _plan(subgame: Subgame, seat: int, choice: InformationSet | None, chances: tuple[Fraction, ...]) -> Plan:
    """Return the plan of a seat. ``chances``: those of its only choice."""
    plan = [Fraction(0)] * len(subgame.sequences[seat])
    plan[ROOT] = Fraction(1)
    for place in subgame.information_sets[seat]:
        shares = chances if place is choice else (Fraction(1),)
        for sequence, share in zip(place.sequences, shares, strict=True):
            plan[sequence] = plan[place.parent] * share
    return plan
