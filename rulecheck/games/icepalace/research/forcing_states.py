"""Ice Palace: rounds reduced to what can matter to play, for the search in `forcing`.

A state keeps only what can matter later of each stack: the colours that may begin beside it (of those still held), and
what may go on it. States are equal up to turns, mirrors and shifts. Where the pyramids held are too few to take the
last empty cell beside any stack, neither the cells nor their arrangement matter.

Nothing here is trusted: `forcing_check` plays the results on the engine, and would reject a mistake made here.

Glossary: a *code* is what is kept of a stack, `mask << 4 | pips << 2 | black << 1 | closed`, where `mask` has a bit for
each colour that may begin beside it, `black` says that nothing goes on it, and a `closed` stack has no empty cell
beside it; a *cell* is one number, `x * WIDE + y`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rulecheck.games.icepalace import BLACK, WHITE, Params
from rulecheck.model import Readings
from rulecheck.pyramids import LARGE, Pyramid, Stack

WIDE = 1 << 12  # cells in a row, more than a round can reach from any cell that the notation has
SIDES = ((0, -1), (-1, 0), (1, 0), (0, 1))
CORNERS = ((-1, -1), (1, -1), (-1, 1), (1, 1))
DEAD = LARGE << 2 | 1  # a stack beside and on which nothing can be placed any more

Code = int
Stacks = dict[int, Code]
Hand = tuple[int, ...]  # pyramids as `colour * 4 + pips`, sorted
Key = tuple[object, ...]


class State(NamedTuple):
    """`mover` is a seat, the forcer's being 0; `ahead` says that the forcer placed last."""

    stacks: Stacks
    hands: tuple[Hand, ...]
    mover: int
    ahead: bool


