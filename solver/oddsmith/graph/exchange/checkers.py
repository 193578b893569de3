"""A decision process for two model checkers, with exact fractions: Storm's DRN, and the language of PRISM and PRISM-games.

The layout of DRN is Storm's (https://www.stormchecker.org/documentation/background/drn.html), the language that of
https://www.prismmodelchecker.org/games/modelling.php.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, count
from urllib.parse import quote

from oddsmith.arrays import Ints
from oddsmith.errors import ExportError
from oddsmith.exact import fraction_text
from oddsmith.graph import StateGraph
from oddsmith.graph.exchange.processes import Place, Process

PRISM_MOST = 50_000  # choices, beyond which PRISM takes more than minutes: it tries every command in every state


# --- DRN


def drn(graph: StateGraph, played: Ints | None = None, seat: int = 0) -> bytes:
    """The graph in Storm's format: a Markov chain (DTMC), or an MDP where the choices of one ``seat`` (from 1) are left open.

    ``played``: the row that is taken, of shape (states, seats): per state and seat to move; not needed where the only seat is
    open. Holds what play can come to. Rewards: ``seat_1``, ... what each seat gets, ``turns``, ``rolls``, and ``count_1``, ...
    for each watched entry; labels: ``init``, ``done``, and ``mover_1``, ... where there are several seats.
    """
    return "\n".join(_drn_lines(Process(graph, [seat], played), seat)).encode() + b"\n"


def _drn_lines(process: Process, seat: int) -> Iterator[str]:
    end, seats, nothing = process.end, process.graph.seats, ", ".join("0" for _ in process.rewards)
    yield from (f"// {note}" for note in process.notes())
    yield f'// ask R{{"seat_{seat or 1}"}}{process.goal if seat else ""}=? [F "done"], and the like'
    if process.has_losses:
        yield "// some payoffs are negative: ask in exact arithmetic, because Storm then goes wrong in floats"
    yield from (f"@type: {'MDP' if seat else 'DTMC'}", "@value_type: rational")
    yield from ("@reward_models", " ".join(process.rewards))
    yield from ("@nr_states", str(end + 1), "@nr_choices", str(process.choices + 1), "@model")
    for place in process.places():
        labels = ["init"] * (place.number == process.first) + [f"mover_{place.mover + 1}"] * (seats > 1)
        yield " ".join([f"state {place.number} [{nothing}]", *labels])
        yield f"// state {process.where(place.number)[0]} of the graph, {place.note}"
        for choice in place.choices:
            rewards = ", ".join(map(fraction_text, choice.rewards))
            yield f"\taction {quote(choice.action.replace(' ', '_'), safe=_SAFE)} [{rewards}]"
            yield from (f"\t\t{to} : {fraction_text(chance)}" for to, chance in choice.ways.items())
    yield from (f"state {end} [{nothing}] done", f"\taction end [{nothing}]", f"\t\t{end} : 1")


_SAFE = "'(),:=+*!?<>&"  # of the characters that are no letters, what an action of DRN may be called by


# --- the language of PRISM


def prism(graph: StateGraph) -> bytes:
    """The graph in the language of PRISM-games, where every seat still chooses: an SMG, or an MDP that PRISM reads too.

    Variables: ``state``, its number, and ``mover``, the seat to move, where there are several. Rewards are those of ``drn``;
    the label ``done`` is the end. Raises ExportError beyond PRISM_MOST choices.
    """
    process = Process(graph, range(1, graph.seats + 1))
    if process.choices > PRISM_MOST:
        raise ExportError(
            f"this game has {process.choices:,} choices, and PRISM is too slow beyond {PRISM_MOST:,}: take fewer seats or "
            "smaller parameters, or write DRN"
        )
    return "\n".join(_prism_lines(process)).encode() + b"\n"


def _prism_lines(process: Process) -> Iterator[str]:
    graph, places = process.graph, list(process.places())
    several, called = graph.seats > 1, _labels(places)
    yield from (f"// {note}" for note in process.notes())
    yield f'// ask {"<<seat_1>> " if several else ""}R{{"seat_1"}}{process.goal}=? [F "done"], and the like'
    if process.has_losses:
        yield "// some payoffs are negative, which PRISM refuses"
    yield "smg" if several else "mdp"
    for seat in range(graph.seats if several else 0):
        yield f"player seat_{seat + 1}"
        yield "  " + ", ".join(f"[{label}]" for (mover, _), label in called.items() if mover == seat)
        yield "endplayer"
    yield from ("module game", f"  state : [0..{graph.states}] init 0;")
    if several:
        yield f"  mover : [1..{graph.seats}] init {graph.first + 1};"
    paid: list[list[str]] = [[] for _ in process.rewards]
    for place in places:
        yield f"  // {place.note}"
        for choice in place.choices:
            command = f"  [{called[place.mover, choice.action]}] {_now(process, place.number)}"
            ways = (f"{_prism_number(chance)} : {_next(process, to)}" for to, chance in choice.ways.items())
            yield f"{command} -> {' + '.join(ways)};"
            for lines, reward in zip(paid, choice.rewards, strict=True):
                lines.extend([f"{command} : {_prism_number(reward)};"] * bool(reward))
    yield from (f"  [] state={graph.states} -> true;", "endmodule", f'label "done" = state={graph.states};')
    for name, lines in zip(process.rewards, paid, strict=True):
        yield from (f'rewards "{name}"', *lines, "endrewards")


def _now(process: Process, number: int) -> str:
    """That play is in a state of the process, as a condition."""
    state, mover = process.where(number)
    return f"state={state}" + f" & mover={mover + 1}" * (process.graph.seats > 1)


def _next(process: Process, number: int) -> str:
    """That play goes to a state of the process, as an update."""
    state, mover = process.where(number)
    return f"(state'={state})" + f" & (mover'={mover + 1})" * (process.graph.seats > 1)


def _labels(places: list[Place]) -> dict[tuple[int, str], str]:
    """What each seat's actions are called: words of the language that begin with the seat, no two alike."""
    found: dict[tuple[int, str], str] = {}
    taken = set[str]()
    for mover, action in dict.fromkeys((place.mover, choice.action) for place in places for choice in place.choices):
        plain = "_".join([f"seat_{mover + 1}", *(re.findall("[A-Za-z0-9]+", action) or ["action"])])
        label = next(each for each in chain([plain], (f"{plain}__{k}" for k in count(2))) if each not in taken)
        taken.add(label)
        found[mover, action] = label
    return found


def _prism_number(value: Fraction) -> str:
    """A fraction as PRISM reads it, whose whole numbers have 32 bits, and whose others are exact if it is asked to be."""
    return "/".join(part + ".0" * (len(part) > 9) for part in fraction_text(value).split("/"))
