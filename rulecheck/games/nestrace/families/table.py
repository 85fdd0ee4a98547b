"""Nest race: the families of proofs.

A family says in its scope which board, which moves and which positions it has compared. `paths` families treat every
arrangement of the board by complete case analysis; `lists` families compare whole positions one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from rulecheck.games.nestrace import GAME, Params, Position, read_params
from rulecheck.games.nestrace.families import lists
from rulecheck.games.nestrace.families.beside import Beside, prove_beside
from rulecheck.games.nestrace.families.crowds import prove_all, prove_reached
from rulecheck.games.nestrace.families.hops import (
    Tick,
    chains,
    described,
    line_chains,
    odd_paths,
    prove_paths,
    prove_setup,
    prove_win,
    read_flags,
    single_hops,
    there_and_back,
)
from rulecheck.games.nestrace.families.judged import SLICES, Slice, prove_judged
from rulecheck.games.nestrace.hints import PAT
from rulecheck.model import Readings, Result, together
from specs.nestrace.spec import Spec
from specs.nestrace.spec_moves import Path
from specs.nestrace.spec_scene import Flags

Encodings = tuple[Callable[..., Any], Callable[..., Any]]
SMALL = {"core": "2", "width": "2", "nests": "1"}  # the smallest board: 12 squares
NARROW = {"core": "3", "width": "1", "nests": "1"}  # 13 squares, lines of one
MIDDLE = {"core": "3", "width": "3", "nests": "1"}  # 21 squares
PLAIN = {"core": "4", "width": "2", "nests": "1"}  # 24 squares
PAIRS = {"core": "4", "width": "2", "nests": "2"}  # the same with two nests, so that one can wait for the other
FOUR = {"players": "4"}
# On that board: somebody is in pat now, but could step aside and then go on.
WAITING = (
    "B d2:A1B2A3 e2:B2 c3:A1 e3:B3 c4:B1A2 f4:B1 b5:A2 c5:A3 e5:B3",
    "B d2:A1B2 e2:B2 e3:B3 c4:A2B3 f4:B1 b5:A2 c5:B1A3 e5:A3 d6:A1",
    "B d1:A1 d2:B1A2 e2:B2 e3:B3 c4:A1 e4:B3 f4:B1 b5:A3 c5:B2A3 e5:A2",
)
SEED = 7
PARTS_OF_ALL = 4
FIRST = 2_000
PLAY = "who is in pat and through whom, all legal moves, passes and results"
# The readings that are about single hops and chains; all others are about the pat rule and passing.
OF_HOPS = frozenset(
    ("backward", "null_move", "finish_order", "order_transit", "order_colour", "line_transit", "opp_lines")
    + ("land_on_other", "back_jump", "rule9_4p", "mate_transit")
)
OF_FOUR = frozenset(("order_colour", "rule9_4p", "mate_transit"))  # they need a line-mate to matter
Paths = Callable[[Spec, int], Iterable[Path]]


class Family:
    """Both encodings of one board, and what can be compared on it."""

    def __init__(self, params: Params, encodings: Encodings, readings: Readings, tick: Tick) -> None:
        self.params, self.encodings, self.readings, self.tick = params, encodings, readings, tick
        self.engine, self.spec = encodings[0](params, readings), encodings[1](params, readings)
        # Positions are picked by the usual pat rule where there is none, and by what is so now where "ever" is asked.
        usual = readings.replace(pat="note5" if readings["pat"] == "off" else readings["pat"], horizon="now")
        self.picker: Spec = self.spec if usual == readings else encodings[1](params, usual)
        picked = [f"{name}={usual[name]}" for name in ("pat", "horizon") if usual[name] != readings[name]]
        self.pat = f"a pat under {' '.join(picked)}" if picked else "a pat"

    @property
    def board(self) -> str:
        return described(self.params)

    def paths(self, what: str, paths: Paths) -> Result:
        scope = f"{what}, each player to move, on every arrangement of {self.board}; legality, clause, effect"
        return prove_paths(self.engine, self.spec, paths, scope, self.tick)

    def lists(self, which: str, positions: Iterable[Position]) -> Result:
        scope = f"who is in pat, all legal moves, passes and results of {which} of {self.board}"
        return prove_lists(self, positions, scope)

    def each_to_move(self, which: str, all_flags: Iterable[Flags]) -> Result:
        return self.lists(f"{which}, each player to move,", lists.both_to_move(self.spec, all_flags))

    @property
    def in_play(self) -> str:
        return f"{PLAY} of every position that play reaches, one of each pair of mirror images, of {self.board}"

    def reached(self) -> Result:
        return prove_reached(self.engine, self.spec, self.in_play, self.tick)

    def reached_under(self, names: Sequence[str]) -> Result:
        """Under these readings, and under each other value of one of those named."""
        options = {name: GAME.rulebook.options[name].values for name in names}
        changes = [(name, v) for name, values in options.items() for v in values if v != self.readings[name]]
        beside = Beside(self.params, self.encodings, self.readings, changes)
        which = f"as given, and as play goes under each of {len(changes)} other values of {', '.join(names)}"
        return prove_beside(beside, f"{self.in_play}; {which}", self.tick)

    def judged(self, chosen: Slice) -> Result:
        return prove_judged(self.engine, self.spec, chosen, self.tick)

    def win(self) -> Result:
        scope = f"who has finished and who has won on every arrangement of {self.board}"
        return prove_win(self.engine, self.spec, scope, self.tick)

    def setup(self) -> Result:
        return prove_setup(self.engine, self.spec, f"start and turns of {self.board}", self.tick)


def prove_lists(family: Family, positions: Iterable[Position], scope: str) -> Result:
    return lists.prove_lists(family.engine, family.spec, positions, scope, family.tick)


# -- The families ---------------------------------------------------------------------------------------------

Make = Callable[..., Family]
HOPS = "every pair of squares as a single hop"


def chains_of(family: Family, length: int) -> Result:
    return family.paths(f"every chain of {length} jumps", chains(length))


def hops(make: Make) -> Result:
    return make().paths(HOPS, single_hops)


def hops_four(make: Make) -> Result:
    return make({**MIDDLE, **FOUR}).paths(HOPS, single_hops)


def hops_four_full(make: Make) -> Result:
    return make(FOUR).paths(HOPS, single_hops)


def chains_small(make: Make) -> Result:
    def parts() -> Iterator[Result]:
        yield small_chains(make)
        yield chains_of(make(MIDDLE), 2)
        yield make(SMALL).paths(
            "every path of two hops with a step in it, and for each pair of squares one that is not straight", odd_paths
        )

    return together(parts())


def chains_full(make: Make) -> Result:
    return chains_of(make(), 2)


def goals(make: Make) -> Result:
    small_four = {**SMALL, **FOUR}
    boards: list[dict[str, str]] = [
        {},
        small_four,
        {**small_four, "partners": "yes"},
        PLAIN,
        {"core": "5", "nests": "2"},
    ]
    return together(make(board).win() for board in boards)


def setups(make: Make) -> Result:
    boards: list[dict[str, str]] = [{}, {"side": "east"}, FOUR, {**FOUR, "setup": "caca", "side": "east"}]
    boards += [{**FOUR, "partners": "yes", "setup": "caca"}, SMALL, NARROW, {"core": "7", "nests": "3"}]
    return together(make(board).setup() for board in boards)


def pat_four(make: Make) -> Result:
    return together(drawn_pats(make({**board, **FOUR}), 400, 150) for board in (SMALL, PLAIN))


def drawn_pats(family: Family, draws: int, most: int) -> Result:
    """Arrangements drawn by chance, those with a pat and what comes before them; any of them where none has a pat."""
    spec, pat = family.picker, family.pat
    drawn = list(lists.sampled(spec, SEED, draws))
    pats = list(lists.in_pat(spec, drawn))
    before = [read_flags(spec, b, flags) for b, flags in islice(lists.before_pat(spec, pats), 3 * most)]
    positions = [*islice(lists.both_to_move(spec, pats or drawn), most), *before[:: max(1, len(before) // most)]]
    by_chance = f"{draws:,} arrangements drawn by chance (seed {SEED})"
    which = f"positions with {pat} and just before one, from {by_chance}: each"
    if not pats:
        which = f"{len(positions)} positions from {by_chance}, none of which has {pat}: each"
    return family.lists(f"{which} completely, and nothing about the others,", positions)


def pat_chosen(make: Make) -> Result:
    return together(chosen_pats(make(board), 10) for board in ({}, FOUR))


def chosen_pats(family: Family, count: int) -> Result:
    """Positions in which somebody is in pat, drawn among all that the constraints allow."""
    spec = family.picker
    pats = list(lists.Finder(spec, SEED).in_pat(count))
    before = [read_flags(spec, b, flags) for flags in pats for b, flags in islice(lists.before_pat(spec, [flags]), 4)]
    positions = [*lists.both_to_move(spec, pats), *before]
    which = f"{len(pats)} arrangements with {family.pat}, drawn by chance (seed {SEED}), and positions just before"
    return family.lists(f"{which} them: each completely, and nothing about the others,", positions)


def drawn_full(make: Make) -> Result:
    """Crowded boards, on which chains are long."""

    def part(family: Family) -> Result:
        spec = family.spec
        which = f"25 arrangements drawn by chance (seed {SEED}): each completely, and nothing about the others,"
        return family.lists(which, (read_flags(spec, "A", flags) for flags in lists.sampled(spec, SEED, 25)))

    return together(part(make(board)) for board in ({}, FOUR, {**FOUR, "partners": "yes", "side": "east"}))


def reached_small(make: Make) -> Result:
    return make(SMALL).reached()


def reached_narrow(make: Make) -> Result:
    return make(NARROW).reached()


def readings_small(make: Make) -> Result:
    return make(SMALL).reached_under((*PAT, "passing"))


def readings_narrow(make: Make) -> Result:
    return make(NARROW).reached_under(PAT)


def reached_first(make: Make) -> Result:
    """Four players, as far as that goes."""
    family = make({**MIDDLE, **FOUR})
    which = f"the {FIRST:,} positions that play reaches first, and nothing about the others,"
    return family.lists(which, islice(lists.reachable(family.engine), FIRST))


def game_over(make: Make) -> Result:
    four = {**SMALL, **FOUR}
    return together(ended(make(board)) for board in (four, {**four, "partners": "yes"}))


def ended(family: Family) -> Result:
    which = f"arrangements with a winner and immobilised pyramids, drawn by chance (seed {SEED}), and no others"
    return family.each_to_move(which, lists.Finder(family.spec, SEED).over(20))


def small_hops(make: Make) -> Result:
    return make(SMALL).paths(HOPS, single_hops)


def small_chains(make: Make) -> Result:
    boards = ((SMALL, 2), (SMALL, 3), ({**SMALL, **FOUR}, 2))
    return together(chains_of(make(board), length) for board, length in boards)


def pat_pairs(make: Make) -> Result:
    """Two nests each: a pyramid may have to step aside before it can go in."""
    return together(chosen_pats(make(board), count) for board, count in ((PAIRS, 60), ({**PLAIN, **FOUR}, 20)))


def small_pat(make: Make) -> Result:
    boards = ((SMALL, 3_000, 120), ({**SMALL, **FOUR}, 100, 60))
    return together(drawn_pats(make(board), draws, most) for board, draws, most in boards)


def touched(make: Make) -> Result:
    """What the readings that are not the default touch, on the smallest boards; everything if all are default."""
    changed = changed_readings(make(SMALL))
    parts = [aside] if "horizon" in changed else []
    if changed and not changed & OF_HOPS:
        return together(part(make) for part in (*parts, small_pat))
    parts += [small_chains] if changed and changed <= OF_FOUR else [small_hops, small_chains]
    parts += [along_lines] if changed & {"order_colour", "mate_transit"} else []
    parts += [back_to_line] if "line_transit" in changed else []
    return together(part(make) for part in (*parts, few_pats))


def few_pats(make: Make) -> Result:
    boards = ((SMALL, 1_000, 40), ({**SMALL, **FOUR}, 40, 30))
    return together(drawn_pats(make(board), draws, most) for board, draws, most in boards)


def listed(make: Make) -> Result:
    """What is listed, what is judged legal and what the constraints allow, turn by turn, under these readings."""

    def parts() -> Iterator[Result]:
        yield from (make(chosen.params).judged(chosen) for chosen in SLICES)
        if "lift_conflict" in changed_readings(make(SMALL)):  # it matters under these two readings together
            yield make(SMALL, conflict="s1", cannot_free="lift").judged(SLICES[0])

    return together(parts())


def along_lines(make: Make) -> Result:
    """Only here can a line-mate's pyramid be touched in the middle of a chain."""
    what = "every chain of two jumps along A's lines, touching down there"
    return make({**MIDDLE, **FOUR}).paths(what, line_chains)


