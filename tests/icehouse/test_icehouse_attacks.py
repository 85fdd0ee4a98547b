"""Protects Icehouse's questions about attacks: answers are right, proofs are checked apart, nothing is rounded."""

from __future__ import annotations

import ast
import copy
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from math import isqrt
from pathlib import Path
from typing import Any

import pytest

from rulecheck.games.icehouse import GAME
from rulecheck.games.icehouse.pieces import Piece, Place, Position
from rulecheck.games.icehouse.research import certificate as checker
from rulecheck.games.icehouse.research.attack import Answer, attack, engine_of
from rulecheck.games.icehouse.research.attack_lines import exact, near_middle, plain
from rulecheck.games.icehouse.research.attack_search import Search
from rulecheck.games.icehouse.research.certificate import attack_problem, check_document
from rulecheck.games.icehouse.research.certificate_cells import EIGHTHS, Cell, Cone, Scene, Vector
from rulecheck.games.icehouse.research.fortress import Known, Task, answer, document, fortress, known_fortresses
from rulecheck.games.icehouse.sampling import proposals
from rulecheck.model import InputError, Status
from rulecheck.pyramids import Pyramid
from rulecheck.registry import Choice
from solvers.planar import covers, dot, hull

ROOT = Path(__file__).parents[2]
KNOWN = {known.name: known for known in known_fortresses()}
QUICK = [  # one size of each that has to be proved: those that the others are built from
    ("full block", 1), ("pinwheel", 2), ("four flush squares", 1), ("corner of the table", 3),
    ("slit along the edge", 1), ("chamber too narrow for a large", 3),
    ("behind a pad as deep as a range", 1), ("behind a pad that blocks lines", 3), ("wall that can be captured", 2),
    ("nobody may attack yet", 1), ]  # fmt: skip
OPEN = [(known.name, pips) for known in KNOWN.values() for pips in known.expect if known.expect[pips] == "open"]
REST = [(k.name, pips) for k in KNOWN.values() for pips in k.expect if (k.name, pips) not in (*QUICK, *OPEN)]
BUDGET = 4000


def ask(known: Known, pips: int) -> Answer:
    return answer(Task(known.choice, known.position, known.target, pips, BUDGET))


def choice(**readings: str) -> Choice:
    return Choice(GAME, GAME.params({}), GAME.rulebook.choose(readings))


def placed(text: str, **readings: str) -> tuple[Choice, Position]:
    chosen = choice(**readings)
    return chosen, GAME.read_position(chosen.params, text)


# -- Known fortresses -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "pips"), [*QUICK, *OPEN])
def test_a_known_fortress(name: str, pips: int) -> None:
    known = KNOWN[name]
    found = ask(known, pips)
    assert found.word == known.expect[pips], known.why
    if not isinstance(found.proof, dict):  # that of a tree has just been checked
        (checked,) = check_document(document(known.choice, known.position, [found]))
        assert checked.problem is None


@pytest.mark.slow
@pytest.mark.parametrize(("name", "pips"), REST)
def test_another_known_fortress(name: str, pips: int) -> None:
    test_a_known_fortress(name, pips)


def test_every_kind_of_fortress_is_known() -> None:
    """With safe, open and mixed answers, and under each way to read a touch."""
    assert len(KNOWN) >= 12
    wanted = ("full block", "pinwheel", "four flush", "corner of", "slit of", "slit along", "too narrow", "captured")
    for part in wanted:
        assert any(part in name for name in KNOWN), part
    answers = {tuple(known.expect.values()) for known in KNOWN.values()}
    assert {("safe",) * 3, ("open",) * 3, ("open", "open", "safe"), ("open", "safe", "safe")} <= answers
    assert {known.choice.readings["graze"] for known in KNOWN.values()} == {"seam", "open", "closed"}


def test_a_touch_is_all_that_the_readings_differ_by() -> None:
    """The same four squares are safe where a pinched line stops, or a touch, and open where neither does."""
    found = {k.choice.readings["graze"]: k.expect[1] for name, k in KNOWN.items() if name.startswith("four flush")}
    assert found == {"seam": "safe", "open": "open", "closed": "safe"}


# -- Attacks ----------------------------------------------------------------------------------------------------

SLIT = KNOWN["slit of one unit"]


def test_an_attack_is_a_legal_placement() -> None:
    """What is found is played on the engine, and the spec is asked too."""
    found = attack(SLIT.choice, SLIT.position, Pyramid("B", 1), 1)
    assert found.result.status is Status.REFUTED
    assert found.attack is not None
    engine = engine_of(SLIT.choice)
    after = engine.play(SLIT.position, Place(found.attack))
    assert engine.attacks(after)[-1] == 0
    assert SLIT.choice.spec().judge(SLIT.position, Place(found.attack)).legal


