"""Protects table files: what is read is what was written, and anything else is refused with a sentence."""

from __future__ import annotations

import json
import os
import resource
import struct
import tempfile
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers import tablebase
from solvers.checkpoint import CheckpointStore
from solvers.tablebase import Header, TableError, open_table, write_table

HEADER = Header("race", {"length": 5}, {"spend": "exact"}, "abc123", {"rounds": 7})
COLUMNS = {
    "low": np.arange(3000, dtype=np.int64) * 12345,
    "rank": np.arange(3000, dtype=np.int32) % 17,
    "flag": np.arange(3000) % 3 == 0,
    "empty": np.zeros(0),
}
KEYS = sorted(f"position {i}".encode() for i in range(3000))


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many blocks in a small file."""
    monkeypatch.setattr(tablebase, "BLOCK_BYTES", 2048)
    monkeypatch.setattr(tablebase, "CACHED_BLOCKS", 3)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    write_table(tmp_path / "race.table", HEADER, COLUMNS, KEYS)
    return tmp_path / "race.table"


def test_everything_comes_back(path: Path) -> None:
    with open_table(path, game="race", parameters={"length": 5}, rulebook="abc123") as table:
        assert table.header == HEADER
        assert table.columns == list(COLUMNS)
        for name, column in COLUMNS.items():
            assert np.array_equal(table.column(name), column)
            assert table.column(name).dtype == column.dtype
        for row in (0, 1, 1499, 2999):
            assert table.find(KEYS[row]) == row
            assert table.key(row) == KEYS[row]
            assert table.value("low", row) == COLUMNS["low"][row]
        for key in (b"", b"a", b"position 1x", b"z", KEYS[5] + b"\0", b"position 123456"):
            assert table.find(key) is None


def test_keys_of_one_width_may_end_in_zero(tmp_path: Path) -> None:
    write_table(tmp_path / "t", HEADER, {}, [b"a\0", b"a\1"])
    with open_table(tmp_path / "t") as table:
        assert [table.find(k) for k in (b"a\0", b"a\1", b"a")] == [0, 1, None]


@pytest.mark.parametrize("keys", [[b"b", b"a"], [b"a", b"a"], [b"a\0", b"abc"], [b""]])
def test_keys_that_cannot_be_searched_are_refused(tmp_path: Path, keys: list[bytes]) -> None:
    with pytest.raises(TableError, match="key"):
        write_table(tmp_path / "t", HEADER, {}, keys)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        ({"game": "hextris"}, "is a table for game 'race', but 'hextris' was expected"),
        ({"parameters": {"length": 6}}, "parameters"),
        ({"readings": {"spend": "any"}}, "readings"),
        ({"rulebook": "other"}, "rulebook"),
    ],
)
def test_a_table_of_something_else_is_refused(path: Path, wanted: dict[str, object], sentence: str) -> None:
    with pytest.raises(TableError, match=sentence):
        open_table(path, **wanted)  # type: ignore[arg-type]  # the values' types differ


def test_a_foreign_or_missing_file_is_refused(tmp_path: Path) -> None:
    for content in (b"", b"RCTABLE\n", b"PK\3\4 something else entirely" * 10):
        (tmp_path / "x").write_bytes(content)
        with pytest.raises(TableError, match="x is"):
            open_table(tmp_path / "x")
    for absent in (tmp_path / "none", tmp_path):
        with pytest.raises(TableError, match="cannot open"):
            open_table(absent)


def test_another_version_is_refused(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[8:12] = struct.pack("<I", 1)
    path.write_bytes(data)
    with pytest.raises(TableError, match="format 1, but format 2 was expected"):
        open_table(path)


def read_all(path: Path) -> None:
    with open_table(path) as table:
        assert table.header == HEADER
        for name, column in COLUMNS.items():
            assert np.array_equal(table.column(name), column)
        assert [table.key(row) for row in range(len(KEYS))] == KEYS


def damaged_copy(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "damaged"
        path.write_bytes(data)
        with pytest.raises(TableError) as refusal:
            read_all(path)
    assert str(path) in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("whole") / "t"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tablebase, "BLOCK_BYTES", 2048)
        write_table(path, HEADER, COLUMNS, KEYS)
    return path.read_bytes()


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_no_flipped_bit_goes_unnoticed(whole: bytes, data: st.DataObject) -> None:
    spots = st.one_of(
        st.integers(0, 400), st.integers(0, len(whole) - 1), st.integers(1, 300).map(lambda i: len(whole) - i)
    )
    spot, bit = data.draw(spots), data.draw(st.integers(0, 7))
    damaged_copy(whole[:spot] + bytes([whole[spot] ^ (1 << bit)]) + whole[spot + 1 :])


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_no_cut_or_extension_goes_unnoticed(whole: bytes, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(whole) - 1))
    damaged_copy(whole[:cut])
    damaged_copy(whole[:cut] + whole[cut + 1 :])
    damaged_copy(whole + data.draw(st.binary(min_size=1, max_size=50)))


@pytest.mark.parametrize(
    "change",
    [
        {"rows": 10**15},
        {"rows": -1},
        {"rows": 1.5},
        {"width": 0},
        {"width": 10**12},
        {"dtype": "O"},
        {"dtype": "<c16"},
        {"name": 5},
        {"name": "rank"},
        {"surprise": 1},
    ],
)
def test_a_hostile_header_with_a_good_checksum_is_refused(path: Path, change: dict[str, object]) -> None:
    """Sizes are compared with the file before anything is allocated."""
    data = path.read_bytes()
    _, _, length, _ = tablebase.PREFIX.unpack(data[: tablebase.PREFIX.size])
    end = tablebase.PREFIX.size + length
    header = json.loads(data[tablebase.PREFIX.size : end])
    header["columns"][1].update(change)
    # The header keeps its length, so that nothing else in the file moves.
    header["about"] = {}
    text = json.dumps(header).encode().ljust(length)
    prefix = tablebase.PREFIX.pack(tablebase.MAGIC, tablebase.VERSION, len(text), zlib.crc32(text))
    path.write_bytes(prefix + text + data[end:])
    with pytest.raises(TableError, match="damaged"):
        open_table(path)


@pytest.mark.parametrize("text", [b"[]", b"{}", b"\xff\xff", b"[" * 100000, b'{"columns": 3, "padded": 1}'])
def test_a_header_that_is_no_header_is_refused(tmp_path: Path, text: bytes) -> None:
    prefix = tablebase.PREFIX.pack(tablebase.MAGIC, tablebase.VERSION, len(text), zlib.crc32(text))
    end = len(prefix + text)
    (tmp_path / "t").write_bytes(prefix + text + tablebase.FOOTER.pack(end, 0, 0, tablebase.MAGIC))
    with pytest.raises(TableError, match="expected fields"):
        open_table(tmp_path / "t")


def test_an_unwritable_place_is_a_sentence_and_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"cannot write .*no such file or directory"):
        write_table(tmp_path / "absent" / "t", HEADER, COLUMNS)
    (tmp_path / "folder").mkdir()
    with pytest.raises(TableError, match="cannot write"):
        write_table(tmp_path / "folder", HEADER, COLUMNS)
    assert [p.name for p in tmp_path.iterdir()] == ["folder"]


def test_a_full_disk_is_a_sentence_and_keeps_the_old_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    before = path.read_bytes()
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(TableError, match="no space is left"):
        write_table(path, HEADER, {})
    assert path.read_bytes() == before
    assert [p.name for p in path.parent.iterdir()] == [path.name]


def test_columns_that_are_no_plain_numbers_are_refused(tmp_path: Path) -> None:
    for column in (np.zeros((2, 2)), np.array(["a"]), np.array([object()])):
        with pytest.raises(TableError, match="column c"):
            write_table(tmp_path / "t", HEADER, {"c": column})


def test_rows_and_columns_that_do_not_exist(path: Path) -> None:
    with open_table(path) as table:
        for row in (-1, 3000):
            with pytest.raises(TableError, match="no row"):
                table.value("low", row)
        with pytest.raises(TableError, match="no column"):
            table.column("high")


def test_checkpoints_are_resumed_replaced_refused_and_cleared(tmp_path: Path) -> None:
    store = CheckpointStore(tmp_path / "c", HEADER)
    assert store.load() is None
    store.save({"plan": np.array([1, 2], dtype=np.int32)})
    store.save({"plan": np.array([3, 4], dtype=np.int32)})
    loaded = store.load()
    assert loaded is not None
    assert loaded["plan"].tolist() == [3, 4]
    with pytest.raises(TableError, match="expected"):
        CheckpointStore(tmp_path / "c", Header("other")).load()
    store.clear()
    assert store.load() is None


def test_a_file_cut_short_while_it_is_open_is_a_sentence(path: Path) -> None:
    """To touch a page of a memory map that the file has lost would end the process."""
    with open_table(path) as table:
        os.truncate(path, 200)
        with pytest.raises(TableError, match="bytes were expected"):
            table.column("low")


def test_a_table_is_opened_without_reading_its_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A probe reads the frame and unpacks one block of each column that it asks."""
    unpacked = []
    true_unpack = tablebase.Table._unpack
    monkeypatch.setattr(tablebase.Table, "_unpack", lambda *args: unpacked.append(args[1:3]) or true_unpack(*args))
    write_table(tmp_path / "t", HEADER, {"low": np.arange(10**6), "high": np.zeros(10**6, dtype=np.uint8)})
    with open_table(tmp_path / "t") as table:
        assert unpacked == []
        assert (table.value("low", 777_777), table.value("high", 999_999)) == (777_777, 0)
    assert len(unpacked) == 2


