"""Small games with parameters that only weigh faces and pay, for the tests of what stays a symbol."""

from __future__ import annotations

from oddsmith.base.location import Source
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.model import Setting
from oddsmith.ruleset.reading.build import read_ruleset

HEAD = "format: 1\nid: made\ntitle: Made\nsummary: Made for a test.\n"

# Toss for squares and keep what you have plus a bonus, or lose all.
HOLD = """\
seats: 1
parameters:
  bonus: {default: 3, min: 0, max: 12}
  bend: {default: 1, min: 1, max: 6}
  under: {default: 1, min: 1, max: 9}
constants: {Heads: 1, Tails: 0}
dice:
  coin: {faces: [Heads, Tails], weights: [bend, 2 * under]}
state:
  stash: {max: 4}
  paid: {type: tally}
payoffs:
  points: paid
  debt: {value: 20 - paid, goal: min}
  doubled: 2 * bonus * paid / 3
turn: decide
phases:
  decide:
    choose:
      - name: Stop
        do: add stash * stash + bonus to paid
        then: end
      - {name: Toss, when: stash < 4, then: toss}
  toss:
    roll: {flip: coin}
    outcomes:
      - {name: Head, when: flip == Heads, do: add 1 to stash, then: decide}
      - {name: Tail, then: end}
"""

# A race of any number of seats to two heads: one bent coin, two of them for more, or a slow one that costs nothing.
RACE = """\
seats: {min: 1, max: 3, default: 2}
parameters:
  bend: {default: 1, min: 1, max: 6}
  prize: {default: 5, min: 1, max: 9}
dice:
  coin: {faces: [1, 0], weights: [bend, 2]}
  slow: {faces: [1, 0], weights: [1, 1]}
state:
  score: {each: seat, max: 4}
  spent: {type: tally, each: seat}
payoffs:
  win: share(score)
  coins: prize * score - spent
turn: choose
phases:
  choose:
    choose:
      - {name: One coin, do: add 1 to spent, then: one}
      - {name: Two coins, do: add 3 to spent, then: two}
      - {name: The slow one, then: slow}
  one:
    roll: {flip: coin}
    do: add flip to score
    then: pass
  two:
    roll: {flips: 2 of coin}
    do: add sum(flips) to score
    then: pass
  slow:
    roll: {flip: slow}
    do: add flip to score
    then: pass
end_when: any(score[s] >= 2 for s in table)
"""

# Two heads win for who tosses, else the other wins: fair where that has a chance of a half.
TWICE = """\
seats: 2
parameters:
  bend: {default: 1, min: 0, max: 9}
dice:
  coin: {faces: [1, 0], weights: [bend, 2]}
state:
  tossed: {type: flag}
  won: {each: seat, max: 1}
payoffs:
  win: won
turn: begin
phases:
  begin:
    cases:
      - {name: The other one, when: tossed, do: add 1 to won, then: end}
      - {name: First, then: toss}
  toss:
    roll: {flips: 2 of coin}
    outcomes:
      - {name: Both, when: sum(flips) == 2, do: add 1 to won, then: end}
      - {name: Not both, do: set tossed to true, then: pass}
"""

# Tossed until a head shows, by turns: with no weight on heads it never ends.
UNTIL = """\
seats: 2
parameters:
  bend: {default: 1, min: 0, max: 5}
dice:
  coin: {faces: [1, 0], weights: [bend, 2]}
state:
  won: {each: seat, max: 1}
payoffs:
  win: won
turn: toss
phases:
  toss:
    roll: {flip: coin}
    outcomes:
      - {name: Head, when: flip == 1, do: add 1 to won, then: end}
      - {name: Tail, then: pass}
"""


def made(body: str, seats: int | None = None, **values: int) -> Game:
    """The game at a number of seats and parameter values."""
    return bind(read_ruleset(Source("made.yaml", HEAD + body))[0], Setting(seats or 0, values=values))
