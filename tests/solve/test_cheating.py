"""Loaded dice: their law, and what they are worth, against plain computations of other kinds."""

from __future__ import annotations

import re
from collections import defaultdict
from fractions import Fraction
from functools import cache
from itertools import pairwise, permutations, product
from math import prod

import pytest

import oddsmith
from oddsmith.base.dice import Die, Hand, distribution_of_equal_dice, roll_distribution
from oddsmith.base.errors import MeasureError, RulesetError, SettingError
from oddsmith.base.exact import Number
from oddsmith.ruleset import with_loaded_dice
from oddsmith.ruleset.model.state import Cheat
from oddsmith.solve.questions import break_even_detection_share, solve_with_cheat
from tests.cases import RULESETS
from tests.terminal import run

FAIR, LOAD = (1, 2, 1, 1), (3, 2, 1, 5)
PIG = (RULESETS / "pig.yaml").read_text("utf-8")
LAIR = re.sub(r"\ncheats:\n(  .*\n)+", "\n", (RULESETS / "dragons-lair.yaml").read_text("utf-8"))


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
    found = roll_distribution([(count, die)])
    assert {hand: Fraction(weight, found.denominator) for hand, weight in found.hands} == wanted
    fair = distribution_of_equal_dice(count, Die("odd", 0, (1, 2, 3, 4), FAIR))
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
    found = solve_with_cheat(game.solution, Cheat("", "bone", load, try_count=tries, sees_results_first=peek))
    assert float(found.values[0]) == pytest.approx(mine_to_move[0, 0], abs=1e-12)
    assert sum(found.values, Number.of(0)) == Number.of(1)


def test_what_fair_dice_make_alike_loaded_ones_tell_apart() -> None:
    book, cheat = oddsmith.load("burglar-and-the-dragon"), Cheat("", "d6", {6: 2}, 1)
    shared, apart = (book.at(2, tokens_each=3).solve(symmetry=symmetry) for symmetry in (True, False))
    assert shared.state_count < apart.state_count
    found, wanted = solve_with_cheat(shared.solution, cheat), solve_with_cheat(apart.solution, cheat)
    assert found.graph.state_count == wanted.graph.state_count
    assert found.values[0] == wanted.values[0] != shared.values[0]


def test_dice_like_the_fair_ones_are_worth_nothing() -> None:
    game = oddsmith.loads(PIG).at(3, target=5).solve()
    assert solve_with_cheat(game.solution, Cheat("", "bone", dict.fromkeys(range(1, 7), 4))).values == game.values


def test_a_cheat_may_be_found_out_so_often_that_fair_dice_bring_as_much() -> None:
    fair, loaded, caught = (Number.of(each) for each in (20, 26, 2))
    share = break_even_detection_share(fair, loaded, caught)
    assert share is not None
    assert (1 - share) * loaded + share * caught == fair
    assert break_even_detection_share(loaded, fair, caught) is None
    assert break_even_detection_share(fair, loaded, fair) is None, "who is found out loses nothing"


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
    """Of one red marble worth 3, two blue worth 2 and two green worth nothing, two are drawn, each the better of two
    tries.
    """
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

    found = solve_with_cheat(game.solution, Cheat("", "", bag="bag", try_count=2))
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
    found = solve_with_cheat(game.solution, Cheat("", "", bag="bag", sees_results_first=True))
    assert found.values[0].exact == Fraction(sum(before), len(orders))
    assert found.values[0].lower > game.values[0].upper


