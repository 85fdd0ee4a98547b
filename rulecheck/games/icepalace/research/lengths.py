"""Ice Palace: how many rounds a game can have, by counting pyramids; and whole games that come near to it.

After the deal the bag has a stock of each size. A round takes one pyramid at least (IP-12) and no more of a size than
all hands have; what it took is drawn from the stock, and the game is over when that does not suffice (IP-39).
"""

from __future__ import annotations

from typing import NamedTuple

from rulecheck.games.icepalace import Position, Structure, Triple
from rulecheck.games.icepalace.engine import Engine
from rulecheck.pyramids import LARGE, SMALL, Pyramid, Stack


class Bounds(NamedTuple):
    """`most` is None if a round need not take anything."""

    least: int
    most: int | None


def bounds(engine: Engine) -> Bounds:
    return Bounds(_least(engine), None if _may_take_nothing(engine) else _most(engine))


def _stock(engine: Engine) -> list[int]:
    """How many of each size are in the bag after the deal."""
    params = engine.params
    dealt = params.players * params.hand
    return [sum(params.count(c) for c in params.colours) - dealt if z in params.sizes else 0 for z in _SIZES]


_SIZES = range(SMALL, LARGE + 1)


def _between_rounds(engine: Engine, stock: list[int], hands: tuple[Stack, ...]) -> Position:
    counts: Triple = (stock[0], stock[1], stock[2])
    bag = ((0, 0, 0),) * (len(engine.params.colours) - 1) + (counts,)
    return Position("-", Structure(), Structure(), hands, bag, "A")


def _full(engine: Engine) -> Stack:
    return tuple(Pyramid("A", z) for z in engine.params.sizes for _ in range(engine.params.hand))


def _least(engine: Engine) -> int:
    """Every round takes all that is in all hands."""
    stock, rounds, params = _stock(engine), 1, engine.params
    while not engine.insufficient(_between_rounds(engine, stock, ((),) * params.players)):
        stock = [count - params.players * params.hand if count else 0 for count in stock]
        rounds += 1
    return rounds


def _most(engine: Engine) -> int:
    """Every round takes one pyramid, of the size of which most are left."""
    stock, rounds, full = _stock(engine), 0, _full(engine)
    while True:
        rounds += 1
        size = max(engine.params.sizes, key=lambda z: stock[z - 1])
        short = list(full)
        short.remove(Pyramid("A", size))
        hands = (tuple(short), *[full] * (engine.params.players - 1))
        if engine.insufficient(_between_rounds(engine, stock, hands)):
            return rounds
        stock[size - 1] -= 1


def _may_take_nothing(engine: Engine) -> bool:
    """Nobody opens: the opener, and then everybody, passes."""
    hands = (_full(engine),) * engine.params.players
    opening = Position("A", Structure(), Structure(), hands, ((0, 0, 0),) * len(engine.params.colours), "A")
    return engine.judge_pass(opening).legal
