"""Hextris: the families of proofs, as data.

On the board asked for (19 points, if nothing is said) every turn of every player is proved in two parts: `groups`,
and `place`, `slide`, `exchange-A` and so on, which take from `groups` and `open` what they need to know of groups.
The families with -three do the same for three players, with one turn and one point of each class that the maps of
the board make; `board` proves that both encodings see the board the same and that the maps change nothing on it.
`direct` and all that begins with small run the engine as it is, without parting anything: they check the parting.
Who may pass, and that the list of turns holds all that are allowed, follows from the turns and `listing`. `lists` looks
at it directly in all positions in play of small games, `pass-1` and its like in all that nothing has left.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from rulecheck.games.hextris import Exchange, Move, Params, Pass, read_params
from rulecheck.games.hextris.families.acts import (
    Tick,
    board_maps,
    exchanges,
    one_of_each,
    placements,
    prove_turns,
    slides,
)
from rulecheck.games.hextris.families.composed import Halves, prove_composed
from rulecheck.games.hextris.families.groups import prove_groups
from rulecheck.games.hextris.families.listing import prove_listing
from rulecheck.games.hextris.families.lists import prove_lists, prove_pass
from rulecheck.games.hextris.families.openness import prove_open
from rulecheck.games.hextris.families.whole import prove_board, prove_setup, prove_win
from rulecheck.games.hextris.stated import every_turn
from rulecheck.model import Result
from specs.hextris.spec import Spec

# Games on 7 points, for two and for three, in which every turn is proved ...
SMALL = {"radius": "1", "group": "3", "groups": "2", "pieces": "2,2,2"}
SMALL_THREE = {"players": "3", "radius": "1", "group": "2", "groups": "2", "pieces": "2,1,1"}
# ... and those whose positions are gone through for the pass; some of them fill the board.
PASS_GAMES = (
    {"radius": "1", "group": "3", "groups": "1", "pieces": "0,0,4/0,0,3"},
    {"radius": "1", "group": "2", "groups": "1", "pieces": "1,0,1/1,0,1"},
    {"players": "3", "radius": "1", "group": "2", "groups": "1", "pieces": "0,0,2/0,0,2/0,0,3"},
)
MOST_POINTS = 19  # `listing` goes through all sets of points

Encodings = tuple[Any, Any]
Turns = list[tuple[str, Move]]


def family_names(params: Params) -> list[str]:
    """The longest first, so that parallel work ends together."""
    names = ["direct", "groups", *(f"exchange-{c}" for c in params.colours), "small"]
    if params.players == 2:
        names += ["groups-three", "turns-three", "open-three"]
    if len(params.points) <= MOST_POINTS:
        names.append("listing")
    names += ["slide", "open", "small-three", *(f"pass-{i + 1}" for i in range(len(PASS_GAMES)))]
    return [*names, "lists", "small-alike", "place", "win", "board", "setup"]


def run_family(name: str, params: Params, encodings: Encodings, readings: Any, tick: Tick) -> Result:
    kind, _, which = name.partition("-")
    if kind == "lists":
        return prove_lists(encodings, readings, tick)
    if kind in ("small", "pass"):
        return _small(name, encodings, readings, tick)
    if which == "three":
        params = replace(params, players=3, stash=(*params.stash, params.stash[0]))
    engine = encodings[0](params, readings)
    families: dict[str, Callable[..., Result]] = {
        "direct": _direct,
        "groups": _groups,
        "open": lambda e, make, t, _: prove_open(make(e.params, e.readings), make, t),
        "turns": _turns_alike,
        "place": lambda e, make, t, _: _composed(e, make, _by_all(params, placements(params)), "every placement", t),
        "slide": lambda e, make, t, _: _composed(e, make, _by_all(params, slides(params)), "every slide", t),
        "exchange": _exchange,
        "listing": lambda e, make, t, _: prove_listing(e, _stated(make), t),
        "win": lambda e, make, t, _: prove_win(e, make(e.params, e.readings), t),
        "board": lambda e, make, t, _: prove_board(e, _stated(make), t),
        "setup": lambda e, make, t, _: prove_setup(e, make(e.params, e.readings), t),
    }
    return families[kind](engine, encodings[1], tick, which)


def _stated(make_spec: Any) -> Any:
    """The class of the spec, which knows the board."""
    return make_spec if isinstance(make_spec, type) else Spec


def _pieces(params: Params) -> str:
    return f"pieces of {params.players} players on {len(params.points)} points"


def _by_all(params: Params, moves: Sequence[Move]) -> Turns:
    return [(c, m) for m in moves for c in params.colours]


# -- As it is -----------------------------------------------------------------------------------------------


def _small(name: str, encodings: Encodings, readings: Any, tick: Tick) -> Result:
    make_engine, make_spec = encodings
    kind, _, which = name.partition("-")
    if kind == "pass":
        params = read_params(PASS_GAMES[int(which) - 1])
        return prove_pass(make_engine(params, readings), make_spec(params, readings), tick)
    params = read_params(SMALL_THREE if which == "three" else SMALL)
    moves = [m for m in every_turn(params) if not isinstance(m, Pass)]
    what = "one turn of each class" if which else "every turn"
    turns = _by_all(params, one_of_each(moves, params.radius) if which else moves)
    scope = f"{what} of every player on every arrangement of {_pieces(params)}; legality, clause, effect"
    return prove_turns((make_engine(params, readings), make_spec), turns, scope, tick)


def _direct(engine: Any, make_spec: Any, tick: Tick, _: str) -> Result:
    """The exchange in a corner has the fewest cases of those that make two groups."""
    move = Exchange(0, 1, engine.params.radius)
    scope = f"the exchange {move} by A on every arrangement of {_pieces(engine.params)}, in one piece"
    return prove_turns((engine, make_spec), [("A", move)], f"{scope}; legality, clause, effect", tick)


# -- In two parts -------------------------------------------------------------------------------------------


def _groups(engine: Any, make_spec: Any, tick: Tick, which: str) -> Result:
    params = engine.params
    points = list(params.points)
    if which:
        maps = board_maps(params.radius)
        points = sorted({min(there[p] for there in maps) for p in points})
    return prove_groups(engine, make_spec(params, engine.readings), points, tick)


def _exchange(engine: Any, make_spec: Any, tick: Tick, colour: str) -> Result:
    turns: Turns = [(colour, m) for m in exchanges(engine.params)]
    return _composed(engine, make_spec, turns, "every exchange", tick)


def _turns_alike(engine: Any, make_spec: Any, tick: Tick, _: str) -> Result:
    moves = [m for m in every_turn(engine.params) if not isinstance(m, Pass)]
    turns = _by_all(engine.params, one_of_each(moves, engine.params.radius))
    return _composed(engine, make_spec, turns, "one turn of each class", tick)


def _composed(engine: Any, make_spec: Any, turns: Turns, what: str, tick: Tick) -> Result:
    players = " and ".join(sorted({c for c, _ in turns}))
    scope = (
        f"{what} by {players} on every arrangement of {_pieces(engine.params)}; legality, clause, effect and whether "
        "it keeps from passing, given what the families groups and open prove"
    )
    return prove_composed(Halves(engine, make_spec), turns, scope, tick)
