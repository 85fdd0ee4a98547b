"""Nest race once more, as plainly as it can be said: a dictionary of squares, and every path written out.

Written from the rule sheet, with the default readings and a few others, and importing nothing of rulecheck, so that a
mistake in the engine has no way into the numbers it is compared with. Every path is built without looking at the rules
about lines, order and direction; then the rules are asked about the whole path. Slow, on purpose.
"""

from __future__ import annotations

import random
from itertools import pairwise
from typing import NamedTuple

WAYS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
Board = dict[str, str]  # square: its stack, "A1A2A3", bottom first; empty squares are left out


class Table(NamedTuple):
    """The game that is played: who, on what board, by which trial rules."""

    core: int = 6
    width: int = 4
    nests: int = 4
    players: str = "AB"
    side: str = "west"
    partners: bool = False
    diagonal_ok: bool = False
    closed: bool = False
    ends_any: bool = False
    net_forward: bool = False
    entry: bool = False
    null_legal: bool = False
    passing: str = "stuck"
    pat: str = "note5"
    any_move: bool = False
    lift: bool = False
    cover_top: bool = False

    def squares(self) -> list[str]:
        """Row by row from the south; an edge row or file has squares only in its middle."""
        last, margin = self.core + 2, (self.core + 2 - self.width) // 2
        names = []
        for y in range(1, last + 1):
            for x in range(1, last + 1):
                on_edge = [c for c, d in ((y, x), (x, y)) if d in (1, last)]
                if all(margin < c <= last - margin for c in on_edge):
                    names.append("_abcdefghi"[x] + str(y))
        return names

    def row(self, player: str, square: str) -> int:
        """1 is the player's start line, core + 2 the finish line."""
        x, y = "_abcdefghi".index(square[0]), int(square[1])
        if player in "AC":
            return y
        return x if self.side == "west" else self.core + 3 - x

    def start_line(self, player: str) -> list[str]:
        return [s for s in self.squares() if self.row(player, s) == 1]

    def starts_on(self, player: str, square: str) -> bool:
        return self.row(player, square) == 1

    def finishes_on(self, player: str, square: str) -> bool:
        return self.row(player, square) == self.core + 2

    def is_next_to_finish(self, player: str, square: str) -> bool:
        return self.row(player, square) == self.core + 1

    def is_late(self, player: str, square: str) -> bool:
        return self.is_next_to_finish(player, square) or self.finishes_on(player, square)

    def others_line(self, player: str, square: str) -> bool:
        """A start or finish line of those who run across."""
        across = [p for p in self.players if player not in self.axis(p)]
        return any(self.starts_on(p, square) or self.finishes_on(p, square) for p in across)

    def axis(self, player: str) -> str:
        """Who runs between the same lines."""
        return "AC" if player in "AC" else "BD"

    def steps(self, square: str) -> list[str]:
        return [toward(square, dx, dy) for dx, dy in WAYS]

    def jumps(self, square: str) -> list[tuple[str, str]]:
        """The square that is jumped over, and where the jump ends."""
        return [(toward(square, dx, dy), toward(square, 2 * dx, 2 * dy)) for dx, dy in WAYS]


def read(line: str) -> tuple[str, Board]:
    mover, *tokens = line.split()
    return mover, dict(token.split(":") for token in tokens)


def write(table: Table, mover: str, board: Board) -> str:
    return " ".join([mover] + [f"{s}:{board[s]}" for s in table.squares() if board.get(s)])


def start(table: Table) -> str:
    board = {}
    for owners in dict.fromkeys(map(table.axis, table.players)):
        seats = [p for p in owners if p in table.players] * table.nests
        for square, p in zip(table.start_line(owners[0]), seats, strict=False):
            board[square] = f"{p}1{p}2{p}3"
    return write(table, "A", board)


def is_home(table: Table, board: Board, player: str) -> bool:
    nest = f"{player}1{player}2{player}3"
    return sum(stack == nest and table.finishes_on(player, s) for s, stack in board.items()) == table.nests


def is_over(table: Table, board: Board) -> bool:
    teams = set(map(table.axis, table.players)) if table.partners else set(table.players)
    return any(all(is_home(table, board, p) for p in team) for team in teams)


def shifted(board: Board, source: str, target: str) -> Board:
    copy = dict(board)
    piece = copy[source][-2:]
    copy[source] = copy[source][:-2]
    copy[target] = copy.get(target, "") + piece
    return {s: stack for s, stack in copy.items() if stack}


def toward(square: str, dx: int, dy: int) -> str:
    return chr(ord(square[0]) + dx) + str(int(square[1]) + dy)


def paths(table: Table, rest: Board, piece: str, origin: str) -> list[list[str]]:
    """All steps, and all series of jumps without a square twice, but for the origin at the end."""
    squares = set(table.squares())

    def fits(square: str) -> bool:
        return square in squares and (square not in rest or rest[square][-1] < piece[1])

    def jumps(path: list[str]) -> list[list[str]]:
        found = []
        for middle, there in table.jumps(path[-1]):
            if rest.get(middle) and fits(there) and there not in path[1:]:
                longer = [*path, there]
                found += [longer] if there == origin else [longer, *jumps(longer)]
        return found

    steps = [[origin, there] for there in table.steps(origin)]
    return [path for path in steps if fits(path[1])] + jumps([origin])


