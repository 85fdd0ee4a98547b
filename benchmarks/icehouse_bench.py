"""Icehouse: attacks found and fortresses proved by cells of placements, against the same questions put to z3."""

from __future__ import annotations

import math
import multiprocessing
import random
import resource
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import islice
from typing import Any

import z3

from benchmarks.rows import Row, compare, seconds
from rulecheck.games.icehouse import GAME
from rulecheck.games.icehouse.pieces import BASE, HEIGHT, Point, Polygon, Position
from rulecheck.games.icehouse.research.attack import engine_of
from rulecheck.games.icehouse.research.attack_lines import Lines, exact
from rulecheck.games.icehouse.research.certificate import check_proof
from rulecheck.games.icehouse.research.certificate_cells import Scene
from rulecheck.games.icehouse.research.fortress import Known, Task, answer, find_known, fortress
from rulecheck.games.icehouse.sampling import proposals
from rulecheck.registry import Choice

BUDGET = 20_000
DIRECTIONS = 96
PROVED, GAVE_UP = 10, 11  # exit statuses
TABLES = ("none", "100x100", "140x140")


def rows(small: bool) -> Iterator[Row]:
    pinwheel, chamber = map(find_known, ("pinwheel", "chamber too narrow for a large"))
    yield nonlinear_row(5 if small else 60)
    yield directions_row(pinwheel, 12 if small else DIRECTIONS, 1 if small else 3)
    yield attack_row(chamber, 1 if small else 3)
    yield checking_row(pinwheel)
    yield unknown_row(3 if small else 50)


# -- Our answers ----------------------------------------------------------------------------------------------


def asked(known: Known, pips: int) -> Callable[[], Any]:
    def ask() -> Any:
        found = answer(Task(known.choice, known.position, known.target, pips, BUDGET))
        assert found.word == known.expect[pips]
        return found

    return ask


def checking_row(known: Known) -> Row:
    """The checker alone, with plain fractions, against finding and checking."""
    proof = asked(known, 1)().proof
    params, readings = known.choice.params, known.choice.readings

    def check() -> int:
        return check_proof(Scene(params, readings, known.position, known.target, 1), proof)

    return compare(
        f"Icehouse, {known.name}: a certificate checked", check, asked(known, 1), "found and checked", repeats=3
    )


def unknown_row(count: int) -> Row:
    """Every defender of random positions, against every size."""
    words: Counter[str] = Counter()

    def ask() -> None:
        for seed in range(count):
            words.update(found.word for found in fortress(*drawn(seed), budget=BUDGET))

    taken, _ = seconds(ask)
    total = words.total()
    shares = ", ".join(f"{n} {word}" for word, n in sorted(words.items()))
    title = f"Icehouse, {count} random positions, {total} questions: share unknown"
    return Row(title, "of 1", words["unknown"] / total, at_most=0.02, note=f"{shares}; {taken:.0f} CPU seconds in all")


def drawn(seed: int) -> tuple[Choice, Position]:
    """Four to ten pieces, many of which touch, on a small table or on one without limits."""
    rng = random.Random(seed)
    choice = Choice(GAME, GAME.params({"table": TABLES[seed % len(TABLES)]}), GAME.rulebook.defaults())
    engine, count = engine_of(choice), rng.randint(4, 10)
    position = engine.start()
    for _ in range(3000):
        event = next(proposals(rng, position))
        if len(position.pieces) < count and engine.judge(position, event).legal:
            position = engine.play(position, event)
    return choice, position


# -- The same for z3 ------------------------------------------------------------------------------------------


def nook() -> Known:
    """Few pieces, and safe even where a line may have no width, which keeps the terms for z3 short."""
    choice = Choice(GAME, GAME.params({"table": "500x500"}), GAME.rulebook.choose({"graze": "open"}))
    position = GAME.read_position(choice.params, "all A1@9,9 A3@34,16 A1@9,27 B1@300,300 B1@340,300")
    return Known("corner of the table, walls side by side", choice, position, 1, {1: "safe"}, "")