def test_who_may_not_attack_is_told_so() -> None:
    """A piece of the defender's colour, and one that its player does not have."""
    for piece, by in ((Pyramid("A", 1), None), (Pyramid("B", 1), "C")):
        found = attack(SLIT.choice, SLIT.position, piece, 1, placer=by)
        assert (found.result.status, found.proof) == (Status.PROVED, "nobody")
        (checked,) = check_document(document(SLIT.choice, SLIT.position, [found]))
        assert checked.problem is None


def test_too_small_a_budget_proves_nothing() -> None:
    known = KNOWN["full block"]
    found = answer(Task(known.choice, known.position, 1, 1, 20))
    assert found.result.status is Status.UNKNOWN
    assert "20 cells" in found.result.scope


def test_every_defender_is_asked_about() -> None:
    chosen, position = placed("all A1@-50,0 B3@100,0 B3@60,0>1,0 C1@0,100")
    found = fortress(chosen, position, sizes=(1, 3))
    assert [(a.target, a.pips) for a in found] == [(1, 1), (1, 3), (2, 1), (2, 3), (4, 1), (4, 3)]
    assert {a.word for a in found} <= {"open", "safe"}


@pytest.mark.parametrize(("target", "problem"), [(0, "no piece 0"), (9, "has 3"), (3, "lies")])
def test_what_cannot_be_attacked(target: int, problem: str) -> None:
    chosen, position = placed("all A1@-50,0 B3@100,0 B3@60,0>1,0")
    with pytest.raises(InputError, match=problem):
        fortress(chosen, position, targets=[target])


# -- Exactness --------------------------------------------------------------------------------------------------

DECIDING = [
    *(ROOT / "rulecheck/engines").glob("icehouse*.py"),
    *(ROOT / "rulecheck/games").glob("icehouse*.py"),
    *(ROOT / "specs").glob("icehouse*.py"),
    ROOT / "solvers/planar.py",
    *(ROOT / "rulecheck/studies/icehouse").glob("certificate*.py"),
]
EXACT = {"isqrt", "gcd", "lcm"}  # of the module math


