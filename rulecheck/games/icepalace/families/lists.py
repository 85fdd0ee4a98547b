"""Ice Palace: whole positions compared one by one, and where such positions come from.

At each position both encodings have to agree on the moves and their results, on what chance may do and how likely it
is, on scores and winners, on the greatest number, and on the verdict and clause of moves of every kind. What the engine
lists has to be what its verdict allows, near all that stands; further away nothing can be placed (`windows`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement, islice, product
from typing import Any

from rulecheck.contract import brought
from rulecheck.games.icepalace import (
    DONE,
    NOBODY,
    ORIGIN,
    PALACE,
    PASS,
    WORKSITE,
    Cell,
    Move,
    Params,
    Position,
    Structure,
)
from rulecheck.model import Result, Status, Witness, agreement
from rulecheck.pyramids import Pyramid, Stack
from specs.icepalace.spec import Spec

Tick = Callable[[float], None]
Finding = tuple[Move | None, str]
EMPTY = Structure()


def pyramids(text: str) -> Stack:
    """`A1B3` as a stack, bottom first."""
    return tuple(Pyramid(text[i], int(text[i + 1])) for i in range(0, len(text), 2))


def structure(text: str) -> Structure:
    """`0,0:A1 1,0:B2W3` as a structure."""
    stacks: dict[Cell, Stack] = {}
    for part in text.split():
        cell, _, stack = part.partition(":")
        x, _, y = cell.partition(",")
        stacks[int(x), int(y)] = pyramids(stack)
    return Structure.of(stacks)


# -- Comparing one position ---------------------------------------------------------------------------------------


def differences(engine: Any, spec: Spec, position: Position) -> Iterator[Finding]:
    yield from _moves(engine, spec, position)
    yield from _chance(engine, spec, position)
    yield from _result(engine, spec, position)
    for move in probes(spec, position):
        ours, theirs = engine.judge(position, move), spec.judge(position, move)
        if not agreement(ours, theirs):
            yield move, f"engine: {ours}; constraints: {theirs}"


def _moves(engine: Any, spec: Spec, position: Position) -> Iterator[Finding]:
    ours, theirs = engine.moves(position), spec.moves(position)
    for move in sorted(ours.keys() ^ theirs, key=str):
        yield move, f"listed by the {'engine' if move in ours else 'constraints'} only"
    for move, result in ours.items():
        if move in theirs and (said := spec.after(position, move)) != result:
            yield move, f"engine: leads to {result}; constraints: to {said}"
    for move in candidates(spec, position):
        if (verdict := engine.judge(position, move)).legal != (move in theirs):
            yield move, f"engine: {verdict}; {'' if move in theirs else 'not '}listed by the constraints"


def candidates(spec: Spec, position: Position) -> Iterator[Move]:
    """Everything that might be allowed: what the player to move has, near what stands; and moves without a pyramid."""
    yield from (PASS, DONE)
    if position.mover in spec.letters:
        site, structure = (PALACE, position.palace) if position.left else (WORKSITE, position.worksite)
        held = position.left or position.hands[spec.letters.index(position.mover)]
        for pyramid, cell in product(dict.fromkeys(held), sorted(spec.cells(structure))):
            yield Move(pyramid, site, cell)


def _chance(engine: Any, spec: Spec, position: Position) -> Iterator[Finding]:
    drawn = brought(engine, position)
    ours = {after: Fraction(count, len(drawn)) for after, count in Counter(drawn).items()}
    if ours != spec.draws(position):
        yield None, "what chance may do here differs"


def _result(engine: Any, spec: Spec, position: Position) -> Iterator[Finding]:
    scores, winner = engine.score(position.palace), engine.winner(position)
    if scores != {c: spec.points(position.palace, c) for c in spec.letters}:
        yield None, f"engine: scores {scores}"
    if (None if winner is None else set(winner)) != spec.winners(position):
        yield None, f"engine: winner {winner}; constraints: {spec.winners(position)}"
    if position.left and engine.greatest_number(position) != spec.greatest(position.palace, position.left):
        yield None, f"engine: {engine.greatest_number(position)} can be used; constraints: another number"


def probes(spec: Spec, position: Position) -> list[Move]:
    """Moves of every kind, most of them not to be made here."""
    last = spec.letters[-1]
    kinds = {*position.left[:1], *(h[0] for h in position.hands if h), Pyramid(last, 1)}
    cells = (ORIGIN, (1, 0))
    placed = [Move(k, site, cell) for k in sorted(kinds) for site in (WORKSITE, PALACE) for cell in cells]
    return [PASS, DONE, *placed]


def prove_lists(
    engine: Any, spec: Spec, positions: Iterable[Position], scope: str, tick: Tick, *, sample: bool = False
) -> Result:
    """Each position given; if they were chosen or are only the first, nothing is said about the others."""
    count = 0
    for position in positions:
        count += 1
        for move, note in islice(differences(engine, spec, position), 1):
            params, readings = spec.params.as_dict(), dict(spec.readings)
            witness = Witness(str(position), None if move is None else str(move), note, params, readings)
            return Result(Status.REFUTED, scope, witness, count, sample=sample)
        if count % 50 == 0:
            tick(0.5)
    return Result(Status.UNKNOWN if sample else Status.PROVED, scope, cases=count, sample=sample)


def prove_numbers(engine: Any, spec: Spec, positions: Iterable[Position], scope: str, tick: Tick) -> Result:
    """How many can be used in the positions given, which are chosen: a sample."""
    count = 0
    for position in positions:
        count += 1
        ours, theirs = engine.greatest_number(position), spec.greatest(position.palace, position.left)
        within = spec.within_limit(position.palace, position.left, ours)
        if ours != theirs or not within:
            said = theirs if ours != theirs else "it is beyond their limit"
            note = f"engine: {ours} can be used; constraints: {said}"
            witness = Witness(str(position), None, note, spec.params.as_dict(), dict(spec.readings))
            return Result(Status.REFUTED, scope, witness, count, sample=True)
        tick(0.5)
    return Result(Status.UNKNOWN, scope, cases=count, sample=True)


# -- Where positions come from --------------------------------------------------------------------------------------


def reachable(engine: Any, most: int) -> Iterator[Position]:
    """What play reaches first, one of all positions that differ by the way the grid is turned."""
    todo, known = [engine.start()], {engine.start()}
    for position in todo:
        yield position
        for after in dict.fromkeys((*engine.moves(position).values(), *brought(engine, position))):
            same = after.turned()
            if len(todo) < most and same not in known:
                known.add(same)
                todo.append(after)


SITES = ("", "0,0:K3", "0,0:A1", "0,0:A1K2 1,0:A2", "0,0:W1 1,0:B1C3", "0,0:K1W2 1,0:W1")
PALACES = ("", "0,0:B1", "0,0:C3A2 0,1:A1")
BAGS = ("bare", "uneven", "full")


def rounds(params: Params, spec: Spec) -> Iterator[Position]:
    """Every mover, marker and number of passes, on a few worksites and palaces, with bags that suffice and do not."""
    for site, palace, bag in product(SITES, PALACES, BAGS):
        for marker, mover, passes in product(params.letters, params.letters, range(params.players)):
            hands = _hands(params, full=not site)  # before the opening everybody has a full hand
            at = Position(mover, structure(site), structure(palace), hands, _bag(params, bag), marker, passes)
            if spec.is_turn(at):
                yield at


def _hands(params: Params, full: bool) -> tuple[Stack, ...]:
    """Full hands of the own colour; or something to place for everybody, and something that does not fit."""
    if full:
        return tuple(tuple(Pyramid(c, z) for z in params.sizes for _ in range(params.hand)) for c in params.letters)
    return tuple(pyramids(text) for text in ("A2W1", "B1K3", "C3", "", "A1", "W3")[: params.players])


def _bag(params: Params, kind: str) -> tuple[tuple[int, int, int], ...]:
    count = {"bare": (0, 0, 0), "uneven": (9, 0, 9), "full": (4, 4, 4)}[kind]
    return tuple(count for _ in params.colours)


def refills(params: Params, spec: Spec) -> Iterator[Position]:
    """The last pass of a round in which nothing is built: every set of hands, by sizes, and every small bag."""
    hands = [tuple(Pyramid(c, z) for z in params.sizes if z in held) for c in "AW" for held in _subsets(params.sizes)]
    stocks = list(product(range(3), range(2), (0, 1)))
    for held in combinations_with_replacement(hands, params.players):
        for stock in stocks:
            for shift in (0, 1):
                ordered = held[shift:] + held[:shift]
                bag = tuple(_stock(c, stock) for c in params.colours)
                at = Position("A", structure("0,0:K3"), Structure(), ordered, bag, "B")  # then C has the marker
                passed = (replace(at, passes=n) for n in reversed(range(params.players)))
                yield next(filter(spec.is_turn, passed))


def _stock(colour: str, stock: tuple[int, ...]) -> tuple[int, int, int]:
    small, medium, large = stock
    return {"B": (small, medium, 0), "K": (1, 0, large)}.get(colour, (0, 0, 0))


def _subsets(sizes: tuple[int, ...]) -> list[tuple[int, ...]]:
    return [
        tuple(z for z, there in zip(sizes, flags, strict=True) if there) for flags in product((0, 1), repeat=len(sizes))
    ]


def after_refills(spec: Spec, positions: Iterable[Position]) -> Iterator[Position]:
    """Those positions, and what the pass leads to: drawing, a new round or the end."""
    for position in positions:
        yield position
        yield spec.after(position, PASS)


def finished(params: Params) -> Iterator[Position]:
    """The end of the game with every pair of stacks that can stand in the palace, and three in a row of smalls."""
    stacks = list(palace_stacks(params.letters))
    empty, hands = ((0, 0, 0),) * len(params.colours), ((),) * params.players
    for one, other in combinations_with_replacement(stacks, 2):
        palace = Structure.of({(0, 0): one, (1, 0): other})
        yield Position(NOBODY, Structure(), palace, hands, empty, "A")
    for tops in product("ABC", repeat=3):
        palace = Structure.of({(x, 0): (Pyramid(c, 1),) for x, c in enumerate(tops)})
        yield Position(NOBODY, Structure(), palace, hands, empty, "B")


def palace_stacks(colours: Iterable[str]) -> Iterator[Stack]:
    for sizes in ((1,), (2,), (3,), (2, 1), (3, 1), (3, 2), (3, 2, 1)):
        for owners in product(tuple(colours), repeat=len(sizes)):
            yield tuple(Pyramid(c, z) for c, z in zip(owners, sizes, strict=True))


# -- All small structures ---------------------------------------------------------------------------------------------


def grown(spec: Spec, site: str, kinds: Stack, most: int) -> list[Structure]:
    """Every structure of at most this many of these pyramids that the constraints allow, up to turns of the grid."""
    structures = layer = [Structure()]
    for _ in range(most):
        layer = list(dict.fromkeys(after for before in layer for after in _one_more(spec, site, before, kinds)))
        structures = [*structures, *layer]
    return list(dict.fromkeys(structures))


def _one_more(spec: Spec, site: str, before: Structure, kinds: Stack) -> Iterator[Structure]:
    at = _standing(spec.params, *((before,) if site == WORKSITE else (EMPTY, before)))
    for pyramid, cell in product(kinds, sorted(spec.cells(before))):
        if spec.code(site).fits(pyramid, spec.around(at, Move(pyramid, site, cell))):
            yield min(before.put(pyramid, cell).images(), key=lambda image: image.stacks)


def _standing(params: Params, worksite: Structure = EMPTY, palace: Structure = EMPTY) -> Position:
    bag, hands = ((0, 0, 0),) * len(params.colours), ((),) * params.players
    return Position("A", worksite, palace, hands, bag, "A")


def small_worksites(params: Params, spec: Spec) -> Iterator[Position]:
    """Every worksite of up to two pyramids; the player to move has two pyramids of each size, of any two colours."""
    chosen = pyramids("A1A2A3B1B2B3K1K2K3W1W2W3")
    for worksite in grown(spec, WORKSITE, chosen, 2):
        for held in (chosen[:6], chosen[6:]):
            yield replace(_standing(params, worksite), hands=(tuple(sorted(held)),) * params.players)


def small_rounds(params: Params, spec: Spec) -> Iterator[Position]:
    """Every mover, marker and number of passes on every worksite of up to two of four pyramids, and two palaces."""
    worksites = grown(spec, WORKSITE, pyramids("A1B2K1W3"), 2)
    for worksite, palace, bag in product(worksites, ("", "0,0:B1"), ("bare", "full")):
        for marker, mover, passes in product(params.letters, params.letters, range(params.players)):
            hands = _hands(params, full=not worksite)
            at = Position(mover, worksite, structure(palace), hands, _bag(params, bag), marker, passes)
            if spec.is_turn(at):
                yield at


def small_buildings(params: Params, spec: Spec, most: int) -> Iterator[Position]:
    """Every palace of at most two pyramids with every material of at most this many; colours come in order, A first."""
    kinds = tuple(Pyramid(c, z) for c in "ABC" for z in params.sizes)
    for palace in grown(spec, PALACE, kinds, 2):
        for count in range(1, most + 1):
            for left in combinations_with_replacement(kinds, count):
                colours = list(dict.fromkeys(k.colour for k in (*palace.pyramids, *left)))
                if colours == sorted(colours) and colours[-1] == "ABC"[len(colours) - 1]:
                    yield replace(_standing(params, palace=palace), left=left)


# Palaces with stacks that are shut in, tops of several colours side by side, and room on one side only.
BUILT = (
    "",
    "0,0:A1",
    "0,0:B3",
    "0,0:A1 1,0:A2",
    "0,0:A2B1 0,1:A3",
    "0,0:A1 1,0:B1 -1,0:B1 0,1:B1 0,-1:B1",
    "0,0:A3 1,0:B1 -1,0:B1 0,1:C1 0,-1:B2",
    "0,0:A1 1,0:B1 1,1:A1",
    "0,0:A1 1,0:B1 -1,0:B1 0,1:B1 1,-1:B1",
)
CROWDED = (*BUILT, "0,0:A1 -1,0:B1 0,-1:B1")  # in the last the corner stack has room in the north and east alone
MUCH = ("A1A1B2B2C2C2", "A2A3B3B3C3C3", "A1A1B1B1C1C1", "A1B1B2C1C2C3", "B2B3B3C1C1C1C1", "A1A1A1A1A1B3C3")
MATERIALS = ("A1", "C3", "A1B1", "A2B3", "B1C2", "A1A1B1", "A2B1C3", "A3B3C1")


def buildings(params: Params, palaces: Iterable[str], materials: Iterable[str]) -> Iterator[Position]:
    bag, hands = ((0, 0, 0),) * len(params.colours), ((),) * params.players
    for palace, material in product(palaces, materials):
        yield Position("B", Structure(), structure(palace), hands, bag, "A", left=pyramids(material))


def shapes(params: Params, count: int) -> Iterator[Position]:
    """Worksites of every shape within three by three cells with at most this many stacks, in four colourings."""
    block = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)]
    colours = ("A", "W", "AB", "KWA")
    hands = (pyramids("A1A3B2K2W1"), *[()] * (params.players - 1))
    bag = ((0, 0, 0),) * len(params.colours)
    for flags in product((0, 1), repeat=len(block)):
        cells = [cell for cell, there in zip(block, flags, strict=True) if there]
        if 0 < len(cells) <= count:
            for paint in colours:
                stacks = {cell: (Pyramid(paint[i % len(paint)], 1 + i % 2),) for i, cell in enumerate(cells)}
                yield Position("A", Structure.of(stacks), Structure(), hands, bag, "A")
