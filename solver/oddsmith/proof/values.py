"""Does the table of a certificate prove its values? The check uses whole numbers, and only Python's standard library.

``docs/certificates.md`` has the format, each check, and why the checks suffice. The values of a table are bounds that
no row exceeds (superharmonic), and the rows that are played fall short of them by at most the residual. How wide bounds
may be is decided by this checker, not by the file: WIDEST. A row is a list of transitions: [target, by, payoff,
weight].
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
from io import SEEK_END, BytesIO
from itertools import islice
from math import gcd, lcm, prod
from pathlib import Path
from typing import Any

Row = Sequence[Sequence[int]]
Source = bytes | Path
FORMAT = 4  # of a certificate
SECRETS_FORMAT = 1  # of a certificate of a game with secrets
MAX_SEATS = 6  # of an equilibrium
MAX_VALUE_WIDTH = Fraction(1, 10**12)  # no value is wider, and no action of a mixture loses more
MAX_JSON_INTEGER = 2**53 - 1  # of a whole number that JSON holds as a number: any reader has it exactly
MAX_LINE_BYTES = 1 << 26  # bytes of a line
MAX_COMPRESSION_RATIO = 200  # most times that the text is longer than the file: more is made to fill the memory
MAX_DEPTH = 64  # of lists and objects in one another
MAX_HEX_DIGITS = 50_000  # of a whole number
NOT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
EMPTY_BRACKETS = re.compile(rb"\[\]|\{\}")
TEXTS = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"')
NEVER_ENDS = 1 << 62  # transitions to the end, where the players could keep the game from ending
MALFORMED_DATA_ERRORS = (KeyError, IndexError, TypeError, ValueError, AttributeError, ZeroDivisionError, RecursionError)


class Refused(Exception):
    """Raised if the certificate does not prove what it states.

    The text says why, in which state, and is safe to print.
    """

    def __init__(self, reason: str) -> None:
        super().__init__("".join(letter if letter.isprintable() else "?" for letter in reason[:1_000]))


@dataclass(frozen=True)
class Proof:
    """The result of a proof.

    ``values``: bounds of the value for every seat, equal if they are exact. The policy gives every seat a value within
    them, and no seat gains by deviating. ``transitions``: the number of transitions; ``decisions``: the number of
    states with several rows; ``ties``: the number of rows that may be worth as much as the row that is played.
    ``endless``: the states from which players could keep the game from ending.
    """

    header: dict[str, Any]
    values: tuple[tuple[Fraction, Fraction], ...]
    transitions: int
    decisions: int
    ties: int
    endless: tuple[int, ...]


@dataclass(frozen=True)
class ValueTable:
    """The numbers of all states. If seats play differently, a state has one copy per seat that may be to move.

    Columns are indexed by the entry ``state * copies + mover``. ``values``: the value for each seat, counted from the
    mover, in whole numbers over ``denominators``. ``steps``: the drift vector d of docs/how-it-is-proved.md, in units
    of ``1 / grain``. ``distances_to_end``: the number of transitions to the end.

    ``residual``: the bound e of docs/how-it-is-proved.md, in units of ``1 / unit``. ``payoffs`` are in units of ``1 /
    scale``. ``sign``: 1 to maximize, -1 to minimize. ``named_policy_seats``: the seats that play by a named policy.
    ``first_mover``: the seat that moves first. ``start_entry``: the entry in which it moves. ``starting_amounts``: the
    amounts that seats have at the start, which no transition pays.
    """

    seats: int
    copies_per_state: int
    sign: int
    named_policy_seats: frozenset[int]
    payoffs: Sequence[Sequence[int]]
    payoff_scale: int
    first_mover: int
    starting_amounts: Sequence[Fraction]
    residual_scale: int
    residual: int
    step_scale: int
    values: list[Any]
    denominators: list[Any]
    steps: list[Any]
    distances_to_end: list[Any]
    start_entry: int

    def add_state(self, state_data: dict[str, Any]) -> None:
        """Add the numbers of a state. Raises Refused if they are not written as the format says."""
        try:
            seats, copies = self.seats, self.copies_per_state
            self.values.extend(
                [read_long_number(one) for one in checked_list(entry, seats)]
                for entry in checked_list(state_data["values"], copies)
            )
            self.denominators.extend(
                read_long_number(one, 1)
                for one in checked_list(state_data.get("over", [f"{self.residual_scale:x}"] * copies), copies)
            )
            self.steps.extend(read_whole_number(one, 1) for one in checked_list(state_data["steps"], copies))
            self.distances_to_end.extend(
                NEVER_ENDS if one is None else read_whole_number(one, 1)
                for one in checked_list(state_data["ends"], copies)
            )
        except MALFORMED_DATA_ERRORS as wrong:
            raise Refused(f"a line is not as the format says: {wrong}") from None

    def forget_states(self, count: int) -> None:
        """Drop the numbers of the first ``count`` states, to which no later state leads."""
        entries = count * self.copies_per_state
        for column in (self.values, self.denominators, self.steps, self.distances_to_end):
            column[:entries] = [None] * entries

    def row_with_entry_targets(self, row: Row, mover_before: int) -> Row:
        """Return a row in which entries replace the target states, if the seat ``mover_before`` is to move before it."""
        if self.copies_per_state == 1:
            return row
        return [
            (t if t < 0 else t * self.copies_per_state + (mover_before + by) % self.seats, by, p, w)
            for t, by, p, w in row
        ]

    def common_denominator(self, entry: int, row: Row) -> int:
        """Return a common denominator of the payoffs and target values of a row and of the values of an entry."""
        return lcm(
            self.payoff_scale,
            self.denominators[entry],
            *{self.denominators[target] for target, _, _, _ in row if target >= 0},
        )

    def row_value(self, row: Row, seat: int, denominator: int) -> int:
        """Return the value of a row to a seat (counted from the mover), times the total of its weights, in units of ``1
        / denominator``.
        """
        total, units = 0, denominator // self.payoff_scale
        for target, by, payoff, weight in row:
            brought = self.payoffs[payoff][seat] * units
            if target >= 0:  # seat j of this mover is seat j - by of the next; Python counts on from the end below 0
                brought += self.values[target][seat - by] * (denominator // self.denominators[target])
            total += weight * brought
        return total

    def check_value_follows(self, entry: int, played_row: Row) -> None:
        """Check that the values and steps of an entry follow from the row that is played there. Raises Refused."""
        for seat in range(self.seats):
            lack = -self.gain_of_row(entry, played_row, seat)
            if not 0 <= lack * self.residual_scale <= self.residual:
                raise Refused(f"the value of seat {seat + 1} from the mover does not follow from what is played")
        steps = sum(weight * self.steps[target] for target, _, _, weight in played_row if target >= 0)
        weights = sum(weight for *_, weight in played_row)
        if 2 * (weights * self.steps[entry] - steps) < weights * self.step_scale:
            raise Refused("its steps do not prove that play ends")

    def gain_of_row(self, entry: int, row: Row, seat: int = 0) -> Fraction:
        """Return by how much a row is better for a seat (counted from the mover) than the value of its entry; negative
        if it is worse.
        """
        weights, common = sum(weight for *_, weight in row), self.common_denominator(entry, row)
        more = (
            self.row_value(row, seat, common)
            - self.values[entry][seat] * (common // self.denominators[entry]) * weights
        )
        return Fraction(self.sign * more, common * weights)

    def value_error_bound(self, entry: int) -> Fraction:
        """Return a bound of the difference between true values and those of the table. The table errs only in the
        direction of the goal.
        """
        return Fraction(2 * self.residual * self.steps[entry], self.step_scale * self.residual_scale)

    def distance_to_end(self, rows: Sequence[Row]) -> int:
        """Return the number of transitions to the end, if every row may be taken and each leads to the best of its
        targets.

        The worst row counts. The result is NEVER_ENDS if it does not lead to the end.
        """
        ways = [min(0 if target < 0 else self.distances_to_end[target] for target, _, _, _ in row) for row in rows]
        return min(NEVER_ENDS, 1 + max(ways))

    def game_value_bounds(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """Return a lower and an upper bound of the value of the game for every seat."""
        reach = self.sign * self.value_error_bound(self.start_entry)
        mine = [Fraction(value, self.denominators[self.start_entry]) for value in self.values[self.start_entry]]
        values = [mine[seat - self.first_mover] + had for seat, had in enumerate(self.starting_amounts)]
        return tuple((min(value - reach, value), max(value - reach, value)) for value in values)

    def value_sum(self, entry: int) -> int:
        """Return the sum of the values of all seats, rounded to a whole number of units of ``1 / scale``."""
        return int(
            (2 * sum(self.values[entry]) * self.payoff_scale + self.denominators[entry])
            // (2 * self.denominators[entry])
        )

    def keeps_constant_sum(self, state: int, rows: Sequence[Row]) -> bool:
        """Return whether the payoffs of all seats from a state on have the same sum, however play continues.

        ``rows``: the rows of the state.
        """
        steps = {(target, payoff) for row in rows for target, _, payoff, _ in row}
        sums = {sum(self.payoffs[payoff]) + (self.value_sum(t) if t >= 0 else 0) for t, payoff in steps}
        return sums == {self.value_sum(state)}


def records(source: Source) -> Iterator[dict[str, Any]]:
    """Yield the header and then the states, one per line. The checksum is verified at the end.

    Raises Refused if the file is no certificate or its checksum is wrong.
    """
    digest, checksum, length, number = sha256(), "", 0, 0
    try:
        with BytesIO(source) if isinstance(source, bytes) else source.open("rb") as file:
            packed, size = file.read(2) == b"\x1f\x8b", file.seek(0, SEEK_END)
            rest = int.from_bytes((file.seek(-4, SEEK_END), file.read())[1], "little") if packed else 0
            file.seek(0)
            if packed and file.read(4)[3:] > b"\x1f":
                raise Refused("it is gzipped, and damaged")  # flags that nobody may set
            file.seek(0)
            stream = gzip.GzipFile(fileobj=file) if packed else file
            while line := stream.readline(MAX_LINE_BYTES):
                number += 1
                record, length = READER.decode(line.decode()), length + len(line)
                _refuse_deep_nesting(line)
                if length > MAX_COMPRESSION_RATIO * size:
                    raise Refused("its text is far longer than the file, which honest ones are not")
                if checksum or not line.endswith(b"\n"):
                    raise Refused("text follows the checksum, or a line is not ended")
                checksum = record["sha256"] if record.keys() == {"sha256"} else ""
                if not checksum:
                    digest.update(line)
                    yield record
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise Refused("it is gzipped, and damaged or cut off") from None
    except OSError as error:
        raise Refused(f"it cannot be read: {error.strerror}") from None
    except (json.JSONDecodeError, UnicodeDecodeError, AttributeError):
        raise Refused(f"it is no certificate, or damaged: line {number} is not a JSON object") from None
    except MALFORMED_DATA_ERRORS as error:
        wrong = "lists stand in lists too deep" if isinstance(error, RecursionError) else error
        raise Refused(f"it is no certificate, or damaged: line {number}: {wrong}") from None
    if checksum != digest.hexdigest():
        raise Refused("its checksum is missing, or not that of its text")
    if packed and rest != length % (1 << 32):
        raise Refused("the file goes on after what is gzipped")


def _refuse_deep_nesting(line: bytes) -> None:
    """Raise ValueError if lists and objects stand in one another more than MAX_DEPTH deep."""
    for has_texts in (True, False):  # brackets of a text may be left too, so the second look is at what stands outside
        left, depth = (line if has_texts else TEXTS.sub(b"", line)).translate(None, NOT_BRACKETS), 0
        while left and depth < MAX_DEPTH:
            left, depth = EMPTY_BRACKETS.sub(b"", left), depth + 1
        if not left:
            return
    raise ValueError("lists stand in lists too deep")


def _dict_with_unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object as a dictionary. Raises ValueError if two keys are equal, because readers differ on which
    one counts.
    """
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands there twice")
    return found


