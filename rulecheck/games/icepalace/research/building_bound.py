"""Ice Palace: the best build if stacks never lost the room beside them: a bound, and a plan.

Two facts hold for every build, wherever it stands: additions to a stack fall in size; and a new stack begins in a
colour seen before on top of a stack with an empty cell beside it. A *plan* lists additions to stacks and new stacks,
and obeys these two rules alone. So no build is better than the best plan, and a plan that can be laid out on the grid
is a best build.

Plans are searched in an order that loses none: additions to old stacks depend on nothing else and can only help, so
they come first; then new stacks that show a colour not seen before; then all others, the largest pyramids first.

Glossary: `left` counts the pyramids of each kind that are not used yet; `seen` is the set of colours that new stacks
may begin in; a *chain* is what is added on one stack, in order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from rulecheck.games.icepalace import Cell, Structure
from rulecheck.games.icepalace.research.building_room import Colours, rooms
from rulecheck.model import Readings
from rulecheck.pyramids import SMALL, Stack

Chain = tuple[int, ...]  # numbers of kinds
Left = tuple[int, ...]
MOST_STATES = 400_000  # partial plans cached before the search gives up
PER_PYRAMID = 1000  # the worth of one more pyramid where the number comes first; more than all points of a palace


class TooManyPlansError(Exception):
    """The search was given up; nothing is known."""


@dataclass(frozen=True)
class Aim:
    """The build wanted: most or fewest points of a player, among the longest builds or among all.

    No build has more than `limit` pyramids, if that is known.
    """

    player: str
    most: bool = True
    longest: bool = True
    limit: int | None = None

    def worth(self, pyramids: int, points: int) -> int:
        return (PER_PYRAMID * pyramids if self.longest else 0) + (points if self.most else -points)


@dataclass(frozen=True)
class Plan:
    """A build without the grid: it uses `number` pyramids and changes the player's points by `gain`."""

    number: int
    gain: int
    covers: tuple[tuple[Cell, Stack], ...]
    stacks: tuple[Stack, ...]


@dataclass(frozen=True)
class Old:
    """The relevant part of a stack of the palace: its points, what may go on it, what may begin beside it."""

    pips: int
    colour: str | None  # None where any colour goes on any other
    points: int  # of the player, as it stands
    height: int
    room: Colours


Partial = tuple[int, int, int, tuple[Chain | None, ...]]  # worth, pyramids, points, and the chains in their order
NOTHING: Partial = (0, 0, 0, ())


