"""Games are found through the entry-point group `rulecheck.games`, so an outside package can add one.

An entry point names a `Game`: the vocabulary of a game, and where its two encodings and its studies live.
The encodings are named by text and imported only when a command needs them, so that `--help` stays fast and
neither encoding can reach the other through this table.
"""

from __future__ import annotations

import functools
import importlib
import importlib.metadata
import importlib.resources
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rulecheck.model import Engine, InputError, Readings, Spec
from rulecheck.rulebook import Rulebook, check_known, read_rulebook

GROUP = "rulecheck.games"


class MissingPartError(InputError, AttributeError):
    """A study lacks a part: `hasattr` says no, and the command that needs it says so in one sentence."""


@dataclass(frozen=True)
class Game:
    """`package:file` names a data file, `module:name` a Python object."""

    slug: str
    title: str
    rulebook_file: str
    engine_name: str
    spec_name: str
    params: Callable[[Mapping[str, str]], Any]
    read_position: Callable[[Any, str], Any]
    read_move: Callable[[Any, str], Any]
    study_name: str | None = None
    mutants_file: str | None = None
    counts_file: str | None = None
    render_name: str | None = None

    @functools.cached_property
    def rulebook(self) -> Rulebook:
        return read_rulebook(read_resource(self.rulebook_file), self.rulebook_file.partition(":")[2])

    def engine(self, params: Any, readings: Readings) -> Engine:
        made: Engine = load(self.engine_name)(params, readings)
        return made

    def spec(self, params: Any, readings: Readings) -> Spec:
        made: Spec = load(self.spec_name)(params, readings)
        return made

    @functools.cached_property
    def study(self) -> Any:
        if self.study_name is None:
            raise InputError(f"{self.slug} comes without studies, so this command has nothing to run for it")
        return load(self.study_name)


@dataclass(frozen=True)
class Choice:
    """A game with its parameters and readings chosen."""

    game: Game
    params: Any
    readings: Readings

    def engine(self) -> Engine:
        return self.game.engine(self.params, self.readings)

    def spec(self) -> Spec:
        return self.game.spec(self.params, self.readings)


def load(name: str) -> Any:
    """The module, or the object in it, of this name; a package of somebody else's may fail in any way."""
    module, _, attribute = name.partition(":")
    try:
        found = importlib.import_module(module)
        return getattr(found, attribute) if attribute else found
    except Exception as error:
        raise InputError(f"{name} cannot be loaded: {type(error).__name__}: {error}") from error


def read_resource(name: str) -> str:
    package, _, file = name.partition(":")
    return importlib.resources.files(package).joinpath(file).read_text(encoding="utf-8")


def names() -> list[str]:
    return sorted(entry.name for entry in importlib.metadata.entry_points(group=GROUP))


def find(slug: str) -> Game:
    check_known("game", slug, names())
    (entry, *_) = importlib.metadata.entry_points(group=GROUP, name=slug)
    try:
        game = entry.load()
    except Exception as error:  # an outside package may fail in any way
        raise InputError(f"the game {slug!r} cannot be loaded from {entry.value}: {error}") from error
    if not isinstance(game, Game):
        raise InputError(f"the entry point {slug!r} of group {GROUP} is not a rulecheck.registry.Game")
    return game
