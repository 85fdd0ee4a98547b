"""Crosswalk: what it takes to check a claim of its sheet on the engine.

Each check takes a factory of engines (for the readings under test) and the claim's data, and returns whether the claim
holds and what it saw. The data give positions, turns and parameters in the usual notation.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any
from weakref import WeakKeyDictionary

from rulecheck.analyses.claims import Check, Factory
from rulecheck.contract import brought
from rulecheck.games.crosswalk import OTHER, PEDESTRIAN, Position, Turn, read_position, read_turn
from rulecheck.games.crosswalk.engine import Engine
from rulecheck.model import InputError
from rulecheck.pyramids import Pyramid, Stack

Data = Mapping[str, Any]
Checked = tuple[bool, str]
Played = tuple[Position, Turn, Position]  # rolled, turn, result


# -- Reading a claim's data ---------------------------------------------------------------------------------


def _engine(make: Factory, data: Data) -> Engine:
    engine = make(data.get("params", {}))
    if not isinstance(engine, Engine):
        raise InputError("this check wants the engine of Crosswalk")
    return engine


def _setting(make: Factory, data: Data) -> tuple[Engine, Position]:
    engine = _engine(make, data)
    return engine, read_position(engine.params, data["position"])


def _games(make: Factory, data: Data) -> Iterator[Engine]:
    return (_engine(make, {"params": params}) for params in data["games"])


def _names(pieces: Iterable[Pyramid]) -> str:
    return " and ".join(map(str, pieces)) or "nothing"


def _rolls(rolls: Iterable[int]) -> str:
    return ", ".join(map(str, rolls)) or "none"


# -- Looking at positions -----------------------------------------------------------------------------------


def _stack_of(position: Position, piece: str) -> tuple[int, Stack, Stack]:
    """Where a player's pyramid is: the place, what lies from the bottom up to it, and what lies above it."""
    for place, stack in enumerate(position.stacks):
        for level, pyramid in enumerate(stack):
            if str(pyramid) == piece:
                return place, stack[: level + 1], stack[level + 1 :]
    raise InputError(f"no {piece} stands in the position {position}")


def _moved(engine: Engine, position: Position) -> Iterator[Pyramid]:
    """Every pyramid that some step of some walk moves, whether or not the walk can be completed."""
    assert position.roll is not None
    layers, _ = engine.walks(position)
    for spent, layer in enumerate(layers):
        for walk in layer:
            for step in engine.steps(walk, position.roll - spent):
                yield walk.position.stacks[step.source][-1]


def _blocked_rolls(engine: Engine, position: Position) -> list[int]:
    """The rolls with which no turn is valid."""
    return [p.roll for p in brought(engine, position) if p.roll and not engine.valid_turns(p)]


def _winning_rolls(engine: Engine, position: Position) -> list[int]:
    """The rolls with which the mover has a winning turn."""
    results = {p.roll: engine.moves(p).values() for p in brought(engine, position) if p.roll}
    return [roll for roll, ends in results.items() if any(map(engine.winner, ends))]


def explore(engine: Engine) -> Iterator[Played]:
    """Every roll, turn and result that play can reach, nearest first."""
    seen, layer = {engine.start()}, [engine.start()]
    while layer:
        following = []
        for rolled in (rolled for position in layer for rolled in brought(engine, position)):
            for turn, result in engine.moves(rolled).items():
                yield rolled, turn, result
                if result not in seen:
                    seen.add(result)
                    following.append(result)
        layer = following


_explored: WeakKeyDictionary[Engine, tuple[Played, ...]] = WeakKeyDictionary()


def all_play(engine: Engine) -> tuple[Played, ...]:
    """The same as a tuple, kept for as long as the engine lives."""
    if engine not in _explored:
        _explored[engine] = tuple(explore(engine))
    return _explored[engine]


def _after(engine: Engine, rolled: Position, turn: Turn) -> Position | str:
    """The position after a turn, or why it is refused."""
    try:
        return engine.play(rolled, turn)
    except InputError as refusal:
        return str(refusal)