class Planner:
    """The best plan for one palace, material and aim."""

    def __init__(self, palace: Structure, left: Stack, readings: Readings, aim: Aim, careful: bool = False) -> None:
        self.aim, self.readings, self.careful = aim, readings, careful
        self.kinds = sorted(set(left), key=lambda q: (-q.pips, q.colour))
        counts = Counter(left)
        self.left: Left = tuple(counts[kind] for kind in self.kinds)
        self.spare = max(0, len(left) - (len(left) if aim.limit is None else aim.limit))  # that are never used
        self.palace = palace
        self.islands = readings["palace_island"] == "yes"
        self.begins = self.islands or readings["palace_first"] == "free"
        self.same = readings["palace_stack"] == "same_colour"
        self.colours: Colours = frozenset(kind.colour for kind in self.kinds)
        self.cells, self.olds, self.seen = self._olds(len(left))
        self.chains_on = {old: tuple(self._chains(old.pips, old.colour)) for old in set(self.olds)}
        self.towers = self._towers()
        self._on_old: dict[tuple[int, int, Left, Colours], Partial] = {}
        self._showing: dict[tuple[Left, Colours], Partial] = {}
        self._plain: dict[tuple[Left, Colours, int], Partial] = {}

    # -- What there is ------------------------------------------------------------------------------------

    def _olds(self, most: int) -> tuple[list[Cell], list[Old], Colours]:
        """The stacks that can be covered, no more of a kind than there are pyramids, and the colours seen now."""
        stacks: list[tuple[Cell, Old]] = []
        seen: set[str] = set(self.colours) if self.islands else set()
        room = rooms(self.palace, self.readings, self.colours, self.careful)
        for cell, stack in self.palace:
            top = stack[-1]
            seen |= {top.colour} & room[cell]
            points = len(stack) if top.colour == self.aim.player else 0
            if top.pips > SMALL:
                old = Old(top.pips, top.colour if self.same else None, points, len(stack), room[cell])
                stacks.append((cell, old))
        stacks.sort(key=lambda item: (str(item[1]), item[0]))
        used: Counter[Old] = Counter()
        kept = []
        for cell, old in stacks:
            used[old] += 1
            if used[old] <= most:
                kept.append((cell, old))
        return [cell for cell, _ in kept], [old for _, old in kept], frozenset(seen)

    def _chains(self, under: int, colour: str | None) -> Iterator[Chain]:
        """All non-empty chains that fit on a top of this size; of one colour if given."""
        for number, kind in enumerate(self.kinds):
            if kind.pips < under and colour in (None, kind.colour):
                yield (number,)
                yield from ((number, *more) for more in self._chains(kind.pips, colour))

    def _towers(self) -> dict[int, tuple[Chain, ...]]:
        """All stacks that begin with a pyramid of each kind."""
        towers = {}
        for number, kind in enumerate(self.kinds):
            more = self._chains(kind.pips, kind.colour if self.same else None)
            towers[number] = ((number,), *((number, *chain) for chain in more))
        return towers

    # -- The search ---------------------------------------------------------------------------------------

    def best(self) -> Plan:
        partial = self._cover(0, -1, self.left, self.seen) if self.palace else self._first()
        chains = list(partial[3])
        count = len(self.olds) if self.palace else 0
        covers = ((cell, self._stack(chain)) for cell, chain in zip(self.cells, chains[:count], strict=True) if chain)
        return Plan(partial[1], partial[2], tuple(covers), tuple(self._stack(c) for c in chains[count:] if c))

    def _stack(self, chain: Chain) -> Stack:
        return tuple(self.kinds[number] for number in chain)

    def _first(self) -> Partial:
        """An empty palace begins with any stack."""
        best = NOTHING
        for towers in self.towers.values() if self.begins else ():
            for tower in towers:
                left = self._spared(self.left, tower)
                if left is not None:
                    seen = self.colours if self.islands else frozenset(self._colours(tower))
                    best = max(best, self._joined(tower, 0, 0, self._show(left, seen)), key=_worth)
        return best

    def _cover(self, at: int, last: int, left: Left, seen: Colours) -> Partial:
        """The best additions to the old stacks from this one on. Equal stacks get chains in order, bare ones last.

        `last` is the number of the chain of the stack before, if that is equal.
        """
        if at == len(self.olds):
            return self._show(left, seen)
        key = (at, last, left, seen)
        if key not in self._on_old:
            self._check_size()
            self._on_old[key] = self._covered(at, last, left, seen)
        return self._on_old[key]

    def _covered(self, at: int, last: int, left: Left, seen: Colours) -> Partial:
        old = self.olds[at]
        same = at
        while same < len(self.olds) and self.olds[same] == old:
            same += 1
        worth, pyramids, points, rest = self._cover(same, -1, left, seen)
        best = (worth, pyramids, points, (None,) * (same - at) + rest)
        for number, chain in enumerate(self.chains_on[old]):
            if number < last:
                continue
            after = self._spared(left, chain)
            if after is not None:
                shown = seen | (self._colours(chain) & old.room)
                more = at + 1
                later = self._cover(more, number if more < same else -1, after, shown)
                best = max(best, self._joined(chain, old.height, old.points, later), key=_worth)
        return best

    def _show(self, left: Left, seen: Colours) -> Partial:
        """New stacks: first those that show a colour not yet seen, if any."""
        key = (left, seen)
        if key not in self._showing:
            self._check_size()
            best = self._fill(left, seen, sum(left) - self.spare)
            for number in self._beginnings(left, seen):
                for tower in self.towers[number]:
                    shown = seen | self._colours(tower)
                    after = self._spared(left, tower)
                    if after is not None and shown != seen:
                        best = max(best, self._joined(tower, 0, 0, self._show(after, shown)), key=_worth)
            self._showing[key] = best
        return self._showing[key]

    def _fill(self, left: Left, seen: Colours, free: int) -> Partial:
        """New stacks in colours seen, of at most `free` pyramids.

        The largest pyramid begins a stack or is unused, as nothing can lie below it; unused, so is all its kind.
        """
        number = next((n for n, count in enumerate(left) if count), None)
        if number is None or free == 0:
            return NOTHING
        free = min(free, sum(left))
        key = (left, seen, free)
        if key not in self._plain:
            self._check_size()
            best = self._fill(left[:number] + (0,) + left[number + 1 :], seen, free)
            for tower in self.towers[number] if self.kinds[number].colour in seen else ():
                after = self._without(left, tower)
                if after is not None and len(tower) <= free:
                    rest = self._fill(after, seen, free - len(tower))
                    best = max(best, self._joined(tower, 0, 0, rest), key=_worth)
            self._plain[key] = best
        return self._plain[key]

    # -- Small things -------------------------------------------------------------------------------------

    def _beginnings(self, left: Left, seen: Colours) -> Iterator[int]:
        return (n for n, count in enumerate(left) if count and self.kinds[n].colour in seen)

    def _colours(self, chain: Chain) -> Colours:
        return frozenset(self.kinds[number].colour for number in chain)

    def _without(self, left: Left, chain: Chain) -> Left | None:
        fewer = list(left)
        for number in chain:
            fewer[number] -= 1
        return None if min(fewer) < 0 else tuple(fewer)

    def _spared(self, left: Left, chain: Chain) -> Left | None:
        """The same, if as many remain as must stay unused."""
        fewer = self._without(left, chain)
        return None if fewer is None or sum(fewer) < self.spare else fewer

    def _joined(self, chain: Chain, height: int, points: int, rest: Partial) -> Partial:
        """A chain on a stack of that height that had these points, and the rest of the plan."""
        mine = self.kinds[chain[-1]].colour == self.aim.player
        gain = (height + len(chain) if mine else 0) - points
        worth, pyramids, gained, chains = rest
        return worth + self.aim.worth(len(chain), gain), pyramids + len(chain), gained + gain, (chain, *chains)

    def _check_size(self) -> None:
        if len(self._on_old) + len(self._showing) + len(self._plain) > MOST_STATES:
            raise TooManyPlansError


def _worth(partial: Partial) -> int:
    return partial[0]


def best_plan(palace: Structure, left: Stack, readings: Readings, aim: Aim, careful: bool = False) -> Plan:
    """A best plan; no build from here reaches more. If careful, one that is easily laid out, and no bound."""
    return Planner(palace, left, readings, aim, careful).best()
