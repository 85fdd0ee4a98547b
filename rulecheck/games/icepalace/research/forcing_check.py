"""Ice Palace: accepts or rejects a strategy for a round, by the engine alone. Nothing here searches.

A strategy is a JSON document. It states the game, a position of a round, a player, and whether that player can force
the round (`forces`). Its `moves` lead from the position to nodes, by their number, or to null where the round ends.
A node has a position (turned, mirrored and moved along the grid as it likes), a claim of its own, the moves out of it,
and `within`, a bound on the moves that the round can still take.

If the claim is that the player forces the round, a node where the player moves has one reply, and a node where another
player moves has all legal moves; if it is that the player cannot, the other way round. Every move is the engine's, has
the stated result, and leads to a node with the same claim and a smaller `within`, so play along the strategy ends; and
where it ends, the claim is true. That proves each node, from the last to the first. The position itself is treated
likewise, but a player to move there may have moves to nodes with either claim, so it is known which of them force.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rulecheck.games.icepalace import GAME, NOBODY, PASS, Move, Position, Structure
from rulecheck.games.icepalace.engine import Engine
from rulecheck.model import InputError

FORMAT = "rulecheck icepalace strategy 1"
MAX_REPORTED = 10
Moves = dict[str, int | None]


@dataclass(frozen=True)
class Node:
    position: Position
    forces: bool
    within: int
    moves: Moves


@dataclass(frozen=True)
class Strategy:
    """A document that has been read; `first` are the moves of the position itself."""

    engine: Engine
    position: Position
    player: str
    forces: bool
    first: Moves
    nodes: tuple[Node, ...]

    def claim(self, target: int | None) -> bool:
        """What is claimed after a first move."""
        if target is None:
            return winner(self.engine, self.position) == self.player
        return self.nodes[target].forces


# -- A round, as the engine plays it -------------------------------------------------------------------------


def turns(engine: Engine, position: Position) -> dict[Move, Position | None]:
    """The legal moves with their results; None is the end of the round."""
    results: dict[Move, Position | None] = {m: engine.take_turn(position, m) for m in engine.worksite_moves(position)}
    if engine.judge_pass(position).legal:
        results[PASS] = None if engine.ends_round(position) else engine.pass_turn(position)
    return results


def winner(engine: Engine, position: Position) -> str | None:
    """Who wins the round if it ends in this position; nobody, if the worksite is empty."""
    return engine.placed_last(position) if position.worksite else None


def round_of(position: Position) -> Position:
    """The part that matters to a round: no palace, no bag, and the worksite up to symmetry and shift."""
    bag = ((0, 0, 0),) * len(position.bag)
    return replace(position, worksite=_turned(position.worksite), palace=Structure(), bag=bag)


@functools.lru_cache(1 << 16)
def _turned(worksite: Structure) -> Structure:
    return min(worksite.images(), key=lambda image: image.stacks)


def check_round(engine: Engine, position: Position) -> None:
    """Reject a position that does not belong to a round."""
    if position.mover == NOBODY or position.left:
        raise InputError("no round is played in this position: nobody is to place a pyramid on the worksite")
    if not turns(engine, position):
        raise InputError(f"{position.mover} has to open the worksite and holds no pyramid")


# -- Reading -------------------------------------------------------------------------------------------------


def read_strategy(document: Any) -> Strategy:
    """The strategy in a document; a malformed one is rejected with a sentence."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise InputError(f"this is no strategy for a round: it does not say {FORMAT!r}")
    params = GAME.params(_texts(document, "params"))
    given = _texts(document, "readings")
    readings = GAME.rulebook.choose(given)
    if dict(readings) != given or params.as_dict() != document["params"]:
        raise InputError("the strategy does not state all parameters and readings of the game")
    engine = Engine(params, readings)
    nodes = tuple(_node(engine, number, entry) for number, entry in enumerate(_part(document, "nodes", list)))
    position = GAME.read_position(params, _part(document, "position", str))
    check_round(engine, position)
    player = _part(document, "player", str)
    if player not in params.letters:
        raise InputError(f"the strategy is for {player!r}, who does not play; expected {' or '.join(params.letters)}")
    return Strategy(engine, position, player, _part(document, "forces", bool), _moves(document, len(nodes)), nodes)


