"""One way to solve any game: by its compiled successors, by its own graph, by number, or as its engine explores it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rulecheck.explore import LIMIT, TooLargeError
from rulecheck.jobs import Report, ignore
from rulecheck.model import InputError
from rulecheck.registry import Choice

if TYPE_CHECKING:
    from rulecheck.solve.by_number import WalkSolved
    from rulecheck.solve.by_play import PlaySolved
    from rulecheck.solve.solver import Settled, Solved
    from rulecheck.solve.tables import Chart

    AnySolved = Settled | Solved | WalkSolved | PlaySolved


@dataclass(frozen=True)
class Effort:
    """How a game is to be solved; what does not apply to it is refused."""

    width: float | None = None
    exact: bool = False
    sweeps: int | None = None
    rounds: int | None = None
    hero: str | None = None
    limit: int | None = None
    resume: bool = False
    jobs: int = 1

    @property
    def limits(self) -> list[str]:
        """The options after which a solve by number ends with what is proved by then."""
        given = (("--sweeps", self.sweeps), ("--rounds", self.rounds))
        return [option for option, limit in given if limit is not None]


def solve(choice: Choice, folder: Path, effort: Effort, report: Report = ignore) -> AnySolved:
    """Solve, have the answer checked, and write the table. What the checker does not accept is not written."""
    from rulecheck.solve.solver import settle_game
    from rulecheck.solve.spaces import packing_of
    from rulecheck.solve.tables import own_chart, size_by_number

    if packing_of(choice) is not None:
        refuse_play(choice.game.slug, effort)
        _refuse_bounds(choice.game.slug, effort)
        return settle_game(choice, folder, report, resume=effort.resume, jobs=effort.jobs)
    chart = None if size_by_number(choice) else own_chart(choice)
    if chart is not None or size_by_number(choice):
        refuse_play(choice.game.slug, effort)
        return _bound(choice, chart, folder, effort, report)
    _refuse_numbers(effort, "explored by its engine")
    return _by_engine(choice, folder, effort, report)


def _bound(choice: Choice, chart: Chart | None, folder: Path, effort: Effort, report: Report) -> Solved | WalkSolved:
    """Of a game with dice that brings a graph of itself, or numbers its positions."""
    from rulecheck.solve.by_number import solve_by_number
    from rulecheck.solve.solver import MOST_EXACT, WIDTH, solve_game
    from rulecheck.solve.tables import size_by_number

    width = WIDTH if effort.width is None else effort.width
    if not size_by_number(choice) or effort.exact:
        _refuse_numbers(effort, "drawn as a graph")
        most = MOST_EXACT if effort.exact else math.inf
        return solve_game(choice, folder, width, resume=effort.resume, most=most, chart=chart, report=report)
    if len(effort.limits) > 1:
        raise InputError("--sweeps is for a solve without plans and --rounds for one with them; leave one of them out")
    return solve_by_number(
        choice, folder, width, resume=effort.resume, sweeps=effort.sweeps, rounds=effort.rounds, jobs=effort.jobs,
        report=report,
    )  # fmt: skip


def _by_engine(choice: Choice, folder: Path, effort: Effort, report: Report) -> PlaySolved:
    from rulecheck.solve.by_play import solve_by_play

    try:
        return solve_by_play(
            choice, folder, hero=effort.hero, width=effort.width, exact=effort.exact, resume=effort.resume,
            limit=effort.limit or LIMIT, report=report,
        )  # fmt: skip
    except TooLargeError as error:
        raise too_large(choice, error) from None


def too_large(choice: Choice, error: TooLargeError) -> InputError:
    """With what can be done about it."""
    smaller = next(iter(choice.game.rulebook.versions), None)
    options = "".join(f" -p {name}={value}" for name, value in (smaller.params.items() if smaller else ()))
    choose = f"choose a smaller version, as with{options}" if options else "choose smaller parameters (-p)"
    ahead = f"rulecheck probe {choice.game.slug} --depth N"
    return InputError(f"{error}; {choose}, or allow more (--limit N), or look N moves ahead ({ahead})")


def refuse_play(game: str, effort: Effort) -> None:
    for option, given in (("--for", effort.hero), ("--limit", effort.limit)):
        if given is not None:
            raise InputError(f"{option} is for games that are explored by their engines; {game} has a quicker way")


def _refuse_bounds(game: str, effort: Effort) -> None:
    from rulecheck.solve.by_play import refuse_bounds

    refuse_bounds(game, effort.width, effort.exact)
    if effort.limits:
        raise InputError(f"{effort.limits[0]} is for games with dice, and {game} has none: its outcomes are exact")


def _refuse_numbers(effort: Effort, how: str) -> None:
    for option in effort.limits + (["--jobs"] if effort.jobs > 1 else []):
        raise InputError(f"{option} is for large games that are solved by number, and this one is {how}")
