"""What is fed to the program, from files and from the command line, and which answers are faults of ours.

Whatever is wrong with the input is an ``OddsmithError`` with exit code 1 (or a usage error of the command line). Any other
exception, and exit code 3, is a fault.
"""

from __future__ import annotations

import contextlib
import io
import json
import random
import tempfile
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any
from zlib import crc32

from oddsmith.api.modules import module_files, module_scripts
from oddsmith.api.odds import roll
from oddsmith.api.positions import parse_position
from oddsmith.base.errors import OddsmithError
from oddsmith.base.limits import limited
from oddsmith.base.location import Source
from oddsmith.cli import main
from oddsmith.editor.completing import completions
from oddsmith.editor.reading import cursor_at, parse_leniently
from oddsmith.editor.showing import hover_text
from oddsmith.editor.uses import NameIndex, locations_to_rename
from oddsmith.graph.explore import Explorer
from oddsmith.graph.stategraph import StateGraph
from oddsmith.proof.rules import compare_table_with_rules, prove_table
from oddsmith.publish.site import publish
from oddsmith.report.answers.accounts import settings_to_solve
from oddsmith.report.export.certificates import certificate
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.checking.check import check_at_many_settings
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.model.ruleset import Ruleset
from oddsmith.ruleset.reading.build import load_ruleset
from oddsmith.ruleset.rules import Rules, State
from oddsmith.ruleset.transcript import TranscriptWriter, read_transcript, verify_transcript
from oddsmith.solve.game_solver import solve
from oddsmith.solve.solution import Solution
from oddsmith.tabletops.foundry.language import ENGLISH, parse_translation
from tests.fuzz.mutation import mutant, odd_data

ROOT = Path(__file__).resolve().parents[2]
BASES = sorted([*(ROOT / "rulesets").glob("*.yaml"), *(ROOT / "tests" / "samples").glob("*.yaml")])
SMALL = ("base", "column-race", "craps", "piglet", "hot-purse", "shut-the-box")
FEW = 250  # states of a game that is solved; of a larger one so many are looked at
PUBLISHED = (
    6  # of the games that are solved and certified every so many is published: that takes ten times all the rest
)
LIMITS = {
    "values": 2_000, "items": 300, "rounds": 20_000, "hands": 3_000, "kept": 1_000, "entries": 5_000, "steps": 60,
    "states": 2_000, "turns": 20,
}  # fmt: skip


@cache
def texts() -> dict[str, str]:
    """The rulesets that slips are made in, by file name."""
    return {path.stem: path.read_text(encoding="utf-8") for path in BASES}


class Fault(AssertionError):
    """The command line called an error a fault of ours."""


# --- rulesets


def ruleset(chance: random.Random) -> bytes:
    """A ruleset with slips."""
    names = list(texts())
    name = chance.choice(SMALL) if chance.random() < 0.5 else chance.choice(names)
    return mutant(texts()[name], list(texts().values()), chance)


def feed_ruleset(raw: bytes) -> str:
    """Through load, check and a part of exploring; a small game also through solve and certify, and a share of them
    through all that is written of a game: the file itself says which.

    Returns how far it came.
    """
    with tempfile.TemporaryDirectory() as folder, limited(**LIMITS):
        file = Path(folder) / "game.yaml"
        file.write_bytes(raw)
        try:
            rules, _ = load_ruleset(file)
        except OddsmithError as error:
            return _refused("load", error)
        try:
            problems = check_at_many_settings(rules)
            game = bind(rules)
            graph = _small_print(game)
        except OddsmithError as error:
            return _refused("check", error)
        if graph is None or any(problem.severity == "error" for problem in problems):
            return "check"
        try:
            return _whole(rules, game, published=crc32(raw) % PUBLISHED == 0)
        except OddsmithError as error:
            return _refused("solve", error)


def _small_print(game: Game) -> StateGraph | None:
    """The graph of a game with few states."""
    graph, whole = Explorer(game, next(iter(game.ruleset.payoffs))).explore(max_states=FEW)
    return graph if whole and graph.state_count <= FEW and len(graph.target) <= 20 * FEW else None


def _whole(rules: Ruleset, game: Game, published: bool) -> str:
    solution = solve(game)
    for state in range(min(solution.graph.state_count, 5)):
        solution.advise(state, 0)
    try:
        data = certificate(solution)
    except OddsmithError as error:
        return _refused("certify", error)
    prove_table(data)
    compare_table_with_rules(data, rules, sample_size=50)
    if not published or not all(
        _small_print(bind(rules, setting)) for part in settings_to_solve(rules, False) for setting in part
    ):
        return "certify"
    publish([rules], {}, extra_downloads=module_files)
    return "publish"


