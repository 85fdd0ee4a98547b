"""Ice Palace: the greatest number, the best and the worst build are what all builds tried out say, and proved twice."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from rulecheck.games.icepalace import GAME
from rulecheck.games.icepalace.engine import Engine
from rulecheck.games.icepalace.families.layouts import played_builds
from rulecheck.games.icepalace.families.lists import BUILT, MATERIALS, pyramids, structure
from rulecheck.games.icepalace.research import building
from rulecheck.games.icepalace.research.building import Builder, building_position
from rulecheck.model import Status
from solvers.smt import Answer
from specs.icepalace.spec import Spec

PARAMS = GAME.params({})


def encodings(**readings: str) -> tuple[Engine, Spec]:
    chosen = GAME.rulebook.defaults().replace(**readings)
    return Engine(PARAMS, chosen), Spec(PARAMS, chosen)


def tried_out(engine: Engine, palace: str, left: str) -> tuple[int, int, int]:
    """How many can be used, and the most and the fewest points of A, by making every build there is."""
    position = building_position(engine, structure(palace), pyramids(left))
    begun = any(True for _ in engine.palace.steps(position.palace, position.left))
    builds = list(played_builds(engine, position)) if begun else [()]
    points = []
    for steps in builds:
        stands = position.palace
        for pyramid, cell in steps:
            stands = stands.put(pyramid, cell)
        points.append(engine.score(stands)["A"])
    return max(map(len, builds)), max(points), min(points)


@pytest.mark.parametrize(
    "readings",
    [{}, {"palace_adjacent": "every_neighbour"}, {"palace_stack": "same_colour"}, {"max_number": "agreed"}],
    ids=str,
)
def test_against_every_build_tried_out(readings: dict[str, str]) -> None:
    engine, spec = encodings(**readings)
    for palace, left in product(BUILT[::2], MATERIALS):
        found = Builder(engine, spec, structure(palace), pyramids(left), "A").answer()
        assert found.is_proved, (palace, left)
        told = found.number.low, found.best.low, found.worst.low
        assert told == tried_out(engine, palace, left), (palace, left)
        assert len(found.number.steps) == found.number.low


def test_stopping_when_nothing_fits_is_between() -> None:
    """Under max_number=maximal the bounds hold what every build tried out gives; where they differ it is UNKNOWN."""
    engine, spec = encodings(max_number="maximal")
    for palace, left in product(BUILT[::3], MATERIALS[:6]):
        found = Builder(engine, spec, structure(palace), pyramids(left), "A").answer()
        _, best, worst = tried_out(engine, palace, left)
        assert found.best.low <= best <= found.best.high
        assert found.worst.low <= worst <= found.worst.high
        assert all(part.low == part.high for part in (found.best, found.worst) if part.status is Status.PROVED)


LARGE = (
    "-3,0:B3B2 -2,0:B2 -1,0:B3C1 0,0:A3B2 1,0:A2A1 2,0:A3 3,0:A1 -2,1:C3B1 -1,1:C2 0,1:C3C2C1 1,1:A2C1 "
    "-1,2:C3 0,2:A3B1 1,2:A1 0,3:A2 1,3:B3B2A1 -1,3:C2B1 2,3:B3"
)


def test_twelve_pyramids_on_thirty() -> None:
    """As much as the game can ask for: proved, and the builds are legal steps with these points."""
    engine, spec = encodings()
    palace, left = structure(LARGE), pyramids("A1A3B1B1B3C1C1C2C3C3A2A3"[:24])
    assert len(palace.pyramids) == 30
    builder = Builder(engine, spec, palace, tuple(sorted(left)), "A")
    found = builder.answer()
    assert found.is_proved
    assert len(left) == found.number.low == 12
    assert found.worst.low < found.best.low
    for part in (found.best, found.worst):
        assert builder.checked(part.steps) == part.low
    others = [Builder(engine, spec, palace, tuple(sorted(left)), c).answer() for c in "BC"]
    assert found.worst.low + sum(other.best.high for other in others) >= 42  # points add up to the pyramids


def test_one_method_alone_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the second method does not confirm that there is nothing better, the answer is UNKNOWN, and says why."""
    engine, spec = encodings()
    for answer, why in ((Answer.UNKNOWN, building.NO_ANSWER), (Answer.YES, building.DIFFERENT)):
        monkeypatch.setattr(building.Opinion, "is_there", lambda *a, said=answer, **k: said)
        found = Builder(engine, spec, structure("0,0:A2"), pyramids("A1B1"), "A").answer()
        assert {part.status for part in (found.number, found.best, found.worst)} == {Status.UNKNOWN}
        assert found.best.why == why


def test_the_command(rulecheck: Callable[..., Any]) -> None:
    run = rulecheck("build", "icepalace", "--palace", "p0,0:A2", "--material", "B1A1B2", "--for", "B")
    assert (run.status, run.err) == (0, "")
    assert run.out.startswith("can be used: PROVED 3 of 3\nbest for B: PROVED ")
    run = rulecheck("build", "icepalace", "--palace", "p0,0:A1", "--material", "B1B2", "--json")
    found = json.loads(run.out)
    assert (found["number"]["low"], found["best"]["low"], found["left"]) == (0, 1, 2)
    asked = "C hands=A2/B2/C2 bag=000/000/000/000/000 marker=A left=A1A1B2C2"
    run = rulecheck("build", "icepalace", asked)
    assert "can be used: PROVED 3 of 4" in run.out
    assert "best for C" in run.out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "build wants a position with left=, or --material (and --palace, if it is not empty)"),
        (("--material", "K1"), "K1 is not built with, it leaves the game"),
        (("--material", "X1"), "expected a pyramid, a colour (A, B, C, K, W) and 1, 2 or 3 pips, found 'X1'"),
        (("--material", "A1", "--for", "D"), "option --player wants one of A, B, C, found 'D'"),
        (("--palace", "p0,0:A1 p3,0:A1", "--material", "A1"), "the stack on p3,0 does not hang together"),
    ],
)
def test_bad_input(rulecheck: Callable[..., Any], arguments: tuple[str, ...], sentence: str) -> None:
    run = rulecheck("build", "icepalace", *arguments)
    assert (run.status, run.out) == (2, "")
    assert sentence in run.err
    assert run.err.count("\n") == 1


def test_other_games_have_no_palace(rulecheck: Callable[..., Any]) -> None:
    run = rulecheck("build", "crosswalk")
    assert (run.status, run.err) == (2, "rulecheck: build is a question about icepalace, and crosswalk has no palace\n")
