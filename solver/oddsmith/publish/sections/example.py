"""A turn as it happened, with what every choice was worth."""

from __future__ import annotations

import re

from oddsmith.publish.markup.html import Html, esc, join, tag
from oddsmith.publish.markup.numbers import worth
from oddsmith.report.answers import Answer
from oddsmith.report.english import capital, plain_name, player_count
from oddsmith.report.facts import ExampleMove
from oddsmith.ruleset.model import Phase


def example_html(answer: Answer) -> list[Html]:
    """A turn from a real play under best play, with what every choice was worth."""
    if not answer.example:
        return []
    seats = answer.setting.seats
    dice = any(throw.kind == "roll" for phase in answer.game.ruleset.phases.values() for throw in phase.throws)
    lead = "These dice were really rolled" if dice else "This was really drawn"
    if seats > 1:
        lead += f", with {player_count(seats)} who all play best."
    else:
        lead += ". The player plays best." if answer.strategies else "."
    items = []
    seat = 0
    for move in answer.example:
        who = f"{capital(answer.game.ruleset.seat(move.seat - 1))}: " if move.seat != seat and seats > 1 else ""
        seat = move.seat
        items.append(tag("li", _move(answer, move, who)))
    return [tag("p", lead), tag("ol", *items, cls="od-play")]


def _move(answer: Answer, move: ExampleMove, who: str) -> Html:
    parts: list[str] = [tag("strong", who)] if who else []
    if move.advice:
        phases = answer.game.ruleset.phases
        phase = next(each for name, each in phases.items() if plain_name(name) == move.phase)
        parts += [
            esc("chooses " if who else "Chooses "),
            tag("strong", action_text(phase, move.took)),
            tag("small", f" ({_values(answer, phase, move)})" if len(move.advice) > 1 else ""),
        ]
    else:
        parts += [esc(f"{move.phase if who else capital(move.phase)}: "), tag("span", move.shown, cls="od-dice")]
        parts += [esc(", "), tag("strong", move.took)] if move.took else []
    stop = "" if move.took.endswith(".") else "."
    parts.append(esc(f"{stop} Now {move.now}." if move.now else stop))
    return join(parts)


def _values(answer: Answer, phase: Phase, move: ExampleMove) -> str:
    """What the best actions of a choice were worth; the one that was taken was named just before."""
    alone = sum(each.best for each in move.advice) == 1
    values = [(each.best, action_text(phase, each.action), worth(answer.unit, each.value)) for each in move.advice[:4]]
    return "; ".join(f"worth {value}" if best and alone else f"{text} is worth {value}" for best, text, value in values)


def action_text(phase: Phase, action: str) -> str:
    """An action as people say it: ``Set aside: 1 1``, not ``Set aside (aside 1 1)``.

    The name of a loop stays where it says more than the name of the option, which a single letter does not.
    """
    for entry in phase.entries:
        loops = ", ".join(f"{re.escape(name)} (.+)" for name, _ in entry.loops)
        if loops and (found := re.fullmatch(rf"{re.escape(entry.name)} \({loops}\)", action)):
            values = []
            for (name, items), value in zip(entry.loops, found.groups(), strict=True):
                seat = items.type.item is not None and items.type.item.kind == "seat" and value.isdecimal()
                told = len(name) > 1 and name.casefold() not in entry.name.casefold().split()
                values.append(f"player {value}" if seat else f"{plain_name(name)} {value}" if told else value)
            return f"{entry.name}: {', '.join(values)}"
    return action
