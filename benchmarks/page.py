"""What a run found, as it is kept: all figures in `benchmarks.json`, a table of them in `benchmarks.md`, the ratios
drawn in `benchmarks.svg`. The table and the drawing depend on the figures alone."""

from __future__ import annotations

import json
import math
import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rulecheck.files import write_file
from rulecheck.render.svg import Element

NAME = "benchmarks"
LEFT, LINE, DECADE, TOP = 430, 34, 110, 34  # of the drawing, in pixels
FONT = "font-family:sans-serif;font-size:12px"
HEAD = ("work", "measure", "here", "compared with", "there", "ratio (least to greatest)", "wanted")

Entry = dict[str, Any]


def keep(folder: Path, found: Mapping[str, Sequence[Entry]]) -> list[Path]:
    """Write the rows of some modules; those of modules that were not run stay as they were."""
    path = folder / f"{NAME}.json"
    kept = json.loads(path.read_text())["rows"] if path.exists() else {}
    document: dict[str, Any] = {"machine": machine(), "rows": {**kept, **found}}
    rows = [row for name in sorted(document["rows"]) for row in document["rows"][name]]
    texts = {
        path: json.dumps(document, indent=1) + "\n",
        path.with_suffix(".md"): table(document["machine"], rows),
        path.with_suffix(".svg"): str(drawing([row for row in rows if row["ratio"]])),
    }
    folder.mkdir(parents=True, exist_ok=True)
    for target, text in texts.items():
        write_file(target, text)
    return list(texts)


def machine() -> str:
    model = next((line for line in _processor() if line.startswith("model name")), "").partition(":")[2].strip()
    import numba
    import numpy

    versions = f"Python {platform.python_version()}, numpy {numpy.__version__}, numba {numba.__version__}"
    return f"{model or platform.machine()}, {os.cpu_count()} cores, {versions}"


def _processor() -> Sequence[str]:
    path = Path("/proc/cpuinfo")
    return path.read_text().splitlines() if path.exists() else ()


# -- The table -----------------------------------------------------------------------------------------------


def table(where: str, rows: Sequence[Entry]) -> str:
    lines = [
        "# Benchmarks",
        "",
        f"Made by `make bench`, perhaps module by module: {where}. Seconds are CPU seconds; what is compared",
        "was run in turns, and each figure is the median of the turns.",
        "",
        f"![how many times as good]({NAME}.svg)",
        "",
        *_line(HEAD),
        *_line(["---"] * len(HEAD)),
    ]
    for row in rows:
        lines += _line(_cells(row))
    notes = [f"- {row['work']}, {row['against'] or 'alone'}: {row['note']}" for row in rows if row["note"]]
    return "\n".join([*lines, "", *notes]).rstrip() + "\n"


def _line(cells: Sequence[str]) -> Iterator[str]:
    yield f"| {' | '.join(cells)} |"


def _cells(row: Entry) -> list[str]:
    ratio = "" if row["ratio"] is None else times(row["ratio"])
    if row["spread"] and row["spread"][0] != row["spread"][1]:
        ratio += f" ({times(row['spread'][0])} to {times(row['spread'][1])})"
    theirs = "" if row["theirs"] is None else figure(row["theirs"])
    return [row["work"], row["measure"], figure(row["ours"]), row["against"], theirs, ratio, _wanted(row)]


def _wanted(row: Entry) -> str:
    if row["met"] is None:
        return ""
    wanted = f"{row['at_least']:g}x" if row["at_least"] is not None else f"under {row['at_most']:g}"
    return wanted if row["met"] else f"{wanted}: not met"


def figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def times(ratio: float) -> str:
    return f"{figure(ratio)}x"


# -- The drawing ---------------------------------------------------------------------------------------------


def drawing(rows: Sequence[Entry]) -> Element:
    """A bar for each ratio, on a scale of powers of ten; a stroke across it where the wanted one is."""
    decades = max((math.ceil(math.log10(row["ratio"])) for row in rows), default=1)
    width, height = LEFT + DECADE * decades + 80, TOP + LINE * len(rows) + 10
    drawn = Element("svg", xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {width} {height}", role="img")
    drawn = drawn.add(Element("title").add("How many times as good as what each line is compared with"))
    drawn = drawn.add(Element("rect", width=width, height=height, fill="#ffffff"))
    for power in range(decades + 1):
        x = LEFT + DECADE * power
        drawn = drawn.add(Element("line", x1=x, y1=TOP - 8, x2=x, y2=height - 8, stroke="#c8c8c8"))
        drawn = drawn.add(_text(x, TOP - 14, f"{10**power:,}x", "middle"))
    for place, row in enumerate(rows):
        drawn = drawn.add(*_bar(row, TOP + LINE * place))
    return drawn


def _bar(row: Entry, y: float) -> Iterator[Element]:
    yield _text(LEFT - 8, y + 10, row["work"], "end")
    yield _text(LEFT - 8, y + 24, f"against {row['against']}", "end", "#5a5a5a")
    length = DECADE * max(0.0, math.log10(row["ratio"]))
    yield Element("rect", x=LEFT, y=y + 5, width=length, height=16, fill="#23395d")
    yield _text(LEFT + length + 6, y + 18, times(row["ratio"]), "start")
    if row["at_least"]:
        x = LEFT + DECADE * math.log10(row["at_least"])
        yield Element("line", x1=x, y1=y + 1, x2=x, y2=y + 25, stroke="#d1495b", stroke_width=2)


def _text(x: float, y: float, words: str, anchor: str, fill: str = "#1c1c1c") -> Element:
    return Element("text", x=x, y=y, text_anchor=anchor, fill=fill, style=FONT).add(words)
