"""Protects: Icehouse's notation, its exact geometry in degenerate cases, each reading, each claim, and its pictures."""

from __future__ import annotations

import inspect
import random
import re
import sys
import tomllib
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations_with_replacement, islice, pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulecheck.counts import Counted, read_counts
from rulecheck.games.icehouse import GAME, common_area, read_move, read_params, read_position
from rulecheck.games.icehouse.drawing import DRAWER, FILL
from rulecheck.games.icehouse.engine import Engine
from rulecheck.games.icehouse.engine_geometry import Contact, Side, contact, meeting, squared_distance, squared_gap
from rulecheck.games.icehouse.pieces import BASE, HEIGHT, Params, Piece, Point, Position
from rulecheck.games.icehouse.sampling import proposals
from rulecheck.model import Claim, InputError
from rulecheck.notation import NotationError
from rulecheck.perft import perft
from rulecheck.pyramids import Pyramid

HERE = Path(__file__).parents[1]
sys.path.insert(0, str(HERE / "perft"))
import naive_icehouse as naive  # noqa: E402  # lives here, what it counted in specs

BOOK = GAME.rulebook
DIRECTIONS = [
    (Fraction(sx * x, z), Fraction(sy * y, z))
    for x, y, z in [(1, 0, 1), (0, 1, 1), (3, 4, 5), (4, 3, 5), (5, 12, 13), (12, 5, 13), (8, 15, 17), (20, 21, 29)]
    for sx in (1, -1)
    for sy in (1, -1)
]


def engine(params: Mapping[str, str] | None = None, **readings: str) -> Engine:
    return Engine(read_params(params or {}), BOOK.choose(readings))


def opened(text: str, params: Mapping[str, str] | None = None, **readings: str) -> tuple[Engine, Position]:
    umpire = engine(params, **readings)
    return umpire, read_position(umpire.params, text)


def answer(umpire: Engine, position: Position, event: str) -> str:
    """The result of an event, or the clauses that refuse it."""
    asked = read_move(umpire.params, event)
    verdict = umpire.judge(position, asked)
    return str(umpire.play(position, asked)) if verdict.legal else " ".join(verdict.clauses)


def facts(umpire: Engine, position: Position) -> dict[str, Any]:
    """What claims and tests ask of a position, with pieces counted from 1."""
    standing = [d for d, piece in enumerate(position.pieces) if not piece.lying]
    return {
        "frozen": [d + 1 for d in standing if umpire.frozen(position, d)],
        "attacks": [f"{a + 1}>{d + 1}" for a, d in enumerate(umpire.attacks(position)) if d is not None],
        "captures": list(map(str, umpire.captures(position))),
        "scores": umpire.scores(position),
        "iced": "".join(position.iced),
        "lost": "".join(position.lost),
        "winner": "".join(umpire.winners(position)),
        "pads": {player: len(position.pad(player)) for player in umpire.params.colours},
    }


def lying(pips: int, tip: Point, direction: Point, colour: str = "A") -> Piece:
    return Piece(colour, pips, True, tip, direction, colour)


def square(pips: int, centre: Point, direction: Point = (Fraction(1), Fraction(0)), colour: str = "A") -> Piece:
    return Piece(colour, pips, False, centre, direction, colour)


def point(x: str | int, y: str | int) -> Point:
    return Fraction(x), Fraction(y)


# -- Notation ---------------------------------------------------------------------------------------------------

LINES = [
    "all",
    "all A3@0,0 B2@80,0>-1,0",
    "all A3@-7/2,0^3/5,4/5 B2@80,1/3>-20/29,21/29:C C1@300,0:A",
    "all A3@0,0! B2@80,0>-1,0!",
    "all A1@0,0 hands=A1/-/B2/- prisoners=B1B3/A2/-/A1 iced=BD lost=C",
    "all A1@0,0 iced=A over=yes",
]


@pytest.mark.parametrize("text", LINES)
def test_text_gives_the_position_back(text: str) -> None:
    position = read_position(Params(), text)
    assert str(position) == text
    assert read_position(Params(), str(position)) == position
    assert hash(read_position(Params(), text)) == hash(position)


EVENTS = [
    "A3@1/2,0>-3/5,4/5", "A1@0,0", "A1@0,0^3/5,4/5:B", "A lifts B2", "A returns", "B captures 12", "C calls",
    "C calls A1>D", "D crashes D3>A", "A melts", "time",
]  # fmt: skip


@pytest.mark.parametrize("text", EVENTS)
def test_text_gives_the_event_back(text: str) -> None:
    assert str(read_move(Params(), text)) == text


@pytest.mark.parametrize(
    ("text", "column", "problem"),
    [
        ("", 1, "found an empty line"),
        ("A A1@0,0", 1, "expected 'all', as there is no player to move, found 'A'"),
        ("all A1@0,0 A3@1,1", 12, "A3@1,1 overlaps A1@0,0"),
        ("all A1@0,0 B1@0,20>0,-1 C1@0,0>0,1", 25, "C1@0,0>0,1 overlaps A1@0,0"),
        ("all A1@0,0>1/2,1/2", 12, "a direction has length 1, as in 3/5,4/5; the square of this length is 1/2"),
        ("all A1@0,0^-3/5,4/5", 12, "a square is turned by less than a quarter"),
        ("all A1@0,0^1,0", 12, "left out if it is not turned"),
        ("all A1@1/0,0", 8, "a fraction cannot have the denominator 0, found '1/0'"),
        ("all A1@2/4,0", 8, "expected 1/2, in lowest terms, found '2/4'"),
        ("all A1@-0,0", 8, "expected 0, in lowest terms, found '-0'"),
        ("all A1@1.5,0", 8, "expected a number as in 7, -7 or 7/2, found '1.5'"),
        ("all A1@,0", 8, "expected a number as in 7, -7 or 7/2, found ''"),
        (f"all A1@{'9' * 13},0", 8, "numbers have at most 12 digits"),
        ("all E1@0,0", 5, "unknown colour 'E'; expected one of: A, B, C, D"),
        ("all A1@0,0:E", 12, "unknown colour 'E'; expected one of: A, B, C, D"),
        ("all A1@0,0:A", 12, "':A' is left out when the colour's owner placed it"),
        ("all A4@0,0", 6, "expected 1, 2 or 3 pips, found '4'"),
        ("all A1", 5, "expected a piece, A3@x,y or A3@x,y^dx,dy standing, A3@x,y>dx,dy lying, found 'A1'"),
        ("all A1@0,0 A1@20,0 A1@40,0 A1@60,0 A1@80,0 A1@100,0", 44, "A has 5 small pieces, found 6"),
        ("all prisoners=-/A1A1A1A1A1A1/-/-", 33, "A has 5 small pieces, found 6 on the table, in hands and on pads"),
        ("all prisoners=A1/-/-/-", 15, "pieces of A are no prisoners on the pad of A"),
        ("all prisoners=B2B1/-/-/-", 15, "prisoners stand by colour and size, expected B1B2"),
        ("all prisoners=-/-/-/-", 15, "prisoners= is left out while there are none"),
        ("all hands=-/-/-/-", 11, "hands= is left out while all hands are empty"),
        ("all hands=A1", 11, "expected 4 entries separated by '/', found 'A1'"),
        ("all iced=BA", 10, "expected players of ABCD in order, each once, found 'BA'"),
        ("all iced=A lost=A", 17, "A stands in iced= and in lost=; one of them is enough"),
        ("all iced=A hands=A1/-/-/-", 12, "key hands is out of order"),
        ("all iced=A iced=B", 12, "key iced stands twice"),
        ("all iced=A A1@0,0", 5, "pieces stand before the keys, found 'iced=A'"),
        ("all melted=A", 5, "unknown key 'melted'; expected one of: hands, prisoners, iced, lost, over"),
        ("all over=no", 10, "expected yes, found 'no'"),
        ("all hands=A1/-/-/- over=yes", 25, "no hand holds a piece when the game is over"),
    ],
)  # fmt: skip
def test_bad_positions(text: str, column: int, problem: str) -> None:
    with pytest.raises(NotationError) as caught:
        read_position(Params(), text)
    assert problem in str(caught.value)
    assert caught.value.column == column


