"""Protects: Nest race on the hexagon: its squares, lines and seats, the sentence for each kind of bad input, its hops
against the drawn board, what is forward, and the rules for three and for six in positions made for them."""

from __future__ import annotations

import math
import random
import re
import sys
import xml.etree.ElementTree as ET
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path

import pytest

from rulecheck import render
from rulecheck.analyses.solved_play import solve_play
from rulecheck.games.nestrace import GAME, Params
from rulecheck.games.nestrace.drawing import DRAWER
from rulecheck.games.nestrace.engine import Engine
from rulecheck.games.nestrace.engine_board import HexagonGround
from rulecheck.games.nestrace.puzzles import FinishIn, FreeTheBlockade, IsItPat, WinIn, rules_for
from rulecheck.games.nestrace.sketches import sketch
from rulecheck.games.nestrace.words import in_words
from rulecheck.model import InputError
from rulecheck.notation import NotationError
from solvers.graph import Outcome

sys.path.insert(0, str(Path(__file__).parents[1] / "perft"))
import naive_nestrace as naive
from naive_nestrace_hexagon import HexTable

HEX = {"board": "hexagon"}
SMALL = {**HEX, "core": "2"}
TINY, FOUR = {**SMALL, "nests": "1"}, {**HEX, "core": "4", "nests": "1"}
SIX = {**HEX, "players": "6"}
CROWD = {**SMALL, "players": "6"}
BOOK = GAME.rulebook


def engine(params: dict[str, str], readings: dict[str, str] | None = None) -> Engine:
    return Engine(GAME.params(params), BOOK.choose(readings or {}))


def test_the_board_of_the_note() -> None:
    params = GAME.params(HEX)
    assert len(params.squares) == 78
    kite = [name for name in params.squares if name[0] == "a"]
    assert " ".join(kite) == "a11 a12 a13 a14 a21 a22 a23 a24 a31 a32 a33 a41 a42"
    lines = {side: [params.squares[n] for n in params.edge(side)] for side in ("south", "north-west", "north-east")}
    assert lines["south"] == ["c24", "c14", "d41", "d42"]
    assert lines["north-west"] == ["e24", "e14", "f41", "f42"]
    assert lines["north-east"] == ["a24", "a14", "b41", "b42"]
    edges = [n for side in params.grid.sides for n in params.edge(side)]
    assert len(edges) == len(set(edges)) == 24


@pytest.mark.parametrize(("core", "width", "squares"), [("2", "2", 18), ("4", "2", 36), ("4", "4", 48), ("6", "6", 90)])
def test_smaller_and_fuller_boards(core: str, width: str, squares: int) -> None:
    params = GAME.params({**HEX, "core": core, "width": width})
    assert len(params.squares) == len(set(params.squares)) == squares
    assert all(len(params.start_line(p)) == int(width) for p in params.letters)


def test_three_sit_on_every_other_side() -> None:
    south, north = GAME.params(HEX), GAME.params({**HEX, "side": "north"})
    assert [south.home(p) for p in "ABC"] == ["south", "north-west", "north-east"]
    assert [north.home(p) for p in "ABC"] == ["north", "south-east", "south-west"]
    assert south.mate("A") is None
    assert [south.finish_line(p) for p in "ABC"] == [north.start_line(p) for p in "ABC"]
    assert (south.players, south.nests, south.seats("south")) == (3, 4, ("A",) * 4)


def test_six_share_every_other_side() -> None:
    params = GAME.params(SIX)
    assert [params.home(p) for p in "ABCDEF"] == ["south", "north-east", "north-west"] * 2
    assert [params.mate(p) for p in "ABCDEF"] == list("DEFABC")
    assert [params.seats(side) for side in params.sides] == [tuple("ADAD"), tuple("BEBE"), tuple("CFCF")]
    assert GAME.params({**SIX, "setup": "caca"}).seats("south") == tuple("DADA")
    assert [GAME.params({**SIX, "side": "north"}).home(p) for p in "ABC"] == ["north", "south-west", "south-east"]


