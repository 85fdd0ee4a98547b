"""Ice Palace: who can force a win of a round, by exhaustive search, and a checker of the answer.

Hands are open and nobody makes deals: a player *forces* the round who places last even if all the others cooperate.
No two players can do that at once. Every placement takes a pyramid from a hand and passes in a row are few, so a round
always ends. Worksites that differ by a turn or a mirror of the grid count as one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rulecheck.games.icepalace import PASS, Move, Position
from rulecheck.games.icepalace.engine import Engine


class Forced(NamedTuple):
    """Who can force the round, and the number of turns to its end if all others delay it."""

    player: str
    turns: int


Worth = Forced | None
Table = dict[Position, Worth]


def last_to_place(engine: Engine, position: Position) -> str | None:
    """The player who placed last, before the passes; None if the worksite is empty."""
    return engine.seat(position.mover, -position.passes - 1) if position.worksite else None


def turns(engine: Engine, position: Position) -> Iterator[tuple[Move, Position | None, str | None]]:
    """Each move with its result: the next position or, after the pass that ends the round, the winner."""
    for move, after in engine.moves(position).items():
        ends = move == PASS and not after.passes
        yield (move, None, last_to_place(engine, position)) if ends else (move, after, None)


def solve(engine: Engine, position: Position, table: Table) -> Worth:
    """The worth of a position; `table` gains it and all that follow."""
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
    """The mover needs one winning turn; another player needs all of the mover's turns to lose to that player."""
    own = [worth.turns for worth in after if worth is not None and worth.player == mover]
    if own:
        return Forced(mover, 1 + min(own))
    first = after[0]
    if first is None or any(worth is None or worth.player != first.player for worth in after):
        return None
    return Forced(first.player, 1 + max(worth.turns for worth in after if worth is not None))


def line(engine: Engine, position: Position, table: Table) -> list[str]:
    """Best play to the end of the round: the winner hurries, the others delay."""
    moves: list[str] = []
    here: Position | None = position
    while here is not None:
        worth = solve(engine, here, table)
        for move, after, winner in turns(engine, here):
            next_worth = _worth(engine, (move, after, winner), table)
            if worth is not None and next_worth == Forced(worth.player, worth.turns - 1):
                moves.append(str(move))
                here = after
                break
        else:
            raise AssertionError(f"no move keeps the value of {here}")
    return moves


# -- The checker: it solves nothing, but checks each entry against those after it -----------------------------------


def complaint(engine: Engine, start: Position, table: Table) -> str | None:
    """The first problem of a table, or None; it must contain every position that play reaches from the start."""
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