def keeps_the_rules(table: Table, rest: Board, piece: str, path: list[str]) -> bool:
    p = piece[0]
    rows = [table.row(p, s) for s in path]
    is_jump = path[1] not in table.steps(path[0])
    falls = [b < a for a, b in pairwise(rows)]
    if table.diagonal_ok:
        straight = [a[0] == b[0] if p in "AC" else a[1] == b[1] for a, b in pairwise(path)]
        falls = [f and s for f, s in zip(falls, straight, strict=True)]
    if any(falls) and not (table.net_forward and is_jump and rows[-1] > rows[0]):
        return False
    if path[0] == path[-1] and not table.null_legal:
        return False
    for before, square in pairwise(path):
        if table.starts_on(p, square) and not table.starts_on(p, before):
            return False
        if table.finishes_on(p, before) and not table.finishes_on(p, square):
            return False
        ordered = piece[1] == "1" or rest.get(square, "00")[-1] == str(int(piece[1]) - 1)
        if table.finishes_on(p, square) and not ordered and not (table.entry and table.finishes_on(p, before)):
            return False
    if table.closed and any(table.others_line(p, s) for s in path[1:]):
        return False
    if table.ends_any and any(set(rest.get(s, "")[::2]) - {p} for s in path[1:-1]):
        return False
    end, mates = path[-1], table.axis(p).replace(p, "")
    shared = table.starts_on(p, end) or table.finishes_on(p, end)
    if shared and any(mate in rest.get(end, "") for mate in mates):
        return False
    return not table.others_line(p, path[-1])


def base(table: Table, board: Board, player: str) -> set[tuple[str, str]]:
    """From and to of all that the player could do without the pat rule."""
    found = set()
    for origin, stack in board.items():
        if stack[-2] == player:
            rest = {**board, origin: stack[:-2]}
            rest = {s: below for s, below in rest.items() if below}
            for path in paths(table, rest, stack[-2:], origin):
                if keeps_the_rules(table, rest, stack[-2:], path):
                    found.add((origin, path[-1]))
    return found


def in_pat(table: Table, board: Board, player: str) -> bool:
    if table.pat == "off" or is_over(table, board):
        return False
    remaining = {s: stack for s, stack in board.items() if player in stack and not table.finishes_on(player, s)}
    held = [s for s, stack in remaining.items() if stack[-2] != player]
    free = [s for s, stack in remaining.items() if stack[-2] == player]
    if not held:
        return False
    if table.pat == "no_move":
        return not base(table, board, player)
    if any(remaining[s].count(player) > 1 for s in free):  # one of them lies under the player's own top
        return False
    if table.pat == "note5" and not all(table.is_next_to_finish(player, s) for s in free):
        return False
    return not any(table.row(player, b) > table.row(player, a) for a, b in base(table, board, player))


def results(table: Table, line: str) -> set[str]:
    """The positions that the mover can leave."""
    mover, board = read(line)
    if is_over(table, board):
        return set()
    others = [p for p in table.players if p != mover]
    following = table.players[(table.players.index(mover) + 1) % len(table.players)]
    moves = base(table, board, mover)
    lawful = set()
    for a, b in moves:
        landed_on = shifted(board, a, b)[b][:-2][-2 if table.cover_top else 0 :]
        hurt = [p for p in others if p in landed_on or table.any_move]
        if not any(in_pat(table, shifted(board, a, b), p) for p in hurt):
            lawful.add((a, b))
    duty = set()
    for victim in others:
        if in_pat(table, board, victim):
            mine = [s for s, t in board.items() if t[-2] == mover and victim in t]
            for s in (s for s in mine if not table.finishes_on(victim, s)):
                if table.lift or board[s][-4] == victim:
                    duty |= {(a, b) for a, b in lawful if a == s != b}
    legal = duty or lawful
    ahead = any(table.row(mover, b) > table.row(mover, a) for a, b in legal)
    found = {write(table, following, shifted(board, a, b)) for a, b in legal}
    may_pass = {"stuck": not legal, "blocked": not ahead, "always": True}[table.passing]
    return found | ({write(table, following, board)} if may_pass and not duty else set())


def count(table: Table, line: str, depth: int) -> int:
    """Sequences of `depth` moves."""
    return 1 if depth == 0 else sum(count(table, after, depth - 1) for after in results(table, line))


def scatter(table: Table, rng: random.Random) -> str:
    """The pieces on any squares where they may stand at all, a larger one always on a smaller one."""
    while True:
        board: Board = {}
        for piece in [f"{p}{size}" for size in "123" for p in table.players for _ in range(table.nests)]:
            here = [s for s in table.squares() if not table.others_line(piece[0], s)]
            here = [s for s in here if board.get(s, "00")[-1] < piece[1]]
            if rng.random() < 0.75:  # late in the game, where the pat rule is
                late = [s for s in here if table.is_late(piece[0], s)]
                here = late or here
            if not here:
                break
            square = rng.choice(here)
            board[square] = board.get(square, "") + piece
        else:
            return write(table, rng.choice(table.players), board)
