"""What lint finds is so, what it does not find is not, and each play that it shows can be played and is a shortest one."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import oddsmith
from oddsmith.base.errors import SettingError
from oddsmith.graph.witness import steps_in_words
from oddsmith.report.lint.finding import Finding, LintReport
from oddsmith.report.lint.linting import lint_game
from oddsmith.report.lint.options import ActionLosses, find_never_best_options, value_range
from oddsmith.report.lint.shape import _endless_rows
from oddsmith.ruleset.checking.codes import problem_codes_by_name
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.rules import Rules, State
from tests.cases import SAMPLES, Case, asked, size, solved
from tests.graph.test_estimate import BOXES
from tests.ruleset.finding import laid_over

LINTED = {code: entry for code, entry in problem_codes_by_name().items() if code.startswith("OD7")}
WITHOUT_PLAY = {"OD704", "OD705", "OD761", "OD791"}  # what never happens, and what is no matter of play
STATES = 150


def small(case: Case, objective: str) -> bool:
    """Whether a game takes moments, played for its first objective."""
    first = objective == case.objectives[0]
    return first and 1 < size(case, objective)["states"] < STATES


SMALL = pytest.mark.parametrize(("case", "objective"), asked(small))
ONE_IN_EIGHT = """\
phases:
  throw:
    roll: {die: d8}
    outcomes:
      - {name: Eight, when: die == 8, then: end}
      - {name: Less, then: pass}
