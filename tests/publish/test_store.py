"""Answers that are kept: used where nothing they follow from has changed, made again where anything has."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import pickle
import re
import zlib
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from oddsmith.base.errors import MissingAnswerPartError, OddsmithError, UnwritableError
from oddsmith.base.files import KEY_BYTES, Folder, user_key
from oddsmith.base.location import Source
from oddsmith.publish.site import publish, site_pages
from oddsmith.report.answers import accounts as plan
from oddsmith.report.answers import answers, secret, solving
from oddsmith.report.answers.names import store_key
from oddsmith.report.answers.packing import pack_answer, plain_form, plain_form_of_part, unpack_answer
from oddsmith.report.answers.store import SEAL_BYTES, Store
from oddsmith.report.facts import claims
from oddsmith.ruleset.model.editions import Setting
from oddsmith.ruleset.model.ruleset import Ruleset
from oddsmith.ruleset.reading.build import load_ruleset, read_ruleset
from oddsmith.solve.arenas import tracing
from oddsmith.solve.staged.store import Bytes
from tests.cases import RULESETS

SAMPLES = Path(__file__).parents[1] / "samples"
SECRET = b"a key of 32 bytes for these tests"
STORED = {name for name, part in vars(answers.Answer).items() if isinstance(part, answers.StoredPart)}
TEXT = (SAMPLES / "piglet.yaml").read_text(encoding="utf-8")


@dataclass
class Memory:
    """A shelf that counts."""

    kept: dict[str, bytes] = field(default_factory=dict)
    written: int = 0

    def memory_map(self, name: str) -> bytes | None:
        return self.kept.get(name)

    def put(self, name: str, *parts: Bytes) -> None:
        self.kept[name] = b"".join(parts)
        self.written += 1


def ruleset(text: str = TEXT) -> Ruleset:
    return read_ruleset(Source("piglet.yaml", text))[0]


def test_pages_from_the_store_are_those_from_solving() -> None:
    shelf = Memory()
    fresh = publish([ruleset()])
    first = publish([ruleset()], answers=Store(shelf, SECRET))
    made = shelf.written
    assert publish([ruleset()], answers=Store(shelf, SECRET)) == first == fresh
    assert shelf.written == made > 0


def hidden() -> Ruleset:
    """Liar's Dice for dice of two sides, with one claim, about the game as written."""
    text = (RULESETS / "liars-dice.yaml").read_text("utf-8").replace("sides: {default: 6", "sides: {default: 2")
    claim = 'claims:\n  - {quote: So much., ask: {mean: "share(0 if seat == loser else 1)", at: end}, published: 0.4}\n'
    few = f"{claim}publish:\n  seats: [2]\n  parameters:\n    wild: [true]\n"
    text = re.sub(r"^claims:.*\Z", few, text, flags=re.DOTALL | re.MULTILINE)
    return read_ruleset(Source("liars-dice.yaml", text))[0]


def test_a_game_with_secrets_is_kept_with_its_claims_and_solved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    shelf, rules = Memory(), hidden()
    fresh = publish([rules])
    first = plan.answers_of(rules, store=Store(shelf, SECRET))
    assert (len(first.secrets), shelf.written) == (2, 2)
    assert [each.number for each in first.verdicts] == [first.secrets[0].values[0]]

    def refuse(*_: Any, **__: Any) -> Any:
        raise AssertionError("nothing is left to solve")

    for module in (secret, claims):
        monkeypatch.setattr(module, "solve_secrets", refuse)
    assert publish([rules], answers=Store(shelf, SECRET)) == fresh
    assert plan.answers_of(rules, store=Store(shelf, SECRET)).verdicts == first.verdicts
    [name, *_] = shelf.kept
    shelf.kept[name] = shelf.kept[name][:-1] + b"?"
    with pytest.raises(AssertionError, match="nothing is left"):
        plan.answers_of(rules, store=Store(shelf, SECRET))


def test_what_hides_too_much_is_kept_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    shelf, rules = Memory(), hidden()
    three = replace(rules.edition.main_setting, seats=3)
    first = Store(shelf, SECRET).secret_answer_or_solve(rules, three)
    monkeypatch.setattr(secret, "solve_secrets", None)
    kept = Store(shelf, SECRET).secret_answer_or_solve(rules, three)
    assert isinstance(first, answers.Answer)
    assert isinstance(kept, answers.Answer)
    assert (kept.failure, kept.too_large, kept.unsolvable) == (first.failure, True, first.unsolvable)


@pytest.mark.parametrize(
    "path", [SAMPLES / "piglet.yaml", SAMPLES.parent / "publish" / "alone.yaml"], ids=lambda path: path.stem
)
def test_pages_work_nothing_out_that_a_store_does_not_keep(path: str) -> None:
    shelf, rules = Memory(), load_ruleset(SAMPLES.parent / path)[0]
    plan.answers_of(rules, store=Store(shelf, SECRET))
    kept = plan.answers_of(rules, store=Store(shelf, SECRET))
    before = [STORED & set(vars(each)) for each in kept.answers]
    site_pages([kept], {})
    assert [STORED & set(vars(each)) for each in kept.answers] == before
    assert {"strategies", "roll_or_stop_rules", "chance_tables"} <= before[0]


