"""The page of a game: the line to remember, the first questions of visitors, how to play, and all other sections, which
are folded by theme.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from oddsmith.publish.charts.bars import draw_bars, draw_comparison
from oddsmith.publish.charts.lines import next_roll_risk_chart, rule_risk_chart, rule_value_chart, turn_lost_chart
from oddsmith.publish.markup.html import Html, esc, front_matter, join_html, prose_html, tag
from oddsmith.publish.markup.numbers import amount_text, loss_text_with_unit, text_with_short_numbers
from oddsmith.publish.pages.downloads import certificates_html, downloads_html, secret_certificates_html
from oddsmith.publish.pages.playing import play_html
from oddsmith.publish.pages.rules import random_tables_html, rules_html, short_rules_html
from oddsmith.publish.sections.chances import asked_measures_html, chances_html, roll_or_stop_formulas_html
from oddsmith.publish.sections.claims import claims_html, claims_title, proof_method_html
from oddsmith.publish.sections.estimated import estimated_games_html, solved_games_note
from oddsmith.publish.sections.example import example_turn_html
from oddsmith.publish.sections.first_screen import key_facts_html, line_to_remember, page_head_html
from oddsmith.publish.sections.secrets import (
    other_secret_settings_html,
    secret_key_facts_html,
    secret_method_html,
    secret_page_head_html,
    secret_seat_values_html,
    secret_strategy_html,
)
from oddsmith.publish.sections.simple_rules import policies_table_html
from oddsmith.publish.sections.stakes import all_seat_values_html, bets_html, cheats_html, house_rules_table
from oddsmith.publish.sections.strategy import strategy_html
from oddsmith.report.answers import Answer, RulesetAnswers, SecretAnswer
from oddsmith.report.english import capital, player_count_words, sentence
from oddsmith.report.facts import NOUNS, RollOnRisk
from oddsmith.report.policy import Opponent
from oddsmith.ruleset.model import Ruleset

ON_PAPER = ("strategy", "rules", "tables", "author", "published-odds", "counted-odds", "chances")
"""The anchors of the sections that are printed: those that players need at a table."""

FIGURES = ("seats", "method")
"""The anchors of the sections that the search leaves out: numbers, and words that occur on the page of every game. The
theme's search takes an excluded element to end at the first end tag of its name. Therefore it is a ``section``, which
contains no other ``section``.
"""


PICTURE = "picture.png"
"""The name of the picture in the game's folder that programs show with a link to the game."""

SEARCH_BOOST = 8
"""The weight of the page of a game in the search. Other pages have the weight 1."""


def game_page(
    account: RulesetAnswers,
    downloads: Mapping[str, bytes],
    grades_url: str = "",
    further_links: Mapping[str, str] | None = None,
    all_games_module_url: str = "",
) -> bytes:
    """Return the page of a game as Markdown.

    ``downloads``: the files in the folder of the game, by name. ``grades_url``: the address of the explanation of
    grades, empty if there is none. ``further_links``: the addresses of further pages by the text of their links.
    ``all_games_module_url``: the address of the Foundry module with all games of the site, if it has one.
    """
    if account.main_secret_answer:
        return secret_page(account, account.main_secret_answer, downloads, grades_url, further_links or {})
    main, rules = account.main, account.ruleset
    blocks: list[str] = [
        front_matter(rules.title, rules.summary, _search_names(rules), f"games/{rules.id}/{PICTURE}", SEARCH_BOOST),
        f"# {esc(rules.title)}",
        tag("p", rules.summary, cls="od-summary"),
        page_head_html(account),
        key_facts_html(account, grades_url or "#method"),
        tag("ul", *(tag("li", link) for link in _first_screen_links(further_links or {})), cls="od-doors od-screen"),
    ]
    told = account.opening_estimate.game if account.opening_estimate else main.game  # as the first screen
    short_rules = short_rules_html(told)
    exact = (
        "The rules, exactly" if short_rules else "The rules",
        "rules-exactly" if short_rules else "rules",
        rules_html(told),
    )
    begin: list[PageSection] = [
        ("What to do", "strategy", _strategies_html(account)),
        ("Play it, or ask", "play", play_html(account)),
        ("The rules", "rules", short_rules) if short_rules else exact,
    ]
    blocks += [block for part in begin for block in _section_with_heading(*part)]
    for theme, parts in _folded_sections_by_theme(
        account, exact if short_rules else None, downloads, grades_url, all_games_module_url
    ).items():
        inner = [block for part in parts for block in _section_with_heading(*part)]
        if inner:
            shown = any(part[2] and part[1] in ON_PAPER for part in parts)
            blocks += [
                f'<details class="od-theme{"" if shown else " od-screen"}" markdown="1">',
                f"<summary>{theme}</summary>",
            ]
            blocks += [*inner, "</details>"]
    return ("\n\n".join(block for block in blocks if block) + "\n").encode()


