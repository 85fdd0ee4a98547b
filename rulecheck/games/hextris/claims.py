"""Hextris: what it takes to check a claim on the engine.

Each check is given a way to make engines (for the readings under test) and the claim's data, and answers
whether the claim holds and what it saw. Positions, turns and parameters stand in the data in the usual notation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any
from weakref import WeakKeyDictionary

from rulecheck.analyses.claims import Check, Factory
from rulecheck.games.hextris import (
    SIZES,
    Exchange,
    Move,
    Params,
    Pass,
    Placement,
    Position,
    Slide,
    read_move,
    read_position,
)
from rulecheck.games.hextris.engine import Engine
from rulecheck.games.hextris.shapes import distinct, positions_with_turns
from rulecheck.model import InputError
from rulecheck.pyramids import Pyramid
from rulecheck.rulebook import check_known
from specs.hextris.spec_board import connected_sets, rim

Data = Mapping[str, Any]
Checked = tuple[bool, str]
Turns = Mapping[Move, Position]  # the allowed turns of a position, with their results
Property = Callable[[Engine, Position, Turns], str | None]  # what is wrong, if anything is


# -- Reading a claim's data ---------------------------------------------------------------------------------


def _engine(make: Factory, data: Data) -> Engine:
    engine = make(data.get("params", {}))
    if not isinstance(engine, Engine):
        raise InputError("this check wants the engine of Hextris")
    return engine


def _setting(make: Factory, data: Data) -> tuple[Engine, Position]:
    engine = _engine(make, data)
    return engine, read_position(engine.params, data["position"])


def _games(make: Factory, data: Data) -> Iterator[Engine]:
    return (_engine(make, {"params": params}) for params in data["games"])


def replayed(engine: Engine, position: Position, line: Sequence[str]) -> Position | str:
    """The position after these turns, or which of them is refused and why."""
    for number, text in enumerate(line, 1):
        try:
            position = engine.play(position, read_move(engine.params, text))
        except InputError as refusal:
            return f"turn {number} of {len(line)}: {refusal}"
    return position


# -- Checks of one position ---------------------------------------------------------------------------------


def board(make: Factory, data: Data) -> Checked:
    """The counts of points, of neighbours, and the longest slide; a placement tells perimeter from interior."""
    engine = _engine(make, data)
    start, radius = engine.start(), engine.params.radius
    open_to_placing = [
        p for p in engine.params.points if engine.judge(start, Placement(Pyramid("A", 1), p, radius)).legal
    ]
    counted = {
        "points": len(engine.params.points),
        "perimeter": len(open_to_placing),
        "interior": len(engine.params.points) - len(open_to_placing),
        "pairs": sum(map(len, engine.neighbours.values())) // 2,
        "longest": max(map(len, engine.ways.values())),
    }
    return all(data[what] == counted[what] for what in counted), ", ".join(f"{v} {k}" for k, v in counted.items())


def plays(make: Factory, data: Data) -> Checked:
    """This turn is legal, and its result is what the data say."""
    engine, position = _setting(make, data)
    result = replayed(engine, position, [data["move"]])
    if isinstance(result, str):
        return False, result
    winner = engine.winner(result)
    right = winner == data.get("winner") and list(result.groups) == data.get("groups", list(result.groups))
    if "result" in data:
        right &= result == read_position(engine.params, data["result"])
    return right, f"{data['move']} leads to {result}" + (f", {winner} wins" if winner else "")


def refused(make: Factory, data: Data) -> Checked:
    """Each of these turns is refused (by this clause, if one is named) after those of `before`."""
    engine, position = _setting(make, data)
    later = replayed(engine, position, data.get("before", ()))
    if isinstance(later, str):
        return True, f"it does not come to that: {later}"
    verdicts = {text: engine.judge(later, read_move(engine.params, text)) for text in data["moves"]}
    wrong = [t for t, v in verdicts.items() if v.legal or data.get("clause", v.clauses[0]) not in v.clauses]
    shown = wrong[0] if wrong else data["moves"][0]
    return not wrong, f"the turn {shown} is {verdicts[shown]}"


def exchange_pairs(make: Factory, data: Data) -> Checked:
    """Of all sizes on two points exactly these pairs exchange, the first piece being the one that is moved."""
    engine = _engine(make, data)
    first, second = (engine.params.names.index(name) for name in data["points"])
    pieces = [(s, t) for s in SIZES for t in SIZES]
    legal = []
    for s, t in pieces:
        points: list[Pyramid | None] = [None] * len(engine.params.points)
        points[first], points[second] = Pyramid(data["owners"][0], s), Pyramid(data["owners"][1], t)
        position = replace(engine.start(), points=tuple(points))
        if engine.judge(position, Exchange(first, second, engine.params.radius)).legal:
            legal.append(f"{s}{t}")
    return sorted(legal) == sorted(data["pairs"]), f"{len(legal)} of {len(pieces)} pairs: {' '.join(legal) or 'none'}"


def stuck(make: Factory, data: Data) -> Checked:
    """Each of these players, when to move, has the pass alone; the line leads there, if there is one."""
    engine, position = _setting(make, data)
    for player in data["players"]:
        moves = engine.moves(replace(position, mover=player))
        if free := [str(move) for move in moves if not isinstance(move, Pass)]:
            return False, f"{player} has {len(free)} turns, {free[0]} for one"
    who = " and ".join(data["players"])
    if "line" not in data:
        return True, f"{who} can only pass"
    reached = replayed(engine, engine.start(), data["line"])
    return reached == position, f"{who} can only pass; {len(data['line'])} turns from the start lead to {reached}"


def same_result(make: Factory, data: Data) -> Checked:
    """These turns are all legal and lead to one position."""
    engine, position = _setting(make, data)
    results = [replayed(engine, position, [text]) for text in data["moves"]]
    refusals = [r for r in results if isinstance(r, str)]
    if refusals:
        return False, refusals[0]
    return len(
        set(results)
    ) == 1, f"{' and '.join(data['moves'])} lead to {' and '.join(sorted(map(str, set(results))))}"


# -- Checks of whole games ----------------------------------------------------------------------------------


def line(make: Factory, data: Data) -> Checked:
    """The line is a whole game that this player wins; if `shortest`, no game can be shorter.

    A win takes all groups, so that many pieces of the winner have come to the board, one in each of the winner's
    turns: the bound for the player who begins. In the small games the shortest game is looked for as well.
    """
    engine = _engine(make, data)
    reached = replayed(engine, engine.start(), data["line"])
    if isinstance(reached, str):
        return False, reached
    winner, turns = engine.winner(reached), len(data["line"])
    if winner != data["winner"]:
        return False, f"after {turns} turns the winner is {winner}"
    seen = f"{winner} wins in {turns} turns"
    if not data.get("shortest"):
        return True, seen
    for small in _games(make, data):
        if (shortest := shortest_game(small)) != least_turns(small):
            return False, f"{seen}; but {small.params.as_dict()} takes {shortest} turns instead of {least_turns(small)}"
    return turns == least_turns(engine), f"{seen}; the bound is {least_turns(engine)}"


def least_turns(engine: Engine) -> int:
    """When the first player can have put down as many pieces as a win takes."""
    return 1 + engine.params.players * (engine.params.group * engine.params.groups - 1)


def shortest_game(engine: Engine) -> int | None:
    play = distinct(engine)
    return next((len(play.line_to(p)) for p in play.turns() if engine.winner(p)), None)


_explored: WeakKeyDictionary[Engine, tuple[tuple[Position, Turns], ...]] = WeakKeyDictionary()


def all_play(engine: Engine) -> tuple[tuple[Position, Turns], ...]:
    """Every position in play (one of each kind) with its turns; remembered for as long as the engine lives."""
    if engine not in _explored:
        _explored[engine] = tuple(positions_with_turns(engine))
    return _explored[engine]


def everywhere(make: Factory, data: Data) -> Checked:
    """The property holds in every position in play in some small games, and with the turn given, if one is."""
    check_known("property", data["property"], PROPERTIES)
    problem_of, looked = PROPERTIES[data["property"]], 0
    todo = [(engine, all_play(engine)) for engine in _games(make, data)]
    if "move" in data:
        engine, position = _setting(make, data)
        result = replayed(engine, position, [data["move"]])
        if isinstance(result, str):
            return False, result
        todo.append((engine, ((position, {read_move(engine.params, data["move"]): result}),)))
    for engine, played in todo:
        for position, turns in played:
            looked += len(turns)
            if problem := problem_of(engine, position, turns):
                return False, f"{position}: {problem}"
    return True, f"so it is with {looked} turns in play"


def win_uses_all(engine: Engine, position: Position, turns: Turns) -> str | None:
    """Who has just enough pieces wins with none in hand and none outside the last group."""
    for move, result in turns.items():
        winner = engine.winner(result)
        if winner is None or sum(engine.params.pieces(winner)) != engine.params.group * engine.params.groups:
            continue
        held = sum(result.in_hand(winner, s) for s in SIZES)
        standing = sum(result.owns(winner, p) for p in engine.params.points)
        last = engine.params.group if engine.readings["final_group"] == "keep" else 0
        if held or standing > last:
            return f"after {move} {winner} wins with {held} in hand and {standing} on the board"
    return None


def only_exchanges_give(engine: Engine, position: Position, turns: Turns) -> str | None:
    """Whatever makes a five of another colour, or counts one for another player, is an exchange."""
    others = [c for c in engine.params.colours if c != position.mover]
    for move, result in turns.items():
        if isinstance(move, Exchange):
            continue
        given = [colour for colour, _ in made_fives(position, move) if colour != position.mover]
        if given or any(result.formed(c) > position.formed(c) for c in others):
            return f"{move} makes a group for somebody else"
    return None


def one_five_of_a_colour(engine: Engine, position: Position, turns: Turns) -> str | None:
    for move in turns:
        colours = sorted(colour for colour, _ in made_fives(position, move))
        if len(set(colours)) < len(colours) or len(colours) > 2:
            return f"{move} makes fives of {' and '.join(colours)}"
    return None


Five = tuple[str, tuple[int, ...]]


def made_fives(position: Position, move: Move) -> set[Five]:
    """The fives that stand when the pieces have arrived and did not before, without asking the engine."""
    points = list(position.points)
    if isinstance(move, Placement):
        points[move.target] = move.piece
    elif isinstance(move, Slide | Exchange):
        points[move.source], points[move.target] = points[move.target], points[move.source]
    return fives(position.params, points) - fives(position.params, position.points)


def fives(params: Params, points: Sequence[Pyramid | None]) -> set[Five]:
    """HX-27, 28: connected sets of just the right size and one colour, with none of it beside them."""
    colours = [piece.colour if piece else None for piece in points]
    complete = set()
    for inside in connected_sets(params.radius, params.group):
        colour, *others = {colours[p] for p in inside}
        if colour and not others and all(colours[q] != colour for q in rim(params.radius, inside)):
            complete.add((colour, inside))
    return complete


def own_exchange_waits(engine: Engine, position: Position, _: Turns) -> str | None:
    """Every two adjacent own pieces of different sizes may exchange, and only they change."""
    if engine.winner(position):
        return None
    own = [p for p in engine.params.points if position.owns(position.mover, p)]
    pairs = [(p, q) for p in own for q in engine.neighbours[p] if q in own and position.pips(p) != position.pips(q)]
    for p, q in pairs:
        points = list(position.points)
        points[p], points[q] = points[q], points[p]
        waited = replace(position, points=tuple(points), mover=engine.after(position.mover))
        exchange = Exchange(p, q, engine.params.radius)
        if not engine.judge(position, exchange).legal or engine.play(position, exchange) != waited:
            return f"{exchange} is no waiting turn"
    return None


PROPERTIES: Mapping[str, Property] = {
    f.__name__: f for f in (win_uses_all, only_exchanges_give, one_five_of_a_colour, own_exchange_waits)
}
CHECKS: Mapping[str, Check] = {
    f.__name__: f for f in (board, plays, refused, exchange_pairs, everywhere, stuck, same_result, line)
}
