"""Transcripts: every roll and every choice of one game as JSON, and the verification of a transcript with ``Rules``.

docs/reference/transcripts.md defines the format. A transcript may come from an untrusted source, so its size is
bounded, unknown keys are refused, and an error names the place of the mistake.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from oddsmith.base.dice import Hand
from oddsmith.base.errors import PlayError, SettingError, TranscriptError, did_you_mean
from oddsmith.base.exact import fraction_text
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.bundle import sha256
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.model.editions import Setting
from oddsmith.ruleset.model.phases import RollOrDraw, SimultaneousPhase
from oddsmith.ruleset.model.ruleset import Ruleset
from oddsmith.ruleset.play import PlayedMove
from oddsmith.ruleset.rules import Action, ChanceResult, Rules, State

FORMAT = 1
MAX_BYTES = 8_000_000
MAX_ENTRIES = 100_000
MAX_SHOWN = 6  # legal options that a refusal lists
_KEYS = {"transcript", "game", "rules", "seats", "parameters", "log", "payoffs"}


@dataclass(frozen=True, slots=True)
class LogLine:
    """One entry of the log, with values as they are in JSON. ``seat``: the number of a seat, from 1.

    ``rolled_values``: the names of rolls and draws with their values; None for a choice. ``option_name``, ``binding``:
    the option chosen, and the values of its loop names.
    """

    seat: int
    rolled_values: tuple[tuple[str, Any], ...] | None
    option_name: str = ""
    binding: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TranscriptRecord:
    """A transcript whose keys and types are right. ``game_id``: the id of the ruleset. ``rules_hash``: the hash of the
    rules.

    ``payoffs``: the payoffs by objective; None if the game did not end. ``player_names``: the names of the players, or
    empty.
    """

    game_id: str
    rules_hash: str
    seats: int
    parameters: Mapping[str, Any]
    log: tuple[LogLine, ...]
    payoffs: Mapping[str, Any] | None
    player_names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class VerificationResult:
    """The result of a verification. ``entry_count``: the number of entries. ``state``: the position after the last
    entry.

    ``payoffs``: by objective, the payoff of each seat; None if the game is not over.
    """

    entry_count: int
    state: State
    payoffs: Mapping[str, tuple[Fraction, ...]] | None


# --- writing


class TranscriptWriter:
    """Writes a transcript of one game, move by move."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self.log = rules, list[dict[str, Any]]()

    def add(self, move: PlayedMove) -> None:
        """Add the entries of a move to the log."""
        if move.chance_result is not None:
            self.add_chance_result(move.state, move.chance_result)
        if move.action is not None:
            self.add_choice(move.state, move.action)
        for seat, item in move.simultaneous_choices:
            self.add_simultaneous_choice(move.state, seat, item)

    def add_chance_result(self, state: State, chance_result: ChanceResult) -> None:
        """Add a result of chance to the log. ``state``: the position before it."""
        values = [[name, value_data(self.rules.game, value)] for name, value in chance_result.values]
        self.log.append({"seat": state.mover + 1, "throw": values})

    def add_choice(self, state: State, action: Action) -> None:
        """Add an action to the log. ``state``: the position in which the mover chose it."""
        binding = {name: value_data(self.rules.game, value) for name, value in action.binding}
        self.log.append({"seat": state.mover + 1, "choose": action.name, "with": binding})

    def add_simultaneous_choice(self, state: State, seat: int, item: Any) -> None:
        """Add the item of a simultaneous choice to the log. ``seat``: the seat that chose it, from 0."""
        phase = self.rules.phase(state)
        assert isinstance(phase, SimultaneousPhase)
        value = value_data(self.rules.game, item)
        self.log.append({"seat": seat + 1, "choose": phase.choice_name, "with": {phase.choice_name: value}})

    def data(self, last_position: State) -> dict[str, Any]:
        """Return the transcript as plain data. ``last_position``: the position after the last move; the game need not
        be over.
        """
        game = self.rules.game
        paid = {
            name: list(map(fraction_text, self.rules.payoffs(last_position, name))) for name in game.ruleset.payoffs
        }
        return {
            "transcript": FORMAT,
            "game": game.ruleset.id,
            "rules": sha256(game.ruleset),
            "seats": game.seats,
            "parameters": dict(game.parameters),
            "log": list(self.log),
            "payoffs": None if last_position.phase else paid,
        }