def read_whole_number(value: Any, least: int = -MAX_JSON_INTEGER, most: int = MAX_JSON_INTEGER) -> int:
    """Return a whole number of JSON between the bounds ``least`` and ``most``.

    Raises ValueError for any other value.
    """
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"{str(value)[:40]!r} is not a whole number in its place")
    return value


READER = json.JSONDecoder(
    object_pairs_hook=_dict_with_unique_keys,
    parse_float=read_whole_number,
    parse_int=lambda text: read_whole_number(int(text)),
    parse_constant=read_whole_number,
)


def read_long_number(text: Any, least: int | None = None) -> int:
    """Return a whole number that may be long, given as text in base 16 without leading zeros.

    Raises ValueError for any other text, or if the number is below ``least`` or longer than MAX_HEX_DIGITS.
    """
    if len(text) > MAX_HEX_DIGITS:
        raise ValueError(f"a number of {len(text):,} digits is longer than this checker takes on")
    if not re.fullmatch("0|-?[1-9a-f][0-9a-f]*", text) or (least is not None and int(text, 16) < least):
        raise ValueError(f"{text[:40]!r} is not a whole number in its place")
    return int(text, 16)


def read_fraction(text: Any) -> Fraction:
    """Return the fraction of a text such as ``5/2`` or ``-3``. Raises ValueError for any other text."""
    if not re.fullmatch("(0|-?[1-9][0-9]{0,3999})(/[1-9][0-9]{0,3999})?", text):
        raise ValueError(f"{text[:40]!r} is not a fraction")
    return Fraction(text)


