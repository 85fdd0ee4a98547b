"""Nest race for three and for six, as plainly as `naive_nestrace`: a board drawn on paper, square by square.

A square is the four points at its corners. Squares that share two points lie side by side, squares that share one
touch at it; what is where in a file is never asked. Default readings.
"""

from __future__ import annotations

import functools
from fractions import Fraction

import naive_nestrace

Point = tuple[Fraction, Fraction]
SIDES = ("N", "NE", "SE", "S", "SW", "NW")
MIDDLES = ((0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0))  # of the sides, on axes that enclose 60 degrees


class HexTable(naive_nestrace.Table):
    __slots__ = ()

    def squares(self) -> list[str]:
        return list(drawn(self.core, self.width))

    def seat(self, player: str) -> str:
        first = SIDES.index("S" if self.side == "south" else "N")
        return SIDES[(first + self.players.index(player) * 6 // len(self.players)) % 6]

    def axis(self, player: str) -> str:
        return player if len(self.players) == 3 else next(pair for pair in ("AD", "BE", "CF") if player in pair)

    def home(self, player: str) -> str:
        """Of the two sides of an axis the one on which nests start."""
        starts = ("S", "NW", "NE") if self.side == "south" else ("N", "SE", "SW")
        return next(self.seat(p) for p in self.axis(player) if self.seat(p) in starts)

    def start_line(self, player: str) -> list[str]:
        return line(self.core, self.width, self.home(player))

    def finish_line(self, player: str) -> list[str]:
        return line(self.core, self.width, SIDES[SIDES.index(self.home(player)) - 3])

    def starts_on(self, player: str, square: str) -> bool:
        return square in self.start_line(player)

    def finishes_on(self, player: str, square: str) -> bool:
        return square in self.finish_line(player)

    def row(self, player: str, square: str) -> int:
        """Fewer steps to go are a higher row."""
        finish = tuple(self.finish_line(player))
        return -steps_to_go(self.core, self.width, finish)[square]

    def is_next_to_finish(self, player: str, square: str) -> bool:
        return self.row(player, square) == -1

    def steps(self, square: str) -> list[str]:
        return neighbours(self.core, self.width)[square]

    def jumps(self, square: str) -> list[tuple[str, str]]:
        return leaps(self.core, self.width)[square]


@functools.cache
def drawn(core: int, width: int) -> dict[str, list[Point]]:
    """The squares with their corners, in order around them; each side of a kite is divided into equal parts."""
    h, found = core // 2 + 1, {}
    for kite in range(6):
        (x1, y1), (x2, y2) = MIDDLES[kite], MIDDLES[(kite + 1) % 6]
        corner = (Fraction(2 * (x1 + x2), 3), Fraction(2 * (y1 + y2), 3))

        def point(i: int, j: int, x1: int = x1, y1: int = y1, x2: int = x2, y2: int = y2, c: Point = corner) -> Point:
            """On the line between the i-th points of two opposite sides."""
            s, t = Fraction(i, h), Fraction(j, h)
            below, above = (s * x1, s * y1), (x2 + s * (c[0] - x2), y2 + s * (c[1] - y2))
            return below[0] + t * (above[0] - below[0]), below[1] + t * (above[1] - below[1])

        for i in range(1, h + 1):
            for j in range(1, h + 1):
                if (i < h and j < h) or (i == h and 2 * j <= width) or (j == h and 2 * i <= width):
                    around = ((i - 1, j - 1), (i, j - 1), (i, j), (i - 1, j))
                    found[f"{'abcdef'[kite]}{i}{j}"] = [point(*at) for at in around]
    return found


def shared(one: list[Point], other: list[Point]) -> list[Point]:
    return [point for point in one if point in other]


@functools.cache
def neighbours(core: int, width: int) -> dict[str, list[str]]:
    """At the centre only the square straight across."""
    board = drawn(core, width)
    return {
        a: [b for b in board if b != a and (common := shared(board[a], board[b])) and not _askew(a, b, common)]
        for a in board
    }


def _askew(a: str, b: str, common: list[Point]) -> bool:
    return common == [(0, 0)] and (ord(a[0]) - ord(b[0])) % 6 != 3


@functools.cache
def leaps(core: int, width: int) -> dict[str, list[tuple[str, str]]]:
    """Over a neighbour, to the neighbour of that one at the opposite edge or corner."""
    board, near = drawn(core, width), neighbours(core, width)
    found: dict[str, list[tuple[str, str]]] = {a: [] for a in board}
    for a in board:
        for over in near[a]:
            entered = shared(board[over], board[a])
            opposite = [board[over][board[over].index(point) - 2] for point in entered]
            found[a] += [(over, b) for b in near[over] if sorted(shared(board[over], board[b])) == sorted(opposite)]
    return found


@functools.cache
def line(core: int, width: int, side: str) -> list[str]:
    """Clockwise."""
    h, after, half = core // 2 + 1, SIDES.index(side), width // 2
    before = [f"{'abcdef'[after - 1]}{i}{h}" for i in range(half, 0, -1)]
    return before + [f"{'abcdef'[after]}{h}{j}" for j in range(1, half + 1)]


@functools.cache
def steps_to_go(core: int, width: int, finish: tuple[str, ...]) -> dict[str, int]:
    steps, near = dict.fromkeys(finish, 0), neighbours(core, width)
    for count in range(1, len(near)):
        for square in [s for s in near if s not in steps and any(steps.get(n) == count - 1 for n in near[s])]:
            steps[square] = count
    return steps
