"""Nest race: the positions that the study of blockades shows, each with a line of play that leads to it.

They come from `Blockades.of_size` (or by hand, for the cycles and for four players) and `proofgames.find_line`. Nothing
here is taken on trust: every use replays the line on the engine.
"""

from __future__ import annotations

from typing import NamedTuple

from rulecheck.games.nestrace import Position, read_params, read_position
from rulecheck.games.nestrace.engine import Engine
from rulecheck.model import Readings


class Kept(NamedTuple):
    """`line` leads from the start to the position; `moves` are the relevant moves in it."""

    position: str
    line: str
    moves: str = ""
    players: str = "2"


KEPT = {
    "pat-with-moves": Kept(
        "B h3:B1B2 h4:B1B2B3 h5:B1B2B3 c6:A2B3 h6:B1B2B3 f7:A3 c8:A1A2A3 d8:A1A2A3 e8:A1A2A3 f8:A1",
        "e1-f2 a6-b7 e1-d2 a6-b5 d2-c2 b5-b4 e1-e2 a6-b5 e2-e3 b5-c6 e3-d4 c6-d5 d4-e5 d5-e6 e5-e7 e6-f6 e7-e8 "
        "f6-g6 c2-d2 g6-h6 c1-b2 b4-b5 c1-e3 a5-b6 c1-c2 a5-b4 c2-e2-e4 a5-c3-e1-g3 f1-e2 g3-h4 f1-d3 a3-b3 d3-c4 "
        "a3-a5-c7 e4-e5 a3-c5 e5-e6 c5-d5 e6-e7 b4-c5 c4-e6-e8 a4-b4 e7-d8 a4-c4 f2-d2-f4 a4-c2 e2-e4-g4 c2-d3 "
        "d2-d4-d6 b4-d4 d1-c2 c5-e7 c2-e4-c4-e6-e8 d3-f3-h5 f1-e2 b5-d3-f3-h5 e2-e4-c6-c8 b3-d5-d3-f3-h5 e3-e4 "
        "c4-e6 e4-c6-c8 d5-d7-f5-h3 d6-f6-d8 e6-f5 f4-f6-d8 e7-f6 d1-d2 f6-f4-h4 d1-d3 f5-h3 d3-e4 d4-f4-h4 e4-f5 "
        "c7-d7 g4-e6-c8 d7-e7 f5-f6 e7-f7 f6-f8 f7-g7 d2-c2 g7-h6 b2-b3 b6-c7 b3-c4 c7-d6 c2-b3 d6-e5 b3-d5 e5-f6 "
        "c4-e6-g6 f6-h6 d5-c6 b7-c6 g6-f7",
    ),
    "pat-without-moves": Kept(
        "B h3:B1B2 h4:B1B2 h5:B1B2B3 h6:B1B2B3 e7:A2B3 f7:B3 g7:A3 c8:A1A2A3 d8:A1 e8:A1A2A3 f8:A1A2A3",
        "d1-e2 a5-b5 e2-f2 b5-b4 d1-d2 b4-b5 d1-c2 b5-b6 c2-c3 b6-b5 c3-d4 b5-b4 d4-c5 b4-b5 c5-d6 b5-b4 d6-e7 "
        "b4-b5 e7-e8 b5-b4 d2-c2 b4-b3 f2-g2 b3-b2 c2-d2 a5-b4 d2-c2 b4-b3 c2-d2 a5-b6 d2-c2 b6-b7 g2-f2 b3-b4 "
        "c2-d2 b4-b5 d2-e2 b7-c6 e2-d2 c6-d5 f2-g2 d5-e5 e1-f2 e5-f5 f2-g3 f5-g5 g3-g4 g5-h6 g4-g5 b5-b6 g5-g6 "
        "a6-b5 g2-f3 a6-c6 g6-g7 a6-b7 f3-g4 b7-d5 d2-d3 d5-e6 d3-c4 e6-f5 c1-d2 f5-h3 e1-c3 c6-d6 d2-b4 a4-b3 "
        "c3-c5-e7 a4-c2 f1-e2 b3-d5 e1-d2 d6-f8-h6 f1-d3 b2-d2-d4-d6-f8-h6 d2-d4-d6-f8 a3-a5-c7 d3-d4 a4-b3 "
        "d4-d6-f8 b3-d1-f3-h5 b4-d4-d6-f8 a3-b3 c4-e6-e8 b3-d1-f3-h5 f1-d3 c2-e4 e2-c4-e6-e8 d5-f3-h5 d3-c4 e4-f5 "
        "c4-a6-c6-c8 a3-b2 c1-c2 b2-c3 c2-c4 c3-d2 c1-e3 d2-f4-h4 e3-f4 f5-h3 c4-a6-c6-c8 b5-b7-d7 f4-f5 "
        "b6-d8-f6-f4-h4 g4-e6-c8 c7-e7 f5-f6 d7-f7 f6-d8",
    ),
    "cover-stuck": Kept(
        "B g2:A2B3 g3:B3 h3:B1B2B3 g4:B3 h4:B1B2 h5:B1B2 h6:B1B2 b7:A3 c8:A1 d8:A1A2A3 e8:A1A2A3 f8:A1A2A3",
        "d1-c2 a4-b3 d1-e2 b3-b4 d1-d2 b4-b5 d2-e3 b5-b4 e3-d4 b4-b5 d4-e5 a4-b3 e5-e6 b3-b2 e6-f7 b5-b4 f7-f8 "
        "a4-b3 e2-f2 b3-c3 f2-e2 c3-d2 e2-e3 d2-f4 e3-g5 f4-g3 g5-g6 g3-h4 g6-g7 b2-c3 g7-f8 c3-d4 f1-f2 d4-e4 "
        "f1-f3 e4-f4 f3-g4 f4-h4 g4-f5 a3-b2 f5-e6 a3-b3 e6-f7 a3-c3 f1-e2 c3-d2 e2-e3 d2-f4 e3-g5 f4-h6 g5-g6 "
        "a6-b5 g6-e8 a6-a4-c6 f7-e8 c6-d7 c2-a4-c6-e8 d7-e7 f2-e3 e7-f7 e3-f4 f7-g7 f4-f5 g7-h6 f5-f6 b2-c2 f6-f7 "
        "b5-c4 f7-f8 b4-d4 c1-b2 d4-e4 c1-d2 a6-b5 d2-e2 b5-d3 e2-f2 c4-e2 f2-g2 a5-b5 e1-d2 a5-b4 e1-c3 b4-c4 "
        "c3-b4 e4-f3 e1-c3-c5 d3-f1-h3-h5 c5-b6 a5-c3 c1-a3-c5-a5-c7 c3-d3 b6-d8 d3-f1-h3 b4-b6-d8 c4-d3 "
        "b2-b4-b6-d8 d3-f1-h3-h5 c7-c8 b3-d1-d3-f1-h3 d2-d3 c2-e4-g2 d3-c4 b5-d3-f1-h3 c4-b5 e2-g4 b5-c6 f3-g3 "
        "c6-b7",
    ),
    "cover-doubled": Kept(
        "B h3:B1B2B3 h4:B1 h5:B1B2B3 h6:B1B2B3 c7:A3 e7:A2 f7:A1B2B3 c8:A1A2A3 d8:A1A2A3 f8:A1A2A3",
        "d1-c2 a6-b7 c2-b2 b7-b6 d1-e2 b6-b7 e2-f2 b7-b6 f2-g2 b6-b5 d1-c2 b5-b6 c2-c3 a6-b7 c3-c4 a6-c6 c4-d5 "
        "c6-d7 d5-c6 d7-e7 c6-d7 e7-f6 d7-d8 f6-g5 g2-f2 g5-h6 e1-d2 b7-b5 d2-c2 b5-b7 f2-g3 b7-c7 g3-f4 c7-d6 "
        "f4-e5 d6-f4 e5-d6 f4-g5 d6-e7 g5-h6 e7-d8 b6-b7 b2-c3 b7-b6 c3-d4 a3-b3 d4-d5 b3-c4 d5-d6 c4-d5 d6-c7 "
        "d5-e4 c7-d8 e4-f4 e1-d2 f4-g5 d2-b2 g5-h6 e1-f2 b6-b5 f2-e3 a3-b4 e3-f4 b4-b6 f4-f5 b6-b7 f5-e6 b5-c6 "
        "e6-f7 c6-d5 f7-f8 a3-b3 b2-d2 b3-d1-d3 d2-b2 a4-b5 b2-d2 a5-b6 d2-e2 a4-b3 e2-d2 a4-b4 c2-e4 a5-c3 c1-e3 "
        "b4-c5 d2-b4-d6 c5-e5 c1-d2 e5-f5 d2-d4 f5-g4 f1-f2 a5-c7 f1-g2 c7-d7 c1-c2 d3-f3-h5 c2-c4-a6-c8 "
        "b3-d3-f3-h5 f1-e2 c3-d3 e2-c4-e6 d7-f5-h3 g2-e2-c4 d3-f5-h3 f2-d4-f4 b5-d3-f5-h3 c4-e6-c6-a6-c8 d5-f3-h5 "
        "e3-e5 g4-h4 e6-f7 b6-c7 d4-f6-f8 b7-d7 e4-e6-c8 c7-e7 f4-d6-f8 d7-f7 e5-c7 e7-f7 d6-e7",
    ),
    "collision": Kept(
        "B h3:B1B2 g4:B3 h4:B1 g5:B3 h5:B1B2 g6:A1B2 h6:B1B2B3 b7:A3 g7:A2B3 c8:A1A2A3 d8:A1A2A3 e8:A1A2A3",
        "d1-d2 a6-b6 d1-e2 b6-b5 e2-f2 b5-b6 f2-g2 b6-b7 d2-e2 b7-b6 c1-d2 b6-b7 d2-f2 b7-b6 f2-f3 a6-b7 g2-g3 "
        "a6-c6 g3-g4 c6-c7 g4-g5 a3-b2 d1-c2 a3-b4 c2-b3 b4-b5 b3-c4 c7-d7 c4-a6-c6-e8 d7-e6 g5-g6 e6-f7 g6-e8 "
        "f7-g7 f3-g4 g7-h6 e1-f2 a4-c6 e1-d2 c6-d6 e1-c3 b6-c7 c3-c4 b2-c2 d2-c3 a4-c6-e6 c4-a6-c8 a4-b3 c3-c4 "
        "b3-d5-d7-f5-h3 c1-d2 e6-f7 c1-b2 a3-b3 b2-b4 b3-d1-d3 b4-b6-d8 c2-e4 d2-d4-b4-b6-d8 a5-c5 f1-f3 a5-b6 "
        "f1-d3-f5 a5-b4 f5-g6 b4-d4 c4-a6-c8 b7-d7-d5-d3-f5-h3 e2-c4-c6-c8 b5-d5 f2-f4-d4-b6-d8 c7-e5-e3-g3-g5 "
        "f3-d5-b5 b6-d4-f4-h6 g6-g7 c5-e7-g7 b5-b6 d6-d4-f4-h6 f1-e2 d3-f5-h5 e2-d3 d5-f3-h5 d3-f5 d4-f4-h4 "
        "g4-g6-e8 e4-g6-g4 f5-g6 f7-g6 b6-b7",
        moves="g7-g6",
    ),
    "nothing-left": Kept(
        "B g2:B2B3 g3:B3 h3:B1 g4:A2 h4:B1 g5:B2B3 h5:B1 g6:B2B3 h6:B1 g7:B2A3 c8:A1 d8:A1A2A3 e8:A1A2A3 f8:A1A2A3",
        "d1-e2 a5-b4 d1-c2 a5-b6 d1-b3 a5-b5 b3-c4 b5-b3 c4-c5 b6-b5 c5-c6 b3-b2 c6-d7 b2-b3 d7-e8 b4-b6 c2-c3 "
        "b6-b4-b2 c3-d4 a6-b6 d4-d5 b6-b4 d5-c6 b5-d7 c6-e8 b2-c3 c1-d2 d7-e7 c1-e3 e7-f7 c1-b2 b4-c4 b2-d4 a6-b7 "
        "d4-c5 b7-c7 f1-f2 f7-g6 f1-g2 c7-d7 f1-f3 a6-b6 f3-f4 a3-a5-c7-e7 c5-c6 a3-a5-c7 c6-c8 b6-d8-d6 e2-e4-g4 "
        "c7-e5-g3-g5 f4-h4-f6-d8 d7-f7 e3-f4 d6-f8-f6-h4 f4-h4-f6-d8 e7-g7-g5 g4-g6-e8 f7-g7 g2-e2-c2 a4-c2-e2 "
        "d2-b2 a4-b5 e1-e3 b5-d3-f3 e1-d2 f3-g2 e1-g3 b3-d3 g3-f4 c4-c2-e4-g4-g6 f4-h6-f8 c3-e1-g3 b2-d2-f4-h6-f6 "
        "a3-b2 d2-f4-h6-f8 b2-d2-f4-h6 e3-f4 a4-b3 f6-g7 b3-d1-f3-h3 c2-e4-g4 d3-f1-f3-h5 f4-h6-f8-d8 e2-g2 "
        "f2-h4-h6-f8",
        moves="g3-g4",
    ),
    "freed-again": Kept(
        "B h3:B1B2 e4:A2B3 h4:B1B2B3 h5:B1B2B3 h6:B1B2B3 e7:A1 g7:A3 d8:A1A2A3 e8:A1A2A3 f8:A1A2A3",
        "f1-f2 a6-b6 f2-g2 a6-b5 g2-f2 a6-c6 f1-g2 c6-d5 f1-f3 d5-e4 f3-g3 e4-f4 g3-g4 f4-h4 g4-f5 b5-c6 f5-f6 "
        "c6-d5 f6-e7 d5-e6 e7-f8 e6-f6 g2-e2 f6-g5 e2-g2 g5-h4 d1-d2 a4-a6-c6 d1-c2 c6-d5 d1-e2 d5-e4 e2-e3 e4-f4 "
        "e3-d4 f4-g5 d4-e5 g5-h4 e5-d6 a3-b4 d6-c7 a4-b5 c7-d8 a4-b3 e1-e2 b3-d1-f1-h3 e1-e3 a3-b3 e3-f3 "
        "b3-d1-f1-h3 f3-f4 a3-c5 g2-f3 c5-d6 f3-f5 d6-e7 f4-f6-d8 e7-f7 f5-g6 f7-h5 g6-g7 b5-b7 g7-f8 b7-b5-b3 "
        "c2-b2 b3-b5 b2-c2 b5-b7 f2-f3 b7-b5 f3-g4 b5-b3-d1-f3-h5 g4-f5 b6-b5 e2-f3 b4-b6 f3-g4 b5-c6 c2-d3 c6-d7 "
        "f5-e6 a5-b5 e1-e2 a5-b4 e2-c4-a4-c6-e8 a5-c3-e3 d3-c4 e3-f4 c4-a4-c6-e8 d7-f5-f3-h5 e6-f7 f4-g5 g4-g6-e8 "
        "g5-h6 f7-f8 b4-b3 d2-c3 b3-b4 c3-c4 b4-b3 c4-c5 b3-b2 c5-a5-c7 b2-c3 c7-d8 c3-d2 c1-e3 d2-f4 e3-g5 f4-h6 "
        "g5-f6 b6-c5 f6-g7 c5-d4 c1-d2 d4-e4 d2-e3 e4-f5 e3-e4 f5-g6 c1-d2 g6-h6 d2-c3 b5-c5 c3-d4 c5-d5 d4-d6 "
        "d5-e4 d6-e7",
        moves="e4-e5 e7-d7 e5-e4 d7-e7",
    ),
    "never-freed": Kept(
        "B h3:B1B2B3 c4:A1B2B3 g4:B3 h4:B1 h5:B1B2B3 h6:B1B2 c7:A3 e7:A2 c8:A1A2A3 d8:A1A2A3 f8:A1A2A3",
        "d1-d2 a4-b3 d2-c2 b3-b2 d1-e2 a4-b5 d1-f3 b5-b6 f3-e4 b6-b7 e4-e5 b7-c7 e5-d6 c7-d7 d6-d8 d7-e6 e2-f2 "
        "e6-f7 f2-e3 f7-g7 e3-d4 a4-b4 d4-c5 b4-d6 c5-e7 d6-f8-h6 e7-d8 g7-h6 f1-e2 a6-b5 f1-d1-f3 a6-b6 f1-f2 "
        "a6-b7 f2-f4 b7-c7 f3-f5 c7-d7 f4-f6 d7-e6 f5-f7 e6-g6 f6-f8 g6-h5 f7-f8 b6-c6 e1-d2 c6-d6 e1-e3 d6-e7 "
        "e3-d4 e7-f7 d4-d5 f7-g6 d5-c6 g6-h5 c6-b7 b5-b6 e1-c3 b6-b5 c3-c4 a3-b4 c4-a6-c8 a3-b3 b7-c8 a3-c3 d2-f2 "
        "c3-d3 f2-g2 d3-f1-h3 g2-f2 b5-c4 f2-g2 b3-b5-d3-f1-h3 c2-d2 c4-d3 d2-f2 d3-f1-h3 e2-f3 b4-b5 f2-f4 b5-b6 "
        "g2-e4 b6-c7 f3-f5 c7-d7 e4-g4-e6-c8 d7-e7 f4-f6-d8 e7-f7 f5-g6 f7-h5 g6-g7 b2-b3 g7-f8 b3-b2 c1-c2 b2-b3 "
        "c1-d2 a5-b4 c1-c3 a5-b5 c3-c4 b5-c4 c2-b2 b4-d4 d2-c3 d4-e4 b2-d4 b3-c4 c3-e5 a5-b4 d4-f4-d6 b4-d4-f4 "
        "e5-f6 e4-g4 d6-c7 f4-h4 f6-e7",
        moves="g4-g5 c7-d7 g5-g4 d7-c7",
    ),
    "first-blocker-stuck": Kept(
        "B g2:A2B3 g3:A1D3 h3:B1B2B3 g4:C3 h4:D1D2 h5:D1D2D3 h6:B1B2 d7:A3 c8:A1A2A3 d8:C1C2C3 e8:C1C2",
        "c1-c2 a5-b6 f1-g2 a6-b5 c2-b2 b6-b7 g2-f2 b5-b6 b2-c2 a5-b4 f2-g2 b6-b5 c2-b2 b4-b3 g2-f2 b5-b6 b2-c2 "
        "b3-b2 f2-g2 a6-b5 c2-d2 b2-b3 f1-e2 a6-c4 d2-c2 b3-b2 e2-d2 c4-d4 c2-e2 a5-b4 d2-c2 d4-e4 e2-f2 b4-b3 "
        "g2-e2 e4-f5 f2-g2 b2-b4 e2-f2 f5-g5 g2-e2 b3-b2 c2-d2 g5-h5 e2-g2 b2-b3 f1-e2 b6-c7 c1-c2 b3-b2 e2-e3 "
        "b5-b6 c2-e2 b2-b3 e3-e4 a4-b5 g2-e2-c2 b3-b2 e4-d5 a4-c4 c2-e2-g2 b4-c5 d5-c6 c4-d5 g2-e2-c2 c5-d6 c6-d7 "
        "d5-e5 c2-d3 d6-f4 d7-d8 a4-b4 c1-c2 f4-g5 d2-c3 b4-d2-d4-f6-h4 c2-c4-a6-c8 b2-d4-d2 c3-e3 e5-f5 "
        "e2-c4-a6-c8 d2-f4-h6 e3-f4 f5-h5 d3-c4 g5-h6 d1-d2 c7-d7 c4-a6-c8 b7-c6 d1-f1-f3-f5 d7-e7 e1-e2 a3-b3 "
        "f4-f6-d8 b6-d6 e2-c2 b3-d1-d3 d1-e2 d6-e5 c2-b2 a3-b3 d2-d4-f6-d8 e5-f6 b2-c2 b3-d1-f3 e2-g4 f6-f4-h4 "
        "e1-e2 a3-b3 g4-e6-e8 e7-f7 e2-g2 b3-d1-f1-h3 f5-g6 f7-h5 c2-b3 f3-f1-h3 g6-f7 b5-c4 b3-d5 c6-e4 f7-e8 "
        "c4-d4 d5-e6 d3-d5-f3-f1-h3 f2-f3 d4-f4-f2 e1-g3 e4-g2 f3-g4 f2-g3 e6-d7",
        players="4",
    ),
    "pat-by-line-mate": Kept(
        "C c3:C2 d3:C3 h3:B1B2B3 e4:A2B3 h4:D1D2 d5:D3 h5:D1D2D3 h6:B1B2 c7:A3 g7:A1 c8:A1A2A3 d8:C1C2C3 e8:C1",
        "c1-c2 a3-b4 f1-f2 a6-b5 c2-d2 a3-b3 f2-g2 b5-b6 d2-c2 b3-b5-b7 g2-f2 b6-b5 c2-d2 b7-b6 f2-g2 b5-b7 d2-c2 "
        "b4-b3 g2-f2 b7-b5 c2-d2 b3-b4 f2-g2 b5-b7 d2-c2 b6-b5 g2-f2 b7-b6 c2-b2 b5-b7 f2-e2 b6-b5 c1-d2 b4-b3 "
        "e2-c2 b5-b6 d2-e2 b7-b5 c2-d2 b6-b7 b2-c2 b3-b4 d2-b2 b7-b6 e2-f2 b5-b7 f1-e2 a6-b5 f2-g2 b4-b3 f1-f2 "
        "a6-c6 c2-d2 b3-b4 f2-f3 c6-d5 g2-f2 b4-b3 f3-f4 d5-e5 d2-c2 b3-b4 f4-d6 e5-f5 f2-g2 b4-c3 d6-d7 f5-g4 "
        "c1-d2 a3-b4 d7-d8 g4-h4 d2-f2 b4-c5 e2-d2 b5-b4 f2-e2 c5-d4 d2-f2 a4-b3 e2-d3 d4-e3 f2-e2 a4-b5 d3-c4 "
        "e3-f3 e2-f2 a4-c6 c4-a6-c8 f3-f1-h3 d1-e2 c6-d5 e1-e3 c3-d3 d1-d2 b5-c6 e1-c3 a5-b5 d1-f3 d5-e6 c3-c4 "
        "a5-c5 f3-f4 e6-f6 g2-f3 a5-c3 f4-e5 f6-g6 f3-e4 c3-d4 e5-d6 g6-h5 e1-g3 b7-d5-f3-h3 d6-d7 c6-d5 g3-g4 "
        "c5-c3-e1-g3-g5 f2-d4-d6-d8 b4-d4-f4-h4 c4-e6-c8 d3-f5-h3 b2-d2-f2-d4-d6-d8 d5-f3-h5 g4-g6 d4-f4-h6 d7-e8 "
        "b3-d1-d3-f5-h5 g6-g7 g5-h6 e2-d3 b6-b7 c2-e2-c4-a6-c8 b5-c6 d2-c3 b7-d5 e3-e5-c5-c7 c6-e4",
        moves="e8-f8",
        players="4",
    ),
    "stuck-early": Kept(
        "B h3:B1B2 h4:B1B2 h5:B1B2 e6:B3 f6:B3 g6:A3 h6:B1B2 f7:B3 g7:A2B3 c8:A1A2A3 d8:A1A2A3 e8:A1A2A3 f8:A1",
        "e1-f2 a6-b7 e1-d2 b7-b6 d2-c2 a6-b7 e1-d2 a6-c6 d2-c3 c6-d6 c3-d4 d6-e7 d4-d5 e7-f7 d5-e6 f7-g7 e6-f7 "
        "g7-h6 f7-f8 b7-c6 c2-d2 c6-d5 c1-e1-g3 d5-e6 c1-e3 e6-f7 c1-c2 f7-g6 c2-e2-e4 g6-h6 f1-g2 b6-b7 f1-e2 "
        "a5-b6 f1-f3 a5-c7 f3-f4 c7-d7 e4-e5 a4-b5 f4-d6-d8 b5-c4 e5-e6 a4-b3 e6-c8 b3-d5 d1-c2 a5-b4 d1-d3 "
        "b4-d4-d6 d1-f3 c4-e6 f3-e4 a3-a5-c7 e4-c6-e8 a3-b2 d3-e4 a4-b3 g2-g4 b3-d1-f3-h5 e4-c6-c8 a3-b3 e2-e4 "
        "b3-d1-d3 e3-e5 d6-f4-h4 d2-d4-d6-d8 b2-d2-d4-f4-h4 c2-e4-c6-c8 d3-f5-h3 e4-c6-e8 b6-d8-d6-f6 "
        "f2-h4-f4-d6-d8 d5-f5-h3 g3-g5 b7-d7-f5-f7 e5-g7 c7-e7-g7 g4-g6-e8 d7-f5-h5 g5-g6",
    ),
    "no-reading-helps": Kept(
        "B h3:B1 h4:B1 g5:B2 h5:B1 g6:B3 h6:B1B2B3 b7:A3 c7:B3 d7:B3 e7:A2 f7:B2 g7:A1B2 c8:A1A2A3 d8:A1A2A3 f8:A1A2A3",
        "f1-e2 a4-b4 f1-f2 b4-b3 f1-f3 b3-b4 f3-e4 b4-b5 e4-d5 b5-b6 d5-d6 b6-b7 d6-e7 b7-b6 e7-d8 a4-b3 f2-g2 "
        "b3-b2 e1-f2 b6-b5 e1-d2 a6-b7 d2-c3 a6-b6 c3-d4 a6-c6 d4-e5 c6-d7 e5-e6 d7-f5 e6-d7 f5-g5 d7-d8 g5-h6 "
        "d1-f3 b5-b4 d1-f1-d3 b4-b5 d3-e4 b7-c6 e4-e5 b6-d6 e5-f6 d6-e7 d1-d2 b2-c3 d2-b4-b6-d6-f8 e7-f7 f6-f8 "
        "a3-b2 c1-d2 a3-b4 c1-c2 a3-b3 c1-e3-g3 b3-d1-f1-h3 g3-g4 a4-b3 g2-e4 b3-d3 d2-d4 c3-e3-g3-g5 "
        "f2-f4-h4-f6-f8 a5-c5-c7 f3-d5 b5-d7 g4-g6-e8-c8 d3-f5-h5 e4-c4-e6-c8 a5-c3 e1-e3 b4-d2-f4-h6 "
        "e2-e4-c4-e6-c8 b2-d2-f4-h6 c2-c4-e6 a5-b6 e3-c5-e5-e7-g7 c3-e5-e7-g7 d4-d6-d8 b6-d6-f6-h4 d5-b7 c6-e8-g6 "
        "e6-e7",
    ),
}


def kept(name: str, readings: Readings) -> tuple[Engine, Position, tuple[str, ...]]:
    """The engine for it, the position, and the relevant moves."""
    params = read_params({"players": KEPT[name].players})
    return Engine(params, readings), read_position(params, KEPT[name].position), tuple(KEPT[name].moves.split())
