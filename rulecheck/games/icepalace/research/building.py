"""Ice Palace: how many pyramids of a worksite can be used, and the best and the worst build for a player.

The result of a build is the player's points in the palace after it. All builds of the same number leave the same sum of
points to all players, so more for one is less for the others together. The reading max_number selects the builds:
`exact`, those of the greatest number; `agreed`, all; `maximal`, those that end when nothing fits.

A result is PROVED when engine and spec have replayed a build on the grid and two independent methods agree that none is
better: the best plan (`building_bound`, with `building_search` where plans cannot be laid
out) and z3 (`building_z3`). Otherwise it is UNKNOWN, with the bounds that are known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rulecheck.games.icepalace import Move, Position, Structure
from rulecheck.games.icepalace.research.building_bound import PER_PYRAMID, Aim, Plan, TooManyPlansError, best_plan
from rulecheck.games.icepalace.research.building_layout import lay_out
from rulecheck.games.icepalace.research.building_search import Search, TooManyPalacesError, worth_of
from rulecheck.games.icepalace.research.building_z3 import Opinion
from rulecheck.model import Readings, Status
from rulecheck.pyramids import Stack
from solvers.smt import Answer

GIVEN_UP = "the search was given up"
NO_ANSWER = "the second method gave no answer within its budget"
DIFFERENT = "the two methods do not agree"


@dataclass(frozen=True)
class Bounds:
    """Bounds on a number, both reached if PROVED; `steps` reach one of them. `why` says what remains unknown."""

    status: Status
    low: int
    high: int
    steps: tuple[Move, ...]
    why: str = ""

    def as_json(self) -> dict[str, Any]:
        document: dict[str, Any] = {"result": self.status.value, "low": self.low, "high": self.high}
        return {**document, "build": [str(step) for step in self.steps], **({"why": self.why} if self.why else {})}


@dataclass(frozen=True)
class Built:
    """The greatest number, and the most and the fewest points of a player."""

    player: str
    number: Bounds
    best: Bounds
    worst: Bounds

    @property
    def is_proved(self) -> bool:
        return all(part.status is Status.PROVED for part in (self.number, self.best, self.worst))


class Builder:
    """All answers for one palace, material and player."""

    def __init__(self, engine: Any, spec: Any, palace: Structure, left: Stack, player: str) -> None:
        self.engine, self.spec = engine, spec
        self.palace, self.left, self.player = palace, left, player
        self.points = engine.score(palace)[player]
        self.opinion = Opinion(palace, left, engine.readings)

    def answer(self) -> Built:
        number = self.greatest()
        how = self.engine.readings["max_number"]
        if how == "maximal":
            best, worst = (self.between(number, most) for most in (True, False))
        else:
            best, worst = (self.extreme(number, most, longest=how == "exact") for most in (True, False))
        return Built(self.player, number, best, worst)

    # -- The greatest number ------------------------------------------------------------------------------

    def greatest(self) -> Bounds:
        try:
            steps, high = self._reached(Aim(self.player))
        except TooManyPlansError:
            return Bounds(Status.UNKNOWN, 0, len(self.left), (), GIVEN_UP)
        number, bound = len(steps), high // PER_PYRAMID + (high % PER_PYRAMID > PER_PYRAMID // 2)
        if number == bound:
            answer = self.opinion.is_there(number + 1, self.player)
            return _judged(answer, Bounds(Status.PROVED, number, number, tuple(steps)))
        return Bounds(Status.UNKNOWN, number, bound, tuple(steps), GIVEN_UP)

    # -- The points ---------------------------------------------------------------------------------------

    def extreme(self, number: Bounds, most: bool, longest: bool) -> Bounds:
        """The most or the fewest points, among the longest builds or among all."""
        limit = number.high if longest and number.status is Status.PROVED else None
        aim = Aim(self.player, most, longest, limit)
        try:
            steps, high = self._reached(aim)
        except TooManyPlansError:
            return Bounds(Status.UNKNOWN, 0, len(self.palace.pyramids) + len(self.left), (), GIVEN_UP)
        points = self.checked(steps)
        worth = aim.worth(len(steps), points - self.points)
        if longest and limit is None:
            return Bounds(Status.UNKNOWN, 0, len(self.palace.pyramids) + len(self.left), tuple(steps), number.why)
        ideal = points + (high - worth if most else worth - high)
        bounds = Bounds(Status.PROVED, min(points, ideal), max(points, ideal), tuple(steps))
        if worth < high:
            return replace(bounds, status=Status.UNKNOWN, why=GIVEN_UP)
        lengths = [number.high] if longest else range(len(self.left) + 1)
        return self._second(bounds, points, most, lengths)

    def _second(self, bounds: Bounds, points: int, most: bool, lengths: Sequence[int]) -> Bounds:
        wanted = {"low": points + 1} if most else {"high": points - 1}
        for length in lengths:
            bounds = _judged(self.opinion.is_there(length, self.player, **wanted), bounds)
        return bounds

    def between(self, number: Bounds, most: bool) -> Bounds:
        """If building ends when nothing fits: between the bounds of the longest builds and those of all builds."""
        longest, free = (self.extreme(number, most, longest) for longest in (True, False))
        if Status.UNKNOWN in (longest.status, free.status) or longest.low != free.low:
            low, high = min(longest.low, free.low), max(longest.high, free.high)
            why = "the longest builds and all builds differ, and max_number=maximal is between them"
            return Bounds(Status.UNKNOWN, low, high, longest.steps, why)
        return longest

    # -- The first method ---------------------------------------------------------------------------------

    def _reached(self, aim: Aim) -> tuple[list[Move], int]:
        """The best known build, and an upper bound on the worth of any."""
        readings = self.engine.readings
        plan = best_plan(self.palace, self.left, readings, aim)
        high = worth_of(aim, plan)
        if (steps := self._laid_out(plan)) is not None:
            return steps, high
        careful = best_plan(self.palace, self.left, readings, aim, careful=True)
        steps = self._laid_out(careful) or []
        low = worth_of(aim, careful) if steps else 0
        search = Search(self.engine, aim)
        for target in self._targets(aim, low, high):
            try:
                better = search.find(self.palace, self.left, target)
            except TooManyPalacesError:
                return steps, target
            if better is not None:
                return better, target
        return steps, low

    def _targets(self, aim: Aim, low: int, high: int) -> Iterator[int]:
        """The possible worths above `low`, the best first."""
        total = len(self.palace.pyramids) + len(self.left)
        sums = {aim.worth(k, p - self.points) for k in range(len(self.left) + 1) for p in range(total + 1)}
        return iter(sorted((worth for worth in sums if low < worth <= high), reverse=True))

    def _laid_out(self, plan: Plan) -> list[Move] | None:
        return lay_out(self.engine.palace, self.palace, plan)

    # -- Replaying ----------------------------------------------------------------------------------------

    def checked(self, steps: Sequence[Move]) -> int:
        """The player's points after the steps, each allowed by the palace codes of both encodings."""
        return replayed(self.engine, self.spec, self.palace, self.left, steps, self.player)


