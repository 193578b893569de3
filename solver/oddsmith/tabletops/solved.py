"""Data about a solved game for virtual tabletops: the files to play it, and roll tables of its chances and its best
play.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from oddsmith.base.distributions import Distribution
from oddsmith.base.errors import UnplayableError
from oddsmith.publish.pages import play_files, playable_answers
from oddsmith.report.answers import Answer, RulesetAnswers
from oddsmith.report.english import capital, plain_name, player_count_words
from oddsmith.report.facts import ChanceTable
from oddsmith.tabletops.roll_tables import (
    RollTable,
    TableSource,
    authors_tables,
    exact_tables,
    omitted_tables,
    table_source,
)
from oddsmith.tabletops.shared import refuse_open_secrets


def answers_too_large(account: RulesetAnswers, most: int) -> list[Answer]:
    """Return the answers whose table of best play has more than ``most`` bytes."""
    return [
        each
        for each in playable_answers(account)
        if each.policy_and_value_tables and len(each.policy_and_value_tables[0]) > most
    ]


def table_files(account: RulesetAnswers, without: Collection[str] = ()) -> dict[str, bytes]:
    """Return the files with which a virtual tabletop plays a game, by path below ``games/``.

    They are the files of the game's page on a site, without the data of the trainer. ``without``: the slugs of settings
    whose tables of best play are left out. In these settings, as in an unsolved game, non-players play by policies of
    the ruleset. Raises UnplayableError.
    """
    rules = account.ruleset
    refuse_open_secrets(rules)
    files = play_files(account, without, with_training=False)
    if not files:
        reason = account.main.failure or "it has too many positions for a table"
        raise UnplayableError(f"{rules.id} cannot be played at a table: {reason}")
    return {f"games/{rules.id}/{name}": data for name, data in files.items()}


def roll_tables(account: RulesetAnswers) -> list[RollTable]:
    """Return all roll tables of a game. Distributions that no dice have are left out."""
    return exact_tables(account.ruleset, _table_sources(account))


def omitted_distributions(account: RulesetAnswers) -> list[str]:
    """Return a sentence for each distribution that has no roll table, with the reason."""
    return omitted_tables(_table_sources(account))


def _table_sources(account: RulesetAnswers) -> Iterator[TableSource]:
    yield from authors_tables(account.main.game)
    for number, each in enumerate(account.main.chance_tables, 1):
        yield _outcomes_source(number, each)
    main = account.main
    known = main.distributions
    if known.length:
        yield _distribution_source("How long a game lasts", "length", known.length, f"{{}} {known.unit}")
    if known.payoff:
        yield _distribution_source(
            f"What a game brings {main.game.ruleset.seat_name(0)}",
            "payoff",
            known.payoff,
            f"{{}} {main.unit.name}".strip(),
        )
    yield from _bet_sources(account)
    for answer in account.plain:
        yield from _mixture_sources(answer)


# --- chance and play


def _outcomes_source(number: int, each: ChanceTable) -> TableSource:
    """Return the source of a roll table of the outcomes of a roll. ``number``: the number of the roll in the game, from
    1.
    """
    name = capital(plain_name(each.phase))
    when = f", {each.when}" if each.when else ""
    dice = f" ({each.dice})" if each.dice else ""
    results = tuple((event.name or "anything", event.chance) for event in each.events)
    about = f"What {name}{dice} leads to{when}, with the exact chances."
    return table_source(f"chances-{number}", f"{name}{when}", about, results)


def _distribution_source(title: str, slug: str, known: Distribution, words: str) -> TableSource:
    """Return the source of a roll table of a number at the end of a game, such as its length.

    ``known``: the distribution of the number. ``words``: the text of a line, with ``{}`` in place of the number.
    """
    about = f"{title}, under best play, with the exact chances."
    if known.beyond.upper > 0:
        return table_source(slug, title, about, (), "there is no greatest number that it can reach")
    if known.grade != "exact":
        return table_source(slug, title, about, (), "its chances are proven within bounds, and not known as fractions")
    results = tuple((words.replace("{}", each.name), each.chance.lower) for each in known.outcomes if each.chance.lower)
    return table_source(slug, title, about, results)


def _bet_sources(account: RulesetAnswers) -> Iterator[TableSource]:
    """Yield the sources of roll tables of what a bet pays, one for each objective with which the game is a bet."""
    for answer in (account.main, *account.objectives):
        if answer.wager:
            what = plain_name(answer.setting.objective)
            yield _distribution_source(f"A bet on {what}", f"bet-{answer.slug}", answer.wager.law, "pays {}")


def _mixture_sources(answer: Answer) -> Iterator[TableSource]:
    """Yield the source of a roll table of actions for each position in which best play mixes actions."""
    for each in answer.mixed_positions:
        title = f"Best play, {player_count_words(answer.setting.seats)}: {each.where}"
        about = "Best play chooses by chance here. Variables are listed from the seat to move."
        known = [
            (answer.option_words(action), chance.exact)
            for action, chance in zip(each.actions, each.chances, strict=True)
        ]
        exact = tuple((action, chance) for action, chance in known if chance is not None)
        exact = exact if len(exact) == len(known) else ()
        why = "" if exact else "its chances are proven within bounds, and not known as fractions"
        yield table_source(f"mixed-{answer.slug}-{each.number}", title, about, exact, why)
