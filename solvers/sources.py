"""The sources that a source imports, directly or not, read as text: nothing is run."""

from __future__ import annotations

import ast
import functools
import importlib.util
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

NAMED = re.compile(r"[A-Za-z_][\w.]*(?=:[A-Za-z_][\w.]*\Z)")  # the module of "module:attribute"


def imported_sources(
    texts: Mapping[str, bytes], follows: Callable[[str], bool], *, loaded: bool = False
) -> dict[str, bytes]:
    """These modules, by name, and whatever they import, directly or not, among the modules that `follows` accepts.

    If `loaded`, also modules that no statement imports: packages, which come with their modules, and modules that a
    text such as "module:attribute" names, because it may load them.
    """
    sources = dict(texts)
    queue = list(texts)
    for name in queue:
        for other in (_loaded if loaded else _imported)(sources[name], name):
            if other not in sources and follows(other) and (text := source_text(other)) is not None:
                sources[other] = text
                queue.append(other)
    return sources


@functools.cache
def source_file(module: str) -> Path | None:
    """Located without importing anything; None if it is not a module, or not written in Python."""
    top, *inner = module.split(".")
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError):  # what was imported is no module
        return None
    file = spec and spec.origin and Path(spec.origin)
    folders = [Path(folder) for folder in spec.submodule_search_locations or ()] if spec else []
    for name in inner:
        places = [path for folder in folders for path in (folder / name / "__init__.py", folder / f"{name}.py")]
        file = next((path for path in places if path.is_file()), None)
        folders = [folder / name for folder in folders]
    return file if file and file.suffix == ".py" else None


@functools.cache
def source_text(module: str) -> bytes | None:
    file = source_file(module)
    return None if file is None else file.read_bytes()


@functools.cache
def _loaded(text: bytes, module: str) -> frozenset[str]:
    texts = (n.value for n in ast.walk(_parsed(text)) if isinstance(n, ast.Constant) and isinstance(n.value, str))
    named = (match.group() for match in map(NAMED.match, texts) if match)
    paths = [name.split(".") for name in (module, *_imported(text, module), *named)]
    return frozenset(".".join(path[:length]) for path in paths for length in range(1, len(path) + 1))


@functools.lru_cache(maxsize=1)
def _parsed(text: bytes) -> ast.Module:
    return ast.parse(text)


@functools.cache
def _imported(text: bytes, module: str) -> tuple[str, ...]:
    """Names of all modules that a source imports, and more: the text does not show which names are modules."""
    return tuple(name for node in ast.walk(_parsed(text)) for name in _names(node, module))


def _names(node: ast.AST, module: str) -> Iterator[str]:
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
