"""``oddsmith solve``: the value of a game to every seat, and best play, whatever its size."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from oddsmith.api import SolvedGame
from oddsmith.base.errors import MeasureError, SolveError, TooManyStatesError
from oddsmith.base.exact import DIGITS, Number, plural
from oddsmith.base.executors import Work
from oddsmith.base.progress import duration_text
from oddsmith.base.systems import size_text
from oddsmith.cli.advising import option_words, position_json, position_lines
from oddsmith.cli.common import (
    ChosenGame,
    SettingOptions,
    digits_option,
    json_option,
    option_field,
    print_json,
    settings_options,
    shared_option_field,
    solve_game,
    terminal_progress,
    with_changed_settings,
    with_options,
    with_work_options,
)
from oddsmith.cli.distributions import distributions_data, print_distributions, refuse_empty_names
from oddsmith.cli.measuring import fraction_note, measure_lines, print_unanswered
from oddsmith.cli.symbols import print_break_evens, print_symbolic_solution

if TYPE_CHECKING:
    from oddsmith.api import SecretGame, StagedGame
    from oddsmith.base.distributions import Distribution
    from oddsmith.report.contests import BestResponse
    from oddsmith.report.facts import CheatValue
    from oddsmith.ruleset import SampleMoments, SimulationResult, State
    from oddsmith.solve import Solution


PLACES = 4  # of what a short rule costs
MAX_PLAYED_GAMES = 10**9  # of --plays and --estimate
LISTS = "short list"
TO_ESTIMATE = ". To estimate it, play it: --estimate 1000000"
"""The name of the policy that is found at a smaller setting."""
OF_THIS_PLAY = "numbers along play are those of the play that was found; other best play may have others"
_FILE = click.Path(dir_okay=False, path_type=Path)


@dataclass(frozen=True, kw_only=True)
class SolveQuestions:
    """The questions about a game besides its values and its strategy."""

    state: str | None = option_field(
        "--state", metavar="POSITION", help="Say also what each action is worth in a position, as advise does."
    )
    thresholds: bool = option_field(
        "--thresholds",
        is_flag=True,
        help="Say from which amount on another action is best, in the positions of --where.",
    )
    table: Path | None = option_field(
        "--table",
        type=_FILE,
        metavar="FILE",
        help="Write all positions, with what to do and the values, as CSV in the columns of export.",
    )
    where: str = option_field(
        "--where",
        default="",
        metavar="NAME=VALUE,...",
        help="In --table and --thresholds, only positions where this holds, such as phase=decide.",
    )
    certificate: Path | None = option_field(
        "--certificate",
        type=_FILE,
        metavar="FILE",
        help="Also write a certificate, which certify checks (FILE.gz: packed). By stages it needs --digits 40.",
    )
    measures: bool = option_field(
        "--measures", is_flag=True, help="With stages too, answer the ruleset's own questions; this takes longer."
    )
    plays: int | None = option_field(
        "--plays",
        type=click.IntRange(1, MAX_PLAYED_GAMES),
        metavar="N",
        help="Play N games by the rules, and say what they brought on average.",
    )
    cheats: bool = option_field(
        "--cheats", is_flag=True, help="Say what the cheats that the ruleset names are worth to the first player."
    )
    seed: int = option_field(
        "--seed", type=int, default=1, show_default=True, help="Seed for the dice of --plays and --estimate."
    )
    symbol: str | None = option_field(
        "--symbol",
        metavar="NAME[=LOW..HIGH]",
        help="Leave a parameter open that only weighs faces and pays. Print values as formulas of it, and the exact points "
        "where best play changes, from its min to its max or within a range.",
    )
    break_even: bool = option_field(
        "--break-even", is_flag=True, help="Also say when one more roll pays, as a formula of the position."
    )
    distributions: tuple[str, ...] = option_field(
        "--distribution",
        multiple=True,
        metavar="WHAT",
        help="Print every value of WHAT with its chance. WHAT is payoff or the name of a payoff, win, winner, turns, rolls, or "
        "count PHASE/ENTRY. It may go on with seat N and given PHASE/ENTRY. Repeatable.",
    )
    turns: int | None = option_field(
        "--turns",
        type=click.IntRange(min=1),
        metavar="N",
        help="Also say what each seat has if the game stops after N turns.",
    )

    @property
    def asks_anything(self) -> bool:
        """Whether any such question is asked, apart from formulas."""
        return self != SolveQuestions(seed=self.seed, where=self.where, symbol=self.symbol)


@dataclass(frozen=True, kw_only=True)
class SolveOptions:
    """The options of ``solve``."""

    ruleset: str
    settings: SettingOptions = shared_option_field(settings_options())
    digits: int = shared_option_field(digits_option(DIGITS, 10_000))
    exact: bool = option_field(
        "--exact", is_flag=True, help="Find fractions even where they take longer than the solution."
    )
    values_only: bool = option_field(
        "--values", is_flag=True, help="Say only what the game is worth: leave out the strategy, which takes longer."
    )
    as_list: bool = option_field(
        "--list",
        is_flag=True,
        help="Print only a short list of decisions, as a policy to paste into the ruleset, with what it costs.",
    )
    as_json: bool = shared_option_field(json_option("Print the result as JSON, with all fractions."))
    questions: SolveQuestions
    effort: bool = option_field(
        "--effort", is_flag=True, help="Solve nothing, and say what solving by stages would take."
    )
    estimate: int | None = option_field(
        "--estimate",
        type=click.IntRange(2, MAX_PLAYED_GAMES),
        metavar="GAMES",
        help="Solve nothing, and play this number of games by the policies of --policy: what they bring, with an interval.",
    )
    list_from: tuple[str, ...] = option_field(
        "--list-from",
        multiple=True,
        metavar="NAME=VALUE",
        help="For --estimate: solve the game with this number of seats, variant or parameter, and let seats without a --policy "
        "play by its short list. Repeatable.",
    )
    ahead_from: tuple[str, ...] = option_field(
        "--ahead-from",
        multiple=True,
        metavar="NAME=VALUE",
        help="For --estimate: solve the game with this number of seats or parameter, and let seats without a --policy look a "
        "step ahead by its values. Repeatable.",
    )
    work: Work = shared_option_field(with_work_options)


@click.command()
@with_options(SolveOptions)
def solve(options: SolveOptions) -> int:
    """Solve a game: say what it is worth to every seat, and what best play does.

    A game that does not fit the memory is solved stage by stage, if something in its rules grows or falls all the time, such
    as rounds or points. Then a line says so, and what it will take. With --store a game that was stopped goes on where it
    was; advise, play and solve with the same --store solve nothing again. --plays plays games by the rules alone; their means
    come near the values if the values are right. A game that is too large for that can be estimated: --estimate plays many
    games by the policies that you name, and gives each mean with an interval.

    \b
    Examples:
      oddsmith solve rogues-gambit --seats 2
      oddsmith solve pig --set target=10 --by stages --plays 200
      oddsmith solve rogues-gambit --seats 6 --estimate 10000 --policy '1..6=hold at 20'
      oddsmith solve pig --seats 3 --estimate 1000 --list-from seats=2 --list-from target=20
      oddsmith solve pig --seats 3 --set target=20 --estimate 1000 --ahead-from seats=2
    """
    chosen, wanted, work = options.settings.chosen_game(options.ruleset), options.questions, options.work
    secrets = chosen.loaded_ruleset.ruleset.has_secrets and not options.estimate
    if secrets:
        _refuse_options_with_secrets(options)
    _refuse_conflicting_options(options)
    if wanted.symbol is not None:
        return print_symbolic_solution(chosen, wanted.symbol, options.digits, options.as_json)
    if options.effort:
        return _print_effort(chosen, options)
    if options.estimate:
        return _print_estimate(chosen, options.estimate, options)
    known = (
        replace(wanted, state=None, where="") if secrets else wanted
    )  # what may be seen is known once the game is solved
    _refuse_unknown_names(chosen, known, options.digits if work.method == "stages" else None)
    whole = not secrets and work.method != "stages" and not work.requires_stages
    exact = options.exact or (whole and (options.as_json or wanted.certificate is not None))
    try:
        answered = solve_game(chosen, options.digits, exact, work)
    except TooManyStatesError as error:
        raise TooManyStatesError(f"{error}{TO_ESTIMATE}") from None
    except SolveError as error:
        if not chosen.loaded_ruleset.ruleset.hides_moves or chosen.game.seats <= 2:
            raise
        raise SolveError(f"{error}{TO_ESTIMATE}") from None
    if options.as_list:
        return _print_short_list(answered)
    if options.as_json:
        _write_files(answered, options)
        print_json(_answer_data(answered, options))
        return 0
    for line in _value_lines(answered, options.digits):  # before anything else that may take long, or fail
        click.echo(line)
    _write_files(answered, options)
    _print_answer(answered, options)
    return 0


UNANSWERED_WITH_SECRETS = {
    "--list": "a short list is for positions that all see: --table FILE has each decision by what its player knows",
    "--thresholds": "thresholds are for positions that all see: --table FILE has each decision by what its player knows",
    "--turns": "a game that stops sooner is played in another way: --distribution turns says how long this one lasts",
    "--break-even": "its formulas are for positions that all see: --state POSITION says what each action brings",
    "--cheats": "cheats are priced where all see everything: write loaded dice into a variant, and compare by oddsmith diff",
    "--effort": "it is solved as a whole, and not by stages: --limit states=N bounds the positions that are followed",
    "--symbol": "it is solved at one value after the other: oddsmith sweep RULESET --vary NAME=LOW..HIGH",
}
"""The questions that a game with secrets does not answer, each with the reason and a way on."""


def _refuse_options_with_secrets(options: SolveOptions) -> None:
    """Raise click.UsageError if the options ask what games with secrets do not answer. The message gives the reason and
    a way on.
    """
    wanted = options.questions
    asked = {
        "--list": options.as_list,
        "--thresholds": wanted.thresholds,
        "--turns": wanted.turns is not None,
        "--break-even": wanted.break_even,
        "--cheats": wanted.cheats,
        "--effort": options.effort,
        "--symbol": wanted.symbol is not None,
    }
    for name, why in UNANSWERED_WITH_SECRETS.items():
        if asked[name]:
            raise click.UsageError(f"{name} does not know games with secrets or choices made at once; {why}")


def _refuse_conflicting_options(options: SolveOptions) -> None:
    """Raise click.UsageError if the options exclude each other."""
    wanted, symbol, as_list = options.questions, options.questions.symbol is not None, options.as_list
    if as_list and (options.values_only or options.as_json or symbol or wanted.asks_anything):
        raise click.UsageError("--list prints a list and nothing else: leave out the rest")
    if symbol and wanted.asks_anything:
        raise click.UsageError("--symbol gives formulas only: leave it out to ask for the rest")
    if wanted.where and wanted.table is None and not wanted.thresholds:
        raise click.UsageError("--where is for --table and --thresholds")
    effort, estimate, lists, ahead = options.effort, options.estimate, options.list_from, options.ahead_from
    if (lists or ahead) and not estimate:
        raise click.UsageError(f"{'--list-from' if lists else '--ahead-from'} is for --estimate")
    if lists and ahead:
        raise click.UsageError("--list-from and --ahead-from both say how the other seats play: name one of them")
    if (effort or estimate) and (as_list or wanted.asks_anything or (effort and estimate)):
        raise click.UsageError(f"--{'effort' if effort else 'estimate'} solves nothing: ask for it alone")


def _as_staged_game(answered: SolvedGame) -> StagedGame | None:
    """Return the game if it was solved by stages, else None. Modules for stages are imported only then."""
    if answered.method != "stages":
        return None
    from oddsmith.api import StagedGame

    assert isinstance(answered, StagedGame)
    return answered


def _as_secret_game(answered: SolvedGame) -> SecretGame | None:
    """Return the game if it has secrets, else None. Modules for secrets are imported only then."""
    if answered.method != "secrets":
        return None
    from oddsmith.api import SecretGame

    assert isinstance(answered, SecretGame)
    return answered


def _answer_data(answered: SolvedGame, options: SolveOptions) -> dict[str, Any]:
    """Return the answer as plain data for JSON."""
    wanted, digits = options.questions, options.digits
    if staged := _as_staged_game(answered):
        answers = _measure_answers(answered, wanted)
        found = staged.to_json(digits, answers)
        found |= {"unanswered": {name: str(each) for name, each in answers.items() if not isinstance(each, Number)}}
    else:
        print_unanswered(answered.unanswered)
        found = answered.to_json(digits) | (
            {} if options.values_only or answered.method == "secrets" else _strategy_data(answered, digits)
        )
    stopped = None if wanted.turns is None else answered.horizon(wanted.turns)
    found |= distributions_data(_requested_distributions(answered, options), stopped, digits)
    if wanted.break_even:
        found["break_even"] = [each.to_json() for each in answered.break_even()]
    if wanted.cheats:
        found["cheats"] = [each.to_json(digits) for each in answered.cheats()]
    if wanted.thresholds:
        found["choices"] = answered.outline(where=wanted.where).to_json()["choices"]
    if wanted.state is not None:
        found["advice"] = position_json(answered, wanted.state, digits)
    if wanted.plays is not None:
        found["plays"] = _simulation_data(_simulated_games(answered, wanted.plays, wanted.seed), wanted.seed, digits)
    return found


def _print_answer(answered: SolvedGame, options: SolveOptions) -> None:
    """Print the part of the answer that follows the values, for people."""
    wanted, digits = options.questions, options.digits
    if answered.method == "stages":
        answers = _measure_answers(answered, wanted)
        print_unanswered({name: str(each) for name, each in answers.items() if not isinstance(each, Number)})
        for line in measure_lines(answered, answers, digits):
            click.echo(line)
    else:
        print_unanswered(answered.unanswered)
        if not options.values_only:
            _print_best_play(answered, digits)
    if wanted.thresholds:
        for line in map(option_words(answered), answered.outline(where=wanted.where).lines(PLACES)):
            click.echo(line)
    stopped = None if wanted.turns is None else answered.horizon(wanted.turns)
    print_distributions(_requested_distributions(answered, options), stopped, digits, answered.game.ruleset)
    if answered.method == "secrets" and (wanted.distributions or answered.measures):
        click.echo(f"note: {OF_THIS_PLAY}")
    print_break_evens(answered.break_even() if wanted.break_even else [])
    for each in answered.cheats() if wanted.cheats else ():
        click.echo(_cheat_line(each))
    if wanted.state is not None:
        for line in position_lines(answered, wanted.state, digits):
            click.echo(line)
    if wanted.plays is not None:
        for line in _simulation_lines(answered, _simulated_games(answered, wanted.plays, wanted.seed)):
            click.echo(line)


def _print_best_play(answered: SolvedGame, digits: int) -> None:
    """Print best play. If all seats but one play named policies, also print the gain of the best response."""
    if secret := _as_secret_game(answered):
        from oddsmith.cli.secret_games import decision_lines

        for line in decision_lines(secret.secret_solution):
            click.echo(line)
        return
    _print_best_response(answered, digits)
    for line in map(option_words(answered), answered.outline().lines(PLACES)):
        click.echo(line)


def _measure_answers(answered: SolvedGame, questions: SolveQuestions) -> Mapping[str, Number | MeasureError]:
    """Return the answers to the questions of the ruleset, by name; empty unless ``--measures`` asks for them."""
    if not questions.measures:
        return {}
    with terminal_progress() as report:
        return answered.answer_questions(report)


def _requested_distributions(answered: SolvedGame, options: SolveOptions) -> list[Distribution]:
    """Return the distributions that are asked for."""
    work = options.work
    with terminal_progress() as report:
        return [
            answered.distribution(text, progress=report, jobs=work.jobs, cluster=work.cluster)
            for text in refuse_empty_names(options.questions.distributions)
        ]


def _refuse_unknown_names(chosen: ChosenGame, questions: SolveQuestions, digits: int | None) -> None:
    """Raise an error if the questions contain an unknown name. This is checked before the game is solved, which may
    take hours.

    ``digits``: the decimal digits of values if the game is solved by stages, else None.
    """
    laws = refuse_empty_names(questions.distributions)
    if digits is None and questions.state is None and not questions.where and not laws:
        return
    from oddsmith.api import refuse_unknown_names

    proving = None if questions.certificate is None else digits
    refuse_unknown_names(chosen.game, chosen.setting.objective, questions.state, questions.where, laws, proving)


def _print_effort(chosen: ChosenGame, options: SolveOptions) -> int:
    """Print the time and the memory that solving by stages takes, and return the exit code."""
    book = chosen.loaded_ruleset
    with terminal_progress() as report:
        effort = book.effort(digits=options.digits, work=options.work, progress=report)
    if options.as_json:
        print_json({"ruleset": book.id, **effort.to_json()})
        return 0
    click.echo(f"{book.ruleset.title}, {plural(effort.seats, 'seat')}, played for {effort.objective}: not solved")
    click.echo(
        f"{plural(effort.state_count, 'position')} in {plural(effort.stage_count, 'stage')} ({effort.stages_in_words})"
    )
    click.echo(f"Solving needs about {size_text(effort.memory_bytes)} of memory, and {duration_text(effort.seconds)}.")
    return 0


def _print_estimate(chosen: ChosenGame, game_count: int, options: SolveOptions) -> int:
    """Play games, print the mean payoff of each seat with an interval, and return the exit code.

    Seats without a named policy play by the short list of a smaller game, if ``options.list_from`` names its setting.
    If ``options.ahead_from`` names it, they look a step ahead by the values of the smaller game.
    """
    played, policies, lists, ahead, work = chosen.loaded_ruleset, chosen.policies, None, None, options.work
    if options.list_from:
        smaller = replace(with_changed_settings(chosen, options.list_from, "--list-from"), policies={})
        lists = solve_game(smaller, work=work).short_list()
        played, seats = played.with_lists(lists, LISTS), chosen.game.seats
        policies = dict.fromkeys(range(1, seats + 1), LISTS) | policies
    if options.ahead_from:
        smaller = replace(
            with_changed_settings(chosen, options.ahead_from, "--ahead-from"), policies={}, symmetry=False
        )
        ahead = solve_game(smaller, work=Work())
    with terminal_progress() as report:
        found = played.estimate(
            policies=policies,
            smaller_game=ahead,
            games=game_count,
            seed=options.questions.seed,
            jobs=work.jobs,
            cluster=work.cluster,
            progress=report,
        )
    if options.as_json:
        print_json(found.to_json())
        return 0
    from oddsmith.report.english import plain_name

    rules, turns = found.game.ruleset, found.median_turns
    goal = f", {found.objective}" if rules.has_payoffs else ""
    click.echo(f"{rules.title}, {plural(found.game.seats, 'seat')}{goal} (estimated)")
    for seat, mean in enumerate(found.means if rules.has_payoffs else ()):
        plays = f"  {found.policies[seat]}" if found.policies else ""
        click.echo(f"  {rules.seat_name(seat)}: {mean or 'no interval, for payoffs have no bounds'}{plays}")
    click.echo(f"  half of the games end within {plural(turns.middle, 'turn')} ({turns.interval_in_words})")
    for each in lists.lists if lists else ():
        click.echo(f"  {LISTS}, {plain_name(each.phase)}: {each.words}")
    if found.known_share is not None:
        usual = rules.regular_policy or "any legal action, at random"
        known = f"values are known in {float(100 * found.known_share):.1f} % of the decisions of seats that look ahead"
        click.echo(f"  {known}; else: {usual}")
    click.echo(f"{found.game_count:,} games played; each interval holds its number with a chance of at least 99.9 %")
    if not found.policies:
        click.echo(f"Nobody ever had a choice{': this is what the game is worth' if rules.has_payoffs else ''}.")
    return 0


def _cheat_line(cheat: CheatValue) -> str:
    """Return a line on the value of a cheat, and on how often the cheat may be found out."""
    opponents = f"others who play {cheat.against}" if cheat.against else "best play"
    words = (
        f"{cheat.name}, against {opponents}: {cheat.cheated.decimal(PLACES)} in place of {cheat.fair.decimal(PLACES)}"
    )
    if cheat.found_out is None:
        return words
    return f"{words}; pays unless it is found out in {cheat.found_out.percent(2)} of games or more"


def _write_files(answered: SolvedGame, options: SolveOptions) -> None:
    """Write the table of positions and the certificate if they are asked for."""
    wanted = options.questions
    if wanted.table is not None:
        with terminal_progress() as report:
            lines = answered.write_table(wanted.table, wanted.where, options.digits, report)
        what = "line" if answered.method == "secrets" else "position"
        click.echo(f"{wanted.table}, {plural(lines, what)}", err=True)
    if wanted.certificate is not None:
        with terminal_progress() as report:
            size = answered.write_certificate(wanted.certificate, progress=report)
        click.echo(f"certificate: {wanted.certificate}, {size:,} bytes", err=True)


def _value_lines(answered: SolvedGame, digits: int) -> Iterator[str]:
    """Yield lines with the values of a game, the answers to the questions of its ruleset, its size, and what is proved."""
    game = answered.game
    goal = f", {answered.objective}" if game.ruleset.has_payoffs else ""
    yield f"{game.ruleset.title}, {plural(game.seats, 'seat')}{goal} ({answered.grade})"
    for seat, value in enumerate(answered.values if game.ruleset.has_payoffs else ()):
        yield f"  {game.ruleset.seat_name(seat)}: {value.decimal(digits)}{fraction_note(value)}"
    if answered.method == "graph" and not game.ruleset.has_payoffs:
        yield from _length_lines(answered.solution, digits)
    if answered.method != "stages":
        yield from measure_lines(answered, answered.measures, digits)
    if staged := _as_staged_game(answered):
        yield f"  turns: {staged.mean_turns.decimal(digits)}{fraction_note(staged.mean_turns)}"
        yield staged.size_in_words
    elif secret := _as_secret_game(answered):
        yield secret.size_in_words
    else:
        yield from _graph_lines(answered.solution)
    yield _kind_and_proof_words(answered)
    if game.seats == 2 and answered.kind in ("symmetric", "pure-by-seat", "mixed"):
        yield "note: what the two seats get does not always add up to the same"
    yield from (f"note: {note}" for note in answered.notes)
    if answered.method == "graph" and answered.solution.fractions_skipped:
        yield "note: the fractions of the values take longer than this: ask for them with --exact"


def _length_lines(solution: Solution, digits: int) -> Iterator[str]:
    """Yield lines with the mean lengths of a game in which nothing is won."""
    from oddsmith.report.facts import mean_lengths

    for name, number in mean_lengths(solution).items():
        yield f"  {name}: {number.decimal(digits)}{fraction_note(number)}"


def _graph_lines(solution: Solution) -> Iterator[str]:
    """Yield lines on the size of a graph, and on how its components were solved."""
    graph = solution.graph
    sizes = {"position": graph.state_count, "decision": graph.decision_count, "transition": len(graph.target)}
    yield ", ".join(plural(number, what) for what, number in sizes.items())
    if solution.component_count_by_method:
        shown = ", ".join(f"{count:,} by {method}" for method, count in solution.component_count_by_method.items())
        yield f"components with cycles: {shown}"


# --- games that are played


def _simulated_games(answered: SolvedGame, game_count: int, seed: int) -> SimulationResult:
    """Play games by the one-state rules, where every seat follows the solution."""
    if secret := _as_secret_game(answered):
        from oddsmith.solve.extensive import simulate_plans

        with terminal_progress() as report:
            return simulate_plans(secret.secret_solution, game_count, seed, report)
    from random import Random

    from oddsmith.ruleset import simulate_games_in_lockstep

    random = Random(f"mixed {seed}")  # noqa: S311 - games, not secrets

    def choose(states: Sequence[State]) -> list[int]:
        return answered.sampled_action_indices(states, [random.random() for _ in states])

    with terminal_progress() as report:
        return simulate_games_in_lockstep(answered.game, answered.objective, choose, game_count, seed, report)


def _simulation_lines(answered: SolvedGame, simulation: SimulationResult) -> Iterator[str]:
    """Yield lines with the means of played games, and their distance from the values in standard errors."""
    yield f"{plural(simulation.game_count, 'game')} played:"
    rules = answered.game.ruleset
    means: list[tuple[str, SampleMoments, Number | None]] = [
        (rules.seat_name(seat), *each)
        for seat, each in enumerate(zip(simulation.payoffs_by_seat, answered.values, strict=True))
    ]
    for name, sample, value in [*means, ("turns", simulation.turns, _mean_turns(answered))]:
        error, off = sample.standard_error, ""
        if value is not None and 0 < error < inf:
            off = f", {abs(float(sample.mean - value.middle)) / error:.1f} standard errors off"
        yield f"  {name}: {float(sample.mean):.4f}, with a standard error of {error:.4f}{off}"


def _mean_turns(answered: SolvedGame) -> Number | None:
    """Return the mean number of turns; None if it would have to be computed first."""
    if secret := _as_secret_game(answered):
        from oddsmith.solve.extensive import expected_turns_and_rolls

        return expected_turns_and_rolls(secret.played_plans)["turns"]
    staged = _as_staged_game(answered)
    return staged.mean_turns if staged else None


def _simulation_data(simulation: SimulationResult, seed: int, digits: int) -> dict[str, Any]:
    """Return the means of played games as data. A single game has no standard error."""

    def mean_data(sample: SampleMoments) -> dict[str, Any]:
        error = sample.standard_error
        return {**Number.of(sample.mean).to_json(digits), "standard_error": None if error == inf else error}

    seats = [{"seat": seat, **mean_data(sample)} for seat, sample in enumerate(simulation.payoffs_by_seat, 1)]
    return {"games": simulation.game_count, "seed": seed, "values": seats, "turns": mean_data(simulation.turns)}


# --- games in one graph


def _print_short_list(answered: SolvedGame) -> int:
    """Print the short list of decisions as YAML, with its cost in comments, and return the exit code."""
    from oddsmith.report.english import capital, plain_name
    from oddsmith.report.policy import cost_words

    found = answered.short_list()
    for each in found.lists:
        click.echo(f"# {capital(plain_name(each.phase))}: {each.with_cost(cost_words(each.loss, PLACES))}")
    graded = f" ({found.loss.grade})" if found.loss else ""
    who = "" if answered.game.seats == 1 else " if seat 1 alone plays so and the others as in best play"
    click.echo(f"# All of it: {cost_words(found.loss, PLACES)}{graded}{who}.")
    click.echo(found.to_yaml(), nl=False)
    return 0


def _strategy_data(answered: SolvedGame, digits: int) -> dict[str, Any]:
    """Return the strategy as plain data for JSON, with the gain of a best response if there is one."""
    answer = _best_response(answered)
    gained = {} if answer is None else {"best_response": answer.to_json(digits)}
    return {"strategy": answered.outline().to_json(), **gained}


def _best_response(answered: SolvedGame) -> BestResponse | None:
    with terminal_progress() as report:
        return answered.best_response(report)


def _print_best_response(answered: SolvedGame, digits: int) -> None:
    """Print the gain of the best response, if exactly one seat has no named policy."""
    answer = _best_response(answered)
    if answer is None:
        return
    told = "the usual best play mixes actions, or may never end against these"
    if answer.usual_value is not None and answer.gain is not None:
        gain = "as much" if answer.gain.upper == 0 else f"{answer.gain.decimal(digits)} less"
        told = f"the usual best play gets {gain}: {answer.usual_value.decimal(digits)}"
    seat = answered.game.ruleset.seat_name(answer.seat - 1)
    click.echo(f"best response of {seat}: {answer.value.decimal(digits)}; {told}")


def _kind_and_proof_words(answered: SolvedGame) -> str:
    """Return in words what kind of play the values belong to, and how far decisions are proved."""
    from oddsmith.report.facts import NO_CHOICE_LINE, play_kind_line, play_kind_words

    line = play_kind_line(answered.solution) if answered.method == "graph" else play_kind_words(answered).line
    return line if line == NO_CHOICE_LINE else f"{line}{_proof_words(answered)}"


def _proof_words(answered: SolvedGame) -> str:
    """Return in words how far decisions are proved."""
    if answered.undecided_count:
        return f"; in {plural(answered.undecided_count, 'position')} two actions are too close to tell apart"
    if answered.method == "stages":
        return "; every decision is proved"
    if answered.method == "secrets" and answered.kind == "named":
        return ""
    if (secret := _as_secret_game(answered)) and not secret.secret_solution.has_constant_sum:
        return "; nobody gains by departing from it alone, and other equilibria may bring other values"
    if answered.method == "secrets":
        met = "meet in them" if answered.grade == "exact" else "enclose them"
        return f"; the best responses to both plans {met}" if answered.game.seats > 1 else ""
    solution = answered.solution
    if len(solution.named_policies) == solution.graph.seats:
        return "; there was no decision to prove"
    ties = f"; {plural(solution.tie_count, 'tie matters', 'ties matter')} to others" if solution.tie_count else ""
    whose = " of the other seats" if solution.named_policies else ""
    return f"; every decision{whose} is proved{ties}"
