"""Table sizes that are too large to be solved, on pages: marked wherever they stand, and never taken for anything else."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from fractions import Fraction
from html import unescape
from pathlib import Path
from typing import Any

import pytest

import oddsmith
from oddsmith.api import LoadedRuleset
from oddsmith.base.errors import RulesetError, TooManyStatesError
from oddsmith.base.location import Source
from oddsmith.publish.pages.card import card_page
from oddsmith.publish.sections.estimated import (
    author_line_for_policy,
    estimated_games_html,
    mean_and_radius_texts,
    mean_with_interval_text,
    opening_facts,
    opening_payoff_sentences,
    payoffs_clause,
    usual_policy_sentence,
)
from oddsmith.publish.site import publish, site_pages
from oddsmith.report.answers import EstimatedLength, EstimatedPlay, estimated, names, solving
from oddsmith.report.answers.accounts import GAMES_OF_QUICK_ESTIMATE, RulesetAnswers, answers_of
from oddsmith.report.answers.growing import growing_answers
from oddsmith.report.answers.shipped import ShippedAnswers, estimate_file_name_and_bytes
from oddsmith.report.answers.store import Store
from oddsmith.report.facts.unit import Unit
from oddsmith.ruleset import bind
from oddsmith.ruleset.model import Ruleset
from oddsmith.ruleset.reading.build import load_ruleset, read_ruleset
from oddsmith.solve import EstimatedMean, Solution, solve
from tests.cases import RULESETS
from tests.publish.test_store import SECRET, TEXT, Memory
from tests.secrets.test_errors import BOAST

RULES = (
    TEXT.replace("seats: 2\n", "seats: {min: 1, max: 4, default: 2}\n").replace(
        "payoffs:\n", "payoffs:\n  heads: score\n", 1
    )
    + """policies:
  stop at once:
    decide:
      - {option: Stop}
      - {option: Toss}
  stop at two:
    decide:
      - {option: Stop, when: stash >= 2}
      - {option: Toss}
      - {option: Stop}
regular: stop at once
remember:
  - line: Take each head home.
    policy: stop at once
    set: {target: 4}
  - line: Dare a little.
    policy: stop at two
publish:
  seats: [2]
  objectives: [win]
  variants: []
  estimated:
    - {seats: [3, 4], compared: [stop at two], games: 20000}
    - {seats: [3], set: {target: 4}, objective: heads, games: 5000}