def value_data(game: Game, value: Any) -> Any:
    """Return a value of a roll, a draw or a loop name as plain data.

    A hand becomes a map whose key ``hand`` lists its dice, each as its name and face. Any other value stays unchanged.
    """
    if isinstance(value, Hand):
        names = {die.kind: name for name, die in game.dice.items()}
        return {"hand": [[names[kind], face] for face, kind in value]}
    return value


# --- reading


def read_transcript(data: bytes) -> TranscriptRecord:
    """Return a transcript that is given as JSON. Raises TranscriptError if its keys or types are wrong."""
    if len(data) > MAX_BYTES:
        raise TranscriptError("", f"a transcript has at most {MAX_BYTES:,} bytes, not {len(data):,}")
    try:
        written = json.loads(
            data,
            object_pairs_hook=_map_without_duplicate_keys,
            parse_float=_refuse_non_integer,
            parse_constant=_refuse_non_integer,
        )
    except RecursionError:
        raise TranscriptError("", "it is nested too deeply") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise TranscriptError("", f"this is not JSON: it cannot be read from {where} on") from None
    except ValueError as error:
        raise TranscriptError("", f"this JSON cannot be read: {error}") from None
    _check_keys(written, "the transcript", _KEYS, {"names"})
    if written["transcript"] != FORMAT or isinstance(written["transcript"], bool):
        raise TranscriptError("transcript", f"only format {FORMAT} is known")
    log = _require_list(written["log"], "log", MAX_ENTRIES)
    names = [
        _require_text(name, f"name {k}")
        for k, name in enumerate(_require_list(written.get("names", []), "names", 100), 1)
    ]
    if names and len(names) != written["seats"]:
        raise TranscriptError("names", "there is one name for each seat, or none")
    payoffs = written["payoffs"]
    return TranscriptRecord(
        _require_text(written["game"], "game"),
        _require_text(written["rules"], "rules"),
        _require_integer(written["seats"], "seats"),
        _require_map(written["parameters"], "parameters"),
        tuple(_read_log_line(each, f"entry {k}") for k, each in enumerate(log, 1)),
        None if payoffs is None else _require_map(payoffs, "payoffs"),
        tuple(names),
    )


def _map_without_duplicate_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice")
    return found


def _refuse_non_integer(text: str) -> Any:
    raise ValueError(f"{text} is not a whole number")


def _read_log_line(data: Any, path: str) -> LogLine:
    if isinstance(data, dict) and "throw" in data:
        _check_keys(data, path, {"seat", "throw"}, {"message"})
        thrown = _require_list(data["throw"], f"{path}, throw", MAX_ENTRIES)
        if not all(isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str) for pair in thrown):
            raise TranscriptError(f"{path}, throw", "each roll is a name and a value")
        line = LogLine(_require_integer(data["seat"], f"{path}, seat"), tuple((name, value) for name, value in thrown))
    else:
        _check_keys(data, path, {"seat", "choose"}, {"with", "message"})
        option, binding = (
            _require_text(data["choose"], f"{path}, choose"),
            _require_map(data.get("with", {}), f"{path}, with"),
        )
        line = LogLine(_require_integer(data["seat"], f"{path}, seat"), None, option, binding)
    _require_text(data.get("message", ""), f"{path}, message")
    return line


def _check_keys(data: Any, path: str, required_keys: set[str], optional_keys: set[str]) -> None:
    _require_map(data, path)
    for name in sorted(data.keys() - required_keys - optional_keys):
        raise TranscriptError(
            path, f"unknown key {_shortened_json(name)}: {did_you_mean(name, required_keys | optional_keys, 'keys')}"
        )
    for name in sorted(required_keys - data.keys()):
        raise TranscriptError(path, f"the key {name} is missing")


def _require_map(data: Any, path: str) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise TranscriptError(path, f"this is a map of names to values, not {_shortened_json(data)}")
    return data


def _require_list(data: Any, path: str, max_length: int) -> list[Any]:
    if not isinstance(data, list) or len(data) > max_length:
        raise TranscriptError(path, f"this is a list of at most {max_length:,} items")
    return data


def _require_text(data: Any, path: str) -> str:
    if not isinstance(data, str):
        raise TranscriptError(path, f"this is a text, not {_shortened_json(data)}")
    return data


def _require_integer(data: Any, path: str) -> int:
    if isinstance(data, bool) or not isinstance(data, int):
        raise TranscriptError(path, f"this is a whole number, not {_shortened_json(data)}")
    return data