class Rules:
    """The worksite code on codes."""

    def __init__(self, params: Params, readings: Readings) -> None:
        self.params, self.readings = params, readings
        self.number = {colour: n for n, colour in enumerate(params.colours)}
        self.black, self.white = self.number[BLACK], self.number[WHITE]
        players = sum(1 << self.number[c] for c in params.letters)
        white = 1 << self.white
        self.matching = [(1 << self.number[c]) | white for c in params.letters] + [0, 0]
        self.matching[self.white] = players | (white if readings["white_white"] == "match" else 0)
        barred = {"any_colour": (), "player_and_white": (self.black,), "player_colours": (self.black, self.white)}
        self.unstacked = barred[readings["stacking"]]
        self.bare_black = readings["onto_black"] == "no"
        self.match, self.some = readings["match"], readings["adjacent"] == "some_neighbour"
        steps = SIDES + (CORNERS if readings["grid"] == "king" else ())
        self.steps = tuple(dx * WIDE + dy for dx, dy in steps)
        self._shapes: dict[tuple[int, ...], tuple[int, ...]] = {}  # by where a worksite lies, how it lies best
        self.must_open = readings["opening"] == "must_place"

    def pyramid(self, pyramid: Pyramid) -> int:
        return self.number[pyramid.colour] * 4 + pyramid.pips

    def new(self, piece: int) -> Code:
        """A stack of one pyramid."""
        colour, pips = piece >> 2, piece & 3
        return self.matching[colour] << 4 | pips << 2 | (self.bare_black and colour == self.black) << 1

    def on(self, code: Code, piece: int) -> Code:
        """The stack with one more pyramid."""
        new, old = self.new(piece), code >> 4
        if self.match == "top" or code & 1:
            mask = new >> 4
        elif self.match == "base":
            mask = old
        else:
            mask = old | new >> 4 if self.match == "any" else old & new >> 4
        return (0 if code & 1 else mask << 4) | (new & 14) | (code & 1)

    def code(self, stack: Stack) -> Code:
        code = self.new(self.pyramid(stack[0]))
        for pyramid in stack[1:]:
            code = self.on(code, self.pyramid(pyramid))
        return code

    def goes_on(self, piece: int, code: Code) -> bool:
        return piece & 3 > code >> 2 & 3 and not code & 2 and piece >> 2 not in self.unstacked

    def beside(self, stacks: Stacks) -> dict[int, int]:
        """For each empty cell beside a stack, the colours that may begin there."""
        open_to: dict[int, int] = {}
        for cell, code in stacks.items():
            mask = code >> 4
            for step in self.steps:
                near = cell + step
                if near not in stacks:
                    old = open_to.get(near)
                    open_to[near] = mask if old is None else (old | mask if self.some else old & mask)
        return open_to

    def placements(self, stacks: Stacks, hand: Hand) -> Iterator[tuple[int, int]]:
        """The legal placements, stacking first."""
        kinds = sorted(set(hand), reverse=True)
        if not stacks:
            yield from ((piece, 0) for piece in kinds)
            return
        for piece in kinds:
            for cell, code in stacks.items():
                if self.goes_on(piece, code):
                    yield piece, cell
        empty = self.beside(stacks)
        for piece in kinds:
            bit = 1 << (piece >> 2)
            for cell, mask in empty.items():
                if mask & bit:
                    yield piece, cell

    def put(self, stacks: Stacks, piece: int, cell: int) -> Stacks:
        after = dict(stacks)
        after[cell] = self.on(after[cell], piece) if cell in after else self.new(piece)
        return after

    # -- What can matter later ------------------------------------------------------------------------------

    def trimmed(self, stacks: Stacks, hands: tuple[Hand, ...]) -> tuple[Stacks, tuple[Hand, ...]]:
        """The state without pyramids that can never be placed and features of stacks that nobody can use."""
        if not stacks:
            return stacks, hands
        hands = tuple(tuple(q for q in hand if self._is_of_use(q)) for hand in hands)
        live, largest = 0, 0
        for hand in hands:
            for piece in hand:
                live |= 1 << (piece >> 2)
                if piece >> 2 not in self.unstacked:
                    largest = max(largest, piece & 3)
        trimmed = {}
        for cell, code in stacks.items():
            closed = code & 1 or all(cell + step in stacks for step in self.steps)
            mask = 0 if closed else (code >> 4) & live
            pips, black = code >> 2 & 3, code & 2
            if pips >= largest or black:  # nothing goes on it any more
                trimmed[cell] = mask << 4 | LARGE << 2 if mask else DEAD
            else:
                trimmed[cell] = mask << 4 | pips << 2 | closed
        return trimmed, hands

    def _is_of_use(self, piece: int) -> bool:
        """After the opening: a black pyramid matches nothing, so it must be stacked, and a small one cannot be."""
        return piece >> 2 != self.black or (piece & 3 > 1 and self.black not in self.unstacked)

    def key(self, state: State) -> Key:
        """Equal for states that differ only in where they lie."""
        stacks = state.stacks
        if not stacks:
            return state.hands, state.mover
        roomy = self.some and self._is_roomy(state)
        shape = tuple(sorted(code for code in stacks.values() if code != DEAD)) if roomy else self._shape(stacks)
        return roomy, shape, state.hands, state.mover, state.ahead

    def _is_roomy(self, state: State) -> bool:
        """Too few pyramids are held to take the last empty cell beside any stack, now or later.

        A stack that stands loses a cell to each of the pyramids that may begin a stack, at most; one that begins later,
        to all of them but itself.
        """
        starters = sum(piece >> 2 != self.black for hand in state.hands for piece in hand)
        if starters >= len(self.steps):
            return False
        stacks, reached = state.stacks, [cell for cell, code in state.stacks.items() if not code & 1]
        for later in range(starters):  # stacks that stand, then those that began beside them, and so on
            empty = [[cell + step for step in self.steps if cell + step not in stacks] for cell in reached]
            if any(len(cells) < starters - (later > 0) for cells in empty):
                return False
            reached = list({cell for cells in empty for cell in cells})
        return True

    def _shape(self, stacks: Stacks) -> tuple[int, ...]:
        """The least of the eight images."""
        half = WIDE // 2
        spots = [(*divmod(cell + half, WIDE), code) for cell, code in stacks.items()]
        east, north = [x for x, _, _ in spots], [y for _, y, _ in spots]
        left, right, low, high = min(east), max(east), min(north), max(north)
        place = tuple(sorted(((x - left) * WIDE + y - low) << 20 | code for x, y, code in spots))
        shape = self._shapes.get(place)
        if shape is None:
            near = [((x - left, right - x), (y - low, high - y), code) for x, y, code in spots]
            shape = self._shapes[place] = min(
                tuple(sorted([(first[i] * WIDE + second[j]) << 20 | code for first, second, code in way]))
                for way in (near, [(y, x, code) for x, y, code in near])
                for i in (0, 1)
                for j in (0, 1)
            )
        return shape
