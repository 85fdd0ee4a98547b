"""Nest race as constraints: the board as each player sees it, whose turn it is, the goal and the set-up.

Which squares are adjacent and which lie ahead is said in `spec_plan`.

Glossary: c a player; s, t squares; z a size.
"""

from __future__ import annotations

from itertools import combinations

from rulecheck.games.nestrace import SIZES, Params
from rulecheck.model import Readings
from solvers.smt import Bool, every, some
from specs.nestrace.spec_plan import plan_of
from specs.nestrace.spec_scene import Scene, View


class Board:
    def __init__(self, params: Params, readings: Readings) -> None:
        self.params, self.readings = params, readings
        self.plan = plan_of(params, readings)
        self.starts = {c: self.plan.line(params.home(c)) for c in params.letters}
        self.finishes = {c: self.plan.line(self.plan.opposite(params.home(c))) for c in params.letters}
        self.rows = {c: self._rows(c) for c in params.letters}
        self.brinks = {c: self.plan.brink(self.plan.opposite(params.home(c))) for c in params.letters}
        self.scene = Scene(params, lambda c, s: not self._crosses(c, s))
        self.squares = self.scene.squares

    # -- NR-03, NR-09, NR-45 to NR-49: the board for one player --------------------------------------------------

    def _rows(self, c: str) -> list[int]:
        """Squares that lie equally far forward make a row; rows are counted from 1."""
        heights = self.plan.heights(self.plan.opposite(self.params.home(c)))
        return [sorted(set(heights)).index(height) + 1 for height in heights]

    def row(self, c: str, s: int) -> int:
        return self.rows[c][s]

    def on_start(self, c: str, s: int) -> bool:
        return s in self.starts[c]

    def on_finish(self, c: str, s: int) -> bool:
        return s in self.finishes[c]

    def on_line(self, c: str, s: int) -> bool:
        return self.on_start(c, s) or self.on_finish(c, s)

    def on_brink(self, c: str, s: int) -> bool:
        """NR-55: row 7."""
        return s in self.brinks[c]

    def is_early(self, c: str, s: int) -> bool:
        """Neither on the finish line nor on row 7."""
        return not self.on_finish(c, s) and not self.on_brink(c, s)

    def _crosses(self, c: str, s: int) -> bool:
        """A line of a player on another axis."""
        axis = {self.params.home(c), self.plan.opposite(self.params.home(c))}
        return any(self.on_line(p, s) for p in self.params.letters if self.params.home(p) not in axis)

    def foreign(self, c: str, s: int) -> bool:
        """NR-27, NR-31, reading rule9_4p; a partner is no opponent (NR-39)."""
        if self.readings["rule9_4p"] == "perpendicular":
            return self._crosses(c, s)
        return any(self.on_line(p, s) for p in self.params.letters if p not in self.team(c))

    def others(self, c: str) -> list[str]:
        return [p for p in self.params.letters if p != c]

    def is_step(self, s: int, t: int) -> bool:
        return (s, t) in self.plan.meets

    def is_jump(self, s: int, t: int) -> bool:
        return (s, t) in self.plan.jumps

    def middle(self, s: int, t: int) -> int:
        return self.plan.jumps[s, t]

    def is_straight(self, s: int, t: int) -> bool:
        """A hop over edges, not over corners."""
        return self.plan.meets[s, self.middle(s, t) if self.is_jump(s, t) else t][1]

    def backward(self, c: str, s: int, t: int) -> bool:
        """NR-13, reading backward."""
        is_hop = self.is_step(s, t) or self.is_jump(s, t)
        binds = is_hop and (self.readings["backward"] == "strict" or self.is_straight(s, t))
        return binds and self.row(c, t) < self.row(c, s)

    def touchable(self, o: int) -> set[int]:
        """Where chains of jumps could lead, in whatever direction and whatever lies there."""
        reached = {o}
        while new := {t for s, t in self.plan.jumps if s in reached} - reached:
            reached |= new
        return reached

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
        return "NR-40" if self.params.partners else "NR-32" if self.params.shared else "NR-04"

    def next_player(self, c: str) -> str:
        """NR-10, NR-36: after each the one named after it, and after the last the first."""
        first, *rest = self.params.letters
        return dict(zip(self.params.letters, [*rest, first], strict=True))[c]

    def setup(self) -> Bool:
        """Nests on the start lines, from their low ends, those who share a line in turn; nothing anywhere else."""
        wanted = []
        for c in self.params.letters:
            sharing = [p for p in self.params.letters if p in (c, self.params.mate(c))]
            seat = sharing.index(c) if self.params.setup == "acac" else len(sharing) - 1 - sharing.index(c)
            wanted += [self.nest(s, c) for s in self.starts[c][seat : self.params.nests * len(sharing) : len(sharing)]]
        return every(wanted)
