"""Which rules bind where a graph is compared with its engine: the clauses by which the engine refuses moves there.

Tried at each position are moves that are legal at others. Half of what is compared is drawn by these clauses, so that a
rule that seldom binds is met as often as one that always does, as far as the positions looked at have it.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from rulecheck.contract import AnyEngine
from rulecheck.explore import deciding
from rulecheck.registry import Choice
from rulecheck.solve.comparing import Numbers, Strata, draw

LOOKED = 2_000  # positions at which moves are tried
LISTED = 200  # of these, the positions whose moves are tried at others
TRIED = 20  # moves at each
FORBIDS = "forbids"  # the kind of a clause that a move can break

Clauses = frozenset[str]


class Drawn(NamedTuple):
    """Numbers to compare, and how many of those drawn by rules each clause refused a move at; None if none is drawn."""

    numbers: list[int]
    met: Mapping[str, int] | None


def draw_by_rules(
    choice: Choice, count: int, strata: Strata, kept: Callable[[int], Any], sample: int, seed: int
) -> Drawn:
    """Draw half by strata alone, half by the clauses that refuse moves; `kept` gives the position of a number."""
    pool = draw(count, strata, min(LOOKED, 2 * sample), seed)
    refused = refusing(choice, [kept(number) for number in pool], seed)
    kinds = {clauses: label for label, clauses in enumerate(sorted(set(refused), key=sorted))}
    labels = np.array([kinds[clauses] for clauses in refused], dtype=np.int64)

    def by_rules(rows: Numbers) -> Numbers:
        return labels[rows]

    chosen = draw(len(pool), by_rules, sample // 2, seed)
    special = {pool[row] for row in chosen}
    plain = [number for number in draw(count, strata, sample, seed) if number not in special]
    rest = random.Random(seed).sample(plain, min(len(plain), sample - len(special)))
    return Drawn(sorted({*special, *rest}), met_by(refused[row] for row in chosen))


def met_by(refused: Iterable[Clauses]) -> dict[str, int]:
    """The number of positions at which each clause refused a move."""
    counts = Counter(clause for clauses in refused for clause in clauses)
    return {clause: counts[clause] for clause in sorted(counts)}


def refusing(choice: Choice, positions: Sequence[Any], seed: int) -> list[Clauses]:
    """For each position, the clauses by which the engine refuses moves that are legal elsewhere."""
    engine, rng = choice.engine(), random.Random(seed)
    there = [position for position in positions if position is not None]
    listing = rng.sample(there, min(LISTED, len(there)))
    decided = [at for position in listing for at in deciding(engine, position)]
    moves = dict.fromkeys(move for at in decided for move in engine.moves(at))
    return [Clauses() if p is None else _refusing(engine, p, list(moves), rng) for p in positions]


def _refusing(engine: AnyEngine, position: Any, moves: Sequence[Any], rng: random.Random) -> Clauses:
    at = rng.choice(deciding(engine, position) or [position])
    tried = rng.sample(moves, min(TRIED, len(moves)))
    return Clauses(clause for move in tried for clause in engine.judge(at, move).clauses)


def unmet(choice: Choice, met: Mapping[str, int]) -> list[str]:
    """The clauses that forbid something but refused nothing."""
    clauses = choice.game.rulebook.clauses.values()
    return [c.id for c in clauses if c.kind == FORBIDS and not c.repeats and c.id not in met]
