"""Nest race as constraints: the board, whose turn it is, the goal and the set-up.

Geometry is said in coordinates: a player's `row` counts from the own start line, `file` runs across it.

Glossary: c a player; s, t squares; z a size.
"""

from __future__ import annotations

from itertools import combinations

from rulecheck.games.nestrace import SIZES, Params
from rulecheck.model import Readings
from solvers.smt import Bool, every, some
from specs.nestrace.spec_scene import Scene, View


class Board:
    def __init__(self, params: Params, readings: Readings) -> None:
        self.params, self.readings = params, readings
        self.last = params.core + 2
        self.scene = Scene(params, lambda c, s: not self._crosses(c, s))
        self.squares = self.scene.squares

    # -- NR-03, NR-09: the board in coordinates -------------------------------------------------------------

    def row(self, c: str, s: int) -> int:
        column, row = self.params.places[s]
        return {"south": row, "west": column, "east": self.last + 1 - column}[self.params.home(c)]

    def file(self, c: str, s: int) -> int:
        column, row = self.params.places[s]
        return column if self.params.home(c) == "south" else row

    def on_start(self, c: str, s: int) -> bool:
        return self.row(c, s) == 1

    def on_finish(self, c: str, s: int) -> bool:
        return self.row(c, s) == self.last

    def on_line(self, c: str, s: int) -> bool:
        return self.row(c, s) in (1, self.last)

    def _crosses(self, c: str, s: int) -> bool:
        """A line of a player on the other axis: its squares end c's files."""
        return self.file(c, s) in (1, self.last)

    def foreign(self, c: str, s: int) -> bool:
        """NR-27, NR-31, reading rule9_4p; a partner is no opponent (NR-39)."""
        if self.readings["rule9_4p"] == "perpendicular":
            return self._crosses(c, s)
        return any(self.on_line(p, s) for p in self.params.letters if p not in self.team(c))

    def others(self, c: str) -> list[str]:
        return [p for p in self.params.letters if p != c]

    def distances(self, s: int, t: int) -> tuple[int, int]:
        (a, b), (d, e) = self.params.places[s], self.params.places[t]
        return abs(a - d), abs(b - e)

    def is_step(self, s: int, t: int) -> bool:
        return max(self.distances(s, t)) == 1

    def is_jump(self, s: int, t: int) -> bool:
        return set(self.distances(s, t)) in ({2}, {0, 2})

    def middle(self, s: int, t: int) -> int:
        (a, b), (d, e) = self.params.places[s], self.params.places[t]
        return self.params.places.index(((a + d) // 2, (b + e) // 2))

    def backward(self, c: str, s: int, t: int) -> bool:
        """NR-13, reading backward."""
        straight = self.readings["backward"] == "strict" or self.file(c, s) == self.file(c, t)
        return self.row(c, t) < self.row(c, s) and straight

    # -- NR-04, NR-32, NR-40: the goal; NR-07, NR-08, NR-34: the set-up --------------------------------------

    def nest(self, s: int, c: str) -> Bool:
        """NR-05: large on medium on small."""
        return every(View(self.scene).has(s, z, c) for z in SIZES)

    def finished(self, c: str) -> Bool:
        line = [s for s in self.squares if self.on_finish(c, s)]
        return some(every(self.nest(s, c) for s in chosen) for chosen in combinations(line, self.params.nests))

    def team(self, c: str) -> list[str]:
        """NR-39: partners share their lines."""
        return [p for p in self.params.letters if p == c or (self.params.partners and p == self.params.mate(c))]

    def won(self, c: str) -> Bool:
        return every(self.finished(p) for p in self.team(c))

    def over(self) -> Bool:
        return some(self.won(c) for c in self.params.letters)

    def goal_clause(self) -> str:
        return "NR-40" if self.params.partners else "NR-04" if self.params.players == 2 else "NR-32"

    def next_player(self, c: str) -> str:
        """NR-10, NR-36: after each the one named after it, and after the last the first."""
        first, *rest = self.params.letters
        return dict(zip(self.params.letters, [*rest, first], strict=True))[c]

    def setup(self) -> Bool:
        """Nests on the start lines, from their low ends, those who share a line in turn; nothing anywhere else."""
        wanted = []
        for c in self.params.letters:
            line = sorted((s for s in self.squares if self.on_start(c, s)), key=lambda s: self.file(c, s))
            sharing = [p for p in self.params.letters if p in (c, self.params.mate(c))]
            seat = sharing.index(c) if self.params.setup == "acac" else len(sharing) - 1 - sharing.index(c)
            wanted += [self.nest(s, c) for s in line[seat : self.params.nests * len(sharing) : len(sharing)]]
        return every(wanted)
