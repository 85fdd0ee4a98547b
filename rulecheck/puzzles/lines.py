"""Puzzles whose solution is one line of moves: a player's moves in a row, moves of both together, or a whole game.

Every line of the stated length is searched as long as it can still reach its end, so "the only one" and "the
shortest" are proved, not guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from rulecheck.puzzles.rules import Rules

Line = tuple[str, ...]
Step = Callable[[Rules, Any, int], Mapping[str, Any]]  # the possible moves with their results, given the moves left
End = Callable[[Rules, Any], bool]
Hope = Callable[[Any, int], bool]  # can the end still be reached in this many moves? Only a No is certain


def hopeful(position: Any, left: int) -> bool:
    """The hope where nothing is known."""
    return True


def lines_of(
    rules: Rules, start: Any, length: int, step: Step, end: End, most: int = 2, hope: Hope = hopeful
) -> list[Line]:
    """Up to `most` lines of exactly this length that satisfy `end` after their last move."""
    lines: list[Line] = []
    _extend(rules, start, (), length, step, end, most, hope, lines)
    return lines


def _extend(
    rules: Rules, at: Any, line: Line, left: int, step: Step, end: End, most: int, hope: Hope, lines: list[Line]
) -> None:
    if left == 0:
        if end(rules, at):
            lines.append(line)
        return
    options = step(rules, at, left)
    going = {move: after for move, after in options.items() if hope(after, left - 1)}
    if left > 1:
        rules.ahead(after for after in going.values() if rules.winner(after) is None)
    for move, after in going.items():
        _extend(rules, after, (*line, move), left - 1, step, end, most, hope, lines)
        if len(lines) >= most:
            return


def numbered(line: Sequence[str], movers: Iterable[str]) -> list[str]:
    """As one sentence of a solution."""
    return [" ".join(f"{n}. {who} {move}" for n, (who, move) in enumerate(zip(movers, line, strict=False), start=1))]
