"""The first screen of a game's page: the line to remember with its loss against best play, and the first questions of a
game master.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from oddsmith.base.exact import plural
from oddsmith.publish.markup.html import Html, esc, join_html, question_and_answer_html, tag
from oddsmith.publish.markup.numbers import (
    amount_text,
    chance_text,
    decimal_without_trailing_zeros,
    loss_text_with_unit,
    mean_count_text,
    payoff_text_with_verb,
    value_text_in_sentence,
)
from oddsmith.publish.sections.deciding import best_decision_list, is_list_better_than_number_rule, strategy_summary
from oddsmith.publish.sections.durations import duration_basis_text, duration_text
from oddsmith.publish.sections.estimated import (
    NEARLY_FAIR_SHARE,
    estimate_reliability_text,
    grade_badge_html,
    opening_facts,
    opening_payoff_sentences,
    part_of_game_name,
    payoffs_clause,
    shared_win_note,
    usual_policy_sentence,
)
from oddsmith.publish.sections.secrets import secret_line_to_remember
from oddsmith.report.answers import Answer, EstimatedAnswer, RulesetAnswers
from oddsmith.report.english import (
    capital,
    filled_wording,
    joined,
    number_range_words,
    plain_name,
    player_count_words,
    sentence,
)
from oddsmith.report.facts import house_edge_clauses
from oddsmith.report.policy import DecisionList, Rule, RuleValue
from oddsmith.ruleset.model import AdviceLine, SolvedNumber

MAX_SHARE_LOST, DEARER = 0.02, 10
"""A rule with one number is moved to the small print if it loses more than the share ``MAX_SHARE_LOST`` of the value,
and more than ``DEARER`` times as much as a short list.
"""
DEAR = 0.05
"""The greatest share of the value of best play that a rule may lose to count as advice. Rules that lose more are shown
with their loss, and not as advice.
"""
NO_RULE = "We know no short rule that comes near best play."


# --- the line to remember


@dataclass(frozen=True)
class RememberedLine:
    """A line to remember for an answer.

    ``text``: the line. ``advice_line``: its record in the ruleset. ``rule_value``: the value of the policy that the
    line describes, None if it describes none.
    """

    text: str
    advice_line: AdviceLine
    rule_value: RuleValue | None


def remembered_line(answer: Answer) -> RememberedLine | None:
    """Return the first line of the ruleset that is true of an answer and does not lose too much against best play; None
    if there is none.

    Under changed rules, or for another payoff, only lines whose numbers are computed from the answer are true.
    """
    return next(
        (line for line in _lines_true_of_answer(answer) if not loses_too_much_for_advice(answer, line.rule_value)), None
    )


def _lines_true_of_answer(answer: Answer) -> Iterator[RememberedLine]:
    """Yield the lines of the ruleset that are true of an answer, however much they lose."""
    setting, home = answer.setting, answer.game.ruleset.edition.main_setting
    usual = replace(setting, seats=home.seats) == home
    for written in answer.game.ruleset.advice_lines if answer.result else ():
        right = written.holds_for_parameters(answer.game.parameters, usual or bool(written.option))
        if (
            not written.holds_for_seat_count(setting.seats)
            or not right
            or (written.option and not _states_best_number_rule(answer, written))
        ):
            continue
        text = filled_wording(written.wording, answer.game, lambda part: _solved_number_text(answer, part))
        if text:
            yield RememberedLine(sentence(text), written, _rule_value_of_line(answer, written))


def _costly_rule_sentence(answer: Answer) -> str:
    """Return a sentence with a short rule that loses too much to be advice, and its loss; empty if there is none."""
    known = [(line.rule_value, line.text) for line in _lines_true_of_answer(answer)]
    rule_value, _ = _leading_rule_value_and_rival(answer)
    known += [(rule_value, sentence(rule_value.name))] if rule_value else []
    for each, text in known:
        if each and each.loss and loses_too_much_for_advice(answer, each):
            return f"The best short rule that we have costs {loss_text_with_unit(answer.unit, each.loss)}: {text}"
    return ""


def _has_no_rule_good_enough_for_advice(answer: Answer) -> bool:
    """Return whether no short rule is good enough to be advice.

    This is so if the leading rule loses too much. Unless there is only one decision and a leading rule for it, this is
    also so if a line that a person wrote loses too much.
    """
    if all(each.constant is not None for each in answer.strategies):
        return False
    rule_value, _ = _leading_rule_value_and_rival(answer)
    alone = rule_value is not None and len(answer.strategies) == 1
    return loses_too_much_for_advice(answer, rule_value) or (
        not alone and any(loses_too_much_for_advice(answer, line.rule_value) for line in _lines_true_of_answer(answer))
    )


def loses_too_much_for_advice(answer: Answer, rule_value: RuleValue | None) -> bool:
    """Return whether a policy loses too much against best play to be advice.

    ``rule_value``: the value of the policy.
    """
    assert answer.result is not None
    best = abs(float(answer.result.values[0]))  # of nothing there is no share
    return bool(rule_value and rule_value.loss and 0 < DEAR * best < float(rule_value.loss))


def _states_best_number_rule(answer: Answer, advice_line: AdviceLine) -> bool:
    """Whether a line states the best rule with one number."""
    rule = answer.shown_rule_comparison.main_rule
    if rule is None or rule.number is None or rule.is_constant:
        return False
    return (rule.options[0], rule.number.feature.key.partition("[")[0]) == (advice_line.option, advice_line.variable)


def _rule_value_of_line(answer: Answer, advice_line: AdviceLine) -> RuleValue | None:
    if advice_line.option:
        return answer.shown_rule_comparison.first_value_of_kind("number")
    return next(
        (
            each
            for each in answer.shown_rule_comparison.rungs
            if each.kind == "named" and each.name == advice_line.policy
        ),
        None,
    )


def _solved_number_text(answer: Answer, solved_number: SolvedNumber) -> str | None:
    """Return a number of the solved game in words; None where it is not known."""
    match solved_number.kind:  # most lines have the number of a rule alone, and facts take their time
        case "number":
            rule = answer.shown_rule_comparison.main_rule
            return f"{rule.number.displayed_number:,}" if rule and rule.number else None
        case "seat":
            values = answer.key_facts.values
            return (
                amount_text(answer.unit, values[solved_number.seat - 1]) if solved_number.seat <= len(values) else None
            )
        case "turns" | "rolls":
            known = answer.key_facts.lengths.get(solved_number.kind)
            return known.decimal(1).removesuffix(".0") if known else None
        case "measure":
            found = answer.key_facts.measures.get(solved_number.name)
            if found is None:
                return None
            return (
                chance_text(found, 1)
                if solved_number.name in answer.key_facts.chances
                else decimal_without_trailing_zeros(found, found.decimal(1))
            )


def line_to_remember(answer: Answer) -> str:
    """Return the sentence to remember: the line that a person wrote, or else the computed rule.

    For an unsolved game, return the reason why it is not solved.
    """
    if answer.result is None:
        return sentence(answer.failure)
    line = remembered_line(answer)
    if line:
        return line.text
    return NO_RULE if _has_no_rule_good_enough_for_advice(answer) else sentence(strategy_summary(answer))


def line_to_remember_and_value(answer: Answer) -> tuple[Html, RuleValue | None]:
    """Return the line to remember of a solved answer, and the value of the policy that it describes.

    The value is None if its loss is not known, or if no short rule is good enough to be advice.
    """
    line = remembered_line(answer)
    rule_value = line.rule_value if line else _leading_rule_value_and_rival(answer)[0]
    if not (rule_value and rule_value.alone and rule_value.loss) or (
        not line and _has_no_rule_good_enough_for_advice(answer)
    ):
        return esc(line_to_remember(answer)), None
    return _headline_html(answer, line, rule_value), rule_value


def rule_number_by_player_count(account: RulesetAnswers) -> dict[int, int]:
    """Return the number in the rule to remember, by the number of players.

    Only numbers of players are included whose rules differ in nothing but this number. The result is empty if the line
    to remember is not a rule with one number.
    """
    main, line = account.main, remembered_line(account.main)
    rule = main.shown_rule_comparison.main_rule if main.result else None
    if rule is None or rule.is_constant:
        return {}
    leading = None if line else _leading_rule_value_and_rival(main)[0]
    if not (
        line.advice_line.option
        if line
        else leading and leading.kind == "number" and not _has_no_rule_good_enough_for_advice(main)
    ):
        return {}
    kin = [(answer.setting.seats, answer.shown_rule_comparison.main_rule) for answer in account.plain if answer.result]
    return {
        seats: other.number.displayed_number
        for seats, other in kin
        if other and other.number and _differ_only_in_number(rule, other)
    }


def sentences_for_other_player_counts(account: RulesetAnswers) -> list[str]:
    """Return sentences to remember for other numbers of players, if a person wrote other lines for them."""
    main, line = account.main, remembered_line(account.main)
    if line is None or rule_number_by_player_count(account):
        return []
    others = [
        (answer, remembered_line(answer)) for answer in account.plain if answer.setting.seats != main.setting.seats
    ]
    texts = [(answer, other.text) for answer, other in others if other and other.text != line.text]
    return [f"With {player_count_words(answer.setting.seats)}: {text}" for answer, text in texts]


def opening_line_to_remember(account: RulesetAnswers) -> str:
    """Return the sentence to remember about the game that the page opens with."""
    if account.main_secret_answer:
        return secret_line_to_remember(account.main_secret_answer)
    return (
        usual_policy_sentence(account.opening_estimate) if account.opening_estimate else line_to_remember(account.main)
    )


def setting_words_for_line(account: RulesetAnswers) -> str:
    """Return in words for which number of players and which part of the game the line to remember holds; empty if it
    holds for all.
    """
    answer = account.main_secret_answer or account.opening_estimate or account.main
    low, high, _ = account.ruleset.seats
    return joined(
        [
            *([player_count_words(answer.setting.seats)] if low < high else []),
            *filter(None, [part_of_game_name(answer.game)]),
        ]
    )


def page_head_html(account: RulesetAnswers) -> Html:
    """Return the head of the page: the line to remember, its payoff, and its loss against best play."""
    main, opening = account.main, account.opening_estimate
    if opening:
        brings = _small_print_html(
            setting_note(opening), opening_payoff_sentences(opening), " ", grade_badge_html("estimated")
        )
        return tag("p", usual_policy_sentence(opening), brings, cls="od-rule")
    if main.result is None:
        return tag("p", "Not solved", _small_print_html(sentence(main.failure)), cls="od-rule")
    line, badge = remembered_line(main), grade_badge_html(main.result.grade)
    costly, link = (
        "" if line else _costly_rule_sentence(main),
        tag("a", "Best play in full", href="#strategy", cls="od-screen"),
    )
    second = "" if line or costly else _leading_rule_value_and_rival(main)[1]
    small = [
        _small_print_html(text)
        for text in (*main.result.limit_sentences, second, *_sentences_for_other_player_counts(account))
        if text
    ]
    words, rung = line_to_remember_and_value(main)
    small += [_small_print_html(costly, *([] if rung else [" ", link]))] if costly else []
    if rung:
        paid = _small_print_html(setting_note(main), _loss_note(account, rung), badge, " ", link)
        return tag("p", words, paid, *small, cls="od-rule")
    if line or not account.ruleset.has_payoffs:
        small[:0] = [_small_print_html(setting_note(main))] if setting_note(main) else []
        return tag("p", words, *small, cls="od-rule")
    lead, who = _player_count_and_name_words(account)
    what, best = "best play" if main.strategies else "the game", main.result.values[0]
    value_words = (
        f"{lead}{who.strip()} wins {amount_text(main.unit, best)}. "
        if main.unit.chance and who
        else f"{lead}{what} {payoff_text_with_verb(main.unit, best, _payoff_verb(main) + who, 'costs' + who)}. "
    )
    return tag("p", words, _small_print_html(setting_note(main), capital(value_words), badge), *small, cls="od-rule")


def _small_print_html(*parts: str) -> Html:
    """Return small print to add after a line. It begins with a space, for programs that strip the markup."""
    return Html(f" {tag('small', *parts)}")


def _headline_html(main: Answer, line: RememberedLine | None, rule_value: RuleValue) -> Html:
    if line:
        return esc(line.text)
    short = best_decision_list(main) if rule_value.kind == "list" else None
    if short:
        return esc(sentence(short.words))
    return (
        _rule_html(main.shown_rule_comparison.main_rule)
        if rule_value.kind == "number" and main.shown_rule_comparison.main_rule
        else esc(sentence(rule_value.name))
    )


def _loss_note(account: RulesetAnswers, rule_value: RuleValue) -> str:
    """Return sentences on the payoff of a policy and its loss against best play. ``rule_value``: the value of the
    policy; both numbers must be known.
    """
    main = account.main
    assert main.result is not None
    assert rule_value.alone is not None
    assert rule_value.loss is not None
    lead, who = _player_count_and_name_words(account)
    verb, best = _payoff_verb(main), main.result.values[0]
    if main.unit.chance:
        winner, verb = f"{lead.removeprefix('played ')}{who.strip() or 'you'}", "wins"
        words = f"{winner} then win{'s' * bool(who)} {amount_text(main.unit, rule_value.alone)}"
    else:
        words = f"{lead}this {payoff_text_with_verb(main.unit, rule_value.alone, verb + who, 'costs' + who)}"
    words = f"{capital(words)}. "
    if rule_value.loss.upper == 0:
        words += "No play does better"
    else:
        words += f"Best play {payoff_text_with_verb(main.unit, best, verb, 'costs')}: "
        words += f"the short rule costs {loss_text_with_unit(main.unit, rule_value.loss)}"
    one_of_several = rule_value.kind in ("number", "list") and len(main.strategies) > 1
    about = f" in the choice “{capital(plain_name(rule_value.phase))}”, with every other decision as in best play"
    return f"{words}{about if one_of_several else ''}. "


def _payoff_verb(main: Answer) -> str:
    """Return the verb for a payoff: brings if it is maximized, takes if it is minimized, such as a number of turns."""
    return "takes" if main.is_payoff_minimized else "brings"


def _sentences_for_other_player_counts(account: RulesetAnswers) -> list[str]:
    """Return sentences to remember for other numbers of players, if they differ."""
    usual = account.main.setting.seats
    numbers = {seats: number for seats, number in rule_number_by_player_count(account).items() if seats != usual}
    sizes = " · ".join(f"{player_count_words(seats)}: {number}" for seats, number in numbers.items())
    return [f"With {sizes}."] if sizes else sentences_for_other_player_counts(account)


def _differ_only_in_number(rule: Rule, other: Rule) -> bool:
    """Return whether two rules with one number differ only in their numbers."""
    if rule.number is None or other.number is None or other.is_constant:
        return False
    same = (rule.phase, rule.number.feature.name, rule.options)
    return same == (other.phase, other.number.feature.name, other.options)


def _player_count_and_name_words(account: RulesetAnswers) -> tuple[str, str]:
    """Return the number of players in words, and the name of the player whose payoff is reported; both may be empty."""
    seats = account.main.setting.seats
    if seats > 1:
        return f"with {player_count_words(seats)} ", f" {account.ruleset.nth_player(0)}"
    return "played alone, " if account.ruleset.seats[1] > 1 else "", ""


def setting_note(answer: Answer | EstimatedAnswer) -> str:
    """Return a sentence that names the part or size of the game that an answer is about, or else its unusual settings.

    The text is empty if there are none.
    """
    words = part_of_game_name(answer.game)
    if words:
        return f"All this is for {words}. "
    changes = [f"variant {each.replace('-', ' ')}" for each in answer.setting.variants]
    for name, value in answer.setting.values.items():
        parameter = answer.game.ruleset.parameters[name]
        changes.append(f"{parameter.setting_in_words(value)} (usually {parameter.value_in_words(parameter.default)})")
    return f"All this is for {joined(changes)}. " if changes else ""


def _leading_rule_value_and_rival(main: Answer) -> tuple[RuleValue | None, str]:
    """Return the value of the rule for the headline, and a sentence about the second-best rule.

    The rules are a rule with one number and a short list. The list is the headline if the rule with one number loses
    much more. The value is None if there is no rule, and the sentence is empty if there is no second one.
    """
    number, short = main.shown_rule_comparison.first_value_of_kind("number"), _list_for_same_decision(main)
    if number is None or (short and is_list_better_than_number_rule(main, short)):
        return (short.rung if short else None), ""
    if not (number.loss and short and short.loss):
        return number, ""
    longer = short.rung
    dear = float(number.loss) > MAX_SHARE_LOST * abs(float(main.shown_rule_comparison.rungs[-1].alone or 0))
    much = dear and float(number.loss) > DEARER * float(short.loss)
    if much or (loses_too_much_for_advice(main, number) and not loses_too_much_for_advice(main, longer)):
        return longer, sentence(
            f"With one number alone it costs {loss_text_with_unit(main.unit, number.loss)}: {number.name}"
        )
    return number, sentence(
        f"With a little more to remember it costs {loss_text_with_unit(main.unit, short.loss)}: {longer.name}"
    )


def _list_for_same_decision(main: Answer) -> DecisionList | None:
    """Return the short list. Return None if its loss is not known, or if the rule with one number is for another
    decision.
    """
    short, rule = best_decision_list(main), main.shown_rule_comparison.main_rule
    return short if short and short.loss and (rule is None or rule.phase == short.phase) else None


def _rule_html(rule: Rule) -> Html:
    """Return the rule to remember as HTML, with its number and the words after the number in bold."""
    words = sentence(rule.words)
    condition, otherwise, other = words.partition("; else ")
    number = f"{rule.number.displayed_number:,}" if rule.number else ""
    before, found, beyond = condition.rpartition(number) if number else ("", "", "")
    if rule.is_constant or not found:
        return esc(words)
    return join_html([esc(before), tag("b", found + beyond), esc(otherwise + other)])


# --- what a game master asks first


def key_facts_html(account: RulesetAnswers, grades_url: str) -> Html:
    """Return the first questions of visitors with their answers, as HTML.

    ``grades_url``: the address of the explanation of grades.
    """
    main, opening = account.main, account.opening_estimate
    low, high, _ = account.ruleset.seats
    players = number_range_words(low, high)
    if opening:
        about = f"The answers here are for {player_count_words(opening.setting.seats)}." if low < high else ""
        shown = [
            question_and_answer_html("Players", players, about),
            *(question_and_answer_html(*each) for each in opening_facts(account, opening)),
        ]
        shown.append(
            question_and_answer_html(
                "How sure is that?", grade_badge_html("estimated", grades_url), estimate_reliability_text(opening)
            )
        )
        return tag("dl", *shown, cls="od-facts")
    if main.result is None:
        return tag("dl", question_and_answer_html("Players", players), cls="od-facts")
    seats = main.setting.seats
    shown = [question_and_answer_html("Players", players, _player_counts_note(account, seats) if low < high else "")]
    shown += [question_and_answer_html(*answer) for answer in first_questions_and_answers(account)]
    badge = grade_badge_html(main.result.grade, grades_url)
    shown.append(
        question_and_answer_html(
            "How sure is that?", badge, f"{plural(main.result.positions, 'position')}, all of them solved."
        )
    )
    return tag("dl", *shown, cls="od-facts")


def _player_counts_note(account: RulesetAnswers, seats: int) -> Html:
    """Return for how many players the answers of the first screen are, and where those for other numbers are.

    ``seats``: the number of players for which they are.
    """
    solved = {each.setting.seats for each in account.plain if each.result} - {seats}
    estimated = {each.setting.seats for each in account.estimates} - solved - {seats}
    clauses = [
        f"those for {joined([str(each) for each in sorted(counts)])} are {tag('a', words, href=address)}"
        for counts, words, address in ((solved, "in a table", "#seats"), (estimated, "estimated", "#strategy"))
        if counts
    ]
    here = esc(f"The answers here are for {player_count_words(seats)}.")
    if solved and not estimated:
        return Html(f"{here.removesuffix('.')} ({tag('a', 'others', href='#seats')}).")
    return Html(f"{here} {capital(joined(clauses))}." if clauses else here)


def first_questions_and_answers(account: RulesetAnswers, with_fairness: bool = True) -> list[tuple[str, str, str]]:
    """Return the first questions of visitors about a solved game, each as question, answer and small print.

    ``with_fairness``: whether to include the question whether the game is fair.
    """
    main = account.main
    answers = (
        _skill_answer(main),
        _fairness_answer(main) if with_fairness else None,
        _value_answer(main),
        _house_edge_answer(main),
        _length_answer(account),
    )
    return [each for each in answers if each]


def _skill_answer(main: Answer) -> tuple[str, str, str] | None:
    """Return the payoffs of best play, of the ruleset's regular policy and of random play in the first seat, as
    question, answer and small print; None if the payoff of random play is not known.
    """
    assert main.result is not None
    by_kind = {each.kind: each.values[0] for each in reversed(main.opponents) if each.values}
    random = main.shown_rule_comparison.first_value_of_kind("random")
    drunk = by_kind.get("random") or (random and random.alone)
    if not drunk:
        return None
    verb = "wins" if main.unit.chance else "takes" if _payoff_verb(main) == "takes" else "gets"
    best = main.result.values[0]
    levels = [f"An expert {payoff_text_with_verb(main.unit, best, verb)}"]
    about = "The drunk takes any legal action."
    named = main.game.ruleset.regular_policy
    usual = next(
        (each.alone for each in main.shown_rule_comparison.rungs if each.kind == "named" and each.name == named), None
    )
    mixture = next((each for each in main.opponents if each.kind == "mixture" and each.values), None)
    if regular := usual or by_kind.get("mixture"):
        levels.append(f"a regular {payoff_text_with_verb(main.unit, regular, '')}")
        about = (
            f"The regular {mixture.habit}. The drunk always does."
            if mixture and not usual
            else f"The regular plays by the rule “{named}”. {about}"
        )
    levels.append(f"a drunk {payoff_text_with_verb(main.unit, drunk, '')}")
    seat = main.game.ruleset.player_name(0) if main.game.ruleset.sides else "in the first seat"
    where = f" Each plays {seat}, and the others play best." if main.setting.seats > 1 else ""
    return "What is skill worth?", f"{', '.join(levels)}.", f"{about}{where}"


def _fairness_answer(main: Answer) -> tuple[str, str, str] | None:
    """Return whether the game is fair, as question, answer and small print; None if there is only one seat.

    If a handicap that makes the game fairer is known, it is the small print.
    """
    values = main.key_facts.values
    if len(values) < 2 or not main.game.ruleset.has_payoffs:
        return None
    middle = [float(value.middle) for value in values]
    apart, mean = max(middle) - min(middle), abs(float(main.key_facts.mean_seat_value.middle))
    same = all(value.lower == value.upper == values[0].lower for value in values)
    verdict = "Yes." if same else "Nearly." if apart < NEARLY_FAIR_SHARE * mean else "No."
    rules = main.game.ruleset
    texts = [value_text_in_sentence(main.unit, value).removesuffix(" %") for value in values]
    words = f"{verdict} {payoffs_clause(rules, texts, main.unit)}."
    even = main.handicap
    if not even:
        return "Is it fair?", words, shared_win_note(main)
    first, second = (amount_text(main.unit, value) for value in even.values)
    start = f"To make it so, let {rules.nth_player(1)} start with {even.words(rules)}"
    return "Is it fair?", words, f"{start}: {first} and {second}."


def _value_answer(main: Answer) -> tuple[str, str, str] | None:
    """Return the value of a game to a single player, as question, answer and small print; None for other games.

    In games for coins, the small print says that this value is the highest fair price of a game.
    """
    if (
        main.setting.seats > 1
        or main.is_payoff_minimized
        or main.unit.chance
        or float(main.key_facts.values[0].middle) <= 0
    ):
        return None
    words = f"{amount_text(main.unit, main.key_facts.values[0])} on average, with best play."
    what = "it" if main.game.ruleset.covered_part else "a game"
    return (
        f"What is {what} worth?",
        words,
        f"Whoever pays more for {what} loses in the long run." if main.is_played_for_coins else "",
    )


def _house_edge_answer(main: Answer) -> tuple[str, str, str] | None:
    """Return the share that the house keeps, as question, answer and small print; None unless the ruleset asks for it."""
    edges = house_edge_clauses(main.game.ruleset, main.setting.objective, main.key_facts.measures)
    return ("What does the house keep?", sentence(capital(edges[0])), "") if edges else None


def _length_answer(account: RulesetAnswers) -> tuple[str, str, str] | None:
    """Return the length of a game in turns, rolls and minutes, as question, answer and small print; None if it is not
    known.
    """
    main = account.main
    known = main.key_facts.lengths
    if "turns" not in known:
        return None
    length = duration_text(account, main)
    many = mean_count_text(known["turns"], "turn")
    # No game takes fewer turns than one, so where that is the mean, none takes more.
    always = known["turns"].exact == 1 or (main.result is not None and main.result.all_plays_equally_long)
    if not length or "rolls" not in known:
        words = f"{many}{' on average' * (not always)}."
        note = duration_basis_text(account, main.game) if length else ""
        return "How long is a game?", f"About {length}: {words}" if length else words, note
    words = f"About {length}: {many}{',' if always else ' and'} {mean_count_text(known['rolls'], 'roll')} on average."
    return "How long is a game?", words, duration_basis_text(account)
