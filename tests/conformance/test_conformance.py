"""Protects: every game keeps what rulecheck takes for granted, and its two encodings agree in play."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from conformance_kit import Kit

from rulecheck import registry
from rulecheck.model import agreement

HERE = Path(__file__).parent
DRAWN = 16  # combinations of readings that are drawn for each game


def plan(slug: str) -> dict[str, Any]:
    return tomllib.loads((HERE / f"{slug}.toml").read_text(encoding="utf-8"))


def settings() -> Iterator[Any]:
    for slug in registry.names():
        for number, setting in enumerate(plan(slug)["setting"]):
            yield pytest.param(slug, setting, id=f"{slug}-{number}")
        for option in registry.find(slug).rulebook.options.values():
            for value in option.values[1:]:
                setting = {**plan(slug)["each_reading"], "readings": {option.name: value}}
                yield pytest.param(slug, setting, id=f"{slug}-{option.name}={value}")
        each = plan(slug)["each_reading"]
        for number, readings in enumerate(drawn_readings(slug, DRAWN)):
            setting = {**each, "readings": readings, "odd": 2 * each["odd"]}  # what is more liberal needs more of them
            yield pytest.param(slug, setting, id=f"{slug}-drawn-{number}")


def drawn_readings(slug: str, count: int) -> list[dict[str, str]]:
    """Combinations of all readings by chance, the same on every run: what one reading hides another may show."""
    rng, options = random.Random(f"{slug} readings"), registry.find(slug).rulebook.options.values()
    return [{option.name: rng.choice(option.values) for option in options} for _ in range(count)]


@pytest.mark.parametrize(("slug", "setting"), list(settings()))
def test_encodings_agree_along_random_games(slug: str, setting: dict[str, Any]) -> None:
    kit = Kit(registry.find(slug), setting["params"], setting.get("readings", {}))
    rng = random.Random(f"{slug} {setting}")
    fallen = 0
    for position in kit.playout(rng, setting["plies"]):
        kit.check_value(position)
        fallen += kit.check_turns(position, rng, setting["legal"], setting["odd"])
    assert fallen >= setting["plies"], "too few of the odd moves were illegal for this to be a test"


@pytest.mark.slow
@pytest.mark.parametrize("slug", registry.names())
def test_encodings_agree_along_a_whole_game(slug: str) -> None:
    """The printed game, and every reading at once in its last value."""
    options = registry.find(slug).rulebook.options.values()
    for readings in ({}, {option.name: option.values[-1] for option in options}):
        kit, rng = Kit(registry.find(slug), {}, readings), random.Random(slug)
        assert sum(kit.check_turns(p, rng, legal=4, odd=12) for p in kit.playout(rng, 20)) > 40


@pytest.mark.parametrize("slug", registry.names())
def test_encodings_agree_in_unusual_positions(slug: str) -> None:
    kit, rng = Kit(registry.find(slug), {}, {}), random.Random(slug)
    fallen = 0
    for entry in plan(slug)["position"]:
        position = kit.game.read_position(kit.params, entry["text"])
        kit.check_value(position)
        fallen += kit.check_moves(position, rng, legal=3, odd=9)
    assert fallen >= 3, "too few of the odd moves were illegal for this to be a test"


def asks() -> Iterator[Any]:
    """The questions of a plan: as printed, and for each reading value that they are about."""
    for slug in registry.names():
        for ask in plan(slug).get("ask", ()):
            for name, value in [("", ""), *((name, value) for name, values in ask["each"].items() for value in values)]:
                yield pytest.param(slug, ask, {name: value} if name else {}, id=f"{slug}-{ask['why']}-{name}={value}")


@pytest.mark.parametrize(("slug", "ask", "readings"), list(asks()))
def test_encodings_agree_on_questions(slug: str, ask: dict[str, Any], readings: dict[str, str]) -> None:
    kit = Kit(registry.find(slug), ask.get("params", {}), readings)
    position = kit.game.read_position(kit.params, ask["position"])
    kit.check_value(position)
    assert len({kit.check_ask(position, event) for event in ask["events"]}) > 1, "all events come to the same"


@pytest.mark.parametrize("slug", registry.names())
def test_the_start(slug: str) -> None:
    kit = Kit(registry.find(slug), plan(slug)["each_reading"]["params"], {})
    start = kit.engine.start()
    kit.check_value(start)
    assert kit.engine.end(start) is None
    assert kit.engine.start() == start


@pytest.mark.parametrize("slug", registry.names())
def test_readings_are_drawn_together(slug: str) -> None:
    """Some combination changes both of nearly every two readings: single values are not all that is played."""
    drawn, defaults = drawn_readings(slug, DRAWN), registry.find(slug).rulebook.defaults()
    assert drawn == drawn_readings(slug, DRAWN)
    changed = [{name for name in readings if readings[name] != defaults[name]} for readings in drawn]
    together = [any({one, other} <= names for names in changed) for one, other in combinations(defaults, 2)]
    assert sum(together) > 0.9 * len(together)


def test_the_kit_notices_a_wrong_engine() -> None:
    """A kit that passes anything would be worthless: here the two encodings follow different readings."""
    setting = plan("crosswalk")["each_reading"]
    kit, rng = Kit(registry.find("crosswalk"), setting["params"], {}), random.Random(3)
    kit.engine = kit.game.engine(kit.params, kit.game.rulebook.choose({"null_turn": "forbidden"}))
    position = kit.game.read_position(kit.params, f"{kit.engine.start()} roll=2")
    with pytest.raises(AssertionError, match="engine illegal: CW-11"):
        kit.check_moves(position, rng, legal=1, odd=60)


@pytest.mark.parametrize(
    ("position", "move"),
    [
        pytest.param("B 1:B2B1 2:P1 3:A2A1 roll=6", "2-3 3-2 2-3 3-2 2-3 3-2 0-1", id="a step after the last point"),
        pytest.param("B 1:B2B1P1A1 2:A2 roll=3", "2-1 2>1", id="a relocation after an illegal step"),
    ],
)
def test_reasons_once_differed(position: str, move: str) -> None:
    """Turns that both encodings forbade, but for different clauses, until this was found."""
    kit = Kit(registry.find("crosswalk"), plan("crosswalk")["each_reading"]["params"], {})
    here, asked = kit.game.read_position(kit.params, position), kit.game.read_move(kit.params, move)
    assert agreement(kit.engine.judge(here, asked), kit.spec.judge(here, asked))
