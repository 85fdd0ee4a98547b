"""What a change of parameters or readings does to a game, beside the game as printed.

Play is sampled, and its figures say how many games; small versions are solved and claims evaluated as elsewhere.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rulecheck.analyses.claims import evaluate, factory
from rulecheck.analyses.solved_play import solved_row
from rulecheck.analyses.versions import Sized, versions
from rulecheck.explore import Who, steps
from rulecheck.jobs import Report, ignore
from rulecheck.model import InputError
from rulecheck.playouts import POLICIES, Record, offer_of, play_game, policy_of
from rulecheck.registry import Choice

GAMES = 50  # of each policy
SOLVED = 3_000  # positions of a version that is solved for a comparison
LONGEST = 500  # moves after which a game is abandoned


@dataclass(frozen=True)
class Sampled:
    """Whole games by one policy: a sample, which proves nothing about the rest."""

    policy: str
    games: int
    mean: float  # moves
    winners: Mapping[str, int]  # how many games each won; "nobody" and "broken off" besides
    problem: str = ""  # why nothing was played

    def as_json(self) -> dict[str, Any]:
        if self.problem:
            return {"policy": self.policy, "games": 0, "problem": self.problem}
        return {"policy": self.policy, "games": self.games, "mean_length": self.mean, "winners": dict(self.winners)}


@dataclass(frozen=True)
class Side:
    """One of the two games."""

    moves: int | None  # legal at the start, over all that chance may bring first; None where they are a continuum
    play: tuple[Sampled, ...]
    solved: Mapping[str, str] = field(default_factory=dict)  # versions that are small enough, and their worth

    def as_json(self) -> dict[str, Any]:
        return {"moves": self.moves, "play": [part.as_json() for part in self.play], "solved": dict(self.solved)}


@dataclass(frozen=True)
class Comparison:
    """The printed game, the changed one, and the claims that hold in one of them only."""

    printed: Side
    changed: Side
    breaks: Mapping[str, str]  # claims that hold as printed and fail then, with what was seen
    mends: Mapping[str, str]  # the other way round
    unasked: Mapping[str, str] = field(default_factory=dict)  # claims that do not fit the changed game, and why

    def as_json(self) -> dict[str, Any]:
        claims = {"breaks": dict(self.breaks), "mends": dict(self.mends), "unasked": dict(self.unasked)}
        return {"printed": self.printed.as_json(), "changed": self.changed.as_json(), "claims": claims}


def compare(choice: Choice, games: int = GAMES, seed: int = 1, report: Report = ignore) -> Comparison:
    game = choice.game
    printed = Choice(game, game.params({}), game.rulebook.defaults())
    if choice == printed:
        raise InputError("nothing is changed; say what with -p NAME=VALUE or -r NAME=VALUE")
    report("the printed game", 0.0)
    before = _side(printed, games, seed)
    report("the changed game", 0.3)
    after = _side(choice, games, seed)
    report("claims", 0.6)
    claims = _claims(choice)
    report("small versions", 0.7)
    solved = _solved_twice(choice, printed)
    return Comparison(replace(before, solved=solved[0]), replace(after, solved=solved[1]), *claims)


def _side(choice: Choice, games: int, seed: int) -> Side:
    return Side(_moves(choice), tuple(_sampled(choice, policy, games, seed) for policy in POLICIES))


def _moves(choice: Choice) -> int | None:
    """The sum over all results of chance, each counted once."""
    if not choice.game.hints.lists_all_moves:
        return None
    engine, pending, count = choice.engine(), [choice.engine().start()], 0
    seen = set(pending)
    while pending:
        who, ways = steps(engine, pending.pop())
        if who is Who.PLAYER:
            count += len(ways)
        else:
            new = {way.result for way in ways} - seen
            seen |= new
            pending += new
    return count


def _sampled(choice: Choice, policy: str, games: int, seed: int) -> Sampled:
    try:
        chosen = policy_of(choice, policy)
    except InputError as error:
        return Sampled(policy, 0, 0.0, {}, str(error))
    engine, offer = choice.engine(), offer_of(choice)
    records = [play_game(engine, None, chosen, random.Random(f"{seed}/{n}"), LONGEST, offer) for n in range(games)]
    winners = Counter(map(_winner, records))
    return Sampled(policy, games, sum(r.moves for r in records) / games, dict(sorted(winners.items())))


def _winner(record: Record) -> str:
    return "broken off" if not record.ended else record.winner or "nobody"


def changes(choice: Choice) -> tuple[dict[str, str], dict[str, str]]:
    """The parameters and the readings that are not as printed."""
    printed, usual = choice.game.params({}).as_dict(), choice.game.rulebook.defaults()
    params = {name: value for name, value in choice.params.as_dict().items() if value != printed.get(name)}
    return params, {name: value for name, value in choice.readings.items() if value != usual[name]}


def _solved_twice(choice: Choice, printed: Choice) -> tuple[dict[str, str], dict[str, str]]:
    """A game without named versions may know small games that show the effect of a reading."""
    params, readings = changes(choice)
    if params or len(readings) != 1 or choice.game.rulebook.versions:
        return dict(_solved(printed, printed)), dict(_solved(choice, printed))
    rows = choice.game.hints.impact(list(readings), 1, ignore)
    before, after = ({row["title"]: _worth(row) for row in rows if row["readings"] == of} for of in ({}, readings))
    return before, after


def _solved(choice: Choice, printed: Choice) -> list[tuple[str, str]]:
    """Every version that can be solved, with the changed parameters in place of its own."""
    game, worths = choice.game, []
    params, readings = changes(choice)
    for version in versions(game):
        try:
            sized = Sized(version.name, game.params({**_given(version, printed), **params}))
            rows = solved_row(game, sized, readings, SOLVED)
        except InputError:  # the version has no such form
            continue
        worths += [(row["title"], _worth(row)) for row in rows]
    return worths


def _given(version: Sized, printed: Choice) -> dict[str, str]:
    usual = printed.params.as_dict()
    return {name: value for name, value in version.params.as_dict().items() if value != usual.get(name)}


def _worth(row: Mapping[str, Any]) -> str:
    """Of the start, to the player who begins or is named."""
    who = f" for {row['for']}" if "for" in row else ""
    if "value" in row:
        return f"{row['value']}" + ("" if row["distance"] is None else f" in {row['distance']}") + who
    low, high = row["mover"]
    return f"{low:.4f} to {high:.4f}{who}"


def _claims(choice: Choice) -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
    game = choice.game
    checks, book = game.hints.checks(), game.rulebook
    params, _ = changes(choice)
    makes = factory(game, book.defaults()), factory(game, choice.readings, params)
    breaks: dict[str, str] = {}
    mends: dict[str, str] = {}
    unasked: dict[str, str] = {}
    for claim in book.claims.values():
        before = evaluate(claim, makes[0], checks)
        try:
            after = evaluate(claim, makes[1], checks, params)
        except InputError as error:
            unasked[claim.id] = str(error).removeprefix(f"claim {claim.id}: ")
            continue
        if before.holds != after.holds:
            (breaks if before.holds else mends)[claim.id] = after.seen
    return breaks, mends, unasked