def _node(engine: Engine, number: int, entry: Any) -> Node:
    try:
        position = GAME.read_position(engine.params, _part(entry, "position", str))
        check_round(engine, position)
        forces, within = _part(entry, "forces", bool), _part(entry, "within", int)
        return Node(position, forces, within, _moves(entry, number))
    except InputError as error:
        raise InputError(f"node {number} of the strategy cannot be read: {error}") from None


def _part(entry: Any, name: str, kind: type) -> Any:
    part = entry.get(name) if isinstance(entry, dict) else None
    if type(part) is not kind:
        raise InputError(f"the strategy lacks {name!r}, or it is not of the right kind")
    return part


def _texts(document: Mapping[str, Any], name: str) -> dict[str, str]:
    texts: dict[str, str] = _part(document, name, dict)
    if not all(isinstance(value, str) for value in texts.values()):
        raise InputError(f"the strategy lacks {name!r}, or it is not of the right kind")
    return texts


def _moves(entry: Mapping[str, Any], below: int) -> Moves:
    """Moves lead only to earlier nodes, so there are no cycles."""
    moves: Moves = _part(entry, "moves", dict)
    for move, target in moves.items():
        if target is not None and (type(target) is not int or not 0 <= target < below):
            raise InputError(f"the move {move} leads to {target!r}, expected the number of a node before it, or null")
    return moves


# -- Checking ------------------------------------------------------------------------------------------------


def problems(strategy: Strategy) -> list[str]:
    """Everything (up to MAX_REPORTED findings) that keeps the strategy from proving its claim; empty: accepted."""
    reported: list[str] = []
    for problem in _problems(strategy):
        reported.append(problem)
        if len(reported) == MAX_REPORTED:
            break
    return reported


def _problems(strategy: Strategy) -> Iterator[str]:
    shapes = [round_of(node.position) for node in strategy.nodes]
    yield from (f"the position: {problem}" for problem in _root_problems(strategy, shapes))
    for number, node in enumerate(strategy.nodes):
        for problem in _node_problems(strategy, shapes, node):
            yield f"node {number}, {node.position}: {problem}"


def _root_problems(strategy: Strategy, shapes: list[Position]) -> Iterator[str]:
    here = turns(strategy.engine, strategy.position)
    yield from _step_problems(strategy, shapes, here, strategy.first)
    claims = [strategy.claim(target) for target in strategy.first.values()]
    chooses = (strategy.position.mover == strategy.player) == strategy.forces
    if chooses and strategy.forces not in claims:
        yield f"no move keeps what is claimed for {strategy.player}"
    if not chooses:
        yield from (f"the move {move} is missing" for move in _missing(here, strategy.first))
        if not all(claim is strategy.forces for claim in claims):
            yield f"a move breaks what is claimed for {strategy.player}"


def _node_problems(strategy: Strategy, shapes: list[Position], node: Node) -> Iterator[str]:
    here = turns(strategy.engine, node.position)
    yield from _step_problems(strategy, shapes, here, node.moves)
    if (node.position.mover == strategy.player) != node.forces:
        yield from (f"the move {move} is missing" for move in _missing(here, node.moves))
    if not node.moves:
        yield "there is no reply"
    for move, target in node.moves.items():
        if target is None and (winner(strategy.engine, node.position) == strategy.player) is not node.forces:
            yield f"the round ends with {move}, and not as claimed"
        if target is not None and strategy.nodes[target].forces is not node.forces:
            yield f"the move {move} leads to node {target}, which claims something else"
        if node.within <= (0 if target is None else strategy.nodes[target].within):
            yield f"after the move {move} the round may take longer than claimed"


def _step_problems(
    strategy: Strategy, shapes: list[Position], here: Mapping[Move, Position | None], moves: Moves
) -> Iterator[str]:
    """Moves that are illegal, or have another result."""
    results = {str(move): result for move, result in here.items()}
    for move, target in moves.items():
        if move not in results:
            yield f"the move {move} is not legal"
            continue
        result = results[move]
        if (result is None) != (target is None):
            yield f"the move {move} {'ends' if result is None else 'does not end'} the round"
        elif result is not None and target is not None and round_of(result) != shapes[target]:
            yield f"the move {move} does not lead to node {target}, {strategy.nodes[target].position}"


def _missing(here: Mapping[Move, Position | None], moves: Moves) -> list[str]:
    return [str(move) for move in here if str(move) not in moves]