def test_bad_positions_of_small_games() -> None:
    table = read_params({"table": "100x80"})
    with pytest.raises(NotationError, match="column 5: A1@101,5 is off the table"):
        read_position(table, "all A1@101,5")
    assert read_position(table, "all A1@100,5")  # by one reading a piece may stick out
    tiny = read_params({"players": "2", "pieces": "1,0,0"})
    with pytest.raises(NotationError, match="over=yes is left out when all pads are empty"):
        read_position(tiny, "all A1@0,0 B1@40,0 over=yes")


@pytest.mark.parametrize(
    ("text", "column", "problem"),
    [
        ("A1@0,0!", 7, "a piece has no mark '!' when it is placed"),
        ("A1@0,0 B1@9,9", 8, "expected the end of the event, found 'B1@9,9'"),
        ("pass", 1, "expected a piece, a player (A, B, C, D) or 'time', found 'pass'"),
        ("A", 2, "expected one of lifts, returns, captures, calls, crashes, melts, found ''"),
        ("A eats", 3, "expected one of lifts, returns, captures, calls, crashes, melts, found 'eats'"),
        ("A lifts", 8, "expected a piece after 'lifts'"),
        ("A lifts A1A2", 11, "expected one piece, found 'A1A2'"),
        ("A captures 0", 12, "expected the number of a piece from 1 to 999, found '0'"),
        ("A calls A1", 9, "expected PIECE>PLAYER, found 'A1'"),
        ("A calls A1>E", 12, "found 'E'"),
        ("A melts B", 9, "expected the end of the event, found 'B'"),
    ],
)
def test_bad_events(text: str, column: int, problem: str) -> None:
    with pytest.raises(NotationError) as caught:
        read_move(Params(), text)
    assert problem in str(caught.value)
    assert caught.value.column == column


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"players": "6"}, "parameter players wants a whole number from 2 to 5, found '6'"),
        ({"pieces": "0,0,0"}, "as in 5,5,5, found '0,0,0'"),
        ({"limit": "-1"}, "parameter limit wants a whole number from 0 to 99, found '-1'"),
        ({"table": "0x5"}, "parameter table wants WIDTHxHEIGHT as in 960x720, or none, found '0x5'"),
        ({"players": "2", "pads": "0,0,9,9"}, "parameter pads wants 2 rectangles"),
        ({"players": "2", "pads": "0,0,9,9/9,9,0,0"}, "the pad 9,9,0,0 is no rectangle"),
        ({"players": "2", "pads": "0,0,9,9/8,8,20,20"}, "the pads 0,0,9,9 and 8,8,20,20 overlap"),
        ({"players": "2", "table": "99x99", "pads": "0,0,9,9/90,90,100,99"}, "does not lie on the table"),
        ({"tables": "none"}, "did you mean 'table'?"),
    ],
)
def test_bad_parameters(given: dict[str, str], problem: str) -> None:
    with pytest.raises(InputError, match=re.escape(problem)):
        read_params(given)


def test_parameters_round_trip() -> None:
    given = {"players": "2", "pieces": "1,2,3", "limit": "3", "table": "96x80", "pads": "0,0,9,9/9,0,20,9"}
    assert read_params(given).as_dict() == given
    assert {p.name: p.default for p in BOOK.parameters} == Params().as_dict() == read_params({}).as_dict()


def _refused_inside(read: Any, text: str) -> None:
    """It is read, and then prints as it was written; or the error names a column of the line."""
    try:
        found = read(Params(), text)
    except NotationError as error:
        column, sentence = error.column, str(error)
    else:
        assert str(found) == text
        return
    assert 1 <= column <= len(text) + 1
    assert "\n" not in sentence


@given(st.text("all ABCE1230@,/^>:!-=hndspriseco", max_size=40))
def test_random_lines(text: str) -> None:
    _refused_inside(read_position, text)
    _refused_inside(read_position, f"all {text}")
    _refused_inside(read_move, text)


@given(st.sampled_from([*LINES, *EVENTS]), st.integers(0, 60), st.integers(0, 4), st.text("AB1@,/^>:!-= é", max_size=3))
@settings(max_examples=200)
def test_mutated_lines(line: str, at: int, cut: int, put: str) -> None:
    _refused_inside(read_position, line[:at] + put + line[at + cut :])
    _refused_inside(read_move, line[:at] + put + line[at + cut :])


# -- Geometry ---------------------------------------------------------------------------------------------------

coordinates = st.tuples(st.integers(-80, 80), st.integers(1, 4)).map(lambda t: Fraction(*t))
pieces = st.builds(
    lambda pips, lies, x, y, d: lying(pips, (x, y), d) if lies else square(pips, (x, y), d),
    st.integers(1, 3), st.booleans(), coordinates, coordinates, st.sampled_from(DIRECTIONS),
)  # fmt: skip


@given(pieces, pieces)
@settings(max_examples=150)
def test_overlap_is_common_area(one: Piece, other: Piece) -> None:
    """Separating sides, and the area cut out of one by the other, are two ways to the same answer."""
    found = contact(one.corners, other.corners)
    assert (found is Contact.OVERLAPPING) == (common_area(one.corners, other.corners) > 0)
    assert contact(other.corners, one.corners) is found
    assert (squared_gap(one.corners, other.corners) > 0) == (found is Contact.APART)
    assert squared_gap(one.corners, other.corners) == squared_gap(other.corners, one.corners)


@given(pieces)
def test_footprints(piece: Piece) -> None:
    """Their area is that of the square or triangle, and corners are anticlockwise."""
    base, height = BASE[piece.pips], HEIGHT[piece.pips]
    assert common_area(piece.corners, piece.corners) == (Fraction(base * height, 2) if piece.lying else base**2)
    x, y = (sum(c) / len(piece.corners) for c in zip(*piece.corners, strict=True))
    assert (x, y) == piece.centroid


A_SMALL = square(1, point(0, 0))


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        pytest.param(square(1, point(18, 5)), Contact.TOUCHING, id="side by side"),
        pytest.param(square(1, point(18, 18)), Contact.TOUCHING, id="corner to corner"),
        pytest.param(square(1, point("17999999/1000000", 18)), Contact.TOUCHING, id="sides with a little shift"),
        pytest.param(square(1, point("17999999/1000000", 17)), Contact.OVERLAPPING, id="a millionth too near"),
        pytest.param(square(1, point("18000001/1000000", 17)), Contact.APART, id="a millionth apart"),
        pytest.param(lying(1, point(9, 0), point(-1, 0)), Contact.TOUCHING, id="a tip on a side"),
        pytest.param(lying(3, point(9, 9), point("-3/5", "-4/5")), Contact.TOUCHING, id="a tip on a corner"),
        pytest.param(square(2, point(0, 0)), Contact.OVERLAPPING, id="one inside the other"),
    ],
)
def test_contact(other: Piece, expected: Contact) -> None:
    assert contact(A_SMALL.corners, other.corners) is expected


