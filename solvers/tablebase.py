"""Table files: named columns, read block by block, behind a header that names the game.

Layout, all numbers little-endian:
  prefix   magic, format version, length and CRC-32 of the header
  header   JSON: game, parameters, readings, rulebook, rows, columns, key, about
  blocks   each column cut into blocks of BLOCK_BYTES (whole rows), compressed by zlib
  index    for each block: offset, stored length, plain length, CRC-32 of the stored bytes
  footer   offset, count and CRC-32 of the index, magic

Every byte belongs to exactly one of these parts and is either fixed or under a checksum.
"""

from __future__ import annotations

import errno
import itertools
import json
import mmap
import os
import struct
import zlib
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from solvers.whole_files import replacing

MAGIC = b"RCTABLE\n"
VERSION = 2
BLOCK_BYTES = 1 << 16
CACHED_BLOCKS = 64
LONGEST_KEY = 1 << 16  # bytes; a file that claims longer ones could ask for any amount of memory
PREFIX = struct.Struct("<8sIII")
ENTRY = np.dtype([("offset", "<u8"), ("stored", "<u4"), ("plain", "<u4"), ("crc", "<u4")])
FOOTER = struct.Struct("<QII8s")
KEY = "key"
DTYPES = ("|b1", "|u1", "|i1", "<u2", "<i2", "<u4", "<i4", "<u8", "<i8", "<f4", "<f8")


class TableError(Exception):
    """A table file cannot be used; the message is one sentence for the user."""


