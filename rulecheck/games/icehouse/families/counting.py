"""Icehouse: attacks, freezing, captures, the icehouse and the count, proved on scenes of unknown pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import z3

from rulecheck.games.icehouse.families.scenes import (
    NO_OR_YES,
    Found,
    Given,
    LazyPosition,
    Stage,
    on_scenes,
    together,
    unknown,
)
from rulecheck.games.icehouse.families.unknowns import Unknown
from rulecheck.games.icehouse.pieces import Capture, Params
from rulecheck.model import Readings, Result
from specs.icehouse.spec_terms import Truth, every, no, same, some

Encodings = tuple[Callable[..., Any], Callable[..., Any]]
FIVE = Params(players=5)
PIECES = FIVE.players * sum(FIVE.pieces)  # all that can lie on a table


class Sides:
    """Both encodings, for scenes."""

    def __init__(self, encodings: Encodings, readings: Readings) -> None:
        self.engine_class, self.spec_class, self.readings = *encodings, readings

    def engine(self, params: Params, **overridden: Callable[..., Any]) -> Any:
        return on_scenes(self.engine_class, **overridden)(params, self.readings)

    def status(self, stage: Stage, **overridden: Callable[..., Any]) -> Callable[[], Any]:
        """A new one each time: a status remembers terms, but once a scene has been found they are truth values."""
        spec = self.spec_class(stage.params, self.readings)
        made = type("OnScenes", (type(spec.status_of(stage)),), overridden)
        return lambda: made(stage.params, self.readings, stage)


def mistaken(said: Mapping[Any, Truth], answers: Mapping[Any, Any]) -> Truth:
    """One of the things said is not as it was found."""
    return no(every(same(term, bool(answers[key])) for key, term in said.items()))


def unequal(stage: Stage, points: Mapping[str, Any], said: Mapping[str, Any]) -> Truth:
    """The engine's points, and those of the constraints."""
    if stage.model is not None:
        numbers = {
            k: stage.model.eval(f.term).as_fraction() if isinstance(f, Unknown) else f for k, f in points.items()
        }
        return any(numbers[k] != said[k] for k in said)
    terms = {k: f.term if isinstance(f, Unknown) else z3.RealVal(f) for k, f in points.items()}
    return z3.Or([terms[k] != z3.ToReal(_integer(said[k])) for k in said])


def _integer(value: Any) -> Any:
    return z3.IntVal(value) if isinstance(value, int) else value


# -- IH-17, IH-18, IH-25, IH-37: what attacks ----------------------------------------------------------------


def attack(sides: Sides) -> Result:
    anything = Given()
    subject = Given(marked=None, sees=(0, 2), near=None)
    stage = Stage(FIVE, [anything, subject, anything])
    engine, status = sides.engine(FIVE), sides.status(stage)

    def differs(target: Any, said: Any) -> Truth:
        return mistaken(said, {d: d == target for d in said})

    outcome = stage.disagreement(
        lambda p: engine.attacks(p)[1], lambda: {d: status().attacks(1, d) for d in (0, 2)}, differs
    )
    return together(
        [outcome], "what a piece attacks among two others, of five players, whatever lies where and whose it is"
    )


# -- IH-17, IH-18, IH-27, IH-35, IH-64: what may be pointed at -----------------------------------------------


def aim(sides: Sides) -> Result:
    subject = Given(True, sees=(0, 1), near=None, squeezed=True)
    stage = Stage(FIVE, [Given(), Given(), subject])
    engine, status = sides.engine(FIVE), sides.status(stage)
    outcome = stage.disagreement(
        lambda p: engine.judge_aim(replace(p, pieces=p.pieces[:-1]), p.pieces[-1]),
        lambda: status().aim_clauses(2),
        judged_otherwise,
    )
    return together([outcome], "what a lying piece may point at when it is placed, among two others, of five players")


def judged_otherwise(verdict: Any, said: Mapping[str, Truth]) -> Truth:
    """The engine's verdict, and what each clause asks."""
    legal = every(said.values())
    return no(legal) if verdict.legal else some([legal, *(said[clause] for clause in verdict.clauses)])


# -- IH-21, IH-22, IH-29, IH-91: what is frozen, what succeeds and what it earns ----------------------------


def freezing(sides: Sides, defenders: int, attackers: int) -> Result:
    standing = tuple(range(defenders))
    given = [Given(False, "A", "B") for _ in standing]
    given += [Given(True, "CDE"[n % 3], "DEC"[n % 3], sees=standing) for n in range(attackers)]
    scope = f"which of {defenders} defenders are frozen by {attackers} lying pieces, what succeeds and what all earn"
    return together([_freezing(sides, given)], scope)


