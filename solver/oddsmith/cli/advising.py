"""The values of the actions of a position, as lines for people and as plain data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from oddsmith.base.exact import Number, fraction_text
from oddsmith.report.english import OptionWords

if TYPE_CHECKING:
    from oddsmith.api import SolvedGame
    from oddsmith.solve import Advice


def advice_lines(
    position_words: str,
    actions: Sequence[Advice],
    digits: int,
    action_probabilities: Mapping[str, Number],
    word_action: Callable[[str], str] = str,
) -> list[str]:
    """Return printed lines: a position in words, then each of its actions with its value.

    ``action_probabilities``: the probabilities of the actions if the policy mixes them. ``word_action``: a function
    that words an action.
    """
    said = [word_action(each.action) for each in actions]
    width = max(map(len, said), default=0)
    lines = [position_words]
    for each, action in zip(actions, said, strict=True):
        worse = f"loses {each.loss.decimal(digits)}" if each.loss.lower > 0 else "not told apart from the best"
        often = _frequency_words(action_probabilities[each.action]) if each.action in action_probabilities else ""
        loss = f"best{often}" if each.best else worse
        lines.append(f"  {action:<{width}}  {each.value.decimal(digits)}  {loss}  ({each.value.grade})")
    return lines


def _frequency_words(probability: Number) -> str:
    return ", always taken" if probability.exact == 1 else f", taken with chance {probability.percent(4)}"


def advice_json(
    position: Mapping[str, Any], actions: Sequence[Advice], digits: int, action_probabilities: Mapping[str, Number]
) -> dict[str, Any]:
    """Return advice as plain data for JSON. It has the key ``chances`` if the policy mixes actions."""
    mixed = (
        {"chances": {action: chance.to_json(digits) for action, chance in action_probabilities.items()}}
        if action_probabilities
        else {}
    )
    return {
        "state": position,
        "actions": [
            {
                "action": each.action,
                **each.value.to_json(digits),
                "loss": fraction_text(each.loss.lower if each.loss.exact is None else each.loss.exact),
            }
            for each in actions
        ],
        "best": [each.action for each in actions if each.best],
        **mixed,
    }


def option_words(answered: SolvedGame) -> OptionWords:
    """Return a function from an option of a game to its wording.

    In a game with secrets, the wording names players by number. In any other game, it is as seen from the seat to move.
    """
    game = answered.game
    return OptionWords(game, game.ruleset.player_name if answered.method == "secrets" else None)


def position_lines(answered: SolvedGame, position: str, digits: int) -> list[str]:
    """Return lines with the value of each action of a position. ``position``: the position as a person writes it.
    Raises PositionError.
    """
    found = answered.advice(position)
    notes = (f"note: {note}" for note in found.notes)
    say = option_words(answered)
    return [*advice_lines(say(found.words), found.actions, digits, found.action_probabilities, say), *notes]


def position_json(answered: SolvedGame, position: str, digits: int) -> dict[str, Any]:
    """Return a position and the values of its actions as plain data for JSON. Raises PositionError."""
    found = answered.advice(position)
    notes = {"notes": list(found.notes)} if found.notes else {}
    return {**advice_json(found.variables, found.actions, digits, found.action_probabilities), **notes}
