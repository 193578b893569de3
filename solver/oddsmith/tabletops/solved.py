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
    RollTableSource,
    author_table_sources,
    exact_roll_tables,
    omitted_table_sentences,
    one_die_table_source,
)
from oddsmith.tabletops.shared import refuse_secrets_a_tabletop_cannot_keep


def answers_with_too_large_tables(account: RulesetAnswers, max_table_bytes: int) -> list[Answer]:
    """Return the answers whose table of best play has more than ``max_table_bytes`` bytes."""
    return [
        each
        for each in playable_answers(account)
        if each.policy_and_value_tables and len(each.policy_and_value_tables[0]) > max_table_bytes
    ]


def virtual_tabletop_files(account: RulesetAnswers, omitted_slugs: Collection[str] = ()) -> dict[str, bytes]:
    """Return the files with which a virtual tabletop plays a game, by path below ``games/``.

    They are the files of the game's page on a site, without the data of the trainer. ``omitted_slugs``: the slugs of
    settings whose tables of best play are left out. In these settings, as in an unsolved game, non-players play by
    policies of the ruleset. Raises UnplayableError.
    """
    rules = account.ruleset
    refuse_secrets_a_tabletop_cannot_keep(rules)
    files = play_files(account, omitted_slugs, with_training=False)
    if not files:
        reason = account.main.failure or "it has too many positions for a table"
        raise UnplayableError(f"{rules.id} cannot be played at a table: {reason}")
    return {f"games/{rules.id}/{name}": data for name, data in files.items()}


def roll_tables(account: RulesetAnswers) -> list[RollTable]:
    """Return all roll tables of a game. Distributions that no dice have are left out."""
    return exact_roll_tables(account.ruleset, _table_sources(account))


def omitted_distribution_sentences(account: RulesetAnswers) -> list[str]:
    """Return a sentence for each distribution that has no roll table, with the reason."""
    return omitted_table_sentences(_table_sources(account))


def _table_sources(account: RulesetAnswers) -> Iterator[RollTableSource]:
    yield from author_table_sources(account.main.game)
    for number, each in enumerate(account.main.chance_tables, 1):
        yield _outcomes_table_source(number, each)
    main = account.main
    known = main.distributions
    if known.length:
        yield _distribution_table_source("How long a game lasts", "length", known.length, f"{{}} {known.unit}")
    if known.payoff:
        yield _distribution_table_source(
            f"What a game brings {main.game.ruleset.seat_name(0)}",
            "payoff",
            known.payoff,
            f"{{}} {main.unit.name}".strip(),
        )
    yield from _bet_table_sources(account)
    for answer in account.plain:
        yield from _mixed_action_table_sources(answer)


# --- chance and play


def _outcomes_table_source(number: int, chance_table: ChanceTable) -> RollTableSource:
    """Return the source of a roll table of the outcomes of a roll. ``number``: the number of the roll in the game, from
    1.
    """
    name = capital(plain_name(chance_table.phase))
    when = f", {chance_table.when}" if chance_table.when else ""
    dice = f" ({chance_table.dice})" if chance_table.dice else ""
    results = tuple((event.name or "anything", event.chance) for event in chance_table.events)
    about = f"What {name}{dice} leads to{when}, with the exact chances."
    return one_die_table_source(f"chances-{number}", f"{name}{when}", about, results)


def _distribution_table_source(
    title: str, slug: str, distribution: Distribution, line_template: str
) -> RollTableSource:
    """Return the source of a roll table of a number at the end of a game, such as its length.

    ``distribution``: the distribution of the number. ``line_template``: the text of a line, with ``{}`` in place of the
    number.
    """
    about = f"{title}, under best play, with the exact chances."
    if distribution.beyond.upper > 0:
        return one_die_table_source(slug, title, about, (), "there is no greatest number that it can reach")
    if distribution.grade != "exact":
        return one_die_table_source(
            slug, title, about, (), "its chances are proven within bounds, and not known as fractions"
        )
    results = tuple(
        (line_template.replace("{}", each.name), each.chance.lower)
        for each in distribution.outcomes
        if each.chance.lower
    )
    return one_die_table_source(slug, title, about, results)


def _bet_table_sources(account: RulesetAnswers) -> Iterator[RollTableSource]:
    """Yield the sources of roll tables of what a bet pays, one for each objective with which the game is a bet."""
    for answer in (account.main, *account.objectives):
        if answer.wager:
            what = plain_name(answer.setting.objective)
            yield _distribution_table_source(f"A bet on {what}", f"bet-{answer.slug}", answer.wager.law, "pays {}")


def _mixed_action_table_sources(answer: Answer) -> Iterator[RollTableSource]:
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
        yield one_die_table_source(f"mixed-{answer.slug}-{each.number}", title, about, exact, why)
