"""Loaded dice: their law, and what they are worth, against plain computations of other kinds."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import cache
from itertools import pairwise, permutations, product
from math import prod

import pytest

import oddsmith
from oddsmith.base.dice import Die, Hand, roll, roll_alike
from oddsmith.base.errors import MeasureError, RulesetError, SettingError
from oddsmith.base.exact import Number
from oddsmith.ruleset import with_loaded_dice
from oddsmith.ruleset.model.state import Cheat
from oddsmith.solve.questions import share_found_out, solve_with_cheat
from tests.cases import RULESETS
from tests.terminal import run

FAIR, LOAD = (1, 2, 1, 1), (3, 2, 1, 5)
PIG = (RULESETS / "pig.yaml").read_text("utf-8")
LAIR = (RULESETS / "dragons-lair.yaml").read_text("utf-8")


@pytest.mark.parametrize("loaded", [1, 2, 5])
def test_of_dice_rolled_together_no_more_are_loaded_than_the_cheat_has(loaded: int) -> None:
    die, count = Die("odd", 0, (1, 2, 3, 4), FAIR, LOAD, loaded), 3
    weights = [LOAD if number < loaded else FAIR for number in range(count)]
    wanted: defaultdict[Hand, Fraction] = defaultdict(Fraction)
    for faces in product(range(4), repeat=count):
        chance = prod(
            (Fraction(one[face], sum(one)) for one, face in zip(weights, faces, strict=True)), start=Fraction(1)
        )
        wanted[Hand(sorted((face + 1, 0) for face in faces))] += chance
    found = roll([(count, die)])
    assert {hand: Fraction(weight, found.denominator) for hand, weight in found.hands} == wanted
    fair = roll_alike(count, Die("odd", 0, (1, 2, 3, 4), FAIR))
    assert [hand for hand, _ in found.hands] == [hand for hand, _ in fair.hands]


def test_alone_a_cheat_plays_the_game_whose_dice_are_so() -> None:
    fair = oddsmith.loads(LAIR)
    found = solve_with_cheat(fair.solve().solution, Cheat("", "piecepack", {5: 2, 1: 3}))
    odd = LAIR.replace("faces: span(0, 5)", "faces: [0, 1, 2, 3, 4, 5]\n    weights: [1, 3, 1, 1, 1, 2]")
    assert odd != LAIR
    assert found.values == oddsmith.loads(odd).solve().values


@pytest.mark.parametrize(
    ("load", "tries", "peek"),
    [({6: 3, 1: 2}, 1, False), ({}, 2, False), ({}, 5, False), ({1: 4}, 3, False), ({}, 1, True), ({1: 2}, 1, True)],
)
def test_a_cheat_makes_the_most_of_the_dice_against_one_who_knows_nothing(
    load: dict[int, int], tries: int, peek: bool
) -> None:
    game, target = oddsmith.loads(PIG).at(target=10).solve(), 10
    weights = [load.get(face, 1) for face in range(1, 7)]
    scores = (0, *range(2, target))  # nobody ever has 1

    @cache
    def banks(mine: int, theirs: int, pot: int) -> bool:
        position = {"score[1]": mine, "score[2]": theirs, "pot": pot}
        return game.policy(phase="decide", **position) == "Bank"

    mine_to_move: dict[tuple[int, int], float] = dict.fromkeys(product(scores, repeat=2), 0.5)
    theirs_to_move = dict(mine_to_move)

    def turn(own: int, other: int, after: dict[tuple[int, int], float], cheat: bool) -> float:
        """What the cheat gets from the start of a turn; ``after``: by the scores of the cheat and of the other."""
        law = weights if cheat else [1] * 6

        def then(score: int) -> float:
            if score >= target:
                return float(cheat)
            return after[score, other] if cheat else after[other, score]

        def throw(pot: int, least: float = 0.0) -> float:
            results = [
                (max(least, then(own) if face == 1 else decide(pot + face)), weight / sum(law))
                for face, weight in enumerate(law, 1)
            ]
            if not cheat:
                return sum(worth * chance for worth, chance in results)
            # the mean of the greatest of several: the least, and each step above it as often as one of them goes beyond
            results.sort()
            found, below = results[0][0], 0.0
            for (worth, chance), (better, _) in pairwise(results):
                below += chance
                found += (better - worth) * (1 - below**tries)
            return found

        def decide(pot: int) -> float:
            if own + pot >= target:
                return then(own + pot)
            if cheat:
                return throw(pot, then(own + pot)) if peek else max(then(own + pot), throw(pot))
            return then(own + pot) if banks(own, other, pot) else throw(pot)

        return throw(0)

    for _ in range(200):
        mine_to_move = {at: turn(*at, theirs_to_move, cheat=True) for at in mine_to_move}
        theirs_to_move = {at: turn(at[1], at[0], mine_to_move, cheat=False) for at in mine_to_move}
    found = solve_with_cheat(game.solution, Cheat("", "bone", load, tries=tries, peek=peek))
    assert float(found.values[0]) == pytest.approx(mine_to_move[0, 0], abs=1e-12)
    assert sum(found.values, Number.of(0)) == Number.of(1)


def test_what_fair_dice_make_alike_loaded_ones_tell_apart() -> None:
    book, cheat = oddsmith.load("burglar-and-the-dragon"), Cheat("", "d6", {6: 2}, 1)
    shared, apart = (book.at(2, tokens_each=3).solve(symmetry=symmetry) for symmetry in (True, False))
    assert shared.states < apart.states
    found, wanted = solve_with_cheat(shared.solution, cheat), solve_with_cheat(apart.solution, cheat)
    assert found.graph.states == wanted.graph.states
    assert found.values[0] == wanted.values[0] != shared.values[0]


def test_dice_like_the_fair_ones_are_worth_nothing() -> None:
    game = oddsmith.loads(PIG).at(3, target=5).solve()
    for seat in (1, 2, 3):
        assert (
            solve_with_cheat(game.solution, Cheat("", "bone", dict.fromkeys(range(1, 7), 4)), seat).values
            == game.values
        )


def test_a_cheat_may_be_found_out_so_often_that_fair_dice_bring_as_much() -> None:
    fair, loaded, caught = (Number.of(each) for each in (20, 26, 2))
    share = share_found_out(fair, loaded, caught)
    assert share is not None
    assert (1 - share) * loaded + share * caught == fair
    assert share_found_out(loaded, fair, caught) is None
    assert share_found_out(fair, loaded, fair) is None, "who is found out loses nothing"


def test_what_cheats_are_worth_is_told_and_printed() -> None:
    found = oddsmith.load("wizards-and-thieves").at(coins_each=10).solve().cheats()
    assert [(each.name, each.against) for each in found] == [
        ("one loaded die", ""),
        ("one loaded die", "thief when six behind"),
    ]
    assert all(each.gain.lower > 0 for each in found)
    told = run("solve", "wizards-and-thieves", "--set", "coins_each=10", "--cheats", "--values")
    assert told.returncode == 0
    first = found[0]
    assert (
        f"against best play: {first.cheated.decimal(4)} in place of {first.fair.decimal(4)}; pays unless" in told.stdout
    )


BAG = """\
format: 1
id: marbles
title: Marbles
summary: Draw two marbles for their points.
seats: 1
lists: {colours: [red, blue, green]}
state:
  bag: {each: colours, max: 2, start: {red: 1, blue: 2, green: 2}}
  left: {max: 2, start: 2}
  won: {max: 6}
