"""Check a ruleset for errors without solving it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, product
from pathlib import Path
from typing import TYPE_CHECKING

from oddsmith.base.errors import InputError, PlayError, Problem, RulesetError
from oddsmith.base.exact import fraction_text, plural
from oddsmith.base.files import find_ruleset
from oddsmith.ruleset.model import Setting

if TYPE_CHECKING:
    from oddsmith.base.location import Source
    from oddsmith.ruleset import Game, TreeBuilder
    from oddsmith.ruleset.model import Ruleset


MAX_SAMPLED_STATES = 20_000  # states that a check looks at
MAX_OTHER_SETTINGS = 24  # that a check looks at besides
POSITIONS_PER_SETTING, MOVES_PER_SETTING = 300, 3_000  # of each of them


@dataclass(frozen=True)
class CheckResult:
    """The result of a check. ``problems``: the errors and warnings. ``source``: the text that was checked, None if it
    could not be read. ``summary``: the result in a sentence. ``play_error``: the error of the rule that failed during
    play, None if none did.

    ``checked_count``: the number of positions that were checked; in a game with secrets, of nodes. ``complete``:
    whether these are all of the game.
    """

    problems: tuple[Problem, ...]
    source: Source | None
    summary: str
    play_error: PlayError | None = None
    checked_count: int = 0
    complete: bool = False


def check(name: str | Path, full: bool = False) -> tuple[Problem, ...]:
    """Return the problems of a ruleset, each with its line and a hint. ``name``: the path of a file, or the id of a
    ruleset that is shipped with the program.

    The ruleset is read, and its rules are applied in the first 20,000 positions, or in all positions if ``full``.
    Warnings have the ``severity`` ``warning``. Raises UnknownRulesetError.

    >>> oddsmith.check("piglet")
    ()
    """
    return check_file(find_ruleset(name), full).problems


def check_file(path: Path, full: bool = False, setting: Setting = Setting()) -> CheckResult:
    """Check the ruleset in a file: read it, and apply its rules in positions of the game at one setting.

    ``full``: whether to check all positions, not only the first ``MAX_SAMPLED_STATES`` that are reached. At the usual
    setting, the rules of a game without secrets are also tried briefly at other settings.
    """
    from oddsmith.ruleset.reading import read_source

    try:
        source = read_source(path)
    except RulesetError as error:
        return CheckResult(error.problems, error.source, _problem_counts_text(error.problems))
    return check_source(source, full, setting)


def check_source(source: Source, full: bool = False, setting: Setting = Setting()) -> CheckResult:
    """Check the text of a ruleset: read it, and apply its rules in positions of the game at one setting.

    ``full``: whether to check all positions, not only the first ``MAX_SAMPLED_STATES`` that are reached. At the usual
    setting, the rules of a game without secrets are also tried briefly at other settings.
    """
    from oddsmith.ruleset import bind
    from oddsmith.ruleset.checking import check_at_many_settings
    from oddsmith.ruleset.reading import read_ruleset

    problems: list[Problem] = []
    try:
        ruleset, warnings = read_ruleset(source)
        problems = list(dict.fromkeys([*warnings, *check_at_many_settings(ruleset)]))
        if any(problem.severity == "error" for problem in problems):
            return CheckResult(tuple(problems), ruleset.source, _problem_counts_text(problems))
        looked, whole, words, more = _check_positions(bind(ruleset, setting), full, setting.objective)
        problems += more
        if setting == Setting() and not ruleset.has_secrets:
            _try_other_settings(ruleset)
    except RulesetError as error:
        problems += error.problems  # what was warned of before may be the reason
        return CheckResult(
            tuple(problems),
            error.source,
            _problem_counts_text(problems),
            error if isinstance(error, PlayError) else None,
        )
    summary = f"{_problem_counts_text(problems)}; {words}"
    return CheckResult(tuple(problems), ruleset.source, summary, checked_count=looked, complete=whole)


def refuse_ruleset_with_errors(ruleset: Ruleset, setting: Setting = Setting()) -> None:
    """Check a ruleset that was read, as ``check_source`` does. Raises RulesetError with all errors that were found; it is the
    PlayError if a rule fails in play.
    """
    found = check_source(ruleset.source, setting=setting)
    errors = tuple(each for each in found.problems if each.severity == "error")
    if errors and found.play_error is not None:
        raise found.play_error
    if errors:
        raise RulesetError(errors, found.source)


def _try_other_settings(ruleset: Ruleset) -> None:
    """Apply the rules in the first positions of other settings: with the fewest and the most players, and with each
    numeric parameter at its least value.

    Games are shortest at these settings, so rules that fail late in play are reached soon. Raises PlayError, which
    names the setting.
    """
    from oddsmith.graph import search_first_positions
    from oddsmith.ruleset import bind
    from oddsmith.ruleset.checking import problem_naming_setting

    low, high, usual = ruleset.seats
    seats = [{}, *({"seats": each} for each in sorted({low, high} - {usual}))]
    least = [
        {},
        *({name: each.least} for name, each in ruleset.parameters.items() if each.least not in (None, each.default)),
    ]
    for changes in islice(({**one, **other} for one, other in product(seats, least)), 1, MAX_OTHER_SETTINGS):
        try:
            game = bind(ruleset, Setting().with_changes(changes))
            for _ in search_first_positions(
                game, next(iter(ruleset.payoffs)), POSITIONS_PER_SETTING, MOVES_PER_SETTING
            ):
                pass
        except PlayError as error:
            raise PlayError(problem_naming_setting(error.problem, changes), error.play, error.source) from None
        except InputError:
            continue  # what the ruleset refuses, or what is too much for a short look


def _check_positions(game: Game, full: bool, objective: str) -> tuple[int, bool, str, list[Problem]]:
    """Apply the rules in the first positions of a game, or in all of them if ``full``.

    Return the number of positions that were checked, whether these are all, a sentence about them, and warnings. Raises
    PlayError if a rule fails.
    """
    from oddsmith.graph import Explorer, refuse_endless
    from oddsmith.solve.staged import find_stages

    if objective:
        from oddsmith.solve import objective_name  # heavy, and only this refuses an unknown one in words

        objective_name(game, objective)
    if game.ruleset.has_secrets:
        return _check_positions_with_secrets(game, objective or next(iter(game.ruleset.payoffs)), full)
    explorer = Explorer(game, objective or next(iter(game.ruleset.payoffs)))
    graph, whole = explorer.explore(max_states=None if full else MAX_SAMPLED_STATES)
    people = plural(game.seats, "seat")
    if whole:
        refuse_endless(graph)
        several = f"all {graph.state_count:,} positions at {people} are sound"
        words = several if graph.state_count > 1 else f"the only position at {people} is sound"
        return graph.state_count, True, words, []
    words = f"the first {graph.state_count:,} positions at {people} are sound, of {explorer.estimate}"
    if not explorer.exceeds_limits(staged=True):
        words += "; --full looks at all"
        if stages := find_stages(explorer.codec):
            words += f"; solve takes it stage by stage where it does not fit the memory ({stages})"
    warned = explorer.endless_looking_problem("warning") if explorer.slow else explorer.too_large_warning()
    return graph.state_count, False, words, [warned] if warned else []


def _check_positions_with_secrets(game: Game, objective: str, full: bool) -> tuple[int, bool, str, list[Problem]]:
    """Apply the rules of a game with secrets at its first nodes, or at all of them if ``full``.

    A node is a position with what each seat has seen. Return the number of nodes that were checked, whether these are
    all, a sentence about them, and warnings. Raises PlayError if a rule fails.
    """
    from oddsmith.ruleset import TreeBuilder
    from oddsmith.solve import NamedPolicy

    policies = {name: NamedPolicy(game, name).choose_action_index for name in game.ruleset.policies}
    builder = TreeBuilder(game, objective, policies=policies)
    nodes, whole = builder.explore_or_compare_samples(None if full else MAX_SAMPLED_STATES)
    warned = _unequal_sums_warnings(builder)
    people = plural(game.seats, "seat")
    if whole:
        return nodes, True, f"all {nodes:,} nodes at {people} are sound: positions with what each seat has seen", warned
    words = f"the first {nodes:,} nodes at {people} and random plays are sound: positions with what each seat has seen"
    return nodes, False, f"{words}; --full looks at all", warned


def _unequal_sums_warnings(builder: TreeBuilder) -> list[Problem]:
    """Return a warning if a game of two seats hides moves and the payoffs of the seats have different sums at two ends
    that were met. Such a game is not solved. The warning names a play to each of the two ends.
    """
    rules, ends = builder.game.ruleset, list(builder.ends_by_sum.items())[:2]
    if builder.game.seats != 2 or not rules.hides_moves or len(ends) < 2:
        return []
    (one, first), (other, second) = ((fraction_text(total), "; ".join(builder.play_to_end(end))) for total, end in ends)
    return [
        Problem(
            "OD615",
            rules.payoffs[builder.objective].value.span.location,
            f"what the two seats get adds up to {one} at one end ({first}), and to {other} at another ({second}); games with "
            "hidden moves are solved only where it is always the same",
            "let one seat lose what the other gets, such as `coins: gain if seat == 1 else -gain`",
            "warning",
        )
    ]


def _problem_counts_text(problems: Sequence[Problem]) -> str:
    errors = sum(problem.severity == "error" for problem in problems)
    warnings = len(problems) - errors
    parts = [plural(count, word) for count, word in ((errors, "error"), (warnings, "warning")) if count]
    return ", ".join(parts) or "no problems"
