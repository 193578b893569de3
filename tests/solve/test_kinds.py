"""Which notion of best play holds is reported: optimal, zero-sum, symmetric, named; ties; goals; games without end."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from oddsmith.base.errors import ObjectiveError, OddsmithError, PlayError, SolveError, UnknownPolicyError
from oddsmith.base.exact import Number
from oddsmith.base.location import Source
from oddsmith.report.facts.key_facts import CONSTANT_SUM_IF_ENDING, KINDS, play_kind_words
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.model import Setting
from oddsmith.ruleset.reading.build import read_ruleset
from oddsmith.ruleset.rules import State
from oddsmith.solve.game_solver import solve
from oddsmith.solve.search import has_constant_sum
from oddsmith.solve.staged import by_component as stagewise
from oddsmith.solve.staged.staged import solve_by_stages
from oddsmith.solve.values import arena_solver as solver
from tests.cases import cases_of, explored, ruleset, solved


def game_of(body: str, seats: int = 2) -> Game:
    """A game from the keys that matter."""
    head = f"format: 1\nid: made\ntitle: Made\nsummary: Made for a test.\nseats: {seats}\n"
    return bind(read_ruleset(Source("made.yaml", head + body))[0])


@pytest.mark.parametrize(
    ("name", "at", "objective", "kind"),
    [
        ("farkle-turn", 0, "hundreds", "optimal"),
        ("shut-the-box", 0, "standing", "optimal"),
        ("piglet", 0, "win", "zero-sum"),
        ("marbles", 0, "win", "zero-sum"),
        ("pig", 1, "points", "symmetric"),
        ("pig", 2, "win", "symmetric"),
        ("rogues-gambit", 0, "coins", "zero-sum"),
        ("rogues-gambit", 1, "coins", "symmetric"),
    ],
)
def test_the_kind_of_best_play(name: str, at: int, objective: str, kind: str) -> None:
    solution = solved(cases_of(name)[at], objective)
    assert solution.kind == kind
    assert solution.grade == "exact"
    assert not solution.solved.undecided_states


def test_constant_sum_is_found_not_declared() -> None:
    assert has_constant_sum(explored(cases_of("piglet")[0], "win"))
    assert has_constant_sum(explored(cases_of("rogues-gambit")[0], "coins"))
    assert not has_constant_sum(explored(cases_of("pig")[1], "points"))
    assert not has_constant_sum(explored(cases_of("rogues-gambit")[3], "coins"))  # coins may stay with the dragon


BET = """\
state:
  pot: {max: 9}
payoffs:
  loss: {value: pot, goal: GOAL}
turn: choose
phases:
  choose:
    choose:
      - {name: Sure, do: set pot to 3, then: end}
      - {name: Gamble, then: throw}
  throw:
    roll: {die: d6}
    do: set pot to die + 1
    then: end
"""


def test_a_goal_may_be_small() -> None:
    least, most = (solve(game_of(BET.replace("GOAL", goal), 1)) for goal in ("min", "max"))
    assert least.values[0].exact == 3
    assert most.values[0].exact == Fraction(9, 2)
    assert [advice.action for advice in least.advise(0)] == ["Sure", "Gamble"]
    assert [advice.loss.exact for advice in least.advise(0)] == [0, Fraction(3, 2)]


KINGMAKER = """\
state:
  mine: {each: seat, max: 9}
  done: {max: 3}
payoffs:
  coins: mine
turn: give
phases:
  give:
    choose:
      - name: To the next
        do: add 2 to mine[next]
      - name: To the one before
        do: add 2 to mine[previous]
      - name: Away
        do: add 1 to done
    then: end
"""


def test_ties_that_matter_to_others_are_counted() -> None:
    """The mover does not care whom it favours: the first option is taken, and the tie is reported."""
    solution = solve(game_of(KINGMAKER, 3))
    assert [value.exact for value in solution.values] == [0, 2, 0]
    assert solution.tie_count == 1
    assert solution.solved.ties[0].best_rows == (0, 1, 2)
    assert all(advice.best for advice in solution.advise(0))


def test_ties_that_matter_to_nobody_are_not_counted() -> None:
    solution = solve(
        game_of(KINGMAKER.replace("mine[previous]", "mine[next]").replace("add 1 to done", "add 2 to mine[next]"), 3)
    )
    assert solution.tie_count == 0
    assert all(advice.best for advice in solution.advise(0))


FOREVER = """\
state:
  pot: {max: 3}
payoffs:
  coins: pot
turn: wait
phases:
  wait:
    choose:
      - {name: Wait, then: again}
      - {name: Wait longer, then: pass}