payoffs: {points: won}
end_when: left == 0
turn: draw
phases:
  draw:
    draw: {marble: bag}
    do:
      - add 3 if marble == red else 2 if marble == blue else 0 to won
      - add -1 to left
    then: draw
"""


def test_a_marked_bag_is_worth_the_better_of_two_marbles() -> None:
    """Of one red marble worth 3, two blue worth 2 and two green worth nothing, two are drawn, each the better of two tries."""
    game = oddsmith.loads(BAG).solve()
    values = {"red": 3, "blue": 2, "green": 0}

    def drawn(bag: tuple[str, ...], left: int) -> Fraction:
        if not left:
            return Fraction(0)
        worth = {
            colour: values[colour]
            + drawn(tuple(each for at, each in enumerate(bag) if at != bag.index(colour)), left - 1)
            for colour in set(bag)
        }
        shown = [max(worth[one], worth[other]) for one, other in product(bag, repeat=2)]
        return sum(shown, Fraction(0)) / len(shown)

    found = solve_with_cheat(game.solution, Cheat("", "", bag="bag", tries=2))
    assert found.values[0].exact == drawn(("red", "blue", "blue", "green", "green"), 2)
    assert found.values[0].exact != game.values[0].exact
    with pytest.raises(RulesetError, match="has no loaded dice"):
        oddsmith.loads(BAG + "cheats:\n  marked: {bag: bag, tries: 2, loaded: 1}\n")


TOP = """
format: 1
id: top
title: Top
summary: Draw for points, and lose all with the black one.
seats: 1
lists: {colours: [red, blue, black]}
state:
  bag: {each: colours, max: 2, start: {red: 1, blue: 2, black: 1}}
  won: {max: 9}
