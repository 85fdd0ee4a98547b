"""Is a move legal, by both encodings of the rules? Asked in the worker that asks z3."""

from __future__ import annotations

import functools
from typing import Any

from rulecheck.contract import AnySpec
from rulecheck.explorer.address import Address, Pairs
from rulecheck.explorer.look import open_table, table_of
from rulecheck.model import InputError, agreement

Document = dict[str, Any]


@functools.lru_cache(maxsize=6)
def _spec(slug: str, params: Pairs, readings: Pairs) -> AnySpec:
    """Building formulas costs more than asking."""
    return open_table(slug, params, readings).choice.spec()


def why(address: Address) -> Document:
    """The document of `why --json`."""
    table = table_of(address)
    if address.move is None:
        raise InputError("which move? say m=MOVE")
    here = table.engine.start() if address.position is None else table.read(address.position)
    asked = table.read_move(address.move)
    engine = table.engine.judge(here, asked)
    spec = _spec(address.game, address.params, address.readings).judge(here, asked)
    return {
        "position": str(here),
        "move": str(asked),
        "legal": engine.legal,
        "engine": list(engine.clauses),
        "spec": list(spec.clauses),
        "agree": agreement(engine, spec),
        "params": table.choice.params.as_dict(),
        "readings": dict(table.choice.readings),
    }