@pytest.mark.parametrize("given", [HEX, SMALL, SIX, {**SIX, "partners": "yes", "setup": "caca", "side": "north"}])
def test_parameters_round_trip(given: dict[str, str]) -> None:
    params = GAME.params(given)
    assert GAME.params(params.as_dict()) == params
    assert params.as_dict()["board"] == "hexagon"


def test_the_square_board_is_named_as_ever() -> None:
    assert "board" not in Params().as_dict()
    assert GAME.params({"board": "square"}) == Params()


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"board": "round"}, "unknown value of parameter board 'round'; known: square, hexagon"),
        ({"players": "3"}, "unknown value of parameter players '3'; known: 2, 4; 3 and 6 need board=hexagon"),
        ({**HEX, "players": "4"}, "unknown value of parameter players '4'; known: 3, 6; 2 and 4 need board=square"),
        ({**HEX, "side": "west"}, "unknown value of parameter side 'west'; known: south, north"),
        ({"side": "south"}, "unknown value of parameter side 'south'; known: west, east"),
        ({**HEX, "core": "5"}, "parameter core must be even on the hexagon, found '5'"),
        ({**HEX, "core": "8"}, "parameter core wants a whole number from 2 to 7, found '8'"),
        ({**HEX, "width": "3"}, "parameter width must be even like the core of 6, found '3'"),
        ({**HEX, "nests": "5"}, "parameter nests wants a whole number from 1 to 4, found '5'"),
        ({**SIX, "nests": "3"}, "parameter nests wants a whole number from 1 to 2, found '3'"),
        ({**HEX, "setup": "caca"}, "parameter setup is about six players, so it needs players=6"),
        ({**HEX, "partners": "yes"}, "parameter partners is about six players, so it needs players=6"),
    ],
)
def test_bad_parameters(given: dict[str, str], problem: str) -> None:
    with pytest.raises(InputError, match=re.escape(problem)):
        GAME.params(given)


@pytest.mark.parametrize(
    ("params", "text", "column", "problem"),
    [
        (HEX, "D a11:A1", 1, "expected the player to move (A or B or C), found 'D'"),
        (HEX, "A a44:A1", 3, "a44 is a cut corner"),
        (HEX, "A g11:A1", 3, "expected a square from a11 to f42, found 'g11'"),
        (HEX, "A c1:A1", 3, "expected a square from a11 to f42, found 'c1'"),
        (HEX, "A a14:A1", 7, "A1 cannot stand on a14, a line of C"),
        (HEX, "A e14:C1", 7, "C1 cannot stand on e14, a line of B"),
        (SMALL, "A a11:A1A2A3 b11:B1", 20, "the position lacks A1, A2, A3"),
        (SMALL, "A a11:A1 b11:D1", 14, "expected a pyramid, a colour (A, B, C)"),
    ],
)
def test_bad_positions(params: dict[str, str], text: str, column: int, problem: str) -> None:
    with pytest.raises(NotationError, match=re.escape(problem)) as caught:
        GAME.read_position(GAME.params(params), text)
    assert caught.value.column == column


@pytest.mark.parametrize(
    ("text", "column", "problem"),
    [
        ("a11", 4, "expected FROM-TO or pass, found 'a11'"),
        ("a11-a34", 5, "a34 is a cut corner"),
        ("a11-a1", 5, "expected a square from a11 to f42, found 'a1'"),
        ("a11-a00", 5, "expected a square from a11 to f42, found 'a00'"),
    ],
)
def test_bad_moves(text: str, column: int, problem: str) -> None:
    with pytest.raises(NotationError, match=re.escape(problem)) as caught:
        GAME.read_move(GAME.params(HEX), text)
    assert caught.value.column == column


# -- Hops, against squares drawn from their corners ---------------------------------------------------------------

HEXAGON_READINGS = {
    "seam": ("ruled", "edges"),
    "centre": ("opposite", "touching", "none"),
    "behind": ("along", "fan", "straight"),
}
Point = tuple[Fraction, Fraction]
DIRECTIONS = ((0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0))  # the middles of the sides, clockwise, on skew axes


