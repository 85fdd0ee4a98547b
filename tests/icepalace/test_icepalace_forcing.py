"""Protects: who can force a round of Ice Palace, against a plain search; and that wrong strategies are refused."""

from __future__ import annotations

import copy
import functools
import itertools
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulecheck.cli import main
from rulecheck.games.icepalace import GAME, Position, Structure
from rulecheck.games.icepalace.engine import Engine
from rulecheck.games.icepalace.research.forcing import Forcing
from rulecheck.games.icepalace.research.forcing_check import problems, read_strategy, round_of, turns
from rulecheck.games.icepalace.research.forcing_deals import deal
from rulecheck.games.icepalace.research.forcing_sample import composed, dealt, engine_of, rows, values
from rulecheck.games.icepalace.research.forcing_strategy import as_text, force
from rulecheck.model import InputError, Readings, Status
from rulecheck.pyramids import Pyramid

BOOK = GAME.rulebook
OF_ROUNDS = ("stacking", "onto_black", "match", "adjacent", "white_white", "grid", "opening", "round_end")
KINDS = [Pyramid(colour, pips) for colour in "ABCKW" for pips in (1, 2, 3)]


def engine(**readings: str) -> Engine:
    return Engine(GAME.params({}), BOOK.choose(readings))


def each_value() -> Iterator[Readings]:
    """The defaults, and each other value of a reading that touches rounds."""
    yield BOOK.defaults()
    for name in OF_ROUNDS:
        yield from (BOOK.choose({name: value}) for value in BOOK.options[name].values[1:])


def changed(readings: Readings) -> str:
    return "-".join(f"{k}={v}" for k, v in readings.items() if v != BOOK.defaults()[k]) or "default"


def every_combination() -> Iterator[Readings]:
    values = [BOOK.options[name].values for name in OF_ROUNDS]
    yield from (BOOK.choose(dict(zip(OF_ROUNDS, chosen, strict=True))) for chosen in itertools.product(*values))


def table(rules: Engine, *hands: str, mover: str = "A", worksite: str = "") -> Position:
    """A round with these hands; without a worksite the mover opens it."""
    bag = "/".join(["000"] * len(rules.params.colours))
    line = f"{mover} {worksite} hands={'/'.join(hands)} bag={bag} marker={mover}"
    return GAME.read_position(rules.params, " ".join(line.split()))


def answer(rules: Engine, start: Position, player: str = "A") -> Any:
    found = force(rules, start, player)
    assert found.result is Status.PROVED, found.why
    return found


def lots(rng: random.Random, counts: tuple[int, ...]) -> tuple[tuple[Pyramid, ...], ...]:
    return tuple(tuple(sorted(rng.choices(KINDS, k=count))) for count in counts)


def round_with(hands: tuple[tuple[Pyramid, ...], ...]) -> Position:
    return Position("A", Structure(), Structure(), hands, ((0, 0, 0),) * 5, "A")


def plain(rules: Engine, start: Position, player: str) -> bool:
    """By trying everything on the engine, passes of everybody too; only turned positions are taken for the same."""

    @functools.cache
    def wins(position: Position) -> bool:
        return (any if position.mover == player else all)(outcomes(position))

    def outcomes(position: Position) -> Iterator[bool]:
        if rules.judge_pass(position).legal:
            if position.passes + 1 >= rules.passes_to_end(bool(position.worksite)):
                yield bool(position.worksite) and rules.seat(position.mover, -1 - position.passes) == player
            else:
                yield wins(rules.pass_turn(position))
        for move in rules.worksite_moves(position):
            yield wins(rules.take_turn(position, move).turned())

    return wins(start)


def assert_same(rules: Engine, start: Position) -> None:
    for player in rules.params.letters:
        found = Forcing(rules, player).can_force(start)
        assert found is plain(rules, start, player), f"{player} in {start} under {rules.readings}"


# -- The search against plain trying ---------------------------------------------------------------------------


@pytest.mark.parametrize("readings", [*each_value()], ids=changed)
def test_search_agrees_with_trying_everything(readings: Readings) -> None:
    """Under each reading value, with hands of up to two pyramids; a forcer may pass in the plain search."""
    rng, rules = random.Random(5), Engine(GAME.params({}), readings)
    for counts in [(1, 1, 1), (2, 1, 1), (1, 2, 1), (2, 2, 1), (2, 1, 2), (1, 3, 1)] * 4:
        assert_same(rules, round_with(lots(rng, counts)))


