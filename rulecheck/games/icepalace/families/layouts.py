"""Ice Palace a third time: worksites and builds as constraint problems, all solutions against the engine's.

A structure is the row of its placements, (pyramid, cell) in the order in which they were made; whether a row is legal
is said of its last placement, for every beginning of it. Nothing here looks at the other two encodings: colours that
get on are sets, beside is a distance, and a stack is what was put on one cell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, product
from typing import Any

from rulecheck.games.icepalace import BLACK, DONE, ORIGIN, WHITE, Cell, Params, Position, Structure
from rulecheck.model import Readings, Result, Status, Witness
from rulecheck.pyramids import Pyramid, Stack
from solvers.csp import Puzzle

Placement = tuple[Pyramid, Cell]
Row = tuple[Placement, ...]
Tick = Callable[[float], None]


class Codes:
    """Both codes, as predicates on rows of placements."""

    def __init__(self, params: Params, readings: Readings) -> None:
        self.readings = readings
        self.players = frozenset(params.letters)
        white = {WHITE} if readings["white_white"] == "match" else set()
        self.friends = {c: frozenset({c, WHITE}) for c in params.letters}
        self.friends |= {BLACK: frozenset(), WHITE: self.players | white}
        stacked = {"any_colour": {BLACK, WHITE}, "player_and_white": {WHITE}, "player_colours": set()}
        self.stackable = self.players | stacked[readings["stacking"]]
        self.squares = (1, 2) if readings["grid"] == "king" else (1,)

    def towers(self, row: Sequence[Placement]) -> dict[Cell, list[Pyramid]]:
        by_cell: dict[Cell, list[Pyramid]] = {}
        for pyramid, cell in row:
            by_cell.setdefault(cell, []).append(pyramid)
        return by_cell

    def around(self, towers: dict[Cell, list[Pyramid]], cell: Cell) -> list[list[Pyramid]]:
        (x, y), near = cell, self.squares
        return [tower for (a, b), tower in towers.items() if (a - x) ** 2 + (b - y) ** 2 in near]

    # -- The worksite ---------------------------------------------------------------------------------------------

    def on_worksite(self, *row: Placement) -> bool:
        """IP-12, IP-14 to IP-18: the last placement of the row is right after those before it."""
        *before, (pyramid, cell) = row
        towers = self.towers(before)
        if not towers:
            return cell == ORIGIN
        if cell in towers:
            top = towers[cell][-1]
            shut = self.readings["onto_black"] == "no" and top.colour == BLACK
            return top.pips < pyramid.pips and pyramid.colour in self.stackable and not shut
        matching = [self.matches(pyramid, tower) for tower in self.around(towers, cell)]
        return bool(matching) and (all(matching) if self.readings["adjacent"] == "every_neighbour" else any(matching))

    def matches(self, pyramid: Pyramid, tower: list[Pyramid]) -> bool:
        colours, friends = [p.colour for p in tower], self.friends[pyramid.colour]
        how = self.readings["match"]
        if how == "all":
            return set(colours) <= friends
        looked_at = {"top": colours[-1:], "base": colours[:1], "any": colours}[how]
        return not friends.isdisjoint(looked_at)

    # -- The palace -----------------------------------------------------------------------------------------------

    def in_palace(self, *row: Placement) -> bool:
        """IP-30, IP-31: the last step of the row is right after those before it."""
        *before, (pyramid, cell) = row
        towers, island = self.towers(before), self.readings["palace_island"] == "yes"
        if not towers:
            return cell == ORIGIN and (island or self.readings["palace_first"] == "free")
        if cell in towers:
            top = towers[cell][-1]
            return top.pips > pyramid.pips and (
                top.colour == pyramid.colour or self.readings["palace_stack"] == "any_colour"
            )
        tops = [tower[-1].colour == pyramid.colour for tower in self.around(towers, cell)]
        if not tops:
            return island and any(max(abs(a - cell[0]), abs(b - cell[1])) <= 2 for a, b in towers)
        return all(tops) if self.readings["palace_adjacent"] == "every_neighbour" else any(tops)


# -- Constraint problems --------------------------------------------------------------------------------------------


def plane(cells: Sequence[Cell], far: int) -> list[Cell]:
    """All cells within `far` columns and rows of some of these: far enough for `far` placements."""
    reach = range(-far, far + 1)
    return sorted({(x + dx, y + dy) for x, y in cells or [ORIGIN] for dx in reach for dy in reach})


def worksites(codes: Codes, order: Stack) -> set[Row]:
    """Every layout of these pyramids, placed in this order."""
    puzzle, names = Puzzle(), list(range(len(order)))
    for name, pyramid in zip(names, order, strict=True):
        puzzle.variable(name, [(pyramid, cell) for cell in plane([], name)])
    puzzle.chain(names, codes.on_worksite)
    return set(puzzle.solutions())


def rows(codes: Codes, palace: Structure, left: Stack, count: int) -> set[Row]:
    """Every way to make this many steps with what is left."""
    stood: Row = tuple((pyramid, cell) for cell, stack in palace for pyramid in stack)
    step, stock = 2 if codes.readings["palace_island"] == "yes" else 1, Counter(left)
    puzzle, names = Puzzle(), list(range(count))
    for name in names:
        cells = plane([cell for cell, _ in palace], step * (name + bool(palace)))
        puzzle.variable(name, [(pyramid, cell) for pyramid in sorted(stock) for cell in cells])

    def right(*row: Placement) -> bool:
        used = Counter(pyramid for pyramid, _ in row)
        return used <= stock and codes.in_palace(*stood, *row)

    puzzle.chain(names, right)
    return set(puzzle.solutions())


def builds(codes: Codes, palace: Structure, left: Stack) -> set[Row]:
    """IP-33, IP-34, reading max_number: every whole building, as the row of its steps."""
    by_length = [rows(codes, palace, left, count) for count in range(len(left) + 1)]
    how = codes.readings["max_number"]
    if how == "exact":
        return next(steps for steps in reversed(by_length) if steps)
    everything = set().union(*by_length)
    if how == "agreed":
        return everything
    return everything - {row[:-1] for row in everything if row}


# -- The engine's -----------------------------------------------------------------------------------------------------


def played_worksites(engine: Any, order: Stack) -> set[Row]:
    reached: dict[Row, Structure] = {(): Structure()}
    for pyramid in order:
        reached = {
            (*row, (pyramid, cell)): worksite.put(pyramid, cell)
            for row, worksite in reached.items()
            for _, cell in engine.worksite.placements(worksite, [pyramid])
        }
    return set(reached)


def played_builds(engine: Any, position: Position) -> Iterator[Row]:
    """What the builder may do from here until building is over; the position after it is no longer asked."""
    if not position.left:
        yield ()
        return
    for move, after in engine.moves(position).items():
        if move == DONE:
            yield ()
        else:
            yield from (((move.pyramid, move.cell), *rest) for rest in played_builds(engine, after))


# -- The families -----------------------------------------------------------------------------------------------------


def prove_layouts(engine: Any, kinds: Stack, length: int, scope: str, tick: Tick) -> Result:
    codes, count = Codes(engine.params, engine.readings), 0
    for order in product(kinds, repeat=length):
        ours, theirs = played_worksites(engine, order), worksites(codes, order)
        count += len(theirs)
        for row in islice(sorted(ours ^ theirs), 1):
            return Result(Status.REFUTED, scope, _worksite_witness(engine, row, row in ours), count)
        tick(0.5)
    return Result(Status.PROVED, scope, cases=count)


def prove_builds(engine: Any, positions: Sequence[Position], scope: str, tick: Tick) -> Result:
    """All whole buildings in the positions given, which are chosen: a sample."""
    codes, count = Codes(engine.params, engine.readings), 0
    for number, position in enumerate(positions):
        begun = any(engine.palace.steps(position.palace, position.left))
        ours = set(played_builds(engine, position)) if begun else {()}
        theirs = builds(codes, position.palace, position.left)
        count += len(theirs)
        for row in islice(sorted(ours ^ theirs), 1):
            who = "engine" if row in ours else "third encoding"
            steps = " ".join(f"{pyramid}@p{x},{y}" for pyramid, (x, y) in row)
            note = f"only the {who} builds {steps or 'nothing'}"
            witness = Witness(str(position), None, note, engine.params.as_dict(), dict(engine.readings))
            return Result(Status.REFUTED, scope, witness, count, sample=True)
        tick((number + 1) / len(positions))
    return Result(Status.UNKNOWN, scope, cases=count, sample=True)


def _worksite_witness(engine: Any, row: Row, by_engine: bool) -> Witness:
    *before, (pyramid, (x, y)) = row
    worksite = Structure()
    for placed, cell in before:
        worksite = worksite.put(placed, cell)
    bag = ((0, 0, 0),) * len(engine.params.colours)
    hands = tuple((pyramid,) if c == "A" else () for c in engine.params.letters)
    position = Position("A", worksite, Structure(), hands, bag, "A")
    note = f"only the {'engine' if by_engine else 'third encoding'} has a layout that ends so"
    return Witness(str(position), f"{pyramid}@w{x},{y}", note, engine.params.as_dict(), dict(engine.readings))
