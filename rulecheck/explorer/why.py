"""Is a move legal, by both encodings of the rules? Asked in the worker that asks z3."""

from __future__ import annotations

import functools
from typing import Any

from rulecheck.api.game import OpenGame
from rulecheck.api.position import Position
from rulecheck.commands.common import settings
from rulecheck.explorer.address import Address, Pairs
from rulecheck.explorer.look import open_table, table_of
from rulecheck.model import InputError

Document = dict[str, Any]


@functools.lru_cache(maxsize=6)
def _open(slug: str, params: Pairs, readings: Pairs) -> OpenGame:
    """Cached with its constraints: building formulas costs more than asking."""
    return OpenGame(open_table(slug, params, readings).choice)


def why(address: Address) -> Document:
    """The document of `why --json`."""
    table = table_of(address)
    if address.move is None:
        raise InputError("which move? say m=MOVE")
    here = table.engine.start() if address.position is None else table.read(address.position)
    answer = Position(_open(address.game, address.params, address.readings), here).why(address.move)
    if answer.unknown:
        raise TimeoutError(answer.unknown)
    return {**answer.as_json(), **settings(table.choice)}
