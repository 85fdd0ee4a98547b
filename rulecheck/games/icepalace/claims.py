"""Ice Palace: what it takes to check a claim.

Each check is given a way to make engines (for the readings under test) and the claim's data, and answers whether the
claim holds and what it saw. Positions, moves and parameters stand in the data in the usual notation. What is said of
all worksites or palaces is asked of z3 for every surroundings of a cell, and of the engine for small ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from rulecheck.analyses.claims import Check, Factory
from rulecheck.contract import brought
from rulecheck.games.icepalace import (
    ORIGIN,
    PALACE,
    WHITE,
    WORKSITE,
    Move,
    Position,
    Structure,
    cell_text,
    read_move,
    read_position,
)
from rulecheck.games.icepalace.engine import Engine
from rulecheck.games.icepalace.families import surroundings
from rulecheck.games.icepalace.families.lists import palace_stacks
from rulecheck.games.icepalace.families.structures import kinds, lost_small, materials, stacks_text, structures
from rulecheck.games.icepalace.research import rounds as whole_rounds
from rulecheck.games.icepalace.research.lengths import bounds as round_bounds
from rulecheck.model import InputError
from rulecheck.pyramids import LARGE, SMALL, Pyramid, Stack, stack_text
from rulecheck.rulebook import check_known

Data = Mapping[str, Any]
SURROUNDINGS = "all surroundings of a cell, and so for structures of any size"
SITES = {"worksite": WORKSITE, "palace": PALACE}
Found = tuple[bool, str]


# -- Reading a claim's data ---------------------------------------------------------------------------------


def _engine(make: Factory, data: Data) -> Engine:
    engine = make(data.get("params", {}))
    if not isinstance(engine, Engine):
        raise InputError("this check wants the engine of Ice Palace")
    return engine


def _setting(make: Factory, data: Data) -> tuple[Engine, Position]:
    engine = _engine(make, data)
    return engine, read_position(engine.params, data["position"])


def replayed(engine: Engine, position: Position, line: Sequence[str]) -> Position | str:
    """The position after these moves, or which of them is refused and why."""
    for number, text in enumerate(line, 1):
        try:
            position = engine.play(position, read_move(engine.params, text))
        except InputError as refusal:
            return f"move {number} of {len(line)}: {refusal}"
    return position


def _all_kinds(engine: Engine) -> Stack:
    return tuple(sorted(engine.params.material))


def _listed(things: Sequence[object]) -> str:
    return ", ".join(map(str, things)) or "none"


# -- Single positions -----------------------------------------------------------------------------------------


def beside(make: Factory, data: Data) -> Found:
    """The empty cells where the pyramid may go are exactly these, in each position."""
    seen = []
    for text in data["positions"]:
        engine, position = _setting(make, {"position": text})
        placed = engine.worksite.placements(position.worksite, kinds([data["pyramid"]]))
        cells = [cell_text(cell) for _, cell in placed if not position.worksite.at(cell)]
        seen.append(f"{len(cells)} cells beside {stack_text(position.worksite.at(ORIGIN))}: {_listed(cells)}")
        if sorted(cells) != sorted(data["cells"]):
            return False, seen[-1]
    return True, "; ".join(seen)


def shut(make: Factory, data: Data) -> Found:
    """No pyramid whatever can be placed; when all have passed, this player has won the round."""
    engine, position = _setting(make, data)
    for pyramid, cell in engine.worksite.placements(position.worksite, _all_kinds(engine)):
        return False, f"{pyramid} can be placed on {cell_text(cell)}"
    winner, turns = None, 0
    here: Position | None = position
    while here is not None:
        ((_, here, winner),) = whole_rounds.turns(engine, _with_all_kinds(engine, here))
        turns += 1
    seen = f"none of {len(_all_kinds(engine))} kinds can be placed; {turns} passes, and {winner} has won the round"
    return winner == data["winner"], seen


def _with_all_kinds(engine: Engine, position: Position) -> Position:
    """The same position, but everybody holds one of each kind."""
    return replace(position, hands=(_all_kinds(engine),) * engine.params.players)


def openings(make: Factory, data: Data) -> Found:
    """Of all pyramids that can open a round, exactly these leave nobody anything to place."""
    engine = _engine(make, data)
    everything = _all_kinds(engine)
    alone = {q: Structure().put(q, ORIGIN) for q in everything}
    dead = [str(q) for q, site in alone.items() if not any(True for _ in engine.worksite.placements(site, everything))]
    return sorted(dead) == sorted(data["shut"]), f"of {len(everything)} openings {_listed(dead)} shut the worksite"


def opens(make: Factory, data: Data) -> Found:
    """Each of the pyramids may be the opening, by whoever has the marker."""
    engine = _engine(make, data)
    bag = ((0, 0, 0),) * len(engine.params.colours)
    for pyramid in kinds(data["pyramids"]):
        hands = (_opening_hand(engine, pyramid),) * engine.params.players
        position = Position("A", Structure(), Structure(), hands, bag, "A")
        verdict = engine.judge(position, Move(pyramid, WORKSITE))
        if not verdict.legal:
            return False, f"{pyramid} as the opening is {verdict}"
    return True, f"{_listed(data['pyramids'])} may open"


def _opening_hand(engine: Engine, pyramid: Pyramid) -> Stack:
    """A full hand with this pyramid in it."""
    own = [Pyramid("A", size) for size in engine.params.sizes for _ in range(engine.params.hand)]
    own.remove(Pyramid("A", pyramid.pips))
    return tuple(sorted([pyramid, *own]))


def plays(make: Factory, data: Data) -> Found:
    """The moves are legal and lead to the result; if scores are given, to these."""
    engine, position = _setting(make, data)
    reached = replayed(engine, position, data["moves"])
    if isinstance(reached, str):
        return False, reached
    scores = engine.score(reached.palace)
    right = reached == read_position(engine.params, data["result"]) and scores == data.get("scores", scores)
    scored = ", scores " + ", ".join(f"{c} {points}" for c, points in scores.items()) if "scores" in data else ""
    return right, f"{' '.join(data['moves'])} leads to {reached}{scored}"


def refused(make: Factory, data: Data) -> Found:
    """Each of the moves is refused for this clause."""
    engine, position = _setting(make, data)
    for text in data["moves"]:
        verdict = engine.judge(position, read_move(engine.params, text))
        if data["clause"] not in verdict.clauses:
            return False, f"{text} is {verdict}"
    return True, f"{_listed(data['moves'])} is {verdict}"


def some_unused(make: Factory, data: Data) -> Found:
    """After the moves, this many pyramids cannot all be used."""
    engine, position = _setting(make, data)
    reached = replayed(engine, position, data["moves"])
    if isinstance(reached, str):
        return False, reached
    number = engine.greatest_number(reached) if reached.left else 0
    return number < data["pyramids"], f"{len(reached.left)} are left and {number} can be used in {reached}"


def alone(make: Factory, data: Data) -> Found:
    """Exactly these players have a placement, each asked as if it were their turn."""
    engine, position = _setting(make, data)
    placements = {c: [str(m) for m in engine.worksite_moves(replace(position, mover=c))] for c in engine.params.letters}
    able = [c for c, moves in placements.items() if moves]
    shown = "; ".join(f"{c} has {_listed(placements[c])}" for c in able)
    return able == data["players"], f"{len(able)} players can place: {shown or 'nobody'}"


# -- Every worksite, every palace -----------------------------------------------------------------------------


def never(make: Factory, data: Data) -> Found:
    """None of the pyramids can be placed on any worksite that has begun."""
    engine, pyramids = _engine(make, data), kinds(data["pyramids"])
    small = structures(engine, WORKSITE, kinds(data["of"]), data["most"])
    placed = ((q, cell, s) for s in small for q, cell in engine.worksite.placements(s, pyramids))
    shown = next((f"{q} goes on {cell_text(cell)} of {stacks_text(s)}" for q, cell, s in placed), None)
    if witness := surroundings.placed_after_opening(engine, list(pyramids)):
        return False, shown or str(witness)
    if shown:
        raise AssertionError(f"z3 finds no place for {_listed(pyramids)}, and the engine does: {shown}")
    return True, f"PROVED for {SURROUNDINGS}; and on none of {len(small):,} small worksites by the engine"


def everywhere(make: Factory, data: Data) -> Found:
    """The property holds of all worksites or palaces."""
    check_known("property", data["property"], PROPERTIES)
    check_known("site", data["site"], SITES)
    engine, site = _engine(make, data), SITES[data["site"]]
    small = structures(engine, site, kinds(data["of"]), data["most"])
    scope, against, wrong = PROPERTIES[data["property"]]
    shown = next((f"{stacks_text(s)}: {problem}" for s in small if (problem := wrong(engine, s))), None)
    if witness := against(engine, site):
        return False, shown or witness
    if shown:
        raise AssertionError(f"{data['property']} is proved, and the engine says of {shown}")
    return True, f"PROVED for {scope}; and by the engine for {len(small):,} small ones"


def _out_of_order(engine: Engine, site: str) -> str | None:
    """Sizes grow (or shrink) strictly from below, and there are three."""
    witness = surroundings.out_of_order(engine, site)
    return str(witness) if witness else None


def _too_high(engine: Engine, structure: Structure) -> str | None:
    return next((f"{stack_text(s)} has more than three" for _, s in structure if len(s) > 3), None)


def _covered_small(engine: Engine, site: str) -> str | None:
    """Nothing ever goes on a small one, and nothing is moved."""
    witness = surroundings.on_a_small(engine)
    return str(witness) if witness else None


def _smalls_do_not_score(engine: Engine, palace: Structure) -> str | None:
    tops = {stack[-1] for _, stack in palace}
    smalls = [q for q in palace.pyramids if q.pips == SMALL]
    points = engine.score(palace)
    for small in smalls:
        if small not in tops or points[small.colour] < sum(q.colour == small.colour for q in smalls):
            return f"{small} does not score"
    return None


def _not_mirrored(engine: Engine, site: str) -> str | None:
    witness = surroundings.not_mirrored(engine)
    if witness is None:
        return None
    step, placed = witness
    said = [one.judged(engine, where) for one, where in ((step, PALACE), (placed, WORKSITE))]
    return f"in the palace {step} is {said[0]}; on the worksite {placed} is {said[1]}"


def _unlike_worksite(engine: Engine, palace: Structure) -> str | None:
    turned = Structure.of({cell: tuple(Pyramid(q.colour, 4 - q.pips) for q in stack) for cell, stack in palace})
    for colour in engine.params.letters:
        for size in range(SMALL, LARGE + 1):
            steps = {cell for _, cell in engine.palace.steps(palace, (Pyramid(colour, size),))}
            placed = {cell for _, cell in engine.worksite.placements(turned, (Pyramid(colour, 4 - size),))}
            if steps != placed:
                here, there = (_listed(sorted(map(cell_text, cells))) for cells in (steps, placed))
                turns = f"with small and large exchanged {colour}{4 - size} may go on {there} of the worksite"
                return f"{colour}{size} may go on {here} of the palace, and {turns}"
    return None


def _stacks_that_do_not_add_up(engine: Engine, site: str) -> str | None:
    """Each stack gives its length to one player, and a second stack adds its own; black and white never get there."""
    stacks = list(palace_stacks(engine.params.letters))
    one = {stack: engine.score(Structure.of({ORIGIN: stack})) for stack in stacks}
    for stack, points in one.items():
        if sorted(points.values()) != [0] * (engine.params.players - 1) + [len(stack)]:
            return f"{stack_text(stack)} gives {points}"
        for other, more in one.items():
            both = engine.score(Structure.of({ORIGIN: stack, (1, 0): other}))
            if both != {c: points[c] + more[c] for c in points}:
                return f"{stack_text(stack)} and {stack_text(other)} give {both}"
    left = engine.begin_building(_site(engine, "K1A2W3"), "A").left
    return None if set(left) <= {Pyramid("A", 2)} else f"{stack_text(left)} would be built with"


def _site(engine: Engine, text: str) -> Position:
    bag = ((0, 0, 0),) * len(engine.params.colours)
    stack = kinds([text[i : i + 2] for i in range(0, len(text), 2)])
    return Position("A", Structure.of({ORIGIN: stack}), Structure(), ((),) * engine.params.players, bag, "A")


def _does_not_add_up(engine: Engine, palace: Structure) -> str | None:
    total = sum(engine.score(palace).values())
    return None if total == len(palace.pyramids) else f"{total} points for {len(palace.pyramids)} pyramids"


class Property(NamedTuple):
    """For what it is proved, what speaks against it there, and what is wrong with one structure."""

    scope: str
    against: Callable[[Engine, str], str | None]
    wrong: Callable[[Engine, Structure], str | None]


PROPERTIES: Mapping[str, Property] = {
    "at_most_three": Property(SURROUNDINGS, _out_of_order, _too_high),
    "smalls_score": Property(SURROUNDINGS, _covered_small, _smalls_do_not_score),
    "mirrors_worksite": Property(SURROUNDINGS, _not_mirrored, _unlike_worksite),
    "scores_add_up": Property("every stack and every two of them", _stacks_that_do_not_add_up, _does_not_add_up),
}


def no_small_left(make: Factory, data: Data) -> Found:
    """No small one remains unused, whatever the builder does with a worksite of up to this many of these pyramids."""
    engine = _engine(make, data)
    worksites = materials(engine, kinds(data["of"]), data["most"])
    for worksite in worksites.values():
        if (palace := lost_small(engine, worksite)) is not None:
            lost = f"of the worksite {stacks_text(worksite)} the palace may become {stacks_text(palace)}"
            return False, f"{lost}, and no smaller worksite loses a small"
    return True, f"no small is lost from {len(worksites)} materials of up to {data['most']} pyramids (no proof beyond)"


# -- Chance, rounds, games --------------------------------------------------------------------------------------


def deals(make: Factory, data: Data) -> Found:
    """Every way to deal the first hands has the property."""
    if data["property"] != "own_and_full":
        raise InputError(f"no property is called {data['property']}")
    engine = _engine(make, data)
    layer, dealt = {engine.start()}, set()
    while layer:
        after = {following for position in layer for following in brought(engine, position)}
        dealt |= {position for position in after if not brought(engine, position)}
        layer = after - dealt
    for position in dealt:
        for colour, hand in zip(engine.params.letters, position.hands, strict=True):
            sizes, own = Counter(q.pips for q in hand), {q.pips for q in hand if q.colour == colour}
            if own != set(engine.params.sizes) or set(sizes.values()) != {engine.params.hand}:
                return False, f"{colour} holds {stack_text(hand)}"
    return bool(dealt), f"all {len(dealt):,} deals of a small game"


def chance(make: Factory, data: Data) -> Found:
    """The chance of each event, by the number of players, exactly."""
    sentences = []
    for event, wanted in data.items():
        if event in EVENTS:
            for players, share in wanted.items():
                engine = _engine(make, {"params": {"players": players}})
                got = EVENTS[event](engine, data)
                sentences.append(f"{event} for {players} players {got}")
                if got != Fraction(share):
                    return False, sentences[-1]
    return bool(sentences), _listed(sentences)


def _hand_of(engine: Engine, data: Data) -> Fraction:
    """The first player's draws at the start that give these numbers of pyramids of the own colour and of white ones."""
    layer = {brought(engine, engine.start())[0]: Fraction(1)}
    for _ in engine.params.sizes:
        following: Counter[Position] = Counter()
        for position, weight in layer.items():
            chances = brought(engine, position)
            for after in chances:
                following[after] += weight / len(chances)  # type: ignore[assignment]  # counts are fractions here
        layer = dict(following)  # type: ignore[arg-type]
    wanted = {engine.params.letters[0]: data["own"], WHITE: data["white"]}
    return sum((w for p, w in layer.items() if Counter(q.colour for q in p.hands[0]) == wanted), Fraction(0))


