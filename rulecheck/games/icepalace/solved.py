"""Ice Palace: how long games are, by counting and by playing them from seeds.

The game has three to six players who make deals, so there is no table of won and lost positions; what can be solved are
single rounds and single buildings, each for itself.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Sequence
from typing import Any

from rulecheck.games.icepalace.playing import counts
from rulecheck.games.icepalace.research.forcing_sample import paragraphs
from rulecheck.games.icepalace.research.lengths import bounds
from rulecheck.jobs import Report, run_all, stage
from rulecheck.playouts import offer_of, play_game, policy_of
from rulecheck.registry import Choice, find

LIMIT = 2_000  # moves, more than a game has
PLAYED = {("random", 3): 4, ("greedy", 3): 4, ("random", 4): 1}  # how many games
Task = tuple[str, int, int]  # the policy, the players, the number of the game


def solved(jobs: int, report: Report) -> dict[str, Any]:
    """No solved games, but how long a game can be and was, and who can force a round."""
    tasks = [(policy, players, number) for (policy, players), games in PLAYED.items() for number in range(games)]
    rounds = dict(zip(tasks, run_all(_rounds, tasks, jobs=jobs, report=stage(report, 0.0, 0.5)), strict=True))
    forced = paragraphs(jobs, stage(report, 0.5, 1.0))
    parts = [_by_counting(), *(_by_playing(kind, rounds) for kind in PLAYED), *forced]
    return {"games": [], "text": "\n\n".join(parts)}


def impact(names: Sequence[str], jobs: int, report: Report) -> list[dict[str, Any]]:
    """What readings do to solved games, of which there are none."""
    return []


def _choice(players: int) -> Choice:
    game = find("icepalace")
    return Choice(game, game.params({"players": str(players)}), game.rulebook.defaults())


def _rounds(task: Task) -> int:
    policy, players, number = task
    choice = _choice(players)
    rng = random.Random(f"1/{number}")
    record = play_game(choice.engine(), None, policy_of(choice, policy), rng, LIMIT, offer_of(choice))
    rounds = counts(choice.params, record)["rounds"]
    least, most = bounds(choice.engine())  # type: ignore[arg-type]  # it is this game's engine
    if not record.ended or most is None or not least <= rounds <= most:
        raise AssertionError(f"a game of {rounds} rounds, and by counting there are {least} to {most}: {task}")
    return rounds


def _by_counting() -> str:
    spans = {n: bounds(_choice(n).engine()) for n in range(3, 7)}  # type: ignore[arg-type]  # see above
    rounds = ", ".join(f"{span.least} to {span.most} with {n}" for n, span in spans.items())
    return (
        "Yes, as long as who has the marker has to open the round: every round takes a pyramid at least, and at most "
        f"all that is held. So the number of rounds is {rounds} players. If the opener may pass (opening=may_pass), a "
        "game need not end."
    )


def _by_playing(kind: tuple[str, int], rounds: dict[Task, int]) -> str:
    policy, players = kind
    lengths = [number for (name, seats, _), number in rounds.items() if (name, seats) == kind]
    spread = f"{min(lengths)} to {max(lengths)} rounds, median {statistics.median(lengths):g}"
    return f"Games of {players} players with {policy} moves, {len(lengths)} played from seeds: {spread}."
