"""Turns play into graphs for the solvers.

Every position is seen by the side to act. A choice after which the other side acts is a MOVE, one after which the same
side goes on is a STEP, and chance is a CHANCE; where the ways on differ in this, extra nodes hand over the turn. With
more than two players, one of them plays against all the others together.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Generic

import numpy as np
from numpy.typing import NDArray

from rulecheck.contract import End, M, P
from rulecheck.explore import Explored, Who
from rulecheck.model import InputError
from solvers.graph import TERMINAL_KINDS, Arena, Kind

MOST_LISTED = 1 << 12  # entries of one chance node, each equally likely
FLIPPED = {Kind.WIN: Kind.LOSS, Kind.LOSS: Kind.WIN, Kind.TIE: Kind.TIE}


def seen_by(end: End, hero: str, players: tuple[str, ...]) -> Kind:
    """An end as seen by one player: a tie if nobody has won, or if all of several players have."""
    if not end.winners or (len(players) > 1 and set(end.winners) == set(players)):
        return Kind.TIE
    return Kind.WIN if hero in end.winners else Kind.LOSS


@dataclass(frozen=True, eq=False)
class PlayGraph(Generic[P, M]):
    """The graph of explored play. Its first nodes are the positions in the order of their texts;
    `node[n]` is the node of position n. `length` is the number of edges of a move."""

    play: Explored[P, M]
    hero: str
    arena: Arena
    node: NDArray[np.int64]
    length: int

    @property
    def keys(self) -> list[bytes]:
        return sorted(self.play.texts)


def graph_of(play: Explored[P, M], hero: str | None = None) -> PlayGraph[P, M]:
    """The graph, seen by the side to act: the hero (by default the first player), or all others together."""
    return _Builder(play, hero or play.players[0]).build()


class _Builder(Generic[P, M]):
    def __init__(self, play: Explored[P, M], hero: str) -> None:
        self.play, self.hero = play, hero
        self.kinds: list[int] = [Kind.VOID] * len(play)
        self.lists: list[list[int]] = [[] for _ in range(len(play))]
        self.extra: dict[tuple[int, ...], int] = {}

    def build(self) -> PlayGraph[P, M]:
        play = self.play
        sides = [self._sides(n) for n in range(len(play))]
        # A win must be as many moves away as it is: if one choice needs a hand-over in between, all get one.
        hand_over = not play.has_chance and any(len(set(side) - {None}) > 1 for side in sides)
        for n, side in enumerate(sides):
            self._put(n, side, hand_over)
        order = sorted(range(len(play)), key=play.texts.__getitem__)
        node = np.empty(len(play), dtype=np.int64)
        node[order] = np.arange(len(play))
        return PlayGraph(play, self.hero, self._arena(order, node), node, 2 if hand_over else 1)

    def _arena(self, order: list[int], node: NDArray[np.int64]) -> Arena:
        beside = range(len(order), len(self.kinds))
        lists = [self.lists[n] for n in (*order, *beside)]
        place = np.concatenate([node, np.arange(len(order), len(self.kinds))])
        first = np.concatenate([[0], np.cumsum([len(succ) for succ in lists])])
        succ = place[np.array([s for part in lists for s in part], dtype=np.int64)]
        kinds = np.array([self.kinds[n] for n in (*order, *beside)], dtype=np.uint8)
        anchor = (np.arange(len(kinds)) < len(order)) & ~np.isin(kinds, TERMINAL_KINDS)
        return Arena.of(kinds, first, succ, anchor)

    def _side(self, player: str) -> int:
        return 0 if player == self.hero else 1

    def _sides(self, n: int) -> list[bool | None]:
        """For each way on: is the other side to act there? None where nobody is."""
        actor = self.play.actor(n)
        if actor is None:
            return []
        here = self._side(actor)
        there = self.play.reached(n)
        return [None if isinstance(turn, End) else self._side(turn) != here for turn in there]

    def _ended(self, end: End, n: int) -> Kind:
        """An end as seen by the side whose turn it was."""
        actor = self.play.actor(n)
        assert actor is not None
        if len(self.play.players) == 2:
            return seen_by(end, actor, self.play.players)
        kind = seen_by(end, self.hero, self.play.players)
        return kind if actor == self.hero else FLIPPED[kind]

    def _put(self, n: int, sides: list[bool | None], hand_over: bool) -> None:
        play = self.play
        end = play.end(n)
        if end is not None:
            self.kinds[n] = seen_by(end, self.hero, play.players)
        elif play.is_stuck(n):
            self.kinds[n] = Kind.TIE
        elif play.who(n) is Who.CHANCE:
            self.kinds[n] = Kind.CHANCE
            self.lists[n] = self._repeated(n, self._targets(n, sides, Kind.STEP, hand_over=False))
        else:
            other = set(sides) - {None}
            self.kinds[n] = Kind.STEP if hand_over or len(other) > 1 or other == {False} else Kind.MOVE
            self.lists[n] = self._targets(n, sides, Kind(self.kinds[n]), hand_over)

    def _targets(self, n: int, sides: list[bool | None], kind: Kind, hand_over: bool) -> list[int]:
        """The nodes of the ways on, each seen from the side that the kind of this node implies."""
        nodes = []
        for s, other, turn in zip(self.play.successors(n), sides, self.play.reached(n), strict=True):
            if isinstance(turn, End):
                outcome = self._ended(turn, n)
                node = self._shared(FLIPPED[outcome] if kind is Kind.MOVE else outcome)
                nodes.append(self._shared(Kind.STEP, node) if hand_over else node)
            elif kind is Kind.MOVE or (not other and not hand_over):
                nodes.append(s)
            else:
                nodes.append(self._shared(Kind.MOVE if other else Kind.STEP, s))
        return nodes

    def _shared(self, kind: Kind, *succ: int) -> int:
        """An extra node, shared by all that need it."""
        if (kind, *succ) not in self.extra:
            self.extra[(kind, *succ)] = len(self.kinds)
            self.kinds.append(kind)
            self.lists.append(list(succ))
        return self.extra[(kind, *succ)]

    def _repeated(self, n: int, nodes: list[int]) -> list[int]:
        """The nodes, each repeated by its weight."""
        weights = list(self.play.weights(n))
        if min(weights) < 1:
            raise InputError(
                f"{self.play.texts[n].decode()}: the weights of chance must be at least 1, found {min(weights)}"
            )
        common = math.gcd(*weights)
        if sum(weights) // common > MOST_LISTED:
            raise InputError(f"{self.play.texts[n].decode()}: its weights of chance add up to over {MOST_LISTED:,}")
        return [node for node, weight in zip(nodes, weights, strict=True) for _ in range(weight // common)]