def inexact(source: str) -> Iterator[str]:
    """Everything by which a float can come into a program, but for dividing two ints."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, float):
            yield f"the number {node.value}"
        if isinstance(node, ast.Name) and node.id in ("float", "round", "complex"):
            yield node.id
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "math":
            yield from () if node.attr in EXACT else (f"math.{node.attr}",)
        if isinstance(node, ast.ImportFrom) and node.module == "math":
            yield from (f"math.{name.name}" for name in node.names if name.name not in EXACT)
        if isinstance(node, ast.ImportFrom | ast.Import) and "numpy" in ast.dump(node):
            yield "numpy"


@pytest.mark.parametrize("path", DECIDING, ids=lambda path: path.name)
def test_what_decides_knows_no_floats(path: Path) -> None:
    if path.name == "icehouse_sampling.py":  # draws at random what others decide about
        return
    assert list(inexact(path.read_text(encoding="utf-8"))) == []


def test_how_floats_are_noticed() -> None:
    source = (
        "import math, numpy\nfrom math import hypot, gcd\nx = round(0.5) + math.sqrt(2) + math.isqrt(2) + float(1)\n"
    )
    assert sorted(inexact(source)) == ["float", "math.hypot", "math.sqrt", "numpy", "round", "the number 0.5"]


TINY = Fraction(1, 10**40)  # no float tells 1 from 1 + this


def moved(position: Position, number: int, dx: Fraction, dy: Fraction = Fraction(0)) -> Position:
    """The same with one piece moved; not through the notation, which allows twelve digits."""
    piece = position.pieces[number - 1]
    there = (piece.point[0] + dx, piece.point[1] + dy)
    pieces = (*position.pieces[: number - 1], replace(piece, point=there), *position.pieces[number:])
    return replace(position, pieces=pieces)


@pytest.mark.parametrize(("gap", "word"), [(Fraction(0), "safe"), (Fraction(1, 10**9), "open")])
def test_a_slit_of_any_width_is_a_slit(gap: Fraction, word: str) -> None:
    """Two larges that touch are a wall; a billionth of a unit between them is none.

    At the outer end of the slit a small is exactly at its range, so its tip has to enter by less than two of these."""
    chosen, touching = placed("all A1@0,0 A3@-16,-25 A3@16,-25 A3@-25,7 A3@25,7 A1@0,18 B1@300,0 B1@340,0")
    position = moved(touching, 3, gap)
    found = answer(Task(chosen, position, 1, 1, BUDGET))
    assert found.word == word
    if found.attack is not None:
        assert attack_problem(engine_of(chosen), position, found.attack, 1) is None


CHAMBER = "all A1@0,0 A3@-25,0 A3@7,32 A3@39,32 C3@71,32 A3@7,-32 A3@39,-32 C3@71,-32 C3@81,0 B1@300,0 B1@340,0"


def test_a_chamber_that_fits_exactly_is_entered() -> None:
    """32 by 56 units are free: a large fits in one place and in one direction."""
    chosen, position = placed(CHAMBER)
    found = answer(Task(chosen, position, 1, 3, BUDGET))
    assert str(found.attack) == "B3@9,0>-1,0"


@pytest.mark.slow
def test_a_chamber_that_is_a_millionth_too_short_is_not() -> None:
    chosen, position = placed(CHAMBER)
    shorter = moved(position, 9, Fraction(-1, 10**6))
    assert answer(Task(chosen, shorter, 1, 3, BUDGET)).word == "safe"


@pytest.mark.slow
def test_what_hangs_on_one_direction_alone_stays_unknown() -> None:
    """The one place is taken away, as pieces may not touch; next to it cells never end."""
    chosen, position = placed(CHAMBER, touching="forbidden")
    assert answer(Task(chosen, position, 1, 3, BUDGET)).word == "unknown"


@pytest.mark.parametrize(("back", "range_", "hits"), [
    (Fraction(0), "strict", False), (Fraction(0), "inclusive", True),
    (TINY, "inclusive", False), (-TINY, "strict", True),
])  # fmt: skip
def test_ranges_end_exactly(back: Fraction, range_: str, hits: bool) -> None:
    chosen, position = placed("all A1@0,0 A1@0,100 B1@300,0 B1@340,0", range=range_)
    tip = (Fraction(-41) - back, Fraction(0))
    piece = Piece("B", 1, True, tip, (Fraction(1), Fraction(0)), "B")
    assert (attack_problem(engine_of(chosen), position, piece, 1) is None) == hits


@pytest.mark.parametrize(("aside", "graze", "hits"), [
    (Fraction(0), "seam", True), (Fraction(0), "closed", False), (TINY, "closed", True), (-TINY, "seam", False),
])  # fmt: skip
def test_touching_a_wall_is_told_from_crossing_it(aside: Fraction, graze: str, hits: bool) -> None:
    """The line runs along the side of a wall, or a hair beside it."""
    chosen, position = placed("all A1@0,0 C1@-18,-18 B1@300,0 B1@340,0", graze=graze)
    piece = Piece("B", 1, True, (Fraction(-40), Fraction(-9) + aside), (Fraction(1), Fraction(0)), "B")
    away = moved(position, 1, Fraction(0), Fraction(-1))  # so that the line crosses the defender, not touches it
    assert (attack_problem(engine_of(chosen), away, piece, 1) is None) == hits


# -- Commands ---------------------------------------------------------------------------------------------------

SLIT_TEXT = str(SLIT.position)


@pytest.fixture
def icehouse(rulecheck: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Any]:
    """The command line, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return rulecheck


def test_attack_finds_draws_and_certifies(icehouse: Callable[..., Any]) -> None:
    files = ("--certificate", "found.json", "--svg", "found.svg")
    run = icehouse("attack", "icehouse", SLIT_TEXT, "B1", "1", "--json", *files)
    found = json.loads(run.out)
    assert (run.status, found["result"], found["answer"], found["piece"]) == (0, "REFUTED", "open", "B1")
    assert icehouse("why", "icehouse", SLIT_TEXT, found["attack"]).out.count("legal") == 2
    drawn = Path("found.svg").read_text(encoding="utf-8")
    assert "open: 1" in drawn
    assert drawn.count('stroke-dasharray="5 3"') == 2  # the piece, and its line
    assert icehouse("certify", "found.json").out.startswith("PROVED: 1 answer")


def test_fortress_proves_and_the_proof_is_checked_apart(icehouse: Callable[..., Any]) -> None:
    files = ("--certificate", "found.json", "--svg", "found.svg")
    run = icehouse("fortress", "icehouse", "--known", "corner of the table", "--size", "1", *files)
    assert run.status == 0
    assert "small   safe     PROVED" in run.out
    assert "safe: 1" in Path("found.svg").read_text(encoding="utf-8")
    checked = json.loads(icehouse("certify", "found.json", "--json").out)
    assert (checked["result"], checked["problems"], checked["answers"][0]["answer"]) == ("PROVED", [], "safe")
    text = Path("found.json").read_text(encoding="utf-8")
    Path("moved.json").write_text(text.replace("A1@27,9", "A1@28,9"), encoding="utf-8")
    run = icehouse("certify", "moved.json")
    assert run.status == 1
    assert run.out.startswith("REFUTED")
    assert "said to be safe: " in run.out


