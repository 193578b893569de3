"""Exploring: limits, what is carried as payoff, and how a broken rule is told."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import oddsmith
from oddsmith.base.errors import PlayError, RulesetError
from oddsmith.base.location import Source
from oddsmith.graph import explore
from oddsmith.graph.explore import Explorer
from oddsmith.graph.reductions.reduce import ReductionOptions
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.model import Setting
from oddsmith.ruleset.reading.build import read_ruleset
from oddsmith.solve.game_solver import solve
from tests.cases import Case, cases_of, explored, ruleset
from tests.reference import values_under

SAMPLES = Path(__file__).resolve().parents[1] / "samples"
BASE = (SAMPLES / "base.yaml").read_text("utf-8")


def changed(old: str, new: str) -> Game:
    """The base game with one passage changed."""
    assert old in BASE
    return bind(read_ruleset(Source("base.yaml", BASE.replace(old, new)))[0])


def test_a_sample_stops_at_its_limit() -> None:
    explorer = Explorer(bind(ruleset("rogues-gambit"), Setting(2)), "coins")
    graph, whole = explorer.explore(max_states=100)
    assert not whole
    assert 100 <= graph.state_count < 1_000
    assert graph.target.max() < graph.state_count


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    graph, whole = Explorer(bind(ruleset("pig"), Setting(2)), "win").explore(
        lambda what, done, total: told.append((done, total))
    )
    assert whole
    assert told[-1] == (graph.state_count, graph.state_count)


def test_coins_that_no_rule_reads_are_no_state() -> None:
    """Purses are carried for `coins`, but a share of the win must know them."""
    coins, win = (
        Explorer(bind(ruleset("rogues-gambit"), Setting(2, values={"coins_each": 12})), name)
        for name in ("coins", "win")
    )
    cells = coins.game.cells
    assert [cells[where].variable.name for where in coins.carried] == ["purse", "purse"]
    assert win.carried == []
    assert coins.explore()[0].state_count < win.explore()[0].state_count


def test_carrying_changes_no_value() -> None:
    """The same policy, with the purses in the state and without: every seat gets the same."""
    game = bind(ruleset("rogues-gambit"), Setting(2, values={"coins_each": 3}))
    values = []
    for carry in (True, False):
        graph = Explorer(game, "coins", sharing=ReductionOptions(carry=carry)).explore()[0]
        values.append(values_under(graph, graph.state_rows[:-1].tolist())[0])
    assert values[0] == values[1]
    assert sum(values[0]) == 6


def test_a_tally_that_would_be_state_is_refused() -> None:
    game = bind(ruleset("pig"), Setting(2, values={"target": 6}))
    text = game.ruleset.source.text.replace("points: score", "visits: share(visits)")
    with pytest.raises(RulesetError) as refused:
        Explorer(bind(read_ruleset(Source("pig.yaml", text))[0]), "visits")
    assert [problem.code for problem in refused.value.problems] == ["OD431"]


def test_every_state_has_a_parent_before_it() -> None:
    for name in ("pig", "coffers", "round-table"):
        graph = explored(cases_of(name)[0], cases_of(name)[0].objectives[0])
        assert graph.parent[0] == -1
        assert (graph.parent[1:] < np.arange(1, graph.state_count)).all()
        for state in range(1, graph.state_count):
            assert state in set(graph.successors(int(graph.parent[state])))


BREAKS = {
    "OD511": ("      - name: Other\n", "      - name: Other\n        when: die < 5\n"),
    "OD521": ("      - name: Other\n", "      - name: Other\n        do: add 5 to pot\n"),
    "OD525": ("      - name: Other\n", "      - name: Other\n        do: move die - 3 from pot to purse\n"),
    "OD504": ("      - name: Other\n", "      - name: Other\n        do: set stash to number[die]\n"),
}


@pytest.mark.parametrize("code", BREAKS)
def test_a_rule_that_breaks_in_play_tells_the_way_there(code: str) -> None:
    old, new = BREAKS[code]
    text = BASE.replace(old, new).replace("  goal: 10\n", "  goal: 10\n  number: {1: 1}\n")
    game = bind(read_ruleset(Source("base.yaml", text))[0])
    with pytest.raises(PlayError) as broken:
        Explorer(game, "win").explore()
    assert broken.value.problem.code == code
    assert broken.value.play
    assert broken.value.problem.location.file == "base.yaml"
    assert broken.value.problem.location.line > 1


def test_a_game_that_is_over_at_once_is_refused() -> None:
    game = changed("turn: throw\n", "end_when: pot == 2\nturn: throw\n")
    with pytest.raises(RulesetError) as refused:
        solve(game)
    assert [problem.code for problem in refused.value.problems] == ["OD531"]


def test_a_game_that_is_over_after_cases_alone_is_refused() -> None:
    text = (
        f"{HEAD}seats: 1\nstate: {{clock: {{start: 3, max: 3}}}}\npayoffs: {{gain: clock}}\nturn: sort\nphases:\n"
        "  sort: {cases: [{name: Tick, do: add -1 to clock, then: pass}]}\nend_when: clock == 0\n"
    )
    with pytest.raises(RulesetError, match="nobody rolls or chooses before it ends"):
        oddsmith.loads(text).solve()


HEAD = "format: 1\nid: made\ntitle: Made\nsummary: Made for a test.\n"


@pytest.mark.parametrize(
    ("variable", "payoff", "worth"),
    [
        ("{type: hand, dice: 2d2}", "sum(kept)", 0),
        ("{one_of: [calm, angry]}", "3 if kept == calm else 0", 3),
        ("{type: flag, start: true}", "3 if kept else 0", 3),
    ],
)
def test_payoffs_may_read_what_is_no_number(variable: str, payoff: str, worth: int) -> None:
    body = (
        f"seats: 1\nstate:\n  kept: {variable}\npayoffs: {{gain: {payoff}}}\nturn: go\n"
        "phases:\n  go:\n    choose:\n      - {name: Stop, then: end}\n"
    )
    assert solve(bind(read_ruleset(Source("made.yaml", HEAD + body))[0])).values[0].exact == worth


LEAVING = """\
seats: 3
state:
  score: {each: seat, max: 1}
