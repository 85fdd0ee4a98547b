"""Nest race: the pat rule tested to destruction. What one would take for granted about it, and where that fails.

The positions are of the full board and in `witnesses`, each with a line of play to it. Their size is the number of
pyramids that are not on their finish line; that there is none of a smaller size is asked of z3 where two players and
the default readings are concerned; otherwise there is an argument, and the answer says so.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from rulecheck.analyses.stalemates import Proposal, Stalemate
from rulecheck.games.nestrace import GAME, Params, Position, hexagons
from rulecheck.games.nestrace.engine import Engine
from rulecheck.games.nestrace.hints import PAT
from rulecheck.games.nestrace.research import facts
from rulecheck.games.nestrace.research.blockades import Blockades, blockades
from rulecheck.games.nestrace.research.proofgames import replay
from rulecheck.games.nestrace.research.proposal import proposal
from rulecheck.games.nestrace.research.small import small_games
from rulecheck.games.nestrace.research.statements import statements
from rulecheck.games.nestrace.research.witnesses import KEPT, kept
from rulecheck.model import InputError, Readings, Result, Status, Witness
from solvers.smt import Answer, Bool

READ = (*PAT, "passing")


class Case(NamedTuple):
    """`smaller` is the question to z3; `why` is an argument if there is none, and `least` what it comes to if that
    is less than was found."""

    name: str
    statement: str
    clauses: tuple[str, ...]
    shows: facts.Shows
    smaller: Callable[[Blockades], list[Bool]] | None = None
    why: str = ""
    least: int = 0
    tells: Callable[[Engine, Position, facts.Moves], str] = facts.described


CASES = (
    Case(
        "pat-with-moves",
        "a player in pat has no move, as the bracket in the rule says",
        ("NR-29", "NR-55"),
        facts.pat_with_moves,
        Blockades.in_pat,
    ),
    Case(
        "pat-without-moves",
        "a player in pat can still move sideways, as the note says",
        ("NR-29", "NR-55"),
        facts.pat_without_moves,
        Blockades.stuck_in_pat,
    ),
    Case(
        "stuck-early",
        "who is blocked and has no move at all has all free pyramids on row 7, as the note takes for granted",
        ("NR-29", "NR-55", "NR-56"),
        facts.stuck_early,
        Blockades.stuck_elsewhere,
    ),
    Case(
        "freed-again",
        "a duty to free that is met is done with",
        ("NR-29", "NR-30"),
        facts.freed_again,
        why="""to be covered again without pat the victim needs a pyramid on row 7 that can enter from one square of \
it and not from another, besides the covered one; with fewer than three unfinished there is none""",
        tells=facts.told,
    ),
    Case(
        "cover-doubled",
        "a blocker has a move that frees, if the cover can move",
        ("NR-21", "NR-29"),
        facts.cover_doubled,
        Blockades.cover_doubled,
    ),
    Case(
        "never-freed",
        "a player in pat is freed sooner or later",
        ("NR-29",),
        facts.never_freed,
        least=5,
        why="nobody can free in it, which takes five (see the covers and the collision)",
        tells=facts.told,
    ),
    Case(
        "first-blocker-stuck",
        "of several blockers the one whose turn comes first can free",
        ("NR-29", "NR-38"),
        facts.first_blocker_stuck,
        why="""two covered pyramids of the victim and a free large one, a cover of each blocker, and one pyramid of \
the fourth player, or the game would be over""",
    ),
    Case(
        "pat-by-line-mate",
        "nobody but the victim or a blocker brings a pat about",
        ("NR-29", "NR-37", "NR-38"),
        facts.made_by_another,
        why="""the victim loses the place of a small pyramid, so a whole nest is unfinished; the line-mate moves an \