@pytest.mark.parametrize(
    ("tip", "direction", "expected"),
    [
        pytest.param((-20, 0), (1, 0), (Side.CROSSED, 11), id="straight on"),
        pytest.param((-20, 9), (1, 0), (Side.RIGHT, 11), id="along its upper side"),
        pytest.param((-20, -9), (1, 0), (Side.LEFT, 11), id="along its lower side"),
        pytest.param((-20, "9000001/1000000"), (1, 0), None, id="just above it"),
        pytest.param((-20, "8999999/1000000"), (1, 0), (Side.CROSSED, 11), id="just below its upper side"),
        pytest.param((-12, 5), ("3/5", "4/5"), (Side.RIGHT, 5), id="past a corner"),
        pytest.param((20, 0), (1, 0), None, id="it lies behind"),
        pytest.param((9, 0), (1, 0), None, id="the tip leaves it"),
        pytest.param((-9, 0), (1, 0), (Side.CROSSED, 0), id="the tip is on its side"),
        pytest.param((0, 0), (1, 0), (Side.CROSSED, 0), id="the tip is in it"),
        pytest.param((0, 9), (1, 0), (Side.RIGHT, 0), id="the tip is on the side along which it points"),
        pytest.param((9, 9), (1, 0), None, id="no corner is ahead"),
        pytest.param((9, 0), (0, 1), (Side.LEFT, 0), id="up along its right side"),
        pytest.param((9, 9), ("3/5", "4/5"), None, id="the tip on a corner, pointing away"),
        pytest.param((-9, 9), ("3/5", "4/5"), (Side.RIGHT, 0), id="the tip on a corner, the shape ahead on one side"),
    ],
)
def test_meeting(tip: Any, direction: Any, expected: Any) -> None:
    found = meeting(point(*tip), point(*direction), A_SMALL.corners)
    assert (None if found is None else tuple(found)) == expected


@given(pieces, coordinates, coordinates, st.sampled_from(DIRECTIONS), st.integers(0, 9))
@settings(max_examples=200)
def test_meeting_is_what_walking_along_the_line_finds(
    shape: Piece, x: Fraction, y: Fraction, way: Point, n: int
) -> None:
    """Before the entry the line is outside; the entry is on the shape; a point inside means that it is crossed."""
    if n == 0:
        x, y = shape.corners[0][0] - 7 * way[0], shape.corners[0][1] - 7 * way[1]  # straight to a corner
    met = meeting((x, y), way, shape.corners)
    walked = [(s, (x + s * way[0], y + s * way[1])) for s in map(Fraction, range(0, 161, 4))]
    inside = [s for s, spot in walked if _strictly_inside(shape, spot)]
    if inside:
        assert met is not None
        assert met.side is Side.CROSSED
    if met is not None:
        entry = (x + met.entry * way[0], y + met.entry * way[1])
        assert squared_distance(entry, shape.corners) == 0
        assert not any(squared_distance(spot, shape.corners) == 0 for s, spot in walked if s < met.entry)
        if met.side is Side.CROSSED and met.entry > 0:
            assert not _strictly_inside(shape, entry)


def _strictly_inside(shape: Piece, spot: Point) -> bool:
    around = pairwise((*shape.corners, shape.corners[0]))
    return all((qx - px) * (spot[1] - py) > (qy - py) * (spot[0] - px) for (px, py), (qx, qy) in around)


def test_distances() -> None:
    corners = A_SMALL.corners
    assert squared_distance(point(0, 0), corners) == 0
    assert squared_distance(point(9, 9), corners) == 0
    assert squared_distance(point(12, 13), corners) == 9 + 16
    assert squared_distance(point(-20, 3), corners) == 121
    assert squared_gap(corners, square(1, point(21, 22)).corners) == 9 + 16
    assert squared_gap(corners, square(1, point(20, 20)).corners) == 4 + 4
    assert squared_gap(corners, lying(1, point(9, 0), point(-1, 0)).corners) == 0


def test_tip_and_body_give_one_range() -> None:
    """IC-20, on a sample near the limit of the range: attackers of all sizes and ways, turned targets."""
    rng, by_tip, by_body = random.Random(20), engine(distance="tip"), engine(distance="body")
    inside = outside = 0
    for _ in range(300):
        attacker = lying(rng.randint(1, 3), point(0, 0), rng.choice(DIRECTIONS))
        far = HEIGHT[attacker.pips] + rng.randint(0, 34)
        aside = rng.randint(-20, 20)
        (dx, dy), turned = attacker.direction, next(d for d in rng.sample(DIRECTIONS, 32) if min(d) > 0)
        target = square(rng.randint(1, 3), (far * dx - aside * dy, far * dy + aside * dx), turned, "B")
        met = meeting(attacker.point, attacker.direction, target.corners)
        if met is None or contact(attacker.corners, target.corners) is Contact.OVERLAPPING:
            continue
        verdict = by_tip.in_range(attacker, target, met.entry)
        assert verdict == by_body.in_range(attacker, target, met.entry)
        inside, outside = inside + verdict, outside + (not verdict)
    assert min(inside, outside) > 30


# -- Status in degenerate positions -----------------------------------------------------------------------------

FAR = "B1@300,500 B1@340,500"  # two defenders of B, out of the way, so that B may attack


@pytest.mark.parametrize(
    ("table", "event", "expected"),
    [
        pytest.param("A1@41,0", "B1@0,0>1,0", "IH-27", id="exactly at its range"),
        pytest.param("A1@81/2,0", "B1@0,0>1,0", None, id="half a unit nearer"),
        pytest.param("A1@9,0", "B1@0,0>1,0", None, id="the tip touches the target"),
        pytest.param("A1@30,9", "B1@0,0>1,0", "IH-35", id="grazing the only thing there"),
        pytest.param("A1@30,0 A1@48,0", "B1@0,0>1,0", None, id="two behind each other"),
        pytest.param("C1@20,9 A1@40,0", "B1@0,0>1,0", None, id="touched on one side only"),
        pytest.param("C1@20,9 C1@20,-9 A1@38,0", "B1@0,0>1,0", "IH-64", id="a seam between two walls"),
        pytest.param("C1@15,9 C1@33,-9 A2@55,0", "B2@0,0>1,0", "IH-64", id="pinched at two places"),
        pytest.param("C1@20,9 A1@38,0 C1@56,-9", "B1@0,0>1,0", None, id="the other touch lies behind the target"),
        pytest.param(
            "C1@19,9 A1@37,0 C1@37,-18", "B1@0,0>1,0", None, id="one wall beside the way, one beside the target"
        ),
        pytest.param("C1@20,10 C1@20,-10 A1@38,0", "B1@0,0>1,0", None, id="a slit two units wide"),
        pytest.param("C1@20,10 C1@20,-9 A1@38,0", "B1@0,0>1,0", None, id="a slit along one wall"),
        pytest.param("A2@20,0 C1@60,30>0,-1", "B1@0,0>1,0", None, id="an attacker lies behind the target"),
        pytest.param("A1@300,40 C1@20,16>0,1", "B1@0,0>1,0", "IH-18", id="an attacker lies in the way"),
        pytest.param("B1@20,0 A1@38,0", "B1@0,0>1,0", "IH-17", id="the own colour stands in the way"),
        pytest.param("", "B1@0,0>1,0", "IH-35", id="nothing there"),
        pytest.param("A1@40,20 C1@0,0>4/5,3/5", "B1@0,0>4/5,-3/5", "IH-35", id="tips in one point, the line misses"),
        pytest.param("A2@25,0 C1@0,9>1,0", "B1@0,-9>1,0", None, id="tips side by side"),
        pytest.param("A1@20,-13 C1@0,0>4/5,3/5", "B1@0,0>4/5,-3/5", None, id="tips in one point"),
        pytest.param("A1@20,0 C1@0,0>0,1", "B1@0,0>1,0", None, id="a tip beside the tip, its body at right angles"),
        pytest.param("A1@50,0 C1@0,0>-1,0", "B1@0,0>1,0", "IH-18", id="tip to tip"),
        pytest.param("A1@20,20", "B1@5,8>4/5,3/5", None, id="through its lower side"),
        pytest.param("A1@17,17", "B1@4,5>4/5,3/5", None, id="through its corner into it"),
        pytest.param("A1@17,17", "B1@22,5>4/5,3/5", "IH-35", id="past its corner"),
    ],
)
def test_aiming(table: str, event: str, expected: str | None) -> None:
    umpire, position = opened(" ".join(part for part in ("all", table, FAR) if part))
    found = answer(umpire, position, event)
    assert found == (expected or f"{position} {event}")


