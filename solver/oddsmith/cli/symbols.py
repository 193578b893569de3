"""Formulas, as ``solve`` prints them: values with a parameter left open, and when one more roll pays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from oddsmith.api import parse_parameter_range
from oddsmith.base.errors import SymbolError
from oddsmith.base.exact import plural
from oddsmith.cli.common import ChosenGame, print_json, terminal_progress

if TYPE_CHECKING:
    from oddsmith.report.facts import BreakEven
    from oddsmith.solve.parameter import ParametricSolution, Piece


MAX_LINES = 12  # of changes, or of regions, that a person may want to read
MAX_FORMULA_LETTERS = 160  # letters of a formula


def print_symbolic_solution(chosen: ChosenGame, parameter_range: str, digits: int, as_json: bool) -> int:
    """Solve a game with a parameter left open, print the solution, and return the exit code.

    ``parameter_range``: the parameter, alone or with its range, such as ``bend=1..5/2``. Raises click.BadParameter,
    click.UsageError.
    """
    from oddsmith.solve.parameter import solve_symbol

    try:
        name, low, high = parse_parameter_range(parameter_range)
    except SymbolError as error:
        raise click.BadParameter(str(error), param_hint="--symbol") from None
    if chosen.policies or chosen.alike:
        raise click.UsageError("with --symbol all seats use best play: leave out --policy and --alike")
    with terminal_progress() as report:
        opened = solve_symbol(chosen.game, name, chosen.setting.objective, low, high, report)
    if as_json:
        print_json(opened.to_json(digits))
    else:
        _print_solution(opened, min(digits, 6))
    return 0


def _print_solution(solution: ParametricSolution, digits: int) -> None:
    family, symbol = solution.parametric_game, solution.parametric_game.symbol
    game = family.graph.game
    seats = plural(game.seats, "seat")
    click.echo(f"{game.ruleset.title}, {seats}, {family.graph.objective} (exact)")
    for run in _piece_groups_with_equal_values(solution):
        first, last = run[0], run[-1]
        click.echo(f"  {symbol} from {first.low.short_text(digits)} to {last.high.short_text(digits)}")
        for seat, share in enumerate(first.values):
            text = share.text(symbol)
            shown = (
                text
                if len(text) <= MAX_FORMULA_LETTERS
                else f"degree {share.numerator.degree()} over {share.denominator.degree()}: --json"
            )
            click.echo(f"    {game.ruleset.seat_name(seat)}: {shown}")
        for point in [first.low] * first.is_low_end_open + [last.high] * last.is_high_end_open:
            click.echo(f"    not at {symbol} = {point.short_text(digits)} itself, where play might never end")
    changes = [(piece.low, piece.changes) for piece in solution.pieces[1:]]
    if not family.graph.decision_count:
        click.echo("nothing is decided in this game")
    elif not changes:
        click.echo(f"the best actions are the same for every {symbol} in the range")
    else:
        click.echo(f"the best action changes in some position at {plural(len(changes), 'value')} of {symbol}")
    for point, these in changes[:MAX_LINES]:
        click.echo(f"  {point.text(symbol, digits)}")
        for change in these[:MAX_LINES]:
            click.echo(f"    {change.state_in_words}: {change.action_after} instead of {change.action_before}")
        _print_number_left_out(len(these) - MAX_LINES, "positions")
    _print_number_left_out(len(changes) - MAX_LINES, "points")
    _print_fair_values(solution, digits)
    click.echo(f"every decision is proved for every {symbol} in the range")
    for note in solution.notes:
        click.echo(f"note: {note}")


def _print_fair_values(solution: ParametricSolution, digits: int) -> None:
    """Print the values of the parameter at which the game is fair."""
    symbol, several = solution.parametric_game.symbol, solution.parametric_game.graph.seats > 1
    what = "all seats get the same" if several else "the value is 0"
    for piece in solution.pieces:
        if piece.fair_points is None:
            click.echo(f"{what} everywhere from {piece.low.short_text(digits)} to {piece.high.short_text(digits)}")
        for point in piece.fair_points or ():
            click.echo(f"{what} at {symbol} = {point.text(symbol, digits)}")


def _piece_groups_with_equal_values(solution: ParametricSolution) -> list[list[Piece]]:
    """Return the pieces of the range in groups: neighbours with the same values are in one group."""
    runs: list[list[Piece]] = []
    for piece in solution.pieces:
        if runs and runs[-1][-1].values == piece.values:
            runs[-1].append(piece)
        else:
            runs.append([piece])
    return runs


def _print_number_left_out(count: int, plural_noun: str) -> None:
    if count > 0:
        click.echo(f"    ... and {count} more {plural_noun}: --json")


def print_break_evens(decisions: list[BreakEven]) -> None:
    """Print for each choice the formulas that say when one more roll is better than an immediate stop."""
    for each in decisions:
        click.echo(
            f"{each.phase}: {each.throw_option} once and then {each.stop_option} is better than {each.stop_option} at once"
        )
        for formula in each.formulas[:MAX_LINES]:
            where = f"  where {', '.join(formula.region)}" if formula.region else ""
            click.echo(f"  {formula}{where}")
            click.echo(
                f"    gain: {formula.gain}; {formula.decision_count:,} of {plural(each.decision_count, 'decision')}"
            )
        _print_number_left_out(len(each.formulas) - MAX_LINES, "regions")
        if each.decisions_without_formula:
            click.echo(
                f"  {plural(each.decisions_without_formula, 'decision has', 'decisions have')} no such formula: {each.reason}"
            )
