"""Icehouse: what one would take for granted about play, and where that fails.

Nobody ever has to do anything here, so the questions are whether there is always something to do, whether it leads
anywhere, and whether what is demanded can be done. Composed play of the smallest games is looked through completely;
other positions are kept with a line of play.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from rulecheck.analyses.stalemates import Stalemate
from rulecheck.games.icehouse import read_move, read_params
from rulecheck.games.icehouse.engine import Engine
from rulecheck.games.icehouse.pieces import BASE, HEIGHT, SIZES, Call, Params, Position
from rulecheck.games.icehouse.shapes import SEARCHED, bound, composed_play
from rulecheck.model import InputError, Readings, Result, Status, Witness

Shows = Callable[[Engine, Position], str | None]
FULL = read_params({"players": "2", "pieces": "0,0,1", "table": "32x32"})
ROUND = read_params({"players": "2", "pieces": "3,2,0", "limit": "5"})
AROUND = ("A1@0,0", "B1@90,20", "B1@90,-20", "B2@-20,0>1,0", "B2@20,0>-1,0", "A captures 5", "B2@20,0>-1,0:A")
THERE_AND_BACK = ("A captures 5", "B2@20,0>-1,0:A")
TABLE = read_params({"table": "960x720"})


class Case(NamedTuple):
    """A statement that some position in composed play may refute."""

    name: str
    statement: str
    clauses: tuple[str, ...]
    shows: Shows


def stalemates(params: Params, readings: Readings) -> list[Stalemate]:
    searched = [Stalemate(case.name, case.statement, case.clauses, _searched(case, readings)) for case in CASES]
    return [
        *searched,
        Stalemate("round", "what is captured does not come back", ("IH-67", "IH-74"), round_for_ever(readings)),
        Stalemate("no-room", "what is left can be placed", ("IH-11", "IH-16"), no_room(readings)),
        Stalemate("room", "on a table of 960x720 a piece can always be stood", ("IH-05", "IH-16"), always_room(TABLE)),
    ]


# -- In composed play ---------------------------------------------------------------------------------------------


def nobody_wins(engine: Engine, position: Position) -> str | None:
    """IH-95 has no way to break a tie."""
    leaders = engine.leaders(position)
    tied = engine.over(position) and len(leaders) > 1
    return f"all is placed and {' and '.join(leaders)} have most points" if tied else None


def free_call(engine: Engine, position: Position) -> str | None:
    """IH-53: nothing is taken from an empty pad, so such a caller may be wrong all day."""
    for player in engine.params.colours:
        if engine.judge(position, Call(player)).legal and not engine.found(position, player):
            return f"{player} has nothing to give, and may call as often as {player} likes"
    return None


def idle(engine: Engine, position: Position) -> str | None:
    """IH-55 says that an iced player may still capture or call; there may be nothing to capture."""
    if engine.over(position):
        return None
    captors = {capture.player for capture in engine.captures(position)}
    for player in engine.params.colours:
        if not position.pad(player) and position.hand(player) is None and player not in captors:
            return f"{player} has no piece, and nothing of theirs is over-iced: only calls are left"
    return None


def repeats(engine: Engine, position: Position) -> str | None:
    """IH-38 does not make a player place what is lifted, so any position can come back."""
    for event, after in engine.moves(position).items():
        for back, again in engine.moves(after).items():
            if again == position:
                return f"{event}, then {back}, and everything is as before"
    return None


CASES = (
    Case("repeats", "what players do brings the end of the game nearer", ("IH-10", "IH-38", "IH-82"), repeats),
    Case("tie", "when all is placed somebody has won", ("IH-95",), nobody_wins),
    Case("free-call", "to call in vain costs something", ("IH-51", "IH-53"), free_call),
    Case("idle", "until the game is over everybody can place or capture something", ("IH-54", "IH-55"), idle),
)


def _searched(case: Case, readings: Readings) -> Result:
    """The first position with fewest pieces in the first of the small games that has one."""
    for params in SEARCHED:
        engine = Engine(params, readings)
        for position, line, _ in composed_play(params, readings):
            if note := case.shows(engine, position):
                played = tuple(map(str, line))
                witness = Witness(str(position), None, note, params.as_dict(), dict(readings), played)
                return Result(Status.REFUTED, "fewest pieces in all composed play of the smallest games", witness)
    return Result(Status.UNKNOWN, f"no such position in {bound()}")


# -- Kept positions -----------------------------------------------------------------------------------------------


def replay(engine: Engine, events: tuple[str, ...], position: Position | None = None) -> Position:
    position = engine.start() if position is None else position
    for text in events:
        position = engine.play(position, read_move(engine.params, text))
    return position


def round_for_ever(readings: Readings) -> Result:
    """IH-74 lets the captor over-ice the own piece with the prisoner, who is then redundant again."""
    engine = Engine(ROUND, readings)
    try:
        position = replay(engine, AROUND)
        again = replay(engine, THERE_AND_BACK, position)
    except InputError as refused:
        return Result(Status.UNKNOWN, f"the line kept for this is not allowed under these readings: {refused}")
    if again != position:
        return Result(Status.UNKNOWN, f"the line kept for this does not come back: {again}")
    note = f"{', then '.join(THERE_AND_BACK)}, and everything is as before"
    witness = Witness(str(position), THERE_AND_BACK[0], note, ROUND.as_dict(), dict(readings), AROUND)
    return Result(Status.REFUTED, "in play; whether fewer pieces would do was not asked", witness)


def no_room(readings: Readings) -> Result:
    """One piece that covers the whole table: whatever lies wholly on the table overlaps it."""
    engine, line = Engine(FULL, readings), ("A3@16,16",)
    position = replay(engine, line)
    covered = FULL.table is not None and set(position.pieces[0].corners) == set(FULL.table.corners)
    if readings["edge"] != "inside" or not covered or not position.pad("B"):
        return Result(Status.UNKNOWN, "the position kept for this shows it only while pieces lie wholly on the table")
    note = "A's piece covers the table, B's can never be placed, and only the time limit ends the game"
    witness = Witness(str(position), None, note, FULL.as_dict(), dict(readings), line)
    return Result(Status.REFUTED, "one piece on the table; with none there is room, or nobody could ever play", witness)


# -- Room for everything ------------------------------------------------------------------------------------------

DIAGONAL = Fraction(2263, 100)  # half the diagonal of a large square is less: 512 < DIAGONAL**2
PI = Fraction(22, 7)  # and pi is less than this
PERIMETER = {1: Fraction(85), 2: Fraction(117), 3: Fraction(149)}  # no footprint of that size is longer round


def always_room(params: Params) -> Result:
    """Wherever the others lie, there is room for one more standing piece, as the places it cannot have are too few.

    The centre of a large square with sides along the table may be anywhere in a rectangle 32 narrower and lower than
    the table. It overlaps a piece only if its centre is less than half its diagonal r away from that piece: that is an
    area of at most area + perimeter*r + pi*r^2. Smaller squares fit wherever a large one does.
    """
    table = params.table
    assert table is not None
    free = Fraction((table.right - BASE[3]) * (table.top - BASE[3]))
    taken = params.players * sum(n * _lost(size) for size, n in zip(SIZES, params.pieces, strict=True))
    figures = f"{params.players} players with all their pieces"
    if not _figures_hold() or params.pads or taken >= free:
        return Result(Status.UNKNOWN, f"{figures} may take up {float(taken):.0f} of {float(free):.0f}")
    share = f"they keep the centre of another one off at most {float(taken / free):.0%} of it"
    scope = f"any arrangement of {figures} on a table without pads: {share}"
    return Result(Status.PROVED, scope, cases=len(SIZES) * 2)


def _lost(size: int) -> Fraction:
    """How much of the table one piece of this size denies to the centre of a large square, at most."""
    area = max(Fraction(BASE[size] ** 2), Fraction(BASE[size] * HEIGHT[size], 2))
    return area + PERIMETER[size] * DIAGONAL + PI * DIAGONAL**2


def _figures_hold() -> bool:
    """The bounds above are bounds: half a diagonal, and the perimeters of squares and of triangles."""
    for size in SIZES:
        left = (PERIMETER[size] - BASE[size]) / 2  # for each long side of a triangle
        if HEIGHT[size] ** 2 + Fraction(BASE[size], 2) ** 2 > left**2 or 4 * BASE[size] > PERIMETER[size]:
            return False
    return Fraction(BASE[3] ** 2, 2) <= DIAGONAL**2