def back_to_line(make: Make) -> Result:
    """Lines are left and entered again only where diagonals may lead back."""
    what = "every chain of two jumps from A's lines and back to them, with backward=diagonal_ok"
    return make(MIDDLE, backward="diagonal_ok").paths(what, there_and_back)


def aside(make: Make) -> Result:
    """With two nests a pyramid may have to step aside first: then there is a pat now, and not for ever."""
    family = make(PAIRS)
    stacks = [GAME.read_position(family.params, text).stacks for text in WAITING]
    which = f"{len(WAITING)} positions with a pat that need not last, and nothing about the others"
    return family.each_to_move(which, [family.spec.scene.flags(arrangement) for arrangement in stacks])


def changed_readings(family: Family) -> set[str]:
    defaults = GAME.rulebook.defaults()
    return {name for name, value in family.spec.readings.items() if defaults[name] != value}


def arrangements_part(number: int) -> Callable[[Make], Result]:
    def part(make: Make) -> Result:
        family = make(SMALL)
        arrangements = islice(lists.arrangements(family.spec), number - 1, None, PARTS_OF_ALL)
        scope = f"{PLAY} of every arrangement (part {number} of {PARTS_OF_ALL}), each player to move, of {family.board}"
        return prove_all(family.engine, family.spec, map(lists.code, arrangements), scope, family.tick)

    return part