def _is_first(engine: Engine, data: Data) -> Fraction:
    chances = brought(engine, engine.start())
    shares = {Fraction(count, len(chances)) for count in Counter(position.marker for position in chances).values()}
    return shares.pop() if len(shares) == 1 else Fraction(0)


def _redraw(engine: Engine, data: Data) -> Fraction:
    """IP-09: the first pyramid drawn is nobody's."""
    counts = {c: sum(triple) for c, triple in zip(engine.params.colours, engine.start().bag, strict=True)}
    nobodys = sum(count for c, count in counts.items() if c not in engine.params.letters)
    return Fraction(nobodys, sum(counts.values()))


EVENTS: Mapping[str, Callable[[Engine, Data], Fraction]] = {
    "chances": _hand_of,
    "first": _is_first,
    "redraw": _redraw,
}


def same_force(make: Factory, data: Data) -> Found:
    """Who can force the round is the same under both values of round_end, here and in all play that follows.

    That is so in every round: when all others have passed, the last to place can pass and has won, so neither value
    lets anybody else force it there, and all turns before that are the same.
    """
    engine, looked = _engine(make, data), 0
    for text in data["positions"]:
        position, values = read_position(engine.params, text), []
        for end in ("all_pass", "others_pass"):
            one, table = Engine(engine.params, engine.readings.replace(round_end=end)), whole_rounds.Table()
            values.append(_who(whole_rounds.solve(one, position, table)))
            looked += len(table)
            for here in table:
                if here.worksite and here.passes == engine.params.players - 1:
                    last = whole_rounds.last_to_place(one, here)
                    if _who(table[here]) != last:
                        return False, f"{last} cannot force the round by passing in {here}"
        if values[0] != values[1]:
            return False, f"{values[0]} forces it if all must pass, {values[1]} if the others must: {text}"
    return True, f"the same in {len(data['positions'])} rounds, {looked:,} positions"


def _who(worth: whole_rounds.Worth) -> str:
    return worth.player if worth else "nobody"


def rounds(make: Factory, data: Data) -> Found:
    """The least and the greatest number of rounds, by counting pyramids."""
    seen = []
    for players, (least, most) in data["bounds"].items():
        engine = _engine(make, {"params": {"players": players}})
        bounds = round_bounds(engine)
        seen.append(f"{players} players: {bounds.least} to {bounds.most or 'any number'}")
        if bounds != (least, most):
            return False, seen[-1]
    return True, "; ".join(seen)


def _checks() -> Iterator[Check]:
    yield from (beside, shut, openings, opens, plays, refused, some_unused, alone, never, everywhere, no_small_left)
    yield from (deals, chance, same_force, rounds)


CHECKS: Mapping[str, Check] = {check.__name__: check for check in _checks()}
