"""Nest race as constraints: what every clause but the pat rule asks of a move.

The clauses of a path are ground terms over what lies where, one for each clause; the path is legal if all are true.

Glossary: c a player to move; z a size; o the origin of a move, t its end or a touchdown, s the square before it; x a
scene, seen with the moving pyramid in the air; a way is (o, z, t).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

from rulecheck.games.nestrace import SIZES
from rulecheck.pyramids import SMALL
from solvers.smt import FALSE, TRUE, Bool, every, no, some
from specs.nestrace.spec_board import Board
from specs.nestrace.spec_scene import View

Way = tuple[int, int, int]
Path = tuple[int, ...]
Clauses = dict[str, Bool]


class Hops(NamedTuple):
    """What a pyramid lifted from one square may do: single steps, jumps from square to square, stops.

    Conditions are terms, or functions that look them up.
    """

    steps: list[tuple[int, Any]]
    jumps: dict[int, list[tuple[int, Any, bool]]]  # end, condition, whether it goes backward
    goes_on: dict[int, Any]
    stops: dict[int, Any]

    def compiled(self, make: Callable[[Bool], Any]) -> Hops:
        return Hops(
            [(t, make(term)) for t, term in self.steps],
            {s: [(t, make(term), back) for t, term, back in ends] for s, ends in self.jumps.items()},
            {t: make(term) for t, term in self.goes_on.items()},
            {t: make(term) for t, term in self.stops.items()},
        )


class Moves(Board):
    # -- The clauses of a hop, of the end of a move, and of a whole path --------------------------------------

    def in_order(self, x: View, c: str, z: int, t: int) -> Bool:
        """NR-22, NR-23, reading order_colour: what lies on the finish square is what the size wants under it."""
        if z == SMALL:
            return no(x.taken(t))
        return x.top(t, z - 1, [c] if self.readings["order_colour"] == "own" else self.params.letters)

    def _order(self, x: View, c: str, z: int, s: int, t: int) -> Bool:
        """NR-26, reading finish_order: from s to t."""
        bound = self.on_finish(c, t) and (self.readings["finish_order"] == "every" or not self.on_finish(c, s))
        return self.in_order(x, c, z, t) if bound else TRUE

    def _lines(self, c: str, s: int, t: int) -> Clauses:
        """NR-24, NR-25: from s to t."""
        returns = self.on_start(c, t) and not self.on_start(c, s)
        leaves = self.on_finish(c, s) and not self.on_finish(c, t)
        return {"NR-24": FALSE if returns else TRUE, "NR-25": FALSE if leaves else TRUE}

    def _spares_mate(self, x: View, c: str, t: int) -> Bool:
        """NR-37: on the shared lines no pyramid of the line-mate is covered."""
        mate = self.params.mate(c)
        return no(x.holds(t, [mate])) if mate and self.on_line(c, t) else TRUE

    def touchdown(self, c: str, z: int, o: int, s: int, t: int) -> Clauses:
        """Every touchdown of a pyramid lifted from o: here the one on t, coming from s."""
        x, read = View(self.scene, o, z), self.readings
        return {
            "NR-19": no(x.taken(t, range(z, SIZES[-1] + 1))),
            "NR-22": self._order(x, c, z, s, t) if read["order_transit"] == "applies" else TRUE,
            **(self._lines(c, s, t) if read["line_transit"] == "applies" else {}),
            "NR-37": self._spares_mate(x, c, t) if read["mate_transit"] == "forbidden" else TRUE,
            "NR-42": FALSE if read["opp_lines"] == "closed" and self.foreign(c, t) else TRUE,
        }

    def stop(self, c: str, z: int, o: int, t: int) -> Clauses:
        """The end of a move."""
        x, read = View(self.scene, o, z), self.readings
        return {
            "NR-10": FALSE if o == t and read["null_move"] == "illegal" else TRUE,
            "NR-22": self._order(x, c, z, o, t) if read["order_transit"] == "final_only" else TRUE,
            **(self._lines(c, o, t) if read["line_transit"] == "final_only" else {}),
            "NR-27": FALSE if self.foreign(c, t) else TRUE,
            "NR-37": self._spares_mate(x, c, t),
        }

    def going_on(self, c: str, z: int, o: int, t: int) -> Bool:
        """NR-20, NR-43, reading land_on_other: from a touchdown the chain may go on."""
        x = View(self.scene, o, z)
        if self.readings["land_on_other"] == "continue":
            return TRUE
        if self.readings["land_on_other"] == "ends_any":
            return no(x.holds(t, self.others(c)))
        return no(some(x.top(t, size, self.others(c)) for size in SIZES))

    def jumped(self, z: int, o: int, s: int, t: int) -> Bool:
        """NR-15: there is something to jump over."""
        return View(self.scene, o, z).taken(self.middle(s, t))

    def path_clauses(self, c: str, z: int, path: Path) -> Clauses:
        """What each clause asks of this path, if c's pyramid of size z is on top where it begins."""
        o, end, hops = path[0], path[-1], list(pairwise(path))
        jumps = [hop for hop in hops if self.is_jump(*hop)]
        parts = [self.touchdown(c, z, o, s, t) for s, t in hops]
        parts += [self.stop(c, z, o, end), self._directions(c, path)]
        parts += [{"NR-15": self.jumped(z, o, s, t)} for s, t in jumps]
        parts += [{"NR-43": self.going_on(c, z, o, t)} for t in path[1:-1]]
        parts += [{"NR-14": FALSE} for hop in hops if not self.is_step(*hop) and hop not in jumps]
        parts += [{"NR-17": FALSE} for hop in hops if self.is_step(*hop) and len(hops) > 1]
        clauses = sorted({clause for part in parts for clause in part})
        return {clause: every(part[clause] for part in parts if clause in part) for clause in clauses}

    def _directions(self, c: str, path: Path) -> Clauses:
        """NR-13, NR-18, NR-44, reading back_jump."""
        wrong = [hop for hop in pairwise(path) if self.backward(c, *hop)]
        steps, jumps = any(self.is_step(*hop) for hop in wrong), any(self.is_jump(*hop) for hop in wrong)
        clauses = {"NR-13": FALSE if steps else TRUE}
        if self.readings["back_jump"] == "net_forward":
            nearer = self.row(c, path[-1]) > self.row(c, path[0])
            return {**clauses, "NR-44": FALSE if jumps and not nearer else TRUE}
        return {**clauses, **({"NR-18" if len(path) > 2 else "NR-13": FALSE} if jumps else {})}

    def asked(self, c: str, path: Path) -> Clauses:
        """What each clause asks of this path of c's, whatever lies on its origin."""
        x, o = View(self.scene), path[0]
        mine = {z: x.top(o, z, [c]) for z in SIZES}
        by_size = {z: self.path_clauses(c, z, path) for z in SIZES}
        terms = {n: every(some([no(mine[z]), by_size[z][n]]) for z in SIZES) for n in by_size[SMALL]}
        # NR-11: there is a top; NR-10: it is the mover's.
        terms["NR-11"] = x.taken(o)
        terms["NR-10"] = every([terms["NR-10"], some([no(x.taken(o)), *mine.values()])])
        return terms

    def effect(self, c: str, way: Way) -> tuple[tuple[int, int, str], tuple[int, int, str]]:
        """NR-16: the slot that is left and the slot that is taken; nothing else changes."""
        o, z, t = way
        return (o, z, c), (t, z, c)

    # -- Base moves: by a step, or by any chain of jumps ------------------------------------------------------

    def jump_clauses(self, c: str, z: int, o: int, s: int, t: int) -> Bool:
        """One jump of a chain, its direction apart."""
        return every([self.jumped(z, o, s, t), *self.touchdown(c, z, o, s, t).values()])

    def jumps_from(self, c: str, s: int) -> list[tuple[int, bool]]:
        """Ends of jumps, and whether they go backward; backward ones only where a reading allows them."""
        jumps = [(t, self.backward(c, s, t)) for t in self.squares if self.is_jump(s, t)]
        return [(t, back) for t, back in jumps if not back or self.readings["back_jump"] == "net_forward"]

    def hop_terms(self, c: str, z: int, o: int) -> Hops:
        jumps: dict[int, list[tuple[int, Bool, bool]]] = {}
        todo = [o]
        while todo:
            s = todo.pop()
            if s not in jumps:
                ends = [(t, self.jump_clauses(c, z, o, s, t), back) for t, back in self.jumps_from(c, s)]
                jumps[s] = [(t, term, back) for t, term, back in ends if term is not FALSE]
                todo += [t for t, _, _ in jumps[s]]
        near = [t for t in self.squares if self.is_step(o, t)]
        steps = [(t, every(self.path_clauses(c, z, (o, t)).values())) for t in near]
        return Hops(
            [(t, term) for t, term in steps if term is not FALSE],
            jumps,
            {t: self.going_on(c, z, o, t) for t in jumps},
            {t: every(self.stop(c, z, o, t).values()) for t in jumps},
        )

    def advances(self, c: str, way: Way) -> bool:
        return self.row(c, way[2]) > self.row(c, way[0])
