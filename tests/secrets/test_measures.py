"""Numbers along mixed play: each is what a walk of the whole tree adds up, move by move, by the rules for one state."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest

import oddsmith
from oddsmith.base.dice import Hand
from oddsmith.base.errors import DistributionError, MeasureError, PlayError, SecretsError
from oddsmith.base.exact import Number
from oddsmith.base.location import Source
from oddsmith.ruleset import Action, ObservedMove, Observer, Rules, State, Step
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.model import Setting
from oddsmith.ruleset.reading.build import read_ruleset
from oddsmith.solve.extensive import (
    PlayedPlans,
    SecretSolution,
    UnfinishedPlay,
    answer_all_measures,
    expected_turns_and_rolls,
    mean_behind_deviation,
    solve_secrets,
    to_best_play,
)
from oddsmith.solve.questions import distribution
from tests.cases import ruleset
from tests.secrets.random_games import random_game
from tests.secrets.test_circles import rounds
from tests.terminal import run


@dataclass(frozen=True)
class Move:
    """A move of a play: the position before it, and the step that it led to; ``rolled``: whether dice fell."""

    state: State
    step: Step
    rolled: bool = False


@dataclass(frozen=True)
class Walked:
    """A play of the whole tree: its chance, its moves and its last position."""

    chance: Fraction
    moves: tuple[Move, ...]
    end: State

    def turns(self) -> int:
        """How many turns ended."""
        return sum(move.step.turn_over for move in self.moves)

    def rolls(self) -> int:
        """How often dice fell."""
        return sum(move.rolled for move in self.moves)

    def count(self, entry: tuple[str, str]) -> int:
        """How often an entry was taken."""
        return sum(move.step.events.count(entry) for move in self.moves)


def walked_out(solution: SecretSolution) -> Iterator[Walked]:
    """All plays by both plans, with everything that happens in them by the rules for one state alone."""
    observer, rules = Observer(solution.game), Rules(solution.game)

    def follow(course: UnfinishedPlay, chance: Fraction, before: tuple[Move, ...]) -> Iterator[Walked]:
        state = course.position.state
        moves = observer.possible_moves(course.position)
        if not moves.moves:
            yield Walked(chance, before, state)
            return
        if moves.seat is None:
            outcomes, total = rules.weighted_chance_results(state)
            for weight, thrown in outcomes:
                step = rules.resolve(state, thrown)
                (event,) = (each for each in moves.moves if thrown.values in labels(each))
                rolled = any(isinstance(value, Hand) and bool(value) for _, value in thrown.values)
                move = Move(state, step, rolled)
                yield from follow(course.after_move(event), chance * Fraction(weight, total), (*before, move))
            return
        one = len(moves.moves) == 1
        planned = [Fraction(1)] if one else list(course.decision(moves.seat).action_probabilities.values())
        for event, part in zip(moves.moves, planned, strict=True):
            if part:
                done = move_of(rules, course, event)
                yield from follow(course.after_move(event), chance * part, (*before, *done))

    yield from follow(UnfinishedPlay(solution, observer.start()), Fraction(1), ())


def labels(event: ObservedMove) -> tuple[object, ...]:
    """The results of chance that an occurrence stands for."""
    assert isinstance(event.label, tuple)
    return event.label


def move_of(rules: Rules, course: UnfinishedPlay, event: ObservedMove) -> tuple[Move, ...]:
    """The move that a choice is; none where others still choose at once."""
    situation, state = course.position, course.position.state
    if isinstance(event.label, Action):
        return (Move(state, rules.choose(state, event.label)),)
    if event.successor.simultaneous_choices:
        return ()
    seat = list(rules.choosable_items_by_seat(state))[len(situation.simultaneous_choices)]
    return (Move(state, rules.choose_together(state, {**dict(situation.simultaneous_choices), seat: event.label})),)


def law(plays: list[Walked], of: Callable[[Walked], Fraction | int]) -> dict[Fraction, Fraction]:
    """The chances of a number."""
    found: dict[Fraction, Fraction] = {}
    for each in plays:
        found[Fraction(of(each))] = found.get(Fraction(of(each)), Fraction(0)) + each.chance
    return found


def mean(plays: list[Walked], of: Callable[[Walked], Fraction | int]) -> Fraction:
    """The mean of a number."""
    return sum((value * chance for value, chance in law(plays, of).items()), Fraction(0))


def told(solution: SecretSolution, what: str, given: tuple[str, str] | None = None) -> dict[Fraction, Fraction]:
    """The chances of a number, as the distribution has them: all exact."""
    found = distribution(to_best_play(PlayedPlans.of(solution)), what, given_entry=given)
    assert found.grade == "exact"
    assert found.beyond == Number.of(0)
    return {each.value: each.chance.lower for each in found.outcomes if each.value is not None and each.chance.lower}


def agrees(solution: SecretSolution) -> None:
    """Compares all that can be asked without words of the ruleset with the walk of the tree."""
    plays, rules = list(walked_out(solution)), Rules(solution.game)
    assert sum(play.chance for play in plays) == 1
    assert told(solution, "turns") == law(plays, Walked.turns)
    assert told(solution, "rolls") == law(plays, Walked.rolls)
    assert told(solution, "payoff") == law(plays, lambda play: rules.payoffs(play.end, solution.objective)[0])
    assert expected_turns_and_rolls(PlayedPlans.of(solution)) == {
        "turns": Number.of(mean(plays, Walked.turns)),
        "rolls": Number.of(mean(plays, Walked.rolls)),
    }
    by_name = distribution(to_best_play(PlayedPlans.of(solution)), "winner")
    tied = sum(
        (play.chance for play in plays if len(set(rules.payoffs(play.end, solution.objective))) == 1), Fraction(0)
    )
    assert sum((each.chance.lower for each in by_name.outcomes if " " in each.name), Fraction(0)) == tied
    named = {(name, each.name) for name, phase in solution.game.ruleset.phases.items() for each in phase.entries}
    for entry in named:
        if entry[1]:
            assert told(solution, f"count {'/'.join(entry)}") == law(plays, partial(Walked.count, entry=entry))


PART = 25


@pytest.mark.parametrize("part", range(4))
def test_numbers_along_play_are_those_of_the_whole_tree(part: int) -> None:
    compared = 0
    for seed in range(part * PART, (part + 1) * PART):
        game = bind(read_ruleset(Source(f"random-{seed}.yaml", json.dumps(random_game(seed))))[0])
        try:
            solution = solve_secrets(game, "win")
        except PlayError:  # a seat would choose by what it has not seen
            continue
        agrees(solution)
        compared += 1
    assert compared > 10


@pytest.mark.parametrize(
    ("game", "parameters"), [("cups-and-coins", {}), ("two-lanterns", {"oil": 2}), ("liars-dice", {"sides": 3})]
)
def test_numbers_along_play_of_shipped_games_are_those_of_the_whole_tree(game: str, parameters: dict[str, int]) -> None:
    bound = bind(ruleset(game), Setting(2, values=parameters))
    agrees(solve_secrets(bound, next(iter(bound.ruleset.payoffs))))


BOAST = """
format: 1
id: boast
title: Boast
summary: A hidden die, a boast, and a doubt.
seats: 2
sides: [boaster, doubter]
state:
  die: {max: 6}
  gain: {min: -2, max: 2}
