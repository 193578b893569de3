"""The content of a module about a solved game: the files to play it, and its journal of odds and best play.

``self_test_games_data`` returns short games with the proven action of every decision, with which a module tests itself
in Foundry.

Such a game is a transcript (docs/reference/transcripts.md) with two additional keys. ``setting``: the slug of its
setting. ``best``: for each choice in order, the index of the proven action among the legal actions. It is null if there
is only one action, if best play mixes actions, or if the table of best play has no entry.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any

from oddsmith.base.files import recompressed_gzip
from oddsmith.publish.markup import Html, amount_text, cell, column_header, row_header, table, tag
from oddsmith.publish.pages import playable_answers, random_table_odds_html
from oddsmith.publish.sections import (
    FIRST_TURN,
    asked_measures_html,
    bets_html,
    chances_html,
    cheats_html,
    claims_html,
    claims_title,
    estimate_reliability_text,
    estimated_games_html,
    exact_values_html,
    example_turn_html,
    house_rules_table,
    key_facts_html,
    line_to_remember,
    other_secret_settings_html,
    page_head_html,
    policies_table_html,
    proof_method_html,
    roll_or_stop_formulas_html,
    seat_values_html,
    secret_key_facts_html,
    secret_method_html,
    secret_page_head_html,
    secret_seat_values_html,
    secret_strategy_html,
    short_strategy_html,
    solved_games_note,
)
from oddsmith.report.answers import Answer, RulesetAnswers, SecretAnswer
from oddsmith.report.english import capital, plain_name, player_count_words, sentence
from oddsmith.report.export import MAX_PLAYS_BYTES, PLAYS_PER_SETTING, played_transcript
from oddsmith.report.facts import Unit
from oddsmith.report.policy import Opponent
from oddsmith.ruleset import Game
from oddsmith.ruleset.model import Origin
from oddsmith.tabletops.foundry.documents import GameContent, JournalPage, Known
from oddsmith.tabletops.foundry.journal import roll_tables_list_html, rules_pages, static_journal_page
from oddsmith.tabletops.roll_tables import author_table_sources, missing_table_notes
from oddsmith.tabletops.shared import generator_name
from oddsmith.tabletops.solved import (
    answers_with_too_large_tables,
    omitted_distribution_sentences,
    roll_tables,
    virtual_tabletop_files,
)

APART = "The table of best play is too large for a module of many games. The module of the game alone has it, and its advisor."


def self_test_games_data(account: RulesetAnswers, omitted_slugs: Collection[str] = ()) -> list[dict[str, Any]]:
    """Return games with which a module tests itself, as plain data: a few for every setting that has a table of best
    play.

    The same rules give the same games. ``omitted_slugs``: the slugs of settings whose table is not in the module.
    """
    answers = [each for each in playable_answers(account) if each.slug not in omitted_slugs]
    share = MAX_PLAYS_BYTES // (PLAYS_PER_SETTING * max(1, len(answers)))
    plays = []
    for answer in answers:
        for number, known in enumerate(answer.proven_plays):
            place = iter(known)
            plays.append(
                played_transcript(answer.game, answer.slug, number, share, lambda *_, place=place: next(place))
            )
    return plays


MAX_DECISION_ROWS = 200  # of the tables of one decision; what is longer stands in the module's table of play only
MAX_DISTRIBUTION_VALUES = 40  # of a distribution
ORIGINS: tuple[Origin, ...] = ("published", "counted")
PAGES = {
    "odds": "In short",
    "strategy": "Best play",
    "players": "Seats, opponents and stakes",
    "chances": "Chances and roll tables",
    "method": "How sure the numbers are",
}
"""The titles of the pages of the journal by slug, in their order."""


def solved_game_content(account: RulesetAnswers, max_table_bytes: int | None = None) -> GameContent:
    """Return the content of a module about a game with its odds, or with estimates if the game is too large to be
    solved.

    ``max_table_bytes``: the greatest size in bytes of a table of best play; larger tables are left out. None includes
    all tables. Raises UnplayableError if the game cannot be played at a table.
    """
    large = [] if max_table_bytes is None else answers_with_too_large_tables(account, max_table_bytes)
    without = [each.slug for each in large]
    if max_table_bytes is not None:  # of games with secrets, a module of several games has the usual setting
        account = replace(account, secrets=(account.main_secret_answer,) if account.main_secret_answer else ())
    known: Known = (
        "solved" if account.main_secret_answer or account.main.result or playable_answers(account) else "estimated"
    )
    found = virtual_tabletop_files(account, without)
    return GameContent(
        account.ruleset,
        known,
        {name: recompressed_gzip(data) if name.endswith(".gz") else data for name, data in found.items()},
        tuple(rules_pages(account.main.game, known)),
        tuple(odds_pages(account, without)),
        tuple(roll_tables(account)),
        tuple(self_test_games_data(account, without)),
        (*map(_too_large_note, large), *missing_table_notes(author_table_sources(account.main.game))),
    )


def _too_large_note(answer: Answer) -> str:
    assert answer.policy_and_value_tables is not None
    changes = answer.setting.changes_in_words(answer.game.ruleset.parameters)
    where = ", ".join([player_count_words(answer.setting.seats), *changes])
    size = len(answer.policy_and_value_tables[0])
    return f"the table of best play for {where} has {size:,} bytes: the module of this game alone has it"


def odds_pages(account: RulesetAnswers, omitted_slugs: Collection[str] = ()) -> list[JournalPage]:
    """Return the pages of the journal of odds, in the order of ``PAGES``, without the empty ones. A game master may
    hide this journal from the players.

    ``omitted_slugs``: the slugs of settings whose table of best play is not in the module.
    """
    if account.main_secret_answer:
        parts = _secret_parts(account, account.main_secret_answer)
    else:
        short = [page_head_html(account), key_facts_html(account, "")]
        parts = (
            short,
            _strategy_html(account, omitted_slugs),
            _payoff_and_bet_tables(account),
            _chances_html_parts(account),
            _method_parts(account),
        )
    titled = zip(PAGES.items(), parts, strict=True)
    pages = [static_journal_page(slug, title, found) for (slug, title), found in titled]
    return [page for page in pages if page.html]


def _secret_parts(account: RulesetAnswers, answer: SecretAnswer) -> tuple[list[Html], ...]:
    """Return the parts of each page of the journal of odds of a game with secrets, in the order of ``PAGES``."""
    players = [*secret_seat_values_html(answer), *_odds_by_opponent_tables(answer.game, answer.unit, answer.opponents)]
    tables = list(roll_tables_list_html(roll_tables(account), omitted_distribution_sentences(account)))
    method = [*_claim_parts(account), *secret_method_html(answer), tag("p", f"Computed by {generator_name()}.")]
    play = [*secret_strategy_html(answer), *other_secret_settings_html(account)]
    return [secret_page_head_html(answer), secret_key_facts_html(account, answer, "")], play, players, tables, method


# --- the pages


def _strategy_html(account: RulesetAnswers, omitted_slugs: Collection[str]) -> list[Html]:
    """Return the page on best play: each decision of the main setting, and a line for every other setting."""
    main = account.main
    if main.result is None:
        return []
    return [
        *solved_games_note(account),
        *_strategy_tables(account, main, main.slug not in omitted_slugs),
        *policies_table_html(main),
        *roll_or_stop_formulas_html(main.roll_or_stop_rules),
        *_odds_tables_by_setting(account, omitted_slugs),
    ]


def _payoff_and_bet_tables(account: RulesetAnswers) -> list[Html]:
    """Return the page on values to seats, by settings and opponents, and on bets."""
    estimates = estimated_games_html(account)
    main = account.main
    known = main.opponents if main.result and main.strategies else ()
    parts = [
        *seat_values_html(account),
        *_odds_by_opponent_tables(main.game, main.unit, known, with_pot=not main.is_played_for_coins),
        *bets_html(account),
        *([tag("h3", "Cheats"), *cheats] if (cheats := cheats_html(account)) else []),
    ]
    parts += [house_rules_table(account)] if account.changed and account.main.result else []
    return [*parts, *([tag("h3", "Estimated"), *estimates] if estimates else [])]


def _chances_html_parts(account: RulesetAnswers) -> list[Html]:
    """Return the page on the outcomes of rolls, with an example turn and the roll tables."""
    main = account.main
    parts = list(roll_tables_list_html(roll_tables(account), omitted_distribution_sentences(account)))
    turn = example_turn_html(main)
    if main.result:
        parts = [*chances_html(main), *random_table_odds_html(main.game), *_distribution_tables(main), *parts]
    return [*([tag("h3", "A turn, as it happened"), *turn] if turn else []), *parts]


def _claim_parts(account: RulesetAnswers) -> list[Html]:
    """Return the verdicts on published and counted odds."""
    titled = ((claims_title(account, origin), claims_html(account, origin)) for origin in ORIGINS)
    return [part for title, found in titled if found for part in (tag("h3", title), *found)]


def _method_parts(account: RulesetAnswers) -> list[Html]:
    """Return the page on reliability: answers to the ruleset's questions, verdicts on published and counted odds, the
    exact values, and how they were found.
    """
    measures = list(asked_measures_html(account.main)) if account.main.result else []
    parts = [*([tag("h3", "More answers"), *measures] if measures else []), *_claim_parts(account)]
    if opening := account.opening_estimate:
        parts += [tag("h3", "How the estimates were made"), tag("p", estimate_reliability_text(opening))]
    if account.main.result:
        parts += [
            tag("h3", "The exact values"),
            tag(
                "p",
                "Exact numbers are fractions. Proven ones lie between two fractions that agree in every digit shown.",
            ),
            *exact_values_html(account),
            tag("h3", "How these numbers were computed"),
            tag("p", f"Computed by {generator_name()}."),
            *proof_method_html(account, ""),
        ]
    elif account.main.failure:
        parts.append(tag("p", sentence(account.main.failure)))
    return parts


def _odds_tables_by_setting(account: RulesetAnswers, omitted_slugs: Collection[str]) -> Iterator[Html]:
    """Yield a note on settings whose tables of best play are left out, and a table of the solved settings with a line
    on best play in each, if there are several.
    """
    rows = [
        [
            row_header(capital(account.difference_words(answer))),
            cell(player_count_words(answer.setting.seats)),
            cell(line_to_remember(answer)),
        ]
        for answer in account.answers
        if answer.result
    ]
    if omitted_slugs:
        known = [
            capital(account.difference_words(answer)) for answer in account.answers if answer.slug in omitted_slugs
        ]
        yield tag("p", f"{APART} This is so for: {'; '.join(known)}.")
    head = [column_header(text) for text in ("rules", "players", "best play in a line")]
    if len(rows) > 1:
        yield table("Settings that were solved.", head, rows)


def _odds_by_opponent_tables(
    game: Game, unit: Unit, opponents: Sequence[Opponent], *, with_pot: bool = False
) -> Iterator[Html]:
    """Yield a table of the opponents that the module offers at the main setting, and their payoffs in each seat.
    ``with_pot``: whether to add the chance to win the pot.
    """
    if not opponents:
        return
    seats = range(game.seats)
    head = [column_header("plays a seat"), *(column_header(f"as {game.ruleset.seat_name(seat)}") for seat in seats)]
    rows = [
        [
            row_header(each.title),
            *(cell(_payoff_words(unit, each, seat, with_pot) if each.values else "not computed") for seat in seats),
        ]
        for each in opponents
    ]
    alone = "" if len(seats) == 1 else " while everybody else plays best"
    words = f"The opponents that the module offers with {player_count_words(len(seats))}, and what each gets{alone}."
    yield table(words, head, rows)


def _payoff_words(unit: Unit, opponent: Opponent, seat: int, with_pot: bool) -> str:
    found = [f"{amount_text(unit, opponent.values[seat])} ({opponent.values[seat].grade})"]
    if opponent.wins and with_pot:
        found.append(f"{opponent.wins[seat].percent(2)} of the pot ({opponent.wins[seat].grade})")
    return ", ".join(found)


def _distribution_tables(answer: Answer) -> Iterator[Html]:
    """Yield tables of the distributions of the length of a game and of its payoff."""
    known = answer.distributions
    for words, unit, law in (
        ("How long a game lasts", known.unit, known.length),
        (f"What a game brings {answer.game.ruleset.seat_name(0)}", answer.unit.name, known.payoff),
    ):
        if law is None or len(law.outcomes) > MAX_DISTRIBUTION_VALUES:
            continue
        head = [column_header(unit), column_header("chance"), column_header("this or less")]
        rows = [
            [row_header(each.name), cell(each.chance.percent(2)), cell(each.at_most.percent(2) if each.at_most else "")]
            for each in law.outcomes
        ]
        rest = f" Everything beyond has a chance of {law.beyond.percent(2)}." if law.beyond.upper else ""
        yield table(f"{words}, under best play ({law.grade}).{rest}", head, rows)


def _strategy_tables(account: RulesetAnswers, answer: Answer, with_advice: bool) -> Iterator[Html]:
    """Yield the description of best play in each phase. Tables that are too long to read are left out. ``with_advice``:
    whether the module has the table of best play, which the advisor needs.
    """
    if not answer.strategies:
        return
    if answer.covers_first_turn_only:
        yield tag("p", FIRST_TURN)
    for strategy in answer.shown_strategies:
        if len(answer.strategies) > 1:
            yield tag("h3", capital(plain_name(strategy.phase)))
        parts = short_strategy_html(strategy)
        if sum(part.count("<tr") for part in parts) <= MAX_DECISION_ROWS:
            yield from parts
        else:
            yield tag("p", "The table of this decision is too long for a page.")
    if answer.mixed_positions:
        yield tag(
            "p", "In some positions best play decides by chance between several actions. A table names one of them."
        )
    if not with_advice:
        return
    known = f"The advisor at the table knows the best action in all {answer.decision_count:,} positions with a choice"
    file = f"the module's games/{account.ruleset.id}/play"
    if answer.covers_first_turn_only:
        yield tag("p", f"{known}: it works a turn out from {file}.")
    else:
        yield tag("p", f"{known}, from {file}. ", tag("code", "oddsmith export"), " writes them as text.")
