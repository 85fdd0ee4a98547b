"""The two building codes of Ice Palace, executable: where a pyramid may go, and how many of those left can be used.

Rules look at the grid only through `look`, which says what stands on a cell. Pyramids of one colour and size are the
same. The greatest number that can be used is found by trying all steps, with a bound that tells most dead ends at
once: the number that could be used if every stack with an empty cell beside it had room beside it for ever.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from rulecheck.games.icepalace import BLACK, ORIGIN, WHITE, Cell, Structure, board_order
from rulecheck.model import LEGAL, Readings, Verdict, breaks
from rulecheck.pyramids import LARGE, SMALL, Pyramid, Stack

Look = Callable[[Cell], Stack]
Top = tuple[str, int, bool]  # colour and pips of a stack's top, and whether a cell beside it is empty
REMEMBERED = 200_000  # how many answers are kept; forgetting one costs time only

SIDES = ((0, -1), (-1, 0), (1, 0), (0, 1))
CORNERS = ((-1, -1), (1, -1), (-1, 1), (1, 1))
NEAR = tuple((x, y) for y in range(-2, 3) for x in range(-2, 3))

Item = TypeVar("Item")


def without(items: tuple[Item, ...], item: Item) -> tuple[Item, ...]:
    """One of them taken out."""
    at = items.index(item)
    return items[:at] + items[at + 1 :]


class Grid:
    """IP-19, IP-20: which cells are beside a cell."""

    def __init__(self, readings: Readings) -> None:
        self.steps = SIDES if readings["grid"] == "orthogonal" else SIDES + CORNERS

    def beside(self, cell: Cell) -> list[Cell]:
        x, y = cell
        return [(x + dx, y + dy) for dx, dy in self.steps]

    def stacks_beside(self, look: Look, cell: Cell) -> Iterator[Stack]:
        return (stack for near in self.beside(cell) if (stack := look(near)))

    def frontier(self, structure: Structure) -> list[Cell]:
        """The cells of the structure and those beside them, in board order; 0,0 if there are none."""
        cells = {near for cell, _ in structure for near in (cell, *self.beside(cell))}
        return sorted(cells, key=board_order) or [ORIGIN]


# A pair of pyramids keeps the first few of these clauses; all three make a match.
MATCHING = (
    ("IP-16", "the colours are not the same"),
    ("IP-17", "black matches nothing"),
    ("IP-18", "white does not match white"),
)
MATCH = len(MATCHING)


class WorksiteCode:
    """IP-12 to IP-18 under given readings."""

    def __init__(self, readings: Readings) -> None:
        self.grid, self.readings = Grid(readings), readings

    def judge(self, look: Look, is_empty: bool, pyramid: Pyramid, cell: Cell) -> Verdict:
        """Does the worksite code allow this pyramid on this cell?"""
        if is_empty:  # IP-12: the opening may be any pyramid
            return LEGAL if cell == ORIGIN else breaks("IP-19", "the first pyramid stands on 0,0")
        stack = look(cell)
        return self.judge_stacking(pyramid, stack[-1]) if stack else self.judge_new_stack(look, pyramid, cell)

    def judge_stacking(self, pyramid: Pyramid, top: Pyramid) -> Verdict:
        """IP-14: a larger pyramid may go on a smaller one."""
        if top.pips == LARGE:
            return breaks("IP-15", "nothing goes on a large pyramid")
        if pyramid.pips <= top.pips:
            return breaks("IP-14", "a pyramid goes only on smaller ones")
        if not self.may_stack(pyramid.colour):
            return breaks("IP-14", "this colour is not stacked")
        if self.readings["onto_black"] == "no" and top.colour == BLACK:
            return breaks("IP-17", "nothing goes on black")
        return LEGAL

    def may_stack(self, colour: str) -> bool:
        """IP-14: which colours go on stacks."""
        barred = {"any_colour": (), "player_colours": (BLACK, WHITE), "player_and_white": (BLACK,)}
        return colour not in barred[self.readings["stacking"]]

    def judge_new_stack(self, look: Look, pyramid: Pyramid, cell: Cell) -> Verdict:
        """IP-16: a new stack begins beside one it matches."""
        kept = [self.kept_beside(pyramid, stack) for stack in self.grid.stacks_beside(look, cell)]
        if not kept:
            return breaks("IP-16", "no stack is beside the cell")
        best = max(kept) if self.readings["adjacent"] == "some_neighbour" else min(kept)
        return LEGAL if best == MATCH else breaks(*MATCHING[best])

    def kept_beside(self, pyramid: Pyramid, stack: Stack) -> int:
        """How many clauses of matching, in their order, a pyramid and a stack beside it keep."""
        match = self.readings["match"]
        if match == "top":
            return self.kept(pyramid, stack[-1])
        if match == "base":
            return self.kept(pyramid, stack[0])
        each = [self.kept(pyramid, other) for other in stack]
        return max(each) if match == "any" else min(each)

    def kept(self, one: Pyramid, other: Pyramid) -> int:
        """How many clauses of matching, in their order, two pyramids keep."""
        colours = (one.colour, other.colour)
        if colours[0] != colours[1] and WHITE not in colours:  # IP-16, and IP-18: white is a joker
            return 0
        if BLACK in colours:  # IP-17
            return 1
        if colours == (WHITE, WHITE) and self.readings["white_white"] == "no":  # IP-18
            return 2
        return MATCH

    def placements(self, worksite: Structure, pyramids: Iterable[Pyramid]) -> Iterator[tuple[Pyramid, Cell]]:
        """Where the worksite code allows which of these pyramids, each different pyramid in turn."""
        cells = self.grid.frontier(worksite)
        for pyramid in dict.fromkeys(pyramids):
            for cell in cells:
                if self.judge(worksite.at, not worksite, pyramid, cell).legal:
                    yield pyramid, cell


class PalaceCode:
    """IP-29 to IP-35 under given readings."""

    def __init__(self, readings: Readings) -> None:
        self.grid = Grid(readings)
        self.islands = readings["palace_island"] == "yes"
        self.begins = readings["palace_first"] == "free" or self.islands
        self.every = readings["palace_adjacent"] == "every_neighbour"
        self.same_colour = readings["palace_stack"] == "same_colour"
        self.can_use = functools.lru_cache(REMEMBERED)(self._can_use)
        self.roomy = functools.lru_cache(REMEMBERED)(self._roomy)

    # -- One step -----------------------------------------------------------------------------------------

    def judge(self, look: Look, is_empty: bool, pyramid: Pyramid, cell: Cell) -> Verdict:
        """Does the palace code allow this pyramid on this cell?"""
        if is_empty:
            return self.judge_first(cell)
        stack = look(cell)
        if stack:
            return self.judge_stacking(pyramid, stack[-1])
        return self.judge_new_stack(look, pyramid, cell)

    def judge_first(self, cell: Cell) -> Verdict:
        """IP-31 says nothing of how the palace begins."""
        if not self.begins:
            return breaks("IP-31", "there is no stack that a first one could be beside")
        return LEGAL if cell == ORIGIN else breaks("IP-19", "the first pyramid stands on 0,0")

    def judge_stacking(self, pyramid: Pyramid, top: Pyramid) -> Verdict:
        """IP-30: only smaller pyramids cover one."""
        if pyramid.pips >= top.pips:
            return breaks("IP-30", "a pyramid is covered only by smaller ones")
        if self.same_colour and pyramid.colour != top.colour:
            return breaks("IP-30", "a pyramid is covered only by those of its colour")
        return LEGAL

    def judge_new_stack(self, look: Look, pyramid: Pyramid, cell: Cell) -> Verdict:
        """IP-31: beside a stack whose top has the same colour."""
        equal = [stack[-1].colour == pyramid.colour for stack in self.grid.stacks_beside(look, cell)]
        if not equal:
            if self.islands and any(look((cell[0] + dx, cell[1] + dy)) for dx, dy in NEAR):
                return LEGAL
            return breaks("IP-31", "no stack is beside the cell")
        if all(equal) if self.every else any(equal):
            return LEGAL
        return breaks("IP-31", "the top beside it has another colour")

    # -- All steps ----------------------------------------------------------------------------------------

    def cells(self, palace: Structure) -> list[Cell]:
        """Every cell on which something could be allowed, in board order."""
        if not (self.islands and palace):
            return self.grid.frontier(palace)
        return sorted({(x + dx, y + dy) for (x, y), _ in palace for dx, dy in NEAR}, key=board_order)

    def steps(self, palace: Structure, left: Stack) -> Iterator[tuple[Pyramid, Cell]]:
        """The steps that the palace code allows, each different pyramid in turn."""
        cells = self.cells(palace)
        for pyramid in dict.fromkeys(left):
            for cell in cells:
                if self.judge(palace.at, not palace, pyramid, cell).legal:
                    yield pyramid, cell

    # -- IP-34: the greatest possible number ---------------------------------------------------------------

    def greatest_number(self, palace: Structure, left: Stack) -> int:
        """How many of the pyramids left can be used, over all orders and cells."""
        return next(n for n in range(self.bound(palace, left), -1, -1) if self.can_use(palace, left, n))

    def _can_use(self, palace: Structure, left: Stack, number: int) -> bool:
        """Can this many of the remaining pyramids be used?"""
        if self.bound(palace, left) < number:
            return False
        if number == 0 or self.islands:  # a pyramid can always begin a stack apart
            return True
        return any(
            self.can_use(palace.put(pyramid, cell), without(left, pyramid), number - 1)
            for pyramid, cell in self.steps(palace, left)
        )

    def bound(self, palace: Structure, left: Stack) -> int:
        """Never less than the greatest number."""
        if self.islands:
            return len(left)
        if not palace:
            firsts = dict.fromkeys(left) if self.begins else ()
            return max((1 + self.roomy(((*q, True),), without(left, q)) for q in firsts), default=0)
        return self.roomy(self._tops(palace, len(left)), left)

    def _tops(self, palace: Structure, most: int) -> tuple[Top, ...]:
        """The tops of a palace, no more of a kind than could matter."""
        kinds: Counter[Top] = Counter()
        for cell, stack in palace:
            has_room = any(not palace.at(near) for near in self.grid.beside(cell))
            kinds[(*stack[-1], has_room)] += 1
        return tuple(sorted(top for top, count in kinds.items() for _ in range(min(count, most))))

    def _roomy(self, tops: tuple[Top, ...], left: Stack) -> int:
        """The greatest number if tops with room beside them never lose it, and new stacks have room, too.

        Then a pyramid whose colour has room is best put there at once: that takes away nothing.
        """
        colours = {colour for colour, _, has_room in tops if has_room}
        for pyramid in left:
            if pyramid.colour in colours:
                return 1 + self.roomy(_with(tops, (*pyramid, True)), without(left, pyramid))
        best = 0
        for pyramid in dict.fromkeys(left):
            for top in self._coverable(tops, pyramid):
                covered = _with(without(tops, top), (*pyramid, top[2]))
                best = max(best, 1 + self.roomy(covered, without(left, pyramid)))
                if best == len(left):
                    return best
        return best

    def _coverable(self, tops: Iterable[Top], pyramid: Pyramid) -> Iterator[Top]:
        for top in dict.fromkeys(tops):
            if top[1] > SMALL and self.judge_stacking(pyramid, Pyramid(*top[:2])).legal:
                yield top


def _with(tops: tuple[Top, ...], top: Top) -> tuple[Top, ...]:
    return tuple(sorted((*tops, top)))
