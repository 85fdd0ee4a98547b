"""Does each clause add something? The smallest position and move where it alone decides, or a proof that it does not.

The statement tested is "this clause adds nothing": REFUTED by a position, or PROVED with the clauses that imply it.
Clauses that set the game up are no statement about moves; they have no result here and say what checks them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rulecheck.model import Clause, Result, Status


@dataclass(frozen=True)
class Coverage:
    clause: Clause
    result: Result | None
    how: str
    implied_by: tuple[str, ...] = ()

    @property
    def is_redundant(self) -> bool:
        return self.result is not None and self.result.status is Status.PROVED

    def as_json(self) -> dict[str, Any]:
        result = None if self.result is None else self.result.as_json()
        return {
            "clause": self.clause.id,
            "kind": self.clause.kind,
            "result": result and result["result"],
            "scope": result and result["scope"],
            "implied_by": list(self.implied_by),
            "witness": result and result["witness"],
            "how": self.how,
        }


def redundant(rows: Sequence[Coverage]) -> list[Coverage]:
    return [row for row in rows if row.is_redundant]


@dataclass(frozen=True)
class DeadText:
    """Does a clause still say something under a reading value (`name=value`) that is not the default?"""

    clause: str
    reading: str
    statement: str
    result: Result

    def as_json(self) -> dict[str, Any]:
        named = {"clause": self.clause, "reading": self.reading, "statement": self.statement}
        return {**named, **self.result.as_json()}
