"""A formal rules verifier and puzzle solver for board games.

    import rulecheck

    game = rulecheck.open("hextris", group=3, swap="symmetric")
    position = game.start()

Names are imported on first use, so `import rulecheck` costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulecheck.api import Answer, Move, OpenGame, Position, Proof, Table, Why, list_games, open, open_table
    from rulecheck.model import InputError

__all__ = [
    "Answer",
    "InputError",
    "Move",
    "OpenGame",
    "Position",
    "Proof",
    "Table",
    "Why",
    "list_games",
    "open",
    "open_table",
]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'rulecheck' has no attribute {name!r}")
    home = "rulecheck.model" if name == "InputError" else "rulecheck.api"
    value: object = vars(importlib.import_module(home))[name]
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