def replayed(engine: Any, spec: Any, palace: Structure, left: Stack, steps: Sequence[Move], player: str) -> int:
    """Play the steps on both encodings, which must allow and count the same."""
    position = building_position(engine, palace, left)
    remaining = list(left)
    for step in steps:
        assert step.pyramid is not None
        remaining.remove(step.pyramid)
        verdict = engine.palace.judge(position.palace.at, not position.palace, step.pyramid, step.cell)
        if not verdict.legal or spec.by_code(position, step):
            raise AssertionError(f"{step} in {position} is {verdict} for the engine")
        position = replace(position, palace=position.palace.put(step.pyramid, step.cell), left=tuple(remaining))
    points: int = engine.score(position.palace)[player]
    assert points == spec.points(position.palace, player)
    return points


def building_position(engine: Any, palace: Structure, left: Stack) -> Position:
    """Empty hands and an empty bag, and the first player to build."""
    params = engine.params
    hands, bag = ((),) * params.players, ((0, 0, 0),) * len(params.colours)
    return Position(params.letters[0], Structure(), palace, hands, bag, params.letters[0], left=tuple(sorted(left)))


def _judged(answer: Answer, bounds: Bounds) -> Bounds:
    """PROVED stays PROVED only if z3 says that there is nothing better."""
    if bounds.status is Status.UNKNOWN or answer is Answer.NO:
        return bounds
    return replace(bounds, status=Status.UNKNOWN, why=NO_ANSWER if answer is Answer.UNKNOWN else DIFFERENT)


def readings_of_building(readings: Readings) -> dict[str, str]:
    """The readings that touch building."""
    names = ("grid", "palace_first", "palace_island", "palace_adjacent", "palace_stack", "max_number")
    return {name: readings[name] for name in names}