def test_search_agrees_on_short_hands_that_pass_the_opening_on() -> None:
    """Where the opener may pass, an empty hand may have to."""
    rng, rules = random.Random(6), engine(opening="may_pass")
    for _ in range(30):
        assert_same(rules, round_with(lots(rng, (0, 2, 2))))


@pytest.mark.slow
def test_search_agrees_under_every_combination_of_readings() -> None:
    """All 768 together, several deals each, up to five pyramids and sometimes seven."""
    rng = random.Random(7)
    for readings in every_combination():
        rules = Engine(GAME.params({}), readings)
        for counts in [(1, 1, 1), (2, 1, 1), (1, 1, 2), (2, 2, 1), (3, 1, 1)] * 2:
            assert_same(rules, round_with(lots(rng, counts)))
    for _ in range(60):
        assert_same(engine(), round_with(lots(rng, (3, 2, 2))))


@pytest.mark.slow
def test_search_agrees_on_every_deal_of_one_pyramid_each() -> None:
    """All 3,375 deals, under each reading value."""
    for readings in each_value():
        rules = Engine(GAME.params({}), readings)
        for hands in itertools.product(KINDS, repeat=3):
            assert_same(rules, round_with(tuple((pyramid,) for pyramid in hands)))


def test_end_of_the_round_does_not_change_who_forces() -> None:
    """IR-08: last placers win by passing, or by not having to."""
    rng = random.Random(8)
    for _ in range(40):
        start = round_with(lots(rng, (2, 2, 2)))
        both = [Forcing(engine(round_end=value), "A").can_force(start) for value in ("all_pass", "others_pass")]
        assert both[0] is both[1]


def test_positions_inside_a_round_are_answered() -> None:
    """Who has passed since another placed last has given up; who placed last and is to move has won."""
    rules = engine()
    line = "{} w0,0:A1 hands=A1A3/B3/C3 bag=000/000/000/000/000 marker=A passes={}"
    for mover, passes in itertools.product("ABC", (1, 2)):
        start = GAME.read_position(rules.params, line.format(mover, passes))
        for player in "ABC":
            assert answer(rules, start, player).forces is plain(rules, start, player)
    won = GAME.read_position(rules.params, line.format("A", 2))
    assert "pass" in answer(rules, won).best


# -- Known rounds ------------------------------------------------------------------------------------------------


def test_a_large_black_forces_the_round() -> None:
    """Nothing goes on it and nothing beside it."""
    rules = engine()
    found = answer(rules, table(rules, "A1A2K3", "A1B2W1", "A2C3"))
    assert found.forces
    assert found.best == ["K3@w0,0"]
    assert found.within == 4


@pytest.mark.slow
def test_four_own_and_two_white_against_short_hands() -> None:
    """The set that the sheet calls perfect: enough against two pyramids each, with these openings and no others."""
    rules = engine()
    mine, white = "A1A2A3A3W1W2", "A1A3W1W2"
    found = answer(rules, table(rules, mine, "A1C3", "B1B3"))
    assert found.forces
    assert not answer(rules, table(rules, white, "A1C3", "B1B3")).forces


def test_at_most_one_player_can_force() -> None:
    rules = engine()
    for seed in range(10):
        start = deal(rules, seed, 2)
        assert sum(answer(rules, start, player).forces for player in "ABC") <= 1


def test_full_hands_are_dealt_by_lot() -> None:
    """Equal seeds give equal deals, a full hand has two of each size, and what is kept was dealt."""
    rules = engine()
    assert deal(rules, 3) == deal(rules, 3) != deal(rules, 4)
    full, kept = deal(rules, 3), deal(rules, 3, 4)
    assert all(len(hand) == 6 for hand in full.hands)
    assert all(len(hand) == 4 for hand in kept.hands)
    assert all(set(few) <= set(all_six) for few, all_six in zip(kept.hands, full.hands, strict=True))


def test_too_large_a_round_is_not_known() -> None:
    rules = engine()
    found = force(rules, deal(rules, 2), "A", most=50)
    assert (found.result, found.forces, found.document) == (Status.UNKNOWN, None, {})
    assert "50 states" in found.why


def test_more_players() -> None:
    """Four players, as the plain search has it."""
    rules = Engine(GAME.params({"players": "4"}), BOOK.defaults())
    start = table(rules, "A1W2", "A1", "B2", "C2")
    for player in "ABCD":
        assert answer(rules, start, player).forces is plain(rules, start, player)


