"""Questions put to Storm, in exact fractions: models that were written by hand, and models that Oddsmith exports."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

from oddsmith.report.export.tables import storm_drn_bytes
from tests.cases import Case, cases_of, solved
from tests.storm import Model, goal_of

GAMES = ("rogues-gambit", "dragons-lair", "chip-passing", "hold-the-pot-turn", "shut-the-box", "piglet")
EXPORTED = [(cases_of(name)[0], cases_of(name)[0].objectives[0]) for name in GAMES]
"""Exported models that Storm solves, each a game at its first size; the tests ask about all that are small."""


def value(model: str, terms: str) -> str:
    """The exact answer to a question about a model in the language of PRISM."""
    import stormpy  # noqa: PLC0415 - it has no wheel for some platforms

    with TemporaryDirectory() as folder:
        file = Path(folder) / "model.prism"
        file.write_text(model, encoding="utf-8")
        program = stormpy.parse_prism_program(str(file))
    asked = stormpy.parse_properties(terms, program)
    built = stormpy.build_model[stormpy.Rational](program, asked)
    return str(stormpy.model_checking(built, asked[0]).get_value(built.initial_states[0]))


def replies(case: Case, objective: str) -> list[tuple[Fraction | None, Fraction]]:
    """For each seat, its value and what Storm says, in best play by all and as its best reply to the others."""
    solution, found = solved(case, objective), []
    with TemporaryDirectory() as folder:
        played = Model(storm_drn_bytes(solution), Path(folder))
        for seat, number in enumerate(solution.values, 1):
            found.append((number.exact, played.collected(f"seat_{seat}")))
            free = Model(storm_drn_bytes(solution, seat), Path(folder))
            found.append((number.exact, free.collected(f"seat_{seat}", goal_of(solution))))
    return found