def owners(sides: Sides, attackers: int) -> Result:
    """Players have no order, and neither have attackers: what matters is how many of them are whose."""
    shared = [
        (own, *parts) for own in range(attackers + 1) for parts in _parts(attackers - own, FIVE.players - 1, attackers)
    ]
    defender = Given(False, "A", "A")

    def parts() -> Iterator[Found]:
        for counts in shared:
            whose = "".join(k * count for k, count in zip(FIVE.colours, counts, strict=False))
            yield _freezing(sides, [defender, *(Given(True, k, k, sees=(0,)) for k in whose)])

    scope = f"a defender under {attackers} lying pieces, whoever of five players owns them: what is frozen, all points"
    return together(parts(), scope)


def _parts(number: int, most: int, largest: int) -> Iterator[tuple[int, ...]]:
    """The ways to write a number as a sum of up to `most` numbers, none larger than the one before."""
    if not number:
        yield ()
    elif most:
        for first in range(min(number, largest), 0, -1):
            yield from ((first, *rest) for rest in _parts(number - first, most - 1, first))


def _freezing(sides: Sides, given: Sequence[Given]) -> Found:
    stage = Stage(FIVE, given)
    engine = sides.engine(FIVE, silenced=lambda *_: False)
    status = sides.status(stage, silenced=lambda *_: False)

    def run(position: LazyPosition) -> Any:
        return {i: engine.succeeds(position, i) for i in stage.numbers}, engine.scores(position)

    def say() -> Any:
        now = status()
        return {i: now.succeeds(i) for i in stage.numbers}, {k: now.score(k) for k in FIVE.colours}

    def differs(outcome: Any, said: Any) -> Truth:
        return some([mistaken(said[0], outcome[0]), unequal(stage, outcome[1], said[1])])

    return stage.disagreement(run, say, differs)


# -- IH-66 to IH-68, IH-86: captures -------------------------------------------------------------------------


def capturing(sides: Sides, defenders: int, attackers: int) -> Result:
    """The captured piece lies before all defenders, or behind them, first or last of the attackers."""
    orders = ((1, 0), (0, defenders), (0, defenders + attackers - 1))
    parts = (_capture(sides, (before, defenders, attackers), subject, k) for before, subject in orders for k in "ABC")
    scope = f"who may capture one of {attackers} lying pieces from {defenders} defenders, hands and marks included"
    return together(parts, scope)


def _capture(sides: Sides, pieces: tuple[int, int, int], subject: int, k: str) -> Found:
    """The numbers of attackers before the defenders, of defenders (A's by B, or B's by A), and of all attackers."""
    before, defenders, attackers = pieces
    standing = tuple(range(before, before + defenders))
    lying = Given(True, "C", "C", sees=standing)
    kept = [Given(False, "AB"[d], "BA"[d], marked=None) for d in range(defenders)]
    return _captured(sides, [*([lying] * before), *kept, *([lying] * (attackers - before))], subject, k)


def _captured(sides: Sides, given: Sequence[Given], subject: int, k: str) -> Found:
    stage = Stage(FIVE, given)
    engine, status = sides.engine(FIVE), sides.status(stage)
    event = Capture(k, subject + 1)
    return stage.disagreement(
        lambda p: engine.judge_capture(p, event), lambda: status().capture_clauses(k, subject), judged_otherwise
    )


def redundancy(sides: Sides, attackers: int) -> Result:
    """IH-66: all that a defender can spare, so whether it is over-iced."""
    given = [Given(False, "A", "A"), *([Given(True, "B", "B", sees=(0,))] * attackers)]
    return together([_redundancy(sides, given, 0)], f"which of {attackers} lying pieces a defender can spare")


def _redundancy(sides: Sides, given: Sequence[Given], d: int) -> Found:
    stage = Stage(FIVE, given)
    engine, status = sides.engine(FIVE), sides.status(stage)
    others = [a for a in stage.numbers if a != d]

    def say() -> Any:
        now = status()
        return {"any": now.over_iced(d), **{a: now.redundant(a, d) for a in others}}

    def differs(listed: Any, said: Any) -> Truth:
        return mistaken(said, {"any": listed, **{a: a in listed for a in others}})

    return stage.disagreement(lambda p: engine.redundant(p, d), say, differs)


# -- IH-41, IH-42: meltdown ----------------------------------------------------------------------------------


