"""Ice Palace: what is true of every worksite or palace whatever, asked of z3 for one cell and what stands around it.

A placement is judged by the surroundings of its cell alone, so a statement about one placement that holds for all
surroundings holds for structures of any size. What z3 finds against a statement is replayed on the engine.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import z3

from rulecheck.games.icepalace import ORIGIN, PALACE, SIZES, WORKSITE, Cell, Structure
from rulecheck.games.icepalace.engine import Engine
from rulecheck.games.icepalace.families.structures import about
from rulecheck.games.icepalace.families.windows import least
from rulecheck.model import Readings, Verdict
from rulecheck.pyramids import SMALL, Pyramid, Stack
from solvers.smt import Answer, Asker, Bool, every
from specs.icepalace.spec_codes import HERE, Code, Palace, Worksite

AWAY: Cell = (1, 1)  # a cell that is not 0,0


class Placement(NamedTuple):
    """A pyramid about to be put on a cell, and what stands there; `begun` says if anything stands anywhere."""

    pyramid: Pyramid
    cell: Cell
    structure: Structure
    begun: bool

    def judged(self, engine: Engine, site: str) -> Verdict:
        rules = engine.worksite if site == WORKSITE else engine.palace
        return rules.judge(self.structure.at, not self.begun, self.pyramid, self.cell)

    def __str__(self) -> str:
        stacks = (f"{x},{y}:{''.join(map(str, stack))}" for (x, y), stack in self.structure)
        return f"{self.pyramid} on {self.cell[0]},{self.cell[1]} with {' '.join(stacks) or 'nothing around it'}"


@functools.lru_cache(maxsize=8)
def code_of(site: str, colours: tuple[str, ...], readings: Readings) -> Code:
    return Worksite("w", colours, readings) if site == WORKSITE else Palace("p", colours, readings)


def _code(engine: Engine, site: str) -> Code:
    colours = engine.params.colours if site == WORKSITE else engine.params.letters
    return code_of(site, colours, about(site, engine.readings))


def kinds(code: Code) -> Iterator[Pyramid]:
    return (Pyramid(c, z) for c in code.window.colours for z in SIZES)


def _read(window_at: Mapping[tuple[Cell, int, str], Bool], asker: Asker, cell: Cell, rising: bool) -> Structure:
    """The surroundings in the solution just found, moved to the cell."""
    stacks: dict[Cell, list[Pyramid]] = {}
    for (place, size, colour), flag in window_at.items():
        if asker.holds(flag):
            stacks.setdefault((place[0] + cell[0], place[1] + cell[1]), []).append(Pyramid(colour, size))
    ordered: dict[Cell, Stack] = {
        at: tuple(sorted(stack, key=lambda q: q.pips if rising else -q.pips)) for at, stack in stacks.items()
    }
    return Structure.of(ordered)


def _asked(asker: Asker, *facts: Bool) -> bool:
    return _answered(asker.ask(*facts))


def _answered(answer: Answer) -> bool:
    if answer is Answer.UNKNOWN:
        raise TimeoutError("z3 gave no answer about the surroundings of a cell")
    return answer is Answer.YES


def allowed(engine: Engine, site: str, pyramid: Pyramid, there: Bool) -> Placement | None:
    """A placement of this pyramid in a structure that has begun, in surroundings of which `there` is true."""
    code = _code(engine, site)
    window, asker = code.window, code.asker
    facts = [window.begun, asker.name(there), *code.literals(pyramid).values()]
    if not _asked(asker, *facts):
        return None
    _answered(least(asker, window, *facts))
    cell = ORIGIN if asker.holds(window.origin) else AWAY
    placement = Placement(pyramid, cell, _read(window.at, asker, cell, code.rising), begun=True)
    if not placement.judged(engine, site).legal:
        raise AssertionError(f"the engine does not allow {placement}")
    return placement


# -- Statements: each answers with a placement against it, or None -----------------------------------------------------


def placed_after_opening(engine: Engine, pyramids: list[Pyramid]) -> Placement | None:
    """One of these can be placed on some worksite that has begun."""
    placements = (allowed(engine, WORKSITE, pyramid, z3.BoolVal(True)) for pyramid in pyramids)
    return next((placement for placement in placements if placement), None)


def out_of_order(engine: Engine, site: str) -> Placement | None:
    """A pyramid goes on a stack that has one of its size, or one that should be above it."""
    code = _code(engine, site)
    for pyramid in kinds(code):
        wrong = [z for z in SIZES if (z >= pyramid.pips if code.rising else z <= pyramid.pips)]
        if witness := allowed(engine, site, pyramid, code.window.has(HERE, code.window.colours, wrong)):
            return witness
    return None


def decides_alone(engine: Engine, clause: str) -> bool:
    """Is there a placement on the worksite that this clause forbids and no other?"""
    code = _code(engine, WORKSITE)
    for pyramid in kinds(code):
        others = [term for name, term in code.literals(pyramid).items() if name != clause]
        if _asked(code.asker, *others, code.asker.name(z3.Not(code.terms(pyramid)[clause]))):
            return True
    return False


def on_a_small(engine: Engine) -> Placement | None:
    """Something goes on a small pyramid of the palace."""
    code = _code(engine, PALACE)
    small = code.window.has(HERE, code.window.colours, [SMALL])
    return next((witness for q in kinds(code) if (witness := allowed(engine, PALACE, q, small))), None)


def not_mirrored(engine: Engine) -> tuple[Placement, Placement] | None:
    """A step of the palace and the placement on the worksite with small and large exchanged, judged differently."""
    palace, worksite = _code(engine, PALACE), _code(engine, WORKSITE)
    there, here = palace.window, worksite.window
    asker = Asker()
    asker.add(*there.arrangement(), *here.arrangement(), there.begun == here.begun, there.origin == here.origin)
    for (p, z, c), flag in here.at.items():
        asker.add(flag == there.at[p, 4 - z, c] if c in there.colours else z3.Not(flag))
    for pyramid in kinds(palace):
        turned = Pyramid(pyramid.colour, 4 - pyramid.pips)
        ours, theirs = (every(code.terms(q).values()) for code, q in ((palace, pyramid), (worksite, turned)))
        unlike = asker.name(ours != theirs)
        if _asked(asker, unlike):
            _answered(least(asker, there, unlike))
            return _mirrored(engine, asker, palace, worksite, pyramid)
    return None


def _mirrored(
    engine: Engine, asker: Asker, palace: Code, worksite: Code, pyramid: Pyramid
) -> tuple[Placement, Placement]:
    cell = ORIGIN if asker.holds(palace.window.origin) else AWAY
    begun = asker.holds(palace.window.begun)
    step = Placement(pyramid, cell, _read(palace.window.at, asker, cell, rising=False), begun)
    turned = Pyramid(pyramid.colour, 4 - pyramid.pips)
    placed = Placement(turned, cell, _read(worksite.window.at, asker, cell, rising=True), begun)
    if step.judged(engine, PALACE).legal == placed.judged(engine, WORKSITE).legal:
        raise AssertionError(f"the engine judges alike: {step}, {placed}")
    return step, placed
