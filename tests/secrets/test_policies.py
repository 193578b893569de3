"""Games with secrets by named policies: what these may look at, and what play by them brings."""

from __future__ import annotations

from fractions import Fraction

import pytest

import oddsmith
from oddsmith.base.errors import PlayError, SolveError
from oddsmith.base.location import Source
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.extensive_form import TreeBuilder
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.model import Setting
from oddsmith.ruleset.observations import ObservedPosition, Observer
from oddsmith.ruleset.reading.build import read_ruleset
from oddsmith.ruleset.rules import Action
from oddsmith.solve.estimates import estimate
from oddsmith.solve.extensive import UnfinishedPlay, solve_secrets
from oddsmith.solve.policies import NamedPolicy, refuse_reads_of_unseen
from tests.cases import RULESETS, ruleset
from tests.secrets.walking import walked

OWN = "count your own dice"


def exact(game: Game, names: tuple[str, ...]) -> tuple[Fraction, ...]:
    """What each seat gets if all play by named policies: the whole tree, by the rules for one state."""
    observer, policies = Observer(game), [NamedPolicy(game, name) for name in names]
    objective = next(iter(game.ruleset.payoffs))

    def value(situation: ObservedPosition) -> tuple[Fraction, ...]:
        state = situation.state
        if not state.phase:
            return observer.rules.payoffs(state, objective)
        moves = observer.possible_moves(situation)
        if moves.seat is not None:
            actions = [each.label for each in moves.moves if isinstance(each.label, Action)]
            return value(moves.moves[policies[moves.seat].choose_action_index(state, actions)].successor)
        parts = [(each.probability, value(each.successor)) for each in moves.moves]
        return tuple(sum((chance * got[seat] for chance, got in parts), Fraction()) for seat in range(game.seats))

    return value(observer.start())


@pytest.mark.parametrize("names", [(OWN,) * 3, ("doubt sooner", OWN, OWN)])
def test_estimates_hold_what_the_whole_tree_brings(names: tuple[str, ...]) -> None:
    game = bind(ruleset("liars-dice"), Setting(3, values={"sides": 4}))
    found = estimate(game, "win", dict(enumerate(names)), games=4000, seed=3)
    for mean, value in zip(found.means, exact(game, names), strict=True):
        assert mean is not None
        assert abs(mean.middle - value) <= mean.radius


def test_a_policy_against_best_play_is_worth_what_the_whole_tree_says() -> None:
    game = bind(ruleset("liars-dice"), Setting(2, values={"sides": 3}))
    solution = solve_secrets(game, "win")
    pick = NamedPolicy(game, OWN).choose_action_index

    def chances(planned: list[Fraction], course: UnfinishedPlay) -> list[Fraction]:
        moves = Observer(game).possible_moves(course.position)
        actions = [each.label for each in moves.moves if isinstance(each.label, Action)]
        taken = pick(course.position.state, actions)
        return [Fraction(place == taken) for place in range(len(planned))]

    for seat in range(2):
        assert solution.value_of_policy(seat, pick) == walked(solution, seat, chances)
        assert solution.value_of_policy(seat, pick) <= solution.values[seat].lower


def test_a_policy_must_not_look_at_what_its_player_has_not_seen() -> None:
    text = (
        (RULESETS / "liars-dice.yaml").read_text("utf-8").replace("count(cup, number) >", "count(cup[next], number) >")
    )
    game = bind(read_ruleset(Source("peek.yaml", text))[0], Setting(3))
    with pytest.raises(PlayError, match="count your own dice lets player") as refused:
        estimate(game, "win", dict.fromkeys(range(3), OWN), games=10)
    assert refused.value.problems[0].code == "OD537"
    where = refused.value.problems[0].location
    assert text.split("\n")[where.line - 1][where.column - 1 :].startswith("cup[next], number) >")


def test_a_policy_must_not_look_in_a_game_too_large_to_follow_either() -> None:
    """For six, more hands are dealt than are followed one by one before anybody speaks. Random plays find the look."""
    text = (RULESETS / "liars-dice.yaml").read_text("utf-8")
    own = "claimed - count(cup, number) > ((seats - 1) * cups + 2) // 3"
    assert own in text
    game = oddsmith.loads(text.replace(own, "not holds")).at(seats=6).game
    with pytest.raises(PlayError, match="cannot tell these apart") as refused:
        refuse_reads_of_unseen(game, "win", [OWN], 2_000)
    assert refused.value.problems[0].code == "OD537"
    refuse_reads_of_unseen(oddsmith.loads(text).at(seats=6).game, "win", [OWN], 2_000)


def test_random_plays_find_options_that_nobody_may_have() -> None:
    """An option for whoever sits beside a high die: the seat cannot know that it has it."""
    text = (RULESETS / "liars-dice.yaml").read_text("utf-8")
    when = "when: many > claimed or many == claimed and face > number"
    assert when in text
    looking = text.replace(when, f"{when} and count(cup[next], 6) == 0")
    for seats in (2, 6):
        builder = TreeBuilder(oddsmith.loads(looking).at(seats=seats).game, "win")
        with pytest.raises(PlayError, match="may choose") as refused:
            builder.compare_random_choices(400, seed=1)
        assert refused.value.problems[0].code == "OD536"
        TreeBuilder(oddsmith.loads(text).at(seats=seats).game, "win").compare_random_choices(400, seed=1)


def test_choices_made_at_once_are_not_estimated() -> None:
    with pytest.raises(SolveError, match="choices made at once"):
        estimate(bind(ruleset("two-lanterns")), "win", {0: "any", 1: "any"}, games=10)
