"""Ice Palace: ambiguities, deciding cases and dead ends are real, in play and smallest; whole games are played."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from rulecheck import registry
from rulecheck.analyses.ambiguities import pairs
from rulecheck.games.icepalace import GAME, read_move, read_position
from rulecheck.games.icepalace.coverage import coverage
from rulecheck.games.icepalace.engine import Engine
from rulecheck.games.icepalace.lines import Play, replay
from rulecheck.games.icepalace.research.lengths import bounds
from rulecheck.games.icepalace.shapes import ASKED_UNDER, SEARCHED, _never_asked, witness_scope
from rulecheck.games.icepalace.stalemates import CASES, endless, stalemates
from rulecheck.model import InputError, Status
from specs.icepalace.spec import Spec

DEFAULTS = GAME.rulebook.defaults()
PAIRS = pairs(GAME.rulebook.options.values())
SMALL = SEARCHED[0]
NOT_ASKED = ("refill", "draw_order")  # whether less would tell


# -- Play ------------------------------------------------------------------------------------------------------


def test_lines_tell_what_chance_did() -> None:
    engine = Engine(GAME.params({"stash": "2", "hand": "2", "black": "0", "white": "0", "sizes": "1"}), DEFAULTS)
    line = ("B begins", "A draws C1", "B draws A1", "B1@w0,0")
    assert str(replay(engine, line)) == "C w0,0:B1 hands=A1C1/A1/B1C1 bag=000/000/000/000/000 marker=B"
    with pytest.raises(InputError, match="chance cannot say 'D begins'"):
        replay(engine, ("D begins",))
    with pytest.raises(InputError, match="chance cannot say 'B1@w0,0'"):
        replay(engine, ("B begins", "B1@w0,0"))


def test_play_goes_by_pyramids_placed() -> None:
    """Fewer placed first, every line leads where it says, and turned positions come once."""
    play = Play(Engine(GAME.params({"stash": "1", "hand": "1", "sizes": "1"}), DEFAULTS))
    positions = list(play)
    assert [play.placed(p) for p in positions] == sorted(play.placed(p) for p in positions)
    assert len({p.turned() for p in positions}) == len(positions) > 40
    assert all(replay(play.engine, play.line(p)) == p for p in positions)


# -- Ambiguities -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "first", "second"), PAIRS)
def test_every_pair_of_values_has_a_position_in_play(name: str, first: str, second: str) -> None:
    """Both encodings confirm it (`separate` does), and so does the line; for most it is known that nothing smaller
    tells.
    """
    base = DEFAULTS.replace(**dict([ASKED_UNDER[name]])) if name in ASKED_UNDER else DEFAULTS
    found = GAME.hints.separate(base, name, (first, second))
    assert found.result.status is Status.REFUTED
    witness = found.result.witness
    assert witness is not None
    assert witness.line is not None
    params = GAME.params(witness.params)
    engines = [Engine(params, base.replace(**{name: value})) for value in (first, second)]
    assert [str(replay(engine, witness.line)) for engine in engines] == [witness.position] * 2
    assert found.verdicts[0] != found.verdicts[1]
    assert found.result.scope.startswith("in play" if name in NOT_ASKED else "smallest")


@pytest.mark.parametrize("name", ASKED_UNDER)
def test_what_nobody_asks_for_never_differs(name: str) -> None:
    """An engine that cannot tell the reading would raise; under the value that asks for it there is no such proof."""
    values = GAME.rulebook.options[name].values
    assert GAME.hints.separate(DEFAULTS, name, (values[0], values[1])).result.status is Status.PROVED
    other, value = ASKED_UNDER[name]
    asked = [DEFAULTS.replace(**{other: value, name: chosen}) for chosen in values]
    assert _never_asked(name, other, asked[0], asked[1]) is None


def test_a_position_that_is_not_smallest_is_not_called_so() -> None:
    engines = [Engine(SMALL, DEFAULTS.replace(stacking=value)) for value in ("any_colour", "player_colours")]
    larger = read_position(SMALL, "C w0,0:A1 w1,0:W1 hands=A2W1W2/B1B2W2/C1C2W1W2 bag=000/000/000/000/000 marker=A")
    assert witness_scope(engines[0], engines[1], larger) == "in play; 0,0:A1 would tell already"
    palaces = [Engine(SMALL, DEFAULTS.replace(palace_adjacent=v)) for v in ("some_neighbour", "every_neighbour")]
    text = "A p0,0:A1 p-1,1:A2B1 p0,1:A1 p0,2:A2 hands=-/-/- bag=000/000/000/000/000 marker=A left=A2"
    wide = read_position(GAME.params({}), text)
    assert "would tell already" in witness_scope(palaces[0], palaces[1], wide)


# -- Clauses -------------------------------------------------------------------------------------------------------


def test_every_clause_of_play_has_its_case_or_a_proof() -> None:
    rows = {row.clause.id: row for row in coverage(GAME.params({}), DEFAULTS)}
    assert rows.keys() == GAME.rulebook.clauses.keys()
    tested = {name: row for name, row in rows.items() if row.result}
    assert len(tested) == 26
    assert not [name for name, row in tested.items() if row.result and row.result.status is Status.UNKNOWN]
    assert [(name, row.implied_by) for name, row in rows.items() if row.is_redundant] == [("IP-15", ("IP-14",))]
    for name, row in tested.items():
        if row.result and (witness := row.result.witness):
            params = GAME.params(witness.params)
            position, move = read_position(params, witness.position), read_move(params, witness.move or "")
            said = [side(params, DEFAULTS).judge(position, move) for side in (Engine, Spec)]
            assert said[0].legal == said[1].legal == witness.note.startswith("legal"), name


# -- Dead ends -----------------------------------------------------------------------------------------------------


def test_dead_ends() -> None:
    rows = {row.name: row for row in stalemates(GAME.params({}), DEFAULTS)}
    assert list(rows) == [*(case.name for case in CASES), "endless"]
    assert rows.pop("endless").result.status is Status.PROVED
    for name, row in rows.items():
        assert row.result.status is Status.REFUTED, name
        witness = row.result.witness
        assert witness is not None
        assert witness.line is not None
        engine = Engine(GAME.params(witness.params), DEFAULTS)
        assert str(replay(engine, witness.line)) == witness.position
    assert "palace_island=yes" in rows["unusable"].repairs
    assert "max_number=maximal" in rows["wrong-start"].repairs


def test_a_game_without_end_if_nobody_has_to_open() -> None:
    result = endless(DEFAULTS.replace(opening="may_pass")).result
    assert result.status is Status.REFUTED
    assert result.witness is not None
    engine = Engine(GAME.params(result.witness.params), DEFAULTS.replace(opening="may_pass"))
    assert str(replay(engine, result.witness.line or ())) == str(replay(engine, ("A begins",)))


# -- Whole games ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("policy", "stash"),
    [
        ("random", 3),
        ("greedy", 3),
        pytest.param("random", 5, marks=pytest.mark.slow),
        pytest.param("greedy", 5, marks=pytest.mark.slow),
    ],
)
def test_whole_games_are_played(rulecheck: Callable[..., Any], policy: str, stash: int) -> None:
    """Both encodings agree at every move, and the number of rounds is within the bounds by counting."""
    chosen = ("--players", "3", "-p", f"stash={stash}", "--seed", "7", "--policy", policy)
    run = rulecheck("play", "icepalace", *chosen, "--json")
    assert (run.status, run.err) == (0, "")
    found = json.loads(run.out)
    assert found["disagreements"] == []
    assert found["games"][0]["ended"]
    limits = bounds(Engine(GAME.params(found["params"]), DEFAULTS))
    assert limits.most is not None
    assert limits.least <= found["counts"]["rounds"]["most"] <= limits.most
    assert found["counts"]["in the palace"]["most"] <= found["counts"]["pyramids placed"]["most"]


def test_a_move_with_another_result_is_a_finding(
    rulecheck: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Spec, "after", lambda self, position, move: position)
    run = rulecheck("play", "icepalace", "-p", "stash=1", "-p", "hand=1", "-p", "sizes=1", "--limit", "3")
    assert run.status == 1
    assert run.out.count("the engine leads to") == 3


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("icepalace", "--players", "7"), "parameter players wants a whole number from 3 to 6, found '7'"),
        (("icepalace", "--players", "3", "-p", "players=3"), "option -p sets 'players' twice"),
        (
            ("crosswalk", "--players", "2"),
            "unknown parameter 'players'; known: squares, sizes, pedestrians, die, first",
        ),
    ],
)
def test_players_that_cannot_be(rulecheck: Callable[..., Any], arguments: tuple[str, ...], sentence: str) -> None:
    run = rulecheck("play", *arguments)
    assert (run.status, run.out) == (2, "")
    assert run.err.startswith(f"rulecheck: {sentence}")


def test_the_game_is_registered() -> None:
    assert registry.find("icepalace") is GAME