"""
)


def rules(text: str = RULES) -> Ruleset:
    return read_ruleset(Source("piglet.yaml", text))[0]


@pytest.fixture(scope="module")
def account() -> RulesetAnswers:
    return answers_of(rules())


def words(page: bytes) -> str:
    return " ".join(unescape(re.sub("<[^>]*>", " ", page.decode())).split())


def test_each_number_is_near_to_what_solving_finds(account: RulesetAnswers) -> None:
    assert [each.setting.seats for each in account.estimates] == [3, 4, 3]
    for each in account.estimates:
        for play in each.plays:
            of = dict(enumerate(play.policies, 1))
            solved = solve(each.game, each.setting.objective, policies=of)
            for mean, value in zip(play.means, solved.values, strict=True):
                assert mean is not None
                assert abs(mean.middle - value.middle) <= mean.radius
    assert account.estimates[0].policy == "stop at once"
    assert account.estimates[0].compared_plays["stop at two"].policies == (
        "stop at two",
        "stop at once",
        "stop at once",
    )


def test_a_page_has_a_row_for_each_table_size_and_marks_it(account: RulesetAnswers) -> None:
    page = site_pages([account], {})["games/piglet.md"]
    told = words(page)
    assert "The answers here are for 2 players. Those for 3 and 4 are estimated" in told
    rows = re.findall(
        r"<details[^>]*>\s*<summary>[^<]*<span>[^<]*</span>[^<]*<span[^>]*od-grade--estimated.*?</details>",
        page.decode(),
        re.DOTALL,
    )
    assert len(rows) == 3
    assert page.decode().count("±") == sum(row.count("±") for row in rows), "no estimated number stands outside"
    first = account.estimates[0]
    for shown in (
        *mean_and_radius_texts(first.unit, first.usual_play),
        mean_and_radius_texts(first.unit, first.compared_plays["stop at two"])[0],
    ):
        assert shown is not None
        assert mean_with_interval_text(first.unit, shown, with_unit_name=False) in words(rows[0].encode())
    assert "20,000 games were played." in rows[0]
    assert re.search(
        r"3 players, heads, target 4: [A-Z][^:.]*\. Seats 1 to 3 get [0-9.]+, [0-9.]+ and [0-9.]+ heads, "
        r"each ± [0-9.]+\. estimated",
        told,
    )


def test_a_seat_that_looks_ahead_is_compared_with_the_lines() -> None:
    text = RULES.replace("games: 20000", "games: 3000, ahead_from: {seats: 2}")
    shown = answers_of(rules(text))
    three = LoadedRuleset.read(text).at(seats=3, objective="win")
    asked = three.estimate(
        games=3_000,
        policies={2: "stop at once", 3: "stop at once"},
        smaller_game=three.at(seats=2).solve(symmetry=False),
    )
    name, first = "look ahead by the values of 2 seats", shown.estimates[0]
    assert asked.known_share == 1
    assert first.compared_plays[name] == EstimatedPlay.of(asked)
    assert list(first.compared_plays) == ["stop at two", name]
    mean = mean_and_radius_texts(first.unit, first.compared_plays[name])[0]
    assert mean is not None
    said = words(site_pages([shown], {})["games/piglet.md"])
    assert f"{name} {mean_with_interval_text(first.unit, mean, with_unit_name=False)}" in said
    unpacked = estimated.unpack_estimate(estimated.pack_estimate(first), rules(text), first.of)
    assert unpacked.plays == first.plays
    assert names.estimate_address(rules(text), first.of) != names.estimate_address(
        rules(text), replace(first.of, look_ahead_setting=None)
    )


def test_how_often_a_seat_that_looks_ahead_knows_the_values_is_said(account: RulesetAnswers) -> None:
    first, *others = account.estimates
    usual, compared = first.plays
    half = replace(first, plays=(usual, replace(compared, known=Fraction(1, 2))))
    said = words("".join(estimated_games_html(replace(account, estimates=(half, *others)))).encode())
    assert "stop at two (known in 50 % of the decisions)" in said
    told = " ".join(opening_facts(account, half)[0])
    assert "A machine that can stop at two (known in 50 % of the decisions) wins" in told


def test_a_line_is_told_where_it_is_for_the_rules_and_for_the_policy(account: RulesetAnswers) -> None:
    lines = [usual_policy_sentence(each) for each in account.estimates]
    assert lines == ["Stop at once.", "Stop at once.", "Take each head home."]


def test_a_page_can_open_with_what_is_estimated() -> None:
    opened = answers_of(rules(RULES.replace("  seats: [2]\n", "  seats: [2]\n  opens_with: estimated\n")))
    files = site_pages([opened], {})
    page = words(files["games/piglet.md"])
    first = opened.estimates[0]
    shown = mean_and_radius_texts(first.unit, first.usual_play)[0]
    assert shown is not None
    assert opened.opening_estimate is first
    screen, _, rest = page.partition("What to do")
    wins = mean_with_interval_text(first.unit, shown)
    assert (
        f"With 3 players, the first one wins {wins} if all play by this line. We have not solved a game of this size"
        in screen
    )
    assert screen.count("estimated") >= 2
    assert "All numbers from here on are of those, and are exact or proven." in rest
    card = words(card_page(opened).partition(b"</article>")[0])
    assert "All numbers are estimated." in card
    assert "Estimated, by Oddsmith." in card
    table = json.loads(files["games/piglet/play.json"])["settings"]
    assert [(each["seats"], each["policy"]) for each in table[:3]] == [(3, None), (4, None), (3, None)]
    assert table[3]["policy"]


def test_the_table_offers_every_size(account: RulesetAnswers) -> None:
    table = json.loads(site_pages([account], {})["games/piglet/play.json"])["settings"]
    assert [(each["seats"], bool(each["policy"])) for each in table] == [(2, True), (3, False), (4, False), (3, False)]
    assert [each["kind"] for each in table[1]["opponents"]] == ["named", "named", "random"]


def test_what_is_kept_is_not_played_again(account: RulesetAnswers, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf, fresh = Memory(), publish([rules()])
    kept = publish([rules()], answers=Store(shelf, SECRET))
    monkeypatch.setattr(estimated, "estimate", None)
    assert publish([rules()], answers=Store(shelf, SECRET)) == kept == fresh
    files = dict(map(estimate_file_name_and_bytes, account.estimates))
    came = ShippedAnswers(lambda _: files)
    for each in account.estimates:
        known = came.known_estimate(rules(), each.of)
        assert known is not None
        assert (known.of, known.plays) == (each.of, each.plays)


@pytest.mark.parametrize("what", ["rules", "policy", "games", "seats", "version", "bytes"])
def test_estimates_of_anything_else_are_refused(
    what: str, account: RulesetAnswers, monkeypatch: pytest.MonkeyPatch
) -> None:
    files, text = dict(map(estimate_file_name_and_bytes, account.estimates[:1])), RULES
    changes = {
        "rules": ("when: stash > 0 or may_wait", "when: stash > 1 or may_wait"),
        "policy": ("regular: stop at once", "regular: stop at two"),
        "games": ("games: 20000", "games: 20001"),
        "seats": ("seats: [3, 4], compared", "seats: [4], compared"),
    }
    if what in changes:
        text = RULES.replace(*changes[what])
        assert text != RULES
    elif what == "version":
        monkeypatch.setattr(estimated, "VERSION", estimated.VERSION + 1)
    else:
        files = {name: data[:-1] + bytes([data[-1] ^ 1]) for name, data in files.items()}
    found = rules(text)
    assert ShippedAnswers(lambda _: files).known_estimate(found, found.edition.estimated_games[0]) is None


def test_a_site_that_grows_ends_with_all_of_it(account: RulesetAnswers) -> None:
    *_, before, last = growing_answers(rules())
    assert [each.plays for each in before.estimates] == [each.plays for each in account.estimates]
    assert before.verdicts == ()
    assert [each.plays for each in last.estimates] == [each.plays for each in account.estimates]
    assert last.verdicts == account.verdicts


def test_names_of_estimates_differ_from_those_of_answers(account: RulesetAnswers) -> None:
    first = account.estimates[0]
    assert names.estimate_address(rules(), first.of) != names.answer_address(rules(), first.setting)


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("compared: [stop at two]", "compared: [stop at too]", "OD367"),
        ("seats: [3, 4], compared", "seats: [3, 5], compared", "OD354"),
        ("set: {target: 4}, objective", "set: {goal: 4}, objective", "OD366"),
        ("    set: {target: 4}\n", "    set: {target: 40}\n", "OD354"),
        ("games: 5000", "games: 10", "OD"),
        ("games: 20000", "games: 20000, ahead_from: {seats: 4}", "OD354.*at most the 3 of this one"),
        ("games: 20000", "games: 20000, ahead_from: {set: {goal: 4}}", "OD366"),
        ("games: 20000", "games: 20000, ahead_from: {objective: win}", "OD"),
    ],
)
def test_what_is_not_there_is_refused_at_its_line(old: str, new: str, code: str) -> None:
    text = RULES.replace(old, new)
    assert text != RULES
    with pytest.raises(RulesetError, match=code):
        rules(text)


def test_what_is_too_large_is_estimated_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the regular, or by any legal action where there is none; and the page opens with it."""

    def refuse(*_: Any, **__: Any) -> Solution:
        raise TooManyStatesError("too many positions")

    monkeypatch.setattr(solving, "solve", refuse)
    for text, line in ((RULES, "Stop at once."), (TEXT, "Any legal action, at random.")):
        found = answers_of(replace(rules(text), edition=replace(rules(text).edition, estimated_games=(), variants=())))
        assert found.main.result is None
        assert found.opening_estimate is not None
        assert found.opening_estimate.usual_play.games == GAMES_OF_QUICK_ESTIMATE
        screen = words(site_pages([found], {})["games/piglet.md"]).partition("What to do")[0]
        assert line in screen
        assert "Not solved" not in screen
        assert "estimated" in screen
        card = words(card_page(found))
        assert line in card
        assert "Not solved" not in card
    kept = Store(shelf := Memory(), SECRET)
    first = answers_of(rules(), store=kept)
    made = shelf.written
    assert answers_of(rules(), store=kept).estimates[0].plays == first.estimates[0].plays
    assert shelf.written == made, "what was refused and estimated is kept"