# -- Checks of one position ---------------------------------------------------------------------------------


def counts(make: Factory, data: Data) -> Checked:
    """The starting position is this one, and its material adds up."""
    engine, position = _setting(make, data)
    pieces = [q for stack in engine.start().stacks for q in stack]
    walkers = sum(q.colour == PEDESTRIAN for q in pieces)
    counted = {"pyramids": len(pieces), "pips": sum(q.pips for q in pieces), "pedestrians": walkers}
    seen = ", ".join(f"{number} {what}" for what, number in counted.items())
    return position == engine.start() and all(data[what] == counted[what] for what in counted), seen


def plays(make: Factory, data: Data) -> Checked:
    """This turn is legal and leads to this position (and wins, as these rolls alone do, if the data say so)."""
    engine, position = _setting(make, data)
    turn, expected = read_turn(engine.params, data["turn"]), read_position(engine.params, data["result"])
    result = _after(engine, position.rolled(data["roll"]), turn)
    if isinstance(result, str):
        return False, f"with a {data['roll']} {result}"
    winner = engine.winner(result)
    seen = f"with a {data['roll']} the turn {turn} leads to {result}" + (f", {winner} wins" if winner else "")
    if "winning_rolls" not in data:
        return result == expected and winner == data.get("winner"), seen
    rolls = _winning_rolls(engine, position)
    right = result == expected and winner == data.get("winner") and rolls == data["winning_rolls"]
    return right, f"{seen}; winning rolls: {_rolls(rolls)}"


def illegal(make: Factory, data: Data) -> Checked:
    """Whatever the roll, this turn breaks this clause."""
    engine, position = _setting(make, data)
    turn = read_turn(engine.params, data["turn"])
    verdicts = [engine.judge(rolled, turn) for rolled in brought(engine, position)]
    kept = [r for r, v in enumerate(verdicts, 1) if data["clause"] not in v.clauses]
    roll = kept[0] if kept else 1
    return not kept, f"with a {roll} the turn {turn} is {verdicts[roll - 1]}"


def trapped(make: Factory, data: Data) -> Checked:
    """These pyramids make no step in any walk of any roll."""
    engine, position = _setting(make, data)
    for rolled in brought(engine, position):
        if free := {str(q) for q in _moved(engine, rolled)} & set(data["pieces"]):
            return False, f"with a {rolled.roll} {' and '.join(sorted(free))} can step"
    return True, f"no walk of any roll moves {' or '.join(data['pieces'])}"


def no_valid_turn(make: Factory, data: Data) -> Checked:
    """These rolls have no valid turn; the answer names any others without one."""
    engine, position = _setting(make, data)
    blocked = _blocked_rolls(engine, position)
    return set(data["rolls"]) <= set(blocked), f"rolls without a valid turn: {_rolls(blocked)}"


def sends_back(make: Factory, data: Data) -> Checked:
    """Some roll has no valid turn, and then an opponent's pyramid may be put back where it started."""
    engine, position = _setting(make, data)
    foe = OTHER[position.mover]
    rolls = []
    for roll in _blocked_rolls(engine, position):
        steps = [turn.steps[0] for turn in engine.moves(position.rolled(roll)) if turn.steps]
        lifted = [position.stacks[s.source][-1] for s in steps if s.target == engine.params.home(foe)]
        if any(q.colour == foe for q in lifted):
            rolls.append(roll)
    return bool(rolls), f"rolls that let {position.mover} send a pyramid of {foe} back: {_rolls(rolls)}"


def freed(make: Factory, data: Data) -> Checked:
    """Nothing but own pyramids lies above these, so that their owner could move them one after the other."""
    engine, position = _setting(make, data)
    owner = data["pieces"][0][0]
    own_turn = replace(position, mover=owner)
    above = {q for piece in data["pieces"] for q in _stack_of(position, piece)[2] if q.colour != owner}
    seen = f"{_names(sorted(above))} of another colour above"
    for piece in data["pieces"]:
        rolls = [r.roll for r in brought(engine, own_turn) if piece in map(str, _moved(engine, r))]
        seen += f"; {piece} can step from a {rolls[0]} on" if rolls else f"; {piece} can step with no roll"
    return not above, seen