def _shortened_json(data: Any) -> str:
    text = json.dumps(data, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}..."


# --- against the rules


def verify_transcript(record: TranscriptRecord, ruleset: Ruleset) -> VerificationResult:
    """Verify a transcript: replay it by the rules and return the result.

    Raises TranscriptError at the first entry that the rules do not allow, and for wrong payoffs.
    """
    rules, moves = replay_transcript(record, ruleset)
    state = moves[-1].step.state if moves else rules.start()
    return VerificationResult(len(record.log), state, _checked_payoffs(rules, state, record))


def replay_transcript(record: TranscriptRecord, ruleset: Ruleset) -> tuple[Rules, list[PlayedMove]]:
    """Replay a transcript. Return the rules, and the moves with their words.

    Raises TranscriptError at the first entry that the rules do not allow.
    """
    rules = Rules(_bind_game(record, ruleset), with_words=True)
    state = rules.start()
    moves, chosen = list[PlayedMove](), dict[int, Any]()
    for number, entry in enumerate(record.log, 1):
        place = f"entry {number}"
        if not state.phase:
            raise TranscriptError(place, "the game is over before it")
        try:
            offers = rules.choosable_items_by_seat(state) if rules.phase(state).kind == "together" else {}
            mover = list(offers)[len(chosen)] if offers else state.mover
            if entry.seat != mover + 1:
                raise TranscriptError(place, f"seat {mover + 1} is to move here, not seat {entry.seat}")
            if offers:
                chosen[mover] = _chosen_item(rules, state, offers[mover], entry, place)
                if len(chosen) == len(offers):  # the step of all of them
                    step = rules.choose_together(state, chosen)
                    moves.append(PlayedMove(state, None, None, step, tuple(chosen.items())))
                    chosen = {}
            else:
                moves.append(_replay_move(rules, state, entry, place))
        except PlayError as error:
            raise TranscriptError(place, f"a rule breaks here: {error}") from None
        state = moves[-1].step.state if moves else state
    return rules, moves


def _bind_game(record: TranscriptRecord, ruleset: Ruleset) -> Game:
    if record.game_id != ruleset.id:
        raise TranscriptError("game", f"this is a play of {_shortened_json(record.game_id)}, not of {ruleset.id}")
    if record.rules_hash != sha256(ruleset):
        raise TranscriptError("rules", f"these are not the rules of {ruleset.id}: {sha256(ruleset)}")
    for name in sorted(ruleset.parameters.keys() ^ record.parameters.keys()):
        what = "is missing" if name in ruleset.parameters else f"is no parameter of {ruleset.id}"
        raise TranscriptError("parameters", f"{name} {what}")
    try:
        ruleset.refuse_disallowed_seat_count(record.seats)
        return bind(ruleset, Setting(record.seats, values=record.parameters))
    except SettingError as error:
        raise TranscriptError("seats and parameters", str(error)) from None


def _replay_move(rules: Rules, state: State, log_line: LogLine, path: str) -> PlayedMove:
    if rules.phase(state).kind == "choose":
        action = _find_legal_action(rules, state, log_line, path)
        return PlayedMove(state, None, action, rules.choose(state, action))
    if log_line.rolled_values is None:
        raise TranscriptError(path, f"in {state.phase} there must be a roll here, not a choice")
    due, given = (
        [throw.name for throw in rules.phase(state).rolls_and_draws],
        [name for name, _ in log_line.rolled_values],
    )
    if due != given:
        raise TranscriptError(path, f"this rolls {_joined_names(due)}, not {_joined_names(given)}")
    thrown = rules.pick_chance_result(state, _picker_of_logged_results(rules.game, dict(log_line.rolled_values), path))
    return PlayedMove(state, thrown, None, rules.resolve(state, thrown))


def _chosen_item(rules: Rules, state: State, offered_items: Sequence[Any], log_line: LogLine, path: str) -> Any:
    """Return the item of a simultaneous choice. Raises TranscriptError if the seat cannot choose it."""
    phase = rules.phase(state)
    assert isinstance(phase, SimultaneousPhase)
    if (
        log_line.rolled_values is not None
        or log_line.option_name != phase.choice_name
        or list(log_line.binding) != [phase.choice_name]
    ):
        raise TranscriptError(path, f"in {state.phase} there must be a choice of {phase.choice_name} here")
    item = _read_value(rules.game, log_line.binding[phase.choice_name], f"{path}, {phase.choice_name}")
    found = next((one for one in offered_items if _type_and_value(one) == _type_and_value(item)), None)
    if found is None:
        raise TranscriptError(
            path, f"{phase.choice_name} cannot be {_shortened_json(log_line.binding[phase.choice_name])} here"
        )
    return found


