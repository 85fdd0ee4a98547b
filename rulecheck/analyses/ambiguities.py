"""For two values of a reading, the smallest reachable position where they differ, or a proof that none does.

The statement tested is "no position separates these two values". Games are tried from the smallest up; in each,
every position that play can reach is compared under both values, nearest to the start first: the moves and where they
lead, what chance may do, and who has won. So a witness comes with a line of play, and every smaller game has been
searched completely.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any

from rulecheck import registry
from rulecheck.contract import AnyEngine, AnySpec, brought, winner_of
from rulecheck.explore import Explored, TooLargeError, decisions
from rulecheck.jobs import Report, ignore
from rulecheck.kept import run_kept
from rulecheck.model import OURS, Reading, Readings, Result, Status, Witness

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


# A position, a move in it (None if the position itself is judged differently), and the line of play that leads there.
Difference = tuple[Any, Any, tuple[str, ...]]


def standing(engine: AnyEngine, position: Any) -> tuple[str | None, Counter[Any]]:
    """What two engines can make of a position besides its moves: who has won, and what chance may do."""
    return winner_of(engine, position), Counter(brought(engine, position))


def telling_move(first: AnyEngine, second: AnyEngine, decision: Any) -> Any | None:
    """The shortest move to a result that only one of the engines allows, or else of which they make something else."""
    ours = {result: move for move, result in first.moves(decision).items()}
    theirs = {result: move for move, result in second.moves(decision).items()}
    moves = [ours.get(result) or theirs[result] for result in ours.keys() ^ theirs.keys()]
    moves = moves or [move for end, move in ours.items() if standing(first, end) != standing(second, end)]
    return min(moves, key=lambda m: (len(str(m)), str(m)), default=None)


def find_difference(first: AnyEngine, second: AnyEngine, limit: int | None = None) -> Difference | None:
    """The nearest position with a move that tells the engines apart, the shortest such move, and a line.

    With a limit, so many positions are compared, and a game in which play reaches more is too large.
    """
    play = Explored(first, lazily=True, limit=math.inf)
    for number, position in enumerate(play.turns()):
        if number == limit:
            raise TooLargeError(f"play reaches more than {limit:,} positions, which is the limit here")
        for node in _by_chance(first, position):
            if standing(first, node) != standing(second, node):
                return node, None, play.line_to(position)
        for decision in decisions(first, position):
            if (move := telling_move(first, second, decision)) is not None:
                return decision, move, play.line_to(position)
    return None


def _by_chance(engine: AnyEngine, position: Any) -> Iterator[Any]:
    """The position, and what chance can make of it."""
    yield position
    for result in dict.fromkeys(brought(engine, position)):
        yield from _by_chance(engine, result)


@dataclass(frozen=True)
class Search:
    """Which games to search, the smallest first, how those below one are called, and all of them. `prove` may say that
    two readings never differ; `find` may be a quicker way through play, with `scope` for what it says of a witness."""

    shapes: Callable[[], Iterable[Any]]
    below: Callable[[Any], str]
    bound: Callable[[], str]
    prove: Callable[[Readings, Readings], Result | None]
    find: Callable[[Any, Any], Difference | None] | None = None
    limit: int | None = None  # positions of a game that are compared, unless it has its own way to find a difference
    scope: Callable[[Any, Any, Any], str] | None = None


def separate(game: registry.Game, base: Readings, name: str, values: tuple[str, str], search: Search) -> Ambiguity:
    chosen = [base.replace(**{name: value}) for value in values]
    if proof := search.prove(chosen[0], chosen[1]):
        return Ambiguity(name, values, proof, base[name])
    find = search.find or partial(find_difference, limit=search.limit)
    for shape in search.shapes():
        engines = [game.engine(shape, readings) for readings in chosen]
        found = find(engines[0], engines[1])
        if found is None:
            continue
        position, move, line = found
        said = _said(engines, position, move)
        specs = [game.spec(shape, readings) for readings in chosen] if game.spec_name else []
        _replay(engines, specs, found, said)
        asked = None if move is None else str(move)
        witness = Witness(str(position), asked, "", shape.as_dict(), dict(base), line)
        result = Result(Status.REFUTED, _scope(search, engines, position), witness)
        return Ambiguity(name, values, result, base[name], said)
    return Ambiguity(name, values, _none_in_play(search), base[name])


def _none_in_play(search: Search) -> Result:
    """Our own way leaves nothing out of the games it goes through; of a game's own we do not know that."""
    if search.find is None:
        return Result(Status.PROVED, f"every position in play of {search.bound()}", bounded=True)
    return Result(Status.UNKNOWN, f"no difference in play in {search.bound()}")


