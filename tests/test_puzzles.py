"""Puzzles: what is made is sound, what is edited is refused, and equal seeds make equal collections."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
import z3
from typer.testing import CliRunner

from rulecheck import registry
from rulecheck.analyses.clauses import Coverage
from rulecheck.cli import app
from rulecheck.games.crosswalk.puzzles.kinds import fewer
from rulecheck.games.icehouse.sampling import proposals
from rulecheck.model import InputError, Result, Status, Witness
from rulecheck.puzzles import mining, verdicts
from rulecheck.puzzles.battle import Battle
from rulecheck.puzzles.book import chapters, html, pdf
from rulecheck.puzzles.kinds import kind_of, kind_within, kinds_of
from rulecheck.puzzles.mining import collect, described_by, draft_of, puzzle_of, settings_of
from rulecheck.puzzles.model import Puzzle, read_id, read_line
from rulecheck.puzzles.rules import ByConstraints, ByEngine, DisagreementError, Rules, rules_of
from rulecheck.puzzles.verdicts import verdict_methods
from rulecheck.puzzles.verify import check, read_collection, untrue, verify
from rulecheck.puzzles.whole import solved
from rulecheck.puzzles.words import solution_lines
from rulecheck.solve.play_tables import explored_graph
from solvers.bulk import Bulk
from solvers.graph import Outcome
from solvers.retrograde import solve_outcomes
from solvers.smt import Answer, Asker

SMALL = {"radius": "1", "group": "3", "groups": "1", "pieces": "1,2,0"}


def rules(how: Any, params: dict[str, str] | None = None) -> Rules:
    game = registry.find("hextris")
    return rules_of(how, "hextris", game.params(params or {}).as_dict(), game.rulebook.defaults())


@pytest.fixture(scope="module")
def found() -> Puzzle:
    """A win in one of the printed game, the first of seed 1."""
    puzzle = puzzle_of(("hextris", "win-in-1", 1, 0))
    assert puzzle is not None
    return puzzle


def test_a_win_in_so_many_is_what_the_solved_game_says() -> None:
    """The search for wins agrees with the retrograde solver on every position of a small game, by either encoding."""
    by_engine, by_constraints = Battle(rules(ByEngine, SMALL)), Battle(rules(ByConstraints, SMALL))
    choice = by_engine.rules.choice
    graph = explored_graph(choice)
    solved = solve_outcomes(graph.arena)
    for position, number in zip(graph.play, graph.node, strict=True):
        if by_engine.rules.winner(position) is not None:
            continue
        won, distance = solved.outcome[number] == Outcome.WIN, int(solved.distance[number])
        for count in (1, 2):
            wanted = won and distance <= 2 * count - 1
            assert by_engine.wins(position, count) == wanted, position
            assert by_constraints.wins(position, count) == wanted, position


@pytest.mark.slow
def test_a_win_in_three_is_what_the_solved_race_says() -> None:
    """The same for Nest race, three moves deep, on all positions of the smallest board."""
    game = registry.find("nestrace")
    params = game.params({"core": "2", "nests": "1"}).as_dict()
    fight = Battle(rules_of(ByEngine, "nestrace", params, game.rulebook.defaults()))
    graph = explored_graph(fight.rules.choice)
    solved = solve_outcomes(graph.arena)
    for position, number in zip(graph.play, graph.node, strict=True):
        if fight.rules.winner(position) is None:
            won, distance = solved.outcome[number] == Outcome.WIN, int(solved.distance[number])
            for count in (1, 2, 3):
                assert fight.wins(position, count) == (won and distance <= 2 * count - 1), position


def test_constraints_list_the_moves_of_the_engine_on_random_positions() -> None:
    """Computed in bulk, the constraints give exactly the turns, results and winners that z3 gives one by one."""
    stated: Any = rules(ByConstraints, SMALL)
    game = registry.find("hextris")
    engine, rng = stated.choice.engine(), random.Random(3)
    position = engine.start()
    for _ in range(12):
        for move, result in stated.moves(position).items():
            asked = game.read_move(stated.choice.params, move)
            assert stated.judge(position, asked).legal
            assert stated.spec.result(position, asked) == (result, stated.winner(result))
        following = [r for r in stated.moves(position).values() if engine.winner(r) is None]
        position = rng.choice(following) if following else engine.start()


def edited(puzzle: Puzzle, **changes: Any) -> str:
    """What is said against the puzzle with these things changed by hand."""
    return check({**puzzle.as_json(), **changes}).problem


def test_a_line_says_everything_and_reads_back(found: Puzzle) -> None:
    """One line of JSON holds a puzzle; its id makes it again."""
    assert read_line(found.line(), "here") == found.as_json()
    assert puzzle_of(read_id(found.id)) == found


PLACES = registry.find("hextris").params({}).names


def _with(position: str, token: str, point: str) -> str:
    """The position with the piece of this token on another point, in board order."""
    mover, *rest = position.split()
    stacks = [t for t in rest if ":" in t and t != token] + [f"{point}:{token.partition(':')[2]}"]
    return " ".join([mover, *sorted(stacks), *(t for t in rest if "=" in t)])


def test_an_edited_puzzle_is_refused_with_the_reason(found: Puzzle) -> None:
    """A moved piece, another solution, a changed level, a wrong warning: each is found out from the text alone."""
    said = found.as_json()
    assert edited(found) == ""
    moved = [p for p in PLACES if f" {p}:" not in said["position"]]
    first = said["position"].split()[1]
    assert all(untrue({**said, "position": _with(said["position"], first, point)}) for point in moved)
    other = next(m for m in rules(ByEngine).moves(rules(ByEngine).read(said["position"])) if m != said["answer"][0])
    assert edited(found, answer=[other]).startswith("answer says")
    assert edited(found, solution={"play": [other]}).startswith("solution says")
    assert edited(found, difficulty={**said["difficulty"], "level": 2}).startswith("difficulty says")
    assert edited(found, other_readings={"swap=symmetric": "pass"}).startswith("other_readings says")
    assert edited(found, idle=["A1 on a1"]).startswith("idle says")


def test_the_same_puzzle_twice_is_refused(found: Puzzle) -> None:
    """No two puzzles of a collection are the same, turned or not."""
    assert [bool(checked.problem) for checked in verify([found.as_json(), found.as_json()])] == [False, True]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "no JSON"),
        ("[]", "a table of JSON"),
        ('{"id": 1, "id": 2}', "stands twice"),
        ('{"id": "hextris:win-in-1#1.0"}', "'game' is missing"),
    ],
)
def test_what_is_no_puzzle_is_bad_input(text: str, reason: str) -> None:
    """A damaged line is distinguished from a wrong puzzle."""
    with pytest.raises(InputError, match=reason):
        read_line(text, "x.jsonl, line 1")


def test_jobs_change_nothing() -> None:
    """Two jobs make the collection that one makes."""
    game = registry.find("hextris")
    one, two = (collect(game, ["win-in-1"], 3, 5, None, jobs) for jobs in (1, 2))
    assert one.puzzles == two.puzzles
    assert len(one.puzzles) == 3


def test_a_disagreement_is_not_swept_under_the_carpet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Constraints that list another turn stop everything."""
    stated: Any = rules(ByConstraints, SMALL)
    position = stated.choice.engine().start()
    monkeypatch.setattr(stated, "listing", lambda positions: [{} for _ in positions])
    monkeypatch.setattr(stated, "_known", {})
    with pytest.raises(DisagreementError):
        stated.moves(position)


