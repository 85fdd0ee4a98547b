"""Protects: the pages made from the code (the commands, the picture of the house) say what the code is now."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

DOCS = Path(__file__).parents[1] / "docs"


def script(name: str) -> ModuleType:
    """docs/NAME.py, which is no package."""
    spec = importlib.util.spec_from_file_location(f"docs_{name}", DOCS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def house() -> Any:
    return script("house")


@pytest.fixture(scope="module")
def built(house: Any) -> Any:
    return house.house()


def test_commands_page() -> None:
    commands: Any = script("commands")
    assert commands.PAGE.read_text(encoding="utf-8") == commands.page(), "`make docs` writes it anew"


def test_house(house: Any) -> None:
    for path, text in house.written().items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name}: `make docs` writes it anew"


def test_every_module_has_a_room(house: Any, built: Any) -> None:
    assert set(built.rooms.values()) == {room.name for room in built.all_rooms}
    assert built.rooms["rulecheck.games.crosswalk"] == "vocabulary"
    assert built.rooms["rulecheck.games.crosswalk.engine"] == "engines"
    assert built.rooms["rulecheck.games.crosswalk.hints"] == "games"
    assert built.rooms["rulecheck.registry"] == "core"


def test_nothing_forbidden_is_imported(house: Any, built: Any) -> None:
    """What the page marks as forbidden is what import-linter forbids."""
    forbidden = house.forbidden(built.rooms)
    assert ("engines", "specs") in forbidden
    assert ("specs", "engines") in forbidden
    assert ("core", "games") in forbidden
    assert ("games", "engines") not in forbidden
    assert not forbidden & built.edges
