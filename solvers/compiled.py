"""numba's compiler, with a disk cache that every edit of a source invalidates.

Compiled code contains everything it calls, and the constants it read, from any module. numba's own cache checks only
whether the caller's file has changed. Here a module's compiled code is kept in a folder named after a digest of its
source and of every source that it imports from the same package or from this one.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba.core import caching

from solvers.sources import imported_sources

config: Any = numba.config
FunctionCache: Any = caching.FunctionCache
F = TypeVar("F", bound=Callable[..., Any])
OURS = __name__.partition(".")[0]
VERSIONS = f"numba {numba.__version__}, Python {sys.version}"
UNUSED = 7 * 24 * 3600.0  # seconds after which code compiled from another source is removed


def njit(*, cache: bool = True, **options: Any) -> Callable[[F], F]:
    """Like numba's; nothing is cached without a source file or a writable folder."""

    def compiled(function: F) -> F:
        made = numba.njit(**options)(function)
        folder = _folder(function.__module__, function.__code__.co_filename) if cache else None
        if folder is not None and not config.DISABLE_JIT:
            _keep(made, function, folder)
        compiled: F = made
        return compiled

    return compiled


def _keep(made: Any, function: Callable[..., Any], folder: Path) -> None:
    """Do what `cache=True` does, in a folder of our choice."""
    usual = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        made._cache = ForgivingCache(function)
    except RuntimeError:  # the folder is no longer writable
        return
    finally:
        config.CACHE_DIR = usual


class ForgivingCache(FunctionCache):  # type: ignore[misc]  # numba has no types
    """Recompiles if the cache cannot be read, and goes on if it cannot be written, as on a full disk."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # a file cut short fails in whatever way its reader does
            with contextlib.suppress(OSError):
                self.flush()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        with contextlib.suppress(OSError):
            super().save_overload(sig, data)


@functools.cache
def _folder(module: str, file: str) -> Path | None:
    """The folder for a module's code, compiled from its present sources; None if there is none."""
    if not os.path.exists(file):  # compiled from a string
        return None
    name = f"{module}-{digest(module, file)}"
    for root in _roots(Path(file)):
        try:
            (root / name).mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=root / name):
                pass
        except (OSError, ValueError):
            continue
        _remove_unused(root, module, name)
        return root / name
    return None


def _roots(file: Path) -> Iterator[Path]:
    """The folders to try: the user's choice, else beside the source, else among the user's caches, else a temporary
    one."""
    if config.CACHE_DIR:
        yield Path(config.CACHE_DIR)
    yield file.parent / "__pycache__"
    with contextlib.suppress(RuntimeError):  # there is no home
        yield Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rulecheck"
    if (private := _temporary()) is not None:
        yield private


def _temporary() -> Path | None:
    """A temporary folder that nobody else can write to: code read from it is run."""
    try:
        user = os.getuid()
        folder = Path(tempfile.gettempdir()) / f"rulecheck-{user}"
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.lstat()
    except (OSError, AttributeError):  # no such folder, or no such system call
        return None
    private = stat.S_ISDIR(status.st_mode) and status.st_uid == user and not status.st_mode & 0o077
    return folder if private else None


def _remove_unused(root: Path, module: str, name: str) -> None:
    """Remove code of outdated sources, once old enough: a process that began before an edit may still need it."""
    for old in root.glob(f"{module}-*"):
        with contextlib.suppress(OSError):  # another process may be removing it
            if old.name != name and time.time() - old.stat().st_mtime > UNUSED:
                shutil.rmtree(old, ignore_errors=True)


def digest(module: str, file: str) -> str:
    """A digest of all sources that can contribute to a module's compiled code."""
    packages = {OURS, module.partition(".")[0]}
    texts = imported_sources({module: Path(file).read_bytes()}, lambda name: name.partition(".")[0] in packages)
    parts = (f"{name} {hashlib.sha256(texts[name]).hexdigest()}" for name in sorted(texts))
    return hashlib.sha256("\n".join((VERSIONS, *parts)).encode()).hexdigest()[:16]
