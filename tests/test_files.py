"""Protects output files: pipes, devices and links stay what they are, and whatever was written is on disk, whole."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from rulecheck.files import write_bytes, write_file
from rulecheck.model import InputError

LONG = b"0123456789" * 50_000  # more than a pipe holds


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe, heard = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: heard.append(pipe.read_bytes()))
    reader.start()
    write_bytes(pipe, LONG)
    reader.join()
    assert heard == [LONG]
    assert pipe.is_fifo()
    assert [p.name for p in tmp_path.iterdir()] == ["pipe"]


def test_a_device_is_written_to() -> None:
    write_file("/dev/null", "anything")
    assert not Path("/dev/null").is_file()
    with pytest.raises(InputError, match="cannot write '/dev/full': No space left on device"):
        write_file("/dev/full", "anything")


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    link, there = tmp_path / "link.svg", tmp_path / "there" / "picture.svg"
    link.symlink_to(there)
    for text in ("new", "newer"):  # at first it leads nowhere
        write_file(link, text)
        assert link.is_symlink()
        assert there.read_text() == text
    assert [p.name for p in there.parent.iterdir()] == ["picture.svg"]


def test_a_link_to_itself_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(InputError, match="cannot write"):
        write_file(tmp_path / "loop", "new")


@pytest.mark.parametrize("mode", ["pipe", "file"])
def test_standard_output_by_its_name(tmp_path: Path, mode: str) -> None:
    """Where it leads to a file, that file must not be replaced behind our own back."""
    code = "from rulecheck.files import write_file; print(1); write_file('/dev/stdout', '2\\n'); print(3)"
    with open(tmp_path / "out", "w+b") as out:
        run = subprocess.run(
            [sys.executable, "-c", code], stdout=out if mode == "file" else subprocess.PIPE, timeout=60, check=True
        )
        out.seek(0)
        assert (out.read() if mode == "file" else run.stdout) == b"1\n2\n3\n"


def test_what_is_renamed_is_on_disk_already(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    sync, replace = os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda handle: done.append("fsync") or sync(handle))
    monkeypatch.setattr(os, "replace", lambda old, new: done.append("replace") or replace(old, new))
    write_file(tmp_path / "picture.svg", "new")
    assert done == ["fsync", "replace", "fsync"]


def test_what_a_killed_writer_left_is_removed(tmp_path: Path) -> None:
    for name in (".picture.svg.1.part", ".picture.svg.lock", ".other.svg.1.part"):
        (tmp_path / name).touch()
    write_file(tmp_path / "picture.svg", "new")
    assert sorted(p.name for p in tmp_path.iterdir()) == [".other.svg.1.part", "picture.svg"]