def test_the_attack_is_on_the_first() -> None:
    umpire, position = opened("all A1@30,0 A1@48,0 B1@0,0>1,0 C1@48,30>0,-1")
    assert facts(umpire, position)["attacks"] == ["3>1", "4>2"]


# -- Every reading ----------------------------------------------------------------------------------------------

SEAM = f"all A1@0,0 A1@18,0 A1@-18,0 A1@0,18 A1@0,-18 {FAR}"
BEHIND = "all A1@0,0 C2@30,8>-4/5,-3/5 B2@12,0>-1,0"  # B lies across the line of C
SMALL = {"players": "2", "pieces": "3,3,2"}
PADS = {"players": "2", "pads": "0,0,50,50/300,300,350,350"}
PROBES: list[tuple[str, dict[str, str], str, str, str, str]] = [
    # reading, parameters, position, event or fact, by default, under the reading
    ("range=inclusive", {}, f"all A1@41,0 {FAR}", "B1@0,0>1,0", "IH-27", "legal"),
    ("distance=axis", {}, f"all A3@44,10 {FAR}", "B1@0,0>4/5,3/5", "legal", "IH-27"),
    ("distance=body", {}, f"all A3@44,10 {FAR}", "B1@0,0>4/5,3/5", "legal", "legal"),  # IC-20
    ("length=slant", {}, f"all A1@42,0 {FAR}", "B1@0,0>1,0", "IH-27", "legal"),
    ("graze=open", {}, SEAM, "B1@13,12>-4/5,-3/5", "IH-64", "legal"),
    ("graze=closed", {}, f"all A1@60,0 B1@30,9 {FAR}", "B1@20,0>1,0", "legal", "IH-17"),
    ("graze=closed", {}, SEAM, "B1@13,12>-4/5,-3/5", "IH-64", "IH-35"),
    ("touching=forbidden", {}, "all A1@0,0", "B1@18,18", "legal", "IH-78"),
    ("far=legal", {}, f"all A1@100,0 {FAR}", "B1@0,0>1,0", "IH-27", "legal"),
    ("own=placer", {}, f"all A3@0,0 A1@400,0 {FAR} prisoners=B2/-/-/-", "B2@20,0>-1,0:A", "legal", "IH-17"),
    ("own=placer", {}, f"all A3@0,0 B1@0,200 {FAR} prisoners=B2/-/-/-", "B2@20,200>-1,0:A", "IH-17", "legal"),
    ("retarget=no", {}, f"all A1@60,0 {FAR} B1@20,0>1,0 A1@35,0", "attacks", "['4>5']", "[]"),
    ("revalidate=no", {}, f"all A1@60,0 {FAR} B1@20,0>1,0!", "attacks", "['4>1']", "[]"),
    ("redundant=arithmetic", {}, BEHIND, "captures", "['A captures 3']", "[]"),
    ("wasted_capture=yes", {}, BEHIND, "captures", "['A captures 3']", "['A captures 2', 'A captures 3']"),
    ("overice_owner=placer", {}, "all A1@0,0:B C2@20,0>-1,0 C2@-20,0>1,0", "A captures 2", "legal", "IH-86"),
    ("overice_owner=placer", {}, "all A1@0,0:B C2@20,0>-1,0 C2@-20,0>1,0", "B captures 2", "IH-86", "legal"),
    ("capture_chain=one", {}, "all A1@0,0! B2@-20,0>1,0 C1@0,20>0,-1", "A captures 3", "legal", "IH-67"),
    ("capture_hand=any", {}, "all A1@0,0 B2@-20,0>1,0 C1@0,20>0,-1 hands=A1/-/-/-", "A captures 3", "IH-38", "legal"),
    ("meltdown=on_call", {}, "all A2@0,0", "=B3@20,0>-1,0", "all A2@0,0", "all A2@0,0 B3@20,0>-1,0"),
    ("meltdown=on_call", {}, "all A2@0,0 B3@20,0>-1,0", "=B melts", "IH-42", "all A2@0,0"),
    ("meltdown=reject", {}, "all A2@0,0", "=B3@20,0>-1,0", "all A2@0,0", "IH-41"),
    ("meltdown_cure=yes meltdown=on_call", {}, f"all A2@0,0 B3@20,0>-1,0 {FAR}", "B melts", "legal", "IH-41"),
    ("first_two=player meltdown=reject", {}, f"all C1@0,0 {FAR} prisoners=B2/-/-/-", "B2@20,0>-1,0:A",
     "legal", "IH-41"),
    ("icehouse=frozen_some", {"pieces": "1,1,1"}, "all", "A calls", "legal", "IH-51"),
    ("icehouse=none_in_play", SMALL, f"all A2@0,0 {FAR} B3@20,0>-1,0", "B calls", "legal", "IH-51"),
    ("defender_of=placer", SMALL, f"all A2@0,0 {FAR} B3@20,0>-1,0 A1@300,90:B", "B calls", "IH-51", "legal"),
    ("limit_when=before_return", {"players": "2", "pieces": "3,3,3"},
     f"all A2@0,0 {FAR} B3@20,0>-1,0 hands=A1/-", "B calls", "IH-51", "legal"),
    ("recall=any", SMALL, f"all A2@0,0 {FAR} B3@20,0>-1,0 iced=A", "B calls", "IH-51", "legal"),
    ("self_call=self_only", {"players": "3", "pieces": "2,2,2"},
     "all A1@0,0 B1@200,0 C1@300,100 C1@340,100 C2@20,0>-1,0 C2@220,0>-1,0", "=A calls",
     "all A1@0,0 B1@200,0 C1@300,100 C1@340,100 C2@20,0>-1,0 C2@220,0>-1,0 prisoners=B1B2B2B3B3/-/- iced=AB",
     "all A1@0,0 B1@200,0 C1@300,100 C1@340,100 C2@20,0>-1,0 C2@220,0>-1,0 iced=A"),
    ("trigger=automatic", SMALL, f"all A2@0,0 {FAR}", "=B3@20,0>-1,0",
     f"all A2@0,0 {FAR} B3@20,0>-1,0", f"all A2@0,0 {FAR} B3@20,0>-1,0 lost=A"),
    ("cryo=revocable", SMALL, "all A2@0,0 B1@60,0 iced=A", "scores", "{'A': 0, 'B': 1}", "{'A': 2, 'B': 1}"),
    ("cryo=revocable", SMALL, "all A2@0,0 B1@60,0 iced=A", "=B1@90,0",
     "all A2@0,0 B1@60,0 B1@90,0 iced=A", "all A2@0,0 B1@60,0 B1@90,0"),
    ("score_owner=placer", SMALL, "all A2@0,0:B", "scores", "{'A': 2, 'B': 0}", "{'A': 0, 'B': 2}"),
    ("meltdown_pad=colour", SMALL, "all B1@0,0 prisoners=-/A2", "=A2@20,0>-1,0:B",
     "all B1@0,0 prisoners=-/A2", "all B1@0,0"),
    ("put_back=forbidden", SMALL, "all hands=A1/-", "A returns", "legal", "IH-39"),
    ("tie_for_first=undecided", {"players": "3"}, "all A1@0,0 B1@60,0 over=yes", "winner", "AB", ""),
    ("on_pad=free", PADS, "all", "A1@50,25", "IH-04", "legal"),
    ("pad_ray=blocks", PADS, "all A1@60,25 B1@300,0 B1@340,0", "B1@159/2,25>-1,0", "legal", "legal"),
    ("pad_ray=blocks", PADS, "all A1@-10,25 B1@300,0 B1@340,0", "B3@51,25>-1,0", "legal", "IH-35"),
    ("edge=overhang", {"table": "100x100"}, "all", "A1@0,50", "IH-16", "legal"),
]  # fmt: skip


