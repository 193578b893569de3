"""A ruleset with what can be done with it: check it, bind it, solve it, verify its odds, check certificates, publish it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from oddsmith.api.asking import parameters_by_name, read_symbol
from oddsmith.api.exporting import explore_graph
from oddsmith.api.modules import FIRST, Delivery
from oddsmith.api.site import about_one_game, kept_answers, site_pages, small_site
from oddsmith.api.solved import AS_ASKED, SolvedGame
from oddsmith.base.dataframes import html_head, html_lines, html_table
from oddsmith.base.errors import Problem, ShortListError, SolveError, TooManyStatesError
from oddsmith.base.exact import Number, plural, short_repr
from oddsmith.base.executors import Work
from oddsmith.base.files import Folder, find_ruleset
from oddsmith.base.progress import silent
from oddsmith.expr import BadExpression
from oddsmith.ruleset import Game
from oddsmith.ruleset.model import Ruleset, Setting

if TYPE_CHECKING:
    from oddsmith.api.staged import StagedSolve
    from oddsmith.graph import StateGraph
    from oddsmith.proof import Derivation, Proof
    from oddsmith.report.facts import Verdict
    from oddsmith.report.lint import LintReport
    from oddsmith.report.policy import DecisionLists
    from oddsmith.solve import Estimate, Report
    from oddsmith.solve.extensive import SecretSolution
    from oddsmith.solve.parameter import ParametricSolution
    from oddsmith.solve.staged import Effort


def _request_for_one_graph(policies: bool, alike: bool, apart: bool, exact: bool) -> str:
    """Return the first request that needs the game as one graph; empty if there is none."""
    asked = {"a named policy": policies, "--alike": alike, "--no-symmetry": apart, "--exact": exact}
    return next((name for name, wanted in asked.items() if wanted), "")


def _against_policy(found: SecretSolution, named: Mapping[int, str]) -> SecretSolution:
    """Return best play of one seat against a policy of the other. Raises SolveError, UnknownPolicyError, PlayError."""
    from oddsmith.solve import NamedPolicy, refuse_unseen_reads

    if found.game.seats != 2 or len(named) != 1:
        message = "in a game with secrets, one of two seats may follow a policy, and the other plays its best response"
        raise SolveError(f"{message}: contest tournament says what policies get against each other")
    ((seat, name),) = named.items()
    policy = NamedPolicy(found.game, name)
    refuse_unseen_reads(found.game, found.objective, [name])
    return found.against_policy(seat - 1, name, policy.pick)


@dataclass(frozen=True, eq=False, repr=False)
class Certified:
    """A certificate that was accepted. ``proof``: what its table proves. ``derivation``: the extent to which its states were
    derived again from the rules.
    """

    proof: Proof
    derivation: Derivation

    def __repr__(self) -> str:
        head, values = self.proof.header, ", ".join(value.brief for value in self.values)
        words = f"{head['ruleset']['id']}, {plural(head['ruleset']['seats'], 'seat')}, {head['objective']} {values}"
        return short_repr(self, f"{words}; {'holds' if self.whole else 'no fault was found'}")

    @property
    def values(self) -> tuple[Number, ...]:
        """The values of the game to seat 1, 2, ... that the certificate proves."""
        return tuple(Number(low, high) for low, high in self.proof.values)

    @property
    def whole(self) -> bool:
        """Whether every state was derived again, so that the certificate holds as a whole."""
        return self.derivation.whole


@dataclass(frozen=True, repr=False)
class LoadedRuleset:
    """A ruleset that was read without errors. ``oddsmith.load`` makes one.

    ``ruleset`` holds the rules as records, ``problems`` the warnings; an error would have been raised. ``setting`` is the
    game that its methods are about, which ``at`` changes: its seats, the payoff that is played for, variants and parameters.
    ``report`` is called with what is being done, how much is done, and how much there is.

    >>> oddsmith.load("rogues-gambit")
    LoadedRuleset(rogues-gambit: Rogue's Gambit)
    """

    ruleset: Ruleset
    problems: tuple[Problem, ...]
    setting: Setting = Setting()

    def __repr__(self) -> str:
        told = [
            f"{self.ruleset.id}: {self.ruleset.title}{self.setting.options.replace(' --set ', ', ').replace(' --', ', ')}"
        ]
        told += [plural(len(self.problems), "warning")] if self.problems else []
        return short_repr(self, ", ".join(told))

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
        """Read the ruleset in a file, or a shipped one by its id. Raises UnknownRulesetError, RulesetError."""
        from oddsmith.ruleset.reading import load

        return LoadedRuleset(*load(find_ruleset(name)))

    @staticmethod
    def read(text: str, name: str = "<text>") -> LoadedRuleset:
        """Read a ruleset from its text. ``name``: what errors call the text. Raises RulesetError."""
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

    def at(
        self,
        seats: int | None = None,
        objective: str | None = None,
        *,
        variants: Sequence[str] | str | None = None,
        **parameters: Any,
    ) -> LoadedRuleset:
        """Return the same rules at another setting. What is left out stays as it is.

        ``seats``: the number of players. ``objective``: the payoff that is played for. ``variants``: names of variants,
        applied in order, or one name. Parameters go by their names. One with the name of an argument gets an underscore:
        ``seats_=3`` is the parameter ``seats``. Raises SettingError for a number of players that the game is not for;
        other errors come with the first answer.

        >>> oddsmith.load("rogues-gambit").at(seats=2, coins_each=3)
        LoadedRuleset(rogues-gambit: Rogue's Gambit, seats 2, coins_each=3)
        """
        if seats is not None:
            self.ruleset.refuse_seats(seats)
        values = {**self.setting.values, **parameters_by_name(parameters)}
        variants = (variants,) if isinstance(variants, str) else variants
        chosen = self.setting if variants is None else replace(self.setting, variants=tuple(variants))
        objective = chosen.objective if objective is None else objective
        return replace(self, setting=replace(chosen, seats=seats or chosen.seats, objective=objective, values=values))

    @cached_property
    def game(self) -> Game:
        """The game that the engine plays at this setting. Raises SettingError, RulesetError."""
        from oddsmith.ruleset import bind

        return bind(self.ruleset, self.setting)

    @property
    def _objective(self) -> str:
        from oddsmith.solve import objective_of

        return objective_of(self.game, self.setting.objective)

    def graph(self, *, symmetry: bool = True, progress: Report | None = None) -> StateGraph:
        """Explore every state and transition of the game, unsolved. ``graph.to_networkx()`` gives it to
        networkx.

        ``symmetry``: whether positions that differ only by members that the rules do not tell apart share a state. Raises
        SettingError, ObjectiveError, PlayError, TooManyStatesError.
        """
        return explore_graph(self.game, self._objective, symmetry, progress)

    # --- solving

    def solve(
        self,
        *,
        policies: Mapping[int, str] | Mapping[str, str] | None = None,
        alike: bool = False,
        digits: int | None = None,
        symmetry: bool = True,
        exact: bool = False,
        work: Work = Work(),
        progress: Report | None = None,
    ) -> SolvedGame:
        """Solve the game: find best play, and prove its values.

        ``policies``: seat (from 1) or side -> name of the policy it plays; the others play best. ``alike``: where no
        pure equilibrium lets all seats play alike, find a mixed one instead of a policy for each seat. ``digits``:
        decimal digits of proven values. ``symmetry``: as in ``graph``. ``exact``: whether to find fractions even where
        they take longer than solving.

        A game that fits the memory is solved as one graph. A larger one is solved stage by stage, if something in its
        rules only grows or only falls. ``work`` selects one of these, and says where stages are kept and what shares
        them.

        A game with secrets, or with choices made at once, is solved by what every seat sees, as by ``solve_secrets``.
        It raises SecretsError for questions about positions that all seats see.

        Raises SettingError, ObjectiveError, UnknownPolicyError, PlayError, TooManyStatesError, SolveError,
        UnwritableError.

        >>> solved = oddsmith.load("rogues-gambit").at(seats=2, coins_each=3).solve()
        >>> solved.values
        (Number(1296/307), Number(546/307))
        >>> oddsmith.load("column-race").at(shortest=1).solve(work=oddsmith.Work(by="stages")).values[0].decimal(10)
        '1.2979481898'
        """
        from oddsmith.solve import solve

        def stages() -> StagedSolve:
            """Return the solver by stages. It loads slowly, so it is loaded by the first call."""
            from oddsmith.api.staged import StagedSolve

            return StagedSolve(self.game, self.setting.objective, digits, work, progress)

        named = {self.ruleset.seat_number(seat): name for seat, name in (policies or {}).items()}
        whole = _request_for_one_graph(bool(named), alike, not symmetry, exact)
        if self.ruleset.has_secrets:
            from oddsmith.api.secret import SecretGame

            refused = _request_for_one_graph(False, alike, not symmetry, exact)
            if refused := refused or ("--by, --memory or --store" if work.by or work.bounded else ""):
                raise SolveError(f"{refused} is for games in which all see everything: leave it out for {self.id}")
            found = self.solve_secrets(digits=digits, progress=progress)
            return SecretGame(_against_policy(found, named) if named else found)
        if whole and (work.by == "stages" or work.bounded):
            raise SolveError(f"{whole} takes all positions at once: leave it out to solve {self.id} by stages")
        if work.by == "stages" or (work.by is None and work.bounded and stages().has_stages):
            return stages().solve(
                AS_ASKED if work.by else "to keep its stages" if work.store else "to bound its memory"
            )
        try:
            solution = solve(self.game, self.setting.objective, named, progress, alike, digits, symmetry)
        except TooManyStatesError as error:
            if work.by is not None or whole or not error.staged or not stages().has_stages:
                raise
            return stages().solve("because its positions do not fit the memory together")
        return SolvedGame.of(solution.with_fractions() if exact else solution)

    def solve_secrets(self, *, digits: int | None = None, progress: Report | None = None) -> SecretSolution:
        """Solve a game with secrets, or with choices made at once, for one seat, or for two whose payoffs have a
        constant sum. Where choices at once are all that is not seen by all, find an equilibrium of any seats.

        ``digits``: decimal digits of values that are not exact. Raises SettingError, ObjectiveError, PlayError,
        TooManyStatesError, and SolveError where there are other secrets and more seats or payoffs of any sum.
        """
        from oddsmith.solve.extensive import solve_secrets

        return solve_secrets(self.game, self._objective, digits, progress)

    def effort(self, *, digits: int | None = None, work: Work = Work(), progress: Report | None = None) -> Effort:
        """Measure what solving the game by stages would take: find all positions, and solve none.

        Raises SettingError, ObjectiveError, PlayError, InputError, TooManyStatesError, SolveError (where there are no
        stages).

        >>> oddsmith.load("column-race").at(shortest=1).effort().stages
        5
        """
        from oddsmith.api.staged import StagedSolve

        return StagedSolve(self.game, self.setting.objective, digits, work, progress).effort()

    def with_lists(self, lists: DecisionLists, name: str = "short list") -> LoadedRuleset:
        """Return the ruleset with one more policy: lists of decisions, as ``short_list`` finds them at a setting that
        is solved.

        So a game that is too large to be solved can be played by the best list of a smaller one. ``name``: of the
        policy. Raises ShortListError where the lists are of another game.

        >>> pig = oddsmith.load("pig")
        >>> taught = pig.with_lists(pig.at(target=20).solve().short_list())
        >>> print(taught.at(seats=3, target=20).estimate(games=20_000, policies={1: "short list"}).means[0])
        0.50 ± 0.02
        """
        from oddsmith.report.policy import policy_of

        try:
            policies = {**self.ruleset.policies, name: policy_of(self.game, lists.lists)}
        except (KeyError, BadExpression):
            raise ShortListError(
                "these lists are of another game: take them from a solution of the same rules"
            ) from None
        return replace(self, ruleset=replace(self.ruleset, policies=policies))

    def estimate(
        self,
        *,
        policies: Mapping[int, str] | Mapping[str, str] | None = None,
        games: int | None = None,
        seed: int = 1,
        jobs: int = 1,
        cluster: Any = None,
        progress: Report | None = None,
    ) -> Estimate:
        """Estimate the value to each seat if all play named policies, by simulating a million games.

        This is for games that are too large to be solved. Each mean has an interval that holds it with a chance of at
        least 99.9 %. ``policies``: as in ``solve``; seats without one play as the ruleset's ``regular``. ``games``: the
        number of games. The same ``seed`` gives the same games on every machine, and for any ``jobs`` or ``cluster``.

        Raises SettingError, ObjectiveError, UnknownPolicyError, NoPolicyError, PlayError, EndlessPlayError, InputError.

        >>> print(oddsmith.load("pig").at(target=20).estimate(games=20_000).means[0])
        0.62 ± 0.02
        """
        from oddsmith.api.workers import open_workers
        from oddsmith.solve import GAMES, estimate

        named = {self.ruleset.seat_number(seat) - 1: name for seat, name in (policies or {}).items()}
        with open_workers(jobs, cluster) as share:
            return estimate(self.game, self._objective, named, games or GAMES, seed, share, progress or silent)

    def formulas(self, symbol: str, *, progress: Report | None = None) -> ParametricSolution:
        """Solve the game with one parameter left open: return its values as functions of that parameter.

        ``symbol``: the parameter's name, or with a range such as ``bend=1..5/2``. It may only weigh faces and pay.
        Raises SymbolError, and what ``solve`` raises.
        """
        from oddsmith.solve.parameter import solve_symbol

        name, low, high = read_symbol(symbol)
        return solve_symbol(self.game, name, self.setting.objective, low, high, progress)

    # --- checking what others say

    def verify(self, store: str | Path | None = None) -> list[Verdict]:
        """Compute the published odds of the ruleset, and return a verdict on each.

        ``store``: a folder of stored answers, from which the odds are taken where it has them. Raises SettingError, and
        what ``solve`` raises.
        """
        from oddsmith.report.answers import numbers_of
        from oddsmith.report.facts import verdicts

        if store is None or self.setting != Setting():
            return verdicts(self.game)
        kept = kept_answers(Path(store))
        return verdicts(self.game, numbers_of(self.ruleset, lambda of: kept.known(self.ruleset, of)))

    def certify(
        self, certificate: bytes | str | Path, sample: int | None = None, progress: Report | None = None
    ) -> Certified:
        """Check a certificate (a file or its bytes): that its table proves its values, and that the rules give that
        table.

        The solver takes no part in it. ``sample``: derive only N states, chosen at random. Raises CertificateError
        where it is refused.
        """
        from oddsmith.base.files import path_or_bytes
        from oddsmith.proof import derive, prove

        data = certificate if isinstance(certificate, bytes) else path_or_bytes(Path(certificate))
        return Certified(prove(data), derive(data, self.ruleset, sample, progress))

    def lint(
        self, *, bounds: Mapping[str, Any] | None = None, full: bool = False, progress: Report | None = None
    ) -> LintReport:
        """Report what is odd about the game, though not an error: each finding with its code and a shortest play that
        shows it.

        ``bounds``: the size from which on something is a finding, by name: ``favoured``, ``turns``, ``loss``, ``leader``.
        ``full``: make all checks, however long they take. Raises SettingError, ObjectiveError, PlayError.

        >>> [finding.code for finding in oddsmith.load("piglet").lint(bounds={"favoured": "20%"}).allowed]
        ['OD701']
        """
        from oddsmith.report.lint import MOST, LintLimits, lint

        own = replace(self.setting, objective="") == Setting()
        return lint(
            self.game,
            self.setting.objective,
            LintLimits().with_changes(bounds or {}),
            None if full else MOST,
            own,
            progress,
        )

    # --- pages

    def publish(
        self,
        folder: str | Path,
        *,
        full: bool = False,
        store: str | Path | None = None,
        url: str = "",
        version: str = FIRST,
        progress: Report | None = None,
    ) -> Path:
        """Write a small site about the game into a folder. ``mkdocs build -f`` turns the file that is returned into HTML.

        At a setting of its own, the pages are about that one game alone. Else they are about all that the key ``publish``
        of the ruleset names, and with ``full`` about those that take long too. ``store``: a folder where answers are
        stored. ``url``: the address of the site. ``version``: the least version of its modules for Foundry; a module that
        differs from the one in the folder gets the next version. Raises the errors of ``solve``, and UnwritableError.
        """
        from oddsmith.base.files import write_all

        rules, folder = self.ruleset, Path(folder)
        if self.setting != Setting():
            rules = about_one_game(rules, self.setting)
        modules = Delivery(url, version, Folder(folder / "docs").get)
        pages = site_pages([rules], None, progress, full, Path(store) if store else None, modules)
        write_all(folder, small_site(pages, rules.title))
        return folder / "mkdocs.yml"
