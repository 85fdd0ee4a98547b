"""What a game may bring besides its engine, rulebook and constraints: one object whose parts all have defaults.

The defaults are the analyses that work for every game. A game overrides what it knows better: a faster method, a
stronger proof, a question of its own. Nothing heavy is imported before a part is used.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from rulecheck.contract import AnyEngine, AnySpec, M, P, Parameters
from rulecheck.jobs import Report
from rulecheck.model import InputError, Readings, Result

if TYPE_CHECKING:
    from rulecheck.analyses.ambiguities import Ambiguity
    from rulecheck.analyses.claims import Check
    from rulecheck.analyses.clauses import Coverage, DeadText
    from rulecheck.analyses.families import Encodings, Tick
    from rulecheck.analyses.stalemates import Proposal, Stalemate
    from rulecheck.playouts import Record
    from rulecheck.puzzles.kinds import Kind
    from rulecheck.puzzles.rules import Listing
    from rulecheck.registry import Game
    from rulecheck.solve.packed import Packing
    from rulecheck.solve.tables import Chart
    from solvers.walks import WalkSource

Q = TypeVar("Q", bound=Parameters)  # the parameters of a game
Estimate = Callable[[AnyEngine, P, str], float]  # how well a player stands, at a glance
Row = dict[str, Any]  # of a JSON document

COMPARED = ("legality", "results", "winners")  # what proofs may be about


class MissingPartError(InputError):
    """A game lacks what a command needs, and there is no default for it."""


class Hints(Generic[Q, P, M]):
    """`long_families` are proofs that only a full audit runs, and only under the default readings; `quick_families` are
    those that tell most about a reading value. `pair_families` (or else the quick ones) are proved under `paired`
    combinations of readings in a plain audit, and with the quick ones under all of them in a full one.
    """

    long_families: tuple[str, ...] = ()
    quick_families: tuple[str, ...] = ()
    pair_families: tuple[str, ...] = ()
    paired: int = 1
    lists_all_moves: bool = True  # False where moves are a continuum, of which `offered` draws some
    arrangements: int = 1_000_000  # of the largest version on which proofs by fields are run
    compiled: str | None = None  # `module:function` that makes the compiled successors, for mutants of them

    def __init__(self, game: Game) -> None:
        self.game = game

    # -- Proofs ------------------------------------------------------------------------------------------------

    @property
    def compares(self) -> tuple[str, ...]:
        """Which of COMPARED the families cover: legality alone, unless the constraints state more."""
        from rulecheck.analyses.families import compares

        return compares(self.game)

    def family_names(self, params: Q) -> list[str]:
        from rulecheck.analyses.families import family_names

        if self.game.spec_name is None:
            raise MissingPartError(f"{self.game.slug} comes without constraints, so there is nothing to prove")
        return family_names(self.game)

    def run_family(self, family: str, params: Q, encodings: Encodings, readings: Readings, tick: Tick) -> Result:
        from rulecheck.analyses.families import run_family

        return run_family(self.game, family, params, encodings, readings, tick)

    # -- What is checked ---------------------------------------------------------------------------------------

    def checks(self) -> Mapping[str, Check]:
        """The checks that claims can name."""
        from rulecheck.analyses.checks import checks

        return checks(self.game)

    def separate(self, base: Readings, name: str, values: tuple[str, str]) -> Ambiguity:
        """Where two values of a reading differ, or a proof that they never do."""
        from rulecheck.analyses.separating import separate

        return separate(self.game, base, name, values)

    def coverage(self, params: Q, readings: Readings) -> Iterable[Coverage]:
        """The smallest case that each clause alone decides, or a proof that it adds nothing."""
        from rulecheck.analyses.deciding import coverage

        if self.game.spec_name is None:
            raise MissingPartError(f"{self.game.slug} comes without constraints, so no clause can be asked about")
        return coverage(self.game, params, readings)

    def dead_text(self, params: Q, readings: Readings) -> Iterable[DeadText]:
        """Clauses that have no effect under some reading."""
        return ()

    def stalemates(self, params: Q, readings: Readings) -> Iterable[Stalemate]:
        from rulecheck.analyses.dead_ends import stalemates

        return stalemates(self.game, params, readings)

    def proposals(self, params: Q, readings: Readings) -> Iterable[Proposal]:
        """Better wordings for rules, with what is proved about them."""
        return ()

    # -- Solved games ------------------------------------------------------------------------------------------

    def solved(self, jobs: int, report: Report) -> Row | None:
        """Small games solved for the report, as printed and under the readings that matter."""
        from rulecheck.analyses.solved_play import solved_games

        return solved_games(self.game, jobs, report)

    def impact(self, names: Sequence[str], jobs: int, report: Report) -> list[Row]:
        """Solved games, as printed and under each value of the readings named."""
        from rulecheck.analyses.solved_play import solved_rows

        return solved_rows(self.game, names, jobs, report)

    def normaliser(self, params: Q) -> Callable[[P], P] | None:
        """A function that maps symmetric positions to one of them; None if there are no symmetries."""
        if self.game.fields is None:
            return None
        fields = self.game.fields(params)
        return fields.alike if fields.symmetries else None  # type: ignore[return-value]  # its positions are states

    def packing(self, params: Q, readings: Readings) -> Packing | None:
        """Compiled successors of a game without dice, if it has any for these parameters and readings."""
        return None

    def chart(self, engine: AnyEngine, report: Report) -> Chart | None:
        """The graph of a game with dice, if the game builds its own."""
        return None

    def by_number(self, engine: AnyEngine) -> int:
        """The number of arrangements, if they are solved by number because a graph would be too large; else 0."""
        return 0

    def walks(self, params: Q, readings: Readings) -> WalkSource:
        """The walks of a game that is solved by number."""
        raise MissingPartError(f"{self.game.slug} is not solved by number")

    def number(self, params: Q, position: P) -> int:
        raise MissingPartError(f"{self.game.slug} is not solved by number")

    def numbered(self, params: Q, number: int) -> P:
        raise MissingPartError(f"{self.game.slug} is not solved by number")

    def brought(self, params: Q, position: P) -> str | None:
        """What chance has brought to a position in which a player is to choose, if the position shows it."""
        return None

    # -- Whole games -------------------------------------------------------------------------------------------

    def estimate(self) -> Estimate[P] | None:
        """How a greedy player rates a position; None if the game does not say."""
        return None

    def offered(self, engine: AnyEngine, position: P, rng: random.Random) -> Mapping[M, P]:
        """Moves to choose from."""
        return engine.moves(position)

    def actor(self, engine: AnyEngine, position: P, move: M) -> str:
        """Whose move it is; where players do not wait for turns, the move says so."""
        return engine.actor(position)

    def counts(self, params: Q, record: Record) -> dict[str, int]:
        """Further figures to count in a whole game."""
        return {}

    def replay(self, engine: AnyEngine, line: Sequence[str]) -> P:
        """The position after a line of play, written as in witnesses."""
        from rulecheck.analyses.checks import after

        params = {"params": engine.params.as_dict()}
        position: P | str = after(self.game, engine, params, engine.start(), line)
        if isinstance(position, str):
            raise InputError(position)
        return position

    def in_words(self, params: Q) -> str:
        """What is played, as one would say it: the size of the board, who has which pieces."""
        said = params.as_dict()
        return ", ".join(f"{p.name} {said[p.name]}" for p in self.game.rulebook.parameters if p.name in said)

    # -- Puzzles -----------------------------------------------------------------------------------------------

    def puzzles(self) -> Sequence[Kind]:
        """The kinds of puzzles."""
        from rulecheck.puzzles.generic import generic_kinds

        return generic_kinds(self.game)

    def stated_turns(self, spec: AnySpec) -> Listing:
        """How to list the moves of many positions by the constraints."""
        raise MissingPartError(f"{self.game.slug} does not say how its constraints list moves")

    def turned(self, params: Q, position: P, player: str) -> P:
        """The same position, were it this player's turn."""
        raise MissingPartError(f"{self.game.slug} does not say how a position looks to another player to act")

    def same_puzzle(self, params: Q, position: P) -> P:
        """The same position for all that make the same puzzle."""
        normalised = self.normaliser(params)
        return position if normalised is None else normalised(position)


AnyHints = Hints[Any, Any, Any]