def _seen(umpire: Engine, position: Position, question: str) -> str:
    if question.startswith("="):
        return answer(umpire, position, question[1:])
    if question in ("attacks", "captures", "scores", "winner"):
        return str(facts(umpire, position)[question])
    verdict = umpire.judge(position, read_move(umpire.params, question))
    return "legal" if verdict.legal else " ".join(verdict.clauses)


@pytest.mark.parametrize("probe", PROBES, ids=lambda probe: f"{probe[0]}: {probe[3]}")
def test_readings(probe: tuple[str, dict[str, str], str, str, str, str]) -> None:
    names, params, text, question, default, other = probe
    chosen = dict(part.split("=") for part in names.split())
    others = dict(list(chosen.items())[1:])
    assert _seen(*opened(text, params, **others), question) == default
    assert _seen(*opened(text, params, **chosen), question) == other


def test_every_reading_is_probed() -> None:
    wanted = {f"{option.name}={value}" for option in BOOK.options.values() for value in option.values[1:]}
    assert {probe[0].split()[0] for probe in PROBES} == wanted
    differ = {probe[0].split()[0] for probe in PROBES if probe[4] != probe[5]}
    assert wanted - differ == {"distance=body"}  # IC-20


def test_clauses_named_by_the_engine_exist() -> None:
    named = [set(re.findall(r"IH-[0-9]+", inspect.getsource(kind))) for kind in Engine.__mro__[:-1]]
    assert all(named)
    assert set().union(*named) <= set(BOOK.clauses)


# -- Histories --------------------------------------------------------------------------------------------------


def _played(umpire: Engine, text: str, *events: str) -> Position:
    position = read_position(umpire.params, text)
    for event in events:
        position = umpire.play(position, read_move(umpire.params, event))
    return position


def test_a_spoilt_attack_is_marked_and_stays_spoilt() -> None:
    umpire = engine({"players": "3"}, revalidate="no")
    text = "all A2@0,0 A1@26,34 B1@300,0 B1@340,0 C1@300,100 C1@340,100 B3@40,0>-1,0"
    position = _played(umpire, text, "C1@26,20>0,1", "B3@26,48>0,-1")
    assert [str(p) for p in position.pieces if p.marked] == ["B3@40,0>-1,0!"]
    after = _played(umpire, str(position), "A captures 8")
    assert facts(umpire, after)["frozen"] == [2]


def test_a_new_target_spoils_nothing_unless_told() -> None:
    text, between = f"all A1@60,0 {FAR} B1@20,0>1,0", "A1@35,0"
    assert not any(p.marked for p in _played(engine(revalidate="no"), text, between).pieces)
    assert _played(engine(revalidate="no", retarget="no"), text, between).pieces[3].marked


def test_one_capture_for_each_over_icing() -> None:
    umpire = engine(capture_chain="one")
    text = f"all A1@0,0 A1@400,0 {FAR} B3@20,0>-1,0 B2@-20,0>1,0 B1@0,20>0,-1"
    first = _played(umpire, text, "A captures 5")
    assert first.pieces[0].marked
    assert umpire.captures(first) == []
    assert umpire.capture_chains(read_position(umpire.params, text), "A") == [
        ("B3@20,0>-1,0",), ("B2@-20,0>1,0",), ("B1@0,20>0,-1",),
    ]  # fmt: skip
    thrice = _played(umpire, text.replace(" B1@0,20>0,-1", ""), "A captures 5", "B1@0,20>0,-1")
    assert [str(c) for c in umpire.captures(thrice)] == ["A captures 6"]  # it had ceased to be over-iced meanwhile


def test_chains_of_captures() -> None:
    umpire, position = opened("all A1@0,0 B3@20,0>-1,0 B2@-20,0>1,0 B1@0,20>0,-1")
    chains = umpire.capture_chains(position, "A")
    assert {tuple(piece[:2] for piece in chain) for chain in chains} == {
        ("B3", "B1"), ("B2", "B1"), ("B1", "B3"), ("B1", "B2"),
    }  # fmt: skip
    assert umpire.capture_chains(position, "B") == [()]


def test_a_hand_holds_one_piece() -> None:
    umpire = engine()
    held = _played(umpire, "all", "A lifts A3")
    assert str(held) == "all hands=A3/-/-/-"
    assert answer(umpire, held, "A lifts A1") == "IH-38"
    assert answer(umpire, held, "A1@0,0") == "IH-38"
    assert answer(umpire, held, "A3@0,0") == "all A3@0,0"
    assert answer(umpire, held, "A returns") == "all"
    assert answer(umpire, held, "B lifts A3") == "IH-10"
    assert answer(umpire, held, "B returns") == "IH-38"
    assert answer(umpire, held, "time") == "all over=yes"


def test_a_call_sends_pieces_back_and_costs_one() -> None:
    umpire, position = opened("all A3@0,0 hands=A1/B2/-/-")
    assert answer(umpire, position, "A calls") == "IH-51"
    assert answer(umpire, position, "A calls A1>C") == "all A3@0,0 prisoners=-/-/A1/-"
    assert answer(umpire, position, "A calls A1>A") == "IH-51"
    assert answer(umpire, position, "A calls B1>C") == "IH-51"


def test_a_caller_with_an_empty_pad_pays_nothing() -> None:
    umpire, position = opened("all A1@0,0 B1@100,0", {"players": "2", "pieces": "1,1,0", "limit": "1"})
    empty = _played(umpire, str(position), "A2@200,0")
    assert answer(umpire, empty, "A calls") == str(empty)
    assert answer(umpire, empty, "A calls A1>B") == "IH-53"


def test_a_crash_gives_the_piece_away() -> None:
    umpire, position = opened("all A3@0,0 hands=A1/-/-/- prisoners=-/C2/-/-")
    assert answer(umpire, position, "A crashes A1>B") == "all A3@0,0 prisoners=-/A1C2/-/-"
    assert answer(umpire, position, "A crashes A2>B") == "IH-38"
    assert answer(umpire, position, "B crashes C2>C") == "all A3@0,0 hands=A1/-/-/-"
    assert answer(umpire, position, "B crashes C2>B") == "IH-79"
    assert answer(umpire, position, "B crashes A2>C") == "IH-10"
    assert answer(umpire, umpire.start(), "A crashes A1>B") == "IH-78"


def test_a_meltdown_returns_every_attacker_to_who_placed_it() -> None:
    umpire = engine(meltdown="on_call")
    text = "all A2@0,0 A2@200,0 B3@20,0>-1,0 B1@220,0>-1,0:C C2@-20,0>1,0"
    assert answer(umpire, read_position(umpire.params, text), "B melts") == (
        "all A2@0,0 A2@200,0 C2@-20,0>1,0 prisoners=-/-/B1/-"
    )
    player = engine(meltdown="on_call", first_two="player")
    assert answer(player, read_position(player.params, text), "C melts") == (
        "all A2@0,0 A2@200,0 B3@20,0>-1,0 prisoners=-/-/B1/-"
    )
    assert answer(umpire, read_position(umpire.params, text), "A melts") == "IH-41"