def test_every_part_is_plain_data_that_reads_back_as_it_was() -> None:
    for path in (SAMPLES / "piglet.yaml", SAMPLES / "craps.yaml", SAMPLES / "hot-purse.yaml"):
        rules = load_ruleset(path)[0]
        fresh = solving.solved_answer(rules, rules.edition.main_setting)
        fresh.compute_all_parts()
        data = pack_answer(fresh)
        kept = unpack_answer(data, rules, rules.edition.main_setting)
        assert pack_answer(kept) == data
        assert STORED - set(fresh.computed_part_names) == {"cheats"} - rules.data.keys()
        for name in fresh.computed_part_names:
            written = plain_form_of_part(name).write(getattr(fresh, name))
            assert json.loads(json.dumps(written)) == written == plain_form_of_part(name).write(vars(kept)[name])
        with pytest.raises(MissingAnswerPartError):
            replace(kept, failure="").key_facts  # noqa: B018 - without its parts


def test_the_shape_of_an_answer_names_its_fields_and_no_class() -> None:
    """Classes may be renamed, and answers that ship are believed as before."""

    @dataclass(frozen=True)
    class One:
        count: int
        name: str

    @dataclass(frozen=True)
    class Two:
        count: int
        name: str

    assert plain_form(One).shape == plain_form(Two).shape
    assert "count" in plain_form(One).shape
    assert plain_form(One).write(One(3, "three")) == [3, "three"]


def test_whatever_an_answer_works_out_once_is_kept() -> None:
    """But for what other parts rest on, which nobody asks of an answer that was kept, and for parts in other words."""
    once = {name: part for name, part in vars(answers.Answer).items() if isinstance(part, cached_property)}
    assert {name for name, part in once.items() if not isinstance(part, answers.StoredPart)} == {
        "_solved_strategies",
        "_other_payoff_evaluators",
        "option_words",
        "short_lists_in_words",
        "shown_rule_comparison",
        "shown_strategies",
    }


def test_words_may_change_without_solving_again() -> None:
    shelf = Memory()
    publish([ruleset()], answers=Store(shelf, SECRET))
    made = shelf.written
    told = ruleset(TEXT + "prose: A game for two purses.\n")
    page = publish([told], answers=Store(shelf, SECRET))["games/piglet.md"].decode()
    assert "A game for two purses." in page
    assert shelf.written == made


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("when: stash > 0 or may_wait", "when: stash > 1 or may_wait"),
        ("{chance: [toss, Head], in: turn}\n  Tails", "{spread: turns}\n  Tails"),
        ("\nphases:", "\nphases: # not a rule"),
    ],
)
def test_a_key_follows_the_rules_and_the_questions(old: str, new: str) -> None:
    setting = Setting(2, "win")
    changed = TEXT.replace(old, new)
    assert changed != TEXT
    same = store_key(ruleset(), setting) == store_key(ruleset(changed), setting)
    assert same == ("not a rule" in new)


def test_settings_have_keys_of_their_own() -> None:
    rules = ruleset()
    settings = [each for part in plan.settings_to_solve(rules, True) for each in part]
    assert len({store_key(rules, each) for each in settings}) == len(settings)


def spoilt(kept: bytes) -> dict[str, bytes]:
    """What a store could hold in place of an answer."""
    return {
        "nothing": b"",
        "the beginning": kept[:-7],
        "something else": b"x" * 400,
        "an answer without its seal": kept[SEAL_BYTES:],
        "an answer with a bit turned": kept[:-1] + bytes([kept[-1] ^ 1]),
        "an answer with another seal": bytes(SEAL_BYTES) + kept[SEAL_BYTES:],
    }


@pytest.mark.parametrize("what", spoilt(b"?" * 40))
def test_what_has_no_right_seal_is_made_again(what: str) -> None:
    shelf, rules = Memory(), ruleset()
    setting = rules.edition.main_setting
    first = Store(shelf, SECRET).answer_or_solve(rules, setting)
    [(name, kept)] = shelf.kept.items()
    shelf.kept[name] = spoilt(kept)[what]
    assert not Store(shelf, SECRET).has_answer(rules, setting)
    assert Store(shelf, SECRET).answer_or_solve(rules, setting).values == first.values
    assert Store(shelf, SECRET).has_answer(rules, setting)