def test_what_is_not_known_is_said_so(icehouse: Callable[..., Any]) -> None:
    run = icehouse("fortress", "icehouse", str(KNOWN["full block"].position), "-d", "1", "-s", "1", "--budget", "9")
    assert run.status == 1
    assert "unknown  no answer within 9 cells" in run.out


def test_who_cannot_attack_is_told_why(icehouse: Callable[..., Any]) -> None:
    run = icehouse("attack", "icehouse", SLIT_TEXT, "A1", "1")
    assert run.status == 0
    assert run.out.startswith("PROVED safe: A cannot place A1 as an attacker of A1@0,0, wherever it is: ")


@pytest.mark.parametrize(("given", "problem"), [
    (("attack", "icehouse", SLIT_TEXT, "B1", "99"), "there is no piece 99"),
    (("attack", "icehouse", SLIT_TEXT, "B1B2", "1"), "expected one piece"),
    (("attack", "icehouse", SLIT_TEXT, "B7", "1"), "expected a pyramid"),
    (("attack", "icehouse", SLIT_TEXT, "B1", "one"), "invalid value for 'DEFENDER'"),
    (("attack", "icehouse", SLIT_TEXT, "B1", "1", "--by", "Z"), "--by wants one of A, B, C, D"),
    (("attack", "icehouse", "all A1@0,0 A1@1,0", "B1", "1"), "overlaps"),
    (("attack", "crosswalk", "-", "B1", "1"), "is a question about icehouse"),
    (("attack", "icehouse", SLIT_TEXT, "B1", "1", "--svg", "no/such/folder.svg"), "cannot write"),
    (("fortress", "icehouse"), "wants one of a position"),
    (("fortress", "icehouse", SLIT_TEXT, "--all"), "wants one of a position"),
    (("fortress", "icehouse", "--known", "Troy"), "no fortress called 'Troy'"),
    (("fortress", "icehouse", "--known", "pinwheel", "-r", "graze=open"), "comes with its parameters"),
    (("fortress", "icehouse", "--all", "--svg", "all.svg"), "about many positions"),
    (("fortress", "icehouse", SLIT_TEXT, "-d", "0"), "there is no piece 0"),
    (("fortress", "icehouse", SLIT_TEXT, "-s", "4"), "invalid value for '--size'"),
    (("certify", "nothing.json"), "there is no table"),
])  # fmt: skip
def test_bad_questions_are_one_sentence(icehouse: Callable[..., Any], given: tuple[str, ...], problem: str) -> None:
    run = icehouse(*given)
    assert run.status == 2
    assert run.err.count("\n") == 1
    assert problem in run.err


@pytest.mark.parametrize(
    "text", ["{", "{}", '{"format": 7}', "{" * 100_000, '{"format": "rulecheck icehouse fortress 1"}']
)
def test_a_damaged_file_is_one_sentence(icehouse: Callable[..., Any], text: str) -> None:
    Path("damaged.json").write_text(text, encoding="utf-8")
    run = icehouse("certify", "damaged.json")
    assert run.status == 2
    assert run.err.count("\n") == 1


# -- The checker ------------------------------------------------------------------------------------------------

PINWHEEL = KNOWN["pinwheel"]
Change = Callable[[dict[str, Any]], None]


@pytest.fixture(scope="module")
def proved() -> dict[str, Any]:
    """A certificate that is accepted."""
    found = document(PINWHEEL.choice, PINWHEEL.position, [ask(PINWHEEL, 1)])
    return json.loads(json.dumps(found))


def nodes(tree: Any) -> Iterator[dict[str, Any]]:
    waiting = list(tree["cones"])
    while waiting:
        node = waiting.pop(0)
        yield node
        waiting += node.get("parts", [])


def proof_of(given: dict[str, Any]) -> dict[str, Any]:
    return given["answers"][0]["proof"]


def first(given: dict[str, Any], key: str) -> dict[str, Any]:
    return next(node for node in nodes(proof_of(given)) if key in node)


def widest(given: dict[str, Any], why: str) -> dict[str, Any]:
    return next(node for node in nodes(proof_of(given)) if node.get("why") == why)


def with_position(text: str) -> Change:
    return lambda given: given.update(position=given["position"].replace(*text.split(" -> ")))