def test_what_a_killed_writer_left_is_removed(path: Path) -> None:
    for name in ("dead.part", "lock"):
        (path.parent / f".{path.name}.{name}").write_bytes(b"half")
    write_table(path, HEADER, COLUMNS, KEYS)
    assert [p.name for p in path.parent.iterdir()] == [path.name]
    read_all(path)


def test_writers_of_one_table_take_turns(path: Path) -> None:
    """None may take the part file of another for the leftover of one that was killed."""
    with ThreadPoolExecutor(8) as pool:
        for written in [pool.submit(write_table, path, HEADER, COLUMNS, KEYS) for _ in range(80)]:
            written.result()
    assert [p.name for p in path.parent.iterdir()] == [path.name]
    read_all(path)


def test_a_table_has_the_rights_of_any_new_file(tmp_path: Path) -> None:
    """Not its owner's alone: tables are shared."""
    (tmp_path / "new").touch()
    write_table(tmp_path / "t", HEADER, COLUMNS, KEYS)
    assert (tmp_path / "t").stat().st_mode == (tmp_path / "new").stat().st_mode


def test_a_file_that_may_not_grow_is_a_sentence_and_keeps_the_old_one(path: Path) -> None:
    """The system itself refuses to write on, in the middle of a block, as it does when a disk is full."""
    before = path.read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, limits[1]))
    try:
        with pytest.raises(TableError, match=r"cannot write .*file too large"):
            write_table(path, HEADER, {"low": np.random.default_rng(1).integers(0, 2**60, 100_000)})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_bytes() == before
    assert [p.name for p in path.parent.iterdir()] == [path.name]
