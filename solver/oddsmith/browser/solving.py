"""Solves and lints the text of a ruleset in a reader's browser, if the game is small enough. An answer has its
certificate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from oddsmith.api import check_source
from oddsmith.base.errors import OddsmithError, RulesetError, TooManyStatesError
from oddsmith.base.exact import plural
from oddsmith.browser.checked import FILE, problem_messages
from oddsmith.browser.packing import ruleset_archive
from oddsmith.design import (
    Message,
    Question,
    QuestionAnswerer,
    nearest_valid_setting,
    problem_message,
    ruleset_about_one_game,
    setting_from_message,
)
from oddsmith.report.english import OptionWords
from oddsmith.ruleset import bind
from oddsmith.ruleset.model import Setting
from oddsmith.ruleset.reading import read_ruleset, source_from_bytes

if TYPE_CHECKING:
    from oddsmith.api import SolvedGame
    from oddsmith.base.location import Source
    from oddsmith.report.answers import RulesetAnswers
    from oddsmith.report.lint import LintReport
    from oddsmith.report.policy import Strategy, ThresholdLine, ThresholdTable
    from oddsmith.ruleset.model import Ruleset
    from oddsmith.solve import Solution

MAX_LINTED_POSITIONS = 20_000
"""The most positions of a game that a browser solves. They need at most some minutes and some hundred megabytes."""
MAX_CHARTS = 12  # charts of one game
MessageSink = Callable[[Message], None]


class BrowserSolver(QuestionAnswerer):
    """Solves games of up to ``max_positions`` positions in a browser, each with its certificate.

    An answer has the parts of ``QuestionAnswerer`` with these changes. Two parts follow ``answer``: ``proof``, the
    gzipped certificate, together with ``of``, the hash of the rules; then ``charts``. The last part is ``design``, the
    findings of a lint, together with ``unasked``, the reasons for skipped checks. A larger game is refused, and
    ``failed`` names the command that solves it.
    """

    def __init__(self, max_positions: int = MAX_LINTED_POSITIONS) -> None:
        super().__init__()
        self.max_positions = max_positions

    def solve(self, text: str, settings: Message, progress: MessageSink) -> Iterator[Message]:
        """Yield the parts of the answer for a text. ``settings``: as in ``setting_from_message``."""
        return self.answer_parts(Question(FILE, text, setting_from_message(settings)), progress)

    def answer_parts_before_solution(
        self, question: Question, ruleset: Ruleset, setting: Setting, progress: MessageSink
    ) -> Iterator[Message]:
        """Yield nothing. Raises TooManyStatesError if the game is too large for a browser."""
        if question.key not in self.known:
            self._refuse_large_game(ruleset, setting, progress)
        yield from ()

    def _refuse_large_game(self, ruleset: Ruleset, setting: Setting, progress: MessageSink) -> None:
        from oddsmith.graph import Explorer

        explorer = Explorer(bind(ruleset, setting), setting.objective)
        size = explorer.estimate
        progress({"estimate": size.upper_bound})
        if size.upper_bound <= self.max_positions:
            return
        # The bound also counts what play never reaches, so a look at the game itself decides.
        _, whole = explorer.explore(lambda what, done, of: progress({"progress": [what, done, of]}), self.max_positions)
        if not whole:
            command = f"oddsmith solve {ruleset.id}.yaml{setting.options_text}"
            raise TooManyStatesError(
                f"The game has more than {self.max_positions:,} positions at these settings, and perhaps as many as "
                f"{size.upper_bound:,}{f'; {size.worst} multiplies them most' if size.worst else ''}. "
                "That is more than this page takes on. Choose smaller settings, or download the ruleset and ask the "
                f"command line: `{command}`"
            )

    def answer_parts_of_solution(
        self, question: Question, ruleset: Ruleset, setting: Setting, progress: MessageSink
    ) -> Iterator[Message]:
        """Yield the parts of ``QuestionAnswerer``, and after the answer the certificate and the charts."""
        from oddsmith.ruleset import sha256

        for part in super().answer_parts_of_solution(question, ruleset, setting, progress):
            yield part
            if "answer" in part:
                yield {"proof": self._proof_bytes(self.known[question.key], progress), "of": sha256(ruleset)}
                yield {"charts": chart_messages(self.known[question.key].solution)}

    def last_answer_part(self, ruleset: Ruleset, setting: Setting, solved: SolvedGame) -> Iterator[Message]:
        """Yield the findings of a lint."""
        yield self._lint_message(ruleset, setting, solved)

    def foundry_module(self, text: str, settings: Message, progress: MessageSink) -> tuple[Message, bytes]:
        """Make a module for Foundry with the odds of the game at these settings. Return a message and the bytes, as
        ``ruleset_archive`` does.

        The module is only about this one game. Formulas for one more roll are left out if SymPy is missing.
        """
        question = Question(FILE, text, setting_from_message(settings))
        return ruleset_archive("foundry", text, lambda ruleset: self._completed_answers(question, ruleset, progress))

    def _completed_answers(self, question: Question, ruleset: Ruleset, progress: MessageSink) -> RulesetAnswers:
        from oddsmith.report.answers import answer_from_solution, assemble_answers

        setting = nearest_valid_setting(ruleset, question.setting)
        one, solved = ruleset_about_one_game(ruleset, setting), self._solve(question, ruleset, setting, progress)
        answer = answer_from_solution(one, one.edition.main_setting, solved.solution)
        todo = answer.computed_part_names
        answer.compute_all_parts(
            lambda part: progress({"progress": [part, todo.index(part.replace(" ", "_")), len(todo)]})
        )
        return assemble_answers(one, {answer.setting: answer}, with_verdicts=True)

    def _proof_bytes(self, solved: SolvedGame, progress: MessageSink) -> bytes:
        return solved.certificate(packed=True, progress=lambda what, done, of: progress({"progress": [what, done, of]}))

    def _lint_message(self, ruleset: Ruleset, setting: Setting, solved: SolvedGame) -> Message:
        from oddsmith.report.lint import lint_game

        own = setting == nearest_valid_setting(ruleset, Setting())
        return lint_message(
            lint_game(solved.game, setting.objective, at_ruleset_settings=own, solution=solved.solution), ruleset.source
        )


def chart_messages(solution: Solution) -> list[Message]:
    """Return charts of best play as data, for the choices that depend on one or two variables. They are in the order of
    the phases, at most ``MAX_CHARTS``.

    A chart shows the best option for each value of the variables ``across`` and ``down``. It has a column for each
    value (``at``) of ``across``, or a single column if ``across`` is empty. A column is a list of ``runs`` of values of
    ``down`` with the same option. A run is a tuple: its first and its last value, the index of the option in
    ``options``, and whether best play reaches it. Values of ``down`` are drawn from ``least`` to just below ``below``.
    """
    from oddsmith.report.policy import strategies_by_phase

    say = OptionWords(solution.graph.game)
    drawn = [
        _chart_message(strategy, table, say)
        for strategy in strategies_by_phase(solution)
        if strategy.down is not None and len(strategy.across) < 2 and strategy.constant is None
        for table in strategy.tables
        if any(line.is_reached_by_best_play for line in table.lines)
    ]
    return drawn[:MAX_CHARTS]


def _chart_message(strategy: Strategy, table: ThresholdTable, option_words: OptionWords) -> Message:
    assert strategy.down is not None
    least, below = strategy.shown_range(table)
    columns = [{"at": line.at[0] if line.at else None, "runs": list(_column_runs(line))} for line in table.lines]
    return {
        "phase": strategy.phase,
        "where": strategy.condition_words_of_table(table) if len(strategy.tables) > 1 else "",
        "down": strategy.down.name,
        "across": strategy.across[0].name if strategy.across else "",
        "options": list(option_words.worded_each(strategy.options, strategy.phase)),
        "least": least,
        "below": below,
        "columns": columns,
    }


def _column_runs(threshold_line: ThresholdLine) -> Iterator[tuple[int, int, int, bool]]:
    """Yield the runs of a column, each as a tuple: its first and its last value, the index of its option, and whether
    best play reaches it.

    Each run is extended to the beginning of the next, so that values that cannot occur leave no gaps. Runs in which the
    best option varies are left out.
    """
    from oddsmith.report.policy import ACTION_VARIES

    for run, following in zip(threshold_line.runs, [*threshold_line.runs[1:], None], strict=True):
        if run.option != ACTION_VARIES:
            last = following.first - 1 if following else run.last
            yield run.first, last, run.option, run.played


def lint_text(text: str, max_positions: int = MAX_LINTED_POSITIONS) -> Message:
    """Check and lint the game of a text at its usual settings. Return a message.

    ``problems`` are those of a check; ``looked``, ``seats`` and ``whole`` say how many positions it checked, with how
    many seats, and whether they are all. If there are no errors, ``design`` has the findings of a lint, and ``unasked``
    the reasons for skipped checks. For a game with more than ``max_positions`` positions, checks that need its solution
    are skipped.
    """
    from oddsmith.report.lint import lint_game

    told: Message = {}
    try:
        source = source_from_bytes(text.encode("utf-8", "replace"), FILE)
        check = check_source(source)
        told["problems"] = problem_messages(check.problems, check.source, check.play_error)
        if any(each.severity == "error" for each in check.problems):
            return told
        ruleset, _ = read_ruleset(source)
        game = bind(ruleset, nearest_valid_setting(ruleset, Setting()))
        told |= {"looked": check.checked_count, "whole": check.complete, "seats": plural(game.seats, "seat")}
        return told | lint_message(lint_game(game, max_positions=max_positions), ruleset.source)
    except RulesetError as error:
        return {"problems": problem_messages(error.problems, error.source, error)}
    except OddsmithError as error:
        return told | {"design": [], "unasked": [str(error)]}


def lint_message(report: LintReport, source: Source | None) -> Message:
    """Return the findings of a lint, and the reasons for skipped checks, as data."""
    told = [problem_message(each.problem, source) | {"play": list(each.play)} for each in report.findings]
    return {"design": told, "unasked": [each.reason for each in report.skipped_checks]}
