"""Protects: `solve`, `probe` and `certify` are right about somebody else's game, or refuse it with a sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import networkx
import oddities
import pytest
from plain_solving import outcomes, values

from rulecheck.analyses import solved_play as solving
from rulecheck.model import Readings
from rulecheck.registry import Game
from rulecheck.solve import symmetry
from solvers.tablebase import open_table, write_table

Install = Callable[[str, str], None]
Runner = Callable[..., Any]


def answer(rulecheck: Runner, *arguments: str, status: int = 0) -> Any:
    run = rulecheck(*arguments, "--json")
    assert (run.status, run.err) == (status, "")
    return json.loads(run.out)


def installed(install: Install, entry: str) -> Game:
    """Under its own name, by which a table finds it."""
    game: Game = vars(oddities)[entry]
    install(game.slug, f"oddities:{entry}")
    return game


# -- Without chance --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entry", "hero"),
    [("AGAIN", "A"), ("KEEPS", "B"), ("DANCE", "A"), ("THREE", "A"), ("THREE", "C"), ("KALAH_2_1", "A")],
)
def test_every_position_is_worth_what_a_plain_solver_says(
    entry: str, hero: str, install: Install, rulecheck: Runner, tmp_path: Path
) -> None:
    """A player who moves again, the last player left to move, loops, three players."""
    game = installed(install, entry)
    engine = game.engine(oddities.Params(), Readings({}))
    asked = ("--for", hero, "--out", str(tmp_path))
    solved = answer(rulecheck, "solve", game.slug, *asked)
    expected = outcomes(engine, hero)
    for position, (outcome, moves) in expected.items():
        found = answer(rulecheck, "probe", game.slug, str(position), *asked)
        said = found["for"], found["value"], -1 if found["distance"] is None else found["distance"]
        assert said == (hero, outcome.name.lower(), moves), position
        if found["moves"]:
            best = "win" if engine.actor(position) == hero else "loss"
            assert (found["moves"][0]["value"] == best) == (outcome.name.lower() == best)
    assert (solved["positions"], solved["value"]) == (len(expected), expected[engine.start()][0].name.lower())
    assert answer(rulecheck, "certify", solved["table"])["result"] == "PROVED"


@pytest.mark.parametrize(("entry", "value"), [("KALAH_2_1", "win"), ("KALAH_2_2", "loss"), ("KALAH_3_1", "tie")])
def test_a_sowing_game_with_an_extra_turn_has_its_published_values(
    entry: str, value: str, install: Install, rulecheck: Runner, tmp_path: Path
) -> None:
    """Irving, Donkers and Uiterwijk, Solving Kalah (2000)."""
    install("sowing", f"oddities:{entry}")
    solved = answer(rulecheck, "solve", "sowing", "--out", str(tmp_path))
    assert (solved["for"], solved["value"]) == ("A", value)
    longest = solved["longest_win"]
    assert longest is None or longest["distance"] == len(longest["line"])


def test_the_others_stand_together(install: Install, rulecheck: Runner, tmp_path: Path) -> None:
    install("three", "oddities:THREE")
    run = rulecheck("solve", "three", "--for", "C", "--out", str(tmp_path))
    assert "at the start: loss in 4 moves (C loses)" in run.out
    assert (tmp_path / "three_for=C.table").exists()
    other = rulecheck("probe", "three", "--for", "A", "--table", str(tmp_path / "three_for=C.table"))
    assert (other.status, "was solved for C, not for A" in other.err) == (2, True)
    missing = rulecheck("probe", "three", "--for", "A", "--out", str(tmp_path))
    assert f"make it with: rulecheck solve three --for A --out {tmp_path}" in missing.err


@pytest.mark.parametrize(
    ("entry", "options", "sentence"),
    [
        ("THREE", (), "is a game of 3: say for whom it is to be solved (--for)"),
        ("THREE", ("--for", "D"), "'D' is no player of this game; known: A, B, C"),
        ("TURNING", ("--for", "A"), "B 5 and A 5 are called alike, but who is to act differs"),
        ("UNLIKE", (), "the game calls B 2,1 and B 1,2 alike, but their moves or ends are not"),
        ("LOPSIDED", (), "the game calls B 0,0,0 and A 0,0,0 alike, but their moves or ends are not"),
        ("AGAIN", ("--limit", "5"), "play reaches more than 5 positions, which is the limit here; choose smaller"),
        ("AGAIN", ("--exact",), "--exact is for games with dice"),
        ("AGAIN", ("--width", "0.1"), "--width is for games with dice"),
        ("LATER", ("--width", "2"), "the width of the bounds must be more than 0 and at most 1, found 2"),
        ("AGAIN", ("--jobs", "2"), "--jobs is for large games that are solved by number"),
        ("LATER", ("--sweeps", "2"), "--sweeps is for large games that are solved by number"),
        ("AGAIN", ("--resume",), "there is nothing to resume"),
        ("PIGLET", ("--for", "A"), "--for is for games that are explored by their engines"),
    ],
)
def test_what_would_come_out_wrong_is_refused(
    entry: str, options: tuple[str, ...], sentence: str, install: Install, rulecheck: Runner, tmp_path: Path
) -> None:
    install("odd", f"oddities:{entry}")
    run = rulecheck("solve", "odd", *options, "--out", str(tmp_path))
    assert (run.status, run.out, run.err.count("\n")) == (2, "", 1)
    assert sentence in run.err
    assert not list(tmp_path.glob("*.table"))


def test_what_cannot_arise_is_not_held(install: Install, rulecheck: Runner, tmp_path: Path) -> None:
    install("again", "oddities:AGAIN")
    rulecheck("solve", "again", "--out", str(tmp_path))
    run = rulecheck("probe", "again", "B 4", "--out", str(tmp_path))
    assert run.err == "rulecheck: B 4 cannot arise from the start of this game, so its table does not hold it\n"
    assert run.status == 2


@pytest.mark.parametrize(("entry", "column"), [("AGAIN", "distance"), ("LATER", "low_f")])
def test_networkx_has_to_agree(
    entry: str, column: str, install: Install, rulecheck: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a checker that accepts everything lets through, the plain solver finds."""
    install("odd", f"oddities:{entry}")
    monkeypatch.setattr(solving, "check_outcomes", lambda *_: [])
    monkeypatch.setattr(solving, "check_bounds", lambda *_: [])
    assert rulecheck("solve", "odd", "--out", str(tmp_path)).status == 0
    check = solving.require_proved

    def spoiled(graph: Any, found: Any) -> None:
        vars(found)[column][0] += 1 << 39 if column == "low_f" else 1
        check(graph, found)

    monkeypatch.setattr("rulecheck.solve.by_play.require_proved", spoiled)
    run = rulecheck("solve", "odd", "--out", str(tmp_path))
    assert (run.status, "UNKNOWN, networkx" in run.err) == (1, True)


