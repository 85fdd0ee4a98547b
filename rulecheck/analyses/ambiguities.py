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
from rulecheck.contract import AnyEngine, AnySpec, End, brought, winner_of
from rulecheck.explore import Explored, TooLargeError, decisions
from rulecheck.jobs import Report, ignore
from rulecheck.kept import run_kept
from rulecheck.model import OURS, Reading, Readings, Result, Status, Witness
from rulecheck.wording import listed

WORTH = ("mover", "opponent", "neither", "value", "distance")  # of a solved game's start; the last two without dice


@dataclass(frozen=True)
class Ambiguity:
    reading: str
    values: tuple[str, str]
    result: Result
    usual: str
    verdicts: tuple[str, str] = ("", "")

    def as_json(self) -> dict[str, Any]:
        outcome = self.result.as_json()
        verdicts = dict(zip(self.values, self.verdicts, strict=True)) if self.verdicts[0] else {}
        named = {"reading": self.reading, "values": list(self.values), "usual": self.usual}
        return {**named, **outcome, "verdicts": verdicts}


def pairs(options: Iterable[Reading]) -> list[tuple[str, str, str]]:
    return [(r.name, first, second) for r in options for first, second in combinations(r.values, 2)]


# A position, a move in it (None if the position itself is judged differently), and the line of play that leads there.
Difference = tuple[Any, Any, tuple[str, ...]]


def standing(engine: AnyEngine, position: Any) -> tuple[str | None, Counter[Any]]:
    """The winner and the results of chance: what engines can differ in besides moves."""
    return winner_of(engine, position), Counter(brought(engine, position))


def differing_move(first: AnyEngine, second: AnyEngine, decision: Any) -> Any | None:
    """The shortest move to a result that only one engine allows or, failing that, that the engines see differently."""
    ours = {result: move for move, result in first.moves(decision).items()}
    theirs = {result: move for move, result in second.moves(decision).items()}
    moves = [ours.get(result) or theirs[result] for result in ours.keys() ^ theirs.keys()]
    moves = moves or [move for end, move in ours.items() if standing(first, end) != standing(second, end)]
    return min(moves, key=lambda m: (len(str(m)), str(m)), default=None)


def find_difference(first: AnyEngine, second: AnyEngine, limit: int | None = None) -> Difference | None:
    """The nearest position with a move on which the engines differ, the shortest such move, and a line.

    At most `limit` positions are compared; a game in which play reaches more is too large.
    """
    play = Explored(first, lazily=True, limit=math.inf)
    for number, position in enumerate(play.turns()):
        if number == limit:
            raise TooLargeError(f"play reaches more than {limit:,} positions, which is the limit here")
        for node in _by_chance(first, position):
            if standing(first, node) != standing(second, node):
                return node, None, play.line_to(position)
        for decision in decisions(first, position):
            if (move := differing_move(first, second, decision)) is not None:
                return decision, move, play.line_to(position)
    return None


def _by_chance(engine: AnyEngine, position: Any) -> Iterator[Any]:
    """The position, and the results of chance in it."""
    yield position
    for result in dict.fromkeys(brought(engine, position)):
        yield from _by_chance(engine, result)


@dataclass(frozen=True)
class Search:
    """The games to search, smallest first, what to call those below one, and all of them. `prove` may show that two
    readings never differ; `find` may be a quicker search of play, with `scope` for its words about a witness."""

    shapes: Callable[[], Iterable[Any]]
    below: Callable[[Any], str]
    bound: Callable[[], str]
    prove: Callable[[Readings, Readings], Result | None]
    find: Callable[[Any, Any], Difference | None] | None = None
    limit: int | None = None  # positions compared in a game, unless it finds differences its own way
    scope: Callable[[Any, Any, Any], str] | None = None


def separate(game: registry.Game, base: Readings, name: str, values: tuple[str, str], search: Search) -> Ambiguity:
    chosen = [base.replace(**{name: value}) for value in values]
    if proof := search.prove(chosen[0], chosen[1]):
        return Ambiguity(name, values, proof, base[name])
    find = search.find or partial(find_difference, limit=search.limit)
    for shape in search.shapes():
        engines = [game.engine(shape, readings) for readings in chosen]
        difference = find(engines[0], engines[1])
        if difference is None:
            continue
        position, move, line = difference
        said = _said(engines, position, move)
        specs = [game.spec(shape, readings) for readings in chosen] if game.spec_name else []
        _replay(engines, specs, difference, said)
        asked = None if move is None else str(move)
        witness = Witness(str(position), asked, "", shape.as_dict(), dict(base), line)
        result = Result(Status.REFUTED, _scope(search, engines, position), witness)
        return Ambiguity(name, values, result, base[name], said)
    return Ambiguity(name, values, _none_in_play(search), base[name])


