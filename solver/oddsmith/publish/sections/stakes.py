"""Sections on what is at stake: the value to each seat and under each house rule, the fairest head start, and the game
as a bet.
"""

from __future__ import annotations

from collections.abc import Sequence

from oddsmith.base.exact import Number, decimal_text
from oddsmith.publish.markup.html import Html, cell, column_header, esc, join_html, row_header, table, tag
from oddsmith.publish.markup.numbers import (
    amount_text,
    amount_text_without_unit,
    exact_number_cell,
    loss_text_with_unit,
    percent_text,
    signed_difference_text,
    small_number_text,
)
from oddsmith.publish.sections.first_screen import NO_RULE, line_to_remember, remembered_line
from oddsmith.report.answers import Answer, RulesetAnswers
from oddsmith.report.english import capital, plain_name, player_count_words
from oddsmith.report.facts import play_kind_with_sentence


def handicaps_html(answers: Sequence[Answer]) -> list[Html]:
    """Return a paragraph for each answer with a fairest head start, which only games of two players have. The second
    player gets it.
    """
    parts = []
    for answer in answers:
        even = answer.handicap
        if even:
            first, second = (amount_text(answer.unit, value) for value in even.values)
            start = f"let {answer.game.ruleset.nth_player(1)} start with {even.words(answer.game.ruleset)}"
            parts.append(
                tag(
                    "p",
                    f"To make the game fair for two, {start}. That is worth {first} to {answer.game.ruleset.nth_player(0)} and "
                    f"{second} to {answer.game.ruleset.nth_player(1)}.",
                )
            )
    return parts


def bets_html(account: RulesetAnswers) -> list[Html]:
    """Return tables about the game as a bet: against the house, or for a pot into which all seats pay."""
    return [*_house_bet_tables([account.main, *account.objectives]), *_pot_return_tables(account)]


def _pot_return_tables(account: RulesetAnswers) -> list[Html]:
    """Return a table of the mean return on each seat's stake if the winner takes the pot; an empty list if no payoff is
    a chance of winning.
    """
    answers = [each for each in account.answers if each.result and each.values_are_shares and each.setting.seats > 1]
    if not answers:
        return []
    most = max(each.setting.seats for each in answers)
    rows = [
        [
            row_header(capital(account.difference_words(answer))),
            *(cell(_stake_return_text(answer.setting.seats, value)) for value in answer.values),
            *(cell("–") for _ in range(most - answer.setting.seats)),
        ]
        for answer in answers
    ]
    head = [
        column_header("rules"),
        *(column_header(f"{account.ruleset.seat_name(seat)} makes") for seat in range(most)),
    ]
    words = "What each seat makes of a stake on average, if all stake the same, the pot goes to the winner, and all play best."
    return [table(words, head, rows)]


def _stake_return_text(seats: int, chance: Number) -> str:
    return f"{signed_difference_text(chance * seats - 1, 2, is_chance=True)} %"


def _house_bet_tables(answers: Sequence[Answer]) -> list[Html]:
    """Return a table of the house edge and other numbers for every objective that is a bet; an empty list if there is
    none.
    """
    bets = [(answer, answer.wager) for answer in answers if answer.wager]
    if not bets:
        return []
    purses = [purse for purse, _ in max((bet.ruin for _, bet in bets), key=len)]
    heads = ["bet on", "won", "nobody wins", "edge of the house", "standard deviation", "a fair win pays"]
    rows = [
        [
            row_header(plain_name(answer.setting.objective)),
            *(cell(percent_text(chance, 3)) for chance in (bet.win, bet.push, bet.edge)),
            cell(small_number_text(bet.spread, 3) if bet.spread else "–"),
            cell(f"{decimal_text(bet.fair, 4)} to 1" if bet.fair is not None else "–"),
            *(cell(percent_text(chance, 2)) for _, chance in bet.ruin),
            *(cell("–") for _ in purses[len(bet.ruin) :]),
        ]
        for answer, bet in bets
    ]
    head = [column_header(text) for text in heads] + [column_header(f"ruin with {purse} stakes") for purse in purses]
    words = "The edge is what a stake loses on average. Ruin is the chance to lose all of these stakes before they are doubled."
    return [table(words, head, rows)]


def cheats_html(account: RulesetAnswers) -> list[Html]:
    """Return a table of what cheats are worth to a player; an empty list if it is not known."""
    main, rules = account.main, account.ruleset
    values = main.cheats if rules.cheats and main.result else ()
    if not values:
        return []
    known = any(each.found_out is not None for each in values)
    heads = [
        "cheat",
        "worth a game",
        *(["found out at most"] if known else []),
        "the others play",
        "fair play",
        "cheating",
    ]
    rows = [
        [
            row_header(each.name),
            cell(
                f"{signed_difference_text(each.gain, 2, main.values_are_shares)}{' %' if main.values_are_shares else ''}"
            ),
            *([cell("–" if each.found_out is None else each.found_out.percent(1))] if known else []),
            cell(each.against or "best"),
            cell(amount_text(main.unit, each.fair)),
            cell(amount_text(main.unit, each.cheated)),
        ]
        for each in values
    ]
    abouts = [tag("li", tag("strong", name), f": {each.about}") for name, each in rules.cheats.items() if each.about]
    words = "What the first player gets by cheating. The cheat makes the most of it, and nobody else knows."
    found = [tag("ul", *abouts)] if abouts else []
    found += [table(words, [column_header(head) for head in heads], rows)]
    if known:
        found.append(tag("p", f"Whoever is found out in more games than that does better by playing fair. {CHECK}"))
    return found


