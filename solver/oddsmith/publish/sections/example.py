"""The section with a turn of a simulated game and the value of every choice."""

from __future__ import annotations

from oddsmith.publish.markup.html import Html, esc, join_html, tag
from oddsmith.publish.markup.numbers import value_text_in_sentence
from oddsmith.report.answers import Answer
from oddsmith.report.english import capital, plain_name, player_count_words
from oddsmith.report.facts import ExampleMove


def example_turn_html(answer: Answer) -> list[Html]:
    """Return a turn of a simulated game under best play, with the value of every choice, as HTML; an empty list if
    there is none.
    """
    if not answer.example_moves:
        return []
    seats = answer.setting.seats
    dice = any(throw.kind == "roll" for phase in answer.game.ruleset.phases.values() for throw in phase.rolls_and_draws)
    lead = "These dice were really rolled" if dice else "This was really drawn"
    if seats > 1:
        lead += f", with {player_count_words(seats)}{' who all play best' * bool(answer.strategies)}."
    else:
        lead += ". The player plays best." if answer.strategies else "."
    items = []
    seat = 0
    for move in answer.example_moves:
        who = f"{capital(answer.game.ruleset.seat_name(move.seat - 1))}: " if move.seat != seat and seats > 1 else ""
        seat = move.seat
        items.append(tag("li", _move_html(answer, move, who)))
    return [tag("p", lead), tag("ol", *items, cls="od-play")]


def _move_html(answer: Answer, move: ExampleMove, player_name: str) -> Html:
    parts: list[str] = [tag("strong", player_name)] if player_name else []
    if move.advice:
        phases = answer.game.ruleset.phases
        phase = next(name for name in phases if plain_name(name) == move.phase)
        parts += [
            esc("chooses " if player_name else "Chooses "),
            tag("strong", answer.option_words(move.took, phase)),
            tag("small", f" ({_action_values_words(answer, phase, move)})" if len(move.advice) > 1 else ""),
        ]
    else:
        parts += [
            esc(f"{move.phase if player_name else capital(move.phase)}: "),
            tag("span", move.shown, cls="od-dice"),
        ]
        parts += [esc(", "), tag("strong", move.took)] if move.took else []
    stop = "" if move.took.endswith(".") else "."
    parts.append(esc(f"{stop} Now {move.now}." if move.now else stop))
    return join_html(parts)


def _action_values_words(answer: Answer, phase: str, move: ExampleMove) -> str:
    """Return the values of up to four actions of a choice in words. The action that was taken is named in the sentence
    before these words, so it is not repeated if it is the only best action.
    """
    alone = sum(each.best for each in move.advice) == 1
    values = [
        (each.best, answer.option_words(each.action, phase), value_text_in_sentence(answer.unit, each.value))
        for each in move.advice[:4]
    ]
    return "; ".join(f"worth {value}" if best and alone else f"{text} is worth {value}" for best, text, value in values)
