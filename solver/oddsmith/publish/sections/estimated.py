"""Games that are too large to be solved: what many plays brought, at other table sizes or as what a page opens with."""

from __future__ import annotations

from fractions import Fraction

from oddsmith.base.exact import plural
from oddsmith.publish.markup.html import Html, cell, column, esc, join, row, table, tag
from oddsmith.report.answers import EstimatedAnswer, EstimatedLength, EstimatedMean, EstimatedPlay, RulesetAnswers
from oddsmith.report.english import capital, filled, player_count, player_range, sentence
from oddsmith.report.facts import Unit
from oddsmith.ruleset.model import ANY

NOTHING_TO_DECIDE = "There is nothing to decide: the dice do everything."
UNKNOWN = "Best play is not known: there are too many positions to look at."
NEARLY = 0.02  # of the mean: how far apart seats may be in a game that is nearly fair


def around(unit: Unit, mean: EstimatedMean, named: bool = True) -> str:
    """An estimated value with its interval, and with its unit if it is ``named``: 26.1 % ± 0.5, or 20.4 ± 0.4 coins."""
    middle, radius = EstimatedMean(mean.middle * unit.scale, mean.radius * unit.scale).shown
    if unit.chance:
        return f"{middle}{' %' * named} ± {radius}"
    return f"{middle} ± {radius} {unit.name * named}".strip()


def estimated_badge(grades: str = "") -> Html:
    """The word for what is estimated. ``grades``: where it is explained."""
    style = "od-grade od-grade--estimated"
    return tag("a", "estimated", href=grades, cls=style) if grades else tag("span", "estimated", cls=style)


def estimated_line(answer: EstimatedAnswer) -> str:
    """What the seats play by, in a sentence: as a person put it, else the name of the policy."""
    rules, setting = answer.game.ruleset, answer.setting
    home = rules.edition.home
    usual = (setting.variant, setting.values) == (home.variant, home.values)
    for written in rules.remember:
        serves = written.policy == answer.policy and written.serves(setting.seats)
        text = filled(written.wording, answer.game) if serves and written.is_for(answer.game.parameters, usual) else ""
        if text:
            return sentence(text)
    return capital(sentence(_way(answer.policy))) if answer.policy else NOTHING_TO_DECIDE


def _way(policy: str) -> str:
    """What a way of playing is called."""
    return "any legal action, at random" if policy == ANY else policy


# --- the first screen


def opening_words(answer: EstimatedAnswer) -> str:
    """What playing by the line of the page brings, in sentences."""
    mean = answer.usual.means[0]
    alone, unknown = answer.setting.seats == 1, UNKNOWN if answer.policy else ""
    if mean is None:
        return f"{capital(_lengths(answer.usual))}. {unknown}".strip()
    verb = "wins" if answer.unit.chance else "gets"
    who = "" if alone else f"With {player_count(answer.setting.seats)}, "
    who += "this brings" if alone else f"the first one {verb}"
    alike = " if all play so" if answer.policy and not alone else ""
    return f"{capital(who)} {around(answer.unit, mean)}{alike}. {unknown}".strip()


def opening_facts(answer: EstimatedAnswer) -> list[tuple[str, str, str]]:
    """What people ask first: question, answer, and what goes with it in small print."""
    return [each for each in (_otherwise(answer), _fair(answer), _long(answer)) if each]


def opening_sure(answer: EstimatedAnswer) -> str:
    """How estimates come about and what the interval means, in a sentence or two."""
    games = f"{answer.usual.games:,} games were played"
    return f"{games}. What follows ± is so wide that it holds the true number with a chance of 99.9 %."


def _otherwise(answer: EstimatedAnswer) -> tuple[str, str, str] | None:
    """What other ways of playing bring."""
    if not answer.compared:
        return None
    found = [f"“{capital(name)}” {_brings(answer, play)}" for name, play in answer.compared.items()]
    note = "Seat 1 alone plays so, and the others by the line above." if answer.setting.seats > 1 else ""
    return "What if you play otherwise?", f"{'; '.join(found)}.", note


def _brings(answer: EstimatedAnswer, play: EstimatedPlay) -> str:
    mean = play.means[0]
    if mean is None:
        return f"needs {_turns(play.median)} or fewer in half of the games, and {_turns(play.late)} in nine of ten"
    return f"{'wins' if answer.unit.chance else 'gets'} {around(answer.unit, mean)}"


def _fair(answer: EstimatedAnswer) -> tuple[str, str, str] | None:
    """Whether seats are alike, as far as the games tell."""
    means = [each for each in answer.usual.means if each]
    if len(means) < 2:
        return None
    low, high = min(means, key=lambda each: each.middle), max(means, key=lambda each: each.middle)
    apart, mean = high.middle - low.middle, sum((each.middle for each in means), Fraction(0)) / len(means)
    told = apart > low.radius + high.radius and float(apart) > NEARLY * abs(float(mean))
    verdict = "No" if told else "Nearly"
    return "Is it fair?", f"{verdict}. The seats {_seats_get(answer)}.", ""


