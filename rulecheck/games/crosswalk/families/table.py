"""Crosswalk: the families of proofs, as data."""

from __future__ import annotations

from typing import Any

from rulecheck.games.crosswalk import Params, read_params
from rulecheck.games.crosswalk.families.acts import Tick, prove_acts, prove_setup, prove_win
from rulecheck.games.crosswalk.families.turns import prove_chosen_turns, prove_small_turns
from rulecheck.model import Result

SMALL_GAMES = (
    {"squares": "3", "sizes": "1", "pedestrians": "1"},
    {"squares": "2", "sizes": "12"},
    {"squares": "3", "sizes": "12", "pedestrians": "none"},
)


def family_names(params: Params) -> list[str]:
    """The longest first, so that parallel work ends together."""
    turns = [f"turns-{i + 1}" for i in reversed(range(len(SMALL_GAMES)))]
    return [*turns, "turns-chosen", "step", "relocation", "win", "setup"]


def run_family(name: str, params: Params, encodings: tuple[Any, Any], readings: Any, tick: Tick) -> Result:
    make_engine, make_spec = encodings
    if name.startswith("turns-") and name != "turns-chosen":
        small = read_params(SMALL_GAMES[int(name.removeprefix("turns-")) - 1])
        longest = small.die // min(k.pips for k in small.material)
        spec = make_spec(small, readings, walk_length=longest)
        return prove_small_turns(make_engine(small, readings), spec, tick)
    engine = make_engine(params, readings)
    if name == "turns-chosen":
        return prove_chosen_turns(engine, make_spec(params, readings), 7, 10, tick)
    if name == "setup":
        return prove_setup(engine, make_spec(params, readings, walk_length=1), tick)
    spec = make_spec(params, readings, walk_length=1, counted=False)
    if name == "win":
        return prove_win(engine, spec, tick)
    return prove_acts(engine, spec, name == "relocation", tick)
