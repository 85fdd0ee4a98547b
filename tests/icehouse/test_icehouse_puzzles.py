"""Puzzles of Icehouse: what is made is sound, what is edited is refused, and a turned puzzle is the same one."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulecheck.games.icehouse import GAME
from rulecheck.games.icehouse.alike import alike
from rulecheck.games.icehouse.pieces import Piece, Place, Position
from rulecheck.games.icehouse.puzzles.capture import Chains, same
from rulecheck.games.icehouse.puzzles.umpires import captures, umpire
from rulecheck.games.icehouse.research.attack import attack
from rulecheck.games.icehouse.research.best import best, task_of
from rulecheck.games.icehouse.research.certificate import check_document
from rulecheck.games.icehouse.research.fortress import document
from rulecheck.games.icehouse.research.keeps import moved
from rulecheck.games.icehouse.research.reach import Reach, named_by
from rulecheck.puzzles.kinds import kind_of
from rulecheck.puzzles.mining import alike_key, settings_of
from rulecheck.puzzles.model import Draft, Puzzle, puzzle_id
from rulecheck.puzzles.rules import ByConstraints, ByEngine, Rules, rules_of
from rulecheck.puzzles.verify import untrue
from rulecheck.pyramids import Pyramid
from rulecheck.registry import Choice

ENCODINGS = pytest.mark.parametrize("how", [ByEngine, ByConstraints])
TWO, THREE = GAME.params({"players": "2"}), GAME.params({"players": "3"})

# A captures from A1 (2): after 8 the line of 7 is open again, and only then 7 may go, too.
ORDER = (
    "all A1@126,95 A1@135,69^5/13,12/13 B1@172,151^8/17,15/17 B3@1511/13,548/13^5/13,12/13 A2@119,142>1,0 "
    "B2@1647/13,942/13>12/13,-5/13 B2@144,109>0,-1 B3@3906/29,2370/29>-20/29,-21/29"
)
TABLE = {"players": "2", "table": "220x180"}
# B2 is shut in by two larges and by two attackers, 6 and 8; A1 is over-iced by 6 and 7, A3 is just frozen.
GATES = (
    "all B2@0,0 A1@143/2,0 A3@7/2,197/2 B3@-57/2,7/2 B3@-7/2,-57/2 B2@113/2,0>1,0 B3@191/2,-4>-1,0 "
    "B3@7/2,137/2>0,1 B1@-27/2,199/2>1,0"
)
# Three pinwheels of larges; the one round piece 2 leaves a gap.
KEEPS = (
    "all B1@50,45 C1@159,45 B1@45,164 B3@95/2,159/2 B3@33/2,95/2 C3@97/2,33/2 A3@159/2,97/2 C3@156,76 B3@119,48 "
    "C3@152,16 A3@184,44 B3@151/2,327/2 B3@87/2,381/2 C3@33/2,317/2 C3@97/2,263/2 hands=A2/-/-"
)


def rules(how: Any, params: Any) -> Rules:
    return rules_of(how, GAME.slug, params.as_dict(), GAME.rulebook.defaults())


def made(kind: str, position: str, params: dict[str, str]) -> Puzzle:
    """As if a proposal had found it: both encodings agree on it."""
    draft = Draft(position, params=params)
    given, readings = settings_of(GAME, draft)
    description = []
    for how in (ByEngine, ByConstraints):
        by = rules_of(how, GAME.slug, given, readings)
        description.append(kind_of(GAME, kind).describe(by, by.read(position), ""))
    assert description[0] is not None
    assert description[0] == description[1]
    return Puzzle(puzzle_id(GAME.slug, kind, 1, 0), GAME.slug, kind, given, readings, position, "", description[0])


def edited(puzzle: Puzzle, **changes: Any) -> str:
    """What the constraints have against the puzzle with these things changed by hand."""
    return untrue({**json.loads(json.dumps(puzzle.as_json())), **changes})


# -- Which captures --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def order() -> Puzzle:
    return made("which-captures", ORDER, TABLE)


def test_captures_in_the_only_order(order: Puzzle) -> None:
    """The greedy order ends worse, and the set that is best can be had in one order only."""
    assert order.description.answer == ("8, 7",)
    assert order.description.difficulty.level == 4
    assert [found["refutation"] for found in order.description.tries] == ["3 points less"]
    assert order.description.idle == ()


def naive(by: Rules, position: Position, player: str, numbers: tuple[int, ...]) -> int | None:
    """What capturing the pieces with these numbers of the first position, in this order, is worth; None if it cannot
    be done."""
    wanted = [position.pieces[n - 1] for n in numbers]
    for piece in wanted:
        found = {c: after for c, after in captures(by, position).items() if c.player == player}
        after = [after for c, after in found.items() if position.pieces[c.number - 1] == piece]
        if not after:
            return None
        position = after[0]
    scores = umpire(by).scores(position)
    return scores[player] - max(points for other, points in scores.items() if other != player)


@ENCODINGS
def test_all_orders_are_looked_at(how: Any) -> None:
    """Chains know exactly the orders that can be played one event after the other, and what they are worth."""
    by = rules(how, GAME.params(TABLE))
    position = by.read(ORDER)
    chains = Chains(by, position, "A")
    known = {taken: chains.worth[end] for end, ways in chains.reached.items() for taken in ways}
    lying = [n for n, piece in enumerate(position.pieces, start=1) if piece.lying and piece.colour == "B"]
    every = [numbers for size in range(4) for numbers in permutations(lying, size)]
    assert known == {n: worth for n in every if (worth := naive(by, position, "A", n)) is not None}
    assert {same(chains.reached[end][0]) for end in chains.best} == {"7, 8"}


def test_the_search_for_the_best_order_says_the_same() -> None:
    """`best`, with its own checker, gets as far ahead and no further."""
    engine = GAME.engine(GAME.params(TABLE), GAME.rulebook.defaults())
    by = rules(ByEngine, GAME.params(TABLE))
    found = best(engine, GAME.spec(engine.params, engine.readings), task_of(engine, by.read(ORDER), "A", ()))
    assert found.worth == max(Chains(by, by.read(ORDER), "A").worth.values())


def test_edited_captures_are_refused(order: Puzzle) -> None:
    """A piece more, another order, a left-out try, another level."""
    said = order.as_json()
    assert edited(order) == ""
    assert edited(order, answer=["7, 8"]).startswith("answer says")
    assert edited(order, tries=[]).startswith("tries says")
    assert edited(order, idle=["A2@119,142>1,0"]).startswith("idle says")
    assert edited(order, difficulty={**said["difficulty"], "level": 1}).startswith("difficulty says")
    assert edited(order, position=ORDER.replace("A2@119,142>1,0", "A2@119,172>1,0"))
    assert "no sound puzzle" in edited(order, position=ORDER.replace(">0,-1", ">0,-1:A"))  # a prisoner
    assert "no sound puzzle" in edited(order, position=f"{ORDER} hands=A1/-")
    assert "no sound puzzle" in edited(order, position=ORDER.removesuffix(" B3@3906/29,2370/29>-20/29,-21/29"))


# -- Open the fortress -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def gates() -> Puzzle:
    return made("open-the-fortress", GATES, {"players": "2"})


@pytest.mark.slow
def test_a_captured_wall_lets_an_attacker_in(gates: Puzzle) -> None:
    """Safe before by a certificate, open after the capture; the other wall may not be captured."""
    assert gates.description.answer == ("piece 6, B2@113/2,0>1,0",)
    refuted = {found["play"].split(",")[0]: found["refutation"] for found in gates.description.tries}
    assert refuted == {"piece 7": "no way in is opened", "piece 8": "not allowed, IH-68"}
    choice = Choice(GAME, TWO, GAME.rulebook.defaults())
    position: Position = GAME.read_position(TWO, GATES)
    before = attack(choice, position, Pyramid("A", 3), 1)
    after = attack(choice, choice.engine().play(position, GAME.read_move(TWO, "A captures 6")), Pyramid("A", 3), 1)
    assert (before.word, after.word) == ("safe", "open")
    assert [checked.problem for checked in check_document(document(choice, position, [before]))] == [None]


@pytest.mark.slow
def test_an_edited_fortress_is_refused(gates: Puzzle) -> None:
    """A wall moved by one unit, another capture, another way in."""
    assert edited(gates) == ""
    assert "no sound puzzle" in edited(gates, position=GATES.replace("B3@-57/2,7/2", "B3@-59/2,7/2"))
    assert edited(gates, answer=["piece 7, B3@191/2,-4>-1,0"]).startswith("answer says")
    assert edited(gates, solution=gates.as_json()["solution"][:1]).startswith("solution says")


# -- Find the attack -------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_only_one_keep_is_open_and_edits_are_refused() -> None:
    """Two keeps are proved closed for every tip and direction; a wall of one moved away makes it no puzzle."""
    keeps = made("find-the-attack", KEEPS, {"players": "3"})
    assert keeps.description.answer == ("piece 2, C1@159,45",)
    assert keeps.description.idle == ()
    assert edited(keeps) == ""
    assert edited(keeps, answer=["piece 1, B1@50,45"]).startswith("answer says")
    assert "no sound puzzle" in edited(keeps, position=KEEPS.replace("B3@33/2,95/2", "B3@29/2,95/2"))


@ENCODINGS
def test_the_piece_in_the_hand_freezes_one_of_two(how: Any) -> None:
    """Reach names the defender that can be frozen, proves the other out of reach, and remembers what the proof used."""
    by = rules(how, GAME.params({"players": "2", "table": "500x500"}))
    position = by.read("all A1@9,9 A1@27,9 A1@9,27 B1@300,300 B1@340,300 hands=-/B2")
    reach = Reach(by)
    found = reach.freezable(position, "B")
    assert sorted(found) == [1, 2]
    assert all(reach.freezes(position, shot, d) for d, shot in found.items())
    (proof,) = reach.proofs
    assert proof.holds(position, 0, 2)
    without = replace(position, pieces=tuple(p for p in position.pieces if p not in proof.walls or p == proof.defender))
    assert not proof.holds(without, 0, 2)
    assert 0 in Reach(by).freezable(without, "B")


def test_what_a_proof_names_is_all_that_the_checker_needs() -> None:
    """The proof for a position is accepted for one without the pieces that it does not name."""
    choice = Choice(GAME, GAME.params({"table": "500x500"}), GAME.rulebook.defaults())
    position: Position = GAME.read_position(choice.params, "all A1@9,9 A1@27,9 A1@9,27 B1@300,300 B1@340,300")
    answer = attack(choice, position, Pyramid("B", 3), 1)
    named = set(named_by(answer.proof))
    assert {2, 3} <= named
    assert not named & {4, 5}
    without, opened = (replace(position, pieces=position.pieces[:n]) for n in (3, 2))
    assert [found.problem for found in check_document(document(choice, without, [answer]))] == [None]
    assert [found.problem for found in check_document(document(choice, opened, [answer]))] != [None]


# -- The same puzzle -------------------------------------------------------------------------------------------

TURNS = st.sampled_from([(3, 4, 5), (-3, 4, 5), (5, -12, 13), (0, 1, 1), (-1, 0, 1), (0, -1, 1)])
SHIFTS = st.tuples(st.integers(-90, 90), st.integers(-90, 90))


def mirrored(piece: Piece) -> Piece:
    (x, y), (dx, dy) = piece.point, piece.direction
    direction = (dx, -dy) if piece.lying or dy == 0 else (dy, dx)
    return replace(piece, point=(x, -y), direction=direction)


@settings(max_examples=8, deadline=None)
@given(TURNS, SHIFTS, st.booleans(), st.permutations("ABC"), st.randoms(use_true_random=False))
def test_a_turned_mirrored_or_renamed_position_is_the_same(
    turn: tuple[int, int, int], shift: tuple[int, int], mirror: bool, names: list[str], rng: Any
) -> None:
    """All isometries, all names of players and all orders of pieces; the hand goes with its player."""
    position: Position = GAME.read_position(THREE, KEEPS)
    by = dict(zip("ABC", names, strict=True))
    way = Fraction(turn[0], turn[2]), Fraction(turn[1], turn[2])
    pieces = [
        moved(mirrored(p) if mirror else p, way, (Fraction(shift[0]), Fraction(shift[1]))) for p in position.pieces
    ]
    pieces = [replace(p, colour=by[p.colour], placer=by[p.placer]) for p in pieces]
    rng.shuffle(pieces)
    hands = tuple(Pyramid(k, 2) if by["A"] == k else None for k in "ABC")
    other = replace(position, pieces=tuple(pieces), hands=hands)
    assert alike(THREE, other) == alike(THREE, position)
    assert str(alike(THREE, GAME.read_position(THREE, str(other)))) == str(alike(THREE, position))


def test_a_moved_piece_another_hand_or_another_table_is_another_puzzle() -> None:
    """What is not the same is kept apart; on a table only its own symmetries count."""
    position: Position = GAME.read_position(THREE, KEEPS)
    nudged = GAME.read_position(THREE, KEEPS.replace("B3@119,48", "B3@118,48"))
    other_hand = GAME.read_position(THREE, KEEPS.replace("hands=A2/-/-", "hands=-/B2/-"))
    assert alike(THREE, nudged) != alike(THREE, position) != alike(THREE, other_hand)
    table = GAME.params({"players": "2", "table": "200x100"})
    here, shifted, turned = (GAME.read_position(table, f"all A1@{at}") for at in ("20,30", "30,30", "180,70"))
    assert alike(table, here) == alike(table, turned) != alike(table, shifted)
    said: dict[str, Any] = {"game": GAME.slug, "kind": "open-the-fortress", "asked": "", "params": TWO.as_dict()}
    said |= {"readings": dict(GAME.rulebook.defaults()), "position": GATES}
    same_again = GATES.replace("A", "x").replace("B", "A").replace("x", "B")
    assert alike_key({**said, "position": same_again}) == alike_key(said)


@pytest.mark.slow
def test_an_attack_is_played_by_the_rules_given(gates: Puzzle) -> None:
    """The placement in the solution is legal by both encodings and freezes the defender."""
    text = gates.as_json()["solution"][0].split(" then ")[1].split(" freezes")[0]
    for how in (ByEngine, ByConstraints):
        by = rules(how, TWO)
        after = next(after for c, after in captures(by, by.read(GATES)).items() if c.number == 6)
        placed = GAME.read_move(TWO, text)
        assert isinstance(placed, Place)
        assert Reach(by).freezes(after, placed.piece, 0)