def drop_a_part(given: dict[str, Any]) -> None:
    first(given, "parts")["parts"].pop()


def drop_a_cone(given: dict[str, Any]) -> None:
    proof_of(given)["cones"].pop()


def repeat_a_cone(given: dict[str, Any]) -> None:
    proof_of(given)["cones"][3] = proof_of(given)["cones"][2]


def turn_elsewhere(given: dict[str, Any]) -> None:
    first(given, "turn")["turn"] = [-7, -3]


def turn_nowhere(given: dict[str, Any]) -> None:
    first(given, "turn")["turn"] = [0, 0]


def swap_the_parts(given: dict[str, Any]) -> None:
    first(given, "turn")["parts"].reverse()


def name_another_wall(given: dict[str, Any]) -> None:
    node = widest(given, "shield")
    node["walls"] = [n % 5 + 2 for n in node["walls"]]


def name_the_target(given: dict[str, Any]) -> None:
    node = widest(given, "shield")
    node["walls"] = [1 for _ in node["walls"]]


def move_a_point(given: dict[str, Any]) -> None:
    node = widest(given, "shield")
    node["points"][0] = [["1000", "1000"]]


def drop_the_points(given: dict[str, Any]) -> None:
    widest(given, "shield")["points"] = []


def say_it_misses(given: dict[str, Any]) -> None:
    proof_of(given)["cones"][0] = {"why": "missed"}


def say_it_is_far(given: dict[str, Any]) -> None:
    proof_of(given)["cones"][0] = {"why": "far"}


def give_up(given: dict[str, Any]) -> None:
    proof_of(given)["cones"][0] = {"why": "unknown"}


def say_nobody(given: dict[str, Any]) -> None:
    given["answers"][0]["proof"] = "nobody"


def leave_out_the_proof(given: dict[str, Any]) -> None:
    del given["answers"][0]["proof"]


def another_size(given: dict[str, Any]) -> None:
    given["answers"][0]["pips"] = 3


def another_target(given: dict[str, Any]) -> None:
    given["answers"][0]["target"] = 2


def cut_by_no_line(given: dict[str, Any]) -> None:
    proof_of(given)["cones"][0] = {"line": ["0", "0", "1"], "parts": [{"why": "missed"}]}


def cut_by_huge_numbers(given: dict[str, Any]) -> None:
    proof_of(given)["cones"][0] = {"line": ["1e999999999", "0", "1"], "parts": [{"why": "missed"}]}


def free_of_nothing(given: dict[str, Any]) -> None:
    proof_of(given)["cones"][0] = {"apart": "the moon", "parts": []}


CORRUPTIONS: dict[str, Change] = {
    "a moved wall": with_position("A3@57/2,7/2 -> A3@29,7/2"),
    "a wall moved by a hair": with_position("A3@57/2,7/2 -> A3@28500000001/1000000000,7/2"),
    "a turned wall": with_position("A3@57/2,7/2 -> A3@75/2,7/2^4/5,3/5"),
    "a lost wall": with_position("A3@7/2,-57/2 -> A3@7/2,-557/2"),
    "a smaller wall": with_position("A3@57/2,7/2 -> A2@25,7/2"),
    "a moved defender": with_position("A2@0,0 -> A1@1,0"),
} | {
    change.__name__.replace("_", " "): change
    for change in (
        drop_a_part, drop_a_cone, repeat_a_cone, turn_elsewhere, turn_nowhere, swap_the_parts, name_another_wall,
        name_the_target, move_a_point, drop_the_points, say_it_misses, say_it_is_far, give_up, say_nobody,
        leave_out_the_proof, another_size, another_target, cut_by_no_line, cut_by_huge_numbers, free_of_nothing,
    )
}  # fmt: skip


@pytest.mark.parametrize("change", CORRUPTIONS.values(), ids=CORRUPTIONS)
def test_a_corrupted_certificate_is_rejected(proved: dict[str, Any], change: Change) -> None:
    given = copy.deepcopy(proved)
    change(given)
    (found,) = check_document(given)
    assert found.problem is not None


def test_the_certificate_without_a_change_is_accepted(proved: dict[str, Any]) -> None:
    (found,) = check_document(proved)
    assert (found.answer, found.problem) == ("safe", None)
    assert found.cells > 100


def test_another_reading_needs_another_proof() -> None:
    """Four squares that meet at corners are open where a line may have no width."""
    known = KNOWN["four flush squares"]
    given = document(known.choice, known.position, [ask(known, 1)])
    given["readings"]["graze"] = "open"
    assert check_document(given)[0].problem is not None


