"""Nest race, executable: the boards as graphs with directions, and what is nearer to a finish line.

Glossary: a *heading* says which way a hop goes from a square, as a change of the square's two coordinates; *onward* is
the next square that way and the heading there, which turns where the ruling of the hexagon does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import product

from rulecheck.games.nestrace import Params
from rulecheck.games.nestrace.boards import COMPASS, OPPOSITE, Hexagon
from rulecheck.model import Readings

Place = tuple[int, ...]
Heading = tuple[int, int]
Hop = tuple[int, int]
HEADINGS = [(dx, dy) for dx, dy in product((-1, 0, 1), repeat=2) if (dx, dy) != (0, 0)]


class Ground:
    """NR-14, NR-15: which hops the board has. `jumps` names the square between, `straight` the hops that are not
    diagonal."""

    def __init__(self, params: Params, readings: Readings) -> None:
        self.params, self.readings = params, readings
        places: Iterable[Place] = params.grid.places
        at = self.at = {place: number for number, place in enumerate(places)}
        self.steps = {(at[o], at[t]) for o in at for way in HEADINGS for t, _ in self.onward(o, way)}
        self.jumps = {(at[o], at[t]): at[over] for o in at for way in HEADINGS for over, t in self.over(o, way)}
        along = [way for way in HEADINGS if 0 in way]
        self.straight = {(at[o], at[t]) for o in at for way in along for t, _ in self.onward(o, way)}
        self.straight |= {(at[o], at[t]) for o in at for way in along for _, t in self.over(o, way)}
        self.near = [sorted(b for a, b in self.steps if a == square) for square in at.values()]
        self.beyond = [sorted(b for a, b in self.jumps if a == square) for square in at.values()]

    def onward(self, here: Place, way: Heading) -> Iterator[tuple[Place, Heading]]:
        raise NotImplementedError

    def over(self, here: Place, way: Heading) -> Iterator[tuple[Place, Place]]:
        """The squares next to this one with those immediately behind them."""
        raise NotImplementedError

    def rows(self, p: str) -> list[int]:
        """The higher, the nearer to the player's finish line."""
        raise NotImplementedError

    def brink(self, p: str) -> frozenset[int]:
        """NR-55: the row before the finish line."""
        raise NotImplementedError


class SquareGround(Ground):
    def onward(self, here: Place, way: Heading) -> Iterator[tuple[Place, Heading]]:
        (x, y), (dx, dy) = here, way
        there = x + dx, y + dy
        if there in self.at:
            yield there, way

    def over(self, here: Place, way: Heading) -> Iterator[tuple[Place, Place]]:
        yield from ((over, end) for over, on in self.onward(here, way) for end, _ in self.onward(over, on))

    def ahead(self, p: str) -> Heading:
        """The step from the low end of the start line towards the low end of the finish line."""
        (x, y), (u, v) = (self.params.places[line(p)[0]] for line in (self.params.start_line, self.params.finish_line))
        return (u > x) - (u < x), (v > y) - (v < y)

    def rows(self, p: str) -> list[int]:
        """How far each square is ahead of the start line, which is row 1."""
        (dx, dy), (x, y) = self.ahead(p), self.params.places[self.params.start_line(p)[0]]
        return [1 + dx * (u - x) + dy * (v - y) for u, v in self.params.places]

    def brink(self, p: str) -> frozenset[int]:
        last = self.params.core + 2
        return frozenset(square for square, row in enumerate(self.rows(p)) if row == last - 1)


class HexagonGround(Ground):
    """NR-45, NR-47: in the ruling of a kite a heading keeps; at a seam it turns, and at the centre six squares meet."""

    def onward(self, here: Place, way: Heading, jumping: bool = False) -> Iterator[tuple[Place, Heading]]:
        (kite, u, v), (du, dv) = here, way
        u, v = u + du, v + dv
        if u and v:
            found = [(kite, u, v, way)]
        elif not (u or v):
            found = [(kite + turn, 1, 1, (1, 1)) for turn in self.turns(jumping)]
        elif du and dv and self.readings["seam"] == "edges":
            found = []
        else:  # the seam clockwise, or the other one
            found = [(kite + 1, v, 1, (dv, 1))] if v else [(kite - 1, 1, u, (1, du))]
        ends = [((k % len(COMPASS), a, b), on) for k, a, b, on in found]
        yield from ((there, on) for there, on in ends if there in self.at)

    def turns(self, jumping: bool) -> tuple[int, ...]:
        """How many kites on a way through the centre leads: three is straight across."""
        if self.readings["centre"] == "none":
            return ()
        touching = self.readings["centre"] == "touching" and not (jumping and self.readings["behind"] != "fan")
        return (2, 3, 4) if touching else (3,)

    def over(self, here: Place, way: Heading) -> Iterator[tuple[Place, Place]]:
        for over, on in self.onward(here, way, jumping=True):
            for end, _ in self.onward(over, on, jumping=True):
                if self.readings["behind"] != "straight" or self._unbent(here, over, end):
                    yield over, end

    def _unbent(self, *line: Place) -> bool:
        """All in one kite, or in two that lie across from each other."""
        kites = {place[0] for place in line}
        return len(kites) == 1 or max(kites) - min(kites) == len(COMPASS) // 2

    def rows(self, p: str) -> list[int]:
        if self.readings["forward"] == "axis":
            heights = [self.height(p, *place) for place in self.at]
            return [1 + sorted(set(heights)).index(height) for height in heights]
        far = self.distances(self.params.finish_line(p))
        return [1 + max(far) - steps for steps in far]

    def distances(self, goal: Iterable[int]) -> list[int]:
        """How many steps each square is from the nearest of these, on the empty board."""
        steps = dict.fromkeys(goal, 0)
        for square in (queue := list(steps)):
            following = [there for there in self.near[square] if there not in steps]
            steps.update(dict.fromkeys(following, steps[square] + 1))
            queue += following
        return [steps[square] for square in range(len(self.at))]

    def height(self, p: str, kite: int, u: int, v: int) -> Fraction:
        """How far the middle of a square lies from the centre towards the middle of the player's finish side, which
        is 1 away. A corner of the hexagon lies at two thirds of the sum of the middles beside it."""
        assert isinstance(self.params.grid, Hexagon)
        ahead = COMPASS.index(OPPOSITE[self.params.home(p)])
        first, second = (self.cosine(kite + side - ahead) for side in (0, 1))
        s, t = (Fraction(2 * count - 1, 2 * self.params.grid.height) for count in (u, v))
        return s * first + t * second - s * t * (first + second) / 3

    def cosine(self, turns: int) -> Fraction:
        """Of so many sixths of a full turn."""
        between = min(turns % 6, -turns % 6)
        return Fraction({0: 2, 1: 1, 2: -1, 3: -2}[between], 2)

    def brink(self, p: str) -> frozenset[int]:
        finish = self.params.finish_line(p)
        return frozenset(here for here, there in self.steps if there in finish and here not in finish)


def ground(params: Params, readings: Readings) -> Ground:
    return (SquareGround if params.board == "square" else HexagonGround)(params, readings)
