"""Options with the values of their loop names, worded for people. Every text that shows an action to a player is made
here.

A loop name runs over the instances of an option that is offered several times. Programs know an action by
``Game.called``, such as ``Set aside (aside 1 1)``. Files, commands and answers hold this form. People read ``Set aside:
1 1``. After the colon is the option's own description of its effect, if that depends only on the values; otherwise the
values themselves. A rule for a whole family of actions, ``Set aside (the total of aside as high as possible)``, is
worded in the same way.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

from oddsmith.base.dice import Hand
from oddsmith.base.exact import plain_text
from oddsmith.expr import local_names_read
from oddsmith.report.english.words import joined, plain_name, seat_name
from oddsmith.ruleset import Game, compile_words, option_in_words
from oddsmith.ruleset.model import ComputedValue, Entry

_INSIDE = r"((?:[^()]|\([^()]*\))*)"
_EXTREMES = tuple(f" as {end} as possible" for end in ("low", "high"))


@dataclass(frozen=True)
class _OptionPatterns:
    """An option that is offered several times, once for each value of its loop names.

    ``option_pattern``: a pattern that finds the option with its parentheses in a text. ``values_pattern``: a pattern
    that reads the values of the loop names in the parentheses.
    """

    phase: str
    entry: Entry
    option_pattern: re.Pattern[str]
    values_pattern: re.Pattern[str]


@dataclass(frozen=True)
class OptionWords:
    """A function that rewrites the options in a text for people.

    ``seat``: a function that names a seat. By default, seats are named as the mover sees them, counted from the mover,
    who is 0.
    """

    game: Game
    seat: Callable[[int], str] | None = None
    _worded: dict[tuple[str, str], str] = field(default_factory=dict, compare=False, repr=False)

    def __call__(self, text: str, phase: str = "") -> str:
        """Return ``text`` with every option in it rewritten for people.

        ``phase``: the phase in which the options are chosen; empty if it is not known.
        """
        if "(" not in text:
            return text
        key = (text, phase)
        if key not in self._worded:
            for option in sorted(self._options, key=lambda each: each.phase != phase):
                text = option.option_pattern.sub(partial(self._option_words, option), text)
            self._worded[key] = text
        return self._worded[key]

    def worded_each(self, texts: Iterable[str], phase: str = "") -> tuple[str, ...]:
        """Return several texts, each with every option in it rewritten for people. ``phase``: the phase in which the
        options are chosen; empty if it is not known.
        """
        return tuple(self(text, phase) for text in texts)

    @cached_property
    def _options(self) -> Sequence[_OptionPatterns]:
        """The options with loop names. Long names come first, because they may contain shorter ones."""
        phases = self.game.ruleset.phases.values()
        found = [(phase.name, entry) for phase in phases for entry in phase.entries if entry.loops]
        return [
            _OptionPatterns(
                phase,
                entry,
                re.compile(rf"(?<!\w){re.escape(entry.name)} \({_INSIDE}\)"),
                re.compile("".join(map(_loop_value_regex, (name for name, _ in entry.loops)))),
            )
            for phase, entry in sorted(found, key=lambda pair: -len(pair[1].name))
        ]

    def _option_words(self, option: _OptionPatterns, text_match: re.Match[str]) -> str:
        """Return the words for an option that was found in a text. Return it unchanged if its parentheses do not hold
        values of its loop names.
        """
        entry, inside = option.entry, text_match[1]
        if inside.endswith(_EXTREMES):
            return f"{entry.name}: {_family_value_words(entry, inside)}"
        read = option.values_pattern.fullmatch(inside)
        given = read.groups() if read else ()
        values = {name: text for (name, _), text in zip(entry.loops, given, strict=False) if text is not None}
        if not values:
            return text_match[0]
        return self._effect_words(entry, values) or self._value_words(entry, values)

    def _effect_words(self, entry: Entry, values: Mapping[str, str]) -> str:
        """Return an option with the text of its effect; empty if that text depends on the position. ``values``: the
        values of the names under the option's ``for`` key, as text.
        """
        known = dict(self._readable_values(entry, values))
        if entry.does is None or not all(_depends_only_on(part, set(known)) for part in entry.does):
            return ""
        context = self.game.context(self.game.start)
        context.local = known
        does = compile_words(entry.does, self.game, self._seat_words)(context)
        return f"{entry.name}: {does}" if does else ""

    def _value_words(self, entry: Entry, values: Mapping[str, str]) -> str:
        """Return an option in words, followed by the values of the names under its ``for`` key. The values are left out
        if the game has two seats and a value can only be the other player.
        """
        if self.game.seats == 2 and all(items.op == "others" for _, items in entry.loops):
            return entry.name
        seats = {
            name: value
            for name, value in self._readable_values(entry, values)
            if _kind_of_loop_values(entry, name) == "seat"
        }
        if len(seats) == len(values):
            return f"{entry.name}: {joined([self._seat_words(seat) for seat in seats.values()])}"
        return option_in_words(entry, {**values, **{name: self._seat_words(seat) for name, seat in seats.items()}})

    def _readable_values(self, entry: Entry, values: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
        """Yield the loop names with their values. A value is left out if it cannot be read from its text."""
        for name, text in values.items():
            value = self._value_from_text(_kind_of_loop_values(entry, name), text)
            if value is not None:
                yield name, value

    def _value_from_text(self, value_kind: str, text: str) -> Any:
        match value_kind:
            case "number":
                return int(text) if re.fullmatch(r"-?\d+", text) else None
            case "seat":
                names = [self.game.ruleset.seat_name(seat) for seat in range(self.game.seats)]
                places = names if self.game.ruleset.sides else list(map(str, range(1, self.game.seats + 1)))
                return places.index(text) if text in places else None
            case "flag":
                return {plain_text(flag): flag for flag in (False, True)}.get(text)
            case "hand":
                return self._hand_from_text(text)
            case "word":
                return text
        return None

    def _hand_from_text(self, text: str) -> Hand | None:
        """Return the hand with the faces in ``text``; None if a face is unknown.

        The text does not say which dice show the faces, so each face belongs to the first die of the game that has it.
        """
        if text == self.game.value_text(Hand()):
            return Hand()
        faces: dict[str, tuple[int, int]] = {}
        for die in self.game.dice.values():
            for face in die.faces:
                faces.setdefault(self.game.face_name(die.kind, face), (face, die.kind))
        words = text.split()
        return Hand(sorted(faces[word] for word in words)) if all(word in faces for word in words) else None

    def _seat_words(self, seat: int) -> str:
        if self.game.ruleset.sides:
            return self.game.ruleset.player_name(seat)
        return self.seat(seat) if self.seat else seat_name(seat, self.game.seats)


def _loop_value_regex(loop_name: str) -> str:
    """Return the source of a pattern for a loop name followed by its value. The pattern also matches the empty text."""
    names = "|".join(dict.fromkeys(map(re.escape, (loop_name, plain_name(loop_name)))))
    return rf"(?:(?:^|, )(?:{names}) ([^()]+?))?"


def _kind_of_loop_values(entry: Entry, loop_name: str) -> str:
    item = dict(entry.loops)[loop_name].type.item
    return item.kind if item is not None else ""


def _depends_only_on(sentence_part: str | ComputedValue, loop_names: set[str]) -> bool:
    """Whether a part of a sentence depends only on the ``loop_names`` loop names, and not on the position."""
    if isinstance(sentence_part, str):
        return True
    read = local_names_read(sentence_part.tree)
    return read is not None and read <= loop_names


def _family_value_words(entry: Entry, values_text: str) -> str:
    """Return the text after the colon for a family of actions, such as "the total as high as possible". ``values_text``: the
    text in the parentheses.

    If the option's own description has words before the value, the text begins with them.
    """
    for name, _ in entry.loops:
        rest = re.sub(rf" of (?:the )?{re.escape(plain_name(name))}\b", "", values_text)
        if rest != values_text:
            lead, *then = entry.does or ("",)
            first = then[0] if then else None
            said = isinstance(first, ComputedValue) and first.tree.op == "local" and first.tree.value == name
            return f"{lead if said else ''}{rest}"
    return values_text
