"""What the engine says can follow a position: the common form that graphs and symmetries are compared with.

An *end* is where a turn leads, seen by the player to move before it: `WIN`, `LOSS`, or who acts next (`same` or
`other`) and the position, as its game normalises it. A *view* of a position lists the ends of its moves, once for each
result of chance if chance decides first; or says that the game is over: who has won is compared where moves lead there.
Positions that are alike have the same view.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rulecheck.contract import AnyEngine, brought

Normalised = Callable[[Any], Any]
View = tuple[tuple[str, ...], ...]
EndOf = Callable[[AnyEngine, Normalised, Any, str], str]
WIN, LOSS, TIE = "WIN", "LOSS", "TIE"  # where a turn leads
STUCK = "STUCK"  # the player to move has no move
OVER: View = (("OVER",),)


def view(engine: AnyEngine, normalised: Normalised, position: Any) -> View:
    if engine.end(position) is not None:
        return OVER
    return turns_view(engine, normalised, position, turns(engine, position))


def view_of(options: Iterable[Iterable[str]]) -> View:
    """A view regardless of order: each end once, each outcome of chance as often as it occurs."""
    return tuple(sorted(tuple(sorted(set(ends))) for ends in options))


def turns(engine: AnyEngine, position: Any) -> list[Sequence[Any]]:
    """The results of all moves, for each outcome of chance; an end by chance alone counts as a result."""
    return [
        (at,) if at is not position and _no_decision(engine, at) else tuple(engine.moves(at).values())
        for at in brought(engine, position) or (position,)
    ]


def _no_decision(engine: AnyEngine, position: Any) -> bool:
    return engine.end(position) is not None or bool(brought(engine, position))


def turns_view(
    engine: AnyEngine,
    normalised: Normalised,
    position: Any,
    options: Sequence[Sequence[Any]],
    end_of: EndOf | None = None,
) -> View:
    end_of, mover = end_of or end, engine.actor(position)
    return view_of([end_of(engine, normalised, result, mover) for result in results] or [STUCK] for results in options)


def end(engine: AnyEngine, normalised: Normalised, result: Any, mover: str) -> str:
    """Where a result leads, without checking whether the player there has a move, which would need its moves."""
    over = engine.end(result)
    if over is None:
        return acting(engine.actor(result) == mover, normalised(result))
    if not over.winners:
        return TIE
    return WIN if mover in over.winners else LOSS


def end_or_tie(engine: AnyEngine, normalised: Normalised, result: Any, mover: str) -> str:
    """The same, with that check."""
    known = engine.end(result) is not None or brought(engine, result) or engine.moves(result)
    return end(engine, normalised, result, mover) if known else TIE


def acting(same: bool, position: Any) -> str:
    return f"{'same' if same else 'other'} {position}"
