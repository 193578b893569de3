"""Estimates of games that are too large to be solved: the first screen of a page, and rows for other numbers of
players.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from oddsmith.base.exact import plural
from oddsmith.publish.markup.html import Html, cell, column_header, row_header, table, tag
from oddsmith.publish.sections.durations import duration_basis_text, duration_text_of_turns
from oddsmith.report.answers import (
    Answer,
    EstimatedAnswer,
    EstimatedLength,
    EstimatedMean,
    EstimatedPlay,
    RulesetAnswers,
)
from oddsmith.report.english import capital, filled_wording, joined, player_count_words, player_range_words, sentence
from oddsmith.report.facts import Unit
from oddsmith.ruleset import Game
from oddsmith.ruleset.model import ANY, Ruleset, Setting, is_one_or_zero, is_share_of_win

NOTHING_TO_DECIDE = "There is nothing to decide: the dice do everything."
UNKNOWN = "We have not solved a game of this size, so we do not know best play."
UNKNOWN_YET = "We do not know best play yet."
UNKNOWN_OF_SECRETS = "With secrets and more than two players, no play is best whatever the others do."
UNSURE_SHARE = Fraction(1, 5)  # of the mean: how far apart seats may be for all that few games tell
MAX_NAMED_SEATS = 2  # seats, each told by its name
NEARLY_FAIR_SHARE = 0.04  # of the mean: how far apart seats may be in a game that is nearly fair


def mean_and_radius_texts(unit: Unit, play: EstimatedPlay) -> list[tuple[str, str] | None]:
    """Return for each seat the mean of its payoff and the radius of its interval, as a pair of texts; None for a mean
    without bounds.

    All seats have the radius of the widest interval, which is shorter to say and also correct.
    """
    widest = max((each.radius for each in play.means if each), default=Fraction(0)) * unit.chart_scale
    shown = [
        EstimatedMean(each.middle * unit.chart_scale, widest).rounded_texts if each else None for each in play.means
    ]
    radius = max((each[1] for each in shown if each), default="", key=float)
    return [each and (each[0], radius) for each in shown]


def mean_with_interval_text(unit: Unit, mean_and_radius: tuple[str, str], with_unit_name: bool = True) -> str:
    """Return an estimated value with its interval as text, with its unit if ``with_unit_name``: 26.1 % ± 0.5, or 20.4 ±
    0.4 coins. ``mean_and_radius``: the value and the radius, as texts.
    """
    middle, radius = mean_and_radius
    if unit.chance:
        return f"{middle}{' %' * with_unit_name} ± {radius}"
    return f"{middle} ± {radius} {unit.name * with_unit_name}".strip()


def first_payoff_words(answer: EstimatedAnswer, play: EstimatedPlay) -> str:
    """Return the estimated payoff of the first seat in words: wins 26.1 % ± 0.5, or loses 0.3 ± 0.1 coins; empty if it
    has no bounds.
    """
    shown = mean_and_radius_texts(answer.unit, play)[0]
    if shown is None:
        return ""
    lost = shown[0].startswith("-")
    verb = "loses" if lost else _verb_for_payoff(answer)
    return f"{verb} {mean_with_interval_text(answer.unit, (shown[0].removeprefix('-'), shown[1]))}"


def payoffs_clause(rules: Ruleset, texts: Sequence[str], unit: Unit) -> str:
    """Return a clause that says the payoff of each seat. ``texts``: the payoffs as texts, in percent if they are
    chances.

    If there are only two seats, if seats have names, or if one of them loses, each seat is named. Otherwise the payoffs
    are listed in a row.
    """
    verb, of = ("win", " of 100 games") if unit.chance else ("get", f" {unit.name}".rstrip())
    if len(texts) > MAX_NAMED_SEATS and not rules.sides and not any(text.startswith("-") for text in texts):
        return f"Seats 1 to {len(texts)} {verb} {joined(list(texts))}{of}"
    parts = []
    for seat, text in enumerate(texts):
        lost, name = text.startswith("-"), rules.player_name(seat) if rules.sides else rules.seat_name(seat)
        shown, what = text.removeprefix("-"), of if seat == 0 or not unit.chance else ""
        if shown == "0":
            shown, what = "none" if unit.chance else "nothing", ""
        parts.append(f"{name} {'lose' if lost else verb}s {shown}{what}")
    return capital(", ".join(parts))


def grade_badge_html(grade: str, grades_url: str | None = None) -> Html:
    """Return a grade as a coloured label. ``grades_url``: the address to which the label links; None for no link."""
    return tag("span" if grades_url is None else "a", grade, href=grades_url, cls=f"od-grade od-grade--{grade}")


def part_of_game_name(game: Game) -> str:
    """Return the ruleset's name for the part or size of the game that was solved; empty if it has none."""
    part = game.ruleset.covered_part
    words = filled_wording(part, game) if part else None
    return words.removesuffix(".") if words else ""


