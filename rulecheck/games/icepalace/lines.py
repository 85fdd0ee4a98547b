"""Ice Palace: play from the start with what chance did in it, and how to play it again.

A line has an entry for each move and for each draw that could have gone otherwise: `A begins`, `B draws K2`. Where
chance has one way only it has no entry.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rulecheck.contract import brought
from rulecheck.games.icepalace import Position, read_move
from rulecheck.games.icepalace.engine import Engine
from rulecheck.model import InputError


def outcomes(engine: Engine, position: Position) -> dict[str, Position]:
    """What chance may do here, each with its name; empty if chance is not to act."""
    return {_named(engine, position, after): after for after in brought(engine, position)}


def _named(engine: Engine, before: Position, after: Position) -> str:
    if before.marker is None:
        return f"{after.marker} begins"
    hands = zip(engine.params.letters, before.hands, after.hands, strict=True)
    player, drawn = next((c, Counter(new) - Counter(old)) for c, old, new in hands if old != new)
    return f"{player} draws {next(drawn.elements())}"


def settled(engine: Engine, position: Position) -> Position:
    """What comes of a position as long as chance has one way only."""
    while len(ways := outcomes(engine, position)) == 1:
        (position,) = ways.values()
    return position


def replay(engine: Engine, line: Sequence[str]) -> Position:
    """The position that a line leads to; an entry that cannot be is refused."""
    position = settled(engine, engine.start())
    for entry in line:
        ways = outcomes(engine, position)
        if ways and entry not in ways:
            raise InputError(f"chance cannot say {entry!r} in {position}")
        after = ways[entry] if ways else engine.play(position, read_move(engine.params, entry))
        position = settled(engine, after)
    return position


class Play:
    """Every position in play, those with fewer pyramids placed first; chance, a player or nobody is to act.

    Worksites and palaces that differ by a turn or a mirror of the grid count as one, and A is always the one who
    begins: the players are alike.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.total = engine.params.material.total()
        self.parent: dict[Position, tuple[Position, str] | None] = {}

    def __iter__(self) -> Iterator[Position]:
        first = settled(self.engine, self.engine.start())
        self.parent, seen = {first: None}, {first.turned()}
        waiting: list[list[Position]] = [[] for _ in range(self.total + 1)]
        waiting[self.placed(first)].append(first)
        for layer in waiting:
            for position in layer:  # grows meanwhile
                yield position
                for entry, after in self._following(position):
                    if (same := after.turned()) not in seen:
                        seen.add(same)
                        self.parent[after] = position, entry
                        waiting[self.placed(after)].append(after)

    def _following(self, position: Position) -> Iterator[tuple[str, Position]]:
        drawn = outcomes(self.engine, position)
        if position.marker is None:
            drawn = {entry: after for entry, after in drawn.items() if after.marker == "A"}
        moves = {} if drawn else self.engine.moves(position)
        for entry, after in {**drawn, **{str(move): after for move, after in moves.items()}}.items():
            yield entry, settled(self.engine, after)

    def placed(self, position: Position) -> int:
        """How many pyramids have been placed since the game began."""
        return self.total - sum(map(len, position.hands)) - sum(map(sum, position.bag))

    def line(self, position: Position) -> tuple[str, ...]:
        """How a position came about."""
        entries: list[str] = []
        step = self.parent[position]
        while step is not None:
            position, entry = step
            entries.append(entry)
            step = self.parent[position]
        return tuple(reversed(entries))