def test_a_captured_piece_takes_its_fault_with_it() -> None:
    umpire = engine(meltdown="on_call")
    position = _played(umpire, f"all A1@0,0 B2@20,0>-1,0 {FAR} B3@-20,0>1,0")
    assert answer(umpire, position, "B melts") == f"all A1@0,0 {FAR}"
    assert answer(umpire, _played(umpire, str(position), "A captures 2"), "B melts") == "IH-41"


def test_who_is_in_the_icehouse_has_lost_even_where_nobody_has_points() -> None:
    umpire = engine({"players": "2", "pieces": "2,0,0", "limit": "2"})
    over = _played(umpire, "all", "A calls A1>B", "B calls", "time")
    assert set(umpire.scores(over).values()) == {0}
    assert umpire.winners(over) == GAME.spec(umpire.params, umpire.readings).winners(over) == ("B",)


def test_the_time_limit_and_the_last_piece_end_the_game() -> None:
    umpire = engine({"players": "2", "pieces": "1,0,0"})
    last = _played(umpire, "all A1@0,0", "B lifts B1")
    assert not umpire.over(last)  # the pads are empty, the hand is not
    done = _played(umpire, str(last), "B1@100,0")
    assert umpire.over(done)
    assert umpire.moves(done) == {}
    assert umpire.leaders(done) == ("A", "B")
    assert umpire.winners(done) == ("A", "B")
    stopped = _played(umpire, "all A1@0,0", "time")
    assert umpire.winners(stopped) == ("A",)
    assert answer(umpire, stopped, "B1@100,0") == "IH-83"
    assert answer(umpire, done, "A calls") == "IH-70"


def test_pads_of_several_victims_go_to_the_caller() -> None:
    params = {"players": "3", "pieces": "2,2,2"}
    text = "all A1@0,0 B1@200,0 C1@300,100 C1@340,100 C2@20,0>-1,0 C2@220,0>-1,0"
    umpire, position = opened(f"{text} prisoners=B2C3/A3/-", params)
    after = _played(umpire, str(position), "C calls")
    assert after.iced == ("A", "B")
    assert [len(after.pad(p)) for p in "ABC"] == [0, 0, 12]
    assert Pyramid("C", 3) in after.pad("C")
    assert all(p.colour != "C" for p in after.prisoners[2])


def test_an_attacker_may_come_before_its_target() -> None:
    umpire, position = opened("all B3@20,0>-1,0 A2@0,0 B3@-20,0>1,0")
    assert facts(umpire, position)["captures"] == ["A captures 1", "A captures 3"]


def test_what_is_not_frozen_is_not_over_iced() -> None:
    """B's small one lies in the way of C's large one: without it the defender would be frozen, but now it is not."""
    umpire, position = opened("all A2@0,0 C3@30,8>-4/5,-3/5 B1@14,0>-1,0")
    assert facts(umpire, position)["attacks"] == ["3>1"]
    assert umpire.redundant(position, 0) == []
    assert answer(umpire, position, "A captures 3") == "IH-66"


def test_a_wasted_piece_is_captured_only_from_its_foe() -> None:
    umpire, position = opened("all A1@0,0 A2@20,0>-1,0 B2@-20,0>1,0", wasted_capture="yes")
    assert facts(umpire, position)["captures"] == []


def test_the_lost_and_the_iced() -> None:
    text = f"all A2@0,0 {FAR} B3@20,0>-1,0"
    umpire, lost = opened(f"{text} A3@400,400 lost=A", SMALL, trigger="automatic")
    assert umpire.scores(lost)["A"] == 0
    assert answer(umpire, lost, "A3@300,400") == f"{text} A3@400,400 A3@300,400 lost=A"
    again = _played(umpire, text, "A lifts A1")
    assert (again.iced, again.lost) == ((), ("A",))
    assert answer(umpire, again, "B calls") == f"{text} prisoners=-/A1A1A1A2A2A3A3 iced=A"
    iced = _played(umpire, f"{text} iced=A", "A lifts A1")
    assert (iced.iced, iced.lost) == (("A",), ())
    revocable = engine(SMALL, cryo="revocable")
    assert _played(revocable, f"{text} lost=A", "A3@400,400").lost == ()
    assert _played(revocable, f"{text} lost=A", "A lifts A3").lost == ("A",)


def test_a_mark_on_an_attacker_is_no_capture() -> None:
    umpire = engine(capture_chain="one")
    assert _played(umpire, f"all A1@60,0 {FAR} B1@20,0>1,0!", "A1@400,400").pieces[3].marked


def test_a_lying_piece_overhangs_by_its_centroid() -> None:
    """Its tip may be off the table, and it is not enough if only the tip is on it."""
    table = {"table": "100x100"}
    umpire, position = opened("all A3@60,100 B1@90,20 B1@90,50 A1@30,50", table, edge="overhang")
    assert answer(umpire, position, "B1@30,101>4/5,3/5").endswith("B1@30,101>4/5,3/5")
    assert answer(umpire, position, "B1@5,50>1,0") == "IH-16"


# -- Claims -----------------------------------------------------------------------------------------------------


def _wrong(umpire: Engine, position: Position, wanted: Mapping[str, Any]) -> list[str]:
    """What is said of a position and is not so."""
    seen = facts(umpire, position)
    for key in ("scores", "pads"):
        seen[key] = {player: seen[key][player] for player in wanted.get(key, {})}
    return [f"{key} {seen[key]}" for key in seen if key in wanted and seen[key] != wanted[key]]


def _case(case: Mapping[str, Any], readings: Mapping[str, str]) -> tuple[Engine, Position]:
    return opened(case["position"], case.get("params"), **readings)


def _status(data: Mapping[str, Any], readings: Mapping[str, str]) -> list[str]:
    return [wrong for case in data["cases"] for wrong in _wrong(*_case(case, readings), case)]


def _plays(data: Mapping[str, Any], readings: Mapping[str, str]) -> list[str]:
    found = []
    for case in data["cases"]:
        umpire, position = _case(case, readings)
        for step in case["steps"]:
            event = read_move(umpire.params, step["event"])
            verdict = umpire.judge(position, event)
            if "refused" in step or not verdict.legal:
                found += [] if step.get("refused") in verdict.clauses else [f"{event}: {verdict}"]
            else:
                position = umpire.play(position, event)
                found += _wrong(umpire, position, step)
    return found


def _sealed(data: Mapping[str, Any], readings: Mapping[str, str]) -> list[str]:
    """Only by the placements that the claim names: they find what is open, and prove nothing closed."""
    found = []
    for case in data["cases"]:
        umpire, position = _case(case, readings)
        events = [read_move(umpire.params, event) for event in case["tries"]]
        results = [umpire.play(position, event) for event in events if umpire.judge(position, event).legal]
        hit = any(umpire.attacks(after)[-1] == case["defender"] - 1 for after in results)
        found += [] if hit == case.get("open", False) else [case["position"]]
    return found


def _sets(data: Mapping[str, Any], readings: Mapping[str, str]) -> list[str]:
    found = []
    for size in "123":
        tried = {sizes: _set_on(data["spots"], size, sizes, readings) for sizes in _multisets(4)}
        if data["property"] == "over_iced":
            found += [f"{size} under {s}" for s, (total, _, spare) in tried.items() if spare != _spares(size, s, total)]
            continue
        freezing = {sizes for sizes, (_, frozen, _) in tried.items() if frozen}
        minimal = [s for s in freezing if not any(s[:n] + s[n + 1 :] in freezing for n in range(len(s)))]
        found += [] if sorted(minimal) == sorted(data[size]) else [f"{size}: {sorted(minimal)}"]
    return found