def run(*arguments: str) -> Any:
    return CliRunner().invoke(app, ["puzzles", *arguments])


def test_unknown_kinds_list_the_known_ones(tmp_path: Path) -> None:
    """Bad input is one sentence."""
    result = run("hextris", "--kind", "win-in-9", "--out", str(tmp_path))
    assert isinstance(result.exception, InputError)
    assert all(name in str(result.exception) for name in kinds_of(registry.find("hextris")))


def test_too_many_puzzles_leave_what_was_found(tmp_path: Path) -> None:
    """A budget that is too small: the file is written, the status is 1, a sentence says what is missing."""
    result = run("hextris", "--kind", "win-in-1", "--count", "3", "--budget", "1", "--out", str(tmp_path), "--json")
    assert result.exit_code == 1
    lines = (tmp_path / "hextris.jsonl").read_text().splitlines()
    assert len(lines) == 1
    assert json.loads(lines[0])["id"] == "hextris:win-in-1#1.0"


# -- Other kinds, other games ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def blockade() -> Puzzle:
    puzzle = puzzle_of(("nestrace", "free-the-blockade", 1, 0))
    assert puzzle is not None
    return puzzle


def test_a_line_of_another_game_is_refused_when_edited(blockade: Puzzle) -> None:
    """The same for Nest race: what is legal there, and what the pat rule forbids, comes from the constraints."""
    said = blockade.as_json()
    assert edited(blockade) == ""
    assert edited(blockade, answer=["c4-c5"]).startswith("answer says")
    assert edited(blockade, params={"core": "4"}).startswith("params says")
    assert edited(blockade, readings={**said["readings"], "pat": "off"}).startswith("readings says")
    assert edited(blockade, id="nestrace:free-the-blockade#1.1").startswith("position says")
    assert untrue({**said, "position": said["position"].replace("c4:B3", "c4:B2").replace("e2:A1B2", "e2:A1B3")})


