"""Sections on simple rules: their loss against best play, and its dependence on the numbers in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from oddsmith.base.exact import Number
from oddsmith.publish.markup.html import Html, cell, column_header, esc, row_header, table, tag
from oddsmith.publish.markup.numbers import (
    amount_text_without_unit,
    loss_text_with_unit,
    short_fraction_text,
    signed_difference_text,
    small_number_text,
)
from oddsmith.report.answers import Answer
from oddsmith.report.english import capital, plain_name, player_count_words
from oddsmith.report.policy import or_more_words, take_when_words


def policies_table_html(answer: Answer, pictures: Sequence[Html] = ()) -> list[Html]:
    """Return a table of policies from the simplest to best play with the loss of each, as HTML; an empty list if there
    are fewer than two.

    ``pictures``: charts to place below the table.
    """
    if answer.result is None or len(answer.ways_of_playing) < 2:
        return []
    unit = answer.unit.column_heading
    alone, payoffs = answer.setting.seats == 1, answer.game.ruleset.payoffs
    others = [(name, payoffs[name].has_probability_as_mean) for name in answer.shown_rule_comparison.others]
    first = answer.game.ruleset.nth_player(0)
    head = [
        column_header("way of playing"),
        column_header("costs"),
        column_header(f"{'brings' if alone else first.removeprefix('the ')} ({unit})"),
        *(column_header(f"{plain_name(name)}{' (%)' * share}, against best play") for name, share in others),
        *([] if alone else [column_header("if everybody plays so")]),
    ]
    payoffs = answer.game.ruleset.payoffs
    signs = {name: 1 if payoffs[name].goal == "max" else -1 for name, _ in others}
    rows = []
    for rule_value in answer.ways_of_playing:
        mine = "–" if rule_value.alone is None else amount_text_without_unit(answer.unit, rule_value.alone, 4)
        costs = (
            "–"
            if rule_value.loss is None
            else loss_text_with_unit(answer.unit, rule_value.loss, 4)
            if rule_value.kind != "solution"
            else ""
        )
        everyone = " · ".join(amount_text_without_unit(answer.unit, value) for value in rule_value.everyone or ())
        together = "the game may never end" if rule_value.everyone is None else everyone
        also = [
            cell(_value_in_another_payoff_words(rule_value.elsewhere.get(name), share, signs[name]))
            for name, share in others
        ]
        last = [] if alone else [cell(together)]
        rows.append([row_header(capital(rule_value.name), cls="od-text"), cell(costs), cell(mine), *also, *last])
    parts = [table(_policies_table_caption(answer), head, rows), *_rule_search_notes(answer)]
    return [*parts, *pictures, *_value_tables_by_rule_number(answer)]


def _value_in_another_payoff_words(
    value_and_loss: tuple[Number, Number] | None, is_chance: bool, better_sign: int
) -> str:
    """Return as text the value of a policy in another payoff, and its difference from best play.

    ``value_and_loss``: the value and the loss; None if they are not known. ``is_chance``: whether the payoff is a
    chance.

    ``better_sign``: 1 if more of that payoff is better, -1 if less is.
    """
    if value_and_loss is None:
        return "–"
    worth, cost = value_and_loss
    scaled = worth * 100 if is_chance else worth
    if cost.upper == cost.lower == 0:
        return scaled.decimal(2)
    return f"{scaled.decimal(2)} ({signed_difference_text(cost * -better_sign, 2, is_chance)})"


def _rule_search_notes(answer: Answer) -> Iterator[Html]:
    """Yield notes on the table: which numbers were tried, how lists were found, and the meaning of the brackets."""
    comparison, best = answer.shown_rule_comparison, answer.shown_rule_comparison.first_value_of_kind("number")
    several = len(comparison.rules) > 1
    if several:
        text = "A rule with a number is for one decision, and all others are those of best play. The line with each of these "
        yield tag(
            "p", f"{text}numbers uses all the rules together. The first screen has the decision that matters most."
        )
    for rule in comparison.rules:
        where = f" for {plain_name(rule.phase)}" if several else " for the single-number rule"
        if rule.number is None:
            continue
        first, last = map(rule.number.feature.displayed_number, rule.number.tried)
        text = f"Every number from {first:,} to {last:,} was tried{where}."
        if rule is comparison.main_rule and best and best.alone:
            short = short_fraction_text(best.alone)
            rounded = f" Its value is {small_number_text(best.alone, 12)} ({best.alone.grade})."
            text += f" Its exact value is {short}." if short else rounded
        yield tag("p", text)
    if answer.short_lists_in_words and answer.short_lists_in_words.lists_without_single_number:
        text = (
            "A short list of decisions comes from a search as well. Its first line that holds counts, and a line whose "
        )
        text += "option is not possible is skipped. It is not proven that no other list is better."
        yield tag("p", text)
    if comparison.others:
        yield tag("p", "The brackets say how much more or less that is than under the play that this page calls best.")


def _value_tables_by_rule_number(answer: Answer) -> Iterator[Html]:
    """Yield a table over the number in the first rule: the value of the rule, and the answers to the ruleset's
    questions.
    """
    numbers = answer.rule_number_comparison
    if numbers is None:
        return
    asked, searched = list(numbers.answers), numbers.rule.number
    assert searched is not None  # numbers are compared for a rule that has one
    chance = {name: name in answer.key_facts.chances for name in asked}
    alone, first = answer.setting.seats == 1, answer.game.ruleset.nth_player(0)
    worth = f"{'it brings' if alone else f'it brings {first}'} ({answer.unit.column_heading})"
    head = [column_header("number"), column_header(worth), *(column_header(name) for name in asked)]
    rows = []
    for place, number in enumerate(numbers.numbers):
        answers = [numbers.answers[name][place] for name in asked]
        pairs = zip(asked, answers, strict=True)
        shown = [each.percent(2) if chance[name] else each.decimal(3) for name, each in pairs]
        best = number == searched.best
        shown_number = searched.feature.displayed_number(number)
        label = tag("strong", f"{shown_number}, the best") if best else esc(str(shown_number))
        rows.append(
            [
                row_header(label),
                cell(amount_text_without_unit(answer.unit, numbers.worth[place], 4)),
                *(cell(text) for text in shown),
            ]
        )
    option = answer.option_words(numbers.rule.options[0], numbers.rule.phase)
    words = (
        f"What changes with the number N of the rule “{take_when_words(option, searched.feature, or_more_words('N'))}”."
    )
    if not alone:
        words += f" What it brings holds where only {first} uses the rule and the others keep to best play."
        words += " The rest holds where everybody plays by the number." * bool(asked)
    yield table(words, head, rows)


def _policies_table_caption(answer: Answer) -> str:
    """Return the caption of the table: who plays by the rule and how the others play. They play as in the solution,
    which need not be their best response to the rule.
    """
    seats = answer.setting.seats
    if seats == 1:
        return "What each way of playing brings, and what it costs against the best."
    others = "the others keep to best play" if seats > 2 else "the other keeps to best play"
    words = f"With {player_count_words(seats)}. Only {answer.game.ruleset.nth_player(0)} plays so, and {others}. "
    return words + "In the last column everybody plays so, and every seat is listed."
