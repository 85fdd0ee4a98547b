"""Icehouse: the families of proofs.

Geometry is proved for all places of pieces with given directions, what follows from it (attacks, freezing, captures,
the icehouse, the count) for all scenes of a given size, events for all distributions of a few pieces. Whole
positions are compared as samples, and called so.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations_with_replacement, cycle, product
from typing import Any

from rulecheck.games.icehouse import GAME, read_params
from rulecheck.games.icehouse.families import counting, drawn, places
from rulecheck.games.icehouse.families.compared import result
from rulecheck.games.icehouse.families.counting import Sides
from rulecheck.games.icehouse.families.places import ASKEW, STEEP, TURNED, WAYS, Kind, Row, Tick, kinds
from rulecheck.games.icehouse.families.stashes import TABLES, prove_stashes
from rulecheck.games.icehouse.pieces import EAST, Params, Rectangle
from rulecheck.model import Readings, Result, Status, together

Encodings = tuple[Callable[..., Any], Callable[..., Any]]
STANDING = kinds((1, 2, 3), (EAST, TURNED), ())
LYING = kinds((1, 2, 3), (), WAYS)
PAD = Rectangle(0, 0, 30, 20)
SET = {"players": "2", "table": "100x80", "pads": "0,0,30,20/70,60,100,80"}
FEW: list[Kind] = [(1, False, EAST), (3, False, TURNED), (2, True, EAST), (1, True, ASKEW)]
EACH: list[tuple[Kind, Kind]] = [(LYING[n], STANDING[n % 5]) for n in (5, 14, 23)]
STEEP_SQUARE: Kind = (2, False, STEEP)
MANY = ("over-iced", "three")  # tables with many positions
DIRECTIONS = "standing pieces straight and turned by 3/5,4/5, lying ones each way along an axis and into each quadrant"


def paired(chosen: Sequence[Kind], others: Sequence[Kind]) -> list[tuple[Kind, Kind]]:
    """Each kind with one of the others, which take turns."""
    return list(zip(chosen, cycle(others), strict=False))


class Family:
    """Both encodings, under the readings given."""

    def __init__(self, encodings: Encodings, readings: Readings, tick: Tick) -> None:
        self.encodings, self.readings, self.tick = encodings, readings, tick
        self.sides = Sides(encodings, readings)

    def both(self, params: Params, **changes: str) -> tuple[Any, Any]:
        chosen = self.readings.replace(**changes)
        return self.encodings[0](params, chosen), self.encodings[1](params, chosen)

    # -- Geometry -----------------------------------------------------------------------------------------------

    def contact(self, pairs: Sequence[tuple[Kind, Kind]], which: str) -> Result:
        engine, spec = self.both(read_params({}), touching="forbidden")
        scope = f"whether two pieces touch or overlap, for all places of both: {which}"
        return places.prove_fitting(engine, spec, pairs, scope, self.tick)

    def table(self, chosen: Sequence[Kind], which: str) -> Result:
        engine, spec = self.both(read_params(SET))
        scope = f"whether a piece fits on a table of 100x80 with pads in two corners, for all places: {which}"
        return places.prove_fitting(engine, spec, [[kind] for kind in chosen], scope, self.tick)

    def lines(self, pairs: Sequence[tuple[Kind, Kind]], which: str) -> Result:
        engine, spec = self.both(read_params({}))
        scope = f"how a line meets a piece and where, for all places of both: {which}"
        return places.prove_meetings(engine, spec, pairs, scope, self.tick)

    def pads(self) -> Result:
        engine, spec = self.both(Params(players=1, pads=(PAD,)))
        scope = f"what a small lying piece points at, a small standing one anywhere and a pad at {PAD}, for all places"
        return places.prove_sights(engine, spec, [(FEW[3], FEW[0])], scope, self.tick)

    def ranges(self, pairs: Sequence[tuple[Kind, Kind]], which: str) -> Result:
        if self.readings["distance"] == "body":  # too many pairs of nearest points for a proof
            return self.chosen(2)
        engine, spec = self.both(read_params({}))
        scope = f"whether what a line points at is in range, for all places of the tip and a target at 0,0: {which}"
        return places.prove_ranges(engine, spec, pairs, scope, self.tick)

    def first(self, things: int) -> Iterator[Result]:
        engine, spec = self.both(read_params({}))
        for pad in (False, True):
            last = ", the last of them a pad" if pad else ""
            scope = f"what a line points at that meets up to {things} things in any way and at any distance{last}"
            yield places.prove_first(engine, spec, [Row.anything(things, pad=pad)], scope)

    def first_of_many(self) -> Result:
        engine, spec = self.both(read_params({}))
        things = counting.PIECES - 1
        scope = f"what a line points at that meets {things} things in three orders"
        return places.prove_first(engine, spec, places.crowds(things), scope)

    # -- Events -------------------------------------------------------------------------------------------------

    def stashes(self, *names: str, stride: int = 1) -> Result:
        return prove_stashes(names, self.encodings, self.readings, stride)

    # -- Samples ------------------------------------------------------------------------------------------------

    def played(self, games: int, length: int) -> Result:
        scope = f"{games} random games of up to {length} events (seed {drawn.SEED}), and nothing about the others"
        return result(drawn.played(self.encodings, self.readings, games, length), scope, sample=True)

    def chosen(self, count: int) -> Result:
        scope = (
            f"{count} times pieces that touch, meet at corners, graze, pinch or are exactly at the range, placed by z3 "
            f"(seed {drawn.SEED}), and nothing about other places"
        )
        return result(drawn.chosen(self.encodings, self.readings, count), scope, sample=True)

    def kept(self) -> Result:
        scope = f"{len(drawn.KEPT)} kept placements on the verge, and nothing about others"
        return result(drawn.kept(self.encodings, self.readings), scope, sample=True)


# -- The families -------------------------------------------------------------------------------------------


def contact(f: Family) -> Result:
    pairs = [*combinations_with_replacement(FEW, 2), *paired(LYING, STANDING), *paired(LYING[::3], LYING[7:])]
    return f.contact(pairs, f"some pairs in which each size lies each way, {DIRECTIONS}")


def contact_all(f: Family) -> Result:
    pairs = list(combinations_with_replacement([*STANDING, *LYING], 2))
    return f.contact(pairs, f"all sizes, {DIRECTIONS}")


def table(f: Family) -> Result:
    return f.table([*STANDING, *LYING], f"all sizes, {DIRECTIONS}")


def lines(f: Family) -> Result:
    pairs = [*product(FEW[2:], [*FEW, STEEP_SQUARE]), *paired(LYING, STANDING), *paired(LYING, LYING[7:])]
    return f.lines(pairs, f"some pairs in which each size points each way, {DIRECTIONS}")


def lines_all(f: Family) -> Result:
    return f.lines(list(product(LYING, [*STANDING, *LYING])), f"all sizes, {DIRECTIONS}")


def ranges(f: Family) -> Result:
    pairs = [*product(FEW[2:], [*FEW[:2], STEEP_SQUARE]), *paired(LYING, STANDING)]
    return f.ranges(pairs, f"some pairs in which each size points each way, and at each size; {DIRECTIONS}")


def ranges_all(f: Family) -> Result:
    return f.ranges(list(product(LYING, STANDING)), f"all sizes, {DIRECTIONS}")


def first(f: Family) -> Result:
    return together(f.first(3))


def first_four(f: Family) -> Result:
    return together(f.first(4))


def counts(f: Family) -> Result:
    s = f.sides
    parts: list[Callable[[], Result]] = [
        lambda: counting.attack(s),
        lambda: counting.aim(s),
        lambda: counting.freezing(s, 1, 6),
        lambda: counting.freezing(s, 2, 3),
        lambda: counting.capturing(s, 1, 3),
        lambda: counting.capturing(s, 2, 2),
        lambda: counting.redundancy(s, 2),
        lambda: counting.early(s, 3, 3),
        lambda: counting.icehouse(s, 3, 2),
        lambda: counting.icehouse(s, 1, 2, limit=8),
        lambda: counting.found(s),
        lambda: counting.counted(s, 2),
    ]
    return together(part() for part in parts)


def many(f: Family) -> Result:
    """Up to all pieces of a game."""
    s = f.sides
    parts: list[Callable[[], Result]] = [
        lambda: counting.many_attackers(s, 7),
        lambda: counting.many_defenders(s),
        lambda: counting.many_early(s),
        lambda: counting.many_points(s),
        f.first_of_many,
    ]
    return together(part() for part in parts)


def six_captures(f: Family) -> Result:
    return counting.capturing(f.sides, 1, 6)


def two_captures(f: Family) -> Result:
    return together([counting.capturing(f.sides, 2, 3), counting.redundancy(f.sides, 3)])


def six_pieces(f: Family) -> Result:
    s = f.sides
    parts: list[Callable[[], Result]] = [
        lambda: counting.freezing(s, 2, 5),
        lambda: counting.early(s, 6, 2),
        lambda: counting.early(s, 4, 3),
        lambda: counting.icehouse(s, 6, 2),
        lambda: counting.icehouse(s, 4, 5),
        lambda: counting.counted(s, 4),
        lambda: counting.owners(s, 6),
    ]
    return together(part() for part in parts)


def stashes(f: Family) -> Result:
    return f.stashes(*(name for name in TABLES if name not in MANY))


def more_stashes(f: Family) -> Result:
    return f.stashes(*MANY)


def samples(f: Family) -> Result:
    parts: list[Callable[[], Result]] = [f.kept, lambda: f.played(4, 14)]
    return together(part() for part in parts)


def many_samples(f: Family) -> Result:
    parts: list[Callable[[], Result]] = [lambda: f.chosen(40), lambda: f.played(40, 22)]
    return together(part() for part in parts)


def mixed(f: Family) -> Result:
    """Readings change together here, whatever the readings given: what one of them hides another may show."""
    rng = random.Random(drawn.SEED)
    options = GAME.rulebook.options.values()

    def parts() -> Iterator[Result]:
        for number in range(12):
            chosen = GAME.rulebook.choose({r.name: rng.choice(r.values) for r in options})
            other = Family(f.encodings, chosen, f.tick)
            yield other.played(1, 12)
            yield other.kept()
            yield other.stashes([*TABLES][number % len(TABLES)], stride=41)
            f.tick((number + 1) / 12)

    outcome = together(parts())
    if outcome.status is Status.REFUTED:
        return outcome
    scope = f"12 choices of all readings at once (seed {drawn.SEED}), in games and on kept tables, and no other choices"
    return replace(outcome, scope=scope)


# What a reading touches, in short.
SHORT: dict[str, Callable[[Family], Result]] = {
    "kept": lambda f: f.kept(),
    "chosen": lambda f: f.chosen(2),
    "one-contact": lambda f: f.contact([(FEW[0], FEW[1])], "a small and a turned large piece, both standing"),
    "one-line": lambda f: f.lines([(FEW[3], FEW[1])], "a small lying piece and a turned large one that stands"),
    "one-range": lambda f: f.ranges([(FEW[3], FEW[0])], "a small lying piece and a small one that stands"),
    "each-range": lambda f: f.ranges(EACH, "each size pointing into another quadrant"),
    "one-fits": lambda f: f.table(FEW[2:3], "a medium lying piece pointing east"),
    "pads": lambda f: f.pads(),
    "first": first,
    "attack": lambda f: counting.attack(f.sides),
    "aim": lambda f: counting.aim(f.sides),
    "freezing": lambda f: counting.freezing(f.sides, 1, 3),
    "capturing": lambda f: counting.capturing(f.sides, 1, 2),
    "redundancy": lambda f: counting.redundancy(f.sides, 2),
    "early": lambda f: counting.early(f.sides, 3, 2),
    "icehouse": lambda f: counting.icehouse(f.sides, 2, 2),
    "found": lambda f: counting.found(f.sides),
    "counted": lambda f: counting.counted(f.sides, 2),
    "listed": lambda f: f.stashes("empty", "early", "over-iced twice"),
    "empty": lambda f: f.stashes("empty"),
    "frozen": lambda f: f.stashes("frozen"),
    "prisoners": lambda f: f.stashes("prisoners", stride=4),
    "three": lambda f: f.stashes("three", stride=4),
    "over-iced": lambda f: f.stashes("over-iced", "over-iced twice", stride=7),
    "melting": lambda f: f.stashes("early", "melted", stride=2),
}
TOUCHED = {
    **dict.fromkeys(("range", "distance", "length"), ("each-range", "kept")),
    **dict.fromkeys(("far",), ("aim", "kept")),
    **dict.fromkeys(("touching",), ("one-contact", "kept")),
    **dict.fromkeys(("on_pad", "edge"), ("one-fits", "kept")),
    **dict.fromkeys(("graze",), ("first", "kept")),
    **dict.fromkeys(("pad_ray",), ("first", "pads", "kept")),
    **dict.fromkeys(("own", "retarget"), ("attack", "aim", "kept")),
    **dict.fromkeys(("revalidate",), ("attack", "over-iced")),
    **dict.fromkeys(("redundant", "wasted_capture"), ("capturing", "redundancy")),
    **dict.fromkeys(("overice_owner", "capture_hand"), ("capturing",)),
    **dict.fromkeys(("capture_chain",), ("capturing", "over-iced")),
    **dict.fromkeys(("meltdown", "meltdown_cure", "first_two"), ("early", "melting")),
    **dict.fromkeys(("icehouse", "defender_of", "limit_when"), ("icehouse", "frozen")),
    **dict.fromkeys(("recall", "self_call"), ("found", "three")),
    **dict.fromkeys(("trigger", "cryo"), ("found", "frozen")),
    **dict.fromkeys(("score_owner",), ("counted",)),
    **dict.fromkeys(("meltdown_pad",), ("melting",)),
    **dict.fromkeys(("put_back",), ()),  # what is listed says it all
    **dict.fromkeys(("tie_for_first",), ("counted",)),
}


HEAVY = ("chosen", "three", "over-iced", "melting", "prisoners")


def touched(f: Family) -> Result:
    """Families of listed events and those affected by non-default readings; a quick mix if there are none."""
    usual = GAME.rulebook.defaults()
    changed = [name for name in f.readings if f.readings[name] != usual[name]]
    names = ["listed", *(part for name in changed for part in TOUCHED[name])]
    names = names if changed else [n for n in SHORT if n not in HEAVY]
    return together(SHORT[name](f) for name in dict.fromkeys(names))


LONG: dict[str, Callable[[Family], Result]] = {
    "contact-all": contact_all,
    "six-captures": six_captures,
    "six-pieces": six_pieces,
    "many-samples": many_samples,
    "lines-all": lines_all,
    "ranges-all": ranges_all,
    "two-captures": two_captures,
    "mixed": mixed,
    "first-four": first_four,
    "more-stashes": more_stashes,
}
USUAL: dict[str, Callable[[Family], Result]] = {
    "stashes": stashes,
    "samples": samples,
    "contact": contact,
    "counts": counts,
    "many": many,
    "lines": lines,
    "table": table,
    "pads": lambda f: f.pads(),
    "ranges": ranges,
    "first": first,
}


def family_names(params: Params) -> list[str]:
    """The longest first, so that work done side by side ends together."""
    return [*LONG, *USUAL]


def run_family(name: str, params: Params, encodings: Encodings, readings: Readings, tick: Tick) -> Result:
    family = {"touched": touched, **LONG, **USUAL, **SHORT}[name]
    try:
        return family(Family(encodings, readings, tick))
    except TimeoutError as error:
        return Result(Status.UNKNOWN, f"the family {name}", note=str(error))
