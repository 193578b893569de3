"""The files with which a page plays its game and advises in any position: the rules as JSON, texts, and tables of best
play.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from oddsmith.base.exact import Number, fraction_text
from oddsmith.base.files import is_shipped_ruleset
from oddsmith.publish.markup.html import Html, tag
from oddsmith.publish.markup.numbers import readable_decimal_text
from oddsmith.report.answers import Answer, EstimatedAnswer, RulesetAnswers, SecretAnswer
from oddsmith.report.english import game_bundle, unsolved_setting_data
from oddsmith.report.facts import Unit
from oddsmith.report.policy import Opponent
from oddsmith.ruleset import canonical_bytes, sha256
from oddsmith.ruleset.model import Ruleset

SCRIPTS = "assets"
"""The folder of scripts, below the root of a site."""

BY_TABLE = ("best", "mixture")
"""The kinds of opponents that need a table of best play."""

SERVE_COMMAND = "python -m http.server"
"""The command by which a folder of pages is served to the browser of the same machine."""

TABLE = "table"
"""The folder of the page on which friends play together by sharing a link, below the root of a site."""


def play_files(
    account: RulesetAnswers, omitted_slugs: Collection[str] = (), with_training: bool = True
) -> dict[str, bytes]:
    """Return the files with which a page plays a game, by path below the game's folder: ``play.json``, which names the
    tables, and these tables.

    The result is empty if nothing can be played. Estimated games have no table: visitors play them against policies.
    They come first if the page opens with an estimated game. ``omitted_slugs``: the slugs of solved settings whose
    tables are left out; these too are played against policies. ``with_training``: whether to add the data of the
    trainer, which asks for decisions in which people go wrong. Settings whose tables have the same bytes share a file.
    """
    paths = dict[bytes, str]()
    settings = []
    for answer in playable_answers(account):
        assert answer.policy_and_value_tables is not None
        policy, values = answer.policy_and_value_tables
        asked = answer.training_table if with_training else None
        kinds: dict[str, bytes | None] = {"policy": policy, "values": values, "training": asked}
        if answer.slug in omitted_slugs:
            kinds = dict.fromkeys(kinds)
        names = {
            kind: paths.setdefault(data, f"play/{answer.slug}.{kind}.gz") if data else None
            for kind, data in kinds.items()
        }
        settings.append(_setting_data(account, answer, kinds["policy"] is not None) | names)
    for secret in account.secrets:
        if secret.plan:
            path = paths.setdefault(secret.plan, f"play/{secret.slug}.plan.gz")
            settings.append(_secret_setting_data(secret, path))
    unsolved = [_estimated_setting_data(account, each) for each in account.estimates]
    first = account.opening_estimate is not None  # what the first screen is about comes first
    settings = unsolved + settings if first else settings + unsolved
    if not settings:
        return {}
    rules = account.ruleset
    tables = {path: data for data, path in paths.items()}
    return {"play.json": canonical_bytes(game_bundle(rules, settings)), **tables}


def game_list_entry(rules: Ruleset, folder_url: str) -> dict[str, Any]:
    """Return the entry of a game in a list of games, as plain data. ``folder_url``: the address of the folder with the
    folders of games.
    """
    return {
        "id": rules.id,
        "title": rules.title,
        "about": rules.summary,
        "rules": sha256(rules),
        "book": f"{folder_url}{rules.id}/play.json",
    }


def game_list_file(accounts: Sequence[RulesetAnswers]) -> dict[str, bytes]:
    """Return the file with the list of games that friends can play together by sharing a link, by its path; empty if
    there are none.
    """
    games = [game_list_entry(each.ruleset, "../games/") for each in accounts if is_playable_by_link(each)]
    return {f"{TABLE}/games.json": canonical_bytes({"format": 1, "games": games})} if games else {}


def is_playable_by_link(account: RulesetAnswers) -> bool:
    """Return whether friends can play the game together by sharing a link. Such a table has no dealer, which excludes
    some games with secrets.
    """
    secret = account.main_secret_answer
    return bool(secret.plan and account.ruleset.needs_no_dealer) if secret else bool(playable_answers(account))


def playable_answers(account: RulesetAnswers) -> list[Answer]:
    """Return the answers with a table of best play, the main game first. Of settings that result in the same game, only
    the first is included.
    """
    found: dict[str, Answer] = {}
    for answer in sorted(account.answers, key=lambda answer: not answer.main):
        setting = answer.setting
        if answer.policy_and_value_tables:
            found.setdefault(f"{setting.seats} {setting.objective} {sorted(answer.game.parameters.items())}", answer)
    return list(found.values())


def _setting_data(account: RulesetAnswers, answer: Answer, has_table: bool) -> dict[str, Any]:
    """Return a setting as plain data. Scripts of the page turn it into words.

    ``has_table``: whether the setting has a table of best play, which some opponents need.
    """
    setting = answer.setting
    opponents = [_opponent_data(answer, each) for each in answer.opponents]
    data: dict[str, Any] = {
        "slug": answer.slug,
        "seats": setting.seats,
        "parameters": dict(answer.game.parameters),
        "unit": answer.unit.name,
        "objective": setting.objective,
        "share": answer.values_are_shares,
        "chance": answer.unit.chance,
        "opponents": [each for each in opponents if has_table or each["kind"] not in BY_TABLE],
    }
    if setting.objective != account.ruleset.edition.main_setting.objective:
        data["aside"] = True
    if answer.wager:
        data["wager"] = fraction_text(answer.wager.stake)
        data["prize"] = fraction_text(answer.wager.prize)
    return data


def _estimated_setting_data(account: RulesetAnswers, answer: EstimatedAnswer) -> dict[str, Any]:
    """Return the setting of an estimated game as plain data."""
    goal = answer.setting.objective
    data = unsolved_setting_data(answer.game, goal, answer.slug) | {
        "unit": answer.unit.name,
        "chance": answer.unit.chance,
    }
    data["opponents"].sort(key=lambda each: each["policy"] != answer.policy)  # who is offered first
    return data | ({} if goal == account.ruleset.edition.main_setting.objective else {"aside": True})


def _secret_setting_data(answer: SecretAnswer, plan_path: str) -> dict[str, Any]:
    """Return the setting of a game with secrets as plain data. ``plan_path``: the path of its table of best play."""
    goal = answer.setting.objective
    opponents = [_opponent_kind_and_odds_data(answer.unit, each) for each in answer.opponents]
    known = {"unit": answer.unit.name, "chance": answer.unit.chance, "opponents": opponents, "plan": plan_path}
    return unsolved_setting_data(answer.game, goal, answer.slug) | known


def _opponent_data(answer: Answer, opponent: Opponent) -> dict[str, Any]:
    """Return an opponent as plain data.

    ``odds`` in the result: the opponent's value in each seat if all others play best; empty if it was not computed.
    ``pot`` in the result: the opponent's chance to win the pot in each seat; missing if the game is played for coins.
    """
    data = _opponent_kind_and_odds_data(answer.unit, opponent) | ({} if answer.strategies else {"kind": "along"})
    return data | (
        {"pot": [_percent_data(value) for value in opponent.wins]}
        if opponent.wins and not answer.is_played_for_coins
        else {}
    )


def _opponent_kind_and_odds_data(unit: Unit, opponent: Opponent) -> dict[str, Any]:
    return {
        "kind": opponent.kind,
        "policy": opponent.policy or None,
        "best": [opponent.best_chance.numerator, opponent.best_chance.denominator] if opponent.best_chance else None,
        "odds": [_value_data(unit, value) for value in opponent.values],
    }


def _value_data(unit: Unit, value: Number) -> dict[str, str]:
    return _percent_data(value) if unit.chance else {"amount": readable_decimal_text(value), "grade": value.grade}


def _percent_data(value: Number) -> dict[str, str]:
    """Return a chance in percent as plain data. ``side`` in the result says whether a chance that is not exact lies
    over or under the number.
    """
    side, amount = value.percentage(2)
    return {"amount": amount, "grade": value.grade} | ({"side": side} if side else {})


def _play_offer_sentence(account: RulesetAnswers) -> str:
    """Return a sentence that says what visitors can do on the page.

    It is about the setting that is open first. If that is not solved, it is about all solved settings.
    """
    advised = [answer for answer in playable_answers(account) if answer.strategies]
    first = account.main if account.main in advised and not account.opening_estimate else None
    shown = [first] if first else advised
    valued = any(answer.policy_and_value_tables and answer.policy_and_value_tables[1] for answer in shown)
    known = f"look up {'what every action is worth' if valued else 'what is best'} in any position"
    if first:
        playing = "play with advice" if first.setting.seats == 1 else "play against best play"
        return f"On this page you can {known}, or {playing}."
    plain = "You can play the game on this page."
    return f"{plain} In a setting that is solved and leaves you a choice, you can also {known}." if advised else plain


def _name_in_terminal(rules: Ruleset) -> str:
    """Return the name under which the command finds a ruleset: the id of a shipped one, or else the name of its file."""
    return rules.id if is_shipped_ruleset(rules.id, rules.source.text) else f"{rules.id}.yaml"


def play_html(account: RulesetAnswers) -> list[Html]:
    """Return the section in which to play; empty if nothing can be played. It is folded at first, so its scripts load
    only when they are used.
    """
    rules = account.ruleset
    secret = account.main_secret_answer
    if secret and not secret.plan:
        return []
    if all(answer.result is None for answer in account.answers) and not account.estimates and not secret:
        return []
    without = f"This needs scripts. In a terminal, oddsmith play {_name_in_terminal(rules)} does the same."
    summary = tag("summary", "Open the table")
    as_file = tag(
        "p",
        "The table is loading. A page that was opened as a file cannot load it: run ",
        tag("code", SERVE_COMMAND),
        " in the folder of these pages, and open http://localhost:8000/ instead.",
    )
    root = tag("div", tag("noscript", without), as_file, data_od_play="play.json", data_search_exclude=True)
    # Addresses as the browser sees them, from games/ID/.
    script = tag("script", type="module", src=f"../../{SCRIPTS}/page/door.mjs")
    about = tag("p", _play_offer_sentence(account))
    if secret:
        dealt = "Its opponents leave to chance what best play leaves to chance, and see no more than their seat does."
        about = tag("p", f"On this page you can play against best play. {dealt}")
    link = tag("a", "table by link", href=f"../../{TABLE}/#game={rules.id}")
    others = tag("p", "To play with others, each on their own device, open a ", link, ".")
    return [
        about,
        tag("details", summary, root, cls="od-play"),
        script,
        *([others] if is_playable_by_link(account) else []),
    ]
