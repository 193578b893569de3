"""The card of a game to print and lay on the table, black on white: four on a sheet, or one that fills the sheet."""

from __future__ import annotations

import re
from html import unescape
from math import ceil

import segno

from oddsmith.base.exact import Number
from oddsmith.publish.charts.bars import draw_bars
from oddsmith.publish.charts.drawing import CARD
from oddsmith.publish.charts.lines import rule_value_chart
from oddsmith.publish.markup.html import Html, cell, column_header, esc, join_html, row_header, table, tag
from oddsmith.publish.markup.numbers import amount_text_without_unit, loss_text_with_unit
from oddsmith.publish.pages.rules import short_rules_html
from oddsmith.publish.sections.estimated import opening_facts, opening_payoff_sentences, usual_policy_sentence
from oddsmith.publish.sections.first_screen import (
    first_questions_and_answers,
    line_to_remember_and_value,
    rule_number_by_player_count,
    sentences_for_other_player_counts,
    setting_note,
)
from oddsmith.publish.sections.secrets import UNNAMED, decision_words, frequent_decisions, secret_line_to_remember
from oddsmith.publish.sections.strategy import strategy_picture
from oddsmith.report.answers import Answer, EstimatedAnswer, RulesetAnswers, SecretAnswer
from oddsmith.report.english import capital, plain_name, player_count_words, player_range_words, sentence
from oddsmith.report.facts import ChanceTable
from oddsmith.ruleset import Game, sha256

COPIES_PER_SHEET = 4  # on a sheet of small ones
CARD_HEIGHT = 30.2  # of a card between its head and its foot, in letters' heights as all that follows
LINE_HEIGHT, GAP_HEIGHT = 1.2, 0.4  # a line of a table or of text, and what is between two parts
FOOT_HEIGHT = 7.0  # the QR code
LETTERS_PER_LINE = 56  # letters of a line of a column's tables, and half of those of a line of the card
LETTERS_PER_SMALL_LINE = 50  # letters of a line of a column's small print, which is one high
MAX_COLUMNS = 7  # of the widest table that fits a column
SIZES = ((34, "od-large", 34, 3.5), (84, "od-middling", 42, 2.6), (10**6, "od-long", 58, 1.9))
"""The sizes of the line to remember, the largest first: the greatest number of letters for this size, its CSS class,
the letters in a line, and the height of a line.
"""
KNOWN_LETTERS, ACTION_LETTERS = 26, 20  # letters of a line of what a seat knows and of what it does, in a column
CARD_ROWS = 12  # decisions of a seat, in a game with secrets
MAX_WRONG_ODDS = 2  # wrong odds that are told

_PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{title}: table card</title>
<link rel="icon" href="../../assets/favicon.svg">
<link rel="stylesheet" href="../../assets/card.css">
</head>
<body>
{body}
</body>
</html>
"""


def card_page(account: RulesetAnswers, address: str = "") -> bytes:
    """Return the card as a complete page of HTML. It lies in the folder of the downloads. ``address``: the address of
    the game's page, empty if it is not known.
    """
    back = tag(
        "p", tag("a", "Back to the game", href="index.html"), " Print this page on A4 or Letter:", cls="od-screen"
    )
    sizes = [("four", "four small cards on a sheet"), ("one", "one large card")]
    pick = [
        part
        for number, (name, words) in enumerate(sizes)
        for part in (
            tag("input", type="radio", name="size", id=name, checked=number == 0, cls="od-screen"),
            tag("label", words, for_=name, cls="od-screen"),
        )
    ]
    parts = _card_parts(account, address)
    cards = [
        tag("article", *parts, cls="od-card", aria_hidden="true" if copy else None) for copy in range(COPIES_PER_SHEET)
    ]
    body = tag("main", back, *pick, tag("div", *cards, cls="od-sheet"))
    return _PAGE.format(title=esc(account.ruleset.title), body=body).encode()


def _card_parts(account: RulesetAnswers, address: str) -> list[Html]:
    rules, main = account.ruleset, account.main
    low, high, _ = rules.seats
    head = tag("header", tag("h1", rules.title), tag("p", capital(player_range_words(low, high))))
    if account.main_secret_answer:
        return _secret_card_parts(account, account.main_secret_answer, head, address)
    if account.opening_estimate:
        return _estimated_card_parts(account, account.opening_estimate, head, address)
    if main.result is None:
        return [
            head,
            tag("p", "Not solved. ", sentence(main.failure), cls="od-rule"),
            _card_foot(account, address, [])[0],
        ]
    (rule, taken), drawn = _rule_parts_and_height(account), _card_picture(main)
    seats, first = _seats_tables(account), _first_answer_paragraphs(account)
    foot, below = _card_foot(account, address, first if drawn else [])
    room = CARD_HEIGHT - taken - below - (sum(tall for _, tall in seats) if drawn else 0)
    odds, got = _odds_tables(main, room), [part for part, _ in seats]
    left, right = (odds + got, [drawn]) if drawn else (odds, got + first)
    if not drawn and not odds:
        right = _short_rules_if_they_fit(main.game, room)  # instead of an empty half
        left = got + first
    columns = [tag("section", *part) for part in (left, right) if part]
    return [head, *rule, tag("div", *columns, cls="od-body"), foot]


def _secret_card_parts(account: RulesetAnswers, answer: SecretAnswer, head: Html, address: str) -> list[Html]:
    """Return the elements of the card of a game with secrets: its value, and the most frequent decisions with the
    chances of actions.
    """
    line = secret_line_to_remember(answer)
    _, size, wide, tall = next(found for found in SIZES if _letter_count(line) <= found[0])
    foot, below = _card_foot(account, address, [])
    room = CARD_HEIGHT - below - ceil(_letter_count(line) / wide) * tall - 2 * LINE_HEIGHT
    columns = []
    for seat in range(answer.game.seats):
        shown, left = [], room - 3 * LINE_HEIGHT
        for each in frequent_decisions(answer, seat, CARD_ROWS):
            known, todo = decision_words(answer, each)
            left -= LINE_HEIGHT * ceil(max(len(known) / KNOWN_LETTERS, len(todo) / ACTION_LETTERS)) + GAP_HEIGHT
            if left < 0:
                break
            shown.append([row_header(known), cell(todo)])
        if shown:
            columns.append(tag("section", table(capital(account.ruleset.seat_name(seat)), [], shown)))
    rule = tag("p", line, cls=f"od-rule {size}")
    rest = f"What comes up most often; the page has all decisions. {UNNAMED}"
    return [head, rule, tag("p", rest, cls="od-sizes"), tag("div", *columns, cls="od-body"), foot]


def _estimated_card_parts(account: RulesetAnswers, opening: EstimatedAnswer, head: Html, address: str) -> list[Html]:
    """Return the elements of the card of an estimated game: how to play it, and the estimated payoff."""
    line = usual_policy_sentence(opening)
    _, size, wide, tall = next(found for found in SIZES if _letter_count(line) <= found[0])
    said = [setting_note(opening), f"{opening_payoff_sentences(opening)} All numbers are estimated."]
    first = [tag("p", tag("b", asked), f" {answer}") for asked, answer, _ in opening_facts(account, opening)]
    foot, below = _card_foot(account, address, [])
    room = CARD_HEIGHT - below - ceil(_letter_count(line) / wide) * tall - 2 * LINE_HEIGHT * len(said)
    columns = [tag("section", *part) for part in (first, _short_rules_if_they_fit(opening.game, room)) if part]
    lines = [tag("p", text, cls="od-sizes") for text in said if text]
    return [head, tag("p", line, cls=f"od-rule {size}"), *lines, tag("div", *columns, cls="od-body"), foot]


# --- what to do


def _rule_parts_and_height(account: RulesetAnswers) -> tuple[list[Html], float]:
    """Return the lines at the top of the card, and their height.

    They are the line to remember in the largest size that fits, those for other numbers of players, and the loss
    against best play.
    """
    words, rule_value = line_to_remember_and_value(account.main)
    letters = _letter_count(words)
    _, size, wide, tall = next(found for found in SIZES if letters <= found[0])
    numbers = rule_number_by_player_count(account)
    lines = [sentence(text) for text in sentences_for_other_player_counts(account)]
    if len(numbers) > 1:
        each = [
            join_html([esc(f"{player_count_words(seats)} "), tag("b", str(number))])
            for seats, number in sorted(numbers.items())
        ]
        lines = [join_html(each, " · ")]
    if rule_value and rule_value.loss:
        price = "nothing" if rule_value.loss.upper == 0 else loss_text_with_unit(account.main.unit, rule_value.loss)
        lines.append(f"This costs {price} against best play, with {player_count_words(account.main.setting.seats)}.")
    lines += [setting_note(account.main)] if setting_note(account.main) else []
    rule = tag("p", words, cls=f"od-rule {size}")
    height = ceil(letters / wide) * tall + LINE_HEIGHT * sum(
        ceil(_letter_count(line) / LETTERS_PER_LINE / 2) for line in lines
    )
    return [rule, *(tag("p", line, cls="od-sizes") for line in lines)], height + 2 * GAP_HEIGHT


def _letter_count(text: str) -> int:
    return len(unescape(re.sub("<[^>]*>", "", text)) if isinstance(text, Html) else text)


def _card_picture(main: Answer) -> Html | None:
    """Return a picture of the strategy, or else of the values by the number of a rule, or else of the length of a game.

    Return None if there is none of these.
    """
    length = main.distributions.length
    rule_value = line_to_remember_and_value(main)[1]
    number = rule_value_chart(main, CARD) if rule_value and rule_value.kind == "number" else None
    drawn = strategy_picture(main, CARD) or number
    if drawn or length is None:
        return drawn
    unit = main.distributions.unit
    return draw_bars(length, length.mean or main.key_facts.lengths.get(unit), "A game lasts", unit, CARD)


def _short_rules_if_they_fit(game: Game, free_height: float) -> list[Html]:
    """Return the rules as a person wrote them; an empty list if they are higher than ``free_height``, the free height
    of the card.
    """
    rules = short_rules_html(game)
    blocks = [block for block in re.split("</p>|</li>", "".join(rules)) if block.strip()]
    tall = sum(ceil(_letter_count(Html(block)) / LETTERS_PER_SMALL_LINE) + GAP_HEIGHT for block in blocks)
    return [tag("div", *rules, cls="od-told")] if rules and tall <= free_height else []


# --- odds


def _odds_tables(main: Answer, free_height: float) -> list[Html]:
    """Return a table of odds for each roll, until the free height ``free_height`` of the card is used up."""
    by_phase: dict[str, list[ChanceTable]] = {}
    for each in main.chance_tables:
        by_phase.setdefault(each.phase, []).append(each)
    parts: list[Html] = []
    for tables in by_phase.values():
        made, tall = _roll_odds_table(tables[: MAX_COLUMNS - 1])
        if tall > free_height:
            break
        parts.append(made)
        free_height -= tall
    return parts


def _roll_odds_table(tables: list[ChanceTable]) -> tuple[Html, float]:
    """Return a table of the odds of a roll, with a column for each case in which they differ, and the height of the
    table.
    """
    dice = {each.dice for each in tables}
    name = capital(plain_name(tables[0].phase))
    words = f"{name}: {tables[0].dice}" if len(dice) == 1 and tables[0].dice else name
    heads = [each.when.removeprefix("for example ") if len(dice) == 1 else each.dice for each in tables]
    if len(tables) == 1:
        words, heads = f"{words}, {heads[0]}" if heads[0] else words, []
    corner = "when" if heads and all(head.startswith("when ") for head in heads) else ""
    heads = [head.removeprefix(f"{corner} ") for head in heads]
    names = list(dict.fromkeys(event.name for each in tables for event in each.events))
    rows = []
    for event in names:
        found = [next((one.chance for one in each.events if one.name == event), None) for each in tables]
        shown = ["–" if one is None else Number.of(100 * one).decimal(1) for one in found]
        rows.append([row_header(event or "anything"), *map(cell, shown)])
    share = LETTERS_PER_LINE // (len(tables) + 1)
    lines = [ceil(len(text) / share) for text in names] + [max((ceil(len(head) / share) for head in heads), default=0)]
    head = [column_header(corner), *map(column_header, heads)] if heads else []
    return table(f"{words} (%)", head, rows), LINE_HEIGHT * (
        sum(lines) + ceil(len(words) / LETTERS_PER_LINE)
    ) + GAP_HEIGHT


# --- who gets what


def _solved_answers(account: RulesetAnswers) -> list[Answer]:
    return [answer for answer in account.plain if answer.result]


def _seats_tables(account: RulesetAnswers) -> list[tuple[Html, float]]:
    """Return a table of the value to each seat for every number of players, with its height; an empty list if only one
    number of players is solved.
    """
    main, solved = account.main, _solved_answers(account)
    if len(solved) < 2:
        return []
    most = max(answer.setting.seats for answer in solved)
    names = [account.ruleset.seat_name(seat) for seat in range(most)]
    names = names if account.ruleset.sides else [names[0], *(name.removeprefix("seat ") for name in names[1:])]
    head = [column_header("players"), *(column_header(name) for name in names)]
    rows = [
        [
            row_header(str(answer.setting.seats)),
            *(cell(amount_text_without_unit(answer.unit, value, 1)) for value in answer.values),
            *(cell("") for _ in range(most - answer.setting.seats)),
        ]
        for answer in solved
    ]
    what = "What each seat wins" if main.unit.chance else f"What each seat gets ({main.unit.column_heading})"
    return [(table(what, head, rows), LINE_HEIGHT * (len(rows) + 2) + GAP_HEIGHT)]


def _first_answer_paragraphs(account: RulesetAnswers) -> list[Html]:
    """Return the first questions of visitors with their answers. The question whether the game is fair is left out if
    the card has a table of the value to each seat.
    """
    answers = first_questions_and_answers(account, with_fairness=not _seats_tables(account))
    return [tag("p", tag("b", asked), f" {answer}") for asked, answer, _ in answers]


# --- what is behind it


def _card_foot(account: RulesetAnswers, address: str, first_answers: list[Html]) -> tuple[Html, float]:
    """Return the foot of the card and its height.

    The foot has the answers ``first_questions_and_answers``, the published odds that are wrong, the grade of the
    values, and the address of the page.
    """
    result = account.main.result
    grade = "estimated" if account.opening_estimate else result.grade if result else ""
    grade = account.main_secret_answer.grade if account.main_secret_answer else grade
    sure = f"{capital(grade)}, by Oddsmith. " if grade else ""
    where = [tag("p", "All of it, with the proof: ", tag("b", address))] if address else []
    hashed = tag("p", sure, "Rules, SHA-256: ", tag("code", sha256(account.ruleset)))
    parts = [*first_answers, *_wrong_odds_paragraph(account), *where, hashed]
    code = [_qr_code(address)] if address else []
    return tag("footer", tag("div", *parts), *code), max(FOOT_HEIGHT * len(code), float(len(parts)))


def _qr_code(address: str) -> Html:
    """Return an address as a QR code, with the margin that scanners need."""
    return Html(segno.make_qr(address, error="m").svg_inline(omitsize=True, svgclass="od-code", lineclass=None))


def _wrong_odds_paragraph(account: RulesetAnswers) -> list[Html]:
    """Return a paragraph with the first published odds that are wrong, and the number of others; an empty list if there
    are none.
    """
    wrong = [verdict for verdict in account.verdicts_from("published") if not verdict.is_right]
    if not wrong:
        return []
    verdicts = [
        join_html(
            [
                tag("q", each.claim.quote),
                esc(f" (printed {each.in_same_form[0]}; it is "),
                tag("b", each.in_same_form[1]),
                esc(")"),
            ]
        )
        for each in wrong[:MAX_WRONG_ODDS]
    ]
    more = f", and {len(wrong) - MAX_WRONG_ODDS} more" if len(wrong) > MAX_WRONG_ODDS else ""
    return [tag("p", tag("strong", "Wrong in print: "), join_html(verdicts, "; "), f"{more}.", cls="od-wrong")]