payoffs: {gain: score}
turn: go
phases:
  go:
    choose:
      - name: Score
        do: add 1 to score
        then: {pass_to: TO}
"""


@pytest.mark.parametrize(
    ("to", "ends"),
    [
        ("next", "out_when: max(score[table]) == 1"),  # nobody is in, so there is no next player
        ("next", "out_when: score == 1\nend_when: size(everyone) == 0"),  # who moved is out: the turn passes
        ("mover", "end_when: score == 1"),
        ("mover", "out_when: score == 1"),
    ],
)
def test_the_seat_of_a_pass_is_read_only_where_the_turn_passes_to_it(to: str, ends: str) -> None:
    game = bind(read_ruleset(Source("made.yaml", HEAD + LEAVING.replace("TO", to) + ends + "\n"))[0])
    told = [value.exact for value in solve(game).values]
    assert told == ([1, 1, 1] if "out_when: score" in ends else [1, 0, 0])


def test_who_drops_out_at_the_end_is_out_for_payoffs() -> None:
    """The mover drops out as the game ends, or nobody does: payoffs count those who are in."""
    text = """
format: 1
id: last-word
title: The last word
summary: Whoever counts down to nothing is out.
seats: 3
state:
  left: {start: 4, max: 4}
payoffs:
  gain: 1 / size(table) if size(everyone) == 3 else 5
turn: choose
phases:
  choose:
    choose:
      - {name: One, do: add -1 to left, then: pass}
      - {name: Stop, when: left < 3, then: end}
at_end:
  if: left == 0
  do: drop out
end_when: left == 0
"""
    solution = solve(bind(read_ruleset(Source("game.yaml", text))[0]))
    assert [number.exact for number in solution.values] == [5, 5, 5]


def test_a_word_that_hangs_on_what_cannot_be_read_breaks_as_the_rules_do() -> None:
    body = (
        "seats: 1\nstate:\n  mood: {one_of: [calm, angry]}\npayoffs: {gain: 1}\nturn: go\nphases:\n  go:\n    choose:\n"
        "      - name: Go\n        do:\n          - drop out\n          - set mood to angry if next != next else calm\n"
        "        then: end\n"
    )
    with pytest.raises(PlayError, match="OD505"):
        solve(bind(read_ruleset(Source("made.yaml", HEAD + body))[0]))


def test_a_division_by_0_breaks_the_rules_where_play_comes_to_it_and_nowhere_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also by a number that stands there, and where nothing depends on the result; a test before it guards it."""
    monkeypatch.setattr(explore, "refuse_expressions_out_of_range", lambda game: None)  # which knows it before play
    text = (SAMPLES / "hot-purse.yaml").read_text("utf-8")
    with pytest.raises(PlayError) as broken:
        Explorer(bind(read_ruleset(Source("game.yaml", text.replace("pot // 2", "pot // 0")))[0]), "coins").explore()
    assert "OD411" in str(broken.value)
    guarded = text.replace("pot // 2", "(pot // (pot - pot) if pot < 0 else pot // 2)")
    same = [
        Explorer(bind(read_ruleset(Source("game.yaml", each))[0]), "coins").explore()[0] for each in (text, guarded)
    ]
    assert same[0].state_count == same[1].state_count


@pytest.mark.parametrize(
    "case", [Case("farkle-turn", 1, {"limit": 8}), Case("dragons-lair", 1), Case("pig", 2)], ids=str
)
def test_what_folding_remembers_is_what_it_gives(case: Case) -> None:
    """Options of every position, folded once more without a memory."""
    found = Explorer(case.game, case.objectives[0])
    found.explore(max_states=500)
    divider, phases = found.expander.divider, case.game.ruleset.phases
    chosen = [(key, made) for key, made in divider.made.items() if key[0] == "choose" and not isinstance(made, int)]
    assert chosen
    for (_, phase, out, given), made in chosen:
        view = divider.symbolic.view({where: found.codec.decode_value(where, code) for where, code in given}, out)
        assert view.memory is not None
        view.memory = None
        assert divider.symbolic.options(phases[phase], view) == made
    assert bool(divider.symbolic.memory.found) == (case.name == "farkle-turn")