def corners(square: str, h: int) -> list[Point]:
    """Of a square of the ruled kite, in order around it; every kite is drawn by itself."""
    kite, u, v = "abcdef".index(square[0]), int(square[1]), int(square[2])
    (x1, y1), (x2, y2) = DIRECTIONS[kite], DIRECTIONS[(kite + 1) % 6]

    def point(i: int, j: int) -> Point:
        s, t = Fraction(i, h), Fraction(j, h)
        one, other = s - s * t / 3, t - s * t / 3
        return one * x1 + other * x2, one * y1 + other * y2

    return [point(i, j) for i, j in ((u - 1, v - 1), (u, v - 1), (u, v), (u - 1, v))]


def drawn_hops(params: Params, readings: dict[str, str]) -> tuple[set[tuple[str, str]], set[tuple[str, str, str]]]:
    """Steps and jumps (from, over, to): what shares two corners lies straight on, what shares one lies diagonally."""
    h, origin = params.core // 2 + 1, (Fraction(0), Fraction(0))
    at = {name: corners(name, h) for name in params.squares}
    shared = {(a, b): set(at[a]) & set(at[b]) for a in at for b in at if a != b}
    turned = {(a, b): ("abcdef".index(b[0]) - "abcdef".index(a[0])) % 6 for a, b in shared}

    def neighbours(a: str, b: str) -> bool:
        if len(shared[a, b]) == 1 and shared[a, b] == {origin}:
            return readings["centre"] == "touching" or (readings["centre"] == "opposite" and turned[a, b] == 3)
        if len(shared[a, b]) == 1 and a[0] != b[0]:
            return readings["seam"] == "ruled"
        return bool(shared[a, b])

    def in_line(a: str, over: str, b: str) -> bool:
        if not shared[a, over].isdisjoint(shared[over, b]) or len(shared[a, over]) != len(shared[over, b]):
            return False
        if len(shared[a, over]) == 1:  # the corners of the square between lie opposite each other
            ((first,), (second,)) = shared[a, over], shared[over, b]
            if (at[over].index(first) - at[over].index(second)) % 4 != 2:
                return False
        centre = [pair for pair in ((a, over), (over, b)) if shared[pair] == {origin}]
        if centre and readings["behind"] != "fan":
            return all(turned[pair] == 3 for pair in centre)
        return bool(centre) or readings["behind"] != "straight" or a[0] == over[0] == b[0]

    steps = {pair for pair in shared if neighbours(*pair)}
    jumps = {(a, q, b) for a, q in steps for r, b in steps if q == r and a != b and in_line(a, q, b)}
    return steps, jumps


@pytest.mark.parametrize("core", ["2", "4", "6"])
@pytest.mark.parametrize("values", list(product(*HEXAGON_READINGS.values())), ids="-".join)
def test_hops_are_those_of_the_drawn_board(core: str, values: tuple[str, ...]) -> None:
    readings = dict(zip(HEXAGON_READINGS, values, strict=True))
    rules = engine({**HEX, "core": core}, readings)
    name = rules.params.squares
    steps, jumps = drawn_hops(rules.params, readings)
    assert {(name[a], name[b]) for a, b in rules.steps} == steps
    assert sorted((name[a], name[over], name[b]) for (a, b), over in rules.jumps.items()) == sorted(jumps)
    assert rules.steps.isdisjoint(rules.jumps)


def test_files_from_the_south_end_in_the_north_west_and_north_east() -> None:
    board = HexagonGround(GAME.params(HEX), BOOK.defaults())
    ends = set()
    for kite, u, v in board.at:
        if board.at[kite, u, v] in board.params.edge("south"):
            here, way = (kite, u, v), (0, -1) if v == 4 else (-1, 0)
            while following := list(board.onward(here, way)):
                ((here, way),) = following
            ends.add(next(side for side in board.params.grid.sides if board.at[here] in board.params.edge(side)))
    assert ends == {"north-west", "north-east"}


# -- Playing -----------------------------------------------------------------------------------------------------

START = "A a12:C1C2C3 c12:A1A2A3 e12:B1B2B3"


@pytest.mark.parametrize(
    ("given", "start"),
    [
        (TINY, START),
        (
            CROWD,
            "A a12:B1B2B3 b21:E1E2E3 c12:A1A2A3 d21:D1D2D3 e12:C1C2C3 f21:F1F2F3",
        ),
        ({**TINY, "side": "north"}, "A b12:B1B2B3 d12:C1C2C3 f12:A1A2A3"),
    ],
)
def test_starting_positions(given: dict[str, str], start: str) -> None:
    assert str(engine(given).start()) == start


