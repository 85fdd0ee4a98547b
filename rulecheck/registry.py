"""Games register in the entry-point group `rulecheck.games`, so an outside package can add one.

An entry point names a `Game`: the vocabulary of a game, and where its two encodings and its hints are.
Encodings are named as text and imported only when a command needs them, so that `--help` stays fast and
neither encoding can reach the other through this table.
"""

from __future__ import annotations

import functools
import importlib
import importlib.metadata
import importlib.resources
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulecheck.contract import AnyEngine, AnySpec, Rules
from rulecheck.fields import Fields, State
from rulecheck.model import InputError, Readings
from rulecheck.params import Params, read_params
from rulecheck.rulebook import Rulebook, check_known, read_rulebook

if TYPE_CHECKING:
    from rulecheck.hints import AnyHints

GROUP = "rulecheck.games"
USUAL_HINTS = "rulecheck.hints:Hints"  # by name, as encodings are: through it every analysis could be reached


@dataclass(frozen=True)
class Game:
    """`package:file` names a data file, `module:name` a Python object."""

    slug: str
    title: str
    rulebook_file: str
    engine_name: str
    spec_name: str | None = None
    params: Callable[[Mapping[str, str]], Any] = field(default=None)  # type: ignore[assignment]  # see __post_init__
    fields: Callable[[Any], Fields] | None = None
    read_position: Callable[[Any, str], Any] = field(default=None)  # type: ignore[assignment]
    read_move: Callable[[Any, str], Any] = field(default=None)  # type: ignore[assignment]
    hints_name: str | None = None
    mutants_file: str | None = None
    counts_file: str | None = None
    render_name: str | None = None
    letter_file: str | None = None  # the letter to the designer, in a player's words

    def __post_init__(self) -> None:
        """Parameters are read as the rulebook declares them, positions as their fields, moves as the alphabet has them,
        unless the game brings readers of its own."""
        if self.params is None:
            object.__setattr__(self, "params", self._read_params)
        if self.read_position is None:
            object.__setattr__(self, "read_position", self._read_fields)
        if self.read_move is None:
            object.__setattr__(self, "read_move", self._read_candidate)

    def _read_params(self, given: Mapping[str, str]) -> Params:
        return read_params(self.rulebook, given)

    def _read_fields(self, params: Any, text: str) -> State:
        if self.fields is None:
            raise InputError(f"{self.slug} says neither how its positions are read nor what fields they have")
        return self.fields(params).read(text)

    def _read_candidate(self, params: Any, text: str) -> Any:
        engine = self.engine(params, self.rulebook.defaults())
        if not isinstance(engine, Rules):
            raise InputError(f"{self.slug} does not say how its moves are read")
        known = {str(move): move for move in engine.candidates()}
        check_known("move", text, known)
        return known[text]

    @functools.cached_property
    def rulebook(self) -> Rulebook:
        return read_rulebook(read_resource(self.rulebook_file), self.rulebook_file.partition(":")[2])

    def named(self, params: Any) -> dict[str, str]:
        """The parameters to name for a version: those not as printed, and those that would follow from these."""
        usual, every = self.params({}).as_dict(), params.as_dict()
        named = dict(every)
        for name in every:
            fewer = {other: value for other, value in named.items() if other != name}
            if every[name] == usual.get(name) and self._reads(fewer, every):
                named = fewer
        return named

    def _reads(self, given: Mapping[str, str], wanted: Mapping[str, str]) -> bool:
        try:
            return bool(self.params(given).as_dict() == wanted)
        except InputError:
            return False

    def engine(self, params: Any, readings: Readings) -> AnyEngine:
        made: AnyEngine = load(self.engine_name)(params, readings)
        return made

    def spec(self, params: Any, readings: Readings) -> AnySpec:
        if self.spec_name is None:
            raise InputError(f"{self.slug} comes without constraints")
        made: AnySpec = load(self.spec_name)(params, readings)
        return made

    @functools.cached_property
    def hints(self) -> AnyHints:
        """The game's own hints, or the defaults."""
        kind, usual = load(self.hints_name or USUAL_HINTS), load(USUAL_HINTS)
        if not (isinstance(kind, type) and issubclass(kind, usual)):
            raise InputError(f"{self.hints_name} is not a class of rulecheck.hints.Hints")
        made: AnyHints = kind(self)
        return made


@dataclass(frozen=True)
class Choice:
    """A game with its parameters and readings chosen."""

    game: Game
    params: Any
    readings: Readings

    def engine(self) -> AnyEngine:
        return self.game.engine(self.params, self.readings)

    def spec(self) -> AnySpec:
        return self.game.spec(self.params, self.readings)

    @property
    def options(self) -> str:
        """The arguments of a command that choose the same game."""
        usual = self.game.rulebook.defaults()
        texts = [f"-p {k}={v}" for k, v in self.game.named(self.params).items()]
        texts += [f"-r {k}={v}" for k, v in self.readings.items() if v != usual[k]]
        return " ".join((self.game.slug, *texts))


def load(name: str) -> Any:
    """Load the module, or the object in it, of this name; an outside package may fail in any way."""
    module, _, attribute = name.partition(":")
    try:
        imported = importlib.import_module(module)
        return getattr(imported, attribute) if attribute else imported
    except Exception as error:
        raise InputError(f"{name} cannot be loaded: {type(error).__name__}: {error}") from error


def read_resource(name: str) -> str:
    package, _, file = name.partition(":")
    return importlib.resources.files(package).joinpath(file).read_text(encoding="utf-8")


def names() -> list[str]:
    return sorted(entry.name for entry in importlib.metadata.entry_points(group=GROUP))


def entry_of(slug: str) -> str:
    """The `module:name` of a game's entry point; empty if it is not installed."""
    return next((entry.value for entry in importlib.metadata.entry_points(group=GROUP, name=slug)), "")


def outside_names() -> list[str]:
    """The games of other packages."""
    ours = f"{__package__}."
    return [entry.name for entry in importlib.metadata.entry_points(group=GROUP) if not entry.value.startswith(ours)]


def outside_folders() -> set[Path]:
    """The folders of imported games from other packages."""
    tops = {entry.value.partition(":")[0].partition(".")[0] for entry in importlib.metadata.entry_points(group=GROUP)}
    loaded = [sys.modules[top] for top in tops - {__package__} if top in sys.modules]
    return {Path(module.__file__).parent for module in loaded if module.__file__ is not None}


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