"""


def test_a_game_that_can_never_end_is_refused() -> None:
    with pytest.raises(PlayError) as refused:
        solve(game_of(FOREVER))
    assert refused.value.problem.code == "OD541"
    assert "never end" in str(refused.value)


STOPPABLE = FOREVER.replace(
    "      - {name: Wait longer, then: pass}\n", "      - {name: Stop, do: set pot to 1, then: end}\n"
)


@pytest.mark.parametrize("seats", [1, 2])
def test_waiting_that_costs_nothing_never_beats_what_ends_the_game(seats: int) -> None:
    """Wait is the first option and, with Stop to come, worth the same: but only Stop ever brings the coin."""
    solution = solve(game_of(STOPPABLE, seats))
    assert solution.values[0].exact == 1
    assert solution.graph.action_name(solution.best_row(0)) == "Stop"


def test_a_game_that_nobody_wants_to_end_prints_no_wrong_number() -> None:
    """Whoever stops pays. Of all ways to end it, paying one is the best there is."""
    solution = solve(game_of(STOPPABLE.replace("coins: pot", "coins: 0 - pot"), 1))
    assert solution.values[0].exact == -1


def test_a_policy_under_which_play_never_ends_has_no_value() -> None:
    policy = "policies:\n  patient:\n    wait:\n      - {option: Wait}\n"
    body = FOREVER.replace("      - {name: Wait longer, then: pass}\n", "      - {name: Stop, then: end}\n") + policy
    with pytest.raises(SolveError, match="for ever"):
        solve(game_of(body, 1), policies={1: "patient"})


def test_named_policies_by_seat() -> None:
    game = bind(ruleset("rogues-gambit"), Setting(2, values={"coins_each": 12}))
    best = solve(game).values
    both = solve(game, policies={1: "hold at 20", 2: "hold at 20"})
    assert (both.kind, both.values[0].exact is not None) == ("named", True)
    for seat in (1, 2):
        against = solve(game, policies={seat: "hold at 20"})
        assert against.kind == "named"
        own, other = _exact(against.values[seat - 1]), _exact(against.values[2 - seat])
        assert own <= _exact(best[seat - 1]), "nobody gains by playing other than best"
        assert own + other == 24
        assert other >= _exact(both.values[2 - seat]), "the best response is at least as good as the same policy"


def _exact(number: Number) -> Fraction:
    assert number.exact is not None
    return number.exact


def test_a_named_policy_is_played_to_the_letter() -> None:
    game = bind(ruleset("rogues-gambit"), Setting(2))
    solution = solve(game, policies={1: "hold at 20", 2: "hold at 20"})
    graph = solution.graph
    for state in np.flatnonzero(np.diff(graph.state_rows) > 1).tolist():
        position = graph.state(state)
        stash = position.cells[game.cell_indices_of("stash")[0]]
        wanted = "Thief's Escape" if stash >= 20 else "Rogue's Gambit"
        assert graph.action_name(solution.best_row(state)) == wanted


@pytest.mark.parametrize(
    ("policies", "error"),
    [({1: "hold at 21"}, UnknownPolicyError), ({3: "hold at 20"}, SolveError), ({0: "hold at 20"}, SolveError)],
)
def test_policies_that_are_not_there(policies: dict[int, str], error: type[OddsmithError]) -> None:
    with pytest.raises(error):
        solve(bind(ruleset("rogues-gambit"), Setting(2, values={"coins_each": 4})), policies=policies)


def test_an_objective_that_is_not_there() -> None:
    with pytest.raises(ObjectiveError, match="coins"):
        solve(bind(ruleset("rogues-gambit"), Setting(2, values={"coins_each": 4})), "coin")


def test_a_state_that_play_cannot_reach_has_no_number() -> None:
    solution = solved(cases_of("rogues-gambit")[0], "coins")
    assert solution.state_index(State("decide", 0, 0, (11, 1, False, 0, 0))) is None
    assert solution.state_index(State("decide", 0, 0, (99, 1, False, 0, 0))) is None
    assert solution.state_index(State("nowhere", 0, 0, (12, 0, False, 0, 0))) is None
    assert solution.state_index(State("throw", 1, 0, (12, 0, False, 0, 0))) == 0


@pytest.mark.parametrize(
    ("name", "at", "objective"), [("pig", 2, "win"), ("rogues-gambit", 1, "coins"), ("coffers", 1, "win")]
)
def test_where_all_states_respond_at_once_it_is_an_equilibrium_too(
    monkeypatch: pytest.MonkeyPatch, name: str, at: int, objective: str
) -> None:
    """As in components too large to sweep; no action is worth more than the one taken, in fractions."""
    monkeypatch.setattr(solver, "MANY_DECISIONS", 0)
    game = cases_of(name)[at].game
    solution = solve(game, objective)
    assert solution.kind == "symmetric"
    for state in range(solution.graph.state_count):
        worth = {advice.row: advice.value.exact for advice in solution.advise(state)}
        assert None not in worth.values()
        assert worth[solution.best_row(state)] == max(value for value in worth.values() if value is not None)


# Nobody's payoff depends on what is done, so that staying for ever and stopping are worth the same.
INDIFFERENT = """\
state:
  spent: {type: tally}