"""


def game_of(fragment: str) -> Game:
    return oddsmith.loads(laid_over(fragment)).game


def linted(fragment: str) -> LintReport:
    return lint_game(game_of(fragment))


def found(fragment: str, code: str) -> list[Finding]:
    return [finding for finding in linted(fragment).findings if finding.code == code]


# --- every code


@pytest.mark.parametrize("code", LINTED)
def test_what_is_odd_is_found_and_what_is_better_is_not(code: str) -> None:
    entry = LINTED[code]
    (finding, *_) = found(entry.wrong_example, code)
    assert bool(finding.play) == (code not in WITHOUT_PLAY)
    assert found(entry.right_example, code) == []


@pytest.mark.parametrize("code", sorted(LINTED.keys() - WITHOUT_PLAY))
def test_the_play_that_shows_it_can_be_played(code: str) -> None:
    game = game_of(LINTED[code].wrong_example)
    for finding in lint_game(game).findings:
        replayed(game, [move for move in finding.play if not move.startswith("and so on")])


def test_plays_name_the_sides_of_a_game() -> None:
    game = oddsmith.load(SAMPLES / "three-beasts.yaml").game
    findings = [finding for finding in lint_game(game).findings if finding.play]
    assert {finding.code for finding in findings} == {"OD711", "OD721", "OD751"}
    assert all(finding.play[0] == "wolf chooses Hunt" for finding in findings)
    for finding in findings:
        replayed(game, list(finding.play))


def replayed(game: Game, play: list[str]) -> State:
    """Where the rules for one position get by some moves; KeyError where one of them cannot be made."""
    rules = Rules(game)
    state = rules.start()
    for move in play:
        state = {words: step.state for words, step in steps_in_words(rules, state)}[move]
    return state


# --- options and choices


@SMALL
def test_losses_and_stakes_are_those_that_advice_and_values_give(case: Case, objective: str) -> None:
    solution = solved(case, objective)
    graph, losses = solution.graph, ActionLosses.of(solution)
    low, high = losses.loss_bounds
    unit = solution.solved.bounds.unit
    told: dict[tuple[int, int], Fraction] = {}
    for state in np.flatnonzero(np.diff(graph.state_rows) > 1).tolist():
        for each in solution.advise(state):
            told[each.row, state] = each.loss.middle
    assert len(told) == len(losses.rows)
    for place, row in enumerate(losses.graph_rows.tolist()):
        exact = told[row, int(losses.graph_states[place])]
        assert low[place] * unit <= exact <= high[place] * unit or abs(exact - low[place] * unit) < Fraction(1, 10**60)
    values = [value.middle for state in range(graph.state_count) for value in solution.state_values(state)]
    ends = [
        Fraction(units, graph.scale) for kind in graph.payoff[graph.target < 0] for units in graph.payoffs[int(kind)]
    ]
    assert abs(value_range(solution).middle - (max(values + ends) - min(values + ends))) < Fraction(1, 10**20)


@SMALL
def test_an_option_is_find_never_best_where_no_advice_ever_names_it(case: Case, objective: str) -> None:
    game, solution = case.game, solved(case, objective)
    graph, phases = solution.graph, game.ruleset.phases
    offered: set[tuple[str, int]] = set()
    best: set[tuple[str, int]] = set()
    for state in np.flatnonzero(np.diff(graph.state_rows) > 1).tolist():
        for each in solution.advise(state):
            phase, entry, _ = graph.actions[int(graph.row_action[each.row])]
            offered.add((phase, entry))
            best |= {(phase, entry)} if each.best else set()
    arena = solution.solved.arena
    copies = np.flatnonzero(arena.reachable_states(solution.solved.rows, start_count=solution.start_count))
    met: set[int] = set((copies // arena.copies_per_state).tolist())
    alone: dict[tuple[str, int], bool] = {}
    for state in np.flatnonzero(
        (np.diff(graph.state_rows) == 1) & (graph.row_action[graph.state_rows[:-1]] >= 0)
    ).tolist():
        phase, entry, _ = graph.actions[int(graph.row_action[graph.state_rows[state]])]
        alone[phase, entry] = alone.get((phase, entry), False) or state in met
    astray = {each for each, taken in alone.items() if not taken}  # the only option where best play never comes: OD702
    dead = {phases[phase].entries[entry].location for phase, entry in offered - best - astray}
    findings = [
        finding for finding in find_never_best_options(solution, ActionLosses.of(solution)) if finding.code == "OD701"
    ]
    assert {finding.problem.location for finding in findings} == dead
    for finding in findings:
        option = next(
            each.name for p in phases.values() for each in p.entries if each.location == finding.problem.location
        )
        assert len(finding.play) == first_offer(game, option)


def first_offer(game: Game, option: str) -> int:
    """How many moves it takes at least to choose an option where there is another."""
    rules = Rules(game)
    wave, seen, count = [rules.start()], {rules.start()}, 0
    while wave:
        count += 1
        following = []
        for state in wave:
            moves = list(steps_in_words(rules, state))
            chosen = [words.partition(" chooses ")[2].partition(" (")[0] for words, _ in moves]
            if option in chosen and len(moves) > 1:
                return count
            following += [step.state for _, step in moves if step.state.phase and step.state not in seen]
            seen.update(following)
        wave = following
    raise AssertionError(f"nobody can choose {option}")


# --- play without end, and long play


@SMALL
def test_play_can_stay_where_every_state_has_an_action_that_stays(case: Case, objective: str) -> None:
    graph = solved(case, objective).graph
    staying = set(range(graph.state_count))
    while True:
        left = {
            state
            for state in staying
            if any(all(int(graph.target[edge]) in staying for edge in graph.edges(row)) for row in graph.rows(state))
        }
        if left == staying:
            break
        staying = left
    rows = np.flatnonzero(_endless_rows(graph))
    assert set(graph.row_state[rows].tolist()) == staying
    assert bool(staying) == bool(solved(case, objective).solved.endless_play_states)


def test_a_play_without_end_comes_back_to_where_it_was() -> None:
    game = game_of(LINTED["OD732"].wrong_example)
    (finding,) = (each for each in lint_game(game).findings if each.code == "OD732")
    assert finding.play[:-1] == ("seat 1 chooses Wait",)
    assert replayed(game, list(finding.play[:-1])).cells == Rules(game).start().cells


def test_a_game_is_too_long_from_the_bound_on() -> None:
    book = oddsmith.loads(laid_over(""))
    longest = next(n for n in range(1, 99) if 1 - Fraction(5, 6) ** n >= Fraction(9, 10))
    for bound, code in ((longest - 1, ["OD731"]), (longest, [])):
        findings = book.lint(bounds={"turns": bound, "favoured": 1}).findings
        assert [finding.code for finding in findings] == code
        assert all(len(finding.play) == bound for finding in findings)


# --- seats


def test_a_seat_is_favoured_beyond_the_bound_and_not_at_it() -> None:
    book = oddsmith.loads(laid_over(""))  # 6/11 against 5/11
    assert [each.code for each in book.lint(bounds={"favoured": "1/12"}).findings] == ["OD721"]
    assert book.lint(bounds={"favoured": "1/11"}).findings == ()


@pytest.mark.parametrize(("weight", "turns"), [("left", 12), ("left * left", 12), ("1", 10)])
def test_the_leader_at_half_time_wins_as_often_as_counting_says(weight: str, turns: int) -> None:
    fragment = f"""\