def _seats_get(answer: EstimatedAnswer) -> str:
    """What each seat wins or gets; empty where that has no bounds."""
    unit, means = answer.unit, [each for each in answer.usual.means if each]
    if not means:
        return ""
    widest = max(each.radius for each in means)  # one interval for all is shorter, and as true
    shown = [EstimatedMean(each.middle * unit.scale, widest * unit.scale).shown for each in means]
    texts, radius = " · ".join(middle for middle, _ in shown), max((radius for _, radius in shown), key=float)
    return f"{'win' if unit.chance else 'get'} {texts}{' %' if unit.chance else f' {unit.name}'}, each ± {radius}"


def _long(answer: EstimatedAnswer) -> tuple[str, str, str]:
    note = "Turns of all players together." if answer.setting.seats > 1 else ""
    return "How long is a game?", f"{capital(_lengths(answer.usual))}.", note


def _lengths(play: EstimatedPlay) -> str:
    return f"half of the games end within {_turns(play.median)}, nine of ten within {_turns(play.late)}"


def _turns(length: EstimatedLength) -> str:
    """A number of turns, with its interval where that is wider."""
    words = plural(length.middle, "turn")
    return words if length.low == length.high else f"{words} ({length.interval})"


# --- a row for a table size


def estimated_rows(account: RulesetAnswers) -> list[Html]:
    """What each table size brings that is estimated, folded away but for the one that the page opens with.

    Where the page opens with what is solved, several are folded away together.
    """
    rows = [_row(account, each, each is account.opening) for each in account.estimates]
    if account.opening or len(rows) < 2:
        return rows
    sizes = sorted({each.setting.seats for each in account.estimates})
    summary = tag("summary", f"{capital(player_range(sizes[0], sizes[-1]))}: ", estimated_badge())
    return [tag("details", summary, *rows, cls="od-seats")]


def _row(account: RulesetAnswers, answer: EstimatedAnswer, main: bool) -> Html:
    setting, usual = answer.setting, account.opening.setting if account.opening else account.ruleset.edition.home
    words = [player_count(setting.seats)]
    words += [setting.objective.replace("_", " ")] if setting.objective != usual.objective else []
    words += setting.changes if setting.values != usual.values or setting.variant != usual.variant else []
    known = f"The seats {got}" if (got := _seats_get(answer)) else capital(_lengths(answer.usual))
    return tag(
        "details",
        tag("summary", f"{capital(', '.join(words))}: ", tag("span", f"{known}."), " ", estimated_badge()),
        *([tag("p", estimated_line(answer), cls="od-line")] if answer.policy else []),
        *_values(account, answer),
        *_compared(answer),
        tag("p", f"{capital(_lengths(answer.usual))}. {opening_sure(answer)} {_meant(answer)}", cls="od-note"),
        cls="od-seats od-main" if main else "od-seats",
        open=main,
    )


def _values(account: RulesetAnswers, answer: EstimatedAnswer) -> list[Html]:
    """What each seat gets if all play alike."""
    unit, means = answer.unit, answer.usual.means
    rows = [
        [row(account.ruleset.seat(seat)), cell(around(unit, mean, named=False))]
        for seat, mean in enumerate(means)
        if mean
    ]
    plays = f" if all play “{_way(answer.policy)}”" if answer.policy and len(means) > 1 else ""
    head = [column("seat"), column(unit.axis)]
    return [table(f"What each seat {'wins' if unit.chance else 'gets'}{plays}, estimated", head, rows)] if rows else []


def _compared(answer: EstimatedAnswer) -> list[Html]:
    """What other ways of playing bring the first seat."""
    unit, ways = answer.unit, {answer.policy: answer.usual, **answer.compared}
    means = {name: play.means[0] for name, play in ways.items()}
    rows = [[row(name, cls="od-text"), cell(around(unit, mean, named=False))] for name, mean in means.items() if mean]
    alone = "" if answer.setting.seats == 1 else f", if the others play “{answer.policy}”"
    head = [column("way of playing"), column(unit.axis)]
    return (
        [table(f"Other ways of playing in the first seat{alone}, estimated", head, rows)]
        if answer.compared and rows
        else []
    )


def _meant(answer: EstimatedAnswer) -> str:
    """What the numbers are of: of the game, or of ways of playing it."""
    if not answer.policy:
        return "Nobody ever has a choice, so this is what the game is worth."
    if answer.setting.seats == 1:
        return "Best play takes no more." if _is_cost(answer) else "Best play brings at least as much."
    return f"{UNKNOWN} So these numbers say what this way of playing brings, and no more."


def _is_cost(answer: EstimatedAnswer) -> bool:
    """Whether less is better, as of turns."""
    return answer.game.ruleset.payoffs[answer.setting.objective].goal == "min"


def solved_note(account: RulesetAnswers) -> list[Html]:
    """What is said before the games that are solved, where the page opens with a larger one."""
    if not account.opening or account.main.result is None:
        return []
    about = filled(account.ruleset.part, account.main.game) if account.ruleset.part else None
    words = f"Smaller games are solved: {about.removesuffix('.')}." if about else "A smaller game is solved."
    return [
        tag("p", join([esc(f"{words} All numbers from here on are of those, and are exact or proven.")]), cls="od-note")
    ]