def secret_page(
    account: RulesetAnswers,
    answer: SecretAnswer,
    downloads: Mapping[str, bytes],
    grades_url: str,
    further_links: Mapping[str, str],
) -> bytes:
    """Return the page of a game with secrets as Markdown. The parameters are as in ``game_page``."""
    rules = account.ruleset
    doors_html = _first_screen_links(further_links, bool(answer.plan))
    short_rules, exact = short_rules_html(answer.game), rules_html(answer.game)
    blocks: list[str] = [
        front_matter(rules.title, rules.summary, _search_names(rules), f"games/{rules.id}/{PICTURE}", SEARCH_BOOST),
        f"# {esc(rules.title)}",
        tag("p", rules.summary, cls="od-summary"),
        secret_page_head_html(answer),
        secret_key_facts_html(account, answer, grades_url or "#method"),
        tag("ul", *(tag("li", link) for link in doors_html), cls="od-doors od-screen"),
        *_section_with_heading("What to do", "strategy", secret_strategy_html(answer)),
        *_section_with_heading(
            "Other settings", "players", [*other_secret_settings_html(account), *estimated_games_html(account)]
        ),
        *_section_with_heading("Play it here", "play", play_html(account)),
        *_section_with_heading("The rules", "rules", short_rules or exact),
    ]
    folded: dict[str, list[PageSection]] = {
        "The rules in detail": [
            *([("The rules, exactly", "rules-exactly", exact)] if short_rules else []),
            ("From the author", "author", [prose_html(str(rules.data["prose"]))] if "prose" in rules.data else []),
        ],
        "Odds": [(claims_title(account, origin), f"{origin}-odds", claims_html(account, origin)) for origin in NOUNS],
        "What each seat is worth": [("What each seat is worth", "seats", secret_seat_values_html(answer))],
        "Proofs and downloads": [
            ("How sure this is", "method", secret_method_html(answer)),
            ("Check this proof here", "proof", secret_certificates_html(account)),
            ("Downloads and source", "downloads", downloads_html(account, downloads)),
        ],
    }
    for theme, parts in folded.items():
        inner = [block for part in parts for block in _section_with_heading(*part)]
        if inner:
            blocks += ['<details class="od-theme od-screen" markdown="1">', f"<summary>{theme}</summary>"]
            blocks += [*inner, "</details>"]
    return ("\n\n".join(block for block in blocks if block) + "\n").encode()


def _search_names(rules: Ruleset) -> list[str]:
    """Return other names of the game, by which the search finds its page."""
    source = str(rules.data.get("source", {}).get("title", ""))  # where other names of a game stand
    return [*([source] if source not in ("", rules.title) else []), *rules.data.get("publish", {}).get("keywords", [])]


def _first_screen_links(further_links: Mapping[str, str], is_playable: bool = True) -> list[Html]:
    """Return the links of the first screen: to the section in which to play, to further pages and to the card.
    ``further_links``: the addresses of further pages by the text of their links. ``is_playable``: whether the game can
    be played on the page.
    """
    here = [tag("a", "Play it here", href="#play")] if is_playable else []
    more = [tag("a", name, href=address) for name, address in further_links.items()]
    return [*here, *more, tag("a", "Print the table card", href="card.html")]


PageSection = tuple[str, str, list[Html]]
"""A section of a page: its heading, its anchor and its content."""


