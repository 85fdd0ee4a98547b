"""Icehouse: small games, and the position with the fewest pieces in each where two readings differ.

Composed play (`composed`) of the smallest games is looked through completely. Where that shows nothing, a line of play
in a larger game is kept. Whatever is found is played again on both engines.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rulecheck.analyses.ambiguities import Difference
from rulecheck.games.icehouse import GAME, read_move, read_params
from rulecheck.games.icehouse.engine import Engine
from rulecheck.games.icehouse.pieces import Event, Params, Position
from rulecheck.games.icehouse.puzzles.composed import Reached, allowed, play
from rulecheck.model import InputError, Readings

SEARCHED = tuple(
    map(
        read_params,
        (
            {"players": "2", "pieces": "1,0,0", "limit": "1"},
            {"players": "2", "pieces": "1,0,0", "limit": "2"},
            {"players": "2", "pieces": "1,0,0", "limit": "1", "table": "160x100", "pads": "20,40,24,60/0,0,9,9"},
        ),
    )
)
FIVE = read_params({"players": "2", "pieces": "3,2,0", "limit": "5"})
THREE = read_params({"players": "3", "pieces": "2,1,0", "limit": "3"})


class Kept(NamedTuple):
    """A line of play that leads to a position where the values of this reading differ, and the event that shows it.

    `why` says why there is no such position with fewer pieces on the table, by the usual values of the other readings.
    """

    reading: str
    params: Params
    line: tuple[str, ...]
    event: str
    why: str


ATTACKED = ("A1@0,0", "B1@300,0", "B1@340,0", "B2@20,0>-1,0")
OVER_ICED = (*ATTACKED, "B2@-20,0>1,0")
BEHIND = ("A1@0,0", "B1@300,0", "B1@340,0", "B2@30,8>-4/5,-3/5", "B2@12,0>-1,0")  # the last lies in a line
TWO_FIRST = "an attacker on the table had two standing pieces of its colour before it, and a target of another one"
CAPTURED = f"{TWO_FIRST}, and a capture needs a second lying piece"
KEPT = (
    Kept(
        "first_two",
        FIVE,
        ("A calls A2>B", "B1@0,0", "B1@100,0"),
        "A2@20,0>-1,0:B",
        "with fewer than two standing pieces every attacker comes too early, whoever is counted",
    ),
    Kept(
        "graze",
        FIVE,
        ("A1@0,0", "A1@18,0", "A1@9,18"),  # between two walls that adjoin
        "B1@9,-9>0,1",
        "to be pinched a line is touched on the left, touched on the right and crosses a third thing",
    ),
    Kept("icehouse", FIVE, ATTACKED, "B calls", f"somebody's only defender is frozen, and {TWO_FIRST}"),
    Kept("revalidate", FIVE, (*ATTACKED[:3], "B2@50,0>-1,0"), "B1@25,0", TWO_FIRST),  # a friend steps into the line
    Kept("redundant", FIVE, BEHIND, "A captures 5", CAPTURED),
    Kept("wasted_capture", FIVE, BEHIND, "A captures 4", CAPTURED),
    Kept("overice_owner", FIVE, ("A calls A1>B", "A1@0,0:B", *OVER_ICED[1:]), "A captures 4", CAPTURED),
    Kept("capture_hand", FIVE, (*OVER_ICED, "A lifts A1"), "A captures 4", CAPTURED),
    Kept(
        "capture_chain",
        FIVE,
        (*OVER_ICED, "B1@0,20>0,-1"),
        "A captures 4",
        f"{CAPTURED}, and one more to be captured after it",
    ),
    Kept(
        "retarget",
        THREE,
        (*ATTACKED[:3], "B2@50,0>-1,0", "C1@25,0"),  # a stranger steps into the line
        "A calls",
        f"{TWO_FIRST}; the new target is of another colour, too",
    ),
)


def shapes() -> Iterator[Params]:
    """The games that are looked through, then those with kept lines."""
    yield from dict.fromkeys([*SEARCHED, *(kept.params for kept in KEPT)])


def below(shape: Params) -> str:
    return f"composed play of the {SEARCHED.index(shape)} games before" if shape in SEARCHED else bound()


def bound() -> str:
    return f"all composed play of {len(SEARCHED)} games with one small piece each, nor after the lines kept for others"


def witness_scope(first: Engine, second: Engine, position: Position) -> str:
    """What is known of positions with fewer pieces: an argument, or that some were looked through."""
    games = f"{len(SEARCHED)} games with one small piece each"
    if first.params in SEARCHED:
        return f"fewest pieces in all composed play of the first of {games} that has such a position; others not tried"
    count = f"in play, with {len(position.pieces)} pieces; all composed play of {games} has none"
    changed, usual = _changed(first, second), GAME.rulebook.defaults()
    if any(first.readings[name] != usual[name] for name in usual if name != changed):
        return f"{count}, and whether fewer would do was not asked under these readings"
    (why,) = (kept.why for kept in KEPT if kept.reading == changed)
    return f"{count}, and fewer cannot be: {why}"


def find_difference(first: Engine, second: Engine) -> Difference | None:
    return (_searched if first.params in SEARCHED else _kept)(first, second)


@functools.lru_cache(maxsize=8)
def composed_play(params: Params, readings: Readings) -> tuple[Reached, ...]:
    """Most pairs have the same first value, the usual one."""
    return tuple(play(Engine(params, readings)))


def _searched(first: Engine, second: Engine) -> Difference | None:
    """The position with the fewest pieces, and the shortest of the events on which the engines differ there.

    Both reach a position by the same line if they did not differ before it.
    """
    for position, line, ours in composed_play(first.params, first.readings):
        theirs = allowed(second, position)
        both = {**ours, **theirs}
        telling = [e for e in both if _ends(first, ours.get(e)) != _ends(second, theirs.get(e))]
        telling = [event for event in telling if parted(first, second, position, event)]
        if telling:
            return position, min(telling, key=lambda e: (len(str(e)), str(e))), tuple(map(str, line))
    return None


def _kept(first: Engine, second: Engine) -> Difference | None:
    """The kept line of this game for the reading in which the engines differ."""
    changed = _changed(first, second)
    for kept in (kept for kept in KEPT if kept.params == first.params and kept.reading == changed):
        line = [read_move(kept.params, text) for text in kept.line]
        position, event = replayed(first, line), read_move(kept.params, kept.event)
        if position is not None and position == replayed(second, line) and parted(first, second, position, event):
            return position, event, kept.line
    return None


def _changed(first: Engine, second: Engine) -> str:
    """The reading in which two engines differ."""
    (name,) = (name for name in first.readings if first.readings[name] != second.readings[name])
    return name


def replayed(engine: Engine, line: Sequence[Event]) -> Position | None:
    """Where a line of play leads, or None if it is not allowed."""
    position = engine.start()
    for event in line:
        try:
            position = engine.play(position, event)
        except InputError:
            return None
    return position


def _ends(engine: Engine, after: Position | None) -> tuple[Position, tuple[str, ...]] | None:
    """Where an event leads, if it is allowed, and who has won then."""
    return None if after is None else (after, engine.winners(after))


def parted(first: Engine, second: Engine, position: Position, event: Event) -> bool:
    """Does only one of them allow the event, do they go on differently, or does somebody else win?"""
    verdicts = [engine.judge(position, event).legal for engine in (first, second)]
    if verdicts[0] != verdicts[1]:
        return True
    return verdicts[0] and _ends(first, first.play(position, event)) != _ends(second, second.play(position, event))
