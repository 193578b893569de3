"""Answers questions about a ruleset part by part, as plain data, the quickest part first."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from math import inf
from typing import TYPE_CHECKING

from oddsmith.api import SolvedGame, answering_forecast_text, ruleset_about_one_setting
from oddsmith.base.errors import InputError, OddsmithError, RulesetError
from oddsmith.base.exact import Number, fraction_text, plural
from oddsmith.base.limits import limits
from oddsmith.base.location import Source
from oddsmith.base.progress import Progress
from oddsmith.design.comparing import diff
from oddsmith.design.settings import (
    Message,
    nearest_valid_setting,
    problem_message,
    settings_message,
)
from oddsmith.ruleset import bind
from oddsmith.ruleset.model import ANY, Setting

if TYPE_CHECKING:
    from oddsmith.report.answers import EstimatedAnswer, GrowingEstimate
    from oddsmith.ruleset import Game
    from oddsmith.ruleset.model import Ruleset


PLACES, COST_PLACES = 6, 4
MAX_CACHED_GAMES = 6  # solved games that are remembered
LARGE_GAME_POSITIONS = 60_000
"""The number of positions from which on an answer says first what the game brings where it is played, and offers a
smaller size.
"""
SECONDS_BETWEEN_REPORTS = 0.1  # seconds between two words about progress
MAX_FRACTION_LETTERS = 24  # letters of a fraction that people may want to read


@dataclass(frozen=True)
class Question:
    """A question about one game: the text of a ruleset, and a setting.

    ``file``: the name of the text in errors. ``compared_with``: the question about the game to compare this one with;
    None for no comparison.
    """

    file: str
    text: str
    setting: Setting = field(default_factory=Setting)
    compared_with: Question | None = None

    @property
    def key(self) -> str:
        """A text that is equal for questions with the same ruleset text and setting, whatever they are compared with."""
        return repr((self.text, sorted(asdict(self.setting).items(), key=str)))


class QuestionAnswerer:
    """Answers questions part by part, and remembers the games that it solved last."""

    def __init__(self) -> None:
        self.known: OrderedDict[str, SolvedGame] = OrderedDict()
        self.played: tuple[str, GrowingEstimate] | None = None  # of the last question about a large game

    def answer_parts(self, question: Question, progress: Callable[[Message], None]) -> Iterator[Message]:
        """Yield the parts of an answer, each as a dictionary with one key, as soon as they are known.

        The first key is ``problems``, the errors and warnings of the ruleset. If there are no errors, ``game`` follows,
        with its settings, then the parts of ``answer_parts_before_solution`` and of ``answer_parts_of_solution``. If
        the game cannot be solved, ``failed`` says why. ``progress``: called with messages of the key ``progress``.
        """
        from oddsmith.ruleset.reading import read_ruleset

        try:
            ruleset, warnings = read_ruleset(Source(question.file, question.text))
            yield {"problems": [problem_message(each, ruleset.source) for each in warnings]}
            setting = nearest_valid_setting(ruleset, question.setting)
            yield {"game": settings_message(ruleset, setting)}
            yield from self.answer_parts_before_solution(question, ruleset, setting, progress)
            yield from self.answer_parts_of_solution(question, ruleset, setting, progress)
        except RulesetError as error:
            yield {"problems": [problem_message(each, error.source) for each in error.problems]}
        except OddsmithError as error:
            yield {"failed": str(error)}

    def answer_parts_before_solution(
        self, question: Question, ruleset: Ruleset, setting: Setting, progress: Callable[[Message], None]
    ) -> Iterator[Message]:
        """Yield the parts of an answer that come before the game is solved; none unless the game is large.

        ``way`` says how it will be solved, each ``estimate`` has estimated values, and ``quick`` is the answer for the
        fewest seats.
        """
        from oddsmith.report.answers import TIME_LIMIT

        if (
            question.key in self.known
            or ruleset.has_secrets
            or not _is_large(bind(ruleset, setting), setting.objective)
        ):
            return
        way = answering_forecast_text(ruleset_about_one_game(ruleset, setting))
        yield from [{"way": way}] if way else []
        yield from self.estimate_parts(question, ruleset, setting, TIME_LIMIT, progress)
        small = replace(setting, seats=ruleset.seats[0])
        if small.seats != setting.seats and not _is_large(bind(ruleset, small), small.objective):
            yield {"quick": _solution_message(self._solve(replace(question, setting=small), ruleset, small, progress))}

    def estimate_parts(
        self,
        question: Question,
        ruleset: Ruleset,
        setting: Setting,
        time_limit: float,
        progress: Callable[[Message], None],
    ) -> Iterator[Message]:
        """Yield parts with the key ``estimate``: estimated values of a game, from more and more simulated games.

        End when the next estimate is expected to take more than ``time_limit`` seconds, or when the largest number of
        games is reached.
        """
        from oddsmith.report.answers import GrowingEstimate, game_to_estimate

        if self.played is None or self.played[0] != question.key:
            one = ruleset_about_one_game(ruleset, setting)
            self.played = question.key, GrowingEstimate(one, game_to_estimate(one, one.edition.main_setting))
        growing = self.played[1]
        while growing.left and growing.seconds <= time_limit:
            found = growing.next_estimate(_throttled_progress(progress))
            if found is not None:
                yield {"estimate": _estimate_message(found, bool(growing.left))}

    def answer_parts_of_solution(
        self, question: Question, ruleset: Ruleset, setting: Setting, progress: Callable[[Message], None]
    ) -> Iterator[Message]:
        """Solve the game, and yield ``answer``, ``difference`` (if there is a game to compare with), ``rules``,
        ``measures`` and the last part.

        If the game is too large, yield ``large``, the reason, and estimates instead.
        """
        from oddsmith.report.answers import is_too_large

        begun = time.perf_counter()
        try:
            solved = self._solve(question, ruleset, setting, progress)
        except InputError as error:
            if ruleset.has_secrets or not is_too_large(error):
                raise
            yield {"large": str(error)}
            yield from self.estimate_parts(question, ruleset, setting, inf, progress)
            return
        yield {"answer": _solution_message(solved) | {"seconds": round(time.perf_counter() - begun, 2)}}
        if question.compared_with is not None:
            yield {"difference": self._difference_message(question.compared_with, solved, progress)}
        if solved.method != "secrets":
            yield {"rules": _rule_messages(solved)}
        yield {"measures": _measure_texts(solved)}
        yield from self.last_answer_part(ruleset, setting, solved)

    def last_answer_part(self, ruleset: Ruleset, setting: Setting, solved: SolvedGame) -> Iterator[Message]:
        """Yield the part that takes longest to make: ``play``, the files of the page on which the game is played."""
        yield {"play": _play_page_files(ruleset, setting, solved)}

    def _solve(
        self, question: Question, ruleset: Ruleset, setting: Setting, progress: Callable[[Message], None]
    ) -> SolvedGame:
        key = question.key
        if key not in self.known:
            report = _throttled_progress(progress)
            self.known[key] = _solve_game(bind(ruleset, setting), setting.objective, report)
            while len(self.known) > MAX_CACHED_GAMES:
                self.known.popitem(last=False)
        self.known.move_to_end(key)
        return self.known[key]

    def _difference_message(
        self, compared_with: Question, solved: SolvedGame, progress: Callable[[Message], None]
    ) -> Message:
        from oddsmith.ruleset.reading import read_ruleset

        try:
            ruleset, _ = read_ruleset(Source(compared_with.file, compared_with.text))
            setting = nearest_valid_setting(ruleset, compared_with.setting)
            before = self._solve(compared_with, ruleset, setting, progress)
        except OddsmithError as error:
            return {"failed": str(error)}
        found = diff(before, solved)
        return {
            "lines": list(found.lines(PLACES)),
            "rules": [change.words for change in found.rules],
            "values": [[number and number.decimal(PLACES) for number in pair] for pair in found.values],
            "before": _solution_message(before),
        }


def ruleset_about_one_game(ruleset: Ruleset, setting: Setting) -> Ruleset:
    """Return the ruleset, changed so that its pages are only about the game at one setting. Raises SettingError."""
    return ruleset_about_one_setting(ruleset, setting)


def _is_large(game: Game, objective: str | None) -> bool:
    from oddsmith.graph import Explorer

    explorer = Explorer(game, objective or next(iter(game.ruleset.payoffs)))
    return explorer.estimate.upper_bound > limits().states or not explorer.explore(max_states=LARGE_GAME_POSITIONS)[1]


def _throttled_progress(progress: Callable[[Message], None]) -> Progress:
    """Return a progress function that passes messages on to ``progress``, at most every SECONDS_BETWEEN_REPORTS
    seconds.
    """
    last = 0.0

    def report(task_name: str, done: int, total: int) -> None:
        nonlocal last
        if time.monotonic() - last > SECONDS_BETWEEN_REPORTS:
            last = time.monotonic()
            progress({"progress": [task_name, done, total]})

    return report


# --- answers as data


def _estimate_message(estimated: EstimatedAnswer, will_be_refined: bool) -> Message:
    play, turns = estimated.usual_play, estimated.usual_play.median
    way = "any legal action, at random" if estimated.policy == ANY else f"“{estimated.policy}”"
    return {
        "seats": estimated.setting.seats,
        "objective": estimated.setting.objective,
        "grade": "estimated",
        "values": ["no interval, for payoffs have no bounds" if mean is None else str(mean) for mean in play.means],
        "games": play.games,
        "growing": will_be_refined,
        "notes": [
            *([f"Every seat plays {way}."] if estimated.policy else []),
            f"Half of the games end within {plural(turns.middle, 'turn')} ({turns.interval_in_words}).",
            f"{play.games:,} games were played. Each interval holds its number with a chance of at least 99.9 %.",
        ],
    }


def _solve_game(game: Game, objective: str | None, progress: Progress) -> SolvedGame:
    if game.ruleset.has_secrets:
        from oddsmith.api import SecretGame
        from oddsmith.solve.extensive import solve_secrets

        return SecretGame(solve_secrets(game, objective or next(iter(game.ruleset.payoffs)), None, progress))
    from oddsmith.solve import solve

    return SolvedGame.of(solve(game, objective, progress=progress))


def _solution_message(solved: SolvedGame) -> Message:
    from oddsmith.report.facts import play_kind_line, play_kind_words

    rules = solved.game.ruleset
    values = []
    for seat, value in enumerate(solved.values if rules.has_payoffs else ()):
        text = "" if value.exact is None else fraction_text(value.exact)
        values.append(
            {
                "seat": rules.seat_name(seat),
                "decimal": value.decimal(PLACES),
                "exact": text if "/" in text and len(text) <= MAX_FRACTION_LETTERS else "",
            }
        )
    return {
        "seats": solved.game.seats,
        "objective": solved.objective,
        "grade": solved.grade,
        "favoured": _favoured_seat_sentence(solved),
        "kind": play_kind_words(solved).line if rules.has_secrets else play_kind_line(solved.solution),
        "values": values,
        "positions": solved.state_count,
        "notes": list(solved.notes),
        "choices": _choice_messages(solved),
    }


def _choice_messages(solved: SolvedGame) -> list[Message]:
    """Return best play: by phases, or in a game with secrets the plan of each seat, as the command ``solve`` prints it."""
    from oddsmith.api import SecretGame

    if not isinstance(solved, SecretGame):
        choices: list[Message] = solved.outline(rules=False).to_json()["choices"]
        return choices
    from oddsmith.report.policy import plans_in_words

    return [
        {
            "phase": plan.seat_name,
            "lines": [
                *plan.lines,
                *([f"and {plural(plan.omitted_count, 'decision')} more"] * bool(plan.omitted_count)),
            ],
            "unused": [],
        }
        for plan in plans_in_words(solved.secret_solution)
    ]


def _favoured_seat_sentence(solved: SolvedGame) -> str:
    """Return a sentence that names the seat with the greatest value; empty for a single seat, or if nothing is won."""
    from oddsmith.report.english import capital

    values, rules = solved.values, solved.game.ruleset
    if len(values) < 2 or not rules.has_payoffs:
        return ""
    best, worst = max(values, key=lambda value: value.lower), min(values, key=lambda value: value.upper)
    if best.lower <= worst.upper:
        same = all(value.lower == value.upper == best.lower for value in values)
        return "All seats get the same." if same else "No seat is proven to get more than another."
    if rules.payoffs[solved.objective].goal == "min":
        best, worst = worst, best
    told = [f"{rules.seat_name(values.index(each))} gets {each.decimal(PLACES)}" for each in (best, worst)]
    return f"{capital(rules.seat_name(values.index(best)))} is favoured: {', '.join(told)}."


def _rule_messages(solved: SolvedGame) -> list[Message] | None:
    """Return the rules to remember and the short lists, each with what it costs; None if none were looked for."""
    found = solved.outline()
    lists = [
        (each.words, each.loss)
        for each in (found.lists.lists_without_single_number if found.lists else ())
        if not each.poor
    ]
    return None if found.rules is None else [_rule_message(words, cost) for words, cost in (*found.rules, *lists)]


def _measure_texts(solved: SolvedGame) -> dict[str, str]:
    """Return the answers to the ruleset's questions as text, by the names of the questions. A standard deviation stands
    behind its mean, and each says which of the two it is.
    """
    from oddsmith.report.facts import question_condition_words

    asked, means, found = solved.game.ruleset.measures, solved.means, dict[str, str]()
    for name, number in solved.measures.items():
        heading = f"{name}{question_condition_words(asked[name])}"
        if name in means:
            found[f"{heading}, mean"] = means[name].decimal(PLACES)
            heading += ", standard deviation"
        found[heading] = number.decimal(PLACES)
    return found


def _rule_message(rule_text: str, cost: Number | None) -> Message:
    from oddsmith.report.policy import cost_words

    return {"words": rule_text, "costs": cost_words(cost, COST_PLACES)}


def _play_page_files(ruleset: Ruleset, setting: Setting, solved: SolvedGame) -> dict[str, bytes]:
    """Return the files that the page for playing the game loads, by name; empty if the game cannot be played there."""
    from oddsmith.api import SecretGame
    from oddsmith.publish.pages import play_files
    from oddsmith.report.answers import Answer, RulesetAnswers, SecretAnswer

    one = ruleset_about_one_game(ruleset, setting)
    main = one.edition.main_setting
    try:
        if isinstance(solved, SecretGame):
            secret = SecretAnswer.of(main, solved.secret_solution)
            return play_files(RulesetAnswers(one, (), (), (), (), secrets=(secret,)))
        return play_files(RulesetAnswers(one, (Answer(main, solved.game, solved.solution),), (), (), ()))
    except InputError:
        return {}