def _folded_sections_by_theme(
    account: RulesetAnswers,
    exact_rules_section: PageSection | None,
    downloads: Mapping[str, bytes],
    grades_url: str,
    all_games_module_url: str,
) -> dict[str, list[PageSection]]:
    """Return the folded sections of the page, by theme.

    ``exact_rules_section``: the section with the exact rules, None if it is not folded.
    """
    main, rules = account.main, account.ruleset
    author = [prose_html(str(rules.data["prose"]))] if "prose" in rules.data else []
    return {
        "The rules in detail": [
            *([exact_rules_section] if exact_rules_section else []),
            ("From the author", "author", author),
            ("Tables to roll on", "tables", random_tables_html(main.game)),
            ("A turn, as it happened", "example", example_turn_html(main)),
        ],
        "Odds": [
            *((claims_title(account, origin), f"{origin}-odds", claims_html(account, origin)) for origin in NOUNS),
            ("The chances of a roll", "chances", chances_html(main)),
            (
                "One more roll",
                "one-more",
                [*roll_risk_charts_html(main.roll_on_risks), *roll_or_stop_formulas_html(main.roll_or_stop_rules)],
            ),
            ("How games go", "pictures", pictures_html(main)),
            ("More answers", "answers", asked_measures_html(main)),
        ],
        "Ways of playing, and what they cost": [
            ("What a simple rule costs", "simple-rules", policies_table_html(main, rule_number_charts_html(main))),
            (
                "What the game is worth" if account.is_single_player else "What each seat is worth",
                "seats",
                all_seat_values_html(account),
            ),
            ("As a bet", "bet", bets_html(account)),
            ("Cheats", "cheats", cheats_html(account)),
            ("Played for something else", "objectives", _objectives_html(account)),
            ("House rules", "variants", _variants_html(account)),
        ],
        "Proofs and downloads": [
            ("How sure this is", "method", proof_method_html(account, grades_url)),
            ("Check this proof here", "proof", certificates_html(account)),
            ("Downloads and source", "downloads", downloads_html(account, downloads, all_games_module_url)),
        ],
    }


def _section_with_heading(heading: str, anchor: str, parts: list[Html]) -> list[str]:
    """Return the parts of a section with its heading; an empty list if it has no content."""
    if not parts:
        return []
    if anchor in ON_PAPER:
        return [f"## {heading} {{#{anchor}}}", *parts]
    return [
        f"## {heading} {{#{anchor} .od-screen}}",
        tag("section", join_html(parts, "\n"), cls="od-screen", data_search_exclude=anchor in FIGURES),
    ]


# --- games of one ruleset


def _strategies_html(account: RulesetAnswers) -> list[Html]:
    """Return the strategy for every number of seats. The strategy of the usual number is unfolded."""
    estimated = tag("div", *estimated_games_html(account), cls="od-counts") if account.estimates else esc("")
    if not any(answer.strategies or answer.failure for answer in account.plain):
        return [tag("p", "There is nothing to decide in this game: the dice do everything."), estimated]
    known = {each.setting for each in account.estimates}
    shown = [answer for answer in account.plain if answer.result or answer.setting not in known]
    plain = (
        _strategy_for_seat_count_html(answer, answer is account.main and not account.opening_estimate)
        for answer in shown
    )
    solved = [*solved_games_note(account), *([tag("div", *plain, cls="od-counts")] if shown else [])]
    counts = join_html([estimated, *solved] if account.opening_estimate else [*solved, estimated], "\n")
    scripts = {"data-od-map": "map.mjs", "data-od-slides": "slide.mjs"}
    used = [name for mark, name in scripts.items() if mark in counts]
    return [counts, *(tag("script", type="module", src=f"../../assets/{name}") for name in used)]


def _strategy_for_seat_count_html(answer: Answer, is_main_answer: bool) -> Html:
    words = player_count_words(answer.setting.seats)
    if answer.result is None:
        return tag("p", capital(f"{words}: {sentence(answer.failure)}"))
    return tag(
        "details",
        tag("summary", capital(f"{words}: "), tag("span", line_to_remember(answer))),
        strategy_html(answer, is_interactive=True),
        *_csv_link(answer),
        cls="od-seats od-main" if is_main_answer else "od-seats",
        data_od_setting=answer.slug,
        open=is_main_answer,
    )


def _csv_link(answer: Answer) -> list[Html]:
    if not answer.decision_count or answer.covers_first_turn_only:
        return []
    if not answer.has_decision_table:
        words = f"The table has {answer.decision_count:,} decisions, too many for a download. You can write it with "
        return [tag("p", words, tag("code", "oddsmith export"), ".", cls="od-screen")]
    name = f"{answer.slug}.csv"
    return [tag("p", tag("a", "Every position as a table", href=name, download=True), " (CSV)", cls="od-screen")]


def _objectives_html(account: RulesetAnswers) -> list[Html]:
    return [
        _folded_answer_html(
            account,
            answer,
            capital(f"{answer.setting.objective.replace('_', ' ')}, {player_count_words(answer.setting.seats)}"),
        )
        for answer in account.objectives
    ]


def _variants_html(account: RulesetAnswers) -> list[Html]:
    changed = [_folded_answer_html(account, answer, account.difference_words(answer)) for answer in account.changed]
    return [house_rules_table(account), *changed] if changed else []


