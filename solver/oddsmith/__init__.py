"""Oddsmith: rules of dice games as YAML, exact odds and best play, proven.

>>> import oddsmith
>>> book = oddsmith.load("rogues-gambit")
>>> solved = book.at(seats=2).solve()
>>> solved.values[0].decimal(6)
'27.346953'
>>> solved.advise("hoard=20,stash=10")
[Advice(Rogue's Gambit, 19.621498, best), Advice(Thief's Escape, 17.785447, loses 1.836051)]
>>> solved.distribution("turns")
Chances(turns: 111 outcomes, mean 6.415520 (proven))

``load`` gives a ``LoadedRuleset``. Its ``at`` chooses the number of players and other settings, and its ``solve`` gives a
``SolvedGame``, which answers questions. ``check`` says what is
wrong with a ruleset, and ``roll`` gives the chances of one roll without any. Whatever goes wrong raises an ``InputError``,
which you can mend, or an ``InternalError``, a fault of ours; each class says what to do. Nothing heavy is imported before it
is needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oddsmith.base.lazy import lazy_getattr
from oddsmith.base.resources import VERSION

if TYPE_CHECKING:
    from pathlib import Path

    from oddsmith.api import Certified, LoadedRuleset, Odds, Policy, SolvedGame, check, roll
    from oddsmith.base.errors import (
        BreakEvenError,
        CertificateError,
        ContestError,
        DisagreementError,
        DisprovedError,
        DistributionError,
        EndlessPlayError,
        ExportError,
        GoalError,
        HorizonError,
        InputError,
        InternalError,
        JoinError,
        MeasureError,
        ObjectiveError,
        OddsmithError,
        PlayError,
        PositionError,
        Problem,
        QuestionError,
        RequirementError,
        RulesetError,
        SettingError,
        SolveError,
        SymbolError,
        TooFineError,
        TooManyStatesError,
        TranscriptError,
        UncertifiableError,
        UnknownCodeError,
        UnknownPolicyError,
        UnknownRulesetError,
        UnplayableError,
        UnwritableError,
    )
    from oddsmith.base.exact import Number
    from oddsmith.base.executors import Work
    from oddsmith.base.files import shipped_rulesets
    from oddsmith.base.limits import limited
    from oddsmith.design import Fair, Goal, Sweep, diff, fair, sweep
    from oddsmith.report.contests import Matchup
    from oddsmith.ruleset.model import Setting

__version__ = VERSION
__all__ = [
    "BreakEvenError",
    "CertificateError",
    "Certified",
    "ContestError",
    "DisagreementError",
    "DisprovedError",
    "DistributionError",
    "EndlessPlayError",
    "ExportError",
    "Fair",
    "Goal",
    "GoalError",
    "HorizonError",
    "InputError",
    "InternalError",
    "JoinError",
    "LoadedRuleset",
    "Matchup",
    "MeasureError",
    "Number",
    "ObjectiveError",
    "Odds",
    "OddsmithError",
    "PlayError",
    "Policy",
    "PositionError",
    "Problem",
    "QuestionError",
    "RequirementError",
    "RulesetError",
    "Setting",
    "SettingError",
    "SolveError",
    "SolvedGame",
    "Sweep",
    "SymbolError",
    "TooFineError",
    "TooManyStatesError",
    "TranscriptError",
    "UncertifiableError",
    "UnknownCodeError",
    "UnknownPolicyError",
    "UnknownRulesetError",
    "UnplayableError",
    "UnwritableError",
    "Work",
    "__version__",
    "check",
    "diff",
    "fair",
    "limited",
    "load",
    "loads",
    "roll",
    "shipped_rulesets",
    "sweep",
]

_HOMES = {name: "base.errors" for name in __all__ if name.endswith("Error")} | {
    "Certified": "api",
    "Fair": "design",
    "Goal": "design",
    "LoadedRuleset": "api",
    "Matchup": "report.contests",
    "Number": "base.exact",
    "Odds": "api",
    "Policy": "api",
    "Problem": "base.errors",
    "Setting": "ruleset.model",
    "Work": "base.executors",
    "SolvedGame": "api",
    "Sweep": "design",
    "roll": "api",
    "check": "api",
    "diff": "design",
    "fair": "design",
    "limited": "base.limits",
    "shipped_rulesets": "base.files",
    "sweep": "design",
}


def load(name: str | Path) -> LoadedRuleset:
    """Load the ruleset in a file (a path that ends in ``.yaml``), or a shipped one by its id.

    Raises UnknownRulesetError if there is none of that name, RulesetError with all problems if it is not sound.
    """
    from oddsmith.api import LoadedRuleset

    return LoadedRuleset.open(name)


def loads(text: str) -> LoadedRuleset:
    """Read a ruleset from a text, as it would stand in a file. Raises RulesetError with all problems if it is not sound."""
    from oddsmith.api import LoadedRuleset

    return LoadedRuleset.read(text)


__getattr__ = lazy_getattr(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