def apart(make: Factory, data: Data) -> Checked:
    """These pyramids do not share a place."""
    _, position = _setting(make, data)
    places = [_stack_of(position, piece)[0] for piece in data["pieces"]]
    seen = " and ".join(f"{piece} on {place}" for piece, place in zip(data["pieces"], places, strict=True))
    return len(set(places)) == len(places), seen


def stored_first(make: Factory, data: Data) -> Checked:
    """With this roll, in one way only, this piece goes lowest at the finish; with those of `never` in none."""
    engine, position = _setting(make, data)
    finish = engine.params.finish(position.mover)

    def storing(roll: int) -> list[Position]:
        ends = engine.valid_turns(position.rolled(roll))
        return [end for end in ends if end.stacks[finish] and str(end.stacks[finish][0]) == data["piece"]]

    early = [roll for roll in data["never"] if storing(roll)]
    storing_ends = storing(data["roll"])
    wanted = _after(engine, position.rolled(data["roll"]), read_turn(engine.params, data["turn"]))
    seen = f"a {data['roll']} has {len(storing_ends)} results with {data['piece']} stored first"
    return storing_ends == [wanted] and not early, f"{seen}; smaller rolls that have any: {_rolls(early)}"


def winning_rolls(make: Factory, data: Data) -> Checked:
    """The mover wins with exactly these rolls, or at least with this one and nothing less."""
    engine, position = _setting(make, data)
    rolls = _winning_rolls(engine, position)
    wanted = rolls == data["rolls"] if "rolls" in data else rolls[:1] == [data["least"]]
    return wanted, f"winning rolls: {_rolls(rolls)}"


def buries(make: Factory, data: Data) -> Checked:
    """The least rolls that put a mover's pyramid above the named one, first exposed, then under a pedestrian."""
    least = {}
    for case in ("exposed", "covered"):
        engine, position = _setting(make, {"position": data[case], "params": data["params"]})
        rolls = (r.roll for r in brought(engine, position) if _can_bury(engine, r, data["piece"]))
        least[case] = next(rolls, None)
    wanted = {"exposed": data["rolls"][0], "covered": data["rolls"][1]}
    seen = ", ".join(f"{roll} if {case}" for case, roll in least.items())
    return least == wanted, f"least roll to bury {data['piece']}: {seen}"


def _can_bury(engine: Engine, position: Position, piece: str) -> bool:
    ends = engine.valid_turns(position)
    return any(q.colour == position.mover for end in ends for q in _stack_of(end, piece)[2])


# -- Checks of whole games ----------------------------------------------------------------------------------


def no_contact(make: Factory, data: Data) -> Checked:
    """In no reachable position of these games a player's pyramid lies directly on an opponent's."""
    looked = 0
    for engine in _games(make, data):
        for rolled, turn, result in explore(engine):
            looked += 1
            if touching := next(_contacts(result), None):
                return False, f"in {rolled} the turn {turn} sets {touching[1]} on {touching[0]}: {result}"
    return True, f"no contact after any of {looked} turns of {len(data['games'])} small games, all they have"


def _contacts(position: Position) -> Iterator[tuple[Pyramid, Pyramid]]:
    """Pairs of opponents' pyramids, the lower one first, with nothing between them."""
    for below, above in (pair for stack in position.stacks for pair in pairwise(stack)):
        if above.colour != PEDESTRIAN and below.colour == OTHER[above.colour]:
            yield below, above


def only_mover_wins(make: Factory, data: Data) -> Checked:
    """In these games no turn completes the nest of the player who is not to move."""
    looked = 0
    for engine in _games(make, data):
        for rolled, turn, result in all_play(engine):
            looked += 1
            if engine.winner(result) not in (None, rolled.mover):
                return False, f"{turn} wins for the other player in {rolled}"
    return True, f"true of all {looked} turns of {len(data['games'])} small games"