# -- With chance -----------------------------------------------------------------------------------------------


def test_chance_in_mid_game(install: Install, rulecheck: Runner, tmp_path: Path) -> None:
    install("later", "oddities:LATER")
    solved = answer(rulecheck, "solve", "later", "--out", str(tmp_path), "--exact")
    assert (solved["value"], solved["opponent_value"], solved["best"]) == ("1/2", "1/2", ["0-1", "0-2"])
    assert solved["low"] <= 0.5 <= solved["high"]
    thrown = answer(rulecheck, "probe", "later", "B -2", "--out", str(tmp_path))
    assert [(roll["roll"], roll["weight"], roll["low"]) for roll in thrown["rolls"]] == [
        ("heads", 1, 0.0),
        ("tails", 1, 1.0),
    ]
    assert "with tails (1 of 2): 1.0000000" in rulecheck("probe", "later", "B -2", "--out", str(tmp_path)).out
    fallen = answer(rulecheck, "probe", "later", "B -2", "--roll", "tails", "--out", str(tmp_path))
    assert (fallen["position"], fallen["for"], fallen["low"]) == (thrown["rolls"][1]["result"], "A", 0.0)  # B has won
    refused = rulecheck("probe", "later", "B -2", "--roll", "edge", "--out", str(tmp_path))
    assert (refused.status, "expected one of heads, tails" in refused.err) == (2, True)
    assert answer(rulecheck, "certify", solved["table"])["result"] == "PROVED"


