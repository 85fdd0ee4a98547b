"""Puzzles whose solution is one line of moves: a player's moves in a row, moves of both together, or a whole game.

Every line of the stated length is looked at, as far as it can still end where it should; so "the only one" and
"the shortest" are proved, not guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from rulecheck.puzzles.rules import Rules

Line = tuple[str, ...]
Step = Callable[[Rules, Any, int], Mapping[str, Any]]  # what may be played next, this many to go, with its result
End = Callable[[Rules, Any], bool]
Hope = Callable[[Any, int], bool]  # can the end still be reached from here in so many moves? No is sure, yes is not


def hopeful(position: Any, left: int) -> bool:
    """When nothing is known."""
    return True


def lines_of(
    rules: Rules, start: Any, length: int, step: Step, end: End, most: int = 2, hope: Hope = hopeful
) -> list[Line]:
    """Up to so many lines of exactly this length that end as they should, and not before."""
    found: list[Line] = []
    _extend(rules, start, (), length, step, end, most, hope, found)
    return found


def _extend(
    rules: Rules, at: Any, line: Line, left: int, step: Step, end: End, most: int, hope: Hope, found: list[Line]
) -> None:
    if left == 0:
        if end(rules, at):
            found.append(line)
        return
    options = step(rules, at, left)
    going = {move: after for move, after in options.items() if hope(after, left - 1)}
    if left > 1:
        rules.ahead(after for after in going.values() if rules.winner(after) is None)
    for move, after in going.items():
        _extend(rules, after, (*line, move), left - 1, step, end, most, hope, found)
        if len(found) >= most:
            return


def numbered(line: Sequence[str], movers: Iterable[str]) -> list[str]:
    """As one sentence of a solution."""
    return [" ".join(f"{n}. {who} {move}" for n, (who, move) in enumerate(zip(movers, line, strict=False), start=1))]
