"""Protects `best`: no order is better than the one named, the checker refuses wrong answers, questions are checked."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

import pytest

from rulecheck.games.icehouse import GAME, read_move, read_params, read_position
from rulecheck.games.icehouse.engine import Engine
from rulecheck.games.icehouse.pieces import Place, Position
from rulecheck.games.icehouse.research.best import Search, best, generated, task_of
from rulecheck.games.icehouse.research.best_check import GOALS, Task, problem
from rulecheck.games.icehouse.sampling import proposals
from rulecheck.games.icehouse.solved import BLOCK, CAPTURES, KEPT, WALL, _solve
from rulecheck.model import InputError, Status
from specs.icehouse.spec import Spec

BOOK = GAME.rulebook
SMALL = {"players": "2", "pieces": "2,2,1", "limit": "3"}


def asked(title: str, **readings: str) -> tuple[Engine, Task]:
    kept = KEPT[title]
    engine = Engine(read_params(kept.params), BOOK.defaults().replace(**readings))
    position = read_position(engine.params, kept.position)
    candidates = [read_move(engine.params, text) for text in kept.candidates]
    return engine, task_of(engine, position, kept.player, candidates, goal=kept.goal)


def naive(engine: Engine, task: Task, position: Position, left: int) -> int:
    """The best worth of all lines of up to so many events, tried one after the other."""
    worth = GOALS[task.goal](engine.scores(position), task.player)
    if not left or engine.over(position):
        return worth
    captures = [capture for capture in engine.captures(position) if capture.player == task.player]
    legal = [event for event in (*task.candidates, *captures) if engine.judge(position, event).legal]
    return max([worth, *(naive(engine, task, engine.play(position, event), left - 1) for event in legal)])


@pytest.mark.parametrize("title", KEPT)
@pytest.mark.parametrize("events", [1, 2, 3, 4])
def test_no_line_is_better(title: str, events: int) -> None:
    """Against lines tried one by one, which know of no position that was there before."""
    engine, task = asked(title)
    task = replace(task, events=events)
    found = best(engine, Spec(engine.params, engine.readings), task)
    assert found.result.status is Status.PROVED
    assert found.worth == naive(engine, task, task.start, events)
    assert len(found.line) <= events


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("readings", [{}, {"wasted_capture": "yes", "retarget": "no"}], ids=["usual", "in order"])
def test_drawn_positions(seed: int, readings: dict[str, str]) -> None:
    """Positions of random play and drawn candidates; under some readings the order of pieces matters."""
    rng, engine = Random(seed), Engine(read_params(SMALL), BOOK.defaults().replace(**readings))
    position = engine.start()
    for _ in range(4):
        event = next(e for e in proposals(rng, position) if engine.judge(position, e).legal)
        position = engine.play(position, event)
    mine = (e for e in proposals(rng, position) if e.piece.placer == "A" and engine.judge(position, e).legal)
    task = task_of(engine, position, "A", list(islice(mine, 4)), events=3)
    found = best(engine, Spec(engine.params, engine.readings), task)
    assert found.worth == naive(engine, task, position, 3)


def test_kept_positions() -> None:
    """What the report says of them: the order of captures, a wall captured before the attack, a line blocked."""
    lines = {title: _solve((title, ()))["line"] for title in KEPT}
    assert lines[CAPTURES][-2:] == ["A captures 6", "A captures 7"]
    assert lines[WALL][-2:] == ["A captures 5", "A2@40,13>-1,0"]
    assert "A3@32,0" in lines[BLOCK]
    assert _solve((CAPTURES, (("capture_chain", "one"),)))["value"] == "1 behind"


# -- The checker --------------------------------------------------------------------------------------------


def test_the_checker_refuses_what_is_wrong() -> None:
    """A line that is worth less, one that is not allowed, positions left out, a start that is another."""
    engine, task = asked(CAPTURES)
    levels = Search(engine, task, 1000).levels()
    found = best(engine, Spec(engine.params, engine.readings), task)
    assert found.worth is not None
    accepts: Callable[..., str | None] = lambda *answer: problem(engine, task, *answer)  # noqa: E731
    assert accepts(levels, found.line, found.worth) is None
    assert "worth more" in str(accepts(levels, (), naive(engine, task, task.start, 0)))
    assert "is not worth" in str(accepts(levels, found.line, found.worth + 1))
    assert "cannot be done" in str(accepts(levels, (*found.line, found.line[-1]), found.worth))
    assert "was not looked at" in str(accepts([levels[0], levels[1][:-1], *levels[2:]], found.line, found.worth))
    assert "was not looked at" in str(accepts(levels[:2], found.line, found.worth))
    assert "do not begin" in str(accepts(levels[1:], found.line, found.worth))
    bounded = replace(task, events=1)
    assert "more than 1" in str(problem(engine, bounded, levels, found.line, found.worth))


def test_an_answer_is_checked_before_it_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    engine, task = asked(BLOCK)
    monkeypatch.setattr(Search, "first_of_the_best", lambda self, levels: levels[0][0])
    with pytest.raises(AssertionError, match="does not accept"):
        best(engine, Spec(engine.params, engine.readings), task)


def test_too_many_positions_are_unknown() -> None:
    engine, task = asked(BLOCK)
    found = best(engine, Spec(engine.params, engine.readings), task, most=5)
    assert found.result.status is Status.UNKNOWN
    assert found.worth is None


# -- Questions ----------------------------------------------------------------------------------------------


def test_generated_candidates() -> None:
    """Four for each foe and size, one to stand; what can be captured is thought of, too."""
    engine = Engine(read_params(SMALL), BOOK.defaults())
    position = read_position(engine.params, "all A1@0,0 B1@200,0 B1@300,0 B2@20,0>-1,0 B2@-20,0>1,0")
    listed = generated(engine, position, "A")
    assert len([c for c in listed if c.piece.pyramid.colour == "A" and c.piece.lying]) == 3 * 4 * 2
    assert len([c for c in listed if not c.piece.lying]) == 4
    assert {c.piece.placer for c in listed} == {"A"}
    assert any(str(c.piece.pyramid) == "B2" and c.piece.lying for c in listed)
    assert all(isinstance(c, Place) for c in listed)


@pytest.mark.parametrize(
    ("player", "candidates", "problem_"),
    [
        ("C", [], "there is no player 'C'; the players are A, B"),
        ("A", ["A captures 1"], "a candidate is a placement"),
        ("A", ["B1@0,0"], "placed by B, not by A"),
    ],
)
def test_bad_questions(player: str, candidates: list[str], problem_: str) -> None:
    engine = Engine(read_params(SMALL), BOOK.defaults())
    with pytest.raises(InputError, match=problem_):
        task_of(engine, engine.start(), player, [read_move(engine.params, text) for text in candidates])


def test_the_command(rulecheck: Callable[..., Any]) -> None:
    kept = KEPT[BLOCK]
    params = [part for key, value in kept.params.items() for part in ("-p", f"{key}={value}")]
    listed = [part for text in kept.candidates for part in ("-c", text)]
    run = rulecheck("best", "icehouse", kept.position, "--for", "A", *params, *listed)
    assert run.status == 0
    assert run.out.startswith("best for A: 11 ahead (A 11, B 0), by 3 events\n   1. A3@32,0\n")
    assert "accepted by the checker" in run.out
    found = json.loads(rulecheck("best", "icehouse", kept.position, *params, *listed, "--json").out)
    assert (found["worth"], found["result"], found["ends"]) == (11, "PROVED", 1)
    called = json.loads(
        rulecheck("best", "icehouse", "all A1@0,0 A2@60,0", "-p", "players=2", "--calls", "--events", "1", "--json").out
    )
    assert called["worth"] >= 3
    assert rulecheck("best", "icehouse", kept.position, *params, *listed, "--most", "5").status == 1
    assert rulecheck("best", "crosswalk").status == 2
    assert "unknown goal 'win'" in rulecheck("best", "icehouse", "--goal", "win").err