def test_a_peek_at_a_bag_shows_as_many_items_as_an_option_draws() -> None:
    """With a second option that draws two at once, the cheat sees the next two, and looks anew before each choice."""
    more = '      - {name: Draw two, when: "sum(bag[colours]) > 1", then: both}'
    two = (
        TOP.replace("then: draw}", f"then: draw}}\n{more}")
        + """\
  both:
    draw: {first: bag, second: bag}
    outcomes:
      - {name: Black, when: first == black or second == black, do: set won to 0, then: end}
      - name: Colours
        do:
          - add 3 if first == red else 2 to won
          - add 3 if second == red else 2 to won
        then: ask
"""
    )
    worth = {"red": 3, "blue": 2}

    def best(bag: tuple[str, ...], won: int) -> Fraction:
        orders = list(permutations(bag))

        def after(order: tuple[str, ...], taken: int) -> Fraction:
            drawn = order[:taken]
            if "black" in drawn:
                return Fraction(0)
            return best(tuple(sorted(order[taken:])), won + sum(worth[each] for each in drawn))

        values = [
            max([Fraction(won), *(after(order, taken) for taken in (1, 2) if taken <= len(bag))]) for order in orders
        ]
        return sum(values, Fraction(0)) / len(values)

    found = solve_with_cheat(oddsmith.loads(two).solve().solution, Cheat("", "", bag="bag", sees_results_first=True))
    assert found.values[0].exact == best(("black", "blue", "blue", "red"), 0)


CALLS = """\
format: 1
id: calls
title: Calls
summary: Call what a roll will be.
seats: 1
dice: {bone: {faces: [1, 2, 3, 4, 5, 6]}, gem: {faces: [1, 2, 3, 4, 5, 6, 7, 8]}}
state:
  called: {max: 2}
  won: {max: 40}
payoffs: {points: won}
turn: call
phases:
  call:
    choose:
OPTIONS
"""


def _calls(options: str, phases: str) -> oddsmith.Solved:
    return oddsmith.loads(CALLS.replace("OPTIONS", options.rstrip("\n")) + phases).solve()


def test_who_knows_how_the_die_will_fall_calls_it_right_every_time() -> None:
    """Both calls lead to one roll of one die, so there is only one result to see."""
    game = _calls(
        "      - {name: High, do: set called to 1, then: throw}\n      - {name: Low, then: other}\n",
        """\
  throw:
    roll: {face: bone}
    outcomes:
      - {name: Right, when: face > 3, do: add 1 to won, then: end}
      - {name: Wrong, then: end}
  other:
    roll: {side: bone}
    outcomes:
      - {name: Right, when: side < 4, do: add 1 to won, then: end}
      - {name: Wrong, then: end}
""",
    )
    assert solve_with_cheat(game.solution, Cheat("", "bone", sees_results_first=True)).values[0].exact == 1
    assert game.values[0].exact == Fraction(1, 2)


ONE_TWO_OR_A_GEM = (
    "".join(f"      - {{name: {name}, then: {name.lower()}}}\n" for name in ("One", "Two", "Gem")),
    """\
  one:
    roll: {face: bone}
    outcomes: [{name: Count, do: add 2 * face to won, then: end}]
  two:
    roll: {hand: 2 of bone}
    outcomes:
      - {name: Bust, when: "count(hand, 1) > 0", then: end}
      - {name: Count, do: add sum(hand) to won, then: end}
  gem:
    roll: {face: bone, side: gem}
    outcomes: [{name: Count, do: add side if face > 2 else 0 to won, then: end}]
""",
)


@pytest.mark.parametrize(("load", "loaded"), [({}, None), ({6: 3}, None), ({6: 3}, 1), ({1: 2, 5: 4}, 1)])
def test_rolls_of_one_and_of_two_dice_share_the_first_die(load: dict[int, int], loaded: int | None) -> None:
    """One die counts twice, two count with no 1, and a gem counts unless the die is low: the bones fall in one order."""
    game, fair = _calls(*ONE_TWO_OR_A_GEM), [1] * 6
    odd = [load.get(face, 1) for face in range(1, 7)]
    total, weights = Fraction(0), 0
    for first, second, gem in product(range(1, 7), range(1, 7), range(1, 9)):
        weight = odd[first - 1] * (odd if loaded is None else fair)[second - 1]
        both = 0 if 1 in (first, second) else first + second
        total += weight * max(2 * first, both, gem if first > 2 else 0)
        weights += weight
    found = solve_with_cheat(game.solution, Cheat("", "bone", load, loaded, sees_results_first=True))
    assert found.values[0].exact == total / weights


