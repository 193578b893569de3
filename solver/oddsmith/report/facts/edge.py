"""What the house keeps of a stake, in words."""

from __future__ import annotations

from collections.abc import Mapping

from oddsmith.base.exact import Number
from oddsmith.report.english.words import plain_name
from oddsmith.ruleset.model import Ruleset

PLACES = 4  # of a percentage


def house_edges(ruleset: Ruleset, objective: str, answers: Mapping[str, object]) -> list[str]:
    """Return a clause for each payoff on what the house keeps of it, the payoff of the game first.

    ``answers``: the answers to the ruleset's own questions, by their names.
    """
    found: dict[str, dict[str, Number]] = {}
    for name, question in ruleset.measures.items():
        answer = answers.get(name)
        if question.edge and isinstance(answer, Number):
            found.setdefault(question.edge, {})[name] = answer
    return [
        f"{'' if payoff == objective else f'of {plain_name(payoff)} '}{_house_clause(found[payoff])}"
        for payoff in sorted(found, key=lambda payoff: payoff != objective)
    ]


def edge_percent(answer: Number) -> str:
    """Write a part of a stake in percent."""
    return f"{(answer * 100).decimal(PLACES)} %"


def _house_clause(edges: Mapping[str, Number]) -> str:
    """Write how much of each stake the house keeps or loses."""
    parts, before = [], ""
    for name, answer in edges.items():
        verb = "loses" if answer.upper < 0 else "keeps"
        kept = edge_percent(-answer if answer.upper < 0 else answer)
        parts.append(f"{'' if verb == before else f'{verb} '}{kept} of {name[:1].lower()}{name[1:]}")
        before = verb
    return f"the house {', '.join(parts)}"
