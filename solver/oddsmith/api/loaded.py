"""A ruleset with what can be done with it: check it, bind it, solve it, verify its odds, check certificates, publish it.

What solves a game by stages, as one types it.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from oddsmith.api.asking import asked_parameters, asked_symbol
from oddsmith.api.exporting import explored
from oddsmith.api.modules import FIRST, Delivery
from oddsmith.api.site import about_one_game, kept_answers, site_pages, small_site
from oddsmith.api.solved import SolvedGame
from oddsmith.base.dataframes import html_head, html_lines, html_table
from oddsmith.base.errors import Problem, TooManyStatesError
from oddsmith.base.exact import Number, brief, plural
from oddsmith.base.files import Folder, find_ruleset, shipped
from oddsmith.graph import Explorer
from oddsmith.ruleset import Game
from oddsmith.ruleset.model import Ruleset
from oddsmith.solve import objective_of
from oddsmith.solve.staged import find_stages

if TYPE_CHECKING:
    from oddsmith.api.staged import StagedGame
    from oddsmith.graph import StateGraph
    from oddsmith.proof import Derivation, Proof
    from oddsmith.report.facts import Verdict
    from oddsmith.report.lint import LintReport
    from oddsmith.solve import Report
    from oddsmith.solve.parameter import Parametric
    from oddsmith.solve.staged import Effort


def stages_command(
    ruleset: Ruleset,
    store: Path | str,
    seats: int | None,
    objective: str | None,
    variants: Sequence[str],
    parameters: Mapping[str, Any],
) -> str:
    """What solves a game at a setting by stages and keeps it."""
    words = [f"--seats {seats}"] * (seats is not None) + [f"--variant {name}" for name in variants]
    words += [f"--set {name}={value}" for name, value in parameters.items()]
    words += [f"--objective {objective}"] * (objective is not None) + [f"--store {store}"]
    name = ruleset.id if ruleset.id in shipped() else shlex.quote(ruleset.source.file)
    return " ".join(["oddsmith stages", name, *words])


def stages_instead(
    game: Game, seats: int | None, objective: str | None, variants: Sequence[str], parameters: Mapping[str, Any]
) -> str:
    """How a game at a setting that is too large may be solved by stages, to go on with after that; empty where it may not."""
    stages = find_stages(Explorer(game, objective_of(game, objective)).codec)
    if stages is None:
        return ""
    command = stages_command(game.ruleset, "FOLDER", seats, objective, variants, parameters)
    return f"; or solve it by stages ({stages}), which advise and play then find in the folder: {command}"


@dataclass(frozen=True, eq=False, repr=False)
class Certified:
    """A certificate that passed. ``proof``: what its table proves; ``derivation``: how many states the rules gave again."""

    proof: Proof
    derivation: Derivation

    def __repr__(self) -> str:
        head, values = self.proof.header, ", ".join(value.brief for value in self.values)
        words = f"{head['ruleset']['id']}, {plural(head['ruleset']['seats'], 'seat')}, {head['objective']} {values}"
        return brief(self, f"{words}; {'holds' if self.whole else 'no fault was found'}")

    @property
    def values(self) -> tuple[Number, ...]:
        """What the certificate proves the game to be worth to seat 1, 2, ..."""
        return tuple(Number(low, high) for low, high in self.proof.values)

    @property
    def whole(self) -> bool:
        """Whether every state was derived again, so that the certificate holds as a whole."""
        return self.derivation.whole


@dataclass(frozen=True, repr=False)
class LoadedRuleset:
    """A ruleset that was read and found sound. ``oddsmith.load`` makes one.

    ``ruleset`` holds the rules as records, ``problems`` the warnings; an error would have been raised. Most methods take the
    same settings: ``seats``, the number of players (default: the ruleset's); ``variants``, names of variants, applied in
    order; parameters by their names. One that is called like a word of the method gets an underscore: ``digits_=3``
    is the parameter ``digits``. ``report`` is called with what is being done, how much is done, and how much there is.

    >>> oddsmith.load("rogues-gambit")
    LoadedRuleset(rogues-gambit: Rogue's Gambit)
    """

    ruleset: Ruleset
    problems: tuple[Problem, ...]

    def __repr__(self) -> str:
        warned = f", {plural(len(self.problems), 'warning')}" if self.problems else ""
        return brief(self, f"{self.ruleset.id}: {self.ruleset.title}{warned}")

    def _repr_html_(self) -> str:
        rules = self.ruleset
        lines = [[name, each.default, each.about] for name, each in rules.parameters.items()]
        table = html_table(["parameter", "usually", ""], lines) if lines else ""
        told = [rules.summary, *(problem.message for problem in self.problems)]
        return f"{html_head(rules.title)}{html_lines(told)}{table}"

    def __hash__(self) -> int:
        return hash(self.sha256)

    @staticmethod
    def open(name: str | Path) -> LoadedRuleset:
        """The ruleset in a file, or a shipped one by its id. Raises UnknownRulesetError, RulesetError."""
        from oddsmith.ruleset.reading import load

        return LoadedRuleset(*load(find_ruleset(name)))

    @staticmethod
    def read(text: str, name: str = "<text>") -> LoadedRuleset:
        """The ruleset that a text is. ``name``: what errors call it. Raises RulesetError."""
        from oddsmith.ruleset.reading import read, source_of

        return LoadedRuleset(*read(source_of(text.encode(), name)))

    # --- what it is

    @property
    def id(self) -> str:
        """The name by which files and certificates know it."""
        return self.ruleset.id

    @property
    def title(self) -> str:
        """What people call the game."""
        return self.ruleset.title

    @cached_property
    def sha256(self) -> str:
        """The hash of the canonical bundle, 64 hexadecimal digits: equal where the rules are."""
        from oddsmith.ruleset import sha256

        return sha256(self.ruleset)

    def game(self, seats: int | None = None, variants: Sequence[str] = (), **parameters: Any) -> Game:
        """The game at a setting: what the engine plays. Raises SettingError, RulesetError."""
        from oddsmith.ruleset import bind

        return bind(self.ruleset, seats, asked_parameters(parameters), variants)

    def graph(
        self,
        seats: int | None = None,
        objective: str | None = None,
        *,
        variants: Sequence[str] = (),
        symmetry: bool = True,
        report: Report | None = None,
        **parameters: Any,
    ) -> StateGraph:
        """Every state and transition of the game at a setting, unsolved. ``graph.to_networkx()`` gives it to networkx.

        ``symmetry``: whether members of a family that the rules do not tell apart are taken for each other. Raises
        SettingError, ObjectiveError, PlayError, TooManyStatesError.
        """
        return explored(self.game(seats, variants, **parameters), objective, symmetry, report)

    # --- solving

    def solve(  # noqa: PLR0913 - the words of the command line
        self,
        seats: int | None = None,
        objective: str | None = None,
        *,
        variants: Sequence[str] = (),
        policies: Mapping[int, str] | Mapping[str, str] | None = None,
        report: Report | None = None,
        alike: bool = False,
        digits: int | None = None,
        symmetry: bool = True,
        exact: bool = False,
        **parameters: Any,
    ) -> SolvedGame:
        """The game at a setting with its best play, proved.

        ``objective``: the payoff that is played for (default: the first). ``policies``: seat (from 1) or side -> name of the
        policy it plays; the others play best. ``alike``: where no pure play is an equilibrium for all seats alike, mix
        rather than play by seat. ``digits``: decimal digits that proven values are wanted to. ``symmetry``: as in ``graph``.
        ``exact``: whether to find fractions even where they take longer than the solution. Raises
        SettingError, ObjectiveError, UnknownPolicyError, PlayError, TooManyStatesError, SolveError.

        >>> solved = oddsmith.load("rogues-gambit").solve(seats=2, coins_each=3)
        >>> solved.values
        (Number(1296/307), Number(546/307))
        """
        from oddsmith.solve import solve

        game = self.game(seats, variants, **parameters)
        named = {self.ruleset.number(seat): name for seat, name in (policies or {}).items()}
        try:
            solution = solve(game, objective, named, report, alike, digits, symmetry)
        except TooManyStatesError as error:
            given = asked_parameters(parameters)
            hint = "" if policies or not error.staged else stages_instead(game, seats, objective, variants, given)
            raise TooManyStatesError(f"{error}{hint}") from None
        return SolvedGame(solution.thoroughly() if exact else solution)

    def by_stages(  # noqa: PLR0913 - the words of the command line
        self,
        seats: int | None = None,
        objective: str | None = None,
        *,
        variants: Sequence[str] = (),
        digits: int = 12,
        memory: int | None = None,
        store: Path | str | None = None,
        jobs: int = 1,
        cluster: Any = None,
        report: Report | None = None,
        **parameters: Any,
    ) -> StagedGame:
        """The game at a setting, solved stage by stage, which takes the memory of its largest stage only.

        ``digits``: decimal digits that values are wanted to. ``memory``: the bytes that a stage may need at most. ``store``: a
        folder where solved stages are kept, so that work that was stopped goes on. ``jobs`` processes share the parts of a
        stage, or the sheets of a turn that is the same on all, or a ``cluster`` does, as in ``oddsmith.sweep``. Raises
        SettingError, ObjectiveError, PlayError, InputError, UnwritableError, TooManyStatesError and SolveError; the last also
        where the rules have no stages.

        >>> oddsmith.load("column-race").by_stages(shortest=1).values[0].decimal(10)
        '1.2979481898'
        """
        from oddsmith.api.staged import StagedGame
        from oddsmith.api.workers import crew
        from oddsmith.solve.staged import solve_by_stages

        game, shelf = self.game(seats, variants, **parameters), kept_answers(Path(store)) if store else None
        with crew(jobs, cluster) as share:
            return StagedGame.of(solve_by_stages(game, objective, report, digits, memory, shelf, share))

    def effort_by_stages(  # noqa: PLR0913 - those of ``by_stages``
        self,
        seats: int | None = None,
        objective: str | None = None,
        *,
        variants: Sequence[str] = (),
        digits: int = 12,
        memory: int | None = None,
        store: Path | str | None = None,
        jobs: int = 1,
        cluster: Any = None,
        report: Report | None = None,
        **parameters: Any,
    ) -> Effort:
        """What ``by_stages`` would take: all positions are found, and none is solved.

        Raises SettingError, ObjectiveError, PlayError, InputError, TooManyStatesError and SolveError, as ``by_stages`` does.

        >>> oddsmith.load("column-race").effort_by_stages(shortest=1).stages
        5
        """
        from oddsmith.api.workers import crew
        from oddsmith.solve.staged import effort_by_stages

        game, shelf = self.game(seats, variants, **parameters), kept_answers(Path(store)) if store else None
        with crew(jobs, cluster) as share:
            return effort_by_stages(game, objective, report, digits, memory, shelf, share)

    def kept_by_stages(
        self,
        store: Path | str,
        seats: int | None = None,
        objective: str | None = None,
        *,
        variants: Sequence[str] = (),
        **parameters: Any,
    ) -> StagedGame:
        """The game at a setting that ``by_stages`` has kept in a folder: nothing is solved, and only what is asked is read.

        Raises SettingError, ObjectiveError, and NotKeptError where the folder does not have all stages.
        """
        from oddsmith.api.staged import StagedGame
        from oddsmith.base.errors import NotKeptError
        from oddsmith.solve.staged import kept_by_stages

        found = kept_by_stages(self.game(seats, variants, **parameters), objective, kept_answers(Path(store)))
        if found is None:
            given = asked_parameters(parameters)
            command = stages_command(self.ruleset, store, seats, objective, variants, given)
            raise NotKeptError(
                f"{store} does not have {self.id} solved by stages at these settings; this solves and keeps it: {command}"
            )
        return StagedGame.of(found)

    def formulas(
        self,
        symbol: str,
        seats: int | None = None,
        objective: str | None = None,
        variants: Sequence[str] = (),
        *,
        report: Report | None = None,
        **parameters: Any,
    ) -> Parametric:
        """The game solved for all values of a parameter that only weighs faces and pays: values as functions of it.

        ``symbol``: its name, or with a range such as ``bend=1..5/2``. Raises SymbolError, and what ``solve`` raises.
        """
        from oddsmith.solve.parameter import solve_symbol

        name, low, high = asked_symbol(symbol)
        return solve_symbol(self.game(seats, variants, **parameters), name, objective, low, high, report)

    # --- checking what others say

    def verify(
        self, seats: int | None = None, variants: Sequence[str] = (), store: str | Path | None = None, **parameters: Any
    ) -> list[Verdict]:
        """The published odds of the ruleset, each with its verdict.

        ``store``: a folder where answers are kept; those that claims need are taken from it. Raises SettingError, and what
        ``solve`` raises.
        """
        from oddsmith.report.answers import numbers_of
        from oddsmith.report.facts import verdicts

        game = self.game(seats, variants, **parameters)
        if store is None or seats is not None or variants or parameters:
            return verdicts(game)
        kept = kept_answers(Path(store))
        return verdicts(game, numbers_of(self.ruleset, lambda of: kept.known(self.ruleset, of)))

    def certify(
        self, certificate: bytes | str | Path, sample: int | None = None, report: Report | None = None
    ) -> Certified:
        """Check a certificate (a file or its bytes): that its table proves its values, and that the rules give that table.

        The solver takes no part in it. ``sample``: derive only N states, chosen at random. Raises CertificateError where it is
        refused.
        """
        from oddsmith.base.files import read_again
        from oddsmith.proof import derive, prove

        data = certificate if isinstance(certificate, bytes) else read_again(Path(certificate))
        return Certified(prove(data), derive(data, self.ruleset, sample, report))

    def lint(
        self,
        seats: int | None = None,
        objective: str | None = None,
        *,
        variants: Sequence[str] = (),
        bounds: Mapping[str, Any] | None = None,
        full: bool = False,
        report: Report | None = None,
        **parameters: Any,
    ) -> LintReport:
        """What is odd about the game, though nothing is wrong: each finding with its code and a shortest play that shows it.

        ``bounds``: from where on something is worth a finding, by name: ``favoured``, ``turns``, ``loss``, ``leader``.
        ``full``: ask everything, however long it takes. Raises SettingError, ObjectiveError, PlayError.

        >>> [finding.code for finding in oddsmith.load("piglet").lint(bounds={"favoured": "20%"}).allowed]
        ['OD701']
        """
        from oddsmith.report.lint import LintLimits, lint

        own = seats is None and not variants and not parameters
        game = self.game(seats, variants, **parameters)
        return lint(game, objective, LintLimits().but(bounds or {}), full, own, report)

    # --- pages

    def publish(  # noqa: PLR0913 - the words of the command line
        self,
        folder: str | Path,
        *,
        seats: int | None = None,
        objective: str | None = None,
        variants: Sequence[str] = (),
        full: bool = False,
        store: str | Path | None = None,
        url: str = "",
        version: str = FIRST,
        report: Report | None = None,
        **parameters: Any,
    ) -> Path:
        """Write a small site about the game into a folder. ``mkdocs build -f`` turns the file that is returned into HTML.

        With settings the pages are about that one game alone, else about all that the key ``publish`` of the ruleset names,
        and with ``full`` about those that take long too. ``store``: a folder where answers are kept. ``url``: where the site
        will be, and ``version``: the least of the modules for Foundry on it; what differs from the folder's gets the next one.
        Raises what ``solve`` raises, and UnwritableError.
        """
        from oddsmith.base.files import write_all

        rules, folder = self.ruleset, Path(folder)
        if seats is not None or objective is not None or variants or parameters:
            rules = about_one_game(rules, seats, objective, variants, asked_parameters(parameters))
        modules = Delivery(url, version, Folder(folder / "docs").get)
        pages = site_pages([rules], None, report, full, Path(store) if store else None, modules)
        write_all(folder, small_site(pages, rules.title))
        return folder / "mkdocs.yml"