def _replay(engines: Sequence[AnyEngine], specs: Sequence[AnySpec], found: Difference, said: tuple[str, str]) -> None:
    """The two answers differ, and the constraints allow the move where the engines do."""
    position, move, _ = found
    both = [] if move is None else list(zip(engines, specs, strict=bool(specs)))
    judged = [(engine.judge(position, move), spec.judge(position, move)) for engine, spec in both]
    if said[0] == said[1] or any(ours.legal != theirs.legal for ours, theirs in judged):
        raise AssertionError(f"the witness does not replay: {position}, {move}, {said}, {judged}")


def _said(engines: Sequence[AnyEngine], position: Any, move: Any | None) -> tuple[str, str]:
    """What each engine says of the move; where both allow it, what comes of it; if that is the same, who has won."""
    if move is None:
        return _stands(engines, "", [position, position])
    verdicts = [engine.judge(position, move) for engine in engines]
    if not all(verdict.legal for verdict in verdicts):
        return str(verdicts[0]), str(verdicts[1])
    after = [engine.play(position, move) for engine in engines]
    first, second = (f"legal, then {result}" for result in after)
    return (first, second) if first != second else _stands(engines, f"{first}, and ", after)


def _stands(engines: Sequence[AnyEngine], so_far: str, positions: Sequence[Any]) -> tuple[str, str]:
    """Who has won; where that is the same, what chance may do."""
    winners = [winner_of(engine, position) for engine, position in zip(engines, positions, strict=True)]
    first, second = (f"{so_far}{who or 'nobody'} wins" for who in winners)
    if first == second:
        ways = [Counter(map(str, brought(e, p))) for e, p in zip(engines, positions, strict=True)]
        first, second = (f"{so_far}chance makes it {_ways(found)}" for found in ways)
    return first, second


def _ways(ways: Counter[str]) -> str:
    return ", ".join(f"{result} ({n} in {ways.total()})" for result, n in sorted(ways.items())) or "nothing else"


def _scope(search: Search, engines: Sequence[AnyEngine], position: Any) -> str:
    """A game that does not look through every smaller one says itself what is known, of them or of the position."""
    if search.scope is not None:
        return search.scope(engines[0], engines[1], position)
    return f"smallest: {search.below(engines[0].params)} have no such position in play"


def _separate_task(task: tuple[str, dict[str, str], dict[str, str], str, str, str]) -> Ambiguity:
    slug, params, base, name, first, second = task
    game, readings, values = registry.find(slug), Readings(base), (first, second)
    if (variant := game.params(params)) == game.params({}):
        return game.hints.separate(readings, name, values)
    from rulecheck.analyses.separating import separate_variant

    return separate_variant(game, variant, readings, name, values)


def ambiguities(
    game: registry.Game,
    base: Readings,
    names: Sequence[str],
    jobs: int = 1,
    report: Report = ignore,
    params: Mapping[str, str] | None = None,
) -> list[Ambiguity]:
    """Every pair of values of the readings named, the other readings as in `base`.

    A game as printed knows where to look; with parameters of one's own, that one game is searched.
    """
    options, given = game.rulebook.options, dict(params or {})
    todo = [(game.slug, given, dict(base), *pair) for pair in pairs(options[name] for name in names)]
    return run_kept(game, "pairs of values", _separate_task, todo, Ambiguity, jobs=jobs, report=report)


def weighed(
    game: registry.Game, names: Sequence[str], rows: Sequence[Ambiguity], jobs: int = 1, report: Report = ignore
) -> list[dict[str, Any]]:
    """Pairs of values of the game as printed, with the sheet's claims and the solved games that bear on them."""
    from rulecheck.analyses.claims import said_under

    solved = game.hints.impact(names, jobs, report)
    return weigh([row.as_json() for row in rows], said_under(game, names), solved)


# -- What speaks for a value, and what it does ----------------------------------------------------------------


def weigh(
    rows: Sequence[dict[str, Any]], claims: Sequence[Mapping[str, Any]], solved: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Each pair of values with the sheet's claims that tell them apart, and the solved games under either."""
    return [{**row, "claims": _told_apart(row, claims), "impact": _impact(row, solved)} for row in rows]


def _told_apart(row: Mapping[str, Any], claims: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, list[str]]]:
    """For each of the two values, the claims of the sheet that it keeps or breaks and the other does not."""

    def holds(claim: Mapping[str, Any], value: str) -> bool:
        return bool(claim["readings"].get(f"{row['reading']}={value}", claim["default"]))

    first, second = row["values"]
    said = [claim for claim in claims if claim["source"] != OURS]
    parted = [claim for claim in said if holds(claim, first) != holds(claim, second)]
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
