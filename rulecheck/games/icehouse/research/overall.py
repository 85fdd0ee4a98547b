"""Icehouse: what holds in all play, or for all places, proved as far as possible.

Two statements have an argument that is checked case by case: that the distance from the tip and the distance from the
whole body never lead to different verdicts, and that what an attack points at does not vanish. Random games are looked
at besides; they are samples.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice, product

from rulecheck.games.icehouse.engine import Engine
from rulecheck.games.icehouse.engine_geometry import Meeting, Side, meeting
from rulecheck.games.icehouse.families.stashes import TABLES, placements, positions
from rulecheck.games.icehouse.pieces import BASE, EAST, HEIGHT, SIZES, Event, Params, Piece, Place, Position, TimeUp
from rulecheck.games.icehouse.sampling import aimed, proposals
from rulecheck.model import Readings
from rulecheck.pyramids import Pyramid

Checked = tuple[bool, str]
Lines = Sequence[tuple[Engine, Position, list[Event]]]
SEED, EVENTS, TRIES = 7, 12, 12
LEAVING = ("over-iced twice", "melted")  # tables from which pieces can be captured or melt


# -- The distance from the tip, and from the body -----------------------------------------------------------


def too_small(attacker: int, defender: int) -> bool:
    """No defender of this size can be out of range of the tip and in range of the body, if the line meets it.

    Put the tip at O, the line along x, and let L be the length. Say a point Q of the defender is at most L away from a
    point P of the body, while all of the defender is at least L away from O. Then Q is nearer to P than to O, so the
    angle between OQ and OP is at most a right one; P lies behind O, off the axis by at most the angle w with
    tan w = base / (2*height). So OQ and the line make an angle of at least 90 - w degrees. The line meets the defender
    at some R; the defender is convex, so the segment QR keeps away from the circle of radius L round O, and is at least
    as long as a tangent over that angle: 2*L*tan(45 - w/2). With t = tan(w/2) that is 2*L*(1 - t)/(1 + t), and
    t <= base / (4*height). The defender measures base * sqrt(2) across, and L is at least the height.
    """
    t = Fraction(BASE[attacker], 4 * HEIGHT[attacker])
    tangent = 2 * HEIGHT[attacker] * (1 - t) / (1 + t)
    return tangent**2 > 2 * BASE[defender] ** 2


def tip_is_body() -> str | None:
    """Why distance=tip and distance=body give the same verdicts; None if the sizes of the pieces do not allow it."""
    pairs = list(product(SIZES, SIZES))
    if not all(too_small(attacker, defender) for attacker, defender in pairs):
        return None
    return (
        f"all {len(pairs)} pairs of sizes, for all places and directions: to be in range of the body and not of the "
        "tip, what the line meets would have to be wider than it is from corner to corner"
    )


def same_verdicts(engine: Engine, reading: str, values: Sequence[str]) -> Checked:
    """By the argument for the two values that it covers, and on random attackers for any values."""
    engines = [Engine(engine.params, engine.readings.replace(**{reading: value})) for value in values]
    rng, asked = random.Random(SEED), 0
    for _ in range(30):
        target = Piece("A", rng.choice(SIZES), False, (Fraction(0), Fraction(0)), EAST, "A")
        piece = aimed(rng, "B", Pyramid("B", rng.choice(SIZES)), target)
        met = meeting(piece.point, piece.direction, target.corners)
        if met is None:
            continue
        asked += 1
        verdicts = [one.in_range(piece, target, met.entry) for one in engines]
        if len(set(verdicts)) > 1:
            return False, f"{piece} and {target}: {' and '.join(values)} differ"
    why = tip_is_body() if {reading, *values} == {"distance", "tip", "body"} else None
    if why is None:
        return False, f"the same on {asked} drawn attackers, which is no proof, and no argument is known"
    return True, f"{why}; and on {asked} drawn attackers both say the same"


# -- What an attack points at -------------------------------------------------------------------------------


def keeps_a_target(engine: Engine, lines: Lines) -> Checked:
    """A line that points at a piece keeps pointing at one, or is pinched: by cases, in lines and in random games."""
    if lost := _target_lost(engine.readings["graze"]):
        argument = f"by cases it can: {lost}"
        shown = next((p for p in _line_positions(lines) if _without_target(engine, p)), None)
        return False, argument + (f"; so it is in {shown}" if shown else "")
    looked = 0
    for position in (*_line_positions(lines), *played(engine)):
        looked += 1
        if a := _without_target(engine, position):
            return False, f"piece {a} points at nothing in {position}"
    return True, f"by cases of up to three things on a line and one more; so it is in {looked} positions of play, too"


def _without_target(engine: Engine, position: Position) -> int | None:
    """The number of a lying piece that points at nothing and is not pinched, counted from 1."""
    for a, piece in enumerate(position.pieces):
        if piece.lying:
            seen = engine.points_at(position.pieces, a)
            if seen.piece is None and not seen.pinched:
                return a + 1
    return None


@functools.cache
def _target_lost(graze: str) -> str | None:
    """Things on a line, the target crossed or touched: whatever else is met, and whatever of the rest then leaves.

    Only the order of the entries matters to a line, so a few numbers stand for all. No two crossed things have one
    entry, because they would share area. No other reading matters.
    """
    engine = Engine(Params(), Readings({"graze": graze}))
    kinds = [(n, Meeting(side, Fraction(entry))) for n, (side, entry) in enumerate(product(Side, range(3)))]
    for met in (some for count in (1, 2, 3) for some in product(kinds, repeat=count)):
        things = [(n, m) for n, (_, m) in enumerate(met)]
        target = engine.first(things).piece
        if target is None or not _apart(things):
            continue
        for _, more in kinds:
            for rest in ([(n, m) for n, m in things if n == target], things):
                grown = [*rest, (len(things), more)]
                if _apart(grown) and (seen := engine.first(grown)).piece is None and not seen.pinched:
                    words = ", ".join(f"{m.side.value} at {m.entry}" for _, m in grown)
                    return f"a line that meets things {words} points at nothing"
    return None


def _apart(things: Iterable[tuple[int, Meeting]]) -> bool:
    crossed = [m.entry for _, m in things if m.side is Side.CROSSED]
    return len(set(crossed)) == len(crossed)


def _line_positions(lines: Lines) -> Iterator[Position]:
    for engine, position, events in lines:
        for event in events:
            if not engine.judge(position, event).legal:
                break
            position = engine.play(position, event)
            yield position


# -- What stands ----------------------------------------------------------------------------------------------


def defenders_stay(engine: Engine, lines: Lines) -> Checked:
    """No event removes a standing piece, so a player with a defender in play is never iced for having none."""
    looked, reminded = 0, engine.readings.replace(icehouse="none_in_play")
    for table in (TABLES[name] for name in LEAVING):
        params, start = table.start()
        umpire = Engine(params, reminded)
        for position in positions(engine.readings, params, start):
            looked += 1
            if lost := _left(umpire, position, placements(table, params)):
                return False, lost
    tables = f"on {len(LEAVING)} small tables, wherever the other pieces may be"
    return True, f"no event in any of {looked} positions, {tables}, takes a standing piece away or ices who has one"


def _left(umpire: Engine, position: Position, tried: Iterable[Event]) -> str | None:
    """An event after which a standing piece is gone, or a player with one who can be iced."""
    for player in umpire.params.colours:
        if umpire.defenders(position, player) and umpire.in_icehouse(position, player):
            return f"{player} has a defender in {position} and can be iced"
    if umpire.over(position):
        return None
    placed = (event for event in tried if umpire.judge(position, event).legal)
    results = [*umpire.moves(position).items(), *((event, umpire.play(position, event)) for event in placed)]
    standing = [_unmarked(piece) for piece in position.pieces if not piece.lying]
    for event, result in results:
        after = [_unmarked(piece) for piece in result.pieces if not piece.lying]
        if after[: len(standing)] != standing:
            return f"{event} takes a standing piece away in {position}"
    return None


def _unmarked(piece: Piece) -> Piece:
    return replace(piece, marked=False)


def played(engine: Engine) -> Iterator[Position]:
    """The positions of a random game with as many placements as possible."""
    rng, position = random.Random(SEED), engine.start()
    for _ in range(EVENTS):
        if engine.over(position):
            return
        tries: Iterable[Place] = islice(proposals(rng, position), TRIES)
        event: Event | None = next((e for e in tries if engine.judge(position, e).legal), None)
        if event is None or rng.random() < 0.15:
            others = [e for e in engine.moves(position) if not isinstance(e, TimeUp)]
            event = rng.choice(others)
        position = engine.play(position, event)
        yield position


PROPERTIES = {check.__name__: check for check in (keeps_a_target, defenders_stay)}