state:
  left: {{start: {turns}, max: {turns}, about: Turns that are left.}}
  score: {{each: seat, max: 2000, about: Points.}}
payoffs: {{win: share(score)}}
end_when: left == 0
phases:
  throw:
    roll: {{die: d2}}
    outcomes:
      - {{name: Any, do: [add die * {weight} to score, add -1 to left], then: pass}}
"""
    first, rest = scores(range(turns, turns // 2, -1), weight), scores(range(turns // 2, 0, -1), weight)
    leads = Fraction(0)
    for lead, chance in first.items():
        shares = {more: Fraction(1 + (lead + more > 0) - (lead + more < 0), 2) for more in rest}
        wins = sum((rest[more] * shares[more] for more in rest), Fraction(0))
        leads += chance * max(wins, 1 - wins)
    book = oddsmith.loads(laid_over(fragment))
    near = Fraction(1, 10**9)
    for bound, told in ((leads - near, True), (leads + near, False)):
        codes = [each.code for each in book.lint(bounds={"leader": f"{bound.numerator}/{bound.denominator}"}).findings]
        assert ("OD751" in codes) is told


def scores(left: range, weight: str) -> dict[int, Fraction]:
    """How far seat 1 gets ahead of seat 2 in some turns, the first of which is its own or not by their number."""
    law = {0: Fraction(1)}
    for turn in left:
        factor = {"left": turn, "left * left": turn * turn, "1": 1}[weight]
        sign = 1 if turn % 2 == 0 else -1
        after: dict[int, Fraction] = {}
        for lead, chance in law.items():
            for die in (1, 2):
                ahead = lead + sign * die * factor
                after[ahead] = after.get(ahead, Fraction(0)) + chance / 2
        law = after
    return law


# --- coins


def test_a_bank_that_gives_and_takes_is_left_alone() -> None:
    text = LINTED["OD711"].wrong_example.replace("do: move 1 from purse to pot", "do: move 1 from purse to supply")
    assert text != LINTED["OD711"].wrong_example
    assert not [each for each in linted(text).findings if each.code in ("OD711", "OD712")]


def test_a_share_for_the_bank_vanishes() -> None:
    given, taken = "when: die == 1 and pot < 3, do: add 1 to pot", "when: die == 1, do: move 1 from purse to supply"
    text = LINTED["OD711"].wrong_example.replace(given, taken)
    (finding,) = found(text, "OD712")
    assert finding.problem.message.startswith("`move 1 from purse to supply` lets 1 vanish")
    assert finding.play == ("seat 1 in throw: die 1",)


# --- what matters elsewhere


def test_what_another_setting_needs_is_not_called_idle() -> None:
    text = """\
parameters:
  gifts: {default: 0, min: 0, max: 2, about: Coins that a one brings into the pot.}
phases:
  throw:
    roll: {die: d6}
    outcomes:
      - {name: Six, when: die == 6, then: end}
      - {name: Rich, when: die == 5 and pot > 2, then: end}
      - {name: One, when: die == 1 and pot < 5, do: add gifts to pot, then: pass}
      - {name: Other, then: pass}
