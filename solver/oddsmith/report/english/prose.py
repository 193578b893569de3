"""The rules of a game in plain words, produced from the ruleset. No text here was written for a particular game.

``filled_wording`` fills the placeholders in a text that a person wrote for a ruleset, under ``told`` and ``remember``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from oddsmith.base.exact import one_line
from oddsmith.expr import Expr, compiled_function
from oddsmith.report.english.words import ExpressionWords, effect_sentences, joined, plain_name
from oddsmith.ruleset import Game
from oddsmith.ruleset.model import (
    ComputedValue,
    Entry,
    EntryEnding,
    Move,
    Parameter,
    Payoff,
    Phase,
    PrintedDefinition,
    RollOrDraw,
    Ruleset,
    SolvedNumber,
    Variable,
    Wording,
    number_with_unit,
)

LETTERS = "NMKLPQRS"  # for numbers of dice that play decides
_TIMES = {2: "twice", 3: "three times", 4: "four times", 5: "five times", 6: "six times"}


@dataclass(frozen=True)
class RuleLine:
    """A line of the rules.

    ``name``: a term in bold. ``when``: when the line applies. ``what``: what happens. ``parts``: the same as separate
    sentences.
    """

    name: str
    when: str = ""
    what: str = ""
    parts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Section:
    """A heading with a sentence and lines.

    ``numbered``: whether the order of the lines matters.
    """

    title: str
    text: str = ""
    items: tuple[RuleLine, ...] = ()
    numbered: bool = False


def rules_in_words(game: Game) -> list[Section]:
    """Return the rules in sections: the set-up, the phases in the order in which a turn reaches them, the end, the
    payoffs, and the parameters.
    """
    phases = game.ruleset.phases
    words = ExpressionWords(
        game,
        dice=frozenset(throw.name for phase in phases.values() for throw in phase.rolls_and_draws),
        moved_variables=_moved_variables(game),
    )
    sections = [_setup_section(game), *(_phase_section(game, words, phases[name]) for name in _phases_in_order(game))]
    sections += [
        section
        for section in (_end_section(game, words), _payoff_section(game, words), _parameter_section(game))
        if section
    ]
    return [*sections, *_definition_sections(words, sections)]


def _moved_variables(game: Game) -> frozenset[str]:
    """Return the names of the variables that something is moved into or out of."""
    moves = [effect for effect in game.effects if isinstance(effect, Move)]
    return frozenset(place.name for move in moves for place in (move.source, move.target) if place)


def _definition_sections(words: ExpressionWords, rule_sections: list[Section]) -> list[Section]:
    """Return a list with one section, which explains the definitions that the sentences of ``rule_sections`` call by name.
    Return an empty list if they call none.

    A definition is written in words, or as its source if only quoted expressions use it.
    """
    written = {
        name.partition("(")[0].strip(): (name, one_line(str(text)))
        for name, text in words.game.ruleset.data.get("define", {}).items()
    }
    quoted = " ".join(re.findall("`[^`]*`", " ".join(_all_texts(rule_sections))))
    items: dict[str, RuleLine] = {}
    while todo := [
        name
        for name in written
        if name not in items and (name in words.used_definitions or _mentions_name(quoted, name))
    ]:
        name = todo[0]
        meaning = (
            _definition_words(words, words.used_definitions[name])
            if name in words.used_definitions
            else f"`{written[name][1]}`"
        )
        quoted += " ".join(re.findall("`[^`]*`", meaning))
        items[name] = RuleLine(
            plain_name(name) if name in words.used_definitions else f"`{written[name][0]}`", "", meaning
        )
    if not items:
        return []
    used = tuple(items[name] for name in written if name in items)
    return [Section("Terms", "The rules above use these words for something longer:", used)]


def _all_texts(sections: list[Section]) -> Iterator[str]:
    for section in sections:
        yield section.text
        yield from (f"{item.when} {item.what}" for item in section.items)


def _mentions_name(text: str, name: str) -> bool:
    return re.search(rf"\b{re.escape(name)}\b", text) is not None


def _definition_words(words: ExpressionWords, tree: Expr) -> str:
    """Return a definition in words, or as its source if the words would quote another source."""
    text = words.full_words(tree)
    return f"`{one_line(tree.span.covered_text)}`" if "`" in text else f"{text}."


def player_count_words(players: int) -> str:
    """Return in words a number of players."""
    return "one player" if players == 1 else f"{players} players"


def number_range_words(low: int, high: int) -> str:
    """Return in words a range of numbers: 2, 1 or 2, 2 to 6."""
    return str(low) if low == high else f"{low} {'or' if high == low + 1 else 'to'} {high}"


def player_range_words(low: int, high: int) -> str:
    """Return the number of players of a game in words, such as: 2 to 6 players."""
    return player_count_words(low) if low == high else f"{number_range_words(low, high)} players"


def capital(text: str) -> str:
    """Return a text with its first letter in upper case."""
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """Return a text as a sentence, with a capital and a full stop."""
    text = text.strip()
    return capital(text) + ("" if text.endswith((".", "!", "?")) else ".") if text else ""


# --- the start


def _setup_section(game: Game) -> Section:
    low, high, _ = game.ruleset.seats
    players = f"{low} players" if low == high else f"{low} to {high} players"
    players = "One player" if high == 1 else players
    sides = game.ruleset.sides
    items = tuple(_variable_line(game, each) for each in game.ruleset.state.values() if each.name not in sides)
    order = "".join(f", then {game.ruleset.player_name(seat)}" for seat in range(1, game.seats)) if sides else ""
    first = game.ruleset.player_name(0) if sides else "seat 1"
    begins = "" if high == 1 else f"{capital(first)} begins{order}, and the turn goes round. "
    text = f"{players}. {begins}A turn starts with {capital(plain_name(game.ruleset.first_phase_of_turn))}."
    start = (
        "This is on the table at the start:"
        if high == 1
        else f"With {player_count_words(game.seats)}, this is on the table at the start:"
    )
    return Section("Set-up", f"{text} {start}" if items else text, items)


def _variable_line(game: Game, variable: Variable) -> RuleLine:
    where = game.cell_indices_of(variable.name)
    values = [game.start[cell] for cell in where]
    owner = "each player’s " if variable.is_per_seat else ""
    kind = f"{owner}{plain_name(variable.name)}"
    if variable.kind == "seat":
        start = (
            "starts as the player to move"
            if variable.starts_as_mover
            else f"starts as {game.ruleset.seat_name(values[0])}"
        )
    elif len(set(values)) == 1:
        start = f"starts {'at' if variable.kind in ('number', 'tally') else 'as'} {game.value_text(values[0])}"
    else:
        start = f"starts as {joined(list(_start_value_words(game, variable)))}"
    if variable.resets_each_turn:
        start += ", and goes back to that when a turn ends"
    times = variable.display_factor
    each = f"Each counts {number_with_unit(f'{times:,}', times, variable.unit)}" if times > 1 else ""
    return RuleLine(kind, "", " ".join(map(sentence, filter(None, (variable.about, each, start)))))


def _start_value_words(game: Game, variable: Variable) -> Iterator[str]:
    """Yield the start value of each member of a variable with an index, in words. If the values are the same for all
    seats, they are yielded for one seat.
    """
    where = game.cell_indices_of(variable.name)
    values = [game.value_text(game.start[cell]) for cell in where]
    size = len(where) // game.seats if variable.is_per_seat else len(where)
    alike = values[:size] * (len(where) // size) == values
    for cell, value in list(zip(where, values, strict=True))[: size if alike else None]:
        members = list(game.cells[cell].indices)
        seat = game.ruleset.seat_name(members.pop(0)) if variable.is_per_seat else ""
        named = [*([] if alike or not seat else [seat]), *map(str, members)]
        the = "the " if game.ruleset.sides else ""
        yield f"{value} for {the}{seat}" if named == [seat] else f"{' '.join(named)}: {value}"


# --- phases


def _phases_in_order(game: Game) -> list[str]:
    """Return the names of the phases in the order in which play reaches them from the start of a turn, then all others."""
    met: list[str] = []
    todo = [game.ruleset.first_phase_of_turn]
    while todo:
        name = todo.pop(0)
        if name not in met:
            met.append(name)
            todo += [entry.then.phase for entry in game.ruleset.phases[name].entries if entry.then.kind == "phase"]
    return met + [name for name in game.ruleset.phases if name not in met]


def _phase_section(game: Game, words: ExpressionWords, phase: Phase) -> Section:
    title = capital(plain_name(phase.name))
    items = tuple(
        _entry_line(words, entry, raw)
        for entry, raw in zip(phase.entries, _written_conditions(game, phase), strict=True)
        if words.fixed_value(entry.when) is not False
    )
    if phase.kind == "choose":
        text = "You choose one of these." if len(items) > 1 else "You have one option."
        return Section(title, f"{text} {_secrecy_sentence(words, phase, 'what you choose')}".strip(), items)
    if phase.kind == "cases":
        return Section(title, "Nobody chooses here. The first of these that fits applies.", items, numbered=True)
    text = " ".join(sentence(_roll_or_draw_words(words, throw)) for throw in phase.rolls_and_draws)
    text = f"{text} {_secrecy_sentence(words, phase, 'what comes up')}".strip()
    if phase.kind == "together":
        who = capital(words.noun_words(phase.choosing_seats))
        items_text = words.noun_words(phase.items)
        text = f"{who} choose one of {items_text} each ({plain_name(phase.choice_name)}), in secret. Then all show."
    if len(phase.entries) == 1 and not phase.entries[0].name:
        return Section(title, f"{text} {' '.join(sentence(part) for part in items[0].parts)}".strip())
    return Section(title, f"{text} The first of these that fits applies.", items, numbered=True)


def _secrecy_sentence(words: ExpressionWords, phase: Phase, secret_event: str) -> str:
    """Return in words who alone sees what happens in a phase; empty if everybody sees it."""
    if phase.seen_by is None:
        return ""
    if phase.seen_by.op == "listed" and not phase.seen_by.args:
        return f"Nobody sees {secret_event}." if phase.kind == "roll" else f"Nobody else sees {secret_event}."
    who = words.noun_words(phase.seen_by)
    return sentence(f"only {who} {'see' if who == 'you' else 'sees'} {secret_event}")


def _roll_or_draw_words(words: ExpressionWords, roll_or_draw: RollOrDraw) -> str:
    name = plain_name(roll_or_draw.name)
    if roll_or_draw.kind == "draw":
        return f"draw one from the {plain_name(roll_or_draw.bag)} at random (the {name})"
    if roll_or_draw.kind == "rest":
        return f"roll the dice that do not lie in {name} yet, and add them to it"
    open_ = [term for term in roll_or_draw.dice if not isinstance(words.fixed_value(term.count), int)]
    letters = dict(zip(map(id, open_), LETTERS, strict=False))
    dice = joined([_dice_words(words, term.count, term.die, letters.get(id(term), "")) for term in roll_or_draw.dice])
    numbers = joined([f"{letters[id(term)]} is {words.noun_words(term.count)}" for term in open_])
    kept = f" and keep them as {name}" if roll_or_draw.is_kept else f" (the {name})"
    return f"roll {dice}{kept}{f', where {numbers}' if numbers else ''}"


def _dice_words(words: ExpressionWords, count: Expr, die: str, count_letter: str) -> str:
    """Return in words dice of one kind: 3d6, 2 coin dice, or N d6 dice if play decides their number."""
    fixed = words.fixed_value(count)
    if not isinstance(fixed, int):
        return f"{count_letter} {plain_name(die)} dice"
    if die.startswith("d") and die[1:].isdigit():
        return f"{fixed if fixed > 1 else ''}{die}"
    if fixed == 1 and not die.isidentifier():  # a total, such as 2d4 + 2, is called as it is written
        return die
    return f"{fixed} {plain_name(die)} {'die' if fixed == 1 else 'dice'}"


def _written_conditions(game: Game, phase: Phase) -> list[object]:
    """Return for each entry of a phase its condition (`when`) as written in the file; None for an entry without one."""
    spec = game.ruleset.data["phases"][phase.name]
    body = next((spec[key] for key in ("outcomes", "choose", "cases") if key in spec), None)
    return [None] if body is None else [item.get("when") for item in body]


def _entry_line(words: ExpressionWords, entry: Entry, written_condition: object) -> RuleLine:
    when = "" if words.fixed_value(entry.when) else words.condition_clause(entry.when)
    if "`" in when:
        when = f"`{one_line(str(written_condition))}`"
    if entry.loops:
        loops = joined([f"one {plain_name(name)} out of {words.noun_words(items)}" for name, items in entry.loops])
        when = f"with {loops}" + (f", when {when}" if when else "")
    parts = (*effect_sentences(words, entry.do), _then_words(words, entry.then))
    return RuleLine(entry.name, when, "; ".join(parts) + ".", parts)


def _then_words(words: ExpressionWords, then: EntryEnding) -> str:
    """Return in words what happens after an entry: the next phase, the end of a turn, or the end of the game."""
    alone = words.game.ruleset.seats[1] == 1
    match then.kind:
        case "phase":
            return f"go on to {capital(plain_name(then.phase))}"
        case "again":
            return "your turn ends and you begin another"
        case "pass":
            return "your turn ends" if alone else "the turn passes to the next player"
        case "end":
            return "the game ends"
    assert then.seat is not None
    return f"the turn passes to {words.noun_words(then.seat)}"


# --- the end


def _end_section(game: Game, words: ExpressionWords) -> Section | None:
    rules = game.ruleset
    lines = []
    if words.fixed_value(rules.out_when) is None:
        out = f"You are out when {words.condition_clause(rules.out_when)}."
        that = f"A player is out when {replace(words, you='that player').condition_clause(rules.out_when)}."
        lines.append(out if rules.seats[1] == 1 else that)
    if words.fixed_value(rules.end_when) is None:
        over = words.condition_clause(rules.end_when)
        over = f"`{one_line(str(rules.data['end_when']))}`" if "`" in over else over
        lines.append(f"The game is over when {over}.")
    if rules.at_end:
        lines.append(f"Then {'; '.join(effect_sentences(words, rules.at_end))}.")
    return Section("The end", " ".join(lines)) if lines else None


def _payoff_section(game: Game, words: ExpressionWords) -> Section | None:
    if not game.ruleset.has_payoffs:
        return None
    each = words if game.ruleset.seats[1] == 1 else replace(words, you="a player")
    items = tuple(
        RuleLine(plain_name(name), "", _payoff_words(each, payoff)) for name, payoff in game.ruleset.payoffs.items()
    )
    several = "The game can be played for any of these; the first is the usual one." if len(items) > 1 else ""
    return Section("What is won", several, items)


def _payoff_words(words: ExpressionWords, payoff: Payoff) -> str:
    what = words.noun_words(payoff.value)
    if "`" in what:
        spec = words.game.ruleset.data["payoffs"][payoff.name]
        what = f"`{one_line(str(spec['value'] if isinstance(spec, dict) else spec))}`"
    elif payoff.is_share:
        most = words.noun_words(payoff.value.args[0]).removeprefix(f"{words.your} ")
        return f"The win goes to whoever has the greatest {most}; those who tie share it."
    who = "You get" if words.you == "you" else "A player gets"
    return f"{who} {what.replace('a player’s ', 'their ')}." + (" Less is better." if payoff.goal == "min" else "")


def _parameter_section(game: Game) -> Section | None:
    rules = game.ruleset
    items = [_parameter_line(parameter, game.parameters[name]) for name, parameter in rules.parameters.items()]
    items += [
        RuleLine(
            each.name.replace("-", " "),
            "",
            f"{sentence(each.about)} {sentence(_parameter_values_words(rules, each.values))}".strip(),
        )
        for each in rules.variants.values()
    ]
    limits = " ".join(sentence(requirement.error_text) for requirement in rules.requirements)
    return Section("What a table may change", limits, tuple(items)) if items or limits else None


def _parameter_line(parameter: Parameter, value: object) -> RuleLine:
    allowed = ""
    if parameter.one_of:
        allowed = f"; it may be {joined([parameter.value_in_words(value) for value in parameter.one_of], 'or')}"
    elif parameter.least is not None and parameter.most is not None:
        allowed = (
            f"; it may be {parameter.least * parameter.display_factor:,} to {parameter.value_in_words(parameter.most)}"
        )
    here = sentence(f"Here {parameter.value_in_words(value)}{allowed}")
    return RuleLine(plain_name(parameter.name), "", f"{sentence(parameter.about)} {here}".strip())


def _parameter_values_words(rules: Ruleset, values: Mapping[str, object]) -> str:
    told = [
        f"{plain_name(name)} to {rules.parameters[name].value_in_words(value) if name in rules.parameters else value}"
        for name, value in values.items()
    ]
    return "this sets " + joined(told)


def filled_wording(
    wording: Wording, game: Game, number_text: Callable[[SolvedNumber], str | None] = lambda _: None
) -> str | None:
    """Return a wording with its placeholders filled in for a game; None if a placeholder has no text.

    ``number_text``: returns the text of a number of the solution, or None if there is no such number.
    """
    parts = [_wording_part_text(part, game, number_text) for part in wording.parts]
    return None if None in parts else "".join(map(str, parts)).strip()


def _wording_part_text(
    part: str | ComputedValue | PrintedDefinition | SolvedNumber,
    game: Game,
    number_text: Callable[[SolvedNumber], str | None],
) -> str | None:
    match part:
        case str():
            return part
        case ComputedValue(tree):
            value = compiled_function(tree)(game.context(game.start))
            shown = f"{value:,}" if isinstance(value, int) else plain_name(game.value_text(value))
            return number_with_unit(shown.replace("-", "−"), value, part.unit_forms)
        case PrintedDefinition(name):
            return _board_text(name, game)
        case SolvedNumber():
            return number_text(part)


def _board_text(name: str, game: Game) -> str:
    """Return a die as its faces, a map as pairs, and a list as its items."""
    if name in game.dice:
        die = game.dice[name]
        faces = Counter[str]()
        for face, weight in zip(die.faces, die.weights, strict=True):
            faces[game.face_name(die.kind, face)] += weight
        return joined(
            [f"{face} ({_TIMES.get(ways, f'{ways} times')})" if ways > 1 else face for face, ways in faces.items()]
        )
    if name in game.ruleset.maps:
        return joined(
            [f"{game.value_text(key)} to {game.value_text(value)}" for key, value in game.static_values[name].items()]
        )
    return joined([game.value_text(item) for item in game.static_values[name]])