# The longest first, so that work done side by side ends together.
LONG: dict[str, Callable[[Make], Result]] = {
    "readings-narrow": readings_narrow,
    "reached-narrow": reached_narrow,
    "hops-4-full": hops_four_full,
    **{f"arrangements-{n}": arrangements_part(n) for n in range(1, PARTS_OF_ALL + 1)},
    "chains-full": chains_full,
    "readings-small": readings_small,
    "pat-chosen": pat_chosen,
    "drawn": drawn_full,
    "reached-small": reached_small,
    "pat-pairs": pat_pairs,
    "hops-4": hops_four,
    "pat-4": pat_four,
    "reached-4": reached_first,
}
USUAL: dict[str, Callable[[Make], Result]] = {
    "hops": hops,
    "chains": chains_small,
    "small-pat": small_pat,
    "along-lines": along_lines,
    "over": game_over,
    "step-aside": aside,
    "back-to-line": back_to_line,
    "listed": listed,
    "win": goals,
    "setup": setups,
}
QUICK = {"touched": touched, "listed": listed}
# Parts of others, for changes that show there.
PARTS = {"small-hops": small_hops, "small-chains": small_chains}


def family_names(params: Params) -> list[str]:
    from rulecheck.games.nestrace.families.hexagon import HEXAGON

    return [*LONG, *USUAL] if params.board == "square" else list(HEXAGON)


def run_family(name: str, params: Params, encodings: Encodings, readings: Readings, tick: Tick) -> Result:
    def make(board: dict[str, str] | None = None, **changes: str) -> Family:
        chosen = readings.replace(**changes)
        return Family(params if not board else read_params(board), encodings, chosen, tick)

    from rulecheck.games.nestrace.families.hexagon import HEXAGON

    return ({**LONG, **USUAL, **QUICK, **PARTS} if params.board == "square" else HEXAGON)[name](make)
