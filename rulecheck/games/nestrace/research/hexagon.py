"""Nest race: what the designer's note says of the board for three and six, held against the board that we take it for.

The figure is lost. So it is also asked which boards of six segments, each of four by four squares, fit its sentences.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rulecheck.games.nestrace import Params
from rulecheck.games.nestrace.boards import COMPASS, OPPOSITE, Hexagon
from rulecheck.games.nestrace.engine import Engine

SEGMENT = 4  # squares of a segment either way
Found = tuple[bool, str]
Cell = tuple[int, int]


# -- The board we take it for ----------------------------------------------------------------------------------------


def _kites(params: Params) -> list[tuple[int, int, int]]:
    assert isinstance(params.grid, Hexagon)
    return list(params.grid.places)


def _meet_at_centre(params: Params, s: int, t: int) -> bool:
    """They touch the centre, in kites that do not lie side by side."""
    (k, *first), (n, *second) = (_kites(params)[at] for at in (s, t))
    return first == second == [1, 1] and (k - n) % len(COMPASS) in (2, 3, 4)


def _through_centre(engine: Engine) -> list[tuple[int, int]]:
    params = engine.params
    return sorted(
        (s, t) for (s, t), m in engine.jumps.items() if _meet_at_centre(params, s, m) or _meet_at_centre(params, m, t)
    )


def _named(engine: Engine, hop: tuple[int, int]) -> str:
    s, t = hop
    return f"{engine.params.squares[s]} to {engine.params.squares[t]}"


def jumps_through_centre(engine: Engine) -> Found:
    """Some jumps lead through the centre."""
    through = _through_centre(engine)
    return bool(through), f"{len(through)} jumps lead through the centre" + _example(engine, through)


def backward_through_centre(engine: Engine) -> Found:
    """For each player some jumps through the centre go backward, and some do not."""
    through = set(_through_centre(engine))
    backward = {p: sorted(through & set(engine.retreats[p])) for p in engine.players}
    some = all(0 < len(hops) < len(through) for hops in backward.values())
    first = engine.players[0]
    seen = f"of {len(through)} jumps through the centre {len(backward[first])} go backward for {first}"
    return some, seen + _example(engine, backward[first])


def _example(engine: Engine, hops: Sequence[tuple[int, int]]) -> str:
    return f", for one {_named(engine, hops[0])}" if hops else ""


def files_from_south(engine: Engine) -> Found:
    """Straight on from each square of the south line, past the seam, to the lines in the north-west and north-east."""
    params, ends = engine.params, []
    for s in params.edge("south"):
        k, u, v = _kites(params)[s]
        inward = _kites(params).index((k, u - 1, v) if u > v else (k, u, v - 1))
        file = [s, inward]
        while ahead := [t for (a, t), m in engine.jumps.items() if (a, m) == (file[-2], file[-1])]:
            file += ahead[:1]
        ends.append(next((side for side in COMPASS if file[-1] in params.edge(side)), "no line"))
    wanted = {"north-west", "north-east"}
    return set(ends) == wanted, f"files that begin on the south line end on {', '.join(dict.fromkeys(ends))}"


def seven_steps(engine: Engine) -> Found:
    """From every square of each start line the finish line is seven steps away."""
    far = set()
    for side in COMPASS:
        within = set(engine.params.edge(OPPOSITE[side]))
        rounds = dict.fromkeys(within, 0)
        while new := {s for s, t in engine.steps if t in within} - within:
            rounds |= dict.fromkeys(new, max(rounds.values()) + 1)
            within |= new
        far |= {rounds.get(n) for n in engine.params.edge(side)}
    counts = " or ".join(map(str, sorted(n for n in far if n is not None)))
    return far == {7}, f"the finish line is {counts} steps away from the start line"


# -- Other boards ----------------------------------------------------------------------------------------------------


class Outline(NamedTuple):
    """A board of six segments: its sides, in squares, each corner's squares, and whether all segments share a point."""

    name: str
    sides: tuple[int, ...]
    corners: tuple[int, ...]
    has_centre: bool

    def fails(self) -> list[str]:
        """The sentences of the note that do not fit."""
        lines = [length - 4 for length in self.sides]  # each end loses the corner's square and one more
        return [
            words
            for words, holds in (
                ("six sides", len(self.sides) == 6),
                ("three squares at each of six corners", self.corners == (3,) * 6),
                ("lines of four", set(lines) == {SEGMENT}),
                ("a centre to jump through", self.has_centre),
            )
            if not holds
        ]


