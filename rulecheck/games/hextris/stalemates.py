"""Hextris: players without a legal turn, what a placement that makes a group leaves open, and endless waiting."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from rulecheck.analyses.stalemates import Stalemate
from rulecheck.explore import Explored
from rulecheck.games.hextris import GAME, Move, Params, Pass, Position, read_move, read_position
from rulecheck.games.hextris.blocked import stuck_position
from rulecheck.games.hextris.engine import Engine
from rulecheck.games.hextris.lines import line_to
from rulecheck.games.hextris.shapes import distinct
from rulecheck.model import Readings, Result, Status, Witness

SMALL_GAME = Params(radius=1, group=4, groups=1, stash=((4, 0, 0), (4, 0, 0)))
Says = Callable[[Engine, Position], str]


def stalemates(params: Params, readings: Readings) -> list[Stalemate]:
    return [
        no_turn(params, readings),
        nobody_ever(params, readings),
        *in_play(readings),
        placed_group(params, readings),
        waiting(params, readings),
    ]


def stuck_players(engine: Engine, position: Position) -> list[str]:
    return [c for c in engine.params.colours if only_passes(engine, replace(position, mover=c))]


def only_passes(engine: Engine, position: Position) -> bool:
    return all(isinstance(move, Pass) for move in engine.moves(position))


def _under(readings: Readings, names: Iterable[str], position: Position, says: Says) -> dict[str, str]:
    """What `says` says of a position under each value of these readings."""
    options = GAME.rulebook.options
    changed = {f"{n}={v}": readings.replace(**{n: v}) for n in names for v in options[n].values}
    return {label: says(Engine(position.params, r), position) for label, r in changed.items()}


def _who_is_stuck(engine: Engine, position: Position) -> str:
    if stuck := stuck_players(engine, position):
        return f"{' and '.join(stuck)} can only pass"
    free = [str(m) for m in engine.moves(position) if not isinstance(m, Pass)]
    return f"{position.mover} has {len(free)} turns, {free[0]} for one"


# -- On the full board, by z3 -------------------------------------------------------------------------------


def no_turn(params: Params, readings: Readings) -> Stalemate:
    statement = "the player to move has something allowed to do"
    return _smallest("no-turn", statement, ("HX-16", "HX-17"), params, readings, ("A",))


def nobody_ever(params: Params, readings: Readings) -> Stalemate:
    statement = "somebody can do something, now or later"
    return _smallest("nobody-ever", statement, ("HX-17", "HX-34"), params, readings, params.colours)


def _smallest(
    name: str, statement: str, clauses: tuple[str, ...], params: Params, readings: Readings, players: tuple[str, ...]
) -> Stalemate:
    """If everybody is to be stuck, only positions that no piece has left count, so that a line can be sought."""
    whole = players == params.colours
    where = f"on {len(params.points)} points" + (" that nothing has left" if whole else "")
    blocked = stuck_position(params, readings, players, whole)
    if blocked is None:
        return Stalemate(name, statement, clauses, Result(Status.UNKNOWN, f"z3 found no position {where}"))
    engine = Engine(params, readings)
    if not set(players) <= set(stuck_players(engine, blocked.position)):
        raise AssertionError(f"the engine finds a turn in {blocked.position}")
    line = line_to(engine, blocked.position)
    led = f"{len(line)} turns from the start lead there" if line else "whether play can lead there is not shown"
    note = f"found by z3, confirmed by the engine; {led}"
    witness = Witness(str(blocked.position), "pass", note, params.as_dict(), dict(readings), line)
    scope = f"smallest: no position with fewer than {blocked.pieces} pieces {where} has this"
    result = Result(Status.REFUTED, scope, witness)
    under = _under(readings, ("swap", "place_group"), blocked.position, _who_is_stuck)
    return Stalemate(name, statement, clauses, result, under, _repairs(under, " turns, "))


def _repairs(under: dict[str, str], sign: str) -> tuple[str, ...]:
    return tuple(label for label, said in under.items() if sign in said)


# -- In play on a small board -------------------------------------------------------------------------------


def in_play(readings: Readings) -> list[Stalemate]:
    """All positions of a small game (one of each kind): the nearest of each sort, and their number."""
    engine = Engine(SMALL_GAME, readings)
    play = distinct(engine)
    positions = 0
    stuck: dict[str, list[Position]] = {"one": [], "all": []}
    for position in play.turns():
        if engine.winner(position):
            continue
        positions += 1
        if only_passes(engine, position):
            stuck["one"].append(position)
            if len(stuck_players(engine, position)) == SMALL_GAME.players:
                stuck["all"].append(position)
    game = "four small pieces each on 7 points, one group of four to win"
    scope = f"all {positions:,} positions in play up to the maps of the board: {game}"
    rows = (
        ("no-turn-in-play", "one", "the player to move has something allowed to do", ("HX-16", "HX-17")),
        ("nobody-ever-in-play", "all", "somebody can do something, now or later", ("HX-17", "HX-34")),
    )
    return [_counted(name, text, clauses, stuck[sort], scope, play) for name, sort, text, clauses in rows]


def _counted(
    name: str,
    text: str,
    clauses: tuple[str, ...],
    positions: list[Position],
    scope: str,
    play: Explored[Position, Move],
) -> Stalemate:
    if not positions:
        return Stalemate(name, text, clauses, Result(Status.PROVED, scope))
    nearest, engine = positions[0], play.engine
    note = f"{len(positions):,} of them have this; none is nearer to the start"
    line = play.line_to(nearest)
    witness = Witness(str(nearest), "pass", note, SMALL_GAME.as_dict(), dict(engine.readings), line)
    return Stalemate(name, text, clauses, Result(Status.REFUTED, scope, witness, len(positions)))


# -- Gaps ---------------------------------------------------------------------------------------------------


def placed_group(params: Params, readings: Readings) -> Stalemate:
    """A fifth piece is put down beside four; the opponent has one piece on the board, having had to place it."""
    engine = Engine(params, readings)
    names = params.names
    row = [names[p] for p in _walk(engine, params.group)]
    far = next(n for n in reversed(names) if names.index(n) in engine.perimeter and n not in row)
    stones = sorted([*((n, "A1") for n in row[:-1]), (far, "B1")], key=lambda it: names.index(it[0]))
    position = read_position(params, " ".join(["A", *(f"{n}:{piece}" for n, piece in stones)]))
    move = f"A2@{row[-1]}"
    under = _under(readings, ("place_group",), position, lambda e, p: _after(e, p, move))
    line = line_to(engine, position)
    if line is None:
        raise AssertionError(f"no line leads to {position}")
    scope = (
        f"smallest in play: a group of {params.group} takes {params.group - 1} pieces that stand already, and by then "
        "the opponent, who may not pass, has put one down"
    )
    note = under[f"place_group={readings['place_group']}"]
    witness = Witness(str(position), move, note, params.as_dict(), dict(readings), line)
    statement = "the sheet says what becomes of a group that a placement makes"
    result = Result(Status.REFUTED, scope, witness)
    return Stalemate("placed-group", statement, ("HX-05", "HX-09", "HX-29"), result, under, tuple(under))


def _walk(engine: Engine, length: int) -> list[int]:
    """Points of the perimeter, each next to the one before."""
    row = [engine.perimeter[0]]
    while len(row) < length:
        near = [q for q in engine.neighbours[row[-1]] if q in engine.perimeter and q not in row]
        row.append(near[0])
    return row


def _after(engine: Engine, position: Position, text: str) -> str:
    move = read_move(engine.params, text)
    verdict = engine.judge(position, move)
    return f"legal, then {engine.play(position, move)}" if verdict.legal else str(verdict)


def waiting(params: Params, readings: Readings) -> Stalemate:
    """One piece each, moved to and fro: the same position every four turns."""
    engine = Engine(params, readings)
    first, second = params.names[engine.perimeter[0]], params.names[engine.perimeter[-1]]
    other = {n: params.names[engine.neighbours[params.names.index(n)][0]] for n in (first, second)}
    line = (f"A1@{first}", f"B1@{second}")
    position = engine.start()
    for text in line:
        position = engine.play(position, read_move(params, text))
    there, back = [f"{n}-{other[n]}" for n in (first, second)], [f"{other[n]}-{n}" for n in (first, second)]
    turns = there + back
    later = position
    for text in turns:
        later = engine.play(later, read_move(params, text))
    if later != position:
        raise AssertionError(f"the position does not come back: {later}")
    note = f"{' '.join(turns)} leads back here; with two own neighbours of different sizes an exchange does it (HC-13)"
    witness = Witness(str(position), turns[0], note, params.as_dict(), dict(readings), line)
    scope = "smallest: with fewer pieces somebody has none on the board and puts one down"
    statement = "a game that nobody agrees to draw comes to an end"
    return Stalemate("waiting", statement, ("HX-16", "HX-34"), Result(Status.REFUTED, scope, witness))