def checked_list(values: Any, count: int) -> list[Any]:
    """Return the given value if it is a list of ``count`` items. Raises ValueError for any other value."""
    if type(values) is not list or len(values) != count:
        raise ValueError(f"{str(values)[:40]!r} is not a list of {count}")
    return values


def read_header(header: dict[str, Any]) -> tuple[ValueTable, list[tuple[int, int]]]:
    """Return the table that a header describes, without states, and the stages. Raises Refused if the header is
    malformed.

    A stage is a pair: its number of states, and the first state to which it may lead.
    """
    try:
        if read_whole_number(header["certificate"]) != FORMAT:
            raise Refused(f"it is of format {header['certificate']}, and this checker reads {FORMAT}")
        seats, states = read_whole_number(header["ruleset"]["seats"], 1), read_whole_number(header["states"], 1)
        policies, copies, unit, _ = (
            header["policies"],
            read_whole_number(header["copies"], 1),
            read_long_number(header["unit"], 1),
            checked_list(header["actions"], len(header["actions"])),
        )
        held = [read_fraction(text) for text in checked_list(header["start"]["held"], seats)]  # so many seats are there
        named = frozenset({str(seat + 1): seat for seat in range(seats)}[seat] for seat in policies)
        apart = 0 < len(named) < seats or len(set(policies.values())) > 1
        if copies not in (1, seats) or (apart and copies == 1):
            raise Refused("its seats, copies and policies do not fit together")
        if not all(name.isprintable() for name in (header["ruleset"]["id"], header["objective"], *policies.values())):
            raise Refused("its names cannot be printed")
        payoffs = [[read_whole_number(units) for units in checked_list(kind, seats)] for kind in header["payoffs"]]
        stages, end = list[tuple[int, int]](), 0
        for count, least in header.get("stages", [[states, 0]]):
            stages.append((read_whole_number(count, 1), read_whole_number(least, 0, end)))
            end += count
        if end != states:
            raise Refused("its stages do not have the states that its header tells")
        first = read_whole_number(header["start"]["mover"], 0, seats - 1)
        return ValueTable(
            seats, copies, {"max": 1, "min": -1}[header["goal"]], named, payoffs, read_whole_number(header["scale"], 1),
            first, held, unit, read_long_number(header["residual"], 0), read_whole_number(header["grain"], 1),
            [], [], [], [], (states - stages[-1][0]) * copies + first % copies,
        ), stages  # fmt: skip
    except MALFORMED_DATA_ERRORS as wrong:
        raise Refused(f"a line is not as the format says: {wrong}") from None


