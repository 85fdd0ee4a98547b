"""Ice Palace: when two positions are alike."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations

from rulecheck.games.icepalace import Params, Position, Structure
from rulecheck.pyramids import Pyramid, Stack


def normalised(params: Params, position: Position) -> Position:
    """One for all positions that are the same but for turns, mirrors and shifts, and for who sits where."""
    return min((_renamed(params, position, names).turned() for names in _seats(params, position)), key=str)


def _seats(params: Params, position: Position) -> Iterator[dict[str, str]]:
    """New names of the players: in the same order round the table, or in any, if nobody has a turn to come."""
    letters = params.letters
    if not any(position.hands) and not any(map(any, position.bag)):
        yield from (dict(zip(letters, names, strict=True)) for names in permutations(letters))
    else:
        yield from (dict(zip(letters, letters[n:] + letters[:n], strict=True)) for n in range(len(letters)))


def _renamed(params: Params, position: Position, names: dict[str, str]) -> Position:
    def stack(old: Stack) -> Stack:
        return tuple(Pyramid(names.get(q.colour, q.colour), q.pips) for q in old)

    def structure(old: Structure) -> Structure:
        return Structure.of({cell: stack(pyramids) for cell, pyramids in old})

    seat = {names[c]: n for n, c in enumerate(params.letters)}
    order = [seat[c] for c in params.letters]
    return replace(
        position,
        mover=names.get(position.mover, position.mover),
        worksite=structure(position.worksite),
        palace=structure(position.palace),
        hands=tuple(tuple(sorted(stack(position.hands[n]))) for n in order),
        bag=(*(position.bag[n] for n in order), *position.bag[len(order) :]),
        marker=position.marker and names[position.marker],
        left=tuple(sorted(stack(position.left))),
    )