def _refused(step: str, error: OddsmithError) -> str:
    if error.exit_code != 1:
        raise error
    str(error)
    return step


# --- what is asked about a game that is solved


@cache
def solved(name: str) -> Solution:
    """A small game of the samples."""
    return solve(bind(load_ruleset(next(path for path in BASES if path.stem == name))[0]))


def state(chance: random.Random) -> bytes:
    """A game and a position with slips."""
    name = chance.choice(SMALL[1:])
    game = solved(name).graph.game
    shown = ",".join(f"{cell.name}={game.value_text(game.start[where])}" for where, cell in enumerate(game.cells))
    return name.encode() + b"\n" + mutant(f"phase={game.ruleset.first_phase_of_turn},{shown}", [shown], chance)


def feed_state(raw: bytes) -> str:
    """Through what `advise --state` asks."""
    name, _, text = raw.decode("utf-8", "replace").partition("\n")
    try:
        asked = parse_position(solved(name), text)
        solved(name).advise(asked.state_index, asked.mover)
    except OddsmithError as error:
        return _refused("state", error)
    return "answered"


_ASKED = (
    ["--policy", "1=hold"], ["--symbol", "weight=1/2..2"], ["--set", "coins=3"], ["--seats", "2"], ["--variant", "long"],
    ["--distribution", "winner seat 1 given throw/Low"], ["--turns", "3"], ["--digits", "5"], ["--objective", "win"],
    ["--break-even"], ["--json"],
)  # fmt: skip


def words(chance: random.Random) -> bytes:
    """Words of the command line with slips."""
    asked = [part for option in chance.sample(_ASKED, chance.randint(1, 3)) for part in option]
    slips = [
        mutant(part, [part], chance).decode("utf-8", "replace")
        if "-" not in part[:1] and chance.random() < 0.7
        else part
        for part in asked
    ]
    given = ["--limit", "turns=50"] if chance.random() < 0.5 else []
    return json.dumps([*given, "solve", "base", *slips]).encode()


def feed_words(raw: bytes) -> str:
    """Through the command line, as a user types it."""
    typed = [
        str(path) if word == (path := ROOT / "tests" / "samples" / "base.yaml").stem else word
        for word in json.loads(raw)
    ]
    said = io.StringIO()
    with limited(**LIMITS), contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(said):
        try:
            main(typed)
        except SystemExit as done:
            if done.code not in (0, 1, 2):
                raise Fault(said.getvalue()) from None
            return f"code {done.code}"
    raise Fault("no exit code")


_QUESTIONS = (
    "highest 2 of 4d6", "at least 10 on 3d6", "count of 6 in 5d6", "2d6 + 3 >= d20", "d6 and d8 and d10", "4d6kh3 - 2d4dl1",
    "at least 2 6s in 5d6", "max(2d20) // 2", "count(f >= 5 for f in 6d6) >= 2", "3d6 == [1, 2, 3]", "6 not in 3d6",
    "the chance of 7 or more with 2d6", "d8 if d6 == 6 else 0", "d% / 2", "has_run(4d6, 3) or all_equal(2d6)",
)  # fmt: skip


def question(chance: random.Random) -> bytes:
    """A question about a roll with slips."""
    return mutant(chance.choice(_QUESTIONS), _QUESTIONS, chance)


def feed_question(raw: bytes) -> str:
    """Through what `roll` reads."""
    try:
        with limited(hands=20_000):
            roll(raw.decode("utf-8", "replace"))
    except OddsmithError as error:
        return _refused("refused", error)
    return "answered"


# --- files that others wrote


@cache
def plays() -> list[dict[str, Any]]:
    """Plays of small games by random players, written down."""
    found = []
    for number, name in enumerate(SMALL[1:]):
        rules, chance = Rules(solved(name).graph.game), random.Random(number)  # noqa: S311 - repeated by its seed
        writer, state = TranscriptWriter(rules), rules.start()
        while state.phase and len(writer.log) < 30:
            state = _move(rules, writer, state, chance)
        found.append(writer.data(state))
    return found


def _move(rules: Rules, writer: TranscriptWriter, state: State, chance: random.Random) -> State:
    if rules.phase(state).kind == "choose":
        action = chance.choice(rules.actions(state))
        writer.add_choice(state, action)
        return rules.choose(state, action).state
    thrown = chance.choice(rules.weighted_chance_results(state)[0])[1]
    writer.add_chance_result(state, thrown)
    return rules.resolve(state, thrown).state


def transcript(chance: random.Random) -> bytes:
    """A transcript with slips, in its data or in its text."""
    play = chance.choice(plays())
    if chance.random() < 0.7:
        return json.dumps(odd_data(play, chance)).encode()
    return mutant(json.dumps(play), [json.dumps(play)], chance)