# -- Strategies --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def written() -> dict[str, Any]:
    """A strategy in which the forcer has to answer several moves."""
    rules = engine()
    found = answer(rules, table(rules, "A1A2A3", "A1", "C2"))
    assert found.forces
    assert found.nodes > 30
    document: dict[str, Any] = found.document
    return document


def refused(document: dict[str, Any]) -> str:
    return "; ".join(problems(read_strategy(document)))


def pick(document: dict[str, Any], mover: str, moves: int, forces: bool = True) -> dict[str, Any]:
    """A node of the mover with so many moves at least, on a worksite."""
    return next(
        node
        for node in document["nodes"]
        if node["position"][0] == mover and len(node["moves"]) >= moves and node["forces"] is forces
    )


def test_a_written_strategy_is_accepted(written: dict[str, Any]) -> None:
    assert refused(json.loads(json.dumps(written))) == ""
    assert refused(json.loads(as_text(written))) == ""


def test_an_altered_reply_is_refused(written: dict[str, Any]) -> None:
    """In every node of the forcer: another legal move, a move that is not legal, no move."""
    rules = engine()
    for number, node in enumerate(written["nodes"]):
        if node["position"][0] != "A" or not node["forces"]:
            continue
        (reply,) = node["moves"]
        here = GAME.read_position(rules.params, node["position"])
        others = [str(move) for move in turns(rules, here) if str(move) != reply]
        for other in [*others[:3], "K3@w0,0"]:
            altered = copy.deepcopy(written)
            altered["nodes"][number]["moves"] = {other: node["moves"][reply]}
            same = other in others and _leads_to_the_same(rules, here, reply, other)
            assert bool(refused(altered)) is not same
        altered = copy.deepcopy(written)
        altered["nodes"][number]["moves"] = {}
        assert "there is no reply" in refused(altered)


def _leads_to_the_same(rules: Engine, here: Position, one: str, other: str) -> bool:
    """Two cells may be the same but for how the worksite is turned."""
    results = {str(move): result for move, result in turns(rules, here).items()}
    first, second = results[one], results[other]
    return first is not None and second is not None and round_of(first) == round_of(second)


def test_a_missing_answer_is_refused(written: dict[str, Any]) -> None:
    """Each move of the league in turn."""
    for number, node in enumerate(written["nodes"]):
        if node["position"][0] == "A" or not node["forces"]:
            continue
        for move in node["moves"]:
            altered = copy.deepcopy(written)
            del altered["nodes"][number]["moves"][move]
            assert f"the move {move} is missing" in refused(altered)


def test_an_altered_hand_is_refused(written: dict[str, Any]) -> None:
    """In the position itself, or in any node."""
    places = [number for number, node in enumerate(written["nodes"]) if "/A1/" in node["position"]]
    assert places
    for number in [None, *places]:
        altered = copy.deepcopy(written)
        entry = altered if number is None else altered["nodes"][number]
        entry["position"] = entry["position"].replace("/A1/", "/A1W3/")
        assert refused(altered)


def test_other_lies_are_refused(written: dict[str, Any]) -> None:
    """The claim, the player, the measure, a reading, an end that is none, a node for another."""
    for change in (
        lambda d: d.update(forces=False),
        lambda d: d.update(player="B"),
        lambda d: d["readings"].update(adjacent="every_neighbour", grid="king"),
        lambda d: d["moves"].clear(),
        lambda d: pick(d, "B", 2).update(within=1),
        lambda d: pick(d, "B", 2)["moves"].update({"pass": None}),
        lambda d: pick(d, "B", 2)["moves"].update({"pass": 0}),
        lambda d: pick(d, "B", 2).update(forces=False),
    ):
        altered = copy.deepcopy(written)
        change(altered)  # type: ignore[no-untyped-call]
        assert refused(altered)


def test_what_is_no_strategy_is_bad_input(written: dict[str, Any]) -> None:
    """One sentence each, and nothing else is raised."""
    node = {**written["nodes"][0], "moves": {"pass": 0}}
    for document in (
        None,
        [],
        {},
        {**written, "format": "another"},
        {**written, "player": "F"},
        {**written, "params": {"players": 3}},
        {**written, "readings": {}},
        {**written, "nodes": {}},
        {**written, "nodes": [1]},
        {**written, "nodes": [node]},
        {**written, "nodes": [{**node, "position": "A hands=-/-/-"}]},
        {**written, "moves": {"pass": 10**9}},
        {**written, "position": "nonsense"},
    ):
        with pytest.raises(InputError):
            read_strategy(document)


