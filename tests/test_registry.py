"""Protects: no game is half there, and a broken outside package is one sentence."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulecheck import registry, render
from rulecheck.analyses.mutants import changed_text, module_of, read_mutants
from rulecheck.model import InputError
from rulecheck.registry import GROUP, Game

TESTS = Path(__file__).parent
ARTEFACTS: dict[str, Callable[[Game], Any]] = {
    "rulebook": lambda game: game.rulebook.clauses and game.rulebook.readings and game.rulebook.claims,
    "engine": lambda game: game.engine(game.params({}), game.rulebook.defaults()).start(),
    "spec": lambda game: registry.load(game.spec_name),
    "mutants": lambda game: game.mutants_file and registry.read_resource(game.mutants_file),
    "hints": lambda game: game.hints,
    "drawer": lambda game: render.drawer(game) is not render.PLAIN,
    "move counts": lambda game: game.counts_file and registry.read_resource(game.counts_file),
    "conformance plan": lambda game: (TESTS / "conformance" / f"{game.slug}.toml").is_file(),
}


@pytest.mark.parametrize("artefact", ARTEFACTS)
@pytest.mark.parametrize("slug", registry.names())
def test_no_game_lacks_an_artefact(slug: str, artefact: str) -> None:
    assert ARTEFACTS[artefact](registry.find(slug)), f"{slug} lacks its {artefact}"


@pytest.mark.parametrize("slug", registry.names())
def test_every_mutant_finds_the_text_it_changes(slug: str) -> None:
    """What a mutant changes may be reworded; running all of them takes too long to notice it that way."""
    game = registry.find(slug)
    for mutant in read_mutants(game):
        assert mutant.new in changed_text(module_of(game, mutant), mutant)


@pytest.mark.parametrize("slug", registry.names())
def test_names_agree(slug: str) -> None:
    game = registry.find(slug)
    assert game.slug == game.rulebook.slug == slug
    assert game.title == game.rulebook.title


@pytest.mark.parametrize("slug", registry.names())
def test_rulebook_lists_the_parameters_that_the_game_reads(slug: str) -> None:
    game = registry.find(slug)
    defaults = {p.name: p.default for p in game.rulebook.parameters}
    assert defaults.items() >= game.params({}).as_dict().items()  # what is left out is as listed
    assert game.params(defaults) == game.params({})


def _entry(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    entry = importlib.metadata.EntryPoint("broken", value, GROUP)
    found = importlib.metadata.EntryPoints([entry])
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda **query: found.select(**query))


def test_game_that_cannot_be_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    _entry(monkeypatch, "no_such_package_anywhere:GAME")
    with pytest.raises(InputError, match=r"the game 'broken' cannot be loaded from no_such_package_anywhere"):
        registry.find("broken")


def test_entry_point_that_is_no_game(monkeypatch: pytest.MonkeyPatch) -> None:
    _entry(monkeypatch, "json:dumps")
    with pytest.raises(InputError, match=r"is not a rulecheck\.registry\.Game"):
        registry.find("broken")


def test_one_broken_game_does_not_hide_the_others(monkeypatch: pytest.MonkeyPatch, rulecheck: Any) -> None:
    good = importlib.metadata.EntryPoint("crosswalk", "rulecheck.games.crosswalk:GAME", GROUP)
    bad = importlib.metadata.EntryPoint("broken", "no_such_package_anywhere:GAME", GROUP)
    found = importlib.metadata.EntryPoints([bad, good])
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda **query: found.select(**query))
    run = rulecheck("games")
    assert run.status == 1
    assert run.out.startswith("crosswalk ")
    assert run.err.startswith("rulecheck: the game 'broken' cannot be loaded")
    assert run.err.count("\n") == 1


def test_named_parameters_read_back_to_the_same_version() -> None:
    """Also those whose values would follow from others: a core of 4 has lines of 2, unless they are named."""
    game = registry.find("nestrace")
    for given in (
        {},
        {"core": "4"},
        {"core": "4", "width": "4"},
        {"players": "4", "core": "4", "width": "4", "nests": "2"},
    ):
        params = game.params(given)
        assert game.params(game.named(params)) == params
    assert game.named(game.params({})) == {}
    assert game.named(game.params({"core": "4", "width": "4"})) == {"core": "4", "width": "4"}