@dataclass(frozen=True)
class Header:
    """What a table is about. `rulebook` is a hash of the rules it was made under."""

    game: str
    parameters: dict[str, Any] = field(default_factory=dict)
    readings: dict[str, str] = field(default_factory=dict)
    rulebook: str = ""
    about: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class _Column:
    name: str
    dtype: str
    rows: int
    width: int  # items per row: 1, or the number of bytes of a key

    @property
    def row_bytes(self) -> int:
        return np.dtype(self.dtype).itemsize * self.width

    @property
    def block_rows(self) -> int:
        return max(1, BLOCK_BYTES // self.row_bytes)

    @property
    def blocks(self) -> int:
        return -(-self.rows // self.block_rows)

    def plain_length(self, block: int) -> int:
        rows = min(self.block_rows, self.rows - block * self.block_rows)
        return rows * self.row_bytes


# ---------------------------------------------------------------- writing


def write_table(
    path: str | os.PathLike[str],
    header: Header,
    columns: Mapping[str, NDArray[Any]],
    keys: Sequence[bytes] | NDArray[np.uint8] | None = None,
    *,
    level: int = 6,
) -> None:
    """Write a table whole or not at all. `keys`, strictly rising, let `Table.find` find rows.

    An array of keys has one row of bytes for each. `level` is zlib's: how hard to compress, from 1 to 9.
    """
    target = Path(path)
    arrays = {name: _storable(name, column) for name, column in columns.items()}
    padded = False
    if keys is not None:
        if KEY in arrays:
            raise TableError(f'a column of {target} is called "{KEY}", which is kept for the keys')
        arrays = {KEY: _key_column(target, keys), **arrays}
        padded = not isinstance(keys, np.ndarray) and len({len(key) for key in keys}) > 1
    layout = [_Column(n, a.dtype.str, len(a), a.shape[1] if a.ndim == 2 else 1) for n, a in arrays.items()]
    text = {**asdict(header), "columns": [asdict(column) for column in layout], "padded": padded}
    try:
        with replacing(target) as out:
            _write_parts(out, json.dumps(text, sort_keys=True).encode(), layout, arrays, level)
    except OSError as error:
        raise TableError(f"cannot write {target}: {reason_of(error)}") from error


def reason_of(error: OSError) -> str:
    """The reason, to end a sentence with."""
    return "no space is left" if error.errno == errno.ENOSPC else (error.strerror or str(error)).lower()


def _storable(name: str, column: NDArray[Any]) -> NDArray[Any]:
    array = np.ascontiguousarray(column)
    array = array.astype(array.dtype.newbyteorder("<"), copy=False)
    if array.ndim != 1 or array.dtype.str not in DTYPES:
        raise TableError(f"column {name} is not a flat array of plain numbers")
    return array


def _key_column(target: Path, keys: Sequence[bytes] | NDArray[np.uint8]) -> NDArray[np.uint8]:
    if isinstance(keys, np.ndarray):
        texts = np.ascontiguousarray(keys).view(f"S{keys.shape[1]}")[:, 0]
        if not (texts[:-1] < texts[1:]).all():
            raise TableError(f"the keys of {target} do not rise strictly")
        return keys
    width = max((len(key) for key in keys), default=1)
    if width > LONGEST_KEY:
        raise TableError(f"a key of {target} has {width:,} bytes, more than {LONGEST_KEY:,}")
    if any(a >= b for a, b in itertools.pairwise(keys)):
        raise TableError(f"the keys of {target} do not rise strictly")
    if width == 0 or any(len(key) < width and key.endswith(b"\0") for key in keys):
        raise TableError(f"a key of {target} is empty or ends in a zero byte, which padding would hide")
    packed = b"".join(key.ljust(width, b"\0") for key in keys)
    return np.frombuffer(packed, dtype=np.uint8).reshape(len(keys), width)


def _write_parts(
    out: BinaryIO, text: bytes, layout: list[_Column], arrays: dict[str, NDArray[Any]], level: int
) -> None:
    out.write(PREFIX.pack(MAGIC, VERSION, len(text), zlib.crc32(text)))
    out.write(text)
    index: list[tuple[int, int, int, int]] = []
    for column in layout:
        rows = arrays[column.name]
        for block in range(column.blocks):
            plain = rows[block * column.block_rows : (block + 1) * column.block_rows].tobytes()
            stored = zlib.compress(plain, level)
            index.append((out.tell(), len(stored), len(plain), zlib.crc32(stored)))
            out.write(stored)
    offset = out.tell()
    packed = np.array(index, dtype=ENTRY).tobytes()
    out.write(packed)
    out.write(FOOTER.pack(offset, len(index), zlib.crc32(packed), MAGIC))


# ---------------------------------------------------------------- reading


def open_table(
    path: str | os.PathLike[str],
    *,
    game: str | None = None,
    parameters: Mapping[str, Any] | None = None,
    readings: Mapping[str, str] | None = None,
    rulebook: str | None = None,
) -> Table:
    """Open a table and check its frame; blocks are read, and checked, when they are asked for.

    The arguments besides the path must match the table's header.
    """
    table = Table(Path(path))
    wanted = {"game": game, "parameters": parameters, "readings": readings, "rulebook": rulebook}
    for name, value in wanted.items():
        stated = getattr(table.header, name)
        if value is not None and stated != value:
            table.close()
            raise TableError(f"{path} is a table for {name} {stated!r}, but {value!r} was expected")
    return table


class Table:
    """An open table. Use it in a `with` statement, or call `close`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._cache: OrderedDict[int, bytes] = OrderedDict()
        try:
            self._file = open(path, "rb")  # noqa: SIM115 - the table is itself a context manager
        except OSError as error:
            raise TableError(f"cannot open {path}: {reason_of(error)}") from error
        self._map: mmap.mmap | bytes = b""
        try:
            self._read_frame()
        except TableError:
            self.close()
            raise

    def close(self) -> None:
        if isinstance(self._map, mmap.mmap):
            self._map.close()
        self._file.close()

    def __enter__(self) -> Table:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def columns(self) -> list[str]:
        """Names of the columns, without the keys."""
        return [name for name in self._columns if name != KEY]

    @property
    def has_keys(self) -> bool:
        return KEY in self._columns

    def __len__(self) -> int:
        """Rows of the key column, or of the longest column if there are no keys."""
        if self.has_keys:
            return self._columns[KEY].rows
        return max((column.rows for column in self._columns.values()), default=0)

    def column(self, name: str) -> NDArray[Any]:
        """A whole column, in memory."""
        column = self._named(name)
        whole = np.empty(column.rows * column.width, dtype=column.dtype)
        for block in range(column.blocks):
            at = block * column.block_rows * column.width
            part = np.frombuffer(self._block(column, block), dtype=column.dtype)
            whole[at : at + len(part)] = part
        return whole

    def rows(self, name: str) -> int:
        return self._named(name).rows

    def kind(self, name: str) -> str:
        """numpy's letter for the numbers of a column: i, u, f or b."""
        return np.dtype(self._named(name).dtype).kind

    def value(self, name: str, row: int) -> Any:
        """One entry, as a plain Python number."""
        column = self._named(name)
        if not 0 <= row < column.rows:
            raise TableError(f"{self.path} has no row {row} in column {name}, only {column.rows} rows")
        block, place = divmod(row, column.block_rows)
        return np.frombuffer(self._block(column, block), dtype=column.dtype)[place].item()

    def key(self, row: int) -> bytes:
        column = self._named(KEY)
        if not 0 <= row < column.rows:
            raise TableError(f"{self.path} has no key {row}, only {column.rows} keys")
        padded = self._padded_key(column, row)
        return padded.rstrip(b"\0") if self._padded else padded

    def find(self, key: bytes) -> int | None:
        """The row of a key, by binary search; None if the table does not hold it."""
        column = self._named(KEY)
        if len(key) != column.width and (not self._padded or len(key) > column.width):
            return None
        if self._padded and len(key) < column.width and key.endswith(b"\0"):
            return None
        sought = key.ljust(column.width, b"\0")
        low, high = 0, column.rows
        while low < high:
            middle = (low + high) // 2
            if self._padded_key(column, middle) < sought:
                low = middle + 1
            else:
                high = middle
        return low if low < column.rows and self._padded_key(column, low) == sought else None

    def verify(self) -> None:
        """Read every block; raises `TableError` if one is damaged."""
        for column in self._columns.values():
            for block in range(column.blocks):
                self._block(column, block)

    def _padded_key(self, column: _Column, row: int) -> bytes:
        block, place = divmod(row, column.block_rows)
        return self._block(column, block)[place * column.width : (place + 1) * column.width]

    def _named(self, name: str) -> _Column:
        if name not in self._columns:
            raise TableError(f"{self.path} has no column {name}; it has {', '.join(self._columns) or 'none'}")
        return self._columns[name]

    def _damaged(self, what: str) -> TableError:
        return TableError(f"{self.path} is damaged: {what}")

    def _bytes(self, offset: int, length: int) -> bytes:
        """From the memory map. Touching what a file has lost since it was opened would kill the process without an
        error, so its length is read each time; that costs a hundredth of unpacking a block."""
        end = min(self._size_now(), len(self._map))
        if offset + length > end:
            there = max(0, end - offset)
            raise self._damaged(f"{length} bytes were expected at {offset}, {there} are there")
        return self._map[offset : offset + length]

    def _size_now(self) -> int:
        try:
            return os.fstat(self._file.fileno()).st_size
        except (OSError, ValueError) as error:
            raise TableError(f"cannot read {self.path}: {error}") from error

    def _read_frame(self) -> None:
        size = self._size_now()
        try:
            self._map = mmap.mmap(self._file.fileno(), size, access=mmap.ACCESS_READ) if size else b""
        except (OSError, ValueError) as error:
            raise TableError(f"cannot read {self.path}: {error}") from error
        text = self._header_text(size)
        end = PREFIX.size + len(text)
        self._parse_header(text)
        self._read_index(size, end)

    def _header_text(self, size: int) -> bytes:
        head = self._bytes(0, min(size, PREFIX.size))
        if head[:8] != MAGIC:
            raise TableError(f"{self.path} is not a rulecheck table: its first bytes are not {MAGIC!r}")
        if size < PREFIX.size + FOOTER.size:
            raise self._damaged(f"it is cut short after {size} bytes")
        _, version, length, crc = PREFIX.unpack(head)
        if version != VERSION:
            raise TableError(f"{self.path} has table format {version}, but format {VERSION} was expected")
        if length > size - PREFIX.size - FOOTER.size:
            raise self._damaged(f"its header claims {length} bytes, the file has {size}")
        text = self._bytes(PREFIX.size, length)
        if zlib.crc32(text) != crc:
            raise self._damaged("the checksum of the header does not fit")
        return text

    def _parse_header(self, text: bytes) -> None:
        try:
            data = json.loads(text, parse_constant=_no_constant)
            columns = [_Column(**entry) for entry in data.pop("columns")]
            self._padded = data.pop("padded") is True
            self.header = Header(**data)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise self._damaged("its header does not have the expected fields") from error
        if not _sound_header(self.header):
            raise self._damaged("its header does not have the expected fields")
        if not all(map(_sound_column, columns)) or len({column.name for column in columns}) != len(columns):
            raise self._damaged("its header describes columns that cannot be")
        self._columns = {column.name: column for column in columns}

    def _read_index(self, size: int, begin: int) -> None:
        offset, count, crc, magic = FOOTER.unpack(self._bytes(size - FOOTER.size, FOOTER.size))
        if magic != MAGIC or offset + count * ENTRY.itemsize != size - FOOTER.size or offset < begin:
            raise self._damaged("its footer does not fit the length of the file")
        if count != sum(column.blocks for column in self._columns.values()):
            raise self._damaged("its index does not have one entry for each block")
        index = self._bytes(offset, count * ENTRY.itemsize)
        if zlib.crc32(index) != crc:
            raise self._damaged("the checksum of the index does not fit")
        self._index = np.frombuffer(index, dtype=ENTRY)
        self._check_index(begin, offset)

    def _check_index(self, begin: int, end: int) -> None:
        """Check that blocks are adjacent and as long as the header says, so that nothing is read from elsewhere."""
        self._first_block: dict[str, int] = {}
        number = 0
        for column in self._columns.values():
            self._first_block[column.name] = number
            entries = self._index[number : number + column.blocks]
            stored = entries["stored"].astype(np.int64)
            plain = np.full(column.blocks, column.block_rows * column.row_bytes)
            plain[-1:] = column.plain_length(column.blocks - 1)
            wrong = (entries["offset"] != begin + np.cumsum(stored) - stored) | (entries["plain"] != plain)
            if wrong.any():
                where = f"block {int(wrong.argmax())} of column {column.name}"
                raise self._damaged(f"{where} is not where it should be")
            begin += int(stored.sum())
            number += column.blocks
        if begin != end:
            raise self._damaged("its blocks do not fill the space before the index")

    def _block(self, column: _Column, block: int) -> bytes:
        number = self._first_block[column.name] + block
        if number in self._cache:
            self._cache.move_to_end(number)
            return self._cache[number]
        plain = self._unpack(column, block, *self._index[number].tolist())
        self._cache[number] = plain
        if len(self._cache) > CACHED_BLOCKS:
            self._cache.popitem(last=False)
        return plain

    def _unpack(self, column: _Column, block: int, offset: int, stored: int, length: int, crc: int) -> bytes:
        data = self._bytes(offset, stored)
        if zlib.crc32(data) != crc:
            raise self._damaged(f"the checksum of block {block} of column {column.name} does not fit")
        unzip = zlib.decompressobj()
        try:
            plain = unzip.decompress(data, length + 1)
        except zlib.error as error:
            raise self._damaged(f"block {block} of column {column.name} cannot be unpacked") from error
        if len(plain) != length or not unzip.eof or unzip.unused_data:
            raise self._damaged(f"block {block} of column {column.name} has the wrong length")
        return plain


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no number of JSON")


def _sound_header(header: Header) -> bool:
    texts = isinstance(header.game, str) and isinstance(header.rulebook, str)
    tables = all(isinstance(part, dict) for part in (header.parameters, header.readings, header.about))
    return texts and tables and all(isinstance(value, str) for value in header.readings.values())


def _sound_column(column: _Column) -> bool:
    numbers = all(type(n) is int and n >= 0 for n in (column.rows, column.width))
    if not numbers or not isinstance(column.name, str) or column.dtype not in DTYPES or column.width < 1:
        return False
    if column.width > LONGEST_KEY:
        return False
    return column.width == 1 or (column.name == KEY and column.dtype == "|u1")
