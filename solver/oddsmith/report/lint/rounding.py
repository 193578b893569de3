"""Finds claims whose verdict depends on how their number is rounded."""

from __future__ import annotations

from oddsmith.base.errors import InputError, Signal
from oddsmith.base.exact import Number, decimal_text
from oddsmith.report.facts.claims import claim_number, verdict
from oddsmith.report.lint.finding import Finding, number_words, warning_at
from oddsmith.report.lint.plays import ShortestPlays
from oddsmith.ruleset import Game
from oddsmith.ruleset.model import Claim
from oddsmith.solve import Solution


class _Unsolved(Signal):
    """Raised if a claim needs the solution of the game, and there is none."""


def find_ambiguous_claims(game: Game, solution: Solution | None) -> tuple[list[Finding], int, int]:
    """Report OD761: claims whose number lies exactly between two roundings.

    Return the findings, the number of claims about another game, and the number of claims that could not be computed,
    for example without a solution. ``solution``: the solution of the game as written, if there is one.
    """
    found, others, unsolved = list[Finding](), 0, 0

    def known() -> Solution:
        if solution is None:
            raise _Unsolved
        return solution

    for claim in game.ruleset.claims:
        if claim.of is not None:
            others += 1
            continue
        try:
            judged = verdict(game, claim, claim_number(game, claim, known))
        except (_Unsolved, InputError):
            unsolved += 1
            continue
        if judged.edge:
            found.append(_ambiguity(claim, judged.number, solution))
    return found, others, unsolved


def _ambiguity(claim: Claim, number: Number, solution: Solution | None) -> Finding:
    stated = claim.stated
    mark = "%" in stated.text
    places = len(stated.text.rstrip(" %").partition(".")[2])
    other = (2 * number.middle - stated.value) * (100 if mark else 1)
    printed = decimal_text(other, places) + " %" * mark
    message = f"{stated.text} is {number_words(number)}, which lies exactly between two roundings: others would print {printed}"
    hint = "state one more digit, or the fraction"
    return warning_at("OD761", claim.location, message, hint, _shortest_play_to_claim(claim, solution))


def _shortest_play_to_claim(claim: Claim, solution: Solution | None) -> tuple[str, ...]:
    """Return a shortest play to the entry that the claim is about; empty if it names none, if play begins there, or
    without a solution.
    """
    if solution is None or claim.ask.at is None:
        return ()
    graph = solution.graph
    entry = claim.ask.at
    marked = graph.event_bits & graph.watched.get(entry, 0) != 0
    if not marked.any():
        return ()
    return ShortestPlays(graph).play_to(int(graph.edge_state[marked].min()))