def parity(make: Factory, data: Data) -> Checked:
    """A walk that spends the whole roll changes the sum of pips x place by the roll, modulo 2."""
    looked = 0
    for engine in _games(make, data):
        for rolled in dict.fromkeys(rolled for rolled, _, _ in all_play(engine)):
            for end in _full_walks(engine, rolled):
                looked += 1
                if (_weight(end) - _weight(rolled) - (rolled.roll or 0)) % 2:
                    return False, f"{rolled} leads to {end}"
    engine = _engine(make, {})
    null = [r.roll for r in brought(engine, engine.start()) if r in _full_walks(engine, r)]
    seen = f"true of all {looked} ends of full walks in {len(data['games'])} small games"
    return null == data["null_rolls"], f"{seen}; rolls that can leave the start as it is: {null}"


def _full_walks(engine: Engine, rolled: Position) -> Iterator[Position]:
    """Where the walks end that spend every point."""
    layers, _ = engine.walks(rolled)
    return (walk.position for walk in layers[-1])


def _weight(position: Position) -> int:
    return sum(q.pips * place for place, stack in enumerate(position.stacks) for q in stack)


def runs_home(make: Factory, data: Data) -> Checked:
    """A tree arrives as a nest, a nest does not; and the way home takes the turns that its pips require."""
    engine = _engine(make, data)
    tree, nest = (_wins(engine, data[shape], data["roll"], data["turn"]) for shape in ("tree", "nest"))
    winner, turns = _replay(engine, data["line"])
    least = math.ceil(_to_go(engine, engine.start(), engine.params.first) / engine.params.die)
    seen = f"the tree {'wins' if tree else 'does not win'}, the nest {'wins' if nest else 'does not win'}; "
    seen += f"home after {turns} own turns (winner: {winner}), not under {least} without relocations; "
    for game in _games(make, data):
        if fast := _faster_than_the_roll(game):
            return False, seen + fast
    seen += f"no turn of {len(data['games'])} small games gains more than its roll"
    return tree and not nest and winner == engine.params.first and turns == least, seen


def _wins(engine: Engine, position: str, roll: int, turn: str) -> bool:
    rolled = read_position(engine.params, position).rolled(roll)
    result = _after(engine, rolled, read_turn(engine.params, turn))
    return not isinstance(result, str) and engine.winner(result) == rolled.mover


def _replay(engine: Engine, line: Iterable[str]) -> tuple[str | None, int]:
    """Play `roll: turn` after `roll: turn` from the start: who has won, and how often the first player played."""
    position, turns = engine.start(), 0
    for entry in line:
        roll, _, turn = entry.partition(": ")
        result = _after(engine, position.rolled(int(roll)), read_turn(engine.params, turn))
        if isinstance(result, str):
            break
        turns += position.mover == engine.params.first
        position = result
    return engine.winner(position), turns


def _to_go(engine: Engine, position: Position, player: str) -> int:
    """The points it takes to bring every pyramid of a player home, if nothing is in the way."""
    finish = engine.params.finish(player)
    stacks = enumerate(position.stacks)
    return sum(q.pips * abs(place - finish) for place, stack in stacks for q in stack if q.colour == player)


def _faster_than_the_roll(engine: Engine) -> str | None:
    """A turn of steps that brings its player nearer by more points than were rolled, if there is one."""
    for rolled, turn, end in all_play(engine):
        gained = _to_go(engine, rolled, rolled.mover) - _to_go(engine, end, rolled.mover)
        if gained > (rolled.roll or 0) and not any(step.relocates for step in turn.steps):
            return f"{turn} gains {gained} in {rolled}"
    return None


CHECKS: dict[str, Check] = {
    check.__name__: check
    for check in (
        counts, plays, illegal, trapped, no_valid_turn, sends_back, freed, apart, stored_first, winning_rolls,
        buries, no_contact, only_mover_wins, parity, runs_home,
    )
}  # fmt: skip
