"""``solve``, ``advise`` and ``verify``: values, actions and published odds."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from oddsmith.api import DIGITS, LoadedRuleset, SolvedGame
from oddsmith.base.exact import LONG, Number, fraction_text, plural
from oddsmith.cli.advising import advice_json, advice_lines
from oddsmith.cli.common import digits_option, json_option, print_json, progress, settings_of, settings_options, solved
from oddsmith.cli.distributions import show_spreads, spreading_options, spreads, spreads_json
from oddsmith.cli.keeping import KEPT, advised, kept
from oddsmith.cli.symbols import show_break_evens, solve_open, symbol_options
from oddsmith.cli.writing import store_option

if TYPE_CHECKING:
    from oddsmith.report.contests import BestResponse
    from oddsmith.report.facts import Verdict
    from oddsmith.solve import Solution


PLACES = 4  # of what a short rule costs


@click.command()
@settings_options()
@digits_option(DIGITS, 10_000)
@click.option("--exact", is_flag=True, help="Find fractions even where they take longer than the solution.")
@click.option(
    "--values",
    "bare",
    is_flag=True,
    help="Say only what the game is worth: leave out the strategy, which takes longer.",
)
@click.option(
    "--list",
    "as_list",
    is_flag=True,
    help="Print only a short list of decisions, as a policy to paste into the ruleset, with what it costs.",
)
@json_option("Print the result as JSON, with all fractions.")
@click.option(
    "--certificate",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Also write a certificate, which certify checks (FILE.gz: packed).",
)
@spreading_options
@symbol_options
def solve(  # noqa: PLR0913, PLR0917 - the options of the command
    digits: int,
    exact: bool,
    bare: bool,
    as_list: bool,
    as_json: bool,
    certificate: Path | None,
    distributions: tuple[str, ...],
    turns: int | None,
    symbol: str | None,
    break_even: bool,
    **given: Any,
) -> int:
    """Solve a game: say what it is worth to every seat, and what best play does.

    \b
    Example:
      oddsmith solve rogues-gambit --seats 2
    """
    settings = settings_of(**given)
    if as_list and (bare or as_json or certificate or distributions or turns or break_even or symbol is not None):
        raise click.UsageError("--list prints a list and nothing else: leave out the rest")
    if symbol is not None:
        if certificate or distributions or turns or break_even:
            raise click.UsageError("--symbol gives formulas only: leave it out to ask for the rest")
        return solve_open(settings, symbol, digits, as_json)
    answered = solved(settings, digits, exact or as_json or certificate is not None)
    if as_list:
        return _show_list(answered)
    if certificate is not None:
        with progress() as report:
            data = answered.certificate(certificate, report=report)
        click.echo(f"certificate: {certificate}, {len(data):,} bytes", err=True)
    for name, why in answered.unanswered.items():
        click.echo(f"{name}: {why}", err=True)
    whole, stopped = spreads(answered, distributions, turns)
    pays = answered.break_even() if break_even else []
    if as_json:
        more = {"break_even": [each.to_json() for each in pays]} if break_even else {}
        told = {} if bare else _told(answered, digits)
        print_json({**answered.to_json(digits), **told, **spreads_json(whole, stopped, digits), **more})
        return 0
    _show(answered, digits)
    if not bare:
        _show_answer(answered, digits)
        for line in answered.outline().lines(PLACES):
            click.echo(line)
    show_spreads(whole, stopped, digits, answered.game.ruleset)
    show_break_evens(pays)
    return 0


def _show_list(answered: SolvedGame) -> int:
    """The short list as YAML, with what it costs in comments."""
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


def _show(answered: SolvedGame, digits: int) -> None:
    """What the game is worth, what its ruleset asks for, its size, and what was proved."""
    from oddsmith.report.facts import kind_words, only_words

    solution, game = answered.solution, answered.game
    seats = plural(game.seats, "seat")
    click.echo(f"{game.ruleset.title}, {seats}, {solution.graph.objective} ({solution.grade})")
    for seat, value in enumerate(solution.values):
        click.echo(f"  {game.ruleset.seat(seat)}: {value.decimal(digits)}{fraction_note(value)}")
    for name, number in answered.measures.items():
        mean = f"mean {answered.means[name].decimal(digits)}, standard deviation " if name in answered.means else ""
        asked = f"{name}{only_words(game.ruleset.measures[name])}"
        click.echo(f"  {asked}: {mean}{number.decimal(digits)}{fraction_note(number)}")
    graph = solution.graph
    sizes = {"position": graph.states, "decision": graph.decisions, "transition": len(graph.target)}
    click.echo(", ".join(plural(number, what) for what, number in sizes.items()))
    if solution.methods:
        shown = ", ".join(f"{count:,} by {method}" for method, count in solution.methods.items())
        click.echo(f"components with cycles: {shown}")
    click.echo(f"{kind_words(solution).line}{_proof(solution)}")
    if game.seats == 2 and solution.kind in ("symmetric", "pure-by-seat", "mixed"):
        click.echo("note: what the two seats get does not always add up to the same")
    for note in solution.notes:
        click.echo(f"note: {note}")
    if solution.unasked:
        click.echo("note: the fractions of the values take longer than this: ask for them with --exact")


def _told(answered: SolvedGame, digits: int) -> dict[str, Any]:
    """What is left out where only values are asked for: the strategy, and what a best answer gains."""
    answer = _answer(answered)
    gained = {} if answer is None else {"best_answer": answer.to_json(digits)}
    return {"strategy": answered.outline().to_json(), **gained}


def _answer(answered: SolvedGame) -> BestResponse | None:
    with progress() as report:
        return answered.best_answer(report)


def _show_answer(answered: SolvedGame, digits: int) -> None:
    """What a seat gains that alone may choose how to play."""
    answer = _answer(answered)
    if answer is None:
        return
    told = "the usual best play mixes actions, or may never end against these"
    if answer.usual is not None and answer.gain is not None:
        gain = "as much" if answer.gain.upper == 0 else f"{answer.gain.decimal(digits)} less"
        told = f"the usual best play gets {gain}: {answer.usual.decimal(digits)}"
    seat = answered.game.ruleset.seat(answer.seat - 1)
    click.echo(f"best answer of {seat}: {answer.value.decimal(digits)}; {told}")


def fraction_note(value: Number) -> str:
    """What stands behind a decimal: the fraction where it is short, else its length, or a note that it is proven."""
    if value.exact is None:
        return "  (proven)"
    text = fraction_text(value.exact)
    if "/" not in text:
        return ""
    return f"  = {text}" if len(text) <= LONG else f"  (a fraction of {sum(map(str.isdigit, text)):,} digits: --json)"


def _proof(solution: Solution) -> str:
    open_ = len(solution.solved.undecided)
    if open_:
        return f"; in {plural(open_, 'position')} two actions are too close to tell apart"
    if len(solution.named) == solution.graph.seats:
        return "; there was no decision to prove"
    ties = f"; {plural(solution.ties, 'tie matters', 'ties matter')} to others" if solution.ties else ""
    whose = " of the other seats" if solution.named else ""
    return f"; every decision{whose} is proved{ties}"


@click.command()
@settings_options()
@click.option(
    "--state",
    "state",
    default="",
    metavar="NAME=VALUE,...",
    help="The position. A variable that you leave out is at its start.",
)
@KEPT
@digits_option(6, 70)
@json_option("Print the answer as JSON.")
def advise(state: str, store: Path | None, digits: int, as_json: bool, **given: Any) -> int:
    """Say what each action is worth in a position, and what the worse ones cost.

    Seats count from the player to move, so purse[1] is that player's. Where several phases have a choice, name one with
    phase=NAME. A game that stages --store has solved is not solved again: --store names the same folder.

    \b
    Example:
      oddsmith advise rogues-gambit --seats 4 --state hoard=60,stash=20
    """
    settings = settings_of(**given)
    if store is None:
        answered = solved(settings)
        asked, actions = answered.position(state), list(answered.advise(state))
        mixes = asked.number in answered.solution.mixtures
        chances: Mapping[str, Number] = answered.policy.chances(state) if mixes else {}
    else:
        asked, actions, chances = advised(kept(settings, store), state)
    if as_json:
        print_json(advice_json(asked.shown, actions, digits, chances))
        return 0
    for line in advice_lines(asked.words, actions, digits, chances):
        click.echo(line)
    return 0


@click.command()
@settings_options(objective=False, policies=False, several=True)
@click.option("--expected", is_flag=True, help="Fail only where a verdict differs from the recorded one.")
@store_option("Folder where `publish` keeps answers.")
@json_option("Print the verdicts as JSON.")
def verify(rulesets: tuple[str, ...], expected: bool, store: Path | None, as_json: bool, **given: Any) -> int:
    """Verify the odds that rulesets quote, whether published or counted by hand.

    Without a RULESET it verifies all shipped ones. A claim may name a game of its own. All other claims are compared with the
    game at the settings that you give. The exit code is 1 when a claim is wrong.

    \b
    Example:
      oddsmith verify rogues-gambit --expected
    """
    from oddsmith.base.files import shipped

    failed = False
    results = []
    for name in rulesets or shipped():
        book = LoadedRuleset.open(name)
        settings = settings_of(name, **given)
        verdicts = book.verify(settings.seats, settings.variants, store, **settings.keywords)
        failed = failed or any(not v.expected if expected else not v.right for v in verdicts)
        results.append(
            {
                "ruleset": {"id": book.ruleset.id, "sha256": book.sha256},
                "claims": [v.to_json() for v in verdicts],
            }
        )
        if not as_json:
            _show_verdicts(book.ruleset.title, verdicts)
    if as_json:
        print_json(results[0] if len(results) == 1 else results)
    return int(failed)


def _show_verdicts(title: str, verdicts: list[Verdict]) -> None:
    """What others published first, then what was counted by hand."""
    from oddsmith.report.facts import NOUNS

    if not verdicts:
        click.echo(f"{title}: no claims to verify")
    for origin, nouns in NOUNS.items():
        of_origin = [each for each in verdicts if each.claim.origin == origin]
        if of_origin:
            click.echo(f"{title}: {plural(len(of_origin), *nouns)}")
        for verdict in of_origin:
            _show_verdict(verdict)


def _show_verdict(verdict: Verdict) -> None:
    data = verdict.to_json()
    exact = f" = {data['exact']}" if data["exact"] and "/" in data["exact"] and len(data["exact"]) <= LONG else ""
    mark = "right" if verdict.right else "WRONG"
    click.echo(f"  {mark}  {verdict.claim.quote}")
    click.echo(f"         computed {data['decimal']}{exact}, off by {data['off_by']}; {verdict.how}")
    if verdict.edge:
        click.echo("         the computed value is exactly at the edge of what rounds to the stated one")
    if verdict.claim.note:
        click.echo(f"         {verdict.claim.note.strip()}")
    if not verdict.expected:
        recorded = "right" if verdict.claim.right else "wrong"
        click.secho(f"         the ruleset records this claim as {recorded}", fg="red")