payoffs:
  coins: gain if seat == boaster else -gain
turn: go on
phases:
  go on:
    cases:
      - {when: die == 0, then: roll}
      - {then: answer}
  roll:
    roll: {thrown: d6}
    seen_by: mover
    outcomes:
      - {name: Low, when: thrown < 4, do: set die to thrown, then: speak}
      - {name: High, do: set die to thrown, then: speak}
  speak:
    choose:
      - {name: Give up, do: set gain to -1, then: end}
      - {name: Boast, then: pass}
  answer:
    choose:
      - {name: Believe, do: set gain to 1, then: end}
      - {name: Doubt, do: set gain to 2 if die == 6 else -2, then: end}
measures:
  Boasts: {count: [speak, Boast]}
  Bluffs: {count: [speak, Boast], when: die < 6}
  Doubts: {chance: [answer, Doubt], in: game, seat: 2}
  Doubts of a six: {chance: [answer, Doubt], in: game, seat: 2, when: die == 6}
  Boasts in the first turn: {chance: [speak, Boast], in: turn}
  Answers of the boaster: {chance: [answer, Doubt], in: turn}
  High after a boast: {count: [roll, High], given: [speak, Boast]}
  Low after a boast: {chance: [roll, Low], in: game, given: [speak, Boast]}
  The die: {mean: die, at: end}
  The die after a doubt: {mean: die, at: end, given: [answer, Doubt]}
  How much coins vary: {spread: coins}
  How much lengths vary: {spread: turns}
  One decision: {chance: [speak, Boast]}
  One roll: {chance: [roll, High]}
