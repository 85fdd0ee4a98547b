"""Nest race: what the analyses ask of the hexagon: its readings, its clauses, and blockades in a circle."""

from __future__ import annotations

from rulecheck.analyses.ambiguities import Difference, Search, find_difference
from rulecheck.analyses.clauses import Coverage
from rulecheck.analyses.stalemates import Stalemate
from rulecheck.games.nestrace import GAME, PASS, SIZES, Params, Position, read_move, read_params, read_position
from rulecheck.games.nestrace.engine import Engine
from rulecheck.games.nestrace.research.proofgames import replay
from rulecheck.model import Clause, InputError, Readings, Result, Status, Witness
from solvers.smt import Answer, Bool, every, no, some
from specs.nestrace.spec import Spec
from specs.nestrace.spec_plan import plan_of
from specs.nestrace.spec_scene import View

SMALLEST = read_params({"board": "hexagon", "core": "2", "width": "2", "nests": "1"})
LARGER = read_params({"board": "hexagon", "core": "4", "width": "2", "nests": "1"})
LIMIT = 20_000  # positions that are compared
CONJECTURE = "the board is a conjecture, for its figure is lost"
SIDE = "north"  # the board looks alike from every side

# -- Readings --------------------------------------------------------------------------------------------------------


def search() -> Search:
    """The nearest difference in a game for three, on the smallest hexagon where the readings say anything different."""
    return Search(
        shapes=lambda: [SMALLEST, LARGER],
        below=lambda shape: "games for three on smaller hexagons",
        bound=lambda: "the two smallest games for three",
        prove=never_separated,
        find=_find,
        scope=lambda first, second, position: (
            f"smallest: no smaller game for three has such a position, and none is nearer to the start; {CONJECTURE}"
        ),
    )


def _find(first: Engine, second: Engine) -> Difference | None:
    if _are_alike(first.params, first.readings, second.readings):
        return None
    return find_difference(first, second, LIMIT)


def _are_alike(params: Params, first: Readings, second: Readings) -> bool:
    """The same squares are neighbours, lie behind each other and lie ahead, so all play is the same."""
    ours, theirs = (plan_of(params, readings) for readings in (first, second))
    return (ours.meets, ours.jumps, ours.heights(SIDE)) == (theirs.meets, theirs.jumps, theirs.heights(SIDE))


def never_separated(first: Readings, second: Readings) -> Result | None:
    sizes = [(core, width) for core in (2, 4, 6) for width in range(2, core + 1, 2)]
    boards = [read_params({"board": "hexagon", "core": str(core), "width": str(width)}) for core, width in sizes]
    if not all(_are_alike(params, first, second) for params in boards):
        return None
    scope = f"on all {len(sizes)} hexagons the same squares are neighbours, lie behind each other and lie ahead"
    return Result(Status.PROVED, f"while centre={first['centre']}: {scope}", cases=len(sizes))


# -- Clauses ---------------------------------------------------------------------------------------------------------

THROUGH = "A a13:C1C2C3 c13:A1A2 d11:B3 d22:A3 e13:B1B2", "d22-a11"  # over the square before the centre


def cover(clause: Clause, readings: Readings) -> Coverage:
    """NR-45 to NR-52."""
    if clause.id != "NR-47":
        return Coverage(clause, None, f"about the board for three and six; the proofs on it compare it ({CONJECTURE})")
    text, move = THROUGH
    position = read_position(LARGER, text)
    said = [make(LARGER, readings).judge(position, read_move(LARGER, move)) for make in (Engine, Spec)]
    if not all(verdict.legal for verdict in said):
        return Coverage(clause, Result(Status.UNKNOWN, f"the jump made by hand is {said[0]}"), clause.kind)
    witness = Witness(text, move, "legal, by this clause", LARGER.as_dict(), dict(readings))
    return Coverage(clause, Result(Status.REFUTED, f"made by hand; {CONJECTURE}", witness), clause.kind)


# -- Blockades in a circle -------------------------------------------------------------------------------------------