def test_a_proof_does_without_the_table_only_if_it_never_uses_it() -> None:
    known = KNOWN["corner of the table"]
    given = document(known.choice, known.position, [ask(known, 3)])
    given["params"] = {**given["params"], "table": "none"}
    assert check_document(given)[0].problem is not None


@pytest.mark.parametrize(("said", "problem"), [
    ("B1@0,-200>0,1", "illegal"), ("B2@0,-79/2>0,1", "of that size"), ("A1@0,-79/2>0,1", "illegal"),
    ("B1@0,-79/2>0,-1", "illegal"), ("B1@0", "cannot be read"), ("B lifts B1", "of that size"),
    (None, "cannot be read"),
])  # fmt: skip
def test_an_attack_that_is_none_is_rejected(said: str | None, problem: str) -> None:
    given = document(SLIT.choice, SLIT.position, [ask(SLIT, 1)])
    given["answers"][0]["attack"] = said
    (found,) = check_document(given)
    assert found.problem is not None
    assert problem in found.problem


@pytest.mark.parametrize("change", [
    {"player": "C"}, {"piece": "B2"}, {"piece": "Z9"}, {"player": "Z"}, {"player": None}, {"piece": ["B1"]},
])  # fmt: skip
def test_an_answer_about_another_piece_is_rejected(change: dict[str, Any]) -> None:
    given = document(SLIT.choice, SLIT.position, [attack(SLIT.choice, SLIT.position, Pyramid("B", 1), 1)])
    assert check_document(given)[0].problem is None
    given["answers"][0].update(change)
    assert check_document(given)[0].problem is not None


@pytest.mark.parametrize("given", [
    None, [], {}, {"format": "other"}, {"format": checker.FORMAT},
    {"format": checker.FORMAT, "params": [], "readings": {}},
    {"format": checker.FORMAT, "params": {}, "readings": {}, "position": "all"},
    {"format": checker.FORMAT, "params": {}, "readings": {}, "position": "all A1@0,0", "answers": []},
    {"format": checker.FORMAT, "params": {}, "readings": {}, "position": "all A1@0,0", "answers": [{"target": 2}]},
    {"format": checker.FORMAT, "params": {}, "readings": {}, "position": "all A1@0,0", "answers": [7]},
    {"format": checker.FORMAT, "params": {}, "readings": {}, "position": "all A1@0,0",
     "answers": [{"target": 1, "pips": 9, "answer": "safe"}]},
    {"format": checker.FORMAT, "params": {"players": 4}, "readings": {}, "position": "all A1@0,0", "answers": [7]},
])  # fmt: skip
def test_what_is_no_certificate_is_one_sentence(given: Any) -> None:
    with pytest.raises(InputError):
        check_document(given)


def crowded(rng: random.Random, pieces: int, **readings: str) -> tuple[Choice, Position]:
    """A position drawn at random, with much that touches."""
    chosen = Choice(GAME, GAME.params({"table": "160x160"}), GAME.rulebook.choose(readings))
    engine = engine_of(chosen)
    position = engine.start()
    for tried, event in enumerate(proposals(rng, position)):
        if len(position.pieces) == pieces or tried > 400:
            break
        if engine.judge(position, event).legal:
            position = engine.play(position, event)
    return chosen, position


# Cells of one tip (or few) and one direction, on the verge of a reason.
AT_A_WALL = "all A1@0,0 A1@-18,0 B1@300,0"
AT_A_CORNER = (
    "all A1@0,0 A1@-18,9 A1@-18,-9 B1@300,0"  # two walls side by side, their seam before the defender's middle
)
AT_A_POINT = "all A1@0,0 A1@-18,18 A1@-36,0 B1@300,0"  # two walls that share a corner
EASTWARDS = Cone((1, 0), (1, 0))
Spots = list[tuple[int, int]]


def says(text: str, tips: Spots, ask: Callable[[Scene, Cell], bool], cone: Cone = EASTWARDS) -> str:
    """The readings of graze under which the reason is accepted."""
    found = []
    for graze in ("seam", "open", "closed"):
        chosen, position = placed(text, graze=graze)
        scene = Scene(chosen.params, chosen.readings, position, 1, 1)
        cell = Cell(tuple((Fraction(x), Fraction(y)) for x, y in tips), cone)
        found += [graze] * ask(scene, cell)
    return " ".join(found)


def chain(walls: list[int], *joints: Spots) -> Callable[[Scene, Cell], bool]:
    points = [[(Fraction(x), Fraction(y)) for x, y in joint] for joint in joints]
    return lambda scene, cell: scene.shields(cell, list(walls), points)