"""


def boast() -> SecretSolution:
    """The game of the page about secrets, with questions."""
    return solve_secrets(bind(read_ruleset(Source("boast.yaml", BOAST))[0]), "coins")


def test_a_ruleset_is_answered_along_mixed_play() -> None:
    """A five boasts in 1 of 3, a six always; a boast is doubted in 2 of 3."""
    found = answer_all_measures(PlayedPlans.of(boast()))
    boasts = Fraction(1, 6) + Fraction(1, 18)
    exact = {
        "Boasts": boasts,
        "Bluffs": Fraction(1, 18),
        "Doubts": boasts * Fraction(2, 3),
        "Doubts of a six": Fraction(1, 9),
        "Boasts in the first turn": boasts,
        "Answers of the boaster": Fraction(0),
        "High after a boast": Fraction(1),
        "Low after a boast": Fraction(0),
        "The die": Fraction(7, 2),
        "The die after a doubt": Fraction(23, 4),
        "One roll": Fraction(1, 2),
    }
    assert {name: found[name] for name in exact} == {name: Number.of(value) for name, value in exact.items()}


def test_a_standard_deviation_along_mixed_play_encloses_that_of_the_tree() -> None:
    solution = boast()
    plans, plays = PlayedPlans.of(solution), list(walked_out(solution))
    rules = Rules(solution.game)
    asked: dict[str, Callable[[Walked], Fraction | int]] = {
        "How much coins vary": lambda play: rules.payoffs(play.end, "coins")[0],
        "How much lengths vary": Walked.turns,
    }
    for name, of in asked.items():
        found, first = answer_all_measures(plans)[name], mean(plays, of)
        assert isinstance(found, Number)
        square = sum((value**2 * chance for value, chance in law(plays, of).items()), Fraction(0))
        variance = square - first**2
        assert found.lower**2 <= variance <= found.upper**2
        assert mean_behind_deviation(plans, solution.game.ruleset.measures[name]) == Number.of(first)


def test_one_decision_is_no_question_where_a_player_has_seen_something() -> None:
    found = answer_all_measures(PlayedPlans.of(boast()))["One decision"]
    assert isinstance(found, MeasureError)
    assert "what a player chooses follows from what it has seen" in str(found)


def test_a_distribution_under_a_condition_is_that_of_the_plays_that_meet_it() -> None:
    solution = boast()
    plays, entry = list(walked_out(solution)), ("speak", "Boast")
    met = [play for play in plays if play.count(entry)]
    share = sum((play.chance for play in met), Fraction(0))
    assert told(solution, "turns", entry) == {value: chance / share for value, chance in law(met, Walked.turns).items()}


def test_a_game_that_may_come_back_has_lengths_that_are_exact() -> None:
    """Both always show high, so each round is tossed for another, and comes to it with chance 1/2."""
    solution = rounds(
        ("hand[mover] == hand[next]", 0, "toss"),
        ("hand[mover] == high", 1, "end"),
        ("true", -1, "end"),
    )
    assert expected_turns_and_rolls(PlayedPlans.of(solution))["rolls"] == Number.of(2)
    rolls = distribution(to_best_play(PlayedPlans.of(solution)), "rolls")
    for each in rolls.outcomes:
        assert each.value is not None
        assert each.chance.lower <= Fraction(1, 2 ** int(each.value)) <= each.chance.upper
    assert rolls.mean == Number.of(2)
    assert rolls.standard_deviation is not None
    assert rolls.standard_deviation.lower**2 <= 2 <= rolls.standard_deviation.upper**2
    assert rolls.beyond.upper < Fraction(1, 1 << 59)


def test_what_the_ruleset_has_not_is_refused() -> None:
    with pytest.raises(DistributionError, match="the phase speak has no entry Shout"):
        distribution(to_best_play(PlayedPlans.of(boast())), "count speak/Shout")


def test_solve_answers_a_ruleset_with_secrets(tmp_path: Path) -> None:
    file = tmp_path / "boast.yaml"
    file.write_text(BOAST, encoding="utf-8")
    done = run("solve", str(file), "--distribution", "turns given speak/Boast")
    assert done.returncode == 0, done.stderr
    assert "  Bluffs: 0.055555555556  = 1/18" in done.stdout
    assert "  The die after a doubt (only games in which anybody takes Doubt): 5.750000000000  = 23/4" in done.stdout
    assert "turns given speak/Boast, mean 2.000000000000" in done.stdout
    assert "numbers along play are those of the play that was found; other best play may have others" in done.stdout
    assert "One decision: what a player chooses follows from what it has seen" in done.stderr


def test_solve_gives_the_numbers_as_data() -> None:
    done = run("solve", "cups-and-coins", "--json", "--distribution", "payoff")
    found = json.loads(done.stdout)
    assert found["solved_by"] == "secrets"
    (law,) = found["distributions"]
    assert law["mean"]["exact"] == "-2/27"
    assert sum(Fraction(each["exact"]) for each in law["outcomes"]) == 1


REFUSED = [
    (("--thresholds",), "--thresholds does not know games with secrets"),
    (("--turns", "3"), "--turns does not know games with secrets"),
    (("--policy", "1=any"), "cups-and-coins has no policy any"),
    (("--by", "stages"), "--by, --memory or --store is for games in which all see everything"),
    (("--distribution", "luck"), "there is nothing called luck"),
]


@pytest.mark.parametrize(("words", "why"), REFUSED)
def test_what_a_game_with_secrets_cannot_answer_is_refused_in_a_sentence(words: tuple[str, ...], why: str) -> None:
    done = run("solve", "cups-and-coins", *words)
    assert done.returncode in {1, 2}
    assert why in done.stderr
    assert done.stdout == ""


def test_what_takes_positions_that_all_see_is_refused() -> None:
    solved = oddsmith.load("cups-and-coins").solve()
    assert solved.kind == "zero-sum"
    assert not solved.can_be_stalled
    assert solved.state_count > solved.undecided_count == 0
    for ask in (solved.outline, lambda: solved.graph, lambda: solved.horizon(2), lambda: solved.values_at("")):
        with pytest.raises(SecretsError, match="positions that everybody sees: solve, advise and export"):
            ask()


def test_a_solved_game_writes_what_the_solver_found(tmp_path: Path) -> None:
    solved = oddsmith.load("cups-and-coins").solve()
    assert solved.write_table(tmp_path / "plan.csv") == len((tmp_path / "plan.csv").read_text("utf-8").splitlines()) - 1
    plain, packed = solved.certificate(), solved.certificate(packed=True)
    assert gzip.decompress(packed) == plain
    assert "Cups and Coins" in repr(solved)
    assert "-0.074074" in solved._repr_html_()


def test_the_result_as_json_has_the_structure_of_any_other() -> None:
    whole, hidden = (oddsmith.load(name).solve().to_json(6) for name in ("piglet", "cups-and-coins"))
    common = {"ruleset", "objective", "grade", "graph", "values", "measures", "policy", "solved_by"}
    assert common <= whole.keys() & hidden.keys()
    assert hidden["ruleset"].keys() == whole["ruleset"].keys()
    assert [sorted(each) for each in hidden["values"]] == [sorted(whole["values"][0])] * 2
    assert hidden["policy"]["kind"] == "zero-sum"
    assert hidden["graph"].keys() == {"subgames", "sequences"}
