"""What a page needs to play its game and to advise in any position: the rules as a bundle, words, tables of proven play."""

from __future__ import annotations

from typing import Any

from oddsmith.exact import fraction_text
from oddsmith.publish.html import Html, tag
from oddsmith.publish.numbers import amount
from oddsmith.publish.plan import Account, Answer
from oddsmith.report.opponents import Opponent
from oddsmith.report.prose import capital, count
from oddsmith.report.words import plain_name
from oddsmith.ruleset.bundle import bundle, canonical
from oddsmith.ruleset.model import Ruleset

RUNTIME = "assets/runtime"
"""Where a site keeps the modules that read these files, below its root."""


def play_files(account: Account) -> dict[str, bytes]:
    """By name below the game's folder: ``play.json``, which names the tables, and these. Empty where nothing is solved."""
    found: dict[str, bytes] = {}
    settings = []
    for answer in sorted(account.answers, key=lambda answer: not answer.main):
        if not answer.tables:
            continue
        policy, values = answer.tables
        names = {"policy": f"play/{answer.slug}.policy.gz", "values": f"play/{answer.slug}.values.gz"}
        found[names["policy"]] = policy
        if values:
            found[names["values"]] = values
        settings.append(
            _setting(account, answer) | {"policy": names["policy"], "values": names["values"] if values else None}
        )
    if not settings:
        return {}
    rules = account.ruleset
    book: dict[str, Any] = {"bundle": bundle(rules), "words": _words(rules), "settings": settings}
    return {"play.json": canonical(book), **found}


def _setting(account: Account, answer: Answer) -> dict[str, Any]:
    setting = answer.setting
    parts = [count(setting.seats), setting.variant and plain_name(setting.variant)]
    parts += [f"{plain_name(name)} {value}" for name, value in setting.values]
    if setting.objective != account.main.setting.objective:
        parts.append(f"for {plain_name(setting.objective)}")
    return {
        "slug": answer.slug, "label": ", ".join(filter(None, parts)), "seats": setting.seats,
        "parameters": dict(answer.game.parameters), "unit": answer.unit,
        "objective": setting.objective, "share": answer.share,
        "opponents": [_opponent(answer, each) for each in answer.opponents],
    } | ({"wager": fraction_text(answer.wager.stake)} if answer.wager else {})  # fmt: skip


def _opponent(answer: Answer, each: Opponent) -> dict[str, Any]:
    """``odds``: for each seat, what it gets there when all others play best; empty where that was not worked out."""
    what = "to win" if answer.share else "on average"
    return {
        "name": each.name, "kind": each.kind, "policy": each.policy or None,
        "best": [each.steady.numerator, each.steady.denominator] if each.steady else None,
        "odds": [f"{amount(answer, value, 2)} {what}, {value.grade}" for value in each.values],
    }  # fmt: skip


def _words(rules: Ruleset) -> dict[str, Any]:
    """How phases and variables are called."""
    return {
        "phases": {name: capital(plain_name(name)) for name in rules.phases},
        "variables": {name: {"label": plain_name(name), "about": each.about} for name, each in rules.state.items()},
    }


def play_html(account: Account) -> list[Html]:
    """The section: closed at first, so that nobody loads what he does not use; said plainly where there are no scripts."""
    rules = account.ruleset
    if all(answer.solution is None for answer in account.answers):
        return []
    without = f"Without scripts, the same in a terminal: oddsmith play {rules.id}, and oddsmith advise {rules.id}."
    summary = tag("summary", "Open the table")
    root = tag("div", tag("p", without), data_od_play="play.json")
    # Addresses as the browser sees them, from games/ID/.
    script = tag("script", type="module", src=f"../../{RUNTIME}/page.mjs")
    decided = any(answer.strategies for answer in account.answers)
    told = "Look up what every action is worth in any position, or play against proven play, all on this page."
    about = tag("p", told if decided else "Play it on this page.")
    return [about, tag("details", summary, root, cls="od-play"), script]