@pytest.mark.parametrize(("text", "tips", "ask", "expected"), [
    (AT_A_WALL, [(-60, 9)], Scene.missed, "seam open"),  # along a side of the defender
    (AT_A_WALL, [(-60, 10)], Scene.missed, "seam open closed"),
    (AT_A_WALL, [(-60, 8)], Scene.missed, ""),
    (AT_A_WALL, [(9, 0)], Scene.missed, "seam open"),  # the defender ends at the tip
    (AT_A_WALL, [(-41, 0)], Scene.far, "seam open closed"),  # at the end of the range, which is strict
    (AT_A_WALL, [(-41, 0), (-40, 0), (-40, 1)], Scene.far, ""),
    (AT_A_WALL, [(-40, 0)], chain([2], [(-27, 9)], [(-27, -9)]), "seam open closed"),
    (AT_A_WALL, [(-40, 0)], chain([2], [(-27, 9)], [(-27, 1)]), ""),  # the line passes below
    (AT_A_WALL, [(-40, 0)], chain([2], [(-27, -1)], [(-27, -9)]), ""),  # and above
    (AT_A_WALL, [(-40, 0)], chain([2], [(-27, 10)], [(-27, -9)]), ""),  # a point that is not the wall's
    (AT_A_WALL, [(-40, 0)], chain([1], [(-9, 9)], [(-9, -9)]), ""),  # the defender is no wall of its own
    (AT_A_WALL, [(-40, 0)], chain([3], [(291, 9)], [(291, -9)]), ""),  # a wall behind the defender
    (AT_A_WALL, [(-40, 20)], chain([2], [(-27, 9)], [(-27, -9)]), "seam open closed"),  # misses, whatever the wall
    (AT_A_WALL, [(-9, 0)], chain([2], [(-27, 9)], [(-27, -9)]), ""),  # the wall lies behind the tip
    (AT_A_WALL, [(-9, 0)], chain([2], [(-9, 9)], [(-9, -9)]), ""),  # and touches it from behind
    (AT_A_CORNER, [(-40, 0)], chain([2, 3], [(-27, 9)], [(-27, 0), (-9, 0)], [(-27, -9)]), "seam closed"),
    (AT_A_CORNER, [(-40, 1)], chain([2, 3], [(-27, 9)], [(-27, 0), (-9, 0)], [(-27, -9)]), "seam open closed"),
    (AT_A_CORNER, [(-40, 0)], chain([2, 3], [(-27, 9)], [(-27, 1)], [(-27, -9)]), ""),  # a joint in one wall only
    (AT_A_CORNER, [(-40, 0)], chain([2, 3], [(-27, 9)], [], [(-27, -9)]), ""),
    (AT_A_CORNER, [(-40, 0)], chain([2, 3], [(-27, 9)], [(-27, -9)]), ""),
    (AT_A_CORNER, [(-27, 0)], chain([2, 3], [(-9, 9)], [(-27, 0), (-9, 0)], [(-9, -9)]), "seam closed"),
    (AT_A_CORNER, [(-9, 0)], chain([2, 3], [(-9, 9)], [(-9, 0)], [(-9, -9)]), ""),  # the seam ends at the tip
    (AT_A_POINT, [(-60, 9)], chain([2, 3], [(-27, 27)], [(-27, 9)], [(-45, -9)]), "seam closed"),  # through it
    (AT_A_POINT, [(-60, 8)], chain([3], [(-45, 9)], [(-45, -9)]), "seam open closed"),
])  # fmt: skip
def test_reasons_on_the_verge(text: str, tips: Spots, ask: Callable[[Scene, Cell], bool], expected: str) -> None:
    assert says(text, tips, ask) == expected


def test_an_end_left_out_is_no_case() -> None:
    """Directions from along the defender's side upwards: without the first, no line touches it."""
    whole, rest = Cone((1, 0), (1, 1)), Cone((1, 0), (1, 1), without_first=True)
    tips = [(-60, 9)]
    assert says(AT_A_WALL, tips, Scene.missed, whole) == "seam open"
    assert says(AT_A_WALL, tips, Scene.missed, rest) == "seam open closed"


def breached(rng: random.Random, **readings: str) -> tuple[Choice, Position]:
    """A known fortress without one of its walls: the others still shield."""
    known = rng.choice([known for known in KNOWN.values() if known.target == 1 and len(known.position.pieces) > 6])
    chosen = Choice(GAME, known.choice.params, GAME.rulebook.choose(readings))
    pieces = list(known.position.pieces)
    del pieces[rng.randint(1, 4)]
    return chosen, replace(known.position, pieces=tuple(pieces))


