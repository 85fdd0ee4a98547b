"""For two values of a reading, the smallest reachable position where they differ, or a proof that none does.

The statement tested is "no position separates these two values". Games are tried from the smallest up; in each,
every position that play can reach is compared under both values, nearest to the start first. So a witness comes
with a line of play, and every smaller game has been searched completely.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from rulecheck import registry
from rulecheck.jobs import Report, ignore, run_all
from rulecheck.model import Engine, Reading, Readings, Result, Status, Verdict, Witness
from rulecheck.play import Reached, decisions

WORTH = ("mover", "opponent", "neither", "value", "distance")  # of a solved game's start; the last two without dice


@dataclass(frozen=True)
class Ambiguity:
    reading: str
    values: tuple[str, str]
    result: Result
    usual: str
    verdicts: tuple[str, str] = ("", "")

    def as_json(self) -> dict[str, Any]:
        found = self.result.as_json()
        verdicts = dict(zip(self.values, self.verdicts, strict=True)) if self.verdicts[0] else {}
        named = {"reading": self.reading, "values": list(self.values), "usual": self.usual}
        return {**named, **found, "verdicts": verdicts}


def pairs(options: Iterable[Reading]) -> list[tuple[str, str, str]]:
    return [(r.name, first, second) for r in options for first, second in combinations(r.values, 2)]


Difference = tuple[Any, Any, tuple[str, ...]]  # a position, a move in it, and the line of play that leads there


def telling_move(first: Engine, second: Engine, decision: Any) -> Any | None:
    """The shortest move to a result that only one of the engines allows."""
    ours = {result: move for move, result in first.moves(decision).items()}
    theirs = {result: move for move, result in second.moves(decision).items()}
    moves = [ours.get(result) or theirs[result] for result in ours.keys() ^ theirs.keys()]
    return min(moves, key=lambda m: (len(str(m)), str(m)), default=None)


def find_difference(first: Engine, second: Engine) -> Difference | None:
    """The nearest position with a result that only one of the engines allows, the shortest such move, and a line."""
    reached = Reached(first)
    for position in reached:
        for decision in decisions(first, position):
            if (move := telling_move(first, second, decision)) is not None:
                return decision, move, reached.line(position)
    return None


def separate(game: registry.Game, base: Readings, name: str, values: tuple[str, str]) -> Ambiguity:
    """A study may bring its own `find_difference`, if it knows a quicker way through all play."""
    chosen = [base.replace(**{name: value}) for value in values]
    if proof := game.study.never_separated(chosen[0], chosen[1]):
        return Ambiguity(name, values, proof, base[name])
    find = getattr(game.study, "find_difference", find_difference)
    for shape in game.study.shapes():
        engines = [game.engine(shape, readings) for readings in chosen]
        found = find(engines[0], engines[1])
        if found is None:
            continue
        position, move, line = found
        verdicts = [engine.judge(position, move) for engine in engines]
        confirmed = [game.spec(shape, readings).judge(position, move) for readings in chosen]
        said = _said(engines, verdicts, position, move)
        if [v.legal for v in verdicts] != [v.legal for v in confirmed] or said[0] == said[1]:
            raise AssertionError(f"the witness does not replay: {position}, {move}, {verdicts}, {confirmed}")
        witness = Witness(str(position), str(move), "", shape.as_dict(), dict(base), line)
        result = Result(Status.REFUTED, _scope(game, engines, position), witness)
        return Ambiguity(name, values, result, base[name], said)
    unknown = Result(Status.UNKNOWN, f"no difference in play in {game.study.shape_bound()}")
    return Ambiguity(name, values, unknown, base[name])


def _said(engines: Sequence[Engine], verdicts: Sequence[Verdict], position: Any, move: Any) -> tuple[str, str]:
    """What each engine says of the move; where both allow it, what comes of it; if that is the same, who has won."""
    if all(verdict.legal for verdict in verdicts):
        after = [engine.play(position, move) for engine in engines]
        first, second = (f"legal, then {result}" for result in after)
        if first == second:
            winners = [engine.winner(result) for engine, result in zip(engines, after, strict=True)]
            first, second = (f"{first}, and {who or 'nobody'} wins" for who in winners)
        return first, second
    return str(verdicts[0]), str(verdicts[1])


def _scope(game: registry.Game, engines: Sequence[Engine], position: Any) -> str:
    """A study that does not look through every smaller game says itself what is known, of them or of the position."""
    if hasattr(game.study, "witness_scope"):
        return str(game.study.witness_scope(engines[0], engines[1], position))
    if hasattr(game.study, "difference_scope"):
        return str(game.study.difference_scope(engines[0].params))
    return f"smallest: {game.study.below(engines[0].params)} have no such position in play"


def _separate_task(task: tuple[str, tuple[tuple[str, str], ...], str, str, str]) -> Ambiguity:
    slug, base, name, first, second = task
    return separate(registry.find(slug), Readings(dict(base)), name, (first, second))


def ambiguities(
    game: registry.Game, base: Readings, names: Sequence[str], jobs: int = 1, report: Report = ignore
) -> list[Ambiguity]:
    """Every pair of values of the readings named, the other readings as in `base`."""
    options = game.rulebook.options
    todo = [(game.slug, tuple(base.items()), *pair) for pair in pairs(options[name] for name in names)]
    return run_all(_separate_task, todo, jobs=jobs, report=report)


# -- What speaks for a value, and what it does ----------------------------------------------------------------


def weigh(
    rows: Sequence[dict[str, Any]], claims: Sequence[Mapping[str, Any]], solved: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Each pair of values with the claims that tell them apart, and the solved games under either."""
    return [{**row, "claims": _told_apart(row, claims), "impact": _impact(row, solved)} for row in rows]


def _told_apart(row: Mapping[str, Any], claims: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, list[str]]]:
    """For each of the two values, the claims that it keeps or breaks and the other does not."""

    def holds(claim: Mapping[str, Any], value: str) -> bool:
        return bool(claim["readings"].get(f"{row['reading']}={value}", claim["default"]))

    first, second = row["values"]
    parted = [claim for claim in claims if holds(claim, first) != holds(claim, second)]
    return {
        value: {
            "keeps": [claim["claim"] for claim in parted if holds(claim, value)],
            "breaks": [claim["claim"] for claim in parted if not holds(claim, value)],
        }
        for value in row["values"]
    }


def _impact(row: Mapping[str, Any], solved: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Every solved game for which both values are known, with what the start is worth under each."""
    name, usual = row["reading"], row["usual"]
    found: dict[str, dict[str, Any]] = {}
    for game in solved:
        changed = dict(game["readings"])
        value = changed.pop(name, usual)
        if not changed and value in row["values"]:
            found.setdefault(game["title"], {})[value] = {k: game[k] for k in WORTH if k in game}
    return [{"game": title, "values": worth} for title, worth in found.items() if len(worth) == len(row["values"])]