def check_table(source: Source) -> Proof:
    """Check a certificate stage by stage, and return what its table proves. Raises Refused if it does not prove its
    values.
    """
    ahead, lines = records(source), records(source)
    head = next(ahead, next(lines, dict[str, Any]()))
    table, stages = read_header(head)
    counts, mixes = [0, 0, 0], False
    constant, endless, start = head.get("kind") == "zero-sum", list[int](), 0
    for place, (count, least) in enumerate(stages, 1):
        for state in islice(ahead, count):
            table.add_state(state)
        if len(table.steps) < (start + count) * table.copies_per_state or (place == len(stages) and next(ahead, None)):
            raise Refused("it does not have as many states as its header tells")
        for number, state in zip(range(start, start + count), lines, strict=False):
            try:
                rows = [_checked_row(row, table, head, least) for row in state["rows"]]
                constant = constant and table.keeps_constant_sum(number, rows)  # a claim of tables with one copy
                for mover, play in enumerate(checked_list(state["play"], table.copies_per_state)):
                    entry, arriving = (
                        number * table.copies_per_state + mover,
                        [table.row_with_entry_targets(row, mover) for row in rows],
                    )
                    counts[2] += _check_decision(table, entry, play, arriving)
                    mixes = mixes or type(play) is list
            except (Refused, *MALFORMED_DATA_ERRORS) as wrong:
                said = "" if isinstance(wrong, Refused) else "it is not as the format says: "
                raise Refused(f"{state_words(head, number, state)}: {said}{wrong}") from None
            counts[0] += sum(map(len, rows))
            counts[1] += len(rows) > 1
            endless += [number] * (None in state["ends"])
        start += count
        table.forget_states(min((low for _, low in stages[place:]), default=0))
    alone = "optimal" if table.seats == 1 else "zero-sum" if table.seats == 2 and constant else "symmetric"
    kind = (
        "named"
        if table.named_policy_seats
        else "mixed"
        if mixes
        else "pure-by-seat"
        if table.copies_per_state > 1
        else alone
    )
    if head.get("kind") != kind:
        raise Refused(f"its decisions are of the kind {kind}, not {head.get('kind')}")
    values = table.game_value_bounds()
    if values[0][1] - values[0][0] > MAX_VALUE_WIDTH:  # and those of all seats are as wide
        raise Refused("its values are enclosed too widely to tell the digits that are printed")
    return Proof(head, values, counts[0], counts[1], counts[2], tuple(endless))


def _checked_row(row_data: Any, table: ValueTable, header: dict[str, Any], first_target: int) -> Row:
    """Return the transitions of a row after checking their form. Raises Refused.

    ``first_target``: the first state to which the row may lead.
    """
    (action, row), states = row_data, len(table.values) // table.copies_per_state
    if not row or not -1 <= read_whole_number(action) < len(header["actions"]):
        raise Refused("a row has no transition, or no action")
    for target, by, payoff, weight in row:
        read_whole_number(
            by, 0, table.seats - 1 if target != -1 and read_whole_number(target, first_target, states - 1) >= 0 else 0
        )
        read_whole_number(payoff, 0, len(table.payoffs) - 1), read_whole_number(weight, 1)
    if gcd(*(weight for *_, weight in row)) != 1:
        raise Refused("the weights of a row are not in lowest terms")
    return row  # type: ignore[no-any-return]


