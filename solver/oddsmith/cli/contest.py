"""``oddsmith contest``: policies against each other (``tournament``), and what many games bring together (``evening``)."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from oddsmith.base.exact import Number, decimal_text, fraction_text, parse_published_number, plural
from oddsmith.cli.common import (
    SettingOptions,
    digits_option,
    json_option,
    option_field,
    print_json,
    settings_options,
    shared_option_field,
    solve_game,
    terminal_progress,
    with_options,
)
from oddsmith.cli.distributions import bar_text, distribution_lines

if TYPE_CHECKING:
    from oddsmith.report.contests import Evening, EveningResult, Tournament
    from oddsmith.ruleset.model import Ruleset


PLACES = 4


@click.group()
def contest() -> None:
    """Let policies play each other, or say what an evening of many games brings.

    \b
    Examples:
      oddsmith contest tournament rogues-gambit --seats 2
      oddsmith contest evening craps --games 100 --purse 50
    """


# --- tournament


@dataclass(frozen=True, kw_only=True)
class TournamentOptions:
    """The options of ``contest tournament``."""

    ruleset: str
    settings: SettingOptions = shared_option_field(settings_options(with_policies=False))
    policy_names: tuple[str, ...] = option_field(
        "--policies",
        metavar="A,B,...",
        help="Who takes part: policies of the ruleset, and best, which is best play (default: all of them). A name with a "
        "comma in it needs an option of its own. Repeatable.",
        multiple=True,
    )
    finds_best_responses: bool = option_field(
        "--no-answers", flag_value=False, default=True, help="Leave out the best response to each policy."
    )
    exact: bool = option_field("--exact", is_flag=True, help="Find fractions even where they take long.")
    digits: int = shared_option_field(digits_option(PLACES, 14))
    output: Path | None = option_field(
        "-o",
        "--output",
        type=click.Path(path_type=Path, dir_okay=False),
        help="Write a line for each match to FILE.csv.",
    )
    as_json: bool = shared_option_field(json_option("Print the result as JSON, with all fractions."))


@contest.command()
@with_options(TournamentOptions)
def tournament(options: TournamentOptions) -> int:
    """Let policies play each other: what each gets against each, who beats whom, and the best response to each.

    Every policy sits in every seat. With more than two seats, one seat plays one policy, and all other seats play the other.
    Where play between two may never end, that match alone has no answer.

    \b
    Example:
      oddsmith contest tournament rogues-gambit --seats 2
    """
    answered = solve_game(options.settings.chosen_game(options.ruleset))
    with terminal_progress() as report:
        found = answered.tournament(
            _parse_policy_names(options.policy_names, answered.game.ruleset.policies),
            options.finds_best_responses,
            options.exact,
            report,
        )
    if options.output is not None:
        _write_csv(found, options.output)
    if options.as_json:
        from oddsmith.solve import setting_json

        print_json({"ruleset": setting_json(answered.game), **found.to_json()})
        return 0
    for line in _tournament_lines(found, options.digits):
        click.echo(line)
    return 0


def _parse_policy_names(texts: Sequence[str], known_names: Collection[str]) -> list[str] | None:
    """Return the names of the policies that the options name; None, for all policies, if there are no options.

    ``texts``: the options, each with a name, or with several names separated by commas. ``known_names``: the policies
    of the ruleset, whose names may contain commas.
    """
    parts = [[word.strip()] if word.strip() in known_names else word.split(",") for word in texts]
    return [name.strip() for part in parts for name in part] or None


def _write_csv(tournament: Tournament, output: Path) -> None:
    from oddsmith.base.files import write_named_file

    if output.suffix.lower() != ".csv":
        raise click.BadParameter("name a file that ends in .csv", param_hint="--output")
    stream, records = io.StringIO(), tournament.records()
    writer = csv.DictWriter(stream, list(records[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)
    write_named_file(output, stream.getvalue().encode())
    click.echo(f"{output}: {plural(len(records), 'match', 'matches')}", err=True)


def _tournament_lines(tournament: Tournament, digits: int) -> Iterator[str]:
    """Yield lines on a tournament: its table, which policy beats which, problems and notes."""
    low = "; the less, the better" if tournament.goal == "min" else ""
    words = f"{tournament.title}, {plural(tournament.seats, 'seat')}, {tournament.objective}: a tournament"
    yield f"{words} ({tournament.grade}{low})"
    if tournament.seats == 1:
        yield from _single_player_lines(tournament, digits)
    else:
        yield from _mean_table_lines(tournament, digits)
    problems: dict[str, list[str]] = {}
    for each in (*tournament.matches, *tournament.best_responses):
        if each.problem:
            problems.setdefault(each.problem, []).append(
                f"{each.policy} against {each.against}".removesuffix(" against ")
            )
    for problem, where in problems.items():
        yield f"no answer where {problem}: {', '.join(where)}"
    yield from (f"note: {note}" for note in tournament.notes)


def _single_player_lines(tournament: Tournament, digits: int) -> Iterator[str]:
    """Yield a line with the mean of each policy in a game for one."""
    width = max(map(len, tournament.policies))
    for each in sorted(tournament.matches, key=lambda each: _mean_sort_key(tournament, each.mean)):
        yield f"  {each.policy:<{width}}  {'-' if each.mean is None else each.mean.decimal(digits)}"


def _mean_sort_key(tournament: Tournament, mean: Number | None) -> tuple[bool, Any]:
    """Return a sort key that puts the best mean first, and policies without an answer last."""
    return (mean is None, 0 if mean is None else mean.middle * (-1 if tournament.goal == "max" else 1))


def _mean_table_lines(tournament: Tournament, digits: int) -> Iterator[str]:
    """Yield the table with the means of policies against each other, then a line for each policy: which others it
    beats; and a line for each best response: its gain.
    """
    from oddsmith.report.english import joined

    if tournament.seats == 2:
        yield "what the policy of a line gets against that of a column, on average over both seats"
    else:
        yield f"what the policy of a line gets in one seat, where the other {tournament.seats - 1} play that of a column,"
        yield "on average over the seats"
    names = [*tournament.policies, *dict.fromkeys(each.policy for each in tournament.best_responses)]
    means = {(each.policy, each.against): each.mean for each in (*tournament.matches, *tournament.best_responses)}
    cells = {key: "-" if mean is None else mean.decimal(digits) for key, mean in means.items()}
    width = max(len(cell) for cell in cells.values())
    wide = max(len(name) for name in names) + len(f"{len(names)} ")
    yield " " * wide + "".join(f"  {number:>{width}}" for number in range(1, len(tournament.policies) + 1))
    for number, name in enumerate(names, 1):
        head = f"{number} {name}" if number <= len(tournament.policies) else name
        yield f"{head:<{wide}}" + "".join(f"  {cells[name, foe]:>{width}}" for foe in tournament.policies)
    for name in tournament.policies:
        beaten = tournament.beaten_policies(name)
        others = len(tournament.policies) - 1
        told = "everybody else" if len(beaten) == others and others > 1 else joined(beaten) or "nobody"
        yield f"{name} beats {told}"
    yield from _gain_lines(tournament, digits)


def _gain_lines(tournament: Tournament, digits: int) -> Iterator[str]:
    """Yield a line on each best response, with its gain over best play."""
    for each in tournament.best_responses:
        gain = tournament.best_response_gain(each.against)
        if gain is None or each.mean is None:
            continue
        yield f"best response to {each.against}: {each.mean.decimal(digits)}, {_gain_words(gain, tournament.goal, digits)}"


def _gain_words(gain: Number, goal: str, digits: int) -> str:
    """Return the gain of a best response in words, such as ``0.0119 more than best play``."""
    word, least = "more" if goal == "max" else "less", Number.of(Fraction(1, 10**digits))
    if gain.upper == 0:
        return "as best play does"
    if gain.upper < least.lower:
        return f"less than {least.decimal(digits)} better than best play"
    return f"{gain.decimal(digits)} {word} than best play"


# --- evening


@dataclass(frozen=True, kw_only=True)
class EveningOptions:
    """The options of ``contest evening``."""

    ruleset: str
    settings: SettingOptions = shared_option_field(settings_options(with_policies=False))
    games: int = option_field("--games", type=click.IntRange(1), required=True, metavar="K", help="How many games.")
    purse: int | None = option_field(
        "--purse",
        type=click.IntRange(1),
        metavar="N",
        help="The coins that the player comes with: say how often that is too few.",
    )
    seat: int | None = option_field(
        "--seat",
        type=click.IntRange(1),
        metavar="N",
        help="The player's seat in every game (default: the seats go round).",
    )
    player: str = option_field(
        "--player",
        default="best",
        metavar="NAME",
        help="What the player plays: a policy, best, or answer (default: best).",
    )
    others: str = option_field(
        "--others", default="best", metavar="NAME", help="What all the others play: a policy, or best (default: best)."
    )
    than: str | None = option_field(
        "--than", metavar="NAME", help="Compare with somebody who plays NAME in the same seats on another evening."
    )
    stake: int | None = option_field(
        "--stake",
        type=click.IntRange(1),
        metavar="N",
        help="What everybody pays for a game, where the rules do not say it.",
    )
    sure: tuple[str, ...] = option_field(
        "--sure",
        multiple=True,
        metavar="SHARE",
        help="Find the smallest purse that lasts in this share of evenings, such as 99%. Repeatable.",
    )
    digits: int = shared_option_field(digits_option(PLACES, 60))
    as_json: bool = shared_option_field(json_option("Print the result as JSON, with all fractions."))


@contest.command()
@with_options(EveningOptions)
def evening(options: EveningOptions) -> int:
    """Say what an evening of many games brings or costs, and whether a purse lasts.

    Where the players bring coins to a game, or the winner takes a pot, the result is what the player wins or loses. Whoever has
    too few coins left for the next game is ruined, and plays no more. For --player and --others, best means
    the usual best play, and answer the best play against just these others.

    \b
    Examples:
      oddsmith contest evening rogues-gambit --seats 2 --games 10 --purse 100
      oddsmith contest evening rogues-gambit --seats 2 --games 20 --others "hold at 20" --player answer --than best
    """
    from oddsmith.report.contests import Matchup

    shares = [_parse_share(text) for text in options.sure]
    answered = solve_game(options.settings.chosen_game(options.ruleset))
    with terminal_progress() as report:
        found = answered.evening(
            options.games,
            options.purse,
            Matchup(options.player, options.others, options.than, options.seat),
            stake=options.stake,
            survival_probabilities=shares,
            progress=report,
        )
    if options.as_json:
        from oddsmith.solve import setting_json

        print_json({"ruleset": setting_json(answered.game), **found.to_json()})
        return 0
    for line in _evening_lines(found, answered.game.ruleset, options.digits):
        click.echo(line)
    return 0


def _parse_share(text: str) -> Fraction:
    """Parse a share such as 99%. Raises click.BadParameter."""
    try:
        share = parse_published_number(text).value
    except ValueError:
        share = Fraction(0)
    if not 0 < share < 1:
        raise click.BadParameter(f"{text!r}: write a share such as 99% or 0.99", param_hint="--sure")
    return share


def _evening_lines(evening: Evening, rules: Ruleset, digits: int) -> Iterator[str]:
    """Yield lines on an evening, with a bar for each result."""
    seats, games = plural(evening.seats, "seat"), plural(evening.games, "game")
    yield f"{evening.title}, {seats}, {evening.objective}: {games} ({evening.grade})"
    word, first = ("as each side", rules.player_name(0)) if rules.sides else ("in each seat", rules.seat_name(0))
    seat = (evening.seat or 1) - 1
    kept = f" as {rules.player_name(seat)}" if rules.sides else f" in {rules.seat_name(seat)}"
    turn = f" {word} in turn, from {first} on"
    where = "" if evening.seats == 1 else turn if evening.seat is None else kept
    against = "" if evening.seats == 1 else f", against {evening.others_policy}"
    yield f"{evening.player_policy}{where}{against}"
    yield from _cost_lines(evening)
    yield from _result_lines(
        evening.result,
        digits,
        "won or lost" if evening.stake.needed_coins else "together",
        bool(evening.stake.needed_coins),
    )
    if evening.ruin is not None:
        need = fraction_text(evening.stake.needed_coins)
        yield f"ruined with a purse of {evening.purse}: {evening.ruin.percent(digits)}"
        yield f"  ruined is who has fewer than {need} left, too few for one more game, at any time until the end of the last"
    for share, purse in evening.lasting_purses:
        yield f"a purse of {purse:,} lasts in {decimal_text(share * 100, 6).rstrip('0').rstrip('.')} % of evenings"
    if evening.lead_over_second_player is not None:
        yield f"compared with {evening.second_player_policy} in the same seats on another evening"
        yield from _result_lines(evening.lead_over_second_player, digits, "more than that")
    if evening.second_player_ruin is not None:
        yield f"ruined with {evening.second_player_policy} and the same purse: {evening.second_player_ruin.percent(digits)}"
    yield from (f"note: {note}" for note in evening.notes)


def _cost_lines(evening: Evening) -> Iterator[str]:
    """Yield a line on the cost of one game, if it costs anything."""
    stake = evening.stake
    paid = fraction_text(stake.cost)
    if stake.winner_takes_pot:
        yield f"in each game everybody stakes {paid}, and the winner takes all {fraction_text(stake.cost * evening.seats)}"
    elif stake.is_set_by_rules:
        yield f"to each game everybody brings {paid}, and takes home what is in the purse at its end"
    elif stake.cost:
        yield f"each game costs {paid}, and brings its {evening.objective}"


def _result_lines(
    result: EveningResult, digits: int, heading: str, with_ahead_and_behind: bool = True
) -> Iterator[str]:
    """Yield the lines of a distribution, with a bar for each. ``heading``: the heading.

    ``with_ahead_and_behind``: whether to add the chances to be ahead, even and behind.
    """
    law = result.distribution
    numbers = [("mean", law.mean), ("standard deviation", law.standard_deviation)]
    shown = "".join(f", {name} {number.decimal(digits)}" for name, number in numbers if number is not None)
    yield f"{heading}{shown}"
    lines = list(distribution_lines(law))
    most = max(chance.middle for _, chance, _ in lines)
    width = max(len(name) for name, _, _ in lines)
    wide = max(len(chance.percent(digits)) for _, chance, _ in lines)
    for name, chance, _ in lines:
        yield f"  {name:>{width}}  {chance.percent(digits):>{wide}}  {bar_text(chance.middle, most)}".rstrip()
    halves = [("half of all", law.quantile(Fraction(1, 2))), ("nine in ten", law.quantile(Fraction(9, 10)))]
    told = [f"{words}: at most {fraction_text(value)}" for words, value in halves if value is not None]
    if told:
        yield "  " + "; ".join(told)
    if with_ahead_and_behind:
        chances = (
            ("ahead", result.probability_ahead),
            ("even", result.probability_even),
            ("behind", result.probability_behind),
        )
        yield "  " + ", ".join(f"{name} {chance.percent(digits)}" for name, chance in chances if chance.upper > 0)
