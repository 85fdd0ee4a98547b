"""Ice Palace: the colours in which a new stack could ever begin beside each stack of a palace.

A stack without an empty cell beside it has none. With palace_adjacent=every_neighbour a small top, which is
never covered, bars all colours but its own from the cells beside it. Nothing else is certain, so all others may.
"""

from __future__ import annotations

from rulecheck.games.icepalace import Cell, Structure
from rulecheck.games.icepalace.engine_building import Grid
from rulecheck.model import Readings
from rulecheck.pyramids import SMALL

Colours = frozenset[str]


def rooms(palace: Structure, readings: Readings, colours: Colours, careful: bool = False) -> dict[Cell, Colours]:
    """For each stack, those of the colours that may begin beside it; if careful, only where no other stack is near."""
    grid, every = Grid(readings), readings["palace_adjacent"] == "every_neighbour"
    open_colours: dict[Cell, Colours] = {}
    for cell, _ in palace:
        open_to: Colours = frozenset()
        for empty in (near for near in grid.beside(cell) if not palace.at(near)):
            tops = [stack[-1] for stack in grid.stacks_beside(palace.at, empty)]
            if careful and len(tops) > 1:
                continue
            fixed = {top.colour for top in tops if every and top.pips == SMALL}
            open_to |= frozenset(c for c in colours if fixed <= {c})
        open_colours[cell] = open_to
    return open_colours