CHECK = (
    "A check for it: in D&D 5e, the Dexterity (Sleight of Hand) of the cheat against the passive Perception of the others; in "
    "Pathfinder 2e, Thievery against their Perception DC."
)


def all_seat_values_html(account: RulesetAnswers) -> list[Html]:
    """Return a table of the value of the game to every seat, for every number of players, and the exact values in a
    folded table.
    """
    values = exact_values_html(account)
    exact = [tag("details", tag("summary", "The exact values"), *values, cls="od-more")] if values else []
    return [*seat_values_html(account), *exact]


def exact_values_html(account: RulesetAnswers) -> list[Html]:
    """Return a table for each number of players, with the values to twelve decimal places and as fractions."""
    return [_exact_values_table(answer) for answer in account.plain if answer.result]


def seat_values_html(account: RulesetAnswers) -> list[Html]:
    """Return a table of the value of the game to every seat, for every number of players; an empty list if none is
    solved.
    """
    solved = [answer for answer in account.plain if answer.result]
    if not solved or not account.ruleset.has_payoffs:
        return []
    most = max(answer.setting.seats for answer in solved)
    alone = account.is_single_player
    names = ["worth"] if alone else ["players", *(account.ruleset.seat_name(seat) for seat in range(most))]
    head = [column_header(text) for text in (*names, "turns", "rolls", "these values are")]
    rows = []
    for answer in solved:
        assert answer.result is not None
        values = [cell(amount_text_without_unit(answer.unit, value)) for value in answer.result.values]
        values += [cell("") for _ in range(most - len(values))]
        known = answer.key_facts.lengths
        lengths = [cell(known[key].decimal(1) if key in known else "–") for key in ("turns", "rolls")]
        seats = [] if alone else [row_header(str(answer.setting.seats))]
        rows.append([*seats, *values, *lengths, cell(play_kind_with_sentence(answer.key_facts.kind).cell)])
    unit = f", in {solved[0].unit.name}" if solved[0].unit.name else ""
    whom = "" if alone else " to each seat"
    return [
        table(f"What the game is worth{whom} under best play{unit}, and how long it lasts.", head, rows),
        *handicaps_html(solved),
    ]


def _exact_values_table(answer: Answer) -> Html:
    assert answer.result is not None
    head = [column_header("seat"), column_header("value"), column_header("exactly")]
    rows = [
        [
            row_header(answer.game.ruleset.seat_name(seat).removeprefix("seat ")),
            cell(value.decimal(12)),
            exact_number_cell(value, f"{answer.slug}.txt"),
        ]
        for seat, value in enumerate(answer.result.values)
    ]
    return table(
        capital(f"{player_count_words(answer.setting.seats)}, {answer.setting.objective.replace('_', ' ')}."),
        head,
        rows,
    )


def house_rules_table(account: RulesetAnswers) -> Html:
    """Return a table of house rules: the values under each, and a simple rule with its loss against best play."""
    main = account.main
    same = [main] if main in account.plain else []
    rows = []
    for answer in (*same, *account.changed):
        name = account.difference_words(answer)
        if answer.result is None:
            rows.append([row_header(name), cell(answer.failure, cls="od-text"), cell("–")])
            continue
        values = " · ".join(amount_text_without_unit(answer.unit, value) for value in answer.result.values)
        line = remembered_line(answer)  # its cost is that of the rule that it tells
        words = line_to_remember(answer)
        rule_value = (
            line.rule_value
            if line
            else answer.shown_rule_comparison.first_value_of_kind("number")
            if words != NO_RULE
            else None
        )
        costs = (
            [tag("small", f" It costs {loss_text_with_unit(answer.unit, rule_value.loss)}.")]
            if rule_value and rule_value.loss
            else []
        )
        rows.append([row_header(name), cell(join_html([esc(words), *costs]), cls="od-text"), cell(values)])
    sides = main.game.ruleset.sides
    whom = " · ".join(map(main.game.ruleset.seat_name, range(len(sides)))) if sides else "seats 1, 2, …"
    worth = "worth" if main.setting.seats == 1 else f"worth to {whom}"
    worth += f" ({main.unit.column_heading})"
    head = [column_header("rules"), column_header("a simple rule", cls="od-text"), column_header(worth)]
    return table(f"House rules side by side, with {player_count_words(main.setting.seats)}.", head, rows)