def settled_cells(rng: random.Random, scene: Scene, budget: int) -> Iterator[tuple[Cell, Any]]:
    """Cells that the search has divided or given a reason for, and what it says of them."""
    search = Search(scene, budget, lambda cell: None)
    waiting = [Cell(scene.all_tips(), cone) for cone in EIGHTHS]
    for _ in range(budget):
        if not waiting:
            return
        cell = waiting.pop(rng.randrange(len(waiting)))
        found, parts = search._step(cell)
        waiting += parts
        yield cell, found


def placements(rng: random.Random, cell: Cell) -> Iterator[tuple[Any, Any]]:
    """Some tips and directions of a cell, its corners and its ends among them."""
    for _ in range(2):
        shares = [rng.randint(0, 3) for _ in cell.tips]
        shares[rng.randrange(len(shares))] += 1
        mixed = zip(*([n * x for x in p] for n, p in zip(shares, cell.tips, strict=True)), strict=True)
        tip = tuple(plain(sum(column) / sum(shares)) for column in mixed)
        for way in ways(rng, cell.cone):
            length = isqrt(way[0] ** 2 + way[1] ** 2)
            yield tip, (Fraction(way[0], length), Fraction(way[1], length))


def ways(rng: random.Random, cone: Cone) -> list[Vector]:
    """Directions of whole length in a cone: near its middle, near an end, and the ends."""
    left_out = (cone.without_first, cone.without_last)
    found = [u for u, out in zip(cone.ends, left_out, strict=True) if not out and isqrt(dot(u, u)) ** 2 == dot(u, u)]
    for _ in range(rng.randint(1, 3)):
        if cone.first != cone.last:
            found += list(near_middle(cone))
            cone = rng.choice(cone.split((cone.first[0] + cone.last[0], cone.first[1] + cone.last[1])))
    return found


def attacks(engine: Any, position: Position, piece: Piece, target: int) -> bool:
    """It lies where it may and hits the target, whoever has it to place."""
    if not engine.judge_place(position, piece).legal:
        return False
    seen = engine.sight(position.pieces, piece, range(len(position.pieces)))
    hit = not seen.pinched and seen.piece == target - 1
    return hit and bool(engine.in_range(piece, position.pieces[target - 1], seen.entry))


OTHER = (
    {},
    {"distance": "body"},
    {"edge": "overhang"},
    {"touching": "forbidden"},
    {"length": "slant"},
    {"range": "inclusive"},
)


def check_reasons(graze: str, positions: int) -> None:
    rng = random.Random(graze)
    asked: Counter[str] = Counter()
    for round_ in range(positions):
        readings = {"graze": graze, **OTHER[round_ % len(OTHER)]}
        chosen, position = breached(rng, **readings) if round_ % 2 else crowded(rng, rng.randint(5, 9), **readings)
        engine = engine_of(chosen)
        standing = [n for n, piece in enumerate(position.pieces, start=1) if not piece.lying]
        target = 1 if round_ % 2 else rng.choice(standing)
        scene = Scene(engine.params, engine.readings, position, target, rng.randint(1, 3), exact)
        for cell, said in settled_cells(rng, scene, 150):
            for tip, direction in placements(rng, cell):
                piece = Piece("A", scene.pips, True, tip, direction, "A")
                if said.get("why", "unknown") != "unknown":
                    asked[said["why"]] += 1
                    assert not attacks(engine, position, piece, target), (said, str(position), str(piece), target)
                elif "apart" in said and not any(within(part, tip) for part in scene.outside(cell, said["apart"])):
                    asked["apart"] += 1
                    assert not engine.judge_place(position, piece).legal, (said, str(position), str(piece))
                else:
                    asked["open"] += attacks(engine, position, piece, target)
    assert min(asked[name] for name in ("missed", "far", "shield", "apart", "open")) > 0, asked


def within(part: Any, tip: Any) -> bool:
    point = (exact(tip[0]), exact(tip[1]))
    if len(part) >= 3:
        return covers(part, point)
    return point in part or (len(part) == 2 and set(hull((*part, point))) == set(part))


@pytest.mark.parametrize("graze", ["seam", "open", "closed"])
def test_a_reason_holds_for_every_placement_of_its_cell(graze: str) -> None:
    """The engine is asked about placements in cells for which the checker accepts a reason: none of them attacks, and
    where a tip is cut away the piece really overlaps something."""
    check_reasons(graze, 2)


@pytest.mark.slow
@pytest.mark.parametrize("graze", ["seam", "open", "closed"])
def test_a_reason_holds_in_many_more_cells(graze: str) -> None:
    check_reasons(graze, 20)
