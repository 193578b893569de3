"""The door for programs: open a ruleset, check it, solve it, verify its published odds, check its certificates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from oddsmith.errors import Problem
from oddsmith.files import find_ruleset
from oddsmith.ruleset import Game, Ruleset, bind
from oddsmith.ruleset.reading import load

if TYPE_CHECKING:
    from oddsmith.certify import Derivation, Proof
    from oddsmith.report.answers import Store
    from oddsmith.report.facts import Verdict
    from oddsmith.solve import Report, Solution
    from oddsmith.solve.parameter import Parametric


@dataclass(frozen=True)
class Book:
    """A loaded ruleset with what can be done with it. ``problems`` are warnings; errors raise."""

    ruleset: Ruleset
    problems: tuple[Problem, ...]

    @staticmethod
    def open(name: str | Path) -> Book:
        """The ruleset in a file, or a shipped one by its id. Raises RulesetError or UnknownRulesetError."""
        return Book(*load(find_ruleset(name)))

    @cached_property
    def sha256(self) -> str:
        """The hash of the canonical bundle: equal where the rules are."""
        from oddsmith.ruleset import sha256

        return sha256(self.ruleset)

    def game(self, seats: int | None = None, variants: Sequence[str] = (), **parameters: Any) -> Game:
        """The game at a number of seats, with variants applied in order, then parameters."""
        return bind(self.ruleset, seats, parameters, variants)

    def solve(  # noqa: PLR0913 - the words of the command line
        self, seats: int | None = None, objective: str | None = None, *, variants: Sequence[str] = (),
        policies: Mapping[int, str] | None = None, report: Report | None = None, alike: bool = False,
        digits: int | None = None, symmetry: bool = True, **parameters: Any,
    ) -> Solution:  # fmt: skip
        """The solved game: values as exact numbers, the optimal policy, its proof.

        ``policies``: seat (from 1) -> name of the policy it plays; the others play optimally. ``digits``: that proven values
        are wanted to.
        """
        from oddsmith.solve import solve

        return solve(self.game(seats, variants, **parameters), objective, policies, report, alike, digits, symmetry)

    def formulas(
        self, symbol: str, seats: int | None = None, objective: str | None = None, variants: Sequence[str] = (),
        **parameters: Any,
    ) -> Parametric:  # fmt: skip
        """The game solved for all values of a parameter that only weighs faces and pays: values as functions of it."""
        from oddsmith.solve.parameter import solve_symbol

        return solve_symbol(self.game(seats, variants, **parameters), symbol, objective)

    def verify(
        self, seats: int | None = None, variants: Sequence[str] = (), store: Path | None = None, **parameters: Any
    ) -> list[Verdict]:
        """The published odds of the ruleset, each with its verdict.

        ``store``: a folder where answers are kept; those that claims need are taken from it.
        """
        from oddsmith.report.facts import verdicts

        game = self.game(seats, variants, **parameters)
        if store is None or seats is not None or variants or parameters:
            return verdicts(game)
        kept = kept_answers(store)
        return verdicts(game, lambda of: kept.answer(self.ruleset, of).solution if kept.has(self.ruleset, of) else None)

    def certify(self, certificate: bytes, sample: int | None = None) -> tuple[Proof, Derivation]:
        """What a certificate of this ruleset proves by its table, and how far the rules were found to give that table.

        ``sample``: derive only so many states, at random. Raises CertificateError where it is refused.
        """
        from oddsmith.certify import derive, prove

        return prove(certificate), derive(certificate, self.ruleset, sample)


def kept_answers(folder: Path) -> Store:
    """The answers that are kept in a folder, by the key of whoever runs this program."""
    from oddsmith.files import Folder, own_key
    from oddsmith.report.answers import Store

    return Store(Folder(folder), own_key())
