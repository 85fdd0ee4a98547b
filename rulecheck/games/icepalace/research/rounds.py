"""Ice Palace: who can force to win a round, by looking at everything that can happen in it, and a checker of that.

Hands are open and nobody makes deals: a player *forces* the round who places last whatever all the others do together.
No two players can do that at once. Every placement takes a pyramid from a hand and passes in a row are few, so a round
always ends. Worksites that differ by a turn or a mirror of the grid count as one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rulecheck.games.icepalace import PASS, Move, Position
from rulecheck.games.icepalace.engine import Engine


class Forced(NamedTuple):
    """Who can force the round, and after how many turns it is over if all others put it off."""

    player: str
    turns: int


Worth = Forced | None
Table = dict[Position, Worth]


def last_to_place(engine: Engine, position: Position) -> str | None:
    """Everybody after them has passed; nobody if the worksite is empty."""
    return engine.seat(position.mover, -position.passes - 1) if position.worksite else None


def turns(engine: Engine, position: Position) -> Iterator[tuple[Move, Position | None, str | None]]:
    """Each move with the position after it; after the pass that ends the round there is the winner instead."""
    for move, after in engine.moves(position).items():
        ends = move == PASS and not after.passes
        yield (move, None, last_to_place(engine, position)) if ends else (move, after, None)


def solve(engine: Engine, position: Position, table: Table) -> Worth:
    """What a position is worth; `table` learns this and everything after it."""
    same = position.turned()
    if same not in table:
        table[same] = _best(same.mover, [_worth(engine, turn, table) for turn in turns(engine, same)])
    return table[same]


def _worth(engine: Engine, turn: tuple[Move, Position | None, str | None], table: Table) -> Worth:
    _, after, winner = turn
    if after is not None:
        return solve(engine, after, table)
    return None if winner is None else Forced(winner, 0)


def _best(mover: str, after: list[Worth]) -> Worth:
    """The mover needs one way; anybody else needs all of the mover's turns to lead to it."""
    own = [worth.turns for worth in after if worth is not None and worth.player == mover]
    if own:
        return Forced(mover, 1 + min(own))
    first = after[0]
    if first is None or any(worth is None or worth.player != first.player for worth in after):
        return None
    return Forced(first.player, 1 + max(worth.turns for worth in after if worth is not None))


def line(engine: Engine, position: Position, table: Table) -> list[str]:
    """Best play to the end of the round: the winner hurries, the others put it off."""
    found: list[str] = []
    here: Position | None = position
    while here is not None:
        worth = solve(engine, here, table)
        for move, after, winner in turns(engine, here):
            next_worth = _worth(engine, (move, after, winner), table)
            if worth is not None and next_worth == Forced(worth.player, worth.turns - 1):
                found.append(str(move))
                here = after
                break
        else:
            raise AssertionError(f"no move keeps the value of {here}")
    return found


# -- The checker: it solves nothing, it asks of each entry whether those after it bear it out -----------------------


def complaint(engine: Engine, start: Position, table: Table) -> str | None:
    """What is wrong with a table, or None; every position that play reaches from the start must be in it."""
    todo, seen = [start.turned()], {start.turned()}
    for position in todo:
        if position not in table:
            return f"{position} is missing"
        if not _is_borne_out(engine, position, table):
            return f"{position} does not follow from what comes after it"
        for _, after, _ in turns(engine, position):
            if after is not None and after.turned() not in seen:
                seen.add(after.turned())
                todo.append(after.turned())
    return None


def _is_borne_out(engine: Engine, position: Position, table: Table) -> bool:
    claimed = table[position]
    options = []
    for _, after, winner in turns(engine, position):
        ended = None if winner is None else Forced(winner, 0)
        options.append(ended if after is None else table.get(after.turned()))
    if claimed is None:  # nobody: the mover has no way, and no other player has all ways
        players = {worth.player if worth else None for worth in options}
        return position.mover not in players and (len(players) > 1 or players == {None})
    ways = [worth.turns for worth in options if worth is not None and worth.player == claimed.player]
    if position.mover == claimed.player:
        return bool(ways) and min(ways) == claimed.turns - 1
    return len(ways) == len(options) and max(ways) == claimed.turns - 1
