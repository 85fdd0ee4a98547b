"""Results kept from one run to the next, each under a hash of everything that it depends on.

That is: the question; the sources of the analysis and of the game, with all that they import; the game's data with its
rulebook; and the versions of Python and of every installed package. Another hash finds nothing. An entry is JSON with a
checksum; a damaged one, or one written for something else, is ignored. Where nothing can be written, nothing is kept.
In continuous integration (`CI=true`) everything is computed.

Nothing is kept unless a command asks for it (`keeping`): an analysis called from Python is always computed.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
import sysconfig
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import Any, TypeVar

from rulecheck.files import write_file
from rulecheck.jobs import Report, run_all
from rulecheck.model import InputError
from rulecheck.plain import plain, rebuilt
from rulecheck.registry import Game, entry_of

A = TypeVar("A")
R = TypeVar("R")
Run = Callable[[Sequence[A]], list[R]]

FOLDER = "RULECHECK_CACHE"  # the variable that names the folder of results; "off" for none
UNUSED = 60 * 24 * 3600.0  # seconds after which an unused entry is removed
STARTED = time.time()  # sources that change later differ from those that run here


class Keeper:
    """Loads and keeps results in a folder. `asked` and `loaded` count them by kind."""

    def __init__(self, folder: Path, fresh: bool = False) -> None:
        self.folder, self.fresh = folder, fresh
        self.asked: Counter[str] = Counter()
        self.loaded: Counter[str] = Counter()
        self._digests: dict[tuple[str, str], str | None] = {}

    def __str__(self) -> str:
        """`proofs: 3 computed, 9 kept; searches: 0 computed, 4 kept`."""
        computed = {what: count - self.loaded[what] for what, count in self.asked.items()}
        return "; ".join(f"{what}: {count:,} computed, {self.loaded[what]:,} kept" for what, count in computed.items())

    def key(self, game: Game, work: Callable[..., Any], argument: Any) -> str | None:
        """Everything that the result depends on; None if the sources have changed since the code was loaded."""
        name = (game.slug, work.__module__)
        if name not in self._digests:
            self._digests[name] = digest(game, work.__module__)
        sources = self._digests[name]
        if sources is None:
            return None
        return _text({"work": f"{work.__module__}:{work.__qualname__}", "on": plain(argument), "sources": sources})

    def load(self, key: str) -> Any:
        """The result kept under a key; KeyError if there is no valid one."""
        path = self._path(key)
        try:
            entry = json.loads(path.read_bytes())
            result, checksum = entry["result"], entry["checksum"]
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            raise KeyError(key) from None
        if checksum != _checksum(key, result):
            raise KeyError(key)
        with contextlib.suppress(OSError):
            os.utime(path)
        return result

    def store(self, key: str, result: Any) -> None:
        path = self._path(key)
        with contextlib.suppress(OSError, InputError):
            path.parent.mkdir(parents=True, exist_ok=True)
            write_file(path, _text({"checksum": _checksum(key, result), "result": result}))

    def _path(self, key: str) -> Path:
        name = hashlib.sha256(key.encode()).hexdigest()
        return self.folder / name[:2] / f"{name}.json"

    def remove_unused(self) -> None:
        for path in self.folder.glob("??/*.json"):
            with contextlib.suppress(OSError):  # another process may be removing it
                if time.time() - path.stat().st_mtime > UNUSED:
                    path.unlink()


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _checksum(key: str, result: Any) -> str:
    return hashlib.sha256(f"{key}\n{_text(result)}".encode()).hexdigest()


# -- Asking ---------------------------------------------------------------------------------------------------

_keeper: ContextVar[Keeper | None] = ContextVar("keeper", default=None)


@contextlib.contextmanager
def keeping(fresh: bool = False) -> Iterator[Keeper | None]:
    """Keep the results computed within, and reuse kept ones unless `fresh`; yields None if nothing is kept."""
    folder = cache_folder()
    keeper = None if folder is None else Keeper(folder, fresh)
    token = _keeper.set(keeper)
    try:
        yield keeper
    finally:
        _keeper.reset(token)
        if keeper is not None:
            keeper.remove_unused()


def cache_folder() -> Path | None:
    """The folder of kept results, if any."""
    chosen = os.environ.get(FOLDER, "")
    if chosen.lower() == "off" or os.environ.get("CI", "").lower() in ("1", "true", "yes"):
        return None
    try:
        usual = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rulecheck"
    except RuntimeError:  # no home folder
        usual = None
    return Path(chosen) if chosen else usual and usual / "results"


def run_kept(
    game: Game,
    what: str,
    work: Callable[[A], R],
    arguments: Sequence[A],
    kind: Any,
    *,
    jobs: int = 1,
    report: Report,
    run: Run[A, R] | None = None,
) -> list[R]:
    """`[work(a) for a in arguments]`, in parallel, with kept results reused. `kind` is the type of a result, `what` the
    plural word for them. `run` computes the missing ones if `run_all` cannot."""
    keeper = _keeper.get()
    compute = run or (lambda missing: run_all(work, missing, jobs=jobs, report=report))
    if keeper is None:
        return compute(arguments)
    keys = [keeper.key(game, work, argument) for argument in arguments]
    results = {at: rebuilt(kind, loaded) for at, key in enumerate(keys) for loaded in _loaded(keeper, key)}
    missing = [at for at in range(len(arguments)) if at not in results]
    keeper.asked[what] += len(arguments)
    keeper.loaded[what] += len(results)
    for at, result in zip(missing, compute([arguments[at] for at in missing]) if missing else (), strict=True):
        results[at] = _kept(keeper, keys[at], result, kind)
    report(f"{what}, {len(arguments) - len(missing)} kept", 1.0)
    return [results[at] for at in range(len(arguments))]


def _loaded(keeper: Keeper, key: str | None) -> Iterator[Any]:
    if key is not None and not keeper.fresh:
        with contextlib.suppress(KeyError):
            yield keeper.load(key)


def _kept(keeper: Keeper, key: str | None, result: R, kind: Any) -> R:
    """The result as it would be loaded, so that computed and kept results are indistinguishable."""
    written = json.loads(_text(plain(result)))
    if key is not None:
        keeper.store(key, written)
    again: R = rebuilt(kind, written)
    return again


# -- What results depend on -----------------------------------------------------------------------------------


def digest(game: Game, analysis: str) -> str | None:
    """A digest of the sources of an analysis and of a game with all that they import, of the data beside them, and of
    the installed packages; None if any source has changed since this process began."""
    from solvers.sources import imported_sources, source_file, source_text

    named = [value.partition(":")[0] for value in vars(game).values() if isinstance(value, str) and ":" in value]
    roots = [analysis, entry_of(game.slug).partition(":")[0], type(game.hints).__module__, *named]
    tops = {"rulecheck", "specs", "solvers", *(name.partition(".")[0] for name in roots)}
    installed = tuple(sysconfig.get_path(name) for name in ("purelib", "platlib", "stdlib", "platstdlib"))

    def follows(module: str) -> bool:
        top = module.partition(".")[0]
        if top in tops or top in sys.stdlib_module_names:
            return top in tops
        file = source_file(top)
        return file is not None and not str(file).startswith(installed)

    texts = {name: text for name in roots if (text := source_text(name)) is not None}
    modules = imported_sources(texts, follows, loaded=True)
    files = sorted({path for name in modules for path in _beside(source_file(name))})
    if any(path.stat().st_mtime > STARTED for path in files):
        return None
    parts = [_versions(), *(f"{name} {_hash(text)}" for name, text in sorted(modules.items()))]
    parts += [f"{path.name} {_hash(path.read_bytes())}" for path in files if path.suffix != ".py"]
    return _hash("\n".join(parts).encode())


def _beside(file: Path | None) -> Iterator[Path]:
    """A module's file, and for a package also the data in its folder."""
    if file is None:
        return
    yield file
    if file.name == "__init__.py":
        yield from (path for path in file.parent.iterdir() if path.is_file() and path.suffix not in (".py", ".pyc"))


def _versions() -> str:
    from importlib.metadata import distributions

    installed = sorted({f"{d.metadata['Name']} {d.version}" for d in distributions()})
    return "\n".join([sys.version, *installed])


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