payoffs: {points: won}
turn: ask
phases:
  ask:
    choose:
      - {name: Leave, then: end}
      - {name: Draw, when: "sum(bag[colours]) > 0", then: draw}
  draw:
    draw: {marble: bag}
    outcomes:
      - {name: Black, when: marble == black, do: set won to 0, then: end}
      - {name: Colour, do: add 3 if marble == red else 2 to won, then: ask}
"""


def test_who_sees_the_top_of_a_bag_leaves_before_the_black_one() -> None:
    """One red marble worth 3, two blue worth 2, and the black one, in any order: who sees the next gets all before it."""
    game = oddsmith.loads(TOP).solve()
    worth = {"red": 3, "blue": 2, "black": 0}
    orders = list(permutations(["red", "blue", "blue", "black"]))
    before = [sum(worth[each] for each in order[: order.index("black")]) for order in orders]
    found = solve_with_cheat(game.solution, Cheat("", "", bag="bag", peek=True))
    assert found.values[0].exact == Fraction(sum(before), len(orders))
    assert found.values[0].lower > game.values[0].upper


def test_what_several_options_roll_cannot_be_seen_by_one_peek() -> None:
    two = TOP.replace(
        "then: draw}", 'then: draw}\n      - {name: Draw again, when: "sum(bag[colours]) > 1", then: draw}'
    )
    with pytest.raises(MeasureError, match="not clear what a peek shows"):
        solve_with_cheat(oddsmith.loads(two).solve().solution, Cheat("", "", bag="bag", peek=True))


LOADED = """
cheats:
  loaded:
    die: piecepack
    weights: {5: 2}
"""


@pytest.mark.parametrize(
    ("old", "new", "code", "told"),
    [
        ("die: piecepack", "die: d7", "OD348", "no roll has the die d7"),
        ("{5: 2}", "{6: 2}", "OD355", "the die piecepack has no face 6"),
        ("{5: 2}", "{5: 0}", "OD205", ""),
        ("die: piecepack", "about: Nothing.", "OD373", "loaded needs either a die or a bag"),
        ("weights: {5: 2}", "about: Nothing.", "OD373", "loaded changes nothing"),
        ("weights: {5: 2}", "tries: 2\n    peek: true", "OD373", "loaded both tries again and peeks"),
        ("die: piecepack\n    weights: {5: 2}", "bag: coins\n    tries: 2", "OD346", "`coins` is not a bag"),
    ],
)
def test_dice_and_faces_that_are_not_there_are_refused(old: str, new: str, code: str, told: str) -> None:
    text = LAIR.replace("faces: span(0, 5)", "faces: [0, 1, 2, 3, 4, 5]") + LOADED.replace(old, new)
    with pytest.raises(RulesetError) as refused:
        oddsmith.loads(text)
    (problem,) = refused.value.problems
    assert problem.code == code
    assert told in problem.message


def test_a_face_that_a_smaller_die_lacks_is_refused_where_it_is_rolled() -> None:
    game = oddsmith.loads(PIG).at(sides=4).game
    with pytest.raises(SettingError, match="the die bone has no face 6 there"):
        with_loaded_dice(game, Cheat("", "bone", {6: 2}))