def _check_decision(table: ValueTable, entry: int, play_data: Any, rows: Sequence[Row]) -> int:
    """Check one state with one seat to move. Return the number of other rows that may be worth as much as the row that
    is played.

    ``play_data``: the row or the mixture of rows that is played. Raises Refused if the check fails.
    """
    picks, named = read_played_shares(play_data), entry % table.copies_per_state in table.named_policy_seats
    played = mixed_row(picks, rows)
    table.check_value_follows(entry, played)
    if table.distances_to_end[entry] != table.distance_to_end([played] if named else rows):
        raise Refused("its distance from the end is not that of its transitions")
    if named and len(picks) > 1:
        raise Refused("a named policy mixes no actions")
    others = [] if named else [number for number in range(len(rows)) if [number] != list(picks)]
    gains = {number: table.gain_of_row(entry, rows[number]) for number in others}
    if any(gain > 0 for gain in gains.values()):
        raise Refused("an action is worth more than what is played")
    if any(gains[number] < -MAX_VALUE_WIDTH for number in picks if number in gains):
        raise Refused("an action that is mixed is worth less than what is played")
    return sum(gain >= -table.value_error_bound(entry) for gain in gains.values())


def read_played_shares(play_data: Any) -> dict[int, int]:
    """Return the shares of the rows that are played, by the number of the row.

    A single row has the share 1; a mixture has at least two rows, in ascending order. Raises Refused for other
    mixtures.
    """
    if type(play_data) is not list:
        return {read_whole_number(play_data, 0): 1}
    picks = {read_whole_number(row, 0): read_long_number(share, 1) for row, share in play_data}
    if len(play_data) < 2 or list(picks) != sorted(row for row, _ in play_data):
        raise Refused("a mixture is of fewer than two different actions, or they are not in order")
    return picks