uncovered small one on the finish line, so two are; each of the others lacks one, or the game would be over""",
        tells=facts.after_move,
    ),
    Case(
        "nothing-left",
        "sentence 2 leaves every player who can move a move",
        ("NR-10", "NR-30", "NR-57"),
        facts.nothing_left,
        Blockades.all_forbidden,
    ),
    Case(
        "cover-stuck",
        "a blocker has a move that frees, if no cover is doubled",
        ("NR-21", "NR-29"),
        facts.cover_stuck,
        Blockades.cover_stuck,
    ),
    Case(
        "no-reading-helps",
        "a blocker has a move that frees, under some reading of the pat rule",
        ("NR-21", "NR-29", "NR-55"),
        facts.cover_stuck,
        Blockades.both_stuck,
    ),
    Case(
        "collision",
        "a move that frees is a legal move",
        ("NR-29", "NR-30"),
        facts.collision,
        Blockades.collision,
    ),
)


def stalemates(params: Params, readings: Readings) -> list[Stalemate]:
    """For the full board; for a small one what its whole play shows."""
    if params.board == "hexagon":
        return hexagons.stalemates(params, readings)
    if (params.core, params.width) != (6, 4):
        return small_games([params], readings)
    rows = [_row(case, readings) for case in CASES]
    return [*rows, *statements(readings), *small_games(None, readings), *hexagons.stalemates(params, readings)]


def proposals(params: Params, readings: Readings) -> list[Proposal]:
    return [proposal(readings)]


def size(engine: Engine, position: Position) -> int:
    """How many pyramids are not on their finish line."""
    places = enumerate(position.stacks)
    return sum(n not in engine.finishes[pyramid.colour] for n, stack in places for pyramid in stack)


def _row(case: Case, readings: Readings) -> Stalemate:
    engine, position, moves = kept(case.name, readings)
    note = case.shows(engine, position, moves)
    if note is None:
        result = Result(Status.UNKNOWN, "the position kept for this does not show it under these readings")
        return Stalemate(case.name, case.statement, case.clauses, result)
    line = _line(case.name, engine, position)
    move = moves[0] if moves else None
    witness = Witness(str(position), move, note, engine.params.as_dict(), dict(readings), line)
    scope = f"the full board; {_bound(case, readings, size(engine, position))}"
    result = Result(Status.REFUTED, scope, witness, cases=len(line or ()))
    return Stalemate(case.name, case.statement, case.clauses, result, *_under(case, readings))


def _line(name: str, engine: Engine, position: Position) -> tuple[str, ...] | None:
    """The line that leads there, if it is legal under these readings."""
    moves = tuple(KEPT[name].line.split())
    try:
        end = replay(engine, moves)[-1]
    except InputError:
        return None
    if end != position:
        raise AssertionError(f"the line kept for {name} leads to {end}")
    return moves


def _bound(case: Case, readings: Readings, count: int) -> str:
    """What is known about smaller positions."""
    here = f"{count} pyramids are not on their finish lines"
    if readings != GAME.rulebook.defaults():
        return f"{here}; whether fewer would do was not asked under these readings"
    if case.smaller is None:
        return f"{here}; {_argued(case)}: {case.why}"
    asked = blockades()
    question = case.smaller(asked)
    answer = asked.of_size(question, count - 1)
    if answer is Answer.YES:
        raise AssertionError(f"a smaller position for {case.name}: {asked.least(question)}")
    return f"{here}, and z3 " + ("proves that fewer cannot be" if answer is Answer.NO else "gave no answer for fewer")


def _argued(case: Case) -> str:
    words = "by an argument that no machine checked fewer"
    than = f" than {case.least}" if case.least else ""
    return f"{words}{than} cannot be" + (f" ({case.least} was not asked)" if case.least else "")


def _under(case: Case, readings: Readings) -> tuple[dict[str, str], tuple[str, ...]]:
    """Each other value of the readings about pat: what it says here, and whether the statement is true here then.

    With pat=off there is no rule that could be broken, and no help for a blocked player either: no repair.
    """
    told, repairs = {}, []
    for name in READ:
        for value in GAME.rulebook.options[name].values:
            if value == readings[name]:
                continue
            engine, position, moves = kept(case.name, readings.replace(**{name: value}))
            told[f"{name}={value}"] = case.tells(engine, position, moves)
            if value != "off" and case.shows(engine, position, moves) is None:
                repairs.append(f"{name}={value}")
    return told, tuple(repairs)