def test_players_may_be_swapped_where_chance_decides(install: Install, rulecheck: Runner, tmp_path: Path) -> None:
    """Pig without a graph of its own: as many positions as with one and their rolls, the same values."""
    install("pig", "oddities:PIG")
    solved = answer(rulecheck, "solve", "pig", "--out", str(tmp_path))
    assert solved["alike"]["everywhere"] is True
    expected = values(oddities.Pig(oddities.Params(), Readings({})), "B")
    for position, value in list(expected.items())[::7]:
        found = answer(rulecheck, "probe", "pig", str(position), "--for", "B", "--out", str(tmp_path))
        assert found["for"] == "B"
        assert found["low"] - 1e-9 <= value <= found["high"] + 1e-9, position
    assert set(solved["best"]) == {"2", "3"}
    assert answer(rulecheck, "certify", solved["table"])["alike"] == solved["alike"]


# -- Tables that are not true ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entry", "column", "change", "problem"),
    [
        ("AGAIN", "outcome", 1, "A 2: says LOSS in 2, its successors say WIN in 2"),
        ("AGAIN", "distance", 1, "A 2: says WIN in 4, its successors say WIN in 2"),
        ("LATER", "low_f", 1 << 19, "A 3: the lower bound of f is more than the stated choices support"),
        ("LATER", "high_g", -(1 << 19), "A 3: the upper bound of g is below what the successors allow"),
    ],
)
def test_a_false_entry_is_refuted(
    entry: str, column: str, change: int, problem: str, install: Install, rulecheck: Runner, tmp_path: Path
) -> None:
    path = Path(answer(rulecheck, "solve", installed(install, entry).slug, "--out", str(tmp_path))["table"])
    with open_table(path) as table:
        header, keys = table.header, [table.key(row) for row in range(len(table))]
        columns = {name: table.column(name) for name in table.columns}
    columns[column][keys.index(problem.partition(":")[0].encode())] += change
    write_table(path, header, columns, keys)
    assert problem in answer(rulecheck, "certify", str(path), status=1)["problems"][0]


@pytest.mark.parametrize(
    ("about", "problem"),
    [
        ({"win": 5}, "its header says win 5, it is 6"),
        ({"positions": 7}, "play reaches more than the 7 positions that it says it is about"),
        ({"positions": 9}, "its header says positions 9, it is 8"),
        ({"start": "B 6"}, "its header says start 'B 6', it is 'A 6'"),
    ],
)
def test_a_false_header_is_refuted(
    about: dict[str, Any], problem: str, install: Install, rulecheck: Runner, tmp_path: Path
) -> None:
    install("again", "oddities:AGAIN")
    path = Path(answer(rulecheck, "solve", "again", "--out", str(tmp_path))["table"])
    with open_table(path) as table:
        header, keys = table.header, [table.key(row) for row in range(len(table))]
        columns = {name: table.column(name) for name in table.columns}
    write_table(path, replace(header, about={**header.about, **about}), columns, keys)
    assert problem in answer(rulecheck, "certify", str(path), status=1)["problems"][0]


@pytest.mark.parametrize("about", [{"positions": "8"}, {"positions": 0}, {"for": 3}, {"for": "D"}])
def test_a_header_without_sense_is_bad_input(
    about: dict[str, Any], install: Install, rulecheck: Runner, tmp_path: Path
) -> None:
    install("again", "oddities:AGAIN")
    path = Path(answer(rulecheck, "solve", "again", "--out", str(tmp_path))["table"])
    with open_table(path) as table:
        header = replace(table.header, about={**table.header.about, **about})
        columns, keys = {n: table.column(n) for n in table.columns}, [table.key(r) for r in range(len(table))]
    write_table(path, header, columns, keys)
    run = rulecheck("certify", str(path))
    assert (run.status, run.out, run.err.count("\n")) == (2, "", 1)


# -- Graphs ----------------------------------------------------------------------------------------------------


