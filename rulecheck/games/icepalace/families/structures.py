"""Ice Palace: all structures that can be built of a few pyramids, and all ways to build a palace of some material."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterator, Sequence

from rulecheck.games.icepalace import BLACK, GAME, WHITE, WORKSITE, Position, Structure, cell_text
from rulecheck.games.icepalace.engine import Engine
from rulecheck.games.icepalace.engine_building import PalaceCode, WorksiteCode
from rulecheck.model import Readings
from rulecheck.pyramids import SMALL, Pyramid, Stack, stack_text

Material = tuple[Pyramid, ...]


OF_WORKSITE = ("stacking", "onto_black", "match", "adjacent", "white_white", "grid")
OF_PALACE = ("palace_first", "palace_island", "palace_adjacent", "palace_stack", "grid")


def about(site: str, readings: Readings) -> Readings:
    """All readings that this site's code does not look at by default: what is known under these need not be asked
    again."""
    names = OF_WORKSITE if site == WORKSITE else OF_PALACE
    return GAME.rulebook.defaults().replace(**{name: readings[name] for name in names})


def structures(engine: Engine, site: str, of: Material, most: int) -> tuple[Structure, ...]:
    """Every worksite or palace of at most this many of these pyramids, small before large, up to turns of the grid."""
    return _structures(site, of, most, about(site, engine.readings))


@functools.lru_cache(maxsize=64)
def _structures(site: str, of: Material, most: int, readings: Readings) -> tuple[Structure, ...]:
    steps = WorksiteCode(readings).placements if site == WORKSITE else PalaceCode(readings).steps
    layer = {(Structure(), of)}
    ordered: dict[Structure, None] = {}
    for _ in range(most):
        following: dict[tuple[Structure, Material], None] = {}
        for structure, held in layer:
            for pyramid, cell in steps(structure, held):
                rest = list(held)
                rest.remove(pyramid)
                following[_least(structure.put(pyramid, cell)), tuple(rest)] = None
        ordered |= dict.fromkeys(sorted((s for s, _ in following), key=lambda s: s.stacks))
        layer = set(following)
    return tuple(ordered)


def _least(structure: Structure) -> Structure:
    return min(structure.images(), key=lambda image: image.stacks)


def materials(engine: Engine, of: Material, most: int) -> dict[Material, Structure]:
    """What worksites of at most this many of these leave to build with, few pyramids first, each with one worksite."""
    worksites: dict[Material, Structure] = {}
    for worksite in structures(engine, WORKSITE, of, most):
        left = tuple(sorted(q for q in worksite.pyramids if q.colour not in (BLACK, WHITE)))
        worksites.setdefault(left, worksite)
    return worksites


def ended(engine: Engine, worksite: Structure) -> Position:
    """The position after a round that left this worksite: A builds, the palace is empty, and so is the bag."""
    bag, hands = ((0, 0, 0),) * len(engine.params.colours), ((),) * engine.params.players
    return engine.begin_building(Position("A", worksite, Structure(), hands, bag, "A"), builder="A")


def palaces(engine: Engine, position: Position) -> Iterator[Structure]:
    """What may stand when building is over, up to turns of the grid."""
    todo, known = [position], {position}
    while todo:
        here = todo.pop()
        if not here.left:
            yield here.palace
            continue
        for after in engine.moves(here).values():
            same = after.turned()
            if same not in known:
                known.add(same)
                todo.append(same)


def lost_small(engine: Engine, worksite: Structure) -> Structure | None:
    """A palace in which a small pyramid of the worksite is missing, though building was done by the rules."""
    smalls = Counter(q for q in worksite.pyramids if q.pips == SMALL and q.colour not in (BLACK, WHITE))
    if not smalls:
        return None
    if engine.palace.islands and engine.readings["max_number"] != "agreed":
        return None  # whatever is left can stand apart, so building goes on until nothing is
    if engine.readings["max_number"] == "exact":
        return _spared(engine, worksite, smalls)
    return next((p for p in palaces(engine, ended(engine, worksite)) if smalls - Counter(p.pyramids)), None)


def _spared(engine: Engine, worksite: Structure, smalls: Counter[Pyramid]) -> Structure | None:
    """Where the greatest number must be used, a small can be spared if the number is the same without it."""
    left = ended(engine, worksite).left
    if not left:  # building never began
        return Structure()
    greatest = engine.palace.greatest_number(Structure(), left)
    for small in smalls:
        rest = _without(left, small)
        if engine.palace.greatest_number(Structure(), rest) == greatest:
            return _some_palace(engine, rest)
    return None


def _without(left: Stack, pyramid: Pyramid) -> Stack:
    at = left.index(pyramid)
    return left[:at] + left[at + 1 :]


def _some_palace(engine: Engine, left: Stack) -> Structure:
    bag, hands = ((0, 0, 0),) * len(engine.params.colours), ((),) * engine.params.players
    position = Position("A", Structure(), Structure(), hands, bag, "A", left=left)
    while position.left:
        position = next(iter(engine.moves(position).values()))
    return position.palace


def stacks_text(structure: Structure) -> str:
    return " ".join(f"{cell_text(cell)}:{stack_text(stack)}" for cell, stack in structure) or "nothing"


def kinds(texts: Sequence[str]) -> Material:
    return tuple(Pyramid(text[0], int(text[1])) for text in texts)