class Circle:
    """Each of three players is in pat through the next one alone, and nobody has a move that frees."""

    def __init__(self, params: Params, readings: Readings) -> None:
        self.spec = Spec(params, readings, search=True)
        first, *rest = params.letters
        self.blockers = dict(zip(params.letters, [*rest, first], strict=True))

    def facts(self) -> list[Bool]:
        facts = []
        for v, b in self.blockers.items():
            others = [c for c in self.spec.others(v) if c != b]
            facts += [*self.spec.pat_facts(v), self.spec.blocks(b, v), *(no(self.spec.blocks(c, v)) for c in others)]
            facts += self._held(b, v)
        return facts

    def _held(self, b: str, v: str) -> list[Bool]:
        """No base move of b's takes a top off an unfinished pyramid of v's."""
        spec, held = self.spec, []
        for o in spec.squares:
            tops = [(z, View(spec.scene).top(o, z, [b])) for z in SIZES]
            covers = some(every([top, spec.freed((o, z, -1), v, "uncover")]) for z, top in tops)
            held += [some([no(covers), spec.closed_sets(b, o)(t)]) for t in spec.squares if t != o]
        return held

    def find(self) -> Position | Answer:
        """The first such arrangement in the order of the slots, if there is one."""
        facts = self.facts()
        answer = self.spec.asker.least((), self.spec.scene.slots, *facts)
        if answer is not Answer.YES:
            return answer
        return Position(self.spec.params.letters[0], self.spec.read_stacks(), self.spec.params.squares)


# A line of play to a circle in the smallest game.
IN_PLAY = (
    "c12-c11 e12-e11 a12-b11 c12-d11 e11-d11 b11-a11 c12-b11 e12-f11 a11-b11 c11-f11 d11-e11 a12-a11 f11-a11 e11-f11 "
    "a12-b21 d11-c11 e12-e11 b21-a12 c11-d11 f11-e11 a12-b21 d11-c11 e11-d11 b11-e11 a11-f11 d11-a11 b21-a12 c11-d11 "
    "a11-d11 a12-b21 b11-c11 d11-a11 e11-d11 c11-b11 pass d11-e11 b11-c11 a11-d11 a11-b11 f11-a11 d11-c11 b21-a12 "
    "pass c11-b11 a12-b21 d11-c11 pass b21-a12 c11-d11 f11-c11 a12-b21 a11-f11 b11-c11 b21-a11 d11-a11 pass e11-d11 "
    "f11-a11 e11-f11 d11-e11 a11-f11 pass e11-d11 f11-a11 f11-e11 b11-e11 a11-f11 c11-b11 "
)


def circle(params: Params, readings: Readings) -> Stalemate:
    """One in play, if the kept line leads to one under these readings; or else the first arrangement that z3 finds."""
    engine, line = Engine(params, readings), tuple(IN_PLAY.split())
    if params == SMALLEST and (end := _end(engine, line)) and (note := _turning(engine, end)):
        witness = Witness(str(end), None, note, params.as_dict(), dict(readings), line)
        scope = f"in play of the smallest game for three; {CONJECTURE}"
        return _row(Result(Status.REFUTED, scope, witness, cases=len(line)))
    scope = f"every arrangement of {len(params.squares)} squares for three, in play or not; {CONJECTURE}"
    found = Circle(params, readings).find()
    if found is Answer.NO:
        return _row(Result(Status.PROVED, scope, cases=1))
    if isinstance(found, Answer) or not (note := _turning(engine, found)):
        return _row(Result(Status.UNKNOWN, scope))
    return _row(
        Result(Status.REFUTED, scope, Witness(str(found), None, note, params.as_dict(), dict(readings)), cases=1)
    )


def _row(result: Result) -> Stalemate:
    statement = "of three who immobilise each other in a circle somebody can free somebody"
    return Stalemate("circle", statement, ("NR-29", "NR-38", "NR-50"), result)


def _end(engine: Engine, line: tuple[str, ...]) -> Position | None:
    try:
        return replay(engine, line)[-1]
    except InputError:
        return None


def _turning(engine: Engine, end: Position) -> str:
    """What there is to say if each is in pat through another one, and nobody frees; else nothing."""
    turns = [Position(c, end.stacks, end.squares) for c in engine.players]
    victims = [engine.victims(position) for position in turns]
    freed = [engine.freeing(position, v) for position, owed in zip(turns, victims, strict=True) for v in owed]
    if any(freed) or len(set().union(*victims)) < len(turns) or not all(map(len, victims)):
        return ""
    left = "nobody can do anything but pass, so it lasts for ever"
    if any(move != PASS for position in turns for move in engine.moves(position)):
        left = "not everybody has to pass"
    whose = ", ".join(f"{b} blocks {''.join(sorted(owed))}" for b, owed in zip(engine.players, victims, strict=True))
    return f"each is in pat ({whose}), and nobody has a move that frees; {left}"


def stalemates(params: Params, readings: Readings) -> list[Stalemate]:
    """Of three players; the larger boards are too large for the question."""
    small = params.players == 3 and len(params.squares) <= 36
    return [circle(params if small else SMALLEST, readings)]


def is_about_hexagons(reading: str) -> bool:
    return GAME.rulebook.options[reading].where.get("board") == SMALLEST.board
