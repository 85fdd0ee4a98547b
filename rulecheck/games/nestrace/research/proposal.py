"""Nest race: the pat rule as it could be worded, and what was checked of that wording.

The printed rule puts a duty on the blocker and a ban on moves, and both can fail: the blocker may be unable to do the
duty, and the ban may leave nothing. Here the victim gets a right instead, so that nobody else's move is needed.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Hashable, Iterator
from itertools import product
from typing import NamedTuple

from rulecheck.analyses.stalemates import Proposal
from rulecheck.games.nestrace import GAME, SIZES, Params, Position, read_params
from rulecheck.games.nestrace.engine import Engine
from rulecheck.games.nestrace.engine_moves import Lifted
from rulecheck.games.nestrace.families.crowds import Codes, Tally, differences
from rulecheck.games.nestrace.research.blockades import A, B, Blockades, blockades
from rulecheck.games.nestrace.research.facts import cover_stuck, described
from rulecheck.games.nestrace.research.witnesses import kept
from rulecheck.model import Readings, Result, Status, Witness
from rulecheck.pyramids import Pyramid, Stack
from solvers.smt import Answer, Bool, every, no, some
from specs.nestrace.spec import Spec
from specs.nestrace.spec_many import Bits, Many, members, transposed
from specs.nestrace.spec_scene import View

ALL = 24  # pyramids: no bound on the size
SMALL = {"core": "2", "width": "2", "nests": "1"}
SHOWN = (
    "pat-with-moves",
    "pat-without-moves",
    "cover-stuck",
    "cover-doubled",
    "collision",
    "freed-again",
    "never-freed",
    "no-reading-helps",
)
MATTER = ("pat", "horizon", "blocker", "self_cover", "finished", "free")
TEXT = """You are in pat if another player's pyramid is the top of a stack that holds one of yours which is \
not home, and each uncovered pyramid of yours that is not home stands on the row before your finish line and cannot \
step onto it. If you begin your turn in pat, you may draw out one of your covered pyramids: it moves by the usual \
rules as if it were the top of its stack, and what lay on it stays on that square. Nobody has to free anything, and no \
move is forbidden because of pat.

The printed rule asks the blocker to act, and the blocker may be unable to: the cover may be stuck or doubled, or the \
only move that frees may be one that the second sentence forbids; and that sentence may forbid all there is. A right \
of the victim cannot fail in these ways; and since no duty has to be judged, it no longer matters that the bracket (no \
move at all) and the note (sideways moves) disagree."""


class Turn(NamedTuple):
    """A move: does it bring a pyramid nearer to the finish line, is a pyramid drawn out, and the next position."""

    advances: bool
    drawn: bool
    result: Position


class DrawingOut:
    """The rules with that paragraph in place of NR-29, NR-30 and NR-38. The engine supplies base moves and pats."""

    def __init__(self, params: Params, readings: Readings) -> None:
        self.engine = Engine(params, readings.replace(pat="note5", horizon="now", self_cover="ignored"))

    def turns(self, position: Position) -> Iterator[Turn]:
        engine, p = self.engine, position.mover
        for path in engine.base_moves(position, p):
            yield Turn(engine.advances(p, path), False, engine.after(position, path))
        if engine.in_pat(position, p):
            yield from self.draws(position)

    def draws(self, position: Position) -> Iterator[Turn]:
        """The covered pyramids of the mover's, each moved as if it were the top of its stack."""
        engine, p = self.engine, position.mover
        for square, stack in enumerate(position.stacks):
            levels = [n for n, pyramid in enumerate(stack[:-1]) if pyramid.colour == p]
            for level in levels if square not in engine.finishes[p] else ():
                rest = stack[:level] + stack[level + 1 :]
                stacks = (*position.stacks[:square], (*rest, stack[level]), *position.stacks[square + 1 :])
                changed = Position(p, stacks, position.squares)
                for path in engine.ends(Lifted(stack[level], square, stacks)).values():
                    yield Turn(engine.advances(p, path), True, engine.after(changed, path))


# -- What is checked ---------------------------------------------------------------------------------------------


def proposal(readings: Readings) -> Proposal:
    play = Play(DrawingOut(read_params(SMALL), readings))
    checked = (_no_reading(readings), *_in_play(play), _blockades(readings), _on_full_board())
    return Proposal("If I were to rewrite this rule", TEXT, checked)


def _no_reading(readings: Readings) -> tuple[str, Result]:
    """Why another wording is needed: all readings of who is in pat and of what frees, taken together."""
    statement = "no choice among the readings makes the printed rule work: here the blocker must free and cannot"
    values = [[v for v in GAME.rulebook.options[name].values if v != "off"] for name in MATTER]
    choices = [dict(zip(MATTER, chosen, strict=True)) for chosen in product(*values)]
    for choice in choices:
        engine, position, moves = kept("no-reading-helps", readings.replace(**choice))
        note = cover_stuck(engine, position, moves)
        witness = Witness(str(position), None, note or described(engine, position), engine.params.as_dict(), choice)
        if note is None:
            return statement, Result(Status.REFUTED, "one position of the full board", witness)
    scope = f"all {len(choices)} combinations of the values of {', '.join(MATTER)}, without pat=off"
    return statement, Result(Status.PROVED, scope, witness, len(choices))