def test_more_results_than_can_be_listed_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    game, cheat = _calls(*ONE_TWO_OR_A_GEM), Cheat("", "bone", sees_results_first=True)
    results = 3 * 6 * 6 * 8  # of three options, each with two falls of a bone and one of a gem
    monkeypatch.setattr("oddsmith.ruleset.foresight.MAX_STEPS", results)
    assert solve_with_cheat(game.solution, cheat).values[0].lower > game.values[0].upper
    monkeypatch.setattr("oddsmith.ruleset.foresight.MAX_STEPS", results - 1)
    with pytest.raises(MeasureError, match=f"with over {results - 1} results in all"):
        solve_with_cheat(game.solution, cheat)


def test_a_second_option_with_the_same_roll_shows_nothing_new() -> None:
    twin = PIG.replace(
        "- name: Throw again",
        "- name: Throw left-handed\n        when: score + pot < target\n        then: throw\n      - name: Throw again",
        1,
    )
    cheat = Cheat("", "bone", sees_results_first=True)
    found, wanted = (
        solve_with_cheat(oddsmith.loads(text).at(target=10).solve().solution, cheat).values[0] for text in (twin, PIG)
    )
    assert twin != PIG
    assert found == wanted


JARS = """\
format: 1
id: jars
title: Jars
summary: Fill jars.
seats: 2
lists: {jars: "span(1, 3)"}
dice: {bone: {faces: "span(1, 3)"}}
state:
  coin: {each: jars, max: 2}
  left: {max: 5, start: 5}
  got: {each: seat, max: 40}
payoffs: {points: got}
turn: ask
end_when: left == 0
phases:
  ask:
    choose:
      - {name: One, then: one}
      - {name: Two, then: two}
      - {name: Leave, do: "add -1 to left", then: pass}
  one:
    roll: {die: bone}
    outcomes:
      - name: Full
        when: "coin[die] == 2"
        do: ["add -1 to left", "add 3 to got", "set coin[die] to 0"]
        then: pass
      - name: Put
        do: ["add -1 to left", "add 1 to coin[die]"]
        then: pass
  two:
    roll: {first: bone, second: bone}
    outcomes:
      - name: Same
        when: "first == second"
        do: ["add -1 to left", "add coin[first] to got", "set coin[first] to 0"]
        then: pass
      - name: Other
        do: ["add -1 to left", "set coin[first] to 2", "set coin[second] to 0"]
        then: again
"""


def test_jars_that_are_alike_share_what_a_peek_at_several_options_shows() -> None:
    game, cheat = oddsmith.loads(JARS), Cheat("", "bone", sees_results_first=True)
    shared, apart = (game.solve(symmetry=symmetry) for symmetry in (True, False))
    assert shared.state_count < apart.state_count
    found, wanted = (solve_with_cheat(solved.solution, cheat).values for solved in (shared, apart))
    assert found == wanted
    assert found[0].lower > shared.values[0].upper


def test_dice_whose_number_depends_on_the_same_roll_are_refused() -> None:
    game = _calls(
        "      - {name: One, then: one}\n      - {name: Two, then: two}\n",
        """\
  one:
    roll: {face: bone}
    outcomes: [{name: Count, do: add face to won, then: end}]
  two:
    roll: {face: bone, hand: face of bone}
    outcomes: [{name: Count, then: end}]
""",
    )
    with pytest.raises(MeasureError, match="number of dice in hand depends on what falls"):
        solve_with_cheat(game.solution, Cheat("", "bone", sees_results_first=True))


def test_a_bag_that_an_option_changes_before_it_draws_is_refused() -> None:
    two = TOP.replace(
        "then: draw}", "then: draw}\n      - {name: Add, when: won == 2, do: 'add 1 to bag[black]', then: draw}"
    )
    two = two.replace("max: 2, start", "max: 9, start")
    with pytest.raises(MeasureError, match="options there change bag before they draw"):
        solve_with_cheat(oddsmith.loads(two).solve().solution, Cheat("", "", bag="bag", sees_results_first=True))


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
