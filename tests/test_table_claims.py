"""Protects `probe`, `certify` and `--resume` from tables whose checksums are right and whose claims are odd."""

from __future__ import annotations

import json
import tracemalloc
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solvers.tablebase import ENTRY, FOOTER, MAGIC, PREFIX, VERSION, Header, TableError, open_table, write_table

Runner = Callable[..., Any]
DICE = ["crosswalk", "-p", "squares=2", "-p", "sizes=1", "-p", "pedestrians=none"]
SETTLED = ["hextris", "-p", "radius=1", "-p", "group=2", "-p", "groups=1", "-p", "pieces=1,1,1/0,1,1"]
MISSING = object()


def rewritten(path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """The same table under another header, all checksums made right again."""
    data = path.read_bytes()
    _, _, length, _ = PREFIX.unpack(data[: PREFIX.size])
    header = json.loads(data[PREFIX.size : PREFIX.size + length])
    change(header)
    text = json.dumps(header, sort_keys=True).encode()
    offset, count, _, _ = FOOTER.unpack(data[-FOOTER.size :])
    index = np.frombuffer(data[offset : -FOOTER.size], dtype=ENTRY).copy()
    index["offset"] = index["offset"].astype(np.int64) + len(text) - length
    blocks, packed = data[PREFIX.size + length : offset], index.tobytes()
    prefix = PREFIX.pack(MAGIC, VERSION, len(text), zlib.crc32(text))
    footer = FOOTER.pack(offset + len(text) - length, count, zlib.crc32(packed), MAGIC)
    path.write_bytes(prefix + text + blocks + packed + footer)


def put(value: Any, *names: Any) -> Callable[[dict[str, Any]], None]:
    def change(header: dict[str, Any]) -> None:
        part: Any = header
        for name in names[:-1]:
            part = part[name]
        if value is MISSING:
            del part[names[-1]]
        else:
            part[names[-1]] = value

    return change


@pytest.fixture(scope="module")
def solved(rulecheck: Runner, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """A table with dice and one without."""
    found = {}
    for name, game in (("dice", DICE), ("settled", SETTLED)):
        out = tmp_path_factory.mktemp(name)
        assert rulecheck("solve", *game, "--out", str(out)).status == 0
        found[name] = next(out.glob("*.table")).read_bytes()
    return found


ODD = [MISSING, 0, -1, None, True, 1.5, "1", [], {}, float("nan"), float("inf"), 10**40]


@pytest.mark.parametrize(
    "names",
    [
        *((name,) for name in ("about", "readings", "rulebook", "game", "padded", "columns")),
        *(("about", "scale"), ("about", "method"), ("parameters", "die")),
        *(("columns", 0, "name"), ("columns", 0, "width"), ("columns", 1, "rows"), ("columns", 1, "dtype")),
    ],
    ids=str,
)
def test_odd_claims_of_a_table_with_dice(
    names: tuple[Any, ...], solved: dict[str, bytes], tmp_path: Path, rulecheck: Runner
) -> None:
    for value in ODD:
        path = tmp_path / "odd.table"
        path.write_bytes(solved["dice"])
        rewritten(path, put(value, *names))
        if path.read_bytes() != solved["dice"]:
            answered(rulecheck, path, DICE, allowed=names == ("padded",))


@pytest.mark.parametrize("name", ["rank_g", "choice"])
def test_a_column_longer_than_the_game_is_not_read(
    name: str, solved: dict[str, bytes], tmp_path: Path, rulecheck: Runner
) -> None:
    path = tmp_path / "odd.table"
    path.write_bytes(solved["dice"])
    with open_table(path) as table:
        header, columns = table.header, {name: table.column(name) for name in table.columns}
        keys = [table.key(row) for row in range(len(table))]
    write_table(path, header, {**columns, name: np.zeros(1 << 24, dtype=np.int32)}, keys)
    tracemalloc.start()
    run = rulecheck("certify", str(path))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert run.status == 1
    assert f"column {name} has 16,777,216 entries" in run.out
    assert peak < 1 << 25


def test_odd_claims_of_a_table_without_dice(solved: dict[str, bytes], tmp_path: Path, rulecheck: Runner) -> None:
    for names, value in ((("about",), None), (("about", "positions"), 1.5), (("columns", 0, "dtype"), "<f8")):
        path = tmp_path / "odd.table"
        path.write_bytes(solved["settled"])
        rewritten(path, put(value, *names))
        answered(rulecheck, path, SETTLED, allowed=False)


def answered(rulecheck: Runner, path: Path, game: list[str], *, allowed: bool) -> None:
    """With one sentence, or a finding, and never as if nothing were wrong; `probe` may not ask for what is wrong."""
    for command in (["probe", *game, "--table", str(path)], ["certify", str(path)]):
        run = rulecheck(*command)
        assert run.status in (0, 1, 2)
        assert run.status or allowed or command[0] == "probe", command
        assert run.status != 2 or (run.out == "" and run.err.count("\n") == 1)


def test_wrong_outcomes_and_fractions_are_refused(solved: dict[str, bytes], tmp_path: Path, rulecheck: Runner) -> None:
    path = tmp_path / "odd.table"
    path.write_bytes(solved["settled"])
    with open_table(path) as table:
        header, columns = table.header, {name: table.column(name) for name in table.columns}
        keys = [table.key(row) for row in range(len(table))] if table.has_keys else None
    for outcome in (np.full(len(columns["outcome"]), 77, dtype=np.uint8), np.full(len(columns["outcome"]), np.nan)):
        write_table(path, header, {**columns, "outcome": outcome}, keys)
        answered(rulecheck, path, SETTLED, allowed=False)
        assert rulecheck("probe", *SETTLED, "--table", str(path)).status == 2


@pytest.mark.parametrize("kept", [
    {"outcome": np.zeros(3), "distance": np.zeros(3), "layers": np.array([np.nan])},
    {"outcome": np.zeros(3, dtype=np.uint8), "distance": np.zeros(3, dtype=np.int8), "layers": np.array([-1])},
    {"outcome": np.full(3, 9, dtype=np.uint8), "distance": np.zeros(3, dtype=np.int8), "layers": np.array([1])},
], ids=["fractions", "negative", "no outcome"])  # fmt: skip
def test_odd_checkpoints_are_refused(
    kept: dict[str, Any], solved: dict[str, bytes], tmp_path: Path, rulecheck: Runner
) -> None:
    path = tmp_path / "a.table"
    path.write_bytes(solved["settled"])
    with open_table(path) as table:
        header = table.header
    assert rulecheck("solve", *SETTLED, "--out", str(tmp_path)).status == 0
    named = next(p for p in tmp_path.glob("*.table") if p != path)
    write_table(named.with_suffix(".checkpoint"), Header(**{**vars(header), "about": {}}), kept)
    run = rulecheck("solve", *SETTLED, "--out", str(tmp_path), "--resume")
    assert (run.status, run.out) == (2, "")
    assert "is no checkpoint of a solve" in run.err


def test_a_small_file_cannot_ask_for_much_memory(tmp_path: Path) -> None:
    """One key of a thousand million bytes, all zero, is a file of a megabyte."""
    path, size = tmp_path / "giant.table", 100_000_000
    stored = zlib.compress(bytes(size), 1)
    column = {"name": "key", "dtype": "|u1", "rows": 1, "width": size}
    text = json.dumps({"game": "x", "columns": [column], "padded": False}).encode()
    begin = PREFIX.size + len(text)
    index = np.array([(begin, len(stored), size, zlib.crc32(stored))], dtype=ENTRY).tobytes()
    prefix = PREFIX.pack(MAGIC, VERSION, len(text), zlib.crc32(text))
    footer = FOOTER.pack(begin + len(stored), 1, zlib.crc32(index), MAGIC)
    path.write_bytes(prefix + text + stored + index + footer)
    tracemalloc.start()
    with pytest.raises(TableError, match="columns that cannot be"), open_table(path) as table:
        table.verify()
    assert tracemalloc.get_traced_memory()[1] < 10_000_000
    tracemalloc.stop()


def test_no_table_is_written_that_could_not_be_read(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"a key of .* has 70,000 bytes, more than 65,536"):
        write_table(tmp_path / "t", Header("x"), {}, [b"k" * 70_000])
