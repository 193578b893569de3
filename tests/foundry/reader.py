"""Reads a LevelDB database of one table by its format documents, with nothing of the writer: every checksum is verified."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass


class Broken(Exception):
    """The files are no database."""


def expect(fact: bool, words: str) -> None:
    if not fact:
        raise Broken(words)


def crc32c(data: bytes) -> int:
    """Castagnoli's checksum, bit by bit."""
    rest = 2**32 - 1
    for byte in data:
        rest ^= byte
        for _ in range(8):
            rest, low = divmod(rest, 2)
            rest ^= low * 0x82F63B78
    return rest ^ 2**32 - 1


def unmasked(masked: int) -> int:
    turned = (masked - 0xA282EAD8) % 2**32
    return (turned << 15 | turned >> 17) % 2**32


class Bytes:
    """A place in some bytes."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    @property
    def left(self) -> bool:
        return self.at < len(self.data)

    def take(self, size: int) -> bytes:
        expect(0 <= size <= len(self.data) - self.at, "more bytes are asked for than there are")
        self.at += size
        return self.data[self.at - size : self.at]

    def varint(self) -> int:
        number = shift = 0
        while True:
            (byte,) = self.take(1)
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return number

    def prefixed(self) -> bytes:
        return self.take(self.varint())


@dataclass(frozen=True)
class Record:
    key: bytes
    sequence: int
    kind: int
    value: bytes


@dataclass
class Edit:
    """What a manifest says."""

    comparator: bytes = b""
    log: int = -1
    before: int = -1
    following: int = -1
    sequence: int = -1
    files: tuple[tuple[int, int, int, bytes, bytes], ...] = ()


def log_records(data: bytes) -> Iterator[bytes]:
    """The records of a log file."""
    reader, record = Bytes(data), b""
    while reader.left:
        room = 32_768 - reader.at % 32_768
        if room < 7:
            reader.take(room)
            continue
        masked, size, kind = struct.unpack("<IHB", reader.take(7))
        expect(size <= room - 7, "a piece crosses the end of its block")
        piece = reader.take(size)
        expect(unmasked(masked) == crc32c(bytes([kind]) + piece), "the checksum of a piece of a log")
        expect(kind in (1, 2, 3, 4) and bool(record) == (kind in (3, 4)), "pieces out of order")
        record += piece
        if kind in (1, 4):
            yield record
            record = b""
    expect(not record, "a record that does not end")


def manifest(data: bytes) -> Edit:
    """The one edit of a fresh manifest."""
    (record,) = log_records(data)
    reader, found = Bytes(record), Edit()
    while reader.left:
        tag = reader.varint()
        if tag == 1:
            found.comparator = reader.prefixed()
        elif tag == 7:
            level, number, size = reader.varint(), reader.varint(), reader.varint()
            found.files += ((level, number, size, reader.prefixed(), reader.prefixed()),)
        else:
            names = {2: "log", 3: "following", 4: "sequence", 9: "before"}
            expect(tag in names, f"the unknown tag {tag}")
            setattr(found, names[tag], reader.varint())
    return found


def block(table: bytes, where: Bytes) -> list[tuple[bytes, bytes]]:
    """The entries of the block that a handle points to."""
    at, size = where.varint(), where.varint()
    data, kind, masked = table[at : at + size], table[at + size], *struct.unpack_from("<I", table, at + size + 1)
    expect(kind == 0, "a compressed block")
    expect(unmasked(masked) == crc32c(table[at : at + size + 1]), "the checksum of a block")
    (count,) = struct.unpack_from("<I", data, size - 4)
    restarts = struct.unpack_from(f"<{count}I", data, size - 4 - 4 * count)
    reader, key, found, starts = Bytes(data[: size - 4 - 4 * count]), b"", [], []
    while reader.left:
        start = reader.at
        shared, own, length = reader.varint(), reader.varint(), reader.varint()
        expect(shared <= len(key), "a key shares more than the last one has")
        if shared == 0:
            starts.append(start)
        key = key[:shared] + reader.take(own)
        found.append((key, reader.take(length)))
    expect(restarts[0] == 0 and (not found or set(restarts) <= set(starts)), "a restart within an entry")
    return found


def table(data: bytes) -> list[Record]:
    """The records of a table file, checked to be in order and to be where the index says."""
    expect(struct.unpack("<Q", data[-8:]) == (0xDB4775248B80FB57,), "no table")
    foot = Bytes(data[-48:-8])
    expect(block(data, foot) == [], "a filter, which nobody asked for")
    found = []
    for last, handle in block(data, foot):
        entries = block(data, Bytes(handle))
        expect(entries[-1][0] <= last, "the index ends a block too early")
        for key, value in entries:
            packed = int.from_bytes(key[-8:], "little")
            found.append(Record(key[:-8], packed >> 8, packed & 255, value))
    keys = [record.key for record in found]
    expect(keys == sorted(set(keys)), "keys out of order, or twice")
    return found


def read(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The records of a database by key."""
    edit = manifest(files[files["CURRENT"].decode().removesuffix("\n")])
    expect(edit.comparator == b"leveldb.BytewiseComparator", "another order of keys")
    ((level, number, size, first, last),) = edit.files
    data = files[f"{number:06}.ldb"]
    records = table(data)
    expect((level, size) == (0, len(data)), "the manifest's word on the table")
    expect((first[:-8], last[:-8]) == (records[0].key, records[-1].key), "the manifest's word on the keys")
    expect({record.kind for record in records} == {1}, "a deletion")
    sequences = [record.sequence for record in records]
    expect(len(set(sequences)) == len(sequences) and max(sequences) <= edit.sequence, "numbers of writes")
    expect(edit.following > max(number, edit.log), "a number that would be given twice")
    expect(files[f"{edit.log:06}.log"] == b"", "writes that are not in the table yet")
    return {record.key.decode(): record.value for record in records}
