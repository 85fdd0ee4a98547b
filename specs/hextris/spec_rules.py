"""Hextris as constraints, clause by clause: what a turn does, and what each clause asks of it.

Three scenes: `x` before the turn, `y` when its pieces have arrived, `z` when a five has been removed. The turn
itself is open too: its kind, the points it goes from (`src`) and to (`dst`), the piece it puts down. `holds[kind]`
names, for each clause, the condition under which such a turn keeps it: it is legal if all of them are true.
Geometry is arithmetic on coordinates, and groups are sets of points written out. Where a turn is given beforehand
the same formulas are built with constants in it, which leaves few of the sets.

Glossary: p, q points; c a colour; s a size; v a number; `has_hand[c, s, v]` at least v such pieces are in hand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import z3

from rulecheck.games.hextris import SIZES, Exchange, Move, Params, Pass, Placement, Slide
from rulecheck.model import Readings
from rulecheck.pyramids import LARGE, MEDIUM, SMALL
from solvers.smt import FALSE, TRUE, Asker, Bool, every, no, some
from specs.hextris.spec_board import adjacent, between, connected_sets, distance, in_line, on_perimeter, rim

KINDS = ("place", "slide", "exchange", "pass")
SENTENCE = dict(zip(reversed(SIZES), ("HX-22", "HX-23", "HX-24"), strict=True))  # from the largest size down


def partner(size: int) -> int:
    """HX-22..24: a size exchanges with the next smaller one, and the smallest with the largest."""
    return size - 1 if size > SMALL else LARGE


def no_two(terms: Sequence[Bool]) -> list[Bool]:
    return [some([no(a), no(b)]) for a, b in combinations(terms, 2)]


def at_least(known: Mapping[Any, Bool], *key: Any) -> Bool:
    """A number of which `known[..., v]` says that it is v or more; every number is 0 or more."""
    return TRUE if key[-1] <= 0 else known.get(key, FALSE)


def kind_of(move: Move) -> str:
    return {Placement: "place", Slide: "slide", Exchange: "exchange", Pass: "pass"}[type(move)]


# -- Scenes and turns ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Scene:
    """`at[c, p]` a piece of colour c stands on p, `at[s, p]` one of size s; `taken[p]` a piece stands there."""

    at: Mapping[tuple[str | int, int], Bool]
    taken: Mapping[int, Bool]


class Turn:
    """Its kind, where it goes from and to, what it puts down: open, or constants if it is given."""

    def __init__(self, params: Params, given: Move | None) -> None:
        def flag(label: str, true: bool) -> Bool:
            return z3.Bool(f"turn:{label}") if given is None else TRUE if true else FALSE

        source, target, piece = (getattr(given, name, None) for name in ("source", "target", "piece"))
        kinds = KINDS if given is None else (kind_of(given),)
        self.kind = {k: flag(k, k in kinds) for k in KINDS}
        self.kinds = kinds
        self.src = [flag(f"src{p}", p == source) for p in params.points]
        self.dst = [flag(f"dst{p}", p == target) for p in params.points]
        self.put: dict[str | int, Bool] = {
            c: flag(f"put {c}", piece is not None and piece[0] == c) for c in params.colours
        }
        self.put |= {s: flag(f"put {s}", piece is not None and piece[1] == s) for s in SIZES}
        self.colours = params.colours

    def facts(self) -> list[Bool]:
        """HX-12, 15, 26: a turn is one thing, done by one piece."""
        colours, sizes = [self.put[c] for c in self.colours], [self.put[s] for s in SIZES]
        places, moves = self.kind["place"], some([self.kind["slide"], self.kind["exchange"]])
        wanted = ((self.kind.values(), TRUE), (self.src, moves), (self.dst, some([places, moves])))
        facts: list[Bool] = []
        for terms, when in (*wanted, (colours, places), (sizes, places)):
            facts += [*no_two(list(terms)), some(terms) == when]
        return facts


class Rules:
    """`given` is a player and what that player tries; without it every turn of everybody can be asked about. `search`
    is for whoever looks for the least of many positions, not for an answer about one."""

    # The board, as the clauses see it.
    on_perimeter, adjacent = staticmethod(on_perimeter), staticmethod(adjacent)
    in_line, between = staticmethod(in_line), staticmethod(between)

    def __init__(
        self, params: Params, readings: Readings, *, given: tuple[str, Move] | None = None, search: bool = False
    ) -> None:
        self.params, self.readings = params, readings
        self.asker = Asker(logic="QF_FD" if search else None)  # measured: three to five times faster there
        self.colours, self.points = params.colours, params.points
        mover, move = given or (None, None)
        self.to_move = {
            c: z3.Bool(f"{c} to move") if mover is None else (FALSE, TRUE)[c == mover] for c in self.colours
        }
        self.turn = Turn(params, move)
        kinds = [(c, s, v) for c in self.colours for s in SIZES for v in range(1, params.pieces(c)[s - 1] + 1)]
        self.has_hand = {(c, s, v): z3.Bool(f"hand {c}{s}>={v}") for c, s, v in kinds}
        counts = [(c, v) for c in self.colours for v in range(1, params.groups + 1)]
        self.has_formed = {(c, v): z3.Bool(f"groups {c}>={v}") for c, v in counts}
        # Under overflow_test=transit: what stands there beside the piece that slides, and where that is one of six.
        self.rest: dict[tuple[str, int], Bool] = {}
        self.joins: dict[tuple[str, int], Bool] = {}
        self._before()
        self._arrive()
        self._give()
        self._groups()
        self._count()
        self._remove()
        clauses = {k: self._clauses(k) for k in self.turn.kinds}
        self.holds = {k: {c: self.name(f, f"{k} {c}") for c, f in parts.items()} for k, parts in clauses.items()}
        self.ok = {k: self.name(every([self.turn.kind[k], *parts.values()]), k) for k, parts in self.holds.items()}
        # HX-16: what a player who has it may not pass over.
        allowed = {"any_action": ("place", "slide", "exchange"), "displacement": ("slide", "exchange")}
        self.must = self.name(some(self.ok[k] for k in allowed[readings["allowed_move"]] if k in self.ok), "HX-16")

    def name(self, formula: Bool, prefix: str = "d") -> Bool:
        """A Boolean that is equivalent to the formula: itself, if it is one already."""
        return self.asker.name(formula, prefix) if formula.num_args() else formula

    # -- What holds before a turn ---------------------------------------------------------------------------

    def _before(self) -> None:
        """HX-14: at most one piece on a point, of one colour and one size. HX-08: one player is to move."""
        add, names = self.asker.add, self.params.names
        at = {(w, p): z3.Bool(f"{w} on {names[p]}") for w in (*self.colours, *SIZES) for p in self.points}
        self.x = Scene(at, {p: z3.Bool(f"{names[p]} taken") for p in self.points})
        for p, taken in self.x.taken.items():
            colours, sizes = [at[c, p] for c in self.colours], [at[s, p] for s in SIZES]
            add(*no_two(colours), *no_two(sizes), taken == some(colours), taken == some(sizes))
        movers = list(self.to_move.values())
        add(some(movers), *no_two(movers), *self.turn.facts())
        for numbers in (self.has_hand, self.has_formed):
            for (*about, v), more in numbers.items():
                add(some([no(more), at_least(numbers, *about, v - 1)]))

    # -- What a turn does -----------------------------------------------------------------------------------

    def _arrive(self) -> None:
        """HX-09, 13: the piece put down or moved is on its new point; the partner of an exchange on the old one."""
        turn, x = self.turn, self.x.at
        self.at_src = {w: self.name(some(every([turn.src[p], x[w, p]]) for p in self.points)) for w in turn.put}
        self.at_dst = {w: self.name(some(every([turn.dst[p], x[w, p]]) for p in self.points)) for w in turn.put}
        arrives = {w: self.name(some([turn.put[w], self.at_src[w]])) for w in turn.put}
        returns = {w: self.name(every([turn.kind["exchange"], self.at_dst[w]])) for w in turn.put}
        self.y: dict[tuple[str | int, int], Bool] = {}
        for w, p in x:
            src, dst = turn.src[p], turn.dst[p]
            comes, goes = every([dst, arrives[w]]), every([src, no(dst), returns[w]])
            self.y[w, p] = self.name(some([comes, goes, every([no(src), no(dst), x[w, p]])]))

    def _give(self) -> None:
        """The points that a turn newly gives to a colour."""
        y, moved = self.y, [some([self.turn.src[p], self.turn.dst[p]]) for p in self.points]  # others have nothing new
        self.new = {}
        for c in self.colours:
            for p in self.points:
                self.new[c, p] = self.name(every([moved[p], y[c, p], no(self.x.at[c, p])]))

    def _groups(self) -> None:
        """HX-27..29, 31: the groups that the turn makes, those with a point newly given to their colour."""
        radius, size, y = self.params.radius, self.params.group, self.y
        larger = connected_sets(radius, size + 1) if size < len(self.points) else ()
        self.five: dict[tuple[str, tuple[int, ...]], Bool] = {}
        self.too_large: dict[str, Bool] = {}
        for c in self.colours:
            new = [self.new[c, p] for p in self.points]
            other = [no(y[c, p]) for p in self.points]
            for inside in connected_sets(radius, size):
                alone = [other[q] for q in rim(radius, inside)] if some(new[p] for p in inside) is not FALSE else []
                five = every([some(new[p] for p in inside), *(y[c, p] for p in inside), *alone])
                if five is not FALSE:
                    self.five[c, inside] = self.name(five, "five")
            made = (every([some(new[p] for p in inside), *(y[c, p] for p in inside)]) for inside in larger)
            self.too_large[c] = self.name(some(made), f"HX-31 {c}")

    def _count(self) -> None:
        """HX-29, 30, 32: which fives count, for whom, and whether that ends the game."""
        formed, last = self.has_formed, self.params.groups
        # Under place_group=ignored a five made by a placement is neither counted nor removed.
        counts = no(self.turn.kind["place"]) if self.readings["place_group"] == "ignored" else TRUE
        self.makes = {c: self.name(some(f for (o, _), f in self.five.items() if o == c)) for c in self.colours}
        self.takes = {c: self.name(every([counts, made])) for c, made in self.makes.items()}
        self.formed_after = {}
        for c, v in formed:
            once, twice = self._gains(c)
            more = every([once, at_least(formed, c, v - 1)]), every([twice, at_least(formed, c, v - 2)])
            self.formed_after[c, v] = self.name(some([formed[c, v], *more]))
        self.over = self.name(some(formed[c, last] for c in self.colours), "HX-32 over")
        self.ends = self.name(some(self.formed_after[c, last] for c in self.colours), "HX-32 ends")

    def _gains(self, c: str) -> tuple[Bool, Bool]:
        """HX-30: is a five counted for this player, and are two? By default those of the own colour are."""
        gift, mine = self.readings["gift"], self.to_move[c]
        if gift == "counts_for_mover":
            two = some(map(every, combinations(self.takes.values(), 2)))
            return every([mine, some(self.takes.values())]), every([mine, two])
        return (every([mine, self.takes[c]]) if gift == "void" else self.takes[c]), FALSE

    def _remove(self) -> None:
        """HX-29: a five leaves if the game goes on. HX-02, 06: a piece put down is no longer in hand. HX-08."""
        goes_on = TRUE if self.readings["final_group"] == "remove" else no(self.ends)
        removes = self.name(every([goes_on, some(self.takes.values())]), "HX-29")
        stays = []
        for p in self.points:
            leaving = some(five for (_, inside), five in self.five.items() if p in inside)
            stays.append(self.name(no(every([removes, leaving]))))
        at = {(w, p): self.name(every([there, stays[p]])) for (w, p), there in self.y.items()}
        self.z = Scene(at, {p: self.name(some(at[c, p] for c in self.colours)) for p in self.points})
        self.hand_after = {}
        for (c, s, v), held in self.has_hand.items():
            spent = every([self.turn.put[c], self.turn.put[s]])
            self.hand_after[c, s, v] = self.name(some([every([held, no(spent)]), at_least(self.has_hand, c, s, v + 1)]))
        self.next_to_move = {c: self.to_move[self.colours[i - 1]] for i, c in enumerate(self.colours)}
        self.won_after = {c: self.wins(c, self.formed_after, self.next_to_move) for c in self.colours}

    def wins(self, colour: str, formed: Mapping[tuple[str, int], Bool], to_move: Mapping[str, Bool]) -> Bool:
        """HX-32, 33: all groups formed; of several such players the one who moved last, then by the order of turns."""
        conditions = [formed[colour, self.params.groups]]
        for last, following in zip(self.colours, (*self.colours[1:], self.colours[0]), strict=True):
            sooner = [c for c in self.colours if self._seat(c, last) < self._seat(colour, last)]
            conditions += [no(every([to_move[following], formed[c, self.params.groups]])) for c in sooner]
        return every(conditions)

    def _seat(self, colour: str, first: str) -> int:
        return (self.colours.index(colour) - self.colours.index(first)) % len(self.colours)

    # -- The clauses ----------------------------------------------------------------------------------------

    def _clauses(self, kind: str) -> dict[str, Bool]:
        # HX-32: nothing happens after the end.
        always = {"HX-32": no(self.over)}
        if kind == "pass":  # HX-16, 17 look at all other turns, so they are asked of a position (`may_pass`)
            return always
        by_kind = {"place": self._placement, "slide": self._slide, "exchange": self._exchange}
        return {**by_kind[kind](), **always, "HX-31": self._no_overflow(kind)}

    def _placement(self) -> dict[str, Bool]:
        put, radius = self.turn.put, self.params.radius
        mine = some(every([self.to_move[c], put[c]]) for c in self.colours)
        kinds = [(c, s) for c in self.colours for s in SIZES]
        held = some(every([put[c], put[s], at_least(self.has_hand, c, s, 1)]) for c, s in kinds)
        inside = some(here for p, here in enumerate(self.turn.dst) if not on_perimeter(radius, p))
        clauses = {
            # HX-09: a piece from the own hand, on the perimeter.
            "HX-09": every([mine, held, no(inside)]),
            # HX-11: not on the interior.
            "HX-11": no(inside),
            # HX-14: not where a piece is.
            "HX-14": no(self._taken_at_end()),
        }
        if self.readings["place_group"] == "illegal":
            # HX-29 is said of moves: a placement makes no five.
            clauses["HX-29"] = no(some(self.makes.values()))
        return clauses

    def _slide(self) -> dict[str, Bool]:
        radius = self.params.radius
        lines = {(p, q): goes for (p, q), goes in self._ways().items() if in_line(radius, p, q)}
        crossed = [(goes, self.x.taken[r]) for (p, q), goes in lines.items() for r in between(radius, p, q)]
        return {
            # HX-13: in a straight line.
            "HX-13": some(lines.values()),
            # HX-10: a piece of the own colour.
            "HX-10": some(every([self.to_move[c], self.at_src[c]]) for c in self.colours),
            # HX-18: all points that it crosses, and the last, are empty.
            "HX-18": no(some([self._taken_at_end(), *map(every, crossed)])),
            # HX-19: a small goes one point. HX-20: a medium goes one or two. HX-21: a large goes as far as it likes.
            "HX-19": no(every([self.at_src[SMALL], self._further_than(1)])),
            "HX-20": no(every([self.at_src[MEDIUM], self._further_than(2)])),
        }

    def _exchange(self) -> dict[str, Bool]:
        radius, anybody = self.params.radius, self.readings["swap"] == "any_two"
        beside = some(goes for (p, q), goes in self._ways().items() if adjacent(radius, p, q))
        clauses = {
            # HX-13: with a piece on an adjacent point.
            "HX-13": every([beside, self._taken_at_end()]),
            # HX-10: the piece that is moved is of the own colour (or, under any_two, anybody's).
            "HX-10": some(every([TRUE if anybody else self.to_move[c], self.at_src[c]]) for c in self.colours),
        }
        # HX-22..24: each size by its sentence.
        return clauses | {clause: no(self._objects(size)) for size, clause in SENTENCE.items()}

    def _objects(self, size: int) -> Bool:
        """HX-22..25: a piece of this size is not to change places with the other one."""
        swap = self.readings["swap"]
        same = every([self.at_src[size], self.at_dst[size]])
        if swap in ("symmetric", "any_two"):
            return same
        # HX-25: own pieces of different sizes may.
        own = some(every([self.to_move[c], self.at_src[c], self.at_dst[c]]) for c in self.colours)
        wrong = [s for s in SIZES if s not in (size, partner(size))]
        ends = [(self.at_src, self.at_dst), (self.at_dst, self.at_src)]
        asked = ends if swap == "mutual" else ends[:1]
        unfit = some(every([here[size], there[s]]) for here, there in asked for s in wrong)
        return some([same, every([unfit, no(own)])])

    def _no_overflow(self, kind: str) -> Bool:
        """HX-31: no group of more than five is made, for anyone; by one reading, not even on the way."""
        too_large = list(self.too_large.values())
        if kind == "slide" and self.readings["overflow_test"] == "transit":
            too_large.append(self._jam())
        # Under win_overflow=allowed a turn that ends the game need not care.
        excused = self.ends if self.readings["win_overflow"] == "allowed" else FALSE
        return some([no(some(too_large)), excused])

    def _jam(self) -> Bool:
        """On a point that it crosses, the piece is part of a connected set of six."""
        radius, src = self.params.radius, self.turn.src
        lines = {(p, q): goes for (p, q), goes in self._ways().items() if goes is not FALSE and in_line(radius, p, q)}
        on_line = {r for p, q in lines for r in between(radius, p, q)}
        for c in self.colours:
            self.rest |= {(c, p): self.name(every([self.x.at[c, p], no(src[p])])) for p in self.points}
            self.joins |= {(c, r): self.name(every([self.at_src[c], self._joined(c, r)])) for r in on_line}
        return some(
            every([goes, self.joins[c, r]])
            for (p, q), goes in lines.items()
            for r in between(radius, p, q)
            for c in self.colours
        )

    def _joined(self, c: str, r: int) -> Bool:
        """Beside the piece that slides, enough of this colour stands around r to make six."""
        size = self.params.group + 1
        sets = connected_sets(self.params.radius, size) if size <= len(self.points) else ()
        return some(every(self.rest[c, p] for p in inside if p != r) for inside in sets if r in inside)

    def _ways(self) -> dict[tuple[int, int], Bool]:
        """For each two points: the turn goes from the first to the second."""
        src, dst = self.turn.src, self.turn.dst
        return {(p, q): every([src[p], dst[q]]) for p in self.points for q in self.points}

    def _further_than(self, steps: int) -> Bool:
        return some(goes for (p, q), goes in self._ways().items() if distance(self.params.radius, p, q) > steps)

    def _taken_at_end(self) -> Bool:
        return some(every([self.turn.dst[p], self.x.taken[p]]) for p in self.points)
