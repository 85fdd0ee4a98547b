"""Positions in which the rules leave a player with nothing to do, or with duties that cannot be met.

A game's study names the questions; each is answered with its smallest position in play (and a line to it), and
where z3 can say something about the full game, with that too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rulecheck.contract import AnyEngine
from rulecheck.explore import Explored, decisions
from rulecheck.model import Result, Status, Witness


@dataclass(frozen=True)
class Stalemate:
    """A statement that one would take for granted; REFUTED means that it can fail, and here it does.

    `under` says for reading values (as `name=value`) what becomes of the witness under them, `repairs` which of them
    make the statement true there.
    """

    name: str
    statement: str
    clauses: tuple[str, ...]
    result: Result
    under: Mapping[str, str] = field(default_factory=dict)
    repairs: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        named = {"name": self.name, "statement": self.statement, "clauses": list(self.clauses)}
        return {**named, **self.result.as_json(), "under": dict(self.under), "repairs": list(self.repairs)}


@dataclass(frozen=True)
class Proposal:
    """Another wording of a rule, and the checks of that wording."""

    title: str
    text: str
    results: tuple[tuple[str, Result], ...]  # a statement about the new wording, and its result

    def as_json(self) -> dict[str, Any]:
        results = [{"statement": statement, **result.as_json()} for statement, result in self.results]
        return {"title": self.title, "text": self.text, "results": results}


def smallest_in_play(
    engines: Iterable[AnyEngine], shows: Callable[[Any, Any], str | None], below: Callable[[Any], str], bound: str
) -> Result:
    """The nearest position of the smallest game for which `shows` has something to say, or that no game has one."""
    for engine in engines:
        play = Explored(engine, lazily=True, limit=math.inf)
        for position in play.turns():
            for decision in decisions(engine, position):
                if note := shows(engine, decision):
                    line = play.line_to(position)
                    witness = Witness(str(decision), None, note, engine.params.as_dict(), dict(engine.readings), line)
                    return Result(Status.REFUTED, f"smallest: {below(engine.params)} have no such position", witness)
    return Result(Status.PROVED, f"every position in play of {bound}", bounded=True)
