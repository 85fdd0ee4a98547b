"""Nest race: what the pat rule does in one position, as the engine sees it, and what each blockade is.

Each `Shows` says in words how a position (with the relevant moves) shows the blockade it is named after, or None if it
does not. They hold for any reading, which the engine supplies.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from rulecheck.games.nestrace import Position, read_move
from rulecheck.games.nestrace.engine import Engine, Options
from rulecheck.games.nestrace.engine_moves import Path
from rulecheck.games.nestrace.research.proofgames import replay
from rulecheck.model import InputError

Moves = tuple[str, ...]
Shows = Callable[[Engine, Position, Moves], str | None]


class Facts(NamedTuple):
    """The mover's base moves; of these, those that free a victim's pyramid, or at least take the top off its stack,
    and those that NR-30 forbids; and what is left in the end."""

    victims: tuple[str, ...]
    base: list[Path]
    frees: list[Path]
    lifts: list[Path]
    forbidden: list[Path]
    options: Options

    @property
    def lawful(self) -> list[Path]:
        """Legal moves that free a pyramid."""
        return [path for path in self.options.paths if path in self.frees]

    @property
    def unable(self) -> bool:
        """A duty that no base move meets."""
        return bool(self.victims) and not self.frees

    @property
    def collides(self) -> bool:
        """A duty that base moves meet, but no legal move."""
        return bool(self.frees) and not self.lawful

    @property
    def emptied(self) -> bool:
        """Base moves, all of them forbidden."""
        return bool(self.base) and not self.options.paths and len(self.forbidden) == len(self.base)


def facts(engine: Engine, position: Position) -> Facts:
    victims = tuple(sorted(engine.victims(position)))
    base = list(engine.base_moves(position, position.mover))
    frees = [path for path in base if engine.frees(position, path, victims, engine.readings["free"])]
    lifts = [path for path in base if engine.frees(position, path, victims, "lift")]
    forbidden = [path for path in base if engine.forbidden(position, path)]
    return Facts(victims, base, frees, lifts, forbidden, engine.options(position))


def described(engine: Engine, position: Position, moves: Moves = ()) -> str:
    """The position in a sentence."""
    seen = facts(engine, position)
    who = f"{' and '.join(seen.victims)} is in pat" if seen.victims else "the mover owes nobody a freed pyramid"
    free = f"{len(seen.frees)} free, " if seen.victims else ""
    left = f"{len(seen.options.paths)} legal" + (", or a pass" if seen.options.may_pass else "")
    return f"{who}; of {position.mover}'s {count(seen.base)} {free}{len(seen.forbidden)} forbidden, {left}"


def count(paths: list[Path]) -> str:
    return f"{len(paths)} move{'s' * (len(paths) != 1)}"


# -- In pat, with moves and without -------------------------------------------------------------------------


def pat_with_moves(engine: Engine, position: Position, moves: Moves) -> str | None:
    for v in facts(engine, position).victims:
        if ways := list(engine.base_moves(position, v)):
            return f"{v} is in pat and could make {count(ways)}, none of which advances"
    return None


def pat_without_moves(engine: Engine, position: Position, moves: Moves) -> str | None:
    stuck = [v for v in facts(engine, position).victims if not any(True for _ in engine.base_moves(position, v))]
    return f"{stuck[0]} is in pat and could make no move at all, not even sideways" if stuck else None


def stuck_early(engine: Engine, position: Position, moves: Moves) -> str | None:
    """By the movement rules alone, whatever the reading pat says."""
    for v in (p for p in engine.players if p != position.mover and engine.blockers(position, p)):
        if not any(True for _ in engine.base_moves(position, v)) and not engine.all_before_finish(position, v):
            what = "is in pat" if engine.in_pat(position, v) else "is not in pat"
            return (
                f"{v} has a pyramid under another player's and no move at all, but one free short of row 7: {v} {what}"
            )
    return None


# -- A duty that cannot be met ---------------------------------------------------------------------------------


def cover_stuck(engine: Engine, position: Position, moves: Moves) -> str | None:
    seen = facts(engine, position)
    return f"{described(engine, position)}: no cover can move" if seen.unable and not seen.lifts else None


def cover_doubled(engine: Engine, position: Position, moves: Moves) -> str | None:
    seen = facts(engine, position)
    return f"{described(engine, position)}: under the cover lies another" if seen.unable and seen.lifts else None


def collision(engine: Engine, position: Position, moves: Moves) -> str | None:
    seen = facts(engine, position)
    if not seen.collides:
        return None
    only = ", ".join(str(engine.named(path)) for path in seen.frees)
    return f"{described(engine, position)}: sentence 1 asks for {only}, sentence 2 forbids it"


def nothing_left(engine: Engine, position: Position, moves: Moves) -> str | None:
    return f"{described(engine, position)}: sentence 2 forbids all" if facts(engine, position).emptied else None


# -- Play that does not end -------------------------------------------------------------------------------------


def _round(engine: Engine, position: Position, moves: Moves) -> list[Position] | None:
    """The positions of a legal round that leads back to its start; None for any other."""
    try:
        positions = replay(engine, moves, position)
    except InputError:
        return None
    return positions[:-1] if positions[-1] == position else None


def freed_again(engine: Engine, position: Position, moves: Moves) -> str | None:
    """A round in which a duty is met and after which it recurs."""
    played = _round(engine, position, moves)
    if played is None:
        return None
    due = [at for at in played if facts(engine, at).lawful and engine.options(at).due]
    if not due:
        return None
    return f"{' '.join(moves)} leads back here, and {due[0].mover} has met the duty to free once more"


def never_freed(engine: Engine, position: Position, moves: Moves) -> str | None:
    """A round, of these moves or with passes by the blocker, in which somebody is in pat and nobody frees."""
    for way in (moves, _passed(moves)):
        played = _round(engine, position, way)
        turns = [facts(engine, at) for at in played or () if at.mover == position.mover]
        victims = set.intersection(*(set(turn.victims) for turn in turns)) if turns else set()
        if victims and not any(turn.lawful for turn in turns):
            return (
                f"{' '.join(way)} leads back here; {min(victims)} is in pat all the time, and nobody ever has to free"
            )
    return None


def _passed(moves: Moves) -> Moves:
    return tuple("pass" if at % 2 == 0 else move for at, move in enumerate(moves))


def told(engine: Engine, position: Position, moves: Moves) -> str:
    """The outcome of a round in words: legal, or where it breaks."""
    here = described(engine, position)
    if _round(engine, position, moves):
        return f"{here}; the round is legal"
    if _round(engine, position, _passed(moves)):
        return f"{here}; with passes of {position.mover}'s the round is legal"
    at = position
    for move in (read_move(engine.params, text) for text in moves):
        verdict = engine.judge(at, move)
        if not verdict.legal:
            return f"{here}; the round ends at {move}, {verdict}"
        at = engine.play(at, move)
    return f"{here}; the round leads elsewhere"


# -- Four players ------------------------------------------------------------------------------------------------


def first_blocker_stuck(engine: Engine, position: Position, moves: Moves) -> str | None:
    """Two players block, and the one whose turn comes first cannot free."""
    seen = facts(engine, position)
    for v in seen.victims:
        blockers = engine.blockers(position, v)
        if len(blockers) > 1 and not seen.lawful:
            both = " and ".join(sorted(blockers))
            return f"{both} block {v}; {position.mover}, whose turn comes first, has {count(seen.frees)} that free"
    return None


def made_by_another(engine: Engine, position: Position, moves: Moves) -> str | None:
    """The move puts a player in pat whose pyramids the mover does not cover."""
    move = read_move(engine.params, moves[0])
    if not engine.judge(position, move).legal:
        return None
    after = engine.play(position, move)
    for v in (p for p in engine.players if p != position.mover):
        blockers = engine.blockers(after, v)
        if engine.in_pat(after, v) and not engine.in_pat(position, v) and position.mover not in blockers:
            who = ", ".join(sorted(blockers))
            return f"{moves[0]} puts {v} in pat; {position.mover} covers nothing, and {who} has to free"
    return None


def after_move(engine: Engine, position: Position, moves: Moves) -> str:
    move = read_move(engine.params, moves[0])
    verdict = engine.judge(position, move)
    if not verdict.legal:
        return f"{move} is {verdict}"
    after = engine.play(position, move)
    pats = [v for v in engine.players if engine.in_pat(after, v)]
    return f"after {move} {' and '.join(pats) or 'nobody'} is in pat"
