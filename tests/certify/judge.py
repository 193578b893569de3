"""Is it true, what a certificate says? Judged by the honest one that it was made from, and by elimination in fractions."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from oddsmith.proof.values import Proof
from tests.certify.forging import Record, records_of

Key = str
Way = tuple[Key, int, tuple[Fraction, ...]]
LITTLE = Fraction(1, 10**12)
END = ""
WEAKER = {"zero-sum": {"symmetric", "mixed", "pure-by-seat"}, "symmetric": {"mixed", "pure-by-seat"}}


def key_of(record: Record) -> Key:
    """A state by its position."""
    return json.dumps([record["phase"], record["out"], record["cells"]])


def first_of(head: Record, states: Sequence[Record]) -> Record:
    """The state in which the game starts."""
    return states[-head["stages"][-1][0]] if "stages" in head else states[0]


class Judge:
    """Knows the truth of one honest certificate."""

    def __init__(self, honest: bytes) -> None:
        self.head, *states = records_of(honest)
        self.seats = self.head["ruleset"]["seats"]
        self.rows = {key_of(state): rows_of(self.head, states, state) for state in states}
        self.play = {key_of(state): state["play"] for state in states}
        self.endless = {key_of(state) for state in states if None in state["ends"]}
        self.start = key_of(first_of(self.head, states))

    def holds(self, forged: bytes, proof: Proof) -> None:
        """AssertionError unless all that was proven is true."""
        head, *states = records_of(gzip.decompress(forged) if forged[:1] == b"\x1f" else forged)
        for key in ("ruleset", "objective", "goal", "policies", "start", "cells"):
            assert head[key] == self.head[key]
        kind = self.head["kind"]
        assert head["kind"] == kind or head["kind"] in WEAKER.get(kind, {"mixed"})
        known = [state for state in states if key_of(state) in self.rows]
        assert {key_of(state) for state in known} == set(self.rows)
        assert key_of(first_of(head, states)) == self.start
        for state in known:
            assert rows_of(head, states, state) == self.rows[key_of(state)]
        copies = head["copies"]
        named = {int(seat) - 1 for seat in head["policies"]}
        values = self.values(
            {(key_of(state), mover): play for state in known for mover, play in enumerate(state["play"])}
        )
        for state in known:
            for mover in range(copies):
                self.decided(state, mover, values, copies, mover in named)
        first = head["start"]["mover"]
        for seat, (low, high) in enumerate(proof.values):
            worth = values[self.start, first % copies][(seat - first) % self.seats] + Fraction(
                head["start"]["held"][seat]
            )
            assert low <= worth <= high
            assert high - low <= LITTLE
        assert {key_of(states[number]) for number in proof.endless} & set(self.rows) == self.endless

    def values(self, play: dict[tuple[Key, int], Any]) -> dict[tuple[Key, int], list[Fraction]]:
        """What each seat gets under a play, from each entry. AssertionError where it need not end."""
        copies = len({mover for _, mover in play})
        places = {
            (*entry, seat): number * self.seats + seat
            for number, entry in enumerate(play)
            for seat in range(self.seats)
        }
        table = [[Fraction(0)] * (len(places) + 1) for _ in places]
        for (key, mover), picks in play.items():
            for seat in range(self.seats):
                line = table[places[key, mover, seat]]
                line[places[key, mover, seat]] += 1
                for row, share in shares(picks):
                    for (to, by, paid), chance in self.rows[key][row].items():
                        line[-1] += share * chance * paid[seat]
                        if to != END:
                            line[places[to, (mover + by) % copies, (seat - by) % self.seats]] -= share * chance
        found = eliminated(table)
        return {entry: found[number * self.seats : (number + 1) * self.seats] for number, entry in enumerate(play)}

    def decided(
        self, state: Record, mover: int, values: dict[tuple[Key, int], list[Fraction]], copies: int, named: bool
    ) -> None:
        """What is played is as good as anything, or what the policy says."""
        key, picks = key_of(state), state["play"][mover]
        if named:
            mine = self.play[key][mover]
            assert self.rows[key][picks] == self.rows[key][mine]
            return
        sign = 1 if self.head["goal"] == "max" else -1
        worths = [
            sum(
                chance * (paid[0] + (values[to, (mover + by) % copies][-by % self.seats] if to != END else 0))
                for (to, by, paid), chance in row.items()
            )
            for row in self.rows[key]
        ]
        assert all(sign * (worth - values[key, mover][0]) <= LITTLE for worth in worths)
        assert all(abs(worths[row] - values[key, mover][0]) <= LITTLE for row, _ in shares(picks))


def rows_of(head: Record, states: Sequence[Record], state: Record) -> list[dict[Way, Fraction]]:
    """The rows of a state, targets by their positions."""
    found = []
    for _, row in state["rows"]:
        total, ways = sum(weight for *_, weight in row), dict[Way, Fraction]()
        for target, by, payoff, weight in row:
            paid = tuple(Fraction(units, head["scale"]) for units in head["payoffs"][payoff])
            way = (END if target < 0 else key_of(states[target]), by, paid)
            ways[way] = ways.get(way, Fraction(0)) + Fraction(weight, total)
        found.append(ways)
    return found


def shares(picks: Any) -> list[tuple[int, Fraction]]:
    """What is played: rows with their chances."""
    if not isinstance(picks, list):
        return [(picks, Fraction(1))]
    total = sum(int(share, 16) for _, share in picks)
    return [(row, Fraction(int(share, 16), total)) for row, share in picks]


def eliminated(table: list[list[Fraction]]) -> list[Fraction]:
    """The solution of linear equations, each with its right side at the end."""
    for column in range(len(table)):
        pivot = next((row for row in range(column, len(table)) if table[row][column]), None)
        assert pivot is not None, "play need not end"
        table[column], table[pivot] = table[pivot], table[column]
        factor = table[column][column]
        table[column] = [value / factor if value else value for value in table[column]]
        for row, line in enumerate(table):
            if row != column and (times := line[column]):
                table[row] = [
                    mine - times * theirs if theirs else mine for mine, theirs in zip(line, table[column], strict=True)
                ]
    return [line[-1] for line in table]