def usual_policy_sentence(answer: EstimatedAnswer) -> str:
    """Return a sentence that says how the seats play: the line that the ruleset's author wrote for their policy, or
    else its name.
    """
    line = author_line_for_policy(answer.game, answer.setting, answer.policy)
    return line or (capital(sentence(_policy_name(answer.policy))) if answer.policy else NOTHING_TO_DECIDE)


def author_line_for_policy(game: Game, setting: Setting, policy: str = "") -> str:
    """Return the line that the ruleset's author wrote for a policy, as a sentence; empty if there is none. ``policy``:
    the name of the policy, empty for best play.
    """
    home = game.ruleset.edition.main_setting
    usual = bool(policy) or (setting.variants, setting.values) == (home.variants, home.values)
    for written in game.ruleset.advice_lines:
        right = written.policy == policy and not written.option and written.holds_for_seat_count(setting.seats)
        if (
            right
            and written.holds_for_parameters(game.parameters, usual)
            and (text := filled_wording(written.wording, game))
        ):
            return sentence(text)
    return ""


def _policy_name(policy: str) -> str:
    """Return the name of a policy in words."""
    return "any legal action, at random" if policy == ANY else policy


# --- the first screen


def opening_payoff_sentences(answer: EstimatedAnswer) -> str:
    """Return sentences on the payoff of playing by the line at the top of the page."""
    shown, seats = mean_and_radius_texts(answer.unit, answer.usual_play)[0], answer.setting.seats
    if shown is None:
        told = capital(_length_words(answer.usual_play))
    elif seats == 1:
        told = f"This brings {mean_with_interval_text(answer.unit, shown)}"
    else:
        alike = " if all play by this line" if answer.policy else ""
        told = f"With {player_count_words(seats)}, the first one {first_payoff_words(answer, answer.usual_play)}{alike}"
    return f"{told}. {_unknown_value_sentence(answer) if answer.policy else ''}".strip()


def opening_facts(account: RulesetAnswers, answer: EstimatedAnswer) -> list[tuple[str, str, str]]:
    """Return the first questions of visitors, each as question, answer and small print."""
    facts = _other_policies_fact(answer), _fairness_fact(answer), _length_fact(account, answer)
    return [each for each in facts if each]


def estimate_reliability_text(answer: EstimatedAnswer) -> str:
    """Return a sentence or two on how estimates are made and on the meaning of their intervals."""
    games = f"{answer.usual_play.games:,} games were played"
    games += ", and more are to come" if answer.growing else ""
    return f"{games}. The range after ± holds the true number with a chance of 99.9 %."


def _other_policies_fact(answer: EstimatedAnswer) -> tuple[str, str, str] | None:
    """Return the payoffs of other policies, as question, answer and small print; None if no policy was compared."""
    if not answer.compared_plays:
        return None
    found = [
        f"{_policy_subject_words(name, play)} {_payoff_or_length_text(answer, play)}"
        for name, play in answer.compared_plays.items()
    ]
    note = "Seat 1 alone plays so, and the others by the line above." if answer.setting.seats > 1 else ""
    return "What if you play otherwise?", f"{'; '.join(found)}.", note


def _policy_subject_words(name: str, play: EstimatedPlay) -> str:
    """Return the words for a way of playing as the subject of a sentence. ``name``: the name of the policy."""
    return (
        f"“{capital(name)}”"
        if play.known is None
        else f"A machine that can {name}{_note_on_share_of_known_moves(play)}"
    )


def _note_on_share_of_known_moves(play: EstimatedPlay) -> str:
    """Return a note on how often a seat that looks ahead knows the values; empty if always, or if no seat does."""
    return "" if play.known in (None, 1) else f" (known in {float(100 * play.known):.0f} % of the decisions)"


def _payoff_or_length_text(answer: EstimatedAnswer, play: EstimatedPlay) -> str:
    if play.means[0] is None:
        usual, late = _turn_count_words(play.median), _turn_count_words(play.late)
        return f"needs {usual} or fewer in half of the games, and {late} in nine of ten"
    return first_payoff_words(answer, play)


def _verb_for_payoff(answer: EstimatedAnswer) -> str:
    """Return the verb for a payoff: wins if it is a chance, else gets."""
    return "wins" if answer.unit.chance else "gets"