def _folded_answer_html(account: RulesetAnswers, answer: Answer, setting_name: str) -> Html:
    """Return the folded answers about another setting of the ruleset. ``setting_name``: the name of the setting."""
    texts = [account.ruleset.variants[each].about for each in answer.setting.variants]
    about = [tag("p", sentence(text)) for text in texts if text]
    if answer.result is None:
        parts = [*about, tag("p", sentence(answer.failure))]
        return tag("details", tag("summary", f"{setting_name}: not solved"), *parts, cls="od-seats")
    seats = answer.result.values
    values = ", ".join(
        f"{account.ruleset.seat_name(seat)} {amount_text(answer.unit, value)}" for seat, value in enumerate(seats)
    )
    alone = f"{'Chance of winning' if answer.values_are_shares else 'Worth'}: {amount_text(answer.unit, seats[0])}."
    worth = f"Worth to each: {values}." if len(seats) > 1 else alone
    said = (*answer.result.limit_sentences, *answer.option_words.worded_each(answer.result.notes))
    notes = [tag("p", text_with_short_numbers(note), cls="od-note") for note in said]
    rule_value = answer.shown_rule_comparison.first_value_of_kind("number")
    simple = []
    if rule_value and rule_value.loss:
        simple = [
            tag(
                "p",
                f"The best single number: {sentence(rule_value.name)} "
                f"It costs {loss_text_with_unit(answer.unit, rule_value.loss)}.",
            )
        ]
    return tag(
        "details",
        tag("summary", f"{setting_name}: ", tag("span", line_to_remember(answer))),
        *about,
        tag("p", worth),
        *simple,
        *notes,
        tag("section", strategy_html(answer), data_search_exclude=True),
        *_csv_link(answer),
        cls="od-seats",
        data_od_setting=answer.slug,
    )


# --- pictures


def pictures_html(answer: Answer) -> list[Html]:
    """Return bar charts of the length of a game, its payoff, the payoffs of players of different skill, and the value
    to each seat.
    """
    if answer.result is None:
        return []
    laws = answer.distributions
    drawn = []
    if laws.length:
        mean = laws.length.mean or answer.key_facts.lengths.get(laws.unit)
        drawn.append(draw_bars(laws.length, mean, "A game lasts", laws.unit))
    if laws.payoff:
        whom = "A game brings" if answer.setting.seats == 1 else f"To {_first_player_name(answer)} a game brings"
        drawn.append(draw_bars(laws.payoff, answer.result.values[0], whom, answer.unit.name))
    shown = [each for each in (*drawn, _skill_chart(answer), _seats_chart(answer)) if each]
    return [tag("div", *shown, cls="od-charts")] if shown else []


def _skill_chart(answer: Answer) -> Html | None:
    """Return a chart of the payoffs of players of different skill in the first seat, while all others play best."""
    named = {
        _skill_name_of_opponent(each): each.values[0]
        for each in answer.opponents
        if each.values and _skill_name_of_opponent(each)
    }
    seat = f"as {_first_player_name(answer)}" if answer.game.ruleset.sides else "in the first seat"
    others = f"{seat}, while all others play best" if answer.setting.seats > 1 else "in the same game"
    return draw_comparison(named, answer.unit, f"What players of different skill get {others}")


def _first_player_name(answer: Answer) -> str:
    return answer.game.ruleset.player_name(0) if answer.game.ruleset.sides else "seat 1"


def _skill_name_of_opponent(opponent: Opponent) -> str:
    """Return the name of an opponent's skill; empty for an opponent who plays by a policy of the ruleset."""
    if opponent.kind == "mixture" and opponent.best_chance:
        return opponent.habit_in_short
    return {"best": "expert", "random": "drunk"}.get(opponent.kind, "")


def _seats_chart(answer: Answer) -> Html | None:
    """Return a chart of the value to each seat if all play best; None for a single seat."""
    values = answer.key_facts.values
    if len(values) < 2:
        return None
    named = {answer.game.ruleset.seat_name(seat): value for seat, value in enumerate(values)}
    return draw_comparison(named, answer.unit, "What each seat gets if all play best", answer.key_facts.mean_seat_value)


def roll_risk_charts_html(rolling: Sequence[RollOnRisk]) -> list[Html]:
    """Return charts of the risk of another roll, for each decision."""
    several = [[drawn for drawn in (turn_lost_chart(risk), next_roll_risk_chart(risk)) if drawn] for risk in rolling]
    return [tag("div", *shown, cls="od-charts") for shown in several if shown]


def rule_number_charts_html(answer: Answer) -> list[Html]:
    """Return charts of the payoff and the risk of the first rule as functions of its number; an empty list if the game
    is not solved.
    """
    if answer.result is None:
        return []
    shown = [drawn for drawn in (rule_value_chart(answer), rule_risk_chart(answer)) if drawn]
    return [tag("div", *shown, cls="od-pair")] if len(shown) > 1 else shown
