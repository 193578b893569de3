"""Packs: an independent reader, LevelDB itself and Foundry's own tool find in them what was put in, and nothing broken."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from oddsmith.base.files import write_folder_files
from oddsmith.ruleset.roll_tables import BoundTableRow
from oddsmith.tabletops.foundry.documents import (
    JournalPage,
    Macro,
    Pack,
    document_id,
    journal_document,
    macro_document,
    pack_database_files,
    pack_source_files,
    roll_table_document,
    without_enrichers,
)
from oddsmith.tabletops.foundry.leveldb import database_files
from oddsmith.tabletops.roll_tables import RollTable
from tests.foundry.official import by_key, official
from tests.foundry.reader import Broken, crc32c, read

HOSTILE = "<script>alert(1)</script> [[1d6]] @UUID[Actor.x]{me} &Reference[prone]"

LINES = (BoundTableRow(1, 15, "Doubles", 15), BoundTableRow(16, 36, HOSTILE, 21))
PACKS = [
    Pack("rules", "Rules", "JournalEntry", tuple(
        journal_document("tavern", game, f"Game {game}", [
            JournalPage("play", "How to play", "<p>Throw.</p>" * size),
            JournalPage("odds", "Odds, exactly", "<p>7/36, naïve</p>"),
        ])
        for game, size in (("pig", 1), ("crown", 900), ("last", 3))
    )),
    Pack("tables", "Tables", "RollTable", (
        roll_table_document("tavern", "pig", RollTable("throw", "A throw", HOSTILE, "1d36", LINES)),
    )),
    Pack("macros", "Macros", "Macro", (macro_document("tavern", Macro("open", "Open", "open()", "icons/svg/book.svg")),)),
]  # fmt: skip


def of(pack: Pack) -> dict[str, Any]:
    return {key: json.loads(value) for key, value in read(pack_database_files(pack)).items()}


# --- the database


def records(count: int, size: int, seed: int = 7) -> dict[str, bytes]:
    chance = random.Random(seed)  # noqa: S311 - repeated by its seed
    return {
        f"!journal.pages!{chance.randrange(10**4):04}.{at}": chance.randbytes(chance.randrange(size + 1))
        for at in range(count)
    }


@pytest.mark.parametrize(
    ("count", "size"), [(1, 0), (1, 100_000), (2, 10), (16, 5), (17, 5), (33, 5), (500, 300), (40, 9_000)]
)
def test_what_goes_in_comes_out(count: int, size: int) -> None:
    put = records(count, size)
    assert read(database_files(put)) == put


def test_keys_of_other_alphabets_are_in_the_order_of_their_bytes() -> None:
    put = {key: key.encode() for key in ("z", "é", "𝄞", "ﬀ", "a", "aa", "a!")}
    assert read(database_files(put)) == put


def test_the_checksum_is_castagnoli_s() -> None:
    assert crc32c(b"123456789") == 0xE3069283  # the check value that the catalogues of CRCs give


def test_every_flipped_byte_is_noticed() -> None:
    files = database_files(records(20, 40))
    for name in ("MANIFEST-000002", "000005.ldb"):
        for at in range(len(files[name])):
            # The foot of a table pads its two handles with bytes that nobody reads.
            flipped = bytearray(files[name])
            flipped[at] ^= 0x10
            if name == "000005.ldb" and -48 <= at - len(flipped) < -8 and files[name][at] == 0:
                continue
            with pytest.raises((Broken, IndexError, KeyError, ValueError, OverflowError)):
                read({**files, name: bytes(flipped)})


def test_leveldb_itself_finds_nothing_wrong(tmp_path: Path) -> None:
    plyvel = pytest.importorskip("plyvel", reason="its wheels are for some platforms only")
    for number, put in enumerate((records(1, 9), records(500, 300), records(40, 9_000))):
        write_folder_files(tmp_path / str(number), database_files(put))
        opened = plyvel.DB(str(tmp_path / str(number)), paranoid_checks=True)
        with opened.iterator(verify_checksums=True) as found:
            assert {key.decode(): value for key, value in found} == put
        opened.put(b"more", b"1")  # it goes on as a database of its own
        opened.close()
        again = plyvel.DB(str(tmp_path / str(number)), paranoid_checks=True)
        assert again.get(b"more") == b"1"
        again.close()


# --- documents


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.name)
def test_ids_have_their_form_and_parts_belong_to_their_documents(pack: Pack) -> None:
    found = of(pack)
    parts = {"rules": "pages", "tables": "results", "macros": ""}[pack.name]
    listed = set()
    for key, record in found.items():
        _, collection, ids = key.split("!")
        assert re.fullmatch(r"[A-Za-z0-9]{16}(\.[A-Za-z0-9]{16})?", ids)
        assert record["_id"] == ids.rpartition(".")[2]
        assert "_key" not in record
        if parts and "." not in collection:
            listed |= {f"!{collection}.{parts}!{ids}.{part}" for part in record[parts]}
    assert listed == {key for key in found if "." in key}
    assert len({record["_id"] for record in found.values()}) == len(found)


def test_ids_stay_and_differ() -> None:
    assert document_id("tavern", "journal", "pig") == "1SXKH7pDvQ4SBoJ9"
    several = {
        document_id(*words) for words in (("a", "bc", "d"), ("ab", "c", "d"), ("a", "b", "cd"), ("a", "bc", "e"))
    }
    assert len(several) == 4


def test_a_table_weighs_each_result_by_its_numbers() -> None:
    (key,) = (key for key in of(PACKS[1]) if key.startswith("!tables!"))
    found = of(PACKS[1])
    whole = found[key]
    assert whole["formula"] == "1d36"
    results = [found[f"!tables.results!{whole['_id']}.{each}"] for each in whole["results"]]
    assert [(each["range"], each["weight"]) for each in results] == [([1, 15], 15), ([16, 36], 21)]


def test_a_ruleset_s_text_is_neither_html_nor_a_mark_of_foundry_s() -> None:
    found = of(PACKS[1])
    texts = [record["description"] for record in found.values()]
    assert sum("script" in text for text in texts) == 2
    for text in texts:
        assert "<script" not in text
        for stretch in re.split(r"<[^>]*>", text):
            plain = stretch.replace("&#91;", "[").replace("&#64;", "@").replace("&#38;", "&")
            assert not re.search(r"\[\[|[@&]\w+\[", plain)
    assert without_enrichers("<p>@Oddsmith[open]</p>") == "<p>@Oddsmith[open]</p>"  # our own marks stand as they are


def test_nothing_tells_the_time() -> None:
    for pack in PACKS:
        for record in of(pack).values():
            assert record["_stats"]["createdTime"] is record["_stats"]["modifiedTime"] is None
        assert pack_database_files(pack) == pack_database_files(pack)


# --- the official tool


def test_the_official_tool_unpacks_what_we_packed(tmp_path: Path) -> None:
    found = official("extract", tmp_path, {pack.name: pack_database_files(pack) for pack in PACKS})
    assert found == {pack.name: by_key(pack_source_files(pack)) for pack in PACKS}


def test_the_official_tool_packs_our_source_to_the_same_records(tmp_path: Path) -> None:
    found = official("compile", tmp_path, {pack.name: pack_source_files(pack) for pack in PACKS})
    assert found == {pack.name: of(pack) for pack in PACKS}
