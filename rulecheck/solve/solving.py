"""One way to solve any game: by its compiled successors, by its own graph, by number, or as its engine explores it."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rulecheck.explore import LIMIT, TooLargeError
from rulecheck.jobs import Report, ignore
from rulecheck.model import InputError
from rulecheck.registry import Choice
from rulecheck.solve.spaces import packing_of
from rulecheck.solve.tables import Chart, Method, own_chart, size_by_number
from rulecheck.wording import duration

if TYPE_CHECKING:
    from rulecheck.solve.solved import Solved

EACH = 250  # bytes a position explored by an engine takes at most, of the games in docs/examples; see the benchmarks
TELLING = 1_000  # positions after which a pace can be told


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


def solve(choice: Choice, folder: Path, effort: Effort, report: Report = ignore) -> Solved:
    """Solve, have the answer checked, and write the table. What the checker does not accept is not written."""
    method, chart = method_for(choice, effort)
    _refuse(choice, method, effort)
    if method is Method.RETROGRADE:
        from rulecheck.solve.solver import solve_space

        return solve_space(choice, folder, report, resume=effort.resume, jobs=effort.jobs)
    if method is Method.GRAPH:
        from rulecheck.solve.solver import MOST_EXACT, WIDTH, solve_chart

        width = WIDTH if effort.width is None else effort.width
        most = MOST_EXACT if effort.exact else math.inf
        return solve_chart(choice, folder, width, resume=effort.resume, most=most, chart=chart, report=report)
    if method is Method.NUMBER:
        return _by_number(choice, folder, effort, report)
    return _by_play(choice, folder, effort, report)


def method_for(choice: Choice, effort: Effort) -> tuple[Method, Chart | None]:
    """The quickest that the game has for these parameters and readings, with its graph if that was drawn to know."""
    if packing_of(choice) is not None:
        return Method.RETROGRADE, None
    if size_by_number(choice):
        return (Method.GRAPH if effort.exact else Method.NUMBER), None  # only a graph has exact values
    chart = own_chart(choice)
    return (Method.PLAY, None) if chart is None else (Method.GRAPH, chart)


def _by_number(choice: Choice, folder: Path, effort: Effort, report: Report) -> Solved:
    from rulecheck.solve.by_number import solve_by_number
    from rulecheck.solve.solver import WIDTH

    return solve_by_number(
        choice, folder, WIDTH if effort.width is None else effort.width, resume=effort.resume, sweeps=effort.sweeps,
        rounds=effort.rounds, jobs=effort.jobs, report=report,
    )  # fmt: skip


def _by_play(choice: Choice, folder: Path, effort: Effort, report: Report) -> Solved:
    from rulecheck.solve.by_play import solve_by_play

    begin = time.process_time()
    try:
        return solve_by_play(
            choice, folder, hero=effort.hero, width=effort.width, exact=effort.exact, resume=effort.resume,
            limit=effort.limit or LIMIT, report=report,
        )  # fmt: skip
    except TooLargeError as error:
        met, seconds = effort.limit or LIMIT, time.process_time() - begin
        raise too_large(choice, error, demand(choice, met, seconds)) from None


def demand(choice: Choice, met: int, seconds: float) -> str:
    """What exploring further would take, at the pace of the positions met; nothing if these are too few to tell."""
    if met < TELLING:
        return ""
    each = seconds / met

    def takes(count: int) -> str:
        return f"{duration(max(60, count * each))} and {math.ceil(count * EACH / 1e6):,} MB"

    words = f"; a million take about {takes(1_000_000)}"
    if choice.game.fields is not None:
        size = choice.game.fields(choice.params).size
        words += f", and all {size:,} arrangements of its fields would take at most {takes(size)}"
    return words


def too_large(choice: Choice, error: TooLargeError, demanded: str = "") -> InputError:
    """With what can be done about it."""
    smaller = next(iter(choice.game.rulebook.versions), None)
    options = "".join(f" -p {name}={value}" for name, value in (smaller.params.items() if smaller else ()))
    choose = f"choose a smaller version, as with{options}" if options else "choose smaller parameters (-p)"
    ahead = f"rulecheck probe {choice.game.slug} --depth N"
    return InputError(f"{error}{demanded}; {choose}, or allow more (--limit N), or look N moves ahead ({ahead})")


# -- What does not apply -----------------------------------------------------------------------------------------


def _refuse(choice: Choice, method: Method, effort: Effort) -> None:
    game = choice.game.slug
    if method is not Method.PLAY:
        refuse_play(game, effort)
    if method is Method.RETROGRADE:
        refuse_bounds(game, effort.width, effort.exact)
        if effort.limits:
            raise InputError(f"{effort.limits[0]} is for games with dice, and {game} has none: its outcomes are exact")
    elif method is Method.NUMBER:
        if len(effort.limits) > 1:
            raise InputError("--sweeps is for a solve without plans and --rounds for one with them; leave one out")
    else:
        how = "explored by its engine" if method is Method.PLAY else "drawn as a graph"
        for option in effort.limits + (["--jobs"] if effort.jobs > 1 else []):
            raise InputError(f"{option} is for large games that are solved by number, and this one is {how}")


def refuse_play(game: str, effort: Effort) -> None:
    for option, given in (("--for", effort.hero), ("--limit", effort.limit)):
        if given is not None:
            raise InputError(f"{option} is for games that are explored by their engines; {game} has a quicker way")


def refuse_bounds(game: str, width: float | None, exact: bool) -> None:
    for option, given in (("--width", width is not None), ("--exact", exact)):
        if given:
            raise InputError(f"{option} is for games with dice, and {game} has none: its outcomes are exact")
