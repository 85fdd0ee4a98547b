"""Hextris: the families of proofs, as data.

On the board asked for (19 points, if nothing is said) each turn stands for all that a map of the board makes of
it; `board` proves that both encodings see the board the same and that the maps change nothing on it. In `small`,
on 7 points, every turn of each of two players is proved for itself; `small-alike` takes one of each class there, and
so does `small-three` for three players. `pass` goes through all positions of small games in which nothing has left
the board. Who may pass on 19 points is not proved: there the turns are, that a pass depends on.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from rulecheck.games.hextris import Move, Params, Pass, read_params
from rulecheck.model import Result
from rulecheck.studies.hextris.acts import Tick, exchanges, one_of_each, placements, prove_turns, slides
from rulecheck.studies.hextris.whole import every_turn, prove_board, prove_pass, prove_setup, prove_win
from specs.hextris import Spec, adjacent, distance

# Games on 7 points, for two and for three, in which every turn is proved ...
SMALL = {"radius": "1", "group": "3", "groups": "2", "pieces": "2,2,2"}
SMALL_THREE = {"players": "3", "radius": "1", "group": "2", "groups": "2", "pieces": "2,1,1"}
# ... and those whose positions are gone through for the pass; some of them fill the board.
PASS_GAMES = (
    {"radius": "1", "group": "3", "groups": "1", "pieces": "0,0,4/0,0,3"},
    {"radius": "1", "group": "2", "groups": "1", "pieces": "1,0,1/1,0,1"},
    {"players": "3", "radius": "1", "group": "2", "groups": "1", "pieces": "0,0,2/0,0,2/0,0,3"},
)


def family_names(params: Params) -> list[str]:
    """The longest first, so that work done side by side ends together."""
    passes = [f"pass-{i + 1}" for i in range(len(PASS_GAMES))]
    return [
        *exchange_names(params),
        "slide-near",
        "place",
        "small",
        "small-three",
        "slide-far",
        *passes,
        "small-alike",
        "exchange-apart",
        "win",
        "board",
        "setup",
    ]


def run_family(name: str, params: Params, encodings: tuple[Any, Any], readings: Any, tick: Tick) -> Result:
    make_engine, make_spec = encodings
    kind, _, number = name.rpartition("-")
    if kind == "pass":
        small = read_params(PASS_GAMES[int(number) - 1])
        return prove_pass(make_engine(small, readings), make_spec(small, readings), tick)
    if kind == "small" or name == "small":
        params = read_params(SMALL_THREE if number == "three" else SMALL)
        turns, what = _small_turns(params, alike=name != "small")
        scope = f"{what} of every player on every arrangement of {_pieces(params)}; legality, clause, effect"
        return prove_turns((make_engine(params, readings), make_spec), turns, scope, tick)
    engine = make_engine(params, readings)
    if name == "board":
        stated = sys.modules[make_spec.__module__ if isinstance(make_spec, type) else Spec.__module__]
        return prove_board(engine, stated, tick)
    if name in ("win", "setup"):
        return (prove_win if name == "win" else prove_setup)(engine, make_spec(params, readings), tick)
    chosen, what = _turns(name, params)
    scope = (
        f"{what} on every arrangement of {_pieces(params)}; legality, clause, effect; each turn stands for all that "
        "the maps of the board make of it, see the family board"
    )
    return prove_turns((engine, make_spec), chosen, scope, tick)


def _pieces(params: Params) -> str:
    return f"pieces of {params.players} players on {len(params.points)} points"


def _small_turns(params: Params, *, alike: bool) -> tuple[list[tuple[str, Move]], str]:
    acts = [m for m in every_turn(params) if not isinstance(m, Pass)]
    what = "every turn"
    if alike:
        acts, what = one_of_each(acts, params.radius), "one turn of each class"
    return [(c, m) for c in params.colours for m in acts], what


def _turns(name: str, params: Params) -> tuple[list[tuple[str, Move]], str]:
    """The turns of a family on the board asked for, and what they are."""
    if name == "place":
        puts = one_of_each(placements(params), params.radius)
        return [(c, m) for c in params.colours for m in puts], "placements, one of each class, by each player"
    if name.startswith("slide-"):
        apart, beside = _classes(slides(params), params.radius)
        if name == "slide-near":
            return [("A", m) for m in beside], "slides to an adjacent point, one of each class, by A,"
        return [("A", m) for m in apart], "slides between points that are not adjacent, one of each class, by A,"
    apart, beside = _classes(exchanges(params), params.radius)
    if name == "exchange-apart":
        return [("A", m) for m in apart], "exchanges between points that are not adjacent, one of each class, by A,"
    move = beside[int(name.removeprefix("exchange-")) - 1]
    return [("A", move)], f"the exchange {move} and all that look like it, by A,"


def _classes(turns: Iterable[Any], radius: int) -> tuple[list[Move], list[Move]]:
    """One turn of each class: those between points that are not adjacent, the longest first, and the others."""
    found = sorted(one_of_each(turns, radius), key=lambda m: -distance(radius, m.source, m.target))
    beside = [m for m in found if adjacent(radius, m.source, m.target)]
    return [m for m in found if m not in beside], beside


def exchange_names(params: Params) -> list[str]:
    """One family for each class of adjacent points, the long ones of this game."""
    return [f"exchange-{i + 1}" for i in range(len(_classes(exchanges(params), params.radius)[1]))]