def test_numbers_have_their_unit_and_no_more_digits_than_are_known() -> None:
    chance, coins = Unit("", chance=True), Unit("coins", chance=False)
    shown = mean_and_radius_texts(chance, played(EstimatedMean(Fraction(26137, 100_000), Fraction(53, 10_000))))[0]
    assert shown is not None
    assert mean_with_interval_text(chance, shown) == "26.1 % ± 0.6"
    assert mean_with_interval_text(chance, shown, with_unit_name=False) == "26.1 ± 0.6"
    assert mean_and_radius_texts(coins, played(EstimatedMean(Fraction(204, 10), Fraction(1, 3)))) == [("20.4", "0.4")]


def played(*means: EstimatedMean | None) -> EstimatedPlay:
    length = EstimatedLength(3, 3, 3)
    return EstimatedPlay((), 1_000, 7, means, length, length)


def test_all_seats_have_the_same_interval_wide_enough_for_each() -> None:
    """Rounding moves one middle by 0.05 and the other by nothing, so their own intervals would be told as 0.7 and 0.6."""
    means = [EstimatedMean(Fraction(each, 10_000), Fraction(58, 10_000)) for each in (5575, 4420)]
    shown = mean_and_radius_texts(Unit("", chance=True), played(*means, None))
    assert [each and each[1] for each in shown] == ["0.7", "0.7", None]
    for mean, each in zip(means, shown, strict=False):
        assert each is not None
        assert Fraction(each[1]) >= 100 * mean.radius + abs(Fraction(each[0]) - 100 * mean.middle)