def test_a_draw_is_explained_by_its_circle(install: Install, rulecheck: Runner) -> None:
    install("dance", "oddities:DANCE")
    found = answer(rulecheck, "graph", "dance")
    assert (found["value"], found["positions"], found["moves"]) == ("draw", 3, 3)
    assert found["circle"] == {"before": [], "position": "A 1", "moves": ["grow", "shrink"]}
    assert "play returns to A 1: grow, shrink" in rulecheck("graph", "dance").out


def test_graphs_are_written_for_others_to_read(install: Install, rulecheck: Runner, tmp_path: Path) -> None:
    install("later", "oddities:LATER")
    drawn = tmp_path / "later.graphml"
    assert answer(rulecheck, "graph", "later", "--out", str(drawn))["file"] == str(drawn)
    graph = networkx.read_graphml(drawn)
    assert (len(graph), graph.number_of_edges(), graph.nodes["B -2"]["who"]) == (7, 9, "chance")
    assert graph.nodes["A 3"]["low"] <= 0.5 <= graph.nodes["A 3"]["high"]
    text = tmp_path / "later.dot"
    assert rulecheck("graph", "later", "--out", str(text)).status == 0
    lines = text.read_text().splitlines()
    assert (lines[0], lines[-1], sum(" -> " in line for line in lines)) == ("digraph play {", "}", 9)
    assert '  "B -2" -> "A 0" [label="tails (1)"];' in lines


@pytest.mark.parametrize(
    ("entry", "options", "sentence"),
    [
        ("AGAIN", ("--out", "play.png"), "a graph is written as .graphml or .dot, and 'play.png' ends in neither"),
        ("AGAIN", ("--out", "/nowhere/play.dot"), "cannot write '/nowhere/play.dot'"),
        ("AGAIN", ("--limit", "5"), "play reaches more than 5 positions"),
        ("UNLIKE", (), "the game calls B 2,1 and B 1,2 alike"),
        ("THREE", (), "say for whom it is to be solved (--for)"),
    ],
)
def test_graphs_that_cannot_be_drawn_are_one_sentence(
    entry: str, options: tuple[str, ...], sentence: str, install: Install, rulecheck: Runner
) -> None:
    install("odd", f"oddities:{entry}")
    run = rulecheck("graph", "odd", *options)
    assert (run.status, run.out, run.err.count("\n")) == (2, "", 1)
    assert sentence in run.err


# -- Symmetry --------------------------------------------------------------------------------------------------


def test_a_true_symmetry_is_compared_everywhere(install: Install, rulecheck: Runner, tmp_path: Path) -> None:
    """One stone or two from one of two equal heaps: the second player does the same to the other heap, and wins."""
    install("alike", "oddities:ALIKE")
    found = answer(rulecheck, "solve", "alike", "--out", str(tmp_path))
    assert (found["value"], found["alike"]) == ("loss", {"compared": 5, "everywhere": True})
    proof = answer(rulecheck, "certify", found["table"])
    assert (proof["result"], proof["compared"], proof["alike"]) == ("PROVED", 0, found["alike"])
    assert proof["headline"] == "PROVED given the engine, which there is no spec to compare with"


