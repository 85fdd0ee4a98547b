"""Ice Palace: who can force a round, with the strategy that shows it, once `forcing_check` has accepted it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rulecheck.games.icepalace import Move, Position
from rulecheck.games.icepalace.engine import Engine
from rulecheck.games.icepalace.research.forcing import MOST_STATES, Forcing, TooManyStatesError
from rulecheck.games.icepalace.research.forcing_check import (
    FORMAT,
    check_round,
    problems,
    read_strategy,
    round_of,
    turns,
    winner,
)
from rulecheck.model import Status

Entry = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """PROVED, either way, or UNKNOWN; `moves` says for each move of the position whether the player forces after it.

    None means unknown. `within` bounds the number of moves that the round can then take.
    """

    result: Status
    player: str
    forces: bool | None
    moves: Mapping[str, bool | None]
    within: int | None
    states: int
    why: str = ""
    document: Entry = field(default_factory=dict)

    @property
    def best(self) -> list[str]:
        """The moves after which the player forces."""
        return [move for move, forces in self.moves.items() if forces]

    @property
    def nodes(self) -> int:
        return len(self.document.get("nodes", ()))

    def as_json(self) -> Entry:
        document: Entry = {"result": self.result.value, "player": self.player, "forces": self.forces, "best": self.best}
        document |= {"moves": [{"move": move, "forces": forces} for move, forces in self.moves.items()]}
        document |= {"within": self.within, "states": self.states, "nodes": self.nodes}
        return {**document, **({"why": self.why} if self.why else {})}


class Writer:
    """Writes nodes for positions with a known winner, those later in play first."""

    def __init__(self, forcing: Forcing) -> None:
        self.forcing, self.engine = forcing, forcing.engine
        self.nodes: list[Entry] = []
        self._numbers: dict[Position, int] = {}

    def to(self, after: Position | None) -> int | None:
        """The node of a position, written if necessary; None where the round has ended."""
        if after is None:
            return None
        position = round_of(after)
        if position not in self._numbers:
            entry = self._node(position)
            if len(self.nodes) >= self.forcing.most:
                raise TooManyStatesError
            self._numbers[position] = len(self.nodes)
            self.nodes.append(entry)
        return self._numbers[position]

    def _node(self, position: Position) -> Entry:
        forces = self.forcing.can_force(position)
        moves = {str(move): self.to(after) for move, after in self.needed(position, forces).items()}
        within = 1 + max(self.within(to) for to in moves.values())
        return {"position": str(position), "forces": forces, "within": within, "moves": moves}

    def needed(self, position: Position, forces: bool) -> dict[Move, Position | None]:
        """All moves if the mover opposes the claim, one reply if the mover supports it."""
        options = turns(self.engine, position)
        if not self.chooses(position, forces):
            return options
        reply = self._reply(position, options, forces)
        return {reply: options[reply]}

    def chooses(self, position: Position, forces: bool) -> bool:
        return (position.mover == self.forcing.forcer) == forces

    def within(self, number: int | None) -> int:
        """A bound on the moves from a node on; 0 where the round has ended."""
        return 0 if number is None else int(self.nodes[number]["within"])

    def _reply(self, position: Position, options: Mapping[Move, Position | None], forces: bool) -> Move:
        """A move that keeps the claim, preferably one that ends the round or that the search has seen."""
        for move, after in options.items():
            if after is None and (winner(self.engine, position) == self.forcing.forcer) is forces:
                return move
            if after is not None and self.forcing.known_of(after) is forces:
                return move
        return next(
            move for move, after in options.items() if after is not None and self.forcing.can_force(after) is forces
        )


def force(engine: Engine, position: Position, player: str, most: int = MOST_STATES) -> Answer:
    """Can the player force placing last from here on, and with which moves?"""
    check_round(engine, position)
    forcing = Forcing(engine, player, most)
    try:
        answer = _answered(forcing, position)
    except TooManyStatesError:
        return _unknown(forcing, f"the search was given up at {most:,} states")
    refused = problems(read_strategy(answer.document))
    return _unknown(forcing, f"the strategy found is not accepted, {refused[0]}") if refused else answer


def as_text(document: Entry) -> str:
    """The strategy as JSON, a line for each node."""
    nodes = ",\n".join(json.dumps(node) for node in document["nodes"])
    rest = {name: value for name, value in document.items() if name != "nodes"}
    return f'{json.dumps(rest, indent=1)[:-2]},\n "nodes": [\n{nodes}\n]}}\n'


def _unknown(forcing: Forcing, why: str) -> Answer:
    return Answer(Status.UNKNOWN, forcing.forcer, None, {}, None, len(forcing.known), why)


def _answered(forcing: Forcing, position: Position) -> Answer:
    """The answer with its strategy, not yet checked."""
    writer = Writer(forcing)
    forces = forcing.can_force(position)
    values = _values(forcing, writer, position, forces)
    results = turns(forcing.engine, position)
    first = {str(m): writer.to(results[m]) for m, value in values.items() if value is not None}
    document = {
        "format": FORMAT,
        "params": forcing.engine.params.as_dict(),
        "readings": dict(forcing.engine.readings),
        "position": str(position),
        "player": forcing.forcer,
        "forces": forces,
        "moves": first,
        "nodes": writer.nodes,
    }
    kept = [writer.within(first[str(move)]) for move, value in values.items() if value is forces]
    within = 1 + (min(kept) if writer.chooses(position, forces) else max(kept))
    by_text = {str(move): value for move, value in values.items()}
    return Answer(Status.PROVED, forcing.forcer, forces, by_text, within, len(forcing.known), "", document)


def _values(forcing: Forcing, writer: Writer, position: Position, forces: bool) -> dict[Move, bool | None]:
    """Whether the player forces after each move; if another player moves, only for moves that the answer needs."""
    if position.mover != forcing.forcer:
        return dict.fromkeys(writer.needed(position, forces), forces)
    return {m: _after_move(forcing, position, result) for m, result in turns(forcing.engine, position).items()}


def _after_move(forcing: Forcing, position: Position, result: Position | None) -> bool | None:
    """Does the player force after a move? None, if too costly, can only concern moves that the answer does not need."""
    if result is None:
        return winner(forcing.engine, position) == forcing.forcer
    try:
        return forcing.can_force(result)
    except TooManyStatesError:
        return None
