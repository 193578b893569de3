"""Makes all checks of a lint on one game, as far as each takes reasonable time.

The modules of checks that need a solution are imported only after a game was explored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from oddsmith.base.errors import InputError, RulesetError, Signal
from oddsmith.base.exact import Number, decimal_text, plural
from oddsmith.base.progress import Progress
from oddsmith.graph import Explorer, StateGraph, refuse_endless
from oddsmith.report.lint.allowing import allowances_of_source, split_allowed, unused_allowances
from oddsmith.report.lint.coins import MAX_MOVES_TRIED, CoinSearchUndecided, find_coin_leaks
from oddsmith.report.lint.finding import (
    Finding,
    LintLimits,
    LintRecord,
    LintReport,
    number_with_grade_words,
    sorted_findings,
    warning_at,
)
from oddsmith.report.lint.shape import AT_ONCE, find_endless_play, find_unused_parts, possible_entry_names
from oddsmith.ruleset import Game
from oddsmith.ruleset.checking import problem_codes_by_name
from oddsmith.ruleset.model import Claim
from oddsmith.solve import objective_name, solve

if TYPE_CHECKING:
    from oddsmith.report.lint.secrets import SecretLinter
    from oddsmith.solve import Solution

MAX_LINTED_POSITIONS = 200_000  # positions of a game that is solved without being asked
MAX_LENGTH_TRANSITIONS = 3_000_000  # transitions, for all seats, of a game whose length is asked for
MAX_COMPARED_ACTIONS = 1_000_000  # actions whose losses are compared

SHAPE = ("OD703", "OD704", "OD705", "OD732")
SOLVED = ("OD701", "OD702", "OD721", "OD731", "OD741", "OD751")


def lint_game(
    game: Game,
    objective: str | None = None,
    limits: LintLimits | None = None,
    max_positions: int | None = MAX_LINTED_POSITIONS,
    at_ruleset_settings: bool = True,
    progress: Progress | None = None,
    solution: Solution | None = None,
) -> LintReport:
    """Return a report of what is odd in a game.

    ``max_positions``: the greatest number of positions up to which a game is explored and solved; None for no limit, so
    that every check is made. ``at_ruleset_settings``: whether the game has the settings of its ruleset. If not, claims
    are not checked, and unused allowances are not reported, because another setting may need them. ``solution``: the
    solution of the game, if it is known already. Raises ObjectiveError, and PlayError if a rule breaks in play or the
    game can never end.
    """
    how = game, objective_name(game, objective), limits or LintLimits(), max_positions, progress
    work: _Linter | SecretLinter
    if game.ruleset.has_secrets:
        from oddsmith.report.lint.secrets import SecretLinter

        work = SecretLinter(*how)
    else:
        work = _Linter(*how, solution)
    work.check_all(at_ruleset_settings and (not objective or objective == next(iter(game.ruleset.payoffs))))
    given = allowances_of_source(game.ruleset.source)
    findings, kept = split_allowed(work.findings, given)
    unasked = {code for each in work.unasked for code in each.codes}
    unasked |= {one.code for one in given if one.code.startswith("OD8") and one.code in problem_codes_by_name()}
    findings += unused_allowances(work.findings, given, unasked) if at_ruleset_settings else ()
    return LintReport(sorted_findings(findings), sorted_findings(kept), tuple(work.unasked))


class _Linter(LintRecord):
    """A lint of one game, which makes quick checks first and slow ones last."""

    def __init__(
        self,
        game: Game,
        objective: str,
        limits: LintLimits,
        max_positions: int | None,
        progress: Progress | None,
        known_solution: Solution | None,
    ) -> None:
        super().__init__()
        self.game, self.objective, self.bounds, self.most, self.progress = (
            game,
            objective,
            limits,
            max_positions,
            progress,
        )
        self.full, self.known = max_positions is None, known_solution

    def check_all(self, at_ruleset_settings: bool) -> None:
        """Make all checks. ``at_ruleset_settings``: whether the game has the settings of its ruleset."""
        try:
            self.findings += find_coin_leaks(self.game, self.full)
        except CoinSearchUndecided:
            reason = f"no coins came or went in the first {MAX_MOVES_TRIED:,} moves that were tried, and there are more moves"
            self.record_skipped(("OD711", "OD712"), reason)
        graph = self.explored_graph()
        solution = None if graph is None else self.check_graph(graph)
        if solution is not None:
            self.check_solution(solution)
        if self.game.ruleset.claims:
            self.check_claims(at_ruleset_settings, solution)

    def check_claims(self, at_ruleset_settings: bool, solution: Solution | None) -> None:
        """Report claims whose verdict depends on how their number is rounded."""
        if not at_ruleset_settings:
            self.record_skipped(("OD761",), "claims are checked only at the ruleset's own setting")
            return
        found, others, unsolved = find_ambiguous_claims(self.game, solution)
        self.findings += found
        if others:
            about = f"{plural(others, 'claim')} about another game"
            self.record_skipped(("OD761",), f"{about}; `oddsmith verify` looks at those as well")
        if unsolved:
            why = "; `oddsmith verify` says why" if solution else ", because the game was not solved"
            self.record_skipped(("OD761",), f"{plural(unsolved, 'claim')} could not be looked at{why}")

    def explored_graph(self) -> StateGraph | None:
        """Explore and return the graph. If it is too large, return None and record its checks as skipped."""
        explorer = Explorer(self.game, self.objective, possible_entry_names(self.game)[:AT_ONCE])
        if self.most and explorer.exceeds_limits(staged=True):
            reason = f"the game has far more positions than can ever be explored: {explorer.estimate}"
        else:
            graph, whole = explorer.explore(self.progress, self.most)
            if whole:
                return graph
            reason = f"the game has more than {self.most:,} positions; `oddsmith lint --full` asks all the same"
        self.record_skipped((*SHAPE, *SOLVED), reason)
        return None

    def check_graph(self, graph: StateGraph) -> Solution | None:
        """Make the checks that need no solution. Then return the known solution, or solve the game; None if it cannot
        be solved.
        """
        refuse_endless(graph)
        for check in (find_unused_parts, find_endless_play):
            self.findings += check(graph)
        try:
            return self.known or solve(self.game, self.objective, progress=self.progress)
        except RulesetError:
            raise
        except InputError as error:
            self.record_skipped(SOLVED, str(error))
            return None

    def check_solution(self, solution: Solution) -> None:
        """Make the checks that need a solution."""
        from oddsmith.report.lint.balance import find_favoured_seat, find_long_games, find_runaway_leader
        from oddsmith.report.lint.options import ActionLosses, find_choices_without_stakes, find_never_best_options

        graph = solution.graph
        self.check_if_applicable("OD721", find_favoured_seat, solution)
        if solution.mixtures:
            self.record_skipped(("OD701", "OD702", "OD741"), "players mix actions")
        elif len(graph.row_action) * solution.solved.arena.copies_per_state > MAX_COMPARED_ACTIONS and not self.full:
            many = f"there are more than {MAX_COMPARED_ACTIONS:,} actions"
            reason = f"{many}, so they were not compared; `oddsmith lint --full` compares them"
            self.record_skipped(("OD701", "OD702", "OD741"), reason)
        else:
            losses = ActionLosses.of(solution)
            self.findings += find_never_best_options(solution, losses)
            self.findings += find_choices_without_stakes(solution, losses, self.bounds)
        if len(graph.target) * graph.seats > MAX_LENGTH_TRANSITIONS and not self.full:
            many = f"there are more than {MAX_LENGTH_TRANSITIONS:,} transitions to follow"
            reason = f"{many}, so nothing was asked; `oddsmith lint --full` asks"
            self.record_skipped(("OD731", "OD751"), reason)
            return
        self.check_if_applicable("OD731", find_long_games, solution)
        self.check_if_applicable("OD751", find_runaway_leader, solution)

    def check_if_applicable(
        self, code: str, check: Callable[[Solution, LintLimits], Iterable[Finding]], solution: Solution
    ) -> None:
        """Make a check; if it does not apply to the game, record it as skipped."""
        from oddsmith.report.lint.balance import NotApplicable

        try:
            self.findings += check(solution, self.bounds)
        except NotApplicable as why:
            self.record_skipped((code,), str(why))


# --- claims


class _SolutionNeeded(Signal):
    """Raised if a claim needs the solution of the game, and there is none."""


def find_ambiguous_claims(game: Game, solution: Solution | None) -> tuple[list[Finding], int, int]:
    """Report OD761: claims whose number lies exactly between two roundings.

    Return the findings, the number of claims about another game, and the number of claims that could not be computed,
    for example without a solution. ``solution``: the solution of the game as written, if there is one.
    """
    from oddsmith.report.facts.claims import claim_number, judge_claim

    found, others, unsolved = list[Finding](), 0, 0

    def require_solution() -> Solution:
        if solution is None:
            raise _SolutionNeeded
        return solution

    for claim in game.ruleset.claims:
        if claim.setting is not None:
            others += 1
            continue
        try:
            judged = judge_claim(game, claim, claim_number(game, claim, require_solution))
        except (_SolutionNeeded, InputError):
            unsolved += 1
            continue
        if judged.is_between_roundings:
            found.append(_ambiguous_claim_finding(claim, judged.number, solution))
    return found, others, unsolved


def _ambiguous_claim_finding(claim: Claim, number: Number, solution: Solution | None) -> Finding:
    stated = claim.stated_number
    mark = "%" in stated.text
    places = len(stated.text.rstrip(" %").partition(".")[2])
    other = (2 * number.middle - stated.value) * (100 if mark else 1)
    printed = decimal_text(other, places) + " %" * mark
    number_text = number_with_grade_words(number)
    message = f"{stated.text} is {number_text}, which lies exactly between two roundings: others would print {printed}"
    hint = "state one more digit, or the fraction"
    return warning_at("OD761", claim.location, message, hint, _shortest_play_to_claim(claim, solution))


def _shortest_play_to_claim(claim: Claim, solution: Solution | None) -> tuple[str, ...]:
    """Return a shortest play to the option or outcome that a claim is about, one text for each move.

    The tuple is empty if the claim is about no option or outcome, if play begins there, or if there is no solution.
    """
    if solution is None or claim.question.at_entry is None:
        return ()
    from oddsmith.report.lint.plays import ShortestPlays

    graph = solution.graph
    entry = claim.question.at_entry
    marked = graph.event_bits & graph.watched.get(entry, 0) != 0
    if not marked.any():
        return ()
    return ShortestPlays(graph).play_to_state(int(graph.edge_state[marked].min()))
