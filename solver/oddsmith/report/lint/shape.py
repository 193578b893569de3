"""Finds what only needs the graph: choices with a single option, parts that no play uses, and play without end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import numpy as np

from oddsmith.base.arrays import Ints, Mask, arange, reduceat
from oddsmith.base.errors import InputError
from oddsmith.base.exact import plural
from oddsmith.graph import Explorer, StateGraph, concatenated_ranges, describe
from oddsmith.report.lint.finding import Finding, Moves, phase_location, position_count_words, warning_at
from oddsmith.report.lint.plays import ShortestPlays, nearest_state_and_cycle, shortest_path_to_state
from oddsmith.ruleset import Game, Rules
from oddsmith.ruleset.checking import entry_in_words, games_to_check
from oddsmith.ruleset.model import Entry, Phase

AT_ONCE = 60  # entries that one exploring can watch
MAX_SAMPLED_POSITIONS = 20_000  # positions of a game at another setting that are looked at

Named = tuple[str, str]


def find_unused_parts(graph: StateGraph) -> Iterator[Finding]:
    """Report OD703, OD704 and OD705: choices with a single option, phases that no play reaches, and entries that no
    play takes.

    A part is not reported if the settings rule it out, or if it is used at another setting. Other settings are explored
    only up to a limit.
    """
    wanted = possible_entry_names(graph.game)
    lone, unmet = _forced_phases(graph), [entry for entry in wanted if entry not in _taken_entries(graph, wanted)]
    for game in games_to_check(graph.game.ruleset):
        if not lone and not unmet:
            return
        with suppress(InputError):
            other = Explorer(game, graph.objective, unmet[:AT_ONCE]).explore(max_states=MAX_SAMPLED_POSITIONS)[0]
            several = _phase_of_states(other)[np.flatnonzero(np.diff(other.state_rows) > 1)]
            lone = [phase for phase in lone if other.codec.phases.index(phase) not in several]
            unmet = [entry for entry in unmet if entry not in _taken_entries(other, unmet[:AT_ONCE])]
    yield from (_forced_choice_of_phase(graph, phase) for phase in lone)
    yield from unused_part_findings(graph.game, wanted, unmet)


def _phase_of_states(graph: StateGraph) -> Ints:
    """Return the phase of every state, as an index into the phases of the codec."""
    return np.asarray(graph.codec.decode(graph.keys)[1])


# --- choices without a choice


def _forced_phases(graph: StateGraph) -> list[str]:
    """Return the phases that play reaches and in which nobody ever has more than one option."""
    phase, several = _phase_of_states(graph), np.diff(graph.state_rows) > 1
    chosen = [name for name, spec in graph.game.ruleset.phases.items() if spec.kind == "choose"]
    places = {name: phase == graph.codec.phases.index(name) for name in chosen}
    return [name for name, mine in places.items() if mine.any() and not several[mine].any()]


def _forced_choice_of_phase(graph: StateGraph, phase: str) -> Finding:
    states = np.flatnonzero(_phase_of_states(graph) == graph.codec.phases.index(phase))
    play = ShortestPlays(graph).play_to_choice(int(states[0]), int(graph.state_rows[states[0]]))
    return forced_choice_finding(graph.game, phase, len(states), play)


def forced_choice_finding(game: Game, phase: str, position_count: int, play: Moves) -> Finding:
    """Return the finding that every position of a phase has only one option. ``play``: a shortest play to the phase."""
    message = f"nobody ever has a choice in {phase}: one option alone is open {position_count_words(position_count)}"
    hint = "let the phase before lead on at once, or give a second option that play can come to"
    return warning_at("OD703", phase_location(game, phase), message, hint, play)


# --- what never happens


def unused_part_findings(game: Game, watched_entries: list[Named], unused_entries: list[Named]) -> Iterator[Finding]:
    """Yield findings about phases and entries that no play takes. ``watched_entries``: the entries that were looked for.
    ``unused_entries``: those of them that no play takes.
    """
    for name, phase in game.ruleset.phases.items():
        mine = [entry for entry in watched_entries if entry[0] == name]
        if mine and all(entry in unused_entries for entry in mine):
            hint = "mend the conditions of the entries that lead there, or delete the phase"
            yield warning_at("OD704", phase_location(game, name), f"no play ever comes to the phase {name}", hint)
            continue
        for entry in phase.entries:
            if (name, entry.name) in unused_entries:
                message = f"no play ever takes {entry_in_words(phase, entry)}"
                hint = "mend its `when`, or that of what stands before it, or leave it out"
                yield warning_at("OD705", entry.location, message, hint)


def _possible_entries(game: Game, phase: Phase) -> list[Entry]:
    """Return the entries of a phase that the settings do not rule out."""
    return [entry for entry in phase.entries if game.constant_truth(entry.when) is not False]


def _possible_phases(game: Game) -> list[Phase]:
    """Return the phases that can follow the start of a turn at these settings."""
    phases, turn = game.ruleset.phases, game.ruleset.first_phase_of_turn
    found, todo = {turn}, [turn]
    while todo:
        for entry in _possible_entries(game, phases[todo.pop()]):
            name = entry.then.phase if entry.then.kind == "phase" else turn
            if name not in found:
                found.add(name)
                todo.append(name)
    return [phase for phase in phases.values() if phase.name in found]


def possible_entry_names(game: Game) -> list[Named]:
    """Return the entries that are possible at the setting of the game, in phases that play can reach, as pairs of phase
    and name.
    """
    return [(phase.name, entry.name) for phase in _possible_phases(game) for entry in _possible_entries(game, phase)]


def _taken_entries(graph: StateGraph, entry_names: list[Named]) -> set[Named]:
    """Return the entries of ``entry_names`` that some play takes."""
    found = set(Rules(graph.game).step_to_first_position().events) & set(entry_names)
    for first in range(0, len(entry_names), AT_ONCE):
        watch = entry_names[first : first + AT_ONCE]
        seen = graph if set(watch) <= set(graph.watched) else Explorer(graph.game, graph.objective, watch).explore()[0]
        marks = int(np.bitwise_or.reduce(seen.event_bits))
        found |= {name for name in watch if marks & seen.watched[name]}
    return found


# --- play without end


def find_endless_play(graph: StateGraph) -> Iterator[Finding]:
    """Report OD732: a position from which the players together can keep the game going for ever, whatever is rolled."""
    rows = _endless_rows(graph)
    if not rows.any():
        return
    edges = np.flatnonzero(rows[graph.edge_row])
    there, back = nearest_state_and_cycle(graph, edges)
    shown = describe(graph, graph.state(there))
    count = int((reduceat(np.add, rows, graph.state_rows[:-1]) > 0).sum())
    message = f"the players can keep the game going for ever from {plural(count, 'position')}, such as {shown}"
    hint = "let every round bring the end nearer: count rounds, or let a choice without effect end the game"
    place = phase_location(graph.game, graph.state(there).phase)
    play = ShortestPlays(graph).state_and_play_through([*shortest_path_to_state(graph, there), *back])[1]
    yield warning_at("OD732", place, message, hint, (*play, "and so on, as often as they like"))


def _endless_rows(graph: StateGraph) -> Mask:
    """Return the mask of the largest set of rows by which play can go on for ever: every transition of a row in the set
    leads to a state that has a row in the set.
    """
    gone = np.zeros(len(graph.row_action), dtype=bool)
    left = np.diff(graph.state_rows).astype(np.int64)
    inner = np.flatnonzero(graph.target >= 0)
    order = inner[np.argsort(graph.target[inner], kind="stable")]  # transitions by what they lead to
    first = np.searchsorted(graph.target[order], arange(graph.state_count + 1))
    rows = np.unique(graph.edge_row[graph.target < 0])
    while len(rows):
        gone[rows] = True
        np.subtract.at(left, graph.row_state[rows], 1)
        states: Ints = np.unique(graph.row_state[rows])
        states = states[left[states] == 0]
        before = graph.edge_row[order[concatenated_ranges(first[states], first[states + 1] - first[states])]]
        rows = np.unique(before[~gone[before]])
    return ~gone
