"""Icehouse: pieces in unknown places. The engine's geometry is compared with the inequalities.

Directions are given, places are not: so every question is linear, and a case is settled for all places at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

import z3

from rulecheck.cases import Observer
from rulecheck.games.icehouse.families.unknowns import Decisions, Ground, Unknown, runs
from rulecheck.games.icehouse.pieces import BASE, HEIGHT, Params, Piece, Place, Point, Position
from rulecheck.games.icehouse.sampling import QUARTERS, TURNS
from rulecheck.model import Result, Status, Witness, agreement
from solvers.smt import Bool

Tick = Callable[[float], None]
Kind = tuple[int, bool, Point]  # pips, whether it lies, direction
SIDES = ("CROSSED", "LEFT", "RIGHT")
TURNED, STEEP = TURNS[0], TURNS[3]
ASKEW: Point = (-TURNS[4][1], TURNS[4][0])
AXES: tuple[Point, ...] = tuple((Fraction(x), Fraction(y)) for x, y in QUARTERS)
OBLIQUE: tuple[Point, ...] = (TURNED, ASKEW, (-TURNS[2][0], -TURNS[2][1]), (TURNS[6][0], -TURNS[6][1]))
WAYS = (*AXES, *OBLIQUE)  # along each axis both ways, and one way into each quadrant


class Met(NamedTuple):
    """How a line meets a thing, as the constraints have it."""

    crossed: Bool
    left: Bool
    right: Bool
    entry: tuple[Any, ...]


def kinds(pips: Sequence[int], standing: Sequence[Point], lying: Sequence[Point]) -> list[Kind]:
    return [(p, lies, d) for lies, ways in ((False, standing), (True, lying)) for p in pips for d in ways]


class Places:
    """Two or more pieces, all of them anywhere; the first is to be placed or is the one whose line is looked at."""

    def __init__(self, chosen: Sequence[Kind]) -> None:
        self.chosen = chosen
        self.variables = [(z3.Real(f"x{n}"), z3.Real(f"y{n}")) for n in range(len(chosen))]

    def pieces(self, point: Callable[[int], Any]) -> list[Piece]:
        return [
            Piece("AB"[n > 0], pips, lies, point(n), way, "AB"[n > 0])
            for n, (pips, lies, way) in enumerate(self.chosen)
        ]

    def unknown(self, decisions: Decisions) -> list[Piece]:
        """As the engine sees them."""
        return self.pieces(lambda n: tuple(map(decisions.unknown, self.variables[n])))

    def stated(self) -> list[Piece]:
        """As the constraints see them."""
        return self.pieces(lambda n: self.variables[n])

    @property
    def free(self) -> list[Any]:
        """The coordinates that are open, those of the first piece last: so the others lie at 0,0 if they can."""
        return [coordinate for point in (*self.variables[1:], self.variables[0]) for coordinate in point]

    @property
    def tried(self) -> list[Bool]:
        """Where to look first for a place to show."""
        return []

    def found(self, values: Sequence[Fraction]) -> list[Piece]:
        """As these values of the open coordinates have placed them."""
        at = {str(variable): value for variable, value in zip(self.free, values, strict=True)}
        return self.pieces(lambda n: tuple(at.get(str(v), Fraction(0)) for v in self.variables[n]))


def on_table(params: Params, pieces: Sequence[Piece]) -> Position:
    players = params.players
    return Position(tuple(pieces), (None,) * players, ((),) * players, (), (), False, params)


def disagreement(
    places: Places, run: Callable[[list[Piece]], Any], differs: Callable[[Any], Bool]
) -> tuple[int, list[Piece] | None]:
    """The number of cases, and places for which `differs` is true of what the engine said; None if there are none."""
    ground, count = Ground(), 0
    for case in runs(ground, lambda _, decisions: run(places.unknown(decisions))):
        count += 1
        term = differs(case.outcome)
        if ground.model(case.facts, term) is not None:
            return count, places.found(_simplest(ground, case.facts, term, places))
    return count, None


def _simplest(ground: Ground, facts: list[Bool], term: Bool, places: Places) -> list[Fraction]:
    for there in places.tried:
        if ground.model(facts, z3.And(there, term)) is not None:
            return ground.simplest([*facts, there], term, places.free)
    return ground.simplest(facts, term, places.free)


# -- Where a piece fits -------------------------------------------------------------------------------------


def fitting_differs(spec: Any, places: Places) -> Callable[[Any], Bool]:
    """IH-16, IH-04, IH-19, IH-78: whether the verdict is another than these clauses call for."""
    piece, *others = places.stated()
    asked = {clause: _term(kept) for clause, kept in spec.fitting(on_table(spec.params, others), piece)}
    legal = z3.And(list(asked.values()))

    def differs(verdict: Any) -> Bool:
        return z3.Or([legal, *(asked[clause] for clause in verdict.clauses)]) if verdict.broken else z3.Not(legal)

    return differs


def prove_fitting(engine: Any, spec: Any, chosen: Sequence[Sequence[Kind]], scope: str, tick: Tick) -> Result:
    """Of each group the first piece is placed, while the others lie there, all of them anywhere."""

    def run(pieces: list[Piece]) -> Any:
        return engine.judge_place(on_table(engine.params, pieces[1:]), pieces[0])

    return _prove(engine, spec, chosen, (run, fitting_differs), scope, tick)


def _prove(
    engine: Any,
    spec: Any,
    chosen: Sequence[Sequence[Kind]],
    parts: tuple[Callable[[list[Piece]], Any], Callable[[Any, Places], Callable[[Any], Bool]]],
    scope: str,
    tick: Tick,
    kind: type[Places] = Places,
) -> Result:
    count, (run, differs) = 0, parts
    for done, group in enumerate(chosen):
        places = kind(group)
        cases, pieces = disagreement(places, run, differs(spec, places))
        count += cases
        if pieces:
            return refuted(engine, spec, pieces, scope, count)
        tick((done + 1) / len(chosen))
    return Result(Status.PROVED, scope, cases=count)


def refuted(engine: Any, spec: Any, pieces: list[Piece], scope: str, count: int) -> Result:
    """Replay the placement; the note says what only a later event would show."""
    position, event = on_table(engine.params, pieces[1:]), Place(pieces[0])
    one, other = engine.judge(position, event), spec.judge(position, event)
    note = f"engine: {one}; constraints: {other}" if not agreement(one, other) else "the line meets the piece otherwise"
    witness = Witness(str(position), str(event), note, engine.params.as_dict(), engine.readings)
    return Result(Status.REFUTED, scope, witness, count)


# -- Lines --------------------------------------------------------------------------------------------------


def bare(engine_class: Any) -> Any:
    """An engine whose `sight` answers with what the line meets, before the first of it is chosen."""
    return type("Bare", (engine_class,), {"first": lambda _, met: met})


def meeting_differs(spec: Any, places: Places) -> Callable[[Any], Bool]:
    piece, thing = places.stated()
    said = spec.meeting(piece, thing)
    sides = {"crossed": said.crossed, "left": said.left, "right": said.right}

    def differs(met: Any) -> Bool:
        if not met:
            return z3.Or(list(map(_term, sides.values())))
        ((_, meeting),) = met
        entry = meeting.entry.term if isinstance(meeting.entry, Unknown) else z3.RealVal(str(meeting.entry))
        bounds = [_number(bound) for bound in said.entry]
        right_entry = z3.And([entry >= bound for bound in bounds] + [z3.Or([entry == bound for bound in bounds])])
        return z3.Not(z3.And(_term(sides[meeting.side.name.lower()]), right_entry))

    return differs


def _term(truth: Any) -> Bool:
    return z3.BoolVal(truth) if isinstance(truth, bool) else truth


def _is(truth: Any, value: bool) -> Bool:
    return _term(truth) if value else z3.Not(_term(truth))


def _number(value: Any) -> Any:
    return z3.RealVal(str(value)) if isinstance(value, int | Fraction) else value


def prove_meetings(engine: Any, spec: Any, pairs: Sequence[tuple[Kind, Kind]], scope: str, tick: Tick) -> Result:
    looking = bare(type(engine))(engine.params, engine.readings)

    def run(pieces: list[Piece]) -> Any:
        return looking.sight(tuple(pieces[1:]), pieces[0], [0])

    return _prove(engine, spec, pairs, (run, meeting_differs), scope, tick)


def sight_differs(spec: Any, places: Places) -> Callable[[Any], Bool]:
    piece, *others = places.stated()
    said = spec.sight(piece, others)

    def differs(seen: Any) -> Bool:
        at = [_is(term, n == seen.piece) for n, term in enumerate(said.at[: len(others)])]
        return z3.Not(z3.And(*at, _is(said.pinched, seen.pinched)))

    return differs


def prove_sights(engine: Any, spec: Any, pairs: Sequence[tuple[Kind, Kind]], scope: str, tick: Tick) -> Result:
    """What a line points at, with the pads where they are."""

    def run(pieces: list[Piece]) -> Any:
        return engine.sight(tuple(pieces[1:]), pieces[0], range(len(pieces) - 1))

    return _prove(engine, spec, pairs, (run, sight_differs), scope, tick)


# -- Ranges -------------------------------------------------------------------------------------------------


class FixedTarget(Places):
    """The second piece stands at 0,0; only the first may be anywhere."""

    def pieces(self, point: Callable[[int], Any]) -> list[Piece]:
        first, *others = super().pieces(point)
        return [first, *(replace(piece, point=(Fraction(0), Fraction(0))) for piece in others)]

    @property
    def free(self) -> list[Any]:
        return list(self.variables[0])

    @property
    def tried(self) -> list[Bool]:
        """As far from a side or corner of the target as the first piece reaches, where no root is needed to say so."""
        (first, _, _), (pips, _, (dx, dy)) = self.chosen
        x, y = self.variables[0]
        far, half = HEIGHT[first], Fraction(BASE[first], 2)
        ways = [turned_by(way, quarter) for way in (*TURNS, AXES[0]) for quarter in AXES]
        sides = [_dot(turned_by((dx, dy), way), (x, y)) == _number(far + Fraction(BASE[pips], 2)) for way in AXES]
        _, target = self.pieces(lambda _: (x, y))
        spans = [turned_by((Fraction(far), aside), way) for aside in (Fraction(0), half, -half) for way in ways]
        points = [(cx + sx, cy + sy) for cx, cy in target.corners for sx, sy in spans]
        return [*sides, *(z3.And(x == _number(px), y == _number(py)) for px, py in points)]


def turned_by(point: Point, way: Point) -> Point:
    """Turned as east is turned to become this way."""
    return point[0] * way[0] - point[1] * way[1], point[0] * way[1] + point[1] * way[0]


def _dot(way: Point, point: tuple[Any, Any]) -> Any:
    return _number(way[0]) * point[0] + _number(way[1]) * point[1]


def range_differs(spec: Any, places: Places) -> Callable[[Any], Bool]:
    said = _term(spec.in_range(*places.stated()))

    def differs(near: Any) -> Bool:
        return z3.BoolVal(False) if near is None else z3.Not(said) if near else said

    return differs


def prove_ranges(engine: Any, spec: Any, pairs: Sequence[tuple[Kind, Kind]], scope: str, tick: Tick) -> Result:
    """Of lines that point at the target."""

    def run(pieces: list[Piece]) -> Any:
        seen = engine.sight(tuple(pieces[1:]), pieces[0], [0])
        return None if seen.piece is None else engine.in_range(pieces[0], pieces[1], seen.entry)

    return _prove(engine, spec, pairs, (run, range_differs), scope, tick, FixedTarget)


# -- The first thing on a line ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """Things that a line may meet, and the ways in which it may meet each of them; the last thing may be a pad.

    The distances are open, or else 0, 1, 2 and so on in the order given.
    """

    ways: Sequence[Sequence[str | None]]
    order: Sequence[int] = ()
    pad: bool = False

    @classmethod
    def anything(cls, things: int, *, pad: bool) -> Row:
        return cls([(None, *SIDES)] * things, pad=pad)

    @property
    def pieces(self) -> range:
        return range(len(self.ways) - self.pad)


def crowds(things: int) -> list[Row]:
    """So many things one behind the other, in three orders; all are crossed, but the first two may be touched."""
    numbers = list(range(things))
    orders = [numbers, numbers[::-1], numbers[things // 2 :] + numbers[: things // 2]]
    before = (("LEFT", "RIGHT"), ("RIGHT", "RIGHT"), ())
    return [
        Row([[(*sides, *["CROSSED"] * things)[order.index(n)]] for n in numbers], order)
        for order, sides in zip(orders, before, strict=True)
    ]


def prove_first(engine: Any, spec: Any, rows: Sequence[Row], scope: str) -> Result:
    """What a line points at, whatever it meets of these things and however far away."""
    count = 0
    for row in rows:
        cases, witness = _first(engine, spec, row)
        count += cases
        if witness:
            return Result(Status.REFUTED, scope, witness, count)
    return Result(Status.PROVED, scope, cases=count)


def _first(engine: Any, spec: Any, row: Row) -> tuple[int, Witness | None]:
    things = range(len(row.ways))
    entries = [z3.Real(f"entry{n}") for n in things]
    ordered = [entries[n] == place for place, n in enumerate(row.order)]
    ground = Ground([*(entry >= 0 for entry in entries), *ordered])
    sides = {(n, side): z3.Bool(f"{side}{n}") for n in things for side in SIDES if len(row.ways[n]) > 1}
    met_so = []
    for n in things:
        crossed, left, right = (sides.get((n, side), row.ways[n][0] == side) for side in SIDES)
        met_so.append(Met(crossed, left, right, (entries[n],)))
    said = spec.pointing(met_so)
    names = type(engine).first.__globals__

    def run(observer: Observer, decisions: Decisions) -> Any:
        meetings = []
        for n, entry in enumerate(entries):
            side = observer.ask(("side", n), row.ways[n])
            if side is not None:
                number = n if n in row.pieces else -1
                meetings.append((number, names["Meeting"](names["Side"][side], decisions.unknown(entry))))
        return engine.first(meetings)

    count = 0
    for case in runs(ground, run):
        count += 1
        answers: dict[Any, Any] = {question[1]: answer for question, answer in case.seen}
        met = [literal if answers[n] == side else z3.Not(literal) for (n, side), literal in sides.items()]
        right = [_is(said.at[n], n == case.outcome.piece) for n in row.pieces]
        right.append(_is(said.pinched, case.outcome.pinched))
        if case.outcome.piece is not None:
            named = case.outcome.piece in row.pieces
            right.append(case.outcome.entry.term == entries[case.outcome.piece] if named else z3.BoolVal(False))
        facts, wrong = [*case.facts, *met], z3.Not(z3.And(right))
        if ground.model(facts, wrong) is not None:
            far = ground.simplest(facts, wrong, entries)
            shown = ", ".join(f"{n + 1} {answers[n] or 'missed'} at {far[n]}" for n in answers)
            return count, Witness(f"a line that meets {shown}", None, f"engine: {case.outcome}")
    return count, None
