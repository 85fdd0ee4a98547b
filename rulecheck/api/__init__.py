"""rulecheck as a library: open a game, look at its positions, ask every analysis, solve it. See docs/api.md.

Every value here is immutable. Nothing heavy is imported before a question needs it.
"""

from rulecheck.api.game import OpenGame, list_games, open
from rulecheck.api.position import Move, Position, Why
from rulecheck.api.proof import Proof
from rulecheck.api.table import Answer, Rated, Table, open_table

__all__ = [
    "Answer",
    "Move",
    "OpenGame",
    "Position",
    "Proof",
    "Rated",
    "Table",
    "Why",
    "list_games",
    "open",
    "open_table",
]
