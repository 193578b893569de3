"""Write a LevelDB database. Foundry reads compendium packs in this format.

The database has one uncompressed table, the manifest that names the table, and an empty log. It contains neither times
nor random numbers, so the same records give the same bytes. Source: ``doc/table_format.md``, ``doc/log_format.md`` and
``doc/impl.md`` of LevelDB.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping

Item = tuple[bytes, bytes]

MAGIC = 0xDB4775248B80FB57
BLOCK, RESTART = 4096, 16  # bytes of a block before it ends; items between keys that are whole
TABLE, LOG, MANIFEST = "000005.ldb", "000004.log", "MANIFEST-000002"


def database_files(records: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files of a database by name. ``records``: the records by key, at least one."""
    pairs = sorted((key.encode(), value) for key, value in records.items())
    # Behind each key stands when it was written, and that it was not a deletion: seven bytes and one.
    items = [(key + struct.pack("<Q", at << 8 | 1), value) for at, (key, value) in enumerate(pairs, 1)]
    table = _table_bytes(items)
    edit = b"".join([
        _varint_bytes(1), _length_prefixed(b"leveldb.BytewiseComparator"),
        _varint_bytes(2), _varint_bytes(4),  # the log's number
        _varint_bytes(9), _varint_bytes(0),  # the log's before that: none
        _varint_bytes(3), _varint_bytes(6),  # the next file's number
        _varint_bytes(4), _varint_bytes(len(items)),  # the last write
        _varint_bytes(7), _varint_bytes(0), _varint_bytes(5),  # a file: level, number,
        _varint_bytes(len(table)),  # size, first and last key
        _length_prefixed(items[0][0]), _length_prefixed(items[-1][0]),
    ])  # fmt: skip
    return {"CURRENT": f"{MANIFEST}\n".encode(), LOG: b"", MANIFEST: _log_file_bytes(edit), TABLE: table}


# --- the table


def _table_bytes(items: list[Item]) -> bytes:
    """Return sorted items as a table: blocks of items, an index of the blocks, and a footer with the position of the
    index.
    """
    table = bytearray()
    index = [(each[-1][0], _append_block(table, _block_bytes(each, RESTART))) for each in _item_blocks(items)]
    foot = _append_block(table, _block_bytes([], 1)) + _append_block(
        table, _block_bytes(index, 1)
    )  # the first: no filter of keys
    return bytes(table + foot.ljust(40, b"\0") + struct.pack("<Q", MAGIC))


def _item_blocks(items: list[Item]) -> Iterator[list[Item]]:
    block: list[Item] = []
    size = 0
    for item in items:
        block.append(item)
        size += len(item[0]) + len(item[1])
        if size >= BLOCK:
            yield block
            block, size = [], 0
    if block:
        yield block


def _block_bytes(items: list[Item], restart_interval: int) -> bytes:
    """Return items as a block. A key is stored without the prefix that it shares with the previous key; every
    ``restart_interval``-th key is complete.
    """
    block = bytearray()
    restarts = [0]
    before = b""
    for at, (key, value) in enumerate(items):
        if at and at % restart_interval == 0:
            restarts.append(len(block))
            before = b""
        shared = next(
            (k for k, (a, b) in enumerate(zip(before, key, strict=False)) if a != b), min(len(before), len(key))
        )
        block += (
            _varint_bytes(shared) + _varint_bytes(len(key) - shared) + _varint_bytes(len(value)) + key[shared:] + value
        )
        before = key
    return bytes(block) + struct.pack(f"<{len(restarts) + 1}I", *restarts, len(restarts))


def _append_block(table: bytearray, block: bytes) -> bytes:
    """Append a block to a table. Return the offset and the size of the block, encoded as bytes."""
    where = _varint_bytes(len(table)) + _varint_bytes(len(block))
    table += block + b"\0" + _masked_checksum(block + b"\0")  # 0: not compressed
    return where


# --- bytes


def _log_file_bytes(record: bytes) -> bytes:
    """Return a log with one record, which must fit into one block. Records here are short enough: two keys and a few
    numbers.
    """
    whole = 1  # the record is no piece of a longer one
    return _masked_checksum(bytes([whole]) + record) + struct.pack("<HB", len(record), whole) + record


def _varint_bytes(number: int) -> bytes:
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes([*found, number])


def _length_prefixed(data: bytes) -> bytes:
    return _varint_bytes(len(data)) + data


def _crc_of_byte(byte: int) -> int:
    for _ in range(8):
        byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
    return byte


_CRC_OF_BYTES = tuple(map(_crc_of_byte, range(256)))


def _masked_checksum(data: bytes) -> bytes:
    """Return the masked CRC-32C of data, as 4 bytes: the CRC is rotated, and a constant is added.

    LevelDB masks it because a CRC of data that contains CRCs is weak.
    """
    sum_ = 0xFFFFFFFF
    for byte in data:
        sum_ = _CRC_OF_BYTES[(sum_ ^ byte) & 255] ^ sum_ >> 8
    sum_ ^= 0xFFFFFFFF
    return struct.pack("<I", ((sum_ >> 15 | sum_ << 17) + 0xA282EAD8) & 0xFFFFFFFF)