def _fairness_fact(answer: EstimatedAnswer) -> tuple[str, str, str] | None:
    """Return whether the game is fair, as far as the simulated games show, as question, answer and small print; None
    for a single seat, and for games that are played at random, which says nothing of those who think.
    """
    means = [each for each in answer.usual_play.means if each]
    if len(means) < 2 or answer.policy == ANY:
        return None
    low, high = min(means, key=lambda each: each.middle), max(means, key=lambda each: each.middle)
    apart, mean = high.middle - low.middle, sum((each.middle for each in means), Fraction(0)) / len(means)
    off = low.radius + high.radius
    if answer.growing and off > max(apart, abs(mean) * UNSURE_SHARE):
        verdict = "Too few games tell so far"
    else:
        verdict = "No" if apart > off and float(apart) > NEARLY_FAIR_SHARE * abs(float(mean)) else "Nearly"
    note = f"{shared_win_note(answer)} {_unwon_games_note(answer)}".strip()
    return "Is it fair?", f"{verdict}. {_seat_payoffs_clause(answer)}.", note


def _seat_payoffs_clause(answer: EstimatedAnswer) -> str:
    """Return a clause that says the estimated payoff of each seat; empty if the means have no bounds."""
    shown = [each for each in mean_and_radius_texts(answer.unit, answer.usual_play) if each]
    if not shown:
        return ""
    got = payoffs_clause(answer.game.ruleset, [middle for middle, _ in shown], answer.unit)
    return f"{got}, {'each ' * (len(shown) > 1)}± {shown[0][1]}"


def _unwon_games_note(answer: EstimatedAnswer) -> str:
    """Return a sentence that says that nobody wins the other games; empty if the means may add up to 1, or if the
    payoff is no share of one win.
    """
    payoff, means = answer.game.ruleset.payoffs[answer.setting.objective], answer.usual_play.means
    shares = payoff.has_probability_as_mean and any(map(is_share_of_win, payoff.value.walk()))
    most = sum(each.middle + each.radius if each else 1 for each in means)
    return "Nobody wins the other games." if shares and len(means) > 1 and most < 1 else ""


def shared_win_note(answer: Answer | EstimatedAnswer) -> str:
    """Return a sentence that says that players who win together share one win; empty if the rules do not let several
    players win.
    """
    payoff = answer.game.ruleset.payoffs[answer.setting.objective]
    together = (
        answer.setting.seats > MAX_NAMED_SEATS and payoff.is_share and any(map(is_one_or_zero, payoff.value.args))
    )
    return "Players who win together share one win." if together else ""


def _length_fact(account: RulesetAnswers, answer: EstimatedAnswer) -> tuple[str, str, str]:
    note = "Turns of all players together." if answer.setting.seats > 1 else ""
    alike = ", if all play by this line" if answer.policy and answer.setting.seats > 1 else ""
    words, long = (
        f"{_length_words(answer.usual_play)}{alike}",
        duration_text_of_turns(account, answer.game, answer.usual_play.median.middle),
    )
    if not long:
        return "How long is a game?", f"{capital(words)}.", note
    return (
        "How long is a game?",
        f"About {long}: {words}.",
        f"{note} {duration_basis_text(account, answer.game)}".strip(),
    )


def _length_words(play: EstimatedPlay) -> str:
    late = _turn_count_words(play.late)
    if play.median == play.late:
        return f"nine of ten games end within {late}"
    return f"half of the games end within {_turn_count_words(play.median)}, nine of ten within {late}"


def _turn_count_words(length: EstimatedLength) -> str:
    """Return a number of turns in words, with its interval unless both ends are equal."""
    words = plural(length.middle, "turn")
    return words if length.low == length.high else f"{words} ({length.interval_in_words})"


# --- a row for a table size


def estimated_games_html(account: RulesetAnswers) -> list[Html]:
    """Return an element for each estimated game with its payoffs. It is folded unless the page opens with this game.

    If the page opens with a solved game, several estimated games are folded together, and each names its rule.
    """
    opening = account.opening_estimate
    if opening or len(account.estimates) < 2:
        return [_estimated_game_html(account, each, each is opening) for each in account.estimates]
    rows = [_estimated_game_html(account, each, names_rule=True) for each in account.estimates]
    sizes = sorted({each.setting.seats for each in account.estimates})
    summary = tag("summary", f"{capital(player_range_words(sizes[0], sizes[-1]))}: ", grade_badge_html("estimated"))
    return [tag("details", summary, *rows, cls="od-seats")]