@pytest.mark.parametrize("forward", ["steps", "axis"])
@pytest.mark.parametrize("core", ["2", "4", "6"])
def test_three_players_run_alike(core: str, forward: str) -> None:
    """A third of a full turn carries A's view over to B's, and B's to C's."""
    rules = engine({**HEX, "core": core}, {"forward": forward})
    turned = [rules.params.number["cdefab"["abcdef".index(name[0])] + name[1:]] for name in rules.params.squares]
    for p, q in ("AB", "BC", "CA"):
        assert [rules.rows[q][turned[n]] for n in range(len(turned))] == rules.rows[p]
        assert {turned[n] for n in rules.foreign[p]} == rules.foreign[q]
        assert {turned[n] for n in rules.brinks[p]} == rules.brinks[q]
        assert [turned[n] for n in rules.params.start_line(p)] == list(rules.params.start_line(q))


def test_what_is_forward() -> None:
    """The reading parts hops towards the middle of the board's side: nearer by steps, or higher on the axis."""
    steps, axis = (engine(HEX, {"forward": value}) for value in ("steps", "axis"))
    number = steps.params.number
    assert [steps.rows["A"][number[n]] for n in ("c24", "c11", "b11", "a11", "a21", "a41", "f14", "f24")] == [
        *(1, 4, 4, 5, 6, 8, 8, 8)
    ]
    assert [max(range(78), key=axis.rows[p].__getitem__) in axis.finishes[p] for p in "ABC"] == [True] * 3
    parted = [hop for hop in steps.steps if (hop in steps.retreats["A"]) != (hop in axis.retreats["A"])]
    assert parted
    assert {(b, a) for a, b in axis.retreats["A"]}.isdisjoint(axis.retreats["A"])


ACROSS = "A a12:C1C2C3 c11:A3 c12:A1A2 e12:B1B2B3"
OVER = "A a13:C1C2C3 c11:B3 c13:A1A2 c22:A3 e13:B1B2"
BACK = "A a13:C1C2C3 c13:A1A2 e13:B1B2 f11:B3 f22:A3"
SEAM = "A a11:B3 a13:C1C2C3 c13:A1A2 e13:B1B2 f11:A3"
TOUCHING, FAN, STRAIGHT = {"centre": "touching"}, {"centre": "touching", "behind": "fan"}, {"behind": "straight"}
MOVES = [
    (TINY, {}, START, "c12-c11", "legal"),
    (TINY, {}, START, "c12-d21", "legal"),
    (TINY, {}, START, "c12-c21", "NR-27"),
    (TINY, {}, START, "e12-e11", "NR-10"),
    (TINY, {}, START, "c12-e11", "NR-14"),
    (FOUR, {}, "", "c13-c12-c11", "NR-17"),
    (TINY, {}, START, "pass", "NR-10"),
    (TINY, {}, START, "c12-d11", "legal"),
    (TINY, {"seam": "edges"}, START, "c12-d11", "NR-14"),
    (TINY, {}, ACROSS, "c11-f11", "legal"),
    (TINY, {"centre": "none"}, ACROSS, "c11-f11", "NR-14"),
    (TINY, {}, ACROSS, "c11-a11", "NR-14"),
    (TINY, TOUCHING, ACROSS, "c11-a11", "legal"),
    (TINY, {}, ACROSS, "c11-d21", "NR-13"),
    (TINY, {"backward": "diagonal_ok"}, ACROSS, "c11-d21", "NR-24"),
    (FOUR, {}, "", "c13-c11", "NR-15"),
    (FOUR, {}, OVER, "c22-f11", "legal"),
    (FOUR, {"centre": "none"}, OVER, "c22-f11", "NR-14"),
    (FOUR, STRAIGHT, OVER, "c22-f11", "legal"),
    (FOUR, {}, OVER, "c22-a11", "NR-14"),
    (FOUR, {"behind": "fan"}, OVER, "c22-a11", "NR-14"),
    (FOUR, FAN, OVER, "c22-a11", "legal"),
    (FOUR, TOUCHING, OVER, "c22-a11", "NR-14"),
    (FOUR, {}, BACK, "f22-c11", "NR-13"),  # "if you do not forget the third rule"
    (FOUR, {"backward": "diagonal_ok"}, BACK, "f22-c11", "legal"),
    (FOUR, {"back_jump": "net_forward"}, BACK, "f22-c11", "NR-44"),
    (FOUR, {}, SEAM, "f11-a12", "legal"),  # sideways, as the ruling bends
    (FOUR, STRAIGHT, SEAM, "f11-a12", "NR-14"),
]


