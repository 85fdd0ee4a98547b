"""Protects: the Python API answers as the commands do, for games here and elsewhere, and refuses with a sentence."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import pytest

import rulecheck
from rulecheck import InputError

EXAMPLES = Path(__file__).parents[1] / "docs" / "examples"
SMALL = {"squares": 3, "sizes": 12, "pedestrians": 1}


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., rulecheck.OpenGame]:
    """Opens an example game, installed for this test."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    monkeypatch.syspath_prepend(str(tmp_path))

    def opened(name: str, **chosen: object) -> rulecheck.OpenGame:
        metadata = tmp_path / f"{name}-1.0.dist-info"
        metadata.mkdir(exist_ok=True)
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (metadata / "entry_points.txt").write_text(f"[rulecheck.games]\n{name} = {name}:GAME\n")
        return rulecheck.open(name, **chosen)

    return opened


def test_importing_and_opening_load_nothing_heavy() -> None:
    script = (
        "import sys, rulecheck\nlight = set(sys.modules)\nrulecheck.open('crosswalk').start().moves()\n"
        "heavy = {'z3', 'numba', 'numpy', 'networkx', 'scipy', 'flint', 'typer'}\n"
        "print([sorted(heavy & found) for found in (light, set(sys.modules))])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ast.literal_eval(done.stdout) == [[], []]


def test_everything_named_is_there() -> None:
    assert all(getattr(rulecheck, name) is not None for name in rulecheck.__all__)
    assert set(rulecheck.__all__) <= set(dir(rulecheck))
    with pytest.raises(AttributeError, match="no attribute 'opne'"):
        rulecheck.opne  # type: ignore[attr-defined]  # noqa: B018


# -- Opening ---------------------------------------------------------------------------------------------------


def test_keywords_are_parameters_or_readings() -> None:
    game = rulecheck.open("crosswalk", die=4, spend="max_points")
    assert (game.changed_params, game.changed_readings) == ({"die": "4"}, {"spend": "max_points"})
    assert game == rulecheck.open("crosswalk", params={"die": "4"}, readings={"spend": "max_points"})
    assert not game.is_printed
    assert rulecheck.open("crosswalk").is_printed


@pytest.mark.parametrize(
    ("chosen", "sentence"),
    [
        ({"dye": 4}, "neither a parameter nor a reading 'dye'; parameters: .*die.*; readings: spend, "),
        ({"die": 99}, "die"),
        ({"spend": "all"}, "unknown value of reading spend 'all'; known: "),
        ({"die": 4, "params": {"die": "6"}}, "'die' is chosen twice, as '6' and as '4'"),
        ({"params": {"spend": "exact"}}, "unknown parameter 'spend'"),
    ],
)
def test_what_cannot_be_chosen(chosen: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        rulecheck.open("crosswalk", **chosen)


def test_a_name_of_two_things_is_refused(example: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    from rulecheck import registry

    book = registry.find("crosswalk").rulebook
    doubled = replace(book, parameters=(*book.parameters, replace(book.parameters[0], name="spend")))
    monkeypatch.setitem(vars(registry.find("crosswalk")), "rulebook", doubled)
    with pytest.raises(InputError, match="'spend' is a parameter and a reading of crosswalk; say params= or readings="):
        rulecheck.open("crosswalk", spend="exact")
    assert rulecheck.open("crosswalk", readings={"spend": "max_points"}).readings["spend"] == "max_points"


def test_values_do_not_change() -> None:
    position = rulecheck.open("crosswalk", **SMALL).start()
    with pytest.raises(FrozenInstanceError):
        position.value = None  # type: ignore[misc]
    assert len({position, position.game.start()}) == 1


# -- Positions -------------------------------------------------------------------------------------------------


def test_a_line_of_play_says_what_is_illegal() -> None:
    start = rulecheck.open("crosswalk", **SMALL).start()
    with pytest.raises(InputError, match="move 1 of 1, 1: 1-2, is illegal: CW-13"):
        start.play("1: 1-2")
    with pytest.raises(InputError, match="chance does not bring '9'"):
        start.play("9")
    with pytest.raises(InputError, match="0 or more, found -1"):
        start.perft(-1)


def test_a_game_with_one_voice(example: Any, monkeypatch: pytest.MonkeyPatch, rulecheck: Any) -> None:
    """Without constraints `why` is the engine's word, and nothing is said of agreement."""
    game = example("nim")
    monkeypatch.setitem(vars(game.choice.game), "spec_name", None)
    move = str(game.start().moves()[0])
    found = game.start().why(move)
    assert (found.legal, found.spec, found.agree) == (True, None, None)
    run = rulecheck("why", "nim", str(game.start()), move)
    assert run.status == 0
    assert run.out.startswith("engine: legal\n")
    assert "spec" not in run.out


def test_pictures(example: Any) -> None:
    position = rulecheck.open("crosswalk").start()
    assert position._repr_svg_() == position.svg()
    assert position.text != str(position)
    plain = example("nim").start()
    assert plain._repr_svg_() is None
    assert plain.text == str(plain)
    assert str(plain) in plain.svg()
    assert repr(plain) == f"<nim {plain}>"


def test_a_player_without_a_move_ends_play(example: Any) -> None:
    game = example("oxo")
    position = game.start()
    for _ in range(9):
        position = position.moves()[0].result
        if position.is_over:
            break
    assert position.is_over
    assert position.to_act is None
    assert position.moves() == ()


# -- Solving ---------------------------------------------------------------------------------------------------


def test_a_win_by_the_engine(example: Any, tmp_path: Path) -> None:
    table = example("nim").solve(tmp_path / "tables")
    answer = table.probe()
    assert answer.value == "win"
    assert answer.best
    assert all(table.probe(move.result).value == "loss" for move in answer.moves if move.text in answer.best)
    assert all(table.probe(move.result).value == "win" for move in answer.moves if move.text not in answer.best)
    assert answer.bounds is None
    assert table.certify(seed=1).headline.startswith("PROVED")
    assert rulecheck.open_table(table.path) == table


def test_chance_comes_with_bounds(tmp_path: Path) -> None:
    game = rulecheck.open("crosswalk", **SMALL)
    table = game.solve(tmp_path, width=1e-3)
    answer = table.probe()
    assert answer.bounds is not None
    assert answer.moves == ()
    low, high = answer.bounds
    rolled = [table.probe(chance.result) for chance in answer.chances]
    means = [sum(a.bounds[side] for a in rolled if a.bounds) / 6 for side in (0, 1)]
    assert low <= means[1]
    assert means[0] <= high
    best = rolled[1].moves[0]
    assert best.worth.values == rolled[1].worth.values


def test_probes_say_what_the_command_says(tmp_path: Path, rulecheck: Any) -> None:
    import json

    import rulecheck as library

    game = library.open("crosswalk", **SMALL)
    table = game.solve(tmp_path, width=1e-3)
    said = json.loads(rulecheck("probe", *str(game).split(), "--table", str(table.path), "--json").out)
    assert table.probe().bounds == (said["low"], said["high"])
    for roll, chance in zip(said["rolls"], game.start().chances, strict=True):
        moves = table.probe(chance.result).moves
        assert [move.text for move in moves] == [turn["move"] for turn in roll["turns"]]


def test_one_against_all_others(example: Any, tmp_path: Path) -> None:
    game = example("twentyone")
    with pytest.raises(InputError, match="a game of 3"):
        game.solve(tmp_path)
    assert game.solve(tmp_path, player="A").probe().worth.player == "A"


def test_a_table_of_another_game(tmp_path: Path, example: Any) -> None:
    table = example("nim").solve(tmp_path / "tables")
    with pytest.raises(InputError, match="the table is of nim, and the position of crosswalk"):
        table.probe(rulecheck.open("crosswalk").start())
    with pytest.raises(InputError, match="there is no table"):
        rulecheck.open_table(tmp_path / "none.table")
    table.path.write_bytes(b"something else")
    with pytest.raises(InputError):
        rulecheck.open_table(table.path)


# -- Analyses --------------------------------------------------------------------------------------------------


def test_the_analyses_of_an_example(example: Any) -> None:
    game = example("nim")
    assert game.prove().is_fine
    assert str(game.prove("play")).startswith("PROVED")
    assert {row.clause.id for row in game.clauses()} <= set(game.rulebook.clauses)
    assert all(row.statement for row in game.stalemates())
    assert not game.claims().disagreements
    assert game.puzzles(1, seed=3)[0].game == "nim"
    with pytest.raises(InputError, match="unknown family 'x'"):
        game.prove("x")
    with pytest.raises(InputError, match="unknown reading 'x'"):
        game.ambiguities("x")


def test_readings_of_a_variant_are_told_apart_in_it(example: Any) -> None:
    game = rulecheck.open("hextris", radius=1, group=2, groups=1, pieces="1,1,1")
    (found,) = game.ambiguities("final_group")
    witness = found.result.witness
    assert witness is not None
    assert witness.params == game.params
    results = [game.position(witness.position).play(witness.move) for game in (
        rulecheck.open("hextris", params=game.params, readings={"final_group": value}) for value in found.values
    )]  # fmt: skip
    assert str(results[0]) != str(results[1])


def test_claims_of_a_variant() -> None:
    """What is said of positions that the variant does not have is not asked; what it breaks is a disagreement."""
    found = rulecheck.open("hextris", radius=1).claims("HC-01", "HC-06")
    assert [row.claim.id for row in found.disagreements] == ["HC-01"]
    assert "unknown place" in found.unasked["HC-06"]
