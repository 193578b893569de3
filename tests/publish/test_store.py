"""Answers that are kept: used where nothing they follow from has changed, made again where anything has."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from oddsmith.errors import OddsmithError
from oddsmith.files import Folder
from oddsmith.location import Source
from oddsmith.publish import plan, publish
from oddsmith.publish.store import Store, key
from oddsmith.ruleset.build import load, read
from oddsmith.ruleset.model import Ruleset, Setting

SAMPLES = Path(__file__).parents[1] / "samples"
TEXT = (SAMPLES / "piglet.yaml").read_text(encoding="utf-8")


@dataclass
class Memory:
    """A shelf that counts."""

    kept: dict[str, bytes] = field(default_factory=dict)
    written: int = 0

    def get(self, name: str) -> bytes | None:
        return self.kept.get(name)

    def has(self, name: str) -> bool:
        return name in self.kept

    def put(self, name: str, data: bytes) -> None:
        self.kept[name] = data
        self.written += 1


def ruleset(text: str = TEXT) -> Ruleset:
    return read(Source("piglet.yaml", text))[0]


def test_pages_from_the_store_are_those_from_solving() -> None:
    shelf = Memory()
    fresh = publish([ruleset()])
    first = publish([ruleset()], answers=Store(shelf).answer)
    made = shelf.written
    assert publish([ruleset()], answers=Store(shelf).answer) == first == fresh
    assert shelf.written == made > 0


def test_words_may_change_without_solving_again() -> None:
    shelf = Memory()
    publish([ruleset()], answers=Store(shelf).answer)
    made = shelf.written
    told = ruleset(TEXT + "prose: A game for two purses.\n")
    page = publish([told], answers=Store(shelf).answer)["games/piglet.md"].decode()
    assert "A game for two purses." in page
    assert shelf.written == made


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("when: stash > 0 or may_wait", "when: stash > 1 or may_wait"),
        ("{chance: [toss, Head], in: turn}\n  Tails", "{spread: turns}\n  Tails"),
        ("\nphases:", "\nphases: # not a rule"),
    ],
)  # fmt: skip
def test_a_key_follows_the_rules_and_the_questions(old: str, new: str) -> None:
    setting = Setting(2, "win")
    changed = TEXT.replace(old, new)
    assert changed != TEXT
    same = key(ruleset(), setting) == key(ruleset(changed), setting)
    assert same == ("not a rule" in new)


def test_settings_have_keys_of_their_own() -> None:
    rules = ruleset()
    settings = [each for part in plan.settings(rules, True) for each in part]
    assert len({key(rules, each) for each in settings}) == len(settings)


def test_what_cannot_be_read_is_made_again() -> None:
    shelf, rules = Memory(), ruleset()
    setting = rules.edition.home
    first = Store(shelf).answer(rules, setting)
    [name] = shelf.kept
    for spoilt in (b"", shelf.kept[name][:-7], b"x" * 40):
        shelf.kept[name] = spoilt
        assert Store(shelf).answer(rules, setting).solved().values == first.solved().values
        assert shelf.kept[name] != spoilt


def test_a_game_without_an_answer_is_kept_with_its_reason() -> None:
    shelf, rules = Memory(), load(SAMPLES / "hot-purse.yaml")[0]
    setting = Setting(3, "coins", values=(("coins_each", 2),))  # nobody has found an equilibrium of it
    for _ in range(2):
        answer = Store(shelf).answer(rules, setting)
        with pytest.raises(OddsmithError, match="best responses cycle"):
            answer.solved()
    assert shelf.written == 1


def test_a_folder_keeps_whole_files(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "store")
    assert folder.get("abcd") is None
    assert not folder.has("abcd")
    folder.put("abcd", b"one")
    folder.put("abcd", b"two")
    assert folder.get("abcd") == b"two"
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["cd"]
