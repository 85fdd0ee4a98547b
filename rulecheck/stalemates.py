"""Positions in which the rules leave a player with nothing to do, or with duties that cannot be met.

A game's study names the questions; each is answered with its smallest position in play (and a line to it), and
where z3 can say something about the full game, with that too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from rulecheck.model import Engine, Result, Status, Witness
from rulecheck.play import Reached


@dataclass(frozen=True)
class Stalemate:
    """`found` is what was looked for; REFUTED means that it can happen, and here it does."""

    name: str
    statement: str
    clauses: tuple[str, ...]
    result: Result

    def as_json(self) -> dict[str, Any]:
        return {"name": self.name, "statement": self.statement, "clauses": list(self.clauses), **self.result.as_json()}


def smallest_in_play(
    engines: Iterable[Engine], shows: Callable[[Any, Any], str | None], below: Callable[[Any], str], bound: str
) -> Result:
    """The nearest position of the smallest game for which `shows` has something to say."""
    for engine in engines:
        reached = Reached(engine)
        for position in reached:
            for decision in engine.chances(position) or (position,):
                if note := shows(engine, decision):
                    line = reached.line(position)
                    witness = Witness(str(decision), None, note, engine.params.as_dict(), dict(engine.readings), line)
                    return Result(Status.REFUTED, f"smallest: {below(engine.params)} have no such position", witness)
    return Result(Status.UNKNOWN, f"no such position in play in {bound}")
