"""Ice Palace: the families of proofs.

`worksite`, `palace` and `far` treat every surroundings of every cell of the grid by complete case analysis; the other
families compare whole positions one by one, or all solutions of a third encoding, and say which.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from rulecheck.games.icepalace import GAME, PALACE, WORKSITE, Params, Position
from rulecheck.games.icepalace.families import layouts, lists, windows
from rulecheck.games.icepalace.families.structures import OF_PALACE, OF_WORKSITE
from rulecheck.model import Readings, Result, Status, Witness, together
from specs.icepalace.spec import Spec

Encodings = tuple[Callable[..., Any], Callable[..., Any]]
Tick = Callable[[float], None]
Given = Mapping[str, str]
# The readings by what they are about; a quick proof looks at what a changed one touches.
OF_ROUNDS = {"opening", "round_end", "empty_round"}
OF_BUILDING = {"palace_first", "palace_island", "palace_adjacent", "palace_stack", "max_number"}
SMALLS = {"stash": "1", "hand": "1", "sizes": "1"}  # three players with one small each, a black and a white in the bag
FLAT = {"stash": "1", "hand": "1", "black": "0", "white": "0", "sizes": "12"}
BLACKS = {"stash": "1", "hand": "1", "black": "1", "white": "0", "sizes": "12"}
REFILLED = {"stash": "2", "hand": "1", "black": "0", "white": "1", "sizes": "1"}
WHITES = {"stash": "1", "hand": "1", "black": "0", "white": "1", "sizes": "12"}
Positions = Callable[[Any, Spec], Iterable[Position]]
FEW = 2  # stacks around a cell, in quick proofs
KINGS_FEW = 3  # and where a cell has eight beside it


class Family:
    """Both encodings under the readings given, for any parameters."""

    def __init__(self, params: Params, encodings: Encodings, readings: Readings, tick: Tick) -> None:
        self.params, self.encodings, self.readings, self.tick = params, encodings, readings, tick
        self._made: dict[Params, tuple[Any, Spec]] = {}

    def both(self, given: Given | None = None) -> tuple[Any, Spec]:
        params = self.params if given is None else GAME.params(given)
        if params not in self._made:
            self._made[params] = (self.encodings[0](params, self.readings), self.encodings[1](params, self.readings))
        return self._made[params]

    def lists(self, which: str, given: Given | None, positions: Positions, *, sample: bool = False) -> Result:
        engine, spec = self.both(given)
        scope = f"moves, results, clauses, chances and scores of {which} ({described(spec.params)})"
        return lists.prove_lists(engine, spec, positions(engine, spec), scope, self.tick, sample=sample)

    def code(self, site: str, few: int | None = None) -> Result:
        """Every cell and every pyramid; if eight cells are beside it, with a bounded number of stacks."""
        engine, spec = self.both()
        kings = self.readings["grid"] == "king"
        most = few or (KINGS_FEW if kings else None)
        around = f"with at most {most} stacks around it" if most else "every arrangement around it"
        name = "worksite" if site == WORKSITE else "palace"
        scope = f"{name} code: every pyramid on every cell, {around} ({described(spec.params)}); legality and clause"
        bound = most or len(spec.palace.window.places)
        if site == WORKSITE and self.readings["match"] in ("any", "all"):
            return windows.prove_code_by_matching(engine, spec, bound, scope, self.tick)
        return windows.prove_code(engine, spec, site, bound, scope, self.tick)

    def far(self) -> Result:
        _, spec = self.both()
        scope = "where nothing stands near, nothing can be placed: every pyramid, on either grid"
        return windows.prove_nothing_far(spec, scope)

    def game(self, given: Given, most: int) -> Result:
        engine, _ = self.both(given)
        positions = list(lists.reachable(engine, most + 1))
        every = "every position that play can reach"
        which = every if len(positions) <= most else f"the {most:,} positions that play reaches first, and no others"
        bounded = len(positions) > most
        return self.lists(f"{which}, up to turns of the grid", given, lambda e, s: positions[:most], sample=bounded)


def described(params: Params) -> str:
    defaults = Params().as_dict()
    return ", ".join(f"{k}={v}" for k, v in params.as_dict().items() if v != defaults[k]) or "the whole game"


# -- The families ---------------------------------------------------------------------------------------------------


def worksite(family: Family) -> Result:
    return family.code(WORKSITE)


def palace(family: Family) -> Result:
    return family.code(PALACE)


def far(family: Family) -> Result:
    return family.far()


def cells(family: Family) -> Result:
    which = "worksites of up to three stacks within three by three cells, all shapes in four colourings"
    few = family.lists(which, None, lambda engine, spec: lists.shapes(spec.params, 3), sample=True)
    return together([family.far(), few])


def _rounds(family: Family, players: int) -> Result:
    which = "every mover, marker and number of passes on chosen worksites, palaces and bags"
    given = {"players": str(players)}
    return family.lists(which, given, lambda engine, spec: lists.rounds(spec.params, spec), sample=True)


def rounds(family: Family) -> Result:
    return _rounds(family, 3)


def small_worksites(family: Family) -> Result:
    which = "every worksite of up to two pyramids of two players, black and white, two of each size in the hand"
    return family.lists(which, None, lambda engine, spec: lists.small_worksites(spec.params, spec))


def small_rounds(family: Family) -> Result:
    which = "every mover, marker and number of passes on every worksite of up to two of A1, B2, K1 and W3, some hands"
    return family.lists(which, None, lambda engine, spec: lists.small_rounds(spec.params, spec))


def _small_buildings(family: Family, most: int) -> Result:
    which = f"every building of up to {most} pyramids on every palace of up to two, up to the names of colours"
    return family.lists(which, None, lambda engine, spec: lists.small_buildings(spec.params, spec, most))


def one_pyramid(family: Family) -> Result:
    return _small_buildings(family, 1)


def small_buildings(family: Family) -> Result:
    return _small_buildings(family, 2)


def more_buildings(family: Family) -> Result:
    return _small_buildings(family, 3)


def more_players(family: Family) -> Result:
    return together(_rounds(family, players) for players in (4, 5, 6))


def _refills(family: Family, which: str, stride: int = 1) -> Result:
    def positions(engine: Any, spec: Spec) -> Iterator[Position]:
        return lists.after_refills(spec, islice(lists.refills(spec.params, spec), 0, None, stride))

    return family.lists(
        f"{which} all hands by size and small bags", {"hand": "1", "sizes": "12"}, positions, sample=stride > 1
    )


def refills(family: Family) -> Result:
    return _refills(family, "the last pass of a round, and what follows it, for")


def scores(family: Family) -> Result:
    which = "finished games with every pair of stacks that can stand in a palace, and three smalls"
    return family.lists(which, None, lambda engine, spec: lists.finished(spec.params))


def set_up(family: Family) -> Result:
    games: list[Given] = [{"players": str(n), "stash": stash} for n in (3, 4, 5, 6) for stash in ("2", "5")]
    games += [{"black": "2"}, {"white": "0"}, {"sizes": "13"}]
    scope = f"the start of {len(games)} games, with 3 to 6 players"
    for count, given in enumerate(games, start=1):
        engine, spec = family.both(given)
        if not spec.bag.is_start(start := engine.start()):
            witness = Witness(str(start), None, "the constraints have another start", dict(given))
            return Result(Status.REFUTED, scope, witness, count)
    return Result(Status.PROVED, scope, cases=len(games))


def starts(family: Family) -> Result:
    """The set-up and the draws that follow it."""
    games: list[Given] = [{}, {"players": "6", "black": "2"}, {"sizes": "13", "stash": "2", "white": "0"}]
    return together([set_up(family), *(family.game(given, 200) for given in games)])


def _materials(family: Family) -> tuple[str, ...]:
    """Islands have very much room, so there are very many ways to use three pyramids."""
    short = tuple(material for material in lists.MATERIALS if len(material) <= 4)
    return short if family.readings["palace_island"] == "yes" else lists.MATERIALS


def building(family: Family) -> Result:
    materials = _materials(family)
    which = f"buildings of {len(materials)} materials, {', '.join(materials)}, on {len(lists.BUILT)} palaces"
    return family.lists(which, None, lambda e, spec: lists.buildings(spec.params, lists.BUILT, materials), sample=True)


def numbers(family: Family) -> Result:
    engine, spec = family.both()
    scope = f"greatest numbers of {', '.join(lists.MUCH)} on {len(lists.CROWDED)} palaces"
    positions = lists.buildings(spec.params, lists.CROWDED, lists.MUCH)
    return lists.prove_numbers(engine, spec, positions, scope, family.tick)


def _layouts(family: Family, kinds: str, length: int) -> Result:
    engine, _ = family.both()
    scope = f"engine and third encoding: every worksite of {length} placements from {kinds}, in every order"
    return layouts.prove_layouts(engine, lists.pyramids(kinds), length, scope, family.tick)


def worksite_layouts(family: Family) -> Result:
    return _layouts(family, "A1A2A3B2K1K2W1W3", 3)


def longer_layouts(family: Family) -> Result:
    return _layouts(family, "A1A2B3K2W1", 4)


def _builds(family: Family, palaces: Iterable[str], materials: Iterable[str]) -> Result:
    engine, _ = family.both()
    chosen = tuple(materials)
    positions = list(lists.buildings(engine.params, palaces, chosen))
    scope = (
        f"engine and third encoding: every whole building of {', '.join(chosen)}, {len(positions)} in all, on palaces"
    )
    return layouts.prove_builds(engine, positions, scope, family.tick)


def palace_builds(family: Family) -> Result:
    return _builds(family, lists.BUILT, _materials(family))


def game_smalls(family: Family) -> Result:
    return family.game(SMALLS, 2_000)


def game_flat(family: Family) -> Result:
    return family.game(FLAT, 4_000)


def game_blacks(family: Family) -> Result:
    return family.game(BLACKS, 4_000)


def game_refilled(family: Family) -> Result:
    return family.game(REFILLED, 4_000)


def game_whites(family: Family) -> Result:
    return family.game(WHITES, 4_000)


def touched(family: Family) -> Result:
    """What is listed on small worksites and palaces, and in the smallest game; what the readings touch that are not the
    default, or everything if all are default.
    """
    defaults = GAME.rulebook.defaults()
    changed = {name for name, value in family.readings.items() if defaults[name] != value}
    parts: list[Callable[[Family], Result]] = []
    for names, part in (
        (OF_WORKSITE, lambda f: f.code(WORKSITE, FEW)),
        (OF_PALACE, lambda f: f.code(PALACE, FEW)),
        (OF_WORKSITE, few_layouts),
        (OF_BUILDING, few_builds),
        (OF_ROUNDS, rounds),
        (OF_BUILDING, few_buildings),
        ({"refill", "draw_order"}, few_refills),
        ({"tie"}, scores),
    ):
        if not changed or changed.intersection(names):
            parts.append(part)
    return together(part(family) for part in (*parts, small_worksites, one_pyramid, smallest))


def few_buildings(family: Family) -> Result:
    which = "buildings of a few materials on a few palaces"
    chosen = ("A1B1", "A1A1B1") if family.readings["palace_island"] == "no" else ("A1B1",)
    return family.lists(
        which, None, lambda e, spec: lists.buildings(spec.params, lists.BUILT[::2], chosen), sample=True
    )


def few_layouts(family: Family) -> Result:
    return _layouts(family, "A1A2B3K2W1", 3)


def few_builds(family: Family) -> Result:
    if family.readings["palace_island"] == "yes":  # then there is very much room
        return _builds(family, lists.BUILT[:4:2], ("A1B1",))
    return _builds(family, lists.BUILT[::2], ("A1B1", "A1A1B1"))


def few_refills(family: Family) -> Result:
    return _refills(family, "one in three ways to end a round, and what follows it, of", 3)


def smallest(family: Family) -> Result:
    return family.game(SMALLS, 140)


USUAL: dict[str, Callable[[Family], Result]] = {
    "worksite": worksite,
    "palace": palace,
    "cells": cells,
    "start": starts,
    "rounds": rounds,
    "refills": refills,
    "small-worksites": small_worksites,
    "small-rounds": small_rounds,
    "small-buildings": small_buildings,
    "building": building,
    "numbers": numbers,
    "scores": scores,
    "layouts": worksite_layouts,
    "builds": palace_builds,
    "game-smalls": game_smalls,
}
LONG: dict[str, Callable[[Family], Result]] = {
    "more-players": more_players,
    "game-flat": game_flat,
    "game-blacks": game_blacks,
    "game-whites": game_whites,
    "game-refilled": game_refilled,
    "layouts-4": longer_layouts,
    "more-buildings": more_buildings,
}
QUICK: dict[str, Callable[[Family], Result]] = {"touched": touched}


def family_names(params: Params) -> list[str]:
    """All that `prove` goes through; the quick ones are for readings."""
    return [*USUAL, *LONG]


def run_family(name: str, params: Params, encodings: Encodings, readings: Readings, tick: Tick) -> Result:
    return {**USUAL, **LONG, **QUICK}[name](Family(params, encodings, readings, tick))
