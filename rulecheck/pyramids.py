"""The pieces all games share: pyramids of three sizes, and stacks of them.

A pyramid is a colour letter and its pips (`A1` small, `A2` medium, `A3` large). Players are the letters
A, B, C ...; `P` is a pedestrian, `K` black, `W` white. A stack is a tuple of pyramids, bottom first.
"""

from __future__ import annotations

from typing import NamedTuple

SMALL, MEDIUM, LARGE = 1, 2, 3
SIZE_NAMES = {SMALL: "small", MEDIUM: "medium", LARGE: "large"}


class Pyramid(NamedTuple):
    colour: str
    pips: int

    def __str__(self) -> str:
        return f"{self.colour}{self.pips}"


Stack = tuple[Pyramid, ...]


def stack_text(stack: Stack) -> str:
    return "".join(map(str, stack))