def feed_transcript(raw: bytes) -> str:
    """Through what `play --verify` does."""
    try:
        record = read_transcript(raw)
        game = next(
            (solved(name).graph.game for name in SMALL if solved(name).graph.game.ruleset.id == record.game_id), None
        )
        if game is None:
            return "unknown"
        verify_transcript(record, game.ruleset)
    except OddsmithError as error:
        return _refused("refused", error)
    return "verified"


def language(chance: random.Random) -> bytes:
    """A language file with slips."""
    english = json.loads(module_scripts()[ENGLISH])
    some = dict(chance.sample(sorted(english.items()), 12))
    if chance.random() < 0.6:
        return json.dumps(odd_data(some, chance)).encode()
    return mutant(json.dumps(some, indent=1), [json.dumps(some)], chance)


def feed_language(raw: bytes) -> str:
    """Through what `foundry --lang` reads."""
    try:
        parse_translation("de.json", raw, json.loads(module_scripts()[ENGLISH]))
    except OddsmithError as error:
        return _refused("refused", error)
    return "read"


@cache
def _certificates() -> list[tuple[str, list[str]]]:
    return [(name, certificate(solved(name)).decode().splitlines()) for name in ("piglet", "craps")]


def proof(chance: random.Random) -> bytes:
    """A certificate with slips, most of them with the right checksum."""
    name, lines = chance.choice(_certificates())
    lines = list(lines)
    where = chance.choice([0, chance.randrange(len(lines))])
    if chance.random() < 0.8:
        lines[where] = json.dumps(odd_data(json.loads(lines[where]), chance))
    else:
        lines[where] = mutant(lines[where], lines, chance).decode("utf-8", "replace")
    body = "".join(f"{line}\n" for line in lines[:-1]).encode("utf-8", "surrogatepass")
    last = json.dumps({"sha256": sha256(body).hexdigest()}) if chance.random() < 0.9 else lines[-1]
    return name.encode() + b"\n" + body + last.encode("utf-8", "surrogatepass") + b"\n"


def feed_proof(raw: bytes) -> str:
    """Through what `certify` does, with the rules and without."""
    name, _, data = raw.partition(b"\n")
    try:
        prove_table(data)
        compare_table_with_rules(data, solved(name.decode()).graph.game.ruleset, sample_size=20)
    except OddsmithError as error:
        return _refused("refused", error)
    return "accepted"


# --- what somebody types


def typed(chance: random.Random) -> bytes:
    """A ruleset with slips, perhaps without its end, and the place of the cursor."""
    raw = ruleset(chance)
    text = raw.decode("utf-8", "replace").replace("\r", "")
    text = text[: chance.randrange(1, len(text) + 1)] if text and chance.random() < 0.5 else text
    lines = text.split("\n")
    line = len(lines) - 1 if chance.random() < 0.5 else chance.randrange(len(lines))
    return f"{line} {chance.randint(0, len(lines[line]))}\n{text}".encode()


def feed_typed(raw: bytes) -> str:
    """Through everything that an editor asks at the cursor. Nothing that somebody types may be a fault."""
    place, _, text = raw.decode().partition("\n")
    line, column = map(int, place.split())
    cursor = cursor_at(Source("typed.yaml", text), line, column)
    offered = completions(cursor) if cursor else []
    index = NameIndex(parse_leniently(Source("typed.yaml", text)))
    hover_text(index, line + 1, column + 1)
    try:
        locations_to_rename(index, line + 1, column + 1, "another")
    except OddsmithError as error:
        return _refused("offered" if offered else "nothing", error)
    return "renamed"


KINDS: dict[str, tuple[Callable[[random.Random], bytes], Callable[[bytes], str]]] = {
    "ruleset": (ruleset, feed_ruleset),
    "state": (state, feed_state),
    "words": (words, feed_words),
    "question": (question, feed_question),
    "transcript": (transcript, feed_transcript),
    "language": (language, feed_language),
    "certificate": (proof, feed_proof),
    "typed": (typed, feed_typed),
}


def made(kind: str, seed: int) -> bytes:
    """The file of a seed."""
    return KINDS[kind][0](random.Random(f"{kind} {seed}"))  # noqa: S311 - repeated by its seed


def fed(kind: str, seed: int) -> str:
    """How far the file of a seed came. A fault is raised with its seed, the file kept beside for a look."""
    raw = made(kind, seed)
    try:
        return KINDS[kind][1](raw)
    except Exception as fault:
        kept = ROOT / "build" / "fuzz" / f"{kind}-{seed}"
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(raw)
        fault.add_note(f"seed {seed}: {kept.relative_to(ROOT)}; again with: python -m tests.fuzz {kind} {seed}")
        raise