def _joined_names(names: Sequence[str]) -> str:
    return ", ".join(names) or "nothing"


def _picker_of_logged_results(game: Game, values: Mapping[str, Any], path: str) -> Callable[[RollOrDraw, Any], Any]:
    """Return a function that picks the value of each roll or draw that the transcript gives.

    It raises TranscriptError if the value is not possible. ``path``: the entry, for the error.
    """

    def pick_logged_value(throw: RollOrDraw, distribution: Sequence[tuple[Any, int]]) -> Any:
        value = _read_value(game, values[throw.name], f"{path}, {throw.name}")
        if not any(_type_and_value(value) == _type_and_value(possible) for possible, weight in distribution if weight):
            raise TranscriptError(path, f"{throw.name} cannot be {_shortened_json(values[throw.name])} here")
        return value

    return pick_logged_value


def _find_legal_action(rules: Rules, state: State, log_line: LogLine, path: str) -> Action:
    if log_line.rolled_values is not None:
        raise TranscriptError(path, f"in {state.phase} there must be a choice here, not a roll")
    legal = rules.actions(state)
    given = {name: _read_value(rules.game, value, f"{path}, {name}") for name, value in log_line.binding.items()}
    wanted = {name: _type_and_value(value) for name, value in given.items()}
    for action in legal:
        if (
            action.name == log_line.option_name
            and {name: _type_and_value(value) for name, value in action.binding} == wanted
        ):
            return action
    names = [_action_in_words(rules.game, action) for action in legal[:MAX_SHOWN]] + ["..."] * (len(legal) > MAX_SHOWN)
    chosen = _action_in_words(rules.game, Action(0, _shortened_json(log_line.option_name)[1:-1], tuple(given.items())))
    raise TranscriptError(path, f"{chosen} is not legal here; legal: {', '.join(names)}")


def _action_in_words(game: Game, action: Action) -> str:
    shown = ", ".join(f"{name} {game.value_text(value)}" for name, value in action.binding)
    return f"{action.name} ({shown})" if shown else action.name


def _read_value(game: Game, data: Any, path: str) -> Any:
    """Return a value from plain data that :func:`value_data` wrote. The dice of a hand may be in any order."""
    if isinstance(data, bool | int | str):
        return data
    if not isinstance(data, dict) or data.keys() != {"hand"}:
        raise TranscriptError(path, f"a value is a number, a word, true, false or a hand, not {_shortened_json(data)}")
    dice = []
    for die in _require_list(data["hand"], path, MAX_ENTRIES):
        if not isinstance(die, list) or len(die) != 2 or not isinstance(die[0], str) or die[0] not in game.dice:
            raise TranscriptError(path, f"a hand lists dice of the game with their faces, not {_shortened_json(die)}")
        dice.append((_require_integer(die[1], path), game.dice[die[0]].kind))
    return Hand(sorted(dice))


def _type_and_value(value: Any) -> tuple[type, Any]:
    """Return a pair of the type of a value and the value, because True and 1 are equal but have different types."""
    return type(value), value


def _checked_payoffs(rules: Rules, state: State, record: TranscriptRecord) -> Mapping[str, tuple[Fraction, ...]] | None:
    """Return the payoffs by objective; None if the game is not over.

    Raises TranscriptError if the transcript states other payoffs.
    """
    if state.phase:
        if record.payoffs is not None:
            raise TranscriptError("payoffs", "the game is not over, so nothing is paid yet: write null")
        return None
    if record.payoffs is None:
        raise TranscriptError("payoffs", "the game is over, so they cannot be null")
    names = list(rules.game.ruleset.payoffs)
    for name in sorted(record.payoffs.keys() ^ set(names)):
        what = "is missing" if name in names else "is no payoff of the game"
        raise TranscriptError("payoffs", f"{_shortened_json(name)} {what}")
    payoffs = {name: rules.payoffs(state, name) for name in names}
    for name, paid in payoffs.items():
        right = list(map(fraction_text, paid))
        if record.payoffs[name] != right:
            raise TranscriptError(
                "payoffs", f"{name} is {_shortened_json(right)}, not {_shortened_json(record.payoffs[name])}"
            )
    return payoffs