def early(sides: Sides, pieces: int, players: int) -> Result:
    scope = f"which attackers came too early, and whose fault can be noticed, with {pieces} pieces of {players} players"
    return together(_early(sides, Params(players=players), [Given()] * pieces), scope)


def _early(sides: Sides, params: Params, given: Sequence[Given]) -> Iterator[Found]:
    stage, another, last = Stage(params, given), Stage(params, given), len(given) - 1
    engine, status, other = sides.engine(params), sides.status(stage), sides.status(another)

    def differs(outcome: Any, said: Any) -> Truth:
        return no(same(said, bool(outcome)))

    yield stage.disagreement(lambda p: engine.at_fault(p, "A"), lambda: status().fault("A"), differs)
    yield another.disagreement(
        lambda p: engine.early(p.pieces, last), lambda: some(other().early(last, k) for k in params.colours), differs
    )


# -- IH-44, IH-46, IH-50, IH-57: the icehouse ----------------------------------------------------------------


def asked(name: str) -> Callable[..., Any]:
    """A method of the engine that is answered by asking."""
    return lambda _, position, what: unknown(NO_OR_YES, name, what).decided(position.observer)


def said(stage: Stage, name: str) -> Callable[..., Any]:
    """The same among the constraints."""
    return lambda _, what: stage.fact(unknown(NO_OR_YES, name, what), True)


def icehouse(sides: Sides, pieces: int, players: int, limit: int = 2) -> Result:
    table = f"with {pieces} pieces of {players} players and up to {limit + 1} unplayed ones, or all (limit {limit})"
    scope = f"who is defenceless and who is in the icehouse, {table}"
    return together([_icehouse(sides, Params(players=players, limit=limit), [Given()] * pieces)], scope)


def _icehouse(sides: Sides, params: Params, given: Sequence[Given]) -> Found:
    stage = Stage(params, given)
    engine = sides.engine(params, frozen=asked("frozen"))
    status = sides.status(stage, frozen=said(stage, "frozen"))

    def run(position: LazyPosition) -> Any:
        return {"defenceless": engine.defenceless(position, "A"), "in it": engine.in_icehouse(position, "A")}

    def say() -> Any:
        return {"defenceless": status().defenceless("A"), "in it": status().in_icehouse("A")}

    return stage.disagreement(run, say, lambda answers, terms: mistaken(terms, answers))


def found(sides: Sides) -> Result:
    stage, another = Stage(FIVE, []), Stage(FIVE, [])
    names = ("in_icehouse", "defenceless")
    engine = sides.engine(FIVE, **{name: asked(name) for name in names})
    status, other = (sides.status(s, **{name: said(s, name) for name in names}) for s in (stage, another))

    def differs(listed: Any, terms: Any) -> Truth:
        return mistaken(terms, {k: k in listed for k in FIVE.colours})

    def parts() -> Iterator[Found]:
        yield stage.disagreement(
            lambda p: engine.found(p, "B"), lambda: {k: status().found(k, "B") for k in FIVE.colours}, differs
        )
        yield another.disagreement(
            lambda p: {"C": engine.silenced(p, "C")},
            lambda: {"C": other().silenced("C")},
            lambda outcome, terms: mistaken(terms, outcome),
        )

    return together(parts(), "whom a call of one of five players finds, and who scores nothing")


# -- IH-60, IH-91, IH-95: the count --------------------------------------------------------------------------


def counted(sides: Sides, pieces: int) -> Result:
    """Owners up to renaming: each piece belongs to an owner of an earlier one or to the next player."""
    owner = "colour" if sides.readings["score_owner"] == "colour" else "placer"
    other = {"colour": "placer", "placer": "colour"}[owner]

    def given(n: int) -> Given:
        known: dict[str, Any] = {other: "E", owner: "ABCDE"[n]}
        return replace(Given(), **known)

    both = ("succeeds", "silenced")
    parts = (_count(sides, FIVE, [given(n) for n in pattern], both) for pattern in _patterns(pieces, 5))
    return together(parts, f"the scores, leaders and winners of five players with {pieces} pieces, iced or not")


def _patterns(length: int, most: int) -> Iterator[tuple[int, ...]]:
    if not length:
        yield ()
        return
    for start in _patterns(length - 1, most):
        for n in range(min(max(start, default=-1) + 2, most)):
            yield (*start, n)