def verdict(params: dict[str, str], readings: dict[str, str], text: str, move: str) -> str:
    """`legal`, or the clause that the engine names."""
    rules = engine(params, readings)
    position = GAME.read_position(rules.params, text) if text else rules.start()
    asked = GAME.read_move(rules.params, move)
    found = rules.judge(position, asked)
    listed = {(m.path[:1], m.path[-1:]) for m in rules.moves(position)}
    assert found.legal == ((asked.path[:1], asked.path[-1:]) in listed)
    return found.clauses[0] if found.clauses else "legal"


@pytest.mark.parametrize(("params", "readings", "text", "move", "expected"), MOVES)
def test_moves(params: dict[str, str], readings: dict[str, str], text: str, move: str, expected: str) -> None:
    assert verdict(params, readings, text, move) == expected


HELD = "{} a11:A3 a12:C1C2C3 c11:A1B2 e11:B3 e12:B1 f11:A2"  # A2 and A3 wait for A1, which lies under B2
HELD_TWICE = "{} a11:A3 a12:C1C2 c11:A1B2 d11:A2C3 e12:B1B3"


def test_who_blocks_must_free() -> None:
    rules = engine(TINY)
    at = {mover: GAME.read_position(rules.params, HELD.format(mover)) for mover in "ABC"}
    assert all(rules.in_pat(position, "A") for position in at.values())
    assert [bool(rules.victims(at[mover])) for mover in "ABC"] == [False, True, False]
    assert [str(move) for move in rules.moves(at["B"])] == ["c11-b11"]
    assert rules.judge(at["B"], GAME.read_move(rules.params, "e11-d11")).clauses == ("NR-29",)
    assert len(rules.moves(at["C"])) > 1


def test_of_two_blockers_the_one_whose_turn_comes_first_must_free() -> None:
    rules = engine(TINY)
    for mover, frees in (("B", "c11"), ("C", "d11")):
        position = GAME.read_position(rules.params, HELD_TWICE.format(mover))
        assert rules.in_pat(position, "A")
        assert {move.path[0] for move in rules.moves(position)} == {frees}
    first = GAME.read_position(rules.params, HELD_TWICE.format("B"))
    after = rules.play(first, next(iter(rules.moves(first))))
    assert not rules.in_pat(after, "A")
    assert len({move.path[0] for move in rules.moves(after)}) > 1  # C has no duty any more


WON = "{} a12:C1C2C3 a21:A1A2A3 e12:B1B2B3"


def test_three_win_alone() -> None:
    rules = engine(TINY)
    won = GAME.read_position(rules.params, WON.format("B"))
    assert rules.winner(won) == "A"
    assert rules.judge(won, GAME.read_move(rules.params, "e12-e11")).clauses == ("NR-04",)


def test_six_win_alone_or_with_their_partner() -> None:
    alone, team = engine(CROWD), engine({**CROWD, "partners": "yes"})
    assert team.sides == ("AD", "BE", "CF")
    both = "B a12:B1B2B3 a21:A1A2A3 b21:E1E2E3 e12:C1C2C3 f12:D1D2D3 f21:F1F2F3"
    one = "B a12:B1B2B3 a21:A1A2A3 b21:E1E2E3 d21:D1D2D3 e12:C1C2C3 f21:F1F2F3"
    assert alone.winner(GAME.read_position(alone.params, one)) == "A"
    assert team.winner(GAME.read_position(team.params, one)) is None
    won = GAME.read_position(team.params, both)
    assert team.winner(won) == "AD"
    move = GAME.read_move(team.params, "a12-a11")
    assert team.judge(won, move).clauses == ("NR-40",)
    assert alone.judge(GAME.read_position(alone.params, one), move).clauses == ("NR-32",)
    finished = GAME.read_position(team.params, one.replace("B ", "A ", 1))
    assert [str(move) for move in team.moves(finished)] == ["pass"]


