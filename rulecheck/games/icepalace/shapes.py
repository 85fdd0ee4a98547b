"""Ice Palace: small games, in each the position with the fewest pyramids placed where two readings differ.

In the first two games everybody is dealt white or black pyramids only, so that the first round has them; the third has
a bag that can run short; in the last two a line is kept. What is said about smaller positions does not come from these
games: all worksites and palaces of fewer pyramids, whatever their colours, are listed and compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement, islice

from rulecheck.analyses.ambiguities import Difference, differing_move
from rulecheck.contract import brought
from rulecheck.games.icepalace import PALACE, PASS, WORKSITE, Params, Position, Structure, read_params
from rulecheck.games.icepalace.engine import Engine
from rulecheck.games.icepalace.families import lists
from rulecheck.games.icepalace.families.structures import OF_WORKSITE, Material, stacks_text, structures
from rulecheck.games.icepalace.lines import Play, replay
from rulecheck.games.icepalace.research.building import building_position
from rulecheck.model import InputError, Readings, Result, Status
from rulecheck.pyramids import Pyramid, Stack, stack_text
from specs.icepalace.spec import Spec

SEARCHED = tuple(
    map(
        read_params,
        (
            {"stash": "1", "hand": "2", "black": "0", "white": "3", "sizes": "12"},
            {"stash": "1", "hand": "2", "black": "3", "white": "0", "sizes": "12"},
            {"stash": "1", "hand": "1", "black": "0", "white": "1", "sizes": "12"},
        ),
    )
)
MOST = 250  # positions of each game that are looked at
KEPT = read_params({"stash": "2", "hand": "2", "black": "0", "white": "0", "sizes": "12"})
SHORT_BAG = read_params({"stash": "1", "hand": "1", "black": "0", "white": "2", "sizes": "12"})
LINES = {
    KEPT: (
        *("A begins", "A draws B1", "A draws A2", "B draws A1", "B draws B2"),
        *("B1@w0,0", "pass", "pass", "A2@w0,0", "A1@w1,0", "pass", "A1@w-1,0", "pass", "pass", "A2@w0,1"),
        *("pass", "pass", "pass", "A1@p0,0", "A1@p0,1", "A2@p-1,1", "B1@p-1,1"),
    ),
    SHORT_BAG: (  # everybody lacks a small one, and the bag has one small and two medium ones left
        *("A begins", "A1@w0,0", "pass", "pass", "pass", "A1@p0,0"),
        *("B1@w0,0", "pass", "W1@w1,0", "pass", "C1@w2,0", "pass", "pass"),
    ),
}


def shapes() -> Iterator[Params]:
    yield from (*SEARCHED, *LINES)


def below(shape: Params) -> str:
    return f"the first {MOST} positions of each of {len(SEARCHED)} small games"


def bound() -> str:
    return f"{below(KEPT)}, those with fewest pyramids placed, nor after lines kept for others"


ASKED_UNDER = {"empty_round": ("opening", "may_pass"), "draw_order": ("refill", "total")}


def never_separated(first: Readings, second: Readings) -> Result | None:
    """Two readings are asked for under one value of another one only; under the others they make no difference."""
    name = _changed(first, second)
    other, value = ASKED_UNDER.get(name, (name, ""))
    return None if name not in ASKED_UNDER or first[other] == value else _never_asked(name, other, first, second)


def _never_asked(name: str, other: str, first: Readings, second: Readings) -> Result | None:
    """An engine that cannot tell the reading plays all rounds and refills of the families of that name, and the
    constraints say the same of them under both values."""
    silent, whole = Readings({key: value for key, value in first.items() if key != name}), read_params({})
    small = read_params({"hand": "1", "sizes": "12"})
    cases = 0
    for params, source in ((whole, lists.small_rounds), (small, lists.refills)):
        engine, specs = Engine(params, silent), (Spec(params, first), Spec(params, second))
        for position in source(params, specs[0]):
            cases += 1
            if not _alike(engine, specs, position):
                return None
    scope = (
        f"while {other}={first[other]}: the engine does not ask for it, and the constraints say the same by both, with "
        "every mover, marker and number of passes on every worksite of up to two of four pyramids, and in the draws "
        "after a round for all hands by size and small bags"
    )
    return Result(Status.PROVED, scope, cases=cases)


def _alike(engine: Engine, specs: tuple[Spec, Spec], position: Position) -> bool:
    """Every move, where it leads and what chance makes of that."""
    one, other = specs
    try:
        moves = engine.moves(position)
        for after in moves.values():
            brought(engine, after)
    except KeyError:
        return False
    stated = all(one.after(position, m) == other.after(position, m) for m in moves)
    return stated and all(one.draws(p) == other.draws(p) for p in moves.values())


def find_difference(first: Engine, second: Engine) -> Difference | None:
    return (_kept if first.params in LINES else _searched)(first, second)


def _kept(first: Engine, second: Engine) -> Difference | None:
    """After the line that is kept for this game, if both engines allow it."""
    line = LINES[first.params]
    try:
        position, same = replay(first, line), replay(second, line)
    except InputError:
        return None
    move = differing_move(first, second, position) if position == same else None
    return None if move is None else (position, move, line)


def _searched(first: Engine, second: Engine) -> Difference | None:
    play = Play(first)
    for position in islice(play, MOST):
        if (move := differing_move(first, second, position)) is not None:
            return position, move, play.line(position)
    return None


# -- What is known of smaller positions ---------------------------------------------------------------------------


def witness_scope(first: Engine, second: Engine, position: Position) -> str:
    """For two engines that differ in one reading, and a position in which that shows."""
    name = _changed(first.readings, second.readings)
    size = len(position.palace.pyramids) + len(position.worksite.pyramids or position.left)
    if name in ("refill", "draw_order") or (name == "tie" and size > 1):
        return "in play; whether less would do was not asked"
    if name in OF_WORKSITE or name in ("opening", "round_end", "empty_round"):
        size = len(position.worksite.pyramids)
        smaller, what = _differing_worksite(first, second, size - 1), "worksite of fewer than {} pyramids of any kind"
    else:
        smaller, what = _differing_building(first, second, size - 1), "building with fewer than {} pyramids in all"
    if smaller is not None:
        return f"in play; {smaller} would tell already"
    if size < 2:
        return "smallest: one pyramid is enough, and nothing is less" if size else "smallest: no pyramid is needed"
    return f"smallest: no {what.format(size)} tells them apart"


def _changed(first: Readings, second: Readings) -> str:
    """The reading in which they differ."""
    (name,) = (name for name in first if first[name] != second[name])
    return name


def _differing_worksite(first: Engine, second: Engine, most: int) -> str | None:
    if most >= 0 and _passes(first) != _passes(second):
        return "an empty worksite"
    return _differing(first, second, WORKSITE, most)


def _passes(engine: Engine) -> list[str]:
    """What becomes of passes while nothing has been placed."""
    empty, results = next(position for position in Play(engine) if not brought(engine, position)), []
    for _ in range(engine.params.players):
        verdict = engine.judge(empty, PASS)
        results.append(str(verdict))
        if verdict.legal:
            empty = engine.play(empty, PASS)
            results.append(str(empty))
    return results


def _differing_building(first: Engine, second: Engine, most: int) -> str | None:
    """If every step in every palace of fewer than `most` is judged alike, all building with up to `most` is."""
    if first.readings["max_number"] == second.readings["max_number"]:
        return _differing(first, second, PALACE, most - 1)
    letters = first.params.letters
    palaces = (Structure(), *structures(first, PALACE, _kinds(letters, most), most - 1)) if most > 0 else ()
    for palace in palaces:
        for count in range(1, most - len(palace.pyramids) + 1):
            for left in combinations_with_replacement(_kinds(letters, 1), count):
                positions = [building_position(engine, palace, left) for engine in (first, second)]
                if first.moves(positions[0]).keys() != second.moves(positions[1]).keys():
                    return f"{stacks_text(palace)} with {stack_text(left)} left"
    return None


def _differing(first: Engine, second: Engine, site: str, most: int) -> str | None:
    """A structure of at most this many pyramids on which the codes allow different placements."""
    if most < 0:
        return None
    colours = first.params.colours if site == WORKSITE else first.params.letters
    everything = _kinds(colours, 1)
    for structure in (Structure(), *structures(first, site, _kinds(colours, most), most)):
        if _allowed(first, site, structure, everything) != _allowed(second, site, structure, everything):
            return stacks_text(structure)
    return None


def _kinds(colours: tuple[str, ...], count: int) -> Material:
    """Enough pyramids for every structure of this many, but for which player is which: a second colour stands there no
    more often than the first."""
    often = {"A": count, "B": max(count // 2, 1), "C": max(count // 3, 1)}
    return tuple(Pyramid(c, z) for c in colours for z in (1, 2, 3) for _ in range(often.get(c, count)))


def _allowed(engine: Engine, site: str, structure: Structure, pyramids: Stack) -> set[tuple[Pyramid, tuple[int, int]]]:
    code = engine.worksite.placements if site == WORKSITE else engine.palace.steps
    return set(code(structure, pyramids))
