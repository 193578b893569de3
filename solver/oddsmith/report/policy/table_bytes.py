"""The format of the tables that the engine in JavaScript reads: a header in JSON, then numbers. Small numbers take few
bytes.
"""

from __future__ import annotations

import gzip
import struct
from collections.abc import Iterable
from typing import Any

import numpy as np

from oddsmith.base.arrays import Ints
from oddsmith.graph.columns import Codec
from oddsmith.ruleset import Game, canonical_bytes, sha256

MAX_RANK = 2**53  # a rank is a number that JavaScript holds exactly
Range = tuple[int, int, int]
"""The index of a cell, its least digit, and the number of digits from the least to the greatest."""


def digit_ranges(cells: list[int], digit_columns: list[Ints]) -> list[Range]:
    """Return the range of digits of each of ``cells``. ``digit_columns``: a column for each cell, with the digit in each
    position.
    """
    ends = [(where, int(digit_columns[where].min()), int(digit_columns[where].max())) for where in cells]
    return [(where, least, most - least + 1) for where, least, most in ends]


def position_ranks(digit_ranges_of_cells: list[Range], digit_columns: list[Ints]) -> Ints:
    """Return the ranks of positions, as an array: the digits of some cells, read as one mixed-radix number.

    ``digit_ranges_of_cells``: the ranges of these cells, the most significant first. ``digit_columns``: a column for
    each cell of the game, with the digit in each position.
    """
    found = np.zeros(len(digit_columns[-1]), dtype=np.int64)
    for where, least, radix in digit_ranges_of_cells:
        found = found * radix + (digit_columns[where] - least)
    return found


def table_header(game: Game, objective: str, kind: str, version: int, codec: Codec) -> dict[str, Any]:
    """Return the header of a table, as plain data: the game and its setting.

    ``given`` in the header lists the cells whose values follow from others. Each comes with these other cells, and with
    the sum of all of them.
    """
    payoff = game.ruleset.payoffs[objective]
    return {
        "kind": kind,
        "version": version,
        "id": game.ruleset.id,
        "bundle": sha256(game.ruleset),
        "seats": game.seats,
        "parameters": dict(game.parameters),
        "objective": objective,
        "goal": payoff.goal,
        "share": payoff.is_share,
        "given": [[one.cell, list(one.others), one.total] for one in codec.reduction.implied_cells],
    }


def table_file_bytes(header: dict[str, Any], body: bytes) -> bytes:
    """Return a table as compressed bytes: the length of the header, the header as canonical JSON, and the body. The
    same table always has the same bytes.
    """
    head = canonical_bytes(header)
    return gzip.compress(struct.pack("<I", len(head)) + head + body, 9, mtime=0)


def rank_run_bytes(ranks: Ints) -> bytes:
    """Return the runs of successive ranks as bytes: the number of runs, then the gap before each run and its length."""
    starts = np.flatnonzero(np.diff(ranks, prepend=-2) != 1)
    lengths = np.diff(starts, append=len(ranks))
    ends = np.concatenate([[0], ranks[starts[:-1]] + lengths[:-1]])
    gaps = ranks[starts] - ends
    return varint_bytes([len(starts), *np.stack([gaps, lengths], axis=1).ravel().tolist()])


def carried_cell_payoffs(codec: Codec) -> list[list[int]]:
    """Return the carried cells, whose payoffs values leave out, with seats counted from the mover.

    Each is a list of three numbers: the cell, and the payoff to the mover for one more in it, as a numerator and a
    denominator. Cells with the payoff 0 are left out.
    """
    carried = sorted(codec.reduction.unit_payoffs.items())
    return [[where, each[0].numerator, each[0].denominator] for where, each in carried if each[0]]


def difference_bytes(numbers: Iterable[int]) -> bytes:
    """Return whole numbers as bytes, each written as its difference from the number before."""
    before = 0

    def encoded_differences() -> Iterable[int]:
        nonlocal before
        for number in numbers:
            yield zigzag_encoded(number - before)
            before = number

    return varint_bytes(encoded_differences())


def zigzag_encoded(number: int) -> int:
    """Return a whole number mapped to one that is not negative. Small numbers stay small."""
    return number * 2 if number >= 0 else -number * 2 - 1


def varint_bytes(numbers: Iterable[int]) -> bytes:
    """Return numbers that are not negative as bytes. Each byte has seven bits, the lowest bits come first, and the last
    byte of each number is below 128.
    """
    written = bytearray()
    for number in numbers:
        left = number
        while left >= 128:
            written.append(left & 127 | 128)
            left >>= 7
        written.append(left)
    return bytes(written)