def test_a_symmetry_that_was_only_sampled_is_in_the_headline(
    install: Install, rulecheck: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rulecheck.solve.certifying.COMPARED_WHOLE", 4)
    monkeypatch.setitem(symmetry.check_alike.__kwdefaults__, "whole", 4)
    install("alike", "oddities:ALIKE")
    run = rulecheck("solve", "alike", "--out", str(tmp_path))
    assert "checker, given the symmetry of the game, which holds at" in run.out.splitlines()[0]
    (table,) = tmp_path.glob("*.table")
    assert "and the symmetry of the game, which holds at" in rulecheck("certify", str(table)).out.splitlines()[0]


# -- Compared with the spec ------------------------------------------------------------------------------------


def test_an_engine_that_solved_its_own_game_is_compared_with_the_spec(
    install: Install, rulecheck: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rule that the engine has and the spec has not: nobody sets a mark on c1 once five stand."""
    from noughts import SQUARES
    from noughts.engine import Engine

    from rulecheck.model import breaks

    def forbidden(position: Any, move: Any) -> bool:
        return bool(move.square == SQUARES.index("c1") and sum(map(bool, position.stacks)) >= 5)

    monkeypatch.setattr("rulecheck.solve.certifying.CONFIRMED", 40)
    install("noughts", "noughts:GAME")
    judge, moves = Engine.judge, Engine.moves
    monkeypatch.setattr(
        Engine, "judge", lambda self, p, m: breaks("NC-03", "") if forbidden(p, m) else judge(self, p, m)
    )
    monkeypatch.setattr(
        Engine, "moves", lambda self, p: {m: r for m, r in moves(self, p).items() if not forbidden(p, m)}
    )
    table = answer(rulecheck, "solve", "noughts", "--out", str(tmp_path))["table"]
    refuted = answer(rulecheck, "certify", table, "--seed", "1", status=1)
    assert refuted["headline"] == "REFUTED"
    assert any("the spec alone allows A1@c1" in problem for problem in refuted["problems"])


# -- Several rolls in a turn -----------------------------------------------------------------------------------


State = tuple[int, int, int]  # own points, the other player's, those of the turn


def pig_values() -> dict[State, float]:
    """The chance of whoever is about to roll, by plain iteration."""
    states = [
        (a, b, turn) for a in range(oddities.GOAL) for b in range(oddities.GOAL) for turn in range(oddities.GOAL - a)
    ]
    value = dict.fromkeys(states, 0.5)
    for _ in range(400):
        value = {(a, b, turn): _rolled(value, a, b, turn) for a, b, turn in states}
    return value


def _rolled(value: dict[State, float], a: int, b: int, turn: int) -> float:
    after = [max(_held(value, a, b, turn + roll), value.get((a, b, turn + roll), 0.0)) for roll in (2, 3)]
    return (1 - value[b, a, 0] + sum(after)) / 3


def _held(value: dict[State, float], a: int, b: int, turn: int) -> float:
    return 1.0 if a + turn >= oddities.GOAL else 1 - value[b, a + turn, 0]


def test_a_turn_of_several_rolls_has_its_values_and_best_moves(
    install: Install, rulecheck: Runner, tmp_path: Path
) -> None:
    install("pig", "oddities:PIGLET")
    value, played = pig_values(), set()
    found = answer(rulecheck, "solve", "pig", "--out", str(tmp_path))
    assert found["low"] - 1e-6 <= value[0, 0, 0] <= found["high"] + 1e-6
    for a, b, turn in value:
        if 1 in (a, b, turn):  # no roll adds a single point
            continue
        probed = answer(rulecheck, "probe", "pig", f"A {a},{b},{turn}", "--out", str(tmp_path))
        assert probed["low"] - 1e-6 <= value[a, b, turn] <= probed["high"] + 1e-6
        for roll, best in probed["best"].items():
            after = turn + int(roll)
            assert best == ("hold" if _held(value, a, b, after) >= value.get((a, b, after), 0.0) else "roll")
            played.add(best)
    assert played == {"hold", "roll"}
    assert "with 2 (1 of 3): " in rulecheck("probe", "pig", "--out", str(tmp_path)).out


def test_certify_accepts_the_true_table_and_refutes_a_false_graph(
    install: Install, rulecheck: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install("pig", "oddities:PIGLET")
    table = answer(rulecheck, "solve", "pig", "--out", str(tmp_path))["table"]
    proof = answer(rulecheck, "certify", table)
    assert proof["headline"] == "PROVED given the engine, which there is no spec to compare with"
    assert proof["compared"] == proof["positions"]
    hold = oddities.Pig.moves
    monkeypatch.setattr(oddities.Pig, "moves", lambda self, p: {k: v for k, v in hold(self, p).items() if k == "hold"})
    monkeypatch.setattr(oddities.Mirrored, "chart", lambda hints, engine, report: chart)
    with monkeypatch.context() as patch:
        patch.setattr(oddities.Pig, "moves", hold)
        chart = oddities.pig_chart(oddities.Pig(oddities.Params(), {}))
    refuted = answer(rulecheck, "certify", table, status=1)
    assert "only the graph leads to same" in refuted["problems"][0]