def mixed_row(shares_by_row: Mapping[int, int], rows: Sequence[Row]) -> Row:
    """Return the mixture of the rows that are played as a single row. ``shares_by_row``: the shares by row."""
    totals = {row: sum(weight for *_, weight in rows[row]) for row in shares_by_row}
    common = lcm(*totals.values())
    return [
        (target, by, payoff, weight * share * (common // totals[row]))
        for row, share in shares_by_row.items()
        for target, by, payoff, weight in rows[row]
    ]


def state_words(header: dict[str, Any], number: int, state: dict[str, Any]) -> str:
    """Return a state in words, with its number."""
    return f"state {number} ({position_words(header, state)})"


def position_words(header: dict[str, Any], state: dict[str, Any]) -> str:
    """Return a position in words."""
    names, cells = (found if isinstance(found := one.get("cells"), list) else [] for one in (header, state))
    return f"{state.get('phase')}: {', '.join(f'{name}={value}' for name, value in zip(names, cells, strict=False))}"


# --- games with secrets: plans, and the best responses to them


@dataclass(frozen=True)
class SecretGameProof:
    """The result of a proof of a game with secrets.

    ``values``: a lower and an upper bound for every seat. ``subgames``, ``leaves``: the number of subgames and of their
    leaves. ``information_sets``: the number of information sets of all seats.
    """

    header: dict[str, Any]
    values: tuple[tuple[Fraction, Fraction], ...]
    subgames: int
    information_sets: int
    leaves: int


@dataclass(frozen=True)
class _SeatPlan:
    """The sequences of a seat in a subgame, and its plan.

    For each information set, ``parent_sequences`` is the sequence that leads to it, and ``first_sequences`` and
    ``choice_counts`` are the first and the number of the sequences that end with a choice there. ``realization_plan``:
    the realization plan, the weight of each sequence.
    """

    parent_sequences: Sequence[int]
    first_sequences: Sequence[int]
    choice_counts: Sequence[int]
    realization_plan: Sequence[Fraction]

    def least_total(self, sequence_payoffs: Sequence[Fraction]) -> Fraction:
        """Return the least total that the seat can reach by its choices.

        ``sequence_payoffs``: the amount that each of its sequences contributes.
        """
        total = list(sequence_payoffs)
        for before, first, count in zip(
            reversed(self.parent_sequences), reversed(self.first_sequences), reversed(self.choice_counts), strict=True
        ):
            total[before] += min(total[first : first + count])
        return total[0]


EMPTY_SEAT_PLAN = _SeatPlan((), (), (), (Fraction(1),))
"""The plan of the missing second seat in a game for one player."""


@dataclass(frozen=True)
class _Subgame:
    """A subgame: the plans of both seats, bounds of its value to the first seat, and its leaves. More is always better.

    A leaf: the sequences of both seats, the chance of the chance moves, the subgame that begins there, and the payoff
    to the first seat. The subgame is -1 if none begins there; otherwise the payoff does not count.
    """

    seat_plans: tuple[_SeatPlan, _SeatPlan]
    lower_bound: Fraction
    upper_bound: Fraction
    leaves: Sequence[tuple[tuple[int, int], Fraction, int, Fraction]]

    def expected_payoffs(self, seat: int, leaf_payoffs: Sequence[Fraction | int]) -> list[Fraction]:
        """Return, for each sequence of the other seat, its expected worth if ``seat`` plays by its plan.

        ``leaf_payoffs``: that of each leaf.
        """
        found = [Fraction(0)] * len(self.seat_plans[1 - seat].realization_plan)
        for (both, chance, _, _), each_worth in zip(self.leaves, leaf_payoffs, strict=True):
            weight = self.seat_plans[seat].realization_plan[both[seat]]
            if weight and each_worth:
                found[both[1 - seat]] += weight * chance * each_worth
        return found


def check_secret_game(source: Source) -> SecretGameProof:
    """Check the certificate of a game with secrets, and return what its plans prove. Raises Refused if they do not
    prove the values.
    """
    lines = records(source)
    head = next(lines, dict[str, Any]())
    try:
        if read_whole_number(head["plans"]) != SECRETS_FORMAT:
            raise Refused(f"it is of format {head['plans']}, and this checker reads {SECRETS_FORMAT}")
        if "total" not in head:
            return _check_equilibrium(head, lines)
        seats, count = read_whole_number(head["ruleset"]["seats"], 1, 2), read_whole_number(head["subgames"], 1)
        sign = {"max": 1, "min": -1}[head["goal"]]
        total = sign * read_fraction(head["total"])
        if not all(name.isprintable() for name in (head["ruleset"]["id"], head["objective"])):
            raise Refused("its names cannot be printed")
        parts = [_read_subgame(line, seats, count, sign) for line in lines]
    except MALFORMED_DATA_ERRORS as wrong:
        raise Refused(f"a line is not as the format says: {wrong}") from None
    if len(parts) != count:
        raise Refused("it does not have as many subgames as its header tells")
    for number, part in enumerate(parts):
        for seat in (0, 1):
            _check_secured_bound(parts, number, seat, total)
        if part.lower_bound > part.upper_bound:
            raise Refused(f"subgame {number}: its bounds are in the wrong order")
    for seat in (0, 1):
        _check_play_ends(parts, seat)
    low, high = parts[0].lower_bound, parts[0].upper_bound
    if high - low > MAX_VALUE_WIDTH:
        raise Refused("its values are enclosed too widely to tell the digits that are printed")
    worths = ((low, high), (total - high, total - low))[:seats]
    values = worths if sign == 1 else tuple((-most, -least) for least, most in worths)
    sets = sum(len(side.parent_sequences) for part in parts for side in part.seat_plans)
    return SecretGameProof(head, values, count, sets, sum(len(part.leaves) for part in parts))


# --- equilibria of games with choices at once


@dataclass(frozen=True)
class _EquilibriumSubgame:
    """A subgame of an equilibrium: the plans of all seats, bounds of its value to each, and its leaves.

    A leaf: the sequence of each seat, the chance of the chance moves, the subgame that begins there, and the payoff to
    each seat. The subgame is -1 if none begins there; otherwise there are no payoffs.
    """

    seat_plans: Sequence[_SeatPlan]
    value_bounds: Sequence[tuple[Fraction, Fraction]]
    leaves: Sequence[tuple[tuple[int, ...], Fraction, int, tuple[Fraction, ...]]]

    def expected_payoffs(self, seat: int, leaf_payoffs: Sequence[Fraction | int]) -> list[Fraction]:
        """Return, for each sequence of a seat, its expected worth if the other seats play by their plans.

        ``leaf_payoffs``: that of each leaf.
        """
        found = [Fraction(0)] * len(self.seat_plans[seat].realization_plan)
        for (sequences, chance, _, _), weight in zip(self.leaves, leaf_payoffs, strict=True):
            others = (
                self.seat_plans[other].realization_plan[each] for other, each in enumerate(sequences) if other != seat
            )
            found[sequences[seat]] += prod(others, start=chance) * weight
        return found


def _check_equilibrium(header: dict[str, Any], subgame_records: Iterator[dict[str, Any]]) -> SecretGameProof:
    """Check the certificate of an equilibrium, and return bounds of the payoffs of its plans.

    Raises Refused if the check fails, or one of MALFORMED_DATA_ERRORS if a line is not as the format says.
    """
    seats, count = read_whole_number(header["ruleset"]["seats"], 2, MAX_SEATS), read_whole_number(header["subgames"], 1)
    sign = {"max": 1, "min": -1}[header["goal"]]
    if not all(name.isprintable() for name in (header["ruleset"]["id"], header["objective"])):
        raise Refused("its names cannot be printed")
    parts = [_read_equilibrium_subgame(line, seats, count, sign) for line in subgame_records]
    if len(parts) != count:
        raise Refused("it does not have as many subgames as its header tells")
    for seat in range(seats):
        for number in range(count):
            _check_best_response(parts, number, seat)
        _check_equilibrium_play_ends(parts, seat)
    values = tuple(bounds if sign == 1 else (-bounds[1], -bounds[0]) for bounds in parts[0].value_bounds)
    sets = sum(len(side.parent_sequences) for part in parts for side in part.seat_plans)
    return SecretGameProof(header, values, count, sets, sum(len(part.leaves) for part in parts))


def _read_equilibrium_subgame(
    subgame_data: dict[str, Any], seats: int, subgame_count: int, sign: int
) -> _EquilibriumSubgame:
    sides = [_read_seat_plan(written) for written in checked_list(subgame_data["seats"], seats)]
    leaves = list[tuple[tuple[int, ...], Fraction, int, tuple[Fraction, ...]]]()
    for sequences, chance, after in subgame_data["leaves"]:
        found = tuple(map(read_whole_number, checked_list(sequences, seats)))
        if not all(0 <= sequence < len(side.realization_plan) for sequence, side in zip(found, sides, strict=True)):
            raise ValueError("a leaf has a sequence that is not there")
        likely = read_fraction(chance)
        if likely <= 0:
            raise ValueError("a leaf has no chance")
        if type(after) is int:
            leaves.append((found, likely, read_whole_number(after, 0, subgame_count - 1), ()))
        else:
            paid = tuple(sign * read_fraction(each) for each in checked_list(after, seats))
            leaves.append((found, likely, -1, paid))
    ends = [[read_fraction(each) for each in checked_list(subgame_data[name], seats)] for name in ("low", "high")]
    bounds = [(low, high) if sign == 1 else (-high, -low) for low, high in zip(*ends, strict=True)]
    return _EquilibriumSubgame(sides, bounds, leaves)


def _check_best_response(subgames: Sequence[_EquilibriumSubgame], subgame_index: int, seat: int) -> None:
    """Check that the plans of all seats give a seat its stated payoff, and that no other plan gives this seat more.

    ``subgame_index``: the index of the subgame. Raises Refused if the check fails.
    """
    part = subgames[subgame_index]
    side, (low, high) = part.seat_plans[seat], part.value_bounds[seat]
    whole_chance = part.expected_payoffs(seat, [1] * len(part.leaves))
    if side.least_total(whole_chance) != 1 or side.least_total([-each for each in whole_chance]) != -1:
        raise Refused(f"subgame {subgame_index}: its leaves are not all that can happen")
    least, most = (
        part.expected_payoffs(
            seat,
            [
                subgames[after].value_bounds[seat][end] if after >= 0 else paid[seat]
                for _, _, after, paid in part.leaves
            ],
        )
        for end in (0, 1)
    )
    if sum((weight * each for weight, each in zip(side.realization_plan, least, strict=True)), Fraction(0)) < low:
        raise Refused(f"subgame {subgame_index}: the plans do not bring seat {seat + 1} what is stated")
    if -side.least_total([-each for each in most]) > high:
        raise Refused(f"subgame {subgame_index}: seat {seat + 1} can get more alone than is stated")
    if high - low > MAX_VALUE_WIDTH:
        raise Refused(f"subgame {subgame_index}: what seat {seat + 1} can gain alone is not next to nothing")


def _check_equilibrium_play_ends(subgames: Sequence[_EquilibriumSubgame], seat: int) -> None:
    """Check that play ends if all seats but ``seat`` play by their plans. Raises Refused if it may go on for ever."""
    staying = set(range(len(subgames)))
    while staying:
        leaving = set()
        for number in staying:
            out = [int(after not in staying) for _, _, after, _ in subgames[number].leaves]
            if subgames[number].seat_plans[seat].least_total(subgames[number].expected_payoffs(seat, out)) > 0:
                leaving.add(number)
        if not leaving:
            raise Refused(f"subgame {min(staying)}: play need not end if seat {seat + 1} leaves its plan")
        staying -= leaving


def _read_subgame(subgame_data: dict[str, Any], seats: int, subgame_count: int, sign: int) -> _Subgame:
    """Return the subgame of a line. ``sign``: 1 if more is better; -1 if less is, so that the signs of all payoffs are
    changed.
    """
    sides = [_read_seat_plan(written) for written in checked_list(subgame_data["seats"], seats)]
    both = (sides[0], sides[1] if seats == 2 else EMPTY_SEAT_PLAN)
    leaves = []
    for sequences, chance, after in subgame_data["leaves"]:
        found = [*map(read_whole_number, checked_list(sequences, seats)), 0][:2]
        if not all(0 <= sequence < len(side.realization_plan) for sequence, side in zip(found, both, strict=True)):
            raise ValueError("a leaf has a sequence that is not there")
        begins = type(after) is int
        worth = Fraction(0) if begins else sign * read_fraction(after)
        likely = read_fraction(chance)
        if likely <= 0:
            raise ValueError("a leaf has no chance")
        leaves.append(
            ((found[0], found[1]), likely, read_whole_number(after, 0, subgame_count - 1) if begins else -1, worth)
        )
    low, high = read_fraction(subgame_data["low"]), read_fraction(subgame_data["high"])
    return _Subgame(both, low, high, leaves) if sign == 1 else _Subgame(both, -high, -low, leaves)


def _read_seat_plan(seat_data: dict[str, Any]) -> _SeatPlan:
    """Return the plan of a seat. ``seat_data``: its data in the certificate.

    Raises ValueError if the weights of the choices do not add up to that of the sequence before them.
    """
    counts = [read_whole_number(count, 1) for count in seat_data["counts"]]
    first = _first_sequences(counts)
    before = [
        read_whole_number(sequence, 0, start - 1)
        for sequence, start in zip(checked_list(seat_data["before"], len(counts)), first, strict=True)
    ]
    plan = [read_fraction(weight) for weight in checked_list(seat_data["plan"], 1 + sum(counts))]
    if plan[0] != 1 or min(plan) < 0:
        raise ValueError("a plan does not begin with 1, or has a weight below 0")
    for sequence, start, count in zip(before, first, counts, strict=True):
        if sum(plan[start : start + count]) != plan[sequence]:
            raise ValueError("the weights of a plan are not those of what leads to them")
    return _SeatPlan(before, first, counts, plan)


def _first_sequences(counts: Sequence[int]) -> list[int]:
    """Return the first sequence of each information set. ``counts``: the number of choices at each information set."""
    found, place = [], 1
    for count in counts:
        found.append(place)
        place += count
    return found


def _check_secured_bound(subgames: Sequence[_Subgame], subgame_index: int, seat: int, payoff_sum: Fraction) -> None:
    """Check that the plan of a seat secures the stated bound, however the other seat plays.

    Also check that the chances of the leaves add up to 1. ``subgame_index``: the index of the subgame. ``payoff_sum``:
    the sum of both payoffs. Raises Refused if a check fails.
    """
    part = subgames[subgame_index]
    other = part.seat_plans[1 - seat]
    whole_chance = part.expected_payoffs(seat, [1] * len(part.leaves))
    if other.least_total(whole_chance) != 1 or other.least_total([-each for each in whole_chance]) != -1:
        raise Refused(f"subgame {subgame_index}: its leaves are not all that can happen")
    worth = []
    for _, _, after, paid in part.leaves:
        if seat == 0:
            worth.append(subgames[after].lower_bound if after >= 0 else paid)
        else:
            worth.append(payoff_sum - (subgames[after].upper_bound if after >= 0 else paid))
    if other.least_total(part.expected_payoffs(seat, worth)) < (
        part.lower_bound if seat == 0 else payoff_sum - part.upper_bound
    ):
        raise Refused(f"subgame {subgame_index}: the plan of seat {seat + 1} does not secure what is stated")


def _check_play_ends(subgames: Sequence[_Subgame], seat: int) -> None:
    """Check that play ends if a seat plays by its plans. Raises Refused if the other seat can keep it among some
    subgames for ever.
    """
    staying = set(range(len(subgames)))
    while staying:
        leaving = set()
        for number in staying:
            out = [int(after not in staying) for _, _, after, _ in subgames[number].leaves]
            if subgames[number].seat_plans[1 - seat].least_total(subgames[number].expected_payoffs(seat, out)) > 0:
                leaving.add(number)
        if not leaving:
            raise Refused(f"subgame {min(staying)}: play need not end by the plan of seat {seat + 1}")
        staying -= leaving


def value_text(low: Fraction, high: Fraction) -> str:
    """Return a value of which both bounds are known, in decimals on which they agree, and as a fraction if it is one
    of few digits.
    """
    for places in range(12, -1, -1):
        units, other = round(low * 10**places), round(high * 10**places)
        if units == other:
            break
    else:
        return f"between {low.numerator // low.denominator:,} and {high.numerator // high.denominator + 1:,}"
    if abs(units) > 10**100:
        return "a number of over 80 digits"
    whole, rest = divmod(abs(units), 10**places)
    decimals = ("-" if units < 0 else "") + f"{whole}.{rest:0{places}}"[: None if places else -2]
    short = low == high and max(abs(low.numerator), low.denominator) < 10**20
    return f"{decimals} = {low}" if short and low.denominator > 1 else decimals


def main(arguments: Sequence[str]) -> str:
    """Check the file that is the only argument, and return what its table proves. Raises Refused."""
    if len(arguments) != 1:
        raise Refused("name one file: python values.py FILE")
    path = Path(arguments[0])
    if not path.is_file():
        raise Refused(f"{path} is no file")
    secret = "plans" in next(records(path), dict[str, Any]())
    proof = check_secret_game(path) if secret else check_table(path)
    values = ", ".join(value_text(low, high) for low, high in proof.values)
    return f"the table proves its values: {values}\nnot compared with the rules: `oddsmith certify` does that\n"


if __name__ == "__main__":  # it runs alone as well: python values.py FILE
    try:
        sys.stdout.write(main(sys.argv[1:]))
    except Refused as refused:
        sys.exit(f"refused: {refused}")
