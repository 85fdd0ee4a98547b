"""Icehouse: checks a certificate of which defenders are safe, independently of the search that produced it.

A certificate names a position, its parameters and readings, and for defenders and sizes of attackers an answer:

* safe: no legal placement of a piece of that size attacks the defender, whatever its tip and direction. The proof is a
  tree that divides all placements into cells, with a reason for each (`certificate_cells`); or nobody has such a piece
  that may attack it;
* open: a placement that is legal and attacks it;
* unknown: nothing is claimed.

An answer may be about one piece of one player; then it names both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rulecheck.games.icehouse import GAME
from rulecheck.games.icehouse.engine import Engine
from rulecheck.games.icehouse.pieces import EAST, SIZES, Piece, Place, Position
from rulecheck.games.icehouse.research.certificate_cells import EIGHTHS, Cell, Cone, Scene, Thing, Vector
from rulecheck.model import InputError
from rulecheck.pyramids import Pyramid
from solvers.planar import Point, Row, clip, opposite

FORMAT = "rulecheck icehouse fortress 1"
ANSWERS = ("safe", "open", "unknown")
LARGEST = 10**9  # a direction beyond this is refused before any arithmetic, as are fractions of more digits:
FRACTION = re.compile(r"-?[0-9]{1,1000}(/[0-9]{1,1000})?")
Tree = Mapping[str, Any]


class Rejected(Exception):
    """The certificate does not prove what it claims; the message says why."""


@dataclass(frozen=True)
class Checked:
    """One answer of a certificate; `problem` is None if it was accepted."""

    target: int
    pips: int
    answer: str
    cells: int
    problem: str | None


# -- Who could attack at all --------------------------------------------------------------------------------


def attackers(engine: Engine, position: Position, target: int, pips: int) -> list[tuple[str, Pyramid]]:
    """Players and pieces of a size that they could place to attack the target, if there were a way for it."""
    defender = position.pieces[target - 1]
    players = () if engine.over(position) else engine.params.colours
    pieces = [(player, Pyramid(colour, pips)) for player in players for colour in engine.params.colours]
    return [(player, pyramid) for player, pyramid in pieces if may_attack(engine, position, player, pyramid, defender)]


def may_attack(engine: Engine, position: Position, player: str, pyramid: Pyramid, defender: Piece) -> bool:
    """Has the player the piece, is it hostile, and would it not return at once as played too early (IH-41)?"""
    piece = Piece(pyramid.colour, pyramid.pips, True, defender.point, EAST, player)
    early = engine.readings["meltdown"] != "on_call" and engine.early((*position.pieces, piece), len(position.pieces))
    return engine.judge_taking(position, player, pyramid).legal and engine.hostile(piece, defender) and not early


def attack_problem(engine: Engine, position: Position, piece: Piece, target: int) -> str | None:
    """Why a placement is no attack on the target, or None; the engine plays it and decides."""
    verdict = engine.judge(position, Place(piece))
    if not verdict.legal:
        return f"{piece} is {verdict}"
    after = engine.play(position, Place(piece))
    if not piece.lying or len(after.pieces) <= len(position.pieces) or engine.attacks(after)[-1] != target - 1:
        return f"{piece} does not attack piece {target}"
    return None


# -- Proofs -------------------------------------------------------------------------------------------------


def check_proof(scene: Scene, proof: Any) -> int:
    """The number of cells of a proof that holds; raises Rejected for any other."""
    trees = proof.get("cones") if isinstance(proof, Mapping) else None
    if not isinstance(trees, list) or len(trees) != len(EIGHTHS):
        raise Rejected(f"a proof has a tree for each of {len(EIGHTHS)} cones")
    waiting = [(Cell(scene.all_tips(), cone), tree) for cone, tree in zip(EIGHTHS, trees, strict=True)]
    cells = 0
    while waiting:
        cell, tree = waiting.pop()
        cells += 1
        waiting += _parts(scene, cell, tree)
    return cells


def _parts(scene: Scene, cell: Cell, tree: Any) -> list[tuple[Cell, Any]]:
    """What is left to prove of a cell; nothing, if a reason settles it."""
    if not isinstance(tree, Mapping):
        raise Rejected("a tree is an object")
    if "why" in tree:
        _check_reason(scene, cell, tree)
        return []
    given = tree.get("parts")
    cells = list(_divided(scene, cell, tree))
    if not isinstance(given, list) or len(given) != len(cells):
        raise Rejected(f"a cell that falls into {len(cells)} parts needs as many proofs")
    return list(zip(cells, given, strict=True))


def _check_reason(scene: Scene, cell: Cell, tree: Tree) -> None:
    if tree["why"] == "missed":
        holds = scene.missed(cell)
    elif tree["why"] == "far":
        holds = scene.far(cell)
    elif tree["why"] == "shield":
        holds = scene.shields(cell, _things(tree.get("walls")), _joints(tree.get("points")))
    else:
        raise Rejected("a reason is missed, far or shield")
    if not holds:
        raise Rejected(f"the reason {tree['why']} does not hold in a cell with a tip at {_text(cell.tips[0])}")


def _text(point: Point) -> str:
    return f"{point[0]},{point[1]}"


def _divided(scene: Scene, cell: Cell, tree: Tree) -> Iterator[Cell]:
    """A cell cut by a line or a direction, or freed of a thing, falls into these."""
    if "apart" in tree:
        (thing,) = _things([tree["apart"]])
        if thing not in scene.obstacles and thing not in scene.table:
            raise Rejected(f"{thing!r} is nothing that a piece could overlap")
        yield from (Cell(part, cell.cone) for part in scene.outside(cell, thing))
    elif "line" in tree:
        row = _row(tree["line"])
        yield from (Cell(part, cell.cone) for r in (row, opposite(row)) if (part := clip(cell.tips, r)))
    else:
        yield from (Cell(cell.tips, cone) for cone in _turned(cell.cone, tree))


def _turned(cone: Cone, tree: Tree) -> tuple[Cone, ...]:
    at = _vector(tree.get("turn") or tree.get("turn_at"))
    if cone.holds_inside(at):
        return cone.split(at) if "turn" in tree else cone.split_around(at)
    if "turn_at" in tree and cone.has_end(at):
        return cone.split_around(at)
    raise Rejected(f"the direction {at} does not divide its cone")


def _things(given: Any) -> list[Thing]:
    if not isinstance(given, list) or not all(type(thing) in (int, str) for thing in given):
        raise Rejected("things are numbers of pieces, pads or sides of the table")
    return given


def _joints(given: Any) -> list[list[Point]]:
    if not isinstance(given, list) or not all(isinstance(joint, list) for joint in given):
        raise Rejected("the points of a shield are lists of points")
    return [[_point(point) for point in joint] for joint in given]


def _point(given: Any) -> Point:
    x, y = _numbers(given, 2)
    return x, y


def _row(given: Any) -> Row:
    a, b, c = _numbers(given, 3)
    if a == b == 0:
        raise Rejected("a line has a direction")
    return a, b, c


def _numbers(given: Any, count: int) -> list[Fraction]:
    texts: list[Any] = given if isinstance(given, list) and len(given) == count else [None]
    if not all(isinstance(x, str) and FRACTION.fullmatch(x) for x in texts):
        raise Rejected(f"expected {count} fractions")
    try:
        return [Fraction(x) for x in texts]
    except ZeroDivisionError:
        raise Rejected(f"expected {count} fractions, found one that divides by zero") from None


def _vector(given: Any) -> Vector:
    if not isinstance(given, list) or len(given) != 2 or not all(type(x) is int and abs(x) < LARGEST for x in given):
        raise Rejected("a direction is two whole numbers")
    return given[0], given[1]


# -- Whole certificates -------------------------------------------------------------------------------------


def check_document(document: Any) -> list[Checked]:
    """Every answer of a certificate, accepted or with its problem."""
    engine, position = _opened(document)
    answers = document.get("answers")
    if not isinstance(answers, list) or not answers:
        raise InputError("the certificate has no answers")
    return [_checked(engine, position, answer) for answer in answers]


def _opened(document: Any) -> tuple[Engine, Position]:
    if not isinstance(document, Mapping) or document.get("format") != FORMAT:
        raise InputError(f"this is no certificate of the format {FORMAT!r}")
    chosen = [document.get(key) for key in ("params", "readings")]
    texts = [isinstance(c, Mapping) and all(isinstance(v, str) for v in c.values()) for c in chosen]
    if not all(texts) or not isinstance(document.get("position"), str):
        raise InputError("the certificate lacks its parameters, readings or position")
    params = GAME.params(document["params"])
    engine = Engine(params, GAME.rulebook.choose(document["readings"]))
    return engine, GAME.read_position(params, document["position"])


def _checked(engine: Engine, position: Position, answer: Any) -> Checked:
    given: Tree = answer if isinstance(answer, Mapping) else {}
    target, pips, said = given.get("target"), given.get("pips"), given.get("answer")
    if type(target) is not int or not 1 <= target <= len(position.pieces) or position.pieces[target - 1].lying:
        raise InputError(f"the certificate speaks of piece {target!r}, which is no defender")
    if type(pips) is not int or pips not in SIZES or said not in ANSWERS:
        raise InputError(f"the certificate has no proper answer for piece {target}")
    try:
        cells = _check_answer(engine, position, target, pips, given)
    except Rejected as problem:
        return Checked(target, pips, said, 0, str(problem))
    return Checked(target, pips, said, cells, None)


def _check_answer(engine: Engine, position: Position, target: int, pips: int, answer: Tree) -> int:
    if "player" in answer or "piece" in answer:
        _check_asker(engine, pips, answer)
    if answer["answer"] == "unknown":
        return 0
    if answer["answer"] == "open":
        _check_attack(engine, position, target, pips, answer)
        return 0
    if answer.get("proof") == "nobody":
        who = attackers(engine, position, target, pips)
        if any(_is_asked(answer, player, pyramid) for player, pyramid in who):
            raise Rejected("there is a piece of that size to place which may attack")
        return 0
    return check_proof(Scene(engine.params, engine.readings, position, target, pips), answer.get("proof"))


def _check_asker(engine: Engine, pips: int, answer: Tree) -> None:
    pieces = [str(Pyramid(colour, pips)) for colour in engine.params.colours]
    if answer.get("player") not in engine.params.colours or answer.get("piece") not in pieces:
        raise Rejected("an answer about one piece names its player and a piece of that size")


def _is_asked(answer: Tree, player: str, pyramid: Pyramid) -> bool:
    return "player" not in answer or (answer["player"], answer["piece"]) == (player, str(pyramid))


def _check_attack(engine: Engine, position: Position, target: int, pips: int, answer: Tree) -> None:
    text = answer.get("attack")
    try:
        event = GAME.read_move(engine.params, text if isinstance(text, str) else "")
    except InputError as error:
        raise Rejected(f"the attack cannot be read: {error}") from None
    if not isinstance(event, Place) or event.piece.pips != pips:
        raise Rejected("the attack is no placement of a piece of that size")
    if not _is_asked(answer, event.piece.placer, event.piece.pyramid):
        raise Rejected("the attack is by another piece or player than asked for")
    problem = attack_problem(engine, position, event.piece, target)
    if problem is not None:
        raise Rejected(problem)


def certificate(engine: Engine, position: Position, answers: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The document for these answers."""
    return {
        "format": FORMAT,
        "params": engine.params.as_dict(),
        "readings": dict(engine.readings),
        "position": str(position),
        "answers": list(answers),
    }
