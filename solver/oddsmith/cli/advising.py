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
    words: str, actions: Sequence[Advice], digits: int, chances: Mapping[str, Number], say: Callable[[str], str] = str
) -> list[str]:
    """Return lines with a position in words, and the value of each of its actions.

    ``chances``: the probabilities of the actions if the policy mixes them. ``say``: a function that words an action.
    """
    said = [say(each.action) for each in actions]
    width = max(map(len, said), default=0)
    lines = [words]
    for each, action in zip(actions, said, strict=True):
        worse = f"loses {each.loss.decimal(digits)}" if each.loss.lower > 0 else "not told apart from the best"
        often = _frequency_words(chances[each.action]) if each.action in chances else ""
        loss = f"best{often}" if each.best else worse
        lines.append(f"  {action:<{width}}  {each.value.decimal(digits)}  {loss}  ({each.value.grade})")
    return lines


def _frequency_words(chance: Number) -> str:
    return ", always taken" if chance.exact == 1 else f", taken with chance {chance.percent(4)}"


def advice_json(
    shown: Mapping[str, Any], actions: Sequence[Advice], digits: int, chances: Mapping[str, Number]
) -> dict[str, Any]:
    """Return advice as plain data for JSON. It has the key ``chances`` if the policy mixes actions."""
    mixed = {"chances": {action: chance.to_json(digits) for action, chance in chances.items()}} if chances else {}
    return {
        "state": shown,
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
    return OptionWords(game, game.ruleset.player_name if answered.by == "secrets" else None)


def position_lines(answered: SolvedGame, text: str, digits: int) -> list[str]:
    """Return lines with the value of each action of a position. ``text``: the position as a person writes it. Raises
    PositionError.
    """
    found = answered.advice(text)
    notes = (f"note: {note}" for note in found.notes)
    say = option_words(answered)
    return [*advice_lines(say(found.words), found.actions, digits, found.chances, say), *notes]


def position_json(answered: SolvedGame, text: str, digits: int) -> dict[str, Any]:
    """Return a position and the values of its actions as plain data for JSON. Raises PositionError."""
    found = answered.advice(text)
    notes = {"notes": list(found.notes)} if found.notes else {}
    return {**advice_json(found.shown, found.actions, digits, found.chances), **notes}
