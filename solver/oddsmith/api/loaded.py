"""A ruleset that was read, with a method for every task: solve it, verify its odds, check certificates, publish it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from oddsmith.api.asking import parameters_by_name, parse_parameter_range
from oddsmith.api.exporting import explore_graph
from oddsmith.api.modules import FIRST, ModulePublication
from oddsmith.api.site import open_answer_store, ruleset_about_one_setting, site_pages, site_source_files
from oddsmith.api.solved import AS_ASKED, SolvedGame
from oddsmith.base.dataframes import html_heading, html_list, html_table
from oddsmith.base.errors import Problem, ShortListError, SolveError, TooManyStatesError
from oddsmith.base.exact import Number, plural, short_repr
from oddsmith.base.executors import Work
from oddsmith.base.files import Folder, find_ruleset
from oddsmith.base.progress import Progress, ignore_progress
from oddsmith.expr import BadExpression
from oddsmith.ruleset import Game
from oddsmith.ruleset.model import Ruleset, Setting

if TYPE_CHECKING:
    from oddsmith.api.staged import StagedSolver
    from oddsmith.graph import StateGraph
    from oddsmith.proof import Derivation, Proof
    from oddsmith.report.facts import Verdict
    from oddsmith.report.lint import LintReport
    from oddsmith.report.policy import DecisionLists
    from oddsmith.solve import Estimate
    from oddsmith.solve.extensive import SecretSolution
    from oddsmith.solve.parameter import ParametricSolution
    from oddsmith.solve.staged import Effort


def _option_that_needs_one_graph(has_policies: bool, alike: bool, no_symmetry: bool, exact: bool) -> str:
    """Return the first option that can be met only if the game is solved as one graph, as on the command line; empty if
    there is none.

    ``has_policies``, ``alike``, ``no_symmetry``, ``exact``: whether each option was given.
    """
    asked = {"a named policy": has_policies, "--alike": alike, "--no-symmetry": no_symmetry, "--exact": exact}
    return next((name for name, wanted in asked.items() if wanted), "")


def _best_response_solution(solution: SecretSolution, policy_by_seat: Mapping[int, str]) -> SecretSolution:
    """Return the solution in which one seat follows a named policy, and the other plays its best response.

    ``solution``: the solution without policies. ``policy_by_seat``: the name of the policy by its seat (from 1). Raises
    SolveError unless the game has two seats and exactly one of them is named. Raises UnknownPolicyError, PlayError.
    """
    from oddsmith.solve import NamedPolicy, refuse_reads_of_unseen

    if solution.game.seats != 2 or len(policy_by_seat) != 1:
        message = "in a game with secrets, one of two seats may follow a policy, and the other plays its best response"
        raise SolveError(f"{message}: contest tournament says what policies get against each other")
    ((seat, name),) = policy_by_seat.items()
    policy = NamedPolicy(solution.game, name)
    refuse_reads_of_unseen(solution.game, solution.objective, [name])
    return solution.with_policy(seat - 1, name, policy.choose_action_index)


@dataclass(frozen=True, eq=False, repr=False)
class Certified:
    """A certificate that was accepted. ``proof``: the values that its table proves. ``derivation``: which of its states
    were derived again from the rules.
    """

    proof: Proof
    derivation: Derivation

    def __repr__(self) -> str:
        head, values = self.proof.header, ", ".join(value.brief for value in self.values)
        words = f"{head['ruleset']['id']}, {plural(head['ruleset']['seats'], 'seat')}, {head['objective']} {values}"
        return short_repr(self, f"{words}; {'holds' if self.is_fully_derived else 'no fault was found'}")

    @property
    def values(self) -> tuple[Number, ...]:
        """The proven value of the game to each seat, seat 1 first."""
        return tuple(Number(low, high) for low, high in self.proof.values)

    @property
    def is_fully_derived(self) -> bool:
        """Whether every state was derived again from the rules; then the certificate holds without restriction."""
        return self.derivation.whole


@dataclass(frozen=True, repr=False)
class LoadedRuleset:
    """A ruleset that was read without errors, as ``oddsmith.load`` returns it.

    ``ruleset``: the rules as records. ``problems``: the warnings. ``setting``: the number of seats, the payoff that is
    optimized, the variants and the parameters; methods answer for the game at this setting, and ``at`` changes it.
    Functions ``progress`` are called with the name of the current step, the amount done, and the total.

    >>> oddsmith.load("rogues-gambit")
    LoadedRuleset(rogues-gambit: Rogue's Gambit)
    """

    ruleset: Ruleset
    problems: tuple[Problem, ...]
    setting: Setting = Setting()

    def __repr__(self) -> str:
        told = [
            f"{self.ruleset.id}: {self.ruleset.title}{self.setting.options_text.replace(' --set ', ', ').replace(' --', ', ')}"
        ]
        told += [plural(len(self.problems), "warning")] if self.problems else []
        return short_repr(self, ", ".join(told))

    def _repr_html_(self) -> str:
        rules = self.ruleset
        lines = [[name, each.default, each.about] for name, each in rules.parameters.items()]
        table = html_table(["parameter", "usually", ""], lines) if lines else ""
        told = [rules.summary, *(problem.message for problem in self.problems)]
        return f"{html_heading(rules.title)}{html_list(told)}{table}"

    def __hash__(self) -> int:
        return hash(self.sha256)

    @staticmethod
    def open(name: str | Path) -> LoadedRuleset:
        """Read a ruleset. ``name``: the path of a file, or the id of a ruleset that is shipped with the program. Raises
        UnknownRulesetError, RulesetError.
        """
        from oddsmith.ruleset.reading import load_ruleset

        return LoadedRuleset(*load_ruleset(find_ruleset(name)))

    @staticmethod
    def read(text: str, name: str = "<text>") -> LoadedRuleset:
        """Read a ruleset from its text. ``name``: the name of the text in errors. Raises RulesetError."""
        from oddsmith.ruleset.reading import read_ruleset, source_from_bytes

        return LoadedRuleset(*read_ruleset(source_from_bytes(text.encode(), name)))

    # --- what it is

    @property
    def id(self) -> str:
        """The name of the ruleset in files and certificates."""
        return self.ruleset.id

    @property
    def title(self) -> str:
        """The name of the game for people."""
        return self.ruleset.title

    @cached_property
    def sha256(self) -> str:
        """The SHA-256 hash of the rules in canonical form, as 64 hexadecimal digits: equal for equal rules."""
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
        """Return the same rules at another setting. Arguments that are left out keep their present values.

        ``seats``: the number of players. ``objective``: the payoff that is optimized. ``variants``: names of variants
        in the order in which they are applied, or one name. Parameters of the ruleset are keyword arguments. If a
        parameter has the name of an argument, append an underscore: ``seats_=3`` sets the parameter ``seats``. Raises
        SettingError for a number of players that the rules do not allow; other errors are raised by the first method
        that needs the game.

        >>> oddsmith.load("rogues-gambit").at(seats=2, coins_each=3)
        LoadedRuleset(rogues-gambit: Rogue's Gambit, seats 2, coins_each=3)
        """
        if seats is not None:
            self.ruleset.refuse_disallowed_seat_count(seats)
        values = {**self.setting.values, **parameters_by_name(parameters)}
        variants = (variants,) if isinstance(variants, str) else variants
        chosen = self.setting if variants is None else replace(self.setting, variants=tuple(variants))
        objective = chosen.objective if objective is None else objective
        return replace(self, setting=replace(chosen, seats=seats or chosen.seats, objective=objective, values=values))

    @cached_property
    def game(self) -> Game:
        """The game at this setting, in the form that the solvers take. Raises SettingError, RulesetError."""
        from oddsmith.ruleset import bind

        return bind(self.ruleset, self.setting)

    @property
    def _objective(self) -> str:
        from oddsmith.solve import objective_name

        return objective_name(self.game, self.setting.objective)

    def graph(self, *, symmetry: bool = True, progress: Progress | None = None) -> StateGraph:
        """Return every state and transition of the game, without solving it. ``graph.to_networkx()`` converts the graph
        for networkx.

        ``symmetry``: whether positions that differ only in the order of interchangeable items, such as two equal
        coffers, are merged into one state. Raises SettingError, ObjectiveError, PlayError, TooManyStatesError.
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
        progress: Progress | None = None,
    ) -> SolvedGame:
        """Solve the game: find best play and prove its values.

        ``policies``: the names of policies by seat (from 1) or side; all other seats use best play. ``alike``: what to
        find if there is no pure equilibrium in which all seats use the same policy. If it is True, this is a mixed
        equilibrium in which they do; if it is False, each seat has its own policy. ``digits``: decimal digits of proven
        values. ``symmetry``: as in ``graph``. ``exact``: whether to find exact fractions even if that takes longer than
        solving.

        A game that fits in memory is solved as one graph. A larger game is solved stage by stage, if some quantity of
        its positions only grows or only falls during play. ``work`` selects one of the two ways, the folder where
        stages are stored, and the processes or the cluster that share them.

        A game with secrets, or with simultaneous choices, is solved as an extensive form, as by ``solve_secrets``. Its
        ``SolvedGame`` raises SecretsError for questions about positions that all seats see.

        Raises SettingError, ObjectiveError, UnknownPolicyError, PlayError, TooManyStatesError, SolveError,
        UnwritableError.

        >>> solved = oddsmith.load("rogues-gambit").at(seats=2, coins_each=3).solve()
        >>> solved.values
        (Number(1296/307), Number(546/307))
        >>> oddsmith.load("column-race").at(shortest=1).solve(work=oddsmith.Work(method="stages")).values[0].decimal(10)
        '1.2979481898'
        """
        from oddsmith.solve import solve

        def staged_solver() -> StagedSolver:
            """Return the solver by stages. Its module is imported by the first call, because the import is slow."""
            from oddsmith.api.staged import StagedSolver

            return StagedSolver(self.game, self.setting.objective, digits, work, progress)

        named = {self.ruleset.seat_number(seat): name for seat, name in (policies or {}).items()}
        whole = _option_that_needs_one_graph(bool(named), alike, not symmetry, exact)
        if self.ruleset.has_secrets:
            from oddsmith.api.secret import SecretGame

            refused = _option_that_needs_one_graph(False, alike, not symmetry, exact)
            if refused := refused or ("--by, --memory or --store" if work.method or work.requires_stages else ""):
                raise SolveError(f"{refused} is for games in which all see everything: leave it out for {self.id}")
            found = self.solve_secrets(digits=digits, progress=progress)
            return SecretGame(_best_response_solution(found, named) if named else found)
        if whole and (work.method == "stages" or work.requires_stages):
            raise SolveError(f"{whole} takes all positions at once: leave it out to solve {self.id} by stages")
        if work.method == "stages" or (work.method is None and work.requires_stages and staged_solver().has_stages):
            return staged_solver().solve(
                AS_ASKED if work.method else "to keep its stages" if work.store else "to bound its memory"
            )
        try:
            solution = solve(self.game, self.setting.objective, named, progress, alike, digits, symmetry)
        except TooManyStatesError as error:
            if work.method is not None or whole or not error.may_be_solved_by_stages or not staged_solver().has_stages:
                raise
            return staged_solver().solve("because its positions do not fit the memory together")
        return SolvedGame.of(solution.with_fractions() if exact else solution)

    def solve_secrets(self, *, digits: int | None = None, progress: Progress | None = None) -> SecretSolution:
        """Solve a game with secrets, or with simultaneous choices, as an extensive form.

        The game has one seat, or two seats whose payoffs have a constant sum. If simultaneous choices are its only
        secrets, it may have any seats and payoffs; then the solution is one equilibrium of possibly several.
        ``digits``: decimal digits of values that are not exact. Raises SolveError for any other game, if play can
        return to an earlier position, or if no equilibrium is proven. Raises SettingError, ObjectiveError, PlayError,
        TooManyStatesError.
        """
        from oddsmith.solve.extensive import solve_secrets

        return solve_secrets(self.game, self._objective, digits, progress)

    def effort(self, *, digits: int | None = None, work: Work = Work(), progress: Progress | None = None) -> Effort:
        """Return how much time and memory it takes to solve the game by stages. All positions are found, and none is
        solved.

        Raises SettingError, ObjectiveError, PlayError, InputError, TooManyStatesError, and SolveError if the game has
        no stages.

        >>> oddsmith.load("column-race").at(shortest=1).effort().stage_count
        5
        """
        from oddsmith.api.staged import StagedSolver

        return StagedSolver(self.game, self.setting.objective, digits, work, progress).effort()

    def with_lists(self, lists: DecisionLists, name: str = "short list") -> LoadedRuleset:
        """Return the ruleset with an additional policy: the lists of decisions that ``short_list`` of a solved game
        returned.

        A game that is too large to be solved can be played by the short list of a smaller setting. ``name``: the name
        of the policy. Raises ShortListError if the lists belong to another ruleset.

        >>> pig = oddsmith.load("pig")
        >>> taught = pig.with_lists(pig.at(target=20).solve().short_list())
        >>> print(taught.at(seats=3, target=20).estimate(games=20_000, policies={1: "short list"}).means[0])
        0.50 ± 0.02
        """
        from oddsmith.report.policy import policy_of_lists

        try:
            policies = {**self.ruleset.policies, name: policy_of_lists(self.game, lists.lists)}
        except (KeyError, BadExpression):
            raise ShortListError(
                "these lists are of another game: take them from a solution of the same rules"
            ) from None
        return replace(self, ruleset=replace(self.ruleset, policies=policies))

    def estimate(
        self,
        *,
        policies: Mapping[int, str] | Mapping[str, str] | None = None,
        smaller_game: SolvedGame | None = None,
        games: int | None = None,
        seed: int = 1,
        jobs: int = 1,
        cluster: Any = None,
        progress: Progress | None = None,
    ) -> Estimate:
        """Estimate the value to each seat if all seats play named policies, by simulation.

        This method is for games that are too large to be solved. Each mean has a confidence interval of at least 99.9
        %. ``policies``: as in ``solve``; seats without a policy play the policy that the key ``regular`` of the ruleset
        names. ``smaller_game``: a smaller game of the same rules, solved with ``symmetry=False``; seats without a
        policy then look a step ahead by its values. Where these are unknown, they play ``regular``, or take any legal
        action at random. ``games``: the number of games, by default a million. The same ``seed`` gives the same games
        on every machine, and for any ``jobs`` (processes) or ``cluster``.

        Raises SettingError, ObjectiveError, UnknownPolicyError, NoPolicyError, PlayError, EndlessPlayError, InputError;
        LookAheadError if the smaller game has no positions like those of this one, and WholeGraphError if it was solved
        by stages.

        >>> pig = oddsmith.load("pig").at(target=20)
        >>> print(pig.estimate(games=20_000).means[0])
        0.62 ± 0.02
        >>> print(pig.at(seats=3).estimate(games=20_000, smaller_game=pig.solve(symmetry=False)).means[0])
        0.50 ± 0.02
        """
        from oddsmith.api.workers import open_workers
        from oddsmith.ruleset.model import ANY
        from oddsmith.solve import DEFAULT_GAMES, SmallerGameValues, estimate

        smaller = (
            SmallerGameValues.of(smaller_game.solution, self.game, self.ruleset.regular_policy or ANY)
            if smaller_game
            else None
        )
        named = {self.ruleset.seat_number(seat) - 1: name for seat, name in (policies or {}).items()}
        with open_workers(jobs, cluster) as share:
            return estimate(
                self.game,
                self._objective,
                named,
                games or DEFAULT_GAMES,
                seed,
                share,
                progress or ignore_progress,
                smaller,
            )

    def formulas(self, symbol: str, *, progress: Progress | None = None) -> ParametricSolution:
        """Solve the game with one parameter as an unknown: return the values as functions of that parameter.

        ``symbol``: the parameter's name, alone or with a range such as ``bend=1..5/2``. The parameter may occur only in
        weights of faces and in payments. Raises SymbolError, and the errors of ``solve``.
        """
        from oddsmith.solve.parameter import solve_symbol

        name, low, high = parse_parameter_range(symbol)
        return solve_symbol(self.game, name, self.setting.objective, low, high, progress)

    # --- checking what others say

    def verify(self, store: str | Path | None = None) -> list[Verdict]:
        """Compute the odds that the ruleset quotes from publications, and return a verdict on each.

        ``store``: a folder of stored answers; odds that it has are not computed again. Raises SettingError, and the
        errors of ``solve``.
        """
        from oddsmith.report.answers import claim_number_lookup
        from oddsmith.report.facts import judge_claims

        if store is None or self.setting != Setting():
            return judge_claims(self.game)
        kept = open_answer_store(Path(store))
        known = kept.known_secret_answer if self.ruleset.has_secrets else kept.known_answer
        return judge_claims(self.game, claim_number_lookup(self.ruleset, lambda of: known(self.ruleset, of)))

    def certify(
        self,
        certificate: bytes | str | Path,
        sample: int | None = None,
        progress: Progress | None = None,
        seed: int | None = None,
    ) -> Certified:
        """Check a certificate: that its table proves its values, and that the rules give that table. ``certificate``:
        the path of a file, or its bytes.

        The check does not use the solver. ``sample``: the number of states to derive again, chosen at random, with as
        many near the start; by default all, or 20,000 of a table of over 200,000 positions. ``seed``: the seed of that
        choice; by default nobody can know it in advance. Raises CertificateError if the certificate is refused.
        """
        from oddsmith.base.files import path_or_bytes
        from oddsmith.proof import compare_table_with_rules, prove_table

        data = certificate if isinstance(certificate, bytes) else path_or_bytes(Path(certificate))
        return Certified(prove_table(data), compare_table_with_rules(data, self.ruleset, sample, progress, seed))

    def lint(
        self, *, bounds: Mapping[str, Any] | None = None, full: bool = False, progress: Progress | None = None
    ) -> LintReport:
        """Report properties of the game that are suspicious but not errors. Each finding has its code and a shortest
        play that shows it.

        ``bounds``: thresholds of findings by name: ``favoured``, ``turns``, ``loss``, ``leader``. ``full``: whether to
        make all checks, however long they take. Raises SettingError, ObjectiveError, PlayError.

        >>> [finding.code for finding in oddsmith.load("piglet").lint(bounds={"favoured": "20%"}).allowed]
        ['OD701']
        """
        from oddsmith.report.lint import MAX_LINTED_POSITIONS, LintLimits, lint_game

        own = replace(self.setting, objective="") == Setting()
        return lint_game(
            self.game,
            self.setting.objective,
            LintLimits().with_changes(bounds or {}),
            None if full else MAX_LINTED_POSITIONS,
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
        progress: Progress | None = None,
    ) -> Path:
        """Write a small site about the game into a folder. Return the path of its file ``mkdocs.yml``, which
        ``mkdocs build -f`` turns into HTML.

        If a setting was selected, the pages are about that game only. Else they are about all settings that the key
        ``publish`` of the ruleset names; settings that take long are included only if ``full``. ``store``: a folder
        where answers are stored. ``url``: the address of the site. ``version``: the least version of its modules for
        Foundry; a module that differs from the one in the folder receives the next version. Raises the errors of
        ``solve``, and UnwritableError.
        """
        from oddsmith.base.files import write_folder_files

        rules, folder = self.ruleset, Path(folder)
        if self.setting != Setting():
            rules = ruleset_about_one_setting(rules, self.setting)
        modules = ModulePublication(url, version, Folder(folder / "docs").get)
        pages = site_pages([rules], None, progress, full, Path(store) if store else None, modules)
        write_folder_files(folder, site_source_files(pages, rules.title))
        return folder / "mkdocs.yml"
