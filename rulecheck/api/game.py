"""An open game: its parameters and readings chosen, and every analysis a method."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rulecheck import registry
from rulecheck.api.position import Position
from rulecheck.api.proof import Proof
from rulecheck.contract import AnyEngine, AnySpec
from rulecheck.jobs import Report, ignore
from rulecheck.model import InputError, Readings
from rulecheck.registry import Choice
from rulecheck.rulebook import Rulebook, check_known

if TYPE_CHECKING:
    from rulecheck.analyses.ambiguities import Ambiguity
    from rulecheck.analyses.claims import Matrix
    from rulecheck.analyses.clauses import Coverage
    from rulecheck.analyses.comparison import Comparison
    from rulecheck.analyses.stalemates import Stalemate
    from rulecheck.api.table import Table
    from rulecheck.puzzles.model import Puzzle

TABLES = Path("tables")


def list_games() -> list[str]:
    """The short names of all games that are installed."""
    return registry.names()


def open(
    game: str,
    /,
    *,
    params: Mapping[str, object] | None = None,
    readings: Mapping[str, object] | None = None,
    **chosen: object,
) -> OpenGame:
    """Open a game as printed, except for what is chosen: each keyword names a parameter or a reading.

    A name that is both must be given in `params` or in `readings`, which accept any name.
    """
    printed = registry.find(game)
    sides = _texts(params or {}), _texts(readings or {})
    for name, value in _texts(chosen).items():
        side = sides[_is_reading(printed.rulebook, name)]
        if name in side:
            raise InputError(f"{name!r} is chosen twice, as {side[name]!r} and as {value!r}")
        side[name] = value
    return OpenGame(Choice(printed, printed.params(sides[0]), printed.rulebook.choose(sides[1])))


def _texts(chosen: Mapping[str, object]) -> dict[str, str]:
    return {name: str(value) for name, value in chosen.items()}


def _is_reading(book: Rulebook, name: str) -> bool:
    parameters = [parameter.name for parameter in book.parameters]
    if name in parameters and name in book.options:
        raise InputError(f"{name!r} is a parameter and a reading of {book.slug}; say params= or readings= with it")
    if name not in parameters and name not in book.options:
        known = (f"{what}: {', '.join(names) or 'none'}" for what, names in _both(parameters, book.options))
        raise InputError(f"{book.slug} has neither a parameter nor a reading {name!r}; {'; '.join(known)}")
    return name in book.options


def _both(parameters: Iterable[str], readings: Iterable[str]) -> tuple[tuple[str, Iterable[str]], ...]:
    return ("parameters", parameters), ("readings", readings)


@dataclass(frozen=True)
class OpenGame:
    """A game with its parameters and readings chosen. `choice` is what the analyses themselves work with."""

    choice: Choice

    @property
    def slug(self) -> str:
        return self.choice.game.slug

    @property
    def title(self) -> str:
        return self.choice.game.title

    @property
    def rulebook(self) -> Rulebook:
        """Clauses, readings with their meanings, parameters and claims."""
        return self.choice.game.rulebook

    @functools.cached_property
    def params(self) -> dict[str, str]:
        """Every parameter, as text."""
        params: dict[str, str] = self.choice.params.as_dict()
        return params

    @property
    def changed_params(self) -> dict[str, str]:
        """The parameters to name for this version: none if it is the printed one."""
        return self.choice.game.named(self.choice.params)

    @property
    def readings(self) -> Readings:
        return self.choice.readings

    @property
    def changed_readings(self) -> dict[str, str]:
        """The readings that are not the default ones."""
        usual = self.rulebook.defaults()
        return {name: value for name, value in self.readings.items() if value != usual[name]}

    @property
    def is_printed(self) -> bool:
        """Is every choice as printed?"""
        return not self.changed_params and not self.changed_readings

    @functools.cached_property
    def engine(self) -> AnyEngine:
        return self.choice.engine()

    @functools.cached_property
    def spec(self) -> AnySpec:
        """The constraints; InputError if the game comes without them."""
        return self.choice.spec()

    @property
    def players(self) -> tuple[str, ...]:
        return self.engine.players

    @property
    def lists_all_moves(self) -> bool:
        """False if moves are a continuum, so that a list can hold only some of them."""
        return self.choice.game.hints.lists_all_moves

    def __str__(self) -> str:
        return self.choice.options

    def __repr__(self) -> str:
        return f"<{self}>"

    # -- Positions ---------------------------------------------------------------------------------------------

    def start(self) -> Position:
        return Position(self, self.engine.start())

    def position(self, text: str) -> Position:
        """Read a position, as `str(position)` writes it."""
        return Position(self, self.choice.game.read_position(self.choice.params, text))

    def perft(self, depth: int) -> int:
        """The number of sequences of `depth` moves from the start."""
        return self.start().perft(depth)

    # -- Checking the rules ------------------------------------------------------------------------------------

    @property
    def families(self) -> list[str]:
        """The families that `prove` can prove."""
        return list(self.choice.game.hints.family_names(self.choice.params))

    @property
    def asked(self) -> list[str]:
        """The readings that matter with these parameters; of the printed game also those about its other boards."""
        book = self.rulebook
        return list(book.options if self.is_printed else book.asked(self.params))

    def prove(self, *families: str, every_reading: bool = False, jobs: int = 1, report: Report = ignore) -> Proof:
        """Prove that engine and constraints agree, in these families or in all of them."""
        from rulecheck.analyses.prove import prove_all, tasks

        todo = tasks(self.choice.game, self.params, self.readings, self.chosen_families(families), every_reading)
        results = prove_all(self.choice.game, todo, jobs, report)
        return Proof(self.choice.game, tuple(zip(todo, results, strict=True)))

    def chosen_families(self, named: Sequence[str]) -> Sequence[str]:
        """The families named, checked to exist, or all if none is named."""
        known = self.families
        for name in named:
            check_known("family", name, known)
        return named or known

    def ambiguities(self, *readings: str, jobs: int = 1, report: Report = ignore) -> list[Ambiguity]:
        """For each pair of values of these readings (or all): where they differ, or a proof that they do not."""
        from rulecheck.analyses.ambiguities import ambiguities

        for name in readings:
            check_known("reading", name, self.rulebook.options)
        names = readings or self.asked
        return ambiguities(self.choice.game, self.readings, names, jobs, report, self.params)

    def claims(self, *ids: str, report: Report = ignore) -> Matrix:
        """What the sheet says and what we derived from it, under every reading."""
        from rulecheck.analyses.claims import matrix

        game = self.choice.game
        return matrix(game, game.hints.checks(), only=ids or None, variant=self.changed_params, tick=report)

    def clauses(self) -> list[Coverage]:
        """For each clause the smallest case that it alone decides, or a proof that it adds nothing."""
        return list(self.choice.game.hints.coverage(self.choice.params, self.readings))

    def stalemates(self) -> list[Stalemate]:
        """Positions in which the rules leave a player with nothing to do."""
        return list(self.choice.game.hints.stalemates(self.choice.params, self.readings))

    def compare(self, games: int = 50, *, seed: int = 1, report: Report = ignore) -> Comparison:
        """Compare the chosen parameters and readings with the game as printed: `games` sampled games by each policy,
        small versions solved, claims that break."""
        from rulecheck.analyses.comparison import compare

        return compare(self.choice, games, seed, report)

    # -- Solving and puzzles -----------------------------------------------------------------------------------

    def solve(
        self,
        folder: str | Path = TABLES,
        *,
        player: str | None = None,
        width: float | None = None,
        sweeps: int | None = None,
        rounds: int | None = None,
        limit: int | None = None,
        resume: bool = False,
        jobs: int = 1,
        report: Report = ignore,
    ) -> Table:
        """Find what either side can force from every position, have it checked, and keep it as a table.

        With more than two players `player` is the one who stands against all others. `width` is how far apart the
        bounds of a game with dice may be, `limit` how many positions play may reach.
        """
        from rulecheck.api.table import open_table
        from rulecheck.solve.solving import Effort, solve

        effort = Effort(width=width, sweeps=sweeps, rounds=rounds, hero=player, limit=limit, resume=resume, jobs=jobs)
        return open_table(solve(self.choice, Path(folder), effort, report).path)

    def puzzles(
        self,
        count: int = 10,
        *kinds: str,
        seed: int = 1,
        budget: int | None = None,
        jobs: int = 1,
        report: Report = ignore,
    ) -> tuple[Puzzle, ...]:
        """Make `count` puzzles, spread over these kinds or all; fewer if the budget of tries runs out first."""
        from rulecheck.puzzles.mining import collect

        game, params = self.choice.game, self.choice.params
        if self.choice.readings != game.rulebook.defaults():
            raise InputError(f"puzzles of {self.slug} are made by its usual readings, and say what others would change")
        given = {} if params == game.params({}) else params.as_dict()
        return collect(game, kinds, count, seed, budget, jobs, report, given=given).puzzles
