"""numba's compiler, with a cache on disk that no edit of a source outlives.

Compiled code holds all that it calls, and the constants it read, from whatever module they came. numba's own cache asks
only whether the file of the caller has changed. Here a module's compiled code lies in a folder named after a digest of
its source and of every source that it imports, as far as these belong to the same package or to this one.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import hashlib
import importlib.util
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import numba

config: Any = numba.config
F = TypeVar("F", bound=Callable[..., Any])
OURS = __name__.partition(".")[0]
VERSIONS = f"numba {numba.__version__}, Python {sys.version}"
UNUSED = 7 * 24 * 3600.0  # seconds after which what was compiled from another source is removed


def njit(*, cache: bool = True, **options: Any) -> Callable[[F], F]:
    """As numba's; nothing is kept where there is no source file, or no folder that can be written to."""

    def compiled(function: F) -> F:
        folder = _folder(function.__module__, function.__code__.co_filename) if cache else None
        usual = config.CACHE_DIR
        config.CACHE_DIR = "" if folder is None else str(folder)
        try:
            made: F = numba.njit(cache=folder is not None, **options)(function)
            return made
        finally:
            config.CACHE_DIR = usual

    return compiled


@functools.cache
def _folder(module: str, file: str) -> Path | None:
    """Where the compiled code of a module is kept, as its sources stand; None if nowhere."""
    if not os.path.exists(file):  # it was made from a text
        return None
    name = f"{module}-{digest(module, file)}"
    for root in _roots(Path(file)):
        try:
            root.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=root):
                pass
        except (OSError, ValueError):
            continue
        _remove_unused(root, module, name)
        return root / name
    return None


def _roots(file: Path) -> Iterator[Path]:
    """What the user says; else beside the source; else, if that is read-only, among the user's caches."""
    if config.CACHE_DIR:
        yield Path(config.CACHE_DIR)
    yield file.parent / "__pycache__"
    try:
        yield Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rulecheck"
    except RuntimeError:  # there is no home
        return


def _remove_unused(root: Path, module: str, name: str) -> None:
    """Code of sources that no longer stand; a process that began before an edit may still need it for a while."""
    for old in root.glob(f"{module}-*"):
        with contextlib.suppress(OSError):  # another process may be removing it
            if old.name != name and time.time() - old.stat().st_mtime > UNUSED:
                shutil.rmtree(old, ignore_errors=True)


# -- Sources -------------------------------------------------------------------------------------------------


def digest(module: str, file: str) -> str:
    """Of all sources that can have a part in the compiled code of a module."""
    packages = {OURS, module.partition(".")[0]}
    texts = {module: Path(file).read_bytes()}
    queue = [module]
    for name in queue:
        for other in _imported(texts[name], name):
            if other not in texts and other.partition(".")[0] in packages and (text := _source(other)) is not None:
                texts[other] = text
                queue.append(other)
    parts = (f"{name} {hashlib.sha256(texts[name]).hexdigest()}" for name in sorted(texts))
    return hashlib.sha256("\n".join((VERSIONS, *parts)).encode()).hexdigest()[:16]


def _imported(text: bytes, module: str) -> Iterator[str]:
    """Names of all modules that a source imports, and others: it does not say what is a module and what a package."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            for base in _bases(node, module):
                yield base
                yield from (f"{base}.{alias.name}" for alias in node.names)


def _bases(node: ast.ImportFrom, module: str) -> list[str]:
    if not node.level:
        return [node.module or ""]
    parts = module.split(".")
    above = [parts[: -node.level], parts[: len(parts) - node.level + 1]]  # dots mean one less in a package
    return [".".join([*names, *([node.module] if node.module else [])]) for names in above]


@functools.cache
def _source(module: str) -> bytes | None:
    try:
        spec = importlib.util.find_spec(module)
    except (ModuleNotFoundError, ValueError):  # what was imported is no module
        return None
    if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
        return None
    return Path(spec.origin).read_bytes()
