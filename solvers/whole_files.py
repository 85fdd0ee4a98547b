"""Replaces a file whole: a reader finds the old file or the new one, also after a crash, and writers take turns.

What is written goes to a part file beside the target. A lock of the target's own is held from before the part file is
made until after it is renamed, so no other writer can take it for the leftover of one that was killed.
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
    """A file to write to; it takes the place of `path`, or of what a link of that name leads to, if nothing fails."""
    target = Path(os.path.realpath(path))
    mode = _mode(target)
    with tempfile.TemporaryFile(dir=target.parent):  # the lock would make the folder, or ask again and again
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
    """Remove a file, if it is there, and whatever writers of it that were killed have left."""
    target = Path(os.path.realpath(path))
    with _alone(target):
        _remove_leftovers(target)
        target.unlink(missing_ok=True)


def _mode(target: Path) -> int | None:
    """The rights of the file that is replaced; None for a new one, which gets the usual ones."""
    try:
        found = target.stat().st_mode
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(found):
        raise IsADirectoryError(21, "it is a folder")
    if not stat.S_ISREG(found):
        raise OSError(22, "it is no regular file")
    return stat.S_IMODE(found)


def _beside(target: Path, ending: str) -> Path:
    return target.with_name(f".{target.name}.{ending}")


@contextmanager
def _alone(target: Path) -> Iterator[None]:
    """Wait for other writers of the same file. The lock is kept by the system, so one that was killed holds none."""
    from filelock import FileLock

    lock = FileLock(_beside(target, "lock"))
    with lock:
        try:
            yield
        finally:
            with contextlib.suppress(OSError):  # whoever waits for it finds that it has no name left, and asks again
                os.unlink(lock.lock_file)


def _remove_leftovers(target: Path) -> None:
    """What writers that were killed have left."""
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
