"""Puzzles: what is made is sound, what is edited is refused, and equal seeds make equal collections."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from rulecheck import registry
from rulecheck.cli import app
from rulecheck.model import InputError
from rulecheck.puzzles.battle import Battle
from rulecheck.puzzles.kinds import kinds_of
from rulecheck.puzzles.mining import collect, puzzle_of
from rulecheck.puzzles.model import Puzzle, read_id, read_line
from rulecheck.puzzles.rules import ByConstraints, ByEngine, DisagreementError, Rules, rules_of
from rulecheck.puzzles.verify import check, verify
from rulecheck.spaces import normaliser
from rulecheck.spaces.explored import Explored
from solvers.graph import Outcome
from solvers.retrograde import solve_outcomes

SMALL = {"radius": "1", "group": "3", "groups": "1", "pieces": "1,2,0"}


def rules(how: Any, params: dict[str, str] | None = None) -> Rules:
    game = registry.find("hextris")
    return rules_of(how, "hextris", game.params(params or {}).as_dict(), game.rulebook.defaults())


@pytest.fixture(scope="module")
def found() -> Puzzle:
    """A win in one of the printed game, the first of seed 1."""
    puzzle = puzzle_of(("hextris", "win-in-1", 1, 0))
    assert puzzle is not None
    return puzzle


def test_a_win_in_so_many_is_what_the_solved_game_says() -> None:
    """The search for wins agrees with the retrograde solver on every position of a small game, by either encoding."""
    by_engine, by_constraints = Battle(rules(ByEngine, SMALL)), Battle(rules(ByConstraints, SMALL))
    choice = by_engine.rules.choice
    space = Explored(choice.engine(), normaliser(choice))
    solved = solve_outcomes(space)
    for number in range(len(space)):
        position = space.position(number)
        if by_engine.rules.winner(position) is not None:
            continue
        won, distance = solved.outcome[number] == Outcome.WIN, int(solved.distance[number])
        for count in (1, 2):
            wanted = won and distance <= 2 * count - 1
            assert by_engine.wins(position, count) == wanted, position
            assert by_constraints.wins(position, count) == wanted, position


def test_constraints_list_the_moves_of_the_engine_on_random_positions() -> None:
    """Computed in bulk, the constraints give exactly the turns, results and winners that z3 gives one by one."""
    stated: Any = rules(ByConstraints, SMALL)
    game = registry.find("hextris")
    engine, rng = stated.choice.engine(), random.Random(3)
    position = engine.start()
    for _ in range(12):
        for move, result in stated.moves(position).items():
            asked = game.read_move(stated.choice.params, move)
            assert stated.judge(position, asked).legal
            assert stated.spec.result(position, asked) == (result, stated.winner(result))
        following = [r for r in stated.moves(position).values() if engine.winner(r) is None]
        position = rng.choice(following) if following else engine.start()


def edited(puzzle: Puzzle, **changes: Any) -> str:
    """What is said against the puzzle with these things changed by hand."""
    return check({**puzzle.as_json(), **changes}).problem


def test_a_line_says_everything_and_reads_back(found: Puzzle) -> None:
    """One line of JSON holds a puzzle; its id makes it again."""
    assert read_line(found.line(), "here") == found.as_json()
    assert puzzle_of(read_id(found.id)) == found


PLACES = registry.find("hextris").params({}).names


def _with(position: str, token: str, point: str) -> str:
    """The position with the piece of this token on another point, in board order."""
    mover, *rest = position.split()
    stacks = [t for t in rest if ":" in t and t != token] + [f"{point}:{token.partition(':')[2]}"]
    return " ".join([mover, *sorted(stacks), *(t for t in rest if "=" in t)])


def test_an_edited_puzzle_is_refused_with_the_reason(found: Puzzle) -> None:
    """A moved piece, another solution, a changed level, a wrong warning: each is found out from the text alone."""
    said = found.as_json()
    assert edited(found) == ""
    moved = [p for p in PLACES if f" {p}:" not in said["position"]]
    first = said["position"].split()[1]
    assert all(edited(found, position=_with(said["position"], first, point)) for point in moved)
    other = next(m for m in rules(ByEngine).moves(rules(ByEngine).read(said["position"])) if m != said["answer"][0])
    assert edited(found, answer=[other]).startswith("answer says")
    assert edited(found, solution={"play": [other]}).startswith("solution says")
    assert edited(found, difficulty={**said["difficulty"], "level": 2}).startswith("difficulty says")
    assert edited(found, other_readings={"swap=symmetric": "pass"}).startswith("other_readings says")
    assert edited(found, idle=["A1 on a1"]).startswith("idle says")


def test_the_same_puzzle_twice_is_refused(found: Puzzle) -> None:
    """No two puzzles of a collection are the same, turned or not."""
    assert [bool(checked.problem) for checked in verify([found.as_json(), found.as_json()])] == [False, True]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "no JSON"),
        ("[]", "a table of JSON"),
        ('{"id": 1, "id": 2}', "stands twice"),
        ('{"id": "hextris:win-in-1#1.0"}', "'game' is missing"),
    ],
)
def test_what_is_no_puzzle_is_bad_input(text: str, reason: str) -> None:
    """A damaged line is told from a wrong puzzle."""
    with pytest.raises(InputError, match=reason):
        read_line(text, "x.jsonl, line 1")


def test_jobs_change_nothing() -> None:
    """Two jobs make the collection that one makes."""
    game = registry.find("hextris")
    one, two = (collect(game, ["win-in-1"], 3, 5, None, jobs) for jobs in (1, 2))
    assert one.puzzles == two.puzzles
    assert len(one.puzzles) == 3


def test_a_disagreement_is_not_swept_under_the_carpet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Constraints that list another turn stop everything."""
    stated: Any = rules(ByConstraints, SMALL)
    position = stated.choice.engine().start()
    monkeypatch.setattr(stated, "listing", lambda positions: [{} for _ in positions])
    monkeypatch.setattr(stated, "_known", {})
    with pytest.raises(DisagreementError):
        stated.moves(position)


def run(*arguments: str) -> Any:
    return CliRunner().invoke(app, ["puzzles", *arguments])


def test_unknown_kinds_list_the_known_ones(tmp_path: Path) -> None:
    """Bad input is one sentence."""
    result = run("hextris", "--kind", "win-in-9", "--out", str(tmp_path))
    assert isinstance(result.exception, InputError)
    assert all(name in str(result.exception) for name in kinds_of(registry.find("hextris")))


def test_too_many_puzzles_leave_what_was_found(tmp_path: Path) -> None:
    """A budget that is too small: the file is written, the status is 1, a sentence says what is missing."""
    result = run("hextris", "--kind", "win-in-1", "--count", "3", "--budget", "1", "--out", str(tmp_path), "--json")
    assert result.exit_code == 1
    lines = (tmp_path / "hextris.jsonl").read_text().splitlines()
    assert len(lines) == 1
    assert json.loads(lines[0])["id"] == "hextris:win-in-1#1.0"