def _count(sides: Sides, params: Params, given: Sequence[Given], names: Sequence[str]) -> Found:
    """Which pieces succeed and which players are silenced is open if it is among `names`; else all pieces succeed. The
    winners are those of a game that is over."""
    stage, sure = Stage(params, given), {} if "succeeds" in names else {"succeeds": lambda *_: True}
    engine = sides.engine(params, over=lambda *_: True, **sure, **{name: asked(name) for name in names})
    status = sides.status(stage, **sure, **{name: said(stage, name) for name in names})

    def say() -> Any:
        now = status()
        return [{k: said_of(k) for k in params.colours} for said_of in (now.score, now.leads, now.wins)]

    def differs(outcome: Any, terms: Any) -> Truth:
        first = [{k: k in names for k in params.colours} for names in outcome[1:]]
        return some([unequal(stage, outcome[0], terms[0]), *map(mistaken, terms[1:], first)])

    return stage.disagreement(lambda p: (engine.scores(p), engine.leaders(p), engine.winners(p)), say, differs)


# -- As many pieces as a game has ------------------------------------------------------------------------------


def crowd(attackers: int) -> tuple[list[Given], int]:
    """A's defender amid this many attackers, all of other players; and its number."""
    d = attackers // 2
    lying = [Given(True, "BCDE"[n % 4], "CDEB"[n % 4], sees=(d,), sure=True) for n in range(attackers)]
    return [*lying[:d], Given(False, "A", "A"), *lying[d:]], d


def many_attackers(sides: Sides, fewest: int) -> Result:
    """All attack: what more of them could change if one did not is a scene with fewer."""

    def parts() -> Iterator[Found]:
        for attackers in range(fewest, PIECES):
            given, d = crowd(attackers)
            yield _total(sides, given, d)
            yield _captured(sides, given, 0, "A")
            yield _captured(sides, given, attackers, "A")
        for attackers in (fewest, PIECES - 1):
            given, d = crowd(attackers)
            yield _redundancy(sides, given, d)
            yield _freezing(sides, given)

    scope = (
        f"a defender under {fewest} to {PIECES - 1} attackers of any sizes: their total, whether it is frozen, what it"
    )
    return together(parts(), f"{scope} can spare, who may capture, all points")


def _total(sides: Sides, given: Sequence[Given], d: int) -> Found:
    stage = Stage(FIVE, given)
    engine, status = sides.engine(FIVE), sides.status(stage)

    def differs(outcome: Any, terms: Any) -> Truth:
        return some([unequal(stage, {"total": outcome[0]}, {"total": terms[0]}), no(same(terms[1], outcome[1]))])

    return stage.disagreement(
        lambda p: (engine.total(p, d), engine.frozen(p, d)), lambda: (status().total(d), status().frozen(d)), differs
    )


def many_defenders(sides: Sides) -> Result:
    """A player has 15 of a colour; by one reading all that stand may be one player's. Any of them may be frozen."""
    counts = (*range(sum(FIVE.pieces) + 1), PIECES)
    parts = (_defenceless(sides, [Given(False, "A", "A")] * count) for count in counts)
    return together(parts, f"who is defenceless with up to {sum(FIVE.pieces)} defenders, and with {PIECES}")


def _defenceless(sides: Sides, given: Sequence[Given]) -> Found:
    stage = Stage(FIVE, given)
    engine = sides.engine(FIVE, frozen=asked("frozen"))
    status = sides.status(stage, frozen=said(stage, "frozen"))
    return stage.disagreement(
        lambda p: engine.defenceless(p, "A"), lambda: status().defenceless("A"), lambda out, term: no(same(term, out))
    )


def many_early(sides: Sides) -> Result:
    """The last piece is an attacker of A; before it none, one or two of A's stand among all others of the game."""
    last = PIECES - 1

    def given(standing: Sequence[int]) -> list[Given]:
        own, other = Given(False, "A", "A"), (Given(False, "B", "B"), Given(True, "A", "A"))
        return [own if n in standing else other[n % 2 or n == last] for n in range(PIECES)]

    spots = (0, last // 2, last - 1)
    chosen = [(), *((n,) for n in spots), *combinations(spots, 2)]
    parts = (part for standing in chosen for part in _early(sides, Params(players=2), given(standing)))
    return together(parts, f"which attackers came too early with {PIECES} pieces, at most two of them standing before")


def many_points(sides: Sides) -> Result:
    two = Params(players=2)
    given = [Given(False, k, k) for k in two.colours for _ in range(sum(two.pieces))]
    return together([_count(sides, two, given, ("silenced",))], "two players' points when all their pieces succeed")