def test_a_kind_says_the_same_of_a_version_whether_it_was_made_for_it_or_not() -> None:
    """What is verified is described by the kind as declared: it asks the rules given for the board, not itself."""
    game = registry.find("nestrace")
    draft = draft_of(("nestrace[core=5]", "finish-in-n", 1, 0))
    assert draft is not None
    params, readings = settings_of(game, draft)
    declared, made = kind_of(game, "finish-in-n"), kind_within(game, "finish-in-n", {"core": "5"})
    found = [described_by(ByEngine, kind, game.slug, params, readings, draft.position, "") for kind in (declared, made)]
    assert found[0] == found[1]
    assert found[0] is not None
    assert set(found[0].other_readings) == {"back_jump=net_forward"}


def test_give_nothing_away_is_the_only_safe_move_of_the_solved_game() -> None:
    """Solved whole by the rules given, a small game has the outcomes that the retrograde solver finds."""
    stated = rules(ByEngine, SMALL)
    whole, graph = solved(stated), explored_graph(stated.choice)
    found = solve_outcomes(graph.arena)
    for position, number in zip(graph.play, graph.node, strict=True):
        outcome = Outcome(found.outcome[number])
        if stated.winner(position) is None:
            assert (whole.wins(position) is not None) == (outcome == Outcome.WIN), position
            assert (whole.loses(position) is not None) == (outcome == Outcome.LOSS), position
            if outcome in (Outcome.WIN, Outcome.LOSS):
                assert whole.distance[position] == found.distance[number], position


def test_every_kind_has_a_name_a_budget_and_one_home() -> None:
    """Names are unique within a game and fit into an id."""
    for slug in registry.names():
        kinds = registry.find(slug).hints.puzzles()
        assert len({kind.name for kind in kinds}) == len(kinds)
        for kind in kinds:
            assert read_id(f"{slug}:{kind.name}#1.2") == (slug, kind.name, 1, 2)
            assert kind.units > 0


def test_replies_that_are_met_alike_stand_together_in_words() -> None:
    """A tree may name a reply for each row; people want one row for each answer."""
    last = {"play": ["x", "w"], "after": [{"if": ["p", "q"], "play": ["z"]}]}
    tree = {"play": ["k"], "after": [{"if": ["a"], **last}, {"if": ["b"], **last}, {"if": ["c"], "play": ["y"]}]}
    said = {"solution": tree, "tries": [], "set_play": [], "short": [], "minimal": "", "other_readings": {}}
    said |= {"duals": [{"after": ["k", r], "play": ["x", "w"]} for r in "ab"]}
    said |= {"difficulty": {"level": 1, "method": "m", "vector": {}}}
    assert list(solution_lines(said))[:4] == ["k!", "  a, b: x (or w), then always z", "  c: y", "Dual after a; b."]


def test_the_book_has_every_puzzle_in_front_and_at_the_back(found: Puzzle, blockade: Puzzle, tmp_path: Path) -> None:
    """Both forms hold all puzzles; the same collections make the same bytes."""
    for puzzle in (found, blockade):
        (tmp_path / f"{puzzle.game}.jsonl").write_text(puzzle.line() + "\n", encoding="utf-8")
    first, second = chapters([tmp_path]), chapters([tmp_path])
    page = html(first)
    assert page == html(second)
    assert pdf(first, 4) == pdf(second, 4)
    assert pdf(first, 4).startswith(b"%PDF")
    for number, puzzle in enumerate((found, blockade), start=1):
        assert f'id="p{number}"' in page
        assert f'id="s{number}"' in page
        assert puzzle.id in page
        assert puzzle.description.answer[0] in page.partition('id="solutions"')[2]


