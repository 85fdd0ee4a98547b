"""Icehouse: what it takes to check a claim on the engine.

Each check is given a way to make engines (for the readings under test) and the claim's data, and answers
whether the claim holds and what it saw. Positions, events and parameters stand in the data in the usual notation.
What is asked of all play or of all places is in `overall`.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any

from rulecheck.analyses.claims import Check, Factory
from rulecheck.games.icehouse import GAME, read_move, read_position
from rulecheck.games.icehouse.engine import Engine
from rulecheck.games.icehouse.pieces import BASE, EAST, SIZES, Event, Params, Piece, Position
from rulecheck.games.icehouse.research.enclosed import enclosed
from rulecheck.games.icehouse.research.fortress import fortress
from rulecheck.games.icehouse.research.overall import PROPERTIES, same_verdicts
from rulecheck.model import InputError, Status
from rulecheck.registry import Choice
from rulecheck.rulebook import check_known

Data = Mapping[str, Any]
Found = tuple[bool, str]
SEEN = ("range", "distance", "length", "graze", "touching", "own", "on_pad", "pad_ray", "edge", "far")  # by attackers
MOST = 4  # attackers in a set: four small ones freeze everything, so no set that freezes needs more

# -- Reading a claim's data ---------------------------------------------------------------------------------


def _engine(make: Factory, data: Data) -> Engine:
    engine = make(data.get("params", {}))
    if not isinstance(engine, Engine):
        raise InputError("this check wants the engine of Icehouse")
    return engine


def _cases(make: Factory, data: Data) -> Iterator[tuple[Data, Engine, Position]]:
    for case in data["cases"]:
        engine = _engine(make, case)
        yield case, engine, read_position(engine.params, case["position"])


def facts(engine: Engine, position: Position) -> dict[str, Any]:
    """Whatever a claim can say about a position; numbers are those of pieces, counted from 1."""
    pieces, over = range(len(position.pieces)), engine.over(position)
    return {
        "frozen": [d + 1 for d in pieces if not position.pieces[d].lying and engine.frozen(position, d)],
        "attacks": [f"{a + 1}>{d + 1}" for a, d in enumerate(engine.attacks(position)) if d is not None],
        "captures": [] if over else [str(capture) for capture in engine.captures(position)],
        "scores": engine.scores(position),
        "iced": "".join(position.iced),
        "winner": "".join(engine.winners(position)),
        "pads": {player: len(position.pad(player)) for player in engine.params.colours},
    }


def _unlike(engine: Engine, position: Position, wanted: Data) -> list[str]:
    """What is said of a position and is not so."""
    seen = facts(engine, position)
    for key in ("scores", "pads"):
        seen[key] = {player: seen[key][player] for player in wanted.get(key, {})}
    return [f"{key} {seen[key]}" for key in seen if key in wanted and seen[key] != wanted[key]]


# -- Positions and lines ------------------------------------------------------------------------------------


def status(make: Factory, data: Data) -> Found:
    """In each case everything stated about the position is true."""
    seen = []
    for case, engine, position in _cases(make, data):
        if wrong := _unlike(engine, position, case):
            return False, f"{position}: {', '.join(wrong)}"
        state = facts(engine, position)
        seen.append(", ".join(f"{key} {state[key]}" for key in state if key in case))
    return True, f"{len(seen)} positions: {'; '.join(seen)}"


def plays(make: Factory, data: Data) -> Found:
    """In each case the steps are played or refused as the data say, and their results are as stated."""
    done = 0
    for case, engine, position in _cases(make, data):
        for step in case["steps"]:
            event = read_move(engine.params, step["event"])
            verdict = engine.judge(position, event)
            if "refused" in step or not verdict.legal:
                if step.get("refused") not in verdict.clauses:
                    return False, f"{position}: {event} is {verdict}"
            else:
                position = engine.play(position, event)
                if wrong := _unlike(engine, position, step):
                    return False, f"after {event}: {', '.join(wrong)}"
            done += 1
    return True, f"{done} events as described, the last position {position}"


# -- Sets of attackers --------------------------------------------------------------------------------------


def sets(make: Factory, data: Data) -> Found:
    """Every set of up to four attackers on the spots round a defender of each size."""
    check_known("property", data["property"], SET_PROPERTIES)
    engine, looked = _engine(make, data), 0
    for size in SIZES:
        tried = {sizes: _attacked(engine.params, tuple(data["spots"]), size, sizes) for sizes in multisets()}
        looked += len(tried)
        if wrong := SET_PROPERTIES[data["property"]](engine, size, tried, data):
            return False, wrong
    return True, f"so it is for all {looked} sets of up to {MOST} attackers on a defender of each size"


Sets = Mapping[str, Position]


def multisets() -> list[str]:
    digits = "".join(map(str, SIZES))
    return ["".join(sizes) for n in range(1, MOST + 1) for sizes in combinations_with_replacement(digits, n)]


@functools.cache
def _attacked(params: Params, spots: tuple[str, ...], size: int, sizes: str) -> Position:
    """A defender of A in the middle with attackers of B round it; the same for all readings."""
    attackers = [f"B{pips}@{spot}" for pips, spot in zip(sizes, spots, strict=False)]
    return read_position(params, " ".join(["all", f"A{size}@0,0", *attackers]))


def _minimal(engine: Engine, size: int, tried: Sets, data: Data) -> str | None:
    """The sets that freeze while no part of them does. What holds five or more holds four that freeze."""
    freezing = {sizes for sizes, position in tried.items() if engine.frozen(position, 0)}
    least = sorted(s for s in freezing if not any(s[:n] + s[n + 1 :] in freezing for n in range(len(s))))
    return None if least == sorted(data[str(size)]) else f"a {size} is just frozen by {' '.join(least)}"


def _over_iced(engine: Engine, size: int, tried: Sets, data: Data) -> str | None:
    for sizes, position in tried.items():
        values = list(map(int, sizes))
        if bool(engine.redundant(position, 0)) != (sum(values) - min(values) > size):
            return f"a {size} under {sizes}"
    return None


SET_PROPERTIES = {"minimal": _minimal, "over_iced": _over_iced}

# -- Ranges -------------------------------------------------------------------------------------------------


def ranges(make: Factory, data: Data) -> Found:
    """An attacker of each size reaches a small defender straight ahead at one distance and not at another."""
    engine, seen = _engine(make, data), []
    for within, distances in ((True, data["near"]), (False, data["beyond"])):
        for pips, text in zip(SIZES, distances, strict=True):
            distance = Fraction(text)
            attacker = Piece("A", pips, True, (Fraction(0), Fraction(0)), EAST, "A")
            middle = distance + Fraction(BASE[1], 2)
            target = Piece("B", 1, False, (middle, Fraction(0)), EAST, "B")
            reaches = engine.in_range(attacker, target, distance)
            seen.append(f"a {pips} {'reaches' if reaches else 'does not reach'} {distance}")
            if reaches != within:
                return False, seen[-1]
    return True, ", ".join(seen)


def same_range(make: Factory, data: Data) -> Found:
    """Two values of a reading give the same verdict for every attacker that points at a defender."""
    engine = _engine(make, data)
    return same_verdicts(engine, data["reading"], data["values"])


# -- Fortresses ---------------------------------------------------------------------------------------------


def sealed(make: Factory, data: Data) -> Found:
    """In each case the defender cannot be attacked, or with `open` it can: by an attack among those to be tried, by a
    proof, or, where there is neither, because none of the tries attacks it (which is no proof, and is said)."""
    seen = []
    for case, engine, position in _cases(make, data):
        d = case["defender"] - 1
        tries = [read_move(engine.params, text) for text in case["tries"]]
        attacks = [str(event) for event in tries if _attacks(engine, position, event, d)]
        proof = enclosed(engine, position, d) or (None if attacks else _searched(engine, position, d))
        if attacks and proof:
            raise AssertionError(f"{attacks[0]} attacks what is said to be enclosed in {position}")
        seen.append(
            f"{attacks[0]} attacks it" if attacks else proof or f"none of {len(tries)} tries attack it (no proof)"
        )
        if bool(attacks) != case.get("open", False):
            return False, f"{position}: {seen[-1]}"
    return True, "; ".join(seen)


def _searched(engine: Engine, position: Position, d: int) -> str | None:
    """By a search through all tips and directions. It takes seconds, so it is made for the usual readings only."""
    usual = GAME.rulebook.defaults()
    if any(engine.readings[name] != usual[name] for name in SEEN):
        return None
    return _never_attacked(engine.params, str(position), d + 1)


@functools.cache
def _never_attacked(params: Params, line: str, target: int) -> str | None:
    choice = Choice(GAME, params, GAME.rulebook.defaults())
    answers = fortress(choice, read_position(params, line), targets=[target])
    if any(answer.result.status is not Status.PROVED for answer in answers):
        return None
    cells = sum(answer.result.cases for answer in answers)
    return f"nothing attacks it, for every size, tip and direction ({cells} cells, accepted by the checker)"


def _attacks(engine: Engine, position: Position, event: Event, d: int) -> bool:
    if not engine.judge(position, event).legal:
        return False
    after = engine.play(position, event)
    return len(after.pieces) > len(position.pieces) and engine.attacks(after)[-1] == d


# -- Play ---------------------------------------------------------------------------------------------------


def playouts(make: Factory, data: Data) -> Found:
    """A property of events and lines, along random games and the lines given."""
    check_known("property", data["property"], PROPERTIES)
    lines = []
    for line in data.get("lines", ()):
        engine = _engine(make, line)
        events = [read_move(engine.params, text) for text in line["events"]]
        lines.append((engine, read_position(engine.params, line["position"]), events))
    return PROPERTIES[data["property"]](_engine(make, {"params": PLAYED}), lines)


PLAYED = {"players": "3", "pieces": "2,2,2", "limit": "4"}

CHECKS: dict[str, Check] = {
    check.__name__: check for check in (status, plays, sets, ranges, same_range, sealed, playouts)
}
