"""The graph of play of a small game with the value of every position, for drawing; and why a draw is one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import networkx

from rulecheck.analyses.solved_play import SolvedPlay
from rulecheck.contract import M, P
from rulecheck.explore import Step, Who, as_line, steps
from rulecheck.model import InputError
from rulecheck.solve.worth import Worth
from solvers.certificate import ONE
from solvers.graph import Outcome

ENDINGS = (".graphml", ".dot")  # of files
COLOURS = {"win": "palegreen", "loss": "lightpink", "tie": "lightgrey", "draw": "khaki"}
SHAPES = {Who.PLAYER: "ellipse", Who.CHANCE: "diamond", Who.NOBODY: "box"}


class Circle(NamedTuple):
    """Best play that returns: the moves to a position, and the moves from there back to it."""

    before: tuple[str, ...]
    position: str
    moves: tuple[str, ...]


def circle(solved: SolvedPlay[P, M], position: P) -> Circle | None:
    """Why a position is drawn: both players keep the draw until a position recurs. None if it is not drawn."""
    if solved.has_chance or solved.worth(position).outcome is not Outcome.DRAW:
        return None
    place: dict[P, int] = {}
    taken: list[Step[P]] = []
    while position not in place:
        place[position] = len(taken)
        best = solved.choices(position)[0].step
        taken.append(best)
        position = best.result
    at = place[position]
    return Circle(as_line(taken[:at]), str(position), as_line(taken[at:]))


def drawn(solved: SolvedPlay[P, M]) -> networkx.MultiDiGraph:
    """The graph: nodes are the texts of positions; edges are moves and results of chance."""
    play, graph = solved.graph.play, networkx.MultiDiGraph()
    for number in range(len(play)):
        worth = solved.worth(play.position(number))
        acts = {"who": play.who(number).name.lower(), "actor": play.actor(number) or ""}
        graph.add_node(play.texts[number].decode(), **acts, **_flat(worth))
    for number, text in enumerate(play.texts):
        _, ways = steps(solved.engine, play.position(number))
        for way, following in zip(ways, play.successors(number), strict=True):
            chance = {"weight": way.weight} if way.by_chance else {}
            graph.add_edge(text.decode(), play.texts[following].decode(), label=way.label, **chance)
    return graph


def _flat(worth: Worth) -> dict[str, Any]:
    """The worth as attributes, which are plain texts and numbers."""
    if worth.values is not None:
        return {"for": worth.player, "low": worth.values.win.low / ONE, "high": worth.values.win.high / ONE}
    return {name: value for name, value in worth.as_json().items() if value is not None}


def require_ending(path: Path) -> None:
    if path.suffix not in ENDINGS:
        raise InputError(f"a graph is written as {' or '.join(ENDINGS)}, and {str(path)!r} ends in neither")


def write_graph(path: Path, graph: networkx.MultiDiGraph) -> None:
    require_ending(path)
    if path.suffix == ".dot":
        text = "\n".join(_dot(graph)) + "\n"
    else:
        text = "\n".join(networkx.generate_graphml(graph, named_key_ids=True)) + "\n"
    try:
        path.write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:
        raise InputError(f"cannot write {str(path)!r}: {error}") from None


def _dot(graph: networkx.MultiDiGraph) -> Iterator[str]:
    yield "digraph play {"
    yield "  node [style=filled, fillcolor=white];"
    for text, data in graph.nodes(data=True):
        yield f"  {_quoted(text)} [{_attributes(_node_style(text, data))}];"
    for before, after, data in graph.edges(data=True):
        weight = f" ({data['weight']})" if "weight" in data else ""
        yield f"  {_quoted(before)} -> {_quoted(after)} [label={_quoted(data['label'] + weight)}];"
    yield "}"


def _node_style(text: str, data: Mapping[str, Any]) -> dict[str, str]:
    if "value" in data:
        worth = data["value"] + (f" in {data['distance']}" if "distance" in data else "")
    else:
        worth = f"{data['low']:.4f} to {data['high']:.4f}"
    label = f"{text}\n{worth} for {data['for']}"
    return {
        "label": label,
        "shape": SHAPES[Who[data["who"].upper()]],
        "fillcolor": COLOURS.get(data.get("value", ""), "white"),
    }


def _attributes(data: Mapping[str, str]) -> str:
    return ", ".join(f"{name}={_quoted(value)}" for name, value in data.items())


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