def test_a_book_of_nothing_is_bad_input(tmp_path: Path) -> None:
    """A folder without collections, and a form that is not there."""
    for arguments in (["--book", str(tmp_path)], ["--book", str(tmp_path), "--a-page", "5"]):
        assert isinstance(run(*arguments, "--out", str(tmp_path)).exception, InputError)


def test_bulk_evaluation_is_what_z3_says() -> None:
    """Every kind of operation, computed for all cases at once, against z3 case by case."""
    asker = Asker()
    p, q, r = z3.Bools("p q r")
    inner = asker.name(z3.And(p, z3.Not(q)))
    terms = [
        asker.name(z3.Or(inner, r)), asker.name(inner == r), asker.name(z3.If(p, inner, r)),
        asker.name(z3.Implies(q, r)), asker.name(z3.BoolVal(True)), asker.name(z3.And(p, q, r)),
    ]  # fmt: skip
    given = {id(term): sum(1 << case for case in range(8) if case >> at & 1) for at, term in enumerate((p, q, r))}
    value = Bulk(asker, (p, q, r), terms).run(given, 8)
    for case in range(8):
        facts = [term if case >> at & 1 else z3.Not(term) for at, term in enumerate((p, q, r))]
        assert asker.ask(*facts) is Answer.YES
        assert [value[id(term)] >> case & 1 == asker.holds(term) for term in terms] == [True] * len(terms)


@pytest.mark.parametrize("slug", ["icehouse", "icepalace"])
def test_a_verdict_is_told_by_both_and_refused_when_edited(slug: str) -> None:
    """A case of a clause makes a puzzle; the other verdict is found out."""
    puzzle = next(p for unit in range(20) if (p := puzzle_of((slug, "legal-or-not", 2, unit))))
    assert edited(puzzle) == ""
    other = "legal" if puzzle.description.answer[0] != "legal" else "illegal by XX-1"
    assert edited(puzzle, answer=[other]).startswith("answer says")