class Play:
    """All play of a small game, each position turned so that A is to move (B's axis is the mirror image of A's).

    A player passes only without anything else to do.
    """

    def __init__(self, rules: DrawingOut) -> None:
        self.engine = engine = rules.engine
        number = {place: n for n, place in enumerate(engine.params.places)}
        self._mirror = [number[row, column] for column, row in engine.params.places]
        self.turns: dict[Position, list[Turn]] = {}
        todo = [engine.start()]
        while todo:
            position = todo.pop()
            if position not in self.turns:
                turns = self.turns[position] = list(rules.turns(position))
                results = [turn.result for turn in turns] or [engine.after(position)]
                todo += [self.turned(result) for result in results if not engine.has_finished(result, A)]

    def turned(self, position: Position) -> Position:
        stacks = position.stacks
        return Position(A, tuple([_recoloured(stacks[n]) for n in self._mirror]), position.squares)


@functools.cache
def _recoloured(stack: Stack) -> Stack:
    return tuple(Pyramid("BA"["AB".index(pyramid.colour)], pyramid.pips) for pyramid in stack)


def _in_play(play: Play) -> Iterator[tuple[str, Result]]:
    engine, total = play.engine, len(play.turns)
    scope = f"all {total:,} positions in play of core 2, lines of 2, one nest each, seen by the player to move"
    yield "nobody owes a move, and no move is forbidden because of pat", _only_added(play, scope)
    pats = [position for position in play.turns if engine.in_pat(position, A)]
    still = [position for position in pats if not any(turn.advances for turn in play.turns[position])]
    note = f"{len(pats):,} turns begin in pat, {len(pats) - len(still):,} of them with a move that advances"
    statement = "who begins a turn in pat can move nearer to the finish line"
    if not still:
        yield statement, Result(Status.PROVED, scope, cases=total, note=note)
        return
    witness = Witness(min(map(str, still)), None, f"{note}; not here", engine.params.as_dict(), dict(engine.readings))
    yield statement, Result(Status.REFUTED, scope, witness, total)


def _only_added(play: Play, scope: str) -> Result:
    """The turns are what the constraints of movement allow, and where they say that A is in pat, besides, draws."""
    engine = play.engine
    spec = Spec(engine.params, engine.readings)
    codes, many, positions = Codes(spec), Many(spec), list(play.turns)
    before = [codes.code(position.stacks) for position in positions]
    said = Tally(len(positions))
    for n, position in enumerate(positions):
        changes = ((turn.drawn, before[n] ^ codes.code(turn.result.stacks)) for turn in play.turns[position])
        said.add(n, {"drawn" if drawn else change for drawn, change in changes})
    x = transposed(before, len(codes.slots))
    moves = defaultdict[Hashable, Bits](int)
    for way, bits in many.base_moves(A, x).items():
        left, taken = spec.effect(A, way)
        moves[codes.bits[left] ^ codes.bits[taken]] |= bits
    stated = said.columns()
    wrong = stated.pop("drawn", 0) & ~many.in_pat(A, x, x.full) | differences(stated, moves)
    if wrong:
        position = positions[next(members(wrong))]
        return Result(Status.REFUTED, scope, Witness(str(position), None, "turns differ", engine.params.as_dict()))
    checked = f"{scope}: all that the constraints allow without a pat rule may be played, and nothing else but draws"
    further = """for other boards an argument that no machine checked: the wording adds moves to those of NR-10 to \
NR-28 and NR-37, and takes none away"""
    return Result(Status.PROVED, f"{checked}; {further}", cases=len(positions))


def _blockades(readings: Readings) -> tuple[str, Result]:
    """The positions shown for the printed rule: what the victim could do, were it the victim's turn."""
    statement = "in every blockade shown for the printed rule the victim can advance by drawing out"
    scope, failing = f"{len(SHOWN)} positions of the full board", []
    for name in SHOWN:
        printed, position, _ = kept(name, readings)
        turn = Position(A, position.stacks, position.squares)
        if not any(draw.advances for draw in DrawingOut(printed.params, readings).draws(turn)):
            failing.append(turn)
    if not failing:
        return statement, Result(Status.PROVED, scope, cases=len(SHOWN))
    note = (
        f"in {len(SHOWN) - len(failing)} of {len(SHOWN)}; here no covered pyramid could advance even if it were a top"
    )
    witness = Witness(str(failing[0]), None, note, printed.params.as_dict())
    return statement, Result(Status.REFUTED, scope, witness, len(SHOWN))


def _on_full_board() -> tuple[str, Result]:
    statement = """who begins a turn in pat with a covered pyramid short of row 7, and straight ahead of it a square \
that is empty or has a smaller top, can move it there"""
    board = blockades()
    answer = board.of_size(held_back(board), ALL)
    scope = "every arrangement of the 24 pyramids on the full board with finish lines in order, by z3"
    if answer is Answer.YES and (position := board.least(held_back(board))):
        return statement, Result(Status.REFUTED, scope, Witness(str(position), None, "", board.spec.params.as_dict()))
    return statement, Result(Status.PROVED if answer is Answer.NO else Status.UNKNOWN, scope, cases=1)


def held_back(board: Blockades) -> list[Bool]:
    """A pyramid of A's under B's top, short of row 7, with room ahead, whose step ahead some rule of movement bars."""
    spec, x, barred_steps = board.spec, View(board.scene), []
    for s in (s for s in board.squares if spec.is_early(A, s) and not spec.foreign(A, s)):
        ahead = next(
            t
            for t in board.squares
            if spec.is_step(s, t) and spec.is_straight(s, t) and spec.row(A, t) > spec.row(A, s)
        )
        for z in SIZES[:-1]:
            room = no(x.taken(ahead, range(z, SIZES[-1] + 1)))
            barred = no(every(spec.path_clauses(A, z, (s, ahead)).values()))
            barred_steps.append(
                every([x.has(s, z, A), some(x.top(s, y, [B]) for y in range(z + 1, SIZES[-1] + 1)), room, barred])
            )
    return [board.pat(), some(barred_steps)]
