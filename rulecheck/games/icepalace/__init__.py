"""Ice Palace: cells, structures, positions, moves and parameters; no rules.

Players are A to F, in the order of their turns; K is black, W is white. Worksite and palace each stand on a square
unbounded grid: a cell is (x, y), x to the east and y to the north, and the first pyramid of a structure stands
on 0,0. Board order is row by row from the south, each row from west to east, the worksite before the palace.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from rulecheck import notation
from rulecheck.model import InputError
from rulecheck.notation import Line, NotationError, Token, quoted
from rulecheck.pyramids import LARGE, MEDIUM, SIZE_NAMES, SMALL, Pyramid, Stack, stack_text
from rulecheck.registry import Game
from rulecheck.rulebook import check_known

SIZES = (SMALL, MEDIUM, LARGE)
BLACK, WHITE = "K", "W"
NOBODY = "-"  # stands for the player to move while chance draws, and when the game is over
WORKSITE, PALACE = "w", "p"
KEYS = ("hands", "bag", "marker", "passes", "left")

Cell = tuple[int, int]
Triple = tuple[int, int, int]  # how many small, medium and large pyramids
ORIGIN: Cell = (0, 0)


@dataclass(frozen=True)
class Params:
    """`stash`, `black` and `white` are numbers of each size in a colour, `hand` that of each size in a full hand."""

    players: int = 3
    stash: int = 5
    hand: int = 2
    black: int = 5
    white: int = 5
    sizes: tuple[int, ...] = SIZES

    @property
    def letters(self) -> tuple[str, ...]:
        """The players in the order of their turns."""
        return tuple("ABCDEF"[: self.players])

    @property
    def colours(self) -> tuple[str, ...]:
        return (*self.letters, BLACK, WHITE)

    def count(self, colour: str) -> int:
        """How many pyramids of each size there are in this colour."""
        return {BLACK: self.black, WHITE: self.white}.get(colour, self.stash)

    @property
    def material(self) -> Counter[Pyramid]:
        return Counter({Pyramid(c, s): self.count(c) for c in self.colours for s in self.sizes if self.count(c)})

    def as_dict(self) -> dict[str, str]:
        return {
            "players": str(self.players),
            "stash": str(self.stash),
            "hand": str(self.hand),
            "black": str(self.black),
            "white": str(self.white),
            "sizes": "".join(map(str, self.sizes)),
        }


def read_params(given: Mapping[str, str]) -> Params:
    for name in given:
        check_known("parameter", name, Params().as_dict())
    stash = _number(given, "stash", 5, 1, 9)
    sizes = given.get("sizes", "123")
    if not re.fullmatch("1?2?3?", sizes) or not sizes:
        raise InputError(f"parameter sizes wants some of the pips 123 in rising order, found {sizes!r}")
    params = Params(
        _number(given, "players", 3, 3, 6),
        stash,
        _number(given, "hand", 2, 1, 9),
        _number(given, "black", stash, 0, 9),
        _number(given, "white", stash, 0, 9),
        tuple(map(int, sizes)),
    )
    wanted, available = params.players * params.hand, params.players * stash + params.black + params.white
    if wanted > available:
        raise InputError(f"full hands take {wanted} pyramids of each size, and this game has only {available}")
    return params


def _number(given: Mapping[str, str], name: str, default: int, low: int, high: int) -> int:
    text = given.get(name, str(default))
    if text not in map(str, range(low, high + 1)):
        raise InputError(f"parameter {name} wants a whole number from {low} to {high}, found {text!r}")
    return int(text)


# -- Structures ----------------------------------------------------------------------------------------------


def board_order(cell: Cell) -> tuple[int, int]:
    return cell[1], cell[0]


def cell_text(cell: Cell) -> str:
    return f"{cell[0]},{cell[1]}"


@dataclass(frozen=True)
class Structure:
    """Worksite or palace: (cell, stack) in board order, each stack bottom first and not empty."""

    stacks: tuple[tuple[Cell, Stack], ...] = ()

    @classmethod
    def of(cls, stacks: Mapping[Cell, Stack]) -> Structure:
        return cls(tuple(sorted(stacks.items(), key=lambda item: board_order(item[0]))))

    @functools.cached_property
    def by_cell(self) -> Mapping[Cell, Stack]:
        return dict(self.stacks)

    def __bool__(self) -> bool:
        return bool(self.stacks)

    def __iter__(self) -> Iterator[tuple[Cell, Stack]]:
        return iter(self.stacks)

    def at(self, cell: Cell) -> Stack:
        """What stands on a cell; nothing is the empty stack."""
        return self.by_cell.get(cell, ())

    def put(self, pyramid: Pyramid, cell: Cell) -> Structure:
        """The same with one pyramid more, on top of what stands on the cell."""
        return Structure.of({**self.by_cell, cell: self.at(cell) + (pyramid,)})

    @property
    def pyramids(self) -> Stack:
        return tuple(pyramid for _, stack in self.stacks for pyramid in stack)

    def shifted(self) -> Structure:
        """Moved along the grid so that the first cell in board order is 0,0: equal for all translations."""
        if not self.stacks:
            return self
        (x, y), _ = self.stacks[0]
        return Structure(tuple(((cx - x, cy - y), stack) for (cx, cy), stack in self.stacks))

    def images(self) -> Iterator[Structure]:
        """Turned and mirrored in all eight ways, each moved to its place; a single stack looks the same in all."""
        for turn in TURNS if len(self.stacks) > 1 else TURNS[:1]:
            yield Structure.of({turn(x, y): stack for (x, y), stack in self.stacks}).shifted()


TURNS: tuple[Callable[[int, int], Cell], ...] = (
    lambda x, y: (x, y),
    lambda x, y: (-x, y),
    lambda x, y: (x, -y),
    lambda x, y: (-x, -y),
    lambda x, y: (y, x),
    lambda x, y: (-y, x),
    lambda x, y: (y, -x),
    lambda x, y: (-y, -x),
)


# -- Positions and moves -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Position:
    """`hands[i]` is what player i holds, sorted; `bag[i]` counts what is left of colour i of `Params.colours`.

    `passes` counts the passes in a row up to now; so while the worksite stands, the player who placed last is
    the one that many seats and one more before the mover. `marker` is None until the first player is drawn.
    `left` is what the mover still has to build with, sorted; it is empty outside of building.
    """

    mover: str
    worksite: Structure
    palace: Structure
    hands: tuple[Stack, ...]
    bag: tuple[Triple, ...]
    marker: str | None
    passes: int = 0
    left: Stack = ()

    def __str__(self) -> str:
        places = [
            (site + cell_text(cell), stack)
            for site, structure in ((WORKSITE, self.worksite), (PALACE, self.palace))
            for cell, stack in structure
        ]
        keys = [
            ("hands", "/".join(stack_text(hand) or "-" for hand in self.hands)),
            ("bag", "/".join("".join(map(str, triple)) for triple in self.bag)),
            ("marker", self.marker),
            ("passes", self.passes or None),
            ("left", stack_text(self.left) or None),
        ]
        return notation.print_position(self.mover, places, keys)

    def shifted(self) -> Position:
        """The same for all positions that differ only by where their structures stand on the grid."""
        return replace(self, worksite=self.worksite.shifted(), palace=self.palace.shifted())

    def turned(self) -> Position:
        """The same for all positions that differ only by where and which way round their structures stand."""
        worksite, palace = (min(s.images(), key=lambda i: i.stacks) for s in (self.worksite, self.palace))
        return replace(self, worksite=worksite, palace=palace)


class Move(NamedTuple):
    """A pyramid put on a cell of the worksite or the palace; nothing put there is a pass or the end of building."""

    pyramid: Pyramid | None
    site: str
    cell: Cell = ORIGIN

    def __str__(self) -> str:
        if self.pyramid is None:
            return "pass" if self.site == WORKSITE else "done"
        return f"{self.pyramid}@{self.site}{cell_text(self.cell)}"


PASS = Move(None, WORKSITE)
DONE = Move(None, PALACE)


def read_move(params: Params, text: str) -> Move:
    if text in ("pass", "done"):
        return PASS if text == "pass" else DONE
    token, *rest = notation.tokens(text)
    if rest:
        raise NotationError(rest[0].column, f"expected one move, found {quoted(rest[0].text)} after it")
    piece, at, place = token.text.partition("@")
    if not at:
        raise NotationError(1, f"expected PYRAMID@CELL, pass or done, found {quoted(text)}")
    (pyramid, *more) = notation.read_stack(Token(piece, 1), 0, params.colours)
    if more:
        raise NotationError(3, f"expected one pyramid, found {quoted(piece)}")
    return Move(pyramid, place[:1], _cell(Token(place, len(piece) + 2)))


def _cell(token: Token) -> Cell:
    matched = re.fullmatch("[wp](0|-?[1-9][0-9]{0,2}),(0|-?[1-9][0-9]{0,2})", token.text)
    if not matched:
        problem = f"expected a cell of the worksite or palace (w1,0 or p-2,3), found {quoted(token.text)}"
        raise NotationError(token.column, problem)
    return int(matched[1]), int(matched[2])


# -- Reading a position --------------------------------------------------------------------------------------


def read_position(params: Params, text: str) -> Position:
    names: dict[str, Cell] = {}
    for token in notation.tokens(text)[1:]:
        if ":" in token.text and "=" not in token.text:
            name = token.text.partition(":")[0]
            names[name] = _cell(Token(name, token.column))
    places = sorted(names, key=lambda name: (name[0] == PALACE, board_order(names[name])))
    line = notation.read_position(
        text, players=(*params.letters, NOBODY), colours=params.colours, places=places, keys=KEYS
    )
    for key in ("hands", "bag"):
        if key not in line.keys:
            raise NotationError(len(text) + 1, f"the position lacks {key}=")
    worksite, palace = (
        Structure.of({names[n]: s for n, s in line.stacks.items() if n[0] == site}) for site in (WORKSITE, PALACE)
    )
    for name, stack in line.stacks.items():
        _check_stack(name, stack, line.columns[name] + len(name) + 1)
    for site, structure in ((WORKSITE, worksite), (PALACE, palace)):
        _check_whole(line, site, structure)
    position = Position(
        line.mover,
        worksite,
        palace,
        _read_hands(params, line.keys["hands"]),
        _read_bag(params, line.keys["bag"]),
        _read_marker(params, line),
        notation.read_number(line.keys["passes"], 1, params.players - 1, "passes") if "passes" in line.keys else 0,
        _read_left(params, line.keys["left"]) if "left" in line.keys else (),
    )
    _check_material(params, line, position)
    _check_turn(params, line, position, len(text) + 1)
    return position


def _check_stack(name: str, stack: Stack, column: int) -> None:
    """Under every reading worksite stacks grow and palace stacks shrink upwards, and the palace has no K and no W."""
    palace = name[0] == PALACE
    for level, pyramid in enumerate(stack):
        if palace and pyramid.colour in (BLACK, WHITE):
            raise NotationError(column + 2 * level, f"{pyramid} cannot stand in the palace")
        under = stack[level - 1] if level else None
        if under and (under.pips <= pyramid.pips if palace else under.pips >= pyramid.pips):
            problem = "larger" if palace else "smaller"
            raise NotationError(
                column + 2 * level, f"{pyramid} cannot stand on {under} of {name}, which is not {problem}"
            )


def _check_whole(line: Line, site: str, structure: Structure) -> None:
    """Under no reading is a stack more than one cell apart on the worksite, or two in the palace."""
    if not structure:
        return
    cells, title = [cell for cell, _ in structure], "worksite" if site == WORKSITE else "palace"
    if ORIGIN not in cells:
        first = line.columns[site + cell_text(cells[0])]
        raise NotationError(first, f"the first pyramid of the {title} stands on {site}0,0, which is empty here")
    reach, joined = 1 if site == WORKSITE else 2, [ORIGIN]
    for x, y in joined:
        joined += [c for c in cells if max(abs(c[0] - x), abs(c[1] - y)) <= reach and c not in joined]
    for cell in cells:
        if cell not in joined:
            name = site + cell_text(cell)
            raise NotationError(line.columns[name], f"the stack on {name} does not hang together with the {title}")


def _read_hands(params: Params, token: Token) -> tuple[Stack, ...]:
    texts, hands, column = token.text.split("/"), [], token.column
    if len(texts) != params.players:
        problem = f"expected {params.players} hands separated by '/', '-' for an empty one, found {quoted(token.text)}"
        raise NotationError(token.column, problem)
    for letter, text in zip(params.letters, texts, strict=True):
        hand = () if text == "-" else _read_sorted(params, Token(text, column), "a hand")
        for size, count in Counter(pyramid.pips for pyramid in hand).items():
            if count > params.hand:
                problem = f"{letter} holds {count} {SIZE_NAMES[size]} pyramids, a full hand has {params.hand}"
                raise NotationError(column, problem)
        hands.append(hand)
        column += len(text) + 1
    return tuple(hands)


def _read_sorted(params: Params, token: Token, what: str) -> Stack:
    stack = notation.read_stack(token, 0, params.colours)
    if list(stack) != sorted(stack):
        problem = f"expected {what} in order, {stack_text(tuple(sorted(stack)))}, found {quoted(token.text)}"
        raise NotationError(token.column, problem)
    return stack


def _read_left(params: Params, token: Token) -> Stack:
    left = _read_sorted(params, token, "what is left to build")
    for level, pyramid in enumerate(left):
        if pyramid.colour in (BLACK, WHITE):
            raise NotationError(token.column + 2 * level, f"{pyramid} is not built with, it leaves the game")
    return left


def _read_bag(params: Params, token: Token) -> tuple[Triple, ...]:
    shape = "/".join(["[0-9]{3}"] * len(params.colours))
    if not re.fullmatch(shape, token.text):
        wanted = "/".join(f"{c}{c}{c}" for c in params.colours)
        problem = f"expected the bag as {wanted}, digits for small, medium and large, found {quoted(token.text)}"
        raise NotationError(token.column, problem)
    return tuple((int(t[0]), int(t[1]), int(t[2])) for t in token.text.split("/"))


def _read_marker(params: Params, line: Line) -> str | None:
    token = line.keys.get("marker")
    if token is not None and token.text not in params.letters:
        expected = " or ".join(params.letters)
        raise NotationError(token.column, f"expected who has the marker ({expected}), found {quoted(token.text)}")
    return None if token is None else token.text


def _check_material(params: Params, line: Line, position: Position) -> None:
    """No pyramid stands, is held or lies in the bag more often than it exists; fewer may be left in the game."""
    present = Counter(position.worksite.pyramids + position.palace.pyramids + position.left)
    for hand in position.hands:
        present.update(hand)
    for colour, triple in zip(params.colours, position.bag, strict=True):
        present.update({Pyramid(colour, size): count for size, count in zip(SIZES, triple, strict=True)})
    for pyramid, count in sorted(present.items()):
        most = params.material[pyramid]
        if count > most:
            has = f"this game has {most}" if most else "this game has none"
            raise NotationError(line.keys["bag"].column, f"{pyramid} is there {count} times in all, {has}")


def _missing(params: Params, position: Position) -> Iterator[tuple[int, int, int]]:
    """Whose hand (by number) lacks pyramids of which size, and how many, in the order in which they are drawn."""
    for player, hand in enumerate(position.hands):
        held = Counter(pyramid.pips for pyramid in hand)
        yield from ((player, size, params.hand - held[size]) for size in params.sizes if held[size] < params.hand)


def _in_bag(position: Position, size: int) -> int:
    return sum(triple[size - 1] for triple in position.bag)


def _check_turn(params: Params, line: Line, position: Position, end: int) -> None:
    """Refuse keys that contradict each other, whatever the readings."""
    idle = not position.worksite and not position.left
    if position.left and (position.worksite or position.passes):
        other = "no worksite stands" if position.worksite else "nobody passes"
        raise NotationError(line.keys["left"].column, f"left= is said of building, when {other}")
    if position.mover == NOBODY:
        if not idle or position.passes:
            raise NotationError(1, "somebody is to move while the worksite stands, players pass or the palace is built")
    elif position.marker is None:
        raise NotationError(end, "marker= is missing; only the choice of the first player comes before it")
    if position.marker is None:
        _check_start(params, line, position)
    elif idle:
        _check_idle(params, position)


def _check_start(params: Params, line: Line, position: Position) -> None:
    own = tuple(tuple(Pyramid(c, s) for s in params.sizes) for c in params.letters)
    if position.palace or position.hands != own:
        problem = "before the first player is chosen all hold one own pyramid of each size and nothing is built"
        raise NotationError(line.keys["hands"].column, problem)


def _check_idle(params: Params, position: Position) -> None:
    """Between rounds hands are filled as far as the bag allows; then the player after this many passes is to move."""
    lacking = [(player, size) for player, size, _ in _missing(params, position)]
    drawable = [(player, size) for player, size in lacking if _in_bag(position, size)]
    if position.mover == NOBODY:
        if not lacking:
            raise NotationError(1, "all hands are full, so somebody is to move")
        return
    if drawable:
        player, size = drawable[0]
        raise NotationError(
            1, f"nobody is to move before {params.letters[player]} has drawn a {SIZE_NAMES[size]} pyramid"
        )
    turn = params.letters[(params.letters.index(position.marker or "A") + position.passes) % params.players]
    if turn != position.mover:
        problem = f"{position.marker} has the marker, so after {position.passes} passes {turn} is to move"
        raise NotationError(1, f"{problem}, not {position.mover}")


GAME = Game(
    slug="icepalace",
    title="Ice Palace",
    rulebook_file="specs.icepalace:rulebook.toml",
    engine_name="rulecheck.games.icepalace.engine:Engine",
    spec_name="specs.icepalace.spec:Spec",
    hints_name="rulecheck.games.icepalace.hints:IcePalaceHints",
    mutants_file="specs.icepalace:mutants.toml",
    counts_file="specs.icepalace:counts.perft",
    letter_file="specs.icepalace:letter.toml",
    render_name="rulecheck.games.icepalace.drawing:DRAWER",
    params=read_params,
    read_position=read_position,
    read_move=read_move,
)
