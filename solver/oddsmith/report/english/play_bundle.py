"""The bundle ``play.json`` of a game, solved or not: the data from which a page of play runs the game.

It holds what the page says about the game, as data: names of phases and variables, and the sentences of entries and of
the end of the game.

It also says whether the game is for coins: the coins of the start pass between players, and everybody keeps the coins
in their purse at the end. Such coins can be money. Each seat pays an equal part of all coins of the start and leaves
with its purse, so its mean payoff is what it gets in money. No key of a ruleset says that a game is for coins: it
follows from the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oddsmith.report.english.prose import capital
from oddsmith.report.english.words import plain_name
from oddsmith.ruleset import Game, bind, bundle, expression_data
from oddsmith.ruleset.model import (
    ComputedValue,
    Entry,
    Move,
    Parameter,
    Payoff,
    PlayBoard,
    Ruleset,
    Sentence,
    Setting,
    Variable,
    variable_read_by,
)


def purse_variables(rules: Ruleset) -> dict[str, tuple[str, ...]]:
    """Return for each payoff that is a purse of coins the variables that hold these coins. The purse comes first.

    A purse is a number of each seat that grows only by moves from other variables that hold coins. Coins may leave the
    game, but no coins are added.
    """
    return {name: held for name, payoff in rules.payoffs.items() if (held := _coin_variables(rules, payoff))}


def _coin_variables(rules: Ruleset, payoff: Payoff) -> tuple[str, ...]:
    value = payoff.value
    if payoff.goal != "max" or value.op != "state" or [index.op for index in value.args] != ["seat"]:
        return ()
    held = [value.value]
    for name in held:  # which grows while it is read
        if not _holds_coins(rules, name):
            return ()
        for effect in rules.effects:
            if all(place.name != name for place in effect.variables_written):
                continue
            if not isinstance(effect, Move) or effect.source is None:
                return ()  # they come from nowhere
            held += [place.name for place in effect.variables_written if place.name not in held]
    return tuple(held)


def _holds_coins(rules: Ruleset, variable_name: str) -> bool:
    """Whether a variable holds a number of coins that no roll and no new turn makes larger."""
    variable = rules.state[variable_name]
    start = variable.start
    empty = start is None or getattr(start, "value", None) == 0
    throws = [throw for phase in rules.phases.values() for throw in phase.rolls_and_draws]
    thrown = any(
        variable_name in (throw.name, variable_read_by(throw)) for throw in throws
    )  # a bag holds more than coins
    positive = variable.least is None or variable.least.value == 0
    return variable.kind == "number" and positive and (empty or not variable.resets_each_turn) and not thrown


def play_page_texts(rules: Ruleset) -> dict[str, Any]:
    """Return the texts with which a page shows a game: the names of phases and variables, the texts of entries, and the
    descriptions of variants and parameters.

    ``opening`` in the result lists the parameters that are changed in the game with which the page opens. Other games
    are described by their values of these parameters.
    """
    more = {
        "opening": rules.parameters_changed_at_opening,
        "boards": {each.variable: _board_data(each) for each in rules.boards},
    }
    return {
        "phases": {name: each.label or capital(plain_name(name)) for name, each in rules.phases.items()},
        "variables": {name: _variable_data(each) for name, each in rules.state.items()},
        **entry_texts_by_phase(rules),
        "variants": {name: each.about for name, each in rules.variants.items()},
        "parameters": {name: {"about": each.about} | _unit_data(each) for name, each in rules.parameters.items()},
    } | {key: part for key, part in more.items() if part}


def entry_texts_by_phase(rules: Ruleset) -> dict[str, Any]:
    """Return the texts and effects of all entries (outcomes, options and cases) by phase, and the texts for a player
    who goes out and for the end of the game. Empty texts are left out.
    """
    by_phase = {name: [_entry_texts(one) for one in each.entries] for name, each in rules.phases.items()}
    entries = {name: each for name, each in by_phase.items() if any(each)}
    others = {"out": rules.words_when_out, "end": rules.words_at_end}
    return {"entries": entries} | {key: _sentence_data(words) for key, words in others.items() if words is not None}


def _entry_texts(entry: Entry) -> dict[str, Any]:
    """Return the texts and effects of an outcome, option or case, if the ruleset has words for them."""
    return {
        key: _sentence_data(words) for key, words in (("say", entry.say), ("does", entry.does)) if words is not None
    }


def _sentence_data(sentence: Sentence) -> list[Any]:
    """Return a sentence as a list of texts, and of expressions with their types."""
    return [
        [part.tree.type.kind, expression_data(part.tree), *part.unit_forms] if isinstance(part, ComputedValue) else part
        for part in sentence
        if part != ""
    ]


def _variable_data(variable: Variable) -> dict[str, Any]:
    """Return the label and the description of a variable, and how a page shows it if the ruleset says so."""
    data = {"label": variable.label or plain_name(variable.name), "about": variable.about}
    more = ({"show": variable.show} if variable.show else {}) | _unit_data(variable)
    return data | more | ({} if variable.value_shown_as_none is None else {"none": variable.value_shown_as_none})


def _unit_data(number: Variable | Parameter) -> dict[str, Any]:
    """Return the unit of a number, and how many units 1 of the number counts, if the ruleset says so."""
    return ({"unit": list(number.unit)} if number.unit else {}) | (
        {"times": number.display_factor} if number.display_factor > 1 else {}
    )


def _board_data(board: PlayBoard) -> dict[str, Any]:
    """Return how a page draws a variable. Keys that the ruleset does not give are left out."""
    parts = {
        "rows": [{"seat": row.seat, "squares": list(row.squares)} for row in board.rows],
        "length": expression_data(board.length) if board.length else None,
        "across": board.column_variable,
        "columns": board.columns,
        "laid": board.underlay_variable,
        "facing": board.facing_variable,
        "marks": [[text, expression_data(test)] for text, test in board.marks.items()],
    }
    return {key: part for key, part in parts.items() if part}


def game_bundle(rules: Ruleset, settings: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the bundle of a game. ``settings``: its settings as plain data, the usual one first."""
    return {
        "bundle": bundle(rules),
        "words": play_page_texts(rules),
        "settings": list(settings),
        "coins": purse_variables(rules),
    }


def unsolved_bundle(rules: Ruleset) -> dict[str, Any]:
    """Return the bundle of an unsolved game for every number of seats.

    Without a table of best play, opponents play by named policies or at random.
    """
    least, most, usual = rules.seats
    seats = sorted(range(least, most + 1), key=lambda each: each != usual)
    payoff = next(iter(rules.payoffs))
    return game_bundle(
        rules, [unsolved_setting_data(bind(rules, Setting(each)), payoff, f"{each}-seats") for each in seats]
    )


def unsolved_setting_data(game: Game, objective: str, slug: str) -> dict[str, Any]:
    """Return a setting of a bundle without a table of best play."""
    return {
        "slug": slug,
        "seats": game.seats,
        "parameters": dict(game.parameters),
        "unit": "",
        "objective": objective,
        "share": game.ruleset.payoffs[objective].is_share,
        "policy": None,
        "values": None,
        "opponents": [
            *(_opponent_data("named", name) for name in game.ruleset.policies),
            _opponent_data("random", None),
        ],
    }


def _opponent_data(kind: str, policy: str | None) -> dict[str, Any]:
    """Return an opponent that needs no table of best play, as plain data."""
    return {"kind": kind, "policy": policy, "best": None, "odds": []}