def _estimated_game_html(
    account: RulesetAnswers, answer: EstimatedAnswer, is_main_answer: bool = False, names_rule: bool = False
) -> Html:
    """Return the element of an estimated game. ``names_rule``: whether the line that stays visible says how to play."""
    setting, usual = (
        answer.setting,
        account.opening_estimate.setting if account.opening_estimate else account.ruleset.edition.main_setting,
    )
    words = [player_count_words(setting.seats)]
    words += [setting.objective.replace("_", " ")] if setting.objective != usual.objective else []
    if setting.values != usual.values or setting.variants != usual.variants:
        words += setting.changes_in_words(account.ruleset.parameters)
    known = _seat_payoffs_clause(answer) or capital(_length_words(answer.usual_play))
    line = usual_policy_sentence(answer) if answer.policy else ""
    _, length, _ = _length_fact(account, answer)
    head = f"{capital(', '.join(words))}: {line} " if names_rule and line else f"{capital(', '.join(words))}: "
    return tag(
        "details",
        tag("summary", head, tag("span", f"{known}."), " ", grade_badge_html("estimated")),
        *([tag("p", line, cls="od-line")] if line and not names_rule else []),
        *_seats_table(account, answer),
        *_policies_table(answer),
        tag(
            "p",
            f"{_unwon_games_note(answer)} {length} "
            f"{estimate_reliability_text(answer)} {_meaning_sentence(answer)}".strip(),
            cls="od-note",
        ),
        cls="od-seats od-main" if is_main_answer else "od-seats",
        open=is_main_answer,
    )


def _seats_table(account: RulesetAnswers, answer: EstimatedAnswer) -> list[Html]:
    """Return a table of the estimated payoff of each seat if all play by the same policy."""
    shown = {
        account.ruleset.seat_name(seat): each
        for seat, each in enumerate(mean_and_radius_texts(answer.unit, answer.usual_play))
    }
    plays = f" if all play “{_policy_name(answer.policy)}”" if answer.policy and len(shown) > 1 else ""
    return _means_table(answer, f"What each seat {_verb_for_payoff(answer)}{plays}, estimated", "seat", shown)


def _policies_table(answer: EstimatedAnswer) -> list[Html]:
    """Return a table of the payoffs of other policies in the first seat; an empty list if no policy was compared."""
    if not answer.compared_plays:
        return []
    plays = {answer.policy: answer.usual_play, **answer.compared_plays}
    shown = {
        f"{name}{_note_on_share_of_known_moves(play)}": mean_and_radius_texts(answer.unit, play)[0]
        for name, play in plays.items()
    }
    others = "" if answer.setting.seats == 1 else f", if the others play “{answer.policy}”"
    caption = f"Other ways of playing in the first seat{others}, estimated"
    return _means_table(answer, caption, "way of playing", shown, cls="od-text")


def _means_table(
    answer: EstimatedAnswer,
    caption: str,
    names_heading: str,
    means_by_name: Mapping[str, tuple[str, str] | None],
    **name_cell_attributes: object,
) -> list[Html]:
    """Return a table of the known means with their intervals, by name; an empty list if no mean is known.

    ``names_heading``: the heading of the names. ``name_cell_attributes``: attributes of the cells with names.
    """
    unit = answer.unit
    rows = [
        [row_header(name, **name_cell_attributes), cell(mean_with_interval_text(unit, each, with_unit_name=False))]
        for name, each in means_by_name.items()
        if each
    ]
    return [table(caption, [column_header(names_heading), column_header(unit.axis_name)], rows)] if rows else []


def _meaning_sentence(answer: EstimatedAnswer) -> str:
    """Return a sentence that says whether the numbers are the value of the game or only the payoff of the policies."""
    if not answer.policy:
        return "Nobody ever has a choice, so this is what the game is worth."
    if answer.setting.seats == 1:
        return (
            "Best play takes as many or fewer." if answer.is_payoff_minimized else "Best play brings as much or more."
        )
    return f"{_unknown_value_sentence(answer)} So these numbers say what this way of playing brings, and no more."


def _unknown_value_sentence(answer: EstimatedAnswer) -> str:
    if answer.game.seats > 2 and answer.game.ruleset.has_secrets:
        return UNKNOWN_OF_SECRETS
    if answer.unsolvable:
        return f"We do not know best play: {answer.unsolvable}."
    return UNKNOWN_YET if answer.growing else UNKNOWN


def solved_games_note(account: RulesetAnswers) -> list[Html]:
    """Return a paragraph that introduces the solved games, if the page opens with a larger game that is only estimated.
    Otherwise return an empty list.
    """
    if not account.opening_estimate or account.main.result is None:
        return []
    about = part_of_game_name(account.main.game)
    words = f"Smaller games are solved: {about}." if about else "A smaller game is solved."
    return [tag("p", f"{words} All numbers from here on are of those, and are exact or proven.", cls="od-note")]
