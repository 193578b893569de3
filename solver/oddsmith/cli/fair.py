"""``oddsmith fair``: the value of a parameter that makes a game as it is wanted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from oddsmith.base.exact import fraction_text, plural
from oddsmith.cli.common import (
    SettingOptions,
    digits_option,
    jobs_option,
    json_option,
    option_field,
    print_json,
    settings_options,
    shared_option_field,
    terminal_progress,
    with_options,
)
from oddsmith.cli.sweep import parse_variation
from oddsmith.cli.writing import STORE

if TYPE_CHECKING:
    from oddsmith.design import Case, Fair, FairValue, TriedValue


MAX_LINES = 12  # of values that were solved
MAX_NUMBER_LETTERS = 100  # letters of what defines a number


@dataclass(frozen=True, kw_only=True)
class FairOptions:
    """The options of ``fair``."""

    ruleset: str
    settings: SettingOptions = shared_option_field(settings_options(with_policies=False))
    even: bool = option_field("--even", is_flag=True, help="All seats get the same.")
    worth: str | None = option_field(
        "--worth", metavar="NUMBER", help="Seat 1 gets NUMBER. With 0, a game of one seat leaves the house no edge."
    )
    length: str | None = option_field(
        "--length", metavar="N", help="A game takes N turns on average; 'N rolls' counts rolls."
    )
    beginner: str | None = option_field(
        "--beginner",
        metavar="P%",
        help="Seat 1 loses P% if it alone plays badly: P% of all games if play is for a win, otherwise P% of what best play "
        "gets. Without the %, P is an amount.",
    )
    plays: str = option_field(
        "--plays",
        default="any",
        show_default=True,
        metavar="NAME",
        help="How the beginner plays: a policy of the ruleset, any (legal action) or rule (the short rules that solve prints).",
    )
    seat: int = option_field(
        "--seat", type=int, default=1, show_default=True, help="The seat of --worth or --beginner."
    )
    varied: tuple[str, ...] = option_field(
        "--vary",
        multiple=True,
        metavar="NAME[=VALUES]",
        help="The parameter that may change: from its min to its max, or over a range 5..60. With a step, 5..60..1, or in a "
        "list 2,4,6, each value is solved. If you repeat --vary, the last parameter is looked for, at each value of the "
        "others.",
    )
    digits: int = shared_option_field(digits_option(6, 60))
    as_json: bool = shared_option_field(json_option("Print the answers as JSON, with all fractions."))
    store: Path | None = shared_option_field(STORE)
    jobs: int = shared_option_field(jobs_option("How many settings to solve at the same time."))


@click.command()
@with_options(FairOptions)
def fair(options: FairOptions) -> int:
    """Say which value of a parameter makes a game fair, or as long or as forgiving as you want it.

    Where the parameter only weighs faces and pays, the answer is exact. Otherwise it is a whole number, or the two between
    which it lies. Each answer comes with the lines of the ruleset that change, as a patch.

    \b
    Example:
      oddsmith fair rogues-gambit --seats 2 --length "3 turns" --vary coins_each=1..8
    """
    from oddsmith.design import Goal
    from oddsmith.design import fair as make_fair

    even = "" if options.even else None
    wanted = {"even": even, "worth": options.worth, "length": options.length, "beginner": options.beginner}
    goals = [f"{kind} {text}" for kind, text in wanted.items() if text is not None]
    if not goals:
        goals = ["even "]
    if len(goals) != 1:
        raise click.UsageError("say one thing that you want: --even, --worth, --length or --beginner")
    goal = Goal.of(goals[0], options.seat, options.plays)
    book = options.settings.chosen_game(options.ruleset).loaded_ruleset
    if not options.varied:
        names = ", ".join(["seats", *book.ruleset.parameters])
        raise click.UsageError(f"--vary says which parameter may change: {names}")
    spans = dict(map(_parse_varied_parameter, options.varied))
    with terminal_progress() as report:
        found = make_fair(book, goal, spans, jobs=options.jobs, store=options.store, progress=report)
    digits = options.digits
    if options.as_json:
        print_json(found.to_json(digits))
    else:
        lines = _single_case_lines(found, digits) if len(found.varied) == 1 else _case_table_lines(found, digits)
        for line in [*_heading_lines(book.title, found), *lines]:
            click.echo(line)
    return int(all(case.goal is None for case in found.cases))


def _parse_varied_parameter(text: str) -> tuple[str, Any]:
    """Parse NAME or NAME=VALUES. Return the name and the values: None for all, a range as text, or a list of values to
    solve.

    Raises click.BadParameter.
    """
    name, separator, values = text.partition("=")
    if not separator:
        return name.strip(), None
    if re.fullmatch(r"[^.,]+\.\.[^.,]+", values.strip()):
        return name.strip(), values.strip()
    return parse_variation(text)


# --- words


def _heading_lines(title: str, fair: Fair) -> Iterator[str]:
    aim = next((case.goal for case in fair.cases if case.goal), None)
    fixed = [plural(value, "seat") if name == "seats" else f"{name} {value}" for name, value in fair.fixed.items()]
    yield f"{', '.join([title, *fixed])}: {fair.parameter_name} at which {aim.words if aim else 'the goal is met'}"


def _single_case_lines(fair: Fair, digits: int) -> Iterator[str]:
    """Yield lines with the answers of a single case, the lines of the ruleset that change for each, and how the answers
    were found.
    """
    case = fair.cases[0]
    for answer in case.answers:
        yield _answer_line(fair.parameter_name, answer, digits)
        yield from _neighbour_lines(fair.parameter_name, case, answer, digits)
        yield from _patch_lines(answer.patch, answer.nearest_value)
    if not case.answers:
        yield from _no_answer_lines(fair, case, digits)
    yield from _search_method_lines(fair, case)


def _answer_line(parameter: str, answer: FairValue, digits: int) -> str:
    low, high = answer.low.short_text(digits), answer.high.short_text(digits)
    if answer.kind == "at":
        text = answer.low.text(parameter, digits)
        return f"{parameter} = {text if len(text) <= MAX_NUMBER_LETTERS else low}  (exact)"
    return {
        "everywhere": f"every {parameter} from {low} to {high}  (exact)",
        "jump": f"{parameter} = {low}: best play changes there, and passes what is wanted without meeting it",
        "between": f"{parameter} between {low} and {high}",
        "close": f"{parameter} = {low}, as far as is proven",
    }[answer.kind]


def _neighbour_lines(parameter: str, case: Case, answer: FairValue, digits: int) -> Iterator[str]:
    """Yield lines with the results at the whole numbers around an answer."""
    around = {*answer.low.floor_and_ceiling, *answer.high.floor_and_ceiling}
    shown = [tried for tried in case.tried_values if tried.value in around or tried is answer.nearest_value]
    for tried in shown:
        mark = "  (nearest)" if tried is answer.nearest_value and len(shown) > 1 else ""
        yield f"  {parameter} {tried.value}: {case.result_words(tried, digits)}{mark}"


def _no_answer_lines(fair: Fair, case: Case, digits: int) -> Iterator[str]:
    low, high = fraction_text(fair.low), fraction_text(fair.high)
    yield f"no {fair.parameter_name} from {low} to {high}{'' if case.is_complete else ' was found'}"
    if case.nearest_value is None:
        for tried in case.tried_values[:MAX_LINES]:
            yield f"  {fair.parameter_name} {tried.value}: {tried.problem}"
        return
    yield f"  {fair.parameter_name} {case.nearest_value.value} comes nearest: {case.result_words(case.nearest_value, digits)}"


def _patch_lines(patch: str, written_value: TriedValue | None) -> list[str]:
    """Return the lines of the file that change, as a patch. If there are none, return a line that says so.

    ``patch``: the patch as one text. ``written_value``: the result at the value that the patch writes; None if there is
    no value, and then the list is empty.
    """
    return patch.splitlines() or (["  the ruleset says so already"] if written_value else [])


def _search_method_lines(fair: Fair, case: Case) -> Iterator[str]:
    """Yield lines on how the answers were found, and on whether there may be others."""
    solved, asked = sum(not tried.problem for tried in case.tried_values), plural(len(case.tried_values), "value")
    if case.is_from_formula:
        yield f"formulas hold for every {fair.parameter_name} from {fraction_text(fair.low)} to {fraction_text(fair.high)}"
    elif case.is_complete:
        yield f"{'all' if solved == len(case.tried_values) else f'{solved} of'} {asked} were solved"
    else:
        yield (
            f"{plural(solved, 'value')} were solved, and between others there may be more answers: "
            f"a range with a step solves each, as --vary {fair.parameter_name}={fair.low}..{fair.high}..1"
        )
    if case.reason and not case.has_listed_values:
        yield f"no formula: {case.reason}"
    for note in case.notes:
        yield f"note: {note}"


def _case_table_lines(fair: Fair, digits: int) -> Iterator[str]:
    """Yield a table with a line for each case, then the case that comes nearest, with the lines of the file that
    change.
    """
    outer = fair.varied[:-1]
    cases = ([*(str(case.settings[name]) for name in outer), _case_line(case, digits)] for case in fair.cases)
    rows = [[*outer, fair.parameter_name], *cases]
    wide = [max(len(row[place]) for row in rows) for place in range(len(outer))]
    for *cells, last in rows:
        yield "  ".join([*(cell.rjust(width) for cell, width in zip(cells, wide, strict=True)), last])
    best = fair.nearest_case
    if best is not None and best.nearest_value is not None:
        own = ", ".join(f"{name} {best.settings[name]}" for name in outer)
        result = best.result_words(best.nearest_value, digits)
        yield f"nearest with whole numbers: {own}, {fair.parameter_name} {best.nearest_value.value}: {result}"
        yield from _patch_lines(best.patch, best.nearest_value) if best.answers else ()
    if any(not case.is_complete for case in fair.cases if case.goal):
        yield "of some ranges only some values were solved, and between others there may be more answers"


def _case_line(case: Case, digits: int) -> str:
    """Return the answers of a case in a line."""
    if case.goal is None:
        return case.reason
    if not case.answers:
        near = case.nearest_value
        return f"none; nearest {near.value}: {case.result_words(near, digits)}" if near else "none"
    return "; ".join(_answer_words(answer, digits) for answer in case.answers)


def _answer_words(answer: FairValue, digits: int) -> str:
    low, high = answer.low.short_text(digits), answer.high.short_text(digits)
    return {
        "at": low,
        "everywhere": f"all from {low} to {high}",
        "jump": f"{low}, where best play changes",
        "between": f"between {low} and {high}",
        "close": f"{low}, as far as is proven",
    }[answer.kind]