def test_what_the_seats_get_is_told_by_name_for_two_and_in_a_row_for_more() -> None:
    rules, sides = oddsmith.load("pig").ruleset, oddsmith.load("tests/samples/three-beasts.yaml").ruleset
    chance, coins = Unit("", chance=True), Unit("coins", chance=False)
    assert payoffs_clause(rules, ["49.05", "50.95"], chance) == "Seat 1 wins 49.05 of 100 games, seat 2 wins 50.95"
    assert (
        payoffs_clause(rules, ["30.7", "23.9", "45.4"], chance) == "Seats 1 to 3 win 30.7, 23.9 and 45.4 of 100 games"
    )
    assert payoffs_clause(rules, ["1.5", "2", "3"], coins) == "Seats 1 to 3 get 1.5, 2 and 3 coins"
    lost = payoffs_clause(rules, ["0.5", "-0.5", "0"], coins)
    assert lost == "Seat 1 gets 0.5 coins, seat 2 loses 0.5 coins, seat 3 gets nothing"
    named = payoffs_clause(sides, ["11.11", "0", "88.89"], chance)
    assert named == "The wolf wins 11.11 of 100 games, the bear wins none, the sly fox wins 88.89"


def test_a_length_that_half_of_the_games_and_nearly_all_have_is_told_once(account: RulesetAnswers) -> None:
    first = account.estimates[0]
    same = replace(first, plays=tuple(replace(play, late=play.median) for play in first.plays))
    told = dict(each[:2] for each in opening_facts(account, same))["How long is a game?"]
    words = r"nine of ten games end within [0-9]+ turns?( \([^)]*\))?, if all play by this line\."
    assert re.fullmatch(rf"About [0-9]+ minutes?: {words}", told)
    unknown = replace(account, plain=(), objectives=(), changed=())  # nothing says how often dice are rolled
    told = dict(each[:2] for each in opening_facts(unknown, same))["How long is a game?"]
    assert re.fullmatch(words.replace("nine", "Nine", 1), told)


@pytest.mark.parametrize("path", sorted(RULESETS.glob("*.yaml")), ids=lambda path: path.stem)
def test_no_page_heads_a_table_size_with_the_name_of_a_policy(path: Path) -> None:
    """A name such as *sail with 8* is for rules; the heading is a line that a person wrote."""
    rules = load_ruleset(path)[0]
    for each in rules.edition.estimated_games:
        policy = each.policy or rules.regular_policy
        if policy in rules.policies:
            assert author_line_for_policy(bind(rules, each.setting), each.setting, policy), (each.setting, policy)


def test_a_page_that_opens_with_a_solved_game_of_secrets_folds_the_others() -> None:
    text = (RULESETS / "liars-dice.yaml").read_text("utf-8").replace("sides: {default: 6", "sides: {default: 2")
    few = (
        "publish:\n  seats: [2]\n  estimated:\n"
        "    - {seats: [3, 4], policy: doubt sooner, games: 1000}\n"
        "    - {seats: [2], set: {cups: 2}, policy: doubt sooner, games: 1000}\n"
    )
    text = re.sub(r"^claims:.*\Z", few, text, flags=re.DOTALL | re.MULTILINE)
    account = answers_of(read_ruleset(Source("liars-dice.yaml", text))[0])
    (shown,) = estimated_games_html(account)
    assert "2 to 4 players" in shown
    assert " open" not in shown
    assert "The answers here are for 2 players, with 1 die." in words(site_pages([account], {})["games/liars-dice.md"])


def test_two_players_with_secrets_and_unequal_sums_are_told_why_and_no_random_play_is_called_fair() -> None:
    account = answers_of(read_ruleset(Source("boast.yaml", BOAST.replace("else -gain", "else 0")))[0])
    opening = account.opening_estimate
    assert opening is not None
    told = opening_payoff_sentences(opening)
    assert "We do not know best play: what the seats get adds up to " in told
    assert "more than two players" not in told
    assert not [each for each in opening_facts(account, opening) if each[0] == "Is it fair?"]