def outlines() -> Iterator[Outline]:
    """Six segments around a point, the corner of a side in each or between two; and all ways to lay them out flat."""
    yield Outline("around a point, each side across a seam", (2 * SEGMENT,) * 6, (3,) * 6, True)
    yield Outline("around a point, a side for each segment", (2 * SEGMENT - 1,) * 6, (2,) * 6, True)
    for number, cells in enumerate(flat(6), 1):
        sides, outward = _boundary(cells)
        corners = (3,) * outward
        yield Outline(f"flat {number}", tuple(SEGMENT * side for side in sides), corners, _share_a_point(cells))


def flat(count: int) -> list[frozenset[Cell]]:
    """All ways to join segments edge to edge in the plane, but for turning and reflecting them."""
    known = {frozenset([(0, 0)])}
    for _ in range(count - 1):
        known = {
            _least(cells | {new}) for cells in known for cell in cells for new in _beside(cell) if new not in cells
        }
    return sorted(known, key=sorted)


def _beside(cell: Cell) -> list[Cell]:
    x, y = cell
    return [(x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)]


def _least(cells: frozenset[Cell]) -> frozenset[Cell]:
    turned = [{(a * x, b * y) for x, y in cells} for a in (1, -1) for b in (1, -1)]
    turned += [{(y, x) for x, y in shape} for shape in turned]
    moved = [{(x - min(x for x, _ in shape), y - min(y for _, y in shape)) for x, y in shape} for shape in turned]
    return frozenset(min(moved, key=sorted))


def _boundary(cells: frozenset[Cell]) -> tuple[list[int], int]:
    """The lengths of all sides, in segments, and how many corners point outward."""
    ways = [(1, 0), (0, 1), (-1, 0), (0, -1)]
    edges = {(x, y, n) for x, y in cells for n, (a, b) in enumerate(ways) if (x + a, y + b) not in cells}
    sides, outward = [], 0
    for x, y, n in edges:
        a, b = ways[(n + 1) % 4]  # along the edge
        outward += (x, y, (n + 1) % 4) in edges
        if (x - a, y - b, n) not in edges:
            length = 1
            while (x + length * a, y + length * b, n) in edges:
                length += 1
            sides.append(length)
    return sorted(sides), outward


def _share_a_point(cells: frozenset[Cell]) -> bool:
    return any(all((x - a) in (0, 1) and (y - b) in (0, 1) for a, b in cells) for x, y in cells)


def only_board(engine: Engine) -> Found:
    """Of all these boards one fits every sentence, and it has as many squares as the one played here."""
    boards = list(outlines())
    fit = [board.name for board in boards if not board.fails()]
    squares = 6 * SEGMENT**2 - 18
    flat_ones = [board for board in boards if board.name.startswith("flat")]
    six = sum(len(board.sides) == 6 for board in flat_ones)
    most = max(len(board.corners) for board in flat_ones if len(board.sides) == 6)
    other = next(board for board in boards[1:2])
    seen = (
        f"of {len(boards)} boards of six segments one fits every sentence: {', '.join(fit)}; {other.name}: not "
        f"{' nor '.join(other.fails())}; of {len(flat_ones)} flat ones {six} have six sides, with at most {most} "
        f"corners, and none a centre that all share"
    )
    return fit == [boards[0].name] and len(engine.params.squares) == squares, seen


ABOUT = {
    check.__name__: check
    for check in (jumps_through_centre, backward_through_centre, files_from_south, seven_steps, only_board)
}
