"""Does the table of a certificate prove its values? Whole numbers only, and nothing but Python's own library.

A certificate is text, one JSON object a line: a header, the states, a checksum (docs/certificates.md tells all). A state
has rows, one per action, of transitions: target (-1: the game is over), places the turn moves on, number of the payoff,
weight. With P the chances under the policy and b what it pays, the true values are x = P x + b. Checked in every state:

* follow: the stated x~ leaves a residual |x~ - P x~ - b| of at most e, which is 0 where the values are exact;
* steps: whole numbers d > 0 with d - P d >= 1/2, the slack. So P^k goes to 0, which means that play ends, that x is the only
  solution, and that |x~ - x| <= (I - P)^-1 e <= 2 e d, for 1 <= 2 (d - P d) and (I - P)^-1 has no entry below 0;
* gain: no row is worth more to the mover than the one played, by these bounds (one-shot deviations, which are enough); rows
  that may be worth as much are listed, and rows that are mixed are worth the same;
* distance: how far the end is away at the worst. Where that is known, play ends however it is played.

How much a bound may leave open is for this checker to say, not for the file: FINEST.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from io import BytesIO
from math import gcd, lcm
from pathlib import Path
from typing import Any

Row = Sequence[Sequence[int]]
FORMAT = 2
FINEST = Fraction(1, 10**12)  # no value is wider, and nobody gains more in a game by departing from what is played
LOOSE = Fraction(1, 10**30)  # nor by one action of which it is not shown how often it can be taken
LARGEST = 2**53 - 1  # of a whole number that JSON holds as a number: any reader has it exactly
LONGEST = 1 << 26  # bytes of a line
DENSEST = 200  # times as long as the file is its text at most, or it was packed to fill the memory
NEVER = 1 << 62  # transitions to the end, where the players could keep the game from ending
DAMAGED = (KeyError, IndexError, TypeError, ValueError, AttributeError, ZeroDivisionError, RecursionError)


class Refused(Exception):
    """The certificate does not prove what it states. The text says why, and in which state, and is safe to print."""

    def __init__(self, text: str) -> None:
        super().__init__("".join(letter if letter.isprintable() else "?" for letter in text[:1_000]))


@dataclass(frozen=True)
class Proof:
    """What was proven. ``values``: bounds for every seat, the first to move first; the same twice where they are exact.

    ``ties``: rows that may be worth as much as what is played; none is worth more than ``delta`` more. Taken as often as
    one likes, other rows bring no more than ``gain`` in a game, but for ``loose`` ones, of which it is not shown how often they
    can be taken. ``endless``: states from which the players could keep the game from ending.
    """

    header: dict[str, Any]
    values: tuple[tuple[Fraction, Fraction], ...]
    transitions: int
    decisions: int
    ties: int
    delta: Fraction
    gain: Fraction
    loose: int
    endless: tuple[int, ...]


@dataclass(frozen=True)
class Table:
    """The numbers of all states. Where seats play differently, a state has one copy per seat that may be to move.

    The last four have the entry ``state * copies + mover``: ``values`` per seat counted from the mover, whole numbers over
    ``over``; ``steps``, the d above in units of ``1 / grain``; transitions to the end. ``residual``, the e above, and
    ``delta`` are in units of ``1 / unit``, payoffs in units of ``1 / scale``. ``sign`` is 1 to gain, -1 to lose. ``first``
    is the seat that moves first, ``held`` what seats have from the beginning, which no transition pays.
    """

    seats: int
    copies: int
    sign: int
    named: frozenset[int]
    payoffs: Sequence[Sequence[int]]
    scale: int
    first: int
    held: Sequence[Fraction]
    unit: int
    residual: int
    delta: int
    grain: int
    values: Sequence[Sequence[int]]
    over: Sequence[int]
    steps: Sequence[int]
    ends: Sequence[int]

    def arriving(self, row: Row, mover: int) -> Row:
        """The row with entries for targets, if this seat is to move."""
        if self.copies == 1:
            return row
        return [(t if t < 0 else t * self.copies + (mover + by) % self.seats, by, p, w) for t, by, p, w in row]

    def common(self, entry: int, row: Row) -> int:
        """A denominator of everything that a row brings."""
        return lcm(self.scale, self.over[entry], *{self.over[target] for target, _, _, _ in row if target >= 0})

    def worth(self, row: Row, seat: int, common: int) -> int:
        """What a row brings a seat (counted from the mover), in units of ``1 / (common * total of the weights)``."""
        total, units = 0, common // self.scale
        for target, by, payoff, weight in row:
            brought = self.payoffs[payoff][seat] * units
            if target >= 0:  # seat j of this mover is seat j - by of the next; Python counts on from the end below 0
                brought += self.values[target][seat - by] * (common // self.over[target])
            total += weight * brought
        return total

    def onward(self, row: Row) -> int:
        """The steps of the targets, weighted."""
        return sum(weight * self.steps[target] for target, _, _, weight in row if target >= 0)

    def follow(self, entry: int, played: Row) -> None:
        """The values and steps of a state follow from what is played there."""
        weights, common = sum(weight for *_, weight in played), self.common(entry, played)
        for seat, value in enumerate(self.values[entry]):
            wrong = self.worth(played, seat, common) - value * (common // self.over[entry]) * weights
            if abs(wrong) * self.unit > self.residual * common * weights:
                raise Refused(f"the value of seat {seat + 1} from the mover does not follow from what is played")
        if 2 * self.fall(entry, played) < 1:
            raise Refused("its steps do not prove that play ends")

    def fall(self, entry: int, row: Row) -> Fraction:
        """By how much the steps fall along a row."""
        weights = sum(weight for *_, weight in row)
        return Fraction(weights * self.steps[entry] - self.onward(row), weights * self.grain)

    def often(self, entry: int, row: Row, gain: Fraction) -> bool:
        """Whether a row may be taken so often that its gain adds up to more than the steps account for."""
        return gain * self.unit > 2 * self.delta * self.fall(entry, row)

    def gain(self, entry: int, row: Row, played: Row) -> tuple[Fraction, Fraction]:
        """So much more is a row worth to the mover than what is played, at least and at most."""
        if row == played:
            nothing = Fraction(0)
            return nothing, nothing
        weights, common = sum(weight for *_, weight in row), self.common(entry, row)
        more = self.worth(row, 0, common) - self.values[entry][0] * (common // self.over[entry]) * weights
        near = Fraction(self.sign * more, common * weights)
        error = 2 * self.residual * (self.onward(row) + weights * self.steps[entry])
        wide = Fraction(error, weights * self.grain * self.unit)
        return near - wide, near + wide

    def distance(self, rows: Sequence[Row]) -> int:
        """Transitions to the end: of the rows the worst, of its transitions the best."""
        ways = [min(0 if target < 0 else self.ends[target] for target, _, _, _ in row) for row in rows]
        return min(NEVER, 1 + max(ways))

    @property
    def gained(self) -> Fraction:
        """What somebody gains in a game at most who departs again and again, by rows that the steps account for."""
        return Fraction(2 * self.delta * self.steps[self.first % self.copies], self.unit * self.grain)

    def game(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """Bounds of what the game is worth to every seat."""
        entry = self.first % self.copies
        reach = Fraction(2 * self.residual * self.steps[entry], self.grain * self.unit)
        values = [Fraction(self.values[entry][seat - self.first], self.over[entry]) for seat in range(self.seats)]
        return tuple((value + had - reach, value + had + reach) for value, had in zip(values, self.held, strict=True))

    def total(self, entry: int) -> int:
        """What all seats get in sum, in units of ``1 / scale``: the nearest whole number."""
        return (2 * sum(self.values[entry]) * self.scale + self.over[entry]) // (2 * self.over[entry])

    def constant(self, state: int, rows: Sequence[Row]) -> bool:
        """Whether all seats in sum get the same from a state on, however it is played."""
        steps = {(target, payoff) for row in rows for target, _, payoff, _ in row}
        sums = {sum(self.payoffs[payoff]) + (self.total(t) if t >= 0 else 0) for t, payoff in steps}
        return sums == {self.total(state)}


def records(data: bytes) -> Iterator[dict[str, Any]]:
    """The header and the states; at the end the checksum is verified."""
    stream = gzip.GzipFile(fileobj=BytesIO(data)) if data[:2] == b"\x1f\x8b" else BytesIO(data)
    digest, checksum, length = sha256(), "", 0
    try:
        while line := stream.readline(LONGEST):
            record, length = READER.decode(line.decode()), length + len(line)
            if length > DENSEST * len(data):
                raise Refused("its text is far longer than the file, which honest ones are not")
            if checksum or not line.endswith(b"\n"):
                raise Refused("text follows the checksum, or a line is not ended")
            checksum = record["sha256"] if record.keys() == {"sha256"} else ""
            if not checksum:
                digest.update(line)
                yield record
    except (*DAMAGED, OSError, EOFError, zlib.error):
        raise Refused("it is no certificate, or damaged: not every line is a JSON object") from None
    if checksum != digest.hexdigest():
        raise Refused("its checksum is missing, or not that of its text")
    if isinstance(stream, gzip.GzipFile) and int.from_bytes(data[-4:], "little") != length % (1 << 32):
        raise Refused("the file goes on after what is gzipped")


def _strict(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON, whose keys must differ: readers do not agree on which of two they take."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands there twice")
    return found


def whole(value: Any, least: int = -LARGEST, most: int = LARGEST) -> int:
    """A whole number as JSON has it. ValueError for anything else."""
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"{str(value)[:40]!r} is not a whole number in its place")
    return value


READER = json.JSONDecoder(
    object_pairs_hook=_strict, parse_float=whole, parse_int=lambda text: whole(int(text)), parse_constant=whole
)


def large(text: Any, least: int | None = None) -> int:
    """A whole number that may be long: text in base 16, without needless zeros."""
    if not re.fullmatch("0|-?[1-9a-f][0-9a-f]*", text) or (least is not None and int(text, 16) < least):
        raise ValueError(f"{text[:40]!r} is not a whole number in its place")
    return int(text, 16)


def fraction(text: Any) -> Fraction:
    """A fraction: text such as ``5/2``, ``-3``."""
    if not re.fullmatch("(0|-?[1-9][0-9]{0,3999})(/[1-9][0-9]{0,3999})?", text):
        raise ValueError(f"{text[:40]!r} is not a fraction")
    return Fraction(text)


def each(values: Any, count: int) -> list[Any]:
    """A list of so many. ValueError for anything else."""
    if type(values) is not list or len(values) != count:
        raise ValueError(f"{str(values)[:40]!r} is not a list of {count}")
    return values


def read(data: bytes) -> tuple[dict[str, Any], Table]:
    """The header, and the numbers of all states. Raises Refused."""
    lines = records(data)
    values, over, steps, ends = list[list[int]](), list[int](), list[int](), list[int]()
    try:
        head = next(lines)
        if head["certificate"] != FORMAT:
            raise Refused(f"it is of format {head['certificate']}, and this checker reads format {FORMAT}")
        seats, states, policies = whole(head["ruleset"]["seats"], 1), whole(head["states"], 1), head["policies"]
        copies, unit, _ = whole(head["copies"], 1), large(head["unit"], 1), each(head["actions"], len(head["actions"]))
        held = [fraction(text) for text in each(head["start"]["held"], seats)]  # so many seats are there
        seat_of = {str(seat + 1): seat for seat in range(seats)}
        named = frozenset(seat_of[seat] for seat in policies)
        apart = 0 < len(named) < seats or len(set(policies.values())) > 1
        if copies not in (1, seats) or (apart and copies == 1):
            raise Refused("its seats, copies and policies do not fit together")
        if not all(name.isprintable() for name in (head["ruleset"]["id"], head["objective"], *policies.values())):
            raise Refused("its names cannot be printed")
        payoffs = [[whole(units) for units in each(kind, seats)] for kind in head["payoffs"]]
        first = whole(head["start"]["mover"], 0, seats - 1)
        table = Table(
            seats, copies, {"max": 1, "min": -1}[head["goal"]], named, payoffs, whole(head["scale"], 1), first, held, unit,
            large(head["residual"], 0), large(head["delta"], 0), whole(head["grain"], 1), values, over, steps, ends,
        )  # fmt: skip
        for number, state in enumerate(lines):
            if number == states:
                raise Refused(f"it has more than the {states} states that its header tells")
            values += [[large(value) for value in each(entry, seats)] for entry in each(state["values"], copies)]
            over += [large(one, 1) for one in each(state["over"], copies)] if "over" in state else [unit] * copies
            steps += [whole(one, 1) for one in each(state["steps"], copies)]
            ends += [NEVER if one is None else whole(one, 1) for one in each(state["ends"], copies)]
    except (*DAMAGED, StopIteration) as wrong:
        raise Refused(f"a line is not as the format says: {wrong}") from None
    if len(values) != copies * states:
        raise Refused(f"it does not have the {states} states that its header tells")
    return head, table


def check(data: bytes) -> Proof:
    """What a certificate proves by itself. Raises Refused."""
    head, table = read(data)
    transitions = decisions = ties = loose = 0
    delta, mixes, constant = Fraction(0), False, head.get("kind") == "zero-sum"
    lines = records(data)
    next(lines)
    for number, state in enumerate(lines):
        try:
            rows = [_row(row, table, head) for row in state["rows"]]
            constant = constant and table.constant(number, rows)  # a claim of tables with one copy
            for mover, (play, tied) in enumerate(_decisions(state, table.copies)):
                entry = number * table.copies + mover
                most, often = _decide(table, entry, play, tied, [table.arriving(row, mover) for row in rows])
                mixes, ties = mixes or type(play) is list, ties + len(tied)
                delta, loose = max(delta, most), loose + often
        except Refused as refused:
            raise Refused(f"{words(head, number, state)}: {refused}") from None
        except DAMAGED as wrong:
            raise Refused(f"{words(head, number, state)}: it is not as the format says: {wrong}") from None
        transitions, decisions = transitions + sum(map(len, rows)), decisions + (len(rows) > 1)
    alone = "optimal" if table.seats == 1 else "zero-sum" if table.seats == 2 and constant else "symmetric"
    kind = "named" if table.named else "mixed" if mixes else "pure-by-seat" if table.copies > 1 else alone
    if head.get("kind") != kind:
        raise Refused(f"its decisions are of the kind {kind}, not {head.get('kind')}")
    values = table.game()
    if values[0][1] - values[0][0] > FINEST:  # and those of all seats are as wide
        raise Refused("its values are enclosed too widely to tell the digits that are printed")
    if table.gained > FINEST:
        raise Refused("a player who departs again and again from what is played may gain too much")
    endless = sorted({entry // table.copies for entry, end in enumerate(table.ends) if end == NEVER})
    return Proof(head, values, transitions, decisions, ties, delta, table.gained, loose, tuple(endless))


def _row(written: Any, table: Table, head: dict[str, Any]) -> Row:
    """The transitions of a row, all with a place to lead to."""
    action, row = written
    states, kinds = len(table.values) // table.copies, len(table.payoffs)
    if not row or not -1 <= whole(action) < len(head["actions"]):
        raise Refused("a row has no transition, or no action")
    for target, by, payoff, weight in row:
        whole(by, 0, table.seats - 1 if whole(target, -1, states - 1) >= 0 else 0)
        whole(payoff, 0, kinds - 1), whole(weight, 1)
    if gcd(*(weight for *_, weight in row)) != 1:
        raise Refused("the weights of a row are not in lowest terms")
    return row  # type: ignore[no-any-return]


def _decisions(state: dict[str, Any], copies: int) -> Iterator[tuple[Any, Any]]:
    """What is played and what is tied, for each seat that may be to move."""
    return zip(each(state["play"], copies), each(state["ties"], copies), strict=True)


def _decide(table: Table, entry: int, play: Any, ties: Any, rows: Sequence[Row]) -> tuple[Fraction, int]:
    """One state with one seat to move: what one departure gains at most, and how many rows may be taken ``often``."""
    picks, named = picked(play), entry % table.copies in table.named
    played = together(picks, rows)
    table.follow(entry, played)
    if table.ends[entry] != table.distance([played] if named else rows):
        raise Refused("its distance from the end is not that of its transitions")
    if named and len(picks) > 1:
        raise Refused("a named policy mixes no actions")
    others = [] if named else [number for number in range(len(rows)) if [number] != list(picks)]
    gains = {number: table.gain(entry, rows[number], played) for number in others}
    if list(map(whole, ties)) != [number for number, (_, most) in gains.items() if most >= 0]:
        raise Refused("the rows that may be worth as much as what is played, or more, are not those listed as ties")
    if any(-gains[number][0] * table.unit > table.delta for number in picks if number in gains):
        raise Refused("an action that is mixed is worth less than what is played")
    most = max((gains[number][1] for number in ties), default=Fraction(0))
    if most * table.unit > table.delta:
        raise Refused("a tie is worth more than what is played, by more than the header allows")
    loose = [gain for number, (_, gain) in gains.items() if table.often(entry, rows[number], gain)]
    if max(loose, default=LOOSE) > LOOSE:
        raise Refused("an action may be worth more than what is played, and be taken again and again")
    return most, len(loose)


def picked(play: Any) -> dict[int, int]:
    """What is played: rows with their shares; a row alone has the share 1, a mixture two rows or more, in order."""
    if type(play) is not list:
        return {whole(play, 0): 1}
    picks = {whole(row, 0): large(share, 1) for row, share in play}
    if len(play) < 2 or list(picks) != sorted(row for row, _ in play):
        raise Refused("a mixture is of fewer than two different actions, or they are not in order")
    return picks


def together(picks: Mapping[int, int], rows: Sequence[Row]) -> Row:
    """What is played as one row; a row that is played alone is itself."""
    totals = {row: sum(weight for *_, weight in rows[row]) for row in picks}
    common = lcm(*totals.values())
    if len(picks) == 1:
        return rows[next(iter(picks))]
    return [
        (target, by, payoff, weight * share * (common // totals[row]))
        for row, share in picks.items()
        for target, by, payoff, weight in rows[row]
    ]


def words(head: dict[str, Any], number: int, state: dict[str, Any]) -> str:
    """A state for people, with its number."""
    return f"state {number} ({shown(head, state)})"


def shown(head: dict[str, Any], state: dict[str, Any]) -> str:
    """A position for people."""
    names, cells = (found if isinstance(found := one.get("cells"), list) else [] for one in (head, state))
    return f"{state.get('phase')}: {', '.join(f'{name}={value}' for name, value in zip(names, cells, strict=False))}"


if __name__ == "__main__":  # it runs alone as well: python values.py FILE
    try:
        proof = check(Path(sys.argv[1]).read_bytes())
    except Refused as refused:
        sys.exit(f"refused: {refused}")
    sys.stdout.write(f"proven: {', '.join(str(float(low)) for low, _ in proof.values)}\n")
