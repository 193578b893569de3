"""A review of a recorded play, as lines for people and as plain data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from oddsmith.api import LoadedRuleset
from oddsmith.base.exact import Number, plural
from oddsmith.cli.common import print_json, terminal_progress

if TYPE_CHECKING:
    from oddsmith.report.policy import MoveReview, Review
    from oddsmith.ruleset import Game, PlayedMove, TranscriptRecord

SHARES = ("start", "luck", "own choices", "choices of others", "end")
MAX_BEST = 4
"""Best actions that a line names."""
AS_IT_LAY = (
    "a change in brackets is that of the whole position, of which nobody saw all, if both play on as best play does"
)
ON_AVERAGE = "a cost is what a choice gives away on average, by what its player had seen, to best play of the other"


def print_review(
    record: TranscriptRecord, loaded: LoadedRuleset, objective: str | None, digits: int, as_json: bool
) -> int:
    """Print what each roll of a recorded play brought and what each choice cost, and return the exit code.

    The value to a seat at the start and all its changes add up to its result. ``objective``: the payoff that is
    optimized, None for the first.
    """
    from oddsmith.report.policy import review_play as reviewed
    from oddsmith.ruleset import replay_transcript
    from oddsmith.solve import solve

    rules, moves = replay_transcript(record, loaded.ruleset)
    if loaded.ruleset.has_secrets:
        return _print_secret_review(rules.game, moves, objective, digits, as_json)
    with terminal_progress() as report:
        solution = solve(rules.game, objective, progress=report)
    found = reviewed(solution, rules, moves)
    if as_json:
        print_json(_review_data(found, digits))
        return 0
    click.echo(f"{loaded.title}, {plural(rules.game.seats, 'seat')}, {solution.graph.objective} ({solution.grade})")
    for place, move in enumerate(found.moves, 1):
        click.echo(f"  {place}. {loaded.ruleset.seat_name(move.seat - 1)}: {_move_line(move, digits)}")
    if not found.over:
        click.echo("  the game is not over: the end is what each seat can still expect")
    for seat in range(1, rules.game.seats + 1):
        shown = (
            f"{name} {_signed_text(value, digits, name)}"
            for name, value in zip(SHARES, _value_at_start_changes_and_value_at_end(found, seat), strict=True)
        )
        click.echo(f"  {loaded.ruleset.seat_name(seat - 1)}: {', '.join(shown)}")
    return 0


def _move_line(move: MoveReview, digits: int) -> str:
    change = _signed_text(move.change[move.seat - 1], digits)
    if move.loss is None:
        return f"{move.what} ({change})"
    return (
        f"{move.what} (costs {move.loss.decimal(digits)}; best: {' or '.join(move.better)})"
        if move.better
        else move.what
    )


def _value_at_start_changes_and_value_at_end(review: Review, seat: int) -> tuple[Number, ...]:
    return (
        review.start[seat - 1],
        review.gain_from_luck(seat),
        review.gain_from_own_choices(seat),
        review.gain_from_others_choices(seat),
        review.end[seat - 1],
    )


def _signed_text(value: Number, digits: int, share_name: str = "") -> str:
    """Return a number as a decimal; a positive change begins with a plus.

    ``share_name``: the name of the number in SHARES. The numbers ``start`` and ``end`` are values and not changes, so
    they have no plus.
    """
    text = value.decimal(digits)
    return text if share_name in (SHARES[0], SHARES[-1]) or text.startswith("-") or not text.strip("0.") else f"+{text}"


def _review_data(review: Review, digits: int) -> dict[str, Any]:
    moves = [
        {
            "seat": move.seat,
            "what": move.what,
            "change": [each.to_json(digits) for each in move.change],
            "loss": None if move.loss is None else move.loss.to_json(digits),
            "better": list(move.better),
            **({} if move.chance is None else {"chance": move.chance.to_json(digits)}),
        }
        for move in review.moves
    ]
    seats = [
        {
            name: value.to_json(digits)
            for name, value in zip(SHARES, _value_at_start_changes_and_value_at_end(review, seat), strict=True)
        }
        for seat in range(1, len(review.start) + 1)
    ]
    return {"over": review.over, "moves": moves, "seats": seats}


# --- with secrets


def _print_secret_review(
    game: Game, moves: Sequence[PlayedMove], objective: str | None, digits: int, as_json: bool
) -> int:
    """Print the review of a play of a game with secrets, and return the exit code.

    It says what each roll brought, and what each choice cost on average over what its player had not seen.
    """
    from oddsmith.report.policy import review_secret_play
    from oddsmith.solve import objective_name
    from oddsmith.solve.extensive import solve_secrets

    with terminal_progress() as report:
        solution = solve_secrets(game, objective_name(game, objective), progress=report)
    found = review_secret_play(solution, moves)
    if as_json:
        data = _review_data(found, digits)
        for seat, shares in enumerate(data["seats"], 1):
            shares["given away"] = found.cost_of_choices(seat).to_json(digits)
        print_json(data | {"notes": [AS_IT_LAY, ON_AVERAGE]})
        return 0
    rules = game.ruleset
    click.echo(f"{rules.title}, {plural(game.seats, 'seat')}, {solution.objective} ({solution.grade})")
    for place, move in enumerate(found.moves, 1):
        click.echo(f"  {place}. {rules.seat_name(move.seat - 1)}: {''.join(_move_words(move, digits))}")
    if not found.over:
        click.echo("  the game is not over: the end is what each seat can still expect")
    for seat in range(1, game.seats + 1):
        click.echo(f"  {rules.seat_name(seat - 1)}: {_seat_words(found, seat, digits)}")
    for note in (AS_IT_LAY, ON_AVERAGE):
        click.echo(f"note: {note}")
    return 0


def _move_words(move: MoveReview, digits: int) -> Iterator[str]:
    yield f"{move.what} ({_signed_text(move.change[move.seat - 1], digits)})"
    if not move.chosen:
        return
    if move.chance is not None:
        yield f", which best play {_frequency_words(move.chance)}"
    if move.loss is None:
        yield "; best play of the other never leads there, so its cost is not known"
    elif move.loss.lower > 0:
        more = len(move.better) - MAX_BEST
        named = [*move.better[:MAX_BEST], *([f"{more} others"] if more > 0 else [])]
        yield f"; costs {move.loss.decimal(digits)}, best: {' or '.join(named)}"


def _frequency_words(probability: Number) -> str:
    if probability.upper == 0:
        return "never does"
    return "always does" if probability.exact == 1 else f"does with {probability.percent(4)}"


def _seat_words(review: Review, seat: int, digits: int) -> str:
    shares = [
        f"{name} {_signed_text(value, digits, name)}"
        for name, value in zip(SHARES, _value_at_start_changes_and_value_at_end(review, seat), strict=True)
    ]
    return f"{', '.join(shares)}; given away {review.cost_of_choices(seat).decimal(digits)}"


def write_transcript(file: Path, data: Mapping[str, Any], game: Game, ruleset_name: str) -> None:
    """Write a transcript, and say where it is and how to review it.

    ``ruleset_name``: what the ruleset was called by. A review must name a ruleset that does not ship.
    """
    from oddsmith.base.files import shipped_rulesets, write_named_file
    from oddsmith.ruleset import canonical_bytes

    write_named_file(file, canonical_bytes(data) + b"\n")
    named = (
        ""
        if game.ruleset.id in shipped_rulesets()
        else f"; its review needs the ruleset: play {ruleset_name} --review {file}"
    )
    click.echo(f"transcript written to {file}{named}")