def test_a_verdict_is_asked_of_the_version_only(
    rulecheck: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A case of the square board is no puzzle of the hexagon, and without any case a sentence says so."""
    clause = registry.find("nestrace").rulebook.clauses["NR-10"]
    square = {"core": "2", "nests": "1"}
    hexagon = {**square, "board": "hexagon"}
    rows = [
        Coverage(clause, Result(Status.REFUTED, "", Witness(str(start(given)), "pass", params=given)), "forbids")
        for given in (square, hexagon)
    ]
    monkeypatch.setattr("rulecheck.games.nestrace.coverage.coverage", lambda params, readings: rows)
    assert [draft.params for draft in verdicts._cases("nestrace", tuple(hexagon.items()))] == [hexagon]
    monkeypatch.setattr(verdicts, "cases", lambda game, given: [])
    asked = ("puzzles", "nestrace", "-p", "core=2", "-p", "nests=1", "--out", str(tmp_path))
    refused = rulecheck(*asked, "--kind", "legal-or-not")
    assert refused.status == 2
    assert refused.err.endswith("all cases that `rulecheck clauses` finds are of other versions\n")
    monkeypatch.setattr(mining, "kinds_within", lambda game, given: ({"legal-or-not": None}, {}))
    made = collect(registry.find("nestrace"), [], 1, 1, None, 1, given=square)
    assert (set(made.lacking), made.missing, made.puzzles) == ({"legal-or-not"}, {}, ())


def start(given: dict[str, str]) -> Any:
    game = registry.find("nestrace")
    return game.engine(game.params(given), game.rulebook.defaults()).start()


def test_a_final_score_is_refused_when_a_piece_is_moved() -> None:
    """Icehouse: an attacker turned away changes the count, and that shows."""
    puzzle = next(p for unit in range(20) if (p := puzzle_of(("icehouse", "final-score", 8, unit))))
    assert edited(puzzle) == ""
    last = puzzle.position.split()[-1]
    assert untrue({**puzzle.as_json(), "position": puzzle.position.removesuffix(f" {last}")})


# -- Proof games ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["hextris:3", "crosswalk:3", "icepalace:6", "nestrace:4"])
def test_hope_rules_out_no_game_that_was_played(name: str) -> None:
    """Along games played by chance the end can be hoped for at every move, and the game is found from its start."""
    slug, length = name.split(":")
    game, rng = registry.find(slug), random.Random(5)
    kind: Any = kinds_of(game)[f"proof-game-{length}"]
    by_engine = rules_of(ByEngine, slug, game.params(kind.params).as_dict(), game.rulebook.defaults())
    for _ in range(10):
        position, asked = kind.begin(by_engine, rng)
        line = [position]
        for left in range(kind.length, 0, -1):
            options = kind.step(by_engine, line[-1], left, asked)
            line.append(rng.choice(list(options.values())) if options else line[-1])
        if len({str(at) for at in line}) == len(line) and not getattr(line[-1], "left", ()):
            hope = kind.hope(line[-1], asked)
            assert all(hope(at, kind.length - n) for n, at in enumerate(line)), line
            assert line[0] in list(kind.starts(by_engine, line[-1], asked))
            assert kind.games(by_engine, line[-1], asked)


def test_the_deals_of_a_round_are_those_that_draw_full_hands() -> None:
    """Ice Palace: what is given back to a hand makes it full, and leaves every player the own pyramids."""
    game = registry.find("icepalace")
    kind: Any = kinds_of(game)["proof-game-6"]
    by_engine = rules_of(ByEngine, "icepalace", game.params({}).as_dict(), game.rulebook.defaults())
    text = "B w0,0:A1 w1,0:A1 hands=A2A2A3A3B1/B1B1B2B2B3B3/C1C2C2C3C3 bag=333/233/433/555/555 marker=A"
    assert [str(start).split()[1] for start in kind.starts(by_engine, by_engine.read(text), "")] == [
        "hands=A1A2A2A3A3B1/B1B1B2B2B3B3/A1C1C2C2C3C3"
    ]


def test_two_pieces_of_icehouse_have_two_games() -> None:
    """Why that game has no proof games: the first two pieces stand, and may be put down in either order."""
    game, rng = registry.find("icehouse"), random.Random(2)
    engine = game.engine(game.params({"players": "2", "pieces": "2,2,2"}), game.rulebook.defaults())
    for _ in range(20):
        position, events = engine.start(), []
        while len(position.pieces) < 2:
            event = next(proposals(rng, position))
            if engine.judge(position, event).legal:
                position, events = engine.play(position, event), [*events, event]
        first, second = (event for event in events if event.piece in position.pieces)  # an early attacker goes back
        assert not first.piece.lying
        assert not second.piece.lying
        other = engine.play(engine.play(engine.start(), second), first)
        assert set(map(str, other.pieces)) == set(map(str, position.pieces))


# -- Levels, and what could be removed ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "others", "level"),
    [
        ("legal", {}, 1),
        ("legal", {"swap=mutual": "illegal"}, 2),
        ("illegal by HX-09", {}, 2),
        ("illegal by HX-18", {}, 3),
        ("illegal by HX-31", {"win_overflow=allowed": "legal"}, 4),
    ],
)
def test_a_verdict_needs_as_much_of_the_rulebook_as_its_level_says(
    answer: str, others: dict[str, str], level: int
) -> None:
    """The method of a level finds the verdict, and no method below it does."""
    methods = list(verdict_methods(rules(ByEngine), answer, others).values())
    assert [method() == [answer] for method in methods[:level]] == [False] * (level - 1) + [True]


def test_a_pedestrian_is_removed_from_the_game_as_well() -> None:
    """Crosswalk: what could be removed is tried in the game with one pedestrian less."""
    game = registry.find("crosswalk")
    params = game.params({"squares": "3", "sizes": "12", "pedestrians": "1"}).as_dict()
    crossing = rules_of(ByEngine, "crosswalk", params, game.rulebook.defaults())
    ((name, other, rest),) = fewer(crossing, crossing.read("A 1:B2B1 2:P1 3:A2A1 roll=2"))
    assert (name, str(rest)) == ("P1 on 2", "A 1:B2B1 3:A2A1 roll=2")
    assert other.choice.params.as_dict()["pedestrians"] == "-"
    assert other.read(str(rest)) == rest


@pytest.mark.slow
def test_the_sample_book_is_proved_again() -> None:
    """Every line of the collections that are kept with the reports is what the constraints say."""
    for file in sorted((Path(__file__).parents[1] / "reports" / "puzzles").glob("*.jsonl")):
        assert [checked.problem for checked in verify(read_collection(file))] == [""] * len(read_collection(file))
