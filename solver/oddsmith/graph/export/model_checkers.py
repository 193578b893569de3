"""A decision process for two model checkers, with exact fractions: in Storm's format DRN, and in the language of PRISM
and PRISM-games.

The layout of DRN is Storm's (https://www.stormchecker.org/documentation/background/drn.html), the language that of
https://www.prismmodelchecker.org/games/modelling.php.

Model checkers need payoffs on choices, and one mover for each state. A graph has payoffs on transitions, and any seat
may be to move in its states. So payoffs become the expected reward of a choice, and a state is repeated for each seat
that may be to move there.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain, count
from urllib.parse import quote

import numpy as np

from oddsmith.base.arrays import Ints, arange, repeat
from oddsmith.base.errors import ExportError
from oddsmith.base.exact import fraction_text, one_line
from oddsmith.graph.columns.expand import DICE_ROLLED_BIT
from oddsmith.graph.reachability import concatenated_ranges, reachable_mask
from oddsmith.graph.stategraph import StateGraph
from oddsmith.graph.witness import describe
from oddsmith.ruleset import sha256


@dataclass(frozen=True)
class ProcessChoice:
    """A choice of an action in a state of the process.

    ``action``: the action's name. ``rewards``: its expected reward in each reward model. ``ways``: the probability of
    each next state, by the number of this state.
    """

    action: str
    rewards: tuple[Fraction, ...]
    ways: dict[int, Fraction]


@dataclass(frozen=True)
class ProcessState:
    """A state of the process.

    ``number``: its number. ``mover``: the seat to move, from 0. ``note``: the position in words. ``choices``: its
    choices.
    """

    number: int
    mover: int
    note: str
    choices: list[ProcessChoice]


@dataclass(frozen=True)
class DecisionProcess:
    """The decision process in which the seats ``choosing`` (from 1) choose, and the other seats follow a fixed policy.

    ``played``: the row that the policy takes in each state, for each seat to move, shape (states, seats); None if all
    seats choose. An entry is a state of the graph with its mover, numbered ``state * seats + mover``. The states of the
    process are the entries that play can reach.
    """

    graph: StateGraph
    choosing: Collection[int]
    played: Ints | None = None

    @cached_property
    def rows(self) -> tuple[Ints, Ints]:
        """Two arrays of equal length: the rows that may be taken, in order of their entries, and the entry of each.

        An entry is the number ``state * seats + mover``.
        """
        graph, n = self.graph, self.graph.seats
        entry = arange(graph.state_count * n)
        state, is_open = entry // n, np.isin(entry % n + 1, list(self.choosing))
        one = graph.state_rows[:-1].repeat(n) if self.played is None else self.played.reshape(-1)
        counts = np.where(is_open, np.diff(graph.state_rows)[state], 1)
        rows = concatenated_ranges(np.where(is_open, graph.state_rows[state], one), counts)
        return rows, repeat(entry, counts)

    @cached_property
    def reachable_entries(self) -> Ints:
        """The entries (``state * seats + mover``) that play can reach, ascending."""
        graph, n = self.graph, self.graph.seats
        rows, entry = self.rows
        lengths = np.diff(graph.row_edges)[rows]
        edges, source = concatenated_ranges(graph.row_edges[rows], lengths), repeat(entry, lengths)
        inner = graph.target[edges] >= 0
        edges, source = edges[inner], source[inner]
        target = graph.target[edges].astype(np.int64) * n + (source + graph.seat_shift[edges]) % n
        return np.flatnonzero(reachable_mask(source, target, graph.state_count * n, np.array([graph.first_mover])))

    @cached_property
    def process_state_of_entry(self) -> dict[int, int]:
        """The index of each entry in ``reachable_entries``."""
        return {entry: number for number, entry in enumerate(self.reachable_entries.tolist())}

    @property
    def first_state_number(self) -> int:
        """The number of the state of the process in which play starts."""
        return self.process_state_of_entry[self.graph.first_mover]

    @property
    def end_state_number(self) -> int:
        """The number of the state of the process in which play has ended: the one after all others."""
        return len(self.reachable_entries)

    def state_and_mover(self, process_state: int) -> tuple[int, int]:
        """Return the state of the graph and the mover (from 0) for a state of the process.

        For the end of the process, return the number of states of the graph, and 0.
        """
        if process_state == self.end_state_number:
            return self.graph.state_count, 0
        state, mover = divmod(int(self.reachable_entries[process_state]), self.graph.seats)
        return state, mover

    @cached_property
    def _row_bounds(self) -> tuple[Ints, Ints]:
        """For each state of the process, the index of its first row in ``rows``, and the index after its last row."""
        entry, reached = self.rows[1], self.reachable_entries
        return np.searchsorted(entry, reached), np.searchsorted(entry, reached, side="right")

    @property
    def choice_count(self) -> int:
        """The number of choices in all states except the end."""
        first, last = self._row_bounds
        return int((last - first).sum())

    @cached_property
    def reward_meanings(self) -> dict[str, str]:
        """The meaning of each reward model in words, by its name."""
        graph = self.graph
        seats = {
            f"seat_{seat + 1}": f"{graph.objective} of {graph.game.ruleset.seat_name(seat)}"
            for seat in range(graph.seats)
        }
        counts = {
            f"count_{number}": f"how often {entry} of {phase} is taken"
            for number, (phase, entry) in enumerate(graph.watched, 1)
        }
        return {**seats, "turns": "turns", "rolls": "steps on which dice are rolled", **counts}

    @property
    def goal(self) -> str:
        """What seats do with their payoffs: ``max`` for maximize or ``min`` for minimize."""
        return self.graph.game.ruleset.payoffs[self.graph.objective].goal

    @property
    def has_losses(self) -> bool:
        """Whether some payoff is negative."""
        return any(units < 0 for kind in self.graph.payoffs for units in kind)

    def head_lines(self) -> Iterator[str]:
        """Yield the lines at the head of a file: the game, its setting, its rules, and the meaning of the reward
        models.
        """
        graph, game = self.graph, self.graph.game
        settings = [f"{name} {game.value_text(value)}" for name, value in game.parameters.items()]
        head = [f"{game.ruleset.id}, {game.seats} seats, {graph.objective} ({self.goal})", *game.variants, *settings]
        yield one_line(", ".join(head))
        yield f"rules {sha256(game.ruleset)}"
        yield from (one_line(f"{name}: {meaning}") for name, meaning in self.reward_meanings.items())

    def process_states(self) -> Iterator[ProcessState]:
        """Yield the states of the process except the end, in order of their numbers."""
        graph, rows = self.graph, self.rows[0]
        for number, (first, last) in enumerate(zip(*self._row_bounds, strict=True)):
            state, mover = self.state_and_mover(number)
            note = one_line(describe(graph, graph.state(state)))
            yield ProcessState(number, mover, note, [self._choice(row, mover) for row in rows[first:last].tolist()])

    def _choice(self, row: int, mover: int) -> ProcessChoice:
        """Return the choice that takes a row of the graph, if ``mover`` is the seat to move."""
        graph, n = self.graph, self.graph.seats
        part, bottom = slice(graph.row_edges[row], graph.row_edges[row + 1]), int(graph.denominator[row])
        targets, seat_shift, weights = (
            column[part].tolist() for column in (graph.target, graph.seat_shift, graph.weight)
        )
        assert sum(weights) == bottom, "no reader would notice"
        ways: dict[int, int] = {}
        for target, turned, weight in zip(targets, seat_shift, weights, strict=True):
            to = self.end_state_number if target < 0 else self.process_state_of_entry[target * n + (mover + turned) % n]
            ways[to] = ways.get(to, 0) + weight
        chances = {to: Fraction(ways[to], bottom) for to in sorted(ways)}
        return ProcessChoice(
            graph.action_name(row), tuple(self._expected_rewards(part, mover, weights, bottom)), chances
        )

    def _expected_rewards(
        self, transitions: slice, mover: int, weights: list[int], denominator: int
    ) -> Iterator[Fraction]:
        """Yield the expected reward of a row in each reward model.

        ``transitions``: the row's transitions, with the probabilities ``weights / bottom``.
        """
        graph, n = self.graph, self.graph.seats
        paid = [graph.payoffs[kind] for kind in graph.payoff[transitions].tolist()]
        for seat in range(n):
            units = sum(weight * kind[(seat - mover) % n] for weight, kind in zip(weights, paid, strict=True))
            yield Fraction(units, denominator * graph.scale)
        turns, marks = graph.turn_over[transitions].tolist(), graph.event_bits[transitions].tolist()
        yield Fraction(sum(weight for weight, over in zip(weights, turns, strict=True) if over), denominator)
        for bit in (DICE_ROLLED_BIT, *graph.watched.values()):
            yield Fraction(sum(weight for weight, mark in zip(weights, marks, strict=True) if mark & bit), denominator)


PRISM_MOST = 50_000  # choices, beyond which PRISM takes more than minutes: it tries every command in every state


# --- DRN


def drn(graph: StateGraph, policy_rows: Ints | None = None, choosing_seat: int = 0) -> bytes:
    """Return the graph in Storm's format: a Markov chain (DTMC), or an MDP in which one ``choosing_seat`` (from 1)
    chooses.

    ``policy_rows``: the row taken in each state, for each seat to move, shape (states, seats); None if the game has one
    seat, which chooses. ``choosing_seat``: the seat that chooses; 0 for none. The file holds the reachable states. Its
    rewards are ``seat_1``, ... for the payoff of each seat, ``turns``, ``rolls``, and ``count_1``, ... for each watched
    entry. Its labels are ``init``, ``done``, and, if there are several seats, ``mover_1``, ....
    """
    return "\n".join(_drn_lines(DecisionProcess(graph, [choosing_seat], policy_rows), choosing_seat)).encode() + b"\n"


def _drn_lines(process: DecisionProcess, choosing_seat: int) -> Iterator[str]:
    """Yield the lines of a DRN file. ``choosing_seat``: as for ``drn``."""
    end, seats, nothing = process.end_state_number, process.graph.seats, ", ".join("0" for _ in process.reward_meanings)
    yield from (f"// {note}" for note in process.head_lines())
    yield f'// ask R{{"seat_{choosing_seat or 1}"}}{process.goal if choosing_seat else ""}=? [F "done"], and the like'
    if process.has_losses:
        yield "// some payoffs are negative: ask in exact arithmetic, because Storm then goes wrong in floats"
    yield from (f"@type: {'MDP' if choosing_seat else 'DTMC'}", "@value_type: rational")
    yield from ("@reward_models", " ".join(process.reward_meanings))
    yield from ("@nr_states", str(end + 1), "@nr_choices", str(process.choice_count + 1), "@model")
    for place in process.process_states():
        labels = ["init"] * (place.number == process.first_state_number) + [f"mover_{place.mover + 1}"] * (seats > 1)
        yield " ".join([f"state {place.number} [{nothing}]", *labels])
        yield f"// state {process.state_and_mover(place.number)[0]} of the graph, {place.note}"
        for choice in place.choices:
            rewards = ", ".join(map(fraction_text, choice.rewards))
            yield f"\taction {quote(choice.action.replace(' ', '_'), safe=_SAFE)} [{rewards}]"
            yield from (f"\t\t{to} : {fraction_text(chance)}" for to, chance in choice.ways.items())
    yield from (f"state {end} [{nothing}] done", f"\taction end [{nothing}]", f"\t\t{end} : 1")


_SAFE = "'(),:=+*!?<>&"  # of the characters that are no letters, what an action of DRN may be called by


# --- the language of PRISM


def prism(graph: StateGraph) -> bytes:
    """Return the graph in the language of PRISM-games, with a choice for every seat: an SMG (stochastic multiplayer
    game), or an MDP, which PRISM reads too.

    Its variables are ``state``, the number of the state, and, if there are several seats, ``mover``, the seat to move.
    Its rewards are those of ``drn``, and the label ``done`` is the end. Raises ExportError beyond PRISM_MOST choices.
    """
    process = DecisionProcess(graph, range(1, graph.seats + 1))
    if process.choice_count > PRISM_MOST:
        raise ExportError(
            f"this game has {process.choice_count:,} choices, and PRISM is too slow beyond {PRISM_MOST:,}: take fewer seats or "
            "smaller parameters, or write DRN"
        )
    return "\n".join(_prism_lines(process)).encode() + b"\n"


def _prism_lines(process: DecisionProcess) -> Iterator[str]:
    """Yield the lines of a PRISM file."""
    graph, places = process.graph, list(process.process_states())
    several, called = graph.seats > 1, _action_labels(places)
    yield from (f"// {note}" for note in process.head_lines())
    yield f'// ask {"<<seat_1>> " if several else ""}R{{"seat_1"}}{process.goal}=? [F "done"], and the like'
    if process.has_losses:
        yield "// some payoffs are negative, which PRISM refuses"
    yield "smg" if several else "mdp"
    for seat in range(graph.seats if several else 0):
        yield f"player seat_{seat + 1}"
        yield "  " + ", ".join(f"[{label}]" for (mover, _), label in called.items() if mover == seat)
        yield "endplayer"
    yield from ("module game", f"  state : [0..{graph.state_count}] init 0;")
    if several:
        yield f"  mover : [1..{graph.seats}] init {graph.first_mover + 1};"
    paid: list[list[str]] = [[] for _ in process.reward_meanings]
    for place in places:
        yield f"  // {place.note}"
        for choice in place.choices:
            command = f"  [{called[place.mover, choice.action]}] {_prism_condition(process, place.number)}"
            ways = (
                f"{_prism_fraction_text(chance)} : {_prism_update(process, to)}" for to, chance in choice.ways.items()
            )
            yield f"{command} -> {' + '.join(ways)};"
            for lines, reward in zip(paid, choice.rewards, strict=True):
                lines.extend([f"{command} : {_prism_fraction_text(reward)};"] * bool(reward))
    yield from (f"  [] state={graph.state_count} -> true;", "endmodule", f'label "done" = state={graph.state_count};')
    for name, lines in zip(process.reward_meanings, paid, strict=True):
        yield from (f'rewards "{name}"', *lines, "endrewards")


def _prism_condition(process: DecisionProcess, state_number: int) -> str:
    """Return the PRISM condition that holds if play is in a state of the process."""
    state, mover = process.state_and_mover(state_number)
    return f"state={state}" + f" & mover={mover + 1}" * (process.graph.seats > 1)


def _prism_update(process: DecisionProcess, state_number: int) -> str:
    """Return the PRISM update that leads to a state of the process."""
    state, mover = process.state_and_mover(state_number)
    return f"(state'={state})" + f" & (mover'={mover + 1})" * (process.graph.seats > 1)


def _action_labels(states: list[ProcessState]) -> dict[tuple[int, str], str]:
    """Return a PRISM label for each action of each seat, by the pair (seat from 0, action).

    All labels differ, and each begins with its seat.
    """
    found: dict[tuple[int, str], str] = {}
    taken = set[str]()
    for mover, action in dict.fromkeys((place.mover, choice.action) for place in states for choice in place.choices):
        plain = "_".join([f"seat_{mover + 1}", *(re.findall("[A-Za-z0-9]+", action) or ["action"])])
        label = next(each for each in chain([plain], (f"{plain}__{k}" for k in count(2))) if each not in taken)
        taken.add(label)
        found[mover, action] = label
    return found


def _prism_fraction_text(fraction: Fraction) -> str:
    """Return a fraction in PRISM's syntax.

    PRISM's integers have 32 bits, so longer integers are written with a decimal point.
    """
    return "/".join(part + ".0" * (len(part) > 9) for part in fraction_text(fraction).split("/"))
