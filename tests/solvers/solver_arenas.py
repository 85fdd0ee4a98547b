"""Small arenas for the tests: drawn at random, and built by hand."""

from __future__ import annotations

from hypothesis import strategies as st

from solvers.graph import Arena, ArenaBuilder, Kind

ENDS = [Kind.WIN, Kind.LOSS, Kind.TIE]


@st.composite
def arenas(draw: st.DrawFn, chance: bool = True, max_nodes: int = 14) -> Arena:
    """Any graph: loops, doubled edges, unreachable nodes, end components where play need never end."""
    size = draw(st.integers(1, max_nodes))
    inner = [Kind.STEP, Kind.MOVE] + ([Kind.CHANCE] if chance else [])
    builder = ArenaBuilder()
    for _ in range(size):
        kind = draw(st.sampled_from(ENDS + inner * 3))
        most = 0 if kind in ENDS else 3
        targets = st.lists(st.integers(0, size - 1), min_size=min(1, most), max_size=most)
        builder.add(kind, draw(targets))
    return builder.freeze()


def waiting_game() -> Arena:
    """Each player may wait, or roll: of four rolls one wins, two lose, and after the fourth play goes on.

    Neither wants to roll, but either can force a third by rolling; the last third is endless waiting.
    """
    b = ArenaBuilder()
    won, lost = b.add(Kind.WIN), b.add(Kind.LOSS)
    turn = b.reserve(Kind.MOVE)
    roll = b.reserve(Kind.CHANCE)
    begin = b.reserve(Kind.STEP)
    passing = b.add(Kind.MOVE, [begin])
    b.connect(turn, [begin])
    b.connect(roll, [won, lost, lost, passing])
    b.connect(begin, [roll, passing])
    return b.freeze()


def race(length: int) -> Arena:
    """Two runners on tracks of `length`; each roll of 1 to 3 is taken or refused. The first one home wins."""
    b = ArenaBuilder()
    won = b.add(Kind.WIN)
    chance = {(i, j): b.reserve(Kind.CHANCE) for i in range(length) for j in range(length)}
    for (i, j), node in chance.items():
        rolls = []
        for roll in (1, 2, 3):
            stay = b.add(Kind.MOVE, [chance[j, i]])
            run = won if i + roll >= length else b.add(Kind.MOVE, [chance[j, i + roll]])
            back = b.add(Kind.MOVE, [chance[max(j - 1, 0), i]])
            rolls.append(b.add(Kind.STEP, [stay, run, back]))
        b.connect(node, rolls)
    return b.freeze()
