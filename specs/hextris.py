"""Hextris as constraints, clause by clause.

Three scenes: `x` before the turn, `y` when its pieces have arrived, `z` when a five has been removed. The turn
itself is open too: its kind, the points it goes from (`src`) and to (`dst`), the piece it puts down. `holds[kind]`
names, for each clause, the condition under which such a turn keeps it: it is legal if all of them are true.
Geometry is arithmetic on coordinates, and groups are sets of points written out.

Glossary: p, q points; c a colour; s a size; v a number; `has_hand[c, s, v]` at least v such pieces are in hand.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

import z3

from rulecheck.games.hextris import SIZES, Exchange, Move, Params, Pass, Placement, Position, Slide, Triple
from rulecheck.model import InputError, Readings, Verdict
from rulecheck.pyramids import LARGE, MEDIUM, SMALL, Pyramid
from solvers.smt import Answer, Asker, Bool, all_of, any_of

FALSE, TRUE = z3.BoolVal(False), z3.BoolVal(True)
KINDS = ("place", "slide", "exchange", "pass")
MOST_SETS = 40_000  # connected sets of points that are written out for each colour
# HX-22..24: which size a size exchanges with, and the clause that says so.
PARTNER = {LARGE: MEDIUM, MEDIUM: SMALL, SMALL: LARGE}
SENTENCE = {LARGE: "HX-22", MEDIUM: "HX-23", SMALL: "HX-24"}


# -- The board (HX-03, 04, 13, 27) ---------------------------------------------------------------------------


@functools.cache
def coordinates(radius: int) -> tuple[tuple[int, int, int], ...]:
    """HX-03: three numbers that add up to zero, none beyond the radius; from the top left in rows."""
    span = range(-radius, radius + 1)
    return tuple((x, y, -x - y) for y in span for x in span if abs(x + y) <= radius)


def distance(radius: int, p: int, q: int) -> int:
    at = coordinates(radius)
    return max(abs(a - b) for a, b in zip(at[p], at[q], strict=True))


def adjacent(radius: int, p: int, q: int) -> bool:
    return distance(radius, p, q) == 1


def in_line(radius: int, p: int, q: int) -> bool:
    """HX-13: two points share one of their numbers, and they are two."""
    at = coordinates(radius)
    return p != q and any(a == b for a, b in zip(at[p], at[q], strict=True))


def between(radius: int, p: int, q: int) -> list[int]:
    """The points on the straight line from p to q, without its ends."""
    far = distance(radius, p, q)
    points = range(len(coordinates(radius)))
    return [r for r in points if r not in (p, q) and distance(radius, p, r) + distance(radius, r, q) == far]


def on_perimeter(radius: int, p: int) -> bool:
    """HX-04: one of the numbers is as large as it can be."""
    return max(map(abs, coordinates(radius)[p])) == radius


@functools.cache
def around(radius: int) -> tuple[frozenset[int], ...]:
    points = range(len(coordinates(radius)))
    return tuple(frozenset(q for q in points if adjacent(radius, p, q)) for p in points)


def rim(radius: int, points: Iterable[int]) -> frozenset[int]:
    """The points next to a set of points, outside it."""
    inside = frozenset(points)
    return frozenset().union(*(around(radius)[p] for p in inside)) - inside


@functools.cache
def connected_sets(radius: int, count: int) -> tuple[tuple[int, ...], ...]:
    """HX-27, 28: every set of so many points that hangs together."""
    if count == 1:
        return tuple((p,) for p in range(len(coordinates(radius))))
    smaller = connected_sets(radius, count - 1)
    found = {tuple(sorted((*points, q))) for points in smaller for q in rim(radius, points)}
    if len(found) > MOST_SETS:
        raise InputError(
            f"the constraints of hextris write out every connected set of points, and groups of {count - 1} or more "
            f"have over {MOST_SETS:,} of them on {len(coordinates(radius))} points"
        )
    return tuple(sorted(found))


# -- Scenes and turns ---------------------------------------------------------------------------------------


class Scene:
    """Who stands where: `own[c, p]` a piece of colour c, `size[s, p]` a piece of size s stands on p."""

    def __init__(self, params: Params, name: str) -> None:
        self.colours, self.points = params.colours, params.points
        self.own = {(c, p): z3.Bool(f"{name}:{c}{params.names[p]}") for c in self.colours for p in self.points}
        self.size = {(s, p): z3.Bool(f"{name}:{s}{params.names[p]}") for s in SIZES for p in self.points}
        self.at: dict[Any, Bool] = {**self.own, **self.size}
        self.taken = {p: z3.Bool(f"{name}:taken {params.names[p]}") for p in self.points}

    def definitions(self) -> list[Bool]:
        return [self.taken[p] == any_of(self.own[c, p] for c in self.colours) for p in self.points]

    def shape(self) -> list[Bool]:
        """HX-14: at most one piece on a point; a piece has one colour and one size."""
        facts = []
        for p in self.points:
            sizes = [self.size[s, p] for s in SIZES]
            facts += [*no_two([self.own[c, p] for c in self.colours]), *no_two(sizes), self.taken[p] == any_of(sizes)]
        return facts


def no_two(terms: Sequence[Bool]) -> list[Bool]:
    return [z3.Or(z3.Not(a), z3.Not(b)) for a, b in combinations(terms, 2)]


def joined(make: Any, terms: Sequence[Bool]) -> Bool:
    """`z3.And` or `z3.Or` of many terms without its look at each: twenty times faster, and there are many sets."""
    context = terms[0].ctx
    return z3.BoolRef(make(context.ref(), len(terms), (z3.Ast * len(terms))(*(t.ast for t in terms))), context)


def at_least(known: Mapping[Any, Bool], *key: Any) -> Bool:
    """A number of which `known[..., v]` says that it is v or more; every number is 0 or more."""
    return TRUE if key[-1] in (0, -1) else known.get(key, FALSE)


class Spec:
    def __init__(self, params: Params, readings: Readings) -> None:
        self.params, self.readings = params, readings
        self.asker = Asker()
        self.colours, self.points = params.colours, params.points
        self.x, self.y, self.z = (Scene(params, name) for name in "xyz")
        self.to_move = {c: z3.Bool(f"{c} to move") for c in self.colours}
        self.has_hand = {
            (c, s, v): z3.Bool(f"hand {c}{s}>={v}")
            for c in self.colours
            for s in SIZES
            for v in range(1, params.pieces(c)[s - 1] + 1)
        }
        self.has_formed = {
            (c, v): z3.Bool(f"groups {c}>={v}") for c in self.colours for v in range(1, params.groups + 1)
        }
        self.kind = {k: z3.Bool(f"turn:{k}") for k in KINDS}
        self.src = [z3.Bool(f"turn:src{p}") for p in self.points]
        self.dst = [z3.Bool(f"turn:dst{p}") for p in self.points]
        self.put_colour = {c: z3.Bool(f"turn:put {c}") for c in self.colours}
        self.put_size = {s: z3.Bool(f"turn:put {s}") for s in SIZES}
        self._numbers()
        self._turn()
        self._arrive()
        self._groups()
        self._count()
        self._remove()
        name = self.asker.name
        clauses = {k: self._clauses(k) for k in KINDS}
        self.holds = {k: {c: name(f, f"{k} {c}") for c, f in found.items()} for k, found in clauses.items()}
        self.ok = {k: name(all_of([self.kind[k], *self.holds[k].values()]), f"ok {k}") for k in KINDS}
        # HX-16: what a player who has it may not pass over.
        allowed = {"any_action": ("place", "slide", "exchange"), "displacement": ("slide", "exchange")}
        self.must = name(any_of(self.ok[k] for k in allowed[readings["allowed_move"]]), "HX-16 something to do")

    def _numbers(self) -> None:
        """HX-01, 02, 08: one player is to move; v or more is v - 1 or more."""
        movers = list(self.to_move.values())
        self.asker.tell(any_of(movers), *no_two(movers))
        for (c, s, v), more in self.has_hand.items():
            self.asker.tell(z3.Implies(more, at_least(self.has_hand, c, s, v - 1)))
        for (c, v), more in self.has_formed.items():
            self.asker.tell(z3.Implies(more, at_least(self.has_formed, c, v - 1)))

    def _turn(self) -> None:
        """HX-12, 15, 26: a turn is one thing, done by one piece."""
        tell, kind = self.asker.tell, self.kind
        for terms in (list(kind.values()), self.src, self.dst, [*self.put_colour.values()], [*self.put_size.values()]):
            tell(*no_two(terms))
        tell(any_of(kind.values()))
        tell(any_of(self.src) == z3.Or(kind["slide"], kind["exchange"]))
        tell(any_of(self.dst) == z3.Not(kind["pass"]))
        tell(any_of(self.put_colour.values()) == kind["place"], any_of(self.put_size.values()) == kind["place"])

    # -- What a turn does -----------------------------------------------------------------------------------

    def _arrive(self) -> None:
        """HX-09, 13: the piece put down or moved is on its new point; the partner of an exchange on the old one."""
        x, y, name = self.x, self.y, self.asker.name
        self.asker.tell(*x.shape(), *x.definitions(), *y.definitions())
        self.at_src: dict[Any, Bool] = {}  # by colour or size: such a piece stands where the turn goes from
        self.at_dst: dict[Any, Bool] = {}
        put: dict[Any, Bool] = {**self.put_colour, **self.put_size}
        for what in put:
            before, after = x.at, y.at
            self.at_src[what] = name(any_of(z3.And(self.src[p], before[what, p]) for p in self.points))
            self.at_dst[what] = name(any_of(z3.And(self.dst[p], before[what, p]) for p in self.points))
            arrives = z3.Or(put[what], self.at_src[what])
            back = z3.And(self.kind["exchange"], self.at_dst[what])
            for p in self.points:
                self.asker.tell(
                    z3.Implies(self.dst[p], after[what, p] == arrives),
                    z3.Implies(z3.And(self.src[p], z3.Not(self.dst[p])), after[what, p] == back),
                    z3.Implies(z3.Not(z3.Or(self.src[p], self.dst[p])), after[what, p] == before[what, p]),
                )

    def _groups(self) -> None:
        """HX-27..29, 31: the groups that the turn makes, those with a point newly given to their colour."""
        radius, size = self.params.radius, self.params.group
        y, name, points = self.y, self.asker.name, self.points
        self.new = {
            (c, p): name(z3.And(y.own[c, p], z3.Not(self.x.own[c, p])), "new") for c in self.colours for p in points
        }
        self.five: dict[tuple[str, tuple[int, ...]], Bool] = {}
        self.too_large: dict[str, Bool] = {}
        larger = connected_sets(radius, size + 1) if size < len(points) else ()
        for c in self.colours:
            others = [z3.Not(y.own[c, p]) for p in points]
            for inside in connected_sets(radius, size):
                alone = [others[q] for q in rim(radius, inside)]
                self.five[c, inside] = name(joined(z3.Z3_mk_and, [*self._made(c, inside), *alone]), "five")
            made = [joined(z3.Z3_mk_and, self._made(c, inside)) for inside in larger]
            self.too_large[c] = name(joined(z3.Z3_mk_or, [FALSE, *made]), f"HX-31 {c}")

    def _made(self, c: str, inside: tuple[int, ...]) -> list[Bool]:
        """All of these points have this colour, and one of them newly."""
        newly = joined(z3.Z3_mk_or, [self.new[c, p] for p in inside])
        return [*(self.y.own[c, p] for p in inside), newly]

    def _count(self) -> None:
        """HX-29, 30, 32: which fives count, for whom, and whether that ends the game."""
        name, formed = self.asker.name, self.has_formed
        # Under place_group=ignored a five made by a placement is neither counted nor removed.
        counts = z3.Not(self.kind["place"]) if self.readings["place_group"] == "ignored" else TRUE
        fives = {c: [five for (o, _), five in self.five.items() if o == c] for c in self.colours}
        self.makes = {c: name(joined(z3.Z3_mk_or, fives[c]), f"five of {c}") for c in self.colours}
        self.takes = {c: name(z3.And(counts, self.makes[c]), f"counting five of {c}") for c in self.colours}
        once = {c: name(f, f"{c} counts one") for c, f in self._gains().items()}
        twice = {c: self._gains_two(c) for c in self.colours}
        self.formed_after = {
            (c, v): name(
                z3.Or(
                    formed[c, v],
                    z3.And(once[c], at_least(formed, c, v - 1)),
                    z3.And(twice[c], at_least(formed, c, v - 2)),
                ),
                f"groups after {c}>={v}",
            )
            for c, v in formed
        }
        self.over = name(any_of(formed[c, self.params.groups] for c in self.colours), "HX-32 over")
        self.ends = name(any_of(self.formed_after[c, self.params.groups] for c in self.colours), "HX-32 ends")

    def _gains(self) -> dict[str, Bool]:
        """HX-30: a five counts for its colour; or, by the other readings of `gift`, for the mover or not at all."""
        gift = self.readings["gift"]
        if gift == "counts_for_mover":
            return {c: z3.And(self.to_move[c], any_of(self.takes.values())) for c in self.colours}
        if gift == "void":
            return {c: z3.And(self.to_move[c], self.takes[c]) for c in self.colours}
        return dict(self.takes)

    def _gains_two(self, c: str) -> Bool:
        if self.readings["gift"] != "counts_for_mover":
            return FALSE
        both = any_of(z3.And(a, b) for a, b in combinations(self.takes.values(), 2))
        return self.asker.name(z3.And(self.to_move[c], both), f"{c} counts two")

    def _remove(self) -> None:
        """HX-29: a five leaves if the game goes on. HX-02, 06: a piece put down is no longer in hand. HX-08."""
        y, z, name = self.y, self.z, self.asker.name
        goes_on = TRUE if self.readings["final_group"] == "remove" else z3.Not(self.ends)
        removes = name(z3.And(goes_on, any_of(self.takes.values())), "HX-29 removes")
        self.asker.tell(*z.definitions())
        for p in self.points:
            leaving = joined(z3.Z3_mk_or, [five for (_, inside), five in self.five.items() if p in inside])
            stays = name(z3.Not(z3.And(removes, leaving)), "stays")
            self.asker.tell(*(z.own[c, p] == z3.And(y.own[c, p], stays) for c in self.colours))
            self.asker.tell(*(z.size[s, p] == z3.And(y.size[s, p], stays) for s in SIZES))
        self.hand_after = {}
        for (c, s, v), held in self.has_hand.items():
            spent = z3.And(self.put_colour[c], self.put_size[s])
            fewer = at_least(self.has_hand, c, s, v + 1)
            self.hand_after[c, s, v] = name(z3.Or(fewer, z3.And(held, z3.Not(spent))), f"hand after {c}{s}>={v}")
        self.next_to_move = {c: self.to_move[self._before(c)] for c in self.colours}

    def _before(self, colour: str) -> str:
        """HX-08: whose turn comes before this player's."""
        return self.colours[self.colours.index(colour) - 1]

    def wins(self, colour: str, formed: Mapping[tuple[str, int], Bool], to_move: Mapping[str, Bool]) -> Bool:
        """HX-32, 33: all groups formed; of several such players the one who moved last, then by the order of turns."""
        conditions = [formed[colour, self.params.groups]]
        for last in self.colours:
            moved = to_move[self.colours[(self.colours.index(last) + 1) % len(self.colours)]]
            sooner = [c for c in self.colours if self._seat(c, last) < self._seat(colour, last)]
            rivals = any_of(formed[c, self.params.groups] for c in sooner)
            conditions.append(z3.Not(z3.And(moved, rivals)))
        return all_of(conditions)

    def _seat(self, colour: str, first: str) -> int:
        return (self.colours.index(colour) - self.colours.index(first)) % len(self.colours)

    # -- The clauses ----------------------------------------------------------------------------------------

    def _clauses(self, kind: str) -> dict[str, Bool]:
        # HX-32: nothing happens after the end.
        always = {"HX-32": z3.Not(self.over)}
        if kind == "pass":  # HX-16, 17 look at all other turns, so they are asked of a position (`may_pass`)
            return always
        by_kind = {"place": self._placement, "slide": self._slide, "exchange": self._exchange}
        return {**by_kind[kind](), **always, "HX-31": self._no_overflow(kind)}

    def _placement(self) -> dict[str, Bool]:
        radius, points = self.params.radius, self.points
        mine = any_of(z3.And(self.to_move[c], self.put_colour[c]) for c in self.colours)
        held = any_of(
            z3.And(self.put_colour[c], self.put_size[s], at_least(self.has_hand, c, s, 1))
            for c in self.colours
            for s in SIZES
        )
        inside = any_of(self.dst[p] for p in points if not on_perimeter(radius, p))
        clauses = {
            # HX-09: a piece from the own hand, on the perimeter.
            "HX-09": z3.And(mine, held, z3.Not(inside)),
            # HX-11: not on the interior.
            "HX-11": z3.Not(inside),
            # HX-14: not where a piece is.
            "HX-14": z3.Not(self._taken_at(self.dst)),
        }
        if self.readings["place_group"] == "illegal":
            # HX-29 is said of moves: a placement makes no five.
            clauses["HX-29"] = z3.Not(any_of(self.makes.values()))
        return clauses

    def _slide(self) -> dict[str, Bool]:
        radius = self.params.radius
        on_the_way = [
            z3.And(self._goes(p, q), any_of(self.x.taken[r] for r in between(radius, p, q)))
            for p, q in self._pairs()
            if in_line(radius, p, q)
        ]
        return {
            # HX-13: in a straight line.
            "HX-13": any_of(self._goes(p, q) for p, q in self._pairs() if in_line(radius, p, q)),
            # HX-10: a piece of the own colour.
            "HX-10": any_of(z3.And(self.to_move[c], self.at_src[c]) for c in self.colours),
            # HX-18: all points that it crosses, and the last, are empty.
            "HX-18": z3.Not(z3.Or(self._taken_at(self.dst), any_of(on_the_way))),
            # HX-19: a small goes one point. HX-20: a medium goes one or two. HX-21: a large goes as far as it likes.
            "HX-19": z3.Not(z3.And(self.at_src[SMALL], self._further_than(1))),
            "HX-20": z3.Not(z3.And(self.at_src[MEDIUM], self._further_than(2))),
        }

    def _exchange(self) -> dict[str, Bool]:
        radius, anybody = self.params.radius, self.readings["swap"] == "any_two"
        clauses = {
            # HX-13: with a piece on an adjacent point.
            "HX-13": z3.And(
                any_of(self._goes(p, q) for p, q in self._pairs() if adjacent(radius, p, q)), self._taken_at(self.dst)
            ),
            # HX-10: the piece that is moved is of the own colour (or, under any_two, anybody's).
            "HX-10": any_of(
                self.at_src[c] if anybody else z3.And(self.to_move[c], self.at_src[c]) for c in self.colours
            ),
        }
        # HX-22..24: each size by its sentence.
        return clauses | {clause: z3.Not(self._objects(size)) for size, clause in SENTENCE.items()}

    def _objects(self, size: int) -> Bool:
        """HX-22..25: a piece of this size is not to change places with the other one."""
        swap = self.readings["swap"]
        same = z3.And(self.at_src[size], self.at_dst[size])
        if swap in ("symmetric", "any_two"):
            return same
        # HX-25: own pieces of different sizes may.
        own = any_of(z3.And(self.to_move[c], self.at_src[c], self.at_dst[c]) for c in self.colours)
        wrong = [s for s in SIZES if s not in (size, PARTNER[size])]
        ends = [(self.at_src, self.at_dst), (self.at_dst, self.at_src)]
        asked = ends if swap == "mutual" else ends[:1]
        unfit = any_of(z3.And(here[size], there[s]) for here, there in asked for s in wrong)
        return z3.Or(same, z3.And(unfit, z3.Not(own)))

    def _no_overflow(self, kind: str) -> Bool:
        """HX-31: no group of more than five is made, for anyone; by one reading, not even on the way."""
        too_large = list(self.too_large.values())
        if kind == "slide" and self.readings["overflow_test"] == "transit":
            too_large.append(self._jam())
        # Under win_overflow=allowed a turn that ends the game need not care.
        excused = self.ends if self.readings["win_overflow"] == "allowed" else FALSE
        return z3.Or(z3.Not(any_of(too_large)), excused)

    def _jam(self) -> Bool:
        """On a point that it crosses, the piece is part of a connected set of six."""
        radius, size = self.params.radius, self.params.group + 1
        sets = connected_sets(radius, size) if size <= len(self.points) else ()
        joins = {}
        for c in self.colours:
            rest = [self.asker.name(z3.And(self.x.own[c, p], z3.Not(self.src[p])), "rest") for p in self.points]
            for r in self.points:
                others = [[rest[p] for p in inside if p != r] for inside in sets if r in inside]
                around_it = joined(z3.Z3_mk_or, [FALSE, *(joined(z3.Z3_mk_and, o) for o in others)])
                joins[c, r] = self.asker.name(z3.And(self.at_src[c], around_it), "joins")
        crossed = [
            z3.And(self._goes(p, q), any_of(joins[c, r] for c in self.colours for r in between(radius, p, q)))
            for p, q in self._pairs()
            if in_line(radius, p, q)
        ]
        return any_of(crossed)

    def _pairs(self) -> list[tuple[int, int]]:
        return [(p, q) for p in self.points for q in self.points]

    def _goes(self, p: int, q: int) -> Bool:
        return z3.And(self.src[p], self.dst[q])

    def _further_than(self, steps: int) -> Bool:
        return any_of(self._goes(p, q) for p, q in self._pairs() if distance(self.params.radius, p, q) > steps)

    def _taken_at(self, where: Sequence[Bool]) -> Bool:
        return any_of(z3.And(here, self.x.taken[p]) for p, here in enumerate(where))

    # -- Asking about concrete positions --------------------------------------------------------------------

    def setup(self) -> Bool:
        """HX-02, 06, 07: an empty board, all pieces in hand, nothing formed; A begins."""
        empty = [z3.Not(taken) for taken in self.x.taken.values()]
        nothing = [z3.Not(formed) for formed in self.has_formed.values()]
        return all_of([self.to_move["A"], *empty, *self.has_hand.values(), *nothing])

    def position_facts(self, position: Position) -> list[Bool]:
        """Literals that fix the scene before the turn, the hands, the groups formed and the mover."""
        facts = [self.to_move[position.mover]]
        for p, piece in enumerate(position.points):
            if piece is None:
                facts.append(z3.Not(self.x.taken[p]))
            else:
                facts += [self.x.own[piece.colour, p], self.x.size[piece.pips, p]]
        for (c, s, v), held in self.has_hand.items():
            facts.append(held if position.in_hand(c, s) >= v else z3.Not(held))
        for (c, v), formed in self.has_formed.items():
            facts.append(formed if position.formed(c) >= v else z3.Not(formed))
        return facts

    def move_facts(self, move: Move) -> list[Bool]:
        """Literals that fix the turn."""
        if isinstance(move, Pass):
            return [self.kind["pass"]]
        if isinstance(move, Placement):
            piece = [self.put_colour[move.piece.colour], self.put_size[move.piece.pips]]
            return [self.kind["place"], *piece, self.dst[move.target]]
        return [self.kind[kind_of(move)], self.src[move.source], self.dst[move.target]]

    def certain(self, *assumptions: Bool) -> bool:
        answer = self.asker.ask(*assumptions)
        if answer is Answer.UNKNOWN:
            raise TimeoutError("z3 gave no answer within its budget")
        return answer is Answer.YES

    def may_pass(self, position: Position) -> bool:
        """HX-16, 17: no turn that counts is legal."""
        return not self.certain(*self.position_facts(position), self.must)

    def judge(self, position: Position, move: Move) -> Verdict:
        """Every clause that the turn breaks."""
        solved = self.certain(*self.position_facts(position), *self.move_facts(move))
        assert solved, "a position and a turn fix everything and contradict nothing"
        broken = [c for c, kept in self.holds[kind_of(move)].items() if not self.asker.holds(kept)]
        if isinstance(move, Pass) and not broken and not self.may_pass(position):
            broken = ["HX-16"]
        return Verdict(tuple((c, "the constraint of this clause is false") for c in sorted(broken)))

    def result(self, position: Position, move: Move) -> tuple[Position, str | None]:
        """What a legal turn leads to, and who has won by it."""
        solved = self.certain(*self.position_facts(position), *self.move_facts(move))
        assert solved, "a position and a turn fix everything and contradict nothing"
        return self.read_result()

    def read_position(self) -> Position:
        """The position before the turn in the solution just found."""
        return self._read(self.x, self.to_move, self.has_hand, self.has_formed)

    def read_result(self) -> tuple[Position, str | None]:
        """The position after the turn in the solution just found, and the winner."""
        after = self._read(self.z, self.next_to_move, self.hand_after, self.formed_after)
        won = [c for c in self.colours if self.asker.holds(self.wins(c, self.formed_after, self.next_to_move))]
        return after, won[0] if won else None

    def _read(
        self,
        scene: Scene,
        to_move: Mapping[str, Bool],
        hand: Mapping[tuple[str, int, int], Bool],
        formed: Mapping[tuple[str, int], Bool],
    ) -> Position:
        true = self.asker.holds
        points: list[Pyramid | None] = []
        for p in self.points:
            colour = [c for c in self.colours if true(scene.own[c, p])]
            size = [s for s in SIZES if true(scene.size[s, p])]
            points.append(Pyramid(colour[0], size[0]) if colour else None)
        hands: list[Triple] = []
        for c in self.colours:
            small, medium, large = (sum(true(f) for (o, t, _), f in hand.items() if (o, t) == (c, s)) for s in SIZES)
            hands.append((small, medium, large))
        counted = tuple(sum(true(f) for (o, _), f in formed.items() if o == c) for c in self.colours)
        mover = next(c for c in self.colours if true(to_move[c]))
        return Position(mover, tuple(points), tuple(hands), counted, self.params)


def kind_of(move: Move) -> str:
    return {Placement: "place", Slide: "slide", Exchange: "exchange", Pass: "pass"}[type(move)]
