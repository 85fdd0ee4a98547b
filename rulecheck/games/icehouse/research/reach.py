"""Icehouse: which defenders can a player freeze with one more piece, over every tip and every direction?

The given rules play an attack, and must say that it freezes the defender. Its absence takes a proof accepted by the
checker of `certificate`, which reads neither encoding's geometry. A new attacker adds its pips and only stops other
lines, so a defender worth as much as all its attackers and the new one together needs no proof. An unknown answer makes
no puzzle.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from rulecheck.games.icehouse import GAME
from rulecheck.games.icehouse.pieces import EAST, Piece, Place, Position
from rulecheck.games.icehouse.puzzles.umpires import Umpire, played, umpire
from rulecheck.games.icehouse.research.attack import NOBODY, Answer, attack
from rulecheck.games.icehouse.research.certificate import Rejected, check_proof
from rulecheck.games.icehouse.research.certificate_cells import Scene
from rulecheck.model import Readings
from rulecheck.puzzles.rules import DisagreementError, Rules
from rulecheck.pyramids import Pyramid
from rulecheck.registry import Choice

BUDGET, LESS, GLANCE = 1500, 1000, 1  # cells: for a proof, for readings other than the puzzle's, for lines alone
# The readings that a proof of safety depends on ...
GEOMETRY = ("range", "distance", "length", "graze", "touching")
PADS, EDGE = ("on_pad", "pad_ray"), ("edge",)
# ... values under which most attacks are possible, so that a proof serves other values too, and changes after which
# nothing attacks that did not before. By IC-20 the body is never nearer than the tip when it matters.
WIDE = {"range": "inclusive", "length": "slant", "graze": "open"}
NARROWER = {
    ("range", "inclusive", "strict"), ("length", "slant", "height"), ("graze", "open", "seam"),
    ("touching", "allowed", "forbidden"), ("distance", "tip", "axis"), ("distance", "tip", "body"),
}  # fmt: skip


class NotKnownError(Exception):
    """The budget was not enough for an answer."""


@dataclass(frozen=True)
class Proof:
    """No piece of this size attacks the defender while these walls are there, whatever else is."""

    defender: Piece
    pips: int
    walls: frozenset[Piece]

    def holds(self, position: Position, d: int, pips: int) -> bool:
        """Does the proof apply here? The checker needs the walls that it names and nothing else."""
        return (position.pieces[d], pips) == (self.defender, self.pips) and self.walls <= set(position.pieces)


@dataclass
class Reach:
    """Keeps proofs while one puzzle is written, so that its text depends on nothing else."""

    rules: Rules
    budget: int = BUDGET
    proofs: list[Proof] = field(default_factory=list)
    first: Reach | None = None  # the same under the readings of the puzzle
    known: dict[tuple[Position, Pyramid, int], tuple[Answer, Readings]] = field(default_factory=dict)

    @functools.cached_property
    def umpire(self) -> Umpire:
        return umpire(self.rules)

    def freezable(self, position: Position, player: str) -> dict[int, Piece]:
        """The free defenders (counted from 0) that the player can freeze by one placement, each with one that does."""
        shots = {}
        for d, piece in enumerate(position.pieces):
            if not piece.lying and not self.umpire.frozen(position, d):
                shot = self.shot(position, player, d)
                if shot is not None:
                    shots[d] = shot
        return shots

    def shot(self, position: Position, player: str, d: int) -> Piece | None:
        """A placement that freezes the defender, by the smallest piece that can; None if there is provably none."""
        for pyramid in self.strong_enough(position, player, d):
            attacker = self._attack(position, player, pyramid, d)
            if attacker is not None:
                if not self.freezes(position, attacker, d):
                    raise NotKnownError
                return attacker
        return None

    def strong_enough(self, position: Position, player: str, d: int) -> Iterator[Pyramid]:
        """One of each size that the player may attack the defender with, if that would freeze it; small ones first."""
        held = position.hand(player)
        sizes: set[int] = set()
        for pyramid in sorted((held,) if held else position.pad(player), key=lambda p: (p.pips, p.colour != player)):
            new = Piece(*pyramid, True, position.pieces[d].point, EAST, player)
            total = self.umpire.total(position, d) + pyramid.pips
            if pyramid.pips not in sizes and total > position.pieces[d].pips and self._may(position, new, d):
                sizes.add(pyramid.pips)
                yield pyramid

    def _may(self, position: Position, piece: Piece, d: int) -> bool:
        late = self.rules.choice.readings["meltdown"] == "on_call" or not self.umpire.early(position, piece)
        return late and self.umpire.hostile(position, piece, d)

    def freezes(self, position: Position, piece: Piece, d: int) -> bool:
        after = played(self.rules, position, Place(piece))
        return after is not None and len(after.pieces) > len(position.pieces) and self.umpire.frozen(after, d)

    def _attack(self, position: Position, player: str, pyramid: Pyramid, d: int) -> Piece | None:
        if any(proof.holds(position, d, pyramid.pips) for proof in self.proofs):
            return None
        answer, _ = self.answer(position, player, pyramid, d)
        if answer.word == "unknown":
            raise NotKnownError
        if answer.proof == NOBODY:
            raise DisagreementError(f"{position}: may {player} attack {position.pieces[d]} with {pyramid}?")
        if answer.proof is not None:
            walls = frozenset(position.pieces[n - 1] for n in named_by(answer.proof) if isinstance(n, int))
            self.proofs.append(Proof(position.pieces[d], pyramid.pips, walls))
        return answer.attack

    def answer(self, position: Position, player: str, pyramid: Pyramid, d: int) -> tuple[Answer, Readings]:
        """An answer that holds here, and the readings under which the checker has accepted it."""
        key = (position, pyramid, d)
        if key not in self.known:
            self.known[key] = self._sought(position, player, pyramid, d)
        return self.known[key]

    def _sought(self, position: Position, player: str, pyramid: Pyramid, d: int) -> tuple[Answer, Readings]:
        choice = self.rules.choice
        params, own = tuple(choice.params.as_dict().items()), choice.readings
        asked = (str(position), player, str(pyramid), d + 1, self.budget)
        if self.first is not None:
            known, under = self.first.answer(position, player, pyramid, d)
        elif self.budget > GLANCE:
            under = own.replace(**WIDE)
            known = _searched(params, under, *asked)
        else:
            return _searched(params, own, *asked), own
        if known.attack is not None and self.freezes(position, known.attack, d):
            return known, under
        if known.proof is not None and known.proof != NOBODY and self._holds(position, known, under):
            return known, under
        return _searched(params, own, *asked), own

    def _holds(self, position: Position, known: Answer, under: Readings) -> bool:
        """Does a proof under other readings hold under these? The checker decides, unless these only forbid more."""
        params, here = self.rules.choice.params, self.rules.choice.readings
        looked_at = GEOMETRY + (PADS if params.pads else ()) + (EDGE if params.table else ())
        forbids = all(here[name] == under[name] or (name, under[name], here[name]) in NARROWER for name in looked_at)
        if forbids and self.first is not None:
            return True
        try:
            check_proof(Scene(params, here, position, known.target, known.pips), known.proof)
        except Rejected:
            return False
        return True

    def under(self, other: Rules) -> Reach:
        """Another reading of the same puzzle."""
        return Reach(other, LESS, first=self)


def named_by(tree: Any) -> Iterator[Any]:
    """All that a proof names."""
    if isinstance(tree, dict):
        yield from tree.get("walls", [])
        if "apart" in tree:
            yield tree["apart"]
        for part in (*tree.get("parts", []), *tree.get("cones", [])):
            yield from named_by(part)


@functools.lru_cache(maxsize=2000)
def _searched(
    params: tuple[tuple[str, str], ...],
    readings: Readings,
    text: str,
    player: str,
    piece: str,
    target: int,
    budget: int,
) -> Answer:
    """Once in each process: the geometry is the same for every puzzle."""
    choice = Choice(GAME, GAME.params(dict(params)), readings)
    position = GAME.read_position(choice.params, text)
    return attack(choice, position, Pyramid(piece[0], int(piece[1])), target, placer=player, budget=budget)