def test_a_line_mates_pyramid_is_not_covered_on_the_shared_lines() -> None:
    text = "A a12:B1B2B3 b21:E1E2E3 c11:D2D3 c12:A1A2A3 d21:D1 e12:C1C2C3 f21:F1F2F3"
    assert verdict(CROWD, {}, text, "c12-d21") == "NR-37"
    assert verdict(CROWD, {"rule9_4p": "literal"}, text, "c12-d21") == "NR-27"


@pytest.mark.parametrize("given", [TINY, CROWD, {**CROWD, "partners": "yes"}, FOUR, {**HEX, "side": "north"}])
@pytest.mark.parametrize("forward", ["steps", "axis"])
def test_whole_games_keep_their_promises(given: dict[str, str], forward: str) -> None:
    rules, rng = engine(given, {"forward": forward}), random.Random(f"{given} {forward}")
    position = rules.start()
    for _ in range(60):
        assert GAME.read_position(rules.params, str(position)) == position
        moves = rules.moves(position)
        if not moves:
            break
        move = rng.choice(list(moves))
        assert rules.judge(position, move).legal
        assert rules.play(position, move) == moves[move]
        position = moves[move]


# -- Pictures ----------------------------------------------------------------------------------------------------

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize(
    ("params", "text", "move"),
    [(FOUR, OVER, "c22-f11"), (TINY, START, "c12-c11"), (CROWD, "", None), (HEX, "", None), (SIX, "", None)],
)
def test_pictures_show_every_pyramid_and_stay_inside(params: dict[str, str], text: str, move: str | None) -> None:
    rules = engine(params)
    position = GAME.read_position(rules.params, text) if text else rules.start()
    pieces = sorted(re.findall("[A-F][123]", str(position)))
    assert sorted(re.findall("[A-F][123]", render.text(GAME, rules.params, position))) == pieces
    drawn = None if move is None else GAME.read_move(rules.params, move)
    root = ET.fromstring(render.svg(GAME, rules.params, position, drawn, (0,)))
    labels = [e.text or "" for e in root.iter(f"{SVG}text")]
    assert sorted(label for label in labels if re.fullmatch("[A-F][123]", label)) == pieces
    assert len(root.findall(f"{SVG}polygon")) == (0 if move is None else move.count("-"))
    squares = {e.attrib["data-place"]: e.attrib for e in root.iter(f"{SVG}path") if "data-place" in e.attrib}
    assert list(squares) == list(rules.params.squares)
    assert {name for name, attributes in squares.items() if "pale" in attributes["class"]} == {"a11"}
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    points = [float(n) for e in squares.values() for n in re.findall(r"-?[\d.]+", e["d"])]
    assert all(0 <= x <= width for x in points[::2])
    assert all(0 <= y <= height for y in points[1::2])


def test_boxes_to_click_on_do_not_overlap() -> None:
    rules = engine(HEX)
    assert DRAWER.places is not None
    boxes = DRAWER.places(rules.params, rules.start(), None, ())
    assert list(boxes) == list(rules.params.squares)
    middles = [(box.x + box.width / 2, box.y + box.height / 2) for box in boxes.values()]
    assert min(math.dist(a, b) for a, b in combinations(middles, 2)) > 60


def test_a_step_is_drawn_straight_and_a_jump_as_an_arc() -> None:
    rules = engine(HEX)
    board = sketch(rules.params)
    assert all(board.touch(*step) for step in rules.steps)
    assert not any(board.touch(*jump) for jump in rules.jumps)


