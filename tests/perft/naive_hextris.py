"""Hextris once more, slowly: plain text in, plain text out, nothing shared with the package.

Points are complex numbers one unit apart, so neighbours are at distance 1 and straight lines are multiples of the
sixth roots of one. Every pair of points is tried, every sentence of the sheet is asked anew, and all groups of
the whole board are put together for each try. A rule is a dict of the values of readings, all of them.
"""

from __future__ import annotations

import cmath
import random
from functools import cache
from itertools import product
from typing import NamedTuple

DEFAULTS = {
    "swap": "initiator",
    "place_group": "counts",
    "win_overflow": "illegal",
    "final_group": "keep",
    "allowed_move": "any_action",
    "overflow_test": "result",
    "gift": "counts_for_colour",
}
Board = dict[str, str]  # point: piece


class Game(NamedTuple):
    players: int
    radius: int
    group: int
    groups: int
    stash: dict[str, int]  # piece: how many


class State(NamedTuple):
    mover: str
    board: Board
    hands: dict[str, int]  # piece: how many
    formed: dict[str, int]  # player: groups


def game(players: str = "2", radius: str = "2", group: str = "5", groups: str = "3", pieces: str = "5,5,5") -> Game:
    triples = pieces.split("/") if "/" in pieces else [pieces] * int(players)
    stash = {f"{c}{s}": int(n) for c, t in zip("ABC", triples, strict=False) for s, n in enumerate(t.split(","), 1)}
    return Game(int(players), int(radius), int(group), int(groups), stash)


# -- The sheet of paper --------------------------------------------------------------------------------------


@cache
def spots(radius: int) -> dict[str, complex]:
    """The longest row is the middle one; each row above or below is a point shorter and half a point further in."""
    found = {}
    for row in range(2 * radius + 1):
        short = abs(row - radius)
        for n in range(2 * radius + 1 - short):
            found["abcdefg"[row] + str(n + 1)] = complex(n + short / 2, row * 3**0.5 / 2)
    return found


def distance(radius: int, p: str, q: str) -> float:
    return abs(spots(radius)[p] - spots(radius)[q])


@cache
def adjacent(radius: int, p: str, q: str) -> bool:
    return 0.9 < distance(radius, p, q) < 1.1


@cache
def between(radius: int, p: str, q: str) -> list[str] | None:
    """The points between two points of a straight line; None if they are not on one."""
    way = spots(radius)[q] - spots(radius)[p]
    if abs(way) < 0.1 or abs((way / abs(way)) ** 6 - 1) > 0.001:
        return None
    steps = round(abs(way))
    passed = [spots(radius)[p] + k * way / steps for k in range(1, steps)]
    return [
        next(name for name, at in spots(radius).items() if cmath.isclose(at, spot, abs_tol=0.01)) for spot in passed
    ]


@cache
def on_perimeter(radius: int, p: str) -> bool:
    """First or last of its row, or in the first or last row."""
    same_row = [q for q in spots(radius) if q[0] == p[0]]
    return p in (same_row[0], same_row[-1]) or p[0] in ("a", max(spots(radius))[0])


# -- Text ----------------------------------------------------------------------------------------------------


def read(g: Game, text: str) -> State:
    mover, *words = text.split()
    board = dict(w.split(":") for w in words if ":" in w)
    keys = dict(w.split("=") for w in words if "=" in w)
    colours = "ABC"[: g.players]
    if not keys:
        left = {piece: n - list(board.values()).count(piece) for piece, n in g.stash.items()}
        return State(mover, board, left, dict.fromkeys(colours, 0))
    hands = {f"{c}{s}": int(n) for c, t in zip(colours, keys["hands"].split("/"), strict=True)
             for s, n in enumerate(t.split(","), 1)}  # fmt: skip
    return State(mover, board, hands, dict(zip(colours, map(int, keys["groups"].split("/")), strict=True)))


def write(g: Game, state: State) -> str:
    words = [state.mover, *(f"{p}:{state.board[p]}" for p in spots(g.radius) if p in state.board)]
    pieces = list(state.board.values())
    nothing_gone = all(state.hands[q] + pieces.count(q) == n for q, n in g.stash.items())
    if any(state.formed.values()) or not nothing_gone:
        hands = "/".join(",".join(str(state.hands[f"{c}{s}"]) for s in (1, 2, 3)) for c in state.formed)
        words += [f"hands={hands}", "groups=" + "/".join(map(str, state.formed.values()))]
    return " ".join(words)


# -- The sentences of the sheet ------------------------------------------------------------------------------


def all_groups(g: Game, board: Board) -> list[set[str]]:
    """Begin with lone pieces; as long as two sets of one colour touch, make them one."""
    sets = [{p} for p in board]
    while True:
        touching = next(
            (
                (s, t)
                for s, t in product(sets, sets)
                if s is not t and any(board[p][0] == board[q][0] and adjacent(g.radius, p, q) for p in s for q in t)
            ),
            None,
        )
        if touching is None:
            return sets
        sets = [s for s in sets if s not in touching] + [touching[0] | touching[1]]


def new_groups(g: Game, before: Board, after: Board) -> list[set[str]]:
    """Those with a point that has a colour it did not have before."""
    return [s for s in all_groups(g, after) if any(after[p][0] != before.get(p, " ")[0] for p in s)]