def _multisets(most: int) -> list[str]:
    return ["".join(sizes) for n in range(1, most + 1) for sizes in combinations_with_replacement("123", n)]


def _set_on(spots: list[str], size: str, sizes: str, readings: Mapping[str, str]) -> tuple[int, bool, bool]:
    attackers = [f"B{pips}@{spot}" for pips, spot in zip(sizes, spots, strict=False)]
    umpire, position = opened(" ".join(["all", f"A{size}@0,0", *attackers]), **readings)
    return umpire.total(position, 0), umpire.frozen(position, 0), bool(umpire.redundant(position, 0))


def _spares(size: str, sizes: str, total: int) -> bool:
    return total - min(map(int, sizes)) > int(size)


def _ranges(data: Mapping[str, Any], readings: Mapping[str, str]) -> list[str]:
    found = []
    for key, within in (("near", True), ("beyond", False)):
        for pips, distance in enumerate(map(Fraction, data[key]), start=1):
            target = square(1, (distance + 9, Fraction(0)), colour="B")
            attacker = lying(pips, point(0, 0), point(1, 0))
            if engine(**readings).in_range(attacker, target, distance) != within:
                found.append(f"{pips} at {distance}")
    return found


CHECKS = {"status": _status, "plays": _plays, "sealed": _sealed, "sets": _sets, "ranges": _ranges}
SINGLE = [claim for claim in BOOK.claims.values() if claim.check in CHECKS]
SUSPECTS = {  # claims that depend on a reading, each with the readings that break it
    "IC-08": {"capture_chain=one"},
    "IC-10": {"cryo=revocable"},
    "IC-11": {"icehouse=none_in_play"},
    "IC-12": {"limit_when=before_return"},
    "IC-13": {"own=placer"},
    "IC-16b": {"icehouse=frozen_some"},
    "IC-17": {"graze=open"},
    "IC-18": {"range=inclusive", "length=slant", "far=legal"},
    "IC-19": {"graze=open"},
    "IC-19b": {"edge=overhang"},
    "IC-21": {"icehouse=none_in_play"},
    "IC-22": {"length=slant"},
    "IC-23": {"revalidate=no"},
    "IC-24": {"icehouse=none_in_play", "self_call=self_only"},
}


@pytest.mark.parametrize("claim", SINGLE, ids=lambda claim: claim.id)
def test_claims_hold_by_default(claim: Claim) -> None:
    assert CHECKS[claim.check](claim.data, {}) == []
    assert (claim.expect == "depends") == (claim.id in SUSPECTS)


@pytest.mark.parametrize(("claim", "reading"), [(c, r) for c, found in SUSPECTS.items() for r in sorted(found)])
def test_claims_fail_where_they_should(claim: str, reading: str) -> None:
    name, _, value = reading.partition("=")
    assert CHECKS[BOOK.claims[claim].check](BOOK.claims[claim].data, {name: value}) != []


# -- Random games -----------------------------------------------------------------------------------------------


NEAR = "100,0,150,40/20,0,60,20/190,0,250,40"  # three pads


def _random_game(umpire: Engine, rng: random.Random, events: int) -> list[Position]:
    position, seen = umpire.start(), []
    for _ in range(events):
        seen.append(position)
        if umpire.over(position):
            break
        others = [e for e in umpire.moves(position) if str(e) != "time"]
        event: Any = rng.choice(others)
        if rng.random() < 0.85:
            tries = islice(proposals(rng, position), 12)
            event = next((e for e in tries if umpire.judge(position, e).legal), event)
        position = umpire.play(position, event)
    return seen


def test_proposals_are_worth_asking_about() -> None:
    """Of what is proposed much is allowed and much is not, for most reasons that there are."""
    umpire = engine({"players": "3", "pieces": "3,3,3", "table": "250x250", "pads": NEAR}, touching="forbidden")
    verdicts: Counter[tuple[str, ...]] = Counter()
    for position in _random_game(umpire, random.Random(1), 16):
        for event in islice(proposals(random.Random(2), position), 25):
            assert read_move(umpire.params, str(event)) == event
            verdicts[umpire.judge(position, event).clauses] += 1
    assert verdicts[()] > 60
    reasons = {"IH-16", "IH-04", "IH-19", "IH-78", "IH-17", "IH-35", "IH-27"}
    assert reasons <= {clause for clauses in verdicts for clause in clauses}


@pytest.mark.parametrize("seed", range(5))
def test_random_games_keep_what_must_be_kept(seed: int) -> None:
    """No piece is lost or doubled, no two overlap, texts round-trip, and what is listed is allowed."""
    rng = random.Random(seed)
    readings = {o.name: rng.choice(o.values) for o in BOOK.options.values()} if seed else {}
    params = {"players": "3", "pieces": "2,2,2", "limit": "4", "table": "250x250", "pads": NEAR}
    umpire = engine(params, **readings)
    for position in _random_game(umpire, rng, 20):
        assert read_position(umpire.params, str(position)) == position
        held = Counter(p.pyramid for p in position.pieces) + Counter(h for h in position.hands if h)
        for player in umpire.params.colours:
            held += Counter(position.pad(player))
        assert set(held.values()) == {2}
        assert len(held) == 9
        moves = umpire.moves(position)
        assert len(set(moves.values())) == len(moves)
        for event in rng.sample(list(moves), min(3, len(moves))):
            assert umpire.play(position, read_move(umpire.params, str(event))) == moves[event]


def test_scores_add_up() -> None:
    """What succeeds and what fails make up what lies on the table; nobody scores for a pad."""
    umpire = engine({"players": "3", "pieces": "2,2,2"})
    for position in _random_game(umpire, random.Random(7), 24):
        won = sum(piece.pips for n, piece in enumerate(position.pieces) if umpire.succeeds(position, n))
        silent = [p for p in umpire.params.colours if umpire.silenced(position, p)]
        mine = {p: sum(x.pips for n, x in enumerate(position.pieces) if x.colour == p and umpire.succeeds(position, n))
                for p in umpire.params.colours}  # fmt: skip
        assert sum(umpire.scores(position).values()) == won - sum(mine[p] for p in silent)


def _keeps_a_target(umpire: Engine, position: Position) -> bool:
    seen = [umpire.points_at(position.pieces, a) for a, piece in enumerate(position.pieces) if piece.lying]
    return all(sight.piece is not None or sight.pinched for sight in seen)


def test_an_attack_keeps_pointing_at_something() -> None:
    """IC-15 and IC-16, along random games: attacks point at something or are pinched, and defenders stay."""
    umpire, looked = engine({"players": "3", "pieces": "3,3,3"}), 0
    for seed in range(2):
        before: set[Piece] = set()
        for position in _random_game(umpire, random.Random(seed), 36):
            assert _keeps_a_target(umpire, position)
            standing = {piece for piece in position.pieces if not piece.lying}
            assert before <= standing
            before, looked = standing, looked + len(position.pieces) - len(standing)
    assert looked > 100


@pytest.mark.parametrize(("graze", "kept"), [("seam", True), ("open", True), ("closed", False)])
def test_a_tip_against_the_target(graze: str, kept: bool) -> None:
    """IC-15: under one reading an attack can come to point at nothing after all."""
    (line,) = BOOK.claims["IC-15"].data["lines"]
    umpire = engine(graze=graze)
    assert _keeps_a_target(umpire, _played(umpire, line["position"], *line["events"])) is kept


