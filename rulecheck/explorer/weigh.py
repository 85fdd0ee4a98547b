"""What a position and every way on are worth: by a table in the folder, or else by solving all play from here.

Small games are solved within a budget of positions and time, and the checker must accept the answer. The rest is
reported as not solved, with what is known; nothing is ever estimated.
"""

from __future__ import annotations

import functools
import time
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulecheck.contract import EVERYBODY
from rulecheck.explore import Explored, TooLargeError
from rulecheck.explorer.address import Address
from rulecheck.explorer.look import Table, table_of
from rulecheck.model import InputError
from rulecheck.solve.tables import table_name

if TYPE_CHECKING:
    from rulecheck.analyses.solved_play import SolvedPlay

Document = dict[str, Any]
POSITIONS = 20_000  # the most that play may reach from the start ...
SECONDS = 3.0  # ... and the longest that exploring them may take
POSITIONS_HERE = 6_000  # the same from any other position, since each move asks again
SECONDS_HERE = 1.0
MOST_SOLVED = 24  # solved graphs of play to keep


class OverBudgetError(Exception):
    """Exploring took too long."""


class _Clock:
    """A progress report that stops the work after its time, measured in processor time."""

    def __init__(self, seconds: float) -> None:
        self.end = time.process_time() + seconds

    def __call__(self, what: str, done: float) -> None:
        if time.process_time() > self.end:
            raise OverBudgetError


Key = tuple[Any, ...]
_solved: OrderedDict[Key, SolvedPlay[Any, Any] | Exception] = OrderedDict()  # or why it is not solved


def weigh(address: Address, folder: Path, reports: Path) -> Document:
    """The document of `probe --json`, with its source; or `solved: false`, with what is known."""
    table = table_of(address)
    here = table.engine.start() if address.position is None else table.read(address.position)
    if table.engine.end(here) is None and table.engine.actor(here) == EVERYBODY:
        reason = "players do not wait for turns here, so play is not solved turn by turn"
        return _not_solved(table, reason, reports)
    stored, refused = _by_table(table, here, folder)
    return (stored or _solved_now(address, table, here, reports)) | ({"refused": refused} if refused else {})


def _solved_now(address: Address, table: Table, here: Any, reports: Path) -> Document:
    try:
        return _by_play(address, table, here)
    except (TooLargeError, OverBudgetError):
        return _not_solved(table, "play from here is too large to solve on the fly", reports)
    except InputError as error:  # no solver takes this kind of play
        return _not_solved(table, str(error), reports)


def _hero(table: Table, here: Any) -> str | None:
    """With more than two players, the one to act plays against all others."""
    engine = table.engine
    if len(engine.players) <= 2:
        return None
    return engine.players[0] if engine.end(here) is not None else engine.actor(here)


# -- Tables ----------------------------------------------------------------------------------------------------


def _by_table(table: Table, here: Any, folder: Path) -> tuple[Document | None, str]:
    """What a table says, or why it has no answer (damaged, for other rules, without this position)."""
    from rulecheck.solve.probing import probe_table
    from rulecheck.solve.tables import find_table

    choice, hero = table.choice, _hero(table, here)
    path = folder / f"{table_name(choice, hero)}.table"
    if not path.is_file():
        return None, ""
    try:
        with find_table(choice, path, folder, hero) as opened:
            probed = probe_table(opened, choice, here, hero).as_json()
    except InputError as error:
        return None, str(error)
    return {"solved": True, "source": f"table {path.name}", **probed}, ""


# -- Solved here and now ---------------------------------------------------------------------------------------


def _by_play(address: Address, table: Table, here: Any) -> Document:
    from rulecheck.solve.probing import probe

    hero = _hero(table, here)
    values, whole = _values(address, table, here, hero)
    positions = len(values.graph.play)
    where = "the whole game" if whole else "all play from here"
    probed = probe(values, table.choice, here, hero).as_json()
    return {"solved": True, "source": f"{where}: {positions:,} positions, solved now and checked", **probed}


def _values(address: Address, table: Table, here: Any, hero: str | None) -> tuple[SolvedPlay[Any, Any], bool]:
    asked = (address.game, address.params, address.readings, hero)
    whole = _kept((*asked, None), functools.partial(_solve, table, None, hero, POSITIONS, SECONDS))
    if not isinstance(whole, Exception) and whole.graph.play.find(here) is not None:
        return whole, True
    for key, values in reversed(_solved.items()):
        if key[:-1] == asked and not isinstance(values, Exception) and values.graph.play.find(here) is not None:
            return values, key[-1] is None
    begin = str(here)
    part = _kept((*asked, begin), functools.partial(_solve, table, here, hero, POSITIONS_HERE, SECONDS_HERE))
    if isinstance(part, Exception):
        raise part
    return part, False


def _kept(key: Key, solve: Callable[[], SolvedPlay[Any, Any]]) -> SolvedPlay[Any, Any] | Exception:
    """The cached result of solving; also an exhausted budget, so that it is not spent again."""
    if key not in _solved:
        try:
            _solved[key] = solve()
        except (TooLargeError, OverBudgetError, InputError) as error:
            _solved[key] = error
        while len(_solved) > MOST_SOLVED:
            _solved.popitem(last=False)
    _solved.move_to_end(key)
    return _solved[key]


def _solve(table: Table, begin: Any, hero: str | None, limit: int, seconds: float) -> SolvedPlay[Any, Any]:
    from rulecheck.analyses.solved_play import solve_explored
    from rulecheck.solve.spaces import alike_of
    from rulecheck.solve.worth import hero_of

    choice, engine = table.choice, table.engine
    chosen = hero_of(choice.game.slug, engine, hero)
    start = engine.start() if begin is None else begin
    play = Explored(engine, table.read, begin=start, alike=alike_of(choice), limit=limit, report=_Clock(seconds))
    return solve_explored(play, chosen)


# -- What is known otherwise -----------------------------------------------------------------------------------


def _not_solved(table: Table, reason: str, reports: Path) -> Document:
    return {"solved": False, "reason": reason, "known": _known(table, reports)}


def _known(table: Table, reports: Path) -> list[str]:
    """The solved values of exactly this game in its report."""
    from rulecheck.explorer.book import report_of

    solved = report_of(reports, table.choice.game.slug).get("solved") or {}
    chosen = {**table.choice.params.as_dict(), **table.choice.readings}
    usual = {**table.choice.game.params({}).as_dict(), **table.choice.game.rulebook.defaults()}
    rows = [r for r in solved.get("games", ()) if {**usual, **r["params"], **r["readings"]} == chosen]
    return [f"From its start this game is worth {_said(row)} (by the report)." for row in rows]


def _said(row: Document) -> str:
    if row.get("distance") is not None:
        return f"a {row['value']} in {row['distance']} to the first player"
    low, high = row["mover"]
    return f"{low:.4f}" if f"{low:.4f}" == f"{high:.4f}" else f"{low:.4f} to {high:.4f}"