class Trap:
    """Runs code where it is unpickled: it makes a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (self.folder,)


def test_what_another_planted_is_never_opened(tmp_path: Path) -> None:
    shelf, rules = Memory(), ruleset()
    setting = rules.edition.main_setting
    sprung = tmp_path / "sprung"
    planted = zlib.compress(pickle.dumps(Trap(sprung)))
    pickle.loads(zlib.decompress(planted))  # noqa: S301 - the trap works
    sprung.rmdir()
    name = store_key(rules, setting)
    seals = [b"", hmac.digest(b"a key of another", name.encode() + planted, "sha256"), hashlib.sha256(planted).digest()]
    for seal in seals:
        shelf.kept[name] = seal + planted
        Store(shelf, SECRET).answer_or_solve(rules, setting)
        assert not sprung.exists()


def test_an_answer_counts_under_its_own_name_and_key_only() -> None:
    shelf, rules = Memory(), ruleset()
    two, three = (Setting(2, "win", values={"target": goal}) for goal in (2, 3))
    Store(shelf, SECRET).answer_or_solve(rules, two)
    [kept] = shelf.kept.values()
    shelf.kept[store_key(rules, three)] = kept
    assert not Store(shelf, SECRET).has_answer(rules, three)
    assert not Store(shelf, b"a key of another").has_answer(rules, two)
    assert Store(shelf, SECRET).answer_or_solve(rules, three).setting == three


def test_a_game_without_an_answer_is_kept_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tracing, "MAX_UNKNOWNS", 10)  # so that the only equilibrium, which mixes, is not found
    monkeypatch.setattr(tracing, "MAX_TOGETHER", 1)
    shelf, rules = Memory(), load_ruleset(SAMPLES / "hot-purse.yaml")[0]
    setting = Setting(3, "coins", values={"coins_each": 2})
    for _ in range(2):
        answer = Store(shelf, SECRET).answer_or_solve(rules, setting)
        with pytest.raises(OddsmithError, match="best responses cycle"):
            _ = answer.values
    assert shelf.written == 1


def test_a_folder_keeps_whole_files(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "store")
    assert folder.get("abcd") is None
    folder.put("abcd", b"one")
    folder.put("abcd", b"two")
    assert folder.get("abcd") == folder.memory_map("abcd") == b"two"
    folder.put("abcd", b"th", memoryview(b"ree"))
    assert folder.memory_map("abcd") == b"three"
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["abcd"]


def test_a_folder_follows_no_link_and_waits_for_nothing(tmp_path: Path) -> None:
    folder, elsewhere = Folder(tmp_path), tmp_path / "elsewhere"
    elsewhere.write_bytes(b"of another")
    (tmp_path / "abcd").symlink_to(elsewhere)
    assert folder.get("abcd") is None
    folder.put("abcd", b"mine")
    assert (folder.get("abcd"), elsewhere.read_bytes()) == (b"mine", b"of another")
    os.mkfifo(tmp_path / "pipe")
    assert folder.get("pipe") is None
    (tmp_path / "folder").mkdir()
    assert folder.get("folder") is None
    assert [folder.memory_map(name) for name in ("folder", "pipe", "none")] == [None] * 3


def test_pages_stay_as_they_were_read_and_what_others_could_change_is_no_page(tmp_path: Path) -> None:
    folder, path = Folder(tmp_path), tmp_path / "abcd"
    folder.put("abcd", b"one")
    path.chmod(0o600)
    before = folder.memory_map("abcd")
    folder.put("abcd", b"two")
    assert (before, folder.memory_map("abcd")) == (b"one", b"two")
    assert isinstance(before, memoryview)
    assert before.readonly
    path.chmod(0o622)
    assert isinstance(folder.memory_map("abcd"), bytes)
    path.write_bytes(b"")
    assert folder.memory_map("abcd") == b""


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the key of answers will be."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "oddsmith" / "store.key"


def test_the_key_is_made_once_for_its_owner_only(state: Path) -> None:
    made = user_key()
    assert len(made) == KEY_BYTES
    assert user_key() == made == state.read_bytes()
    assert state.stat().st_mode & 0o777 == 0o600
    assert state.parent.stat().st_mode & 0o777 == 0o700
    assert [path.name for path in state.parent.iterdir()] == [state.name]


def test_of_those_who_make_the_key_at_once_one_is_the_first(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    others = b"that of the other process, first"
    link = os.link

    def late(one: Path, other: Path) -> None:
        other.write_bytes(others)
        other.chmod(0o600)
        link(one, other)

    monkeypatch.setattr(os, "link", late)
    assert user_key() == others


@pytest.mark.parametrize("how", ["readable", "short", "link", "folder", "of another"])
def test_a_key_that_others_may_know_is_refused(state: Path, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = user_key()
    if how == "readable":
        state.chmod(0o640)
    elif how == "short":
        state.write_bytes(made[1:])
    elif how == "of another":
        monkeypatch.setattr(os, "getuid", lambda: state.stat().st_uid + 1)
    else:
        state.unlink()
        state.mkdir() if how == "folder" else state.symlink_to(tmp_file(state, made))
    with pytest.raises(UnwritableError, match="remove it"):
        user_key()


def tmp_file(state: Path, data: bytes) -> Path:
    """The same key at another place."""
    path = state.with_name("copy")
    path.write_bytes(data)
    path.chmod(0o600)
    return path


def test_where_no_key_can_be_kept_a_folder_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    with pytest.raises(UnwritableError, match="XDG_STATE_HOME"):
        user_key()