payoffs: {gain: 3 - 2 * spent}
turn: go
phases:
  go:
    choose:
      - {name: Stay, then: again}
      - {name: Wait, then: pass}
      - {name: Stop, do: add 1 to spent, then: end}
"""


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_play_that_would_never_end_is_not_taken_for_a_tie(seats: int) -> None:
    solution = solve(game_of(INDIFFERENT, seats))
    assert [value.exact for value in solution.values] == [1] * seats
    assert solution.kind == ("zero-sum" if seats == 2 else "symmetric")
    assert not solution.solved.undecided_states


def test_where_only_endless_play_would_be_better_the_state_is_named() -> None:
    """Who stops pays; if all were to pass it on, play would never end: so one seat stops, and the others need not."""
    body = INDIFFERENT.replace("{type: tally}", "{type: tally, each: seat}").replace("3 - 2 * spent", "-spent")
    solution = solve(game_of(body, 3))
    assert solution.kind == "pure-by-seat"
    assert sorted(value.exact or 0 for value in solution.values) == [-1, 0, 0]
    assert "play would never end with the best response at go). " in solution.notes[0]


WAR = """\
sides: [ann, bob]
state:
  score: {each: seat, start: 1, max: 1}
payoffs:
  win: 2 * score - sum(score[table])
turn: decide
phases:
  decide:
    choose:
      - {name: Wait ann, only: ann, then: pass}
      - {name: Lose ann, only: ann, do: set score to 0, then: end}
      - {name: Wait bob, only: bob, then: pass}
      - {name: Lose bob, only: bob, do: set score to 0, then: end}
"""


def test_where_both_would_rather_wait_the_values_are_not_said_to_be_the_only_ones() -> None:
    solution = solve(game_of(WAR))
    assert solution.kind == "zero-sum"
    assert solution.solved.endless_play_states
    assert play_kind_words(solution) is CONSTANT_SUM_IF_ENDING
    assert "only" not in CONSTANT_SUM_IF_ENDING.line
    piglet = solved(cases_of("piglet")[0], "win")
    assert play_kind_words(piglet) is KINDS["zero-sum"]


HASTE = """\
state:
  won: {each: seat, max: 1}
payoffs:
  win: won - sum(won[table]) / 2
turn: decide
phases:
  decide:
    choose:
      - {name: Wait, then: pass}
      - {name: Roll, then: luck}
  luck:
    roll: {die: d6}
    outcomes:
      - {when: die > 4, do: add 1 to won, then: end}
      - {then: pass}
"""


def test_values_are_the_only_ones_where_neither_player_alone_can_wait_for_ever() -> None:
    """Both together could, so the game can go on for ever; but who rolls first is better off, and rolls."""
    solution = solve(game_of(HASTE))
    assert solution.solved.endless_play_states
    assert not solution.can_be_stalled
    assert play_kind_words(solution) is KINDS["zero-sum"]


def test_a_game_solved_by_stages_tells_the_same_of_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    for size in (stagewise.MIN_SWEPT_TRANSITIONS, 0):  # in sweeps as well
        monkeypatch.setattr(stagewise, "MIN_SWEPT_TRANSITIONS", size)
        monkeypatch.setattr(stagewise, "LARGE_COMPONENT", size)
        for body, kind in ((WAR, CONSTANT_SUM_IF_ENDING), (HASTE, KINDS["zero-sum"])):
            assert play_kind_words(solve_by_stages(game_of(body))) is kind


RICH = """\
state:
  n: {max: 5}
  rich: {type: flag}
  got: {type: tally, each: seat}
payoffs: {w: got * 4096 / 1000003 / 1000033 / 1000037}
turn: go
phases:
  go:
    choose:
      - {name: Poor, when: n == 0, do: [add 1 to n, add 1 to got, "add -1 to got[next]"], then: pass}
      - {name: Rich, when: n == 0, do: [add 1 to n, set rich to true], then: pass}
      - name: On
        when: n > 0
        do: [add 1 to n, {if: rich, do: [add 562949953421312 to got, "add 562949953421312 to got[next]"]}]
        then: more
  more:
    cases:
      - {name: Over, when: n == 5, then: end}
      - {name: Next, then: pass}
"""


def test_sums_beyond_sixty_four_bits_are_not_taken_for_the_same() -> None:
    """Whoever is rich gets 2^64 small units together with the other."""
    game = game_of(RICH)
    assert solve(game).kind == "symmetric"
    assert solve_by_stages(game).kind == "symmetric"
