"""Icehouse: can a piece be placed so that it attacks a given defender? An attack, a proof of none, or unknown.

An attack is replayed on the engine and judged by the spec; a proof is accepted by `certificate`, which knows nothing of
the search.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from rulecheck.games.icehouse.engine import Engine
from rulecheck.games.icehouse.pieces import Piece, Place, Position
from rulecheck.games.icehouse.research.attack_lines import Lines, Shot, exact
from rulecheck.games.icehouse.research.attack_search import OutOfBudget, Search
from rulecheck.games.icehouse.research.certificate import attack_problem, check_proof, may_attack
from rulecheck.games.icehouse.research.certificate_cells import Cell, Scene
from rulecheck.model import InputError, Result, Status, Witness
from rulecheck.pyramids import SIZE_NAMES, Pyramid
from rulecheck.registry import Choice

BUDGET = 20_000  # cells
NOBODY = "nobody"


@dataclass(frozen=True)
class Answer:
    """`result` is about "no placement attacks it": PROVED, REFUTED by an attack, or UNKNOWN.

    `proof` is the tree that the checker accepted, or `nobody` if nobody has such a piece to place. An answer with a
    `player` is about that player's piece `pyramid` only.
    """

    target: int
    pips: int
    result: Result
    attack: Piece | None = None
    proof: Mapping[str, Any] | str | None = None
    player: str | None = None
    pyramid: Pyramid | None = None

    @property
    def word(self) -> str:
        return {Status.PROVED: "safe", Status.REFUTED: "open", Status.UNKNOWN: "unknown"}[self.result.status]

    def as_json(self) -> dict[str, Any]:
        """As it stands in a certificate."""
        document: dict[str, Any] = {"target": self.target, "pips": self.pips, "answer": self.word}
        if self.player is not None:
            document |= {"player": self.player, "piece": str(self.pyramid)}
        if self.attack is not None:
            document["attack"] = str(self.attack)
        if self.proof is not None:
            document["proof"] = self.proof
        if self.result.status is Status.UNKNOWN:
            document["why"] = self.result.scope
        return document


class AttackFound(Exception):
    def __init__(self, piece: Piece) -> None:
        super().__init__(str(piece))
        self.piece = piece


def attack(
    choice: Choice, position: Position, piece: Pyramid, target: int, *, placer: str | None = None, budget: int = BUDGET
) -> Answer:
    """Can the placer (the owner of the colour if not given) put the piece down so that it attacks piece `target`?"""
    engine = engine_of(choice)
    defender = defender_at(position, target)
    player = placer or piece.colour
    if engine.over(position) or not may_attack(engine, position, player, piece, defender):
        reasons = "there is none left, it is not hostile, or it would be too early (IH-41)"
        why = f"{player} cannot place {piece} as an attacker of {defender}, wherever it is: {reasons}"
        answer = Answer(target, piece.pips, Result(Status.PROVED, why), proof=NOBODY)
    else:
        answer = Question(choice, engine, position, player, piece, target).answer(budget)
    return replace(answer, player=player, pyramid=piece)


def engine_of(choice: Choice) -> Engine:
    engine = choice.engine()
    assert isinstance(engine, Engine)
    return engine


def defender_at(position: Position, target: int) -> Piece:
    if not 1 <= target <= len(position.pieces):
        raise InputError(f"there is no piece {target}; the position has {len(position.pieces)}")
    if position.pieces[target - 1].lying:
        raise InputError(f"piece {target}, {position.pieces[target - 1]}, lies; only standing pieces are attacked")
    return position.pieces[target - 1]


class Question:
    """One piece that a player has, and one defender."""

    def __init__(
        self, choice: Choice, engine: Engine, position: Position, player: str, pyramid: Pyramid, target: int
    ) -> None:
        self.choice, self.engine, self.position = choice, engine, position
        self.player, self.pyramid, self.target = player, pyramid, target
        self.scene = Scene(engine.params, engine.readings, position, target, pyramid.pips, exact)
        self.lines = Lines(self.scene)
        self.unwritable: Piece | None = None  # an attack with numbers too long for the notation

    def answer(self, budget: int) -> Answer:
        size, defender = SIZE_NAMES[self.pyramid.pips], self.position.pieces[self.target - 1]
        search = Search(self.scene, budget, self._probe)
        try:
            for shot in self.lines.all_shots(self.position):
                self._try(shot)
            proof = search.prove()
        except AttackFound as hit:
            return self._open(hit.piece, search.cells)
        except OutOfBudget:
            return self._unknown(f"no answer within {budget:,} cells", search.cells)
        if proof is None:
            return self._unknown(f"{search.stuck} cells have become too small to go on", search.cells)
        plain = Scene(self.engine.params, self.engine.readings, self.position, self.target, self.pyramid.pips)
        cells = check_proof(plain, proof)
        scope = f"every tip and every direction of a {size} piece against piece {self.target}, {defender}"
        return Answer(self.target, self.pyramid.pips, Result(Status.PROVED, scope, cases=cells), proof=proof)

    def _unknown(self, why: str, cells: int) -> Answer:
        if self.unwritable is not None:
            why = f"the attack {self.unwritable} has numbers too long to be read back, and no other was found; {why}"
        return Answer(self.target, self.pyramid.pips, Result(Status.UNKNOWN, why, cases=cells))

    def _probe(self, cell: Cell) -> None:
        for shot in self.lines.within(cell):
            self._try(shot)

    def _try(self, shot: Shot) -> None:
        tip, direction = shot
        piece = Piece(self.pyramid.colour, self.pyramid.pips, True, tip, direction, self.player)
        if not self._attacks(piece):
            return
        for simpler in _simpler(piece):
            if self._attacks(simpler) and self._can_be_written(simpler):
                raise AttackFound(simpler)
        self.unwritable = piece

    def _attacks(self, piece: Piece) -> bool:
        return attack_problem(self.engine, self.position, piece, self.target) is None

    def _can_be_written(self, piece: Piece) -> bool:
        try:
            self.choice.game.read_move(self.engine.params, str(piece))
        except InputError:
            return False
        return True

    def _open(self, piece: Piece, cells: int) -> Answer:
        """What the engine accepts, the spec has to accept too; if not, one of them is wrong."""
        verdict = self.choice.spec().judge(self.position, Place(piece))
        if not verdict.legal:
            raise AssertionError(f"the engine allows {piece} in {self.position}, the spec finds it {verdict}")
        witness = Witness(str(self.position), str(piece), f"it attacks piece {self.target}")
        result = Result(Status.REFUTED, f"replayed on the engine and judged by the spec: {piece}", witness, cases=cells)
        return Answer(self.target, self.pyramid.pips, result, attack=piece)


def _simpler(piece: Piece) -> Iterator[Piece]:
    """The same piece with its tip at a simpler place nearby, the simplest first; itself last."""
    x, y = piece.point
    for bits in range(24):
        yield replace(piece, point=(Fraction(round(x * 2**bits), 2**bits), Fraction(round(y * 2**bits), 2**bits)))
    yield piece