def _none_in_play(search: Search) -> Result:
    """The general search covers its games completely; a game's own search may not."""
    if search.find is None:
        return Result(Status.PROVED, f"every position in play of {search.bound()}", bounded=True)
    return Result(Status.UNKNOWN, f"no difference in play in {search.bound()}")


def _replay(
    engines: Sequence[AnyEngine], specs: Sequence[AnySpec], difference: Difference, said: tuple[str, str]
) -> None:
    """The two answers differ, and the constraints allow the move where the engines do."""
    position, move, _ = difference
    both = [] if move is None else list(zip(engines, specs, strict=bool(specs)))
    judged = [(engine.judge(position, move), spec.judge(position, move)) for engine, spec in both]
    if said[0] == said[1] or any(ours.legal != theirs.legal for ours, theirs in judged):
        raise AssertionError(f"the witness does not replay: {position}, {move}, {said}, {judged}")


def _said(engines: Sequence[AnyEngine], position: Any, move: Any | None) -> tuple[str, str]:
    """The verdicts of the engines; if both allow the move, its results; if those are equal, the winners."""
    if move is None:
        return _stands(engines, "", [position, position])
    verdicts = [engine.judge(position, move) for engine in engines]
    if not all(verdict.legal for verdict in verdicts):
        return str(verdicts[0]), str(verdicts[1])
    after = [engine.play(position, move) for engine in engines]
    first, second = (f"legal, then {result}" for result in after)
    return (first, second) if first != second else _stands(engines, f"{first}, and ", after)


def _stands(engines: Sequence[AnyEngine], so_far: str, positions: Sequence[Any]) -> tuple[str, str]:
    """The winners; if those are equal, the results of chance."""
    first, second = (so_far + _winners(engine.end(p)) for engine, p in zip(engines, positions, strict=True))
    if first == second:
        ways = [Counter(map(str, brought(e, p))) for e, p in zip(engines, positions, strict=True)]
        first, second = (f"{so_far}chance makes it {_ways(way)}" for way in ways)
    return first, second


def _winners(end: End | None) -> str:
    """`nobody wins`, `A and B win`"""
    names = end.winners if end is not None else ()
    return f"{listed(names) or 'nobody'} {'win' if len(names) > 1 else 'wins'}"


def _ways(ways: Counter[str]) -> str:
    return ", ".join(f"{result} ({n} in {ways.total()})" for result, n in sorted(ways.items())) or "nothing else"


def _scope(search: Search, engines: Sequence[AnyEngine], position: Any) -> str:
    """A game that does not search every smaller one says itself how far its witness is known to be the smallest."""
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

    A printed game knows where to look; with the user's parameters, only that game is searched.
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


# -- The evidence for a value, and its effect -----------------------------------------------------------------


def weigh(
    rows: Sequence[dict[str, Any]], claims: Sequence[Mapping[str, Any]], solved: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Each pair of values with the sheet's claims that distinguish them, and the solved games under either."""
    return [{**row, "claims": _distinguishing_claims(row, claims), "impact": _impact(row, solved)} for row in rows]


def _distinguishing_claims(
    row: Mapping[str, Any], claims: Sequence[Mapping[str, Any]]
) -> dict[str, dict[str, list[str]]]:
    """For each value, the sheet's claims that it alone of the two keeps or breaks."""

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
    """Every solved game for which both values are known, with the worth of the start under each."""
    name, usual = row["reading"], row["usual"]
    worths: dict[str, dict[str, Any]] = {}
    for game in solved:
        changed = dict(game["readings"])
        value = changed.pop(name, usual)
        if not changed and value in row["values"]:
            worths.setdefault(game["title"], {})[value] = {k: game[k] for k in WORTH if k in game}
    return [{"game": title, "values": worth} for title, worth in worths.items() if len(worth) == len(row["values"])]
