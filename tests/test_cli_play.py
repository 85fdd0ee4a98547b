"""Protects `play`: equal seeds give equal games, every move is asked about twice, and a difference is a finding."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from rulecheck import registry
from rulecheck.contract import brought
from rulecheck.model import breaks

SMALL = ("crosswalk", "-p", "squares=3", "-p", "sizes=12", "-p", "pedestrians=1")


def _play(rulecheck: Callable[..., Any], *arguments: str) -> Any:
    run = rulecheck("play", *SMALL, *arguments, "--json")
    assert (run.status, run.err) == (0, "")
    return json.loads(run.out)


@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_a_record_is_a_game_by_the_engine(rulecheck: Callable[..., Any], policy: str) -> None:
    found = _play(rulecheck, "--seed", "3", "--policy", policy)
    assert found == _play(rulecheck, "--seed", "3", "--policy", policy)
    assert found["disagreements"] == []
    game = registry.find("crosswalk")
    params = game.params(found["params"])
    engine = game.engine(params, game.rulebook.defaults())
    (played,) = found["games"]
    position = engine.start()
    for ply in played["record"]:
        assert ply["position"] == str(position)
        if ply["move"] is None:
            assert ply["result"] in [str(rolled) for rolled in brought(engine, position)]
            position = game.read_position(params, ply["result"])
        else:
            position = engine.play(position, game.read_move(params, ply["move"]))
    assert engine.winner(position) == played["winner"]
    assert played["moves"] == sum(ply["move"] is not None for ply in played["record"])


def test_figures_of_many_games(rulecheck: Callable[..., Any]) -> None:
    found = _play(rulecheck, "--games", "6", "--engine-only", "--limit", "30")
    lengths = [game["moves"] for game in found["games"]]
    assert (found["lengths"]["shortest"], found["lengths"]["longest"]) == (min(lengths), max(lengths))
    assert sum(found["winners"].values()) == 6
    assert all(game["ended"] or game["moves"] == 30 for game in found["games"])
    run = rulecheck("play", *SMALL, "--games", "6", "--engine-only", "--limit", "30")
    assert run.out.startswith(f"6 games of {min(lengths)} to {max(lengths)} moves")


def test_a_difference_is_a_finding(rulecheck: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    from specs.crosswalk.spec import Spec

    monkeypatch.setattr(Spec, "judge", lambda self, position, move: breaks("CW-12", "on purpose"))
    run = rulecheck("play", *SMALL, "--limit", "2")
    assert run.status == 1
    assert run.out.count("DISAGREEMENT") == 2


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--policy", "clever"), "unknown policy 'clever'; known: random, greedy"),
        (("--limit", "0"), "invalid value for '--limit': Input should be greater than or equal to 1"),
    ],
)
def test_bad_input(rulecheck: Callable[..., Any], arguments: tuple[str, ...], sentence: str) -> None:
    run = rulecheck("play", *SMALL, *arguments)
    assert (run.status, run.err) == (2, f"rulecheck: {sentence}\n")


def test_where_moves_cannot_be_listed_some_are_drawn(rulecheck: Callable[..., Any]) -> None:
    """Icehouse is played to its end with placements from a seed, and both encodings are asked about each."""
    game = ("play", "icehouse", "-p", "players=2", "-p", "pieces=1,1,1", "-p", "limit=3", "--json")
    for policy in ("random", "greedy"):
        run = rulecheck(*game, "--policy", policy, "--seed", "2")
        assert (run.status, run.err) == (0, "")
        assert run.out == rulecheck(*game, "--policy", policy, "--seed", "2").out
        (played,) = json.loads(run.out)["games"]
        assert played["ended"]
        placed = [ply["move"] for ply in played["record"] if "@" in ply["move"]]
        assert len(placed) >= 6


@pytest.mark.parametrize("slug", registry.names())
def test_both_encodings_go_along_in_every_game(rulecheck: Callable[..., Any], slug: str) -> None:
    run = rulecheck("play", slug, "--limit", "3", "--json")
    assert (run.status, run.err) == (0, "")
    assert json.loads(run.out)["disagreements"] == []