def test_six_colours_differ_without_colour() -> None:
    rules = engine(SIX)
    root = ET.fromstring(render.svg(GAME, rules.params, rules.start()))
    marks: dict[str, set[str]] = {}
    for group in root.iter(f"{SVG}g"):
        if name := next((e.text for e in group if re.fullmatch("[A-F][123]", e.text or "")), None):
            drawn = {re.sub(r"[-\d., ]", "", e.attrib["d"]) for e in group if e.tag == f"{SVG}path"}
            marks[name] = drawn | {e.attrib["fill"] for e in group if e.tag == f"{SVG}circle"}
    for size in "123":
        kinds = [marks[f"{colour}{size}"] for colour in "ABCDEF"]
        assert len({frozenset(kind) for kind in kinds}) == 6


# -- Against the naive counter -----------------------------------------------------------------------------------

TABLES = [
    (TINY, HexTable(2, 2, 1, players="ABC", side="south"), 60),
    ({**SMALL, "side": "north"}, HexTable(2, 2, 2, players="ABC", side="north"), 30),
    (CROWD, HexTable(2, 2, 1, players="ABCDEF", side="south"), 20),
    ({**CROWD, "partners": "yes"}, HexTable(2, 2, 1, players="ABCDEF", side="south", partners=True), 20),
    (FOUR, HexTable(4, 2, 1, players="ABC", side="south"), 10),
    (HEX, HexTable(6, 4, 4, players="ABC", side="south"), 3),
]


@pytest.mark.parametrize(("params", "table", "count"), TABLES)
def test_moves_of_scattered_positions(params: dict[str, str], table: HexTable, count: int) -> None:
    rules, rng = engine(params), random.Random(f"scatter {params}")
    assert naive.start(table) == str(rules.start())
    for _ in range(count):
        text = naive.scatter(table, rng)
        found = {str(after) for after in rules.moves(GAME.read_position(rules.params, text)).values()}
        assert found == naive.results(table, text), text


def test_scattered_positions_reach_the_pat_rule() -> None:
    rng = random.Random("pats")
    for params, table, _ in TABLES[:3]:
        rules = engine(params)
        positions = [GAME.read_position(rules.params, naive.scatter(table, rng)) for _ in range(150)]
        assert sum(rules.options(p).due for p in positions) >= 2
        assert sum(any(rules.in_pat(p, v) for v in rules.players) for p in positions) >= 5


# -- Puzzles and words ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [FinishIn(), FreeTheBlockade(), IsItPat()], ids=lambda kind: kind.name)
def test_puzzles_for_three_are_proposed_and_hold(kind: FinishIn | FreeTheBlockade | IsItPat) -> None:
    params = GAME.params(FOUR)
    chosen, rules = kind.within(params), rules_for(params)
    drafts = (chosen.propose(random.Random(seed)) for seed in range(20))
    draft = next(draft for draft in drafts if draft is not None)
    description = chosen.describe(rules, GAME.read_position(params, draft.position), draft.asked)
    assert description is not None
    if kind.name == "free-the-blockade":
        assert "another player" in description.question
        assert [str(m) for m in rules.moves(GAME.read_position(params, draft.position))] == list(description.answer)


def test_puzzles_that_are_not_for_so_many_are_refused() -> None:
    with pytest.raises(InputError, match="win-in-2 are for two players, not for 3"):
        WinIn(2).within(GAME.params(FOUR))
    with pytest.raises(InputError, match="is-it-pat are for two or three players, not for 6"):
        IsItPat().within(GAME.params(CROWD))


def test_a_game_in_words() -> None:
    assert in_words(GAME.params(TINY)) == (
        "three players, 18 squares (a hexagon of kites of 2 by 2, which is a conjecture, lines of 2), one nest for "
        "each player"
    )


# -- What one can force against all others ---------------------------------------------------------------------------


def test_six_jam_the_smallest_board() -> None:
    """Its whole play is solved: nobody wins, and it comes to positions in which no top can ever move again."""
    rules = engine(CROWD)
    solved = solve_play(GAME, rules.params, rules, hero="A")
    assert len(solved.graph.play) == 201
    positions = [solved.graph.play.position(n) for n in range(201)]
    assert {solved.worth(position).outcome for position in positions} == {Outcome.DRAW}
    jammed = [p for p in positions if not any(True for q in rules.players for _ in rules.base_moves(p, q))]
    assert len(jammed) == 114
    assert not any(rules.winner(position) for position in positions)