# -- Counts and questions ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", [pytest.param(line, id=str(line.line)) for line in read_counts(GAME)])
def test_counts(line: Counted) -> None:
    """The kept counts, and with limit=0 or full pads also those of a counter that shares no code with the engine."""
    umpire, position = line.opened(GAME)
    pads = tuple(tuple(sorted(map(str, position.pad(p)))) for p in umpire.params.colours)
    state = (pads, tuple(str(hand or "") for hand in position.hands), position.stopped)
    for depth, expected in line.counts.items():
        assert perft(umpire, position, depth) == expected
        if line.params.get("limit") == "0" or not line.params:
            assert naive.count(state, bool(position.pieces), depth) == expected


ASKED = tomllib.loads((HERE / "conformance" / "icehouse.toml").read_text(encoding="utf-8"))["ask"]


@pytest.mark.parametrize("ask", ASKED, ids=lambda ask: ask["why"])
def test_questions_of_the_conformance_plan_tell_readings_apart(ask: dict[str, Any]) -> None:
    """Each is a question indeed: the engine answers it, and every reading it names changes some answer."""
    answers = {}
    for name, value in [("", ""), *((name, value) for name, values in ask["each"].items() for value in values)]:
        umpire, position = opened(ask["position"], ask.get("params"), **({name: value} if name else {}))
        answers[f"{name}={value}"] = [answer(umpire, position, event) for event in ask["events"]]
    default = answers.pop("=")
    assert len(set(default)) > 1
    alone = {"distance=body", "meltdown_cure=yes", "first_two=player"}  # the last two need meltdown=on_call
    assert [name for name, found in answers.items() if found == default and name not in alone] == []


# -- Pictures ---------------------------------------------------------------------------------------------------

SVG = "{http://www.w3.org/2000/svg}"
FIVE = {
    "players": "5", "table": "560x360",
    "pads": "0,0,100,60/460,0,560,60/0,300,100,360/460,300,560,360/230,0,330,60",
}  # fmt: skip
SCENE = (
    "all A2@150,150 B1@200,300^3/5,4/5 B3@170,150>-1,0 C3@300,150^4/5,3/5 D2@270,126>4/5,3/5 E3@400,200 "
    "B1@200,200 D3@180,200>1,0 E2@200,224>0,-1:A C1@400,100>0,-1 hands=A1/-/-/-/- prisoners=B2/-/-/-/A3 iced=B"
)


def _drawn(text: str, params: Mapping[str, str], move: str | None = None, highlight: tuple[int, ...] = ()) -> str:
    chosen = read_params(params)
    event = None if move is None else read_move(chosen, move)
    return DRAWER.svg(chosen, read_position(chosen, text), event, highlight)


def test_text_picture() -> None:
    chosen = read_params({"players": "2", "pieces": "1,1,1"})
    shown = DRAWER.text(chosen, read_position(chosen, "all A2@0,0 B3@20,0>-1,0 hands=-/B1"))
    assert shown.splitlines() == [
        "everybody plays at once",
        "",
        "AAAAAA.............bbb.",
        "AAAAAA......bbbbbbbbbb.",
        "AAAAAA..*...bbbbbbbbbb.",
        "AAAAAA.............bbb.",
        "",
        " 1  A2@0,0        frozen",
        " 2  B3@20,0>-1,0  attacks 1",
        "",
        "A  0 points, 2 on the pad: A1 A3",
        "B  3 points, 1 on the pad: B2, B1 in the hand",
    ]


@pytest.mark.parametrize(
    ("text", "caption"),
    [
        ("all", "everybody plays at once"),
        ("all over=yes", "the time is up, A and B share the first place"),
        ("all A1@0,0 over=yes", "the time is up, A wins"),
        ("all A1@0,0 B1@40,0", "all is placed, A and B share the first place"),
    ],
)
def test_captions(text: str, caption: str) -> None:
    chosen = read_params({"players": "2", "pieces": "1,0,0"})
    position = read_position(chosen, text)
    assert DRAWER.text(chosen, position).splitlines()[0] == caption
    assert ET.fromstring(DRAWER.svg(chosen, position, None, ())).findtext(f"{SVG}text") == caption


def test_the_picture_of_a_puzzle_does_not_say_who_has_won() -> None:
    chosen = read_params({"players": "2", "pieces": "1,0,0"})
    for text in ("all", "all A1@0,0 over=yes", "all A1@0,0 B1@40,0"):
        drawn = DRAWER.riddle(chosen, read_position(chosen, text)) if DRAWER.riddle else ""
        assert ET.fromstring(drawn).findtext(f"{SVG}text") == "everybody plays at once"


def test_text_says_how_each_piece_stands() -> None:
    chosen = read_params(FIVE)
    shown = DRAWER.text(chosen, read_position(chosen, SCENE))
    states = [line.split("  ")[-1].strip() for line in shown.splitlines() if re.match(" ?[0-9]+  ", line)]
    assert states == [
        "frozen", "free", "attacks 1", "free", "attacks 4 in vain", "free", "frozen",
        "attacks 7, B may capture it", "attacks 7, B may capture it", "attacks nothing",
    ]  # fmt: skip


@pytest.mark.parametrize("move", [None, "A1@40,200", "B captures 8", "A calls", "C2@500,200>-1,0"])
def test_pictures_are_whole(move: str | None) -> None:
    picture = _drawn(SCENE, FIVE, move, (2,))
    root = ET.fromstring(picture)
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    for polygon in root.iter(f"{SVG}polygon"):
        for corner in polygon.attrib["points"].split():
            x, y = map(float, corner.split(","))
            assert 0 <= x <= width
            assert 0 <= y <= height
    assert root.attrib["role"] == "img"
    assert root[0].text == f"Icehouse: {SCENE}" + (f", event {move}" if move else "")
    assert picture.count("http") == 1  # the namespace
    assert not any(word in picture for word in ("href", "url(", " id="))
    labels = [e.text for g in root.iter(f"{SVG}g") for e in g.iter(f"{SVG}text")]
    assert Counter(label for label in labels if label and label[0].isalpha()) == Counter(
        re.findall(r"([A-E][123])@", SCENE)
    )


def test_frozen_pieces_are_hatched_and_lines_differ() -> None:
    root = ET.fromstring(_drawn(SCENE, FIVE))
    hatched = [g.findtext(f"{SVG}title") for g in root.iter(f"{SVG}g") if g.find(f"{SVG}path") is not None]
    assert hatched == ["1: medium piece A2@150,150", "7: small piece B1@200,200"]
    dashes = Counter(line.attrib["stroke-dasharray"] for line in root.findall(f"{SVG}path"))
    assert dashes == {"none": 3, "7 4": 1, "1 5": 1}  # success, too weak, attacking nothing


def test_colours_differ_in_brightness() -> None:
    """Printed without colour no two of the five look alike."""
    parts = {player: [int(fill[n : n + 2], 16) for n in (1, 3, 5)] for player, fill in FILL.items()}
    grey = sorted(0.299 * r + 0.587 * g + 0.114 * b for r, g, b in parts.values())
    assert min(high - low for low, high in pairwise(grey)) > 35


@pytest.mark.parametrize("text", ["all", "all A1@999999999999,0 B1@-999999999999,5", "all A1@1/999999999999,0"])
def test_pictures_of_odd_tables(text: str) -> None:
    assert ET.fromstring(_drawn(text, {})).attrib["role"] == "img"
    assert text.count("@") == sum(
        line.lstrip()[:1].isdigit() for line in DRAWER.text(Params(), read_position(Params(), text)).splitlines()
    )
