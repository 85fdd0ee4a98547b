"""Icehouse: parameters, positions and events read from text, and what no table can show refused.

The things themselves are in `rulecheck.games.icehouse.pieces`.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, pairwise

from rulecheck import notation
from rulecheck.games.icehouse.pieces import (
    BASE,
    EAST,
    EVERYBODY,
    HEIGHT,
    SIZES,
    TIME,
    Call,
    Capture,
    Crash,
    Event,
    Gift,
    Lift,
    Melt,
    Params,
    Piece,
    Place,
    Point,
    Polygon,
    Position,
    Rectangle,
    Return,
)
from rulecheck.model import InputError
from rulecheck.notation import NotationError, Token, quoted
from rulecheck.pyramids import SIZE_NAMES, Pyramid, Stack, stack_text
from rulecheck.registry import Game
from rulecheck.rulebook import check_known

MOST_DIGITS = 12
VERBS = ("lifts", "returns", "captures", "calls", "crashes", "melts")
KEYS = ("hands", "prisoners", "iced", "lost", "over")
PIECE = re.compile(r"([A-Z])([0-9])@([^,>^:!]*),([^,>^:!]*)(?:([>^])([^,>^:!]*),([^,>^:!]*))?(?::([A-Z]))?(!?)")
FRACTION = re.compile(r"(-?)([0-9]+)(?:/([0-9]+))?")

# -- Parameters ---------------------------------------------------------------------------------------------


def read_params(given: Mapping[str, str]) -> Params:
    for name in given:
        check_known("parameter", name, Params().as_dict())
    players = _number(given, "players", 4, 2, 5)
    pieces = given.get("pieces", "5,5,5")
    if not re.fullmatch("[0-9](,[0-9]){2}", pieces) or pieces == "0,0,0":
        raise InputError(
            f"parameter pieces wants the numbers of small, medium and large pieces as in 5,5,5, found {quoted(pieces)}"
        )
    table = _read_table(given.get("table", "none"))
    small, medium, large = map(int, pieces.split(","))
    pads = _read_pads(given.get("pads", "none"), players, table)
    return Params(players, (small, medium, large), _number(given, "limit", 8, 0, 99), table, pads)


def _number(given: Mapping[str, str], name: str, default: int, low: int, high: int) -> int:
    text = given.get(name, str(default))
    if not re.fullmatch("0|[1-9][0-9]?", text) or not low <= int(text) <= high:
        raise InputError(f"parameter {name} wants a whole number from {low} to {high}, found {quoted(text)}")
    return int(text)


def _read_table(text: str) -> Rectangle | None:
    if text == "none":
        return None
    if not re.fullmatch("[1-9][0-9]{0,4}x[1-9][0-9]{0,4}", text):
        raise InputError(f"parameter table wants WIDTHxHEIGHT as in 960x720, or none, found {quoted(text)}")
    width, height = map(int, text.split("x"))
    return Rectangle(0, 0, width, height)


def _read_pads(text: str, players: int, table: Rectangle | None) -> tuple[Rectangle, ...]:
    if text == "none":
        return ()
    number = "(?:0|-?[1-9][0-9]{0,4})"
    texts = text.split("/")
    if len(texts) != players or not all(re.fullmatch(f"{number}(,{number}){{3}}", t) for t in texts):
        raise InputError(
            f"parameter pads wants {players} rectangles LEFT,BOTTOM,RIGHT,TOP separated by '/', or none, "
            f"found {quoted(text)}"
        )
    pads = tuple(Rectangle(*map(int, t.split(","))) for t in texts)
    for pad in pads:
        if pad.left >= pad.right or pad.bottom >= pad.top:
            raise InputError(f"the pad {pad} is no rectangle: LEFT is less than RIGHT and BOTTOM less than TOP")
        if table is not None and not all(map(table.holds, pad.corners)):
            raise InputError(f"the pad {pad} does not lie on the table")
    for one, other in combinations(pads, 2):
        if common_area(one.corners, other.corners):
            raise InputError(f"the pads {one} and {other} overlap")
    return pads


# -- Events ------------------------------------------------------------------------------------------------


def read_move(params: Params, text: str) -> Event:
    first, *more = notation.tokens(text)
    if "@" in first.text:
        _no_more(more)
        piece = _read_piece(params, first)
        if piece.marked:
            raise NotationError(len(first.text), "a piece has no mark '!' when it is placed")
        return Place(piece)
    if first.text == "time":
        _no_more(more)
        return TIME
    player = _read_player(params, first)
    if not more or more[0].text not in VERBS:
        at = more[0] if more else Token("", len(text) + 1)
        raise NotationError(at.column, f"expected one of {', '.join(VERBS)}, found {quoted(at.text)}")
    verb, *rest = more
    return _read_act(params, player, verb, rest, len(text) + 1)


def _read_act(params: Params, player: str, verb: Token, rest: list[Token], end: int) -> Event:
    if verb.text in ("returns", "melts"):
        _no_more(rest)
        return Return(player) if verb.text == "returns" else Melt(player)
    if verb.text == "calls" and not rest:
        return Call(player)
    if not rest:
        wanted = {"lifts": "a piece", "captures": "a number"}.get(verb.text, "PIECE>PLAYER")
        raise NotationError(end, f"expected {wanted} after {verb.text!r}")
    _no_more(rest[1:])
    if verb.text == "lifts":
        return Lift(player, _read_pyramid(params, rest[0]))
    if verb.text == "captures":
        return Capture(player, notation.read_number(rest[0], 1, 999, "the number of a piece"))
    gift = _read_gift(params, rest[0])
    return Call(player, gift) if verb.text == "calls" else Crash(player, gift)


def _no_more(rest: Sequence[Token]) -> None:
    if rest:
        raise NotationError(rest[0].column, f"expected the end of the event, found {quoted(rest[0].text)}")


def _read_player(params: Params, token: Token) -> str:
    if token.text not in params.colours:
        wanted = f"a player ({', '.join(params.colours)})"
        raise NotationError(token.column, f"expected a piece, {wanted} or 'time', found {quoted(token.text)}")
    return token.text


def _read_pyramid(params: Params, token: Token) -> Pyramid:
    stack = notation.read_stack(token, 0, params.colours)
    if len(stack) > 1:
        raise NotationError(token.column + 2, f"expected one piece, found {quoted(token.text)}")
    return stack[0]


def _read_gift(params: Params, token: Token) -> Gift:
    piece, arrow, to = token.text.partition(">")
    if not arrow:
        raise NotationError(token.column, f"expected PIECE>PLAYER, found {quoted(token.text)}")
    pyramid = _read_pyramid(params, Token(piece, token.column))
    return Gift(pyramid, _read_player(params, Token(to, token.column + len(piece) + 1)))


def _read_piece(params: Params, token: Token) -> Piece:
    match = PIECE.fullmatch(token.text)
    if not match:
        shapes = "A3@x,y or A3@x,y^dx,dy standing, A3@x,y>dx,dy lying"
        raise NotationError(token.column, f"expected a piece, {shapes}, found {quoted(token.text)}")
    colour, pips, _, _, pose, _, _, placer, mark = match.groups()
    for letter, group in ((colour, 1), (placer, 8)):
        if letter is not None and letter not in params.colours:
            known = ", ".join(params.colours)
            raise NotationError(
                token.column + match.start(group), f"unknown colour {letter!r}; expected one of: {known}"
            )
    if int(pips) not in SIZES:
        raise NotationError(token.column + 1, f"expected 1, 2 or 3 pips, found {pips!r}")
    if placer == colour:
        raise NotationError(token.column + match.start(8), f"':{placer}' is left out when the colour's owner placed it")
    x, y = (_read_fraction(match[g], token.column + match.start(g)) for g in (3, 4))
    if not pose:
        return Piece(colour, int(pips), False, (x, y), EAST, placer or colour, bool(mark))
    dx, dy = (_read_fraction(match[g], token.column + match.start(g)) for g in (6, 7))
    _check_direction((dx, dy), token.column + match.start(6), standing=pose == "^")
    return Piece(colour, int(pips), pose == ">", (x, y), (dx, dy), placer or colour, bool(mark))


def _read_fraction(text: str, column: int) -> Fraction:
    match = FRACTION.fullmatch(text)
    if not match:
        raise NotationError(column, f"expected a number as in 7, -7 or 7/2, found {quoted(text)}")
    if max(len(match[2]), len(match[3] or "")) > MOST_DIGITS:
        raise NotationError(column, f"numbers have at most {MOST_DIGITS} digits, found {quoted(text)}")
    if match[3] is not None and int(match[3]) == 0:
        raise NotationError(column, f"a fraction cannot have the denominator 0, found {quoted(text)}")
    fraction = Fraction(text)
    if str(fraction) != text:
        raise NotationError(column, f"expected {fraction}, in lowest terms, found {quoted(text)}")
    return fraction


def _check_direction(direction: Point, column: int, *, standing: bool) -> None:
    dx, dy = direction
    if dx * dx + dy * dy != 1:
        length = dx * dx + dy * dy
        raise NotationError(column, f"a direction has length 1, as in 3/5,4/5; the square of this length is {length}")
    if standing and not (dx > 0 and dy > 0):
        problem = "a square is turned by less than a quarter: both parts above 0, and left out if it is not turned"
        raise NotationError(column, problem)


# -- Positions ----------------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=20_000)
def _same(piece: Piece) -> Piece:
    """One object for equal pieces: what is remembered of them is then found without comparing their fractions."""
    return piece


def read_position(params: Params, text: str) -> Position:
    first, *rest = notation.tokens(text)
    if first.text != EVERYBODY:
        problem = f"expected {EVERYBODY!r}, as there is no player to move, found {quoted(first.text)}"
        raise NotationError(first.column, problem)
    placed = [token for token in rest if "=" not in token.text]
    keys = _read_keys(rest[len(placed) :], rest[: len(placed)])
    pieces = tuple(_same(_read_piece(params, token)) for token in placed)
    none: tuple[Stack, ...] = ((),) * params.players
    position = Position(
        pieces,
        _read_hands(params, keys["hands"]) if "hands" in keys else (None,) * params.players,
        _read_prisoners(params, keys["prisoners"]) if "prisoners" in keys else none,
        _read_letters(params, keys["iced"]) if "iced" in keys else (),
        _read_letters(params, keys["lost"]) if "lost" in keys else (),
        "over" in keys,
        params,
    )
    _check_pieces(position, placed)
    _check_numbers(position, placed, len(text) + 1)
    _check_keys(position, keys)
    return position


def _read_keys(tokens: Sequence[Token], before: Sequence[Token]) -> dict[str, Token]:
    """The key=value tokens, which stand behind the pieces, each key once and in order."""
    for token in before:
        if "=" in token.text:
            raise NotationError(token.column, f"pieces stand before the keys, found {quoted(token.text)}")
    keys: dict[str, Token] = {}
    for token in tokens:
        name, _, value = token.text.partition("=")
        if name not in KEYS:
            raise NotationError(token.column, f"unknown key {quoted(name)}; expected one of: {', '.join(KEYS)}")
        if name in keys:
            raise NotationError(token.column, f"key {name} stands twice")
        if keys and KEYS.index(name) < max(map(KEYS.index, keys)):
            raise NotationError(token.column, f"key {name} is out of order; the order is {', '.join(KEYS)}")
        keys[name] = Token(value, token.column + len(name) + 1)
    return keys


def _entries(params: Params, token: Token) -> Iterator[Token]:
    """One entry for each player, separated by `/`."""
    texts = token.text.split("/")
    if len(texts) != params.players:
        problem = f"expected {params.players} entries separated by '/', found {quoted(token.text)}"
        raise NotationError(token.column, problem)
    column = token.column
    for text in texts:
        yield Token(text, column)
        column += len(text) + 1


def _read_hands(params: Params, token: Token) -> tuple[Pyramid | None, ...]:
    hands = tuple(None if e.text == "-" else _read_pyramid(params, e) for e in _entries(params, token))
    if not any(hands):
        raise NotationError(token.column, "hands= is left out while all hands are empty")
    return hands


def _read_prisoners(params: Params, token: Token) -> tuple[Stack, ...]:
    prisoners: list[Stack] = []
    for player, entry in zip(params.colours, _entries(params, token), strict=True):
        stack = () if entry.text == "-" else notation.read_stack(entry, 0, params.colours)
        if any(p.colour == player for p in stack):
            raise NotationError(entry.column, f"pieces of {player} are no prisoners on the pad of {player}")
        if tuple(sorted(stack)) != stack:
            problem = f"prisoners stand by colour and size, expected {stack_text(tuple(sorted(stack)))}"
            raise NotationError(entry.column, problem)
        prisoners.append(stack)
    if not any(prisoners):
        raise NotationError(token.column, "prisoners= is left out while there are none")
    return tuple(prisoners)


def _read_letters(params: Params, token: Token) -> tuple[str, ...]:
    letters = tuple(token.text)
    if not letters or list(letters) != [c for c in params.colours if c in letters]:
        wanted = f"players of {''.join(params.colours)} in order, each once"
        raise NotationError(token.column, f"expected {wanted}, found {quoted(token.text)}")
    return letters


# -- What no table can show ---------------------------------------------------------------------------------


def _check_pieces(position: Position, placed: Sequence[Token]) -> None:
    """Every piece lies on the table, at least by its centroid, and no two share any area."""
    table, pieces = position.params.table, position.pieces
    for at, piece in enumerate(pieces):
        if table is not None and not table.holds(piece.centroid):
            raise NotationError(placed[at].column, f"{piece} is off the table")
        for other in pieces[:at]:
            if _overlap(piece, other):
                raise NotationError(placed[at].column, f"{piece} overlaps {other}")


def _check_numbers(position: Position, placed: Sequence[Token], end: int) -> None:
    """Nobody has more pieces than the game gives; the column is that of the piece too many, or the end of the line."""
    for colour in position.params.colours:
        for pyramid, left in position.own_left(colour).items():
            if left < 0:
                owned = position.params.pieces[pyramid.pips - 1]
                columns = [t.column for t, p in zip(placed, position.pieces, strict=True) if p.pyramid == pyramid]
                column = columns[owned] if len(columns) > owned else end
                size = SIZE_NAMES[pyramid.pips]
                problem = f"{colour} has {owned} {size} pieces, found {owned - left} on the table, in hands and on pads"
                raise NotationError(column, problem)


def _check_keys(position: Position, keys: Mapping[str, Token]) -> None:
    both = set(position.iced) & set(position.lost)
    if both:
        raise NotationError(keys["lost"].column, f"{min(both)} stands in iced= and in lost=; one of them is enough")
    if "over" not in keys:
        return
    if keys["over"].text != "yes":
        raise NotationError(keys["over"].column, f"expected yes, found {quoted(keys['over'].text)}")
    if any(position.hands):
        raise NotationError(keys["over"].column, "no hand holds a piece when the game is over")
    if not any(map(position.pad, position.params.colours)):
        raise NotationError(keys["over"].column, "over=yes is left out when all pads are empty: that ends the game")


def common_area(one: Polygon, other: Polygon) -> Fraction:
    """How much area two shapes share: one of them is cut along each side of the other, and what is left is measured."""
    left: Sequence[Point] = one
    for (ax, ay), (bx, by) in pairwise((*other, other[0])):
        sides = [((bx - ax) * (y - ay) - (by - ay) * (x - ax), (x, y)) for x, y in left]
        left = list(_cut(sides))
        if len(left) < 3:
            return Fraction(0)
    around = pairwise((*left, left[0]))
    return sum((px * qy - py * qx for (px, py), (qx, qy) in around), Fraction(0)) / 2


def _cut(sides: Sequence[tuple[Fraction, Point]]) -> Iterator[Point]:
    """The corners that are not to the right of a line, and the points where the outline crosses it."""
    for (s, (px, py)), (t, (qx, qy)) in pairwise((*sides, *sides[:1])):
        if s >= 0:
            yield px, py
        if s * t < 0:
            yield px + (qx - px) * s / (s - t), py + (qy - py) * s / (s - t)


def _overlap(one: Piece, other: Piece) -> bool:
    (px, py), (qx, qy) = one.centroid, other.centroid
    near = _radius(one) + _radius(other)
    return (px - qx) ** 2 + (py - qy) ** 2 < near**2 and common_area(one.corners, other.corners) > 0


def _radius(piece: Piece) -> int:
    """No corner is further than this from the centroid."""
    return 2 * HEIGHT[piece.pips] // 3 + 1 if piece.lying else BASE[piece.pips]


GAME = Game(
    slug="icehouse",
    title="Icehouse",
    rulebook_file="specs.icehouse:rulebook.toml",
    engine_name="rulecheck.games.icehouse.engine:Engine",
    spec_name="specs.icehouse.spec:Spec",
    hints_name="rulecheck.games.icehouse.hints:IcehouseHints",
    mutants_file="specs.icehouse:mutants.toml",
    counts_file="specs.icehouse:counts.perft",
    letter_file="specs.icehouse:letter.toml",
    render_name="rulecheck.games.icehouse.drawing:DRAWER",
    params=read_params,
    read_position=read_position,
    read_move=read_move,
)
