"""The plainest methods for the same answers, on networkx graphs, for small arenas. Written to be read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from solvers.graph import Kind, Outcome

if TYPE_CHECKING:
    import networkx

Values = dict[tuple[int, int], float]  # by role-node: (v, 0) holds f(v), (v, 1) holds g(v)

FLIPPED = {Outcome.WIN: Outcome.LOSS, Outcome.LOSS: Outcome.WIN}
ENDED = {Kind.WIN: Outcome.WIN, Kind.LOSS: Outcome.LOSS, Kind.TIE: Outcome.TIE}


def bellman(graph: networkx.MultiDiGraph, x: Values, v: int, role: int) -> float:
    """The value of one role-node if its successors are worth `x`."""
    kind = graph.nodes[v]["kind"]
    if kind in ENDED:
        return 1.0 if kind == (Kind.LOSS if role else Kind.WIN) else 0.0
    there = 1 - role if kind == Kind.MOVE else role
    worth = [x[s, there] for _, s in graph.out_edges(v)]
    if kind == Kind.CHANCE:
        return sum(worth) / len(worth)
    return min(worth) if role else max(worth)


def iterate_values(graph: networkx.MultiDiGraph, begin: float, rounds: int) -> Values:
    """Value iteration from `begin` everywhere.

    From 0 it rises towards the probabilities that a player can force. From 1 it falls towards something that
    may be larger: the chance of a win or of endless play, which is an upper bound and not the value.
    """
    x = {(v, role): begin for v in graph for role in (0, 1)}
    for _ in range(rounds):
        new = {key: bellman(graph, x, *key) for key in x}
        if new == x:
            break
        x = new
    return x


def iterate_outcomes(graph: networkx.MultiDiGraph) -> dict[int, tuple[Outcome, int]]:
    """Backward induction, layer by layer: first wins and losses, then ties; the rest is drawn."""
    known = {v: (ENDED[kind], 0) for v, kind in graph.nodes(data="kind") if kind in ENDED}
    decided = {v: entry for v, entry in known.items() if entry[0] != Outcome.TIE}
    distance = 0
    while layer := {v: entry for v in graph if (entry := _decided(graph, decided, known, v, distance))}:
        decided |= layer
        distance += 1
    settled = known | decided
    while layer := {v: (Outcome.TIE, d) for v in graph if (d := _tied(graph, settled, v)) is not None}:
        settled |= layer
    return {v: settled.get(v, (Outcome.DRAW, -1)) for v in graph}


def _seen(graph: networkx.MultiDiGraph, table: dict[int, Any], v: int) -> list[Outcome | None]:
    """The known outcomes of v's successors, as the player to move at v sees them."""
    flips = graph.nodes[v]["kind"] == Kind.MOVE
    seen = [table[s][0] if s in table else None for s in graph.successors(v)]
    return [FLIPPED.get(o, o) if flips and o is not None else o for o in seen]


def _decided(
    graph: networkx.MultiDiGraph, decided: dict[int, Any], known: dict[int, Any], v: int, distance: int
) -> tuple[Outcome, int] | None:
    if v in decided or v in known:
        return None
    seen = _seen(graph, decided, v)
    if Outcome.WIN in seen:
        return Outcome.WIN, distance + 1
    return (Outcome.LOSS, distance + 1) if all(o == Outcome.LOSS for o in seen) else None


def _tied(graph: networkx.MultiDiGraph, settled: dict[int, Any], v: int) -> int | None:
    """The distance to a tie if a successor is tied already; layers come in order of distance."""
    if v in settled:
        return None
    ways = [settled[s][1] for s in graph.successors(v) if s in settled and settled[s][0] == Outcome.TIE]
    return min(ways) + 1 if ways else None
