"""Nest race: all play of small games, and how often each blockade arises in it.

Positions come from the compiled game, seen by the player to move (who is called A). Bit masks select
those in which the other player may be in pat; the engine judges each of these.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from rulecheck.analyses.stalemates import Stalemate
from rulecheck.games.nestrace import Params, Position, read_params
from rulecheck.games.nestrace.engine import Engine
from rulecheck.games.nestrace.research import facts
from rulecheck.games.nestrace.research.proofgames import replay
from rulecheck.games.nestrace.space import NestPacking, packing
from rulecheck.model import InputError, Readings, Result, Status, Witness
from rulecheck.solve.packed import Keys

GAMES = ({"core": "2", "width": "2", "nests": "1"}, {"core": "3", "width": "1", "nests": "1"})
BATCH = 1 << 16
CLAUSES = ("NR-29", "NR-30")
KINDS = (
    "duties to free",
    "victims with moves",
    "victims without",
    "stuck covers",
    "doubled covers",
    "movers left nothing by sentence 2",
    "collisions",
)
UNMET = KINDS[3:]
# A shortest line to a position of the last kind that arises, from a breadth-first search on the engine.
LINES = {"whole-play-2-2-1": "b1-b2 a2-c2 b1-c1 a2-b3 c1-c3 c2-c3 b1-c2 b3-c2 b2-b3"}


def small_games(games: Iterable[Params] | None, readings: Readings) -> list[Stalemate]:
    """One row for each game; by default for those small enough under these readings."""
    if games is None:
        games = map(read_params, GAMES if readings["pat"] == "note5" else GAMES[:1])
    return [_whole_play(params, readings) for params in games]


def _whole_play(params: Params, readings: Readings) -> Stalemate:
    game = packing(params, readings)
    if game is None:
        result = Result(Status.UNKNOWN, "four players on a small board were not looked at")
        return Stalemate("whole-play", "a duty to free can be met", CLAUSES, result)
    engine = Engine(params, readings)
    counts, examples = Counter[str](), dict[str, Position]()
    for position, few in candidates(engine, game):
        for kind in kinds(engine, position, few):
            counts[kind] += 1
            examples.setdefault(kind, position)
    note = "; ".join(f"{kind}: {counts[kind]:,}" for kind in KINDS)
    name = f"whole-play-{params.core}-{params.width}-{params.nests}"
    words = f"core {params.core}, lines of {params.width}, nests: {params.nests}"
    scope = f"all {game.ranking.size:,} positions in play that are not won, seen by the player to move; {words}"
    statement = f"in this small game ({words}) a duty to free can be met, and sentence 2 leaves a move"
    unmet = [kind for kind in UNMET if kind in examples]
    if not unmet:
        return Stalemate(name, statement, CLAUSES, Result(Status.PROVED, scope, cases=game.ranking.size, note=note))
    position, line = _shown(engine, LINES.get(name, ""), unmet[-1], examples[unmet[-1]])
    witness = Witness(str(position), None, note, params.as_dict(), dict(readings), line)
    return Stalemate(name, statement, CLAUSES, Result(Status.REFUTED, scope, witness, game.ranking.size))


def _shown(engine: Engine, line: str, kind: str, example: Position) -> tuple[Position, tuple[str, ...] | None]:
    """The end of the line, if it is legal here and of that kind; the example without a line otherwise."""
    moves = tuple(line.split())
    try:
        end = replay(engine, moves)[-1]
    except InputError:
        return example, None
    return (end, moves) if moves and kind in kinds(engine, end) else (example, None)


def kinds(engine: Engine, position: Position, few: bool = True) -> Iterator[str]:
    """The headings under which the position counts; a mover with more than a pass has been left something."""
    if not few and not engine.victims(position):
        return
    seen = facts.facts(engine, position)
    if seen.victims:
        yield "duties to free"
        moves = any(True for v in seen.victims for _ in engine.base_moves(position, v))
        yield "victims with moves" if moves else "victims without"
    if seen.unable:
        yield "doubled covers" if seen.lifts else "stuck covers"
    if seen.collides:
        yield "collisions"
    if seen.emptied:
        yield "movers left nothing by sentence 2"


def candidates(engine: Engine, game: NestPacking) -> Iterator[tuple[Position, bool]]:
    """Every position in which B may be in pat, or A has at most one move (and whether that is so)."""
    keys = game.ranking.unrank(np.arange(game.ranking.size))
    for at in range(0, len(keys), BATCH):
        part = keys[at : at + BATCH]
        few = np.diff(game.expand(part).first) <= 1
        chosen = np.flatnonzero(few | _may_be_in_pat(engine, game, part))
        yield from ((game.unpack(int(part[n])), bool(few[n])) for n in chosen)


def _may_be_in_pat(engine: Engine, game: NestPacking, keys: Keys) -> NDArray[np.bool_]:
    """B has a pyramid under one of A's, and (as the note asks) no uncovered one short of row core + 1."""
    halves, (rest, other) = game.halves.masks, np.divmod(keys, game.count)
    _, medium, large = halves[0, rest % game.count].T
    own = halves[1, other].T
    blocked = (own[0] & (medium | large)) | (own[1] & large)
    if engine.readings["pat"] != "note5":
        return np.asarray(blocked != 0)
    late = engine.brinks["B"] | engine.finishes["B"]
    early = sum(1 << n for n in range(len(engine.params.squares)) if n not in late)
    every_large = large | own[2]
    tops = own[2] | own[1] & ~every_large | own[0] & ~(every_large | medium | own[1])
    return np.asarray((blocked != 0) & (tops & early == 0))
