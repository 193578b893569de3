"""Sections of the page of a game with secrets: its values, and the chances with which to take each action."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from oddsmith.base.exact import Number, fraction_text
from oddsmith.publish.markup.html import Html, cell, column_header, question_and_answer_html, row_header, table, tag
from oddsmith.publish.markup.numbers import (
    amount_text,
    payoff_text_with_verb,
    percent_text,
    readable_decimal_text,
    value_text_in_sentence,
)
from oddsmith.publish.sections.estimated import author_line_for_policy, grade_badge_html, payoffs_clause
from oddsmith.report.answers import Decision, RulesetAnswers, SecretAnswer
from oddsmith.report.english import capital, joined, number_range_words, plain_name, player_count_words, sentence
from oddsmith.report.export import decisions_csv
from oddsmith.ruleset.model import Ruleset

MAX_ROWS, MAX_ROWS_WITH_FOLDED = 7, 48
"""The greatest number of decisions of a seat that a page shows unfolded, and including folded ones. The decisions that
play reaches most often are shown.
"""
UNNAMED = "Anything that a row does not name is as it was at the start."
MIN_DIFFERENCE = Fraction(1, 10**12)
"""A difference of values that is told."""
MAX_SHOWN_DENOMINATOR = 12
"""The greatest denominator of chances that are written as fractions."""


def secret_line_to_remember(answer: SecretAnswer) -> str:
    """Return the line to remember that a person wrote for best play; else a sentence with the value of the game."""
    return author_line_for_policy(answer.game, answer.setting) or _value_sentence(answer)


def _value_sentence(answer: SecretAnswer) -> str:
    """Return a sentence with the value of the game."""
    rules, unit = answer.game.ruleset, answer.unit
    words = payoff_text_with_verb(unit, answer.values[0], "wins" if unit.chance else "gets")
    words += "" if unit.chance else " a game"
    if answer.game.seats == 1:
        return f"Best play {words}."
    if not answer.is_constant_sum:
        return f"If all play like this, {rules.nth_player(0)} {words}, and nobody gains by playing otherwise alone."
    return f"If both play their best, {rules.nth_player(0)} {words}."


def secret_page_head_html(answer: SecretAnswer) -> Html:
    """Return the head of the page: the line to remember or the value of the game, and a link to the strategy."""
    line = author_line_for_policy(answer.game, answer.setting)
    size, badge, value_words = _solved_size_words(answer), grade_badge_html(answer.grade), _value_sentence(answer)
    if size:
        value_words = f"With {size}, {value_words[0].lower()}{value_words[1:]}"
    if line:
        second = [f"{value_words} ", badge, " "]
    else:
        mixes = does_best_play_mix_actions(answer)
        second = ["Some choices are left to chance, so that nobody can guess. "] if mixes else []
    small = tag("small", *second, tag("a", "What to do, and how often", href="#strategy", cls="od-screen"))
    return tag("p", line or value_words, Html(" "), small, cls="od-rule")


def _solved_size_words(answer: SecretAnswer) -> str:
    """Return in words the size of the game that was solved, such as ``1 die``, if the page has estimates for other sizes;
    else an empty text.
    """
    rules = answer.game.ruleset
    other_sizes = {name for each in rules.edition.estimated_games for name in each.setting.values}
    words = [rules.parameters[name].value_in_words(answer.game.parameters[name]) for name in sorted(other_sizes)]
    return joined(words)


def does_best_play_mix_actions(answer: SecretAnswer) -> bool:
    """Return whether best play mixes actions in at least one decision that it reaches."""
    return any(len(each.support) > 1 and each.expected_visits for each in answer.decisions)


def _proof_words(answer: SecretAnswer) -> str:
    """Return in words what proves the value."""
    if not answer.is_constant_sum:
        return "Each plan is a best response to the others. Other such plans may bring other values."
    return "Each plan is a best response to the other." if answer.game.seats == 2 else ""


def secret_key_facts_html(account: RulesetAnswers, answer: SecretAnswer, grades_url: str) -> Html:
    """Return the first questions of visitors with their answers, as HTML.

    ``grades_url``: the address of the explanation of grades.
    """
    low, high, _ = account.ruleset.seats
    size = _solved_size_words(answer)
    here = f"{player_count_words(answer.game.seats)}, with {size}" if size else player_count_words(answer.game.seats)
    about = f"The answers here are for {here}." if low < high else ""
    facts = [question_and_answer_html("Players", number_range_words(low, high), about)]
    skill, gains = _payoffs_by_skill_words(answer), _gain_sentences(answer)
    if skill:
        told, note = skill
        alone = len(gains) == 1  # a fact of its own takes too much of a phone
        facts.append(
            question_and_answer_html("What is skill worth?", told, " ".join([note, *gains] if alone else [note]))
        )
        gains = [] if alone else gains
    if gains:
        about = "These numbers are for the usual best play. Play aimed at one opponent may bring more."
        facts.append(question_and_answer_html("What is a poor opponent worth to you?", " ".join(gains), about))
    if answer.game.seats > 1 and (fair := _fairness_words(account.ruleset, answer)):
        facts.append(question_and_answer_html("Is it fair?", *fair))
    facts.append(
        question_and_answer_html("How sure is that?", grade_badge_html(answer.grade, grades_url), _proof_words(answer))
    )
    return tag("dl", *facts, cls="od-facts")


def _payoffs_by_skill_words(answer: SecretAnswer) -> tuple[str, str] | None:
    """Return a sentence on payoffs in the first seat against best play, with small print. It compares a player who
    plays best, one who does so in half of the decisions, and one who plays at random. Return None if random play has
    the same payoff as best play, or if the payoffs are not known.
    """
    unit, by_kind = answer.unit, {each.kind: each for each in answer.opponents if each.values}
    half, drunk = by_kind.get("mixture"), by_kind.get("random")
    if half is None or half.best_chance is None or drunk is None:
        return None
    if abs(drunk.values[0].middle - answer.values[0].middle) < MIN_DIFFERENCE:
        return None
    levels = [
        f"An expert {payoff_text_with_verb(unit, answer.values[0], 'wins' if unit.chance else 'gets')}",
        f"a regular {payoff_text_with_verb(unit, half.values[0], '')}",
        f"a drunk {payoff_text_with_verb(unit, drunk.values[0], '')}",
    ]
    first = answer.game.ruleset.player_name(0) if answer.game.ruleset.sides else "in the first seat"
    rest = "the other plays best" if answer.is_constant_sum else "the others play as here"
    where = f" Each plays {first}, and {rest}." if answer.game.seats > 1 else ""
    less = " Less is better." if answer.is_payoff_minimized else ""
    return (
        f"{', '.join(levels)}.{less}",
        f"The regular {half.habit}. The drunk always does.{where}",
    )


def _gain_sentences(answer: SecretAnswer) -> list[str]:
    """Return sentences on what best play brings each seat against a player who takes any legal action, and against one
    who plays by a policy of the ruleset. Those against whom nobody gains are left out. Return none if payoffs do not
    add up to the same.
    """
    if not answer.is_constant_sum or answer.game.seats != 2:
        return []
    verb = "win" if answer.unit.chance else "get"
    drunk = [("a drunk", each) for each in answer.opponents if each.kind == "random"]
    named = [(f"“{each.policy}”", each) for each in answer.opponents if each.kind == "named"]
    gains = {name: _gain_clauses_by_seat(answer, each.values) for name, each in (*drunk, *named) if each.values}
    # such as: as the first player you win 74.23 %, not 64.79 %, and as the second player 40.12 %, not 35.21 %
    return [
        f"Against {name}, {', and '.join([f'{first[0]} you {verb} {first[1]}', *map(' '.join, others)])}."
        for name, (first, *others) in ((name, parts) for name, parts in gains.items() if parts)
    ]


def _gain_clauses_by_seat(answer: SecretAnswer, poor_play_values: Sequence[Number]) -> list[tuple[str, str]]:
    """Return a clause for each seat that gets more by best play if the other plays poorly: whose it is, and what it gets.

    ``poor_play_values``: the value that each seat gets by poor play against best play.
    """
    gains = [answer.values[1 - seat].middle - poor_play_values[1 - seat].middle for seat in range(2)]
    unit, player = answer.unit, answer.game.ruleset.nth_player
    return [
        (
            f"as {player(seat)}",
            f"{value_text_in_sentence(unit, Number.of(usual.middle + gain))}, not {value_text_in_sentence(unit, usual)}",
        )
        for seat, (usual, gain) in enumerate(zip(answer.values, gains, strict=True))
        if abs(gain) >= MIN_DIFFERENCE
    ]


def _fairness_words(rules: Ruleset, answer: SecretAnswer) -> tuple[str, str] | None:
    """Return an answer to whether all seats are worth the same, with small print. Return None if the bounds of their
    values leave it open.
    """
    first, *others = answer.values
    if first.exact is not None and all(first.exact == each.exact for each in others):
        return "Yes.", f"{'Both' if len(others) == 1 else 'All'} seats are worth the same."
    if max(each.lower for each in answer.values) <= min(each.upper for each in answer.values):
        return None
    unit = answer.unit
    texts = [
        value_text_in_sentence(unit, value).removesuffix(" %") if unit.chance else readable_decimal_text(value)
        for value in answer.values
    ]
    return "No.", f"{payoffs_clause(rules, texts, unit)}."


def secret_strategy_html(answer: SecretAnswer, heading_tag: str = "h3") -> list[Html]:
    """Return tables of the actions of each seat in the decisions that play reaches most often, with a table for each
    phase. ``heading_tag``: the element of the headings.
    """
    parts: list[Html] = []
    for seat in range(answer.game.seats):
        first, some = frequent_decisions(answer, seat, MAX_ROWS), frequent_decisions(answer, seat, MAX_ROWS_WITH_FOLDED)
        if not first:
            continue
        parts += [tag(heading_tag, capital(answer.game.ruleset.seat_name(seat))), *_phase_tables(answer, first)]
        rest = [each for each in some if each not in first]
        if rest:
            parts.append(tag("details", tag("summary", "Less often"), *_phase_tables(answer, rest), cls="od-more"))
    more = len(answer.decisions) - sum(
        len(frequent_decisions(answer, seat, MAX_ROWS_WITH_FOLDED)) for seat in range(answer.game.seats)
    )
    left = f"{more:,} more decisions come up less often or never. The table has them too. " if more else ""
    parts.append(
        tag(
            "p",
            f"{UNNAMED} Where there are chances, leave it to dice or a clock, so that nobody can guess. ",
            left,
            tag("a", "Every decision, with all chances as fractions", href=f"{answer.slug}.csv", download=True),
            " (CSV).",
            cls="od-screen",
        )
    )
    return parts


def other_secret_settings_html(account: RulesetAnswers) -> list[Html]:
    """Return a folded element for each setting besides the one that the page opens with.

    A solved setting has its value and best play. A setting that is neither solved nor estimated has the reason.
    """
    estimated = {each.setting for each in account.estimates}
    refused = [each for each in account.plain if each.failure and not each.main and each.setting not in estimated]
    others = [each for each in account.secrets if each is not account.main_secret_answer]
    rows = [_other_setting_html(account, each) for each in others]
    for each in refused:
        summary = tag("summary", f"{capital(account.difference_words(each))}: not solved")
        rows.append(tag("details", summary, tag("p", sentence(each.failure)), cls="od-seats"))
    if len(rows) < 2:
        return rows
    names = joined([*map(account.difference_words, others), *map(account.difference_words, refused)])
    return [tag("details", tag("summary", f"{capital(names)}"), *rows, cls="od-seats")]


def _other_setting_html(account: RulesetAnswers, answer: SecretAnswer) -> Html:
    """Return the folded value and best play of a setting that the page does not open with."""
    texts = [account.ruleset.variants[each].about for each in answer.setting.variants]
    worth_words = tag("span", author_line_for_policy(answer.game, answer.setting) or _value_sentence(answer))
    return tag(
        "details",
        tag(
            "summary",
            f"{capital(account.difference_words(answer))}: ",
            worth_words,
            " ",
            grade_badge_html(answer.grade),
        ),
        *(tag("p", sentence(text)) for text in texts if text),
        *secret_seat_values_html(answer),
        *secret_strategy_html(answer, "h4"),
        cls="od-seats",
        data_od_setting=answer.slug,
        data_search_exclude=True,
    )


def _phase_tables(answer: SecretAnswer, decisions: list[Decision]) -> Iterator[Html]:
    """Yield a table of decisions for each phase. ``decisions``: the decisions."""
    for phase in dict.fromkeys(each.phase for each in decisions):
        label = answer.game.ruleset.phases[phase].label or capital(plain_name(phase))
        head = [column_header("what you know"), column_header("what to do")]
        words = [decision_words(answer, each) for each in decisions if each.phase == phase]
        yield tag(
            "div", table(label, head, [[row_header(known), cell(todo)] for known, todo in words]), cls="od-secret"
        )


def frequent_decisions(answer: SecretAnswer, seat: int, count: int) -> list[Decision]:
    """Return the ``count`` decisions of a seat that play reaches most often, in the order of play."""
    met = [each for each in answer.decisions if each.seat == seat and each.expected_visits]
    known = sorted(met, key=lambda each: -each.expected_visits)[:count]
    return [each for each in met if each in known]


def decision_words(answer: SecretAnswer, decision: Decision) -> tuple[str, str]:
    """Return in words what a seat knows at a decision, and the actions that it takes, with their chances."""
    say = answer.option_words
    taken = {say(name, decision.phase): chance for name, chance in decision.support.items()}
    known = " · ".join(say.worded_each(decision.known_facts)) or "nothing yet"
    if len(taken) == 1:
        return known, next(iter(taken))
    option, mark, _ = next(iter(taken)).rpartition(": ")
    verb = option + mark or f"{next(iter(taken)).partition(' ')[0]} "
    same = verb if all(name.startswith(verb) for name in taken) else ""
    return known, same + ", ".join(
        f"{name.removeprefix(same)} {_chance_in_brackets_text(chance)}" for name, chance in taken.items()
    )


def _chance_in_brackets_text(chance: Fraction) -> str:
    """Return a chance in brackets as text: as a fraction if its denominator is small, else in percent."""
    return (
        f"({fraction_text(chance)})" if chance.denominator <= MAX_SHOWN_DENOMINATOR else f"({percent_text(chance, 0)})"
    )


def secret_download_files(answer: SecretAnswer) -> dict[str, bytes]:
    """Return the downloads of a game with secrets by name: all decisions as CSV, and the certificate."""
    return {f"{answer.slug}.csv": decisions_csv(answer.decisions), f"{answer.slug}.jsonl.gz": answer.proof}


def secret_seat_values_html(answer: SecretAnswer) -> list[Html]:
    """Return a table of the value of the game to each seat."""
    rules, unit = answer.game.ruleset, answer.unit
    rows = [
        [
            row_header(capital(rules.seat_name(seat))),
            cell(amount_text(unit, value, 4)),
            cell(_exact_fraction_text(value)),
        ]
        for seat, value in enumerate(answer.values)
    ]
    return [
        table(
            "What each seat is worth",
            [column_header(""), column_header(unit.column_heading), column_header("as a fraction")],
            rows,
        )
    ]


def _exact_fraction_text(value: Number) -> str:
    exact: Fraction | None = value.exact
    return fraction_text(exact) if exact is not None else "between two fractions"


def secret_method_html(answer: SecretAnswer) -> list[Html]:
    """Return a sentence on how the answer is found and proven."""
    if answer.is_constant_sum:
        method = (
            "Each player's plan was tested against the best response to it. What its player then gets is secured; what both "
            "plans secure is the same number, so no other is possible."
        )
    else:
        method = (
            "Each player's plan was tested against everything else that the player could do, while the others keep to their "
            "plans: nothing brings more. There may be other plans of which this is true, and they may bring other values."
        )
    return [
        tag("p", sentence(method)),
        tag("p", tag("a", "How secrets are solved", href="../../secrets/"), cls="od-screen"),
    ]