"""
    assert found(text, "OD705") == []
    assert len(found(text.replace("pot > 2", "pot > 9"), "OD705")) == 1


# --- allowing


def test_a_comment_allows_on_its_line_above_it_or_at_the_top_and_text_does_not() -> None:
    wrong = LINTED["OD705"].wrong_example
    line = next(line for line in wrong.split("\n") if "Rich" in line)
    on = wrong.replace(line, f"{line}  # allow: OD705, OD731 for now")
    above = wrong.replace(line, f"      # allow: OD705\n      # why\n{line}")
    top = f"# allow: OD705 everywhere\n{wrong}"
    quoted = wrong.replace(line, line.replace("Rich", '"Rich # allow: OD705"'))
    elsewhere = wrong.replace("    roll", "    # allow: OD705\n    roll")
    for text, left, kept in (
        (on, ["OD791"], ["OD705"]),
        (above, [], ["OD705"]),
        (top, [], ["OD705"]),
        (quoted, ["OD705"], []),
        (elsewhere, ["OD705", "OD791"], []),
    ):
        each = linted(text)
        assert sorted(finding.code for finding in each.findings) == left
        assert [finding.code for finding in each.allowed] == kept


def test_a_comment_above_the_name_of_a_phase_is_about_the_phase() -> None:
    text = (
        LINTED["OD703"]
        .wrong_example.replace("  decide:\n", "  # allow: OD703\n  decide:\n")
        .replace("- {name: Take", "# allow: OD705\n      - {name: Take")
    )
    assert linted(text).findings == ()


def test_an_allowance_for_nothing_is_told_at_the_own_setting_alone() -> None:
    book = oddsmith.loads("# allow: OD712, OD999\n" + laid_over(""))
    messages = [finding.problem.message for finding in book.lint().findings]
    assert messages == ["nothing here needs the allowance of OD712", "there is no code OD999 to allow"]
    assert [each.code for each in book.at(seats=2).lint().findings] == []


def test_a_question_that_was_not_asked_is_named_and_its_allowance_kept() -> None:
    book = oddsmith.loads("# allow: OD701\n" + laid_over(LINTED["OD701"].wrong_example))
    each = lint_game(book.game, max_positions=1)
    assert each.findings == ()
    assert "OD701" in {code for unasked in each.skipped_checks for code in unasked.codes}
    assert [finding.code for finding in book.lint(full=True).allowed] == ["OD701"]


# --- claims, bounds


def test_a_claim_is_ambiguous_only_at_the_edge() -> None:
    for stated, told in (
        ("13 %", True),
        ("12 %", True),
        ("0.13", True),
        ("12.5 %", False),
        ("1/8", False),
        ("0.125", False),
    ):
        claim = f"claims:\n  - {{quote: Eight., ask: {{chance: [throw, Eight]}}, published: {stated}}}\n"
        assert bool(found(ONE_IN_EIGHT + claim, "OD761")) is told, stated


def test_the_other_rounding_is_named() -> None:
    claim = "claims:\n  - {quote: Eight., ask: {chance: [throw, Eight]}, published: 12 %}\n"
    (finding,) = found(ONE_IN_EIGHT + claim, "OD761")
    assert finding.problem.message == "12 % is 1/8, which lies exactly between two roundings: others would print 13 %"


@pytest.mark.parametrize(
    ("bounds", "words"),
    [({"turn": 5}, "did you mean turns"), ({"loss": "much"}, "write a number"), ({"loss": -1}, "below 0")],
)
def test_a_bound_that_cannot_be_is_refused(bounds: dict[str, object], words: str) -> None:
    with pytest.raises(SettingError, match=words):
        oddsmith.load("piglet").lint(bounds=bounds)


# --- shipped games


@pytest.mark.parametrize("name", ["chip-passing", "craps", "piglet", "ship-captain-crew", "snakes-and-ladders"])
def test_shipped_rulesets_have_no_findings_that_they_do_not_allow(name: str) -> None:
    assert oddsmith.load(name).lint().findings == ()


def test_a_claim_about_a_game_that_nobody_can_solve_sends_nobody_elsewhere() -> None:
    claim = 'claims:\n  - quote: Many.\n    ask: {mean: "sum(box[places])", at: end}\n    published: 54\n'
    *_, (codes_asked, reason) = [
        (each.codes, each.reason) for each in oddsmith.loads(BOXES + claim).lint().skipped_checks
    ]
    assert codes_asked == ("OD761",)
    assert reason == "1 claim could not be looked at, because the game was not solved"