def sizes_may_exchange(swap: str, mover: str, first: str, second: str) -> bool:
    only_with = {"3": "2", "2": "1", "1": "3"}
    differ = first[1] != second[1]
    if first[0] == second[0] == mover and differ:
        return True
    if swap == "initiator":
        return only_with[first[1]] == second[1]
    if swap == "mutual":
        return only_with[first[1]] == second[1] and only_with[second[1]] == first[1]
    return differ


def may_slide(g: Game, state: State, p: str, q: str) -> bool:
    way, piece = between(g.radius, p, q), state.board[p]
    if way is None or piece[0] != state.mover or any(r in state.board for r in [*way, q]):
        return False
    return piece[1] == "3" or len(way) < int(piece[1])


def may_exchange(g: Game, swap: str, state: State, p: str, q: str) -> bool:
    if q not in state.board or not adjacent(g.radius, p, q):
        return False
    piece, other = state.board[p], state.board[q]
    return (piece[0] == state.mover or swap == "any_two") and sizes_may_exchange(swap, state.mover, piece, other)


def slides_and_exchanges(g: Game, rule: dict[str, str], state: State) -> list[tuple[Board, list[Board]]]:
    """Each with the boards that the sliding piece goes through on its way."""
    found: list[tuple[Board, list[Board]]] = []
    for p, q in product(state.board, spots(g.radius)):
        piece = state.board[p]
        rest = {r: x for r, x in state.board.items() if r not in (p, q)}
        if may_slide(g, state, p, q):
            found.append(({**rest, q: piece}, [{**rest, r: piece} for r in between(g.radius, p, q) or []]))
        if may_exchange(g, rule["swap"], state, p, q):
            found.append(({**rest, p: state.board[q], q: piece}, []))
    return found


def too_large(g: Game, before: Board, boards: list[Board]) -> bool:
    return any(len(s) > g.group for board in boards for s in new_groups(g, before, board))


def concluded(g: Game, rule: dict[str, str], state: State, after: Board, passed: list[Board], put: str) -> State | None:
    """What a turn leads to, or None if it is not allowed; `put` is the piece that comes from the hand, if any."""
    fives = [s for s in new_groups(g, state.board, after) if len(s) == g.group]
    if put and fives and rule["place_group"] == "illegal":
        return None
    if put and rule["place_group"] == "ignored":
        fives = []
    formed = dict(state.formed)
    for five in fives:
        colour = after[min(five)][0]
        if rule["gift"] == "counts_for_mover":
            colour = state.mover
        if rule["gift"] != "void" or colour == state.mover:
            formed[colour] = min(g.groups, formed[colour] + 1)
    over = g.groups in formed.values()
    tested = [after] + (passed if rule["overflow_test"] == "transit" else [])
    if too_large(g, state.board, tested) and not (over and rule["win_overflow"] == "allowed"):
        return None
    if not over or rule["final_group"] == "remove":
        after = {p: piece for p, piece in after.items() if not any(p in five for five in fives)}
    hands = {piece: n - (piece == put) for piece, n in state.hands.items()}
    return State(following(g, state.mover), after, hands, formed)


def following(g: Game, player: str) -> str:
    return {"A": "B", "B": "C" if g.players == 3 else "A", "C": "A"}[player]


def results(g: Game, rule: dict[str, str], text: str) -> set[str]:
    """All positions that a turn can lead to."""
    state = read(g, text)
    if g.groups in state.formed.values():
        return set()
    moved = [concluded(g, rule, state, after, passed, "") for after, passed in slides_and_exchanges(g, rule, state)]
    put = [
        concluded(g, rule, state, {**state.board, p: piece}, [], piece)
        for piece, n in state.hands.items()
        for p in spots(g.radius)
        if piece[0] == state.mover and n and p not in state.board and on_perimeter(g.radius, p)
    ]
    binding = moved if rule["allowed_move"] == "displacement" else moved + put
    found = {write(g, s) for s in moved + put if s is not None}
    if all(s is None for s in binding):
        found.add(write(g, state._replace(mover=following(g, state.mover))))
    return found


def winner(g: Game, text: str) -> str | None:
    """The player before the one to move has just moved, and wins a tie; then the others in turn."""
    state = read(g, text)
    last = next(c for c in state.formed if following(g, c) == state.mover)
    in_turn = [last, following(g, last), following(g, following(g, last))]
    return next((c for c in in_turn if state.formed[c] == g.groups), None)


def perft(g: Game, rule: dict[str, str], text: str, depth: int) -> int:
    return 1 if depth == 0 else sum(perft(g, rule, result, depth - 1) for result in results(g, rule, text))


def scatter(rng: random.Random, g: Game, late: bool = False) -> str:
    """A random position without a whole group; a late one has every player one group short of winning."""
    board: Board = {}
    hands = dict(g.stash)
    formed = dict.fromkeys("ABC"[: g.players], g.groups - 1 if late else 0)
    bag = [piece for piece, n in g.stash.items() for _ in range(n)]
    rng.shuffle(bag)
    for colour, n in formed.items():
        for piece in [piece for piece in bag if piece[0] == colour][: n * g.group]:
            bag.remove(piece)
            hands[piece] -= 1
    places = list(spots(g.radius))
    rng.shuffle(places)
    for p, piece in list(zip(places, bag, strict=False))[: rng.randrange(len(places))]:
        if all(len(s) < g.group for s in all_groups(g, {**board, p: piece})):
            board[p] = piece
            hands[piece] -= 1
    return write(g, State(rng.choice(list(formed)), board, hands, formed))


if __name__ == "__main__":
    for depth in (1, 2):
        print(depth, perft(game(), DEFAULTS, "A", depth))
