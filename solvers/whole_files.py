"""Atomic replacement of files: readers see the old file or the new one, even after a crash, and writers take turns.

A writer fills a part file beside the target. It holds the target's lock from before it makes the part file until after
the rename, so no other writer can mistake the part file for the leftover of a killed one.
"""

from __future__ import annotations

import contextlib
import glob
import os
import secrets
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A file to write to; unless something fails, it replaces `path`, or the target of a link of that name."""
    target = Path(os.path.realpath(path))
    mode = _mode(target)
    with tempfile.TemporaryFile(dir=target.parent):  # the lock would create the folder, or retry for ever
        pass
    with _alone(target):
        _remove_leftovers(target)
        part = _beside(target, f"{secrets.token_hex(4)}.part")
        try:
            with open(part, "xb") as out:
                yield out
                out.flush()
                os.fsync(out.fileno())  # or a crash could leave the new name without the new content
            if mode is not None:
                os.chmod(part, mode)
            os.replace(part, target)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
        _sync_folder(target.parent)


def remove(path: str | os.PathLike[str]) -> None:
    """Remove a file, if it exists, and the leftovers of its killed writers."""
    target = Path(os.path.realpath(path))
    with _alone(target):
        _remove_leftovers(target)
        target.unlink(missing_ok=True)


def _mode(target: Path) -> int | None:
    """The permissions of the file to be replaced; None for a new file, which gets the usual ones."""
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(21, "it is a folder")
    if not stat.S_ISREG(mode):
        raise OSError(22, "it is no regular file")
    return stat.S_IMODE(mode)


def _beside(target: Path, ending: str) -> Path:
    return target.with_name(f".{target.name}.{ending}")


@contextmanager
def _alone(target: Path) -> Iterator[None]:
    """Wait for other writers of the same file. The system keeps the lock, so a killed writer holds none."""
    from filelock import FileLock

    lock = FileLock(_beside(target, "lock"))
    with lock:
        try:
            yield
        finally:
            with contextlib.suppress(OSError):  # a waiting writer sees that the name is gone, and retries
                os.unlink(lock.lock_file)


def _remove_leftovers(target: Path) -> None:
    """The part files of killed writers."""
    for part in target.parent.glob(f".{glob.escape(target.name)}.*.part"):
        with contextlib.suppress(OSError):
            part.unlink()


def _sync_folder(folder: Path) -> None:
    """Make the rename last; not every system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