def test_those_who_stop_a_player_have_a_strategy_too() -> None:
    """A no is proved by what the others do, also against passes of the player."""
    rules = engine()
    found = answer(rules, table(rules, "A1A3", "A2W1", "B1"))
    assert not found.forces
    assert not found.best
    altered = copy.deepcopy(found.document)
    node = pick(altered, "A", 2, forces=False)
    del node["moves"]["pass"]
    assert "the move pass is missing" in refused(altered)


# -- The command -------------------------------------------------------------------------------------------------


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Any:
    """Run a command on Ice Palace: its status, and what it printed."""

    def run(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as left:
            main(list(arguments))
        said = capsys.readouterr()
        return int(str(left.value.code)), said.out, said.err

    return run


def test_command_answers_writes_and_certifies(ask: Any, tmp_path: Path) -> None:
    file = tmp_path / "round.json"
    status, out, _ = ask("force", "icepalace", "--hands", "K3A1/B1B2/C1", "--tree", str(file), "--json")
    found = json.loads(out)
    assert (status, found["result"], found["forces"]) == (0, "PROVED", True)
    assert "K3@w0,0" in found["best"]
    assert found["nodes"] == len(json.loads(file.read_text())["nodes"])
    assert ask("certify", str(file))[0] == 0
    file.write_text(file.read_text().replace('"within": 3', '"within": 1'))
    status, out, _ = ask("certify", str(file))
    assert status == 1
    assert "REFUTED" in out
    assert "longer than claimed" in out


def test_command_takes_seeds_positions_and_players(ask: Any) -> None:
    status, out, _ = ask("force", "icepalace", "--seed", "14", "--keep", "4")
    assert status == 0
    assert "A can force the round" in out
    assert "K3@w0,0   forces it" in out
    position = out.splitlines()[0]
    status, out, _ = ask("force", "icepalace", position, "--player", "B")
    assert status == 0
    assert "B cannot force the round" in out
    status, out, _ = ask("force", "icepalace", "--seed", "2", "--most", "20")
    assert status == 1
    assert "UNKNOWN" in out
    assert "20 states" in out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "wants one of these"),
        (["--seed", "1", "--hands", "A1/B1/C1"], "wants one of these"),
        (["--hands", "A1/B1/C1", "--keep", "1"], "--keep"),
        (["--hands", "A1/B1"], "expected 3 hands"),
        (["--hands", "A1/B1/Z1"], "Z"),
        (["--hands", "A1A1A1/B1/C1"], "3 small pyramids"),
        (["--hands", "-/B1/C1"], "holds no pyramid"),
        (["--hands", "A1/B1/C1", "--opener", "D"], "D"),
        (["--hands", "A1/B1/C1", "--player", "Z"], "--player wants"),
        (["A hands=-/-/- bag=000/000/000/000/000 marker=A left=A1"], "no round is played"),
    ],
)
def test_bad_input_is_one_sentence(ask: Any, arguments: list[str], sentence: str) -> None:
    status, out, err = ask("force", "icepalace", *arguments)
    assert (status, out) == (2, "")
    assert sentence in err
    assert err.count("\n") == 1


# -- Readings over random deals ----------------------------------------------------------------------------------


def test_sample_tells_which_readings_change_who_forces() -> None:
    """Answers are those of the plain search, differences come with accepted strategies, and round_end makes none."""
    found = [dealt((2, seed)) for seed in (4, 5, 9)]
    for one, seed in zip(found, (4, 5, 9), strict=True):
        start = deal(engine(), seed, 2)
        for value, player in one.forced.items():
            assert [p for p in "ABC" if plain(engine_of(value), start, p)] == ([] if player == "nobody" else [player])
        assert one.checked == {value for value in values() if one.differs(value)}
    table_of = {row.value: row for row in rows(found, [composed("W1/W1/W1")])}
    assert table_of["match=all"].changed[2] == 1
    assert table_of["match=base"].changed[2] == 2
    assert table_of["round_end=others_pass"].example is None
    assert table_of["white_white=no"].sentence().endswith("W1/W1/W1, opened by A: A instead of nobody")
