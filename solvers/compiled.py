"""numba's compiler, with a cache on disk that no edit of a source outlives.

Compiled code holds all that it calls, and the constants it read, from whatever module they came. numba's own cache asks
only whether the file of the caller has changed. Here a module's compiled code lies in a folder named after a digest of
its source and of every source that it imports, as far as these belong to the same package or to this one.
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
UNUSED = 7 * 24 * 3600.0  # seconds after which what was compiled from another source is removed


def njit(*, cache: bool = True, **options: Any) -> Callable[[F], F]:
    """As numba's; nothing is kept where there is no source file, or no folder that can be written to."""

    def compiled(function: F) -> F:
        made = numba.njit(**options)(function)
        folder = _folder(function.__module__, function.__code__.co_filename) if cache else None
        if folder is not None and not config.DISABLE_JIT:
            _keep(made, function, folder)
        compiled: F = made
        return compiled

    return compiled


def _keep(made: Any, function: Callable[..., Any], folder: Path) -> None:
    """What `cache=True` does, in a folder of our choice."""
    usual = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        made._cache = ForgivingCache(function)
    except RuntimeError:  # the folder can no longer be written to
        return
    finally:
        config.CACHE_DIR = usual


class ForgivingCache(FunctionCache):  # type: ignore[misc]  # numba has no types
    """Compiles again where nothing can be read, and goes on where nothing can be kept, as on a full disk."""

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
    """Where the compiled code of a module is kept, as its sources stand; None if nowhere."""
    if not os.path.exists(file):  # it was made from a text
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
    """What the user says; else beside the source; else, if that is read-only, among the user's caches; else one that
    is temporary."""
    if config.CACHE_DIR:
        yield Path(config.CACHE_DIR)
    yield file.parent / "__pycache__"
    with contextlib.suppress(RuntimeError):  # there is no home
        yield Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rulecheck"
    if (private := _temporary()) is not None:
        yield private


def _temporary() -> Path | None:
    """A folder for temporary files that nobody else can write to: what is read from it is run."""
    try:
        user = os.getuid()
        folder = Path(tempfile.gettempdir()) / f"rulecheck-{user}"
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except (OSError, AttributeError):  # there is none, or no such system
        return None
    private = stat.S_ISDIR(found.st_mode) and found.st_uid == user and not found.st_mode & 0o077
    return folder if private else None


def _remove_unused(root: Path, module: str, name: str) -> None:
    """Code of sources that no longer stand; a process that began before an edit may still need it for a while."""
    for old in root.glob(f"{module}-*"):
        with contextlib.suppress(OSError):  # another process may be removing it
            if old.name != name and time.time() - old.stat().st_mtime > UNUSED:
                shutil.rmtree(old, ignore_errors=True)


def digest(module: str, file: str) -> str:
    """Of all sources that can have a part in the compiled code of a module."""
    packages = {OURS, module.partition(".")[0]}
    texts = imported_sources({module: Path(file).read_bytes()}, lambda name: name.partition(".")[0] in packages)
    parts = (f"{name} {hashlib.sha256(texts[name]).hexdigest()}" for name in sorted(texts))
    return hashlib.sha256("\n".join((VERSIONS, *parts)).encode()).hexdigest()[:16]
