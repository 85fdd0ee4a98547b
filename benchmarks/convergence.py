"""python -m benchmarks.convergence: how the ways to the value of a Crosswalk game converge, drawn for the docs.

The error is the largest over all positions, against bounds that the checker has accepted; work is counted in sweeps, a
round of strategy iteration by the CPU seconds that it takes.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.crosswalk_bench import MIDDLE, setting, solved
from benchmarks.rows import seconds
from rulecheck.files import write_file
from rulecheck.render.svg import Element
from rulecheck.solve.tables import walks_of
from solvers import stochastic_walks as walks
from solvers import walk_sweeps as sweeps
from solvers.strategy_iteration import StrategyIteration
from solvers.walk_certificate import WalkBounds
from solvers.walks import Walks

TARGET = Path("docs/convergence.svg")
MOST = 12_000
LEFT, TOP, DECADE, HIGH = 70, 30, 130, 36  # of the drawing, in pixels
WORK, ERROR = 4, 9  # decades shown
FONT = "font-family:sans-serif;font-size:12px"
Curve = list[tuple[float, float]]  # work, error


def middle(bounds: WalkBounds) -> list[Any]:
    return [(bounds.low_f + bounds.high_f) / 2 / bounds.one, (bounds.low_g + bounds.high_g) / 2 / bounds.one]


def error(found: Sequence[Any], truth: Sequence[Any]) -> float:
    return max(float(np.abs(a - b).max()) for a, b in zip(found, truth, strict=True))


def sweeping(game: Walks, truth: list[Any]) -> tuple[Curve, Curve]:
    """From below; and from above, which is the same seen by the other side, and stops at what neither can force."""
    low = [np.zeros(game.size, dtype=np.int64) for _ in range(2)]
    sweep = sweeps.Sweep(game, np.int64)
    below, above = [], []
    playing = ~game.over
    for count in range(1, MOST + 1):
        for role in range(2):
            sweep.image(role, low[1 - role], np.int64(walks.FINE))
            sweep.change(sweeps.rise, low[role], walks.FINE // walks.ROOM)
        if count in (1, 2, 3, 5) or count % max(1, 10 ** int(math.log10(count)) // 2) == 0:
            here = [x / walks.FINE for x in low]
            below.append((float(count), error(here, truth)))
            above.append((float(count), error([playing * (1 - here[1]), playing * (1 - here[0])], truth)))
    return below, above


def improving(game: Walks, truth: list[Any], sweep: float) -> Curve:
    """Strategy iteration after the usual sweeps, by rounds."""
    search = walks._Search(game, 1e-6, lambda text, done: None, None)
    search.rise(walks.WARM_UP)
    iteration = StrategyIteration(game, [low / search.one for low in search.low])
    begin, curve = time.process_time(), [(float(walks.WARM_UP), error([x / search.one for x in search.low], truth))]
    for loss in itertools.islice(walks._stages(1e-6), 3):
        for _ in iteration.settle(loss, walks.MANY):
            pass
        taken = walks.WARM_UP + (time.process_time() - begin) / sweep
        curve.append((taken, error([iteration.rolls[:-2], iteration.waits[:-2][game.mirror]], truth)))
    return curve


def drawing(curves: dict[str, Curve], title: str) -> Element:
    width, height = LEFT + DECADE * WORK + 250, TOP + HIGH * ERROR + 50
    drawn = Element("svg", xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {width} {height}", role="img")
    drawn = drawn.add(Element("title").add(title), Element("rect", width=width, height=height, fill="#ffffff"))
    for power in range(WORK + 1):
        x = LEFT + DECADE * power
        drawn = drawn.add(Element("line", x1=x, y1=TOP, x2=x, y2=TOP + HIGH * ERROR, stroke="#dcdcdc"))
        drawn = drawn.add(_text(x, TOP + HIGH * ERROR + 18, f"{10**power:,}", "middle"))
    for power in range(0, ERROR + 1, 3):
        y = TOP + HIGH * power
        drawn = drawn.add(Element("line", x1=LEFT, y1=y, x2=LEFT + DECADE * WORK, y2=y, stroke="#dcdcdc"))
        drawn = drawn.add(_text(LEFT - 8, y + 4, f"1e-{power}", "end"))
    below = "sweeps, or as long as sweeps take"
    drawn = drawn.add(_text(LEFT + DECADE * WORK / 2, TOP + HIGH * ERROR + 40, below, "middle"))
    for colour, (name, curve) in zip(("#d1495b", "#8a8a8a", "#23395d"), curves.items(), strict=True):
        drawn = drawn.add(*_curve(name, curve, colour))
    return drawn


def _curve(name: str, curve: Curve, colour: str) -> list[Element]:
    points = [
        (LEFT + DECADE * min(WORK, math.log10(work)), TOP + HIGH * min(ERROR, -math.log10(max(short, 1e-12))))
        for work, short in curve
    ]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    x, y = points[-1]
    shape = Element("polyline", points=line, fill="none", stroke=colour, stroke_width=2)
    return [shape, _text(x + 8, y + 4, name, "start", colour)]


def _text(x: float, y: float, words: str, anchor: str, fill: str = "#1c1c1c") -> Element:
    return Element("text", x=x, y=y, text_anchor=anchor, fill=fill, style=FONT).add(words)


def main() -> None:
    game = walks_of(setting(MIDDLE))
    known = solved(game)
    truth = middle(known.bounds)
    taken, (below, above) = seconds(lambda: sweeping(game, truth))
    curves = {
        "sweeps from below": below,
        "sweeps from above": above,
        "strategy iteration": improving(game, truth, taken / MOST),
    }
    title = "The largest error of ways to solve Crosswalk on five squares, sizes 1 and 2"
    write_file(TARGET, str(drawing(curves, title)))
    for name, curve in curves.items():
        print(f"{name}: {curve[-1][1]:.1e} short after {curve[-1][0]:,.0f} sweeps or as long")


if __name__ == "__main__":
    main()
