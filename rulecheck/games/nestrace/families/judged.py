"""Nest race: the turns that are listed, those that are judged legal, and those that the constraints allow are the same.

A turn is a pass, a hop from any square to any other, or a chain of jumps that touches no square twice (one that does
could leave its loop out). On the smallest board such chains have at most three jumps, so there every turn is judged; on
the larger one those of up to two, and those that are listed. A *slice* is the arrangements in which some pyramids stand
where they are put and the others anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations, product
from typing import Any, NamedTuple

from rulecheck.games.nestrace import PASS, Move, Position
from rulecheck.games.nestrace.families.hops import Tick, described
from rulecheck.model import Result, Status, Witness
from rulecheck.pyramids import Pyramid, Stack
from solvers.smt import TRUE, Bool, every
from specs.nestrace.spec import Spec
from specs.nestrace.spec_moves import Path
from specs.nestrace.spec_scene import Flags


class Slice(NamedTuple):
    """Pyramids that stand still, those that are put everywhere, and who is to move."""

    params: dict[str, str]
    still: str
    roaming: str
    movers: str
    jumps: int = 3

    def __str__(self) -> str:
        where = f"every arrangement with {self.still} and {self.roaming} anywhere, {' or '.join(self.movers)} to move"
        return f"every pass, hop and chain of up to {self.jumps} jumps, and every turn listed, in {where}"


SMALL = {"core": "2", "width": "2", "nests": "1"}
FOUR = {**SMALL, "players": "4"}
PAIRS = {**SMALL, "nests": "2"}
LINES = {"core": "3", "width": "3", "nests": "1", "players": "4"}
SLICES = (
    Slice(SMALL, "a2:B1 c2:A1 c3:A2", "A3 B2 B3", "AB"),  # B covers, frees, covers twice
    Slice(SMALL, "c3:B1 b4:A1", "A2 A3 B3", "AB"),  # A comes home, or is kept from it
    Slice(PAIRS, "a2:B1B2B3 b2:A1A2B3 a3:B1 c3:A3 b4:A1A2", "A3 B2", "A"),  # a nest done may leave A in pat
    Slice(FOUR, "b1:C1C2C3 a2:B1B2 c2:A1 a3:D1D2 b3:A3 c3:A2", "B3 D3", "ABCD"),
    Slice(FOUR, "b1:A1A2 c1:C1 a2:B1B2B3 a3:D1D2 c3:D3 b4:C2", "A3 C3", "AC"),
    Slice({**FOUR, "partners": "yes"}, "c1:C1 a2:B1B2B3 a3:D1D2D3 b4:A1A2A3", "C2 C3", "AC"),
    # Lines of three, along which chains touch what the line-mate has there.
    Slice(LINES, "c1:A3 d1:C1 a2:B1B2 c2:D3 a3:D1D2 b4:B3 d4:C2 c5:C3 d5:A1", "A2", "A", 2),
    Slice(LINES, "c1:A3 a2:B1B2 c2:D3 a3:D1D2 b4:B3 d4:C2 b5:C1 c5:C3 d5:A1", "A2", "A", 2),
    # From c2 to c4 by a4 and a2, with a jump straight back.
    Slice(LINES, "b1:C1C2C3 d1:A1A3 d2:B3 a3:B1B2 b3:D3 d4:D1D2", "A2", "A", 2),
)


def turns(spec: Spec, most: int) -> list[Path]:
    """The pass, every hop, and every chain of up to so many jumps without a loop; it may end where it began."""
    paths: list[Path] = [(), *permutations(spec.squares, 2)]
    chains: list[Path] = [(o,) for o in spec.squares]
    for _ in range(most):
        longer = [(*chain, t) for chain in chains for t in spec.squares if spec.is_jump(chain[-1], t)]
        paths += [chain for chain in longer if len(chain) > 2 and chain[-1] not in chain[1:-1]]
        chains = [chain for chain in longer if chain[-1] not in chain[:-1]]
    return paths


def arrangements(spec: Spec, chosen: Slice) -> Iterator[Position]:
    """Every arrangement of the slice, each of its players to move."""
    params = spec.params
    still: list[Stack] = [()] * len(params.squares)
    for token in chosen.still.split():
        square, _, stack = token.partition(":")
        still[params.number[square]] = tuple(map(_pyramid, _pairs(stack)))
    roaming = [_pyramid(name) for name in chosen.roaming.split()]
    rooms = [[s for s in spec.squares if (s, k.pips, k.colour) in spec.scene.at] for k in roaming]
    for places in product(*rooms):
        stacks = list(still)
        for s, k in zip(places, roaming, strict=True):
            stacks[s] = tuple(sorted((*stacks[s], k), key=lambda q: q.pips))
        if all(len({q.pips for q in stack}) == len(stack) for stack in stacks):
            yield from (Position(c, tuple(stacks), params.squares) for c in chosen.movers)


def _pairs(text: str) -> list[str]:
    return [text[n : n + 2] for n in range(0, len(text), 2)]


def _pyramid(text: str) -> Pyramid:
    return Pyramid(text[0], int(text[1]))


class Judged:
    def __init__(self, engine: Any, spec: Spec, jumps: int) -> None:
        self.engine, self.spec = engine, spec
        names = spec.params.squares
        self.turns = {Move(tuple(names[s] for s in path)): path for path in turns(spec, jumps)}

    def disagreement(self, position: Position) -> tuple[Move | None, str] | None:
        """The turn that is seen differently, or listed wrongly, and how."""
        c, flags, listed = position.mover, self.spec.scene.flags(position.stacks), self.engine.moves(position)
        sizes, legal = dict(self.spec.tops(c, flags)), dict[Move, Flags]()
        longer = {move: tuple(self.spec.params.number[s] for s in move.path) for move in listed}
        for move, path in {**self.turns, **longer}.items():
            verdict = self.engine.judge(position, move)
            if self._allows(c, path, sizes, flags):
                legal[move] = self.spec.following(c, (path[0], sizes[path[0]], path[-1]), flags) if path else flags
                if not verdict.legal:
                    return move, f"to the engine it is {verdict}, to the spec legal"
            elif verdict.legal or not self._is_broken(verdict.clauses, c, path, flags):
                return move, f"to the engine it is {verdict}, to the spec it is not"
        return self._listed_wrongly(position, listed, legal) or self._missing(position, listed, flags)

    def _allows(self, c: str, path: Path, sizes: Mapping[int, int], flags: Flags) -> bool:
        spec, choice = self.spec, self.spec.choice(c, flags)
        if not path:
            return choice.may_pass
        if path[0] not in sizes or (path[0], sizes[path[0]], path[-1]) not in choice.legal:
            return False
        about = (c, sizes[path[0]], path)
        return bool(spec.test(("keeps", *about), lambda: every(spec.path_clauses(*about).values()))(flags))

    def _is_broken(self, named: Sequence[str], c: str, path: Path, flags: Flags) -> bool:
        """Are all clauses broken, to the spec, that the engine names?"""
        spec = self.spec
        if spec.test("over", spec.over)(flags):
            return list(named) == [spec.goal_clause()]
        kept = {n for n in named if spec.test(("asked", c, path, n), lambda n=n: self._asked(c, path, n))(flags)}  # type: ignore[misc]
        return not kept or kept <= spec.broken_by_pat_rule(c, path, flags)

    def _asked(self, c: str, path: Path, clause: str) -> Bool:
        return (self.spec.asked(c, path) if path else {}).get(clause, TRUE)

    def _listed_wrongly(
        self, position: Position, listed: Mapping[Move, Position], legal: Mapping[Move, Flags]
    ) -> tuple[Move, str] | None:
        """Each move is legal and has the result that is given, and no other has."""
        following, reached = self.spec.next_player(position.mover), set[Flags]()
        for move, after in listed.items():
            if move not in legal:
                return move, "listed, but not legal"
            result = self.spec.scene.flags(after.stacks)
            if after.mover != following or legal[move] != result:
                return move, f"listed with the result {after}, which it does not have"
            if result in reached:
                return move, "listed, and so is another move with the same result"
            reached.add(result)
        return None

    def _missing(
        self, position: Position, listed: Mapping[Move, Position], flags: Flags
    ) -> tuple[Move | None, str] | None:
        """Every legal turn, however long a chain it takes, has its result in the list."""
        spec, c = self.spec, position.mover
        choice, reached = spec.choice(c, flags), {spec.scene.flags(after.stacks) for after in listed.values()}
        if choice.may_pass and flags not in reached:
            return PASS, "legal, but not listed"
        for o, z, t in sorted(choice.legal):
            if spec.following(c, (o, z, t), flags) not in reached:
                return None, f"to go from {spec.params.squares[o]} to {spec.params.squares[t]} is legal, but not listed"
        return None


def prove_judged(engine: Any, spec: Spec, chosen: Slice, tick: Tick) -> Result:
    scope = f"turns listed, judged legal and allowed by the constraints: {chosen}, on {described(spec.params)}"
    judged, count = Judged(engine, spec, chosen.jumps), 0
    for position in arrangements(spec, chosen):
        count += 1
        if difference := judged.disagreement(position):
            move, words = difference
            witness = Witness(str(position), move and str(move), words, spec.params.as_dict(), dict(spec.readings))
            return Result(Status.REFUTED, scope, witness, count)
    tick(1.0)
    return Result(Status.PROVED, scope, cases=count)