def nonlinear_row(limit: int) -> Row:
    """Tip, direction and the point that is hit are unknown, so products of unknowns are everywhere."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    child = multiprocessing.get_context("spawn").Process(target=ask_nonlinear, args=(limit,))
    child.start()
    child.join()
    theirs = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    ours, _ = seconds(asked(nook(), 1))
    ends = {PROVED: "it proved the same", GAVE_UP: "it gave up", -signal.SIGXCPU: "it was stopped without an answer"}
    title = f"Icehouse, {nook().name}: no attack by a small, proved"
    return Row(title, "CPU seconds", ours, "z3, nonlinear", theirs, theirs / ours, note=ends[child.exitcode or 0])


def ask_nonlinear(limit: int) -> None:
    """In a process of its own: the limit is of CPU seconds, which z3 has no option for."""
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
    c, s = z3.Reals("c s")
    solver = z3.SolverFor("QF_NRA")
    solver.add(c * c + s * s == 1, *attack_terms(nook(), 1, (c, s)))
    verdict = solver.check()
    assert verdict != z3.sat
    sys.exit(PROVED if verdict == z3.unsat else GAVE_UP)


def directions_row(known: Known, count: int, repeats: int) -> Row:
    """z3 is given one direction at a time, which makes it linear; it says nothing about those between."""
    lines = Lines(Scene(known.choice.params, known.choice.readings, known.position, known.target, 1, exact))
    ways = list(islice(lines.directions(known.position), count))

    def each() -> None:
        assert not any(linear_attack(known, 1, way) for way in ways)

    note = "ours holds for all directions, theirs for these alone"
    title = f"Icehouse, {known.name}: no attack by a small"
    return compare(title, asked(known, 1), each, f"z3, {count} directions, linear", repeats=repeats, note=note)


def attack_row(known: Known, repeats: int) -> Row:
    lines = Lines(Scene(known.choice.params, known.choice.readings, known.position, known.target, 2, exact))

    def first() -> None:
        assert any(linear_attack(known, 2, way) for way in lines.directions(known.position))

    title = f"Icehouse, {known.name}: an attack by a medium"
    return compare(title, asked(known, 2), first, "z3, direction by direction, linear", repeats=repeats)


def linear_attack(known: Known, pips: int, way: tuple[int, int]) -> bool:
    length = Fraction(math.isqrt(way[0] ** 2 + way[1] ** 2))
    solver = z3.SolverFor("QF_LRA")
    solver.add(attack_terms(known, pips, (way[0] / length, way[1] / length)))
    return bool(solver.check() == z3.sat)


def attack_terms(known: Known, pips: int, direction: tuple[Any, Any]) -> list[Any]:
    """A piece lies on the table, overlaps nothing, and its line gets inside the defender first and within its height;
    lines may have no width, and the range is measured along them.

    Two convex shapes are apart if a side of one of them has the other beyond it.
    """
    x, y, far = z3.Reals("x y far")
    c, s = direction
    back, half = HEIGHT[pips], Fraction(BASE[pips], 2)
    tip = (x, y)
    foot = [(x - back * c - way * half * s, y - back * s + way * half * c) for way in (1, -1)]
    hit = (x + far * c, y + far * s)
    shapes = [piece.corners for piece in known.position.pieces]
    walls = [shape for n, shape in enumerate(shapes, start=1) if n != known.target]
    terms = [far > 0, far < back]
    terms += [z3.And(*(beyond(side, hit, 1, strict=True) for side in sides(shapes[known.target - 1])))]
    terms += [apart(shape, (tip, *foot)) for shape in shapes]
    terms += [
        z3.Or(*(all_beyond(side, (tip, hit)) for side in sides(wall)), beside(wall, tip, direction)) for wall in walls
    ]
    table = known.choice.params.table
    if table is not None:
        terms += [z3.And(p[0] >= 0, p[0] <= table.right, p[1] >= 0, p[1] <= table.top) for p in (tip, *foot)]
    return terms


def sides(shape: Polygon) -> list[tuple[Point, Point]]:
    return list(zip(shape, (*shape[1:], shape[0]), strict=True))


def beyond(side: Any, point: Any, sign: int, *, strict: bool = False) -> Any:
    """The point lies to the left (1) or right (-1) of a side, or on it."""
    (px, py), (qx, qy) = side
    value = sign * ((number(qx) - px) * (point[1] - py) - (number(qy) - py) * (point[0] - px))
    return value > 0 if strict else value >= 0


def number(value: Any) -> Any:
    return z3.Q(value.numerator, value.denominator) if isinstance(value, Fraction) else value


def all_beyond(side: Any, points: Any) -> Any:
    return z3.And(*(beyond(side, point, -1) for point in points))


def apart(shape: Polygon, triangle: Any) -> Any:
    outer = [all_beyond(side, triangle) for side in sides(shape)]
    return z3.Or(*outer, *(all_beyond(side, shape) for side in sides(triangle)))


def beside(shape: Polygon, tip: Any, direction: Any) -> Any:
    ahead = (tip[0] + direction[0], tip[1] + direction[1])
    return z3.Or(*(z3.And(*(beyond((tip, ahead), v, sign) for v in shape)) for sign in (1, -1)))
