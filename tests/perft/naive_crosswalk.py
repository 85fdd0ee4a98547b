"""Crosswalk once more, as plainly as it can be said: lists of strings, and every series of steps tried.

Written from the rule sheet alone, with the default readings, and importing nothing of rulecheck, so that a
mistake in the engine has no way into the numbers it is compared with. Hopelessly slow, on purpose.
"""

from __future__ import annotations

import random

Street = list[list[str]]  # place by place, each a stack of "A1", "P3" ..., bottom first


def read(line: str, squares: int) -> tuple[str, Street]:
    mover, *tokens = line.split()
    street: Street = [[] for _ in range(squares + 2)]
    for token in tokens:
        place, stack = token.split(":")
        street[int(place)] = [stack[i : i + 2] for i in range(0, len(stack), 2)]
    return mover, street


def write(mover: str, street: Street) -> str:
    return " ".join([mover] + [f"{p}:{''.join(stack)}" for p, stack in enumerate(street) if stack])


def is_home(street: Street, player: str) -> bool:
    """All pyramids of the player are at the finish, the smaller always under the larger."""
    finish = street[0] if player == "A" else street[-1]
    elsewhere = [piece for stack in street for piece in stack if stack is not finish and piece[0] == player]
    return not elsewhere and finish == sorted(finish)


def after(street: Street, source: int, target: int) -> Street:
    copy = [list(stack) for stack in street]
    copy[target].append(copy[source].pop())
    return copy


def single_steps(street: Street, mover: str, points: int) -> list[tuple[int, int, int]]:
    foe = "B" if mover == "A" else "A"
    last = len(street) - 1
    own_finish = 0 if mover == "A" else last
    found = []
    for source, stack in enumerate(street):
        if not stack or stack[-1][0] == foe or int(stack[-1][1]) > points:
            continue
        for target in (source - 1, source + 1):
            if not 0 <= target <= last:
                continue
            enters_finish = target in (0, last)
            if stack[-1][0] == "P" and enters_finish:
                continue
            if stack[-1][0] == mover and enters_finish and target != own_finish:
                continue
            if stack[-1][0] == mover and street[target] and street[target][-1][0] == foe:
                continue
            found.append((source, target, int(stack[-1][1])))
    return found


def results(line: str, roll: int, squares: int, until_stuck: bool = False) -> set[str]:
    """The positions that the turns of this roll lead to."""
    mover, street = read(line, squares)
    foe = "B" if mover == "A" else "A"
    if is_home(street, mover) or is_home(street, foe):
        return set()
    found: set[str] = set()

    def walk(now: Street, points: int) -> None:
        steps = single_steps(now, mover, points)
        stops = not steps if until_stuck else points == 0
        if is_home(now, mover) or (stops and points < roll):
            found.add(write(foe, now))
            return
        for source, target, cost in steps:
            walk(after(now, source, target), points - cost)

    walk(street, roll)
    return found or relocations(street, mover, foe)


def relocations(street: Street, mover: str, foe: str) -> set[str]:
    """No valid turn: pass, or take a top that is not one's own and put it on any square."""
    found = {write(foe, street)}
    for source, stack in enumerate(street):
        if stack and stack[-1][0] != mover:
            found |= {write(foe, after(street, source, square)) for square in range(1, len(street) - 1)}
    return found


def count(line: str, depth: int, squares: int, die: int = 6) -> int:
    """Sequences of `depth` turns, over all rolls."""
    if depth == 0:
        return 1
    return sum(
        count(result, depth - 1, squares, die) for roll in range(1, die + 1) for result in results(line, roll, squares)
    )


def scatter(rng: random.Random, squares: int, pieces: list[str]) -> str:
    """The pieces in any order on any places, only finishes are kept to their owners."""
    street: Street = [[] for _ in range(squares + 2)]
    for piece in rng.sample(pieces, len(pieces)):
        allowed = list(range(1, squares + 1)) + {"A": [0], "B": [squares + 1], "P": []}[piece[0]]
        street[rng.choice(allowed)].append(piece)
    return write(rng.choice("AB"), street)
